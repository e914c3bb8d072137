"""Phases, the end of the game and definitions (ledger sections 9 to 11)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.finance.closing import close_company
from engine.game import Game
from engine.remembered import Earned
from engine.state import BANK, CLOSED
from engine.steps.trains import on_sale
from tests.titles.bl import arrange as a
from titles.bl.bank import PlayersHelped


@pytest.mark.rule("BL-9-a", "BL-9-b", "BL-9-d", "BL-9-f", "BL-9-g", "BL-9-k")
def test_the_record_of_phases() -> None:
    phases = a.new().definition.phases
    assert [(p.on, p.colour, p.train_limit, p.operating_rounds) for p in phases] == [
        (("start",), "yellow", 4, 1),
        (("3", "SB3"), "green", 4, 2),
        (("4", "SB4"), "green", 3, 2),
        (("5", "SB5"), "brown", 3, 3),
        (("6", "SB6"), "grey", 2, 3),
        (("3+3",), "grey", 2, 3),
    ]


@pytest.mark.rule("BL-9-f")
@pytest.mark.parametrize("first", ["4", "SB4"])
def test_the_first_4_or_sb4_ends_the_2_trains(first: str) -> None:
    game = a.after_package(3)
    a.floated(game, "RhE", "ann")
    a.phase(game, "3")
    a.vehicles(game, "RhE", "2")
    a.boxes(game, t2=1, t4=3, SB4=2)
    game.state.depot.pool.append("2")
    a.operating(game, "RhE", "trains")
    game.apply(mv.BuyTrain("ann", "RhE", first, BANK, game.definition.train(first).price))
    assert game.company("RhE").trains == [first]
    assert game.state.depot.pool == []
    assert game.state.depot.left["2"] == 0
    assert (game.phase.colour, game.phase.train_limit) == ("green", 3)


@pytest.mark.rule("BL-9-h")
def test_bw_a_go_with_the_brown_phase_the_one_on_private_5_too() -> None:
    game = a.after_package(3, {"DEBG": "bo"})
    a.floated(game, "RhE", "ann")
    a.phase(game, "4")
    a.vehicles(game, "RhE", "SB3", "BW-A")
    a.boxes(game, SB3=1, t5=3, SB5=2)
    game.state.depot.left.update({"BW-A": 1, "BW-B": 4})
    a.operating(game, "RhE", "trains")
    assert {"BW-A", "BW-B"} & set(on_sale(game)) == {"BW-A"}
    game.apply(mv.BuyTrain("ann", "RhE", "5", BANK, 450))
    assert game.company("RhE").trains == ["SB3", "5"]
    assert "BW-B" in on_sale(game)
    assert game.state.depot.aside == []
    assert game.state.depot.left["BW-A"] == 0
    assert game.state.privates["DEBG"] == CLOSED


# ---------------------------------------------------------------------- 10


def rich(kind: str, bank: int) -> Game:
    """The bank has little left; RhE of ann could pay a dividend of 300."""
    game = a.after_package(3)
    a.floated(game, "RhE", "ann")
    a.vehicles(game, "RhE", "2")
    if kind == "operating":
        a.operating(game, "RhE", "dividend", 1, 3)
        Earned.of(game).revenue = 300
    else:
        a.stock(game, "ann")
    a.give(game, "BME", game.state.cash[BANK] - bank)
    a.take_offer(game)
    return game


@pytest.mark.rule("BL-10.1-a", "BL-10.1-b")
def test_a_break_in_an_operating_round_ends_the_game_after_the_set() -> None:
    game = rich("operating", 100)
    before = game.state.cash["ann"]
    game.apply(mv.Dividend("ann", "RhE", "pay"))
    assert game.state.bank_broken == "operating"
    assert game.state.cash["ann"] == before + 150  # booked in full, and can be spent
    assert game.state.cash[BANK] == -50
    rounds = []
    while not game.finished:
        rounds.append((game.state.round.kind, game.state.round.operating_number))
        game.apply(mv.Pass("ann"))
    assert set(rounds) == {("operating", 1), ("operating", 2), ("operating", 3)}
    assert game.state.finished == "bank"


@pytest.mark.rule("BL-10.1-a", "BL-10.1-c")
@pytest.mark.parametrize(
    ("kind", "move", "amount"),
    [
        ("operating", mv.Dividend("ann", "RhE", "pay"), 150),
        ("operating", mv.Dividend("ann", "RhE", "withhold"), 300),
        ("stock", mv.SellShares("ann", "RhE", 10), 76),
    ],
)
def test_a_bank_that_pays_its_last_mark_is_not_broken(kind: str, move: mv.Move, amount: int) -> None:
    game = rich(kind, amount)
    happened = game.apply(move)
    assert game.state.cash[BANK] == 0
    assert game.state.bank_broken == ""
    assert not [event for event in happened if isinstance(event, ev.BankBroke | PlayersHelped)]
    game = rich(kind, amount - 1)
    happened = game.apply(move)
    assert game.state.bank_broken == kind
    assert [event for event in happened if isinstance(event, ev.BankBroke)]


@pytest.mark.rule("BL-10.1-a")
def test_with_an_empty_bank_that_owes_nothing_the_game_goes_on() -> None:
    """Nothing at all in the bank: as long as it has nothing to pay, a stock round follows."""
    game = rich("operating", 0)
    a.operating(game, "RhE", "trains", 3, 3)
    while game.state.round.kind == "operating":
        game.apply(mv.Pass("ann"))
    assert (game.state.cash[BANK], game.state.bank_broken) == (0, "")
    assert (game.state.round.kind, game.finished) == ("stock", False)


@pytest.mark.rule("BL-10.1-a")
def test_the_revenue_of_privates_may_break_the_bank() -> None:
    game = rich("stock", 5)
    a.private(game, "CCE", "ann")
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    assert game.state.bank_broken == "operating"
    assert game.state.round.operating_total == 1


@pytest.mark.rule("BL-10.1-c", "BL-10.1-d")
def test_a_break_in_a_stock_round_is_paid_by_all_and_three_rounds_follow() -> None:
    game = rich("stock", 20)
    cash = dict(game.state.cash)
    happened = game.apply(mv.SellShares("ann", "RhE", 10))  # 76: the bank lacks 56
    assert PlayersHelped(19) in happened
    assert game.state.bank_broken == "stock"
    assert game.state.cash["bo"] == cash["bo"] - 19
    assert game.state.cash["ann"] == cash["ann"] + 76 - 19
    assert game.state.cash[BANK] == 1
    assert game.phase.operating_rounds == 1
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"), mv.Pass("ann"))
    assert (game.state.round.kind, game.state.round.operating_total) == ("operating", 3)
    while not game.finished:
        assert game.state.round.kind == "operating"
        game.apply(mv.Pass("ann"))
    assert game.state.finished == "bank"


@pytest.mark.rule("BL-10.1-c")
def test_a_poor_player_limits_the_contribution() -> None:
    game = rich("stock", 0)
    a.give(game, "BME", game.state.cash["cy"] - 7)
    a.cash(game, "cy", 7)
    a.give(game, "BME", game.state.cash[BANK])
    a.take_offer(game)
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert game.state.cash["cy"] == 0
    assert game.state.cash[BANK] == -76 + 21


@pytest.mark.rule("BL-10.2-a", "BL-10.2-b")
def test_the_score_is_cash_and_certificates() -> None:
    game = a.after_package(2, {"CCE": "bo"})
    a.floated(game, "RhE", "ann", 100, treasury=900)
    a.own(game, "RhE", "bo", 20)
    a.vehicles(game, "RhE", "2")
    a.cash(game, "ann", 300)
    a.cash(game, "bo", 600)
    assert game.rules.score(game) == {"ann": 300 + 500, "bo": 600 + 200}
    a.cash(game, "ann", 301)
    game.finish("bank")
    ended = game._events[-1].data()
    assert ended["scores"] == (("ann", 801), ("bo", 800))


@pytest.mark.rule("BL-10.2-c", "BL-10.1-b")
def test_the_final_score_sheet_adds_dividends_written_down_for_each_share() -> None:
    game = rich("operating", 0)
    a.own(game, "RhE", "ann", 40)
    for revenue in (120, 240):
        a.operating(game, "RhE", "dividend", 3, 3)
        Earned.of(game).revenue = revenue
        if revenue == 120:
            a.cash(game, "ann", 0)
        a.take_offer(game)
        game.apply(mv.Dividend("ann", "RhE", "pay"))
    # Value 150, 36 noted for each share, four shares: 744. The table has no 150, so one of its values stands for it.
    a.price_at(game, "RhE", a.token_at(game, 142))
    assert game.rules.score(game)["ann"] == (142 + 36) * 4


def test_a_game_in_which_nothing_can_happen_any_more_ends() -> None:
    game = a.after_package(2)
    for player in game.state.seats:
        a.give(game, "BME", game.state.cash[player])
        a.cash(game, player, 0)
    a.take_offer(game)
    game.settle()
    assert game.state.finished == "standstill"


@pytest.mark.rule("BL-11-c")
def test_station_places_on_red_fields() -> None:
    hexes = a.new().definition.map.hexes
    red = {at: spot.face.stops[0].slots for at, spot in hexes.items() if spot.face.colour == "red"}
    assert {at for at, slots in red.items() if slots} == {"R12"}
    assert red["R12"] == 1


@pytest.mark.rule("BL-11-d")
def test_what_is_removed_never_comes_back() -> None:
    game = a.after_package(3)
    a.floated(game, "RhE", "ann")
    a.stock(game, "ann")
    close_company(game, "RhE", "test")
    a.take_offer(game)
    assert "RhE" not in a.offered(game, "found")
    assert a.refused(game, mv.Found("ann", "RhE", 67)).rule == "BL-6.1-a"
    assert "RhE" not in game.prices.order()
    assert shares.certificates(game, "ann") == 0


@pytest.mark.rule("BL-11-e", "BL-8.5.2-d")
def test_trains_and_rail_buses_differ_in_cities_and_red_fields() -> None:
    game = a.after_package(3)
    a.floated(game, "WEG", "ann")
    rules = game.router("WEG").rules
    assert rules["3"].within(3, 0, 0)
    assert not rules["SB3"].within(2, 0, 0)
    assert rules["SB3"].within(1, 1, 1)
    assert rules["3"].may_end(("A9", 0))
    assert not rules["SB3"].may_end(("A9", 0))
