"""The command line: what people see, and one clear sentence with a non-zero exit when a file is bad."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.cli import main
from bot.cli.text import describe
from bot.cogs.look import rules_text
from bot.texts import LANGUAGES, speaker
from engine import codec
from engine.finance.depot import counting
from engine.house.players import Greedy
from engine.house.simulation import play
from tests.titles.bl import arrange


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 11)
    play(game, Greedy(), 11, check=False)
    path = tmp_path_factory.mktemp("saved") / "game.json"
    path.write_text(codec.write(game), "utf-8")
    return path


@pytest.fixture
def damaged(saved: Path, tmp_path: Path) -> Callable[[Callable[[Any], None]], str]:
    def make(change: Callable[[Any], None]) -> str:
        data = json.loads(saved.read_text("utf-8"))
        change(data)
        path = tmp_path / "damaged.json"
        path.write_text(json.dumps(data), "utf-8")
        return str(path)

    return make


def test_titles_lists_options_and_what_is_reconstructed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["titles"]) == 0
    out = capsys.readouterr().out
    assert "base  Base game: The whole game" in out
    assert "medium · about 90 to 150 moves each · 3 to 5 players" in out
    assert "bankruptcy_end" in out
    for title in titles.known():
        definition = titles.rules(title.id, title.form().players[0]).definition
        assert definition.reconstructed
        for language in LANGUAGES:
            say = speaker(language).of(title.id)
            told = rules_text(say, titles.new_game(title.id, ["ann", "bo", "cy"], {}, 1))
            for part in definition.reconstructed:
                text = say(f"reconstructed.{part}")
                assert text in told
                assert language != "en" or text in out


def test_a_position_shows_the_private_companies_of_a_corporation() -> None:
    game = arrange.after_package(3, {"EHG": "ann"})
    arrange.floated(game, "RhE")
    assert "EHG" in next(line for line in describe(game).splitlines() if "ann  " in line)
    arrange.private(game, "EHG", "RhE")
    assert "owns EHG" in next(line for line in describe(game).splitlines() if line.startswith("  RhE"))


def test_replay_shows_the_position_after_a_move(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(saved), "--until", "3"]) == 0
    assert "move 3: starting package" in capsys.readouterr().out
    assert main(["replay", str(saved)]) == 0
    assert "over (bank)" in capsys.readouterr().out


def test_replay_log_tells_every_move(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(saved), "--log", "--until", "40"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].startswith("      --")
    assert [line.split()[0] for line in out.splitlines() if line[:5].strip().isdigit()] == [
        str(number) for number in range(1, 41)
    ]


def test_routes_tells_value_part_by_part_and_the_proof(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = titles.load_game(saved.read_text("utf-8"))
    company = next(name for name, c in game.state.companies.items() if c.trains and game.best_routes(name).routes)
    assert main(["routes", str(saved), company.lower()]) == 0
    out = capsys.readouterr().out
    assert f"{company} {game.best_routes(company).value}, proved best" in out
    assert "-train" in out


def test_routes_with_a_budget_says_when_nothing_is_proved(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = titles.load_game(saved.read_text("utf-8"))
    company = max(
        (name for name, c in game.state.companies.items() if c.trains), key=lambda n: game.best_routes(n).nodes
    )
    assert game.best_routes(company).nodes > 128, "the position is too small for this test"
    assert main(["routes", str(saved), company, "--seconds", "0"]) == 0
    assert "not proved" in capsys.readouterr().out


def test_simulate_prints_results_and_saves_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--players", "3", "--games", "1", "--seed", "4", "--save", str(tmp_path)]) == 0
    assert "1 games finished (1 by bank)" in capsys.readouterr().out
    assert main(["replay", str(tmp_path / "rhl-4.json")]) == 0


def test_a_hot_seat_game_can_be_left_and_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "game.json")
    answers = iter(["1", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    assert main(["play", "--seed", "3", "--save", path]) == 0
    assert "move 1:" in capsys.readouterr().out
    answers = iter(["x", "99", "2", "", "3", "q"])
    assert main(["play", "--load", path, "--save", path]) == 0
    out = capsys.readouterr().out
    assert "a number from 1 to" in out
    assert "move 2:" in out


def _drop_moves(data: Any) -> None:
    del data["moves"]


def _other_version(data: Any) -> None:
    data["version"] = 99


def _unknown_title(data: Any) -> None:
    data["title"] = "1830"


def _unknown_option(data: Any) -> None:
    data["options"] = {"nonsense": True}


def _unknown_value(data: Any) -> None:
    data["options"] = {"optional_2_train": "per_haps"}


def _too_many_players(data: Any) -> None:
    data["players"] = ["a", "b", "c", "d", "e", "f"]


def _illegal_move(data: Any) -> None:
    data["moves"][4] = {"type": "found", "player": "ann", "company": "ADR", "par": 100}


def _unknown_move(data: Any) -> None:
    data["moves"][4] = {"type": "teleport", "player": "ann"}


def _missing_field(data: Any) -> None:
    data["moves"][4] = {"type": "bid", "player": "ann", "lot": "TF"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_drop_moves, "'moves' is missing"),
        (_other_version, "version 99"),
        (_unknown_title, "no title 1830"),
        (_unknown_option, "no option nonsense"),
        (_unknown_value, "optional_2_train"),
        (_unknown_value, "per_haps"),
        (_too_many_players, "3 to 5 players"),
        (_illegal_move, "move 5:"),
        (_unknown_move, "move 5: there is no kind of move called 'teleport'"),
        (_missing_field, "move 5: bid: 'price' is missing"),
    ],
)
def test_a_bad_file_gets_one_sentence_and_a_non_zero_exit(
    damaged: Callable[[Callable[[Any], None]], str],
    change: Callable[[Any], None],
    words: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["replay", damaged(change)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe\x00", b'{"format": "other"}'])
def test_a_file_that_is_no_game_gets_one_sentence(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 1
    assert "no saved game" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        ["replay", "/dev/zero"],
        ["routes", "/dev/zero", "RhE"],
        ["draw", "/dev/zero", "map"],
        ["play", "--load", "/dev/zero"],
        ["replay", "/"],
        ["replay", "large"],
        ["simulate", "--games", "1", "--players", "3", "--save", "file"],
        ["simulate", "--players", "20"],
    ],
)
def test_what_is_no_file_or_never_ends_gets_one_sentence_at_once(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("in the way", "utf-8")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(2**40)
    assert main(command) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("kursbuch: ")
    assert len(captured.err.splitlines()) == 1
    assert len(captured.err) < 300


@pytest.mark.parametrize(
    "command",
    [
        ["simulate", "--players", "99999999"],
        ["simulate", "--games", "9" * 5000],
        ["simulate", "--seed", "9" * 5000],
        ["replay", "x", "--until", "-1"],
        ["play", "--seed", "²"],
        ["draw", "x", "map", "--rings", "1" * 5000],
    ],
)
def test_a_number_out_of_bounds_gets_one_short_sentence(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(command)
    assert ended.value.code == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert "a number from" in last
    assert len(last) < 200


def test_a_missing_file_gets_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "nothing.json")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_routes_of_18bl_name_each_vehicle_and_count_no_trailer_as_idle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = titles.new_game("bl", ["ann", "bo", "cy"], {}, 9)
    play(game, Greedy(), 9, check=False)
    path = tmp_path / "game.json"
    path.write_text(codec.write(game), "utf-8")
    drawn = {
        code: [route for route in game.best_routes(code).routes if "+" in route.train and route.train[0] == "S"]
        for code, company in game.state.companies.items()
        if company.trains
    }
    company = next(code for code, routes in drawn.items() if routes)
    assert main(["routes", str(path), company]) == 0
    out = capsys.readouterr().out
    route = drawn[company][0]
    assert f"\n{route.train} {route.value}: " in f"\n{out}"
    best = game.best_routes(company).routes
    assert ("without a route" in out) == (len(best) < len(counting(game, company)))
    assert f"{company} {game.rules.trains.revenue(best)}, proved best" in out


def test_a_game_goes_to_another_programs_form_and_back(
    tmp_path: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {"edition": "earlier"}, 18)
    play(game, Greedy(), 18, check=False)
    ours, theirs, again = (tmp_path / name for name in ("ours.json", "theirs.json", "again.json"))
    ours.write_text(codec.write(game), "utf-8")
    assert main(["export", str(ours), "--format", "18xx", "--out", str(theirs)]) == 0
    capsys.readouterr()
    assert main(["import", str(theirs), "--out", str(again)]) == 0
    scores = ", ".join(f"{name} {worth}" for name, worth in sorted(game.rules.score(game).items(), key=lambda s: -s[1]))
    assert capsys.readouterr().out.splitlines()[-1] == f"Final scores: {scores}"
    assert titles.load_game(again.read_text("utf-8")).rules.score(game) == game.rules.score(game)
    assert main(["import", str(saved)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("Final scores: ann ")


def test_a_file_that_cannot_be_translated_to_its_end_says_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "theirs.json"
    players = [{"id": number, "name": name} for number, name in enumerate(("Ann", "Bo", "Cy"))]
    actions = [
        {"type": "bid", "entity": 0, "id": 7, "company": "NLK", "price": 125},
        {"type": "merge", "entity": 1, "id": 8},
    ]
    data = {"title": "18Rhl", "players": players, "settings": {"seed": 1}, "actions": actions}
    file.write_text(json.dumps(data), "utf-8")
    assert main(["import", str(file)]) == 1
    told = capsys.readouterr()
    assert "action 8 (merge) cannot be translated: we have no move for it; the game stops before it" in told.err
    assert told.out.splitlines()[-1] == "Standings: Ann 600, Bo 600, Cy 600"


def test_a_file_proves_that_its_game_is_played_as_it_was(
    tmp_path: Path, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "proved.json"
    assert main(["import", str(saved), "--out", str(file)]) == 0
    capsys.readouterr()
    assert main(["replay", str(file), "--verify"]) == 0
    data = json.loads(file.read_text("utf-8"))
    count = len(data["moves"])
    assert len(data["proof"]) == count
    assert (
        f"{count} of {count} positions are told by the file, and all of them are the same." in capsys.readouterr().out
    )
    assert main(["replay", str(file), "--verify", "--until", "7"]) == 0
    assert "7 of 7 positions" in capsys.readouterr().out

    good = list(data["proof"])
    for proof, sentence in (
        ([*good[:40], good[41], *good[41:]], "after move 41 the position is another than the file tells"),
        ([], "the file has no proof that this program can read"),
        (["ff" + each[2:] for each in good], "the file has no proof that this program can read"),
        (good[1:], "'proof' should be a text for each move"),
        ([1] * count, "'proof' should be a text for each move"),
    ):
        file.write_text(json.dumps({**data, "proof": proof}), "utf-8")
        assert main(["replay", str(file), "--verify"]) == 1
        assert sentence in capsys.readouterr().err
    # What another view of positions tells is left out, the rest is compared.
    file.write_text(json.dumps({**data, "proof": ["", "ff00000000000000", *good[2:]]}), "utf-8")
    assert main(["replay", str(file), "--verify"]) == 0
    assert f"{count - 2} of {count} positions" in capsys.readouterr().out
