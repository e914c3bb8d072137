"""The starting round: the lowest private company is bought, on the others one bids (3)."""

from __future__ import annotations

from typing import Any

from workshop.referees.bl.table import BANK, Table, need

STEP = 5


def begin(table: Table) -> None:
    lots = [row["id"] for row in sorted(table.sheet.raw["private"], key=lambda row: int(row["number"]))]
    table.memory = {
        "lots": lots,
        "first": lots[0],
        "bids": {lot: {} for lot in lots},
        "passes": 0,
        "auction": False,
        # The reduced price of the first one while it is offered, and how many have refused it.
        "reduced": 0,
        "refused": 0,
    }


def printed(table: Table, lot: str) -> int:
    return int(table.sheet.rows("private", "id")[lot]["price"])


def asked(table: Table) -> int:
    return int(table.memory["reduced"]) or printed(table, table.memory["lots"][0])


def free(table: Table, player: str, but: str = "") -> int:
    """Money that does not lie beside a private company."""
    bound = sum(bids.get(player, 0) for lot, bids in table.memory["bids"].items() if lot != but)
    return table.cash[player] - int(bound)


def judge_buy(table: Table, move: dict[str, Any]) -> None:
    need(not table.memory["auction"], "an auction is on [BL-3-l]")
    need(move["lot"] == table.memory["lots"][0], "the lowest number only [BL-3-a]")
    need(asked(table) <= free(table, move["player"]), "too dear [BL-3-g]")


def judge_bid(table: Table, move: dict[str, Any]) -> None:
    player, lot, price, memory = move["player"], move["lot"], move["price"], table.memory
    need(lot in memory["lots"], "no such private company [BL-3-a]")
    need(not memory["reduced"], "taken or refused [BL-3-r]")
    need((lot == memory["lots"][0]) == memory["auction"], "another one [BL-3-d]")
    highest = max(memory["bids"][lot].values(), default=printed(table, lot))
    need(price >= highest + STEP and price % STEP == 0, "5 M more at least, in steps of 5 M [BL-3-f]")
    need(price <= free(table, player, lot), "bound money [BL-3-g]")


def buy(table: Table, move: dict[str, Any]) -> None:
    _sold(table, move["player"], move["lot"], asked(table))
    _bought(table, move["player"])


def bid(table: Table, move: dict[str, Any]) -> None:
    memory = table.memory
    memory["bids"][move["lot"]][move["player"]] = move["price"]
    if memory["auction"]:
        table.actor = _next_bidder(table, move["player"])
        _settle(table)
        return
    memory["passes"] = 0
    table.actor = table.left_of(move["player"])[0]


def passes(table: Table, player: str) -> None:
    memory = table.memory
    if memory["auction"]:
        following = _next_bidder(table, player)
        del memory["bids"][memory["lots"][0]][player]
        table.actor = following
        _settle(table)
        return
    table.actor = table.left_of(player)[0]
    if memory["reduced"]:
        memory["refused"] += 1
        if memory["refused"] == len(table.seats):
            _lower(table)
        return
    memory["passes"] += 1
    if memory["passes"] < len(table.seats):
        return
    memory["passes"] = 0
    if memory["lots"][0] == memory["first"]:
        memory["reduced"] = printed(table, memory["first"])
        _lower(table)
    else:
        table.revenues()


def _lower(table: Table) -> None:
    """3, R60: 5 M less, offered once around; for nothing the holder of the priority deal must take it."""
    memory = table.memory
    memory["reduced"] -= STEP
    memory["refused"] = 0
    if not memory["reduced"]:
        _sold(table, table.priority, memory["first"], 0)
        _bought(table, table.priority)


def _bought(table: Table, player: str) -> None:
    """R03: what lies on the next ones is settled; then it goes on left of who bought without an auction."""
    table.memory["passes"] = 0
    table.memory["buyer"] = player
    table.actor = table.left_of(player)[0]
    _settle(table)


def _settle(table: Table) -> None:
    memory = table.memory
    while memory["lots"]:
        bids = memory["bids"][memory["lots"][0]]
        if len(bids) > 1:
            if not memory["auction"]:
                memory["auction"] = True
                table.actor = _next_bidder(table, max(bids, key=lambda name: bids[name]))
            if max(bids.values()) + STEP <= free(table, table.actor, memory["lots"][0]):
                return
            # Who cannot raise is out.
            following = _next_bidder(table, table.actor)
            del bids[table.actor]
            table.actor = following
            continue
        memory["auction"] = False
        if not bids:
            break
        winner, price = next(iter(bids.items()))
        _sold(table, winner, memory["lots"][0], price)
    memory["auction"] = False
    table.actor = table.left_of(memory["buyer"])[0]


def _next_bidder(table: Table, player: str) -> str:
    """Clockwise the next who takes part and does not hold the highest bid."""
    bids = table.memory["bids"][table.memory["lots"][0]]
    best = max(bids, key=lambda name: bids[name])
    order = [name for name in table.left_of(player) if name in bids and name not in (best, player)]
    return order[0] if order else player


def _sold(table: Table, player: str, lot: str, price: int) -> None:
    table.pay(player, BANK, price)
    table.privates[lot] = player
    table.memory["lots"].remove(lot)
    table.memory["bids"].pop(lot)
    table.memory["reduced"] = 0
