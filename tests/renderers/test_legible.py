"""Choosing on the map: every number, name, token and value of a region can be read on a phone, and none is cut."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from PIL import ImageDraw

import titles
from bot.picking.bands import bands, numbering
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.offer import Options
from engine.steps.track import LayTileChoice
from renderers.hexes.regions import MOST, fits, regions
from renderers.kit import cache
from renderers.kit.people import distinct, initials
from renderers.kit.phone import POINT, SHOWN
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT
from renderers.kit.words import LANGUAGES
from renderers.pages.chooser import draw_tiles
from renderers.pages.crop import Crop, draw_crop, draw_overview
from renderers.pages.own import about_pages, draw_pages

PLAYERS = ("Anna", "Björn", "Clara", "Dörte")
#: So many positions of a title are looked at, one a fixed number of moves.
POSITIONS, APART = 12, 23


def choices(title: str) -> Iterator[tuple[Game, list[str]]]:
    """Positions of a game in which hexes are to be chosen, from early to late."""
    game, chance = titles.new_game(title, PLAYERS, {}, 3), random.Random(3)
    last, found = -APART, 0
    while not game.finished and found < POSITIONS:
        for choice in game.offer().choices:
            domain = choice.asked({}) if choice.name in ("lay_tile", "place_station") else None
            if len(game.moves) - last < APART or not isinstance(domain, Options) or domain.name != "hex":
                continue
            last, found = len(game.moves), found + 1
            yield game, [option.value for option in domain.options]
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))


@pytest.mark.parametrize("title", [box.id for box in titles.known()])
def test_every_region_of_a_choice_can_be_read_on_a_phone(title: str) -> None:
    seen = 0
    for game, hexes in choices(title):
        board = game.definition.map
        numbers, found = numbering(board, hexes), bands(board, hexes)
        assert sorted(number for band in found for number in band.numbers) == list(range(len(hexes)))
        assert sorted(numbers.values()) == list(range(1, len(set(hexes)) + 1))
        assert len({band.name for band in found}) == len(found)
        for band in found:
            part = [hexes[number] for number in band.numbers]
            assert len(part) <= MOST
            crop = Crop(game, part, {at: numbers[at] for at in part}, (), None, 0.65, LIGHT)
            crop.draw()
            texts = [text for text, _ in crop.written]
            least, text = min((size / POINT, text) for text, size in crop.written)
            assert least >= 9, f"{title}: {text!r} has {least:.1f} points"
            assert not any("…" in text for text in texts)
            assert {str(numbers[at]) for at in part} <= set(texts)
            whole = " ".join(texts).replace(" - ", "-").replace("- ", "-")
            for at in part:
                first = board.hexes[at].name.partition(" (")[0].partition(" / ")[0]
                assert all(word in whole for word in first.replace("-", " ").split()), f"{title}: {first} is missing"
            for row in (row for at in part for row in crop.shown[at].stations):
                assert all(station.code in texts for station in row if station is not None)
            seen += 1
    assert seen >= POSITIONS


@pytest.fixture
def lettering(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float]]:
    """Every text that is drawn, with its size in pixels."""
    found: list[tuple[str, float]] = []
    write = ImageDraw.ImageDraw.text

    def text(self: ImageDraw.ImageDraw, xy: Any, text: str, *args: Any, **kinds: Any) -> None:
        found.append((text, kinds["font"].size))
        write(self, xy, text, *args, **kinds)

    monkeypatch.setattr(ImageDraw.ImageDraw, "text", text)
    cache.clear()
    return found


def legible(lettering: list[tuple[str, float]], picture: Picture) -> None:
    """Nothing is smaller than nine points in a card on a phone, nothing is cut."""
    for text, size in filter(lambda each: each[0], lettering):
        assert size * SHOWN / picture.width >= 9, f"{text!r} has {size * SHOWN / picture.width:.1f} points"
        assert "…" not in text
    lettering.clear()
    cache.clear()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("title", [box.id for box in titles.known()])
def test_what_a_panel_shows_of_tiles_stations_and_routes_can_be_read_on_a_phone(
    title: str, language: str, lettering: list[tuple[str, float]]
) -> None:
    ran = 0
    for game, hexes in choices(title):
        found = bands(game.definition.map, hexes)
        draw_overview(game, [(band.name, [hexes[n] for n in band.numbers]) for band in found], language=language)
        legible(lettering, draw_crop(game, hexes[:1], language=language))
        for choice in game.offer().choices:
            if isinstance(choice, LayTileChoice) and choice.ask({}) is not None:
                at = max(choice.hexes(), key=lambda at: len(choice.fits(at)), default="")
                if at:
                    page = draw_tiles(game, choice, at, language=language)
                    legible(lettering, page.picture)
        for company in game.state.companies:
            routes = game.best_routes(company).routes if game.company(company).trains and ran < 8 else ()
            if routes:
                around = sorted({word.split(":")[0] for route in routes for word in route.path})
                picture = draw_crop(game, around, routes=routes, tallest=0.65, language=language)
                assert {str(number + 1) for number in range(len(routes))} <= {text for text, _ in lettering}
                legible(lettering, picture)
                ran += 1
    assert ran


FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms]


@pytest.mark.parametrize("form", FORMS)
def test_own_tables_of_a_turn_have_ten_points_and_the_whole_width(
    form: str, lettering: list[tuple[str, float]]
) -> None:
    """Discord shows a picture that is too high narrower, and with it its lettering."""
    box, found = titles.find_form(form)
    people = ["Prellbock", "Prellbock 2", "Prellbock 3", "Anna"][: found.players[1]]
    game, chance, seen = titles.new_game(box.id, people, {}, 5, found.id), random.Random(5), set[tuple[str, str, int]]()
    while not game.finished and len(game.moves) < 260:
        key = (game.state.round.kind, game.state.round.step, len(game.moves) // 90)
        if key not in seen and about_pages(game):
            seen.add(key)
            for language in LANGUAGES:
                lettering.clear()
                cache.clear()
                picture = draw_pages(game, language=language)
                assert picture.height <= 1.75 * picture.width
                own = [(text, size) for text, size in lettering if text not in game.definition.corporations]
                # Tokens have the name of their company beside them.
                own = [(text, size) for text, size in own if not text.endswith("…") or size > 20]
                # Words have ten points, counts of pieces and initials nine.
                assert min(size for _, size in own) * SHOWN / picture.width >= 9
                assert min(size for text, size in own if len(text) > 2) * SHOWN / picture.width >= 10
                assert not [text for text, size in own if "…" in text and not text.startswith("… ")]
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))


NASTY = ("Prellbock", "Prellbock 2", "Prellbock 3", "Prellbock 12", "Pia", "P", "Anna-Lena", "Anna-Lisa", "ж", "🚂")


@pytest.mark.parametrize("count", [2, 3, 4])
def test_no_two_players_look_alike(count: int) -> None:
    for names in combinations(NASTY, count):
        assert len(set(initials(names))) == count, names
        for room in (20, 60, 90, 140, 400):
            assert len(set(distinct(names, room, 26))) == count, (names, room)


def test_what_is_new_is_framed_below_values_and_names() -> None:
    """A frame or ring never covers lettering: it is taken as room before anything is written."""
    for game, _ in choices("ruhr"):
        laid = [at for at in game.state.board.stations if any(any(row) for row in game.state.board.stations[at])]
        crop = Crop(game, laid[-1:], {}, (), None, 0.9, LIGHT)
        crop.draw()
        for one, other in combinations(crop.room.boxes, 2):
            across = min(one[2], other[2]) - max(one[0], other[0])
            down = min(one[3], other[3]) - max(one[1], other[1])
            small = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
            assert max(across, 0) * max(down, 0) <= 0.25 * small


def test_regions_are_the_fewest_that_fit_and_always_the_same() -> None:
    for game, hexes in choices("ruhr"):
        board = game.definition.map
        found = regions(board, hexes)
        assert found == regions(board, hexes[::-1])
        assert sorted(at for part in found for at in part) == sorted(set(hexes))
        assert all(len(part) == 1 or fits(board.layout, part) for part in found)
        assert len(found) == 1 or not fits(board.layout, hexes)
