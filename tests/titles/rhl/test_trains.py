"""Buying trains: what is on sale at what price, trade between companies, the limit, discards."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.remembered import Declined
from engine.rounds.proposals import MOST_COUNTERS
from engine.state import BANK, POOL
from engine.steps.trains import TrainStep
from tests.titles.rhl import arrange, trips


@pytest.fixture
def game() -> Game:
    """ADR (ann) buys trains; CME (bo) and DEE (ann) are afloat as well; nobody has a route."""
    game = arrange.after_package()
    for company, director in (("ADR", "ann"), ("CME", "bo"), ("DEE", "ann")):
        arrange.floated(game, company, director, treasury=1200)
    buying(game)
    return game


def buying(game: Game, company: str = "ADR") -> None:
    arrange.operating(game, company, "trains")


def buy(train: str, price: int, source: str = BANK, company: str = "ADR", player: str = "ann") -> mv.BuyTrain:
    return mv.BuyTrain(player, company, train, source, price)


# ---------------------------------------------------------------------- new trains


@pytest.mark.rule("RHL-6.2.6-a")
@pytest.mark.parametrize(("train", "price"), [("2", 100), ("3", 200), ("4", 300), ("5", 500), ("6", 600), ("8", 800)])
def test_new_trains_cost_their_printed_price(game: Game, train: str, price: int) -> None:
    arrange.phase(game, train)
    buying(game)
    assert trips.values(game, "buy_train", source=BANK, train=train) == [price]
    assert arrange.refused(game, buy(train, price - 10)).rule == "RHL-6.2.6-a"
    bank = game.state.cash[BANK]
    happened = game.apply(buy(train, price))
    assert game.state.cash["ADR"] == 1200 - price
    assert game.state.cash[BANK] == bank + price
    assert game.company("ADR").trains == [train]
    assert ev.TrainBought("ADR", train, BANK, price) in happened


@pytest.mark.rule("RHL-6.2.6-a")
def test_the_treasury_pays_for_a_new_train_in_full(game: Game) -> None:
    arrange.cash(game, "ADR", 99)
    arrange.cash(game, "ann", 500)
    buying(game)
    assert (BANK, "2") not in trips.trains_on_offer(game)
    assert arrange.refused(game, buy("2", 100)).rule == "RHL-6.2.6-a"
    arrange.cash(game, "ADR", 100)
    buying(game)
    own = game.state.cash["ann"]
    game.apply(buy("2", 100))
    assert (game.state.cash["ADR"], game.state.cash["ann"]) == (0, own)


@pytest.mark.rule("RHL-6.2.6-b")
def test_the_next_size_is_sold_only_when_the_last_is_gone(game: Game) -> None:
    game.state.depot.left["2"], game.state.depot.sold["2"] = 1, 5
    game.state.depot.gone.extend(["2"] * 5)
    buying(game)
    assert trips.trains_on_offer(game) == {(BANK, "2")}
    assert arrange.refused(game, buy("3", 200)).rule == "RHL-6.2.6-b"
    game.apply(buy("2", 100))
    assert trips.trains_on_offer(game) == {(BANK, "3")}
    assert arrange.refused(game, buy("2", 100)).rule == "RHL-6.2.6-b"
    assert arrange.refused(game, buy("4", 300)).rule == "RHL-6.2.6-b"


@pytest.mark.rule("RHL-6.2.6-c")
def test_6_trains_are_on_sale_from_the_first_5_train_on(game: Game) -> None:
    arrange.phase(game, "4")
    arrange.sell_out(game, "4")
    buying(game)
    assert trips.trains_on_offer(game) == {(BANK, "5")}
    assert arrange.refused(game, buy("6", 600)).rule == "RHL-6.2.6-b"
    game.apply(buy("5", 500))
    assert game.state.depot.left["5"] == 2
    assert trips.trains_on_offer(game) == {(BANK, "5"), (BANK, "6")}
    assert arrange.refused(game, buy("8", 800)).rule == "RHL-6.2.6-b"
    game.apply(buy("6", 600))
    assert game.company("ADR").trains == ["5", "6"]


@pytest.mark.rule("RHL-6.2.6-c")
def test_8_trains_are_on_sale_from_the_first_6_train_on(game: Game) -> None:
    arrange.phase(game, "5")
    arrange.cash(game, "ADR", 1400)
    buying(game)
    assert (BANK, "8") not in trips.trains_on_offer(game)
    game.apply(buy("6", 600))
    assert (game.state.depot.left["5"], game.state.depot.left["6"]) == (2, 5)
    assert trips.trains_on_offer(game) == {(BANK, "5"), (BANK, "6"), (BANK, "8")}
    game.apply(buy("8", 800))
    assert game.company("ADR").trains == ["6", "8"]


# ---------------------------------------------------------------------- trade between companies


@pytest.mark.rule("RHL-6.2.6-d")
@pytest.mark.parametrize("price", [1, 777, 1200])
def test_companies_of_one_director_trade_at_any_price_from_the_start(game: Game, price: int) -> None:
    arrange.trains(game, "DEE", "2")
    buying(game)
    assert game.phase.name == "2"
    prices = trips.values(game, "buy_train", source="DEE", train="2")
    assert (prices[0], prices[-1]) == (1, 1200)
    happened = game.apply(buy("2", price, "DEE"))
    assert (game.company("ADR").trains, game.company("DEE").trains) == (["2"], [])
    assert (game.state.cash["ADR"], game.state.cash["DEE"]) == (1200 - price, 1200 + price)
    assert ev.TrainBought("ADR", "2", "DEE", price) in happened, "the price is told to all"


@pytest.mark.rule("RHL-6.2.6-d")
def test_a_traded_train_costs_at_least_1_and_at_most_the_treasury(game: Game) -> None:
    arrange.trains(game, "DEE", "2")
    buying(game)
    assert arrange.refused(game, buy("2", 0, "DEE")).rule == "RHL-6.2.6-d"
    assert arrange.refused(game, buy("2", -5, "DEE")).rule == "RHL-6.2.6-d"
    assert arrange.refused(game, buy("2", 1201, "DEE")).rule == "RHL-6.2.6-a"
    assert arrange.refused(game, buy("3", 50, "DEE")).key == "unknown.train.seller"
    arrange.trains(game, "ADR", "2")
    buying(game)
    assert arrange.refused(game, buy("2", 50, "ADR")).rule == "", "nobody buys from himself"
    assert trips.values(game, "buy_train") == [BANK, "DEE"]
    arrange.cash(game, "ADR", 1)
    buying(game)
    assert trips.values(game, "buy_train", source="DEE", train="2") == [1]
    arrange.cash(game, "ADR", 0)
    buying(game)
    assert "buy_train" not in arrange.names(game)


@pytest.mark.rule("RHL-6.2.6-d")
def test_trade_happens_in_the_buyers_turn(game: Game) -> None:
    arrange.trains(game, "DEE", "2")
    arrange.trains(game, "CME", "2")
    buying(game)
    assert arrange.refused(game, buy("2", 50, "DEE", "CME", "bo")).rule == "RHL-6.2-a"
    assert arrange.refused(game, buy("2", 50, "CME", "DEE")).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-6.2.6-d")
def test_another_director_agrees_to_the_price(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    buying(game)
    happened = game.apply(buy("2", 60, "CME"))
    assert ev.TrainProposed("ADR", "2", "CME", 60) in happened
    assert game.company("ADR").trains == [], "nothing is sold before they agree"
    assert game.offer().deciders == ("bo",)
    assert trips.values(game, "answer") == ["accept", "decline", "counter"]
    answer = game.offer().find("answer")
    assert answer is not None
    assert answer.ask({"reply": "accept"}) is None, "only a counter-offer has a price"
    assert answer.ask({"reply": "counter"}) is not None
    assert answer.ask({"reply": "counter", "price": 90}) is None
    assert arrange.refused(game, mv.Pass("ann")).rule == "RHL-6.2-a"
    happened = game.apply(mv.Answer("bo", "accept"))
    assert ev.TrainBought("ADR", "2", "CME", 60) in happened
    assert (game.company("ADR").trains, game.company("CME").trains) == (["2"], [])
    assert (game.state.cash["ADR"], game.state.cash["CME"]) == (1140, 1260)
    assert game.offer().deciders == ("ann",)


@pytest.mark.rule("RHL-6.2.6-d")
def test_another_director_may_decline(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    buying(game)
    game.apply(buy("2", 60, "CME"))
    game.apply(mv.Answer("bo", "decline"))
    assert game.company("CME").trains == ["2"]
    assert game.state.cash["ADR"] == 1200
    assert game.offer().deciders == ("ann",)
    assert trips.values(game, "buy_train", source="CME", train="2")[0] == 61
    for price in (60, 59):
        refusal = arrange.refused(game, buy("2", price, "CME"))
        assert refusal.rule == "RHL-6.2.6-d"
        assert (refusal.key, refusal.facts["price"]) == ("train.price.declined", 60)
    game.apply(buy("2", 61, "CME"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("RHL-6.2.6-d")
def test_a_price_that_was_declined_binds_for_that_train_of_that_company_only(game: Game) -> None:
    arrange.floated(game, "BME", "bo", treasury=0)
    for company in ("CME", "BME"):
        arrange.trains(game, company, "2")
    buying(game)
    for price in (60, 80):
        game.apply(buy("2", price, "CME"))
        game.apply(mv.Answer("bo", "decline"))
    assert trips.values(game, "buy_train", source="CME", train="2")[0] == 81
    assert trips.values(game, "buy_train", source="BME", train="2")[0] == 1
    buying(game)
    assert trips.values(game, "buy_train", source="CME", train="2")[0] == 1, "nor beyond the turn"


@pytest.mark.rule("RHL-6.2.6-d")
def test_after_a_counter_offer_the_two_may_talk_again(game: Game) -> None:
    for company in ("CME", "DEE"):
        arrange.trains(game, company, "2")
    game.company("DEE").director = "bo"
    buying(game)
    for seller in ("CME", "DEE"):
        game.apply(buy("2", 60, seller))
        game.apply(mv.Answer("bo", "decline"))
    game.apply(buy("2", 70, "CME"))
    game.apply(mv.Answer("bo", "counter", 90))
    game.apply(mv.Answer("ann", "decline"))
    assert trips.values(game, "buy_train", source="CME", train="2")[0] == 1
    assert trips.values(game, "buy_train", source="DEE", train="2")[0] == 61, "another thing is still barred"


@pytest.mark.rule("RHL-6.2.6-d")
def test_a_turn_does_not_end_because_all_that_the_treasury_holds_was_declined(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    arrange.trains(game, "ADR", "2")
    arrange.cash(game, "ADR", 60)
    buying(game)
    game.apply(buy("2", 60, "CME"))
    game.apply(mv.Answer("bo", "decline"))
    assert (game.state.round.actor, arrange.names(game)) == ("ADR", {"pass"})
    game.apply(mv.Pass("ann"))
    assert game.state.round.actor != "ADR"


@pytest.mark.rule("RHL-6.2.6-d")
def test_directors_haggle_with_counters(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    buying(game)
    game.apply(buy("2", 60, "CME"))
    assert trips.values(game, "answer", reply="counter") == list(range(61, 1201))
    assert arrange.refused(game, mv.Answer("bo", "counter", 60)).rule == "RHL-6.2.6-d"
    assert arrange.refused(game, mv.Answer("bo", "counter", 1201)).rule == "RHL-6.2.6-d"
    for price in (61, 1200):
        twin = game.copy()
        twin.apply(mv.Answer("bo", "counter", price))
        twin.apply(mv.Answer("ann", "accept"))
        assert twin.state.cash["ADR"] == 1200 - price
    game.apply(mv.Answer("bo", "counter", 200))
    assert game.offer().deciders == ("ann",)
    assert trips.values(game, "answer", reply="counter") == list(range(1, 200))
    assert arrange.refused(game, mv.Answer("ann", "counter", 0)).rule == "RHL-6.2.6-d"
    game.apply(mv.Answer("ann", "counter", 150))
    assert game.offer().deciders == ("bo",)
    assert arrange.refused(game, mv.Answer("bo", "accept", 200)).facts == {"price": 150}
    assert arrange.refused(game, mv.Answer("bo", "perhaps")).rule == ""
    game.apply(mv.Answer("bo", "accept", 150))
    assert (game.state.cash["ADR"], game.state.cash["CME"]) == (1050, 1350)


def test_counters_come_to_an_end_within_a_turn(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    arrange.trains(game, "DEE", "2")
    game.company("DEE").director = "bo"
    buying(game)

    def haggle(times: int) -> None:
        for number in range(times):
            player = game.offer().deciders[0]
            assert player == ("bo" if number % 2 == 0 else "ann")
            game.apply(mv.Answer(player, "counter", 90 if player == "bo" else 70))

    game.apply(buy("2", 60, "CME"))
    haggle(MOST_COUNTERS - 2)
    game.apply(mv.Answer("bo", "decline"))
    # Another proposal of the same turn has what is left.
    game.apply(buy("2", 60, "DEE"))
    haggle(1)
    assert "counter" in trips.values(game, "answer")
    game.apply(mv.Answer("ann", "counter", 70))
    assert trips.values(game, "answer") == ["accept", "decline"]
    refused = arrange.refused(game, mv.Answer("bo", "counter", 80))
    assert (refused.key, refused.facts) == ("answer.haggled", {"most": MOST_COUNTERS})
    game.apply(mv.Answer("bo", "decline"))
    # The next turn begins anew.
    game.apply(mv.Pass("ann"))
    assert Declined.of(game).counters == 0


# ---------------------------------------------------------------------- the limit


@pytest.mark.rule("RHL-6.2.6-e")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("8", 2)])
def test_nobody_owns_more_trains_than_the_limit(game: Game, phase: str, limit: int) -> None:
    arrange.phase(game, phase)
    arrange.trains(game, "ADR", *["6"] * (limit - 1))
    buying(game)
    assert trips.trains_on_offer(game), "one below the limit it may buy"
    arrange.trains(game, "ADR", "6")
    arrange.trains(game, "DEE", "6")
    buying(game)
    assert arrange.names(game) == {"pass"}
    assert arrange.refused(game, buy("6", 600)).rule == "RHL-6.2.6-e"
    assert arrange.refused(game, buy("6", 1, "DEE")).rule == "RHL-6.2.6-e", "nor from another company"


def over_the_coming_limit(game: Game) -> None:
    """CME and DEE own four trains each, and ADR can buy the first 4-train."""
    arrange.phase(game, "3")
    arrange.sell_out(game, "3")
    for company in ("CME", "DEE"):
        game.company(company).trains.extend(["3", "3", "5", "6"])
        for train in ("3", "3"):
            game.state.depot.gone.remove(train)
        for train in ("5", "6"):
            game.state.depot.left[train] -= 1
            game.state.depot.sold[train] += 1
    game.state.depot.sold["4"] = 0
    arrange.take_offer(game)
    buying(game)


@pytest.mark.rule("RHL-6.2.6-f")
@pytest.mark.parametrize(("dees_price", "order"), [((0, 1), ["CME", "DEE"]), ((0, 9), ["DEE", "CME"])])
def test_discards_are_asked_for_in_operating_order(game: Game, dees_price: tuple[int, int], order: list[str]) -> None:
    """Ruling 47."""
    over_the_coming_limit(game)
    game.prices.put("DEE", dees_price)
    game.apply(buy("4", 300))
    for company in order:
        assert game.offer().choices[0].company == company
        game.apply(mv.DiscardTrain(game.company(company).director, company, "3"))


@pytest.mark.rule("RHL-6.2.6-f")
def test_each_director_chooses_what_to_discard_when_the_limit_falls(game: Game) -> None:
    over_the_coming_limit(game)
    before = dict(game.state.cash)
    game.apply(buy("4", 300))
    assert game.phase.train_limit == 3
    assert game.offer().deciders == ("bo",), "in operating order (ruling 47): CME stands higher than DEE"
    assert arrange.names(game) == {"discard_train"}
    assert arrange.refused(game, mv.DiscardTrain("ann", "DEE", "3")).rule == "RHL-6.2-a", "not her turn yet"
    assert trips.values(game, "discard_train") == ["3", "5", "6"]
    assert arrange.refused(game, mv.DiscardTrain("bo", "CME", "2")).rule == "RHL-6.2.6-f"
    assert arrange.refused(game, mv.DiscardTrain("bo", "DEE", "5")).rule == "RHL-6.2-a", "not his company"
    happened = game.apply(mv.DiscardTrain("bo", "CME", "5"))
    assert ev.TrainDiscarded("CME", "5") in happened
    assert game.offer().deciders == ("ann",)
    game.apply(mv.DiscardTrain("ann", "DEE", "3"))
    assert game.company("CME").trains == ["3", "3", "6"]
    assert game.company("DEE").trains == ["3", "5", "6"]
    assert game.state.depot.pool == ["5", "3"]
    assert game.state.cash["CME"] == before["CME"], "without payment"
    assert game.state.cash["DEE"] == before["DEE"]
    assert "buy_train" in arrange.names(game, "ann"), "the buyer's turn goes on"


@pytest.mark.rule("RHL-6.2.6-f")
def test_a_company_discards_until_it_keeps_the_limit(game: Game) -> None:
    arrange.phase(game, "4")
    arrange.sell_out(game, "4")
    game.state.depot.sold["5"] = 0
    game.company("CME").trains.extend(["3", "3", "4"])
    for train in ("3", "3", "4"):
        game.state.depot.gone.remove(train)
    game.company("DEE").trains.extend(["3", "3", "3"])
    for _ in range(3):
        game.state.depot.gone.remove("3")
    buying(game)
    game.apply(buy("5", 500))
    assert game.phase.train_limit == 2
    assert game.company("DEE").trains == ["3", "3"], "without a choice it happens by itself"
    assert game.offer().deciders == ("bo",)
    game.apply(mv.DiscardTrain("bo", "CME", "3"))
    assert game.company("CME").trains == ["3", "4"]
    assert game.state.depot.pool == ["3", "3"]


@pytest.mark.rule("RHL-6.2.6-g")
def test_trains_of_the_pool_cost_their_printed_price(game: Game) -> None:
    arrange.phase(game, "4")
    game.state.depot.pool.append("3")
    game.state.depot.gone.remove("3")
    buying(game)
    assert trips.trains_on_offer(game) == {(BANK, "4"), (POOL, "3")}
    assert trips.values(game, "buy_train", source=POOL, train="3") == [200]
    assert arrange.refused(game, buy("3", 100, POOL)).rule == "RHL-6.2.6-a"
    game.apply(buy("3", 200, POOL))
    assert game.company("ADR").trains == ["3"]
    assert game.state.depot.pool == []
    assert game.state.cash["ADR"] == 1000
    assert arrange.refused(game, buy("3", 200, POOL)).rule == "RHL-6.2.6-b"


@pytest.mark.rule("RHL-6.2.6-h")
def test_a_phase_change_comes_before_the_next_purchase(game: Game) -> None:
    game.state.depot.left["2"], game.state.depot.sold["2"] = 1, 5
    game.state.depot.gone.extend(["2"] * 5)
    buying(game)
    happened = game.apply(buy("2", 100))
    assert not [event for event in happened if isinstance(event, ev.PhaseChanged)]
    happened = game.apply(buy("3", 200))
    assert ev.PhaseChanged("3", "green") in happened
    assert game.company("ADR").trains == ["2", "3"]
    assert "buy_train" in arrange.names(game, "ann")


@pytest.mark.rule("RHL-6.2.6-h")
def test_discards_come_before_the_next_purchase(game: Game) -> None:
    arrange.phase(game, "4")
    arrange.sell_out(game, "4")
    game.state.depot.sold["5"] = 0
    game.company("CME").trains.extend(["3", "3", "4"])
    for train in ("3", "3", "4"):
        game.state.depot.gone.remove(train)
    buying(game)
    game.apply(buy("5", 500))
    assert arrange.refused(game, buy("5", 500)).rule == "RHL-6.2-a"
    game.apply(mv.DiscardTrain("bo", "CME", "4"))
    assert trips.trains_on_offer(game) >= {(POOL, "4"), (BANK, "5")}


@pytest.mark.rule("RHL-6.2.6-i")
@pytest.mark.parametrize(("owned", "allowed"), [(["4"], True), (["4", "4"], False)])
def test_no_first_5_train_for_who_would_have_three(game: Game, owned: list[str], allowed: bool) -> None:
    arrange.phase(game, "4")
    arrange.sell_out(game, "4")
    for train in owned:
        game.state.depot.gone.remove(train)
    game.company("ADR").trains.extend(owned)
    buying(game)
    assert ((BANK, "5") in trips.trains_on_offer(game)) == allowed
    if allowed:
        game.apply(buy("5", 500))
        assert game.company("ADR").trains == ["4", "5"]
    else:
        assert arrange.refused(game, buy("5", 500)).rule == "RHL-6.2.6-i"


@pytest.mark.rule("RHL-6.2.6-i")
def test_trains_that_the_purchase_makes_obsolete_count_too(game: Game) -> None:
    """The first 4-train lowers the limit from 4 to 3: closed to a company with three trains (ruling 98)."""
    arrange.phase(game, "3")
    arrange.sell_out(game, "3")
    game.company("ADR").trains.extend(["2", "2", "2"])
    for _ in range(3):
        game.state.depot.gone.remove("2")
    buying(game)
    assert arrange.refused(game, buy("4", 300)).rule == "RHL-6.2.6-i"
    game.company("ADR").trains.pop()
    game.state.depot.gone.append("2")
    buying(game)
    game.apply(buy("4", 300))
    assert game.company("ADR").trains == ["4"]


@pytest.mark.rule("RHL-6.2.6-j")
def test_at_the_limit_nothing_is_bought_even_if_trains_would_go(game: Game) -> None:
    arrange.phase(game, "3")
    arrange.sell_out(game, "3")
    for _ in range(4):
        game.state.depot.gone.remove("2")
    game.company("ADR").trains.extend(["2"] * 4)
    buying(game)
    assert game.offer().find("buy_train") is None
    assert arrange.refused(game, buy("4", 300)).rule == "RHL-6.2.6-e"
    for _ in range(2):
        game.company("ADR").trains.pop()
        game.state.depot.gone.append("2")
    buying(game)
    game.apply(buy("4", 300))
    assert game.company("ADR").trains == ["4"], "with two of them it could"


@pytest.mark.rule("RHL-6.2.6-k")
def test_trains_are_not_given_up_voluntarily(game: Game) -> None:
    arrange.trains(game, "ADR", "2", "2")
    for step in ("track", "station", "run", "trains"):
        arrange.operating(game, "ADR", step)
        assert "discard_train" not in arrange.names(game)
        assert arrange.refused(game, mv.DiscardTrain("ann", "ADR", "2")).rule == "RHL-6.2-a"


@pytest.mark.rule("RHL-6.2.6-k")
def test_obsolete_trains_leave_the_game_without_payment_those_in_the_pool_too(game: Game) -> None:
    arrange.phase(game, "3")
    arrange.sell_out(game, "3")
    for _ in range(3):
        game.state.depot.gone.remove("2")
    game.company("CME").trains.extend(["2", "2"])
    game.state.depot.pool.append("2")
    buying(game)
    happened = game.apply(buy("4", 300))
    assert ev.TrainsRusted("2", ("CME", "CME")) in happened
    assert game.company("CME").trains == []
    assert game.state.depot.pool == []
    assert game.state.depot.gone.count("2") == 6
    assert game.state.cash["CME"] == 1200


@pytest.mark.rule("RHL-6.2.6-d")
def test_the_turn_waits_for_a_declined_price_only_while_the_train_could_be_bought(game: Game) -> None:
    """1 M in the treasury, and 5 M were declined: another offer needs money, the train, and room for it."""
    arrange.trains(game, "CME", "2")
    buying(game)
    arrange.cash(game, "ADR", 1)
    step = game.steps()["trains"]
    assert isinstance(step, TrainStep)
    declined = Declined.of(game).declined
    assert not step.barred(game, "ADR"), "nothing was declined"
    declined.append(("CME", "2", 5))
    assert step.barred(game, "ADR")
    game.company("ADR").trains[:] = ["2"] * game.phase.train_limit
    assert not step.barred(game, "ADR"), "there is no room"
    game.company("ADR").trains.clear()
    game.company("CME").trains[:] = ["3"]
    assert not step.barred(game, "ADR"), "the train is gone"
    game.company("CME").trains[:] = ["2"]
    assert step.barred(game, "ADR")
    arrange.cash(game, "ADR", 0)
    assert not step.barred(game, "ADR"), "there is no money"
