"""18LRA's private companies 2 to 5: harbours that are kept, and a tile without a route."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.remembered import Placed
from engine.state import BANK, CLOSED
from tests.titles.lra.arrange import (
    after_package,
    arrange,
    board,
    build,
    buy_five,
    cash,
    floated,
    harbour,
    harbours,
    lays,
    operating,
    places,
    refused,
    station,
    to_harbour,
    token,
)
from tests.titles.rhl.asking import paid, permits, values


def to_uerdingen(*companies: str, director: str = "ann", green: bool = True, phase: str = "3") -> Game:
    """Krefeld – Linn – Uerdingen, with stations of the companies in Krefeld's linked city."""
    game = board(*companies, director=director, phase=phase)
    build(game, "F10", "L17")
    build(game, "F12", "1", "W-NE")
    if green:
        build(game, "E13", "L29")
    for company in companies:
        token(game, company, "F10", 1)
    return game


# ---------------------------------------------------------------------- harbours


@pytest.mark.rule("LRA-4.1.2-a")
def test_a_kept_harbour_needs_a_route() -> None:
    game = board("ADR", director="ann", phase="3")
    build(game, "E13", "L29")
    operating(game, "ADR", "station")
    assert harbours(game) == {}
    assert refused(game, to_harbour(game, "ADR", "E13")).rule == "LRA-4.1.2-a"
    game = to_uerdingen("ADR")
    operating(game, "ADR", "station")
    game.apply(to_harbour(game, "ADR", "E13"))
    assert game.board.spaces("E13", 0) == ["", "ADR"]


@pytest.mark.rule("LRA-4.1.2-f")
def test_only_the_owner_as_director_uses_a_kept_harbour() -> None:
    game = to_uerdingen("ADR", director="cy")
    operating(game, "ADR", "station")
    assert harbours(game) == {}
    assert refused(game, to_harbour(game, "ADR", "E13")).rule == "LRA-4.1.2-f"
    game = to_uerdingen("ADR")
    operating(game, "ADR", "station")
    assert harbours(game) == {"E13": 50}
    game.company("ADR").director = "cy"  # and with it the owner is director no more
    operating(game, "ADR", "station")
    assert refused(game, to_harbour(game, "ADR", "E13")).rule == "LRA-4.1.2-f"


@pytest.mark.rule("LRA-4.1.2-g", "LRA-6.2.2.1-a")
@pytest.mark.parametrize(("at", "tile", "private"), [("E13", "L29", "UH"), ("H14", "L28", "NH"), ("B14", "L44", "RH")])
def test_the_harbour_space_comes_with_the_green_tile(at: str, tile: str, private: str) -> None:
    game = board("ADR", director="ann", phase="3", buyers={private: "ann"})
    token(game, "ADR", at)  # so that it has a route to the hex and may upgrade it
    operating(game, "ADR", "station")
    assert refused(game, to_harbour(game, "ADR", at)).rule == "LRA-6.2.2.1-a"
    game = to_uerdingen("ADR", green=False)
    operating(game, "ADR", "track")
    assert [name for name, _ in lays(game, "E13")] == ["L29"]
    game.apply(mv.LayTile("ann", "ADR", "E13", "L29", 0))
    assert harbours(game) == {"E13": 50}  # in the same turn
    definition = game.definition
    assert definition.tiles[tile].face.stops[0].reserved[-1] == "harbour"
    assert not any("harbour" in stop.reserved for stop in definition.map.hexes[at].face.stops)


@pytest.mark.rule("LRA-4.1.2-h")
def test_the_lower_price_with_the_private() -> None:
    for company, price in (("ADR", 50), ("KEG", 40), ("CCE", 40), ("BME", 50)):
        game = to_uerdingen(company)
        operating(game, company, "station")
        before = game.state.cash[company]
        game.apply(to_harbour(game, company, "E13"))
        assert before - game.state.cash[company] == price
    game = board("ADR", director="ann", phase="3")
    build(game, "H14", "L28")
    build(game, "G13", "4", "NW-SE")
    build(game, "F12", "69", "SE-W")
    token(game, "ADR", "F10", 1)
    operating(game, "ADR", "station")
    assert refused(game, to_harbour(game, "ADR", "H14")).rule == "LRA-4.1.2-f"  # it is bo's


@pytest.mark.rule("LRA-4.1.2-i", "LRA-6.3-b")
def test_with_the_first_5_train_the_harbours_are_free() -> None:
    for company, price in (("ADR", 100), ("KEG", 80)):
        for director in ("cy", "ann"):  # the former owner pays the same
            game = to_uerdingen(company, director=director, phase="5")
            operating(game, company, "station")
            assert harbours(game) == {"E13": price}


@pytest.mark.rule("LRA-4.1.2-j", "LRA-4.2.3-f")
@pytest.mark.parametrize(("company", "price"), [("ADR", 100), ("KEG", 80), ("MKB", 20)])
def test_orsoy_is_never_kept(company: str, price: int) -> None:
    for director in ("cy", "ann"):
        game = board(company, director=director, phase="3")
        build(game, "C13", "L03", "NW-NE")
        token(game, company, "B14")
        operating(game, company, "station")
        assert refused(game, to_harbour(game, company, "B12")).rule == "LRA-6.2.2.1-a"  # still a town
        build(game, "B14", "L44")
        build(game, "B12", "L27")
        operating(game, company, "station")
        assert harbours(game) == {"B12": price}


@pytest.mark.rule("LRA-4.1.2-x", "LRA-4.1.2-w")
def test_a_used_harbour_private_goes_on_paying_until_the_first_5_train() -> None:
    game = to_uerdingen("ADR", "CCE")
    operating(game, "ADR", "station")
    game.apply(to_harbour(game, "ADR", "E13"))
    before = game.state.cash["ann"]
    operating(game, "CCE", "station")
    assert game.state.cash["ann"] - before == 5 + 15 + 10  # DEC, UH, GKB
    assert refused(game, to_harbour(game, "CCE", "E13")).rule == "LRA-6.2.2.1-a"  # taken
    counts = {player: shares.certificates(game, player) for player in ("ann", "bo")}
    buy_five(game, "CCE", "ann")
    assert {game.state.privates[private] for private in game.state.privates} == {CLOSED}
    assert {player: shares.certificates(game, player) for player in counts} == {
        "ann": counts["ann"] - 3, "bo": counts["bo"] - 3,
    }  # fmt: skip
    assert game.board.spaces("E13", 0) == ["", "ADR"]
    before = dict(game.state.cash)
    operating(game, "CCE", "station")
    assert game.state.cash == before


# ---------------------------------------------------------------------- no. 5


@pytest.mark.rule("LRA-4.1.2-k")
def test_adr_floats_with_40_per_cent_from_the_offering() -> None:
    game = after_package(buyers={"RM": "cy"})
    for player in ("ann", "bo"):
        cash(game, player, 800)
    game.state.priority = "ann"
    arrange.begin_stock(game, "ann")
    game.apply(mv.Found("ann", "ADR", 70))
    for _ in range(2):
        assert not game.company("ADR").floated
        while game.offer().deciders[0] != "ann":
            game.apply(mv.Pass(game.offer().deciders[0]))
        game.apply(mv.BuyShare("ann", "ADR", "offering", 10))
    assert game.company("ADR").floated
    assert game.state.cash["ADR"] == 350


def with_rm(phase: str = "3", **more: object) -> Game:
    """BME, whose director owns no. 5, in its tile step; nothing is built near Gladbach."""
    game = board("BME", director="bo", phase=phase, **more)
    game.company("BME").operated = True
    build(game, "G15", "L04")
    operating(game, "BME")
    return game


def gladbach(game: Game, at: str = "H8", tile: str = "L07", rotation: int = 0) -> mv.LayTile:
    return mv.LayTile("bo", "BME", at, tile, rotation, "RM")


@pytest.mark.rule("LRA-4.1.2-l", "LRA-4.1.2-a")
def test_no_5_lays_a_tile_without_a_route_from_green_on() -> None:
    assert permits(with_rm("2")) == {""}
    game = with_rm()
    assert set(values(game, "lay_tile", private="RM")) == {"H8", "I7"}
    game.apply(gladbach(game))
    assert game.state.board.tiles["H8"][0] == "L07"
    game.apply(mv.Pass("bo"))  # no station
    assert game.state.round.step != "track"  # the only tile of the turn
    operating(game, "BME")
    assert permits(game) == {""}  # once
    assert refused(game, gladbach(game, "I7")).rule == "RHL-4.1-d"
    # As an upgrade.
    game = with_rm()
    build(game, "I7", "L07", "NE-W")
    operating(game, "BME")
    found = [fit for at in ("I7",) for fit in values(game, "lay_tile", private="RM", hex=at)]
    assert found
    assert all(game.definition.tiles[name].colour == "green" for name in found)
    # Not after another tile.
    game = with_rm()
    game.apply(mv.LayTile("bo", "BME", "E15", "58", 0))
    assert game.state.round.step != "track"
    # A director who does not own it has no such lay.
    game = with_rm(buyers={"RM": "cy"})
    assert permits(game) == {""}


@pytest.mark.rule("LRA-4.1.2-l")
def test_no_5_is_the_only_tile_also_of_a_first_turn_with_two_yellow_ones() -> None:
    for first in ("RM", "normal"):
        game = board("KEG", director="bo", phase="3")
        build(game, "F10", "L17")
        operating(game, "KEG")
        if first == "RM":
            game.apply(mv.LayTile("bo", "KEG", "H8", "L07", 0, "RM"))
            game.apply(mv.Pass("bo"))
            assert game.state.round.step != "track"
        else:
            game.apply(mv.LayTile("bo", "KEG", "E11", "9", 0))
            assert permits(game) == {""}
            move = mv.LayTile("bo", "KEG", "H8", "L07", 0, "RM")
            assert refused(game, move).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-6.2.1-b", "LRA-4.1.2-l")
def test_no_5_waits_while_the_first_tile_is_due_at_home() -> None:
    # The only tile of the turn cannot be in Gladbach when the turn must lay one at home.
    game = board("KEG", director="bo", phase="3")
    operating(game, "KEG")
    assert permits(game) == {""}
    assert refused(game, mv.LayTile("bo", "KEG", "H8", "L07", 0, "RM")).rule == "RHL-6.2.1-b"
    # In its second turn nothing is due.
    game.company("KEG").operated = True
    operating(game, "KEG")
    assert permits(game) == {"", "RM"}
    game.apply(mv.LayTile("bo", "KEG", "H8", "L07", 0, "RM"))


@pytest.mark.rule("LRA-4.1.2-m")
def test_no_5_allows_a_station_at_once_for_its_price() -> None:
    game = with_rm()
    game.apply(gladbach(game))
    assert game.state.pauses[0].kind == "granted_station"
    assert values(game, "place_station") == [0, 1]  # the city without track as well
    happened = game.apply(mv.PlaceStation("bo", "BME", "H8", 1, "RM"))
    assert paid(happened, "BME", BANK) == 60
    assert game.board.has_station("BME", "H8")
    assert Placed.of(game).station  # the turn's only station
    # In a later turn without a route: refused.
    game = with_rm()
    game.apply(gladbach(game))
    game.apply(mv.Pass("bo"))
    operating(game, "BME", "station")
    assert ("H8", 0) not in places(game)
    assert refused(game, station(game, "BME", "H8")).rule == "RHL-6.2.2-e"


@pytest.mark.rule("LRA-4.1.2-m")
@pytest.mark.parametrize("granted", [True, False])
def test_after_the_station_of_no_5_there_is_no_harbour_token_in_this_turn(granted: bool) -> None:
    game = to_uerdingen("ADR")
    game.company("ADR").operated = True
    game.state.privates["RM"] = "ann"
    operating(game, "ADR")
    if granted:
        game.apply(mv.LayTile("ann", "ADR", "H8", "L07", 0, "RM"))
        game.apply(mv.PlaceStation("ann", "ADR", "H8", 1, "RM"))
        assert game.state.round.step != "station"
    else:
        game.apply(mv.Pass("ann"))
        assert set(harbours(game)) == {"E13"}, "without it there is one"


@pytest.mark.rule("LRA-4.1.2-w")
def test_the_unused_function_of_no_5_ends_with_the_first_5_train() -> None:
    game = with_rm("5")
    assert permits(game) == {""}


@pytest.mark.rule("LRA-4.1.2-w")
def test_tokens_stay_when_privates_close() -> None:
    game = to_uerdingen("ADR")
    harbour(game, "ADR", "E13")
    floated(game, "CCE", "cy")
    buy_five(game, "CCE")
    assert game.board.lies_on("ADR", "E13", 0, "harbour")
