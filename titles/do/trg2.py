"""The Railway Game for two (8.3): the Investor sits between them, with money and a railway that they run in turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.offer import Choice
from engine.remembered import OrderOfRound
from engine.rounds.operating import by_price
from engine.rounds.stock import StockRound, left_of_last_buyer
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Remark, Rules, Setup
from engine.state import Pause, State
from titles.do import investor, investor_stock, privates
from titles.do.bidding import BiddingRound, leaders
from titles.do.export import BeerRunStep
from titles.do.investor import INVESTED, InvestorDrawn, investment
from titles.do.investor_running import (
    BestBeerRunChoice,
    BuyBackStep,
    IfNewest,
    InvestedTrainStep,
    RepayingStep,
    SellFor,
    newest,
    raising,
)
from titles.do.investor_stock import Dearest, InvestStep, SharedStockRound
from titles.do.investor_tables import InvestorSheet, read
from titles.do.prices import RoundedOrNothing
from titles.do.remembered import CardMoved
from titles.do.stock import DoTradeStep
from titles.do.trains import EarlyTrainStep, by_phase
from titles.do.trg import build, order, take_cards
from titles.do.trg_tables import TrgTables
from titles.rhineland.investor import (
    INVESTOR,
    SITTER,
    choice_of_cards,
    circle,
    give_card,
    offer_of_card,
    offers,
    reserve_name,
)

#: The kind of the question whether money is offered for the card.
KEEP = "keep_card"


def trg2(setup: Setup) -> Rules:
    """The game for three, and what is different with the Investor."""
    plain = build(setup, buy=(investor.his_alone(own),), may_sell=keeps_trains)
    definition = plain.definition
    t: TrgTables = definition.tables
    tables = read(definition)
    sheet = tables.investor
    old_stock, old_operating = plain.rounds["stock"], plain.rounds["operating"]
    assert isinstance(old_stock, StockRound)
    assert isinstance(old_operating, OnceRound)

    # 8.3.2 two of three private breweries
    package = BiddingRound(privates.lots, shared_out)

    # 8.2.1 stock rounds
    trade, (turning,) = old_stock.steps[PLAYER]["trade"], old_stock.steps[PLAYER].extras
    assert isinstance(trade, DoTradeStep)
    dearest = Dearest(sheet, trade, own, by_price)
    stock = SharedStockRound(
        {PLAYER: old_stock.steps[PLAYER], SITTER: Steps(InvestStep(dearest))},
        priority=left_of_last_buyer,
        order=circle,
    )

    # 8.2.2.1 his railway
    railway = old_operating.steps["railway"]
    own_trains = InvestedTrainStep(raising(dearest.ranked), by_phase(t.trg.new_trains))
    invested = Steps(
        EarlyTrainStep(own_trains, t.abilities.early_train),
        railway["track"],
        railway["station"],
        railway["link"],
        BeerRunStep(BestBeerRunChoice),
        RepayingStep(IfNewest(RoundedOrNothing(t.trg.rounded), newest)),
        own_trains,
        BuyBackStep(),
        extras=(SellFor(own_trains), turning),
    )
    operating = OnceRound(
        "operating",
        order,
        {"railway": railway, INVESTED: invested},
        begins=old_operating.begins,
        keeps=(OrderOfRound, CardMoved),
    )

    return replace(
        plain,
        clauses={**plain.clauses, **tables.investor_clauses},
        rounds={"package": package, "stock": stock, "operating": operating},
        first=partial(begin, sheet, trade, package),
        then=partial(then, setup.options["card_offer"], plain.then),
        seating=partial(seating, t, sheet),
        lay_out=partial(lay_out, plain, sheet),
        kind=investor.kind,
        decides=investor.decides,
        circle=circle,
        on={**plain.on, ev.CompanyFloated: (investor.railway_floated,)},
        questions={
            **plain.questions,
            "choose_card": choice_of_cards,
            KEEP: keep_card,
            "card_offer": offer_of_card,
        },
        remarks=partial(remarks, dearest),
        broken=lambda game: [*plain.broken(game), *investor.broken(sheet, own(game), game)],
    )


def own(game: Game) -> tuple[str, ...]:
    return (investment(game).company,)


def keeps_trains(game: Game, company: str) -> bool:
    """His railway never sells a train."""
    return company not in own(game)


# ---------------------------------------------------------------------- preparation (8.3.1)


def seating(
    t: TrgTables, sheet: InvestorSheet, setup: Setup, players: tuple[str, ...], chance: random.Random
) -> tuple[list[str], dict[str, Any]]:
    """Who begins is drawn, and so are the private breweries of the package."""
    reserve_name(players)
    seats = list(players)
    chance.shuffle(seats)
    return seats, {"package": sorted(chance.sample([row.number for row in t.private], sheet.privates))}


def lay_out(plain: Rules, sheet: InvestorSheet, state: State, chance: random.Random) -> None:
    """He gets as much money as a player, and a railway."""
    plain.lay_out(state, chance)
    cash = plain.definition.starting_cash[plain.setup.players]
    investor.join(state, cash, chance.choice(sheet.railways))


def begin(sheet: InvestorSheet, trade: DoTradeStep, package: BiddingRound, game: Game) -> None:
    """The token of his railway stands on its space before anything is bought."""
    company = investment(game).company
    game.prices.put(company, trade.pars(game, company)[sheet.railway_price])
    game.emit(InvestorDrawn(company, sheet.railway_price))
    package.begin(game)


# ---------------------------------------------------------------------- the starting round (8.3.2)


def shared_out(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """The players pay their bids; the Investor pays the lowest box of what is left over."""
    rest = {lot: (INVESTOR, boxes[0]) for lot, boxes in privates.lots(game).items() if lot not in won}
    take_cards(game, {**won, **rest})


def cheaper(game: Game) -> str:
    """Who has paid less for a private brewery; of equal prices the lower number."""
    numbers = game.definition.privates
    player, _ = min(leaders(game).items(), key=lambda item: (item[1][1], numbers[item[0]].number))[1]
    return player


def then(offer: bool, plain: Callable[[Game], None], game: Game) -> None:
    """Cards are chosen after the starting round, and change hands after each operating round unless it was the last."""
    round_ = game.state.round
    if round_.kind == "package" and not investment(game).card:
        game.ask("choose_card", [cheaper(game)])
        return
    last = bool(game.state.bank_broken) and round_.operating_number == round_.operating_total
    if round_.kind == "operating" and not last and not CardMoved.of(game).card:
        CardMoved.of(game).card = True
        holder = investment(game).card
        if offer and game.state.cash[holder]:
            game.ask(KEEP, [holder])
            return
        give_card(game, game.after(holder))
    plain(game)


def keep_card(game: Game, pause: Pause) -> list[Choice[Any]]:
    """The holder may offer money instead of handing the card on."""
    (holder,) = pause.players
    return offers(game, holder, "", lambda: game.answered(pause))


def remarks(dearest: Dearest, game: Game) -> list[Remark]:
    return [] if game.finished else [*investor.remarks(game), *investor_stock.remarks(dearest, game)]
