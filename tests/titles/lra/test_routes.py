"""18LRA's routes and what they earn: the Rhine and its ferries, double fields, grey fields, bonuses."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.records import put
from tests.titles.lra.arrange import (
    RHINE_LINE,
    arrange,
    board,
    build,
    earns,
    harbour,
    new,
    operating,
    ready,
    refused_run,
    rhine_line,
    suggested,
    token,
)
from titles.lra.dalheim import CampToken

# ---------------------------------------------------------------------- the Rhine


def düsseldorf(colour: str, *companies: str) -> Game:
    """Düsseldorf in a colour, Neuss green, and BME before its trains run."""
    game = board("BME", *companies, phase="6")
    build(game, "H14", "L28")
    for name, tile in (("yellow", "L04"), ("green", "L15"), ("brown", "L34")):
        build(game, "G15", tile)
        if name == colour:
            break
    return game


@pytest.mark.rule("LRA-6.2.3.2-a")
def test_the_rhine_is_crossed_from_the_green_tile_on() -> None:
    game = ready(düsseldorf("yellow"), "BME", "5")
    assert refused_run(game, "BME", ("5", "G15:a H14:a")).rule == "RHL-6.1.2-d"
    assert not game.reach("BME").reaches("H14", 0)
    game = ready(düsseldorf("green"), "BME", "5")
    assert earns(game, "BME", ("5", "G15:a H14:a")) == 30 + 30


@pytest.mark.rule("LRA-6.2.3.2-a")
def test_ruhrort_and_rheinhausen() -> None:
    game = board("CCE", phase="6")
    build(game, "C13", "L03", "NE-NW")
    token(game, "CCE", "B14")
    assert not game.reach("CCE").reaches("C13", 0)
    build(game, "B14", "L44")
    arrange.take_offer(game)
    assert game.reach("CCE").reaches("C13", 0)
    # Rheinhausen needs its own green tile and that of Duisburg.
    game = board("CCE", phase="6")
    build(game, "E13", "L29")
    token(game, "CCE", "E13")
    build(game, "C15", "L05")
    build(game, "D14", "L30")
    assert not game.reach("CCE").reaches("C15", 0)
    build(game, "C15", "L16")
    assert game.reach("CCE").reaches("C15", 0)


@pytest.mark.rule("LRA-6.2.3.2-b")
def test_the_ferry_of_düsseldorf() -> None:
    game = ready(düsseldorf("green"), "BME", "5")
    assert earns(game, "BME", ("5", "G15:a H16:a")) == 40 + 40  # without the ferry
    assert earns(game, "BME", ("5", "H14:a G15:a")) == 30 + 30  # it ends after the ferry
    assert earns(game, "BME", ("5", "H14:a G15:a H16:a")) == 30 + 30 + 40
    game = ready(düsseldorf("brown"), "BME", "5")
    assert earns(game, "BME", ("5", "H14:a G15:a H16:a")) == 30 + 60 + 40


@pytest.mark.rule("LRA-6.2.3.2-b")
def test_the_ferries_of_ruhrort_and_rheinhausen() -> None:
    game = board("CCE", phase="6")
    build(game, "B14", "L44")
    build(game, "C13", "L03", "NE-NW")
    token(game, "CCE", "B14")
    ready(game, "CCE", "5")
    assert earns(game, "CCE", ("5", "A15:a B14:a")) == 50 + 20
    assert earns(game, "CCE", ("5", "A15:a B14:a C13:a")) == 50 + 10 + 10
    build(game, "B14", "L42")
    operating(game, "CCE", "run")
    assert earns(game, "CCE", ("5", "A15:a B14:a C13:a")) == 50 + 30 + 10
    game = board("CCE", phase="6")
    for at, tile in (("E13", "L29"), ("D14", "L30"), ("C15", "L05"), ("C15", "L16")):
        build(game, at, tile)
    token(game, "CCE", "E13")
    ready(game, "CCE", "5")
    assert earns(game, "CCE", ("5", "E13:a D14:a")) == 20 + 20
    assert earns(game, "CCE", ("5", "E13:a D14:a C15:a")) == 20 + 10 + 40
    build(game, "D14", "L41")
    operating(game, "CCE", "run")
    assert earns(game, "CCE", ("5", "E13:a D14:a C15:a")) == 20 + 30 + 40


@pytest.mark.rule("LRA-6.2.3.2-c")
def test_a_crossing_is_one_city_without_banks() -> None:
    game = düsseldorf("green", "CCE", "RhE")
    token(game, "CCE", "G15")  # BME's home and CCE's station: full
    token(game, "RhE", "H14")
    ready(game, "RhE", "5")
    assert refused_run(game, "RhE", ("5", "H14:a G15:a H16:a")).rule == "RHL-6.1.2-e"
    game = düsseldorf("green", "RhE")
    token(game, "RhE", "H14")
    ready(game, "RhE", "5")
    for beyond in ("H16:a", "F16 E15:a"):
        if "E15" in beyond:
            build(game, "E15", "58", "NE-SE")
            operating(game, "RhE", "run")
        assert earns(game, "RhE", ("5", f"H14:a G15:a {beyond}"))  # one space is free
    assert [game.board.spaces("G15", 0)[0]] == ["BME"]
    build(game, "G15", "L34")
    assert game.board.spaces("G15", 0) == ["BME", "", ""]
    assert not any(spot.groups for at, spot in game.definition.map.hexes.items() if at in ("B14", "D14", "G15"))


# ---------------------------------------------------------------------- fields


@pytest.mark.rule("LRA-6.2.3-a")
def test_double_fields() -> None:
    hexes = new().definition.map.hexes
    found: dict[str, list[str]] = {}
    for at, spot in hexes.items():
        for name, _ in spot.groups:
            found.setdefault(name, []).append(at)
    assert found == {
        "Jülich": ["K5", "K7"], "Oberhausen": ["A13", "A15"], "Aachen": ["K1", "K3"], "Antwerpen": ["H2", "I1"],
        "Kevelaer": ["A1", "A3"], "Venlo": ["D2", "E1"],
    }  # fmt: skip


@pytest.mark.rule("LRA-6.2.3-a")
def test_from_jülich_to_jülich_there_is_no_route() -> None:
    game = board("CCE", phase="6")
    for at, tile, *ways in (
        ("J4", "3", "E-SE"), ("J6", "58", "W-NE"), ("I7", "L06", "SW-NE"), ("H8", "L21", "SW-SE"), ("J8", "4", "NE-SW"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    token(game, "CCE", "I7")
    ready(game, "CCE", "5")
    assert earns(game, "CCE", ("5", "K5:a J4:a J6:a I7:a H8:b I9:a J8:a")) == 20 + 10 + 10 + 30 + 40 + 10 + 10
    assert refused_run(game, "CCE", ("5", "K5:a J4:a J6:a I7:a H8:b I9:a J8:a K7:a")).rule == "LRA-6.2.3-a"


@pytest.mark.rule("LRA-6.2.3-a")
def test_from_köln_to_köln_there_is_a_route() -> None:
    game = board("RhE", phase="3")
    for at, tile, *ways in (
        ("J10", "5", "SE-E"), ("J12", "8", "W-NE"), ("I13", "3", "SW-SE"), ("J14", "9", "NW-SE"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    ready(game, "RhE", "3")
    assert earns(game, "RhE", ("3", "K11:a J10:a J12 I13:a J14 K15:a")) == 30 + 20 + 10 + 30


@pytest.mark.rule("LRA-6.2.3-a", "LRA-6.1.1-a")
def test_venlo_is_one_stop_by_whichever_side() -> None:
    game = board("CCE", phase="2")
    build(game, "F2", "4", "NW-SE")
    token(game, "CCE", "E1")
    ready(game, "CCE", "2")
    assert earns(game, "CCE", ("2", "C3:a D2 E1:a")) == 10 + 20
    assert refused_run(game, "CCE", ("2", "C3:a D2 E1:a F2:a")).rule == "RHL-6.2.3-b"  # towns at both ends count
    arrange.trains(game, "CCE", "3")
    game.company("CCE").trains.remove("2")
    operating(game, "CCE", "run")
    assert earns(game, "CCE", ("3", "C3:a D2 E1:a F2:a")) == 10 + 20 + 10


@pytest.mark.rule("LRA-6.1.1-a")
def test_grey_fields_pay_and_are_run_through() -> None:
    game = ready(board("ADR"), "ADR", "2")
    assert earns(game, "ADR", ("2", "K3:a J2:a")) == 40
    game = ready(board("ADR", phase="5"), "ADR", "5")
    assert suggested(game) == 40 + 50
    for phase, values in (("2", (10, 20, 20, 10, 10, 10)), ("6", (20, 40, 50, 10, 10, 10))):
        game = board(phase=phase)
        faces = game.board.faces
        found = [faces[at].stops[0].value(game.phase.colour) for at in ("A1", "E1", "J2", "C3", "D6", "I9")]
        assert found == list(values)
    game = board("ADR", phase="5")
    build(game, "J4", "4", "W-E")
    ready(game, "ADR", "5")
    assert earns(game, "ADR", ("5", "K3:a J2:a J4:a")) == 40 + 50 + 10  # through Herzogenrath


@pytest.mark.rule("LRA-6.2.3-b")
def test_two_trains_may_end_on_one_red_field_by_different_tracks() -> None:
    game = board("ADR")
    build(game, "J4", "58", "SW-E")
    ready(game, "ADR", "2", "3")
    assert earns(game, "ADR", ("2", "K3:a J2:a"), ("3", "K3:a J4:a")) == 40 + 30
    assert refused_run(game, "ADR", ("2", "K3:a J2:a"), ("3", "J2:a K3:a")).rule == "RHL-6.2.3-g"
    game = board("ADR", phase="3")
    build(game, "J4", "3", "SW-W")
    ready(game, "ADR", "3")
    assert refused_run(game, "ADR", ("3", "K3:a J2:a J4:a K3:a")).rule == "RHL-6.2.3-c"


# ---------------------------------------------------------------------- bonuses


def iron_rhine(*, harbour_for: str = "", phase: str = "6") -> Game:
    """Oberhausen – Ruhrort – Duisburg – Ratingen – Düsseldorf – … – Dalheim – Antwerpen, with BME's station."""
    game = board("BME", phase=phase)
    rhine_line(game)
    for at, tile, *ways in (("E15", "58", "NE-SE"), ("C15", "L05")):
        build(game, at, tile, *ways)
    if harbour_for:
        harbour(game, harbour_for, "H14")
    return game


IRON = "A15:a B14:a C15:a D16 E15:a F16 " + RHINE_LINE + " I1:a"


@pytest.mark.rule("LRA-6.2.4.1-a")
def test_the_iron_rhine() -> None:
    game = iron_rhine()
    stops = 50 + 20 + 30 + 10 + 30 + 30 + 30 + 30 + 10 + 30
    router = game.router("BME")
    router.rules["6"].reach = 20  # the whole way is longer than any train goes
    assert router.trace("6", IRON.split()).value == stops + 80
    short = " ".join(IRON.split()[:-1])
    assert router.trace("6", short.split()).value == stops - 30  # Antwerpen is missing
    assert router.trace("6", IRON.split()).parts[-1].what == "iron_rhine"


@pytest.mark.rule("LRA-6.2.4.1-a", "LRA-6.2.4.5-a")
def test_the_iron_rhine_adds_up_with_other_bonuses() -> None:
    game = iron_rhine(harbour_for="BME")
    router = game.router("BME")
    router.rules["6"].reach = 20
    parts = {part.what: part.amount for part in router.trace("6", IRON.split()).parts if ":" not in part.what}
    assert parts == {"iron_rhine": 80, "harbour": 20}  # the coalmine of Oberhausen and the steel mill of Duisburg
    put(game.state, CampToken("ann", "BME"))
    operating(game, "BME", "run")
    router = game.router("BME")
    router.rules["6"].reach = 20
    parts = {part.what: part.amount for part in router.trace("6", IRON.split()).parts if ":" not in part.what}
    assert parts == {"iron_rhine": 80, "harbour": 20, "dalheim": 20}


@pytest.mark.rule("LRA-6.2.4.1-a")
def test_essen_is_an_end_of_the_iron_rhine_and_venlo_is_none() -> None:
    game = iron_rhine()
    build(game, "C15", "L16")
    router = game.router("BME")
    router.rules["6"].reach = 20
    essen = "B16:a C15:a " + IRON.partition("C15:a ")[2]
    assert router.trace("6", essen.split()).parts[-1].what == "iron_rhine"
    marks = [router.rules["6"].worth((at, 0), False)[1] for at in ("A15", "E1")]
    assert router.rules["6"].bonus(sum(marks), ("A15", 0), ("E1", 0)) == 0


@pytest.mark.rule("LRA-6.2.4.5-a")
def test_the_own_harbour_earns_for_every_coalmine_and_steel_mill() -> None:
    game = board("CCE", phase="3")
    for at, tile, *ways in (
        ("B14", "L44"), ("C13", "L03", "NE-NW"), ("C13", "L10", "NE-NW"), ("C15", "L05"), ("B12", "L27"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    harbour(game, "CCE", "B14")
    ready(game, "CCE", "4")
    # Oberhausen (coal), Ruhrort, Homberg (coal), Orsoy: two; no pairs are needed.
    assert earns(game, "CCE", ("4", "A15:a B14:a C13:a B12:a")) == 20 + 10 + 10 + 10 + 20
    assert earns(game, "CCE", ("4", "B14:a A15:a")) == 20 + 20 + 10  # the token at the start
    assert earns(game, "CCE", ("4", "A15:a B14:a C15:a")) == 20 + 20 + 30 + 20  # in between; coal and steel
    arrange.trains(game, "CCE", "3")
    operating(game, "CCE", "run")
    both = (("4", "A15:a B14:a"), ("3", "C15:a B14:a"))
    assert earns(game, "CCE", *both) == 40 + 10 + 50 + 10  # each counts its own


@pytest.mark.rule("LRA-6.2.4.5-b", "LRA-6.2.4.5-c")
def test_no_harbour_bonus_for_others_turned_tokens_or_without_locations() -> None:
    game = board("CCE", "ADR", phase="3")
    build(game, "B14", "L44")
    build(game, "C15", "L05")
    harbour(game, "ADR", "B14")
    token(game, "CCE", "C15")
    ready(game, "CCE", "4")
    # Somebody else's token; coal and steel without an own harbour bring nothing either.
    assert earns(game, "CCE", ("4", "A15:a B14:a C15:a")) == 20 + 20 + 30
    game = board("CCE", phase="3")
    build(game, "B14", "L44")
    game.company("CCE").tokens_left = [80]
    token(game, "CCE", "B14")  # the last one, turned over
    ready(game, "CCE", "4")
    assert earns(game, "CCE", ("4", "A15:a B14:a")) == 20 + 20
    game = board("CCE", phase="3")
    build(game, "H14", "L28")
    build(game, "I13", "58", "NE-SE")
    harbour(game, "CCE", "H14")
    ready(game, "CCE", "4")
    assert earns(game, "CCE", ("4", "H14:a I13:a")) == 30 + 10  # no location


@pytest.mark.rule("LRA-6.2.4.5-c")
def test_there_is_no_industry_bonus() -> None:
    game = board("CCE", phase="6")
    build(game, "C15", "L05")
    token(game, "CCE", "C15")
    ready(game, "CCE", "6")
    assert earns(game, "CCE", ("6", "A15:a B14:a C15:a")) == 50 + 20 + 30
