"""What lies on the table in The Railway Game: money, certificates, prices, trains, private breweries, the board.

The changes that several rounds share are made here: payments, price tokens, change of director, trains and phases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workshop.referees.do.board import RESERVED, Board, box, sheet
from workshop.referees.do.shares import POOL, Certificates

BANK = "bank"
#: What a marker is after its use, or when it left unassigned.
GONE = "gone"
Cell = tuple[int, int]


class Table:
    """One position; whoever plays changes it."""

    def __init__(self, form: str, seats: Sequence[str], privates: Sequence[str]) -> None:
        number = len(seats)
        game, rules = sheet("game"), sheet("trg")
        self.rules = rules["trg"]
        self.seats = list(seats)
        #: Everybody who holds certificates, clockwise; with two players the investor sits among them.
        self.circle = list(seats)
        self.board = Board(box(form, number))
        self.railways = self.board.box.railways
        self.cert_limit = int(game["title"]["cert_limit"][str(number)])
        self.share_limit = int(self.rules["share_limit"][str(number)])
        self.pool_limit = int(game["title"]["pool_limit"])
        start = int(game["title"]["starting_cash"][str(number)])
        # DO-4.1-c: the bank pays the starting capital out of 9,000 Mark.
        self.cash = {BANK: int(game["title"]["bank"]) - start * number, **dict.fromkeys(seats, start)}
        self.cash |= dict.fromkeys(self.railways, 0)
        self.loans = dict.fromkeys(seats, 0)
        self.broken = ""
        self.shares = {name: Certificates.on_display(row["shares"]) for name, row in self.railways.items()}
        self.par = dict.fromkeys(self.railways, 0)
        self.floated: set[str] = set()
        self.operated: set[str] = set()
        self.income: dict[str, int] = {}
        # DO-4.3.2-b, DO-4.5.3-b: what the tokens on the charter cost; a home may cover two hexes and is one token.
        self.tokens = {name: list(row["tokens"])[len(row["home"]) :] for name, row in self.railways.items()}
        self.trains: dict[str, list[str]] = {name: [] for name in self.railways}
        self.left = {row["name"]: int(row["count"]) for row in game["train"]}
        self.sold = dict.fromkeys(self.left, 0)
        self.prices = {row["name"]: int(row["price"]) for row in game["train"]}
        self.reach = {row["name"]: int(row["reach"]) for row in game["train"]}
        self.pool: list[str] = []
        self.gone: list[str] = []
        #: Railways whose 4-trains run once more (DO-4.5.7.3-b).
        self.last_runs: set[str] = set()
        self.grid = [list(row) for row in rules["market"]["rows"]]
        self.stacks: dict[Cell, list[str]] = {}
        self.at: dict[str, Cell] = {}
        self._breweries(privates)

    def _breweries(self, privates: Sequence[str]) -> None:
        rows = {row["id"]: row for row in sheet("trg")["private"]}
        self.brewery = {name: rows[name] for name in rows if name in privates}
        self.owner = {name: "" if name in privates else "closed" for name in rows}
        self.turned: list[str] = []
        #: Whether KWE has placed the location token that costs it nothing (DO-4.3.2.1-b).
        self.token_used = False
        self.markers = {name: "" for name, row in self.brewery.items() if "marker" in row["power"]}
        self.cubes = {name: int(row["power"].get("cubes", 0)) for name, row in self.brewery.items()}
        self.stock = int(sheet("trg")["cubes"]["all"]) - sum(self.cubes.values())  # DO-4.1-e
        if "P2" in privates:  # DO-4.1-f
            self.board.places[str(sheet("game")["city"]["hex"])][-1] = RESERVED

    # ------------------------------------------------------------------ money

    def pay(self, source: str, target: str, amount: int, when: str) -> None:
        """Money moves; a bank that cannot pay in full is broken, and goes below zero (R-30, R-131)."""
        if source == BANK and amount > self.cash[BANK] and not self.broken:
            self.broken = when
        self.cash[source] -= amount
        self.cash[target] += amount

    # ------------------------------------------------------------------ shares and prices

    def price(self, company: str) -> int:
        """What 10 % are worth (DO-2.1.2-a)."""
        row, column = self.at[company]
        return int(self.grid[row][column].rstrip("ygb"))

    def pars(self) -> dict[int, Cell]:
        """Starting prices of this colour phase and those before (DO-4.4.1-a)."""
        legend = sheet("trg")["market"]["legend"]
        colours = ("yellow", "green", "brown", "grey")
        open_now = colours[: colours.index(self.colour) + 1]
        return {
            int(cell[:-1]): (row, column)
            for row, cells in enumerate(self.grid)
            for column, cell in enumerate(cells)
            if legend.get(cell[-1]) in open_now
        }

    def put(self, company: str, cell: Cell) -> None:
        """A price token goes under those of its cell (DO-4.4.1-b)."""
        if company in self.at:
            self.stacks[self.at[company]].remove(company)
        self.at[company] = cell
        self.stacks.setdefault(cell, []).append(company)

    def exists(self, cell: Cell) -> bool:
        row, column = cell
        return 0 <= row < len(self.grid) and 0 <= column < len(self.grid[row])

    def down(self, company: str, steps: int) -> None:
        """DO-4.4.6-a: one row for 10 %, not below the lowest cell of the column."""
        row, column = self.at[company]
        lower = row
        while lower - row < steps and self.exists((lower + 1, column)):
            lower += 1
        if lower != row:
            self.put(company, (lower, column))

    def up(self, company: str) -> None:
        """One row, not above the top."""
        row, column = self.at[company]
        if self.exists((row - 1, column)):
            self.put(company, (row - 1, column))

    def left_by(self, company: str, steps: int) -> None:
        """DO-4.5.6.3-a, R-21: to the left; at the left edge down."""
        cell = self.at[company]
        for _ in range(steps):
            row, column = cell
            then = (row, column - 1) if column else (row + 1, column)
            cell = then if self.exists(then) else cell
        if cell != self.at[company]:
            self.put(company, cell)

    def right_by(self, company: str, steps: int) -> None:
        """DO-4.5.6.3-c, -d: to the right; who was at the right end before the move goes one up (R-45)."""
        row, column = self.at[company]
        last = len(self.grid[row]) - 1
        if column == last:
            self.up(company)
        else:
            self.put(company, (row, min(last, column + steps)))

    def order(self, companies: set[str]) -> list[str]:
        """DO-4.5-a: falling price; the same price further right first; the same cell from the top of the stack."""
        return sorted(
            companies,
            key=lambda name: (-self.price(name), -self.at[name][1], self.stacks[self.at[name]].index(name)),
        )

    def director(self, company: str) -> str:
        return self.shares[company].director

    def decider(self, company: str) -> str:
        """Who decides for a railway."""
        return self.director(company)

    def directed(self, player: str) -> list[str]:
        return [name for name in self.railways if self.director(name) == player]

    def count(self, player: str) -> int:
        """DO-4.4.4-a, -d: certificates of railways; private breweries do not count."""
        return sum(shares.count(player) for shares in self.shares.values())

    def settle(self, company: str) -> None:
        """After certificates moved: change of director (DO-4.3.2.2-b), floating with five shares (DO-4.4.2-a)."""
        shares = self.shares[company]
        new = shares.overtaken(self.circle)
        if new:
            shares.hand_over(new)
        if company not in self.floated and shares.held(self.circle) >= int(self.railways[company]["float"]):
            self.floated.add(company)
            self.board.face_up.add(company)

    # ------------------------------------------------------------------ trains and phases

    @property
    def phase(self) -> str:
        """DO-4.2.1-a: named after the highest type of which a train was taken from the display."""
        return max((name for name, count in self.sold.items() if count), default="2", key=int)

    @property
    def _phase(self) -> dict[str, Any]:
        now = self.phase
        return next(row for row in sheet("game")["phase"] if row["name"] == now)

    @property
    def colour(self) -> str:
        return str(self._phase["color"])

    @property
    def train_limit(self) -> int:
        return int(self._phase["train_limit"])

    @property
    def rounds(self) -> int:
        """Operating rounds after a stock round (R-32)."""
        return int(self._phase["operating_rounds"])

    def display(self) -> list[str]:
        """Which new trains can be bought (DO-4.5.7.1-a, -b): the lowest type, and the 8 after the second 6."""
        lowest = next((name for name, count in self.left.items() if count), None)
        more = ["8"] if lowest == "6" and self.sold["6"] >= 2 and self.left["8"] else []
        return ([lowest] if lowest else []) + more

    def take_new(self, company: str, train: str) -> None:
        """A train from the display; the first of a type begins a phase (order of what follows: R-118)."""
        first = not self.sold[train]
        self.left[train] -= 1
        self.sold[train] += 1
        self.trains[company].append(train)
        if not first:
            return
        for row in sheet("game")["train"]:
            if row.get("rusts_on") == train:
                self._leave(str(row["name"]))
        if train == sheet("trg")["markers"]["turned_in"]:
            self._turn_all()
        if train == sheet("trg")["markers"]["place_free_in"]:  # DO-4.5.3-d
            for places in self.board.places.values():
                places[:] = ["" if owner == RESERVED else owner for owner in places]

    def _leave(self, old: str) -> None:
        """DO-4.5.7.3: out of the pool at once; out of the railways too, but 4-trains run once more."""
        self.gone += [old] * self.pool.count(old)
        self.pool = [train for train in self.pool if train != old]
        for company, trains in self.trains.items():
            if old in trains:
                if old in self.rules["last_run"]:
                    self.last_runs.add(company)
                else:
                    self.scrap(company, old)

    def scrap(self, company: str, old: str) -> None:
        """All trains of a type leave a railway and the game."""
        trains = self.trains[company]
        self.gone += [old] * trains.count(old)
        self.trains[company] = [train for train in trains if train != old]

    def above_limit(self) -> str:
        """The first railway in operating order that has to give up a train (DO-4.5.7-c, R-118)."""
        limit = self.train_limit
        over = {name for name in self.floated if len(self.trains[name]) > limit}
        return next(iter(self.order(over)), "")

    # ------------------------------------------------------------------ private breweries

    def _turn_all(self) -> None:
        """DO-4.3.1-d, -f: the first 6-train turns the cards; markers not assigned leave the game."""
        for name in self.brewery:
            if name not in self.turned:
                self.turned.append(name)
            if self.markers.get(name) == "":
                self.markers[name] = GONE

    def cannot_turn(self, player: str, private: str, company: str) -> str:
        """Why a player may not turn a card, which assigns its marker (DO-4.3.1-d, -e, R-26)."""
        if private not in self.brewery or self.owner[private] != player or private in self.turned:
            return "DO-4.3.1-d: not theirs, or turned before"
        if private in self.markers and company not in self.directed(player):
            return "DO-4.3.1-e: to a railway that its owner directs"
        if private not in self.markers and company:
            return "R-26: it has no marker"
        return ""

    def turn(self, private: str, company: str) -> None:
        self.turned.append(private)
        if private in self.markers:
            self.markers[private] = company

    def private_of(self, player: str) -> str:
        return next((name for name, owner in self.owner.items() if owner == player), "")

    def has_marker(self, company: str, power: str) -> bool:
        return any(
            self.markers[name] == company and self.brewery[name]["power"]["marker"] == power for name in self.markers
        )

    # ------------------------------------------------------------------ the position

    def position(self) -> dict[str, Any]:
        """All that lies there, by the frame's names."""
        board = self.board
        companies = {}
        for name, shares in self.shares.items():
            companies[name] = {
                "certificates": shares.pairs(),
                "tokens_left": self.tokens[name],
                "director": shares.director,
                "par": self.par[name],
                "price": list(self.at[name]) if name in self.at else None,
                "floated": name in self.floated,
                "active": name in self.floated,
                "operated": name in self.operated,
                "trains": sorted(self.trains[name]),
                "last_revenue": self.income.get(name),
            }
        return {
            "seats": self.seats,
            "cash": self.cash,
            "loans": self.loans,
            "companies": companies,
            "privates": self.owner,
            "stacks": {f"{row},{column}": list(stack) for (row, column), stack in self.stacks.items()},
            "board": {
                "tiles": {at: list(tile) for at, tile in board.lying.items()},
                "stations": {at: [list(places)] for at, places in board.places.items()},
                "supply": board.supply,
                "beside": board.beside,
            },
            "depot": {
                "left": self.left,
                "sold": self.sold,
                "pool": sorted(self.pool),
                "gone": sorted(self.gone),
            },
            "phase": self.phase,
            "facts": {
                "links": board.links,
                "cubes": {**self.cubes, "supply": self.stock},
                "turned": self.turned,
                "markers": self.markers,
            },
            "bank_broken": self.broken,
        }

    def worth(self, player: str) -> int:
        """DO-4.6-d: cash and certificates at their price, less twice each loan."""
        shares = sum(self.shares[name].share(player) // 10 * self.price(name) for name in self.at)
        return self.cash[player] + shares - int(self.rules["loan_factor"]) * self.loans[player]

    def pool_share(self, company: str) -> int:
        return self.shares[company].share(POOL)
