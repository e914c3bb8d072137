"""The draft of January 2020, Heat, Sweat & Beer: preparation, companies and stock rounds, beside the final rules."""

from __future__ import annotations

import random

import pytest

from engine.board.faces import OFFBOARD
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.house.invariants import faults
from engine.house.players import HOUSES
from engine.moves import BuyShare, Found, Pass, SellOwnShares, SellShares
from engine.state import OFFERING, POOL
from tests.titles.do.hsb_arrange import (
    SEATS,
    after_package,
    brewing,
    corporation,
    demand,
    equip,
    names,
    new,
    offered,
    on_card,
    own,
    phase,
    railway,
    refused,
    rules,
    second_stock,
    take_offer,
)
from titles.do.board import links
from titles.do.board.links import LinkTokens
from titles.do.board.remembered import Failed
from titles.do.brewery import breweries, capex
from titles.do.brewery.breweries import BREWERY, OrderTokens
from titles.do.brewery.editions import SeatNumbers
from titles.do.brewery.trading import OrderPlace, PlaceTaken, TradeIn
from titles.do.draft2020 import data

DRAFT = "draft-hsb"


def draft(players: int = 3, minors: tuple[str, ...] = ("B4", "B8", "B2", "B5", "B7")) -> Game:
    return after_package(players, minors, DRAFT)


# ---------------------------------------------------------------------- preparation


@pytest.mark.rule("DOD-2.1-a")
def test_dortmund_city_is_covered_from_the_start() -> None:
    for players in (3, 4, 5):
        spot = rules(players, form=DRAFT).definition.map.hexes["E12"]
        assert (spot.face.stops[0].slots, spot.face.stops[0].value("yellow")) == (0, 70)


@pytest.mark.rule("DOD-3.1-a")
@pytest.mark.rule("DOD-5.6.1.1-a")
def test_homes_of_the_draft() -> None:
    homes = {
        name: [home.at for home in charter.homes]
        for name, charter in rules(5, form=DRAFT).definition.corporations.items()
        if charter.kind == "railway"
    }
    assert homes == {
        "BME": ["I10"],
        "CME": ["A2", "B1"],
        "RhE": ["H1", "I2"],
        "KWE": ["E20"],
        "DGEE": ["A20"],
        "DHB": ["C8"],
        "HHW": ["H19"],
    }
    final = rules(5).definition.corporations
    assert [final[name].homes[0].at for name in ("KWE", "DGEE")] == ["C20", "A18"]


@pytest.mark.rule("DOD-5.6.1.1-a")
def test_dgee_starts_from_a_red_field_over_b19() -> None:
    game = draft()
    spots = game.definition.map.hexes
    assert "A18" not in spots
    assert spots["A20"].face.stops[0].kind == OFFBOARD
    railway(game, "DGEE")
    railway_first = game.rules.rounds["operating"]
    railway_first.begin(game, 1, 2)  # type: ignore[attr-defined]
    railway_first.begin_turn(game, "DGEE")  # type: ignore[attr-defined]
    game.state.round.step = "track"
    take_offer(game)
    assert offered(game, "lay_tile") == ["B19"]


@pytest.mark.rule("DOD-3.2.1-a")
def test_names_of_the_draft() -> None:
    charters = rules(5, form=DRAFT).definition.corporations
    assert charters["B3"].name == "Brauerei von Hövel, Thier & Co"
    assert charters["B7"].name == "Bierbrauerei Herberz & Co."
    assert charters["DGEE"].name.endswith("(DEEG)")
    final = rules(5).definition.corporations
    changed = {name for name, charter in charters.items() if charter.name != final[name].name}
    assert changed == {row.id for row in data.tables().charter}, "each of them is known"


@pytest.mark.rule("DOD-5.1.1-a")
@pytest.mark.parametrize(("players", "places"), [(3, 1), (4, 1), (5, 2)])
def test_the_home_of_the_hansabahn_with_five_only(players: int, places: int) -> None:
    found = rules(players, form=DRAFT).definition
    assert found.map.hexes["H19"].face.stops[0].slots == places
    assert ("HHW" in found.corporations) == (players == 5)


@pytest.mark.rule("DOD-5.1.2-a")
@pytest.mark.parametrize(("players", "cards"), [(3, 52), (4, 67), (5, 79)])
def test_cards_by_players(players: int, cards: int) -> None:
    assert sum(train.count for train in rules(players, form=DRAFT).definition.trains) == cards


@pytest.mark.rule("DOD-5.1.5-a")
def test_the_order_of_the_starting_round_is_drawn() -> None:
    seen = {tuple(Game(rules(3, form=DRAFT), SEATS[:3], seed).state.seats) for seed in range(60)}
    assert len(seen) == 6
    assert SeatNumbers.seen(new(form=DRAFT)) is None, "no private breweries are dealt"
    assert SeatNumbers.seen(new()) is not None


@pytest.mark.rule("DOD-4-a")
def test_limits_of_the_phases() -> None:
    game = draft()
    corporation(game, "DUB")
    found = []
    for name in ("2", "3", "4", "5", "6", "8"):
        phase(game, name)
        found.append((game.phase.train_limit, breweries.limit(game, "B4"), breweries.limit(game, "DUB")))
    assert [trains for trains, _, _ in found] == [4, 4, 3, 2, 2, 2]
    assert [minor for _, minor, _ in found] == [3, 3, 2, 1, 1, 1]
    assert [large for _, _, large in found[1:]] == [4, 3, 2, 2, 2]


@pytest.mark.rule("DO-6.5.2.2-c", "DO-6.5.2.2-b", "DOD-5.5.5-a")
def test_a_corporation_without_an_order_token_loses_equipment_too() -> None:
    """Traded in for a share before it has floated: its equipment is there, its token is not."""
    game = draft()
    phase(game, "3")
    second_stock(game, "bo")
    game.apply(Found("bo", "DUB", 60))
    second_stock(game)
    equip(game, "B4", "3", "2", "2")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert "DUB" not in OrderTokens.of(game).order
    assert breweries.equipment(game, "DUB") == ["3", "2", "2"]
    equip(game, "B8", "3")
    demand(game, r3=3, closed=(1, 2))
    brewing(game)
    assert breweries.equipment(game, "DUB") == ["3"], "nobody wants the beer of segment 2 any more"
    equip(game, "DUB", "4", "4", "4", "3")
    on_card(game, "4", game.definition.train("4").count)
    capex.use(game, "4")
    assert [pause.data["company"] for pause in game.state.pauses] == ["DUB"], "one more than the limit of 3"


@pytest.mark.rule("DOD-2.3-a")
def test_phases_open_and_close_segments() -> None:
    game = draft()
    beer = breweries.beer(game)
    seen = []
    for card in ("3", "4", "5", "6"):
        on_card(game, card, game.definition.train(card).count)
        capex.use(game, card)
        seen.append(list(beer.closed))
    assert seen == [[4, 5, 6], [1, 5, 6], [1, 2, 6], [1, 2]]
    assert beer.demand["regular"][:2] == beer.demand["new"][:2] == [0, 0], (
        "the cubes of closed segments go to the stock"
    )
    assert beer.stock == 8 + 12
    on_card(game, "8", 12)
    capex.use(game, "8")
    assert beer.closed == [1, 2, 3]


@pytest.mark.rule("DOD-4-c")
@pytest.mark.parametrize(("players", "cubes"), [(3, 6), (4, 6), (5, 8)])
def test_export_cubes_come_with_the_first_8(players: int, cubes: int) -> None:
    game = draft(players)
    phase(game, "5")
    beer = breweries.beer(game)
    on_card(game, "6", game.definition.train("6").count)
    capex.use(game, "6")
    assert beer.export == cubes
    before = beer.stock
    on_card(game, "8", 12)
    capex.use(game, "8")
    assert (beer.export, beer.stock) == (0, before + cubes)


@pytest.mark.rule("DOD-4-d")
def test_type_8_comes_after_the_second_type_6() -> None:
    game = draft()
    phase(game, "6")
    on_card(game, "6", 11)
    railway(game, "BME", treasury=100)
    LinkTokens.of(game).values = {}
    assert on_sale(game) == ["6"]
    capex.LinkedCards(lambda beer, field: None).linked(game, links.LinkMade("BME", "H9", "coal", 10, 30))
    assert game.state.depot.left["6"] == 10
    assert on_sale(game) == ["6", "8"]


@pytest.mark.rule("DOD-7-a")
def test_nothing_is_agreed_by_a_move_and_money_is_open() -> None:
    game = draft()
    railway(game, "BME", treasury=400)
    second_stock(game, "ann")
    assert names(game) <= {"sell_shares", "found", "buy_share", "trade_up", "trade_in", "pass"}
    assert not game.state.secrets
    assert (game.state.cash["bo"], game.state.cash["BME"]) == (1000, 400)


# ---------------------------------------------------------------------- founding and buying


@pytest.mark.rule("DOD-3.1-b")
def test_dgee_opens_when_four_railways_have_floated() -> None:
    game = draft()
    for company in ("BME", "CME", "RhE"):
        railway(game, company)
    corporation(game, "KWE", held=40)
    game.company("KWE").floated = False
    second_stock(game, "ann")
    refusal = refused(game, Found("ann", "DGEE", 60))
    assert (refusal.rule, refusal.key) == ("DOD-3.1-b", "stock.opens.floated")
    assert "DGEE" not in offered(game, "found")
    game.company("KWE").floated = True
    second_stock(game, "ann")
    assert "DGEE" in offered(game, "found")
    game.company("KWE").floated = False
    Failed.of(game).failed["KWE"] = 1
    second_stock(game, "ann")
    assert "DGEE" in offered(game, "found"), "it has floated once"


@pytest.mark.rule("DOD-3.1-b")
def test_in_the_final_rules_dgee_opens_with_kwe() -> None:
    game = after_package()
    corporation(game, "KWE", held=20)
    game.company("KWE").floated = False
    second_stock(game, "ann")
    assert "DGEE" in offered(game, "found")


@pytest.mark.rule("DOD-3.1-b")
def test_the_others_still_wait_for_dgee() -> None:
    game = draft(5)
    for company in ("BME", "CME", "RhE", "KWE"):
        railway(game, company)
    second_stock(game, "cy")
    assert not {"DHB", "HHW"} & set(offered(game, "found"))
    corporation(game, "DGEE", held=30)
    second_stock(game, "cy")
    assert {"DHB", "HHW"} <= set(offered(game, "found"))


@pytest.mark.rule("DOD-5.5.3-a")
@pytest.mark.parametrize(("players", "certificates", "share"), [(3, 26, 70), (4, 19, 60), (5, 18, 60)])
def test_limits_of_certificates_and_shares(players: int, certificates: int, share: int) -> None:
    game = draft(players)
    railway(game, "BME", held=share)
    second_stock(game, "ann")
    assert refused(game, BuyShare("ann", "BME", "BME", 10)).rule == "DOD-5.5.3-a"
    railway(game, "CME", "bo", held=20)
    own(game, "CME", "ann", 20)
    game.company("CME").director = "bo"
    held = shares.certificates(game, "ann")
    for company in ("RhE", "KWE", "DGEE"):
        for number in range(1, len(game.company(company).certificates)):
            if held < certificates:
                game.company(company).certificates[number] = "ann"
                held += 1
    second_stock(game, "ann")
    refusal = refused(game, BuyShare("ann", "CME", "CME", 10))
    assert (refusal.rule, refusal.key) == ("DOD-5.5.3-a", "stock.limit")
    game.company("B4").certificates = ["removed"]
    game.company("B4").director = ""
    second_stock(game, "ann")
    game.apply(BuyShare("ann", "CME", "CME", 10))


# ---------------------------------------------------------------------- trading in


@pytest.mark.rule("DOD-5.5-a")
def test_a_trade_in_is_an_action_of_its_own() -> None:
    game = draft()
    second_stock(game, "ann")
    assert "trade_in" not in names(game), "not before green"
    phase(game, "3")
    corporation(game, "DUB", "bo", held=50)
    railway(game, "BME", "bo", held=50)
    second_stock(game, "ann")
    assert {"trade_in", "buy_share", "found", "pass"} <= names(game)
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    game.apply(OrderPlace("bo", "DUB", "leave"))
    assert refused(game, BuyShare("ann", "BME", "BME", 10)).key == "turn.player"
    assert game.state.round.actor == "bo"
    assert shares.held(game, "DUB", "ann") == 10


@pytest.mark.rule("DOD-5.5-b")
def test_the_start_card_goes_to_the_left_of_whoever_acted_last() -> None:
    game = draft()
    phase(game, "3")
    corporation(game, "DUB", "bo", held=50)
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    game.apply(OrderPlace("bo", "DUB", "leave"))
    for player in ("bo", "cy", "ann"):
        game.apply(Pass(player))
    assert game.state.priority == "bo"


@pytest.mark.rule("DOD-5.5.4-a")
def test_every_small_brewery_founds_for_one_share() -> None:
    game = draft(3, ("B6", "B8", "B2"))
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B6", "RIT", OFFERING, 30, 60))
    assert game.state.cash["ann"] == 1000 - 120


@pytest.mark.rule("DOD-5.5.4-a")
@pytest.mark.parametrize(("form", "floated"), [(DRAFT, False), ("hsb", True)])
def test_a_corporation_founded_for_a_small_brewery_waits_for_buyers(form: str, floated: bool) -> None:
    game = after_package(form=form)
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", OFFERING, 30, 65))
    if game.state.pauses:
        game.apply(OrderPlace("ann", "DUB", "leave"))
    for player in ("bo", "cy", "ann"):
        game.apply(Pass(player))
    assert game.company("DUB").floated == floated
    assert shares.held(game, "DUB", POOL) == (20 if floated else 0)
    assert game.prices.value("DUB") == (55 if floated else 65)
    assert faults(game) == []


@pytest.mark.rule("DOD-5.5.5-a")
def test_founded_for_a_small_brewery_it_takes_its_place_without_a_choice() -> None:
    game = draft()
    phase(game, "3")
    second_stock(game, "bo")
    events = game.apply(TradeIn("bo", "B8", "DUB", OFFERING, 30, 60))
    assert not game.state.pauses
    assert PlaceTaken("DUB") in events
    assert OrderTokens.of(game).order == ["DUB", "B4", "B2"]
    assert breweries.acting(game) == ["B4", "B2"], "it is passed over until it floats"
    own(game, "DUB", "bo", 20)
    game.rules.floating[BREWERY].sold(game, "DUB")
    assert breweries.acting(game) == ["DUB", "B4", "B2"]


@pytest.mark.rule("DOD-5.5.5-a")
@pytest.mark.parametrize(("form", "order"), [(DRAFT, ["RIT", "DUB"]), ("hsb", ["DUB", "RIT"])])
def test_an_order_token_comes_when_its_corporation_floats(form: str, order: list[str]) -> None:
    game = after_package(form=form)
    phase(game, "3")
    second_stock(game, "ann")
    game.apply(Found("ann", "DUB", 60))
    game.apply(Found("bo", "RIT", 60))
    assert ("DUB" in OrderTokens.of(game).order) == (form != DRAFT)
    for company, holder in (("RIT", "bo"), ("DUB", "ann")):
        own(game, company, holder, 20)
        game.rules.floating[BREWERY].sold(game, company)
    assert OrderTokens.of(game).order == ["B8", "B4", "B2", *order]
    assert faults(game) == []


@pytest.mark.rule("DOD-5.5.5-a")
@pytest.mark.parametrize(("place", "order"), [("take", ["B8", "DUB", "B2"]), ("leave", ["B8", "B2"])])
def test_a_later_trade_in_lets_the_director_choose(place: str, order: list[str]) -> None:
    game = draft()
    phase(game, "3")
    second_stock(game, "bo")
    game.apply(Found("bo", "DUB", 60))
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    assert game.offer().deciders == ("bo",)
    game.apply(OrderPlace("bo", "DUB", place))
    assert OrderTokens.of(game).order == order
    assert breweries.equipment(game, "DUB") == ["2", "1"], "with equipment before it has a token"
    assert faults(game) == []
    own(game, "DUB", "bo", 10)
    game.rules.floating[BREWERY].sold(game, "DUB")
    assert OrderTokens.of(game).order == (order if place == "take" else [*order, "DUB"])


def test_equipment_without_an_order_token_keeps_the_limits_too() -> None:
    game = draft()
    phase(game, "3")
    second_stock(game, "bo")
    game.apply(Found("bo", "DUB", 60))
    second_stock(game, "ann")
    game.apply(TradeIn("ann", "B4", "DUB", "DUB", 10))
    game.apply(OrderPlace("bo", "DUB", "leave"))
    for name in ("B8", "B2"):
        equip(game, name, "2")
    equip(game, "DUB", "3", "3", "3", "2")
    on_card(game, "4", 1)
    capex.use(game, "4")
    assert [pause.data["company"] for pause in game.state.pauses] == ["DUB"]


# ---------------------------------------------------------------------- floating and selling


@pytest.mark.rule("DOD-5.5.5-b")
def test_a_late_floating_sells_without_a_change_of_the_price() -> None:
    game = draft()
    phase(game, "5")
    second_stock(game, "ann")
    game.apply(Found("ann", "BME", 90))
    own(game, "BME", "ann", 30)
    before = game.state.cash["BME"]
    game.rules.floating["railway"].sold(game, "BME")
    assert refused(game, SellOwnShares("ann", "BME", 30)).rule == "DOD-5.5.5-b"
    game.apply(SellOwnShares("ann", "BME", 20))
    assert (game.state.cash["BME"], game.prices.value("BME")) == (before + 180, 90)
    assert shares.held(game, "BME", POOL) == 20


def in_part(form: str, *, pool: int = 10, holder: str = "ann") -> Game:
    """ann holds the Union's ordinary 20 %; so much of it lies in the pool; bo directs it."""
    game = after_package(form=form)
    corporation(game, "DUB", "bo", held=30, price=80)
    certificates = game.company("DUB").certificates
    certificates[game.definition.corporations["DUB"].shares.index(20)] = holder
    if pool:
        certificates[1] = POOL
    second_stock(game, holder)
    return game


@pytest.mark.rule("DOD-5.5.6-a")
def test_a_certificate_of_two_shares_is_sold_in_part() -> None:
    game = in_part(DRAFT)
    game.apply(SellShares("ann", "DUB", 10))
    assert (game.state.cash["ann"], game.prices.value("DUB")) == (1080, 80)
    assert [shares.percent_of(game, "DUB", n) for n in shares.numbers(game, "DUB", "ann")] == [10]
    assert [shares.percent_of(game, "DUB", n) for n in shares.numbers(game, "DUB", POOL)] == [20]
    assert faults(game) == []


@pytest.mark.rule("DOD-5.5.6-a")
@pytest.mark.parametrize(("form", "pool", "rule"), [(DRAFT, 0, "DOD-5.5.6-a"), ("hsb", 10, "DO-4.4.5-b")])
def test_without_change_in_the_pool_or_in_the_final_rules_it_is_not(form: str, pool: int, rule: str) -> None:
    game = in_part(form, pool=pool)
    refusal = refused(game, SellShares("ann", "DUB", 10))
    assert (refusal.rule, refusal.key) == (rule, "stock.certificate")
    game.apply(SellShares("ann", "DUB", 20))


@pytest.mark.parametrize(("form", "sells"), [(DRAFT, True), ("hsb", False)])
def test_the_house_sells_a_certificate_in_part_now_and_then(form: str, sells: bool) -> None:
    game = in_part(form)
    house = HOUSES["greedy"]()
    chosen = {house.choose(game, "ann", random.Random(seed)) for seed in range(20)}
    assert (SellShares("ann", "DUB", 10) in chosen) == sells
    assert any(not isinstance(move, SellShares) for move in chosen)


@pytest.mark.rule("DOD-5.5.6-a")
def test_a_director_sells_in_part_and_the_price_falls_for_what_is_sold() -> None:
    game = in_part(DRAFT, holder="bo")
    game.apply(SellShares("bo", "DUB", 10))
    assert (game.state.cash["bo"], game.prices.value("DUB")) == (1080, 75)
    assert shares.held(game, "DUB", "bo") == 40
    assert game.company("DUB").director == "bo"


@pytest.mark.rule("DOD-5.5.6-a")
def test_a_director_may_lose_the_post_by_a_sale_in_part() -> None:
    game = after_package(form=DRAFT)
    corporation(game, "DAB", "ann", held=20, price=80)
    game.company("DAB").certificates = ["ann", "bo", "DAB", "cy", "DAB", POOL, "DAB"]
    second_stock(game, "ann")
    game.apply(SellShares("ann", "DAB", 10))
    assert game.company("DAB").director == "bo"
    assert game.company("DAB").certificates == ["bo", POOL, "DAB", "cy", "DAB", "ann", "DAB"]
    assert (game.state.cash["ann"], game.prices.value("DAB")) == (1080, 75)
    assert faults(game) == []


@pytest.mark.rule("DOD-5.5.6-b")
@pytest.mark.parametrize(("seller", "price"), [("ann", 70), ("bo", 80)])
def test_only_the_directors_sale_lowers_the_price(seller: str, price: int) -> None:
    game = draft()
    railway(game, "BME", "ann", held=50, price=80)
    own(game, "BME", "bo", 20)
    second_stock(game, seller)
    game.apply(SellShares(seller, "BME", 20))
    assert (game.state.cash[seller], game.prices.value("BME")) == (1160, price)
