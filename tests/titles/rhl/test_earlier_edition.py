"""The edition before 2024: where it differs, each point beside what the rulebook of 2024 says."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance.prices import rise_if_sold_out
from engine.game import Game
from engine.state import BANK, CLOSED, OFFERING
from tests.titles.rhl import arrange, trips
from tests.titles.rhl.test_stock_rounds import filled
from tests.titles.rhl.trips import AACHEN_LINE, Lay

EDITIONS = ("2024", "earlier")


def after_package(edition: str, par: int = 70) -> Game:
    game = arrange.after_package(edition=edition)
    if game.state.pauses:
        game.apply(mv.Found("cy", "RhE", par))
    return game


# ---------------------------------------------------------------------- RhE


def test_the_buyer_chooses_rhes_starting_price() -> None:
    game = arrange.after_package(edition="earlier")
    assert arrange.names(game) == {"found"}
    assert game.offer().deciders == ("cy",)
    assert trips.values(game, "found", company="RhE") == [70, 75, 80]
    assert arrange.refused(game, mv.Found("cy", "RhE", 90)).rule == "RHL-5.1.3-a"
    assert arrange.refused(game, mv.Found("cy", "ADR", 70)).rule == "RHL-6.2-a"
    game.apply(mv.Found("cy", "RhE", 80))
    assert (game.company("RhE").par, game.prices.value("RhE")) == (80, 80)
    assert game.company("RhE").director == "cy"


def test_the_whole_bid_goes_to_rhe() -> None:
    game = arrange.new(edition="earlier")
    game.apply(mv.Bid("ann", "RHE-DIR", 203))
    for lot, player in (("PWB", "bo"), ("KEO", "cy"), ("THS", "bo"), ("TF", "cy"), ("NLK", "bo")):
        game.state.round.actor = player
        arrange.take_offer(game)
        game.apply(mv.BuyLot(player, lot))
    game.apply(mv.Found("ann", "RhE", 70))
    assert game.state.cash["RhE"] == 203


@pytest.mark.parametrize(("edition", "amount", "source"), [("2024", 210, "aside"), ("earlier", 225, BANK)])
def test_the_link_to_aachen_pays_three_times_the_starting_price(edition: str, amount: int, source: str) -> None:
    game = after_package(edition, par=75)
    assert game.state.cash.get("aside", 0) == (210 if edition == "2024" else 0), "nothing is set aside before"
    arrange.floated(game, "ADR", "ann")
    trips.lay(game, Lay("K8", "8", 4), Lay("J9", "9", 0))
    arrange.operating(game, "ADR", "track")
    before = game.state.cash["RhE"]
    happened = game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert game.state.cash["RhE"] == before + amount
    assert any(isinstance(e, ev.Paid) and (e.source, e.target) == (source, "RhE") for e in happened)


# ---------------------------------------------------------------------- stock rounds


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_new_companys_price_rises_at_the_end_of_the_round(edition: str) -> None:
    game = after_package(edition)
    arrange.founded(game, "ADR", "ann", par=80)
    arrange.hand(game, "ADR", "ann", 20)
    arrange.stock(game, "ann")
    arrange.cash(game, "ann", 500)
    arrange.take_offer(game)
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.company("ADR").floated
    assert game.company("ADR").price == ((0, 2) if edition == "2024" else (1, 2))
    trips.idle(game, lambda g: g.state.round.kind == "operating")
    assert game.company("ADR").price == (0, 2)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rhes_price_rises_at_the_end_of_the_first_stock_round(edition: str) -> None:
    game = after_package(edition)
    assert game.prices.value("RhE") == (75 if edition == "2024" else 70)
    trips.idle(game, lambda g: g.state.round.kind == "operating")
    assert game.prices.value("RhE") == 75


@pytest.mark.parametrize(("edition", "first"), [("2024", "ann"), ("earlier", "bo")])
def test_the_first_priority_goes_to_the_most_cash(edition: str, first: str) -> None:
    """cy buys the last lot; left of cy sits ann, but bo has the most cash."""
    game = arrange.new(edition=edition)
    for lot in game.rules.rounds["package"].lots(game):  # type: ignore[attr-defined]
        buyer = "cy" if lot == "RHE-DIR" else "ann"
        game.state.round.actor = buyer
        arrange.take_offer(game)
        game.apply(mv.BuyLot(buyer, lot))
    if game.state.pauses:
        game.apply(mv.Found("cy", "RhE", 70))
    assert game.state.priority == first
    assert game.offer().deciders == (first,)


def test_of_several_with_most_cash_after_the_package_whoever_is_next_begins() -> None:
    """ann has bought last, so that it would be bo's turn; ann and cy have as much and more than bo."""
    game = arrange.new(edition="earlier")
    for lot in game.rules.rounds["package"].lots(game):  # type: ignore[attr-defined]
        buyer = "ann" if lot == "RHE-DIR" else "bo"
        game.state.round.actor = buyer
        if lot == "RHE-DIR":
            arrange.cash(game, "ann", 740)
        arrange.take_offer(game)
        game.apply(mv.BuyLot(buyer, lot))
    game.apply(mv.Found("ann", "RhE", 70))
    assert [game.state.cash[player] for player in ("ann", "bo", "cy")] == [600, 300, 600]
    assert game.state.priority == "bo"
    assert game.offer().deciders == ("bo",)


def test_new_companies_rise_in_the_order_in_which_they_have_floated() -> None:
    """ADR lies below BME in one space; it has floated first, rises first, and comes to lie above."""
    game = after_package("earlier")
    for company, director in (("BME", "bo"), ("ADR", "ann")):
        arrange.founded(game, company, director, par=90)
        arrange.hand(game, company, director, 20)
        arrange.cash(game, director, 500)
    arrange.stock(game, "ann")
    assert [company for company in game.prices.order() if company != "RhE"] == ["BME", "ADR"]
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    game.apply(mv.BuyShare("bo", "BME", OFFERING, 10))
    trips.idle(game, lambda g: g.state.round.kind == "operating")
    assert [company for company in game.prices.order() if company != "RhE"] == ["ADR", "BME"]
    assert game.company("ADR").price == game.company("BME").price == (0, 3)


@pytest.mark.parametrize(("edition", "asked"), [("2024", "di"), ("earlier", "ann")])
def test_an_auction_of_three_asks_the_lowest_bidder_next(edition: str, asked: str) -> None:
    """bo, who has bid least, raises to 55; then comes di (50) clockwise, or ann (45), who has bid less."""
    game = arrange.new(4, edition=edition)
    for player, price in (("bo", 40), ("ann", 45), ("di", 50)):
        game.state.round.actor = player
        arrange.take_offer(game)
        game.apply(mv.Bid(player, "KEO", price))
    game.state.round.actor = "cy"
    arrange.take_offer(game)
    game.apply(mv.BuyLot("cy", "PWB"))
    assert game.offer().deciders == ("bo",)
    game.apply(mv.Bid("bo", "KEO", 55))
    assert game.offer().deciders == (asked,)
    game.apply(mv.Pass(asked))
    assert game.offer().deciders == ("di" if edition == "earlier" else "ann",)


@pytest.mark.parametrize("edition", EDITIONS)
def test_rhes_pool_shares_are_on_sale_in_the_first_stock_round(edition: str) -> None:
    game = after_package(edition)
    player = game.offer().deciders[0]
    purchase = mv.BuyShare(player, "RhE", "pool", 10)
    if edition == "2024":
        assert arrange.refused(game, purchase).rule == "RHL-5.1.2-a"
    else:
        game.apply(purchase)
        assert game.company("RhE").certificates.count("pool") == 2


@pytest.mark.parametrize("edition", EDITIONS)
def test_shares_are_sold_only_after_the_company_operated(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann")
    arrange.stock(game, "ann")
    if edition == "earlier":
        assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-b"
        game.company("ADR").operated = True
        arrange.take_offer(game)
    game.apply(mv.SellShares("ann", "ADR", 10))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_company_may_be_sold_several_times_in_a_turn(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann", par=80)
    game.company("ADR").operated = True
    arrange.stock(game, "ann")
    game.apply(mv.SellShares("ann", "ADR", 10))
    if edition == "2024":
        assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.2.1-c"
    else:
        game.apply(mv.SellShares("ann", "ADR", 10))
        assert game.company("ADR").price == (3, 2), "each sale moves the price"


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_both_editions_say_of_buying_and_selling(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann")
    game.company("ADR").operated = True
    arrange.stock(game, "ann", 1)
    assert arrange.refused(game, mv.SellShares("ann", "ADR", 10)).rule == "RHL-5.1-a", "not in the first round"
    arrange.stock(game, "ann")
    game.apply(mv.SellShares("ann", "ADR", 10))
    assert arrange.refused(game, mv.BuyShare("ann", "ADR", OFFERING, 10)).rule == "RHL-5.2-b", "sold in this round"
    for company in ("BME", "CME", "DEE"):
        arrange.founded(game, company, "bo", par=60)
    filled(game, "ann", 20)
    arrange.stock(game, "ann")
    assert arrange.refused(game, mv.BuyShare("ann", "DEE", OFFERING, 10)).rule == "RHL-5.2.2-b", "the limit of three"


@pytest.mark.parametrize(("edition", "first"), [("2024", "bo"), ("earlier", "ann")])
def test_among_the_richest_the_next_in_turn_begins(edition: str, first: str) -> None:
    """All pass from ann on, so that it would be ann's turn; bo and cy are the richest."""
    game = after_package(edition)
    arrange.stock(game, "ann")
    for player, amount in (("ann", 100), ("bo", 300), ("cy", 300)):
        arrange.cash(game, player, amount)
    arrange.take_offer(game)
    for player in ("ann", "bo", "cy"):
        game.apply(mv.Pass(player))
    assert game.state.priority == first


@pytest.mark.parametrize("edition", EDITIONS)
def test_in_a_forced_purchase_too(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann", treasury=0)
    arrange.floated(game, "CME", "bo", treasury=0)
    game.company("ADR").certificates[:] = ["ann", *["bo"] * 2, *["pool"] * 5, "cy"]
    game.company("CME").certificates[3:6] = ["ann", "cy", "cy"]
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 0)
    game.prices.put("CME", (0, 5))  # 120: enough for the train, without a loan
    arrange.take_offer(game)
    assert ("sell_shares" in arrange.names(game)) == (edition == "2024")
    game.company("CME").operated = True
    arrange.take_offer(game)
    assert "sell_shares" in arrange.names(game)


def test_bids_need_not_be_multiples_of_5() -> None:
    game = arrange.new(edition="earlier")
    game.apply(mv.Bid("ann", "TF", 86))
    assert game.offer().deciders == ("bo",)
    assert arrange.refused(arrange.new(), mv.Bid("ann", "TF", 86)).rule == "RHL-5.1.1-c"


# ---------------------------------------------------------------------- operating rounds


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_home_station_blocks_from_the_companys_first_turn_on(edition: str) -> None:
    """RhE's way from Düren to M.Gladbach leads through Aachen, whose one space is ADR's home."""
    game = after_package(edition)
    arrange.founded(game, "ADR", "ann", par=60)
    arrange.hand(game, "ADR", "ann", 20)
    trips.lay(game, Lay("K4", "4", 1), Lay("J3", "2", 0), Lay("H5", "9", 0))
    arrange.station(game, "RhE", "K6")
    through = ("G6:a", "H5", "I4", "J3:a", "K2:a", "K4:a", "K6:a")
    arrange.stock(game, "ann", 1)
    arrange.cash(game, "ann", 500)
    arrange.take_offer(game)
    game.apply(mv.BuyShare("ann", "ADR", OFFERING, 10))
    assert game.company("ADR").floated
    arrange.trains(game, "RhE", "3")
    arrange.operating(game, "RhE", "run")
    move = mv.Run("cy", "RhE", (mv.TrainPath("3", through),))
    if edition == "earlier":
        assert trips.earned(game, "RhE", ("3", through)) == 20 + 10 + 20 + 10 + 20
        trips.idle(game, lambda g: g.state.round.actor == "ADR")
        arrange.operating(game, "RhE", "run")
    assert arrange.refused(game, move).rule == "RHL-6.1.2-e"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_town_is_no_end_of_a_route(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    trips.runner(game, "ADR", "2")
    assert trips.earned(game, "ADR", ("2", AACHEN_LINE)) == 50
    to_the_town = trips.run(game, "ADR", ("2", AACHEN_LINE[:2]))
    if edition == "earlier":
        assert arrange.refused(game, to_the_town).rule == "RHL-6.2.3-b"
    else:
        game.apply(to_the_town)


@pytest.mark.parametrize("edition", EDITIONS)
def test_nobody_has_to_run(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    trips.runner(game, "ADR", "2")
    assert ("pass" in arrange.names(game)) == (edition == "earlier")
    if edition == "earlier":
        game.apply(trips.run(game, "ADR"))
        assert game.company("ADR").last_revenue == 0
    else:
        assert arrange.refused(game, trips.run(game, "ADR")).rule == "RHL-6.2.3-a"


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_director_pays_before_the_company_sells_its_shares(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann", treasury=0)
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 100)
    arrange.take_offer(game)
    purchase = mv.BuyTrain("ann", "ADR", "2", BANK, 100)
    if edition == "2024":
        assert arrange.names(game) == {"sell_own_shares"}
        assert arrange.refused(game, purchase).rule == "RHL-6.2.6.2-b"
    else:
        assert arrange.names(game) == {"buy_train"}
        game.apply(purchase)
        assert game.state.cash["ann"] == 0


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_dividend_below_the_price_leaves_the_stack_as_it_is(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann", par=80)
    arrange.floated(game, "DEE", "bo", par=80)
    trips.revenue(game, "ADR", 70)
    game.apply(mv.Dividend("ann", "ADR", "pay"))
    order = [company for company in game.prices.order() if company != "RhE"]
    assert order == (["ADR", "DEE"] if edition == "earlier" else ["DEE", "ADR"])


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_company_may_leave_its_home_without_track(edition: str) -> None:
    game = after_package(edition)
    moers = "KEG" if edition == "earlier" else "MKB"
    arrange.phase(game, "5")
    arrange.floated(game, moers, "ann")
    arrange.operating(game, moers, "track")
    assert ("pass" in arrange.names(game)) == (edition == "earlier")
    game.apply(mv.LayTile("ann", moers, "D7", "947", 1))


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_forced_sale_may_make_another_director_of_another_company(edition: str) -> None:
    game = after_package(edition)
    for company in ("ADR", "CME"):
        arrange.floated(game, company, "ann", treasury=0)
        game.company(company).operated = True
    game.company("ADR").certificates[:] = ["ann", *["bo"] * 2, *["pool"] * 5, "cy"]
    game.company("CME").certificates[:] = ["ann", *["bo"] * 2, *["cy"] * 6]
    game.company("CME").certificates[3] = "ann"
    game.company("CME").certificates[4] = "bo"
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 60)
    arrange.take_offer(game)
    sale = mv.SellShares("ann", "CME", 10)
    if edition == "2024":
        assert arrange.refused(game, sale).rule == "RHL-6.2.6.2-f"
    else:
        game.apply(sale)
        assert game.company("CME").director == "cy"


def test_no_forced_sale_makes_another_director_of_the_acting_company() -> None:
    game = after_package("earlier")
    arrange.floated(game, "ADR", "ann", treasury=0)
    game.company("ADR").certificates[:] = ["ann", "ann", *["bo"] * 3, *["pool"] * 3, "cy"]
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 60)
    arrange.take_offer(game)
    assert arrange.names(game) == {"go_bankrupt"}, "with 10 % less bo would direct it"
    game.company("ADR").certificates[2] = "cy"
    arrange.take_offer(game)
    assert arrange.offered(game, "sell_shares", company="ADR") == [10], "no operation is needed of the acting company"


def test_shares_of_one_company_may_be_sold_one_after_the_other_in_a_forced_purchase() -> None:
    """ann needs 100; two of her three shares of CME at 80 pay it, together or one by one."""
    game = after_package("earlier")
    arrange.floated(game, "ADR", "ann", treasury=0)
    arrange.floated(game, "CME", "bo", treasury=0)
    game.company("ADR").certificates[:] = ["ann", *["bo"] * 2, *["pool"] * 5, "cy"]
    game.company("CME").certificates[:] = ["bo", "bo", "bo", "ann", "ann", "ann", "cy", "cy", "cy"]
    game.company("CME").operated = True
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 0)
    arrange.take_offer(game)
    assert arrange.offered(game, "sell_shares", company="CME") == [10, 20]
    game.apply(mv.SellShares("ann", "CME", 10))
    assert arrange.offered(game, "sell_shares", company="CME") == [10]


@pytest.mark.parametrize("edition", EDITIONS)
def test_there_is_no_loan_but_bankruptcy(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "ADR", "ann", treasury=0)
    game.company("ADR").certificates[:] = ["ann", *["bo"] * 2, *["pool"] * 5, "cy"]
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 0)
    arrange.take_offer(game)
    assert arrange.names(game) == ({"take_loan"} if edition == "2024" else {"go_bankrupt"})
    if edition == "earlier":
        game.apply(mv.GoBankrupt("ann", "ADR"))
        assert game.state.finished == "bankruptcy"


@pytest.mark.parametrize(
    ("edition", "trains"), [("2024", {("bank", "5"), ("pool", "3")}), ("earlier", {("pool", "3")})]
)
def test_a_forced_purchase_is_of_the_cheapest_train(edition: str, trains: set[tuple[str, str]]) -> None:
    game = after_package(edition)
    arrange.phase(game, "5")
    arrange.floated(game, "ADR", "ann", treasury=0)
    game.company("ADR").certificates[:] = ["ann", *["bo"] * 2, *["pool"] * 5, "cy"]
    trips.aachen_line(game)
    game.state.depot.pool.append("3")
    game.state.depot.gone.remove("3")
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 1000)
    arrange.take_offer(game)
    assert trips.trains_on_offer(game) == trains
    if edition == "earlier":
        assert arrange.refused(game, mv.BuyTrain("ann", "ADR", "5", BANK, 500)).rule == "RHL-6.2.6.2-a"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_train_beyond_the_limit_of_its_own_phase_is_bought_and_one_discarded(edition: str) -> None:
    game = after_package(edition)
    arrange.phase(game, "3")
    arrange.floated(game, "ADR", "ann", treasury=1000)
    arrange.sell_out(game, "3")
    arrange.trains(game, "ADR", "3", "3", "3")
    arrange.operating(game, "ADR", "trains")
    purchase = mv.BuyTrain("ann", "ADR", "4", BANK, 300)
    if edition == "2024":
        assert arrange.refused(game, purchase).rule == "RHL-6.2.6-i"
    else:
        game.apply(purchase)
        assert arrange.names(game) == {"discard_train"}
        game.apply(mv.DiscardTrain("ann", "ADR", "3"))
        assert game.company("ADR").trains == ["3", "3", "4"]


# ---------------------------------------------------------------------- private companies


def turn(edition: str, private: str, phase: str = "3") -> Game:
    """ADR's turn, with a route to Düren; ann owns the private company."""
    owners = {"PWB": "bo", "KEO": "bo", "THS": "bo", "TF": "bo", "NLK": "bo", private: "ann"}
    game = arrange.after_package(buyers=owners, edition=edition)
    if game.state.pauses:
        game.apply(mv.Found("cy", "RhE", 70))
    if phase != "2":
        arrange.phase(game, phase)
    arrange.floated(game, "ADR", "ann")
    arrange.lay(game, "K4", "4", 1)
    arrange.operating(game, "ADR")
    return game


KEO_LAY = mv.LayTile("ann", "ADR", "E8", "935", 0, "KEO")
TF_LAY = mv.LayTile("ann", "ADR", "D9", "925", 0, "TF")


@pytest.mark.parametrize("edition", EDITIONS)
def test_private_companies_pay_in_an_operating_round_and_close_with_brown(edition: str) -> None:
    game = after_package(edition)
    owned = {name: owner for name, owner in game.state.privates.items() if owner in game.state.seats}
    before = sum(game.state.cash[player] for player in game.state.seats)
    game.rules.rounds["operating"].begin(game, 1, 1)  # type: ignore[attr-defined]
    income = sum(game.definition.privates[name].revenue for name in owned)
    assert sum(game.state.cash[player] for player in game.state.seats) == before + income > before
    game.emit(ev.PhaseChanged("5", "brown"))
    assert {game.state.privates[name] for name in owned} == {CLOSED}


@pytest.mark.parametrize("edition", EDITIONS)
def test_if_all_pass_in_the_package_private_companies_pay(edition: str) -> None:
    game = arrange.new(edition=edition)
    game.apply(mv.BuyLot("ann", "PWB"))
    cash = game.state.cash["ann"]
    for player in ("bo", "cy", "ann"):
        game.apply(mv.Pass(player))
    assert game.state.cash["ann"] == cash + game.definition.privates["PWB"].revenue


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_used_keo_stays_and_an_ordinary_lay_is_allowed_beside_it(edition: str) -> None:
    game = turn(edition, "KEO")
    game.apply(KEO_LAY)
    game.apply(mv.Pass("ann"))
    if edition == "2024":
        assert game.state.privates["KEO"] == "closed"
        assert game.state.round.step != "track"
        return
    assert game.state.privates["KEO"] == "ann"
    assert game.state.round.step == "track"
    assert arrange.refused(game, KEO_LAY).rule == "RHL-4.1-d", "once in a game"
    at = trips.values(game, "lay_tile")[0]
    tile = trips.values(game, "lay_tile", hex=at)[0]
    game.apply(mv.LayTile("ann", "ADR", at, tile, trips.values(game, "lay_tile", hex=at, tile=tile)[0]))
    assert game.state.round.step == "station"


@pytest.mark.parametrize(("lay", "private"), [(KEO_LAY, "KEO"), (TF_LAY, "TF")])
def test_after_a_granted_station_no_tile_is_laid(lay: mv.LayTile, private: str) -> None:
    game = turn("earlier", private)
    game.apply(lay)
    game.apply(mv.PlaceStation("ann", "ADR", lay.hex, 0, private))
    assert game.state.round.step != "track"


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("extra_tile", [True, False])
def test_after_tfs_station_is_declined_an_ordinary_one_is_allowed(edition: str, extra_tile: bool) -> None:
    game = turn(edition, "TF")
    game.apply(TF_LAY)
    game.apply(mv.Pass("ann"))
    assert game.state.round.step == "track"
    if extra_tile:
        at = trips.values(game, "lay_tile")[0]
        tile = trips.values(game, "lay_tile", hex=at)[0]
        game.apply(mv.LayTile("ann", "ADR", at, tile, trips.values(game, "lay_tile", hex=at, tile=tile)[0]))
    else:
        game.apply(mv.Pass("ann"))
    station = mv.PlaceStation("ann", "ADR", "K6", 0)
    if edition == "earlier":
        game.apply(station)
    else:
        assert arrange.refused(game, station).rule == "RHL-6.2-a"


@pytest.mark.parametrize("edition", EDITIONS)
def test_pwb_gives_no_lay_of_its_own(edition: str) -> None:
    game = turn(edition, "PWB", phase="2")
    fit = next(fit for fit in game.rules.tiling.fits("E14", None) if fit.face.colour == "yellow")
    lay = mv.LayTile("ann", "ADR", "E14", fit.tile, fit.rotation, "PWB")
    if edition == "2024":
        game.apply(lay)
    else:
        assert arrange.refused(game, lay).rule == "RHL-4.1-d"
        assert "in addition" not in game.definition.privates["PWB"].ability


# ---------------------------------------------------------------------- the Rheingold-Express


def rheingold(edition: str) -> Game:
    """CME with an 8-train and a station in Köln on the line of the Rheingold, in the grey phase."""
    game = after_package(edition)
    arrange.floated(game, "CME", "ann")
    arrange.phase(game, "8")
    trips.rheingold(game)
    if edition == "earlier":
        trips.lay(game, Lay("B7", "8", 5))
    trips.runner(game, "CME", "8")
    return game


SOUTHERN = ("F9:a", "G10:a", "H11", "I10:a", "J9", "K10:a", "L11:a")


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rheingold_may_start_in_the_south(edition: str) -> None:
    game = rheingold(edition)
    if edition == "earlier":
        assert trips.earned(game, "CME", ("8", SOUTHERN)) == 50 + 60 + 20 + 70
        assert arrange.refused(game, trips.run(game, "CME", ("8", SOUTHERN[:-1]))).rule == "RHL-6.2.4.4-a"
    else:
        assert arrange.refused(game, trips.run(game, "CME", ("8", SOUTHERN))).rule == "RHL-6.2.4.4-a"


@pytest.mark.parametrize("edition", EDITIONS)
def test_metropolises_count_double_between_any_two_fields_of_the_rheingold(edition: str) -> None:
    game = rheingold(edition)
    assert trips.earned(game, "CME", ("8", trips.RHEINGOLD)) == 60 + 20 + 2 * (50 + 50 + 60) + 60
    southern = ("L11:a", "K10:a", "J9", "I10:a", "J11", "K12:a", "L13:a")
    if edition == "earlier":
        assert trips.earned(game, "CME", ("8", southern)) == 70 + 20 + 2 * 60 + 60
    else:
        assert arrange.refused(game, trips.run(game, "CME", ("8", southern))).rule == "RHL-6.2.3-c"
    trips.runner(game, "CME", "6")
    assert arrange.refused(game, trips.run(game, "CME", ("6", southern))).rule == "RHL-6.2.3-c", (
        "no other train joins the two"
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rheingold_touches_no_other_red_hex(edition: str) -> None:
    game = rheingold(edition)
    trips.venlo(game)
    arrange.station(game, "CME", "E2")
    if edition == "earlier":
        assert arrange.refused(game, trips.run(game, "CME", ("8", trips.VENLO))).rule == "RHL-6.2.2-c"
    else:
        assert trips.earned(game, "CME", ("8", trips.VENLO)) == 60 + 40


@pytest.mark.parametrize("edition", EDITIONS)
def test_the_rheingold_runs_through_more_than_eight_stops_and_the_best_eight_pay(edition: str) -> None:
    game = rheingold(edition)
    trips.lay(
        game,
        Lay("D7", "947", 1),
        Lay("E6", "216", 3),
        Lay("E4", "7", 1),
        Lay("F5", "88", 1),
        Lay("G6", "948", 5),
        Lay("F7", "26", 0),
        Lay("E8", "933", 4),
    )
    around = ("D7:a", "E6:a", "E4", "F5:a", "G6:a", "F7", "E8:a")
    path = ("A6:a", "B7", "B9:a", "C10:a", "D9:a", *around, "F9:a", *SOUTHERN[1:])
    if edition == "earlier":
        stops = 60 + 20 + 50 + 30 + 50 + 50 + 50 + 60 + 20 + 70
        assert trips.earned(game, "CME", ("8", path)) == stops + 50 + 50 + 60 - 20 - 20
        best = game.best_routes("CME")
        assert (best.value, best.proved) == (580, True)
        (route,) = best.routes
        assert sum(part.amount for part in route.parts) == 580
    else:
        assert arrange.refused(game, trips.run(game, "CME", ("8", path))).rule == "RHL-6.2.3-b"


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_train_may_join_hamburg_and_berlin(edition: str) -> None:
    game = after_package(edition)
    arrange.floated(game, "CME", "ann")
    arrange.phase(game, "5")
    trips.lay(game, Lay("B13", "88", 0))
    arrange.station(game, "CME", "A14")
    trips.runner(game, "CME", "2")
    path = ("A14:a", "B13:a", "B15:a")
    if edition == "earlier":
        assert trips.earned(game, "CME", ("2", path)) == 60 + 10 + 80
    else:
        assert arrange.refused(game, trips.run(game, "CME", ("2", path))).rule == "RHL-6.2.3-f"


# ---------------------------------------------------------------------- components


def test_keg_stands_at_moers() -> None:
    game = arrange.new(edition="earlier")
    assert "KEG" in game.state.companies
    assert "MKB" not in game.state.companies
    assert game.state.board.stations["D7"] == [["KEG"]]
    assert game.definition.corporations["KEG"].shares == arrange.new().definition.corporations["MKB"].shares


@pytest.mark.parametrize(
    ("tile", "earlier", "now"), [("3", 2, 4), ("4", 3, 6), ("7", 2, 4), ("25", 2, 1), ("58", 3, 8), ("88", 1, 8)]
)
def test_other_counts_of_tiles(tile: str, earlier: int, now: int) -> None:
    assert arrange.new(edition="earlier").state.board.supply[tile] == earlier
    assert arrange.new().state.board.supply[tile] == now


def test_all_other_tiles_are_the_same() -> None:
    earlier, now = (arrange.new(edition=edition).state.board.supply for edition in EDITIONS)
    assert {tile for tile in now if now[tile] != earlier[tile]} == {"3", "4", "7", "25", "58", "88"}


def test_b7_takes_tiles() -> None:
    game = arrange.new(edition="earlier")
    assert game.rules.tiling.fits("B7", None)
    assert not arrange.new().rules.tiling.fits("B7", None)


def test_roermond_is_a_red_terminus_and_antwerpen_is_blank() -> None:
    game = after_package("earlier")
    assert not game.definition.map.hexes["H1"].face.stops
    arrange.floated(game, "CME", "ann")
    arrange.phase(game, "5")
    trips.iron_rhine(game)
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "6")
    to_roermond = trips.IRON_RHINE[:-1]
    trips.locations(game)
    assert trips.earned(game, "CME", ("6", to_roermond)) == 20 + 40 + 40 + 50 + 10 + 10 + 20 + 80, "the Iron Rhine"
    assert trips.earned(game, "CME", ("6", to_roermond[1:])) == 40 + 40 + 50 + 10 + 10 + 20, "only from the Ruhr"
    arrange.station(game, "RhE", "G2")
    assert trips.earned(game, "CME", ("6", to_roermond)) == 270, "a foreign station does not close Roermond"
    assert arrange.refused(game, trips.run(game, "CME", ("6", trips.IRON_RHINE))).rule == "RHL-6.1.2-d"


@pytest.mark.rule("RHL-5-e")
@pytest.mark.parametrize("edition", ["2024", "earlier"])
def test_a_sold_out_company_rises_by_one_space(edition: str) -> None:
    game = arrange.new(edition=edition)
    arrange.floated(game, "ADR", "bo")
    game.company("ADR").certificates[:] = ["bo"] * len(game.company("ADR").certificates)
    game.prices.put("ADR", (2, 4))
    rise_if_sold_out(game)
    assert game.company("ADR").price == (1, 4)
