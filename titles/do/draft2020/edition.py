"""18DO's games with breweries by the draft of January 2020 (docs/editions.md says what is different)."""

from __future__ import annotations

from functools import cache

from engine import events as ev
from engine.errors import Refused
from engine.finance import shares
from engine.finance.handing import WholeCertificates, sold_parts
from engine.finance.prices import ShareSale, settle_sale
from engine.game import Game
from engine.rules import Rules, Setup, shuffled
from engine.state import POOL
from engine.steps.trade import Check, Trade
from titles.do.board.founding import StraightToTreasury
from titles.do.board.remembered import Failed
from titles.do.board.stock import opened
from titles.do.brewery import beer as market
from titles.do.brewery import breweries, brewing
from titles.do.brewery.beer import Beer, Field
from titles.do.brewery.breweries import BREWERY
from titles.do.brewery.editions import Edition
from titles.do.brewery.game import RAILWAY, of_edition
from titles.do.brewery.tables import HsbTables
from titles.do.brewery.trading import PlaceTaken, Placing, ask_for_place
from titles.do.draft2020 import data
from titles.do.draft2020 import selling as draft_selling
from titles.do.draft2020 import trains as draft_trains
from titles.do.draft2020.data import Draft


@cache
def edition() -> Edition:
    """Everything that the draft has otherwise, for any form with breweries."""
    draft = data.tables().draft
    return Edition(
        amended=data.amended,
        seating=shuffled,
        opened=lambda t: after_four(t, draft),
        placing=WhenFloated(),
        parts=InPart(),
        floats=StraightToTreasury(),
        new_cards=lambda t: lambda game, card: draft.cards[card],
        trains=draft_trains.trains(draft),
        short=cheapest_of_all,
        selling=lambda t: draft_selling.HighestFirst(draft.given_up),
        owner_adds=brewing.half,
        rank=lambda t: lambda types: types[: draft.ranked],
        mechanisms=(draft_selling.IdleEquipment(),),
    )


def draft_hsb(setup: Setup) -> Rules:
    """Heat, Sweat & Beer."""
    return of_edition(setup, edition())


# ---------------------------------------------------------------------- founding


def after_four(t: HsbTables, draft: Draft) -> Check:
    """DOD-3.1-b: one railway can be founded when so many have floated; others wait for one to be founded, as ever."""
    others = opened(t.abilities.opens_after)

    def check(game: Game, trade: Trade) -> Refused | None:
        if trade.company != draft.waits or game.company(trade.company).director:
            return others(game, trade)
        once = [
            name
            for name, state in game.state.companies.items()
            if breweries.kind(game, name) == RAILWAY and (state.floated or name in Failed.of(game).failed)
        ]
        if len(once) < draft.floated:
            return game.refuse("stock.opens.floated", company=trade.company, count=draft.floated)
        return None

    return check


class WhenFloated(Placing):
    """DOD-5.5.5-a: an order token comes last when its corporation floats; one founded for a small brewery takes its
    place."""

    def founded(self, game: Game, event: ev.CompanyFounded) -> None:
        """Not yet."""

    def floated(self, game: Game, event: ev.CompanyFloated) -> None:
        order = breweries.order(game)
        if breweries.kind(game, event.company) == BREWERY and event.company not in order:
            order.append(event.company)

    def traded_in(self, game: Game, company: str, place: int, *, founded: bool) -> None:
        if not founded:
            ask_for_place(game, company, place)
            return
        breweries.order(game).insert(place, company)
        game.emit(PlaceTaken(company))


# ---------------------------------------------------------------------- selling in part


class InPart(WholeCertificates):
    """DOD-5.5.6-a: a certificate of several shares may be sold in part: the pool gives one of a single share back."""

    def plan(self, game: Game, company: str, seller: str, percent: int) -> tuple[tuple[int, ...], str] | None:
        whole = super().plan(game, company, seller, percent)
        if whole is not None:
            return whole
        found = self.change(game, company, seller, percent)
        return None if found is None else (found[1], found[2])

    def change(
        self, game: Game, company: str, seller: str, percent: int
    ) -> tuple[tuple[int, ...], tuple[int, ...], str] | None:
        """What a new director hands over first, the certificates for one share too many, and the director then."""
        unit, total = shares.unit(game, company), shares.held(game, company, seller)
        if percent % unit or not 0 < percent < total or shares.top(game, company, POOL, unit) is None:
            return None
        director = game.company(company).director
        heir = director if director != seller else shares.successor(game, company, seller, total - percent)
        ways = list(shares.swaps(game, company, heir).values()) if heir != director else [()]
        for swapped in ways:
            parts = sold_parts(game, company, seller, percent + unit, swapped)
            if parts:
                return swapped, next(iter(parts.values())), heir
        return None

    def sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        found = None if super().plan(game, company, seller, percent) else self.change(game, company, seller, percent)
        if found is None:
            super().sell(game, seller, company, percent)
            return
        swapped, group, heir = found
        amount = shares.worth(game, company, percent)
        sale = ShareSale(company, seller, percent, game.company(company).director)
        back = shares.top(game, company, POOL, shares.unit(game, company))
        assert back is not None
        if swapped:
            shares.change_director(game, company, heir, swapped)
        for number in group:
            shares.move(game, company, number, POOL)
        shares.move(game, company, back, seller)
        settle_sale(game, sale, amount)

    def ask_and_sell(self, game: Game, seller: str, company: str, percent: int) -> None:
        if super().plan(game, company, seller, percent) is None:
            self.sell(game, seller, company, percent)
        else:
            super().ask_and_sell(game, seller, company, percent)


# ---------------------------------------------------------------------- the beer market


def cheapest_of_all(t: HsbTables) -> market.Source:
    """DOD-5.6.1.3-a: a short stock is helped by the cheapest demand, of any segment."""

    def source(beer: Beer, field: Field) -> Field | None:
        found = market.cheapest(t, beer)
        return None if found == field else found

    return source
