"""Tables: columns as wide as their contents, tokens among text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

from renderers.kit.fonts import fitted, font, width, wrapped
from renderers.kit.theme import Colour, Theme


@dataclass(frozen=True)
class Text:
    """A cell of text."""

    text: str
    bold: bool = False
    colour: Colour | None = None


Cell = Text | Image.Image | str


@dataclass(frozen=True)
class Column:
    """A heading; numbers stand to the right, everything else to the left. `most` caps the share of the width.

    A `firm` column gives way to others only when they are narrow already.
    """

    title: str | Image.Image
    right: bool = False
    most: float = 1.0
    firm: bool = False


class Table:
    """Rows under headings, laid out for a width."""

    def __init__(
        self, columns: Sequence[Column], rows: Sequence[Sequence[Cell]], room: int, size: int, least: int = 0
    ) -> None:
        """`least` is the smallest lettering; without it texts and headings may be a good deal smaller than `size`."""
        self.columns, self.rows, self.room, self.size, self.least = columns, rows, room, size, least
        self.pad = round(size * 0.4)
        self.head_size = max(round(size * 0.78), least)
        self.line = round(size * 1.62)
        self.widths = self._widths()
        self.heights = [self._high(row) for row in range(len(rows))]

    def broken(self, row: int, column: int) -> tuple[list[str], int]:
        """The lines of a cell of text, and their size."""
        cell = self.rows[row][column]
        assert not isinstance(cell, Image.Image)
        return self._lines(Text(cell) if isinstance(cell, str) else cell, self.widths[column] - self.pad)

    def _high(self, row: int) -> int:
        """A row with a text that is broken into two lines is higher."""
        texts = [self.broken(row, n) for n, cell in enumerate(self.rows[row]) if not isinstance(cell, Image.Image)]
        return max([self.line, *(round(len(lines) * size * 1.25) + 8 for lines, size in texts if len(lines) > 1)])

    def _natural(self, cell: Cell) -> int:
        if isinstance(cell, Image.Image):
            return cell.width
        text = cell if isinstance(cell, str) else cell.text
        return width(text, self.size, isinstance(cell, Text) and cell.bold)

    def _widths(self) -> list[int]:
        """Natural widths; the widest columns give way until all fit, spare room is shared out."""
        wanted = []
        for number, column in enumerate(self.columns):
            title = column.title
            head = title.width if isinstance(title, Image.Image) else width(title, self.head_size)
            natural = max([head, *(self._natural(row[number]) for row in self.rows)])
            wanted.append(min(natural, round(self.room * column.most)) + 2 * self.pad)
        narrow = 4 * self.size
        while sum(wanted) > self.room:
            loose = [n for n, column in enumerate(self.columns) if not column.firm and wanted[n] > 2 * self.size]
            giving = [n for n in loose if wanted[n] > narrow] or loose
            widest = max(giving or range(len(wanted)), key=lambda number: wanted[number])
            wanted[widest] -= min(4, sum(wanted) - self.room)
        spare = (self.room - sum(wanted)) // max(len(wanted), 1)
        return [one + spare for one in wanted]

    @property
    def height(self) -> int:
        return round(self.head_size * 1.6) + sum(self.heights) + 4

    def draw(self, image: Image.Image, theme: Theme, left: int, top: int) -> None:
        draw = ImageDraw.Draw(image)
        head = round(self.head_size * 1.6)
        y = top
        x = left
        for column, wide in zip(self.columns, self.widths, strict=True):
            if isinstance(column.title, Image.Image):
                at = x + wide - self.pad - column.title.width if column.right else x + self.pad
                image.paste(column.title, (at, y + (head - column.title.height) // 2), column.title)
                x += wide
                continue
            text, size = fitted(
                column.title, wide - self.pad, self.head_size, self.least or round(self.head_size * 0.7)
            )
            self._put(draw, text, font(size), theme.faint, x, wide, y + head / 2, column.right)
            x += wide
        y += head
        for number, (row, high) in enumerate(zip(self.rows, self.heights, strict=True)):
            if number % 2 == 0:
                draw.rectangle((left, y, left + self.room, y + high - 1), fill=theme.panel)
            x = left
            for cell, column, wide in zip(row, self.columns, self.widths, strict=True):
                if isinstance(cell, Image.Image):
                    at = (x + wide - self.pad - cell.width) if column.right else x + self.pad
                    image.paste(cell, (at, y + (high - cell.height) // 2), cell if cell.mode == "RGBA" else None)
                else:
                    item = Text(cell) if isinstance(cell, str) else cell
                    lines, size = self._lines(item, wide - self.pad)
                    colour = item.colour or theme.ink
                    for line, text in enumerate(lines):
                        middle = y + high / 2 + (line - (len(lines) - 1) / 2) * size * 1.25
                        self._put(draw, text, font(size, item.bold), colour, x, wide, middle, column.right)
                x += wide
            y += high

    def _lines(self, item: Text, room: int) -> tuple[list[str], int]:
        """A cell's text in one line; in two rather than too small or cut."""
        least, small = self.least or round(self.size * 0.62), round(self.size * 0.8)
        text, size = fitted(item.text, room, self.size, least, item.bold)
        if text == item.text and size >= small:
            return [text], size
        for less in range(self.size, least - 1, -1):
            lines = wrapped(item.text, room, less, item.bold)
            if len(lines) == 2 and all(width(line, less, item.bold) <= room for line in lines):
                return lines, less
        if self.least:
            return wrapped(item.text, room, least, item.bold), least
        return [text], size

    def _put(
        self,
        draw: ImageDraw.ImageDraw,
        text: str,
        face: ImageFont.FreeTypeFont,
        colour: Colour,
        x: int,
        wide: int,
        y: float,
        right: bool,
    ) -> None:
        if right:
            draw.text((x + wide - self.pad, y), text, font=face, fill=colour, anchor="rm")
        else:
            draw.text((x + self.pad, y), text, font=face, fill=colour, anchor="lm")


class Stack:
    """Parts of a page one below the other: headings, tables and lines of text."""

    def __init__(self, theme: Theme, room: int, size: int) -> None:
        self.theme, self.room, self.size = theme, room, size
        self.parts: list[tuple[int, object]] = []

    def heading(self, text: str) -> None:
        self.parts.append((round(self.size * 1.9), ("heading", text)))

    def table(self, table: Table) -> None:
        self.parts.append((table.height + round(self.size * 0.3), table))

    def image(self, image: Image.Image) -> None:
        self.parts.append((image.height + round(self.size * 0.3), image))

    def text(self, text: str, bold: bool = False) -> None:
        for line in wrapped(text, self.room, self.size, bold):
            self.parts.append((round(self.size * 1.4), ("bold" if bold else "text", line)))

    @property
    def height(self) -> int:
        return sum(height for height, _ in self.parts)

    def draw(self, image: Image.Image, left: int, top: int) -> None:
        draw = ImageDraw.Draw(image)
        y = top
        for height, part in self.parts:
            if isinstance(part, Table):
                part.draw(image, self.theme, left, y)
            elif isinstance(part, Image.Image):
                image.paste(part, (left, y))
            elif isinstance(part, tuple):
                kind, text = part
                bold = kind != "text"
                size = round(self.size * 1.08) if kind == "heading" else self.size
                low = height - round(size * 0.35) if kind == "heading" else height * 0.78
                draw.text((left, y + low), text, font=font(size, bold), fill=self.theme.ink, anchor="ls")
            y += height
