"""The starting package: the lowest lot is bought, on the others one bids (5.1.1)."""

from __future__ import annotations

from typing import Any

from workshop.referees.lra.table import ASIDE, BANK, Table, need

STEP = 5


def begin(table: Table, lots: list[str]) -> None:
    table.memory = {"lots": lots, "bids": {lot: {} for lot in lots}, "passes": 0, "cheaper": 0, "auction": None}


def printed(table: Table, lot: str) -> int:
    return int(table.sheet.rows("private", "id")[lot]["price"])


def asked(table: Table, lot: str) -> int:
    """What the lowest lot costs: only no. 1 gets cheaper."""
    return printed(table, lot) - int(table.memory["cheaper"])


def bound(table: Table, player: str, but: str = "") -> int:
    """Money that lies beside lots."""
    return sum(bids.get(player, 0) for lot, bids in table.memory["bids"].items() if lot != but)


def judge_buy(table: Table, move: dict[str, Any]) -> None:
    player, lot = move["player"], move["lot"]
    need(table.memory["auction"] is None, "an auction is on [RHL-5.1.1-f]")
    need(lot == table.memory["lots"][0], "only the lowest lot is bought [RHL-5.1.1-a]")
    need(asked(table, lot) <= table.cash[player] - bound(table, player), "too dear [RHL-5.1.1-d]")


def judge_bid(table: Table, move: dict[str, Any]) -> None:
    player, lot, price = move["player"], move["lot"], move["price"]
    memory = table.memory
    need(lot in memory["lots"], "no such lot")
    if memory["auction"] is None:
        need(lot != memory["lots"][0], "the lowest lot is bought [RHL-5.1.1-a]")
    else:
        need(lot == memory["lots"][0], "another lot is auctioned [RHL-5.1.1-f]")
    highest = max(memory["bids"][lot].values(), default=printed(table, lot))
    need(price >= highest + STEP and price % STEP == 0, "5 M more at least [RHL-5.1.1-c]")
    need(price <= table.cash[player] - bound(table, player, lot), "bound money [RHL-5.1.1-d]")


def buy(table: Table, move: dict[str, Any]) -> None:
    _sold(table, move["player"], move["lot"], asked(table, move["lot"]))
    _turn_over(table, move["player"])


def bid(table: Table, move: dict[str, Any]) -> None:
    memory = table.memory
    memory["bids"][move["lot"]][move["player"]] = move["price"]
    if memory["auction"] is None:
        _turn_over(table, move["player"])
    else:
        table.actor = _next_bidder(table, move["player"])
        _resolve(table)


def passes(table: Table, player: str) -> None:
    memory = table.memory
    if memory["auction"] is not None:
        _leaves(table, player)
        _resolve(table)
        return
    memory["passes"] += 1
    table.actor = table.left_of(player)[0]
    if memory["passes"] < len(table.seats):
        return
    memory["passes"] = 0
    if table.privates[memory["first"]] == "":
        memory["cheaper"] += STEP
        if asked(table, memory["first"]) <= 0:
            first = table.actor
            _sold(table, first, memory["first"], 0)
            _turn_over(table, first)
        return
    revenues(table)


def revenues(table: Table) -> None:
    """4.1: every private pays its revenue to its owner."""
    for name, row in table.sheet.rows("private", "id").items():
        if table.privates[name] in table.seats:
            table.pay(BANK, table.privates[name], row["revenue"])


def _turn_over(table: Table, player: str) -> None:
    """5.1.1: what lies on the next lots is settled first; then play goes on left of who finished a turn."""
    memory = table.memory
    memory["passes"] = 0
    memory["last"] = player
    table.actor = table.left_of(player)[0]
    _resolve(table)


def _resolve(table: Table) -> None:
    memory = table.memory
    while memory["lots"]:
        lot = memory["lots"][0]
        bids = memory["bids"][lot]
        if len(bids) > 1:
            if memory["auction"] is None:
                memory["auction"] = lot
                table.actor = min(bids, key=lambda name: bids[name])
            if max(bids.values()) + STEP <= table.cash[table.actor] - bound(table, table.actor, lot):
                return
            # Who cannot pay five more has nothing to decide.
            _leaves(table, table.actor)
            continue
        memory["auction"] = None
        if not bids:
            table.actor = table.left_of(memory["last"])[0]
            return
        winner, price = next(iter(bids.items()))
        _sold(table, winner, lot, price)
    memory["auction"] = None


def _leaves(table: Table, player: str) -> None:
    following = _next_bidder(table, player)
    del table.memory["bids"][table.memory["lots"][0]][player]
    table.actor = following


def _next_bidder(table: Table, player: str) -> str:
    """Clockwise the next one in the auction who does not hold the highest bid."""
    bids = table.memory["bids"][table.memory["lots"][0]]
    best = max(bids, key=lambda name: bids[name])
    order = [name for name in table.left_of(player) if name in bids and name not in (best, player)]
    return order[0] if order else player


def _sold(table: Table, player: str, lot: str, price: int) -> None:
    table.pay(player, BANK, price)
    table.privates[lot] = player
    table.memory["lots"].remove(lot)
    table.memory["bids"].pop(lot)
    table.memory["cheaper"] = 0
    table.memory["buyer"] = player
    table.lot_sold(player, lot, price)
    share = table.sheet.raw["lot_certificate"]
    if lot == share["lot"] and share["corporation"] in table.companies:
        here = table.companies[share["corporation"]]
        assert here.holders[share["certificate"]] == ASIDE
        here.holders[share["certificate"]] = player
