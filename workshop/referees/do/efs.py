"""The referee of 18DO's introductory game (rulebook 3): sixty turns without money, then one run of every railway."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from workshop.referees.do.board import Board, box, sheet
from workshop.referees.do.shares import DISPLAY, POOL, Certificates
from workshop.referees.whistle import Plain, Position

#: The steps of a turn in their order (DO-3.2-b).
STEPS = ("certificate", "track", "build", "exchange")
#: Which moves belong to which step.
MOVES = {
    "certificate": ("take_certificate", "set_aside", "discard_certificate"),
    "track": ("lay_tile", "pass"),
    "build": ("place_station", "link_location", "pass"),
    "exchange": ("swap_trains", "replace_train", "pass"),
}
CLAUSES = {
    "seats": "DO-3.2-a",
    "cash": "DO-3.3-g",
    "companies": "DO-3.2.1-g",
    "board": "DO-3.2.2.1-k",
    "depot": "DO-3.2.1-c",
    "facts.links": "DO-3.2.2.4-a",
    "phase": "DO-3.2.2.1-c",
    "round": "DO-3.3-a",
    "deciders": "DO-3.2-b",
    "scores": "DO-3.3-h",
}


class Introductory:
    """Follows one game."""

    leaves: Mapping[str, str] = {}

    def __init__(self, beginning: Plain) -> None:
        rules = sheet("efs")["efs"]
        players = beginning["players"]
        self.limit = int(rules["cert_limit"][str(len(players))])
        self.most = int(rules["share_limit"])
        self.best_colour = str(rules["values"])
        self.rounded = int(rules["rounded"])
        self.dealt: dict[str, int] = {name: beginning["position"][f"facts.dealt.{name}"] for name in players}
        # DO-3.2-a: the lowest number starts; who sits beside whom is drawn, play goes clockwise.
        around = list(beginning["position"]["seats"])
        first = around.index(min(players, key=lambda name: self.dealt[name]))
        self.seats = around[first:] + around[:first]
        self.board = Board(box("efs", len(players)))
        self.board.face_up = set(self.board.box.railways)  # DO-3.1-c
        self.shares = {name: Certificates.on_display(row["shares"]) for name, row in self.board.box.railways.items()}
        homes = {name: len(row["home"]) for name, row in self.board.box.railways.items()}
        self.tokens = {
            name: len(row["tokens"]) - homes[name] for name, row in self.board.box.railways.items()
        }  # DO-4.3.2-b without the home
        self.left = {name: int(count) for name, count in rules["trains"].items()}
        self.sold = dict.fromkeys(self.left, 0)
        self.train: dict[str, str] = {}
        self.gone: list[str] = []
        self.turns = 0
        self.step = "certificate"
        self.dropped = False
        self.income: dict[str, int] = {}
        self.cash = dict.fromkeys(self.seats, 0)
        self._go_on()

    # ------------------------------------------------------------------ facts of the moment

    @property
    def over(self) -> bool:
        """After the last certificate of the display, sixty turns in all (DO-3.3-a)."""
        return bool(self.income)

    @property
    def actor(self) -> str:
        return "" if self.over else self.seats[self.turns % len(self.seats)]

    @property
    def colour(self) -> str:
        """DO-3.2.2.1-c: green with the first 3-train, brown with the first 5-train, grey with the first 8-train."""
        return next(str(row["color"]) for row in sheet("game")["phase"] if row["name"] == self.phase)

    @property
    def phase(self) -> str:
        return max((name for name in self.left if self.sold[name]), default="2", key=int)

    def obsolete(self, train: str) -> bool:
        """DO-3.2.3-c."""
        return any(row["name"] == train and self.sold.get(str(row.get("rusts_on"))) for row in sheet("game")["train"])

    def next_train(self) -> str:
        """DO-3.2.1-c: in ascending order."""
        return next((name for name, count in self.left.items() if count), "")

    def directed(self, player: str) -> list[str]:
        return [name for name, shares in self.shares.items() if shares.director == player]

    def count(self, player: str) -> int:
        return sum(shares.count(player) for shares in self.shares.values())

    def over_limit(self) -> str:
        """Who has to drop certificates at once, because a director's certificate was exchanged (DO-3.2.1-h)."""
        return next((name for name in self.seats if self.count(name) > self.limit), "")

    def top(self, company: str) -> int:
        """The number of the top certificate of a stack; -1 if there is none."""
        holders = self.shares[company].holders
        return holders.index(DISPLAY) if DISPLAY in holders else -1

    def may_take(self, player: str, company: str, less: int = 0) -> bool:
        """DO-3.2.1-f; `less` is what of it they drop before."""
        shares = self.shares[company]
        number = self.top(company)
        return number >= 0 and shares.share(player) - less + shares.sizes[number] <= self.most

    def deciders(self) -> Collection[str]:
        return [] if self.over else [self.over_limit() or self.actor]

    # ------------------------------------------------------------------ judging

    def verdict(self, move: Plain) -> str:
        kind, player = move["type"], move["player"]
        if self.over:
            return "DO-3.3-a: the game is over"
        if player not in self.deciders():
            return "DO-3.2-b: it is another player's turn"
        if self.over_limit():
            if kind != "discard_certificate":
                return "DO-3.2.1-h: certificates above the limit are dropped first"
            return self._discard_certificate(move)
        if kind not in MOVES[self.step]:
            return f"DO-3.2-b: not in the step {self.step}"
        if kind == "pass":
            return ""
        if move["company"] not in self.shares and not (kind == "lay_tile" and not move["company"]):
            return "no such railway"
        return str(getattr(self, f"_{kind}")(move))

    def _take_certificate(self, move: Plain) -> str:
        # Who has dropped one takes one, even if a lost post has brought them back to the limit (DO-3.2.1-h follows).
        if self.count(move["player"]) >= self.limit and not self.dropped:
            return "DO-3.2.1-d: at the limit, one is dropped first"
        if not self.may_take(move["player"], move["company"]):
            return "DO-3.2.1-a, -f: no certificate, or above 60 %"
        return ""

    def _set_aside(self, move: Plain) -> str:
        player, number = move["player"], self.top(move["company"])
        if number < 0 or number == 0:
            return "DO-3.2.1-d, R-114: none there, or a director's certificate"
        takes = self.dropped or self.count(player) < self.limit
        if takes and any(self.may_take(player, name) for name in self.shares):
            return "DO-3.2.1-a, -d, R-36: below the limit, and after a drop, one is taken"
        return ""

    def _discard_certificate(self, move: Plain) -> str:
        player = move["player"]
        surplus = bool(self.over_limit())
        if move["company"] not in self.shares or self.count(player) < self.limit or (self.dropped and not surplus):
            return "DO-3.2.1-d: only at the limit, and once"
        if move["percent"] not in self.shares[move["company"]].ordinary(player):
            return "DO-3.2.1-d, R-42: no such certificate, or a director's"
        less = {move["company"]: move["percent"]}
        if not surplus and not any(self.may_take(player, name, less.get(name, 0)) for name in self.shares):
            return "DO-3.2.1-d: one is dropped in order to take another"
        return ""

    def _lay_tile(self, move: Plain) -> str:
        own, company = self.directed(move["player"]), move["company"]
        if move["private"]:
            return "no function in this game (DO-2.3-b)"
        if own and company not in own:
            return "DO-3.2.2.2-a: for a railway they direct"
        if not own and company:
            return "DO-3.2.2.2-b: they direct no railway"
        at, tile, rotation = move["hex"], move["tile"], move["rotation"]
        fault = self.board.unfit(at, tile, rotation, self.colour)
        if fault:
            return fault
        if not any(self.board.lengthens(name, at, tile, rotation) for name in ([company] if company else self.shares)):
            return "DO-3.2.2-h: no open route is lengthened"
        return ""

    def _place_station(self, move: Plain) -> str:
        if move["stop"] != 0 or move["private"]:
            return "DO-3.2.2.3-a: no such place"
        return self.no_station(move["player"], move["company"], move["hex"])

    def no_station(self, player: str, company: str, at: str) -> str:
        if company not in self.directed(player):
            return "DO-3.2.2.2-c: not their railway"
        if not self.tokens[company]:
            return "DO-3.2.2.3-a: no token left"
        if at not in self.board.box.printed or self.board.free(at) is None:
            return "DO-3.2.2.3-a: no empty place"
        if company in self.board.places[at]:
            return "DO-3.2.2.3-a: never two of one railway on a hex"
        return "" if self.board.reaches(company, at) else "DO-3.2.2.3-a: no route to it"

    def _link_location(self, move: Plain) -> str:
        if move["company"] not in self.directed(move["player"]):
            return "DO-3.2.2.2-c: not their railway"
        return self.board.unlinkable(move["company"], move["hex"], self.colour)

    def _swap_trains(self, move: Plain) -> str:
        own = self.directed(move["player"])
        if move["company"] not in own or move["other"] not in own or move["company"] == move["other"]:
            return "DO-3.2.3-b: two railways of the same director"
        if self.train[move["company"]] == self.train[move["other"]]:
            return "DO-3.2.3-b: nothing would be exchanged"
        return ""

    def _replace_train(self, move: Plain) -> str:
        if move["company"] not in self.directed(move["player"]):
            return "DO-3.2.3-b: not their railway"
        if not self.obsolete(self.train[move["company"]]):
            return "DO-3.2.3-f: it is not obsolete"
        return "" if self.next_train() else "DO-3.2.3-b: no train on the display"

    # ------------------------------------------------------------------ following

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        kind, player = move["type"], move["player"]
        match kind:
            case "pass":
                self.step = self._after(self.step)
            case "take_certificate":
                self._taken(player, move["company"])
            case "set_aside":
                shares = self.shares[move["company"]]
                shares.holders[self.top(move["company"])] = POOL
                self.step = "track"
            case "discard_certificate":
                self.dropped = self.dropped or not self.over_limit()
                shares = self.shares[move["company"]]
                shares.move(move["percent"], player, POOL)
                new = shares.overtaken(self.seats)
                if new:
                    shares.hand_over(new)
            case "lay_tile":
                self.board.lay(move["hex"], move["tile"], move["rotation"])
                self.step = "build"
            case "place_station":
                place = self.board.free(move["hex"])
                assert place is not None
                self.board.places[move["hex"]][place] = move["company"]
                self.tokens[move["company"]] -= 1
                self.step = "exchange"
            case "link_location":
                self.board.links[move["hex"]] = self.board.next_link(move["hex"])
                self.step = "exchange"
            case "swap_trains":
                one, other = move["company"], move["other"]
                self.train[one], self.train[other] = self.train[other], self.train[one]
                self.step = ""
            case "replace_train":
                self.gone.append(self.train[move["company"]])
                self._take_train(move["company"])
                self.step = ""
        self._go_on()

    def _taken(self, player: str, company: str) -> None:
        shares = self.shares[company]
        number = self.top(company)
        shares.holders[number] = player
        if number == 0:
            self._take_train(company)
        new = shares.overtaken(self.seats)
        if new:
            shares.hand_over(new)
        self.step = "track"

    def _take_train(self, company: str) -> None:
        train = self.next_train()
        self.left[train] -= 1
        self.sold[train] += 1
        self.train[company] = train

    @staticmethod
    def _after(step: str) -> str:
        return STEPS[STEPS.index(step) + 1] if step != STEPS[-1] else ""

    def _go_on(self) -> None:
        """Steps in which nothing can be done are passed over; then the next player's turn begins."""
        while not self.over and not self.over_limit() and not self._waits():
            if self.step:
                self.step = self._after(self.step)
            else:
                self.turns += 1
                self.step, self.dropped = "certificate", False
                if all(self.top(name) < 0 for name in self.shares):
                    self._run_all()

    def _waits(self) -> bool:
        own = self.directed(self.actor)
        match self.step:
            case "certificate":
                return True
            case "track":
                return self.board.could_lay(own or list(self.shares), self.colour)
            case "build":
                return any(
                    not self.no_station(self.actor, name, at) for name in own for at in self.board.places
                ) or any(
                    not self.board.unlinkable(name, at, self.colour) for name in own for at in self.board.locations()
                )
            case "exchange":
                trains = {self.train[name] for name in own}
                return len(trains) > 1 or bool(
                    self.next_train() and any(self.obsolete(self.train[name]) for name in own)
                )
        return False

    def _run_all(self) -> None:
        """The best run of every railway is paid out, rounded down to 10 (DO-3.3-b to -g)."""
        reach = {row["name"]: int(row["reach"]) for row in sheet("game")["train"]}
        for name, shares in self.shares.items():
            best = 0
            for path in self.board.routes(name, reach[self.train[name]], most=20_000_000):
                value = sum(self.board.income(at, name, self.best_colour) for at in self.board.stops(path))
                best = max(best, value)
            self.income[name] = best
            paid = best - best % self.rounded
            for player in self.seats:
                self.cash[player] += paid * shares.share(player) // 100

    # ------------------------------------------------------------------ the position

    def position(self) -> Position:
        rounds = self.turns // len(self.seats)
        companies: dict[str, Any] = {}
        for name, shares in self.shares.items():
            companies[name] = {
                "certificates": shares.pairs(),
                "tokens_left": [0] * self.tokens[name],
                "director": shares.director,
                "floated": bool(shares.director),
                "active": True,
                "operated": self.over,
                "trains": [self.train[name]] if name in self.train else [],
                "last_revenue": self.income.get(name),
            }
        each = sum(len(shares.sizes) for shares in self.shares.values()) // len(self.seats)
        now: dict[str, Any] = {"kind": "player", "stock_number": rounds + 1, "operating_total": each}
        if self.over:
            now = {"kind": "train", "stock_number": rounds, "operating_number": 1, "operating_total": 1}
        board = self.board
        data = {
            "seats": self.seats,
            "priority": self.seats[0],
            "cash": {**self.cash, "bank": -sum(self.cash.values())},
            "companies": companies,
            "board": {
                "tiles": {at: list(tile) for at, tile in board.lying.items()},
                "stations": {at: [places] for at, places in board.places.items()},
                "supply": board.supply,
                "beside": board.beside,
            },
            "depot": {"left": self.left, "sold": self.sold, "gone": sorted(self.gone)},
            "phase": self.phase,
            "round": {**now, "actor": self.actor},
            "facts": {"dealt": self.dealt, "links": board.links},
        }
        if self.over:
            data |= {"finished": "certificates", "scores": self.cash}
        return data

    def clause(self, name: str) -> str:
        return next((clause for start, clause in CLAUSES.items() if name.startswith(start)), "")


def appoint(beginning: Plain) -> Introductory:
    """The referee of a game."""
    return Introductory(beginning)
