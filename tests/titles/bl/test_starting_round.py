"""The Starting Round (ledger section 3) and the First Stock Round (section 4)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.rounds.package import PackageSale
from engine.state import BANK, OFFERING
from tests.titles.bl import arrange as a


def passes(game: Game, *players: str) -> None:
    for player in players:
        game.apply(mv.Pass(player))


@pytest.mark.rule("BL-3-a")
def test_privates_are_sold_in_number_order() -> None:
    game = a.new()
    assert a.refused(game, mv.BuyLot("ann", "DTE")).rule == "BL-3-a"
    a.walk(game, mv.BuyLot("ann", "SKB"), mv.BuyLot("bo", "DTE"))
    assert game.state.privates["DTE"] == "bo"
    assert game.state.cash["bo"] == 650


@pytest.mark.rule("BL-3-b")
def test_the_priority_deal_begins_and_play_goes_clockwise() -> None:
    game = a.new(4)
    order = []
    for _ in range(5):
        order.append(a.asked(game))
        game.apply(mv.Bid(a.asked(game), "CCE", 185 + 5 * len(order)))
    assert order == ["ann", "bo", "cy", "di", "ann"]


@pytest.mark.rule("BL-3-c", "BL-3-d")
def test_a_turn_is_buying_the_lowest_bidding_on_a_higher_one_or_passing() -> None:
    game = a.new()
    assert a.names(game) == {"buy_lot", "bid", "pass"}
    assert a.offered(game, "buy_lot") == ["SKB"]
    assert a.offered(game, "bid") == ["DTE", "MBG", "EHG", "DEBG", "CCE"]
    assert a.refused(game, mv.Bid("ann", "SKB", 30)).rule == "BL-3-d"
    for move in (mv.BuyLot("ann", "SKB"), mv.Bid("ann", "CCE", 185), mv.Pass("ann")):
        twin = game.copy()
        twin.apply(move)
        assert a.asked(twin) == "bo"


@pytest.mark.rule("BL-3-c", "BL-3-g")
@pytest.mark.parametrize("cash", [24, 25])
def test_the_last_free_mark_may_buy_the_lowest_private(cash: int) -> None:
    game = a.new()
    a.cash(game, "ann", cash)
    a.take_offer(game)
    move = mv.BuyLot("ann", "SKB")
    if cash < 25:
        assert "buy_lot" not in a.names(game)
        assert a.refused(game, move).rule == "BL-3-g"
    else:
        game.apply(move)
        assert (game.state.privates["SKB"], game.state.cash["ann"]) == ("ann", 0)


@pytest.mark.rule("BL-3-e")
def test_a_first_bid_is_five_above_the_price_in_steps_of_five() -> None:
    game = a.new()
    for price in (50, 54, 57):
        assert a.refused(game, mv.Bid("ann", "DTE", price)).rule == "BL-3-e"
    for price in (55, 60):
        twin = game.copy()
        twin.apply(mv.Bid("ann", "DTE", price))
        assert PackageSale.of(twin).bids == {"DTE": [("ann", price)]}


@pytest.mark.rule("BL-3-f")
def test_a_later_bid_is_five_above_the_highest() -> None:
    game = a.new()
    game.apply(mv.Bid("ann", "DTE", 60))
    for price in (60, 63, 55):
        assert a.refused(game, mv.Bid("bo", "DTE", price)).rule == "BL-3-f"
    game.apply(mv.Bid("bo", "DTE", 65))
    assert a.offered(game, "bid", lot="DTE")[0] == 70


@pytest.mark.rule("BL-3-g")
def test_bid_money_cannot_pay_for_anything_else() -> None:
    game = a.new(6)
    game.apply(mv.Bid("ann", "CCE", 300))
    passes(game, "bo", "cy", "di", "ed")
    game.apply(mv.BuyLot("flo", "SKB"))
    assert a.asked(game) == "ann"
    assert game.state.cash["ann"] == 370
    assert a.refused(game, mv.Bid("ann", "DEBG", 125)).rule == "BL-3-g"
    twin = game.copy()
    twin.apply(mv.BuyLot("ann", "DTE"))
    passes(twin, "bo", "cy", "di", "ed", "flo")
    assert a.refused(twin, mv.BuyLot("ann", "MBG")).rule == "BL-3-g"
    game.apply(mv.BuyLot("ann", "DTE"))
    assert game.state.cash["ann"] == 320


@pytest.mark.rule("BL-3-h")
def test_an_own_bid_may_be_raised_by_adding_money() -> None:
    game = a.new(2)
    a.cash(game, "ann", 95)
    a.walk(game, mv.Bid("ann", "MBG", 85), mv.Bid("bo", "MBG", 90))
    assert "pass" in a.names(game, "ann")  # one need not raise
    assert a.offered(game, "bid", lot="MBG") == [95, 95, 5]
    game.apply(mv.Bid("ann", "MBG", 95))
    assert PackageSale.of(game).bids["MBG"] == [("bo", 90), ("ann", 95)]
    assert a.refused(game, mv.Bid("bo", "MBG", 95)).rule == "BL-3-f"


@pytest.mark.rule("BL-3-i", "BL-3-l", "BL-3-m")
def test_every_bidder_takes_part_in_the_auction_and_nobody_else() -> None:
    game = a.new(4)
    a.walk(
        game,
        mv.Bid("ann", "DTE", 55),
        mv.Bid("bo", "DTE", 60),
        mv.Bid("cy", "DTE", 65),
        mv.BuyLot("di", "SKB"),
    )
    # cy is highest: left of cy sits di, who has not bid, then ann with the lowest bid
    assert a.asked(game) == "ann"
    seen = set()
    game.apply(mv.Bid("ann", "DTE", 70))
    while PackageSale.of(game).auction:
        seen.add(a.asked(game))
        game.apply(mv.Pass(a.asked(game)))
    assert seen == {"bo", "cy"}
    assert game.state.privates["DTE"] == "ann"


@pytest.mark.rule("BL-3-m")
def test_the_auction_begins_left_of_the_highest_bidder() -> None:
    game = a.new(4)
    a.walk(
        game,
        mv.Bid("ann", "DTE", 55),
        mv.Bid("bo", "DTE", 60),
        mv.Pass("cy"),
        mv.Bid("di", "DTE", 65),
        mv.Bid("ann", "DTE", 70),
        mv.BuyLot("bo", "SKB"),
    )
    assert a.asked(game) == "bo"  # left of ann; di has bid more than bo but sits further on
    game.apply(mv.Bid("bo", "DTE", 75))
    assert a.asked(game) == "di"


@pytest.mark.rule("BL-3-j")
def test_bids_on_several_privates_stand() -> None:
    game = a.new(2)
    a.walk(game, mv.Bid("ann", "MBG", 85), mv.Pass("bo"), mv.Bid("ann", "DEBG", 125), mv.Pass("bo"))
    assert set(PackageSale.of(game).bids) == {"MBG", "DEBG"}


@pytest.mark.rule("BL-3-k")
def test_a_single_bidder_gets_the_next_private_at_once() -> None:
    game = a.new(3)
    bank = game.state.cash[BANK]
    a.walk(game, mv.Bid("ann", "DTE", 65), mv.BuyLot("bo", "SKB"))
    assert game.state.privates["DTE"] == "ann"
    assert game.state.cash["ann"] == 700 - 65
    assert game.state.cash[BANK] == bank + 65 + 25


@pytest.mark.rule("BL-3-n", "BL-3-o")
def test_raising_passing_and_paying_in_an_auction() -> None:
    game = a.new(3)
    a.cash(game, "ann", 100)
    a.walk(game, mv.Bid("ann", "DTE", 55), mv.Bid("bo", "DTE", 60), mv.BuyLot("cy", "SKB"))
    assert a.asked(game) == "ann"
    assert a.refused(game, mv.Bid("ann", "DTE", 63)).rule == "BL-3-n"
    assert a.refused(game, mv.Bid("ann", "DTE", 105)).rule == "BL-3-g"
    twin = game.copy()
    twin.apply(mv.Bid("ann", "DTE", 75))
    assert a.asked(twin) == "bo"
    a.walk(game, mv.Bid("ann", "DTE", 65), mv.Bid("bo", "DTE", 70), mv.Pass("ann"))
    assert game.state.privates["DTE"] == "bo"
    assert (game.state.cash["bo"], game.state.cash["ann"]) == (630, 100)
    assert game.rules.rounds["package"].bound(game, "ann") == 0  # type: ignore[attr-defined]


@pytest.mark.rule("BL-3-n")
def test_a_passed_player_is_skipped_in_the_auction() -> None:
    game = a.new(4)
    a.walk(
        game,
        mv.Bid("ann", "DTE", 55),
        mv.Bid("bo", "DTE", 60),
        mv.Bid("cy", "DTE", 65),
        mv.BuyLot("di", "SKB"),
        mv.Pass("ann"),
        mv.Bid("bo", "DTE", 70),
        mv.Bid("cy", "DTE", 75),
    )
    assert a.asked(game) == "bo"


@pytest.mark.rule("BL-3-p", "BL-3-q")
def test_play_goes_on_left_of_the_buyer_without_an_auction() -> None:
    game = a.new(3)
    a.walk(
        game,
        mv.Pass("ann"),
        mv.Bid("bo", "DTE", 55),
        mv.Bid("cy", "DTE", 60),
        mv.Bid("ann", "MBG", 85),
        mv.Pass("bo"),
        mv.Pass("cy"),
        mv.BuyLot("ann", "SKB"),
    )
    assert a.asked(game) == "bo"
    game.apply(mv.Pass("bo"))
    assert game.state.privates["DTE"] == "cy"
    assert game.state.privates["MBG"] == "ann"  # settled in number order
    assert game.state.privates["EHG"] == ""
    assert a.asked(game) == "bo"  # left of ann, who bought private 1


@pytest.mark.rule("BL-3-r")
def test_private_1_falls_by_five_until_somebody_buys() -> None:
    game = a.new(3)
    passes(game, "ann", "bo", "cy")
    prices = [game.rules.rounds["package"].price(game, "SKB")]  # type: ignore[attr-defined]
    assert a.names(game) == {"buy_lot", "pass"}  # taken or refused, no bids
    passes(game, "ann", "bo", "cy")
    prices.append(game.rules.rounds["package"].price(game, "SKB"))  # type: ignore[attr-defined]
    assert prices == [20, 15]
    passes(game, "ann", "bo")
    game.apply(mv.BuyLot("cy", "SKB"))
    assert game.state.cash["cy"] == 685


@pytest.mark.rule("BL-3-s", "BL-3-t")
def test_nobody_wants_private_1_so_the_priority_deal_takes_it() -> None:
    game = a.new(3)
    a.walk(game, mv.Pass("ann"), mv.Bid("bo", "DTE", 55), mv.Pass("cy"))
    passes(game, "ann", "bo")
    for price in (20, 15, 10, 5):
        assert game.rules.rounds["package"].price(game, "SKB") == price  # type: ignore[attr-defined]
        assert game.state.privates["SKB"] == ""
        for _ in range(3):
            happened = game.apply(mv.Pass(a.asked(game)))
    assert not any(isinstance(event, ev.LotReduced) for event in happened)  # there is no offer at 0 (R60)
    assert game.state.privates["SKB"] == "ann"
    assert game.state.cash["ann"] == 700
    assert game.state.privates["DTE"] == "bo"  # its bid is settled at once
    assert a.asked(game) == "bo"


@pytest.mark.rule("BL-3-t")
def test_a_purchase_at_a_lower_price_goes_on_left_of_the_buyer() -> None:
    game = a.new(3)
    passes(game, "ann", "bo", "cy", "ann")
    game.apply(mv.BuyLot("bo", "SKB"))
    assert a.asked(game) == "cy"
    assert game.state.cash["bo"] == 680


@pytest.mark.rule("BL-3-u")
def test_all_passing_adjourns_the_round_with_revenue() -> None:
    game = a.new(3)
    a.walk(game, mv.BuyLot("ann", "SKB"), mv.BuyLot("bo", "DTE"), mv.Bid("cy", "CCE", 185))
    before = dict(game.state.cash)
    for _ in range(2):
        passes(game, "ann", "bo", "cy")
    assert game.state.cash["ann"] - before["ann"] == 10
    assert game.state.cash["bo"] - before["bo"] == 20
    assert a.asked(game) == "ann"
    assert a.names(game) == {"buy_lot", "bid", "pass"}
    assert PackageSale.of(game).bids == {"CCE": [("cy", 185)]}
    assert game.rules.rounds["package"].price(game, "MBG") == 80  # type: ignore[attr-defined]


@pytest.mark.rule("BL-3-v", "BL-4.1-a")
def test_the_sale_of_private_6_starts_the_first_stock_round_with_the_richest() -> None:
    game = a.new(3)
    a.walk(
        game,
        mv.BuyLot("ann", "SKB"),
        mv.BuyLot("bo", "DTE"),
        mv.BuyLot("cy", "MBG"),
        mv.BuyLot("ann", "EHG"),
        mv.BuyLot("bo", "DEBG"),
    )
    assert game.state.round.kind == "package"
    game.apply(mv.BuyLot("cy", "CCE"))
    assert game.state.round.kind == "stock"
    # ann 575, bo 530, cy 440
    assert a.asked(game) == "ann"
    assert set(game.state.privates.values()) == {"ann", "bo", "cy"}


@pytest.mark.rule("BL-4.1-a")
def test_a_tie_for_the_most_cash_goes_by_the_priority_deal() -> None:
    game = a.new(4)
    for lot in a.LOTS:
        game.state.privates[lot] = "ann"
    game.state.priority = "cy"
    for player, amount in (("ann", 300), ("bo", 300), ("cy", 200), ("di", 100)):
        a.cash(game, player, amount)
    game.rules.then(game)
    game.settle()
    assert a.asked(game) == "ann"  # from cy on: cy, di, ann
    assert game.state.priority == "cy"


@pytest.mark.rule("BL-4.1-b")
def test_a_turn_of_the_first_stock_round_is_one_purchase() -> None:
    game = a.after_package()
    assert a.names(game) == {"found", "pass"}
    game.apply(mv.Found("ann", "RhE", 76))
    assert a.asked(game) == "bo"
    assert a.names(game) == {"found", "buy_share", "pass"}
    assert a.refused(game, mv.BuyShare("ann", "RhE", OFFERING, 10)).rule == "BL-7-e"


@pytest.mark.rule("BL-4.1-c")
def test_nobody_sells_in_the_first_stock_round() -> None:
    game = a.after_package()
    a.floated(game, "RhE", "ann")
    assert "sell_shares" not in a.names(game)
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "BL-4.1-c"


@pytest.mark.rule("BL-4.2-a", "BL-4.2-b", "BL-4.2-c")
def test_the_first_stock_round_ends_when_all_have_passed() -> None:
    game = a.after_package(4)
    a.walk(game, mv.Pass("ann"), mv.Found("bo", "RhE", 76))
    passes(game, "cy", "di", "ann")
    assert game.state.round.kind == "stock"
    game.apply(mv.Pass("bo"))
    assert game.state.priority == "cy"  # left of the last buyer
    # no corporation has floated: the operating round is over at once
    assert (game.state.round.kind, game.state.round.stock_number) == ("stock", 2)
    assert a.asked(game) == "cy"


@pytest.mark.rule("BL-4.2-b")
def test_of_several_buyers_of_the_first_stock_round_the_last_one_counts() -> None:
    game = a.after_package(4)
    a.walk(game, mv.Found("ann", "RhE", 76), mv.Found("bo", "BME", 100), mv.Found("cy", "CME", 67))
    a.walk(game, mv.Pass("di"), mv.Pass("ann"), mv.BuyShare("bo", "RhE", OFFERING, 10))
    passes(game, "cy", "di", "ann", "bo")
    assert game.state.priority == "cy"
    assert game.state.round.stock_number == 2


@pytest.mark.rule("BL-4.2-b")
def test_without_a_purchase_the_priority_deal_stays() -> None:
    game = a.after_package(3)
    a.cash(game, "cy", 1500)
    a.cash(game, "ann", 900)
    a.begin_stock(game, "cy")
    passes(game, "cy", "ann", "bo")
    assert game.state.priority == "ann"


@pytest.mark.rule("BL-4.2-c")
def test_an_operating_round_follows_with_the_revenue_of_privates() -> None:
    game = a.after_package(2, {"SKB": "bo", "CCE": "bo"})
    before = game.state.cash["bo"]
    events = [*game.apply(mv.Pass("ann")), *game.apply(mv.Pass("bo"))]
    kinds = [(event.kind, event.operating_number) for event in events if type(event).__name__ == "RoundBegan"]
    assert kinds[0] == ("operating", 1)
    assert game.state.cash["bo"] == before + 30


@pytest.mark.rule("BL-4.2-d")
def test_a_corporation_floats_in_the_first_stock_round_at_the_fourth_certificate() -> None:
    game = a.after_package(3)
    bank = game.state.cash[BANK]
    a.walk(game, mv.Found("ann", "RhE", 76), mv.BuyShare("bo", "RhE", OFFERING, 10))
    a.walk(game, mv.BuyShare("cy", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 0
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 380
    assert game.state.cash[BANK] == bank + 380 - 380
    game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 456
