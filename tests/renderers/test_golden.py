"""Golden pictures: the drawing is as it was, and a missing station, track or number is noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.board.faces import Face
from engine.game import Game
from renderers.hexes.hex import Value
from renderers.hexes.looks import Looks
from renderers.kit import cache
from tests.renderers.golden import PICTURES, TOLERANCE, difference
from tests.renderers.position import arranged
from tests.titles.rhl import arrange


@pytest.fixture(scope="module")
def game() -> Game:
    return arranged()


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_as_it_was(game: Game, name: str) -> None:
    assert difference(name, PICTURES[name](game)) <= TOLERANCE


@pytest.mark.parametrize("name", ["map", "crop"])
def test_a_missing_station_is_noticed(name: str) -> None:
    game = arranged()
    spaces = game.state.board.stations["F9"][1]
    spaces[spaces.index("CME")] = ""
    assert difference(name, PICTURES[name](game)) > 2 * TOLERANCE


@pytest.mark.parametrize("name", ["map", "crop"])
def test_missing_track_is_noticed(name: str) -> None:
    game = arranged()
    tile = game.definition.tiles["2"]
    bare = replace(tile, face=replace(tile.face, track=tile.face.track[:1]))
    game.definition = replace(game.definition, tiles={**game.definition.tiles, "2": bare})
    assert difference(name, PICTURES[name](game)) > 2 * TOLERANCE


@pytest.mark.parametrize("name", ["map", "crop"])
def test_a_missing_number_is_noticed(game: Game, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Looks.value

    def without(self: Looks, at: str, face: Face, index: int, own: bool = True) -> Value:
        return Value((("plain", 0),)) if at == "G10" else right(self, at, face, index, own)

    monkeypatch.setattr(Looks, "value", without)
    assert difference(name, PICTURES[name](game)) > 2 * TOLERANCE


def test_a_price_on_another_space_is_noticed() -> None:
    game = arranged()
    game.prices.put("CME", (2, 2))
    assert difference("market", PICTURES["market"](game)) > 2 * TOLERANCE


def test_another_amount_of_money_is_noticed() -> None:
    game = arranged()
    arrange.cash(game, "bo", game.state.cash["bo"] + 111)
    assert difference("sheet", PICTURES["sheet"](game)) > 2 * TOLERANCE


def test_another_train_is_noticed() -> None:
    game = arranged()
    game.company("ADR").trains[0] = "4"
    assert difference("charter", PICTURES["charter"](game)) > 2 * TOLERANCE


def test_a_drawing_from_the_store_is_the_drawing_made_anew(game: Game) -> None:
    for name in ("crop", "charter"):
        warm = PICTURES[name](game).png
        cache.clear()
        assert PICTURES[name](game).png == warm
