"""The Investor's turn in stock rounds (9.2.1): he takes the dearest certificate that he may, and nobody decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.offer import Choice
from engine.records import Keeps, OfRound, record
from engine.remembered import Going
from engine.rounds.turns import Step, Turn
from engine.state import BANK, POOL
from titles.lra.seat import Investment
from titles.lra.tables import InvestorSheet
from titles.rhineland.investor import INVESTOR


@dataclass(frozen=True, slots=True)
class InvestorAcquired(ev.Event):
    """He takes a certificate from the pool or from a charter."""

    company: str
    percent: int
    source: str


@dataclass(frozen=True, slots=True)
class InvestorReplaced(ev.Event):
    """He gives a certificate into the pool for the one that he takes."""

    company: str
    percent: int


@dataclass(frozen=True, slots=True)
class InvestorQuit(ev.Event):
    """He acquires nothing more in this stock round."""


@dataclass(frozen=True)
class Acquisition:
    """What he takes next, and what he gives for it if he must: company and number of certificates."""

    company: str
    number: int
    source: str
    given: tuple[str, int] | None = None


def available(game: Game, sheet: InvestorSheet) -> Iterator[Acquisition]:
    """What he may take, the dearest first: of floated companies, from the pool before the charter, as much as fits.

    Of companies of one value the one that acts first comes first.
    """
    own = Investment.of(game).company
    for company in game.prices.order():
        if not game.company(company).floated:
            continue
        room = 100 if company == own else sheet.share_limit - shares.held(game, company, INVESTOR)
        for source in (POOL, company):
            fitting = [
                (shares.percent_of(game, company, number), -number)
                for number in shares.numbers(game, company, source)
                if number and shares.percent_of(game, company, number) <= room
            ]
            if fitting:
                yield Acquisition(company, -max(fitting)[1], source)
                break


def least(game: Game, sheet: InvestorSheet) -> tuple[str, int] | None:
    """The certificate of the lowest value that he may give away; of one value that of the company that acts last."""
    own = Investment.of(game).company
    for company in reversed(game.prices.order()):
        held = shares.held(game, company, INVESTOR)
        kept = sheet.own_least if company == own else 0
        room = game.definition.pool_limit - shares.held(game, company, POOL)
        may = [
            (shares.percent_of(game, company, number), number)
            for number in shares.numbers(game, company, INVESTOR)
            if number and shares.percent_of(game, company, number) <= min(room, held - kept)
        ]
        if may:
            return company, min(may)[1]
    return None


def acquisition(game: Game, sheet: InvestorSheet) -> Acquisition | None:
    """What he takes in his next turn as things are; None if there is nothing."""
    best = next(available(game, sheet), None)
    if best is None or shares.certificates(game, INVESTOR) < game.rules.limits.certificates(game, INVESTOR):
        return best
    given = least(game, sheet)
    if given is None or game.prices.value(best.company) <= game.prices.value(given[0]):
        return None
    return Acquisition(best.company, best.number, best.source, given)


def following(game: Game, sheet: InvestorSheet) -> Acquisition | None:
    """What he takes next; None if he has quit, or has as many as the phase allows in this round."""
    now = Acquired.seen(game)
    if now is not None and (now.quit or now.acquired >= sheet.purchases[game.phase.colour]):
        return None
    return acquisition(game, sheet)


@record("lra.acquired")
@dataclass(slots=True)
class Acquired(OfRound):
    """How many certificates the Investor has acquired in a stock round, and whether he has quit."""

    acquired: int = 0
    quit: bool = False


class AcquireStep(Step):
    """One certificate in each of his turns, as many in a round as the phase allows; then he has quit."""

    name = "acquire"

    def __init__(self, sheet: InvestorSheet) -> None:
        self.sheet = sheet

    def keeps(self) -> Keeps:
        return (Acquired,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, now = turn.game, Acquired.of(turn.game)
        if now.quit:
            return
        found = following(game, self.sheet)
        if found is None:
            now.quit = True
            game.emit(InvestorQuit())
            return
        now.acquired += 1
        Going.of(turn.game).acted = True
        self.acquire(game, found)

    def acquire(self, game: Game, found: Acquisition) -> None:
        company, own = found.company, Investment.of(game).company
        if found.given is not None:
            other, number = found.given
            game.emit(InvestorReplaced(other, shares.percent_of(game, other, number)))
            shares.move(game, other, number, POOL)
        percent = shares.percent_of(game, company, found.number)
        game.emit(InvestorAcquired(company, percent, found.source))
        if found.source == company != own:
            game.pay(BANK, company, shares.worth(game, company, percent), "share", company)
        shares.move(game, company, found.number, INVESTOR)
