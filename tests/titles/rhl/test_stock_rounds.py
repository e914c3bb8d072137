"""Stock rounds: turns, purchases, floating, sales, limits, and what happens at their end."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from tests.titles.arranging import asked, passing, walk
from tests.titles.rhl import arrange
from tests.titles.rhl.asking import facts, holding, of_kind, paid, pass_until, pool, price, values

PINK = [100, 90, 80, 75, 70, 65, 60]


def round_two(*floats: tuple[str, str], players: int = 3, first: str = "ann", number: int = 2) -> Game:
    """A stock round in which these companies have floated, each with 50 (60) % in its director's hands."""
    game = arrange.after_package(players)
    for company, director in floats:
        arrange.floated(game, company, director)
    arrange.stock(game, first, number)
    return game


def end(game: Game) -> list[ev.Event]:
    """Everybody passes."""
    return passing(game, *game.from_seat(asked(game)))


def filled(game: Game, player: str, certificates: int) -> None:
    """Hand certificates of ADR, BME and CME to a player until this many count against their limit."""
    for company in ("ADR", "BME", "CME"):
        while shares.certificates(game, player) < certificates:
            free = [n for n in shares.numbers(game, company, OFFERING) if n]
            if not free:
                break
            game.company(company).certificates[free[0]] = player
    assert shares.certificates(game, player) == certificates


# ---------------------------------------------------------------------- 5: turns


@pytest.mark.rule("RHL-5-a")
@pytest.mark.parametrize(("first", "order"), [("ann", "ann bo cy di"), ("cy", "cy di ann bo")])
def test_the_priority_deal_begins_and_the_others_follow_clockwise(first: str, order: str) -> None:
    game = round_two(players=4, first=first)
    seen = []
    for company in ("ADR", "BME", "CME", "DEE"):
        seen.append(asked(game))
        assert arrange.refused(game, mv.Found(game.after(seen[-1]), company, 60)).rule == "RHL-5-a"
        game.apply(mv.Found(seen[-1], company, 60))
    assert seen == order.split()
    assert asked(game) == first


@pytest.mark.rule("RHL-5-a")
def test_a_move_out_of_turn_is_refused() -> None:
    game = round_two()
    assert arrange.refused(game, mv.Found("bo", "ADR", 60)).rule == "RHL-5-a"


@pytest.mark.rule("RHL-5-b")
def test_who_passed_may_act_again_and_only_passes_in_succession_end_the_round() -> None:
    game = round_two()
    passing(game, "ann")
    game.apply(mv.Found("bo", "ADR", 60))
    passing(game, "cy")
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    passing(game, "bo", "cy")
    assert game.state.round.kind == "stock"
    passing(game, "ann")
    assert game.state.round.kind == "operating"


@pytest.mark.rule("RHL-5-b")
def test_a_sale_alone_is_an_action_and_no_pass() -> None:
    game = round_two(("ADR", "cy"))
    passing(game, "ann", "bo")
    walk(game, mv.SellShares("cy", "ADR", 10), mv.Pass("cy"))
    assert asked(game) == "ann"
    passing(game, "ann", "bo")
    assert game.state.round.kind == "stock"
    passing(game, "cy")
    assert game.state.round.kind == "operating"


@pytest.mark.rule("RHL-5-c")
def test_players_do_not_trade_with_each_other() -> None:
    game = round_two(("ADR", "bo"))
    assert values(game, "buy_share", company="ADR") == ["ADR"]
    for source in ("bo", "ann", "RhE", BANK):
        assert arrange.refused(game, mv.BuyShare("ann", "ADR", source, 10)).rule == "RHL-5-c"
    happened = game.apply(mv.BuyShare("ann", "ADR", "ADR", 10))
    assert of_kind(happened, ev.CertificateMoved)[0].source == "ADR"


# ---------------------------------------------------------------------- 5: the end of a round


@pytest.mark.rule("RHL-5-d")
@pytest.mark.parametrize(
    ("cash", "heir"),
    [
        ((500, 400, 300), "ann"),
        ((300, 400, 500), "cy"),
        ((300, 500, 400), "bo"),
        ((500, 300, 500), "cy"),  # bo held it: cy is next after him
        ((500, 500, 300), "ann"),  # the holder himself comes last
        ((300, 500, 500), "cy"),
        ((500, 500, 500), "cy"),
    ],
)
@pytest.mark.parametrize("number", [1, 2])
def test_the_richest_gets_the_priority_deal(cash: tuple[int, ...], heir: str, number: int) -> None:
    game = round_two(first="bo", number=number)
    for player, amount in zip(game.state.seats, cash, strict=True):
        arrange.cash(game, player, amount)
    happened = end(game)
    assert of_kind(happened, ev.PriorityMoved) == [ev.PriorityMoved(heir)]
    assert game.state.priority == heir


@pytest.mark.rule("RHL-5-e")
@pytest.mark.parametrize("number", [1, 2])
def test_a_company_wholly_in_players_hands_rises(number: int) -> None:
    game = round_two(("ADR", "bo"), number=number)
    arrange.hand(game, "ADR", "cy", 50, source="ADR")
    price(game, "ADR", (2, 4))
    happened = end(game)
    assert ev.SharePriceMoved("ADR", 90, 100, "sold_out") in happened


@pytest.mark.rule("RHL-5-e")
@pytest.mark.parametrize("rest", ["ADR", POOL])
def test_ten_percent_on_the_charter_or_in_the_pool_prevent_the_rise(rest: str) -> None:
    game = round_two(("ADR", "bo"))
    arrange.hand(game, "ADR", "cy", 50, source="ADR")
    game.company("ADR").certificates[-1] = rest
    happened = end(game)
    assert [event for event in of_kind(happened, ev.SharePriceMoved) if event.reason == "sold_out"] == []


@pytest.mark.rule("RHL-5-e")
def test_in_the_top_row_a_sold_out_company_stays() -> None:
    game = round_two(("ADR", "bo"))
    arrange.hand(game, "ADR", "cy", 50, source="ADR")
    price(game, "ADR", (0, 5))
    happened = end(game)
    assert [event for event in of_kind(happened, ev.SharePriceMoved) if event.reason == "sold_out"] == []
    assert "ADR" in game.state.stacks[0, 5]


def sold_out(*places: tuple[str, tuple[int, int]]) -> Game:
    """These companies are wholly in players' hands, their tokens put on these spaces one after the other."""
    game = round_two(*((company, "bo") for company, _ in places))
    for company, cell in places:
        arrange.hand(game, company, "cy", 50, source=company)
        price(game, company, cell)
    arrange.take_offer(game)
    return game


@pytest.mark.rule("RHL-5-e", "RHL-6-b")
@pytest.mark.parametrize("order", [("ADR", "BME", "CME"), ("CME", "ADR", "BME"), ("BME", "CME", "ADR")])
def test_sold_out_companies_of_one_space_rise_from_the_top_of_the_stack(order: tuple[str, ...]) -> None:
    game = sold_out(*((company, (2, 4)) for company in order))
    happened = end(game)
    risen = [event.company for event in of_kind(happened, ev.SharePriceMoved) if event.reason == "sold_out"]
    assert risen == list(order)
    assert game.state.stacks[1, 4][: len(order)] == list(order)


@pytest.mark.rule("RHL-5-e")
def test_sold_out_companies_rise_from_the_highest_price_down() -> None:
    """CME leaves (1, 4) before ADR arrives there; DEE, which is not sold out, stays above ADR."""
    game = sold_out(("ADR", (2, 4)), ("BME", (3, 6)), ("CME", (1, 4)))
    arrange.floated(game, "DEE", "ann")
    price(game, "DEE", (1, 4))
    arrange.take_offer(game)
    assert [game.prices.value(company) for company in ("ADR", "BME", "CME", "DEE")] == [90, 100, 100, 100]
    happened = end(game)
    risen = [event.company for event in of_kind(happened, ev.SharePriceMoved) if event.reason == "sold_out"]
    assert risen == ["BME", "CME", "ADR"]
    assert game.state.stacks[1, 4][:2] == ["DEE", "ADR"]


@pytest.mark.rule("RHL-5-e")
def test_a_sold_out_company_in_the_top_row_keeps_its_place_in_the_stack() -> None:
    game = sold_out(("ADR", (0, 5)))
    arrange.floated(game, "BME", "ann")
    price(game, "BME", (0, 5))
    end(game)
    assert game.state.stacks[0, 5][:2] == ["ADR", "BME"]


@pytest.mark.rule("RHL-5-f")
@pytest.mark.parametrize(("phase", "rounds"), [("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("8", 3)])
def test_operating_rounds_between_stock_rounds(phase: str, rounds: int) -> None:
    game = round_two()
    if phase != "2":
        arrange.phase(game, phase)
    arrange.trains(game, "RhE", "8")
    happened = end(game)
    happened += pass_until(game, "stock")
    began = [event.kind for event in of_kind(happened, ev.RoundBegan)]
    assert began == ["operating"] * rounds + ["stock"]


@pytest.mark.rule("RHL-5-f")
def test_a_3_train_bought_meanwhile_counts_from_the_next_stock_round_on() -> None:
    game = round_two()
    game.state.depot.left["2"] = 0
    arrange.cash(game, "RhE", 1000)
    end(game)
    while game.state.round.step != "trains":
        passing(game, "cy")
    happened = list(game.apply(mv.BuyTrain("cy", "RhE", "3", BANK, 200)))
    happened += pass_until(game, "stock")
    assert [event.kind for event in of_kind(happened, ev.RoundBegan)] == ["stock"]
    end(game)
    assert (game.state.round.operating_number, game.state.round.operating_total) == (1, 2)


# ---------------------------------------------------------------------- 5.1.2 to 5.1.4: buying


@pytest.mark.rule("RHL-5.1.2-a", "RHL-5.2-c")
def test_the_pool_opens_with_the_second_stock_round() -> None:
    game = arrange.after_package()
    assert game.state.round.stock_number == 1
    assert values(game, "buy_share", company="RhE") == ["RhE"]
    assert arrange.refused(game, mv.BuyShare("ann", "RhE", POOL, 10)).rule == "RHL-5.1.2-a"
    game.apply(mv.BuyShare("ann", "RhE", "RhE", 10))
    arrange.stock(game, "bo", number=2)
    assert values(game, "buy_share", company="RhE") == ["RhE", POOL]
    game.apply(mv.BuyShare("bo", "RhE", POOL, 10))
    assert pool(game, "RhE") == 20


@pytest.mark.rule("RHL-5.1.2-a")
def test_certificates_leave_the_offering_from_the_top() -> None:
    game = arrange.after_package()
    walk(game, mv.Found("ann", "ADR", 60), mv.BuyShare("bo", "ADR", OFFERING, 10))
    game.apply(mv.BuyShare("cy", "ADR", OFFERING, 10))
    assert [shares.numbers(game, "ADR", player) for player in ("ann", "bo", "cy")] == [[0], [1], [2]]
    # It has not floated: there is nothing on its charter.
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", "ADR", 10)).rule == "RHL-3.1-a"


@pytest.mark.rule("RHL-5.1.2-b")
def test_a_turn_of_the_first_round_is_one_foundation_one_certificate_or_a_pass() -> None:
    game = arrange.after_package()
    assert arrange.names(game) == {"found", "buy_share", "pass"}
    game.apply(mv.Found("ann", "ADR", 60))
    assert asked(game) == "bo"
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, 10)).rule == "RHL-5-a"
    game.apply(mv.BuyShare("bo", "ADR", OFFERING, 10))
    assert asked(game) == "cy"
    assert arrange.refused(game, mv.Found("bo", "BME", 60)).rule == "RHL-5-a"
    passing(game, "cy")
    assert asked(game) == "ann"
    for percent in (20, 30):
        assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, percent)).rule == "RHL-3.1-a"


@pytest.mark.rule("RHL-5.1.3-a")
def test_the_founder_chooses_a_pink_value_and_pays_it_per_share() -> None:
    game = arrange.after_package()
    assert values(game, "found", company="ADR") == PINK
    assert facts(game, "found", 75, company="ADR") == {"price": 150}
    for par in (50, 55, 85, 110, 120):
        assert arrange.refused(game, mv.Found("ann", "ADR", par)).rule == "RHL-5.1.3-a"
    happened = game.apply(mv.Found("ann", "ADR", 75))
    assert paid(happened, "ann", BANK) == 150
    assert game.prices.value("ADR") == 75
    assert game.company("ADR").director == "ann"


@pytest.mark.rule("RHL-5.1.3-a")
@pytest.mark.parametrize("par", PINK)
def test_the_token_goes_on_the_pink_space(par: int) -> None:
    game = arrange.after_package()
    game.apply(mv.Found("ann", "BME", par))
    row, column = game.company("BME").price or (-1, -1)
    assert game.definition.market.marks[row][column] == "p"
    assert game.prices.value("BME") == par


@pytest.mark.rule("RHL-5.1.3-a")
def test_the_dearest_value_is_what_the_founder_can_pay() -> None:
    game = arrange.after_package()
    arrange.cash(game, "ann", 125)
    assert values(game, "found", company="ADR") == [60]
    assert arrange.refused(game, mv.Found("ann", "ADR", 65)).rule == ""
    game.apply(mv.Found("ann", "ADR", 60))
    assert game.state.cash["ann"] == 5


@pytest.mark.rule("RHL-5.1.3-a", "RHL-2.1.2-a")
def test_the_last_mark_may_be_spent_but_no_more() -> None:
    game = arrange.after_package()
    for company, par in (("ADR", 80), ("DEE", 60)):
        arrange.founded(game, company, "bo", par=par)
    for cash, allowed in ((120, True), (119, False)):
        arrange.cash(game, "ann", cash)
        arrange.take_offer(game)
        assert ("BME" in values(game, "found")) == allowed
    for cash, allowed in ((80, True), (79, False)):
        arrange.cash(game, "ann", cash)
        arrange.take_offer(game)
        assert ("ADR" in values(game, "buy_share")) == allowed
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, 10)).rule == ""
    arrange.cash(game, "ann", 120)
    arrange.take_offer(game)
    twin = game.copy()
    twin.apply(mv.Found("ann", "BME", 60))
    assert twin.state.cash["ann"] == 0
    arrange.cash(game, "ann", 80)
    arrange.take_offer(game)
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.state.cash["ann"] == 0


@pytest.mark.rule("RHL-5.1.3-a")
def test_a_company_is_founded_once() -> None:
    game = arrange.after_package()
    game.apply(mv.Found("ann", "ADR", 60))
    assert arrange.refused(game, mv.Found("bo", "ADR", 60)).rule == "RHL-3.1-a"
    assert arrange.refused(game, mv.Found("bo", "RhE", 60)).rule == "RHL-3.1-a"


@pytest.mark.rule("RHL-5.1.3-b")
@pytest.mark.parametrize("order", [("ADR", "BME", "CME"), ("CME", "BME", "ADR")])
def test_a_new_token_goes_below_those_on_its_space(order: tuple[str, ...]) -> None:
    game = arrange.after_package()
    for company in order:
        game.apply(mv.Found(asked(game), company, 80))
    assert game.state.stacks[1, 2] == list(order)
    for company in reversed(order):
        arrange.floated(game, company, game.company(company).director)
    arrange.cash(game, "RhE", 0)
    happened = end(game)
    happened += pass_until(game, "stock")
    turns = [event.actor for event in of_kind(happened, ev.TurnBegan)]
    assert [company for company in turns if company in order] == list(order)


@pytest.mark.rule("RHL-5.1.4-a", "RHL-5.1.4-b")
def test_before_the_float_the_bank_is_paid_and_after_it_the_company() -> None:
    game = arrange.after_package()
    arrange.founded(game, "ADR", "ann", par=80)
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert paid(happened, "ann", BANK) == 80
    assert game.state.cash["ADR"] == 0
    arrange.floated(game, "ADR", "ann", treasury=0)
    happened = game.apply(mv.BuyShare("bo", "ADR", "ADR", 10))
    assert paid(happened, "bo", "ADR") == 80
    assert game.state.cash["ADR"] == 80
    assert paid(happened, "bo", BANK) == 0


@pytest.mark.rule("RHL-5.1.4-b")
def test_a_certificate_from_the_pool_is_paid_to_the_bank() -> None:
    game = round_two()
    treasury = game.state.cash["RhE"]
    happened = game.apply(mv.BuyShare("ann", "RhE", POOL, 10))
    assert paid(happened, "ann", BANK) == 75
    assert game.state.cash["RhE"] == treasury


# ---------------------------------------------------------------------- 5.1.5: floating


@pytest.mark.rule("RHL-5.1.5-a", "RHL-5.1.5-b")
@pytest.mark.parametrize("phase", ["2", "3", "4"])
def test_floating_at_80_brings_400_and_half_of_the_shares_and_raises_the_value(phase: str) -> None:
    game = arrange.after_package()
    if phase != "2":
        arrange.phase(game, phase)
    arrange.founded(game, "ADR", "ann", par=80)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann")
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert of_kind(happened, ev.CompanyFloated) == [ev.CompanyFloated("ADR", 400)]
    assert game.state.cash["ADR"] == 400
    assert holding(game, "ADR", "ADR", OFFERING, POOL) == [50, 0, 0]
    assert of_kind(happened, ev.SharePriceMoved) == [ev.SharePriceMoved("ADR", 80, 90, "float")]
    assert game.company("ADR").price == (0, 2)
    assert asked(game) == "bo"


@pytest.mark.rule("RHL-5.1.5-a")
def test_a_company_floats_at_its_value_of_that_moment() -> None:
    game = arrange.after_package()
    arrange.founded(game, "ADR", "ann", par=80)
    arrange.hand(game, "ADR", "ann", 20)
    price(game, "ADR", (1, 5))
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.state.cash["ADR"] == 5 * 110


@pytest.mark.rule("RHL-5.1.5-b")
def test_a_company_that_floats_in_the_top_row_stays() -> None:
    game = arrange.after_package()
    arrange.founded(game, "ADR", "ann", par=100)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann")
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.company("ADR").floated
    assert of_kind(happened, ev.SharePriceMoved) == []
    assert game.company("ADR").price == (0, 3)


@pytest.mark.rule("RHL-5.1.5-b")
def test_in_the_earlier_edition_the_value_rises_at_the_end_of_the_round() -> None:
    game = arrange.new(edition="earlier")
    for lot in ("PWB", "KEO", "THS", "TF", "NLK", "RHE-DIR"):
        game.apply(mv.BuyLot(asked(game), lot))
    game.apply(mv.Found(asked(game), "RhE", 70))
    arrange.founded(game, "ADR", "ann", par=80)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann", number=1)
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert of_kind(happened, ev.SharePriceMoved) == []
    happened = end(game)
    risen = {(event.company, event.new) for event in of_kind(happened, ev.SharePriceMoved)}
    assert {("ADR", 90), ("RhE", 75)} <= risen


@pytest.mark.rule("RHL-5.1.5-c")
@pytest.mark.parametrize("phase", ["5", "6", "8"])
def test_in_brown_and_grey_a_company_gets_the_value_of_all_its_shares(phase: str) -> None:
    game = arrange.after_package()
    arrange.phase(game, phase)
    arrange.founded(game, "ADR", "ann", par=90)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann")
    happened = game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.state.cash["ADR"] == 900
    assert holding(game, "ADR", "ADR", OFFERING, POOL) == [0, 0, 50]
    assert of_kind(happened, ev.SharePriceMoved) == []
    assert game.company("ADR").price == (1, 3)


@pytest.mark.rule("RHL-5.1.5-c")
def test_par_100_in_brown_brings_1000() -> None:
    game = arrange.after_package()
    arrange.phase(game, "5")
    arrange.founded(game, "ADR", "ann", par=100)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.state.cash["ADR"] == 1000
    assert pool(game, "ADR") == 50


@pytest.mark.rule("RHL-5.1.5-d")
def test_the_director_gets_charter_and_stations_with_the_float() -> None:
    game = arrange.after_package()
    walk(game, mv.Found("ann", "ADR", 60), mv.BuyShare("bo", "ADR", OFFERING, 10))
    game.apply(mv.BuyShare("cy", "ADR", OFFERING, 10))
    assert game.board.stations_of("ADR") == []
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.board.stations_of("ADR") == [("K2", 0)]
    assert game.company("ADR").tokens_left == [60, 80]
    happened = pass_until(game, "operating")
    while game.state.round.actor != "ADR":
        happened += passing(game, asked(game))
    assert asked(game) == "ann"
    assert "lay_tile" in arrange.names(game)


@pytest.mark.rule("RHL-5.1.5-d")
def test_a_company_that_has_not_floated_does_not_operate() -> None:
    game = arrange.after_package()
    game.apply(mv.Found("ann", "ADR", 60))
    happened = pass_until(game, "operating")
    happened += pass_until(game, "stock")
    assert [event.actor for event in of_kind(happened, ev.TurnBegan)] == ["RhE"]


@pytest.mark.rule("RHL-5.1.5-d")
def test_in_the_earlier_edition_the_home_station_waits_for_the_first_turn() -> None:
    game = arrange.new(edition="earlier")
    for lot in ("PWB", "KEO", "THS", "TF", "NLK", "RHE-DIR"):
        game.apply(mv.BuyLot(asked(game), lot))
    game.apply(mv.Found(asked(game), "RhE", 70))
    arrange.founded(game, "ADR", "ann", par=60)
    arrange.hand(game, "ADR", "bo", 20)
    arrange.stock(game, "ann", number=1)
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.company("ADR").floated
    assert game.board.stations_of("ADR") == []
    assert game.board.has_station("ADR", "K2")
    arrange.operating(game, "ADR")
    assert game.board.stations_of("ADR") == [("K2", 0)]


# ---------------------------------------------------------------------- 5.2: turns of later rounds


@pytest.mark.rule("RHL-5.2-a")
def test_sell_any_number_and_then_buy_one() -> None:
    game = round_two(("ADR", "ann"), ("BME", "ann"), ("DEE", "bo"))
    walk(game, mv.SellShares("ann", "ADR", 20), mv.SellShares("ann", "BME", 10))
    assert asked(game) == "ann"
    game.apply(mv.BuyShare("ann", "DEE", "DEE", 10))
    assert asked(game) == "bo"
    assert holding(game, "ADR", "ann", POOL) == [30, 20]
    assert holding(game, "BME", "ann", POOL) == [40, 10]
    assert holding(game, "DEE", "ann") == [10]


@pytest.mark.rule("RHL-5.2-a")
def test_sell_and_then_found() -> None:
    game = round_two(("ADR", "ann"))
    walk(game, mv.SellShares("ann", "ADR", 10), mv.Found("ann", "BME", 60))
    assert asked(game) == "bo"


@pytest.mark.rule("RHL-5.2-a")
@pytest.mark.parametrize("purchase", [mv.BuyShare("ann", "DEE", "DEE", 10), mv.Found("ann", "CME", 60), mv.Pass("ann")])
def test_nothing_is_sold_or_bought_after_a_purchase(purchase: mv.Move) -> None:
    game = round_two(("ADR", "ann"), ("DEE", "bo"))
    game.apply(purchase)
    assert asked(game) == "bo"
    for move in (
        mv.SellShares("ann", "ADR", 10),
        mv.BuyShare("ann", "DEE", "DEE", 10),
        mv.Found("ann", "BME", 60),
    ):
        assert arrange.refused(game, move).rule == "RHL-5-a"


@pytest.mark.rule("RHL-5.2-b")
def test_who_sold_a_company_may_not_buy_it_until_the_next_stock_round() -> None:
    game = round_two(("ADR", "ann"), ("DEE", "bo"))
    game.apply(mv.SellShares("ann", "ADR", 10))
    for source in ("ADR", POOL):
        assert arrange.refused(game, mv.BuyShare("ann", "ADR", source, 10)).rule == "RHL-5.2-b"
    assert "ADR" not in values(game, "buy_share")
    game.apply(mv.BuyShare("ann", "DEE", "DEE", 10))
    game.apply(mv.BuyShare("bo", "ADR", POOL, 10))  # others may
    game.apply(mv.BuyShare("cy", "DEE", "DEE", 10))
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", "ADR", 10)).rule == "RHL-5.2-b"
    passing(game, "ann", "bo", "cy")
    pass_until(game, "stock")
    while asked(game) != "ann":
        passing(game, asked(game))
    game.apply(mv.BuyShare("ann", "ADR", "ADR", 10))


@pytest.mark.rule("RHL-5.2-b")
def test_who_bought_may_sell_later_in_the_same_round() -> None:
    game = round_two(("ADR", "bo"))
    game.apply(mv.BuyShare("ann", "ADR", "ADR", 10))
    passing(game, "bo", "cy")
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert pool(game, "ADR") == 10


# ---------------------------------------------------------------------- 5.2.1: sales


@pytest.mark.rule("RHL-5.2.1-a")
def test_at_most_half_of_a_company_lies_in_the_pool() -> None:
    game = round_two(("ADR", "bo"))
    arrange.hand(game, "ADR", "ann", 30, source="ADR")
    arrange.hand(game, "ADR", POOL, 20, source="ADR")
    arrange.stock(game, "ann")
    game.apply(mv.SellShares("ann", "ADR", 20))
    assert pool(game, "ADR") == 40
    passing(game, "ann")
    assert values(game, "sell_shares", company="ADR") == [10]
    assert arrange.refused(game, mv.SellShares("bo", "ADR", 20)).rule == "RHL-5.2.1-a"
    game.apply(mv.SellShares("bo", "ADR", 10))
    assert pool(game, "ADR") == 50
    passing(game, "bo", "cy")
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-a"


@pytest.mark.rule("RHL-5.2.1-b")
def test_shares_of_a_company_that_has_not_floated_are_not_sold() -> None:
    game = arrange.after_package()
    arrange.founded(game, "ADR", "bo", par=60)
    arrange.hand(game, "ADR", "ann", 20)
    arrange.stock(game, "ann")
    assert "sell_shares" not in arrange.names(game)
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-b"
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.company("ADR").floated
    passing(game, "bo", "cy")
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert not game.company("ADR").operated


@pytest.mark.rule("RHL-5.2.1-b", "RHL-4.1.1-n")
def test_the_share_of_private_no_5_is_not_sold_before_gve_floats() -> None:
    game = round_two(first="cy")
    assert shares.held(game, "GVE", "cy") == 10
    assert arrange.refused(game, mv.SellShares("cy", "GVE", 10)).rule == "RHL-5.2.1-b"


@pytest.mark.rule("RHL-5.2.1-b")
def test_in_the_earlier_edition_a_company_must_have_operated() -> None:
    game = arrange.new(edition="earlier")
    for lot in ("PWB", "KEO", "THS", "TF", "NLK", "RHE-DIR"):
        game.apply(mv.BuyLot(asked(game), lot))
    game.apply(mv.Found(asked(game), "RhE", 70))
    arrange.floated(game, "ADR", "ann")
    arrange.stock(game, "ann")
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-b"
    game.company("ADR").operated = True
    arrange.take_offer(game)
    game.apply(mv.SellShares("ann", "ADR", 10))


@pytest.mark.rule("RHL-5.2.1-c", "RHL-5.2.1-f")
@pytest.mark.parametrize("percent", [10, 20, 30])
def test_a_sale_moves_the_token_one_space_down_and_pays_the_value_before(percent: int) -> None:
    game = round_two(("ADR", "ann"))
    price(game, "ADR", (1, 3))
    happened = game.apply(mv.SellShares("ann", "ADR", percent))
    assert paid(happened, BANK, "ann") == 90 * percent // 10
    assert of_kind(happened, ev.SharePriceMoved) == [ev.SharePriceMoved("ADR", 90, 80, "sale")]
    assert game.company("ADR").price == (2, 3)


@pytest.mark.rule("RHL-5.2.1-f")
def test_two_shares_sold_at_90_bring_180() -> None:
    game = round_two(("ADR", "ann"))
    price(game, "ADR", (1, 3))
    before = game.state.cash["ann"]
    game.apply(mv.SellShares("ann", "ADR", 20))
    assert game.state.cash["ann"] - before == 180


@pytest.mark.rule("RHL-5.2.1-c")
@pytest.mark.parametrize("bottom", [(5, 0), (5, 2), (4, 3), (0, 16)])
def test_at_the_bottom_of_its_column_the_token_stays(bottom: tuple[int, int]) -> None:
    game = round_two(("ADR", "ann"))
    price(game, "ADR", bottom)
    happened = game.apply(mv.SellShares("ann", "ADR", 10))
    assert game.company("ADR").price == bottom
    assert of_kind(happened, ev.SharePriceMoved) == []


@pytest.mark.rule("RHL-5.2.1-c")
@pytest.mark.parametrize("bottom", [(5, 0), (5, 2), (4, 3)])
def test_a_token_that_cannot_go_down_keeps_its_place_in_the_stack(bottom: tuple[int, int]) -> None:
    game = round_two(("ADR", "ann"), ("BME", "bo"), ("DEE", "cy"))
    for company in ("BME", "ADR", "DEE"):
        price(game, company, bottom)
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert game.state.stacks[bottom] == ["BME", "ADR", "DEE"]


@pytest.mark.rule("RHL-5.2.1-c")
def test_a_company_is_sold_in_one_sale_a_turn() -> None:
    game = round_two(("ADR", "ann"))
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-c"
    passing(game, "ann", "bo", "cy")
    game.apply(mv.SellShares("ann", "ADR", 10))


@pytest.mark.rule("RHL-5.2.1-d")
def test_on_an_occupied_space_the_token_goes_below() -> None:
    game = round_two(("ADR", "ann"), ("BME", "bo"), ("DEE", "cy"))
    price(game, "BME", (2, 3))
    price(game, "DEE", (2, 3))
    price(game, "ADR", (1, 3))
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert game.state.stacks[2, 3] == ["BME", "DEE", "ADR"]
    order = game.prices.order()
    assert order.index("BME") < order.index("DEE") < order.index("ADR")


@pytest.mark.rule("RHL-5.2.1-e")
@pytest.mark.parametrize("order", [("ADR", "BME"), ("BME", "ADR")])
def test_sales_are_carried_out_in_the_order_the_player_states(order: tuple[str, str]) -> None:
    game = round_two(("ADR", "ann"), ("BME", "ann"))
    for company in ("ADR", "BME"):
        price(game, company, (1, 3))
    happened = walk(game, *(mv.SellShares("ann", company, 10) for company in order))
    assert game.state.stacks[2, 3] == list(order)
    assert [event.company for event in of_kind(happened, ev.SharesSold)] == list(order)
    assert [move.company for move in game.moves[-2:]] == list(order)  # type: ignore[attr-defined]


# ---------------------------------------------------------------------- 5.2.2: limits


@pytest.mark.rule("RHL-5.2.2-a", "RHL-5.2.2-b")
@pytest.mark.parametrize(("players", "limit"), [(3, 20), (4, 15), (5, 12)])
def test_the_certificate_limit(players: int, limit: int) -> None:
    game = round_two(players=players)
    for company in ("ADR", "BME", "CME", "DEE"):
        arrange.founded(game, company, "bo", par=60)
    filled(game, "ann", limit - 1)  # two privates among them
    assert [lot for lot, owner in game.state.privates.items() if owner == "ann"] == ["PWB", "KEO"]
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "DEE", OFFERING, 10))
    assert shares.certificates(game, "ann") == limit
    arrange.stock(game, "ann")
    assert arrange.refused(game, mv.BuyShare("ann", "DEE", OFFERING, 10)).rule == "RHL-5.2.2-b"
    assert arrange.refused(game, mv.Found("ann", "CCE", 60)).rule == "RHL-5.2.2-b"
    passing(game, "ann")  # at the limit one may pass


@pytest.mark.rule("RHL-5.2.2-a")
def test_a_20_percent_certificate_counts_one() -> None:
    game = round_two()
    arrange.founded(game, "MKB", "bo", par=60)
    before = shares.certificates(game, "ann")
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "MKB", OFFERING, 20))
    assert shares.certificates(game, "ann") == before + 1
    for company in ("ADR", "CME"):
        arrange.founded(game, company, "cy", par=60)
    arrange.founded(game, "BME", "ann", par=60)
    filled(game, "ann", 19)
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "MKB", OFFERING, 20))  # the twentieth
    assert shares.held(game, "MKB", "ann") == 40


@pytest.mark.rule("RHL-5.2.2-b")
def test_at_the_limit_one_may_buy_after_a_sale_in_the_same_turn() -> None:
    game = round_two(("ADR", "ann"))
    for company in ("BME", "CME", "DEE"):
        arrange.founded(game, company, "bo", par=60)
    filled(game, "ann", 20)
    arrange.stock(game, "ann")
    assert {"buy_share", "found"}.isdisjoint(arrange.names(game))
    assert arrange.refused(game, mv.BuyShare("ann", "DEE", OFFERING, 10)).rule == "RHL-5.2.2-b"
    game.apply(mv.SellShares("ann", "ADR", 10))
    game.apply(mv.BuyShare("ann", "DEE", OFFERING, 10))
    assert shares.certificates(game, "ann") == 20


@pytest.mark.rule("RHL-5.2.2-c")
def test_who_exceeds_the_limit_by_losing_a_directors_certificate_must_sell() -> None:
    game = arrange.after_package()
    arrange.founded(game, "DEE", "ann")
    arrange.hand(game, "DEE", "bo", 20)
    arrange.hand(game, "DEE", "cy", 10)
    arrange.floated(game, "DEE", "ann")
    for company in ("ADR", "BME", "CME"):
        arrange.founded(game, company, "cy", par=60)
    filled(game, "ann", 20)
    arrange.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "DEE", "DEE", 10))
    assert game.company("DEE").director == "bo"
    assert shares.certificates(game, "ann") == 21
    passing(game, "cy")
    assert arrange.names(game) == {"sell_shares"}
    assert arrange.refused(game, mv.Pass("ann")).rule == "RHL-5.2.2-c"
    assert arrange.refused(game, mv.BuyShare("ann", "RhE", POOL, 10)).rule == "RHL-5.2.2-b"
    assert arrange.refused(game, mv.Found("ann", "CCE", 60)).rule == "RHL-5.2.2-b"
    game.apply(mv.SellShares("ann", "DEE", 10))
    assert shares.certificates(game, "ann") == 20
    assert asked(game) == "bo"  # ann has nothing more to sell and may not buy


@pytest.mark.rule("RHL-5.2.2-d")
def test_a_player_may_hold_all_of_a_company() -> None:
    game = round_two(("ADR", "ann"))
    arrange.hand(game, "ADR", "ann", 40, source="ADR")
    arrange.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "ADR", "ADR", 10))
    assert shares.held(game, "ADR", "ann") == 100
