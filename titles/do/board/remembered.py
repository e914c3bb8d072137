"""What 18DO remembers of a turn and of a round, and what several of its chapters remember of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.records import Bag, OfGame, OfRound, OfTurn, record

# ---------------------------------------------------------------------- of the game


@record("do.failed")
@dataclass(slots=True)
class Failed(OfGame):
    """Companies that went bankrupt: after which stock round, and how many station tokens left the game with them."""

    failed: dict[str, int] = field(default_factory=dict)
    lost: dict[str, int] = field(default_factory=dict)


@record("do.wagons")
@dataclass(slots=True)
class WagonsOnTrains(OfGame):
    """The trains of a railway on which beer wagons lie: type and number of wagons."""

    trains: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"trains": "wagons"}


@record("do.reserved")
@dataclass(slots=True)
class Reserved(OfGame):
    """The cube on a brewery's equipment: type, segment, customers, and whether the segment has been closed since."""

    cubes: dict[str, tuple[str, int, str, bool]] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"cubes": "reserved"}


# ---------------------------------------------------------------------- of a turn


@record("do.linked")
@dataclass(slots=True)
class Linked(OfTurn):
    """Whether a railway has made its link."""

    linked: bool = False


@record("do.purchases")
@dataclass(slots=True)
class Purchases(OfTurn):
    """How many new trains, new pieces of equipment and small investments a company has bought."""

    new: int = 0
    bought: int = 0
    invested: int = 0


@record("do.post")
@dataclass(slots=True)
class Post(OfTurn):
    """Whether the player has become director of a railway."""

    post: bool = False


@record("do.dropped")
@dataclass(slots=True)
class Dropped(OfTurn):
    """Whether the player has dropped a certificate to take another."""

    dropped: bool = False


@record("do.sold_beer")
@dataclass(slots=True)
class SoldBeer(OfTurn):
    """What a brewery has done with its beer."""

    #: Equipment, segment and customers of each unit that went to Dortmund.
    delivered: list[tuple[str, int, str]] = field(default_factory=list)
    #: How many pieces of equipment were given up.
    given_up: int = 0
    #: Equipment, railway and train of each unit that is to be loaded, and the train's load before.
    named: list[tuple[str, str, str, int]] = field(default_factory=list)
    #: The equipment of each unit that has been loaded.
    loaded: list[str] = field(default_factory=list)
    #: Railways and loads to which a director did not agree.
    unwilling: list[tuple[str, str]] = field(default_factory=list)
    #: The equipment that turns or goes at the end of the turn (the draft).
    leaving: list[str] = field(default_factory=list)


@record("do.expert")
@dataclass(slots=True)
class ExpertTurn(OfTurn):
    """What markers and events have brought about in a turn of the Expert game."""

    #: How many wagons were at work when export was named.
    drawn: int = 0
    #: The type of equipment that stays idle, to be given in; "" if it is gone, None if none was named.
    rests: str | None = None
    #: The segments in which a cube brings the price of the next one.
    premium: list[int] = field(default_factory=list)
    #: Whether somebody pays for units that nobody else wants.
    contracted: bool = False
    #: The type of equipment that delivers once more, and the segment.
    shift: tuple[str, int] | None = None
    #: The railway that has to carry what is loaded.
    contract: str = ""
    #: Who has used which event.
    used: list[tuple[str, str]] = field(default_factory=list)


@record("do.wagons_moved")
@dataclass(slots=True)
class WagonsMoved(OfTurn):
    """From where to where wagons were moved."""

    wagons: list[tuple[str, str]] = field(default_factory=list)


# ---------------------------------------------------------------------- of a round


@record("do.bidding")
@dataclass(slots=True)
class Bidding(OfRound):
    """Who leads on which lot with which bid, and whose turn is next."""

    bids: dict[str, tuple[str, int]] = field(default_factory=dict)
    next: str = ""


@record("do.card_moved")
@dataclass(slots=True)
class CardSettled(OfRound):
    """Whether the Investor's card has been handed on after this round, or kept."""

    card: bool = False


@record("do.events_used")
@dataclass(slots=True)
class EventsUsed(OfRound):
    """Who has used which event, and whether the round is over and events are being taken."""

    used: list[tuple[str, str]] = field(default_factory=list)
    over: bool = False
