"""18LRA for two players (9): the Investor sits between them, with a company that they run in turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine import events as ev
from engine.definition import Definition
from engine.finance import shares
from engine.finance.closing import close_private
from engine.finance.market import Prices
from engine.game import Game
from engine.mechanism import Mechanism
from engine.records import put
from engine.remembered import Passes
from engine.rounds.stock import richest
from engine.rounds.turns import Steps
from engine.rules import Listener, Question, Remark, Rules, Seated, Setup
from engine.state import BANK, OFFERING, POOL, State
from engine.steps.run import BestRunChoice, RunStep
from titles.lra import data
from titles.lra.acquiring import AcquireStep, following
from titles.lra.founding import FoundingTrade
from titles.lra.gkb import KeepsGkb
from titles.lra.main import LowerRhine
from titles.lra.managing import ForcedTrains, InvestedStation, InvestedTrack, PaysOut, PlayersEarn
from titles.lra.seat import Investment
from titles.lra.tables import InvestorCard, Tables
from titles.lra.way import missing
from titles.rhineland.course import OrderCards
from titles.rhineland.floating import AtShare
from titles.rhineland.investor import (
    INVESTOR,
    SITTER,
    CardStep,
    HeldCard,
    OfferStep,
    card_holder,
    choice_of_cards,
    circle,
    offer_of_card,
    reserve_name,
)

#: The kind of actor that his company is.
INVESTED = "invested"


@dataclass(frozen=True, slots=True)
class InvestorDrawn(ev.Event):
    """The company that was drawn for the Investor, with its private company and its price."""

    company: str
    private: str
    price: int


def investor(setup: Setup) -> Rules:
    """9: the base game, and the Investor."""
    definition = data.definition(setup)
    t: Tables = definition.tables
    core = LowerRhine(
        setup,
        definition,
        Seat(definition),
        seating=with_investor(t.order_card),
        pay=pay_people,
        trade=FoundingTrade,
        priority=first_to_pass,
        order=in_stock_rounds,
        payout=PlayersEarn(KeepsGkb()),
        floating=FreeForInvestor(),
    )
    return replace(core.rules(HisTurns(core)), circle=circle)


class Seat(Mechanism):
    """9.1, 9.2: the Investor and his company: where they come from, who decides, what he is asked and what closes."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.t: Tables = definition.tables

    def lay_out(self, state: State, chance: random.Random) -> None:
        """9.1: his company is drawn and floats: he has half of it, its charter the rest; its private is its own."""
        t = self.t
        state.seatless.append(INVESTOR)
        state.cash[INVESTOR] = state.loans[INVESTOR] = 0
        row = chance.choice([row for row in t.investor_company if row.corporation in state.companies])
        name = row.corporation
        company = state.companies[name]
        free = [number for number, holder in enumerate(company.certificates) if holder == OFFERING]
        for place, number in enumerate(free):
            company.certificates[number] = INVESTOR if place < t.investor.initial_certificates else name
        company.director = INVESTOR
        company.floated = company.active = True
        market = self.definition.market
        his = OrderCards.within(state).order_cards[INVESTOR]
        company.par = next(card.investor_value for card in t.order_card if card.number == his)
        cell = next(cell for cell in market.cells("p") if market.rows[cell[0]][cell[1]] == company.par)
        company.price = Prices(market, state).up(cell)
        state.stacks[company.price] = [name]
        state.privates[row.private] = name
        put(state, Investment(name, row.private))
        put(state, HeldCard())

    def first(self, game: Game) -> None:
        his = Investment.of(game)
        game.emit(InvestorDrawn(his.company, his.private, game.prices.value(his.company)))

    def kind(self, game: Game, actor: str) -> str | None:
        if actor == INVESTOR:
            return SITTER
        return INVESTED if actor == Investment.of(game).company else None

    def decides(self, game: Game, actor: str) -> str | None:
        """9.2.2: whoever holds his card decides for his company."""
        return card_holder(game) if actor == Investment.of(game).company else None

    def interrupts(self, game: Game) -> bool:
        """9.2: after the first stock round the richer player chooses a card before anything goes on."""
        if game.state.round.kind != "stock" or card_holder(game):
            return False
        game.ask("choose_card", [richest(game)])
        return True

    def questions(self) -> Mapping[str, Question]:
        return {"choose_card": choice_of_cards, "card_offer": offer_of_card}

    def may_sell_trains(self, game: Game, company: str) -> bool:
        """9.2.2: his company sells none."""
        return company != Investment.of(game).company

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.TileLaid: tile_laid, ev.PhaseChanged: close_own}

    def remarks(self, game: Game) -> list[Remark]:
        return remarks(self.t, game)

    def faults(self, game: Game) -> list[str]:
        return faults(self.t, game)


class HisTurns(Mechanism):
    """9.2.1, 9.2.2: the Investor in the stock rounds, and his company in the operating rounds."""

    def __init__(self, core: LowerRhine) -> None:
        self.core = core

    def actors(self, round_: str) -> Mapping[str, Steps]:
        core, sheet = self.core, self.core.t.investor
        if round_ == core.stock.name:
            return {SITTER: Steps(AcquireStep(sheet))}
        if round_ != core.operating.name:
            return {}
        steps = Steps(
            InvestedTrack(core.t, core.grant),
            InvestedStation(core.t),
            RunStep(BestRunChoice),
            PaysOut(sheet),
            ForcedTrains(sheet),
            OfferStep() if core.setup.options["card_offer"] else CardStep(),
        )
        return {INVESTED: steps}


# ---------------------------------------------------------------------- preparation (9.1)


def with_investor(cards: tuple[InvestorCard, ...]) -> Callable[..., Seated]:
    """A card for each player and one for the Investor: the lower of the players begins, his sets the price."""
    values = {card.number: card.investor_value for card in cards}

    def seating(setup: Setup, players: tuple[str, ...], chance: random.Random) -> Seated:
        reserve_name(players)
        *numbers, his = chance.sample(sorted(values), len(players) + 1)
        deal = dict(zip(players, numbers, strict=True))
        seats = sorted(players, key=lambda player: deal[player])
        return seats, (OrderCards({**deal, INVESTOR: his}),)

    return seating


# ---------------------------------------------------------------------- who sits where, who decides


def in_stock_rounds(game: Game) -> list[str]:
    """He acquires nothing in the first."""
    return game.state.seats if game.state.round.stock_number == 1 else circle(game)


def first_to_pass(game: Game) -> str:
    """The first of the two passes that ended the round; after the first round the cards are chosen instead."""
    if game.state.round.stock_number == 1:
        return ""
    around = circle(game)
    last = around[around.index(Passes.of(game).next) - 1]
    return game.after(last)


# ---------------------------------------------------------------------- money, privates, the way


class FreeForInvestor(AtShare):
    """The bank gets the money for his company's shares; it has no treasury."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return BANK if company == Investment.of(game).company else super().payee(game, company, source)


def pay_people(game: Game) -> None:
    """Private companies pay the players; his pays nobody."""
    for private, owner in game.state.privates.items():
        if owner in game.state.seats:
            game.pay(BANK, owner, game.definition.privates[private].revenue, "private", private)


def close_own(game: Game, event: ev.PhaseChanged) -> None:
    """His company's private closes as the others do."""
    his = Investment.of(game)
    if event.colour == "brown" and game.state.privates[his.private] == his.company:
        close_private(game, his.private)


def tile_laid(game: Game, event: ev.TileLaid) -> None:
    """Once the way to his harbour is built, by whomever, the duty to build it is over for good."""
    his = Investment.of(game)
    if not his.joined and missing(game, his.company, harbour_hex(game, his)) == 0:
        his.joined = True


def harbour_hex(game: Game, his: Investment) -> str:
    t: Tables = game.definition.tables
    return t.harbour.reserved[his.private]


def remarks(t: Tables, game: Game) -> list[Remark]:
    """His company, who holds his card, what is missing on its way, and what he takes next."""
    his = Investment.of(game)
    if game.finished:
        return []
    holder = card_holder(game)
    if not holder:
        return [Remark("investor_waits", {"company": his.company})]
    found = [Remark("investor_card", {"company": his.company, "player": holder})]
    count = None if his.joined else missing(game, his.company, harbour_hex(game, his))
    if count:
        facts = {"company": his.company, "hex": harbour_hex(game, his), "count": count}
        found.append(Remark("investor_way", facts))
    taken = following(game, t.investor)
    if taken is None:
        return [*found, Remark("investor_nothing")]
    place = "pool" if taken.source == POOL else "charter"
    found.append(Remark(f"investor_next_{place}", certificate(game, taken.company, taken.number)))
    if taken.given is not None:
        found.append(Remark("investor_gives", certificate(game, *taken.given)))
    return found


def certificate(game: Game, company: str, number: int) -> dict[str, Any]:
    return {
        "company": company,
        "percent": shares.percent_of(game, company, number),
        "value": game.prices.value(company),
    }


def faults(t: Tables, game: Game) -> list[str]:
    """What is wrong with the Investor and his company."""
    his = Investment.of(game)
    cash, company = game.state.cash, game.company(his.company)
    result = [f"{who} has {cash[who]}" for who in (INVESTOR, his.company) if cash[who]]
    if company.director != INVESTOR:
        result.append(f"{company.director} directs {his.company}")
    if len(company.trains) > t.investor.train_limit or len(set(company.trains)) < len(company.trains):
        result.append(f"{his.company} has the trains {' '.join(company.trains)}")
    held: Mapping[str, int] = {name: shares.held(game, name, INVESTOR) for name in game.state.companies}
    if held[his.company] < t.investor.own_least:
        result.append(f"the Investor holds {held[his.company]} % of {his.company}")
    result += [
        f"the Investor holds {share} % of {name}"
        for name, share in held.items()
        if name != his.company and share > t.investor.share_limit
    ]
    return result
