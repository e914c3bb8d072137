"""The turn of a brewery: give up equipment, deliver beer, load export beer, use the income, buy equipment."""

from __future__ import annotations

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
from engine.rounds.turns import OnceRound, Step, Steps, Turn
from engine.state import BANK
from titles.do import beer as market
from titles.do import breweries, capex, delivering, loading
from titles.do.beer import CUSTOMERS, Field
from titles.do.breweries import BREWERY, MINOR, DropChoice, GiveUpEquipment
from titles.do.delivering import Delivery
from titles.do.hsb_data import tables
from titles.do.loading import LoadChoice, LoadExport
from titles.do.prices import RoundedOrNothing


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


def delivered(game: Game) -> list[Delivery]:
    """What was delivered in this turn."""
    return [Delivery(*entry) for entry in game.state.round.turn.get("delivered", ())]


def free_units(game: Game, company: str) -> dict[str, int]:
    """The units of a brewery that have neither delivered nor been named for export."""
    used = [delivery.equipment for delivery in delivered(game)] + [type_ for type_, *_ in loading.named(game)]
    return delivering.units(tables(game), breweries.equipment(game, company), used)


def due(game: Game, company: str) -> list[str]:
    """The types of equipment that have something to deliver."""
    return delivering.due(tables(game), breweries.beer(game), free_units(game, company))


def best(game: Game, company: str) -> list[Delivery]:
    """The deliveries that bring most for what is left to deliver."""
    return delivering.best(tables(game), breweries.beer(game), free_units(game, company))


def could_deliver(game: Game, company: str) -> tuple[int, int]:
    """How many cubes a brewery could deliver at best as the market stands, and what they would bring."""
    t = tables(game)
    free = delivering.units(t, breweries.equipment(game, company))
    now = company == game.state.round.actor
    found = best(game, company) if now else delivering.best(t, breweries.beer(game), free)
    return len(found), delivering.earned(t, found)


def deliver(game: Game, company: str, deliveries: list[Delivery]) -> None:
    for delivery in deliveries:
        market.deliver(breweries.beer(game), delivery.field)
    entries = [[d.equipment, d.segment, d.customers] for d in deliveries]
    game.state.round.turn.setdefault("delivered", []).extend(entries)
    cubes = tuple(f"{d.segment} {d.customers}" for d in deliveries)
    game.emit(BeerDelivered(company, cubes, delivering.earned(tables(game), deliveries)))


class DeliverBestChoice(Choice[DeliverBest]):
    """Deliver everything in the best way."""

    kind = DeliverBest
    quick = True

    def ask(self, picked: Picked) -> Domain | None:
        return None

    def move(self, picked: Picked) -> DeliverBest:
        return DeliverBest(self.player, self.company)

    def check(self, move: DeliverBest) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)

    def perform(self, move: DeliverBest) -> None:
        deliver(self.game, self.company, best(self.game, self.company))


class DeliverChoice(Choice[DeliverBeer]):
    """Deliver one cube: which equipment, to whom."""

    kind = DeliverBeer

    def fields(self, equipment: str) -> list[Field]:
        return delivering.reachable(tables(self.game), breweries.beer(self.game), equipment)

    def ask(self, picked: Picked) -> Domain | None:
        t = tables(self.game)
        if "equipment" not in picked:
            free = free_units(self.game, self.company)
            return Options(
                "equipment", [Option(type_, {"units": free[type_]}) for type_ in due(self.game, self.company)]
            )
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
        if not free_units(game, company).get(move.equipment):
            raise game.refuse("deliver.units", company=company, equipment=move.equipment)
        if move.segment > tables(game).types[move.equipment].reach:
            raise game.refuse("deliver.reach", equipment=move.equipment, segment=move.segment)
        if (move.segment, move.customers) not in self.fields(move.equipment):
            raise game.refuse("deliver.demand", segment=move.segment, customers=move.customers)

    def perform(self, move: DeliverBeer) -> None:
        deliver(self.game, self.company, [Delivery(move.equipment, move.segment, move.customers)])


class GiveUpChoice(DropChoice):
    """Give up equipment before anything is delivered."""

    def check(self, move: GiveUpEquipment) -> None:
        super().check(move)
        if begun(self.game):
            raise self.game.refuse("equipment.late", company=self.company)


def begun(game: Game) -> bool:
    """Whether something was delivered or named for export in this turn."""
    return bool(game.state.round.turn.get("delivered") or loading.named(game))


class DeliverStep(Step):
    """Deliver to Dortmund whatever can be delivered; before it, give equipment up and name cubes for export."""

    name = "deliver"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company, player = turn.game, turn.actor, turn.decider
        result: list[Choice[Any]] = []
        must = due(game, company)
        if must:
            result += [DeliverBestChoice(game, player, company), DeliverChoice(game, player, company)]
        if not delivered(game) and loading.possible(game, company):
            result.append(LoadChoice(game, player, company))
        if not begun(game) and breweries.equipment(game, company):
            result.append(GiveUpChoice(game, player, company))
        if not must:
            result.append(turn.passing())
        return result

    def done(self, turn: Turn) -> bool:
        """Whether everything is delivered or named that could be."""
        game, company = turn.game, turn.actor
        if not begun(game) or due(game, company):
            return False
        return bool(delivered(game)) or not loading.possible(game, company)

    def explain(self, turn: Turn, move: Move) -> None:
        game, company, player = turn.game, turn.actor, move.player
        if getattr(move, "company", company) != company:
            return
        if isinstance(move, Pass):
            raise game.refuse("deliver.duty", company=company)
        if isinstance(move, DeliverBest):
            raise game.refuse("deliver.nothing", company=company)
        kinds: dict[type[Move], type[Choice[Any]]] = {
            DeliverBeer: DeliverChoice,
            LoadExport: LoadChoice,
            GiveUpEquipment: GiveUpChoice,
        }
        found = kinds.get(type(move))
        if found is not None:
            if isinstance(move, LoadExport) and delivered(game):
                raise game.refuse("load.late", company=company)
            found(game, player, company).check(move)


class BeerIncomeStep(Step):
    """Export cubes that were named are loaded; then all that was delivered and loaded is income."""

    name = "income"

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        return []

    def skipped(self, turn: Turn) -> None:
        game, company, t = turn.game, turn.actor, tables(turn.game)
        loaded = loading.load(game, company)
        revenue = delivering.earned(t, delivered(game)) + loaded * t.beer.export_price
        game.company(company).last_revenue = revenue
        turn.memory["revenue"] = revenue


class HalfRounded(RoundedOrNothing):
    """A small brewery pays half of its rounded income to its owner, or keeps everything."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        half = (revenue - revenue % self.multiple) // 2
        pay = {"half": Split(half, revenue - half)} if half else {}
        return {**pay, "withhold": Split(0, revenue)}


# ---------------------------------------------------------------------- buying equipment


class EquipmentChoice(Choice[BuyEquipment]):
    """Buy a card as equipment."""

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


class EquipmentStep(Step):
    """Buy equipment; a corporation without any must, and raises the money if need be."""

    name = "equipment"

    def __init__(self, raising: Raising) -> None:
        self.raising = raising

    # ------------------------------------------------------------------ what may be bought

    def no_purchase(self, game: Game, company: str, card: str) -> Refused | None:
        """Why a brewery may not buy a card, money apart."""
        t = tables(game)
        if card not in game.state.depot.left:
            return game.refuse("unknown.equipment", equipment=card)
        if game.state.round.turn.get("bought", 0) >= t.phases[game.phase.name].cards:
            return game.refuse("equipment.one", company=company, cards=t.phases[game.phase.name].cards)
        if len(breweries.equipment(game, company)) >= breweries.limit(game, company):
            return game.refuse("equipment.limit", company=company, limit=breweries.limit(game, company))
        if card not in on_sale(game):
            return game.refuse("train.order.equipment", train=card)
        if breweries.kind(game, company) == MINOR and not t.types[card].minors:
            return game.refuse("equipment.minor", company=company, equipment=card)
        return None

    def cards(self, game: Game, company: str) -> list[str]:
        """The cards that a brewery may buy, whether or not it can pay them."""
        return [card for card in on_sale(game) if self.no_purchase(game, company, card) is None]

    def funds(self, game: Game, company: str, card: str) -> int:
        """What a brewery can pay for a card when nothing is raised: the owner of a small one adds to its treasury."""
        cash = game.state.cash[company]
        if breweries.kind(game, company) != MINOR:
            return cash
        added = game.state.cash[game.decider(company)]
        if breweries.equipment(game, company):
            added = min(added, price(game, card) * tables(game).hsb.owner_adds_percent // 100)
        return cash + added

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
            prices = self.raising.payable(self.need(game, company, forced))
            return [card for card in forced if price(game, card) in prices]
        return [c for c in self.cards(game, company) if price(game, c) <= self.funds(game, company, c)]

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
            if cost > self.funds(game, company, card):
                cash = game.state.cash[company]
                if breweries.kind(game, company) == MINOR:
                    raise game.refuse("equipment.money.minor", company=company, cash=cash, cost=cost)
                raise game.refuse("equipment.money", company=company, cash=cash, cost=cost)
            return
        if card not in forced:
            raise game.refuse("forced.choice.equipment", train=forced[0])
        need = self.need(game, company, forced)
        if cost > self.raising.funds(need):
            raise game.refuse("forced.order", cost=cost)
        if cost not in self.raising.payable(need):
            raise game.refuse("forced.no_more.raised")

    def buy(self, game: Game, company: str, card: str) -> None:
        cost = price(game, card)
        missing = cost - game.state.cash[company]
        if breweries.kind(game, company) == MINOR and missing > 0:
            owner = game.decider(company)
            game.pay(owner, company, missing, "owner_adds", company)
            game.emit(OwnerAdded(owner, company, missing))
        else:
            self.raising.pay(self.need(game, company, [card]), cost)
        game.pay(company, BANK, cost, "equipment", card)
        game.state.round.turn["bought"] = game.state.round.turn.get("bought", 0) + 1
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
    """Breweries act by their order tokens; then the order is set anew and the demand prepared."""

    def __init__(self, steps: dict[str, Steps], *, begins: Callable[[Game], None] = breweries.round_begins) -> None:
        super().__init__("brewing", breweries.acting, steps, begins=begins)

    def end(self, game: Game) -> None:
        breweries.round_over(game)
        super().end(game)
