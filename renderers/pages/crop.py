"""A part of the map for a phone: large hexes, whole names, and a number on each hex that can be chosen."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from engine.board.faces import OFFBOARD, stop_letter
from engine.board.hexes import parse
from engine.changes import Changes, View, changes
from engine.game import Game
from engine.routes.model import Route
from renderers.hexes import paths
from renderers.hexes.geometry import Grid, all_turned
from renderers.hexes.hex import Look, Station, Value
from renderers.hexes.icons import SIGNS, chip, terrain
from renderers.hexes.laying import lay_hexes, paste_at
from renderers.hexes.looks import Looks
from renderers.hexes.marks import outline, ring
from renderers.hexes.names import name_lines
from renderers.hexes.placing import SLOT, is_city, lines
from renderers.hexes.regions import SMALLEST, extent
from renderers.hexes.room import Room, Spot
from renderers.hexes.shapes import CASING, RIM, slot_points
from renderers.kit import alt
from renderers.kit.fonts import font, width
from renderers.kit.livery import NOBODY
from renderers.kit.phone import LEAST, WIDTH
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Colour, Theme, ink_on, mixed
from renderers.kit.tokens import token
from renderers.kit.words import Words

#: Half the corner radius of the largest hex.
LARGEST = 64
#: The disc with the number of a choice.
MARK = 27
#: Lettering of a chosen hex and of a number, and the sizes that are tried for names.
NAMES = (30, 28, LEAST)
#: A label of a hex that is no choice is left out if it would cost more than this.
_DEAR = 26.0


def shows(game: Game, hexes: Collection[str]) -> bool:
    """Whether one picture can show these hexes with lettering that can be read."""
    wide, high = extent(game.definition.map.layout, list(hexes))
    return wide * 2 * SMALLEST <= WIDTH and high * 2 * SMALLEST <= 1.3 * WIDTH


def draw_crop(
    game: Game,
    hexes: Sequence[str],
    *,
    numbers: Mapping[str, int] | None = None,
    stops: Collection[tuple[str, int]] = (),
    since: View | None = None,
    routes: Sequence[Route] = (),
    tallest: float = 1.0,
    theme: Theme = LIGHT,
    language: str = "en",
) -> Picture:
    """The part around these hexes. Those with `numbers` are the choice; `stops` get their letters.

    What is new `since` an earlier look is framed below the lettering, which is put beside the frames. With `routes`
    only they are lettered: the numbers of trains, and what their stops bring. What is too wide for large hexes is drawn
    with small ones; their lettering is as large, but only what has room is written.
    """
    crop = Crop(game, hexes, numbers or {}, stops, since, tallest, theme, routes)
    image = crop.draw()
    return Picture.of(image, alt.in_all_languages(crop.sentences))


class Crop:
    """One part of a map in the making; everything written on it is kept in `room` and `written`."""

    def __init__(
        self,
        game: Game,
        hexes: Sequence[str],
        numbers: Mapping[str, int],
        stops: Collection[tuple[str, int]],
        since: View | None,
        tallest: float,
        theme: Theme,
        routes: Sequence[Route] = (),
    ) -> None:
        self.game, self.theme, self.numbers, self.stops, self.routes = game, theme, numbers, stops, routes
        self.board = game.definition.map
        self.around = [at for at in hexes if at in self.board.hexes]
        self.changes: Changes | None = changes(since, game) if since is not None else None
        self.looks = Looks(game, routes=routes)
        wide, high = extent(self.board.layout, self.around)
        within = int(WIDTH * tallest / high / 2)
        half = min(LARGEST, int(WIDTH / wide / 2), within if routes else max(within, SMALLEST))
        if half < SMALLEST:
            half = max(min(half, within), 8)
        full = Grid.over(self.board.layout, self.board.hexes, half, 0, 0).size(self.board.hexes)
        self._lay(half, WIDTH, min(max(math.ceil(high * 2 * half), round(WIDTH * 0.5)), full[1] + 8))

    def _lay(self, half: int, wide: int, tall: int) -> None:
        """Lay the hexes out for a picture of a size."""
        whole = Grid.over(self.board.layout, self.board.hexes, half, 0, 0)
        full = whole.size(self.board.hexes)
        middles = [whole.centre(at) for at in self.around]
        x0 = self._start([x for x, _ in middles], wide, full[0])
        y0 = self._start([y for _, y in middles], tall, full[1])
        self.size = (wide, tall)
        self.grid = Grid.over(self.board.layout, self.board.hexes, half, -x0, -y0)
        reach_x, reach_y = self.grid.frame.extent
        self.hexes = [
            at
            for at in self.board.hexes
            if -reach_x < self.grid.centre(at)[0] < wide + reach_x
            and -reach_y < self.grid.centre(at)[1] < tall + reach_y
        ]
        self.shown = {at: self.looks.look(at) for at in self.hexes}
        self.room = Room(*self.size)
        self.radius = self.grid.frame.radius
        #: Whether hexes are too small for everything that could be written on them.
        self.coarse = half < SMALLEST
        #: What was written, with its size: a test reads it.
        self.written: list[tuple[str, int]] = []

    @staticmethod
    def _start(middles: Sequence[int], side: int, full: int) -> int:
        """Where the part begins: its hexes in its middle, and no paper seen if the map is large enough."""
        start = (min(middles) + max(middles) - side) // 2
        return min(max(start, 0), full - side) if full >= side else (full - side) // 2

    # ------------------------------------------------------------------ drawing

    def draw(self) -> Image.Image:
        theme, grid = self.theme, self.grid
        self.image = Image.new("RGB", self.size, theme.paper)
        lay_hexes(
            self.image, self.board, {at: replace(look, mute=True) for at, look in self.shown.items()}, grid, theme
        )
        if self.routes:
            self._veil()
        self.pen = ImageDraw.Draw(self.image)
        for at in self.hexes:
            self._taken(at)
        for at in self.numbers:
            paste_at(self.image, outline(grid.frame, theme.pick, theme), grid.centre(at))
        if self.changes is not None:
            for at, _ in self.changes.tiles:
                if at in self.shown:
                    paste_at(self.image, outline(grid.frame, theme.new, theme, dots=True), grid.centre(at))
            for at, stop, space, _ in self.changes.stations:
                points = self._slots(at) if at in self.shown else []
                if stop < len(points) and space < len(points[stop]):
                    radius = round(self.radius * SLOT)
                    x, y = points[stop][space]
                    paste_at(self.image, ring(radius, theme), (round(x), round(y)))
                    self.room.block((x, y), radius * 1.3)
        inner = [at for at in self.hexes if self._inside(at)]
        first = sorted(inner, key=lambda at: (at not in self.numbers and at not in self.around, parse(at)))
        for at in first:
            if not self.coarse:
                self._tokens(at)
            else:
                self._discs(at)
        if self.routes:
            self._flags()
            self._stops()
            for at in dict.fromkeys(word.partition(":")[0] for route in self.routes for word in route.path):
                if at in self.shown and self.shown[at].values:
                    self._name(at, needed=False)
            return self.image
        for at in first:
            if at in self.numbers:
                self._mark(at)
        for at in first:
            if not self.coarse or at in self.around:
                self._values(at)
            if at in self.numbers or at in self.around:
                self._name(at, needed=not self.coarse)
        for at in first:
            if not self.coarse:
                self._signs(at)
        for at in first:
            if at not in self.numbers and at not in self.around:
                self._name(at, needed=False)
        return self.image

    def _veil(self) -> None:
        """What no route runs over is pale."""
        pale = Image.blend(self.image, Image.new("RGB", self.size, self.theme.paper), 0.5)
        keep = Image.new("L", self.size, 0)
        pen = ImageDraw.Draw(keep)
        for at in {word.partition(":")[0] for route in self.routes for word in route.path} & set(self.hexes):
            x, y = self.grid.centre(at)
            pen.polygon([(x + cx, y + cy) for cx, cy in self.grid.frame.corners()], fill=255)
        pale.paste(self.image, (0, 0), keep)
        self.image = pale

    def _flags(self) -> None:
        """The number of each route, on the first and the last border that it crosses."""
        radius = 22
        for number, spot in paths.flags(self.board.layout, self.routes, self.grid):
            around = [spot, *_about(spot, (16, 30, 44))]
            found, _ = self.room.find(2 * radius, 2 * radius, around, slope=1.0, soft=0.1)
            x, y = found or spot
            disc = paths.badge(str(number + 1), paths.style(number).colour, radius, self.theme, LEAST)
            paste_at(self.image, disc, (round(x), round(y)))
            self.written.append((str(number + 1), LEAST))
            self.room.take(self.room.box((x, y), 2 * radius, 2 * radius))

    def _stops(self) -> None:
        """What each stop of the routes brings; the same sum of several routes is written once."""
        written = set()
        for number, route in enumerate(self.routes):
            for part in route.parts:
                at, _, letter = part.what.partition(":")
                index = ord(letter) - ord("a") if letter else 0
                if (part.what, part.amount) in written or at not in self.shown or not part.amount:
                    continue
                row = self._slots(at)[index] if index < len(self._slots(at)) else []
                if row:
                    written.add((part.what, part.amount))
                    self._earned(row, str(part.amount), paths.style(number).colour)

    def _earned(self, row: Sequence[Spot], text: str, colour: Colour) -> None:
        base = (sum(x for x, _ in row) / len(row), sum(y for _, y in row) / len(row))
        r = max(self.radius, 60)
        around = _about(base, (0.4 * r, 0.5 * r, 0.62 * r, 0.8 * r, r, 1.25 * r))
        spot, cost = self.room.find(*self._pill_size(text), around, slope=0.3, soft=0.4)
        if spot is not None and cost < 4 * _DEAR:
            self._pill(spot, text, self.theme.slot, self.theme.rim, colour)

    def _discs(self, at: str) -> None:
        """Stations on hexes that are too small for their codes: in the colours of their companies."""
        look = self.shown[at]
        radius = max(round(self.radius * (SLOT - 0.012)), 4)
        for tokens, row in zip(look.stations, self._slots(at), strict=False):
            for station, (x, y) in zip(tokens, row, strict=False):
                if station is not None:
                    disc = token("", station.livery, radius, self.theme, reserved=station.reserved)
                    paste_at(self.image, disc, (round(x), round(y)))

    def _inside(self, at: str) -> bool:
        x, y = self.grid.centre(at)
        rim = self.radius * 0.35
        return rim <= x <= self.size[0] - rim and rim <= y <= self.size[1] - rim

    def _turns(self, at: str) -> int:
        return self.shown[at].turns

    def _slots(self, at: str) -> list[list[Spot]]:
        cx, cy = self.grid.centre(at)
        points = slot_points(self.shown[at].face, self._turns(at), self.grid.frame)
        return [[(cx + x, cy + y) for x, y in row] for row in points]

    def _taken(self, at: str) -> None:
        """Stops and track, which lettering goes around."""
        look, (cx, cy) = self.shown[at], self.grid.centre(at)
        turn = 30 if self.grid.frame.pointy else 0
        for _, line in lines(look.face, turn):
            for x, y in all_turned(line[::3], turn + 60 * look.turns):
                self.room.block((cx + x * self.radius, cy + y * self.radius), CASING / 2 * self.radius, soft=True)
        for index, row in enumerate(self._slots(at)):
            if look.face.stops[index].kind == OFFBOARD and not is_city(look.face, index):
                continue
            radius = (SLOT + RIM if is_city(look.face, index) else 0.15) * self.radius
            for spot in row:
                self.room.block(spot, radius * 0.9)

    # ------------------------------------------------------------------ pieces

    def _write(self, spot: Spot, text: str, size: int, ink: Colour, halo: Colour | None = None) -> None:
        self.written.append((text, size))
        letters = font(size, True)
        if halo is not None:
            self.pen.text(spot, text, font=letters, fill=halo, anchor="mm", stroke_width=4, stroke_fill=halo)
        self.pen.text(spot, text, font=letters, fill=ink, anchor="mm")

    def _pill(self, spot: Spot, text: str, fill: Colour, ink: Colour, edge: Colour, least: int = 0) -> None:
        """A text on a disc that grows sideways until there is room for all of it."""
        wide, high = self._pill_size(text, least)
        box = self.room.box(spot, wide, high)
        self.pen.rounded_rectangle(box, radius=high // 2, fill=fill, outline=edge, width=3)
        self._write(spot, text, LEAST, ink)
        self.room.take(box)

    def _pill_size(self, text: str, least: int = 0) -> tuple[int, int]:
        return max(width(text, LEAST, True) + 18, least, 36), max(least, 36)

    def _tokens(self, at: str) -> None:
        """Stations on their spaces, pushed apart where two would touch, and letters of the spaces to choose from."""
        look = self.shown[at]
        least = 2 * round(self.radius * (SLOT - 0.012))
        taken = Room(*self.size)
        for index, row in enumerate(self._slots(at)):
            tokens = look.stations[index] if index < len(look.stations) else ()
            kinds = look.face.stops[index].reserved
            letters = (at, index) in self.stops
            for space, spot in enumerate(row):
                station = tokens[space] if space < len(tokens) else None
                kind = kinds[space] if kinds else ""
                if station is None and kind and kind not in SIGNS:
                    station = Station(kind.upper(), NOBODY, True)
                if station is None:
                    if letters:
                        letters = False
                        disc = paths.badge(stop_letter(index), self.theme.pick, least // 2, self.theme)
                        self.written.append((stop_letter(index), LEAST))
                        paste_at(self.image, disc, (round(spot[0]), round(spot[1])))
                        taken.take(taken.box(spot, least, least))
                    continue
                self._token(station, spot, least, taken)
        for station in look.beside:
            cx, cy = self.grid.centre(at)
            self._token(station, (cx, cy + self.radius * 0.5), least, taken)

    def _token(self, station: Station, spot: Spot, least: int, taken: Room) -> None:
        wide, high = self._pill_size(station.code, least)
        found, _ = taken.find(wide, high, [spot, *_about(spot, (14, 26, 38, 52))], slope=1.0)
        spot = found or spot
        fill, ink, edge = station.livery.fill, station.livery.ink, self.theme.rim
        if station.reserved:
            fill = mixed(self.theme.slot, fill, 0.16)
            ink, edge = mixed(self.theme.slot, (0, 0, 0), 0.62), mixed(self.theme.slot, station.livery.fill, 0.6)
        self._pill(spot, station.code, fill, ink, edge, least)
        taken.take(self.room.boxes[-1])

    def _mark(self, at: str) -> None:
        """The number of a choice, in the freest corner of its hex."""
        cx, cy = self.grid.centre(at)
        r = self.radius
        ring_ = [(cx + x, cy + y) for x, y in ((0.0, -0.55 * r), *_around(0.56 * r), *_around(0.42 * r), (0.0, 0.0))]
        spot, _ = self.room.find(2 * MARK, 2 * MARK, ring_, slope=0.2)
        x, y = spot or (cx, cy)
        self.pen.ellipse((x - MARK - 3, y - MARK - 3, x + MARK + 3, y + MARK + 3), fill=self.theme.casing)
        self.pen.ellipse((x - MARK, y - MARK, x + MARK, y + MARK), fill=self.theme.pick)
        self._write((x, y), str(self.numbers[at]), 30, ink_on(self.theme.pick))
        self.room.take(self.room.box((x, y), 2 * MARK + 4, 2 * MARK + 4))

    def _values(self, at: str) -> None:
        look, seen = self.shown[at], set()
        same = len({value.figures for value in look.values}) == 1
        for index, value in enumerate(look.values):
            offboard = look.face.stops[index].kind == OFFBOARD
            if not offboard and not any(amount for _, amount in value.figures):
                continue
            if same and value.figures in seen:
                continue
            seen.add(value.figures)
            self._value(at, look, index, value)

    def _value(self, at: str, look: Look, index: int, value: Value) -> None:
        """The value that counts now and, if there are several, the last one, pale."""
        figures = [value.figures[min(value.valid, len(value.figures) - 1)]]
        if value.figures[-1] != figures[0]:
            figures.append(value.figures[-1])
        wide = sum(max(width(str(amount), LEAST, True) + 16, 36) for _, amount in figures)
        row = self._slots(at)[index]
        cx, cy = self.grid.centre(at)
        base = (sum(x for x, _ in row) / len(row), sum(y for _, y in row) / len(row)) if row else (cx, cy)
        r = self.radius
        spot, cost = self.room.find(
            wide, 36, [*_about(base, (0.4 * r, 0.5 * r, 0.62 * r)), *_about((cx, cy), (0.3 * r, 0.55 * r, 0.7 * r))]
        )
        if spot is None or (cost > 3 * _DEAR and at not in self.numbers and at not in self.around):
            return
        x = spot[0] - wide / 2
        for number, (colour, amount) in enumerate(figures):
            step = max(width(str(amount), LEAST, True) + 16, 36)
            known = colour in self.theme.hexes and colour != "plain" and len(value.figures) > 1
            fill = self.theme.hexes[colour] if known else self.theme.slot
            edge = self.theme.rim if not number else mixed(self.theme.rim, fill, 0.5)
            box = (round(x), round(spot[1] - 18), round(x + step), round(spot[1] + 18))
            self.pen.rounded_rectangle(box, radius=18 if len(figures) == 1 else 5, fill=fill, outline=edge, width=3)
            self._write((x + step / 2, spot[1]), str(amount), LEAST, ink_on(fill))
            x += step
        self.room.take(self.room.box(spot, wide, 36))

    def _signs(self, at: str) -> None:
        """Markers, labels, signs and what building costs; beside the choice only where there is room."""
        look, (cx, cy) = self.shown[at], self.grid.centre(at)
        r = self.radius
        spots = [(cx + x, cy + y) for d in (0.6, 0.45, 0.7, 0.3) for x, y in _around(d * r)]
        dear = 3 * _DEAR if at in self.numbers or at in self.around else _DEAR
        label = "/".join(look.labels)
        texts = [(text, True) for text in look.markers if text not in SIGNS]
        texts += [(text, False) for text in look.signs if text not in SIGNS]
        for text, marker in texts:
            spot, cost = self.room.find(*self._pill_size(text), spots)
            if spot is not None and cost < dear:
                edge = (176, 22, 40) if marker else self.theme.rim
                self._pill(spot, text, self.theme.slot, self.theme.rim, edge)
        if label and label != look.name:
            wide = width(label, NAMES[1], True)
            spot, cost = self.room.find(wide, 30, spots)
            if spot is not None and cost < dear:
                self._write(spot, label, NAMES[1], self.theme.hex_ink, self.theme.hexes[look.face.colour])
                self.room.take(self.room.box(spot, wide, 30))
        if look.cost:
            self._cost(look, spots, dear)
        drawn = [(sign, True) for sign in look.markers if sign in SIGNS]
        drawn += [(sign, False) for sign in (*look.signs, *(sign for _, sign in look.stop_signs)) if sign in SIGNS]
        for sign, marker in drawn:
            spot, cost = self.room.find(38, 38, spots)
            if spot is not None and cost < dear:
                paste_at(self.image, chip(sign, 18, self.theme, marker=marker), (round(spot[0]), round(spot[1])))
                self.room.take(self.room.box(spot, 38, 38))

    def _cost(self, look: Look, spots: Sequence[Spot], dear: float) -> None:
        sign = terrain(look.terrain, 17) if look.terrain else None
        text = str(look.cost)
        beside = sign.width + 4 if sign is not None else 0
        wide = beside + width(text, LEAST, True)
        spot, cost = self.room.find(wide, 32, spots)
        if spot is None or cost > dear:
            return
        left = spot[0] - wide / 2
        if sign is not None:
            paste_at(self.image, sign, (round(left + sign.width / 2), round(spot[1])))
        self._write(
            (left + beside + (wide - beside) / 2, spot[1]), text, LEAST, self.theme.hex_ink,
            self.theme.hexes[look.face.colour],
        )  # fmt: skip
        self.room.take(self.room.box(spot, wide, 32))

    def _name(self, at: str, *, needed: bool) -> None:
        """A name, across the borders of hexes if it must be; whole, or absent where nobody needs it."""
        name = self.shown[at].name
        if not name:
            return
        cx, cy = self.grid.centre(at)
        best: tuple[float, Spot, tuple[str, ...], int, int] | None = None
        for size in NAMES if needed else NAMES[1:]:
            for rows in _whole_lines(name):
                wide, high = max(width(row, size, True) for row in rows) + 6, round(len(rows) * size * 1.08)
                spot, cost = self.room.find(wide, high, self._name_spots(cx, cy), slope=0.12, soft=0.8)
                cost += (NAMES[0] - size) * 1.5 + 2 * (len(rows) - 1)
                cost += 0 if len("".join(rows)) >= len(name.replace(" ", "")) - 1 else 12
                if spot is not None and (best is None or cost < best[0]):
                    best = cost, spot, rows, size, wide
        if best is None or (not needed and best[0] > _DEAR):
            return
        _, (x, y), rows, size, wide = best
        step = size * 1.08
        halo = mixed(self.theme.hexes[self.shown[at].face.colour], self.theme.casing, 0.55)
        for number, row in enumerate(rows):
            self._write((x, y + (number - (len(rows) - 1) / 2) * step), row, size, self.theme.hex_ink, halo)
        self.room.take(self.room.box((x, y), wide, round(len(rows) * step)))

    def _name_spots(self, cx: int, cy: int) -> list[Spot]:
        r = self.radius
        ys = sorted((k / 20 for k in range(-17, 18)), key=lambda y: (round(abs(abs(y) - 0.56), 2), -y))
        return [(cx + x * r, cy + y * r) for y in ys for x in (0.0, 0.15, -0.15, 0.3, -0.3, 0.5, -0.5)]

    # ------------------------------------------------------------------ alt text

    def sentences(self, words: Words) -> list[str]:
        hexes = self.board.hexes
        names = [f"{self.numbers.get(at, '')} {at} {hexes[at].name}".strip() for at in self.around]
        result = [words("alt_crop", places=alt.listed(names), when=words.when(self.game))]
        if self.routes:
            items = [f"{route.train}: {route.path[0]}–{route.path[-1]} {route.value}" for route in self.routes]
            total = sum(route.value for route in self.routes)
            result.append(words("alt_routes", list=alt.listed(items), total=total))
        if self.changes is not None and self.changes.stations:
            items = [f"{code} {at}" for at, _, _, code in self.changes.stations]
            result.append(words("alt_stations", list=alt.listed(items)))
        if self.changes is not None and self.changes.tiles:
            items = [f"{at} ({tile})" for at, tile in self.changes.tiles]
            result.append(words("alt_tiles", list=alt.listed(items)))
        return result


def _whole_lines(name: str) -> list[tuple[str, ...]]:
    """Ways to break a name into lines without cutting a word."""
    return [rows for rows in name_lines(name) if not rows[-1].endswith(".") or name.endswith(".")]


def _around(distance: float) -> list[Spot]:
    angles = (180, 0, 210, 150, 330, 30, 240, 120, 300, 60, 270, 90)
    return [(distance * math.sin(math.radians(a)), distance * math.cos(math.radians(a))) for a in angles]


def _about(middle: Spot, distances: Sequence[float]) -> list[Spot]:
    return [(middle[0] + x, middle[1] + y) for distance in distances for x, y in _around(distance)]


class Candidate(Crop):
    """A hex with a tile on it that could be laid, and as much of its neighbours as there is room for."""

    def __init__(self, game: Game, at: str, look: Look, half: int, size: tuple[int, int], theme: Theme) -> None:
        super().__init__(game, [at], {}, (), None, 1.0, theme)
        self.at, self.look = at, look
        self._lay(half, *size)
        self.shown[at] = look

    @staticmethod
    def _start(middles: Sequence[int], side: int, full: int) -> int:
        """The hex is in the middle, whatever is seen beside the map."""
        return middles[0] - side // 2

    def draw(self) -> Image.Image:
        self.image = Image.new("RGB", self.size, self.theme.paper)
        mute = {at: replace(look, mute=True) for at, look in self.shown.items()}
        lay_hexes(self.image, self.board, mute, self.grid, self.theme)
        paste_at(self.image, outline(self.grid.frame, self.theme.pick, self.theme), self.grid.centre(self.at))
        self.pen = ImageDraw.Draw(self.image)
        # The number of the candidate stands on its corner.
        self.room.block((MARK, MARK), MARK)
        self._taken(self.at)
        self._tokens(self.at)
        self._values(self.at)
        label = "/".join(self.look.labels)
        spots = _about(self.grid.centre(self.at), (0.6 * self.radius, 0.45 * self.radius))
        spot, cost = self.room.find(width(label, LEAST, True), 28, spots)
        if label and spot is not None and cost < 3 * _DEAR:
            self._write(spot, label, LEAST, self.theme.hex_ink, self.theme.hexes[self.look.face.colour])
        return self.image


# ---------------------------------------------------------------------- all regions at once

#: Colours of regions that lie side by side.
_REGIONS: tuple[Colour, ...] = ((0, 71, 194), (176, 0, 88), (90, 40, 160), (160, 82, 32), (16, 112, 104), (60, 60, 66))


def draw_overview(
    game: Game, parts: Sequence[tuple[str, Sequence[str]]], *, theme: Theme = LIGHT, language: str = "en"
) -> Picture:
    """The whole map without lettering, and on it the regions of a choice with their names."""
    board = game.definition.map
    unit = Grid.over(board.layout, board.hexes, 100, 0, 0).size(board.hexes)
    half = max(int(min(WIDTH / unit[0], WIDTH * 0.95 / unit[1]) * 100), 8)
    inner = Grid.over(board.layout, board.hexes, half, 0, 0).size(board.hexes)
    grid = Grid.over(board.layout, board.hexes, half, (WIDTH - inner[0]) // 2, 0)
    image = Image.new("RGB", (WIDTH, inner[1]), theme.paper)
    looks = Looks(game)
    shown = {at: replace(looks.look(at), mute=True) for at in board.hexes}
    lay_hexes(image, board, shown, grid, theme)
    clear = image.copy()
    image = Image.blend(image, Image.new("RGB", image.size, theme.paper), 0.55)
    keep = Image.new("L", image.size, 0)
    for _, hexes in parts:
        for at in hexes:
            x, y = grid.centre(at)
            ImageDraw.Draw(keep).polygon([(x + cx, y + cy) for cx, cy in grid.frame.corners()], fill=255)
    image.paste(clear, (0, 0), keep)
    pen, room = ImageDraw.Draw(image), Room(*image.size)
    for number, (_, hexes) in enumerate(parts):
        for at in hexes:
            paste_at(image, outline(grid.frame, _REGIONS[number % len(_REGIONS)], theme), grid.centre(at))
            room.block(grid.centre(at), grid.frame.radius * 0.8, soft=True)
    for number, (name, hexes) in enumerate(parts):
        spots = [grid.centre(at) for at in hexes]
        middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
        wide, high = width(name, 30, True) + 24, 44
        found, _ = room.find(wide, high, [middle, *_about(middle, range(30, 420, 30))], slope=0.5, soft=0.25)
        spot = found or middle
        box = room.box(spot, wide, high)
        pen.rounded_rectangle(box, radius=8, fill=_REGIONS[number % len(_REGIONS)], outline=theme.casing, width=3)
        pen.text(spot, name, font=font(30, True), fill=(255, 255, 255), anchor="mm")
        room.take(box)
    names = [f"{name}: {alt.listed(hexes)}" for name, hexes in parts]
    return Picture.of(
        image,
        alt.in_all_languages(lambda words: [words("alt_crop", places=alt.listed(names), when=words.when(game))]),
    )
