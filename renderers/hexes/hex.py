"""One finished hex: its shape with stations, values, labels, signs and names put where there is room."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from PIL import Image, ImageDraw, ImageFilter

from engine.board.faces import OFFBOARD, TOWN, Face
from renderers.hexes import field, paths
from renderers.hexes.field import Field
from renderers.hexes.geometry import Frame, Point, all_turned, polar, turned
from renderers.hexes.icons import SIGNS, chip, kept_space, signed, terrain
from renderers.hexes.marks import rim
from renderers.hexes.names import name_lines
from renderers.hexes.placing import SLOT, is_bar, is_city, lines, places
from renderers.hexes.shapes import CASING, RIM, ferry_square, shape, slot_points
from renderers.hexes.strokes import ribbon
from renderers.kit import cache
from renderers.kit.fonts import font, width
from renderers.kit.livery import NOBODY, Livery
from renderers.kit.theme import Theme, ink_on, mixed
from renderers.kit.tokens import token


@dataclass(frozen=True)
class Station:
    """A token in a space; reserved while its company does not operate yet."""

    code: str
    livery: Livery
    reserved: bool = False


@dataclass(frozen=True)
class Value:
    """A stop's income: one figure, or one for each phase colour with the valid one's index."""

    figures: tuple[tuple[str, int], ...]
    valid: int = 0


@dataclass(frozen=True)
class Look:
    """Everything that one hex shows, so that equal looks share one drawing."""

    face: Face
    turns: int = 0
    number: str = ""
    at: str = ""
    name: str = ""
    cost: int = 0
    terrain: str = ""
    labels: tuple[str, ...] = ()
    signs: tuple[str, ...] = ()
    faint_signs: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    stop_signs: tuple[tuple[int, str], ...] = ()
    stations: tuple[tuple[Station | None, ...], ...] = ()
    beside: tuple[Station, ...] = ()
    values: tuple[Value, ...] = ()
    stubs: int = 0
    river: tuple[int, int] | None = None
    #: The colour of tiles before which none may be laid here.
    border: str = ""
    #: Number of a route and the two ends on this hex that it joins.
    routes: tuple[tuple[int, int, int], ...] = ()
    #: Without lettering and tokens: a picture writes them over its hexes where there is room.
    mute: bool = False


def hexagon(look: Look, frame: Frame, theme: Theme) -> Image.Image:
    """The finished drawing of a hex."""
    return cache.HEXES.get((look, frame, theme.name), lambda: _Hex(look, frame, theme).image)


def label_boxes(look: Look, frame: Frame, theme: Theme) -> list[field.Box]:
    """Where the labels of a hex are put, in corner radii from its middle."""
    return _Hex(look, frame, theme).field.boxes


@dataclass(frozen=True)
class NameRoom:
    """Where the name of a hex is put, and the strokes and circles that it must not cover, all in corner radii."""

    box: field.Box
    rails: tuple[tuple[Point, ...], ...]
    circles: tuple[tuple[Point, float], ...]


def name_room(look: Look, frame: Frame, theme: Theme) -> NameRoom | None:
    """The place of the name of a hex among its track and stations; None if it has no name."""
    made = _Hex(look, frame, theme)
    if made.name_box is None:
        return None
    unit = frame.wide / 0.8660254037844386
    face = look.face
    turn = 30 if frame.pointy else 0
    return NameRoom(
        made.name_box,
        tuple(tuple(all_turned(line, made.turn)) for _, line in lines(face, turn)),
        tuple(
            ((x / unit, y / unit), SLOT)
            for index, points in enumerate(slot_points(face, look.turns, frame))
            if is_city(face, index)
            for x, y in points
        ),
    )


class _Hex:
    """Lays out one hex; positions are in corner radii from its middle."""

    def __init__(self, look: Look, frame: Frame, theme: Theme) -> None:
        self.look = look
        self.frame = frame
        self.theme = theme
        self.unit = frame.radius
        self.turn = (30 if frame.pointy else 0) + 60 * look.turns
        self.where = places(look.face, 30 if frame.pointy else 0)
        self.image = shape(look.face, look.turns, frame, theme, river=look.river).copy()
        if look.routes:
            over = paths.over_hex(look.face, look.turns, look.routes, frame, theme)
            self.image.paste(over, (0, 0), over)
        if look.border:
            frame_ = rim(frame, theme.hexes[look.border], theme)
            self.image.paste(frame_, (0, 0), frame_)
        self.draw = ImageDraw.Draw(self.image)
        self.fill = theme.hexes[look.face.colour]
        self.middle = frame.extent
        self.field = Field(frame, *self._taken())
        self.name_box: field.Box | None = None
        self._stubs()
        if look.mute:
            self._kept_spaces()
            return
        self._stations()
        self._beside()
        self._stop_signs()
        self._name()
        self._values()
        self._labels()
        self._cost()
        self._signs()
        self._small_print()

    # ------------------------------------------------------------------ room

    def _taken(self) -> tuple[int, int]:
        """The bits of stops, which nothing may cover, and of track."""
        face = self.look.face
        hard = soft = 0
        for piece, line in lines(face, 30 if self.frame.pointy else 0):
            soft |= field.discs(all_turned(line[::2], self.turn), CASING / 2)
            if piece in face.ferry:
                hard |= field.discs([turned(ferry_square(line, piece), self.turn)], 0.13)
        for stub in self._stub_lines():
            soft |= field.discs(stub, CASING / 2)
        unit = self.frame.wide / 0.8660254037844386
        for index, places_ in enumerate(slot_points(face, self.look.turns, self.frame)):
            if face.stops[index].kind == OFFBOARD and not is_city(face, index):
                continue
            radius = SLOT + RIM if is_city(face, index) else (0.19 if is_bar(face, index) else 0.15)
            spots = [(x / unit, y / unit) for x, y in places_]
            # Between the circles of one city lies white as well.
            spots += [
                (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                for a, b in combinations(spots, 2)
                for share in (0.25, 0.5, 0.75)
            ]
            hard |= field.discs(spots, radius)
        return hard, soft

    def px(self, point: Point) -> tuple[int, int]:
        return round(self.middle[0] + point[0] * self.unit), round(self.middle[1] + point[1] * self.unit)

    def size(self, share: float) -> int:
        return max(round(self.unit * share), 6)

    def stop_point(self, index: int) -> Point:
        return turned(self.where[index].point, self.turn)

    # ------------------------------------------------------------------ stops

    def _stubs(self) -> None:
        for line in self._stub_lines():
            for colour, wide in ((self.theme.casing, CASING), (self.theme.track, 0.105)):
                points = [self.px(point) for point in ribbon((line[0], line[-1]), wide)]
                self.draw.polygon(points, fill=colour)

    def _stub_lines(self) -> list[list[Point]]:
        """Printed track that only reaches in from the edge."""
        turn = 30 if self.frame.pointy else 0
        edges = [edge for edge in range(6) if self.look.stubs >> edge & 1]
        return [[polar(r, 60 * edge + turn) for r in (0.64, 0.72, 0.8, 0.866)] for edge in edges]

    def _stations(self) -> None:
        """Tokens on their spaces, and what a space is kept for: the sign of a kind of token, or a name."""
        radius = max(round(self.unit * (SLOT - 0.012)), 4)
        face = self.look.face
        for index, spots in enumerate(slot_points(face, self.look.turns, self.frame)):
            row = self.look.stations[index] if index < len(self.look.stations) else ()
            for space, (x, y) in enumerate(spots):
                station = row[space] if space < len(row) else None
                kind = face.stops[index].reserved[space] if face.stops[index].reserved else ""
                sign = kind if kind in SIGNS else ""
                if station is not None:
                    disc = token(station.code, station.livery, radius, self.theme, reserved=station.reserved)
                    disc = signed(disc, sign, self.theme) if sign else disc
                elif sign:
                    disc = kept_space(sign, radius, self.theme)
                elif kind:
                    disc = token(kind.upper(), NOBODY, radius, self.theme, reserved=True)
                else:
                    continue
                self.image.paste(disc, (round(self.middle[0] + x) - radius, round(self.middle[1] + y) - radius), disc)

    def _kept_spaces(self) -> None:
        """The signs of free spaces that are kept for a kind of token."""
        radius = max(round(self.unit * (SLOT - 0.012)), 4)
        face = self.look.face
        for index, spots in enumerate(slot_points(face, self.look.turns, self.frame)):
            for space, (x, y) in enumerate(spots):
                kind = face.stops[index].reserved[space] if face.stops[index].reserved else ""
                if kind in SIGNS:
                    disc = kept_space(kind, radius, self.theme)
                    corner = (round(self.middle[0] + x) - radius, round(self.middle[1] + y) - radius)
                    self.image.paste(disc, corner, disc)

    def _beside(self) -> None:
        """Tokens beside the spaces, wherever there is room."""
        radius = max(round(self.unit * (SLOT - 0.012)), 4)
        for station in self.look.beside:
            side = 2 * SLOT
            point, _ = self.field.find(side, side, _rings((0.5, 0.58, 0.42)), slope=0.25)
            self.field.take(point, side, side)
            disc = token(station.code, station.livery, radius, self.theme, reserved=station.reserved)
            x, y = self.px(point)
            self.image.paste(disc, (x - radius, y - radius), disc)

    def _stop_signs(self) -> None:
        """Signs that belong to one stop, beside its track."""
        for index, sign in self.look.stop_signs:
            edges = [edge for edge in range(6) if self.look.face.stop_exits[index] >> edge & 1]
            base = turned(polar(0.5, 60 * edges[0]), self.turn) if edges else self.stop_point(index)
            around = tuple((base[0] + dx, base[1] + dy) for r in (0.2, 0.27) for dx, dy in _ring(r))
            self._chip(sign, 0.15, around, marker=False)

    def _values(self) -> None:
        face = self.look.face
        values = self.look.values
        shown: set[tuple[tuple[str, int], ...]] = set()
        same = len({value.figures for value in values}) == 1
        for index, value in enumerate(values):
            worthless = not any(amount for _, amount in value.figures)
            if worthless and face.stops[index].kind != OFFBOARD:
                continue
            if same and value.figures in shown:
                continue
            shown.add(value.figures)
            if len(value.figures) > 1 or face.stops[index].kind == OFFBOARD:
                self._value_row(value)
            else:
                self._value_disc(index, value.figures[0][1], alone=same)

    def _value_disc(self, index: int, amount: int, alone: bool) -> None:
        radius = 0.135
        stop = self.look.face.stops[index]
        x, y = self.stop_point(index)
        if alone and len(self.look.face.stops) > 1:
            candidates = ((0.0, 0.0), *_rings((0.3, 0.45, 0.6)))
        elif stop.slots > 1:
            candidates = _rings((0.62, 0.66, 0.56, 0.7))
        else:
            gap = (0.17 if stop.kind == TOWN else SLOT + RIM) + radius
            candidates = tuple((x + dx, y + dy) for r in (gap + 0.02, gap + 0.1, gap + 0.2) for dx, dy in _ring(r))
        side = 2 * radius
        point, _ = self.field.find(side, side, candidates, slope=0.25)
        self.field.take(point, side, side)
        self._disc_text(point, radius, str(amount))

    def _disc_text(self, point: Point, radius: float, text: str) -> None:
        px, py = self.px(point)
        r = round(radius * self.unit)

        def make() -> Image.Image:
            image = Image.new("RGBA", (8 * r, 8 * r), (*self.theme.rim, 0))
            draw = ImageDraw.Draw(image)
            draw.ellipse((0, 0, 8 * r - 1, 8 * r - 1), fill=(*self.theme.rim, 255))
            thick = max(4.0, 0.2 * r)
            draw.ellipse((thick, thick, 8 * r - 1 - thick, 8 * r - 1 - thick), fill=(*self.theme.slot, 255))
            small = image.reduce(4)
            size = round(r * (1.08 if len(text) < 3 else 0.8))
            ImageDraw.Draw(small).text((r, r), text, font=font(size, True), fill=(*self.theme.rim, 255), anchor="mm")
            return small

        disc = cache.PIECES.get(("value", text, r, self.theme.name), make)
        self.image.paste(disc, (px - r, py - r), disc)

    def _value_row(self, value: Value) -> None:
        """Values by phase side by side; the valid one stands out."""
        box, high = 0.33, 0.27
        wide = box * len(value.figures)
        point, _ = self.field.find(wide, high, _ROW_PLACES, slope=0.3)
        self.field.take(point, wide, high)
        left, top = self.px((point[0] - wide / 2, point[1] - high / 2))
        step, tall = round(box * self.unit), round(high * self.unit)
        size = self.size(0.185)
        for number, (colour, amount) in enumerate(value.figures):
            back = self.theme.hexes.get(colour, self.theme.slot) if colour != "plain" else self.theme.slot
            valid = number == value.valid
            if not valid:
                back = mixed(back, self.fill, 0.45)
            x0 = left + number * step
            frame = max(round(self.unit * 0.032), 2) if valid else 1
            self.draw.rectangle(
                (x0, top, x0 + step - 1, top + tall - 1),
                fill=back,
                outline=self.theme.rim if valid else mixed(self.theme.rim, back, 0.4),
                width=frame,
            )
            ink = ink_on(back) if valid else mixed(ink_on(back), back, 0.35)
            self.draw.text((x0 + step / 2, top + tall / 2), str(amount), font=font(size, valid), fill=ink, anchor="mm")

    # ------------------------------------------------------------------ labels

    def _name(self) -> None:
        if not self.look.name:
            return
        best = None
        for share in (0.175, 0.16, 0.145, 0.13, 0.115, 0.1, 0.09):
            if best is not None and best[0] <= (0.175 - share) * 900:
                break
            size = self.size(share)
            for rows in name_lines(self.look.name):
                if best is not None and best[0] <= (0.175 - share) * 900 + 4 * (len(rows) - 1):
                    continue
                wide = max(width(row, size, True) for row in rows) / self.unit + 0.02
                high = len(rows) * size * 1.12 / self.unit
                point, cost = self.field.find(wide, high, _NAME_PLACES, slope=0.15, soft_weight=12.0)
                cost += (0.175 - share) * 900 + 4 * (len(rows) - 1)
                # What is left away is missed: rather a smaller name.
                whole = "".join(rows)
                cost += 0 if whole.count("(") == self.look.name.count("(") else 16
                cost += 60 if whole.endswith(".") else 0
                cost += 0 if whole.count("/") == self.look.name.count("/") else 45
                if best is None or cost < best[0]:
                    best = (cost, point, rows, size, wide, high)
        assert best is not None
        _, point, rows, size, wide, high = best
        self.field.take(point, wide, high)
        # The letters themselves are lower than their lines.
        left, top, right, bottom = self.field.boxes[-1]
        air = 0.18 * size / self.unit
        self.name_box = (left + 0.01, top + air, right - 0.01, bottom - air)
        step = high / len(rows)
        for number, row in enumerate(rows):
            y = point[1] + (number - (len(rows) - 1) / 2) * step
            self._text((point[0], y), row, size, bold=True)

    def _text(self, point: Point, text: str, size: int, bold: bool = False) -> None:
        """Text with a halo in the colour of the hex, so that it can be read over track."""
        halo = max(round(size * 0.1), 1)
        wide, high = width(text, size, bold) + 4 * halo + 4, round(size * 1.3) + 4 * halo
        if self.field.is_clear(point, wide / self.unit, high / self.unit):
            self.draw.text(self.px(point), text, font=font(size, bold), fill=self.theme.hex_ink, anchor="mm")
            return
        letters = Image.new("L", (wide, high), 0)
        ImageDraw.Draw(letters).text((wide / 2, high / 2), text, font=font(size, bold), fill=255, anchor="mm")
        x, y = self.px(point)
        corner = (x - wide // 2, y - high // 2)
        # Pillow's own stroke traces every outline, which takes twice as long as widening the drawn letters.
        self.image.paste(self.fill, corner, letters.filter(ImageFilter.MaxFilter(2 * halo + 1)))
        self.image.paste(self.theme.hex_ink, corner, letters)

    def _labels(self) -> None:
        text = "/".join(self.look.labels)
        if not text or text == self.look.name:
            return
        for share in (0.26, 0.21, 0.165) if len(text) < 3 else (0.17, 0.14):
            size = self.size(share)
            wide, high = width(text, size, True) / self.unit + 0.02, size * 0.95 / self.unit
            point, cost = self.field.find(wide, high, _ANYWHERE, slope=0.1)
            if cost < 40:
                break
        self.field.take(point, wide, high)
        self._text(point, text, size, bold=True)

    def _cost(self) -> None:
        """What building costs, with the terrain's sign above or beside it."""
        if not self.look.cost:
            return
        text = str(self.look.cost)
        for share in (0.19, 0.16, 0.135):
            size = self.size(share)
            sign = terrain(self.look.terrain, self.size(share * 0.68)) if self.look.terrain else None
            sign_wide = share * 1.55 if sign is not None else 0.0
            wide = sign_wide + width(text, size) / self.unit + 0.03
            high = share * 1.3
            point, cost = self.field.find(wide, high, _ANYWHERE, slope=0.1)
            if cost < 40:
                break
        self.field.take(point, wide, high)
        left = point[0] - wide / 2
        if sign is not None:
            px, py = self.px((left + sign_wide / 2, point[1]))
            self.image.paste(sign, (px - sign.width // 2, py - sign.height // 2), sign)
        self._text((left + sign_wide + (wide - sign_wide) / 2, point[1]), text, size)

    def _signs(self) -> None:
        around = _ANYWHERE
        for sign in self.look.markers:
            self._chip(sign, 0.17, around, marker=True)
        for sign in self.look.signs:
            self._chip(sign, 0.155, around, marker=False)
        for sign in self.look.faint_signs:
            self._chip(sign, 0.14, around, marker=False, faint=True)

    def _chip(self, sign: str, radius: float, around: tuple[Point, ...], *, marker: bool, faint: bool = False) -> None:
        side = 2 * radius
        point, _ = self.field.find(side, side, around, slope=0.2)
        self.field.take(point, side, side)
        picture = chip(sign, self.size(radius), self.theme, faint=faint, marker=marker)
        px, py = self.px(point)
        self.image.paste(picture, (px - picture.width // 2, py - picture.height // 2), picture)

    def _small_print(self) -> None:
        """Tile number and coordinate, each in a corner; left away where there is no room at all."""
        corners = [(x / self.unit, y / self.unit) for x, y in self.frame.corners()]
        low = sorted(corners, key=lambda corner: (-round(corner[1], 2), round(corner[0], 2)))
        for text, order, share in (
            (self.look.at, low[::-1], 0.145),
            (self.look.number, low, 0.125),
        ):
            if not text:
                continue
            size = self.size(share)
            wide, high = width(text, size) / self.unit + 0.015, size * 0.85 / self.unit
            reach = 0.84 - wide * 0.32
            candidates = tuple((x * r, y * r) for r in (reach, reach - 0.06, reach - 0.13) for x, y in order)
            point, cost = self.field.find(wide, high, candidates, slope=0.3)
            if cost > 60:
                continue
            self.field.take(point, wide, high)
            self.draw.text(
                self.px(point), text, font=font(size), fill=mixed(self.theme.hex_ink, self.fill, 0.2), anchor="mm"
            )


_AROUND = (
    *(180, 0, 210, 150, 330, 30, 240, 120, 300, 60, 270, 90),
    *(195, 165, 345, 15, 225, 135, 315, 45, 255, 105, 285, 75),
)


@lru_cache(maxsize=64)
def _ring(radius: float) -> tuple[Point, ...]:
    """Points around the middle: below and above first, then the sides."""
    return tuple(polar(radius, degrees) for degrees in _AROUND)


@lru_cache(maxsize=64)
def _rings(radii: tuple[float, ...]) -> tuple[Point, ...]:
    return tuple(point for radius in radii for point in _ring(radius))


#: Where values by phase go, and where names go: above or below the stops rather than over them.
_ROW_PLACES = tuple(
    (x, y)
    for y in (0.38, 0.3, 0.2, -0.3, -0.4, 0.5, 0.0, -0.5, 0.6, 0.1, -0.2)
    for x in (0.0, 0.12, -0.12, 0.25, -0.25)
)
_ANYWHERE = (*_rings((0.6, 0.5, 0.68, 0.4, 0.74, 0.3, 0.2)), (0.0, 0.0))
_NAME_PLACES = tuple(
    (x, y)
    for y in sorted((row / 100 for row in range(-84, 85, 7)), key=lambda y: (round(abs(abs(y) - 0.56), 2), y))
    for x in (0.0, 0.1, -0.1, 0.22, -0.22, 0.34, -0.34)
)
