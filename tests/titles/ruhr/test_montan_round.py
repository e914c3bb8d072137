"""The Montan round: founding, merging, transformation, cards (ledger section 12)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.state import BANK, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.cards import deal
from titles.ruhr.ending import transform
from titles.ruhr.founding import FoundMontan, Merge, pars
from titles.ruhr.locations import location, value
from titles.ruhr.remembered import Charter, RoundCards, Works
from titles.ruhr.spending import ScrapEngine


def founding(*cards: str, phase: str = "4", scenario: str = "hellweg") -> Game:
    """A Montan round begins; no. 10 (coal) of ann is linked and has 3A 1B, no. 11 (coal, passive) is linked."""
    game = a.second_stock_round(scenario=scenario)
    a.phase(game, phase)
    a.mine(game, 10, "ann", 50, A=3, B=1)
    a.link(game, 10)
    a.passive(game, 11)
    a.montan_round(game, *cards)
    return game


def merging(*cards: str, phase: str = "4") -> Game:
    """The merging phase begins; RB is founded on no. 5 by bo, no. 10 and 15 (coal) are ann's."""
    game = a.second_stock_round()
    a.phase(game, phase)
    a.montan(game, "RB", "bo", 5, 100, A=3, B=1)
    a.mine(game, 10, "ann", 50, A=2, B=1)
    a.mine(game, 15, "ann", 30, A=2, B=2)
    a.montan_round(game, *(cards or ("di", "cy", "bo", "ann")), merging=True)
    return game


# ---------------------------------------------------------------------- founding


@pytest.mark.rule("RUHR-12-b", "RUHR-12.1-a")
def test_all_foundings_come_before_the_mergers() -> None:
    game = founding("bo", "ann", "cy", "di")
    assert (game.state.round.kind, a.asked(game)) == ("founding", "bo")
    assert a.refused(game, Merge("bo", "MC10", "RB")).rule == "RUHR-12-b"
    game.apply(mv.Pass("bo"))
    game.apply(FoundMontan("ann", "H13", "RB", 50))
    while game.state.round.kind == "founding":
        assert a.asked(game) != "bo"  # a pass is final
        game.apply(mv.Pass(a.asked(game)))


@pytest.mark.rule("RUHR-12.1-b")
def test_one_founding_for_each_player() -> None:
    game = founding("ann", "bo", "cy", "di")
    game.apply(FoundMontan("ann", "H13", "RB", 50))
    assert a.asked(game) == "ann"  # a second certificate
    assert a.refused(game, FoundMontan("ann", "G8", "SK", 50)).rule == "RUHR-12.1-b"


@pytest.mark.rule("RUHR-12.1-c")
def test_from_which_companies() -> None:
    game = founding("ann", "bo", "cy", "di")
    a.mine(game, 15, "bo", A=3, B=2)
    a.link(game, 15)
    a.passive(game, 14, linked=False)
    assert a.offered(game, "found_montan") == ["H13", "G8"]
    for at in ("L3", "C10"):
        assert a.refused(game, FoundMontan("ann", at, "RB", 50)).rule == "RUHR-12.1-c"
    a.link(game, 10, linked=False)
    assert a.refused(game, FoundMontan("ann", "H13", "RB", 50)).rule == "RUHR-12.1-c"


@pytest.mark.rule("RUHR-12.1-d")
def test_an_active_company_needs_five_markers() -> None:
    game = founding("ann")
    assert works.counted(game, "MC10") == 5
    assert a.offered(game, "found_montan") == ["H13", "G8"]
    a.markers(game, "MC10", A=2, B=1)
    works.charter(game, "MC10").engines.append("W1")
    a.take_offer(game)
    assert a.refused(game, FoundMontan("ann", "H13", "RB", 50)).rule == "RUHR-12.1-d"


@pytest.mark.rule("RUHR-12.1-e", "RUHR-12.1.1-a", "RUHR-12.1.2-a")
def test_the_corporation_is_free_and_of_the_industry() -> None:
    game = founding("ann")
    assert a.offered(game, "found_montan", hex="H13") == ["RB", "SK", "TB"]
    assert a.refused(game, FoundMontan("ann", "H13", "US", 50)).rule == "RUHR-12.1-e"
    a.montan(game, "RB", "bo", 5)
    assert a.offered(game, "found_montan", hex="G8") == ["SK", "TB"]
    assert a.refused(game, FoundMontan("ann", "H13", "RB", 50)).rule == "RUHR-12.1.1-a"


@pytest.mark.rule("RUHR-12.1.1-b", "RUHR-12.1.1-d", "RUHR-12.1.1-e", "RUHR-12.1.1-f")
def test_an_active_company_becomes_a_corporation() -> None:
    game = founding("ann")
    works.charter(game, "MC10").engines.append("W1")
    Works.of(game).engines["W1"] -= 1
    a.take_offer(game)
    assert value(game, "H13") == 10
    cash = game.state.cash["ann"]
    game.apply(FoundMontan("ann", "H13", "RB", 50))
    assert value(game, "H13") == 20
    assert game.state.cash["ann"] == cash
    assert game.company("RB").director == "ann"
    assert works.charter(game, "RB") == Charter({"A": 3, "B": 1}, ["W1"], ["H13"])
    assert game.state.cash["RB"] == 50
    assert game.company("MC10").closed
    assert "MC10" not in game.rules.rounds["operating"].order(game)  # type: ignore[attr-defined]


@pytest.mark.rule("RUHR-12.1.1-c")
@pytest.mark.parametrize(("stages", "par"), [({"A": 3, "B": 2}, 60), ({"A": 4, "B": 4, "C": 3}, 100)])
def test_the_value_by_the_number_of_markers(stages: dict[str, int], par: int) -> None:
    game = founding("ann")
    a.markers(game, "MC10", **stages)
    works.charter(game, "MC10").engines.append("W1")
    a.take_offer(game)
    assert a.offered(game, "found_montan", hex="H13", company="RB") == [par]
    game.apply(FoundMontan("ann", "H13", "RB", par))
    assert game.prices.value("RB") == par


@pytest.mark.rule("RUHR-12.1.1-e", "RUHR-12.1.2-g", "RUHR-12.2-c", "RUHR-12.2-h")
@pytest.mark.parametrize(("at", "par"), [("H13", 50), ("G8", 60)])
def test_the_founding_company_takes_a_circle(at: str, par: int) -> None:
    game = founding("ann")
    game.apply(FoundMontan("ann", at, "SK", par))  # two circles
    game.apply(mv.Pass("ann"))
    a.mine(game, 15, "ann")
    a.mine(game, 7, "ann")
    a.montan(game, "RB", "bo", 5)  # three circles, so that merging goes on
    a.montan_round(game, "bo", "ann", merging=True)
    game.apply(Merge("ann", "MC15", "SK"))
    assert (a.asked(game), a.offered(game, "merge_mine", mine="MC7")) == ("ann", ["RB"])
    assert a.refused(game, Merge("ann", "MC7", "SK")).rule == "RUHR-12.2-c"
    assert works.charter(game, "SK").locations == [at, "L3"]


@pytest.mark.rule("RUHR-12.1.1-g", "RUHR-12.1.2-i")
@pytest.mark.parametrize(("at", "par", "after"), [("H13", 50, ("founding", "bo")), ("G8", 60, ("merging", "ann"))])
def test_the_founder_may_take_a_second_certificate(at: str, par: int, after: tuple[str, str]) -> None:
    game = founding("ann", "bo")
    a.mine(game, 15, "ann", 30)
    game.apply(FoundMontan("ann", at, "RB", par))
    assert a.names(game) == {"merge_mine", "buy_share", "pass"}
    merge, buy = game.copy(), game.copy()
    cash = game.state.cash["ann"]
    merge.apply(Merge("ann", "MC15", "RB"))
    assert (shares.held(merge, "RB", "ann"), merge.state.cash["ann"]) == (40, cash)
    treasury = buy.state.cash["RB"]
    buy.apply(mv.BuyShare("ann", "RB", OFFERING, 20))
    assert (shares.held(buy, "RB", "ann"), buy.state.cash["ann"]) == (40, cash - par)
    assert buy.state.cash["RB"] == treasury + par
    # Not both, and not two: the turn is over.
    for done in (merge, buy):
        assert (done.state.round.kind, a.asked(done)) == after


@pytest.mark.rule("RUHR-12.1.1-g")
@pytest.mark.parametrize(("short", "offered"), [(0, True), (1, False)])
def test_the_second_certificate_takes_all_the_money_of_its_founder(short: int, offered: bool) -> None:
    game = founding("ann", "bo")
    a.mine(game, 15, "ann", 30)
    game.apply(FoundMontan("ann", "H13", "RB", 50))
    a.cash(game, "ann", 50 - short)
    a.take_offer(game)
    assert ("buy_share" in a.names(game)) == offered


@pytest.mark.rule("RUHR-12.2-c")
def test_after_a_merger_every_marker_is_there_once() -> None:
    game = merging("ann", "bo", "cy", "di")
    before = faults(game)
    game.apply(Merge("ann", "MC10", "RB"))
    assert (before, faults(game)) == ([], [])
    assert "MC10" not in Works.of(game).charters


@pytest.mark.rule("RUHR-12.1.1-x1")
@pytest.mark.parametrize("scenario", ["hellweg", "ruhr_valley"])
def test_example_number_5_becomes_rb_at_60(scenario: str) -> None:
    game = a.second_stock_round(scenario=scenario)
    a.phase(game, "4")
    a.mine(game, 5, "ann", 0, A=3, B=2)
    a.link(game, 5)
    a.mine(game, 3, "ann")
    a.montan_round(game, "ann")
    game.apply(FoundMontan("ann", "K12", "RB", 60))
    assert game.prices.value("RB") == 60
    assert a.refused(game, Merge("ann", "MC3", "RB")).rule == "RUHR-12.2-d"
    game.apply(mv.BuyShare("ann", "RB", OFFERING, 20))
    assert game.state.cash["RB"] == 60
    assert shares.held(game, "RB", "ann") == 40


@pytest.mark.rule("RUHR-12.1.2-b", "RUHR-12.1.2-d", "RUHR-12.1.2-e", "RUHR-12.1.2-f")
def test_a_passive_company_becomes_a_corporation() -> None:
    game = founding("ann")
    a.montan(game, "US", "bo", 1, par=70)
    a.montan_round(game, "ann")
    cash, bank = game.state.cash["ann"], game.state.cash[BANK]
    assert value(game, "G8") == 10
    game.apply(FoundMontan("ann", "G8", "RB", 70))
    assert value(game, "G8") == 20
    assert location(game, "G8").state == "founded"
    assert game.prices.order() == ["US", "RB"]  # under those already there
    assert (game.state.cash["ann"], game.state.cash["RB"], game.state.cash[BANK]) == (cash - 70, 70, bank)
    assert shares.held(game, "RB", "ann") == 20
    assert shares.held(game, "RB", OFFERING) == 80
    game = founding("ann")
    a.cash(game, "ann", 70)
    assert a.offered(game, "found_montan", hex="G8", company="RB") == [50, 60, 70]
    a.cash(game, "ann", 69)
    assert a.offered(game, "found_montan", hex="G8", company="RB") == [50, 60]
    assert a.refused(game, FoundMontan("ann", "G8", "RB", 70)).rule == "RUHR-12.1.2-f"


@pytest.mark.rule("RUHR-12.1.2-c", "RUHR-12.1.2-h")
@pytest.mark.parametrize(
    ("phase", "values", "markers", "active"),
    [
        ("4", [50, 60, 70], {"A": 3, "B": 1}, {"B": 1}),
        ("5", [70, 80, 100], {"A": 4, "B": 2}, {}),
        ("6", [70, 80, 100], {"A": 4, "B": 2}, {}),
        ("8", [80, 90, 100], {"A": 4, "B": 2, "C": 1}, {}),
    ],
)
def test_values_and_markers_by_phase(
    phase: str, values: list[int], markers: dict[str, int], active: dict[str, int]
) -> None:
    game = founding("ann", phase=phase)
    assert a.offered(game, "found_montan", hex="G8", company="RB") == values
    for wrong in {50, 55, 60, 70, 80, 90, 100, 110} - set(values):
        assert a.refused(game, FoundMontan("ann", "G8", "RB", wrong)).rule == "RUHR-12.1.2-c"
    left = dict(Works.of(game).supply["coal"])
    game.apply(FoundMontan("ann", "G8", "RB", values[0]))
    assert works.charter(game, "RB").markers == markers
    assert works.active(game, "RB") == active
    assert Works.of(game).supply["coal"]["A"] == left["A"] - markers["A"]


@pytest.mark.rule("RUHR-12.1.2-h")
def test_a_short_supply_keeps_the_staircase() -> None:
    game = founding("ann", phase="8")
    Works.of(game).supply["coal"].update(A=1, B=2, C=1)
    a.take_offer(game)
    game.apply(FoundMontan("ann", "G8", "RB", 80))
    assert works.charter(game, "RB").markers == {"A": 1, "B": 1, "C": 1}
    assert Works.of(game).supply["coal"] == {**Works.of(game).supply["coal"], "A": 0, "B": 1, "C": 0}


@pytest.mark.rule("RUHR-12.1.2-x1")
def test_example_w_from_a_passive_steel_mill_and_number_4() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    a.mine(game, 4, "bo", 20, A=2, B=2)
    a.mine(game, 12, "bo", A=3, B=1, C=1)
    at = a.passive(game, 8)
    a.montan_round(game, "bo")
    assert a.offered(game, "found_montan") == [at]
    a.walk(game, FoundMontan("bo", at, "W", 70), Merge("bo", "MC4", "W"))
    assert works.charter(game, "W").markers == {"A": 5, "B": 3}
    assert shares.held(game, "W", "bo") == 40
    assert game.state.cash["W"] == 70 + 20
    assert value(game, "J13") == 0


# ---------------------------------------------------------------------- merging


@pytest.mark.rule("RUHR-12.2-a")
def test_merging_goes_round_in_descending_order() -> None:
    game = merging("di", "cy", "bo", "ann")
    asked = [a.asked(game)]
    assert asked == ["ann"]
    game.apply(mv.Pass("ann"))
    # The others have nothing to merge; after ann's pass all have passed.
    assert game.state.round.kind == "stock"
    game = merging("ann", "bo", "cy", "di")
    a.mine(game, 7, "di", 0)
    a.montan_round(game, "ann", "bo", "cy", "di", merging=True)
    assert a.asked(game) == "di"
    game.apply(mv.Pass("di"))
    assert a.asked(game) == "ann"
    game.apply(Merge("ann", "MC10", "RB"))
    assert a.asked(game) == "di"  # who has passed may merge later
    game.apply(Merge("di", "MC7", "RB"))  # its three circles are full now
    assert game.state.round.kind == "stock"


@pytest.mark.rule("RUHR-12.2-b", "RUHR-12.2-d", "RUHR-12.2-g", "RUHR-12.2-n")
def test_what_a_merger_needs() -> None:
    game = merging()
    a.montan(game, "US", "ann", 1)
    a.passive(game, 11)
    a.take_offer(game)
    assert a.refused(game, Merge("ann", "MC10", "US")).rule == "RUHR-12.2-d"
    assert a.refused(game, Merge("ann", "MC10", "SK")).rule == "RUHR-12.2-n"
    assert a.refused(game, Merge("ann", "MC11", "RB")).rule == "RUHR-12.2-g"
    assert a.offered(game, "merge_mine", mine="MC10") == ["RB"]  # another player's
    a.montan(game, "SK", "cy", 7)
    a.own(game, "RB", "bo", 100)
    assert a.offered(game, "merge_mine", mine="MC10") == ["SK"]
    assert a.refused(game, Merge("ann", "MC10", "RB")).rule == "RUHR-12.2-b"


@pytest.mark.rule("RUHR-12.2-e", "RUHR-12.2-f", "RUHR-12.2-k", "RUHR-12.2-l", "RUHR-12.2-m")
def test_an_unlinked_company_with_one_marker_merges() -> None:
    game = merging()
    a.markers(game, "MC10", A=1)
    cash = game.state.cash["ann"]
    papers = shares.certificates(game, "ann")
    game.apply(Merge("ann", "MC10", "RB"))
    assert game.state.cash["ann"] == cash
    assert shares.held(game, "RB", "ann") == 20
    assert shares.certificates(game, "ann") == papers
    assert game.company("MC10").closed
    assert value(game, "H13") == 0
    location(game, "H13").linked = True
    assert value(game, "H13") == 10  # never 20


@pytest.mark.rule("RUHR-12.2-k", "RUHR-10.9-f")
def test_a_merger_makes_a_director_where_there_is_none() -> None:
    game = merging()
    company = game.company("RB")
    company.director, company.certificates[0] = "", POOL
    a.montan_round(game, "di", "cy", "bo", "ann", merging=True)
    game.apply(Merge("ann", "MC10", "RB"))
    assert (company.director, company.certificates[0]) == ("ann", "ann")
    assert (shares.held(game, "RB", "ann"), shares.held(game, "RB", POOL)) == (20, 20)


@pytest.mark.rule("RUHR-12.2-j")
def test_surplus_engines_of_a_corporation_without_a_director_go_by_themselves() -> None:
    game = merging()
    company = game.company("RB")
    company.director, company.certificates[0] = "", POOL
    works.charter(game, "RB").engines += ["W1", "W2"]
    works.charter(game, "MC10").engines.append("W3")
    a.montan_round(game, "di", "cy", "bo", "ann", merging=True)
    game.apply(Merge("ann", "MC10", "RB"))
    assert len(works.charter(game, "RB").engines) == works.engine_boxes(game, "RB")
    assert not game.state.pauses


@pytest.mark.rule("RUHR-12.2-i")
def test_everything_moves_and_the_excess_goes_back() -> None:
    game = merging()
    a.markers(game, "RB", A=4, B=1)
    a.markers(game, "MC10", A=3, B=1)
    left = Works.of(game).supply["coal"]["A"]
    game.apply(Merge("ann", "MC10", "RB"))
    assert works.charter(game, "RB").markers == {"A": 5, "B": 2}
    assert Works.of(game).supply["coal"]["A"] == left + 2
    assert game.state.cash["RB"] == 150


@pytest.mark.rule("RUHR-12.2-j")
def test_the_corporations_director_chooses_among_engines() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    a.montan(game, "TB", "bo", 5, 100, A=3, B=1)  # one box
    a.mine(game, 10, "ann", 50, A=2, B=1)
    works.charter(game, "TB").engines.append("W1")
    works.charter(game, "MC10").engines.append("W3")
    for kind in ("W1", "W3"):
        Works.of(game).engines[kind] -= 1
    a.montan_round(game, "bo", "ann", merging=True)
    game.apply(Merge("ann", "MC10", "TB"))
    assert a.asked(game) == "bo"
    game.apply(ScrapEngine("bo", "TB", "W1"))
    assert works.charter(game, "TB").engines == ["W3"]
    assert Works.of(game).engines["W1"] == 4


# ---------------------------------------------------------------------- the end of the round


@pytest.mark.rule("RUHR-12.3-a", "RUHR-12.3-b", "RUHR-12.3-c", "RUHR-11-6-b", "RUHR-16-a")
def test_after_the_first_6_small_companies_become_passive() -> None:
    game = a.second_stock_round()
    a.phase(game, "5")
    a.mine(game, 10, "ann", 50, A=2, B=1)
    a.mine(game, 15, "bo", 30, A=2)
    a.link(game, 10)
    works.charter(game, "MC10").engines.append("W3")
    Works.of(game).engines["W3"] -= 1
    a.montan_round(game, merging=True)
    assert game.company("MC10").director == "ann"  # only after a 6
    a.phase(game, "6")
    a.montan(game, "RB", "bo", 5)
    a.montan_round(game, merging=True)
    bank, left = game.state.cash[BANK], dict(Works.of(game).supply["coal"])
    while game.state.round.kind == "merging":
        assert game.company("MC10").director == "ann"
        game.apply(mv.Pass(a.asked(game)))
    assert not game.company("MC10").director
    assert (game.state.cash[BANK], game.state.cash["MC10"], game.state.cash["MC15"]) == (bank + 80, 0, 0)
    assert Works.of(game).removed["coal"] == {"A": 4, "B": 1}
    assert Works.of(game).supply["coal"] == left
    assert Works.of(game).engines["W3"] == 4
    assert [value(game, at) for at in ("H13", "L3")] == [10, 0]
    assert location(game, "H13").state == "passive"
    a.montan_round(game, "ann")
    assert "H13" in a.offered(game, "found_montan")


@pytest.mark.rule("RUHR-12.4-a", "RUHR-12.4-b", "RUHR-12.4-x1")
def test_example_of_the_new_deal() -> None:
    game = a.second_stock_round(5)
    a.mine(game, 6, "ann")
    a.mine(game, 10, "ann")
    a.mine(game, 5, "bo")
    RoundCards.of(game).lost = ["cy", "di"]
    deal(game)
    assert RoundCards.of(game).cards == ["bo", "ann", "ed", "cy", "di"]


@pytest.mark.rule("RUHR-12.4-a")
def test_the_lowest_number_decides_over_the_new_deal() -> None:
    game = a.second_stock_round(3)
    for number, owner in ((3, "cy"), (5, "bo"), (15, "cy")):
        a.mine(game, number, owner)
    deal(game)
    assert RoundCards.of(game).cards == ["cy", "bo", "ann"]


@pytest.mark.rule("RUHR-12.4-a")
def test_cards_are_dealt_when_the_merging_is_over() -> None:
    game = merging("ann", "bo", "cy", "di")
    a.mine(game, 6, "cy")
    a.mine(game, 7, "di")
    RoundCards.of(game).lost = ["bo"]
    a.montan_round(game, "ann", "bo", "cy", "di", merging=True)
    game.apply(Merge("di", "MC7", "RB"))  # their last one
    while game.state.round.kind == "merging":
        assert RoundCards.of(game).cards == ["ann", "bo", "cy", "di"]
        game.apply(mv.Pass(a.asked(game)))
    assert RoundCards.of(game).cards == ["cy", "ann", "bo", "di"]


@pytest.mark.rule("RUHR-12.4-b")
def test_who_never_had_a_company_keeps_the_order_of_the_first_deal() -> None:
    game = a.second_stock_round(4)
    a.mine(game, 5, "bo")
    game.state.priority = "cy"
    deal(game, first=True)
    assert RoundCards.of(game).cards == ["bo", "cy", "di", "ann"]
    game.state.priority = "ann"
    deal(game)
    assert RoundCards.of(game).cards == ["bo", "cy", "di", "ann"]


@pytest.mark.rule("RUHR-12.4-b")
def test_losses_are_remembered_in_their_order() -> None:
    game = a.second_stock_round(5)
    for number, owner in ((1, "cy"), (3, "ann"), (5, "di"), (6, "bo")):
        a.mine(game, number, owner)
    a.phase(game, "4")
    a.montan(game, "RB", "ed", 15)
    a.montan_round(game, "cy", "ann", "di", "bo", "ed", merging=True)
    while a.asked(game) != "di":
        game.apply(mv.Pass(a.asked(game)))
    game.apply(Merge("di", "MC5", "RB"))
    assert RoundCards.of(game).lost == ["di"]
    # A transformation comes after that, by the lowest number they had.
    for mine in ("MC1", "MC3", "MC6"):
        transform(game, mine)
    assert RoundCards.of(game).lost == ["di", "cy", "ann", "bo"]
    deal(game)
    assert RoundCards.of(game).cards == ["ed", "di", "cy", "ann", "bo"]


@pytest.mark.rule("RUHR-12.4-b", "RUHR-12.3-a")
def test_who_loses_all_at_once_comes_by_the_lowest_number_they_had() -> None:
    game = a.second_stock_round(3)
    for number, owner in ((5, "cy"), (6, "ann"), (7, "cy"), (9, "bo")):
        a.mine(game, number, owner)
    a.phase(game, "6")
    a.montan(game, "RB", "bo", 15)
    a.montan_round(game, "cy", "ann", "bo", merging=True)
    while game.state.round.kind == "merging":
        game.apply(mv.Pass(a.asked(game)))
    assert RoundCards.of(game).lost == ["cy", "ann", "bo"]
    assert RoundCards.of(game).cards == ["cy", "ann", "bo"]


@pytest.mark.rule("RUHR-14.3-d")
def test_the_limit_holds_in_the_montan_round() -> None:
    game = a.second_stock_round(6)
    a.phase(game, "4")
    a.mine(game, 10, "ann", A=3, B=1)
    a.link(game, 10)
    at = a.passive(game, 11)
    a.mine(game, 15, "ann")
    a.floated(game, "CME", "ann")
    a.own(game, "CME", "ann", 100)
    a.floated(game, "RhE", "bo")
    a.own(game, "RhE", "ann", 10)
    assert shares.certificates(game, "ann") == 12
    a.montan_round(game, "ann")
    assert a.refused(game, FoundMontan("ann", at, "RB", 50)).rule == "RUHR-14.3-d"
    game.apply(FoundMontan("ann", "H13", "RB", 50))  # one paper for one
    assert a.names(game) == {"merge_mine", "pass"}
    assert a.refused(game, mv.BuyShare("ann", "RB", OFFERING, 20)).rule == "RUHR-14.3-a"
    game.apply(Merge("ann", "MC15", "RB"))
    assert shares.certificates(game, "ann") == 12
    assert pars(game, at) == [50, 60, 70]


# ---------------------------------------------------------------------- a warning


def warned(game: Game) -> list[str]:
    """The corporations that are said to close at once."""
    return [remark.facts["companies"] for remark in game.rules.remarks(game) if remark.key == "no_marker"]


@pytest.mark.rule("RUHR-9.1.1.3-g", "RUHR-12.1.2-h")
def test_who_may_found_is_warned_of_corporations_that_would_close_at_once() -> None:
    game = founding("bo", "ann", "cy", "di", phase="5")
    a.cards_left(game, t5=2)
    assert a.offered(game, "found_montan") == ["G8"]
    assert warned(game) == []
    Works.of(game).supply["coal"]["C"] = 0
    a.take_offer(game)
    before = Works.of(game).supply["coal"]["A"]
    assert warned(game) == ["RB, SK, TB"]
    assert Works.of(game).supply["coal"]["A"] == before  # the warning itself takes nothing
    # What is said is what happens: in its first turn the corporation is gone.
    game.apply(FoundMontan("bo", "G8", "RB", 70))
    assert warned(game) == []
    a.own(game, "RB", "bo", 100)  # nothing of its own that it could sell
    a.operating(game, "RB", "spend")
    game.settle()
    assert game.company("RB").closed


def test_nobody_is_warned_while_a_marker_still_earns() -> None:
    game = founding("bo", "ann", "cy", "di", phase="4")
    a.cards_left(game, t4=2)
    Works.of(game).supply["coal"]["C"] = 0
    a.take_offer(game)
    assert warned(game) == []  # three A, which earn nothing, and a B, which does
    Works.of(game).supply["coal"]["B"] = 0
    a.take_offer(game)
    assert warned(game) == ["RB, SK, TB"]


def hints(game: Game) -> dict[str, dict[str, object]]:
    """What everybody is told of the Montan round."""
    return {remark.key: dict(remark.facts) for remark in game.rules.remarks(game)}


def test_who_may_found_and_where_is_told_in_the_founding_and_nowhere_else() -> None:
    game = founding("bo", "ann", "cy", "di")
    hexes = game.definition.map.hexes
    assert hints(game) == {
        "may_found": {"list": f"ann: {hexes['H13'].name} (MC10)"},
        "may_found_free": {"places": f"{hexes['G8'].name} {min(pars(game, 'G8'))}"},
    }
    a.link(game, 10, 11, linked=False)
    a.take_offer(game)
    assert hints(game) == {"none_founds": {}}
    a.stock(game, "ann")
    assert hints(game) == {}


def test_who_may_merge_what_is_told_in_the_merging_and_nowhere_else() -> None:
    game = merging("bo", "ann", "cy", "di")
    assert hints(game) == {"may_merge": {"list": "ann: MC10 → RB, MC15 → RB"}}
    while game.state.round.kind == "merging":
        game.apply(mv.Pass(a.asked(game)))
    assert hints(game) == {}
