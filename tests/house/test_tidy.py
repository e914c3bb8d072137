"""What a house player never does, each habit in a position in which its title's own judgement would break it."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.house.tidy import floats, tidied
from engine.remembered import Earned
from engine.state import BANK
from tests.titles.bl import arrange as bl
from tests.titles.rhl import arrange, lines, trips


def chosen(game: Game, times: int = 12) -> list[mv.Move]:
    """What it does in a position, with different luck."""
    player = arrange.asked(game)
    return [TitleGreedy().choose(game, player, random.Random(seed)) for seed in range(times)]


def judged(*moves: mv.Move):  # type: ignore[no-untyped-def]
    """A judgement that makes these moves, one after the other."""
    rest = list(moves)
    return lambda game, player, chance: rest.pop(0)


# ---------------------------------------------------------------------- closing


def on_the_brink(revenue: int) -> Game:
    """RhE of ann, beside the red area, with something to pay out."""
    game = bl.after_package()
    bl.floated(game, "RhE")
    market = game.definition.market
    cell = next(
        (row, column)
        for row, values in enumerate(market.rows)
        for column in range(1, len(values))
        if market.has(row, column) and market.has(row, column - 1) and not market.marked((row, column), "x")
        if market.marked(game.prices.left((row, column)), "x")
    )
    game.prices.put("RhE", cell)
    bl.operating(game, "RhE", "dividend")
    Earned.of(game).revenue = revenue
    bl.take_offer(game)
    return game


def test_it_closes_no_company_that_it_directs() -> None:
    game = on_the_brink(100)
    withhold = mv.Dividend("ann", "RhE", "withhold")
    assert game.copy().apply(withhold) is not None
    twin = game.copy()
    twin.apply(withhold)
    assert twin.company("RhE").closed, "the position is one in which keeping the money closes it"
    move = tidied(game, "ann", withhold, random.Random(1), judged())
    assert move == mv.Dividend("ann", "RhE", "pay")


def test_where_nothing_closes_money_may_be_kept() -> None:
    game = on_the_brink(100)
    game.prices.put("RhE", next(cell for cell in game.definition.market.cells("p")))
    bl.take_offer(game)
    withhold = mv.Dividend("ann", "RhE", "withhold")
    assert tidied(game, "ann", withhold, random.Random(1), judged()) == withhold


# ---------------------------------------------------------------------- sales


def test_it_sells_only_for_a_purchase_in_the_same_turn() -> None:
    game = arrange.after_package()
    arrange.floated(game, "CME", "ann")
    arrange.floated(game, "BME", "bo")
    arrange.hand(game, "BME", "ann", 10, "BME")
    arrange.cash(game, "ann", 0)
    game.company("BME").operated = True
    arrange.stock(game, "ann", 2)
    sale, nothing = mv.SellShares("ann", "BME", 10), mv.Pass("ann")
    assert tidied(game, "ann", sale, random.Random(1), judged(nothing)) == nothing
    bought = mv.BuyShare("ann", "CME", "CME", 10)
    assert tidied(game, "ann", sale, random.Random(1), judged(bought)) == sale


# ---------------------------------------------------------------------- founding


def stock(ann: int, others: int) -> Game:
    game = arrange.after_package()
    for player in game.state.seats:
        arrange.cash(game, player, ann if player == "ann" else others)
    arrange.stock(game, "ann", 2)
    return game


def test_it_founds_only_what_floats() -> None:
    game = stock(ann=400, others=0)
    due = game.definition.corporations["CME"].float_percent // 10
    for par in arrange.offered(game, "found", company="CME"):
        assert floats(game, mv.Found("ann", "CME", par)) == (par * due <= 400), par
    assert all(not isinstance(m, mv.Found) or floats(game, m) for m in chosen(stock(ann=300, others=0)))


def test_what_one_cannot_float_alone_others_help_to_float() -> None:
    due = stock(0, 0).definition.corporations["CME"].float_percent // 10
    most = 80 * due
    assert floats(stock(ann=most * 7 // 10, others=most), mv.Found("ann", "CME", 80))
    assert not floats(stock(ann=most * 5 // 10, others=most), mv.Found("ann", "CME", 80)), "it has too little of it"
    assert not floats(stock(ann=most * 7 // 10, others=0), mv.Found("ann", "CME", 80)), "nobody can help"


# ---------------------------------------------------------------------- trains and money


def railway(*trains: str, treasury: int, phase: str = "2") -> Game:
    """CME at its purchase of trains, with track from Dortmund to Bochum alone."""
    game = lines.board("CME", treasury=treasury, phase=phase)
    arrange.trains(game, "CME", *trains)
    arrange.operating(game, "CME", "trains")
    return game


def test_it_buys_no_train_that_earns_nothing_more() -> None:
    game = railway("2", "2", treasury=500)
    move = mv.BuyTrain("cy", "CME", "2", BANK, 100)
    then = game.copy()
    then.apply(move)
    assert then.best_routes("CME").value == game.best_routes("CME").value, "there is no track for another"
    assert tidied(game, "cy", move, random.Random(1), judged()) == mv.Pass("cy")


def test_it_buys_the_first_train_and_the_first_that_lasts() -> None:
    game = railway(treasury=500)
    first = mv.BuyTrain("cy", "CME", "2", BANK, 100)
    assert tidied(game, "cy", first, random.Random(1), judged()) == first


def rich(treasury: int) -> Game:
    """CME on the line of the Iron Rhine with a short train, which makes little of it."""
    game = arrange.after_package()
    arrange.floated(game, "CME", "ann", treasury=treasury)
    arrange.phase(game, "5")
    trips.iron_rhine(game)
    arrange.station(game, "CME", "D13")
    arrange.trains(game, "CME", "3")
    arrange.operating(game, "CME", "trains")
    return game


def test_money_that_would_earn_does_not_lie_idle() -> None:
    bought = tidied(rich(550), "ann", mv.Pass("ann"), random.Random(1), judged())
    assert bought == mv.BuyTrain("ann", "CME", "5", BANK, 500)
    assert tidied(rich(400), "ann", mv.Pass("ann"), random.Random(1), judged()) == mv.Pass("ann"), "nobody adds money"
