"""Pictures of 18LRA: the Rhine and its crossings, harbours, borders, blank tokens, tokens of no company."""

from __future__ import annotations

from functools import lru_cache

import pytest
from PIL import ImageChops, ImageDraw

import titles
from catalogue import LANGUAGES
from engine.board.tiling import Fit
from engine.game import Game
from engine.state import BLANK, MARKER
from renderers import DARK, LIGHT, draw_charter, draw_map, draw_sheet
from renderers.hexes.geometry import Frame
from renderers.hexes.hex import hexagon
from renderers.hexes.looks import Looks
from renderers.hexes.rivers import borders, rivers
from renderers.kit.theme import Theme
from renderers.kit.words import Words
from renderers.pages import legend
from renderers.pages.charter import _stations
from renderers.pages.sheet import depot_cards
from tests.titles.rhl.arrange import floated, lay, phase, station, take_offer

FRAME = Frame(True, 40)


@lru_cache(maxsize=2)
def beginning(scenario: str = "1") -> Game:
    return titles.new_game("lra", ("ann", "bo", "cy"), {"scenario": scenario}, 3)


def in_green() -> Game:
    """All four harbours and two crossings are green; ADR's harbour token lies on Uerdingen."""
    game = beginning().copy()
    phase(game, "3")
    for at, tile in (("B12", "L27"), ("B14", "L44"), ("E13", "L29"), ("H14", "L28"), ("D14", "L30")):
        lay(game, at, tile)
    floated(game, "ADR", "ann", 80)
    station(game, "ADR", "H14")
    game.company("ADR").tokens_left.pop()
    game.board.place_station("ADR", "E13", 0, "harbour")
    take_offer(game)
    return game


def told(game: Game, language: str = "en") -> str:
    """The words of the legend of the whole map."""
    hexes = list(game.definition.map.hexes)
    items = legend.of_map(game, hexes, LIGHT, Words(language), 20, None, False)
    return " | ".join(item.text for item in items)


def test_the_rhine_goes_on_at_its_three_crossings() -> None:
    board = beginning().definition.map
    fords = {frozenset((at, board.layout.neighbour(at, edge))) for at, edge in rivers(board).fords}
    assert fords == {frozenset(pair) for pair in (("B14", "C13"), ("C15", "D14"), ("G15", "H14"))}
    barred = {frozenset((at, board.layout.neighbour(at, edge))) for at, edge in borders(board)}
    assert not fords & barred


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["track may cross the river here", "no tile before green", "closed space", "under construction"]),
        ("de", ["hier darf Gleis über den Fluss", "kein Plättchen vor grün", "geschlossener Platz", "im Bau"]),
    ],
)
def test_the_legend_of_the_beginning(language: str, words: list[str]) -> None:
    text = told(beginning(), language)
    for each in words:
        assert each in text
    assert Words(language)("legend_kept", what="")[:4] not in text, "no harbour space before a green tile"


def test_the_legend_tells_of_harbour_spaces_ferries_and_stations_of_nobody() -> None:
    game = in_green()
    assert "only for: harbour" in told(game)
    assert "ferry" in told(game)
    assert "belongs to no company" not in told(game)
    game.board.place_station(MARKER, "A1", 0, "gkb")
    assert "station that belongs to no company" in told(game)
    assert Looks(game).look("A1").stations[0][0].code == "GKB"  # type: ignore[union-attr]


def test_a_border_is_drawn_until_a_tile_lies_there() -> None:
    game = beginning().copy()
    looks = Looks(game)
    assert [at for at in game.definition.map.hexes if looks.look(at).border] == ["B6", "C11"]
    lay(game, "B6", "9", 2)
    looks = Looks(game)
    assert [at for at in game.definition.map.hexes if looks.look(at).border] == ["C11"]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_harbour_space_differs_from_an_ordinary_one_free_or_taken(theme: Theme) -> None:
    game = in_green()
    free = hexagon(Looks(game).look("B14"), FRAME, theme)
    plain = in_green()
    plain.board.place_station("ADR", "B14", 0)
    ordinary = hexagon(Looks(plain).look("B14"), FRAME, theme)
    assert ImageChops.difference(free, ordinary).getbbox() is not None
    # The same token on the harbour space bears its sign: the two spaces are not mirror images.
    on_harbour = Looks(game).look("E13")
    assert [token.code if token else "" for token in on_harbour.stations[0]] == ["", "ADR"]


def test_a_candidate_keeps_a_harbour_token_on_its_space() -> None:
    game = in_green()
    phase(game, "5")
    fit: Fit = next(fit for fit in game.rules.tiling.fits("E13", game.board.cover("E13")) if fit.tile == "L43")
    look = Looks(game).with_tile("E13", fit.tile, fit.rotation, fit.stops)
    spaces = [token.code if token else "" for token in look.stations[0]]
    kept = look.face.stops[0].reserved.index("harbour")
    assert spaces[kept] == "ADR"
    assert spaces.count("ADR") == 1


def test_the_harbour_token_of_a_charter_is_told_apart() -> None:
    game = beginning().copy()
    assert game.rules.token_kinds(game, "ADR") == ["", "", "harbour"]
    assert game.rules.token_kinds(game, "GVE") == ["", ""]
    assert in_green().rules.token_kinds(in_green(), "ADR") == [""]
    with_sign = _stations(game, "ADR", LIGHT, 700)
    third = with_sign.crop((3 * 118, 0, 4 * 118, 70))
    second = with_sign.crop((2 * 118, 0, 3 * 118, 70))
    assert ImageChops.difference(second, third).getbbox() is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_blank_tokens_lie_on_unused_homes_and_all_pages_are_drawn(language: str) -> None:
    game = beginning("2")
    covered = [at for at, stops in game.state.board.stations.items() if any(BLANK in spaces for spaces in stops)]
    assert covered == ["K11", "K15"]
    looks = Looks(game)
    assert all(looks.look(at).stations[0][0].reserved for at in covered)  # type: ignore[union-attr]
    for picture in (
        draw_map(game, language=language),
        draw_map(game, around=["C13"], theme=DARK, language=language),
        draw_sheet(game, language=language),
        draw_charter(game, "MKB", language=language),
    ):
        assert len(picture.png) < 150_000


def test_a_train_that_is_never_sold_is_not_in_the_depot(monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[str] = []
    real = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, xy: tuple[float, float], text: str, *rest: object, **how: object) -> None:
        texts.append(text)
        real(self, xy, text, *rest, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    depot_cards(beginning(), Words("en"), LIGHT, 900)
    assert "6" in texts
    assert "2+4" not in texts
