"""The short game of both titles: player rounds and train rounds, without money until the dividends are paid."""

from __future__ import annotations

import random
from collections.abc import Callable

from engine.definition import Definition
from engine.finance.prices import Split
from engine.game import Game
from engine.moves import Move
from engine.rounds.turns import OnceRound, Steps
from engine.rules import PLAYER, Rules, Seating, Setup, Trains, nothing_more
from engine.state import State
from engine.steps.run import DividendStep, RunStep
from engine.steps.stations import StationStep
from engine.steps.track import TrackStep
from titles.rhineland.short_house import ShortGreedy
from titles.rhineland.short_moves import ACTIONS, DirectorAction, LimitStep, ReplaceStep, SwapStep, TakeStep
from titles.rhineland.short_tables import ShortGame, remove_certificates

#: The rounds' names.
PLAYERS, TRAINS = "player", "train"


class AlwaysPaid:
    """Everything is paid out; shares that no player holds earn nothing."""

    def ways(self, game: Game, company: str, revenue: int) -> dict[str, Split]:
        return {"pay": Split(revenue, 0)}

    def earners(self, game: Game, company: str) -> list[tuple[str, str]]:
        return [(player, player) for player in game.state.players]


def short(
    setup: Setup,
    definition: Definition,
    table: ShortGame,
    *,
    track: TrackStep,
    station: StationStep,
    trains: Trains,
    seating: Seating,
    lay_out: Callable[[State, random.Random], None] = nothing_more,
    actions: tuple[type[Move], ...] = (),
) -> Rules:
    """The short game with what a title has of its own; `actions` are moves of a director that the other has not."""
    possible = (*ACTIONS, *actions)

    # 10.3.1 player rounds: a certificate, the limit, one action as a director
    turn = Steps(TakeStep(possible), LimitStep(), DirectorAction(possible, track, station, ReplaceStep(), SwapStep()))
    players = OnceRound(PLAYERS, from_the_first_seat, {PLAYER: turn})

    # 10.3.2 train rounds: every company runs once and pays everything out
    running = OnceRound(TRAINS, by_name, {"railway": Steps(RunStep(), DividendStep(AlwaysPaid()))})

    return Rules(
        setup=setup,
        definition=definition,
        clauses=definition.clauses,
        rounds={PLAYERS: players, TRAINS: running},
        first=lambda game: players.begin(game, 0, table.player_rounds[setup.players]),
        then=in_turn(table, players, running),
        seating=seating,
        lay_out=lambda state, chance: prepare(table, definition, lay_out, state, chance),
        prices={},
        floating={},
        trains=trains,
        score=received,
        house={"greedy": ShortGreedy()},
    )


def prepare(
    table: ShortGame,
    definition: Definition,
    own: Callable[[State, random.Random], None],
    state: State,
    chance: random.Random,
) -> None:
    """The certificates that are not used, then what the title lays out."""
    remove_certificates(table, definition, state)
    own(state, chance)


def from_the_first_seat(game: Game) -> list[str]:
    """The starting player begins every player round."""
    return game.state.seats


def by_name(game: Game) -> list[str]:
    """Floated companies in alphabetical order."""
    return sorted((name for name, company in game.state.companies.items() if company.floated), key=str.casefold)


def in_turn(table: ShortGame, players: OnceRound, running: OnceRound) -> Callable[[Game], None]:
    """A train round after every second or third player round, and one after the last; then the game is over."""

    def then(game: Game) -> None:
        round_ = game.state.round
        count = len(game.players)
        last, between = table.player_rounds[count], table.between[count]
        number = round_.stock_number
        if round_.kind == PLAYERS and (number == last or number % between == 0):
            running.begin(game, -(-number // between), -(-last // between))
        elif number == last:
            game.finish("certificates")
        else:
            round_.stock_number += 1
            players.begin(game, 0, last)

    return then


def received(game: Game) -> dict[str, int]:
    """Only what was paid as dividends counts; shares are worth nothing."""
    return {player: game.state.cash[player] for player in game.state.players}
