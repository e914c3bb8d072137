"""The Railway Game: preparation, bids in boxes, private breweries (ledger sections 4.1 to 4.3.1)."""

from __future__ import annotations

import random

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, BLANK, CLOSED
from tests.titles.do import railway as r
from titles import registry
from titles.do.board.abilities import FreeToken
from titles.do.board.links import LinkLocation, LinkTokens
from titles.do.railways.private_breweries import GONE, SUPPLY, BreweryCards, TurnBrewery


def bid(game: Game, *bids: tuple[str, str, int]) -> None:
    for player, lot, price in bids:
        game.apply(mv.Bid(player, lot, price))


# ---------------------------------------------------------------------- preparation


@pytest.mark.rule("DO-4.1-a", "DO-4.4.2-a")
def test_a_home_token_lies_face_down_until_the_railway_floats() -> None:
    game = r.started()
    game.apply(mv.Found("ann", "BME", 60))
    assert game.board.stations_of("BME") == []
    assert not game.company("BME").active
    for player in ("bo", "cy"):
        game.apply(mv.BuyShare(player, "BME", "BME", 10))
    assert not game.company("BME").floated
    game.apply(mv.BuyShare("di", "BME", "BME", 10))
    assert game.company("BME").floated
    assert game.board.stations_of("BME") == [("I10", 0)]


@pytest.mark.rule("DO-4.1-b")
def test_tiles_of_the_brewery_game_are_not_in_the_supply() -> None:
    supply = r.new(1, 2, 3).state.board.supply
    assert {"1943", "1944", "1945", "1953"}.isdisjoint(supply)
    assert {"1938", "1941"} <= supply.keys()


@pytest.mark.rule("DO-4.1-c", "DO-2.8-a")
@pytest.mark.parametrize(("cards", "each", "bank"), [((1, 2, 3), 375, 7875), ((1, 2, 3, 4), 340, 7640)])
def test_the_bank_pays_the_starting_capital(cards: tuple[int, ...], each: int, bank: int) -> None:
    game = r.new(*cards)
    assert {game.state.cash[player] for player in game.state.seats} == {each}
    assert game.state.cash[BANK] == bank
    assert r.new(1, 2, 3, 4, 5).state.cash[BANK] == 7400


@pytest.mark.rule("DO-4.1-d")
def test_seats_follow_the_numbers_of_the_cards() -> None:
    rules = registry.rules("do", 3, {}, "trg")
    seats = set()
    for seed in range(40):
        game = Game(rules, ("ann", "bo", "cy"), seed)
        dealt = dict(zip(("ann", "bo", "cy"), random.Random(seed).sample(range(1, 6), 3), strict=True))
        assert game.state.seats == sorted(dealt, key=lambda player: dealt[player]), "the lowest number first"
        assert game.state.priority == game.state.seats[0]
        assert r.asked(game) == game.state.seats[0]
        assert sum(owner != CLOSED for owner in game.state.privates.values()) == 3
        seats.add(tuple(game.state.seats))
    assert len(seats) == 6
    assert len(r.seeds(3)) == 10  # any three of the five


@pytest.mark.rule("DO-4.1-e", "DO-0-a")
def test_the_first_brewery_has_two_cubes() -> None:
    assert BreweryCards.of(r.new(1, 2, 3)).cubes == {"P1": 2, "P2": 0, "P3": 0, SUPPLY: 35}
    assert BreweryCards.of(r.new(3, 4, 5)).cubes == {"P3": 0, "P4": 0, "P5": 0, SUPPLY: 37}
    assert BreweryCards.of(r.new(3, 4, 5)).markers == {"P3": "", "P4": "", "P5": ""}


@pytest.mark.rule("DO-4.1-f")
def test_the_second_brewery_keeps_a_place_in_the_city() -> None:
    assert r.new(1, 2, 3).board.spaces("E12", 0) == ["", "", "", BLANK]
    assert r.new(1, 3, 4).board.spaces("E12", 0) == ["", "", "", ""]
    game = r.started(1, 2, 3)
    for company in ("BME", "CME", "RhE"):
        r.floated(game, company)
        r.station(game, company, "E12")
    r.floated(game, "KWE")
    assert game.board.open_for("KWE", "E12", 0)  # the marker is no station


# ---------------------------------------------------------------------- bids


@pytest.mark.rule("DO-4.2.2-a", "DO-2.2.1-a")
def test_any_box_of_a_free_brewery_otherwise_a_higher_one() -> None:
    game = r.new(1, 2, 3)
    assert r.offered(game, "bid", lot="P3") == [60, 65, 70, 75]
    assert r.refused(game, mv.Bid("ann", "P3", 62)).rule == "DO-2.2.1-a"
    assert r.refused(game, mv.Bid("ann", "P4", 80)).rule == "DO-4.2.2-a"
    bid(game, ("ann", "P3", 65))
    assert r.refused(game, mv.Bid("bo", "P3", 60)).rule == "DO-4.2.2-a"
    assert r.refused(game, mv.Bid("bo", "P3", 65)).rule == "DO-4.2.2-a"
    assert r.offered(game, "bid", lot="P3") == [70, 75]
    game = r.new(1, 2, 3)
    bid(game, ("ann", "P3", 75))
    assert r.offered(game, "bid") == ["P1", "P2"]


@pytest.mark.rule("DO-4.2.2-b")
def test_who_is_topped_moves_and_who_leads_is_skipped() -> None:
    game = r.new(1, 2, 3)
    bid(game, ("ann", "P2", 40), ("bo", "P2", 45), ("cy", "P1", 20))
    assert r.asked(game) == "ann"
    assert r.refused(game, mv.Pass("ann")).rule == "DO-4.2.2-b"
    assert r.refused(game, mv.Bid("bo", "P3", 60)).rule == "DO-4.2.2-b"
    assert r.offered(game, "bid", lot="P2") == [50, 55]
    bid(game, ("ann", "P2", 50))
    assert r.asked(game) == "bo"  # cy leads at the first brewery
    bid(game, ("bo", "P1", 25))
    assert r.asked(game) == "cy"


@pytest.mark.rule("DO-4.2.2-c", "DO-4.2.2-d")
def test_all_pay_when_all_markers_lie_apart() -> None:
    game = r.new(2, 3, 5)
    bank = game.state.cash[BANK]
    bid(game, ("ann", "P5", 100), ("bo", "P3", 65))
    assert game.state.round.kind == "package"
    sold = r.seen(game, mv.Bid("cy", "P2", 45), ev.LotSold)
    assert [(event.player, event.lot, event.price) for event in sold] == [
        ("cy", "P2", 45),
        ("bo", "P3", 65),
        ("ann", "P5", 100),
    ]
    assert [game.state.cash[player] for player in game.state.seats] == [275, 310, 330]
    assert game.state.cash[BANK] == bank + 210
    assert {game.state.privates[lot] for lot in ("P2", "P3", "P5")} == {"ann", "bo", "cy"}
    assert (game.state.round.kind, game.state.priority, r.asked(game)) == ("stock", "cy", "cy")


@pytest.mark.rule("DO-4.2.2-c")
def test_a_bid_must_be_payable() -> None:
    game = r.new(1, 2, 3)
    r.cash(game, "ann", 62)
    assert r.refused(game, mv.Bid("ann", "P3", 65)).rule == "DO-4.2.2-c"
    assert r.offered(game, "bid", lot="P3") == [60]


# ---------------------------------------------------------------------- the first rounds


@pytest.mark.rule("DO-4.2-a")
@pytest.mark.parametrize(("phase", "rounds"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)])
def test_rounds_of_a_set_follow_the_phase_at_the_end_of_the_stock_round(phase: str, rounds: int) -> None:
    game = r.later()
    r.phase(game, phase)
    r.floated(game, "BME")
    r.trains(game, "BME", "8")
    r.end_stock(game)
    assert (game.state.round.kind, game.state.round.operating_total) == ("operating", rounds)
    r.phase(game, "8")
    assert game.state.round.operating_total == rounds  # what begins within a set waits for the next


@pytest.mark.rule("DO-4.2.3-a", "DO-4.2.3-b", "DO-4.3.2-a")
def test_the_first_stock_round() -> None:
    game = r.started()
    assert r.names(game) == {"found", "pass", "turn_brewery"}
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.3.2-a"
    game.apply(mv.Found("ann", "BME", 60))
    assert r.asked(game) == "bo"
    assert r.names(game) == {"found", "buy_share", "pass"}
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert r.refused(game, mv.BuyShare("bo", "BME", "BME", 10)).rule == "DO-4.4-b"
    r.floated(game, "CME", "cy", operated=True)
    assert "sell_shares" not in r.names(game, "cy")
    assert r.refused(game, mv.SellShares("cy", "CME", 10)).rule == "DO-4.2.3-b"
    r.stock(game, "cy", 2)
    assert "sell_shares" in r.names(game, "cy")


@pytest.mark.rule("DO-4.2.3-c")
def test_left_of_the_last_buyer_begins_next() -> None:
    game = r.started()
    game.apply(mv.Found("ann", "BME", 60))
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    r.passing(game, "cy", "di", "ann")
    assert game.state.round.kind == "stock"
    r.passing(game, "bo")
    assert game.state.priority == "cy"
    assert game.state.round.kind != "stock" or game.state.round.stock_number == 2


# ---------------------------------------------------------------------- private breweries


@pytest.mark.rule("DO-4.3.1-a", "DO-4.3.1-d")
def test_revenue_comes_until_a_card_is_turned() -> None:
    game = r.later(1, 2, 3, 4)
    r.floated(game, "BME", "bo")
    BreweryCards.of(game).turned.append("P1")
    before = {player: game.state.cash[player] for player in game.state.seats}
    r.end_stock(game)
    assert game.state.round.kind == "operating"
    gained = {player: game.state.cash[player] - before[player] for player in game.state.seats}
    assert gained == {"ann": 0, "bo": 10, "cy": 15, "di": 20}


@pytest.mark.rule("DO-4.3.1-b", "DO-4.3.1.2-b")
def test_cubes_on_the_face_cannot_be_carried() -> None:
    game = r.started(1, 2, 3)
    r.phase(game, "5")
    r.floated(game, "BME")
    r.trains(game, "BME", "5")
    fleets = game.rules.trains.fleets
    assert fleets(game, "BME") == [("5",)]
    r.operating(game, "BME", "track")
    game.apply(TurnBrewery("ann", "P1"))
    assert fleets(game, "BME") == [("5+1",)]


@pytest.mark.rule("DO-4.3.1-c")
def test_no_private_brewery_is_ever_sold() -> None:
    game = r.later(1, 2, 3)
    r.floated(game, "BME")
    assert r.names(game) <= {"found", "buy_share", "sell_shares", "turn_brewery", "pass"}
    assert shares.certificates(game, "ann") == 4  # nor does it count


@pytest.mark.rule("DO-4.3.1-d")
def test_the_first_6_train_turns_every_card() -> None:
    game = r.later(1, 2, 3, 4)
    r.floated(game, "BME")
    r.marker(game, 4, "BME")
    r.begin(game, "5")
    assert BreweryCards.of(game).turned == ["P4"]
    r.begin(game, "6")
    assert sorted(BreweryCards.of(game).turned) == ["P1", "P2", "P3", "P4"]
    before = dict(game.state.cash)
    r.end_stock(game)
    assert {player: game.state.cash[player] - before[player] for player in game.state.seats} == dict.fromkeys(
        game.state.seats, 0
    )


@pytest.mark.rule("DO-4.3.1-e")
def test_a_marker_goes_to_a_railway_of_its_owner_in_their_own_turn() -> None:
    game = r.later(2, 3, 4, player="ann")
    r.floated(game, "CME", "bo")
    assert r.refused(game, TurnBrewery("ann", "P2", "CME")).rule == "DO-4.3.1-e"  # she directs nothing
    r.founded(game, "BME", "ann")
    assert r.offered(game, "turn_brewery", private="P2") == ["BME"]  # founded is enough
    assert r.refused(game, TurnBrewery("ann", "P2", "CME")).rule == "DO-4.3.1-e"
    assert r.refused(game, TurnBrewery("ann", "P2")).rule == "DO-4.3.1-e"  # its marker has to go somewhere
    assert r.refused(game, TurnBrewery("ann", "P3", "BME")).rule == "DO-4.3.1-e"
    assert r.refused(game, TurnBrewery("bo", "P3", "CME")).rule == "DO-4.4-b"  # not bo's turn
    game.apply(TurnBrewery("ann", "P2", "BME"))
    assert BreweryCards.of(game).markers["P2"] == "BME"
    assert r.refused(game, TurnBrewery("ann", "P2", "BME")).rule == "DO-4.3.1-d"
    r.operating(game, "CME", "track")
    assert "turn_brewery" in r.names(game, "bo")
    assert "turn_brewery" not in r.names(game, "cy")


@pytest.mark.rule("DO-4.3.1-e")
def test_turning_a_card_is_no_action() -> None:
    game = r.later(1, 2, 3, player="ann")
    game.state.priority = "ann"
    r.founded(game, "BME", "ann")
    game.apply(TurnBrewery("ann", "P1"))
    assert r.asked(game) == "ann"
    r.passing(game, "ann", "bo", "cy")
    assert game.state.round.kind != "stock" or game.state.round.stock_number == 3
    assert game.state.priority == "ann"


@pytest.mark.rule("DO-4.3.1-f", "DO-4.3.1-d")
def test_markers_that_no_railway_has_leave_with_the_first_6_train() -> None:
    game = r.later(2, 3, 4)
    r.floated(game, "BME")
    r.marker(game, 4, "BME")
    r.begin(game, "6")
    assert BreweryCards.of(game).markers == {"P2": GONE, "P3": GONE, "P4": "BME"}
    assert game.rules.faults(game) == []


# ---------------------------------------------------------------------- markers for stations


def towards_city(*cards: int, treasury: int = 1000) -> Game:
    """BME, which ann directs, has track to Dortmund City."""
    game = r.started(*cards)
    r.floated(game, "BME", treasury=treasury)
    r.station(game, "BME", "E14")
    game.company("BME").tokens_left = [60, 80, 100, 100]
    r.operating(game, "BME", "station")
    return game


def fill_city(game: Game, *companies: str) -> None:
    for company in companies:
        r.floated(game, company, "bo")
        r.station(game, company, "E12")
    r.operating(game, "BME", "station")


@pytest.mark.rule("DO-4.3.1.1-b", "DO-4.3.1.1-a", "DO-4.5.3-d")
def test_the_second_marker_builds_on_the_kept_place() -> None:
    game = towards_city(2, 3, 4)
    fill_city(game, "CME", "RhE", "KWE")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0)).rule == "DO-4.5.3-d"
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0, "P2")).rule == "DO-4.3.1.1-a"
    r.marker(game, 2, "BME")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0)).rule == "DO-4.5.3-d"
    bank, treasury = game.state.cash[BANK], game.state.cash["BME"]
    game.apply(mv.PlaceStation("ann", "BME", "E12", 0, "P2"))
    assert (game.state.cash[BANK] - bank, game.state.cash["BME"]) == (60, treasury - 60)
    assert game.board.spaces("E12", 0) == ["CME", "RhE", "KWE", "BME"]
    assert BreweryCards.of(game).markers["P2"] == GONE
    assert game.rules.faults(game) == []


@pytest.mark.rule("DO-4.3.1.1-b", "DO-4.5.3-d")
def test_the_kept_place_is_free_in_the_grey_phase() -> None:
    game = towards_city(2, 3, 4)
    fill_city(game, "CME", "RhE", "KWE")
    r.begin(game, "6")
    r.operating(game, "BME", "station")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0)).rule == "DO-4.5.3-d"
    r.begin(game, "8")
    r.operating(game, "BME", "station")
    game.apply(mv.PlaceStation("ann", "BME", "E12", 0))
    assert "BME" in game.board.spaces("E12", 0)


@pytest.mark.rule("DO-4.3.1.1-b", "DO-4.5.3-d")
@pytest.mark.parametrize("taken", ["DGEE", ""])
def test_the_second_marker_is_of_no_use_when_no_place_is_kept(taken: str) -> None:
    game = towards_city(2, 3, 4)
    fill_city(game, "CME", "RhE", "KWE")
    r.marker(game, 2, "BME")
    r.begin(game, "8")
    game.board.spaces("E12", 0)[3] = taken
    r.operating(game, "BME", "station")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0, "P2")).key == "station.marker.place"


@pytest.mark.rule("DO-4.3.1.1-b", "DO-4.3.1.1-c")
@pytest.mark.parametrize("card", [2, 3])
def test_no_marker_builds_where_no_route_leads(card: int) -> None:
    game = r.started(2, 3, 4)
    r.floated(game, "BME")
    r.marker(game, card, "BME")
    r.operating(game, "BME", "station")
    assert "place_station" not in r.names(game)
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0, f"P{card}")).key == "station.route"


@pytest.mark.rule("DO-4.3.1.1-c", "DO-4.3.1.1-a")
def test_the_third_marker_halves_the_price_in_the_city() -> None:
    game = towards_city(2, 3, 4, treasury=30)
    r.marker(game, 3, "BME")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0)).rule == "DO-4.5.3-b"
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E14", 0, "P3")).rule == "DO-4.3.1.1-c"
    game.apply(mv.PlaceStation("ann", "BME", "E12", 0, "P3"))
    assert game.state.cash["BME"] == 0
    assert game.board.spaces("E12", 0) == ["BME", "", "", BLANK]
    assert BreweryCards.of(game).markers["P3"] == GONE
    game = towards_city(2, 3, 4)
    r.marker(game, 3, "BME")
    game.company("BME").tokens_left = [80, 100, 100]
    game.apply(mv.PlaceStation("ann", "BME", "E12", 0, "P3"))
    assert game.state.cash["BME"] == 960
    game = towards_city(2, 3, 4)
    r.marker(game, 3, "BME")
    fill_city(game, "CME", "RhE", "KWE")
    assert r.refused(game, mv.PlaceStation("ann", "BME", "E12", 0, "P3")).rule == "DO-4.5.3-d"  # not with the second


# ---------------------------------------------------------------------- cubes of links


def linking(*cards: int) -> Game:
    """BME of ann can link G12 and H15."""
    game = r.started(*cards)
    r.floated(game, "BME")
    r.south(game)
    r.operating(game, "BME", "link")
    return game


@pytest.mark.rule("DO-4.3.1.2-a", "DO-4.5.4.3-a", "DO-4.5.4.1-a")
def test_a_link_brings_a_cube_to_the_card_of_the_director() -> None:
    game = linking(2, 3, 4)
    bank = game.state.cash[BANK]
    game.apply(LinkLocation("ann", "BME", "G12"))
    assert BreweryCards.of(game).cubes == {"P2": 1, "P3": 0, "P4": 0, SUPPLY: 36}
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (970, bank + 30)
    assert r.names(game) & {"link_location"} == set()
    r.phase(game, "3")
    r.operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "G12"))
    assert BreweryCards.of(game).cubes["P2"] == 2
    game.apply(TurnBrewery("ann", "P2", "BME"))
    r.phase(game, "5")
    r.operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "G12"))
    assert BreweryCards.of(game).cubes["P2"] == 3


@pytest.mark.rule("DO-4.5.4.3-a")
def test_a_link_is_made_without_a_cube_when_the_supply_is_empty() -> None:
    game = linking(2, 3, 4)
    r.cubes(game, "bo", 37, turned=False)
    game.apply(LinkLocation("ann", "BME", "G12"))
    assert LinkTokens.of(game).values == {"G12": 10}
    assert BreweryCards.of(game).cubes == {"P2": 0, "P3": 37, "P4": 0, SUPPLY: 0}


@pytest.mark.rule("DO-4.5.4.3-b")
@pytest.mark.parametrize(
    ("phase", "now", "supply", "gained"),
    [("5", 20, 9, 1), ("6", 20, 9, 2), ("8", 20, 9, 2), ("6", 10, 9, 1), ("6", 0, 9, 1), ("6", 20, 1, 1)],
)
def test_links_of_30_bring_two_cubes_after_the_first_6_train(phase: str, now: int, supply: int, gained: int) -> None:
    game = linking(2, 3, 4)
    if now:
        r.link(game, "G12", now)
    r.cubes(game, "bo", 37 - supply, turned=False)
    r.phase(game, phase)
    r.operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "G12"))
    assert BreweryCards.of(game).cubes["P2"] == gained


@pytest.mark.rule("DO-4.3.2.1-b")
def test_kwe_has_one_coal_token_that_costs_nothing() -> None:
    game = r.started(2, 3, 4)
    r.floated(game, "KWE", treasury=30)
    r.put(game, "C18", "1904", "W", "E")
    r.put(game, "C16", "1904", "W", "E")
    r.operating(game, "KWE", "link")
    costs = {o.value: o.facts["cost"] for o in game.offer().find("link_location").ask({}).options}  # type: ignore[union-attr]
    assert costs == {"C18": 0, "C16": 0}
    step = game.rules.rounds["operating"].steps["railway"]["link"]  # type: ignore[attr-defined]
    assert (step.cost(game, "KWE", "C14"), step.cost(game, "BME", "C18")) == (30, 30)  # steel; another railway
    game.apply(LinkLocation("ann", "KWE", "C18"))
    assert (game.state.cash["KWE"], BreweryCards.of(game).cubes["P2"]) == (30, 1)
    assert "link_location" not in r.names(game)
    r.operating(game, "KWE", "link")
    game.apply(LinkLocation("ann", "KWE", "C16"))
    assert game.state.cash["KWE"] == 0


@pytest.mark.rule("DO-4.3.2.1-b")
def test_kwe_keeps_its_token_when_it_extends_a_link() -> None:
    game = r.started(2, 3, 4)
    r.phase(game, "3")
    r.floated(game, "KWE", treasury=30)
    r.put(game, "C18", "1904", "W", "E")
    r.link(game, "C18", 10)
    r.operating(game, "KWE", "link")
    game.apply(LinkLocation("ann", "KWE", "C18"))
    assert (game.state.cash["KWE"], FreeToken.of(game).used) == (0, False)
