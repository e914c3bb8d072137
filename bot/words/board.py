"""The board in words: hexes with their track, stations and values, share prices, and what everybody has.

For whoever cannot see pictures: everything that is needed to play is told, hex by hex in reach first.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.names import called
from bot.texts import Say
from bot.words.wording import listed, vehicle, words
from engine.board.faces import CITY, FIRST_STOP, Face, stop_letter
from engine.finance import shares
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.offer import Options
from engine.state import OFFERING, POOL

#: A page of text that a message has room for.
PAGE = 3600


def possible(game: Game, player: str = "") -> dict[str, list[str]]:
    """The hexes on which something may be done now, with the kinds of moves."""
    found: dict[str, list[str]] = {}
    for choice in game.offer().choices:
        domain = choice.asked({}) if player in ("", choice.player) else None
        if isinstance(domain, Options) and domain.name == "hex":
            for option in domain.options:
                found.setdefault(str(option.value), []).append(choice.name)
    return found


def reached(game: Game, companies: Sequence[str]) -> list[str]:
    """The hexes that track joins to the stations of companies, and those that it ends at, the nearest first."""
    board, layout = game.board, game.definition.map.layout
    ring = list(dict.fromkeys(at for company in companies for at, _ in board.stations_of(company)))
    seen = dict.fromkeys(ring)
    while ring:
        at, *ring = ring
        for edge in range(6):
            other = layout.neighbour(at, edge)
            if other not in board.faces or other in seen or not board.faces[at].exits >> edge & 1:
                continue
            seen[other] = None
            if board.faces[other].exits >> (edge + 3) % 6 & 1:
                ring.append(other)
    return list(seen)


def hex_line(say: Say, game: Game, at: str, kinds: Sequence[str] = ()) -> str:
    """One hex: where it is, what lies there, its stops with values and stations, and where track leads."""
    board, printed = game.board, game.definition.map.hexes[at]
    face, cover = board.faces[at], board.cover(at)
    parts = [words(say, "colour", face.colour) if cover is None else _tile(say, game, at)]
    parts += [_stop(say, game, at, face, index) for index in range(len(face.stops))]
    if track := _plain_track(say, game, face):
        parts.append(say("board.track", list=track))
    if face.cost:
        parts.append(say("board.cost", cost=face.cost))
    parts += [words(say, "thing", sign) for sign in game.rules.marks(game).get(at, ())]
    if kinds:
        what = listed(say, [words(say, "move", kind) for kind in dict.fromkeys(kinds)])
        parts.append(say("board.possible", what=what))
    return say("board.hex", hex=at, name=f" {printed.name}" if printed.name else "", facts="; ".join(parts))


def _tile(say: Say, game: Game, at: str) -> str:
    cover = game.board.cover(at)
    assert cover is not None
    return say("board.tile", tile=cover[0], colour=words(say, "colour", game.board.faces[at].colour))


def _stop(say: Say, game: Game, at: str, face: Face, index: int) -> str:
    """A stop: what it is, what it is worth now, who stands there, and which sides it is joined to."""
    stop = face.stops[index]
    kind = "city" if stop.kind == CITY else "place"
    letter = f" {stop_letter(index)}" if len(face.stops) > 1 else ""
    facts = [say("board.worth", value=stop.value(game.phase.colour))]
    spaces = game.board.spaces(at, index) if at in game.state.board.stations else []
    if spaces:
        facts.append(say("board.stations", list=", ".join(token or say("board.free") for token in spaces)))
    sides = _sides(say, game, [edge for edge in range(6) if face.stop_exits[index] >> edge & 1])
    if sides:
        facts.append(say("board.joined", list=sides))
    return say(f"board.{kind}", letter=letter, facts=", ".join(facts))


def _sides(say: Say, game: Game, edges: Sequence[int]) -> str:
    names = game.definition.map.layout.edges
    return listed(say, [say(f"side.{names[edge]}") for edge in edges])


def _plain_track(say: Say, game: Game, face: Face) -> str:
    """Track from side to side that meets no stop."""
    names = game.definition.map.layout.edges
    return ", ".join(
        say("board.line", one=say(f"side.{names[one]}"), other=say(f"side.{names[other]}"))
        for one, other in face.track
        if other < FIRST_STOP
    )


def map_text(say: Say, game: Game, player: str = "", around: str = "") -> list[str]:
    """Hexes line by line: those on which something is possible, those in reach, and then all others with track.

    Around a hex: itself and its neighbours.
    """
    say = say.of(game.definition.id)
    board, layout, now = game.definition.map, game.definition.map.layout, possible(game, player)
    if around:
        ring = [layout.neighbour(around, edge) for edge in range(6)]
        hexes = [around, *(at for at in ring if at is not None and at in board.hexes)]
        return [hex_line(say, game, at, now.get(at, ())) for at in hexes]
    own = [code for code in game.state.companies if player and game.decider(code) == player]
    lists = (("possible", list(now)), ("reach", reached(game, own or list(game.state.companies))))
    lines: list[str] = []
    told: set[str] = set()
    rest = [at for at, face in game.board.faces.items() if face.stops or face.track]
    for key, hexes in (*lists, ("rest", rest)):
        fresh = [at for at in hexes if at not in told]
        told |= set(fresh)
        if fresh:
            lines.append(say(f"board.head_{key}"))
            lines += [hex_line(say, game, at, now.get(at, ())) for at in fresh]
    return lines


def market_text(say: Say, game: Game) -> list[str]:
    """Share prices, the highest first: what a rise and a fall would make of them, director, and what is for sale."""
    say = say.of(game.definition.id)
    lines = []
    for code in game.prices.order():
        company = game.company(code)
        lines.append(
            say(
                "board.price",
                company=code,
                name=game.definition.corporations[code].name,
                price=game.prices.value(code),
                director=called(say, company.director) if company.director else "–",
                last="–" if company.last_revenue is None else company.last_revenue,
                offering=shares.held(game, code, OFFERING),
                pool=shares.held(game, code, POOL),
            )
        )
    return lines or [say("board.none")]


def sheet_text(say: Say, game: Game) -> list[str]:
    """Everybody's money and shares, what the companies have, and the trains that are left."""
    say = say.of(game.definition.id)
    scores = game.rules.score(game)
    lines = []
    for player in game.players:
        held = [
            say("board.share", company=code, percent=percent)
            for code in game.state.companies
            if (percent := shares.held(game, code, player))
        ]
        own = [name if number == 1 else f"{number} × {name}" for name, number in _things(say, game, player)]
        facts = ", ".join([*held, *own]) or "–"
        key = "board.player" if game.definition.priced else "board.player_free"
        cash, worth = game.state.cash[player], scores.get(player, 0)
        count = shares.certificates(game, player)
        lines.append(say(key, name=called(say, player), cash=cash, worth=worth, count=count, facts=facts))
    for code, company in game.state.companies.items():
        if not company.director:
            continue
        trains = ", ".join(vehicle(say, "the", train) for train in company.trains) or "–"
        key = "board.company" if game.definition.priced else "board.company_free"
        left, director = len(company.tokens_left), called(say, company.director)
        cash = game.state.cash.get(code, 0)
        lines.append(say(key, company=code, director=director, cash=cash, trains=trains, stations=left))
    sale = [
        say("card.train", train=vehicle(say, "the", train), price=price(game, train))
        if game.definition.priced
        else vehicle(say, "the", train)
        for train in on_sale(game)
    ]
    return [*lines, say("board.sale", list=", ".join(sale) or "–")]


def _things(say: Say, game: Game, holder: str) -> list[tuple[str, int]]:
    return [(words(say, "thing", thing), number) for thing, number in game.rules.possessions(game, holder).items()]


def paged(lines: Sequence[str], room: int = PAGE) -> list[str]:
    """Lines in as many pages as a message each has room for."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if pages[-1] and sum(map(len, pages[-1])) + len(pages[-1]) + len(line) > room:
            pages.append([])
        pages[-1].append(line)
    return ["\n".join(page) for page in pages]
