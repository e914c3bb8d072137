"""18xx.games' own JSON: games of the earlier edition are read, written, and refused in plain words where they break."""

from __future__ import annotations

import copy
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import titles
from engine import codec
from engine.errors import BadGame
from engine.game import Game
from engine.house.players import HOUSES
from engine.position import digest
from titles.rhl.site import words
from titles.rhl.site.standing import standing

ORACLE = Path(__file__).resolve().parents[4] / "shared" / "oracle"
GIVEN = ORACLE / "18xx-export.json"
NAMES = ("Ann", "Bo", "Cy", "Dee", "Eli")
#: Keys that the site writes only where somebody played for somebody else, or planned ahead.
SOMETIMES = {"user", "auto_actions"}
#: What stands in damaged files in the place of something sound.
ODD = [None, -1, 10**30, 0.5, "", "\x1b[2J", "x" * 4000, [], {}, [[[[]]]], True, "RhE", "K6-0-9", "-", "8-9"]


def given() -> dict[str, Any]:
    if not GIVEN.exists():
        pytest.skip(f"the recorded game is not beside the project: {GIVEN.name}")
    read: dict[str, Any] = json.loads(GIVEN.read_text("utf-8"))
    return read


def played(house: str, players: int, seed: int, **options: Any) -> Game:
    game = titles.new_game("rhl", NAMES[:players], {"edition": "earlier", **options}, seed, "base")
    chance = random.Random(seed)
    while not game.finished:
        game.apply(HOUSES[house]().choose(game, chance.choice(game.offer().deciders), chance))
    return game


def meaning(game: Game) -> bytes:
    """The position by meaning, people called by their seats."""
    return digest(game.state.data(), game.state.seats)


def read(data: Mapping[str, Any]) -> titles.Foreign:
    return titles.foreign_game(json.dumps(data))


@pytest.mark.parametrize(
    ("house", "players", "seed"),
    [("greedy", 3, 9), ("greedy", 4, 13), ("greedy", 5, 11), ("random", 3, 12), ("random", 4, 4), ("random", 5, 14)],
)
def test_a_game_that_is_written_is_read_to_the_same_position(house: str, players: int, seed: int) -> None:
    game = played(house, players, seed)
    found = read(titles.foreign_file(game, "18xx"))
    assert found.stopped == ""
    assert found.game.state.seats == game.state.seats
    assert meaning(found.game) == meaning(game)
    assert found.game.rules.score(found.game) == game.rules.score(game)


def test_a_game_in_the_middle_is_read_to_the_same_position() -> None:
    whole = played("greedy", 4, 13)
    for until in (7, 60, 133, 251):
        game = titles.load_game(codec.write(whole), until)
        found = read(titles.foreign_file(game, "18xx"))
        # Whose turn it is has a pass before it that the site leaves out, or not: what lies on the table is the same.
        assert found.stopped == ""
        assert found.game.state.cash == game.state.cash
        assert found.game.state.board == game.state.board
        assert meaning(found.game) == meaning(game) or found.game.moves == game.moves[: len(found.game.moves)]


def test_the_recorded_game_is_read_to_the_recorded_positions() -> None:
    data = given()
    record = json.loads((ORACLE / "rhl_game.json").read_text("utf-8"))
    data["players"] = [{**each, "name": f"P{seat}"} for seat, each in enumerate(data["players"], start=1)]
    last = {step["action_id"]: step for step in record["moves"]}
    for action in [*sorted(last)[::29], max(last)]:
        actions = [each for each in data["actions"] if each["id"] <= action]
        found = read({**data, "actions": actions})
        after, state = last[action]["after"], found.game.state
        assert found.stopped == ""
        assert {name: state.cash[name] for name in after["players"]} == {
            name: each["cash"] for name, each in after["players"].items()
        }
        assert {name: sorted(state.companies[name].trains) for name in after["corps"]} == {
            name: sorted(each["trains"]) for name, each in after["corps"].items()
        }
        assert {name: state.cash[name] for name in after["corps"]} == {
            name: each["cash"] for name, each in after["corps"].items()
        }
        scores = found.game.rules.score(found.game)
        assert scores == {name: each["value"] for name, each in after["players"].items()}


def test_the_seats_and_the_order_card_are_those_of_the_file() -> None:
    data = given()
    found = read(data)
    assert found.game.state.seats == [each["name"] for each in data["players"]]
    assert found.game.state.board.markers["C12"] == ["coal"]
    assert found.game.state.board.markers["E6"] == ["steel"]


def _shapes(data: Mapping[str, Any]) -> Iterator[tuple[str, frozenset[str], frozenset[str]]]:
    """The name of each kind of entry, its keys, and the types of its values."""
    yield "file", frozenset(data), _types(data)
    yield "settings", frozenset(data["settings"]), frozenset()
    yield from (("player", frozenset(each), _types(each)) for each in data["players"])
    for action in data["actions"]:
        for each in (action, *action.get("auto_actions", ())):
            own = {key: value for key, value in each.items() if key not in SOMETIMES}
            nested = each is not action
            yield f"{'automatic ' if nested else ''}{each['type']}", frozenset(own), _types(own)
            yield from (("route", frozenset(route), _types(route)) for route in each.get("routes", ()))


def _types(data: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(f"{key}: {type(value).__name__}" for key, value in data.items() if value is not None)


def test_what_is_written_has_the_form_of_the_given_file() -> None:
    known: dict[str, set[Any]] = defaultdict(set)
    for name, keys, types in _shapes(given()):
        known[name].add((keys, types if name != "pass" else frozenset()))
    seen = set()
    for players, seed in ((3, 9), (4, 13), (5, 11)):
        for name, keys, types in _shapes(titles.foreign_file(played("greedy", players, seed), "18xx")):
            if name in known:
                assert keys in {each for each, _ in known[name]}, name
                allowed = frozenset().union(*(each for _, each in known[name]))
                if name not in ("pass", "lay_tile", "place_token", "buy_train", "sell_shares"):
                    assert {key.partition(":")[0] for key in types} <= {key.partition(":")[0] for key in allowed}, name
            seen.add(name)
    assert seen >= {"bid", "pass", "par", "buy_shares", "lay_tile", "buy_train", "run_routes", "route", "dividend"}
    assert seen >= {"place_token", "automatic destination_connection", "settings", "player"}


def test_what_was_undone_falls_and_what_was_redone_stands() -> None:
    def each(*entries: Mapping[str, Any]) -> list[int]:
        return [action.number for action in standing([{"id": n, **entry} for n, entry in enumerate(entries, start=1)])]

    move, undo, redo, said = {"type": "pass"}, {"type": "undo"}, {"type": "redo"}, {"type": "message"}
    assert each(move, move, undo) == [1]
    assert each(move, said, undo, move) == [4]
    assert each(move, move, undo, undo, redo) == [1]
    assert each(move, move, move, {"type": "undo", "action_id": 1}) == [1]
    assert each(move, move, move, {"type": "undo", "action_id": 1}, redo) == [1, 2, 3]
    with pytest.raises(BadGame, match=r"action 4 \(redo\)"):
        each(move, undo, move, redo)


def test_what_the_site_did_by_itself_follows_what_brought_it_about() -> None:
    automatic = [{"type": "buy_shares", "entity": 2}, {"type": "program_disable", "entity": 2}]
    data = [{"type": "buy_shares", "entity": 1, "id": 4, "auto_actions": automatic}]
    assert [(each.number, each.type, each.entity) for each in standing(data)] == [
        (4, "buy_shares", 1),
        (4, "buy_shares", 2),
        (4, "program_disable", 2),
    ]


def test_a_game_stops_before_what_cannot_be_translated_and_its_number_is_told() -> None:
    data = titles.foreign_file(played("greedy", 3, 9), "18xx")
    data["actions"][40] = {**data["actions"][40], "type": "merge"}
    found = read(data)
    assert found.stopped == "action 41 (merge)"
    assert "we have no move for it" in str(found.why)
    assert 0 < len(found.game.moves) <= 41


def test_variants_of_the_site_and_games_of_other_editions_are_refused() -> None:
    data = titles.foreign_file(played("random", 3, 12), "18xx")
    with pytest.raises(BadGame, match="variants"):
        read({**data, "settings": {**data["settings"], "optional_rules": ["lower_starting_capital"]}})
    with pytest.raises(BadGame, match="this is no game in a form that can be read"):
        read({**data, "title": "1889"})
    for other in (
        titles.new_game("rhl", NAMES[:3]),
        titles.new_game("rhl", NAMES[:3], {"edition": "earlier", "lower_capital": True}),
    ):
        with pytest.raises(BadGame, match="earlier edition without variants"):
            titles.foreign_file(other, "18xx")
    with pytest.raises(BadGame, match="cannot be written in the form 18xx"):
        titles.foreign_file(titles.new_game("bl", NAMES[:3]), "18xx")


def test_every_order_card_has_a_seed_of_the_site() -> None:
    assert [words.location_card(words.seed_for(card, 9), 9) for card in range(1, 10)] == list(range(1, 10))
    # The recorded game's seed draws the card with coal on C12 and steel on E6.
    assert words.location_card(23692664, 9) == 5


def _damaged(data: dict[str, Any], chance: random.Random) -> Any:
    """A file with one thing in it replaced, removed or doubled."""
    data = copy.deepcopy(data)
    place: Any = data
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return data
        key = chance.choice(keys)
        inner = place[key]
        if isinstance(inner, dict | list) and inner and chance.random() < 0.9:
            place = inner
            continue
        match chance.randrange(4):
            case 0:
                del place[key]
            case 1 if isinstance(place, list):
                place.append(copy.deepcopy(inner))
            case _:
                place[key] = chance.choice(
                    [
                        None,
                        -1,
                        10**30,
                        0.5,
                        "",
                        "\x1b[2J",
                        "x" * 4000,
                        [],
                        {},
                        [[[[]]]],
                        True,
                        "RhE",
                        "K6-0-9",
                        "-",
                        "8-9",
                    ]
                )
        return data


def _read(text: str) -> tuple[str, titles.Foreign | None]:
    """What is in a file, or the sentence that it gets."""
    try:
        return "", titles.foreign_game(text)
    except BadGame as error:
        return str(error), None


def test_damaged_files_get_a_sentence_or_are_read() -> None:
    chance = random.Random(18)
    whole = titles.foreign_file(played("random", 3, 12), "18xx")
    outcomes: dict[str, int] = defaultdict(int)
    for _ in range(250):
        text = json.dumps(_damaged(whole, chance))
        if chance.random() < 0.1:
            text = text[: chance.randrange(len(text))]
        sentence, found = _read(text)
        if found is None:
            assert 0 < len(sentence) < 300
            outcomes["refused"] += 1
        else:
            assert (found.stopped == "") == (found.why is None)
            outcomes["stopped" if found.stopped else "read"] += 1
    assert min(outcomes[each] for each in ("refused", "stopped", "read")) > 5


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"players": []}, "no list of players"),
        ({"players": [{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]}, "player 2 of the file"),
        ({"actions": {}}, "no list of actions"),
        ({"actions": [{"type": "pass"}] * 20_001}, "more than 20000 actions"),
        ({"settings": {"seed": "1"}}, "no seed"),
        ({"players": [{"id": n, "name": f"P{n}"} for n in range(9)]}, "cannot be set up"),
    ],
)
def test_a_file_that_is_no_game_of_the_site_gets_one_sentence(data: dict[str, Any], sentence: str) -> None:
    good: dict[str, Any] = {
        "title": "18Rhl",
        "players": [{"id": n, "name": name} for n, name in enumerate(NAMES[:3])],
        "settings": {"seed": 1, "optional_rules": []},
        "actions": [],
    }
    assert read(good).game.moves == []
    with pytest.raises(BadGame, match=sentence):
        read({**good, **data})


def test_names_that_cannot_be_shown_become_numbers() -> None:
    players = [{"id": 1, "name": "\x1b[2J"}, {"id": 2, "name": "Bo"}, {"id": 3, "name": "Bo"}, {"id": 4, "name": 7}]
    found = read({"title": "18Rhl", "players": players, "settings": {"seed": 1}, "actions": []})
    assert list(found.players.values()) == ["Player 1", "Bo", "Bo (3)", "Player 4"]
