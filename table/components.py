"""Checks the components of messages against Discord's rules, and numbers them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Any, Final
from urllib.parse import urlsplit

from table import limits
from table.errors import FormErrors
from table.model import JSON

Path = tuple[str | int, ...]


class Kind(IntEnum):
    """Component types."""

    ROW = 1
    BUTTON = 2
    STRING_SELECT = 3
    TEXT_INPUT = 4
    USER_SELECT = 5
    ROLE_SELECT = 6
    MENTIONABLE_SELECT = 7
    CHANNEL_SELECT = 8
    SECTION = 9
    TEXT = 10
    THUMBNAIL = 11
    GALLERY = 12
    FILE = 13
    SEPARATOR = 14
    CONTAINER = 17
    LABEL = 18
    FILE_UPLOAD = 19
    RADIO_GROUP = 21
    CHECKBOX_GROUP = 22
    CHECKBOX = 23


SELECTS: Final = frozenset(
    {Kind.STRING_SELECT, Kind.USER_SELECT, Kind.ROLE_SELECT, Kind.MENTIONABLE_SELECT, Kind.CHANNEL_SELECT}
)
IN_CONTAINER: Final = frozenset({Kind.ROW, Kind.SECTION, Kind.TEXT, Kind.GALLERY, Kind.FILE, Kind.SEPARATOR})
LINK_STYLE: Final = 5
PREMIUM_STYLE: Final = 6


def walk(components: list[JSON]) -> Iterator[JSON]:
    """Every component, outer before inner."""
    for each in components:
        yield each
        yield from walk(each.get("components", []))
        for key in ("accessory", "component"):
            if isinstance(each.get(key), dict):
                yield from walk([each[key]])


def texts(components: list[JSON]) -> Iterator[str]:
    """The contents of all text displays."""
    for each in walk(components):
        if each.get("type") == Kind.TEXT:
            yield str(each.get("content", ""))


def find(components: list[JSON], custom_id: str) -> JSON | None:
    """The component with this custom_id."""
    return next((each for each in walk(components) if each.get("custom_id") == custom_id), None)


def number(components: list[JSON]) -> None:
    """Give every component without an id the next free one, as Discord does."""
    taken = {each["id"] for each in walk(components) if each.get("id")}
    free = 0
    for each in walk(components):
        if not each.get("id"):
            free += 1
            while free in taken:
                free += 1
            each["id"] = free


class Checker:
    """Goes through components and collects what Discord would refuse."""

    def __init__(self, errors: FormErrors, filenames: set[str] | None = None) -> None:
        self.errors = errors
        self.filenames = filenames or set()
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()

    # --- messages -----------------------------------------------------------------------------------
    def message(self, components: Any, *, v2: bool, path: Path = ("components",)) -> None:
        """Check the components of a message."""
        if not isinstance(components, list):
            self.errors.add(path, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
            return
        if v2:
            self.errors.count(path, components, 1, limits.COMPONENTS)
            allowed = IN_CONTAINER | {Kind.CONTAINER}
        else:
            self.errors.count(path, components, 0, limits.LEGACY_ROWS)
            allowed = frozenset({Kind.ROW})
        for index, each in enumerate(components):
            self._one(each, (*path, index), allowed)
        if v2:
            self._totals(components, path)

    def _totals(self, components: list[JSON], path: Path) -> None:
        dicts = [each for each in components if isinstance(each, dict)]
        total = sum(1 for _ in walk(dicts))
        if total > limits.COMPONENTS:
            message = f"Total number of components ({total}) exceeds the maximum of {limits.COMPONENTS}"
            self.errors.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
        length = sum(map(len, texts(dicts)))
        if length > limits.V2_TEXT:
            message = f"Total displayable text ({length}) exceeds the maximum of {limits.V2_TEXT}"
            self.errors.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)

    def _one(self, each: Any, path: Path, allowed: frozenset[Kind]) -> None:
        if not isinstance(each, dict) or not self.errors.choice(
            (*path, "type"), each.get("type"), {int(one) for one in allowed}
        ):
            return
        if each.get("id"):
            if each["id"] in self._ids:
                self.errors.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self._ids.add(each["id"])
        match each["type"]:
            case Kind.ROW:
                self._row(each, path)
            case Kind.SECTION:
                self._section(each, path)
            case Kind.TEXT:
                self.errors.length((*path, "content"), each.get("content"), 1, limits.V2_TEXT)
            case Kind.THUMBNAIL:
                self._media(each.get("media"), (*path, "media"))
                self.errors.length(
                    (*path, "description"), each.get("description"), 0, limits.MEDIA_DESCRIPTION
                )
            case Kind.GALLERY:
                self._gallery(each, path)
            case Kind.FILE:
                self._media(each.get("file"), (*path, "file"), attachment_only=True)
            case Kind.SEPARATOR:
                self.errors.choice((*path, "spacing"), each.get("spacing", 1), {1, 2})
            case Kind.CONTAINER:
                if self.errors.count((*path, "components"), each.get("components"), 1, limits.COMPONENTS):
                    for index, child in enumerate(each["components"]):
                        self._one(child, (*path, "components", index), IN_CONTAINER)
                if each.get("accent_color") is not None:
                    self.errors.number((*path, "accent_color"), each["accent_color"], 0, 0xFFFFFF)
            case Kind.BUTTON:
                self._button(each, path)

    def _row(self, each: JSON, path: Path) -> None:
        children = each.get("components")
        if not self.errors.count((*path, "components"), children, 1, limits.ROW_BUTTONS):
            return
        assert isinstance(children, list)
        kinds = {child.get("type") for child in children if isinstance(child, dict)}
        if kinds & SELECTS and len(children) > 1:
            self.errors.add(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )
            return
        for index, child in enumerate(children):
            where = (*path, "components", index)
            kind = child.get("type") if isinstance(child, dict) else None
            if kind in SELECTS:
                self.select(child, where)
            elif self.errors.choice((*where, "type"), kind, {2, 3, 5, 6, 7, 8}):
                self._one(child, where, frozenset({Kind.BUTTON}))

    def _section(self, each: JSON, path: Path) -> None:
        if self.errors.count((*path, "components"), each.get("components"), 1, limits.SECTION_TEXTS):
            for index, child in enumerate(each["components"]):
                self._one(child, (*path, "components", index), frozenset({Kind.TEXT}))
        accessory = each.get("accessory")
        if accessory is None:
            self.errors.add((*path, "accessory"), "BASE_TYPE_REQUIRED", "This field is required")
        else:
            self._one(accessory, (*path, "accessory"), frozenset({Kind.BUTTON, Kind.THUMBNAIL}))

    def _gallery(self, each: JSON, path: Path) -> None:
        if not self.errors.count((*path, "items"), each.get("items"), 1, limits.GALLERY_ITEMS):
            return
        for index, item in enumerate(each["items"]):
            where = (*path, "items", index)
            self._media(item.get("media"), (*where, "media"))
            self.errors.length((*where, "description"), item.get("description"), 0, limits.MEDIA_DESCRIPTION)

    def _media(self, media: Any, path: Path, *, attachment_only: bool = False) -> None:
        url = media.get("url") if isinstance(media, dict) else None
        if not isinstance(url, str) or not url:
            self.errors.add((*path, "url"), "BASE_TYPE_REQUIRED", "This field is required")
            return
        scheme = urlsplit(url).scheme
        if scheme == "attachment":
            if url.removeprefix("attachment://") not in self.filenames:
                self.errors.add(
                    (*path, "url"),
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    "The referenced attachment could not be found in the uploaded files.",
                )
        elif attachment_only and not url.startswith("/"):
            self.errors.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be attachment.")
        elif scheme not in ("http", "https") and not url.startswith("/"):
            self.errors.add(
                (*path, "url"),
                "URL_TYPE_INVALID_SCHEME",
                f"Scheme must be one of ('http', 'https', 'attachment'), not {scheme!r}.",
            )

    def _button(self, each: JSON, path: Path) -> None:
        if not self.errors.choice((*path, "style"), each.get("style"), {1, 2, 3, 4, 5, 6}):
            return
        style = each["style"]
        self.errors.length((*path, "label"), each.get("label"), 0, limits.BUTTON_LABEL)
        if style == LINK_STYLE:
            self.errors.length((*path, "url"), each.get("url"), 1, limits.BUTTON_URL)
            if each.get("custom_id"):
                message = "A custom id and url cannot both be specified"
                self.errors.add(
                    (*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message
                )
        elif style != PREMIUM_STYLE:
            self.custom_id(each, path)
        if style != PREMIUM_STYLE and not each.get("label") and not each.get("emoji"):
            self.errors.add(
                path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button must have a label or an emoji"
            )
        self._emoji(each, path)

    def _emoji(self, each: JSON, path: Path) -> None:
        emoji = each.get("emoji")
        if emoji is None:
            return
        name = emoji.get("name")
        if not emoji.get("id") and (not name or (name.isascii() and name.isprintable())):
            self.errors.add((*path, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    # --- shared with modals -------------------------------------------------------------------------
    def custom_id(self, each: JSON, path: Path) -> None:
        """Check a custom_id: there, short enough, and the only one of its kind."""
        value = each.get("custom_id")
        if not self.errors.length((*path, "custom_id"), value, 1, limits.CUSTOM_ID):
            return
        assert isinstance(value, str)
        if value in self._custom_ids:
            self.errors.add(
                (*path, "custom_id"),
                "COMPONENT_CUSTOM_ID_DUPLICATED",
                "Component custom id cannot be duplicated",
            )
        self._custom_ids.add(value)

    def select(self, each: JSON, path: Path, *, in_modal: bool = False) -> None:
        """Check a select menu of any kind."""
        self.custom_id(each, path)
        self.errors.length((*path, "placeholder"), each.get("placeholder"), 0, limits.SELECT_PLACEHOLDER)
        low, high = each.get("min_values", 1), each.get("max_values", 1)
        fine = self.errors.number((*path, "min_values"), low, 0, limits.SELECT_OPTIONS)
        fine &= self.errors.number((*path, "max_values"), high, 1, limits.SELECT_OPTIONS)
        if fine and low > high:
            self.errors.add((*path, "min_values"), "BASE_TYPE_MAX", "min_values must not exceed max_values.")
        if in_modal and each.get("disabled"):
            self.errors.add(
                (*path, "disabled"), "COMPONENT_DISABLED_IN_MODAL", "Cannot be disabled in a modal"
            )
        if each["type"] != Kind.STRING_SELECT:
            return
        if self.options(each, path, 1, limits.SELECT_OPTIONS) and fine and high > len(each["options"]):
            self.errors.add(
                (*path, "max_values"),
                "NUMBER_TYPE_MAX",
                f"int value should be less than or equal to {len(each['options'])}.",
            )

    def options(self, each: JSON, path: Path, low: int, high: int) -> bool:
        """Check the options of a select, a radio group or a checkbox group."""
        if not self.errors.count((*path, "options"), each.get("options"), low, high):
            return False
        values: set[str] = set()
        for index, option in enumerate(each["options"]):
            where = (*path, "options", index)
            self.errors.length((*where, "label"), option.get("label"), 1, limits.OPTION_TEXT)
            self.errors.length((*where, "value"), option.get("value"), 1, limits.OPTION_TEXT)
            self.errors.length((*where, "description"), option.get("description"), 0, limits.OPTION_TEXT)
            self._emoji(option, where)
            if option.get("value") in values:
                self.errors.add(
                    (*where, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(str(option.get("value")))
        return True
