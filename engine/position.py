"""A position by meaning: what lies on the table and whose turn it is, not how the engine remembers it.

Two programs that agree on this agree on the game, even if one of them keeps a position in another form. It is read from
the plain data of a position (`State.data()`), also from those that an older program wrote: what these do not know is
left out. People are called by the order in which they joined, for a seat may change hands.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import records, renames

#: Changes when the view does, so that digests of different views are never compared. It is a digest's first byte.
VERSION = 1
#: So long is a digest.
BYTES = 8

#: What is to be seen, by name (`round.kind`), as JSON values.
View = dict[str, Any]

#: The beginning of the names of what not everybody may see.
HIDDEN = "hidden."
_WORDS = ("floated", "active", "operated", "closed")


def view(data: Mapping[str, Any], players: Sequence[str]) -> View:
    """The position that plain data say; `players` in the order in which they joined."""
    who = {name: f"#{number}" for number, name in enumerate(players, start=1)}
    seen: View = {}
    for part in (_table, _companies, _board, _depot, _round):
        part(seen, data, who)
    for old, now in renames.POSITION.items():
        if old in seen:
            seen[now] = seen.pop(old)
    for name in renames.UNTOLD:
        seen.pop(name, None)
    return seen


def digest(data: Mapping[str, Any], players: Sequence[str]) -> bytes:
    """A short digest of a position by meaning."""
    return digest_of(view(data, players))


def digest_of(seen: View) -> bytes:
    text = json.dumps(seen, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return bytes((VERSION,)) + hashlib.sha256(text.encode()).digest()[: BYTES - 1]


def _named(value: Any, who: Mapping[str, str]) -> Any:
    """JSON values with people's places for their names."""
    kind = type(value)
    if kind is str:
        return who.get(value, value)
    if kind is dict:
        return {who.get(key, key): _named(item, who) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [_named(item, who) for item in value]
    return value


def _table(seen: View, data: Mapping[str, Any], who: Mapping[str, str]) -> None:
    seen["seats"] = _named(data["seats"], who)
    seen["retired"] = _named(data.get("retired", []), who)
    seen["priority"] = _named(data["priority"], who)
    seen["phase"] = data["phase"]
    seen["bank_broken"] = data.get("bank_broken", "")
    seen["finished"] = data.get("finished", "")
    for name, amount in data["cash"].items():
        seen[f"cash.{who.get(name, name)}"] = amount
    for name, amount in data["loans"].items():
        if amount:
            seen[f"loans.{who.get(name, name)}"] = amount
    for name, owner in data["privates"].items():
        seen[f"private.{name}"] = who.get(owner, owner)
    seen["used"] = sorted(data["used"])
    for cell, stack in data["stacks"].items():
        if stack:
            seen[f"stack.{cell}"] = list(stack)
    # Older programs kept in one bag what is in records today.
    for name, fact in {**data.get("facts", {}), **records.told(data.get("own", {}))}.items():
        seen[f"fact.{name}"] = _named(fact, who)
    for name, hand in data.get("secrets", {}).items():
        held = _in_bag(hand)
        if held:
            seen[f"{HIDDEN}{who.get(name, name)}"] = _named(held, who)


def _in_bag(hand: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a hand holds by name; older programs kept it like that, those of today keep records by their keys."""
    if hand.keys() <= records.OfPlayer.KINDS.keys():
        return records.told(hand, records.OfPlayer)
    return hand


def _companies(seen: View, data: Mapping[str, Any], who: Mapping[str, str]) -> None:
    for name, company in data["companies"].items():
        seen[f"company.{name}.certificates"] = [who.get(owner, owner) for owner in company["certificates"]]
        seen[f"company.{name}.tokens_left"] = company["tokens_left"]
        seen[f"company.{name}.director"] = who.get(company["director"], company["director"])
        seen[f"company.{name}.par"] = company["par"]
        seen[f"company.{name}.price"] = company["price"]
        seen[f"company.{name}.is"] = [word for word in _WORDS if company.get(word)]
        seen[f"company.{name}.trains"] = sorted(company["trains"])
        seen[f"company.{name}.last_revenue"] = company["last_revenue"]


def _board(seen: View, data: Mapping[str, Any], who: Mapping[str, str]) -> None:
    board = data["board"]
    for at, tile in board["tiles"].items():
        seen[f"tile.{at}"] = tile
    for at, stops in board["stations"].items():
        if any(map(any, stops)):
            seen[f"stations.{at}"] = stops
    for at, tokens in board.get("beside", {}).items():
        if tokens:
            seen[f"beside.{at}"] = tokens
    for at, kinds in board["markers"].items():
        if kinds:
            seen[f"markers.{at}"] = sorted(kinds)
    seen["supply"] = {tile: count for tile, count in board["supply"].items() if count}


def _depot(seen: View, data: Mapping[str, Any], who: Mapping[str, str]) -> None:
    depot = data["depot"]
    for part in ("left", "sold"):
        seen[f"depot.{part}"] = {train: count for train, count in depot[part].items() if count}
    for part in ("pool", "gone", "aside"):
        seen[f"depot.{part}"] = sorted(depot.get(part, []))


def _round(seen: View, data: Mapping[str, Any], who: Mapping[str, str]) -> None:
    now = data["round"]
    seen["round.kind"] = now["kind"]
    seen["round.numbers"] = [now["stock_number"], now["operating_number"], now["operating_total"]]
    seen["round.turn_of"] = who.get(now["actor"], now["actor"])
    seen["round.step"] = now["step"]
    # What is asked, and of whom; with what it came about is the engine's own memory.
    seen["round.asks"] = [[pause["kind"], _named(pause["players"], who)] for pause in data.get("pauses", [])]


# ---------------------------------------------------------------------- differences


@dataclass(frozen=True)
class Difference:
    """One thing that is not as it was: `what` kind of thing, `about` which. Of hidden things there are no values."""

    what: str
    about: str
    before: Any = None
    now: Any = None


def differences(before: View, now: View, players: Sequence[str] = ()) -> tuple[Difference, ...]:
    """All that differs between two views, by name; with people's names if these are given."""
    names = {f"#{number}": name for number, name in enumerate(players, start=1)}
    return tuple(_differences(before, now, names))


def _differences(before: View, now: View, names: Mapping[str, str]) -> Iterator[Difference]:
    for key in sorted(before.keys() | now.keys()):
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        what, _, about = key.partition(".")
        about = names.get(about, about)
        if key.startswith(HIDDEN):
            yield Difference("hidden", about)
        else:
            yield Difference(what, about, _named(old, names), _named(new, names))
