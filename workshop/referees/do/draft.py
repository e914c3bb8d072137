"""The referee of 18DO's Heat, Sweat & Beer by the draft of January 2020: what it has otherwise (rows DOD-…)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from workshop.referees.do.board import Board, TooMuch, Way, apart, beyond, box, sheet
from workshop.referees.do.cubes import CUSTOMERS, Cubes, Place, price
from workshop.referees.do.hsb import HeatSweatBeer
from workshop.referees.do.hsb_rail import loaded
from workshop.referees.do.hsb_table import OFFERING, POOL, RAILWAY, Company, must, sets_of
from workshop.referees.whistle import Plain, Position, filled

#: Behind the name of a loaded train: it runs through full hexes (DOD-5.6.1.4-b).
BLOCKED = "!"


class DraftBoard(Board):
    """Plain hexes may be crossed twice on separate tracks (DOD-5.6.1.4-c)."""

    def _marks(self, way: Way) -> frozenset[str]:
        """What may come but once on a way: the joint by which a hex is entered, and an income hex or destination."""
        at, side = way
        there = beyond(at, side)
        marks = {f"{min(at, there)}-{max(at, there)}"}
        if self.face(at).kind:
            marks.add(self.box.groups.get(at, at))
        return frozenset(marks)

    def _ways(self, railway: str) -> tuple[set[Way], set[Way]]:
        """All ways into hexes from own tokens, by the marks that they leave behind."""
        sure: dict[Way, frozenset[str]] = {}
        queue = []
        for home, way in self._starts(railway):
            sure.setdefault(way, self._marks(way) | {self.box.groups.get(home, home)})
            queue.append(way)
        for way in queue:
            for then in self.onward(way, railway):
                if then not in sure and not self._marks(then) & sure[way]:
                    sure[then] = sure[way] | self._marks(then)
                    queue.append(then)
        maybe = {way for _, way in self._starts(railway)}
        more = list(maybe)
        for way in more:
            for then in self.onward(way, railway):
                if then not in maybe:
                    maybe.add(then)
                    more.append(then)
        return set(sure), maybe - set(sure)

    def _search(self, railway: str, goals: set[Way]) -> bool:
        """Every way that leaves no mark twice, until one of the goals is met."""
        stack = [(way, frozenset((self.box.groups.get(home, home),))) for home, way in self._starts(railway)]
        steps = 0
        while stack:
            way, passed = stack.pop()
            steps += 1
            if steps > 300_000:
                raise TooMuch
            marks = self._marks(way)
            if marks & passed:
                continue
            if way in goals:
                return True
            stack += [(further, passed | marks) for further in self.onward(way, railway)]
        return False

    def faulty(self, railway: str, path: Sequence[str], reach: int, through: Collection[str] = ()) -> str:
        """Two red fields alone are no route (DOD-5.6.1.4-a); plain hexes may come twice, no joint may."""
        hexes = [stop.partition(":")[0] for stop in path]
        if any(at not in self.box.printed for at in hexes):
            return "DO-3.2.2-a: no such hex"
        plain = [at for at in hexes if not self.face(at).kind]
        if len(set(plain)) == len(plain):
            fault = super().faulty(railway, path, reach, through)
        else:
            fault = self._faulty_twice(railway, path, hexes, reach, through)
        stops = [at for at in hexes if self.face(at).kind]
        if not fault and len(stops) == 2 and all(self.face(at).red for at in stops):
            return "DOD-5.6.1.4-a: two red fields only"
        return fault

    def _faulty_twice(
        self, railway: str, path: Sequence[str], hexes: list[str], reach: int, through: Collection[str]
    ) -> str:
        """A route that crosses a plain hex again: it must be among all that can be run."""
        if len(self.pieces(path)) < len(hexes) - 1:
            return "DO-3.2.2-e: track twice"
        return "" if tuple(path) in set(self.routes(railway, reach, through)) else "DO-3.2.2-a: no such route"

    def routes(
        self, railway: str, reach: int, through: Collection[str] = (), most: int = 400_000
    ) -> Iterator[tuple[str, ...]]:
        """Every route that a train of a railway may run, each in both directions."""
        faces = {at: self.face(at) for at in self.box.printed}
        tokens = {at: self.has_token(railway, at) for at in faces}
        ends = {at: faces[at].red or (self.full(at, railway) and at not in through) for at in faces}
        #: What a way into a hex leaves behind.
        left: dict[Way, frozenset[str]] = {}
        steps = 0
        for start, face in self.box.printed.items():
            if not face.kind or not faces[start].spokes:
                continue
            own = tokens[start]
            marks = frozenset((self.box.groups.get(start, start),))
            begun: tuple[str, ...] = (start,)
            stack = [(begun, way, 1, own, marks) for way in self._across(start, faces[start].spokes)]
            while stack:
                path, way, stops, own, marks = stack.pop()
                steps += 1
                if steps > most:
                    raise TooMuch
                if way not in left:
                    left[way] = self._marks(way)
                if left[way] & marks:
                    continue
                at, side = way
                marks = marks | left[way]
                face = faces[at]
                longer = (*path, at)
                if side in face.spokes:
                    here = own or tokens[at]
                    red = faces[start].red and face.red and stops == 1
                    if here and not red:
                        yield tuple(f"{passed}:a" if faces[passed].kind else passed for passed in longer)
                    if not ends[at] and stops + 1 < reach:
                        out = self._across(at, face.spokes - {side})
                        stack += [(longer, then, stops + 1, here, marks) for then in out]
                for rail in face.rails:
                    if side in rail:
                        stack += [(longer, then, stops, own, marks) for then in self._across(at, rail - {side})]


class DraftCubes(Cubes):
    """Cubes for a link come from the cheapest demand of any segment (DOD-5.6.1.3-a)."""

    def for_link(self, place: Place) -> bool:
        if self.stock:
            self.stock -= 1
        else:
            giver = next((other for other in self.cheapest_first() if self.demand[other]), None)
            if giver is None:
                return False
            self.demand[giver] -= 1
        self.demand[place] += 1
        return True


class Draft(HeatSweatBeer):
    """Heat, Sweat & Beer as it was in January 2020."""

    board: DraftBoard

    def __init__(self, beginning: Plain) -> None:
        self.draft = sheet("draft")["draft"]
        #: Railways that have floated at some time; equipment that had no use; what is loaded and given up in a turn.
        self.floated_once: set[str] = set()
        self.idle: dict[str, Counter[str]] = {}
        self.loaded_units: Counter[str] = Counter()
        self.leaving: Counter[str] = Counter()
        self.given_up = 0
        super().__init__(beginning)

    @property
    def leaves(self) -> Mapping[str, str]:
        return {**super().leaves, "facts.traded_in": "who was founded for a minor means nothing in the draft"}

    # ------------------------------------------------------------------ preparation

    def seated(self, beginning: Plain) -> list[str]:
        """The order of the starting round is drawn (DOD-5.1.5-a)."""
        return list(beginning["position"]["seats"])

    def laid_out(self) -> Board:
        return DraftBoard(box(self.form, self.count))

    def poured(self) -> Cubes:
        return DraftCubes.at_start(self.count)

    def position(self) -> Position:
        idle = {name: sorted(kinds.elements(), reverse=True) for name, kinds in self.idle.items()}
        return super().position() | filled({"facts": {"idle": idle}})

    # ------------------------------------------------------------------ stock rounds

    def available(self, company: Company) -> bool:
        """DGEE waits for four railways to float (DOD-3.1-b), others for DGEE to be founded."""
        if company.name == self.draft["waits"]:
            return len(self.floated_once) >= int(self.draft["floated"])
        return super().available(company)

    def float(self, company: Company) -> None:
        """The order token is placed now, last, unless it has a place already (DOD-5.5.5-a)."""
        if company.kind == RAILWAY:
            self.floated_once.add(company.name)
        elif company.name not in self.order:
            self.order.append(company.name)
        super().float(company)

    def token_at_founding(self, company: Company) -> None:
        """No token yet."""

    def founds_for(self, minor: Company) -> int:
        """10 %, Quellen too (DOD-5.5.4-a)."""
        return int(self.draft["founds_for"])

    def float_traded_in(self) -> None:
        """Nothing floats by the pool (DOD-5.5.4-a)."""

    def offer_place(self, company: Company, source: str, order: list[str]) -> None:
        """At founding the minor's place is taken without a choice (DOD-5.5.5-a)."""
        if source == OFFERING:
            self.order = order
        else:
            super().offer_place(company, source, order)

    def make_trade(
        self, player: str, minor: Company, company: Company, source: str, size: int, par: int, cost: int
    ) -> None:
        """Idle equipment stays idle with its new owner."""
        idle = self.idle.pop(minor.name, Counter())
        if source != POOL and idle:
            self.idle[company.name] = self.idle.get(company.name, Counter()) + idle
        super().make_trade(player, minor, company, source, size, par, cost)

    def sale_sets(self, player: str, company: Company, percent: int) -> set[tuple[int, ...]]:
        """A 20 % certificate may be sold in part if the pool gives a 10 % one back (DOD-5.5.6-a)."""
        whole = super().sale_sets(player, company, percent)
        if whole or 10 not in company.ordinary(POOL):
            return whole
        mine = self.after_swap(player, company, percent)
        return {(*sizes, -10) for sizes in sets_of(mine, percent + 10) if 20 in sizes}

    # ------------------------------------------------------------------ cards

    def may_take_new(self, kind: str) -> bool:
        """Two of type 2 or one of another type (DOD-4-b)."""
        return len(self.new_cards) < int(self.draft["cards"][kind])

    def owner_share(self, company: Company) -> int:
        """Never more than half (DOD-5.6.2.3-b)."""
        return int(self.facts["hsb"]["owner_adds_percent"])

    # ------------------------------------------------------------------ runs

    def bonus(self, company: Company) -> dict[str, int]:
        """40 for a cube, 50 at the red field of its home (DOD-5.6.1.5-a)."""
        homes = {home.partition(":")[0] for home in self.board.box.railways[company.name]["home"]}
        reds = [at for at, face in self.board.box.printed.items() if face.red]
        return {at: int(self.draft["beer_home" if at in homes else "beer"]) for at in reds}

    def blocked_through(self, company: Company) -> list[str]:
        """All full hexes."""
        return [at for at in self.board.places if self.board.full(at, company.name)]

    def run(self, player: str, move: Plain, really: bool) -> None:
        """A loaded train whose export routes are all blocked may run one of them (DOD-5.6.1.4-b)."""
        if not any(BLOCKED in route["train"] for route in move["routes"]):
            super().run(player, move, really)
            return
        company = self.acting(player, move)
        must(self.step == "run", "DO-4.5-b: after links, before the dividend")
        free = self.labels(company)
        paths = []
        exported = 0
        for route in move["routes"]:
            label = route["train"].removesuffix(BLOCKED)
            kind, cubes = loaded(label)
            self.runs_as(label, free)
            blocked = route["train"] != label
            through = [*self.through(company), *(self.blocked_through(company) if blocked else ())]
            fault = self.board.faulty(company.name, route["path"], int(kind), through)
            must(not fault, fault)
            if blocked:
                must(cubes and self.export(route["path"]), "DOD-5.6.1.4-b: loaded trains to red fields only")
                must(self.full_between(company, route["path"]), "DOD-5.6.1.4-b: nothing is in its way")
            else:
                exported += bool(cubes) and self.export(route["path"])
            paths.append(route["path"])
        must(apart([self.board.pieces(path) for path in paths]), "DO-4.5.5-b: routes share track")
        must(
            not any(self.has_route(company, loaded(label)[0], paths) for label in free),
            "DO-4.5.5-a: a train that can run stands still",
        )
        full = [kind for kind, _ in self.loads.get(company.name, [])]
        must(exported == self.exports(company, full), "DOD-5.6.1.4-b: not with another export route")
        if really:
            self.revenue = sum(self.worth(company, route) for route in move["routes"])
            self.after_run(company)
            self.next_step()

    def full_between(self, company: Company, path: Sequence[str]) -> list[str]:
        """Full hexes that a route runs through."""
        return [at for at in self.board.stops(path)[1:-1] if self.board.full(at, company.name)]

    def worth(self, company: Company, route: Plain) -> int:
        """A full hex on the way brings nothing."""
        label = route["train"].removesuffix(BLOCKED)
        value = super().worth(company, {**route, "train": label})
        if label != route["train"]:
            passed = self.full_between(company, route["path"])
            value -= sum(self.board.income(at, company.name, self.colour) for at in passed)
        return value

    # ------------------------------------------------------------------ brewery rounds

    def begin_turn(self, name: str) -> None:
        super().begin_turn(name)
        self.loaded_units = Counter()
        self.leaving = Counter()
        self.given_up = 0

    def use_up(self, name: str, kinds: Sequence[str]) -> None:
        """Of equal pieces an idle one goes first."""
        super().use_up(name, kinds)
        for kind in kinds:
            if self.idle.get(name, Counter())[kind]:
                self.idle[name][kind] -= 1
                self.idle[name] += Counter()
            if name == self.actor and self.leaving[kind]:
                self.leaving[kind] -= 1

    def give_up_equipment(self, player: str, move: Plain, really: bool) -> None:
        """One piece in a turn (DOD-5.6.2.1-g)."""
        if self.pauses:
            super().give_up_equipment(player, move, really)
            return
        must(not self.given_up, "DOD-5.6.2.1-g: one in a turn")
        must(not self.loaded_units, "DOD-5.6.2.1-a: before the deliveries")
        super().give_up_equipment(player, move, really)
        if really:
            self.given_up = 1

    def brewing_step_empty(self, company: Company) -> bool:
        """Nothing to give up, to deliver or to load."""
        if self.step != "deliver" or self.can_deliver(company) or self.could_load(company):
            return super().brewing_step_empty(company)
        return bool(self.given_up or self.loaded_units or self.brewed) or super().brewing_step_empty(company)

    def named_units(self, kind: str) -> int:
        return self.loaded_units[kind]

    def first_place(self, company: Company) -> Place | None:
        """The highest segment that can be served, regular customers before new ones (DOD-5.6.2.1-c, -d)."""
        places = [place for kind in self.units(company) for place in super(Draft, self).reachable(company, kind)]
        return max(places, key=lambda place: (place[0], -CUSTOMERS.index(place[1])), default=None)

    def reachable(self, company: Company, kind: str) -> list[Place]:
        first = self.first_place(company)
        return [place for place in super().reachable(company, kind) if place == first]

    def deliver_best(self, player: str, move: Plain, really: bool, delivered: Sequence[str] = ()) -> None:
        """All in the fixed order; as many pieces of equipment as possible get something to do."""
        company = self.acting(player, move)
        must(self.kind == "brewing" and self.step == "deliver", "DO-6.5.2.1-a: before the income")
        must(self.can_deliver(company), "DO-6.5.2.1-b: nothing to deliver")
        if not really:
            return
        units, before = self.units(company), Counter(self.brewed)
        places: list[Place] = []
        while (place := self.first_place(company)) is not None:
            kinds = [kind for kind in self.units(company) if place in self.reachable(company, kind)]
            unused = [kind for kind in kinds if self.busy(company)[kind] < self.pieces(company, kind)]
            # One that would leave comes first, then the highest.
            kind = max(
                unused, key=lambda kind: (self.would_leave(company, kind), int(kind)), default=min(kinds, key=int)
            )
            self.cubes.deliver(place)
            self.brewed[kind] += 1
            self.earned += price(place)
            places.append(place)
        told = sorted(f"{segment} {whose}" for segment, whose in places)
        assert told == sorted(delivered), f"DOD-5.6.2.1-d: {told}, not {delivered}"
        self.all_delivered(company, units, places, before)
        self.end_if_done(company)

    def all_delivered(
        self, company: Company, units: Mapping[str, int], places: Sequence[Place], before: Counter[str]
    ) -> None:
        """These places were served by units, after what they had delivered before."""

    def in_use(self) -> bool:
        return bool(self.brewed or self.loaded_units)

    def busy(self, company: Company) -> Counter[str]:
        """Units that had something to do in this turn."""
        return self.brewed + self.loaded_units

    def pieces(self, company: Company, kind: str) -> int:
        """How many pieces of a type can have something to do."""
        return self.equipment.get(company.name, []).count(kind)

    def would_leave(self, company: Company, kind: str) -> bool:
        """Whether a turned piece of a type has had nothing to do yet."""
        return self.idle.get(company.name, Counter())[kind] > self.busy(company)[kind]

    def finish_delivery(self, company: Company) -> None:
        """Who had nothing to do is turned, or leaves at the end of the turn if it was turned (DOD-5.6.2.1-b)."""
        self.turn_idle(company)
        super().finish_delivery(company)

    def turn_idle(self, company: Company) -> None:
        """Turned equipment that had something to do is turned back."""
        before = self.idle.pop(company.name, Counter())
        now: Counter[str] = Counter()
        for kind in set(self.equipment.get(company.name, [])):
            used = min(self.pieces(company, kind), self.busy(company)[kind])
            now[kind] = self.equipment[company.name].count(kind) - used
            self.leaving[kind] = max(0, before[kind] - used)
        self.idle[company.name] = +now

    def end_turn(self) -> None:
        self.use_up(self.actor, list(self.leaving.elements()))
        super().end_turn()

    def fail(self, company: Company) -> None:
        super().fail(company)
        self.idle.pop(company.name, None)
        self.leaving = Counter()

    def name_export(self, company: Company, name: tuple[str, str, str, int]) -> None:
        """It is loaded at once."""
        kind, railway, train, before = name
        self.cubes.for_export()
        self.loaded_units[kind] += 1
        loads = self.loads.setdefault(railway, [])
        if before:
            loads.remove([train, before])
        loads.append([train, before + 1])
        self.earned += int(self.facts["beer"]["export_price"])
        self.end_if_done(company)

    def new_order(self) -> None:
        """By the first and the second piece only (DOD-5.6.2.4-a)."""
        count = int(self.draft["ranked"])

        def rank(name: str) -> list[int]:
            kinds = sorted((int(kind) for kind in self.equipment.get(name, [])), reverse=True)
            return [-kind for kind in (kinds + [0] * count)[:count]]

        self.order.sort(key=rank)


def appoint(beginning: Plain) -> Draft:
    """The referee of a game."""
    return Draft(beginning)
