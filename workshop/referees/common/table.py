"""What lies on every table: purses, certificates, trains, the round; a foul, and a question outside the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from workshop.referees.common.hexes import Facts

BANK, OFFER, POOL, ASIDE = "bank", "offering", "pool", "aside"


class Foul(Exception):
    """A move against the rules, with the clause."""


def need(holds: bool, words: str) -> None:
    """A condition of a move."""
    if not holds:
        raise Foul(words)


def allowed(judge: Callable[..., None], *facts: Any) -> bool:
    """Whether a judge lets something pass."""
    try:
        judge(*facts)
    except Foul:
        return False
    return True


@dataclass
class Question:
    """What somebody is asked outside the turn."""

    kind: str
    player: str
    data: dict[str, Any]


@dataclass
class Company:
    """Who holds the certificates of a company, the director's first, and what it owns."""

    sizes: tuple[int, ...]
    holders: list[str]
    tokens: list[int]
    director: str = ""
    par: int = 0
    floated: bool = False
    operated: bool = False
    trains: list[str] = field(default_factory=list)
    revenue: int = 0

    def position(self) -> dict[str, Any]:
        """As the frame wants it."""
        return {
            "certificates": sorted([size, who] for size, who in zip(self.sizes, self.holders, strict=True)),
            "tokens_left": self.tokens,
            "director": self.director,
            "par": self.par,
            "floated": self.floated,
            "operated": self.operated,
            "trains": sorted(self.trains),
            "last_revenue": self.revenue,
        }


C = TypeVar("C", bound=Company)


@dataclass
class Table(Generic[C]):
    """A position but for board, prices, and what one title alone has."""

    sheet: Facts[Any]
    seats: list[str]
    limit: int
    cash: dict[str, int] = field(default_factory=dict)
    companies: dict[str, C] = field(default_factory=dict)
    privates: dict[str, str] = field(default_factory=dict)
    priority: str = ""
    left: dict[str, int] = field(default_factory=dict)
    sold: Counter[str] = field(default_factory=Counter)
    pool: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    phase: int = 0
    kind: str = "package"
    stock_number: int = 1
    operating_number: int = 0
    operating_total: int = 0
    actor: str = ""
    step: str = ""
    turn: dict[str, Any] = field(default_factory=dict)
    memory: dict[str, Any] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    broken: str = ""
    finished: str = ""

    def left_of(self, player: str) -> list[str]:
        """Everybody who plays, clockwise from the left of a player, who comes last."""
        at = self.seats.index(player)
        return [*self.seats[at + 1 :], *self.seats[: at + 1]]

    def deciders(self) -> list[str]:
        """Who has to decide; nobody when the game is over."""
        if self.finished:
            return []
        if self.questions:
            return [self.questions[0].player]
        return [self.companies[self.actor].director if self.kind == "operating" else self.actor]

    # ------------------------------------------------------------------ phases

    @property
    def colour(self) -> str:
        return str(self.sheet.raw["phase"][self.phase]["color"])

    @property
    def train_limit(self) -> int:
        return int(self.sheet.raw["phase"][self.phase]["train_limit"])

    def phase_with(self, card: str) -> int:
        """The phase that there is once a new train of a type has been bought."""
        phases = [row["on"] for row in self.sheet.raw["phase"]]
        return max(self.phase, phases.index(card)) if card in phases else self.phase

    # ------------------------------------------------------------------ certificates

    def held(self, company: str, owner: str) -> int:
        """How many per cent somebody holds."""
        here = self.companies[company]
        return sum(size for size, holder in zip(here.sizes, here.holders, strict=True) if holder == owner)

    def normal(self, company: str, owner: str) -> list[int]:
        """The sizes of the certificates that somebody holds, without the director's."""
        here = self.companies[company]
        pairs = zip(here.sizes[1:], here.holders[1:], strict=True)
        return sorted((size for size, holder in pairs if holder == owner), reverse=True)

    def move(self, company: str, percent: int, source: str, target: str) -> None:
        """Hand over one normal certificate of a size."""
        here = self.companies[company]
        for number, size in enumerate(here.sizes):
            if number and size == percent and here.holders[number] == source:
                here.holders[number] = target
                return
        raise AssertionError(f"{source} has no {percent} of {company}")

    def papers(self, player: str) -> int:
        """How many certificates and private companies somebody holds."""
        certificates = sum(company.holders.count(player) for company in self.companies.values())
        return certificates + sum(owner == player for owner in self.privates.values())

    # ------------------------------------------------------------------ as the frame wants it

    def position(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "priority": self.priority,
            "cash": self.cash,
            "companies": {name: company.position() for name, company in self.companies.items()},
            "privates": self.privates,
            "depot": {"left": self.left, "sold": self.sold, "pool": sorted(self.pool), "gone": sorted(self.gone)},
            "phase": self.sheet.raw["phase"][self.phase]["name"],
            "round": {
                "kind": self.kind,
                "stock_number": self.stock_number,
                "operating_number": self.operating_number,
                "operating_total": self.operating_total,
                "actor": self.actor,
            },
            "bank_broken": self.broken,
            "finished": self.finished,
        }
