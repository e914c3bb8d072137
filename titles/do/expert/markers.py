"""Small investment markers (KIM) and special event markers (SEM): where they lie, who has them, what they are for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Bag, OfGame, put, record
from engine.rules import Listener, Question
from engine.state import BANK, Pause, State
from titles.do.board.remembered import WagonsOnTrains
from titles.do.brewery import breweries
from titles.do.brewery.failing import CompanyFailed
from titles.do.expert.tables import BOTTLING, PUB, ExpTables, expert, reached


@register("return_marker")
@dataclass(frozen=True, slots=True)
class ReturnMarker(Move):
    """A corporation with too many markers puts one back on the display."""

    company: str
    marker: str


@dataclass(frozen=True, slots=True)
class MarkerReturned(ev.Event):
    """A marker lies on the display again."""

    company: str
    marker: str


@dataclass(frozen=True, slots=True)
class PubsPaid(ev.Event):
    company: str
    amount: int


# ---------------------------------------------------------------------- where they are


@record("do.markers")
@dataclass(slots=True)
class MarkersHeld(OfGame):
    """How many of each marker lie on the market board, and who has which investments and special events."""

    display: dict[str, int] = field(default_factory=dict)
    investments: dict[str, list[str]] = field(default_factory=dict)
    specials: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def names(cls, data: Bag) -> Mapping[str, str]:
        return {"display": "display", "investments": "markers", "specials": "specials"}


def display(game: Game) -> Mapping[str, int]:
    """How many of each marker lie on the market board."""
    return MarkersHeld.of(game).display


def investors(game: Game) -> Mapping[str, Sequence[str]]:
    """All companies with small investments, and which."""
    return MarkersHeld.of(game).investments


def on_display(game: Game, codes: Iterable[str]) -> list[str]:
    """Those of some markers that lie on the display."""
    return [code for code in codes if display(game)[code]]


def owned(game: Game, company: str) -> list[str]:
    """The small investments of a company."""
    return MarkersHeld.of(game).investments.get(company, [])


def special(game: Game, company: str) -> str:
    """The special event of a brewery, "" if it has none."""
    return next(iter(specials(game, company)), "")


def specials(game: Game, company: str) -> list[str]:
    """More than one only while its director has to return one."""
    return MarkersHeld.of(game).specials.get(company, [])


def boxes(game: Game, company: str) -> int:
    """DO-7.1-b: how many small investments a brewery may own."""
    return expert(game).expert.kim_boxes[company]


def full(game: Game, company: str) -> bool:
    """DO-7.1-b: whether all boxes of a brewery are taken; railways have no boxes."""
    limits = expert(game).expert.kim_boxes
    return company in limits and len(owned(game, company)) >= limits[company]


def working(game: Game, company: str, kind: str) -> list[str]:
    """The investments of a kind that work in the present phase."""
    rows = expert(game).investments
    return [code for code in owned(game, company) if rows[code].kind == kind and reached(game, rows[code].phase)]


def bottling(game: Game, company: str) -> int:
    """DO-7.1.2-a: what all bottling lines of a brewery bring for a cube."""
    return sum(expert(game).investments[code].income for code in working(game, company, BOTTLING))


# ---------------------------------------------------------------------- what moves


def holders(game: Game, code: str) -> dict[str, list[str]]:
    """Who has markers of the kind of this one."""
    held = MarkersHeld.of(game)
    return held.specials if code in expert(game).specials else held.investments


def gain(game: Game, company: str, code: str) -> None:
    entries = holders(game, code).setdefault(company, [])
    entries.append(code)
    entries.sort()


def drop(game: Game, company: str, code: str) -> None:
    """A marker leaves a company for somewhere else."""
    held = holders(game, code)
    held[company].remove(code)
    if not held[company]:
        del held[company]


def take(game: Game, company: str, code: str) -> None:
    """A marker leaves the display for a company."""
    MarkersHeld.of(game).display[code] -= 1
    gain(game, company, code)


def lay_back(game: Game, company: str, code: str) -> None:
    """A marker of a company lies on the display again."""
    drop(game, company, code)
    MarkersHeld.of(game).display[code] += 1


def put_back(game: Game, company: str, code: str) -> None:
    """A company does without a marker, for nothing."""
    lay_back(game, company, code)
    game.emit(MarkerReturned(company, code))


def put_all_back(game: Game, company: str) -> None:
    """A company that is no more has no markers, and no wagons on trains."""
    WagonsOnTrains.of(game).trains.pop(company, None)
    for code in [*owned(game, company), *specials(game, company)]:
        put_back(game, company, code)


def hand_over(game: Game, minor: str, company: str) -> None:
    """The markers of a small brewery belong to a corporation."""
    for code in [*owned(game, minor), *specials(game, minor)]:
        drop(game, minor, code)
        gain(game, company, code)


# ---------------------------------------------------------------------- too many


#: The kind of the question.
SURPLUS = "surplus_markers"


def surplus(game: Game, company: str) -> list[str]:
    """The markers of which a brewery has to return one."""
    found: list[str] = []
    if len(owned(game, company)) > boxes(game, company):
        found += owned(game, company)
    if len(specials(game, company)) > 1:
        found += specials(game, company)
    return list(dict.fromkeys(found))


class ReturnChoice(Choice[ReturnMarker]):
    """DO-7.1-e: put a marker back that a corporation has no room for."""

    kind = ReturnMarker

    def __init__(self, game: Game, player: str, pause: Pause) -> None:
        super().__init__(game, player, pause.data["company"])
        self.pause = pause

    def ask(self, picked: Picked) -> Domain | None:
        if "marker" in picked:
            return None
        return Options("marker", [Option(code) for code in surplus(self.game, self.company)])

    def move(self, picked: Picked) -> ReturnMarker:
        return ReturnMarker(self.player, self.company, picked["marker"])

    def check(self, move: ReturnMarker) -> None:
        codes = surplus(self.game, self.company)
        if move.company != self.company or move.marker not in codes:
            raise self.game.refuse("marker.surplus", company=self.company, markers=tuple(codes))

    def perform(self, move: ReturnMarker) -> None:
        put_back(self.game, self.company, move.marker)
        if not surplus(self.game, self.company):
            self.game.answered(self.pause)


def surplus_asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [ReturnChoice(game, player, pause) for player in pause.players]


def keep_boxes(game: Game, company: str) -> None:
    """DO-7.1-b: a corporation with more markers than it has room for returns what its director likes."""
    codes = surplus(game, company)
    while len(codes) == 1:
        put_back(game, company, codes[0])
        codes = surplus(game, company)
    if codes:
        game.ask(SURPLUS, [game.decider(company)], company=company)


# ---------------------------------------------------------------------- pubs


def pubs_pay(game: Game) -> None:
    """DO-7.1.1-a: pubs pay into the treasuries of all breweries that own some at the start of a brewery round,
    floated or not."""
    rows = expert(game).investments
    for company in dict.fromkeys([*breweries.order(game), *investors(game)]):
        amount = sum(rows[code].income for code in working(game, company, PUB))
        if amount:
            game.pay(BANK, company, amount, "pubs", company)
            game.emit(PubsPaid(company, amount))


# ---------------------------------------------------------------------- what must always hold


class ExpertMarkers(Mechanism):
    """DO-7.3-a: the markers of the Expert game: where they are, and that there are enough of them."""

    def __init__(self, t: ExpTables, players: int) -> None:
        self.t = t
        self.players = players

    def counts(self) -> dict[str, int]:
        """How many there are of each."""
        return {**{row.code: row.count[self.players] for row in self.t.kim}, **{row.code: 1 for row in self.t.sem}}

    def lay_out(self, state: State, chance: random.Random) -> None:
        """All markers lie on the display."""
        put(state, MarkersHeld(self.counts()))

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {CompanyFailed: self.failed}

    def questions(self) -> Mapping[str, Question]:
        return {SURPLUS: surplus_asked}

    def failed(self, game: Game, event: CompanyFailed) -> None:
        """The markers of a bankrupt company lie on the display again."""
        put_all_back(game, event.company)

    def possessions(self, game: Game, holder: str) -> Mapping[str, int]:
        own = owned(game, holder)
        investments = {f"marker {code}": own.count(code) for code in dict.fromkeys(own)}
        return investments | {f"marker {code}": 1 for code in specials(game, holder)}

    def faults(self, game: Game) -> list[str]:
        """Markers are neither made nor lost, and nobody has more than they may."""
        t, now, result = self.t, MarkersHeld.of(game), []
        held = Counter(code for codes in (*now.investments.values(), *now.specials.values()) for code in codes)
        for code, count in self.counts().items():
            if held[code] + now.display[code] != count or now.display[code] < 0:
                result.append(f"{held[code]} markers {code} are owned and {now.display[code]} on display")
        for company in {*now.investments, *now.specials}:
            rail = company not in t.expert.kim_boxes
            if rail and (specials(game, company) or set(owned(game, company)) - {t.wagon.code}):
                result.append(f"{company} has markers that are for breweries")
            state = game.company(company)
            # The draft's corporations may be given markers before they float, and a token only then (DOD-5.5.5-a).
            if not rail and company not in breweries.order(game) and (state.floated or not state.director):
                result.append(f"{company} has markers but no order token")
            if not rail and not game.state.pauses and surplus(game, company):
                result.append(f"{company} has too many markers")
        return result
