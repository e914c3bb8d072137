"""Checks a modal that the bot opens, and what a person fills into it."""

from __future__ import annotations

from typing import Any, Final

from table import limits
from table.components import SELECTS, Checker, Kind, Path, number, walk
from table.errors import FormErrors, Refused
from table.model import JSON

IN_LABEL: Final = SELECTS | {
    Kind.TEXT_INPUT,
    Kind.FILE_UPLOAD,
    Kind.RADIO_GROUP,
    Kind.CHECKBOX_GROUP,
    Kind.CHECKBOX,
}


def check(modal: Any) -> JSON:
    """The modal with its components numbered, or Discord's refusal."""
    errors = FormErrors("data")
    data: JSON = modal if isinstance(modal, dict) else {}
    errors.length(("title",), data.get("title"), 1, limits.MODAL_TITLE)
    errors.length(("custom_id",), data.get("custom_id"), 1, limits.CUSTOM_ID)
    checker = Checker(errors)
    if errors.count(("components",), data.get("components"), 1, limits.MODAL_ITEMS):
        for index, each in enumerate(data["components"]):
            _top(checker, each, ("components", index))
    errors.check()
    number(data["components"])
    return data


def _top(checker: Checker, each: JSON, path: Path) -> None:
    errors = checker.errors
    if not errors.choice((*path, "type"), each.get("type"), {Kind.ROW, Kind.TEXT, Kind.LABEL}):
        return
    if each["type"] == Kind.TEXT:
        errors.length((*path, "content"), each.get("content"), 1, limits.V2_TEXT)
    elif each["type"] == Kind.ROW:
        if errors.count((*path, "components"), each.get("components"), 1, 1):
            child, where = each["components"][0], (*path, "components", 0)
            if errors.choice((*where, "type"), child.get("type"), {Kind.TEXT_INPUT, *SELECTS}):
                if child["type"] == Kind.TEXT_INPUT:
                    errors.length((*where, "label"), child.get("label"), 1, limits.MODAL_LABEL)
                _field(checker, child, where)
    else:
        errors.length((*path, "label"), each.get("label"), 1, limits.MODAL_LABEL)
        errors.length((*path, "description"), each.get("description"), 0, limits.MODAL_LABEL_DESCRIPTION)
        child = each.get("component") or {}
        if errors.choice((*path, "component", "type"), child.get("type"), {int(one) for one in IN_LABEL}):
            _field(checker, child, (*path, "component"))


def _field(checker: Checker, each: JSON, path: Path) -> None:
    errors = checker.errors
    if each["type"] in SELECTS:
        checker.select(each, path, in_modal=True)
        return
    checker.custom_id(each, path)
    match each["type"]:
        case Kind.TEXT_INPUT:
            errors.choice((*path, "style"), each.get("style"), {1, 2})
            errors.number((*path, "min_length"), each.get("min_length") or 0, 0, limits.TEXT_INPUT)
            most = each.get("max_length") or limits.TEXT_INPUT
            errors.number((*path, "max_length"), most, 1, limits.TEXT_INPUT)
            errors.length((*path, "value"), each.get("value"), 0, min(most, limits.TEXT_INPUT))
            errors.length((*path, "placeholder"), each.get("placeholder"), 0, limits.TEXT_INPUT_PLACEHOLDER)
        case Kind.RADIO_GROUP:
            checker.options(each, path, limits.RADIO_OPTIONS_MINIMUM, limits.GROUP_OPTIONS)
        case Kind.CHECKBOX_GROUP:
            checker.options(each, path, 1, limits.GROUP_OPTIONS)
            errors.number((*path, "min_values"), each.get("min_values") or 0, 0, limits.GROUP_OPTIONS)
            errors.number((*path, "max_values"), each.get("max_values") or 1, 1, limits.GROUP_OPTIONS)
        case Kind.FILE_UPLOAD:
            errors.number((*path, "min_values"), each.get("min_values") or 0, 0, limits.UPLOAD_FILES)
            errors.number((*path, "max_values"), each.get("max_values") or 1, 1, limits.UPLOAD_FILES)


def fields(modal: JSON) -> dict[str, tuple[str, JSON]]:
    """The fields to fill, by custom_id, each with the label beside it."""
    found: dict[str, tuple[str, JSON]] = {}
    for each in walk(modal["components"]):
        if each["type"] == Kind.LABEL:
            found[each["component"]["custom_id"]] = (each["label"], each["component"])
        elif each.get("custom_id") and each["custom_id"] not in found:
            found[each["custom_id"]] = (each.get("label") or "", each)
    return found


def fill(modal: JSON, answers: dict[str, Any]) -> list[JSON]:
    """The components of a submission; `answers` are by custom_id or by label. Refuses a bad answer."""
    known = fields(modal)
    by_label = {label: custom_id for custom_id, (label, _) in known.items() if label}
    named: dict[str, Any] = {}
    for key, value in answers.items():
        custom_id = key if key in known else by_label.get(key)
        if custom_id is None:
            raise Refused(f"The form has no field {key!r}; it has {', '.join(by_label) or 'none'}.")
        named[custom_id] = value
    filled: list[JSON] = []
    for each in modal["components"]:
        kept: JSON = {"type": each["type"], "id": each["id"]}
        if each["type"] == Kind.LABEL:
            filled.append(kept | {"component": _answer(each["component"], each["label"], named)})
        elif each["type"] == Kind.ROW:
            inner = [_answer(one, one.get("label") or "", named) for one in each["components"]]
            filled.append(kept | {"components": inner})
        else:
            filled.append(kept)
    return filled


def _answer(field: JSON, label: str, named: dict[str, Any]) -> JSON:
    given = named.get(field["custom_id"])
    data: JSON = {"type": field["type"], "id": field["id"], "custom_id": field["custom_id"]}
    required = field.get("required", True)
    match field["type"]:
        case Kind.TEXT_INPUT:
            text = str(given if given is not None else field.get("value") or "")
            least, most = field.get("min_length") or 0, field.get("max_length") or limits.TEXT_INPUT
            if required and not text:
                raise Refused(f"{label}: this field is required.")
            if text and not least <= len(text) <= most:
                raise Refused(f"{label}: between {least} and {most} characters, please.")
            return data | {"value": text}
        case Kind.CHECKBOX:
            return data | {"value": bool(field.get("default", False) if given is None else given)}
        case Kind.RADIO_GROUP:
            chosen = given if given is not None else next(iter(_defaults(field)), None)
            if chosen is None and required:
                raise Refused(f"{label}: choose one.")
            if chosen is not None:
                _known(field, [chosen], label)
            return data | {"value": chosen}
    values = [given] if isinstance(given, str) else _defaults(field) if given is None else list(given)
    least, most = field.get("min_values"), field.get("max_values")
    least = 1 if least is None else least
    if most is None:
        most = len(field["options"]) if field["type"] == Kind.CHECKBOX_GROUP else 1
    if (required or values) and not (1 if required and least == 0 else least) <= len(values) <= most:
        raise Refused(f"{label}: choose {least}." if least == most else f"{label}: choose {least} to {most}.")
    if field.get("options"):
        _known(field, values, label)
    return data | {"values": values}


def _defaults(field: JSON) -> list[str]:
    chosen = [each["value"] for each in field.get("options", []) if each.get("default")]
    return chosen or [str(each["id"]) for each in field.get("default_values", [])]


def _known(field: JSON, values: list[str], label: str) -> None:
    offered = {each["value"] for each in field["options"]}
    if strange := [each for each in values if each not in offered]:
        raise Refused(f"{label}: {strange[0]!r} is not offered.")
