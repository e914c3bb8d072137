"""The Expert game's beer wagons, on trains and in breweries, each by its clause."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Answer, BuyTrain, Pass, Run, TrainPath
from engine.remembered import Earned
from engine.state import BANK
from tests.titles.do.exp_arrange import after_package, exporting, give_markers
from tests.titles.do.hsb_arrange import (
    brewing_turn,
    corporation,
    demand,
    export_line,
    loaded,
    names,
    offered,
    on_card,
    phase,
    railway,
    railway_turn,
    refused,
    trains,
)
from titles.do.brewery.beer import Beer
from titles.do.brewery.brewing import DeliverBest
from titles.do.brewery.loading import LoadExport, Loads
from titles.do.expert import markers, showing, wagons
from titles.do.expert.investing import BuyMarker
from titles.do.expert.wagons import MoveWagon


def hauling(
    *owned: str, kim: tuple[str, ...] = ("C",), name: str = "5", step: str = "trains", players: int = 3
) -> Game:
    """It is BME's turn; it has trains and wagons, which lie on the best of them."""
    game = after_package(players)
    phase(game, name)
    on_card(game, name, 2)
    railway(game, "BME")
    trains(game, "BME", *owned)
    export_line(game)
    give_markers(game, "BME", *kim)
    railway_turn(game, "BME", step)
    return game


# ---------------------------------------------------------------------- for a brewery


@pytest.mark.rule("DO-7.1.3-c")
def test_a_wagon_lets_a_brewery_load_a_cube_without_an_arrow() -> None:
    game = exporting("6", kim=("C",))
    for train in ("8", "8+1", "8+2"):
        game.apply(LoadExport("ann", "DUB", "6", "BME", train))
    assert refused(game, LoadExport("ann", "DUB", "6", "BME", "8+3")).rule == "DO-6.5.2.4-a"
    game.apply(DeliverBest("ann", "DUB"))
    assert Earned.of(game).revenue == 300 + 45, "three exported, one delivered"
    assert faults(game) == []


@pytest.mark.rule("DO-7.1.3-c")
@pytest.mark.parametrize(("name", "most"), [("4", 0), ("5", 1)])
def test_a_wagon_of_a_brewery_works_with_any_equipment_from_brown_on(name: str, most: int) -> None:
    game = exporting("4", kim=("C",), name=name)
    done = 0
    while "load_export" in names(game):
        train = offered(game, "load_export", equipment="4", railway="BME")[0]
        game.apply(LoadExport("ann", "DUB", "4", "BME", train))
        done += 1
    assert done == most


@pytest.mark.rule("DO-7.1.3-c")
def test_two_wagons_of_a_brewery_load_two_cubes() -> None:
    game = exporting("4", "4", kim=("C", "C"))
    game.apply(LoadExport("ann", "DUB", "4", "BME", "8"))
    game.apply(LoadExport("ann", "DUB", "4", "BME", "8+1"))
    assert refused(game, LoadExport("ann", "DUB", "4", "BME", "8+2")).rule == "DO-6.5.2.4-a"


# ---------------------------------------------------------------------- for a railway


@pytest.mark.rule("DO-7.1.3-d")
def test_a_wagon_on_a_train_takes_a_cube_more() -> None:
    game = exporting("8", train="4", name="5")
    assert "load_export" not in names(game)
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "4")).rule == "DO-6.5.2.4-b"
    give_markers(game, "BME", "C")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "4"))
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "4+1")).rule == "DO-6.5.2.4-b"
    game.apply(DeliverBest("ann", "DUB"))
    assert Loads.of(game).trains == {"BME": [("4", 1)]}
    assert game.rules.faults(game) == []


@pytest.mark.rule("DO-7.1.3-d")
def test_a_2_train_takes_no_wagon() -> None:
    game = hauling("2", name="3")
    assert wagons.placed(game, "BME") == []
    assert wagons.loose(game, "BME") == 1
    assert refused(game, MoveWagon("ann", "BME", "loose", "2")).rule == "DO-7.1.3-d"


@pytest.mark.rule("DO-7.1.3-d")
def test_a_wagon_is_moved_to_another_train_each_railway_round() -> None:
    game = hauling("5", "4")
    assert wagons.placed(game, "BME") == [("5", 1)]
    game.apply(MoveWagon("ann", "BME", "5C", "4"))
    assert wagons.placed(game, "BME") == [("4", 1)]
    assert refused(game, MoveWagon("ann", "BME", "4C", "5")).rule == "DO-7.1.3-d", "once in a round"
    railway_turn(game, "BME", "trains")
    assert refused(game, MoveWagon("ann", "BME", "5C", "4")).rule == "DO-7.1.3-d", "no wagon lies there"
    assert refused(game, MoveWagon("ann", "BME", "4C", "8")).rule == "DO-7.1.3-d", "there is no such train"
    assert refused(game, MoveWagon("ann", "BME", "4C", "4C")).rule == "DO-7.1.3-d"
    game.apply(MoveWagon("ann", "BME", "4C", "5"))
    assert wagons.placed(game, "BME") == [("5", 1)]
    corporation(game, "DUB", equipment=("8",))
    demand(game, stock=4)
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "5"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "5+1"))
    assert Loads.of(game).trains == {"BME": [("5", 2)]}


@pytest.mark.rule("DO-7.1.3-d")
def test_a_loaded_wagon_is_not_moved() -> None:
    game = hauling("5", "4", step="track")
    game.apply(MoveWagon("ann", "BME", "5C", "4"))
    loaded(game, "BME", ("4", 1))
    railway_turn(game, "BME", "track")
    assert refused(game, MoveWagon("ann", "BME", "4C", "5")).rule == "DO-7.1.3-d"
    loaded(game, "BME", ("5", 1))
    railway_turn(game, "BME", "track")
    game.apply(MoveWagon("ann", "BME", "4C", "5"))


@pytest.mark.rule("DO-7.1.3-d")
def test_several_wagons_may_lie_on_one_train() -> None:
    game = hauling("5", "4", kim=("C", "C"))
    assert wagons.placed(game, "BME") == [("5", 2)]
    game.apply(MoveWagon("ann", "BME", "5CC", "4"))
    assert sorted(wagons.placed(game, "BME")) == [("4", 1), ("5", 1)]
    page = showing.wagon_trains(game)
    assert page.rows == (("BME", "5C 4C", "–", "–"),)


@pytest.mark.rule("DO-7.1.3-d")
def test_a_wagon_stays_with_its_railway_when_the_train_leaves() -> None:
    game = hauling("3", "5", name="5")
    game.apply(MoveWagon("ann", "BME", "5C", "3"))
    loaded(game, "BME", ("3", 1))
    stock = Beer.of(game).stock
    on_card(game, "6", 2)
    game.state.depot.sold["6"] = 0
    railway(game, "CME", "bo", treasury=900)
    railway_turn(game, "CME", "trains")
    game.apply(BuyTrain("bo", "CME", "6", BANK, 630))
    assert game.company("BME").trains == ["5"]
    assert wagons.placed(game, "BME") == []
    assert wagons.loose(game, "BME") == 1
    assert Loads.of(game).trains == {}
    assert Beer.of(game).stock == stock + 1, "its beer is in the stock"
    railway_turn(game, "BME", "trains")
    game.apply(MoveWagon("ann", "BME", "loose", "5"))
    assert wagons.placed(game, "BME") == [("5", 1)]


@pytest.mark.rule("DO-7.1.3-d")
def test_a_wagon_with_its_beer_stays_on_a_4_train_when_others_leave() -> None:
    game = hauling("4", name="5")
    assert wagons.placed(game, "BME") == [("4", 1)]
    loaded(game, "BME", ("4", 1))
    on_card(game, "6", 2)
    game.state.depot.sold["6"] = 0
    railway(game, "CME", "bo", treasury=900)
    trains(game, "CME", "3")
    railway_turn(game, "CME", "trains")
    game.apply(BuyTrain("bo", "CME", "6", BANK, 630))
    assert game.company("CME").trains == ["6"], "its 3-train is gone"
    assert wagons.placed(game, "BME") == [("4", 1)]
    assert Loads.of(game).trains == {"BME": [("4", 1)]}


@pytest.mark.rule("DO-7.1.3-d")
def test_a_wagon_with_beer_is_not_sold() -> None:
    game = hauling("4")
    loaded(game, "BME", ("4", 1))
    railway(game, "CME", "bo")
    trains(game, "CME", "5")
    railway_turn(game, "CME", "trains")
    assert refused(game, BuyMarker("bo", "CME", "C", "BME", 100)).rule == "DO-7.1.3-d"
    Loads.of(game).trains = {}
    railway_turn(game, "CME", "trains")
    game.apply(BuyMarker("bo", "CME", "C", "BME", 100))
    game.apply(Answer("ann", "accept"))
    assert wagons.placed(game, "BME") == []
    assert wagons.placed(game, "CME") == [("5", 1)]
    assert markers.owned(game, "BME") == []


@pytest.mark.rule("DO-7.1.3-e")
def test_a_cube_on_a_wagon_earns_100_and_the_bonus_of_the_red_field() -> None:
    game = exporting("8", train="4", name="5")
    give_markers(game, "BME", "C")
    demand(game, stock=4)
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "4"))
    assert Earned.of(game).revenue == 100
    plain = TrainPath("4", ("I10:a", "H11", "G10", "F11", "E12:a"))
    railway_turn(game, "BME", "run")
    choice = game.offer().find("run")
    assert choice is not None
    best = game.best_routes("BME")
    assert [route.train for route in best.routes] == ["4+1"]
    assert sum(part.amount for part in best.routes[0].parts if part.what == "export_beer") == 50
    assert refused(game, Run("ann", "BME", (plain,))).rule == "DO-6.5.1-f"
    stock = Beer.of(game).stock
    game.apply(choice.move({"routes": tuple(TrainPath(route.train, route.path) for route in best.routes)}))
    assert Beer.of(game).stock == stock + 1


@pytest.mark.rule("DO-7.3-a")
def test_markers_are_shown_where_they_are_and_not_as_breweries_of_the_same_code() -> None:
    game = hauling("5", kim=("C",))
    corporation(game, "STI", "bo")
    give_markers(game, "STI", "B4", "K")
    pages = {page.name: page for page in game.rules.pages(game)}
    first = [str(row[0]).strip() for row in pages["investments"].rows]
    assert first == ["A1", "A2", "A3", "A4", "B2", "B3", "B4", "C"]
    assert not {str(row[0]) for row in pages["investments"].rows} & game.state.companies.keys()
    assert [(str(row[3]), row[4]) for row in pages["investments"].rows][6:] == [("0", "STI"), ("1", "BME")]
    assert [row[0] for row in pages["specials"].rows] == list("GHIJKLMNOP")
    assert pages["specials"].rows[4][2] == "STI"
    sheet = next(row for row in pages["breweries"].rows if row[1] == "STI")
    assert [str(cell).strip() for cell in sheet[-2:]] == ["B4", "K"]
    assert pages["wagons"].rows == (("BME", "5C", "–", "–"),)
    assert game.rules.possessions(game, "STI")["marker B4"] == 1
    assert game.rules.possessions(game, "BME") == {"marker C": 1}


def test_a_railway_is_asked_for_its_wagons_once_after_its_trains() -> None:
    game = hauling("5", "4")
    assert "move_wagon" in names(game)
    game.apply(Pass("ann"))
    assert game.state.round.actor != "BME"


def test_of_equal_trains_the_one_without_a_wagon_is_sold() -> None:
    game = hauling("5", "5")
    railway(game, "CME", "bo", treasury=900)
    railway_turn(game, "CME", "trains")
    game.apply(BuyTrain("bo", "CME", "5", "BME", 400))
    game.apply(Answer("ann", "accept"))
    assert wagons.placed(game, "BME") == [("5", 1)]


# ---------------------------------------------------------------------- which wagon goes, and where it lies


@pytest.mark.rule("DO-7.1.3-b", "DO-7.1.3-d")
def test_a_new_wagon_lies_on_the_longest_train_and_the_shortest_loses_its_own_first() -> None:
    """R-145."""
    game = hauling("3", "5", kim=("C",), name="5")
    assert wagons.placed(game, "BME") == [("5", 1)]
    give_markers(game, "BME", "C")
    wagons.lay(game, "BME", [("5", 1), ("3", 1)])
    corporation(game, "DUB", "bo", equipment=("3",))
    brewing_turn(game, "DUB", "equipment")
    game.apply(BuyMarker("bo", "DUB", "C", "BME", 100))
    game.apply(Answer("ann", "accept"))
    assert wagons.placed(game, "BME") == [("5", 1)]
    assert markers.owned(game, "DUB") == ["C"]


@pytest.mark.rule("DO-7.1.3-d")
@pytest.mark.parametrize("lie", [[("5", 1), ("5", 2)], [("5", 2), ("5", 1)]])
def test_of_two_equal_trains_the_one_with_more_wagons_loses_one(lie: list[tuple[str, int]]) -> None:
    """R-145: however they are written down."""
    game = hauling("5", "5", players=5, kim=("C", "C", "C"), name="5")
    wagons.lay(game, "BME", lie)
    assert sorted(wagons.spare(game, "BME") or []) == [("5", 1), ("5", 1)]


@pytest.mark.rule("DO-7.1.3-d")
def test_of_two_equal_trains_the_one_without_a_wagon_gets_the_new_one() -> None:
    """R-145."""
    game = hauling("5", "5", kim=("C", "C"))
    assert sorted(wagons.placed(game, "BME")) == [("5", 1), ("5", 1)]
