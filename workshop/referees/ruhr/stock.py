"""The starting package and stock rounds (rulebook 3, 13, 14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.ruhr.cards import close_private
from workshop.referees.ruhr.raising import ask_way, judge_sale, sell, ways
from workshop.referees.ruhr.table import ASIDE, BANK, OFFER, POOL, Foul, Question, Table, allowed, need
from workshop.referees.ruhr.works import charter_of, row

Move = dict[str, Any]

# ---------------------------------------------------------------------- the package


def lot_price(table: Table, lot: str) -> int:
    """The printed price and 5 M for each lot skipped in its column (3.1)."""
    for column in table.package:
        if lot in column:
            privates = table.sheet.rows("private", "id")
            printed = privates[lot]["price"] if lot in privates else row(table, lot)["price"]
            return int(printed + table.sheet.raw["package"]["surcharge"] * column.index(lot))
    raise Foul("not in the package [RUHR-3.1-a]")


def judge_lot(table: Table, move: Move) -> None:
    need(table.step == "lot", "not now [RUHR-3-a]")
    need(lot_price(table, move["lot"]) <= table.cash[move["player"]], "too dear [RUHR-3.1-c]")


def buy_lot(table: Table, move: Move) -> None:
    player, lot = move["player"], move["lot"]
    table.pay(player, BANK, lot_price(table, lot))
    for column in table.package:
        if lot in column:
            column.remove(lot)
    table.last_buyer = player
    table.memory["passed"] = 0
    if lot in table.privates:
        table.privates[lot] = player
        if lot == table.sheet.raw["aside"]["private"]:
            table.questions.append(Question("par", player, {"company": table.sheet.raw["aside"]["corporation"]}))
    else:
        here = table.companies[lot]
        here.holders = [player]
        here.director = player
        here.floated = True
        table.charters[lot] = charter_of(table, lot)
        table.pay(BANK, lot, row(table, lot)["start_treasury"])
    table.turn["over"] = True


def found_bme(table: Table, player: str, par: int) -> None:
    """4.1.1: a value of 50 to 70; three certificates to the pool, their money under R13."""
    aside = table.sheet.raw["aside"]
    company = aside["corporation"]
    here = table.companies[company]
    here.par = par
    here.holders[0] = player
    here.director = player
    table.place(company, table.sheet.values.index(par))
    for _ in range(aside["certificates"]):
        table.move(company, 10, OFFER, POOL)
    table.pay(BANK, ASIDE, aside["certificates"] * par)


# ---------------------------------------------------------------------- a turn in a stock round


def over(table: Table, player: str) -> bool:
    return table.papers(player) > table.limit


def must_sell(table: Table, player: str) -> bool:
    """14.3: above the limit something must be sold before anything else, if anything can be (R-49)."""
    return over(table, player) and any(sales(table, player))


def judge_sell(table: Table, move: Move) -> None:
    """14.1, 14.4: any number, before the purchase; all of one corporation at once (R-65)."""
    company, percent = move["company"], move["percent"]
    need(table.step == "trade", "not now [RUHR-7.3-a]")
    need(table.stock_number > 1, "not in the first stock round [RUHR-3-c]")
    need(company not in table.turn.get("sold", ()), "one sale of a corporation a turn [RUHR-14.5-b]")
    judge_sale(table, move["player"], company, percent)


def make_sell(table: Table, move: Move) -> None:
    player, company, percent = move["player"], move["company"], move["percent"]
    table.turn.setdefault("sold", []).append(company)
    table.memory.setdefault("sold", []).append((player, company))
    _traded(table, player)
    found = ways(table, player, company, percent)
    if not ask_way(table, player, company, percent, found):
        sell(table, player, company, percent, found[0])


def judge_found(table: Table, move: Move) -> None:
    """5.1, 14.2: a railway's director's certificate at twice a starting value of the phase."""
    player, company, par = move["player"], move["company"], move["par"]
    need(table.step == "trade" and not must_sell(table, player), "not now [RUHR-14.3-b]")
    need(table.sheet.kind.get(company) == "railway", "no railway [RUHR-5.1-c]")
    need(table.companies[company].box is None, "already started [RUHR-5.1-a]")
    special = table.sheet.raw["special"]
    if company == special["locked"]:
        need(table.companies[special["locked_until"]].operated, "locked [RUHR-5.5-c]")
    need(par in pars(table), "no starting value [RUHR-14.2-d]")
    need(2 * par <= table.cash[player], "too dear")
    need(table.papers(player) < table.limit, "certificate limit [RUHR-14.3-a]")


def pars(table: Table) -> list[int]:
    """14.2: the starting values of the colours that have come."""
    colours = ("yellow", "green", "brown", "grey")
    now = colours.index(table.colour)
    return [table.sheet.values[box] for box, since in table.sheet.starts.items() if colours.index(since) <= now]


def make_found(table: Table, move: Move) -> None:
    player, company, par = move["player"], move["company"], move["par"]
    here = table.companies[company]
    table.pay(player, BANK, 2 * par)
    here.par = par
    here.holders[0] = player
    here.director = player
    table.place(company, table.sheet.values.index(par))
    _bought(table, player)


def judge_buy(table: Table, move: Move) -> None:
    """13.1, 14.2: one certificate from the offer or the pool at the stock value."""
    player, company, source, percent = move["player"], move["company"], move["source"], move["percent"]
    need(table.step == "trade" and not must_sell(table, player), "not now [RUHR-14.3-b]")
    need(table.sheet.kind.get(company) in ("railway", "montan"), "no corporation [RUHR-5.1-h]")
    need(table.companies[company].box is not None, "not started [RUHR-5.1-a]")
    need(source in (OFFER, POOL), "only from the bank [RUHR-5.1-h]")
    need(percent in table.normal(company, source), "no such certificate there [RUHR-2.5-a]")
    need((player, company) not in table.memory.get("sold", ()), "sold in this round [RUHR-14.2-h]")
    need(table.worth(company, percent) <= table.cash[player], "too dear")
    need(table.papers(player) < table.limit, "certificate limit [RUHR-14.3-a]")


def make_buy(table: Table, move: Move) -> None:
    """Paid into the treasury of a floated company for a new certificate, else to the bank (14.2)."""
    player, company, source, percent = move["player"], move["company"], move["source"], move["percent"]
    treasury = source == OFFER and table.companies[company].floated
    table.pay(player, company if treasury else BANK, table.worth(company, percent))
    table.move(company, percent, source, player)
    table.settle_director(company)
    _bought(table, player)


def _bought(table: Table, player: str) -> None:
    _traded(table, player)
    table.turn["over"] = True


def _traded(table: Table, player: str) -> None:
    """Who buys or sells has not passed, and gives the Priority Deal to the left (13.2)."""
    table.last_buyer = table.memory["traded"] = player
    table.turn["acted"] = True


def judge_remove(table: Table, move: Move) -> None:
    """4.1.1: the private company of BME may be given up in the owner's turn."""
    private = table.sheet.raw["aside"]["private"]
    need(table.step == "trade", "not now [RUHR-4.1.1-i]")
    need(move["private"] == private and table.privates[private] == move["player"], "not theirs [RUHR-4.1.1-i]")


def make_remove(table: Table, move: Move) -> None:
    close_private(table, move["private"])


# ---------------------------------------------------------------------- what is possible


def sales(table: Table, player: str) -> Iterator[Move]:
    for company in table.in_order():
        for percent in range(10, table.held(company, player) + 1, 10):
            move = {"type": "sell_shares", "player": player, "company": company, "percent": percent}
            if allowed(judge_sell, table, move):
                yield move


def purchases(table: Table, player: str) -> Iterator[Move]:
    for company in table.in_order():
        for source in (OFFER, POOL):
            for percent in (10, 20):
                move = {"type": "buy_share", "player": player, "company": company, "source": source, "percent": percent}
                if allowed(judge_buy, table, move):
                    yield move


def foundations(table: Table, player: str) -> Iterator[Move]:
    for company, kind in table.sheet.kind.items():
        if kind == "railway":
            move = {"type": "found", "player": player, "company": company, "par": min(pars(table))}
            if allowed(judge_found, table, move):
                yield move


# ---------------------------------------------------------------------- the end of the round


def float_railways(table: Table) -> None:
    """13.3: half sold, a railway has its charter and the money; in brown and grey ten times its value (R-46)."""
    settling, aside = table.sheet.raw["settling"], table.sheet.raw["aside"]
    for company in table.in_order():
        here = table.companies[company]
        if table.sheet.kind[company] != "railway" or here.floated or table.held(company, OFFER) > 50:
            continue
        here.floated = True
        if table.colour in settling["all_in"]:
            table.pay(BANK, company, 10 * here.par)
            for size in table.normal(company, OFFER):
                table.move(company, size, OFFER, POOL)
        else:
            sold = (100 - table.held(company, OFFER)) // 10
            if company == aside["corporation"]:
                sold -= aside["certificates"]
            table.pay(BANK, company, sold * here.par)


def settle_montan(table: Table) -> None:
    """13.3.2: what is left in the offer of a corporation founded just before."""
    settling = table.sheet.raw["settling"]
    for company in [name for name in table.in_order() if name in table.fresh]:
        papers = table.normal(company, OFFER)
        excess = max(0, len(papers) - settling["kept"])
        moved = len(papers) if table.fresh[company] in settling["all_in"] else excess
        table.pay(BANK, company, excess * table.price(company))
        table.shift(company, -moved)
        table.pay(BANK, company, (moved - excess) * table.price(company))
        for size in papers[:moved]:
            table.move(company, size, OFFER, POOL)
    table.fresh = {}


def deal_cards(table: Table) -> None:
    """3.2, 12.4, R-5: cards by the lowest number owned; then who has none, in the order in which they lost the last."""
    mines = table.sheet.rows("mine", "company")
    lowest = {
        player: min(mines[mine]["number"] for mine in table.mines_of(player))
        for player in table.seats
        if table.mines_of(player)
    }
    first = sorted(lowest, key=lambda player: lowest[player])
    at = table.seats.index(table.priority)
    seats = [name for name in table.cards if name in table.seats] or [*table.seats[at:], *table.seats[:at]]
    without = [player for player in seats if player not in lowest]
    never = [player for player in without if player not in table.lost]
    table.cards = first + never + [player for player in table.lost if player in without]
