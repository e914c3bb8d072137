"""18LRA's own tables: scenarios, harbours, Dalheim, GKB's train, and what single corporations may do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

from engine.definition import Definition
from engine.rows import Seats
from engine.tables import Colour, CompanyName, Count, HexName, PrivateName, Span, TrainName
from titles.rhineland.tables import (
    IronRhine,
    LotCertificate,
    LowerCapital,
    Money,
    OrderCard,
    Power,
    PowerPrivate,
    with_stops,
)

#: What hexes and tiles may show; coal and steel count for routes.
ICONS = frozenset({"coal", "steel", "harbour", "rails"})
#: The locations that a harbour earns for.
LOCATIONS = frozenset({"coal", "steel"})
#: The kinds of token, besides stations of companies, for which spaces are kept.
HARBOUR, GKB = "harbour", "gkb"


@dataclass(frozen=True)
class Bank:
    """What the bank has in all, by the number of players."""

    money: Mapping[Seats, Money]

    def check(self, definition: Definition) -> Iterator[str]:
        for count in self.money.keys() ^ definition.starting_cash.keys():
            yield f"money.{count}: a number for each number of players is expected"
        for count, cash in definition.starting_cash.items():
            if cash * count > self.money[count]:
                yield f"money.{count}: the players have more than the bank"
        if self.money[max(self.money)] != definition.bank:
            yield f"money.{max(self.money)}: {definition.bank} is expected, as the title says"


@dataclass(frozen=True)
class Scenario:
    """The corporations of a game with fewer players; the homes of the others are covered."""

    number: Count
    corporations: tuple[CompanyName, ...]


@dataclass(frozen=True)
class RightBank:
    """Its cities; the crossings count from the colour on in which they cross the Rhine."""

    hexes: tuple[HexName, ...]
    crossings: tuple[HexName, ...]
    since: Colour

    def check(self, definition: Definition) -> Iterator[str]:
        yield from with_stops(definition, hexes=self.hexes, crossings=self.crossings)
        for at in set(self.hexes) & set(self.crossings):
            yield f"crossings: {at} stands among the hexes as well"


@dataclass(frozen=True)
class OwnPrice:
    """What the harbour token of one corporation costs on one hex."""

    corporation: CompanyName
    hex: HexName
    price: Money


@dataclass(frozen=True)
class Harbour:
    """Hexes with a harbour space, whose they are first, prices of the tokens, and what each location earns."""

    hexes: tuple[HexName, ...]
    reserved: Mapping[PrivateName, HexName]
    #: The lower price by corporation, and who has no harbour token.
    reduced: Mapping[CompanyName, Money]
    without: tuple[CompanyName, ...]
    own_price: OwnPrice
    bonus: Money

    def check(self, definition: Definition) -> Iterator[str]:
        spaces = {
            at
            for tile in definition.tiles.values()
            if any(HARBOUR in stop.reserved for stop in tile.face.stops)
            for at in tile.hexes
        }
        for at in sorted(spaces ^ set(self.hexes)):
            yield f"hexes: {at} is expected among them if, and only if, a tile has a harbour space there"
        for private, at in self.reserved.items():
            if at not in definition.privates[private].hexes or at not in self.hexes:
                yield f"reserved.{private}: a harbour on one of its own hexes is expected"
        for name, lot in definition.privates.items():
            if set(lot.hexes) & set(self.hexes) and name not in self.reserved:
                yield f"reserved.{name}: is missing; the name of a hex is expected"
        for corporation in definition.corporations.keys() - self.reduced.keys() - set(self.without):
            yield f"reduced.{corporation}: is missing; a number is expected"
        for corporation in self.reduced.keys() & set(self.without):
            yield f"without: {corporation} has a price"
        for corporation, price in self.reduced.items():
            if price >= definition.corporations[corporation].tokens[-1]:
                yield f"reduced.{corporation}: less than the price of its last token is expected"
        if self.own_price.corporation not in self.reduced or self.own_price.hex not in self.hexes:
            yield "own_price: a corporation with a harbour token and a harbour are expected"


@dataclass(frozen=True)
class Dalheim:
    """Once the private company is active, one corporation's routes between the right bank and the hex earn more."""

    private: PrivateName
    hex: HexName
    bonus: Money

    def check(self, definition: Definition) -> Iterator[str]:
        yield from with_stops(definition, hex=(self.hex,))


@dataclass(frozen=True)
class Gkb:
    """The private company that becomes a train; its station and what the train may visit besides one city."""

    private: PrivateName
    hex: HexName
    train: TrainName
    towns: Annotated[int, Span(1, 20)]

    def check(self, definition: Definition) -> Iterator[str]:
        if [stop.reserved for stop in definition.map.hexes[self.hex].face.stops] != [(GKB,)]:
            yield f"hex: one stop with a space for {GKB!r} is expected on {self.hex}"
        train = definition.train(self.train)
        if train.price or train.count != 1 or train.available_on or train.rusts_on:
            yield f"train: one train that is never sold is expected, not {train.name}"


@dataclass(frozen=True)
class LinkPayment:
    """A corporation is paid when track joins one of some hexes with another."""

    corporation: CompanyName
    amount: Money
    starts: tuple[HexName, ...]
    end: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        yield from with_stops(definition, starts=self.starts, end=(self.end,))
        if self.end in self.starts:
            yield f"end: {self.end} is a start as well"


@dataclass(frozen=True)
class FreeStation:
    """A corporation that needs no route for a station on one hex."""

    corporation: CompanyName
    hex: HexName

    def check(self, definition: Definition) -> Iterator[str]:
        yield from with_stops(definition, hex=(self.hex,))


@dataclass(frozen=True)
class DoubleYellow:
    """Corporations that may lay two yellow tiles in their first turn."""

    corporations: tuple[CompanyName, ...]


@dataclass(frozen=True)
class OtherHomes:
    """Homes by the other reading of the table."""

    home: Mapping[CompanyName, HexName]

    def check(self, definition: Definition) -> Iterator[str]:
        homes = {name: {home.at for home in corp.homes} for name, corp in definition.corporations.items()}
        printed = set().union(*(homes[name] for name in self.home))
        if set(self.home.values()) != printed or len(set(self.home.values())) < len(self.home):
            yield "home: the homes of these corporations are expected, in another order"


@dataclass(frozen=True)
class InvestorCard(OrderCard):
    """A card for seats, and the starting price that it sets in the game for two."""

    investor_value: Money

    def check(self, definition: Definition) -> Iterator[str]:
        market = definition.market
        if self.investor_value not in {market.rows[row][column] for row, column in market.cells("p")}:
            yield f"investor_value: {self.investor_value} is no starting price"


@dataclass(frozen=True)
class InvestorSheet:
    """What the Investor begins with, and his limits in the game for two."""

    #: Certificates of his own corporation, the director's included.
    initial_certificates: Count
    #: The most he holds of a player's corporation, and the least of his own, in per cent.
    share_limit: Annotated[int, Span(10, 100)]
    own_least: Annotated[int, Span(10, 100)]
    train_limit: Count
    #: How many certificates he acquires in a stock round, by the colour of the phase.
    purchases: Mapping[str, Count]

    def check(self, definition: Definition) -> Iterator[str]:
        for colour in {phase.colour for phase in definition.phases} ^ self.purchases.keys():
            yield f"purchases.{colour}: a number for each colour of a phase is expected"


@dataclass(frozen=True)
class InvestorCompany:
    """A corporation that may be the Investor's, and the private company that it then owns."""

    corporation: CompanyName
    private: PrivateName


@dataclass(frozen=True)
class Tables:
    """All of them."""

    private: tuple[PowerPrivate, ...]
    order_card: tuple[InvestorCard, ...]
    scenario: tuple[Scenario, ...]
    bank: Bank
    right_bank: RightBank
    harbour: Harbour
    iron_rhine: IronRhine
    dalheim: Dalheim
    gkb: Gkb
    link_payment: LinkPayment
    free_station: FreeStation
    double_yellow: DoubleYellow
    lot_certificate: LotCertificate
    other_homes: OtherHomes
    lower_capital: LowerCapital
    investor: InvestorSheet
    investor_company: tuple[InvestorCompany, ...]

    @cached_property
    def powers(self) -> Mapping[str, Power]:
        """The tiles that private companies grant, in their order."""
        return {private.id: private.power for private in self.private if private.power}

    def check(self, definition: Definition) -> Iterator[str]:
        numbers = [card.number for card in self.order_card]
        if len(set(numbers)) < len(numbers) or len(numbers) < definition.players[1]:
            yield "order_card.number: a number for each card, and a card for each player is expected"
        scenarios = [scenario.number for scenario in self.scenario]
        if scenarios != list(range(1, len(scenarios) + 1)):
            yield "scenario.number: numbers from 1 on are expected"
        for scenario in self.scenario:
            if self.lot_certificate.corporation not in scenario.corporations:
                yield f"scenario.corporations: {self.lot_certificate.corporation} is expected among them"
        for row in self.investor_company:
            if row.private not in self.harbour.reserved or row.corporation in self.harbour.without:
                yield f"investor_company.{row.corporation}: a harbour and who has a token for it are expected"
        if len({row.corporation for row in self.investor_company}) < len(self.investor_company):
            yield "investor_company.corporation: each is expected once"
        for spot in definition.map.hexes.values():
            if not set(spot.icons) <= ICONS:
                yield f"hex.{spot.at}.icons: one of {', '.join(sorted(ICONS))} is expected"
        for tile in definition.tiles.values():
            if not set(tile.face.icons) <= ICONS:
                yield f"tile.{tile.id}.icons: one of {', '.join(sorted(ICONS))} is expected"
