"""Running vehicles, dividends, and vehicles bought, also by force (8.5 to 8.8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from workshop.referees.bl import routes, stock
from workshop.referees.bl.table import BANK, CLOSED, POOL, Foul, Question, Table, need
from workshop.referees.common.routes import Route

ENDLESS = 10**9


# ---------------------------------------------------------------------- running


def can_run(table: Table, company: str) -> bool:
    return any(routes.has_route(table.board, company, name) for name in set(table.vehicles(company)))


def judge_run(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(bool(move["routes"]), "something must run [BL-8.2-e]")
    owned = table.companies[company].trains
    at_home = Counter(owned)
    used = 0
    for entry in move["routes"]:
        vehicle, trailer = routes.parts(entry["train"], owned)
        for name in filter(None, (vehicle, trailer)):
            need(at_home[name] > 0, "no such vehicle [BL-8.5.1-a]")
            at_home[name] -= 1
        kinds = (table.kind_of(vehicle), table.kind_of(trailer) if trailer else "")
        need(kinds in (("train", ""), ("railbus", ""), ("railbus", "trailer")), "a trailer needs a bus [BL-8.5.2-f]")
        route = routes.read(table.board, entry["path"])
        if isinstance(route, str):
            raise Foul(route)
        words = routes.foul(table.board, company, vehicle, route)
        need(not words, words)
        need(not used & route.crossed, "track of another vehicle [BL-8.5.1-m]")
        used |= route.crossed


def run(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    here = table.companies[company]
    total, towed = 0, False
    for entry in move["routes"]:
        vehicle, trailer = routes.parts(entry["train"], here.trains)
        route = routes.read(table.board, entry["path"])
        assert isinstance(route, Route)
        total += routes.value(table.board, table.colour, vehicle, trailer, route)
        towed = towed or bool(trailer)
    ran(table, company, total // 10 * 10)
    for row in table.sheet.raw["private"]:
        if towed and "trailer" in row["power"] and table.privates[row["id"]] == company:
            table.privates[row["id"]] = CLOSED


def ran(table: Table, company: str, revenue: int) -> None:
    table.companies[company].revenue = table.turn["revenue"] = revenue
    table.turn["ran"] = True


# ---------------------------------------------------------------------- dividends


def share(table: Table, kind: str) -> int:
    """8.6.2, R20: what a share of 10 % gets."""
    revenue = int(table.turn["revenue"])
    return {"pay": revenue // 10, "pay_75": revenue * 75 // 1000, "withhold": 0}[kind]


def judge_dividend(table: Table, move: dict[str, Any]) -> None:
    need(move["company"] == table.actor, "another company's turn [BL-6.2-a]")
    need(move["kind"] in ("pay", "pay_75", "withhold"), "no such choice [BL-8.6.2-e]")
    need(move["kind"] != "pay_75" or share(table, "pay_75") > 0, "nothing for a share [R20]")


def dividend(table: Table, move: dict[str, Any]) -> None:
    company, kind = move["company"], move["kind"]
    each = share(table, kind)
    table.turn["settled"] = True
    table.pay(BANK, company, table.turn["revenue"] - 10 * each)
    for name in table.people:
        table.pay(BANK, name, each * table.held(company, name) // 10)
    table.pay(BANK, company, each * table.held(company, POOL) // 10)
    if kind == "withhold":
        table.no_dividend(company)
    elif kind == "pay" or 10 * each * 2 >= 3 * table.price(company):
        table.full_dividend(company)
    else:
        cell = table.companies[company].cell
        assert cell is not None
        table.place(company, cell)


# ---------------------------------------------------------------------- vehicles


def room(table: Table, company: str) -> bool:
    """8.8.1, R21: below the limit, and it was not met in this turn."""
    return not table.turn.get("limit met") and len(table.vehicles(company)) < table.train_limit


def trailer_room(table: Table, company: str) -> bool:
    """8.8.1: one trailer, and only beside a rail bus."""
    buses = [name for name in table.vehicles(company) if table.kind_of(name) == "railbus"]
    return bool(buses) and not table.trailers(company)


def offers(table: Table, company: str) -> dict[tuple[str, str], int]:
    """What the boxes and the pool have that a company has room for, with the prices."""
    found: dict[tuple[str, str], int] = {}
    for source, names in ((BANK, table.on_sale()), (POOL, table.pool)):
        for name in names:
            trailer = table.kind_of(name) == "trailer"
            if trailer_room(table, company) if trailer else room(table, company):
                found[name, source] = table.price_of(name)
    return found


def engines(table: Table, company: str) -> dict[tuple[str, str], int]:
    """Of these the trains and rail buses."""
    return {what: price for what, price in offers(table, company).items() if table.kind_of(what[0]) != "trailer"}


def duty(table: Table, company: str) -> bool:
    """8.8.3, R56: no train and no rail bus, and there is one to be had."""
    return not table.vehicles(company) and bool(engines(table, company))


def forced(table: Table, company: str) -> bool:
    """8.8.3: the treasury pays for none; or money is being raised."""
    if not duty(table, company):
        return False
    return bool(table.turn.get("raising")) or min(engines(table, company).values()) > table.cash[company]


def targets(table: Table, company: str) -> dict[tuple[str, str], int]:
    """8.8.4, R23, R56: the cheapest train and the cheapest rail bus of the boxes; the cheapest of the pool without."""
    every = engines(table, company)
    found: dict[tuple[str, str], int] = {}
    for kind in ("train", "railbus"):
        new = {what: price for what, price in every.items() if what[1] == BANK and table.kind_of(what[0]) == kind}
        found |= {what: price for what, price in new.items() if price == min(new.values())}
    if found:
        return found
    return {what: price for what, price in every.items() if price == min(every.values())}


def others(table: Table, company: str) -> Iterator[tuple[str, str]]:
    """Trains and rail buses of other companies."""
    if table.since("green") and room(table, company):
        for name in table.companies:
            if name != company:
                yield from ((train, name) for train in table.vehicles(name))


def judge_train(table: Table, move: dict[str, Any]) -> None:
    company, train, source, price = move["company"], move["train"], move["source"], move["price"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    if source in (BANK, POOL):
        found = offers(table, company)
        need((train, source) in found, "not on sale [BL-8.8.2-a]")
        need(price == found[train, source], "at its printed price [BL-8.8.1-f]")
        if not forced(table, company):
            need(price <= table.cash[company], "too dear [BL-8.8.1-h]")
            return
        need((train, source) in targets(table, company), "the cheapest of the boxes [BL-8.8.4-a]")
        judge_forced(table, company, price)
        return
    need((train, source) in set(others(table, company)), "no such vehicle [BL-8.8.1-g]")
    need(not table.turn.get("raising"), "a forced purchase is on [BL-8.8.4-a]")
    need(1 <= price <= table.cash[company], "at least 1 M, from the treasury [BL-8.8.1-g]")
    if table.companies[source].director != table.companies[company].director:
        need(price > table.turn.get("declined", {}).get((source, train), 0), "declined already")


def judge_forced(table: Table, company: str, price: int) -> None:
    """8.8.4: treasury, then the director's cash; nothing sold in vain."""
    have = table.cash[company] + table.cash[table.companies[company].director]
    need(have >= price, "not enough money [BL-8.8.4-e]")
    need(have - table.turn.get("least", ENDLESS) < price, "sold in vain [BL-8.8.4-g]")


def saleable(table: Table, company: str, director: str) -> dict[str, int]:
    """R46: how much of each company the director of one may sell for a forced purchase."""
    found = {}
    for name in table.companies:
        if name in table.turn.get("sold", ()):
            continue
        for percent in range(10, table.held(name, director) + 1, 10):
            if not stock.saleable(table, director, name, percent, keep_director=name == company):
                break
            found[name] = percent
    return found


def completes(have: int, least: int, price: int, rest: list[tuple[int, int]]) -> bool:
    """Whether sales of some of the rest (value of a certificate, number) make up a price, and none of all in vain."""
    if have >= price:
        return have - least < price
    if not rest or have + sum(value * number for value, number in rest) < price:
        return False
    (value, number), more = rest[0], rest[1:]
    return any(
        completes(have + value * some, min(least, value) if some else least, price, more) for some in range(number + 1)
    )


def judge_forced_sale(table: Table, move: dict[str, Any]) -> None:
    company, name, percent = table.actor, move["company"], move["percent"]
    need(forced(table, company), "no forced purchase [BL-8.8.4-e]")
    director = table.companies[company].director
    able = saleable(table, company, director)
    need(name in able and percent in range(10, able[name] + 1, 10), "no such sale [BL-8.8.4-f]")
    have = table.cash[company] + table.cash[director]
    value, least = table.price(name), table.turn.get("least", ENDLESS)
    rest = [(table.price(other), most // 10) for other, most in able.items() if other != name]
    fits = [
        price
        for price in targets(table, company).values()
        if have < price and completes(have + value * percent // 10, min(least, value), price, rest)
    ]
    need(bool(fits), "more than is needed, or in vain [BL-8.8.4-g]")


def forced_sale(table: Table, move: dict[str, Any]) -> None:
    table.turn["raising"] = True
    table.turn["least"] = min(table.turn.get("least", ENDLESS), table.price(move["company"]))
    stock.sell(table, move)


def payable(table: Table, company: str) -> bool:
    """R55: whether one of the vehicles can be paid at all."""
    director = table.companies[company].director
    have = table.cash[company] + table.cash[director]
    rest = [(table.price(name), most // 10) for name, most in saleable(table, company, director).items()]
    least = table.turn.get("least", ENDLESS)
    return any(completes(have, least, price, rest) for price in targets(table, company).values())


def judge_bankrupt(table: Table, move: dict[str, Any]) -> None:
    company = move["company"]
    need(company == table.actor, "another company's turn [BL-6.2-a]")
    need(forced(table, company), "no forced purchase [BL-8.8.4-h]")
    need(not payable(table, company), "the money can be raised [BL-8.8.4-h]")


def bankrupt(table: Table, move: dict[str, Any]) -> None:
    """8.8.5, R25: all that may be sold is sold; companies and private companies go; the player leaves."""
    player = move["player"]
    for name, percent in saleable(table, move["company"], player).items():
        stock.sell(table, {"player": player, "company": name, "percent": percent})
    for name in table.directed(player):
        table.close(name)
    for private, owner in table.privates.items():
        if owner == player:
            if private == table.sheet.raw["access"]["private"]:
                table.tokens_to_pool()
            table.privates[private] = CLOSED
    if table.priority == player:
        table.priority = table.left_of(player)[0]
    table.seats.remove(player)
    table.retired.append(player)
    if len(table.seats) == 1:
        table.finished = "bankruptcy"


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
    take(table, company, train)
    for name in ("raising", "least"):
        table.turn.pop(name, None)
    if source == POOL:
        table.pool.remove(train)
        return
    table.left[train] -= 1
    table.sold[train] += 1
    begin_phase(table, train)


def trade(table: Table, company: str, source: str, train: str, price: int) -> None:
    table.pay(company, source, price)
    table.companies[source].trains.remove(train)
    take(table, company, train)


def take(table: Table, company: str, train: str) -> None:
    """R21: whoever meets the limit of the phase of the purchase buys no more in this turn."""
    table.companies[company].trains.append(train)
    if table.kind_of(train) != "trailer" and len(table.vehicles(company)) >= table.train_limit:
        table.turn["limit met"] = True


def begin_phase(table: Table, train: str) -> None:
    """9: what the first vehicle of a type brings."""
    phase = max([table.phase, *(n for n, row in enumerate(table.sheet.raw["phase"]) if train in row["on"])])
    if phase == table.phase:
        return
    before = table.colour
    table.phase = phase
    for row in table.sheet.raw["train"]:
        if train in row["rusts_on"]:
            obsolete(table, row["name"])
    if table.colour == "brown" != before:
        table.tokens_to_pool()
        table.privates = dict.fromkeys(table.privates, CLOSED)


def obsolete(table: Table, name: str) -> None:
    """8.8.1: it leaves the game wherever it is."""
    for here in [*(company.trains for company in table.companies.values()), table.pool, table.aside]:
        while name in here:
            here.remove(name)
            table.gone.append(name)
    table.gone += [name] * table.left[name]
    table.sold[name] += table.left[name]
    table.left[name] = 0


def surplus(table: Table) -> Question | None:
    """8.8.1, R22: the next company over the limit, from the one that acts on; without a choice it goes at once."""
    order = table.in_order()
    if table.actor in order:
        order = order[order.index(table.actor) :] + order[: order.index(table.actor)]
    for name in order:
        while len(table.vehicles(name)) > table.train_limit:
            if len(set(table.vehicles(name))) > 1:
                return Question("discard", table.companies[name].director, {"company": name})
            discard(table, name, table.vehicles(name)[0])
    return None


def discard(table: Table, company: str, train: str) -> None:
    table.companies[company].trains.remove(train)
    table.pool.append(train)


def may_buy(table: Table, company: str) -> bool:
    """Whether something can be bought from the treasury, or asked for."""
    if any(price <= table.cash[company] for price in offers(table, company).values()):
        return True
    return table.cash[company] > 0 and any(True for _ in others(table, company))
