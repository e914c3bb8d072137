"""The position before anything has happened."""

from __future__ import annotations

import random

from engine.board.board import put_token
from engine.errors import Refused
from engine.rules import Rules
from engine.state import BANK, HOLDERS, OFFERING, Board, Company, Depot, Round, State


def new_state(rules: Rules, players: tuple[str, ...], seed: int) -> State:
    """The common things laid out: seats, cash, certificates, home stations, tiles and trains; then the title's own."""
    definition = rules.definition
    if len(players) != rules.setup.players:
        raise Refused(rules.clause("players"), "players.setup", title=definition.name, count=rules.setup.players)
    if len(set(players)) != len(players):
        raise Refused("", "names.same")
    taken = {*HOLDERS, *definition.corporations} & set(players)
    if taken:
        raise Refused("", "names.taken", name=sorted(taken)[0])
    chance = random.Random(seed)
    seats, drawn = rules.seating(rules.setup, players, chance)
    stations = {
        at: [[""] * stop.slots for stop in spot.face.stops]
        for at, spot in definition.map.hexes.items()
        if spot.face.stops
    }
    companies = {}
    for corporation in definition.corporations.values():
        companies[corporation.id] = Company(
            certificates=[OFFERING] * len(corporation.shares),
            tokens_left=list(corporation.tokens[len(corporation.homes) :]),
        )
    cash = {BANK: definition.bank, **dict.fromkeys(seats, 0), **dict.fromkeys(companies, 0)}
    board = Board(
        tiles={},
        stations=stations,
        markers={},
        supply={tile.id: tile.count for tile in definition.tiles.values()},
    )
    for corporation in definition.corporations.values():
        for home in corporation.homes:
            reserved = definition.map.hexes[home.at].face.stops[home.stop].reserved
            put_token(board, corporation.id, home.at, home.stop, reserved)
    state = State(
        seats=seats,
        priority=seats[0],
        cash=cash,
        loans=dict.fromkeys(seats, 0),
        companies=companies,
        privates=dict.fromkeys(definition.privates, ""),
        used=[],
        stacks={},
        board=board,
        depot=Depot(
            left={train.name: train.count for train in definition.trains},
            sold={train.name: 0 for train in definition.trains},
        ),
        phase=0,
        round=Round(kind="", stock_number=1),
        own={each.KEY: each for each in drawn},
    )
    for seat in seats:
        cash[BANK] -= definition.starting_cash[len(seats)]
        cash[seat] += definition.starting_cash[len(seats)]
    rules.lay_out(state, chance)
    return state
