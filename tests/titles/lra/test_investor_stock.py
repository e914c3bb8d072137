"""18LRA for two: the Investor in stock rounds, and what the players must and may not do there."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.finance.raising import Need, Shares
from engine.game import Game
from engine.house.invariants import faults
from engine.state import BANK, POOL
from tests.titles.lra.investing import INVESTOR, after_package, his, later, passing, phase, pooled, price_at, told
from tests.titles.rhl.arrange import cash, floated, founded, hand, names, refused, stock, take_offer


def turn(game: Game) -> list[dict[str, object]]:
    """ann passes, and the Investor has his turn: what he takes."""
    return told(passing(game, "ann"), "InvestorAcquired")


def second_round(company: str = "BME", *, colour: str = "", **prices: int) -> Game:
    """ann's turn in a later stock round; companies of the players at these prices, half of each with its director."""
    game = later(company)
    for number, name in enumerate(prices):
        floated(game, name, ("ann", "bo")[number % 2], 80, 0)
    price_at(game, company, 50)
    for name, price in prices.items():
        price_at(game, name, price)
    if colour:
        phase(game, {"green": "3", "brown": "5"}[colour])
    for player in ("ann", "bo"):
        cash(game, player, 500)
    stock(game, "ann", 2)
    return game


# ---------------------------------------------------------------------- his turns


@pytest.mark.rule("LRA-9.2.1-a")
def test_he_acquires_nothing_in_the_first_stock_round() -> None:
    game = after_package()
    for name, player in (("GVE", "ann"), ("KEG", "bo")):
        floated(game, name, player)
        cash(game, player, 500)
    stock(game, "ann", 1)
    seen = []
    for _ in range(4):
        seen.append(game.state.round.actor)
        assert not told(game.apply(mv.BuyShare(seen[-1], "BME", "BME", 10)), "InvestorAcquired")
    assert seen == ["ann", "bo", "ann", "bo"]
    assert shares.certificates(game, INVESTOR) == 4


@pytest.mark.rule("LRA-9-a")
@pytest.mark.rule("LRA-9.2.1-b")
def test_in_green_he_takes_one_in_each_of_his_first_two_turns() -> None:
    game = second_round(GVE=100, KEG=90, colour="green")
    actors = []
    taken = []
    for _ in range(6):
        player = game.state.round.actor
        actors.append(player)
        events = game.apply(mv.BuyShare(player, "BME", "BME", 10) if len(actors) < 6 else mv.Pass(player))
        taken.append([each["company"] for each in told(events, "InvestorAcquired")])
    # ann, the Investor, bo; ann, the Investor, bo; …
    assert actors == ["ann", "bo"] * 3
    assert taken == [["GVE"], [], ["GVE"], [], [], []]
    assert shares.numbers(game, "KEG", "KEG"), "there is something left that he could take"


@pytest.mark.rule("LRA-9.2.1-b")
@pytest.mark.parametrize(("colour", "most"), [("", 1), ("green", 2), ("brown", 3)])
def test_as_many_in_a_round_as_the_phase_allows(colour: str, most: int) -> None:
    game = second_round(GVE=100, KEG=90, colour=colour)
    for _ in range(5):
        game.apply(mv.BuyShare("ann", "BME", "BME", 10) if "buy_share" in names(game) else mv.Pass("ann"))
        if game.state.round.actor == "bo":
            # bo sells and buys, so that the round goes on.
            game.apply(mv.Pass("bo"))
        if game.state.round.kind != "stock":
            break
    assert his(game, "GVE") + his(game, "KEG") == 10 * most


# ---------------------------------------------------------------------- which certificate


def remarks(game: Game) -> list[str]:
    return [remark.key for remark in game.rules.remarks(game)][-1:]


def test_everybody_is_told_what_he_takes_next_as_long_as_he_takes_any() -> None:
    """In green he takes two in a round: from the pool if something lies there."""
    game = second_round(GVE=100, KEG=90, colour="green")
    assert remarks(game) == ["investor_next_charter"]
    pooled(game, "GVE", 10)
    assert remarks(game) == ["investor_next_pool"]
    assert [taken["company"] for taken in turn(game)] == ["GVE"]
    game.apply(mv.BuyShare("bo", "KEG", "KEG", 10))
    assert remarks(game) == ["investor_next_charter"]
    assert len(turn(game)) == 1
    assert remarks(game) == ["investor_nothing"], "two are enough for this round"


@pytest.mark.rule("LRA-9.2.1-c")
def test_never_more_than_20_of_a_players_company() -> None:
    game = second_round(GVE=100, KEG=90)
    hand(game, "GVE", INVESTOR, 20, source="GVE")
    take_offer(game)
    assert [each["company"] for each in turn(game)] == ["KEG"]


@pytest.mark.rule("LRA-9.2.1-c")
def test_a_certificate_of_20_does_not_fit_above_10() -> None:
    game = second_round(MKB=100, GVE=90)
    state = game.company("MKB")
    # The charter is empty, a 20 % certificate lies in the pool, and he has 10 %.
    state.certificates[:] = ["ann", "ann", POOL, "ann", "ann", "bo", INVESTOR]
    take_offer(game)
    assert [each["company"] for each in turn(game)] == ["GVE"]
    # Without the 10 % it fits.
    game = second_round(MKB=100, GVE=90)
    game.company("MKB").certificates[:] = ["ann", "ann", POOL, "ann", "ann", "bo", "bo"]
    take_offer(game)
    assert [(each["company"], each["percent"]) for each in turn(game)] == [("MKB", 20)]


@pytest.mark.rule("LRA-9.2.1-c")
def test_of_several_sizes_the_largest_that_fits() -> None:
    game = second_round(MKB=100)
    game.company("MKB").certificates[:] = ["ann", "ann", POOL, "ann", POOL, "bo", "bo"]
    take_offer(game)
    assert [(each["percent"], each["source"]) for each in turn(game)] == [(20, POOL)]
    game = second_round(MKB=100)
    game.company("MKB").certificates[:] = ["ann", "ann", POOL, INVESTOR, POOL, "bo", "bo"]
    take_offer(game)
    assert [(each["percent"], each["source"]) for each in turn(game)] == [(10, POOL)]


@pytest.mark.rule("LRA-9.2.1-c")
def test_only_of_companies_that_have_floated() -> None:
    game = second_round(KEG=90)
    founded(game, "GVE", "ann", 100)
    price_at(game, "GVE", 120)
    hand(game, "GVE", POOL, 10)  # wherever its certificates may lie
    assert [each["company"] for each in turn(game)] == ["KEG"]


@pytest.mark.rule("LRA-9.2.1-c")
def test_his_own_company_without_such_a_limit() -> None:
    game = second_round(GVE=60)
    price_at(game, "BME", 100)
    hand(game, "BME", INVESTOR, 20, source="BME")
    take_offer(game)
    assert [each["company"] for each in turn(game)] == ["BME"]
    assert his(game, "BME") == 80


@pytest.mark.rule("LRA-9.2.1-d")
def test_the_highest_value_whatever_the_size() -> None:
    game = second_round(GVE=90, KEG=100)
    assert [each["company"] for each in turn(game)] == ["KEG"]
    game = second_round(GVE=90, MKB=100)
    # 10 % at 100 are worth less than 20 % at 90 would be; the value of the company counts.
    assert [(each["company"], each["percent"]) for each in turn(game)] == [("MKB", 10)]


@pytest.mark.rule("LRA-9.2.1-d")
@pytest.mark.parametrize("first", ["GVE", "KEG"])
def test_of_two_at_one_value_the_one_that_acts_first(first: str) -> None:
    game = second_round(GVE=90, KEG=90)
    other = {"GVE": "KEG", "KEG": "GVE"}[first]
    price_at(game, other, 80)
    price_at(game, other, 90)  # it arrived last, below the other
    assert game.prices.order()[:2] == [first, other]
    assert [each["company"] for each in turn(game)] == [first]


@pytest.mark.rule("LRA-9.2.1-d")
@pytest.mark.rule("LRA-9.2.1-e")
def test_from_the_pool_first_and_then_the_treasury_gets_nothing() -> None:
    game = second_round(GVE=90)
    pooled(game, "GVE", 10)
    before = dict(game.state.cash)
    assert [each["source"] for each in turn(game)] == [POOL]
    assert game.state.cash == before


@pytest.mark.rule("LRA-9.2.1-e")
def test_the_bank_pays_the_value_into_the_treasury() -> None:
    game = second_round(GVE=90)
    before, price = dict(game.state.cash), game.company("GVE").price
    assert [each["source"] for each in turn(game)] == ["GVE"]
    assert game.state.cash["GVE"] == before["GVE"] + 90
    assert game.state.cash[BANK] == before[BANK] - 90
    assert game.state.cash["ann"] == before["ann"]
    assert game.company("GVE").price == price


@pytest.mark.rule("LRA-9.2.1-e")
def test_his_own_company_gets_nothing() -> None:
    game = second_round(GVE=60)
    price_at(game, "BME", 100)
    before = dict(game.state.cash)
    assert [(each["company"], each["source"]) for each in turn(game)] == [("BME", "BME")]
    assert game.state.cash == before


# ---------------------------------------------------------------------- replacing, quitting


def full(game: Game) -> None:
    """He has 14 certificates: 9 more besides the five of BME, two at 60, the others at 80 and 90."""
    hand(game, "BME", INVESTOR, 10, source="BME")
    for name in ("GVE", "KEG", "ADR", "CCE"):
        if his(game, name) < 20:
            hand(game, name, INVESTOR, 20 - his(game, name), source=name)
    if shares.certificates(game, INVESTOR) < 14:
        hand(game, "BME", INVESTOR, 10, source="BME")
    take_offer(game)
    assert shares.certificates(game, INVESTOR) == 14


def at_limit(**prices: int) -> Game:
    game = second_round(GVE=prices["GVE"], KEG=prices["KEG"], ADR=prices["ADR"], CCE=prices["CCE"], MKB=prices["MKB"])
    full(game)
    price_at(game, "BME", prices["BME"])
    return game


@pytest.mark.rule("LRA-9.2.1-f")
def test_at_the_limit_the_lowest_goes_for_the_highest() -> None:
    game = at_limit(GVE=60, KEG=80, ADR=80, CCE=90, MKB=110, BME=100)
    prices = {name: company.price for name, company in game.state.companies.items()}
    before = dict(game.state.cash)
    events = passing(game, "ann")
    assert [(e["company"], e["percent"]) for e in told(events, "InvestorReplaced")] == [("GVE", 10)]
    assert [(e["company"], e["percent"]) for e in told(events, "InvestorAcquired")] == [("MKB", 10)]
    assert (his(game, "GVE"), shares.held(game, "GVE", POOL), his(game, "MKB")) == (10, 10, 10)
    assert shares.certificates(game, INVESTOR) == 14
    assert {name: company.price for name, company in game.state.companies.items()} == prices
    assert game.state.cash["GVE"] == before["GVE"]
    assert game.state.cash["MKB"] == before["MKB"] + 110
    assert not faults(game)


@pytest.mark.rule("LRA-9.2.1-f")
def test_of_two_at_the_lowest_value_that_of_the_company_that_acts_last() -> None:
    game = at_limit(GVE=60, KEG=60, ADR=80, CCE=90, MKB=110, BME=100)
    last = next(name for name in reversed(game.prices.order()) if name in ("GVE", "KEG"))
    assert [each["company"] for each in told(passing(game, "ann"), "InvestorReplaced")] == [last]


@pytest.mark.rule("LRA-9.2.1-f")
def test_of_his_own_company_he_keeps_half() -> None:
    # BME is the cheapest. Of his 70 % he gives 10 %; of 50 % none.
    game = at_limit(GVE=80, KEG=80, ADR=80, CCE=90, MKB=110, BME=60)
    assert his(game, "BME") == 70
    assert [each["company"] for each in told(passing(game, "ann"), "InvestorReplaced")] == ["BME"]
    assert his(game, "BME") == 60
    game = at_limit(GVE=80, KEG=80, ADR=80, CCE=90, MKB=110, BME=60)
    hand(game, "BME", "BME", 20, source=INVESTOR)
    game.company("BME").certificates[0] = INVESTOR
    while his(game, "BME") > 50:
        number = shares.numbers(game, "BME", INVESTOR)[-1]
        game.company("BME").certificates[number] = "BME"
    game.state.privates["DEC"] = game.state.privates["RM"] = INVESTOR  # so that he is at the limit still
    take_offer(game)
    assert (his(game, "BME"), shares.certificates(game, INVESTOR)) == (50, 14)
    assert [each["company"] for each in told(passing(game, "ann"), "InvestorReplaced")] != ["BME"]
    assert his(game, "BME") == 50


@pytest.mark.rule("LRA-9.2.1-f")
def test_what_the_pool_does_not_take_he_does_not_give() -> None:
    game = at_limit(GVE=60, KEG=80, ADR=80, CCE=90, MKB=110, BME=100)
    hand(game, "GVE", POOL, 30, source="GVE")
    hand(game, "GVE", POOL, 20, source="ann")
    take_offer(game)
    assert shares.held(game, "GVE", POOL) == 50
    given = [each["company"] for each in told(passing(game, "ann"), "InvestorReplaced")]
    assert given
    assert given != ["GVE"]


@pytest.mark.rule("LRA-9.2.1-f")
def test_nothing_for_one_of_the_same_value() -> None:
    game = at_limit(GVE=60, KEG=80, ADR=80, CCE=90, MKB=60, BME=60)
    events = passing(game, "ann")
    assert not told(events, "InvestorReplaced")
    assert told(events, "InvestorQuit")
    assert shares.certificates(game, INVESTOR) == 14


@pytest.mark.rule("LRA-9.2.1-g")
def test_who_has_quit_does_not_come_back() -> None:
    game = second_round(GVE=90)
    # All of BME and GVE is with the players: there is nothing for him.
    hand(game, "BME", "bo", 50, source="BME")
    hand(game, "GVE", "bo", 40, source="GVE")
    hand(game, "GVE", "ann", 10, source="GVE")
    take_offer(game)
    events = passing(game, "ann")
    assert told(events, "InvestorQuit")
    game.apply(mv.SellShares("bo", "GVE", 20))
    passing(game, "bo")
    assert shares.held(game, "GVE", POOL) == 20
    events = passing(game, "ann")
    assert not told(events, "InvestorAcquired")
    assert not told(events, "InvestorQuit")
    assert his(game, "GVE") == 0


# ---------------------------------------------------------------------- the players


@pytest.mark.rule("LRA-9.3-a")
def test_everybody_must_buy_a_directors_certificate() -> None:
    game = after_package()
    player = game.state.round.actor
    cash(game, player, 120)
    take_offer(game)
    assert names(game) == {"found"}
    assert refused(game, mv.Pass(player)).rule == "LRA-9.3-a"
    cash(game, player, 119)
    take_offer(game)
    assert "pass" in names(game)
    game.apply(mv.Pass(player))


@pytest.mark.rule("LRA-9.3-a")
def test_nothing_else_that_leaves_too_little_for_one() -> None:
    game = after_package()
    player = game.state.round.actor
    value = game.prices.value("BME")
    cash(game, player, 120 + value - 1)
    take_offer(game)
    assert refused(game, mv.BuyShare(player, "BME", "BME", 10)).rule == "LRA-9.3-a"
    cash(game, player, 120 + value)
    take_offer(game)
    game.apply(mv.BuyShare(player, "BME", "BME", 10))
    assert game.state.cash[player] == 120


@pytest.mark.rule("LRA-9.3-a")
def test_the_cheapest_one_still_on_offer_counts_and_only_in_the_first_round() -> None:
    game = after_package()
    player = game.state.round.actor
    other = game.after(player)
    for name in ("GVE", "ADR", "CCE", "MKB"):
        founded(game, name, other, 60)
    cash(game, player, 179)
    take_offer(game)
    # Only KEG is left, whose director's certificate is 30 %.
    assert "pass" in names(game)
    cash(game, player, 180)
    take_offer(game)
    assert refused(game, mv.Pass(player)).rule == "LRA-9.3-a"
    stock(game, player, 2)
    assert "pass" in names(game)


@pytest.mark.rule("LRA-9.3-a")
def test_who_has_one_may_pass() -> None:
    game = after_package()
    player = game.state.round.actor
    founded(game, "GVE", player, 60)
    take_offer(game)
    assert "pass" in names(game)


@pytest.mark.rule("LRA-9.3-c")
@pytest.mark.parametrize("first", ["ann", "bo"])
def test_who_passed_first_gets_the_priority_deal(first: str) -> None:
    game = second_round(GVE=90, KEG=80)
    stock(game, first)
    other = game.after(first)
    cash(game, other, 900)  # whatever the cash
    take_offer(game)
    game.apply(mv.Pass(first))
    game.apply(mv.BuyShare(other, "BME", "BME", 10))
    game.apply(mv.Pass(first))
    assert game.state.round.kind == "stock"
    events = game.apply(mv.Pass(other))
    assert [each["player"] for each in told(events, "PriorityMoved")] == [first]
    assert game.state.round.kind == "operating"


@pytest.mark.rule("LRA-9.3-c")
def test_an_acquisition_of_his_between_two_passes_keeps_the_round_going() -> None:
    game = second_round(GVE=90, KEG=80)
    events = passing(game, "ann")
    assert told(events, "InvestorAcquired")
    passing(game, "bo")
    assert game.state.round.kind == "stock"
    # bo and ann pass in succession: bo was the first of the two.
    events = passing(game, "ann")
    assert game.state.round.kind == "operating"
    assert [each["player"] for each in told(events, "PriorityMoved")] == ["bo"]


@pytest.mark.rule("LRA-9.3-d")
def test_no_sale_that_would_make_him_director() -> None:
    game = second_round(GVE=90)
    game.company("GVE").certificates[:] = ["ann", INVESTOR, INVESTOR, "bo", "GVE", "GVE", "GVE", "GVE", "GVE"]
    take_offer(game)
    for percent in (10, 20):
        assert refused(game, mv.SellShares("ann", "GVE", percent)).rule == "LRA-9.3-d"
    assert "sell_shares" not in names(game)


@pytest.mark.rule("LRA-9.3-d")
def test_a_sale_that_makes_the_other_player_director_is_allowed() -> None:
    game = second_round(GVE=90)
    game.company("GVE").certificates[:] = ["ann", "ann", INVESTOR, INVESTOR, "bo", "bo", "bo", "GVE", "GVE"]
    take_offer(game)
    game.apply(mv.SellShares("ann", "GVE", 10))
    assert game.company("GVE").director == "bo"
    assert not faults(game)


@pytest.mark.rule("LRA-9.3-d")
def test_on_a_tie_the_nearer_one_to_the_left_counts() -> None:
    # ann falls to 10 %; the Investor and bo have 20 %. He sits nearer to ann's left, bo's left is ann.
    game = second_round(GVE=90)
    game.company("GVE").certificates[:] = ["ann", INVESTOR, INVESTOR, "bo", "bo", "GVE", "GVE", "GVE", "GVE"]
    take_offer(game)
    assert refused(game, mv.SellShares("ann", "GVE", 10)).rule == "LRA-9.3-d"
    game = second_round(GVE=90)
    game.company("GVE").certificates[:] = ["bo", INVESTOR, INVESTOR, "ann", "ann", "GVE", "GVE", "GVE", "GVE"]
    game.company("GVE").director = "bo"
    stock(game, "bo")
    game.apply(mv.SellShares("bo", "GVE", 10))
    assert game.company("GVE").director == "ann"


@pytest.mark.rule("LRA-9.3-d")
def test_nor_in_a_forced_purchase() -> None:
    game = second_round(GVE=90, KEG=80)
    game.company("GVE").certificates[:] = ["ann", INVESTOR, INVESTOR, "bo", "GVE", "GVE", "GVE", "GVE", "GVE"]
    take_offer(game)
    need = Need(game, "GVE", "ann", "ann", (600,))
    assert all(name != "GVE" for name, _, _ in Shares(may_depose=lambda acting, company: True).saleable(need))


@pytest.mark.rule("LRA-9.3-e")
def test_after_the_package_the_other_player_begins() -> None:
    game = after_package()
    # bo bought the last lot.
    assert game.state.priority == game.state.round.actor == "ann"
    assert game.after("ann") == "bo"
    assert game.after("bo") == "ann"
