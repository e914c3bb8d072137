"""18LRA by the rulebook of 2024: its rounds, the steps of a turn, and the policy at each joint."""

from __future__ import annotations

import random
from functools import partial

from engine import events as ev
from engine.board.board import put_token
from engine.definition import Home
from engine.finance import shares
from engine.finance.prices import ByRatio, PriceRules, down_a_sale
from engine.finance.raising import Cash, Loan, OwnShares, Raising, Shares
from engine.game import Game
from engine.records import put
from engine.rounds.operating import by_price, pay_privates
from engine.rounds.package import Auction
from engine.rounds.stock import StockRound, richest
from engine.rounds.turns import OnceRound, Steps
from engine.rules import Rules, Setup, Trains, all_that_is_kept, owned_privates
from engine.state import ASIDE, BLANK, MARKER, OFFERING, POOL, State
from engine.steps.run import DividendStep, RunStep
from engine.steps.trade import (
    CHARTER,
    TradeStep,
    at_price,
    certificate_limit,
    floated,
    from_round,
    marked_spaces,
    not_sold_before,
    once_a_turn,
    pool_from_round,
)
from engine.steps.trains import TrainStep, if_it_could_run
from titles.lra import data
from titles.lra.dalheim import PLANNED, Camp, CampToken
from titles.lra.gkb import GkbEarned, GkbTrain, KeepsGkb, Kreisbahn
from titles.lra.harbour import HarbourStep, has_harbour_token
from titles.lra.house import LraGreedy
from titles.lra.links import Link, LinkDue
from titles.lra.running import train_rules
from titles.lra.tables import HARBOUR, Tables
from titles.lra.track import LraTrackStep
from titles.rhineland.course import by_order_cards, close_privates, in_turn, left_of_last_buyer_begins, short_round
from titles.rhineland.floating import AtShare
from titles.rhineland.powers import StationGrant
from titles.rhineland.running import furthest_train


def base(setup: Setup) -> Rules:
    """The base game."""
    definition = data.definition(setup)
    t: Tables = definition.tables
    camp, kreisbahn, link = Camp(t), Kreisbahn(t.gkb), Link(t.link_payment)

    # 5.1 the starting package
    package = Auction(sold=partial(lot_sold, t), all_passed=short_round, all_sold=left_of_last_buyer_begins)

    # 5 stock rounds
    trade = TradeStep(
        pars=marked_spaces,
        sources={OFFERING: at_price, CHARTER: at_price, POOL: at_price},
        buy=(certificate_limit, not_sold_before, pool_from_round(2)),
        sell=(from_round(2), floated, once_a_turn),
    )
    stock = StockRound(Steps(trade), priority=richest)

    # 6 operating rounds
    last = () if setup.options["bankruptcy_end"] else (Loan(2),)
    station = HarbourStep(t)
    trains = TrainStep(
        Raising(OwnShares(), Cash(), (Shares(), *last)),
        must_own=if_it_could_run(furthest_train(t.gkb.train)),
    )
    railway = Steps(LraTrackStep(t), station, RunStep(), DividendStep(KeepsGkb()), trains)
    operating = OnceRound("operating", by_price, {"railway": railway}, begins=pay_privates, keeps=(GkbEarned,))

    return Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={"package": package, "stock": stock, "operating": operating},
        first=package.begin,
        then=in_turn(stock, operating),
        seating=by_order_cards(t.order_card, locations=False),
        lay_out=partial(lay_out, t, data.covered(setup)),
        prices={"railway": PriceRules(sale=down_a_sale, dividend=ByRatio(), sold_out=1)},
        floating={"railway": AtShare()},
        trains=Trains(rules=train_rules, bound=lambda train: train == t.gkb.train, depends=all_that_is_kept),
        on={
            ev.TileLaid: (link.tile_laid, camp.tile_laid),
            ev.CompanyFounded: (camp.token.founded, kreisbahn.train.founded),
            ev.DirectorChanged: (camp.token.director_changed, kreisbahn.train.director_changed),
            ev.CompanyFloated: (link.floated,),
            ev.TrainsRun: (kreisbahn.trains_run,),
            # 6.3: Dalheim, then GKB, then the others close (ruling 79)
            ev.PhaseChanged: (camp.phase_changed, kreisbahn.phase_changed, close_privates),
        },
        questions={
            "granted_station": StationGrant(station),
            camp.token.name: camp.token.question,
            kreisbahn.train.name: kreisbahn.train.question,
        },
        possessions=partial(possessions, t),
        token_kinds=partial(token_kinds, t),
        broken=partial(broken, t),
        house={"greedy": LraGreedy()},
    )


def lay_out(t: Tables, covered: tuple[Home, ...], state: State, chance: random.Random) -> None:
    """The certificate that comes with a lot, blank tokens on homes that are not used, GKB's train aside."""
    state.companies[t.lot_certificate.corporation].certificates[t.lot_certificate.certificate] = ASIDE
    for home in covered:
        put_token(state.board, BLANK, home.at, home.stop)
    state.board.markers[t.dalheim.hex] = [PLANNED]
    for kept in (CampToken(), GkbTrain(), LinkDue()):
        put(state, kept)
    set_aside(t, state)


def possessions(t: Tables, game: Game, holder: str) -> dict[str, int]:
    """Private companies, and Dalheim's token."""
    return {**owned_privates(game, holder), **({"dalheim": 1} if CampToken.of(game).company == holder else {})}


def token_kinds(t: Tables, game: Game, company: str) -> list[str]:
    """The last token of a charter is the harbour token, as long as it is there."""
    count = len(game.company(company).tokens_left)
    last = HARBOUR if has_harbour_token(game, company, t.harbour) else ""
    return [""] * (count - 1) + [last] * bool(count)


def set_aside(t: Tables, state: State) -> None:
    """GKB's train is never on sale."""
    state.depot.left[t.gkb.train] -= 1
    state.depot.sold[t.gkb.train] += 1
    state.depot.aside.append(t.gkb.train)


def lot_sold(t: Tables, game: Game, player: str, lot: str, price: int) -> None:
    """What a lot brings besides itself."""
    if lot == t.lot_certificate.lot:
        shares.move(game, t.lot_certificate.corporation, t.lot_certificate.certificate, player)


def broken(t: Tables, game: Game) -> list[str]:
    """What is wrong with harbour tokens, blank tokens and GKB."""
    result = []
    board = game.state.board
    for at in t.harbour.hexes:
        for stop, spaces in enumerate(board.stations[at]):
            for space in game.board.faces[at].stops[stop].spaces_for("", HARBOUR):
                if spaces[space] and spaces[space] not in t.harbour.reduced:
                    result.append(f"{spaces[space]} lies on the harbour space of {at}")
    for company in t.harbour.reduced:
        places = [at for at in t.harbour.hexes if game.board.lies_on(company, at, 0, HARBOUR)]
        if len(places) > 1:
            result.append(f"{company} has harbour tokens on {', '.join(places)}")
    gkb = GkbTrain.of(game)
    if bool(gkb.owner) != (board.stations[t.gkb.hex][0] == [MARKER]):
        result.append("GKB's station and its float do not agree")
    owners = [name for name, company in game.state.companies.items() if t.gkb.train in company.trains]
    if owners != ([gkb.company] if gkb.company else []):
        result.append(f"GKB's train is with {', '.join(owners) or 'nobody'}")
    return result
