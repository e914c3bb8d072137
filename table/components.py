"""Checks the components of messages against Discord's rules, and numbers them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

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
LINK_STYLE: Final = 5
PREMIUM_STYLE: Final = 6


def walk(components: list[JSON]) -> Iterator[JSON]:
    """Every component, outer before inner."""
    for each in components:
        yield each
        yield from walk(each.get("components") or [])
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
    """Collects what Discord would refuse in components that are right field by field."""

    def __init__(self, errors: FormErrors, filenames: set[str] | None = None) -> None:
        self.errors = errors
        self.filenames = filenames or set()
        self._custom_ids: set[str] = set()
        self._ids: set[int] = set()

    def message(self, components: list[JSON], *, v2: bool) -> None:
        """Check the components of a message."""
        path: Path = ("components",)
        if v2:
            if not components:
                self.errors.add(path, "BASE_TYPE_REQUIRED", "This field is required")
            self._totals(components, path)
        else:
            self._legacy(components, path)
        self.all(components, path)

    def _legacy(self, components: list[JSON], path: Path) -> None:
        if len(components) > limits.LEGACY_ROWS:
            message = f"Must be between 0 and {limits.LEGACY_ROWS} in length."
            self.errors.add(path, "BASE_TYPE_BAD_LENGTH", message)
        for index, each in enumerate(components):
            if each["type"] != Kind.ROW:
                self.errors.add((*path, index, "type"), "BASE_TYPE_CHOICES", "Value must be one of (1).")

    def _totals(self, components: list[JSON], path: Path) -> None:
        total = sum(1 for _ in walk(components))
        if total > limits.COMPONENTS:
            message = f"Total number of components ({total}) exceeds the maximum of {limits.COMPONENTS}"
            self.errors.add(path, "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED", message)
        length = sum(map(len, texts(components)))
        if length > limits.V2_TEXT:
            message = f"Total displayable text ({length}) exceeds the maximum of {limits.V2_TEXT}"
            self.errors.add(path, "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED", message)

    def all(self, components: list[JSON], path: Path) -> None:
        """Check a list of components and what is in them."""
        for index, each in enumerate(components):
            self.one(each, (*path, index))

    def one(self, each: JSON, path: Path) -> None:
        """Check a component and what is in it."""
        if each.get("id"):
            if each["id"] in self._ids:
                self.errors.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            self._ids.add(each["id"])
        if each.get("custom_id") is not None:
            self._custom_id(each["custom_id"], (*path, "custom_id"))
        self._emoji(each, path)
        match each["type"]:
            case Kind.ROW:
                self._row(each, path)
            case Kind.BUTTON:
                self._button(each, path)
            case Kind.THUMBNAIL:
                self._media(each["media"], (*path, "media"))
            case Kind.GALLERY:
                for index, item in enumerate(each["items"]):
                    self._media(item["media"], (*path, "items", index, "media"))
            case Kind.FILE:
                self._media(each["file"], (*path, "file"), attachment_only=True)
            case Kind.TEXT_INPUT:
                self._ordered(each, path, "min_length", "max_length", limits.TEXT_INPUT)
                most = each.get("max_length") or limits.TEXT_INPUT
                if len(each.get("value") or "") > most:
                    message = f"Must be {most} or fewer in length."
                    self.errors.add((*path, "value"), "BASE_TYPE_MAX_LENGTH", message)
            case Kind.RADIO_GROUP | Kind.CHECKBOX_GROUP | Kind.STRING_SELECT:
                self._options(each, path)
        if each["type"] in SELECTS or each["type"] in (Kind.CHECKBOX_GROUP, Kind.FILE_UPLOAD):
            most = len(each["options"]) if each["type"] == Kind.CHECKBOX_GROUP else 1
            self._ordered(each, path, "min_values", "max_values", most)
        self.all(each.get("components") or [], (*path, "components"))
        for key in ("accessory", "component"):
            if each.get(key):
                self.one(each[key], (*path, key))

    def _row(self, each: JSON, path: Path) -> None:
        children = each["components"]
        if len(children) > 1 and any(child["type"] in SELECTS for child in children):
            self.errors.add(
                (*path, "components"),
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "The specified component exceeds the maximum width",
            )

    def _media(self, media: JSON, path: Path, *, attachment_only: bool = False) -> None:
        url = str(media["url"])
        if url.startswith("attachment://"):
            if url.removeprefix("attachment://") not in self.filenames:
                self.errors.add(
                    (*path, "url"),
                    "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                    "The referenced attachment could not be found in the uploaded files.",
                )
        elif attachment_only and not url.startswith("/"):
            self.errors.add((*path, "url"), "URL_TYPE_INVALID_SCHEME", "Scheme must be attachment.")

    def _button(self, each: JSON, path: Path) -> None:
        style = each["style"]
        has_id, has_url = each.get("custom_id") is not None, each.get("url") is not None
        if has_id and has_url:
            message = "A custom id and url cannot both be specified"
            self.errors.add((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", message)
        needed = "url" if style == LINK_STYLE else "sku_id" if style == PREMIUM_STYLE else "custom_id"
        if each.get(needed) is None:
            self.errors.add((*path, needed), "BASE_TYPE_REQUIRED", "This field is required")
        if style != PREMIUM_STYLE and not each.get("label") and not each.get("emoji"):
            self.errors.add(path, "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED", "A button must have a label or an emoji")

    def _emoji(self, each: JSON, path: Path) -> None:
        emoji = each.get("emoji")
        if emoji is None or emoji.get("id"):
            return
        if not emoji["name"] or (emoji["name"].isascii() and emoji["name"].isprintable()):
            self.errors.add((*path, "emoji", "name"), "BUTTON_COMPONENT_INVALID_EMOJI", "Invalid emoji")

    def _custom_id(self, value: str, path: Path) -> None:
        if value in self._custom_ids:
            message = "Component custom id cannot be duplicated"
            self.errors.add(path, "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        self._custom_ids.add(value)

    def _ordered(self, each: JSON, path: Path, low: str, high: str, most: int) -> None:
        given = each.get(high)
        if (each.get(low) or 0) > (most if given is None else given):
            self.errors.add((*path, low), "BASE_TYPE_MAX", f"{low} must not exceed {high}.")

    def _options(self, each: JSON, path: Path) -> None:
        count = len(each["options"])
        if (each.get("max_values") or 1) > count:
            message = f"int value should be less than or equal to {count}."
            self.errors.add((*path, "max_values"), "NUMBER_TYPE_MAX", message)
        values: set[str] = set()
        for index, option in enumerate(each["options"]):
            where = (*path, "options", index)
            self._emoji(option, where)
            if option["value"] in values:
                self.errors.add(
                    (*where, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            values.add(option["value"])
