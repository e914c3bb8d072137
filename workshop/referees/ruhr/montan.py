"""Montan rounds: founding, merging, what becomes passive, the new deal of cards (rulebook 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from workshop.referees.ruhr.stock import deal_cards
from workshop.referees.ruhr.table import OFFER, Charter, Question, Table, allowed, need
from workshop.referees.ruhr.works import absorb, engine_boxes, kind, linked, row, transform

Move = dict[str, Any]


def _free(table: Table, company: str) -> bool:
    """Whether the director's certificate still lies in the offer."""
    here = table.companies[company]
    return kind(table, company) == "montan" and here.holders[0] == OFFER and not here.closed


def value(table: Table, mine: str) -> int:
    """12.1.1c: ten for each marker and the connection marker, 100 at most."""
    rules = table.sheet.raw["pars"]
    count = table.charters[mine].markers.total() + linked(table, mine)
    return min(int(rules["per_marker"]) * count, int(rules["most"]))


def judge_found(table: Table, move: Move) -> None:
    """12.1: from an own active or any passive company that is linked, into a free corporation of its industry."""
    player, at, company, par = move["player"], move["hex"], move["company"], move["par"]
    need(table.step == "found", "not now [RUHR-12.1-b]")
    need(at in table.locations, "no Montan location [RUHR-12.1-c]")
    here = table.locations[at]
    own = here.state == "active" and table.companies[here.company].director == player
    need(own or here.state == "passive", "not theirs [RUHR-12.1-c]")
    need(here.linked, "not linked [RUHR-12.1-c]")
    need(table.sheet.kind.get(company) == "montan", "no MONTAN corporation [RUHR-12.1.1-a]")
    need(_free(table, company), "already founded [RUHR-12.1.1-a]")
    industry = table.sheet.rows("mine", "hex")[at]["industry"]
    need(row(table, company)["industry"] == industry, "another industry [RUHR-12.1-e]")
    if own:
        markers = table.charters[here.company].markers.total() + 1
        need(markers >= table.sheet.raw["montan_round"]["markers"], "too few markers [RUHR-12.1-d]")
        need(par == value(table, here.company), "the value is fixed [RUHR-12.1.1-c]")
    else:
        need(par in table.sheet.raw["pars"]["montan_passive"][table.colour], "no starting value [RUHR-12.1.2-c]")
        need(par <= table.cash[player], "too dear [RUHR-12.1.2-f]")
        need(table.papers(player) < table.limit, "certificate limit [RUHR-14.3-d]")


def make_found(table: Table, move: Move) -> None:
    player, at, company, par = move["player"], move["hex"], move["company"], move["par"]
    location, here = table.locations[at], table.companies[company]
    here.holders[0] = player
    here.director = player
    here.par = par
    here.floated = True
    table.place(company, table.sheet.values.index(par))
    table.fresh[company] = table.colour
    charter = table.charters[company] = Charter()
    if location.state == "active":
        _lose(table, player, location.company)
        absorb(table, location.company, company)
    else:
        table.pay(player, company, par)
        charter.markers = _start(table, company)
        charter.locations = [at]
        table.supply[row(table, company)["industry"]] -= charter.markers
    location.state, location.company = "founded", company
    table.turn["founded"] = company
    table.step = "second"


def _start(table: Table, company: str) -> Counter[str]:
    """12.1.2h, R-42: markers by the colour; what the supply lacks is left out, and what would break the stairs."""
    wanted = table.sheet.raw["montan_round"]["start_markers"][table.colour]
    supply = table.supply[row(table, company)["industry"]]
    taken: Counter[str] = Counter()
    below = 99
    for stage in sorted(wanted):
        taken[stage] = below = min(wanted[stage], supply[stage], below)
    return +taken


def _lose(table: Table, player: str, mine: str) -> None:
    """12.4 remembers who lost their last small company when."""
    if table.mines_of(player) == [mine]:
        table.lost.append(player)


def judge_merge(table: Table, move: Move) -> None:
    """12.2: an own active company into a founded corporation of its industry with a certificate and a circle free."""
    player, mine, company = move["player"], move["mine"], move["company"]
    need(table.step in ("second", "merge"), "not now [RUHR-12-b]")
    need(mine in table.mines_of(player), "not theirs [RUHR-12.2-g]")
    need(table.sheet.kind.get(company) == "montan", "no MONTAN corporation [RUHR-12.2-n]")
    here = table.companies[company]
    need(here.box is not None and not here.closed, "not founded [RUHR-12.2-n]")
    if table.step == "second":
        need(company == table.turn["founded"], "only into the one just founded [RUHR-12.1.1-g]")
    need(row(table, mine)["industry"] == row(table, company)["industry"], "another industry [RUHR-12.2-d]")
    need(bool(table.normal(company, OFFER)), "no certificate is left [RUHR-12.2-b]")
    circles = row(table, company)["circles"]
    need(len(table.charters[company].locations) < circles, "no empty circle [RUHR-12.2-c]")


def make_merge(table: Table, move: Move) -> None:
    player, mine, company = move["player"], move["mine"], move["company"]
    _lose(table, player, mine)
    at = row(table, mine)["hex"]
    absorb(table, mine, company)
    table.locations[at].state, table.locations[at].company = "merged", company
    # In the order of 12.2: first the engines, then the certificate, which may bring another director.
    _surplus(table, company)
    table.move(company, 20, OFFER, player)
    table.settle_director(company)
    table.turn["over"] = True
    table.turn["acted"] = True


def _surplus(table: Table, company: str) -> None:
    """12.2d: engines beyond the boxes go back, of the director's choice."""
    charter = table.charters[company]
    excess = len(charter.engines) - engine_boxes(table, company)
    if excess <= 0:
        return
    if len(set(charter.engines)) == 1 or not table.companies[company].director:
        for _ in range(excess):
            table.engines[charter.engines.pop(0)] += 1
    else:
        table.questions.append(Question("surplus_engine", table.companies[company].director, {"company": company}))


def judge_second(table: Table, move: Move) -> None:
    """12.1.1g: one normal certificate of the corporation just founded, paid into its treasury."""
    player, company = move["player"], move["company"]
    need(table.step == "second" and company == table.turn["founded"], "not now [RUHR-12.1.1-g]")
    need(move["source"] == OFFER and move["percent"] == 20, "a new certificate [RUHR-12.1.1-g]")
    need(bool(table.normal(company, OFFER)), "none is left [RUHR-12.1.1-g]")
    need(table.price(company) <= table.cash[player], "too dear [RUHR-12.1.1-g]")
    need(table.papers(player) < table.limit, "certificate limit [RUHR-14.3-d]")


def make_second(table: Table, move: Move) -> None:
    table.pay(move["player"], move["company"], table.price(move["company"]))
    table.move(move["company"], 20, OFFER, move["player"])
    table.turn["over"] = True


# ---------------------------------------------------------------------- what is possible


def foundings(table: Table, player: str) -> Iterator[Move]:
    companies = [name for name in table.sheet.kind if kind(table, name) == "montan"]
    for at, here in table.locations.items():
        for company in companies:
            values = [value(table, here.company)] if here.state == "active" and here.company in table.charters else []
            for par in values or table.sheet.raw["pars"]["montan_passive"].get(table.colour, []):
                move = {"type": "found_montan", "player": player, "hex": at, "company": company, "par": par}
                if allowed(judge_found, table, move):
                    yield move


def mergers(table: Table, player: str) -> Iterator[Move]:
    for mine in table.mines_of(player):
        for company in (name for name in table.sheet.kind if kind(table, name) == "montan"):
            move = {"type": "merge_mine", "player": player, "mine": mine, "company": company}
            if allowed(judge_merge, table, move):
                yield move


def seconds(table: Table, player: str) -> Iterator[Move]:
    move = {
        "type": "buy_share",
        "player": player,
        "company": table.turn.get("founded", ""),
        "source": OFFER,
        "percent": 20,
    }
    if allowed(judge_second, table, move):
        yield move


def end(table: Table) -> None:
    """12.3, 12.4: after the first card of its type all that is still active becomes passive; then cards are dealt."""
    if table.begun(table.sheet.raw["montan_round"]["transforms_after"]):
        last: dict[str, int] = {}
        for mine, printed in table.sheet.rows("mine", "company").items():
            player = table.companies[mine].director
            if player:
                last.setdefault(player, printed["number"])
                transform(table, mine)
        table.lost += sorted(last, key=lambda player: last[player])
    deal_cards(table)
