"""The recorded game and its positions, as tests; they say so when the records are not there."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from workshop import ORACLE
from workshop.oracle.replay import replay
from workshop.oracle.routes import position


def record(name: str) -> Any:
    path = ORACLE / name
    if not path.exists():
        pytest.skip(f"the record {name} is not beside the project")
    return json.loads(path.read_text("utf-8"))


def test_every_step_of_the_recorded_game_leads_to_the_recorded_position() -> None:
    game = record("rhl_game.json")
    outcome = replay(game)
    assert outcome.differences == []
    assert outcome.agreed == len(game["moves"]) == 310


def test_the_comparison_notices_a_wrong_number() -> None:
    game = record("rhl_game.json")
    game["moves"] = copy.deepcopy(game["moves"][:60])
    game["moves"][53]["after"]["corps"]["RhE"]["cash"] += 1
    outcome = replay(game)
    assert outcome.agreed == 59, "all but one"
    (difference,) = outcome.differences
    assert difference.startswith("step 53 ")
    assert "RhE's treasury" in difference


def test_the_best_routes_of_all_recorded_positions_are_found_and_proved() -> None:
    positions = record("rhl_positions.json")
    for spot in positions["positions"]:
        best = position(positions, spot).best_routes(spot["corporation"])
        assert best.proved
        assert best.value == spot["best_18xx_rules"]["total"], spot["index"]


def test_under_the_rules_of_2024_two_positions_have_another_best() -> None:
    positions = record("rhl_positions.json")
    positions["edition"] = "2024"
    other = {}
    for spot in positions["positions"]:
        spot["tokens"] = [{**token, "corp": token["corp"].replace("KEG", "MKB")} for token in spot["tokens"]]
        best = position(positions, spot).best_routes(spot["corporation"])
        if best.value != spot["best_18xx_rules"]["total"]:
            other[spot["index"]] = best.value
    assert other == {59: 60, 81: 60}
