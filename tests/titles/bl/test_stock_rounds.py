"""Corporations and stock rounds (ledger sections 6 and 7)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.events import CompanyClosed
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, CLOSED, OFFERING, POOL, REMOVED
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens


def held(game: Game, company: str, *players: str) -> list[int]:
    return [shares.held(game, company, player) for player in players]


def shared(*percents: int, par: int = 100, player: str = "ann") -> Game:
    """RhE with so much in the hands of ann (director), bo and cy, in the second stock round."""
    game = a.second_stock_round(max(3, len(percents)), player=player)
    a.floated(game, "RhE", "ann", par)
    for player_, percent in zip(game.state.seats, percents, strict=False):
        a.own(game, "RhE", player_, percent)
    return game


@pytest.mark.rule("BL-6.1-a", "BL-7.1-b")
def test_the_director_certificate_founds_a_corporation_for_twice_par() -> None:
    game = a.second_stock_round()
    assert a.refused(game, mv.BuyShare("ann", "RhE", OFFERING, 10)).rule == "BL-6.1-a"
    assert a.offered(game, "found", company="RhE") == [100, 90, 82, 76, 71, 67]
    assert a.refused(game, mv.Found("ann", "RhE", 75)).rule == "BL-7.1-b"
    game.apply(mv.Found("ann", "RhE", 90))
    assert game.state.cash["ann"] == 1000 - 180
    assert game.company("RhE").par == 90
    assert held(game, "RhE", "ann") == [20]


@pytest.mark.rule("BL-6.1-b", "BL-6.1-c", "BL-7.3-a")
@pytest.mark.parametrize(("par", "capital"), [(67, 335), (71, 355), (76, 380), (82, 410), (90, 450), (100, 500)])
def test_at_50_percent_the_treasury_gets_five_times_par(par: int, capital: int) -> None:
    game = a.second_stock_round()
    a.founded(game, "RhE", "ann", par)
    a.own(game, "RhE", "ann", 40)
    assert game.state.cash["RhE"] == 0
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert game.company("RhE").floated
    assert game.state.cash["RhE"] == capital
    assert game.company("RhE").tokens_left == [40, 100]


@pytest.mark.rule("BL-6.1-d")
def test_a_corporation_operates_in_the_operating_round_after_its_float() -> None:
    game = a.second_stock_round(2)
    a.founded(game, "RhE", "ann")
    a.own(game, "RhE", "ann", 40)
    a.walk(game, mv.BuyShare("ann", "RhE", OFFERING, 10), mv.Pass("bo"), mv.Pass("ann"))
    assert (game.state.round.kind, game.state.round.actor) == ("operating", "RhE")


@pytest.mark.rule("BL-6.2-a")
def test_only_the_director_decides() -> None:
    game = a.second_stock_round()
    game.apply(mv.Found("ann", "RhE", 76))
    assert game.company("RhE").director == "ann"
    a.floated(game, "BME", "bo")
    a.own(game, "BME", "ann", 30)
    a.operating(game, "BME")
    assert a.asked(game) == "bo"
    assert a.refused(game, mv.Pass("ann")).rule == "BL-8.2-a"


@pytest.mark.rule("BL-6.3-a", "BL-6.3-f")
def test_the_directorship_changes_when_another_holds_more() -> None:
    game = shared(30, 20, player="bo")
    a.vehicles(game, "RhE", "2")
    a.private(game, "MBG", "RhE")
    game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.company("RhE").director == "ann"  # equal holdings
    a.stock(game, "bo", 3)
    treasury = game.state.cash["RhE"] + 100
    game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.company("RhE").director == "bo"
    assert game.company("RhE").certificates[0] == "bo"
    assert held(game, "RhE", "ann", "bo") == [30, 40]
    assert (game.state.cash["RhE"], game.company("RhE").trains) == (treasury, ["2"])
    assert game.state.privates["MBG"] == "RhE"
    a.operating(game, "RhE")
    assert a.asked(game) == "bo"


@pytest.mark.rule("BL-6.3-b")
def test_the_player_with_the_most_shares_becomes_director() -> None:
    game = shared(40, 20, 30)
    game.apply(mv.SellShares("ann", "RhE", 30))
    assert game.company("RhE").director == "cy"
    assert held(game, "RhE", "ann", "bo", "cy") == [10, 20, 30]


@pytest.mark.rule("BL-6.3-c")
@pytest.mark.parametrize("director", ["ann", "bo", "cy"])
def test_among_equals_the_next_to_the_left_takes_over(director: str) -> None:
    game = a.second_stock_round(3, player=director)
    a.floated(game, "RhE", director)
    a.own(game, "RhE", director, 40)
    for player in {"ann", "bo", "cy"} - {director}:
        a.own(game, "RhE", player, 30)
    game.apply(mv.SellShares(director, "RhE", 20))
    assert game.company("RhE").director == game.after(director)


@pytest.mark.rule("BL-6.3-d", "BL-7.4-d")
def test_when_a_director_may_give_up() -> None:
    alone = shared(50, 10)
    assert a.offered(alone, "sell_shares", company="RhE") == [10, 20, 30]  # nobody else has 20 %
    assert a.refused(alone, mv.SellShares("ann", "RhE", 40)).rule == "BL-6.3-d"
    full = shared(40, 20)
    a.hand(full, "RhE", POOL, 40)
    a.take_offer(full)
    assert a.refused(full, mv.SellShares("ann", "RhE", 30)).rule == "BL-7.4-b"  # the pool would exceed 50 %
    more = shared(50, 30)
    more.apply(mv.SellShares("ann", "RhE", 20))
    assert more.company("RhE").director == "ann"  # not less than another afterwards


@pytest.mark.rule("BL-6.3-e")
def test_the_director_certificate_is_exchanged_before_the_sale() -> None:
    game = shared(50, 30)
    before = shares.certificates(game, "bo")
    game.apply(mv.SellShares("ann", "RhE", 40))
    assert held(game, "RhE", "ann", "bo", POOL) == [10, 30, 40]
    assert game.company("RhE").certificates[0] == "bo"
    assert shares.certificates(game, "bo") == before - 1


@pytest.mark.rule("BL-7-a")
def test_the_priority_deal_begins() -> None:
    game = a.second_stock_round(4, player="cy")
    order = []
    for _ in range(4):
        order.append(a.asked(game))
        if len(order) < 4:
            game.apply(mv.Pass(order[-1]))
    assert order == ["cy", "di", "ann", "bo"]


@pytest.mark.rule("BL-7-b", "BL-7-c", "BL-7-d")
def test_the_end_of_a_stock_round_and_the_priority_deal() -> None:
    game = shared(50, 10)
    a.walk(game, mv.Pass("ann"), mv.BuyShare("bo", "RhE", OFFERING, 10), mv.Pass("cy"))
    a.walk(game, mv.SellShares("ann", "RhE", 10), mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.round.kind == "stock"
    game.apply(mv.Pass("ann"))
    assert game.state.round.kind == "operating"
    assert game.state.priority == "cy"  # left of bo; ann's later sale does not count
    game = shared(50, 10)
    game.state.priority = "bo"
    a.stock(game, "bo")
    a.walk(game, mv.Pass("bo"), mv.Pass("cy"), mv.SellShares("ann", "RhE", 10), mv.Pass("ann"))
    a.walk(game, mv.Pass("bo"), mv.Pass("cy"), mv.Pass("ann"))
    assert game.state.priority == "bo"


@pytest.mark.rule("BL-7-c")
@pytest.mark.parametrize(
    ("buyers", "priority"),
    [
        (("ann", "cy"), "di"),
        (("ann", "bo", "cy"), "di"),
        (("cy", "ann"), "bo"),  # cy in the first lap, ann in the second
        (("bo", "cy", "bo"), "cy"),
    ],
)
def test_of_several_buyers_the_last_one_counts(buyers: tuple[str, ...], priority: str) -> None:
    """The first one, the one who bought most and the one nearest to the old holder do not."""
    game = a.second_stock_round(4)
    a.floated(game, "RhE", "di")
    left = list(buyers)
    while game.state.round.stock_number == 2 and game.state.round.kind == "stock":
        player = a.asked(game)
        if left and left[0] == player:
            left.pop(0)
            game.apply(mv.BuyShare(player, "RhE", OFFERING, 10))
        else:
            game.apply(mv.Pass(player))
    assert not left
    assert game.state.priority == priority


@pytest.mark.rule("BL-7-e")
def test_a_turn_is_sales_then_one_purchase() -> None:
    game = shared(50, 10)
    a.floated(game, "BME", "ann")
    game.apply(mv.SellShares("ann", "RhE", 10))
    game.apply(mv.SellShares("ann", "BME", 10))
    assert a.refused(game, mv.BuyShare("ann", "BME", OFFERING, 10)).rule == "BL-7.1-i"
    game.apply(mv.Found("ann", "CME", 67))
    assert a.asked(game) == "bo"
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "BL-7-e"  # buy, then sell
    assert a.refused(game, mv.Found("ann", "OV", 67)).rule == "BL-7-e"


@pytest.mark.rule("BL-7-f", "BL-7.1-j")
def test_a_passed_player_acts_again_and_who_acted_is_sure_of_another_turn() -> None:
    game = shared(50, 10)
    a.walk(game, mv.Pass("ann"), mv.BuyShare("bo", "RhE", OFFERING, 10), mv.Pass("cy"))
    assert a.asked(game) == "ann"
    game.apply(mv.Pass("ann"))
    assert a.asked(game) == "bo"
    game = shared(50, 10)
    a.walk(game, mv.SellShares("ann", "RhE", 10), mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert (game.state.round.kind, a.asked(game)) == ("stock", "ann")


@pytest.mark.rule("BL-7-g")
def test_the_exchange_does_not_prolong_the_round() -> None:
    from titles.bl.stock import ExchangePrivate

    game = a.second_stock_round(3, {"CCE": "bo"})
    a.founded(game, "RhE", "ann")
    a.walk(game, mv.Pass("ann"), ExchangePrivate("bo", "CCE"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.round.stock_number == 3
    assert game.state.priority == "ann"


@pytest.mark.rule("BL-7.1-a", "BL-7.1-f")
def test_offering_at_par_pool_at_the_stock_value() -> None:
    game = shared(50, par=76)
    a.hand(game, "RhE", POOL, 10)
    a.price_at(game, "RhE", a.token_at(game, 100, row=2))
    assert a.offered(game, "buy_share", company="RhE") == [OFFERING, POOL]
    for source, price in ((OFFERING, 76), (POOL, 100)):
        twin = game.copy()
        twin.apply(mv.BuyShare("ann", "RhE", source, 10))
        assert twin.state.cash["ann"] == game.state.cash["ann"] - price


@pytest.mark.rule("BL-7.1-c", "BL-7.1-d", "BL-7.1-e")
def test_any_number_may_start_at_a_par_and_new_tokens_go_below() -> None:
    game = a.second_stock_round()
    a.walk(game, mv.Found("ann", "RhE", 76), mv.Found("bo", "BME", 76), mv.Found("cy", "CME", 76))
    cell = a.token_at(game, 76, "p")
    assert [game.company(c).price for c in ("RhE", "BME", "CME")] == [cell] * 3
    assert game.state.stacks[cell] == ["RhE", "BME", "CME"]
    assert game.prices.order() == ["RhE", "BME", "CME"]
    assert "p" in game.definition.market.marks[cell[0]][cell[1]]


@pytest.mark.rule("BL-7.1-e")
def test_a_token_that_moves_into_an_occupied_space_goes_below() -> None:
    game = shared(50, par=82)
    a.founded(game, "BME", "bo", 76)
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert game.state.stacks[a.token_at(game, 76, "p")] == ["BME", "RhE"]


@pytest.mark.rule("BL-7.1-g")
def test_nobody_trades_certificates_with_other_players() -> None:
    game = shared(40, 20)
    assert set(a.offered(game, "buy_share", company="RhE")) <= {OFFERING, POOL}
    assert a.refused(game, mv.BuyShare("ann", "RhE", "bo", 10)).rule == "BL-7.1-g"
    assert a.names(game) == {"sell_shares", "buy_share", "found", "pass"}


@pytest.mark.rule("BL-7.1-h")
def test_the_price_goes_to_the_bank_before_the_float_and_to_the_treasury_after_it() -> None:
    game = a.second_stock_round(2)
    a.founded(game, "RhE", "ann", 76)
    a.own(game, "RhE", "ann", 40)
    bank = game.state.cash[BANK]
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert game.state.cash[BANK] == bank + 76 - 380
    game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 456
    a.hand(game, "RhE", POOL, 10)
    a.take_offer(game)
    game.apply(mv.BuyShare("ann", "RhE", POOL, 10))
    assert game.state.cash["RhE"] == 456


@pytest.mark.rule("BL-7.1-i")
def test_who_has_sold_may_not_buy_in_the_same_round() -> None:
    game = shared(50, 20)
    a.walk(game, mv.SellShares("ann", "RhE", 10), mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert a.refused(game, mv.BuyShare("ann", "RhE", OFFERING, 10)).rule == "BL-7.1-i"
    a.stock(game, "ann", 3)
    game.apply(mv.BuyShare("ann", "RhE", POOL, 10))


@pytest.mark.rule("BL-7.2-a", "BL-7.2-b")
@pytest.mark.parametrize(("players", "limit"), [(2, 28), (3, 20), (4, 16), (5, 13), (6, 11)])
def test_the_certificate_limit(players: int, limit: int) -> None:
    game = a.second_stock_round(players)
    left = limit
    for company in ("BME", "CME", "DEE", "MEG", "OV", "WEG"):
        if left:
            a.floated(game, company, "ann")
            left -= 4  # the director certificate and three others
            more = min(left, 1)
            a.own(game, company, "ann", 50 + 10 * more)
            left -= more
        if left < 0:
            a.own(game, company, "ann", 50 + 10 * left)
            left = 0
    assert shares.certificates(game, "ann") == limit
    assert a.refused(game, mv.Found("ann", "RhE", 67)).rule == "BL-7.2-a"
    assert "found" not in a.names(game)
    sold = a.offered(game, "sell_shares")[0]
    game.apply(mv.SellShares("ann", sold, 10))
    game.apply(mv.Found("ann", "RhE", 67))


def at_the_limit() -> Game:
    """ann has the 11 certificates of a game with six players: of BME, CME and RhE."""
    game = a.second_stock_round(6)
    for company in ("BME", "CME"):
        a.floated(game, company, "ann")
    a.floated(game, "RhE", "bo")
    a.own(game, "RhE", "ann", 30)
    assert shares.certificates(game, "ann") == 11
    return game


@pytest.mark.rule("BL-7.2-c")
@pytest.mark.parametrize("mark", ["y", "b"])
def test_certificates_in_the_yellow_and_brown_areas_do_not_count(mark: str) -> None:
    game = at_the_limit()
    assert a.refused(game, mv.BuyShare("ann", "RhE", OFFERING, 10)).rule == "BL-7.2-a"
    a.price_at(game, "RhE", a.token_at(game, 50 if mark == "y" else 36, mark))
    assert shares.certificates(game, "ann") == 8
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))


@pytest.mark.rule("BL-7.2-c")
def test_at_the_limit_shares_that_do_not_count_may_still_be_bought() -> None:
    game = at_the_limit()
    a.own(game, "BME", "ann", 60)
    a.own(game, "CME", "ann", 60)
    a.own(game, "RhE", "ann", 10)
    a.floated(game, "OV", "cy")
    a.price_at(game, "OV", a.token_at(game, 50, "y"))
    assert shares.certificates(game, "ann") == 11
    assert a.offered(game, "buy_share") == ["OV"]
    game.apply(mv.BuyShare("ann", "OV", OFFERING, 10))


@pytest.mark.rule("BL-7.2-d", "BL-7.2-e")
def test_sixty_percent_and_seventy_from_the_offering() -> None:
    game = shared(60)
    a.hand(game, "RhE", POOL, 20)
    a.take_offer(game)
    assert a.refused(game, mv.BuyShare("ann", "RhE", POOL, 10)).rule == "BL-7.2-d"
    assert a.offered(game, "buy_share", company="RhE") == [OFFERING]
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert held(game, "RhE", "ann") == [70]
    a.stock(game, "ann", 3)
    for source in (OFFERING, POOL):
        assert a.refused(game, mv.BuyShare("ann", "RhE", source, 10)).rule == "BL-7.2-d"
    assert "pass" in a.names(game), "nothing must be sold first"


@pytest.mark.rule("BL-7.2-f")
def test_in_the_brown_area_one_may_hold_everything() -> None:
    game = shared(90, par=67)
    a.price_at(game, "RhE", a.token_at(game, 36, "b"))
    assert shares.certificates(game, "ann") == 0
    assert "pass" in a.names(game), "nothing must be sold first"
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert held(game, "RhE", "ann") == [100]


@pytest.mark.rule("BL-7.2-g")
def test_who_is_over_a_limit_sells_first() -> None:
    game = at_the_limit()
    a.own(game, "RhE", "ann", 40)
    assert a.names(game) == {"sell_shares"}
    assert a.refused(game, mv.Pass("ann")).rule == "BL-7.2-g"
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert "pass" in a.names(game)
    # 80 % after the token has left the brown area: down to 70 %
    game = shared(80)
    assert a.names(game) == {"sell_shares"}
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert "pass" in a.names(game)


@pytest.mark.rule("BL-7.2-g", "BL-7.2-c")
def test_who_is_over_the_limit_but_can_sell_nothing_may_buy_what_does_not_count() -> None:
    game = a.second_stock_round(6, {})
    for company in ("BME", "CME", "OV"):
        a.floated(game, company, "ann", operated=False)
    assert shares.certificates(game, "ann") == 12
    a.floated(game, "RSE", "bo")
    a.price_at(game, "RSE", a.token_at(game, 53, "y"))
    assert a.names(game) == {"buy_share", "pass"}
    assert a.offered(game, "buy_share") == ["RSE"]
    game.company("BME").operated = True
    a.take_offer(game)
    assert a.names(game) == {"sell_shares"}
    assert a.refused(game, mv.BuyShare("ann", "RSE", OFFERING, 10)).rule == "BL-7.2-g"


@pytest.mark.rule("BL-7.2-g", "BL-7.2-h")
def test_nobody_over_a_limit_must_sell_what_does_not_help() -> None:
    # 90 % of RhE outside the brown area: BME is no remedy
    game = shared(90)
    a.floated(game, "BME", "bo")
    a.own(game, "BME", "ann", 20)
    game.apply(mv.SellShares("ann", "RhE", 20))
    assert {"sell_shares", "pass"} <= a.names(game)
    # certificates that do not count are no remedy for the certificate limit
    game = a.second_stock_round(6, {})
    for company in ("BME", "CME", "OV"):
        a.floated(game, company, "ann", operated=False)
    a.floated(game, "RSE", "bo")
    a.own(game, "RSE", "ann", 20)
    a.price_at(game, "RSE", a.token_at(game, 53, "y"))
    assert {"sell_shares", "pass"} <= a.names(game)


@pytest.mark.rule("BL-7.2-g")
def test_a_sale_that_is_too_small_is_not_accepted() -> None:
    """R13: RhE is sold once a turn, so that 10 % would leave ann with 80 %."""
    game = shared(90)
    assert a.offered(game, "sell_shares", company="RhE") == [20, 30, 40, 50]
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "BL-7.2-g"
    game.apply(mv.SellShares("ann", "RhE", 20))
    assert held(game, "RhE", "ann") == [70]
    assert "pass" in a.names(game)


@pytest.mark.rule("BL-7.2-g")
def test_several_sales_together_may_make_a_player_comply() -> None:
    """13 certificates at a limit of 11: two of RhE, or one of RhE and one of BME."""
    game = at_the_limit()
    a.own(game, "RhE", "ann", 50)
    a.own(game, "RhE", "bo", 50)
    game.company("CME").operated = game.company("BME").operated = False
    a.take_offer(game)
    assert shares.certificates(game, "ann") == 13
    assert a.offered(game, "sell_shares", company="RhE") == [20, 30, 40, 50]
    game.company("BME").operated = True
    a.take_offer(game)
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert a.refused(game, mv.Pass("ann")).rule == "BL-7.2-g"
    assert a.offered(game, "sell_shares") == ["BME"]
    game.apply(mv.SellShares("ann", "BME", 10))
    assert "pass" in a.names(game)


@pytest.mark.rule("BL-7.2-g")
def test_who_cannot_comply_sells_what_helps_and_then_has_an_ordinary_turn() -> None:
    game = a.second_stock_round(6, {})
    for company in ("BME", "CME", "OV"):
        a.floated(game, company, "ann", operated=False)
    a.floated(game, "RSE", "bo")
    a.own(game, "RSE", "ann", 10)
    assert shares.certificates(game, "ann") == 13
    assert a.names(game) == {"sell_shares"}
    game.apply(mv.SellShares("ann", "RSE", 10))
    assert shares.certificates(game, "ann") == 12
    assert a.asked(game) == "bo", "ann has nothing more to sell and may not buy"


@pytest.mark.rule("BL-7.2-h")
def test_a_sale_that_brings_the_token_back_into_the_yellow_area_is_enough() -> None:
    game = at_the_limit()
    a.own(game, "RhE", "ann", 40)
    a.price_at(game, "RhE", (3, 4))  # 66, white; below it 62 and then 58y
    a.price_at(game, "RhE", (1, 2))  # 66, white; below it 60y
    assert shares.certificates(game, "ann") == 12
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert game.definition.market.marked(game.company("RhE").price, "y")
    assert shares.certificates(game, "ann") == 8
    assert "pass" in a.names(game)


@pytest.mark.rule("BL-7.4-a", "BL-7.5-a")
def test_a_sale_pays_the_value_before_it_and_moves_one_space_down_for_each_10_percent() -> None:
    game = shared(50)
    cell = game.company("RhE").price
    assert cell is not None
    game.apply(mv.SellShares("ann", "RhE", 30))
    assert game.state.cash["ann"] == 1300
    assert held(game, "RhE", POOL) == [30]
    assert game.company("RhE").price == (cell[0] + 3, cell[1])
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "BL-7.4-a"  # once a turn (R52)


@pytest.mark.rule("BL-7.4-b")
def test_at_most_half_of_a_corporation_lies_in_the_pool() -> None:
    game = shared(20, 30, player="bo")
    a.hand(game, "RhE", POOL, 40)
    a.take_offer(game)
    assert a.refused(game, mv.SellShares("bo", "RhE", 20)).rule == "BL-7.4-b"
    game.apply(mv.SellShares("bo", "RhE", 10))


@pytest.mark.rule("BL-7.4-c")
def test_nothing_is_sold_before_the_corporation_has_operated() -> None:
    game = shared(50)
    game.company("RhE").operated = False
    a.take_offer(game)
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "BL-7.4-c"
    a.operating(game, "RhE", "trains")
    a.vehicles(game, "RhE", "2")
    game.apply(mv.Pass("ann"))
    assert game.company("RhE").operated
    a.stock(game, "ann", 3)
    game.apply(mv.SellShares("ann", "RhE", 10))


@pytest.mark.rule("BL-7.4-d")
def test_the_director_certificate_is_never_sold() -> None:
    game = shared(20, 10)
    assert "sell_shares" not in a.names(game)
    assert a.refused(game, mv.SellShares("ann", "RhE", 20)).rule == "BL-6.3-d"


@pytest.mark.rule("BL-7.4-e")
@pytest.mark.parametrize("order", [("RhE", "BME"), ("BME", "RhE")])
def test_the_order_of_sales_decides_the_stack(order: tuple[str, str]) -> None:
    game = shared(50, par=82)
    a.floated(game, "BME", "ann", 82)
    for company in order:
        game.apply(mv.SellShares("ann", company, 10))
    assert game.state.stacks[a.token_at(game, 76, "p")] == list(order)


@pytest.mark.rule("BL-7.5-b")
def test_at_the_bottom_of_a_column_the_token_stays() -> None:
    game = shared(50)
    bottom = (7, 5)
    assert not game.definition.market.has(8, 5)
    a.price_at(game, "RhE", bottom)
    game.apply(mv.SellShares("ann", "RhE", 30))
    assert game.company("RhE").price == bottom


@pytest.mark.rule("BL-7.5-b", "BL-7.6-b")
def test_a_token_that_cannot_move_keeps_its_place_in_the_stack() -> None:
    """By a sale at the bottom of a column, and sold out in the top space of one."""
    game = shared(50)
    for company in ("BME", "CME"):
        a.floated(game, company, "bo")
    for company in ("BME", "RhE", "CME"):
        a.price_at(game, company, (7, 5))
    game.apply(mv.SellShares("ann", "RhE", 30))
    assert game.state.stacks[7, 5] == ["BME", "RhE", "CME"]
    game = shared(60, 40)
    a.floated(game, "BME", "bo")
    for company in ("RhE", "BME"):
        a.price_at(game, company, (0, 6))
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.stacks[0, 6] == ["RhE", "BME"]


def doomed(cell: tuple[int, int]) -> Game:
    game = shared(40, 30, par=67)
    a.price_at(game, "RhE", cell)
    a.vehicles(game, "RhE", "2", "2")
    a.private(game, "MBG", "RhE")
    a.private(game, "EHG", "RhE")
    a.private(game, "SKB", "bo")
    a.private(game, "DTE", "BME")
    return game


ARROWS = [(5, 0), (6, 1)]


@pytest.mark.rule("BL-7.5-c", "BL-7.5-d")
@pytest.mark.parametrize("cell", ARROWS)
def test_a_sale_on_a_red_arrow_closes_the_corporation_and_is_paid(cell: tuple[int, int]) -> None:
    game = doomed(cell)
    market = game.definition.market
    assert sorted(market.cells("D")) == ARROWS
    value = game.prices.value("RhE")
    events = game.apply(mv.SellShares("ann", "RhE", 20))
    assert any(isinstance(event, CompanyClosed) for event in events)
    assert game.state.cash["ann"] == 1000 + 2 * value
    assert game.company("RhE").closed
    assert a.refused(game, mv.Found("ann", "RhE", 67)).rule == "BL-6.1-a"  # it never comes back
    assert "RhE" not in game.prices.order()


@pytest.mark.rule("BL-7.5-e", "BL-7.5-f", "BL-7.5-g", "BL-11-d")
def test_what_becomes_of_a_closed_corporation() -> None:
    game = doomed((5, 0))
    a.lay(game, "C9", "57")
    game.board.remove_stations("WEG")
    game.company("WEG").tokens_left.insert(0, 0)
    a.station(game, "RhE", "C9")
    a.vehicles(game, "RhE", "SB3", "BW-B")
    bank = game.state.cash[BANK]
    treasury = game.state.cash["RhE"]
    value = game.prices.value("RhE")
    before = dict(game.state.cash)
    assert AccessTokens.of(game) == AccessTokens(0, 2, 0, ["RhE"])
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert game.board.free_space("C9", 0)
    assert not game.board.has_station("RhE", "E1")
    assert game.state.board.stations["E1"] == [["", ""]]
    assert set(game.company("RhE").certificates) == {REMOVED}
    assert shares.certificates(game, "bo") == 1  # private 1
    assert game.state.cash["bo"] == before["bo"]
    assert game.state.cash[BANK] == bank + treasury - value
    assert sorted(game.state.depot.pool) == ["2", "2", "BW-B", "SB3"]
    assert AccessTokens.of(game) == AccessTokens(0, 0, 3, [])
    assert game.state.privates["MBG"] == game.state.privates["EHG"] == CLOSED
    assert (game.state.privates["SKB"], game.state.privates["DTE"]) == ("bo", "BME")  # not its own
    assert all("RhE" not in stack for stack in game.state.stacks.values())
    company = game.company("RhE")
    assert (company.price, company.director, company.trains, company.tokens_left) == (None, "", [], [])
    assert not company.floated
    # a trailer of the pool may be bought by a corporation with a rail bus (R19)
    a.floated(game, "BME", "ann")
    a.phase(game, "3")
    a.operating(game, "BME", "trains")
    a.walk(game, mv.BuyTrain("ann", "BME", "SB3", POOL, 160), mv.BuyTrain("ann", "BME", "BW-B", POOL, 90))
    assert game.company("BME").trains == ["SB3", "BW-B"]


def sold_out(cell: tuple[int, int]) -> Game:
    game = shared(60, 40, par=76)
    a.price_at(game, "RhE", cell)
    return game


@pytest.mark.rule("BL-7.6-a", "BL-7.6-b")
def test_a_corporation_wholly_with_players_rises_at_the_end_of_the_round() -> None:
    game = sold_out((3, 6))
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.company("RhE").price == (2, 6)
    for elsewhere in (OFFERING, POOL):
        game = sold_out((3, 6))
        game.company("RhE").certificates[shares.numbers(game, "RhE", "bo")[0]] = elsewhere
        a.take_offer(game)
        a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
        assert game.company("RhE").price == (3, 6)
    game = sold_out((0, 6))
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.company("RhE").price == (0, 6)


@pytest.mark.rule("BL-7.6-a")
def test_several_rise_in_operating_order() -> None:
    game = sold_out((3, 6))
    a.floated(game, "BME", "bo", 76)
    a.own(game, "BME", "bo", 60)
    a.own(game, "BME", "cy", 40)
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.stacks[(2, 6)] == ["RhE", "BME"]
