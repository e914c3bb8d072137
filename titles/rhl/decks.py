"""What is printed on 18Rhl's target and destiny cards; their names and texts stand with the title's words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.definition import Definition
from engine.tables import Count, HexName, TileName
from titles.rhineland.tables import Money

#: What a target card asks for: a run over locations, track between places, a company's ways to all links of the
#: Eastern Ruhr, a run between places, places joined to the network, a station.
Goal = Literal["serves", "track", "links", "runs", "network", "station"]

#: What a destiny card looks at when the game is over.
Wish = Literal[
    "trains", "value", "upgrades", "industries", "stations", "tile",
    "companies", "towns", "fields", "treasury", "revenue", "ways",
]  # fmt: skip


@dataclass(frozen=True)
class TargetCard:
    """An open card: the bank pays its owner once, as soon as the goal is met."""

    id: str
    number: Count
    bonus: Money
    goal: Goal
    #: The places; of those of one side and of the other any will do.
    one: tuple[HexName, ...] = ()
    other: tuple[HexName, ...] = ()
    not_through: tuple[HexName, ...] = ()
    #: Where a foreign station does not stop this run.
    unbarred: tuple[HexName, ...] = ()
    #: How many coalmines and how many steel mills one run must have.
    locations: Count = 1

    def check(self, definition: Definition) -> Iterator[str]:
        for key in ("one", "other", "not_through", "unbarred"):
            for at in getattr(self, key):
                if not definition.map.hexes[at].face.stops:
                    yield f"{key}: {at} has no stop"
        if self.goal in ("track", "runs", "network", "station") and not self.one:
            yield "one: a hex is expected"
        if self.goal in ("track", "runs") and not self.other:
            yield "other: a hex is expected"


@dataclass(frozen=True)
class DestinyCard:
    """A hidden card: it adds to its owner's score if its wish is fulfilled at the end."""

    id: str
    bonus: Money
    wish: Wish
    hexes: tuple[HexName, ...] = ()
    tiles: tuple[TileName, ...] = ()
    #: How many of what it asks for are enough.
    least: Count = 1

    def check(self, definition: Definition) -> Iterator[str]:
        if self.wish in ("upgrades", "fields", "ways") and len(self.hexes) < self.least:
            yield f"hexes: at least {max(self.least, 1)} are expected"
        if self.wish == "tile" and not self.tiles:
            yield "tiles: a tile is expected"


def unlike(cards: tuple[TargetCard, ...] | tuple[DestinyCard, ...], players: int, each: int, more: int) -> str:
    """What is wrong with a deck as a whole: two of one name, or too few for the most players. No cards are no deck."""
    if len({card.id for card in cards}) < len(cards):
        return "id: two cards of one name"
    if cards and len(cards) < players * each + more:
        return f"id: at least {players * each + more} cards are expected"
    return ""
