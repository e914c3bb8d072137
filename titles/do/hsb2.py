"""Heat, Sweat & Beer for two (8.4): the Investor has a railway and a brewery, and the players swap his two cards."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.finance.depot import begin_phase
from engine.finance.handing import WholeCertificates
from engine.finance.raising import Raising
from engine.game import Game
from engine.offer import Choice
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Remark, Rules, Seated, Setup, kind_of, owner_or_director
from engine.state import Pause, State
from engine.steps.run import BestRunChoice
from engine.steps.trade import Check
from titles.do import breweries, brewing, hsb_stock, investor, investor_stock
from titles.do.bidding import BiddingRound
from titles.do.breweries import BREWERY, MINOR
from titles.do.editions import FINAL
from titles.do.failing import CompanyFailed
from titles.do.hsb import RAILWAY, Parts, boxes, build, lay_out_with, minor_price, order, won
from titles.do.hsb_data import tables
from titles.do.hsb_stock import HsbTradeStep
from titles.do.hsb_tables import HsbTables
from titles.do.investor import INVESTED, InvestorDrawn, investment
from titles.do.investor_brewing import (
    BreweryDeal,
    ConvertStep,
    CorporationEquipment,
    MinorEquipment,
    free_with,
    his_brewery,
    his_minor,
    newest_equipment,
)
from titles.do.investor_running import (
    BuyBackStep,
    IfNewest,
    InvestedTrainStep,
    RepayingStep,
    SellFor,
    newest,
    raising,
)
from titles.do.investor_stock import Dearest, SharedStockRound
from titles.do.investor_tables import InvestorBrewery, InvestorTables, read
from titles.do.links import Links
from titles.do.loading import HsbTrainStep, LoadedRunChoice, LoadedRunStep
from titles.do.prices import RoundedOrNothing
from titles.do.trading import Placing
from titles.do.trains import EarlyTrainStep, NewCards
from titles.rhineland.investor import (
    CARD,
    INVESTOR,
    SITTER,
    ChooseCardChoice,
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


class TwoTrains(HsbTrainStep):
    """Buying trains; his railway never sells one."""

    def __init__(self, raising: Raising, new: NewCards) -> None:
        super().__init__(raising, new, lambda game, company: company not in own(game))


class TwoTrade(HsbTradeStep):
    """A player's stock turn; his companies stay his."""

    def __init__(
        self, placing: Placing, parts: WholeCertificates, *, buy: tuple[Check, ...], sell: tuple[Check, ...]
    ) -> None:
        super().__init__(placing, parts, buy=(*buy, investor.his_alone(own)), sell=sell)


def hsb2(setup: Setup) -> Rules:
    """The game for three, and what is different with the Investor."""
    bidding = replace(setup, options={**setup.options, "dealt": False})
    plain = build(bidding, Parts(trade=TwoTrade, trains=TwoTrains))
    definition = plain.definition
    t: HsbTables = definition.tables
    his = read(definition)
    sheet, brewery = his.investor, his.investor_brewery
    old_stock, old_railways, old_brewing = (plain.rounds[name] for name in ("stock", "operating", "brewing"))
    assert isinstance(old_stock, StockRound)
    assert isinstance(old_railways, OnceRound)
    assert isinstance(old_brewing, brewing.BrewingRound)

    # 8.4.2 two of three small breweries
    package = BiddingRound(boxes(t), shared_out, cost=minor_price, numbers=t.numbers)

    # 8.2.1 stock rounds
    trade = old_stock.steps[PLAYER]["trade"]
    assert isinstance(trade, HsbTradeStep)
    dearest = Dearest(sheet, trade, own, acting)
    stock = SharedStockRound(
        {PLAYER: old_stock.steps[PLAYER], SITTER: Steps(ConvertStep(dearest, brewery))},
        priority=left_of_last_buyer,
        order=circle,
    )

    # 8.2.2.1 his railway
    railway = old_railways.steps[RAILWAY]
    money, cards = raising(dearest.ranked), FINAL.new_cards(t)
    trains = InvestedTrainStep(money, cards)
    rounded = RoundedOrNothing(t.hsb.rounded)
    invested = Steps(
        EarlyTrainStep(trains, t.abilities.early_train),
        railway["track"],
        railway["station"],
        railway["link"],
        LoadedRunStep(BestLoadedRunChoice),
        RepayingStep(IfNewest(rounded, newest)),
        trains,
        BuyBackStep(),
        extras=(SellFor(trains),),
    )
    railways = OnceRound(
        "operating",
        order,
        {**old_railways.steps, INVESTED: invested},
        begins=old_railways.begins,
        keeps=(OrderOfRound,),
    )

    # 8.2.2.2 his brewery
    deliver, income = (old_brewing.steps[MINOR][name] for name in ("deliver", "income"))
    equipment = CorporationEquipment(money, cards, brewing.half)
    brewing_ = brewing.BrewingRound(
        {
            **old_brewing.steps,
            INVESTED_MINOR: Steps(
                deliver,
                income,
                RepayingStep(IfNewest(brewing.HalfRounded(t.hsb.rounded), newest_equipment)),
                MinorEquipment(money, cards, brewing.half),
            ),
            INVESTED_BREWERY: Steps(
                deliver,
                income,
                RepayingStep(IfNewest(rounded, newest_equipment, free_with(brewery.free_types))),
                equipment,
                extras=(BreweryDeal(equipment, "deliver"),),
            ),
        },
        old_brewing.selling,
        old_brewing.rank,
    )

    return replace(
        plain,
        setup=setup,
        clauses={**plain.clauses, **his.investor_clauses, **his.investor_brewery_clauses},
        rounds={one.name: one for one in (package, stock, railways, brewing_)},
        first=partial(begin, his, trade, package),
        then=partial(then, brewery, plain.then),
        seating=seating,
        lay_out=partial(lay_out, definition, his),
        kind=kind,
        decides=decides,
        circle=circle,
        trains=replace(plain.trains, obsolete=late(plain.trains.obsolete)),
        on={
            **plain.on,
            ev.CompanyFloated: (FINAL.placing.floated, floated, investor.railway_floated),
            CompanyFailed: (failed,),
        },
        questions={**plain.questions, "choose_card": choice_of_cards},
        remarks=lambda game: [*plain.remarks(game), *remarks(dearest, brewery, game)],
        broken=lambda game: [*plain.broken(game), *investor.broken(sheet, own(game), game)],
    )


# ---------------------------------------------------------------------- his companies


def own(game: Game) -> tuple[str, ...]:
    return investment(game).company, his_brewery(game), his_minor(game)


def acting(game: Game) -> list[str]:
    """Railways by their prices, then brewery corporations by their order tokens."""
    railways = [name for name in by_price(game) if kind_of(game, name) == RAILWAY]
    return [*railways, *(name for name in breweries.acting(game) if kind_of(game, name) == BREWERY)]


def kind(game: Game, actor: str) -> str:
    if actor and actor == his_brewery(game):
        return INVESTED_BREWERY
    return INVESTED_MINOR if actor and actor == his_minor(game) else investor.kind(game, actor)


def decides(game: Game, actor: str) -> str:
    """The holder of Investor's Railway decides for his railway, the other player for his brewery."""
    card = investment(game).card
    if actor == investment(game).company:
        return card
    if actor and actor in own(game):
        return game.after(card) if card else ""
    return owner_or_director(game, actor)


def floated(game: Game, event: ev.CompanyFloated) -> None:
    """Nobody sells shares of his companies when they float."""
    if event.company not in own(game):
        hsb_stock.floated(game, event)


def failed(game: Game, event: CompanyFailed) -> None:
    """What a company owed is forgotten with it."""
    investment(game).owed.pop(event.company, None)


# ---------------------------------------------------------------------- preparation (8.4.1)


def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
    reserve_name(players)
    return FINAL.seating(setup, players, chance)


def lay_out(definition: Definition, his: InvestorTables, state: State, chance: random.Random) -> None:
    """Three small breweries; the Investor gets as much money as a player, a railway and a brewery corporation."""
    t: HsbTables = definition.tables
    brewery = his.investor_brewery
    minors = [name for name in t.minors if name not in brewery.not_in_package]
    players = len(state.seats)
    lay_out_with(t, state, players, chance.sample(minors, brewery.minors))
    Links(t).lay_out(state, chance)
    investor.join(state, definition.starting_cash[players], chance.choice(his.investor.railways))
    corporations = [name for name, charter in definition.corporations.items() if charter.kind == BREWERY]
    state.facts["investor"]["brewery"] = chance.choice(corporations)


def begin(his: InvestorTables, trade: HsbTradeStep, package: BiddingRound, game: Game) -> None:
    """The token of his railway stands on its space before anything is bought."""
    company, price = investment(game).company, his.investor.railway_price
    game.prices.put(company, trade.pars(game, company)[price])
    game.emit(InvestorDrawn(company, price))
    game.emit(BreweryDrawn(his_brewery(game)))
    package.begin(game)


# ---------------------------------------------------------------------- the starting round (8.4.2)


def shared_out(game: Game, sold: Mapping[str, tuple[str, int]]) -> None:
    """The Investor buys what is left at its printed price; the lower number of the players begins."""
    rest = {minor: (INVESTOR, 0) for minor in game.state.facts["package"] if minor not in sold}
    won(game, {**sold, **rest})
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
    """One player gets Investor's Railway, the other Investor's Brewery."""
    game.state.facts["investor"]["card"] = railway
    game.emit(CardsDealt(railway, game.after(railway)))


# ---------------------------------------------------------------------- the course (8.4.5, 8.5)


def then(brewery: InvestorBrewery, plain: Callable[[Game], None], game: Game) -> None:
    """Cards are chosen after the starting round and swapped after each brewery round; the game is a set shorter."""
    round_ = game.state.round
    if round_.kind == "package" and not investment(game).card:
        game.ask("choose_card", [game.after(game.state.priority)])
        return
    if round_.kind == "stock" and round_.stock_number == brewery.grey_set:
        begin_phase(game, max(game.state.phase, len(game.definition.phases) - 1))
    if round_.kind == "brewing":
        if round_.stock_number == brewery.sets and round_.operating_number == round_.operating_total:
            game.finish("five_sets")
            return
        hand_cards(game, game.after(investment(game).card))
    plain(game)


def late(plain: Callable[[Game, str], None]) -> Callable[[Game, str], None]:
    """The first card of a type whose phase has been passed over brings the beer market what it would have brought."""

    def leave(game: Game, card: str) -> None:
        plain(game, card)
        rows = tables(game).phases
        for number, phase in enumerate(game.definition.phases):
            if card in phase.on and number < game.state.phase:
                breweries.bring(game, rows[phase.name], ended=rows[game.phase.name].closes)

    return leave


def remarks(dearest: Dearest, brewery: InvestorBrewery, game: Game) -> list[Remark]:
    """His railway and his brewery, who runs them, and what he does next."""
    if game.finished:
        return []
    found, card, minor = investor.remarks(game), investment(game).card, his_minor(game)
    company = minor or his_brewery(game)
    if card and game.company(company).floated:
        found.append(Remark("investor_brewery", {"company": company, "player": game.after(card)}))
    if minor:
        facts = {"minor": minor, "company": his_brewery(game), "number": brewery.stock_round}
        found.append(Remark("investor_converts", facts))
        if game.state.round.stock_number >= brewery.stock_round:
            return found
    return [*found, *investor_stock.remarks(dearest, game)]
