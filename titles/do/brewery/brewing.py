"""The turn of a brewery: give up equipment, deliver beer, load export beer, use the income, buy equipment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance.depot import on_sale, price
from engine.finance.prices import Split
from engine.finance.raising import BankruptChoice, Need, Raising
from engine.game import Game
from engine.moves import Move, Pass, register
from engine.offer import Choice, Domain, Option, Options, Picked
from engine.records import Keeps
from engine.remembered import Earned
from engine.rounds.turns import OnceRound, Step, Steps, Turn
from engine.state import BANK
from titles.do.board.prices import RoundedOrNothing
from titles.do.board.remembered import Purchases, SoldBeer
from titles.do.board.trains import NewCards
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, capex, delivering, loading
from titles.do.brewery.beer import CUSTOMERS, Field
from titles.do.brewery.breweries import BREWERY, MINOR, DropEquipmentChoice, GiveUpEquipment
from titles.do.brewery.data import tables
from titles.do.brewery.delivering import Delivery
from titles.do.brewery.loading import LoadChoice, LoadExport, Loading
from titles.do.brewery.selling import Selling, delivered, used
from titles.do.brewery.weighing import Forgone, forgone


@register("deliver_beer")
@dataclass(frozen=True, slots=True)
class DeliverBeer(Move):
    """Deliver one cube with a unit of equipment; `customers` are regular or new ones of the segment."""

    company: str
    equipment: str
    segment: int
    customers: str


@register("deliver_best")
@dataclass(frozen=True, slots=True)
class DeliverBest(Move):
    """Deliver all that is left to deliver, for the most money."""

    company: str


@register("buy_equipment")
@dataclass(frozen=True, slots=True)
class BuyEquipment(Move):
    """Buy a card as equipment."""

    company: str
    equipment: str


@dataclass(frozen=True, slots=True)
class BeerDelivered(ev.Event):
    """Cubes for Dortmund, written `3 regular`."""

    company: str
    cubes: tuple[str, ...]
    amount: int
    #: The equipment of the unit that made each of them.
    equipment: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class EquipmentBought(ev.Event):
    company: str
    equipment: str
    price: int


@dataclass(frozen=True, slots=True)
class OwnerAdded(ev.Event):
    """The owner of a small brewery pays a part of its equipment."""

    player: str
    company: str
    amount: int


# ---------------------------------------------------------------------- delivering


class DeliverBestChoice(Choice[DeliverBest]):
    """DO-6.5.2.3-a: deliver everything in the best way."""

    kind = DeliverBest
    quick = True

    def __init__(self, game: Game, player: str, company: str, step: DeliverStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    @property
    def tells(self) -> dict[str, str]:
        """What all cubes bring: those of one price together, the dearest first; what export first would add."""
        t = tables(self.game)
        prices = Counter(market.price(t, delivery.field) for delivery in self.step.best(self.game, self.company))
        parts = [
            f"{count}×{price}" if count > 1 else str(price) for price, count in sorted(prices.items(), reverse=True)
        ]
        total = sum(price * count for price, count in prices.items())
        told = {"cubes_bring": str(total) if len(parts) == 1 else f"{' + '.join(parts)} = {total}"}
        missed = self.step.forgone(self.game, self.company)
        return told if missed is None else {**told, "export_more": str(missed.more)}

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> DeliverBest:
        return DeliverBest(self.player, self.company)

    def check(self, move: DeliverBest) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)

    def perform(self, move: DeliverBest) -> None:
        self.step.deliver(self.game, self.company, self.step.best(self.game, self.company))


class DeliverChoice(Choice[DeliverBeer]):
    """DO-6.5.2.3-a: deliver one cube: which equipment, to whom."""

    kind = DeliverBeer

    def __init__(self, game: Game, player: str, company: str, step: DeliverStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def fields(self, equipment: str) -> list[Field]:
        return self.step.fields(self.game, self.company, equipment)

    def ask(self, picked: Picked) -> Domain | None:
        t = tables(self.game)
        if "equipment" not in picked:
            free, due = self.step.free_units(self.game, self.company), self.step.due(self.game, self.company)
            return Options("equipment", [Option(type_, {"units": free[type_]}) for type_ in due])
        fields = self.fields(picked["equipment"])
        if "segment" not in picked:
            return Options("segment", [Option(number) for number in dict.fromkeys(number for number, _ in fields)])
        if "customers" not in picked:
            number = picked["segment"]
            return Options(
                "customers",
                [
                    Option(customers, {"brings": market.price(t, (number, customers))})
                    for customers in CUSTOMERS
                    if (number, customers) in fields
                ],
            )
        return None

    def move(self, picked: Picked) -> DeliverBeer:
        return DeliverBeer(self.player, self.company, picked["equipment"], picked["segment"], picked["customers"])

    def check(self, move: DeliverBeer) -> None:
        game, company = self.game, self.company
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if not self.step.free_units(game, company).get(move.equipment):
            raise game.refuse("deliver.units", company=company, equipment=move.equipment)
        if move.segment > tables(game).types[move.equipment].reach:
            raise game.refuse("deliver.reach", equipment=move.equipment, segment=move.segment)
        field = move.segment, move.customers
        if field not in market.wanted(breweries.beer(game)):
            raise game.refuse("deliver.demand", segment=move.segment, customers=move.customers)
        refused = self.step.selling.too_early(game, self.step.free_units(game, company), field)
        if refused is not None:
            raise refused

    def perform(self, move: DeliverBeer) -> None:
        self.step.deliver(self.game, self.company, [Delivery(move.equipment, move.segment, move.customers)])


class GiveUpChoice(DropEquipmentChoice):
    """DO-6.5.2.2-a: give up equipment before anything is delivered."""

    def __init__(self, game: Game, player: str, company: str, selling: Selling) -> None:
        super().__init__(game, player, company)
        self.selling = selling

    def check(self, move: GiveUpEquipment) -> None:
        super().check(move)
        refused = self.selling.no_disposal(self.game, self.company)
        if refused is not None:
            raise refused

    def perform(self, move: GiveUpEquipment) -> None:
        SoldBeer.of(self.game).given_up += 1
        super().perform(move)


class DeliverStep(Step):
    """DO-6.5.2.1-a: deliver to Dortmund whatever can be delivered; give equipment up before; name export beer.

    A unit may be named as long as it has not delivered (R-57).
    """

    name = "deliver"

    def __init__(self, loading: Loading, selling: Selling) -> None:
        self.loading = loading
        self.selling = selling

    def keeps(self) -> Keeps:
        return (SoldBeer,)

    # ------------------------------------------------------------------ what there is to deliver

    def free_units(self, game: Game, company: str) -> dict[str, int]:
        """The units of a brewery that have neither delivered nor been named for export."""
        return delivering.units(tables(game), breweries.equipment(game, company), used(game))

    def fields(self, game: Game, company: str, equipment: str) -> list[Field]:
        """The demand fields to which a unit of a type may deliver now."""
        return self.selling.fields(game, company, self.free_units(game, company), equipment)

    def due(self, game: Game, company: str) -> list[str]:
        """The types of equipment that have something to deliver."""
        free = self.free_units(game, company)
        return [type_ for type_, count in free.items() if count and self.selling.fields(game, company, free, type_)]

    def best(self, game: Game, company: str) -> list[Delivery]:
        """The deliveries that bring most for what is left to deliver."""
        return self.selling.best(game, company, self.free_units(game, company))

    def could_deliver(self, game: Game, company: str) -> tuple[int, int]:
        """How many cubes a brewery could deliver at best as the market stands, and what they would bring."""
        return self.selling.could_deliver(game, company)

    def deliver(self, game: Game, company: str, deliveries: list[Delivery]) -> None:
        for delivery in deliveries:
            market.deliver(breweries.beer(game), delivery.field)
        equipment = tuple(d.equipment for d in deliveries)
        SoldBeer.of(game).delivered += [(d.equipment, d.segment, d.customers) for d in deliveries]
        cubes = tuple(f"{d.segment} {d.customers}" for d in deliveries)
        game.emit(BeerDelivered(company, cubes, delivering.earned(tables(game), deliveries), equipment))

    def close(self, game: Game, company: str) -> None:
        """What is left to do when the deliveries are over."""

    def brings(self, game: Game, company: str, deliveries: list[Delivery]) -> int:
        """What these deliveries would bring now, with all that comes on top."""
        return delivering.earned(tables(game), deliveries)

    def forgone(self, game: Game, company: str) -> Forgone | None:
        """What is given away by delivering everything before beer is named for export."""
        return forgone(self, game, company)

    def earned(self, game: Game, company: str) -> int:
        """What the deliveries of the turn bring."""
        return delivering.earned(tables(game), delivered(game))

    # ------------------------------------------------------------------ the step

    def may_load(self, game: Game, company: str) -> bool:
        """Whether a cube can be named for export."""
        return self.loading.possible(game, company)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company, player = turn.game, turn.actor, turn.decider
        result: list[Choice[Any]] = []
        must = self.due(game, company)
        if must:
            result += [DeliverBestChoice(game, player, company, self), DeliverChoice(game, player, company, self)]
        if self.may_load(game, company):
            result.append(LoadChoice(game, player, company, self.loading, self.selling.agreed))
        if breweries.equipment(game, company) and self.selling.no_disposal(game, company) is None:
            result.append(GiveUpChoice(game, player, company, self.selling))
        if not must:
            result.append(turn.passing())
        return result

    def done(self, turn: Turn) -> bool:
        """Whether everything is delivered or named that could be."""
        game, company = turn.game, turn.actor
        return bool(used(game)) and not self.due(game, company) and not self.may_load(game, company)

    def explain(self, turn: Turn, move: Move) -> None:
        game, company, player = turn.game, turn.actor, move.player
        if getattr(move, "company", company) != company:
            return
        if isinstance(move, Pass):
            raise game.refuse("deliver.duty", company=company)
        if isinstance(move, DeliverBest):
            raise game.refuse("deliver.nothing", company=company)
        if isinstance(move, DeliverBeer):
            DeliverChoice(game, player, company, self).check(move)
        if isinstance(move, LoadExport):
            LoadChoice(game, player, company, self.loading, self.selling.agreed).check(move)
        if isinstance(move, GiveUpEquipment):
            GiveUpChoice(game, player, company, self.selling).check(move)


class BeerIncomeStep(Step):
    """DO-6.5.2.5-a: export cubes that were named are loaded; then all that was delivered and loaded is income."""

    name = "income"

    def __init__(self, deliveries: DeliverStep) -> None:
        self.deliveries = deliveries

    def keeps(self) -> Keeps:
        return (SoldBeer, Earned)

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company, t = turn.game, turn.actor, tables(turn.game)
        self.deliveries.close(game, company)
        loading.load(game, company)
        self.deliveries.selling.done(turn)
        revenue = self.deliveries.earned(game, company) + len(loading.exported(game)) * t.beer.export_price
        game.company(company).last_revenue = revenue
        Earned.of(turn.game).revenue = revenue


class HalfRounded(RoundedOrNothing):
    """DO-6.5.2.5-b: a small brewery pays half of its rounded income to its owner, or keeps everything."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        half = (revenue - revenue % self.multiple) // 2
        pay = {"half": Split(half, revenue - half)} if half else {}
        return {**pay, "withhold": Split(0, revenue)}


# ---------------------------------------------------------------------- buying equipment


class EquipmentChoice(Choice[BuyEquipment]):
    """DO-6.5.2.6-a: buy a card as equipment."""

    kind = BuyEquipment

    def __init__(self, game: Game, player: str, company: str, step: EquipmentStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        if "equipment" in picked:
            return None
        game, company = self.game, self.company
        return Options("equipment", [Option(card, self.facts(card)) for card in self.step.affordable(game, company)])

    def facts(self, card: str) -> dict[str, int]:
        """The price, and what of it owner or director add."""
        cost = price(self.game, card)
        missing = cost - self.game.state.cash[self.company]
        if missing <= 0:
            return {"price": cost}
        minor = breweries.kind(self.game, self.company) == MINOR
        return {"price": cost, "owner_adds" if minor else "director_adds": missing}

    def move(self, picked: Picked) -> BuyEquipment:
        return BuyEquipment(self.player, self.company, picked["equipment"])

    def check(self, move: BuyEquipment) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check(self.game, self.company, move.equipment)

    def perform(self, move: BuyEquipment) -> None:
        self.step.buy(self.game, self.company, move.equipment)


#: The most that the owner of a small brewery adds to a price.
OwnerAdds = Callable[[Game, str, int], int]


def half(game: Game, company: str, cost: int) -> int:
    """DO-6.5.2.6-c: a part of the price."""
    return cost * tables(game).hsb.owner_adds_percent // 100


def half_or_all(game: Game, company: str, cost: int) -> int:
    """DO-6.5.2.7-a: a part of the price while the brewery has equipment, without any as much as it takes."""
    return half(game, company, cost) if breweries.equipment(game, company) else cost


class EquipmentStep(Step):
    """DO-6.5.2.6-a: buy equipment; a corporation without any must, and raises the money if need be."""

    name = "equipment"

    def __init__(self, raising: Raising, new: NewCards, owner_adds: OwnerAdds) -> None:
        self.raising = raising
        self.new = new
        self.owner_adds = owner_adds

    def keeps(self) -> Keeps:
        return (Purchases,)

    # ------------------------------------------------------------------ what may be bought

    def room(self, game: Game, company: str) -> bool:
        """Whether a brewery may own one more piece."""
        return len(breweries.equipment(game, company)) < breweries.limit(game, company)

    def no_purchase(self, game: Game, company: str, card: str) -> Refused | None:
        """Why a brewery may not buy a card, money apart."""
        if card not in game.state.depot.left:
            return game.refuse("unknown.equipment", equipment=card)
        if Purchases.of(game).bought >= self.new(game, card):
            return game.refuse("equipment.one", company=company, cards=self.new(game, card))
        if not self.room(game, company):
            return game.refuse("equipment.limit", company=company, limit=breweries.limit(game, company))
        return self.wrong_card(game, company, card)

    def wrong_card(self, game: Game, company: str, card: str) -> Refused | None:
        """Why a brewery may not buy just this card."""
        t = tables(game)
        if card not in on_sale(game):
            return game.refuse("train.order.equipment", train=card)
        if breweries.kind(game, company) == MINOR and not t.types[card].minors:
            return game.refuse("equipment.minor", company=company, equipment=card)
        return None

    def cards(self, game: Game, company: str) -> list[str]:
        """The cards that a brewery may buy, whether or not it can pay them."""
        return [card for card in on_sale(game) if self.no_purchase(game, company, card) is None]

    def funds(self, game: Game, company: str, cost: int) -> int:
        """What a brewery can pay of a price when nothing is raised: the owner of a small one adds to its treasury."""
        cash = game.state.cash[company]
        if breweries.kind(game, company) != MINOR:
            return cash
        return cash + min(game.state.cash[game.owner(company)], self.owner_adds(game, company, cost))

    def lacking(self, game: Game, company: str) -> bool:
        """Whether a corporation has no equipment and there is some to be had."""
        return (
            breweries.kind(game, company) == BREWERY
            and not breweries.equipment(game, company)
            and bool(self.cards(game, company))
        )

    def forced(self, game: Game, company: str) -> list[str]:
        """The cards among which a forced purchase chooses: the lowest on display; none when it is none."""
        if not self.lacking(game, company):
            return []
        cards = self.cards(game, company)
        if not self.raising.begun(game) and any(price(game, card) <= game.state.cash[company] for card in cards):
            return []
        return cards[:1]

    def raises_money(self, turn: Turn) -> bool:
        """Whether the company has to find money for equipment now."""
        return turn.game.state.round.step == self.name and bool(self.forced(turn.game, turn.actor))

    def need(self, game: Game, company: str, cards: list[str]) -> Need:
        return self.raising.need(game, company, [price(game, card) for card in cards])

    def affordable(self, game: Game, company: str) -> list[str]:
        """The cards that a brewery can pay now."""
        forced = self.forced(game, company)
        if forced:
            payable = self.raising.payable(self.need(game, company, forced))
            return [card for card in forced if price(game, card) in payable]
        prices = {card: price(game, card) for card in self.cards(game, company)}
        return [card for card, cost in prices.items() if cost <= self.funds(game, company, cost)]

    def must_buy(self, game: Game, company: str) -> bool:
        """Whether the turn may not end without a purchase: a small brewery only if its treasury suffices."""
        if breweries.equipment(game, company):
            return False
        if breweries.kind(game, company) == BREWERY:
            return self.lacking(game, company)
        return any(price(game, card) <= game.state.cash[company] for card in self.cards(game, company))

    def check(self, game: Game, company: str, card: str) -> None:
        refused = self.no_purchase(game, company, card)
        if refused is not None:
            raise refused
        cost, forced = price(game, card), self.forced(game, company)
        if not forced:
            if cost > self.funds(game, company, cost):
                raise self.too_dear(game, company, cost)
            return
        if card not in forced:
            raise game.refuse("forced.choice.equipment", train=forced[0])
        need = self.need(game, company, forced)
        if cost > self.raising.funds(need):
            raise game.refuse("forced.order", cost=cost)
        if cost not in self.raising.payable(need):
            raise game.refuse("forced.no_more.raised")

    def too_dear(self, game: Game, company: str, cost: int) -> Refused:
        cash = game.state.cash[company]
        if breweries.kind(game, company) == MINOR:
            return game.refuse("equipment.money.minor", company=company, cash=cash, cost=cost)
        return game.refuse("equipment.money", company=company, cash=cash, cost=cost)

    def buy(self, game: Game, company: str, card: str) -> None:
        self.pay_for(game, company, card, price(game, card))

    def pay_for(self, game: Game, company: str, card: str, cost: int) -> None:
        """A card comes to a brewery at a price."""
        missing = cost - game.state.cash[company]
        if breweries.kind(game, company) == MINOR and missing > 0:
            owner = game.owner(company)
            game.pay(owner, company, missing, "owner_adds", company)
            game.emit(OwnerAdded(owner, company, missing))
        else:
            self.raising.pay(self.raising.need(game, company, [cost]), cost)
        game.pay(company, BANK, cost, "equipment", card)
        Purchases.of(game).bought += 1
        breweries.add(game, company, card)
        game.emit(EquipmentBought(company, card, cost))
        capex.use(game, card)

    # ------------------------------------------------------------------ the step

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company, player = turn.game, turn.actor, turn.decider
        result: list[Choice[Any]] = []
        cards = self.affordable(game, company)
        if cards:
            result.append(EquipmentChoice(game, player, company, self))
        forced = self.forced(game, company)
        if forced:
            need = self.need(game, company, forced)
            sources = self.raising.choices(need)
            result += sources
            if not sources and not cards:
                result.append(BankruptChoice(need))
        if not self.must_buy(game, company):
            result.append(turn.passing())
        return result

    def explain(self, turn: Turn, move: Move) -> None:
        game, company = turn.game, turn.actor
        if isinstance(move, BuyEquipment) and move.company == company:
            self.check(game, company, move.equipment)
        forced = self.forced(game, company)
        if forced:
            self.raising.refuse_sale(self.need(game, company, forced), move)
        if isinstance(move, Pass) and self.must_buy(game, company):
            if breweries.kind(game, company) == MINOR:
                raise game.refuse("equipment.duty.minor", company=company)
            raise game.refuse("equipment.duty", company=company)
        if isinstance(move, GiveUpEquipment) and move.company == company:
            raise game.refuse("equipment.late", company=company)


# ---------------------------------------------------------------------- the round


class BrewingRound(OnceRound):
    """DO-6.5.2-a: breweries act by their order tokens; then the order is set anew and the demand prepared."""

    def __init__(
        self,
        steps: dict[str, Steps],
        selling: Selling,
        rank: breweries.Rank = breweries.by_all,
        *,
        begins: Callable[[Game], None] = breweries.round_begins,
    ) -> None:
        super().__init__("brewing", breweries.acting, steps, begins=begins)
        self.selling = selling
        self.rank = rank

    def turn_ends(self, turn: Turn) -> None:
        self.selling.turn_ends(turn)
        super().turn_ends(turn)

    def over(self, game: Game) -> None:
        """All breweries have acted."""
        breweries.round_over(game, self.rank)

    def end(self, game: Game) -> None:
        self.over(game)
        super().end(game)
