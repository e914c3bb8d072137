"""Pictures of 18BL: what its map, market and sheet have that 18Rhl's have not."""

from __future__ import annotations

import io
import math

import pytest
from PIL import Image, ImageDraw

import titles
from engine.finance.closing import close_company
from engine.records import put
from engine.state import CLOSED, POOL
from renderers import DARK, LIGHT, Picture, draw_charter, draw_map, draw_market, draw_sheet
from renderers.kit.fonts import width
from renderers.kit.livery import liveries
from renderers.kit.panel import Legend, LegendItem
from renderers.kit.picture import APART, COUNTED, encode
from renderers.kit.theme import Theme
from renderers.kit.words import Words
from renderers.pages.charter import train_boxes
from renderers.pages.sheet import company_state, depot_cards, possessions
from tests.titles.bl.arrange import after_package, floated, founded
from titles.bl.access import AccessTokens
from workshop.gallery import games

Spot = tuple[float, float, float, float]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Spot]]:
    """Every text that is drawn, with its box."""
    texts: list[tuple[str, Spot]] = []
    real = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, xy: tuple[float, float], text: str, *rest: object, **how: object) -> None:
        texts.append((text, self.textbbox(xy, text, font=how["font"], anchor=how.get("anchor"))))  # type: ignore[arg-type]
        real(self, xy, text, *rest, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    return texts


def opened(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.png)).convert("RGB")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_company_keeps_its_own_colour_on_the_map(theme: Theme) -> None:
    game = games.late("bl")
    image = opened(draw_map(game, theme=theme))
    colours = {colour for _, colour in image.getcolors(COUNTED) or ()}
    for code in game.state.companies:
        if game.board.stations_of(code):
            fill = liveries(game.definition)[code].fill
            assert min(math.dist(fill, colour) for colour in colours) < APART, code


def test_a_picture_of_very_many_colours_is_still_a_palette_png() -> None:
    image = Image.new("RGB", (256, 256))
    image.putdata([(x, y, (x * y) % 256) for y in range(256) for x in range(256)])
    assert image.getcolors(COUNTED) is None
    assert Image.open(io.BytesIO(encode(image))).mode == "P"


def test_the_whole_map_is_not_much_heavier_for_its_more_hexes() -> None:
    picture = draw_map(games.late("bl"))
    assert max(picture.width, picture.height) >= 1600
    assert len(picture.png) <= 170_000


@pytest.mark.parametrize(("language", "meaning"), [("en", "without a dividend"), ("de", "ohne Dividende")])
def test_the_market_explains_its_zones_and_arrows(language: str, meaning: str, written: list[tuple[str, Spot]]) -> None:
    game = games.late("bl")
    draw_market(game, language=language)
    texts = [text for text, _ in written]
    assert any(text.startswith(meaning) for text in texts)
    words = game.definition.words[language]
    for mark in game.definition.market.legend:
        text = words[f"zone.{mark}"]
        first = text.split()[:3]
        assert any(line.split()[:3] == first for line in texts), text


def test_a_part_of_the_market_explains_only_what_it_shows(written: list[tuple[str, Spot]]) -> None:
    game = after_package()
    founded(game, "BME", "ann", par=100)
    draw_market(game, part=True)
    texts = " ".join(text for text, _ in written)
    assert "par space" in texts
    assert "with a dividend one space up" in texts
    assert "closes at once" not in texts
    assert "without a dividend" not in texts


def test_a_long_meaning_goes_on_below_itself_and_stays_in_the_picture(written: list[tuple[str, Spot]]) -> None:
    picture = draw_market(games.at(120, "bl"), part=True)
    assert max(right for _, (_, _, right, _) in written) <= picture.width == 780
    sign = Image.new("RGB", (20, 20))
    short, long = LegendItem(sign, "red"), LegendItem(sign, "the corporation closes at once " * 5)
    lines = Legend([short, long, short], 400, 20).rows
    assert [len(row) for row in lines] == [1, 1, 1]
    assert len(lines[1][0][2]) > 1
    assert all(width(line, 20) <= 400 for line in lines[1][0][2])
    assert Legend([long], 400, 20).height > Legend([short], 400, 20).height


def test_names_of_vehicles_stay_clear_of_their_price_and_number(written: list[tuple[str, Spot]]) -> None:
    game = games.late("bl")
    depot_cards(game, Words("en"), LIGHT, 972)
    assert len(written) == 3 * len(game.definition.trains)
    for one, (text, a) in enumerate(written):
        for other, b in written[one + 1 :]:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (text, other)


@pytest.mark.parametrize(("title", "form"), [("rhl", "short"), ("lra", "short"), ("do", "efs")])
def test_trains_that_cost_nothing_are_shown_where_nothing_has_a_price(
    written: list[tuple[str, Spot]], title: str, form: str
) -> None:
    game = titles.new_game(title, ["ann", "bo", "cy"], {}, 1, form)
    depot_cards(game, Words("en"), LIGHT, 972)
    assert [text for text, _ in written] == [
        text for train in game.definition.trains for text in (train.name, f"{train.count}/{train.count}")
    ]


def test_the_sheet_names_every_vehicle_of_a_large_fleet(written: list[tuple[str, Spot]]) -> None:
    game = after_package()
    floated(game, "BME")
    game.company("BME").trains = ["SB3", "BW-A", "SB3", "3", "3"]
    draw_sheet(game, language="de")
    assert "SB3 BW-A SB3 3 3" in [text for text, _ in written]


def test_the_sheet_tells_what_companies_and_the_pool_own(written: list[tuple[str, Spot]]) -> None:
    game = after_package(owners={"EHG": "BME", "SKB": "ann"})
    floated(game, "BME")
    put(game.state, AccessTokens(0, 1, 1, ["BME"]))
    words = Words("en")
    assert possessions(game, "BME", words) == "EHG, access token, access token for sale"
    assert possessions(game, "CME", words) == ""
    assert possessions(game, POOL, Words("de")) == "Zugangsmarke zum Verkauf"
    draw_sheet(game)
    draw_charter(game, "BME")
    texts = [text for text, _ in written]
    assert "Holdings: BME: EHG, access token, access token for sale" in texts
    assert "Holdings: EHG, access token, access token for sale" in texts
    assert "In the pool: access token for sale" in texts
    game.state.privates["EHG"] = CLOSED
    assert possessions(game, "BME", words) == "access token"


def test_a_trailer_takes_no_place_of_a_train_on_the_charter(written: list[tuple[str, Spot]]) -> None:
    game = after_package()
    floated(game, "BME")
    game.company("BME").trains = ["SB3", "BW-A"]
    train_boxes(game, "BME", Words("en"), LIGHT, 752)
    assert game.phase.train_limit == 4
    assert [text for text, _ in written] == ["SB3", "BW-A", "–", "–", "–"]


def test_a_closed_company_is_called_closed() -> None:
    game = after_package()
    floated(game, "BME")
    close_company(game, "BME", "red")
    assert company_state(game, "BME", Words("en")) == "closed"
    assert company_state(game, "BME", Words("de")) == "geschlossen"
