"""The first stock round: the package and what follows it (ledger section 3)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.events import LotSold
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import package, works
from titles.ruhr.package import price
from titles.ruhr.remembered import RoundCards, Works


def sold(game: Game, *pairs: tuple[str, str]) -> None:
    """Hand lots out without a turn."""
    for lot, player in pairs:
        for column in package.columns(game):
            if lot in column:
                column.remove(lot)
        if lot.startswith("MC"):
            package.mine_sold(game, player, lot)
        else:
            game.state.privates[lot] = player
    a.take_offer(game)


def all_but(game: Game, *left: str) -> None:
    sold(game, *((lot, "di") for lot in package.unsold(game) if lot not in left))


@pytest.mark.rule("RUHR-3-a")
def test_only_the_package_is_for_sale_until_it_is_sold() -> None:
    game = a.new()
    all_but(game, "GPF")
    assert a.refused(game, mv.Found("ann", "CME", 70)).rule == "RUHR-3-a"
    game.apply(mv.BuyLot("ann", "GPF"))
    assert game.state.round.kind == "stock"
    assert a.asked(game) == "bo"
    assert "found" in a.names(game)


@pytest.mark.rule("RUHR-3-b", "RUHR-5.1-c")
def test_montan_certificates_wait_for_a_founding() -> None:
    game = a.second_stock_round()
    for name in ("2", "3", "4"):
        if name != "2":
            a.phase(game, name)
        assert not {"RB", "SK", "TB", "US", "VH", "W"} & set(a.offered(game, "found"))
        assert a.refused(game, mv.BuyShare("ann", "RB", OFFERING, 20)).rule == "RUHR-2.5-a"
        assert a.refused(game, mv.Found("ann", "RB", 70)).rule == "RUHR-5.1-a"
    a.montan(game, "RB", "bo", 5)
    a.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "RB", OFFERING, 20))
    assert shares.held(game, "RB", "ann") == 20
    assert a.refused(game, mv.BuyShare("bo", "SK", OFFERING, 20)).rule == "RUHR-2.5-a"


@pytest.mark.rule("RUHR-3-c", "RUHR-3.1-a")
def test_nobody_sells_in_the_first_stock_round() -> None:
    game = a.after_package()
    a.floated(game, "BME", "ann")
    assert "sell_shares" not in a.names(game)
    assert a.refused(game, mv.SellShares("ann", "BME", 10)).rule == "RUHR-3-c"
    a.stock(game, "ann")
    assert "sell_shares" in a.names(game)


@pytest.mark.rule("RUHR-3.1-a")
def test_one_lot_of_either_column_or_a_pass() -> None:
    game = a.new()
    assert a.names(game) == {"buy_lot", "pass"}
    assert {"GPF", "SPF"} <= set(a.offered(game, "buy_lot"))
    game.apply(mv.BuyLot("ann", "SPF"))
    assert a.asked(game) == "bo"
    assert a.refused(game, mv.BuyLot("ann", "GPF")).rule == "RUHR-3.1-a"
    game.apply(mv.Pass("bo"))
    assert a.asked(game) == "cy"
    assert a.refused(game, mv.SellShares("cy", "CME", 10)).rule == "RUHR-3-c"
    assert a.refused(game, mv.BuyLot("cy", "SPF")).rule == "RUHR-3.1-a"


@pytest.mark.rule("RUHR-3.1-a")
@pytest.mark.parametrize(("short", "offered"), [(0, True), (1, False)])
def test_a_lot_may_cost_all_the_money_of_its_buyer(short: int, offered: bool) -> None:
    game = a.new()
    a.cash(game, "ann", price(game, "SPF") - short)
    a.take_offer(game)
    assert ("SPF" in a.offered(game, "buy_lot")) == offered


@pytest.mark.rule("RUHR-3.1-b", "RUHR-4.1.1-a", "RUHR-4.1.1-b")
def test_the_private_company_brings_the_director_certificate() -> None:
    game = a.new(3)
    sold(game, ("MC1", "bo"), ("MC3", "bo"), ("MC7", "bo"), ("MC9", "bo"), ("MC5", "bo"))
    assert package.price(game, "PBME") == 140
    game.apply(mv.BuyLot("ann", "PBME"))
    assert game.state.cash["ann"] == 650 - 140
    assert a.asked(game) == "ann"
    assert a.offered(game, "found", company="BME") == [50, 55, 60, 65, 70]
    for par in (45, 75):
        assert a.refused(game, mv.Found("ann", "BME", par)).rule == "RUHR-4.1.1-b"
    game.apply(mv.Found("ann", "BME", 60))
    assert game.state.privates["PBME"] == game.company("BME").director == "ann"
    assert shares.held(game, "BME", "ann") == 20
    assert game.state.cash["ann"] == 650 - 140
    assert a.asked(game) == "bo"


@pytest.mark.rule("RUHR-4.1.1-b")
def test_the_values_stay_the_same_in_a_later_phase() -> None:
    game = a.new(3)
    a.phase(game, "5")
    game.state.privates["PBME"] = ""
    a.take_offer(game)
    game.apply(mv.BuyLot("ann", "PBME"))
    assert a.offered(game, "found", company="BME") == [50, 55, 60, 65, 70]


@pytest.mark.rule("RUHR-3.1-c")
def test_the_top_of_a_column_costs_its_price() -> None:
    game = a.new()
    bank = game.state.cash[BANK]
    game.apply(mv.BuyLot("ann", "GPF"))
    assert game.state.cash["ann"] == 530 - 40
    assert game.state.cash[BANK] == bank + 40
    sold(game, ("SPF", "cy"))
    game.apply(mv.BuyLot("bo", "MC1"))
    assert game.state.cash["bo"] == 530 - 100
    assert game.state.cash["MC1"] == 80
    assert game.state.cash[BANK] == bank + 40 + 100 - 80


@pytest.mark.rule("RUHR-3.1-d", "RUHR-3.1-e")
def test_every_skipped_lot_costs_5_more_for_the_bank() -> None:
    game = a.new()
    (event,) = a.seen(game, mv.BuyLot("ann", "MC3"), LotSold)  # GPF and RSF lie above it
    assert event.price == 120
    assert game.state.cash["ann"] == 530 - 120
    assert game.state.cash["MC3"] == 70


@pytest.mark.rule("RUHR-3.1-x1", "RUHR-3.1-f")
def test_example_number_10_for_160() -> None:
    game = a.new()
    sold(game, ("SPF", "bo"), ("MC1", "bo"))
    assert package.columns(game)[1][:3] == ["MC7", "MC5", "MC10"]
    bank = game.state.cash[BANK]
    game.apply(mv.BuyLot("ann", "MC10"))
    assert game.state.cash["ann"] == 530 - 160
    assert works.charter(game, "MC10").markers == {"A": 2, "B": 1}
    assert Works.of(game).supply["coal"]["A"] == 13 - 2
    assert game.state.cash["MC10"] == 80
    assert game.state.cash[BANK] == bank + 160 - 80


def pass_all(game: Game) -> None:
    for _ in game.state.seats:
        game.apply(mv.Pass(a.asked(game)))


@pytest.mark.rule("RUHR-3.1-g", "RUHR-3.1-h", "RUHR-3.1-i", "RUHR-3.1-j", "RUHR-3.1-k", "RUHR-4.1.1-k")
def test_when_all_pass_one_operating_round_interrupts() -> None:
    game = a.new(3)
    a.walk(game, mv.BuyLot("ann", "PBME"), mv.Found("ann", "BME", 60), mv.BuyLot("bo", "MC1"))
    before = dict(game.state.cash)
    pass_all(game)  # cy, ann, bo
    # The private company has paid, then only MC1 acts: neither BME nor what nobody owns.
    assert game.state.cash["ann"] == before["ann"] + 10
    assert (game.state.round.kind, game.state.round.actor) == ("operating", "MC1")
    assert game.rules.rounds["operating"].upcoming(game) == []
    assert (game.state.round.operating_number, game.state.round.operating_total) == (1, 1)
    a.cash(game, "MC1", 90)
    game.apply(mv.Dividend("bo", "MC1", "withhold"))
    # The turn is a full one; then the first stock round goes on to the left of the last buyer, without a Montan round.
    assert (game.state.cash["MC1"], game.state.round.step) == (90 + 10, "spend")
    game.apply(mv.Pass("bo"))
    assert (game.state.round.kind, a.asked(game)) == ("package", "cy")
    pass_all(game)
    assert (game.state.round.kind, game.state.round.actor) == ("operating", "MC1")
    assert game.state.round.stock_number == 1


@pytest.mark.rule("RUHR-3.1-j")
def test_nobody_has_bought_yet() -> None:
    game = a.new(3)
    pass_all(game)
    assert (game.state.round.kind, a.asked(game)) == ("package", "ann")
    game.apply(mv.Pass("ann"))
    assert a.asked(game) == "bo"


@pytest.mark.rule("RUHR-3.2-a", "RUHR-3.2-b")
def test_after_the_package_shares_are_on_sale() -> None:
    game = a.new(3)
    all_but(game, "MC1")
    game.state.privates["PBME"] = "bo"
    a.founded(game, "BME", "bo", 60)
    for number in (1, 2, 3):
        game.company("BME").certificates[number] = POOL
    a.take_offer(game)
    game.apply(mv.BuyLot("ann", "MC1"))
    assert a.asked(game) == "bo"
    assert a.names(game) >= {"found", "buy_share", "pass"}
    assert "sell_shares" not in a.names(game)
    assert a.offered(game, "buy_share", company="BME") == [OFFERING, POOL]
    game.apply(mv.BuyShare("bo", "BME", POOL, 10))
    assert shares.held(game, "BME", "bo") == 30
    game.apply(mv.BuyShare("cy", "BME", OFFERING, 10))
    assert game.state.cash["cy"] == 650 - 60


@pytest.mark.rule("RUHR-3.2-c", "RUHR-3.2-d")
def test_the_richest_begins_the_second_stock_round() -> None:
    game = a.after_package(4)
    for player, amount in zip(game.state.seats, (500, 400, 700, 600), strict=True):
        a.cash(game, player, amount)
    a.walk(game, mv.Found("ann", "CME", 50), mv.Pass("bo"), mv.Pass("cy"), mv.Pass("di"))
    assert game.state.round.stock_number == 1
    game.apply(mv.Pass("ann"))
    assert game.state.round.stock_number == 2  # no company operates in between
    assert game.state.priority == a.asked(game) == "cy"


@pytest.mark.rule("RUHR-3.2-d")
def test_a_tie_for_most_cash_goes_to_the_left_of_the_last_buyer() -> None:
    game = a.after_package(4)
    for player in game.state.seats:
        a.cash(game, player, 500)
    a.cash(game, "bo", 600)  # of which the founding leaves as much as the others have
    a.walk(game, mv.Pass("ann"), mv.Found("bo", "CME", 50))
    for player in ("cy", "di", "ann", "bo"):
        game.apply(mv.Pass(player))
    assert game.state.priority == "cy"


@pytest.mark.rule("RUHR-3.2-e")
def test_montan_cards_by_the_lowest_company() -> None:
    game = a.after_package(4)
    a.mine(game, 6, "ann")
    a.mine(game, 3, "bo")
    a.mine(game, 9, "bo")
    a.mine(game, 1, "di")
    for player in ("ann", "bo", "cy", "di"):
        game.apply(mv.Pass(player))
    assert RoundCards.of(game).cards == ["di", "bo", "ann", "cy"]


@pytest.mark.rule("RUHR-3.2-f", "RUHR-13.3-b")
@pytest.mark.parametrize(("percent", "floats"), [(40, False), (50, True)])
def test_railways_float_at_the_end_of_the_round(percent: int, floats: bool) -> None:
    game = a.after_package(3)
    a.founded(game, "CME", "ann", 70)
    a.own(game, "CME", "ann", percent)
    for player in ("ann", "bo", "cy"):
        assert not game.company("CME").floated
        game.apply(mv.Pass(player))
    assert game.company("CME").floated is floats
    assert (game.state.round.actor == "CME") is floats
    assert game.state.cash["CME"] == (350 if floats else 0)
