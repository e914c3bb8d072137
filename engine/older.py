"""Positions as older programs kept them, in the form of today.

Until records were typed, a position had bags: `facts` of the game, `memory` of the round, `turn`, and hands. What lay
in a bag goes into the records that the rules keep today, by the same names. Where anything is left over, the position
cannot be read: it is never read in part.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from engine.game import Game
from engine.records import OfRound, OfTurn
from engine.rounds.turns import TurnRound
from engine.rules import Rules
from engine.setting import new_state
from engine.state import State


def position(rules: Rules, players: tuple[str, ...], seed: int, data: Mapping[str, Any]) -> State:
    """The position that plain data say, whichever program wrote them; ValueError if they cannot be read."""
    if "facts" not in data:
        return State.from_data(data)
    whole = copy.deepcopy(dict(data))
    bags = {"facts": whole.pop("facts")}
    hands = whole.pop("secrets", {})
    # For a while records of rounds and turns were typed already, those of the game were not.
    if in_bags := "memory" in whole["round"]:
        bags |= {"memory": whole["round"].pop("memory"), "turn": whole["round"].pop("turn")}
    state = State.from_data(whole)
    try:
        begun = new_state(rules, players, seed)
        for player, kinds in begun.secrets.items():
            state.secrets[player] = {key: type(kept).taken(hands.get(player, {})) for key, kept in kinds.items()}
        for key, kept in begun.own.items():
            if key not in state.own:
                state.own[key] = type(kept).taken(bags["facts"])
        if in_bags:
            _fill(Game.restore(rules, players, seed, [], state), bags)
    except (TypeError, KeyError, AttributeError) as error:
        raise ValueError(f"this is no position of the game: {error!r:.200}") from None
    bags |= {f"secrets.{player}": hand for player, hand in hands.items()}
    left = [f"{bag}.{name}" for bag, values in bags.items() for name, value in values.items() if value]
    if left:
        raise ValueError(f"nobody keeps {', '.join(left)} any more")
    return state


def _fill(game: Game, bags: dict[str, dict[str, Any]]) -> None:
    """Put what the bags hold into the records of the round and of the turn."""
    round_ = game.state.round
    rules = game.rules.rounds[round_.kind]
    round_.own = {kind.KEY: kind.taken(bags["memory"]) for kind in rules.all_kept() if issubclass(kind, OfRound)}
    if isinstance(rules, TurnRound) and round_.actor:
        kinds = rules.kept_in_turn(game, round_.actor)
        round_.turn = {kind.KEY: kind.taken(bags["turn"]) for kind in kinds if issubclass(kind, OfTurn)}
    else:
        bags["turn"] = {}
