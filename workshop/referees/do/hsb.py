"""The referee of 18DO's Heat, Sweat & Beer: a second reading of the rulebook, chapter 6, with what it takes from 4.

The tables are those of the title's data; the clauses are those of the ledger of 18DO.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from workshop.referees.do.hsb_brew import BREWING, BreweryRounds
from workshop.referees.do.hsb_rail import STEPS
from workshop.referees.do.hsb_table import BANK, MINOR, POOL, RAILWAY, Company, No, Pause, must, small_first
from workshop.referees.whistle import Plain, Position, filled

#: Steps that wait for a certificate deal although there is nothing else to decide in them: what follows moves the
#: price or ends the turn. Who has just passed is not asked for it again.
LAST_CHANCE = ("run", "deliver", "trains", "equipment")


class HeatSweatBeer(BreweryRounds):
    """Rounds one after the other, and what may be done in each."""

    brewing_steps: tuple[str, ...] = BREWING
    #: Moves of a company's turn, by the kind of round.
    of_railways: tuple[str, ...] = ("lay_tile", "place_station", "link_location", "run", "buy_train")
    of_breweries: tuple[str, ...] = (
        "give_up_equipment",
        "deliver_beer",
        "deliver_best",
        "load_export",
        "buy_equipment",
    )

    def __init__(self, beginning: Plain) -> None:
        self.pair = 0
        self.pairs = 0
        self.waiting: list[str] = []
        self.just_passed = False
        super().__init__(beginning)
        self.settle()

    # ------------------------------------------------------------------ what the frame asks

    @property
    def leaves(self) -> Mapping[str, str]:
        return {
            "facts.first_order": "the order of the first stock round, seen in who decides",
            "facts.package": "what is drawn; who may be bid for is judged",
        }

    def deciders(self) -> Collection[str]:
        if self.finished:
            return []
        if self.pauses:
            return [self.pauses[0].player]
        if self.kind in ("package", "stock"):
            return [self.actor]
        return [self.decider(self.companies[self.actor])]

    def verdict(self, move: Plain) -> str:
        try:
            self.make(move, False, ())
        except No as no:
            return str(no)
        return ""

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        company = self.companies.get(self.actor)
        passed = move["type"] == "pass" and company is not None and self.extras(company)
        self.make(move, True, events)
        self.just_passed = passed
        self.settle()

    def clause(self, name: str) -> str:
        clauses = {
            "facts.beer": "DO-6.5.2.9, DO-6.2.1",
            "facts.order": "DO-6.5.2.8-a, DO-6.4.5-e",
            "facts.loads": "DO-6.5.2.4-b",
            "facts.equipment": "DO-6.5.2.2, DO-6.5.2.6",
            "facts.failed": "DO-6.4.8-a",
            "stacks": "DO-4.4.1-b",
            "scores": "DO-6.6-a",
            "priority": "DO-4.4-c",
            "round": "DO-6.2-a, -b",
            "board": "DO-4.5.2-a, DO-4.5.3-a",
            "depot": "DO-5.4.4-d",
        }
        return next((clause for part, clause in clauses.items() if name.startswith(part)), "")

    def position(self) -> Position:
        where = {
            "kind": self.kind,
            "stock_number": self.stock_number,
            "operating_number": self.pair,
            "operating_total": self.pairs,
            "actor": self.actor,
        }
        result = super().position() | filled({"round": where})
        return result | (filled({"scores": self.scores()}) if self.finished else {})

    # ------------------------------------------------------------------ moves

    def make(self, move: Plain, really: bool, events: Sequence[Plain]) -> None:
        """Look at a move, and make it if that is meant."""
        player, kind = move["player"], move["type"]
        must(player in self.deciders(), "DO-4.5-e: somebody else decides")
        if self.pauses:
            self.settle_pause(self.pauses[0], move, really)
        elif kind == "pass":
            self.pass_(player, really)
        elif self.kind == "package":
            must(kind == "bid", "DO-6.2.2-a: the starting round")
            self.bid(player, move, really)
        elif self.kind == "stock":
            must(kind in ("found", "buy_share", "trade_up", "trade_in", "sell_shares"), "DO-6.4-a: a stock round")
            getattr(self, kind)(player, move, really)
        elif kind == "deliver_best" and really:
            beer = [event for event in events if event["type"] == "BeerDelivered"]
            told = [cube for event in beer for cube in event["cubes"]]
            self.makers = [kind for event in beer for kind in event["equipment"]]
            self.deliver_best(player, move, True, told)
        else:
            own = self.of_railways if self.kind == "operating" else self.of_breweries
            both = ("dividend", "sell_own_shares", "buy_own_share", "sell_shares", "take_loan")
            must(kind in both + own, "DO-6.5.2-a: not in this round")
            must(self.companies[self.actor].kind != MINOR or kind in ("dividend", *own), "DO-6.5.2.1-c: minors")
            getattr(self, "forced_sale" if kind == "sell_shares" else kind)(player, move, really)

    def pass_(self, player: str, really: bool) -> None:
        """Nothing more in this step."""
        must(self.kind != "package", "DO-6.2.2-a: a bid must be made")
        if self.kind == "stock":
            self.trade_pass(player)
            if really:
                self.turn_over()
            return
        company = self.companies[self.actor]
        match self.step:
            case "run":
                must(not self.can_run(company), "DO-4.5.5-a: every train must run if it can")
            case "dividend":
                must(False, "DO-4.5-b: income is used")
            case "trains":
                self.trains_pass(company)
            case "deliver":
                self.deliver_pass(company)
            case "equipment":
                self.equipment_pass(company)
        if really:
            self.skip(company)

    def settle_pause(self, pause: Pause, move: Plain, really: bool) -> None:
        """A decision between."""
        kinds = {
            "float_sale": ("sell_own_shares", "pass"),
            "order_place": ("order_place",),
            "surplus_equipment": ("give_up_equipment",),
            "discard": ("discard_train",),
            "train_sale": ("answer",),
            "export_consent": ("answer",),
            "hand_over": ("hand_over",),
        }
        must(move["type"] in kinds[pause.kind], "DO-4.5-e: another decision comes first")
        match pause.kind:
            case "float_sale":
                self.float_sale(pause, move, really)
            case "order_place":
                self.order_place(pause, move, really)
            case "surplus_equipment":
                self.give_up_equipment(pause.player, move, really)
            case "discard":
                self.discard_train(pause.player, move, really)
            case "train_sale":
                self.answer_train(pause, move, really)
            case "export_consent":
                self.answer_export(pause, move, really)
            case "hand_over":
                self.hand_over(pause, move, really)

    def float_sale(self, pause: Pause, move: Plain, really: bool) -> None:
        """Up to 20 % of the company's own shares, no move of the price (DO-6.4.2-b)."""
        company = self.companies[pause.company]
        if move["type"] == "pass":
            if really:
                self.pauses.remove(pause)
            return
        must(move["company"] == company.name, "DO-6.4.2-b: another company")
        percent = move["percent"]
        most = min(int(self.facts["hsb"]["sold_at_floating"]), self.pool_limit - company.held(POOL))
        must(0 < percent <= most, "DO-6.4.2-b: up to 20 %, half in the pool")
        sizes = self.next_of(company, percent)
        must(sizes, "DO-6.4.2-b: whole certificates")
        if really:
            for size in sizes:
                company.move(size, company.name, POOL)
            self.pay(BANK, company.name, self.price(company) * percent // 10)
            self.pauses.remove(pause)

    def next_of(self, company: Company, percent: int) -> tuple[int, ...]:
        """A share of a company's certificates: of a brewery those on top of the stack, one after the other (R-52)."""
        stack = company.stack()
        if company.kind == RAILWAY:
            return small_first(stack, percent)
        return next((tuple(stack[:n]) for n in range(1, len(stack) + 1) if sum(stack[:n]) == percent), ())

    def order_place(self, pause: Pause, move: Plain, really: bool) -> None:
        """The director takes the minor's place or not (DO-6.4.5-e)."""
        must(move["company"] == pause.company, "DO-6.4.5-e: another company")
        must(move["place"] in ("take", "leave"), "DO-6.4.5-e: no such place")
        if really:
            if move["place"] == "take":
                self.order = list(pause.data["order"])
            self.pauses.remove(pause)

    def hand_over(self, pause: Pause, move: Plain, really: bool) -> None:
        """Which certificates are sold, where there is a choice."""
        must(move["company"] == pause.company, "another company")
        chosen = [sizes for sizes in pause.data["sets"] if "+".join(map(str, sizes)) == move["certificates"]]
        must(chosen, "no such certificates")
        if really:
            self.pauses.remove(pause)
            company = self.companies[pause.company]
            if self.kind == "stock":
                self.sell(pause.player, company, chosen[0])
            else:
                self.sell_by_force(company, chosen[0])

    # ------------------------------------------------------------------ what follows by itself

    def settle(self) -> None:
        """Go on until somebody has something to decide."""
        while not self.finished and not self.pauses:
            if self.kind == "package":
                return
            if self.kind == "stock":
                if self.traded or self.helpless(self.actor):
                    self.turn_over()
                    continue
                return
            if not self.actor:
                self.next_turn()
            elif self.step == "end":
                self.end_turn()
            else:
                company = self.companies[self.actor]
                empty = (
                    self.railway_step_empty(company) if self.kind == "operating" else self.brewing_step_empty(company)
                )
                if not empty:
                    return
                if self.extras(company) and self.step in LAST_CHANCE and not self.just_passed:
                    return
                self.skip(company)

    def extras(self, company: Company) -> bool:
        """What may be done at any time of a turn: the certificate deal."""
        return company.kind != MINOR and bool(self.deals(company) or self.buys_back(company))

    def skip(self, company: Company) -> None:
        """What a step does without a decision."""
        if self.step == "run":
            self.after_run(company)
            self.next_step()
        elif self.step == "dividend":
            # What is rounded down to nothing is kept (DO-6.5.2.5-d).
            if company.kind == MINOR:
                self.pay(BANK, company.name, self.revenue)
            else:
                self.keep(company, self.revenue)
            self.next_step()
        elif self.step == "deliver":
            self.finish_delivery(company)
        else:
            self.next_step()

    def next_step(self) -> None:
        if self.step == "end":
            return
        steps = [*(STEPS if self.kind == "operating" else self.brewing_steps), "end"]
        self.step = steps[steps.index(self.step) + 1]

    def company_over(self) -> None:
        """A bankrupt company's turn ends at once (R-78)."""
        self.step = "end"

    def next_turn(self) -> None:
        """The next company, or the end of the round."""
        while self.waiting:
            name = self.waiting.pop(0)
            if self.companies[name].floated:
                self.begin_turn(name)
                self.just_passed = False
                self.step = (STEPS if self.kind == "operating" else self.brewing_steps)[0]
                return
        if self.kind == "operating":
            self.kind = "brewing"
            self.begin_brewing()
            self.waiting = list(self.order)
        else:
            self.brewing_over()

    def begin_brewing(self) -> None:
        """What comes before the first brewery's turn."""
        self.drop_unwanted()

    def brewing_over(self) -> None:
        """The order is set anew, the market is prepared (DO-6.5.2-a)."""
        self.new_order()
        self.cubes.refill()
        self.next_pair()

    def end_turn(self) -> None:
        company = self.companies[self.actor]
        if company.director:
            company.operated = True
        self.actor = ""

    def begin_set(self) -> None:
        """A set of railway and brewery rounds (DO-6.2-a)."""
        self.pair = 0
        self.pairs = int(self.rounds()[self.stock_number - 1])
        self.next_pair()

    def rounds(self) -> Sequence[int]:
        """How many pairs each set has (DO-6.2-a)."""
        return list(self.facts["hsb"]["rounds"])

    def next_pair(self) -> None:
        """The next pair of a set, the next stock round, or the end (DO-6.2-b, DO-6.6-a)."""
        if self.pair < self.pairs:
            self.pair += 1
            self.kind = "operating"
            self.actor = ""
            self.waiting = [name for name in self.by_price(RAILWAY) if self.companies[name].floated]
        elif self.stock_number == len(self.rounds()):
            self.finished = "sets"
        else:
            self.stock_number += 1
            self.pair = 0
            self.begin_stock()


def appoint(beginning: Plain) -> HeatSweatBeer:
    """The referee of a game."""
    return HeatSweatBeer(beginning)
