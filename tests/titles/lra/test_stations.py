"""18LRA's stations: harbour spaces, harbour tokens in brown and turned over, red homes."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.remembered import Placed
from engine.state import BANK
from tests.titles.lra.arrange import (
    board,
    build,
    cash,
    earns,
    floated,
    harbour,
    harbours,
    lays,
    operating,
    places,
    ready,
    refused,
    refused_run,
    station,
    take_offer,
    to_harbour,
    token,
)
from tests.titles.rhl.asking import of_kind, paid
from titles.lra.harbour import HarbourTurned, has_harbour_token


def uerdingen(*companies: str, director: str = "ann", phase: str = "3", at: str = "F10") -> Game:
    """Krefeld (green) – Linn – Uerdingen (green) with stations of the companies in Krefeld."""
    game = board(*companies, director=director, phase=phase)
    build(game, "F10", "L17")
    build(game, "F12", "1", "W-NE")
    build(game, "E13", "L29")
    for company in companies[:2]:
        token(game, company, at, 1)
    operating(game, companies[0], "station")
    return game


@pytest.mark.rule("LRA-6.2.2.1-a")
def test_harbour_spaces_are_for_harbour_tokens() -> None:
    game = uerdingen("ADR", "CCE")
    game.apply(station(game, "ADR", "E13"))
    assert game.board.spaces("E13", 0) == ["ADR", ""]  # the ordinary space
    operating(game, "CCE", "station")
    assert ("E13", 0) not in places(game)
    assert refused(game, station(game, "CCE", "E13")).rule == "RHL-6.2.2-a"
    game.apply(to_harbour(game, "CCE", "E13"))
    assert game.board.spaces("E13", 0) == ["ADR", "CCE"]
    # The other way round.
    game = uerdingen("ADR", "CCE")
    game.apply(to_harbour(game, "ADR", "E13"))
    operating(game, "CCE", "station")
    assert ("E13", 0) in places(game)
    assert refused(game, to_harbour(game, "CCE", "E13")).rule == "LRA-6.2.2.1-a"
    # A turned token goes on an ordinary space only.
    game = uerdingen("ADR", "CCE")
    token(game, "CCE", "E13")
    game.company("ADR").tokens_left = [100]
    operating(game, "ADR", "station")
    assert refused(game, station(game, "ADR", "E13")).rule == "RHL-6.2.2-a"
    assert refused(game, to_harbour(game, "ADR", "F10")).rule == "LRA-6.2.2.1-a"
    assert set(game.definition.tables.harbour.hexes) == {"B12", "B14", "E13", "H14"}


@pytest.mark.rule("LRA-6.2.2.1-a")
def test_the_token_stays_on_the_harbour_space_of_the_brown_tile() -> None:
    game = uerdingen("ADR", "CCE")
    game.apply(to_harbour(game, "ADR", "E13"))
    token(game, "CCE", "E13")
    build(game, "E13", "L43")
    assert game.board.spaces("E13", 0) == ["CCE", "", "ADR"]
    assert game.board.lies_on("ADR", "E13", 0, "harbour")


@pytest.mark.rule("LRA-6.2.2.1-b")
def test_the_harbour_token_may_come_before_the_others() -> None:
    game = uerdingen("ADR", at="F10")
    game.company("ADR").tokens_left = [60, 80, 100]
    operating(game, "ADR", "station")
    game.apply(to_harbour(game, "ADR", "E13"))
    assert game.company("ADR").tokens_left == [60, 80]
    for price in (60, 80):
        game.board.remove_stations("ADR", "F10")
        take_offer(game)
        operating(game, "ADR", "station")
        happened = game.apply(station(game, "ADR", "F10", 1))
        assert paid(happened, "ADR", BANK) == price


def neuss(*companies: str, phase: str = "5") -> Game:
    """Neuss is green, and stations of the companies lie in Düsseldorf, across the ferry."""
    game = board(*companies, phase=phase)
    build(game, "G15", "L04")
    build(game, "G15", "L15")
    build(game, "G15", "L34")
    build(game, "H14", "L28")
    for company in companies:
        token(game, company, "G15")
    return game


@pytest.mark.rule("LRA-6.2.2.1-c")
@pytest.mark.parametrize(("company", "price"), [("CCE", 80), ("ADR", 100), ("MKB", 80)])
def test_in_brown_any_free_harbour_with_a_route(company: str, price: int) -> None:
    game = neuss(company)
    operating(game, company, "station")
    assert harbours(game) == {"H14": price}
    happened = game.apply(to_harbour(game, company, "H14"))
    assert paid(happened, company, BANK) == price
    assert not has_harbour_token(game, company, game.definition.tables.harbour)
    operating(game, company, "station")
    assert refused(game, to_harbour(game, company, "B12")).rule == "LRA-6.2.2.1-c"  # it is gone


@pytest.mark.rule("LRA-6.2.2.1-c", "LRA-2.6-a")
def test_in_brown_without_route_token_or_space_there_is_no_harbour() -> None:
    game = neuss("CCE", "GVE")
    operating(game, "GVE", "station")
    assert refused(game, to_harbour(game, "GVE", "H14")).rule == "LRA-6.2.2.1-c"  # it never had one
    operating(game, "CCE", "station")
    build(game, "E13", "L29")
    operating(game, "CCE", "station")
    assert refused(game, to_harbour(game, "CCE", "E13")).rule == "LRA-4.1.2-a"  # no route
    floated(game, "ADR", "cy")
    harbour(game, "ADR", "H14")
    operating(game, "CCE", "station")
    assert harbours(game) == {}, "what is refused is not offered"
    assert refused(game, to_harbour(game, "CCE", "H14")).rule == "LRA-6.2.2.1-a"  # taken
    game = neuss("CCE")
    cash(game, "CCE", 79)
    operating(game, "CCE", "station")
    assert harbours(game) == {}
    assert refused(game, to_harbour(game, "CCE", "H14")).rule == "RHL-6.2.2-d"


@pytest.mark.rule("LRA-6.2.2.1-d")
@pytest.mark.parametrize("phase", ["3", "5"])
def test_the_last_token_may_be_turned_over(phase: str) -> None:
    game = uerdingen("ADR", phase=phase, director="cy")
    game.company("ADR").tokens_left = [80, 100]
    operating(game, "ADR", "station")
    happened = game.apply(station(game, "ADR", "E13"))
    assert paid(happened, "ADR", BANK) == 80  # the ordinary one first
    assert not of_kind(happened, HarbourTurned)
    game.board.remove_stations("ADR", "E13")
    operating(game, "ADR", "station")
    happened = game.apply(station(game, "ADR", "E13"))
    assert paid(happened, "ADR", BANK) == 100
    assert of_kind(happened, HarbourTurned)
    assert game.board.spaces("E13", 0) == ["ADR", ""]
    assert not game.board.lies_on("ADR", "E13", 0, "harbour")
    assert game.company("ADR").tokens_left == []


@pytest.mark.rule("LRA-6.2.2.1-d")
def test_a_turned_token_needs_a_route_and_the_higher_price() -> None:
    game = board("ADR", phase="3")
    game.company("ADR").tokens_left = [100]
    operating(game, "ADR", "station")
    assert refused(game, station(game, "ADR", "E7")).rule == "RHL-6.2.2-e"
    game = uerdingen("ADR")  # the owner's company: the lower price is for the harbour space only
    game.company("ADR").tokens_left = [100]
    cash(game, "ADR", 99)
    operating(game, "ADR", "station")
    assert refused(game, station(game, "ADR", "E13")).rule == "RHL-6.2.2-d"
    assert harbours(game) == {"E13": 50}


@pytest.mark.rule("LRA-6.2.2.1-e")
def test_a_harbour_token_is_the_turns_one_station() -> None:
    game = uerdingen("ADR")
    game.apply(to_harbour(game, "ADR", "E13"))
    assert game.state.round.step != "station"
    game = uerdingen("ADR")
    Placed.of(game).station = True  # as a station on a private company's tile leaves it
    take_offer(game)
    assert refused(game, to_harbour(game, "ADR", "E13")).rule == "RHL-6.2.2-f"
    game = uerdingen("ADR")
    game.apply(station(game, "ADR", "E13"))
    operating(game, "ADR", "station")
    assert harbours(game) == {}
    assert refused(game, to_harbour(game, "ADR", "E13")).rule == "RHL-6.2.2-g"


@pytest.mark.rule("LRA-6.2.2.1-f")
def test_a_harbour_token_is_a_station_for_routes_and_tiles() -> None:
    game = board("ADR", director="cy", phase="3")
    build(game, "F12", "1", "W-NE")
    build(game, "E13", "L29")
    harbour(game, "ADR", "E13")
    game.company("ADR").operated = True
    operating(game, "ADR")
    assert lays(game, "E11")  # from Uerdingen westwards
    ready(game, "ADR", "2")
    assert earns(game, "ADR", ("2", "E13:a F12:b F10:b")) == 20 + 10 + 30 + 10  # with the steel mill of Krefeld


@pytest.mark.rule("LRA-6.2.2.1-f")
def test_a_harbour_token_blocks_with_the_others() -> None:
    for taken in (True, False):
        game = uerdingen("CCE", director="cy")
        for company in ("ADR", "RhE"):
            floated(game, company, "bo")
        token(game, "ADR", "E13")
        if taken:
            harbour(game, "RhE", "E13")
        build(game, "D14", "L30")
        ready(game, "CCE", "3")
        way = ("3", "F10:b F12:b E13:a D14:a")
        if taken:
            assert refused_run(game, "CCE", way).rule == "RHL-6.1.2-e"
        else:
            assert earns(game, "CCE", way) == 40 + 10 + 20 + 20


@pytest.mark.rule("LRA-6.2.2-a")
def test_aachen_is_open_before_adr_floats_and_closed_after() -> None:
    for active in (False, True):
        game = board("CCE")
        build(game, "J4", "58", "SW-E")
        build(game, "J6", "58", "W-NE")
        build(game, "I7", "L06", "SW-NE")
        token(game, "CCE", "I7")
        if active:
            floated(game, "ADR", "bo")
        ready(game, "CCE", "2")
        way = ("2", "I7:a J6:a J4:a K3:a")
        if active:
            assert refused_run(game, "CCE", way).rule == "LRA-6.2.2-a"
        else:
            assert earns(game, "CCE", way) == 30 + 10 + 10 + 20


@pytest.mark.rule("LRA-6.2.2-a")
def test_essen_and_elberfeld_are_open_until_somebody_builds_there() -> None:
    game = board("BME")
    build(game, "G15", "L04")
    ready(game, "BME", "2")
    assert earns(game, "BME", ("2", "G15:a H16:a")) == 50
    floated(game, "CCE", "bo")
    token(game, "CCE", "H16")
    operating(game, "BME", "run")
    assert refused_run(game, "BME", ("2", "G15:a H16:a")).rule == "LRA-6.2.2-a"
    assert [game.definition.map.hexes[at].face.stops[0].slots for at in ("B16", "H16", "A15", "A7")] == [1, 1, 0, 0]
