"""The railway rounds of Heat, Sweat & Beer as its referee reads them (rulebook 4.5, 6.5.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from workshop.referees.do.board import apart, sheet
from workshop.referees.do.hsb_money import Goal, Raising
from workshop.referees.do.hsb_table import BANK, POOL, RAILWAY, Company, Pause, must
from workshop.referees.whistle import Plain

#: The steps of a railway's turn (DO-4.5-b); the first only for some, in their first turn (DO-4.3.2.1-a).
STEPS = ("early", "track", "station", "link", "run", "dividend", "trains")


def loaded(label: str) -> tuple[str, int]:
    """A train as it is named: its type, and the cubes on it (`6+2`)."""
    kind, _, cubes = label.partition("+")
    must(cubes.isdigit() or not cubes, "DO-6.5.1-f: no such train")
    return kind, int(cubes or 0)


class RailwayRounds(Raising):
    """Track, stations, links, runs and trains."""

    def __init__(self, beginning: Plain) -> None:
        self.acting_order: list[str] = []
        self.new_cards: list[str] = []
        self.revenue = 0
        #: Trains that somebody did not sell at a price in this turn.
        self.declined: dict[tuple[str, str], int] = {}
        super().__init__(beginning)

    # ------------------------------------------------------------------ the course of a turn

    def begin_turn(self, name: str) -> None:
        """A company's turn."""
        self.actor = name
        self.dealt = False
        self.goals = None
        self.new_cards = []
        self.revenue = 0
        self.declined = {}

    def railway_step_empty(self, company: Company) -> bool:
        """Whether a step has nothing to decide but perhaps the certificate deal."""
        match self.step:
            case "early":
                early = company.name in sheet("game")["abilities"]["early_train"] and not company.operated
                return not early or not self.new_trains(company)
            case "track":
                return not self.board.could_lay([company.name], self.colour, self.cash)
            case "station":
                return not any(True for _ in self.free_places(company))
            case "link":
                return not any(not self.unlinkable(company, at) for at in self.board.locations())
            case "run":
                return not self.can_run(company)
            case "dividend":
                return self.revenue == 0
            case _:
                return not self.could_buy_train(company)

    # ------------------------------------------------------------------ track, stations, links

    def lay_tile(self, player: str, move: Plain, really: bool) -> None:
        """One tile, its cost from the treasury (DO-4.5-c, DO-4.5.1-b, DO-4.5.2-a, -b)."""
        company = self.acting(player, move)
        must(self.step == "track", "DO-4.5-b: tiles first, one in a turn")
        must(not move["private"], "DO-6.3.1-a: no private brewery")
        at, tile, rotation = move["hex"], move["tile"], move["rotation"]
        fault = self.board.unfit(at, tile, rotation, self.colour)
        must(not fault, fault)
        must(self.board.lengthens(company.name, at, tile, rotation), "DO-4.5.1-b: lengthens no route")
        cost = self.board.cost(at)
        must(cost <= self.cash[company.name], "DO-4.5.2-b: money")
        if really:
            self.pay(company.name, BANK, cost)
            self.board.lay(at, tile, rotation)
            self.next_step()

    def free_places(self, company: Company) -> Iterator[str]:
        """Where a railway may build its next station (DO-4.5.3-a, -b, -e)."""
        if company.tokens and company.tokens[0] <= self.cash[company.name]:
            for at in self.board.places:
                if (
                    self.board.free(at) is not None
                    and company.name not in self.board.places[at]
                    and self.board.reaches(company.name, at)
                ):
                    yield at

    def place_station(self, player: str, move: Plain, really: bool) -> None:
        """One station in a turn."""
        company = self.acting(player, move)
        must(self.step in ("track", "station"), "DO-4.5-b: after the tile, before the link")
        must(self.step == "station", "DO-4.5-b: the tile is skipped first")
        must(not move["private"] and move["stop"] == 0, "DO-4.5.3-a: no such place")
        must(move["hex"] in set(self.free_places(company)), "DO-4.5.3-a, -b: no free place, no route or no money")
        if really:
            places = self.board.places[move["hex"]]
            places[places.index("")] = company.name
            self.pay(company.name, BANK, company.tokens.pop(0))
            self.next_step()

    def free_link(self, company: Company, at: str) -> bool:
        """KWE's coal token (DO-4.3.2.1-b, R-62)."""
        game = sheet("game")
        first = company.name == game["abilities"]["free_coal_link"] and not self.token_used
        return first and at in game["locations"]["coal"] and not self.board.links.get(at)

    def unlinkable(self, company: Company, at: str) -> str:
        """Why no link can be made or extended there; nothing if it can."""
        cost = 0 if self.free_link(company, at) else int(sheet("game")["locations"]["cost"])
        if cost > self.cash[company.name]:
            return "DO-6.5.1-b: money"
        return self.board.unlinkable(company.name, at, self.colour)

    def link_location(self, player: str, move: Plain, really: bool) -> None:
        """30 Mark, a card of the display, and its cubes (DO-6.5.1-b to -e)."""
        company = self.acting(player, move)
        must(self.step == "link", "DO-4.5-b: after tile and station, before the run")
        fault = self.unlinkable(company, move["hex"])
        must(not fault, fault)
        if not really:
            return
        at = move["hex"]
        if self.free_link(company, at):
            self.token_used = True
        else:
            self.pay(company.name, BANK, int(sheet("game")["locations"]["cost"]))
        self.board.links[at] = self.board.next_link(at)
        row = self.link_card()
        if row:
            kind = row["card"]
            self.gone.append(kind)
            # A new phase begins before the cubes of its card are laid.
            self.take(kind)
            self.cubes.linked(int(kind), row)
        self.next_step()

    def link_card(self) -> dict[str, Any] | None:
        """The next card that a link removes: 2A before 2B, never an 8 (R-63, R-75)."""
        taken = {kind: self.all[kind] - left for kind, left in self.left.items()}
        for row in self.facts["capex"]:
            kind, count = row["card"], int(row["count"][str(self.count)])
            if taken[kind] < count:
                return row if row.get("link", True) else None
            taken[kind] -= count
        return None

    # ------------------------------------------------------------------ runs

    def labels(self, company: Company) -> list[str]:
        """Its trains as they are named, with the cubes on them."""
        trains = list(company.trains)
        names = []
        for kind, cubes in self.loads.get(company.name, []):
            trains.remove(kind)
            names.append(f"{kind}+{cubes}")
        return [*trains, *names]

    def through(self, company: Company) -> list[str]:
        """HHW's trains run through full steel mills (DO-4.3.2.1-c)."""
        game = sheet("game")
        return game["locations"]["steel"] if company.name == game["abilities"]["through_steel"] else []

    def export(self, path: Sequence[str]) -> bool:
        """Dortmund City and a red field (DO-6.5.1-f)."""
        stops = self.board.stops(path)
        return sheet("game")["city"]["hex"] in stops and any(self.board.face(at).red for at in stops)

    def bonus(self, company: Company) -> dict[str, int]:
        """What a cube earns at each red field (DO-6.5.1-g)."""
        return dict(sheet("game")["export"]["bonus"])

    def can_run(self, company: Company) -> bool:
        """Whether some train has a route."""
        return any(self.has_route(company, kind, []) for kind in set(company.trains))

    def ways_of(self, company: Company, kind: str) -> Iterator[tuple[str, ...]]:
        """Every route of a train."""
        return self.board.routes(company.name, int(kind), self.through(company))

    def has_route(self, company: Company, kind: str, others: Sequence[Sequence[str]]) -> bool:
        """Whether a train could run beside the others."""
        taken = [self.board.pieces(path) for path in others]
        used = frozenset[tuple[str, str]]().union(*taken)
        routes = self.board.routes(company.name, int(kind), self.through(company))
        return any(not self.board.pieces(path) & used for path in routes)

    def exports(self, company: Company, kinds: Sequence[str]) -> int:
        """How many of these trains can run an export route at once."""
        if not kinds:
            return 0
        paths = {kind: self.export_ways(company, kind) for kind in set(kinds)}
        best = 0
        for order in set(permutations(kinds)):
            best = max(best, self._together(order, paths, frozenset()))
            if best == len(kinds):
                break
        return best

    def export_ways(self, company: Company, kind: str) -> list[frozenset[tuple[str, str]]]:
        """The track of every export route of a train, the shortest first."""

        def search() -> list[frozenset[tuple[str, str]]]:
            ways = self.board.routes(company.name, int(kind), self.through(company))
            # Each route comes in both directions.
            found = {self.board.pieces(path) for path in ways if path[0] < path[-1] and self.export(path)}
            return sorted(found, key=len)

        return self.board.known(("export", company.name, kind), search)

    def _together(
        self,
        kinds: Sequence[str],
        paths: dict[str, list[frozenset[tuple[str, str]]]],
        used: frozenset[tuple[str, str]],
    ) -> int:
        """The most of these trains, in this order, that have separate routes."""
        if not kinds:
            return 0
        best = 0
        for pieces in paths[kinds[0]]:
            if not pieces & used:
                best = max(best, 1 + self._together(kinds[1:], paths, used | pieces))
                if best == len(kinds):
                    return best
        return max(best, self._together(kinds[1:], paths, used))

    def run(self, player: str, move: Plain, really: bool) -> None:
        """Every train that can must run; loaded ones to a red field by Dortmund City (DO-4.5.5-a, -b, R-117, R-120)."""
        company = self.acting(player, move)
        must(self.step == "run", "DO-4.5-b: after links, before the dividend")
        free = self.labels(company)
        exported = 0
        paths = []
        must(move["routes"], "DO-4.5.5-a: no train runs")
        for route in move["routes"]:
            kind, cubes = loaded(route["train"])
            self.runs_as(route["train"], free)
            must(not cubes or self.export(route["path"]), "DO-6.5.1-f: a loaded train runs to a red field by the City")
            fault = self.board.faulty(company.name, route["path"], int(kind), self.through(company))
            must(not fault, fault)
            exported += bool(cubes) and self.export(route["path"])
            paths.append(route["path"])
        must(apart([self.board.pieces(path) for path in paths]), "DO-4.5.5-b: routes share track")
        must(not free or not self.more_can_run(company, move, free), "DO-4.5.5-a: a train that can run stands still")
        full = [kind for kind, _ in self.loads.get(company.name, [])]
        must(exported == self.exports(company, full), "DO-6.5.1-f: as many loaded trains as can run export routes")
        if really:
            self.revenue = sum(self.worth(company, route) for route in move["routes"])
            self.after_run(company)
            self.next_step()

    def more_can_run(self, company: Company, move: Plain, free: list[str]) -> bool:
        """Whether more trains could run, beside these routes or if others were chosen (R-117)."""
        paths = [route["path"] for route in move["routes"]]
        if any(self.has_route(company, loaded(label)[0], paths) for label in free):
            return True
        labels = self.labels(company)
        full = [label for label in labels if loaded(label)[1]]
        # As many loaded trains as can must run an export route, whatever that leaves to the others.
        count = self.exports(company, [loaded(label)[0] for label in full])
        return any(self.more_beside(company, labels, laden, len(paths)) for laden in set(combinations(full, count)))

    def more_beside(self, company: Company, labels: Sequence[str], laden: Sequence[str], count: int) -> bool:
        """Whether more than so many trains could run when these loaded ones run export routes."""
        routes = {}
        names = list(labels)
        for label in laden:
            names[names.index(label)] = f"{label} laden"
        for name in set(names):
            ways = self.ways_of(company, loaded(name.removesuffix(" laden"))[0])
            fit = (path for path in ways if not name.endswith("laden") or self.export(path))
            routes[name] = sorted(set(map(self.board.pieces, fit)), key=len)
        due = Counter(name for name in names if name.endswith("laden"))
        orders = {order for order in permutations(names, count + 1) if not due - Counter(order)}
        return any(self._together(order, routes, frozenset()) > count for order in orders)

    def runs_as(self, label: str, free: list[str]) -> None:
        """Take a train from those that are left; one without an export route may leave its beer behind (R-120)."""
        names = [name for name in free if name == label or ("+" not in label and name.startswith(f"{label}+"))]
        must(names, "DO-6.5.1-f: no such train")
        free.remove(min(names, key=len))

    def worth(self, company: Company, route: Plain) -> int:
        """Income hexes, and for each cube the bonus of the better red field (DO-4.5.6.1-a, DO-6.5.1-g)."""
        stops = self.board.stops(route["path"])
        value = sum(self.board.income(at, company.name, self.colour) for at in stops)
        _, cubes = loaded(route["train"])
        if cubes and self.export(route["path"]):
            value += cubes * max(self.bonus(company).get(at, 0) for at in stops)
        return value

    def after_run(self, company: Company) -> None:
        """Cubes go to the stock, 4-trains on their last run leave (DO-6.5.1-g, R-66, DO-4.5.7.3-b)."""
        company.last_revenue = self.revenue
        self.cubes.stock += sum(cubes for _, cubes in self.loads.pop(company.name, []))
        if company.name in self.last_run:
            self.last_run.discard(company.name)
            for kind in self.facts["hsb"]["last_run"]:
                self.gone += [train for train in company.trains if train == kind]
                company.trains = [train for train in company.trains if train != kind]

    def pay_out(self, company: Company, paid: int) -> None:
        """Each share its part; the company's own to its treasury, the pool's to nobody (DO-4.5.6.2-b, -c)."""
        whole = paid - paid % int(self.facts["hsb"]["rounded"])
        self.pay(BANK, company.name, paid - whole)
        for holder in [*self.holders(), company.name]:
            self.pay(BANK, holder, whole * company.held(holder) // 100)
        if self.after_dividend(company, whole):
            self.company_over()

    def keep(self, company: Company, amount: int) -> None:
        """Nothing is paid out: the price falls (DO-4.5.6.3-a)."""
        self.pay(BANK, company.name, amount)
        if self.after_dividend(company, 0):
            self.company_over()

    # ------------------------------------------------------------------ trains

    def may_take_new(self, kind: str) -> bool:
        """In yellow two cards in a turn, then one (DO-4.5.7.1-c, -d)."""
        return len(self.new_cards) < int(self.brewing["cards"])

    def new_trains(self, company: Company) -> list[str]:
        """New trains that the treasury pays."""
        if len(company.trains) >= self.train_limit:
            return []
        purse = self.cash[company.name]
        return [kind for kind in self.on_display() if self.card_price(kind) <= purse and self.may_take_new(kind)]

    def sellers(self, company: Company) -> list[tuple[str, str]]:
        """Trains of other railways: not loaded ones (R-67), not those on their last run (DO-4.5.7.3-b)."""
        result = []
        for other in self.of_kind(RAILWAY):
            if other is company or not other.floated:
                continue
            empty = list(other.trains)
            for kind, _ in self.loads.get(other.name, []):
                empty.remove(kind)
            if other.name in self.last_run:
                empty = [kind for kind in empty if kind not in self.facts["hsb"]["last_run"]]
            result += [(other.name, kind) for kind in sorted(set(empty))]
        return result

    def could_buy_train(self, company: Company) -> bool:
        """Whether there is anything to buy, or money to be raised for it."""
        if not company.trains and self.on_display():
            return True
        if len(company.trains) >= self.train_limit:
            return False
        if self.new_trains(company):
            return True
        if any(self.card_price(kind) <= self.cash[company.name] for kind in self.pool):
            return True
        return self.cash[company.name] > 0 and bool(self.sellers(company))

    def buy_train(self, player: str, move: Plain, really: bool) -> None:
        """New, from the pool, or from another railway (DO-4.5.7.1, DO-4.5.7.2, DO-4.5.7.5)."""
        company = self.acting(player, move)
        must(self.step in ("early", "trains"), "DO-4.5-b: at the end of the turn")
        kind, source, price = move["train"], move["source"], move["price"]
        must(len(company.trains) < self.train_limit, "DO-4.5.7-b: train limit")
        goal = Goal(kind, source, price)
        if source == BANK:
            must(kind in self.on_display(), "DO-4.5.7.1-a: not on display")
            must(price == self.card_price(kind), "DO-4.5.7.1-a: printed price")
            must(self.may_take_new(kind), "DO-4.5.7.1-c: new trains of a turn")
            self.may_pay(company, goal)
            if really:
                self.spend(company, price)
                company.trains.append(kind)
                self.new_cards.append(kind)
                self.take(kind)
                self.bought_train()
        elif source == POOL:
            must(self.step == "trains", "R-44: new trains only")
            must(kind in self.pool, "DO-4.5.7-c: not in the pool")
            must(price == self.card_price(kind), "DO-4.5.7-c: printed price")
            self.may_pay(company, goal)
            if really:
                self.spend(company, price)
                self.pool.remove(kind)
                company.trains.append(kind)
                self.bought_train()
        else:
            must(self.step == "trains", "R-44: new trains only")
            must((source, kind) in self.sellers(company), "DO-4.5.7.2-a: no such train")
            must(1 <= price <= self.cash[company.name], "DO-4.5.7.2-a: at least 1 Mark, from the treasury")
            must(self.goals is None, "DO-4.5.7.5-a: a forced purchase has begun")
            # How people bargain is not in the rulebook: nobody is asked again for as little as they declined.
            must(price > self.declined.get((source, kind), 0), "declined in this turn")
            if really:
                seller = self.companies[source].director
                if seller == player:
                    self.hand_train(company, source, kind, price)
                else:
                    data = {"train": kind, "seller": source, "price": price, "buyer": player}
                    self.pauses.append(Pause("train_sale", seller, company.name, data))

    def may_pay(self, company: Company, goal: Goal) -> None:
        """From the treasury, or by force when the railway has no train."""
        enough = goal.price <= self.cash[company.name] and (self.goals is None or goal in self.goals)
        if self.step == "early":
            must(enough, "DO-4.5.7-a: treasury")
        else:
            must(enough or self.may_force(company, goal), "DO-4.5.7-a, DO-4.5.7.5-b: money")

    def hand_train(self, company: Company, seller: str, kind: str, price: int) -> None:
        self.pay(company.name, seller, price)
        self.companies[seller].trains.remove(kind)
        company.trains.append(kind)
        self.bought_train()

    def bought_train(self) -> None:
        self.goals = None
        if self.step == "early":
            self.next_step()

    def answer_train(self, pause: Pause, move: Plain, really: bool) -> None:
        """A director agrees, declines or names another price (DO-4.5.7.2-a)."""
        data, company = pause.data, self.companies[pause.company]
        if move["reply"] == "counter":
            # A seller asks for more than was offered, a buyer offers less than was asked for.
            asked = pause.player == self.companies[data["seller"]].director
            low, high = (data["price"] + 1, self.cash[company.name]) if asked else (1, data["price"] - 1)
            must(low <= move["price"] <= high, "DO-4.5.7.2-a: a price from 1 Mark to the treasury")
        else:
            must(move["reply"] in ("accept", "decline"), "no such answer")
            must(move["price"] in (0, data["price"]), "another price is a counter")
        if not really:
            return
        self.pauses.remove(pause)
        if move["reply"] == "accept":
            self.hand_train(company, data["seller"], data["train"], data["price"])
        elif move["reply"] == "decline":
            train = (data["seller"], data["train"])
            if pause.player == self.companies[data["seller"]].director:
                self.declined[train] = max(data["price"], self.declined.get(train, 0))
        else:
            # Who goes on talking may name any price again.
            self.declined.pop((data["seller"], data["train"]), None)
            other = self.companies[data["seller"]].director
            other = data["buyer"] if pause.player == other else other
            data = {**data, "price": move["price"]}
            self.pauses.insert(0, Pause("train_sale", other, company.name, data))

    def discard_train(self, player: str, move: Plain, really: bool) -> None:
        """A train above the limit goes to the pool (DO-4.5.7-c)."""
        pause = self.pauses[0]
        company = self.companies[pause.company]
        must(move["company"] == company.name, "DO-4.5.7-c: another company")
        must(move["train"] in company.trains, "DO-4.5.7-c: no such train")
        if really:
            company.trains.remove(move["train"])
            self.pool.append(move["train"])
            if len(company.trains) <= self.train_limit:
                self.pauses.remove(pause)

    def trains_pass(self, company: Company) -> None:
        """A railway must own a train at the end of its turn (DO-4.5.7.4-a)."""
        must(company.trains or not self.on_display(), "DO-4.5.7.4-a: it must buy a train")

    def next_step(self) -> None:
        raise NotImplementedError
