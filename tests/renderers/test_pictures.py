"""Pictures as a whole: size, bytes, alt texts; the same bytes in any thread and process, and no leaks."""

from __future__ import annotations

import gc
import io
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest
from PIL import Image

from catalogue import LANGUAGES
from engine import codec
from engine.changes import View
from engine.game import Game
from renderers import (
    DARK,
    LIGHT,
    Picture,
    draw_charter,
    draw_finances,
    draw_map,
    draw_market,
    draw_sheet,
    draw_sheets,
    draw_tiles,
)
from renderers.hexes.laying import block, near
from renderers.kit import cache
from renderers.kit import panel as legend
from renderers.kit.alt import joined, listed
from renderers.kit.picture import ALT_LIMIT
from renderers.pages import market
from renderers.pages.sheet import HEAD, MARGIN, TALL
from tests.renderers.position import arranged, earlier
from workshop.gallery import games

Draw = Callable[[Game], Picture]


def tiles(game: Game) -> Picture:
    position, choice, at = games.chooser()
    return draw_tiles(position, choice, at, theme=DARK, language="de").picture


KINDS: dict[str, Draw] = {
    "map": draw_map,
    "map with routes": lambda game: draw_map(game, routes=game.best_routes("RhE").routes),
    "map with changes": lambda game: draw_map(game, since=View.of(games.at(games.MID)), theme=DARK, language="de"),
    "crop": lambda game: draw_map(game, around=["F9"], since=View.of(games.at(games.MID))),
    "market": lambda game: draw_market(game, since=View.of(games.at(games.MID))),
    "part of the market": lambda game: draw_market(game, part=True, theme=DARK, language="de"),
    "sheet": draw_sheet,
    "charter": lambda game: draw_charter(game, "RhE"),
    "finances": lambda game: draw_finances(game),
    "tiles": tiles,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_is_a_small_palette_png_with_alt_texts(kind: str) -> None:
    picture = KINDS[kind](games.late())
    image = Image.open(io.BytesIO(picture.png))
    assert image.format == "PNG"
    assert image.mode == "P"
    assert image.size == (picture.width, picture.height)
    assert len(picture.png) <= 150_000
    assert set(picture.alt) == set(LANGUAGES)
    for text in picture.alt.values():
        assert 0 < len(text) <= ALT_LIMIT
    assert picture.alt["en"] != picture.alt["de"]


def test_the_whole_map_is_large_and_a_part_is_made_for_a_phone() -> None:
    whole, bare = draw_map(games.late()), draw_map(games.late(), with_legend=False)
    assert max(whole.width, whole.height) >= 1600
    assert max(bare.width, bare.height) >= 1600
    assert draw_map(games.late(), around=["K2"]).width == 780


def test_a_part_shows_the_hexes_and_a_ring_of_neighbours() -> None:
    board = games.late().definition.map
    assert near(board, ["F9"], 1) == ["E8", "E10", "F7", "F9", "F11", "G8", "G10"]
    assert near(board, ["A2"], 1) == ["A2", "A4", "B1", "B3"]
    assert len(near(board, ["F9"], 2)) == 19
    assert block(board, ["F9"], 1) == near(board, ["F9"], 1)


def test_a_part_around_distant_hexes_has_no_holes() -> None:
    board = games.late().definition.map
    shown = block(board, ["F9", "J9"], 1)
    assert set(near(board, ["F9", "J9"], 1)) < set(shown)
    assert {"H7", "H9", "H11"} <= set(shown)
    assert not {"D9", "L9", "H5", "H13"} & set(shown)


def test_the_alt_text_of_a_map_tells_what_changed() -> None:
    text = draw_map(arranged(), since=View.of(earlier())).alt
    assert "New tiles: H5 (9)." in text["en"]
    assert "New stations: ADR K6." in text["en"]
    assert "Neue Bahnhöfe: ADR K6." in text["de"]
    assert "nichts geändert" in draw_map(arranged(), since=View.of(arranged())).alt["de"]


def test_the_alt_text_of_a_market_tells_what_moved() -> None:
    text = draw_market(arranged(), since=View.of(earlier())).alt
    assert "CME 100→80" in text["en"]
    assert "Bewegt: CME 100→80, DEE 90→80." in text["de"]


def test_the_alt_text_of_routes_tells_their_values() -> None:
    game = arranged()
    best = game.best_routes("CME")
    text = draw_map(game, routes=best.routes).alt["en"]
    assert f"Total {best.value}." in text


def test_an_alt_text_that_is_too_long_ends_at_a_whole_item() -> None:
    items = [f"E{number} ({number})" for number in range(300)]
    text = joined(["Map.", f"New tiles: {listed(items)}."])
    assert len(text) <= ALT_LIMIT
    assert text.endswith(")…")
    nearly = "x" * (ALT_LIMIT - 6) + "."
    assert joined([nearly, "more text"]) == nearly
    assert len(joined(["x" * (ALT_LIMIT + 50)])) <= ALT_LIMIT


def test_changes_and_marked_hexes_change_the_picture() -> None:
    game = arranged()
    plain = draw_map(game, around=["H5"]).png
    assert draw_map(game, around=["H5"], since=View.of(earlier())).png != plain
    assert draw_map(game, around=["H5"], marked=["H5"]).png != plain
    assert draw_map(game, around=["H5"], marked=["A4"]).png == plain


def test_the_chooser_numbers_its_candidates_over_all_pages() -> None:
    game, choice, at = games.chooser()
    fits = choice.fits(at)
    assert len(fits) > 6
    pages = [draw_tiles(game, choice, at, page=page, per_page=4) for page in range(1, -(-len(fits) // 4) + 1)]
    assert [number for page in pages for number, _ in page.fits] == list(range(1, len(fits) + 1))
    assert [fit for page in pages for _, fit in page.fits] == fits
    assert {page.pages for page in pages} == {len(pages)}
    assert len({page.picture.png for page in pages}) == len(pages)
    assert draw_tiles(game, choice, at, page=99, per_page=4).page == len(pages)


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="no words in 'fr'"):
        draw_sheet(games.late(), language="fr")


def test_the_same_position_gives_the_same_bytes() -> None:
    for draw in (KINDS["map"], KINDS["sheet"], KINDS["crop"]):
        first = draw(games.late()).png
        cache.clear()
        assert draw(games.late().copy()).png == first


def test_a_board_repaired_after_a_move_is_the_board_drawn_anew() -> None:
    number = len(games.late().moves)
    positions = [games.at(moves) for moves in (number - 60, number - 40, number - 39, number)]
    repaired = [draw_map(game).png for game in positions]
    for game, png in zip(positions, repaired, strict=True):
        cache.clear()
        assert draw_map(game).png == png


def test_threads_draw_the_same_bytes() -> None:
    game = games.late()
    alone = [draw_map(game, around=[at]).png for at in ("F9", "I10", "K2", "D9")]
    cache.clear()
    with ThreadPoolExecutor(4) as threads:
        jobs = [threads.submit(draw_map, game, around=[at]) for at in ("F9", "I10", "K2", "D9") * 3]
        assert [job.result().png for job in jobs] == alone * 3


def _elsewhere(text: str) -> bytes:
    import titles

    return draw_map(titles.load_game(text), around=["F9"], theme=LIGHT).png


def test_another_process_draws_the_same_bytes() -> None:

    game = games.at(60)
    text = codec.write(game)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as workers:
        assert workers.submit(_elsewhere, text).result() == draw_map(game, around=["F9"]).png


def test_drawing_leaves_nothing_behind_but_the_bounded_store() -> None:
    game = games.late()
    centres = ["F3", "F9", "F15"]

    def images() -> int:
        gc.collect()
        return sum(isinstance(item, Image.Image) for item in gc.get_objects())

    def kept() -> int:
        return sum(len(store) for store in (cache.SHAPES, cache.HEXES, cache.PIECES, cache.BOARDS))

    for at in centres:
        draw_map(game, around=[at])
    before = images() - kept()
    for at in centres * 2:
        draw_map(game, around=[at])
    assert images() - kept() <= before


def test_the_store_forgets_the_oldest_when_it_is_full() -> None:
    store = cache.Drawings(10_000)
    for number in range(20):
        store.get(number, lambda: Image.new("L", (50, 50)))
    assert store.bytes <= 10_000
    assert len(store) == 4
    made = []
    store.get(19, lambda: made.append(1) or Image.new("L", (1, 1)))  # type: ignore[func-returns-value]
    assert not made


def test_all_stores_together_stay_below_their_ceiling() -> None:
    assert cache.SHAPES.limit + cache.HEXES.limit + cache.PIECES.limit <= 150_000_000


@pytest.mark.parametrize("title", ["rhl", "bl", "ruhr"])
def test_the_sheet_on_a_phone_is_the_whole_sheet_in_parts_that_are_not_too_tall(title: str) -> None:
    game = games.late(title)
    whole, parts = draw_sheet(game), draw_sheets(game)
    band = HEAD + 2 * MARGIN
    assert sum(part.height - band for part in parts) == whole.height - band
    assert all(part.height <= TALL + band for part in parts)
    assert (len(parts) > 1) == (whole.height > TALL + band)


def test_the_market_leaves_out_companies_of_one_owner(monkeypatch: pytest.MonkeyPatch) -> None:
    listed_there: list[str] = []
    real = legend.LegendItem
    monkeypatch.setattr(market, "LegendItem", lambda sign, text: listed_there.append(text) or real(sign, text))
    game = games.at(0, "ruhr")
    draw_market(game)
    charters = game.definition.corporations.values()
    assert {charter.name for charter in charters if len(charter.shares) > 1} <= set(listed_there)
    assert not {charter.name for charter in charters if len(charter.shares) == 1} & set(listed_there)
