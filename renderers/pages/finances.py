"""Finances: the worth of each player over the rounds as a chart, and the dividends of each company."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PIL import Image, ImageDraw

from engine.game import Game
from renderers.hexes.paths import style
from renderers.hexes.strokes import dashes, ribbon
from renderers.kit import alt
from renderers.kit.fonts import font, width
from renderers.kit.livery import liveries
from renderers.kit.panel import header
from renderers.kit.people import distinct, drawn
from renderers.kit.picture import Picture
from renderers.kit.theme import LIGHT, Theme, mixed
from renderers.kit.tokens import token
from renderers.kit.words import Words
from renderers.pages.chronicle import Chronicle

WIDTH, MARGIN, HEAD = 780, 14, 48
CHART = 470
BAR_HEIGHT = 50


def draw_finances(
    game: Game, chronicle: Chronicle | None = None, *, theme: Theme = LIGHT, language: str = "en"
) -> Picture:
    """The course of the money; without a chronicle the game is played through once more to get one."""
    course = chronicle if chronicle is not None else Chronicle.of(game)
    words = Words(language)
    totals = {code: sum(amounts) for code, amounts in course.dividends.items()}
    ranked = sorted(totals, key=lambda code: (-totals[code], code))
    bars = max(len(ranked), 1) * BAR_HEIGHT
    image = Image.new("RGB", (WIDTH, HEAD + 46 + CHART + 56 + bars + MARGIN), theme.paper)
    header(image, theme, game.definition.name, words.when(game), HEAD, MARGIN)
    draw = ImageDraw.Draw(image)
    draw.text(
        (MARGIN, HEAD + 30),
        words("worth_chart" if game.definition.priced else "received_chart"),
        font=font(25, True),
        fill=theme.ink,
        anchor="lm",
    )
    lines = worth_lines(game, course)
    labels = [words.round_short(game.definition, *m.where) for m in course.moments] + ["•"]
    named = {drawn(game, player, words): values for player, values in lines.items()}
    draw_chart(image, (MARGIN, HEAD + 52, WIDTH - MARGIN, HEAD + 46 + CHART), named, labels, theme)
    top = HEAD + 46 + CHART
    draw.text((MARGIN, top + 32), words("dividend_chart"), font=font(25, True), fill=theme.ink, anchor="lm")
    if not ranked:
        draw.text((MARGIN, top + 78), words("no_dividends"), font=font(24), fill=theme.faint, anchor="lm")
    _bars(image, game, [(code, totals[code], len(course.dividends[code])) for code in ranked], top + 56, theme)

    def sentences(words: Words) -> list[str]:
        people = [f"{name} {values[-1]}" for name, values in sorted(lines.items(), key=lambda item: -item[1][-1])]
        paid = [f"{code} {totals[code]}" for code in ranked]
        return [words("alt_finances", n=len(course.moments), players=alt.listed(people), dividends=alt.listed(paid))]

    return Picture.of(image, alt.in_all_languages(sentences))


def worth_lines(game: Game, course: Chronicle) -> dict[str, list[int]]:
    """For each player the worth at the start of every round, and now."""
    now = game.rules.score(game)
    return {
        player: [moment.worth[index] for moment in course.moments] + [now[player]]
        for index, player in enumerate(course.players)
    }


def _step(top: int) -> int:
    """A round distance of grid lines, so that there are four to eight of them."""
    for step in (50, 100, 200, 250, 500, 1000, 2000, 2500, 5000):
        if top <= step * 7:
            return step
    return 10_000


def draw_chart(
    image: Image.Image, box: tuple[int, int, int, int], lines: dict[str, list[int]], labels: list[str], theme: Theme
) -> None:
    """Lines over the rounds, each with its name at its end."""
    left, top, right, bottom = box
    draw = ImageDraw.Draw(image)
    highest = max(max(values) for values in lines.values())
    lowest = min(0, min(min(values) for values in lines.values()))
    step = _step(max(highest - lowest, 1))
    ceiling = -(-highest // step) * step or step
    floor = -(-lowest // step) * step if lowest >= 0 else lowest // step * step
    name_room = 190
    plot = (left + 70, top + 14, right - name_room, bottom - 40)
    scale_y = (plot[3] - plot[1]) / (ceiling - floor)
    count = len(labels)
    scale_x = (plot[2] - plot[0]) / max(count - 1, 1)

    def point(index: int, value: int) -> tuple[float, float]:
        return plot[0] + index * scale_x, plot[3] - (value - floor) * scale_y

    for value in range(floor, ceiling + 1, step):
        _, y = point(0, value)
        draw.line((plot[0], y, plot[2], y), fill=theme.line)
        draw.text((plot[0] - 8, y), str(value), font=font(20), fill=theme.faint, anchor="rm")
    _round_labels(draw, labels, [point(index, floor)[0] for index in range(count)], plot[3], theme)
    for number, values in enumerate(lines.values()):
        _line(image, plot, [point(index, value) for index, value in enumerate(values)], number, theme)
    _names(image, lines, point, plot, count, name_room, theme)


def _round_labels(draw: ImageDraw.ImageDraw, labels: list[str], places: list[float], base: int, theme: Theme) -> None:
    """As many round labels as fit side by side."""
    last = -1000.0
    for text, x in zip(labels, places, strict=True):
        wide = width(text, 18)
        if x - wide / 2 > last + 10:
            draw.line((x, base, x, base + 6), fill=theme.faint)
            draw.text((x, base + 20), text, font=font(18), fill=theme.faint, anchor="mm")
            last = x + wide / 2


def _line(
    image: Image.Image, plot: tuple[int, int, int, int], points: list[tuple[float, float]], number: int, theme: Theme
) -> None:
    look = style(number)
    wide, high = plot[2] - plot[0] + 24, plot[3] - plot[1] + 24
    big = Image.new("RGBA", (wide * 2, high * 2), (*theme.paper, 0))
    draw = ImageDraw.Draw(big)
    moved = [((x - plot[0] + 12) * 2, (y - plot[1] + 12) * 2) for x, y in points]
    colour = _on_paper(number, theme)
    for stretch in dashes(moved, [part * 120 for part in look.dash]):
        for one, other in pairwise(stretch):
            draw.polygon(ribbon((one, other), 10), fill=(*colour, 255))
            for x, y in (one, other):
                draw.ellipse((x - 5, y - 5, x + 5, y + 5), fill=(*colour, 255))
    small = big.reduce(2)
    image.paste(small, (plot[0] - 12, plot[1] - 12), small)


def _on_paper(number: int, theme: Theme) -> tuple[int, int, int]:
    colour = style(number).colour
    return colour if theme.name == "light" else mixed(colour, (255, 255, 255), 0.4)


def _names(
    image: Image.Image,
    lines: dict[str, list[int]],
    point: Callable[[int, int], tuple[float, float]],
    plot: tuple[int, int, int, int],
    count: int,
    room: int,
    theme: Theme,
) -> None:
    """Name and worth at the end of each line, moved apart where lines end together."""
    draw = ImageDraw.Draw(image)
    ends = sorted(
        (point(count - 1, values[-1])[1], number, name, values[-1])
        for number, (name, values) in enumerate(lines.items())
    )
    gap = 50
    places: list[float] = []
    for y, *_ in ends:
        places.append(max(y, places[-1] + gap) if places else y)
    over = places[-1] - (plot[3] - 12)
    if over > 0:
        for index in reversed(range(len(places))):
            most = plot[3] - 12 if index == len(places) - 1 else places[index + 1] - gap
            places[index] = min(places[index], most)
    fitting = distinct(list(lines), room - 24, 22, True)
    for (end, number, _, value), y in zip(ends, places, strict=True):
        colour = _on_paper(number, theme)
        x = plot[2] + 16
        draw.line((plot[2] + 2, end, x - 2, y), fill=colour, width=2)
        draw.text((x, y - 11), fitting[number], font=font(22, True), fill=colour, anchor="lm")
        draw.text((x, y + 13), str(value), font=font(21), fill=theme.ink, anchor="lm")


def _bars(image: Image.Image, game: Game, rows: list[tuple[str, int, int]], top: int, theme: Theme) -> None:
    """A bar for each company that paid: its token, the sum, how many times."""
    draw = ImageDraw.Draw(image)
    colours = liveries(game.definition)
    most = max((total for _, total, _ in rows), default=1) or 1
    room = WIDTH - 2 * MARGIN - 60 - 190
    for number, (code, total, times) in enumerate(rows):
        y = top + number * BAR_HEIGHT + BAR_HEIGHT // 2
        disc = token(code, colours[code], 21, theme)
        image.paste(disc, (MARGIN, y - 21), disc)
        long = max(round(room * total / most), 2)
        x = MARGIN + 56
        draw.rectangle((x, y - 14, x + long, y + 14), fill=colours[code].fill, outline=theme.faint)
        draw.text((x + long + 10, y), f"{total} ({times}×)", font=font(23), fill=theme.ink, anchor="lm")
