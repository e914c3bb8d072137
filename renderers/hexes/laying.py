"""Hexes put side by side on a picture. A board that was drawn before is repaired where it changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PIL import Image, ImageDraw

from engine.board.hexes import parse
from engine.definition import Map
from renderers.hexes.geometry import Grid
from renderers.hexes.hex import Look, hexagon
from renderers.hexes.looks import Looks
from renderers.hexes.marks import border
from renderers.hexes.rivers import borders, rivers
from renderers.hexes.shapes import mask
from renderers.kit import cache
from renderers.kit.theme import Theme

#: With more hexes changed than this a board is drawn anew: a patch repaints seven hexes for one.
PATCHES = 8


def near(board: Map, hexes: Collection[str], rings: int) -> list[str]:
    """These hexes and those up to so many steps away, in the map's order."""
    found = {at for at in hexes if at in board.hexes}
    for _ in range(rings):
        beside = {board.layout.neighbour(at, edge) for at in found for edge in range(6)}
        found |= {at for at in beside if at is not None and at in board.hexes}
    return [at for at in board.hexes if at in found]


def block(board: Map, hexes: Collection[str], rings: int) -> list[str]:
    """These hexes with their rings, and whatever lies between them: a picture has no holes."""
    spots = [parse(at) for at in near(board, hexes, rings)]
    rows, columns = [row for row, _ in spots], [column for _, column in spots]
    return [
        at
        for at in board.hexes
        if min(rows) <= parse(at)[0] <= max(rows) and min(columns) <= parse(at)[1] <= max(columns)
    ]


def beside(board: Map, hexes: Collection[str]) -> list[str]:
    """These hexes and the next columns of the map on both sides of them, in the same rows."""
    spots = [parse(at) for at in hexes]
    rows, columns = {row for row, _ in spots}, [column for _, column in spots]
    low, high = min(columns) - 1, max(columns) + 1
    return [at for at in board.hexes if parse(at)[0] in rows and low <= parse(at)[1] <= high]


def board_image(looks: Looks, hexes: Sequence[str], grid: Grid, size: tuple[int, int], theme: Theme) -> Image.Image:
    """A new picture with these hexes on it."""
    board = looks.game.definition.map
    shown = {at: looks.look(at) for at in hexes}
    key = (looks.game.definition.id, tuple(hexes), grid, size, theme.name)
    kept = cache.BOARDS.get(key)
    changed = _changed(kept, shown)
    if kept is None or changed is None:
        image = Image.new("RGB", size, theme.paper)
        lay_hexes(image, board, shown, grid, theme)
    else:
        image = kept[1].copy()
        for at in changed:
            _patch(image, board, shown, at, grid, theme)
    if changed is None or changed:
        cache.BOARDS.put(key, shown, image.copy())
    return image


def _changed(kept: tuple[object, Image.Image] | None, shown: dict[str, Look]) -> list[str] | None:
    """The hexes that differ from the kept board; None if it had better be drawn anew."""
    if kept is None or not isinstance(kept[0], dict):
        return None
    changed = [at for at, look in shown.items() if kept[0].get(at) != look]
    return changed if len(changed) <= PATCHES else None


def _patch(image: Image.Image, board: Map, shown: dict[str, Look], at: str, grid: Grid, theme: Theme) -> None:
    """Repaint the box around one hex, with its neighbours in the same order as on a new board.

    Soft edges blend with what lies below, so that painting the hex alone would leave traces of the old one.
    """
    half_width, half_height = grid.frame.extent
    x, y = grid.centre(at)
    left, top = x - half_width, y - half_height
    patch = Image.new("RGB", (2 * half_width, 2 * half_height), theme.paper)
    moved = Grid(grid.frame, grid.left - left, grid.top - top, grid.first_row, grid.first_column)
    around = {spot: shown[spot] for spot in near(board, [at], 1) if spot in shown}
    lay_hexes(patch, board, around, moved, theme)
    image.paste(patch, (left, top))


def lay_hexes(image: Image.Image, board: Map, shown: dict[str, Look], grid: Grid, theme: Theme) -> None:
    """Put hexes on a picture, and water on the borders that no track may cross."""
    frame = grid.frame
    half_width, half_height = frame.extent
    draw = ImageDraw.Draw(image)
    # A ground in the colour of the lines, so that nothing shines through where two soft edges meet.
    for at in shown:
        x, y = grid.centre(at)
        draw.polygon([(x + cx, y + cy) for cx, cy in frame.corners(0.6)], fill=theme.hex_line)
    for at, look in shown.items():
        x, y = grid.centre(at)
        image.paste(hexagon(look, frame, theme), (x - half_width, y - half_height), mask(frame))
    water = [(at, edge, False) for at, edge in borders(board)]
    for at, edge, ford in [*water, *((at, edge, True) for at, edge in rivers(board).fords)]:
        other = board.layout.neighbour(at, edge)
        if at in shown:
            paste_at(image, border(frame, edge, theme, open=ford), grid.centre(at))
        elif other is not None and other in shown:
            paste_at(image, border(frame, (edge + 3) % 6, theme, open=ford), grid.centre(other))


def paste_at(image: Image.Image, sign: Image.Image, middle: tuple[int, int]) -> None:
    """Put a sign with its middle on a point."""
    image.paste(sign, (middle[0] - sign.width // 2, middle[1] - sign.height // 2), sign)
