"""Which actions of a file stand: what was undone falls, what was made by itself follows what brought it about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import BadGame

#: Actions that change nothing on the table: what people leave to the site to do for them, and what it looks up.
IDLE = frozenset(
    {
        "destination_connection",
        "program_share_pass",
        "program_buy_shares",
        "program_auction_bid",
        "program_disable",
        "program_enable",
    }
)


@dataclass(frozen=True)
class Action:
    """An action with the number by which people know it: that of the one in which it lies."""

    number: int
    type: str
    entity: Any
    data: Mapping[str, Any]

    def __str__(self) -> str:
        return f"action {self.number} ({self.type})"


def standing(actions: Sequence[Any]) -> list[Action]:
    """The actions that stand at the end of a file, in their order."""
    kept: list[tuple[int, Mapping[str, Any]]] = []
    undone: list[list[tuple[int, Mapping[str, Any]]]] = []
    for position, data in enumerate(actions, start=1):
        if not isinstance(data, dict) or not isinstance(data.get("type"), str):
            raise BadGame(f"action {position} is none: it has no type")
        match data["type"]:
            case "message":
                pass
            case "undo":
                undone.append(_undo(kept, data.get("action_id")))
            case "redo":
                if not undone:
                    raise BadGame(f"action {position} (redo): nothing was undone before it")
                kept += undone.pop()
            case _:
                undone.clear()
                kept.append((_number(data, position), data))
    return [action for number, data in kept for action in _with_automatic(number, data)]


def _undo(kept: list[tuple[int, Mapping[str, Any]]], to: Any) -> list[tuple[int, Mapping[str, Any]]]:
    """Take back the last action, or all after the one that is named."""
    first = max(len(kept) - 1, 0)
    if type(to) is int:
        first = next((place for place, (number, _) in enumerate(kept) if number > to), len(kept))
    fallen = kept[first:]
    del kept[first:]
    return fallen


def _with_automatic(number: int, data: Mapping[str, Any]) -> Iterator[Action]:
    yield Action(number, data["type"], data.get("entity"), data)
    automatic = data.get("auto_actions", [])
    if not isinstance(automatic, list):
        raise BadGame(f"action {number}: its automatic actions are no list")
    for each in automatic:
        if not isinstance(each, dict) or not isinstance(each.get("type"), str):
            raise BadGame(f"action {number}: one of its automatic actions has no type")
        yield Action(number, each["type"], each.get("entity"), each)


def _number(data: Mapping[str, Any], otherwise: int) -> int:
    number = data.get("id")
    return number if type(number) is int else otherwise
