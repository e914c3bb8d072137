"""The Railway Game: railways and their directors, stock rounds (ledger sections 4.3.2 and 4.4)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.moves import HandOver
from engine.remembered import Passes
from engine.state import BANK, OFFERING, POOL
from tests.titles.do import railway as r
from titles.do.board.stock import TradeUp
from titles.do.railways.private_breweries import BreweryCards, TurnBrewery


def trading(company: str = "BME", player: str = "ann", row: int = 4, column: int = 3, **holdings: int) -> Game:
    """A railway of ann has operated; so much of it is in these hands (`pool` is the pool), the rest on its charter."""
    game = r.later(1, 2, 3, 4)
    r.floated(game, company, "ann", row, column)
    state = game.company(company)
    state.certificates = ["ann", *[company] * (len(state.certificates) - 1)]
    for who, percent in holdings.items():
        r.own(game, company, who, percent)
    r.stock(game, player)
    return game


# ---------------------------------------------------------------------- founding


@pytest.mark.rule("DO-4.3.2-a", "DO-4.4.1-c", "DO-2.1.2-a", "DO-4.3.2-b")
def test_the_founder_pays_into_the_treasury() -> None:
    game = r.later()
    r.founded(game, "KWE", "bo")
    r.stock(game, "ann")
    bank = game.state.cash[BANK]
    game.apply(mv.Found("ann", "DGEE", 60))
    assert (game.state.cash["ann"], game.state.cash["DGEE"], game.state.cash[BANK]) == (820, 180, bank)
    assert game.company("DGEE").certificates == ["ann", *["DGEE"] * 7]
    assert game.company("DGEE").director == "ann"
    assert r.price(game, "DGEE") == (60, 4, 3)
    assert game.company("BME").certificates[0] == OFFERING
    left = {name: len(company.tokens_left) for name, company in r.new(1, 2, 3).state.companies.items()}
    assert left == {"BME": 5, "CME": 5, "RhE": 5, "KWE": 3, "DGEE": 2, "DHB": 2, "HHW": 2}


@pytest.mark.rule("DO-4.3.2-c")
def test_some_railways_wait_for_others_to_be_founded() -> None:
    game = r.later()
    assert r.offered(game, "found") == ["BME", "CME", "RhE", "KWE"]
    assert r.refused(game, mv.Found("ann", "DGEE", 60)).rule == "DO-4.3.2-c"
    game.apply(mv.Found("ann", "KWE", 60))
    assert r.offered(game, "found") == ["BME", "CME", "RhE", "DGEE"]
    assert r.refused(game, mv.Found("bo", "DHB", 60)).rule == "DO-4.3.2-c"
    game.apply(mv.Found("bo", "DGEE", 60))
    r.passing(game, "bo")  # bo keeps the marker of No. 2
    assert r.offered(game, "found") == ["BME", "CME", "RhE", "DHB", "HHW"]


@pytest.mark.rule("DO-4.4.1-a")
@pytest.mark.parametrize(
    ("phase", "prices"),
    [
        ("2", [70, 65, 60, 55, 50]),
        ("4", [80, 75, 70, 65, 60, 55, 50]),
        ("6", [100, 90, 80, 75, 70, 65, 60, 55, 50]),
        ("8", [100, 90, 80, 75, 70, 65, 60, 55, 50]),
    ],
)
def test_starting_prices_by_colour(phase: str, prices: list[int]) -> None:
    game = r.later()
    r.phase(game, phase)
    assert r.offered(game, "found", company="BME") == prices
    assert r.refused(game, mv.Found("ann", "BME", 110)).rule == "DO-4.4.1-a"
    game.apply(mv.Found("ann", "BME", 50))
    assert r.price(game, "BME") == (50, 6, 3)  # the coloured one of four


@pytest.mark.rule("DO-4.4.1-b")
def test_a_token_goes_under_those_that_are_there() -> None:
    game = r.later()
    game.apply(mv.Found("ann", "BME", 60))
    game.apply(mv.Found("bo", "CME", 60))
    assert game.prices.order() == ["BME", "CME"]
    r.cell(game, "BME", 4, 4)
    r.cell(game, "BME", 4, 3)
    assert game.prices.order() == ["CME", "BME"]


@pytest.mark.rule("DO-4.4.1-d")
def test_the_printed_part_of_the_price_table() -> None:
    rows = r.new(1, 2, 3).definition.market.rows
    assert [row[2:6] for row in rows] == [
        (75, 80, 90, 100),
        (70, 75, 80, 90),
        (65, 70, 75, 80),
        (60, 65, 70, 75),
        (55, 60, 65, 70),
        (50, 55, 60),
    ]


@pytest.mark.rule("DO-4.4.2-a")
def test_shares_in_the_pool_do_not_float_a_railway() -> None:
    game = r.later()
    r.founded(game, "BME", "ann")
    r.own(game, "BME", POOL, 20)
    r.own(game, "BME", "ann", 30)
    r.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert not game.company("BME").floated
    game.apply(mv.BuyShare("cy", "BME", POOL, 10))
    assert game.company("BME").floated


# ---------------------------------------------------------------------- directors


@pytest.mark.rule("DO-4.3.2.2-a")
def test_only_the_director_decides() -> None:
    game = trading(ann=50, bo=40)
    r.operating(game, "BME", "track")
    assert r.asked(game) == "ann"
    assert r.refused(game, mv.Pass("bo")).rule == "DO-4.5-b"


@pytest.mark.rule("DO-4.3.2.2-b", "DO-2.3-a")
def test_the_next_in_order_of_those_with_more_takes_over() -> None:
    game = trading(cy=0)
    r.floated(game, "BME", "cy")
    r.trains(game, "BME", "2")
    for player, percent in (("cy", 40), ("bo", 30), ("di", 30)):
        r.own(game, "BME", player, percent)
    r.stock(game, "cy")
    game.apply(mv.SellShares("cy", "BME", 10))
    assert game.company("BME").director == "cy"  # 30 against 30
    r.stock(game, "cy")
    treasury = game.state.cash["BME"]
    game.apply(mv.SellShares("cy", "BME", 10))
    assert game.company("BME").director == "di"
    assert (game.company("BME").trains, game.state.cash["BME"]) == (["2"], treasury)
    assert shares.numbers(game, "BME", "di")[0] == 0


@pytest.mark.rule("DO-4.3.2.2-c", "DO-4.4.5-d")
def test_a_director_sells_out_only_to_somebody_with_a_directors_share() -> None:
    game = trading("DGEE", ann=30, bo=20)
    assert r.refused(game, mv.SellShares("ann", "DGEE", 20)).rule == "DO-4.4.5-d"
    game = trading("DGEE", ann=50, bo=30)
    r.own(game, "DGEE", POOL, 20)
    r.stock(game, "ann")
    assert r.offered(game, "sell_shares", company="DGEE") == [10, 20, 30]
    game.apply(mv.SellShares("ann", "DGEE", 20))
    assert game.company("DGEE").director == "ann"
    r.stock(game, "ann")
    assert r.refused(game, mv.SellShares("ann", "DGEE", 20)).rule == "DO-4.4.5-b"


@pytest.mark.rule("DO-4.3.2.2-d", "DO-4.4.6-a")
def test_the_directors_certificate_changes_hands_first() -> None:
    game = trading("DGEE", row=2, column=3, ann=50, bo=40)
    game.apply(mv.SellShares("ann", "DGEE", 30))
    assert game.company("DGEE").director == "bo"
    assert game.company("DGEE").certificates[0] == "bo"
    assert {holder: r.held(game, "DGEE", holder) for holder in ("ann", "bo", POOL)} == {"ann": 20, "bo": 40, POOL: 30}
    assert r.price(game, "DGEE")[1:] == (5, 3)


@pytest.mark.rule("DO-4.3.2.2-e")
def test_half_of_a_directors_certificate_can_be_sold() -> None:
    game = trading(ann=20, bo=20, di=20)
    r.own(game, "BME", POOL, 40)
    r.stock(game, "ann")
    assert r.offered(game, "sell_shares", company="BME") == [10]
    game.apply(mv.SellShares("ann", "BME", 10))
    found = {holder: r.held(game, "BME", holder) for holder in ("ann", "bo", "di", POOL)}
    assert found == {"ann": 10, "bo": 20, "di": 20, POOL: 50}
    assert game.company("BME").certificates[0] == game.company("BME").director == "bo"


@pytest.mark.rule("DO-4.3.2.2-d")
def test_a_new_director_hands_over_as_few_certificates_as_possible() -> None:
    game = trading("DHB", ann=20)
    game.company("DHB").certificates[1] = "bo"  # the ordinary 20 %
    r.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "DHB", "DHB", 10))
    assert not game.state.pauses
    assert not isinstance(game.moves[-1], HandOver)
    assert game.company("DHB").certificates[:2] == ["bo", "ann"]
    assert (r.held(game, "DHB", "ann"), r.held(game, "DHB", "bo")) == (20, 30)


# ---------------------------------------------------------------------- turns


@pytest.mark.rule("DO-4.4-a", "DO-4.4-c")
def test_turns_go_clockwise_from_the_start_card() -> None:
    game = trading(player="cy", ann=50)
    order = []
    for _ in range(4):
        order.append(r.asked(game))
        if order[-1] == "ann":
            game.apply(mv.BuyShare("ann", "BME", "BME", 10))
        else:
            r.passing(game, order[-1])
    assert order == ["cy", "di", "ann", "bo"]


@pytest.mark.rule("DO-4.4-b")
def test_sales_then_one_purchase() -> None:
    game = trading(ann=60, bo=20)
    r.floated(game, "CME", "bo")
    r.own(game, "CME", "ann", 20)
    r.stock(game, "ann")
    game.apply(mv.SellShares("ann", "BME", 10))
    assert r.refused(game, mv.SellShares("ann", "BME", 10)).rule == "DO-4.4-b"
    game.apply(mv.SellShares("ann", "CME", 20))
    game.apply(mv.Found("ann", "RhE", 60))
    assert r.asked(game) == "bo"
    game = trading(ann=50)
    game.apply(mv.BuyShare("ann", "BME", "BME", 10))
    assert r.refused(game, mv.SellShares("ann", "BME", 10)).rule == "DO-4.4-b"
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.4-b"


@pytest.mark.rule("DO-4.4-c", "DO-4.2.3-c")
def test_the_start_card_follows_the_last_trade() -> None:
    game = trading(ann=50, bo=20)
    r.passing(game, "ann")
    game.apply(mv.SellShares("bo", "BME", 10))
    r.end_stock(game)
    assert game.state.priority == "cy"
    game = trading(player="di", ann=50)
    r.end_stock(game)
    assert game.state.priority == "di"


@pytest.mark.rule("DO-4.4-c")
def test_a_trade_gives_everybody_another_turn() -> None:
    game = trading(ann=50, bo=20)
    r.passing(game, "ann", "bo", "cy")
    game.apply(mv.BuyShare("di", "BME", "BME", 10))
    r.passing(game, "ann", "bo", "cy")
    assert game.state.round.kind == "stock"
    r.passing(game, "di")
    assert game.state.round.kind == "operating"


# ---------------------------------------------------------------------- buying


@pytest.mark.rule("DO-4.4.3-a", "DO-2.4.3-b")
def test_a_railway_gets_the_money_for_its_certificates_and_the_bank_for_those_of_the_pool() -> None:
    game = trading(row=4, column=5, ann=50)
    r.own(game, "BME", POOL, 20)
    r.stock(game, "bo")
    bank, treasury = game.state.cash[BANK], game.state.cash["BME"]
    assert r.refused(game, mv.BuyShare("bo", "BME", "ann", 10)).rule == "DO-2.4.3-b"
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (treasury + 70, bank)
    game.apply(mv.BuyShare("cy", "BME", POOL, 10))
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (treasury + 70, bank + 70)


@pytest.mark.rule("DO-4.4.3-b")
def test_a_small_certificate_in_part_payment() -> None:
    game = trading("DHB", ann=40)
    r.own(game, "DHB", "bo", 10)
    r.stock(game, "bo")
    treasury = game.state.cash["DHB"]
    assert r.offered(game, "trade_up", company="DHB", source="DHB") == [20]
    game.apply(TradeUp("bo", "DHB", "DHB", 20))
    assert (game.state.cash["bo"], game.state.cash["DHB"]) == (940, treasury + 60)
    assert shares.numbers(game, "DHB", "bo") == [1]
    assert r.refused(game, TradeUp("cy", "DHB", "DHB", 20)).rule == "DO-4.4.3-b"
    game = trading("DHB", ann=40, bo=10)
    game.company("DHB").certificates[1] = POOL
    r.stock(game, "bo")
    bank = game.state.cash[BANK]
    game.apply(TradeUp("bo", "DHB", POOL, 20))
    assert (game.state.cash[BANK], r.held(game, "DHB", POOL), r.held(game, "DHB", "bo")) == (bank + 60, 10, 20)


@pytest.mark.rule("DO-4.4.3-b", "DO-4.4.4-a")
def test_part_payment_needs_no_room_under_the_certificate_limit() -> None:
    game = trading("DHB", ann=40)
    rich(game, "bo", 12)
    r.own(game, "DHB", "bo", 10)
    r.stock(game, "bo")
    assert r.refused(game, mv.BuyShare("bo", "DHB", "DHB", 20)).rule == "DO-4.4.4-a"
    game.apply(TradeUp("bo", "DHB", "DHB", 20))
    assert shares.certificates(game, "bo") == 13


@pytest.mark.rule("DO-4.4.3-b", "DO-4.4.4-b")
def test_part_payment_adds_only_the_difference_to_a_share() -> None:
    game = trading("DHB", ann=50)
    assert game.company("DHB").certificates[1] == "DHB"
    game.apply(TradeUp("ann", "DHB", "DHB", 20))
    assert r.held(game, "DHB", "ann") == 60
    game = trading("DHB", ann=60)
    assert r.refused(game, TradeUp("ann", "DHB", "DHB", 20)).rule == "DO-4.4.4-b"


@pytest.mark.rule("DO-4.4.3-c")
def test_nobody_buys_what_they_have_sold_in_the_round() -> None:
    game = trading(ann=60, bo=20)
    game.apply(mv.SellShares("ann", "BME", 10))
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.4.3-c"
    r.passing(game, "ann")
    game.apply(mv.BuyShare("bo", "BME", POOL, 10))
    r.passing(game, "cy", "di")
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.4.3-c"
    r.stock(game, "ann", 3)
    game.apply(mv.BuyShare("ann", "BME", "BME", 10))


# ---------------------------------------------------------------------- limits


def rich(game: Game, player: str, count: int) -> None:
    """Let a player hold so many certificates of railways that cy directs."""
    for company in ("CME", "RhE", "KWE"):
        r.floated(game, company, "cy")
        state = game.company(company)
        state.certificates = ["cy", *[company] * (len(state.certificates) - 1)]
    missing = count - shares.certificates(game, player)
    for company in ("CME", "RhE", "KWE"):
        for number in range(1, 7):
            if missing:
                game.company(company).certificates[number] = player
                missing -= 1
    r.take_offer(game)


@pytest.mark.rule("DO-4.4.4-a", "DO-4.4.4-d")
@pytest.mark.parametrize(("cards", "limit"), [((1, 2, 3), 17), ((1, 2, 3, 4), 13), ((1, 2, 3, 4, 5), 10)])
def test_the_certificate_limit(cards: tuple[int, ...], limit: int) -> None:
    game = r.later(*cards)
    r.floated(game, "BME", "cy")
    rich(game, "bo", limit - 1)
    r.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert shares.certificates(game, "bo") == limit
    r.stock(game, "bo")
    assert r.refused(game, mv.BuyShare("bo", "BME", "BME", 10)).rule == "DO-4.4.4-a"
    r.founded(game, "DGEE", "cy")
    assert r.refused(game, mv.Found("bo", "DHB", 60)).rule == "DO-4.4.4-a"


@pytest.mark.rule("DO-4.4.4-b")
@pytest.mark.parametrize(("cards", "most"), [((1, 2, 3), 70), ((1, 2, 3, 4), 60), ((1, 2, 3, 4, 5), 60)])
def test_the_share_limit(cards: tuple[int, ...], most: int) -> None:
    game = r.later(*cards)
    r.floated(game, "BME")
    r.own(game, "BME", "ann", most - 10)
    r.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "BME", "BME", 10))
    r.stock(game, "ann")
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.4.4-b"


@pytest.mark.rule("DO-4.4.4-c", "DO-4.4.4-e")
def test_who_is_over_the_limit_sells_first() -> None:
    game = r.later(1, 2, 3, 4)
    r.floated(game, "BME", "cy")
    rich(game, "bo", 14)
    r.stock(game, "bo")
    assert r.names(game) == {"sell_shares"}
    assert r.refused(game, mv.BuyShare("bo", "BME", "BME", 10)).rule == "DO-4.4.4-a"
    assert r.refused(game, mv.Pass("bo")).rule == "DO-4.4.4-c"
    game.apply(mv.SellShares("bo", "CME", 10))
    assert "pass" in r.names(game)
    assert r.refused(game, mv.BuyShare("bo", "BME", "BME", 10)).rule == "DO-4.4.4-a"


# ---------------------------------------------------------------------- selling and prices


@pytest.mark.rule("DO-4.4.5-a", "DO-4.4.6-a")
def test_sales_are_paid_before_the_price_falls() -> None:
    game = trading(row=2, column=3, ann=60, bo=40)
    game.apply(mv.SellShares("ann", "BME", 30))
    assert game.state.cash["ann"] == 1210
    assert r.price(game, "BME") == (55, 5, 3)
    assert r.held(game, "BME", POOL) == 30


@pytest.mark.rule("DO-4.4.5-b")
def test_at_most_half_of_a_railway_lies_in_the_pool() -> None:
    game = trading(ann=20, bo=30)
    r.own(game, "BME", POOL, 40)
    r.stock(game, "bo")
    assert r.offered(game, "sell_shares", company="BME") == [10]
    assert r.refused(game, mv.SellShares("bo", "BME", 20)).rule == "DO-4.4.5-b"
    game = trading("DHB", ann=20)
    r.own(game, "DHB", POOL, 40)
    game.company("DHB").certificates[1] = "bo"
    r.stock(game, "bo")
    assert r.refused(game, mv.SellShares("bo", "DHB", 20)).rule == "DO-4.4.5-b"
    assert r.refused(game, mv.SellShares("bo", "DHB", 10)).rule == "DO-4.4.5-b"  # the certificate is not cut


@pytest.mark.rule("DO-4.4.5-c")
def test_only_railways_that_have_operated_are_sold() -> None:
    game = trading(ann=50)
    game.company("BME").operated = False
    r.stock(game, "ann")
    assert r.refused(game, mv.SellShares("ann", "BME", 10)).rule == "DO-4.4.5-c"
    game.company("BME").floated = False
    r.stock(game, "ann")
    assert r.refused(game, mv.SellShares("ann", "BME", 10)).rule == "DO-4.4.5-c"


@pytest.mark.rule("DO-4.4.5-d")
def test_a_directors_certificate_never_goes_to_the_pool() -> None:
    game = trading(ann=20, bo=10)
    assert "sell_shares" not in r.names(game)
    assert r.refused(game, mv.SellShares("ann", "BME", 10)).rule == "DO-4.4.5-d"


@pytest.mark.rule("DO-4.4.5-e")
@pytest.mark.parametrize("order", [("BME", "CME"), ("CME", "BME")])
def test_the_order_of_sales_is_the_sellers(order: tuple[str, str]) -> None:
    game = trading(row=3, column=3, ann=60)
    r.floated(game, "CME", "ann", 3, 3)
    r.own(game, "CME", "ann", 60)
    r.stock(game, "ann")
    for company in order:
        game.apply(mv.SellShares("ann", company, 10))
    assert game.prices.order() == list(order)


@pytest.mark.rule("DO-4.4.6-a")
@pytest.mark.parametrize(
    ("at", "percent", "to"),
    [((5, 6), 10, (70, 5, 6)), ((6, 1), 10, (20, 6, 1)), ((4, 3), 20, (50, 6, 3)), ((4, 3), 40, (50, 6, 3))],
)
def test_a_price_falls_a_row_for_each_share(at: tuple[int, int], percent: int, to: tuple[int, int, int]) -> None:
    game = trading(row=at[0], column=at[1], ann=60)
    game.apply(mv.SellShares("ann", "BME", percent))
    assert r.price(game, "BME") == to


@pytest.mark.rule("DO-4.4.6-b")
def test_a_railway_of_which_players_hold_everything_rises() -> None:
    game = trading(ann=60, bo=40)
    r.floated(game, "CME", "cy", 1, 6)
    for player, percent in (("cy", 50), ("di", 50)):
        r.own(game, "CME", player, percent)
    r.floated(game, "RhE", "cy", 4, 3)
    for player, percent in (("cy", 50), ("di", 40)):
        r.own(game, "RhE", player, percent)
    r.stock(game, "ann")
    r.end_stock(game)
    assert [r.price(game, name) for name in ("BME", "CME", "RhE")] == [(65, 3, 3), (100, 1, 6), (60, 4, 3)]


@pytest.mark.rule("DO-4.4.6-b")
def test_sold_out_railways_rise_in_operating_order() -> None:
    game = trading(row=5, column=4, ann=60, bo=40)
    r.floated(game, "CME", "cy", 4, 4)
    r.floated(game, "RhE", "di", 3, 4)
    for name, one, other in (("CME", "cy", "bo"), ("RhE", "di", "bo")):
        r.own(game, name, one, 60)
        r.own(game, name, other, 40)
    r.stock(game, "ann")
    r.end_stock(game)
    assert game.prices.order() == ["RhE", "CME", "BME"]
    assert [r.price(game, name)[1] for name in ("RhE", "CME", "BME")] == [2, 3, 4]


@pytest.mark.rule("DO-4.3.1-e")
def test_a_marker_may_be_given_before_the_trade() -> None:
    game = trading(player="bo", ann=50)
    r.floated(game, "CME", "bo")
    r.stock(game, "bo")
    game.apply(TurnBrewery("bo", "P2", "CME"))
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert r.held(game, "BME", "bo") == 10


@pytest.mark.rule("DO-4.3.1-e")
def test_a_marker_may_be_given_after_the_trade_to_a_railway_that_came_by_it() -> None:
    game = trading(player="bo", ann=50)
    game.apply(mv.Found("bo", "CME", 60))
    assert (r.asked(game), r.names(game)) == ("bo", {"turn_brewery", "pass"})
    assert r.refused(game, mv.BuyShare("bo", "CME", "CME", 10)).rule == "DO-4.4-b"
    kept = game.copy()
    game.apply(TurnBrewery("bo", "P2", "CME"))
    assert (BreweryCards.of(game).markers["P2"], r.asked(game)) == ("CME", "cy")
    events = kept.apply(mv.Pass("bo"))
    assert (BreweryCards.of(kept).markers["P2"], r.asked(kept)) == ("", "cy")
    assert Passes.of(kept).passes == 0, "to keep the marker is no pass"
    assert not any(isinstance(event, ev.Passed) for event in events)


@pytest.mark.rule("DO-4.3.1-e")
def test_who_overtakes_a_director_may_give_a_marker_at_once() -> None:
    game = trading(player="bo", ann=30, bo=30)
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert (game.company("BME").director, r.asked(game)) == ("bo", "bo")
    assert r.offered(game, "turn_brewery", private="P2") == ["BME"]


@pytest.mark.rule("DO-4.3.1-e")
def test_nobody_is_asked_after_a_trade_that_brought_no_railway_or_without_a_marker() -> None:
    game = trading(player="bo", ann=50)
    r.floated(game, "CME", "bo")
    r.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "BME", "BME", 10))
    assert r.asked(game) == "cy", "to CME the marker could have been given before"
    game = trading(player="ann", ann=50)
    game.apply(mv.Found("ann", "CME", 60))
    assert r.asked(game) == "bo", "No. 1 has no marker"
    game = trading(player="bo", ann=50)
    r.marker(game, 2, "BME")
    game.apply(mv.Found("bo", "CME", 60))
    assert r.asked(game) == "cy", "the marker has been given"
