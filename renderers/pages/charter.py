"""The charter of one company: certificates, trains, stations, money, and what is special about it."""

from __future__ import annotations

from dataclasses import replace

from PIL import Image, ImageDraw

from engine.finance.depot import counting
from engine.game import Game
from engine.state import ASIDE, OFFERING, POOL, REMOVED
from renderers.hexes.icons import SIGNS, signed
from renderers.kit import alt
from renderers.kit.fonts import fitted, font, wrapped
from renderers.kit.livery import liveries
from renderers.kit.panel import header
from renderers.kit.people import called, drawn, person
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Stack, Table, Text
from renderers.kit.theme import LIGHT, Theme, mixed
from renderers.kit.tokens import token
from renderers.kit.words import Words
from renderers.pages.own import add_page
from renderers.pages.sheet import company_state, income_word, possessions

WIDTH, MARGIN, HEAD, SIZE = 780, 14, 48, 25
NAME_HEIGHT = 104


def draw_charter(game: Game, company: str, *, theme: Theme = LIGHT, language: str = "en") -> Picture:
    """All about one company."""
    words = Words(language)
    charter = game.definition.corporations[company]
    room = WIDTH - 2 * MARGIN
    stack = Stack(theme, room, SIZE)
    stack.table(_facts(game, company, words, theme, room))
    stack.heading(words("share_of"))
    stack.image(_certificates(game, company, words, theme, room))
    if charter.homes:
        stack.heading(words("trains"))
        stack.image(train_boxes(game, company, words, theme, room))
        stack.heading(words("placed" if game.definition.priced else "placed_free"))
        stack.image(_stations(game, company, theme, room))
    for page in game.rules.pages(game):
        own = tuple(row for row in page.rows if company in row)
        if own:
            add_page(stack, game, replace(page, rows=own), words, theme, room)
    owned = possessions(game, company, words)
    if owned:
        stack.text(f"{words('possessions')}: {owned}")
    special = _special(game, company, words)
    if special:
        stack.text(special)
    image = Image.new("RGB", (WIDTH, HEAD + NAME_HEIGHT + stack.height + 2 * MARGIN), theme.paper)
    header(image, theme, game.definition.name, words.when(game), HEAD, MARGIN)
    _title(image, game, company, theme)
    stack.draw(image, MARGIN, HEAD + NAME_HEIGHT)

    def sentences(words: Words) -> list[str]:
        state = game.company(company)
        money = [f"{words('price')} {game.prices.value(company) or '–'}"]
        money.append(f"{words('treasury')} {game.state.cash[company]}")
        facts = [
            f"{words('director')} {called(game, state.director, words) or '–'}",
            *(money if game.definition.priced else []),
            f"{words('trains')} {' '.join(game.rules.trains.labels(game, company)) or '–'}",
            f"{words(income_word(game, company))} {'–' if state.last_revenue is None else state.last_revenue}",
            company_state(game, company, words),
        ]
        return [words("alt_charter", name=charter.name, code=company, facts=", ".join(facts))]

    return Picture.of(image, alt.in_all_languages(sentences))


def _special(game: Game, company: str, words: Words) -> str:
    """What the title says about the company, in the reader's language if it can."""
    return game.definition.corporations[company].special.get(words.language, "")


def _title(image: Image.Image, game: Game, company: str, theme: Theme) -> None:
    """The company's band with its token and its full name."""
    livery = liveries(game.definition)[company]
    draw = ImageDraw.Draw(image)
    top = HEAD
    draw.rectangle((0, top, WIDTH, top + NAME_HEIGHT - 12), fill=mixed(livery.fill, theme.paper, 0.82))
    draw.rectangle((0, top + NAME_HEIGHT - 18, WIDTH, top + NAME_HEIGHT - 12), fill=livery.fill)
    disc = token(company, livery, 36, theme)
    image.paste(disc, (MARGIN, top + 8), disc)
    name = game.definition.corporations[company].name
    room = WIDTH - 3 * MARGIN - 72
    size = 32
    lines = wrapped(name, room, size, True)
    if len(lines) > 2:
        size = 25
        lines = wrapped(name, room, size, True)[:2]
    for number, line in enumerate(lines):
        y = top + 44 + (number - (len(lines) - 1) / 2) * size * 1.15
        draw.text((2 * MARGIN + 72, y), line, font=font(size, True), fill=theme.ink, anchor="lm")


def _facts(game: Game, company: str, words: Words, theme: Theme, room: int) -> Table:
    state = game.company(company)
    charter = game.definition.corporations[company]
    price = game.prices.value(company)
    columns = [Column(words("director"), most=0.3)]
    if game.definition.priced:
        columns += [Column(words(key), right=True) for key in ("price", "par", "treasury")]
    columns += [Column(words(income_word(game, company)), right=True), Column(words("state"), most=0.34)]
    condition = company_state(game, company, words)
    if not state.floated:
        condition = f"{condition} ({words('float').lower()} {charter.float_percent} %)"
    money: list[Cell] = [
        Text(str(price) if price else words("nobody"), True),
        str(state.par) if state.par else words("nobody"),
        Text(str(game.state.cash[company]), True),
    ]
    rows: list[list[Cell]] = [
        [
            person(game, state.director, words, theme, SIZE, round(room * 0.3), bold=True)
            if state.director
            else words("nobody"),
            *(money if game.definition.priced else []),
            words("nobody") if state.last_revenue is None else str(state.last_revenue),
            condition,
        ]
    ]
    return Table(columns, rows, room, SIZE)


def holder_name(game: Game, company: str, holder: str, words: Words) -> str:
    """Who holds a certificate, in words."""
    places = {POOL: words("pool"), ASIDE: words("aside"), REMOVED: words("removed"), company: words("own")}
    places[OFFERING] = words("offering" if game.definition.priced else "display")
    return places[holder] if holder in places else drawn(game, holder, words)


def _certificates(game: Game, company: str, words: Words, theme: Theme, room: int) -> Image.Image:
    """A card for each certificate with its holder; the first is the director's."""
    shares = game.definition.corporations[company].shares
    owners = game.company(company).certificates
    livery = liveries(game.definition)[company]
    per_row = 5
    wide, high = room // per_row, 76
    rows = -(-len(shares) // per_row)
    image = Image.new("RGB", (room, rows * (high + 6)), theme.paper)
    draw = ImageDraw.Draw(image)
    for number, (share, owner) in enumerate(zip(shares, owners, strict=True)):
        x, y = number % per_row * wide, number // per_row * (high + 6)
        held = owner in game.state.players
        draw.rounded_rectangle(
            (x + 1, y + 1, x + wide - 7, y + high - 2), 7,
            fill=mixed(livery.fill, theme.paper, 0.75 if held else 0.94), outline=livery.fill if held else theme.line,
            width=4 if number == 0 else 2,
        )  # fmt: skip
        sign = "♦ " if number == 0 else ""
        draw.text((x + wide / 2 - 3, y + 23), f"{sign}{share} %", font=font(24, True), fill=theme.ink, anchor="mm")
        if owner in game.players:
            name = person(game, owner, words, theme, 21, wide - 22)
            image.paste(name, (round(x + (wide - 6 - name.width) / 2), y + 53 - name.height // 2), name)
            continue
        text, size = fitted(holder_name(game, company, owner, words), wide - 22, 21, 14)
        draw.text((x + wide / 2 - 3, y + 53), text, font=font(size), fill=theme.ink, anchor="mm")
    return image


def train_boxes(game: Game, company: str, words: Words, theme: Theme, room: int) -> Image.Image:
    """A box for each train that the company may hold; empty ones are pale."""
    trains = game.rules.trains.labels(game, company)
    beyond = len(trains) - len(counting(game, company))
    places = max(game.phase.train_limit + beyond, len(trains), 1)
    wide, high = min(room // places, 130), 66
    image = Image.new("RGB", (room, high + 4), theme.paper)
    draw = ImageDraw.Draw(image)
    for number in range(places):
        x = number * wide
        filled = number < len(trains)
        draw.rounded_rectangle(
            (x + 1, 2, x + wide - 8, high), 7, fill=theme.panel if filled else theme.paper,
            outline=theme.ink if filled else theme.line, width=3 if filled else 2,
        )  # fmt: skip
        text = trains[number] if filled else words("nobody")
        ink = theme.ink if filled else theme.faint
        draw.text((x + wide / 2 - 3, high / 2 + 1), text, font=font(36, True), fill=ink, anchor="mm")
    return image


def _stations(game: Game, company: str, theme: Theme, room: int) -> Image.Image:
    """Tokens on the map with their hexes, then those left with their cost."""
    livery = liveries(game.definition)[company]
    state = game.company(company)
    charter = game.definition.corporations[company]
    if state.active:
        placed = [at for at, _ in game.board.stations_of(company)]
    else:
        placed = [f"({home.at})" for home in charter.homes]
    priced = game.definition.priced
    kinds = game.rules.token_kinds(game, company)
    labels = [(text, False, "") for text in placed]
    labels += [(str(cost) if priced else "", True, kind) for cost, kind in zip(state.tokens_left, kinds, strict=True)]
    wide, high = min(room // max(len(labels), 1), 118), 98
    image = Image.new("RGB", (room, high), theme.paper)
    draw = ImageDraw.Draw(image)
    for number, (text, left, kind) in enumerate(labels):
        x = number * wide + wide // 2
        disc = token(company, livery, 30, theme, reserved=left)
        disc = signed(disc, kind, theme) if kind in SIGNS else disc
        image.paste(disc, (x - 30, 2), disc)
        draw.text((x, 80), text, font=font(24, not left), fill=theme.faint if left else theme.ink, anchor="mm")
    return image
