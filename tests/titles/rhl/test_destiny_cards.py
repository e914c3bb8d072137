"""Destiny cards: dealt hidden, one given up unseen, and what each of the twelve is worth at the end (8.4.2)."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import to_json
from engine.remembered import Acted
from engine.routes.legs import Node
from engine.rules import cash_and_shares
from tests.titles import arranging
from tests.titles.rhl import arrange, asking, lines, trips
from titles.rhl.destiny import DestinyDiscarded, DestinyHand, DestinyShown, DiscardDestiny, industries, most_towns

ALL = {f"D{number}" for number in range(1, 13)}
BONUS = dict(zip([f"D{number}" for number in range(1, 13)],
                 [100, 100, 120, 120, 140, 140, 160, 160, 120, 160, 140, 120], strict=True))  # fmt: skip


def hand(game: Game, player: str) -> list[str]:
    return list(game.hidden(player)["destiny"])


def keeping(cards: dict[str, str], **options: Any) -> Game:
    """A game after its first stock round, everybody with one card; who is not named has one that pays nothing yet."""
    game = arrange.after_package(destiny_cards=True, **options)
    spare = iter(sorted(ALL - set(cards.values()), reverse=True))
    for player in game.state.seats:
        DestinyHand.of(game, player).destiny = [cards.get(player) or next(spare)]
    game.state.board.markers.clear()
    arrange.operating(game, "RhE", "track")
    return game


def paid(game: Game, player: str = "ann") -> int:
    """What a player's card adds when the game ends now."""
    twin = game.copy()
    before = cash_and_shares(twin)
    twin.finish("bank")
    after = twin.rules.score(twin)
    shown = {event.player: event for event in twin._events if isinstance(event, DestinyShown)}
    assert shown.keys() == set(twin.state.seats)
    for each in twin.state.seats:
        assert after[each] - before[each] == shown[each].amount
        assert shown[each].amount in (0, BONUS[shown[each].card])
    assert twin.state.cash == game.state.cash, "it counts for the score, no cash changes hands"
    return shown[player].amount


# ---------------------------------------------------------------------- hidden


@pytest.mark.rule("RHL-8.4.2-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_everybody_is_dealt_two_different_cards(players: int) -> None:
    dealt: set[str] = set()
    for seed in range(12):
        game = titles.new_game("rhl", arrange.SEATS[:players], {"destiny_cards": True}, seed)
        cards = [card for player in game.state.seats for card in hand(game, player)]
        assert [len(hand(game, player)) for player in game.state.seats] == [2] * players
        assert len(set(cards)) == 2 * players
        dealt |= set(cards)
    assert dealt == ALL


def before_operating(players: int = 3) -> Game:
    """The first stock round has just ended."""
    game = arrange.after_package(players, destiny_cards=True)
    arranging.passing(game, *game.from_seat(game.state.round.actor))
    return game


@pytest.mark.rule("RHL-8.4.2-a")
def test_the_first_operating_round_waits_for_all_discards() -> None:
    game = before_operating()
    assert game.state.round.kind == "destiny"
    assert set(game.offer().deciders) == {"ann", "bo", "cy"}
    hands = {player: hand(game, player) for player in game.state.seats}
    for number, player in enumerate(("cy", "ann", "bo")):
        (choice,) = game.offer().of(player)
        assert choice.secret
        assert asking.values(game, "discard_destiny", player) == hands[player]
        assert game.state.round.kind == "destiny"
        assert arrange.refused(game, mv.Pass(player)).rule == "RHL-8.4.2-a"
        game.apply(DiscardDestiny(player, hands[player][number % 2]))
        assert hand(game, player) == [hands[player][1 - number % 2]]
        assert faults(game) == []
    assert (game.state.round.kind, game.state.round.operating_number) == ("operating", 1)
    assert game.state.round.stock_number == 1


@pytest.mark.rule("RHL-8.4.2-a")
def test_only_ones_own_card_goes_and_only_one() -> None:
    game = before_operating()
    own, other = hand(game, "ann"), hand(game, "bo")
    for card in (other[0], "D99", ""):
        refusal = arrange.refused(game, DiscardDestiny("ann", card))
        assert (refusal.key, refusal.rule) == ("cards.hand", "RHL-8.4.2-a")
        assert not refusal.facts, "a refusal tells nothing of a hand"
    game.apply(DiscardDestiny("ann", own[0]))
    assert arrange.refused(game, DiscardDestiny("ann", own[1])).key == "turn.player"


@pytest.mark.rule("RHL-8.4.2-a")
def test_later_stock_rounds_ask_for_no_card() -> None:
    game = keeping({})
    arrange.stock(game, "ann", 2)
    arranging.passing(game, "ann", "bo", "cy")
    assert game.state.round.kind == "operating"


@pytest.mark.rule("RHL-8.4.2-a")
def test_no_move_or_event_names_a_card_to_anybody_else() -> None:
    game = before_operating()
    card = hand(game, "ann")[0]
    happened = game.apply(DiscardDestiny("ann", card))
    assert happened == (DestinyDiscarded("ann"),)
    assert to_json(game.moves[-1].seen_by("ann"))["card"] == card
    for viewer in ("bo", ""):
        assert to_json(game.moves[-1].seen_by(viewer))["card"] == ""
    assert game.rules.secret
    told = json.dumps([event.data() for event in game.opening])
    assert not any(f'"{name}"' in told for name in ALL)
    assert game.rules.open_cards(game) == []


# ---------------------------------------------------------------------- the end


@pytest.mark.rule("RHL-8.4.2-b")
def test_a_wish_counts_at_the_end_alone() -> None:
    """ann's RhE is alone on top: 100 in the final score, nothing before, and no cash at any time."""
    game = keeping({"ann": "D2"}, buyers={"RHE-DIR": "ann"})
    assert game.rules.score(game) == cash_and_shares(game)
    assert paid(game) == 100
    arrange.floated(game, "ADR", "bo", par=75)
    assert game.prices.value("ADR") == game.prices.value("RhE")
    assert paid(game) == 0, "a draw"


@pytest.mark.rule("RHL-8.4.2-b")
def test_two_companies_of_one_player_on_top_are_a_draw_too() -> None:
    game = keeping({"ann": "D2"}, buyers={"RHE-DIR": "ann"})
    arrange.floated(game, "ADR", "ann", par=75)
    assert paid(game) == 0
    asking.price(game, "ADR", (0, 12))
    assert paid(game) == 100


@pytest.mark.rule("RHL-8.4.2-b")
def test_the_cards_are_shown_after_a_bankruptcy_too() -> None:
    game = keeping({"ann": "D2"}, buyers={"RHE-DIR": "ann"}, bankruptcy_end=True)
    arrange.floated(game, "ADR", "bo", treasury=0)
    trips.aachen_line(game)
    arrange.sell_out(game, "2")
    game.company("ADR").certificates[:] = ["bo", "ann", *["pool"] * 5, "cy", "cy"]
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "bo", 0)
    asking.price(game, "RhE", (0, 12))
    arrange.take_offer(game)
    worth = cash_and_shares(game)["ann"]
    happened = game.apply(mv.GoBankrupt("bo", "ADR"))
    shown = {event.player: (event.card, event.amount) for event in asking.of_kind(happened, DestinyShown)}
    assert shown["ann"] == ("D2", 100)
    assert dict(asking.of_kind(happened, ev.GameEnded)[0].scores)["ann"] == worth + 100
    assert {(card.id, card.owner, card.paid) for card in game.rules.open_cards(game)} == {
        (card, player, amount > 0) for player, (card, amount) in shown.items()
    }


# ---------------------------------------------------------------------- the twelve


@pytest.mark.rule("RHL-8.4.2-c")
@pytest.mark.rule("RHL-8.4.2-d")
def test_d1_two_trains_on_one_company() -> None:
    game = keeping({"ann": "D1"})
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "BME", "ann")
    arrange.trains(game, "ADR", "2")
    arrange.trains(game, "BME", "2")
    assert paid(game) == 0, "one each on two companies"
    arrange.trains(game, "ADR", "3")
    assert paid(game) == 100
    arrange.trains(game, "ADR", "4")
    assert paid(game) == 100, "at least two"
    game.company("ADR").director = "bo"
    assert paid(game) == 0


@pytest.mark.rule("RHL-8.4.2-d")
def test_d2_the_value_counts_not_the_place_and_whoever_directs_the_other() -> None:
    game = keeping({"ann": "D2"}, buyers={"RHE-DIR": "ann"})
    arrange.floated(game, "ADR", "bo", par=75)
    asking.price(game, "RhE", (0, 3))
    asking.price(game, "ADR", (1, 4))
    assert game.prices.value("RhE") == game.prices.value("ADR") == 100
    assert paid(game) == 0
    asking.price(game, "ADR", (0, 3))
    asking.price(game, "RhE", (1, 4))
    assert paid(game) == 0
    asking.price(game, "RhE", (0, 3))
    asking.price(game, "ADR", (1, 3))
    assert paid(game) == 100


@pytest.mark.rule("RHL-8.4.2-d")
def test_d3_two_metropolises_grey_and_one_brown_by_anyone() -> None:
    game = keeping({"ann": "D3"})
    lines.build(game, "D9", "932")
    lines.build(game, "F9", "927")
    lines.build(game, "I10", "928")
    assert paid(game) == 0, "one grey and two brown"
    lines.build(game, "I10", "932")
    assert paid(game) == 120
    game = keeping({"ann": "D3"})
    lines.build(game, "D9", "932")
    lines.build(game, "I10", "932")
    assert paid(game) == 0, "the third is yellow"
    lines.build(game, "F9", "921")
    assert paid(game) == 0, "and green"


@pytest.mark.rule("RHL-8.4.2-e")
@pytest.mark.rule("RHL-8.4.2-c")
def test_d4_one_company_must_reach_the_most_industries() -> None:
    """ann's ADR reaches two, her GVE two others; bo's BME three."""
    game = keeping({"ann": "D4"})
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    trips.locations(game, coal=("K4",), steel=("K6",))
    assert paid(game) == 120
    arrange.floated(game, "BME", "bo")
    lines.build(game, "E14", "8", "W-NE")
    lines.build(game, "D13", "934", "NE-E")
    lines.token(game, "BME", "D13")
    assert paid(game) == 0, "a draw: BME reaches a mine and a mill of the Eastern Ruhr"
    trips.locations(game, coal=("K4", "K2"), steel=("K6",))
    assert paid(game) == 120
    arrange.floated(game, "GVE", "ann")
    trips.locations(game, coal=("K4", "G6"), steel=("K6", "G6", "D13"))
    assert paid(game) == 0, "three against two and two"


@pytest.mark.rule("RHL-8.4.2-e")
def test_d4_a_location_behind_a_full_foreign_city_does_not_count() -> None:
    """bo's ADR cannot pass ann's GVE in Düren: the mine in Bonn is GVE's alone."""
    game = keeping({"ann": "D4"})
    arrange.floated(game, "ADR", "bo")
    arrange.floated(game, "GVE", "ann")
    trips.aachen_line(game)
    lines.build(game, "K8", "9", "E-W")
    lines.build(game, "K10", "6", "W-SE")
    trips.locations(game, coal=("K10",))
    assert paid(game, "bo") == paid(game) == 0
    assert industries(game, "ADR") == 1
    lines.token(game, "GVE", "K6")
    assert (industries(game, "ADR"), industries(game, "GVE")) == (0, 1)
    assert paid(game) == 120
    lines.token(game, "ADR", "K10")
    assert paid(game) == 0, "traced from all its stations: both reach it"


@pytest.mark.rule("RHL-8.4.2-e")
def test_d4_a_mine_and_a_mill_on_one_hex_are_two() -> None:
    game = keeping({"ann": "D4"})
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    trips.locations(game, coal=("K4",), steel=("K4",))
    assert industries(game, "ADR") == 2
    arrange.floated(game, "GVE", "bo")
    trips.locations(game, coal=("K4", "G6"), steel=("K4",))
    assert industries(game, "GVE") == 1
    assert paid(game) == 120


@pytest.mark.rule("RHL-8.4.2-e")
@pytest.mark.rule("RHL-8.4.2-c")
def test_d5_the_stations_of_all_ones_companies_add_up() -> None:
    """ann's companies have three and two stations, bo's one company four (and its home makes five: a draw)."""
    game = keeping({"ann": "D5"}, buyers={"RHE-DIR": "cy"})
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "DEE", "ann")
    arrange.floated(game, "BME", "bo")
    for company, at in (("ADR", "K6"), ("ADR", "E2"), ("DEE", "G2")):
        lines.token(game, company, at)
    for at in ("J15", "A14", "B15"):
        lines.token(game, "BME", at)
    assert paid(game) == 140, "five against four"
    lines.token(game, "BME", "C2")
    assert paid(game) == 0, "a draw"
    game.board.place_beside("DEE", "K2")
    arrange.take_offer(game)
    assert paid(game) == 140, "a token beside the spaces counts"


@pytest.mark.rule("RHL-8.4.2-e")
def test_d6_a_station_on_the_grey_tile() -> None:
    game = keeping({"ann": "D6"})
    arrange.floated(game, "BME", "ann")
    lines.build(game, "D11", "916", "E-W")
    lines.token(game, "BME", "D11")
    assert paid(game) == 0, "a brown tile"
    lines.build(game, "D11", "948", "E-W")
    assert paid(game) == 140
    game.board.remove_stations("BME", "D11")
    lines.token(game, "BME", "E2")
    assert paid(game) == 0, "the tile alone is nothing"
    lines.token(game, "BME", "D11")
    game.company("BME").director = "bo"
    assert paid(game) == 0


@pytest.mark.rule("RHL-8.4.2-f")
def test_d7_certificates_of_more_companies_than_anyone() -> None:
    game = keeping({"ann": "D7"})
    for company in game.state.companies:
        for number in range(len(game.company(company).certificates)):
            game.company(company).certificates[number] = "pool"
    for number, company in enumerate(("ADR", "BME", "CCE", "CME", "DEE", "GVE")):
        game.company(company).certificates[1] = "ann"
        game.company(company).certificates[2] = "bo" if number < 5 else "pool"
    assert paid(game) == 160
    game.company("ADR").certificates[3] = game.company("ADR").certificates[4] = "bo"
    game.state.privates["PWB"] = "bo"
    assert paid(game) == 160, "more of one company, or a private company, adds nothing"
    game.company("MKB").certificates[1] = "bo"
    assert paid(game) == 0, "six against six"


@pytest.mark.rule("RHL-8.4.2-f")
def test_d8_town_hexes_in_one_route_of_one_train() -> None:
    """ADR's 2-train has one town; BME's has C10 and B13: a hex with two towns counts once."""
    game = keeping({"ann": "D8"})
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "BME", "bo")
    trips.aachen_line(game)
    assert paid(game) == 0, "without trains nobody has a route"
    arrange.trains(game, "ADR", "2")
    assert paid(game) == 160
    lines.build(game, "B13", "1", "E-SW")
    lines.build(game, "C12", "918", "NE-SE")
    lines.token(game, "BME", "C12")
    arrange.trains(game, "BME", "2")
    assert (most_towns(game, "ADR"), most_towns(game, "BME")) == (1, 1)
    assert paid(game) == 0
    lines.build(game, "K8", "8", "W-NE")
    lines.build(game, "J9", "9", "NE-SW")
    lines.build(game, "I10", "932")
    lines.build(game, "J11", "9", "NW-SE")
    lines.build(game, "K12", "4", "NW-SE")
    assert paid(game) == 0, "a 2-train does not come that far"
    arrange.trains(game, "ADR", "5")
    assert most_towns(game, "ADR") == 2
    assert paid(game) == 160


@pytest.mark.rule("RHL-8.4.2-f")
def test_d8_towns_are_nothing_to_the_rheingold_express() -> None:
    game = keeping({"ann": "D8"})
    arrange.floated(game, "RhE", "ann")
    trips.rheingold(game)
    arrange.trains(game, "RhE", "8")
    assert {word for route in game.best_routes("RhE").routes for word in route.path} >= {"C10:a", "G10:a"}
    assert most_towns(game, "RhE") == 0
    arrange.trains(game, "RhE", "5")
    assert most_towns(game, "RhE") == 3


@pytest.mark.rule("RHL-8.4.2-f")
def test_d8_two_towns_of_one_hex_count_once() -> None:
    """A circle by G10: the train passes both of its towns."""
    game = keeping({"ann": "D8"})
    arrange.floated(game, "DEE", "ann")
    lines.build(game, "F9", "927")
    lines.build(game, "G10", "2", "NW-SE", "NE-E")
    lines.build(game, "F11", "7", "W-SW")
    arrange.trains(game, "DEE", "5")
    brute = max(count(game, path) for path in routes(game, "DEE", "5"))
    assert most_towns(game, "DEE") == brute == 1
    twice = [path for path in routes(game, "DEE", "5") if {"G10:a", "G10:b"} <= set(path)]
    assert twice, "there is a route through both"


def routes(game: Game, company: str, train: str) -> list[tuple[str, ...]]:
    """All legal routes of a train, found by walking everywhere."""
    router = game.router(company)
    found = []

    def go(node: Node, path: tuple[str, ...], used: int) -> None:
        with contextlib.suppress(Refused):
            found.append(router.trace(train, path).path)
        for leg in game.book().legs(node):
            if not used & leg.mask and len(path) < 12:
                go(leg.to, (*path, *leg.via, f"{leg.to[0]}:{'abc'[leg.to[1]]}"), used | leg.mask)

    for at, face in game.board.faces.items():
        for stop in range(len(face.stops)):
            go((at, stop), (f"{at}:{'abc'[stop]}",), 0)
    return found


def count(game: Game, path: tuple[str, ...]) -> int:
    towns = set()
    for word in path:
        at, colon, letter = word.partition(":")
        if colon and game.board.faces[at].stops["abc".index(letter)].kind == "town":
            towns.add(at)
    return len(towns)


@pytest.mark.rule("RHL-8.4.2-f")
def test_d8_is_exact_on_a_real_board() -> None:
    """The search for town hexes finds what walking everywhere finds."""
    game = keeping({"ann": "D8"})
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    lines.build(game, "K8", "8", "W-NE")
    lines.build(game, "J9", "9", "NE-SW")
    lines.build(game, "H9", "4", "NW-SE")
    lines.build(game, "I10", "932")
    lines.build(game, "J11", "9", "NW-SE")
    lines.build(game, "K12", "4", "NW-SE")
    for train in ("2", "3", "4", "5"):
        game.company("ADR").trains[:] = [train]
        assert most_towns(game, "ADR") == max(count(game, path) for path in routes(game, "ADR", train))


@pytest.mark.rule("RHL-8.4.2-g")
def test_d9_stations_on_two_red_fields() -> None:
    game = keeping({"ann": "D9"})
    arrange.floated(game, "BME", "ann")
    arrange.floated(game, "DEE", "ann")
    lines.token(game, "BME", "A14")
    lines.token(game, "BME", "J15")
    assert paid(game) == 0, "Siegerland is grey"
    lines.token(game, "DEE", "B15")
    assert paid(game) == 0, "two companies do not add up"
    lines.token(game, "BME", "C2")
    assert paid(game) == 120


@pytest.mark.rule("RHL-8.4.2-g")
def test_d10_the_fullest_treasury() -> None:
    game = keeping({"ann": "D10"}, buyers={"RHE-DIR": "cy"})
    arrange.floated(game, "ADR", "ann", treasury=300)
    arrange.floated(game, "BME", "bo", treasury=290)
    arrange.cash(game, "RhE", 0)
    arrange.cash(game, "bo", 900)
    assert paid(game) == 160, "private cash does not matter"
    arrange.cash(game, "BME", 300)
    assert paid(game) == 0


@pytest.mark.rule("RHL-8.4.2-h")
def test_d11_the_highest_revenue_of_the_last_round() -> None:
    """BME once earned 300, but not in the round that is the last; withheld revenue counts."""
    game = keeping({"ann": "D11"})
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "BME", "bo")
    trips.aachen_line(game)
    game.company("BME").last_revenue = 300
    trips.runner(game, "ADR", "2")
    game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))
    game.apply(mv.Dividend("ann", "ADR", "withhold"))
    assert paid(game) == 140
    Acted.of(game).acted.append("BME")
    assert paid(game) == 0, "if it was in this round"
    game.company("BME").last_revenue = 50
    assert paid(game) == 0, "a draw with ADR's 20 + 10 + 20"
    game.company("BME").last_revenue = 0
    assert paid(game) == 140


@pytest.mark.rule("RHL-8.4.2-b")
def test_nobody_is_on_top_with_nothing() -> None:
    """ann's RhE is the only company, but has earned nothing in the last round and has nothing in its treasury."""
    for card in ("D10", "D11"):
        game = keeping({"ann": card}, buyers={"RHE-DIR": "ann"})
        arrange.cash(game, "RhE", 0)
        game.company("RhE").last_revenue = 0
        assert paid(game) == 0
    arrange.cash(game, "RhE", 1)
    game.company("RhE").last_revenue = 10
    assert paid(game) == 140


@pytest.mark.rule("RHL-8.4.2-h")
def test_d12_ways_to_all_five_dutch_cities_by_one_company() -> None:
    game = keeping({"ann": "D12"})
    arrange.floated(game, "CCE", "ann")
    arrange.floated(game, "DEE", "bo")
    for at, tile, ways in (
        ("E6", "15", ("SW", "NW", "NE")), ("F5", "88", ("NE-W", "NE-SW")), ("F3", "8", ("NW-E",)),
        ("G4", "8", ("W-NE",)), ("D3", "9", ("NE-SW",)), ("C4", "143", ("SW-NW", "NW-W")),
    ):  # fmt: skip
        lines.build(game, at, tile, *ways)
    reached = {at for at, _ in game.reach("CCE").stops} & {"A4", "A6", "C2", "E2", "G2"}
    assert reached == {"A4", "C2", "E2", "G2"}
    assert paid(game) == 0, "four of the five"
    lines.token(game, "CCE", "B9")
    lines.build(game, "B9", "57", "E-W")
    assert paid(game) == 120, "Arnhem by another way"
    lines.token(game, "DEE", "C2")
    assert paid(game) == 120, "a foreign station in Boxtel does not matter"
    game.company("CCE").director = "bo"
    assert paid(game) == 0


@pytest.mark.rule("RHL-8.4.2-h")
def test_d12_two_companies_do_not_add_up() -> None:
    game = keeping({"ann": "D12"})
    arrange.floated(game, "CCE", "ann")
    arrange.floated(game, "DEE", "ann")
    for at, tile, ways in (
        ("E6", "15", ("SW", "NW", "NE")), ("F5", "88", ("NE-W", "NE-SW")), ("F3", "8", ("NW-E",)),
        ("G4", "8", ("W-NE",)), ("D3", "9", ("NE-SW",)), ("C4", "143", ("SW-NW", "NW-W")), ("B9", "57", ("E-W",)),
    ):  # fmt: skip
        lines.build(game, at, tile, *ways)
    lines.token(game, "DEE", "B9")
    assert paid(game) == 0
