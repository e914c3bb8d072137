"""Right bodies for every route to which the bot may send one, with as many fields in them as fit together."""

from __future__ import annotations

from typing import Any

JSON = dict[str, Any]
PICTURE = "https://example.org/a.png"
EMOJI = {"id": None, "name": "🚂"}
NAMES = {"de": "spiel", "hi": "खेल", "th": "เกม"}
DESCRIPTIONS = {"de": "Ein Spiel"}


def embed() -> JSON:
    """An embed with every part."""
    picture = {"url": PICTURE, "width": 10, "height": 10, "description": "a train"}
    return {
        "type": "rich",
        "url": "https://example.org",
        "title": "Title",
        "color": 0xFFFFFF,
        "timestamp": "2026-01-02T03:04:05+00:00",
        "description": "Words",
        "author": {"name": "Somebody", "url": "https://example.org", "icon_url": PICTURE},
        "image": picture,
        "thumbnail": picture,
        "footer": {"text": "Foot", "icon_url": PICTURE},
        "fields": [{"name": "Name", "value": "Value", "inline": True}],
        "provider": {"name": "Maker", "url": "https://example.org"},
    }


def buttons() -> JSON:
    """A row with a button of each kind."""
    return {
        "type": 1,
        "id": 11,
        "components": [
            {"type": 2, "id": 12, "style": 1, "label": "Go", "custom_id": "go", "disabled": False, "emoji": EMOJI},
            {"type": 2, "style": 5, "label": "Read", "url": "https://example.org/rules"},
        ],
    }


def select(kind: int, **fields: Any) -> JSON:
    """A select menu of any kind."""
    common = {"placeholder": "Choose", "min_values": 0, "max_values": 1, "required": False}
    return {"type": kind, "custom_id": f"select-{kind}", **common, **fields}


def choices(*, emoji: bool = True) -> list[JSON]:
    """Options of a string select, a radio group or a checkbox group."""
    first: JSON = {"label": "One", "value": "1", "description": "The first", "default": True}
    return [first | ({"emoji": EMOJI} if emoji else {}), {"label": "Two", "value": "2"}]


def selects(user: str, role: str, channel: str, **fields: Any) -> list[JSON]:
    """A select menu of each kind."""
    somebody, some_role = {"type": "user", "id": user}, {"type": "role", "id": role}
    place = {"type": "channel", "id": channel}
    return [
        select(3, options=choices(), **fields),
        select(5, default_values=[somebody], **fields),
        select(6, default_values=[some_role], **fields),
        select(7, default_values=[somebody], **fields),
        select(8, default_values=[place], channel_types=[0], **fields),
    ]


def layout(user: str, role: str, channel: str) -> list[JSON]:
    """V2 components of every type but the file."""
    media = {"url": PICTURE}
    picture = {"type": 11, "media": media, "description": "a train", "spoiler": False}
    text = {"type": 10, "id": 21, "content": "# Words"}
    rows = [{"type": 1, "components": [each]} for each in selects(user, role, channel, disabled=False)]
    gallery = {"type": 12, "items": [{"media": media, "description": "a map", "spoiler": False}]}
    return [
        text,
        {"type": 9, "components": [{"type": 10, "content": "Beside"}], "accessory": picture},
        gallery,
        {"type": 14, "spacing": 1, "divider": True},
        {
            "type": 17,
            "accent_color": 0,
            "spoiler": False,
            "components": [
                {"type": 10, "content": "Inside"},
                buttons(),
                {
                    "type": 9,
                    "components": [{"type": 10, "content": "Beside"}],
                    "accessory": {"type": 2, "style": 2, "label": "More", "custom_id": "more"},
                },
                gallery,
                {"type": 14},
            ],
        },
        *rows,
    ]


def poll() -> JSON:
    """A poll with every part."""
    answer = {"poll_media": {"text": "Yes", "emoji": {"id": None, "name": "🚂"}}}
    return {
        "question": {"text": "Again?"},
        "answers": [answer, {"poll_media": {"text": "No"}}],
        "allow_multiselect": False,
        "layout_type": 1,
        "duration": 24,
    }


def mentions(user: str, role: str) -> JSON:
    """Whom a message may mention."""
    return {"parse": ["everyone"], "users": [user], "roles": [role], "replied_user": False}


def modal(user: str, role: str, channel: str) -> list[JSON]:
    """Two modals that have every kind of field between them."""
    fields: list[JSON] = [
        {
            "type": 4,
            "custom_id": "text",
            "style": 1,
            "value": "12",
            "placeholder": "How many?",
            "required": True,
            "min_length": 0,
            "max_length": 10,
        },
        *selects(user, role, channel),
        {"type": 21, "custom_id": "radio", "required": True, "options": choices(emoji=False)},
        {
            "type": 22,
            "custom_id": "boxes",
            "required": False,
            "min_values": 0,
            "max_values": 2,
            "options": choices(emoji=False),
        },
        {"type": 19, "custom_id": "files", "required": False, "min_values": 0, "max_values": 1},
        {"type": 23, "custom_id": "box", "default": True},
    ]
    labels = [
        {"type": 18, "id": 30 + index, "label": "Field", "description": "What to do", "component": each}
        for index, each in enumerate(fields)
    ]
    old = {"type": 1, "components": [{"type": 4, "custom_id": "old", "style": 2, "label": "Old"}]}
    head: JSON = {"title": "Form", "custom_id": "form"}
    return [
        head | {"components": [{"type": 10, "content": "Read this"}, old, *labels[:3]]},
        head | {"components": labels[3:8]},
        head | {"components": labels[8:]},
    ]


def option(kind: int, name: str, **fields: Any) -> JSON:
    """An option of a command."""
    return {
        "type": kind,
        "name": name,
        "name_localizations": NAMES,
        "description": "What it is",
        "description_localizations": DESCRIPTIONS,
        **fields,
    }


def choice(value: Any) -> JSON:
    """A choice of an option or of an autocompletion."""
    return {"name": "First", "name_localizations": {"de": "Erste"}, "value": value}


def options() -> list[JSON]:
    """An option of each kind."""
    return [
        option(3, "text", required=True, min_length=0, max_length=10, autocomplete=False, choices=[choice("1")]),
        option(4, "whole", required=False, min_value=0, max_value=9, choices=[choice(1)]),
        option(10, "number", min_value=0.5, max_value=9.5, choices=[choice(1.5)]),
        option(5, "yes", required=False),
        option(6, "who", required=False),
        option(7, "where", channel_types=[0, 11]),
        option(8, "role", required=False),
        option(9, "whom", required=False),
        option(11, "file", required=False),
    ]


def command(name: str, inner: list[JSON]) -> JSON:
    """A chat command."""
    return {
        "type": 1,
        "name": name,
        "name_localizations": {"de": name, "hi": "खेल", "th": "เกม"},
        "description": "What it does",
        "description_localizations": DESCRIPTIONS,
        "default_member_permissions": 0x40,
        "dm_permission": True,
        "contexts": [0, 1],
        "integration_types": [0, 1],
        "handler": 1,
        "options": inner,
    }


def commands() -> list[JSON]:
    """A plain command and one with a group."""
    leaf = option(1, "leaf", options=options())
    return [command("plain", options()), command("deep", [option(2, "group", options=[leaf]), leaf])]
