"""The draft of January 2020, Heat, Sweat & Beer: railway rounds, routes, export beer and trains."""

from __future__ import annotations

import pytest

from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import BuyTrain, Dividend, LayTile, PlaceStation, Run, TrainPath
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.do.arrange import link, route
from tests.titles.do.hsb_arrange import (
    after_package,
    brewing_turn,
    cash,
    demand,
    equip,
    export_line,
    fields,
    lay,
    loaded,
    names,
    offered,
    on_card,
    own,
    phase,
    put,
    railway,
    railway_turn,
    refused,
    seen,
    station,
    take_offer,
    trains,
)
from titles.do.board.links import LinkLocation
from titles.do.board.remembered import Failed
from titles.do.brewery import breweries, loading
from titles.do.brewery.brewing import BuyEquipment
from titles.do.brewery.capex import DemandAdded
from titles.do.brewery.data import tables
from titles.do.brewery.loading import Loads
from titles.do.draft2020 import data
from titles.do.draft2020 import trains as draft_trains

DRAFT = "draft-hsb"
BOTH = pytest.mark.parametrize("form", [DRAFT, "hsb"])


def draft(players: int = 3) -> Game:
    return after_package(players, form=DRAFT)


def paths(*routes: tuple[str, str]) -> tuple[TrainPath, ...]:
    return tuple(TrainPath(train, tuple(path.split())) for train, path in routes)


# ---------------------------------------------------------------------- track and stations


@pytest.mark.rule("DOD-5.6.1-a")
def test_only_the_first_tile_of_a_hex_is_paid() -> None:
    game = draft()
    phase(game, "3")
    railway(game, "BME", treasury=500)
    put(game, "H11", "8", "SW", "NW")
    put(game, "G10", "8", "SE", "NE")
    railway_turn(game, "BME", "track")
    move = next(
        LayTile("ann", "BME", "F11", tile, rotation)
        for tile in ("9", "8")
        for rotation in offered(game, "lay_tile", hex="F11", tile=tile)
    )
    game.apply(move)
    assert game.state.cash["BME"] == 460
    railway_turn(game, "BME", "track")
    tile = offered(game, "lay_tile", hex="F11")[0]
    game.apply(LayTile("ann", "BME", "F11", tile, offered(game, "lay_tile", hex="F11", tile=tile)[0]))
    assert game.definition.tiles[tile].colour == "green"
    assert game.state.cash["BME"] == 460


@pytest.mark.rule("DOD-5.6.1.1-b")
def test_steel_borders() -> None:
    game = draft(5)
    labels = {at: game.definition.map.hexes[at].face.labels for at in ("C14", "D9", "F15", "G12", "H19")}
    assert labels == {"C14": ("SR",), "D9": ("SO",), "F15": ("SO",), "G12": ("SO",), "H19": ("SP",)}
    assert {fit.tile for fit in game.rules.tiling.fits("C14", None)}.isdisjoint({"1936"})
    assert "1936" in {fit.tile for fit in game.rules.tiling.fits("D9", None)}


@pytest.mark.rule("DOD-5.6.1.2-a")
def test_what_stations_cost() -> None:
    found = draft().definition.corporations
    assert found["CME"].tokens == (0, 0, 60, 80, 100, 100, 100), "its home covers two hexes"
    assert found["DHB"].tokens == (0, 60, 80)


@pytest.mark.rule("DOD-5.6.1.2-b")
def test_no_station_in_dortmund_city_and_nobody_is_blocked_there() -> None:
    for name in ("2", "5", "8"):
        game = draft()
        phase(game, name)
        railway(game, "BME", treasury=500)
        export_line(game)
        railway_turn(game, "BME", "station")
        assert refused(game, PlaceStation("ann", "BME", "E12", 0)).rule == "DOD-5.6.1.2-b"
        assert game.board.open_for("CME", "E12", 0)


@pytest.mark.rule("DOD-5.6.1.2-c")
def test_a_tile_must_be_joined_to_an_own_token_after_the_lay() -> None:
    game = draft()
    phase(game, "3")
    railway(game, "BME", treasury=500)
    railway(game, "CME", "bo")
    put(game, "H11", "8", "SW", "NW")
    put(game, "G10", "7", "SE", "E")
    put(game, "F13", "8", "SW", "E")
    link(game, "G12")
    lay(game, "G12", "1936", next(fit.rotation for fit in game.rules.tiling.fits("G12", None) if fit.tile == "1936"))
    railway_turn(game, "BME", "track")
    assert {"G10", "H11"} <= set(offered(game, "lay_tile"))
    behind = set(offered(game, "lay_tile")) - {"G10", "H11", "G12"}
    for place in range(len(game.board.spaces("G12", 0))):
        company = ("CME", "RhE")[place]
        game.company(company).active = True
        station(game, company, "G12")
    railway_turn(game, "BME", "track")
    still = set(offered(game, "lay_tile"))
    assert behind - still, "what lies behind the full hex"
    assert {"G10", "H11", "G12"} <= still | {"G12"}


# ---------------------------------------------------------------------- links


@pytest.mark.rule("DOD-5.6.1.3-a")
@pytest.mark.parametrize(
    ("wanted", "then"),
    [
        ({"n1": 1, "r1": 1, "n2": 1, "r2": 1}, {"r1": 1, "n2": 1, "r2": 1, "r3": 1}),
        ({"r1": 1, "n2": 1, "r2": 1}, {"n2": 1, "r2": 1, "r3": 1}),
        ({"n3": 2, "r4": 1}, {"n3": 1, "r4": 1, "r3": 1}),
        ({"n4": 2, "r5": 1}, {"n4": 1, "r5": 1, "r3": 1}),
        ({"r3": 2}, {"r3": 2}),
    ],
)
def test_the_cheapest_demand_helps_a_link(wanted: dict[str, int], then: dict[str, int]) -> None:
    game = draft()
    railway(game, "BME", treasury=100)
    put(game, "H9", "1904", "SE", "NW")
    phase(game, "3")
    on_card(game, "3", 4)
    demand(game, closed=(), **wanted)
    railway_turn(game, "BME", "link")
    added = seen(game, LinkLocation("ann", "BME", "H9"), DemandAdded)
    assert fields(game) == then
    assert bool(added) == (wanted != then), "a cube that it would give to itself is none"
    assert faults(game) == []


@pytest.mark.rule("DOD-5.6.1.3-a")
def test_in_the_final_rules_only_lower_segments_help() -> None:
    game = after_package()
    railway(game, "BME", treasury=100)
    put(game, "H9", "1904", "SE", "NW")
    phase(game, "3")
    on_card(game, "3", 4)
    demand(game, n3=2, r4=1, closed=())
    railway_turn(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert fields(game) == {"n3": 2, "r4": 1}


@pytest.mark.rule("DOD-3.1-c")
def test_kwe_has_a_token_and_three_railways_an_early_train() -> None:
    game = draft()
    railway(game, "KWE", treasury=0)
    put(game, "D19", "1904", "SE", "NW")
    railway_turn(game, "KWE", "link")
    game.apply(LinkLocation("ann", "KWE", "D19"))
    assert game.state.cash["KWE"] == 0
    for company, early in (("BME", True), ("CME", True), ("RhE", True), ("DHB", False)):
        railway(game, company, treasury=200)
        game.company(company).operated = False
        railway_turn(game, company, "early")
        assert ("buy_train" in names(game)) == early


# ---------------------------------------------------------------------- routes


def no_route(game: Game, company: str, train: str, path: str) -> str:
    """The clause that forbids a route."""
    with pytest.raises(Refused) as caught:
        route(game, company, train, path)
    return caught.value.rule


@pytest.mark.rule("DOD-5.6.1.4-a")
def test_two_red_fields_alone_are_no_route() -> None:
    game = draft()
    railway(game, "DGEE")
    put(game, "B19", "8", "NE", "SE")
    assert no_route(game, "DGEE", "2", "A20:a B19 C20:a") == "DOD-5.6.1.4-a"
    trains(game, "DGEE", "2")
    assert game.best_routes("DGEE").routes == ()
    railway(game, "KWE")
    put(game, "D19", "1905", "NE", "SE")
    assert route(game, "KWE", "3", "E20:a D19:a C20:a") == 20 + 10 + 30


@pytest.mark.rule("DOD-5.6.1.4-a")
def test_in_the_final_rules_two_red_fields_are_a_route() -> None:
    game = after_package()
    railway(game, "KWE")
    put(game, "B19", "7", "E", "SE")
    assert route(game, "KWE", "2", "C20:a B19 B21:a") == 30 + 20


def twice(form: str) -> Game:
    """From RhE's H1 over H3 a way crosses the plain hex G4, turns, crosses it again and leads to the mine F3."""
    game = after_package(form=form)
    phase(game, "3")
    railway(game, "RhE")
    put(game, "G4", "20", "SW", "NE", "W", "E")
    put(game, "F5", "7", "SW", "SE")
    put(game, "G6", "7", "NW", "W")
    put(game, "G2", "7", "E", "NE")
    put(game, "F3", "1904", "SW", "NE")
    take_offer(game)
    return game


ROUND = "H1:a H3:a G4 F5 G6 G4 G2 F3:a"


@pytest.mark.rule("DOD-5.6.1.4-c")
def test_a_route_crosses_a_plain_hex_twice() -> None:
    game = twice(DRAFT)
    assert route(game, "RhE", "3", ROUND) == 30 + 10 + 10
    trains(game, "RhE", "3")
    assert game.best_routes("RhE").value == 50, "and the search finds it"
    assert "F3" in {at for at, _ in game.reach("RhE").stops}, "a link could be made there"


@pytest.mark.rule("DOD-5.6.1.4-c")
def test_in_the_final_rules_it_does_not() -> None:
    game = twice("hsb")
    assert no_route(game, "RhE", "3", ROUND) == "DO-4.5.1-a"
    assert "F3" not in {at for at, _ in game.reach("RhE").stops}


@pytest.mark.rule("DOD-5.6.1.4-c")
def test_no_income_hex_comes_twice() -> None:
    game = draft()
    phase(game, "5")
    railway(game, "BME")
    for at, tile, *sides in (
        ("H9", "1904", "SE", "NW"),
        ("G8", "8", "SE", "NE"),
        ("F9", "1904", "SW", "NE"),
        ("E10", "1905", "SW", "E"),
        ("F11", "7", "NE", "E"),
        ("F13", "7", "W", "NW"),
    ):
        put(game, at, tile, *sides)
    path = "I10:a H9:a G8 F9:a E10:a E12:a"
    assert route(game, "BME", "8", path) > 0
    assert no_route(game, "BME", "8", f"{path} F11 F13 E12:a") == "DOD-5.6.1.4-c"


@pytest.mark.rule("DOD-9-a")
def test_yards_have_three_places_and_count() -> None:
    game = draft()
    railway(game, "KWE")
    for at in ("E18", "E16"):
        put(game, at, "9", "W", "E")
    for company in ("BME", "CME", "RhE"):
        station(game, company, "E14")
    assert not game.board.free_space("E14", 0, "KWE")
    assert no_route(game, "KWE", "2", "E20:a E18 E16 E14:a E12:a") != ""
    game.board.remove_stations("BME", "E14")
    take_offer(game)
    assert game.board.free_space("E14", 0, "KWE")
    assert no_route(game, "KWE", "2", "E20:a E18 E16 E14:a E12:a") == "DO-4.5.5-a"
    assert route(game, "KWE", "3", "E20:a E18 E16 E14:a E12:a") == 20 + 20 + 70


# ---------------------------------------------------------------------- export beer


def exporting(
    company: str = "KWE", train: str = "5", cubes: int = 1, *, blocked: bool = True, second: bool = False
) -> Game:
    """KWE's loaded train; its way from E20 to Dortmund City leads through the yard E14, which others have filled."""
    game = draft()
    phase(game, "8")
    railway(game, company, price=100)
    for at in ("E18", "E16"):
        put(game, at, "9", "W", "E")
    if second:
        put(game, "D13", "8", "SW", "E")
        put(game, "D15", "9", "W", "E")
        put(game, "D17", "9", "W", "E")
        put(game, "D19", "1905", "W", "SE")
    for other in ("BME", "CME", "RhE") if blocked else ():
        railway(game, other, "bo")
        station(game, other, "E14")
    trains(game, "KWE", train)
    loaded(game, "KWE", (train, cubes))
    railway_turn(game, "KWE", "run")
    return game


YARD = "E12:a E14:a E16 E18 E20:a"


@pytest.mark.rule("DOD-5.6.1.4-b")
def test_a_loaded_train_runs_through_a_full_hex_if_it_must() -> None:
    game = exporting()
    assert game.rules.trains.fleets(game, "KWE") == [("5+1!",)]
    assert loading.fleets(game, "KWE") == [("5",)], "in the final rules the beer would be lost"
    best = game.best_routes("KWE")
    assert (best.value, best.proved) == (70 + 0 + 40 + 50, True), "the full hex pays nothing"
    assert refused(game, Run("ann", "KWE", ())).rule == "DOD-5.6.1.4-b"
    stock = breweries.beer(game).stock
    game.apply(Run("ann", "KWE", paths(("5+1!", YARD))))
    assert Earned.of(game).revenue == 160
    assert breweries.beer(game).stock == stock + 1
    assert loading.LoadedTrains(tables(game), loading.Loading(), loading.name).faults(game) == []


@pytest.mark.rule("DOD-5.6.1.4-b")
def test_the_full_hex_counts_for_the_length() -> None:
    game = exporting()
    short = draft_trains.ForcedTrain(
        game.definition.tables, data.tables().draft, game, "KWE", game.definition.train("2"), "grey"
    )
    assert not short.within(3, 0, 0)
    assert no_route(game, "KWE", "2", YARD) != ""
    assert game.router("KWE").trace("5+1!", tuple(YARD.split())).parts[1].amount == 0


@pytest.mark.rule("DOD-5.6.1.4-b")
@pytest.mark.parametrize(("blocked", "second"), [(True, True), (False, False)])
def test_it_may_not_where_another_way_is_free(blocked: bool, second: bool) -> None:
    game = exporting(blocked=blocked, second=second)
    assert game.rules.trains.fleets(game, "KWE") == [("5+1",)]
    assert refused(game, Run("ann", "KWE", paths(("5+1!", YARD)))).rule == "DO-6.5.1-f"
    free = "E12:a D13 D15 D17 D19:a E20:a" if second else YARD
    game.apply(Run("ann", "KWE", paths(("5+1", free))))
    assert Earned.of(game).revenue == 70 + (10 if second else 20) + 40 + 50


@pytest.mark.rule("DOD-5.6.1.4-b")
def test_a_full_hex_at_the_end_pays_as_ever() -> None:
    game = exporting()
    railway(game, "DHB", "bo")
    put(game, "D11", "8", "W", "SE")
    station(game, "DHB", "D9")
    railway_turn(game, "KWE", "run")
    path = "D9:a D11 E12:a E14:a E16 E18 E20:a"
    found = game.router("KWE").trace("5+1!", tuple(path.split()))
    assert found.value == 20 + 70 + 40 + 50
    assert game.best_routes("KWE").value == found.value
    train = game.router("KWE").rules["5+1!"]
    assert train.bonus(1, ("D9", 0), ("E20", 0)) <= train.bonus_bound, "the search prunes with it"


@pytest.mark.rule("DOD-5.6.1.4-b")
def test_of_two_loaded_trains_as_few_as_possible_run_through_the_full_hex() -> None:
    game = exporting(second=True)
    trains(game, "KWE", "8")
    loaded(game, "KWE", ("5", 1), ("8", 1))
    railway_turn(game, "KWE", "run")
    assert {frozenset(fleet) for fleet in game.rules.trains.fleets(game, "KWE")} == {
        frozenset({"5+1", "8+1!"}),
        frozenset({"5+1!", "8+1"}),
    }
    assert game.best_routes("KWE").value == (70 + 40 + 50) + (70 + 10 + 40 + 50)


@pytest.mark.rule("DOD-5.6.1.5-a")
@pytest.mark.parametrize(
    ("company", "at", "pays"), [("RhE", "H1", 50), ("BME", "H1", 40), ("DGEE", "A20", 50), ("KWE", "C20", 40)]
)
def test_beer_pays_40_and_at_home_50(company: str, at: str, pays: int) -> None:
    game = draft()
    phase(game, "5")
    railway(game, company)
    train = game.router(company).rules["5+1"]
    assert isinstance(train, draft_trains.DraftLoadedTrain)
    assert train.pays[at] == pays
    assert train.bonus_parts(1, ("E12", 0), (at, 0))[0].amount == pays


@pytest.mark.rule("DOD-5.6.1.5-a")
def test_the_harbour_railway_has_no_red_home() -> None:
    game = draft()
    phase(game, "5")
    railway(game, "DHB")
    train = game.router("DHB").rules["5+1"]
    assert isinstance(train, draft_trains.DraftLoadedTrain)
    assert set(train.pays.values()) == {40}
    assert set(train.pays) == {"A2", "B1", "H1", "I2", "I10", "C20", "I20", "F1", "A10", "B21", "E20", "A20"}


@pytest.mark.rule("DOD-5.6.1.5-b")
def test_carried_cubes_go_to_the_stock() -> None:
    game = exporting(train="8", cubes=3, blocked=False)
    stock = breweries.beer(game).stock
    game.apply(Run("ann", "KWE", paths(("8+3", YARD))))
    assert Earned.of(game).revenue == 70 + 20 + 40 + 150
    assert breweries.beer(game).stock == stock + 3
    assert Loads.of(game).trains == {}


# ---------------------------------------------------------------------- dividends and prices


@pytest.mark.rule("DOD-5.6.1.5-x")
@pytest.mark.parametrize(("revenue", "paid"), [(150, (60, 15, 15, 0, 15)), (155, (60, 15, 15, 0, 20))])
def test_example_of_a_dividend(revenue: int, paid: tuple[int, ...]) -> None:
    game = draft()
    railway(game, "BME", "ann", held=40, treasury=0)
    own(game, "BME", "bo", 10)
    own(game, "BME", "cy", 10)
    own(game, "BME", POOL, 30)
    railway_turn(game, "BME", "dividend", revenue)
    before = [game.state.cash[who] for who in ("ann", "bo", "cy")]
    game.apply(Dividend("ann", "BME", "pay"))
    after = [game.state.cash[who] for who in ("ann", "bo", "cy")]
    got = [then - now for then, now in zip(after, before, strict=True)]
    assert (*got, 0, game.state.cash["BME"]) == paid


@pytest.mark.rule("DOD-5.6.1.6-a")
@pytest.mark.parametrize(
    ("price", "revenue", "kind", "then"),
    [(60, 0, "withhold", 55), (60, 50, "pay", 60), (60, 60, "pay", 65), (60, 180, "pay", 70)],
)
def test_dividends_move_the_price_on_its_row(price: int, revenue: int, kind: str, then: int) -> None:
    game = draft()
    railway(game, "BME", price=price)
    trains(game, "BME", "2")
    railway_turn(game, "BME", "dividend", revenue)
    if revenue:
        game.apply(Dividend("ann", "BME", kind))
    assert game.prices.value("BME") == then


@pytest.mark.rule("DOD-5.6.1.6-a")
def test_without_a_dividend_at_10_a_company_is_bankrupt() -> None:
    game = draft()
    railway(game, "BME", price=10)
    railway_turn(game, "BME", "dividend", 40)
    game.apply(Dividend("ann", "BME", "withhold"))
    assert not game.company("BME").floated
    assert "BME" in Failed.of(game).failed


# ---------------------------------------------------------------------- trains


def last_two(form: str) -> Game:
    """BME buys trains; one card of type 2 is left."""
    game = after_package(form=form)
    railway(game, "BME", treasury=1000)
    on_card(game, "2", 1)
    railway_turn(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "2", BANK, 80))
    return game


@pytest.mark.rule("DOD-4-b")
def test_two_trains_of_type_2_or_one_other() -> None:
    game = draft()
    railway(game, "BME", treasury=1000)
    railway_turn(game, "BME", "trains")
    for _ in range(2):
        game.apply(BuyTrain("ann", "BME", "2", BANK, 80))
    assert game.company("BME").trains == ["2", "2"]
    assert game.state.round.actor != "BME" or refused(game, BuyTrain("ann", "BME", "2", BANK, 80)).rule == "DOD-4-b"


@pytest.mark.rule("DOD-4-b")
def test_not_the_last_2_and_the_first_3() -> None:
    game = last_two(DRAFT)
    assert game.state.depot.left["2"] == 0
    railway(game, "CME", "bo")
    assert game.company("BME").trains == ["2"]
    if game.state.round.actor == "BME":
        assert refused(game, BuyTrain("ann", "BME", "3", BANK, 180)).rule == "DOD-4-b"
    final = last_two("hsb")
    final.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    assert final.company("BME").trains == ["2", "3"]


@pytest.mark.rule("DOD-5.6.1.7-a")
def test_a_train_in_the_pool_is_no_equipment() -> None:
    game = draft()
    phase(game, "5")
    railway(game, "BME", treasury=1000)
    game.state.depot.pool.append("3")
    game.state.depot.gone.remove("3")
    railway_turn(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "3", POOL, 180))
    game.company("BME").trains.remove("3")
    game.state.depot.pool.append("3")
    on_card(game, "5", 3)
    cash(game, "B4", 1000)
    equip(game, "B4")
    brewing_turn(game, "B4", "equipment")
    assert offered(game, "buy_equipment") == ["5"]
    assert refused(game, BuyEquipment("ann", "B4", "3")).key == "train.order.equipment"


@pytest.mark.rule("DOD-5.6.1.7-b")
def test_a_loaded_train_is_not_sold() -> None:
    game = exporting(blocked=False)
    railway(game, "BME", "bo", treasury=500)
    railway_turn(game, "BME", "trains")
    move = BuyTrain("bo", "BME", "5", "KWE", 100)
    assert refused(game, move).rule == "DOD-5.6.1.7-b"
    loading.unload(game, "KWE")
    railway_turn(game, "BME", "trains")
    game.apply(move)
    assert game.state.pauses, "after its run the owner is asked"


@pytest.mark.rule("DOD-5.6.1.7-c")
@pytest.mark.parametrize(("train", "source", "price"), [("6", BANK, 630), ("5", POOL, 450)])
def test_a_forced_purchase_takes_the_cheapest_new_train_or_one_of_the_pool(train: str, source: str, price: int) -> None:
    game = draft()
    phase(game, "8")
    on_card(game, "6", 5)
    railway(game, "BME", "ann", held=60, treasury=100, price=100)
    own(game, "BME", "bo", 40)
    cash(game, "ann", 2000)
    game.state.depot.pool.append("5")
    game.state.depot.gone.remove("5")
    railway_turn(game, "BME", "trains")
    assert refused(game, BuyTrain("ann", "BME", "8", BANK, 800)).rule == "DOD-5.6.1.7-c"
    game.apply(BuyTrain("ann", "BME", train, source, price))
    assert game.company("BME").trains == [train]
    assert game.state.cash["ann"] == 2000 + 100 - price, "the director adds what the treasury lacks"
