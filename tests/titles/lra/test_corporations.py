"""18LRA's corporations: homes and shares, floating, and what some of them may do."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.remembered import Placed
from engine.state import BANK, OFFERING
from tests.titles.lra.arrange import (
    after_package,
    arrange,
    board,
    build,
    cash,
    earns,
    floated,
    harbours,
    new,
    operating,
    places,
    ready,
    refused,
    rhine_line,
    station,
    to_harbour,
    token,
)
from tests.titles.rhl.asking import of_kind, paid, permits
from titles.lra.links import LinkDue
from titles.rhineland.link import LinkBuilt

HOMES = {
    "ADR": ("K3", 0), "BME": ("G15", 0), "CCE": ("A5", 0), "CME": ("K15", 0), "GVE": ("G7", 0), "KEG": ("F10", 0),
    "MKB": ("C11", 0), "RhE": ("K11", 0),
}  # fmt: skip


@pytest.mark.rule("LRA-4.2.3-a")
def test_homes_and_splits() -> None:
    game = new()
    found = {
        token: (at, stop)
        for at, stops in game.state.board.stations.items()
        for stop, spaces in enumerate(stops)
        for token in spaces
        if token
    }
    assert found == HOMES
    split = {name: list(corporation.shares) for name, corporation in game.definition.corporations.items()}
    assert split.pop("KEG") == [30] + [10] * 7
    assert split.pop("MKB") == [20, 20, 20] + [10] * 4
    assert all(each == [20] + [10] * 8 for each in split.values())


def buys(game: Game, player: str, company: str, percent: int) -> None:
    while game.offer().deciders[0] != player:
        game.apply(mv.Pass(game.offer().deciders[0]))
    game.apply(mv.BuyShare(player, company, OFFERING, percent))


@pytest.mark.rule("LRA-4.2.3-b", "LRA-4.2.3-a")
@pytest.mark.parametrize(
    ("company", "steps", "capital"), [("KEG", (10, 10), 350), ("MKB", (20, 20), 420), ("RhE", (10, 10, 10), 350)]
)
def test_share_at_which_a_company_floats(company: str, steps: tuple[int, ...], capital: int) -> None:
    game = after_package()
    cash(game, "cy", 1500)
    arrange.begin_stock(game, "cy")
    game.apply(mv.Found("cy", company, 70))
    for step in steps:
        assert not game.company(company).floated
        buys(game, "cy", company, step)
    assert game.company(company).floated
    assert game.state.cash[company] == capital


# ---------------------------------------------------------------------- two yellow tiles


def first_turn(company: str, phase: str = "2") -> Game:
    game = board(company, phase=phase)
    if company == "KEG":
        build(game, "F10", "L17")
    operating(game, company)
    return game


LINES = {
    "ADR": [("J4", "4", 1), ("J6", "58", 4)],
    "CME": [("J14", "9", 2), ("I13", "58", 0)],
    "KEG": [("E11", "9", 0), ("D12", "55", 0)],
    "RhE": [("J10", "6", 2), ("J8", "4", 1)],
}


@pytest.mark.rule("LRA-4.2.3-c")
@pytest.mark.parametrize("company", ["ADR", "CME", "KEG", "RhE"])
def test_two_yellow_tiles_in_the_first_turn(company: str) -> None:
    game = first_turn(company)
    (at, tile, rotation), (then, second, turn) = LINES[company]
    game.apply(mv.LayTile("cy", company, at, tile, rotation))
    assert permits(game) == {""}
    game.apply(mv.LayTile("cy", company, then, second, turn))  # on from the first
    assert game.state.round.step != "track"  # a third is not to be had
    game = first_turn(company)
    game.company(company).operated = True  # the second operating round
    operating(game, company)
    game.apply(mv.LayTile("cy", company, at, tile, rotation))
    assert game.state.round.step != "track"


@pytest.mark.rule("LRA-4.2.3-c")
def test_an_upgrade_is_the_only_tile_and_the_second_is_yellow() -> None:
    game = first_turn("ADR", "3")
    build(game, "J4", "4", "W-E")
    operating(game, "ADR")
    game.apply(mv.LayTile("cy", "ADR", "J4", "141", 1))  # an upgrade
    assert game.state.round.step != "track"
    game = first_turn("ADR", "3")
    game.apply(mv.LayTile("cy", "ADR", "J4", "4", 1))
    assert refused(game, mv.LayTile("cy", "ADR", "J4", "141", 1)).rule == "LRA-4.2.3-c"


@pytest.mark.rule("LRA-4.2.3-c", "LRA-4.2.3-g")
@pytest.mark.parametrize("company", ["BME", "CCE", "GVE", "MKB"])
def test_the_others_have_one_from_the_start(company: str) -> None:
    game = board(company, phase="3")
    if company == "CCE":
        build(game, "B6", "9", "NW-SE")
    operating(game, company)
    tile = {
        "BME": ("G15", "L04", 0), "CCE": ("C7", "9", 2), "GVE": ("G7", "57", 1), "MKB": ("C11", "L08", 0),
    }[company]  # fmt: skip
    game.apply(mv.LayTile("cy", company, *tile))
    assert game.state.round.step != "track"


@pytest.mark.rule("LRA-4.2.3-g")
def test_bme_has_nothing_of_its_own() -> None:
    game = board("BME", phase="5")
    build(game, "G15", "L04")
    build(game, "G15", "L15")
    build(game, "H14", "L28")
    operating(game, "BME", "station")
    assert harbours(game) == {"H14": 100}
    special = game.definition.corporations["BME"].special
    assert not special


# ---------------------------------------------------------------------- CCE and Krefeld


@pytest.mark.rule("LRA-4.2.3-d")
def test_cce_builds_in_krefeld_without_a_route() -> None:
    for phase in ("2", "3", "5"):
        game = board("CCE", "ADR", phase=phase)
        operating(game, "CCE", "station")
        assert places(game) >= {("F10", 1)}
        assert ("F10", 0) not in places(game)
        assert refused(game, station(game, "CCE", "F10", 0)).rule == "RHL-6.2.2-a"  # KEG's circle
        happened = game.apply(station(game, "CCE", "F10", 1))
        assert paid(happened, "CCE", BANK) == 60
        assert Placed.of(game).station  # the only one of the round
        operating(game, "ADR", "station")
        assert refused(game, station(game, "ADR", "F10", 1)).rule == "RHL-6.2.2-a"
    game = board("CCE", "ADR")
    operating(game, "ADR", "station")
    assert refused(game, station(game, "ADR", "F10", 1)).rule == "RHL-6.2.2-e"  # another needs a route
    operating(game, "CCE", "station")
    game.apply(station(game, "CCE", "F10", 1))
    operating(game, "CCE")
    game.apply(mv.LayTile("cy", "CCE", "F12", "1", 0))  # the next turn, from there


@pytest.mark.rule("LRA-4.2.3-d")
def test_cce_in_krefeld_pays_and_once_only() -> None:
    game = board("CCE", treasury=59)
    operating(game, "CCE", "station")
    assert places(game) == set()
    assert refused(game, station(game, "CCE", "F10", 1)).rule == "RHL-6.2.2-d"
    game = board("CCE", phase="5")
    build(game, "F10", "L17")
    build(game, "F10", "L36")
    token(game, "CCE", "F10")
    operating(game, "CCE", "station")
    assert refused(game, station(game, "CCE", "F10", 0)).rule == "RHL-6.2.2-g"


@pytest.mark.rule("LRA-4.2.3-d")
def test_with_a_station_in_krefeld_cce_is_not_offered_a_second_one() -> None:
    game = board("CCE", phase="3")
    build(game, "F10", "L17")
    token(game, "CCE", "F10", 1)
    operating(game, "CCE", "station")
    assert "" in game.board.spaces("F10", 1), "there would be room"
    assert "F10" not in {at for at, _ in places(game)}
    assert refused(game, station(game, "CCE", "F10", 1)).rule == "RHL-6.2.2-g"


# ---------------------------------------------------------------------- GVE's link


def nearly_linked(*companies: str) -> Game:
    """Rheydt – Brüggen – Kaldenkirchen – Venlo, but for the last tile, which ADR is about to lay."""
    game = board("ADR", *companies)
    for at, tile, *ways in (
        ("F2", "4", "NW-SE"), ("G3", "4", "NW-SE"), ("H4", "9", "NW-SE"), ("I7", "L07", "W-NE"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    token(game, "ADR", "I7")
    game.company("ADR").operated = True
    operating(game, "ADR")
    return game


LAST = mv.LayTile("cy", "ADR", "I5", "8", 5)


@pytest.mark.rule("LRA-4.2.3-e")
def test_gve_is_paid_for_the_link_to_venlo() -> None:
    game = nearly_linked("GVE")
    for company in ("CCE", "RhE"):  # full cities do not matter
        floated(game, company, "bo")
        token(game, company, "E1")
    operating(game, "ADR")
    before = dict(game.state.cash)
    happened = game.apply(LAST)
    assert of_kind(happened, LinkBuilt)[0].amount == 100
    assert game.state.cash["GVE"] - before["GVE"] == 100
    assert before[BANK] - game.state.cash[BANK] == 100
    assert game.state.cash["cy"] == before["cy"]
    # Another link pays nothing.
    operating(game, "ADR")
    game.apply(mv.LayTile("cy", "ADR", "H8", "L07", 1))
    assert game.tracks([("H8", 0)]).reaches("E1", 0)
    assert game.state.cash["GVE"] - before["GVE"] == 100


@pytest.mark.rule("LRA-4.2.3-e")
def test_gve_is_paid_with_its_float_if_the_link_is_older() -> None:
    game = nearly_linked()
    game.apply(LAST)
    assert LinkDue.of(game).link == "due"
    assert game.state.cash["GVE"] == 0
    cash(game, "bo", 1500)
    arrange.stock(game, "bo", 1)
    game.apply(mv.Found("bo", "GVE", 70))
    for _ in range(3):
        buys(game, "bo", "GVE", 10)
    assert game.company("GVE").floated
    assert game.state.cash["GVE"] == 350 + 100


@pytest.mark.rule("LRA-4.2.3-e")
def test_without_gve_nobody_is_paid() -> None:
    game = board("ADR", players=3, scenario="3")
    rhine_line(game)
    link = game.rules.on[ev.TileLaid][0]
    link(game, ev.TileLaid("ADR", "H8", "L06", 0, "", 0, ""))
    assert LinkDue.of(game).link is None


# ---------------------------------------------------------------------- MKB and KEG


@pytest.mark.rule("LRA-4.2.3-f")
def test_mkb_on_orsoy_needs_tile_and_route_and_pays_80_elsewhere() -> None:
    game = board("MKB", phase="5")
    build(game, "C11", "L08", "NE-SE")
    operating(game, "MKB", "station")
    assert refused(game, to_harbour(game, "MKB", "B12")).rule == "LRA-6.2.2.1-a"
    build(game, "B12", "L27")
    operating(game, "MKB", "station")
    assert harbours(game) == {"B12": 20}
    game = board("MKB", phase="5")
    build(game, "B12", "L27")
    operating(game, "MKB", "station")
    assert refused(game, to_harbour(game, "MKB", "B12")).rule == "LRA-4.1.2-a"  # no route
    build(game, "E13", "L29")
    build(game, "F12", "1", "W-NE")
    token(game, "MKB", "F10", 1)
    operating(game, "MKB", "station")
    assert harbours(game) == {"E13": 80}


@pytest.mark.rule("LRA-4.2.3-h")
def test_kegs_directors_certificate_is_three_shares() -> None:
    game = board("KEG", director="bo")
    for number in (1, 2):
        game.company("KEG").certificates[number] = "cy"
    assert shares.held(game, "KEG", "bo") == 30
    assert shares.held(game, "KEG", "cy") == 20
    arrange.stock(game, "bo")
    assert refused(game, mv.SellShares("bo", "KEG", 10)).rule == "RHL-4.2.1-c"
    game.company("KEG").certificates[3] = "cy"
    arrange.stock(game, "bo")
    game.apply(mv.SellShares("bo", "KEG", 10))
    assert game.company("KEG").director == "cy"
    assert shares.held(game, "KEG", "bo") == 20
    assert shares.held(game, "KEG", "cy") == 30
    assert game.company("KEG").certificates[0] == "cy"


@pytest.mark.rule("LRA-4.2.3-a")
def test_the_first_route_of_cce_is_printed() -> None:
    game = ready(board("CCE"), "CCE", "2")
    assert earns(game, "CCE", ("2", "A5:a B4:b")) == 30
