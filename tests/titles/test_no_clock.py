"""No rule reads a clock: what a search found that was cut by time never decides what may be done."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import titles
from engine import codec
from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Move, Run, TrainPath
from engine.routes import search
from engine.steps.run import RunChoice

ROOT = Path(__file__).resolve().parents[2]
NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
FORMS = [(title.id, form.id) for title in titles.known() for form in title.forms]
#: Modules that know what time it is, or wait.
CLOCKS = {"time", "datetime", "timeit", "sched", "asyncio", "threading", "signal"}
#: A game is long enough when so many runs were advised by a search that was cut, or after so many moves.
CUTS, MOVES = 40, 900


def imported(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]


def test_engine_and_titles_import_nothing_that_tells_the_time() -> None:
    files = [file for room in ("engine", "titles") for file in (ROOT / room).rglob("*.py")]
    assert len(files) > 100
    assert {(file.name, name) for file in files for name in imported(file) if name in CLOCKS} == set()


def judgement(game: Game, move: Move) -> tuple[object, ...]:
    """What the rules say to a move: the whole refusal, or nothing."""
    try:
        game.check(move)
    except Refused as refusal:
        return refusal.rule, refusal.key, repr(refusal.facts)
    return ()


@pytest.mark.slow
@pytest.mark.parametrize(("title", "form"), FORMS, ids=[":".join(each) for each in FORMS])
def test_a_game_whose_advice_was_cut_at_once_is_replayed_equal(
    title: str, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "STEPS_BETWEEN", 1)
    fewest = next(each.players[0] for each in titles.find(title).forms if each.id == form)
    players = list(NAMES[:fewest])
    game = titles.new_game(title, players, {}, 11, form)
    house, chance = HOUSES["greedy"](), Random(11)
    asked = cuts = 0
    while not game.finished and cuts < CUTS and len(game.moves) < MOVES:
        for choice in game.offer().choices:
            if isinstance(choice, RunChoice):
                asked += 1
                untold = game.copy()
                advice = game.advice(choice.company, lambda: True)
                cuts += not advice.proved
                paths = tuple(TrainPath(route.train, route.path) for route in advice.routes)
                move = Run(choice.player, choice.company, paths)
                assert judgement(game, move) == judgement(untold, move), "a rule depends on advice"
                assert game.best_routes(choice.company) == untold.best_routes(choice.company)
                if not judgement(game, move):
                    # The poorest run that is allowed.
                    game.apply(move)
                    break
        else:
            game.apply(house.choose(game, game.offer().deciders[0], chance))
    # In 18DO's introductory game trains run by themselves.
    assert cuts > 5 or not asked, "nothing was cut: the test shows nothing"
    again = titles.load_game(codec.write(game))
    assert again.state == game.state
    assert again.moves == game.moves
