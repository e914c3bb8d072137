"""18BL's purchase of vehicles: two kinds and trailers, their limits, the duty to own one, the forced purchase."""

from __future__ import annotations

from engine.board.faces import COLOURS
from engine.finance.depot import counting, price
from engine.game import Game
from engine.moves import BuyTrain
from engine.state import BANK, POOL
from engine.steps.trains import TrainStep
from titles.bl.running import RAILBUS, TRAILER


class VehicleStep(TrainStep):
    """Treasury, then the director's cash, then his certificates; who cannot pay is bankrupt."""

    own_shares_first = False
    credit = False

    def must_own_train(self, game: Game, company: str) -> bool:
        return True

    def may_trade(self, game: Game) -> bool:
        since = game.definition.tables.vehicles.trade_from
        return COLOURS.index(game.phase.colour) >= COLOURS.index(since)

    # ------------------------------------------------------------------ limits

    def room(self, game: Game, company: str, train: str) -> bool:
        kinds = [game.definition.train(t).kind for t in game.company(company).trains]
        if game.definition.train(train).kind == TRAILER:
            limit: int = game.definition.tables.vehicles.trailer_limit
            return RAILBUS in kinds and kinds.count(TRAILER) < limit
        return not game.state.round.turn.get("full") and super().room(game, company, train)

    def check_room(self, game: Game, company: str, train: str) -> None:
        if game.definition.train(train).kind == TRAILER and not self.room(game, company, train):
            kinds = [game.definition.train(t).kind for t in game.company(company).trains]
            if RAILBUS not in kinds:
                raise game.refuse("trailer.bus", f"{company} has no rail bus that could draw a trailer")
            raise game.refuse("trailer.limit", f"{company} may own no more trailers")
        super().check_room(game, company, train)

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """A purchase may exceed the limit of the phase it begins; the surplus goes to the pool (R22)."""
        return True

    def note_limit(self, game: Game, company: str, train: str) -> None:
        """Who reaches the limit buys no more in this turn, even if some vehicles vanish (BL-8.8.1-j)."""
        if game.rules.counts_as_train(train) and len(counting(game, company)) + 1 >= game.phase.train_limit:
            game.state.round.turn["full"] = True

    def buy(self, game: Game, company: str, move: BuyTrain) -> None:
        if move.source in (BANK, POOL):
            self.note_limit(game, company, move.train)
        super().buy(game, company, move)

    def trade(self, game: Game, company: str, train: str, seller: str, amount: int) -> None:
        self.note_limit(game, company, train)
        super().trade(game, company, train, seller, amount)

    # ------------------------------------------------------------------ forced purchase

    def forced_choice(self, game: Game, trains: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """The cheapest train and the cheapest rail bus on offer; only if there is none, the cheapest of the pool."""
        new: dict[str, str] = {}
        for train in sorted((t for source, t in trains if source == BANK), key=lambda t: price(game, t)):
            new.setdefault(game.definition.train(train).kind, train)
        if new:
            return [(BANK, train) for train in new.values()]
        pool = [train for source, train in trains if source == POOL]
        return [(POOL, min(pool, key=lambda t: price(game, t)))] if pool else []

    def may_be_sold(self, game: Game, company: str) -> bool:
        return game.company(company).operated and company not in game.state.round.turn.get("sold", ())

    def may_change_director(self, game: Game, company: str, name: str) -> bool:
        return name != company

    def raisable(self, game: Game, company: str) -> dict[str, int]:
        """The most that each corporation's shares can bring their holder in one sale."""
        most: dict[str, int] = {}
        for name, percent, _ in self.saleable(game, company):
            most[name] = max(most.get(name, 0), game.prices.value(name) * percent // 10)
        return most

    def target(self, game: Game, company: str) -> int:
        """The dearest vehicle that cash and sales can pay (R55)."""
        most = self.funds(game, company) + sum(self.raisable(game, company).values())
        floor = game.state.round.turn.get("floor", -1)
        prices = [price(game, train) for _, train in self.forced(game, company)]
        return max((amount for amount in prices if floor < amount <= most), default=0)

    def director_sales(self, game: Game, company: str) -> list[tuple[str, int]]:
        """Only sales after which one of the vehicles can still be paid, as each corporation is sold once."""
        sales = super().director_sales(game, company)
        if not sales:
            return []
        most = self.raisable(game, company)
        funds, total = self.funds(game, company), sum(most.values())
        prices = [price(game, train) for _, train in self.forced(game, company)]
        result = []
        for name, percent in sales:
            value = game.prices.value(name)
            floor = funds + value * (percent - 10) // 10
            after = funds + value * percent // 10 + total - most[name]
            if any(floor < amount <= after for amount in prices):
                result.append((name, percent))
        return result
