"""Target cards: how they are taken, what they decide, and when each of the eight is paid (8.4.1)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.house.invariants import faults
from engine.state import BANK
from tests.titles import arranging
from tests.titles.rhl import arrange, asking, lines, trips
from titles.rhineland.course import LocationCard, OrderCards
from titles.rhl.targets import TakeTarget, TargetCards, TargetMet, Targets

ALL = [f"T{number}" for number in range(1, 9)]


def met(happened: Sequence[ev.Event]) -> list[tuple[str, str, int]]:
    """The cards that were paid: whose, which, how much; each with its payment by the bank."""
    found = [(event.player, event.card, event.amount) for event in asking.of_kind(tuple(happened), TargetMet)]
    paid = [(event.target, event.about, event.amount) for event in happened
            if isinstance(event, ev.Paid) and event.reason == "target"]  # fmt: skip
    assert found == paid
    return found


def board(*companies: str, targets: tuple[str, str, str], director: str = "cy") -> Game:
    """A game after the package, ann, bo and cy with these target cards, and companies under one director."""
    game = arrange.after_package(targets=targets)
    game.state.board.markers.clear()
    for company in companies:
        arrange.floated(game, company, director)
    return game


def laid(game: Game, at: str, tile: str, *ways: str) -> list[tuple[str, str, int]]:
    """Somebody lays a tile; the cards that are paid for it."""
    before = len(game._events)
    lines.build(game, at, tile, *ways)
    game.notify(ev.TileLaid("", at, tile, 0, "", 0, ""))
    return met(game._events[before:])


# ---------------------------------------------------------------------- the cards

#: As 8.4.1 prints them: bonus, one end, the other, fields not on the way.
TARGETS = {
    "T1": (150, (), (), ()),
    "T2": (130, ("K2",), ("B15",), ()),
    "T3": (120, ("A4", "A6"), ("L11", "L13"), ("E2",)),
    "T4": (110, (), (), ()),
    "T5": (100, ("C2",), ("B15",), ()),
    "T6": (90, ("C14", "D15"), ("H1",), ()),
    "T7": (80, ("E2", "G2"), (), ()),
    "T8": (60, ("J15",), (), ()),
}
#: As 8.4.2 prints them: bonus, hexes, how many of them or of trains at least.
DESTINIES = {
    "D1": (100, (), 2),
    "D2": (100, (), 1),
    "D3": (120, ("D9", "F9", "I10"), 2),
    "D4": (120, (), 1),
    "D5": (140, (), 1),
    "D6": (140, (), 1),
    "D7": (160, (), 1),
    "D8": (160, (), 1),
    "D9": (120, ("A14", "B15", "C2"), 2),
    "D10": (160, (), 1),
    "D11": (140, (), 1),
    "D12": (120, ("A4", "A6", "C2", "E2", "G2"), 5),
}


def test_the_cards_are_those_of_the_rulebook() -> None:
    t = arrange.new(3).definition.tables
    assert {c.id: (c.bonus, tuple(c.one), tuple(c.other), tuple(c.not_through)) for c in t.target_card} == TARGETS
    assert [card.number for card in t.target_card] == list(range(1, 9))
    assert {c.id: (c.bonus, tuple(c.hexes), c.least) for c in t.destiny_card} == DESTINIES
    assert [tuple(card.tiles) for card in t.destiny_card if card.tiles] == [("948",)]


# ---------------------------------------------------------------------- taking them


@pytest.mark.rule("RHL-8.4.1-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_two_more_cards_than_players_lie_open_and_each_takes_one(players: int) -> None:
    game = titles.new_game("rhl", arrange.SEATS[:players], {"target_cards": True}, 7)
    drawn = asking.values(game, "take_target")
    assert len(set(drawn)) == players + 2
    assert set(drawn) <= set(ALL)
    left, taken = list(drawn), ""
    for number in range(players):
        assert asking.values(game, "take_target") == left
        assert faults(game) == []
        player = arranging.asked(game)
        refusal = arrange.refused(game, TakeTarget(player, taken))
        assert (refusal.rule, refusal.key) == ("RHL-8.4.1-a", "cards.taken")
        taken = left.pop(number % 2)
        game.apply(TakeTarget(player, taken))
    assert game.state.round.kind == "package"
    assert faults(game) == []


@pytest.mark.rule("RHL-8.4.1-a")
def test_a_random_banker_takes_first_and_the_others_follow_clockwise() -> None:
    """Who joined next sits next: the circle of those who joined is never changed before the choice."""
    order = arrange.SEATS[:4]
    bankers, cards = set(), set()
    for seed in range(60):
        game = titles.new_game("rhl", order, {"target_cards": True}, seed)
        drawn = asking.values(game, "take_target")
        cards |= set(drawn)
        asked = []
        for card in drawn[:4]:
            asked.append(arranging.asked(game))
            game.apply(TakeTarget(asked[-1], card))
        first = order.index(asked[0])
        assert tuple(asked) == order[first:] + order[:first]
        bankers.add(asked[0])
    assert bankers == set(order)
    assert cards == set(ALL)


@pytest.mark.rule("RHL-8.4.1-a")
def test_only_whose_turn_it_is_takes_a_card_and_only_one() -> None:
    game = arrange.new(3, target_cards=True)
    drawn = asking.values(game, "take_target")
    assert arrange.refused(game, TakeTarget("bo", drawn[0])).rule == "RHL-8.4.1-a"
    assert arrange.refused(game, mv.Pass("ann")).rule == "RHL-8.4.1-a"
    game.apply(TakeTarget("ann", drawn[0]))
    assert arrange.refused(game, TakeTarget("ann", drawn[1])).key == "turn.player"


@pytest.mark.rule("RHL-8.4.1-a")
def test_a_card_that_nobody_took_is_out_of_the_game() -> None:
    game = board("RhE", targets=("T1", "T4", "T8"))
    TargetCards.of(game).drawn = ["T1", "T3", "T4", "T7", "T8"]
    trips.rheingold(game)
    before = dict(game.state.cash)
    game.notify(ev.TileLaid("RhE", "K10", "57", 2, "", 0, ""))
    assert game.state.cash == before
    shown = game.rules.open_cards(game)
    assert {card.id: card.owner for card in shown} == {"T1": "ann", "T4": "bo", "T8": "cy"}


@pytest.mark.rule("RHL-8.4.1-b")
def test_numbers_decide_seats_and_priority() -> None:
    game = arrange.new(3, target_cards=True)
    arrange.take_targets(game, "T5", "T2", "T8")
    assert game.state.seats == ["bo", "ann", "cy"]
    assert game.state.priority == "bo"
    assert arranging.asked(game) == "bo", "the lowest number begins the package"
    assert OrderCards.seen(game) is None
    assert sorted(kind for kinds in game.state.board.markers.values() for kind in kinds) == ["coal", "steel"]


@pytest.mark.rule("RHL-8.4.1-b")
def test_one_order_card_still_sets_the_locations() -> None:
    cards = {card.number: card for card in arrange.new(3).definition.tables.order_card}
    drawn = set()
    for seed in range(40):
        game = titles.new_game("rhl", arrange.SEATS[:3], {"target_cards": True}, seed)
        card = cards[LocationCard.of(game).location_card]
        drawn.add(card.number)
        assert "coal" in game.state.board.markers[card.coal]
        assert "steel" in game.state.board.markers[card.steel]
    assert len(drawn) > 5


# ---------------------------------------------------------------------- paid at once, and once


def empire(game: Game, *, berlin: bool = True) -> None:
    """Track from Aachen over Köln, Düsseldorf, Duisburg and Gelsenkirchen to Berlin (or Hamburg), without K4."""
    trips.rheingold(game)
    for at in ("J9", "K10"):
        game.state.board.tiles.pop(at)
    arrange.take_offer(game)
    lines.build(game, "K8", "8", "W-NE")
    lines.build(game, "J9", "9", "NE-SW")
    lines.build(game, "D11", "916", "E-W")
    lines.build(game, "D13", "934", "W-NW")
    lines.build(game, "C12", "918", "NE-SE")
    lines.build(game, "B13", "1" if berlin else "55", "E-SW" if berlin else "NE-SW")


@pytest.mark.rule("RHL-8.4.1-c")
@pytest.mark.rule("RHL-8.4.1-d")
@pytest.mark.rule("RHL-8.4.1-T2")
def test_the_bank_pays_the_owner_when_anybody_lays_the_last_tile() -> None:
    """cy's ADR lays K4; ann, who directs nothing on the way, has T2. Oberhausen is full of a foreign station."""
    game = board("ADR", "BME", targets=("T2", "T4", "T8"))
    empire(game)
    lines.token(game, "BME", "D11", 0)
    arrange.operating(game, "ADR")
    bank, treasury = game.state.cash[BANK], game.state.cash["ADR"]
    happened = game.apply(lines.lay(game, "ADR", "K4", "4", "E-W"))
    assert met(happened) == [("ann", "T2", 130)]
    assert asking.paid(happened, BANK, "ann") == 130
    assert game.state.cash[BANK] == bank - 130 + treasury - game.state.cash["ADR"], "the company gets nothing"
    assert [card.id for card in game.rules.open_cards(game) if card.paid] == ["T2"]


@pytest.mark.rule("RHL-8.4.1-c")
def test_a_card_is_paid_only_once() -> None:
    game = board("ADR", targets=("T2", "T4", "T8"))
    empire(game)
    assert laid(game, "K4", "4", "E-W") == [("ann", "T2", 130)]
    assert laid(game, "J5", "9", "E-W") == []


@pytest.mark.rule("RHL-8.4.1-T2")
def test_hamburg_is_not_berlin() -> None:
    game = board("ADR", targets=("T2", "T4", "T8"))
    empire(game, berlin=False)
    assert laid(game, "K4", "4", "E-W") == []


@pytest.mark.rule("RHL-8.4.1-c")
def test_a_bank_that_cannot_pay_owes_it_and_is_broken() -> None:
    game = board("ADR", targets=("T2", "T4", "T8"))
    empire(game)
    arrange.operating(game, "ADR")
    trips.empty_bank(game, 50)
    had = game.state.cash["ann"]
    happened = game.apply(lines.lay(game, "ADR", "K4", "4", "E-W"))
    assert met(happened) == [("ann", "T2", 130)]
    assert game.state.cash["ann"] == had + 130
    assert game.state.bank_broken == "operating"


# ---------------------------------------------------------------------- track, whoever built it


@pytest.mark.rule("RHL-8.4.1-T3")
@pytest.mark.rule("RHL-8.4.1-d")
def test_the_rheingold_route_needs_no_train_and_no_station() -> None:
    game = board(targets=("T1", "T3", "T8"))
    for company in game.state.companies.values():
        company.floated = company.active = False
    trips.rheingold(game)
    for at in ("E10", "K12", "K10", "J9"):
        game.state.board.tiles.pop(at)
    arrange.take_offer(game)
    assert laid(game, "K12", "4", "NW-SE") == []
    assert laid(game, "E10", "8", "SW-NW") == [("bo", "T3", 120)]


@pytest.mark.rule("RHL-8.4.1-T3")
def test_basel_will_do_as_well_as_frankfurt() -> None:
    game = board(targets=("T1", "T3", "T8"))
    trips.rheingold(game)
    for at in ("K12", "K10"):
        game.state.board.tiles.pop(at)
    arrange.take_offer(game)
    assert laid(game, "K10", "57", "NW-SE") == [("bo", "T3", 120)]


@pytest.mark.rule("RHL-8.4.1-T3")
def test_from_nijmegen_alone_the_rheingold_route_leads_past_venlo() -> None:
    game = board(targets=("T1", "T3", "T8"))
    trips.rheingold(game)
    game.state.board.tiles.pop("B9")  # nothing leads to Arnhem
    arrange.take_offer(game)
    lines.build(game, "C4", "58", "NW-E")
    lines.build(game, "C6", "58", "W-SE")
    assert laid(game, "D7", "15", "NW-E") == [("bo", "T3", 120)]


@pytest.mark.rule("RHL-8.4.1-T3")
def test_a_way_through_venlo_is_no_rheingold_route() -> None:
    """Nijmegen – Venlo – Roermond's line – Köln – Frankfurt: whole, but through E2."""
    game = board(targets=("T1", "T3", "T6"))
    lines.build(game, "I10", "932")
    lines.build(game, "J11", "9", "NW-SE")
    lines.build(game, "K12", "4", "NW-SE")
    lines.build(game, "C4", "58", "NW-SW")
    lines.build(game, "D3", "9", "NE-SW")
    lines.build(game, "F3", "8", "NW-E")
    lines.build(game, "F5", "1", "NE-W")
    lines.build(game, "E6", "6", "SW-E")
    lines.build(game, "E8", "69", "SW-NE")
    lines.build(game, "D9", "929")
    lines.build(game, "E10", "8", "SW-NW")
    lines.build(game, "F9", "927")
    lines.build(game, "G10", "2", "NW-SE")
    assert laid(game, "H11", "8", "NW-SW") == []
    reach = game.tracks([("A4", 0)])
    assert ("E2", 0) in reach.stops


@pytest.mark.rule("RHL-8.4.1-T6")
@pytest.mark.rule("RHL-8.4.1-d")
def test_the_iron_rhine_is_paid_when_its_track_is_whole() -> None:
    game = board("BME", targets=("T1", "T6", "T8"))
    trips.iron_rhine(game)
    for at in ("F7", "G4"):
        game.state.board.tiles.pop(at)
    arrange.take_offer(game)
    lines.token(game, "BME", "D11", 0)
    assert laid(game, "G4", "8", "W-NE") == [], "one hex is missing"
    assert laid(game, "F7", "8", "W-NE") == [("bo", "T6", 90)]


@pytest.mark.rule("RHL-8.4.1-T6")
def test_the_iron_rhine_may_begin_at_the_other_end_of_the_eastern_ruhr() -> None:
    """By Gelsenkirchen: no track of Essen leads to the Eastern Ruhr."""
    game = board("BME", targets=("T1", "T6", "T8"))
    trips.iron_rhine(game)
    game.state.board.tiles.pop("D13")
    arrange.take_offer(game)
    lines.build(game, "D13", "201", "W-NW")
    assert not {at for at, _ in game.tracks([("D13", 0)]).stops} & {"C14", "D15"}
    assert laid(game, "C12", "917", "E-SE") == [("bo", "T6", 90)]


@pytest.mark.rule("RHL-8.4.1-T7")
@pytest.mark.rule("RHL-8.4.1-e")
def test_venlo_and_roermond_must_both_be_joined_to_a_station() -> None:
    """Krefeld is CCE's home, Duisburg has a station of RhE; ann directs neither."""
    game = board("CCE", "RhE", targets=("T7", "T4", "T8"))
    lines.build(game, "E6", "57", "SW-NE")
    lines.build(game, "F5", "1", "NE-W", "E-SW")
    assert laid(game, "F3", "8", "NW-E") == [], "only Venlo"
    trips.lay(game, trips.Lay("D9", "929", 0), trips.Lay("E8", "69", 0))
    lines.token(game, "RhE", "D9")
    assert laid(game, "G4", "8", "W-NE") == [], "Roermond's track leads to no station"
    assert laid(game, "F7", "8", "W-NE") == [("ann", "T7", 80)]


@pytest.mark.rule("RHL-8.4.1-T7")
def test_a_home_counts_only_when_its_company_has_floated() -> None:
    game = board(targets=("T7", "T4", "T8"))
    lines.build(game, "E6", "57", "SW-NE")
    lines.build(game, "F5", "88", "NE-W", "NE-SW")
    lines.build(game, "F3", "8", "NW-E")
    assert laid(game, "G4", "8", "W-NE") == [], "CCE lies in Krefeld, but has not floated"
    arrange.founded(game, "CCE", "bo")
    arrange.hand(game, "CCE", "bo", 20)
    arrange.stock(game, "bo", 1)
    arrange.cash(game, "bo", 500)
    happened = game.apply(mv.BuyShare("bo", "CCE", "offering", 10))
    assert game.company("CCE").floated
    assert met(happened) == [("ann", "T7", 80)]


# ---------------------------------------------------------------------- the Eastern Ruhr


def ruhr(game: Game) -> None:
    """Three links lead to Essen: two of Essen itself, one by Gelsenkirchen; E12 leads on to E14, which is empty."""
    lines.build(game, "D13", "934", "NE-E", "SW-NW")
    lines.build(game, "C12", "917", "E-SE")
    lines.build(game, "E12", "2", "NE-E")


@pytest.mark.rule("RHL-8.4.1-T4")
@pytest.mark.rule("RHL-8.4.1-e")
def test_a_company_of_the_owner_must_reach_all_four_links_whoever_completes_them() -> None:
    game = board("BME", targets=("T4", "T1", "T8"), director="ann")
    ruhr(game)
    lines.token(game, "BME", "D13")
    assert laid(game, "J5", "9", "E-W") == [], "three links"
    assert laid(game, "E14", "8", "W-NE") == [("ann", "T4", 110)]


@pytest.mark.rule("RHL-8.4.1-e")
def test_the_fourth_link_pays_nothing_while_no_company_of_the_owner_reaches_it() -> None:
    game = board("BME", targets=("T4", "T1", "T8"), director="bo")
    ruhr(game)
    lines.token(game, "BME", "D13")
    assert laid(game, "E14", "8", "W-NE") == []


@pytest.mark.rule("RHL-8.4.1-T4")
def test_a_full_city_before_a_link_must_be_passed_first() -> None:
    game = board("BME", targets=("T4", "T1", "T8"), director="ann")
    arrange.floated(game, "DEE", "bo")
    ruhr(game)
    lines.token(game, "BME", "D13")
    stop = next(n for n, stop in enumerate(game.board.faces["C12"].stops) if game.board.faces["C12"].links[6 + n][:1]
                and 1 in game.board.faces["C12"].links[6 + n])  # fmt: skip
    lines.token(game, "DEE", "C12", stop)
    assert laid(game, "E14", "8", "W-NE") == []
    game.board.remove_stations("DEE", "C12")
    arrange.take_offer(game)
    arrange.operating(game, "BME", "station")
    happened = game.apply(lines.station(game, "BME", "C12", stop))
    assert met(happened) == [("ann", "T4", 110)]


@pytest.mark.rule("RHL-8.4.1-T4")
def test_a_new_director_is_paid_in_the_stock_round() -> None:
    """bo directs BME, which reaches all links; ann buys the share that makes her director."""
    game = board("BME", targets=("T4", "T1", "T8"), director="bo")
    ruhr(game)
    lines.build(game, "E14", "8", "W-NE")
    lines.token(game, "BME", "D13")
    game.company("BME").certificates[:] = ["bo", "ann", "ann", "cy", "cy", "BME", "BME", "BME", "BME"]
    arrange.stock(game, "ann")
    arrange.cash(game, "ann", 500)
    happened = game.apply(mv.BuyShare("ann", "BME", "BME", 10))
    assert game.company("BME").director == "ann"
    assert met(happened) == [("ann", "T4", 110)]


# ---------------------------------------------------------------------- the owner must do it


def aachen(targets: tuple[str, str, str], director: str) -> Game:
    """ADR in Aachen with the line to Düren and on to Bonn."""
    game = board("ADR", targets=targets, director=director)
    trips.aachen_line(game)
    lines.build(game, "K8", "9", "E-W")
    lines.build(game, "K10", "6", "W-SE")
    return game


@pytest.mark.rule("RHL-8.4.1-T1")
@pytest.mark.rule("RHL-8.4.1-f")
def test_a_run_over_two_mines_and_two_mills_is_paid_before_the_dividend() -> None:
    game = aachen(("T1", "T4", "T8"), "ann")
    trips.locations(game, coal=("K2", "K4"), steel=("K4", "K6"))
    trips.runner(game, "ADR", "2")
    had = game.state.cash["ann"]
    happened = game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))
    assert met(happened) == [("ann", "T1", 150)]
    assert game.state.cash["ann"] == had + 150
    assert game.offer().find("dividend") is not None


@pytest.mark.rule("RHL-8.4.1-T1")
@pytest.mark.parametrize(
    ("coal", "steel"),
    [(("K2", "K4"), ("K6",)), (("K2",), ("K4", "K6")), (("K2", "K4", "K6"), ("K6",)), ((), ())],
)
def test_one_mill_or_mine_less_is_not_enough(coal: tuple[str, ...], steel: tuple[str, ...]) -> None:
    game = aachen(("T1", "T4", "T8"), "ann")
    trips.locations(game, coal=coal, steel=steel)
    trips.runner(game, "ADR", "2")
    assert met(game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))) == []


@pytest.mark.rule("RHL-8.4.1-T1")
def test_a_mine_of_a_hex_with_two_cities_counts_once() -> None:
    game = aachen(("T1", "T4", "T8"), "ann")
    cards = Targets(game.definition.tables)
    trips.locations(game, coal=("D9",), steel=("K4", "K6"))
    path = ("D9:a", "D9:b", "K4:a", "K6:a")
    assert not cards.serves(game, cards.deck["T1"], path), "both cities have the one mine of Duisburg"
    trips.locations(game, coal=("D9", "K2"), steel=("K4", "K6"))
    assert cards.serves(game, cards.deck["T1"], ("D9:a", "K2:a", *path[2:]))


@pytest.mark.rule("RHL-8.4.1-T1")
def test_two_trains_do_not_add_up() -> None:
    """Aachen – Düren has a mine and a mill, Düren – Bonn a mine and two mills: together two and two."""
    game = aachen(("T1", "T4", "T8"), "ann")
    lines.token(game, "ADR", "K6")
    trips.locations(game, coal=("K2", "K10"), steel=("K6", "K10"))
    trips.runner(game, "ADR", "2", "2")
    routes = (("2", trips.AACHEN_LINE), ("2", ("K6:a", "K8", "K10:a")))
    assert met(game.apply(trips.run(game, "ADR", *routes))) == []
    trips.runner(game, "ADR", "3")
    whole = ("K2:a", "K4:a", "K6:a", "K8", "K10:a")
    assert met(game.apply(trips.run(game, "ADR", ("3", whole)))) == [("ann", "T1", 150)]


@pytest.mark.rule("RHL-8.4.1-f")
def test_another_directors_run_pays_nothing_until_the_owner_takes_the_company_over() -> None:
    game = aachen(("T1", "T4", "T8"), "bo")
    trips.locations(game, coal=("K2", "K4"), steel=("K4", "K6"))
    trips.runner(game, "ADR", "2")
    assert met(game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))) == []
    game.company("ADR").certificates[:] = ["bo", "ann", "ann", "cy", "ADR", "ADR", "ADR", "ADR", "ADR"]
    arrange.stock(game, "ann")
    arrange.cash(game, "ann", 500)
    assert met(game.apply(mv.BuyShare("ann", "ADR", "ADR", 10))) == [], "what was run before does not count"
    trips.runner(game, "ADR", "2")
    assert met(game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))) == [("ann", "T1", 150)]


BOXTEL = ("C2:a", "C4:a", "D5", "E6:a", "E8:b", "D9:a", "C10:b", "C12:a", "B13:a", "B15:a")


def boxtel(director: str, *foreign: str) -> Game:
    """Track from Boxtel over Gelsenkirchen, where BME has a station, to Berlin; DEE stands on red fields."""
    game = board("BME", targets=("T5", "T4", "T8"), director=director)
    arrange.floated(game, "DEE", "cy")
    for at, tile, way in (("C4", "58", "W-SE"), ("D5", "9", "NW-SE"), ("E6", "6", "NW-E"), ("E8", "69", "W-NE"),
                          ("D9", "929", "SW-NE"), ("C10", "56", "E-SW"), ("C12", "918", "W-NE"),
                          ("B13", "1", "E-SW")):  # fmt: skip
        lines.build(game, at, tile, way)
    lines.token(game, "BME", "C12")
    for at in foreign:
        lines.token(game, "DEE", at)
    return game


@pytest.mark.rule("RHL-8.4.1-T5")
@pytest.mark.rule("RHL-8.4.1-f")
def test_a_train_from_boxtel_to_berlin_is_paid_to_the_director() -> None:
    game = boxtel("ann")
    trips.runner(game, "BME", "5")
    assert met(game.apply(trips.run(game, "BME", ("5", BOXTEL)))) == [("ann", "T5", 100)]
    game = boxtel("ann")
    trips.runner(game, "BME", "5")
    assert met(game.apply(trips.run(game, "BME", ("5", BOXTEL[::-1])))) == [("ann", "T5", 100)]
    for part in (BOXTEL[:-1], BOXTEL[1:]):
        game = boxtel("ann")
        trips.runner(game, "BME", "5")
        assert met(game.apply(trips.run(game, "BME", ("5", part)))) == [], "one end is not enough"
    other = boxtel("bo")
    trips.runner(other, "BME", "5")
    assert met(other.apply(trips.run(other, "BME", ("5", BOXTEL)))) == []


@pytest.mark.rule("RHL-8.4.1-T5")
def test_a_foreign_station_in_berlin_does_not_stop_this_one_run() -> None:
    game = boxtel("ann", "B15")
    trips.runner(game, "BME", "5")
    assert game.best_routes("BME").routes[0].path in (BOXTEL, BOXTEL[::-1]), "it is found and suggested as well"
    refusal = arrange.refused(game, trips.run(game, "BME", ("5", BOXTEL[-3:])))
    assert (refusal.key, refusal.rule) == ("route.barred", "RHL-6.2.2-c")
    happened = game.apply(trips.run(game, "BME", ("5", BOXTEL)))
    assert met(happened) == [("ann", "T5", 100)]
    assert asking.of_kind(happened, ev.TrainsRun)[0].revenue == 10 + 10 + 20 + 10 + 50 + 10 + 40 + 10 + 50


@pytest.mark.rule("RHL-8.4.1-T5")
def test_the_bar_holds_for_others_and_once_the_card_is_paid() -> None:
    game = boxtel("ann", "B15")
    trips.runner(game, "BME", "5")
    game.apply(trips.run(game, "BME", ("5", BOXTEL)))
    trips.runner(game, "BME", "5")
    assert arrange.refused(game, trips.run(game, "BME", ("5", BOXTEL))).rule == "RHL-6.2.2-c"
    others = boxtel("bo", "B15")
    trips.runner(others, "BME", "5")
    assert arrange.refused(others, trips.run(others, "BME", ("5", BOXTEL))).rule == "RHL-6.2.2-c"


@pytest.mark.rule("RHL-8.4.1-T5")
def test_a_foreign_station_in_boxtel_bars_it() -> None:
    game = boxtel("ann", "C2")
    trips.runner(game, "BME", "5")
    assert arrange.refused(game, trips.run(game, "BME", ("5", BOXTEL))).rule == "RHL-6.2.2-c"


def siegerland(director: str) -> Game:
    """CME in Deutz has a way to Siegerland."""
    game = board("CME", targets=("T8", "T4", "T1"), director=director)
    lines.build(game, "I10", "932")
    lines.build(game, "J11", "9", "NW-SE")
    lines.build(game, "K12", "58", "NW-E")
    arrange.operating(game, "CME", "station")
    return game


@pytest.mark.rule("RHL-8.4.1-T8")
@pytest.mark.rule("RHL-8.4.1-f")
def test_a_station_in_siegerland_is_paid_to_the_director_who_builds_it() -> None:
    game = siegerland("ann")
    assert met(game.apply(lines.station(game, "CME", "J15"))) == [("ann", "T8", 60)]


@pytest.mark.rule("RHL-8.4.1-T8")
def test_a_station_elsewhere_pays_nothing() -> None:
    game = siegerland("ann")
    lines.build(game, "K10", "57", "NW-SE")
    lines.build(game, "J9", "8", "NE-SE")
    arrange.operating(game, "CME", "station")
    assert met(game.apply(lines.station(game, "CME", "K10"))) == []


@pytest.mark.rule("RHL-8.4.1-T8")
def test_who_takes_over_a_company_with_a_station_in_siegerland_gets_nothing() -> None:
    game = siegerland("bo")
    assert met(game.apply(lines.station(game, "CME", "J15"))) == []
    game.company("CME").certificates[:] = ["bo", "ann", "ann", "cy", "CME", "CME", "CME", "CME", "CME"]
    arrange.stock(game, "ann")
    arrange.cash(game, "ann", 500)
    assert met(game.apply(mv.BuyShare("ann", "CME", "CME", 10))) == []
    assert game.company("CME").director == "ann"
