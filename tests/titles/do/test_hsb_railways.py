"""Railway rounds, phases and the course of Heat, Sweat & Beer: cards, links, loaded trains, sets, the score."""

from __future__ import annotations

import random
from typing import Any

import pytest

from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.house.invariants import faults
from engine.house.players import RandomHouse
from engine.moves import BuyTrain, LayTile, Pass, PlaceStation, Run, TrainPath
from engine.remembered import Earned
from engine.state import BANK
from tests.titles.do.hsb_arrange import (
    SEATS,
    after_package,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    export_line,
    fields,
    loaded,
    names,
    new,
    offered,
    on_card,
    own,
    phase,
    put,
    railway,
    refused,
    rules,
    seen,
    station,
    trains,
)
from tests.titles.do.hsb_arrange import (
    railway_turn as operating,
)
from titles.do.board.abilities import FreeToken
from titles.do.board.links import LinkLocation, LinkTokens
from titles.do.brewery import breweries, capex, loading
from titles.do.brewery.beer import NEW, REGULAR
from titles.do.brewery.brewing import BuyEquipment
from titles.do.brewery.capex import DemandAdded
from titles.do.brewery.data import tables
from titles.do.brewery.game import score
from titles.do.brewery.loading import Loads


def running(*loads: tuple[str, int], second: bool = False, phase_: str = "8", players: int = 3) -> Game:
    """BME's trains carry these loads and are to run; its line leads from I10 to Dortmund City."""
    game = after_package(players)
    phase(game, phase_)
    railway(game, "BME", price=100)
    export_line(game, second=second)
    trains(game, "BME", *(train for train, _ in loads))
    if any(load for _, load in loads):
        loaded(game, "BME", *(entry for entry in loads if entry[1]))
    operating(game, "BME", "run")
    return game


def paths(*routes: tuple[str, str]) -> tuple[TrainPath, ...]:
    return tuple(TrainPath(train, tuple(path.split())) for train, path in routes)


DIRECT = "E12:a F11 G10 H11 I10:a"
MINES = "E12:a E10:a F9:a G8 H9:a I10:a"


# ---------------------------------------------------------------------- cards and links


@pytest.mark.rule("DO-5.4.4-a")
@pytest.mark.rule("DO-6.5.1-a")
def test_a_card_is_a_train_equipment_or_gone() -> None:
    game = after_package()
    on_card(game, "3", 8)
    phase(game, "3")
    on_card(game, "3", 7)
    railway(game, "BME", treasury=500)
    put(game, "H9", "1904", "SE", "NW")
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert game.state.depot.left["3"] == 6
    operating(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    assert game.company("BME").trains == ["3"]
    cash(game, "B4", 300)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert breweries.equipment(game, "B4") == ["3", "2", "1"]
    assert game.state.depot.left["3"] == 4
    assert faults(game) == []


@pytest.mark.rule("DO-5.4.2-a")
def test_cards_of_the_lowest_type_come_first() -> None:
    game = new()
    seen = []
    for _ in range(15):
        seen.append(on_sale(game)[0])
        capex.use(game, seen[-1])
    assert seen == ["2"] * 14 + ["3"]


@pytest.mark.rule("DO-5.4.4-c")
def test_trains_and_equipment_cost_the_same() -> None:
    game = after_package()
    phase(game, "4")
    corporation(game, "DUB", equipment=("3",), treasury=300)
    railway(game, "BME", treasury=300)
    game.state.depot.left["4"] += 1
    game.state.depot.gone.remove("4")
    on_card(game, "4", 1)
    operating(game, "BME", "trains")
    assert offered(game, "buy_train", source=BANK, train="4") == [300]
    brewing_turn(game, "DUB", "equipment")
    choice = game.offer().find("buy_equipment")
    assert choice is not None
    assert choice.ask({}).options[0].facts == {"price": 300}  # type: ignore[union-attr]


@pytest.mark.rule("DO-5.4.4-b")
def test_railways_buy_no_equipment_and_sell_trains_to_each_other() -> None:
    game = after_package()
    railway(game, "BME", treasury=500)
    railway(game, "CME", "bo", treasury=500)
    trains(game, "CME", "2")
    operating(game, "BME", "trains")
    assert refused(game, BuyEquipment("ann", "BME", "2")).rule == "DO-6.5.1-a"
    assert ("CME") in offered(game, "buy_train")


def linking(company: str = "BME", at: str = "H9", treasury: int = 100) -> Game:
    game = after_package()
    railway(game, company, treasury=treasury)
    put(game, "H9", "1904", "SE", "NW")
    operating(game, company, "link")
    return game


@pytest.mark.rule("DO-6.5.1-b")
def test_a_link_costs_30_and_a_card() -> None:
    game = linking(treasury=200)
    bank = game.state.cash[BANK]
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (170, bank + 30)
    assert game.state.depot.left["2"] == 13
    operating(game, "BME", "trains")
    for _ in range(2):
        game.apply(BuyTrain("ann", "BME", "2", BANK, 80))
    assert game.company("BME").trains == ["2", "2"], "the card of the link was no purchase"


@pytest.mark.rule("DO-6.5.1-b")
def test_a_link_must_be_paid() -> None:
    game = linking(treasury=29)
    assert "link_location" not in names(game)


@pytest.mark.rule("DO-6.5.1-c")
@pytest.mark.parametrize(
    ("card", "left", "more"),
    [
        ("2", 14, {"r2": 1}),
        ("2", 8, {"r2": 1}),
        ("2", 7, {"n2": 1}),
        ("2", 1, {"n2": 1}),
        ("3", 5, {"r3": 1}),
        ("4", 1, {"r4": 1, "n4": 1}),
        ("5", 3, {"r5": 1, "n5": 1}),
        ("6", 9, {"r6": 1, "n6": 1}),
    ],
)
def test_the_card_of_a_link_brings_customers(card: str, left: int, more: dict[str, int]) -> None:
    game = linking()
    phase(game, card)
    on_card(game, card, left)
    demand(game, stock=6, closed=())
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert fields(game) == more
    assert breweries.beer(game).stock == 6 - sum(more.values())


@pytest.mark.rule("DO-6.5.1-d")
def test_without_stock_the_lowest_demand_gives_the_cube() -> None:
    game = linking()
    phase(game, "3")
    on_card(game, "3", 4)
    demand(game, n1=2, r1=2, r2=1)
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert fields(game) == {"n1": 1, "r1": 2, "r2": 1, "r3": 1}


@pytest.mark.rule("DO-6.5.1-d")
def test_without_any_cube_below_the_link_is_made_all_the_same() -> None:
    game = linking()
    phase(game, "3")
    on_card(game, "3", 4)
    demand(game, r3=2)
    operating(game, "BME", "link")
    assert seen(game, LinkLocation("ann", "BME", "H9"), DemandAdded) == []
    assert fields(game) == {"r3": 2}
    assert LinkTokens.of(game).values == {"H9": 10}


@pytest.mark.rule("DO-6.5.1-e")
def test_no_card_of_type_8_is_removed_for_a_link() -> None:
    game = linking()
    phase(game, "8")
    on_card(game, "8", 5)
    demand(game, r4=2, stock=3)
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert game.state.cash["BME"] == 70
    assert game.state.depot.left["8"] == 5
    assert fields(game) == {"r4": 2}


@pytest.mark.rule("DO-6.5.1-e")
def test_of_6_and_8_a_link_removes_the_6() -> None:
    game = linking()
    phase(game, "8")
    on_card(game, "6", 5)
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert (game.state.depot.left["6"], game.state.depot.left["8"]) == (4, 12)


@pytest.mark.rule("DO-6.3.1-a")
def test_the_free_link_takes_a_card_too() -> None:
    game = after_package()
    railway(game, "KWE", treasury=0)
    put(game, "D19", "1904", "NE", "SW")
    operating(game, "KWE", "link")
    game.apply(LinkLocation("ann", "KWE", "D19"))
    assert (game.state.cash["KWE"], game.state.depot.left["2"]) == (0, 13)
    assert FreeToken.of(game).used


@pytest.mark.rule("DO-6.3.1-a")
def test_an_early_train_in_the_first_round() -> None:
    game = after_package()
    railway(game, "BME", treasury=200)
    game.company("BME").operated = False
    operating(game, "BME", "early")
    assert "buy_train" in names(game)


# ---------------------------------------------------------------------- phases


@pytest.mark.rule("DO-6.2.1-a")
def test_a_link_that_removes_the_first_card_begins_a_phase() -> None:
    game = linking()
    on_card(game, "3", 8)
    demand(game, r2=2, stock=4, closed=(3, 4, 5, 6))
    operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert (game.phase.name, game.phase.colour) == ("3", "green")
    assert fields(game) == {"r2": 2, "r3": 1}, "the marker comes off before the customers come"


@pytest.mark.rule("DO-6.2.1-b")
def test_phase_3() -> None:
    game = after_package()
    on_card(game, "3", 8)
    capex.use(game, "3")
    assert breweries.beer(game).closed == [4, 5, 6]
    assert "green" in game.phase.tiles
    assert game.phase.train_limit == 4
    assert tables(game).phases["3"].cards == 1
    breweries.beer(game).delivered[REGULAR][0] += 1
    breweries.beer(game).demand[REGULAR][0] -= 1
    breweries.round_over(game)
    assert breweries.beer(game).demand[NEW][2] == 3, "segment 3 is filled"


@pytest.mark.rule("DO-6.2.1-c")
def test_phase_4() -> None:
    game = after_package()
    phase(game, "3")
    on_card(game, "4", 1)
    for name in ("B8", "B2"):
        equip(game, name, "2")
    equip(game, "B4", "2", "2", "1")
    on_card(game, "4", 1)
    railway(game, "BME")
    game.company("BME").trains = ["2", "3"]
    game.state.depot.gone.remove("2")
    game.state.depot.gone.remove("3")
    demand(game, r1=2, n1=1, r2=3, stock=2, closed=(4, 5, 6))
    beer = breweries.beer(game)
    for _ in range(2):
        beer.demand[REGULAR][0] -= 1
        beer.delivered[REGULAR][0] += 1
    capex.use(game, "4")
    assert fields(game) == {"r2": 3}
    assert beer.delivered[REGULAR] == [0] * 6
    assert beer.stock == 5
    assert beer.closed == [1, 5, 6]
    assert game.company("BME").trains == ["3"]
    assert game.phase.train_limit == 3
    assert [pause.data["company"] for pause in game.state.pauses] == ["B4"], "two pieces are left to a small brewery"


@pytest.mark.rule("DO-6.2.1-d")
def test_phase_5() -> None:
    game = after_package()
    phase(game, "4")
    on_card(game, "5", 5)
    for name in ("B8", "B4", "B2"):
        equip(game, name, "2", "2")
    corporation(game, "DUB", equipment=("3", "3", "3"))
    on_card(game, "5", 5)
    demand(game, r2=3, r3=1, closed=(1, 5, 6))
    railway(game, "BME")
    before = game.router("BME")
    capex.use(game, "5")
    assert fields(game) == {"r3": 1}
    assert breweries.beer(game).closed == [1, 2, 6]
    assert [len(breweries.equipment(game, name)) for name in ("B8", "B4", "B2", "DUB")] == [1, 1, 1, 2]
    assert game.phase.train_limit == 2
    assert before.rules["2"].worth(("I10", 0), False)[0] == 30
    assert game.router("BME").rules["2"].worth(("I10", 0), False)[0] == 60


@pytest.mark.rule("DO-6.2.1-e")
def test_phase_6_and_the_second_card() -> None:
    game = after_package()
    phase(game, "5")
    on_card(game, "6", 12)
    capex.use(game, "6")
    assert 6 not in breweries.beer(game).closed
    assert on_sale(game) == ["6"]
    capex.use(game, "6")
    assert on_sale(game) == ["6", "8"]


@pytest.mark.rule("DO-6.2.1-f")
@pytest.mark.rule("DO-5.1.3-c")
@pytest.mark.parametrize(("players", "export"), [(3, 6), (4, 6), (5, 8)])
def test_phase_8(players: int, export: int) -> None:
    game = after_package(players)
    phase(game, "6")
    on_card(game, "8", 12)
    beer = breweries.beer(game)
    assert beer.export == export, "not at the first type 6"
    stock = beer.stock
    railway(game, "BME")
    game.company("BME").trains = ["4"]
    game.state.depot.gone.remove("4")
    moved = beer.demand[REGULAR][2] + beer.demand[NEW][2]
    capex.use(game, "8")
    assert (beer.export, beer.stock) == (0, stock + export + moved)
    assert 3 in beer.closed
    assert game.company("BME").trains == ["4"], "a last run is left to it"
    assert "grey" in game.phase.tiles


# ---------------------------------------------------------------------- loaded trains


@pytest.mark.rule("DO-6.5.1-f")
def test_a_loaded_train_must_run_an_export_route() -> None:
    game = running(("8", 1), second=True)
    refusal = refused(game, Run("ann", "BME", paths(("8+1", "F9:a G8 H9:a I10:a"))))
    assert refusal.rule == "DO-6.5.1-f"
    assert refused(game, Run("ann", "BME", paths(("8", MINES)))).rule == "DO-6.5.1-f", (
        "nor can it leave its beer behind"
    )
    game.apply(Run("ann", "BME", paths(("8+1", MINES))))
    assert Earned.of(game).revenue == 70 + 30 + 60 + 50


@pytest.mark.rule("DO-6.5.1-f")
def test_a_train_without_beer_runs_anywhere() -> None:
    game = running(("8", 0), second=True)
    game.apply(Run("ann", "BME", paths(("8", "F9:a G8 H9:a I10:a"))))
    assert Earned.of(game).revenue == 80


@pytest.mark.rule("DO-6.5.1-f")
def test_as_many_loaded_trains_as_possible_run() -> None:
    game = running(("8", 1), ("6", 2))
    assert {frozenset(fleet) for fleet in loading.fleets(game, "BME")} == {
        frozenset({"8+1", "6"}),
        frozenset({"8", "6+2"}),
    }, "there is one way only: the director chooses which"
    stock = breweries.beer(game).stock
    game.apply(Run("ann", "BME", paths(("8+1", DIRECT))))
    assert Earned.of(game).revenue == 70 + 60 + 50
    assert breweries.beer(game).stock == stock + 3, "the cubes of the other go to the stock"


@pytest.mark.rule("DO-6.5.1-f")
def test_a_loaded_train_comes_before_others() -> None:
    game = running(("5", 1), ("8", 0), second=True)
    choice = game.offer().find("run")
    assert choice is not None
    best = choice.ask({}).options[0]  # type: ignore[union-attr]
    assert "5+1" in {path.train for path in best.value}
    assert refused(game, Run("ann", "BME", paths(("8", MINES)))).rule == "DO-6.5.1-f"
    game.apply(choice.move({"routes": best.value}))
    assert Earned.of(game).revenue == best.facts["revenue"] < 1000


@pytest.mark.rule("DO-6.5.1-f")
def test_without_an_export_route_the_beer_is_lost() -> None:
    game = running(("8", 2), second=True)
    for at in ("F11", "E10"):
        del game.state.board.tiles[at]
    stock = breweries.beer(game).stock
    operating(game, "BME", "run")
    assert loading.fleets(game, "BME") == [("8",)]
    game.apply(Run("ann", "BME", paths(("8", "F9:a G8 H9:a I10:a"))))
    assert Earned.of(game).revenue == 80
    assert breweries.beer(game).stock == stock + 2
    assert Loads.of(game).trains == {}


@pytest.mark.rule("DO-6.5.1-g")
@pytest.mark.parametrize("load", [1, 2, 3])
def test_beer_pays_the_bonus_of_the_red_field(load: int) -> None:
    game = running(("8", load))
    stock = breweries.beer(game).stock
    game.apply(Run("ann", "BME", paths((f"8+{load}", DIRECT))))
    assert Earned.of(game).revenue == 130 + 50 * load
    assert breweries.beer(game).stock == stock + load
    assert Loads.of(game).trains == {}


@pytest.mark.rule("DO-6.5.1-g")
def test_with_two_red_fields_beer_goes_to_the_one_that_pays_more() -> None:
    game = running(("8", 2))
    for at, tile, sides in (("D11", "9", ("SE", "NW")), ("C10", "8", ("SE", "NE")), ("B11", "8", ("SW", "NW"))):
        put(game, at, tile, *sides)
    there = "A10:a B11 C10 D11 E12:a F11 G10 H11 I10:a"
    back = " ".join(reversed(there.split()))
    router = game.router("BME")
    values = {name: router.trace("8+2", tuple(name.split())).value for name in (there, back)}
    assert values[there] == values[back], "whichever way it is entered"
    (best,) = game.best_routes("BME").routes
    assert [part.amount for part in best.parts if part.what == "export_beer"] == [100]


def test_a_loaded_train_is_not_sold() -> None:
    game = running(("8", 1))
    railway(game, "CME", "ann", treasury=900)
    operating(game, "CME", "trains")
    assert refused(game, BuyTrain("ann", "CME", "8", "BME", 5)).rule == "DO-6.5.1-f"
    assert "BME" not in offered(game, "buy_train")


@pytest.mark.rule("DO-5.1.1-b")
def test_no_station_in_dortmund_city() -> None:
    game = running(("2", 0), phase_="3")
    operating(game, "BME", "station")
    assert refused(game, PlaceStation("ann", "BME", "E12", 0)).rule == "DO-4.5.3-a"
    for company in ("CME", "KWE", "DHB"):
        assert game.board.open_for(company, "E12", 0)


@pytest.mark.rule("DO-6.1.4-a")
def test_pink_tiles_on_h19() -> None:
    game = after_package(5)
    phase(game, "3")
    railway(game, "HHW")
    LinkTokens.of(game).values["H19"] = 10
    operating(game, "HHW", "track")
    assert set(offered(game, "lay_tile", hex="H19")) <= {"1943", "1944", "1945"}
    assert refused(game, LayTile("ann", "HHW", "H19", "1938", 0)).key.startswith(("unknown", "tile"))


# ---------------------------------------------------------------------- the course of the game


@pytest.mark.rule("DO-6.2-a")
@pytest.mark.rule("DO-6.2-b")
@pytest.mark.parametrize("players", [3, 4])
def test_rounds_of_a_whole_game(players: int) -> None:
    game = Game(rules(players), SEATS[:players], 5)
    chance, house = random.Random(5), RandomHouse()
    seen: list[tuple[str, int, int]] = []
    seen_events: list[Any] = list(game.opening)
    while not game.finished:
        seen_events += game.apply(house.choose(game, game.offer().deciders[0], chance))
        assert faults(game) == []
    seen = [
        (event.kind, event.stock_number, event.operating_number)
        for event in seen_events
        if type(event).__name__ == "RoundBegan"
    ]
    due: list[tuple[str, int, int]] = [("package", 1, 0)]
    for number, pairs in enumerate((2, 2, 2, 3, 3, 3), 1):
        due.append(("stock", number, 0))
        for pair in range(1, pairs + 1):
            due += [("operating", number, pair), ("brewing", number, pair)]
    assert seen == due
    assert game.state.finished == "sets"


@pytest.mark.rule("DO-6.6-a")
def test_the_score() -> None:
    game = after_package(3, ("B5", "B8", "B2"))
    corporation(game, "DUB", "bo", price=100)
    own(game, "DUB", "ann", 30)
    railway(game, "BME", "bo", price=60)
    own(game, "BME", "ann", 50)
    cash(game, "ann", 400)
    game.state.loans["ann"] = 50
    assert shares.held(game, "BME", "ann") == 50
    assert score(game)["ann"] == 400 + 600 + 135 - 100


@pytest.mark.rule("DO-6.6-a")
def test_an_empty_bank_does_not_end_the_game() -> None:
    game = after_package()
    cash(game, "cy", game.state.cash["cy"] + game.state.cash[BANK])
    demand(game, r1=4)
    brewing_turn(game, "B4", "dividend", 40)
    game.apply(game.offer().find("dividend").move({"kind": "withhold"}))  # type: ignore[union-attr]
    assert game.state.cash[BANK] == -40
    assert not game.finished


@pytest.mark.rule("DO-6.7-a")
def test_everything_is_open() -> None:
    game = after_package()
    assert not game.rules.secret
    assert all(game.hidden(player) == {} for player in game.state.seats)


@pytest.mark.rule("DO-5.1.3-d")
def test_cubes_are_neither_made_nor_lost() -> None:
    game = running(("8", 3))
    for minor in ("B4", "B8", "B2"):
        equip(game, minor, "5")
    assert faults(game) == []
    breweries.beer(game).stock += 1
    assert "there are 27 cubes instead of 26" in faults(game)


@pytest.mark.rule("DO-5.8-a")
def test_no_demand_markers_are_enough_and_nothing_else_is_offered() -> None:
    t = tables(new())
    assert t.beer.markers == 8
    assert len(t.segment) <= t.beer.markers
    game = after_package()
    brewing_turn(game, "B4")
    assert names(game) <= {"deliver_best", "deliver_beer", "give_up_equipment"}


def test_a_station_of_a_floated_railway_still_blocks() -> None:
    game = running(("2", 0), phase_="3")
    station(game, "CME", "G12")
    assert not game.board.free_space("G12", 0, "BME")
    game.apply(Run("ann", "BME", paths(("2", DIRECT))))
    assert game.state.round.step == "dividend"
    assert "pass" not in names(game)
    assert refused(game, Pass("ann")).rule == "DO-4.5.6.2-a"
