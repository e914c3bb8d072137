"""What 18Ruhr remembers of a game and of a turn."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.copying import quick
from engine.records import OfGame, OfTurn, record

# ---------------------------------------------------------------------- of the game


@record("ruhr.drawn")
@dataclass(slots=True)
class Drawn(OfGame):
    """The scenario of the game."""

    scenario: str = ""


@quick
@dataclass(slots=True)
class Charter:
    """What lies on a Montan company's charter: markers by stage, switch engines, the hexes of its locations."""

    markers: dict[str, int] = field(default_factory=dict)
    engines: list[str] = field(default_factory=list)
    locations: list[str] = field(default_factory=list)


@record("ruhr.works")
@dataclass(slots=True)
class Works(OfGame):
    """The charters of all Montan companies in play, and where markers and engines are that lie on none.

    Where a marker lies follows from the numbers: it fills the boxes that may be used, and the rest is stored in the
    treasury.
    """

    charters: dict[str, Charter] = field(default_factory=dict)
    #: By industry and stage, what is left.
    supply: dict[str, dict[str, int]] = field(default_factory=dict)
    #: By type, what is left.
    engines: dict[str, int] = field(default_factory=dict)
    #: Markers by industry and stage, and engines by type, that are out of the game.
    removed: dict[str, dict[str, int]] = field(default_factory=dict)
    scrapped: dict[str, int] = field(default_factory=dict)


@quick
@dataclass(slots=True)
class Location:
    """The place of a small company: whether it has its link, what became of it, and the company it belongs to.

    That is a small company that is active, or the corporation it was merged into or that was founded there.
    """

    linked: bool
    state: str
    company: str

    def become(self, state: str, company: str = "") -> None:
        """Something else has become of it; its link stays."""
        self.state, self.company = state, company


@record("ruhr.locations")
@dataclass(slots=True)
class Locations(OfGame):
    """All locations, by hex."""

    locations: dict[str, Location] = field(default_factory=dict)


@record("ruhr.line")
@dataclass(slots=True)
class LineMoney(OfGame):
    """The money that lies aside until a line is built."""

    aside: int = 0


@record("ruhr.package")
@dataclass(slots=True)
class Columns(OfGame):
    """The two columns of the starting package: the lots that are left, from the top."""

    package: list[list[str]] = field(default_factory=list)


@record("ruhr.buyer")
@dataclass(slots=True)
class LastTrader(OfGame):
    """Who was the last to buy in the package, or to trade in a stock round; "" before anybody has."""

    last_buyer: str = ""


@record("ruhr.round_cards")
@dataclass(slots=True)
class RoundCards(OfGame):
    """Montan Round Cards: the players in their order, and who has lost all small companies, the first to lose first."""

    cards: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


@record("ruhr.new")
@dataclass(slots=True)
class NewCorporations(OfGame):
    """Corporations before their first stock round is over, with the colour of the phase in which they were founded."""

    fresh: dict[str, str] = field(default_factory=dict)


@record("ruhr.loans")
@dataclass(slots=True)
class BankLoans(OfGame):
    """What the bank has lent to companies that it runs."""

    loans: dict[str, int] = field(default_factory=dict)


@record("ruhr.end")
@dataclass(slots=True)
class Ending(OfGame):
    """How the game is about to end."""

    #: The last set, which a card announces: `due` after the next stock round, `now` when it goes on.
    last: str = ""
    #: Whether the bank is empty for good: the game is over after this set.
    ends: bool = False


# ---------------------------------------------------------------------- of a turn


@record("ruhr.taken_over")
@dataclass(slots=True)
class TakenOver(OfTurn):
    """What has to be bought by whoever goes on with a purchase after a bankruptcy: where it comes from, and what."""

    chosen: list[str] | None = None


@record("ruhr.founded")
@dataclass(slots=True)
class Founded(OfTurn):
    """The corporation that was founded in this turn."""

    founded: str = ""


@record("ruhr.linked")
@dataclass(slots=True)
class Linked(OfTurn):
    """Whether a railway has made its link."""

    link: bool = False


@record("ruhr.spent")
@dataclass(slots=True)
class Spent(OfTurn):
    """Whether the turn's expenditure was made."""

    spent: bool = False
