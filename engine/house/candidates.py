"""What is worth trying of an offer: few moves of each kind, the title's own choices through their own pruners."""

from __future__ import annotations

from typing import Any

from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import price
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.house.quick import BUILDING, Steady
from engine.house.tidy import every, floats
from engine.offer import Choice, Number, Options
from engine.remembered import Trading
from engine.state import BANK, POOL

#: Proposals to others in one turn, and companies of which shares are sold in one round, without need.
PROPOSALS, SALES = 2, 2
#: Of the values of a choice that nobody knows so many are tried.
UNKNOWN = 8


def worth_trying(game: Game, player: str) -> list[mv.Move]:
    """The moves to be tried besides building, each once; what the title's greedy player would do comes first."""
    choices = game.offer().of(player)
    found: dict[mv.Move, None] = {}
    judged = TitleGreedy().choose(game, player, Steady())
    found[judged] = None
    free = any(choice.name == "pass" for choice in choices)
    for choice in choices:
        if choice.name not in BUILDING:
            found.update(dict.fromkeys(tries(game, player, choice, free=free)))
    return list(found)


def tries(game: Game, player: str, choice: Choice[Any], *, free: bool) -> list[mv.Move]:
    """What is tried of a choice; `free` says that the player need not do anything."""
    own = choice.worth_trying(UNKNOWN)
    if own is not None:
        return list(own)
    kind = choice.kind
    if kind is mv.BuyShare:
        return purchases(choice)
    if kind is mv.SellShares:
        return sales(game, player, choice, free=free)
    if kind is mv.Found:
        return foundings(game, choice)
    if kind is mv.BuyTrain:
        return train_purchases(game, player, choice)
    if kind is mv.Run:
        return [choice.move({"routes": first(choice)})]
    if kind is mv.Bid:
        return bids(choice)
    return every(choice, UNKNOWN)


def first(choice: Choice[Any]) -> Any:
    domain = choice.ask({})
    assert isinstance(domain, Options)
    return domain.options[0].value


def purchases(choice: Choice[Any]) -> list[mv.Move]:
    """Of each company the cheapest share."""
    best: dict[str, tuple[int, mv.Move]] = {}
    companies = choice.ask({})
    assert isinstance(companies, Options)
    for company in companies.options:
        sources = choice.ask({"company": company.value})
        if not isinstance(sources, Options) or sources.name != "source":
            return every(choice, UNKNOWN)
        for source in sources.options:
            picked = {"company": company.value, "source": source.value}
            percents = choice.ask(picked)
            if not isinstance(percents, Options):
                return every(choice, UNKNOWN)
            for percent in percents.options:
                cost = source.facts.get("price", 0)
                if company.value not in best or cost < best[company.value][0]:
                    best[company.value] = cost, choice.move({**picked, "percent": percent.value})
    return [move for _, move in best.values()]


def sales(game: Game, player: str, choice: Choice[Any], *, free: bool) -> list[mv.Move]:
    """Of each company as little and as much as can be sold; without need of few companies in one round."""
    trading = Trading.seen(game)
    sold = trading.sold.get(player, ()) if trading else ()
    if free and len(set(sold)) >= SALES:
        return []
    found: list[mv.Move] = []
    companies = choice.ask({})
    assert isinstance(companies, Options)
    for company in companies.options:
        if free and company.value in sold:
            continue
        percents = choice.ask({"company": company.value})
        if not isinstance(percents, Options) or not percents.options:
            continue
        values = [option.value for option in percents.options]
        ends = dict.fromkeys((min(values), max(values)))
        found += [choice.move({"company": company.value, percents.name: value}) for value in ends]
    return found


def foundings(game: Game, choice: Choice[Any]) -> list[mv.Move]:
    """Of each company the highest and the lowest price at which it floats."""
    player = choice.player
    if any(c.director == player and not c.floated for c in game.state.companies.values()):
        return []
    found: list[mv.Move] = []
    companies = choice.ask({})
    assert isinstance(companies, Options)
    for company in companies.options:
        pars = choice.ask({"company": company.value})
        if not isinstance(pars, Options):
            continue
        floating = [
            move
            for option in pars.options
            if isinstance(move := choice.move({"company": company.value, pars.name: option.value}), mv.Found)
            and floats(game, move)
        ]
        if floating:
            by_par = sorted(floating, key=lambda move: move.par)
            found += dict.fromkeys((by_par[-1], by_par[0]))
    return found


def train_purchases(game: Game, player: str, choice: Choice[Any]) -> list[mv.Move]:
    """Everything that bank and pool sell; between own companies for little and for all; others are asked once."""
    found: list[mv.Move] = []
    sources = choice.ask({})
    assert isinstance(sources, Options)
    for source in sources.options:
        trains = choice.ask({"source": source.value})
        assert isinstance(trains, Options)
        for train in trains.options:
            picked = {"source": source.value, "train": train.value}
            prices = choice.ask(picked)
            if source.value in (BANK, POOL):
                found.append(choice.move({**picked, "price": train.facts["price"]}))
            elif isinstance(prices, Number) and game.decider(source.value) == player:
                found += [
                    choice.move({**picked, "price": amount}) for amount in dict.fromkeys((prices.low, prices.high))
                ]
            elif isinstance(prices, Number) and proposed(game, player) < PROPOSALS:
                fair = min(max(price(game, train.value) * 2 // 3, prices.low), prices.high)
                found.append(choice.move({**picked, "price": fair}))
    return found


def proposed(game: Game, player: str) -> int:
    """How many of a player's last moves, with nothing but answers between, somebody else had to answer."""
    count = 0
    for before, move in zip(reversed(game.moves[:-1]), reversed(game.moves), strict=False):
        if isinstance(move, mv.Answer):
            count += before.player == player and not isinstance(before, mv.Answer)
        elif move.player != player:
            break
    return count


def bids(choice: Choice[Any]) -> list[mv.Move]:
    """On each lot as little as possible."""
    domain = choice.ask({})
    assert isinstance(domain, Options)
    found = []
    for option in domain.options:
        prices = choice.ask({domain.name: option.value})
        if isinstance(prices, Number):
            found.append(choice.move({domain.name: option.value, prices.name: prices.low}))
        elif isinstance(prices, Options) and prices.options:
            found.append(choice.move({domain.name: option.value, prices.name: prices.options[0].value}))
    return found


def unknown_to_others(game: Game, player: str, move: mv.Move) -> bool:
    """Whether a move asks somebody else for their consent."""
    twin = game.copy()
    twin.apply(move)
    return bool(twin.state.pauses) and player not in twin.offer().deciders


__all__ = ["proposed", "shares", "tries", "unknown_to_others", "worth_trying"]
