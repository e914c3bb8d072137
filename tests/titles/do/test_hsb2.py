"""Heat, Sweat & Beer for two (ledger sections 8.2.1.3, 8.2.2.2, 8.4 and 8.5)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import BuyOwnShare, BuyTrain, Dividend, SellOwnShares
from engine.remembered import Acted
from engine.state import BANK, OFFERING, POOL
from tests.titles.do import hsb_arrange as h
from tests.titles.do import investing_beer as i
from tests.titles.do.railway import asked
from titles.do.board.links import LinkLocation
from titles.do.brewery import beer as market
from titles.do.brewery import breweries
from titles.do.brewery.breweries import EquipmentOwned, GiveUpEquipment, OrderTokens
from titles.do.brewery.brewing import BuyEquipment
from titles.do.brewery.failing import fail
from titles.do.brewery.game import Start
from titles.do.brewery.trading import TradeIn
from titles.do.two.brewery_game import BREWERY_CARD, CardsDealt
from titles.do.two.brewing import DrawnBrewery
from titles.do.two.investor import Investment
from titles.rhineland.investor import CARD, INVESTOR, ChooseCard, HeldCard


def his(game: Game, company: str) -> int:
    return shares.held(game, company, INVESTOR)


# ---------------------------------------------------------------------- preparation and starting round


@pytest.mark.rule("DO-8-a", "DO-8.4.1-a")
def test_what_the_box_has_for_two() -> None:
    game = i.new()
    assert not {"KRO", "HAN", "HHW"} & game.definition.corporations.keys()
    assert not {"1938", "1941", "1943", "1944", "1945", "1953"} & game.definition.tiles.keys()
    assert game.company("B2").closed
    assert sum(train.count for train in game.definition.trains) == 52
    assert market.total(breweries.beer(game)) == 26
    assert game.rules.limits.certificates(game, "ann") == 26
    assert [game.state.cash[who] for who in ("ann", "bo", INVESTOR)] == [465] * 3


@pytest.mark.rule("DO-8.4.1-a", "DO-8.1-a")
def test_the_map_for_two_has_no_stations_in_the_city() -> None:
    game = i.new()
    assert not {"H19", "H17", "G20", "I20"} & game.definition.map.hexes.keys()
    assert [stop.slots for stop in game.definition.map.hexes["E12"].face.stops] == [0]


@pytest.mark.rule("DO-8.4.1-b", "DO-8.4.1-c")
def test_railway_corporation_and_three_small_breweries_are_drawn() -> None:
    games = [Game(i.rules(), i.SEATS, seed) for seed in range(120)]
    assert {Investment.of(game).company for game in games} == {"BME", "CME", "KWE", "RhE"}
    assert {DrawnBrewery.of(game).brewery for game in games} == {"DUB", "DAB", "RIT", "STI"}
    packages = [tuple(Start.of(game).package) for game in games]
    assert {len(set(package)) for package in packages} == {3}
    assert {minor for package in packages for minor in package} == {"B1", "B3", "B4", "B5", "B6", "B7", "B8"}
    game = i.new("KWE")
    assert game.prices.value("KWE") == 50
    assert game.company("KWE").price == (0, 4), "on the row of the railways"


@pytest.mark.rule("DO-8.4.1-b")
def test_nobody_has_a_certificate_of_his_corporation_before_the_third_stock_round() -> None:
    game = i.later(2)
    h.phase(game, "3")
    h.second_stock(game, "ann", 2)
    assert h.refused(game, mv.Found("ann", "DUB", 60)).rule == "DO-8.4.1-b"
    assert h.refused(game, TradeIn("ann", "B3", "DUB", OFFERING, 30, 60)).rule == "DO-8.4.1-b"
    assert "DAB" in h.offered(game, "found")
    i.sits(game, 3)
    h.second_stock(game, "ann", 3)
    game.apply(mv.BuyShare("ann", "DUB", "DUB", 10))
    assert shares.held(game, "DUB", "ann") == 10


@pytest.mark.rule("DO-8.4.1-b", "DO-8.2.1.1-a", "DO-6.2.1-b")
def test_certificates_of_his_corporation_are_bought_in_yellow_too() -> None:
    game = i.later(3)
    i.sits(game, 3)
    assert game.phase.colour == "yellow", "R-93: it is there all the same; only founding waits for green"
    h.price_at(game, "DUB", 100)
    i.sits(game, 3)
    assert his(game, "DUB") == 60, "the dearest that there is"
    h.second_stock(game, "ann", 3)
    game.apply(mv.BuyShare("ann", "DUB", "DUB", 10))
    assert shares.held(game, "DUB", "ann") == 10
    h.second_stock(game, "ann", 3)
    assert h.refused(game, mv.Found("ann", "DAB", 60)).rule == "DO-6.2.1-b"
    assert h.refused(game, TradeIn("ann", "B3", "DUB", "DUB", 10, 0)).rule == "DO-6.4.5-g"


@pytest.mark.rule("DO-8.4.2-a")
@pytest.mark.parametrize("card", [CARD, BREWERY_CARD])
def test_the_lower_number_begins_and_the_other_picks_a_card(card: str) -> None:
    game = i.new()
    lots = {lot: game.definition.corporations[lot] for lot in Start.of(game).package}
    low, middle, high = sorted(lots, key=lambda lot: int(lot[1]))
    rows = game.definition.tables.minors
    game.apply(mv.Bid("ann", high, 5))
    game.apply(mv.Bid("bo", low, 0))
    assert game.state.cash["ann"] == 465 - rows[high].price - 5
    assert game.state.cash["bo"] == 465 - rows[low].price
    assert game.state.cash[INVESTOR] == 465 - rows[middle].price
    assert game.company(middle).certificates == [INVESTOR]
    assert (game.state.cash[middle], len(breweries.equipment(game, middle))) == (
        rows[middle].treasury,
        len(rows[middle].equipment),
    )
    assert (asked(game), h.names(game)) == ("ann", {"choose_card"})
    assert h.offered(game, "choose_card") == [CARD, BREWERY_CARD]
    assert h.refused(game, ChooseCard("ann", "priority")).rule == "DO-8.4.2-a"
    events = game.apply(ChooseCard("ann", card))
    railway, brewery = ("ann", "bo") if card == CARD else ("bo", "ann")
    assert CardsDealt(railway, brewery) in events
    assert (game.decider("CME"), game.decider(middle)) == (railway, brewery)
    assert asked(game) == "bo", "whatever the cash"
    assert not faults(game)


# ---------------------------------------------------------------------- stock rounds


@pytest.mark.rule("DO-8.4.4-a", "DO-8.3.3-a")
def test_in_the_first_stock_round_he_buys_half_of_his_railway() -> None:
    game = i.first()
    assert h.refused(game, mv.Found("ann", "CME", 50)).rule == "DO-8.4.1-b"
    game.apply(mv.Pass("ann"))
    assert (his(game, "CME"), game.state.cash["CME"], game.state.cash[INVESTOR]) == (50, 250, 750)
    assert game.prices.value("CME") == 50
    assert asked(game) == "bo"


@pytest.mark.rule("DO-8.4.4-a", "DO-8.2.1.2-a")
def test_his_sale_moves_no_price_and_railways_come_before_breweries() -> None:
    game = i.later()
    h.phase(game, "3")
    h.corporation(game, "DAB", "ann", price=80)
    h.price_at(game, "KWE", 80)
    h.own(game, "BME", INVESTOR, 10)
    h.cash(game, INVESTOR, 20)
    i.sits(game)
    assert (his(game, "KWE"), his(game, "DAB"), his(game, "BME")) == (10, 0, 0)
    assert game.prices.value("BME") == 65
    assert game.state.cash[INVESTOR] == 20 + 65 - 80


@pytest.mark.rule("DO-8.2.1.1-b")
def test_of_one_price_railways_come_before_breweries() -> None:
    game = i.later()
    h.phase(game, "3")
    h.corporation(game, "RIT", "ann", price=80)
    h.price_at(game, "KWE", 80)
    i.sits(game)
    assert (his(game, "KWE"), his(game, "RIT")) == (10, 0)
    h.price_at(game, "RIT", 90)
    i.sits(game)
    assert (his(game, "KWE"), his(game, "RIT")) == (10, 10)


@pytest.mark.rule("DO-8.2.1.1-b")
def test_of_equal_railways_the_one_that_acts_first() -> None:
    for order, bought in ((("KWE", "BME"), "KWE"), (("BME", "KWE"), "BME")):
        game = i.later()
        for company in order:
            h.price_at(game, company, 80)
        i.sits(game)
        assert {name: his(game, name) for name in order} == {name: 10 * (name == bought) for name in order}


@pytest.mark.rule("DO-8.2.1.1-b")
def test_of_equal_breweries_the_one_that_acts_first() -> None:
    for order, bought in ((("DAB", "RIT"), "DAB"), (("RIT", "DAB"), "RIT")):
        game = i.later()
        h.phase(game, "3")
        for company in order:
            h.corporation(game, company, "ann", price=80)
        h.price_at(game, "DAB", 80)
        h.own(game, "DAB", "bo", 20)  # a ten lies on top of what is left of neither
        i.sits(game)
        assert {name: his(game, name) > 0 for name in order} == {name: name == bought for name in order}


# ---------------------------------------------------------------------- his corporation


@pytest.mark.rule("DO-8.2.1.3-a", "DO-8.2.2.2-g")
def test_in_the_third_stock_round_his_small_brewery_becomes_his_corporation() -> None:
    game = i.later(3, ("B3", "B7", "B4"))
    h.cash(game, "B4", 90)
    h.equip(game, "B4", "1", "2")
    place = OrderTokens.of(game).order.index("B4")
    h.brewing(game)
    game.state.round.stock_number = 3
    assert breweries.acting(game)[place] == "B4"
    events = i.sits(game, 3)
    assert OrderTokens.of(game).order[place] == "DUB"
    assert "B4" not in OrderTokens.of(game).order
    assert breweries.equipment(game, "DUB") == ["2"], "the type 1 is gone"
    assert EquipmentOwned.of(game).used_up["1"] >= 1
    assert (game.company("B4").closed, game.state.cash["B4"]) == (True, 0)
    assert (game.prices.value("DUB"), game.company("DUB").director, game.company("DUB").floated) == (60, INVESTOR, True)
    assert game.state.cash["DUB"] == 90 + 240
    assert not [event for event in events if event["type"] == "Passed"]
    assert (his(game, "BME"), his(game, "CME")) == (0, 50), "it is his whole turn"
    assert breweries.acting(game)[place] == "DUB"
    assert not faults(game)


@pytest.mark.rule("DO-8.2.1.3-a")
def test_neither_before_nor_twice_and_in_any_phase() -> None:
    game = i.later(2)
    i.sits(game, 2)
    assert game.company("B4").floated
    assert his(game, "BME") == 10
    assert game.phase.name == "2"
    i.sits(game, 3)
    assert his(game, "DUB") == 50, "R-93"
    i.sits(game, 3)
    assert his(game, "BME") == 20, "the next turn is an ordinary one"


@pytest.mark.rule("DO-8.2.1.3-b")
@pytest.mark.parametrize(
    ("brewery", "minor", "cost", "parts"),
    [
        ("DUB", "B4", 240, [30, 10, 10]),
        ("STI", "B4", 240, [40, 10]),
        ("DAB", "B4", 240, [20, 20, 10]),
        ("DUB", "B6", 180, [30, 10, 10]),
        ("DAB", "B6", 180, [20, 20, 10]),
    ],
)
def test_he_takes_half_of_it(brewery: str, minor: str, cost: int, parts: list[int]) -> None:
    game = i.later(3, ("B3", "B7", minor), brewery)
    treasury = game.state.cash[minor]
    i.sits(game, 3)
    assert (game.state.cash[INVESTOR], game.state.cash[brewery]) == (1000 - cost, treasury + cost)
    numbers = shares.numbers(game, brewery, INVESTOR)
    assert sorted((shares.percent_of(game, brewery, n) for n in numbers), reverse=True) == parts
    assert shares.held(game, brewery, brewery) == 50
    assert 0 in numbers


@pytest.mark.rule("DO-8.2.1.3-b", "DO-8.3.3-b")
def test_he_spends_all_that_he_has_and_the_start_card_goes_to_his_left() -> None:
    game = i.later(3)
    h.cash(game, INVESTOR, 240)
    i.sits(game, 3)
    assert (his(game, "DUB"), shares.held(game, "DUB", POOL), game.state.cash[INVESTOR]) == (50, 0, 0)
    assert asked(game) == "bo"
    game.state.priority = "ann"
    for player in ("bo", "ann"):
        h.cash(game, player, 0)
    h.take_offer(game)
    while game.state.round.kind == "stock":
        game.apply(mv.Pass(asked(game)))
    assert game.state.priority == "bo", "he was the last to trade, and bo sits on his left"


@pytest.mark.rule("DO-8.2.1.3-c")
def test_short_of_cash_he_sells_his_cheapest_certificates() -> None:
    game = i.later(3)
    h.price_at(game, "KWE", 70)
    h.price_at(game, "BME", 90)
    for company in ("KWE", "BME"):
        h.own(game, company, INVESTOR, 10)
    h.cash(game, INVESTOR, 100)
    i.sits(game, 3)
    assert (his(game, "DUB"), his(game, "KWE"), his(game, "BME")) == (50, 0, 0)
    assert game.state.cash[INVESTOR] == 100 + 70 + 90 - 240
    game = i.later(3)
    for company in ("KWE", "BME"):
        h.own(game, company, INVESTOR, 10)
    h.cash(game, INVESTOR, 190)
    i.sits(game, 3)
    assert (his(game, "KWE"), his(game, "BME"), game.state.cash[INVESTOR]) == (0, 10, 10), "60, the cheaper, is enough"


@pytest.mark.rule("DO-8.2.1.3-c")
@pytest.mark.parametrize(
    ("cash", "percent", "pool", "left", "paid"), [(130, 30, 20, 10, 120), (185, 40, 10, 5, 180), (70, 30, 20, 0, 70)]
)
def test_what_he_cannot_pay_goes_to_the_pool(cash: int, percent: int, pool: int, left: int, paid: int) -> None:
    game = i.later(3)
    treasury = game.state.cash["B4"]
    h.cash(game, INVESTOR, cash)
    i.sits(game, 3)
    assert (his(game, "DUB"), shares.held(game, "DUB", POOL), game.state.cash[INVESTOR]) == (percent, pool, left)
    assert game.state.cash["DUB"] == treasury + paid + pool * 6
    assert game.prices.value("DUB") == 60
    assert (game.company("DUB").director, game.company("DUB").floated) == (INVESTOR, True)
    assert not faults(game)


@pytest.mark.rule("DO-8.2-a")
def test_nobody_comes_to_hold_more_of_his_corporation_than_he_does() -> None:
    game = i.later(3)
    h.cash(game, INVESTOR, 0)
    i.sits(game, 3)  # 30 % are his
    for number in shares.numbers(game, "DUB", POOL):
        game.company("DUB").certificates[number] = "ann"
    h.phase(game, "3")
    h.second_stock(game, "ann", 3)
    game.apply(mv.BuyShare("ann", "DUB", "DUB", 10))
    h.second_stock(game, "ann", 4)
    assert h.refused(game, mv.BuyShare("ann", "DUB", "DUB", 10)).rule == "DO-8.2-a"


@pytest.mark.rule("DO-8.2-a")
def test_a_company_of_his_that_fails_is_closed_for_good() -> None:
    game = i.later(3)
    Investment.of(game).owed = {"CME": 70}
    fail(game, "CME")
    assert Investment.of(game).owed == {}
    h.second_stock(game, "ann", 4)
    assert h.refused(game, mv.Found("ann", "CME", 50)).rule == "DO-8.4.1-b", "R-126"
    Investment.of(game).floats = []
    i.sits(game, 4)  # the small brewery's turn
    i.sits(game, 4)
    assert not game.company("CME").director, "he founds it no more"


@pytest.mark.rule("DO-8.2.1.3-b")
def test_he_never_sells_shares_of_a_company_that_floats() -> None:
    game = i.later(3)
    h.phase(game, "5")
    i.sits(game, 3)
    assert not game.state.pauses, "R-127"


@pytest.mark.rule("DO-6.4.2-b")
def test_players_sell_shares_of_their_company_that_floats_late() -> None:
    game = i.later(3)
    h.phase(game, "5")
    h.corporation(game, "RhE", "ann", held=40, price=90, treasury=0)
    game.company("RhE").floated = game.company("RhE").operated = False
    h.second_stock(game, "bo", 3)
    game.apply(mv.BuyShare("bo", "RhE", "RhE", 10))
    game.apply(SellOwnShares("ann", "RhE", 20))
    assert (shares.held(game, "RhE", POOL), game.prices.value("RhE")) == (20, 90)


# ---------------------------------------------------------------------- his small brewery


def small(
    card: str, *owned: str, treasury: int = 0, revenue: int = 0, step: str = "dividend", phase: str = "3"
) -> Game:
    """A turn of his small brewery B4, run by ann; so many cards of a type are on display."""
    game = i.later()
    h.phase(game, phase)
    h.on_card(game, card, 3)
    h.equip(game, "B4", *owned)
    h.cash(game, "B4", treasury)
    h.brewing_turn(game, "B4", step, revenue)
    return game


@pytest.mark.rule("DO-8.2.2.2-a")
@pytest.mark.parametrize(("owned", "treasury", "cash"), [(("3",), 35, 35), (("2", "2"), 70, 0)])
def test_it_splits_its_income_only_with_the_newest_equipment(owned: tuple[str, ...], treasury: int, cash: int) -> None:
    game = small("3", *owned, revenue=70)
    assert (game.state.cash["B4"], game.state.cash[INVESTOR]) == (treasury, 1000 + cash)


@pytest.mark.rule("DO-8.2.2.2-b")
def test_it_buys_as_soon_as_its_treasury_pays() -> None:
    game = small("3", "2", treasury=180, step="equipment")
    assert asked(game) == "ann"
    assert h.refused(game, mv.Pass("ann")).rule == "DO-8.2.2.2-b"
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert (breweries.equipment(game, "B4"), game.state.cash["B4"]) == (["3", "2"], 0)


@pytest.mark.rule("DO-8.2.2.2-b")
def test_the_investor_may_add_half_after_the_whole_treasury() -> None:
    game = small("3", "2", treasury=100, step="equipment")
    assert h.names(game) == {"buy_equipment", "pass"}
    game.apply(BuyEquipment("ann", "B4", "3"))
    assert (game.state.cash["B4"], game.state.cash[INVESTOR], game.state.cash["ann"]) == (0, 920, 1000)
    game = small("3", "2", treasury=80, step="deliver")
    assert h.refused(game, BuyEquipment("ann", "B4", "3")).key in ("turn.move", "deliver.duty")
    game.state.round.step = "equipment"
    h.take_offer(game)
    assert h.refused(game, BuyEquipment("ann", "B4", "3")).rule == "DO-8.2.2.2-b"
    game = small("3", "2", treasury=80, step="deliver")
    h.equip(game, "B4")
    game.state.round.step = "equipment"
    h.take_offer(game)
    assert h.refused(game, BuyEquipment("ann", "B4", "3")).rule == "DO-8.2.2.2-b", "without equipment neither"
    game = small("3", "2", treasury=100, step="equipment")
    h.cash(game, INVESTOR, 70)
    h.take_offer(game)
    assert h.refused(game, BuyEquipment("ann", "B4", "3")).rule == "DO-8.2.2.2-b", "he has no more"


@pytest.mark.rule("DO-8.2.2.2-b")
def test_not_beyond_its_limit_or_its_types() -> None:
    game = small("3", "2", "2", "2", treasury=500, step="equipment")
    assert game.state.round.actor != "B4", "there is nothing to decide"
    game = small("6", treasury=2000, step="equipment", phase="6")
    assert game.state.round.actor != "B4"


# ---------------------------------------------------------------------- his corporation's turn


def brewing(
    card: str,
    *owned: str,
    treasury: int = 0,
    revenue: int = 0,
    step: str = "equipment",
    phase: str = "4",
    price: int = 60,
    brewery: str = "DUB",
) -> Game:
    """A turn of his corporation, run by ann; three cards of a type are on display, and the Investor has 0."""
    game = i.converted(brewery, price=price)
    h.phase(game, phase)
    h.equip(game, brewery, *owned)
    h.on_card(game, card, 1 if card == "4" else 3)  # there is one 4 only
    h.cash(game, brewery, treasury)
    h.cash(game, INVESTOR, 0)
    h.brewing_turn(game, brewery, step, revenue)
    return game


@pytest.mark.rule("DO-8.2.2.2-c")
@pytest.mark.parametrize(("owned", "paid"), [("2", False), ("3", True)])
def test_it_pays_out_only_with_the_newest_equipment(owned: str, paid: bool) -> None:
    game = brewing("3", owned, revenue=100, step="dividend", phase="3")
    assert game.state.cash[INVESTOR] == (50 if paid else 0)
    assert game.state.cash["DUB"] == (50 if paid else 100)
    assert (game.prices.value("DUB") > 60) is paid


@pytest.mark.rule("DO-8.2.2.2-c")
@pytest.mark.parametrize("kind", ["pay", "withhold"])
@pytest.mark.parametrize("owned", ["5", "6", "8"])
def test_with_5_6_or_8_its_player_decides(owned: str, kind: str) -> None:
    game = brewing("8", owned, revenue=100, step="dividend", phase="8")
    assert (asked(game), h.offered(game, "dividend")) == ("ann", ["pay", "withhold"])
    game.apply(Dividend("ann", "DUB", kind))
    assert game.state.cash[INVESTOR] == (50 if kind == "pay" else 0)


@pytest.mark.rule("DO-8.2.2.2-d")
def test_it_must_buy_the_newest_equipment_that_it_lacks() -> None:
    game = brewing("4", "3", treasury=300)
    refusal = h.refused(game, mv.Pass("ann"))
    assert (refusal.rule, refusal.key) == ("DO-8.2.2.2-d", "equipment.duty.newest")
    game.apply(BuyEquipment("ann", "DUB", "4"))
    assert breweries.equipment(game, "DUB") == ["4", "3"]
    for game in (
        brewing("4", "3", treasury=230),
        brewing("4", "3", "3", "3", treasury=300),
        brewing("3", "3", treasury=300, phase="3"),
    ):
        equipment = breweries.equipment(game, "DUB")
        if game.state.round.actor == "DUB":
            game.apply(mv.Pass("ann"))
        assert breweries.equipment(game, "DUB") == equipment


@pytest.mark.rule("DO-8.2.2.2-d")
def test_its_player_may_give_up_equipment_at_the_start_to_make_room() -> None:
    game = brewing("4", "3", "3", "3", treasury=300, step="deliver")
    assert asked(game) == "ann"
    game.apply(GiveUpEquipment("ann", "DUB", "3"))
    game.state.round.step = "equipment"
    h.take_offer(game)
    assert h.refused(game, mv.Pass("ann")).rule == "DO-8.2.2.2-d"


@pytest.mark.rule("DO-8.2.2.2-d")
def test_the_newest_comes_before_the_other_on_display() -> None:
    game = brewing("6", "5", treasury=2000, phase="6")
    game.state.depot.sold["6"] = 2
    h.take_offer(game)
    assert h.refused(game, BuyEquipment("ann", "DUB", "8")).rule == "DO-8.2.2.2-d"
    assert h.offered(game, "buy_equipment") == ["6"]
    game = brewing("6", "8", treasury=2000, phase="8")
    game.state.depot.sold["6"] = 2
    h.take_offer(game)
    assert h.offered(game, "buy_equipment") == ["6", "8"]
    game.apply(mv.Pass("ann"))
    assert breweries.equipment(game, "DUB") == ["8"], "who has an 8 needs no 6"


@pytest.mark.rule("DO-8.2.2.2-e")
def test_without_any_equipment_it_is_forced() -> None:
    game = i.converted()
    h.phase(game, "5")
    h.on_card(game, "5", 3)
    h.own(game, "KWE", INVESTOR, 10)
    game.company("DUB").certificates = [INVESTOR, INVESTOR, INVESTOR, "DUB", POOL, POOL, POOL]
    h.cash(game, "DUB", 100)
    h.cash(game, INVESTOR, 40)
    h.brewing_turn(game, "DUB", "equipment")
    # 450 - 100: one own certificate 60, his cash 40, one of KWE 60, a loan of 190
    assert breweries.equipment(game, "DUB") == ["5"]
    assert (game.state.cash["DUB"], game.state.cash[INVESTOR], his(game, "KWE")) == (0, 0, 0)
    assert Investment.of(game).owed == {"DUB": 190}
    assert shares.held(game, "DUB", "DUB") == 0
    assert game.prices.value("DUB") == 55
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (1000, 1000)
    assert not faults(game)
    h.brewing_turn(game, "DUB", "dividend", 100)
    assert Investment.of(game).owed == {"DUB": 90}, "with a loan nobody decides, and nothing is paid out"
    assert game.state.cash["DUB"] == 0


@pytest.mark.rule("DO-8.2.2.2-e", "DO-8.2.2.1-e")
def test_a_second_loan_is_added_and_the_pool_takes_more_than_half() -> None:
    game = i.converted()
    h.phase(game, "5")
    h.on_card(game, "5", 3)
    h.own(game, "KWE", INVESTOR, 10)
    h.own(game, "KWE", POOL, 40)
    for number in shares.numbers(game, "KWE", "bo")[1:2]:
        game.company("KWE").certificates[number] = POOL
    assert shares.held(game, "KWE", POOL) == 50
    game.company("DUB").certificates = [INVESTOR, INVESTOR, INVESTOR, POOL, POOL, POOL, "bo"]
    Investment.of(game).owed = {"DUB": 25}
    h.cash(game, "DUB", 0)
    h.cash(game, INVESTOR, 0)
    h.brewing_turn(game, "DUB", "equipment")
    assert shares.held(game, "KWE", POOL) == 60
    assert Investment.of(game).owed == {"DUB": 25 + 450 - 60}


@pytest.mark.rule("DO-8.2.2.2-e")
def test_a_corporation_that_fails_by_it_buys_nothing() -> None:
    game = i.converted(price=10)
    h.phase(game, "5")
    h.on_card(game, "5", 3)
    h.cash(game, "DUB", 0)
    h.cash(game, INVESTOR, 500)
    h.brewing_turn(game, "DUB", "equipment")
    assert not game.company("DUB").floated
    assert game.state.cash[INVESTOR] == 500
    assert not faults(game)


@pytest.mark.rule("DO-8.2.2.2-f")
def test_it_may_sell_one_certificate_for_the_newest_equipment() -> None:
    game = brewing("4", "3", treasury=250)
    assert {"sell_own_shares", "pass"} <= h.names(game)
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert (game.state.cash["DUB"], game.prices.value("DUB")) == (310, 55)
    assert h.refused(game, mv.Pass("ann")).rule == "DO-8.2.2.2-d"
    assert h.refused(game, BuyOwnShare("ann", "DUB", 10)).key.startswith("deal.one"), "one deal a turn"
    game = brewing("4", "3", treasury=240)
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert game.state.cash["DUB"] == 300, "just enough"
    for treasury, owned, step in ((110, "2", "equipment"), (150, "3", "equipment"), (150, "2", "deliver")):
        game = brewing("3", owned, treasury=treasury, step="deliver", phase="3")
        game.state.round.step = step
        h.take_offer(game)
        assert h.refused(game, SellOwnShares("ann", "DUB", 10)).rule == "DO-8.2.2.2-f"
    game = brewing("3", "2", treasury=150, step="deliver", phase="3")
    game.state.round.step = "equipment"
    h.take_offer(game)
    game.apply(SellOwnShares("ann", "DUB", 10))


@pytest.mark.rule("DO-6.5.2.3-a")
def test_a_brewery_for_two_is_told_what_it_could_deliver() -> None:
    game = brewing("3", "3", treasury=150, step="deliver", phase="3")
    h.demand(game, r3=2)
    h.take_offer(game)
    found = {remark.key: dict(remark.facts) for remark in game.rules.remarks(game)}
    assert found["could_deliver"] == {"company": "DUB", "cubes": 2, "amount": 60}
    assert "investor_brewery" in found, "what the Investor does is told as before"


@pytest.mark.rule("DO-8.2.2.2-f")
def test_it_may_buy_one_back() -> None:
    game = brewing("3", "3", treasury=150, step="deliver", phase="3")
    h.own(game, "DUB", POOL, 20)
    assert h.offered(game, "buy_own_share") == [10]
    game.apply(BuyOwnShare("ann", "DUB", 10))
    assert (shares.held(game, "DUB", POOL), game.state.cash["DUB"]) == (10, 90)
    assert "buy_own_share" not in h.names(game), "one a turn"
    assert h.refused(game, BuyOwnShare("ann", "DUB", 10)).key.startswith("deal.one")


@pytest.mark.rule("DO-8.2.2.2-f")
def test_it_may_buy_one_back_before_its_price_falls() -> None:
    game = i.converted(treasury=300)
    h.phase(game, "3")
    h.on_card(game, "3", 3)
    h.own(game, "DUB", POOL, 10)
    h.brewing_turn(game, "DUB", "deliver")
    assert (game.state.round.step, h.names(game)) == ("deliver", {"buy_own_share", "pass"}), "it can deliver nothing"
    game.apply(BuyOwnShare("ann", "DUB", 10))
    assert (shares.held(game, "DUB", POOL), game.state.cash["DUB"]) == (0, 240)
    assert (game.prices.value("DUB"), game.state.round.step) == (55, "equipment")


# ---------------------------------------------------------------------- his railway, cards, the course


@pytest.mark.rule("DO-8.2.2-a", "DO-8.4.5-b")
def test_each_player_runs_one_of_his_companies_and_they_swap() -> None:
    game = i.later()
    h.operating(game, "CME")
    assert asked(game) == "bo"
    h.brewing_turn(game, "B4")
    assert asked(game) == "ann"
    for holder in ("ann", "bo"):
        h.brewing(game, 1, 2)
        Acted.of(game).acted = breweries.acting(game)
        game.state.round.actor = ""
        h.take_offer(game)
        game.settle()
        assert HeldCard.of(game).card == holder
        assert game.state.round.kind == "operating", "after the brewery round, not after that of the railways"


@pytest.mark.rule("DO-8.2.2.1-d")
def test_his_railway_never_sells_a_train() -> None:
    game = i.later()
    h.phase(game, "3")
    h.trains(game, "CME", "3")
    h.trains(game, "KWE", "3")
    h.operating(game, "KWE", "trains")
    assert h.refused(game, BuyTrain("bo", "KWE", "3", "CME", 50)).rule == "DO-8.2.2.1-d"


@pytest.mark.rule("DO-8.2.2.1-a", "DO-8.2.2-a")
def test_his_railway_runs_for_the_most_and_carries_beer_first() -> None:
    game = i.later(railway="BME")
    h.phase(game, "5")
    h.trains(game, "BME", "5")
    h.export_line(game)
    h.operating(game, "BME", "run")
    (route,) = game.best_routes("BME").routes
    short = mv.Run("bo", "BME", (mv.TrainPath("5", ("I10:a", "H11", "G10", "F11", "E12:a")),))
    assert route.value > game.router("BME").trace("5", short.routes[0].path).value
    assert h.refused(game, short).rule == "DO-8.2.2.1-a"
    h.loaded(game, "BME", ("5", 1))
    h.operating(game, "BME", "run")
    (route,) = game.best_routes("BME").routes
    assert route.train == "5+1"
    game.apply(mv.Run("bo", "BME", (mv.TrainPath("5+1", route.path),)))
    assert game.state.round.step != "run"


def fifth_set(phase: str) -> Game:
    """The fifth stock round has just ended."""
    game = i.later(5)
    h.phase(game, phase)
    h.on_card(game, phase, 3)
    i.sits(game, 5)
    h.second_stock(game, "ann", 5)
    for who in ("ann", "bo", INVESTOR):
        h.cash(game, who, 0)
    h.take_offer(game)
    while game.state.round.kind == "stock":
        game.apply(mv.Pass(asked(game)))
    return game


@pytest.mark.rule("DO-8.4.5-a")
def test_the_grey_phase_begins_with_the_fifth_set() -> None:
    game = fifth_set("5")
    beer = breweries.beer(game)
    assert (game.phase.colour, game.state.round.kind) == ("grey", "operating")
    assert 3 in beer.closed
    assert beer.export == 0
    assert game.state.depot.sold["8"] == 0
    h.trains(game, "BME", "4")
    h.trains(game, "KWE", "3")
    assert 6 in beer.closed
    h.cash(game, "BME", 5000)
    h.on_card(game, "6", 12)
    h.operating(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "6", BANK, 630))
    assert 6 not in breweries.beer(game).closed, "R-92: what the first 6 brings comes with it"
    assert game.company("KWE").trains == []
    assert game.company("BME").trains == ["4", "6"], "the 4 stays until the first 8"
    assert game.phase.colour == "grey"


@pytest.mark.rule("DO-8.4.5-a")
def test_segment_3_stays_closed_and_grey_stays_as_it_was() -> None:
    game = fifth_set("2")
    assert game.phase.colour == "grey"
    h.on_card(game, "3", 8)
    h.cash(game, "BME", 5000)
    h.operating(game, "BME", "trains")
    game.apply(BuyTrain("ann", "BME", "3", BANK, 180))
    assert 3 in breweries.beer(game).closed
    h.put(game, "H9", "1904", "SE", "NW")
    h.operating(game, "BME", "link")
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert not {"r3", "n3"} & h.fields(game).keys(), "the card of the link brings nobody there"
    assert not faults(game)
    game = fifth_set("8")
    assert game.phase.name == "8"
    for number in (4, 6):
        game = i.later(number)
        h.phase(game, "5")
        assert game.phase.colour == "brown"


@pytest.mark.rule("DO-8.5-a")
def test_the_game_ends_after_the_fifth_set() -> None:
    for number, over in ((4, False), (5, True)):
        game = i.later(number)
        card = HeldCard.of(game).card
        h.brewing(game, 3, 3)
        game.state.round.stock_number = number
        Acted.of(game).acted = breweries.acting(game)
        game.state.round.actor = ""
        h.take_offer(game)
        game.settle()
        assert game.finished is over
        assert game.state.round.stock_number == 5
        assert (HeldCard.of(game).card == card) is over, "R-149: no swap after the last brewery round"
    assert game.state.finished == "five_sets"
    assert {name for _, name, _ in game.standings()} == {"ann", "bo"}
    rounds = game.definition.tables.hsb.rounds[:5]
    assert (rounds, sum(rounds)) == ((2, 2, 2, 3, 3), 12)
