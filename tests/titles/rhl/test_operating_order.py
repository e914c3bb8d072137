"""Operating rounds of 18Rhl: who acts when, and the order of a turn."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.remembered import Earned
from tests.titles.rhl import arrange, lines
from tests.titles.rhl.lines import build, lay, run, station


def into_operating(game: Game) -> tuple[ev.Event, ...]:
    """A stock round in which all pass; gives what the last pass brings."""
    arrange.stock(game, "ann")
    events: tuple[ev.Event, ...] = ()
    for player in game.state.seats:
        events = game.apply(mv.Pass(player))
    assert game.state.round.kind == "operating"
    return events


def turns(game: Game, events: tuple[ev.Event, ...]) -> list[str]:
    """The companies in the order of their turns, all of whose decisions are passes."""
    begun: list[str] = []
    for _ in range(50):
        begun += [event.actor for event in events if isinstance(event, ev.TurnBegan)]
        if game.state.round.kind != "operating" or game.state.round.operating_number > 1:
            return [actor for actor in begun if actor in game.state.companies]
        events = game.apply(mv.Pass(game.offer().deciders[0]))
    raise AssertionError(f"the round does not end: {begun}")


@pytest.mark.rule("RHL-6-a")
def test_private_companies_pay_before_the_first_company_acts() -> None:
    game = lines.board("ADR")
    before = dict(game.state.cash)
    events = into_operating(game)
    paid = [(e.target, e.amount) for e in events if isinstance(e, ev.Paid)]
    assert paid == [("ann", 5), ("bo", 15), ("bo", 20), ("cy", 25)]
    received = {who: game.state.cash[who] - before[who] for who in game.state.seats}
    assert received == {"ann": 5, "bo": 35, "cy": 25}
    kinds = [type(event) for event in events]
    assert kinds.index(ev.TurnBegan) > max(n for n, kind in enumerate(kinds) if kind is ev.Paid)


@pytest.mark.rule("RHL-6-a")
def test_floated_companies_act_in_descending_value() -> None:
    game = lines.board()
    for company, par in (("ADR", 65), ("BME", 100), ("CME", 80), ("DEE", 90)):
        arrange.floated(game, company, "cy", par)
    arrange.founded(game, "GVE", "cy", 90)  # founded, not floated
    arrange.take_offer(game)
    assert turns(game, into_operating(game)) == ["BME", "DEE", "CME", "RhE", "ADR"]


@pytest.mark.rule("RHL-6-b")
def test_of_equal_values_the_token_further_right_acts_first() -> None:
    game = lines.board("ADR", "BME", "CME")
    game.prices.put("ADR", (0, 3))
    game.prices.put("BME", (2, 5))
    game.prices.put("CME", (1, 4))
    assert {game.prices.value(company) for company in ("ADR", "BME", "CME")} == {100}
    arrange.take_offer(game)
    assert turns(game, into_operating(game)) == ["BME", "CME", "ADR", "RhE"]


@pytest.mark.rule("RHL-6-b")
@pytest.mark.parametrize("order", [["ADR", "BME", "CME"], ["CME", "ADR", "BME"]])
def test_on_one_space_the_top_of_the_stack_acts_first(order: list[str]) -> None:
    game = lines.board(*order)
    for company in order:
        game.prices.put(company, (0, 5))  # each goes below those already there
    arrange.take_offer(game)
    assert turns(game, into_operating(game)) == [*order, "RhE"]


@pytest.mark.rule("RHL-6-c")
def test_round_ends_when_every_floated_company_has_acted_once() -> None:
    game = lines.board("ADR", "BME", "CME")
    acted = turns(game, into_operating(game))
    assert sorted(acted) == ["ADR", "BME", "CME", "RhE"]
    assert game.state.round.kind == "stock"


@pytest.mark.rule("RHL-6-c")
def test_company_that_has_acted_does_not_act_again_when_another_overtakes_it() -> None:
    game = lines.board("ADR", "BME")
    game.prices.put("ADR", (0, 6))
    game.prices.put("BME", (0, 5))
    events = into_operating(game)
    assert game.state.round.actor == "ADR"
    while game.state.round.actor == "ADR":
        events = game.apply(mv.Pass("cy"))
    assert game.prices.value("ADR") == 120  # nothing paid: down to BME's space, below it
    assert turns(game, events) == ["BME", "RhE"]


@pytest.mark.rule("RHL-6-a")
@pytest.mark.parametrize(("sells", "then"), [(False, ["CME", "BME", "RhE"]), (True, ["BME", "CME", "RhE"])])
def test_a_forced_sale_changes_the_order_of_those_who_wait(sells: bool, then: list[str]) -> None:
    """Ruling 29: ADR acts first and needs money; ann sells CME, which falls onto BME's space and below it."""
    game = lines.board()
    for company, director in (("ADR", "ann"), ("CME", "bo"), ("BME", "bo")):
        arrange.floated(game, company, director, treasury=0)
    for number in range(1, 9):
        game.company("ADR").certificates[number] = "ann"
    game.company("CME").certificates[-1] = "ann"
    for company, cell in (("ADR", (0, 6)), ("CME", (1, 3)), ("BME", (2, 3))):
        game.prices.put(company, cell)
    build(game, "K4", "4", "W-E")
    arrange.cash(game, "ADR", 20)
    into_operating(game)
    assert game.state.round.actor == "ADR"
    arrange.cash(game, "ann", 0)
    arrange.take_offer(game)
    while game.state.round.step != "trains":
        game.apply(mv.Pass("ann"))
    if sells:
        game.apply(mv.SellShares("ann", "CME", 10))  # 90 of the 80 that the 2-train still costs
    else:
        game.apply(mv.TakeLoan("ann", "ADR", 80))
    events = game.apply(mv.BuyTrain("ann", "ADR", "2", "bank", 100))
    assert turns(game, events) == then


@pytest.mark.rule("RHL-6.2-a")
def test_turn_goes_from_tile_to_station_to_run_to_dividend_to_trains() -> None:
    game = lines.board("ADR", phase="3")
    arrange.trains(game, "ADR", "2")
    arrange.operating(game, "ADR")
    tile = lay(game, "ADR", "K4", "4", "W-E")
    upgrade = lay(game, "ADR", "K2", "930")
    token = station(game, "ADR", "K6")
    route = run(game, "ADR", ("2", "K2:a K4:a K6:a"))
    pay = mv.Dividend("cy", "ADR", "pay")
    train = mv.BuyTrain("cy", "ADR", "3", "bank", 200)
    order = [tile, token, route, pay, train]
    for number, move in enumerate(order):
        for other in [*order[:number], *order[number + 1 :], upgrade]:
            if type(other) is not type(move):
                assert arrange.refused(game, other).rule == "RHL-6.2-a"
        events = game.apply(move)
        moved = [type(event) for event in events if isinstance(event, ev.SharePriceMoved)]
        assert bool(moved) == (move is pay and game.prices.value("ADR") != 80)
    assert game.company("ADR").trains == ["2", "3"]


@pytest.mark.rule("RHL-6.2-a")
def test_price_moves_with_the_dividend_before_trains_are_bought() -> None:
    game = lines.board("ADR", phase="3")
    build(game, "K4", "4", "W-E")
    game.prices.put("ADR", (5, 0))  # 50
    arrange.trains(game, "ADR", "2")
    arrange.operating(game, "ADR", "run")
    game.apply(run(game, "ADR", ("2", "K2:a K4:a K6:a")))
    assert game.prices.value("ADR") == 50
    game.apply(mv.Dividend("cy", "ADR", "pay"))
    assert game.prices.value("ADR") == 55
    assert "buy_train" in arrange.names(game)


@pytest.mark.rule("RHL-6.2-a")
def test_tile_and_station_are_optional() -> None:
    game = lines.board("ADR")
    build(game, "K4", "4", "W-E")
    arrange.trains(game, "ADR", "2")
    arrange.operating(game, "ADR")
    game.apply(mv.Pass("cy"))
    assert arrange.names(game) == {"place_station", "pass"}
    game.apply(mv.Pass("cy"))
    assert arrange.names(game) == {"run"}


@pytest.mark.rule("RHL-6.2-a")
def test_another_company_does_not_act_in_a_company_s_turn() -> None:
    game = lines.board("ADR", "BME")
    arrange.operating(game, "ADR")
    assert arrange.refused(game, lay(game, "BME", "G14", "9", "NW-SE")).rule == "RHL-6.2-a"
    assert arrange.refused(game, mv.Pass("ann")).rule == "RHL-6.2-a"
    build(game, "K4", "4", "W-E")
    arrange.trains(game, "ADR", "2")
    for step, move in (
        ("station", station(game, "BME", "K6")),
        ("run", mv.Run("cy", "BME", (mv.TrainPath("2", ("K2:a", "K4:a", "K6:a")),))),
        ("dividend", mv.Dividend("cy", "BME", "pay")),
        ("trains", mv.BuyTrain("cy", "BME", "2", "bank", 100)),
    ):
        arrange.operating(game, "ADR", step)
        Earned.of(game).revenue = 50
        arrange.take_offer(game)
        assert arrange.refused(game, move).rule == "RHL-6.2-a"
