"""Running trains, dividends, and trains bought, also by force (6.2.3 to 6.2.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from workshop.referees.common.routes import Route
from workshop.referees.lra import stock
from workshop.referees.lra.routes import GKB_TRAIN, read
from workshop.referees.lra.table import BANK, POOL, Foul, Question, Table, need, ways_to

ENDLESS = 10**9


# ---------------------------------------------------------------------- running


def judge_run(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    trains = Counter(table.companies[company].trains)
    used = 0
    for entry in move["routes"]:
        need(trains[entry["train"]] > 0, "no such train [RHL-6.2.3-a]")
        trains[entry["train"]] -= 1
        route = read(table.board, entry["path"])
        if isinstance(route, str):
            raise Foul(route)
        words = table.foul(company, entry["train"], route)
        need(not words, words)
        need(not used & route.crossed, "track of another train [RHL-6.2.3-g]")
        used |= route.crossed
    most = table.most_trains(company, len(move["routes"]))
    need(len(move["routes"]) >= most, "as many trains as can run [RHL-6.2.3-a]")


def run(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    values: list[tuple[str, int]] = []
    for entry in move["routes"]:
        route = read(table.board, entry["path"])
        assert isinstance(route, Route)
        values.append((entry["train"], table.value(company, entry["train"], route)))
    table.turn["gkb"] = sum(value for train, value in values if train == GKB_TRAIN)
    table.turn["revenue"] = sum(value for _, value in values)
    table.companies[company].revenue = table.turn["revenue"]
    table.turn["ran"] = True


def kinds(table: Table) -> list[str]:
    """6.2.4, ruling 113: the third choice needs income of the 2+4 train and of others."""
    result = ["pay", "withhold"]
    if 0 < table.turn["gkb"] < table.turn["revenue"]:
        result.append("keep_gkb")
    return result


def judge_dividend(table: Table, move: dict[str, Any]) -> None:
    need(move["company"] == table.actor, "another company's turn [RHL-4.2-d]")
    need(move["kind"] in kinds(table), "no such choice [LRA-4.1.2-v]")


def dividend(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    paid = {"pay": table.turn["revenue"], "withhold": 0, "keep_gkb": table.turn["revenue"] - table.turn["gkb"]}
    amount = paid[move["kind"]]
    table.pay(BANK, company, table.turn["revenue"] - amount)
    pay_out(table, company, amount)
    table.turn["settled"] = True


def pay_out(table: Table, company: str, amount: int) -> None:
    """6.2.4: each share a tenth; the charter's go to the treasury, the pool's to nobody. 6.2.5: the price."""
    for name in [*table.seats, company]:
        if name != company or table.companies[company].director != table.seatless or not table.seatless:
            table.pay(BANK, name, amount * table.held(company, name) // 100)
    move_price(table, company, amount)


def move_price(table: Table, company: str, amount: int) -> None:
    if not amount:
        table.shift(company, (0, -1), (1, 0))
    elif amount >= table.price(company):
        table.shift(company, (0, 1), (-1, 0))
    else:
        cell = table.companies[company].cell
        assert cell is not None
        table.place(company, cell)


# ---------------------------------------------------------------------- trains


def usual(table: Table, company: str) -> list[str]:
    return [train for train in table.companies[company].trains if train != GKB_TRAIN]


def room(table: Table, company: str, train: str, new: bool) -> bool:
    """6.2.6: within the limit now, and within that of the phase that the train brings (ruling 98)."""
    number = len(table.companies[company].trains)
    phase = table.phase_with(train) if new else table.phase
    limit = int(table.sheet.raw["phase"][phase]["train_limit"])
    return number < table.train_limit and number + 1 <= limit


def duty(table: Table, company: str) -> bool:
    """6.2.6.1: no train, a route, and something to buy (ruling 46)."""
    if usual(table, company) or not (table.on_sale() or table.pool):
        return False
    return table.has_route(company)


def bank_offers(table: Table, company: str) -> dict[tuple[str, str], int]:
    """New trains and those of the pool that a company has room for, with their prices."""
    found = {(train, BANK): table.price_of(train) for train in table.on_sale() if room(table, company, train, True)}
    found |= {(train, POOL): table.price_of(train) for train in table.pool if room(table, company, train, False)}
    return found


def targets(table: Table, company: str) -> dict[tuple[str, str], int]:
    """6.2.6.2: a train of the pool or the cheapest new one."""
    found = bank_offers(table, company)
    new = [price for (_, source), price in found.items() if source == BANK]
    return {what: price for what, price in found.items() if what[1] == POOL or price == min(new)}


def short(table: Table, company: str) -> bool:
    """6.2.6.1: the duty holds and the treasury pays for nothing that is on offer; or raising has begun."""
    if not duty(table, company):
        return False
    if table.turn.get("raising"):
        return True
    return not any(price <= table.cash[company] for price in bank_offers(table, company).values())


def others(table: Table, company: str) -> Iterator[tuple[str, str]]:
    """Trains of other companies that could be asked for."""
    for name, other in table.companies.items():
        if name == company or not other.floated or other.director == table.seatless:
            continue
        for train in sorted(set(other.trains)):
            if train != GKB_TRAIN and room(table, company, train, False):
                yield train, name


def judge_train(table: Table, move: dict[str, Any]) -> None:
    company, train, source, price = move["company"], move["train"], move["source"], move["price"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    if source in (BANK, POOL):
        offers = bank_offers(table, company)
        need((train, source) in offers, "not on sale [RHL-6.2.6-b]")
        need(price == offers[train, source], "at its printed price [RHL-6.2.6-a]")
        if not short(table, company):
            need(price <= table.cash[company], "too dear [RHL-6.2.6-a]")
            return
        need((train, source) in targets(table, company), "the cheapest new one or the pool's [RHL-6.2.6.2-a]")
        judge_forced(table, company, price)
        return
    need((train, source) in set(others(table, company)), "no such train [RHL-6.2.6-d]")
    need(not table.turn.get("raising"), "nothing from others in a forced purchase [RHL-6.2.6.2-a]")
    need(1 <= price <= table.cash[company], "at least 1 M, from the treasury [RHL-6.2.6-d]")
    if table.companies[source].director != table.companies[company].director:
        need(price > table.turn.get("declined", {}).get((source, train), 0), "declined already")


def judge_forced(table: Table, company: str, price: int) -> None:
    director = table.companies[company].director
    have = table.cash[company]
    if have >= price:
        need(have - table.turn.get("own least", ENDLESS) < price, "sold in vain [RHL-6.2.6.2-d]")
        need(not table.turn.get("lent") and "least" not in table.turn, "raised in vain [RHL-6.2.6.2-d]")
        return
    need(not own_sales(table, company, price), "its own shares first [RHL-6.2.6.2-b]")
    have += table.cash[director]
    need(have >= price, "not enough money [RHL-6.2.6.2-b]")
    if table.turn.get("lent"):
        need(have == price, "a credit for this sum only [RHL-6.2.6.2-d]")
    elif "least" in table.turn:
        need(have - table.turn["least"] < price, "sold in vain [RHL-6.2.6.2-d]")


def own_sales(table: Table, company: str, price: int) -> list[int]:
    """What a company may sell of its own certificates for a train of a price (6.2.6.2)."""
    found = []
    have = table.cash[company]
    if have >= price:
        return []
    sizes = table.normal(company, company)
    for percent in range(10, sum(sizes) + 1, 10):
        ways = ways_to(sizes, percent)
        if not ways or table.held(company, POOL) + percent > 50:
            continue
        for way in ways:
            least = min(table.turn.get("own least", ENDLESS), table.worth(company, min(way)))
            if have + table.worth(company, percent) - least < price:
                found.append(percent)
                break
    return found


def afterwards(table: Table, company: str, act: Callable[[Table, dict[str, Any]], None], move: dict[str, Any]) -> bool:
    """Whether a train can still be had without anything in vain after a sale (ruling 44)."""
    cash, turn, pauses = dict(table.cash), dict(table.turn), list(table.questions)
    stacks = {cell: list(names) for cell, names in table.stacks.items()}
    papers = {name: (list(here.holders), here.cell) for name, here in table.companies.items()}
    sold = table.turn.get("sold")
    table.turn["sold"] = []
    act(table, move)
    result = bool(table.questions) or completes(table, company)
    table.cash, table.turn, table.stacks, table.questions = cash, turn, stacks, pauses
    if sold is not None:
        table.turn["sold"] = sold
    for name, (holders, cell) in papers.items():
        table.companies[name].holders, table.companies[name].cell = holders, cell
    return result


def completes(table: Table, company: str) -> bool:
    """Whether the money for a train can be raised, and nothing raised is in vain."""
    director = table.companies[company].director
    for price in set(targets(table, company).values()):
        try:
            judge_forced(table, company, price)
        except Foul:
            pass
        else:
            return True
        if own_sales(table, company, price):
            for percent in own_sales(table, company, price):
                move = {"player": director, "company": company, "percent": percent}
                if afterwards(table, company, own_sale, move):
                    return True
        elif not table.options["bankruptcy_end"]:
            have = table.cash[company] + table.cash[director]
            if have < price and not table.turn.get("lent"):
                return True
        else:
            for name, percent in private_sales(table, company, price):
                move = {"player": director, "company": name, "percent": percent}
                if afterwards(table, company, forced_sale, move):
                    return True
    return False


def judge_bankrupt(table: Table, move: dict[str, Any]) -> None:
    """8.3: nothing is sold if the money cannot be raised (ruling 105)."""
    company = move["company"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(bool(table.options["bankruptcy_end"]) and short(table, company), "no forced purchase [RHL-8.3-a]")
    need(not completes(table, company), "the money can be raised [RHL-8.3-a]")


def bankrupt(table: Table, move: dict[str, Any]) -> None:
    table.finished = "bankruptcy"


def judge_own_sale(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(short(table, company), "no forced purchase [RHL-6.2.6.2-b]")
    prices = targets(table, company).values()
    need(any(move["percent"] in own_sales(table, company, price) for price in prices), "[RHL-6.2.6.2-d]")
    need(afterwards(table, company, own_sale, move), "in vain [RHL-6.2.6.2-d]")


def own_sale(table: Table, move: dict[str, Any]) -> None:
    company, percent = move["company"], move["percent"]
    table.turn["raising"] = True
    way = ways_to(table.normal(company, company), percent)[0]
    least = table.worth(company, min(way))
    table.turn["own least"] = min(table.turn.get("own least", ENDLESS), least)
    for size in way:
        table.move(company, size, company, POOL)
    table.pay(BANK, company, table.worth(company, percent))
    table.down(company)


def private_sales(table: Table, company: str, price: int) -> list[tuple[str, int]]:
    """What the director may sell for a train of a price: no change of a director, nothing in vain."""
    director = table.companies[company].director
    have = table.cash[company] + table.cash[director]
    if own_sales(table, company, price) or have >= price or table.turn.get("lent"):
        return []
    found = []
    for name, here in table.companies.items():
        if not here.floated:
            continue
        for percent in range(10, table.held(name, director) + 1, 10):
            new, choices = stock.sale(table, director, name, percent)
            if new or not choices or table.held(name, POOL) + percent > 50:
                continue
            ways = [way for _, way in choices]
            for way in ways:
                least = min(table.turn.get("least", ENDLESS), table.worth(name, min(way)))
                if have + table.worth(name, percent) - least < price:
                    found.append((name, percent))
                    break
    return found


def judge_forced_sale(table: Table, move: dict[str, Any]) -> None:
    company = table.actor
    need(short(table, company), "no forced purchase [RHL-6.2.6.2-b]")
    wanted = (move["company"], move["percent"])
    prices = targets(table, company).values()
    need(any(wanted in private_sales(table, company, price) for price in prices), "[RHL-6.2.6.2-d]")
    need(afterwards(table, company, forced_sale, move), "in vain [RHL-6.2.6.2-d]")


def forced_sale(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    table.turn["raising"] = True
    way = stock.sale(table, move["player"], company, move["percent"])[1][0][1]
    table.turn["least"] = min(table.turn.get("least", ENDLESS), table.worth(company, min(way)))
    stock.sell(table, move)


def judge_loan(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    need(company == table.actor, "another company's turn [RHL-4.2-d]")
    need(short(table, company) and not table.options["bankruptcy_end"], "no credit [RHL-6.2.6.2-b]")
    need(not table.turn.get("lent"), "a credit was taken")
    have = table.cash[company] + table.cash[table.companies[company].director]
    fits = [price for price in targets(table, company).values() if price - have == move["amount"] > 0]
    need(any(not own_sales(table, company, price) for price in fits), "for the missing sum [RHL-6.2.6.2-d]")


def loan(table: Table, move: dict[str, Any]) -> None:
    table.turn["raising"] = table.turn["lent"] = True
    table.loans[move["player"]] += move["amount"]
    table.pay(BANK, move["player"], move["amount"])


def buy_train(table: Table, move: dict[str, Any]) -> None:
    company, train, source, price = move["company"], move["train"], move["source"], move["price"]
    here = table.companies[company]
    if source not in (BANK, POOL):
        if table.companies[source].director != here.director:
            data = {"company": company, "source": source, "train": train, "price": price}
            table.questions.append(Question("train", table.companies[source].director, data))
            return
        trade(table, company, source, train, price)
        return
    missing = price - table.cash[company]
    if missing > 0:
        table.pay(here.director, company, missing)
    table.pay(company, BANK, price)
    take(table, company, train, source)


def take(table: Table, company: str, train: str, source: str) -> None:
    """A new train comes to a company, or one of the pool."""
    table.companies[company].trains.append(train)
    for name in ("raising", "lent", "least", "own least"):
        table.turn.pop(name, None)
    if source == POOL:
        table.pool.remove(train)
        return
    table.left[train] -= 1
    table.sold[train] += 1
    begin_phase(table, table.phase_with(train), train)


def trade(table: Table, company: str, source: str, train: str, price: int) -> None:
    table.pay(company, source, price)
    table.companies[source].trains.remove(train)
    table.companies[company].trains.append(train)


def begin_phase(table: Table, phase: int, train: str) -> None:
    """6.3: obsolete trains, then DEC, GKB, privates, and the limit (rulings 47, 79)."""
    if phase == table.phase:
        return
    table.phase = phase
    for row in table.sheet.raw["train"]:
        if row.get("rusts_on") == train:
            for company in table.companies.values():
                table.gone += [name for name in company.trains if name == row["name"]]
                company.trains = [name for name in company.trains if name != row["name"]]
            table.gone += [name for name in table.pool if name == row["name"]]
            table.pool = [name for name in table.pool if name != row["name"]]
    table.begins(table, train)


def surplus(table: Table) -> Question | None:
    """The next company over the limit, in operating order."""
    for name in table.in_order():
        here = table.companies[name]
        if len(here.trains) > table.train_limit:
            return Question("discard", here.director, {"company": name})
    return None


def may_buy(table: Table, company: str) -> bool:
    """Whether something can be bought from the treasury, or asked for."""
    if any(price <= table.cash[company] for price in bank_offers(table, company).values()):
        return True
    if table.turn.get("raising"):
        return False
    # A turn does not end by itself because a price was declined: the two may talk.
    return table.cash[company] > 0 and any(True for _ in others(table, company))
