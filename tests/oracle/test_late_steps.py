"""Steps and positions that the known part of the record does not have: games of ours in the oracle's form."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import titles
from engine import moves as mv
from engine.game import Game
from engine.house.players import HOUSES
from tests.oracle.test_oracle import record
from tests.titles.rhl import arrange, trips
from tests.titles.rhl.trips import Lay
from workshop.oracle import exhaustive, routes
from workshop.oracle.replay import Replay, replay
from workshop.oracle.routes import position, wanted
from workshop.oracle.writer import Unwritten, Writer, begun, positions_of, write_position

METROPOLISES = ("D9", "F9", "I10")


class Mixed:
    """Plays greedily, but now and then anything, and borrows nothing: the oracle's form has no loans."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        house = HOUSES["random" if chance.random() < 0.15 else "greedy"]()
        for _ in range(20):
            move: mv.Move = house.choose(game, player, chance)
            if not isinstance(move, mv.TakeLoan | mv.GoBankrupt):
                return move
        raise Unwritten(move.TYPE)


def through_json(value: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(json.dumps(value))
    return result


def whole_game(seed: int) -> dict[str, Any]:
    """A game of the earlier edition from its beginning to its end."""
    game = titles.new_game("rhl", ["P1", "P2", "P3"], {"edition": "earlier"}, seed)
    result = begun(game)
    writer = Writer(game, random.Random(seed))
    writer.play(Mixed())
    assert game.finished
    return through_json({**result, "moves": writer.steps})


@pytest.fixture(scope="module")
def games() -> list[dict[str, Any]]:
    """Three games that the oracle's form can say, and that come to the last phase."""
    found: list[dict[str, Any]] = []
    for seed in range(100):
        try:
            game = whole_game(seed)
        except Unwritten:
            continue
        if game["moves"][-1]["after"]["phase"] == "8":
            found.append(game)
        if len(found) == 3:
            return found
    raise AssertionError("no game without a bankruptcy")


def test_every_step_of_a_game_of_ours_in_the_oracles_form_leads_to_its_position(games: list[dict[str, Any]]) -> None:
    for game in games:
        outcome = replay(game)
        assert outcome.differences == []
        assert outcome.agreed == len(game["moves"])
        assert outcome.player.game.state.finished == "bank"
        assert outcome.player.added_passes > 0, "passes that the form leaves out"


def test_these_games_have_every_kind_of_step(games: list[dict[str, Any]]) -> None:
    steps = [step for game in games for step in game["moves"]]
    kinds = Counter(step["type"] for step in steps)
    assert set(kinds) >= {
        "bid",
        "par",
        "pass",
        "buy_shares",
        "sell_shares",
        "lay_tile",
        "place_token",
        "run_routes",
        "dividend",
        "buy_train",
        "discard_train",
    }
    assert {step["after"]["phase"] for step in steps} == {"2", "3", "4", "5", "6", "8"}
    assert any("via_private" in step["params"] for step in steps if step["type"] == "lay_tile")
    assert any(step["round"].startswith("OR") for step in steps if step["type"] == "sell_shares"), "forced sales"
    assert any(foreign(step) for step in steps if step["type"] == "buy_train"), "a train of another director"
    assert any(step["after"]["bank"] < 0 for step in steps)


def foreign(step: dict[str, Any]) -> bool:
    corps = step["after"]["corps"]
    return step["params"]["from"] in corps and corps[step["params"]["from"]]["president"] != step["acting_player"]


#: Wrong positions, and what the comparison should say of each.
WRONG: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("bank", lambda after: after.update(bank=after["bank"] + 1)),
    ("P2's cash", lambda after: after["players"]["P2"].update(cash=after["players"]["P2"]["cash"] + 1)),
    ("P1's certificates", lambda after: after["players"]["P1"].update(certs=99)),
    ("P3's worth", lambda after: after["players"]["P3"].update(value=1)),
    ("RhE's price", lambda after: after["corps"]["RhE"]["price"].update(row=5)),
    ("RhE's price", lambda after: after["corps"]["RhE"]["price"].update(col=16)),
    ("RhE's trains", lambda after: after["corps"]["RhE"]["trains"].append("2")),
    ("P1's share of RhE", lambda after: after["corps"]["RhE"]["held"].update(P1=1)),
    ("phase", lambda after: after.update(phase="7")),
    ("to act", lambda after: after.update(to_act=["P1"])),
    ("trains left", lambda after: after.update(depot_left={})),
]


def test_the_comparison_names_all_that_is_wrong_and_goes_on(games: list[dict[str, Any]]) -> None:
    game = copy.deepcopy(games[0])
    late = [step for step in game["moves"] if step["type"] == "dividend"][-len(WRONG) :]
    for step, (_, change) in zip(late, WRONG, strict=True):
        change(step["after"])
    outcome = replay(game)
    assert outcome.agreed == len(game["moves"]) - len(WRONG)
    for difference, step, (what, _) in zip(outcome.differences, late, WRONG, strict=True):
        assert difference.startswith(f"step {step['index']} ")
        assert f"{what} is " in difference


def test_an_unknown_step_is_one_clear_difference(games: list[dict[str, Any]]) -> None:
    game = copy.deepcopy(games[0])
    game["moves"][40]["type"] = "merge"
    game["moves"][40]["meta"] = False
    outcome = replay(game)
    assert outcome.agreed <= 40
    assert "unknown step 'merge'" in outcome.differences[-1]
    assert outcome.differences[-1].startswith("step 40 ")


def test_when_the_game_is_over_only_the_last_company_may_still_be_named(games: list[dict[str, Any]]) -> None:
    game, last = next(
        (game, step)
        for game in copy.deepcopy(games)
        for step in [next(step for step in reversed(game["moves"]) if not step["meta"])]
        if step["type"] in ("pass", "dividend", "buy_train")  # otherwise silent passes follow
    )
    game["moves"] = game["moves"][: last["index"] + 1]
    assert last["after"]["to_act"] == []
    last["after"]["to_act"] = [last["entity"]]
    assert replay(game).differences == []
    last["after"]["to_act"] = ["P1"]
    assert "to act is []" in replay(game).differences[0]


def test_the_record_waits_for_a_run_where_the_rheingold_must_stand_still() -> None:
    """The site asks for a run because an ordinary train could run; with us the price has moved by then."""
    game = arrange.after_package(edition="earlier")
    game.apply(mv.Found("cy", "RhE", 70))
    arrange.floated(game, "ADR", "ann", par=80)
    trips.aachen_line(game)
    arrange.phase(game, "8")
    arrange.trains(game, "ADR", "8")
    arrange.operating(game, "ADR", "station")
    player = Replay.__new__(Replay)
    player.game, player.edges, player.added_passes = game.copy(), game.definition.map.layout.edges, 0
    before = Writer(game, random.Random(0)).position()
    game.apply(mv.Pass("ann"))
    after = Writer(game, random.Random(0)).position()
    assert before["corps"]["ADR"]["price"] != after["corps"]["ADR"]["price"]
    common = {"meta": False, "round": "OR8.1", "entity": "ADR", "acting_player": "ann"}
    token = {**common, "type": "pass", "params": {"step": "Token"}, "after": before}
    run = {**common, "type": "run_routes", "params": {"routes": []}, "after": after}
    assert player.difference(token, player.step(token, run)) == ""
    assert player.difference(run, player.step(run, None)) == ""


# ---------------------------------------------------------------------- the rest of the recorded game, played by us


@pytest.fixture(scope="module")
def late() -> Game:
    return replay(record("rhl_game.json")).player.game


@pytest.mark.parametrize("seed", [1, 2])
def test_the_recorded_game_goes_on_to_its_end(late: Game, seed: int) -> None:
    known = record("rhl_game.json")
    writer = Writer(late.copy(), random.Random(seed), first=len(known["moves"]))
    writer.play(HOUSES["greedy"]())
    assert writer.game.state.finished == "bank"
    longer = through_json({**known, "moves": known["moves"] + writer.steps})
    outcome = replay(longer)
    assert outcome.differences == []
    assert outcome.agreed == len(longer["moves"]) > 450


def test_late_positions_with_a_line_for_the_rheingold_have_the_best_that_an_exhaustive_search_finds(late: Game) -> None:
    chance, house, game = random.Random(18), HOUSES["greedy"](), late.copy()
    trips.lay(game, Lay("B7", "8", 5), Lay("B9", "15", 1), Lay("J9", "24", 0), Lay("K10", "15", 2))
    file = positions_of(game)
    fleets = [["8"], ["8", "6"], ["8", "8"], ["5", "8"], ["6", "6"]]
    met: Counter[str] = Counter()
    while not game.finished:
        round_ = game.state.round
        if round_.kind == "operating" and round_.step == "run" and chance.random() < 0.3:
            assert all(game.board.faces[at].colour in ("brown", "grey") for at in METROPOLISES)
            owned = list(game.company(round_.actor).trains)
            for trains in (chance.choice(fleets), owned):
                spot = through_json(write_position(file, game, round_.actor, trains))
                best = position(file, spot).best_routes(round_.actor)
                assert best.proved
                assert best.value == exhaustive.best(file, spot), (len(game.moves), round_.actor, trains)
                met.update(route.train for route in best.routes)
            assert game.best_routes(round_.actor).value == best.value, "the file tells the whole position"
        game.apply(house.choose(game, chance.choice(game.offer().deciders), chance))
    assert set(met) >= {"4", "5", "6", "8"}


def test_the_exhaustive_search_agrees_with_the_record_where_there_are_no_ferries() -> None:
    file = record("rhl_positions.json")
    spots = [s for s in file["positions"] if all(s["board"][at][:3] in ("927", "928", "929") for at in METROPOLISES)]
    assert len(spots) == 7
    for spot in spots:
        assert exhaustive.best(file, spot) == wanted(spot), spot["index"]


def test_positions_of_another_title_are_read_in_the_same_form() -> None:
    chance, house = random.Random(1), HOUSES["greedy"]()
    game = titles.new_game("bl", ["P1", "P2", "P3"], {}, seed=3)
    file = {"title": "18BL", "tile_shapes": {}, "positions": []}
    seen = 0
    while seen < 25:
        round_ = game.state.round
        if round_.kind == "operating" and round_.step == "run":
            trains = list(game.company(round_.actor).trains)
            spot = through_json(write_position(file, game, round_.actor, trains))
            assert position(file, spot).best_routes(round_.actor).value == game.best_routes(round_.actor).value
            seen += 1
        game.apply(house.choose(game, chance.choice(game.offer().deciders), chance))


def test_a_position_of_an_unknown_title_or_tile_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = titles.new_game("rhl", ["P1", "P2", "P3"], {"edition": "earlier"}, seed=3)
    file = positions_of(game)
    good = {**write_position(file, game, "RhE", ["2"]), "best": {"total": 0}}
    odd = {**good, "board": {**good["board"], "K4": "999@0"}}
    file["tile_shapes"]["999@0"] = {"segments": [], "nodes": []}
    path = tmp_path / "positions.json"
    path.write_text(json.dumps({**file, "positions": [good, odd]}), "utf-8")
    assert routes.main([str(path)]) == 1
    told = capsys.readouterr().out
    assert "there is no tile 999" in told
    assert told.splitlines()[-1] == "1/2"
    path.write_text(json.dumps({**file, "title": "18Nowhere", "positions": [good]}), "utf-8")
    assert routes.main([str(path)]) == 1
    assert "nowhere" in capsys.readouterr().out
