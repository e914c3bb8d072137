"""A title's own tables: what lies beside the map and the market and has a page in its rulebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PIL import Image, ImageDraw

from engine.game import Game
from engine.offer import Options
from engine.rules import Page, Pieces
from renderers.kit import alt
from renderers.kit.fonts import font, width, wrapped
from renderers.kit.livery import Livery, liveries
from renderers.kit.people import badge, called
from renderers.kit.phone import TEXT, WIDTH
from renderers.kit.picture import Picture
from renderers.kit.pieces import field
from renderers.kit.tables import Cell, Column, Stack, Table
from renderers.kit.theme import LIGHT, Colour, Theme
from renderers.kit.tokens import token
from renderers.kit.words import Words

MARGIN, SIZE = 14, 25
#: Rows with more columns than this are cards on a phone.
BROAD = 4
#: Around the words of a card, and between them.
PAD, GAP = 10, 8
#: A picture is not higher than this times its width: the question and its buttons stand below on the same screen.
TALLEST = 1.3

#: A column of codes that are no companies, even if they look like some.
CODE = "code"
#: The column of whom a row is about.
COMPANY = "company"
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


def turn_pages(game: Game) -> list[Page]:
    """The tables that a turn is about; of others the row of whoever acts, if they have one."""
    step, actor = game.state.round.step, game.state.round.actor
    pages = game.rules.pages(game)
    shown = []
    for page in pages:
        if step in page.steps or (not page.steps and not page.aside):
            shown.append(page)
        elif not page.aside and any(actor in row for row in page.rows):
            shown.append(replace(page, rows=tuple(row for row in page.rows if actor in row)))
    return shown or [page for page in pages if not page.aside]


def draw_pages(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> Picture:
    """The title's tables that a turn is about, one below the other; long rows as cards that a phone can show."""
    words = Words(language)
    pages = turn_pages(game)
    stack, most = _stacked(game, pages, words, theme), max(len(page.rows) for page in pages)
    while stack.height + 2 * MARGIN > TALLEST * WIDTH and most:
        stack = _stacked(game, pages, words, theme, most)
        most -= 1
    image = Image.new("RGB", (WIDTH, stack.height + 2 * MARGIN), theme.paper)
    stack.draw(image, MARGIN, MARGIN // 2)

    def sentences(words: Words) -> list[str]:
        return [
            f"{words.own(game.definition, 'page', page.name)}: "
            + alt.listed([" ".join(called(game, str(cell), words) for cell in row if cell) for row in page.rows])
            for page in pages
        ]

    return Picture.of(image, alt.in_all_languages(sentences))


def _stacked(game: Game, pages: Sequence[Page], words: Words, theme: Theme, most: int = 0) -> Stack:
    """Tables one below the other; where there is no room for all, so many rows of each, and no notes."""
    room = WIDTH - 2 * MARGIN
    stack = Stack(theme, room, TEXT)
    for page in pages:
        rows = sorted(page.rows, key=lambda row: not set(row) & {game.state.round.actor, *game.offer().deciders})
        left = len(rows) - most if most else 0
        if left > 0:
            page = replace(page, rows=tuple(rows[:most]))
        if len(page.columns) > BROAD:
            add_cards(stack, game, page, words, theme, room, noted=not most)
        else:
            add_page(stack, game, page, words, theme, room, TEXT, noted=not most)
        if left > 0:
            stack.text(words("more_rows", n=left))
    return stack


def add_cards(
    stack: Stack, game: Game, page: Page, words: Words, theme: Theme, room: int, *, noted: bool = True
) -> None:
    """Every row as a card: who it is and whose, and below what there is to know, without what is nothing."""
    stack.heading(words.own(game.definition, "page", page.name))
    for number, row in enumerate(page.rows):
        fill = theme.panel if number % 2 == 0 else theme.paper
        stack.image(_card(game, page, row, words, theme, fill, room))
    if noted:
        _note(stack, game, page, words)


#: A word of a card: what is drawn, and in which ink; a picture stands for itself.
Word = tuple[str, bool] | Image.Image


def _card(
    game: Game,
    page: Page,
    row: Sequence[str | Pieces],
    words: Words,
    theme: Theme,
    fill: Colour,
    room: int,
) -> Image.Image:
    colours = liveries(game.definition)
    top: list[Word] = []
    right: list[Word] = []
    groups: list[list[Word]] = []
    for column, cell in zip(page.columns, row, strict=True):
        label = words.own(game.definition, "column", column)
        if isinstance(cell, Pieces):
            if cell.count:
                groups.append([(label, False), field(cell.count, cell.colour, TEXT, theme)])
        elif column == COMPANY and cell in colours:
            top += [token(cell, colours[cell], 20, theme), (game.definition.corporations[cell].name, True)]
        elif cell in game.players:
            badge_ = badge(game, cell, words, TEXT - 2)
            right = [*([badge_] if badge_ is not None else []), (called(game, cell, words), False)]
        elif not top:
            top += [(label, False), (cell.strip(), True)] if not cell.startswith(label) else [(cell.strip(), True)]
        elif cell.strip() not in ("", "–"):
            groups.append([(label, False), (called(game, cell.strip(), words), True)])
    if right:
        lines = _beside(_filled([[word] for word in top], room - 2 * PAD), right, room - 2 * PAD)
        lines += _filled(groups, room - 2 * PAD)
    else:
        lines = _filled([top, *groups], room - 2 * PAD)
    step = round(TEXT * 1.42)
    image = Image.new("RGB", (room, len(lines) * step + PAD), fill)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        y = PAD / 2 + (number + 0.5) * step
        for x, word in line:
            if isinstance(word, Image.Image):
                mask = word if word.mode == "RGBA" else None
                image.paste(word, (PAD + x, round(y) - word.height // 2), mask)
            else:
                text, bold = word
                ink = theme.ink if bold or number == 0 else theme.faint
                pen.text((PAD + x, y), text, font=font(TEXT, bold), fill=ink, anchor="lm")
    return image


def _wide(word: Word) -> int:
    return word.width if isinstance(word, Image.Image) else width(word[0], TEXT, word[1])


def _filled(groups: Sequence[Sequence[Word]], room: int) -> list[list[tuple[int, Word]]]:
    """Groups of words in lines; a group goes to the next line as a whole, and is broken if it is longer than one."""
    lines: list[list[tuple[int, Word]]] = [[]]
    x = 0
    for group in groups:
        wide = sum(map(_wide, group)) + GAP * (len(group) - 1)
        if x and x + wide > room:
            lines.append([])
            x = 0
        for word in group:
            parts: list[Word] = [word]
            if not isinstance(word, Image.Image) and x + _wide(word) > room:
                parts = [
                    (text, word[1]) for text in wrapped(word[0], room - (0 if x > room // 2 else x), TEXT, word[1])
                ]
            for part in parts:
                if x and x + _wide(part) > room:
                    lines.append([])
                    x = 0
                lines[-1].append((x, part))
                x += _wide(part) + GAP
        x += 2 * GAP
    return [line for line in lines if line]


def _beside(lines: list[list[tuple[int, Word]]], right: Sequence[Word], room: int) -> list[list[tuple[int, Word]]]:
    """Whose it is, at the right of the first line, or in a line of its own where there is no room."""
    wide = sum(map(_wide, right)) + GAP * (len(right) - 1)
    used = max((x + _wide(word) for x, word in lines[0]), default=0) if lines else 0
    x = room - wide
    line = []
    for word in right:
        line.append((x, word))
        x += _wide(word) + GAP
    if lines and used + GAP <= room - wide:
        return [[*lines[0], *line], *lines[1:]]
    return [*lines, line]


def _company(code: str, livery: Livery, theme: Theme, size: int) -> Image.Image:
    """A company's token, and its code beside it: large enough to be read on a phone."""
    disc = token(code, livery, 15, theme)
    wide = disc.width + 8 + width(code, size, True)
    image = Image.new("RGBA", (wide, max(disc.height, size + 8)), (0, 0, 0, 0))
    image.paste(disc, (0, (image.height - disc.height) // 2), disc)
    pen = ImageDraw.Draw(image)
    pen.text((wide, image.height / 2), code, font=font(size, True), fill=(*theme.ink, 255), anchor="rm")
    return image


def add_page(
    stack: Stack,
    game: Game,
    page: Page,
    words: Words,
    theme: Theme,
    room: int,
    least: int = 0,
    *,
    noted: bool = True,
) -> None:
    """One table under its heading; numbers stand to the right. No lettering is smaller than the `least`, if given."""
    size = max(SIZE, least)
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
            return field(cell.count, cell.colour, size, theme)
        company = cell in colours and column != CODE
        return _company(cell, colours[cell], theme, size) if company else called(game, cell, words)

    rows = [[drawn(name, cell) for name, cell in zip(page.columns, row, strict=True)] for row in page.rows]
    stack.table(Table(columns, rows, room, size, least))
    if noted:
        _note(stack, game, page, words)


def _note(stack: Stack, game: Game, page: Page, words: Words) -> None:
    note = game.definition.words.get(words.language, {}).get(f"page_note.{page.name}")
    if note:
        stack.text(note)
