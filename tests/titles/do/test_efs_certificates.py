"""The introductory game: preparation, order and certificates (ledger 2.1.2, 3.1, 3.2, 3.2.1)."""

from __future__ import annotations

import pytest

import titles
from engine.finance import shares
from engine.game import Game
from engine.moves import LayTile, Pass
from engine.state import OFFERING, POOL
from tests.titles.do import arrange as a
from tests.titles.do import introducing as i
from titles.do.intro.game import DealtCards
from titles.do.intro.moves import SetAside
from titles.rhineland.short_moves import DiscardCertificate, ReplaceTrain, TakeCertificate


@pytest.mark.rule("DO-3.1-a", "DO-3.2.1-b")
@pytest.mark.parametrize("company", ["BME", "CME", "RhE", "KWE", "DGEE", "DHB", "HHW"])
def test_the_directors_certificate_lies_on_top_of_every_stack(company: str) -> None:
    game = i.new()
    i.take(game, company)
    assert game.company(company).director == "ann"
    assert game.company(company).certificates[0] == "ann"
    assert game.company(company).trains == ["2"]


@pytest.mark.rule("DO-3.1-b", "DO-2.1.2-b")
def test_only_the_trains_in_brackets_are_used() -> None:
    game = i.new()
    assert game.state.depot.left == {"2": 3, "3": 2, "4": 2, "5": 2, "6": 2, "8": 3}
    printed = a.ground().state.depot.left
    assert printed == {"2": 7, "3": 5, "4": 3, "5": 2, "6": 3, "8": 6}


@pytest.mark.rule("DO-3.1-c")
def test_all_homes_are_stations_from_the_start() -> None:
    game = i.new()
    for name, railway in game.definition.corporations.items():
        assert {at for at, _ in game.board.stations_of(name)} == {home.at for home in railway.homes}
        assert len(game.company(name).tokens_left) == len(railway.tokens) - len(railway.homes)
    # Beside the home of a railway that nobody directs.
    i.turn(game, "ann")
    game.apply(LayTile("ann", "", "C18", "1905", a.turned(game, "1905", "E", "SW")))
    assert game.company("KWE").director == ""


@pytest.mark.rule("DO-3.1-d", "DO-3.2.2.1-b")
def test_nobody_has_money_and_nothing_costs_any() -> None:
    game = i.new()
    assert not game.definition.priced
    assert set(game.state.cash.values()) == {0}
    i.directed(game, "DHB", "ann")
    i.turn(game, "ann")
    game.apply(LayTile("ann", "DHB", "D11", "8", a.turned(game, "8", "W", "SE")))  # 40 in other forms
    assert set(game.state.cash.values()) == {0}


@pytest.mark.rule("DO-3.2-a")
def test_the_lowest_brewery_begins_and_the_turn_goes_round_the_table() -> None:
    seen = set()
    for seed in range(40):
        game = titles.new_game("do", ["ann", "bo", "cy"], {}, seed, "efs")
        dealt = DealtCards.of(game).dealt
        assert len(set(dealt.values())) == 3
        assert set(dealt.values()) <= {1, 2, 3, 4, 5}
        first = min(dealt, key=lambda player: dealt[player])
        table = ["ann", "bo", "cy", "ann", "bo"]
        begin = table.index(first)
        assert game.state.seats == table[begin : begin + 3]
        assert game.offer().deciders == (first,)
        assert game.state.privates == {}, "the cards leave the game"
        seen.add(first)
    assert seen == {"ann", "bo", "cy"}


@pytest.mark.rule("DO-3.2-b")
def test_the_parts_of_a_directors_turn() -> None:
    game = i.new()
    i.take(game, "DHB")
    assert game.state.round.step == "track", "the certificate has made ann a director for the rest of the turn"
    assert {choice.company for choice in game.offer().choices if choice.name == "lay_tile"} == {"DHB"}
    game.apply(Pass("ann"))
    assert a.names(game) == {"place_station", "link_location", "pass"}
    assert a.refused(game, LayTile("ann", "DHB", "D11", "8", 0)).key == "tile.later"
    game.apply(Pass("ann"))
    assert game.offer().deciders == ("bo",), "nothing to exchange"


@pytest.mark.rule("DO-3.2-b")
def test_who_directs_nothing_has_certificate_and_tile_only() -> None:
    game = i.new()
    i.directed(game, "DHB", "bo")
    i.turn(game, "ann", "take")
    assert a.names(game) == {"take_certificate"}
    assert a.refused(game, LayTile("ann", "", "H9", "1904", 2)).rule == "DO-3.2-b"
    i.take(game, "DHB")
    assert a.names(game) == {"lay_tile", "pass"}
    assert a.refused(game, TakeCertificate("ann", "BME")).rule == "DO-3.2-b"
    game.apply(Pass("ann"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("DO-3.2-b")
def test_an_exchange_comes_last() -> None:
    game = i.new()
    i.directed(game, "DHB", "ann", trains="2")
    a.phase(game, "4")
    i.turn(game, "ann", "build")
    game.apply(Pass("ann"))
    assert a.names(game) == {"replace_train", "pass"}
    game.apply(ReplaceTrain("ann", "DHB"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("DO-3.2.1-a")
def test_a_certificate_must_be_taken() -> None:
    game = i.new()
    assert a.refused(game, Pass("ann")).rule == "DO-3.2.1-a"
    assert a.refused(game, SetAside("ann", "BME")).rule == "DO-3.2.1-a"
    assert a.refused(game, TakeCertificate("ann", "XYZ")).key == "unknown.company"
    assert set(a.offered(game, "take_certificate")) == set(game.state.companies), "no railway is held back (R-37)"


@pytest.mark.rule("DO-3.2.1-b", "DO-2.4.4-a")
def test_trains_go_out_in_their_order() -> None:
    game = i.new()
    for company in ("BME", "CME", "RhE"):
        i.take(game, company)
        while game.state.round.step != "take":
            game.apply(Pass(game.offer().deciders[0]))
    assert game.state.phase == 0
    i.take(game, "KWE")
    assert game.company("KWE").trains == ["3"]
    assert game.phase.name == "3"


@pytest.mark.rule("DO-3.2.1-c", "DO-3.2.2.1-c")
def test_the_next_type_comes_when_none_is_left() -> None:
    game = i.new()
    got = []
    for company in ("BME", "CME", "RhE", "KWE", "DGEE", "DHB", "HHW"):
        i.turn(game, "ann", "take")
        i.take(game, company)
        got += game.company(company).trains
        assert "green" in game.phase.tiles or len(got) < 4
        assert "brown" not in game.phase.tiles
    assert got == ["2", "2", "2", "3", "3", "4", "4"]


# ---------------------------------------------------------------------- the certificate limit


def at_limit(players: int = 5) -> Game:
    """Ann directs BME and has as many certificates as she may; it is her turn to take another."""
    game = i.new(players)
    i.directed(game, "BME", "ann", 30)
    i.certificates(game, "ann", {3: 17, 4: 13, 5: 10}[players], but=("DGEE", "HHW", "BME"))
    return i.turn(game, "ann", "take")


@pytest.mark.rule("DO-3.2.1-d")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_two_ways_at_the_limit(players: int) -> None:
    game = at_limit(players)
    limit = {3: 17, 4: 13, 5: 10}[players]
    assert a.names(game) == {"discard_certificate", "set_aside"}
    assert a.refused(game, TakeCertificate("ann", "DGEE")).rule == "DO-3.2.1-d"
    twin = game.copy()
    # One of hers goes to the pool, then one from the display comes.
    i.drop(game, "BME")
    assert a.names(game) == {"take_certificate"}
    assert i.pooled(game, "BME") == 10
    i.take(game, "DGEE")
    assert shares.certificates(game, "ann") == limit
    assert game.company("DGEE").director == "ann", "a director's certificate can be had in this way"
    # Or one goes from the display to the pool.
    before = shares.held(twin, "BME", OFFERING)
    i.set_aside(twin, "BME")
    assert (shares.held(twin, "BME", OFFERING), i.pooled(twin, "BME")) == (before - 10, 10)
    assert shares.certificates(twin, "ann") == limit
    assert twin.state.round.step == "track"


@pytest.mark.rule("DO-3.2.1-d")
def test_no_directors_certificate_goes_to_the_pool() -> None:
    game = at_limit()
    assert "DGEE" not in a.offered(game, "set_aside")
    assert a.refused(game, SetAside("ann", "DGEE")).rule == "DO-3.2.1-d"
    assert a.refused(game, DiscardCertificate("ann", "BME", 20)).rule == "DO-3.2.1-d"
    assert a.offered(game, "discard_certificate", company="BME") == [10]


@pytest.mark.rule("DO-3.2.1-d")
def test_a_certificate_is_dropped_only_if_another_can_be_taken() -> None:
    game = i.new(5)
    i.directed(game, "BME", "ann", 60)
    i.certificates(game, "ann", 10, but=("BME",))
    for name, company in game.state.companies.items():
        if name != "BME":
            company.certificates = ["bo" if who == OFFERING else who for who in company.certificates]
    i.turn(game, "ann", "take")
    assert a.offered(game, "discard_certificate") == ["BME"], "any other would leave nothing to take"
    refusal = a.refused(game, DiscardCertificate("ann", "CME", 10))
    assert refusal.rule == "DO-3.2.1-d"
    i.drop(game, "BME")
    i.take(game, "BME")
    assert shares.held(game, "BME", "ann") == 60


@pytest.mark.rule("DO-3.2.1-d")
def test_whoever_loses_a_railway_by_dropping_still_takes_one() -> None:
    game = i.new(5)
    i.directed(game, "BME", "ann", 30)
    i.hand(game, "BME", "bo", 30)
    i.certificates(game, "ann", 10, but=("BME", "DGEE"))
    i.turn(game, "ann", "take")
    i.drop(game, "BME")
    assert game.company("BME").director == "bo"
    assert shares.held(game, "BME", "ann") == 20
    assert a.names(game) == {"take_certificate"}
    i.take(game, "DGEE")
    assert game.offer().deciders == ("ann",)
    assert a.names(game) == {"discard_certificate"}, "two tens for one certificate make one too many"


@pytest.mark.rule("DO-3.2.1-e")
def test_nobody_can_have_a_certificate_from_the_pool() -> None:
    game = i.new()
    state = game.company("BME")
    state.certificates = ["bo"] + [POOL] * 8
    state.director, state.floated = "bo", True
    a.take_offer(game)
    assert "BME" not in a.offered(game, "take_certificate")
    assert a.refused(game, TakeCertificate("ann", "BME")).key == "stock.take.none"
    state.certificates[1] = OFFERING
    a.take_offer(game)
    i.take(game, "BME")
    assert state.certificates == ["bo", "ann"] + [POOL] * 7


@pytest.mark.rule("DO-3.2.1-f")
@pytest.mark.parametrize(("company", "count"), [("BME", 5), ("DGEE", 4), ("DHB", 4)])
def test_sixty_per_cent_are_the_most(company: str, count: int) -> None:
    game = i.new()
    i.directed(game, company, "ann", 60)
    assert shares.certificates(game, "ann") == count
    i.turn(game, "ann", "take")
    assert company not in a.offered(game, "take_certificate")
    assert a.refused(game, TakeCertificate("ann", company)).rule == "DO-3.2.1-f"


@pytest.mark.rule("DO-3.2.1-f")
def test_a_double_certificate_that_would_pass_sixty_is_not_offered() -> None:
    game = i.new()
    state = game.company("DHB")
    state.certificates = ["bo", OFFERING, "ann", "ann", "ann", "ann", "ann", OFFERING]
    state.director, state.floated = "bo", True
    a.take_offer(game)
    i.turn(game, "ann", "take")
    assert shares.held(game, "DHB", "ann") == 50
    assert "DHB" not in a.offered(game, "take_certificate")


@pytest.mark.rule("DO-3.2.1-a", "DO-3.2.1-f")
def test_where_every_stack_is_barred_one_goes_to_the_pool() -> None:
    """R-36: below the limit, but nothing can be taken."""
    game = i.new()
    i.directed(game, "BME", "ann", 60)
    for name, company in game.state.companies.items():
        if name != "BME":
            company.certificates = ["bo"] * len(company.certificates)
    i.turn(game, "ann", "take")
    assert a.names(game) == {"set_aside"}
    i.set_aside(game, "BME")
    assert i.pooled(game, "BME") == 10


# ---------------------------------------------------------------------- directors


@pytest.mark.rule("DO-3.2.1-g", "DO-2.3-a")
def test_a_director_is_replaced_by_whoever_holds_more() -> None:
    game = i.new()
    i.directed(game, "BME", "ann")
    i.hand(game, "BME", "bo", 10)
    i.turn(game, "bo", "take")
    i.take(game, "BME")
    assert game.company("BME").director == "ann", "20 to 20"
    a.station(game, "BME", "C6")
    i.turn(game, "bo", "take")
    i.take(game, "BME")
    state = game.company("BME")
    assert state.director == "bo"
    assert state.certificates[0] == "bo"
    assert [shares.percent_of(game, "BME", n) for n in shares.numbers(game, "BME", "ann")] == [10, 10]
    assert shares.held(game, "BME", "bo") == 30
    assert (state.trains, len(state.tokens_left)) == (["2"], 4)
    assert {choice.company for choice in game.offer().choices if choice.name == "lay_tile"} == {"BME"}


@pytest.mark.rule("DO-3.2.1-g")
def test_the_new_director_hands_over_as_few_certificates_as_possible() -> None:
    """R-113: an ordinary 20 % certificate first."""
    game = i.new()
    i.directed(game, "DHB", "ann")
    i.hand(game, "DHB", "bo", 20)
    i.turn(game, "bo", "take")
    i.take(game, "DHB")
    assert game.company("DHB").director == "bo"
    assert shares.numbers(game, "DHB", "ann") == [1], "the 20 % certificate"
    assert not game.state.pauses


@pytest.mark.rule("DO-3.2.1-h")
def test_a_former_director_drops_what_is_too_much_at_once() -> None:
    game = i.new(5)
    i.directed(game, "BME", "ann")
    i.hand(game, "BME", "bo", 20)
    i.certificates(game, "ann", 10, but=("BME",))
    i.turn(game, "bo", "take")
    i.take(game, "BME")
    assert game.offer().deciders == ("ann",)
    assert a.names(game) == {"discard_certificate"}
    assert a.refused(game, Pass("bo")).key == "turn.player"
    assert a.refused(game, Pass("ann")).rule == "DO-3.2.1-h"
    i.drop(game, "BME")
    assert shares.certificates(game, "ann") == 10
    assert game.offer().deciders == ("bo",)
    assert game.state.round.step == "track", "bo's turn goes on"


@pytest.mark.rule("DO-3.2.1-d", "DO-3.2.1-h")
def test_who_loses_a_post_by_what_they_drop_gives_up_the_surplus_before_they_take() -> None:
    game = i.new(5)
    i.directed(game, "DGEE", "ann", 40)
    i.hand(game, "DGEE", "bo", 40)
    i.certificates(game, "ann", 10, but=("DGEE",))
    i.turn(game, "ann", "take")
    i.drop(game, "DGEE")
    # Nine were left; three tens for the director's certificate of 30 % make eleven.
    assert game.company("DGEE").director == "bo"
    assert shares.certificates(game, "ann") == 11
    assert (game.offer().deciders, a.names(game)) == (("ann",), {"discard_certificate"})
    assert a.refused(game, TakeCertificate("ann", "RhE")).rule == "DO-3.2.1-h"
    i.drop(game, "DGEE")
    assert a.names(game) == {"take_certificate"}, "one has been dropped, so one is taken"
    i.take(game, "RhE")
    assert (a.names(game), game.state.round.step) == ({"discard_certificate"}, "limit")
    i.drop(game, "DGEE")
    assert shares.certificates(game, "ann") == 10
    assert game.state.round.step == "track"


@pytest.mark.rule("DO-2.4.3-b")
def test_nothing_passes_from_player_to_player() -> None:
    game = i.new()
    i.directed(game, "BME", "bo", 30)
    assert a.refused(game, TakeCertificate("ann", "bo")).key == "unknown.company"
    held = {n: who for n, who in enumerate(game.company("BME").certificates) if who == "bo"}
    i.take(game, "BME")
    assert all(game.company("BME").certificates[n] == "bo" for n in held)
