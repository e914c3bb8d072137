"""What a house player never does, whatever its title's judgement says: each habit by itself, without looking ahead.

It closes no company that it directs, sells shares only for a purchase in the same turn, founds only what floats, buys
only trains that it can use, and lets no treasury lie idle beside a train that would earn.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.house.filling import bank_offers
from engine.offer import Choice, Options
from engine.state import BANK, POOL

#: What a player of the title would do; it is asked again on copies.
Judgement = Callable[[Game, str, random.Random], mv.Move]

#: A sale's purchase follows within so many decisions of the same turn.
_TURN = 12
#: A train that will become obsolete must earn its price in so many runs, one that lasts in twice as many.
_RUNS = 4
#: So much of what a company costs to float its founder has; others, who have at least as much, buy the rest.
_OWN_PART = 0.6


def tidied(game: Game, player: str, move: mv.Move, chance: random.Random, judge: Judgement) -> mv.Move:
    """A move as it is, or a better one where it is against a habit; `chance` is as the next decision will find it."""
    passing = next((choice for choice in game.offer().of(player) if choice.name == "pass"), None)
    if isinstance(move, mv.Found):
        return move if floats(game, move) else _founding(game, player) or _no(passing, move)
    if isinstance(move, mv.Pass):
        return _founding(game, player) or earning_train(game, player) or move
    if isinstance(move, mv.Dividend | mv.SellShares | mv.SellOwnShares) and closes_own(game, move):
        for other in _others(game, player, move):
            if not closes_own(game, other):
                return other
        return move
    if passing is None or game.state.pauses:
        return move
    if isinstance(move, mv.SellShares | mv.SellOwnShares) and not buys_after(game, player, move, chance, judge):
        return _no(passing, move)
    if isinstance(move, mv.BuyTrain) and move.source in (BANK, POOL) and not useful(game, move):
        return earning_train(game, player) or _no(passing, move)
    return move


def _no(passing: Choice[mv.Move] | None, move: mv.Move) -> mv.Move:
    if passing is None:
        return move
    no: mv.Move = passing.move({})
    return no


def after(game: Game, move: mv.Move) -> Game:
    """A copy in which a move was made."""
    twin = game.copy()
    twin.apply(move)
    return twin


# ---------------------------------------------------------------------- companies that close


def closes_own(game: Game, move: mv.Move) -> bool:
    """Whether a move ends a company that its player directs."""
    own = [name for name, company in game.state.companies.items() if company.director == move.player]
    if isinstance(move, mv.Dividend) and _pays(game, move):
        return False
    then = after(game, move).state.companies if own else {}
    return any(then[name].closed and not game.company(name).closed for name in own)


def _pays(game: Game, move: mv.Dividend) -> bool:
    """Whether it is the most generous dividend, after which no price falls."""
    choice = game.offer().find("dividend", move.player)
    domain = choice.ask({}) if choice is not None else None
    return isinstance(domain, Options) and domain.options[0].value == move.kind


def _others(game: Game, player: str, move: mv.Move) -> Iterator[mv.Move]:
    """The other ways to answer what a move answers: those of its kind first, then passing."""
    choices = game.offer().of(player)
    for choice in choices:
        if choice.matches(move):
            yield from every(choice)
    for choice in choices:
        if not choice.matches(move):
            yield from every(choice)


def every(choice: Choice[mv.Move], most: int = 30) -> list[mv.Move]:
    """The moves of a choice, if they are few; of numbers the lowest and the highest."""
    found: list[mv.Move] = []

    def walk(picked: dict[str, object]) -> None:
        domain = choice.ask(picked)
        if domain is None:
            found.append(choice.move(picked))
            return
        values = [o.value for o in domain.options] if isinstance(domain, Options) else [domain.low, domain.high]
        for value in values:
            if len(found) < most:
                walk({**picked, domain.name: value})

    walk({})
    return found


# ---------------------------------------------------------------------- sales


def buys_after(game: Game, player: str, move: mv.Move, chance: random.Random, judge: Judgement) -> bool:
    """Whether the money of a sale is spent on something before the turn of its actor ends."""
    payer = player if isinstance(move, mv.SellShares) else _company_of(move)
    twin, luck = game.copy(), random.Random()
    luck.setstate(chance.getstate())
    actor = twin.state.round.actor
    twin.apply(move)
    for _ in range(_TURN):
        if twin.finished or twin.state.round.actor != actor or player not in twin.offer().deciders:
            return False
        before = twin.state.cash[payer]
        following = judge(twin, player, luck)
        twin.apply(following)
        if twin.state.cash[payer] < before:
            return True
    return False


def _company_of(move: mv.Move) -> str:
    return str(getattr(move, "company", move.player))


# ---------------------------------------------------------------------- founding


def floats(game: Game, move: mv.Found) -> bool:
    """Whether a company will float: its founder can pay for it alone, or has most of it and others have the rest."""
    unit = shares.unit(game, move.company)
    corporation = game.definition.corporations[move.company]
    cost = corporation.float_percent // unit * move.par
    own = game.state.cash[move.player]
    if own >= cost:
        return True
    others = sum(cash for seat, cash in game.state.cash.items() if seat in game.state.seats and seat != move.player)
    return own >= _OWN_PART * cost and others >= cost


def _founding(game: Game, player: str) -> mv.Move | None:
    """A company that will float, at the highest price at which it does; none while another waits for its capital."""
    choice = next(
        (choice for choice in game.offer().of(player) if isinstance(choice.kind, type) and choice.kind is mv.Found),
        None,
    )
    if choice is None or any(c.director == player and not c.floated for c in game.state.companies.values()):
        return None
    companies = choice.ask({})
    assert isinstance(companies, Options)
    best: mv.Found | None = None
    for company in companies.options:
        pars = choice.ask({"company": company.value})
        assert isinstance(pars, Options)
        for par in pars.options:
            move = choice.move({"company": company.value, "par": par.value})
            assert isinstance(move, mv.Found)
            if floats(game, move) and (best is None or move.par > best.par):
                best = move
    return best


# ---------------------------------------------------------------------- trains


def gain(game: Game, move: mv.BuyTrain) -> int:
    """How much more a company would earn with a train, on the track as it is."""
    then = after(game, move)
    value = game.rules.trains.revenue
    return value(then.best_routes(move.company).routes) - value(game.best_routes(move.company).routes)


def lasts(game: Game, train: str) -> bool:
    return not game.definition.train(train).rusts_on


def useful(game: Game, move: mv.BuyTrain) -> bool:
    """Whether a company earns more with a train, has none, or has none yet that lasts."""
    owned = game.company(move.company).trains
    if not owned or (lasts(game, move.train) and not any(lasts(game, train) for train in owned)):
        return True
    return gain(game, move) > 0


def earning_train(game: Game, player: str) -> mv.Move | None:
    """The train that the treasury can pay and that earns its price, of several the one that earns most."""
    choice = game.offer().find("buy_train", player)
    if choice is None or game.state.pauses or choice.kind is not mv.BuyTrain:
        return None
    best: tuple[float, mv.Move] | None = None
    for train, move in bank_offers(game, choice):
        if not isinstance(move, mv.BuyTrain) or move.price > game.state.cash[choice.company]:
            continue
        more = gain(game, move) * _RUNS * (1 if train.rusts_on else 2) - move.price
        if more >= 0 and (best is None or more > best[0]):
            best = more, move
    return best[1] if best is not None else None
