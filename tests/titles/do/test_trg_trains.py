"""The Railway Game: trains, the forced purchase, the end (ledger sections 4.2.1, 4.5.7, 4.6 and 4.7)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.moves import BuyTrain, DiscardTrain, SellOwnShares, SellShares, TakeLoan
from engine.offer import Options
from engine.remembered import Dealt, Earned
from engine.state import BANK, POOL
from tests.titles.do import railway as r
from titles.do.board.remembered import Purchases
from titles.do.railways.private_breweries import SUPPLY, BreweryCards


def buying(phase: str = "2", treasury: int = 1000, own: tuple[str, ...] = (), **left: int) -> Game:
    """BME of ann is at its train step with these trains; so many trains are left (`t3=1`)."""
    game = r.started(1, 2, 3, 4)
    r.phase(game, phase)
    r.floated(game, "BME", treasury=treasury)
    r.floated(game, "CME", "bo")
    r.cubes(game, "ann", 2)  # nothing is left to be done with a private brewery
    if left:
        r.left(game, **left)
    if own:
        r.trains(game, "BME", *own)
    r.operating(game, "BME", "trains")
    return game


def buy(game: Game, train: str, source: str = BANK, price: int | None = None) -> None:
    cost = game.definition.train(train).price if price is None else price
    game.apply(BuyTrain("ann", "BME", train, source, cost))


def refused(game: Game, train: str, source: str = BANK, price: int | None = None) -> str:
    cost = game.definition.train(train).price if price is None else price
    return r.refused(game, BuyTrain("ann", "BME", train, source, cost)).rule


# ---------------------------------------------------------------------- phases


@pytest.mark.rule("DO-4.2.1-a", "DO-4.2.1-b")
def test_the_first_train_of_a_type_begins_its_phase() -> None:
    game = buying("4", t5=2)
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    r.take_offer(game)
    buy(game, "4", POOL)
    assert (game.phase.name, game.phase.colour) == ("4", "green")
    buy(game, "5")
    assert (game.phase.name, game.phase.colour) == ("5", "brown")
    game = buying("5", t6=3, treasury=2000)
    buy(game, "6")
    assert (game.phase.name, game.phase.colour) == ("6", "brown")


# ---------------------------------------------------------------------- the early train


@pytest.mark.rule("DO-4.3.2.1-a", "DO-4.5.7-a")
@pytest.mark.parametrize("company", ["BME", "CME", "RhE"])
def test_three_railways_buy_a_train_before_they_lay_track(company: str) -> None:
    game = r.started(1, 2, 3)
    r.floated(game, company, operated=False)
    r.operating(game, company, "early")
    assert r.offered(game, "buy_train") == [BANK]
    game.apply(BuyTrain("ann", company, "2", BANK, 80))
    assert game.state.round.step == "track"
    assert game.company(company).trains == ["2"]
    r.operating(game, company, "trains")
    Purchases.of(game).new = 1
    game.apply(BuyTrain("ann", company, "2", BANK, 80))  # one more in yellow
    assert r.refused(game, BuyTrain("ann", company, "2", BANK, 80)).rule == "DO-4.5.7.1-c"


@pytest.mark.rule("DO-4.3.2.1-a")
def test_the_early_train_is_for_the_first_operating_round_of_those_three() -> None:
    game = r.started(1, 2, 3)
    r.floated(game, "KWE", operated=False)
    r.floated(game, "BME", operated=True)
    for company in ("KWE", "BME"):
        r.operating(game, company, "early")
        game.settle()
        assert game.state.round.step == "track"
    game.company("BME").operated = False
    game.state.depot.pool.append("2")
    game.state.depot.left["2"] -= 1
    game.state.depot.sold["2"] += 1
    r.operating(game, "BME", "early")
    assert r.offered(game, "buy_train") == [BANK]
    assert r.refused(game, BuyTrain("ann", "BME", "2", POOL, 80)).rule == "DO-4.3.2.1-a"
    r.passing(game, "ann")
    assert game.state.round.step == "track"
    r.phase(game, "3")
    r.operating(game, "BME", "early")
    game.apply(BuyTrain("ann", "BME", "2", BANK, 80))
    game.state.round.step = "trains"
    r.take_offer(game)
    assert r.refused(game, BuyTrain("ann", "BME", "2", BANK, 80)).rule == "DO-4.5.7.1-c"  # none more in green


# ---------------------------------------------------------------------- new trains


@pytest.mark.rule("DO-4.5.7-a")
def test_trains_are_paid_from_the_treasury() -> None:
    game = buying(treasury=79, own=("2",))
    assert refused(game, "2") == "DO-4.5.7-a"
    assert BANK not in r.offered(game, "buy_train")
    game = buying(treasury=80, own=("2",))
    bank = game.state.cash[BANK]
    buy(game, "2")
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (0, bank + 80)


@pytest.mark.rule("DO-4.5.7-b")
def test_a_railway_at_its_limit_buys_nothing() -> None:
    game = buying("3", t4=3, own=("2", "2", "3", "3"))
    assert refused(game, "4") == "DO-4.5.7-b"
    game = buying("3", t4=3, own=("2", "2", "3"))
    buy(game, "4")
    assert game.company("BME").trains == ["3", "4"]


@pytest.mark.rule("DO-4.5.7-c", "DO-4.5.7-d")
def test_a_lower_limit_sends_surplus_trains_to_the_pool() -> None:
    game = buying("4", t5=2, own=("4",))
    r.trains(game, "CME", "3", "3", "4")
    r.operating(game, "BME", "trains")
    assert "discard_train" not in r.names(game)
    buy(game, "5")
    assert r.asked(game) == "bo"
    assert r.offered(game, "discard_train") == ["3", "4"]
    game.apply(DiscardTrain("bo", "CME", "3"))
    assert (game.company("CME").trains, game.state.depot.pool) == (["3", "4"], ["3"])
    assert [phase.train_limit for phase in game.definition.phases] == [4, 4, 3, 2, 2, 2]
    game.company("BME").trains.pop()
    game.state.depot.gone.append("5")
    r.take_offer(game)
    buy(game, "3", POOL)  # no new train: one has been bought already
    assert game.state.depot.pool == []


@pytest.mark.rule("DO-4.5.7.1-a", "DO-2.4.4-a")
def test_new_trains_come_in_ascending_order() -> None:
    game = buying(t2=1)
    assert refused(game, "3") == "DO-4.5.7.1-a"
    assert refused(game, "2", price=70) == "DO-4.5.7.1-a"
    game = buying("3", t3=1)
    assert refused(game, "4") == "DO-4.5.7.1-a"
    buy(game, "3")
    assert game.state.cash["BME"] == 820


@pytest.mark.rule("DO-4.5.7.1-b")
def test_the_8_train_comes_with_the_second_6_train() -> None:
    game = buying("5", t6=3, treasury=5000)
    assert r.offered(game, "buy_train", source=BANK) == ["6"]
    buy(game, "6")
    r.operating(game, "BME", "trains")
    assert r.offered(game, "buy_train", source=BANK) == ["6"]
    buy(game, "6")
    game.company("BME").trains.clear()
    game.state.depot.gone += ["6", "6"]
    r.operating(game, "BME", "trains")
    assert r.offered(game, "buy_train", source=BANK) == ["6", "8"]
    buy(game, "8")
    assert game.phase.colour == "grey"
    r.operating(game, "BME", "trains")
    assert r.offered(game, "buy_train", source=BANK) == ["6", "8"]


@pytest.mark.rule("DO-4.5.7.1-c")
@pytest.mark.parametrize(("phase", "most"), [("2", 2), ("3", 1), ("4", 1), ("6", 1)])
def test_so_many_new_trains_a_turn(phase: str, most: int) -> None:
    game = buying(phase, treasury=5000)
    train = game.rules.rounds["operating"].steps["railway"]["trains"].bank_trains(game, "BME")[0][1]  # type: ignore[attr-defined]
    for _ in range(most):
        buy(game, train)
    assert refused(game, train) == "DO-4.5.7.1-c"


@pytest.mark.rule("DO-4.5.7.1-d")
def test_the_last_2_train_and_the_first_3_train_in_one_turn() -> None:
    game = buying(t2=1)
    buy(game, "2")
    buy(game, "3")
    assert game.phase.name == "3"
    assert refused(game, "3") == "DO-4.5.7.1-c"


@pytest.mark.rule("DO-4.5.7.1-e", "DO-4.5.7.2-a")
def test_trains_of_other_railways_come_besides() -> None:
    game = buying("3", own=("3",))
    r.trains(game, "CME", "2", "2")
    r.operating(game, "BME", "trains")
    buy(game, "2")
    assert refused(game, "2") == "DO-4.5.7.1-c"
    for _ in range(2):
        game.apply(BuyTrain("ann", "BME", "2", "CME", 1))
        assert r.asked(game) == "bo"
        game.apply(mv.Answer("bo", "accept"))
    assert game.company("BME").trains == ["3", "2", "2", "2"]


@pytest.mark.rule("DO-4.5.7.2-a")
def test_a_train_of_another_railway_costs_what_both_agree() -> None:
    game = buying(own=("2",), treasury=50)
    r.trains(game, "CME", "3")
    r.operating(game, "BME", "trains")
    assert r.refused(game, BuyTrain("ann", "BME", "3", "CME", 0)).rule == "DO-4.5.7.2-a"
    assert r.refused(game, BuyTrain("ann", "BME", "3", "CME", 51)).rule == "DO-4.5.7.2-a"
    assert r.refused(game, BuyTrain("bo", "CME", "2", "BME", 10)).rule == "DO-4.5-b"  # not in the seller's turn
    treasury = game.state.cash["CME"]
    game.apply(BuyTrain("ann", "BME", "3", "CME", 50))
    game.apply(mv.Answer("bo", "accept"))
    assert (game.state.cash["BME"], game.state.cash["CME"]) == (0, treasury + 50)


# ---------------------------------------------------------------------- obsolete trains


@pytest.mark.rule("DO-4.5.7.3-a")
def test_2_and_3_trains_leave_at_once() -> None:
    game = buying("3", t4=3, own=("3", "2"))
    r.trains(game, "CME", "2")
    game.state.depot.gone.remove("2")
    game.state.depot.pool.append("2")
    r.operating(game, "BME", "trains")
    cash = game.state.cash["CME"]
    buy(game, "4")
    assert game.company("BME").trains == ["3", "4"]
    assert (game.company("CME").trains, game.state.depot.pool, game.state.cash["CME"]) == ([], [], cash)
    game = buying("5", t6=3, own=("3",))
    buy(game, "6")
    assert game.company("BME").trains == ["6"]


@pytest.mark.rule("DO-4.5.7.3-b")
def test_4_trains_run_once_more() -> None:
    game = buying("6", t8=6, own=("4",))
    r.trains(game, "CME", "4")
    game.state.depot.sold["6"] = 3
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    r.operating(game, "BME", "trains")
    buy(game, "8")
    assert game.company("BME").trains == ["4", "8"]
    assert (game.company("CME").trains, game.state.depot.pool) == (["4"], [])
    r.operating(game, "CME", "trains")
    assert r.refused(game, BuyTrain("bo", "CME", "4", "BME", 10)).rule == "DO-4.5.7.3-b"
    assert ("BME", "4") not in game.rules.rounds["operating"].steps["railway"]["trains"].trades(game, "CME")  # type: ignore[attr-defined]
    for at, tile, sides in (("F11", "9", ("NE", "SW")), ("G10", "8", ("NE", "SE")), ("H11", "8", ("NW", "SW"))):
        r.put(game, at, tile, *sides)
    r.operating(game, "BME", "run")
    best = game.best_routes("BME")
    assert [route.train for route in best.routes] == ["8+2"]  # there is track for one train
    game.apply(mv.Run("ann", "BME", (mv.TrainPath("4", best.routes[0].path),)))
    assert game.company("BME").trains == ["8"]
    r.operating(game, "CME", "run")
    r.passing(game, "bo")
    assert game.company("CME").trains == []  # without a route too
    assert r.refused(game, mv.Pass("bo")).rule == "DO-4.5.7.4-a"


# ---------------------------------------------------------------------- the duty to own a train


@pytest.mark.rule("DO-4.5.7.4-a", "DO-4.5.7-d")
def test_every_railway_has_a_train_at_the_end_of_its_turn() -> None:
    game = buying()
    assert r.refused(game, mv.Pass("ann")).rule == "DO-4.5.7.4-a"
    buy(game, "2")
    r.passing(game, "ann")
    game = buying(own=("2",))
    assert r.names(game) <= {"pass", "buy_train", "sell_own_shares", "buy_own_share", "turn_brewery"}


@pytest.mark.rule("DO-4.5.7.4-b")
def test_another_railways_train_is_paid_by_the_treasury_alone() -> None:
    game = buying("3", treasury=40)
    r.trains(game, "CME", "3")
    r.operating(game, "BME", "trains")
    assert r.refused(game, BuyTrain("ann", "BME", "3", "CME", 41)).rule == "DO-4.5.7.2-a"
    game.apply(BuyTrain("ann", "BME", "3", "CME", 40))
    game.apply(mv.Answer("bo", "accept"))
    assert game.company("BME").trains == ["3"]
    game = buying("3", treasury=40)
    r.trains(game, "CME", "3")
    r.operating(game, "BME", "trains")
    game.apply(SellOwnShares("ann", "BME", 10))
    game.apply(BuyTrain("ann", "BME", "3", "CME", 100))  # the sale of a certificate is no forced purchase yet
    game.apply(mv.Answer("bo", "accept"))
    assert game.company("BME").trains == ["3"]


@pytest.mark.rule("DO-4.5.7.4-c", "DO-4.5.7.5-b")
def test_first_one_certificate_then_the_director() -> None:
    game = buying("3", treasury=130, t3=4)
    assert r.names(game) == {"sell_own_shares"}
    assert len(game.offer().choices) == 1
    assert refused(game, "3") == "DO-4.5.7.5-b"
    game.apply(SellOwnShares("ann", "BME", 10))
    assert (game.state.cash["BME"], r.price(game, "BME")) == (190, (55, 4, 2))
    buy(game, "3")
    assert (game.state.cash["BME"], game.state.cash["ann"]) == (10, 1000)
    game = buying("3", treasury=50, t3=4)
    game.company("BME").certificates = ["ann", "ann", "ann", "ann", "BME", "bo", "bo", "bo", "bo"]
    r.operating(game, "BME", "trains")
    game.apply(SellOwnShares("ann", "BME", 10))
    assert r.names(game) == {"buy_train"}
    buy(game, "3")
    assert (game.state.cash["BME"], game.state.cash["ann"]) == (0, 930)


@pytest.mark.rule("DO-4.5.7.4-c")
@pytest.mark.parametrize("bar", ["deal", "pool", "none"])
def test_the_first_certificate_is_skipped_where_it_cannot_be_sold(bar: str) -> None:
    game = buying("3", treasury=130, t3=4)
    if bar == "pool":
        game.company("BME").certificates = ["ann", "ann", *[POOL] * 5, "BME", "BME"]
    elif bar == "none":
        game.company("BME").certificates = ["ann", *["ann"] * 3, *["bo"] * 5]
    r.operating(game, "BME", "trains")
    if bar == "deal":
        Dealt.of(game).deal = True
    r.take_offer(game)
    if bar == "none":
        assert r.names(game) == {"buy_train"}
        buy(game, "3")
        assert game.state.cash["ann"] == 950
    else:
        assert r.offered(game, "sell_own_shares") == [10]  # as a part of the forced purchase: the pool takes it
        game.apply(SellOwnShares("ann", "BME", 10))
        assert r.price(game, "BME") == (55, 4, 2)
        assert r.names(game) == {"buy_train"}


# ---------------------------------------------------------------------- the forced purchase


@pytest.mark.rule("DO-4.5.7.5-a")
def test_a_forced_purchase_takes_a_pool_train_or_the_cheapest_new_one() -> None:
    game = buying("6", treasury=100, t6=1)
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    r.trains(game, "CME", "5")
    game.company("BME").certificates = ["ann", *["ann"] * 3, *["bo"] * 5]
    r.operating(game, "BME", "trains")
    assert set(r.offered(game, "buy_train", source=POOL)) == {"4"}
    assert set(r.offered(game, "buy_train", source=BANK)) == {"6"}
    assert refused(game, "8") == "DO-4.5.7.5-a"
    buy(game, "6")
    assert game.state.cash["ann"] == 470


@pytest.mark.rule("DO-4.5.7.5-a")
def test_a_pool_train_need_not_be_taken() -> None:
    game = buying("6", treasury=350, t6=1)
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    game.company("BME").certificates = ["ann", *["ann"] * 3, *["bo"] * 5]
    r.operating(game, "BME", "trains")
    assert sorted(r.offered(game, "buy_train")) == [BANK, POOL]
    buy(game, "6")
    assert game.state.cash["ann"] == 720
    game = buying("6", treasury=350, t6=1)
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    r.operating(game, "BME", "trains")
    buy(game, "4", POOL)
    assert game.state.cash["BME"] == 50


@pytest.mark.rule("DO-4.5-e", "DO-4.5.7.5-d")
def test_a_loan_is_for_the_railway_whose_turn_it_is() -> None:
    game = buying("5", treasury=200, t6=3)
    r.cash(game, "ann", 150)
    game.company("BME").certificates = ["ann", "bo", "bo", "pool", "pool", "pool", "pool", "cy", "cy"]
    r.operating(game, "BME", "trains")
    assert r.offered(game, "take_loan") == [280]
    (loan,) = (choice for choice in game.offer().of("ann") if choice.name == "take_loan")
    told = loan.ask({})
    assert isinstance(told, Options)
    assert told.options[0].facts == {"owed": 560}, "twice the loan is owed at the end"
    assert r.refused(game, TakeLoan("ann", "CME", 280)).rule == "DO-4.5-e"
    assert r.refused(game, TakeLoan("ann", "nothing", 280)).rule == "DO-4.5-e"
    game.apply(TakeLoan("ann", "BME", 280))


@pytest.mark.rule("DO-4.5.7.5-b", "DO-4.5.7.5-d", "DO-4.5.7.4-c")
def test_the_sources_come_in_their_order() -> None:
    game = buying("5", treasury=200, t6=3)
    r.cell(game, "BME", 6, 3)
    r.cash(game, "ann", 150)
    game.company("BME").certificates = ["ann", "ann", "ann", "BME", "BME", "bo", "bo", "cy", "cy"]
    r.own(game, "CME", "ann", 20)
    r.operating(game, "BME", "trains")
    assert r.names(game) == {"sell_own_shares"}
    assert r.refused(game, SellShares("ann", "BME", 10)).rule == "DO-4.5.7.5-b"
    game.apply(SellOwnShares("ann", "BME", 10))
    assert (game.state.cash["BME"], r.price(game, "BME")) == (250, (40, 6, 2))
    assert r.names(game) == {"sell_own_shares"}
    game.apply(SellOwnShares("ann", "BME", 10))
    assert (game.state.cash["BME"], r.price(game, "BME")) == (290, (20, 6, 1))
    assert r.names(game) == {"sell_shares"}
    assert r.offered(game, "sell_shares") == ["BME"]
    assert r.refused(game, SellShares("ann", "CME", 10)).rule == "DO-4.5.7.5-b"
    assert r.offered(game, "sell_shares", company="BME") == [20]
    game.apply(SellShares("ann", "BME", 20))
    assert game.state.cash["ann"] == 190
    assert r.names(game) == {"take_loan"}
    assert r.offered(game, "take_loan") == [150]
    assert r.refused(game, TakeLoan("ann", "CME", 150)).rule == "DO-4.5-e"
    game.apply(TakeLoan("ann", "BME", 150))
    buy(game, "6")
    assert (game.state.cash["BME"], game.state.cash["ann"], game.state.loans["ann"]) == (0, 0, 150)
    assert not game.state.bank_broken


@pytest.mark.rule("DO-4.5.7.5-c")
def test_the_pool_takes_more_than_half_and_nothing_is_sold_in_vain() -> None:
    game = buying("5", treasury=600, t6=3)
    r.cell(game, "BME", 6, 2)
    r.cash(game, "ann", 0)
    game.company("BME").certificates = ["ann", "ann", "ann", *[POOL] * 5, "bo"]
    r.operating(game, "BME", "trains")
    assert r.offered(game, "sell_shares", company="BME") == [10]
    assert r.refused(game, SellShares("ann", "BME", 20)).rule == "DO-4.5.7.5-c"
    game.apply(SellShares("ann", "BME", 10))
    assert shares.held(game, "BME", POOL) == 60
    buy(game, "6")
    assert game.state.cash["ann"] == 10


@pytest.mark.rule("DO-4.5.7.5-b")
def test_a_rich_director_pays_nothing_before_the_railway_has_sold_its_own() -> None:
    game = buying("5", treasury=200, t6=3)
    r.cell(game, "BME", 6, 3)
    r.cash(game, "ann", 1000)
    game.company("BME").certificates = ["ann", "ann", "ann", "BME", "BME", "bo", "bo", "cy", "cy"]
    r.operating(game, "BME", "trains")
    for treasury in (200, 250):
        assert game.state.cash["BME"] == treasury
        assert r.names(game) == {"sell_own_shares"}
        assert refused(game, "6") == "DO-4.5.7.5-b"
        game.apply(SellOwnShares("ann", "BME", 10))
    buy(game, "6")
    assert game.state.cash["ann"] == 1000 - (630 - 290)


@pytest.mark.rule("DO-4.5.7.5-b", "DO-4.5.7.5-c")
def test_a_share_that_pays_exactly_what_is_missing_is_enough() -> None:
    game = buying("5", treasury=590, t6=3)
    r.cell(game, "BME", 6, 2)
    r.cash(game, "ann", 0)
    game.company("BME").certificates = ["ann", "ann", "ann", *[POOL] * 5, "bo"]
    r.operating(game, "BME", "trains")
    assert r.price(game, "BME")[0] == 40
    assert r.offered(game, "sell_shares", company="BME") == [10]
    game.apply(SellShares("ann", "BME", 10))
    buy(game, "6")
    assert game.state.cash["ann"] == 0


@pytest.mark.rule("DO-4.5.7.4-c", "DO-4.5.7.4-b")
def test_a_treasury_that_just_pays_the_cheapest_new_train_forces_nobody() -> None:
    game = buying("5", treasury=630, t6=3)
    r.operating(game, "BME", "trains")
    assert not {"sell_shares", "take_loan"} & r.names(game)
    assert "sell_own_shares" in r.names(game), "the deal of the turn is still open"
    own = game.company("BME").certificates.count("BME")
    r.floated(game, "CME", "bo")
    r.trains(game, "CME", "6", "6")
    r.operating(game, "BME", "trains")
    assert "CME" in r.offered(game, "buy_train"), "in a forced purchase no train of another railway could be had"
    buy(game, "6")
    assert (game.state.cash["BME"], game.company("BME").certificates.count("BME")) == (0, own)


@pytest.mark.rule("DO-4.5.7.5-c")
def test_nobody_loses_an_office_by_a_forced_purchase() -> None:
    game = buying("5", treasury=500, t6=3)
    r.cash(game, "ann", 0)
    game.company("BME").certificates = ["ann", "ann", "ann", "bo", "bo", "bo", "cy", "cy", "cy"]
    r.operating(game, "BME", "trains")
    assert r.offered(game, "sell_shares", company="BME") == [10]
    assert r.refused(game, SellShares("ann", "BME", 20)).rule == "DO-4.5.7.5-c"
    game.apply(SellShares("ann", "BME", 10))
    assert r.names(game) == {"take_loan"}
    assert r.offered(game, "take_loan") == [70]


@pytest.mark.rule("DO-4.5.7.5-b", "DO-4.4.6-a")
def test_certificates_of_one_step_are_paid_at_one_price() -> None:
    game = buying("5", treasury=500, t6=3)
    game.company("BME").certificates = ["ann", "ann", "ann", "ann", *["BME"] * 4, "bo"]
    r.operating(game, "BME", "trains")
    game.apply(SellOwnShares("ann", "BME", 10))
    assert (game.state.cash["BME"], r.price(game, "BME")) == (560, (55, 4, 2))
    assert r.offered(game, "sell_own_shares") == [20]  # 70 are missing
    game.apply(SellOwnShares("ann", "BME", 20))
    assert (game.state.cash["BME"], r.price(game, "BME")) == (670, (40, 5, 1))
    buy(game, "6")
    game = buying("5", treasury=500, t6=3)
    r.cell(game, "BME", 3, 4)
    r.cash(game, "ann", 0)
    game.company("BME").certificates = ["ann", *["ann"] * 4, *["bo"] * 2, *["cy"] * 2]
    r.operating(game, "BME", "trains")
    assert r.offered(game, "sell_shares", company="BME") == [20]  # 130 are missing
    game.apply(SellShares("ann", "BME", 20))
    assert (game.state.cash["ann"], r.price(game, "BME")) == (140, (60, 5, 4))  # two rows down, as any sale of a player


@pytest.mark.rule("DO-4.5.7.5-d")
def test_loans_add_up_and_count_twice() -> None:
    game = buying()
    game.state.loans["ann"] = 80
    score = game.rules.score(game)["ann"]
    game.state.loans["ann"] = 100
    assert game.rules.score(game)["ann"] == score - 40
    assert game.rules.score(game)["ann"] == 1000 + 300 - 200


@pytest.mark.rule("DO-4.6-c", "DO-4.5.7.5-d")
def test_a_loan_does_not_empty_the_bank() -> None:
    game = buying("5", treasury=100, t6=3)
    r.cash(game, "ann", 0)
    game.company("BME").certificates = ["ann", *["cy"] * 2, *["bo"] * 2, *["di"] * 2, POOL, POOL]
    r.give(game, "di", game.state.cash[BANK] - 5)
    r.operating(game, "BME", "trains")
    game.apply(TakeLoan("ann", "BME", 530))
    assert not game.state.bank_broken
    buy(game, "6")
    assert game.state.cash[BANK] == 5 - 530 + 630


# ---------------------------------------------------------------------- the end


def last_round(total: int, number: int = 1) -> Game:
    """BME has earned 200; the bank has 50."""
    game = r.later(1, 2, 3)
    r.floated(game, "BME")
    r.trains(game, "BME", "2")
    r.give(game, "cy", game.state.cash[BANK] - 50)
    r.operating(game, "BME", "dividend", number, total)
    Earned.of(game).revenue = 200
    r.take_offer(game)
    return game


@pytest.mark.rule("DO-4.6-a", "DO-4.6-c")
def test_a_bank_without_money_ends_the_game_after_the_set() -> None:
    game = last_round(3)
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert (game.state.cash["ann"], game.state.cash[BANK]) == (1100, 50 - 200)
    assert game.state.bank_broken
    played = 1
    while not game.finished:
        assert game.state.round.kind == "operating"
        played = max(played, game.state.round.operating_number)
        game.apply(mv.Pass("ann"))
    assert (played, game.state.finished) == (3, "bank")


def poor(money: int) -> Game:
    """BME and CME have been founded, cy is to act with 60; the others have this much, private breweries are turned."""
    game = r.started(1, 2, 3)
    r.founded(game, "BME", "ann", 6, 3)
    r.founded(game, "CME", "bo", 6, 3)
    BreweryCards.of(game).turned = ["P1", "P2", "P3"]
    BreweryCards.of(game).markers = {}
    for player, cash in (("ann", money), ("bo", 0), ("cy", 60)):
        r.cash(game, player, cash)
    r.stock(game, "cy")
    return game


def test_a_game_in_which_nothing_can_happen_any_more_ends() -> None:
    game = poor(0)
    game.apply(mv.BuyShare("cy", "BME", "BME", 10))
    assert game.state.finished == "standstill"
    assert {player: score for _, player, score in game.standings()} == {"ann": 100, "bo": 100, "cy": 60}
    assert game.state.round.stock_number == 3, "the second time that nothing happens is enough"


def test_a_game_in_which_somebody_can_still_buy_goes_on() -> None:
    game = poor(50)
    game.apply(mv.BuyShare("cy", "BME", "BME", 10))
    assert not game.finished
    assert (game.state.round.kind, game.offer().deciders) == ("stock", ("ann",))
    game.apply(mv.Pass("ann"))
    assert not game.finished, "to have passed once is no standstill"
    assert game.offer().deciders == ("ann",)


def test_private_breweries_that_pay_keep_a_game_going() -> None:
    game = poor(0)
    BreweryCards.of(game).turned = ["P1", "P2"]
    game.apply(mv.BuyShare("cy", "BME", "BME", 10))
    assert not game.finished
    assert game.offer().deciders == ("cy",)
    assert game.state.round.stock_number > 2


@pytest.mark.rule("DO-4.6-a")
def test_a_bank_with_nothing_left_has_still_paid() -> None:
    game = last_round(1)
    r.give(game, "cy", -150)
    r.take_offer(game)
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert game.state.cash[BANK] == 0
    assert not game.state.bank_broken
    r.passing(game, "ann")
    assert game.state.round.kind == "stock"


@pytest.mark.rule("DO-4.6-b")
@pytest.mark.parametrize("phase", ["2", "4"])
def test_a_bank_that_is_emptied_in_a_stock_round_gives_three_more_rounds(phase: str) -> None:
    game = r.later(1, 2, 3)
    r.phase(game, phase)
    r.floated(game, "BME")
    r.trains(game, "BME", "8")
    r.own(game, "BME", "ann", 60)
    r.give(game, "cy", game.state.cash[BANK] - 50)
    r.stock(game, "ann")
    game.apply(mv.SellShares("ann", "BME", 10))
    assert game.state.bank_broken == "stock"
    r.end_stock(game)
    rounds = set()
    while not game.finished:
        assert game.state.round.kind == "operating"
        rounds.add(game.state.round.operating_number)
        game.apply(mv.Pass("ann"))
    assert rounds == {1, 2, 3}


@pytest.mark.rule("DO-4.6-d")
def test_wealth_is_cash_and_shares_less_twice_the_loans() -> None:
    game = r.later(3, 4, 5)
    r.floated(game, "BME", "ann", 1, 6)
    r.own(game, "BME", "ann", 30)
    r.floated(game, "CME", "bo", 2, 5)
    r.own(game, "CME", "ann", 20)
    r.cash(game, "ann", 500)
    game.state.loans["ann"] = 80
    assert game.rules.score(game)["ann"] == 500 + 300 + 160 - 160


@pytest.mark.rule("DO-4.7-a", "DO-2.2.2-a")
def test_nothing_is_hidden() -> None:
    game = r.later(1, 2, 3)
    assert not game.rules.secret
    assert all(not game.hidden(player) for player in game.state.seats)
    assert game.rules.possessions(game, "ann") == {"P1": 1, "cube": 2}
    shown = {page.name: page for page in game.rules.pages(game)}
    assert shown.keys() == {"private_breweries", "loads", "export"}
    supply = BreweryCards.of(game).cubes[SUPPLY]
    assert shown["private_breweries"].rows[-1] == ("", "", "", str(supply), "", ""), "what is left beside the cards"


def test_trains_are_shown_with_the_cubes_that_they_can_carry() -> None:
    game = r.later(1, 2, 3)
    for name in ("BME", "HHW"):
        r.floated(game, name)
        game.company(name).trains = ["4", "5", "6", "8"]
    assert game.rules.trains.labels(game, "BME") == ["4", "5▪", "6▪▪", "8▪▪▪"]
    assert game.rules.trains.labels(game, "HHW") == ["4", "5", "6", "8"], "it carries no beer"
    loads = next(page for page in game.rules.pages(game) if page.name == "loads")
    assert (loads.columns, loads.rows) == (("5", "6", "8"), (("1", "2", "3"),))


@pytest.mark.rule("DO-4.7-b", "DO-2.4.3-b")
def test_nobody_pays_anybody_else() -> None:
    kinds = set()
    game = r.later(1, 2, 3)
    r.floated(game, "BME")
    r.stock(game, "ann")
    kinds |= r.names(game)
    r.operating(game, "BME", "trains")
    kinds |= r.names(game)
    assert kinds <= {
        "pass", "found", "buy_share", "sell_shares", "turn_brewery", "buy_train", "sell_own_shares", "buy_own_share",
    }  # fmt: skip
