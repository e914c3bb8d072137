"""`kursbuch draw`: every kind of picture as a file, and one clear sentence when it cannot be."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from PIL import Image

import titles
from bot.cli import draw
from engine import codec
from engine.errors import BadGame
from workshop.gallery import games


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "game.json"
    path.write_text(codec.write(games.chooser()[0]), "utf-8")
    return path


def run(*words: str) -> int:
    parser = argparse.ArgumentParser()
    draw.add_parser(parser.add_subparsers())
    arguments = parser.parse_args(["draw", *words])
    code: int = arguments.func(arguments)
    return code


@pytest.mark.parametrize(
    "words",
    [
        ("map", "--around", "f9", "--since", "60", "--possible"),
        ("map", "--routes", "RhE", "--theme", "dark", "--language", "de"),
        ("market", "--since", "60", "--part"),
        ("sheet", "--until", "50"),
        ("charter", "rhe"),
        ("finances", "--until", "60"),
    ],
)
def test_a_picture_of_each_kind_is_written(
    saved: Path, tmp_path: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "picture.png"
    assert run(str(saved), *words, "-o", str(target)) == 0
    assert Image.open(target).format == "PNG"
    assert "bytes" in capsys.readouterr().out


def test_the_tile_chooser_is_written(saved: Path, tmp_path: Path) -> None:
    at = games.chooser()[2]
    assert run(str(saved), "tiles", at, "-o", str(tmp_path / "tiles.png")) == 0
    assert (tmp_path / "tiles.png").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("map", "--around", "Z99"), "'Z99' is not on the map"),
        (("charter", "XYZ"), "there is no company 'XYZ'; there is ADR"),
        (("tiles", "A4"), "no tile can be laid on A4 now; possible is"),
        (("tiles", "F9", "--until", "3"), "no tile can be laid in this position"),
    ],
)
def test_what_cannot_be_drawn_is_explained(saved: Path, words: tuple[str, ...], reason: str) -> None:
    with pytest.raises(BadGame, match=reason):
        run(str(saved), *words)


def test_where_nothing_has_a_price_no_prices_are_drawn(tmp_path: Path) -> None:
    game = titles.new_game("rhl", ["ann", "bo", "cy"], {}, 1, "short")
    path = tmp_path / "short.json"
    path.write_text(codec.write(game), "utf-8")
    with pytest.raises(BadGame, match="nothing has a price in this game"):
        run(str(path), "market")
