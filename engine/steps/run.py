"""Running trains, and paying the revenue out or keeping it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from engine import events as ev
from engine.finance import shares
from engine.moves import Dividend, Run, TrainPath
from engine.offer import Choice, Domain, Option, Options, PassChoice, Picked
from engine.rounds.operating import Step, next_step, passed
from engine.routes.model import Route
from engine.state import BANK

if TYPE_CHECKING:
    from engine.game import Game


class RunChoice(Choice[Run]):
    """Run the company's trains along routes of the director's choice; the best set is suggested."""

    kind = Run

    def ask(self, picked: Picked) -> Domain | None:
        if "routes" in picked:
            return None
        best = self.game.best_routes(self.company)
        paths = tuple(TrainPath(route.train, route.path) for route in best.routes)
        revenue = self.game.rules.revenue(best.routes)
        return Options("routes", [Option(paths, {"revenue": revenue, "proved": best.proved})], open=True)

    def move(self, picked: Picked) -> Run:
        return Run(self.player, self.company, tuple(picked["routes"]))

    def routes(self, move: Run) -> list[Route]:
        """The routes of a move, each checked in full."""
        game = self.game
        router = game.router(self.company)
        result = []
        for path in move.routes:
            if path.train not in router.rules:
                raise game.refuse("", f"there is no train {path.train!r:.12}")
            result.append(router.trace(path.train, path.path))
        return result

    def check(self, move: Run) -> None:
        game = self.game
        if move.company != self.company:
            raise game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        used = Counter(path.train for path in move.routes)
        fleets = game.rules.fleets(game, self.company)
        if not any(used <= Counter(fleet) for fleet in fleets):
            raise game.refuse("run.trains", f"{self.company} cannot run {', '.join(used.elements()):.60} at once")
        taken = 0
        for route in self.routes(move):
            if route.mask & taken:
                raise game.refuse("route.shared", "two trains use the same track")
            taken |= route.mask
        if not move.routes and not game.rules.may_stand_still:
            raise game.refuse("run.all", f"{self.company} can run and must do so")
        if game.rules.must_run_all_trains and len(move.routes) < len(fleets[0]):
            most = game.most_trains(self.company)
            if len(move.routes) < most:
                raise game.refuse("run.all", f"{self.company} can run {most} of its trains and must do so")

    def perform(self, move: Run) -> None:
        game = self.game
        routes = self.routes(move)
        revenue = game.rules.revenue(routes)
        game.company(self.company).last_revenue = revenue
        game.state.round.turn["revenue"] = revenue
        game.emit(
            ev.TrainsRun(self.company, revenue, tuple((route.train, route.value, route.path) for route in routes))
        )
        game.rules.trains_ran(game, self.company, routes)
        next_step(game)


class RunStep(Step):
    """Run as many trains as possible."""

    name = "run"

    def choices(self, game: Game, company: str) -> list[Choice[Any]]:
        director = game.company(company).director
        result: list[Choice[Any]] = [RunChoice(game, director, company)]
        if game.rules.may_stand_still:
            result.append(PassChoice(game, director, company, lambda: passed(game, company)))
        return result

    def waiting(self, game: Game, company: str) -> bool:
        trains = set(game.rules.fleets(game, company)[0])
        if not trains:
            return False
        router = game.router(company)
        return any(router.any_route(train) for train in sorted(trains))

    def skipped(self, game: Game, company: str) -> None:
        game.company(company).last_revenue = 0


class DividendChoice(Choice[Dividend]):
    """Choose among the ways of using the revenue that the title knows."""

    kind = Dividend

    def __init__(self, game: Game, player: str, company: str, step: DividendStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "kind" in picked:
            return None
        offers = self.step.offers(self.game, self.company, self.game.state.round.turn["revenue"])
        return Options("kind", [Option(kind, facts) for kind, facts in offers.items()])

    def move(self, picked: Picked) -> Dividend:
        return Dividend(self.player, self.company, picked["kind"])

    def check(self, move: Dividend) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", f"{self.company} is operating, not {move.company}")
        offers = self.step.offers(self.game, self.company, self.game.state.round.turn["revenue"])
        if move.kind not in offers:
            raise self.game.refuse("dividend.kind", f"one may {' or '.join(offers)}, not {move.kind!r:.20}")

    def perform(self, move: Dividend) -> None:
        self.step.settle(self.game, self.company, self.game.state.round.turn["revenue"], move.kind)
        next_step(self.game)


class DividendStep(Step):
    """All or nothing: shares on the charter pay into the treasury, shares in the pool pay nothing."""

    name = "dividend"

    def offers(self, game: Game, company: str, revenue: int) -> dict[str, dict[str, int]]:
        """The ways of using a revenue, the most generous first, with what a person wants to know of each."""
        return {"pay": {"revenue": revenue}, "withhold": {"revenue": revenue}}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Whose shares earn, and whose account gets it."""
        return [(holder, holder) for holder in [*game.state.players, company]]

    def choices(self, game: Game, company: str) -> list[Choice[Any]]:
        return [DividendChoice(game, game.company(company).director, company, self)]

    def waiting(self, game: Game, company: str) -> bool:
        return bool(game.state.round.turn.get("revenue"))

    def skipped(self, game: Game, company: str) -> None:
        self.move_price(game, company, 0)

    def settle(self, game: Game, company: str, revenue: int, kind: str) -> None:
        if kind == "withhold":
            game.pay(BANK, company, revenue, "withheld revenue")
            game.emit(ev.RevenueKept(company, revenue))
            self.move_price(game, company, 0)
            return
        self.pay_out(game, company, revenue)
        self.move_price(game, company, revenue)

    def pay_out(self, game: Game, company: str, amount: int) -> None:
        """Divide a dividend among the shares that earn."""
        for holder, account in self.earners(game, company):
            percent = shares.held(game, company, holder)
            game.pay(BANK, account, amount * percent // 100, f"dividend of {company}")
        game.emit(ev.DividendPaid(company, amount))

    def move_price(self, game: Game, company: str, dividend: int) -> None:
        """At least the price: right. Less: to the bottom of the stack. Nothing: left."""
        cell = game.company(company).price
        assert cell is not None
        prices = game.prices
        if dividend >= prices.value(company):
            game.rules.move_price(game, company, prices.right(cell), "dividend")
        elif dividend:
            prices.to_bottom(company)
        else:
            game.rules.move_price(game, company, prices.left(cell), "no dividend")
