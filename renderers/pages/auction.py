"""The auction board: every lot with its price, its power and the bids on it, and what everybody can still spend."""

from __future__ import annotations

from PIL import Image, ImageDraw

from engine.finance import shares
from engine.game import Game
from engine.rounds.sale import AUCTION, BID, BUY, SOLD, WAIT, Lot, Sale
from renderers.kit import alt
from renderers.kit.fonts import fitted, font, width, wrapped
from renderers.kit.panel import header
from renderers.kit.people import drawn
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Table, Text
from renderers.kit.theme import LIGHT, Theme, mixed
from renderers.kit.words import Words

WIDTH, MARGIN, HEAD, SIZE = 780, 14, 48, 25
#: Lines of a lot: its name, its power (which may need two), its bids; and what is free above, below and between lots.
NAME, LINE, AIR, GAP = 36, 28, 6, 6


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
    # Where lots are only bought, no bid binds anything.
    bids = any(lot.bids or lot.state in (BID, AUCTION) for lot in sale.lots) or len(set(sale.bidders)) > 0
    columns = [
        Column(f"{words('player')} (★ {words('priority')})", most=0.42),
        Column(words("free_cash"), right=True),
        *([Column(words("bound_cash"), right=True)] if bids else []),
        Column(words("certificates"), right=True),
        Column("", most=0.3),
    ]
    deciders = game.offer().deciders
    rows: list[list[Cell]] = []
    for player, free in sale.free.items():
        star = "★ " if game.state.priority == player else ""
        acts = player in deciders
        bound = str(game.state.cash[player] - free) if game.state.cash[player] != free else words("nobody")
        note = words("acts") if acts else words("still_in") if player in sale.bidders else ""
        rows.append(
            [
                Text(star + drawn(game, player, words), acts),
                Text(str(free), True),
                *([bound] if bids else []),
                str(shares.certificates(game, player)),
                Text(f"◀ {note}" if acts else note, acts, theme.pick if acts else theme.faint),
            ]
        )
    return Table(columns, rows, room, SIZE)


def lots_board(game: Game, sale: Sale, words: Words, theme: Theme, room: int) -> Image.Image:
    """A strip for each lot, those of a pile one below the other."""
    left = [lot for lot in sale.lots if lot.state != SOLD]
    piles = [[lot for lot in left if lot.pile == pile] for pile in sorted({lot.pile for lot in left})]
    if len(piles) < 2:
        return _column([_strip(game, lot, words, theme, room) for lot in sale.lots], theme, room)
    # Piles lie side by side; what has been sold is shared out below them.
    sold, each = [lot for lot in sale.lots if lot.state == SOLD], (room - GAP * (len(piles) - 1)) // len(piles)
    columns = [
        _column([_strip(game, lot, words, theme, each) for lot in [*pile, *sold[number :: len(piles)]]], theme, each)
        for number, pile in enumerate(piles)
    ]
    image = Image.new("RGB", (room, max(column.height for column in columns)), theme.paper)
    for number, column in enumerate(columns):
        image.paste(column, (number * (each + GAP), 0))
    return image


def _column(strips: list[Image.Image], theme: Theme, room: int) -> Image.Image:
    """Strips one below the other."""
    image = Image.new("RGB", (room, max(sum(strip.height + GAP for strip in strips) - GAP, 1)), theme.paper)
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
    """A lot; where there is little room, its state stands below its name instead of beside it."""
    narrow = room < WIDTH / 2
    left, right = (56, room - 10) if narrow else (74, room - 14)
    sold, live = lot.state == SOLD, lot.state in (BUY, AUCTION)
    pays = words("lot_pays", n=lot.revenue) if lot.revenue and not sold else ""
    beside = narrow and not sold
    lines, small = _said(power(game, lot, words), "" if beside else pays, right - left)
    bids = sorted(lot.bids, key=lambda bid: -bid[1])
    height = NAME + (0 if sold else len(lines) * LINE) + beside * LINE + (LINE + 4 if bids else 0) + 2 * AIR
    image = Image.new("RGB", (room, height), theme.paper)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (1, 1, room - 2, height - 2), 9, fill=theme.paper if sold else theme.panel,
        outline=theme.pick if live else theme.line, width=4 if live else 2,
    )  # fmt: skip
    ink, soft = theme.faint if sold else theme.ink, mixed(theme.ink, theme.faint, 0.5)
    y = AIR + NAME / 2
    draw.text((left / 2, y), str(lot.number), font=font(30 if narrow else 34, True), fill=ink, anchor="mm")
    told = words("lot_price", n=lot.price) if beside and lot.state in (BUY, WAIT) else _state(game, lot, words)
    state, size = fitted(told, round((right - left) * (0.7 if beside else 0.52)), 23, 16, not sold)
    taken = 0 if beside else width(state, size, not sold) + 16
    called = game.definition.words.get(words.language, {}).get(f"name.{lot.id}", lot.name)
    name, big = fitted(called, right - left - taken, 25, 17, True)
    draw.text((left, y), name, font=font(big, True), fill=ink, anchor="lm")
    if beside:
        y += NAME / 2 + LINE / 2
        brings, less = fitted(pays, right - left - width(state, size, True) - 8, 22, 15)
        draw.text((right, y), brings, font=font(less), fill=soft, anchor="rm")
    where = (left, y, "lm") if beside else (right, y, "rm")
    draw.text(where[:2], state, font=font(size, not sold), fill=theme.pick if live else ink, anchor=where[2])
    y += LINE / 2 if beside else NAME / 2
    for line in () if sold else lines:
        draw.text((left, y + LINE / 2), line, font=font(small), fill=soft, anchor="lm")
        y += LINE
    if bids:
        text = words("lot_bids", list=", ".join(f"{drawn(game, player, words)} {price}" for player, price in bids))
        shown, size = fitted(text, right - left, 23, 15, True)
        draw.text((left, y + LINE / 2), shown, font=font(size, True), fill=theme.good, anchor="lm")
    return image


def _said(power: str, pays: str, room: int) -> tuple[list[str], int]:
    """What a lot brings: in one line if that is possible and can still be read, else in more of them; and the size."""
    together = " · ".join(text for text in (power, pays) if text)
    for size in range(22, 17, -1):
        if width(together, size) <= room:
            return [together] if together else [], size
    # Rather a little smaller than a third line.
    size = next((size for size in range(22, 17, -1) if len(wrapped(power, room, size)) < 3), 22)
    lines = wrapped(power, room, size)[:3]
    if pays and lines and width(f"{lines[-1]} · {pays}", size) <= room:
        lines[-1] = f"{lines[-1]} · {pays}"
    elif pays:
        lines.append(pays)
    return lines, size
