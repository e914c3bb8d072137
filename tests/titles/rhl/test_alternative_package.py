"""The alternative starting package: its lots, alone and mixed with the others, and everything they bring."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

import titles
from engine import codec
from engine import events as ev
from engine import moves as mv
from engine.board.faces import FIRST_STOP
from engine.errors import Refused
from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.remembered import Placed
from engine.state import ASIDE, BANK, CLOSED, OFFERING, POOL
from tests.titles.arranging import walk
from tests.titles.rhl import arrange, lines, trips
from tests.titles.rhl.arrange import again
from tests.titles.rhl.asking import facts, of_kind, paid, permits, values
from tests.titles.rhl.lines import build, earns, places, refused_run, station, token
from titles.rhineland.link import LinkBuilt
from titles.rhl.alternative import LOTS, OPTIONS
from titles.rhl.contract import AssignToken, TokenAssigned
from titles.rhl.stations import FreeStationChoice, StationBeside

OTHERS = ("ATB", "MB", "RGC", "KSW", "AMD", "CME-DIR")


def turn(company: str, director: str, *privates: str, **more: Any) -> Game:
    """A company's turn with the alternative package; its director owns these private companies, another the rest."""
    return arrange.turn(company, director, *privates, **{"package": "alternative", **more})


def buy_five(game: Game, company: str) -> tuple[ev.Event, ...]:
    """A company buys the first 5-train."""
    arrange.phase(game, "4")
    arrange.sell_out(game, "2", "3", "4")
    arrange.cash(game, company, 500)
    arrange.operating(game, company, "trains")
    return game.apply(mv.BuyTrain(game.company(company).director, company, "5", BANK, 500))


# ---------------------------------------------------------------------- lots and their set-up


@pytest.mark.rule("RHL-8.5-a")
def test_the_alternative_package_replaces_every_lot() -> None:
    game = arrange.new(package="alternative")
    assert tuple(game.definition.privates) == OTHERS
    assert [private.number for private in game.definition.privates.values()] == [1, 2, 3, 4, 5, 6]
    assert [private.price for private in game.definition.privates.values()] == [20, 30, 50, 80, 120, 140]
    assert [private.revenue for private in game.definition.privates.values()] == [5, 0, 15, 20, 25, 0]


@pytest.mark.rule("RHL-8.5-a")
def test_the_mixture_of_the_ledger() -> None:
    """PWB, MB, THS, KSW, NLK and CME's director's certificate."""
    game = arrange.new(no_2="MB", no_4="KSW", no_6="CME-DIR")
    assert list(game.definition.privates) == ["PWB", "MB", "THS", "KSW", "NLK", "CME-DIR"]
    assert game.definition.map.hexes["G12"].face.labels == ("RS",)
    assert game.definition.map.hexes["E10"].face.stops == ()
    assert "lime" not in game.state.board.markers.get("E12", ())
    assert {"1990", "1991"} <= game.state.board.supply.keys()
    assert {"935", "1910", "1911"} & {t for t, tile in game.definition.tiles.items() if not tile.special} == set()
    assert game.state.companies["GVE"].certificates[1] == ASIDE
    assert game.state.companies["ADR"].certificates.count(OFFERING) == 9
    assert game.state.companies["CME"].certificates[:4] == [ASIDE, POOL, POOL, POOL]
    assert game.definition.corporations["RhE"].float_percent == 50
    assert "J9" in game.state.board.tiles


@pytest.mark.rule("RHL-8.5-a")
def test_a_number_has_one_lot_and_no_number_is_without() -> None:
    """A number takes one of its two lots; another number's, both, or none is refused."""
    for wrong in ("MB", "PWB ATB", "", "none"):
        with pytest.raises(Refused) as refused:
            titles.new_game("rhl", arrange.SEATS[:3], {"no_1": wrong})
        assert refused.value.key == "option.value"
        assert refused.value.facts["values"] == ("package", "PWB", "ATB")
    for picks in itertools.product(*LOTS.values()):
        options = {f"no_{number}": lot for number, lot in enumerate(picks, 1)}
        rules = titles.rules("rhl", 4, options)
        assert tuple(rules.definition.privates) == picks


@pytest.mark.rule("RHL-8.5-a")
def test_a_number_may_be_chosen_against_the_package() -> None:
    assert list(arrange.new(package="alternative", no_3="THS").definition.privates) == [
        "ATB", "MB", "THS", "KSW", "AMD", "CME-DIR",
    ]  # fmt: skip


@pytest.mark.rule("RHL-8.5-a")
def test_a_drawn_package_is_drawn_by_the_seed_and_kept_in_the_save() -> None:
    drawn = Counter[str]()
    for seed in range(60):
        game = titles.new_game("rhl", arrange.SEATS[:3], {"package": "drawn", "no_6": "RHE-DIR"}, seed)
        drawn.update(game.definition.privates.keys())
        if seed < 3:
            again = titles.load_game(codec.write(game))
            assert list(again.definition.privates) == list(game.definition.privates)
            assert again.state.digest() == game.state.digest()
    assert drawn["RHE-DIR"] == 60, "what is chosen is not drawn"
    for lots in list(LOTS.values())[:5]:
        assert all(15 <= drawn[lot] <= 45 for lot in lots)
    mixtures = {
        tuple(titles.new_game("rhl", arrange.SEATS[:3], {"package": "drawn"}, seed).definition.privates)
        for seed in range(60)
    }
    assert len(mixtures) > 30, "each number by itself"


@pytest.mark.rule("RHL-8.5-a")
@pytest.mark.parametrize("options", [{"package": "alternative"}, {"package": "drawn"}, {"no_4": "KSW"}])
def test_the_earlier_edition_has_no_alternative_package(options: dict[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        titles.new_game("rhl", arrange.SEATS[:3], {"edition": "earlier", **options})
    (pair,) = (f"{key}={value}".lower() for key, value in options.items())
    assert (refused.value.key, refused.value.rule) == ("option.apart", "RHL-8.5-a")
    assert refused.value.facts["options"] == ("edition=earlier", pair)
    titles.new_game("rhl", arrange.SEATS[:3], {"edition": "earlier", "no_4": "TF"})


@pytest.mark.rule("RHL-8.5.1-a")
def test_overlays_and_the_quarry_token() -> None:
    game = arrange.new(package="alternative")
    hexes = game.definition.map.hexes
    ratingen, angertal, bridge = (hexes[at].face for at in ("E10", "E12", "G12"))
    assert [stop.kind for stop in ratingen.stops] == ["city"]
    assert (ratingen.colour, ratingen.labels) == ("plain", ("RA",))
    assert [stop.kind for stop in angertal.stops] == ["town", "town"]
    assert (angertal.colour, angertal.cost, hexes["E12"].terrain) == ("plain", 30, "mountain")
    assert game.state.board.markers["E12"] == ["lime"]
    assert [stop.kind for stop in bridge.stops] == ["city", "city"]
    assert (bridge.colour, bridge.labels, bridge.cost) == ("yellow", ("RS",), 30)
    base = arrange.new()
    assert base.definition.map.hexes["E10"].face.stops == ()
    assert "lime" not in base.state.board.markers.get("E12", ())
    assert base.definition.map.hexes["G12"].face.colour == "plain"


@pytest.mark.rule("RHL-8.5.1-b", "RHL-3.2-a")
def test_one_of_each_ra_and_rs_tile_for_its_hex_alone() -> None:
    game = arrange.new(package="alternative")
    where = {"1910": "E10", "1911": "E10", "1990": "G12", "1991": "G12"}
    assert [game.state.board.supply[tile] for tile in where] == [1, 1, 1, 1]
    for tile, home in where.items():
        fits = {
            at
            for at in game.definition.map.hexes
            for below in (None, ("1910", 0), ("1990", 0))
            if below is None or at in game.definition.tiles[below[0]].hexes
            for fit in game.rules.tiling.fits(at, below)
            if fit.tile == tile
        }
        assert fits == {home}, tile
    assert arrange.new().state.board.supply.keys().isdisjoint(where)


@pytest.mark.rule("RHL-8.5.1-b")
def test_every_step_of_ratingen_and_the_bridge_fits() -> None:
    game = arrange.new(package="alternative")
    lines.build(game, "E10", "1910", "SW-NW")
    lines.build(game, "E10", "1911", "E")
    lines.build(game, "G12", "1990", "W", "E")
    assert not [fit for fit in game.rules.tiling.fits("E10", ("1911", 0)) if fit.face.colour == "brown"]
    lines.build(game, "G12", "1991", "W", "E", "SW", "NE")
    assert len(game.board.faces["G12"].stops) == 1


@pytest.mark.rule("RHL-8.5.1-b")
def test_a_train_may_run_past_ratingen_or_into_it() -> None:
    game = lines.board("DEE", package="alternative", phase="3")
    build(game, "F9", "921", "NE")
    build(game, "E10", "1910", "SW-NW")
    lines.ready(game, "DEE", "2", "3")
    assert earns(game, "DEE", ("2", "F9:b E10 D9:c")) == 40 + 30
    assert earns(game, "DEE", ("3", "F9:b E10:a D9:c")) == 40 + 10 + 30


@pytest.mark.rule("RHL-8.5.1-c")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_cme_has_the_role_of_rhe(players: int) -> None:
    game = arrange.new(players, package="alternative")
    state = game.state
    cme, rhe = state.companies["CME"], state.companies["RhE"]
    assert (game.prices.value("CME"), cme.par) == (70, 70)
    assert cme.certificates == [ASIDE, POOL, POOL, POOL, *[OFFERING] * 5]
    assert rhe.certificates == [OFFERING] * 9
    assert rhe.price is None
    assert (state.cash[ASIDE], state.cash[BANK]) == (210, 6990)
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.1-c")
def test_rhe_is_founded_at_any_price_and_floats_with_half_of_it() -> None:
    game = arrange.after_package(package="alternative")
    arrange.stock(game, "ann", 1)
    arrange.cash(game, "ann", 1000)
    assert values(game, "found", company="RhE") == [100, 90, 80, 75, 70, 65, 60]
    game.apply(mv.Found("ann", "RhE", 100))
    for held in (30, 40):
        arrange.stock(game, "ann", 1)
        game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
        assert shares.held(game, "RhE", "ann") == held
        assert not game.company("RhE").floated
    arrange.stock(game, "ann", 1)
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert game.company("RhE").floated
    assert game.state.cash["RhE"] == 500


@pytest.mark.rule("RHL-8.5.1-d")
def test_köln_and_bonn_are_joined_from_the_start() -> None:
    game = arrange.new(package="alternative")
    base = arrange.new()
    assert game.state.board.tiles == {"J9": ("8", 0), "K10": ("57", 2)}
    assert base.state.board.tiles == {}
    for tile in ("8", "57"):
        assert game.state.board.supply[tile] == base.state.board.supply[tile] - 1
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.1-d")
def test_rhe_runs_to_bonn_in_its_first_turn() -> None:
    game = lines.board("RhE", package="alternative")
    lines.ready(game, "RhE", "2")
    assert earns(game, "RhE", ("2", "I10:a J9 K10:a")) == 30 + 20
    lines.ready(game, "RhE", "3")
    assert earns(game, "RhE", ("3", "I10:a J9 K10:a L11:a")) == 30 + 20 + 30


# ---------------------------------------------------------------------- functions in general


@pytest.mark.rule("RHL-8.5-b")
def test_functions_are_for_directors_in_operating_rounds_and_the_private_stays() -> None:
    game = turn("BME", "ann", "ATB", "RGC", "KSW", phase_="3")
    build(game, "D13", "202", "NE")
    again(game, "BME")
    assert "ATB" in permits(game)
    before = shares.certificates(game, "ann")
    walk(game, mv.LayTile("ann", "BME", "E12", "1", lines.turns(game, "1", "W")[0], "ATB"))
    assert (game.state.privates["ATB"], shares.certificates(game, "ann")) == ("ann", before)
    arrange.operating(game, "BME")
    assert "ATB" not in permits(game)
    arrange.stock(game, "ann")
    assert arrange.names(game) <= {"sell_shares", "buy_share", "found", "pass"}
    for move in (AssignToken("ann", "BME", "F9"), mv.PlaceStation("ann", "BME", "D13", 0, "KSW")):
        assert arrange.refused(game, move).rule == "RHL-5-a"
    assert arrange.refused(game, mv.SellShares("ann", "KSW", 10)).key == "unknown.company"
    happened = trips.idle(game, lambda g: g.state.round.kind == "operating")
    assert paid(happened, BANK, "ann") == 5 + 15 + 20, "used or not, it pays"


@pytest.mark.rule("RHL-8.5-b")
def test_an_owner_who_directs_nothing_has_no_function() -> None:
    game = turn("BME", "ann", phase_="3")  # bo owns everything and directs nothing
    build(game, "D13", "202", "NE")
    for step in ("track", "station", "run"):
        again(game, "BME", step)
        assert {choice.granted_by for choice in game.offer().choices} <= {""}
        assert all(choice.player == "ann" for choice in game.offer().choices)
    again(game, "BME", "station")
    assert arrange.refused(game, mv.PlaceStation("ann", "BME", "D13", 0, "KSW")).rule == "RHL-8.5.2-f"
    assert arrange.refused(game, AssignToken("ann", "BME", "F9")).rule == "RHL-8.5.2-c"


# ---------------------------------------------------------------------- no. 1


@pytest.mark.rule("RHL-8.5.2-a")
def test_nobody_lays_on_e12_in_the_yellow_phase() -> None:
    game = turn("BME", "ann", "ATB", "THS", no_3="THS")
    assert "ATB" not in permits(game)
    rotation = lines.turns(game, "1", "W")[0]
    for private in ("", "THS", "ATB"):
        move = mv.LayTile("ann", "BME", "E12", "1", rotation, private)
        assert arrange.refused(game, move).rule == ("RHL-4.1-d" if private == "ATB" else "RHL-8.5.2-a"), private


@pytest.mark.rule("RHL-8.5.2-a")
def test_the_owner_lays_on_e12_for_nothing_without_a_route_besides_the_ordinary_tile() -> None:
    game = turn("ADR", "ann", "ATB", phase_="3")
    assert not game.reach("ADR").touched.get("E12")
    assert facts(game, "lay_tile", "E12", private="ATB")["cost"] == 0
    rotations = {
        (tile, rotation)
        for tile in values(game, "lay_tile", private="ATB", hex="E12")
        for rotation in values(game, "lay_tile", private="ATB", hex="E12", tile=tile)
    }
    west = 1 << game.definition.map.layout.edge("W")
    assert {tile for tile, _ in rotations} == {"1", "2", "55", "56", "69"}, "two towns"
    assert all(game.definition.tiles[tile].faces[turns].exits & west for tile, turns in rotations), "ruling 58"
    tile, rotation = sorted(rotations)[0]
    game.apply(mv.LayTile("ann", "ADR", "E12", tile, rotation, "ATB"))
    assert game.state.cash["ADR"] == 1000
    assert permits(game) == {""}
    game.apply(lines.lay(game, "ADR", "K4", "4", "W-E"))
    assert game.state.board.tiles.keys() >= {"E12", "K4"}
    assert game.state.board.markers["E12"] == ["lime"], "the token stays"


@pytest.mark.rule("RHL-8.5.2-a")
def test_e12_is_reserved_in_the_green_phase_for_the_function_alone() -> None:
    """Ruling 108: not even its owner lays there in another way; ruling 43: nor does anybody's no. 3."""
    for director, privates, expected in (
        ("ann", ("THS",), {"": "RHL-8.5.2-a", "THS": "RHL-8.5.2-a"}),
        ("ann", ("ATB",), {"": "RHL-8.5.2-a"}),
    ):
        game = turn("BME", director, *privates, phase_="3", no_3="THS")
        build(game, "F13", "934", "NW")
        again(game, "BME")
        rotation = lines.turns(game, "56", "W-SE")[0]
        assert game.reach("BME").touches("E12", 1 << game.definition.map.layout.edge("SE"))
        assert "E12" not in lines.hexes(game)
        for private, rule in expected.items():
            assert arrange.refused(game, mv.LayTile("ann", "BME", "E12", "56", rotation, private)).rule == rule


@pytest.mark.rule("RHL-8.5.2-a", "RHL-4.1.1-j")
def test_who_owns_both_may_use_no_3_on_e12() -> None:
    game = turn("ADR", "ann", "ATB", "THS", phase_="3", no_3="THS")
    game.apply(mv.LayTile("ann", "ADR", "E12", "1", lines.turns(game, "1", "W")[0], "THS"))
    assert "THS" in game.state.used
    assert "ATB" not in game.state.used


@pytest.mark.rule("RHL-8.5.2-a")
def test_in_the_brown_phase_anybody_with_a_route_builds_e12_for_30() -> None:
    game = turn("BME", "cy", phase_="5")
    build(game, "F13", "934", "NW")
    again(game, "BME")
    assert facts(game, "lay_tile", "E12", private="")["cost"] == 30
    game.apply(lines.lay(game, "BME", "E12", "56", "W-SE"))
    assert game.state.cash["BME"] == 970
    game = turn("ADR", "cy", phase_="5")
    assert arrange.refused(game, lines.lay(game, "ADR", "E12", "1", "W")).rule == "RHL-6.2.1-a"


@pytest.mark.rule("RHL-8.5.2-a")
def test_later_tiles_on_e12_are_ordinary() -> None:
    game = turn("BME", "cy", phase_="3")
    build(game, "F13", "934", "NW")
    build(game, "E12", "56", "W-SE")
    again(game, "BME")
    assert "E12" in lines.hexes(game)
    assert facts(game, "lay_tile", "E12", private="")["cost"] == 0, "yellow tiles show no cost"


# ---------------------------------------------------------------------- no. 2


@pytest.mark.rule("RHL-8.5.2-b")
def test_the_bridge_waits_for_the_green_phase() -> None:
    game = turn("ADR", "ann", "MB")
    assert permits(game) == {""}
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "G12", "1990", 0, "MB")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-8.5.2-b")
def test_the_bridge_is_free_needs_no_route_and_is_the_only_tile() -> None:
    game = turn("ADR", "ann", "MB", "ATB", phase_="3")
    assert values(game, "lay_tile", private="MB") == ["G12"]
    assert values(game, "lay_tile", private="MB", hex="G12") == ["1990"]
    game.apply(mv.LayTile("ann", "ADR", "G12", "1990", 0, "MB"))
    assert game.state.cash["ADR"] == 1000
    game.apply(mv.Pass("ann"))  # no station
    assert "lay_tile" not in arrange.names(game), "neither the ordinary tile nor ATB's"
    assert arrange.refused(game, lines.lay(game, "ADR", "K4", "4", "W-E")).rule == "RHL-6.2-a"
    for first in (("K4", "4", "W-E", ""), ("E12", "1", "W", "ATB")):
        game = turn("ADR", "ann", "MB", "ATB", phase_="3")
        at, tile, way, private = first
        rotation = lines.turns(game, tile, way)[0]
        game.apply(mv.LayTile("ann", "ADR", at, tile, rotation, private))
        assert "MB" not in permits(game), "nor after another tile"
        assert arrange.refused(game, mv.LayTile("ann", "ADR", "G12", "1990", 0, "MB")).rule == "RHL-4.1-d"


@pytest.mark.rule("RHL-8.5.2-b")
def test_the_station_at_the_bridge_costs_its_price_and_needs_a_route_later() -> None:
    game = turn("ADR", "ann", "MB", phase_="3")
    game.apply(mv.LayTile("ann", "ADR", "G12", "1990", 0, "MB"))
    assert values(game, "place_station") == [0, 1]
    assert facts(game, "place_station", 1)["cost"] == 60
    later = game.copy()
    game.apply(mv.PlaceStation("ann", "ADR", "G12", 1, "MB"))
    assert game.state.cash["ADR"] == 940
    assert game.board.spaces("G12", 1) == ["ADR"]
    assert "place_station" not in arrange.names(game), "the only one of this turn"
    later.apply(mv.Pass("ann"))
    again(later, "ADR", "station")
    assert arrange.refused(later, mv.PlaceStation("ann", "ADR", "G12", 1)).rule == "RHL-6.2.2-e"


@pytest.mark.rule("RHL-8.5.2-b")
def test_the_green_tile_of_g12_is_reserved_for_the_function_until_the_first_5_train() -> None:
    for director, privates in (("ann", ()), ("ann", ("MB",))):
        game = turn("BME", director, *privates, phase_="3")
        build(game, "G14", "7", "NW-W")
        again(game, "BME")
        assert game.reach("BME").reaches("G12", 1)
        move = mv.LayTile("ann", "BME", "G12", "1990", 0)
        assert arrange.refused(game, move).rule == "RHL-8.5.2-b"
    game = turn("BME", "ann", "MB", phase_="5")
    build(game, "G14", "7", "NW-W")
    again(game, "BME")
    assert facts(game, "lay_tile", "G12", private="")["cost"] == 30
    game.apply(mv.LayTile("ann", "BME", "G12", "1990", 0))
    assert game.state.cash["BME"] == 970
    game = turn("ADR", "ann", "MB", phase_="5")
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "G12", "1990", 0)).rule == "RHL-6.2.1-a"


@pytest.mark.rule("RHL-8.5.2-b", "RHL-4.1.1-j")
def test_no_3_does_not_build_the_bridge_of_another() -> None:
    game = turn("BME", "ann", "THS", phase_="3", no_3="THS")
    assert arrange.refused(game, mv.LayTile("ann", "BME", "G12", "1990", 0, "THS")).rule == "RHL-8.5.2-b"
    assert "G12" not in values(game, "lay_tile", private="THS")


# ---------------------------------------------------------------------- no. 3


def contract(company: str = "CME", director: str = "ann", phase: str = "3", step: str = "track") -> Game:
    """A company's turn; its director owns the Rheingold Contract."""
    return turn(company, director, "RGC", phase_=phase, step=step, no_1="PWB", no_6="RHE-DIR")


@pytest.mark.rule("RHL-8.5.2-c")
def test_the_token_is_assigned_from_the_green_phase_on() -> None:
    game = contract(phase="2")
    assert "assign_token" not in arrange.names(game)
    assert arrange.refused(game, AssignToken("ann", "CME", "F9")).rule == "RHL-8.5.2-c"
    game = contract()
    assert values(game, "assign_token") == ["CME"]
    assert values(game, "assign_token", company="CME") == ["D9", "F9", "I10"]
    happened = game.apply(AssignToken("ann", "CME", "F9"))
    assert of_kind(happened, TokenAssigned) == [TokenAssigned("ann", "CME", "F9")]
    assert game.state.board.markers["F9"] == ["RGE"]
    assert game.rules.possessions(game, "CME") == {"RGE": 1}
    assert game.rules.possessions(game, "ADR") == {}
    assert game.state.privates["RGC"] == "ann", "the private company stays"


@pytest.mark.rule("RHL-8.5.2-c")
@pytest.mark.parametrize("phase", ["3", "4"])
def test_the_token_lies_on_a_metropolis_and_goes_to_the_acting_company_once(phase: str) -> None:
    game = contract(phase=phase)
    arrange.floated(game, "ADR", "ann")
    for at in ("K2", "E10", "A4"):
        refusal = arrange.refused(game, AssignToken("ann", "CME", at))
        assert (refusal.rule, refusal.key) == ("RHL-8.5.2-c", "rheingold_token.hex")
    assert arrange.refused(game, AssignToken("ann", "ADR", "F9")).key == "rheingold_token.company"
    game.apply(AssignToken("ann", "CME", "I10"))  # it has a station there
    again(game, "CME")
    assert "assign_token" not in arrange.names(game)
    assert arrange.refused(game, AssignToken("ann", "CME", "F9")).key == "rheingold_token.used"
    assert arrange.refused(game, AssignToken("ann", "CME", "F9")).rule == "RHL-8.5.2-c"


@pytest.mark.rule("RHL-8.5.2-c")
def test_the_token_is_no_station_placement_and_takes_no_space() -> None:
    game = contract(step="station")
    build(game, "H11", "8", "SW-NW")
    build(game, "G10", "2", "NW-SE")
    build(game, "F9", "921", "NE")
    again(game, "CME", "station")
    before, left = game.state.cash["CME"], list(game.company("CME").tokens_left)
    assert ("F9", 1) in places(game)
    game.apply(AssignToken("ann", "CME", "F9"))
    assert (game.state.cash["CME"], game.company("CME").tokens_left) == (before, left)
    assert game.board.spaces("F9", 1) == ["DEE", ""]
    game.apply(station(game, "CME", "F9", 1))
    assert game.board.spaces("F9", 1) == ["DEE", "CME"]
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.2-c")
def test_the_token_is_assigned_before_the_trains_run() -> None:
    game = contract(step="run")
    build(game, "H11", "8", "SW-NW")
    build(game, "G10", "2", "NW-SE")
    trips.runner(game, "CME", "2")
    assert arrange.names(game) == {"run", "assign_token"}
    game.apply(lines.run(game, "CME", ("2", "I10:c H11 G10:a F9:c")))
    assert game.state.round.step != "run"
    assert arrange.refused(game, AssignToken("ann", "CME", "F9")).key == "rheingold_token.late"


@pytest.mark.rule("RHL-8.5.2-c")
def test_the_game_stops_once_for_the_token_where_nothing_else_is_to_decide() -> None:
    game = contract(step="station", company="MKB")
    assert game.state.round.step == "station"
    game.settle()
    assert game.state.round.step == "run", "no station can be placed, no train can run"
    assert arrange.names(game) == {"assign_token", "pass"}
    game.apply(mv.Pass("ann"))
    assert game.state.round.step != "run" or game.state.round.actor != "MKB"


GOLD = "A6:a B7 B9:a C10:a D9:a E10 F9:a G10:a H11 I10:a J11 K12:a L13:a"


def express(token_at: str = "F9", owner: str = "CME") -> Game:
    """The Rheingold line in the grey phase, Düsseldorf full of others, CME about to run an 8-train."""
    game = contract(owner)
    game.apply(AssignToken("ann", owner, token_at))
    arrange.floated(game, "CME", "ann")
    arrange.phase(game, "8")
    game.state.board.markers = {token_at: ["RGE"]}
    trips.rheingold(game)
    for company in ("ADR", "BME"):
        arrange.floated(game, company, "bo")
        token(game, company, "F9")
    arrange.floated(game, "DEE", "bo")
    trips.runner(game, "CME", "8")
    return game


@pytest.mark.rule("RHL-8.5.2-d")
def test_the_8_train_passes_the_full_metropolis_which_counts_double() -> None:
    game = express()
    assert game.board.spaces("F9", 0) == ["DEE", "ADR", "BME"]
    stops = 60 + 20 + 50 + 50 + 60 + 60
    assert earns(game, "CME", ("8", GOLD)) == stops + 50 + 50 + 60
    trips.runner(game, "CME", "6")
    refusal = refused_run(game, "CME", ("6", "D9:a E10 F9:a G10:a H11 I10:a"))
    assert refusal.rule == "RHL-6.1.2-e", "other trains end there"
    assert earns(game, "CME", ("6", "F9:a G10:a H11 I10:a J11 K12:a L13:a")) == 50 + 10 + 60 + 10 + 60


@pytest.mark.rule("RHL-8.5.2-d")
def test_without_its_token_an_8_train_is_stopped() -> None:
    for game in (express(owner="BME"), express(token_at="D9")):
        token(game, "CME", "B9")
        trips.runner(game, "CME", "8")
        assert refused_run(game, "CME", ("8", GOLD)).rule == "RHL-6.1.2-e"
        assert earns(game, "CME", ("8", " ".join(GOLD.split()[:7]))) == 60 + 20 + 50 + 50


@pytest.mark.rule("RHL-8.5.2-d")
def test_the_token_makes_a_route_the_companys_own_for_8_trains_only() -> None:
    game = express(token_at="D9")
    own = "A6:a B7 B9:a C10:a D9:a"
    assert earns(game, "CME", ("8", own)) == 60 + 20 + 50
    trips.runner(game, "CME", "6")
    assert refused_run(game, "CME", ("6", own)).rule == "RHL-6.1.2-g"
    trips.runner(game, "BME", "8")
    assert refused_run(game, "BME", ("8", own)).rule == "RHL-6.1.2-g", "and for its company only"


@pytest.mark.rule("RHL-8.5.2-d")
def test_the_suggested_run_knows_the_token() -> None:
    game = express()
    assert lines.suggested(game) == 60 + 20 + 50 + 50 + 60 + 20 + 70 + 160, "to Basel"


@pytest.mark.rule("RHL-8.5.2-d")
@pytest.mark.parametrize("green", ["921", "922"])
def test_on_a_green_metropolis_the_token_serves_both_banks(green: str) -> None:
    """Ruling 106. DEE's and others' stations fill both banks."""
    game = contract()
    game.apply(AssignToken("ann", "CME", "F9"))
    arrange.phase(game, "8")
    build(game, "F9", green, "SW", "E")
    for company, stop in (("ADR", 0), ("BME", 1)):
        arrange.floated(game, company, "bo")
        token(game, company, "F9", stop)
    arrange.floated(game, "DEE", "bo")
    router = game.router("CME")
    for stop in (0, 1):
        assert router.rules["8"].through(("F9", stop))
        assert not router.rules["6"].through(("F9", stop))
        assert ("F9", stop) in router.rules["8"].starts()
        assert ("F9", stop) not in router.rules["6"].starts()


@pytest.mark.rule("RHL-8.5.2-d")
def test_the_token_neither_builds_nor_blocks() -> None:
    """CME has no track of its own; its token lies in Duisburg, whence track leads on."""
    game = contract("MKB")
    game.apply(AssignToken("ann", "MKB", "D9"))
    build(game, "D9", "925", "NE", "E")
    assert not game.reach("MKB").reaches("D9", 1)
    assert lines.hexes(game) == set()
    assert arrange.refused(game, mv.PlaceStation("ann", "MKB", "D9", 1)).rule == "RHL-6.2-a"
    assert game.board.free_space("D9", 0)
    assert game.board.free_space("D9", 1)
    assert game.board.open_for("RhE", "D9", 0)
    again(game, "MKB", "station")
    assert places(game) == set()


@pytest.mark.rule("RHL-8.5.2-e", "RHL-8.5.2-j")
def test_with_the_first_5_train_its_owner_must_assign_the_token_at_once() -> None:
    game = contract("MKB")
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "BME", "bo")
    happened = buy_five(game, "BME")
    assert ev.PrivateClosed("RGC", "ann") in happened
    assert game.offer().deciders == ("ann",)
    assert arrange.names(game) == {"assign_token"}
    assert values(game, "assign_token") == ["ADR", "MKB"]
    assert arrange.refused(game, mv.Pass("ann")).rule == "RHL-6.2-a"
    assert arrange.refused(game, AssignToken("ann", "BME", "F9")).rule == "RHL-8.5.2-c"
    assert game.state.round.actor == "BME", "its turn waits"
    game.apply(AssignToken("ann", "ADR", "F9"))
    assert game.state.board.markers["F9"] == ["RGE"]
    assert game.rules.possessions(game, "ADR") == {"RGE": 1}
    assert game.state.privates["RGC"] == CLOSED
    assert "assign_token" not in arrange.names(game)


@pytest.mark.rule("RHL-8.5.2-e")
def test_an_assigned_token_is_not_asked_for_again() -> None:
    game = contract("MKB")
    game.apply(AssignToken("ann", "MKB", "F9"))
    arrange.floated(game, "BME", "bo")
    buy_five(game, "BME")
    assert "assign_token" not in arrange.names(game)
    assert game.rules.possessions(game, "MKB") == {"RGE": 1}, "the tokens stay"


@pytest.mark.rule("RHL-8.5.2-e")
def test_an_owner_who_directs_nothing_assigns_it_as_soon_as_they_do() -> None:
    """Ruling 77."""
    game = turn("BME", "ann", phase_="3", no_6="RHE-DIR")  # bo owns the contract and directs nothing
    arrange.floated(game, "ADR", "ann")
    buy_five(game, "ADR")
    assert game.offer().deciders == ("ann",)
    assert game.state.privates["RGC"] == CLOSED
    arrange.stock(game, "bo")
    arrange.cash(game, "bo", 1000)
    game.apply(mv.Found("bo", "GVE", 60))
    assert (game.offer().deciders, arrange.names(game)) == (("bo",), {"assign_token"})
    assert values(game, "assign_token") == ["GVE"]
    game.apply(AssignToken("bo", "GVE", "I10"))
    assert game.rules.possessions(game, "GVE") == {"RGE": 1}
    assert "assign_token" not in arrange.names(game)


@pytest.mark.rule("RHL-8.5.2-e")
def test_who_takes_a_company_over_assigns_a_waiting_token_too() -> None:
    game = turn("BME", "ann", phase_="3", no_6="RHE-DIR")
    arrange.floated(game, "ADR", "ann")
    buy_five(game, "ADR")
    game.state.companies["ADR"].certificates = ["ann", "ann", "bo", "bo", "bo", *["ADR"] * 4]
    arrange.stock(game, "ann")
    happened = game.apply(mv.SellShares("ann", "ADR", 10))
    assert of_kind(happened, ev.DirectorChanged) == [ev.DirectorChanged("ADR", "ann", "bo")]
    assert (game.offer().deciders, values(game, "assign_token")) == (("bo",), ["ADR"])


# ---------------------------------------------------------------------- no. 4


def krupp(company: str = "ADR", *tiles: tuple[str, str], phase: str = "3") -> Game:
    """The station step of a company whose director owns Krupp; tiles lie on D13."""
    game = turn(company, "ann", "KSW", phase_=phase, step="station")
    for tile, way in tiles:
        build(game, "D13", tile, way)
    again(game, company, "station")
    return game


@pytest.mark.rule("RHL-8.5.2-f")
def test_krupp_needs_a_tile_on_d13() -> None:
    game = krupp()
    refusal = arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert (refusal.rule, refusal.key) == ("RHL-8.5.2-f", "free_station.tile")
    assert game.offer().find("place_station") is None


@pytest.mark.rule("RHL-8.5.2-f", "RHL-4.1-e")
@pytest.mark.parametrize("phase", ["2", "3"])
def test_krupps_station_is_free_needs_no_route_and_is_the_only_one(phase: str) -> None:
    game = krupp("ADR", ("202", "SW"), phase=phase)
    assert not game.reach("ADR").reaches("D13", 0)
    assert game.company("ADR").tokens_left == [60, 80]
    assert values(game, "place_station", private="KSW") == [0]
    happened = game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert game.state.cash["ADR"] == 1000
    assert game.company("ADR").tokens_left == [80], "the cheapest token"
    assert game.board.spaces("D13", 0) == ["ADR"]
    assert of_kind(happened, ev.StationPlaced) == [ev.StationPlaced("ADR", "D13", 0, 0, "KSW")]
    assert game.state.round.step != "station"
    arrange.floated(game, "DEE", "ann")
    again(game, "DEE", "station")
    refusal = arrange.refused(game, mv.PlaceStation("ann", "DEE", "D13", 0, "KSW"))
    assert (refusal.rule, refusal.key) == ("RHL-8.5.2-f", "free_station.owner"), "once"
    assert game.state.privates["KSW"] == "ann"


@pytest.mark.rule("RHL-8.5.2-f")
def test_krupp_and_the_ordinary_station_exclude_each_other() -> None:
    game = krupp("ADR", ("202", "SW"))
    build(game, "K4", "4", "W-E")
    again(game, "ADR", "station")
    assert ("K6", 0) in {(at, stop) for at, stop in _ordinary(game)}
    Placed.of(game).station = True
    arrange.take_offer(game)
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "KSW")).rule == "RHL-6.2.2-f"
    again(game, "ADR", "station")
    game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "K6", 0)).rule == "RHL-6.2-a"


def _ordinary(game: Game) -> list[tuple[str, int]]:
    choice = next(c for c in game.offer().choices if c.name == "place_station" and not c.granted_by)
    return [(at.value, stop.value) for at in choice.ask({}).options for stop in choice.ask({"hex": at.value}).options]  # type: ignore[union-attr]


@pytest.mark.rule("RHL-8.5.2-f")
def test_krupp_is_not_for_a_company_with_a_station_in_essen() -> None:
    game = krupp("ADR", ("202", "SW"), ("934", "SW"))
    arrange.station(game, "ADR", "D13")
    again(game, "ADR", "station")
    assert game.board.free_space("D13", 0)
    refusal = arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert (refusal.rule, refusal.key) == ("RHL-8.5.2-f", "free_station.twice")


@pytest.mark.rule("RHL-8.5.2-f", "RHL-8.5.2-j")
def test_after_the_first_5_train_krupp_grants_nothing() -> None:
    game = krupp("ADR", ("202", "SW"))
    before = shares.certificates(game, "ann")
    arrange.floated(game, "BME", "bo")
    buy_five(game, "BME")
    walk(game, AssignToken("bo", "BME", "F9"))
    assert shares.certificates(game, "ann") == before - 1
    again(game, "ADR", "station")
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "KSW")).rule == "RHL-8.5.2-f"
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0)).rule == "RHL-6.2.2-e"


@pytest.mark.rule("RHL-8.5.2-f")
def test_krupps_station_goes_nowhere_else() -> None:
    game = krupp("ADR", ("202", "SW"))
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "K6", 0, "KSW")).key == "private.hex.station"
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 1, "KSW")).key == "station.space.granted"
    assert arrange.refused(game, mv.PlaceStation("ann", "BME", "D13", 0, "KSW")).rule == "RHL-6.2-a"
    game.state.companies["ADR"].tokens_left.clear()
    arrange.take_offer(game)
    assert arrange.refused(game, mv.PlaceStation("ann", "ADR", "D13", 0, "KSW")).rule == "RHL-4.2.2-f"


def full_essen(*more: tuple[str, str], held: tuple[str, ...] = ("BME",)) -> Game:
    """Essen's spaces hold stations of others; ADR's director owns Krupp and uses it."""
    game = krupp("ADR", ("202", "SW"), *more)
    for company in held:
        arrange.floated(game, company, "bo")
        arrange.station(game, company, "D13")
    again(game, "ADR", "station")
    return game


@pytest.mark.rule("RHL-8.5.2-g")
def test_krupps_station_lies_beside_full_spaces_and_joins_all_track() -> None:
    game = full_essen()
    assert [choice.lies_beside() for choice in game.offer().choices if isinstance(choice, FreeStationChoice)] == [True]
    happened = game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert of_kind(happened, StationBeside) == [StationBeside("ADR", "D13")]
    assert game.state.board.beside == {"D13": ["ADR"]}
    assert game.board.spaces("D13", 0) == ["BME"]
    assert (game.state.cash["ADR"], game.company("ADR").tokens_left) == (1000, [80])
    assert game.board.has_station("ADR", "D13")
    assert game.board.open_for("ADR", "D13", 0)
    arrange.floated(game, "CME", "bo")
    assert not game.board.open_for("CME", "D13", 0), "others are stopped"
    assert game.reach("ADR").reaches("D13", 0)
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.2-g")
def test_its_company_runs_from_and_through_the_station_beside() -> None:
    game = full_essen(("934", "SW"), held=("BME", "DEE"))
    game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    exits = [e for e in range(6) if game.board.faces["D13"].exits >> e & 1]
    names = [game.definition.map.layout.edges[e] for e in exits]
    assert "E" in names or "NE" in names
    lines.ready(game, "ADR", "2")
    assert lines.suggested(game) > 0
    arrange.floated(game, "CME", "bo")
    lines.ready(game, "CME", "3")
    rules = game.router("CME").rules["3"]
    assert not rules.through(("D13", 0))
    assert game.router("ADR").rules["3"].through(("D13", 0))


@pytest.mark.rule("RHL-8.5.2-g")
def test_an_upgrade_gives_it_the_new_space_before_anybody_else() -> None:
    game = full_essen()
    game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    build(game, "D13", "934", "SW")
    assert game.board.spaces("D13", 0) == ["BME", "ADR"]
    assert game.state.board.beside == {}
    assert not game.board.free_space("D13", 0)
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.2-g")
def test_beside_a_full_green_tile_it_stays_for_good() -> None:
    """Ruling 107: brown has two spaces as well."""
    game = full_essen(("934", "SW"), held=("BME", "DEE"))
    game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    build(game, "D13", "216", "SW")
    assert game.board.spaces("D13", 0) == ["BME", "DEE"]
    assert game.state.board.beside == {"D13": ["ADR"]}
    assert faults(game) == []


@pytest.mark.rule("RHL-8.5.2-g")
def test_with_a_free_space_krupps_station_takes_it() -> None:
    game = full_essen(("934", "SW"))
    happened = game.apply(mv.PlaceStation("ann", "ADR", "D13", 0, "KSW"))
    assert of_kind(happened, StationBeside) == []
    assert game.board.spaces("D13", 0) == ["BME", "ADR"]
    assert game.state.board.beside == {}


# ---------------------------------------------------------------------- no. 5


@pytest.mark.rule("RHL-8.5.2-h")
def test_the_mining_district_brings_10_percent_of_adr() -> None:
    game = arrange.after_package(package="alternative")
    assert shares.held(game, "ADR", "cy") == 10
    assert not game.company("ADR").director
    assert game.state.companies["GVE"].certificates == [OFFERING] * 9
    assert ASIDE not in game.state.companies["ADR"].certificates


@pytest.mark.rule("RHL-8.5.2-h")
@pytest.mark.parametrize(
    ("company", "options", "others"), [("ADR", {"no_5": "AMD"}, 40), ("GVE", {"no_5": "AMD"}, 50), ("GVE", {}, 40)]
)
def test_who_is_paid_for_the_certificate_of_no_5(company: str, options: dict[str, Any], others: int) -> None:
    game = arrange.after_package(**options)
    arrange.stock(game, "ann", 1)
    arrange.cash(game, "ann", 1000)
    game.apply(mv.Found("ann", company, 70))
    bought = 20
    while not game.company(company).floated:
        arrange.stock(game, "ann", 1)
        game.apply(mv.BuyShare("ann", company, OFFERING, 10))
        bought += 10
    assert bought == others
    assert game.state.cash[company] == 350


# ---------------------------------------------------------------------- no. 6


@pytest.mark.rule("RHL-8.5.2-i")
def test_140_of_the_bid_go_to_cme_and_it_floats_at_once() -> None:
    game = arrange.new(package="alternative")
    game.apply(mv.Bid("ann", "CME-DIR", 165))
    for player, lot in (("bo", "ATB"), ("cy", "MB"), ("ann", "RGC"), ("bo", "KSW")):
        game.apply(mv.BuyLot(player, lot))
    bank = game.state.cash[BANK]
    happened = game.apply(mv.BuyLot("cy", "AMD"))
    assert paid(happened, "ann", BANK) == 165
    assert game.state.cash["CME"] == 140
    assert game.state.cash[BANK] == bank + 120 + 165 - 140
    cme = game.company("CME")
    assert (cme.director, cme.floated, game.prices.value("CME")) == ("ann", True, 75)
    assert shares.held(game, "CME", "CME") == 50
    assert shares.held(game, "CME", POOL) == 30
    assert game.state.cash[ASIDE] == 210


RIGHT_BANK = (("H11", "8", "SW-NW"), ("G10", "2", "NW-SE"))


def link(*lays: tuple[str, str, str]) -> Game:
    """BME's turn in the green phase; tiles lie on the map."""
    game = turn("BME", "ann", phase_="3")
    for at, tile, way in lays:
        build(game, at, tile, way)
    again(game, "BME")
    return game


def close(game: Game, at: str, tile: str, way: str) -> list[LinkBuilt]:
    """Somebody lays the last tile."""
    fit = next(
        game.rules.tiling.placed(at, game.board.cover(at), game.definition.tiles[tile], rotation)
        for rotation in lines.turns(game, tile, way)
    )
    replaced = game.board.lay(at, fit)
    game._events = []
    game.emit(ev.TileLaid("BME", at, tile, fit.rotation, replaced, 0, ""))
    return of_kind(tuple(game._events), LinkBuilt)


@pytest.mark.rule("RHL-8.5.2-i")
def test_cme_gets_210_when_deutz_and_duisburg_are_joined_through_düsseldorf() -> None:
    game = link(*RIGHT_BANK, ("F9", "921", "NE"))
    before = game.state.cash["CME"]
    assert close(game, "E10", "1910", "SW-NW") == [LinkBuilt("CME", "I10–F9–D9", 210)]
    assert (game.state.cash["CME"], game.state.cash[ASIDE]) == (before + 210, 0)
    assert close(game, "E10", "1911", "SW-NW") == [], "once"


@pytest.mark.rule("RHL-8.5.2-i")
def test_another_company_closes_cmes_link_in_its_turn() -> None:
    game = link(*RIGHT_BANK, ("E10", "1910", "SW-NW"))
    arrange.floated(game, "DEE", "bo")
    arrange.operating(game, "DEE")
    before = game.state.cash["CME"]
    happened = game.apply(mv.LayTile("bo", "DEE", "F9", "921", 0))
    assert of_kind(happened, LinkBuilt) == [LinkBuilt("CME", "I10–F9–D9", 210)]
    assert game.state.cash["CME"] == before + 210


@pytest.mark.rule("RHL-8.5.2-i")
def test_no_link_goes_through_the_circles_of_a_yellow_düsseldorf() -> None:
    game = link(*RIGHT_BANK)
    assert close(game, "E10", "1910", "SW-NW") == []


LEFT_BANK = (("H9", "4", "NW-SE"), ("G8", "8", "NE-SE"), ("E8", "1", "NE-SE"))


@pytest.mark.rule("RHL-8.5.2-i")
@pytest.mark.parametrize(("köln", "pays"), [((), False), (("923",), False), (("923", "928"), True)])
def test_a_link_from_the_left_bank_counts_only_in_the_merged_city(köln: tuple[str, ...], pays: bool) -> None:
    """Ruling 36: Köln's ferry does not take the link to Deutz."""
    game = link(*LEFT_BANK)
    for tile in köln:
        build(game, "I10", tile, "NW")
    assert bool(close(game, "F9", "922", "SW-NW")) == pays
    assert game.tracks([("D9", 0)]).reaches("I10", 0 if köln else 1)


@pytest.mark.rule("RHL-8.5.2-i")
@pytest.mark.parametrize("köln", [(), ("923",), ("924",), ("923", "928")])
def test_the_link_begins_in_deutz_whatever_tile_lies_there(köln: tuple[str, ...]) -> None:
    game = link(*RIGHT_BANK, ("F9", "921", "NE"))
    for tile in köln:
        build(game, "I10", tile, "NW")
    assert close(game, "E10", "1910", "SW-NW") == [LinkBuilt("CME", "I10–F9–D9", 210)]


@pytest.mark.rule("RHL-8.5.2-i")
def test_track_past_düsseldorf_earns_cme_nothing() -> None:
    """Deutz – Solingen – Elberfeld – Angertal – Ratingen – Duisburg."""
    game = link(
        ("H11", "9", "SW-NE"), ("G12", "1990", "SW"), ("F13", "934", "NW"), ("F13", "216", "SW"), ("E12", "56", "W-SE"),
        ("E10", "1910", "SW-NW"),
    )  # fmt: skip
    assert close(game, "E10", "1911", "E") == []
    assert game.tracks([("I10", 2)]).reaches("D9", 2)


# ---------------------------------------------------------------------- closing


@pytest.mark.rule("RHL-8.5.2-j", "RHL-4.1-f")
def test_all_five_close_with_the_first_5_train() -> None:
    game = turn("BME", "ann", "ATB", "MB", "KSW", phase_="3")
    held = shares.certificates(game, "ann")
    happened = buy_five(game, "BME")
    closed = [event.private for event in of_kind(happened, ev.PrivateClosed)]
    assert closed == ["ATB", "MB", "RGC", "KSW", "AMD"]
    assert shares.certificates(game, "ann") == held - 3
    arrange.cash(game, "ann", 0)
    arrange.cash(game, "bo", 0)
    arrange.operating(game, "BME", number=1, total=3)
    assert permits(game) <= {""}
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (0, 0), "none of them pays"


# ---------------------------------------------------------------------- other changes


@pytest.mark.rule("RHL-8.5.3-a")
@pytest.mark.parametrize(("left", "price", "dear"), [([60, 80, 100], 60, 90), ([80, 100], 80, 120), ([100], 100, 150)])
@pytest.mark.parametrize("no_6", ["CME-DIR", "RHE-DIR"])
def test_stations_on_red_fields_cost_half_as_much_again(left: list[int], price: int, dear: int, no_6: str) -> None:
    game = arrange.after_package(package="alternative", no_6=no_6)
    arrange.floated(game, "BME", "cy")
    game.company("BME").tokens_left[:] = left
    step = game.rules.rounds["operating"].steps["railway"]["station"]  # type: ignore[attr-defined]
    for at in ("A14", "B15", "C2"):
        assert step.cost(game, "BME", at) == (dear if no_6 == "CME-DIR" else price)
    for at in ("E2", "G2", "J15", "D13", "K6"):
        assert step.cost(game, "BME", at) == price
    assert step.least_cost(game, "BME") == price


@pytest.mark.rule("RHL-8.5.3-a")
def test_a_station_in_hamburg_is_paid_and_must_be_affordable() -> None:
    """Wesel – B11 – B13 – Hamburg: BME has a station in Wesel."""
    game = lines.board("BME", package="alternative", phase="3")
    build(game, "B9", "6", "E")
    build(game, "B11", "9", "W-E")
    build(game, "B13", "1", "W-NE")
    token(game, "BME", "B9")
    arrange.operating(game, "BME", "station")
    assert facts(game, "place_station", "A14")["cost"] == 90
    for cash, allowed in ((89, False), (90, True)):
        arrange.cash(game, "BME", cash)
        arrange.take_offer(game)
        assert (("A14", 0) in places(game)) == allowed
        if not allowed:
            assert arrange.refused(game, station(game, "BME", "A14")).rule == "RHL-6.2.2-d"
    game.apply(station(game, "BME", "A14"))
    assert game.state.cash["BME"] == 0


QUARRY = "D9:c E10:a E12:b D13:a D15:b"


def quarry_line(phase: str, coal: tuple[str, ...] = (), steel: tuple[str, ...] = ()) -> Game:
    """Duisburg – Ratingen – Angertal – Essen – Eastern Ruhr (a steel mill), and BME with a station in Essen."""
    game = lines.board("BME", package="alternative", phase=phase)
    trips.locations(game, coal, steel)
    game.state.board.markers.setdefault("E12", []).append("lime")
    build(game, "E10", "1910", "SW-NW")
    build(game, "E10", "1911", "E")
    build(game, "E12", "56", "W-NE")
    build(game, "D13", "202", "E-SW")
    token(game, "BME", "D13")
    return game


def bonus(game: Game, train: str, path: str) -> int:
    """What a route earns beyond its stops."""
    route = game.router("BME").trace(train, tuple(path.split()))
    assert route.value == sum(part.amount for part in route.parts)
    return sum(part.amount for part in route.parts if ":" not in part.what)


@pytest.mark.rule("RHL-8.5.3-b")
@pytest.mark.parametrize(("phase", "expected"), [("3", 40), ("5", 60)])
def test_the_rulebooks_example(phase: str, expected: int) -> None:
    """One coalmine, two steel mills and the quarry: 20 for the mills, and 20 (brown: 40) for one set."""
    game = quarry_line(phase, coal=("D9",), steel=("D13",))
    lines.ready(game, "BME", "4")
    stops = 30 + 20 + 10 + 30 + 20
    assert earns(game, "BME", ("4", QUARRY)) == stops + expected
    assert lines.suggested(game) == stops + expected


@pytest.mark.rule("RHL-8.5.3-b")
def test_the_quarry_counts_steel_mills_and_nothing_else() -> None:
    game = quarry_line("3", coal=("D9",))
    assert bonus(game, "4", "D9:c E10:a E12:b D13:a") == 0, "no steel mill"
    assert bonus(game, "4", QUARRY) == 20 + 10
    game = quarry_line("3", steel=("D13", "D9"))
    assert bonus(game, "4", QUARRY) == 30, "three steel mills, no coal"
    assert bonus(game, "4", "E12:b D13:a D15:b") == 20, "the quarry at the end of a route"
    assert bonus(game, "4", "D13:a D15:b") == 0, "without the quarry"
    game.state.board.markers["E12"].remove("lime")
    assert bonus(game, "4", QUARRY) == 0


@pytest.mark.rule("RHL-8.5.3-b")
def test_the_quarry_pays_nothing_to_8_trains() -> None:
    """Arnhem – Wesel – Duisburg – Ratingen – Angertal – Essen with a steel mill."""
    game = quarry_line("8", steel=("D13",))
    for at, tile, way in (("B9", "6", "W"), ("C10", "1", "NW-SW"), ("D9", "929", "NE-SE")):
        build(game, at, tile, way)
    path = "A6:a B7 B9:a C10:a D9:a E10:a E12:b D13:a"
    assert bonus(game, "6", path) == 10
    assert bonus(game, "8", path) == 0


@pytest.mark.rule("RHL-8.5.3-b")
def test_all_track_of_the_quarrys_hex_leads_through_a_town() -> None:
    """Ruling 5: any track of E12 counts; so a visit to one of its towns tells it."""
    game = arrange.new(package="alternative")
    for tile in game.definition.tiles.values():
        if tile.category == "two towns":
            assert all(other >= FIRST_STOP for _, other in tile.face.track), tile.id


@pytest.mark.rule("RHL-8.5-a")
def test_options_are_few_and_in_order() -> None:
    assert [spec.id for spec in OPTIONS] == ["package", "no_1", "no_2", "no_3", "no_4", "no_5", "no_6"]
    assert [spec.values[0] for spec in OPTIONS] == ["base", *["package"] * 6]


@pytest.mark.rule("RHL-8.5.2-b")
@pytest.mark.parametrize(("options", "there"), [({}, True), ({"no_2": "MB"}, False), ({"no_1": "ATB"}, True)])
def test_a_tile_that_only_a_private_company_lays_is_of_no_use_without_it(options: dict[str, str], there: bool) -> None:
    game = titles.new_game("rhl", arrange.SEATS[:3], options, 7)
    assert ("KEO" in game.state.privates) == there
    assert game.rules.unused_tiles == (frozenset() if there else {"935"})
