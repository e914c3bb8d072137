"""A game as a film: a scene for each turn, read back frame by frame, and small enough for a message."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

import titles
from bot.card.film import scenes
from bot.cli import main
from bot.texts import speaker
from engine import codec
from engine.game import Game
from engine.house.players import Greedy
from engine.house.simulation import play
from renderers.pages.film import LAST, MOST_BYTES, SHORTEST, WIDTH, Frame, draw_scene, film


@pytest.fixture(scope="module")
def game() -> Game:
    game = titles.new_game("rhl", ["Ann", "Bo_Lee", "Cy"], {}, 7, "short")
    play(game, Greedy(), 7, check=False)
    return game


@pytest.fixture(scope="module")
def frames(game: Game) -> list[Frame]:
    return [draw_scene(scene) for scene in scenes(game, speaker("en"), round_code="SR2")]


def test_every_turn_is_told_once_and_in_order(game: Game) -> None:
    told = [(scene.heading, *scene.lines) for scene in scenes(game, speaker("en"))]
    assert len(told) > 20
    lines = [line for _, *each in told for line in each]
    assert any(line.startswith("Bo_Lee ") for line in lines), "a name stands as it is, without what Markdown needs"
    assert not any("**" in line or "\\" in line for line in lines)
    founded = [number for number, line in enumerate(lines) if "founds" in line]
    assert founded == sorted(founded)


def test_a_film_of_a_company_has_only_turns_that_are_about_it(game: Game) -> None:
    company = next(name for name, each in game.state.companies.items() if each.floated)
    some = list(scenes(game, speaker("en"), company=company))
    assert 0 < len(some) < len(list(scenes(game, speaker("en"))))
    assert all(any(company in line for line in scene.lines) for scene in some)


def test_the_film_has_a_frame_for_each_scene_and_rests_on_the_last(frames: list[Frame]) -> None:
    assert len(frames) > 1
    content = film(frames)
    assert len(content) <= MOST_BYTES
    with Image.open(io.BytesIO(content)) as read:
        assert read.format == "WEBP"
        assert read.n_frames == len(frames)
        assert read.width == WIDTH
        times = []
        for number in range(read.n_frames):
            read.seek(number)
            read.load()
            times.append(read.info["duration"])
    assert times[-1] == LAST
    assert min(times) >= SHORTEST


def test_a_film_that_is_too_large_gets_narrower_before_it_is_refused(frames: list[Frame]) -> None:
    whole = len(film(frames))
    smaller = film(frames, whole - 1)
    assert len(smaller) < whole
    with Image.open(io.BytesIO(smaller)) as read:
        assert read.width < WIDTH
        assert read.n_frames == len(frames)
    with pytest.raises(ValueError, match="bytes"):
        film(frames, 1000)


def test_the_command_line_makes_a_film_and_numbered_frames(
    game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved, made, folder = tmp_path / "game.json", tmp_path / "game.webp", tmp_path / "frames"
    saved.write_text(codec.write(game), "utf-8")
    asked = ["replay", str(saved), "--film", str(made), "--frames", str(folder), "--round", "sr2", "--language", "de"]
    assert main(asked) == 0
    assert "scenes" in capsys.readouterr().out
    files = sorted(file.name for file in folder.iterdir())
    with Image.open(made) as read:
        assert read.n_frames == len(files)
    assert files[0] == "001.png"
    for wrong, sentence in (
        (["--company", "XYZ"], "there is no company 'XYZ'"),
        (["--round", "soon"], "'soon' is no round"),
        (["--round", "SR99"], "nothing of that kind"),
    ):
        assert main(["replay", str(saved), "--film", str(made), *wrong]) == 1
        assert sentence in capsys.readouterr().err
