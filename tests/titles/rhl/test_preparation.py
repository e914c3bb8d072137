"""Components and preparation: what a new game of 18Rhl looks like."""

from __future__ import annotations

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from tests.titles.arranging import asked, walk
from tests.titles.rhl import arrange
from tests.titles.rhl.asking import pass_until, permits, pool, values
from titles.rhineland.course import LocationCard, OrderCards

HOMES = {
    "ADR": [("K2", 0)],
    "BME": [("F13", 1)],
    "CCE": [("I10", 1), ("E6", 0)],
    "CME": [("I10", 2)],
    "DEE": [("F9", 1)],
    "GVE": [("G6", 1)],
    "MKB": [("D7", 0)],
    "RhE": [("I10", 0)],
}
ORDER_CARDS = {
    ("J3", "E6"), ("K4", "D9"), ("D9", "E6"), ("D9", "D13"), ("C12", "E6"),
    ("C12", "D9"), ("J3", "D13"), ("D11", "E6"), ("D11", "D9"),
}  # fmt: skip


def seeded(seed: int, players: int = 3) -> Game:
    return titles.new_game("rhl", arrange.SEATS[:players], {}, seed)


def line_aachen_düren(game: Game) -> None:
    """Track K2 – K4 – K6."""
    arrange.lay(game, "K4", "4", 1)


def line_düren_köln(game: Game) -> None:
    """Track K6 – K8 – J9 – I10."""
    arrange.lay(game, "J9", "9", 0)
    arrange.lay(game, "K8", "8", 4)


# ---------------------------------------------------------------------- players


@pytest.mark.rule("RHL-1.2-a")
@pytest.mark.parametrize("players", [1, 2, 6])
def test_no_game_for_fewer_than_three_or_more_than_five(players: int) -> None:
    names = ("ann", "bo", "cy", "di", "ed", "flo")[:players]
    with pytest.raises(Refused) as refusal:
        titles.new_game("rhl", names, {}, 1)
    assert refusal.value.rule == "RHL-1.2-a"


@pytest.mark.rule("RHL-1.2-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_three_to_five_play(players: int) -> None:
    assert sorted(seeded(1, players).state.seats) == list(arrange.SEATS[:players])


# ---------------------------------------------------------------------- boards


@pytest.mark.rule("RHL-2.1.1-a")
@pytest.mark.parametrize("at", ["J15", "B7", "A14"])
def test_no_tile_fits_on_a_red_or_grey_hex(at: str) -> None:
    game = arrange.after_package()
    arrange.phase(game, "8")
    arrange.floated(game, "BME", "bo")
    arrange.operating(game, "BME")
    for tile in game.definition.tiles:
        for rotation in range(6):
            with pytest.raises(Refused) as refusal:
                game.check(mv.LayTile("bo", "BME", at, tile, rotation))
            assert refusal.value.rule == "RHL-2.1.1-a"


@pytest.mark.rule("RHL-2.1.1-a")
def test_a_station_on_a_grey_hex_opens_its_surroundings_but_not_the_hex() -> None:
    game = arrange.after_package()
    arrange.floated(game, "BME", "bo")
    arrange.station(game, "BME", "J15")
    arrange.operating(game, "BME")
    offered = values(game, "lay_tile")
    assert "J13" in offered
    assert "J15" not in offered


@pytest.mark.rule("RHL-2.1.2-a")
def test_a_20_percent_certificate_costs_twice_the_stock_value() -> None:
    game = arrange.after_package()
    arrange.founded(game, "MKB", "bo", par=70)
    arrange.stock(game, "ann", number=1)
    arrange.cash(game, "ann", 139)
    arrange.take_offer(game)
    assert "MKB" not in values(game, "buy_share")
    assert arrange.refused(game, mv.BuyShare("ann", "MKB", OFFERING, 20)).rule == ""
    arrange.cash(game, "ann", 140)
    arrange.take_offer(game)
    game.apply(mv.BuyShare("ann", "MKB", OFFERING, 20))
    assert game.state.cash["ann"] == 0


@pytest.mark.rule("RHL-2.2.2-a")
def test_last_revenue_is_shown_in_the_next_stock_round() -> None:
    game = arrange.after_package()
    line_aachen_düren(game)
    arrange.floated(game, "ADR", "bo")
    arrange.trains(game, "ADR", "2")
    arrange.operating(game, "ADR", "run")
    assert game.company("ADR").last_revenue is None
    routes = values(game, "run")[0]
    walk(game, mv.Run("bo", "ADR", routes), mv.Dividend("bo", "ADR", "pay"))
    pass_until(game, "stock")
    assert game.state.round.kind == "stock"
    # Aachen 20, the town K4 10, Düren 20; RhE has no train.
    assert game.company("ADR").last_revenue == 50
    assert game.company("RhE").last_revenue == 0
    assert game.company("BME").last_revenue is None


@pytest.mark.rule("RHL-2.3-a")
def test_terrain_is_paid_from_the_treasury_alone() -> None:
    game = arrange.after_package()
    arrange.floated(game, "BME", "cy", treasury=100)
    arrange.operating(game, "BME")
    before = dict(game.state.cash)
    game.apply(mv.LayTile("cy", "BME", "G14", "9", 2))
    changed = {name: cash - before[name] for name, cash in game.state.cash.items() if cash != before[name]}
    assert changed == {"BME": -60, BANK: 60}


@pytest.mark.rule("RHL-2.3-a")
def test_a_directors_cash_does_not_help_with_terrain() -> None:
    game = arrange.after_package(buyers={"PWB": "cy"})
    arrange.floated(game, "BME", "cy", treasury=50)
    arrange.cash(game, "cy", 1000)
    arrange.operating(game, "BME")
    assert arrange.refused(game, mv.LayTile("cy", "BME", "G14", "9", 2)).rule == "RHL-6.2.1-i"


@pytest.mark.rule("RHL-2.3-a", "RHL-4.2.1-b")
def test_the_charter_goes_to_the_new_director_with_all_that_lies_on_it() -> None:
    game = arrange.after_package()
    arrange.founded(game, "ADR", "ann")
    arrange.hand(game, "ADR", "bo", 20)
    arrange.floated(game, "ADR", "cy", treasury=333)
    arrange.trains(game, "ADR", "2", "2")
    arrange.stock(game, "bo")
    on_charter = shares.numbers(game, "ADR", "ADR")
    game.apply(mv.BuyShare("bo", "ADR", "ADR", 10))
    company = game.company("ADR")
    assert company.director == "bo"
    assert company.trains == ["2", "2"]
    assert company.tokens_left == [60, 80]
    assert game.state.cash["ADR"] == 333 + game.prices.value("ADR")
    assert shares.numbers(game, "ADR", "ADR") == on_charter[1:]
    arrange.operating(game, "ADR")
    assert asked(game) == "bo"


# ---------------------------------------------------------------------- corporations


@pytest.mark.rule("RHL-2.4.4-a")
def test_eight_corporations_take_part() -> None:
    assert sorted(seeded(1).state.companies) == sorted(HOMES)


@pytest.mark.rule("RHL-2.4.4-a")
def test_the_earlier_edition_has_keg_in_place_of_mkb() -> None:
    game = arrange.new(edition="earlier")
    assert set(HOMES) - set(game.state.companies) == {"MKB"}
    assert set(game.state.companies) - set(HOMES) == {"KEG"}


@pytest.mark.rule("RHL-2.6-a", "RHL-4.2.2-f")
@pytest.mark.parametrize("company", ["BME", "CME", "RhE"])
def test_the_fourth_token_is_an_ordinary_station(company: str) -> None:
    game = arrange.after_package()
    arrange.floated(game, company, "cy")
    assert game.company(company).tokens_left == [60, 80, 100]
    arrange.station(game, company, "K6")
    arrange.station(game, company, "G2")
    arrange.lay(game, "G4", "7", 4)
    arrange.lay(game, "F3", "9", 2)  # Roermond – Venlo
    arrange.operating(game, company, "station")
    before = game.state.cash[company]
    game.apply(mv.PlaceStation("cy", company, "E2", 0))
    assert before - game.state.cash[company] == 100
    assert game.board.has_station(company, "E2")
    assert game.company(company).tokens_left == []


@pytest.mark.rule("RHL-3.1-a")
def test_the_first_certificate_sold_is_the_directors() -> None:
    game = arrange.after_package()
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, 10)).rule == "RHL-3.1-a"
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, 20)).rule == "RHL-3.1-a"
    game.apply(mv.Found("ann", "ADR", 60))
    assert shares.numbers(game, "ADR", "ann") == [0]
    game.apply(mv.BuyShare("bo", "ADR", OFFERING, 10))
    assert shares.numbers(game, "ADR", "bo") == [1]


@pytest.mark.rule("RHL-3.1-a", "RHL-4.2.2-b")
def test_mkb_sells_its_three_20_percent_certificates_first() -> None:
    game = arrange.after_package()
    game.apply(mv.Found("ann", "MKB", 60))
    for player in ("bo", "cy"):
        assert values(game, "buy_share", company="MKB", source=OFFERING) == [20]
        assert arrange.refused(game, mv.BuyShare(player, "MKB", OFFERING, 10)).rule == "RHL-3.1-a"
        game.apply(mv.BuyShare(player, "MKB", OFFERING, 20))
    # It floats now; its 10 % certificates lie on the charter.
    assert values(game, "buy_share", company="MKB", source="MKB") == [10]


@pytest.mark.rule("RHL-3.1-b")
def test_every_home_station_lies_on_its_hex_from_the_start() -> None:
    stations = seeded(1).state.board.stations
    for company, homes in HOMES.items():
        for at, stop in homes:
            assert stations[at][stop] == [company]
    tokens = [token for stops in stations.values() for spaces in stops for token in spaces if token]
    assert len(tokens) == 9


@pytest.mark.rule("RHL-3.1-b")
def test_the_homes_in_köln_leave_no_free_space_before_the_grey_tile() -> None:
    game = arrange.after_package()
    line_aachen_düren(game)
    line_düren_köln(game)
    arrange.floated(game, "ADR", "bo")
    arrange.phase(game, "8")
    for tile in ("", "924", "928"):
        if tile:
            arrange.lay(game, "I10", tile)
        arrange.operating(game, "ADR", "station")
        assert "I10" not in values(game, "place_station")
        for stop in range(len(game.board.faces["I10"].stops)):
            refusal = arrange.refused(game, mv.PlaceStation("bo", "ADR", "I10", stop))
            assert refusal.rule == "RHL-6.2.2-a"
    arrange.lay(game, "I10", "932")
    arrange.operating(game, "ADR", "station")
    game.apply(mv.PlaceStation("bo", "ADR", "I10", 0))
    assert game.board.spaces("I10", 0).count("ADR") == 1


@pytest.mark.rule("RHL-3.1-b", "RHL-5.1.5-d")
def test_a_home_station_blocks_only_once_its_company_floats() -> None:
    game = arrange.after_package()
    line_aachen_düren(game)
    arrange.station(game, "RhE", "K6")
    arrange.founded(game, "ADR", "ann", par=60)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.operating(game, "RhE")
    beyond_aachen = "J3"
    assert beyond_aachen in values(game, "lay_tile")
    arrange.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "ADR", OFFERING, 10))
    arrange.operating(game, "RhE")
    assert beyond_aachen not in values(game, "lay_tile")


@pytest.mark.rule("RHL-3.1-c")
def test_the_game_begins_with_the_first_stock_round() -> None:
    game = seeded(1)
    assert ev.RoundBegan("package", 1, 0) in game.opening
    assert arrange.names(game) == {"buy_lot", "bid", "pass"}
    assert not any(company.operated for company in game.state.companies.values())


# ---------------------------------------------------------------------- preparation of 18Rhl


@pytest.mark.rule("RHL-3.2-a")
def test_parts_of_variants_stay_in_the_box() -> None:
    game = seeded(1)
    # 27 of the 28 cards: all but the optional 2-train
    assert game.state.depot.left == {"2": 6, "3": 5, "4": 3, "5": 3, "6": 6, "8": 4}
    assert {"1910", "1911", "1990", "1991"}.isdisjoint(game.state.board.supply)
    faces = game.board.faces
    assert not faces["E10"].stops  # plain without its overlay
    assert [stop.kind for stop in faces["E12"].stops] == ["town", "town"]
    assert len(faces["G12"].stops) == 2


@pytest.mark.rule("RHL-3.2-b")
def test_tile_935_is_laid_through_private_no_2_only() -> None:
    game = arrange.after_package()
    arrange.phase(game, "3")
    arrange.floated(game, "BME", "bo")
    arrange.station(game, "BME", "D9", 0)  # a route leads to E8
    arrange.operating(game, "BME")
    assert "KEO" not in permits(game)
    assert "E8" in values(game, "lay_tile", private="")
    assert "935" not in values(game, "lay_tile", private="", hex="E8")
    assert arrange.refused(game, mv.LayTile("bo", "BME", "E8", "935", 0)).rule == "RHL-3.2-b"
    game.state.privates["KEO"] = "bo"
    arrange.take_offer(game)
    assert values(game, "lay_tile", private="KEO", hex="E8") == ["935"]
    assert arrange.refused(game, mv.LayTile("bo", "BME", "E8", "935", 0)).rule == "RHL-3.2-b"
    without = game.copy()
    without.state.board.supply["935"] = 0
    assert "KEO" not in permits(without), "a tile that is gone is not on offer"
    game.apply(mv.LayTile("bo", "BME", "E8", "935", 0, "KEO"))
    assert game.state.board.supply["935"] == 0


@pytest.mark.rule("RHL-3.2-c")
def test_a_certificate_of_gve_is_set_aside() -> None:
    game = seeded(1)
    offered = [shares.percent_of(game, "GVE", n) for n in shares.numbers(game, "GVE", OFFERING)]
    assert offered == [20] + [10] * 7
    assert game.company("GVE").certificates[1] not in (OFFERING, POOL, *game.state.seats)


@pytest.mark.rule("RHL-3.2-d")
def test_rhe_is_laid_out_before_the_first_action() -> None:
    game = seeded(1)
    assert game.state.privates["RHE-DIR"] == ""
    assert game.company("RhE").certificates[0] not in (OFFERING, POOL)
    assert pool(game, "RhE") == 30
    assert len(shares.numbers(game, "RhE", POOL)) == 3
    assert shares.held(game, "RhE", OFFERING) == 50
    assert game.company("RhE").price == (2, 1)
    assert game.prices.value("RhE") == 70
    assert "p" in game.definition.market.marks[2][1]


@pytest.mark.rule("RHL-3.2-e")
def test_one_order_card_names_the_two_locations() -> None:
    seen = set()
    for seed in range(120):
        markers = {kind: at for at, kinds in seeded(seed).state.board.markers.items() for kind in kinds}
        assert sorted(markers) == ["coal", "steel"]
        seen.add((markers["coal"], markers["steel"]))
    assert seen == ORDER_CARDS


@pytest.mark.rule("RHL-3.2-e")
def test_the_card_of_the_locations_is_shuffled_in_again_before_the_deal() -> None:
    games = [seeded(seed) for seed in range(40)]
    assert any(LocationCard.of(game).location_card in OrderCards.of(game).order_cards.values() for game in games)


@pytest.mark.rule("RHL-3.2-f")
def test_the_bank_has_9000_in_all() -> None:
    game = seeded(1, players=4)
    assert game.state.cash[BANK] == 6990
    assert game.state.cash["aside"] == 210
    assert [game.state.cash[player] for player in game.state.seats] == [450] * 4
    assert sum(game.state.cash.values()) == 9000


@pytest.mark.rule("RHL-3.2-g")
@pytest.mark.parametrize(("players", "cash"), [(3, 600), (4, 450), (5, 360)])
def test_starting_cash(players: int, cash: int) -> None:
    game = seeded(1, players)
    assert [game.state.cash[player] for player in game.state.seats] == [cash] * players


@pytest.mark.rule("RHL-3.4-a")
def test_the_lowest_card_begins_and_seats_ascend() -> None:
    seatings = set()
    for seed in range(40):
        game = seeded(seed)
        cards = OrderCards.of(game).order_cards
        assert len(set(cards.values())) == 3
        assert set(cards.values()) <= set(range(1, 10))
        assert game.state.seats == sorted(cards, key=cards.__getitem__)
        assert game.state.priority == asked(game) == game.state.seats[0]
        seatings.add(tuple(game.state.seats))
    assert len(seatings) == 6


@pytest.mark.rule("RHL-3.4-a")
def test_deal_7_2_5_seats_2_5_7() -> None:
    deal = {"ann": 7, "bo": 2, "cy": 5}
    game = next(game for game in map(seeded, range(5000)) if OrderCards.of(game).order_cards == deal)
    assert game.state.seats == ["bo", "cy", "ann"]
    assert game.state.priority == "bo"
