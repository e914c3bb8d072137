"""Headers, legends and other text around a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from renderers.fonts import fitted, font, width
from renderers.theme import Theme


@dataclass(frozen=True)
class Item:
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
    """Items in lines that break at the width."""

    def __init__(self, items: Sequence[Item], room: int, size: int) -> None:
        self.size = size
        self.line_height = max([round(size * 1.7), *(item.sign.height + 6 for item in items)])
        self.rows: list[list[tuple[int, Item]]] = []
        x = 0
        for item in items:
            wide = item.sign.width + round(size * 0.4) + width(item.text, size)
            if not self.rows or (x and x + wide > room):
                self.rows.append([])
                x = 0
            self.rows[-1].append((x, item))
            x += wide + round(size * 1.3)

    @property
    def height(self) -> int:
        return len(self.rows) * self.line_height

    def draw(self, image: Image.Image, theme: Theme, left: int, top: int) -> None:
        draw = ImageDraw.Draw(image)
        for number, row in enumerate(self.rows):
            y = top + number * self.line_height + self.line_height // 2
            for x, item in row:
                sign = item.sign
                image.paste(sign, (left + x, y - sign.height // 2), sign if sign.mode == "RGBA" else None)
                start = left + x + sign.width + round(self.size * 0.4)
                draw.text((start, y), item.text, font=font(self.size), fill=theme.ink, anchor="lm")
