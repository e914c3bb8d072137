"""Corporations, directors, passive companies (ledger sections 5 and 6)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.remembered import Earned
from engine.state import ASIDE, BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.founding import FoundMontan
from titles.ruhr.locations import location
from titles.ruhr.remembered import LineMoney, Works


def held(game: Game, company: str) -> list[int]:
    return [shares.held(game, company, player) for player in game.state.seats]


def shared(*percents: int, company: str = "CME", pool: int = 0, player: str = "ann", value: int = 100) -> Game:
    """A company that has operated, with so much in the hands of ann (director), bo, cy, di and in the pool."""
    game = a.second_stock_round(max(4, len(percents)), player=player)
    if works.kind(game, company) == "railway":
        a.floated(game, company, "ann")
    else:
        a.montan(game, company, "ann", 5)
    a.price_at(game, company, value)
    for seat, percent in zip(game.state.seats, percents, strict=False):
        a.own(game, company, seat, percent)
    a.own(game, company, POOL, pool)
    a.stock(game, player)
    return game


@pytest.mark.rule("RUHR-5.1-a", "RUHR-14.2-c")
def test_the_director_certificate_comes_first_and_sets_the_value() -> None:
    game = a.second_stock_round()
    assert a.refused(game, mv.BuyShare("ann", "CME", OFFERING, 10)).rule == "RUHR-2.5-a"
    bank = game.state.cash[BANK]
    game.apply(mv.Found("ann", "CME", 60))
    assert (game.prices.value("CME"), game.company("CME").par) == (60, 60)
    assert game.state.cash["ann"] == 1000 - 120
    assert game.state.cash[BANK] == bank + 120
    assert a.refused(game, mv.Found("bo", "CME", 60)).rule == "RUHR-5.1-a"
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))


@pytest.mark.rule("RUHR-5.1-d")
def test_a_montan_corporation_is_floated_with_its_founding() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    at = a.passive(game, 11)
    a.montan_round(game)
    game.apply(FoundMontan("ann", at, "RB", 70))
    assert game.company("RB").floated
    assert "RB" in game.rules.rounds["operating"].order(game)  # type: ignore[attr-defined]
    assert shares.held(game, "RB", OFFERING) == 80


@pytest.mark.rule("RUHR-5.1-e", "RUHR-5.5-b")
def test_a_share_is_10_percent_of_a_railway_and_20_of_a_montan_corporation() -> None:
    game = a.second_stock_round()
    a.floated(game, "KWE", "bo")
    a.floated(game, "DGEE", "bo", 70)
    a.own(game, "DGEE", "bo", 20)
    assert a.offered(game, "buy_share", company="DGEE", source=OFFERING) == [20, 10]
    game.apply(mv.BuyShare("ann", "DGEE", OFFERING, 20))
    assert game.state.cash["ann"] == 1000 - 140
    a.montan(game, "RB", "bo", 5, par=70)
    a.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "RB", OFFERING, 20))
    assert game.state.cash["ann"] == 1000 - 140 - 70
    a.stock(game, "cy")
    game.apply(mv.BuyShare("cy", "DGEE", OFFERING, 10))  # a 10 after a 20, and the reverse
    game.apply(mv.BuyShare("di", "DGEE", OFFERING, 20))
    assert game.state.cash["cy"] == 1000 - 70


@pytest.mark.rule("RUHR-5.1-f", "RUHR-5.1-g")
def test_the_director_certificate_counts_two_shares_or_one() -> None:
    game = shared(20, 0)
    a.operating(game, "CME", "dividend")
    Earned.of(game).revenue = 100
    a.cash(game, "ann", 0)
    a.take_offer(game)
    game.apply(mv.Dividend("ann", "CME", "pay"))
    assert game.state.cash["ann"] == 20
    a.montan(game, "RB", "ann", 5)
    a.own(game, "RB", "bo", 20)
    a.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "RB", OFFERING, 20))
    assert game.company("RB").director == "bo"
    assert held(game, "RB")[:2] == [20, 40]


@pytest.mark.rule("RUHR-5.1-h")
def test_certificates_are_bought_from_the_bank_only() -> None:
    game = shared(50, 20)
    assert a.offered(game, "buy_share", company="CME") == [OFFERING]
    a.own(game, "CME", POOL, 10)
    assert a.offered(game, "buy_share", company="CME") == [OFFERING, POOL]
    assert a.refused(game, mv.BuyShare("ann", "CME", "bo", 10)).rule == "RUHR-5.1-h"


@pytest.mark.rule("RUHR-5.1-i", "RUHR-10.4-a")
@pytest.mark.parametrize(
    ("company", "at", "name"),
    [
        ("BME", "R9", "Wuppertal"),
        ("CME", "Q4", "Düsseldorf"),
        ("DGEE", "D13", "Lünen"),
        ("KWE", "B17", "Hamm"),
        ("PWB", "K8", "Steele"),
        ("RhE", "N1", "Krefeld"),
        ("EH", "J7", "Essen"),
    ],
)
def test_homes(company: str, at: str, name: str) -> None:
    game = a.second_stock_round()
    assert game.definition.map.hexes[at].name == name
    a.phase(game, "5")
    a.floated(game, company)
    game.company(company).active = False
    game.company(company).operated = False
    a.take_offer(game)
    assert game.board.stations_of(company) == []
    treasury = game.state.cash[company]
    a.operating(game, company)
    assert game.board.stations_of(company) == [(at, 0)]
    assert game.state.cash[company] == treasury


@pytest.mark.rule("RUHR-5.1-j", "RUHR-9.1.1-a")
def test_industries() -> None:
    game = a.second_stock_round()
    assert {n: works.industry(game, n) for n in ("RB", "SK", "TB", "US", "VH", "W")} == {
        "RB": "coal", "SK": "coal", "TB": "coal", "US": "steel", "VH": "steel", "W": "steel",
    }  # fmt: skip
    a.montan(game, "RB", "ann", 5, A=1)
    before = {one: dict(heap) for one, heap in Works.of(game).supply.items()}
    works.add(game, "RB", {"A": 2})
    assert Works.of(game).supply["coal"]["A"] == before["coal"]["A"] - 2
    assert Works.of(game).supply["steel"] == before["steel"]
    Works.of(game).supply["coal"]["A"] = 0
    assert not any("A" in text for text in works.selections(game, "RB", "2+2"))


@pytest.mark.rule("RUHR-5.2-a")
def test_only_the_director_decides() -> None:
    game = shared(20, 20, 20)
    a.operating(game, "CME")
    assert a.asked(game) == "ann"
    assert a.refused(game, mv.Pass("bo")).rule == "RUHR-7.3-a"


@pytest.mark.rule("RUHR-5.3-a")
@pytest.mark.parametrize(("percent", "director"), [(20, "ann"), (30, "bo")])
def test_more_shares_than_the_director_take_over_at_once(percent: int, director: str) -> None:
    game = shared(20, percent - 10, player="bo")
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))
    assert game.company("CME").director == director


@pytest.mark.rule("RUHR-5.3-a")
def test_a_merger_can_change_the_director() -> None:
    from titles.ruhr.founding import Merge

    game = a.second_stock_round()
    a.phase(game, "4")
    a.montan(game, "RB", "ann", 5)
    a.own(game, "RB", "bo", 20)
    a.mine(game, 10, "bo")
    a.montan_round(game, "bo", "ann", "cy", "di", merging=True)
    while a.asked(game) != "bo":
        game.apply(mv.Pass(a.asked(game)))
    game.apply(Merge("bo", "MC10", "RB"))
    assert game.company("RB").director == "bo"


@pytest.mark.rule("RUHR-5.3-b")
@pytest.mark.parametrize(("holders", "new"), [(("bo", "di"), "bo"), (("di", "cy"), "cy")])
def test_of_several_the_nearest_to_the_left(holders: tuple[str, str], new: str) -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.own(game, "CME", "ann", 40)
    for player in holders:
        a.own(game, "CME", player, 30)
    game.apply(mv.SellShares("ann", "CME", 20))
    assert game.company("CME").director == new


@pytest.mark.rule("RUHR-5.3-c")
def test_the_office_needs_a_successor_with_enough_shares() -> None:
    game = shared(40, 10, 10, 10)
    assert a.refused(game, mv.SellShares("ann", "CME", 40)).rule == "RUHR-5.3-c"
    assert a.offered(game, "sell_shares", company="CME") == [10, 20]
    game = shared(40, 20, company="RB")  # one share of five is enough
    game.apply(mv.SellShares("ann", "RB", 40))
    assert game.company("RB").director == "bo"


@pytest.mark.rule("RUHR-5.3-d", "RUHR-14.4-a")
def test_the_pool_needs_room() -> None:
    game = shared(40, 20, pool=40)
    assert a.refused(game, mv.SellShares("ann", "CME", 30)).rule == "RUHR-14.4-a"
    game.apply(mv.SellShares("ann", "CME", 10))
    assert game.company("CME").director == "ann"


@pytest.mark.rule("RUHR-5.3-e")
def test_with_equal_shares_the_director_stays() -> None:
    game = shared(40, 20)
    game.apply(mv.SellShares("ann", "CME", 20))
    assert game.company("CME").director == "ann"
    assert game.company("CME").certificates[0] == "ann"


@pytest.mark.rule("RUHR-5.3-f", "RUHR-5.3-g")
def test_certificates_are_exchanged_and_the_charter_goes_along() -> None:
    game = shared(20, 20, player="bo")
    a.trains(game, "CME", "2+2")
    cash = dict(game.state.cash)
    tokens = list(game.company("CME").tokens_left)
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))
    company = game.company("CME")
    assert [shares.percent_of(game, "CME", n) for n in shares.numbers(game, "CME", "ann")] == [10, 10]
    assert company.certificates[0] == "bo"
    assert (company.trains, company.tokens_left) == (["2+2"], tokens)
    assert {who for who in cash if cash[who] != game.state.cash[who]} == {"bo", "CME"}  # the purchase alone
    a.operating(game, "CME")
    assert a.asked(game) == "bo"


@pytest.mark.rule("RUHR-5.3-f")
def test_dgees_new_director_hands_over_a_20_or_tens() -> None:
    game = a.second_stock_round(player="bo")
    a.floated(game, "KWE")
    a.floated(game, "DGEE", "ann")
    a.own(game, "DGEE", "ann", 20)
    game.company("DGEE").certificates[1] = "bo"
    a.take_offer(game)
    game.apply(mv.BuyShare("bo", "DGEE", OFFERING, 10))
    assert game.company("DGEE").director == "bo"
    assert shares.numbers(game, "DGEE", "ann") == [1]


@pytest.mark.rule("RUHR-5.3-x1", "RUHR-14.5-b")
def test_example_1_the_director_sells_four_of_five() -> None:
    game = shared(50, 20, 20, pool=10)
    assert a.refused(game, mv.SellShares("ann", "CME", 50)).rule == "RUHR-14.4-a"
    game.apply(mv.SellShares("ann", "CME", 40))
    assert held(game, "CME")[:3] == [10, 20, 20]
    assert game.company("CME").director == "bo"
    assert shares.held(game, "CME", POOL) == 50
    assert game.prices.value("CME") == 90


@pytest.mark.rule("RUHR-5.3-x2")
def test_example_2_the_pool_keeps_a_montan_director() -> None:
    game = shared(40, 0, 20, company="RB", pool=20)
    assert a.refused(game, mv.SellShares("ann", "RB", 40)).rule == "RUHR-14.4-a"
    assert a.offered(game, "sell_shares", company="RB") == [20]


@pytest.mark.rule("RUHR-5.4-a", "RUHR-13.3.1-b")
def test_bme_always_floats_at_the_end_of_the_first_round() -> None:
    game = a.after_package(3)
    a.private(game, "PBME", "ann")
    a.founded(game, "BME", "ann", 60)
    for number in (1, 2, 3):
        game.company("BME").certificates[number] = POOL
    a.take_offer(game)
    for player in ("ann", "bo", "cy"):
        game.apply(mv.Pass(player))
    assert game.company("BME").floated
    assert game.state.round.actor == "BME"
    assert game.state.cash["BME"] == 120


@pytest.mark.rule("RUHR-13.3.1-b")
def test_bme_gets_money_only_for_what_left_the_offer() -> None:
    game = a.after_package(3)
    a.private(game, "PBME", "ann")
    a.founded(game, "BME", "ann", 70)
    for number in (1, 2, 3):
        game.company("BME").certificates[number] = POOL
    a.take_offer(game)
    a.walk(game, mv.BuyShare("ann", "BME", OFFERING, 10), mv.BuyShare("bo", "BME", POOL, 10))
    for player in ("cy", "ann", "bo"):
        game.apply(mv.Pass(player))
    assert game.state.cash["BME"] == 210


#: Track from Barmen to Hagen, the last tile on Hagen itself.
LINE = (("R11", "58", 2), ("Q12", "4", 1), ("P13", "719", 1))


def lay_line(game: Game) -> None:
    for at, tile, rotation in LINE:
        a.lay(game, at, tile, rotation)
    assert ("P13", 0) in game.tracks([("Q10", 0)]).stops


@pytest.mark.rule("RUHR-5.4-b")
def test_the_money_aside_comes_when_barmen_and_hagen_are_joined() -> None:
    game = a.second_stock_round()
    a.floated(game, "BME", "ann", treasury=0)
    a.floated(game, "CME", "bo")
    a.give(game, ASIDE, 180)
    LineMoney.of(game).aside = 180
    for at, tile, rotation in LINE[:2]:
        a.lay(game, at, tile, rotation)
    game.notify(ev.TileLaid("BME", *LINE[1], "", 0, ""))
    assert game.state.cash["BME"] == 0, "not before Hagen is joined"
    # Another railway lays the last tile, from a station of its own at Letmathe's neighbour.
    game.board.state.stations["M16"][0][0] = "CME"
    a.lay(game, "N15", "9", 1)
    a.lay(game, "O14", "4", 1)
    a.operating(game, "CME")
    game.apply(mv.LayTile("bo", "CME", *LINE[2]))
    assert game.state.cash["BME"] == 180
    assert game.state.cash[ASIDE] == 0
    game.notify(ev.TileLaid("CME", *LINE[2], "", 0, ""))
    assert game.state.cash["BME"] == 180, "once"


@pytest.mark.rule("RUHR-5.4-b")
def test_the_money_waits_for_the_float() -> None:
    game = a.after_package(3)
    a.private(game, "PBME", "ann")
    a.founded(game, "BME", "ann", 60)
    for number in (1, 2, 3):
        game.company("BME").certificates[number] = POOL
    a.give(game, ASIDE, 180)
    LineMoney.of(game).aside = 180
    lay_line(game)
    game.notify(ev.TileLaid("CME", *LINE[2], "", 0, ""))
    for player in ("ann", "bo", "cy"):
        assert game.state.cash["BME"] == 0
        game.apply(mv.Pass(player))
    assert game.state.cash["BME"] == 120 + 180


@pytest.mark.rule("RUHR-5.5-a")
def test_dgee_floats_with_its_20s() -> None:
    game = a.after_package(3)
    a.floated(game, "KWE", "bo")
    a.founded(game, "DGEE", "ann", 70)
    game.company("DGEE").certificates[1] = "ann"
    game.company("DGEE").certificates[3] = "ann"
    a.begin_stock(game, "ann")
    assert shares.held(game, "DGEE", "ann") == 50
    for player in ("ann", "bo", "cy"):
        game.apply(mv.Pass(player))
    assert game.company("DGEE").floated


@pytest.mark.rule("RUHR-5.6-a", "RUHR-11-5-b")
def test_eh_waits_for_the_first_5() -> None:
    game = a.second_stock_round()
    a.floated(game, "EH", "ann", 100)
    a.floated(game, "CME", "bo", 70)
    order = game.rules.rounds["operating"].order  # type: ignore[attr-defined]
    a.phase(game, "4")
    assert order(game) == ["CME"]
    a.operating(game, "CME", "trains")
    a.cards_left(game, t5=4)
    game.apply(mv.BuyTrain("bo", "CME", "5+5", BANK, 500))
    while game.state.round.actor == "CME":
        game.apply(mv.Pass("bo"))
    assert (game.state.round.kind, game.state.round.actor) == ("operating", "EH")
    assert game.prices.value("EH") == 100


@pytest.mark.rule("RUHR-5.6-b")
def test_ehs_certificates_are_bought_earlier() -> None:
    game = a.second_stock_round()
    a.phase(game, "3")
    game.apply(mv.Found("ann", "EH", 70))
    a.floated(game, "EH", "ann", operated=False)
    a.stock(game, "ann")
    assert a.refused(game, mv.SellShares("ann", "EH", 10)).rule == "RUHR-14.4-a"


@pytest.mark.rule("RUHR-6-a", "RUHR-12.1-c")
def test_passive_companies_only_wait() -> None:
    game = a.second_stock_round()
    at = a.passive(game, 11, linked=False)
    a.passive(game, 14)
    assert "MC11" not in game.rules.rounds["operating"].order(game)  # type: ignore[attr-defined]
    assert "MC11" not in Works.of(game).charters
    a.phase(game, "4")
    a.montan_round(game)
    assert a.refused(game, FoundMontan("ann", at, "RB", 70)).rule == "RUHR-12.1-c"
    location(game, at).linked = True
    a.montan_round(game)
    game.apply(FoundMontan("ann", at, "RB", 70))


@pytest.mark.rule("RUHR-5.3-f", "RUHR-5.3-a")
def test_a_20_is_handed_over_before_tens_and_nobody_is_asked() -> None:
    game = a.second_stock_round(player="bo")
    a.floated(game, "DGEE", "ann")
    a.own(game, "DGEE", "ann", 20)
    for number in (1, 3):
        game.company("DGEE").certificates[number] = "bo"
    a.take_offer(game)
    game.apply(mv.BuyShare("bo", "DGEE", OFFERING, 10))  # 40 against 20, with a 20 and two tens
    assert game.company("DGEE").director == "bo"
    assert shares.numbers(game, "DGEE", "ann") == [1]


@pytest.mark.rule("RUHR-5.3-f")
def test_what_a_20_does_not_make_up_is_not_sold() -> None:
    """Whoever follows has a 20 and hands it over, not their tens: of two twenties no 10 % can be sold."""
    game = a.second_stock_round()
    a.floated(game, "DGEE", "ann")
    a.own(game, "DGEE", "ann", 20)
    for number, player in {1: "ann", 2: "bo", 3: "bo", 4: "bo"}.items():
        game.company("DGEE").certificates[number] = player
    a.take_offer(game)
    assert a.offered(game, "sell_shares", company="DGEE") == [20, 40]
    assert a.refused(game, mv.SellShares("ann", "DGEE", 10)).rule == "RUHR-5.3-c"
    game.apply(mv.SellShares("ann", "DGEE", 20))
    assert game.company("DGEE").director == "bo"
    assert (shares.numbers(game, "DGEE", "ann"), shares.held(game, "DGEE", POOL)) == ([1], 20)
