"""What the engine itself remembers of a game, of a turn and of a round, whatever the title."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.records import Keeps, OfGame, OfRound, OfTurn, record

if TYPE_CHECKING:
    from typing import Self

#: More than anything costs.
ENDLESS = 1 << 40

# ---------------------------------------------------------------------- of the game


@record("seat_cards")
@dataclass(slots=True)
class SeatCards(OfGame):
    """The card by which each player was seated."""

    player_cards: dict[str, int] = field(default_factory=dict)


# ---------------------------------------------------------------------- of a turn


@record("going")
@dataclass(slots=True)
class Going(OfTurn):
    """How far a turn has come."""

    #: Whether somebody has done in it what a turn is for; who has not, passes.
    acted: bool = False
    #: The company for which a player's turn has been used, "" if for none yet.
    company: str = ""
    #: The number of moves after which nobody wanted what may be done in any step; -1 if that was never said.
    unwanted: int = -1
    #: The step of each `Either` that was used, by its name.
    used: dict[str, str] = field(default_factory=dict)

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        uses = [name for name in bag if name.endswith(" used")]
        used = {name.removesuffix(" used"): bag.pop(name) for name in uses}
        return cls(bag.pop("acted", False), bag.pop("for", ""), bag.pop("unwanted", -1), used)


@record("sales")
@dataclass(slots=True)
class Sales(OfTurn):
    """The companies whose shares were sold in this turn, one for each sale."""

    sold: list[str] = field(default_factory=list)


@record("raised")
@dataclass(slots=True)
class Raised(OfTurn):
    """What was raised for a forced purchase so far."""

    begun: bool = False
    #: What the treasury held without the last of the company's own shares; -1 if none was sold.
    own: int = -1
    #: What the smallest certificate of the payer has brought; ENDLESS if none was sold.
    least: int = ENDLESS
    #: The price for which a loan made up exactly what was missing, 0 without one.
    loan: int = 0

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        raised = bag.pop("raising", None)
        return cls() if raised is None else cls(True, **raised)


@record("declined")
@dataclass(slots=True)
class Declined(OfTurn):
    """What was declined: seller, thing and price; and how many counter-offers were made."""

    declined: list[tuple[str, str, int]] = field(default_factory=list)
    counters: int = 0


#: What may come up in anybody's turn, whatever its steps are.
IN_ANY_TURN: Keeps = (Going, Sales, Raised, Declined)


@dataclass(frozen=True, slots=True)
class Lay:
    """A tile that was laid: where, in which colour, and by the power of which private company ("" for none)."""

    at: str
    colour: str
    private: str


@record("laid")
@dataclass(slots=True)
class Laid(OfTurn):
    """The tiles of a turn."""

    tiles: list[Lay] = field(default_factory=list)

    @property
    def privates(self) -> list[str]:
        """The private company by whose power each tile was laid, "" for a company's own lays."""
        return [lay.private for lay in self.tiles]

    @property
    def colours(self) -> list[str]:
        return [lay.colour for lay in self.tiles]

    @classmethod
    def taken(cls, bag: dict[str, Any]) -> Self:
        # Older programs kept one word for each tile, a private company or the colour, perhaps the hexes beside them,
        # and how many of a company's own lays were yellow.
        words, hexes, yellow = bag.pop("laid", []), bag.pop("laid_at", []), bag.pop("yellow", 0)
        colours = ("yellow", "orange", "green", "brown", "grey")
        tiles = []
        for number, word in enumerate(words):
            colour, private = (word, "") if word in colours else ("", word)
            if not private and not colour and yellow:
                colour, yellow = "yellow", yellow - 1
            tiles.append(Lay(hexes[number] if hexes else "", colour, private))
        return cls(tiles)


@record("placed")
@dataclass(slots=True)
class Placed(OfTurn):
    """Whether the turn's station was placed, or given up."""

    station: bool = False


@record("earned")
@dataclass(slots=True)
class Earned(OfTurn):
    """What trains, or whatever else earns, have brought in this turn; None before they did."""

    revenue: int | None = None


@record("own_deal")
@dataclass(slots=True)
class Dealt(OfTurn):
    """Whether the company has made its own deal."""

    deal: bool = False


# ---------------------------------------------------------------------- of a round


@record("acted")
@dataclass(slots=True)
class Acted(OfRound):
    """Who has had their turn."""

    acted: list[str] = field(default_factory=list)


@record("passes")
@dataclass(slots=True)
class Passes(OfRound):
    """How many have passed in succession, and whose turn is next."""

    passes: int = 0
    next: str = ""


@record("trading")
@dataclass(slots=True)
class Trading(OfRound):
    """Who has sold shares of which companies, and who bought last; "" if nobody has."""

    sold: dict[str, list[str]] = field(default_factory=dict)
    last_buyer: str = ""


@record("order")
@dataclass(slots=True)
class OrderOfRound(OfRound):
    """The order of companies as it was when the round began."""

    order: list[str] = field(default_factory=list)
