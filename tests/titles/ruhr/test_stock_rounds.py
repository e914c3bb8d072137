"""Stock rounds, the end, definitions (ledger sections 1 and 13 to 16)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.remembered import Earned
from engine.state import BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.bank import BankRefilled
from titles.ruhr.remembered import Ending, NewCorporations
from titles.ruhr.stock import MontanSettles


def trading(player: str = "ann", value: int = 100, **holdings: int) -> Game:
    """CME of ann has operated; so much of it is in these hands."""
    game = a.second_stock_round(player=player)
    a.floated(game, "CME", "ann")
    a.price_at(game, "CME", value)
    for who, percent in holdings.items():
        a.own(game, "CME", who, percent)
    a.stock(game, player)
    return game


def end_round(game: Game) -> None:
    number = game.state.round.stock_number
    while game.state.round.kind == "stock" and game.state.round.stock_number == number:
        game.apply(mv.Pass(a.asked(game)))


@pytest.mark.rule("RUHR-13.1-a", "RUHR-14.5-b")
def test_sales_then_one_purchase() -> None:
    game = trading(ann=60, bo=20)
    a.floated(game, "RhE", "bo")
    a.own(game, "RhE", "ann", 20)
    a.stock(game, "ann")
    game.apply(mv.SellShares("ann", "CME", 20))
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert a.refused(game, mv.SellShares("ann", "CME", 10)).rule == "RUHR-14.5-b"  # one sale of a company a turn
    game.apply(mv.Found("ann", "KWE", 60))
    assert a.asked(game) == "bo"
    game = trading(ann=60)
    game.apply(mv.BuyShare("ann", "CME", OFFERING, 10))
    assert a.refused(game, mv.SellShares("ann", "CME", 10)).rule == "RUHR-13.2-a"
    assert a.asked(game) == "bo"


@pytest.mark.rule("RUHR-13.1-b", "RUHR-14.2-g")
def test_one_price_for_old_and_new() -> None:
    game = trading(ann=50)
    a.own(game, "CME", POOL, 20)
    a.stock(game, "bo")
    prices = {o.value: o.facts["price"] for o in game.offer().find("buy_share").ask({"company": "CME"}).options}  # type: ignore[union-attr]
    assert prices == {OFFERING: 100, POOL: 100}
    bank, treasury = game.state.cash[BANK], game.state.cash["CME"]
    game.apply(mv.BuyShare("bo", "CME", POOL, 10))
    assert (game.state.cash[BANK], game.state.cash["CME"]) == (bank + 100, treasury)


@pytest.mark.rule("RUHR-13.2-a", "RUHR-14.2-i")
def test_the_round_ends_when_all_pass_in_a_row() -> None:
    game = trading(ann=50, bo=20)
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"))
    game.apply(mv.BuyShare("di", "CME", OFFERING, 10))
    for player in ("ann", "bo", "cy"):
        assert game.state.round.kind == "stock"
        game.apply(mv.Pass(player))
    assert (game.state.round.kind, a.asked(game)) == ("stock", "di")
    game.apply(mv.Pass("di"))
    assert game.state.round.kind == "operating"
    game = trading(ann=50, bo=20)
    a.walk(game, mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"), mv.BuyShare("di", "CME", OFFERING, 10), mv.Pass("ann"))
    game.apply(mv.SellShares("bo", "CME", 10))  # a sale gives one more turn too
    game.apply(mv.Pass("bo"))
    for player in ("cy", "di", "ann"):
        assert game.state.round.kind == "stock"
        game.apply(mv.Pass(player))
    assert (game.state.round.kind, a.asked(game)) == ("stock", "bo")


@pytest.mark.rule("RUHR-13.2-b", "RUHR-13.2-c")
def test_the_priority_deal_follows_the_last_trade() -> None:
    game = trading(ann=50, bo=20)
    a.walk(game, mv.BuyShare("ann", "CME", OFFERING, 10), mv.SellShares("bo", "CME", 10), mv.Pass("bo"))
    end_round(game)
    assert game.state.priority == "cy"
    game = trading(ann=50)
    game.state.priority = "di"
    end_round(game)
    assert game.state.priority == "di"


@pytest.mark.rule("RUHR-13.3-a", "RUHR-13.3-b", "RUHR-13.3.1-a")
def test_half_of_a_railway_floats_it() -> None:
    game = a.second_stock_round()
    a.founded(game, "CME", "ann", 70)
    a.own(game, "CME", "ann", 60)
    a.founded(game, "RhE", "bo", 70)
    a.own(game, "RhE", "bo", 40)
    a.founded(game, "KWE", "cy", 60)
    a.own(game, "KWE", "cy", 50)
    a.stock(game, "ann")
    bank = game.state.cash[BANK]
    end_round(game)
    assert (game.company("CME").floated, game.state.cash["CME"]) == (True, 420)
    assert (game.company("KWE").floated, game.state.cash["KWE"]) == (True, 300)
    assert game.state.cash[BANK] == bank - 420 - 300
    assert shares.held(game, "CME", OFFERING) == 40
    assert (game.company("RhE").floated, game.state.cash["RhE"]) == (False, 0)
    assert game.rules.rounds["operating"].order(game) == ["CME", "KWE"]  # type: ignore[attr-defined]


@pytest.mark.rule("RUHR-13.3-a")
def test_buying_back_does_not_end_a_float() -> None:
    game = trading(ann=40)
    assert shares.held(game, "CME", OFFERING) == 60
    end_round(game)
    assert game.company("CME").floated
    assert game.state.round.actor == "CME"


@pytest.mark.rule("RUHR-13.3.1-d")
@pytest.mark.parametrize("phase", ["5", "8"])
def test_from_brown_on_ten_times_the_value(phase: str) -> None:
    game = a.second_stock_round()
    a.phase(game, phase)
    a.founded(game, "CME", "ann", 100)
    a.own(game, "CME", "ann", 50)
    a.stock(game, "ann")
    end_round(game)
    assert game.state.cash["CME"] == 1000
    assert (shares.held(game, "CME", OFFERING), shares.held(game, "CME", POOL)) == (0, 50)
    assert game.prices.value("CME") == 100
    # Of its starting value, even if its founder's ruin has lowered the price since.
    game = a.second_stock_round()
    a.phase(game, phase)
    a.founded(game, "CME", "ann", 100)
    a.own(game, "CME", "ann", 50)
    a.price_at(game, "CME", 90)
    a.stock(game, "ann")
    end_round(game)
    assert game.state.cash["CME"] == 1000


@pytest.mark.rule("RUHR-13.3.2-a")
def test_a_corporation_of_the_green_phase_keeps_two_certificates() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    a.montan(game, "RB", "ann", 5, 0, 60)
    NewCorporations.of(game).fresh = {"RB": "green"}
    a.stock(game, "ann")
    end_round(game)
    assert game.state.cash["RB"] == 120
    assert game.prices.value("RB") == 50
    assert (shares.held(game, "RB", OFFERING), shares.held(game, "RB", POOL)) == (40, 40)
    assert NewCorporations.of(game).fresh == {}


@pytest.mark.rule("RUHR-13.3.2-a")
@pytest.mark.parametrize("left", [0, 1, 2])
def test_of_two_certificates_or_fewer_none_goes_to_the_pool_in_green(left: int) -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    a.montan(game, "RB", "ann", 5, 0, 60)
    a.own(game, "RB", "ann", 100 - 20 * left)
    NewCorporations.of(game).fresh = {"RB": "green"}
    a.stock(game, "ann")
    end_round(game)
    assert (shares.held(game, "RB", OFFERING), shares.held(game, "RB", POOL)) == (20 * left, 0)
    assert (game.state.cash["RB"], game.prices.value("RB")) == (0, 60)


@pytest.mark.rule("RUHR-13.3.2-a", "RUHR-7.1-d")
def test_of_two_that_settle_in_one_box_the_dearer_lies_on_top() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    a.montan(game, "RB", "ann", 5, 0, 60)
    a.own(game, "RB", "ann", 40)
    a.montan(game, "SK", "bo", 7, 0, 65)
    NewCorporations.of(game).fresh = {"RB": "green", "SK": "green"}  # founded in this order
    MontanSettles().round_over(game)
    assert (game.prices.value("RB"), game.prices.value("SK")) == (55, 55)
    assert game.prices.order() == ["SK", "RB"]


@pytest.mark.rule("RUHR-13.3.2-b", "RUHR-13.3.2-x1")
def test_example_sk_at_100_in_phase_6() -> None:
    from titles.ruhr.founding import FoundMontan

    game = a.second_stock_round()
    a.phase(game, "6")
    at = a.passive(game, 11)
    a.montan_round(game, "ann", "bo")
    a.walk(game, FoundMontan("ann", at, "SK", 100), mv.BuyShare("ann", "SK", OFFERING, 20))
    while game.state.round.kind != "stock":
        game.apply(mv.Pass(a.asked(game)))
    end_round(game)
    assert game.prices.value("SK") == 75
    assert (shares.held(game, "SK", OFFERING), shares.held(game, "SK", POOL)) == (0, 60)
    assert game.state.cash["SK"] == 450
    # The phase of the founding counts, not that of the stock round.
    game = a.second_stock_round()
    a.phase(game, "6")
    a.montan(game, "RB", "ann", 5, 0, 60)
    NewCorporations.of(game).fresh = {"RB": "green"}
    MontanSettles().round_over(game)
    assert shares.held(game, "RB", OFFERING) == 40


@pytest.mark.rule("RUHR-14.2-d")
@pytest.mark.parametrize(
    ("phase", "values"),
    [
        ("2", [70, 65, 60, 55, 50]),
        ("3", [80, 75, 70, 65, 60, 55, 50]),
        ("4", [80, 75, 70, 65, 60, 55, 50]),
        ("5", [100, 90, 80, 75, 70, 65, 60, 55, 50]),
        ("8", [100, 90, 80, 75, 70, 65, 60, 55, 50]),
    ],
)
def test_starting_values_by_phase(phase: str, values: list[int]) -> None:
    game = a.second_stock_round()
    if phase != "2":
        a.phase(game, phase)
    a.stock(game, "ann")
    assert a.offered(game, "found", company="CME") == values
    for wrong in {45, 75, 80, 85, 90, 100, 110} - set(values):
        assert a.refused(game, mv.Found("ann", "CME", wrong)).rule == "RUHR-14.2-d"


@pytest.mark.rule("RUHR-14.2-e")
def test_a_new_marker_goes_under_the_others() -> None:
    game = a.second_stock_round()
    a.walk(game, mv.Found("ann", "CME", 70), mv.Found("bo", "RhE", 70))
    assert game.prices.order() == ["CME", "RhE"]


@pytest.mark.rule("RUHR-14.2-f")
def test_who_is_paid_for_a_new_certificate() -> None:
    game = a.second_stock_round()
    a.founded(game, "CME", "ann", 70)
    a.stock(game, "bo")
    bank = game.state.cash[BANK]
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))
    assert (game.state.cash["CME"], game.state.cash[BANK]) == (0, bank + 70)
    a.floated(game, "CME", "ann", 70, 0)
    a.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))
    assert game.state.cash["CME"] == 70
    a.montan(game, "RB", "ann", 5, 0, 60)
    a.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "RB", OFFERING, 20))
    assert game.state.cash["RB"] == 60


@pytest.mark.rule("RUHR-14.2-g")
def test_a_montan_certificate_of_the_pool_is_paid_to_the_bank() -> None:
    game = a.second_stock_round()
    a.montan(game, "RB", "ann", 5, 0, 60)
    a.own(game, "RB", POOL, 20)
    a.stock(game, "bo")
    bank = game.state.cash[BANK]
    game.apply(mv.BuyShare("bo", "RB", POOL, 20))
    assert (game.state.cash["RB"], game.state.cash[BANK]) == (0, bank + 60)


@pytest.mark.rule("RUHR-14.2-h", "RUHR-14.4-d")
def test_who_has_sold_may_not_buy_back_in_the_round() -> None:
    game = trading(ann=50, bo=20)
    a.stock(game, "bo")
    game.apply(mv.SellShares("bo", "CME", 10))
    for source in (OFFERING, POOL):
        assert a.refused(game, mv.BuyShare("bo", "CME", source, 10)).rule == "RUHR-14.2-h"
    game.apply(mv.Pass("bo"))
    game.apply(mv.BuyShare("cy", "CME", POOL, 10))
    a.stock(game, "bo")
    game.apply(mv.BuyShare("bo", "CME", OFFERING, 10))


@pytest.mark.rule("RUHR-14.3-a")
@pytest.mark.parametrize(("players", "limit"), [(3, 25), (4, 18), (5, 15), (6, 12)])
def test_the_certificate_limit(players: int, limit: int) -> None:
    game = a.second_stock_round(players)
    for name in ("CME", "RhE", "KWE"):
        a.founded(game, name, "bo")
    count = 0
    for name in ("CME", "RhE", "KWE"):
        for number in range(1, 9):
            if count < limit:
                game.company(name).certificates[number] = "ann"
                count += 1
    if count < limit:
        a.mine(game, 10, "ann")
    assert shares.certificates(game, "ann") == limit
    a.founded(game, "PWB", "cy")
    a.stock(game, "ann")
    assert a.refused(game, mv.BuyShare("ann", "PWB", OFFERING, 10)).rule == "RUHR-14.3-a"
    assert a.refused(game, mv.Found("ann", "EH", 50)).rule == "RUHR-14.3-a"
    game.company("CME").certificates[1] = OFFERING
    a.take_offer(game)
    game.apply(mv.BuyShare("ann", "PWB", OFFERING, 10))


@pytest.mark.rule("RUHR-14.3-a")
def test_what_counts_as_one() -> None:
    game = a.second_stock_round()
    a.private(game, "PBME", "ann")
    a.founded(game, "BME", "ann")
    assert shares.certificates(game, "ann") == 2
    a.founded(game, "DGEE", "bo")
    game.company("DGEE").certificates[1] = "ann"
    assert shares.certificates(game, "ann") == 3


@pytest.mark.rule("RUHR-14.3-b")
def test_whoever_is_over_the_limit_must_sell() -> None:
    game = a.second_stock_round(6)
    for name in ("CME", "RhE"):
        a.floated(game, name, "bo")
    a.own(game, "CME", "bo", 20)
    for number in range(1, 9):
        game.company("CME").certificates[number] = "ann"
    for number in range(1, 6):
        game.company("RhE").certificates[number] = "ann"
    a.stock(game, "ann")
    assert shares.certificates(game, "ann") == 13
    assert a.names(game) == {"sell_shares"}
    assert a.refused(game, mv.Pass("ann")).rule == "RUHR-14.3-b"
    game.apply(mv.SellShares("ann", "RhE", 10))
    assert "pass" in a.names(game)
    # Nothing to sell: they keep them and may not buy.
    for name in ("CME", "RhE"):
        game.company(name).operated = False
        game.company(name).certificates = ["bo"] + ["ann"] * 8
    a.stock(game, "ann")
    assert "pass" in a.names(game)
    a.founded(game, "KWE", "cy")
    a.stock(game, "ann")
    assert a.refused(game, mv.BuyShare("ann", "KWE", OFFERING, 10)).rule == "RUHR-14.3-a"


@pytest.mark.rule("RUHR-14.3-c")
def test_no_limit_for_one_corporation() -> None:
    game = trading(ann=90)
    game.apply(mv.BuyShare("ann", "CME", OFFERING, 10))
    assert shares.held(game, "CME", "ann") == 100


@pytest.mark.rule("RUHR-14.4-a")
def test_what_is_not_for_sale() -> None:
    game = trading(ann=50, bo=20)
    a.own(game, "CME", POOL, 20)
    a.stock(game, "ann")
    assert a.refused(game, mv.SellShares("ann", "CME", 40)).rule == "RUHR-14.4-a"  # 60 % in the pool
    game = trading(ann=20)
    assert a.refused(game, mv.SellShares("ann", "CME", 20)).rule == "RUHR-5.3-c"  # a director's certificate
    game.company("CME").operated = False
    a.own(game, "CME", "bo", 20)
    a.stock(game, "bo")
    assert a.refused(game, mv.SellShares("bo", "CME", 10)).rule == "RUHR-14.4-a"
    a.montan(game, "RB", "ann", 5)
    game.company("RB").operated = False  # founded just before
    a.own(game, "RB", "bo", 20)
    a.stock(game, "bo")
    assert a.refused(game, mv.SellShares("bo", "RB", 20)).rule == "RUHR-14.4-a"


@pytest.mark.rule("RUHR-14.4-b", "RUHR-14.5-b")
def test_the_seller_gets_the_value_before_the_sale() -> None:
    game = trading(ann=60)
    cash = game.state.cash["ann"]
    game.apply(mv.SellShares("ann", "CME", 30))
    assert game.state.cash["ann"] == cash + 300
    assert game.prices.value("CME") == 90  # one box, whatever the number


@pytest.mark.rule("RUHR-14.4-c", "RUHR-14.5-b")
def test_more_may_be_sold_in_a_later_turn() -> None:
    game = trading(ann=60)
    a.walk(game, mv.SellShares("ann", "CME", 10), mv.Pass("ann"), mv.Pass("bo"), mv.Pass("cy"), mv.Pass("di"))
    game.apply(mv.SellShares("ann", "CME", 10))
    assert game.prices.value("CME") == 80


@pytest.mark.rule("RUHR-14.5-a")
def test_others_sales_leave_the_value() -> None:
    game = trading("bo", ann=50, bo=20)
    game.apply(mv.SellShares("bo", "CME", 20))
    assert game.prices.value("CME") == 100
    a.montan(game, "RB", "ann", 5, 0, 60)
    a.own(game, "RB", "ann", 40)
    a.own(game, "RB", "bo", 20)
    a.stock(game, "bo")
    game.apply(mv.SellShares("bo", "RB", 20))
    assert game.prices.value("RB") == 60
    a.stock(game, "ann")
    game.apply(mv.SellShares("ann", "RB", 20))
    assert game.prices.value("RB") == 55  # the director's does not


# ---------------------------------------------------------------------- the end


def breaking(phase: str, number: int = 1, left: int = 100) -> Game:
    """EH of ann pays a dividend of 200 out of a bank that has little left."""
    game = a.second_stock_round()
    if phase != "2":
        a.phase(game, phase)
    a.floated(game, "EH", "ann")
    a.own(game, "EH", "ann", 100)
    a.trains(game, "EH", "5+5")
    a.give(game, "di", game.state.cash[BANK] - left)
    a.operating(game, "EH", "dividend", number, 2)
    Earned.of(game).revenue = 200
    a.take_offer(game)
    return game


def play_on(game: Game, rounds: list[tuple[str, int]]) -> None:
    while not game.finished and len(rounds) < 12:
        round_ = game.state.round
        if not rounds or rounds[-1] != (round_.kind, round_.operating_number):
            rounds.append((round_.kind, round_.operating_number))
        player, names = a.asked(game), a.names(game)
        if "dividend" in names:
            game.apply(mv.Dividend(player, round_.actor, "withhold"))
        elif "pass" in names:
            game.apply(mv.Pass(player))
        else:
            choice, picked = game.offer().choices[0], {}  # type: ignore[var-annotated]
            while (domain := choice.ask(picked)) is not None:
                picked[domain.name] = domain.options[0].value if hasattr(domain, "options") else domain.low
            game.apply(choice.move(picked))


def penniless() -> Game:
    """Nobody owns anything or can pay for anything."""
    game = a.after_package(3)
    for player in game.state.seats:
        a.cash(game, player, 0)
    return game


def test_a_game_in_which_nothing_can_happen_any_more_ends() -> None:
    game = penniless()
    game.settle()
    assert game.state.finished == "standstill"
    assert game.state.round.stock_number == 2, "the second time that nothing happens is enough"


def test_a_small_company_that_earns_keeps_a_game_going() -> None:
    game = penniless()
    a.mine(game, 1, "ann")
    game.settle()
    assert not game.finished
    assert a.asked(game) == "ann"


@pytest.mark.rule("RUHR-15.1-a")
@pytest.mark.parametrize("left", [100, 200])
def test_a_broken_bank_in_a_brown_operating_round_ends_the_game(left: int) -> None:
    game = breaking("5", 1, left)
    cash = game.state.cash["ann"]
    game.apply(mv.Dividend("ann", "EH", "pay"))
    assert game.state.cash["ann"] == cash + 200  # in full
    assert Ending.of(game).ends  # also when it has paid exactly its last Mark
    rounds: list[tuple[str, int]] = []
    play_on(game, rounds)
    assert game.state.finished == "bank"
    assert rounds == [("operating", 1), ("operating", 2)]


@pytest.mark.rule("RUHR-15.1-a")
def test_in_other_phases_the_bank_is_unlimited() -> None:
    game = breaking("3", 2)
    game.apply(mv.Dividend("ann", "EH", "pay"))
    rounds: list[tuple[str, int]] = []
    play_on(game, rounds)
    assert ("stock", 0) in rounds
    # Still empty at the next payment of a brown operating round: it ends then.
    game = breaking("3", 1, 0)
    game.apply(mv.Dividend("ann", "EH", "pay"))
    assert not Ending.of(game).ends
    a.phase(game, "5")
    a.operating(game, "EH", "dividend", 2, 2)
    Earned.of(game).revenue = 10
    a.take_offer(game)
    game.apply(mv.Dividend("ann", "EH", "pay"))
    assert Ending.of(game).ends


@pytest.mark.rule("RUHR-15.1-a")
@pytest.mark.parametrize(("phase", "left"), [("3", 200), ("5", 200), ("8", 200), ("8", 199)])
def test_the_bank_has_broken_with_its_last_mark(phase: str, left: int) -> None:
    game = breaking(phase, 1, left)
    (event,) = a.seen(game, mv.Dividend("ann", "EH", "pay"), ev.BankBroke)
    assert event.amount == 200 - left
    assert game.state.bank_broken == "operating"
    # With one Mark left it has not.
    game = breaking(phase, 1, 201)
    assert a.seen(game, mv.Dividend("ann", "EH", "pay"), ev.BankBroke) == []
    assert not game.state.bank_broken


@pytest.mark.rule("RUHR-15.1-b")
def test_who_pays_in_mends_a_broken_bank() -> None:
    game = breaking("3", 2, 200)
    game.apply(mv.Dividend("ann", "EH", "pay"))
    game.state.round.kind = "stock"
    game.pay(BANK, "EH", 10, "float", "EH")
    assert game.state.cash[BANK] == 590
    assert not game.state.bank_broken


@pytest.mark.rule("RUHR-15.1-b")
def test_in_a_stock_round_the_players_pay_600_in() -> None:
    game = trading(ann=60)
    a.give(game, "di", game.state.cash[BANK] - 100)
    cash = {player: game.state.cash[player] for player in game.state.seats}
    (event,) = a.seen(game, mv.SellShares("ann", "CME", 20), BankRefilled)
    assert event.amount == 600
    assert game.state.cash[BANK] == 100 - 200 + 600
    assert {p: game.state.cash[p] - cash[p] for p in cash} == {"ann": 50, "bo": -150, "cy": -150, "di": -150}
    assert not Ending.of(game).ends
    # Who cannot pay gives what they have.
    game = trading(ann=60)
    a.cash(game, "bo", 30)
    a.give(game, "di", game.state.cash[BANK] - 100)
    cash = {player: game.state.cash[player] for player in game.state.seats}
    game.apply(mv.SellShares("ann", "CME", 20))
    given = {p: cash[p] - game.state.cash[p] for p in ("bo", "cy", "di")}
    assert given == {"bo": 30, "cy": 190, "di": 190}


@pytest.mark.rule("RUHR-15.1-b")
@pytest.mark.parametrize(("left", "filled"), [(0, True), (1, False)])
def test_a_bank_with_exactly_nothing_is_filled(left: int, filled: bool) -> None:
    game = trading(ann=60)
    a.give(game, "di", game.state.cash[BANK] - 200 - left)
    told = a.seen(game, mv.SellShares("ann", "CME", 20), BankRefilled)
    assert bool(told) == filled
    assert game.state.cash[BANK] == (600 if filled else left)


@pytest.mark.rule("RUHR-15.1-b")
def test_floating_money_counts_as_the_stock_round() -> None:
    game = a.second_stock_round()
    a.phase(game, "5")
    a.founded(game, "CME", "ann", 100)
    a.own(game, "CME", "ann", 50)
    a.give(game, "di", game.state.cash[BANK] - 900)
    a.stock(game, "ann")
    end_round(game)
    assert game.state.cash["CME"] == 1000
    assert game.state.cash[BANK] == 500
    assert not Ending.of(game).ends


@pytest.mark.rule("RUHR-13.3.1-d")
def test_in_the_brown_phase_bme_too_gets_the_money_for_all_certificates() -> None:
    game = a.second_stock_round()
    a.phase(game, "5")
    a.founded(game, "BME", "ann", 70)
    a.own(game, "BME", "ann", 50)
    a.stock(game, "ann")
    end_round(game)
    assert game.state.cash["BME"] == 700


@pytest.mark.rule("RUHR-15.1-b")
def test_the_players_pay_again_if_it_is_not_enough() -> None:
    game = a.second_stock_round()
    a.phase(game, "5")
    a.founded(game, "CME", "ann", 100)
    a.own(game, "CME", "ann", 50)
    a.give(game, "di", game.state.cash[BANK] - 100)
    a.stock(game, "ann")
    cash = {player: game.state.cash[player] for player in game.state.seats}
    end_round(game)
    assert game.state.cash[BANK] == 100 - 1000 + 2 * 600
    assert {cash[player] - game.state.cash[player] for player in cash} == {300}


@pytest.mark.rule("RUHR-15.1-d")
def test_whichever_comes_first_decides() -> None:
    game = breaking("8")
    Ending.of(game).last = "now"
    game.apply(mv.Dividend("ann", "EH", "pay"))
    assert not Ending.of(game).ends
    game = breaking("6")
    game.apply(mv.Dividend("ann", "EH", "pay"))
    assert Ending.of(game).ends
    a.mine(game, 10, "bo", A=3, B=2, C=2)
    a.link(game, 10)
    a.phase(game, "8")
    assert Ending.of(game).last == ""
    assert works.income(game, "MC10") == 0  # its other effects hold


@pytest.mark.rule("RUHR-1-a", "RUHR-15.2-a", "RUHR-15.2-b")
def test_the_score() -> None:
    game = a.second_stock_round()
    for player in game.state.seats:
        a.cash(game, player, 0)
    a.cash(game, "ann", 500)
    a.cash(game, "bo", 700)
    a.floated(game, "CME", "cy", 100, 1000)
    a.price_at(game, "CME", 100)
    a.trains(game, "CME", "2+2", "2+2")
    a.own(game, "CME", "cy", 20)
    a.own(game, "CME", "ann", 30)
    score = game.rules.score(game)
    assert score == {"ann": 800, "bo": 700, "cy": 200, "di": 0}
    a.floated(game, "DGEE", "cy", 100)
    a.price_at(game, "DGEE", 100)
    for number in range(7):
        game.company("DGEE").certificates[number] = "cy" if number == 0 else OFFERING
    game.company("DGEE").certificates[1] = "di"
    a.mine(game, 10, "di", 300)
    score = game.rules.score(game)
    assert score["di"] == 200 + 150
    assert score["cy"] == 200 + 200


@pytest.mark.rule("RUHR-15.2-b", "RUHR-10.9-a")
def test_bankrupt_players_come_last_who_left_last_before_the_others() -> None:
    game = a.second_stock_round()
    for player in game.state.seats:
        a.cash(game, player, 0)
    game.state.seats[:] = ["cy", "di"]
    game.state.retired = ["ann", "bo"]
    a.take_offer(game)
    game.finish("bank")
    (ended,) = [event for event in game._events if isinstance(event, ev.GameEnded)]
    assert [player for player, _ in ended.scores] == ["cy", "di", "bo", "ann"]
