"""Moves and saved games as JSON: they come back as they were, and what is damaged is told in one sentence."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import titles
from bot.cli.text import told
from engine import codec
from engine import moves as mv
from engine.errors import BadGame, BadMove, KursbuchError, Refused
from engine.game import Game
from engine.remembered import Earned
from tests.titles.rhl import arrange, trips

SAMPLES: tuple[mv.Move, ...] = (
    mv.Pass("ann"),
    mv.BuyLot("ann", "PWB"),
    mv.Bid("ann", "TF", 85),
    mv.Found("ann", "ADR", 80),
    mv.BuyShare("ann", "ADR", "offering", 10),
    mv.SellShares("ann", "ADR", 20),
    mv.LayTile("ann", "ADR", "K4", "4", 1),
    mv.LayTile("ann", "ADR", "E14", "9", 0, "PWB"),
    mv.PlaceStation("ann", "ADR", "I10", 2),
    mv.PlaceStation("ann", "ADR", "E8", 0, "KEO"),
    mv.Run("ann", "ADR", ()),
    mv.Run("ann", "ADR", (mv.TrainPath("2", ("K2:a", "K4:a")), mv.TrainPath("3", ("K2:a", "J3:b")))),
    mv.Dividend("ann", "ADR", "withhold"),
    mv.BuyTrain("ann", "ADR", "2", "bank", 100),
    mv.Answer("bo", "accept"),
    mv.Answer("bo", "counter", 120),
    mv.DiscardTrain("ann", "ADR", "3"),
    mv.HandOver("ann", "MKB", "20+10"),
    mv.SellOwnShares("ann", "ADR", 10),
    mv.BuyOwnShare("ann", "CME", 10),
    mv.TakeLoan("ann", "ADR", 120),
    mv.GoBankrupt("ann", "ADR"),
)


# ---------------------------------------------------------------------- moves


def test_every_kind_of_move_has_a_sample() -> None:
    kinds = {kind.__name__ for kind in mv.Move.__subclasses__() if kind.__module__ == mv.__name__}
    assert kinds == {type(sample).__name__ for sample in SAMPLES}
    assert len({sample.TYPE for sample in SAMPLES}) == len(kinds)


@pytest.mark.parametrize("move", SAMPLES, ids=lambda move: move.TYPE)
def test_a_move_comes_back_from_json_as_it_was(move: mv.Move) -> None:
    text = json.dumps(mv.to_json(move))
    assert mv.from_json(json.loads(text)) == move
    assert mv.to_json(mv.from_json(json.loads(text))) == mv.to_json(move)


def test_fields_with_a_default_may_be_left_out() -> None:
    assert mv.from_json({"type": "answer", "player": "bo", "reply": "accept"}) == mv.Answer("bo", "accept")
    bare = {"type": "lay_tile", "player": "ann", "company": "ADR", "hex": "K4", "tile": "4", "rotation": 1}
    assert mv.from_json(bare) == mv.LayTile("ann", "ADR", "K4", "4", 1)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (None, "a move is an object, not None"),
        ([], "a move is an object, not []"),
        ("pass", "a move is an object, not 'pass'"),
        ({}, "there is no kind of move called None"),
        ({"type": "castle", "player": "ann"}, "there is no kind of move called 'castle'"),
        ({"type": ["pass"], "player": "ann"}, "there is no kind of move called ['pass']"),
        ({"type": "pass"}, "pass: 'player' is missing"),
        ({"type": "pass", "player": 7}, "pass.player: str is expected, not 7"),
        ({"type": "pass", "player": None}, "pass.player: str is expected, not None"),
        ({"type": "pass", "player": "ann", "then": 1}, "pass: 'then' is not a field of it"),
        ({"type": "bid", "player": "ann", "lot": "TF"}, "bid: 'price' is missing"),
        ({"type": "bid", "player": "ann", "lot": "TF", "price": "85"}, "bid.price: int is expected, not '85'"),
        ({"type": "bid", "player": "ann", "lot": "TF", "price": 85.0}, "bid.price: int is expected, not 85.0"),
        ({"type": "bid", "player": "ann", "lot": "TF", "price": True}, "bid.price: int is expected, not True"),
        ({"type": "bid", "player": "ann", "lot": {}, "price": 85}, "bid.lot: str is expected, not {}"),
        ({"type": "run", "player": "ann", "company": "ADR", "routes": {}}, "run.routes: a list is expected, not {}"),
        (
            {"type": "run", "player": "ann", "company": "ADR", "routes": ["2"]},
            "run.routes: an object is expected, not '2'",
        ),
        (
            {"type": "run", "player": "ann", "company": "ADR", "routes": [{"train": "2"}]},
            "run.routes: 'path' is missing",
        ),
        (
            {"type": "run", "player": "ann", "company": "ADR", "routes": [{"train": "2", "path": [2]}]},
            "run.routes.path: str is expected, not 2",
        ),
        (
            {"type": "run", "player": "ann", "company": "ADR", "routes": [{"train": "2", "path": "K2"}]},
            "run.routes.path: a list is expected, not 'K2'",
        ),
    ],
)
def test_a_malformed_move_is_told_in_one_sentence(data: object, reason: str) -> None:
    with pytest.raises(BadMove) as error:
        mv.from_json(data)
    assert told(error.value) == reason


def test_a_long_malformed_value_is_cut_in_the_sentence() -> None:
    with pytest.raises(BadMove) as error:
        mv.from_json({"type": "pass", "player": ["x" * 10_000]})
    assert len(told(error.value)) < 120


# ---------------------------------------------------------------------- strange contents

_WORDS = (
    "",
    "ann",
    "bo",
    "bank",
    "pool",
    "aside",
    "offering",
    "closed",
    "ADR",
    "CME",
    "RhE",
    "PWB",
    "TF",
    "K4",
    "I10",
    "L1",
    "Z99",
    "k4",
    "K4:a",
    "4",
    "935",
    "2",
    "8",
    "99",
    "pay",
    "accept",
    "counter",
    "nobody",
    "ß'\"\n",
    "\x00",
)
_NUMBERS = (-(10**30), -10, -1, 0, 1, 5, 6, 10, 15, 20, 80, 100, 200, 10**30)


def _value(kind: Any, chance: random.Random) -> Any:
    if kind == "str":
        return chance.choice(_WORDS)
    if kind == "int":
        return chance.choice(_NUMBERS)
    assert "TrainPath" in kind
    return tuple(
        mv.TrainPath(chance.choice(_WORDS), tuple(chance.choice(_WORDS) for _ in range(chance.randrange(4))))
        for _ in range(chance.randrange(3))
    )


def _strange(kind: type[mv.Move], player: str, chance: random.Random) -> mv.Move:
    fields = [field for field in dataclasses.fields(kind) if field.name != "player"]
    return kind(player, **{field.name: _value(field.type, chance) for field in fields})


def _package() -> Game:
    return arrange.new()


def _stock() -> Game:
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann")
    arrange.stock(game, "ann")
    return game


def _turn(step: str) -> Callable[[], Game]:
    def make() -> Game:
        game = _stock()
        arrange.floated(game, "CME", "bo")
        arrange.trains(game, "ADR", "2", "2")
        arrange.trains(game, "CME", "2")
        trips.aachen_line(game)
        arrange.operating(game, "ADR", step)
        if step == "dividend":
            Earned.of(game).revenue = 100
        return game

    return make


def _forced() -> Game:
    game = _turn("trains")()
    game.company("ADR").trains.clear()
    game.state.depot.gone.extend(["2", "2"])
    arrange.cash(game, "ADR", 5)
    arrange.cash(game, "ann", 5)
    arrange.take_offer(game)
    return game


def _proposal() -> Game:
    game = _turn("trains")()
    game.apply(mv.BuyTrain("ann", "ADR", "2", "CME", 50))
    return game


POSITIONS: dict[str, Callable[[], Game]] = {
    "package": _package,
    "stock": _stock,
    **{step: _turn(step) for step in ("track", "station", "run", "dividend", "trains")},
    "forced": _forced,
    "proposal": _proposal,
}


@pytest.mark.parametrize("position", POSITIONS)
def test_strange_moves_are_refused_and_nothing_else(position: str) -> None:
    """Well-formed moves with any contents are either legal or refused; they never break the game."""
    chance = random.Random(position)
    game = POSITIONS[position]()
    before = game.state.digest()
    kinds = sorted({type(sample) for sample in SAMPLES}, key=lambda kind: kind.TYPE)
    legal: list[mv.Move] = []
    for kind in kinds:
        for _ in range(40):
            move = _strange(kind, chance.choice(("ann", "bo", "nobody")), chance)
            with contextlib.suppress(Refused):
                game.check(move)
                legal.append(move)
    assert game.state.digest() == before
    for move in legal:
        game.copy().apply(move)


# ---------------------------------------------------------------------- saved games


@pytest.fixture(scope="module")
def played() -> Game:
    """The first moves of a game, up to its first operating round."""
    game = titles.new_game("rhl", ["ann", "bo", "Çelik ✓"], {"optional_2_train": True}, seed=18)
    trips.idle(game, lambda g: len(g.moves) > 12)
    return game


@pytest.fixture
def saved(played: Game) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(codec.write(played))
    return data


def test_a_saved_game_comes_back_as_it_was(played: Game) -> None:
    text = codec.write(played)
    again = titles.load_game(text)
    assert again.state.digest() == played.state.digest()
    assert again.moves == played.moves
    assert again.rules.setup.options == played.rules.setup.options
    assert codec.write(again) == text


def test_a_game_without_moves_is_saved_too() -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, seed=3)
    again = titles.load_game(codec.write(game))
    assert again.state.digest() == game.state.digest()


def test_a_saved_game_is_read_up_to_a_move(played: Game) -> None:
    again = titles.load_game(codec.write(played), until=5)
    assert again.moves == played.moves[:5]


def _without(key: str) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        del data[key]

    return change


def _with(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(data: dict[str, Any]) -> None:
        data[key] = value

    return change


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_with("format", "chess"), "its format is not 'kursbuch-game'"),
        (_without("format"), "its format is not 'kursbuch-game'"),
        (_with("version", 1), "the file is of version 1; this program reads version 2"),
        (_with("version", True), "the file is of version True; this program reads version 2"),
        (_without("version"), "the file is of version None; this program reads version 2"),
        *[
            (change(key), f"{key!r} is missing or malformed")
            for key in ("title", "form", "players", "options", "seed", "moves")
            for change in (_without, lambda key: _with(key, None))
        ],
        (_with("seed", True), "'seed' is missing or malformed"),
        (_with("seed", "18"), "'seed' is missing or malformed"),
        (_with("players", ["ann", "bo", 7]), "'players' should be names"),
        (_with("players", ["ann", "bo", ""]), "'players' should be names"),
        (_with("players", ["ann", "bo"]), "18Rhl-Rhineland is for 3 to 5 players, not 2 [RHL-1.2-a]"),
        (_with("players", ["ann", "bo", "bo"]), "Two players have the same name"),
        (_with("players", ["ann", "bo", "bank"]), "Nobody can be called bank"),
        (_with("players", ["ann", "bo", "pool"]), "Nobody can be called pool"),
        (_with("players", ["ann", "bo", "offering"]), "Nobody can be called offering"),
        (_with("players", ["ann", "bo", "aside"]), "Nobody can be called aside"),
        (_with("players", ["ann", "bo", "closed"]), "Nobody can be called closed"),
        (_with("players", ["ann", "bo", "RhE"]), "Nobody can be called RhE"),
        (_with("title", "1830"), "There is no title 1830"),
        (_with("options", {"weather": "rain"}), "There is no option weather"),
        (_with("options", {"edition": 2024}), "The option edition takes 2024 or earlier, not 2024"),
        (_with("options", {"edition": ["2024"]}), "takes 2024 or earlier, not ['2024']"),
        (_with("options", {"optional_2_train": 1}), "takes no or yes, not 1"),
    ],
)
def test_a_damaged_game_is_told_in_one_sentence(
    saved: dict[str, Any], change: Callable[[dict[str, Any]], None], reason: str
) -> None:
    change(saved)
    with pytest.raises(BadGame) as error:
        titles.load_game(json.dumps(saved))
    assert reason in told(error.value)


@pytest.mark.parametrize(
    "text", ["", "18", "null", "[]", "{", "[" * 100_000, "\x00", '{"format": NaN}', "9" * 10_000], ids=range(9)
)
def test_what_is_no_saved_game_at_all_is_told_in_one_sentence(text: str) -> None:
    with pytest.raises(BadGame, match="this is no saved game"):
        titles.load_game(text)


def test_half_a_file_is_no_saved_game(played: Game) -> None:
    text = codec.write(played)
    for length in range(0, len(text) - 3, 97):
        with pytest.raises(BadGame):
            titles.load_game(text[:length])


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (7, "move 3: a move is an object, not 7"),
        ({"type": "castle"}, "move 3: there is no kind of move called 'castle'"),
        ({"type": "pass"}, "move 3: pass: 'player' is missing"),
        ({"type": "pass", "player": "nobody"}, "move 3: nobody does not play in this game"),
        ({"type": "go_bankrupt", "player": "ann", "company": "ADR"}, "move 3: "),
    ],
)
def test_a_bad_move_in_a_saved_game_is_named_by_its_number(saved: dict[str, Any], move: object, reason: str) -> None:
    saved["moves"][2] = move
    with pytest.raises(BadGame) as error:
        titles.load_game(json.dumps(saved))
    assert told(error.value).startswith(reason)
    assert isinstance(error.value, KursbuchError)
    assert len(titles.load_game(json.dumps(saved), until=2).moves) == 2, "up to there it can be read"


def test_half_a_character_is_refused_in_words() -> None:
    """JSON can write one half of a pair of surrogates; no text can."""
    text = json.dumps(
        {"format": codec.FORMAT, "version": codec.VERSION, "title": "rhl", "form": "base", "players": ["\ud800", "bo"],
         "options": {}, "seed": 1, "moves": []}
    )  # fmt: skip
    with pytest.raises(BadGame, match="half a character"):
        codec.read(text)
    assert codec.read(text.replace("ud800", "u00e9")).players == ("\u00e9", "bo")
