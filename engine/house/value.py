"""What a position is worth to everybody: what they have, what their companies will earn, and what is still owed.

Nothing here knows a title; a title adds what its own things are worth (`Rules.besides`) and how long companies will
still earn (`Rules.horizon`).
"""

from __future__ import annotations

from engine.finance import shares
from engine.game import Game
from engine.state import Company

#: Dividends of rounds that are nearer count in full, later ones only with trains that last.
NEAR = 2.0
#: What a round with a dividend adds to a share's price, in parts of it, and for how many rounds at most.
GROWTH, GROWS = 0.06, 5.0
#: What a director counts of a treasury, and of the money short for the next train that lasts, or for any.
TREASURY, SHORT, NONE = 0.15, 0.4, 0.8
#: So much of what was paid for a company that has not floated may be lost.
UNFLOATED = 0.4
#: A private company is worth so much of its price besides what it pays.
PRIVATE = 0.5
#: How much of what the others have on average counts against oneself.
RIVALRY = 0.6


def values(game: Game) -> dict[str, float]:
    """What the position is worth to each seat; of a game that is over the score."""
    scores = game.rules.score(game)
    found = {player: float(scores.get(player, 0)) for player in game.state.seats}
    if game.finished:
        return found
    rounds = game.rules.horizon(game)
    for name, company in game.state.companies.items():
        if company.closed or not company.director:
            continue
        if company.floated:
            _of_company(game, name, company, rounds, found)
        else:
            for player in found:
                part = shares.held(game, name, player)
                if part:
                    found[player] -= UNFLOATED * shares.worth(game, name, part)
    privates = game.definition.privates
    for private, owner in game.state.privates.items():
        if owner in found and private in privates:
            card = privates[private]
            found[owner] += PRIVATE * card.price + card.revenue * min(rounds, 4.0)
    for player in found:
        found[player] += game.rules.besides(game, player)
    return found


def _of_company(game: Game, name: str, company: Company, rounds: float, found: dict[str, float]) -> None:
    """Dividends, the price's growth, the treasury, and money short for trains."""
    _of_shares(game, name, company, rounds, found)
    director = game.decider(name)
    if director in found:
        cash = game.state.cash[name]
        weight = min(rounds / 3, 1.0)
        found[director] += TREASURY * cash * weight
        found[director] -= owed(game, company, cash + 2 * (company.last_revenue or 0)) * weight


def _of_shares(game: Game, name: str, company: Company, rounds: float, found: dict[str, float]) -> None:
    """Dividends to come, and the price's growth."""
    revenue = company.last_revenue or 0
    lasting = lasting_part(game, company)
    dividends = revenue * (min(rounds, NEAR) + max(rounds - NEAR, 0.0) * lasting)
    grows = GROWTH * min(rounds, GROWS) * (0.4 + 0.6 * lasting) if revenue else 0.0
    for player in found:
        part = shares.held(game, name, player)
        if part:
            found[player] += dividends * part / 100 + grows * shares.worth(game, name, part)


def lasting_part(game: Game, company: Company) -> float:
    """How much of what a company's trains can do will stay; of one without trains, as if all did."""
    total = last = 0
    for name in company.trains:
        train = game.definition.train(name)
        total += train.reach
        last += train.reach * (not train.rusts_on)
    return last / total if total else 1.0


def owed(game: Game, company: Company, money: int) -> float:
    """What a director may have to add for the next train that lasts, or for one at all."""
    if not game.definition.priced or (not company.last_revenue and not company.trains and not company.operated):
        return 0.0
    left = [train for train in game.definition.trains if game.state.depot.left[train.name] > 0 and train.price]
    if not left:
        return 0.0
    if any(not game.definition.train(name).rusts_on for name in company.trains):
        return 0.0
    lasting = next((train.price for train in left if not train.rusts_on), left[0].price)
    due = SHORT * max(lasting - money, 0)
    if not company.trains:
        due += (NONE - SHORT) * max(left[0].price - money, 0)
    return due


#: The parts of which a player's value is made, for those who tell why.
PARTS = ("cash", "shares", "dividends", "treasury", "trains", "privates", "besides", "others")


def parts(game: Game, player: str) -> dict[str, float]:
    """What a position is worth to a player, part by part; they add up to about what `judged` says."""
    found = dict.fromkeys(PARTS, 0.0)
    every = values(game)
    others = [worth for other, worth in every.items() if other != player]
    found["others"] = -RIVALRY * sum(others) / len(others) if others else 0.0
    found["cash"] = float(game.state.cash.get(player, 0))
    score = float(game.rules.score(game).get(player, 0))
    found["shares"] = score - found["cash"] if game.definition.priced else score
    if not game.definition.priced:
        found["cash"] = 0.0
    if game.finished:
        return found
    rounds = game.rules.horizon(game)
    for name, company in game.state.companies.items():
        if company.floated and not company.closed and company.director:
            mine = {player: 0.0}
            _of_shares(game, name, company, rounds, mine)
            found["dividends"] += mine[player]
            if game.decider(name) == player:
                weight = min(rounds / 3, 1.0)
                cash = game.state.cash[name]
                found["treasury"] += TREASURY * cash * weight
                found["trains"] -= owed(game, company, cash + 2 * (company.last_revenue or 0)) * weight
    found["besides"] = game.rules.besides(game, player)
    found["privates"] = every[player] - sum(found[part] for part in PARTS if part not in ("privates", "others"))
    return found


def judged(game: Game, player: str) -> float:
    """What the position is worth to a player, against what it is worth to the others on average."""
    found = values(game)
    others = [value for other, value in found.items() if other != player]
    return found.get(player, 0.0) - (RIVALRY * sum(others) / len(others) if others else 0.0)
