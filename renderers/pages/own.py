"""A title's own tables: what lies beside the map and the market and has a page in its rulebook."""

from __future__ import annotations

from PIL import Image

from engine.game import Game
from engine.offer import Options
from engine.rules import Page, Pieces
from renderers.kit import alt
from renderers.kit.livery import liveries
from renderers.kit.panel import header
from renderers.kit.people import called
from renderers.kit.picture import Picture
from renderers.kit.pieces import field
from renderers.kit.tables import Cell, Column, Stack, Table
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.tokens import token
from renderers.kit.words import Words

WIDTH, MARGIN, HEAD, SIZE = 1000, 14, 56, 27

#: Rounds that are about lots, the market or the map.
COMMON = ("package", "stock", "operating")


def about_pages(game: Game) -> bool:
    """Whether the present turn is about the title's own tables: a round of its own, or a company without stations."""
    if not game.rules.pages(game):
        return False
    charter = game.definition.corporations.get(game.state.round.actor)
    return game.state.round.kind not in COMMON or (charter is not None and not charter.homes)


def asks_place(game: Game) -> bool:
    """Whether something on offer begins with a place on the map."""
    domains = (choice.ask({}) for choice in game.offer().choices)
    return any(isinstance(domain, Options) and domain.name == "hex" for domain in domains)


def draw_pages(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> Picture:
    """All tables of the title, one below the other."""
    words = Words(language)
    room = WIDTH - 2 * MARGIN
    stack = Stack(theme, room, SIZE)
    pages = game.rules.pages(game)
    for page in pages:
        add_page(stack, game, page, words, theme, room)
    image = Image.new("RGB", (WIDTH, HEAD + stack.height + 2 * MARGIN), theme.paper)
    header(image, theme, game.definition.name, words.when(game), HEAD, MARGIN)
    stack.draw(image, MARGIN, HEAD + MARGIN // 2)

    def sentences(words: Words) -> list[str]:
        return [
            f"{words.own(game.definition, 'page', page.name)}: "
            + alt.listed([" ".join(called(game, str(cell), words) for cell in row if cell) for row in page.rows])
            for page in pages
        ]

    return Picture.of(image, alt.in_all_languages(sentences))


def add_page(stack: Stack, game: Game, page: Page, words: Words, theme: Theme, room: int) -> None:
    """One table under its heading; numbers stand to the right."""
    colours = liveries(game.definition)
    stack.heading(words.own(game.definition, "page", page.name))
    columns = []
    for number, name in enumerate(page.columns):
        cells = [row[number] for row in page.rows]
        right = bool(cells) and all(isinstance(cell, str) and (cell.isdecimal() or cell in ("", "–")) for cell in cells)
        columns.append(Column(words.own(game.definition, "column", name), right=right))

    def drawn(cell: str | Pieces) -> Cell:
        if isinstance(cell, Pieces):
            return field(cell.count, cell.colour, SIZE, theme)
        return token(cell, colours[cell], 19, theme) if cell in colours else called(game, cell, words)

    rows = [[drawn(cell) for cell in row] for row in page.rows]
    stack.table(Table(columns, rows, room, SIZE))
    note = game.definition.words.get(words.language, {}).get(f"page_note.{page.name}")
    if note:
        stack.text(note)
