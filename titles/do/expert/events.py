"""What the special events do: each when it can be used, what is named for it, and what it brings."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

from engine.errors import Refused
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.offer import Picked
from engine.state import BANK
from titles.do.board.remembered import ExpertTurn, Reserved
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, delivering, stock
from titles.do.brewery.breweries import OrderSet
from titles.do.brewery.loading import Loading, available
from titles.do.brewery.selling import delivered
from titles.do.expert import bonuses, yields
from titles.do.expert.special import Special, UseEvent
from titles.do.expert.tables import expert

if TYPE_CHECKING:
    from titles.do.expert.brewing import ExpEquipmentStep

Ways = list[tuple[Any, ...]]
NOTHING_NAMED: Ways = [()]


def at(game: Game, step: str) -> bool:
    return game.state.round.step == step


class Fair(Special):
    """G: money for the treasury, at any time of the turn."""

    def ways(self, game: Game, company: str) -> Ways:
        return NOTHING_NAMED

    def use(self, game: Game, company: str, *values: Any) -> None:
        game.pay(BANK, company, expert(game).expert.fair, "event", self.code)

    def stops(self, step: str) -> bool:
        return step == "equipment"


class Advertising(Special):
    """H: before the round a wanted cube comes to lie on a brewery's equipment."""

    names = ("equipment", "segment", "customers")

    def ways(self, game: Game, company: str) -> Ways:
        t, beer = expert(game), breweries.beer(game)
        types = dict.fromkeys(breweries.equipment(game, company))
        return [(type_, *field) for type_ in types for field in delivering.reachable(t, beer, type_)]

    def facts(self, game: Game, company: str, picked: Picked, name: str, value: Any) -> dict[str, Any]:
        if name != "customers":
            return {}
        return {"brings": market.price(expert(game), (picked["segment"], value))}

    def use(self, game: Game, company: str, *values: Any) -> None:
        type_, number, customers = values
        breweries.beer(game).demand[customers][number - 1] -= 1
        Reserved.of(game).cubes[company] = (type_, number, customers, False)


class Exchange(Special):
    """A piece of equipment leaves when another is bought; the limit is kept."""

    names = ("equipment", "given")

    def __init__(self, code: str, step: ExpEquipmentStep) -> None:
        super().__init__(code)
        self.step = step

    @abstractmethod
    def givable(self, game: Game, company: str) -> list[str]:
        """The types of which a piece can be given."""

    def cost(self, game: Game, card: str, given: str) -> int:
        return price(game, card)

    def fitting(self, game: Game, company: str, card: str) -> Refused | None:
        """Why a card cannot be bought, apart from money and from the limit, which the exchange keeps."""
        refused = self.step.no_purchase(game, company, card)
        if refused is not None and refused.key == "equipment.limit":
            return self.step.wrong_card(game, company, card)
        return refused

    def ways(self, game: Game, company: str) -> Ways:
        return [
            (card, given)
            for card in on_sale(game)
            if at(game, self.step.name) and self.fitting(game, company, card) is None
            for given in self.givable(game, company)
            if self.cost(game, card, given) <= self.step.funds(game, company, self.cost(game, card, given))
        ]

    def facts(self, game: Game, company: str, picked: Picked, name: str, value: Any) -> dict[str, Any]:
        return {"price": self.cost(game, picked["equipment"], value)} if name == "given" else {}

    def refusal(self, game: Game, company: str, move: UseEvent) -> Refused:
        if not at(game, self.step.name) or move.equipment not in on_sale(game):
            return super().refusal(game, company, move)
        refused = self.fitting(game, company, move.equipment)
        if refused is not None:
            return refused
        if move.given not in self.givable(game, company):
            return Refused(f"special.{self.code}", "special.given", company=company, equipment=move.given)
        return self.step.too_dear(game, company, self.cost(game, move.equipment, move.given))

    def use(self, game: Game, company: str, *values: Any) -> None:
        card, given = values
        cost = self.cost(game, card, given)
        breweries.lose(game, company, given, "given_in")
        self.step.pay_for(game, company, card, cost)


class GivingIn(Exchange):
    """I: equipment that has done nothing in this turn is given in for new, and counts for its price."""

    def givable(self, game: Game, company: str) -> list[str]:
        return bonuses.idle(game, company)

    def cost(self, game: Game, card: str, given: str) -> int:
        return max(0, price(game, card) - expert(game).expert.trade_in_a_type * int(given))


class Premium(Special):
    """K: one cube of the turn brings the price of the next higher segment."""

    def segments(self, game: Game) -> list[int]:
        """The segments of which a cube can be premium beer: not the highest."""
        return [row.number for row in expert(game).segment][:-1]

    def ways(self, game: Game, company: str) -> Ways:
        if not at(game, "deliver"):
            return []
        t, beer, numbers = expert(game), breweries.beer(game), self.segments(game)
        served = [delivery.segment for delivery in delivered(game)]
        kept = Reserved.of(game).cubes.get(company)
        types = [type_ for type_, count in bonuses.free_units(game, company).items() if count]
        served += [field[0] for type_ in types for field in delivering.reachable(t, beer, type_)]
        return NOTHING_NAMED if {*served, *(kept[1:2] if kept else ())} & {*numbers} else []

    def use(self, game: Game, company: str, *values: Any) -> None:
        ExpertTurn.of(game).premium = self.segments(game)

    def stops(self, step: str) -> bool:
        return step == "deliver"


class Marketing(Special):
    """L: one place to the left in the new order."""

    def ways(self, game: Game, company: str) -> Ways:
        return NOTHING_NAMED if breweries.order(game).index(company) else []

    def use(self, game: Game, company: str, *values: Any) -> None:
        order = breweries.order(game)
        place = order.index(company)
        order[place - 1 : place + 1] = [company, order[place - 1]]
        game.emit(OrderSet(tuple(order)))


class Investor(Special):
    """M: a corporation sells one or two of its shares to the pool, and its price stays."""

    names = ("percent",)

    def parts(self, game: Game, company: str) -> dict[int, tuple[int, ...]]:
        return stock.saleable(game, company, expert(game).expert.investor_percent)

    def ways(self, game: Game, company: str) -> Ways:
        return [(percent,) for percent in self.parts(game, company)]

    def use(self, game: Game, company: str, *values: Any) -> None:
        percent = values[0]
        stock.sell(game, company, percent, self.parts(game, company)[percent])

    def stops(self, step: str) -> bool:
        return step == "equipment"


class ContractBrewing(Special):
    """N: somebody pays half the price for one or two cubes that nobody in Dortmund wanted."""

    def ways(self, game: Game, company: str) -> Ways:
        if not at(game, "deliver"):
            return []
        t, free = expert(game), bonuses.free_units(game, company)
        plan = yields.Extras(
            idle=t.expert.contract_cubes, idle_worth={type_: bonuses.idle_worth(game, type_) for type_ in free}
        )
        best = yields.best(t, breweries.beer(game), free, plan)
        return NOTHING_NAMED if plan.total(free, best) else []

    def use(self, game: Game, company: str, *values: Any) -> None:
        ExpertTurn.of(game).contracted = True

    def stops(self, step: str) -> bool:
        return step == "deliver"


class SecondShift(Special):
    """O: equipment delivers a cube more, from the stock and for half the price."""

    names = ("equipment", "segment")

    def ways(self, game: Game, company: str) -> Ways:
        if not at(game, "deliver") or not available(game):
            return []
        types = dict.fromkeys(breweries.equipment(game, company))
        return [(type_, number) for type_ in types for number in bonuses.open_segments(game, type_)]

    def facts(self, game: Game, company: str, picked: Picked, name: str, value: Any) -> dict[str, Any]:
        return {"brings": bonuses.half(game, value)} if name == "segment" else {}

    def use(self, game: Game, company: str, *values: Any) -> None:
        bonuses.take_cube(game, values[1])
        ExpertTurn.of(game).shift = (values[0], values[1])

    def stops(self, step: str) -> bool:
        return step == "deliver"


class TransportContract(Special):
    """P: the trains of one railway take export beer in this turn, whatever its director says."""

    names = ("railway",)

    def __init__(self, code: str, loading: Loading) -> None:
        super().__init__(code)
        #: What could be loaded if every director agreed.
        self.loading = loading

    def ways(self, game: Game, company: str) -> Ways:
        if not at(game, "deliver") or not available(game) or not self.loading.units(game, company):
            return []
        own = game.decider(company)
        railways = dict.fromkeys(railway for railway, _ in self.loading.targets(game))
        return [(railway,) for railway in railways if game.decider(railway) != own]

    def use(self, game: Game, company: str, *values: Any) -> None:
        ExpertTurn.of(game).contract = values[0]

    def stops(self, step: str) -> bool:
        return step == "deliver"
