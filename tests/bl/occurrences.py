"""What happens in simulated games of 18BL: plays some and tells which of the rarer things occurred in which.

Usage: python -m tests.bl.occurrences [--games 10] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict

import titles
from engine import events as ev
from engine.game import Game
from engine.house import HOUSES

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
VEHICLES = ("2", "3", "4", "5", "6", "3+3", "SB3", "SB4", "SB5", "SB6", "BW-A", "BW-B")
WANTED = {
    *(f"bought {name}" for name in VEHICLES),
    "dividend pay",
    "dividend pay_75",
    "company closed",
    "player bankrupt",
    "phase by a rail bus",
    "bank broken",
    "trailer ran",
    "3+3 ran",
    "private sold",
    "private exchanged",
    "special tile laid",
    "access bought",
    "forced sale",
    "vehicle traded",
}


def seen(game: Game, move: object, happened: tuple[ev.Event, ...]) -> set[str]:
    """The things that one move brought about."""
    result = set()
    bought = ""
    kind = getattr(move, "TYPE", "")
    if kind == "dividend":
        result.add(f"dividend {getattr(move, 'kind', '')}")
    if kind == "exchange_private":
        result.add("private exchanged")
    if kind == "buy_access":
        result.add("access bought")
    if kind == "sell_shares" and game.state.round.kind == "operating":
        result.add("forced sale")
    for event in happened:
        match event:
            case ev.TrainBought(_, train, source, _):
                bought = train
                result.add(f"bought {train}")
                if source in game.state.companies:
                    result.add("vehicle traded")
            case ev.PhaseChanged() if bought.startswith("SB"):
                result.add("phase by a rail bus")
            case ev.CompanyClosed():
                result.add("company closed")
            case ev.PlayerRetired():
                result.add("player bankrupt")
            case ev.BankBroke():
                result.add("bank broken")
            case ev.PrivateBought():
                result.add("private sold")
            case ev.TileLaid() if event.private:
                result.add("special tile laid")
            case ev.TrainsRun():
                result |= {"trailer ran" for train, _, _ in event.routes if "+BW" in train}
                result |= {"3+3 ran" for train, _, _ in event.routes if train == "3+3"}
    return result


def play(players: int, house: str, seed: int) -> set[str]:
    """Everything that occurred in one game."""
    game = titles.new_game("bl", NAMES[:players], {}, seed)
    mind, chance = HOUSES[house](), random.Random(seed)
    result: set[str] = set()
    while not game.finished:
        player = chance.choice(game.offer().deciders)
        move = mind.choose(game, player, chance)
        result |= seen(game, move, game.apply(move))
    return result | {f"ended by {game.state.finished}"}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    where: dict[str, list[str]] = defaultdict(list)
    for players in range(2, 7):
        for house in sorted(HOUSES):
            for seed in range(arguments.seed, arguments.seed + arguments.games):
                for thing in play(players, house, seed):
                    where[thing].append(f"{house} {players} {seed}")
    for thing in sorted(WANTED | set(where)):
        games = where.get(thing, [])
        print(f"{thing:<24} {len(games):>4} games  {'; '.join(games[:4])}", flush=True)
    return 0 if set(where) >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
