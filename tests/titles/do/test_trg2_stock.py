"""The Railway Game for two: the Investor in stock rounds (ledger sections 8.2.1, 8.3.3, 8.3.4)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from engine.house.invariants import faults
from engine.remembered import Trading
from engine.rounds.stock import StockRound
from engine.state import POOL
from tests.titles.arranging import told
from tests.titles.do import investing as i
from tests.titles.do import railway as r
from titles.do.board.stock import TradeUp
from titles.do.two.investor import Investment
from titles.rhineland.investor import INVESTOR


def cells(game: Game, **values: tuple[int, int]) -> None:
    for company, at in values.items():
        r.cell(game, company, *at)


# ---------------------------------------------------------------------- the first stock round


@pytest.mark.rule("DO-8.3.3-a")
@pytest.mark.parametrize("company", ["BME", "CME", "KWE", "RhE"])
def test_in_his_first_turn_he_buys_half_of_his_railway(company: str) -> None:
    game = i.first(company)
    assert r.refused(game, mv.Found("ann", company, 50)).rule == "DO-8.2-a"
    assert company not in r.offered(game, "found")
    assert r.refused(game, mv.BuyShare("ann", company, company, 10)).rule == "DO-4.3.2-a", "R-125"
    game.apply(mv.Pass("ann"))
    assert (i.his(game, company), game.state.cash[company], game.state.cash[INVESTOR]) == (50, 250, 750)
    state = game.company(company)
    assert (state.director, state.floated, state.active, state.par) == (INVESTOR, True, True, 50)
    assert [n for n, who in enumerate(state.certificates) if who == INVESTOR] == [0, 1, 2, 3]
    assert game.offer().deciders == ("bo",)
    assert ("DGEE" in r.offered(game, "found")) == (company == "KWE")
    game.apply(mv.BuyShare("bo", company, company, 10))
    assert game.state.cash[company] == 300
    assert not faults(game)


@pytest.mark.rule("DO-8.3.3-a")
def test_then_he_waits_until_two_railways_of_players_have_floated() -> None:
    game = i.first()
    game.apply(mv.Found("ann", "BME", 60))  # he buys half of CME
    game.apply(mv.Found("bo", "KWE", 60))
    r.passing(game, "bo")  # and keeps the marker of a private brewery
    for _ in range(3):
        game.apply(mv.BuyShare("ann", "BME", "BME", 10))
        assert i.his(game, "CME") == 50
        game.apply(mv.BuyShare("bo", "KWE", "KWE", 10) if r.held(game, "KWE", "bo") < 40 else mv.Pass("bo"))
    assert (game.company("BME").floated, game.company("KWE").floated) == (True, False)
    assert (i.his(game, "BME"), i.his(game, "CME"), game.state.cash[INVESTOR]) == (0, 50, 750)
    game.apply(mv.BuyShare("ann", "CME", "CME", 10))
    game.apply(mv.BuyShare("bo", "KWE", "KWE", 10))
    assert game.company("KWE").floated
    game.apply(mv.Pass("ann"))
    assert (i.his(game, "BME"), i.his(game, "KWE"), game.state.cash[INVESTOR]) == (10, 0, 690), "BME was there first"


@pytest.mark.rule("DO-8.3.3-a")
def test_he_waits_beyond_the_first_round_and_for_two_railways_of_one_player_too() -> None:
    game = i.later()
    Investment.of(game).floats = ["BME"]
    i.sits(game)
    assert game.state.cash[INVESTOR] == 1000
    r.founded(game, "RhE", "ann")
    r.own(game, "RhE", "ann", 40)
    r.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "RhE", "RhE", 10))
    assert Investment.of(game).floats == ["BME", "RhE"]
    assert game.state.cash[INVESTOR] < 1000


@pytest.mark.rule("DO-8.3.3-b", "DO-8.3.3-a")
def test_the_seat_after_the_last_buyer_begins_the_next_round_even_his() -> None:
    game = i.later()
    r.cash(game, INVESTOR, 0)
    game.apply(mv.BuyShare("ann", "BME", "BME", 10))
    r.passing(game, "bo", "ann")
    assert game.state.round.kind == "operating"
    assert game.state.priority == INVESTOR, "R-147: he sits between the two, left of ann"
    r.cash(game, INVESTOR, 100)
    r.cash(game, "BME", 0)
    r.begin_stock(game)
    assert game.state.round.actor == INVESTOR
    i.goes_on(game)
    assert i.his(game, "BME") == 10
    game = i.later()
    game.apply(mv.Pass("ann"))
    assert i.his(game, "BME") == 10, "he has bought"
    r.cash(game, INVESTOR, 0)
    r.passing(game, "bo", "ann")
    assert game.state.priority == "bo"


# ---------------------------------------------------------------------- his turns


@pytest.mark.rule("DO-8.2.1-a")
def test_nobody_decides_for_him_and_his_pass_counts() -> None:
    game = i.later()
    r.cash(game, INVESTOR, 0)
    r.stock(game, "bo")
    r.passing(game, "bo")
    assert r.asked(game) == "ann"
    assert game.decider(INVESTOR) == ""
    events = game.apply(mv.Pass("ann"))
    assert [event["player"] for event in told(events, "Passed")] == ["ann", INVESTOR]
    assert game.state.round.kind == "operating"
    game = i.later()
    r.stock(game, "bo")
    r.passing(game, "bo", "ann")
    assert (game.state.round.kind, i.his(game, "BME")) == ("stock", 10), "after two passes it is his turn"
    assert r.asked(game) == "bo", "he has bought, and the passes are counted anew"


@pytest.mark.rule("DO-8.2.1.1-a")
def test_he_buys_the_dearest_of_a_floated_company_from_the_company() -> None:
    game = i.later()
    cells(game, BME=(1, 5), KWE=(1, 4), CME=(6, 3))  # 90, 80, 50
    r.founded(game, "RhE", "ann", 1, 6)  # 100, but not floated
    i.pooled(game, "BME", 20)
    r.cash(game, INVESTOR, 100)
    treasury = game.state.cash["BME"]
    i.sits(game)
    assert (i.his(game, "BME"), game.state.cash[INVESTOR], game.state.cash["BME"]) == (10, 10, treasury + 90)
    assert r.held(game, "BME", POOL) == 20
    assert not i.his(game, "RhE")


@pytest.mark.rule("DO-8.2.1.1-a")
def test_what_he_cannot_pay_he_leaves_and_the_pool_serves_where_the_company_has_none() -> None:
    game = i.later()
    cells(game, BME=(1, 5), KWE=(1, 4), CME=(6, 3))
    r.cash(game, INVESTOR, 85)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE"), game.state.cash[INVESTOR]) == (0, 10, 5)
    game = i.later()
    cells(game, BME=(1, 5), KWE=(1, 4), CME=(6, 3))
    i.pooled(game, "BME", 50)
    r.cash(game, INVESTOR, 100)
    treasury = game.state.cash["BME"]
    i.sits(game)
    assert (i.his(game, "BME"), r.held(game, "BME", POOL), game.state.cash["BME"]) == (10, 40, treasury)


@pytest.mark.rule("DO-8.2.1.1-b")
def test_of_one_price_the_railway_that_acts_first() -> None:
    game = i.later()
    cells(game, KWE=(2, 5), BME=(2, 5), CME=(6, 3))  # both on 80, KWE above
    i.sits(game)
    assert (i.his(game, "KWE"), i.his(game, "BME")) == (10, 0)
    game = i.later()
    cells(game, KWE=(1, 4), BME=(2, 5), CME=(6, 3))  # both 80, BME further right
    i.sits(game)
    assert (i.his(game, "KWE"), i.his(game, "BME")) == (0, 10)


@pytest.mark.rule("DO-8.2.1.1-c")
def test_he_holds_a_fifth_of_a_players_company_at_most() -> None:
    game = i.later()
    r.own(game, "BME", INVESTOR, 20)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE")) == (20, 10)
    game = i.later()
    r.floated(game, "DHB", "ann", 1, 6)  # its charter has a certificate of 20 %
    state = game.company("DHB")
    state.certificates = ["ann", "DHB", *["ann"] * 3, INVESTOR, *[POOL] * 2]
    i.sits(game)
    assert i.his(game, "DHB") == 20
    assert state.certificates.count(INVESTOR) == 2, "a ten of the pool: the 20 % would be too much"
    state.certificates = ["ann", *["DHB"] * 3, *["ann"] * 3, "bo"]
    i.sits(game)
    assert state.certificates[1:4] == [INVESTOR, "DHB", "DHB"], "R-148: without any he takes the greater one"


@pytest.mark.rule("DO-8.2.1.1-c")
def test_of_his_own_railway_he_takes_what_everybody_may() -> None:
    game = i.later()
    cells(game, CME=(1, 6))
    for share in (60, 70, 70):
        r.cash(game, INVESTOR, 100)
        i.sits(game)
        assert i.his(game, "CME") == share, "R-84"


@pytest.mark.rule("DO-8.2.1.2-a", "DO-8.3.4-a")
def test_he_sells_a_cheaper_certificate_to_afford_a_dearer_one() -> None:
    game = i.later()
    cells(game, BME=(1, 5), KWE=(4, 3))  # 90 and 60
    r.own(game, "KWE", INVESTOR, 10)
    r.cash(game, INVESTOR, 40)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE"), game.state.cash[INVESTOR]) == (10, 0, 10)
    assert r.price(game, "KWE") == (55, 5, 3), "one down, as for a player"
    assert Trading.of(game).sold == {INVESTOR: ["KWE"]}


@pytest.mark.rule("DO-8.2.1.2-a")
@pytest.mark.parametrize(("cash", "kept"), [(40, 10), (20, 0)])
def test_he_sells_no_more_than_needed(cash: int, kept: int) -> None:
    game = i.later()
    cells(game, BME=(1, 5), KWE=(4, 3))
    r.own(game, "KWE", INVESTOR, 20)
    r.cash(game, INVESTOR, cash)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE")) == (10, kept)


@pytest.mark.rule("DO-8.2.1.2-a")
def test_he_sells_nothing_if_it_is_not_enough_or_not_dearer_or_his_own() -> None:
    game = i.later()
    cells(game, BME=(1, 5), KWE=(4, 3))
    r.own(game, "KWE", INVESTOR, 10)
    r.cash(game, INVESTOR, 20)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE"), game.state.cash[INVESTOR]) == (0, 10, 20)
    game = i.later()
    cells(game, BME=(4, 3), KWE=(4, 3))  # both 60
    r.own(game, "KWE", INVESTOR, 20)
    r.own(game, "CME", "ann", 50)
    r.cash(game, INVESTOR, 10)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE")) == (0, 20), "no dearer one"
    assert i.his(game, "CME") == 50


@pytest.mark.rule("DO-8.2.1.2-a", "DO-8.3.4-a")
def test_his_sales_keep_the_rules_of_sales() -> None:
    for number, operated, pool in ((1, True, 0), (2, False, 0), (2, True, 50)):
        game = i.later()
        cells(game, BME=(1, 5), KWE=(4, 3))
        r.own(game, "KWE", INVESTOR, 10)
        if pool:
            r.own(game, "KWE", "bo", 20)
            i.pooled(game, "KWE", pool)
        game.company("KWE").operated = operated
        r.cash(game, INVESTOR, 40)
        i.sits(game, number)
        assert (i.his(game, "BME"), i.his(game, "KWE")) == (0, 10)


@pytest.mark.rule("DO-8.2.1.2-a")
def test_the_cheapest_goes_first_and_what_was_sold_is_not_bought_in_the_round() -> None:
    game = i.later()
    r.floated(game, "RhE", "bo", 4, 4)  # 65
    cells(game, BME=(1, 6), KWE=(4, 3), CME=(6, 3))  # 100, 60
    r.own(game, "KWE", INVESTOR, 10)
    r.own(game, "RhE", INVESTOR, 10)
    r.cash(game, INVESTOR, 50)
    i.sits(game)
    assert (i.his(game, "BME"), i.his(game, "KWE"), i.his(game, "RhE")) == (10, 0, 10)
    r.cash(game, INVESTOR, 60)
    r.own(game, "RhE", INVESTOR, 20)
    r.own(game, "BME", INVESTOR, 20)
    stock = game.rules.rounds["stock"]
    assert isinstance(stock, StockRound)
    stock.begin_turn(game, INVESTOR)
    i.goes_on(game)
    assert i.his(game, "KWE") == 0, "he has sold it in this round"
    assert i.his(game, "CME") == 60, "the next of the list is his own"


# ---------------------------------------------------------------------- offices


@pytest.mark.rule("DO-8.2.1.2-b", "DO-8.2-a")
def test_a_director_may_not_sell_so_that_he_would_be_director() -> None:
    game = i.later()
    r.own(game, "BME", "ann", 30)
    r.own(game, "BME", INVESTOR, 20)
    r.own(game, "BME", "bo", 10)
    r.stock(game, "ann")
    refusal = r.refused(game, mv.SellShares("ann", "BME", 20))
    assert (refusal.rule, refusal.key) == ("DO-8.2.1.2-b", "stock.director.seatless")
    game.apply(mv.SellShares("ann", "BME", 10))
    assert game.company("BME").director == "ann"
    game = i.later()
    r.own(game, "BME", "ann", 30)
    r.own(game, "BME", INVESTOR, 20)
    r.own(game, "BME", "bo", 30)
    r.stock(game, "ann")
    game.apply(mv.SellShares("ann", "BME", 20))
    assert game.company("BME").director == "bo", "whom he does not hinder"


@pytest.mark.rule("DO-8.2-a")
def test_nobody_may_hold_more_of_his_railway_than_he_does() -> None:
    game = i.later()
    state = game.company("CME")
    state.certificates = [INVESTOR, *["CME"] * 8]  # only by hand: he never sells it
    r.own(game, "CME", "ann", 10)
    r.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "CME", "CME", 10))
    state.certificates = [INVESTOR, "ann", "ann", *["CME"] * 6]
    r.stock(game, "ann")
    refusal = r.refused(game, mv.BuyShare("ann", "CME", "CME", 10))
    assert (refusal.rule, refusal.key) == ("DO-8.2-a", "investor.company.more")
    assert "CME" not in r.offered(game, "buy_share")
    assert r.refused(game, TradeUp("ann", "CME", "CME", 20)).key == "stock.trade_up"


# ---------------------------------------------------------------------- what is told


def test_everybody_can_read_what_he_buys_next() -> None:
    game = i.first()
    assert [remark.key for remark in game.rules.remarks(game)] == ["investor_card", "investor_founds"]
    game.apply(mv.Pass("ann"))
    assert [remark.key for remark in game.rules.remarks(game)] == ["investor_card", "investor_bides"]
    game = i.later()
    cells(game, BME=(1, 5), KWE=(4, 3))
    r.own(game, "KWE", INVESTOR, 10)
    r.own(game, "KWE", "ann", 10)
    r.cash(game, INVESTOR, 40)
    r.stock(game, "ann")
    game.apply(mv.SellShares("ann", "KWE", 10))
    before = {remark.key: dict(remark.facts) for remark in game.rules.remarks(game)}
    assert before["investor_next_charter"] == {"company": "BME", "percent": 10, "value": 90}
    assert before["investor_sells"] == {"company": "KWE", "percent": 10, "value": 55}, "that she has sold it is nothing"
    game.apply(mv.Pass("ann"))
    assert (i.his(game, "BME"), i.his(game, "KWE")) == (10, 0)
    r.own(game, "BME", INVESTOR, 20)
    r.cash(game, INVESTOR, 0)
    assert game.rules.remarks(game)[-1].key == "investor_nothing"
    r.operating(game, "CME")
    assert [remark.key for remark in game.rules.remarks(game)] == ["investor_card"]
