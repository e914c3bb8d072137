"""18LRA's phases and its end; and clauses of 18Rhl, sampled on 18LRA's map."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.state import BANK, CLOSED, MARKER, OFFERING, POOL
from tests.titles.lra.arrange import (
    after_package,
    arrange,
    board,
    build,
    buy_five,
    cash,
    earns,
    floated,
    harbours,
    new,
    operating,
    places,
    ready,
    refused,
    refused_run,
    station,
    suggested,
    token,
)
from tests.titles.rhl.asking import of_kind, pass_until
from titles.lra.dalheim import CampToken
from titles.lra.gkb import GkbTrain


@pytest.mark.rule("LRA-6.3-a")
def test_trains_that_leave() -> None:
    definition = new().definition
    assert [phase.name for phase in definition.phases] == ["2", "3", "4", "5", "6"]
    assert {phase.colour for phase in definition.phases} == {"yellow", "green", "brown"}
    game = board("ADR", "RhE", phase="5")
    game.state.depot.left["3"] = game.state.depot.left["4"] = 1
    arrange.trains(game, "RhE", "3", "4")
    operating(game, "ADR", "trains")
    happened = game.apply(mv.BuyTrain("cy", "ADR", "6", BANK, 600))
    assert [event.train for event in of_kind(happened, ev.TrainsRusted)] == ["3"]
    assert game.company("RhE").trains == ["4"]


@pytest.mark.rule("LRA-6.3-b")
def test_everything_that_the_first_5_train_brings() -> None:
    game = board("CCE", phase="4")
    floated(game, "ADR", "ann")
    build(game, "F12", "1", "W-NE")
    build(game, "E13", "L29")
    token(game, "CCE", "F10", 1)
    operating(game, "CCE", "station")
    assert harbours(game) == {}
    assert game.board.faces["A5"].stops[0].value(game.phase.colour) == 20
    happened = buy_five(game, "CCE")
    kinds = [type(event).__name__ for event in happened]
    order = [kinds.index(name) for name in ("PhaseChanged", "DalheimActive", "GkbFloated", "PrivateClosed")]
    assert order == sorted(order)
    assert CampToken.of(game).company == GkbTrain.of(game).company == "ADR"
    assert game.board.spaces("A1", 0) == [MARKER]
    assert set(game.state.privates.values()) == {CLOSED}
    assert game.board.faces["A5"].stops[0].value(game.phase.colour) == 40  # Wesel
    assert game.phase.train_limit == 2
    assert on_sale(game) == ["5", "6"]
    operating(game, "CCE", "station")
    assert harbours(game) == {"E13": 80}
    cash(game, "bo", 900)
    arrange.stock(game, "bo")
    game.apply(mv.Found("bo", "RhE", 80))
    for _ in range(3):
        while game.offer().deciders[0] != "bo":
            game.apply(mv.Pass(game.offer().deciders[0]))
        game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 800  # 100 %
    assert shares.held(game, "RhE", POOL) == 50


# ---------------------------------------------------------------------- what 18Rhl's clauses say holds here too


@pytest.mark.rule("RHL-5.1.1-a", "RHL-5.1.1-b", "RHL-5.1.1-l")
def test_the_package_is_sold_in_order_and_its_last_buyer_gives_the_deal_on() -> None:
    game = new()
    lots = game.rules.rounds["package"].lots(game)  # type: ignore[attr-defined]
    assert lots == ["DEC", "UH", "NH", "RH", "RM", "GKB"]
    assert refused(game, mv.BuyLot("ann", "UH")).rule == "RHL-5.1.1-a"
    game = after_package(buyers={"GKB": "cy"})
    assert game.state.round.kind == "stock"
    assert game.offer().deciders == ("di",)


@pytest.mark.rule("RHL-5.1.2-a", "RHL-5.1-a")
def test_the_first_stock_round_has_no_pool_and_no_sales() -> None:
    game = board("ADR")
    arrange.stock(game, "cy", 1)
    assert "sell_shares" not in arrange.names(game)
    assert all(POOL not in company.certificates for company in game.state.companies.values())


@pytest.mark.rule("RHL-5.1.5-a", "RHL-5.1.5-b")
def test_a_floating_company_rises_and_its_other_shares_go_to_its_charter() -> None:
    game = after_package()
    cash(game, "cy", 900)
    arrange.begin_stock(game, "cy")
    game.apply(mv.Found("cy", "RhE", 70))
    for _ in range(3):
        while game.offer().deciders[0] != "cy":
            game.apply(mv.Pass(game.offer().deciders[0]))
        game.apply(mv.BuyShare("cy", "RhE", OFFERING, 10))
    assert game.state.cash["RhE"] == 350
    assert game.prices.value("RhE") == 75
    assert shares.held(game, "RhE", "RhE") == 50


@pytest.mark.rule("RHL-6.2-a", "RHL-6.2.1-k", "RHL-6.2.2-f")
def test_one_tile_and_one_station_in_a_turn() -> None:
    game = board("CCE", phase="3")
    game.company("CCE").operated = True
    operating(game, "CCE")
    game.apply(mv.LayTile("cy", "CCE", "B6", "9", 2))
    assert game.state.round.step == "station"
    assert refused(game, mv.LayTile("cy", "CCE", "C7", "9", 2)).rule == "RHL-6.2-a"
    assert places(game) >= {("F10", 1), ("B4", 1)}
    game.apply(station(game, "CCE", "B4", 1))
    assert game.state.round.step != "station"


@pytest.mark.rule("RHL-6.2.3-b", "RHL-6.2.3-a")
def test_towns_on_the_way_are_free_and_red_fields_are_ends() -> None:
    game = board("CME")
    build(game, "J14", "9", "NW-SE")
    build(game, "I13", "58", "NE-SE")
    ready(game, "CME", "2")
    assert earns(game, "CME", ("2", "K15:a J14 I13:a H14:a")) == 30 + 10 + 20
    assert suggested(game) == 60
    game = board("BME", phase="3")
    build(game, "G15", "L04")
    build(game, "E15", "58", "NE-SE")
    ready(game, "BME", "2")
    refusal = refused_run(game, "BME", ("2", "G15:a F16 E15:a"), ("2", "G15:a H16:a"))
    assert refusal.rule == "RHL-6.2.3-a"  # one train, one route


@pytest.mark.rule("RHL-6.2.6-a", "RHL-6.2.6-d", "RHL-6.2.6.1-a")
def test_trains_are_bought_and_one_must_be_owned() -> None:
    game = board("ADR", "RhE")
    operating(game, "ADR", "trains")
    assert refused(game, mv.Pass("cy")).rule == "RHL-6.2.6.1-a"  # Aachen – Herzogenrath is a route
    game.apply(mv.BuyTrain("cy", "ADR", "2", BANK, 100))
    game.apply(mv.Pass("cy"))
    operating(game, "RhE", "trains")
    game.apply(mv.BuyTrain("cy", "RhE", "2", "ADR", 1))  # between companies of one director at any price
    assert game.company("RhE").trains == ["2"]


@pytest.mark.rule("RHL-6.3-f")
def test_two_operating_rounds_from_the_next_stock_round_on() -> None:
    game = board("ADR", phase="3")
    arrange.trains(game, "ADR", "3")
    arrange.stock(game, "ann")
    pass_until(game, "operating")
    assert game.state.round.operating_total == 2


@pytest.mark.rule("RHL-7.1-a", "RHL-7.1-b")
def test_a_broken_bank_ends_the_game_after_the_set() -> None:
    game = board("ADR", phase="4")
    arrange.trains(game, "ADR", "4")
    arrange.give(game, "di", game.state.cash[BANK] - 1)
    operating(game, "ADR", "run")
    game.apply(arrange.mv.Run("cy", "ADR", (mv.TrainPath("4", ("K3:a", "J2:a")),)))
    game.apply(mv.Dividend("cy", "ADR", "pay"))
    assert game.state.bank_broken
    while not game.finished:
        game.apply(mv.Pass("cy"))
    assert game.state.finished == "bank"
