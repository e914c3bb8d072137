"""Track, stations, private companies and access tokens in a company's turn (5.2, 8.3, 8.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.bl.sheet import Drawing
from workshop.referees.bl.table import BANK, CLOSED, POOL, Question, Table, allowed, need
from workshop.referees.common.hexes import COLOURS, sides, turned

#: Private companies with a tile, and the hex of each.
TILES = {"SKB": "J4", "DTE": "F6", "MBG": "I5"}
#: Those whose tile is free of charge.
FREE = ("DTE", "MBG")
SOLINGEN = "J4"


# ---------------------------------------------------------------------- tiles


def judge_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, tile, rotation = move["company"], move["hex"], move["tile"], move["rotation"]
    private = move["private"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(private in ("", *TILES), "no such function")
    words = table.board.fits(at, tile, rotation)
    need(not words, words)
    drawing = table.sheet.tiles[tile]
    need(drawing.colour == "orange" or table.since(drawing.colour), "not in this phase [BL-8.3.1-b]")
    _number(table, company, drawing, private)
    if private:
        need(table.privates[private] == company, "not theirs [BL-5.1-f]")
        need(TILES[private] == at and at not in table.board.tiles, "another hex [BL-5.1-f]")
    else:
        _reserved(table, company, at)
    need(cost(table, at, private) <= table.cash[company], "too dear [BL-8.3.1-n]")
    need(joins(table, company, at, turned(drawing, rotation)), "no link [BL-8.3.1-c]")


def _number(table: Table, company: str, drawing: Drawing, private: str) -> None:
    """8.2, R09, R10: one tile; two yellow ones in the first turn; a private's tile is the only one."""
    lays: list[tuple[int, str]] = table.turn["lays"]
    if not lays:
        return
    need(not private and not lays[0][1], "the only tile of the turn [BL-5.1-f]")
    need(not table.companies[company].operated, "one tile in a turn [BL-8.2-d]")
    need(len(lays) == 1 and lays[0][0] == drawing.level == 0, "two yellow tiles [BL-8.2-c]")


def _reserved(table: Table, company: str, at: str) -> None:
    """5.2: J4 while there is private no. 1; the lay of an owner on F6 or I5 is the free one (R50)."""
    if at in table.board.tiles:
        return
    private = next((name for name, where in TILES.items() if where == at), "")
    if not private:
        return
    owner = table.privates[private]
    need(owner != company, "by the private company [R50]")
    if private == "SKB" and owner != CLOSED:
        need(owner in table.companies, "a player owns private no. 1 [BL-5.2-1b]")
        need(at not in table.turn.get("refused", ()), "refused [BL-5.2-1c]")


def cost(table: Table, at: str, private: str) -> int:
    """8.3.1: what is printed on the field, once."""
    return 0 if private in FREE else table.board.drawn(at).cost


def joins(table: Table, company: str, at: str, new: Drawing) -> bool:
    """8.3.1, 8.3.3: a link to a track of the tile, and on a plain field to a new one."""
    board = table.board
    entered = board.reach(company)[1]
    ends = set(sides(new))
    if new.stops and any(where == at for where, _ in board.stations(company)):
        return True
    if not new.stops and board.drawn(at).level >= 0:
        old = {frozenset(piece) for piece in board.drawn(at).pieces}
        ends = {end for piece in new.pieces for end in piece if isinstance(end, int) and frozenset(piece) not in old}
    return any((at, end) in entered for end in ends)


def lays(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All lays that are allowed now."""
    board = table.board
    near = {at for at, _ in board.reach(company)[1]} | {at for at, _ in board.stations(company)}
    for at in sorted(near & table.sheet.hexes.keys()):
        level = board.drawn(at).level + 1
        if level > COLOURS.index(table.colour):
            continue
        privates = ["", *(name for name, where in TILES.items() if where == at)]
        for tile, drawing in table.sheet.tiles.items():
            if drawing.level != level or not board.supply[tile]:
                continue
            for rotation in range(6):
                for private in privates:
                    move = {"company": company, "hex": at, "tile": tile, "rotation": rotation, "private": private}
                    if allowed(judge_tile, table, move):
                        yield move


def lay_tile(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    owner = table.privates["SKB"]
    if at == SOLINGEN and at not in table.board.tiles and owner in table.companies and owner != company:
        asked = table.companies[owner].director
        if asked != table.companies[company].director:
            table.questions.append(Question("consent", asked, {"move": move}))
            return
    put_tile(table, move)


def put_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, private = move["company"], move["hex"], move["private"]
    table.pay(company, BANK, cost(table, at, private))
    if at == SOLINGEN and at not in table.board.tiles:
        table.privates["SKB"] = CLOSED
    table.board.lay(at, move["tile"], move["rotation"])
    table.turn["lays"].append((table.sheet.tiles[move["tile"]].level, private))
    if private:
        table.privates[private] = CLOSED


# ---------------------------------------------------------------------- stations


def judge_station(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    board, here = table.board, table.companies[table.actor]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(not move["private"], "no such function")
    need(not table.turn.get("station"), "one token in a turn [BL-8.4-b]")
    need(at in board.spaces and 0 <= move["stop"] < len(board.spaces[at]), "no such stop [BL-8.4-d]")
    place = (at, "abc"[move["stop"]])
    need(bool(here.tokens), "no token left [BL-8.4-b]")
    need("" in board.names(place), "no free place [BL-8.4-d]")
    need(not board.on_hex(company, at), "one token on a field [BL-8.4-e]")
    need(here.tokens[0] <= table.cash[company], "too dear [BL-8.4-c]")
    need(place in board.reach(company)[0], "no link [BL-8.4-g]")


def stations(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All tokens that may be placed now."""
    for at, stops in table.board.spaces.items():
        for number in range(len(stops)):
            move = {"company": company, "hex": at, "stop": number, "private": ""}
            if allowed(judge_station, table, move):
                yield move


def place_station(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    table.pay(company, BANK, table.companies[company].tokens.pop(0))
    names = table.board.spaces[move["hex"]][move["stop"]]
    names[names.index("")] = company
    table.turn["station"] = table.turn["track done"] = True
    table.board.changed()


# ---------------------------------------------------------------------- private companies


def bounds(table: Table, private: str) -> tuple[int, int]:
    """5.1, R08: from 50 % to 200 % of the printed value."""
    price = int(table.sheet.rows("private", "id")[private]["price"])
    return -(-price // 2), 2 * price


def judge_private(table: Table, move: dict[str, Any]) -> None:
    company, private, price = move["company"], move["private"], move["price"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(private in table.privates, "no such private company")
    owner = table.privates[private]
    need(owner in table.seats, "from players only [R29]")
    power = table.sheet.rows("private", "id")[private]["power"]
    need(table.since(power["sold_from"]) and not table.since("brown"), "not in this phase [BL-5.1-c]")
    low, high = bounds(table, private)
    need(low <= price <= high, "from 50 % to 200 % [BL-5.1-d]")
    need(price <= table.cash[company], "too dear [BL-5.1-d]")
    need("trailer" not in power or not table.trailers(company), "one trailer [R32]")
    if owner != table.companies[company].director:
        need(price > table.turn.get("declined", {}).get(private, 0), "declined already")


def privates(table: Table, company: str) -> list[str]:
    """Private companies for which something may be offered; that a price was declined does not end a talk."""
    found = []
    declined = table.turn.pop("declined", {})
    for private in table.privates:
        if allowed(judge_private, table, {"company": company, "private": private, "price": bounds(table, private)[0]}):
            found.append(private)
    table.turn["declined"] = declined
    return found


def buy_private(table: Table, move: dict[str, Any]) -> None:
    owner = table.privates[move["private"]]
    if owner != table.companies[move["company"]].director:
        data = {"company": move["company"], "private": move["private"], "price": move["price"]}
        table.questions.append(Question("private", owner, data))
        return
    sold(table, move["company"], move["private"], move["price"])


def sold(table: Table, company: str, private: str, price: int) -> None:
    """A private company goes to a company with what lies on it."""
    table.pay(company, table.privates[private], price)
    table.privates[private] = company
    if private == table.sheet.raw["access"]["private"]:
        mine = company not in table.board.access
        table.access = {"private": 0, "box": table.access["private"] - mine, "pool": table.access["pool"]}
        if mine:
            table.board.access.append(company)
            table.board.changed()
    trailer = table.sheet.rows("private", "id")[private]["power"].get("trailer")
    if trailer:
        table.aside.remove(trailer)
        table.companies[company].trains.append(trailer)


# ---------------------------------------------------------------------- access tokens


def judge_access(table: Table, move: dict[str, Any]) -> None:
    company, source = move["company"], move["source"]
    rule = table.sheet.raw["access"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(company not in table.board.access, "one for a company [R31]")
    if source == POOL:
        need(table.access["pool"] > 0, "none there [BL-5.2-4f]")
    else:
        need(source in table.companies and table.privates[rule["private"]] == source, "not theirs [BL-5.2-4e]")
        need(table.access["box"] > 0, "none left [BL-5.2-4c]")
    need(rule["price"] <= table.cash[company], "too dear [BL-5.2-4c]")


def may_access(table: Table, company: str) -> bool:
    return any(
        allowed(judge_access, table, {"company": company, "source": source}) for source in (POOL, *table.companies)
    )


def buy_access(table: Table, move: dict[str, Any]) -> None:
    company, source = move["company"], move["source"]
    table.pay(company, BANK if source == POOL else source, table.sheet.raw["access"]["price"])
    table.access["pool" if source == POOL else "box"] -= 1
    table.board.access.append(company)
    table.board.changed()
