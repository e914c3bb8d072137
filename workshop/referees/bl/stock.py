"""Stock rounds: founding, buying, selling, directors, floating, limits, the exchange of private no. 6 (4 to 7)."""

from __future__ import annotations

from typing import Any

from workshop.referees.bl.table import BANK, CLOSED, OFFER, POOL, Table, allowed, need


def first(table: Table) -> bool:
    return table.stock_number == 1


# ---------------------------------------------------------------------- limits


def share_limit(table: Table, company: str, player: str, source: str) -> int:
    """7.2: 60 %; who has them may go to 70 % from the offering; in the brown area all."""
    if table.area(company) == "brown":
        return 100
    return 70 if source == OFFER and table.held(company, player) >= 60 else 60


def judge_limit(table: Table, player: str, company: str) -> None:
    """One more certificate of a company within the certificate limit."""
    more = table.area(company) not in ("yellow", "brown")
    need(table.papers(player) + more <= table.limit, "certificate limit [BL-7.2-a]")


def over(table: Table, player: str) -> bool:
    """7.2, R51: too many certificates, or more than 70 % outside the brown area."""
    if table.papers(player) > table.limit:
        return True
    return any(table.held(name, player) > 70 and table.area(name) != "brown" for name in table.companies)


# ---------------------------------------------------------------------- buying


def judge_found(table: Table, move: dict[str, Any]) -> None:
    player, company, par = move["player"], move["company"], move["par"]
    need(company in table.companies, "no such company")
    need(not table.turn.get("bought"), "one purchase in a turn [BL-7-e]")
    here = table.companies[company]
    need(here.holders[0] == OFFER, "founded already [BL-6.1-a]")
    need(par in table.sheet.pars, "a blue value [BL-7.1-b]")
    need(2 * par <= table.cash[player], "too dear [BL-7.1-b]")
    judge_limit(table, player, company)


def price_at(table: Table, company: str, source: str) -> int:
    return table.companies[company].par if source == OFFER else table.price(company)


def judge_buy(table: Table, move: dict[str, Any]) -> None:
    player, company, source = move["player"], move["company"], move["source"]
    need(company in table.companies and source in (OFFER, POOL), "no such certificate [BL-7.1-g]")
    need(not table.turn.get("bought"), "one purchase in a turn [BL-7-e]")
    need(bool(table.companies[company].director), "not founded [BL-6.1-a]")
    need(move["percent"] in table.normal(company, source), "not on sale [BL-7.1-a]")
    need(price_at(table, company, source) <= table.cash[player], "too dear [BL-7.1-f]")
    need(company not in table.memory["sold"].get(player, ()), "sold in this round [BL-7.1-i]")
    judge_limit(table, player, company)
    held = table.held(company, player)
    need(held + 10 <= share_limit(table, company, player, source), "share limit [BL-7.2-d]")


def found(table: Table, move: dict[str, Any]) -> None:
    player, company, par = move["player"], move["company"], move["par"]
    here = table.companies[company]
    here.par, here.director, here.holders[0] = par, player, player
    table.pay(player, BANK, 2 * par)
    table.place(company, table.sheet.pars[par])
    _bought(table, player)


def buy(table: Table, move: dict[str, Any]) -> None:
    player, company, source = move["player"], move["company"], move["source"]
    treasury = source == OFFER and table.companies[company].floated
    table.pay(player, company if treasury else BANK, price_at(table, company, source))
    table.move(company, 10, source, player)
    _bought(table, player)
    float_if_due(table, company)
    settle_director(table, company)


def _bought(table: Table, player: str) -> None:
    table.turn["bought"] = table.turn["acted"] = True
    table.memory["buyer"] = player


def float_if_due(table: Table, company: str) -> None:
    """6.1, 7.3: with half of the shares out of the offering; always five times par."""
    here = table.companies[company]
    if not here.floated and table.held(company, OFFER) <= 50:
        here.floated = True
        table.pay(BANK, company, 5 * here.par)


# ---------------------------------------------------------------------- directors


def heir(table: Table, company: str, left: int) -> str:
    """6.3: who has more than the director would have; the most, then the nearest to the left."""
    director = table.companies[company].director
    able = [name for name in table.left_of(director) if name != director and table.held(company, name) > left]
    return max(able, key=lambda name: table.held(company, name)) if able else ""


def settle_director(table: Table, company: str) -> None:
    director = table.companies[company].director
    new = heir(table, company, table.held(company, director))
    if new:
        hand_over(table, company, new)


def hand_over(table: Table, company: str, new: str) -> None:
    """The certificate for two of 10 %."""
    here = table.companies[company]
    for _ in range(2):
        table.move(company, 10, new, here.director)
    here.holders[0] = here.director = new


# ---------------------------------------------------------------------- selling


def saleable(table: Table, player: str, company: str, percent: int, keep_director: bool = False) -> bool:
    """6.3, 7.4: the pool takes half, the director's certificate only goes to somebody who has 20 %."""
    here = table.companies[company]
    held = table.held(company, player)
    if percent <= 0 or percent % 10 or percent > held or not here.operated or here.closed:
        return False
    if table.held(company, POOL) + percent > 50:
        return False
    if here.director != player:
        return True
    new = heir(table, company, held - percent)
    if new and keep_director:
        return False
    return percent <= held - 20 or (bool(new) and table.held(company, new) >= 20)


def judge_sell(table: Table, move: dict[str, Any]) -> None:
    player, company, percent = move["player"], move["company"], move["percent"]
    need(not first(table), "nothing is sold in the first round [BL-4.1-c]")
    need(company in table.companies, "no such company")
    need(not table.turn.get("bought"), "sales come first [BL-7-e]")
    need(company not in table.turn.get("sold", ()), "one sale of a company in a turn [R52]")
    need(saleable(table, player, company, percent), "no such sale [BL-7.4-b]")


def sell(table: Table, move: dict[str, Any]) -> None:
    player, company, percent = move["player"], move["company"], move["percent"]
    here = table.companies[company]
    price = table.price(company) * percent // 10
    if here.director == player:
        new = heir(table, company, table.held(company, player) - percent)
        if new:
            hand_over(table, company, new)
    for _ in range(percent // 10):
        table.move(company, 10, player, POOL)
    table.pay(BANK, player, price)
    table.falls(company, percent // 10)
    table.turn.setdefault("sold", []).append(company)
    if table.kind == "stock":
        table.turn["acted"] = True
        table.memory["sold"].setdefault(player, set()).add(company)


# ---------------------------------------------------------------------- private no. 6


def judge_exchange(table: Table, move: dict[str, Any]) -> None:
    player, rule = move["player"], table.sheet.raw["exchange"]
    company = rule["corporation"]
    here = table.companies[company]
    need(move["private"] == rule["private"], "private no. 6 only [BL-5.2-6b]")
    need(table.privates[rule["private"]] == player, "not theirs [BL-5.2-6g]")
    need(not first(table), "not in the first round [BL-5.2-6b]")
    need(bool(here.director), "not founded [BL-5.2-6b]")
    need(table.held(company, player) <= rule["max_percent"], "half at most [BL-5.2-6d]")
    need(company not in table.memory["sold"].get(player, ()), "sold in this round [BL-5.2-6e]")
    need(len(table.normal(company, OFFER)) + len(table.normal(company, POOL)) >= 2, "two certificates [R06]")
    more = 2 if table.area(company) not in ("yellow", "brown") else 0
    need(table.papers(player) - 1 + more <= table.limit, "certificate limit [R06]")


def exchange(table: Table, move: dict[str, Any]) -> None:
    player, rule = move["player"], table.sheet.raw["exchange"]
    company = rule["corporation"]
    for _ in range(2):
        table.move(company, 10, OFFER if table.normal(company, OFFER) else POOL, player)
    table.privates[rule["private"]] = CLOSED
    float_if_due(table, company)
    settle_director(table, company)


# ---------------------------------------------------------------------- a turn


def may_sell(table: Table, player: str) -> bool:
    return any(
        allowed(judge_sell, table, {"player": player, "company": company, "percent": percent})
        for company in table.companies
        for percent in range(10, table.held(company, player) + 1, 10)
    )


def may_exchange(table: Table, player: str) -> bool:
    return allowed(judge_exchange, table, {"player": player, "private": table.sheet.raw["exchange"]["private"]})


def may_buy(table: Table, player: str) -> bool:
    for company, here in table.companies.items():
        if here.holders[0] == OFFER:
            found_it = {"player": player, "company": company, "par": min(table.sheet.pars)}
            if allowed(judge_found, table, found_it):
                return True
        for source in (OFFER, POOL):
            if allowed(judge_buy, table, {"player": player, "company": company, "source": source, "percent": 10}):
                return True
    return False
