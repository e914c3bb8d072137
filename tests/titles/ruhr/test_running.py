"""Running trains, revenue, dividends and prices (ledger sections 10.5 to 10.7)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.errors import Refused
from engine.game import Game
from engine.remembered import Earned
from engine.state import BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr.remembered import Locations
from titles.ruhr.running import RuhrTrain


def railway(*trains: str, company: str = "EH", phase: str = "2") -> Game:
    """A railway of ann with trains."""
    game = a.second_stock_round()
    if phase != "2":
        a.phase(game, phase)
    a.floated(game, company, "ann")
    a.trains(game, company, *trains)
    return game


def west(game: Game) -> None:
    """Track from Essen south-west to Mülheim (L5), Duisburg (L3) and on to Krefeld's side."""
    a.put(game, "K6", "9", "NE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    a.put(game, "M4", "8", "NE", "NW")
    a.put(game, "L3", "719", "SE", "NW")


def trace(game: Game, train: str, *path: str, company: str = "EH") -> int:
    return game.router(company).trace(train, path).value


def refused(game: Game, train: str, *path: str, company: str = "EH") -> str:
    with pytest.raises(Refused) as error:
        game.router(company).trace(train, path)
    return game.rules.clause(error.value.rule or error.value.key)


def within(train: str, cities: int, towns: int, ends: int = 0) -> bool:
    game = a.new()
    rules = RuhrTrain(game, "CME", game.definition.train(train), "yellow")
    return rules.within(cities, towns, ends)


@pytest.mark.rule("RUHR-10.5-a")
def test_each_train_runs_one_route() -> None:
    game = railway("2+2")
    west(game)
    a.operating(game, "EH", "run")
    one = mv.TrainPath("2+2", ("J7:a", "K6", "L5:a"))
    assert a.refused(game, mv.Run("ann", "EH", (one, one))).rule == "RUHR-10.5-a"
    game.apply(mv.Run("ann", "EH", (one,)))
    assert game.company("EH").last_revenue == 50


@pytest.mark.rule("RUHR-10.5-a")
def test_the_best_run_is_no_duty() -> None:
    game = railway("3+3")
    west(game)
    a.operating(game, "EH", "run")
    assert game.best_routes("EH").value == 70
    game.apply(mv.Run("ann", "EH", (mv.TrainPath("3+3", ("J7:a", "K6", "L5:a")),)))
    assert game.company("EH").last_revenue == 50


@pytest.mark.rule("RUHR-10.5-a", "RUHR-7.3-d")
def test_of_two_trains_one_may_stay_at_home() -> None:
    game = railway("2+2", "2+2")
    west(game)
    a.operating(game, "EH", "run")
    assert len(game.best_routes("EH").routes) == 2
    assert a.refused(game, mv.Run("ann", "EH", ())).rule == "RUHR-7.3-d"
    game.apply(mv.Run("ann", "EH", (mv.TrainPath("2+2", ("J7:a", "K6", "L5:a")),)))
    assert game.company("EH").last_revenue == 50


@pytest.mark.rule("RUHR-10.5-b")
def test_a_route_needs_an_own_station_and_another_stop() -> None:
    game = railway("3+3")
    west(game)
    assert refused(game, "3+3", "J7:a") == "RUHR-10.5-b"
    assert refused(game, "3+3", "L5:a", "M4", "L3:a") == "RUHR-10.5-b"
    assert trace(game, "3+3", "J7:a", "K6", "L5:a") == 50
    # A red home is a station like any other.
    game = railway("2+2", company="KWE")
    a.put(game, "C16", "9", "NE", "SW")
    a.put(game, "D15", "884", "NE", "SW")
    assert trace(game, "2+2", "B17:a", "C16", "D15:a", company="KWE") == 30


@pytest.mark.rule("RUHR-10.5-c", "RUHR-10.5-d", "RUHR-10.5-x1", "RUHR-10.5-m", "RUHR-10.5-o")
def test_cities_and_towns_of_a_plus_train() -> None:
    assert within("2+2", 2, 2)
    assert not within("2+2", 3, 0)
    assert not within("2+2", 2, 3)
    assert within("2+2", 1, 3)
    assert not within("2+2", 1, 4)
    assert within("2+2", 1, 1, 2)
    assert not within("2+2", 1, 2, 2)  # at an end a town is a town like any other
    assert within("4+4", 3, 5)
    assert not within("4+4", 3, 6)
    assert not within("4+4", 5, 3)
    game = a.new()
    for at in ("D13", "K8"):
        assert game.board.faces[at].stops[0].kind == "city"
    assert game.definition.tiles["913"].face.stops[0].kind == "city"
    # A red destination counts as a city: Düsseldorf, Duisburg and Ruhrort are too many for two.
    game = railway("2+2", company="CME")
    a.put(game, "O4", "9", "N", "S")
    a.put(game, "M4", "8", "S", "NW")
    a.put(game, "L3", "718", "SE", "N")
    a.put(game, "J3", "719", "S", "N")
    path = ("Q4:a", "O4", "M4", "L3:a", "J3:a")
    assert refused(game, "2+2", *path, company="CME") == "RUHR-10.5-c"
    assert trace(game, "3+3", *path, company="CME") == 30 + 20 + 20


@pytest.mark.rule("RUHR-10.5-e")
def test_no_stop_is_skipped() -> None:
    game = railway("2+2")
    west(game)
    assert refused(game, "2+2", "J7:a", "K6", "L5:a", "M4", "L3:a") == "RUHR-10.5-c"
    assert refused(game, "2+2", "J7:a", "K6", "L5", "M4", "L3:a") == "RUHR-10.5-e"


@pytest.mark.rule("RUHR-10.5-f")
def test_not_through_a_red_field() -> None:
    game = railway("3+3", company="CME")
    a.put(game, "O4", "9", "N", "S")
    fit = next(f for f in game.rules.tiling.fits("P5", None) if f.exits >> 4 & 1)
    a.lay(game, "P5", fit.tile, fit.rotation)
    a.put(game, "M4", "8", "S", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    stop = next(i for i, exits in enumerate(game.board.faces["P5"].stop_exits) if exits >> 4 & 1)
    letter = "ab"[stop]
    assert trace(game, "3+3", "L3:a", "M4", "O4", "Q4:a", company="CME") == 50
    assert refused(game, "3+3", "L3:a", "M4", "O4", "Q4:a", f"P5:{letter}", company="CME") == "RUHR-10.5-f"


@pytest.mark.rule("RUHR-10.5-g", "RUHR-10.5-h", "RUHR-10.4-f")
def test_a_full_city_is_the_end_for_others() -> None:
    game = railway("3+3")
    west(game)
    path = ("J7:a", "K6", "L5:a", "M4", "L3:a")
    assert trace(game, "3+3", *path) == 70
    for company in ("CME", "RhE"):
        a.floated(game, company, "bo")
        a.station(game, company, "L5")
    assert trace(game, "3+3", "J7:a", "K6", "L5:a") == 50
    assert refused(game, "3+3", *path) == "RUHR-10.5-g"
    # Whoever has a station there passes.
    game.board.remove_stations("RhE", "L5")
    a.station(game, "EH", "L5")
    assert trace(game, "3+3", *path) == 70
    # Not back by the same track.
    assert refused(game, "3+3", "J7:a", "K6", "L5:a", "K6", "J7:a") == "RUHR-10.5-i"


@pytest.mark.rule("RUHR-10.5-i", "RUHR-10.5-j")
def test_no_track_and_no_stop_twice() -> None:
    game = railway("4+4", phase="3")
    west(game)
    assert refused(game, "4+4", "J7:a", "K6", "L5:a", "K6", "J7:a") == "RUHR-10.5-i"
    # A circle back to Essen, on track of its own all the way.
    game = railway("4+4", phase="3")
    a.lay(game, "J7", "EG1", 0)
    a.put(game, "K6", "7", "NE", "SE")
    a.put(game, "L7", "7", "NW", "N")
    assert refused(game, "4+4", "J7:a", "K6", "L7", "J7:a") == "RUHR-10.5-j"
    # Tile 20 has two separate pieces, which one route may use both: south over L7, and back by Werden.
    game = railway("4+4", phase="3")
    a.lay(game, "J7", "EG1", 0)
    a.put(game, "L7", "20", "N", "S", "NW", "SE")
    a.put(game, "N7", "3", "N", "NE")
    a.put(game, "M8", "7", "SW", "NW")
    a.put(game, "K6", "8", "SE", "SW")
    a.put(game, "L5", "719", "NE", "SW")
    assert trace(game, "4+4", "J7:a", "L7", "N7:a", "M8", "L7", "K6", "L5:a") == 40 + 10 + 20


@pytest.mark.rule("RUHR-10.5-k", "RUHR-10.5-l")
def test_trains_share_no_track() -> None:
    game = railway("2+2", "2+2")
    west(game)
    a.operating(game, "EH", "run")
    one = mv.TrainPath("2+2", ("J7:a", "K6", "L5:a"))
    assert a.refused(game, mv.Run("ann", "EH", (one, one))).rule == "RUHR-10.5-k"
    # Nor the junction before which their ways part.
    fork = railway("2+2", "2+2", phase="3")
    a.put(fork, "K6", "23", "NE", "SW", "NW")
    a.put(fork, "J5", "8", "SE", "SW")
    a.put(fork, "K4", "7", "NE", "SE")
    a.put(fork, "L5", "718", "NE", "NW")
    a.operating(fork, "EH", "run")
    ways = [mv.TrainPath("2+2", ("J7:a", "K6", *way, "L5:a")) for way in ((), ("J5", "K4"))]
    for way in ways:
        assert fork.router("EH").trace("2+2", way.path).value == 50
    assert a.refused(fork, mv.Run("ann", "EH", tuple(ways))).rule == "RUHR-10.5-k"
    # By different sides of the city both run.
    a.put(game, "K8", "913", "NE", "SE", "S", "NW")
    a.operating(game, "EH", "run")
    two = mv.TrainPath("2+2", ("J7:a", "K8:a"))
    game.apply(mv.Run("ann", "EH", (one, two)))
    assert game.company("EH").last_revenue == 50 + 60


@pytest.mark.rule("RUHR-10.5-n", "RUHR-10.5-p")
def test_steele_is_closed_in_yellow_and_open_in_green() -> None:
    game = railway("3+3")
    a.floated(game, "PWB", "bo")
    assert trace(game, "3+3", "J7:a", "K8:a") == 50
    assert not game.board.open_for("EH", "K8", 0)
    a.lay(game, "K8", "913", 0)
    assert game.board.open_for("EH", "K8", 0)
    assert game.board.stations_of("PWB") == [("K8", 0)]
    # Its station is joined to all track of the hex.
    assert sorted(game.board.faces["K8"].links[6]) == [1, 2, 3, 5]
    a.floated(game, "DGEE", "bo")
    assert game.board.open_for("EH", "D13", 0)
    assert len(game.board.faces["D13"].links[6]) == 4


@pytest.mark.rule("RUHR-10.5-r")
def test_a_train_does_not_run_in_the_turn_of_its_purchase() -> None:
    game = railway()
    west(game)
    a.operating(game, "EH", "run")
    game.apply(mv.Pass("ann"))  # no deal in own shares
    assert game.state.round.step == "trains"
    assert game.company("EH").last_revenue == 0
    game.apply(mv.BuyTrain("ann", "EH", "2+2", BANK, 100))
    assert "run" not in a.names(game)


@pytest.mark.rule("RUHR-10.5-s")
def test_two_trains_into_one_red_field_by_different_sides() -> None:
    game = railway("2+2", "2+2", company="CME")
    a.put(game, "O4", "9", "N", "S")
    a.put(game, "M4", "8", "S", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    fit = next(f for f in game.rules.tiling.fits("P5", None) if f.exits >> 4 & 1)
    a.lay(game, "P5", fit.tile, fit.rotation)
    letter = "ab"[next(i for i, exits in enumerate(game.board.faces["P5"].stop_exits) if exits >> 4 & 1)]
    a.operating(game, "CME", "run")
    one = mv.TrainPath("2+2", ("Q4:a", "O4", "M4", "L3:a"))
    two = mv.TrainPath("2+2", ("Q4:a", f"P5:{letter}"))
    game.apply(mv.Run("ann", "CME", (one, two)))
    assert game.company("CME").last_revenue == 30 + 20 + 30 + 10


# ---------------------------------------------------------------------- revenue


@pytest.mark.rule("RUHR-10.6.1-a", "RUHR-10.6.1-b", "RUHR-11-5-a")
def test_revenue_of_stops_and_locations() -> None:
    game = railway("3+3", company="CME")
    a.put(game, "O4", "9", "N", "S")
    a.put(game, "M4", "8", "S", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    path = ("Q4:a", "O4", "M4", "L3:a")
    assert trace(game, "3+3", *path, company="CME") == 30 + 20
    a.link(game, 15)
    assert trace(game, "3+3", *path, company="CME") == 30 + 20 + 10
    a.phase(game, "4")
    assert trace(game, "3+3", *path, company="CME") == 60
    a.phase(game, "5")
    assert trace(game, "3+3", *path, company="CME") == 60 + 20 + 10


def wesel(train: str, *linked: int, phase: str = "2") -> tuple[Game, tuple[str, ...]]:
    """RhE's track from a station at Hamborn's city neighbour: Wesel, Dinslaken (18, coal), Oberhausen (1, steel)."""
    game = railway(train, company="RhE", phase=phase)
    # Wesel (B1) SE leads to C2; on to D3 (no. 18), F3, G4 and Oberhausen (H5, no. 1).
    a.put(game, "C2", "4", "NW", "SE")
    a.put(game, "D3", "883", "NW", "S")
    a.put(game, "F3", "58", "N", "SE")
    a.put(game, "G4", "9", "NW", "SE")
    a.put(game, "H5", "719", "NW", "SE")
    game.board.place_station("RhE", "H5", 0)
    game.company("RhE").tokens_left.pop(0)
    a.link(game, *linked)
    return game, ("B1:a", "C2:a", "D3:a", "F3:a", "G4", "H5:a")


@pytest.mark.rule("RUHR-10.6.1-c", "RUHR-10.6.1-e", "RUHR-10.6.1-f")
@pytest.mark.parametrize(
    ("linked", "revenue"),
    [((), 10 + 10 + 10 + 20), ((18,), 50 + 10 + 10), ((1,), 50 + 10 + 10), ((1, 18), 50 + 20 + 20)],
)
def test_wesel_counts_linked_companies(linked: tuple[int, ...], revenue: int) -> None:
    game, path = wesel("4+4", *linked)
    assert trace(game, "4+4", *path, company="RhE") == revenue
    assert game.best_routes("RhE").value == revenue  # the search knows it too


@pytest.mark.rule("RUHR-10.6.1-d", "RUHR-10.6.1-e", "RUHR-10.6.1-f")
def test_the_iron_rhine_counts_linked_coal_mines() -> None:
    game = railway("3+3", company="RhE")
    a.put(game, "K2", "4", "NW", "SE")
    a.put(game, "L3", "719", "NW", "SE")
    a.put(game, "M4", "8", "NW", "NE")
    a.put(game, "L5", "719", "SW", "NE")
    game.board.place_station("RhE", "L5", 0)
    a.take_offer(game)
    path = ("J1:a", "K2:a", "L3:a", "M4", "L5:a")
    assert trace(game, "3+3", *path, company="RhE") == 10 + 20 + 20
    a.link(game, 9)  # steel counts for itself only
    assert trace(game, "3+3", *path, company="RhE") == 50 + 10
    a.link(game, 15)
    assert trace(game, "3+3", *path, company="RhE") == 50 + 20 + 20
    assert game.best_routes("RhE").value == 90


@pytest.mark.rule("RUHR-10.6.1-c", "RUHR-10.6.1-h")
def test_every_location_with_a_value_counts_once() -> None:
    game, path = wesel("4+4", 1, 18)
    plain = trace(game, "4+4", *path, company="RhE")
    a.montan(game, "US", "ann", 1)
    assert trace(game, "4+4", *path, company="RhE") == plain + 10  # 20 instead of 10 on the map
    a.markers(game, "US", A=1, E=1)
    assert trace(game, "4+4", *path, company="RhE") == plain + 20
    Locations.of(game).locations["D3"].become("merged", "SK")
    assert trace(game, "4+4", *path, company="RhE") == plain + 20


@pytest.mark.rule("RUHR-10.6.1-g")
def test_an_8_train_doubles_red_fields() -> None:
    game, path = wesel("8+8", 1, 18, phase="8")
    assert trace(game, "8+8", *path, company="RhE") == 50 + 20 + 2 * 20
    assert game.best_routes("RhE").value == 110  # the search knows it too
    assert trace(game, "6+6", *path, company="RhE") == 50 + 20 + 20
    game = railway("8+8", company="CME", phase="8")
    a.put(game, "O4", "9", "N", "S")
    a.put(game, "M4", "8", "S", "NW")
    a.put(game, "L3", "719", "SE", "NW")
    assert trace(game, "8+8", "Q4:a", "O4", "M4", "L3:a", company="CME") == 120 + 20


@pytest.mark.rule("RUHR-10.6.2-a", "RUHR-10.6.2-b", "RUHR-10.6.2-x1")
def test_example_of_a_dividend() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", treasury=0)
    a.own(game, "CME", "ann", 40)
    a.own(game, "CME", "bo", 10)
    a.own(game, "CME", "cy", 10)
    a.own(game, "CME", POOL, 30)
    for player in ("ann", "bo", "cy"):
        a.cash(game, player, 0)
    a.operating(game, "CME", "dividend")
    Earned.of(game).revenue = 150
    a.take_offer(game)
    assert a.offered(game, "dividend") == ["pay", "withhold"]
    assert a.refused(game, mv.Dividend("ann", "CME", "half")).rule == "RUHR-10.6.2-a"
    assert a.refused(game, mv.Dividend("bo", "CME", "pay")).rule == "RUHR-7.3-a"
    twin = game.copy()
    bank = game.state.cash[BANK]
    game.apply(mv.Dividend("ann", "CME", "pay"))
    assert [game.state.cash[who] for who in ("ann", "bo", "cy", "CME")] == [60, 15, 15, 15]
    assert game.state.cash[BANK] == bank - 105
    twin.apply(mv.Dividend("ann", "CME", "withhold"))
    assert [twin.state.cash[who] for who in ("ann", "CME")] == [0, 150]


@pytest.mark.rule("RUHR-10.7-a", "RUHR-10.7-b", "RUHR-10.7-c", "RUHR-10.7-d")
@pytest.mark.parametrize(
    ("start", "revenue", "kind", "value"),
    [
        (70, 70, "pay", 75),
        (70, 130, "pay", 75),
        (70, 140, "pay", 80),
        (320, 700, "pay", 350),
        (70, 60, "pay", 70),
        (70, 200, "withhold", 65),
        (30, 200, "withhold", 30),
    ],
)
def test_a_railways_price(start: int, revenue: int, kind: str, value: int) -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.price_at(game, "CME", start)
    a.operating(game, "CME", "dividend")
    Earned.of(game).revenue = revenue
    a.take_offer(game)
    game.apply(mv.Dividend("ann", "CME", kind))
    assert game.prices.value("CME") == value


@pytest.mark.rule("RUHR-10.7-d")
def test_the_first_turn_earns_nothing_and_costs_a_box() -> None:
    game = railway(company="CME")
    a.operating(game, "CME", "run")
    a.own(game, "CME", "ann", 100)
    game.settle()
    assert game.prices.value("CME") == 65


@pytest.mark.rule("RUHR-10.7-e")
def test_an_arriving_marker_goes_underneath() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", 70)
    a.floated(game, "RhE", "bo", 70)
    a.price_at(game, "RhE", 75)
    a.operating(game, "CME", "dividend")
    Earned.of(game).revenue = 70
    a.take_offer(game)
    game.apply(mv.Dividend("ann", "CME", "pay"))
    assert game.prices.order() == ["RhE", "CME"]
    assert game.company("CME").certificates.count(OFFERING) == 5
