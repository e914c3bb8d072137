"""Heat, Sweat & Beer for two (8.4): the Investor has a railway and a brewery, and the players swap his two cards."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.finance.depot import begin_phase
from engine.game import Game
from engine.mechanism import Mechanism
from engine.offer import Choice
from engine.records import put
from engine.rounds.operating import by_price
from engine.rounds.turns import Steps
from engine.rules import Listener, Question, Remark, Rules, Seated, Setup, Trains, kind_of
from engine.state import Pause, State
from engine.steps.run import BestRunChoice
from titles.do.board.trains import EarlyTrainStep
from titles.do.brewery import breweries, brewing, data
from titles.do.brewery.breweries import BREWERY
from titles.do.brewery.data import tables
from titles.do.brewery.editions import FINAL
from titles.do.brewery.failing import CompanyFailed
from titles.do.brewery.game import RAILWAY, BreweryGame, Drawn, Start, take_minors
from titles.do.brewery.loading import LoadedRunChoice, LoadedRunStep
from titles.do.brewery.tables import HsbTables
from titles.do.two import stock as investor_stock
from titles.do.two.brewing import (
    BreweryDeal,
    ConvertStep,
    CorporationEquipment,
    DrawnBrewery,
    MinorEquipment,
    free_with,
    his_brewery,
    his_minor,
    newest_equipment,
)
from titles.do.two.investor import INVESTED, InvestorDrawn, Seat, investment
from titles.do.two.running import (
    BuyBackStep,
    IfNewest,
    InvestedTrainStep,
    RepayingStep,
    SellFor,
    newest,
    raising,
)
from titles.do.two.stock import Dearest, SharedStockRound
from titles.do.two.tables import InvestorBrewery, InvestorTables, read
from titles.rhineland.investor import (
    CARD,
    INVESTOR,
    SITTER,
    ChooseCardChoice,
    HeldCard,
    card_holder,
    circle,
    reserve_name,
)

#: The card for his brewery; Investor's Railway is CARD.
BREWERY_CARD = "investor_brewery"
#: The kinds of actor that his breweries are.
INVESTED_MINOR, INVESTED_BREWERY = "invested_minor", "invested_brewery"


@dataclass(frozen=True, slots=True)
class BreweryDrawn(ev.Event):
    """The brewery corporation that was drawn for the Investor."""

    company: str


@dataclass(frozen=True, slots=True)
class CardsDealt(ev.Event):
    """Who runs his railway now, and who his brewery."""

    railway: str
    brewery: str


class BestLoadedRunChoice(LoadedRunChoice, BestRunChoice):
    """Run for the most; loaded trains come first."""


def hsb2(setup: Setup) -> Rules:
    """The game for three, and what is different with the Investor."""
    definition = data.definition(setup)
    his = read(definition)
    core = BreweryGame(
        setup,
        definition,
        FINAL,
        Seat(definition, his.investor, his.investor_clauses, own),
        Brewery(definition, his),
        seating=seating,
        minors=drawn(his.investor_brewery),
        won=shared_out,
        stock=SharedStockRound,
        in_stock_rounds=circle,
        sells_at_floating=lambda game, company: company not in own(game),
    )
    return replace(core.rules(TurnsOfHisCompanies(core, his), Course(his.investor_brewery)), circle=circle)


# ---------------------------------------------------------------------- his companies


def own(game: Game) -> tuple[str, ...]:
    return investment(game).company, his_brewery(game), his_minor(game)


def acting(game: Game) -> list[str]:
    """DO-8.2.1.1-b: railways by their prices, then brewery corporations by their order tokens."""
    railways = [name for name in by_price(game) if kind_of(game, name) == RAILWAY]
    return [*railways, *(name for name in breweries.acting(game) if kind_of(game, name) == BREWERY)]


class Brewery(Mechanism):
    """DO-8.2.2.2-g: his brewery, a small one and then a corporation: whose turn it is, and who decides for it."""

    def __init__(self, definition: Definition, his: InvestorTables) -> None:
        self.definition = definition
        self.his = his

    def lay_out(self, state: State, chance: random.Random) -> None:
        charters = self.definition.corporations
        corporations = [name for name, charter in charters.items() if charter.kind == BREWERY]
        put(state, DrawnBrewery(chance.choice(corporations)))

    def clauses(self) -> Mapping[str, str]:
        return self.his.investor_brewery_clauses

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {CompanyFailed: failed}

    def kind(self, game: Game, actor: str) -> str | None:
        if actor and actor == his_brewery(game):
            return INVESTED_BREWERY
        return INVESTED_MINOR if actor and actor == his_minor(game) else None

    def decides(self, game: Game, actor: str) -> str | None:
        """Whoever does not hold Investor's Railway decides for his brewery."""
        if not actor or actor not in (his_brewery(game), his_minor(game)):
            return None
        card = card_holder(game)
        return game.after(card) if card else ""


def failed(game: Game, event: CompanyFailed) -> None:
    """DO-8.2.2.2-e: what a company owed is forgotten with it."""
    investment(game).owed.pop(event.company, None)


# ---------------------------------------------------------------------- preparation (8.4.1)


def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    """DO-8.4.1-a: as in every game with breweries, but nobody is called like him."""
    reserve_name(players)
    return FINAL.seating(setup, players, chance)


def drawn(brewery: InvestorBrewery) -> Drawn:
    """DO-8.4.1-c: so many small breweries, none of some."""

    def draw(t: HsbTables, state: State, chance: random.Random) -> Collection[str]:
        return chance.sample([name for name in t.minors if name not in brewery.not_in_package], brewery.minors)

    return draw


# ---------------------------------------------------------------------- the starting round (8.4.2)


def shared_out(game: Game, sold: Mapping[str, tuple[str, int]]) -> None:
    """DO-8.4.2-a: the Investor buys what is left at its printed price; the lower number of the players begins."""
    rest = {minor: (INVESTOR, 0) for minor in Start.of(game).package if minor not in sold}
    take_minors(game, {**sold, **rest})
    minors = tables(game).minors
    first = min(sold, key=lambda minor: minors[minor].number)
    game.state.priority = sold[first][0]
    game.emit(ev.PriorityMoved(game.state.priority))


class ChooseInvestorCard(ChooseCardChoice):
    """Investor's Railway or Investor's Brewery; the other player gets the other."""

    cards = (CARD, BREWERY_CARD)

    def deal(self, card: str, other: str) -> None:
        hand_cards(self.game, self.player if card == CARD else other)


def choice_of_cards(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [ChooseInvestorCard(game, player, pause) for player in pause.players]


def hand_cards(game: Game, railway: str) -> None:
    """DO-8.4.5-b: one player gets Investor's Railway, the other Investor's Brewery."""
    HeldCard.of(game).card = railway
    game.emit(CardsDealt(railway, game.after(railway)))


# ---------------------------------------------------------------------- his turns


class TurnsOfHisCompanies(Mechanism):
    """DO-8.2.2-a: his turns in stock rounds, and those of his railway and his brewery."""

    def __init__(self, core: BreweryGame, his: InvestorTables) -> None:
        self.core = core
        self.sheet, self.brewery = his.investor, his.investor_brewery
        self.dearest = Dearest(self.sheet, core.trade, own, acting)
        self.money = raising(self.dearest.ranked)

    def first(self, game: Game) -> None:
        """The token of his railway stands on its space before anything is bought."""
        company, price = investment(game).company, self.sheet.railway_price
        game.prices.put(company, self.core.trade.pars(game, company)[price])
        game.emit(InvestorDrawn(company, price))
        game.emit(BreweryDrawn(his_brewery(game)))

    def actors(self, round_: str) -> Mapping[str, Steps]:
        if round_ == self.core.stock.name:
            return {SITTER: Steps(ConvertStep(self.dearest, self.brewery))}
        if round_ == self.core.railways.name:
            return {INVESTED: self.railway()}
        if round_ == self.core.brewing.name:
            return {INVESTED_MINOR: self.minor(), INVESTED_BREWERY: self.corporation()}
        return {}

    def railway(self) -> Steps:
        """DO-8.2.2.1-a: the turn of his railway."""
        core = self.core
        trains = InvestedTrainStep(self.money, core.new_cards)
        return Steps(
            EarlyTrainStep(trains, core.t.abilities.early_train),
            core.track,
            core.station,
            core.link,
            LoadedRunStep(BestLoadedRunChoice),
            RepayingStep(IfNewest(core.payout, newest)),
            trains,
            BuyBackStep(),
            extras=(SellFor(trains),),
        )

    def minor(self) -> Steps:
        """DO-8.2.2.2-g: the turn of his small brewery."""
        core = self.core
        return Steps(
            core.deliver,
            core.income,
            RepayingStep(IfNewest(core.half, newest_equipment)),
            MinorEquipment(self.money, core.new_cards, brewing.half),
        )

    def corporation(self) -> Steps:
        """DO-8.2.2.2-c: the turn of his corporation."""
        core = self.core
        equipment = CorporationEquipment(self.money, core.new_cards, brewing.half)
        return Steps(
            core.deliver,
            core.income,
            RepayingStep(IfNewest(core.payout, newest_equipment, free_with(self.brewery.free_types))),
            equipment,
            extras=(BreweryDeal(equipment, "deliver"),),
        )

    def remarks(self, game: Game) -> list[Remark]:
        """Who runs his brewery, and what he does next."""
        if game.finished:
            return []
        found: list[Remark] = []
        card, minor = card_holder(game), his_minor(game)
        company = minor or his_brewery(game)
        if card and game.company(company).floated:
            found.append(Remark("investor_brewery", {"company": company, "player": game.after(card)}))
        if minor:
            facts = {"minor": minor, "company": his_brewery(game), "number": self.brewery.stock_round}
            found.append(Remark("investor_converts", facts))
            if game.state.round.stock_number >= self.brewery.stock_round:
                return found
        return [*found, *investor_stock.remarks(self.dearest, game)]


# ---------------------------------------------------------------------- the course (8.4.5, 8.5)


class Course(Mechanism):
    """DO-8.4.5-a: cards are chosen and swapped; the game is a set shorter, and the last colour comes in time."""

    def __init__(self, brewery: InvestorBrewery) -> None:
        self.brewery = brewery

    def questions(self) -> Mapping[str, Question]:
        return {"choose_card": choice_of_cards}

    def interrupts(self, game: Game) -> bool:
        """Cards are chosen after the starting round and swapped after each brewery round."""
        round_, brewery = game.state.round, self.brewery
        if round_.kind == "package" and not card_holder(game):
            game.ask("choose_card", [game.after(game.state.priority)])
            return True
        if round_.kind == "stock" and round_.stock_number == brewery.grey_set:
            begin_phase(game, max(game.state.phase, len(game.definition.phases) - 1))
        if round_.kind == "brewing":
            if round_.stock_number == brewery.sets and round_.operating_number == round_.operating_total:
                game.finish("five_sets")
                return True
            hand_cards(game, game.after(card_holder(game)))
        return False

    def trains(self, trains: Trains) -> Trains:
        return replace(trains, obsolete=late(trains.obsolete))


def late(plain: Callable[[Game, str], None]) -> Callable[[Game, str], None]:
    """R-92: the first card of a type whose phase was passed over brings the beer market what it would have brought."""

    def leave(game: Game, card: str) -> None:
        plain(game, card)
        rows = tables(game).phases
        for number, phase in enumerate(game.definition.phases):
            if card in phase.on and number < game.state.phase:
                breweries.bring(game, rows[phase.name], ended=rows[game.phase.name].closes)

    return leave
