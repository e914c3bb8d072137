"""What must hold after every move of every title: nothing is made or lost, somebody can go on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.finance.depot import counting
from engine.state import ASIDE, BANK, BLANK, MARKER, OFFERING, POOL, REMOVED

if TYPE_CHECKING:
    from engine.game import Game


def faults(game: Game) -> list[str]:
    """Sentences about what is wrong with a position; none if it is sound."""
    return [
        *_money(game),
        *_certificates(game),
        *_tiles(game),
        *_stations(game),
        *_trains(game),
        *game.rules.faults(game),
        *_turn(game),
    ]


def _money(game: Game) -> list[str]:
    cash = game.state.cash
    result = []
    if sum(cash.values()) != game.definition.bank:
        result.append(f"the money sums to {sum(cash.values())} instead of {game.definition.bank}")
    result += [f"{who} has {amount}" for who, amount in cash.items() if amount < 0 and who != BANK]
    return result


def _certificates(game: Game) -> list[str]:
    result = []
    for name, company in game.state.companies.items():
        holders = {REMOVED} if company.closed else {*game.state.players, OFFERING, POOL, ASIDE, REMOVED, name}
        result += [f"{owner!r} holds a certificate of {name}" for owner in company.certificates if owner not in holders]
        if company.director in game.state.retired:
            result.append(f"{company.director} directs {name} after leaving the game")
        if company.director and company.certificates[0] != company.director:
            result.append(f"{company.director} directs {name} without its director's certificate")
        pooled = sum(
            percent
            for percent, owner in zip(game.definition.corporations[name].shares, company.certificates, strict=True)
            if owner == POOL
        )
        if pooled > game.rules.limits.in_pool(game, name):
            result.append(f"{pooled} % of {name} lie in the pool")
        places = [cell for cell, stack in game.state.stacks.items() if name in stack]
        if places != ([company.price] if company.price is not None else []):
            result.append(f"the price token of {name} stands on {places}, not on {company.price}")
        result += _row(game, name)
    return result


def _row(game: Game, name: str) -> list[str]:
    """A price token stands on a space of the table, on a line of its own kind of company."""
    market, cell = game.definition.market, game.state.companies[name].price
    if cell is None:
        return []
    if not market.has(*cell):
        return [f"the price token of {name} stands on {cell}, which is no space"]
    if market.kinds and cell[0] != market.row_of(game.definition.corporations[name].kind):
        return [f"the price token of {name} stands in row {cell[0]}, which is for another kind of company"]
    return []


def _tiles(game: Game) -> list[str]:
    cover = Counter(tile for tile, _ in game.state.board.tiles.values())
    return [
        f"tile {tile.id}: {cover[tile.id]} on the map and {game.state.board.supply[tile.id]} left of {tile.count}"
        for tile in game.definition.tiles.values()
        if cover[tile.id] + game.state.board.supply[tile.id] != tile.count or game.state.board.supply[tile.id] < 0
    ]


def _stations(game: Game) -> list[str]:
    placed: Counter[str] = Counter()
    result = []
    for at, stops in game.state.board.stations.items():
        face = game.board.faces[at]
        if [len(spaces) for spaces in stops] != [stop.slots for stop in face.stops]:
            result.append(f"the station spaces of {at} do not fit its tile")
        here = [token for spaces in stops for token in spaces if token not in ("", BLANK, MARKER)]
        here += game.state.board.beside.get(at, ())
        if here:
            placed.update(here)
            result += [f"{token} has two stations on {at}" for token in set(here) if here.count(token) > 1]
    result += [
        f"{', '.join(tokens) or 'nothing'} beside the spaces of {at}"
        for at, tokens in game.state.board.beside.items()
        if not tokens or at not in game.state.board.stations or not game.state.companies.keys() >= set(tokens)
    ]
    for name, corporation in game.definition.corporations.items():
        total = placed[name] + len(game.state.companies[name].tokens_left) + game.rules.lost_tokens(game, name)
        due = 0 if game.state.companies[name].closed else len(corporation.tokens)
        if total != due:
            result.append(f"{name} has {total} stations instead of {due}")
    return result


def _trains(game: Game) -> list[str]:
    depot = game.state.depot
    owned = Counter(train for company in game.state.companies.values() for train in company.trains)
    pool, gone, aside = Counter(depot.pool), Counter(depot.gone), Counter(depot.aside)
    result = []
    for train in game.definition.trains:
        name = train.name
        total = owned[name] + pool[name] + gone[name] + aside[name] + depot.left[name]
        if total != train.count or depot.sold[name] != train.count - depot.left[name]:
            result.append(f"{total} {name}-trains instead of {train.count}")
    if not game.state.pauses:
        result += [
            f"{name} has {len(counting(game, name))} trains"
            for name in game.state.companies
            if len(counting(game, name)) > game.phase.train_limit
        ]
    return result


def _turn(game: Game) -> list[str]:
    if game.finished:
        return ["the game is over but makes an offer"] if game.offer().choices else []
    return [] if game.offer().choices else ["nobody has anything to decide"]
