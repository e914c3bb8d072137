"""The map: whole or a part of it, with what changed, routes, and hexes to choose from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from engine.board.faces import stop_letter
from engine.board.hexes import parse
from engine.changes import Changes, View, changes
from engine.game import Game
from engine.routes.model import Route
from renderers.hexes import paths
from renderers.hexes.geometry import Grid
from renderers.hexes.laying import beside, block, board_image, paste_at
from renderers.hexes.looks import Looks
from renderers.hexes.marks import outline, ring
from renderers.hexes.placing import SLOT
from renderers.hexes.shapes import slot_points
from renderers.kit import alt
from renderers.kit.fonts import font
from renderers.kit.panel import Legend, header
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.words import Words
from renderers.pages import legend

#: The longer side of a whole map, and the width of a part for a phone (390 points at double density).
WHOLE, PART = 1600, 780
#: The largest hex of a part, so that one hex with few neighbours is not blown up.
LARGEST = 70
#: A picture that is higher than this share of its width stands in bars on a desktop.
BROAD = 0.92


def draw_map(
    game: Game,
    *,
    theme: Theme = LIGHT,
    language: str = "en",
    since: View | None = None,
    around: Collection[str] = (),
    rings: int = 1,
    routes: Sequence[Route] = (),
    marked: Collection[str] = (),
    coordinates: bool | None = None,
    side: int = WHOLE,
    with_legend: bool = True,
    stops: Collection[tuple[str, int]] = (),
    tallest: float = 0.0,
    with_values: bool = True,
) -> Picture:
    """The map, or the part `around` some hexes with `rings` of neighbours.

    `since` is what was seen of the game at an earlier move: what is new is marked. `routes` are drawn over the track,
    their values stand below it `with_values`; `marked` hexes get a frame, `stops` their letters. Coordinates stand in
    every hex of a part, and of the whole map if asked for. A part that is higher than `tallest` times its width shows
    more of the map at its sides, if there is any.
    """
    drawing = _Map(
        game,
        theme,
        Words(language),
        since,
        around,
        rings,
        routes,
        marked,
        coordinates,
        side,
        with_legend,
        stops,
        with_values,
    )
    if tallest:
        drawing.broaden(side, tallest)
    return Picture.of(drawing.draw(), alt.in_all_languages(drawing.sentences))


@dataclass(frozen=True)
class _Plan:
    """Where everything on the picture goes, in pixels."""

    grid: Grid
    inner: tuple[int, int]
    size: tuple[int, int]
    rim: int
    head: int
    foot: int
    below: list[Legend]


class _Map:
    """One picture of a map in the making."""

    def __init__(
        self,
        game: Game,
        theme: Theme,
        words: Words,
        since: View | None,
        around: Collection[str],
        rings: int,
        routes: Sequence[Route],
        marked: Collection[str],
        coordinates: bool | None,
        side: int,
        with_legend: bool,
        stops: Collection[tuple[str, int]],
        with_values: bool,
    ) -> None:
        self.game, self.theme, self.words = game, theme, words
        self.around = [at for at in around if at in game.definition.map.hexes]
        self.whole = not self.around
        self.hexes = list(game.definition.map.hexes) if self.whole else block(game.definition.map, self.around, rings)
        self.routes = list(routes)
        self.marked = [at for at in self.hexes if at in set(marked)]
        self.stops = list(stops)
        self.changes: Changes | None = changes(since, game) if since is not None else None
        self.looks = Looks(game, coordinates=not self.whole if coordinates is None else coordinates, routes=self.routes)
        self.margin = 12
        self.with_legend = with_legend
        self.with_values = with_values
        half = self._largest(side)
        plan = self._plan(half)
        if self.whole and max(plan.size) != side:
            # Header and legend grow with the map: the map gives way to them, but not below the wanted side.
            if max(plan.size) > side * 1.03:
                half = -(-half * side // max(plan.size))
                plan = self._plan(half)
            while max(plan.size) < side:
                half += 1
                plan = self._plan(half)
        self.plan = plan

    def broaden(self, side: int, tallest: float) -> None:
        """Take in hexes to the left and to the right, as long as the part is too tall."""
        while not self.whole and self.plan.size[1] > tallest * self.plan.size[0]:
            wider = beside(self.game.definition.map, self.hexes)
            if len(wider) == len(self.hexes):
                return
            self.hexes = wider
            self.plan = self._plan(self._largest(side))

    def _largest(self, side: int) -> int:
        """Half the corner radius of the largest hexes that the picture's width allows."""
        layout = self.game.definition.map.layout
        width, height = Grid.over(layout, self.hexes, 100, 0, 0).size(self.hexes)
        if not self.whole:
            return min((PART - 2 * self.margin) * 100 // width, LARGEST)
        # Coordinates around the edge take three quarters of half a corner radius on each side; on a tall map
        # header and legend take about an eighth of the height.
        around = 150 + (height // 8 if height > width and self.with_legend else 0)
        return max(-(-(side - 2 * self.margin) * 100 // (max(width, height) + around)), 8)

    def _plan(self, half: int) -> _Plan:
        """Sizes and places of all parts of the picture."""
        layout = self.game.definition.map.layout
        rim = round(half * 0.75) if self.whole else 0
        inner = Grid.over(layout, self.hexes, half, 0, 0).size(self.hexes)
        width = max(inner[0] + 2 * (self.margin + rim), 0 if self.whole else PART)
        text = min(round(width / 46), 27) if self.whole else 22
        head = round(text * 2.2)
        below = self._below(width - 2 * self.margin, text)
        left, top = (width - inner[0]) // 2, head + self.margin + rim
        foot = top + inner[1] + rim + self.margin
        height = foot + sum(part.height + 8 for part in below)
        return _Plan(Grid.over(layout, self.hexes, half, left, top), inner, (width, height), rim, head, foot, below)

    def draw(self) -> Image.Image:
        plan, theme = self.plan, self.theme
        image = board_image(self.looks, self.hexes, plan.grid, plan.size, theme)
        header(image, theme, self.game.definition.name, self.words.when(self.game), plan.head, self.margin)
        if self.whole:
            self._coordinates(image, plan)
        self._overlays(image, plan.grid)
        y = plan.foot
        for part in plan.below:
            part.draw(image, theme, self.margin, y)
            y += part.height + 8
        return image

    def _below(self, room: int, text: int) -> list[Legend]:
        result = []
        if self.routes and self.with_values:
            small = round(text * 0.85) if self.whole else text - 2
            items = legend.of_routes(self.game, self.routes, self.theme, self.words, small)
            result.append(Legend(items, room, small))
        if self.with_legend:
            items = legend.of_map(self.game, self.hexes, self.theme, self.words, text, self.changes, bool(self.marked))
            if items:
                result.append(Legend(items, room, round(text * 0.82) if self.whole else text - 3))
        return result

    def _coordinates(self, image: Image.Image, plan: _Plan) -> None:
        """Letters of the rows at the sides, numbers of the columns above and below."""
        draw = ImageDraw.Draw(image)
        grid = plan.grid
        spots = [parse(at) for at in self.hexes]
        size = round(grid.frame.half * 0.5)
        out = plan.rim * 0.55
        left, top = grid.left, grid.top
        right, bottom = left + plan.inner[0], top + plan.inner[1]
        for row in {row for row, _ in spots}:
            y = grid.place(row, grid.first_column)[1]
            for x in (left - out, right + out):
                draw.text((x, y), chr(ord("A") + row), font=font(size, True), fill=self.theme.faint, anchor="mm")
        for column in {column for _, column in spots}:
            x = grid.place(grid.first_row, column)[0]
            for edge in (top - out, bottom + out):
                draw.text((x, edge), str(column), font=font(size, True), fill=self.theme.faint, anchor="mm")

    def _overlays(self, image: Image.Image, grid: Grid) -> None:
        frame = grid.frame
        shown = set(self.hexes)
        for at in self.marked:
            paste_at(image, outline(frame, self.theme.pick, self.theme), grid.centre(at))
        if self.changes is not None:
            for at, _ in self.changes.tiles:
                if at in shown:
                    paste_at(image, outline(frame, self.theme.new, self.theme, dots=True), grid.centre(at))
            for at, stop, space, _ in self.changes.stations:
                if at in shown:
                    self._ring(image, grid, at, stop, space)
        for at, stop in self.stops:
            if at in shown:
                self._letter(image, grid, at, stop)
        radius = round(frame.radius * 0.17)
        for number, (px, py) in paths.flags(self.game.definition.map.layout, self.routes, grid):
            disc = paths.badge(str(number + 1), paths.style(number).colour, radius, self.theme)
            image.paste(disc, (round(px) - radius, round(py) - radius), disc)

    def _ring(self, image: Image.Image, grid: Grid, at: str, stop: int, space: int) -> None:
        cover = self.game.board.cover(at)
        look = self.looks.look(at)
        points = slot_points(look.face, 0 if cover is None else cover[1], grid.frame)[stop]
        if space < len(points):
            x, y = grid.centre(at)
            dx, dy = points[space]
            paste_at(image, ring(round(grid.frame.radius * SLOT), self.theme), (round(x + dx), round(y + dy)))

    def _letter(self, image: Image.Image, grid: Grid, at: str, stop: int) -> None:
        """The letter of a stop, on its first free space."""
        cover = self.game.board.cover(at)
        points = slot_points(self.looks.look(at).face, 0 if cover is None else cover[1], grid.frame)[stop]
        taken = self.game.board.spaces(at, stop)
        free = [spot for number, spot in enumerate(points) if number >= len(taken) or not taken[number]]
        if points:
            x, y = grid.centre(at)
            dx, dy = (free or points)[0]
            disc = paths.badge(stop_letter(stop), self.theme.pick, round(grid.frame.radius * SLOT), self.theme)
            paste_at(image, disc, (round(x + dx), round(y + dy)))

    # ------------------------------------------------------------------ alt text

    def sentences(self, words: Words) -> list[str]:
        game = self.game
        hexes = game.definition.map.hexes
        when = words.when(game)
        if self.whole:
            result = [words("alt_map", title=game.definition.name, when=when)]
        else:
            names = [f"{at} {hexes[at].name}".strip() for at in self.around]
            result = [words("alt_crop", places=alt.listed(names), when=when)]
        if self.routes:
            items = [f"{route.train}: {route.path[0]}–{route.path[-1]} {route.value}" for route in self.routes]
            total = sum(route.value for route in self.routes)
            result.append(words("alt_routes", list=alt.listed(items), total=total))
        if self.changes is not None:
            found = self.changes
            if not found.tiles and not found.stations:
                result.append(words("alt_same", n=found.since))
            else:
                result.append(words("alt_since", n=found.since))
            if found.stations:
                items = [f"{code} {at}" for at, _, _, code in found.stations]
                result.append(words("alt_stations", list=alt.listed(items)))
            if found.tiles:
                result.append(words("alt_tiles", list=alt.listed([f"{at} ({tile})" for at, tile in found.tiles])))
        if self.marked:
            result.append(words("alt_marked", list=alt.listed(self.marked)))
        if len(result) == 1:
            stations = [
                f"{code} {'/'.join(dict.fromkeys(at for at, _ in game.board.stations_of(code)))}"
                for code in game.state.companies
                if game.board.stations_of(code)
            ]
            result.append(words("alt_board", tiles=len(game.state.board.tiles), stations=alt.listed(stations)))
        return result
