"""The start of Heat, Sweat & Beer and its stock rounds: bids, founding, floating, trading in, bankrupt companies."""

from __future__ import annotations

import pytest

import titles
from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Bid, BuyShare, Found, Pass, SellOwnShares, SellShares
from engine.remembered import OrderOfRound
from engine.state import BANK, OFFERING, POOL, REMOVED
from tests.titles.do.hsb_arrange import (
    SEATS,
    after_package,
    begin_stock,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    export_line,
    loaded,
    names,
    new,
    offered,
    operating,
    own,
    phase,
    price_at,
    railway,
    refused,
    rules,
    second_stock,
    station,
    take_offer,
    trains,
)
from titles.do.board.abilities import FreeToken
from titles.do.board.remembered import Failed
from titles.do.brewery import breweries, failing, trading
from titles.do.brewery.breweries import EquipmentOwned, GiveUpEquipment, OrderTokens
from titles.do.brewery.data import tables
from titles.do.brewery.editions import SeatNumbers
from titles.do.brewery.game import Start
from titles.do.brewery.stock import FloatsAlone, least
from titles.do.brewery.trading import OrderPlace, TradeIn

# ---------------------------------------------------------------------- preparation


@pytest.mark.rule("DO-5.1.2-a")
def test_railways_and_breweries_have_rows_of_their_own() -> None:
    game = after_package()
    railway(game, "BME", price=250)
    corporation(game, "DUB", price=100)
    assert game.company("BME").price == (0, 20)
    assert game.company("DUB").price == (1, 12)
    game.rules.rounds["operating"].begin(game)  # type: ignore[attr-defined]
    assert OrderOfRound.of(game).order == ["BME"]


@pytest.mark.rule("DO-5.1.2-b")
def test_certificates_of_railways_and_breweries() -> None:
    charters = rules(5).definition.corporations.values()
    count = {kind: sum(len(c.shares) for c in charters if c.kind == kind) for kind in ("railway", "brewery")}
    assert count == {"railway": 60, "brewery": 42}
    assert sum(c.kind != "minor" for c in charters) == 13


@pytest.mark.rule("DO-6.3.2.2-a")
def test_certificates_of_the_brewery_corporations() -> None:
    charters = rules(5).definition.corporations
    assert {name: charters[name].shares for name in ("DUB", "DAB", "STI", "HAN")} == {
        "DUB": (30, 10, 10, 10, 10, 10, 20),
        "DAB": (20, 20, 20, 10, 10, 10, 10),
        "STI": (40, 10, 10, 10, 10, 20),
        "HAN": (30, 10, 10, 10, 10, 10, 10, 10),
    }
    assert charters["RIT"].shares == charters["KRO"].shares == charters["DUB"].shares


@pytest.mark.rule("DO-6.1.2-a")
@pytest.mark.parametrize(
    ("players", "cards", "total"),
    [(3, [14, 8, 1, 5, 12, 12], 52), (4, [18, 11, 6, 6, 14, 12], 67), (5, [22, 13, 10, 7, 15, 12], 79)],
)
def test_cards_by_players(players: int, cards: list[int], total: int) -> None:
    found = [train.count for train in rules(players).definition.trains]
    assert found == cards
    assert sum(found) == total
    t = rules(players).definition.tables
    assert [row.stack for row in t.capex][:2] == ["2A", "2B"]
    assert t.capex[0].count == t.capex[1].count
    if players == 5:
        assert total + sum(row.start for row in t.equipment) == t.components.capex_cards == 96


@pytest.mark.rule("DO-5.1.2-c")
def test_six_stacks_of_cards() -> None:
    game = new()
    assert game.state.depot.left == {"2": 14, "3": 8, "4": 1, "5": 5, "6": 12, "8": 12}


@pytest.mark.rule("DO-6.1.2-b")
def test_start_equipment_is_not_on_display() -> None:
    game = after_package()
    assert "1" not in game.state.depot.left
    assert game.state.depot.left["2"] == 14, "B4 and B8 have taken theirs from elsewhere"


@pytest.mark.rule("DO-6.1.2-c")
def test_brewery_certificates_are_sold_in_their_order() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DAB", held=20, price=60)
    corporation(game, "DUB", "bo", held=30, price=60)
    second_stock(game, "cy")
    assert offered(game, "buy_share", company="DAB", source="DAB") == [20]
    assert offered(game, "buy_share", company="DUB", source="DUB") == [10]
    own(game, "DUB", "bo", 50)
    take_offer(game)
    assert offered(game, "buy_share", company="DUB", source="DUB") == [20]


@pytest.mark.rule("DO-6.1.2-d")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_two_companies_play_with_five_only(players: int) -> None:
    charters = rules(players).definition.corporations
    assert ("HHW" in charters, "HAN" in charters) == (players == 5, players == 5)


@pytest.mark.rule("DO-5.1.1-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_overlays(players: int) -> None:
    spots = rules(players).definition.map.hexes
    assert spots["E12"].face.stops[0].slots == 0
    assert spots["H19"].face.stops[0].slots == (2 if players == 5 else 1)


@pytest.mark.rule("DO-5.1.1-b")
def test_nobody_is_blocked_in_dortmund_city() -> None:
    game = after_package()
    railway(game, "BME")
    assert game.board.open_for("BME", "E12", 0)
    assert not game.board.free_space("E12", 0, "BME")


@pytest.mark.rule("DO-6.1.4-a")
@pytest.mark.parametrize("players", [3, 5])
def test_tiles_that_are_not_used(players: int) -> None:
    tiles = rules(players).definition.tiles
    assert not {"1938", "1941"} & tiles.keys()
    assert {"1943", "1944", "1945", "1953"} <= tiles.keys()


@pytest.mark.rule("DO-6.1.6-a")
@pytest.mark.rule("DO-2.8-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_starting_capital(players: int) -> None:
    game = new(players)
    assert {game.state.cash[player] for player in game.state.seats} == {465}
    assert game.state.cash[BANK] == 13_000 - 465 * players


@pytest.mark.rule("DO-6.1.6-b")
def test_numbers_that_are_dealt_set_the_order() -> None:
    game = Game(rules(4), SEATS[:4], 7)
    numbers = SeatNumbers.of(game).numbers
    assert [numbers[player] for player in game.state.seats] == sorted(numbers.values())
    assert set(numbers.values()) <= {1, 2, 3, 4, 5}
    assert game.offer().deciders == (game.state.seats[0],)


@pytest.mark.rule("DO-6.1.5-a")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_the_package(players: int) -> None:
    packages = [set(Start.of(Game(rules(players), SEATS[:players], seed)).package) for seed in range(25)]
    assert all(len(package) == players + 1 and "B2" in package for package in packages)
    assert set.union(*packages) == {f"B{n}" for n in range(1, 9)}, "any of them may be in it"


@pytest.mark.rule("DO-6.1.5-b")
def test_minors_that_are_not_in_the_package_are_gone() -> None:
    game = new(3)
    out = [name for name in tables(game).minors if name not in Start.of(game).package]
    assert len(out) == 4
    assert all(game.company(name).certificates == [REMOVED] for name in out)


@pytest.mark.rule("DO-6.2.2-a")
def test_the_package_is_shown_by_charters() -> None:
    game = new(3)
    sale = game.rules.rounds["package"].sale(game)
    assert sale is not None
    assert {(lot.id, lot.name, lot.revenue) for lot in sale.lots} == {
        (name, game.definition.corporations[name].name, 0) for name in Start.of(game).package
    }


@pytest.mark.rule("DO-6.1.5-b")
@pytest.mark.rule("DO-6.3.2.1-a")
def test_small_breweries() -> None:
    rows = rules(3).definition.tables.minors
    assert {name: (row.price, "".join(sorted(row.equipment))) for name, row in rows.items()} == {
        "B1": (80, "11"),
        "B2": (90, "111"),
        "B3": (100, "2"),
        "B4": (120, "12"),
        "B5": (135, "12"),
        "B6": (155, "112"),
        "B7": (165, "22"),
        "B8": (185, "122"),
    }
    game = after_package()
    assert breweries.equipment(game, "B8") == ["2", "2", "1"]


# ---------------------------------------------------------------------- bids


def bidding(players: int = 3) -> Game:
    game = new(players)
    package = Start.of(game).package
    for name in ("B2", "B4", "B8", "B5"):
        if name not in package:
            drop = next(n for n in package if n not in ("B2", "B4", "B8", "B5"))
            package[package.index(drop)] = name
            game.company(name).closed, game.company(name).certificates = False, [OFFERING]
            game.company(drop).closed, game.company(drop).certificates = True, [REMOVED]
    take_offer(game)
    return game


@pytest.mark.rule("DO-6.2.2-a")
def test_a_bid_is_higher_than_any_there() -> None:
    game = bidding()
    game.apply(Bid("ann", "B4", 5))
    assert refused(game, Bid("bo", "B4", 5)).rule == "DO-6.2.2-a"
    assert refused(game, Bid("bo", "B4", 7)).rule == "DO-6.2.2-a"
    assert refused(game, Pass("bo")).rule == "DO-6.2.2-a"
    game.apply(Bid("bo", "B4", 10))
    game.apply(Bid("cy", "B2", 0))
    assert game.offer().deciders == ("ann",), "whoever leads is skipped"
    game.apply(Bid("ann", "B8", 0))
    assert game.state.round.kind == "stock"


@pytest.mark.rule("DO-6.2.2-b")
@pytest.mark.rule("DO-6.2.2-c")
@pytest.mark.rule("DO-6.2.2-d")
@pytest.mark.rule("DO-6.2.2-e")
def test_the_end_of_the_bids() -> None:
    game = bidding()
    bank = game.state.cash[BANK]
    game.apply(Bid("ann", "B4", 10))
    game.apply(Bid("bo", "B8", 0))
    game.apply(Bid("cy", "B5", 0))
    assert game.company("B2").certificates == [REMOVED], "the one without a bid is gone"
    assert game.state.privates == {}
    assert game.state.cash["ann"] == 465 - 130
    assert game.state.cash["B4"] == 40
    assert game.state.cash[BANK] == bank + 130 + 185 + 135 - 40 - 45 - 55
    assert OrderTokens.of(game).order == ["B8", "B5", "B4"]
    assert Start.of(game).first_order == ["ann", "cy", "bo"], "335, 330 and 280 are left"
    assert game.offer().deciders == ("ann",)
    assert faults(game) == []


@pytest.mark.rule("DO-6.2.2-e")
def test_the_first_stock_round_goes_by_cash_and_later_ones_by_seats() -> None:
    game = after_package()
    Start.of(game).first_order = ["cy", "ann", "bo"]
    game.state.round.stock_number = 1
    begin_stock(game, "cy")
    game.apply(Pass("cy"))
    assert game.offer().deciders == ("ann",)
    second_stock(game, "cy")
    game.apply(Pass("cy"))
    assert game.offer().deciders == ("ann",)
    game.apply(Pass("ann"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("DO-6.2.2-f")
def test_small_breweries_dealt_at_random() -> None:
    game = new(4, dealt=True)
    assert game.state.round.kind == "stock"
    for player in game.state.seats:
        (minor,) = trading.owned(game, player)
        assert game.state.cash[player] == 465 - tables(game).minors[minor].price
    assert faults(game) == []


@pytest.mark.rule("DO-6.2.3-a")
def test_the_first_stock_round_is_about_railways() -> None:
    game = after_package()
    assert set(offered(game, "found")) == {"BME", "CME", "RhE", "KWE"}
    refusal = refused(game, Found("ann", "DUB", 60))
    assert refusal.rule == "DO-6.2.1-b"
    railway(game, "BME")
    begin_stock(game, "ann")
    assert refused(game, SellShares("ann", "BME", 10)).rule == "DO-4.2.3-b"


@pytest.mark.rule("DO-6.3.1-a")
def test_railways_open_one_after_the_other_and_have_no_markers() -> None:
    game = after_package()
    assert refused(game, Found("ann", "DGEE", 60)).rule == "DO-4.3.2-c"
    game.apply(Found("ann", "KWE", 60))
    assert "DGEE" in offered(game, "found")
    assert game.definition.privates == {}


# ---------------------------------------------------------------------- small breweries and limits


@pytest.mark.rule("DO-6.3.2.1-b")
@pytest.mark.rule("DO-6.4.4-a")
def test_a_small_brewery_counts_for_the_limit_and_is_not_sold() -> None:
    game = after_package(4)
    railway(game, "BME", "bo", held=20)
    for name in ("CME", "RhE"):
        railway(game, name, "cy", held=20)
        own(game, name, "ann", 60)
    for name in ("KWE",):
        railway(game, name, "cy", held=20)
        own(game, name, "ann", 60)
    second_stock(game, "ann")
    assert shares.certificates(game, "ann") == 19
    refusal = refused(game, BuyShare("ann", "BME", "BME", 10))
    assert (refusal.rule, refusal.facts["limit"]) == ("DO-6.4.4-a", 19)
    assert refused(game, SellShares("ann", "B4", 100)).rule == "DO-6.3.2.1-b"


@pytest.mark.rule("DO-6.3.2.1-b")
def test_no_trade_in_before_green() -> None:
    game = after_package()
    corporation(game, "DUB", "bo")
    second_stock(game, "ann")
    assert refused(game, TradeIn("ann", "B4", "DUB", "DUB", 10)).rule == "DO-6.4.5-g"
    assert "trade_in" not in names(game)


@pytest.mark.rule("DO-6.4.4-a")
@pytest.mark.parametrize(("players", "limit"), [(3, 70), (4, 60), (5, 60)])
def test_share_limit_of_breweries(players: int, limit: int) -> None:
    game = after_package(players)
    phase(game, "3")
    corporation(game, "HAN" if players == 5 else "DUB", "ann", held=30)
    name = "HAN" if players == 5 else "DUB"
    own(game, name, "ann", limit - 40)
    second_stock(game, "ann")
    game.apply(BuyShare("ann", name, name, 10))
    second_stock(game, "ann")
    top = offered(game, "buy_share", company=name, source=name) if "buy_share" in names(game) else []
    assert top == []
    percent = shares.percent_of(game, name, shares.top(game, name, name) or 0)
    assert refused(game, BuyShare("ann", name, name, percent)).rule == "DO-6.4.4-a"


@pytest.mark.rule("DO-5.3-a")
def test_a_small_brewery_stays_with_its_owner() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", "bo")
    second_stock(game, "ann")
    assert refused(game, BuyShare("ann", "B8", "bo", 100)).rule == "DO-4.3.2-a"
    assert refused(game, TradeIn("ann", "B8", "DUB", "DUB", 10)).rule == "DO-5.3-a"


@pytest.mark.rule("DO-6.3.2.2-b")
def test_a_brewery_passes_to_whoever_holds_more() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", "ann", held=30, treasury=77, equipment=("2",))
    own(game, "DUB", "bo", 30)
    second_stock(game, "bo")
    game.apply(BuyShare("bo", "DUB", "DUB", 10))
    assert game.company("DUB").director == "bo"
    assert shares.held(game, "DUB", "ann") == 30
    assert shares.held(game, "DUB", "bo") == 40
    assert game.company("DUB").certificates[0] == "bo"
    assert (game.state.cash["DUB"], breweries.equipment(game, "DUB")) == (77 + 60, ["2"])


# ---------------------------------------------------------------------- founding and floating


@pytest.mark.rule("DO-6.4.1-a")
def test_founding_by_purchase() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(Found("ann", "DUB", 60))
    assert (game.state.cash["ann"], game.state.cash["DUB"]) == (820, 180)
    assert shares.held(game, "DUB", "DUB") == 70


@pytest.mark.rule("DO-6.4.1-b")
@pytest.mark.parametrize(("name", "most"), [("3", 80), ("4", 80), ("5", 100), ("8", 100)])
def test_starting_prices_by_phase(name: str, most: int) -> None:
    game = after_package()
    phase(game, name)
    second_stock(game, "ann")
    for company in ("BME", "DUB"):
        pars = offered(game, "found", company=company)
        assert (min(pars), max(pars)) == (50, most)
        for par in (40, 115):
            assert refused(game, Found("ann", company, par)).rule == "DO-6.4.1-b"
    game.apply(Found("ann", "DUB", most))
    assert game.company("DUB").price == (1, game.definition.market.rows[1].index(most))


@pytest.mark.rule("DO-6.4.1-c")
def test_the_order_token_comes_last_and_acts_when_floated() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(Found("ann", "DUB", 60))
    assert OrderTokens.of(game).order == ["B8", "B4", "B2", "DUB"]
    assert breweries.acting(game) == ["B8", "B4", "B2"]


@pytest.mark.rule("DO-6.4.2-a")
def test_five_shares_with_players_float_a_company() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", OFFERING, 30, 60))
    game.apply(OrderPlace("ann", "DUB", "leave"))
    game.apply(BuyShare("bo", "DUB", "DUB", 10))
    assert not game.company("DUB").floated
    game.apply(TradeIn("cy", "B2", "DUB", "DUB", 10))
    assert game.company("DUB").floated


@pytest.mark.rule("DO-6.4.2-b")
@pytest.mark.rule("DO-6.4.7-b")
@pytest.mark.parametrize("company", ["DUB", "BME"])
def test_a_company_that_floats_late_sells_shares_without_a_change_of_its_price(company: str) -> None:
    game = after_package()
    phase(game, "5")
    corporation(game, company, "ann", held=40, price=90, treasury=0)
    game.company(company).floated = game.company(company).operated = False
    second_stock(game, "bo")
    game.apply(BuyShare("bo", company, company, 10))
    assert game.offer().deciders == ("ann",), "out of turn"
    assert refused(game, SellOwnShares("ann", company, 30)).rule == "DO-6.4.2-b"
    game.apply(SellOwnShares("ann", company, 20))
    assert (game.state.cash[company], game.prices.value(company)) == (90 + 180, 90)
    assert shares.held(game, company, POOL) == 20
    assert game.offer().deciders == ("cy",), "it was bo's turn"


@pytest.mark.rule("DO-6.4.2-b")
def test_nothing_is_sold_at_an_early_floating() -> None:
    game = after_package()
    phase(game, "4")
    corporation(game, "DUB", "ann", held=40, price=60)
    game.company("DUB").floated = False
    second_stock(game, "bo")
    game.apply(BuyShare("bo", "DUB", "DUB", 10))
    assert game.company("DUB").floated
    assert not game.state.pauses


# ---------------------------------------------------------------------- trading in


def trading_in(price: int = 60, held: int = 50) -> Game:
    """The green phase; bo directs the Union; ann has B4 with 40 Mark and two pieces of equipment."""
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", "bo", held=held, price=price, treasury=0)
    second_stock(game, "ann")
    return game


@pytest.mark.rule("DO-6.4.5-a")
@pytest.mark.parametrize(("minor", "paid"), [("B4", 120), ("B6", 60)])
def test_a_small_brewery_for_a_directors_certificate(minor: str, paid: int) -> None:
    game = after_package(3, (minor, "B8", "B2"))
    phase(game, "3")
    second_stock(game, "ann")
    treasury, equipment = game.state.cash[minor], list(breweries.equipment(game, minor))
    game.apply(TradeIn("ann", minor, "RIT", OFFERING, 30, 60))
    assert game.state.cash["ann"] == 1000 - paid
    assert game.state.cash["RIT"] == treasury + paid
    assert breweries.equipment(game, "RIT") == equipment
    assert game.company("RIT").director == "ann"
    assert game.company(minor).closed
    assert minor not in OrderTokens.of(game).order
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.5-a")
def test_the_greatest_small_brewery_founds_dab_for_nothing() -> None:
    game = after_package(3, ("B6", "B8", "B2"))
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B6", "DAB", OFFERING, 20, 80))
    assert game.state.cash["ann"] == 1000


@pytest.mark.rule("DO-6.4.5-b")
@pytest.mark.rule("DO-6.4.7-b")
def test_a_corporation_founded_by_trading_in_floats_at_the_end_of_the_round() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", OFFERING, 30, 65))
    game.apply(OrderPlace("ann", "DUB", "leave"))
    before = game.state.cash["DUB"]
    for player in ("bo", "cy", "ann"):
        game.apply(Pass(player))
    assert shares.held(game, "DUB", POOL) == 20
    assert (game.prices.value("DUB"), game.state.cash["DUB"]) == (55, before + 110)
    assert game.company("DUB").floated
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.5-b")
def test_the_pool_takes_no_more_of_dab_than_is_missing() -> None:
    """R-53: 30 % are missing, 20 + 10 reach that; its two uppermost certificates would have made it bankrupt."""
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    told = game.apply(TradeIn("ann", "B4", "DAB", OFFERING, 20, 50))
    assert FloatsAlone("DAB", 30, 10) in told, "who confirms it sees what happens if nobody joins"
    game.apply(OrderPlace("ann", "DAB", "leave"))
    before = game.state.cash["DAB"]
    for player in ("bo", "cy", "ann"):
        game.apply(Pass(player))
    assert (shares.held(game, "DAB", POOL), len(shares.numbers(game, "DAB", POOL))) == (30, 2)
    assert (game.prices.value("DAB"), game.state.cash["DAB"]) == (10, before + 30)
    assert game.company("DAB").floated
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.5-b")
def test_where_only_20_per_cent_certificates_are_left_the_pool_takes_more_than_is_missing() -> None:
    assert least({1: 20, 2: 20}, 30) == (1, 2)
    assert least({1: 20, 2: 20, 3: 10}, 10) == (3,)


@pytest.mark.rule("DO-6.4.5-b")
def test_one_that_was_bought_waits_for_buyers() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(Found("ann", "DUB", 65))
    for player in ("bo", "cy", "ann"):
        game.apply(Pass(player))
    assert not game.company("DUB").floated
    assert shares.held(game, "DUB", POOL) == 0


@pytest.mark.rule("DO-6.4.5-c")
def test_a_small_brewery_for_a_share_of_a_corporation() -> None:
    game = trading_in()
    phase(game, "4")
    equip(game, "DUB", "3", "2")
    equip(game, "B4", "2", "1")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert (game.state.cash["ann"], game.state.cash["DUB"]) == (1000, 40)
    assert shares.held(game, "DUB", "ann") == 10
    assert breweries.equipment(game, "DUB") == ["3", "2", "2", "1"]
    assert game.offer().deciders == ("bo",), "three are allowed: the director gives one up"
    game.apply(GiveUpEquipment("bo", "DUB", "1"))
    assert breweries.equipment(game, "DUB") == ["3", "2", "2"]


@pytest.mark.rule("DO-6.4.5-c")
@pytest.mark.rule("DO-6.4.5-d")
@pytest.mark.parametrize("source", ["DAB", POOL])
def test_the_greatest_small_brewery_stands_for_one_share_of_an_ordinary_certificate(source: str) -> None:
    """Only for a founding B6 is worth 20 %: of a 20 % certificate of charter or pool the other 10 % are paid (R-54)."""
    game = after_package(3, ("B6", "B8", "B2"))
    phase(game, "3")
    corporation(game, "DAB", "bo", held=50, price=60)
    free = [n for n in shares.numbers(game, "DAB", "DAB") if shares.percent_of(game, "DAB", n) == 20]
    if not free:
        number = next(n for n in shares.numbers(game, "DAB", "bo")[1:] if shares.percent_of(game, "DAB", n) == 20)
        free = [number]
    game.company("DAB").certificates[free[0]] = source
    second_stock(game, "ann")
    before = game.state.cash["ann"]
    game.apply(TradeIn("ann", "B6", "DAB", source, 20))
    assert before - game.state.cash["ann"] == 60
    assert shares.held(game, "DAB", "ann") == 20


@pytest.mark.rule("DO-6.4.4-a")
def test_a_table_may_choose_the_limits_that_the_book_prints() -> None:
    for form in ("hsb", "exp"):
        for players, board, book in ((3, 26, 17), (4, 19, 13), (5, 18, 10)):
            for options, limit in (({}, board), ({"limits": "book"}, book)):
                game = titles.new_game("do", SEATS[:players], options, 1, form)
                assert game.rules.limits.certificates(game, "ann") == limit


@pytest.mark.rule("DO-6.6-a")
def test_nobody_is_told_that_the_bank_broke_where_that_means_nothing() -> None:
    game = after_package()
    game.pay(BANK, "ann", game.state.cash[BANK] + 10, "test")
    assert game.state.cash[BANK] == -10
    assert not game.state.bank_broken


@pytest.mark.rule("DO-6.5.2.2-b")
def test_who_is_two_pieces_over_the_limit_gives_up_two() -> None:
    game = trading_in()
    equip(game, "DUB", "3", "3", "2", "1")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    limit = breweries.limit(game, "DUB")
    assert len(breweries.equipment(game, "DUB")) == limit + 2
    game.apply(GiveUpEquipment("bo", "DUB", "1"))
    assert game.offer().of("bo")[0].name == "give_up_equipment", "one is still too many"
    game.apply(GiveUpEquipment("bo", "DUB", "2"))
    assert len(breweries.equipment(game, "DUB")) == limit
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.5-d")
def test_a_small_brewery_for_a_share_of_the_pool() -> None:
    game = trading_in()
    own(game, "DUB", POOL, 10)
    cash(game, "B4", 70)
    second_stock(game, "ann")
    bank = game.state.cash[BANK]
    game.apply(TradeIn("ann", "B4", "DUB", POOL, 10))
    assert (game.state.cash[BANK], game.state.cash["DUB"], game.state.cash["ann"]) == (bank + 70, 0, 1000)
    assert breweries.equipment(game, "DUB") == []
    assert EquipmentOwned.of(game).used_up == {"2": 1, "1": 1}
    assert OrderTokens.of(game).order == ["B8", "B2", "DUB"]
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.5-e")
@pytest.mark.parametrize(("place", "order"), [("take", ["B8", "DUB", "B2"]), ("leave", ["B8", "B2", "DUB"])])
def test_the_director_chooses_the_place_in_the_order(place: str, order: list[str]) -> None:
    game = trading_in()
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert game.offer().deciders == ("bo",)
    assert refused(game, OrderPlace("bo", "DUB", "first")).rule == "DO-6.4.5-e"
    game.apply(OrderPlace("bo", "DUB", place))
    assert OrderTokens.of(game).order == order


@pytest.mark.rule("DO-6.4.5-f")
@pytest.mark.parametrize("source", ["DAB", POOL])
def test_a_certificate_of_two_shares_costs_the_price_of_one(source: str) -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DAB", "bo", held=60, price=70, treasury=0)
    game.company("DAB").certificates = ["bo", "DAB", POOL, "bo", "bo", "bo", "bo"]
    second_stock(game, "ann")
    bank = game.state.cash[BANK]
    game.apply(TradeIn("ann", "B4", "DAB", source, 20))
    assert game.state.cash["ann"] == 930
    assert game.state.cash["DAB"] == (70 + 40 if source == "DAB" else 0)
    assert game.state.cash[BANK] == bank + (0 if source == "DAB" else 70 + 40)


@pytest.mark.rule("DO-6.4.5-g")
def test_a_trade_in_is_the_purchase_of_the_turn() -> None:
    game = trading_in()
    railway(game, "BME", "ann", held=40)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "BME", 10))
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    game.apply(OrderPlace("bo", "DUB", "leave"))
    assert game.offer().deciders == ("bo",), "the turn is over"


@pytest.mark.rule("DO-6.4.5-g")
def test_no_trade_in_for_a_company_sold_in_this_round() -> None:
    game = trading_in()
    own(game, "DUB", "ann", 10)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "DUB", 10))
    assert refused(game, TradeIn("ann", "B4", "DUB", "DUB", 10)).rule == "DO-4.4.3-c"
    assert refused(game, TradeIn("ann", "B4", "DUB", POOL, 10)).rule == "DO-4.4.3-c"


@pytest.mark.rule("DO-6.4.5-g")
def test_limits_are_counted_after_the_exchange() -> None:
    game = after_package(4)
    phase(game, "3")
    corporation(game, "DUB", "bo", held=30, treasury=0)
    for name in ("CME", "RhE", "KWE"):
        railway(game, name, "cy", held=20)
        own(game, name, "ann", 60)
    second_stock(game, "ann")
    assert shares.certificates(game, "ann") == 19
    assert refused(game, BuyShare("ann", "DUB", "DUB", 10)).rule == "DO-6.4.4-a"
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert shares.certificates(game, "ann") == 19


# ---------------------------------------------------------------------- selling


@pytest.mark.rule("DO-6.4.6-a")
def test_what_may_not_be_sold() -> None:
    game = trading_in()
    corporation(game, "RIT", "ann", held=40)
    game.company("RIT").operated = False
    second_stock(game, "ann")
    assert refused(game, SellShares("ann", "RIT", 10)).rule == "DO-6.4.6-a"
    game.company("RIT").operated = True
    take_offer(game)
    assert refused(game, SellShares("ann", "RIT", 40)).rule == "DO-4.4.5-d"
    own(game, "RIT", POOL, 50)
    take_offer(game)
    assert refused(game, SellShares("ann", "RIT", 10)).rule == "DO-4.4.5-b"


@pytest.mark.rule("DO-6.4.7-a")
@pytest.mark.rule("DO-1-a")
@pytest.mark.parametrize("company", ["DUB", "BME"])
def test_the_price_falls_only_when_the_director_sells(company: str) -> None:
    game = after_package()
    corporation(game, company, "bo", held=60 if company == "BME" else 50, price=80)
    own(game, company, "ann", 20)
    second_stock(game, "ann")
    game.apply(SellShares("ann", company, 20))
    assert (game.state.cash["ann"], game.prices.value(company)) == (1160, 80)
    game.apply(Pass("ann"))
    game.apply(SellShares("bo", company, 20))
    assert (game.state.cash["bo"], game.prices.value(company)) == (1160, 70)


@pytest.mark.rule("DO-6.4.7-a")
def test_a_director_who_loses_the_post_by_a_sale_lowers_the_price() -> None:
    game = after_package()
    corporation(game, "DUB", "ann", held=40, price=80)
    own(game, "DUB", "bo", 30)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "DUB", 20))
    assert game.company("DUB").director == "bo"
    assert game.prices.value("DUB") == 70


@pytest.mark.rule("DO-6.4.7-c")
def test_a_sold_out_company_does_not_rise() -> None:
    game = after_package()
    corporation(game, "DUB", "ann", held=60, price=80)
    own(game, "DUB", "bo", 40)
    second_stock(game, "cy")
    for player in ("cy", "ann", "bo"):
        game.apply(Pass(player))
    assert game.state.round.kind != "stock"
    assert game.prices.value("DUB") == 80


@pytest.mark.rule("DO-6.4-a")
def test_the_start_card_goes_to_the_left_of_the_last_trader() -> None:
    game = after_package()
    railway(game, "BME", "bo", held=40)
    second_stock(game, "ann")
    game.apply(Pass("ann"))
    game.apply(SellShares("bo", "BME", 10))
    assert refused(game, BuyShare("bo", "BME", POOL, 10)).rule == "DO-4.4.3-c"
    game.apply(Pass("bo"))
    for player in ("cy", "ann", "bo"):
        game.apply(Pass(player))
    assert game.state.priority == "cy"


# ---------------------------------------------------------------------- bankrupt companies


@pytest.mark.rule("DO-6.4.8-a")
def test_a_company_fails_in_a_stock_round() -> None:
    game = after_package()
    corporation(game, "DUB", "ann", held=50, price=10, treasury=99, equipment=("2",))
    own(game, "DUB", "bo", 10)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "DUB", 10))
    state = game.company("DUB")
    assert (state.director, state.floated) == ("", False)
    assert set(state.certificates) == {OFFERING, REMOVED}
    assert game.company("DUB").price == (1, 0), "its token stays there"
    assert game.state.cash["bo"] == 1000, "nobody is paid"
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.8-a")
def test_a_railway_fails_in_an_operating_round() -> None:
    game = after_package()
    railway(game, "CME", "ann", price=10, treasury=120)
    trains(game, "CME", "2")
    game.rules.rounds["operating"].begin(game, 1, 2)  # type: ignore[attr-defined]
    game.settle()
    while game.state.round.actor == "CME":
        game.apply(Pass("ann"))
    assert not game.company("CME").floated
    assert game.state.cash["CME"] == 0
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.8-b")
def test_what_a_failed_railway_leaves() -> None:
    game = after_package()
    phase(game, "5")
    for minor in ("B4", "B8", "B2"):
        equip(game, minor, "3")
    railway(game, "CME", "ann", price=10, treasury=120)
    trains(game, "CME", "5", "5")
    export_line(game)
    station(game, "CME", "G12")
    station(game, "CME", "C6")
    loaded(game, "CME", ("5", 1))
    stock, bank = breweries.beer(game).stock, game.state.cash[BANK]
    left = list(game.company("CME").tokens_left)
    failing.fail(game, "CME")
    assert game.state.cash[BANK] == bank + 120
    assert game.company("CME").trains == []
    assert game.company("CME").tokens_left == left
    assert game.rules.lost_tokens(game, "CME") == 2
    assert game.board.has_station("CME", "A2"), "its home stays"
    assert not game.company("CME").active, "face down"
    assert not game.board.has_station("CME", "G12")
    assert breweries.beer(game).stock == stock + 1
    take_offer(game)
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.8-b")
def test_what_a_failed_brewery_leaves() -> None:
    game = after_package()
    corporation(game, "DUB", "ann", price=10, treasury=50, equipment=("2", "2"))
    failing.fail(game, "DUB")
    assert "DUB" not in OrderTokens.of(game).order
    assert breweries.equipment(game, "DUB") == []
    assert EquipmentOwned.of(game).used_up == {"2": 2}
    take_offer(game)
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.8-c")
def test_the_director_is_paid_for_the_sale_that_ends_the_company() -> None:
    game = after_package()
    railway(game, "BME", "ann", held=60, price=30)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "BME", 30))
    assert game.state.cash["ann"] == 1090
    assert not game.company("BME").floated


@pytest.mark.rule("DO-6.4.9-a")
def test_a_failed_company_is_founded_again_in_the_next_stock_round() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", "ann", held=50, price=10)
    second_stock(game, "ann")
    game.apply(SellShares("ann", "DUB", 10))
    assert refused(game, Found("ann", "DUB", 60)).rule == "DO-4.4.3-c", "ann has sold it herself"
    game.apply(Pass("ann"))
    assert refused(game, Found("bo", "DUB", 60)).rule == "DO-6.4.9-a"
    second_stock(game, "bo", 3)
    game.apply(Found("bo", "DUB", 60))
    assert shares.held(game, "DUB", REMOVED) == 20
    assert shares.held(game, "DUB", "DUB") == 50
    game.apply(BuyShare("cy", "DUB", "DUB", 10))
    game.apply(BuyShare("ann", "DUB", "DUB", 10))
    assert game.company("DUB").floated
    assert not game.company("DUB").operated
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.9-a")
@pytest.mark.parametrize(("company", "used"), [("KWE", False), ("BME", True)])
def test_the_railway_with_a_free_link_has_it_again_when_it_is_founded_again(company: str, used: bool) -> None:
    game = after_package()
    railway(game, company)
    FreeToken.of(game).used = True
    failing.fail(game, company)
    assert FreeToken.of(game).used is used


@pytest.mark.rule("DO-6.4.9-a")
def test_the_missing_shares_of_a_brewery_are_paid_to_nobody() -> None:
    game = after_package()
    corporation(game, "DUB", "ann", held=50, price=60, treasury=0)
    failing.fail(game, "DUB")
    corporation_again(game)
    demand(game, r1=2)
    brewing_turn(game, "DUB", "dividend", 100)
    bank = game.state.cash[BANK]
    game.apply(game.offer().find("dividend").move({"kind": "pay"}))  # type: ignore[union-attr]
    assert bank - game.state.cash[BANK] == 80


def corporation_again(game: Game) -> None:
    """The Union with its director's certificate sold anew and the rest on its charter."""
    state = game.company("DUB")
    state.certificates = ["DUB" if holder == OFFERING else holder for holder in state.certificates]
    state.certificates[0] = state.director = "ann"
    state.floated = True
    OrderTokens.of(game).order.append("DUB")
    price_at(game, "DUB", 60)
    equip(game, "DUB", "2")


@pytest.mark.rule("DO-6.4.9-a")
def test_a_railway_has_only_the_tokens_that_were_not_lost() -> None:
    game = after_package()
    railway(game, "BME", "ann", price=60)
    for at in ("G12", "D9", "C6"):
        station(game, "BME", at)
    failing.fail(game, "BME")
    assert len(game.company("BME").tokens_left) == 2
    second_stock(game, "ann")
    Failed.of(game).failed["BME"] = 1
    take_offer(game)
    game.apply(Found("ann", "BME", 60))
    assert len(game.company("BME").tokens_left) == 2
    assert faults(game) == []


@pytest.mark.rule("DO-6.4.9-a")
def test_a_company_that_fell_in_its_own_turn_is_a_new_one_when_it_is_founded_again() -> None:
    game = after_package()
    railway(game, "CME", "ann", price=10)
    trains(game, "CME", "2")
    game.rules.rounds["operating"].begin(game, 1, 2)  # type: ignore[attr-defined]
    game.settle()
    while game.state.round.actor == "CME":
        game.apply(Pass("ann"))
    second_stock(game, "ann", 3)
    game.apply(Found("ann", "CME", 50))
    for player in ("bo", "cy", "ann"):
        game.apply(BuyShare(player, "CME", "CME", 10))
    assert game.company("CME").floated
    assert refused(game, SellShares("bo", "CME", 10)).rule == "DO-6.4.6-a"
    cash(game, "CME", 200)
    operating(game, "CME", "early")
    assert "buy_train" in names(game), "its first turn begins anew"


@pytest.mark.rule("DO-6.4.5-a")
def test_a_founding_by_trade_in_is_for_the_whole_director_certificate() -> None:
    game = after_package()
    phase(game, "3")
    second_stock(game, "ann")
    cash(game, "ann", 119)
    for percent in (10, 20, 40, -10):
        assert refused(game, TradeIn("ann", "B4", "DUB", OFFERING, percent, 60)).rule == "DO-6.4.5-a"
    cash(game, "ann", 120)
    game.apply(TradeIn("ann", "B4", "DUB", OFFERING, 30, 60))
    assert game.state.cash["ann"] == 0


@pytest.mark.rule("DO-6.4.5-c")
def test_only_a_founding_names_a_starting_price() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", "bo", held=50, price=60)
    second_stock(game, "ann")
    assert refused(game, TradeIn("ann", "B4", "DUB", "DUB", 10, 60)).rule == "DO-6.4.5-c"
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert shares.held(game, "DUB", "ann") == 10


@pytest.mark.rule("DO-4.3.2-c")
def test_what_a_founding_opened_stays_open_when_that_company_is_bankrupt() -> None:
    game = after_package()
    railway(game, "KWE", "ann", price=60)
    second_stock(game, "bo")
    assert refused(game, Found("bo", "DHB", 60)).rule == "DO-4.3.2-c"
    failing.fail(game, "KWE")
    take_offer(game)
    game.apply(Found("bo", "DGEE", 60))
    assert game.company("DGEE").director == "bo"
