"""What lies on the table in 18DO's Heat, Sweat & Beer, as its referee keeps it: money, certificates, prices, cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from workshop.referees.do.board import Board, box, sheet
from workshop.referees.do.cubes import Cubes
from workshop.referees.whistle import Plain, Position, filled

OFFERING, POOL, REMOVED, BANK = "offering", "pool", "removed", "bank"
RAILWAY, MINOR, BREWERY = "railway", "minor", "brewery"
#: The rows of the price table (DO-5.1.2-a).
ROWS = {RAILWAY: 0, BREWERY: 1}
COLOUR = {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "brown", "8": "grey"}


class No(Exception):
    """A move is against the rules; the clause says why."""


def must(condition: object, clause: str) -> None:
    """The rule of a clause holds, or the move is refused."""
    if not condition:
        raise No(clause)


@dataclass
class Company:
    """A railway, a minor or a brewery corporation. The first certificate is the director's."""

    name: str
    kind: str
    sizes: list[int]
    holders: list[str]
    tokens: list[int] = field(default_factory=list)
    director: str = ""
    par: int = 0
    column: int | None = None
    floated: bool = False
    active: bool = False
    operated: bool = False
    closed: bool = False
    trains: list[str] = field(default_factory=list)
    last_revenue: int | None = None

    def certificates(self, holder: str) -> list[int]:
        """The sizes of what somebody holds, the director's certificate too."""
        return [size for size, owner in zip(self.sizes, self.holders, strict=True) if owner == holder]

    def ordinary(self, holder: str) -> list[int]:
        """The sizes of what somebody holds but for the director's certificate."""
        pairs = zip(self.sizes[1:], self.holders[1:], strict=True)
        return [size for size, owner in pairs if owner == holder]

    def held(self, holder: str) -> int:
        """The share of a holder."""
        return sum(self.certificates(holder))

    def move(self, size: int, source: str, target: str) -> None:
        """An ordinary certificate of a size changes hands."""
        for number in range(1, len(self.sizes)):
            if self.sizes[number] == size and self.holders[number] == source:
                self.holders[number] = target
                return
        raise AssertionError(f"{source} has no {size} % of {self.name}")

    def stack(self) -> list[int]:
        """What it owns of itself, by number, so the top of the stack first (R-52)."""
        return self.ordinary(self.name)


def sets_of(sizes: Sequence[int], percent: int) -> set[tuple[int, ...]]:
    """All ways to make up a share of certificates, largest first."""
    return {
        tuple(sorted(chosen, reverse=True))
        for count in range(1, len(sizes) + 1)
        for chosen in combinations(sizes, count)
        if sum(chosen) == percent
    }


def small_first(sizes: Sequence[int], percent: int) -> tuple[int, ...]:
    """A share of a company's own certificates where the rulebook names none: tens first."""
    return max(sets_of(sizes, percent), key=len, default=())


def fewest(sizes: Sequence[int], percent: int) -> tuple[int, ...] | None:
    """As few certificates as possible: the largest first (R-113)."""
    return min(sets_of(sizes, percent), key=len, default=None)


@dataclass
class Pause:
    """A decision that somebody has to make before the turn goes on."""

    kind: str
    player: str
    company: str
    data: dict[str, Any] = field(default_factory=dict)


class Table:
    """A position and what changes it, whoever does so."""

    def __init__(self, beginning: Plain) -> None:
        self.options = dict(beginning["options"])
        self.form = str(beginning["form"])
        self.count = len(beginning["players"])
        self.facts = sheet("hsb")
        own = self.facts["hsb"]
        number = str(self.count)
        self.numbers: dict[str, int] = {}
        self.seats = self.seated(beginning)
        self.board = self.laid_out()
        self.cubes = self.poured()
        self.companies: dict[str, Company] = {}
        for name, row in self.board.box.railways.items():
            self._company(name, RAILWAY, row, [cost for cost in row["tokens"] if cost])
        for row in self.facts["brewery"]:
            if row["id"] not in own["not_used"][number]:
                self._company(row["id"], row["kind"], row, [])
        self.minors = {row["company"]: row for row in self.facts["minor"]}
        self.cash = dict.fromkeys(self.companies, 0) | dict.fromkeys(self.seats, own["starting_cash"][number])
        self.cash[BANK] = own["bank"] - self.count * own["starting_cash"][number]
        self.loans = dict.fromkeys(self.seats, 0)
        self.limit = int(own["cert_limit"][number])
        self.share_limit = int(own["share_limit"][number])
        self.pool_limit = int(sheet("game")["title"]["pool_limit"])
        self.left: dict[str, int] = {}
        for row in self.facts["capex"]:
            self.left[row["card"]] = self.left.get(row["card"], 0) + int(row["count"][number])
        self.all = dict(self.left)
        self.pool: list[str] = []
        self.gone: list[str] = []
        self.used_up: dict[str, int] = {}
        self.equipment: dict[str, list[str]] = {}
        self.order: list[str] = []
        self.stacks: dict[tuple[int, int], list[str]] = {}
        self.failed: dict[str, int] = {}
        self.lost: dict[str, int] = {}
        self.loads: dict[str, list[list[Any]]] = {}
        self.token_used = False
        self.traded_in: list[str] = []
        self.ever: set[str] = set()
        self.dealt_minors: dict[str, str] = {}
        self.phase = "2"
        self.stock_number = 1
        self.kind = "package"
        self.bank_broken = ""
        self.priority = self.seats[0]
        self.last_run: set[str] = set()
        self.pauses: list[Pause] = []
        self.finished = ""

    def seated(self, beginning: Plain) -> list[str]:
        """The numbers of private breweries are dealt; they say where people sit (DO-6.1.6-b)."""
        dealt = {player: int(beginning["position"][f"facts.numbers.{player}"]) for player in beginning["players"]}
        self.numbers = dealt
        return sorted(dealt, key=lambda player: dealt[player])

    def laid_out(self) -> Board:
        """The map."""
        return Board(box(self.form, self.count))

    def poured(self) -> Cubes:
        """The beer market."""
        return Cubes.at_start(self.count)

    def _company(self, name: str, kind: str, row: Mapping[str, Any], tokens: list[int]) -> None:
        sizes = list(row["shares"])
        self.companies[name] = Company(name, kind, sizes, [OFFERING] * len(sizes), tokens)

    # ------------------------------------------------------------------ words

    @property
    def colour(self) -> str:
        return COLOUR[self.phase]

    @property
    def brewing(self) -> Mapping[str, Any]:
        """What the phase says of breweries."""
        return next(row for row in self.facts["brewing"] if row["phase"] == self.phase)

    @property
    def train_limit(self) -> int:
        return int(next(row for row in sheet("game")["phase"] if row["name"] == self.phase)["train_limit"])

    def of_kind(self, *kinds: str) -> list[Company]:
        return [company for company in self.companies.values() if company.kind in kinds]

    def values(self, company: Company) -> list[str]:
        return list(self.facts["market"]["rows"][ROWS[company.kind]])

    def price(self, company: Company) -> int:
        """The price of ten percent."""
        assert company.column is not None
        return int(self.values(company)[company.column].rstrip("Bygb"))

    def pars(self, company: Company) -> list[int]:
        """Starting prices: coloured cells of this or an earlier colour phase (DO-6.4.1-b)."""
        colours = {"yellow": "y", "green": "yg", "brown": "ygb", "grey": "ygb"}[self.colour]
        return [int(cell[:-1]) for cell in self.values(company) if cell[-1] in colours]

    def equipment_limit(self, company: Company) -> int:
        return int(self.brewing["minor" if company.kind == MINOR else "corporation"])

    def count_certificates(self, player: str) -> int:
        """Minors count too (DO-6.4.4-a)."""
        return sum(len(company.certificates(player)) for company in self.companies.values())

    def over_limit(self, player: str) -> bool:
        return self.count_certificates(player) > self.limit

    def holders(self) -> list[str]:
        """Who holds shares, clockwise."""
        return self.seats

    def decider(self, company: Company) -> str:
        """Who decides for a company."""
        return company.director

    def in_players_hands(self, company: Company) -> int:
        return sum(company.held(player) for player in self.holders())

    def after(self, player: str) -> list[str]:
        """Everybody else, clockwise."""
        holders = self.holders()
        at = holders.index(player)
        return holders[at + 1 :] + holders[:at]

    def pay(self, source: str, target: str, amount: int) -> None:
        """The bank goes below zero if need be, which ends nothing here and is noted nowhere (R-79)."""
        self.cash[source] -= amount
        self.cash[target] += amount

    # ------------------------------------------------------------------ prices

    def put(self, company: Company, column: int) -> None:
        """A price token comes to a cell and lies under those there (DO-4.4.1-b)."""
        row = ROWS[company.kind]
        if company.column is not None:
            self.stacks[row, company.column].remove(company.name)
        company.column = column
        self.stacks.setdefault((row, column), []).append(company.name)

    def shift(self, company: Company, steps: int) -> bool:
        """So many cells to the right, or to the left; whether the company is bankrupt now (DO-6.4.8-a, R-73)."""
        assert company.column is not None
        column = max(0, min(company.column + steps, len(self.values(company)) - 1))
        if column != company.column:
            self.put(company, column)
        if column == 0:
            self.fail(company)
            return True
        return False

    def after_dividend(self, company: Company, paid: int) -> bool:
        """DO-4.5.6.3, R-136: what is paid out, rounded, is compared with the price; whether it is bankrupt."""
        price = self.price(company)
        if paid == 0:
            return self.shift(company, -1)
        if paid < price:
            assert company.column is not None
            self.put(company, company.column)
            return False
        return self.shift(company, 2 if paid >= 3 * price else 1)

    def by_price(self, kind: str) -> list[str]:
        """Operating order: highest price first, in one cell the top of the stack (DO-4.5-a)."""
        row = ROWS[kind]
        cells = sorted((cell for cell in self.stacks if cell[0] == row), reverse=True)
        return [name for cell in cells for name in self.stacks[cell]]

    # ------------------------------------------------------------------ directors

    def swap(self, company: Company, new: str) -> None:
        """The director's certificate for equal shares of the new director, as few as possible (R-113)."""
        old = company.director
        given = fewest(company.ordinary(new), company.sizes[0])
        assert given is not None
        for size in given:
            company.move(size, new, old)
        company.holders[0] = new
        company.director = new

    def look_for_director(self, company: Company) -> None:
        """Who holds more than the director takes over (DO-4.3.2.2-b)."""
        new = self.heir(company, company.held(company.director))
        if new:
            self.swap(company, new)

    def heir(self, company: Company, keeps: int) -> str:
        """Who becomes director if the director keeps so much: the largest holder, the next one in order."""
        others = self.after(company.director)
        best = max(others, key=lambda player: company.held(player))
        return best if company.held(best) > keeps else ""

    # ------------------------------------------------------------------ founding, floating, failing

    def establish(self, company: Company, player: str, par: int) -> None:
        """The founder gets the director's certificate, the company the others (DO-4.4.1-c)."""
        company.director = player
        company.par = par
        company.holders = [REMOVED if owner == REMOVED else company.name for owner in company.holders]
        company.holders[0] = player
        self.put(company, next(n for n, cell in enumerate(self.values(company)) if cell[:-1] == str(par)))
        self.ever.add(company.name)
        self.token_at_founding(company)

    def token_at_founding(self, company: Company) -> None:
        """A new brewery's order token is laid last (DO-6.4.1-c)."""
        if company.kind == BREWERY:
            self.order.append(company.name)

    def look_for_floating(self, company: Company) -> None:
        """Five shares with players (DO-6.4.2-a)."""
        if company.director and not company.floated and self.in_players_hands(company) >= 50:
            self.float(company)

    def float(self, company: Company) -> None:
        """It is in business; in brown and grey its director may sell some of its shares at once (DO-6.4.2-b)."""
        company.floated = company.active = True
        if company.kind == RAILWAY:
            self.board.face_up.add(company.name)
        room = self.pool_limit - company.held(POOL)
        if self.colour in ("brown", "grey") and any(size <= room for size in company.stack()[:1]):
            self.pauses.append(Pause("float_sale", self.decider(company), company.name))

    def own_sales(self, company: Company) -> list[int]:
        """Which of its certificates a company may sell: one of them, whichever it likes (rulebook 4.5, 6.5.2.1)."""
        return sorted(set(company.stack()))

    def fail(self, company: Company) -> None:
        """A company is bankrupt (DO-6.4.8-a, -b, R-77, R-123)."""
        name = company.name
        company.holders = [REMOVED if owner == REMOVED else OFFERING for owner in company.holders]
        if company.kind == BREWERY and REMOVED not in company.holders:
            for _ in range(2):
                company.move(10, OFFERING, REMOVED)
        self.pay(name, BANK, self.cash[name])
        self.gone += company.trains
        company.trains = []
        company.director, company.par = "", 0
        company.floated = company.active = company.operated = False
        company.last_revenue = None
        self.failed[name] = self.stock_number
        if company.kind == BREWERY:
            self.order = [other for other in self.order if other != name]
            self.use_up(name, list(self.equipment.pop(name, [])))
        else:
            self.last_run.discard(name)
            self.cubes.stock += sum(cubes for _, cubes in self.loads.pop(name, []))
            for at, places in self.board.places.items():
                if self.board.box.printed[at].home != name and name in places:
                    places[places.index(name)] = ""
                    self.lost[name] = self.lost.get(name, 0) + 1
            self.board.face_up.discard(name)
            if name == sheet("game")["abilities"]["free_coal_link"]:
                self.token_used = False
        self.pauses = [pause for pause in self.pauses if pause.company != name]

    # ------------------------------------------------------------------ cards and equipment

    def use_up(self, name: str, kinds: Sequence[str]) -> None:
        """Equipment leaves the game."""
        for kind in kinds:
            self.used_up[kind] = self.used_up.get(kind, 0) + 1
            if name in self.equipment:
                self.equipment[name].remove(kind)

    def on_display(self) -> list[str]:
        """What may be taken: the lowest type; type 8 as well once two of type 6 are gone (DO-6.2.1-e)."""
        kinds = [kind for kind in self.left if self.left[kind]]
        first = kinds[:1]
        if first == ["6"] and self.all["6"] - self.left["6"] >= 2 and self.left["8"]:
            first.append("8")
        return first

    def card_price(self, kind: str) -> int:
        return int(next(row for row in sheet("game")["train"] if row["name"] == kind)["price"])

    def take(self, kind: str) -> None:
        """A card leaves the display; the first of its type begins a phase (DO-6.2.1-a)."""
        first = self.left[kind] == self.all[kind]
        self.left[kind] -= 1
        if first and kind != "2":
            self.begin_phase(kind)

    def begin_phase(self, kind: str) -> None:
        """R-118: trains leave, the beer market changes, then limits; where all trains are alike there is no choice."""
        self.phase = kind
        self.rust(kind)
        self.change_market()
        self.look_at_limits()

    def rust(self, kind: str) -> None:
        """Trains that leave when the first card of a type does; some have a last run (DO-4.5.7.3-b)."""
        rusting = [row["name"] for row in sheet("game")["train"] if row.get("rusts_on") == kind]
        for train in rusting:
            self.gone += [other for other in self.pool if other == train]
            self.pool = [other for other in self.pool if other != train]
            for company in self.of_kind(RAILWAY):
                if train in self.facts["hsb"]["last_run"]:
                    if train in company.trains:
                        self.last_run.add(company.name)
                    continue
                self.gone += [other for other in company.trains if other == train]
                company.trains = [other for other in company.trains if other != train]

    def look_at_limits(self) -> None:
        """Equipment and trains above the limits of a phase."""
        for name in self.brewers():
            self.look_at_equipment(self.companies[name])
        for name in self.by_price(RAILWAY):
            company = self.companies[name]
            while len(company.trains) > self.train_limit and len(set(company.trains)) == 1:
                self.pool.append(company.trains.pop())
            if len(company.trains) > self.train_limit:
                self.pauses.append(Pause("discard", self.decider(company), name))

    def change_market(self) -> None:
        """The beer market of the new phase."""
        self.cubes.phase(self.brewing)

    def brewers(self) -> list[str]:
        """All breweries with equipment, those without an order token last."""
        return [*self.order, *(name for name in self.equipment if name not in self.order)]

    def look_at_equipment(self, company: Company) -> None:
        """Equipment above the limit leaves by choice; where all is alike, at once (DO-6.5.2.2-b)."""
        owned = self.equipment.get(company.name, [])
        while len(owned) > self.equipment_limit(company) and len(set(owned)) == 1:
            self.use_up(company.name, owned[:1])
        if len(owned) > self.equipment_limit(company):
            self.pauses.append(Pause("surplus_equipment", self.decider(company), company.name))

    # ------------------------------------------------------------------ how it stands

    def position(self) -> Position:
        """Everything by name."""
        companies = {
            name: {
                "certificates": sorted(map(list, zip(company.sizes, company.holders, strict=True))),
                "tokens_left": company.tokens,
                "director": company.director,
                "par": company.par,
                "price": None if company.column is None else [ROWS[company.kind], company.column],
                "floated": company.floated,
                "active": company.active,
                "operated": company.operated,
                "closed": company.closed,
                "trains": sorted(company.trains),
                "last_revenue": company.last_revenue,
            }
            for name, company in self.companies.items()
        }
        return filled(
            {
                "seats": self.seats,
                "priority": self.priority,
                "cash": self.cash,
                "loans": self.loans,
                "companies": companies,
                "stacks": {f"{row},{column}": names for (row, column), names in self.stacks.items()},
                "board": {
                    "tiles": {at: list(tile) for at, tile in self.board.lying.items()},
                    "stations": {at: [places] for at, places in self.board.places.items()},
                    "supply": self.board.supply,
                    "beside": self.board.beside,
                },
                "depot": {
                    "left": self.left,
                    "sold": {kind: self.all[kind] - left for kind, left in self.left.items()},
                    "pool": sorted(self.pool),
                    "gone": sorted(self.gone),
                },
                "phase": self.phase,
                "facts": {
                    "beer": self.cubes.facts(),
                    "equipment": {name: sorted(kinds, reverse=True) for name, kinds in self.equipment.items()},
                    "dealt": self.dealt_minors,
                    "failed": self.failed,
                    "links": self.board.links,
                    "loads": {name: sorted(loads) for name, loads in self.loads.items()},
                    "lost": self.lost,
                    "numbers": self.numbers,
                    "order": self.order,
                    "token_used": self.token_used,
                    "traded_in": self.traded_in,
                    "used_up": self.used_up,
                },
                "bank_broken": self.bank_broken,
                "finished": self.finished,
            }
        )

    def scores(self) -> dict[str, int]:
        """DO-6.6-a: cash, certificates at their price, a minor at its printed price, less twice each loan."""
        result = {}
        for player in self.seats:
            worth = self.cash[player] - int(self.facts["hsb"]["loan_factor"]) * self.loans[player]
            for company in self.of_kind(RAILWAY, BREWERY):
                if company.held(player):
                    worth += company.held(player) * self.price(company) // 10
            worth += sum(row["price"] for name, row in self.minors.items() if self.companies[name].director == player)
            result[player] = worth
        return result
