"""Buying trains, forced purchases, bankruptcy, phases (ledger sections 10.8, 10.9 and 11)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.events import PlayerRetired, PriorityMoved
from engine.finance import shares
from engine.game import Game
from engine.remembered import Dealt
from engine.state import BANK, CLOSED, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.banker import BankLoan, LoanRepaid, lend
from titles.ruhr.locations import MakeLink
from titles.ruhr.remembered import BankLoans, Locations, Works
from titles.ruhr.spending import BuyTrainAsEngine


def buying(*trains: str, company: str = "EH", treasury: int = 1000, phase: str = "2", route: bool = True) -> Game:
    """A railway of ann buys trains; it has a route from Essen to Mülheim."""
    game = a.second_stock_round()
    if phase != "2":
        a.phase(game, phase)
    a.floated(game, company, "ann", treasury=treasury)
    if route:
        a.put(game, "K6", "9", "NE", "SW")
        a.put(game, "L5", "719", "NE", "SW")
    a.trains(game, company, *trains)
    a.operating(game, company, "trains")
    return game


def buy(
    train: str, source: str = BANK, price: int | None = None, company: str = "EH", player: str = "ann"
) -> mv.BuyTrain:
    printed = {"2": 100, "3": 200, "4": 300, "5": 500, "6": 600, "8": 800}[train[0]]
    return mv.BuyTrain(player, company, train, source, printed if price is None else price)


# ---------------------------------------------------------------------- ordinary purchases


@pytest.mark.rule("RUHR-10.8.1-a", "RUHR-10.8.1-b")
def test_each_phase_change_is_resolved_first() -> None:
    game = buying("2+2", "2+2", treasury=2000)
    a.cards_left(game, t3=1, t4=6)
    game.state.depot.sold["3+3"] = 1
    game.state.phase = 1
    a.operating(game, "EH", "trains")
    game.apply(buy("3+3"))
    assert game.company("EH").trains == ["2+2", "2+2", "3+3"]
    game.apply(buy("4+4"))
    assert game.company("EH").trains == ["3+3", "4+4"]
    game.apply(buy("4+4"))
    assert game.phase.train_limit == 3
    assert a.refused(game, buy("4+4")).rule == "RUHR-10.8.2-a"
    game = buying("4+4", treasury=2000, phase="4")
    a.cards_left(game, t5=4)
    game.state.depot.sold["5+5"] = 0
    a.operating(game, "EH", "trains")
    game.apply(buy("5+5"))
    assert a.refused(game, buy("5+5")).rule == "RUHR-10.8.2-a"


@pytest.mark.rule("RUHR-10.8.1-c", "RUHR-11-2")
def test_railways_trade_trains_from_1_mark_on() -> None:
    game = buying("2+2")
    a.floated(game, "CME", "bo", treasury=0)
    a.trains(game, "CME", "2+2")
    a.operating(game, "EH", "trains")
    assert a.refused(game, buy("2+2", "CME", 0)).rule == "RUHR-10.8.1-c"
    game.apply(buy("2+2", "CME", 1))
    assert a.asked(game) == "bo"
    game.apply(mv.Answer("bo", "decline"))
    assert game.company("CME").trains == ["2+2"]
    game.apply(buy("2+2", "CME", 2))
    game.apply(mv.Answer("bo", "accept"))
    assert (game.company("EH").trains, game.state.cash["CME"]) == (["2+2", "2+2"], 2)
    # Not in the seller's turn.
    a.trains(game, "CME", "2+2")
    a.operating(game, "CME", "trains")
    assert a.refused(game, buy("2+2", "CME", 5)).rule == "RUHR-7.3-a"


@pytest.mark.rule("RUHR-10.8.1-f")
def test_with_a_train_only_the_treasury_pays() -> None:
    game = buying("2+2", treasury=90)
    assert a.refused(game, buy("2+2")).rule == "RUHR-10.8.1-f"
    assert game.state.cash["ann"] >= 1000


@pytest.mark.rule("RUHR-10.8.2-a", "RUHR-11-2", "RUHR-11-3", "RUHR-11-4-a", "RUHR-11-5-a")
@pytest.mark.parametrize(("phase", "limit"), [("2", 4), ("3", 4), ("4", 3), ("5", 2), ("6", 2), ("8", 2)])
def test_train_limits(phase: str, limit: int) -> None:
    kind = {"2": "2+2", "3": "3+3", "4": "4+4", "5": "5+5", "6": "6+6", "8": "8+8"}[phase]
    game = buying(*[kind] * (limit - 1), treasury=3000, phase=phase)
    a.cards_left(game, **{f"t{phase}": 3})
    game.state.depot.pool.append(kind)
    a.floated(game, "CME", "ann")
    game.company("CME").trains.append(kind)
    a.operating(game, "EH", "trains")
    game.apply(buy(kind))
    for source in (BANK, POOL, "CME"):
        assert a.refused(game, buy(kind, source)).rule == "RUHR-10.8.2-a"


@pytest.mark.rule("RUHR-10.8.2-b")
def test_obsolete_trains_go_before_the_limit_is_applied() -> None:
    game = buying(treasury=2000, phase="3")
    a.floated(game, "CME", "bo")
    a.trains(game, "CME", "2+2", "2+2", "3+3", "3+3")
    a.cards_left(game, t4=6)
    game.state.depot.sold["4+4"] = 0
    a.operating(game, "EH", "trains")
    game.apply(buy("4+4"))
    assert (game.company("CME").trains, game.state.depot.pool) == (["3+3", "3+3"], [])


@pytest.mark.rule("RUHR-10.8.2-b", "RUHR-10.8.2-c")
def test_excess_trains_of_the_directors_choice_go_to_the_pool() -> None:
    game = buying(treasury=2000, phase="4")
    a.floated(game, "CME", "bo")
    a.trains(game, "CME", "3+3", "3+3", "4+4")
    a.cards_left(game, t5=4)
    game.state.depot.sold["5+5"] = 0
    a.operating(game, "EH", "trains")
    cash = dict(game.state.cash)
    game.apply(buy("5+5"))
    assert a.asked(game) == "bo"
    assert a.offered(game, "discard_train") == ["3+3", "4+4"]
    game.apply(mv.DiscardTrain("bo", "CME", "3+3"))
    assert game.state.depot.pool == ["3+3"]
    assert {who for who in cash if cash[who] != game.state.cash[who]} == {"EH", BANK}
    # It is for sale at the full price, beside the new type.
    bank = game.state.cash[BANK]
    game.apply(buy("3+3", POOL))
    assert (game.company("EH").trains, game.state.cash[BANK]) == (["5+5", "3+3"], bank + 200)
    assert game.phase.name == "5"


@pytest.mark.rule("RUHR-10.8.2-e")
def test_at_the_limit_nothing_is_bought() -> None:
    game = buying("2+2", "2+2", "2+2", "2+2", treasury=2000, phase="3")
    a.cards_left(game, t4=6)
    game.state.depot.sold["4+4"] = 0
    a.operating(game, "EH", "trains")
    assert a.refused(game, buy("4+4")).rule == "RUHR-10.8.2-a"


@pytest.mark.rule("RUHR-10.8.2-f")
def test_trains_are_neither_sold_to_the_bank_nor_scrapped() -> None:
    game = buying("2+2", "2+2", treasury=0)
    assert a.names(game) <= {"pass", "buy_train", "sell_own_shares", "buy_own_share", "make_link"}
    assert a.refused(game, mv.DiscardTrain("ann", "EH", "2+2")).rule == "RUHR-7.3-a"


# ---------------------------------------------------------------------- the duty to own a train


@pytest.mark.rule("RUHR-10.8.3-a")
def test_a_railway_with_a_route_must_own_a_train() -> None:
    game = buying()
    assert a.refused(game, mv.Pass("ann")).rule == "RUHR-10.8.3-a"
    game = buying(route=False)
    game.board.state.tiles.clear()
    a.floated(game, "CME", "bo")
    a.operating(game, "CME", "trains")
    assert "pass" in a.names(game)
    # Nothing to be had: the duty waits.
    game = buying()
    for name in game.state.depot.left:
        game.state.depot.left[name] = 0
    a.operating(game, "EH", "trains")
    assert "pass" in a.names(game)
    game.apply(mv.Pass("ann"))
    assert "EH" in game.state.companies
    assert not game.company("EH").trains


@pytest.mark.rule("RUHR-10.8.3-b")
def test_any_train_may_be_chosen_even_a_dearer_one() -> None:
    game = buying(treasury=200, phase="6")
    a.cards_left(game, t6=2)
    game.state.depot.pool.append("3+3")
    a.floated(game, "CME", "ann", treasury=0)
    game.company("CME").trains.append("4+4")
    a.own(game, "EH", "ann", 100)
    a.operating(game, "EH", "trains")
    assert set(a.offered(game, "buy_train")) == {BANK, POOL, "CME"}
    cash = game.state.cash["ann"]
    game.apply(buy("6+6"))  # the treasury could have paid the 3
    assert (game.company("EH").trains, game.state.cash["ann"]) == (["6+6"], cash - 400)


@pytest.mark.rule("RUHR-10.8.3-c")
def test_one_certificate_is_sold_first() -> None:
    game = buying(treasury=40)
    cash = game.state.cash["ann"]
    assert a.refused(game, buy("2+2")).rule == "RUHR-10.8.3-c"
    game.apply(mv.SellOwnShares("ann", "EH", 10))
    assert (game.state.cash["EH"], game.prices.value("EH")) == (110, 65)
    game.apply(buy("2+2"))
    assert (game.state.cash["EH"], game.state.cash["ann"]) == (10, cash)
    # Not if the treasury can pay: then it is no part of the purchase.
    game = buying(treasury=150)
    game.apply(mv.SellOwnShares("ann", "EH", 10))
    assert "make_link" in a.names(game)
    game.apply(buy("2+2"))
    assert (game.state.cash["EH"], game.company("EH").trains) == (150 + 70 - 100, ["2+2"])
    # Only one; and none if the deal is used up, the offer empty or the pool full.
    for spoil in ("deal", "offer", "pool"):
        game = buying(treasury=40)
        if spoil == "deal":
            Dealt.of(game).deal = True
        elif spoil == "offer":
            a.own(game, "EH", "ann", 100)
        else:
            a.own(game, "EH", POOL, 50)
        a.take_offer(game)
        assert "sell_own_shares" not in a.names(game)
        game.apply(buy("2+2"))
        assert game.state.cash["ann"] == cash - 60


@pytest.mark.rule("RUHR-10.8.3-c", "RUHR-10.8.4-d")
def test_while_money_is_raised_the_railway_spends_nothing_else() -> None:
    game = buying(treasury=40)
    a.own(game, "EH", "ann", 20)
    a.own(game, "EH", POOL, 50)
    a.price_at(game, "EH", 30)
    a.cash(game, "ann", 0)
    a.floated(game, "CME", "bo", 70)
    a.own(game, "CME", "ann", 20)
    a.operating(game, "EH", "trains")
    assert {"buy_own_share", "make_link"} <= a.names(game)
    game.apply(mv.SellShares("ann", "CME", 10))
    assert a.names(game) == {"buy_train"}
    refusal = a.refused(game, MakeLink("ann", "EH", "L5"))
    assert (refusal.key, refusal.rule) == ("forced.no_more.link", "RUHR-10.8.4-d")


@pytest.mark.rule("RUHR-7.3-g", "RUHR-10.8.3-b", "RUHR-10.8.3-c")
def test_the_certificate_sold_first_is_the_turns_deal_and_binds_to_nothing() -> None:
    game = buying(treasury=40)
    a.floated(game, "CME", "ann", treasury=0)
    game.company("CME").trains.append("2+2")
    a.operating(game, "EH", "trains")
    game.apply(mv.SellOwnShares("ann", "EH", 10))
    assert (game.state.cash["EH"], "make_link" in a.names(game)) == (110, True)
    game.apply(buy("2+2", "CME", 1))
    assert (game.state.cash["EH"], game.company("EH").trains) == (109, ["2+2"])


@pytest.mark.rule("RUHR-10.8.3-c", "RUHR-10.8.4-c")
def test_the_certificate_comes_first_also_where_no_new_train_can_be_paid() -> None:
    game = buying(treasury=10, phase="5")
    a.cards_left(game, t5=3)
    a.floated(game, "CME", "ann", treasury=0)
    game.company("CME").trains.append("3+3")
    a.own(game, "CME", "ann", 20)
    a.own(game, "EH", "ann", 20)
    a.cash(game, "ann", 100)
    a.operating(game, "EH", "trains")
    assert a.names(game) >= {"buy_train", "sell_own_shares"}
    assert "go_bankrupt" not in a.names(game)
    assert a.refused(game, mv.GoBankrupt("ann", "EH"))
    assert a.refused(game, buy("3+3", "CME", 11)).rule == "RUHR-10.8.4-c"
    game.apply(mv.SellOwnShares("ann", "EH", 10))
    assert "go_bankrupt" in a.names(game)
    game.apply(buy("3+3", "CME", 90))
    assert (game.state.cash["EH"], game.state.cash["ann"]) == (0, 90)


@pytest.mark.rule("RUHR-10.8.4-d")
def test_no_counter_makes_vain_what_was_sold() -> None:
    game = buying(treasury=40)
    a.own(game, "EH", "ann", 20)
    a.own(game, "EH", POOL, 50)
    a.price_at(game, "EH", 30)
    a.cash(game, "ann", 0)
    a.floated(game, "CME", "bo", 70)
    a.own(game, "CME", "ann", 20)
    game.company("CME").trains.append("2+2")
    a.operating(game, "EH", "trains")
    game.apply(mv.SellShares("ann", "CME", 10))  # 70: with the 40 of the treasury 110
    assert a.refused(game, buy("2+2", "CME", 40)).key == "train.price.declined"
    a.walk(game, buy("2+2", "CME", 90), mv.Answer("bo", "counter", 100))
    assert a.refused(game, mv.Answer("ann", "counter", 40)).key == "train.price.counter"
    a.walk(game, mv.Answer("ann", "counter", 41), mv.Answer("bo", "accept"))
    assert (game.state.cash["EH"], game.state.cash["ann"], game.company("EH").trains) == (0, 69, ["2+2"])


@pytest.mark.rule("RUHR-10.8.4-a")
def test_the_director_pays_exactly_the_difference() -> None:
    game = buying(treasury=70)
    a.own(game, "EH", "ann", 100)
    a.operating(game, "EH", "trains")
    cash = game.state.cash["ann"]
    game.apply(buy("2+2"))
    assert (game.state.cash["ann"], game.state.cash["EH"]) == (cash - 30, 0)


@pytest.mark.rule("RUHR-10.8.4-b")
def test_no_new_8_with_the_directors_money_while_there_is_a_6() -> None:
    game = buying(treasury=100, phase="8")
    a.cards_left(game, t6=2, t8=5)
    a.own(game, "EH", "ann", 100)
    a.operating(game, "EH", "trains")
    assert a.offered(game, "buy_train", source=BANK) == ["6+6"]
    assert a.refused(game, buy("8+8")).rule == "RUHR-10.8.4-b"
    a.cash(game, "EH", 800)
    a.operating(game, "EH", "trains")
    game.apply(buy("8+8"))


@pytest.mark.rule("RUHR-10.8.4-c")
def test_another_companys_train_at_the_printed_price_at_most() -> None:
    game = buying(treasury=50, phase="3")
    a.cards_left(game, t3=2)
    a.floated(game, "CME", "ann", treasury=0)
    game.company("CME").trains.append("3+3")
    a.own(game, "EH", "ann", 100)
    a.operating(game, "EH", "trains")
    assert a.refused(game, buy("3+3", "CME", 201)).rule == "RUHR-10.8.4-c"
    cash = game.state.cash["ann"]
    game.apply(buy("3+3", "CME", 200))
    assert (game.state.cash["ann"], game.state.cash["CME"]) == (cash - 150, 200)


@pytest.mark.rule("RUHR-10.8.4-d")
def test_the_director_sells_no_more_than_needed() -> None:
    game = buying(treasury=0)
    a.own(game, "EH", "ann", 100)
    a.cash(game, "ann", 0)
    a.floated(game, "CME", "ann", 70)
    a.own(game, "CME", "bo", 20)
    a.operating(game, "EH", "trains")
    assert 30 not in a.offered(game, "sell_shares", company="CME")
    game.apply(mv.SellShares("ann", "CME", 20))
    assert game.state.cash["ann"] == 140
    assert a.refused(game, mv.SellShares("ann", "CME", 10)).rule == "RUHR-10.8.4-d"
    game.apply(buy("2+2"))
    assert game.state.cash["ann"] == 40


def selling_dgee(missing: int, **certificates: tuple[int, ...]) -> Game:
    """EH of ann lacks so much for a 2+2, and ann has no money; who holds which certificates of DGEE, at 45."""
    game = buying(treasury=100 - missing)
    a.own(game, "EH", "ann", 20)
    a.own(game, "EH", POOL, 50)
    a.cash(game, "ann", 0)
    a.floated(game, "DGEE", "ann" if 0 in certificates["ann"] else "bo", 45)
    for player, numbers in certificates.items():
        a.own(game, "DGEE", player, 20 if 0 in numbers else 0)
        for number in numbers:
            game.company("DGEE").certificates[number] = player
    a.operating(game, "EH", "trains")
    return game


@pytest.mark.rule("RUHR-10.8.4-d", "RUHR-5.3-f")
def test_the_smallest_certificate_sold_is_one_that_was_really_handed_over() -> None:
    # ann directs DGEE with two certificates of 20 %; bo hands over one of 20 %, though they have tens too.
    game = selling_dgee(100, ann=(0, 1), bo=(2, 3, 4))
    for company, value in (("CME", 70), ("RhE", 50)):
        a.floated(game, company, "bo", value)
        a.own(game, company, "ann", 10)
    a.operating(game, "EH", "trains")
    game.apply(mv.SellShares("ann", "DGEE", 20))
    assert (game.state.cash["ann"], game.company("DGEE").director) == (90, "bo")
    assert shares.numbers(game, "DGEE", POOL) == [2]
    # 90 + 70 = 160: without a certificate of 10 % (45) it would still be enough, without the 20 % (90) not.
    game.apply(mv.SellShares("ann", "CME", 10))
    game.apply(buy("2+2"))
    assert game.state.cash["ann"] == 60


@pytest.mark.rule("RUHR-10.8.4-d")
def test_a_seller_in_need_hands_over_no_certificate_too_many() -> None:
    # 40 are missing and each 10 % bring 45: one certificate of 20 % is one certificate, two of 10 % are one too many.
    game = selling_dgee(40, bo=(0,), ann=(1, 3, 4))
    assert a.offered(game, "sell_shares", company="DGEE") == [10, 20]
    game.apply(mv.SellShares("ann", "DGEE", 20))
    assert shares.numbers(game, "DGEE", POOL) == [1]
    game.apply(buy("2+2"))
    assert game.state.cash["ann"] == 50
    # 60 are missing: both ways need all that they sell, and ann is asked.
    game = selling_dgee(60, bo=(0,), ann=(1, 3, 4))
    game.apply(mv.SellShares("ann", "DGEE", 20))
    assert a.offered(game, "hand_over") == ["10+10", "20"]
    game.apply(mv.HandOver("ann", "DGEE", "10+10"))
    assert shares.numbers(game, "DGEE", POOL) == [3, 4]


@pytest.mark.rule("RUHR-10.8.4-d", "RUHR-14.4-a")
def test_the_acting_companys_office_is_not_sold_but_others_may_be() -> None:
    game = buying(treasury=0)
    a.own(game, "EH", "ann", 40)
    a.own(game, "EH", "bo", 30)
    a.own(game, "EH", POOL, 30)
    a.cash(game, "ann", 0)
    a.operating(game, "EH", "trains")
    assert a.refused(game, mv.SellShares("ann", "EH", 20)).rule == "RUHR-10.8.4-d"
    a.floated(game, "CME", "ann", 100)
    a.own(game, "CME", "ann", 40)
    a.own(game, "CME", "bo", 30)
    a.own(game, "CME", "cy", 30)
    a.price_at(game, "CME", 70)
    a.operating(game, "EH", "trains")
    game.apply(mv.SellShares("ann", "CME", 20))
    assert game.company("CME").director == "bo"
    a.floated(game, "RhE", "ann", 100, operated=False)
    a.take_offer(game)
    assert a.refused(game, mv.SellShares("ann", "RhE", 10)).rule == "RUHR-14.4-a"


def poor(cash: int = 0, treasury: int = 0, **more: int) -> Game:
    """EH of ann needs a 5+5 (500) and ann has nothing but some shares."""
    game = buying(treasury=treasury, phase="5")
    a.cards_left(game, t5=3)
    a.own(game, "EH", "ann", 20)
    for player, percent in more.items():
        a.own(game, "EH", player, percent)
    a.own(game, "EH", "di", 100 - 20 - sum(more.values()))
    a.cash(game, "ann", cash)
    a.price_at(game, "EH", 70)
    a.operating(game, "EH", "trains")
    return game


@pytest.mark.rule("RUHR-10.8.4-e", "RUHR-10.9-a", "RUHR-10.9-b")
def test_whoever_cannot_pay_is_bankrupt() -> None:
    game = poor(bo=30, cy=20)
    a.floated(game, "CME", "bo", 100)
    a.own(game, "CME", "ann", 20)
    a.mine(game, 10, "ann", 50)
    a.private(game, "SPF", "ann")
    a.operating(game, "EH", "trains")
    # 500 are missing and only 200 of CME can be sold.
    assert a.names(game) >= {"go_bankrupt"}
    assert "sell_shares" not in a.names(game)
    game.state.priority = "ann"
    events = game.apply(mv.GoBankrupt("ann", "EH"))
    assert [event.player for event in events if isinstance(event, PlayerRetired)] == ["ann"]
    assert PriorityMoved("bo") in events
    assert game.state.seats == ["bo", "cy", "di"]
    assert shares.held(game, "CME", POOL) == 20
    assert (game.prices.value("EH"), game.prices.value("CME")) == (65, 100)
    assert game.state.privates["SPF"] == CLOSED
    assert game.company("MC10").closed
    assert Locations.of(game).locations["H13"].state == "passive"
    assert a.refused(game, mv.Pass("ann")).key == "unknown.player"


@pytest.mark.rule("RUHR-10.8.4-e")
def test_one_mark_decides() -> None:
    for cash, bankrupt in ((500, False), (499, True)):
        game = poor(cash, bo=30, cy=20)
        assert ("go_bankrupt" in a.names(game)) is bankrupt


@pytest.mark.rule("RUHR-10.9-c")
def test_a_surplus_goes_to_the_bank_and_the_train_is_paid() -> None:
    game = poor(300, 100, bo=40)
    a.floated(game, "CME", "bo", 100, operated=False)  # cannot be sold before it has operated
    a.own(game, "CME", "ann", 20)
    a.operating(game, "EH", "trains")
    assert "go_bankrupt" in a.names(game)
    game.apply(mv.GoBankrupt("ann", "EH"))
    # 300 + 2 x 70 + 2 x 100 = 640, of which 400 are needed.
    assert game.state.cash["ann"] == 0
    assert game.state.cash["EH"] == 500
    assert game.company("EH").director == "bo"
    game.apply(buy("5+5", player="bo"))
    assert (game.company("EH").trains, game.state.cash["bo"]) == (["5+5"], 1000)


@pytest.mark.rule("RUHR-10.9-e")
def test_what_the_bankrupt_left_is_for_the_train_and_not_for_own_certificates() -> None:
    game = poor(300, 100, bo=40)
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert (a.asked(game), game.state.cash["EH"]) == ("bo", 500)
    assert shares.held(game, "EH", POOL) >= 10
    assert game.prices.value("EH") <= 500
    assert a.names(game) == {"buy_train"}


@pytest.mark.rule("RUHR-10.9-c", "RUHR-10.9-e")
def test_the_new_director_pays_the_rest_of_the_same_purchase() -> None:
    game = poor(200, 100, bo=40)
    a.floated(game, "CME", "bo", treasury=0)
    game.company("CME").trains.append("6+6")
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    # 200 + 140 of ann and 100 of EH: 60 are missing.
    assert game.state.cash["EH"] == 440
    assert a.asked(game) == "bo"
    assert a.offered(game, "buy_train") == [BANK]
    assert a.refused(game, buy("6+6", "CME", 10, player="bo")).rule == "RUHR-10.9-e"
    game.apply(buy("5+5", player="bo"))
    assert game.state.cash["bo"] == 1000 - 60


@pytest.mark.rule("RUHR-10.9-e")
def test_the_new_director_keeps_to_the_cheapest_train_there_was() -> None:
    game = poor(0, 100, bo=40)
    game.state.depot.pool.append("4+4")
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert (a.asked(game), a.offered(game, "buy_train")) == ("bo", [POOL])
    assert a.refused(game, buy("5+5", player="bo")).rule == "RUHR-10.9-e"
    game.apply(buy("4+4", POOL, player="bo"))
    assert game.state.cash["bo"] == 1000 - (300 - 100 - 140)


@pytest.mark.rule("RUHR-10.9-d")
@pytest.mark.parametrize(
    ("holdings", "director"),
    [({"cy": 30, "bo": 20}, "cy"), ({"cy": 20, "di": 20}, "cy"), ({"bo": 10, "cy": 10}, "")],
)
def test_who_follows_a_bankrupt_director(holdings: dict[str, int], director: str) -> None:
    game = poor(bo=10)
    for player in ("bo", "cy", "di"):
        a.own(game, "EH", player, 0)
    for player, percent in holdings.items():
        a.own(game, "EH", player, percent)
    a.own(game, "EH", POOL, 100 - 20 - sum(holdings.values()))
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert game.company("EH").director == director
    if director:
        assert game.company("EH").certificates[0] == director
        assert shares.held(game, "EH", director) == holdings[director]
    else:
        assert game.company("EH").certificates[0] == POOL


@pytest.mark.rule("RUHR-10.9-d", "RUHR-5.3-f")
def test_a_20_goes_to_the_pool_before_tens_for_a_bankrupt_directors_certificate() -> None:
    game = poor(bo=30, cy=20)
    a.floated(game, "DGEE", "ann", 50)
    a.own(game, "DGEE", "ann", 20)
    for number in (1, 3, 4):
        game.company("DGEE").certificates[number] = "cy"
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert game.company("DGEE").director == "cy"
    assert (shares.numbers(game, "DGEE", "cy"), shares.numbers(game, "DGEE", POOL)) == ([0, 3, 4], [1])


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.9-g")
def test_the_banker_runs_a_company_without_director() -> None:
    game = poor(bo=10, cy=10)
    a.own(game, "EH", "di", 0)
    a.own(game, "EH", POOL, 60)
    a.floated(game, "CME", "di", treasury=0)
    a.operating(game, "EH", "trains")
    events = game.apply(mv.GoBankrupt("ann", "EH"))
    # 100 for the shares went into the purchase; the bank lends the rest, and the company owns its train.
    assert game.company("EH").trains == ["5+5"]
    (loan,) = [event for event in events if isinstance(event, BankLoan)]
    assert loan.amount == 500 - 140 == BankLoans.of(game).loans["EH"]
    # In its next turn it runs, withholds and pays back; it builds nothing.
    tiles = dict(game.state.board.tiles)
    while "EH" in BankLoans.of(game).loans and BankLoans.of(game).loans["EH"] == 360:
        player = a.asked(game)
        names = a.names(game)
        actor = game.state.round.actor
        if "dividend" in names:
            game.apply(mv.Dividend(player, actor, "withhold"))
        elif "pass" in names:
            game.apply(mv.Pass(player))
        else:
            game.apply(game.offer().choices[0].move(_first(game)))
    assert BankLoans.of(game).loans["EH"] == 360 - 70  # Essen, Mülheim and Steele
    assert game.state.cash["EH"] == 0
    assert game.state.board.tiles == tiles


def _first(game: Game) -> dict[str, object]:
    choice, picked = game.offer().choices[0], {}  # type: ignore[var-annotated]
    while (domain := choice.ask(picked)) is not None:
        picked[domain.name] = domain.options[0].value if hasattr(domain, "options") else domain.low
    return picked


def leaderless(company: str, treasury: int = 0, value: int = 70) -> Game:
    """A company of which nobody holds a director's certificate: the pool has it, ann a share of 10 % or 20 %."""
    game = a.second_stock_round()
    a.phase(game, "5")
    a.cards_left(game, t5=3)
    if company == "EH":
        a.floated(game, "EH", "ann", treasury=treasury)
        a.put(game, "K6", "9", "NE", "SW")
        a.put(game, "L5", "719", "NE", "SW")
        a.own(game, "EH", "ann", 20)
    else:
        a.montan(game, company, "ann", 5, treasury, A=3, B=2)
    a.price_at(game, company, value)
    game.company(company).director, game.company(company).certificates[0] = "", POOL
    a.take_offer(game)
    return game


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.8.1-c")
def test_nobody_can_sell_a_train_of_a_company_without_a_director() -> None:
    game = leaderless("EH", 50)
    a.trains(game, "EH", "5+5")
    a.floated(game, "CME", "bo", 60)
    a.operating(game, "CME", "trains")
    refusal = a.refused(game, buy("5+5", "EH", 10, company="CME", player="bo"))
    assert (refusal.key, refusal.rule) == ("train.no_director", "RUHR-10.9-f")
    assert a.offered(game, "buy_train") == [BANK]
    # Neither as an engine.
    a.mine(game, 10, "bo", 200)
    a.link(game, 10)
    a.operating(game, "MC10", "spend")
    refusal = a.refused(game, BuyTrainAsEngine("bo", "MC10", "5+5", "EH", "", 10))
    assert (refusal.key, refusal.rule) == ("train.no_director", "RUHR-10.9-f")
    assert "buy_train_as_engine" not in a.names(game)
    a.trains(game, "CME", "5+5")
    a.operating(game, "MC10", "spend")
    assert a.offered(game, "buy_train_as_engine") == ["CME"]


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.9-g")
def test_the_bank_withholds_and_pays_back_what_is_in_the_treasury() -> None:
    game = leaderless("EH", 50)
    a.trains(game, "EH", "5+5")
    BankLoans.of(game).loans["EH"] = 300
    a.floated(game, "CME", "bo", 60)  # so that the round goes on
    a.operating(game, "EH")
    game.settle()
    # Essen, Mülheim and Steele bring 70; with the 50 of the treasury 120 are paid back.
    assert (game.state.cash["EH"], BankLoans.of(game).loans) == (0, {"EH": 180})
    assert game.prices.value("EH") == 65
    assert game.company("EH").trains == ["5+5"], "it has a train and buys no other"


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.9-g")
def test_the_bank_buys_the_cheapest_train_and_adds_to_the_loan() -> None:
    game = leaderless("EH", 100)
    game.state.depot.pool.append("4+4")
    BankLoans.of(game).loans["EH"] = 40
    a.floated(game, "CME", "bo", 60)
    a.operating(game, "EH")
    game.settle()
    assert (game.company("EH").trains, game.state.depot.pool) == (["4+4"], [])
    assert BankLoans.of(game).loans == {"EH": 40 - 40 + 300 - 60}


def before_the_bank(game: Game) -> None:
    """CME of bo acts before EH and has nothing left to do."""
    a.floated(game, "CME", "bo", 60)
    a.price_at(game, "CME", 80)
    a.operating(game, "CME", "trains")


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.9-g")
def test_what_the_bank_does_for_a_railway_is_told() -> None:
    game = leaderless("EH", 50)
    a.trains(game, "EH", "5+5")
    BankLoans.of(game).loans["EH"] = 300
    before_the_bank(game)
    told = game.apply(mv.Pass("bo"))
    (run,) = [event for event in told if isinstance(event, ev.TrainsRun)]
    assert (run.company, run.revenue) == ("EH", 70)
    assert [(train, worth) for train, worth, _ in run.routes] == [("5+5", 70)]
    assert ev.RevenueKept("EH", 70) in told
    assert LoanRepaid("EH", 120) in told
    game = leaderless("EH", 100)
    game.state.depot.pool.append("4+4")
    before_the_bank(game)
    told = game.apply(mv.Pass("bo"))
    assert ev.TrainBought("EH", "4+4", POOL, 300) in told
    assert BankLoan("EH", 200) in told


@pytest.mark.rule("RUHR-10.9-g")
def test_a_second_loan_is_added_to_the_first() -> None:
    game = leaderless("EH")
    lend(game, "EH", 100)
    a.cash(game, "EH", 30)
    lend(game, "EH", 100)
    assert BankLoans.of(game).loans == {"EH": 170}


@pytest.mark.rule("RUHR-10.9-f", "RUHR-9.1.1.3-e")
def test_the_bank_buys_a_leaderless_corporation_the_markers_it_must_have() -> None:
    game = leaderless("RB", 100)
    a.cards_left(game, t6=2, t8=2)
    a.phase(game, "6")
    a.floated(game, "CME", "bo", 60)
    a.operating(game, "RB")
    game.settle()
    # The cheaper card, and with it the highest stages that fit.
    assert works.charter(game, "RB").markers == {"A": 3, "B": 2, "C": 2, "D": 1, "E": 1}
    assert BankLoans.of(game).loans == {"RB": 380 - 100}
    # In its next turn it has active ones and buys nothing.
    a.operating(game, "RB")
    game.settle()
    assert works.charter(game, "RB").markers == {"A": 3, "B": 2, "C": 2, "D": 1, "E": 1}
    assert BankLoans.of(game).loans == {"RB": 380 - 100 - 150}


@pytest.mark.rule("RUHR-10.9-f", "RUHR-9.1.1.3-g")
def test_a_leaderless_corporation_closes_too() -> None:
    game = leaderless("RB", 100)
    Works.of(game).supply["coal"]["C"] = 0
    a.floated(game, "CME", "bo", 60)
    a.operating(game, "RB")
    game.settle()
    assert game.company("RB").closed


@pytest.mark.rule("RUHR-10.9-f")
def test_the_first_with_enough_shares_becomes_director() -> None:
    game = poor(bo=10, cy=10)
    a.own(game, "EH", "di", 0)
    a.own(game, "EH", POOL, 60)
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    a.stock(game, "bo")
    assert 20 not in a.offered(game, "buy_share", company="EH", source=POOL)  # the certificate itself is not for sale
    game.apply(mv.BuyShare("bo", "EH", POOL, 10))
    assert game.company("EH").director == "bo"
    assert game.company("EH").certificates[0] == "bo"
    assert shares.held(game, "EH", "bo") == 20


@pytest.mark.rule("RUHR-10.9-f", "RUHR-10.9-a")
def test_an_unfloated_railway_of_a_bankrupt_founder_stays_on_the_market() -> None:
    game = poor(bo=30, cy=20)
    a.founded(game, "CME", "ann", 50)
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert (game.company("CME").director, game.company("CME").certificates[0]) == ("", POOL)
    a.stock(game, "cy")
    game.apply(mv.BuyShare("cy", "CME", "offering", 10))
    assert game.company("CME").director == ""
    a.stock(game, "cy")
    game.apply(mv.BuyShare("cy", "CME", "offering", 10))
    assert game.company("CME").director == "cy"
    assert shares.held(game, "CME", "cy") == 20


@pytest.mark.rule("RUHR-10.9-a")
def test_priority_cards_and_the_last_player() -> None:
    game = poor(bo=30, cy=20)
    game.state.priority = "ann"
    a.operating(game, "EH", "trains")
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert game.state.priority == "bo"
    assert a.order(game) == ["bo", "cy", "di"]
    game = poor(bo=30, cy=20)
    game.state.seats = ["ann", "bo"]
    game.state.retired = ["cy", "di"]
    a.take_offer(game)
    game.apply(mv.GoBankrupt("ann", "EH"))
    assert game.state.finished == "bankruptcy"


# ---------------------------------------------------------------------- phases


@pytest.mark.rule("RUHR-11-2", "RUHR-11-3", "RUHR-11-4-b", "RUHR-11-6-a", "RUHR-11-8-b")
@pytest.mark.parametrize(
    ("phase", "stages", "engines"),
    [
        ("2", "AB", "W1"),
        ("3", "ABC", "W2"),
        ("4", "ABCD", "W3"),
        ("5", "ABCD", "W3"),
        ("6", "ABCDE", "W3"),
        ("8", "ABCDEX", "W4"),
    ],
)
def test_stages_and_engines_by_phase(phase: str, stages: str, engines: str) -> None:
    game = a.second_stock_round()
    if phase != "2":
        a.phase(game, phase)
    card = works.tables(game).cards[f"{phase}+{phase}"]
    assert "".join(card.stages) == stages
    assert card.engine == engines
    available = {stage for stage, row in works.tables(game).stages.items() if works.happened(game, row.available_on)}
    assert available == (set(stages) if phase != "2" else set())  # of the first stages with the first card


@pytest.mark.rule("RUHR-11-6-a", "RUHR-11-8-a")
def test_trains_that_a_phase_ends() -> None:
    game = buying(treasury=5000, phase="5")
    a.floated(game, "CME", "bo")
    a.trains(game, "CME", "3+3", "4+4")
    a.cards_left(game, t6=3, t8=3)
    game.state.depot.sold["6+6"] = game.state.depot.sold["8+8"] = 0
    a.operating(game, "EH", "trains")
    game.apply(buy("6+6"))
    assert game.company("CME").trains == ["4+4"]
    game.apply(buy("8+8"))
    assert game.company("CME").trains == []


@pytest.mark.rule("RUHR-11-8-c", "RUHR-15.1-c", "RUHR-12.4-c")
def test_the_first_8_brings_one_more_stock_round_and_three_operating_rounds() -> None:
    game = buying(treasury=5000, phase="6")
    a.own(game, "EH", "ann", 100)
    a.passive(game, 11)
    a.cards_left(game, t8=3)
    game.state.depot.sold["8+8"] = 0
    a.operating(game, "EH", "trains", 1, 2)
    game.apply(buy("8+8"))
    seen: list[tuple[str, int]] = []
    while not game.finished:
        round_ = game.state.round
        if not seen or seen[-1] != (round_.kind, round_.operating_number):
            seen.append((round_.kind, round_.operating_number))
        player, names, actor = a.asked(game), a.names(game), round_.actor
        if "run" in names and "pass" not in names:
            game.apply(game.offer().find("run").move(_first_of(game, "run")))  # type: ignore[union-attr]
        elif "dividend" in names:
            game.apply(mv.Dividend(player, actor, "withhold"))
        else:
            game.apply(mv.Pass(player))
    kinds = [kind for kind, _ in seen]
    assert kinds.count("founding") == 1
    assert [entry for entry in seen if entry[0] == "operating"] == [
        ("operating", 1), ("operating", 2), ("operating", 1), ("operating", 2), ("operating", 3),
    ]  # fmt: skip
    assert kinds.count("stock") == 1
    assert game.state.finished == "last_card"


def _first_of(game: Game, name: str) -> dict[str, object]:
    choice, picked = game.offer().find(name), {}  # type: ignore[var-annotated]
    assert choice is not None
    while (domain := choice.ask(picked)) is not None:
        picked[domain.name] = domain.options[0].value if hasattr(domain, "options") else domain.low
    return picked
