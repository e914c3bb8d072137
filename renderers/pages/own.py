"""A title's own tables: what lies beside the map and the market and has a page in its rulebook."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.game import Game
from engine.offer import Options
from engine.rules import Page, Pieces
from renderers.kit import alt
from renderers.kit.fonts import font, width
from renderers.kit.livery import Livery, liveries
from renderers.kit.panel import header
from renderers.kit.people import called
from renderers.kit.picture import Picture
from renderers.kit.pieces import field
from renderers.kit.tables import Cell, Column, Stack, Table
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.tokens import token
from renderers.kit.words import Words

WIDTH, MARGIN, HEAD, SIZE = 780, 14, 48, 25

#: A column of codes that are no companies, even if they look like some.
CODE = "code"
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
    """The title's tables that a turn is about, one below the other."""
    words = Words(language)
    room = WIDTH - 2 * MARGIN
    stack = Stack(theme, room, SIZE)
    pages = [page for page in game.rules.pages(game) if not page.aside]
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


def _company(code: str, livery: Livery, theme: Theme) -> Image.Image:
    """A company's token, and its code beside it: large enough to be read on a phone."""
    disc = token(code, livery, 15, theme)
    wide = disc.width + 8 + width(code, SIZE, True)
    image = Image.new("RGBA", (wide, max(disc.height, SIZE + 8)), (0, 0, 0, 0))
    image.paste(disc, (0, (image.height - disc.height) // 2), disc)
    pen = ImageDraw.Draw(image)
    pen.text((wide, image.height / 2), code, font=font(SIZE, True), fill=(*theme.ink, 255), anchor="rm")
    return image


def add_page(stack: Stack, game: Game, page: Page, words: Words, theme: Theme, room: int) -> None:
    """One table under its heading; numbers stand to the right."""
    colours = liveries(game.definition)
    stack.heading(words.own(game.definition, "page", page.name))
    columns = []
    for number, name in enumerate(page.columns):
        cells = [row[number] for row in page.rows]
        right = bool(cells) and all(isinstance(cell, str) and (cell.isdecimal() or cell in ("", "–")) for cell in cells)
        # Pictures are not made narrower.
        firm = name != CODE and any(isinstance(cell, Pieces) or cell in colours for cell in cells)
        columns.append(Column(words.own(game.definition, "column", name), right=right, firm=firm))

    def drawn(column: str, cell: str | Pieces) -> Cell:
        if isinstance(cell, Pieces):
            return field(cell.count, cell.colour, SIZE, theme)
        company = cell in colours and column != CODE
        return _company(cell, colours[cell], theme) if company else called(game, cell, words)

    rows = [[drawn(name, cell) for name, cell in zip(page.columns, row, strict=True)] for row in page.rows]
    stack.table(Table(columns, rows, room, SIZE))
    note = game.definition.words.get(words.language, {}).get(f"page_note.{page.name}")
    if note:
        stack.text(note)
