"""18BL's vehicles on the track, and the use of the revenue."""

from __future__ import annotations

from engine import events as ev
from engine.board.faces import CITY, OFFBOARD, TOWN
from engine.definition import TrainType
from engine.game import Game
from engine.routes.legs import Node
from engine.routes.model import TrainRules
from engine.state import BANK, POOL
from engine.steps.run import DividendStep

#: Kinds of vehicles; the last is a rail bus with a trailer behind it.
TRAIN, RAILBUS, TRAILER, WITH_TRAILER = "train", "railbus", "trailer", "railbus with trailer"


class BlTrain(TrainRules):
    """A train or rail bus of a corporation: every stop counts, a rail bus has one city and no red field."""

    def __init__(self, game: Game, company: str, train: TrainType, colour: str) -> None:
        super().__init__(game.board, company, train.name, train.reach, colour)
        self.closed = game.rules.closed_hexes(game, company)
        self.is_bus = train.kind in (RAILBUS, WITH_TRAILER)
        self.trailer = train.kind == WITH_TRAILER
        self.factor = 2 if train.name in game.definition.tables.vehicles.run_twice else 1
        self.not_doubled = game.definition.tables.access.hex

    def kind(self, node: Node) -> str:
        return self.board.faces[node[0]].stops[node[1]].kind

    def within(self, cities: int, towns: int, end_towns: int) -> bool:
        return cities + towns + end_towns <= self.reach and not (self.is_bus and cities > 1)

    def barred(self, node: Node) -> bool:
        return node[0] in self.closed

    def may_end(self, node: Node) -> bool:
        return not (self.is_bus and self.kind(node) == OFFBOARD)

    def worth(self, node: Node, ferry: bool) -> tuple[int, int]:
        value, mark = super().worth(node, ferry)
        if self.trailer and self.kind(node) == TOWN and node[0] != self.not_doubled:
            value *= 2
        return value * self.factor, mark

    def starts(self) -> list[Node]:
        """A station on a red field serves trains only (R37)."""
        stations = super().starts()
        return [node for node in stations if self.kind(node) == CITY] if self.is_bus else stations


class BlDividendStep(DividendStep):
    """All, three quarters or nothing. The offering's part stays with the bank, the pool's goes to the treasury."""

    def share_of_75(self, game: Game, revenue: int) -> int:
        """What a 10 % share gets when not all is paid out: in whole Marks, rounded down (R20)."""
        percent: int = game.definition.tables.dividend.percent
        return revenue * percent // 1000

    def offers(self, game: Game, company: str, revenue: int) -> dict[str, dict[str, int]]:
        share = self.share_of_75(game, revenue)
        result = {"pay": {"revenue": revenue, "share": revenue // 10, "kept": 0}}
        if share:
            result["pay_75"] = {"revenue": revenue, "share": share, "kept": revenue - 10 * share}
        return {**result, "withhold": {"revenue": revenue, "share": 0, "kept": revenue}}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [*((player, player) for player in game.state.players), (POOL, company)]

    def settle(self, game: Game, company: str, revenue: int, kind: str) -> None:
        if kind != "pay_75":
            super().settle(game, company, revenue, kind)
            return
        payout = 10 * self.share_of_75(game, revenue)
        game.pay(BANK, company, revenue - payout, "kept revenue")
        game.emit(ev.RevenueKept(company, revenue - payout))
        self.pay_out(game, company, payout)
        if 100 * payout >= game.definition.tables.dividend.moves_at_percent * game.prices.value(company):
            self.move_price(game, company, payout)
        else:
            game.prices.to_bottom(company)

    def move_price(self, game: Game, company: str, dividend: int) -> None:
        """Right with a dividend, left without."""
        cell = game.company(company).price
        assert cell is not None
        if dividend:
            game.rules.move_price(game, company, game.prices.right(cell), "dividend")
        else:
            game.rules.move_price(game, company, game.prices.left(cell), "no dividend")
