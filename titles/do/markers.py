"""Small investment markers (KIM) and special event markers (SEM): where they lie, who has them, what they are for.

The title's facts hold `display` (how many of each marker lie on the market board), `markers` (the investments of each
company), `specials` (the special events of each brewery), `wagons` (the trains of a railway on which wagons lie, as
pairs of type and number), and `reserved` (the cube that lies on a brewery's equipment, with its type and field).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.moves import Move, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.state import BANK, Pause, State
from titles.do.exp_tables import BOTTLING, PUB, ExpTables, expert, reached


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


def lay_out(t: ExpTables, state: State, players: int) -> None:
    """All markers lie on the display."""
    display = {**{row.code: row.count[players] for row in t.kim}, **{row.code: 1 for row in t.sem}}
    state.facts.update(display=display, markers={}, specials={}, wagons={}, reserved={})


def on_display(game: Game, codes: Iterable[str]) -> list[str]:
    """Those of some markers that lie on the display."""
    return [code for code in codes if game.state.facts["display"][code]]


def owned(game: Game, company: str) -> list[str]:
    """The small investments of a company."""
    found: list[str] = game.state.facts["markers"].get(company, [])
    return found


def special(game: Game, company: str) -> str:
    """The special event of a brewery, "" if it has none."""
    return next(iter(specials(game, company)), "")


def specials(game: Game, company: str) -> list[str]:
    """More than one only while its director has to return one."""
    found: list[str] = game.state.facts["specials"].get(company, [])
    return found


def boxes(game: Game, company: str) -> int:
    """How many small investments a brewery may own."""
    return expert(game).expert.kim_boxes[company]


def full(game: Game, company: str) -> bool:
    """Whether all boxes of a brewery are taken; railways have no boxes."""
    limits = expert(game).expert.kim_boxes
    return company in limits and len(owned(game, company)) >= limits[company]


def working(game: Game, company: str, kind: str) -> list[str]:
    """The investments of a kind that work in the present phase."""
    rows = expert(game).investments
    return [code for code in owned(game, company) if rows[code].kind == kind and reached(game, rows[code].phase)]


def bottling(game: Game, company: str) -> int:
    """What all bottling lines of a brewery bring for a cube."""
    return sum(expert(game).investments[code].income for code in working(game, company, BOTTLING))


# ---------------------------------------------------------------------- what moves


def place(game: Game, code: str) -> str:
    """The fact under which a company keeps a marker."""
    return "specials" if code in expert(game).specials else "markers"


def gain(game: Game, company: str, code: str) -> None:
    entries = game.state.facts[place(game, code)].setdefault(company, [])
    entries.append(code)
    entries.sort()


def drop(game: Game, company: str, code: str) -> None:
    """A marker leaves a company for somewhere else."""
    facts = game.state.facts[place(game, code)]
    facts[company].remove(code)
    if not facts[company]:
        del facts[company]


def take(game: Game, company: str, code: str) -> None:
    """A marker leaves the display for a company."""
    game.state.facts["display"][code] -= 1
    gain(game, company, code)


def lay_back(game: Game, company: str, code: str) -> None:
    """A marker of a company lies on the display again."""
    drop(game, company, code)
    game.state.facts["display"][code] += 1


def put_back(game: Game, company: str, code: str) -> None:
    """A company does without a marker, for nothing."""
    lay_back(game, company, code)
    game.emit(MarkerReturned(company, code))


def put_all_back(game: Game, company: str) -> None:
    """A company that is no more has no markers."""
    game.state.facts["wagons"].pop(company, None)
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
    """Put a marker back that a corporation has no room for."""

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
    """A corporation with more markers than it has room for returns what its director likes."""
    codes = surplus(game, company)
    while len(codes) == 1:
        put_back(game, company, codes[0])
        codes = surplus(game, company)
    if codes:
        game.ask(SURPLUS, [game.decider(company)], company=company)


# ---------------------------------------------------------------------- pubs


def pubs_pay(game: Game) -> None:
    """Pubs pay into the treasuries of all breweries that own some at the start of a brewery round, floated or not."""
    rows, facts = expert(game).investments, game.state.facts
    for company in dict.fromkeys([*facts["order"], *facts["markers"]]):
        amount = sum(rows[code].income for code in working(game, company, PUB))
        if amount:
            game.pay(BANK, company, amount, "pubs", company)
            game.emit(PubsPaid(company, amount))


# ---------------------------------------------------------------------- what must always hold


def broken(game: Game) -> list[str]:
    """Markers are neither made nor lost, and nobody has more than they may."""
    t, facts = expert(game), game.state.facts
    result = []
    held = Counter(code for codes in (*facts["markers"].values(), *facts["specials"].values()) for code in codes)
    counts = {**{row.code: row.count[len(game.players)] for row in t.kim}, **{row.code: 1 for row in t.sem}}
    for code, count in counts.items():
        if held[code] + facts["display"][code] != count or facts["display"][code] < 0:
            result.append(f"{held[code]} markers {code} are owned and {facts['display'][code]} on display")
    for company in {*facts["markers"], *facts["specials"]}:
        rail = company not in t.expert.kim_boxes
        if rail and (specials(game, company) or set(owned(game, company)) - {t.wagon.code}):
            result.append(f"{company} has markers that are for breweries")
        state = game.company(company)
        # The draft's corporations may be given markers before they float, and a token only then (DOD-5.5.5-a).
        if not rail and company not in facts["order"] and (state.floated or not state.director):
            result.append(f"{company} has markers but no order token")
        if not rail and not game.state.pauses and surplus(game, company):
            result.append(f"{company} has too many markers")
    return result
