"""The duty to own a train, and the forced purchase: where the money comes from, and how much."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, POOL
from tests.titles.rhl import arrange, lines, trips
from tests.titles.rhl.asking import facts

#: ADR's certificates: ann directs with 20 %, bo has 10 %; what is left lies on the charter or elsewhere.
ANN, BO, CY = "ann", "bo", "cy"


@pytest.fixture
def game() -> Game:
    """ADR (ann) has the line Aachen – Düren but no train, no money; a 3-train for 200 is next on sale."""
    game = arrange.after_package()
    arrange.floated(game, "ADR", ANN, par=80, treasury=0)
    arrange.floated(game, "CME", BO, par=80, treasury=0)
    trips.aachen_line(game)
    arrange.sell_out(game, "2")
    hold(game, "ADR", *[ANN] * 5, BO, BO, BO)
    for player in game.state.seats:
        arrange.cash(game, player, 0)
    buying(game)
    arrange.cash(game, ANN, 0)
    return game


def hold(game: Game, company: str, *others: str) -> None:
    """Who holds the certificates after the director's; the last of them holds the rest."""
    certificates = game.company(company).certificates
    for number in range(1, len(certificates)):
        certificates[number] = others[min(number, len(others)) - 1]


def two_holdings(game: Game) -> None:
    """ann has 10 % of CME at 80 and 10 % of BME at 220 besides ADR."""
    arrange.floated(game, "BME", BO, treasury=0)
    for company in ("CME", "BME"):
        hold(game, company, BO, BO, BO, ANN, CY)
    game.prices.put("BME", (0, 11))
    arrange.take_offer(game)


def buying(game: Game, company: str = "ADR") -> None:
    """The step in which a company buys trains, without the privates' revenue for ann."""
    arrange.operating(game, company, "trains")
    arrange.cash(game, ANN, 0)
    arrange.take_offer(game)


def buy(train: str, price: int, source: str = BANK) -> mv.BuyTrain:
    return mv.BuyTrain(ANN, "ADR", train, source, price)


# ---------------------------------------------------------------------- the duty


@pytest.mark.rule("RHL-6.2.6.1-a")
def test_a_company_with_a_route_and_no_train_must_buy_one(game: Game) -> None:
    arrange.cash(game, "ADR", 250)
    buying(game)
    assert arrange.names(game) == {"buy_train"}
    assert arrange.refused(game, mv.Pass(ANN)).rule == "RHL-6.2.6.1-a"
    game.apply(buy("3", 200))
    assert game.company("ADR").trains == ["3"]
    assert game.state.round.actor != "ADR", "with 50 M left its turn is over"


@pytest.mark.rule("RHL-6.2.6.1-a")
def test_a_company_with_a_train_need_not_buy(game: Game) -> None:
    arrange.trains(game, "ADR", "3")
    arrange.cash(game, "ADR", 250)
    buying(game)
    assert arrange.names(game) == {"buy_train", "pass"}
    game.apply(mv.Pass(ANN))


@pytest.mark.rule("RHL-6.2.6.1-b")
def test_without_a_route_there_is_no_duty(game: Game) -> None:
    """MKB's home has no track before brown."""
    arrange.floated(game, "MKB", ANN, treasury=250)
    buying(game, "MKB")
    assert "pass" in arrange.names(game)
    game.apply(mv.Pass(ANN))
    assert game.company("MKB").trains == []


@pytest.mark.rule("RHL-6.2.6.1-b")
def test_a_poor_company_without_a_route_ends_its_turn(game: Game) -> None:
    game.state.board.tiles.pop("K4")
    game.state.board.stations["K4"] = [[]]
    arrange.take_offer(game)
    arrange.operating(game, "ADR", "station")
    game.apply(mv.Pass(ANN))
    assert game.company("ADR").trains == []
    assert game.state.round.actor != "ADR"


@pytest.mark.rule("RHL-6.2.6.1-a")
def test_a_route_that_is_too_long_for_a_2_train_is_a_route(game: Game) -> None:
    """From M.Gladbach a loop leads to Rheydt on the same hex, and from there track to a town."""
    arrange.phase(game, "3")
    for at, tile, ways in (
        ("G6", "941", ("SE-NW",)),
        ("H5", "7", ("NE-E",)),
        ("H7", "7", ("W-NW",)),
        ("F5", "1", ("SE-W",)),
    ):
        lines.build(game, at, tile, *ways)
    lines.token(game, "CME", "G6", 0)
    arrange.operating(game, "CME", "trains")
    assert "pass" not in arrange.names(game)
    game.state.board.tiles.pop("F5")
    arrange.take_offer(game)
    assert "pass" in arrange.names(game), "two cities of one hex are none"


@pytest.mark.rule("RHL-6.2.6.1-a")
def test_the_duty_lapses_when_no_train_is_left(game: Game) -> None:
    arrange.sell_out(game, "3", "4", "5", "6", "8")
    buying(game)
    assert arrange.names(game) == {"pass"}


@pytest.mark.rule("RHL-6.2.6.1-c")
def test_a_poor_company_may_buy_from_another_with_its_treasury_only(game: Game) -> None:
    arrange.trains(game, "CME", "3")
    arrange.cash(game, "ADR", 150)
    buying(game)
    arrange.cash(game, ANN, 500)
    arrange.take_offer(game)
    assert trips.values(game, "buy_train", source="CME", train="3")[-1] == 150
    assert arrange.refused(game, buy("3", 151, "CME")).rule == "RHL-6.2.6-a"
    game.apply(buy("3", 150, "CME"))
    game.apply(mv.Answer(BO, "accept"))
    assert game.company("ADR").trains == ["3"]
    assert (game.state.cash["ADR"], game.state.cash[ANN]) == (0, 500)


@pytest.mark.rule("RHL-6.2.6.1-c", "RHL-6.2.6.2-a")
def test_when_the_deal_fails_the_purchase_is_forced(game: Game) -> None:
    arrange.trains(game, "CME", "3")
    arrange.cash(game, "ADR", 150)
    buying(game)
    game.apply(buy("3", 150, "CME"))
    game.apply(mv.Answer(BO, "decline"))
    assert "pass" not in arrange.names(game)
    assert trips.trains_on_offer(game) == set()
    game.apply(mv.TakeLoan(ANN, "ADR", 50))
    game.apply(buy("3", 200))
    assert game.company("ADR").trains == ["3"]


# ---------------------------------------------------------------------- what may be bought


@pytest.mark.rule("RHL-6.2.6.2-a")
def test_a_forced_purchase_takes_a_pool_train_or_the_cheapest_new_one(game: Game) -> None:
    arrange.phase(game, "5")
    game.state.depot.pool.append("4")
    game.state.depot.gone.remove("4")
    arrange.trains(game, "CME", "6")
    buying(game)
    arrange.cash(game, ANN, 2000)
    arrange.take_offer(game)
    assert trips.trains_on_offer(game) == {(BANK, "5"), (POOL, "4")}
    assert arrange.refused(game, buy("6", 600)).rule == "RHL-6.2.6.2-a"
    assert arrange.refused(game, buy("8", 800)).rule == "RHL-6.2.6.2-a"
    game.apply(buy("4", 300, POOL))
    assert game.state.cash[ANN] == 1700


@pytest.mark.rule("RHL-6.2.6.1-c", "RHL-6.2.6.2-a")
@pytest.mark.parametrize("treasury", [99, 100, 199])
def test_a_pool_train_that_the_treasury_can_pay_prevents_a_forced_purchase(game: Game, treasury: int) -> None:
    """A 2-train for 100 lies in the pool, the next new train costs 200; ADR has shares to sell and ann has cash."""
    hold(game, "ADR", ANN, ANN, ANN, "ADR", BO)
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    arrange.cash(game, "ADR", treasury)
    buying(game)
    arrange.cash(game, ANN, 500)
    arrange.take_offer(game)
    if treasury < 100:
        assert arrange.names(game) == {"sell_own_shares"}
        return
    assert arrange.names(game) == {"buy_train"}, "the duty stands, but nothing is raised for it"
    assert trips.trains_on_offer(game) == {(POOL, "2")}
    assert arrange.refused(game, buy("3", 200)).rule == "RHL-6.2.6-a"
    assert arrange.refused(game, mv.SellOwnShares(ANN, "ADR", 10)).rule == "RHL-6.2-a"
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", 200 - treasury)).rule == "RHL-6.2-a"
    game.apply(buy("2", 100, POOL))
    assert (game.state.cash["ADR"], game.state.cash[ANN]) == (treasury - 100, 500)


@pytest.mark.rule("RHL-6.2.6.2-a")
def test_once_money_is_raised_no_other_company_sells(game: Game) -> None:
    arrange.trains(game, "CME", "3")
    arrange.cash(game, "ADR", 150)
    buying(game)
    assert trips.trains_on_offer(game) == {("CME", "3")}
    game.apply(mv.TakeLoan(ANN, "ADR", 50))
    assert trips.trains_on_offer(game) == {(BANK, "3")}
    assert arrange.refused(game, buy("3", 150, "CME")).rule == "RHL-6.2.6.2-a"


# ---------------------------------------------------------------------- the order of the money


@pytest.mark.rule("RHL-6.2.6.2-b")
def test_the_money_comes_in_the_prescribed_order(game: Game) -> None:
    """Treasury 30, 10 % on the charter at 80, ann's cash 20 and shares of CME at 80; the train costs 200."""
    hold(game, "ADR", ANN, ANN, ANN, "ADR", BO)
    hold(game, "CME", BO, BO, BO, ANN, CY)
    arrange.cash(game, "ADR", 30)
    buying(game)
    arrange.cash(game, ANN, 20)
    arrange.take_offer(game)
    assert arrange.names(game) == {"sell_own_shares"}, "first the company's own shares"
    assert arrange.refused(game, mv.SellShares(ANN, "CME", 10)).rule == "RHL-6.2.6.2-b"
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", 150)).rule == "RHL-6.2-a"
    assert arrange.refused(game, buy("3", 200)).rule == "RHL-6.2.6.2-b"
    game.apply(mv.SellOwnShares(ANN, "ADR", 10))
    assert game.state.cash["ADR"] == 110
    assert arrange.names(game) == {"sell_shares", "take_loan"}, "then the director's, or a loan"
    assert trips.values(game, "take_loan") == [70], "200 less the treasury's 110 and their 20"
    game.apply(mv.SellShares(ANN, "CME", 10))
    assert game.state.cash[ANN] == 100
    assert arrange.names(game) == {"buy_train"}
    game.apply(buy("3", 200))
    assert (game.state.cash["ADR"], game.state.cash[ANN]) == (0, 10), "the whole treasury, then their cash"
    assert game.company("ADR").trains == ["3"]


@pytest.mark.rule("RHL-6.2.6.2-b", "RHL-6.2.6.2-g")
def test_the_offer_tells_what_each_way_of_raising_money_brings(game: Game) -> None:
    """ADR at 80 on its charter, then CME at 80 in ann's hands, or a loan that is subtracted twice."""
    hold(game, "ADR", ANN, ANN, ANN, "ADR", BO)
    hold(game, "CME", BO, BO, BO, ANN, ANN, CY)
    buying(game)
    assert facts(game, "sell_own_shares", 10) == {"amount": 80}
    game.apply(mv.SellOwnShares(ANN, "ADR", 10))
    assert facts(game, "sell_shares", "CME") == {"price": 80}
    assert [facts(game, "sell_shares", percent, company="CME")["amount"] for percent in (10, 20)] == [80, 160]
    assert facts(game, "take_loan", 120) == {"owed": 240}
    before = game.state.cash[ANN]
    game.apply(mv.SellShares(ANN, "CME", 20))
    assert game.state.cash[ANN] == before + 160


@pytest.mark.rule("RHL-6.2.6.2-d")
@pytest.mark.parametrize(("treasury", "percents"), [(40, [10, 20]), (41, [10, 20]), (39, [10, 20, 30]), (120, [10])])
def test_no_own_certificate_is_sold_that_the_train_does_not_need(
    game: Game, treasury: int, percents: list[int]
) -> None:
    """Three certificates of 10 % at 80 lie on the charter, the train costs 200: 160 are missing to the Mark, or 80."""
    hold(game, "ADR", ANN, ANN, ANN, "ADR", "ADR", "ADR", BO)
    arrange.cash(game, "ADR", treasury)
    buying(game)
    assert trips.values(game, "sell_own_shares") == percents


@pytest.mark.rule("RHL-6.2.6.2-b")
def test_a_rich_director_pays_nothing_before_the_own_shares_are_sold(game: Game) -> None:
    hold(game, "ADR", ANN, ANN, ANN, "ADR", BO)
    buying(game)
    arrange.cash(game, ANN, 500)
    arrange.take_offer(game)
    assert arrange.names(game) == {"sell_own_shares"}
    assert arrange.refused(game, buy("3", 200)).rule == "RHL-6.2.6.2-b"
    game.apply(mv.SellOwnShares(ANN, "ADR", 10))
    game.apply(buy("3", 200))
    assert game.state.cash[ANN] == 500 - 120


@pytest.mark.rule("RHL-6.2.6.2-b")
def test_with_enough_cash_the_director_sells_nothing_and_borrows_nothing(game: Game) -> None:
    buying(game)
    arrange.cash(game, ANN, 200)
    arrange.take_offer(game)
    assert arrange.names(game) == {"buy_train"}
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", 10)).rule == "RHL-6.2-a"
    assert arrange.refused(game, mv.SellShares(ANN, "ADR", 10)).rule == "RHL-6.2.6.2-d"
    game.apply(buy("3", 200))
    assert game.state.cash[ANN] == 0


@pytest.mark.rule("RHL-6.2.6.2-b")
def test_own_shares_that_the_pool_cannot_take_do_not_stop_the_director(game: Game) -> None:
    hold(game, "ADR", ANN, ANN, POOL, POOL, POOL, POOL, POOL, "ADR")
    buying(game)
    arrange.cash(game, ANN, 200)
    arrange.take_offer(game)
    assert arrange.names(game) == {"buy_train"}
    game.apply(buy("3", 200))
    assert game.state.cash[ANN] == 0


@pytest.mark.rule("RHL-6.2.6.2-b")
def test_the_director_chooses_between_their_shares_and_a_loan(game: Game) -> None:
    assert arrange.names(game) == {"sell_shares", "take_loan"}
    game.apply(mv.TakeLoan(ANN, "ADR", 200))
    game.apply(buy("3", 200))
    assert game.state.loans[ANN] == 200


# ---------------------------------------------------------------------- sales


@pytest.mark.rule("RHL-6.2.6.2-c")
@pytest.mark.parametrize("percent", [10, 20])
def test_selling_own_shares_moves_the_price_down_one_space(game: Game, percent: int) -> None:
    hold(game, "ADR", ANN, ANN, ANN, BO, "ADR")
    assert game.company("ADR").price == (1, 2)
    happened = game.apply(mv.SellOwnShares(ANN, "ADR", percent))
    assert game.state.cash["ADR"] == 8 * percent, "at the price before the sale"
    assert game.company("ADR").price == (2, 2)
    assert shares.held(game, "ADR", POOL) == percent
    assert ev.SharesSold("ADR", "ADR", percent, 8 * percent) in happened


@pytest.mark.rule("RHL-6.2.6.2-c")
def test_a_directors_sale_moves_the_price_down_too(game: Game) -> None:
    hold(game, "CME", BO, BO, BO, ANN, ANN, CY)
    arrange.take_offer(game)
    game.apply(mv.SellShares(ANN, "CME", 20))
    assert game.state.cash[ANN] == 160
    assert game.company("CME").price == (2, 2)


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_no_own_share_more_than_needed(game: Game) -> None:
    """At 80 a share, 200 M need three shares; with 50 M in the treasury two."""
    hold(game, "ADR", ANN, ANN, ANN, "ADR")
    arrange.take_offer(game)
    assert trips.values(game, "sell_own_shares") == [10, 20, 30]
    assert arrange.refused(game, mv.SellOwnShares(ANN, "ADR", 40)).rule == "RHL-6.2.6.2-d"
    arrange.cash(game, "ADR", 50)
    arrange.take_offer(game)
    assert trips.values(game, "sell_own_shares") == [10, 20]
    game.apply(mv.SellOwnShares(ANN, "ADR", 20))
    assert arrange.names(game) == {"buy_train"}
    game.apply(buy("3", 200))
    assert game.state.cash["ADR"] == 10, "the change stays in the treasury"


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_no_share_of_the_directors_more_than_needed(game: Game) -> None:
    hold(game, "CME", BO, BO, BO, ANN, ANN, ANN, ANN, CY)
    arrange.cash(game, ANN, 50)
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares", company="CME") == [10, 20]
    assert arrange.refused(game, mv.SellShares(ANN, "CME", 30)).rule == "RHL-6.2.6.2-d"
    game.apply(mv.SellShares(ANN, "CME", 20))
    assert arrange.names(game) == {"buy_train"}
    game.apply(buy("3", 200))
    assert game.state.cash[ANN] == 10


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_no_certificate_that_a_later_sale_makes_superfluous(game: Game) -> None:
    """CME at 80 and BME at 220, the train costs 200: BME alone is enough, so it does not follow CME."""
    two_holdings(game)
    one = game.copy()
    one.apply(mv.SellShares(ANN, "BME", 10))
    assert arrange.names(one) == {"buy_train"}
    game.apply(mv.SellShares(ANN, "CME", 10))
    assert "BME" not in trips.values(game, "sell_shares")
    assert arrange.refused(game, mv.SellShares(ANN, "BME", 10)).rule == "RHL-6.2.6.2-d"
    assert trips.values(game, "take_loan") == [120]
    game.apply(mv.SellShares(ANN, "ADR", 20))
    assert arrange.names(game) == {"buy_train"}, "80 and twice 80: without any of them it is less than 200"


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_certificates_sold_together_do_not_buy_what_one_of_them_pays(game: Game) -> None:
    """CME for 80 and BME for 220 are on the way to a 5-train; the 3-train of the pool needs BME only."""
    two_holdings(game)
    arrange.sell_out(game, "3", "4")
    game.state.depot.gone.remove("3")
    game.state.depot.pool.append("3")
    arrange.take_offer(game)
    game.apply(mv.SellShares(ANN, "CME", 10))
    game.apply(mv.SellShares(ANN, "BME", 10))
    assert trips.trains_on_offer(game) == set()
    assert arrange.refused(game, buy("3", 200, POOL)).rule == "RHL-6.2.6.2-d"
    assert trips.values(game, "take_loan") == [200]


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_two_shares_that_just_pay_are_enough(game: Game) -> None:
    hold(game, "CME", BO, BO, BO, ANN, ANN, ANN, ANN, CY)
    arrange.cash(game, ANN, 40)
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares", company="CME") == [10, 20]


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_the_smallest_certificate_of_a_sale_decides_whether_it_is_one_too_many(game: Game) -> None:
    """150 M are missing, MKB's shares are worth 80: its 20 % certificate is enough, without the one of 10 %."""
    arrange.floated(game, "MKB", BO, treasury=0)
    game.company("MKB").certificates[1:4] = [ANN, BO, ANN]
    hold(game, "ADR", BO, BO, POOL)
    arrange.cash(game, ANN, 50)
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares", company="MKB") == [10, 20]
    assert arrange.refused(game, mv.SellShares(ANN, "MKB", 30)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-b", "RHL-5.2.1-b")
def test_shares_of_a_company_that_has_not_floated_do_not_help(game: Game) -> None:
    arrange.founded(game, "DEE", BO)
    arrange.hand(game, "DEE", ANN, 20)
    hold(game, "ADR", BO, BO, POOL)
    arrange.take_offer(game)
    assert arrange.names(game) == {"take_loan"}
    assert arrange.refused(game, mv.SellShares(ANN, "DEE", 10)).rule == "RHL-5.2.1-b"
    hold(game, "CME", BO, BO, BO, ANN, CY)  # something else to sell
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares") == ["CME"]
    assert arrange.refused(game, mv.SellShares(ANN, "DEE", 10)).rule == "RHL-5.2.1-b"


@pytest.mark.rule("RHL-6.2.6.2-a")
def test_after_the_forced_purchase_the_rest_of_the_treasury_may_buy_from_another_company(game: Game) -> None:
    arrange.trains(game, "CME", "3")
    hold(game, "ADR", ANN, ANN, ANN, "ADR")
    arrange.cash(game, "ADR", 50)
    buying(game)
    game.apply(mv.SellOwnShares(ANN, "ADR", 20))
    game.apply(buy("3", 200))
    assert trips.values(game, "buy_train", source="CME", train="3") == list(range(1, 11))
    game.apply(buy("3", 10, "CME"))
    assert game.offer().deciders == (BO,)


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_a_loan_is_for_the_missing_sum_only(game: Game) -> None:
    arrange.cash(game, "ADR", 30)
    arrange.cash(game, ANN, 50)
    arrange.take_offer(game)
    assert trips.values(game, "take_loan") == [120]
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", 130)).rule == "RHL-6.2.6.2-d"
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", 110)).rule == "RHL-6.2.6.2-d"
    assert arrange.refused(game, mv.TakeLoan(ANN, "ADR", -120)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_money_raised_for_a_dear_train_does_not_buy_a_cheap_one(game: Game) -> None:
    """A 2-train for 100 lies in the pool, a new 3-train costs 200: two shares at 80 are for the 3-train."""
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    hold(game, "CME", BO, BO, BO, ANN, ANN, ANN, CY)
    arrange.cash(game, ANN, 30)
    arrange.take_offer(game)
    assert trips.values(game, "take_loan") == [70, 170]
    one = game.copy()
    one.apply(mv.SellShares(ANN, "CME", 10))
    assert trips.trains_on_offer(one) == {(POOL, "2")}
    game.apply(mv.SellShares(ANN, "CME", 20))
    assert trips.trains_on_offer(game) == set()
    assert arrange.refused(game, buy("2", 100, POOL)).rule == "RHL-6.2.6.2-d"
    game.apply(mv.TakeLoan(ANN, "ADR", 10))
    assert trips.trains_on_offer(game) == {(BANK, "3")}


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_a_share_too_many_is_one_without_which_the_train_could_be_paid(game: Game) -> None:
    """20 M and one share at 80 make exactly the 100 M of the 2-train: who sells two buys a 3-train."""
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    hold(game, "CME", BO, BO, BO, ANN, ANN, CY)
    hold(game, "ADR", BO, BO, POOL)
    arrange.cash(game, ANN, 20)
    arrange.take_offer(game)
    one = game.copy()
    one.apply(mv.SellShares(ANN, "CME", 10))
    assert trips.trains_on_offer(one) == {(POOL, "2")}
    game.apply(mv.SellShares(ANN, "CME", 20))
    assert trips.trains_on_offer(game) == set()
    assert arrange.refused(game, buy("2", 100, POOL)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-d")
@pytest.mark.parametrize(("loan", "train"), [(70, (POOL, "2")), (170, (BANK, "3"))])
def test_a_loan_buys_the_train_it_was_taken_for(game: Game, loan: int, train: tuple[str, str]) -> None:
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    arrange.cash(game, ANN, 30)
    arrange.take_offer(game)
    game.apply(mv.TakeLoan(ANN, "ADR", loan))
    assert trips.trains_on_offer(game) == {train}
    if train[0] == BANK:
        assert arrange.refused(game, buy("2", 100, POOL)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-d")
def test_after_a_loan_for_a_cheap_train_no_sale_leads_to_a_dearer_one(game: Game) -> None:
    """30 M and a loan of 70 M make up the 2-train of the pool; with CME's shares it could become a 3-train."""
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    hold(game, "CME", BO, BO, BO, ANN, ANN, ANN, CY)
    arrange.cash(game, ANN, 30)
    arrange.take_offer(game)
    game.apply(mv.TakeLoan(ANN, "ADR", 70))
    assert arrange.names(game) == {"buy_train"}
    for percent in (10, 20):
        assert arrange.refused(game, mv.SellShares(ANN, "CME", percent)).rule == "RHL-6.2.6.2-d"
    assert trips.trains_on_offer(game) == {(POOL, "2")}
    game.apply(buy("2", 100, POOL))
    assert game.state.cash[ANN] == 0


@pytest.mark.rule("RHL-6.2.6.2-a", "RHL-6.2.6.2-d")
def test_the_sale_of_own_shares_begins_a_forced_purchase(game: Game) -> None:
    """At 80 a share, two own shares are for the new 3-train (200), neither for the 2 of the pool nor for CME's."""
    game.state.depot.pool.append("2")
    game.state.depot.gone.remove("2")
    arrange.trains(game, "CME", "3")
    hold(game, "ADR", ANN, ANN, ANN, "ADR")
    arrange.cash(game, "ADR", 50)
    buying(game)
    assert ("CME", "3") in trips.trains_on_offer(game)
    assert arrange.refused(game, mv.SellOwnShares(ANN, "CME", 10)).rule == "RHL-6.2-a"
    game.apply(mv.SellOwnShares(ANN, "ADR", 20))
    assert trips.trains_on_offer(game) == {(BANK, "3")}
    assert arrange.refused(game, buy("3", 150, "CME")).rule == "RHL-6.2.6.2-a"
    assert arrange.refused(game, buy("2", 100, POOL)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-e")
def test_the_pool_takes_at_most_half_of_a_company(game: Game) -> None:
    hold(game, "CME", BO, BO, POOL, POOL, POOL, POOL, ANN, ANN)
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares", company="CME") == [10]
    assert arrange.refused(game, mv.SellShares(ANN, "CME", 20)).rule == "RHL-6.2.6.2-e"


@pytest.mark.rule("RHL-6.2.6.2-e")
def test_the_pool_takes_at_most_half_of_the_companys_own_shares(game: Game) -> None:
    hold(game, "ADR", ANN, ANN, POOL, POOL, POOL, POOL, "ADR", "ADR")
    arrange.take_offer(game)
    assert trips.values(game, "sell_own_shares") == [10]
    assert arrange.refused(game, mv.SellOwnShares(ANN, "ADR", 20)).rule == "RHL-6.2.6.2-d"


@pytest.mark.rule("RHL-6.2.6.2-f")
def test_no_sale_changes_the_director_of_the_company_that_buys(game: Game) -> None:
    """ann 40 %, bo 30 %: ann may sell 10 % of ADR, not 20 %."""
    hold(game, "ADR", ANN, ANN, BO, BO, BO, CY, CY, CY)
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares", company="ADR") == [10]
    assert arrange.refused(game, mv.SellShares(ANN, "ADR", 20)).rule == "RHL-6.2.6.2-f"
    game.apply(mv.SellShares(ANN, "ADR", 10))
    assert game.company("ADR").director == ANN


@pytest.mark.rule("RHL-6.2.6.2-f")
def test_no_sale_changes_the_director_of_another_company(game: Game) -> None:
    arrange.floated(game, "DEE", ANN, treasury=0)
    hold(game, "DEE", ANN, CY, CY, CY, BO, BO, BO, POOL)
    hold(game, "ADR", BO, BO, POOL)
    arrange.take_offer(game)
    assert arrange.names(game) == {"take_loan"}
    hold(game, "CME", BO, BO, BO, ANN, CY)  # something else to sell
    arrange.take_offer(game)
    assert trips.values(game, "sell_shares") == ["CME"]
    assert arrange.refused(game, mv.SellShares(ANN, "DEE", 10)).rule == "RHL-6.2.6.2-f"
    hold(game, "DEE", ANN, ANN, CY, CY, CY, BO, BO, POOL)  # as many as cy would be left to ann
    arrange.take_offer(game)
    game.apply(mv.SellShares(ANN, "DEE", 10))
    assert game.company("DEE").director == ANN


@pytest.mark.rule("RHL-6.2.6.2-g", "RHL-7.2-a")
def test_twice_the_loan_is_subtracted_at_the_end(game: Game) -> None:
    arrange.cash(game, "ADR", 80)
    arrange.take_offer(game)
    happened = game.apply(mv.TakeLoan(ANN, "ADR", 120))
    assert ev.LoanTaken(ANN, 120) in happened
    game.apply(buy("3", 200))
    assert game.state.loans[ANN] == 120
    trips.empty_bank(game, 0)
    game.state.bank_broken = "operating"
    happened = tuple(trips.idle(game, lambda g: g.finished))
    ended = next(event for event in happened if isinstance(event, ev.GameEnded))
    shares_of_adr = 7 * game.prices.value("ADR")
    assert dict(ended.scores)[ANN] == game.state.cash[ANN] + shares_of_adr - 240
