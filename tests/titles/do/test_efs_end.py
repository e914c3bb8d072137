"""The introductory game: its end, what the railways earn, and who has won (ledger 3.3)."""

from __future__ import annotations

import random

import pytest

from engine import events as ev
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.house.players import HOUSES
from engine.state import POOL
from tests.titles.do import arrange as a
from tests.titles.do import introducing as i
from titles.do.board.links import LinkTokens


def chain(train: str = "3") -> Game:
    """DHB's way from the harbour over D9 to Dortmund City, the yard E14 and the steel mill F15; ann directs it."""
    game = i.new()
    i.directed(game, "DHB", "ann", 40, trains=train)
    a.put(game, "D11", "8", "W", "SE")
    return game


@pytest.mark.rule("DO-3.3-a")
@pytest.mark.parametrize(("players", "each"), [(3, 20), (4, 15), (5, 12)])
def test_sixty_turns(players: int, each: int) -> None:
    game = i.new(players)
    chance, house = random.Random(players), HOUSES["random"]()
    turns: list[tuple[int, str]] = []
    while not game.finished:
        assert game.state.round.kind == "player"
        now = (game.state.round.stock_number, game.state.round.actor)
        if not turns or turns[-1] != now:
            turns.append(now)
        events = game.apply(house.choose(game, game.offer().deciders[0], chance))
    assert len(turns) == 60
    ran = {event.company: event.revenue for event in events if isinstance(event, ev.TrainsRun)}
    assert ran == {name: each.last_revenue for name, each in game.state.companies.items() if each.trains}, "it is told"
    assert {player: sum(who == player for _, who in turns) for player in game.state.seats} == dict.fromkeys(
        game.state.seats, each
    )
    assert "offering" not in {who for company in game.state.companies.values() for who in company.certificates}
    assert game.state.finished == "certificates"
    assert faults(game) == []


@pytest.mark.rule("DO-3.3-b")
def test_every_railway_runs_its_train_once_for_the_most() -> None:
    game = chain("3")
    i.finish(game)
    assert game.company("DHB").last_revenue == 20 + 20 + 70
    game = chain("5")
    i.finish(game)
    assert game.company("DHB").last_revenue == 20 + 20 + 70 + 20 + 20, "five places and no more"
    game = chain("8")
    i.finish(game)
    assert game.company("DHB").last_revenue == 20 + 20 + 20 + 70 + 20 + 20, "from the yard C6 on as well"
    assert game.company("BME").last_revenue is None, "a railway that nobody directs has no train"


@pytest.mark.rule("DO-3.3-b")
def test_nobody_is_asked_for_the_final_run() -> None:
    game = chain("2")
    i.finish(game)
    assert game.finished
    assert game.offer().choices == ()
    assert game.company("DHB").last_revenue == 40, "nothing that is more can be run with a 2-train"


@pytest.mark.rule("DO-3.3-c")
def test_no_place_on_the_way_is_skipped() -> None:
    game = i.new()
    i.directed(game, "BME", "ann", trains="3")
    a.put(game, "H9", "1904", "SE", "NW")
    a.put(game, "G8", "8", "SE", "W")
    a.put(game, "G6", "8", "E", "NW")
    a.put(game, "F5", "7", "SE", "E")
    router = game.router("BME")
    assert router.trace("3", ("I10:a", "H9:a", "G8", "G6", "F5", "F7:a")).value == 60 + 10 + 20
    with pytest.raises(Refused) as caught:
        router.trace("2", ("I10:a", "H9", "G8", "G6", "F5", "F7:a"))
    assert game.rules.clause(caught.value.key) == "DO-3.3-c"
    i.finish(game)
    assert game.company("BME").last_revenue == 90


@pytest.mark.rule("DO-3.3-d")
def test_location_tokens_count() -> None:
    game = i.new()
    i.directed(game, "BME", "ann", trains="2")
    a.put(game, "H9", "1904", "SE", "NW")
    assert a.earned(game, "BME", "2") == 60 + 10
    a.link(game, "H9", 10)
    assert a.earned(game, "BME", "2") == 60 + 20
    assert a.worth(game, "BME", "D9") == 20
    a.link(game, "D9", 30)
    assert a.worth(game, "BME", "D9") == 50


@pytest.mark.rule("DO-3.3-e")
def test_yards_pay_by_tokens() -> None:
    game = chain()
    for count, company in enumerate(("CME", "BME", "RhE"), 1):
        a.full(game, "C6", company)
        assert (a.worth(game, "CME", "C6"), a.worth(game, "DHB", "C6")) == (20 + 10 * count, 20)


@pytest.mark.rule("DO-3.3-f")
@pytest.mark.parametrize("phase", ["2", "4", "8"])
def test_border_fields_pay_the_higher_value_in_every_phase(phase: str) -> None:
    game = i.new()
    a.phase(game, phase)
    assert a.worth(game, "BME", "I10") == 60
    assert a.worth(game, "BME", "A18") == 40
    assert a.worth(game, "BME", "I20") == 40


@pytest.mark.rule("DO-3.3-f")
def test_no_beer_is_paid() -> None:
    game = chain("5")
    a.station(game, "DHB", "E14")
    i.finish(game)
    assert game.company("DHB").last_revenue == 20 + 20 + 70 + 30 + 20, "places alone, and ten for the token in the yard"


@pytest.mark.rule("DO-3.3-g")
def test_income_is_rounded_down_and_paid_by_shares() -> None:
    game = chain("3")
    a.link(game, "D9", 10)
    LinkTokens.of(game).values["D9"] = 45  # no token shows this; the sum is then 155
    i.hand(game, "DHB", "bo", 10)
    i.finish(game)
    assert game.company("DHB").last_revenue == 155
    assert game.state.cash["ann"] == 150 * 40 // 100
    assert game.state.cash["bo"] == 15
    assert game.state.cash["cy"] == 0, "shares in the pool earn nothing"
    assert POOL in game.company("DHB").certificates


def paid(game: Game, **incomes: int) -> Game:
    """The game is over, and these railways earned so much; only dividends and railways count."""
    game.state.finished = "certificates"
    for company, income in incomes.items():
        game.company(company).last_revenue = income
    return game


@pytest.mark.rule("DO-3.3-h")
def test_most_dividends_win() -> None:
    game = i.new()
    game.state.cash.update(ann=300, bo=310, cy=100, bank=-710)
    assert paid(game).standings() == [(1, "bo", 310), (2, "ann", 300), (3, "cy", 100)]


@pytest.mark.rule("DO-3.3-h")
def test_between_equals_the_better_railway_decides() -> None:
    game = i.new()
    i.directed(game, "BME", "ann")
    i.directed(game, "CME", "bo")
    i.directed(game, "RhE", "cy")
    game.state.cash.update(ann=300, bo=300, cy=100, bank=-700)
    paid(game, BME=180, CME=190, RhE=500)
    assert game.standings() == [(1, "bo", 300), (2, "ann", 300), (3, "cy", 100)], "cy's railway does not count"
    paid(game, BME=185, CME=189)
    assert [place for place, *_ in game.standings()] == [1, 1, 3], "both railways paid 180: the victory is shared"
    game.company("BME").director = game.company("CME").director = ""
    assert [place for place, *_ in game.standings()] == [1, 1, 3], "nor does either direct a railway (R-115)"
