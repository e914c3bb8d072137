"""The starting package: purchases, bids, auctions, the lowered first lot, the short operating round."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.state import BANK, OFFERING
from tests.titles.arranging import asked, passing, walk
from tests.titles.rhl import arrange
from tests.titles.rhl.asking import facts, of_kind, paid, values


def buy(player: str, lot: str) -> mv.BuyLot:
    return mv.BuyLot(player, lot)


def bid(player: str, lot: str, price: int) -> mv.Bid:
    return mv.Bid(player, lot, price)


def owners(game: Game) -> dict[str, str]:
    return {lot: owner for lot, owner in game.state.privates.items() if owner}


def to_last_lot(players: int = 3, **options: object) -> Game:
    """Only RhE's director's certificate is left, and it is ann's turn."""
    game = arrange.new(players, **options)
    lots = ["PWB", "KEO", "THS", "TF", "NLK"]
    for number, lot in enumerate(lots):
        game.apply(buy(arrange.SEATS[number % players], lot))
    while asked(game) != "ann":
        passing(game, asked(game))
    return game


# ---------------------------------------------------------------------- what is on sale


@pytest.mark.rule("RHL-5.1-a")
def test_nothing_is_sold_in_the_first_stock_round() -> None:
    game = arrange.new()
    walk(game, buy("ann", "PWB"), buy("bo", "KEO"), buy("cy", "THS"), buy("ann", "TF"), buy("bo", "NLK"))
    assert "sell_shares" not in arrange.names(game)
    assert arrange.refused(game, mv.SellShares("cy", "GVE", 10)).rule == "RHL-5.1-a"
    game.apply(buy("cy", "RHE-DIR"))
    arrange.floated(game, "ADR", "ann")
    assert asked(game) == "ann"
    assert "sell_shares" not in arrange.names(game)
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.1-a"


@pytest.mark.rule("RHL-5.1-b")
def test_shares_are_on_sale_only_after_the_last_lot() -> None:
    game = to_last_lot()
    assert arrange.names(game) == {"buy_lot", "pass"}
    assert arrange.refused(game, mv.Found("ann", "ADR", 60)).rule == "RHL-5.1-b"
    assert arrange.refused(game, mv.BuyShare("ann", "GVE", OFFERING, 10)).rule == "RHL-5.1-b"
    game.apply(buy("ann", "RHE-DIR"))
    game.apply(mv.Found("bo", "ADR", 60))
    assert game.company("ADR").director == "bo"


@pytest.mark.rule("RHL-5.1.1-a")
def test_the_lowest_lot_is_bought_and_the_others_are_bid_on() -> None:
    game = arrange.new()
    assert values(game, "buy_lot") == ["PWB"]
    assert facts(game, "buy_lot", "PWB") == {"price": 20}
    assert values(game, "bid") == ["KEO", "THS", "TF", "NLK", "RHE-DIR"]
    assert arrange.refused(game, bid("ann", "PWB", 25)).rule == "RHL-5.1.1-a"
    assert arrange.refused(game, buy("ann", "KEO")).rule == "RHL-5.1.1-a"
    happened = game.apply(buy("ann", "PWB"))
    assert paid(happened, "ann", BANK) == 20
    assert values(game, "buy_lot") == ["KEO"]
    assert arrange.refused(game, bid("bo", "KEO", 35)).rule == "RHL-5.1.1-a"
    assert arrange.refused(game, buy("bo", "PWB")).rule == "RHL-5.1.1-a"


@pytest.mark.rule("RHL-5.1.1-b")
@pytest.mark.parametrize("move", [buy("ann", "PWB"), bid("ann", "TF", 85), mv.Pass("ann")])
def test_a_turn_is_one_purchase_one_bid_or_a_pass(move: mv.Move) -> None:
    game = arrange.new()
    game.apply(move)
    assert asked(game) == "bo"
    assert arrange.refused(game, bid("ann", "NLK", 125)).rule == "RHL-5.1.1-b"


# ---------------------------------------------------------------------- bids


@pytest.mark.rule("RHL-5.1.1-c")
def test_bids_rise_by_5_or_a_multiple_of_5() -> None:
    game = arrange.new()
    for price in (80, 84, 87):
        assert arrange.refused(game, bid("ann", "TF", price)).rule == "RHL-5.1.1-c"
    game.apply(bid("ann", "TF", 85))
    for price in (85, 89, 92):
        assert arrange.refused(game, bid("bo", "TF", price)).rule == "RHL-5.1.1-c"
    assert values(game, "bid", lot="TF")[:3] == [90, 95, 100]
    game.apply(bid("bo", "TF", 90))
    game.apply(bid("cy", "TF", 105))
    assert facts(game, "bid", "TF") == {"least": 110}


@pytest.mark.rule("RHL-5.1.1-c", "RHL-4.1.1-o")
def test_a_bid_on_lot_6_begins_at_145() -> None:
    game = arrange.new()
    assert arrange.refused(game, bid("ann", "RHE-DIR", 140)).rule == "RHL-5.1.1-c"
    game.apply(bid("ann", "RHE-DIR", 145))


@pytest.mark.rule("RHL-5.1.1-c")
def test_in_the_earlier_edition_bids_need_not_be_multiples_of_5() -> None:
    game = arrange.new(edition="earlier")
    assert arrange.refused(game, bid("ann", "TF", 84)).rule == "RHL-5.1.1-c"
    walk(game, bid("ann", "TF", 86), bid("bo", "TF", 91))


@pytest.mark.rule("RHL-5.1.1-d")
def test_the_money_of_a_bid_is_bound() -> None:
    game = arrange.new()
    game.apply(bid("ann", "RHE-DIR", 150))
    assert game.state.cash["ann"] == 600
    passing(game, "bo", "cy")
    assert values(game, "bid", lot="TF")[-1] == 450
    assert arrange.refused(game, bid("ann", "TF", 455)).rule == "RHL-5.1.1-d"
    game.apply(bid("ann", "TF", 435))
    passing(game, "bo", "cy")
    assert "buy_lot" not in arrange.names(game)
    assert values(game, "bid") == ["TF", "RHE-DIR"]
    assert arrange.refused(game, buy("ann", "PWB")).rule == "RHL-5.1.1-d"
    assert arrange.refused(game, bid("ann", "NLK", 125)).rule == "RHL-5.1.1-d"


@pytest.mark.rule("RHL-5.1.1-d")
@pytest.mark.parametrize(("bound", "enough"), [(580, True), (585, False)])
def test_the_last_free_mark_buys_the_lowest_lot(bound: int, enough: bool) -> None:
    game = arrange.new()
    game.apply(bid("ann", "RHE-DIR", bound))
    passing(game, "bo", "cy")
    assert ("buy_lot" in arrange.names(game, "ann")) == enough
    if enough:
        game.apply(buy("ann", "PWB"))
        assert owners(game) == {"PWB": "ann"}


@pytest.mark.rule("RHL-5.1.1-d")
def test_a_raised_bid_replaces_the_own_one_and_binds_only_its_own_sum() -> None:
    game = arrange.new()
    game.apply(bid("ann", "RHE-DIR", 150))
    passing(game, "bo", "cy")
    assert values(game, "bid", lot="RHE-DIR")[-1] == 600
    game.apply(bid("ann", "RHE-DIR", 200))
    passing(game, "bo", "cy")
    assert values(game, "bid", lot="TF")[-1] == 400


# ---------------------------------------------------------------------- decisions


@pytest.mark.rule("RHL-5.1.1-e")
def test_a_sole_bidder_gets_the_lot_when_it_becomes_the_lowest_and_loses_no_turn() -> None:
    game = arrange.new()
    walk(game, bid("ann", "KEO", 45), mv.Pass("bo"))
    happened = game.apply(buy("cy", "PWB"))
    assert of_kind(happened, ev.LotSold) == [ev.LotSold("cy", "PWB", 20), ev.LotSold("ann", "KEO", 45)]
    assert owners(game) == {"PWB": "cy", "KEO": "ann"}
    assert (game.state.cash["ann"], game.state.cash["cy"]) == (555, 580)
    assert asked(game) == "ann"
    assert values(game, "bid", lot="TF")[-1] == 555  # nothing is bound any more


@pytest.mark.rule("RHL-5.1.1-e", "RHL-5.1.1-h")
def test_several_lots_with_one_bid_follow_each_other() -> None:
    game = arrange.new()
    walk(game, bid("ann", "KEO", 35), bid("bo", "THS", 55), bid("cy", "NLK", 125))
    game.apply(buy("ann", "PWB"))
    assert owners(game) == {"PWB": "ann", "KEO": "ann", "THS": "bo"}
    assert values(game, "buy_lot") == ["TF"]
    assert asked(game) == "bo"


@pytest.mark.rule("RHL-5.1.1-f", "RHL-5.1.1-g", "RHL-5.1.1-h")
def test_bids_of_35_and_40_open_an_auction_that_the_lower_bidder_begins() -> None:
    game = arrange.new(4)
    walk(game, bid("ann", "KEO", 35), mv.Pass("bo"), bid("cy", "KEO", 40))
    happened = game.apply(buy("di", "PWB"))
    assert of_kind(happened, ev.AuctionOpened) == [ev.AuctionOpened("KEO", ("ann", "cy"))]
    assert asked(game) == "ann"
    assert arrange.names(game) == {"bid", "pass"}
    assert values(game, "bid") == ["KEO"]
    for price in (40, 42, 44):
        assert arrange.refused(game, bid("ann", "KEO", price)).rule == "RHL-5.1.1-f"
    game.apply(bid("ann", "KEO", 45))
    assert asked(game) == "cy"
    game.apply(bid("cy", "KEO", 60))
    happened = passing(game, "ann")
    assert of_kind(happened, ev.LotSold) == [ev.LotSold("cy", "KEO", 60)]
    assert [game.state.cash[player] for player in game.state.seats] == [450, 450, 390, 430]
    # di finished the last turn: the winner's seat does not matter.
    assert asked(game) == "ann"
    assert values(game, "bid", lot="RHE-DIR")[-1] == 450


@pytest.mark.rule("RHL-5.1.1-f")
def test_an_auction_goes_clockwise_and_who_leaves_is_out_for_good() -> None:
    game = arrange.new(4)
    walk(game, bid("ann", "KEO", 45), bid("bo", "KEO", 50), bid("cy", "KEO", 55), buy("di", "PWB"))
    spoken = [asked(game)]
    game.apply(bid("ann", "KEO", 60))
    spoken.append(asked(game))
    assert game.rules.rounds["package"].upcoming(game) == ["cy", "ann"], "not di, who has not bid"
    passing(game, "bo")
    spoken.append(asked(game))
    assert game.rules.rounds["package"].upcoming(game) == ["ann"]
    game.apply(bid("cy", "KEO", 65))
    spoken.append(asked(game))
    game.apply(bid("ann", "KEO", 75))
    spoken.append(asked(game))  # bo has left
    assert spoken == ["ann", "bo", "cy", "ann", "cy"]
    passing(game, "cy")
    assert owners(game) == {"PWB": "di", "KEO": "ann"}
    assert game.state.cash["ann"] == 375


@pytest.mark.rule("RHL-5.1.1-f")
def test_the_lowest_bidder_begins_wherever_he_sits_and_the_highest_waits_until_outbid() -> None:
    game = arrange.new(4)
    walk(game, mv.Pass("ann"), bid("bo", "KEO", 35), bid("cy", "KEO", 40), bid("di", "KEO", 45))
    game.apply(buy("ann", "PWB"))
    assert asked(game) == "bo"
    passing(game, "bo")
    assert asked(game) == "cy"
    game.apply(bid("cy", "KEO", 50))
    assert asked(game) == "di"
    passing(game, "di")
    assert owners(game)["KEO"] == "cy"


@pytest.mark.rule("RHL-5.1.1-f")
def test_when_a_bidder_leaves_the_highest_one_is_passed_over() -> None:
    game = arrange.new(4)
    walk(game, bid("ann", "KEO", 35), mv.Pass("bo"), bid("cy", "KEO", 40), mv.Pass("di"))
    walk(game, mv.Pass("ann"), bid("bo", "KEO", 45), buy("cy", "PWB"))
    assert asked(game) == "ann"
    passing(game, "ann")
    assert asked(game) == "cy"  # not bo, whose bid stands
    passing(game, "cy")
    assert owners(game)["KEO"] == "bo"


@pytest.mark.rule("RHL-5.1.1-f")
def test_nothing_else_is_bought_or_bid_on_during_an_auction() -> None:
    game = arrange.new()
    walk(game, bid("ann", "KEO", 35), bid("bo", "KEO", 40), buy("cy", "PWB"))
    assert arrange.refused(game, bid("ann", "THS", 55)).rule == "RHL-5.1.1-f"
    assert arrange.refused(game, buy("ann", "KEO")).rule == "RHL-5.1.1-f"
    assert arrange.refused(game, bid("cy", "KEO", 45)).rule == "RHL-5.1.1-b"


@pytest.mark.rule("RHL-5.1.1-d", "RHL-5.1.1-f")
def test_a_bidder_without_free_money_drops_out() -> None:
    game = arrange.new()
    walk(game, bid("ann", "KEO", 35), bid("bo", "KEO", 40), mv.Pass("cy"))
    walk(game, bid("ann", "RHE-DIR", 560), mv.Pass("bo"), buy("cy", "PWB"))
    # ann's 35 and the 5 that are left do not make 45.
    assert owners(game) == {"PWB": "cy", "KEO": "bo"}
    assert game.state.cash["bo"] == 560
    assert game.state.cash["ann"] == 600


@pytest.mark.rule("RHL-5.1.1-g", "RHL-4.1.1-o")
def test_lot_6_won_at_165_leaves_140_to_rhe_and_25_to_the_bank() -> None:
    game = arrange.new()
    walk(game, bid("ann", "RHE-DIR", 145), bid("bo", "RHE-DIR", 150))
    walk(game, buy("cy", "PWB"), buy("ann", "KEO"), buy("bo", "THS"), buy("cy", "TF"))
    bank = game.state.cash[BANK]
    game.apply(buy("ann", "NLK"))
    assert asked(game) == "ann"
    game.apply(bid("ann", "RHE-DIR", 165))
    passing(game, "bo")
    assert game.company("RhE").director == "ann"
    assert game.state.cash["RhE"] == 140
    assert game.state.cash[BANK] == bank + 120 + 25
    assert [game.state.cash[player] for player in game.state.seats] == [600 - 30 - 120 - 165, 550, 500]


@pytest.mark.rule("RHL-4.1.1-o", "RHL-5.1.1-g")
def test_in_the_earlier_edition_rhe_gets_the_whole_bid_and_chooses_its_starting_price() -> None:
    game = to_last_lot(edition="earlier")
    game.apply(buy("ann", "RHE-DIR"))
    assert game.company("RhE").price is None
    assert values(game, "found", company="RhE") == [70, 75, 80]
    assert arrange.refused(game, mv.Found("ann", "RhE", 90)).rule == "RHL-5.1.3-a"
    game.apply(mv.Found("ann", "RhE", 80))
    assert game.state.cash["RhE"] == 140
    assert game.prices.value("RhE") == 80  # it rises at the end of the round
    other = arrange.new(edition="earlier")
    walk(other, bid("ann", "RHE-DIR", 171), buy("bo", "PWB"), buy("cy", "KEO"), mv.Pass("ann"))
    walk(other, buy("bo", "THS"), buy("cy", "TF"), mv.Pass("ann"), buy("bo", "NLK"))
    other.apply(mv.Found("ann", "RhE", 70))
    assert other.state.cash["RhE"] == 171


@pytest.mark.rule("RHL-5.1.1-h")
def test_after_an_auction_the_player_left_of_the_last_finished_turn_goes_on() -> None:
    game = arrange.new()
    walk(game, bid("ann", "KEO", 35), bid("bo", "KEO", 40), mv.Pass("cy"), buy("ann", "PWB"))
    assert asked(game) == "ann"
    passing(game, "ann")
    assert owners(game)["KEO"] == "bo"
    assert asked(game) == "bo"


# ---------------------------------------------------------------------- all pass


@pytest.mark.rule("RHL-5.1.1-i")
def test_an_unsold_first_lot_is_offered_5_cheaper_from_the_left_of_the_last_passer() -> None:
    game = arrange.new()
    walk(game, bid("ann", "TF", 85))
    happened = passing(game, "bo", "cy", "ann")
    assert of_kind(happened, ev.LotReduced) == [ev.LotReduced("PWB", 15)]
    for price in (15, 10):
        for player in ("bo", "cy", "ann"):
            assert asked(game) == player
            assert arrange.names(game) == {"buy_lot", "pass"}
            assert facts(game, "buy_lot", "PWB") == {"price": price}
            assert arrange.refused(game, bid(player, "THS", 55)).rule == "RHL-5.1.1-i"
            passing(game, player)
    passing(game, "bo")
    happened = game.apply(buy("cy", "PWB"))
    assert of_kind(happened, ev.LotSold) == [ev.LotSold("cy", "PWB", 5)]
    assert game.state.cash["cy"] == 595
    assert asked(game) == "ann"
    assert values(game, "bid") == ["THS", "TF", "NLK", "RHE-DIR"]


@pytest.mark.rule("RHL-5.1.1-i")
def test_no_short_operating_round_while_the_first_lot_is_unsold() -> None:
    game = arrange.new()
    happened = passing(game, "ann", "bo", "cy")
    assert of_kind(happened, ev.RoundBegan) == []
    assert of_kind(happened, ev.Paid) == []


@pytest.mark.rule("RHL-5.1.1-j")
def test_who_was_first_offered_it_at_5_must_take_it_for_nothing() -> None:
    game = arrange.new()
    walk(game, mv.Pass("ann"), bid("bo", "TF", 85), mv.Pass("cy"), mv.Pass("ann"))
    happened = passing(game, "bo", *("cy", "ann", "bo") * 3)
    assert of_kind(happened, ev.LotSold) == [ev.LotSold("cy", "PWB", 0)]
    assert owners(game) == {"PWB": "cy"}
    assert [game.state.cash[player] for player in game.state.seats] == [600] * 3
    assert asked(game) == "ann"
    assert values(game, "buy_lot") == ["KEO"]
    assert facts(game, "buy_lot", "KEO") == {"price": 30}


@pytest.mark.rule("RHL-5.1.1-k")
def test_when_all_pass_later_a_short_operating_round_pays_the_privates_only() -> None:
    game = arrange.new()
    walk(game, buy("ann", "PWB"), buy("bo", "KEO"), buy("cy", "THS"))
    for cash in (605, 610):
        happened = passing(game, "ann", "bo", "cy")
        assert of_kind(happened, ev.RoundBegan) == [ev.RoundBegan("short", 1, 0)]
        assert of_kind(happened, ev.TurnBegan) == of_kind(happened, ev.LotReduced) == []
        assert paid(happened, BANK, "ann") == 5
        assert paid(happened, BANK, "bo") == 0
        assert paid(happened, BANK, "cy") == 15
        assert game.state.cash["ann"] == cash - 20
        assert asked(game) == "ann"
        assert facts(game, "buy_lot", "TF") == {"price": 80}
    assert game.state.round.stock_number == 1


@pytest.mark.rule("RHL-5.1.1-k")
def test_after_a_short_operating_round_the_player_left_of_the_last_passer_goes_on() -> None:
    game = arrange.new()
    walk(game, buy("ann", "PWB"), bid("bo", "THS", 55))
    passing(game, "cy", "ann", "bo")
    assert asked(game) == "cy"
    # The bid stands.
    assert facts(game, "bid", "THS") == {"least": 60}


@pytest.mark.rule("RHL-5.1.1-l")
def test_the_player_left_of_the_last_buyer_gets_the_priority_deal() -> None:
    game = to_last_lot()
    happened = game.apply(buy("ann", "RHE-DIR"))
    assert of_kind(happened, ev.PriorityMoved) == [ev.PriorityMoved("bo")]
    assert ev.RoundBegan("stock", 1, 0) in happened
    assert game.state.priority == asked(game) == "bo"
    assert {"found", "pass"} <= arrange.names(game)


@pytest.mark.rule("RHL-5.1.1-l")
def test_the_last_buyer_counts_even_if_it_was_not_his_turn() -> None:
    game = arrange.new()
    walk(game, bid("ann", "RHE-DIR", 145), buy("bo", "PWB"), buy("cy", "KEO"), buy("ann", "THS"))
    walk(game, buy("bo", "TF"), buy("cy", "NLK"))
    assert game.company("RhE").director == "ann"
    assert game.state.priority == asked(game) == "bo"


@pytest.mark.rule("RHL-5.1.1-l")
def test_in_the_earlier_edition_the_richest_begins_after_the_package() -> None:
    game = to_last_lot(edition="earlier")
    walk(game, buy("ann", "RHE-DIR"), mv.Found("ann", "RhE", 70))
    # ann has paid 20 + 80 + 140, bo 30 + 120, cy 50.
    assert game.state.priority == asked(game) == "cy"
