"""The referee itself: judges a move, makes it on its own table, and says how the game stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from workshop.referees.ruhr import montan, operating, raising, stock, turns, works
from workshop.referees.ruhr.cards import discard
from workshop.referees.ruhr.sheet import sheet
from workshop.referees.ruhr.table import ASIDE, BANK, GONE, OFFER, Company, Foul, Location, Question, Table, need
from workshop.referees.ruhr.track import Board
from workshop.referees.whistle import Plain, Position

Judge = Callable[[Table, dict[str, Any]], None]

#: Moves of a turn: how they are judged and how they are made.
MOVES: dict[str, tuple[Judge, Judge]] = {
    "buy_lot": (stock.judge_lot, stock.buy_lot),
    "sell_shares": (stock.judge_sell, stock.make_sell),
    "found": (stock.judge_found, stock.make_found),
    "buy_share": (stock.judge_buy, stock.make_buy),
    "remove_private": (stock.judge_remove, stock.make_remove),
    "found_montan": (montan.judge_found, montan.make_found),
    "merge_mine": (montan.judge_merge, montan.make_merge),
    "lay_tile": (operating.judge_tile, operating.lay_tile),
    "place_station": (operating.judge_station, operating.place_station),
    "run": (operating.judge_run, operating.run),
    "dividend": (operating.judge_dividend, operating.dividend),
    "sell_own_shares": (operating.judge_own_sale, operating.own_sale),
    "buy_own_share": (operating.judge_own_purchase, operating.own_purchase),
    "make_link": (operating.judge_link, operating.make_link),
    "develop": (operating.judge_develop, operating.develop),
    "buy_engine": (operating.judge_engine, operating.buy_engine),
    "buy_train_as_engine": (operating.judge_train_as_engine, operating.train_as_engine),
    "scrap_engine": (operating.judge_scrap, operating.scrap),
    "buy_train": (operating.judge_train, operating.buy_train),
}


class RuhrReferee:
    """Follows a game of 18Ruhr."""

    def __init__(self, beginning: Plain) -> None:
        self.table = set_up(beginning)
        self._offered = turns.go_on(self.table)

    @property
    def leaves(self) -> Mapping[str, str]:
        return {}

    def position(self) -> Position:
        table = self.table
        result = table.position()
        if table.finished:
            result["scores"] = turns.scores(table)
        else:
            result["offered"] = {self.deciders()[0]: sorted(self._choices())}
        return result

    def deciders(self) -> list[str]:
        return self.table.deciders()

    def _choices(self) -> Collection[str]:
        if self.table.questions:
            return [QUESTIONS[self.table.questions[0].kind]]
        return self._offered

    def verdict(self, move: Plain) -> str:
        try:
            self._judge(dict(move))
        except Foul as foul:
            return str(foul) or "refused"
        return ""

    def _judge(self, move: dict[str, Any]) -> None:
        table = self.table
        need(move["player"] in self.deciders(), "not theirs to decide [RUHR-5.2-a]")
        if table.questions:
            judge_answer(table, table.questions[0], move)
            return
        kind = move["type"]
        need(kind in self._offered, "not on offer")
        if kind == "pass":
            return
        if kind == "go_bankrupt":
            operating.judge_bankrupt(table, move)
        elif kind == "sell_shares" and table.kind == "operating":
            operating.judge_forced_sale(table, move)
        elif kind == "buy_share" and table.kind == "founding":
            montan.judge_second(table, move)
        else:
            MOVES[kind][0](table, move)

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        table, made = self.table, dict(move)
        kind = made["type"]
        table.turn.pop("passed", None)
        table.runs = {
            event["company"]: [{"train": train, "path": path} for train, _, path in event["routes"]]
            for event in events
            if event["type"] == "TrainsRun"
        }
        if table.questions:
            answer(table, table.questions.pop(0), made)
        elif kind == "pass":
            turns.passes(table)
        elif kind == "go_bankrupt":
            turns.bankrupt(table, made["player"], made["company"])
        elif kind == "sell_shares" and table.kind == "operating":
            forced_sale(table, made)
        elif kind == "buy_share" and table.kind == "founding":
            montan.make_second(table, made)
        else:
            MOVES[kind][1](table, made)
        self._offered = turns.go_on(table)

    def clause(self, name: str) -> str:
        found = [clause for start, clause in CLAUSES.items() if name.startswith(start)]
        return found[0] if found else ""


#: Which clause decides over a part of the position, by how its name begins.
CLAUSES = {
    "cash": "RUHR-2.5-d",
    "stacks": "RUHR-10.7-e",
    "priority": "RUHR-13.2-b",
    "board.tiles": "RUHR-10.1.1-c",
    "board.stations": "RUHR-10.4-b",
    "board.supply": "RUHR-10.2.1-l",
    "depot": "RUHR-8-d",
    "phase": "RUHR-8-h",
    "facts.cards": "RUHR-12.4-a",
    "facts.lost": "RUHR-12.4-b",
    "facts.charters": "RUHR-9.1.1.1-b",
    "facts.locations": "RUHR-9.2-h",
    "facts.engines": "RUHR-9.3-c",
    "offered": "RUHR-7.3-a",
    "round": "RUHR-7.1-c",
    "deciders": "RUHR-5.2-a",
    "scores": "RUHR-15.2-b",
}

# ---------------------------------------------------------------------- questions

#: Kinds of questions, and the kind of move that answers.
QUESTIONS = {
    "par": "found",
    "train_sale": "answer",
    "engine_sale": "answer",
    "discard": "discard_train",
    "hand_over": "hand_over",
    "surplus_engine": "scrap_engine",
}


def judge_answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    need(move["type"] == QUESTIONS[question.kind], "something else is asked")
    data = question.data
    if question.kind == "par":
        low, high = table.sheet.raw["aside"]["pars"]
        need(move["company"] == data["company"], "another company [RUHR-4.1.1-b]")
        need(low <= move["par"] <= high and move["par"] in table.sheet.values, "50 to 70 [RUHR-4.1.1-b]")
    elif question.kind == "discard":
        need(move["company"] == data["company"], "another company [RUHR-10.8.2-b]")
        need(move["train"] in table.companies[data["company"]].trains, "no such train [RUHR-10.8.2-b]")
    elif question.kind == "hand_over":
        need(move["company"] == data["company"], "another company")
        need(move["certificates"] in data["ways"], "no such certificates")
    elif question.kind == "surplus_engine":
        need(move["company"] == data["company"], "another company [RUHR-12.2-j]")
        need(move["engine"] in table.charters[data["company"]].engines, "no such engine [RUHR-12.2-j]")
    else:
        need(move["reply"] in ("accept", "decline", "counter"), "no such answer")
        if move["reply"] != "counter":
            need(move["price"] in (0, data["price"]), "another price")
            return
        # A seller asks for more, a buyer offers less.
        low, high = operating.price_range(table, data)
        if question.player == table.companies[data["company"]].director:
            high = min(high, data["price"] - 1)
        else:
            low = max(low, data["price"] + 1)
        need(low <= move["price"] <= high, "no such price [RUHR-10.8.1-c]")


def answer(table: Table, question: Question, move: dict[str, Any]) -> None:
    data = question.data
    if question.kind == "par":
        stock.found_bme(table, question.player, move["par"])
    elif question.kind == "discard":
        discard(table, data["company"], move["train"])
        if len(table.companies[data["company"]].trains) > table.train_limit:
            table.questions.insert(0, question)
    elif question.kind == "hand_over":
        sell_for(table, question.player, data["company"], data["percent"], move["certificates"])
    elif question.kind == "surplus_engine":
        works.scrap(table, data["company"], move["engine"])
    elif move["reply"] == "counter":
        both = {table.companies[data["company"]].director, table.companies[data["source"]].director}
        other = next(name for name in both if name != question.player)
        table.turn.get("declined", {}).pop((data["source"], data["train"]), None)
        table.questions.insert(0, Question(question.kind, other, {**data, "price": move["price"]}))
    elif move["reply"] == "decline":
        if question.player == table.companies[data["source"]].director:
            known = table.turn.setdefault("declined", {})
            thing = (data["source"], data["train"])
            known[thing] = max(known.get(thing, 0), data["price"])
    else:
        (operating.trade if question.kind == "train_sale" else operating.sell_as_engine)(table, data, data["price"])


def forced_sale(table: Table, move: dict[str, Any]) -> None:
    """10.8.4: a sale in a forced purchase."""
    player, company, percent = move["player"], move["company"], move["percent"]
    found = raising.Raising(table, player, table.actor, operating.forced(table)).ways(company, percent)
    if raising.ask_way(table, player, company, percent, found):
        table.turn["raised"] = table.turn.get("raised", raising.ENDLESS)
    else:
        sell_for(table, player, company, percent, found[0])


def sell_for(table: Table, player: str, company: str, percent: int, way: str) -> None:
    """The smallest certificate sold for a purchase is remembered: it must have been needed."""
    if table.kind == "operating":
        table.turn["raised"] = min(table.turn.get("raised", raising.ENDLESS), raising.smallest(table, company, way))
    raising.sell(table, player, company, percent, way)


# ---------------------------------------------------------------------- the beginning


def set_up(beginning: Plain) -> Table:
    """Rulebook 2: only who drew which card, and the scenario if it was drawn, are read from the beginning."""
    data, given = sheet(), beginning["position"]
    players = len(beginning["players"])
    drawn = {name: given[f"facts.player_cards.{name}"] for name in beginning["players"]}
    scenario = beginning["options"]["scenario"]
    if scenario == "drawn":
        scenario = given["facts.scenario"]
    seats = sorted(drawn, key=lambda name: drawn[name])
    board = Board(data)
    board.set_up()
    table = Table(sheet=data, seats=seats, limit=data.raw["title"]["cert_limit"][str(players)], board=board)
    table.drawn, table.scenario, table.priority = drawn, scenario, seats[0]
    active = data.rows("scenario", "id")[scenario]["active"]
    for name, sizes in data.shares.items():
        row = data.rows("corporation", "id")[name]
        here = table.companies[name] = Company(sizes, [OFFER] * len(sizes), list(row["tokens"][1:]))
        if data.kind[name] == "mine" and data.rows("mine", "company")[name]["number"] not in active:
            here.holders, here.closed = [GONE], True
    start = data.raw["title"]["starting_cash"][str(players)]
    table.cash = {BANK: data.raw["title"]["bank"] - start * players, ASIDE: 0}
    table.cash |= dict.fromkeys(seats, start) | dict.fromkeys(data.shares, 0)
    _cards(table, bool(beginning["options"]["optional_cards"]))
    _works(table, active)
    _package(table, players, active)
    table.actor, table.step = table.priority, "lot"
    return table


def _cards(table: Table, optional: bool) -> None:
    for row in table.sheet.raw["train"]:
        table.left[row["name"]] = row["count"] + (row.get("optional", 0) if optional else 0)


def _works(table: Table, active: Collection[int]) -> None:
    for industry in ("coal", "steel"):
        table.supply[industry] = Counter({row["stage"]: row["count"] for row in table.sheet.raw["stage"]})
        table.removed[industry] = Counter()
    table.engines = Counter({row["type"]: row["count"] for row in table.sheet.raw["engine"]})
    for row in table.sheet.raw["mine"]:
        ours = row["number"] in active
        table.locations[row["hex"]] = Location("active" if ours else "passive", row["company"] if ours else "")


def _package(table: Table, players: int, active: Collection[int]) -> None:
    """2.4: by value, a private company first, then by number; dealt in turn to two columns."""
    names = table.sheet.raw["package"]["privates"][str(players)]
    lots = [(row["price"], 0, row["number"], row["id"]) for row in table.sheet.raw["private"] if row["id"] in names]
    lots += [
        (row["price"], 1, row["number"], row["company"]) for row in table.sheet.raw["mine"] if row["number"] in active
    ]
    order = [name for *_, name in sorted(lots)]
    table.package = [order[0::2], order[1::2]]
    table.privates = {row["id"]: "" if row["id"] in names else "closed" for row in table.sheet.raw["private"]}


def appoint(beginning: Plain) -> RuhrReferee:
    return RuhrReferee(beginning)
