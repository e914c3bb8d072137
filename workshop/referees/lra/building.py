"""Track and stations: which tile a company may lay, which station it may build, and what follows (6.2.1, 6.2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.common.hexes import Place, Side, sides, turned
from workshop.referees.lra.board import GKB
from workshop.referees.lra.routes import GKB_PLACE, GKB_TOWNS, right_bank
from workshop.referees.lra.sheet import COLOURS, HARBOUR, KEPT
from workshop.referees.lra.table import BANK, Question, Table, allowed, need

CLOSED = "closed"

# ---------------------------------------------------------------------- tiles


def judge_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, tile, rotation = move["company"], move["hex"], move["tile"], move["rotation"]
    private = move["private"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(private in ("", "RM", "GKB"), "no such function")
    words = table.board.fits(at, tile, rotation)
    need(not words, words)
    colour = table.sheet.tiles[tile].colour
    need(COLOURS.index(colour) <= COLOURS.index(table.colour), "not in this phase [RHL-6.2.1.1-a]")
    since = table.sheet.hexes[at].since
    need(
        not since or colour != "yellow" or COLOURS.index(since) <= COLOURS.index(table.colour),
        "green border [LRA-6.2.1-a]",
    )
    _count(table, company, colour, private)
    need(cost(table, at) <= table.cash[company] or free(table), "too dear [RHL-6.2.1-i]")
    if private == "RM":
        _manchester(table, company, at)
    elif private == "GKB":
        places, entered = gkb_reach(table, company)
        need(joins(table, at, tile, rotation, places, entered), "not for the 2+4 train [LRA-4.1.2-p]")
    else:
        places, entered = table.board.reach(company)
        need(joins(table, at, tile, rotation, places, entered), "no available route [RHL-6.2.1-a]")
    duty = home_duty(table, company)
    need(private == "GKB" or not duty or at == duty, "the first tile is laid at home [RHL-6.2.1-b]")


def free(table: Table) -> bool:
    """9.1: the Investor's company pays nothing."""
    return bool(table.seatless) and table.companies[table.actor].director == table.seatless


def _count(table: Table, company: str, colour: str, private: str) -> None:
    lays: list[tuple[str, str]] = table.turn.setdefault("lays", [])
    need(not any(how == "RM" for _, how in lays), "the only tile of the turn [LRA-4.1.2-l]")
    if private == "RM":
        need(not lays, "the only tile of the turn [LRA-4.1.2-l]")
        return
    if private == "GKB":
        need(table.gkb.get("company") == company, "no 2+4 train [LRA-4.1.2-p]")
        need(not any(how == "GKB" for _, how in lays), "one more tile [LRA-4.1.2-p]")
        return
    usual = [shade for shade, how in lays if not how]
    if not usual:
        return
    need(may_double(table, company), "one tile in a turn [RHL-6.2.1-k]")
    need(usual == ["yellow"] and colour == "yellow", "two yellow tiles [LRA-4.2.3-c]")


def may_double(table: Table, company: str) -> bool:
    """4.2.3: some companies lay two yellow tiles in their first operating round."""
    double = table.sheet.raw["double_yellow"]["corporations"]
    return company in double and not table.companies[company].operated


def _manchester(table: Table, company: str, at: str) -> None:
    director = table.companies[company].director
    need(table.privates["RM"] == director, "not their private [RHL-4.1-d]")
    need(not table.manchester, "used already [RHL-4.1-d]")
    need(table.colour == "green", "from green until it closes [LRA-4.1.2-l]")
    need(at in table.sheet.rows("private", "id")["RM"]["hexes"], "H8 or I7 [LRA-4.1.2-l]")


def cost(table: Table, at: str) -> int:
    """6.2.1: what the hex or the tile shows that is replaced."""
    return table.board.drawn(at).cost


def joins(table: Table, at: str, tile: str, rotation: int, places: set[Place], entered: set[Side]) -> bool:
    """6.2.1, 6.2.1.1: a lay extends a route, an upgrade lies on one or its new track is reached (rulings 30, 63)."""
    new = turned(table.sheet.tiles[tile], rotation)
    if any(place[0] == at for place in places):
        return True
    if at in table.board.tiles or table.board.drawn(at).colour != "plain":
        ends = {end for piece in table.board.new_pieces(at, new) for end in piece if isinstance(end, int)}
    else:
        ends = set(sides(new))
    return any((at, end) in entered for end in ends)


def home_duty(table: Table, company: str) -> str:
    """6.2.1, ruling 24: the home hex if it has no track, in the first turn, and a tile for it can be laid."""
    if company not in table.board.homes or table.companies[company].operated or free(table):
        return ""
    if any(not how for _, how in table.turn.get("lays", ())):
        return ""
    at, letter = table.board.homes[company]
    if any(True for _ in table.board.ways(at, letter)) or table.board.drawn(at).colour in ("grey", "red"):
        return ""
    if cost(table, at) > table.cash[company]:
        return ""
    now = COLOURS.index(table.colour)
    since = table.sheet.hexes[at].since
    if since and COLOURS.index(since) > now:
        return ""
    for name, drawing in table.sheet.tiles.items():
        if drawing.colour in COLOURS[: now + 1] and any(not table.board.fits(at, name, turn) for turn in range(6)):
            return at
    return ""


def gkb_reach(table: Table, company: str) -> tuple[set[Place], set[Side]]:
    """Ruling 112: where the 2+4 train gets from GKB's station with one more city and four towns."""
    board = table.board
    places: set[Place] = {GKB_PLACE}
    entered: set[Side] = set()

    def walk(node: Place | Side, cities: int, towns: int, used: int) -> None:
        at, end = node
        if at not in table.sheet.hexes:
            return
        for way in board.ways(at, end):
            if isinstance(way, str):
                town = board.kind((at, way)) == "town"
                if (at, way) == GKB_PLACE or (towns if town else cities) >= (GKB_TOWNS if town else 1):
                    continue
                places.add((at, way))
                if not board.blocks((at, way), company):
                    walk((at, way), cities + (not town), towns + town, used)
            else:
                other, crossed = board.layout.across((at, way)), board.layout.bit((at, way))
                if not crossed & used:
                    entered.add(other)
                    walk(other, cities, towns, used | crossed)

    walk(GKB_PLACE, 0, 0, 0)
    return places, entered


def lays(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All lays that are allowed now, with the functions of privates."""
    now = COLOURS.index(table.colour)
    for private in ("", "RM", "GKB"):
        if private == "GKB" and table.gkb.get("company") != company:
            continue
        if private == "RM" and table.privates["RM"] != table.companies[company].director:
            continue
        for at, hexagon in table.sheet.hexes.items():
            old = table.board.drawn(at).colour
            if old in ("grey", "red"):
                continue
            colour = "yellow" if old == "plain" else (*COLOURS, "")[COLOURS.index(old) + 1]
            if not colour or COLOURS.index(colour) > now:
                continue
            for tile, drawing in table.sheet.tiles.items():
                if drawing.colour != colour or drawing.label != hexagon.label or not table.board.supply[tile]:
                    continue
                for rotation in range(6):
                    move = {
                        "company": company,
                        "hex": at,
                        "tile": tile,
                        "rotation": rotation,
                        "private": private,
                    }
                    if allowed(judge_tile, table, move):
                        yield move


def lay_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, private = move["company"], move["hex"], move["private"]
    price = 0 if free(table) else cost(table, at)
    table.pay(company, BANK, price)
    table.board.lay(at, move["tile"], move["rotation"])
    table.turn["lays"].append((table.sheet.tiles[move["tile"]].colour, private))
    if private == "RM":
        table.turn["RM"] = at
        table.manchester = True
    after_tile(table)


def after_tile(table: Table) -> None:
    """4.1.2 no. 1 and 4.2.3: what a link brings."""
    if not table.dalheim and table.board.joined((table.sheet.raw["dalheim"]["hex"], "a"), right_bank(table.board)):
        activate_dalheim(table)
    settle_link(table)


def settle_link(table: Table) -> None:
    """4.2.3: GVE gets its money when track joins; before it floats, with its float (ruling 83)."""
    link = table.sheet.raw["link_payment"]
    if link["corporation"] not in table.companies or table.link == "paid":
        return
    if not table.link and not table.board.joined((link["end"], "a"), link["starts"]):
        return
    table.link = "due"
    if table.companies[link["corporation"]].floated:
        table.link = "paid"
        table.pay(BANK, link["corporation"], link["amount"])


# ---------------------------------------------------------------------- DEC and GKB


def activate_dalheim(table: Table) -> None:
    table.dalheim = {"owner": table.privates["DEC"], "company": ""}
    assign_if_alone(table, "DEC", table.dalheim)


def brown(table: Table, train: str) -> None:
    """6.3, ruling 79: with the first 5-train DEC and GKB become active, then the privates close."""
    if train != "5":
        return
    if not table.dalheim:
        activate_dalheim(table)
    table.gkb = {"owner": table.privates["GKB"], "company": ""}
    table.board.spaces["A1"][0][0] = GKB
    table.board.changed()
    assign_if_alone(table, "GKB", table.gkb)
    for name in table.privates:
        table.privates[name] = CLOSED


def assign_if_alone(table: Table, private: str, fact: dict[str, str]) -> None:
    """One company only: no question; none: it waits (rulings 77, 78, 114)."""
    mine = table.directed(fact["owner"])
    if len(mine) == 1:
        assign(table, private, mine[0])
    elif mine and not any(asked.kind == "assign" and asked.data["private"] == private for asked in table.questions):
        table.questions.append(Question("assign", fact["owner"], {"private": private}))


def assign(table: Table, private: str, company: str) -> None:
    if private == "DEC":
        table.dalheim["company"] = company
    else:
        table.gkb["company"] = company
        table.aside.remove("2+4")
        table.companies[company].trains.append("2+4")


def settle_waiting(table: Table) -> None:
    """What waits for a company goes to one as soon as its owner directs one."""
    for private, fact in (("DEC", table.dalheim), ("GKB", table.gkb)):
        if fact and not fact["company"]:
            assign_if_alone(table, private, fact)


# ---------------------------------------------------------------------- stations


def tokens(table: Table, company: str) -> tuple[int, bool]:
    """The price of the next ordinary station, and whether it is the harbour token turned over; -1 if none is left."""
    here = table.companies[company]
    usual = [price for price in here.tokens if price != here.harbour]
    if usual:
        return usual[0], False
    return (here.tokens[0], True) if here.tokens else (-1, False)


def open_space(table: Table, place: Place) -> bool:
    """An ordinary space of a stop that is free."""
    words, names = table.board.stop(place).words, table.board.names(place)
    return KEPT not in words and "" in (names[:-1] if HARBOUR in words else names)


def granted(table: Table, company: str) -> bool:
    """4.1: a station on the tile just laid by a function is the turn's only opportunity, taken or not."""
    at = table.turn.get("RM")
    if not at:
        return False
    moves = ({"company": company, "hex": at, "stop": stop, "private": "RM"} for stop in range(2))
    return any(allowed(judge_station, table, move) for move in moves)


def judge_station(table: Table, move: dict[str, Any]) -> None:
    company, at, private = move["company"], move["hex"], move["private"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(private in ("", "RM"), "no such function")
    need(not table.turn.get("station"), "one station in a turn [RHL-6.2.2-f]")
    need(at in table.board.spaces and 0 <= move["stop"] < len(table.board.spaces[at]), "no such stop")
    place = (at, "abc"[move["stop"]])
    price, _ = tokens(table, company)
    need(price >= 0, "no station left [RHL-6.2.2-a]")
    need(open_space(table, place), "no free space [RHL-6.2.2-a]")
    need(not table.board.on_hex(company, at), "one station on a hex [RHL-6.2.2-g]")
    need(price <= table.cash[company] or free(table), "too dear [RHL-6.2.2-d]")
    if private == "RM":
        need(table.turn.get("RM") == at, "on the tile just laid [LRA-4.1.2-m]")
        return
    need(not granted(table, company), "the only opportunity of the turn [RHL-4.1-e]")
    special = table.sheet.raw["free_station"]
    if company == special["corporation"] and at == special["hex"]:
        return
    need(place in table.board.reach(company)[0], "no available route [RHL-6.2.2-e]")


def harbour_price(table: Table, company: str, at: str) -> int:
    """What a harbour token costs on a space now; -1 if the space is reserved for others (4.1.2, 6.2.2.1)."""
    rules = table.sheet.raw["harbour"]
    full = table.companies[company].harbour
    own = rules["own_price"]
    if company == own["corporation"] and at == own["hex"]:
        return int(own["price"])
    private = next((name for name, where in rules["reserved"].items() if where == at), "")
    if table.colour == "brown" or not private:
        return full
    holder = table.privates[private]
    mine = holder in (table.companies[company].director, company)
    return int(rules["reduced"][company]) if mine and holder else -1


def judge_harbour(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(not table.turn.get("station"), "one station in a turn [LRA-6.2.2.1-e]")
    need(not granted(table, company), "the only opportunity of the turn [RHL-4.1-e]")
    here = table.companies[company]
    need(bool(here.harbour) and here.harbour in here.tokens, "no harbour token [LRA-2.6-a]")
    need(at in table.sheet.raw["harbour"]["hexes"], "no harbour [LRA-6.2.2.1-a]")
    stops = table.board.drawn(at).stops
    need(any(HARBOUR in stop.words for stop in stops), "from the green tile on [LRA-4.1.2-g]")
    need(not table.board.spaces[at][0][-1], "taken [LRA-6.2.2.1-c]")
    need(not table.board.on_hex(company, at), "one station on a hex [LRA-6.2.2.1-e]")
    price = harbour_price(table, company, at)
    need(price >= 0, "reserved [LRA-4.1.2-f]")
    need(price <= table.cash[company] or free(table), "too dear [RHL-6.2.2-d]")
    need((at, "a") in table.board.reach(company)[0], "no available route [LRA-4.1.2-a]")


def stations(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All stations and harbour tokens that may be placed now."""
    for at, stops in table.board.spaces.items():
        for number in range(len(stops)):
            for private in ("", "RM"):
                move = {"type": "place_station", "company": company, "hex": at, "stop": number, "private": private}
                if allowed(judge_station, table, move):
                    yield move
    for at in table.sheet.raw["harbour"]["hexes"]:
        move = {"type": "place_harbour", "company": company, "hex": at}
        if allowed(judge_harbour, table, move):
            yield move


def place_station(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    price, _ = tokens(table, company)
    here = table.companies[company]
    here.tokens.remove(price)
    table.pay(company, BANK, 0 if free(table) else price)
    names = table.board.spaces[at][move["stop"]]
    names[names.index("")] = company
    table.turn["station"] = table.turn["track done"] = True
    table.board.changed()


def place_harbour(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    price = harbour_price(table, company, at)
    here = table.companies[company]
    here.tokens.remove(here.harbour)
    table.pay(company, BANK, 0 if free(table) else price)
    table.board.spaces[at][0][-1] = company
    table.turn["station"] = table.turn["track done"] = True
    table.board.changed()
