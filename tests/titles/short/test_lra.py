"""What the short game of 18LRA has of its own."""

from __future__ import annotations

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.board.tiling import Misfit
from engine.finance import shares
from engine.game import Game
from engine.house.players import HOUSES
from engine.house.simulation import play
from engine.state import OFFERING, REMOVED
from tests.titles.rhl import lines, trips
from tests.titles.rhl.asking import values
from tests.titles.short import arrange
from tests.titles.short.arrange import SEATS, directed, names, refused, turn
from titles.lra.dalheim import CampToken
from titles.lra.harbour import HarbourPlaced, HarbourTurned, PlaceHarbour
from titles.rhineland.course import LocationCard, OrderCards
from titles.rhineland.short_moves import ReplaceTrain, TakeCertificate

REDUCED = {3: [], 4: ["MKB"], 5: ["MKB", "KEG", "GVE", "CME"]}
#: Krefeld's city with track, over Linn or Oppum to the harbour of Uerdingen.
KREFELD_LINE = ("F10:b", "F12:b", "E13:a")


def new(players: int = 3) -> Game:
    return arrange.new(players, "lra")


def connect(game: Game, at: str, *ways: str) -> None:
    """Any tile that has these ways on a hex, the plainest first."""
    for name, tile in game.definition.tiles.items():
        if tile.colour != "yellow" or (tile.hexes and at not in tile.hexes):
            continue
        try:
            lines.build(game, at, name, *ways)
        except AssertionError:
            continue
        except Misfit:
            continue
        return
    raise AssertionError(f"no tile has {ways} on {at}")


@pytest.fixture
def harbour() -> Game:
    """In the green phase ann directs CCE, with a station in Krefeld and track to the harbour of Uerdingen."""
    game = new()
    directed(game, "CCE", "ann")
    arrange.phase(game, "3")
    connect(game, "F12", "W-NE")
    arrange.lay(game, "E13", "L29", 0)
    arrange.station(game, "CCE", "F10", 1)
    game.company("CCE").tokens_left.append(0)
    return turn(game, "ann")


# ---------------------------------------------------------------------- components


@pytest.mark.rule("LRA-10.1-a", "RHL-10.1-b")
@pytest.mark.parametrize(("players", "count"), [(3, 69), (4, 68), (5, 65)])
def test_all_eight_companies_with_fewer_certificates(players: int, count: int) -> None:
    game = new(players)
    assert list(game.state.companies) == ["ADR", "BME", "CCE", "CME", "GVE", "KEG", "MKB", "RhE"]
    held = {code: shares.held(game, code, OFFERING) for code in game.state.companies}
    assert held == {code: 90 if code in REDUCED[players] else 100 for code in held}
    assert sum(company.certificates.count(OFFERING) for company in game.state.companies.values()) == count
    for code in REDUCED[players]:
        assert shares.percent_of(game, code, game.company(code).certificates.index(REMOVED)) == 10
    for code, corporation in game.definition.corporations.items():
        for home in corporation.homes:
            assert code in [*game.state.board.stations[home.at][home.stop], *game.state.board.beside.get(home.at, [])]
    assert "blank" not in str(game.state.board.stations)


@pytest.mark.rule("LRA-10.1-b")
def test_thirteen_trains_and_4_trains_are_permanent() -> None:
    game = new()
    assert game.state.depot.left == {"2": 4, "3": 3, "4": 2, "5": 1, "6": 3}
    for company in game.state.companies:
        turn(game, "ann", "take")
        arrange.take(game, company)
    given = [game.company(code).trains for code in game.state.companies]
    assert given == [["2"], ["2"], ["2"], ["2"], ["3"], ["3"], ["3"], ["4"]]
    arrange.train(game, "ADR", "6")
    turn(game, "ann")
    assert values(game, "replace_train") == ["BME", "CCE", "CME", "GVE", "KEG", "MKB"]
    assert refused(game, ReplaceTrain("ann", "RhE")).key == "train.replace.permanent"


@pytest.mark.rule("LRA-10.2-a")
def test_harbour_tokens_lie_ready_and_no_location_token_is_placed() -> None:
    game = titles.new_game("lra", SEATS[:3], {}, 3, "short")
    assert game.state.board.markers == {}
    assert LocationCard.seen(game) is None
    with_token = {code for code in game.state.companies if code in game.definition.tables.harbour.reduced}
    assert with_token == {"ADR", "BME", "CCE", "CME", "KEG", "MKB", "RhE"}
    assert game.state.seats == sorted(SEATS[:3], key=OrderCards.of(game).order_cards.__getitem__)


@pytest.mark.rule("RHL-10.3.1.1-b")
@pytest.mark.parametrize(("players", "limit"), [(3, 14), (4, 15), (5, 12)])
def test_the_certificate_limits(players: int, limit: int) -> None:
    """Ruling 92."""
    for held, step in ((limit - 1, "action"), (limit, "limit")):
        game = new(players)
        arrange.certificates(game, "ann", held, but=("RhE",))
        turn(game, "ann", "take")
        arrange.take(game, "RhE")
        assert game.state.round.step == step


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_keg_changes_hands_for_three_certificates() -> None:
    """Its director's certificate is 30 %."""
    game = new()
    directed(game, "KEG", "ann", 30)
    arrange.hand(game, "KEG", "bo", 30)
    turn(game, "bo", "take")
    assert ev.DirectorChanged("KEG", "ann", "bo") in game.apply(TakeCertificate("bo", "KEG"))
    assert [shares.percent_of(game, "KEG", n) for n in shares.numbers(game, "KEG", "ann")] == [10, 10, 10]


# ---------------------------------------------------------------------- harbours


@pytest.mark.rule("LRA-10.3.1.2-a")
@pytest.mark.parametrize("phase", ["3", "5"])
def test_a_harbour_token_goes_on_any_harbour_with_a_route_for_nothing(harbour: Game, phase: str) -> None:
    if phase == "5":
        arrange.phase(harbour, phase)
        turn(harbour, "ann")
    assert values(harbour, "place_harbour") == ["E13"]
    happened = harbour.apply(PlaceHarbour("ann", "CCE", "E13"))
    assert HarbourPlaced("CCE", "E13", 0, "") in happened
    assert set(harbour.state.cash.values()) == {0}
    assert harbour.state.round.actor == "bo", "it was the whole action"


@pytest.mark.rule("LRA-10.3.1.2-a")
@pytest.mark.parametrize("company", ["ADR", "BME", "CME", "KEG", "MKB", "RhE"])
def test_every_company_with_a_token_may_use_the_harbour(harbour: Game, company: str) -> None:
    directed(harbour, company, "ann", harbour.definition.corporations[company].shares[0], trains="")
    harbour.state.board.stations["F10"][1] = [company]
    turn(harbour, "ann")
    assert refused(harbour, PlaceHarbour("bo", company, "E13")).key == "turn.player"
    assert HarbourPlaced(company, "E13", 0, "") in harbour.apply(PlaceHarbour("ann", company, "E13"))


@pytest.mark.rule("LRA-10.3.1.2-a")
def test_a_harbour_needs_a_route_a_free_space_and_an_own_token(harbour: Game) -> None:
    assert refused(harbour, PlaceHarbour("ann", "CCE", "H14")).rule == "LRA-10.3.1.2-a", "no green tile, no route"
    arrange.lay(harbour, "H14", "L28", 0)
    turn(harbour, "ann")
    refusal = refused(harbour, PlaceHarbour("ann", "CCE", "H14"))
    assert (refusal.rule, refusal.key) == ("LRA-10.3.1.2-a", "station.route.harbour")
    taken = harbour.copy()
    directed(taken, "ADR", "bo", trains="")
    taken.company("ADR").tokens_left.pop()
    taken.board.place_station("ADR", "E13", 0, "harbour")
    turn(taken, "ann")
    assert refused(taken, PlaceHarbour("ann", "CCE", "E13")).rule == "LRA-10.3.1.2-a"
    directed(harbour, "GVE", "ann", trains="")
    turn(harbour, "ann")
    assert refused(harbour, PlaceHarbour("ann", "GVE", "E13")).rule == "LRA-10.3.1.2-a", "GVE has no harbour token"
    assert refused(harbour, PlaceHarbour("ann", "ADR", "E13")).rule == "RHL-10.3.1.2-a"


@pytest.mark.rule("LRA-10.3.1.2-a", "RHL-10.3.1-a")
def test_a_harbour_waits_for_the_certificate(harbour: Game) -> None:
    turn(harbour, "ann", "take")
    assert refused(harbour, PlaceHarbour("ann", "CCE", "E13")).rule == "RHL-10.3.1-a"


@pytest.mark.rule("LRA-10.3.1.2-a")
def test_the_last_token_may_be_turned_over(harbour: Game) -> None:
    """Ruling 111."""
    harbour.company("CCE").tokens_left[:] = [0]
    turn(harbour, "ann")
    assert ("E13", 0) in lines.places(harbour)
    happened = harbour.apply(mv.PlaceStation("ann", "CCE", "E13", 0))
    assert HarbourTurned("CCE") in happened
    assert harbour.company("CCE").tokens_left == []


# ---------------------------------------------------------------------- what charters and private companies grant


@pytest.mark.rule("LRA-10.3-a")
@pytest.mark.parametrize("company", ["ADR", "CME", "KEG", "RhE"])
def test_nobody_lays_two_yellow_tiles_before_brown(company: str) -> None:
    game = new()
    directed(game, company, "ann", game.definition.corporations[company].shares[0])
    if company == "KEG":  # its circle has no track before the green tile
        arrange.phase(game, "3")
        arrange.lay(game, "F10", "L17", game.definition.tiles["L17"].turns[0])
    turn(game, "ann")
    at, tile, rotation = next(
        (at, tile, rotation)
        for at in lines.hexes(game)
        for tile, rotation in sorted(lines.lays(game, at))
        if game.definition.tiles[tile].colour == "yellow"
    )
    game.apply(mv.LayTile("ann", company, at, tile, rotation))
    assert game.state.round.actor == "bo"


@pytest.mark.rule("RHL-10.3-b", "LRA-6.2.1-a")
def test_a_green_border_keeps_first_tiles_off_before_green() -> None:
    """MKB's home lies beyond it."""
    game = new()
    directed(game, "MKB", "ann")
    turn(game, "ann", "action")
    assert not arrange.asked(game, "lay_tile")
    arrange.phase(game, "3")
    turn(game, "ann")
    assert lines.hexes(game) == {"C11"}


@pytest.mark.rule("LRA-10.3-a")
def test_cce_needs_a_route_to_krefeld() -> None:
    game = new()
    directed(game, "CCE", "ann")
    turn(game, "ann")
    assert "F10" not in {at for at, _ in lines.places(game)}
    assert refused(game, mv.PlaceStation("ann", "CCE", "F10", 1)).rule == "RHL-10.3.1.2-c"


def linked(game: Game) -> list[ev.Event]:
    """Track from Venlo to Münchengladbach; tell of the last tile."""
    connect(game, "F2", "NW-SE")
    connect(game, "G3", "NW-SE")
    connect(game, "H4", "NW-E")
    connect(game, "H6", "W-E")
    connect(game, "H8", "W")
    game._events = []
    game.notify(ev.TileLaid("GVE", "H8", game.state.board.tiles["H8"][0], 0, "", 0, ""))
    return list(game._events)


@pytest.mark.rule("LRA-10.3-a")
def test_gves_link_pays_nothing() -> None:
    full = titles.new_game("lra", SEATS[:4], {}, 1)
    full.company("GVE").floated = True
    assert [event.amount for event in linked(full) if isinstance(event, ev.Paid)] == [100], "as in the full game"
    game = new()
    directed(game, "GVE", "ann")
    assert not linked(game)
    assert game.state.cash["GVE"] == 0


@pytest.mark.rule("LRA-10.3-a")
def test_mkbs_token_costs_nothing_either() -> None:
    game = new()
    assert {tokens for corporation in game.definition.corporations.values() for tokens in corporation.tokens} == {0}
    assert not any(corporation.special for corporation in game.definition.corporations.values())


@pytest.mark.rule("LRA-10.3-b")
def test_there_is_no_gkb_and_kevelaer_is_never_full() -> None:
    """Ruling 111: the space stays empty and closed, and all trains may run through."""
    game = new()
    assert "2+4" not in game.state.depot.left
    directed(game, "CCE", "ann")
    for phase in ("3", "5"):
        arrange.phase(game, phase)
        assert not game.state.pauses
        assert game.state.board.stations["A1"] == [[""]]
        assert game.board.open_for("CCE", "A1", 0)
        assert not game.board.free_space("A1", 0, "CCE")


@pytest.mark.rule("LRA-10.3-b")
def test_there_is_no_bonus_for_dalheim_and_no_question_about_it() -> None:
    game = new()
    directed(game, "ADR", "ann", trains="6")
    arrange.phase(game, "5")
    assert not game.state.pauses
    assert CampToken.seen(game) is None
    rules = game.router("ADR").rules["6"]
    assert (rules.dalheim, rules.bonus_bound) == ("", 80)  # type: ignore[attr-defined]


@pytest.mark.rule("LRA-10.3-b", "RHL-10.3.2-b")
def test_an_own_harbour_token_and_one_location_bring_10(harbour: Game) -> None:
    """Krefeld has a steel mill."""
    arrange.running(harbour, "CCE")
    before = trips.earned(harbour, "CCE", ("2", KREFELD_LINE))
    turn(harbour, "ann")
    harbour.apply(PlaceHarbour("ann", "CCE", "E13"))
    arrange.running(harbour, "CCE")
    assert trips.earned(harbour, "CCE", ("2", KREFELD_LINE)) == before + 10


@pytest.mark.rule("LRA-10.3-b", "RHL-10.3.2-b")
def test_the_iron_rhine_pays_80() -> None:
    game = new()
    table = game.definition.tables.iron_rhine
    directed(game, "ADR", "ann", trains="6")
    train = game.router("ADR").rules["6"]
    marks = [train.worth((at, 0), False)[1] for at in (table.east[0], table.west[0])]
    assert [part.amount for part in train.bonus_parts(sum(marks), (table.east[0], 0), (table.west[0], 0))] == [80]


@pytest.mark.rule("RHL-10.1-d")
def test_no_private_company_keeps_a_harbour(harbour: Game) -> None:
    assert harbour.state.privates == {}
    assert harbour.definition.tables.harbour.reserved == {}
    assert names(harbour) >= {"place_harbour", "pass"}


def test_the_other_reading_of_the_homes_is_an_option() -> None:
    """CCE and CME may change places."""
    plain, other = (titles.rules("lra", 3, {"homes": homes}, "short").definition for homes in ("table", "other"))
    homes = {name: [home.at for home in plain.corporations[name].homes] for name in ("CCE", "CME")}
    assert {name: [home.at for home in other.corporations[name].homes] for name in homes} == {
        "CCE": homes["CME"],
        "CME": homes["CCE"],
    }


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("house", sorted(HOUSES))
def test_it_plays_to_its_end(players: int, house: str) -> None:
    game = titles.new_game("lra", SEATS[:players], {}, 5, "short")
    result = play(game, HOUSES[house](), 5)
    assert not result.faults
    assert result.finished == "certificates"
