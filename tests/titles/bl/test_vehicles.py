"""Vehicles: purchase, availability, duty, forced purchase, bankruptcy (ledger section 8.8)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.finance.closing import close_company
from engine.game import Game
from engine.remembered import Earned
from engine.state import BANK, CLOSED, OFFERING, POOL
from engine.steps.trains import on_sale
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens


def shop(*owned: str, phase: str = "2", treasury: int = 3000, players: int = 3) -> Game:
    """RhE of ann at the last step of its turn."""
    game = a.after_package(players)
    a.floated(game, "RhE", "ann", treasury=treasury)
    if phase != "2":
        a.phase(game, phase)
    a.vehicles(game, "RhE", *owned)
    a.operating(game, "RhE", "trains")
    return game


PRINTED = {t.name: t.price for t in a.new().definition.trains}


def buy(train: str, source: str = BANK, price: int | None = None) -> mv.BuyTrain:
    return mv.BuyTrain("ann", "RhE", train, source, PRINTED[train] if price is None else price)


@pytest.mark.rule("BL-8.8.1-a", "BL-8.8.1-b")
def test_prices() -> None:
    trains = {train.name: train.price for train in a.new().definition.trains}
    assert trains == {
        "2": 100,
        "3": 200,
        "4": 300,
        "5": 450,
        "6": 600,
        "3+3": 750,
        "SB3": 160,
        "SB4": 240,
        "SB5": 340,
        "SB6": 440,
        "BW-A": 60,
        "BW-B": 90,
    }


@pytest.mark.rule("BL-8.8.1-c", "BL-9-a", "BL-9-f", "BL-9-k")
def test_the_limit_by_phase() -> None:
    assert [phase.train_limit for phase in a.new().definition.phases] == [4, 4, 3, 3, 2, 2]
    game = shop("2", "2", "2", "2")
    assert a.refused(game, buy("2")).rule == "BL-8.8.1-c"
    game = shop("5", "SB5", phase="6")
    assert a.refused(game, buy("5")).rule == "BL-8.8.1-c"


@pytest.mark.rule("BL-8.8.1-d")
def test_trailers_have_a_limit_of_their_own() -> None:
    game = shop("5", "5", "SB5", phase="5")
    assert a.refused(game, buy("SB5")).rule == "BL-8.8.1-c"
    game.apply(buy("BW-B"))
    assert game.company("RhE").trains == ["5", "5", "SB5", "BW-B"]
    assert a.refused(shop("SB5", "BW-B", phase="5"), buy("BW-B")).rule == "BL-8.8.1-d"


@pytest.mark.rule("BL-8.8.1-e")
def test_a_new_vehicle_runs_from_the_next_operating_round_on() -> None:
    game = shop()
    a.lay(game, "C1", "9")
    a.operating(game, "RhE", "trains")
    game.apply(buy("2"))
    assert "run" not in a.names(game)
    assert a.refused(game, mv.Run("ann", "RhE", ())).rule == "BL-8.2-a"


@pytest.mark.rule("BL-8.8.1-f", "BL-8.8.1-g", "BL-8.8.1-o", "BL-9-c")
def test_sources_and_trade_between_corporations() -> None:
    game = shop("2", phase="3")
    a.floated(game, "BME", "bo")
    a.vehicles(game, "BME", "3", "SB3", "BW-A")
    game.state.depot.pool.append("2")
    a.operating(game, "RhE", "trains")
    bank = game.state.cash[BANK]
    game.copy().apply(buy("2", POOL))
    assert a.refused(game, buy("2", POOL, 90)).rule == "BL-8.8.1-f"
    assert a.refused(game, buy("BW-A", "BME", 50)).rule == "BL-8.8.1-o"
    assert a.refused(game, buy("3", "BME", 0)).rule == "BL-8.8.1-g"
    game.apply(buy("3", "BME", 1))
    assert a.asked(game) == "bo"
    game.apply(mv.Answer("bo", "accept"))
    assert game.company("RhE").trains == ["2", "3"]
    assert game.company("BME").trains == ["SB3", "BW-A"]
    assert game.state.cash[BANK] == bank
    game.apply(buy("SB3", "BME", 30))
    game.apply(mv.Answer("bo", "accept"))
    assert game.company("BME").trains == ["BW-A"]  # it stays (BL-8.8.1-p)
    game = shop("2")
    a.floated(game, "BME", "ann")
    a.vehicles(game, "BME", "2")
    a.operating(game, "RhE", "trains")
    assert a.offered(game, "buy_train") == [BANK]
    assert a.refused(game, buy("2", "BME", 50)).rule == "BL-8.8.1-g"  # yellow


@pytest.mark.rule("BL-8.8.1-h")
def test_only_the_treasury_pays() -> None:
    game = shop("2", treasury=99)
    assert game.state.cash["ann"] > 1
    assert a.refused(game, buy("2")).rule == "BL-8.8.1-h"


@pytest.mark.rule("BL-8.8.1-i")
def test_any_number_one_after_the_other() -> None:
    game = shop()
    a.walk(game, buy("2"), buy("2"), buy("2"))
    assert game.company("RhE").trains == ["2", "2", "2"]
    assert game.state.cash["RhE"] == 2700


@pytest.mark.rule("BL-8.8.1-j")
def test_who_has_met_the_limit_buys_no_more_even_if_vehicles_vanish() -> None:
    game = shop("2", "2", "SB3", phase="3")
    a.boxes(game, t4=3, SB4=2)
    game.state.depot.left["BW-A"] = 2
    a.take_offer(game)
    game.apply(buy("4"))
    assert game.company("RhE").trains == ["SB3", "4"]
    assert a.refused(game, buy("4")).rule == "BL-8.8.1-c"
    game.apply(buy("BW-A"))  # a trailer may still be bought
    assert game.company("RhE").trains == ["SB3", "4", "BW-A"]
    game = shop("2", "2", phase="3")
    a.boxes(game, t4=3, SB4=2)
    a.walk(game, buy("4"), buy("4"))  # three before the purchase was below the limit of four


@pytest.mark.rule("BL-8.8.1-d", "BL-8.8.1-j")
def test_a_trailer_does_not_meet_the_limit() -> None:
    game = shop("3", "3", "SB3", phase="3")
    a.walk(game, buy("BW-A"), buy("2"))
    assert game.company("RhE").trains == ["3", "3", "SB3", "BW-A", "2"]


@pytest.mark.rule("BL-8.8.1-k", "BL-8.8.2-b", "BL-9-b")
@pytest.mark.parametrize("first", ["3", "SB3"])
def test_the_first_of_a_new_type_starts_the_next_phase(first: str) -> None:
    game = shop()
    a.boxes(game, t2=1, t3=4, SB3=3)
    game.apply(buy("2"))
    assert first in on_sale(game)
    assert game.phase.name == "2"
    game.apply(buy(first))
    assert (game.phase.name, game.phase.colour) == ("3", "green")
    other = {"3": "SB3", "SB3": "3"}[first]
    game.apply(buy(other))
    assert game.phase.name == "3"


@pytest.mark.rule("BL-8.8.1-k")
def test_the_first_of_an_older_type_brings_no_phase_back() -> None:
    game = shop(phase="5")
    a.boxes(game, t5=2, SB4=2, SB5=2)
    game.state.depot.sold["SB4"] = 0  # the 4-trains began their phase
    game.apply(buy("SB4"))
    assert game.phase.name == "5"


@pytest.mark.rule("BL-8.8.1-l", "BL-8.8.1-m", "BL-9-l")
@pytest.mark.parametrize("first", ["6", "SB6"])
def test_the_first_6_or_sb6_makes_3_and_sb3_obsolete_everywhere(first: str) -> None:
    game = shop(phase="5")
    a.boxes(game, t6=2, SB6=2, SB4=1)
    depot = game.state.depot
    depot.left.update({"3": 1, "SB3": 1})
    a.floated(game, "BME", "bo")
    game.company("BME").trains += ["3", "SB3", "SB4"]
    depot.pool += ["3", "4"]
    a.operating(game, "RhE", "trains")
    game.apply(buy(first))
    assert game.company("BME").trains == ["SB4"]  # R01
    assert depot.pool == ["4"]
    assert depot.left["3"] == depot.left["SB3"] == 0
    assert {"3", "SB3"}.isdisjoint(on_sale(game))


@pytest.mark.rule("BL-9-m", "BL-8.8.1-m")
def test_the_first_3_3_makes_4_and_sb4_obsolete_and_nothing_else_ever() -> None:
    game = shop(phase="6")
    a.boxes(game, t3_3=4)
    a.floated(game, "BME", "bo")
    game.company("BME").trains += ["4", "SB4"]
    a.floated(game, "CME", "cy")
    game.company("CME").trains += ["5", "SB5", "BW-B"]
    a.operating(game, "RhE", "trains")
    game.apply(buy("3+3"))
    assert game.company("BME").trains == []
    assert game.company("CME").trains == ["5", "SB5", "BW-B"]
    trains = game.definition.trains
    assert {t.name for t in trains if not t.rusts_on} == {"5", "6", "3+3", "SB5", "SB6", "BW-B"}


@pytest.mark.rule("BL-8.8.1-n", "BL-8.8.1-p")
def test_a_trailer_needs_a_rail_bus_at_the_purchase_and_stays_without_it() -> None:
    game = shop("3", phase="3")
    assert a.refused(game, buy("BW-A")).rule == "BL-8.8.1-n"
    a.vehicles(game, "RhE", "SB3")
    game.apply(buy("BW-A"))
    a.phase(game, "4")
    game = shop("SB3", "BW-B", phase="5")
    a.boxes(game, t6=2, SB6=2)
    game.apply(buy("6"))
    assert game.company("RhE").trains == ["BW-B", "6"]


@pytest.mark.rule("BL-8.8.1-q", "BL-9-f")
def test_surplus_vehicles_go_to_the_pool_by_the_directors_choice() -> None:
    game = shop(phase="3")
    a.floated(game, "BME", "bo", 100)
    a.floated(game, "CME", "cy", 67)
    for company in ("BME", "CME"):
        game.company(company).trains += ["3", "3", "SB3", "SB3", "BW-A"]
    a.boxes(game, t4=3, SB4=2)
    a.operating(game, "RhE", "trains")
    game.apply(buy("4"))
    # in operating order from the acting corporation on (R22): CME after RhE, then BME
    assert game.offer().deciders == ("cy",)
    assert a.refused(game, mv.DiscardTrain("cy", "CME", "BW-A")).rule == "BL-8.8.1-q"
    game.apply(mv.DiscardTrain("cy", "CME", "SB3"))
    assert game.offer().deciders == ("bo",)
    game.apply(mv.DiscardTrain("bo", "BME", "3"))
    assert game.state.depot.pool == ["SB3", "3"]
    assert game.company("CME").trains == ["3", "3", "SB3", "BW-A"]
    cash = game.state.cash["RhE"]
    game.apply(buy("SB3", POOL))
    assert game.state.cash["RhE"] == cash - 160


# ---------------------------------------------------------------------- 8.8.2


@pytest.mark.rule("BL-8.8.2-a", "BL-8.8.2-b", "BL-8.8.2-c")
def test_the_next_type_of_both_kinds_is_released_when_either_stack_is_sold() -> None:
    game = shop(phase="3")
    a.boxes(game, t3=2, SB3=1, t4=3, SB4=2, t5=3, SB5=2)
    assert on_sale(game) == ["3", "SB3"]
    game.apply(buy("SB3"))
    assert on_sale(game) == ["3", "4", "SB4"]
    assert game.phase.name == "3"
    game.state.depot.left["SB4"] = 0
    a.take_offer(game)
    assert on_sale(game) == ["3", "4", "5", "SB5"]  # three types in one box
    game.state.depot.left["3"] = 0
    a.take_offer(game)
    assert on_sale(game) == ["4", "5", "SB5"]  # older cards release nothing


@pytest.mark.rule("BL-8.8.2-a")
@pytest.mark.parametrize(("number", "bus"), [(n, bus) for n in (3, 4, 5) for bus in (False, True)])
def test_the_last_card_of_either_box_releases_both_of_the_next(number: int, bus: bool) -> None:
    last, other = (f"SB{number}", f"{number}") if bus else (f"{number}", f"SB{number}")
    released = {f"{number + 1}", f"SB{number + 1}"}
    game = shop(phase=str(number))
    left = {key if key.startswith("SB") else f"t{key}": 1 for key in (last, other, *released)}
    a.boxes(game, **left)
    assert set(on_sale(game)) & released == set()
    game.apply(buy(last))
    assert set(on_sale(game)) >= released | {other}


@pytest.mark.rule("BL-8.8.2-e", "BL-9-k")
@pytest.mark.parametrize("first", ["6", "SB6"])
def test_3_3_come_with_the_first_6_or_sb6(first: str) -> None:
    game = shop(phase="5")
    a.boxes(game, t6=2, SB6=2, t3_3=4)
    assert "3+3" not in on_sale(game)
    game.apply(buy(first))
    assert "3+3" in on_sale(game)


@pytest.mark.rule("BL-8.8.2-g")
def test_the_rulebooks_example_of_the_boxes() -> None:
    game = shop(phase="5", treasury=5000)
    a.boxes(game, t4=2, t5=1, SB5=1, t6=2, SB6=2, t3_3=4)
    assert on_sale(game) == ["4", "5", "SB5"]
    game.apply(buy("5"))
    assert on_sale(game) == ["4", "6", "SB5", "SB6"]
    game.apply(buy("6"))
    assert "4" in on_sale(game)
    a.operating(game, "RhE", "trains")
    game.company("RhE").trains.remove("5")
    a.take_offer(game)
    game.apply(buy("3+3"))
    assert "4" not in on_sale(game)


# ---------------------------------------------------------------------- 8.8.3, 8.8.4


@pytest.mark.rule("BL-8.8.3-a", "BL-8.8.3-b")
def test_every_corporation_must_own_a_train_or_rail_bus() -> None:
    game = shop()
    assert not game.router("RhE").any_route("2")
    assert a.names(game) == {"buy_train"}
    assert a.refused(game, mv.Pass("ann")).rule == "BL-8.8.3-a"
    game.apply(buy("2"))
    assert "pass" in a.names(game)
    game = shop(phase="3")
    game.company("RhE").trains.append("BW-A")
    a.take_offer(game)
    assert a.refused(game, mv.Pass("ann")).rule == "BL-8.8.3-a"


@pytest.mark.rule("BL-8.8.3-c", "BL-8.8.3-e")
def test_the_rulebooks_example_of_the_duty() -> None:
    game = shop(phase="6", treasury=320)
    a.boxes(game, t6=1, SB5=1, SB6=1)
    game.state.depot.pool.append("4")
    a.take_offer(game)
    assert a.offered(game, "buy_train") == [POOL]
    assert a.offered(game, "buy_train", source=POOL) == ["4"]
    for train in ("6", "SB5", "SB6"):
        assert a.refused(game, buy(train)).rule == "BL-8.8.1-h"
    assert a.refused(game, mv.Pass("ann")).rule == "BL-8.8.3-a"
    game.apply(buy("4", POOL))


@pytest.mark.rule("BL-8.8.3-c", "BL-8.8.3-f")
@pytest.mark.parametrize(("treasury", "source", "trains"), [(300, POOL, ["4"]), (299, BANK, ["6", "SB5"])])
def test_a_treasury_that_just_pays_for_one_vehicle_must_buy_it(treasury: int, source: str, trains: list[str]) -> None:
    game = forced(treasury)
    assert a.offered(game, "buy_train") == [source]
    assert sorted(a.offered(game, "buy_train", source=source)) == trains


@pytest.mark.rule("BL-8.8.3-d", "BL-8.8.3-f")
def test_an_agreed_sale_ends_the_duty() -> None:
    game = shop(phase="6", treasury=50)
    a.boxes(game, t6=1)
    a.floated(game, "BME", "bo")
    a.vehicles(game, "BME", "5", "SB6")
    a.operating(game, "RhE", "trains")
    assert set(a.offered(game, "buy_train")) == {BANK, "BME"}  # forced, or a deal
    a.walk(game, buy("5", "BME", 50), mv.Answer("bo", "accept"))
    assert "pass" in a.names(game)
    assert game.state.cash["ann"] == 1000


@pytest.mark.rule("BL-8.8.3-g")
def test_without_any_vehicle_the_duty_lapses() -> None:
    game = shop(phase="6")
    a.boxes(game)
    game.settle()
    assert game.state.round.actor != "RhE"
    assert game.company("RhE").operated


def forced(treasury: int = 250, cash: int = 1000) -> Game:
    """The rulebook's example: 6 (600), 3+3 (750), SB5 (340), SB6 (440); a 4 (300) in the pool."""
    game = shop(phase="6", treasury=treasury)
    a.boxes(game, t6=1, t3_3=4, SB5=1, SB6=1)
    game.state.depot.pool.append("4")
    a.cash(game, "ann", cash)
    a.take_offer(game)
    return game


@pytest.mark.rule("BL-8.8.4-a", "BL-8.8.4-b", "BL-8.8.4-c")
@pytest.mark.parametrize(("train", "missing"), [("6", 350), ("SB5", 90)])
def test_the_rulebooks_example_of_a_forced_purchase(train: str, missing: int) -> None:
    game = forced()
    assert a.offered(game, "buy_train") == [BANK]
    assert sorted(a.offered(game, "buy_train", source=BANK)) == ["6", "SB5"]
    assert a.refused(game, buy("4", POOL)).rule == "BL-8.8.4-a"
    assert a.refused(game, buy("SB6")).rule == "BL-8.8.4-a"
    choice = game.offer().find("buy_train")
    assert choice is not None
    adds = {option.value: option.facts["director_adds"] for option in choice.ask({"source": BANK}).options}  # type: ignore[union-attr]
    assert adds == {"6": 350, "SB5": 90}
    assert ev.DirectorAdded("ann", "RhE", missing) in game.apply(buy(train))
    assert (game.state.cash["RhE"], game.state.cash["ann"]) == (0, 1000 - missing)


@pytest.mark.rule("BL-8.8.4-a")
def test_with_empty_boxes_the_cheapest_of_the_pool_is_forced() -> None:
    game = shop(phase="6", treasury=50)
    a.boxes(game)
    game.state.depot.pool += ["5", "4"]
    a.take_offer(game)
    assert a.offered(game, "buy_train", source=POOL) == ["4"]
    game.apply(buy("4", POOL))
    assert game.state.cash["ann"] == 1000 - 250


@pytest.mark.rule("BL-8.8.4-d")
def test_private_cash_pays_for_one_vehicle_only() -> None:
    game = forced()
    game.apply(buy("SB5"))
    assert game.state.round.actor != "RhE"  # nothing is left to decide
    assert game.state.cash["ann"] == 910


def poor(cash: int = 0, treasury: int = 250) -> Game:
    """ann lacks cash for RhE's forced purchase; she holds 50 % of RhE and 30 % of bo's BME (100 Mark)."""
    game = forced(treasury, cash)
    a.floated(game, "BME", "bo", 100)
    a.own(game, "BME", "ann", 30)
    a.vehicles(game, "BME", "5")
    a.price_at(game, "RhE", a.token_at(game, 90, "p"))
    a.operating(game, "RhE", "trains")
    a.cash(game, "BME", 0)
    game.company("BME").trains.clear()
    a.take_offer(game)
    return game


@pytest.mark.rule("BL-8.8.4-e", "BL-8.8.4-g", "BL-8.8.4-i")
def test_a_director_without_cash_sells_what_is_needed() -> None:
    game = poor(cash=80)
    assert "sell_shares" in a.names(game)
    assert "go_bankrupt" not in a.names(game)
    game.apply(mv.SellShares("ann", "BME", 10))
    assert game.state.cash["ann"] == 180
    assert held(game, "BME", POOL) == 10
    assert a.refused(game, mv.SellShares("ann", "BME", 10)).rule == "BL-7.4-a"  # once a turn, at one price (R52)
    game.apply(buy("SB5"))
    assert game.state.cash["ann"] == 90
    assert "sell_shares" not in a.names(game)
    # for the SB5 one certificate is enough: after two only the 6 would justify the sale, which is out of reach
    game = poor(cash=80, treasury=60)
    a.own(game, "RhE", "ann", 20)
    a.take_offer(game)
    assert a.offered(game, "sell_shares", company="BME") == [20]


@pytest.mark.rule("BL-8.8.4-g", "BL-8.8.4-i")
@pytest.mark.parametrize(
    ("cash", "treasury", "sales"),
    [(50, 250, [10, 30]), (40, 200, [10]), (49, 250, [10]), (89, 250, [10, 30])],
)
def test_a_director_sells_for_the_rail_bus_or_for_the_train(cash: int, treasury: int, sales: list[int]) -> None:
    """Three BME for 100 each: one is enough for the SB5 (340), all are needed for the 6 (600), if they suffice."""
    game = poor(cash, treasury)
    a.own(game, "RhE", "ann", 20)
    assert a.offered(game, "sell_shares", company="BME") == sales
    for percent, train, other in ((10, "SB5", "6"), (30, "6", "SB5")):
        if percent in sales:
            twin = game.copy()
            twin.apply(mv.SellShares("ann", "BME", percent))
            too_dear = other == "6"
            assert a.refused(twin, buy(other)).rule == ("BL-8.8.4-b" if too_dear else "BL-8.8.4-g")
            twin.apply(buy(train))
            assert twin.state.cash["ann"] == cash + treasury + 10 * percent - PRINTED[train]


@pytest.mark.rule("BL-8.8.4-g")
def test_no_certificate_is_sold_that_a_later_sale_makes_superfluous() -> None:
    """140 M are missing for the SB5: CME (50) and OV (90), or BME (142), but not BME after CME."""
    game = poor(cash=0, treasury=200)
    a.own(game, "RhE", "ann", 20)
    a.own(game, "BME", "ann", 10)
    for company in ("CME", "OV"):
        a.floated(game, company, "bo")
        a.own(game, company, "ann", 10)
    for company, value in (("CME", 50), ("OV", 90), ("BME", 142)):
        a.price_at(game, company, a.token_at(game, value))
    assert a.offered(game, "sell_shares") == ["BME", "CME", "OV"]
    one = game.copy()
    one.apply(mv.SellShares("ann", "BME", 10))
    assert "sell_shares" not in a.names(one)
    game.apply(mv.SellShares("ann", "CME", 10))
    assert a.offered(game, "sell_shares") == ["OV"]
    assert a.refused(game, mv.SellShares("ann", "BME", 10)).rule == "BL-8.8.4-g"
    game.apply(mv.SellShares("ann", "OV", 10))
    game.apply(buy("SB5"))
    assert game.state.cash["ann"] == 0


@pytest.mark.rule("BL-7.4-c", "BL-8.8.4-e")
def test_certificates_of_a_corporation_that_has_not_operated_do_not_help() -> None:
    game = poor(cash=80)
    a.own(game, "RhE", "ann", 20)
    game.company("BME").operated = False
    a.take_offer(game)
    assert a.names(game) == {"go_bankrupt"}
    assert a.refused(game, mv.GoBankrupt("ann", "BME")).rule == "BL-8.2-a"


@pytest.mark.rule("BL-8.8.1-g", "BL-8.8.1-j")
def test_a_sale_that_is_declined_does_not_meet_the_limit() -> None:
    game = shop("2", "2", "SB3", phase="3")
    a.floated(game, "BME", "bo")
    a.vehicles(game, "BME", "3")
    a.operating(game, "RhE", "trains")
    a.walk(game, buy("3", "BME", 50), mv.Answer("bo", "decline"), buy("2"))
    assert game.company("RhE").trains == ["2", "2", "SB3", "2"]


def held(game: Game, company: str, holder: str) -> int:
    return shares.held(game, company, holder)


@pytest.mark.rule("BL-8.8.4-f")
def test_whose_certificates_may_be_sold() -> None:
    game = poor(cash=0, treasury=0)
    a.own(game, "RhE", "bo", 30)
    a.own(game, "BME", "bo", 20)
    shares.change_director(game, "BME", "ann")
    a.own(game, "BME", "cy", 20)
    a.take_offer(game)
    assert game.company("BME").director == "ann"
    rhe = a.offered(game, "sell_shares", company="RhE")
    assert max(rhe) == 20  # with 20 % bo would take RhE over
    assert a.refused(game, mv.SellShares("ann", "RhE", 30)).rule == "BL-8.8.4-f"
    game.apply(mv.SellShares("ann", "BME", 30))
    assert game.company("BME").director == "bo"  # as much as cy, but next to ann's left


@pytest.mark.rule("BL-8.8.4-h", "BL-8.8.5-a", "BL-8.8.5-b", "BL-8.8.5-c", "BL-8.8.5-d")
def test_who_cannot_raise_the_money_is_bankrupt() -> None:
    game = poor(cash=10, treasury=0)
    a.own(game, "BME", "bo", 30)
    a.hand(game, "BME", POOL, 40)
    a.own(game, "RhE", "ann", 20)
    a.own(game, "RhE", "cy", 20)
    a.private(game, "SKB", "ann")
    game.state.privates["EHG"] = "ann"
    AccessTokens.of(game).private = 3
    a.private(game, "DEBG", "ann")
    game.state.depot.aside.append("BW-A")
    a.private(game, "DTE", "bo")
    game.state.priority = "ann"
    a.take_offer(game)
    # one BME for 100 is all that the pool takes; 110 do not buy an SB5
    assert a.names(game) == {"go_bankrupt"}
    before = game.state.cash["cy"]
    game.apply(mv.GoBankrupt("ann", "RhE"))
    assert game.state.seats == ["bo", "cy"]
    assert game.state.priority == "bo"
    assert game.state.cash["ann"] == 110
    assert held(game, "BME", "ann") == 20
    assert game.company("RhE").closed
    assert not game.company("BME").closed
    assert (held(game, "RhE", "cy"), game.state.cash["cy"]) == (0, before)
    assert game.state.privates["SKB"] == game.state.privates["EHG"] == CLOSED
    assert AccessTokens.of(game).pool == 3
    assert (game.state.privates["DEBG"], game.state.depot.aside) == (CLOSED, [])  # with its trailer
    assert game.state.privates["DTE"] == "bo"
    assert not game.finished
    assert game.rules.score(game)["ann"] == 110 + 2 * game.prices.value("BME")
    assert game.rules.limits.certificates(game, game.players[0]) == 20  # of three players
    a.stock(game, "bo", 3)
    a.walk(game, mv.Pass("bo"))
    assert a.asked(game) == "cy"
    assert a.refused(game, mv.Pass("ann")).rule == ""


@pytest.mark.rule("BL-8.8.4-h", "BL-8.8.5-d")
def test_a_bankrupt_player_sells_the_most_of_each_corporation() -> None:
    """R25: all three BME, of four CME the two that the pool takes, and of RhE all but the director certificate."""
    game = poor(cash=10, treasury=0)
    a.boxes(game, t3_3=4)
    a.floated(game, "CME", "cy", 67)
    a.own(game, "CME", "ann", 40)
    a.hand(game, "CME", POOL, 10)
    game.company("CME").certificates = ["cy"] * 2 + ["ann"] * 4 + [POOL] * 3
    a.own(game, "RhE", "ann", 30)
    a.operating(game, "RhE", "trains")
    a.cash(game, "ann", 10)
    a.cash(game, "CME", 0)
    a.take_offer(game)
    assert a.names(game) == {"go_bankrupt"}
    assert [game.prices.value(name) for name in ("BME", "CME", "RhE")] == [100, 67, 90]
    happened = game.apply(mv.GoBankrupt("ann", "RhE"))
    sold = {event.company: (event.percent, event.amount) for event in happened if isinstance(event, ev.SharesSold)}
    assert sold == {"BME": (30, 300), "CME": (20, 134), "RhE": (10, 90)}
    assert game.state.cash["ann"] == 10 + 300 + 134 + 90
    assert [held(game, name, "ann") for name in ("BME", "CME", "RhE")] == [0, 20, 0]
    assert (held(game, "BME", POOL), held(game, "CME", POOL)) == (30, 50)


@pytest.mark.rule("BL-8.8.5-b", "BL-7.5-e", "BL-7.5-f")
def test_a_corporation_that_has_not_floated_goes_with_its_bankrupt_director() -> None:
    """WEG is founded but not floated: its certificates, its price token and its kept home place go."""
    game = poor(cash=0, treasury=0)
    a.own(game, "BME", "ann", 0)
    a.own(game, "RhE", "ann", 20)
    a.founded(game, "WEG", "ann", 67)
    a.own(game, "WEG", "bo", 10)
    a.lay(game, "C9", "57", 0)
    a.operating(game, "RhE", "trains")
    a.cash(game, "ann", 0)
    a.take_offer(game)
    assert not game.company("WEG").floated
    assert not game.board.free_space("C9", 0)
    before = dict(game.state.cash)
    happened = game.apply(mv.GoBankrupt("ann", "RhE"))
    assert {event.company for event in happened if isinstance(event, ev.CompanyClosed)} == {"RhE", "WEG"}
    weg = game.company("WEG")
    assert (weg.closed, weg.price, weg.director) == (True, None, "")
    assert [held(game, "WEG", holder) for holder in ("ann", "bo", OFFERING)] == [0, 0, 0]
    assert {who: game.state.cash[who] for who in ("bo", "cy", "WEG")} == {
        "bo": before["bo"],
        "cy": before["cy"],
        "WEG": 0,
    }
    assert game.board.free_space("C9", 0)
    assert not game.company("BME").closed
    a.stock(game, "bo", 3)
    assert a.refused(game, mv.Found("bo", "WEG", 67)).rule == "BL-6.1-a"
    assert a.refused(game, mv.BuyShare("bo", "WEG", OFFERING, 10)).rule == "BL-6.1-a"


@pytest.mark.rule("BL-8.8.5-a")
def test_the_priority_deal_of_another_player_stays_at_a_bankruptcy() -> None:
    game = poor(cash=0, treasury=0)
    a.own(game, "BME", "ann", 0)
    a.own(game, "RhE", "ann", 20)
    game.state.priority = "cy"
    a.take_offer(game)
    game.apply(mv.GoBankrupt("ann", "RhE"))
    assert game.state.priority == "cy"
    assert not game.finished


@pytest.mark.rule("BL-8.8.5-a")
def test_with_one_player_left_the_game_ends() -> None:
    game = poor(cash=0, treasury=0)
    game.state.seats.remove("cy")
    game.state.retired.append("cy")
    a.own(game, "BME", "ann", 0)
    a.own(game, "RhE", "ann", 20)
    a.take_offer(game)
    game.apply(mv.GoBankrupt("ann", "RhE"))
    assert game.finished
    assert set(game.rules.score(game)) == {"ann", "bo", "cy"}


@pytest.mark.rule("BL-8.8.5-d", "BL-7.6-a")
def test_what_a_bankrupt_player_keeps_still_earns_and_counts_but_never_directs() -> None:
    game = poor(cash=0, treasury=0)
    game.state.seats.remove("ann")
    game.state.retired.append("ann")
    game.state.priority = "bo"
    close_company(game, "RhE", "test")
    a.own(game, "BME", "ann", 40)
    a.own(game, "BME", "cy", 10)
    assert shares.successor(game, "BME", "bo", 10) == "bo"
    a.vehicles(game, "BME", "5")
    a.operating(game, "BME", "dividend")
    Earned.of(game).revenue = 100
    a.take_offer(game)
    cash = game.state.cash["ann"]
    game.apply(mv.Dividend("bo", "BME", "pay"))
    assert game.state.cash["ann"] == cash + 40
    a.price_at(game, "BME", (3, 6))
    a.stock(game, "bo", 3)
    a.walk(game, mv.Pass("bo"), mv.Pass("cy"))
    assert game.company("BME").price == (2, 6)  # all with players, ann among them


@pytest.mark.rule("BL-8.8.4-f", "BL-8.7-c")
def test_a_forced_sale_that_closes_the_acting_corporation_ends_its_turn() -> None:
    game = poor(cash=0, treasury=239)  # 101 are missing: 25 for RhE and 76 for BME
    a.own(game, "BME", "ann", 40)
    a.price_at(game, "RhE", (5, 0))
    value = game.prices.value("RhE")
    assert 10 in a.offered(game, "sell_shares", company="RhE")
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert game.company("RhE").closed
    assert game.state.cash["ann"] == value
    assert game.state.round.actor != "RhE"


@pytest.mark.rule("BL-8.8.4-e", "BL-7.5-d")
def test_a_forced_sale_that_closes_another_corporation_does_not_end_the_turn() -> None:
    game = poor(cash=80)
    a.price_at(game, "BME", (5, 0))
    value = game.prices.value("BME")
    game.apply(mv.SellShares("ann", "BME", 10))
    assert game.company("BME").closed
    assert game.state.cash["ann"] == 80 + value
    assert (game.state.round.actor, game.state.round.step) == ("RhE", "trains")
    game.apply(buy("SB5"))
    assert game.company("RhE").trains == ["SB5"]


@pytest.mark.rule("BL-8.8.1-q")
def test_a_card_of_the_pool_may_be_bought_back_below_the_limit() -> None:
    game = shop("3", phase="4")
    game.state.depot.pool.append("3")
    a.take_offer(game)
    game.apply(buy("3", POOL))
    assert game.company("RhE").trains == ["3", "3"]
    assert OFFERING in game.company("RhE").certificates
