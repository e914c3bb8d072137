"""Pictures: time and bytes of each kind in a late game, and what a thousand of them leave behind."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable

from engine.changes import View
from engine.game import Game
from engine.moves import LayTile
from renderers import Picture, draw_charter, draw_finances, draw_map, draw_market, draw_sheet, draw_tiles
from renderers.kit import cache
from renderers.pages.chronicle import Chronicle
from workshop.bench import yardstick
from workshop.gallery import games

Draw = Callable[[], Picture]


Measured = tuple[float, float, int]


def clock(draw: Draw, times: int = 7, before: Callable[[], None] | None = None) -> Measured:
    """The median time on the clock and of the processor, and the bytes."""
    taken, worked = [], []
    picture = None
    for _ in range(times):
        if before is not None:
            before()
        began, busy = time.perf_counter(), time.process_time()
        picture = draw()
        taken.append(time.perf_counter() - began)
        worked.append(time.process_time() - busy)
    assert picture is not None
    return statistics.median(taken), statistics.median(worked), len(picture.png)


def row(what: str, measured: Measured, target: float | None = None) -> None:
    seconds, work, size = measured
    verdict = "" if size <= 150_000 else " TOO LARGE"
    yardstick.row(what, seconds, target, f"{1000 * work:4.0f} ms of work, {size / 1000:.0f} KB{verdict}")


def run() -> None:
    print(f"pictures (Y = {1000 * yardstick.seconds():.1f} ms)")
    late = games.late()
    number = max(n for n, move in enumerate(late.moves) if isinstance(move, LayTile))
    before, after = games.at(number), games.at(number + 1)
    laid = late.moves[number]
    assert isinstance(laid, LayTile)
    since = View.of(games.at(number - 8))

    row("whole map, cold", clock(lambda: draw_map(late), 5, cache.clear), 1.0)
    row("whole map, one tile changed", _one_tile(before, after), 0.4)
    row("whole map, nothing changed", clock(lambda: draw_map(late)))
    row("whole map with routes", clock(lambda: draw_map(late, routes=late.best_routes("RhE").routes)))

    def crop_and_market() -> Picture:
        crop = draw_map(after, around=[laid.hex], since=since)
        market = draw_market(after, since=since, part=True)
        return max(crop, market, key=lambda picture: len(picture.png))

    row("crop + market after a move, cold", clock(crop_and_market, 5, cache.clear))
    row("crop + market after a move", clock(crop_and_market), 0.4)
    position, choice, at = games.chooser()
    row("tile chooser, cold", clock(lambda: draw_tiles(position, choice, at).picture, 5, cache.clear))
    row("tile chooser", clock(lambda: draw_tiles(position, choice, at).picture))
    row("sheet", clock(lambda: draw_sheet(late)))
    row("whole market", clock(lambda: draw_market(late, since=since)))
    row("charter", clock(lambda: draw_charter(late, "RhE")))
    course = Chronicle.of(late)
    row("finances", clock(lambda: draw_finances(late, course)))
    _thousand()


def _one_tile(before: Game, after: Game) -> Measured:
    """The map after a lay, when the map before it has been drawn."""
    found = []
    for _ in range(5):
        cache.clear()
        draw_map(before)
        found.append(clock(lambda: draw_map(after), 1))
    return sorted(found)[len(found) // 2]


def _thousand() -> None:
    """A thousand different pictures; memory is read when the stores are warm and at the end."""
    late = games.late()
    hexes = list(late.definition.map.hexes)
    positions = [games.at(moves) for moves in range(100, len(late.moves), 60)]

    def draw(number: int) -> None:
        game = positions[number % len(positions)]
        match number % 4:
            case 0:
                draw_map(game, around=[hexes[number % len(hexes)]])
            case 1:
                draw_market(game)
            case 2:
                draw_charter(game, list(game.state.companies)[number % len(game.state.companies)])
            case _:
                draw_sheet(game)

    for number in range(200):
        draw(number)
    gc.collect()
    warm, warm_kept = resident(), stored()
    for number in range(200, 1200):
        draw(number)
    gc.collect()
    print(f"  memory after 200 pictures {warm:.0f} MB, of which {warm_kept:.0f} MB are stored drawings;")
    print(f"  after 1000 more {resident():.0f} MB, of which {stored():.0f} MB are stored drawings")


def stored() -> float:
    return sum(store.bytes for store in (cache.SHAPES, cache.HEXES, cache.PIECES, cache.BOARDS)) / 1e6


def resident() -> float:
    """Memory of this process in MB, as far as the system tells."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        return float("nan")
