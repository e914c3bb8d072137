"""18LRA for two players (9): the Investor sits between them, with a company that they run in turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine import events as ev
from engine.finance import shares
from engine.finance.closing import close_private
from engine.finance.market import Prices
from engine.game import Game
from engine.records import put
from engine.remembered import Passes
from engine.rounds.operating import by_price
from engine.rounds.package import Auction
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Remark, Rules, Seated, Setup, kind_of, owner_or_director
from engine.state import BANK, OFFERING, POOL, State
from engine.steps.run import BestRunChoice, DividendStep, RunStep
from engine.steps.trade import TradeStep
from engine.steps.trains import TrainStep
from titles.lra.acquiring import AcquireStep, following
from titles.lra.founding import FoundingTrade
from titles.lra.gkb import GkbEarned, KeepsGkb
from titles.lra.house import LraGreedy
from titles.lra.main import base
from titles.lra.managing import ForcedTrains, InvestedStation, InvestedTrack, PaysOut, PlayersEarn
from titles.lra.seat import Investment
from titles.lra.tables import InvestorCard, Tables
from titles.lra.way import missing
from titles.rhineland.course import OrderCards, in_turn, short_round
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
    """The base game, and what is different with the Investor."""
    plain = base(setup)
    definition = plain.definition
    t: Tables = definition.tables
    old_package, old_stock, old_operating = (plain.rounds[name] for name in ("package", "stock", "operating"))
    assert isinstance(old_package, Auction)
    assert isinstance(old_stock, StockRound)
    assert isinstance(old_operating, OnceRound)

    # 9.3 the remaining privates, then a director's certificate for everybody
    package = Auction(
        sold=old_package.sold, all_passed=partial(short_round, pay=pay_people), all_sold=old_package.all_sold
    )
    trade = old_stock.steps[PLAYER]["trade"]
    assert isinstance(trade, TradeStep)

    # 9.2.1 the Investor in the stock rounds
    stock = StockRound(
        {PLAYER: Steps(FoundingTrade(trade)), SITTER: Steps(AcquireStep(t.investor))},
        priority=first_to_pass,
        order=in_stock_rounds,
    )

    # 9.2.2 the Investor in the operating rounds
    track, station, run, _, trains = old_operating.steps["railway"].named.values()
    assert isinstance(trains, TrainStep)
    keeps_trains = TrainStep(
        trains.raising,
        must_own=trains.must_own,
        may_sell=lambda game, company: company != Investment.of(game).company,
    )
    railway = Steps(track, station, run, DividendStep(PlayersEarn(KeepsGkb())), keeps_trains)
    invested = Steps(
        InvestedTrack(t),
        InvestedStation(t),
        RunStep(BestRunChoice),
        PaysOut(t.investor),
        ForcedTrains(t.investor),
        OfferStep() if setup.options["card_offer"] else CardStep(),
    )
    operating = OnceRound(
        "operating", by_price, {"railway": railway, INVESTED: invested}, begins=pay_people, keeps=(GkbEarned,)
    )

    return replace(
        plain,
        rounds={"package": package, "stock": stock, "operating": operating},
        first=partial(begin, package),
        then=after_choosing(in_turn(stock, operating)),
        seating=with_investor(t.order_card),
        lay_out=partial(lay_out, plain, t),
        kind=kind,
        decides=decides,
        circle=circle,
        floating={"railway": FreeForInvestor()},
        on={
            **plain.on,
            ev.TileLaid: (*plain.on[ev.TileLaid], tile_laid),
            ev.PhaseChanged: (*plain.on[ev.PhaseChanged], close_own),
        },
        questions={
            **plain.questions,
            "choose_card": choice_of_cards,
            "card_offer": offer_of_card,
        },
        remarks=partial(remarks, t),
        broken=lambda game: [*plain.broken(game), *broken(t, game)],
        house={"greedy": LraGreedy()},
    )


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


def lay_out(plain: Rules, t: Tables, state: State, chance: random.Random) -> None:
    """His company is drawn and floats: he has half of it, its charter the rest; its private company is its own."""
    plain.lay_out(state, chance)
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
    market = plain.definition.market
    his = OrderCards.within(state).order_cards[INVESTOR]
    company.par = next(card.investor_value for card in t.order_card if card.number == his)
    cell = next(cell for cell in market.cells("p") if market.rows[cell[0]][cell[1]] == company.par)
    company.price = Prices(market, state).up(cell)
    state.stacks[company.price] = [name]
    state.privates[row.private] = name
    put(state, Investment(name, row.private))
    put(state, HeldCard())


def begin(package: Auction, game: Game) -> None:
    his = Investment.of(game)
    game.emit(InvestorDrawn(his.company, his.private, game.prices.value(his.company)))
    package.begin(game)


# ---------------------------------------------------------------------- who sits where, who decides


def kind(game: Game, actor: str) -> str:
    if actor == INVESTOR:
        return SITTER
    return INVESTED if actor == Investment.of(game).company else kind_of(game, actor)


def decides(game: Game, actor: str) -> str:
    """Whoever holds his card decides for his company."""
    his = Investment.of(game)
    return card_holder(game) if actor == his.company else owner_or_director(game, actor)


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


def after_choosing(then: Callable[[Game], None]) -> Callable[[Game], None]:
    """After the first stock round the richer player chooses a card before anything goes on."""

    def following(game: Game) -> None:
        if game.state.round.kind == "stock" and not card_holder(game):
            game.ask("choose_card", [richest(game)])
        else:
            then(game)

    return following


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


def broken(t: Tables, game: Game) -> list[str]:
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
