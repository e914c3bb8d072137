"""Whose turn it is and what may be done in it: rounds, turns and steps follow each other until somebody must decide."""

from __future__ import annotations

from typing import Any

from workshop.referees.ruhr import montan, operating, raising, stock, works
from workshop.referees.ruhr.cards import buy_from_bank, buy_from_pool, train_price
from workshop.referees.ruhr.routes import has_route
from workshop.referees.ruhr.table import BANK, OFFER, POOL, Foul, Table, allowed

Move = dict[str, Any]
PASS = "pass"


def possible(table: Table) -> set[str]:
    """The kinds of moves that whoever acts may make now."""
    if table.kind == "package":
        return {"buy_lot", PASS} if _affordable(table) else set()
    if table.kind == "stock":
        return _trading(table)
    if table.kind == "founding":
        if table.step == "found":
            return {"found_montan", PASS} if any(montan.foundings(table, table.actor)) else set()
        found = {"merge_mine"} if any(montan.mergers(table, table.actor)) else set()
        found |= {"buy_share"} if any(montan.seconds(table, table.actor)) else set()
        return found | {PASS} if found else found
    if table.kind == "merging":
        return {"merge_mine", PASS} if any(montan.mergers(table, table.actor)) else set()
    return _operating(table)


def _affordable(table: Table) -> bool:
    return any(stock.lot_price(table, lot) <= table.cash[table.actor] for column in table.package for lot in column)


def _trading(table: Table) -> set[str]:
    player = table.actor
    found = {"sell_shares"} if any(stock.sales(table, player)) else set()
    found |= {"found"} if any(stock.foundations(table, player)) else set()
    found |= {"buy_share"} if any(stock.purchases(table, player)) else set()
    # it is no action; besides a transaction nobody is asked for it alone
    if table.privates[table.sheet.raw["aside"]["private"]] == player and (found or not table.turn.get("acted")):
        found.add("remove_private")
    if found and not stock.must_sell(table, player):
        found.add(PASS)
    return found


def _extras(table: Table) -> set[str]:
    """What a company may do at any time of its turn."""
    company = table.actor
    found = operating.deals(table, company)
    if any(operating.links(table, company, True)):
        found.add("make_link")
    if works.kind(table, company) == "railway" and any(operating.links(table, company, False)):
        found.add("make_link")
    return found


def _wanted(table: Table) -> set[str]:
    """What a turn waits for where nothing else is to be done: who has just passed is not asked for these again."""
    if table.turn.get("passed"):
        return set()
    company = table.actor
    found = operating.deals(table, company)
    if table.step in ("income", "run") and any(operating.links(table, company, True)):
        found.add("make_link")
    if works.kind(table, company) == "railway" and any(operating.links(table, company, False)):
        found.add("make_link")
    return found | _extras(table) if found else found


def _operating(table: Table) -> set[str]:
    company, step = table.actor, table.step
    own: set[str] = set()
    if step == "track":
        own = {"lay_tile"} if any(operating.tiles(table, company)) else set()
        return own | _extras(table) | {PASS} if own else set()
    if step == "station":
        if table.turn.get("station"):
            return set()
        own = {"place_station"} if any(operating.stations(table, company)) else set()
        return own | _extras(table) | {PASS} if own else set()
    if step == "run":
        if operating.must_run(table, company):
            return {"run"} | _extras(table)
        extras = _wanted(table)
        return extras | {PASS} if extras else set()
    if step == "income":
        extras = _wanted(table)
        return extras | {PASS} if extras else set()
    if step == "dividend":
        return {"dividend"} | _extras(table) if table.turn["revenue"] else set()
    return _trains(table) if step == "trains" else _spending(table)


def _trains(table: Table) -> set[str]:
    company = table.actor
    found = _forced(table)
    if any(allowed(operating.judge_train, table, move) for move in _train_moves(table)):
        found.add("buy_train")
    found |= _extras(table) if found or operating.duty(table, company) else _wanted(table)
    if not found and _only_declined(table):
        return {PASS}
    return found | {PASS} if found and not operating.duty(table, company) else found


def _only_declined(table: Table) -> bool:
    """Whether nothing but a price that was declined keeps a train from being bought: the turn is not over by itself."""
    known = table.turn.get("declined")
    if not known or table.turn.get("passed"):
        return False
    table.turn["declined"] = {}
    found = any(allowed(operating.judge_train, table, move) for move in _train_moves(table))
    table.turn["declined"] = known
    return found


def _train_moves(table: Table) -> list[Move]:
    company = table.actor
    money = table.cash[company] + table.cash[table.companies[company].director]
    moves = [{"train": card, "source": BANK, "price": train_price(table, card)} for card in table.on_sale()]
    moves += [{"train": card, "source": POOL, "price": train_price(table, card)} for card in table.pool]
    moves += [
        {"train": train, "source": name, "price": price}
        for name, here in table.companies.items()
        if name != company
        for train in here.trains
        for price in (
            operating.declined(table, name, train) + 1,
            min(train_price(table, train), money),
            table.cash[company],
        )
    ]
    return [{"company": company, **move} for move in moves]


def _forced(table: Table) -> set[str]:
    """What a purchase that must be made brings with it."""
    if not operating.forced(table):
        return set()
    company = table.actor
    found = set()
    if operating.forced_sales(table):
        found.add("sell_shares")
    if allowed(operating.judge_bankrupt, table, {"company": company}):
        found.add("go_bankrupt")
    return found


def _spending(table: Table) -> set[str]:
    company = table.actor
    found = operating.expenditures(table, company)
    must = works.must_develop(table, company) and bool(works.useful(table, company)) and not table.turn.get("spent")
    found |= _forced(table) if must else set()
    found |= _extras(table) if found or must else _wanted(table)
    if found and table.charters[company].engines:
        found.add("scrap_engine")
    return found | {PASS} if found and not must else found


# ---------------------------------------------------------------------- going on


def go_on(table: Table) -> set[str]:
    """Do what follows by itself until somebody has to decide; what they may do. Nothing if the game is over."""
    while not table.finished and not table.questions:
        found = _operate(table) if table.kind == "operating" else _take_turns(table)
        if found:
            return found
    return set()


def _take_turns(table: Table) -> set[str]:
    """A round of players: what somebody may do, or nothing where it went on by itself."""
    if table.turn.get("over"):
        _turn_over(table)
        return set()
    found = possible(table)
    if not found:
        table.turn["over"] = True
    return found


def passes(table: Table) -> None:
    """Somebody passes, or does nothing more."""
    if table.kind != "operating":
        table.turn["over"] = True
        return
    table.turn["passed"] = True
    order = {"track": "station", "station": "run", "trains": "", "spend": ""}
    if table.step in order:
        table.step = order[table.step]
        if not table.step:
            table.turn["over"] = True
    else:
        _work(table)


def _turn_over(table: Table) -> None:
    player, acted = table.actor, bool(table.turn.get("acted"))
    bought = table.kind == "package" and not table.memory.get("passed", 0) and table.last_buyer == player
    if table.kind == "package":
        acted = bool(table.turn.get("acted")) or bought
    table.memory["passed"] = 0 if acted else table.memory.get("passed", 0) + 1
    if table.kind == "founding":
        table.memory["todo"] = table.memory["todo"][1:]
        _next_founder(table)
        return
    if table.kind == "merging":
        order = [name for name in reversed(table.cards) if name in table.seats]
        if table.memory["passed"] >= len(order):
            montan.end(table)
            begin_stock(table, table.priority)
        else:
            _turn(table, order[(order.index(player) + 1) % len(order)], "merge")
        return
    if table.kind == "package" and not any(table.package):
        table.kind = "stock"
        table.memory = {}
        _turn(table, table.left_of(player)[0], "trade")
        return
    if table.memory["passed"] >= len(table.seats):
        if table.kind == "package":
            begin_operating(table, 1, 1)
        else:
            end_stock(table)
        return
    _turn(table, table.left_of(player)[0], "lot" if table.kind == "package" else "trade")


def _turn(table: Table, actor: str, step: str) -> None:
    table.actor, table.step, table.turn = actor, step, {}


# ---------------------------------------------------------------------- rounds


def begin_stock(table: Table, first: str) -> None:
    table.kind = "stock"
    table.stock_number += 1
    table.operating_number = 0
    table.memory = {}
    _turn(table, first, "trade")


def end_stock(table: Table) -> None:
    """13.2, 13.3, 3.2: priority, floating, in the first round the cards."""
    if table.stock_number == 1:
        order = table.left_of(table.last_buyer)
        table.priority = max(order, key=lambda player: table.cash[player])
    elif table.memory.get("traded"):
        table.priority = table.left_of(table.memory["traded"])[0]
    stock.float_railways(table)
    stock.settle_montan(table)
    operating.join(table)
    if table.stock_number == 1:
        stock.deal_cards(table)
    if table.last == "due":
        table.last = "now"
        begin_operating(table, 1, table.sheet.raw["last"]["operating_rounds"])
    else:
        begin_operating(table, 1, 2)


def begin_operating(table: Table, number: int, total: int) -> None:
    """7.1: first the private companies pay."""
    single = table.kind == "package"
    table.kind = "operating"
    table.operating_number, table.operating_total = number, total
    table.memory = {"acted": [], "single": single}
    _turn(table, "", "")
    for row in table.sheet.raw["private"]:
        owner = table.privates[row["id"]]
        if owner not in ("", "closed"):
            table.pay(BANK, owner, row["revenue"])


def end_operating(table: Table) -> None:
    """7.4, 12, 15.1: the second round, a Montan round, a stock round, or the end."""
    _turn(table, "", "")
    if table.memory["single"]:
        table.kind = "package"
        table.operating_number = 0
        table.memory = {"passed": 0}
        first = table.left_of(table.last_buyer)[0] if table.last_buyer else table.priority
        _turn(table, first, "lot")
    elif table.operating_number < table.operating_total:
        begin_operating(table, table.operating_number + 1, table.operating_total)
    elif table.last == "now":
        table.finished = "last_card"
    elif table.ends:
        table.finished = "bank"
    elif table.begun(table.sheet.raw["montan_round"]["from_card"]):
        table.kind = "founding"
        table.operating_number = table.operating_total = 1
        table.memory = {"todo": [name for name in table.cards if name in table.seats]}
        _next_founder(table)
    else:
        begin_stock(table, table.priority)


def _next_founder(table: Table) -> None:
    """12.1: by cards upward, each once; then merging by cards downward."""
    if table.memory["todo"]:
        _turn(table, table.memory["todo"][0], "found")
        return
    table.kind = "merging"
    table.operating_number = 0
    table.memory = {"passed": 0}
    _turn(table, next(name for name in reversed(table.cards) if name in table.seats), "merge")


# ---------------------------------------------------------------------- an operating round


def next_company(table: Table) -> str:
    """7.1: small companies by number, then corporations by value; looked up anew after each turn (R-11)."""
    acted, special = table.memory["acted"], table.sheet.raw["special"]
    for name, kind in table.sheet.kind.items():
        if kind == "mine" and table.companies[name].director and name not in acted:
            return name
    for name in table.in_order():
        waits = name == special["waits"] and not table.begun(special["waits_for"])
        if table.companies[name].floated and name not in acted and not waits and not table.memory["single"]:
            return name
    return ""


def _operate(table: Table) -> set[str]:
    """A step of an operating round: what somebody may do, or nothing where it went on by itself."""
    if table.turn.get("over"):
        table.companies[table.actor].operated = True
        _turn(table, "", "")
    if not table.actor:
        company = next_company(table)
        if company:
            _begin_turn(table, company)
        else:
            end_operating(table)
        return set()
    if not table.companies[table.actor].director:
        _by_the_bank(table)
        return set()
    found = possible(table)
    if not found:
        _work(table)
    return found


def _begin_turn(table: Table, company: str) -> None:
    kind = works.kind(table, company)
    _turn(table, company, "track" if kind == "railway" else "income")
    table.memory["acted"].append(company)
    if kind == "railway" and not table.companies[company].active:
        # 10.4: the home marker lies from the first turn on, for nothing
        table.companies[company].active = True
        table.board.present.add(company)
        table.board.changed()


def _work(table: Table) -> None:
    """What a step does by itself when nobody does anything in it."""
    company, step = table.actor, table.step
    if step == "track":
        table.step = "station"
    elif step == "station":
        table.step = "run"
    elif step == "run":
        operating.earned(table, company, 0)
    elif step == "income":
        operating.earned(table, company, works.income(table, company))
    elif step == "dividend":
        if works.kind(table, company) != "mine":
            operating.keep(table, company, 0)
        table.step = operating.NEXT[works.kind(table, company)]
    elif (
        step == "spend" and works.must_develop(table, company) and table.on_sale() and not works.useful(table, company)
    ):
        # 9.1.1.3e, R-62: no card can give it an active marker
        works.close(table, company)
        table.turn["over"] = True
    else:
        table.turn["over"] = True


def _by_the_bank(table: Table) -> None:
    """10.9c, R-63: the best run, everything kept, a card only where it must be; loans are paid back first."""
    company = table.actor
    here = table.companies[company]
    if works.kind(table, company) == "railway":
        if table.step != "trains":
            revenue = operating.best_run(table, company) if operating.must_run(table, company) else 0
            here.revenue = revenue
            operating.keep(table, company, revenue)
            repay(table, company)
        if operating.duty(table, company):
            options = [
                (train_price(table, train), source, train)
                for source, trains in ((BANK, table.on_sale()), (POOL, table.pool))
                for train in trains
            ]
            price, source, train = min(options)
            lend(table, company, price)
            (buy_from_bank if source == BANK else buy_from_pool)(table, company, train)
    else:
        if table.step != "spend":
            here.revenue = works.income(table, company)
            operating.keep(table, company, here.revenue)
            repay(table, company)
        if works.must_develop(table, company):
            cards = works.useful(table, company)
            if cards:
                card = min(cards, key=lambda name: works.development_price(table, name))
                lend(table, company, works.development_price(table, card))
                phase = table.phase_with(card)
                good = [
                    each
                    for each in works.sets(table, company, card)
                    if any(not table.inactive(stage, phase) for stage in each)
                ]
                works.develop(table, company, card, max(good, key=lambda each: each[::-1]))
            elif table.on_sale():
                works.close(table, company)
    table.turn["over"] = True


def lend(table: Table, company: str, price: int) -> None:
    missing = price - table.cash[company]
    if missing > 0:
        table.pay(BANK, company, missing)
        table.loans[company] = table.loans.get(company, 0) + missing


def repay(table: Table, company: str) -> None:
    amount = min(table.loans.get(company, 0), table.cash[company])
    if amount:
        table.pay(company, BANK, amount)
        table.loans[company] -= amount


# ---------------------------------------------------------------------- bankruptcy


def bankrupt(table: Table, player: str, company: str) -> None:
    """10.9: the player leaves; the purchase stays, over the cheapest there is (R-73)."""
    railway = table.step == "trains"
    if railway:
        options = [
            (train_price(table, train), source, train)
            for source, trains in ((BANK, table.on_sale()), (POOL, table.pool))
            for train in trains
        ]
        price, source, train = min(options)
    else:
        price = min(operating.card_prices(table, company))
    raising.go_bankrupt(table, player, company, price)
    # Whoever follows goes on with the purchase, and has sold nothing for it yet.
    table.turn["raised"] = raising.ENDLESS
    if len(table.seats) == 1:
        table.finished = "bankruptcy"
        return
    if railway and table.companies[company].director:
        table.turn["fixed"] = (train, source)


def scores(table: Table) -> dict[str, int]:
    """15.2: cash, certificates at their value, small companies at their printed price; nothing for the bankrupt."""
    result = dict.fromkeys(table.retired, 0)
    for player in table.seats:
        worth = sum(table.worth(name, table.held(name, player)) for name in table.in_order())
        mines = sum(works.row(table, mine)["price"] for mine in table.mines_of(player))
        result[player] = table.cash[player] + worth + mines
    return result


__all__ = ["OFFER", "Foul", "bankrupt", "go_on", "has_route", "passes", "possible", "scores"]
