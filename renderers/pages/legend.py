"""What stands below a map: the meaning of signs, and the list of routes."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.board.faces import FIRST_STOP
from engine.changes import Changes
from engine.game import Game
from engine.routes.model import Route
from engine.state import BLANK, MARKER
from renderers.hexes import paths
from renderers.hexes.icons import SIGNS, TERRAIN, Shape, chip, kept_space, terrain
from renderers.hexes.rivers import rivers
from renderers.kit.fonts import font
from renderers.kit.livery import NOBODY, Livery
from renderers.kit.panel import LegendItem
from renderers.kit.theme import Theme
from renderers.kit.tokens import token
from renderers.kit.words import Words


def of_map(
    game: Game, hexes: Sequence[str], theme: Theme, words: Words, size: int, found: Changes | None, marked: bool
) -> list[LegendItem]:
    """The signs that occur on these hexes."""
    board = game.definition.map
    radius = round(size * 0.75)
    faces = [game.board.faces[at] for at in hexes]
    items = []
    if found is not None and set(found.hexes) & set(hexes):
        items.append(LegendItem(_frame(size, theme.new, theme), words("legend_new", n=found.since)))
    if marked:
        items.append(LegendItem(_frame(size, theme.pick, theme), words("legend_marked")))
    marks = game.rules.marks(game)
    markers = {sign for at in hexes for sign in marks.get(at, ()) if sign not in game.state.companies}
    for sign in sorted(markers):
        items.append(
            LegendItem(
                chip(sign, radius, theme, marker=True),
                words("legend_marker", what=words.own(game.definition, "thing", sign)),
            )
        )
    signs = {sign for at in hexes for sign in (*board.hexes[at].icons, *game.board.faces[at].icons)}
    signs |= {sign for at in hexes for _, sign in board.hexes[at].stop_icons}
    for sign in SIGNS:
        if sign in signs:
            items.append(LegendItem(chip(sign, radius, theme), words.own(game.definition, "thing", sign)))
    costly = {board.hexes[at].terrain for at in hexes if game.board.faces[at].cost}
    kinds: dict[Shape, list[str]] = {}
    for kind, sign_shape in TERRAIN.items():
        if kind in costly:
            kinds.setdefault(sign_shape, []).append(kind)
    for names in kinds.values():
        drawing = terrain(names[0], radius)
        if drawing is not None:
            items.append(LegendItem(drawing, words("legend_cost", what=", ".join(map(words, names)))))
    if any(board.hexes[at].impassable for at in hexes):
        items.append(LegendItem(_river(size, theme), words("legend_border")))
    if any({at, board.layout.neighbour(at, edge)} <= {*hexes} for at, edge in rivers(board).fords):
        items.append(LegendItem(_river(size, theme, open=True), words("legend_ford")))
    if any(one >= FIRST_STOP or (one, other) in face.ferry for face in faces for one, other in face.ferry):
        items.append(LegendItem(_square(size, theme), words("legend_ferry")))
    waiting = [
        code
        for at in hexes
        for spaces in game.state.board.stations.get(at, ())
        for code in spaces
        if code in game.state.companies and not game.company(code).active
    ]
    if waiting:
        grey = Livery((120, 120, 120), (0, 0, 0))
        items.append(
            LegendItem(token(waiting[0], grey, round(size * 0.95), theme, reserved=True), words("legend_home"))
        )
    bare = [board.hexes[at].tiles_from for at in hexes if game.board.cover(at) is None]
    for colour in dict.fromkeys(filter(None, bare)):
        items.append(LegendItem(_frame(size, theme.hexes[colour], theme), words("legend_since", colour=words(colour))))
    items += _spaces(game, hexes, theme, words, size)
    if any(len(stop.revenue) > 1 for face in faces for stop in face.stops):
        items.append(LegendItem(_valid(size, theme), words("legend_valid")))
    return items


def _spaces(game: Game, hexes: Sequence[str], theme: Theme, words: Words, size: int) -> list[LegendItem]:
    """Spaces that are kept for a kind of token, and tokens that are no company's."""
    items = []
    radius = round(size * 0.95)
    kinds = {kind for at in hexes for stop in game.board.faces[at].stops for kind in stop.reserved}
    for kind in game.definition.token_kinds:
        if kind in kinds and kind in SIGNS:
            name = words.own(game.definition, "thing", kind)
            items.append(LegendItem(kept_space(kind, radius, theme), words("legend_kept", what=name)))
    tokens = {code for at in hexes for spaces in game.state.board.stations.get(at, ()) for code in spaces}
    for code, key in ((BLANK, "legend_blank"), (MARKER, "legend_station")):
        if code in tokens:
            items.append(
                LegendItem(
                    token("×", NOBODY, radius, theme, reserved=code == BLANK), words.own(game.definition, "thing", key)
                )
            )
    return items


def of_routes(game: Game, routes: Sequence[Route], theme: Theme, words: Words, size: int) -> list[LegendItem]:
    """Each route with its number, line, train, stops and value; one to a line."""
    items = []
    hexes = game.definition.map.hexes
    for number, route in enumerate(routes):
        radius = round(size * 0.75)
        sign = Image.new("RGBA", (round(size * 5.2), 2 * radius), (*theme.paper, 0))
        disc = paths.badge(str(number + 1), paths.style(number).colour, radius, theme)
        line = paths.sample(number, round(size * 3.2), round(size * 0.9), theme)
        sign.paste(disc, (0, 0))
        sign.paste(line, (2 * radius + round(size * 0.3), radius - line.height // 2))
        parts = []
        for part in route.parts:
            at = part.what.partition(":")[0]
            name = _short(hexes[at].name) or at if at in hexes else words.own(game.definition, "thing", part.what)
            parts.append(f"{name} {part.amount}")
        items.append(LegendItem(sign, f"{route.train}: {' + '.join(parts)} = {route.value}"))
    return items


def _short(name: str) -> str:
    return name.partition(" (")[0].partition(" / ")[0]


def _frame(size: int, colour: tuple[int, int, int], theme: Theme) -> Image.Image:
    image = Image.new("RGB", (size, size), theme.paper)
    ImageDraw.Draw(image).rectangle((0, 0, size - 1, size - 1), outline=colour, width=max(size // 5, 3))
    return image


def _river(size: int, theme: Theme, *, open: bool = False) -> Image.Image:
    image = Image.new("RGB", (size, size), theme.paper)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, size * 0.35, size, size * 0.65), fill=theme.river)
    if open:
        draw.rectangle((size * 0.32, 0, size * 0.68, size), fill=theme.paper)
    return image


def _square(size: int, theme: Theme) -> Image.Image:
    image = Image.new("RGB", (size, size), theme.paper)
    box = (size * 0.15, size * 0.15, size * 0.85, size * 0.85)
    ImageDraw.Draw(image).rectangle(box, fill=theme.casing, outline=theme.ink, width=2)
    return image


def _valid(size: int, theme: Theme) -> Image.Image:
    image = Image.new("RGB", (round(size * 1.7), round(size * 1.2)), theme.hexes["yellow"])
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, image.width - 1, image.height - 1), outline=theme.rim, width=3)
    draw.text(
        (image.width / 2, image.height / 2), "40", font=font(round(size * 0.8), True), fill=theme.rim, anchor="mm"
    )
    return image
