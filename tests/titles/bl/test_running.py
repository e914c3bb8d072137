"""Running vehicles, revenue and stock value (ledger sections 8.5 to 8.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import moves as mv
from engine.errors import Refused
from engine.events import TrainsRun
from engine.finance import shares
from engine.game import Game
from engine.moves import TrainPath
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens

#: Hagen (C9), south of Dortmund (A9) and north of Breckerfeld (E9).
LINE = ("A9:a", "C9:a", "E9:a")


def hagen(*vehicles: str, phase: str = "2", tiles: tuple[tuple[str, str, int], ...] = ()) -> Game:
    """WEG at Hagen with track to Dortmund and over Breckerfeld, ready to run."""
    game = a.after_package(3)
    a.floated(game, "WEG", "ann")
    if phase != "2":
        a.phase(game, phase)
    a.lay(game, "C9", "57", 0)
    a.lay(game, "E9", "4", 0)
    for at, tile, rotation in tiles:
        a.lay(game, at, tile, rotation)
    a.vehicles(game, "WEG", *vehicles)
    a.operating(game, "WEG", "run")
    return game


def run(game: Game, *routes: tuple[str, tuple[str, ...]], company: str = "WEG") -> mv.Run:
    return mv.Run("ann", company, tuple(TrainPath(train, path) for train, path in routes))


def value(game: Game, train: str, path: tuple[str, ...], company: str = "WEG") -> int:
    return game.router(company).trace(train, path).value


def why(game: Game, train: str, path: tuple[str, ...], company: str = "WEG") -> str:
    with pytest.raises(Refused) as caught:
        game.router(company).trace(train, path)
    return ".".join(caught.value.key.split(".")[:2])


# ---------------------------------------------------------------------- 8.5


@pytest.mark.rule("BL-8.5.1-a")
def test_each_vehicle_runs_once() -> None:
    game = hagen("2")
    assert a.refused(game, run(game, ("2", LINE[:2]), ("2", LINE[1:]))).rule == "BL-8.5.1-a"
    game.apply(run(game, ("2", LINE[:2])))


@pytest.mark.rule("BL-8.5.1-b", "BL-8.5.1-e")
def test_a_route_needs_an_own_station_and_two_stops() -> None:
    game = hagen("2")
    assert why(game, "2", ("C9:a",)) == "route.least"
    assert value(game, "2", LINE[:2]) == 50
    a.floated(game, "BME", "bo")
    assert why(game, "2", LINE[:2], "BME") == "route.station"


def country(company: str, *tiles: tuple[str, str, int], at: str = "") -> Game:
    """A corporation with tiles around Iserlohn, and a station there if asked."""
    game = a.after_package(3)
    a.floated(game, company, "ann")
    for where, tile, rotation in tiles:
        a.lay(game, where, tile, rotation)
    if at:
        a.station(game, company, at)
    a.operating(game, company, "run")
    return game


@pytest.mark.rule("BL-8.5.1-c", "BL-8.5.1-o")
def test_a_junction_is_not_turned_back_at_and_serves_one_route() -> None:
    game = country(
        "WEG", ("C9", "57", 1), ("B10", "3", 0), ("D10", "23", 0), ("C11", "57", 1), ("F10", "58", 3), at="C11"
    )
    a.vehicles(game, "WEG", "2", "3")
    a.operating(game, "WEG", "run")
    one, other = ("C11:a", "D10", "F10:a"), ("C9:a", "B10:a", "D10", "F10:a")
    assert value(game, "2", one) == 30
    assert value(game, "3", other) == 40
    assert why(game, "2", ("C11:a", "D10", "B10:a")) == "route.track"  # the two branches
    assert a.refused(game, run(game, ("2", one), ("3", other))).rule == "BL-8.5.1-m"
    game.apply(run(game, ("3", other)))


@pytest.mark.rule("BL-8.5.1-d", "BL-8.5.1-f", "BL-8.5.1-h")
def test_no_track_and_no_stop_twice() -> None:
    game = hagen("4")
    assert why(game, "4", ("C9:a", "E9:a", "C9:a")) == "route.twice"  # in and out over one track
    game = country("WEG", ("C9", "14", 0), ("E9", "3", 2), ("D8", "2", 3))
    loop = ("C9:a", "E9:a", "D8:b", "C9:a")
    assert why(game, "4", loop) == "route.stop_twice"
    assert value(game, "4", loop[:3]) == 50
    best = game.router("WEG").best(("4",), as_many_as_possible=False)
    assert best.value == 80  # Dortmund, Hagen and the two towns, once each


@pytest.mark.rule("BL-8.5.1-g")
def test_separate_tracks_of_one_tile_may_be_used_by_one_route() -> None:
    game = country(
        "MEG", ("B10", "58", 0), ("D10", "20", 0), ("F10", "3", 2), ("E9", "3", 4), ("C11", "57", 1), at="C11"
    )
    path = ("B10:a", "D10", "F10:a", "E9:a", "D10", "C11:a")
    assert value(game, "4", path, "MEG") == 10 + 10 + 10 + 20


@pytest.mark.rule("BL-8.5.1-i")
def test_both_towns_of_a_tile_may_be_in_one_route() -> None:
    game = country("MEG", ("G11", "57", 1), ("H10", "55", 0), ("I9", "7", 4), ("J10", "3", 2), ("F10", "58", 0))
    path = ("G11:a", "H10:b", "I9", "J10:a", "H10:a", "F10:a")
    assert value(game, "5", path, "MEG") == 20 + 4 * 10  # five stops
    assert why(game, "4", path, "MEG") == "route.long"


@pytest.mark.rule("BL-8.5.1-j", "BL-8.5.1-l")
def test_a_blocked_city_may_be_an_end_but_not_run_through() -> None:
    game = country("WEG", ("C9", "57", 1), ("B10", "58", 5), ("C11", "6", 0), ("E11", "4", 0))
    through = ("C9:a", "B10:a", "C11:a", "E11:a")
    assert value(game, "4", through) == 60  # an empty place does not block
    a.floated(game, "BME", "bo")
    a.station(game, "BME", "C11")
    assert value(game, "4", through[:3]) == 50
    assert why(game, "4", through) == "route.full"
    fit = next(f for f in game.rules.tiling.fits("C11", ("6", 0)) if f.tile == "15")
    a.lay(game, "C11", "15", fit.rotation)
    assert game.board.spaces("C11", 0) == ["BME", ""]
    assert value(game, "4", through) == 70  # one place is empty again


@pytest.mark.rule("BL-8.5.1-k")
def test_red_fields_are_only_ends() -> None:
    game = hagen("4", tiles=(("B10", "58", 0),))
    assert value(game, "4", ("C9:a", "A9:a")) == 50
    assert why(game, "4", ("C9:a", "A9:a", "B10:a")) == "route.through_red"
    assert game.router("WEG").best(("6",), as_many_as_possible=False).value == 60  # A9 - C9 - E9


@pytest.mark.rule("BL-8.5.1-m", "BL-8.5.1-n")
def test_routes_share_stops_but_no_track() -> None:
    game = hagen("2", "2")
    assert a.refused(game, run(game, ("2", LINE[:2]), ("2", LINE[:2]))).rule == "BL-8.5.1-m"
    game.apply(run(game, ("2", LINE[:2]), ("2", LINE[1:])))  # both in Hagen
    assert game.company("WEG").last_revenue == 50 + 30


@pytest.mark.rule("BL-8.5.2-a", "BL-8.5.2-b")
def test_the_number_counts_every_stop_and_none_is_skipped() -> None:
    game = hagen("2", "3")
    assert value(game, "3", LINE) == 60
    assert why(game, "2", LINE) == "route.long"
    a.lay(game, "G9", "9", 0)
    a.lay(game, "I9", "9", 0)
    a.lay(game, "K9", "9", 0)
    assert why(game, "2", ("A9:a", "C9", "E9:a")) == "route.skip"
    for name, reach in (("2", 2), ("3", 3), ("4", 4), ("5", 5), ("6", 6)):
        assert game.router("WEG").rules[name].within(reach, 0, 0)
        assert not game.router("WEG").rules[name].within(reach - 1, 1, 1)


@pytest.mark.rule("BL-8.5.2-c", "BL-8.6.1-d")
def test_a_3_3_runs_its_three_stops_twice() -> None:
    game = hagen(phase="3", tiles=(("C9", "14", 0), ("E9", "145", 0)))
    a.vehicles(game, "WEG", "3+3")
    a.operating(game, "WEG", "run")
    assert value(game, "3", LINE) == 40 + 30 + 20
    assert value(game, "3+3", LINE) == 180
    assert not game.router("WEG").rules["3+3"].within(3, 1, 0)
    assert a.refused(game, run(game, ("3+3", LINE[:2]), ("3+3", LINE[1:]))).rule == "BL-8.5.1-a"
    game.apply(run(game, ("3+3", LINE)))
    assert game.company("WEG").last_revenue == 180


@pytest.mark.rule("BL-8.5.2-d", "BL-11-e")
def test_a_rail_bus_has_one_city_and_no_red_field() -> None:
    game = hagen("SB3", phase="3")
    assert why(game, "SB3", LINE[:2]) == "route.end"
    assert value(game, "SB3", LINE[1:]) == 30
    assert value(game, "3", LINE[:2]) == 60
    # two cities: Schwelm (E7) beside Gevelsberg (D8)
    a.lay(game, "C9", "14", 0)  # N NE S SW
    a.lay(game, "D8", "55", 0)
    a.lay(game, "E7", "57", 1)
    path = ("C9:a", "D8:b", "E7:a")
    assert value(game, "3", path) == 30 + 10 + 20
    assert why(game, "SB3", path) == "route.long"


@pytest.mark.rule("BL-8.5.2-d")
@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_a_rail_bus_makes_as_many_stops_as_its_number(number: int) -> None:
    rules = hagen(phase="3").router("WEG").rules
    for bus in (f"SB{number}", f"SB{number}+BW-A"):
        assert rules[bus].within(1, number - 2, 1)
        assert not rules[bus].within(1, number - 1, 1)
        assert not rules[bus].within(2, number - 2, 0)


def ironworks(*vehicles: str, phase: str = "3") -> Game:
    """OV at Gummersbach (N10), towns L10 and J10 to the north, the ironworks P12 to the south-east."""
    game = a.after_package(3)
    a.floated(game, "OV", "ann")
    a.phase(game, phase)
    a.lay(game, "N10", "14", 2)
    a.lay(game, "L10", "4", 0)
    a.lay(game, "J10", "4", 0)
    a.lay(game, "O11", "9", 2)
    AccessTokens.of(game).charters.append("OV")
    a.vehicles(game, "OV", *vehicles)
    a.operating(game, "OV", "run")
    assert game.board.faces["N10"].exits & 0b000101 == 0b000101
    return game


TOWNS = ("N10:a", "L10:a", "J10:a")
WORKS = ("P12:a", "O11", "N10:a", "L10:a")


@pytest.mark.rule("BL-8.5.2-e", "BL-8.6.1-f", "BL-5.2-4h")
def test_a_rail_bus_may_run_to_the_ironworks_which_a_trailer_does_not_double() -> None:
    game = ironworks("SB4", "BW-A")
    assert value(game, "SB4", WORKS, "OV") == 40 + 30 + 10
    assert value(game, "SB4+BW-A", WORKS, "OV") == 40 + 30 + 20
    AccessTokens.of(game).charters.clear()
    a.take_offer(game)
    assert why(game, "SB4", WORKS, "OV") == "route.barred"


@pytest.mark.rule("BL-8.6.1-e", "BL-8.6.1-f")
def test_what_a_rail_bus_earns_with_and_without_a_trailer() -> None:
    game = ironworks("SB3", "BW-A")
    assert value(game, "SB3", TOWNS, "OV") == 30 + 10 + 10
    assert value(game, "SB3+BW-A", TOWNS, "OV") == 30 + 2 * 10 + 2 * 10


@pytest.mark.rule("BL-8.5.2-f")
def test_a_trailer_runs_only_behind_a_rail_bus_of_its_owner() -> None:
    game = ironworks("BW-A")
    assert game.rules.trains.fleets(game, "OV") == [()]
    game.settle()
    assert game.company("OV").last_revenue == 0
    game = ironworks("3", "BW-A")
    assert game.rules.trains.fleets(game, "OV") == [("3",)]
    assert a.refused(game, run(game, ("SB3+BW-A", TOWNS), company="OV")).rule == "BL-8.5.1-a"


@pytest.mark.rule("BL-8.5.2-g")
def test_the_corporation_chooses_which_rail_bus_takes_the_trailer() -> None:
    game = ironworks("SB3", "SB4", "BW-A")
    assert game.rules.trains.fleets(game, "OV") == [
        ("SB3", "SB4"),
        ("SB3+BW-A", "SB4"),
        ("SB3", "SB4+BW-A"),
    ]
    best = game.best_routes("OV")
    assert best.proved
    assert best.value == max(
        game.router("OV").best(fleet, as_many_as_possible=False).value for fleet in game.rules.trains.fleets(game, "OV")
    )
    both = run(game, ("SB3+BW-A", TOWNS[:2]), ("SB4+BW-A", ("N10:a", "O11", "P12:a")), company="OV")
    assert a.refused(game, both).rule == "BL-8.5.1-a"  # one trailer
    for routes in ((("SB3", TOWNS),), (("SB3+BW-A", TOWNS),), (("SB4+BW-A", TOWNS),)):
        game.copy().apply(run(game, *routes, company="OV"))


@pytest.mark.rule("BL-8.5.3-a", "BL-8.5.1-b")
def test_a_route_may_start_at_an_own_station_on_r12_but_not_run_through() -> None:
    game = ironworks("2", "SB3")
    a.lay(game, "Q11", "58", 5)  # SE towards R12
    game.board.remove_stations("OV")
    game.state.board.stations["R12"] = [["OV"]]
    a.take_offer(game)
    assert game.board.stations_of("OV") == [("R12", 0)]
    assert value(game, "2", ("R12:a", "P12:a"), "OV") == 40 + 40
    assert game.router("OV").any_route("2")
    assert not game.router("OV").any_route("SB3")  # R37
    assert value(game, "2", ("R12:a", "Q11:a"), "OV") == 40 + 10
    assert why(game, "3", ("P12:a", "R12:a", "Q11:a"), "OV") == "route.through_red"
    a.floated(game, "RhE", "bo")
    game.state.board.stations["N10"] = [["RhE", ""]]
    AccessTokens.of(game).charters.append("RhE")
    a.take_offer(game)
    # a foreign token there does not keep others from ending (R18)
    assert value(game, "4", ("N10:a", "O11", "P12:a", "R12:a"), "RhE") == 30 + 40 + 40


# ---------------------------------------------------------------------- 8.6


@pytest.mark.rule("BL-8.6.1-a", "BL-8.6.1-b")
def test_the_revenue_is_the_sum_of_all_stops_of_all_vehicles() -> None:
    game = hagen("2", "2")
    game.apply(run(game, ("2", LINE[:2]), ("2", LINE[1:])))
    assert Earned.of(game).revenue == (30 + 20) + (20 + 10)
    game = hagen("3", phase="3", tiles=(("C9", "14", 0),))
    assert value(game, "3", LINE) == 40 + 30 + 10  # green values


@pytest.mark.rule("BL-8.6.1-c", "BL-9-a", "BL-9-d", "BL-9-g", "BL-9-k")
def test_red_fields_and_the_ironworks_pay_by_the_colour_of_the_phase() -> None:
    hexes = a.new().definition.map.hexes
    for phase, colour in (("2", "yellow"), ("3", "green"), ("4", "green"), ("5", "brown"), ("6", "grey")):
        game = hagen(phase=phase)
        dortmund = hexes["A9"].face.stops[0].value(colour)
        assert value(game, "2", LINE[:2]) == dortmund + 20
        works = {"yellow": 30, "green": 40, "brown": 50, "grey": 60}[colour]
        assert value(ironworks(phase=phase), "2", WORKS[:3], "OV") == works + 30
    assert [hexes["A9"].face.stops[0].value(c) for c in ("yellow", "green", "brown", "grey")] == [30, 40, 60, 70]


@pytest.mark.rule("BL-8.6.1-g")
@pytest.mark.parametrize(
    ("routes", "earned"),
    [(("north",), 40), (("south",), 40), (("north", "south"), 90)],
)
def test_the_corporations_total_is_rounded_down_to_full_tens(routes: tuple[str, ...], earned: int) -> None:
    """45 and 45 are 90, not 40 and 40; the sheet has no odd values, so two stops are made odd (R44)."""
    game = hagen("2", "2")
    for at in ("A9", "E9"):
        face = game.board.faces[at]
        game.board.faces[at] = replace(face, stops=(replace(face.stops[0], revenue=(("yellow", 25),)),))
    paths = {"north": LINE[:2], "south": LINE[1:]}
    choice = game.offer().find("run")
    assert choice is not None
    assert choice.ask({}).options[0].facts["revenue"] == 90  # type: ignore[union-attr]
    (happened,) = [e for e in game.apply(run(game, *(("2", paths[r]) for r in routes))) if isinstance(e, TrainsRun)]
    assert [value for _, value, _ in happened.routes] == [45] * len(routes)
    assert happened.revenue == game.company("WEG").last_revenue == earned
    treasury = game.state.cash["WEG"]
    game.apply(mv.Dividend("ann", "WEG", "withhold"))
    assert game.state.cash["WEG"] == treasury + earned


def revenue(amount: int, *, offering: int = 0, pool: int = 0, price: tuple[int, int] = (0, 6)) -> Game:
    """RhE of ann has run for an amount; so much lies in the offering and the pool, the rest is ann's and bo's."""
    game = a.after_package(3)
    a.floated(game, "RhE", "ann", 100, treasury=0)
    company = game.company("RhE")
    company.certificates = ["ann"] * 5 + ["bo"] * 4
    for number in range(offering // 10):
        company.certificates[8 - number] = "offering"
    for number in range(pool // 10):
        company.certificates[8 - offering // 10 - number] = POOL
    a.price_at(game, "RhE", price)
    a.operating(game, "RhE", "dividend")
    Earned.of(game).revenue = amount
    a.take_offer(game)
    return game


@pytest.mark.rule("BL-8.6.2-a")
def test_withholding_pays_all_into_the_treasury() -> None:
    game = revenue(120)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "RhE", "withhold"))
    assert game.state.cash["RhE"] == 120
    assert game.state.cash["ann"] == before["ann"]


@pytest.mark.rule("BL-8.6.2-b", "BL-8.6.2-c", "BL-8.6.2-d")
def test_a_full_dividend_by_shares_with_offering_and_pool() -> None:
    game = revenue(120, offering=30)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "RhE", "pay"))
    assert game.state.cash["ann"] - before["ann"] == 12 * 6
    assert game.state.cash["bo"] - before["bo"] == 12
    assert game.state.cash["RhE"] == 0
    assert game.state.cash[BANK] == before[BANK] - 84
    game = revenue(120, pool=20)
    game.apply(mv.Dividend("ann", "RhE", "pay"))
    assert game.state.cash["RhE"] == 24


@pytest.mark.rule("BL-8.6.2-e", "BL-8.6.2-f")
def test_three_quarters_by_the_table() -> None:
    game = revenue(120)
    before = dict(game.state.cash)
    assert a.offered(game, "dividend") == ["pay", "pay_75", "withhold"]
    told = {option.value: option.facts for option in game.offer().find("dividend").ask({}).options}  # type: ignore[union-attr]
    assert [(told[kind]["share"], told[kind]["kept"]) for kind in told] == [(12, 0), (9, 30), (0, 120)]
    game.apply(mv.Dividend("ann", "RhE", "pay_75"))
    assert game.state.cash["ann"] - before["ann"] == 9 * 6
    assert game.state.cash["RhE"] == 30
    game = revenue(120, offering=20, pool=20)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "RhE", "pay_75"))
    assert game.state.cash["RhE"] == 30 + 18
    assert game.state.cash[BANK] == before[BANK] - 30 - 9 * 8
    # the printed table: 250 pays 18 a share and keeps 70; 10 cannot be divided
    game = revenue(250)
    game.apply(mv.Dividend("ann", "RhE", "pay_75"))
    assert game.state.cash["RhE"] == 70
    game = revenue(10)
    assert a.offered(game, "dividend") == ["pay", "withhold"]
    assert a.refused(game, mv.Dividend("ann", "RhE", "pay_75")).rule == "BL-8.6.2-e"


# ---------------------------------------------------------------------- 8.7


def moved(game: Game, kind: str) -> tuple[int, int] | None:
    game.apply(mv.Dividend("ann", "RhE", kind))
    return game.company("RhE").price


@pytest.mark.rule("BL-8.7-a")
def test_without_dividend_one_space_left() -> None:
    assert moved(revenue(120, price=(2, 6)), "withhold") == (2, 5)
    game = revenue(0, price=(2, 6))
    game.settle()
    assert game.company("RhE").price == (2, 5)


@pytest.mark.rule("BL-8.7-b")
def test_at_a_red_arrow_the_token_moves_down() -> None:
    game = revenue(120, price=(2, 0))
    assert game.definition.market.marked((2, 0), "d")
    assert moved(game, "withhold") == (3, 0)


@pytest.mark.rule("BL-8.7-c", "BL-7.5-d")
@pytest.mark.parametrize("cell", [(5, 0), (6, 1), (7, 2)])
def test_into_the_red_area_the_corporation_closes_and_its_turn_ends(cell: tuple[int, int]) -> None:
    game = revenue(120, price=cell)
    game.apply(mv.Dividend("ann", "RhE", "withhold"))
    assert game.company("RhE").closed
    assert game.state.round.actor != "RhE"
    assert shares.held(game, "RhE", "ann") == 0
    assert game.state.round.kind == "stock"  # nobody else operates


@pytest.mark.rule("BL-8.7-d")
def test_a_full_dividend_moves_right_or_up_at_the_green_arrow() -> None:
    assert moved(revenue(10, price=(2, 6)), "pay") == (2, 7)
    game = revenue(10, price=(4, 9))
    assert game.definition.market.marked((4, 9), "u")
    assert moved(game, "pay") == (3, 9)
    assert moved(revenue(10, price=(0, 16)), "pay") == (0, 16)


@pytest.mark.rule("BL-8.7-d", "BL-8.7-e")
@pytest.mark.parametrize("kind", ["pay", "pay_75"])
def test_at_the_end_of_the_table_a_token_keeps_its_place_in_the_stack(kind: str) -> None:
    """A dividend that would move it leaves it above the others; only a smaller one puts it below (BL-8.7-f)."""
    end = (0, 16)
    for amount, stack in ((600, ["RhE", "BME"]), (590, ["RhE", "BME"] if kind == "pay" else ["BME", "RhE"])):
        game = revenue(amount, price=end)
        a.founded(game, "BME", "bo", 82)
        a.price_at(game, "BME", end)
        assert game.prices.value("RhE") == 300
        game.apply(mv.Dividend("ann", "RhE", kind))
        assert game.state.stacks[end] == stack


@pytest.mark.rule("BL-8.7-e")
def test_three_quarters_move_from_150_percent_of_the_value_on() -> None:
    assert moved(revenue(200, price=(2, 8)), "pay_75") == (2, 9)  # 150 paid, value 100
    game = revenue(200, price=(2, 9))
    assert game.prices.value("RhE") == 111
    assert moved(game, "pay_75") == (2, 9)
    # all ten shares count, also those in offering and pool
    assert moved(revenue(200, offering=40, pool=30, price=(2, 8)), "pay_75") == (2, 9)
    assert moved(revenue(400, price=(4, 9)), "pay_75") == (3, 9)


@pytest.mark.rule("BL-8.7-f", "BL-7.1-e")
def test_otherwise_the_token_goes_below_the_others() -> None:
    game = revenue(20, price=(2, 6))
    a.founded(game, "BME", "bo", 82)
    assert game.state.stacks[2, 6] == ["RhE", "BME"]
    a.operating(game, "RhE", "dividend")
    Earned.of(game).revenue = 20
    a.take_offer(game)
    game.apply(mv.Dividend("ann", "RhE", "pay_75"))
    assert game.state.stacks[2, 6] == ["BME", "RhE"]
