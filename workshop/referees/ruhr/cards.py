"""Capex cards: the first of a new type begins a phase, with all that follows at once (rulebook 8 and 11)."""

from __future__ import annotations

from workshop.referees.ruhr.table import BANK, Question, Table


def take(table: Table, card: str) -> None:
    """A new card leaves the bank; if it is the first of its type its phase begins."""
    table.left[card] -= 1
    table.sold[card] += 1
    new = table.phase_with(card)
    if table.sold[card] == 1 and new != table.phase:
        table.phase = new
        _begin(table, card)


def _begin(table: Table, card: str) -> None:
    sheet = table.sheet
    for row in sheet.raw["train"]:
        if row.get("rusts_on") == card:
            _obsolete(table, row["name"])
    for row in sheet.raw["engine"]:
        if row.get("scrapped_on") == card:
            table.scrapped[row["type"]] = row["count"]
            table.engines[row["type"]] = 0
            for charter in table.charters.values():
                charter.engines = [engine for engine in charter.engines if engine != row["type"]]
    for row in sheet.raw["private"]:
        if row["power"]["closes_on"] == card:
            close_private(table, row["id"])
    if card == sheet.raw["last"]["card"] and not table.ends:
        table.last = "due"
    over_limit(table)


def _obsolete(table: Table, train: str) -> None:
    """10.8.2: trains of charters and pool leave the game."""
    for company in table.companies.values():
        table.gone += [name for name in company.trains if name == train]
        company.trains = [name for name in company.trains if name != train]
    table.gone += [name for name in table.pool if name == train]
    table.pool = [name for name in table.pool if name != train]


def over_limit(table: Table) -> None:
    """10.8.2: excess trains go to the pool, as the director chooses, company by company in operating order (R-36)."""
    for name in table.in_order():
        company = table.companies[name]
        if len(company.trains) <= table.train_limit:
            continue
        if len(set(company.trains)) == 1 or not company.director:
            for train in sorted(company.trains)[: len(company.trains) - table.train_limit]:
                discard(table, name, train)
        else:
            table.questions.append(Question("discard", company.director, {"company": name}))


def discard(table: Table, company: str, train: str) -> None:
    table.companies[company].trains.remove(train)
    table.pool.append(train)


def close_private(table: Table, private: str) -> None:
    """Out of the game; without its private company BME has the director that 5.3 wants (4.1.1)."""
    if table.privates[private] == "closed":
        return
    table.privates[private] = "closed"
    aside = table.sheet.raw["aside"]
    if private == aside["private"]:
        table.settle_director(aside["corporation"])


def buy_from_bank(table: Table, company: str, train: str) -> None:
    """A railway pays for a new card and keeps it."""
    table.pay(company, BANK, train_price(table, train))
    table.companies[company].trains.append(train)
    take(table, train)


def buy_from_pool(table: Table, company: str, train: str) -> None:
    """A returned train at its full price."""
    table.pay(company, BANK, train_price(table, train))
    table.pool.remove(train)
    table.companies[company].trains.append(train)


def train_price(table: Table, train: str) -> int:
    return int(table.sheet.rows("train", "name")[train]["price"])


def length(table: Table, train: str) -> int:
    return int(table.sheet.rows("train", "name")[train]["reach"])
