"""Track and stations in 18Rhl, with the functions of its private companies (4.1.1, 6.2.1, 6.2.2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.common.hexes import COLOURS, Place, sides
from workshop.referees.lra import building as rhine
from workshop.referees.lra.building import CLOSED, cost, joins
from workshop.referees.lra.table import BANK, allowed, need
from workshop.referees.rhl.board import CONCESSION
from workshop.referees.rhl.table import Table

PWB, KEO, THS, TF = "PWB", "KEO", "THS", "TF"
FUNCTIONS = (PWB, KEO, THS, TF)


def judge_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, tile, rotation = move["company"], move["hex"], move["tile"], move["rotation"]
    private = move["private"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(private in ("", *FUNCTIONS), "no such function")
    need(not any(True for _ in grants(table, company)), "the station first, or not at all [ruling 41]")
    words = table.board.concession(at, tile, rotation) if private == KEO else table.board.fits(at, tile, rotation)
    need(not words, words)
    lays: list[tuple[str, str]] = table.turn["lays"]
    need(not any(how == KEO for _, how in lays), "the only tile of the turn [RHL-4.1.1-f]")
    owner = table.privates[PWB]
    if at == "E14" and at not in table.board.tiles and owner != CLOSED:
        need(owner == table.companies[company].director, "blocked by private no. 1 [RHL-4.1.1-b]")
    if private:
        _function(table, company, private, at, tile)
    else:
        need(not any(not how for _, how in lays), "one tile in a turn [RHL-6.2.1-k]")
        places, entered = table.board.reach(company)
        need(joins(table, at, tile, rotation, places, entered), "no available route [RHL-6.2.1-a]")
        duty = rhine.home_duty(table, company)
        need(not duty or at == duty, "the first tile is laid at home [RHL-6.2.1-b]")
    if private != KEO:
        colour = table.sheet.tiles[tile].colour
        need(COLOURS.index(colour) <= COLOURS.index(table.colour), "not in this phase [RHL-6.2.1.1-a]")
    if private in ("", PWB):
        need(cost(table, at) <= table.cash[company], "too dear [RHL-6.2.1-i]")


def _function(table: Table, company: str, private: str, at: str, tile: str) -> None:
    need(table.privates[private] == table.companies[company].director, "not their private [RHL-4.1-d]")
    need(private not in table.used, "used already [RHL-4.1-d]")
    need(at in table.sheet.rows("private", "id")[private]["hexes"], "another hex [RHL-4.1.1-a]")
    if private == PWB:
        need(at not in table.board.tiles, "the first tile [RHL-4.1.1-d]")
    elif private == KEO:
        need(table.colour == "green", "from green until the first 5-train [RHL-4.1.1-e]")
        need(not table.turn["lays"], "the only tile of the turn [RHL-4.1.1-f]")
    elif private == THS:
        need(cost(table, at) > 0, "a mountain [RHL-4.1.1-j]")
    else:
        need(at not in table.board.tiles, "still yellow [RHL-4.1.1-l]")


def lays(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All lays that are allowed now, with the functions of privates."""
    director = table.companies[company].director
    for private in ("", *FUNCTIONS):
        if private and (table.privates[private] != director or private in table.used):
            continue
        hexes = table.sheet.rows("private", "id")[private]["hexes"] if private else table.sheet.hexes
        for at in hexes:
            label = table.sheet.hexes[at].label
            for tile, drawing in table.sheet.tiles.items():
                if label not in drawing.label.split("/") and tile != CONCESSION:
                    continue
                for rotation in range(6):
                    move = {"company": company, "hex": at, "tile": tile, "rotation": rotation, "private": private}
                    if allowed(judge_tile, table, move):
                        yield move


def lay_tile(table: Table, move: dict[str, Any]) -> None:
    company, at, tile, private = move["company"], move["hex"], move["tile"], move["private"]
    table.pay(company, BANK, cost(table, at) if private in ("", PWB) else 0)
    table.board.lay(at, tile, move["rotation"])
    table.turn["lays"].append((table.sheet.tiles[tile].colour, private))
    table.turn["grant"] = (private, at) if private in (KEO, TF) else ("", "")
    if private:
        table.used.append(private)
    if private == KEO:
        table.privates[KEO] = CLOSED
    if any(True for _ in grants(table, company)):
        table.turn["opportunity"] = True
    settle_link(table)


def settle_link(table: Table) -> None:
    """4.1.1 no. 6: RhE's money comes when track joins Köln's left bank and Aachen through Düren (ruling 36)."""
    link = table.sheet.raw["link_company"]
    if not table.link_money or not table.companies[link["corporation"]].floated:
        return
    board = table.board
    letters = "ab" if link["start"] not in board.tiles else "a"
    ends = [[(link["start"], letter) for letter in letters], [(link["end"], "a")]]
    apart = {link["start"], link["via"], link["end"]}

    def passes(place: Place) -> bool:
        return board.kind(place) != "offboard" and place[0] not in apart

    # By which sides the hex between is entered from each end: it is passed from one to another.
    near, far = (
        {side for at, side in board.walk(starts, passes)[1] if at == link["via"]} & sides(board.drawn(link["via"]))
        for starts in ends
    )
    if any(one != two for one in near for two in far):
        table.link_money = 0
        table.pay("aside", link["corporation"], link["amount"])


# ---------------------------------------------------------------------- stations


def granted(table: Table) -> tuple[str, str]:
    """The function that gives a station on the tile just laid, and its hex."""
    private, at = table.turn.get("grant", ("", ""))
    return private, at


def judge_station(table: Table, move: dict[str, Any]) -> None:
    company, at, private = move["company"], move["hex"], move["private"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(not table.turn.get("station"), "one station in a turn [RHL-6.2.2-f]")
    need(at in table.board.spaces and 0 <= move["stop"] < len(table.board.spaces[at]), "no such stop")
    place = (at, "abc"[move["stop"]])
    here = table.companies[company]
    need(bool(here.tokens), "no station left [RHL-6.2.2-a]")
    need("" in table.board.names(place), "no free space [RHL-6.2.2-a]")
    need(not table.board.on_hex(company, at), "one station on a hex [RHL-6.2.2-g]")
    if private:
        need(granted(table) == (private, at), "on the tile just laid [RHL-4.1.1-m]")
        need(private == KEO or here.tokens[0] <= table.cash[company], "too dear [RHL-6.2.2-d]")
        return
    need(table.step == "station", "not now [RHL-6.2-a]")
    need(not table.turn.get("opportunity"), "the only opportunity of the turn [RHL-4.1-e]")
    need(here.tokens[0] <= table.cash[company], "too dear [RHL-6.2.2-d]")
    need(place in table.board.reach(company)[0], "no available route [RHL-6.2.2-e]")


def grants(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """Stations that a function gives."""
    private, at = granted(table)
    for number in range(len(table.board.spaces.get(at, ()))):
        move = {"type": "place_station", "company": company, "hex": at, "stop": number, "private": private}
        if private and allowed(judge_station, table, move):
            yield move


def stations(table: Table, company: str) -> Iterator[dict[str, Any]]:
    """All stations that may be placed now."""
    step, table.step = table.step, "station"
    found: list[dict[str, Any]] = []
    for at, stops in table.board.spaces.items():
        for number in range(len(stops)):
            move = {"type": "place_station", "company": company, "hex": at, "stop": number, "private": ""}
            if allowed(judge_station, table, move):
                found.append(move)
    table.step = step
    yield from found


def place_station(table: Table, move: dict[str, Any]) -> None:
    company, at = move["company"], move["hex"]
    price = table.companies[company].tokens.pop(0)
    table.pay(company, BANK, 0 if move["private"] == KEO else price)
    names = table.board.spaces[at][move["stop"]]
    names[names.index("")] = company
    table.turn["station"] = True
    # A station that a function gives is placed with its tile (ruling 41): other tiles may follow.
    table.turn["track done"] = not move["private"]
    table.turn["grant"] = ("", "")
    table.board.changed()
