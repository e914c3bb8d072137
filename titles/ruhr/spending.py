"""What a Montan company does with its money: markers or an engine with a card, a train as an engine, a link.

It makes one such expenditure a turn. A MONTAN corporation without an active marker must buy a card that gives it one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.finance.closing import close_company
from engine.finance.depot import on_sale
from engine.finance.raising import BankruptChoice, Need, Raising
from engine.game import Game
from engine.moves import Move, Pass, register
from engine.offer import Choice, Domain, Number, Option, Options, Picked
from engine.records import Keeps
from engine.rounds.proposals import Deal, declined
from engine.rounds.turns import Step, Turn
from engine.state import BANK, POOL
from titles.ruhr import works
from titles.ruhr.locations import LinkChoice, MakeLink, own_links, refusal
from titles.ruhr.remembered import Linked, Spent, TakenOver, Works
from titles.ruhr.tables import Tables


@register("develop")
@dataclass(frozen=True, slots=True)
class Develop(Move):
    """Buy a card for development markers, written as their stages (`AAB`)."""

    company: str
    card: str
    markers: str


@register("buy_engine")
@dataclass(frozen=True, slots=True)
class BuyEngine(Move):
    """Buy a card of the bank or the pool as a switch engine; `instead` is an engine given up for it."""

    company: str
    card: str
    source: str
    instead: str = ""


@register("buy_train_as_engine")
@dataclass(frozen=True, slots=True)
class BuyTrainAsEngine(Move):
    """Buy a railway's train as a switch engine (a proposal if its director is another)."""

    company: str
    train: str
    source: str
    instead: str
    price: int


@register("scrap_engine")
@dataclass(frozen=True, slots=True)
class ScrapEngine(Move):
    """Give a switch engine back to the supply."""

    company: str
    engine: str


@dataclass(frozen=True, slots=True)
class EngineProposed(ev.Event):
    company: str
    train: str
    seller: str
    price: int


# ---------------------------------------------------------------------- markers


class DevelopChoice(Choice[Develop]):
    """Buy a card for markers."""

    kind = Develop

    def __init__(self, game: Game, player: str, company: str, step: SpendStep, cards: list[str]) -> None:
        super().__init__(game, player, company)
        self.step = step
        self.cards = cards

    def ask(self, picked: Picked) -> Domain | None:
        game, t = self.game, works.tables(self.game)
        if "card" not in picked:
            return Options("card", [Option(card, {"price": t.cards[card].development_price}) for card in self.cards])
        if "markers" not in picked:
            return Options("markers", [Option(text) for text in works.selections(game, self.company, picked["card"])])
        return None

    def move(self, picked: Picked) -> Develop:
        return Develop(self.player, self.company, picked["card"], picked["markers"])

    def check(self, move: Develop) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.step.check_development(self.game, self.company, move)

    def perform(self, move: Develop) -> None:
        game, company = self.game, self.company
        cost = works.tables(game).cards[move.card].development_price
        self.step.raising.pay(self.step.need(game, company, [move.card]), cost)
        game.pay(company, BANK, cost, "development", move.card)
        Spent.of(game).spent = True
        # The phase that the card may begin holds for the markers too, which were chosen by it.
        works.use_card(game, move.card)
        works.add(game, company, works.parsed(move.markers))
        stored = works.stored(game, company)
        game.emit(works.MarkersTaken(company, move.card, move.markers, works.written(stored)))


# ---------------------------------------------------------------------- engines


def instead(game: Game, company: str, card: str) -> list[str]:
    """What a company may give up for a new engine: nothing where a box is free, else one of its engines."""
    owned = works.engines_after(game, company, card)
    boxes = works.engine_boxes(game, company)
    if not boxes:
        return []
    return ["", *dict.fromkeys(owned)] if len(owned) < boxes else list(dict.fromkeys(owned))


def no_engine(game: Game, company: str, card: str, new: bool) -> Refused | None:
    """Why a card, new or used, cannot become an engine of a company."""
    t = works.tables(game)
    begins = card if new else ""
    engine = t.cards[card].engine
    if works.kind(game, company) == works.MINE and not works.linked(game, company):
        return game.refuse("engine.link", company=company)
    if not Works.of(game).engines[engine]:
        return game.refuse("engine.supply", engine=engine)
    if not instead(game, company, begins):
        return game.refuse("engine.box", company=company)
    if works.kind(game, company) == works.MONTAN and not works.active(game, company, begins):
        return game.refuse("develop.duty", company=company)
    return None


class EngineChoice(Choice[BuyEngine]):
    """Buy a card as an engine."""

    kind = BuyEngine

    def __init__(self, game: Game, player: str, company: str, step: SpendStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, t = self.game, works.tables(self.game)
        offers = self.step.engine_cards(game, self.company)
        if "source" not in picked:
            return Options("source", [Option(source) for source in dict.fromkeys(source for source, _ in offers)])
        if "card" not in picked:
            return Options(
                "card",
                [
                    Option(card, {"price": t.cards[card].engine_price, "engine": t.cards[card].engine})
                    for source, card in offers
                    if source == picked["source"]
                ],
            )
        if "instead" not in picked:
            begins = picked["card"] if picked["source"] == BANK else ""
            return Options("instead", [Option(engine) for engine in instead(game, self.company, begins)])
        return None

    def move(self, picked: Picked) -> BuyEngine:
        return BuyEngine(self.player, self.company, picked["card"], picked["source"], picked["instead"])

    def check(self, move: BuyEngine) -> None:
        game, company, t = self.game, self.company, works.tables(self.game)
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        if move.card not in t.cards:
            raise game.refuse("unknown.train", train=move.card)
        offered = on_sale(game) if move.source == BANK else game.state.depot.pool if move.source == POOL else []
        if move.card not in offered:
            raise game.refuse("train.order", train=move.card)
        refused = no_engine(game, company, move.card, move.source == BANK)
        if refused is not None:
            raise refused
        if t.cards[move.card].engine_price > game.state.cash[company]:
            raise game.refuse("engine.money", company=company, cash=game.state.cash[company])
        if move.instead not in instead(game, company, move.card if move.source == BANK else ""):
            raise game.refuse("engine.box.instead", company=company, engine=move.instead)

    def perform(self, move: BuyEngine) -> None:
        game, company = self.game, self.company
        row = works.tables(game).cards[move.card]
        game.pay(company, BANK, row.engine_price, "engine", move.card)
        Spent.of(game).spent = True
        works.use_card(game, move.card, move.source == POOL)
        fit_engine(game, company, row.engine, move.card, move.instead)


def fit_engine(game: Game, company: str, engine: str, card: str, given_up: str) -> None:
    if given_up:
        works.give_up_engine(game, company, given_up)
    works.add_engine(game, company, engine, card)


class TrainAsEngineChoice(Choice[BuyTrainAsEngine]):
    """Buy a railway's train as an engine."""

    kind = BuyTrainAsEngine

    def __init__(self, game: Game, player: str, company: str, step: SpendStep) -> None:
        super().__init__(game, player, company)
        self.step = step

    def ask(self, picked: Picked) -> Domain | None:
        game, t = self.game, works.tables(self.game)
        offers = self.step.trains(game, self.company)
        if "source" not in picked:
            return Options("source", [Option(seller) for seller in dict.fromkeys(seller for seller, _ in offers)])
        if "train" not in picked:
            return Options(
                "train",
                [Option(train, {"engine": t.cards[train].engine}) for s, train in offers if s == picked["source"]],
            )
        if "instead" not in picked:
            return Options("instead", [Option(engine) for engine in instead(game, self.company, "")])
        if "price" not in picked:
            low, high = self.step.engine_prices(game, self.company, picked["source"], picked["train"])
            return Number("price", low, high)
        return None

    def move(self, picked: Picked) -> BuyTrainAsEngine:
        return BuyTrainAsEngine(
            self.player, self.company, picked["train"], picked["source"], picked["instead"], picked["price"]
        )

    def check(self, move: BuyTrainAsEngine) -> None:
        game, company, t = self.game, self.company, works.tables(self.game)
        if move.company != company:
            raise game.refuse("turn.order", company=company, other=move.company)
        seller = game.state.companies.get(move.source)
        if seller is None or move.train not in seller.trains:
            raise game.refuse("unknown.train.seller", seller=move.source, train=move.train)
        if not game.decider(move.source):
            raise game.refuse("train.no_director", company=move.source)
        refused = no_engine(game, company, move.train, False)
        if refused is not None:
            raise refused
        low, high = self.step.engine_prices(game, company, move.source, move.train)
        most = t.cards[move.train].engine_price * t.switching.train_price_max_percent // 100
        if not t.switching.train_price_min <= move.price <= most:
            raise game.refuse("engine.price", low=t.switching.train_price_min, high=most)
        if move.price < low:
            raise game.refuse("train.price.declined", company=move.source, price=low - 1)
        if move.price > high:
            raise game.refuse("engine.money", company=company, cash=game.state.cash[company])
        if move.instead not in instead(game, company, ""):
            raise game.refuse("engine.box.instead", company=company, engine=move.instead)

    def perform(self, move: BuyTrainAsEngine) -> None:
        game = self.game
        data = {
            "company": self.company,
            "train": move.train,
            "seller": move.source,
            "price": move.price,
            "instead": move.instead,
        }
        if game.decider(move.source) == self.player:
            EngineDeal().accept(game, data)
            return
        game.emit(EngineProposed(self.company, move.train, move.source, move.price))
        game.ask("engine_sale", [game.decider(move.source)], **data)


def train_prices(game: Game, company: str, train: str) -> tuple[int, int]:
    """What a company may pay for a railway's train."""
    t = works.tables(game)
    most = t.cards[train].engine_price * t.switching.train_price_max_percent // 100
    return t.switching.train_price_min, min(most, game.state.cash[company])


class EngineDeal(Deal):
    """The sale of a railway's train to a Montan company, which makes an engine of it."""

    what = "train"
    counter_key = "engine.price.counter"

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        return train_prices(game, data["company"], data["train"])

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        company, train, seller = data["company"], data["train"], data["seller"]
        game.pay(company, seller, data["price"], "train", train)
        game.company(seller).trains.remove(train)
        game.state.depot.gone.append(train)
        game.emit(ev.TrainBought(company, train, seller, data["price"]))
        Spent.of(game).spent = True
        fit_engine(game, company, works.tables(game).cards[train].engine, train, data["instead"])


class ScrapChoice(Choice[ScrapEngine]):
    """Give an engine up."""

    kind = ScrapEngine

    def ask(self, picked: Picked) -> Domain | None:
        if "engine" in picked:
            return None
        engines = works.charter(self.game, self.company).engines
        return Options("engine", [Option(engine) for engine in dict.fromkeys(engines)])

    def move(self, picked: Picked) -> ScrapEngine:
        return ScrapEngine(self.player, self.company, picked["engine"])

    def check(self, move: ScrapEngine) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        if move.engine not in works.charter(self.game, self.company).engines:
            raise self.game.refuse("engine.owned", company=self.company, engine=move.engine)

    def perform(self, move: ScrapEngine) -> None:
        works.give_up_engine(self.game, self.company, move.engine)


# ---------------------------------------------------------------------- the step


class SpendStep(Step):
    """One expenditure. The turn remembers that it was made (`spent`)."""

    name = "spend"

    def __init__(self, t: Tables, raising: Raising) -> None:
        self.t = t
        self.raising = raising

    def keeps(self) -> Keeps:
        return (Spent, TakenOver, Linked)

    def need(self, game: Game, company: str, cards: list[str]) -> Need:
        return self.raising.need(game, company, [self.t.cards[card].development_price for card in cards])

    # ------------------------------------------------------------------ markers

    def duty(self, game: Game, company: str) -> bool:
        """Whether a corporation has no active marker."""
        return works.kind(game, company) == works.MONTAN and not works.active(game, company)

    def development_cards(self, game: Game, company: str) -> list[str]:
        """New cards with which the company can take markers."""
        return [card for card in on_sale(game) if works.selections(game, company, card)]

    def forced(self, game: Game, company: str) -> list[str]:
        """The cards among which a forced purchase chooses; none when it is none."""
        if not self.duty(game, company):
            return []
        cards = self.development_cards(game, company)
        chosen = TakenOver.of(game).chosen
        if chosen:
            return [card for card in cards if chosen == [BANK, card]]
        last = self.t.last
        if last.before in cards and self.t.cards[last.card].development_price > game.state.cash[company]:
            return [card for card in cards if card != last.card]
        return cards

    def payable(self, game: Game, company: str) -> list[str]:
        """The cards that the company can pay for markers now."""
        forced = self.forced(game, company)
        if forced:
            prices = self.raising.payable(self.need(game, company, forced))
            return [card for card in forced if self.t.cards[card].development_price in prices]
        cash = game.state.cash[company]
        cards = self.development_cards(game, company)
        return [card for card in cards if self.t.cards[card].development_price <= cash]

    def check_development(self, game: Game, company: str, move: Develop) -> None:
        if move.card not in self.t.cards:
            raise game.refuse("unknown.train", train=move.card)
        if move.card not in on_sale(game):
            if move.card in game.state.depot.pool:
                raise game.refuse("develop.pool", train=move.card)
            raise game.refuse("train.order", train=move.card)
        if works.kind(game, company) == works.MINE and works.stored(game, company):
            raise game.refuse("develop.stored", company=company)
        markers = works.parsed(move.markers)
        if (
            not markers
            or sum(markers.values()) > self.t.cards[move.card].squares
            or not markers.keys() <= self.t.stages.keys()
        ):
            raise game.refuse("develop.squares", card=move.card, squares=self.t.cards[move.card].squares)
        misfit = works.misfit(game, company, markers, move.card)
        if misfit is not None:
            raise misfit
        if works.written(markers) not in works.selections(game, company, move.card):
            raise game.refuse("develop.all", company=company)
        if move.card not in self.payable(game, company):
            cost = self.t.cards[move.card].development_price
            raise game.refuse("develop.money", company=company, cash=game.state.cash[company], cost=cost)

    # ------------------------------------------------------------------ engines

    def engine_cards(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Source and type of each card that the company can buy as an engine."""
        cash = game.state.cash[company]
        found = [(BANK, card) for card in on_sale(game)]
        found += [(POOL, card) for card in dict.fromkeys(game.state.depot.pool)]
        return [
            (source, card)
            for source, card in found
            if self.t.cards[card].engine_price <= cash and no_engine(game, company, card, source == BANK) is None
        ]

    def engine_prices(self, game: Game, company: str, seller: str, train: str) -> tuple[int, int]:
        low, high = train_prices(game, company, train)
        return max(low, declined(game, seller, train) + 1), high

    def trains(self, game: Game, company: str) -> list[tuple[str, str]]:
        """Railway and type of each train that the company can offer something for."""
        result = []
        for seller, state in game.state.companies.items():
            if state.floated and game.decider(seller):
                for train in dict.fromkeys(state.trains):
                    low, high = self.engine_prices(game, company, seller, train)
                    if low <= high and no_engine(game, company, train, False) is None:
                        result.append((seller, train))
        return result

    # ------------------------------------------------------------------ the step

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, company, player = turn.game, turn.actor, turn.decider
        scrapping: list[Choice[Any]] = []
        if works.charter(game, company).engines:
            scrapping.append(ScrapChoice(game, player, company))
        if Spent.of(turn.game).spent:
            return [*scrapping, turn.passing()]
        result: list[Choice[Any]] = []
        cards = self.payable(game, company)
        if cards:
            result.append(DevelopChoice(game, player, company, self, cards))
        forced = self.forced(game, company)
        if forced:
            need = self.need(game, company, forced)
            sources = self.raising.choices(need)
            result += sources
            if not sources and not cards:
                result.append(BankruptChoice(need))
            return [*result, *scrapping]
        if not self.duty(game, company):
            if self.engine_cards(game, company):
                result.append(EngineChoice(game, player, company, self))
            if self.trains(game, company):
                result.append(TrainAsEngineChoice(game, player, company, self))
            hexes = own_links(game, company)
            if hexes:
                result.append(OwnLinkChoice(game, player, company, hexes, self.t.links.cost))
        return [*result, *scrapping, turn.passing()]

    def waiting(self, turn: Turn) -> bool:
        if Spent.of(turn.game).spent:
            return False
        return any(choice.name not in ("pass", "scrap_engine") for choice in self.choices(turn))

    def skipped(self, turn: Turn) -> None:
        """A corporation that can get no active marker, though there are cards, closes."""
        game, company = turn.game, turn.actor
        if not Spent.of(turn.game).spent and self.duty(game, company) and on_sale(game):
            close_company(game, company, "development")

    def explain(self, turn: Turn, move: Move) -> None:
        game, company, player = turn.game, turn.actor, move.player
        mine = getattr(move, "company", "") == company
        kinds = Develop | BuyEngine | BuyTrainAsEngine
        if isinstance(move, kinds) and mine and Spent.of(turn.game).spent:
            raise game.refuse("spend.one", company=company)
        if isinstance(move, Develop) and mine:
            self.check_development(game, company, move)
        if isinstance(move, kinds | Pass) and self.forced(game, company):
            raise game.refuse("develop.duty", company=company)
        if isinstance(move, BuyEngine) and mine:
            EngineChoice(game, player, company, self).check(move)
        if isinstance(move, BuyTrainAsEngine) and mine:
            TrainAsEngineChoice(game, player, company, self).check(move)
        if isinstance(move, MakeLink) and mine and not move.private:
            if Spent.of(turn.game).spent:
                raise game.refuse("spend.one", company=company)
            raise refusal(game, company, move.hex)
        if isinstance(move, ScrapEngine) and mine:
            ScrapChoice(game, player, company).check(move)
        forced = self.forced(game, company)
        if forced:
            self.raising.refuse_sale(self.need(game, company, forced), move)


class OwnLinkChoice(LinkChoice):
    """A link that is the one expenditure of a turn."""

    def perform(self, move: MakeLink) -> None:
        Spent.of(self.game).spent = True
        super().perform(move)
