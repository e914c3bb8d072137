"""The auction board: every lot with its price, its power and the bids on it, and what everybody can still spend."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.finance import shares
from engine.game import Game
from engine.rounds.sale import AUCTION, BUY, SOLD, Lot, Sale
from renderers.kit import alt
from renderers.kit.fonts import fitted, font, width, wrapped
from renderers.kit.panel import header
from renderers.kit.people import drawn
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Table, Text
from renderers.kit.theme import LIGHT, Theme, mixed
from renderers.kit.words import Words

WIDTH, MARGIN, HEAD, SIZE = 780, 14, 48, 25
#: Lines of a lot: its name, its power (which may need two), its bids.
NAME, LINE, GAP = 40, 30, 8


def sale_of(game: Game) -> Sale | None:
    """What is for sale in the present round, if it sells lots."""
    return None if game.finished else game.rules.rounds[game.state.round.kind].sale(game)


def draw_auction(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> Picture:
    """The lots of the present round; ValueError if it sells none."""
    sale = sale_of(game)
    if sale is None:
        raise ValueError(f"a round of the kind {game.state.round.kind} sells no lots")
    words = Words(language)
    room = WIDTH - 2 * MARGIN
    board = lots_board(game, sale, words, theme, room)
    table = cash_table(game, sale, words, theme, room)
    image = Image.new("RGB", (WIDTH, HEAD + GAP + table.height + GAP + board.height + MARGIN), theme.paper)
    header(image, theme, game.definition.name, words.when(game), HEAD, MARGIN)
    table.draw(image, theme, MARGIN, HEAD + GAP)
    image.paste(board, (MARGIN, HEAD + GAP + table.height + GAP))

    def sentences(words: Words) -> list[str]:
        lots = [f"{lot.number} {lot.id} {_state(game, lot, words)}{_alt_bids(lot)}" for lot in sale.lots]
        people = [f"{player} {cash}" for player, cash in sale.free.items()]
        facts = {"title": game.definition.name, "when": words.when(game)}
        return [words("alt_auction", lots=alt.listed(lots), players=alt.listed(people), **facts)]

    return Picture.of(image, alt.in_all_languages(sentences))


def _alt_bids(lot: Lot) -> str:
    return f" ({', '.join(f'{player} {price}' for player, price in lot.bids)})" if lot.bids else ""


def cash_table(game: Game, sale: Sale, words: Words, theme: Theme, room: int) -> Table:
    """Who can spend what: cash, what bids bind, what is free; whose turn it is."""
    columns = [
        Column(f"{words('player')} (★ {words('priority')})", most=0.42),
        Column(words("free_cash"), right=True),
        Column(words("bound_cash"), right=True),
        Column(words("certificates"), right=True),
        Column("", most=0.3),
    ]
    deciders = game.offer().deciders
    rows: list[list[Cell]] = []
    for player, free in sale.free.items():
        star = "★ " if game.state.priority == player else ""
        acts = player in deciders
        note = words("acts") if acts else words("still_in") if player in sale.bidders else ""
        rows.append(
            [
                Text(star + drawn(game, player, words), acts),
                Text(str(free), True),
                str(game.state.cash[player] - free) if game.state.cash[player] != free else words("nobody"),
                str(shares.certificates(game, player)),
                Text(f"◀ {note}" if acts else note, acts, theme.pick if acts else theme.faint),
            ]
        )
    return Table(columns, rows, room, SIZE)


def lots_board(game: Game, sale: Sale, words: Words, theme: Theme, room: int) -> Image.Image:
    """A strip for each lot, one below the other, so that a phone needs no zoom."""
    strips = [_strip(game, lot, words, theme, room) for lot in sale.lots]
    image = Image.new("RGB", (room, sum(strip.height + GAP for strip in strips) - GAP), theme.paper)
    y = 0
    for strip in strips:
        image.paste(strip, (0, y))
        y += strip.height + GAP
    return image


def power(game: Game, lot: Lot, words: Words) -> str:
    """What a lot brings in a few words: the title's own, or the beginning of its rule."""
    own = game.definition.words.get(words.language, {}).get(f"brief.{lot.id}")
    private = game.definition.privates.get(lot.id)
    return own or ("" if private is None else private.ability.partition(". ")[0])


def _state(game: Game, lot: Lot, words: Words) -> str:
    return words(f"lot_{lot.state}", n=lot.price, who=drawn(game, lot.owner, words))


def _strip(game: Game, lot: Lot, words: Words, theme: Theme, room: int) -> Image.Image:
    left, right = 74, room - 14
    lines = wrapped(power(game, lot, words), right - left, 22)[:3]
    pays = words("lot_pays", n=lot.revenue) if lot.revenue else ""
    if pays and lines and width(f"{lines[-1]} · {pays}", 22) <= right - left:
        lines[-1] = f"{lines[-1]} · {pays}"
    elif pays:
        lines.append(pays)
    sold = lot.state == SOLD
    bids = sorted(lot.bids, key=lambda bid: -bid[1])
    height = 10 + NAME + (0 if sold else len(lines) * LINE) + (LINE + 6 if bids else 0) + 4
    image = Image.new("RGB", (room, height), theme.paper)
    draw = ImageDraw.Draw(image)
    live = lot.state in (BUY, AUCTION)
    draw.rounded_rectangle(
        (1, 1, room - 2, height - 2), 9, fill=theme.paper if sold else theme.panel,
        outline=theme.pick if live else theme.line, width=4 if live else 2,
    )  # fmt: skip
    ink = theme.faint if sold else theme.ink
    draw.text((38, 10 + NAME / 2), str(lot.number), font=font(34, True), fill=ink, anchor="mm")
    state, size = fitted(_state(game, lot, words), round((right - left) * 0.52), 23, 16, not sold)
    draw.text((right, 10 + NAME / 2), state, font=font(size, not sold), fill=theme.pick if live else ink, anchor="rm")
    called = game.definition.words.get(words.language, {}).get(f"name.{lot.id}", lot.name)
    name, big = fitted(called, right - left - width(state, size, not sold) - 16, 25, 17, True)
    draw.text((left, 10 + NAME / 2), name, font=font(big, True), fill=ink, anchor="lm")
    y = 10 + NAME
    for line in () if sold else lines:
        draw.text((left, y + LINE / 2), line, font=font(22), fill=mixed(theme.ink, theme.faint, 0.5), anchor="lm")
        y += LINE
    if bids:
        text = words("lot_bids", list=", ".join(f"{drawn(game, player, words)} {price}" for player, price in bids))
        shown, small = fitted(text, right - left, 23, 15, True)
        draw.text((left, y + LINE / 2), shown, font=font(small, True), fill=theme.good, anchor="lm")
    return image
