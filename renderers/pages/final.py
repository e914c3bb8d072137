"""The end of a game: places, cash, shares by company and loans in a table, and the worth over the rounds as a chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from PIL import Image, ImageDraw

from engine.finance import shares
from engine.game import Game
from renderers.kit import alt
from renderers.kit.fonts import font
from renderers.kit.panel import header
from renderers.kit.people import drawn, person
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Table, Text
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.words import Words
from renderers.pages.chronicle import Chronicle
from renderers.pages.finances import draw_chart, worth_lines

WIDTH, MARGIN, HEAD, SIZE = 900, 14, 50, 25
CHART = 460
#: With more companies than this their shares do not stand side by side any more, but one below the other.
ACROSS = 8


def standings(game: Game) -> list[tuple[int, str, int]]:
    """Place, player and score, the best first; equal scores share a place."""
    return game.standings()


def draw_final(
    game: Game, chronicle: Chronicle | None = None, *, theme: Theme = LIGHT, language: str = "en"
) -> Picture:
    """How a game has ended; without a chronicle it is played through once more to get one."""
    course = chronicle if chronicle is not None else Chronicle.of(game)
    words = Words(language)
    room = WIDTH - 2 * MARGIN
    table = (
        final_table(game, words, theme, room)
        if game.definition.priced
        else received_table(game, course, words, theme, room)
    )
    top = HEAD + MARGIN + table.height + MARGIN
    image = Image.new("RGB", (WIDTH, top + 40 + CHART + MARGIN), theme.paper)
    header(image, theme, game.definition.name, words.when(game), HEAD, MARGIN)
    table.draw(image, theme, MARGIN, HEAD + MARGIN)
    draw = ImageDraw.Draw(image)
    draw.text(
        (MARGIN, top + 16),
        words("worth_chart" if game.definition.priced else "received_chart"),
        font=font(25, True),
        fill=theme.ink,
        anchor="lm",
    )
    lines = worth_lines(game, course)
    labels = [words.round_short(game.definition, *m.where) for m in course.moments] + ["•"]
    named = {drawn(game, player, words): values for player, values in lines.items()}
    draw_chart(image, (MARGIN, top + 40, WIDTH - MARGIN, top + 40 + CHART), named, labels, theme)

    def sentences(words: Words) -> list[str]:
        places = [f"{place}. {name} {score}" for place, name, score in standings(game)]
        return [words("alt_final", title=game.definition.name, places=alt.listed(places), n=len(course.moments))]

    return Picture.of(image, alt.in_all_languages(sentences))


def received_table(game: Game, course: Chronicle, words: Words, theme: Theme, room: int) -> Table:
    """Where nothing has a price, everybody's score is what the companies have paid them."""
    codes = [code for code in game.state.companies if code in course.dividends]
    columns = [Column(""), Column(words("player"), most=0.22), *(Column(code, right=True) for code in codes)]
    columns += [Column(words("certificates"), right=True), Column(words("received"), right=True, firm=True)]
    rows: list[list[Cell]] = []
    for place, name, score in standings(game):
        row: list[Cell] = [
            Text(f"{place}.", True),
            person(game, name, words, theme, SIZE, round(room * 0.22), bold=place == 1),
        ]
        got = course.received.get(name, Counter[str]())
        row += [str(got[code]) if got[code] else "·" for code in codes]
        row += [str(shares.certificates(game, name)), Text(str(score), True)]
        rows.append(row)
    return Table(columns, rows, room, SIZE)


def final_table(game: Game, words: Words, theme: Theme, room: int) -> Table:
    """What everybody's score is made of."""
    state = game.state
    held = {
        code: {name: shares.worth(game, code, shares.held(game, code, name)) for _, name, _ in standings(game)}
        for code in state.companies
    }
    codes = [code for code in held if any(held[code].values())]
    loans = any(state.loans.get(name) for name in state.players)
    rest = {
        name: score - state.cash[name] - sum(held[code][name] for code in codes) + 2 * state.loans.get(name, 0)
        for _, name, score in standings(game)
    }
    others = any(rest.values())
    if len(codes) > ACROSS:
        return _downward(game, words, theme, room, {code: held[code] for code in codes}, rest if others else {})
    columns = [Column(""), Column(words("player"), most=0.22), Column(words("cash"), right=True, firm=True)]
    columns += [Column(code, right=True) for code in codes]
    columns += [Column(words("loans"), right=True)] if loans else []
    columns += [Column(words("others"), right=True)] if others else []
    columns += [Column(words("certificates"), right=True), Column(words("worth"), right=True, firm=True)]
    rows: list[list[Cell]] = []
    for place, name, score in standings(game):
        row: list[Cell] = [
            Text(f"{place}.", True),
            person(game, name, words, theme, SIZE, round(room * 0.22), bold=place == 1),
            str(state.cash[name]),
        ]
        row += [str(held[code][name]) if held[code][name] else "·" for code in codes]
        row += [f"−{2 * state.loans[name]}" if state.loans.get(name) else "·"] if loans else []
        row += [str(rest[name]) if rest[name] else "·"] if others else []
        row += [str(shares.certificates(game, name)), Text(str(score), True)]
        rows.append(row)
    return Table(columns, rows, room, SIZE)


def _downward(
    game: Game, words: Words, theme: Theme, room: int, held: Mapping[str, Mapping[str, int]], rest: Mapping[str, int]
) -> Table:
    """Who held what, with a column for each player, for games with many companies."""
    state, places = game.state, standings(game)
    names = [name for _, name, _ in places]
    columns = [Column("")]
    each = round(room * 0.8 / max(len(places), 1))
    columns += [
        Column(person(game, name, words, theme, SIZE, each, star=f"{place}. "), right=True, firm=True)
        for place, name, _ in places
    ]

    def row(label: str, values: Mapping[str, int], bold: bool = False) -> list[Cell]:
        return [
            Text(label, bold),
            *(Text(str(values[name]).replace("-", "−") if values[name] or bold else "·", bold) for name in names),
        ]

    rows = [row(words("cash"), {name: state.cash[name] for name in names})]
    rows += [row(code, worth) for code, worth in held.items()]
    if any(state.loans.get(name) for name in names):
        rows.append(row(words("loans"), {name: -2 * state.loans.get(name, 0) for name in names}))
    rows += [row(words("others"), rest)] if rest else []
    rows.append(row(words("certificates"), {name: shares.certificates(game, name) for name in names}))
    rows.append(row(words("worth"), {name: score for _, name, score in places}, bold=True))
    return Table(columns, rows, room, SIZE)
