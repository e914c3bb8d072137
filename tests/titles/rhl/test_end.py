"""The end of the game: a broken bank, the last rounds, and the score."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.remembered import Acted, Earned
from engine.state import BANK
from tests.titles.rhl import arrange, trips


@pytest.fixture
def game() -> Game:
    """ADR (ann, 50 %) is afloat besides RhE (cy); the bank has 40 M left."""
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann", treasury=0)
    arrange.phase(game, "5")
    trips.empty_bank(game, 40)
    return game


def breaks(game: Game, number: int, total: int) -> tuple[ev.Event, ...]:
    """ADR pays 100 M in an operating round: 50 M to ann, 50 M to its treasury."""
    arrange.operating(game, "ADR", "dividend", number, total)
    Earned.of(game).revenue = 100
    arrange.take_offer(game)
    return game.apply(mv.Dividend("ann", "ADR", "pay"))


def ending(happened: list[ev.Event] | tuple[ev.Event, ...]) -> ev.GameEnded:
    return next(event for event in happened if isinstance(event, ev.GameEnded))


@pytest.mark.rule("RHL-7.1-a")
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_set_of_operating_rounds_is_finished_when_the_bank_breaks(game: Game, number: int) -> None:
    happened = breaks(game, number, 3)
    assert [event for event in happened if isinstance(event, ev.BankBroke)] == [ev.BankBroke(10)]
    rest = [*happened, *trips.idle(game, lambda g: g.finished)]
    assert trips.rounds(rest) == [("operating", count) for count in range(number + 1, 4)], "no stock round"
    assert game.state.finished == "bank"
    assert ending(rest).reason == "bank"
    assert game.offer().choices == ()
    assert arrange.refused(game, mv.Pass("ann")).key == "over"


@pytest.mark.rule("RHL-7.1-a")
def test_a_bank_that_pays_its_last_mark_is_not_broken(game: Game) -> None:
    trips.empty_bank(game, 100)
    happened = breaks(game, 3, 3)
    assert game.state.cash[BANK] == 0
    assert not [event for event in happened if isinstance(event, ev.BankBroke)]
    trips.idle(game, lambda g: g.state.round.kind == "stock")
    assert not game.finished


@pytest.mark.rule("RHL-7.1-a")
def test_the_end_stays_when_money_comes_back_to_the_bank(game: Game) -> None:
    breaks(game, 3, 3)
    arrange.cash(game, "RhE", 0)
    assert game.state.cash[BANK] > 0
    trips.idle(game, lambda g: g.finished or g.state.round.kind == "stock")
    assert game.finished


@pytest.mark.rule("RHL-7.1-a")
def test_private_revenue_breaks_the_bank_like_a_dividend() -> None:
    game = arrange.after_package()
    trips.empty_bank(game, 10)
    arrange.stock(game, "ann")
    trips.idle(game, lambda g: g.finished or g.state.round.stock_number == 3)
    assert game.finished


@pytest.mark.rule("RHL-7.1-b")
def test_a_broken_bank_still_pays_in_full(game: Game) -> None:
    before = dict(game.state.cash)
    breaks(game, 1, 3)
    assert game.state.cash["ann"] == before["ann"] + 50
    assert game.state.cash["ADR"] == before["ADR"] + 50
    assert game.state.cash[BANK] == -60
    breaks(game, 1, 3)
    assert game.state.cash["ann"] == before["ann"] + 100
    assert game.state.cash[BANK] == -160
    assert sum(game.state.cash.values()) == game.definition.bank


@pytest.mark.rule("RHL-7.1-c")
@pytest.mark.parametrize(("phase", "total"), [("5", 3), ("8", 3)])
def test_after_a_break_in_a_stock_round_a_whole_set_follows(game: Game, phase: str, total: int) -> None:
    arrange.phase(game, phase)
    assert game.phase.operating_rounds == total
    arrange.stock(game, "ann")
    cash = game.state.cash["ann"]
    happened = game.apply(mv.SellShares("ann", "ADR", 10))
    assert ev.BankBroke(40) in happened
    assert game.state.cash["ann"] == cash + 80
    assert game.state.round.kind == "stock"
    assert not game.finished
    rest = trips.idle(game, lambda g: g.finished)
    assert {event.player for event in rest if isinstance(event, ev.Passed)} >= {"bo", "cy"}, "it is finished"
    assert trips.rounds(rest) == [("operating", count) for count in range(1, total + 1)]
    assert ending(rest).reason == "bank"


@pytest.mark.rule("RHL-7.1-c")
def test_in_green_the_last_set_has_two_operating_rounds() -> None:
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann", treasury=0)
    arrange.phase(game, "3")
    trips.empty_bank(game, 40)
    arrange.stock(game, "ann")
    game.apply(mv.SellShares("ann", "ADR", 10))
    rest = trips.idle(game, lambda g: g.finished)
    assert trips.rounds(rest) == [("operating", 1), ("operating", 2)]


# ---------------------------------------------------------------------- the score


@pytest.fixture
def last_turn() -> Game:
    """The last step of the last operating round: ADR (ann 50 %, bo 20 %) may buy a train or not."""
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann", treasury=700)
    arrange.trains(game, "ADR", "2")
    certificates = game.company("ADR").certificates
    certificates[:] = [*["ann"] * 4, "bo", "bo", "ADR", "ADR", "pool"]
    game.prices.put("ADR", (0, 8))  # 165
    game.prices.put("RhE", (1, 1))  # 75; cy has 20 % of it
    arrange.operating(game, "ADR", "trains")
    Acted.of(game).acted = ["RhE"]
    game.state.bank_broken = "operating"
    for player, amount in (("ann", 100), ("bo", 800), ("cy", 300)):
        arrange.cash(game, player, amount)
    arrange.take_offer(game)
    return game


@pytest.mark.rule("RHL-7.2-a")
def test_the_score_is_cash_and_shares_less_twice_the_loan(last_turn: Game) -> None:
    """ann 100 + 5 x 165 - 2 x 120, bo 800 + 2 x 165, cy 300 + 2 x 75; the privates count nothing."""
    assert "ann" in last_turn.state.privates.values()
    last_turn.state.loans["ann"] = 120
    happened = last_turn.apply(mv.Pass("ann"))
    assert dict(ending(happened).scores) == {"ann": 685, "bo": 1130, "cy": 450}


@pytest.mark.rule("RHL-7.2-a")
def test_shares_of_a_company_that_never_floated_count_at_their_price(last_turn: Game) -> None:
    arrange.founded(last_turn, "DEE", "bo", 60)
    happened = last_turn.apply(mv.Pass("ann"))
    assert dict(ending(happened).scores)["bo"] == 1130 + 2 * 60


@pytest.mark.rule("RHL-7.2-b")
def test_what_a_company_owns_counts_for_nobody(last_turn: Game) -> None:
    twin = last_turn.copy()
    arrange.cash(twin, "ADR", 0)
    twin.company("ADR").trains.clear()
    twin.company("ADR").certificates[6:] = ["pool"] * 3
    arrange.take_offer(twin)
    rich, poor = (ending(trips.idle(game, lambda g: g.finished)) for game in (last_turn, twin))
    assert dict(rich.scores) == dict(poor.scores) == {"ann": 925, "bo": 1130, "cy": 450}


@pytest.mark.rule("RHL-7.2-c")
def test_the_highest_total_comes_first(last_turn: Game) -> None:
    happened = last_turn.apply(mv.Pass("ann"))
    assert ending(happened).scores == (("bo", 1130), ("ann", 925), ("cy", 450))


@pytest.mark.rule("RHL-7.2-c")
def test_equal_totals_share_the_victory(last_turn: Game) -> None:
    arrange.cash(last_turn, "ann", 305)
    arrange.take_offer(last_turn)
    scores = ending(last_turn.apply(mv.Pass("ann"))).scores
    assert {player for player, score in scores if score == scores[0][1]} == {"ann", "bo"}
