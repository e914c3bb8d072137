"""Operating rounds: turns of small companies, railways and corporations, step by step (rulebook 7, 9, 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workshop.referees.common.hexes import sides, turned
from workshop.referees.common.routes import Route
from workshop.referees.ruhr import raising, routes, works
from workshop.referees.ruhr.cards import buy_from_bank, buy_from_pool, close_private, length, take, train_price
from workshop.referees.ruhr.sheet import COLOURS
from workshop.referees.ruhr.table import ASIDE, BANK, OFFER, POOL, Foul, Question, Table, allowed, need
from workshop.referees.ruhr.track import MARKER

Move = dict[str, Any]


def director(table: Table, company: str) -> str:
    return table.companies[company].director


def acting(table: Table, move: Move, *steps: str) -> str:
    """The company whose turn it is, if the move is one of its and its step."""
    company = table.actor
    need(table.kind == "operating" and move["company"] == company, "not its turn [RUHR-7.3-a]")
    need(not steps or table.step in steps, "not in this step [RUHR-7.3-a]")
    return company


# ---------------------------------------------------------------------- track


def judge_tile(table: Table, move: Move) -> None:
    """7.3, 10.1, 10.2: two yellow tiles, or an upgrade and a yellow one."""
    company = acting(table, move, "track")
    need(works.kind(table, company) == "railway" and move["private"] == "", "no such function")
    at, name, rotation = move["hex"], move["tile"], move["rotation"]
    need(at in table.sheet.hexes and name in table.sheet.tiles, "no such hex or tile")
    judge_colour(table, company, at, table.sheet.tiles[name].colour)
    judge_place(table, company, at, name, rotation)


def judge_colour(table: Table, company: str, at: str, colour: str) -> None:
    """Whether any tile of a colour may be laid on a hex."""
    need(COLOURS.index(colour) <= COLOURS.index(table.colour), "not in this phase [RUHR-10.1.1-b]")
    laid = table.turn.get("laid", [])
    need(at not in laid, "laid in this turn [RUHR-10.2.1-b]")
    need(colour == "yellow" or not table.turn.get("upgraded"), "one upgrade a turn [RUHR-7.3-b]")
    need(len(laid) < table.sheet.raw["track"]["tiles"], "two tiles a turn [RUHR-7.3-b]")
    need(cost(table, at) <= table.cash[company], "the terrain is too dear [RUHR-10.1.1-g]")


def judge_place(table: Table, company: str, at: str, name: str, rotation: int) -> None:
    """Whether a tile fits there and joins the company's track."""
    here = table.locations.get(at)
    wrong = table.board.fits(at, name, rotation, here is not None and here.state == "founded")
    need(not wrong, wrong)
    need(_reached(table, company, at, name, rotation), "no way from a station [RUHR-10.1.1-c]")


def cost(table: Table, at: str) -> int:
    """10.1.1: rivers and mountains cost once, for the first tile."""
    return 0 if at in table.board.tiles else table.sheet.hexes[at].cost


def _reached(table: Table, company: str, at: str, name: str, rotation: int) -> bool:
    """The tile joins a way from an own station, which may lie on this very hex."""
    if any(there == at for there, _ in table.board.stations(company)):
        return True
    entered = table.board.reach(company)[1]
    return any((at, side) in entered for side in sides(turned(table.sheet.tiles[name], rotation)))


def tiles(table: Table, company: str) -> Iterator[tuple[str, str, int]]:
    """Every tile that may be laid now: hex, tile and rotation."""
    entered = {at for at, _ in table.board.reach(company)[1]} | {at for at, _ in table.board.stations(company)}
    for at in sorted(entered & table.sheet.hexes.keys()):
        drawing = table.board.drawn(at)
        if drawing.colour in ("grey", "red"):
            continue
        colour = "yellow" if drawing.colour == "plain" else COLOURS[COLOURS.index(drawing.colour) + 1]
        if not allowed(judge_colour, table, company, at, colour):
            continue
        for name, tile in table.sheet.tiles.items():
            if tile.colour == colour and tile.label == table.sheet.hexes[at].label and table.board.supply[name]:
                for rotation in range(6):
                    if allowed(judge_place, table, company, at, name, rotation):
                        yield at, name, rotation


def lay_tile(table: Table, move: Move) -> None:
    company, at, name = move["company"], move["hex"], move["tile"]
    table.pay(company, BANK, cost(table, at))
    colour = table.sheet.tiles[name].colour
    table.board.lay(at, name, move["rotation"])
    table.turn.setdefault("laid", []).append(at)
    if colour != "yellow":
        table.turn["upgraded"] = True
    here = table.locations.get(at)
    if here is not None and colour == "brown" and here.state != "empty":
        # 9.2, 10.2.2: brown links for nothing; in a city of more spaces the marker takes one (716: R-28)
        if here.state in works.SMALL:
            here.linked = True
        if name not in table.sheet.raw["special"]["needs_corporation"]:
            names = table.board.spaces[at][0]
            names[names.index("")] = MARKER
            table.board.changed()
    join(table)


def join(table: Table) -> None:
    """5.4: the money under R13 is BME's once Barmen and Hagen are joined, if BME has floated (R-9)."""
    aside = table.sheet.raw["aside"]
    company = aside["corporation"]
    if not table.cash[ASIDE] or not table.companies[company].floated:
        return
    if table.board.joined((aside["start"], "a"), (aside["end"], "a")):
        table.pay(ASIDE, company, table.cash[ASIDE])


# ---------------------------------------------------------------------- stations


def judge_station(table: Table, move: Move) -> None:
    """10.4: one a turn, on a free space of a city that is reached, once a hex, at the next price."""
    company = acting(table, move, "station")
    at, stop = move["hex"], move["stop"]
    need(works.kind(table, company) == "railway" and move["private"] == "", "no such function")
    tokens = table.companies[company].tokens
    need(bool(tokens), "no marker left [RUHR-10.4-g]")
    need(tokens[0] <= table.cash[company], "too dear [RUHR-10.4-g]")
    spaces = table.board.spaces.get(at, [])
    need(0 <= stop < len(spaces) and "" in spaces[stop], "no free space [RUHR-10.4-b]")
    need(all(company not in names for names in spaces), "one marker a hex [RUHR-10.4-i]")
    need((at, "ab"[stop]) in table.board.reach(company)[0], "no way to it [RUHR-10.4-j]")


def stations(table: Table, company: str) -> Iterator[Move]:
    for at, letter in sorted(table.board.reach(company)[0]):
        move = {
            "type": "place_station",
            "player": director(table, company),
            "company": company,
            "hex": at,
            "stop": "ab".index(letter),
            "private": "",
        }
        if allowed(judge_station, table, move):
            yield move


def place_station(table: Table, move: Move) -> None:
    company = move["company"]
    table.pay(company, BANK, table.companies[company].tokens.pop(0))
    names = table.board.spaces[move["hex"]][move["stop"]]
    names[names.index("")] = company
    table.board.changed()
    table.turn["station"] = True


# ---------------------------------------------------------------------- running


def must_run(table: Table, company: str) -> bool:
    return bool(table.companies[company].trains) and routes.has_route(table.board, company)


def judge_run(table: Table, move: Move) -> None:
    """10.5: routes for own trains, each train once, no track shared."""
    company = acting(table, move, "run")
    need(works.kind(table, company) == "railway", "it runs no trains [RUHR-1-b]")
    need(bool(move["routes"]), "trains must run [RUHR-7.3-d]")
    left = list(table.companies[company].trains)
    used = 0
    for entry in move["routes"]:
        need(entry["train"] in left, "no such train [RUHR-10.5-a]")
        left.remove(entry["train"])
        route = routes.read(table.board, entry["path"])
        if isinstance(route, str):
            raise Foul(route)
        wrong = routes.foul(table.board, company, entry["train"], length(table, entry["train"]), route)
        need(not wrong, wrong)
        need(not route.crossed & used, "track shared by trains [RUHR-10.5-k]")
        used |= route.crossed


def run(table: Table, move: Move) -> None:
    earned(table, move["company"], worth_of(table, move["routes"]))


def earned(table: Table, company: str, revenue: int) -> None:
    table.turn["revenue"] = revenue
    table.companies[company].revenue = revenue
    table.step = "dividend"


def best_run(table: Table, company: str) -> int:
    """The most that a company can earn; on a board too large to search, what its run was worth, if it was allowed."""
    trains = [(train, length(table, train)) for train in table.companies[company].trains]
    best = routes.best(table.board, company, trains, works.values(table))
    if best is not None:
        return best
    step, table.step = table.step, "run"
    move: Move = {"company": company, "routes": table.runs.get(company, [])}
    legal = allowed(judge_run, table, move)
    table.step = step
    return worth_of(table, move["routes"]) if legal else 0


def worth_of(table: Table, entries: list[Move]) -> int:
    worth, total = works.values(table), 0
    for entry in entries:
        route = routes.read(table.board, entry["path"])
        assert isinstance(route, Route)
        total += worth.of(table.board, route, entry["train"])
    return total


# ---------------------------------------------------------------------- dividends


KINDS = {"mine": ("half", "withhold"), "montan": ("pay", "withhold"), "railway": ("pay", "withhold")}


def judge_dividend(table: Table, move: Move) -> None:
    company = acting(table, move, "dividend")
    need(move["kind"] in KINDS[works.kind(table, company)], "all or nothing [RUHR-10.6.2-a]")


def dividend(table: Table, move: Move) -> None:
    """7.2, 10.6.2, 10.7: pay or keep, then the price; a small company gives half to its owner or keeps all."""
    company, revenue = move["company"], table.turn["revenue"]
    if works.kind(table, company) == "mine":
        half = revenue // 2 if move["kind"] == "half" else 0
        table.pay(BANK, director(table, company), half)
        table.pay(BANK, company, revenue - half)
    elif move["kind"] == "pay":
        pay_out(table, company, revenue)
    else:
        keep(table, company, revenue)
    table.step = NEXT[works.kind(table, company)]


NEXT = {"mine": "spend", "montan": "spend", "railway": "trains"}


def pay_out(table: Table, company: str, revenue: int) -> None:
    for owner in set(table.companies[company].holders):
        amount = revenue * table.held(company, owner) // 100
        if owner == OFFER:
            table.pay(BANK, company, amount)
        elif owner != POOL:
            table.pay(BANK, owner, amount)
    price = table.price(company)
    steps = min(revenue // price, 1 if works.kind(table, company) == "montan" else 2)
    table.shift(company, steps if revenue else -1)


def keep(table: Table, company: str, revenue: int) -> None:
    table.pay(BANK, company, revenue)
    table.shift(company, -1)


# ---------------------------------------------------------------------- own certificates


def judge_own_sale(table: Table, move: Move) -> None:
    """7.2, 7.3, R-12: once a turn, one certificate from the offer to the pool."""
    company = acting(table, move)
    need(works.kind(table, company) != "mine", "it has no shares [RUHR-7.3-g]")
    need(not table.turn.get("dealt"), "one deal a turn [RUHR-7.3-g]")
    need(move["percent"] in table.normal(company, OFFER), "no such certificate in the offer [RUHR-7.3-g]")
    need(move["percent"] <= raising.pool_room(table, company), "the pool is full [RUHR-14.4-a]")


def own_sale(table: Table, move: Move) -> None:
    company, percent = move["company"], move["percent"]
    table.pay(BANK, company, table.worth(company, percent))
    table.move(company, percent, OFFER, POOL)
    table.shift(company, -1)
    table.turn["dealt"] = True


def judge_own_purchase(table: Table, move: Move) -> None:
    company = acting(table, move)
    need(works.kind(table, company) != "mine", "it has no shares [RUHR-7.3-h]")
    need(not table.turn.get("dealt"), "one deal a turn [RUHR-7.3-h]")
    # What the director sells for is needed for the purchase (10.8.4): the treasury is not spent otherwise meanwhile.
    need(not table.turn.get("raised"), "the money is needed [RUHR-10.8.4-d]")
    need(move["percent"] in table.normal(company, POOL), "no such certificate in the pool [RUHR-7.3-h]")
    need(table.worth(company, move["percent"]) <= table.cash[company], "too dear [RUHR-7.3-h]")


def own_purchase(table: Table, move: Move) -> None:
    company, percent = move["company"], move["percent"]
    table.pay(company, BANK, table.worth(company, percent))
    table.move(company, percent, POOL, OFFER)
    table.turn["dealt"] = True


def deals(table: Table, company: str) -> set[str]:
    """Which deals in own certificates are possible now."""
    found = set()
    for percent in (10, 20):
        move = {"company": company, "percent": percent}
        for name, judge in (("sell_own_shares", judge_own_sale), ("buy_own_share", judge_own_purchase)):
            if allowed(judge, table, move):
                found.add(name)
    return found


# ---------------------------------------------------------------------- links


def judge_link(table: Table, move: Move) -> None:
    """9.2, 10.3, 4.1.3: by the company for 30 M, or by a Pferdebahn of its director for nothing."""
    company = acting(table, move)
    at, private = move["hex"], move["private"]
    works.may_link(table, at)
    kind, player = works.kind(table, company), director(table, company)
    if private:
        powers = table.sheet.rows("private", "id")
        need(private in powers and powers[private]["power"].get("links", False), "no such function [RUHR-4.1.3-c]")
        need(table.privates[private] == player, "not theirs [RUHR-4.1.3-c]")
        need(works.connected(table, at), "not connected [RUHR-4.1.3-b]")
        return
    need(table.sheet.raw["links"]["cost"] <= table.cash[company], "too dear [RUHR-10.3-a]")
    need(not table.turn.get("raised"), "the money is needed [RUHR-10.8.4-d]")
    if kind == "railway":
        need(not table.turn.get("linked"), "one link a turn [RUHR-10.3-a]")
        need((at, "a") in table.board.reach(company)[0], "no route to it [RUHR-10.3-b]")
        return
    spending(table, company)
    need(not works.must_develop(table, company), "it must develop [RUHR-9.1.1.3-e]")
    need(at in table.charters[company].locations, "not its own [RUHR-9.2-c]")
    need(works.connected(table, at), "not connected [RUHR-9.2-b]")


def make_link(table: Table, move: Move) -> None:
    company, private = move["company"], move["private"]
    if private:
        close_private(table, private)
    else:
        table.pay(company, BANK, table.sheet.raw["links"]["cost"])
        if works.kind(table, company) == "railway":
            table.turn["linked"] = True
        else:
            table.turn["spent"] = True
    works.link(table, move["hex"])


def links(table: Table, company: str, privates: bool) -> Iterator[Move]:
    """All links that are possible now, by the company or by private companies."""
    names = [name for name, owner in table.privates.items() if owner == director(table, company)] if privates else [""]
    for at in table.locations:
        for private in names:
            move = {"company": company, "hex": at, "private": private}
            if allowed(judge_link, table, move):
                yield move


# ---------------------------------------------------------------------- spending


def spending(table: Table, company: str) -> None:
    """7.2: one expenditure a turn, after the income."""
    need(table.step == "spend", "not in this step [RUHR-7.2-o]")
    need(not table.turn.get("spent"), "one expenditure a turn [RUHR-7.2-k]")


def judge_develop(table: Table, move: Move) -> None:
    company = acting(table, move)
    need(works.kind(table, company) != "railway", "no Montan company [RUHR-8-g]")
    spending(table, company)
    works.judge_develop(table, company, move["card"], move["markers"])
    price = works.development_price(table, move["card"])
    if works.must_develop(table, company):
        phase = table.phase_with(move["card"])
        need(any(not table.inactive(stage, phase) for stage in move["markers"]), "an active one [RUHR-9.1.1.3-e]")
    if price > table.cash[company]:
        need(works.must_develop(table, company), "too dear [RUHR-8-a]")
        may_force(table, company, price, new=move["card"])


def develop(table: Table, move: Move) -> None:
    company, card = move["company"], move["card"]
    force(table, company, works.development_price(table, card))
    works.develop(table, company, card, move["markers"])
    table.turn["spent"] = True


def judge_engine(table: Table, move: Move) -> None:
    """9.3a: a card of the bank or of the pool, at the price in its grey box."""
    company = acting(table, move)
    need(works.kind(table, company) != "railway", "no switch engines for railways [RUHR-8-g]")
    spending(table, company)
    card, source = move["card"], move["source"]
    need(not works.must_develop(table, company), "it must develop [RUHR-9.1.1.3-e]")
    need(source in (BANK, POOL), "no such source [RUHR-9.3-a]")
    need(card in (table.on_sale() if source == BANK else table.pool), "no such card [RUHR-8-i]")
    works.judge_engine(table, company, card, move["instead"], source == BANK)
    need(works.engine_price(table, card) <= table.cash[company], "too dear [RUHR-9.3-a]")
    if source == BANK and works.kind(table, company) == "montan":
        need(bool(works.active(table, company, table.phase_with(card))), "no active marker then [RUHR-9.1.1.3-e, R-78]")


def buy_engine(table: Table, move: Move) -> None:
    company, card = move["company"], move["card"]
    table.pay(company, BANK, works.engine_price(table, card))
    if move["source"] == BANK:
        take(table, card)
    else:
        table.pool.remove(card)
    table.gone.append(card)
    works.add_engine(table, company, card, move["instead"])
    table.turn["spent"] = True


def judge_train_as_engine(table: Table, move: Move) -> None:
    """9.3b: a railway's train for 10 M to half as much again as the engine of its card; its director agrees (R-21)."""
    company = acting(table, move)
    need(works.kind(table, company) != "railway", "no switch engines for railways [RUHR-8-g]")
    spending(table, company)
    train, seller, price = move["train"], move["source"], move["price"]
    need(not works.must_develop(table, company), "it must develop [RUHR-9.1.1.3-e]")
    need(table.sheet.kind.get(seller) == "railway", "no railway [RUHR-9.3-b]")
    need(train in table.companies[seller].trains, "it has no such train [RUHR-9.3-b]")
    need(bool(director(table, seller)), "nobody can agree [RUHR-9.3-b]")
    works.judge_engine(table, company, train, move["instead"], new=False)
    low, high = engine_range(table, train)
    need(low <= price <= high, "10 M to 150 per cent [RUHR-9.3-b]")
    need(price > declined(table, seller, train), "declined in this turn [RUHR-9.3-b]")
    need(price <= table.cash[company], "too dear [RUHR-9.3-b]")


def engine_range(table: Table, train: str) -> tuple[int, int]:
    rules = table.sheet.raw["switching"]
    return rules["train_price_min"], works.engine_price(table, train) * rules["train_price_max_percent"] // 100


def train_as_engine(table: Table, move: Move) -> None:
    company, seller = move["company"], move["source"]
    if director(table, seller) != director(table, company):
        table.questions.append(Question("engine_sale", director(table, seller), dict(move)))
        return
    sell_as_engine(table, move, move["price"])


def sell_as_engine(table: Table, move: Move, price: int) -> None:
    company, seller, train = move["company"], move["source"], move["train"]
    table.pay(company, seller, price)
    table.companies[seller].trains.remove(train)
    table.gone.append(train)
    works.add_engine(table, company, train, move["instead"])
    table.turn["spent"] = True


def judge_scrap(table: Table, move: Move) -> None:
    company = acting(table, move, "spend")
    need(works.kind(table, company) != "railway", "it has no engines [RUHR-9.3-f]")
    need(move["engine"] in table.charters[company].engines, "it does not own that engine [RUHR-9.3-f]")


def scrap(table: Table, move: Move) -> None:
    works.scrap(table, move["company"], move["engine"])


def expenditures(table: Table, company: str) -> set[str]:
    """Which expenditures are possible now; a corporation that must develop has no other."""
    found: set[str] = set()
    if table.turn.get("spent"):
        return found
    for card, markers in works.offers(table, company):
        if allowed(judge_develop, table, {"company": company, "card": card, "markers": markers}):
            found.add("develop")
            break
    engines = ["", *table.charters[company].engines]
    for instead in engines:
        for source, cards in ((BANK, table.on_sale()), (POOL, table.pool)):
            for card in cards:
                move = {"company": company, "card": card, "source": source, "instead": instead}
                if allowed(judge_engine, table, move):
                    found.add("buy_engine")
        for seller, here in table.companies.items():
            for train in here.trains:
                move = {"company": company, "train": train, "source": seller, "instead": instead}
                price = max(engine_range(table, train)[0], declined(table, seller, train) + 1)
                if allowed(judge_train_as_engine, table, {**move, "price": price}):
                    found.add("buy_train_as_engine")
    if any(links(table, company, False)):
        found.add("make_link")
    return found


# ---------------------------------------------------------------------- trains


def duty(table: Table, company: str) -> bool:
    """10.8.3: without a train and with a route one must be bought, if bank or pool have any (R-74)."""
    return (
        not table.companies[company].trains
        and routes.has_route(table.board, company)
        and bool(table.on_sale() or table.pool)
    )


def own_first(table: Table, company: str) -> bool:
    """10.8.3: one certificate must be sold before the director pays, where it can be (R-36)."""
    return "sell_own_shares" in deals(table, company)


def may_force(table: Table, company: str, price: int, new: str = "") -> None:
    """10.8.3, 10.8.4: the company's certificate first, then the director's cash; no new 8 while a 6 is left."""
    need(not own_first(table, company), "a certificate must be sold first [RUHR-10.8.3-c]")
    need(not barred(table, new), "no 8 while a 6 is left [RUHR-10.8.4-b]")
    need(
        price <= table.cash[company] + table.cash[director(table, company)],
        "the director must sell certificates first [RUHR-10.8.4-d]",
    )


def force(table: Table, company: str, price: int) -> None:
    """The director adds exactly what is missing."""
    missing = price - table.cash[company]
    if missing > 0:
        table.pay(director(table, company), company, missing)


def judge_train(table: Table, move: Move) -> None:
    """10.8.1: new in order, returned ones at full price, others' for a price agreed."""
    company = acting(table, move, "trains")
    train, source, price = move["train"], move["source"], move["price"]
    here = table.companies[company]
    need(len(here.trains) < table.train_limit, "train limit [RUHR-10.8.2-a]")
    fixed = table.turn.get("fixed")
    if fixed:
        need((train, source) == fixed, "the purchase stays [RUHR-10.9-e]")
    if source in (BANK, POOL):
        need(train in (table.on_sale() if source == BANK else table.pool), "not on sale [RUHR-10.8.1-d]")
        need(price == train_price(table, train), "the printed price [RUHR-10.8.2-c]")
    else:
        need(table.sheet.kind.get(source) == "railway" and source != company, "no railway [RUHR-10.8.1-c]")
        need(train in table.companies[source].trains, "it has no such train [RUHR-10.8.1-c]")
        need(bool(director(table, source)), "nobody can agree [RUHR-10.8.1-c]")
        need(price >= 1, "1 M at least [RUHR-10.8.1-c]")
        need(price > declined(table, source, train), "declined in this turn [RUHR-10.8.1-c]")
    # 10.8.4: whatever the director has sold must have been needed, each time, if any choice is left in which it was
    money = table.cash[company] + table.cash[director(table, company)]
    before = money - table.turn.get("raised", money)
    if table.turn.get("raised") and price <= before:
        others = any(before < other <= money for other in forced(table)) or forced_sales(table)
        need(source in (BANK, POOL) and not others, "certificates were sold for more [RUHR-10.8.4-d]")
    if price <= table.cash[company]:
        return
    need(duty(table, company), "the treasury is too small [RUHR-10.8.1-f]")
    if source not in (BANK, POOL):
        need(price <= train_price(table, train), "at most the printed price [RUHR-10.8.4-c]")
    may_force(table, company, price, train if source == BANK else "")


def declined(table: Table, seller: str, train: str) -> int:
    """The highest price that a director has declined for a train in this turn: it is not asked for again."""
    return int(table.turn.get("declined", {}).get((seller, train), 0))


def price_range(table: Table, data: Move) -> tuple[int, int]:
    """What two directors can agree on for a train, whatever was declined before."""
    company, train = data["company"], data["train"]
    if "instead" in data:
        low, high = engine_range(table, train)
        return low, min(high, table.cash[company])
    money = table.cash[company] + table.cash[director(table, company)]
    raised = table.turn.get("raised", 0)
    low = max(1, money - raised + 1) if raised else 1
    if not duty(table, company) or own_first(table, company):
        return low, table.cash[company]
    return low, max(table.cash[company], min(train_price(table, train), money))


def buy_train(table: Table, move: Move) -> None:
    company, source = move["company"], move["source"]
    if source in (BANK, POOL):
        force(table, company, move["price"])
        (buy_from_bank if source == BANK else buy_from_pool)(table, company, move["train"])
        table.turn.pop("fixed", None)
    elif director(table, source) != director(table, company):
        table.questions.append(Question("train_sale", director(table, source), dict(move)))
    else:
        trade(table, move, move["price"])


def trade(table: Table, move: Move, price: int) -> None:
    company, source, train = move["company"], move["source"], move["train"]
    force(table, company, price)
    table.pay(company, source, price)
    table.companies[source].trains.remove(train)
    table.companies[company].trains.append(train)


def train_prices(table: Table, company: str) -> list[int]:
    """The prices of new and returned trains that the director may choose in a forced purchase."""
    new = [card for card in table.on_sale() if not barred(table, card)]
    fixed = table.turn.get("fixed")
    if fixed:
        return [train_price(table, fixed[0])]
    return [train_price(table, train) for train in (*new, *table.pool)]


def card_prices(table: Table, company: str) -> list[int]:
    """What the cards cost that give a corporation an active marker."""
    return [works.development_price(table, card) for card in works.useful(table, company) if not barred(table, card)]


def barred(table: Table, card: str) -> bool:
    """10.8.4: with the director's money no new 8 while a 6 is left that would do."""
    last, company = table.sheet.raw["last"], table.actor
    if card != last["card"] or not table.left[last["before"]]:
        return False
    return works.kind(table, company) == "railway" or last["before"] in works.useful(table, company)


def forced(table: Table) -> list[int]:
    """The prices of a purchase that must be made now and that the treasury alone may not pay; else none."""
    company = table.actor
    if table.kind != "operating" or table.questions or not company:
        return []
    if table.step == "trains" and duty(table, company):
        return train_prices(table, company)
    if table.step == "spend" and works.must_develop(table, company) and not table.turn.get("spent"):
        return card_prices(table, company)
    return []


def judge_forced_sale(table: Table, move: Move) -> None:
    prices = forced(table)
    company = table.actor
    need(bool(prices), "no forced purchase [RUHR-10.8.4-d]")
    player = director(table, company)
    need(not own_first(table, company), "its own certificate first [RUHR-10.8.3-c]")
    raising.Raising(table, player, company, prices).judge(move["company"], move["percent"])


def forced_sales(table: Table) -> bool:
    """Whether any sale is open to the director in a forced purchase."""
    prices, company = forced(table), table.actor
    if not prices or own_first(table, company):
        return False
    player = director(table, company)
    sales = raising.Raising(table, player, company, prices)
    return any(
        allowed(sales.judge, name, percent)
        for name in table.in_order()
        for percent in range(10, table.held(name, player) + 1, 10)
    )


def judge_bankrupt(table: Table, move: Move) -> None:
    """10.8.4, R-73: no train of bank and pool can be paid after all sales."""
    company = acting(table, move)
    prices = forced(table)
    need(bool(prices), "no forced purchase [RUHR-10.8.4-e]")
    player = director(table, company)
    need(not own_first(table, company), "its own certificate first [RUHR-10.8.3-c]")
    all_money = table.cash[company] + table.cash[player] + raising.Raising(table, player, company, prices).all()
    need(min(prices) > all_money, "it can be paid [RUHR-10.8.4-e]")
