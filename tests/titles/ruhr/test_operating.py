"""Operating rounds and Capex cards (ledger sections 7 and 8)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.moves import BuyOwnShare
from engine.remembered import Earned
from engine.state import BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.locations import MakeLink
from titles.ruhr.remembered import RoundCards, Spent, Works
from titles.ruhr.spending import BuyEngine, BuyTrainAsEngine, Develop


def acting(game: Game) -> list[str]:
    found: list[str] = game.rules.rounds["operating"].order(game)  # type: ignore[attr-defined]
    return found


def whole_turn(game: Game) -> None:
    """The company at its turn does as little as it can."""
    actor = game.state.round.actor
    while game.state.round.actor == actor and game.state.round.kind == "operating":
        player = a.asked(game)
        names = a.names(game)
        if "dividend" in names:
            game.apply(mv.Dividend(player, actor, "withhold"))
        else:
            game.apply(mv.Pass(player))


@pytest.mark.rule("RUHR-7-a", "RUHR-7.4-a", "RUHR-13.2-a", "RUHR-13.2-c")
def test_two_operating_rounds_after_each_stock_round() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.floated(game, "RhE", "bo")
    a.floated(game, "KWE", "cy")
    game.state.priority = "cy"
    a.begin_stock(game, "cy")
    game.state.round.stock_number = 2
    seen = []
    for player in ("cy", "di", "ann", "bo"):
        game.apply(mv.Pass(player))
    while game.state.round.stock_number == 2:
        seen.append((game.state.round.operating_number, game.state.round.actor))
        whole_turn(game)
    assert seen == [(1, "CME"), (1, "RhE"), (1, "KWE"), (2, "CME"), (2, "RhE"), (2, "KWE")]
    assert (game.state.round.kind, game.state.priority, a.asked(game)) == ("stock", "cy", "cy")


@pytest.mark.rule("RUHR-7.1-b", "RUHR-7.1-c", "RUHR-7.1-d", "RUHR-10.7-e", "RUHR-14.2-e")
def test_small_companies_by_number_then_corporations_by_value() -> None:
    game = a.second_stock_round()
    for number in (10, 3, 5):
        a.mine(game, number, "ann")
    a.floated(game, "CME", "ann", 60)
    a.floated(game, "RhE", "bo", 80)
    a.floated(game, "KWE", "cy", 80)
    a.montan(game, "US", "di", 1, par=70)
    assert acting(game) == ["MC3", "MC5", "MC10", "RhE", "KWE", "US", "CME"]
    # Who arrives goes underneath.
    a.price_at(game, "RhE", 70)
    assert acting(game)[3:] == ["KWE", "US", "RhE", "CME"]


@pytest.mark.rule("RUHR-7.1-c")
def test_the_order_is_looked_up_again_after_each_turn() -> None:
    game = a.second_stock_round()
    for name, value in (("CME", 80), ("RhE", 75), ("KWE", 70)):
        a.floated(game, name, "ann", value)
        a.cash(game, name, 0)
    a.operating(game, "CME", "trains")
    a.price_at(game, "RhE", 65)
    whole_turn(game)
    assert game.state.round.actor == "KWE"


@pytest.mark.rule("RUHR-7.2-b", "RUHR-7.2-c", "RUHR-7.2-d", "RUHR-9.3-x1")
def test_engines_earn_as_much_as_the_best_markers() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", A=0, B=1, C=1)
    a.link(game, 10)
    a.phase(game, "3")
    works.charter(game, "MC10").engines.append("W1")
    assert works.income(game, "MC10") == 20 + 30 + 30
    # Markers in the treasury earn nothing and count for no engine.
    a.mine(game, 11, "ann", A=2, B=2, C=2)
    assert works.income(game, "MC11") == 60
    a.mine(game, 7, "ann", A=3, B=3, C=3)
    a.link(game, 7)
    works.charter(game, "MC7").engines.append("W1")
    assert works.stored(game, "MC7") == {"C": 1}
    assert works.income(game, "MC7") == 30 + 60 + 60 + 30
    # A second engine takes the next best.
    a.montan(game, "RB", "ann", 5, C=2, D=1)
    works.charter(game, "RB").engines += ["W3", "W3"]
    assert works.income(game, "RB") == 100 + 70
    game.state.phase = 5
    game.state.depot.sold["8+8"] = 1
    assert works.income(game, "RB") == 40 + 40


@pytest.mark.rule("RUHR-7.2-d")
def test_one_active_marker_serves_one_engine() -> None:
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, A=0, D=1)
    works.charter(game, "RB").engines += ["W3", "W3"]
    assert works.income(game, "RB") == 40 + 40


def montan_turn(revenue: int = 0, value: int = 100, **stages: int) -> Game:
    """RB of ann earns something at the start of its turn; 2 of 5 lie in the offer, one in the pool."""
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, 0, value, **(stages or {"A": 0, "B": 5}))
    a.own(game, "RB", "bo", 20)
    a.own(game, "RB", POOL, 20)
    a.cash(game, "ann", 0)
    a.cash(game, "bo", 0)
    a.operating(game, "RB", "dividend")
    Earned.of(game).revenue = revenue or works.income(game, "RB")
    a.take_offer(game)
    return game


@pytest.mark.rule("RUHR-7.2-e", "RUHR-7.2-f", "RUHR-7.2-g")
def test_a_montan_corporation_pays_all_or_nothing() -> None:
    game = montan_turn(100)
    assert a.offered(game, "dividend") == ["pay", "withhold"]
    assert a.refused(game, mv.Dividend("ann", "RB", "half")).rule == "RUHR-10.6.2-a"
    bank = game.state.cash[BANK]
    game.apply(mv.Dividend("ann", "RB", "pay"))
    assert (game.state.cash["ann"], game.state.cash["bo"], game.state.cash["RB"]) == (20, 20, 40)
    assert game.state.cash[BANK] == bank - 80
    game = montan_turn(100)
    game.apply(mv.Dividend("ann", "RB", "withhold"))
    assert (game.state.cash["ann"], game.state.cash["RB"]) == (0, 100)


@pytest.mark.rule("RUHR-7.2-h", "RUHR-7.2-i", "RUHR-7.2-j")
@pytest.mark.parametrize(
    ("revenue", "kind", "value"), [(100, "pay", 110), (300, "pay", 110), (90, "pay", 100), (100, "withhold", 90)]
)
def test_a_montan_price_moves_one_box_at_most(revenue: int, kind: str, value: int) -> None:
    game = montan_turn(revenue)
    game.apply(mv.Dividend("ann", "RB", kind))
    assert game.prices.value("RB") == value


@pytest.mark.rule("RUHR-7.2-i", "RUHR-10.7-c")
@pytest.mark.parametrize("company", ["RB", "CME"])
def test_a_small_dividend_leaves_the_marker_where_it_lies(company: str) -> None:
    game = montan_turn(value=100)
    a.floated(game, "CME", "ann", 70)
    a.price_at(game, "CME", 100)
    a.floated(game, "RhE", "bo", 70)
    other = "RhE"
    a.price_at(game, company, 90)
    a.price_at(game, company, 100)
    a.price_at(game, other, 100)
    order = game.prices.order()
    assert order.index(company) < order.index(other)
    a.operating(game, company, "dividend")
    Earned.of(game).revenue = 90
    a.take_offer(game)
    game.apply(mv.Dividend("ann", company, "pay"))
    assert game.prices.order() == order


@pytest.mark.rule("RUHR-7.2-j")
def test_without_income_the_price_falls_down_to_the_lowest_box() -> None:
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, 0, 80, A=1)
    a.phase(game, "4")
    a.operating(game, "RB", "dividend")
    game.settle()
    assert game.prices.value("RB") == 75
    a.price_at(game, "RB", 30)
    a.operating(game, "RB", "dividend")
    game.settle()
    assert game.prices.value("RB") == 30


@pytest.mark.rule("RUHR-7.2-k", "RUHR-8-d", "RUHR-9.3-a", "RUHR-9.2-c")
def test_one_expenditure_a_turn() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 500)
    a.link(game, 10)
    a.operating(game, "MC10", "spend")
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    assert game.state.round.operating_number == 2  # nothing was left to decide in that turn
    a.mine(game, 10, "ann", 500)
    a.operating(game, "MC10", "spend")
    works.charter(game, "MC10").engines.append("W1")  # something that can be given up keeps the turn open
    Spent.of(game).spent = True
    a.take_offer(game)
    for move in (
        Develop("ann", "MC10", "2+2", "A"),
        BuyEngine("ann", "MC10", "2+2", BANK, "W1"),
        MakeLink("ann", "MC10", "H13"),
    ):
        assert a.refused(game, move).rule == "RUHR-7.2-k"


@pytest.mark.rule("RUHR-7.2-k", "RUHR-9.3-a", "RUHR-9.3-b", "RUHR-8-d")
@pytest.mark.parametrize(
    "first",
    [
        Develop("ann", "MC17", "2+2", "A"),
        BuyEngine("ann", "MC17", "2+2", BANK, ""),
        BuyTrainAsEngine("ann", "MC17", "2+2", "CME", "", 20),
        MakeLink("ann", "MC17", "D15"),
    ],
)
def test_whatever_the_first_expenditure_is_there_is_no_second(first: mv.Move) -> None:
    """There is money for everything, and track to Kamen (D15, no. 17)."""
    game = a.second_stock_round()
    a.floated(game, "KWE", "bo")
    a.floated(game, "CME", "ann")
    a.trains(game, "CME", "2+2")
    a.put(game, "C16", "9", "NE", "SW")
    a.put(game, "D15", "884", "NE", "SW")
    a.mine(game, 17, "ann", 900, A=2)
    a.link(game, 17, linked=not isinstance(first, MakeLink))
    a.operating(game, "MC17", "spend")
    game.apply(first)
    assert game.state.round.actor != "MC17"


@pytest.mark.rule("RUHR-7.2-l", "RUHR-9.3-d")
def test_an_engine_may_be_given_up_for_another() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 500)
    a.link(game, 10)
    works.charter(game, "MC10").engines.append("W1")
    Works.of(game).engines["W1"] -= 1
    a.phase(game, "3")
    a.cards_left(game, t3=5)
    a.operating(game, "MC10", "spend")
    assert a.refused(game, BuyEngine("ann", "MC10", "3+3", BANK, "")).rule == "RUHR-9.3-d"
    assert a.offered(game, "buy_engine", source=BANK, card="3+3") == ["W1"]
    game.apply(BuyEngine("ann", "MC10", "3+3", BANK, "W1"))
    assert works.charter(game, "MC10").engines == ["W2"]
    assert Works.of(game).engines == {"W1": 4, "W2": 3, "W3": 4, "W4": 4}


@pytest.mark.rule("RUHR-7.2-m", "RUHR-7.2-p", "RUHR-7.2-n")
def test_a_montan_corporation_deals_once_a_turn_besides_its_expenditure() -> None:
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, 20, 90, A=2, B=1)
    a.operating(game, "RB", "income")
    game.settle()
    assert "sell_own_shares" in a.names(game)
    game.apply(mv.SellOwnShares("ann", "RB", 20))
    assert (game.state.cash["RB"], game.prices.value("RB")) == (110, 80)
    assert shares.held(game, "RB", POOL) == 20
    assert "sell_own_shares" not in a.names(game)
    game.apply(mv.Dividend("ann", "RB", "withhold"))
    assert a.refused(game, BuyOwnShare("ann", "RB", 20)).rule == "RUHR-7.3-g"
    game.apply(Develop("ann", "RB", "2+2", "AB"))
    assert game.state.cash["RB"] == 110 + 40 - 100


@pytest.mark.rule("RUHR-7.2-n", "RUHR-7.3-h")
@pytest.mark.parametrize(("company", "percent", "price"), [("RB", 20, 70), ("CME", 10, 70)])
def test_a_certificate_is_bought_back_at_its_value(company: str, percent: int, price: int) -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", 70)
    a.montan(game, "RB", "ann", 5, 1000, 70)
    a.own(game, company, POOL, percent)
    offered = shares.held(game, company, OFFERING)
    a.operating(game, company, "spend" if company == "RB" else "trains")
    bank, treasury = game.state.cash[BANK], game.state.cash[company]
    game.apply(BuyOwnShare("ann", company, percent))
    assert (game.state.cash[company], game.state.cash[BANK]) == (treasury - price, bank + price)
    assert shares.held(game, company, OFFERING) == offered + percent
    assert game.prices.value(company) == 70
    assert a.refused(game, mv.SellOwnShares("ann", company, percent)).rule == "RUHR-7.3-g"
    assert game.company(company).floated


@pytest.mark.rule("RUHR-7.2-o")
def test_the_order_of_a_montan_turn() -> None:
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, 300, 90, A=2, B=1)
    a.own(game, "RB", "ann", 100)  # nothing to deal in
    a.operating(game, "RB", "income")
    game.settle()
    assert game.state.round.step == "dividend"
    assert a.refused(game, Develop("ann", "RB", "2+2", "AB")).rule == "RUHR-7.3-a"
    game.apply(mv.Dividend("ann", "RB", "pay"))
    assert game.state.round.step == "spend"
    assert a.refused(game, mv.Dividend("ann", "RB", "pay")).rule == "RUHR-7.3-a"
    assert game.company("RB").last_revenue == 40


@pytest.mark.rule("RUHR-7.3-a")
def test_the_order_of_a_railway_turn() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    rules = game.rules.rounds["operating"]
    assert rules.steps["railway"].order == ("track", "station", "run", "dividend", "trains")  # type: ignore[attr-defined]
    a.operating(game, "CME", "station")
    assert a.refused(game, mv.LayTile("ann", "CME", "P5", "55", 0)).rule == "RUHR-7.3-a"
    a.operating(game, "CME", "track")
    assert a.refused(game, mv.BuyTrain("ann", "CME", "2+2", BANK, 100)).rule == "RUHR-7.3-a"
    a.operating(game, "CME", "trains")
    assert a.refused(game, mv.PlaceStation("ann", "CME", "J7", 0)).rule == "RUHR-7.3-a"


@pytest.mark.rule("RUHR-7.3-d")
def test_track_is_optional_and_running_is_not() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.trains(game, "CME", "2+2")
    a.lay(game, "P5", "55", next_to_home(game))
    a.operating(game, "CME", "track")
    game.apply(mv.Pass("ann"))
    assert game.state.round.step == "run"
    assert a.refused(game, mv.Pass("ann")).rule == "RUHR-7.3-d"
    assert a.refused(game, mv.Run("ann", "CME", ())).rule == "RUHR-7.3-d"


def next_to_home(game: Game) -> int:
    """A rotation of tile 55 on P5 that joins Düsseldorf, to the south-west."""
    fits = game.rules.tiling.fits("P5", game.board.cover("P5"))
    return next(fit.rotation for fit in fits if fit.tile == "55" and fit.exits >> 4 & 1)


@pytest.mark.rule("RUHR-7.3-e", "RUHR-10.8.1-a", "RUHR-11-4-a", "RUHR-10.8.2-g")
def test_a_phase_change_takes_effect_at_once() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", treasury=2000)
    a.floated(game, "RhE", "bo")
    a.trains(game, "CME", "2+2")
    a.trains(game, "RhE", "2+2", "3+3")
    game.state.depot.pool.append("2+2")
    game.state.depot.left["2+2"] -= 1
    game.state.depot.sold["2+2"] += 1
    a.cards_left(game, t4=6)
    a.operating(game, "CME", "trains")
    game.state.phase = 1
    game.apply(mv.BuyTrain("ann", "CME", "4+4", BANK, 300))
    assert (game.company("CME").trains, game.company("RhE").trains, game.state.depot.pool) == (["4+4"], ["3+3"], [])
    assert (game.phase.name, game.phase.train_limit) == ("4", 3)


@pytest.mark.rule("RUHR-7.3-g", "RUHR-14.5-b")
def test_a_railway_sells_one_own_certificate_a_turn() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", 70, 0)
    a.operating(game, "CME", "track")
    assert a.offered(game, "sell_own_shares") == [10]
    game.apply(mv.SellOwnShares("ann", "CME", 10))
    assert (game.state.cash["CME"], game.prices.value("CME")) == (70, 65)
    assert a.refused(game, mv.SellOwnShares("ann", "CME", 10)).rule == "RUHR-7.3-g"
    # Never beyond half in the pool, never the director's certificate.
    a.own(game, "CME", "ann", 40)
    a.own(game, "CME", POOL, 50)
    a.operating(game, "CME", "track")
    assert a.refused(game, mv.SellOwnShares("ann", "CME", 10)).rule == "RUHR-14.4-a"
    # A 20 % certificate of DGEE counts and brings two shares.
    a.floated(game, "DGEE", "ann", 70, 0)
    a.operating(game, "DGEE", "track")
    game.apply(mv.SellOwnShares("ann", "DGEE", 20))
    assert (game.state.cash["DGEE"], game.prices.value("DGEE")) == (140, 65)


@pytest.mark.rule("RUHR-7.4-b", "RUHR-12-c", "RUHR-11-4-c")
def test_from_the_first_4_on_a_montan_round_follows_the_set() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.passive(game, 11)
    RoundCards.of(game).cards = list(game.state.seats)
    game.state.priority = "di"
    a.phase(game, "3")
    a.operating(game, "CME", "trains", 2, 2)
    whole_turn(game)
    assert game.state.round.kind == "stock"  # no 4 yet
    a.phase(game, "4")
    a.operating(game, "CME", "trains", 1, 2)
    game.apply(mv.Pass("ann"))
    assert (game.state.round.kind, game.state.round.operating_number) == ("operating", 2)
    whole_turn(game)
    assert (game.state.round.kind, a.asked(game)) == ("founding", "ann")
    for player in game.state.seats:
        game.apply(mv.Pass(player))
    assert game.state.round.kind == "stock"
    assert game.state.priority == "di"


# ---------------------------------------------------------------------- cards


@pytest.mark.rule("RUHR-8-a", "RUHR-8-b", "RUHR-9.1.1.2-c")
def test_a_card_gives_markers_for_one_price() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 250, A=2, B=1)
    a.operating(game, "MC10", "spend")
    assert {"A", "AA", "AB", "B"} <= set(a.offered(game, "develop", card="2+2"))
    assert all(len(text) <= 2 for text in a.offered(game, "develop", card="2+2"))
    assert a.refused(game, Develop("ann", "MC10", "2+2", "AAB")).rule == "RUHR-8-a"
    assert a.refused(game, Develop("ann", "MC10", "2+2", "")).rule == "RUHR-8-a"  # not just to move on
    bank, left = game.state.cash[BANK], game.state.depot.left["2+2"]
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    assert (game.state.cash["MC10"], game.state.cash[BANK]) == (150, bank + 100)
    # The card is out of the game.
    assert game.state.depot.left["2+2"] == left - 1
    assert game.state.depot.gone.count("2+2") == 1
    assert not game.state.depot.pool
    a.cash(game, "MC10", 99)
    a.operating(game, "MC10", "spend")
    assert a.refused(game, Develop("ann", "MC10", "2+2", "A")).rule == "RUHR-8-a"


@pytest.mark.rule("RUHR-8-e", "RUHR-8-f", "RUHR-8-g")
def test_a_railway_gets_trains() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann", treasury=250)
    a.operating(game, "CME", "trains")
    bank = game.state.cash[BANK]
    assert not {"develop", "buy_engine"} & a.names(game)
    a.walk(game, mv.BuyTrain("ann", "CME", "2+2", BANK, 100), mv.BuyTrain("ann", "CME", "2+2", BANK, 100))
    assert game.company("CME").trains == ["2+2", "2+2"]
    assert (game.state.cash["CME"], game.state.cash[BANK]) == (50, bank + 200)
    assert a.refused(game, BuyEngine("ann", "CME", "2+2", BANK)).rule == "RUHR-7.3-a"


@pytest.mark.rule("RUHR-8-h", "RUHR-8-j", "RUHR-11-3", "RUHR-9.1.1.1-a")
def test_whoever_buys_the_first_card_of_a_type_begins_the_phase() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 500, A=2, B=2)
    a.operating(game, "MC10", "spend")
    assert a.refused(game, Develop("ann", "MC10", "2+2", "C")).rule == "RUHR-9.1.1.1-a"
    a.cards_left(game, t3=7)
    a.operating(game, "MC10", "spend")
    game.apply(Develop("ann", "MC10", "3+3", "CC"))
    assert game.phase.name == "3"
    assert works.charter(game, "MC10").markers == {"A": 2, "B": 2, "C": 2}


@pytest.mark.rule("RUHR-8-h", "RUHR-10.8.2-c")
def test_used_cards_begin_no_phase() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME", "ann")
    a.floated(game, "RhE", "ann")
    a.trains(game, "RhE", "5+5")
    game.state.depot.pool.append("4+4")
    game.state.depot.left["4+4"] -= 1
    a.operating(game, "CME", "trains")
    a.walk(game, mv.BuyTrain("ann", "CME", "4+4", POOL, 300), mv.BuyTrain("ann", "CME", "5+5", "RhE", 1))
    assert game.phase.name == "2"


@pytest.mark.rule("RUHR-8-i", "RUHR-10.8.1-d", "RUHR-10.8.1-e", "RUHR-11-6-a")
def test_cards_are_bought_in_the_order_of_types() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 900, A=3, B=3)
    a.floated(game, "CME", "ann", treasury=3000)
    a.operating(game, "MC10", "spend")
    assert a.refused(game, Develop("ann", "MC10", "3+3", "A")).rule == "RUHR-10.8.1-d"
    a.operating(game, "CME", "trains")
    assert a.refused(game, mv.BuyTrain("ann", "CME", "3+3", BANK, 200)).rule == "RUHR-10.8.1-d"
    a.cards_left(game, t6=3, t8=8)
    a.operating(game, "CME", "trains")
    assert a.offered(game, "buy_train", source=BANK) == ["6+6"]
    game.apply(mv.BuyTrain("ann", "CME", "6+6", BANK, 600))
    assert a.offered(game, "buy_train", source=BANK) == ["6+6", "8+8"]
    a.operating(game, "MC10", "spend")
    assert a.offered(game, "develop") == ["6+6", "8+8"]


@pytest.mark.rule("RUHR-8-j", "RUHR-11-8-b")
def test_the_phase_that_a_card_begins_holds_for_it() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 900, A=2, B=2)
    a.cards_left(game, t4=6)
    game.state.phase = 1
    a.operating(game, "MC10", "spend")
    game.apply(Develop("ann", "MC10", "4+4", "AAB"))
    assert works.income(game, "MC10") == 60  # the new A earns nothing
    a.montan(game, "RB", "ann", 5, 900, D=1)
    a.phase(game, "6")
    a.cards_left(game, t8=8)
    game.state.depot.sold["8+8"] = 0
    game.state.depot.gone = [card for card in game.state.depot.gone if card != "8+8"]
    a.operating(game, "RB", "spend")
    assert "W4" in [
        game.rules.definition.tables.cards[card].engine for card in a.offered(game, "buy_engine", source=BANK)
    ]
    game.apply(Develop("ann", "RB", "8+8", next(t for t in a.offered(game, "develop", card="8+8") if "X" in t)))
    assert game.phase.name == "8"
    assert works.charter(game, "RB").markers["X"] >= 1
