"""A sample of the recorded games: the code does what it did, and the comparison notices when it does not.

`python -m workshop digests` compares all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest

import titles
from engine.game import Game
from workshop.digests import comparing, recording, view
from workshop.digests.recording import REAL_GROUP, WIDTH, Recording

pytestmark = pytest.mark.slow

GROUPS = [group for group in recording.groups() if group != REAL_GROUP]


@lru_cache
def games(group: str) -> tuple[Recording, ...]:
    return tuple(recording.read(group))


def shortest(group: str, wanted: Callable[[Recording], bool] = lambda game: True) -> Recording:
    return min(filter(wanted, games(group)), key=lambda game: len(game.moves))


@pytest.mark.parametrize("group", GROUPS)
def test_a_recorded_game_goes_as_it_went(group: str) -> None:
    outcome = comparing.judge(comparing.compare(shortest(group)), comparing.expected())
    assert outcome.verdict != comparing.DIFFERENT, outcome.told


def test_the_game_of_real_people_goes_as_it_went() -> None:
    found = recording.read(REAL_GROUP)
    if not found:
        pytest.skip("the record of the game is not beside the project")
    outcome = comparing.judge(comparing.compare(found[0]), comparing.expected())
    assert outcome.verdict != comparing.DIFFERENT, outcome.told


def test_every_title_number_of_players_option_and_house_is_recorded() -> None:
    have = [game for group in GROUPS for game in games(group)]
    assert len(have) >= 300
    for name in (f"{title.id}:{form.id}" for title in titles.known() for form in title.forms):
        title, form = titles.find_form(name)
        low, high = form.players
        of_form = [game for game in have if titles.find_form(game.title) == (title, form)]
        assert {(len(game.players), game.house) for game in of_form} == {
            (players, house) for players in range(low, high + 1) for house in ("greedy", "random")
        }, name
        for option in form.options:
            recorded = {game.options.get(option.id, option.values[0]) for game in of_form}
            assert recorded == set(option.values), f"{name} {option.id}"


@pytest.mark.parametrize("part", recording.PARTS)
def test_another_digest_is_told_with_its_move_and_its_part(part: str) -> None:
    game = shortest("bl")
    at = 20 * WIDTH + recording.PARTS.index(part) * recording.BYTES
    marks = game.marks[:at] + bytes([game.marks[at] ^ 1]) + game.marks[at + 1 :]
    outcome = comparing.compare(replace(game, marks=marks))
    assert (outcome.verdict, outcome.move) == (comparing.DIFFERENT, 20)
    assert f": other {part}\n" in outcome.told


def test_a_changed_rule_is_told_with_what_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    game = shortest("rhl", lambda game: game.stride == 1)
    pay = Game.pay

    def generous(self: Game, source: str, target: str, amount: int, reason: str, about: str = "") -> None:
        pay(self, source, target, amount + 1 if reason == "dividend" and amount else amount, reason, about)

    monkeypatch.setattr(Game, "pay", generous)
    outcome = comparing.compare(game)
    assert outcome.move is not None
    assert game.moves[outcome.move - 1]["type"] == "dividend"
    assert "other position, events" in outcome.told
    assert f"position after move {outcome.move}, recorded and now:\n      cash." in outcome.told


def test_a_refused_move_is_told() -> None:
    game = shortest("bl")
    moves = list(game.moves)
    moves[9] = {"type": "pass", "player": "nobody"}
    outcome = comparing.compare(replace(game, moves=tuple(moves)))
    assert outcome.move == 10
    assert "refused: unknown.player" in outcome.told


def test_a_record_that_breaks_off_is_told() -> None:
    game = shortest("bl")
    outcome = comparing.compare(replace(game, moves=game.moves[:30]))
    assert (outcome.verdict, outcome.move) == (comparing.DIFFERENT, 31)


def test_a_renamed_event_is_the_same_event(monkeypatch: pytest.MonkeyPatch) -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    before = view.told(game.opening)
    assert before
    name, field = before[0][0], next(iter(before[0][1]))
    monkeypatch.setattr(view, "RENAMED", {name: "Older"})
    monkeypatch.setattr(view, "FIELDS", {"Older": {field: "older"}})
    value = before[0][1][field]
    assert view.told(game.opening)[0] == [
        "Older",
        {**{k: v for k, v in before[0][1].items() if k != field}, "older": value},
    ]
    monkeypatch.setattr(view, "REWRITTEN", {"Older": lambda fields: None})
    assert [entry for entry in view.told(game.opening) if entry[0] == "Older"] == []


def test_a_wanted_difference_is_no_fault_and_one_that_does_not_come_is(tmp_path: Path) -> None:
    path = tmp_path / "expected.toml"
    path.write_text("", "utf-8")
    one = comparing.Outcome("bl/one", 11, comparing.DIFFERENT, 12, "told")
    comparing.expect([one, replace(one, name="bl/other")], 'BL-1.2-c: "repaired"', path)
    wanted = comparing.expected(path)
    assert wanted["bl/one"] == (12, 'BL-1.2-c: "repaired"')
    assert comparing.judge(one, wanted).verdict == comparing.EXPECTED
    assert comparing.judge(replace(one, move=13), wanted).verdict == comparing.DIFFERENT
    assert comparing.judge(comparing.Outcome("bl/one", 90), wanted).verdict == comparing.DIFFERENT
    assert comparing.judge(comparing.Outcome("bl/third", 90), wanted).verdict == comparing.EQUAL
    comparing.forget_expected({"bl/one"}, path)
    assert comparing.expected(path).keys() == {"bl/other"}


def test_a_game_is_recorded_in_its_new_course() -> None:
    game = shortest("bl", lambda game: game.house == "greedy")
    moves = [*game.moves[:-20], {"type": "pass", "player": "nobody"}, *game.moves[-20:]]
    again = recording.record(replace(game, moves=tuple(moves), marks=b"", views=()))
    assert again.moves[: len(game.moves) - 20] == game.moves[:-20]
    assert comparing.compare(again).verdict == comparing.EQUAL
    number, position = again.view_from(len(again.moves)) or (0, {})
    assert number == len(again.moves)
    assert position["finished"]
