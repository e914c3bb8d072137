"""The Railway Game for two (8.3): the Investor sits between them, with money and a railway that they run in turn."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from engine.game import Game
from engine.mechanism import Mechanism
from engine.offer import Choice
from engine.records import Keeps
from engine.rounds.operating import by_price
from engine.rounds.turns import Steps
from engine.rules import Question, Remark, Rules, Seated, Seating, Setup
from engine.state import Pause
from titles.do.board.bidding import leaders
from titles.do.board.remembered import CardSettled
from titles.do.board.trains import EarlyTrainStep
from titles.do.railways import private_breweries
from titles.do.railways.game import RailwayGame, box, take_cards
from titles.do.railways.running import BeerRunStep
from titles.do.railways.tables import TrgTables
from titles.do.two import stock as investor_stock
from titles.do.two.investor import INVESTED, InvestorDrawn, Seat, investment
from titles.do.two.running import (
    BestBeerRunChoice,
    BuyBackStep,
    IfNewest,
    InvestedTrainStep,
    RepayingStep,
    SellFor,
    newest,
    raising,
)
from titles.do.two.stock import Dearest, InvestStep, SharedStockRound
from titles.do.two.tables import InvestorSheet, read
from titles.rhineland.investor import (
    INVESTOR,
    SITTER,
    card_holder,
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
    definition = box(setup)
    tables = read(definition)
    core = RailwayGame(
        setup,
        definition,
        Seat(definition, tables.investor, tables.investor_clauses, own),
        seating=drawn(definition.tables, tables.investor),
        bought=shared_out,
        stock=partial(SharedStockRound, order=circle),
    )
    return replace(
        core.rules(TurnsOfHisRailway(core, tables.investor), Card(setup.options["card_offer"])), circle=circle
    )


def own(game: Game) -> tuple[str, ...]:
    """DO-8.2-a: his only company is the railway that was drawn."""
    return (investment(game).company,)


# ---------------------------------------------------------------------- preparation (8.3.1)


def drawn(t: TrgTables, sheet: InvestorSheet) -> Seating:
    """DO-8.3.1-c: who begins is drawn, and so are the private breweries of the package."""

    def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
        reserve_name(players)
        seats = list(players)
        chance.shuffle(seats)
        return seats, (
            private_breweries.begun_with(t, chance.sample([row.number for row in t.private], sheet.privates)),
        )

    return seating


# ---------------------------------------------------------------------- the starting round (8.3.2)


def shared_out(game: Game, won: Mapping[str, tuple[str, int]]) -> None:
    """DO-8.3.2-a: the players pay their bids; the Investor pays the lowest box of what is left over."""
    rest = {lot: (INVESTOR, boxes[0]) for lot, boxes in private_breweries.lots(game).items() if lot not in won}
    take_cards(game, {**won, **rest})


def cheaper(game: Game) -> str:
    """DO-8.3.2-b: who has paid less for a private brewery; of equal prices the lower number."""
    numbers = game.definition.privates
    player, _ = min(leaders(game).items(), key=lambda item: (item[1][1], numbers[item[0]].number))[1]
    return player


# ---------------------------------------------------------------------- his turns


class TurnsOfHisRailway(Mechanism):
    """DO-8.2.2-a: his turns in stock rounds, and those of his railway."""

    def __init__(self, core: RailwayGame, sheet: InvestorSheet) -> None:
        self.core = core
        self.sheet = sheet
        self.dearest = Dearest(sheet, core.trade, own, by_price)

    def first(self, game: Game) -> None:
        """The token of his railway stands on its space before anything is bought."""
        company, price = investment(game).company, self.sheet.railway_price
        game.prices.put(company, self.core.trade.pars(game, company)[price])
        game.emit(InvestorDrawn(company, price))

    def actors(self, round_: str) -> Mapping[str, Steps]:
        if round_ == self.core.stock.name:
            return {SITTER: Steps(InvestStep(self.dearest))}
        return {INVESTED: self.railway()} if round_ == self.core.operating.name else {}

    def railway(self) -> Steps:
        """The turn of his railway."""
        core = self.core
        trains = InvestedTrainStep(raising(self.dearest.ranked), core.new_cards)
        return Steps(
            EarlyTrainStep(trains, core.t.abilities.early_train),
            core.track,
            core.station,
            core.link,
            BeerRunStep(BestBeerRunChoice),
            RepayingStep(IfNewest(core.payout, newest)),
            trains,
            BuyBackStep(),
            extras=(SellFor(trains), core.turning),
        )

    def remarks(self, game: Game) -> list[Remark]:
        return [] if game.finished else investor_stock.remarks(self.dearest, game)


# ---------------------------------------------------------------------- his card


class Card(Mechanism):
    """DO-8.3.5-a: his card: chosen after the starting round, handed on after operating rounds, or kept for money."""

    def __init__(self, offered: bool) -> None:
        #: Whether the holder may offer money for it.
        self.offered = offered

    def keeps(self, round_: str) -> Keeps:
        return (CardSettled,) if round_ == "operating" else ()

    def questions(self) -> Mapping[str, Question]:
        return {"choose_card": choice_of_cards, KEEP: keep_card, "card_offer": offer_of_card}

    def interrupts(self, game: Game) -> bool:
        """Cards are chosen after the starting round, and change hands after each operating round but the last."""
        round_ = game.state.round
        if round_.kind == "package" and not card_holder(game):
            game.ask("choose_card", [cheaper(game)])
            return True
        last = bool(game.state.bank_broken) and round_.operating_number == round_.operating_total
        if round_.kind == "operating" and not last and not CardSettled.of(game).card:
            CardSettled.of(game).card = True
            holder = card_holder(game)
            if self.offered and game.state.cash[holder]:
                game.ask(KEEP, [holder])
                return True
            give_card(game, game.after(holder))
        return False


def keep_card(game: Game, pause: Pause) -> list[Choice[Any]]:
    """DO-8.3.5-b: the holder may offer money instead of handing the card on."""
    (holder,) = pause.players
    return offers(game, holder, "", lambda: game.answered(pause))
