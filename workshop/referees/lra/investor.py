"""18LRA for two players (9): the Investor's purchases and the company that the holder of his card runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workshop.referees.lra import building, operating, stock
from workshop.referees.lra.referee import LraReferee, set_up
from workshop.referees.lra.routes import best, most_trains
from workshop.referees.lra.sheet import HARBOUR
from workshop.referees.lra.table import BANK, OFFER, POOL, Question, need
from workshop.referees.lra.way import Way
from workshop.referees.whistle import Plain, Position

INVESTOR = "investor"


class InvestorReferee(LraReferee):
    """Follows a game of 18LRA with the Investor."""

    def __init__(self, beginning: Plain) -> None:
        given = beginning["position"]
        self.company: str = given["facts.investor.company"]
        self.card = ""
        self.joined = False
        self.way = Way()
        table = self.table = set_up(beginning)
        rules = table.sheet.rows("investor_company", "corporation")[self.company]
        self.private: str = rules["private"]
        self.home = table.board.homes[self.company]
        self.goal: str = table.sheet.rows("private", "id")[self.private]["hexes"][0]
        table.order_cards[INVESTOR] = given[f"facts.order_cards.{INVESTOR}"]
        table.seatless = INVESTOR
        self._found()
        table.privates[self.private] = self.company
        table.memory["lots"].remove(self.private)
        table.memory["bids"].pop(self.private)
        table.memory["first"] = table.memory["lots"][0]
        self.go_on()

    def _found(self) -> None:
        """9.1: director's certificate and three of 10 %, the value of his order card, one space up (ruling 88)."""
        table = self.table
        here = table.companies[self.company]
        free = [number for number, who in enumerate(here.holders) if who == OFFER]
        for number in free:
            here.holders[number] = INVESTOR if number in free[:4] else self.company
        here.director, here.floated = INVESTOR, True
        here.par = table.sheet.rows("order_card", "number")[table.order_cards[INVESTOR]]["investor_value"]
        table.place(self.company, table.sheet.pars[here.par][0])
        table.up(self.company)
        table.board.floated.add(self.company)

    def position(self) -> Position:
        result = super().position()
        result["facts"]["investor"] = {
            "company": self.company,
            "private": self.private,
            "card": self.card,
            "joined": self.joined,
        }
        result["seatless"] = [INVESTOR]
        return result

    def deciders(self) -> list[str]:
        found = super().deciders()
        return [self.card if name == INVESTOR else name for name in found]

    def clause(self, name: str) -> str:
        return "LRA-9.2.2-a" if name.startswith("facts.investor") else super().clause(name)

    @property
    def circle(self) -> list[str]:
        """Ruling 93: clockwise the starting player, the Investor, the other one."""
        return [self.table.seats[0], INVESTOR, self.table.seats[1]]

    def other(self, player: str) -> str:
        return next(name for name in self.table.seats if name != player)

    # ------------------------------------------------------------------ judging

    def judge(self, move: dict[str, Any]) -> None:
        table = self.table
        if table.questions and table.questions[0].kind in ("card", "offer", "keep"):
            need(move["player"] in self.deciders(), "not theirs to decide")
            self._judge_card(table.questions[0], move)
            return
        super().judge(move)
        if table.questions:
            return
        if table.kind == "stock":
            self._judge_stock(move)
        elif table.kind == "operating" and table.actor == self.company:
            self._judge_own(move)

    def _judge_card(self, question: Question, move: dict[str, Any]) -> None:
        if question.kind == "card":
            need(move["type"] == "choose_card" and move["card"] in ("priority", "investor_card"), "LRA-9.3-b")
        elif question.kind == "offer":
            if move["type"] != "pass":
                need(move["type"] == "offer_for_card", "something else is asked")
                need(1 <= move["price"] <= self.table.cash[question.player], "own cash [LRA-9.4-b]")
        else:
            need(move["type"] == "answer_card", "something else is asked")
            need(move["reply"] in ("accept_money", "pay_for_card"), "no such answer")
            able = self.table.cash[question.player] >= question.data["price"]
            need(move["reply"] == "accept_money" or able, "cannot pay [LRA-9.4-b]")

    def _due(self, player: str) -> int:
        """9.3, ruling 122: what the cheapest director's certificate costs that a player still has to buy."""
        table = self.table
        if not stock.first(table) or table.directed(player):
            return 0
        prices = [
            min(table.sheet.pars) * here.sizes[0] // 10 for here in table.companies.values() if here.holders[0] == OFFER
        ]
        least = min(prices, default=0)
        return least if table.cash[player] >= least and table.papers(player) < table.limit else 0

    def _judge_stock(self, move: dict[str, Any]) -> None:
        table, player = self.table, move["player"]
        due = self._due(player)
        if move["type"] == "pass":
            need(not due, "a director's certificate is due [LRA-9.3-a]")
        elif move["type"] == "buy_share" and due:
            left = table.cash[player] - table.worth(move["company"], move["percent"])
            need(left >= due, "a director's certificate is due [LRA-9.3-a]")
        elif move["type"] == "sell_shares":
            need(not self._to_investor(player, move["company"], move["percent"]), "to the Investor [LRA-9.3-d]")

    def _to_investor(self, player: str, company: str, percent: int) -> bool:
        """9.3: whether a sale would give the director's certificate to the Investor."""
        table = self.table
        if table.companies[company].director != player:
            return False
        left = table.held(company, player) - percent
        at = self.circle.index(player)
        order = [*self.circle[at + 1 :], *self.circle[:at]]
        able = [name for name in order if table.held(company, name) > left]
        return bool(able) and max(able, key=lambda name: table.held(company, name)) == INVESTOR

    def _judge_own(self, move: dict[str, Any]) -> None:
        table = self.table
        if move["type"] == "lay_tile":
            need(self._good_lay(move), "not on the way [LRA-9.2.2-b]")
        elif move["type"] == "pass" and table.step == "track":
            due = not self.joined and not table.turn["lays"]
            need(not due, "the way to the harbour is due [LRA-9.2.2-b]")
        elif move["type"] in ("pass", "place_station", "place_harbour") and table.step == "station":
            due_at = self._harbours()
            if due_at:
                need(move["type"] == "place_harbour" and move["hex"] in due_at, "the harbour token [LRA-9.2.2-d]")
            else:
                need(move["type"] != "place_harbour", "not its harbour [LRA-9.2.2-d]")
                # The harbour token is kept for a harbour.
                turned = building.tokens(table, self.company)[1]
                need(move["type"] == "pass" or not turned, "the harbour token [LRA-9.2.2-d]")
        elif move["type"] == "run":
            most = best(table.board, self.company, table.companies[self.company].trains, table.worths())
            if most is not None:
                need(self._value(move) == most, "the highest income [LRA-9.2.2-e]")

    def _value(self, move: dict[str, Any]) -> int:
        before = dict(self.table.turn), self.table.companies[self.company].revenue
        operating.run(self.table, move)
        result = int(self.table.turn["revenue"])
        self.table.turn, self.table.companies[self.company].revenue = before
        return result

    def _harbours(self) -> list[str]:
        """Ruling 119: where its harbour token must go now."""
        table = self.table
        found = [move["hex"] for move in building.stations(table, self.company) if move["type"] == "place_harbour"]
        if self.goal in found:
            return [self.goal]
        free = HARBOUR in table.board.stop((self.goal, "a")).words and not table.board.spaces[self.goal][0][-1]
        return found if table.colour == "brown" and not free else []

    # ------------------------------------------------------------------ its tiles

    def _count(self) -> int:
        return self.way.count(self.table.board, self.company, self.home, self.goal)

    def _good_lay(self, move: dict[str, Any]) -> bool:
        """9.2.2: towards the harbour until the track is joined; afterwards upgrades only."""
        table = self.table
        if move["private"]:
            return False
        if self.joined:
            return table.sheet.tiles[move["tile"]].colour != "yellow"
        board, at = table.board, move["hex"]
        kept = dict(board.tiles), {name: [list(x) for x in y] for name, y in board.spaces.items()}, dict(board.supply)
        homes = dict(board.homes)
        before = self._count()
        board.lay(at, move["tile"], move["rotation"])
        after = self._count()
        board.tiles, board.spaces, board.supply = kept
        board.homes = homes
        board._drawn.pop(at, None)
        board.changed()
        return after < before

    def _step(self) -> str:
        table = self.table
        if table.actor != self.company:
            return super()._step()
        turn = table.turn
        if not turn.get("track done") and not turn.get("station") and not turn.get("ran"):
            if any(self._good_lay(move) for move in building.lays(table, self.company)):
                return "track"
            turn["track done"] = True
        if not turn.get("station done") and not turn.get("station") and not turn.get("ran"):
            usual = [one for one in building.stations(table, self.company) if one["type"] == "place_station"]
            if (usual and not building.tokens(table, self.company)[1]) or self._harbours():
                return "station"
            turn["station done"] = True
        if not turn.get("ran"):
            if most_trains(table.board, self.company, table.companies[self.company].trains):
                return "run"
            turn.update(ran=True, revenue=0, gkb=0)
            table.companies[self.company].revenue = 0
        if not turn.get("settled"):
            turn["settled"] = True
            permanent = {"4", "5", "6"} & set(self._wanted())
            operating.pay_out(table, self.company, 0 if permanent else turn["revenue"])
        while not table.questions and len(table.companies[self.company].trains) < 2:
            train = self._next_train()
            if not train:
                break
            operating.take(table, self.company, train, BANK)
        if table.questions or operating.surplus(table) is not None:
            return "pause"
        if not turn.get("card"):
            turn["card"] = True
            if table.options["card_offer"] and table.cash[self.card]:
                table.questions.append(Question("offer", self.card, {}))
                return "pause"
            self.card = self.other(self.card)
        return ""

    def _next_train(self) -> str:
        """Ruling 120: the smallest new one, or the next type on sale if it owns that; never two of a type."""
        mine = self.table.companies[self.company].trains
        return next((train for train in self.table.on_sale() if train not in mine), "")

    def _wanted(self) -> list[str]:
        """What it will take at the end of this turn."""
        table = self.table
        left, sold, phase = dict(table.left), dict(table.sold), table.phase
        mine = list(table.companies[self.company].trains)
        found: list[str] = []
        while len(table.companies[self.company].trains) < 2:
            train = self._next_train()
            if not train:
                break
            found.append(train)
            table.left[train] -= 1
            table.sold[train] += 1
            trains = [*table.companies[self.company].trains, train]
            rusty = [row["name"] for row in table.sheet.raw["train"] if row.get("rusts_on") == train]
            table.companies[self.company].trains = [name for name in trains if name not in rusty]
        table.left, table.phase = left, phase
        table.sold.clear()
        table.sold.update(sold)
        table.companies[self.company].trains = mine
        return found

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        table, made = self.table, dict(move)
        if table.questions and table.questions[0].kind in ("card", "offer", "keep"):
            self._answer_card(table.questions.pop(0), made)
            self.go_on()
            return
        super().follow(move, events)

    def _answer_card(self, question: Question, move: dict[str, Any]) -> None:
        table, player = self.table, question.player
        if question.kind == "card":
            mine = move["card"] == "investor_card"
            self.card = player if mine else self.other(player)
            table.priority = self.other(self.card)
            self._end_stock()
        elif question.kind == "offer":
            if move["type"] == "pass":
                self.card = self.other(self.card)
            elif table.cash[self.other(player)] >= move["price"]:
                table.questions.append(Question("keep", self.other(player), {"price": move["price"]}))
            else:
                # Who cannot pay the sum can only accept it (ruling 123).
                table.pay(player, self.other(player), move["price"])
        elif move["reply"] == "accept_money":
            table.pay(self.card, player, question.data["price"])
        else:
            table.pay(player, self.card, question.data["price"])
            self.card = player

    def go_on(self) -> None:
        self._join()
        super().go_on()
        self._join()

    def _join(self) -> None:
        """Once the track is joined the duty is over for good, whoever built it."""
        if not self.joined and self._count() == 0:
            self.joined = True

    # ------------------------------------------------------------------ stock rounds

    def _begin_stock(self, first: str) -> None:
        super()._begin_stock(first)
        self.table.memory |= {"house": self.company, "acquired": 0, "quit": False, "passers": []}

    def _stock_over(self, player: str) -> None:
        table = self.table
        memory = table.memory
        passers: list[str] = memory["passers"]
        if table.turn.get("acted"):
            passers.clear()
        else:
            passers.append(player)
        table.turn = {}
        table.actor = self.other(player)
        if len(passers) == 2:
            self._both_passed(passers[0])
            return
        if player == table.seats[0] and not stock.first(table) and self._acquire():
            passers.clear()

    def _both_passed(self, first: str) -> None:
        table = self.table
        for company in table.in_order():
            if all(who in (*table.seats, INVESTOR) for who in table.companies[company].holders):
                table.up(company)
        if stock.first(table):
            table.actor = ""
            order = table.left_of(table.priority)
            table.questions.append(Question("card", max(order, key=lambda name: table.cash[name]), {}))
            return
        table.priority = first
        self._end_stock()

    def _end_stock(self) -> None:
        table = self.table
        table.operating_total = int(table.sheet.raw["phase"][table.phase]["operating_rounds"])
        table.operating_number = 0
        self._begin_operating()

    def _acquire(self) -> bool:
        """9.2.1: one certificate of the highest value; at the limit in place of the lowest."""
        table, memory = self.table, self.table.memory
        rules = table.sheet.raw["investor"]
        if memory["quit"] or memory["acquired"] >= rules["purchases"][table.colour]:
            return False
        wanted = self._available()
        if wanted is None:
            memory["quit"] = True
            return False
        company, source, size = wanted
        if table.papers(INVESTOR) >= table.limit:
            given = self._given()
            if given is None or table.price(given[0]) >= table.price(company):
                memory["quit"] = True
                return False
            table.move(given[0], given[1], INVESTOR, POOL)
        if source == company and company != self.company:
            table.pay(BANK, company, table.worth(company, size))
        table.move(company, size, source, INVESTOR)
        memory["acquired"] += 1
        return True

    def _available(self) -> tuple[str, str, int] | None:
        """Ruling 121: by value, then who acts first; the pool before the charter; the largest that fits."""
        table = self.table
        most = int(table.sheet.raw["investor"]["share_limit"])
        for company in table.in_order():
            for source in (POOL, company):
                for size in table.normal(company, source):
                    if company == self.company or table.held(company, INVESTOR) + size <= most:
                        return company, source, size
        return None

    def _given(self) -> tuple[str, int] | None:
        """The lowest certificate that he may give: not a director's, his own company not below a half."""
        table = self.table
        own = int(table.sheet.raw["investor"]["own_least"])
        for company in reversed(table.in_order()):
            for size in reversed(table.normal(company, INVESTOR)):
                if company == self.company and table.held(company, INVESTOR) - size < own:
                    continue
                if table.held(company, POOL) + size <= 50:
                    return company, size
        return None


def appoint(beginning: Plain) -> InvestorReferee:
    return InvestorReferee(beginning)
