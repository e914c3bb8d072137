"""What rules remember, in typed records: of a game, of a round, of a turn, of a player, and what a question is about.

A record is plain data: atoms, lists, dicts with text keys, tuples of atoms, other dataclasses of these. Whoever keeps
one declares it, and it is made when the game, the round or the turn begins. **Looking never makes one**: `of` fails
where there is none, `seen` gives None. Otherwise a position would depend on who has looked at it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from engine.copying import copier, quick
from engine.plain import flattened, maker

if TYPE_CHECKING:
    from typing import Self

    from engine.game import Game
    from engine.state import State

R = TypeVar("R", bound="Record")

#: A bag with text keys, in which older programs kept what a record holds.
Bag = Mapping[str, Any]


class Record:
    """Something remembered, under a key of its own."""

    __slots__ = ()

    #: `title.word`; the engine's own are bare words.
    KEY: ClassVar[str] = ""
    #: The one name under which a position tells the record, perhaps together with others; where it is empty, each field
    #: has a name of its own.
    TOLD: ClassVar[str] = ""
    #: All kinds with the same life, by key.
    KINDS: ClassVar[dict[str, type[Any]]] = {}
    #: A copy with nothing in common that can change.
    copied: ClassVar[Callable[[Any], Any]]
    #: Its fields as JSON values.
    flat: ClassVar[Callable[[Any], Any]]

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        """Under which name a position tells each field of such a record (`engine.position`): kept for ever."""
        return {field.name: field.name for field in fields(cls)}  # type: ignore[arg-type]

    @classmethod
    def told(cls, data: Bag) -> dict[str, Any]:
        """What a record in plain data tells of a position, by name. What is None has not come up yet."""
        if cls.TOLD:
            return {cls.TOLD: dict(data)}
        return {name: data[field] for field, name in cls.names(data).items() if data[field] is not None}

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        """The record as an older program kept it: under its names in a bag, which lose what is taken."""
        inner = bag.get(cls.TOLD, {}) if cls.TOLD else bag
        found = {field: inner.pop(name) for field, name in cls.names(inner).items() if name in inner}
        return maker(cls)(found)


class OfGame(Record):
    """Lasts as long as the game."""

    __slots__ = ()
    KINDS: ClassVar[dict[str, type[Any]]] = {}

    @classmethod
    def of(cls, game: Game) -> Self:
        """The record of this game."""
        return cast("Self", game.state.own[cls.KEY])

    @classmethod
    def within(cls, state: State) -> Self:
        """The record in a position."""
        return cast("Self", state.own[cls.KEY])

    @classmethod
    def seen(cls, game: Game) -> Self | None:
        """The record of this game, None if nobody keeps one."""
        return cast("Self | None", game.state.own.get(cls.KEY))


class OfRound(Record):
    """Made when a round begins, and gone with the next one."""

    __slots__ = ()
    KINDS: ClassVar[dict[str, type[Any]]] = {}

    @classmethod
    def of(cls, game: Game) -> Self:
        """The record of the round going on."""
        return cast("Self", game.state.round.own[cls.KEY])

    @classmethod
    def seen(cls, game: Game) -> Self | None:
        """The record of the round going on, None if nobody keeps one."""
        return cast("Self | None", game.state.round.own.get(cls.KEY))


class OfTurn(Record):
    """Made when a turn begins whose steps keep it, and gone at its end."""

    __slots__ = ()
    KINDS: ClassVar[dict[str, type[Any]]] = {}

    @classmethod
    def of(cls, game: Game) -> Self:
        """The record of the turn going on."""
        return cast("Self", game.state.round.turn[cls.KEY])

    @classmethod
    def seen(cls, game: Game) -> Self | None:
        """The record of the turn going on, None if nobody keeps one."""
        return cast("Self | None", game.state.round.turn.get(cls.KEY))


class OfPlayer(Record):
    """What only one player may see, as long as the game lasts: the only place for it."""

    __slots__ = ()
    KINDS: ClassVar[dict[str, type[Any]]] = {}

    @classmethod
    def of(cls, game: Game, player: str) -> Self:
        """The record of this player."""
        return cast("Self", game.state.secrets[player][cls.KEY])


#: What a step or a kind of round keeps: records of each of its turns, or of the whole round.
Keeps = tuple[type[OfTurn] | type[OfRound], ...]


def record(key: str, told: str = "") -> Callable[[type[R]], type[R]]:
    """Register a kind of record; `told` is the one name under which a position tells all of it.

    It stands outside of `@dataclass(slots=True)`, which makes a second class.
    """

    def register(kind: type[R]) -> type[R]:
        if kind.KINDS.setdefault(key, kind) is not kind:
            raise ValueError(f"two kinds of records are called {key}")
        kind.KEY, kind.TOLD = key, told
        kind.copied = staticmethod(copier(kind))
        kind.flat = staticmethod(flattened(cast("Any", kind)))
        return quick(kind)

    return register


def put(state: State, kept: OfGame) -> None:
    """Keep a record as long as the game lasts; it is laid out but once."""
    state.own[kept.KEY] = kept


def deal(state: State, player: str, kept: OfPlayer) -> None:
    """Give a player something that only they may see."""
    state.secrets.setdefault(player, {})[kept.KEY] = kept


def told(own: Mapping[str, Bag], life: type[Record] = OfGame) -> dict[str, Any]:
    """What records in plain data tell of a position, by name; what has one name is told together."""
    result: dict[str, Any] = {}
    for key, data in own.items():
        kind = life.KINDS[key]
        for name, value in kind.told(data).items():
            result[name] = {**result.get(name, {}), **value} if kind.TOLD else value
    return result
