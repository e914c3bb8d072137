"""The steps of the Investor's company (9.2.2): all is free, and most of it is prescribed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.board.tiling import Fit
from engine.finance.depot import leaves, on_sale, take
from engine.finance.prices import Split
from engine.game import Game
from engine.moves import Move, Pass
from engine.offer import Choice
from engine.remembered import Earned, Laid
from engine.rounds.turns import Question, Step, Turn
from engine.state import BANK, CLOSED
from engine.steps.run import AllOrNothing, DividendStep, Payout
from engine.steps.track import Permit
from titles.lra.harbour import HarbourStep, has_harbour_token
from titles.lra.seat import Investment
from titles.lra.tables import HARBOUR, InvestorSheet, Tables
from titles.lra.track import LraTrackStep
from titles.lra.way import missing


@dataclass(frozen=True, slots=True)
class RevenueLost(ev.Event):
    """What a company earns is paid to nobody."""

    company: str
    amount: int


# ---------------------------------------------------------------------- track


class InvestedTrack(LraTrackStep):
    """First the shortest way to the harbour, one tile of it in each turn; after that only upgrades."""

    def __init__(self, t: Tables, grant: Question) -> None:
        super().__init__(t, grant)
        self.harbours = t.harbour.reserved

    def cost(self, game: Game, permit: Permit, at: str) -> int:
        return 0

    def permits(self, game: Game, company: str) -> list[Permit]:
        """The ordinary lays; private companies of the card's holder are nothing to it."""
        return [permit for permit in super().permits(game, company) if not permit.private]

    def prescribed(self, game: Game, company: str, at: str, fit: Fit) -> bool:
        """Whether a lay shortens the way to the harbour, or upgrades something once there is one."""
        his = Investment.of(game)
        if his.joined:
            return game.board.faces[at].colour != "plain"
        goal = self.harbours[his.private]
        before, after = missing(game, company, goal), missing(game, company, goal, at, fit)
        return after is not None and (before is None or after < before)

    def no_fit(self, game: Game, company: str, permit: Permit, at: str, fit: Fit) -> str:
        key = super().no_fit(game, company, permit, at, fit)
        if key or self.prescribed(game, company, at, fit):
            return key
        return "investor.upgrade" if Investment.of(game).joined else "investor.way"

    def told(self, game: Game, company: str, at: str, fit: Fit) -> dict[str, Any]:
        return {**super().told(game, company, at, fit), "hex": self.harbours[Investment.of(game).private]}

    def obliged(self, game: Game, company: str) -> bool:
        if Investment.of(game).joined or "" in Laid.of(game).privates:
            return False
        return any(self.possible(game, company, permit) for permit in self.permits(game, company))

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass) and self.obliged(turn.game, turn.actor):
            his = Investment.of(turn.game)
            raise turn.game.refuse("investor.way.due", company=turn.actor, hex=self.harbours[his.private])
        super().explain(turn, move)


# ---------------------------------------------------------------------- stations


class InvestedStation(HarbourStep):
    """The harbour token as soon as it can be placed; other stations as the holder of the card likes."""

    def cost(self, game: Game, company: str, at: str) -> int:
        return 0

    def least_cost(self, game: Game, company: str) -> int:
        return 0

    def harbour_cost(self, game: Game, company: str, at: str) -> int:
        return 0

    def open_to(self, game: Game, company: str, at: str) -> bool:
        """Its own harbour; once its private is closed another one, if its own is not free."""
        his = Investment.of(game)
        own = self.table.reserved[his.private]
        if game.state.privates[his.private] != CLOSED or game.board.free_space(own, 0, company, HARBOUR):
            return at == own
        return True

    def places(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Ordinary stations, unless the harbour comes first; the harbour token is never turned over."""
        last = len(game.company(company).tokens_left) == 1 and has_harbour_token(game, company, self.table)
        return [] if last or self.harbour_places(game, company) else super().places(game, company)

    def check(self, game: Game, company: str, at: str, stop: int) -> None:
        due = self.harbour_places(game, company)
        if due:
            raise game.refuse("investor.harbour", company=company, hexes=tuple(due))
        if len(game.company(company).tokens_left) == 1 and has_harbour_token(game, company, self.table):
            raise game.refuse("investor.harbour.kept", company=company)
        super().check(game, company, at, stop)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        found = super().choices(turn)
        if self.harbour_places(turn.game, turn.actor):
            return [choice for choice in found if choice.name != "pass"]
        return found

    def explain(self, turn: Turn, move: Move) -> None:
        due = self.harbour_places(turn.game, turn.actor)
        if isinstance(move, Pass) and due:
            raise turn.game.refuse("investor.harbour", company=turn.actor, hexes=tuple(due))
        super().explain(turn, move)


# ---------------------------------------------------------------------- dividends


class PlayersEarn:
    """What is paid out as before, but the Investor's certificates earn nothing for anybody."""

    def __init__(self, plain: Payout) -> None:
        self.plain = plain

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        return self.plain.ways(game, company, revenue)

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        seatless = game.state.seatless
        return [(holder, account) for holder, account in self.plain.earners(game, company) if holder not in seatless]


class AlwaysPaid(AllOrNothing):
    """Everything to the players, or nothing to anybody in a turn with a train that lasts."""

    def __init__(self, sheet: InvestorSheet) -> None:
        self.sheet = sheet

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        lasting = [train for train in to_take(game, company, self.sheet) if not game.definition.train(train).rusts_on]
        return {"lost": Split(0, 0)} if lasting else {"pay": Split(revenue, 0)}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [(player, player) for player in game.state.seats]


class PaysOut(DividendStep):
    """It pays by itself; only what it will take decides."""

    def __init__(self, sheet: InvestorSheet) -> None:
        super().__init__(AlwaysPaid(sheet))

    def settle(self, game: Game, company: str, split: Split) -> None:
        if not split.paid:
            game.emit(RevenueLost(company, (Earned.of(game).revenue or 0)))
        super().settle(game, company, split)


# ---------------------------------------------------------------------- trains


def wanted(game: Game, company: str, sheet: InvestorSheet) -> str:
    """The train that it takes now: the smallest new one of a type that it has not; "" if it takes none."""
    trains = game.company(company).trains
    if len(trains) >= sheet.train_limit:
        return ""
    return next((train for train in on_sale(game) if train not in trains), "")


def take_train(game: Game, company: str, train: str) -> None:
    """Free, from the bank; it changes the phase as if it were bought."""
    take(game, train)
    game.company(company).trains.append(train)
    game.emit(ev.TrainBought(company, train, BANK, 0))
    leaves(game, train)


def to_take(game: Game, company: str, sheet: InvestorSheet) -> list[str]:
    """The trains that it will take at the end of its turn, as things are."""
    twin, result = game.copy(), []
    while train := wanted(twin, company, sheet):
        take_train(twin, company, train)
        result.append(train)
    return result


class ForcedTrains(Step):
    """Trains that it takes by itself, as long as it has room."""

    name = "trains"

    def __init__(self, sheet: InvestorSheet) -> None:
        self.sheet = sheet

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        """One after the other; what a train brings for others is decided before the next."""
        game, company = turn.game, turn.actor
        while not game.state.pauses and (train := wanted(game, company, self.sheet)):
            take_train(game, company, train)
