"""The Railway Game for two: the Investor's railway in operating rounds (ledger section 8.2.2.1)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import BuyOwnShare, BuyTrain, Run, SellOwnShares, TrainPath
from engine.remembered import Earned, OrderOfRound
from engine.state import BANK, POOL
from tests.titles.do import investing as i
from tests.titles.do import railway as r
from titles.do.board.links import LinkLocation, LinkTokens
from titles.do.railways.private_breweries import BreweryCards, TurnBrewery
from titles.do.two.investor import Investment
from titles.rhineland.investor import INVESTOR


def buying(
    phase: str,
    treasury: int,
    own: tuple[str, ...] = (),
    *,
    company: str = "CME",
    price: tuple[int, int] = (6, 3),
    **left: int,
) -> Game:
    """The Investor's railway at its train step, run by bo; so many trains are left (`t3=1`). The Investor has 0."""
    game = i.later(company)
    era(game, phase, **left)
    r.trains(game, company, *own)
    r.cell(game, company, *price)
    r.cash(game, company, treasury)
    r.cash(game, INVESTOR, 0)
    r.operating(game, company, "trains")
    return game


def run(path: str, train: str = "3") -> Run:
    return Run("bo", "BME", (TrainPath(train, tuple(path.split())),))


def era(game: Game, phase: str, **left: int) -> None:
    """A phase in which trains of its type are on display, none of earlier ones; or so many as are named (`t4=3`)."""
    r.phase(game, phase)
    r.left(game, **(left or {f"t{phase}": game.state.depot.left[phase]}))


def running(phase: str = "2", *own: str, **left: int) -> Game:
    """The run of BME, the Investor's: from I10 over H11 and G10 to the steel mill G12."""
    game = i.later("BME")
    era(game, phase, **left)
    r.trains(game, "BME", *own)
    r.south(game)
    r.operating(game, "BME", "run")
    return game


# ---------------------------------------------------------------------- who decides what


@pytest.mark.rule("DO-8.2.2-a")
@pytest.mark.parametrize("holder", ["ann", "bo"])
def test_the_holder_of_the_card_decides_what_is_free(holder: str) -> None:
    game = i.running("track", holder, "BME")
    other = game.after(holder)
    assert r.asked(game) == holder
    assert r.refused(game, mv.Pass(other)).key == "turn.player"
    assert {"lay_tile", "pass"} <= r.names(game)
    r.south(game)
    r.link(game, "G12", 10)
    r.phase(game, "3")
    r.operating(game, "BME", "station")
    game.apply(mv.PlaceStation(holder, "BME", "G12", 0))
    r.operating(game, "BME", "link")
    assert {"link_location", "pass"} <= r.names(game)
    game.apply(LinkLocation(holder, "BME", "G12"))
    assert LinkTokens.of(game).values["G12"] == 20
    assert BreweryCards.of(game).cubes["P3"] == 1, "R-90: on his own card"


@pytest.mark.rule("DO-8.2.2-a")
def test_his_private_brewery_is_turned_in_the_turn_of_his_railway() -> None:
    game = i.running("track", "bo", "BME")
    assert r.offered(game, "turn_brewery") == ["P3"]
    assert r.offered(game, "turn_brewery", private="P3") == ["BME"]
    assert r.refused(game, TurnBrewery("bo", "P4", "KWE")).rule == "DO-4.3.1-e", "bo's own waits for bo's turn"
    game.apply(TurnBrewery("bo", "P3", "BME"))
    assert BreweryCards.of(game).markers["P3"] == "BME"
    r.operating(game, "KWE")
    assert r.offered(game, "turn_brewery") == ["P4"]
    r.stock(game, "ann")
    assert r.offered(game, "turn_brewery") == ["P1"]


@pytest.mark.rule("DO-8.2.2.1-a")
def test_it_acts_at_the_place_of_its_price() -> None:
    game = i.later("CME")
    for company, at in (("BME", (4, 4)), ("CME", (5, 5)), ("KWE", (5, 3))):
        r.cell(game, company, *at)
    rules = game.rules.rounds["operating"]
    rules.begin(game, 1, 1)  # type: ignore[attr-defined]
    assert OrderOfRound.of(game).order == ["CME", "BME", "KWE"], "65 further right, 65, 55"
    r.cell(game, "CME", 5, 4)
    rules.begin(game, 1, 1)  # type: ignore[attr-defined]
    assert OrderOfRound.of(game).order == ["BME", "CME", "KWE"]


@pytest.mark.rule("DO-8.2.2.1-a")
def test_its_trains_run_for_the_most() -> None:
    game = running("3", "3")
    r.put(game, "F11", "8", "NE", "SE")
    assert r.refused(game, run("I10:a H11 G10 G12:a")).rule == "DO-8.2.2.1-a", "60, and 130 are possible"
    game.apply(run("I10:a H11 G10 G12:a F11 E12:a"))
    assert game.company("BME").last_revenue == 130


@pytest.mark.rule("DO-8.2.2.1-a")
def test_export_beer_of_his_card_is_a_part_of_the_most() -> None:
    game = running("5", "5")
    r.put(game, "F11", "8", "NE", "SE")
    r.cubes(game, INVESTOR, 2)
    r.operating(game, "BME", "run")
    (route,) = game.best_routes("BME").routes
    assert route.train == "5+1"
    path = " ".join(route.path)
    refusal = r.refused(game, run(path, train="5"))
    assert (refusal.rule, refusal.facts["best"]) == ("DO-8.2.2.1-a", route.value)
    game.apply(run(path, train="5+1"))
    assert game.company("BME").last_revenue == route.value
    assert BreweryCards.of(game).cubes["P3"] == 1


# ---------------------------------------------------------------------- dividends


def paid(phase: str, *own: str, **left: int) -> tuple[str, int]:
    """How the railway uses an income of 70 with these trains, and where its price goes from 50."""
    game = running(phase, *own, **left)
    game.state.round.step = "dividend"
    Earned.of(game).revenue = 70
    before = game.state.cash["BME"], game.state.cash[INVESTOR]
    i.goes_on(game)
    treasury, cash = game.state.cash["BME"] - before[0], game.state.cash[INVESTOR] - before[1]
    assert (treasury, cash) in ((70, 0), (35, 35))
    return ("paid" if cash else "kept"), game.prices.value("BME")


@pytest.mark.rule("DO-8.2.2.1-b")
def test_it_pays_only_with_a_train_of_the_newest_type_on_display() -> None:
    assert paid("3", "3") == ("paid", 55)
    assert paid("3", "2", "2") == ("kept", 40)
    assert paid("3", "3", t4=3) == ("kept", 40), "R-85: the last 3-train is gone"
    assert paid("2", "2", t3=5) == ("kept", 40)
    assert paid("6", "5", t6=2) == ("paid", 55)
    assert paid("6", "4", t6=2) == ("kept", 40)
    assert paid("8", "6", t8=3) == ("paid", 55)


# ---------------------------------------------------------------------- trains


@pytest.mark.rule("DO-8.2.2.1-c")
def test_a_train_of_the_phase_is_a_duty_if_the_treasury_pays_it() -> None:
    game = buying("3", 200, ("2", "2"))
    assert r.names(game) == {"buy_train", "turn_brewery"}
    refusal = r.refused(game, mv.Pass("bo"))
    assert (refusal.rule, refusal.key) == ("DO-8.2.2.1-c", "train.duty.current")
    game.apply(BuyTrain("bo", "CME", "3", BANK, 180))
    assert (game.company("CME").trains, game.state.cash["CME"]) == (["2", "2", "3"], 20)


@pytest.mark.rule("DO-8.2.2.1-c")
@pytest.mark.parametrize(
    ("phase", "treasury", "own", "left"),
    [
        ("3", 120, ("2", "2"), {}),  # too little
        ("3", 200, ("2", "2", "2", "2"), {}),  # no room
        ("3", 400, ("2", "3"), {"t4": 3}),  # it has one of the phase
        ("5", 700, ("4", "4"), {}),  # no room
    ],
)
def test_otherwise_it_need_not_buy(phase: str, treasury: int, own: tuple[str, ...], left: dict[str, int]) -> None:
    game = buying(phase, treasury, own, **left)
    if game.state.round.actor == "CME" and game.state.round.step == "trains":
        assert not game.rules.rounds["operating"].steps["invested"]["trains"].must_buy(game, "CME")  # type: ignore
        i.goes_on(game)
    assert game.company("CME").trains == list(own)


@pytest.mark.rule("DO-8.2.2.1-c")
def test_without_the_type_of_the_phase_on_display_the_next_is_due() -> None:
    game = buying("3", 400, ("2",), t4=3)
    assert r.offered(game, "buy_train", source=BANK) == ["4"]
    assert r.refused(game, mv.Pass("bo")).rule == "DO-8.2.2.1-c"
    game = buying("6", 2000, ("5",), t6=1)
    assert r.refused(game, BuyTrain("bo", "CME", "8", BANK, 800)).key == "train.current", "the 6 comes first"
    assert r.offered(game, "buy_train", source=BANK) == ["6"]
    game = buying("8", 2000, ("5",), t6=1, t8=4)
    assert r.offered(game, "buy_train", source=BANK) == ["8"], "the type of the phase, though a 6 lies on top"
    assert r.refused(game, BuyTrain("bo", "CME", "6", BANK, 630)).key == "train.current"


@pytest.mark.rule("DO-8.2.2.1-d")
def test_it_buys_new_trains_only() -> None:
    game = buying("3", 1000, ("3",))
    r.trains(game, "KWE", "2")
    game.state.depot.gone.remove("2")
    game.state.depot.pool.append("2")
    r.take_offer(game)
    assert r.offered(game, "buy_train") == [BANK]
    for source, train, price in ((POOL, "2", 80), ("KWE", "2", 10)):
        refusal = r.refused(game, BuyTrain("bo", "CME", train, source, price))
        assert (refusal.rule, refusal.key) == ("DO-8.2.2.1-d", "train.new_only")
    game.apply(BuyTrain("bo", "CME", "3", BANK, 180))
    assert game.company("CME").trains == ["3", "3"], "more than it must is the holder's choice"


@pytest.mark.rule("DO-8.2.2.1-d")
def test_it_never_sells_one() -> None:
    game = i.later("CME")
    r.phase(game, "3")
    r.trains(game, "CME", "2")
    r.trains(game, "KWE", "3")
    r.trains(game, "BME", "2")
    r.operating(game, "KWE", "trains")
    assert r.offered(game, "buy_train") == [BANK, "BME"]
    assert r.refused(game, BuyTrain("bo", "KWE", "2", "CME", 50)).rule == "DO-8.2.2.1-d"


# ---------------------------------------------------------------------- the forced purchase


def forced(
    phase: str, treasury: int, cash: int, *, bme: int = 0, kwe: int = 0, own: int = 0, price: tuple[int, int] = (2, 6)
) -> Game:
    """CME (at 90) has no train and buys by force; the Investor has cash and so much of BME (65) and KWE (60)."""
    game = i.later("CME")
    era(game, phase)
    r.cell(game, "CME", *price)
    r.own(game, "BME", INVESTOR, bme)
    r.own(game, "KWE", INVESTOR, kwe)
    r.own(game, "CME", POOL, 50 - own)
    r.cash(game, "CME", treasury)
    r.cash(game, INVESTOR, cash)
    r.operating(game, "CME", "trains")
    i.goes_on(game)
    return game


@pytest.mark.rule("DO-8.2.2.1-e")
def test_a_forced_purchase_takes_every_source_in_its_order() -> None:
    game = forced("6", 30, 100, bme=10, kwe=20, own=20)
    # 630 - 30 = 600 short: two own certificates 180, cash 100, two of KWE 120, one of BME 65, a loan of 135
    assert game.company("CME").trains == ["6"]
    assert (game.state.cash["CME"], game.state.cash[INVESTOR]) == (0, 0)
    assert (r.held(game, "CME", "CME"), i.his(game, "CME")) == (0, 50)
    assert (i.his(game, "KWE"), i.his(game, "BME")) == (0, 0)
    assert Investment.of(game).owed == {"CME": 135}
    assert r.price(game, "CME") == (75, 2, 4), "one left for each 10 %"
    assert r.price(game, "KWE")[0] == 50, "two down"
    assert game.state.cash["bo"] == 1000, "never money of the holder"
    assert game.state.loans["bo"] == 0
    assert not faults(game)


@pytest.mark.rule("DO-8.2.2.1-e")
@pytest.mark.parametrize(
    ("treasury", "cash", "own_left", "cash_left", "kwe", "bme", "owed"),
    [
        (550, 500, 10, 500, 20, 10, 0),  # one own certificate is enough
        (400, 500, 0, 450, 20, 10, 0),  # both (180), and 50 of his cash
        (400, 20, 0, 30, 10, 10, 0),  # and one of KWE for the last 30
        (300, 10, 0, 45, 0, 0, 0),  # and both of KWE (120) and one of BME (65) for 140
    ],
)
def test_no_more_is_used_than_needed(
    treasury: int, cash: int, own_left: int, cash_left: int, kwe: int, bme: int, owed: int
) -> None:
    game = forced("6", treasury, cash, bme=10, kwe=20, own=20)
    assert game.company("CME").trains == ["6"]
    assert r.held(game, "CME", "CME") == own_left
    assert game.state.cash[INVESTOR] + game.state.cash["CME"] == cash_left + (10 if own_left else 0)
    assert (i.his(game, "KWE"), i.his(game, "BME")) == (kwe, bme)
    assert Investment.of(game).owed.get("CME", 0) == owed
    assert not faults(game)


@pytest.mark.rule("DO-8.2.2.1-e")
def test_the_loan_is_paid_back_out_of_income_without_interest() -> None:
    game = running("5", "5")
    Investment.of(game).owed = {"BME": 250}
    r.cash(game, "BME", 100)
    for owed, treasury, price in ((50, 100, 40), (0, 250, 20)):
        game.state.round.step = "dividend"
        Earned.of(game).revenue = 200
        i.goes_on(game)
        assert Investment.of(game).owed.get("BME", 0) == owed
        assert (game.state.cash["BME"], game.prices.value("BME")) == (treasury, price), "nothing is paid out"
        r.operating(game, "BME", "dividend")
    assert game.state.cash[INVESTOR] == 1000
    Earned.of(game).revenue = 200
    i.goes_on(game)
    assert game.state.cash[INVESTOR] == 1100, "and then it pays again"


@pytest.mark.rule("DO-8.2.2.1-e")
def test_a_forced_purchase_takes_the_cheapest_new_train_and_none_of_the_pool() -> None:
    game = i.later("CME")
    era(game, "6", t6=1)
    game.state.depot.gone.remove("4")
    game.state.depot.pool.append("4")
    r.cash(game, "CME", 100)
    r.operating(game, "CME", "trains")
    i.goes_on(game)
    assert game.company("CME").trains == ["6"]


# ---------------------------------------------------------------------- its own certificates


@pytest.mark.rule("DO-8.2.2.1-f")
def test_it_may_sell_one_certificate_for_a_train_of_the_phase() -> None:
    game = buying("3", 130, ("2",), price=(4, 3))
    assert r.names(game) >= {"sell_own_shares", "pass"}
    game.apply(SellOwnShares("bo", "CME", 10))
    assert (game.state.cash["CME"], r.price(game, "CME")) == (190, (55, 4, 2))
    assert r.refused(game, mv.Pass("bo")).rule == "DO-8.2.2.1-c", "now it can pay, and must"
    game.apply(BuyTrain("bo", "CME", "3", BANK, 180))
    game = buying("3", 130, ("2",), price=(4, 3))
    game.apply(mv.Pass("bo"))
    assert game.company("CME").trains == ["2"], "it need not"


@pytest.mark.rule("DO-8.2.2.1-f")
@pytest.mark.parametrize(
    ("treasury", "own", "step"),
    [
        (119, ("2",), "trains"),  # still not enough
        (130, ("3",), "trains"),  # has one
        (300, ("2",), "trains"),  # can pay it without
        (130, ("2",), "track"),  # for trains only
        (130, ("2", "2", "2", "2"), "trains"),  # no room
    ],
)
def test_otherwise_it_sells_none(treasury: int, own: tuple[str, ...], step: str) -> None:
    game = buying("3", treasury, own, price=(4, 3))
    game.state.round.step = step
    r.take_offer(game)
    assert "sell_own_shares" not in r.names(game)
    refusal = r.refused(game, SellOwnShares("bo", "CME", 10))
    assert (refusal.rule, refusal.key) == ("DO-8.2.2.1-f", "investor.deal")


@pytest.mark.rule("DO-8.2.2.1-f")
@pytest.mark.parametrize(
    ("own", "treasury", "pool", "back"),
    [(("5",), 300, 20, True), (("4",), 300, 20, False), (("5",), 49, 20, False), (("5",), 300, 0, False)],
)
def test_with_a_train_that_lasts_it_buys_one_back_by_itself(
    own: tuple[str, ...], treasury: int, pool: int, back: bool
) -> None:
    game = buying("5", treasury, own)
    i.pooled(game, "CME", pool)
    r.take_offer(game)
    assert r.refused(game, BuyOwnShare("bo", "CME", 10)).rule == "DO-8.2.2.1-f"
    i.goes_on(game)
    if game.state.round.actor == "CME":
        game.apply(mv.Pass("bo"))
    assert r.held(game, "CME", POOL) == pool - (10 if back else 0)
    assert game.state.cash["CME"] == treasury - (50 if back else 0)


@pytest.mark.rule("DO-8.2.2.1-f")
def test_not_after_a_sale_in_the_same_turn() -> None:
    game = buying("5", 400, ("4",), price=(4, 3))
    game.apply(SellOwnShares("bo", "CME", 10))
    game.apply(BuyTrain("bo", "CME", "5", BANK, 450))
    while game.state.round.actor == "CME":
        game.apply(mv.Pass("bo"))
    assert r.held(game, "CME", POOL) == 10
