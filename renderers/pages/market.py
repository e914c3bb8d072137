"""Share prices: the table with its tokens, what moved, and where the certificates are."""

from __future__ import annotations

import math

from PIL import Image, ImageDraw

from engine.changes import Changes, View, changes
from engine.definition import Market
from engine.finance import shares
from engine.game import Game
from engine.state import OFFERING, POOL
from engine.state import Cell as Space
from renderers.hexes.marks import ring
from renderers.kit import alt
from renderers.kit.fonts import font
from renderers.kit.livery import liveries
from renderers.kit.panel import Legend, LegendItem, header
from renderers.kit.people import called, person
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Table, Text
from renderers.kit.theme import LIGHT, Colour, Theme, ink_on, mixed, rgb
from renderers.kit.tokens import token
from renderers.kit.words import Words
from renderers.kit.zones import arrow, zone
from renderers.kit.zones import sign as sign_of
from renderers.pages.sheet import income_word

RADIUS = 23
WIDE, PRICE, STEP = 84, 30, 32
#: How far a pale token is set off below the stack.
GHOST = 14
MARGIN, HEAD = 12, 50
#: A line of prices is broken into rows of about this many spaces.
LINE = 9
PHONE = 780
#: A part that would be higher than this times its width leaves out what can be looked up.
TALLEST = 1.0
#: The word for a company's own certificates.
OWN = "own"
#: The name of a row that is for one kind of company stands above it.
NAMED = 34


def draw_market(
    game: Game,
    *,
    since: View | None = None,
    part: bool = False,
    theme: Theme = LIGHT,
    language: str = "en",
) -> Picture:
    """The share price table; `part` shows only the rows and columns in use, so that a phone needs no zoom."""
    drawing = _MarketPicture(game, since, part, theme, Words(language))
    return Picture.of(drawing.draw(), alt.in_all_languages(drawing.sentences))


class _MarketPicture:
    def __init__(self, game: Game, since: View | None, part: bool, theme: Theme, words: Words) -> None:
        self.game, self.theme, self.words = game, theme, words
        self.market: Market = game.definition.market
        self.part = part
        self.liveries = liveries(game.definition)
        self.changes: Changes | None = changes(since, game) if since is not None else None
        self.spaces = self._spaces(part)
        rows = {row for row, _ in self.spaces.values()}
        self.columns = max(column for _, column in self.spaces.values()) + 1
        self.heights = {
            row: max(self._height(space) for space, (r, _) in self.spaces.items() if r == row) for row in rows
        }
        #: The kinds of companies that have a row of their own, by the rows of the drawing.
        kinds = self.market.kinds
        self.named = {row: kinds[space[0]] for space, (row, _) in self.spaces.items()} if kinds else {}
        self.grid_width = self.columns * WIDE
        self.width = max(self.grid_width + 2 * MARGIN, PHONE)

    def _spaces(self, part: bool) -> dict[Space, tuple[int, int]]:
        """Which spaces are drawn, and in which row and column of the drawing."""
        every = [
            (row, column)
            for row, values in enumerate(self.market.rows)
            for column in range(len(values))
            if (row, column) not in self.market.gaps
        ]
        if self.market.kind == "line" and len(self.market.rows) == 1:
            return {space: (space[1] // LINE, space[1] % LINE) for space in every}
        if not part:
            return {space: space for space in every}
        used = set(self.game.state.stacks)
        if self.changes is not None:
            used |= {cell for _, old, new in self.changes.prices for cell in (old, new) if cell is not None}
        columns = [column for _, column in used or {(0, 0)}]
        room = PHONE // WIDE
        low = max(min(columns) - 1, 0)
        high = max(max(columns) + 1, low + room - 1)
        # One row beyond the tokens on either side, and those in which companies can still start.
        waiting = set(self.game.definition.corporations) - set(self.game.prices.order())
        rows = [row for row, _ in used or {(0, 0)}]
        rows += [row + bound for row in rows for bound in (-1, 1)]
        rows += [row for row, _ in self.market.cells("p")] if waiting else []
        return {
            (row, column): (row - max(min(rows), 0), column - low)
            for row, column in every
            if low <= column <= high and min(rows) <= row <= max(rows)
        }

    def _height(self, space: Space) -> int:
        """What a space needs for its price, its stack, and the pale tokens of those that left."""
        depth = len(self.game.state.stacks.get(space, ()))
        left = self.changes.prices if self.changes is not None else ()
        ghosts = sum(old == space for _, old, _ in left)
        below = GHOST if depth and ghosts else 0
        return PRICE + 2 * RADIUS + 10 + below + STEP * max(depth + ghosts - 1, 0)

    def corner(self, space: Space) -> tuple[int, int]:
        row, column = self.spaces[space]
        y = self.top + sum(height for number, height in self.heights.items() if number < row)
        return self.left + column * WIDE, y + NAMED * sum(number <= row for number in self.named)

    # ------------------------------------------------------------------ drawing

    def draw(self) -> Image.Image:
        self.left = (self.width - self.grid_width) // 2
        self.top = HEAD + MARGIN
        room = self.width - 2 * MARGIN
        below = self.top + sum(self.heights.values()) + NAMED * len(self.named) + MARGIN
        size = 24 if self.width <= PHONE + 100 else round(self.width / 43)
        table = self._certificates(room, size)
        legend = Legend(self._legend(size), room, round(size * 0.78))
        rest = Legend(self._unfounded(size), room, round(size * 0.78))
        free = TALLEST * self.width - below - table.height
        # The whole page has the companies that nobody has founded, and what the spaces mean.
        if self.part and legend.height + rest.height > free:
            rest = Legend((), room, round(size * 0.78))
        if self.part and legend.height > free:
            legend = Legend([item for item in self._legend(size)[:1] if self._moved()], room, round(size * 0.78))
        height = below + legend.height + table.height + rest.height + 2 * MARGIN
        image = Image.new("RGB", (self.width, height), self.theme.paper)
        subject = f"{self.game.definition.name} · {self.words('market')}"
        header(image, self.theme, subject, self.words.when(self.game), HEAD, MARGIN)
        for space in self.spaces:
            self._space(image, space)
        self._names(image)
        self._arrows(image)
        for space, stack in self.game.state.stacks.items():
            if space in self.spaces:
                self._stack(image, space, stack)
        legend.draw(image, self.theme, MARGIN, below)
        table.draw(image, self.theme, MARGIN, below + legend.height + MARGIN)
        rest.draw(image, self.theme, MARGIN, below + legend.height + MARGIN + table.height)
        return image

    def _names(self, image: Image.Image) -> None:
        """Which companies a row is for."""
        draw = ImageDraw.Draw(image)
        for row, kind in self.named.items():
            _, y = self.corner(next(space for space, (at, _) in self.spaces.items() if at == row))
            text = self.words.own(self.game.definition, "line", kind)
            draw.text((self.left, y - NAMED / 2), text, font=font(22), fill=self.theme.faint, anchor="lm")

    def _space(self, image: Image.Image, space: Space) -> None:
        draw = ImageDraw.Draw(image)
        x, y = self.corner(space)
        row, column = space
        marks = self.market.marks[row][column]
        fill = zone(self.market, marks, self.theme) or self.theme.cell
        high = self.heights[self.spaces[space][0]]
        draw.rectangle((x, y, x + WIDE - 1, y + high - 1), fill=fill, outline=self.theme.line)
        ink = ink_on(fill)
        value = self.market.rows[row][column]
        draw.text((x + 7, y + PRICE / 2 + 2), str(value), font=font(22, True), fill=ink, anchor="lm")
        if cue := sign_of(self.market, marks):
            spot = (x + WIDE - 5, y + high - 4)
            draw.text(spot, cue, font=font(16), fill=mixed(fill, (0, 0, 0), 0.6), anchor="rs")
        for mark in marks:
            sign = arrow(self.market, mark)
            if sign is not None:
                draw.text((x + WIDE - 7, y + PRICE / 2 + 2), sign[0], font=font(20), fill=rgb(sign[1]), anchor="rm")

    def _stack(self, image: Image.Image, space: Space, stack: list[str]) -> None:
        """Tokens with the top one first; lower ones look out below it."""
        x, y = self.corner(space)
        moved = {code for code, _, _ in self.changes.prices} if self.changes is not None else set()
        for depth in reversed(range(len(stack))):
            code = stack[depth]
            middle = (x + WIDE // 2, y + PRICE + RADIUS + depth * STEP + 2)
            if code in moved:
                mark = ring(RADIUS, self.theme)
                image.paste(mark, (middle[0] - mark.width // 2, middle[1] - mark.height // 2), mark)
            disc = token(code, self.liveries[code], RADIUS, self.theme)
            image.paste(disc, (middle[0] - RADIUS, middle[1] - RADIUS), disc)

    def place(self, code: str, space: Space) -> tuple[int, int]:
        """The middle of a token in its stack."""
        x, y = self.corner(space)
        depth = self.game.state.stacks[space].index(code)
        return x + WIDE // 2, y + PRICE + RADIUS + depth * STEP + 2

    def _arrows(self, image: Image.Image) -> None:
        """From a pale token on the old space to the new place, below the tokens that lie there now."""
        if self.changes is None:
            return
        draw = ImageDraw.Draw(image)
        ghosts: dict[Space, int] = {}
        left: list[tuple[str, tuple[int, int]]] = []
        for code, old, new in self.changes.prices:
            if old is None or new is None or old not in self.spaces or new not in self.spaces:
                continue
            x, y = self.corner(old)
            depth = len(self.game.state.stacks.get(old, ())) + ghosts.get(old, 0)
            ghosts[old] = ghosts.get(old, 0) + 1
            drop = GHOST if old in self.game.state.stacks else 0
            start = (x + WIDE // 2, y + PRICE + RADIUS + depth * STEP + drop + 2)
            left.append((code, start))
            _arrow(draw, start, self.place(code, new), self.theme.new)
        for code, (px, py) in left:
            disc = token(code, self.liveries[code], RADIUS - 4, self.theme, reserved=True)
            image.paste(disc, (px - RADIUS + 4, py - RADIUS + 4), disc)

    def _moved(self) -> bool:
        return self.changes is not None and bool(self.changes.prices)

    def _legend(self, size: int) -> list[LegendItem]:
        """The coloured spaces and arrows that are drawn, with what they mean, and the mark of what moved."""
        items = []
        if self.changes is not None and self.changes.prices:
            items.append(LegendItem(_swatch(size, self.theme.new), self.words("legend_new", n=self.changes.since)))
        drawn = {mark for row, column in self.spaces for mark in self.market.marks[row][column]}
        for mark, printed in self.market.legend.items():
            if mark not in drawn:
                continue
            meaning = self.game.definition.words.get(self.words.language, {}).get(f"zone.{mark}", printed)
            colour, sign = zone(self.market, mark, self.theme), arrow(self.market, mark)
            if colour is not None:
                items.append(LegendItem(_swatch(size, colour, sign_of(self.market, mark)), meaning))
            elif sign is not None:
                items.append(LegendItem(_sign(size, *sign, self.theme), meaning))
        return items

    def _certificates(self, room: int, size: int) -> Table:
        """For each company: its name, its director, price and last revenue, and what is still for sale where."""
        game, words = self.game, self.words
        places = self._places()
        columns = [
            Column(""), Column(words("company"), most=0.3 if len(places) > 2 else 0.35, firm=True),
            Column(f"♦ {words('director')}", most=0.17, firm=True), Column(words("price"), right=True, firm=True),
            Column(words(income_word(game)), right=True, most=0.135),
            *(Column(words(place), right=True, most=0.085) for place in places),
        ]  # fmt: skip
        moved = {code: old for code, old, _ in self.changes.prices} if self.changes is not None else {}
        rows: list[list[Cell]] = []
        radius = round(size * 0.74)
        for code in game.prices.order():
            price = game.prices.value(code)
            text = str(price) if price else words("nobody")
            old = moved.get(code)
            colour = None
            if old is not None:
                before = self.market.rows[old[0]][old[1]]
                text = f"{before} → {price}{' ▲' if price > before else ' ▼' if price < before else ''}"
                colour = self.theme.good if price > before else self.theme.bad if price < before else None
            rows.append(
                [
                    token(code, self.liveries[code], radius, self.theme),
                    game.definition.corporations[code].name,
                    person(game, director, words, self.theme, size, round(room * 0.17), bold=True)
                    if (director := game.company(code).director)
                    else "",
                    Text(text, True, colour),
                    words("nobody") if (last := game.company(code).last_revenue) is None else str(last),
                    *(percent(shares.held(game, code, code if place == OWN else place)) for place in places),
                ]
            )
        return Table(columns, rows, room, size)

    def _places(self) -> list[str]:
        """Where certificates of founded companies lie; where never any lie is no column, the pool always is."""
        held = shares.held
        listed = self.game.prices.order()
        own = any(held(self.game, code, code) for code in listed)
        offered = any(held(self.game, code, OFFERING) for code in listed)
        return [*([OFFERING] if offered or not own else []), *([OWN] if own else []), POOL]

    def _unfounded(self, size: int) -> list[LegendItem]:
        """Companies without a price yet, which need no line each: a token, and what is left if something is gone."""
        items = []
        order = self.game.prices.order()
        radius = round(size * 0.74)
        for code, corporation in self.game.definition.corporations.items():
            if code in order or len(corporation.shares) == 1:
                continue
            left = shares.held(self.game, code, OFFERING)
            note = "" if left in (0, 100) else f" {left} %"
            items.append(LegendItem(token(code, self.liveries[code], radius, self.theme), corporation.name + note))
        return items

    # ------------------------------------------------------------------ alt text

    def sentences(self, words: Words) -> list[str]:
        game = self.game
        prices = {
            code: f"{code} {game.prices.value(code)}"
            + (f" ({called(game, director, words)})" if (director := game.company(code).director) else "")
            for code in game.prices.order()
        }
        charters = game.definition.corporations
        lines = [
            f"{words.own(game.definition, 'line', kind)}: "
            + alt.listed([text for code, text in prices.items() if charters[code].kind == kind])
            for kind in self.market.kinds
        ]
        told = "; ".join(lines) if lines else alt.listed(list(prices.values()))
        head = words("alt_market", title=game.definition.name, when=words.when(game), list=told)
        if self.changes is None:
            return [head]
        rows = self.market.rows
        moved = [
            f"{code} {rows[old[0]][old[1]] if old else '–'}→{rows[new[0]][new[1]] if new else '–'}"
            for code, old, new in self.changes.prices
        ]
        since = words("alt_since", n=self.changes.since)
        if not moved:
            return [head, words("alt_same", n=self.changes.since)]
        return [head, f"{since} {words('alt_moved', list=alt.listed(moved))}"]


def percent(share: int) -> str:
    return str(share) if share else "–"


def _swatch(size: int, colour: Colour, sign: str = "") -> Image.Image:
    image = Image.new("RGB", (size, size), mixed(colour, (0, 0, 0), 0.3))
    draw = ImageDraw.Draw(image)
    draw.rectangle((1, 1, size - 2, size - 2), fill=colour)
    ink = mixed(colour, (0, 0, 0), 0.6)
    draw.text((size / 2, size / 2), sign, font=font(round(size * 0.7)), fill=ink, anchor="mm")
    return image


def _sign(size: int, arrow: str, ink: str, theme: Theme) -> Image.Image:
    image = Image.new("RGB", (size, size), theme.cell)
    ImageDraw.Draw(image).text((size / 2, size / 2), arrow, font=font(round(size * 0.9)), fill=rgb(ink), anchor="mm")
    return image


def _arrow(draw: ImageDraw.ImageDraw, start: tuple[int, int], end: tuple[int, int], colour: Colour) -> None:
    """A line that ends with a head just before the token."""
    distance = math.dist(start, end)
    if distance < 1:
        return
    ux, uy = (end[0] - start[0]) / distance, (end[1] - start[1]) / distance
    tip = (end[0] - ux * (RADIUS + 5), end[1] - uy * (RADIUS + 5))
    tail = (start[0] + ux * (RADIUS - 6), start[1] + uy * (RADIUS - 6))
    draw.line((*tail, tip[0] - ux * 8, tip[1] - uy * 8), fill=colour, width=6)
    head = [
        tip,
        (tip[0] - ux * 16 - uy * 10, tip[1] - uy * 16 + ux * 10),
        (tip[0] - ux * 16 + uy * 10, tip[1] - uy * 16 - ux * 10),
    ]
    draw.polygon(head, fill=colour)
