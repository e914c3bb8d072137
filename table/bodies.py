"""What the bot may send: for every body the rule of every field, with Discord's own numbers."""

from __future__ import annotations

from typing import Final

from table import limits
from table.components import Kind
from table.schema import (
    INT32,
    INT53,
    Address,
    AnyOf,
    Decimal,
    Digits,
    Flag,
    Kinds,
    Localised,
    Many,
    Object,
    OneOf,
    Rule,
    String,
    Timestamp,
    Whole,
)

FLAG: Final = Flag()
ID: Final = Digits()
PERMISSIONS: Final = Digits(high=limits.PERMISSIONS)
COLOUR: Final = Whole(0, limits.COLOUR)
CHANNEL_KINDS: Final = OneOf((0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15))
ARCHIVE: Final = OneOf((60, 1440, 4320, 10080))
SLOW_MODE: Final = Whole(0, limits.SLOW_MODE)
LINK: Final = Address(limits.URL)
WEB_LINK: Final = Address(limits.URL, ("http", "https"))

# --- messages ---------------------------------------------------------------------------------------
_PICTURE: Final = Object(
    optional={
        "url": LINK,
        "width": Whole(),
        "height": Whole(),
        "placeholder": String(0, limits.MEDIA_PLACEHOLDER),
        "placeholder_version": Whole(0, INT32),
        "is_animated": FLAG,
        "description": String(0, limits.EMBED_DESCRIPTION),
    }
)
EMBED: Final = Object(
    optional={
        "type": String(),
        "url": WEB_LINK,
        "title": String(0, limits.EMBED_TITLE),
        "color": COLOUR,
        "timestamp": Timestamp(),
        "description": String(0, limits.EMBED_DESCRIPTION),
        "author": Object(optional={"name": String(0, limits.EMBED_AUTHOR), "url": WEB_LINK, "icon_url": LINK}),
        "image": _PICTURE,
        "thumbnail": _PICTURE,
        "video": _PICTURE,
        "footer": Object(optional={"text": String(0, limits.EMBED_FOOTER), "icon_url": LINK}),
        "fields": Many(
            Object(
                {"name": String(1, limits.EMBED_FIELD_NAME), "value": String(1, limits.EMBED_FIELD_VALUE)},
                {"inline": FLAG},
            ),
            0,
            limits.EMBED_FIELDS,
        ),
        "provider": Object(optional={"name": String(0, limits.EMBED_AUTHOR), "url": WEB_LINK}),
    }
)
ALLOWED_MENTIONS: Final = Object(
    optional={
        "parse": Many(OneOf(("users", "roles", "everyone")), unique=True, nulls=True),
        "users": Many(ID, 0, limits.ALLOWED_MENTIONS, unique=True, nulls=True),
        "roles": Many(ID, 0, limits.ALLOWED_MENTIONS, unique=True, nulls=True),
        "replied_user": FLAG,
    }
)
ATTACHMENT: Final = Object(
    {"id": ID},
    {
        "filename": String(1, limits.FILENAME),
        "description": String(0, limits.ATTACHMENT_DESCRIPTION),
        "duration_secs": Decimal(0, INT32),
        "waveform": String(0, limits.WAVEFORM),
        "title": String(0, limits.FILENAME),
        "is_spoiler": FLAG,
        "is_remix": FLAG,
    },
)
_POLL_EMOJI: Final = Object(optional={"id": ID, "name": String(0, limits.EMOJI_NAME), "animated": FLAG})
_POLL_MEDIA: Final = Object(optional={"text": String(1, limits.POLL_TEXT), "emoji": _POLL_EMOJI})
POLL: Final = Object(
    {
        "question": _POLL_MEDIA,
        "answers": Many(Object({"poll_media": _POLL_MEDIA}), 1, limits.POLL_ANSWERS),
    },
    {"allow_multiselect": FLAG, "layout_type": OneOf((1,)), "duration": Whole(1, limits.POLL_HOURS)},
)
_THEME: Final = Object(
    {
        "colors": Many(String(6, 6), 1, limits.THEME_COLOURS),
        "gradient_angle": Whole(0, 360),
        "base_mix": Whole(0, 100),
    },
    {"base_theme": OneOf((0, 1, 2, 3, 4))},
)
_REFERENCE: Final = Object(
    {"message_id": ID},
    {"guild_id": ID, "channel_id": ID, "fail_if_not_exists": FLAG, "type": OneOf((0,))},
)

# --- components -------------------------------------------------------------------------------------
_CUSTOM_ID: Final = String(1, limits.CUSTOM_ID)
_ALT_TEXT: Final = String(1, limits.MEDIA_DESCRIPTION)
_MEDIA: Final = Object({"url": LINK})
_EMOJI: Final = Object({"name": String(0, limits.EMOJI_NAME)}, {"id": ID, "animated": FLAG})


def _component(required: dict[str, Rule] | None = None, optional: dict[str, Rule] | None = None) -> Object:
    return Object(required or {}, {"id": Whole(0, INT32), **(optional or {})})


def _option(*, emoji: bool) -> Object:
    words = String(1, limits.OPTION_TEXT)
    more: dict[str, Rule] = {"description": String(0, limits.OPTION_TEXT), "default": FLAG}
    return Object({"label": words, "value": words}, more | ({"emoji": _EMOJI} if emoji else {}))


def _select(required: dict[str, Rule] | None = None, **optional: Rule) -> Object:
    return _component(
        {"custom_id": _CUSTOM_ID, **(required or {})},
        {
            "placeholder": String(0, limits.SELECT_PLACEHOLDER),
            "min_values": Whole(0, limits.SELECT_OPTIONS),
            "max_values": Whole(1, limits.SELECT_OPTIONS),
            "disabled": FLAG,
            "required": FLAG,
            **optional,
        },
    )


def _chosen_before(*kinds: str) -> Many:
    return Many(Object({"type": OneOf(kinds), "id": ID}), 0, limits.SELECT_OPTIONS)


_SELECTS: Final[dict[int, Object]] = {
    Kind.STRING_SELECT: _select({"options": Many(_option(emoji=True), 1, limits.SELECT_OPTIONS)}),
    Kind.USER_SELECT: _select(default_values=_chosen_before("user")),
    Kind.ROLE_SELECT: _select(default_values=_chosen_before("role")),
    Kind.MENTIONABLE_SELECT: _select(default_values=_chosen_before("user", "role")),
    Kind.CHANNEL_SELECT: _select(
        default_values=_chosen_before("channel"), channel_types=Many(CHANNEL_KINDS, unique=True)
    ),
}
_BUTTON: Final = _component(
    {"style": OneOf((1, 2, 3, 4, 5, 6))},
    {
        "custom_id": _CUSTOM_ID,
        "label": String(0, limits.BUTTON_LABEL),
        "disabled": FLAG,
        "url": Address(limits.BUTTON_URL, ("http", "https", "discord")),
        "sku_id": ID,
        "emoji": _EMOJI,
    },
)
_TEXT: Final = _component({"content": String(1, limits.V2_TEXT)})
_THUMBNAIL: Final = _component({"media": _MEDIA}, {"description": _ALT_TEXT, "spoiler": FLAG})
_IN_CONTAINER: Final[dict[int, Object]] = {
    Kind.ROW: _component({"components": Many(Kinds({Kind.BUTTON: _BUTTON, **_SELECTS}), 1, limits.ROW_BUTTONS)}),
    Kind.SECTION: _component(
        {
            "components": Many(Kinds({Kind.TEXT: _TEXT}), 1, limits.SECTION_TEXTS),
            "accessory": Kinds({Kind.BUTTON: _BUTTON, Kind.THUMBNAIL: _THUMBNAIL}),
        }
    ),
    Kind.TEXT: _TEXT,
    Kind.GALLERY: _component(
        {"items": Many(Object({"media": _MEDIA}, {"description": _ALT_TEXT, "spoiler": FLAG}), 1, limits.GALLERY_ITEMS)}
    ),
    Kind.FILE: _component({"file": _MEDIA}, {"spoiler": FLAG}),
    Kind.SEPARATOR: _component(optional={"spacing": OneOf((1, 2)), "divider": FLAG}),
}
COMPONENTS: Final = Many(
    Kinds(
        {
            **_IN_CONTAINER,
            Kind.CONTAINER: _component(
                {"components": Many(Kinds(_IN_CONTAINER), 1, limits.COMPONENTS)},
                {"accent_color": COLOUR, "spoiler": FLAG},
            ),
        }
    ),
    0,
    limits.COMPONENTS,
)

_MESSAGE_FIELDS: Final[dict[str, Rule]] = {
    "content": String(0, limits.CONTENT),
    "embeds": Many(EMBED, 0, limits.EMBEDS),
    "allowed_mentions": ALLOWED_MENTIONS,
    "components": COMPONENTS,
    "flags": Whole(),
    "attachments": Many(ATTACHMENT, 0, limits.ATTACHMENTS),
}
MESSAGE: Final = Object(
    optional={
        **_MESSAGE_FIELDS,
        "sticker_ids": Many(ID, 0, limits.STICKERS),
        "poll": POLL,
        "shared_client_theme": _THEME,
        "message_reference": _REFERENCE,
        "nonce": AnyOf((String(0, limits.NONCE), Whole())),
        "enforce_nonce": FLAG,
        "tts": FLAG,
    }
)
EDIT: Final = Object(optional={**_MESSAGE_FIELDS, "sticker_ids": Many(ID)})
FOLLOW_UP: Final = Object(
    optional={
        **_MESSAGE_FIELDS,
        "poll": POLL,
        "tts": FLAG,
        "username": String(1, limits.WEBHOOK_NAME),
        "avatar_url": WEB_LINK,
        "thread_name": String(0, limits.CHANNEL_NAME),
        "applied_tags": Many(ID, 0, limits.APPLIED_TAGS),
    }
)
FOLLOW_UP_EDIT: Final = Object(optional={**_MESSAGE_FIELDS, "poll": POLL})

# --- answers to interactions ----------------------------------------------------------------------
ANSWER_MESSAGE: Final = Object(optional={**_MESSAGE_FIELDS, "poll": POLL, "tts": FLAG})
ANSWER_UPDATE: Final = Object(optional=_MESSAGE_FIELDS)

_TEXT_INPUT: Final = _component(
    {"custom_id": _CUSTOM_ID, "style": OneOf((1, 2))},
    {
        "label": String(1, limits.MODAL_LABEL),
        "value": String(0, limits.TEXT_INPUT),
        "placeholder": String(0, limits.TEXT_INPUT_PLACEHOLDER),
        "required": FLAG,
        "min_length": Whole(0, limits.TEXT_INPUT),
        "max_length": Whole(1, limits.TEXT_INPUT),
    },
)


def _group(low: int, **optional: Rule) -> Object:
    options = Many(_option(emoji=False), low, limits.GROUP_OPTIONS)
    return _component({"custom_id": _CUSTOM_ID, "options": options}, {"required": FLAG, **optional})


_FIELDS: Final[dict[int, Object]] = {
    **_SELECTS,
    Kind.TEXT_INPUT: _TEXT_INPUT,
    Kind.FILE_UPLOAD: _component(
        {"custom_id": _CUSTOM_ID},
        {
            "required": FLAG,
            "min_values": Whole(0, limits.UPLOAD_FILES),
            "max_values": Whole(1, limits.UPLOAD_FILES),
        },
    ),
    Kind.RADIO_GROUP: _group(limits.RADIO_OPTIONS_MINIMUM),
    Kind.CHECKBOX_GROUP: _group(
        1, min_values=Whole(0, limits.GROUP_OPTIONS), max_values=Whole(1, limits.GROUP_OPTIONS)
    ),
    Kind.CHECKBOX: _component({"custom_id": _CUSTOM_ID}, {"default": FLAG}),
}
MODAL: Final = Object(
    {
        "custom_id": _CUSTOM_ID,
        "title": String(1, limits.MODAL_TITLE),
        "components": Many(
            Kinds(
                {
                    Kind.ROW: _component({"components": Many(Kinds({Kind.TEXT_INPUT: _TEXT_INPUT}), 1, 1)}),
                    Kind.TEXT: _TEXT,
                    Kind.LABEL: _component(
                        {"label": String(1, limits.MODAL_LABEL), "component": Kinds(_FIELDS)},
                        {"description": String(1, limits.MODAL_LABEL_DESCRIPTION)},
                    ),
                }
            ),
            1,
            limits.MODAL_ITEMS,
        ),
    }
)

# --- commands ---------------------------------------------------------------------------------------
LOCALES: Final = frozenset(
    (
        *("ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr", "hu"),
        *("id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk", "vi"),
        *("zh-CN", "zh-TW"),
    )
)
_NAME: Final = String(1, limits.COMMAND_NAME)
_DESCRIPTION: Final = String(1, limits.COMMAND_DESCRIPTION)
_LOCAL: Final[dict[str, Rule]] = {
    "name_localizations": Localised(_NAME, LOCALES),
    "description_localizations": Localised(_DESCRIPTION, LOCALES),
}


def _choice(value: Rule) -> Object:
    name = String(1, limits.CHOICE_NAME)
    return Object({"name": name, "value": value}, {"name_localizations": Localised(name, LOCALES)})


_INTEGER: Final = Whole(-INT53, INT53)
#: The choices of an option by its type; those of an autocompletion are the same.
CHOICES: Final[dict[int, Object]] = {
    3: _choice(String(0, limits.CHOICE_VALUE)),
    4: _choice(_INTEGER),
    10: _choice(Decimal()),
}


def _command_option(**optional: Rule) -> Object:
    return Object({"name": _NAME, "description": _DESCRIPTION}, {**_LOCAL, "required": FLAG, **optional})


def _choosing(kind: int, **optional: Rule) -> Object:
    choices = Many(CHOICES[kind], 0, limits.COMMAND_CHOICES)
    return _command_option(autocomplete=FLAG, choices=choices, **optional)


_LENGTH: Final = limits.OPTION_VALUE
_VALUES: Final[dict[int, Object]] = {
    3: _choosing(3, min_length=Whole(0, _LENGTH), max_length=Whole(1, _LENGTH)),
    4: _choosing(4, min_value=_INTEGER, max_value=_INTEGER),
    5: _command_option(),
    6: _command_option(),
    7: _command_option(channel_types=Many(CHANNEL_KINDS, unique=True)),
    8: _command_option(),
    9: _command_option(),
    10: _choosing(10, min_value=Decimal(), max_value=Decimal()),
    11: _command_option(),
}
_SUB_COMMAND: Final = _command_option(options=Many(Kinds(_VALUES), 0, limits.COMMAND_OPTIONS))
_GROUP: Final = _command_option(options=Many(Kinds({1: _SUB_COMMAND}), 0, limits.COMMAND_OPTIONS))
COMMAND: Final = Object(
    {"name": _NAME},
    {
        **_LOCAL,
        "description": String(0, limits.COMMAND_DESCRIPTION),
        "options": Many(Kinds({1: _SUB_COMMAND, 2: _GROUP, **_VALUES}), 0, limits.COMMAND_OPTIONS),
        "default_member_permissions": PERMISSIONS,
        "dm_permission": FLAG,
        "contexts": Many(OneOf((0, 1, 2)), 1, unique=True),
        "integration_types": Many(OneOf((0, 1)), 1, unique=True),
        "handler": OneOf((1, 2)),
        "type": OneOf((1, 2, 3, 4)),
        "id": ID,
    },
)
COMMANDS: Final = Many(COMMAND, 0, limits.ALL_COMMANDS)

# --- channels, threads and servers ------------------------------------------------------------------
_OVERWRITE_FIELDS: Final[dict[str, Rule]] = {"type": OneOf((0, 1)), "allow": PERMISSIONS, "deny": PERMISSIONS}
OVERWRITE: Final = Object(optional=_OVERWRITE_FIELDS)
_CHANNEL_FIELDS: Final[dict[str, Rule]] = {
    "type": OneOf((0, 2, 4, 5, 13, 14, 15)),
    "position": Whole(0, INT32),
    "topic": String(0, limits.TOPIC),
    "bitrate": Whole(8000, INT32),
    "user_limit": Whole(0, INT32),
    "nsfw": FLAG,
    "rate_limit_per_user": SLOW_MODE,
    "parent_id": ID,
    "permission_overwrites": Many(Object({"id": ID}, _OVERWRITE_FIELDS), 0, limits.OVERWRITES),
    "rtc_region": String(),
    "video_quality_mode": OneOf((1, 2)),
    "default_auto_archive_duration": ARCHIVE,
    "default_thread_rate_limit_per_user": SLOW_MODE,
    "default_reaction_emoji": Object(optional={"emoji_id": ID, "emoji_name": String(0, 100)}),
    "default_sort_order": OneOf((0, 1)),
    "default_forum_layout": OneOf((0, 1, 2)),
    "default_tag_setting": OneOf(("match_all", "match_some")),
    "available_tags": Many(
        Object({"name": String(0, 50)}, {"emoji_id": ID, "emoji_name": String(0, 100), "moderated": FLAG, "id": ID}),
        0,
        limits.FORUM_TAGS,
        nulls=True,
    ),
    "flags": Whole(),
}
CHANNEL: Final = Object({"name": String(1, limits.CHANNEL_NAME)}, _CHANNEL_FIELDS)
CHANNEL_EDIT: Final = Object(optional=_CHANNEL_FIELDS, solid={"name": String(1, limits.CHANNEL_NAME)})
_THREAD_FIELDS: Final[dict[str, Rule]] = {"auto_archive_duration": ARCHIVE, "rate_limit_per_user": SLOW_MODE}
MESSAGE_THREAD: Final = Object({"name": String(1, limits.CHANNEL_NAME)}, _THREAD_FIELDS)
THREAD: Final = Object(
    {"name": String(1, limits.CHANNEL_NAME)}, {**_THREAD_FIELDS, "type": OneOf((10, 11, 12)), "invitable": FLAG}
)
THREAD_EDIT: Final = Object(
    optional={
        **_THREAD_FIELDS,
        "name": String(1, limits.CHANNEL_NAME),
        "archived": FLAG,
        "locked": FLAG,
        "invitable": FLAG,
        "flags": Whole(),
        "applied_tags": Many(ID, 0, limits.APPLIED_TAGS),
        "bitrate": Whole(8000, INT32),
        "user_limit": Whole(0, 99),
        "rtc_region": String(),
        "video_quality_mode": OneOf((1, 2)),
    }
)
ROLE: Final = Object(
    optional={
        "name": String(1, limits.ROLE_NAME),
        "permissions": PERMISSIONS,
        "color": COLOUR,
        "colors": Object(optional={f"{each}_color": COLOUR for each in ("primary", "secondary", "tertiary")}),
        "hoist": FLAG,
        "mentionable": FLAG,
        "icon": String(),
        "unicode_emoji": String(0, 100),
    }
)
DIRECT: Final = Object(
    {"recipient_id": ID},
    {"access_tokens": Many(String(), unique=True), "nicks": Localised(String())},
)
BULK_DELETE: Final = Object({"messages": Many(ID, 2, limits.BULK_DELETE, unique=True)})
