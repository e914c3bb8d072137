"""Buying small investments: from the display, or from another company with the consent of its director.

A brewery with full boxes first puts one of its own back. Railways buy nothing but beer wagons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.mechanism import Mechanism
from engine.moves import Move, register
from engine.offer import Choice, Domain, Number, Option, Options, Picked
from engine.records import Keeps
from engine.rounds.proposals import Deal, declined
from engine.rounds.turns import OnceRound, RoundRules, Step, Steps, Turn
from engine.rules import PLAYER, Question
from engine.state import BANK
from titles.do.board.remembered import Purchases
from titles.do.brewery import trading
from titles.do.expert import markers, wagons
from titles.do.expert.tables import expert

#: Source and code of a marker on sale.
Marker = tuple[str, str]


@register("buy_marker")
@dataclass(frozen=True, slots=True)
class BuyMarker(Move):
    """Buy a small investment for a company; `returned` is the one that a brewery with full boxes puts back first."""

    company: str
    marker: str
    source: str
    price: int
    returned: str = ""


@dataclass(frozen=True, slots=True)
class MarkerBought(ev.Event):
    company: str
    marker: str
    source: str
    price: int


@dataclass(frozen=True, slots=True)
class MarkerProposed(ev.Event):
    """A company offers another a price for a marker."""

    company: str
    marker: str
    source: str
    price: int


class Investing:
    """DO-7.1-c: what companies may buy and for how much, and what the turn remembers of it; an edition replaces what
    differs."""

    def payer(self, game: Game, company: str) -> str:
        """Whose money it is."""
        return company

    # ------------------------------------------------------------------ what may be bought

    def railway(self, game: Game, company: str) -> bool:
        return company not in expert(game).expert.kim_boxes

    def too_many(self, game: Game, company: str, source: str) -> Refused | None:
        """Why a company buys nothing more from the bank in this turn."""
        t, turn = expert(game), Purchases.of(game)
        if source != BANK:
            return None
        cards = t.phases[game.phase.name].cards
        if self.railway(game, company) and turn.new >= cards:
            return game.refuse("marker.turn.train", company=company)
        if turn.bought >= cards:
            return game.refuse("marker.turn.card", company=company)
        if turn.invested >= t.expert.kim_a_turn:
            return game.refuse("marker.turn", company=company)
        return None

    def partner(self, game: Game, company: str, seller: str, code: str) -> bool:
        """Whether a company may sell a marker to another: breweries to each other, wagons to everybody."""
        if seller == company or not game.decider(seller):
            return False
        wagon = code == expert(game).wagon.code
        return wagon or not (self.railway(game, company) or self.railway(game, seller))

    def no_purchase(self, game: Game, company: str, source: str, code: str) -> Refused | None:
        """Why a company may not buy a marker somewhere, money apart."""
        t = expert(game)
        if code not in t.investments:
            return game.refuse("unknown.marker", marker=code)
        if self.railway(game, company) and code != t.wagon.code:
            return game.refuse("marker.kind", company=company, marker=code)
        if source == BANK:
            if not markers.on_display(game, [code]):
                return game.refuse("marker.none", marker=code)
        elif source not in game.state.companies:
            return game.refuse("unknown.seller", seller=source)
        elif not self.partner(game, company, source, code):
            return game.refuse("marker.partner", company=company, seller=source, marker=code)
        elif code not in markers.owned(game, source):
            return game.refuse("marker.owned", company=source, marker=code)
        elif self.railway(game, source) and wagons.spare(game, source) is None:
            return game.refuse("marker.loaded", company=source)
        return self.too_many(game, company, source)

    def prices(self, game: Game, company: str, source: str, code: str) -> tuple[int, int]:
        """The lowest and the highest price at which a company can have a marker; none if the first is the greater."""
        t = expert(game)
        cash = game.state.cash[self.payer(game, company)]
        price = t.investments[code].price
        if source == BANK:
            return price, min(price, cash)
        low, high = t.expert.trade_percent
        return max(-(-price * low // 100), declined(game, source, code) + 1), min(price * high // 100, cash)

    def offers(self, game: Game, company: str) -> list[Marker]:
        """Source and code of every marker that a company may buy and can pay."""
        found = [(BANK, row.code) for row in expert(game).kim]
        found += [
            (other, code) for other in markers.investors(game) for code in dict.fromkeys(markers.owned(game, other))
        ]
        return [
            (source, code)
            for source, code in found
            if self.no_purchase(game, company, source, code) is None
            and self.prices(game, company, source, code)[0] <= self.prices(game, company, source, code)[1]
        ]

    def check(self, game: Game, move: BuyMarker) -> None:
        company, source, code = move.company, move.source, move.marker
        refused = self.no_purchase(game, company, source, code)
        if refused is not None:
            raise refused
        t = expert(game)
        price, cash = t.investments[code].price, game.state.cash[self.payer(game, company)]
        if source == BANK and move.price != price:
            raise game.refuse("marker.printed", marker=code, cost=price)
        if source != BANK:
            low, high = (price * percent / 100 for percent in t.expert.trade_percent)
            if not low <= move.price <= high:
                kind = "marker.price.wagon" if code == t.wagon.code else "marker.price"
                raise Refused(kind, "marker.price", marker=code, low=int(-(-low // 1)), high=int(high))
            bar = declined(game, source, code)
            if move.price <= bar:
                raise game.refuse("marker.price.declined", company=source, price=bar)
        if move.price > cash:
            kind = "marker.money.wagon" if code == t.wagon.code else "marker.money"
            raise Refused(kind, "marker.money", cost=move.price, cash=cash, payer=self.payer(game, company))
        self.check_returned(game, move)

    def check_returned(self, game: Game, move: BuyMarker) -> None:
        """A brewery puts a marker back just when its boxes are full."""
        company = move.company
        if markers.full(game, company):
            if not move.returned:
                raise game.refuse("marker.boxes", company=company, boxes=markers.boxes(game, company))
            if move.returned not in markers.owned(game, company):
                raise game.refuse("marker.boxes.returned", company=company, marker=move.returned)
        elif move.returned:
            raise game.refuse("marker.boxes.first", company=company)

    # ------------------------------------------------------------------ buying

    def buy(self, game: Game, move: BuyMarker) -> None:
        company, source = move.company, move.source
        if source == BANK or game.decider(source) == move.player:
            self.change_hands(game, company, move.marker, source, move.price, move.returned)
            return
        game.emit(MarkerProposed(company, move.marker, source, move.price))
        game.ask(
            SALE,
            [game.decider(source)],
            company=company,
            marker=move.marker,
            seller=source,
            price=move.price,
            returned=move.returned,
        )

    def change_hands(self, game: Game, company: str, code: str, source: str, price: int, returned: str) -> None:
        """A marker comes to a company, which pays for it; what it puts back lies on the display before."""
        if returned:
            markers.put_back(game, company, returned)
        game.pay(self.payer(game, company), source, price, "marker", code)
        if source == BANK:
            markers.take(game, company, code)
        else:
            if self.railway(game, source):
                left = wagons.spare(game, source)
                assert left is not None
                wagons.lay(game, source, left)
            markers.drop(game, source, code)
            markers.gain(game, company, code)
        self.noted(game, company, source)
        if self.railway(game, company):
            wagons.lay_new(game, company)
        game.emit(MarkerBought(company, code, source, price))

    def noted(self, game: Game, company: str, source: str) -> None:
        """What the turn remembers: a marker from the bank counts like a card."""
        if source == BANK:
            turn = Purchases.of(game)
            if self.railway(game, company):
                turn.new += 1
            else:
                turn.bought += 1
            turn.invested += 1


class BuyMarkerChoice(Choice[BuyMarker]):
    """DO-7.1-c: buy a small investment: from whom, which, what is put back for it, and for how much."""

    kind = BuyMarker

    def __init__(self, game: Game, player: str, company: str, investing: Investing) -> None:
        super().__init__(game, player, company)
        self.investing = investing

    def ask(self, picked: Picked) -> Domain | None:
        game, company, investing = self.game, self.company, self.investing
        offers = investing.offers(game, company)
        if "source" not in picked:
            return Options("source", [Option(source) for source in dict.fromkeys(source for source, _ in offers)])
        source = picked["source"]
        if "marker" not in picked:
            rows = expert(game).investments
            return Options("marker", [Option(code, {"price": rows[code].price}) for s, code in offers if s == source])
        if "returned" not in picked and markers.full(game, company):
            return Options("returned", [Option(code) for code in dict.fromkeys(markers.owned(game, company))])
        if "price" not in picked:
            low, high = investing.prices(game, company, source, picked["marker"])
            return Options("price", [Option(low)]) if source == BANK else Number("price", low, high)
        return None

    def move(self, picked: Picked) -> BuyMarker:
        returned = picked.get("returned", "")
        return BuyMarker(self.player, self.company, picked["marker"], picked["source"], picked["price"], returned)

    def check(self, move: BuyMarker) -> None:
        if move.company != self.company:
            raise self.game.refuse("turn.order", company=self.company, other=move.company)
        self.investing.check(self.game, move)

    def perform(self, move: BuyMarker) -> None:
        self.investing.buy(self.game, move)


#: The kind of the question.
SALE = "marker_sale"


class MarkerDeal(Deal):
    """DO-7.1-d: the sale of a small investment from one company to another, with the consent of both directors."""

    what = "marker"
    counter_key = "marker.price.counter"

    def __init__(self, investing: Investing) -> None:
        self.investing = investing

    def prices(self, game: Game, data: dict[str, Any]) -> tuple[int, int]:
        low, high = expert(game).expert.trade_percent
        price = expert(game).investments[data["marker"]].price
        return -(-price * low // 100), min(price * high // 100, game.state.cash[data["company"]])

    def accept(self, game: Game, data: dict[str, Any]) -> None:
        self.investing.change_hands(
            game, data["company"], data["marker"], data["seller"], data["price"], data["returned"]
        )


# ---------------------------------------------------------------------- after the starting round


class FirstInvesting(Investing):
    """DO-7.4-a: one small investment from the display for a small brewery, with the money of its owner."""

    def payer(self, game: Game, company: str) -> str:
        return game.decider(company)

    def partner(self, game: Game, company: str, seller: str, code: str) -> bool:
        return False


class FirstMarkerStep(Step):
    """DO-7.4-a: everybody may buy one small investment for their small brewery."""

    name = "marker"

    def keeps(self) -> Keeps:
        return (Purchases,)

    def __init__(self) -> None:
        self.investing = FirstInvesting()

    def choices(self, turn: Turn) -> list[Choice[Any]]:
        game, player = turn.game, turn.actor
        found: list[Choice[Any]] = [
            BuyMarkerChoice(game, player, minor, self.investing)
            for minor in trading.owned(game, player)
            if self.investing.offers(game, minor)
        ]
        return [*found, turn.passing()]

    def explain(self, turn: Turn, move: Move) -> None:
        if isinstance(move, BuyMarker) and move.company in trading.owned(turn.game, move.player):
            self.investing.check(turn.game, move)


def by_minor(game: Game) -> list[str]:
    """DO-7.4-a: the owners of small breweries, those with the lowest numbers first."""
    rows = expert(game).minors
    owners = [game.company(minor).director for minor in sorted(rows, key=lambda minor: rows[minor].number)]
    return [owner for owner in owners if owner]


class SmallInvestments(Mechanism):
    """DO-7.1-a: small investments: the first of everybody after the starting round, and sales between companies."""

    #: The round in which everybody buys their first.
    FIRST = "markers"

    def __init__(self, investing: Investing) -> None:
        self.investing = investing
        self.first_round = OnceRound(self.FIRST, by_minor, {PLAYER: Steps(FirstMarkerStep())})

    def questions(self) -> Mapping[str, Question]:
        return {SALE: MarkerDeal(self.investing).asked}

    def rounds(self) -> Mapping[str, RoundRules]:
        return {self.FIRST: self.first_round}

    def interrupts(self, game: Game) -> bool:
        """Before the first stock round, whether small breweries were bid for or dealt."""
        if game.state.round.kind not in ("", "package"):
            return False
        self.first_round.begin(game)
        return True
