"""Moves: small frozen values with a stable JSON form. The list of moves is the saved game."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from engine import renames
from engine.errors import BadMove


@dataclass(frozen=True, slots=True)
class Move:
    """Base of all moves; `player` is the person who decides."""

    TYPE: ClassVar[str] = ""
    #: Fields that nobody but the player may see.
    SECRET: ClassVar[tuple[str, ...]] = ()
    player: str

    def seen_by(self, viewer: str) -> Move:
        """The move as somebody may see it; whoever looks on is ""."""
        return hidden(self, self.SECRET) if self.player != viewer else self


M = TypeVar("M", bound=Move)
V = TypeVar("V")


def hidden(value: V, fields: tuple[str, ...]) -> V:
    """A move or an event with empty values in these fields."""
    if not fields:
        return value
    return dataclasses.replace(value, **{name: type(getattr(value, name))() for name in fields})  # type: ignore[type-var]


_REGISTRY: dict[str, type[Move]] = {}


def register(name: str) -> Callable[[type[M]], type[M]]:
    """Give a class of moves its name in JSON; titles register their own in the same way."""

    def wrap(cls: type[M]) -> type[M]:
        if name in _REGISTRY:
            raise ValueError(f"two kinds of moves are called {name!r}")
        cls.TYPE = name
        _REGISTRY[name] = cls
        return cls

    return wrap


@register("pass")
@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Do nothing (more) in this step."""


@register("buy_lot")
@dataclass(frozen=True, slots=True)
class BuyLot(Move):
    """Buy the cheapest lot of the starting package at its price."""

    lot: str


@register("bid")
@dataclass(frozen=True, slots=True)
class Bid(Move):
    """Bid on a lot, in advance or in its auction."""

    lot: str
    price: int


@register("found")
@dataclass(frozen=True, slots=True)
class Found(Move):
    """Buy a director's certificate and choose the starting price."""

    company: str
    par: int


@register("buy_share")
@dataclass(frozen=True, slots=True)
class BuyShare(Move):
    """Buy one certificate from the offering, a charter or the pool."""

    company: str
    source: str
    percent: int


@register("sell_shares")
@dataclass(frozen=True, slots=True)
class SellShares(Move):
    """Sell shares of one company into the pool."""

    company: str
    percent: int


@register("hand_over")
@dataclass(frozen=True, slots=True)
class HandOver(Move):
    """A new director, or a seller, chooses certificates by their sizes (`20+10`) where there is a choice."""

    company: str
    certificates: str


@register("lay_tile")
@dataclass(frozen=True, slots=True)
class LayTile(Move):
    """Lay or upgrade a tile; `private` names the function that grants it, if any."""

    company: str
    hex: str
    tile: str
    rotation: int
    private: str = ""


@register("place_station")
@dataclass(frozen=True, slots=True)
class PlaceStation(Move):
    """Put a station token on a city; `private` names the function that grants it, if any."""

    company: str
    hex: str
    stop: int
    private: str = ""


@dataclass(frozen=True, slots=True)
class TrainPath:
    """One train and the hexes and stops it runs along."""

    train: str
    path: tuple[str, ...]


@register("run")
@dataclass(frozen=True, slots=True)
class Run(Move):
    """Run trains."""

    company: str
    routes: tuple[TrainPath, ...]


@register("dividend")
@dataclass(frozen=True, slots=True)
class Dividend(Move):
    """Pay the revenue out or keep it; `kind` is one of those the title knows."""

    company: str
    kind: str


@register("buy_train")
@dataclass(frozen=True, slots=True)
class BuyTrain(Move):
    """Buy a train from the bank, the pool or another company (a proposal if its director is another)."""

    company: str
    train: str
    source: str
    price: int


@register("answer")
@dataclass(frozen=True, slots=True)
class Answer(Move):
    """Accept, decline or counter a proposal; a counter names the price."""

    reply: str
    price: int = 0


@register("discard_train")
@dataclass(frozen=True, slots=True)
class DiscardTrain(Move):
    """Give up a train beyond the limit."""

    company: str
    train: str


@register("sell_own_shares")
@dataclass(frozen=True, slots=True)
class SellOwnShares(Move):
    """A company sells certificates from its own charter into the pool."""

    company: str
    percent: int


@register("buy_own_share")
@dataclass(frozen=True, slots=True)
class BuyOwnShare(Move):
    """A company buys one of its certificates back from the pool."""

    company: str
    percent: int


@register("take_loan")
@dataclass(frozen=True, slots=True)
class TakeLoan(Move):
    """A director borrows from the bank what a forced purchase still needs."""

    company: str
    amount: int


@register("go_bankrupt")
@dataclass(frozen=True, slots=True)
class GoBankrupt(Move):
    """A director cannot raise the money for a forced purchase."""

    company: str


# ---------------------------------------------------------------------- JSON


def to_json(move: Move) -> dict[str, Any]:
    """The stable form of a move.

    >>> to_json(Bid("ann", "SB", 85))
    {'type': 'bid', 'player': 'ann', 'lot': 'SB', 'price': 85}
    """
    return {"type": move.TYPE, **{f.name: _dump(getattr(move, f.name)) for f in dataclasses.fields(move)}}


def from_json(data: object) -> Move:
    """A move from its JSON form; BadMove says what is wrong with it."""
    if not isinstance(data, Mapping):
        raise BadMove(f"a move is an object, not {data!r:.60}")
    data = renames.move(data)
    cls = _REGISTRY.get(str(data.get("type")))
    if cls is None:
        raise BadMove(f"there is no kind of move called {data.get('type')!r:.60}")
    value = _load(cls, {key: item for key, item in data.items() if key != "type"}, cls.TYPE)
    assert isinstance(value, Move)
    return value


def _dump(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {f.name: _dump(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_dump(item) for item in value]
    return value


_HINTS: dict[type, dict[str, Any]] = {}


def _load(kind: Any, value: Any, where: str) -> Any:
    if dataclasses.is_dataclass(kind):
        assert isinstance(kind, type)
        if not isinstance(value, Mapping):
            raise BadMove(f"{where}: an object is expected, not {value!r:.60}")
        hints = _HINTS.get(kind)
        if hints is None:
            hints = _HINTS[kind] = get_type_hints(kind)
        known = {f.name: f for f in dataclasses.fields(kind)}
        unknown = set(value) - set(known)
        if unknown:
            raise BadMove(f"{where}: {sorted(unknown)[0]!r} is not a field of it")
        arguments = {}
        for field_name, field in known.items():
            if field_name in value:
                arguments[field_name] = _load(hints[field_name], value[field_name], f"{where}.{field_name}")
            elif field.default is dataclasses.MISSING:
                raise BadMove(f"{where}: {field_name!r} is missing")
        return kind(**arguments)
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            raise BadMove(f"{where}: a list is expected, not {value!r:.60}")
        item = get_args(kind)[0]
        return tuple(_load(item, entry, where) for entry in value)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BadMove(f"{where}: {kind.__name__} is expected, not {value!r:.60}")
    return value
