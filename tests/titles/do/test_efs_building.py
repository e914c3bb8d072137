"""The introductory game: tiles by anybody, stations and links by directors, trains (ledger 2.3, 3.2.2, 3.2.3)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.moves import LayTile, Pass, PlaceStation
from tests.titles.do import arrange as a
from tests.titles.do import introducing as i
from titles.do.board import links
from titles.do.board.links import LinkLocation
from titles.rhineland.short_moves import ReplaceTrain, SwapTrains, TrainReplaced


def tile(game: Game, company: str, at: str, name: str, *sides: str) -> LayTile:
    return LayTile(game.offer().deciders[0], company, at, name, a.turned(game, name, *sides))


# ---------------------------------------------------------------------- tiles


@pytest.mark.rule("DO-3.2.2.2-a", "DO-3.2.2.1-d")
def test_one_tile_a_turn_however_many_railways() -> None:
    game = i.new()
    i.directed(game, "BME", "ann")
    i.directed(game, "CME", "ann")
    i.directed(game, "KWE", "bo")
    i.turn(game, "ann")
    assert {choice.company for choice in game.offer().choices if choice.name == "lay_tile"} == {"BME", "CME"}
    far = tile(game, "KWE", "C18", "1905", "E", "SW")
    assert a.refused(game, far).rule == "DO-3.2.2.2-a"
    assert a.refused(game, LayTile("ann", "BME", "C18", "1905", far.rotation)).rule == "DO-3.2.2-h"
    game.apply(tile(game, "BME", "H9", "1904", "SE", "NW"))
    assert game.state.round.step == "build"
    assert a.refused(game, LayTile("ann", "CME", "B3", "1904", 0)).rule == "DO-3.2-b"


@pytest.mark.rule("DO-3.2.2.1-d")
def test_an_upgrade_is_the_tile_of_the_turn() -> None:
    game = i.new()
    i.directed(game, "DHB", "ann")
    a.phase(game, "3")
    a.link(game, "D9")
    i.turn(game, "ann")
    rotation = a.offered(game, "lay_tile", hex="D9", tile="1936")[0]
    game.apply(LayTile("ann", "DHB", "D9", "1936", rotation))
    assert game.state.round.step == "build"
    assert "lay_tile" not in a.names(game)


@pytest.mark.rule("DO-3.2.2.2-b")
def test_who_directs_nothing_joins_any_station() -> None:
    game = i.new()
    i.directed(game, "CME", "bo")
    i.turn(game, "ann")
    beside = tile(game, "", "H9", "1904", "SE", "NW")
    lost = tile(game, "", "E4", "9", "W", "E")
    assert a.refused(game, lost).rule == "DO-3.2.2.2-b"
    assert ev.TileLaid("", "H9", "1904", beside.rotation, "", 0, "") in game.apply(beside)
    assert game.offer().deciders == ("bo",)
    # A director of another railway may not.
    game = i.new()
    i.directed(game, "CME", "ann")
    i.turn(game, "ann")
    assert a.refused(game, LayTile("ann", "CME", "H9", "1904", beside.rotation)).rule == "DO-3.2.2-h"
    assert a.refused(game, LayTile("ann", "BME", "H9", "1904", beside.rotation)).rule == "DO-3.2.2.2-a"
    assert a.refused(game, LayTile("ann", "", "H9", "1904", beside.rotation)).rule == "DO-3.2-b"


@pytest.mark.rule("DO-2.3-b")
def test_no_railway_has_an_ability() -> None:
    game = i.new()
    i.directed(game, "HHW", "ann")
    i.directed(game, "CME", "bo")
    game.board.place_station("HHW", "C6", 0)
    a.full(game, "D9", "CME")
    a.put(game, "D11", "8", "W", "SE")
    router = game.router("HHW")
    assert router.trace("3", ("C6:a", "C8:a", "D9:a")).value == 30 + 20 + 20
    with pytest.raises(Refused) as caught:
        router.trace("4", ("C6:a", "C8:a", "D9:a", "D11", "E12:a"))
    assert caught.value.key == "route.full"
    i.turn(game, "ann", "build")
    game.apply(LinkLocation("ann", "HHW", "D9"))
    assert {*game.state.own} == {"do.cards_dealt", "do.links"}, "a link brings nothing else"
    assert not any(corporation.special for corporation in game.definition.corporations.values())


# ---------------------------------------------------------------------- a station or a link


@pytest.mark.rule("DO-3.2.2.2-c")
def test_a_station_or_a_link_not_both() -> None:
    game = i.new()
    i.directed(game, "DHB", "ann", trains="2")
    i.directed(game, "BME", "ann", trains="3")  # so that there are trains to swap
    i.turn(game, "ann", "build")
    twin = game.copy()
    game.apply(PlaceStation("ann", "DHB", "D9", 0))
    assert game.state.round.step == "exchange"
    assert a.refused(game, LinkLocation("ann", "DHB", "D9")).rule == "DO-3.2.2.2-c"
    twin.apply(LinkLocation("ann", "DHB", "D9"))
    assert a.refused(twin, PlaceStation("ann", "DHB", "D9", 0)).rule == "DO-3.2.2.2-c"


@pytest.mark.rule("DO-3.2.2.2-c", "DO-3.2.2.3-a")
def test_the_token_is_of_the_railway_whose_route_reaches_the_place() -> None:
    game = i.new()
    i.directed(game, "DHB", "ann")
    i.directed(game, "BME", "ann")
    i.directed(game, "CME", "bo")
    i.turn(game, "ann", "build")
    assert a.refused(game, PlaceStation("ann", "BME", "D9", 0)).rule == "DO-3.2.2.3-a"
    assert a.refused(game, PlaceStation("ann", "CME", "D9", 0)).rule == "DO-3.2.2.2-a"
    game.apply(PlaceStation("ann", "DHB", "D9", 0))
    assert game.board.spaces("D9", 0) == ["DHB"]
    assert len(game.company("DHB").tokens_left) == 1


@pytest.mark.rule("DO-3.2.2.4-a", "DO-3.1-d")
def test_a_link_costs_nothing_and_needs_a_route_of_an_own_railway() -> None:
    game = i.new()
    i.directed(game, "DHB", "ann")
    i.directed(game, "HHW", "bo")
    i.turn(game, "ann", "build")
    assert a.refused(game, LinkLocation("ann", "DHB", "H19")).rule == "DO-3.2.2.4-a"
    assert a.refused(game, LinkLocation("ann", "HHW", "H19")).rule == "DO-3.2.2.2-a"
    game.apply(LinkLocation("ann", "DHB", "D9"))
    assert links.value(game, "D9") == 10
    assert set(game.state.cash.values()) == {0}


@pytest.mark.rule("DO-3.2.2.4-b")
def test_a_link_grows_with_the_phases_of_this_form_too() -> None:
    for phase, allowed in (("2", False), ("3", True)):
        game = i.new()
        i.directed(game, "DHB", "ann")
        if phase != "2":
            a.phase(game, phase)
        a.link(game, "D9", 10)
        i.turn(game, "ann", "build")
        assert ("D9" in a.offered(game, "link_location")) == allowed
        if not allowed:
            assert a.refused(game, LinkLocation("ann", "DHB", "D9")).rule == "DO-3.2.2.4-b"


# ---------------------------------------------------------------------- trains


def two_railways(one: str, other: str, phase: str = "2") -> Game:
    """Ann directs BME and CME with these trains; it is time to exchange them."""
    game = i.new()
    a.phase(game, phase)
    i.directed(game, "BME", "ann", trains=one)
    i.directed(game, "CME", "ann", trains=other)
    return i.turn(game, "ann", "exchange")


@pytest.mark.rule("DO-3.2.3-a", "DO-3.2.3-b")
def test_trains_of_two_railways_of_one_director_are_swapped() -> None:
    game = two_railways("2", "4")
    game.apply(SwapTrains("ann", "BME", "CME"))
    assert (game.company("BME").trains, game.company("CME").trains) == (["4"], ["2"])


@pytest.mark.rule("DO-3.2.3-b")
def test_no_swap_with_another_directors_railway() -> None:
    game = two_railways("2", "4")
    i.directed(game, "RhE", "bo", trains="3")
    assert a.refused(game, SwapTrains("ann", "BME", "RhE")).rule == "DO-3.2.2.2-a"


@pytest.mark.rule("DO-3.2.3-b", "DO-3.2.3-d", "DO-3.2.3-a")
def test_an_obsolete_train_becomes_the_next_of_the_display_and_is_gone() -> None:
    game = two_railways("2", "2", "4")
    for type_ in ("2", "3"):
        left = game.state.depot.left[type_]
        game.state.depot.left[type_] = 0
        game.state.depot.sold[type_] += left
        game.state.depot.gone += [type_] * left
    a.take_offer(game)
    assert game.company("BME").trains == ["2"], "it stays until it is exchanged"
    gone = game.state.depot.gone.count("2")
    assert TrainReplaced("BME", "2", "4") in game.apply(ReplaceTrain("ann", "BME"))
    assert game.company("BME").trains == ["4"]
    assert game.state.depot.gone.count("2") == gone + 1
    assert "2" not in game.state.depot.pool


@pytest.mark.rule("DO-3.2.3-c")
@pytest.mark.parametrize(
    ("phase", "obsolete"),
    [("3", set()), ("4", {"2"}), ("5", {"2"}), ("6", {"2", "3"}), ("8", {"2", "3", "4"})],
)
def test_what_is_obsolete_when(phase: str, obsolete: set[str]) -> None:
    for train in ("2", "3", "4", "5", "6", "8"):
        game = i.new()
        a.phase(game, phase)
        i.directed(game, "BME", "ann", trains="")
        game.company("BME").trains = [train]
        i.turn(game, "ann", "exchange")
        assert ("replace_train" in a.names(game)) == (train in obsolete)
        if train in ("5", "6", "8"):
            i.directed(game, "CME", "ann", trains="")
            game.company("CME").trains = ["2"]
            i.turn(game, "ann", "exchange")
            assert a.refused(game, ReplaceTrain("ann", "BME")).rule == "DO-3.2.3-c"


@pytest.mark.rule("DO-3.2.3-d")
def test_obsolete_trains_stay_with_their_railways() -> None:
    game = i.new()
    i.directed(game, "BME", "bo", trains="2")
    for company in ("CME", "RhE", "KWE", "DGEE", "DHB"):
        i.turn(game, "ann", "take")
        i.take(game, company)
    assert game.phase.name == "4"
    assert game.company("BME").trains == ["2"]


@pytest.mark.rule("DO-3.2.3-e")
def test_one_exchange_a_turn_of_either_kind() -> None:
    game = two_railways("2", "3", "4")
    assert {"replace_train", "swap_trains"} <= a.names(game)
    game.apply(SwapTrains("ann", "BME", "CME"))
    assert game.offer().deciders == ("bo",)
    assert a.refused(game, ReplaceTrain("ann", "CME")).rule == "DO-3.2-b"
    game = two_railways("2", "2", "4")
    game.apply(ReplaceTrain("ann", "BME"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("DO-3.2.3-f")
def test_a_train_that_the_exchange_itself_would_make_obsolete_stays() -> None:
    game = two_railways("2", "3", "3")
    for type_ in ("2", "3"):
        game.state.depot.left[type_] = 0
    a.take_offer(game)
    assert "replace_train" not in a.names(game), "the next train is the first 4"
    assert a.refused(game, ReplaceTrain("ann", "BME")).rule == "DO-3.2.3-f"


def test_each_part_can_be_left_out() -> None:
    game = two_railways("2", "3", "4")
    i.turn(game, "ann")
    for step in ("track", "exchange"):
        assert game.state.round.step == step
        game.apply(Pass("ann"))
    assert game.offer().deciders == ("bo",)
