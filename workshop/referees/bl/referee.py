"""The referee itself: judges a move, makes it on its own table, and says how the game stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workshop.referees.bl import building, lots, operating, stock
from workshop.referees.bl.board import Board
from workshop.referees.bl.sheet import sheet
from workshop.referees.bl.table import BANK, OFFER, Company, Foul, Question, Table, need
from workshop.referees.whistle import Plain, Position

Act = Callable[[Table, dict[str, Any]], None]

#: Moves by round or step: how they are judged and how they are made.
MOVES: dict[str, dict[str, tuple[Act, Act]]] = {
    "package": {"buy_lot": (lots.judge_buy, lots.buy), "bid": (lots.judge_bid, lots.bid)},
    "stock": {
        "found": (stock.judge_found, stock.found),
        "buy_share": (stock.judge_buy, stock.buy),
        "sell_shares": (stock.judge_sell, stock.sell),
        "exchange_private": (stock.judge_exchange, stock.exchange),
    },
    "track": {"lay_tile": (building.judge_tile, building.lay_tile)},
    "station": {"place_station": (building.judge_station, building.place_station)},
    "run": {"run": (operating.judge_run, operating.run)},
    "dividend": {"dividend": (operating.judge_dividend, operating.dividend)},
    "trains": {
        "buy_train": (operating.judge_train, operating.buy_train),
        "sell_shares": (operating.judge_forced_sale, operating.forced_sale),
        "go_bankrupt": (operating.judge_bankrupt, operating.bankrupt),
    },
}
#: At any time of a company's turn.
ALWAYS: dict[str, tuple[Act, Act]] = {
    "buy_private": (building.judge_private, building.buy_private),
    "buy_access": (building.judge_access, building.buy_access),
}

CLAUSES = {
    "cash": "BL-2.3-g",
    "companies": "BL-6.1-a",
    "stacks": "BL-7.1-e",
    "priority": "BL-7-c",
    "board.tiles": "BL-8.3.1-c",
    "board.stations": "BL-8.4-a",
    "board.supply": "BL-8.3.3-h",
    "depot": "BL-8.8.2-a",
    "phase": "BL-8.8.1-k",
    "privates": "BL-5.1-b",
    "facts.access": "BL-5.2-4b",
    "round": "BL-8-a",
    "retired": "BL-8.8.5-a",
    "deciders": "BL-6.2-a",
    "scores": "BL-10.2-a",
}


class BlReferee:
    """Follows a game of 18BL with 2 to 6 players."""

    def __init__(self, beginning: Plain) -> None:
        self.table = set_up(beginning)
        self._followed = 0
        #: How it stood at the end of the last set of operating rounds.
        self._quiet: tuple[Any, ...] = ()

    @property
    def leaves(self) -> Mapping[str, str]:
        why = "out of the game: whether it has ever operated is nothing to anybody"
        return {f"companies.{name}.operated": why for name, here in self.table.companies.items() if here.closed}

    def position(self) -> Position:
        result = self.table.position()
        if self.table.finished:
            result["scores"] = scores(self.table)
        return result

    def deciders(self) -> list[str]:
        return self.table.deciders()

    def clause(self, name: str) -> str:
        return next((clause for start, clause in CLAUSES.items() if name.startswith(start)), "")

    # ------------------------------------------------------------------ judging

    def verdict(self, move: Plain) -> str:
        try:
            self.judge(dict(move))
        except Foul as foul:
            return str(foul) or "refused"
        return ""

    @property
    def where(self) -> str:
        return self.table.step if self.table.kind == "operating" else self.table.kind

    def act(self, kind: str) -> tuple[Act, Act] | None:
        """How a kind of move is judged and made now."""
        found = MOVES[self.where].get(kind)
        return ALWAYS.get(kind) if found is None and self.table.kind == "operating" else found

    def judge(self, move: dict[str, Any]) -> None:
        table = self.table
        need(move["player"] in self.deciders(), "not theirs to decide [BL-6.2-a]")
        if table.questions:
            judge_answer(table, table.questions[0], move)
            return
        if move["type"] == "pass":
            self.judge_pass()
            return
        act = self.act(move["type"])
        if act is None:
            raise Foul("not now [BL-8.2-a]")
        if table.kind == "stock" and move["type"] != "sell_shares":
            need(not self._must_sell(), "within the limits first [BL-7.2-g]")
        act[0](table, move)

    def judge_pass(self) -> None:
        table = self.table
        if self.where == "stock":
            need(not self._must_sell(), "within the limits first [BL-7.2-g]")
        elif self.where == "trains":
            need(not operating.duty(table, table.actor), "must own a vehicle [BL-8.8.3-a]")
        else:
            need(self.where in ("package", "track", "station"), "not optional [BL-8.2-e]")

    def _must_sell(self) -> bool:
        table = self.table
        return stock.over(table, table.actor) and stock.may_sell(table, table.actor)

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        table, made = self.table, dict(move)
        self._followed += 1
        if table.questions:
            answer(table, table.questions.pop(0), made)
        elif made["type"] == "pass":
            self.passes()
        else:
            act = self.act(made["type"])
            assert act is not None
            table.turn["passed"] = False
            act[1](table, made)
        self.go_on()

    def passes(self) -> None:
        table = self.table
        if self.where == "package":
            lots.passes(table, table.actor)
        elif self.where == "stock":
            self._stock_turn_over()
        else:
            table.turn[f"{self.where} done"] = table.turn["passed"] = True
            if self.where == "station":
                table.turn["track done"] = True

    # ------------------------------------------------------------------ going on by itself

    def go_on(self) -> None:
        table = self.table
        while not table.finished and not table.questions:
            question = operating.surplus(table)
            if question is not None:
                table.questions.append(question)
                return
            if table.kind == "package":
                if table.memory["lots"]:
                    return
                # 4.1, R05: the most cash begins, of several the next from the priority deal on.
                order = [table.priority, *table.left_of(table.priority)[:-1]]
                self._begin_stock(max(order, key=lambda name: table.cash[name]))
            elif table.kind == "stock":
                if self._stock_waits():
                    return
                self._stock_turn_over()
            elif self._operating_waits():
                return

    # ------------------------------------------------------------------ stock rounds

    def _begin_stock(self, first: str) -> None:
        table = self.table
        table.kind, table.actor = "stock", first
        table.memory = {"sold": {}, "passes": 0, "buyer": ""}
        table.turn = {}

    def _stock_waits(self) -> bool:
        table, player = self.table, self.table.actor
        if stock.may_exchange(table, player):
            return True
        return not table.turn.get("bought") and (stock.may_buy(table, player) or stock.may_sell(table, player))

    def _stock_turn_over(self) -> None:
        table = self.table
        table.memory["passes"] = 0 if table.turn.get("acted") else table.memory["passes"] + 1
        table.turn = {}
        table.actor = table.left_of(table.actor)[0]
        if table.memory["passes"] == len(table.seats):
            self._end_stock()

    def _end_stock(self) -> None:
        """7, 7.6, 9, 10.1: the priority deal, companies held by players alone rise, then operating rounds."""
        table = self.table
        if table.memory["buyer"]:
            table.priority = table.left_of(table.memory["buyer"])[0]
        for company in table.in_order():
            if all(who in table.people for who in table.companies[company].holders):
                table.shift(company, -1, 0)
        table.operating_total = int(table.sheet.raw["phase"][table.phase]["operating_rounds"])
        if table.broken == "stock":
            table.operating_total = int(table.sheet.raw["end"]["operating_rounds_after_stock_round"])
        table.operating_number = 0
        self._begin_operating()

    # ------------------------------------------------------------------ operating rounds

    def _begin_operating(self) -> None:
        table = self.table
        table.kind = "operating"
        table.operating_number += 1
        table.memory = {"acted": []}
        table.actor = ""
        table.revenues()

    def _operating_waits(self) -> bool:
        table = self.table
        if not table.actor:
            waiting = [name for name in table.in_order() if name not in table.memory["acted"]]
            if not waiting:
                self._operating_over()
                return False
            table.actor, table.turn = waiting[0], {"lays": []}
            table.companies[table.actor].active = True
            table.board.placed.add(table.actor)
            table.board.changed()
        table.step = self._step()
        if table.step:
            return True
        table.companies[table.actor].operated |= not table.companies[table.actor].closed
        table.memory["acted"].append(table.actor)
        table.actor = ""
        return False

    def _step(self) -> str:
        """The step in which the company has something to decide; what goes by itself is done."""
        table, company, turn = self.table, self.table.actor, self.table.turn
        if table.companies[company].closed:
            return ""
        if not turn.get("track done") and any(True for _ in building.lays(table, company)):
            return "track"
        if not turn.get("station done"):
            if any(True for _ in building.stations(table, company)):
                return "station"
            if self._may_always() and not (turn.get("station") and operating.can_run(table, company)):
                return "station"
            turn["station done"] = True
        if not turn.get("ran"):
            turn["track done"] = True
            if operating.can_run(table, company):
                return "run"
            operating.ran(table, company, 0)
            turn["settled"] = True
            table.no_dividend(company)
            if table.companies[company].closed:
                return ""
        if not turn.get("settled"):
            return "dividend"
        if turn.get("trains done"):
            return ""
        waits = operating.duty(table, company) or operating.may_buy(table, company) or self._may_always()
        return "trains" if waits else ""

    def _may_always(self) -> bool:
        """8.2: what may be bought at any time of the turn keeps it open until the director passes."""
        table, company = self.table, self.table.actor
        if table.turn.get("passed"):
            return False
        return building.may_access(table, company) or bool(building.privates(table, company))

    def _operating_over(self) -> None:
        table = self.table
        if table.operating_number < table.operating_total:
            self._begin_operating()
            return
        if table.broken:
            table.finished, table.actor = "bank", ""
            return
        cells = [company.cell for company in table.companies.values()]
        now = (self._followed, dict(table.cash), cells, table.memory["acted"])
        if now == self._quiet:
            # Nobody had anything to decide since the last set, and nothing moved: it would go on like this for ever.
            table.finished, table.actor = "standstill", ""
            return
        self._quiet = now
        table.operating_number = 0
        table.stock_number += 1
        self._begin_stock(table.priority)


# ---------------------------------------------------------------------- questions


def judge_answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    data = question.data
    if question.kind == "discard":
        need(move["type"] == "discard_train", "something else is asked")
        need(move["company"] == data["company"], "another company")
        need(move["train"] in table.vehicles(data["company"]), "no such vehicle [BL-8.8.1-q]")
        return
    need(move["type"] == "answer", "something else is asked")
    need(move["reply"] in ("accept", "decline", "counter"), "no such answer")
    if question.kind == "consent":
        need(move["reply"] != "counter" and not move["price"], "yes or no [BL-5.2-1c]")
        return
    if move["reply"] != "counter":
        need(move["price"] in (0, data["price"]), "another price")
        return
    low, high = 1, table.cash[data["company"]]
    if question.kind == "private":
        low, most = building.bounds(table, data["private"])
        high = min(high, most)
    if question.player == table.companies[data["company"]].director:
        high = min(high, data["price"] - 1)
    else:
        low = max(low, data["price"] + 1)
    need(low <= move["price"] <= high, "no such price [BL-5.1-d]")


def answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    data = question.data
    if question.kind == "discard":
        operating.discard(table, data["company"], move["train"])
        return
    if question.kind == "consent":
        if move["reply"] == "accept":
            building.put_tile(table, data["move"])
        else:
            table.turn.setdefault("refused", []).append(data["move"]["hex"])
        return
    trade = question.kind == "train"
    seller = table.companies[data["source"]].director if trade else table.privates[data["private"]]
    thing = (data["source"], data["train"]) if trade else data["private"]
    declined = table.turn.setdefault("declined", {})
    if move["reply"] == "counter":
        both = (seller, table.companies[data["company"]].director)
        other = next(name for name in both if name != question.player)
        declined.pop(thing, None)
        table.questions.insert(0, Question(question.kind, other, {**data, "price": move["price"]}))
    elif move["reply"] == "accept":
        if trade:
            operating.trade(table, data["company"], data["source"], data["train"], data["price"])
        else:
            building.sold(table, data["company"], data["private"], data["price"])
    elif question.player == seller:
        declined[thing] = max(declined.get(thing, 0), data["price"])


# ---------------------------------------------------------------------- beginning and end


def scores(table: Table) -> dict[str, int]:
    """10.2: cash and certificates."""
    return {
        name: table.cash[name]
        + sum(table.price(company) * table.held(company, name) // 10 for company in table.companies)
        for name in table.people
    }


def set_up(beginning: Plain) -> Table:
    """2: only the player cards are read from the beginning."""
    data, given, names = sheet(), beginning["position"], list(beginning["players"])
    number = str(len(names))
    cards = {name: given[f"facts.player_cards.{name}"] for name in names}
    seats = sorted(names, key=lambda name: cards[name])
    board = Board(data)
    board.set_up()
    table = Table(
        sheet=data, seats=seats, limit=data.raw["title"]["cert_limit"][number], board=board, player_cards=cards
    )
    for row in data.raw["corporation"]:
        sizes = tuple(row["shares"])
        table.companies[row["id"]] = Company(sizes, [OFFER] * len(sizes), row["tokens"][1:])
    start = data.raw["title"]["starting_cash"][number]
    table.cash = {BANK: data.raw["title"]["bank"] - start * len(names)}
    table.cash |= dict.fromkeys(seats, start) | dict.fromkeys(table.companies, 0)
    table.left = {row["name"]: row["count"] for row in data.raw["train"]}
    for row in data.raw["private"]:
        table.privates[row["id"]] = ""
        if "trailer" in row["power"]:
            trailer = row["power"]["trailer"]
            table.left[trailer] -= 1
            table.sold[trailer] += 1
            table.aside.append(trailer)
    table.access = {"private": data.raw["access"]["tokens"], "box": 0, "pool": 0}
    table.actor = table.priority = seats[0]
    lots.begin(table)
    return table


def appoint(beginning: Plain) -> BlReferee:
    return BlReferee(beginning)
