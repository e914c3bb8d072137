"""The sheet: all players and all companies on one page, the depot and the phase."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from engine.definition import Phase
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.rules import OpenCard
from engine.state import BANK, OFFERING, POOL
from renderers.kit import alt
from renderers.kit.fonts import fitted, font
from renderers.kit.livery import liveries
from renderers.kit.panel import header
from renderers.kit.people import called, drawn, person
from renderers.kit.picture import Picture
from renderers.kit.tables import Cell, Column, Stack, Table, Text
from renderers.kit.theme import LIGHT, Theme
from renderers.kit.tokens import token
from renderers.kit.words import Words
from renderers.pages.auction import lots_board, sale_of
from renderers.pages.own import add_page

WIDTH, MARGIN, HEAD, SIZE = 1000, 14, 56, 27
#: A taller picture would be made narrow by Discord, and unreadable on a phone.
TALL = 1650


def draw_sheet(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> Picture:
    """Everything that is on the table besides map and market."""
    return _drawn(game, _sections(game, theme, Words(language)), theme, Words(language))


def draw_sheets(game: Game, *, theme: Theme = LIGHT, language: str = "en") -> list[Picture]:
    """The sheet in as many pictures as it takes for each to be read on a phone."""
    words = Words(language)
    pages: list[list[Stack]] = []
    for section in _sections(game, theme, words):
        if not pages or sum(other.height for other in pages[-1]) + section.height > TALL:
            pages.append([])
        pages[-1].append(section)
    return [_drawn(game, page, theme, words) for page in pages]


def _sections(game: Game, theme: Theme, words: Words) -> list[Stack]:
    """What belongs together on a picture, one below the other."""
    room = WIDTH - 2 * MARGIN
    result: list[Stack] = []

    def section() -> Stack:
        result.append(Stack(theme, room, SIZE))
        return result[-1]

    stack = section()
    stack.table(players_table(game, words, theme, room))
    sale = sale_of(game)
    if sale is not None:
        stack = section()
        stack.heading(words("auction"))
        stack.image(lots_board(game, sale, words, theme, room))
    stack = section()
    stack.heading(words("shares"))
    stack.table(shares_table(game, words, theme, room))
    stack = section()
    stack.heading(words("companies"))
    stack.table(companies_table(game, words, theme, room))
    owned = {code: possessions(game, code, words) for code in _order(game)}
    if any(owned.values()):
        held = " · ".join(f"{code}: {things}" for code, things in owned.items() if things)
        stack.text(f"{words('possessions')}: {held}")
    for text in remarks(game, words):
        stack.text(text)
    if cards := game.rules.open_cards(game):
        stack = section()
        stack.heading(words("cards"))
        stack.table(cards_table(game, cards, words, room))
    for page in game.rules.pages(game):
        add_page(section(), game, page, words, theme, room)
    stack = section()
    stack.heading(words("depot"))
    stack.image(depot_cards(game, words, theme, room))
    pooled = ", ".join(filter(None, [*game.state.depot.pool, possessions(game, POOL, words)]))
    if pooled:
        stack.text(f"{words('in_pool')}: {pooled}")
    stack.heading(f"{words('phase', name=game.phase.name).capitalize()}")
    stack.text(phase_facts(game.phase, words))
    stack.text(next_phase(game, words))
    return result


def _drawn(game: Game, sections: Sequence[Stack], theme: Theme, words: Words) -> Picture:
    high = sum(stack.height for stack in sections)
    image = Image.new("RGB", (WIDTH, HEAD + high + 2 * MARGIN), theme.paper)
    moment = words.when(game)
    if game.definition.priced:
        moment = f"{moment} · {words('bank')} {game.state.cash[BANK]}"
    header(image, theme, game.definition.name, moment, HEAD, MARGIN)
    top = HEAD + MARGIN // 2
    for stack in sections:
        stack.draw(image, MARGIN, top)
        top += stack.height

    def sentences(words: Words) -> list[str]:
        scores = game.rules.score(game)
        if game.definition.priced:
            cash = game.state.cash
            people = [f"{player} {cash[player]} ({score})" for player, score in scores.items()]
            people += [f"{called(game, other, words)} {cash[other]}" for other in game.state.seatless if cash[other]]
            players = f"{words('cash')} ({words('worth')}): {alt.listed(people)}"
            companies = [f"{code} {game.prices.value(code)}" for code in game.prices.order()]
            listed = f"{words('price')}: {alt.listed(companies)}"
        else:
            players = f"{words('received')}: {alt.listed([f'{name} {scores[name]}' for name in game.state.players])}"
            directed = {code: company for code, company in game.state.companies.items() if company.director}
            companies = [f"{code} {company.director}" for code, company in directed.items()]
            listed = f"{words('director')}: {alt.listed(companies)}"
        cards = [
            f"{card.id} {card.owner or words('nobody')} {card.worth} ({card_state(game, card, words)})"
            for card in game.rules.open_cards(game)
        ]
        return [
            words("alt_sheet", title=game.definition.name, when=words.when(game), players=players, companies=listed),
            *([words("alt_cards", list=alt.listed(cards))] if cards else []),
            *remarks(game, words),
        ]

    return Picture.of(image, alt.in_all_languages(sentences))


def players_table(game: Game, words: Words, theme: Theme, room: int) -> Table:
    """Cash, certificates, worth, and what else people own; the holder of the priority deal has a star.

    Where nothing has a price, only what was received counts.
    """
    limit = game.rules.limits.certificates(game, game.players[0])
    scores = game.rules.score(game)
    priced = game.definition.priced
    owned = {player: possessions(game, player, words) for player in game.state.players}
    some = bool(game.definition.privates) or any(owned.values())
    columns = [Column(f"{words('player')} (★ {words('priority' if priced else 'begins')})", most=0.34)]
    columns += [Column(words("cash"), right=True)] if priced else []
    columns += [Column(words("certificates"), right=True), Column(words("worth" if priced else "received"), right=True)]
    columns += [Column(words("possessions"), most=0.36)] if some else []
    rows: list[list[Cell]] = []
    deciders = game.offer().deciders
    for player in game.state.players:
        held = shares.certificates(game, player)
        star = "★ " if game.state.priority == player else ""
        loan = game.state.loans.get(player, 0)
        row: list[Cell] = [
            person(game, player, words, theme, SIZE, round(room * 0.32), star=star, bold=player in deciders)
        ]
        cash = str(game.state.cash[player]) + (f" (−{loan})" if loan else "")
        row += [cash if player in scores or game.state.cash[player] else words("nobody")] if priced else []
        row += [
            Text(f"{held}/{limit}", colour=theme.bad if held > limit else None),
            Text(str(scores.get(player, words("nobody"))), True),
        ]
        row += [owned[player] or words("nobody")] if some else []
        rows.append(row)
    return Table(columns, rows, room, SIZE)


def shares_table(game: Game, words: Words, theme: Theme, room: int) -> Table:
    """Who holds what of each company; the director's share is bold with a crown's star."""
    colours = liveries(game.definition)
    holders = game.state.players
    columns = [Column("")]
    each = round(room * 0.78 / (len(holders) + 3))
    columns += [
        Column(person(game, name, words, theme, round(SIZE * 0.85), each), right=True, firm=True) for name in holders
    ]
    priced = game.definition.priced
    columns += [
        Column(words(key), right=True) for key in (("offering", "own", "pool") if priced else ("display", "pool"))
    ]
    rows: list[list[Cell]] = []
    for code in _order(game):
        row: list[Cell] = [token(code, colours[code], 19, theme)]
        for player in holders:
            share = shares.held(game, code, player)
            director = game.company(code).director == player
            row.append(Text(("♦ " if director else "") + (str(share) if share else "·"), director))
        row += [_bare(shares.held(game, code, holder)) for holder in (OFFERING, *([code] if priced else []), POOL)]
        rows.append(row)
    return Table(columns, rows, room, SIZE)


def _bare(share: int) -> str:
    return str(share) if share else "·"


def companies_table(game: Game, words: Words, theme: Theme, room: int) -> Table:
    """Director, price, treasury, trains, stations left with their cost, last run, state."""
    colours = liveries(game.definition)
    priced = game.definition.priced
    columns = [
        Column(""),
        Column(f"♦ {words('director')}", most=0.16 if priced else 0.3),
        *([Column(words("price"), right=True), Column(words("treasury"), right=True)] if priced else []),
        Column(words("trains"), most=0.4, firm=True),
        Column(words("stations"), most=0.2),
        Column(words(income_word(game)), right=True),
        Column(words("state"), most=0.24),
    ]
    rows: list[list[Cell]] = []
    for code in _order(game):
        company = game.company(code)
        price = game.prices.value(code)
        money: list[Cell] = [
            Text(str(price) if price else words("nobody"), True),
            str(game.state.cash[code]) if company.floated else words("nobody"),
        ]
        left = " ".join(map(str, company.tokens_left)) if priced else str(len(company.tokens_left) or "")
        rows.append(
            [
                token(code, colours[code], 19, theme),
                person(game, company.director, words, theme, SIZE, round(room * (0.16 if priced else 0.3)))
                if company.director
                else words("nobody"),
                *(money if priced else []),
                Text(" ".join(game.rules.trains.labels(game, code)) or words("nobody"), True),
                left or words("none"),
                words("nobody") if company.last_revenue is None else str(company.last_revenue),
                company_state(game, code, words),
            ]
        )
    return Table(columns, rows, room, SIZE)


def income_word(game: Game, company: str = "") -> str:
    """What a company's last income is called: a run, if all of them, or this one, have stations."""
    charters = game.definition.corporations
    found = [charters[company]] if company else [charter for charter in charters.values() if len(charter.shares) > 1]
    return "last_run" if all(charter.homes for charter in found) else "last_income"


def company_state(game: Game, code: str, words: Words) -> str:
    """Not founded, founded with so much sold, floated, operating, or closed."""
    company = game.company(code)
    if company.closed:
        return words("closed")
    if company.floated:
        runs = company.operated and game.definition.corporations[code].homes
        return words("operating_state" if runs else "working_state" if company.operated else "floated")
    if company.director:
        return words("founded", n=shares.player_share(game, code))
    return words("unfounded")


def cards_table(game: Game, cards: Sequence[OpenCard], words: Words, room: int) -> Table:
    """The cards that everybody sees: whose they are, what they are worth, and whether that was paid."""
    columns = [
        Column(words("card"), most=0.5),
        Column(words("player"), most=0.26),
        Column(words("worth"), right=True),
        Column(words("state")),
    ]
    rows: list[list[Cell]] = [
        [
            f"{card.id} {words.own(game.definition, 'deck', card.id)}",
            drawn(game, card.owner, words) if card.owner else words("nobody"),
            str(card.worth),
            Text(card_state(game, card, words), card.paid),
        ]
        for card in cards
    ]
    return Table(columns, rows, room, SIZE)


def card_state(game: Game, card: OpenCard, words: Words) -> str:
    """To be taken, still to be met, paid, or missed for good."""
    if card.paid:
        return words("card_paid")
    if game.finished:
        return words("card_missed")
    return words("card_open" if card.owner else "card_free")


def possessions(game: Game, holder: str, words: Words) -> str:
    """What somebody owns besides shares, trains and money, in words."""
    owned = {words.own(game.definition, "thing", thing): n for thing, n in game.rules.possessions(game, holder).items()}
    return ", ".join(thing if n == 1 else f"{n} × {thing}" for thing, n in owned.items())


def remarks(game: Game, words: Words) -> list[str]:
    """What the title wants everybody to know about the position."""
    return [
        words.own(
            game.definition,
            "remark",
            remark.key,
            **{
                name: drawn(game, fact, words) if isinstance(fact, str) else fact for name, fact in remark.facts.items()
            },
        )
        for remark in game.rules.remarks(game)
    ]


def _order(game: Game) -> list[str]:
    """Companies with shares, by price; a company of one owner stands with its owner."""
    order = game.prices.order()
    charters = game.definition.corporations
    return [*order, *(code for code in charters if code not in order and len(charters[code].shares) > 1)]


def depot_cards(game: Game, words: Words, theme: Theme, room: int) -> Image.Image:
    """A card for each type of train: what it costs, how many are left; those on sale are framed."""
    # What costs nothing where others do is never on sale.
    trains = [train for train in game.definition.trains if train.price or not game.definition.priced]
    sale = on_sale(game)
    per_row = min(max(len(trains), 4), 7)
    wide, high = room // per_row, 92
    rows = -(-len(trains) // per_row)
    image = Image.new("RGB", (room, rows * (high + 8)), theme.paper)
    draw = ImageDraw.Draw(image)
    for number, train in enumerate(trains):
        x, y = number % per_row * wide, number // per_row * (high + 8)
        left = game.state.depot.left[train.name]
        buyable = train.name in sale
        draw.rounded_rectangle(
            (x + 2, y + 2, x + wide - 8, y + high),
            8,
            fill=theme.panel,
            outline=theme.pick if buyable else theme.line,
            width=5 if buyable else 2,
        )
        ink = theme.ink if left else theme.faint
        name, size = fitted(train.name, wide - 30, 38, 24, True)
        draw.text((x + 14, y + 30), name, font=font(size, True), fill=ink, anchor="lm")
        if game.definition.priced:
            draw.text((x + 14, y + 69), str(train.price), font=font(25, True), fill=ink, anchor="lm")
        draw.text((x + wide - 18, y + 69), f"{left}/{train.count}", font=font(23), fill=ink, anchor="rm")
    return image


def phase_facts(phase: Phase, words: Words) -> str:
    """Tiles, limit and operating rounds of a phase."""
    facts = [
        words("tiles", colours=", ".join(words(colour) for colour in phase.tiles)),
        words("limit", n=phase.train_limit),
    ]
    if phase.operating_rounds:
        facts.append(words("rounds_1") if phase.operating_rounds == 1 else words("rounds", n=phase.operating_rounds))
    return ", ".join(facts)


def next_phase(game: Game, words: Words) -> str:
    """What the train that opens the next phase changes."""
    phases: Sequence[Phase] = game.definition.phases
    if game.state.phase + 1 >= len(phases):
        return words("no_more")
    now, later = game.phase, phases[game.state.phase + 1]
    facts = []
    new = [colour for colour in later.tiles if colour not in now.tiles]
    if new:
        facts.append(words("tiles", colours=", ".join(map(words, new))))
    if later.train_limit != now.train_limit:
        facts.append(words("limit", n=later.train_limit))
    if later.operating_rounds != now.operating_rounds:
        facts.append(words("rounds", n=later.operating_rounds))
    rusting = [train.name for train in game.definition.trains if set(later.on) & set(train.rusts_on)]
    if rusting:
        facts.append(words("rusts", trains=", ".join(rusting)))
    text = later.event.get(words.language) or ", ".join(facts)
    return f"{words('next_train', train=' / '.join(later.on))}: {text}"
