"""Headers, legends and other text around a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from renderers.kit.fonts import fitted, font, width, wrapped
from renderers.kit.theme import Theme


@dataclass(frozen=True)
class LegendItem:
    """A sign with its meaning."""

    sign: Image.Image
    text: str


def header(image: Image.Image, theme: Theme, left: str, right: str, height: int, margin: int) -> None:
    """A band at the top with the subject on the left and the moment on the right."""
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, image.width, height - 1), fill=theme.panel)
    draw.line((0, height - 1, image.width, height - 1), fill=theme.line)
    room = image.width - 2 * margin
    size = round(height * 0.48)
    gap = size
    subject, big = fitted(left, round(room * 0.5), size, round(size * 0.6), True)
    draw.text((margin, height / 2), subject, font=font(big, True), fill=theme.ink, anchor="lm")
    rest = room - width(subject, big, True) - gap
    moment, small = fitted(right, rest, round(size * 0.9), round(size * 0.5))
    draw.text((image.width - margin, height / 2), moment, font=font(small), fill=theme.faint, anchor="rm")


class Legend:
    """Items in lines that break at the width; a text too long for a line goes on below itself."""

    def __init__(self, items: Sequence[LegendItem], room: int, size: int) -> None:
        self.size = size
        self.gap = round(size * 0.4)
        self.line_height = max([round(size * 1.7), *(item.sign.height + 6 for item in items)])
        self.text_height = round(size * 1.25)
        self.rows: list[list[tuple[int, LegendItem, list[str]]]] = []
        x = 0
        for item in items:
            lines = wrapped(item.text, room - item.sign.width - self.gap, size)
            wide = item.sign.width + self.gap + max(width(line, size) for line in lines)
            if not self.rows or (x and x + wide > room):
                self.rows.append([])
                x = 0
            self.rows[-1].append((x, item, lines))
            x += wide + round(size * 1.3)

    def _row_height(self, row: list[tuple[int, LegendItem, list[str]]]) -> int:
        return self.line_height + (max(len(lines) for _, _, lines in row) - 1) * self.text_height

    @property
    def height(self) -> int:
        return sum(self._row_height(row) for row in self.rows)

    def draw(self, image: Image.Image, theme: Theme, left: int, top: int) -> None:
        draw = ImageDraw.Draw(image)
        for row in self.rows:
            y = top + self.line_height // 2
            for x, item, lines in row:
                sign = item.sign
                image.paste(sign, (left + x, y - sign.height // 2), sign if sign.mode == "RGBA" else None)
                start = left + x + sign.width + self.gap
                for number, line in enumerate(lines):
                    spot = (start, y + number * self.text_height)
                    draw.text(spot, line, font=font(self.size), fill=theme.ink, anchor="lm")
            top += self._row_height(row)
