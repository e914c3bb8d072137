"""Stock rounds: founding, buying, selling, directors, floating, limits (4.2, 5)."""

from __future__ import annotations

from typing import Any

from workshop.referees.lra.table import BANK, OFFER, POOL, Question, Table, allowed, need, ways_to


def first(table: Table) -> bool:
    return table.stock_number == 1


# ---------------------------------------------------------------------- buying


def judge_found(table: Table, move: dict[str, Any]) -> None:
    player, company, par = move["player"], move["company"], move["par"]
    need(company in table.companies, "no such company [LRA-3.3-d]")
    here = table.companies[company]
    need(here.holders[0] == OFFER, "founded already [RHL-5.1.3-a]")
    need(par in table.sheet.pars, "a pink value [RHL-5.1.3-a]")
    need(par * here.sizes[0] // 10 <= table.cash[player], "too dear [RHL-5.1.3-a]")
    need(table.papers(player) < table.limit, "certificate limit [RHL-5.2.2-b]")


def sources(table: Table, company: str) -> dict[str, list[int]]:
    """Where certificates of a founded company are on sale, and which sizes."""
    here = table.companies[company]
    if not here.par:
        return {}
    result: dict[str, list[int]] = {}
    if here.floated:
        result[company] = table.normal(company, company)
    elif table.top(company):
        result[OFFER] = [table.top(company)]
    if not first(table):
        result[POOL] = table.normal(company, POOL)
    return result


def judge_buy(table: Table, move: dict[str, Any]) -> None:
    player, company = move["player"], move["company"]
    need(company in table.companies, "no such company [LRA-3.3-d]")
    need(move["percent"] in sources(table, company).get(move["source"], ()), "not on sale [RHL-5.1.2-a]")
    need(table.worth(company, move["percent"]) <= table.cash[player], "too dear [RHL-2.1.2-a]")
    need(table.papers(player) < table.limit, "certificate limit [RHL-5.2.2-b]")
    need(company not in table.memory["sold"].get(player, ()), "sold in this round [RHL-5.2-b]")


def found(table: Table, move: dict[str, Any]) -> None:
    player, company, par = move["player"], move["company"], move["par"]
    here = table.companies[company]
    here.par, here.director, here.holders[0] = par, player, player
    table.pay(player, BANK, par * here.sizes[0] // 10)
    cells = table.sheet.pars[par]
    table.place(company, cells[0])
    table.turn["bought"] = True
    float_if_due(table, company)


def buy(table: Table, move: dict[str, Any]) -> None:
    player, company, source, percent = move["player"], move["company"], move["source"], move["percent"]
    price = table.worth(company, percent)
    table.pay(player, company if source == company and company != table.memory.get("house") else BANK, price)
    if source == OFFER:
        here = table.companies[company]
        here.holders[here.holders.index(OFFER)] = player
    else:
        table.move(company, percent, source, player)
    table.turn["bought"] = True
    float_if_due(table, company)
    settle_director(table, company)


def float_if_due(table: Table, company: str) -> None:
    """5.1.5: players hold enough; paid at the value before the token moves (ruling 25)."""
    here = table.companies[company]
    holders = [*table.seats, table.seatless]
    share = sum(table.held(company, name) for name in holders if name)
    if here.floated or share < here.floats_at:
        return
    brown = table.colour == "brown"
    table.pay(BANK, company, table.worth(company, 100 if brown else share))
    here.holders = [(POOL if brown else company) if who == OFFER else who for who in here.holders]
    here.floated = True
    table.board.floated.add(company)
    table.board.changed()
    if not brown:
        table.up(company)


# ---------------------------------------------------------------------- directors


def heir(table: Table, company: str, left: int, director: str) -> str:
    """4.2.1: who has more than the director would have; the most, then the nearest to the left."""
    able = [name for name in table.left_of(director) if name != director and table.held(company, name) > left]
    return max(able, key=lambda name: table.held(company, name)) if able else ""


def settle_director(table: Table, company: str) -> None:
    """4.2.1: who holds more than the director takes the certificate for others of the same share."""
    here = table.companies[company]
    if not here.director or here.director == table.seatless:
        return
    new = heir(table, company, table.held(company, here.director), here.director)
    if not new:
        return
    ways = ways_to(table.normal(company, new), here.sizes[0])
    if len(ways) > 1:
        table.questions.append(Question("hand_over", new, {"company": company, "percent": here.sizes[0]}))
        return
    exchange(table, company, new, ways[0])


def exchange(table: Table, company: str, new: str, way: tuple[int, ...]) -> None:
    here = table.companies[company]
    old = here.director
    for size in way:
        table.move(company, size, new, old)
    here.holders[0] = here.director = new


# ---------------------------------------------------------------------- selling


def sale(
    table: Table, player: str, company: str, percent: int
) -> tuple[str, list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """The new director that a sale would bring, and the choices (handed over, sold); none: not possible."""
    here = table.companies[company]
    if percent <= 0 or percent % 10 or percent > table.held(company, player):
        return "", []
    own = table.normal(company, player)
    if here.director != player:
        return "", [((), way) for way in ways_to(own, percent)]
    new = heir(table, company, table.held(company, player) - percent, player)
    if not new:
        return "", [((), way) for way in ways_to(own, percent)]
    size = here.sizes[0]
    if table.held(company, new) < size:
        # Nobody can take the certificate: only what lies beside it may go (4.2.1).
        return "", [((), way) for way in ways_to(own, percent)]
    found = []
    for given in ways_to(table.normal(company, new), size):
        for way in ways_to([*own, *given], percent):
            found.append((given, way))
    return new, found


def judge_sell(table: Table, move: dict[str, Any]) -> None:
    player, company, percent = move["player"], move["company"], move["percent"]
    need(not first(table), "nothing is sold in the first round [RHL-5.1-a]")
    need(company in table.companies, "no such company [LRA-3.3-d]")
    need(table.companies[company].floated, "not floated [RHL-5.2.1-b]")
    need(company not in table.turn.get("sold", ()), "one sale of a company in a turn [ruling 23]")
    need(table.held(company, POOL) + percent <= 50, "pool limit [RHL-5.2.1-a]")
    need(bool(sale(table, player, company, percent)[1]), "no such certificates [RHL-4.2.1-c]")


def sell(table: Table, move: dict[str, Any]) -> None:
    player, company, percent = move["player"], move["company"], move["percent"]
    new, choices = sale(table, player, company, percent)
    given = sorted({one for one, _ in choices}, reverse=True)
    if len(given) > 1:
        data = {"company": company, "percent": table.companies[company].sizes[0], "sale": (player, percent)}
        table.questions.append(Question("hand_over", new, data))
        return
    pick(table, player, company, percent, new, given[0])


def pick(table: Table, player: str, company: str, percent: int, new: str, given: tuple[int, ...]) -> None:
    """The seller chooses certificates where there is a choice."""
    ways = [way for one, way in sale(table, player, company, percent)[1] if one == given]
    if len(ways) > 1:
        data = {"company": company, "percent": percent, "new": new, "given": given}
        table.questions.append(Question("pick", player, data))
        return
    finish_sale(table, player, company, new, given, ways[0])


def finish_sale(
    table: Table, player: str, company: str, new: str, given: tuple[int, ...], way: tuple[int, ...]
) -> None:
    if new:
        exchange(table, company, new, given)
    for size in way:
        table.move(company, size, player, POOL)
    table.pay(BANK, player, table.worth(company, sum(way)))
    table.down(company)
    table.turn.setdefault("sold", []).append(company)
    if table.kind != "operating":
        table.memory["sold"].setdefault(player, set()).add(company)


# ---------------------------------------------------------------------- a turn


def over(table: Table, player: str) -> bool:
    return table.papers(player) > table.limit


def offers(table: Table, player: str) -> set[str]:
    """The kinds of moves that somebody has in a stock round."""
    result = set()
    for company, here in table.companies.items():
        least = {"player": player, "company": company, "par": min(table.sheet.pars)}
        if here.holders[0] == OFFER and allowed(judge_found, table, least):
            result.add("found")
        for source, sizes in sources(table, company).items():
            for size in set(sizes):
                move = {"player": player, "company": company, "source": source, "percent": size}
                if "buy_share" not in result and allowed(judge_buy, table, move):
                    result.add("buy_share")
        if "sell_shares" not in result and not first(table):
            for percent in range(10, table.held(company, player) + 1, 10):
                if allowed(judge_sell, table, {"player": player, "company": company, "percent": percent}):
                    result.add("sell_shares")
    return result
