"""Running trains, and paying the revenue out or keeping it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from engine import events as ev
from engine.finance import shares
from engine.finance.prices import Split, rules_of
from engine.moves import Dividend, Move, Pass, Run, TrainPath
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Earned
from engine.rounds.turns import Step, Turn
from engine.routes.model import Route, RouteSet
from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game


class RunChoice(Choice[Run]):
    """Run the company's trains along routes of the decider's choice; the best set is suggested."""

    kind = Run

    def ask(self, picked: Picked) -> Domain | None:
        if "routes" in picked:
            return None
        best = self.suggested()
        paths = tuple(TrainPath(route.train, route.path) for route in best.routes)
        revenue = self.game.rules.trains.revenue(best.routes)
        return Options("routes", [Option(paths, {"revenue": revenue, "proved": best.proved})], open=True)

    def judged(self) -> bool:
        """Whether a rule measures the run by the best routes: then they are searched as rules do, and suggested."""
        return False

    def suggested(self) -> RouteSet:
        """The best routes as far as they are known; searched, if they are not."""
        return self.game.best_routes(self.company) if self.judged() else self.game.advice(self.company)

    def known(self) -> bool:
        """Whether the run can be asked for, and checked, without a search."""
        return (self.game.runs_known if self.judged() else self.game.runs_advised)(self.company)

    def search(self, enough: Callable[[], bool], interrupted: Callable[[], bool]) -> None:
        """Let the game know what asking for the run and checking it needs.

        It is cut short when it was enough, where that is only advice; else when it is interrupted, and is not known.
        """
        if self.judged():
            self.game.search_best(self.company, interrupted)
        else:
            self.game.advice(self.company, lambda: interrupted() or enough())
        self.game.most_trains(self.company)

    def move(self, picked: Picked) -> Run:
        return Run(self.player, self.company, tuple(picked["routes"]))

    def routes(self, move: Run) -> tuple[Route, ...]:
        """The routes of a move, each checked in full."""
        return self.game.routes(self.company, move.routes)

    def check(self, move: Run) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", company=self.company, other=move.company)
        trains = game.rules.trains
        used = tuple(path.train for path in move.routes)
        if not trains.may_run(game, self.company, used):
            raise game.refuse("run.trains", company=self.company, trains=used)
        if any(one.mask & other.mask for one, other in combinations(self.routes(move), 2)):
            raise game.refuse("route.shared")
        if not move.routes and trains.must_run != "none":
            raise game.refuse("run.all", company=self.company)
        if trains.must_run == "all" and len(move.routes) < len(trains.fleets(game, self.company)[0]):
            most = self.most()
            if len(move.routes) < most:
                raise game.refuse("run.all.most", company=self.company, most=most)

    def most(self) -> int:
        """How many trains the company can run at once."""
        return self.game.most_trains(self.company)

    def perform(self, move: Run) -> None:
        game = self.game
        routes = self.routes(move)
        revenue = game.rules.trains.revenue(routes)
        game.company(self.company).last_revenue = revenue
        Earned.of(game).revenue = revenue
        game.emit(
            ev.TrainsRun(self.company, revenue, tuple((route.train, route.value, route.path) for route in routes))
        )
        game.turn.advance()


class BestRunChoice(RunChoice):
    """Run the company's trains along the best routes, or others that earn as much."""

    def judged(self) -> bool:
        return True

    def check(self, move: Run) -> None:
        super().check(move)
        game = self.game
        revenue = game.rules.trains.revenue
        best = revenue(game.best_routes(self.company).routes)
        if revenue(self.routes(move)) < best:
            raise game.refuse("run.best", company=self.company, best=best)


class RunStep(Step):
    """Run trains; who has no route earns nothing. `run` is the choice that the decider has."""

    name = "run"

    def __init__(self, run: type[RunChoice] = RunChoice) -> None:
        self.run = run

    def keeps(self) -> Keeps:
        return (Earned,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        result: list[Choice[Any]] = [self.run(turn.game, turn.decider, turn.actor)]
        if turn.game.rules.trains.must_run == "none":
            result.append(turn.passing())
        return result

    def waiting(self, turn: Turn) -> bool:
        trains = set(turn.game.rules.trains.fleets(turn.game, turn.actor)[0])
        if not trains:
            return False
        return any(turn.game.any_route(turn.actor, train) for train in sorted(trains))

    def skipped(self, turn: Turn) -> None:
        turn.game.company(turn.actor).last_revenue = 0

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass):
            raise turn.game.refuse("run.all", company=turn.actor)


class IncomeStep(Step):
    """What a company earns that runs no trains; it goes by itself."""

    name = "income"

    def __init__(self, income: Callable[[Turn], int]) -> None:
        self.income = income

    def keeps(self) -> Keeps:
        return (Earned,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        revenue = self.income(turn)
        turn.game.company(turn.actor).last_revenue = revenue
        Earned.of(turn.game).revenue = revenue


# ---------------------------------------------------------------------- dividends


class Payout(Protocol):
    """The ways of using a revenue, and whose shares earn."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        """By name, the most generous first; with one way nobody is asked."""
        ...

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Whose shares earn, and whose account gets it."""
        ...


class AllOrNothing:
    """Everything is paid out or kept: shares on the charter pay into the treasury, shares in the pool nothing."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        return {"pay": Split(revenue, 0), "withhold": Split(0, revenue)}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [(holder, holder) for holder in [*game.state.players, company]]


class HalfOrNothing(AllOrNothing):
    """A company of one owner pays half, or keeps everything."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        half = revenue // 2
        return {"half": Split(half, revenue - half), "withhold": Split(0, revenue)}


class DividendChoice(Choice[Dividend]):
    """Choose among the ways of using the revenue that the title knows."""

    kind = Dividend

    def __init__(self, game: Game, player: str, company: str, step: DividendStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ways(self) -> dict[str, Split]:
        return self.step.payout.ways(self.game, self.company, Earned.of(self.game).revenue or 0)

    def ask(self, picked: Picked) -> Domain | None:
        if "kind" in picked:
            return None
        unit = shares.unit(self.game, self.company)
        return Options(
            "kind",
            [
                Option(
                    kind,
                    {"revenue": split.paid + split.kept, "share": split.paid * unit // 100, "kept": split.kept},
                )
                for kind, split in self.ways().items()
            ],
        )

    def move(self, picked: Picked) -> Dividend:
        return Dividend(self.player, self.company, picked["kind"])

    def check(self, move: Dividend) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        ways = self.ways()
        if move.kind not in ways:
            raise self.game.refuse("dividend.kind", ways=tuple(ways), kind=move.kind)

    def perform(self, move: Dividend) -> None:
        self.step.settle(self.game, self.company, self.ways()[move.kind])
        self.game.turn.advance()


class DividendStep(Step):
    """Use the revenue of the turn as the payout policy allows; then the price moves."""

    name = "dividend"

    def __init__(self, payout: Payout | None = None) -> None:
        self.payout: Payout = payout or AllOrNothing()

    def keeps(self) -> Keeps:
        return (Earned,)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return [DividendChoice(turn.game, turn.decider, turn.actor, self)]

    def waiting(self, turn: Turn) -> bool:
        revenue = Earned.of(turn.game).revenue
        return bool(turn.decider and revenue) and len(self.payout.ways(turn.game, turn.actor, revenue or 0)) > 1

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, Pass):
            raise turn.game.refuse("dividend.kind.first", company=turn.actor)

    def skipped(self, turn: Turn) -> None:
        game, company = turn.game, turn.actor
        revenue = Earned.of(turn.game).revenue
        if revenue:
            self.settle(game, company, next(iter(self.payout.ways(game, company, revenue).values())))
        elif game.company(company).price is not None:
            rules_of(game, company).dividend(game, company, Split(0, 0))

    def settle(self, game: Game, company: str, split: Split) -> None:
        if split.kept:
            game.pay(BANK, company, split.kept, "kept" if split.paid else "withheld")
            game.emit(ev.RevenueKept(company, split.kept))
        if split.paid:
            self.pay_out(game, company, split.paid)
        if game.company(company).price is not None:
            rules_of(game, company).dividend(game, company, split)

    def pay_out(self, game: Game, company: str, amount: int) -> None:
        """Divide a dividend among the shares that earn."""
        for holder, account in self.payout.earners(game, company):
            percent = shares.held(game, company, holder)
            game.pay(BANK, account, amount * percent // 100, "dividend", company)
        game.emit(ev.DividendPaid(company, amount))
