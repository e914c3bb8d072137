"""Checks a modal that the bot opens, and what a person fills into it."""

from __future__ import annotations

from typing import Any

from table import bodies, limits
from table.components import Checker, Kind, Path, number, walk
from table.errors import FormErrors, Refused
from table.model import JSON


def check(modal: Any) -> JSON:
    """The modal with its components numbered, or Discord's refusal."""
    errors = FormErrors("data")
    bodies.MODAL.check(modal, (), errors)
    errors.check()
    data: JSON = modal
    checker = Checker(errors)
    for index, each in enumerate(data["components"]):
        path: Path = ("components", index)
        checker.one(each, path)
        if each["type"] == Kind.ROW and each["components"][0].get("label") is None:
            errors.add((*path, "components", 0, "label"), "BASE_TYPE_REQUIRED", "This field is required")
        if each["type"] == Kind.LABEL and each["component"].get("disabled"):
            message = "Cannot be disabled in a modal"
            errors.add((*path, "component", "disabled"), "COMPONENT_DISABLED_IN_MODAL", message)
    errors.check()
    number(data["components"])
    return data


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
