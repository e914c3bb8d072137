"""The offer: who has to decide, and for each of them exactly what they may do.

A choice is one kind of move that a player may make now. Its parameters are asked for one after the
other: `ask(picked)` gives the domain of the next one, computed only then, or None when `move(picked)`
is complete. `check(move)` judges any move of the kind directly, without listing all of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from engine.moves import Move, Pass

if TYPE_CHECKING:
    from engine.game import Game

M = TypeVar("M", bound=Move)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a parameter, with the facts a person wants to know before choosing it."""

    value: Any
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Options:
    """A parameter that takes one of these values; if `open`, others may be legal as well."""

    name: str
    options: Sequence[Option]
    open: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A parameter that takes a number from `low` to `high` in steps."""

    name: str
    low: int
    high: int
    step: int = 1


Domain = Options | Number
Picked = Mapping[str, Any]


class Choice(ABC, Generic[M]):
    """A kind of move that `player` may make now, for `company` if it concerns one."""

    kind: ClassVar[type[Move]]
    #: Whether it is to be asked in private: its values are nobody else's business.
    secret: ClassVar[bool] = False
    #: Whether its values are so few, and so much what a turn is about, that they stand on a card themselves.
    quick: ClassVar[bool] = False

    def __init__(self, game: Game, player: str, company: str = "") -> None:
        self.game = game
        self.player = player
        self.company = company
        #: Called before it is made: what the turn remembers of it besides what the move itself leaves.
        self.noted: Callable[[], None] | None = None
        self._asked: dict[tuple[tuple[str, Any], ...], Domain | None] = {}

    @property
    def name(self) -> str:
        return self.kind.TYPE

    @property
    def granted_by(self) -> str:
        """The private company whose function grants it; "" for what needs none."""
        return ""

    @property
    def tells(self) -> Mapping[str, object]:
        """What its button tells besides the kind of move, where there is nothing to pick."""
        return {}

    @abstractmethod
    def ask(self, picked: Picked) -> Domain | None:
        """The domain of the next parameter, or None when all are picked."""

    def asked(self, picked: Picked) -> Domain | None:
        """What `ask` answers, found once: for those who ask again and again while the offer stands."""
        key = tuple(picked.items())
        if key not in self._asked:
            domain = self.ask(picked)
            if isinstance(domain, Options) and domain.open:
                # It may know more when it is asked again.
                return domain
            self._asked[key] = domain
        return self._asked[key]

    @abstractmethod
    def move(self, picked: Picked) -> M:
        """The move with these parameters."""

    @abstractmethod
    def check(self, move: M) -> None:
        """Raise Refused if this move of this kind is not allowed."""

    @abstractmethod
    def perform(self, move: M) -> None:
        """Carry out a checked move."""

    def worth_trying(self, most: int) -> Sequence[M] | None:
        """Its moves that somebody who looks ahead should try, at most so many; None if it does not know better."""
        return None

    def matches(self, move: Move) -> bool:
        """Whether a move is meant for this choice (two choices may be of one kind)."""
        return type(move) is self.kind and move.player == self.player


class PassChoice(Choice[Pass]):
    """Passing, with what follows from it left to the step that offers it."""

    kind = Pass

    def __init__(self, game: Game, player: str, company: str, then: Any) -> None:
        super().__init__(game, player, company)
        self.then = then

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> Pass:
        return Pass(self.player)

    def check(self, move: Pass) -> None:
        return None

    def perform(self, move: Pass) -> None:
        self.then()


@dataclass(frozen=True, slots=True)
class Offer:
    """All choices of a moment; empty when the game is over."""

    choices: tuple[Choice[Any], ...]
    #: What was derived from it, by whoever did.
    _kept: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, key: object, make: Callable[[], T]) -> T:
        """A value that follows from this offer, found once as long as it stands."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    @property
    def deciders(self) -> tuple[str, ...]:
        """Who has to decide, in the order of the choices."""
        return tuple(dict.fromkeys(choice.player for choice in self.choices))

    def of(self, player: str) -> tuple[Choice[Any], ...]:
        return tuple(choice for choice in self.choices if choice.player == player)

    def find(self, name: str, player: str = "") -> Choice[Any] | None:
        """The first choice of a name (`lay_tile`, `pass`, …), of a player if one is given."""
        for choice in self.choices:
            if choice.name == name and player in ("", choice.player):
                return choice
        return None
