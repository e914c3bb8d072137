"""The small variants: optional 2-train, lower capital, a bankruptcy that ends the game."""

from __future__ import annotations

import itertools

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.state import BANK, POOL
from tests.titles.rhl import arrange, trips


@pytest.mark.rule("RHL-8-a")
@pytest.mark.parametrize("chosen", list(itertools.product([False, True], repeat=3)))
@pytest.mark.parametrize("players", [3, 4, 5])
def test_variants_combine_freely(chosen: tuple[bool, bool, bool], players: int) -> None:
    two, capital, bankruptcy = chosen
    game = arrange.new(players, optional_2_train=two, lower_capital=capital, bankruptcy_end=bankruptcy)
    total = 1500 if capital else 1800
    assert sum(game.state.cash[seat] for seat in game.state.seats) == total
    assert game.state.depot.left["2"] == (7 if two else 6)
    assert faults(game) == []
    trips.idle(game, lambda g: len(g.moves) == 2 * players)
    assert faults(game) == []


@pytest.mark.rule("RHL-8-a")
def test_all_variants_at_once() -> None:
    everything = {"optional_2_train": True, "lower_capital": True, "bankruptcy_end": True, "package": "alternative",
                  "target_cards": True, "destiny_cards": True}  # fmt: skip
    game = titles.new_game("rhl", arrange.SEATS[:4], everything, 5)
    assert game.state.depot.left["2"] == 7
    assert [game.state.cash[seat] for seat in game.state.seats] == [375] * 4
    assert len(trips.values(game, "take_target")) == 6
    assert [len(game.hidden(seat)["destiny"]) for seat in game.state.seats] == [2] * 4
    lots = sorted(game.definition.privates.values(), key=lambda lot: lot.number)
    assert [lot.id for lot in lots] == ["ATB", "MB", "RGC", "KSW", "AMD", "CME-DIR"]
    for option, value in everything.items():
        with pytest.raises(Refused) as caught:
            titles.new_game("rhl", arrange.SEATS[:4], {option: value}, 5, "short")
        assert caught.value.key == "unknown.option"
    for option in ("target_cards", "destiny_cards"):
        with pytest.raises(Refused) as caught:
            titles.new_game("rhl", arrange.SEATS[:4], {option: True, "edition": "earlier"}, 5)
        assert caught.value.key == "option.apart.why"


@pytest.mark.rule("RHL-8.1-a")
@pytest.mark.parametrize(("chosen", "count"), [(False, 6), (True, 7)])
def test_one_more_2_train_is_sold_before_the_3_trains(chosen: bool, count: int) -> None:
    game = arrange.after_package(optional_2_train=chosen)
    companies = ("ADR", "CME")
    for company in companies:
        arrange.floated(game, company, "ann", treasury=1500)
    for number in range(count):
        arrange.operating(game, companies[number // 4], "trains")
        assert trips.trains_on_offer(game) >= {(BANK, "2")}
        assert (BANK, "3") not in trips.trains_on_offer(game)
        game.apply(mv.BuyTrain("ann", companies[number // 4], "2", BANK, 100))
    assert (BANK, "2") not in trips.trains_on_offer(game)
    assert (BANK, "3") in trips.trains_on_offer(game)


@pytest.mark.rule("RHL-8.2-a")
@pytest.mark.parametrize(("players", "each"), [(3, 500), (4, 375), (5, 300)])
def test_the_players_share_1500(players: int, each: int) -> None:
    game = arrange.new(players, lower_capital=True)
    assert [game.state.cash[seat] for seat in game.state.seats] == [each] * players
    assert game.state.cash[BANK] == 9000 - 1500 - 210


# ---------------------------------------------------------------------- bankruptcy


@pytest.fixture
def poor() -> Game:
    """ann must buy a 3-train for ADR without any money; she holds 30 % of CME at 80 as well."""
    game = arrange.after_package(bankruptcy_end=True)
    arrange.floated(game, "ADR", "ann", treasury=0)
    arrange.floated(game, "CME", "bo", treasury=0)
    trips.aachen_line(game)
    arrange.sell_out(game, "2")
    game.company("ADR").certificates[:] = ["ann", "bo", *["pool"] * 5, "cy", "cy"]
    game.company("CME").certificates[:] = ["bo", "bo", "bo", "ann", "ann", "ann", "cy", "cy", "CME"]
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 0)
    arrange.take_offer(game)
    return game


@pytest.mark.rule("RHL-8.3-a")
def test_there_is_no_loan_and_the_director_sells_what_is_needed(poor: Game) -> None:
    assert arrange.names(poor) == {"sell_shares"}
    assert arrange.refused(poor, mv.TakeLoan("ann", "ADR", 200)).rule == "RHL-6.2-a"
    assert arrange.refused(poor, mv.GoBankrupt("ann", "ADR")).rule == "RHL-6.2-a", "not while she can sell"
    poor.apply(mv.SellShares("ann", "CME", 30))
    assert arrange.names(poor) == {"buy_train"}
    poor.apply(mv.BuyTrain("ann", "ADR", "3", BANK, 200))
    assert not poor.finished
    assert poor.state.cash["ann"] == 40


@pytest.mark.rule("RHL-8.3-a")
def test_a_bankruptcy_ends_the_game_at_once(poor: Game) -> None:
    """Her share of CME brings 80 of the 200 that she needs: then nothing is sold at all (ruling 105)."""
    poor.company("CME").certificates[3:6] = ["ann", "bo", "bo"]
    arrange.take_offer(poor)
    assert arrange.names(poor) == {"go_bankrupt"}
    happened = poor.apply(mv.GoBankrupt("ann", "ADR"))
    ended = next(event for event in happened if isinstance(event, ev.GameEnded))
    assert ended.reason == poor.state.finished == "bankruptcy"
    assert dict(ended.scores)["ann"] == 80 + 2 * 80, "her share of CME and the director's certificate of ADR"
    assert poor.offer().choices == ()


@pytest.mark.rule("RHL-8.3-a")
@pytest.mark.parametrize(("cash", "offered"), [(119, {"go_bankrupt"}), (120, {"sell_shares"})])
def test_a_company_without_own_shares_raises_nothing_by_them(poor: Game, cash: int, offered: set[str]) -> None:
    """Her share of CME brings 80; a Mark is missing for the 3-train or it is not."""
    poor.company("CME").certificates[3:6] = ["ann", "bo", "bo"]
    arrange.cash(poor, "ann", cash)
    arrange.take_offer(poor)
    assert arrange.names(poor) == offered


@pytest.mark.rule("RHL-8.3-a")
def test_who_could_only_buy_from_another_company_may_go_bankrupt_instead(poor: Game) -> None:
    poor.company("CME").certificates[3:6] = ["bo", "bo", "bo"]
    arrange.trains(poor, "CME", "3")
    arrange.cash(poor, "ADR", 50)
    arrange.take_offer(poor)
    assert trips.trains_on_offer(poor) == {("CME", "3")}
    assert arrange.names(poor) == {"buy_train", "go_bankrupt"}


@pytest.mark.rule("RHL-8.3-a")
def test_no_bankruptcy_while_a_cheaper_train_can_be_paid(poor: Game) -> None:
    """A 2-train for 100 lies in the pool; 3 x 60 would not reach a 3-train (200), so she sells for the other."""
    poor.state.depot.pool.append("2")
    poor.state.depot.gone.remove("2")
    poor.prices.put("CME", (3, 0))
    arrange.take_offer(poor)
    assert arrange.refused(poor, mv.SellShares("ann", "CME", 30)).rule == "RHL-6.2.6.2-d"
    poor.apply(mv.SellShares("ann", "CME", 20))
    assert arrange.names(poor) == {"buy_train"}
    poor.apply(mv.BuyTrain("ann", "ADR", "2", POOL, 100))
    assert poor.company("ADR").trains == ["2"]


@pytest.mark.rule("RHL-8.3-a")
def test_nothing_is_sold_that_a_later_sale_would_make_superfluous(poor: Game) -> None:
    """10 % of BME at 220 are enough for the 3-train (200): 10 % of CME at 80 before it would be sold in vain."""
    arrange.floated(poor, "BME", "bo", treasury=0)
    poor.company("BME").certificates[:] = ["bo", "bo", "bo", "bo", "ann", *["cy"] * 4]
    poor.company("CME").certificates[3:6] = ["ann", "bo", "bo"]
    poor.prices.put("BME", (0, 11))
    arrange.take_offer(poor)
    assert arrange.refused(poor, mv.SellShares("ann", "CME", 10)).rule == "RHL-6.2.6.2-d"
    poor.apply(mv.SellShares("ann", "BME", 10))
    assert arrange.names(poor) == {"buy_train"}
    poor.apply(mv.BuyTrain("ann", "ADR", "3", BANK, 200))
    assert poor.state.cash["ann"] == 20


@pytest.mark.rule("RHL-8.3-a", "RHL-6.2.6.2-e")
@pytest.mark.parametrize(("cash", "offered"), [(119, {"go_bankrupt"}), (120, {"sell_own_shares"})])
def test_a_company_sells_nothing_if_its_director_cannot_sell_into_the_same_room(
    poor: Game, cash: int, offered: set[str]
) -> None:
    """The pool takes 10 % of ADR, its own or ann's: one brings 80 for the 3-train (200), never both."""
    poor.company("ADR").certificates[:] = ["ann", "ann", *["pool"] * 4, "cy", "cy", "ADR"]
    poor.company("CME").certificates[3:6] = ["bo", "bo", "bo"]
    arrange.cash(poor, "ann", cash)
    arrange.take_offer(poor)
    assert arrange.names(poor) == offered


@pytest.mark.rule("RHL-8.3-a", "RHL-6.2.6.2-c")
@pytest.mark.parametrize("missing", [0, 1])
def test_a_company_sells_nothing_if_its_lower_price_leaves_its_director_too_little(poor: Game, missing: int) -> None:
    """Its own 10 % bring 80, ann's 10 % of it what it is worth then."""
    poor.company("ADR").certificates[:] = ["ann", "ann", *["pool"] * 3, "cy", "cy", "bo", "ADR"]
    poor.company("CME").certificates[3:6] = ["bo", "bo", "bo"]
    twin = poor.copy()
    arrange.cash(twin, "ann", 120)
    arrange.take_offer(twin)
    twin.apply(mv.SellOwnShares("ann", "ADR", 10))
    low = twin.prices.value("ADR")
    assert 0 < low < 80
    arrange.cash(poor, "ann", 200 - 80 - low - missing)
    arrange.take_offer(poor)
    if missing:
        assert arrange.names(poor) == {"go_bankrupt"}
        return
    assert arrange.names(poor) == {"sell_own_shares"}
    poor.apply(mv.SellOwnShares("ann", "ADR", 10))
    poor.apply(mv.SellShares("ann", "ADR", 10))
    poor.apply(mv.BuyTrain("ann", "ADR", "3", BANK, 200))
    assert (poor.state.cash["ann"], poor.state.cash["ADR"]) == (0, 0)


@pytest.mark.rule("RHL-8.3-a")
def test_without_the_variant_nobody_goes_bankrupt() -> None:
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann", treasury=0)
    trips.aachen_line(game)
    game.company("ADR").certificates[:] = ["ann", "bo", *["pool"] * 5, "cy", "cy"]
    arrange.operating(game, "ADR", "trains")
    arrange.cash(game, "ann", 0)
    arrange.take_offer(game)
    assert arrange.names(game) == {"take_loan"}
    assert arrange.refused(game, mv.GoBankrupt("ann", "ADR")).rule == "RHL-6.2-a"
