"""The referee of 18DO's Railway Game (rulebook 4): starting round, stock rounds, operating rounds, the end."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from workshop.referees.do.operating import OPERATING, Turn
from workshop.referees.do.stock import STOCK, StockRound
from workshop.referees.do.table import BANK, Table
from workshop.referees.whistle import Plain, Position

CLAUSES = {
    "cash": "DO-4.5.6.2-c",
    "loans": "DO-4.5.7.5-d",
    "priority": "DO-4.4-c",
    "companies": "DO-4.4.1-c",
    "stacks": "DO-4.4.1-b",
    "privates": "DO-4.2.2-c",
    "board": "DO-4.5.2-a",
    "depot": "DO-4.5.7.3-a",
    "facts.links": "DO-4.5.4.1-a",
    "facts.cubes": "DO-4.5.4.3-a",
    "facts.turned": "DO-4.3.1-d",
    "facts.markers": "DO-4.3.1.1-a",
    "phase": "DO-4.2.1-a",
    "round": "DO-4.2-a",
    "deciders": "DO-4.5-b",
    "bank_broken": "DO-4.6-a",
    "scores": "DO-4.6-d",
}


class RailwayGame:
    """Follows one game."""

    leaves: Mapping[str, str] = {}
    form = "trg"

    def __init__(self, beginning: Plain) -> None:
        position = beginning["position"]
        # Seats and private breweries are dealt (DO-4.1-d).
        dealt = [name for name in ("P1", "P2", "P3", "P4", "P5") if position.get(f"privates.{name}") != "closed"]
        self.table = self._lay_out(position, dealt)
        self.first = self.table.seats[0]
        self.bidder = self.first
        self.bids: dict[str, tuple[str, int]] = {}
        self.number = 1
        self.set: list[int] = [0, 0]
        self.stock: StockRound | None = None
        self.turn: Turn | None = None
        self.waiting: list[str] = []
        self.last_set = False
        self.finished = ""
        self.followed = 0
        #: How the last set ended: moves so far, cash and prices (R-137).
        self.quiet: Any = None

    def _lay_out(self, position: Plain, dealt: Sequence[str]) -> Table:
        return Table(self.form, position["seats"], dealt)

    def _stock_round(self) -> StockRound:
        return StockRound(self.table, self.first, self.number)

    def _turn(self, company: str) -> Turn:
        return Turn(self.table, company)

    @property
    def bidding(self) -> bool:
        return not self.stock and not self.turn and not self.finished

    def deciders(self) -> Collection[str]:
        if self.finished:
            return []
        if self.turn:
            return self.turn.deciders()
        return [self.stock.actor if self.stock else self.bidder]

    # ------------------------------------------------------------------ judging

    def verdict(self, move: Plain) -> str:
        if self.finished:
            return "DO-4.6-a: the game is over"
        if self.turn:
            return self.turn.verdict(move)
        if self.stock:
            return self.stock.verdict(move)
        return self._bad_bid(move)

    def _bad_bid(self, move: Plain) -> str:
        if move["type"] != "bid" or move["player"] != self.bidder:
            return "DO-4.2.2-b: not theirs to bid"
        lot, price = move["lot"], move["price"]
        if lot not in self.table.brewery:
            return "DO-4.1-e: not in the package"
        if price not in self.table.brewery[lot]["power"]["boxes"]:
            return "DO-2.2.1-a: not one of the boxes"
        if lot in self.bids and price <= self.bids[lot][1]:
            return "DO-4.2.2-a: only a higher box"
        return "R-35: a bid must be payable" if price > self.table.cash[move["player"]] else ""

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        if self.turn:
            self.turn.follow(move)
        elif self.stock:
            self.stock.follow(move)
        else:
            self._bid(move["player"], move["lot"], move["price"])
        self.followed += 1
        self._go_on()

    def _bid(self, player: str, lot: str, price: int) -> None:
        """DO-4.2.2-b, -c: until all lead, each at another private brewery; then everybody pays."""
        table = self.table
        self.bids[lot] = (player, price)
        leaders = {leader for leader, _ in self.bids.values()}
        if len(leaders) < len(table.seats):
            while True:
                self.bidder = table.seats[(table.seats.index(self.bidder) + 1) % len(table.seats)]
                if self.bidder not in leaders:
                    return
        for name, (leader, bid) in self.bids.items():
            table.pay(leader, BANK, bid, STOCK)
            table.owner[name] = leader
        self._packaged()

    def _packaged(self) -> None:
        self.first = self.bids[min(self.bids)][0]  # DO-4.2.2-d
        self._begin_stock()

    def _begin_stock(self) -> None:
        self.stock = self._stock_round()
        self.stock.go_on()

    def _go_on(self) -> None:
        """From turn to turn and from round to round, as far as nobody has to decide."""
        while not self.finished:
            if self.stock:
                if not self.stock.over:
                    return
                self._end_stock(self.stock)
            elif self.turn:
                if not self.turn.over:
                    return
                self._next_turn()
            else:
                return

    def _end_stock(self, stock: StockRound) -> None:
        self.first = stock.next_first()
        self.stock = None
        rounds = self.table.rounds
        if self.table.broken == STOCK:  # DO-4.6-b
            rounds = int(self.table.rules["last_rounds"])
            self.last_set = True
        self.set = [0, rounds]
        self._begin_operating()

    def _begin_operating(self) -> None:
        """DO-4.3.1-a: private breweries pay; then the railways in falling price (DO-4.5-a)."""
        table = self.table
        self.set[0] += 1
        for name in table.brewery:
            if name not in table.turned:
                table.pay(BANK, table.owner[name], int(table.brewery[name]["revenue"]), OPERATING)
        self.waiting = table.order(table.floated)
        self._next_turn()

    def _next_turn(self) -> None:
        self.turn = None
        if self.waiting:
            self.turn = self._turn(self.waiting.pop(0))
            self.turn.go_on()
        elif not self._decide_at_end():
            self._next_round()

    def _next_round(self) -> None:
        table = self.table
        if self.set[0] < self.set[1]:
            self._begin_operating()
        elif table.broken:  # DO-4.6-a, -b
            self.finished = "bank"
        elif self.quiet == (now := (self.followed, dict(table.cash), dict(table.at))):
            self.finished = "standstill"
        else:
            self.quiet = now
            self.number += 1
            self._begin_stock()

    def _decide_at_end(self) -> bool:
        """Whether somebody has to decide at the end of an operating round: nobody with three players or more."""
        return False

    # ------------------------------------------------------------------ the position

    def position(self) -> Position:
        data = self.table.position()
        now: dict[str, Any] = {"stock_number": self.number}
        if self.bidding:
            now |= {"kind": "package", "actor": self.bidder}
        elif self.stock:
            now |= {"kind": "stock", "actor": self.stock.actor, "operating_total": self.set[1]}
        else:
            now |= {"kind": "operating", "operating_number": self.set[0], "operating_total": self.set[1]}
            now |= self.turn.facts() if self.turn else {}
        data |= {"priority": self.first, "round": now}
        data["facts"]["token_used"] = self.table.token_used
        if self.finished:
            data |= {"finished": self.finished, "scores": {name: self.table.worth(name) for name in self.table.seats}}
        return data

    def clause(self, name: str) -> str:
        return next((clause for start, clause in CLAUSES.items() if name.startswith(start)), "")


def appoint(beginning: Plain) -> RailwayGame:
    """The referee of a game."""
    return RailwayGame(beginning)
