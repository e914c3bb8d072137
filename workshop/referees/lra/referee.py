"""The referee itself: judges a move, makes it on its own table, and says how the game stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from workshop.referees.lra import building, lots, operating, stock
from workshop.referees.lra.board import Board
from workshop.referees.lra.sheet import sheet
from workshop.referees.lra.table import ASIDE, BANK, OFFER, Company, Foul, Question, Table, need, ways_to
from workshop.referees.whistle import Plain, Position

Act = Callable[[Table, dict[str, Any]], None]

#: Moves by round or step: how they are judged and how they are made.
MOVES: dict[str, dict[str, tuple[Act, Act]]] = {
    "package": {"buy_lot": (lots.judge_buy, lots.buy), "bid": (lots.judge_bid, lots.bid)},
    "stock": {
        "found": (stock.judge_found, stock.found),
        "buy_share": (stock.judge_buy, stock.buy),
        "sell_shares": (stock.judge_sell, stock.sell),
    },
    "track": {"lay_tile": (building.judge_tile, building.lay_tile)},
    "station": {
        "place_station": (building.judge_station, building.place_station),
        "place_harbour": (building.judge_harbour, building.place_harbour),
    },
    "run": {"run": (operating.judge_run, operating.run)},
    "dividend": {"dividend": (operating.judge_dividend, operating.dividend)},
    "trains": {
        "buy_train": (operating.judge_train, operating.buy_train),
        "sell_own_shares": (operating.judge_own_sale, operating.own_sale),
        "sell_shares": (operating.judge_forced_sale, operating.forced_sale),
        "take_loan": (operating.judge_loan, operating.loan),
        "go_bankrupt": (operating.judge_bankrupt, operating.bankrupt),
    },
}

CLAUSES = {
    "cash": "RHL-2.3-a",
    "stacks": "RHL-6.2.5-d",
    "priority": "RHL-5-d",
    "board.tiles": "RHL-6.2.1-a",
    "board.stations": "RHL-6.2.2-a",
    "board.markers": "LRA-4.1.2-d",
    "board.supply": "RHL-6.2.1.1-e",
    "depot": "RHL-6.2.6-b",
    "phase": "RHL-6.3-a",
    "facts.dalheim": "LRA-4.1.2-d",
    "facts.gkb": "LRA-4.1.2-o",
    "facts.link": "LRA-4.2.3-e",
    "privates": "LRA-4.1.2-w",
    "round": "RHL-5-f",
    "deciders": "RHL-4.2-d",
    "scores": "RHL-7.2-a",
}


class LraReferee:
    """Follows a game of 18LRA with 3 or 4 players."""

    def __init__(self, beginning: Plain) -> None:
        self.table = self.set_up(beginning)
        self.go_on()

    #: Moves by round or step.
    moves: ClassVar[Mapping[str, Mapping[str, tuple[Act, Act]]]] = MOVES

    def set_up(self, beginning: Plain) -> Table:
        return set_up(beginning)

    @property
    def leaves(self) -> Mapping[str, str]:
        return {}

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

    def judge(self, move: dict[str, Any]) -> None:
        table = self.table
        need(move["player"] in self.deciders(), "not theirs to decide [RHL-4.2-d]")
        if table.questions:
            judge_answer(table, table.questions[0], move)
            return
        where = table.step if table.kind == "operating" else table.kind
        if move["type"] == "pass":
            self.judge_pass(where)
            return
        need(move["type"] in self.moves[where], "not now [RHL-6.2-a]")
        if where == "stock" and move["type"] != "sell_shares":
            need(not self._must_sell(), "within the limit first [RHL-5.2.2-c]")
        self.moves[where][move["type"]][0](table, move)

    def judge_pass(self, where: str) -> None:
        table = self.table
        if where == "stock":
            need(not self._must_sell(), "within the limit first [RHL-5.2.2-c]")
        elif where == "track":
            need(not self.home_duty(), "the first tile is laid at home [RHL-6.2.1-b]")
        elif where == "trains":
            need(not operating.duty(table, table.actor), "must own a train [RHL-6.2.6.1-a]")
        else:
            need(where in ("package", "station"), "not optional")

    def home_duty(self) -> str:
        return building.home_duty(self.table, self.table.actor)

    def lays(self) -> Iterator[dict[str, Any]]:
        return building.lays(self.table, self.table.actor)

    def stations(self) -> Iterator[dict[str, Any]]:
        return building.stations(self.table, self.table.actor)

    def _must_sell(self) -> bool:
        table = self.table
        return stock.over(table, table.actor) and "sell_shares" in stock.offers(table, table.actor)

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        table, made = self.table, dict(move)
        where = table.step if table.kind == "operating" else table.kind
        if table.questions:
            answer(table, table.questions.pop(0), made)
        elif made["type"] == "pass":
            self.passes(where)
        else:
            self.moves[where][made["type"]][1](table, made)
            table.turn["acted"] = True
        self.go_on()

    def passes(self, where: str) -> None:
        table = self.table
        if where == "package":
            lots.passes(table, table.actor)
        elif where == "stock":
            self._stock_over(table.actor)
        else:
            table.turn[f"{where} done"] = True

    # ------------------------------------------------------------------ going on by itself

    def go_on(self) -> None:
        table = self.table
        while not table.finished:
            self.settle()
            # Where there is no choice the train goes at once.
            asked = {question.data.get("company") for question in table.questions if question.kind == "discard"}
            for name in table.in_order():
                trains = [] if name in asked else operating.usual(table, name)
                while len(set(trains)) == 1 and len(table.companies[name].trains) > table.train_limit:
                    discard(table, name, trains.pop())
            if table.questions:
                return
            question = operating.surplus(table)
            if question is not None:
                table.questions.append(question)
                return
            if table.kind == "package":
                if table.memory["lots"]:
                    return
                self._begin_stock(table.left_of(table.memory["buyer"])[0])
            elif table.kind == "stock":
                if self._stock_waits():
                    return
            elif self._operating_waits() and not table.questions:
                return

    def settle(self) -> None:
        """What waits for a company or a link."""
        building.settle_waiting(self.table)
        if self.table.link:
            building.settle_link(self.table)

    # ------------------------------------------------------------------ stock rounds

    def _begin_stock(self, first: str) -> None:
        table = self.table
        table.kind, table.actor, table.priority = "stock", first, first
        table.memory = {"sold": {}, "passes": 0}
        table.turn = {}

    def _stock_waits(self) -> bool:
        table = self.table
        if table.turn.get("bought"):
            self._stock_over(table.actor)
            return False
        if stock.offers(table, table.actor):
            return True
        self._stock_over(table.actor)
        return False

    def _stock_over(self, player: str) -> None:
        table = self.table
        table.memory["passes"] = 0 if table.turn.get("acted") else table.memory["passes"] + 1
        table.turn = {}
        table.actor = table.left_of(player)[0]
        if table.memory["passes"] == len(table.seats):
            self._end_stock()

    def _end_stock(self) -> None:
        """5: the priority deal by cash, then sold-out companies rise, then operating rounds."""
        table = self.table
        order = table.left_of(table.priority)
        table.priority = max(order, key=lambda name: table.cash[name])
        for company in table.in_order():
            if all(who in table.seats for who in table.companies[company].holders):
                table.up(company)
        table.operating_total = int(table.sheet.raw["phase"][table.phase]["operating_rounds"])
        table.operating_number = 0
        self._begin_operating()

    # ------------------------------------------------------------------ operating rounds

    def _begin_operating(self) -> None:
        table = self.table
        table.kind = "operating"
        table.operating_number += 1
        table.memory = {"acted": []}
        table.actor = ""
        lots.revenues(table)

    def _operating_waits(self) -> bool:
        table = self.table
        if not table.actor:
            waiting = [name for name in table.in_order() if name not in table.memory["acted"]]
            if not waiting:
                self._operating_over()
                return False
            table.actor, table.turn = waiting[0], {"lays": []}
        table.step = self._step()
        if table.step:
            return True
        table.companies[table.actor].operated = True
        table.memory["acted"].append(table.actor)
        table.actor = ""
        return False

    def _step(self) -> str:
        """The step in which the company has something to decide; what goes by itself is done."""
        table, company = self.table, self.table.actor
        turn = table.turn
        if not turn.get("track done") and not turn.get("ran"):
            if any(True for _ in self.lays()):
                return "track"
            turn["track done"] = True
        if not turn.get("station done") and not turn.get("station") and not turn.get("ran"):
            if any(True for _ in self.stations()):
                return "station"
            turn["station done"] = True
        if not turn.get("ran"):
            if table.most_trains(company):
                return "run"
            turn.update(ran=True, settled=True, revenue=0, gkb=0)
            table.companies[company].revenue = 0
            operating.move_price(table, company, 0)
        if not turn.get("settled"):
            return "dividend"
        if turn.get("trains done"):
            return ""
        if operating.duty(table, company) or operating.may_buy(table, company):
            return "trains"
        return ""

    def _operating_over(self) -> None:
        table = self.table
        if table.operating_number < table.operating_total:
            self._begin_operating()
            return
        if table.broken:
            table.finished, table.actor = "bank", ""
            return
        table.operating_number = 0
        table.stock_number += 1
        self._begin_stock(table.priority)


# ---------------------------------------------------------------------- questions


def judge_answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    data = question.data
    kinds = {"hand_over": "hand_over", "pick": "hand_over", "assign": "assign_to", "discard": "discard_train"}
    need(move["type"] == kinds.get(question.kind, "answer"), "something else is asked")
    if question.kind == "assign":
        need(move["private"] == data["private"], "another private")
        need(move["company"] in table.directed(question.player), "not their company [LRA-4.1.2-d]")
    elif question.kind == "discard":
        need(move["company"] == data["company"], "another company")
        need(move["train"] in operating.usual(table, data["company"]), "no such train [RHL-6.2.6-f]")
    elif question.kind in ("hand_over", "pick"):
        need(move["company"] == data["company"], "another company")
        need(move["certificates"] in {written(way) for way in choices(table, question)}, "no such certificates")
    else:
        need(move["reply"] in ("accept", "decline", "counter"), "no such answer")
        if move["reply"] != "counter":
            need(move["price"] in (0, data["price"]), "another price")
            return
        low, high = 1, table.cash[data["company"]]
        if question.player == table.companies[data["company"]].director:
            high = min(high, data["price"] - 1)
        else:
            low = max(low, data["price"] + 1)
        need(low <= move["price"] <= high, "no such price [RHL-6.2.6-d]")


def written(way: tuple[int, ...]) -> str:
    return "+".join(map(str, way))


def choices(table: Table, question: Question) -> list[tuple[int, ...]]:
    data = question.data
    company = data["company"]
    if question.kind == "hand_over":
        if "sale" in data:
            seller, percent = data["sale"]
            return sorted({given for given, _ in stock.sale(table, seller, company, percent)[1]}, reverse=True)
        return ways_to(table.normal(company, question.player), data["percent"])
    found = stock.sale(table, question.player, company, data["percent"])[1]
    return [way for given, way in found if given == data["given"]]


def answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    data = question.data
    if question.kind == "assign":
        building.assign(table, data["private"], move["company"])
    elif question.kind == "discard":
        discard(table, data["company"], move["train"])
        if len(table.companies[data["company"]].trains) > table.train_limit:
            table.questions.insert(0, question)
    elif question.kind in ("hand_over", "pick"):
        way = next(way for way in choices(table, question) if written(way) == move["certificates"])
        company = data["company"]
        if question.kind == "pick":
            stock.finish_sale(table, question.player, company, data["new"], data["given"], way)
        elif "sale" in data:
            seller, percent = data["sale"]
            stock.pick(table, seller, company, percent, question.player, way)
        else:
            stock.exchange(table, company, question.player, way)
    elif move["reply"] == "counter":
        both = {table.companies[data["company"]].director, table.companies[data["source"]].director}
        other = next(name for name in both if name != question.player)
        table.turn.get("declined", {}).pop((data["source"], data["train"]), None)
        table.questions.insert(0, Question("train", other, {**data, "price": move["price"]}))
    elif move["reply"] == "accept":
        operating.trade(table, data["company"], data["source"], data["train"], data["price"])
    elif question.player == table.companies[data["source"]].director:
        known = table.turn.setdefault("declined", {})
        thing = (data["source"], data["train"])
        known[thing] = max(known.get(thing, 0), data["price"])


def discard(table: Table, company: str, train: str) -> None:
    table.companies[company].trains.remove(train)
    table.pool.append(train)


def scores(table: Table) -> dict[str, int]:
    """7.2: cash, shares at their value, less twice the credits."""
    return {
        name: table.cash[name]
        + sum(table.worth(company, table.held(company, name)) for company in table.companies)
        - 2 * table.loans[name]
        for name in table.seats
    }


# ---------------------------------------------------------------------- the beginning


def set_up(beginning: Plain) -> Table:
    """3.3: only order cards and a drawn scenario are read from the beginning."""
    data, given, options = sheet(), beginning["position"], dict(beginning["options"])
    names = list(beginning["players"])
    number = str(len(names))
    cards = {name: given[f"facts.order_cards.{name}"] for name in names}
    seats = sorted(names, key=lambda name: cards[name])
    every = [row["id"] for row in data.raw["corporation"]]
    used = every
    if len(names) < 4:
        # A drawn scenario is seen by its companies.
        sets = [row["corporations"] for row in data.raw["scenario"]]
        if options["scenario"] in "1234":
            sets = [row["corporations"] for row in data.raw["scenario"] if str(row["number"]) == options["scenario"]]
        seen = {name.split(".")[1] for name in given if name.startswith("companies.")}
        used = next(list(some) for some in sets if set(some) == seen)
    rows = data.rows("corporation", "id")
    homes = {name: (row["home"][0].split(":")[0], row["home"][0].split(":")[1]) for name, row in rows.items()}
    if options["homes"] == "other":
        homes |= {name: (at, "a") for name, at in data.raw["other_homes"]["home"].items()}
    board = Board(data)
    board.set_up(homes, [name for name in every if name not in used])
    limit = data.raw["title"]["cert_limit"][number]
    table = Table(
        sheet=data, seats=seats, limit=limit, board=board, options=options, order_cards=cards, begins=building.brown
    )
    for name in every:
        if name in used:
            row = rows[name]
            harbour = 0 if name in data.raw["harbour"]["without"] else row["tokens"][-1]
            sizes = tuple(row["shares"])
            table.companies[name] = Company(
                sizes, [OFFER] * len(sizes), row["tokens"][1:], harbour=harbour, floats_at=row["float"]
            )
    share = data.raw["lot_certificate"]
    table.companies[share["corporation"]].holders[share["certificate"]] = ASIDE
    start = data.raw["title"]["starting_cash"][number]
    if options["lower_capital"]:
        start = data.raw["lower_capital"]["starting_cash"][number]
    table.cash = {BANK: data.raw["bank"]["money"][number] - start * len(names)}
    table.cash |= dict.fromkeys(seats, start) | dict.fromkeys(table.companies, 0)
    for row in data.raw["train"]:
        if row["price"]:
            table.left[row["name"]] = row["count"] + (row.get("optional", 0) if options["optional_2_train"] else 0)
    table.privates = {row["id"]: "" for row in data.raw["private"]}
    lots.begin(table, [row["id"] for row in data.raw["private"]])
    table.memory["first"] = table.memory["lots"][0]
    table.actor = table.priority = seats[0]
    return table


def appoint(beginning: Plain) -> LraReferee:
    return LraReferee(beginning)
