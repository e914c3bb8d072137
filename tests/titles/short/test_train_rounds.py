"""Train rounds: who runs in which order, what is paid to whom, bonuses and phases."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.remembered import Acted, Earned
from engine.state import BANK, POOL
from tests.titles.rhl import lines, trips
from tests.titles.rhl.trips import AACHEN_LINE, IRON_RHINE, RHEINGOLD
from tests.titles.short import arrange
from tests.titles.short.arrange import directed, names, new, refused
from titles.rhineland.short_moves import TakeCertificate


@pytest.mark.rule("RHL-10.3.2-a")
def test_floated_companies_run_in_alphabetical_order() -> None:
    game = new()
    for company in ("RhE", "CCE", "MKB", "ADR", "DEE"):
        directed(game, company, "ann", trains="")
    rules = game.rules.rounds["train"]
    rules.begin(game, 1, 8)  # type: ignore[attr-defined]
    began = []
    while (actor := rules.next_actor(game)) != "":  # type: ignore[attr-defined]
        began.append(actor)
        Acted.of(game).acted.append(actor)
    assert began == ["ADR", "CCE", "DEE", "MKB", "RhE"], "BME, CME and GVE have no director"


@pytest.mark.rule("RHL-10.3.2-a")
def test_dividends_go_to_players_only_and_nothing_is_withheld() -> None:
    """150 M with 40 % at players, 60 % on display and in the pool: 60 M are paid in all."""
    game = new()
    directed(game, "ADR", "ann", 30)
    arrange.hand(game, "ADR", "bo", 10)
    game.company("ADR").certificates[4] = POOL
    arrange.running(game, "ADR")
    game.state.round.step = "dividend"
    Earned.of(game).revenue = 150
    game._events = []
    game.settle()
    assert {who: game.state.cash[who] for who in ("ann", "bo", "cy", "ADR", BANK)} == {
        "ann": 45, "bo": 15, "cy": 0, "ADR": 0, BANK: -60,
    }  # fmt: skip


@pytest.mark.rule("RHL-10.3.2-a")
def test_a_run_is_paid_out_without_a_question() -> None:
    game = new()
    directed(game, "ADR", "ann")
    trips.aachen_line(game)
    arrange.running(game, "ADR")
    assert names(game) == {"run"}
    assert refused(game, mv.Pass("ann")).key == "run.all"
    happened = game.apply(trips.run(game, "ADR", ("2", AACHEN_LINE)))
    assert ev.DividendPaid("ADR", 50) in happened
    assert (game.state.cash["ann"], game.company("ADR").last_revenue) == (10, 50)


@pytest.mark.rule("RHL-10.3.2-a")
def test_each_company_runs_its_single_train_once() -> None:
    game = new()
    directed(game, "ADR", "ann")
    trips.aachen_line(game)
    arrange.running(game, "ADR")
    twice = trips.run(game, "ADR", ("2", AACHEN_LINE[:2]), ("2", AACHEN_LINE[1:]))
    assert refused(game, twice).key == "run.trains"
    game.apply(trips.run(game, "ADR", ("2", AACHEN_LINE)))
    assert game.state.round.kind == "player"


@pytest.mark.rule("RHL-10.3-b")
def test_phases_change_tiles_and_red_and_grey_values_only() -> None:
    game = ruhr("4", "2")
    assert len(game.phase.tiles) == 2
    lines.token(game, "CME", "D9")
    arrange.train(game, "CME", "6")
    arrange.running(game, "CME")
    before = trips.earned(game, "CME", ("6", IRON_RHINE[3:-1]))
    arrange.phase(game, "5")
    assert game.phase.tiles == ("yellow", "green", "brown")
    arrange.running(game, "CME")
    after = trips.earned(game, "CME", ("6", IRON_RHINE[3:-1]))
    assert after == before + 10, "Roermond is worth 10, then 20"


@pytest.mark.rule("RHL-10.3-b")
def test_with_the_first_5_train_no_train_leaves_and_a_company_keeps_its_one() -> None:
    game = new()
    directed(game, "ADR", "ann", trains="2")
    directed(game, "BME", "ann", trains="3")
    game.state.depot.left.update({"2": 0, "3": 0, "4": 0})
    arrange.turn(game, "ann", "take")
    happened = game.apply(TakeCertificate("ann", "CME"))
    assert ev.PhaseChanged("5", "brown") in happened
    assert not any(isinstance(event, ev.TrainsRusted | ev.TrainDiscarded) for event in happened)
    assert [game.company(code).trains for code in ("ADR", "BME", "CME")] == [["2"], ["3"], ["5"]]
    assert game.phase.train_limit == 1


@pytest.mark.rule("RHL-10.3-b")
def test_colours_follow_the_highest_train_taken() -> None:
    """Ruling 62."""
    game = new()
    colours = []
    for name in ("2", "3", "4", "5", "6", "8"):
        game.state.depot.left.update(dict.fromkeys(list(game.state.depot.left), 0) | {name: 1})
        game.state.depot.sold[name] = 0
        company = next(code for code, state in game.state.companies.items() if not state.floated)
        arrange.turn(game, "ann", "take")
        arrange.take(game, company)
        colours.append(game.phase.colour)
    assert colours == ["yellow", "green", "green", "brown", "brown", "grey"]


@pytest.mark.rule("RHL-10.3-b")
def test_charters_have_no_special_functions() -> None:
    game = new()
    assert all(not corporation.special for corporation in game.definition.corporations.values())
    assert {corporation.float_percent for corporation in game.definition.corporations.values()} == {20}
    assert all(not any(corporation.tokens) for corporation in game.definition.corporations.values())


def ruhr(phase: str, train: str) -> Game:
    """The line of the Iron Rhine with a station of CME in Essen."""
    game = new()
    directed(game, "CME", "ann", trains=train)
    arrange.phase(game, phase)
    trips.iron_rhine(game)
    lines.token(game, "CME", "D13")
    return arrange.running(game, "CME")


@pytest.mark.rule("RHL-10.3.2-b", "RHL-10.3-b")
@pytest.mark.parametrize("phase", ["3", "5", "8"])
def test_the_industry_bonus_is_20_in_every_phase(phase: str) -> None:
    """Ruling 70: 40 M in the full game from brown on."""
    game = ruhr(phase, "6")
    plain = trips.earned(game, "CME", ("6", IRON_RHINE[:3]))
    trips.locations(game, coal=("D11",))  # the steel mill is the one at the link D13-E
    assert trips.earned(game, "CME", ("6", IRON_RHINE[:3])) == plain + 20


@pytest.mark.rule("RHL-10.3.2-b")
def test_the_iron_rhine_pays_80() -> None:
    game = ruhr("5", "6")
    stops = 20 + 40 + 40 + 50 + 10 + 10 + 20
    assert trips.earned(game, "CME", ("6", IRON_RHINE)) == stops + 80


@pytest.mark.rule("RHL-10.3.2-b")
def test_the_rheingold_starts_in_the_netherlands_and_doubles() -> None:
    game = new()
    directed(game, "CME", "ann", trains="8")
    arrange.phase(game, "8")
    trips.rheingold(game)
    arrange.running(game, "CME")
    assert trips.earned(game, "CME", ("8", RHEINGOLD)) == 60 + 20 + 50 + 50 + 60 + 60 + 50 + 50 + 60
    inland = trips.run(game, "CME", ("8", RHEINGOLD[4:]))
    assert refused(game, inland).rule == "RHL-6.2.4.4-a"
