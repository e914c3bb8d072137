"""Routes and what they earn (ledger 3.2.2, 3.3, 4.3.2.1, 4.5.5, 4.5.6.1)."""

from __future__ import annotations

import pytest

from engine.errors import Refused
from engine.game import Game
from tests.titles.do import arrange as a
from tests.titles.do.test_track import crossing


def no_route(game: Game, company: str, train: str, path: str) -> str:
    """The clause that forbids a route."""
    with pytest.raises(Refused) as caught:
        a.route(game, company, train, path)
    return caught.value.rule


def chain() -> Game:
    """From the harbour C8 over the steel mill D9 to Dortmund City, on to the yard E14 and the steel mill F15."""
    game = a.ground("2", "DHB", "CME", "BME", "RhE", "KWE")
    a.put(game, "D11", "8", "W", "SE")
    return game


def junction(game: Game) -> None:
    """West of D11 leads to the SE and to the E, and on by D13 to the mine D19 and to C20; from SE to E is no way."""
    wanted = {(2, 4), (1, 4)}
    tile, rotation = next(
        (name, r) for name in ("23", "24") for r in range(6) if game.definition.tiles[name].faces[r].track_set == wanted
    )
    a.lay(game, "D11", tile, rotation)
    for at in ("D13", "D15", "D17"):
        a.put(game, at, "9", "W", "E")
    a.put(game, "D19", "1905", "W", "NE")


@pytest.mark.rule("DO-3.2.2-a", "DO-4.5.1-a")
def test_a_route_has_a_token_of_its_own() -> None:
    game = chain()
    assert a.route(game, "DHB", "3", "C8:a D9:a D11 E12:a") == 20 + 20 + 70
    assert no_route(game, "DHB", "3", "D9:a D11 E12:a E14:a") == "DO-3.2.2-a"
    assert no_route(game, "DHB", "3", "C8:a D9:a E12:a") == "DO-3.2.2-a", "there is no track from D9 to E12 but by D11"


@pytest.mark.rule("DO-3.2.2-b", "DO-4.5.1-a")
def test_a_route_has_two_income_hexes() -> None:
    game = a.ground("2", "BME")
    assert no_route(game, "BME", "2", "I10:a") == "DO-3.2.2-b"
    assert a.earned(game, "BME", "2") == 0
    a.put(game, "H9", "1904", "SE", "NW")
    assert a.earned(game, "BME", "2") == 30 + 10


@pytest.mark.rule("DO-3.2.2-c", "DO-4.5.1-a")
def test_no_hex_twice_on_a_route() -> None:
    game = a.ground("2", "KWE")
    crossing(game)
    a.station(game, "KWE", "E14")
    a.put(game, "F17", "1905", "NE", "W")
    path = "E14:a D15 D17 D19:a C18:a C16:a"
    assert a.route(game, "KWE", "8", path) == 20 + 10 + 30
    assert no_route(game, "KWE", "8", f"{path} D17 E18 F17:a") == "DO-3.2.2-c"


@pytest.mark.rule("DO-3.2.2-d", "DO-4.5.1-a")
def test_a_full_hex_only_begins_or_ends_a_route() -> None:
    game = chain()
    a.full(game, "D9", "CME")
    assert a.route(game, "DHB", "3", "C8:a D9:a") == 40
    assert no_route(game, "DHB", "3", "C8:a D9:a D11 E12:a") == "DO-3.2.2-d"
    assert a.route(game, "CME", "3", "C8:a D9:a D11 E12:a") == 110


@pytest.mark.rule("DO-3.2.2-e", "DO-4.5.1-a")
def test_no_track_twice_on_a_route() -> None:
    game = a.ground("2", "BME")
    a.put(game, "H9", "1904", "SE", "NW")
    assert no_route(game, "BME", "8", "I10:a H9:a I10:a") == "DO-3.2.2-e"
    # Two trains of one railway may not use the short piece of a junction both.
    game = chain()
    junction(game)
    a.station(game, "KWE", "D9")
    one, two = ("D9:a", "D11", "E12:a"), ("D9:a", "D11", "D13", "D15", "D17", "D19:a")
    router = game.router("KWE")
    assert router.trace("2", one).mask & router.trace("2", two).mask


@pytest.mark.rule("DO-3.2.2-f", "DO-4.5.1-a")
def test_no_sharp_turn_at_a_junction() -> None:
    game = chain()
    junction(game)
    assert a.route(game, "DHB", "3", "C8:a D9:a D11 E12:a") == 110
    assert a.route(game, "KWE", "3", "C20:a D19:a D17 D15 D13 D11 D9:a") == 30 + 10 + 20
    a.station(game, "BME", "E12")
    assert no_route(game, "BME", "3", "E12:a D11 D13 D15 D17 D19:a") == "DO-3.2.2-a"


@pytest.mark.rule("DO-3.2.2-g", "DO-4.5.1-a")
def test_a_red_field_only_begins_or_ends_a_route() -> None:
    game = a.ground("2", "BME")
    a.put(game, "H9", "1904", "SE", "NW")
    a.south(game)
    assert a.route(game, "BME", "3", "H9:a I10:a") == 40
    assert a.route(game, "BME", "3", "I10:a H11 G10 G12:a") == 60
    assert no_route(game, "BME", "3", "H9:a I10:a H11 G10 G12:a") == "DO-3.2.2-g"


@pytest.mark.rule("DO-4.5.5-a")
def test_a_train_runs_as_far_as_its_number_and_skips_nothing() -> None:
    game = chain()
    assert a.route(game, "DHB", "4", "C8:a D9:a D11 E12:a E14:a") == 130
    assert no_route(game, "DHB", "3", "C8:a D9:a D11 E12:a E14:a") == "DO-3.3-b"
    assert no_route(game, "DHB", "3", "C8:a D9 D11 E12:a") == "DO-3.3-c"
    assert a.earned(game, "DHB", "2") == 40


@pytest.mark.rule("DO-3.3-e", "DO-4.5.6.1-c")
def test_a_yard_pays_for_tokens_those_who_have_one_there() -> None:
    game = chain()
    assert a.worth(game, "DHB", "C6") == 20
    for count, company in enumerate(("CME", "BME", "RhE"), 1):
        a.full(game, "C6", company)
        assert a.worth(game, "DHB", "C6") == 20, "a stranger gets the value alone"
        assert a.worth(game, "CME", "C6") == 20 + 10 * count
    assert a.worth(game, "RhE", "C6") == 50
    assert a.worth(game, "RhE", "E14") == 20


@pytest.mark.rule("DO-4.5.6.1-b")
def test_border_fields_pay_by_the_phase() -> None:
    for phase, low in (("2", True), ("3", True), ("4", True), ("5", False), ("6", False), ("8", False)):
        game = a.ground(phase, "BME")
        assert a.worth(game, "BME", "I10") == (30 if low else 60)
        assert a.worth(game, "BME", "A18") == (20 if low else 40)
        assert a.worth(game, "BME", "E12") == 70


def west() -> Game:
    """CME's home A2/B1 with track from both of its hexes to the mines B3 and C2 … C4."""
    game = a.ground("2", "CME")
    a.put(game, "B3", "1903", "NW", "W")
    return game


@pytest.mark.rule("DO-4.5.5-c")
def test_a_destination_over_two_hexes_is_one() -> None:
    """R-16: once on a route, though both hexes have track."""
    game = west()
    assert {at for at, _ in game.board.stations_of("CME")} == {"A2", "B1"}
    assert a.route(game, "CME", "3", "A2:a B3:a") == a.route(game, "CME", "3", "B1:a B3:a") == 40
    assert no_route(game, "CME", "3", "A2:a B3:a B1:a") == "DO-3.2.2-c"
    # Two trains may use it by different triangles.
    one, two = (game.router("CME").trace("2", (home, "B3:a")) for home in ("A2:a", "B1:a"))
    assert one.mask & two.mask == 0


@pytest.mark.rule("DO-4.3.2.1-c")
def test_one_railway_runs_through_full_steel_mills_and_nothing_else() -> None:
    game = chain()
    a.directed(game, "HHW")
    game.board.place_station("HHW", "C6", 0)
    a.full(game, "D9", "CME")
    assert a.route(game, "HHW", "4", "C6:a C8:a D9:a D11 E12:a") == 30 + 20 + 20 + 70
    assert not game.reach("HHW").reaches("E12", 0), "it may not build beyond (R-41)"
    for company in ("CME", "BME", "RhE", "KWE"):
        game.board.place_station(company, "E12", 0)
    a.take_offer(game)
    assert no_route(game, "HHW", "5", "C6:a C8:a D9:a D11 E12:a E14:a") == "DO-3.2.2-d"
    a.station(game, "BME", "C6")
    assert no_route(game, "BME", "4", "C6:a C8:a D9:a D11 E12:a") == "DO-3.2.2-d"


@pytest.mark.rule("DO-4.5.5-b")
def test_two_trains_share_no_track_but_may_cross() -> None:
    game = chain()
    router = game.router("DHB")
    one = router.trace("2", ("C8:a", "D9:a"))
    two = router.trace("2", ("C8:a", "C6:a"))
    three = router.trace("3", ("C8:a", "D9:a", "D11", "E12:a"))
    assert one.mask & two.mask == 0
    assert one.mask & three.mask
