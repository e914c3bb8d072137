"""Capital expenditures of Montan companies: markers, links, engines (ledger section 9)."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL, REMOVED
from tests.titles.ruhr import arrange as a
from titles.ruhr import works
from titles.ruhr.locations import MakeLink, location, value
from titles.ruhr.remembered import Charter, Locations, Works
from titles.ruhr.spending import BuyEngine, BuyTrainAsEngine, Develop, ScrapEngine


def small(number: int = 10, treasury: int = 900, *, linked: bool = False, phase: str = "2", **stages: int) -> Game:
    """It is the turn of a small company of ann, to spend."""
    game = a.second_stock_round()
    name = a.mine(game, number, "ann", treasury, **stages)
    a.link(game, number, linked=linked)
    if phase != "2":
        a.phase(game, phase)
        a.cards_left(game, **{f"t{phase}": 3})
    a.operating(game, name, "spend")
    return game


def big(treasury: int = 900, *, phase: str = "4", company: str = "RB", number: int = 5, **stages: int) -> Game:
    """It is the turn of a MONTAN corporation of ann, to spend."""
    game = a.second_stock_round()
    a.montan(game, company, "ann", number, treasury, **stages)
    if phase != "2":
        a.phase(game, phase)
        a.cards_left(game, **{f"t{phase}": 3})
    a.operating(game, company, "spend")
    return game


def takes(game: Game, card: str) -> set[str]:
    return set(works.selections(game, game.state.round.actor, card))


# ---------------------------------------------------------------------- limits of all companies


@pytest.mark.rule("RUHR-9.1.1-a")
def test_markers_of_the_own_industry() -> None:
    game = small(6, A=1)  # steel
    game.apply(Develop("ann", "MC6", "2+2", "A"))
    assert Works.of(game).supply["steel"]["A"] == 13 - 2
    assert Works.of(game).supply["coal"]["A"] == 13
    game = small(6, A=1)
    Works.of(game).supply["steel"]["A"] = 0
    assert a.refused(game, Develop("ann", "MC6", "2+2", "A")).rule == "RUHR-9.1.1-a"


@pytest.mark.rule("RUHR-9.1.1.1-a")
@pytest.mark.parametrize(
    ("phase", "stages"), [("2", "AB"), ("3", "ABC"), ("4", "ABCD"), ("5", "ABCD"), ("6", "ABCDE"), ("8", "ABCDEX")]
)
def test_only_stages_of_the_card(phase: str, stages: str) -> None:
    game = big(phase=phase, A=4, B=2, C=1, D=1)
    a.markers(game, "RB", A=4, B=3, C=2, D=1)
    card = f"{phase}+{phase}"
    for stage in "ABCDEX":
        misfit = works.misfit(game, "RB", {stage: 1}, card)
        if stage in stages:
            assert misfit is None, stage
        else:
            assert misfit is not None
            assert misfit.rule == "RUHR-9.1.1.1-a"


@pytest.mark.rule("RUHR-9.1.1.1-a")
def test_a_stage_that_is_available_but_not_on_the_card() -> None:
    game = big(phase="8", A=4, B=3, C=2, D=1)
    a.cards_left(game, t6=2, t8=3)
    a.operating(game, "RB", "spend")
    assert a.refused(game, Develop("ann", "RB", "6+6", "BCDX")).rule == "RUHR-9.1.1.1-a"
    game.apply(Develop("ann", "RB", "8+8", "BCDX"))


@pytest.mark.rule("RUHR-9.1.1.1-b", "RUHR-9.1.1.3-d")
def test_each_stage_has_its_own_row() -> None:
    game = big(phase="8", A=5, B=4, C=3, D=3, E=2)
    misfit = works.misfit(game, "RB", {"E": 1}, "8+8")  # the X boxes are empty, but not for E
    assert misfit is not None
    assert misfit.rule == "RUHR-9.1.1.1-b"
    assert works.misfit(game, "RB", {"X": 2}, "8+8") is None
    a.markers(game, "RB", A=5, B=4, C=3, D=2, E=1, X=2)
    misfit = works.misfit(game, "RB", {"X": 1}, "8+8")  # an E box is free, but not for X
    assert misfit is not None
    assert misfit.rule == "RUHR-9.1.1.1-b"
    assert works.boxes(game, "RB") == {"A": 5, "B": 4, "C": 3, "D": 3, "E": 2, "X": 2}
    game = small(11, A=4)  # four A in three boxes: none of them lies in a B box
    assert works.placed(game, "MC11") == {"A": 3}


@pytest.mark.rule("RUHR-9.1.1.1-c")
def test_no_more_than_five_a() -> None:
    game = small(10, A=4)
    assert a.refused(game, Develop("ann", "MC10", "2+2", "AA")).rule == "RUHR-9.1.1.1-c"
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    assert works.stored(game, "MC10") == {"A": 1}
    game = big(phase="2", A=5, B=1)
    assert a.refused(game, Develop("ann", "RB", "2+2", "AB")).rule == "RUHR-9.1.1.1-c"


@pytest.mark.rule("RUHR-9.1.1.1-d")
def test_no_stage_exceeds_the_one_before() -> None:
    game = small(10, A=2, B=2)
    assert a.refused(game, Develop("ann", "MC10", "2+2", "B")).rule == "RUHR-9.1.1.1-d"
    game.apply(Develop("ann", "MC10", "2+2", "AB"))
    game = small(11, linked=True, phase="3", A=2, B=2, C=2)
    assert a.refused(game, Develop("ann", "MC11", "3+3", "C")).rule == "RUHR-9.1.1.1-d"
    # X stands outside.
    game = big(phase="8", A=1, B=1, D=0)
    assert works.misfit(game, "RB", {"X": 1}, "8+8") is None


@pytest.mark.rule("RUHR-9.1.1.1-e")
def test_whoever_can_place_nothing_buys_no_card() -> None:
    game = big(phase="4", company="TB", A=5, B=4, C=3, D=3)
    works.charter(game, "TB").engines.append("W3")
    a.take_offer(game)
    assert not {"develop"} & a.names(game)
    assert a.refused(game, Develop("ann", "TB", "4+4", "A")).rule == "RUHR-9.1.1.1-c"
    assert a.refused(game, BuyEngine("ann", "TB", "4+4", BANK, "")).rule == "RUHR-9.3-d"
    game = big(phase="4", A=3, B=1)
    Works.of(game).supply["coal"] = dict.fromkeys("ABCDEX", 0)
    Works.of(game).engines["W3"] = 0
    a.take_offer(game)
    assert not {"develop", "buy_engine"} & a.names(game)


# ---------------------------------------------------------------------- small companies


@pytest.mark.rule("RUHR-9.1.1.2-a", "RUHR-9.1.2-a")
def test_boxes_with_the_track_sign_need_a_link() -> None:
    game = small(10, phase="3", A=2, B=2)
    game.apply(Develop("ann", "MC10", "3+3", "C"))
    assert (works.stored(game, "MC10"), works.income(game, "MC10")) == ({"C": 1}, 60)
    a.link(game, 10)
    assert (works.stored(game, "MC10"), works.income(game, "MC10")) == ({}, 90)


@pytest.mark.rule("RUHR-9.1.1.2-b")
@pytest.mark.parametrize(("phase", "stage"), [("4", "D"), ("6", "D"), ("6", "E"), ("8", "X")])
def test_small_companies_take_neither_d_nor_e_nor_x(phase: str, stage: str) -> None:
    game = small(10, linked=True, phase=phase, A=3, B=3, C=2)
    card = f"{phase}+{phase}"
    assert a.refused(game, Develop("ann", "MC10", card, stage)).rule == "RUHR-9.1.1.2-b"
    assert not {letter for text in takes(game, card) for letter in text} - set("ABC")


@pytest.mark.rule("RUHR-9.1.1.2-c")
def test_fewer_markers_cost_the_same() -> None:
    game = small(6, 200, phase="4", A=2, B=2)
    game.apply(Develop("ann", "MC6", "4+4", "A"))
    assert game.state.cash["MC6"] == 0


@pytest.mark.rule("RUHR-9.1.1.2-d")
@pytest.mark.parametrize(("number", "stored"), [(11, {"A": 1}), (6, {})])
def test_a_marker_without_a_box_goes_to_the_treasury(number: int, stored: dict[str, int]) -> None:
    game = small(number, A=3)
    game.apply(Develop("ann", f"MC{number}", "2+2", "A"))
    assert works.stored(game, f"MC{number}") == stored
    assert works.income(game, f"MC{number}") == 40 - 10 * len(stored)


@pytest.mark.rule("RUHR-9.1.1.2-e")
def test_more_markers_than_boxes() -> None:
    game = small(10, linked=True, A=4, B=3)
    game.apply(Develop("ann", "MC10", "2+2", "B"))
    assert works.stored(game, "MC10") == {"B": 1}
    game = small(10, linked=True, phase="3", A=3, B=3, C=2)
    game.apply(Develop("ann", "MC10", "3+3", "C"))
    assert works.stored(game, "MC10") == {"C": 1}


@pytest.mark.rule("RUHR-9.1.1.2-f", "RUHR-9.1.1.2-x1")
def test_hibernia_may_take_what_it_cannot_place() -> None:
    game = small(11, phase="3", A=2, B=2)
    assert works.boxes(game, "MC11")["A"] == 3  # an A could be placed
    found = takes(game, "3+3")
    assert {"C", "CC", "AB", "AC", "A", "AA"} <= found
    assert not {"B", "BB", "BC"} & found
    game.apply(Develop("ann", "MC11", "3+3", "CC"))
    assert works.stored(game, "MC11") == {"C": 2}


@pytest.mark.rule("RUHR-9.1.1.2-g", "RUHR-9.1.1.2-i")
def test_a_stored_marker_bars_more_markers_but_no_engine() -> None:
    game = small(10, linked=True, phase="3", A=3, B=3, C=3)
    assert works.stored(game, "MC10") == {"C": 1}
    assert a.refused(game, Develop("ann", "MC10", "3+3", "A")).rule == "RUHR-9.1.1.2-g"
    game.apply(BuyEngine("ann", "MC10", "3+3", BANK, ""))
    game = small(10, phase="3", A=2, B=2, C=1)
    assert a.refused(game, Develop("ann", "MC10", "3+3", "A")).rule == "RUHR-9.1.1.2-g"
    a.link(game, 10)
    game.apply(Develop("ann", "MC10", "3+3", "A"))


@pytest.mark.rule("RUHR-9.1.1.2-i")
def test_markers_beyond_all_boxes_stay_even_with_a_link() -> None:
    game = small(10, linked=True, A=4, B=4)
    assert works.stored(game, "MC10") == {"B": 1}
    assert "develop" not in a.names(game)
    assert "buy_engine" in a.names(game)


@pytest.mark.rule("RUHR-9.1.1.2-h")
def test_a_small_company_need_not_have_active_markers() -> None:
    game = small(10, phase="4", A=3)
    assert works.active(game, "MC10") == {}
    assert "pass" in a.names(game)
    game.apply(mv.Pass("ann"))


# ---------------------------------------------------------------------- MONTAN corporations


@pytest.mark.rule("RUHR-9.1.1.3-a", "RUHR-9.1.1.3-b")
def test_a_corporation_takes_as_many_as_it_can_place() -> None:
    game = big(phase="4", A=3, B=2, C=1, D=1)
    found = takes(game, "4+4")
    assert found
    assert all(len(text) == 3 for text in found)
    assert len(found) > 1
    assert a.refused(game, Develop("ann", "RB", "4+4", "BC")).rule == "RUHR-9.1.1.3-b"
    game.apply(Develop("ann", "RB", "4+4", "BCD"))
    assert works.stored(game, "RB") == {}
    # Room for two only: two at the full price.
    game = big(200, phase="4", A=5, B=4, C=3, D=1)
    assert takes(game, "4+4") == {"DD"}
    game.apply(Develop("ann", "RB", "4+4", "DD"))
    assert game.state.cash["RB"] == 0


@pytest.mark.rule("RUHR-9.1.1.3-c", "RUHR-10.6.1-h")
@pytest.mark.parametrize(("phase", "stage"), [("6", "E"), ("8", "X")])
def test_the_first_e_or_x_makes_the_location_worth_30(phase: str, stage: str) -> None:
    game = big(phase=phase, A=3, B=3, C=2, D=1)
    assert value(game, "K12") == 20
    text = next(text for text in takes(game, f"{phase}+{phase}") if set(text) & {"E", "X"} == {stage})
    game.apply(Develop("ann", "RB", f"{phase}+{phase}", text))
    assert value(game, "K12") == 30


@pytest.mark.rule("RUHR-9.1.1.3-e")
def test_a_corporation_must_own_an_active_marker() -> None:
    game = big(phase="5", A=3, B=2)
    assert works.active(game, "RB") == {}
    assert "pass" not in a.names(game)
    assert not {"buy_engine", "make_link", "buy_train_as_engine"} & a.names(game)
    assert a.refused(game, mv.Pass("ann")).rule == "RUHR-9.1.1.3-e"
    found = takes(game, "5+5")
    assert found
    assert all(set(text) & set("CD") for text in found)
    assert a.refused(game, Develop("ann", "RB", "5+5", "ABB")).rule == "RUHR-9.1.1.3-b"
    game.apply(Develop("ann", "RB", "5+5", "CCA"))
    assert works.active(game, "RB") == {"C": 2}


@pytest.mark.rule("RUHR-9.1.1.3-e")
def test_no_engine_with_the_card_that_ends_the_last_active_stage() -> None:
    game = big(phase="4", A=2, B=2)
    a.cards_left(game, t5=3)
    game.state.depot.sold["5+5"] = 0
    a.operating(game, "RB", "spend")
    assert works.active(game, "RB") == {"B": 2}
    assert a.refused(game, BuyEngine("ann", "RB", "5+5", BANK, "")).rule == "RUHR-9.1.1.3-e"
    assert all(set(text) & set("CD") for text in takes(game, "5+5"))


@pytest.mark.rule("RUHR-9.1.1.3-f")
@pytest.mark.parametrize(("offered", "director"), [(0, 180), (20, 90)])
def test_short_of_money_it_sells_one_certificate_and_the_director_pays(offered: int, director: int) -> None:
    game = big(100, phase="5", A=3, B=2)
    a.price_at(game, "RB", 90)
    a.own(game, "RB", "ann", 100 - offered)
    a.operating(game, "RB", "spend")
    cash = game.state.cash["ann"]
    if offered:
        assert a.names(game) == {"sell_own_shares"}
        assert a.refused(game, Develop("ann", "RB", "5+5", "AAC")).rule == "RUHR-8-a"
        game.apply(mv.SellOwnShares("ann", "RB", 20))
    game.apply(Develop("ann", "RB", "5+5", "AAC"))
    assert game.state.cash["ann"] == cash - director
    assert game.state.cash["RB"] == 0


@pytest.mark.rule("RUHR-9.1.1.3-f")
def test_the_director_adds_nothing_for_an_8_while_there_is_a_6() -> None:
    game = big(100, phase="8", A=3, B=2)
    a.cards_left(game, t6=2, t8=3)
    a.own(game, "RB", "ann", 100)
    a.operating(game, "RB", "spend")
    assert a.offered(game, "develop") == ["6+6"]


@pytest.mark.rule("RUHR-9.1.1.3-f")
@pytest.mark.parametrize(("short", "cards"), [(0, ["6+6", "8+8"]), (1, ["6+6"])])
def test_with_its_own_money_it_may_take_an_8_while_there_is_a_6(short: int, cards: list[str]) -> None:
    game = big(phase="8", A=3, B=2)
    a.cards_left(game, t6=2, t8=3)
    a.own(game, "RB", "ann", 100)
    a.cash(game, "RB", works.tables(game).cards["8+8"].development_price - short)
    a.operating(game, "RB", "spend")
    assert a.offered(game, "develop") == cards


@pytest.mark.rule("RUHR-9.1.1-a")
def test_the_last_marker_of_a_stage_can_be_taken() -> None:
    game = small(6, A=1)
    Works.of(game).supply["steel"]["A"] = 1
    a.operating(game, "MC6", "spend")
    assert "A" in takes(game, "2+2")
    game.apply(Develop("ann", "MC6", "2+2", "A"))
    assert Works.of(game).supply["steel"]["A"] == 0


@pytest.mark.rule("RUHR-9.1.1.3-g")
def test_without_a_marker_to_be_had_the_corporation_closes() -> None:
    game = big(500, phase="5", A=3, B=2)
    a.mine(game, 10, "bo")
    Locations.of(game).locations["H13"].become("merged", "RB")
    Locations.of(game).locations["H13"].linked = True
    works.charter(game, "RB").locations.append("H13")
    a.own(game, "RB", "bo", 20)
    works.charter(game, "RB").engines.append("W3")
    Works.of(game).engines["W3"] -= 1
    Works.of(game).supply["coal"]["C"] = 0
    bank = game.state.cash[BANK]
    people = [game.state.cash[player] for player in game.state.seats]
    a.operating(game, "RB", "spend")
    a.own(game, "RB", "ann", 80)
    game.settle()
    assert game.company("RB").closed
    assert set(game.company("RB").certificates) == {REMOVED}
    assert [game.state.cash[player] for player in game.state.seats] == people
    assert game.state.cash[BANK] == bank + 500
    assert (location(game, "K12").state, value(game, "K12")) == ("empty", 0)
    assert (location(game, "H13").state, value(game, "H13")) == ("passive", 10)
    assert Works.of(game).removed["coal"] == {"A": 3, "B": 2}
    assert (Works.of(game).engines["W3"], Works.of(game).scrapped["W3"]) == (3, 1)
    assert "RB" not in Works.of(game).charters


@pytest.mark.rule("RUHR-9.1.1.3-g")
def test_the_marker_of_a_closed_corporation_leaves_its_space_in_a_brown_city() -> None:
    game = big(500, phase="5", company="US", number=2, A=3, B=2)
    a.floated(game, "EH", "bo")
    for tile in ("EG1", "EB1"):
        a.lay(game, "J7", tile, green(game, "J7", tile))
    game.notify(ev.TileLaid("EH", "J7", "EB1", 0, "", 0, ""))
    assert game.board.spaces("J7", 0).count("marker") == 1
    Works.of(game).supply["steel"]["C"] = 0
    a.own(game, "US", "ann", 100)
    a.operating(game, "US", "spend")
    game.settle()
    assert game.company("US").closed
    assert game.board.spaces("J7", 0).count("marker") == 0


@pytest.mark.rule("RUHR-9.1.1.3-g")
def test_without_cards_nothing_closes() -> None:
    game = big(500, phase="8", A=3, B=2)
    a.own(game, "RB", "ann", 100)
    for name in game.state.depot.left:
        game.state.depot.gone += [name] * game.state.depot.left[name]
        game.state.depot.left[name] = 0
    a.operating(game, "RB", "spend")
    game.settle()
    assert not game.company("RB").closed
    assert game.state.round.stock_number == 3  # its turns could end: the duty waits


@pytest.mark.rule("RUHR-9.1.2-a")
def test_a_railways_link_places_stored_markers_at_once() -> None:
    game = a.second_stock_round()
    a.mine(game, 17, "bo", A=2, B=2, C=2)
    a.floated(game, "KWE", "ann")
    a.lay(game, "C16", "9", 1)
    a.lay(game, "D15", "884", 1)
    a.operating(game, "KWE")
    assert works.stored(game, "MC17") == {"C": 2}
    assert a.refused(game, MakeLink("ann", "CME", "D15")).key == "turn.order"
    game.apply(MakeLink("ann", "KWE", "D15"))
    assert works.stored(game, "MC17") == {}
    assert works.income(game, "MC17") == 20 + 40 + 60


@pytest.mark.rule("RUHR-9.1.2-c", "RUHR-12.1.1-c")
@pytest.mark.parametrize(("stages", "count", "par"), [({"A": 4, "B": 4}, 9, 90), ({"A": 4, "B": 4, "C": 2}, 11, 100)])
def test_stored_markers_count_for_the_value(stages: dict[str, int], count: int, par: int) -> None:
    from titles.ruhr.founding import pars

    game = a.second_stock_round()
    a.mine(game, 10, "ann", **stages)
    a.link(game, 10)
    assert works.stored(game, "MC10")
    assert works.counted(game, "MC10") == count
    assert pars(game, "H13") == [par]


@pytest.mark.rule("RUHR-9.1.3-a", "RUHR-11-4-b", "RUHR-11-5-b", "RUHR-11-8-b")
def test_phases_turn_stages_over() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", A=3, B=2, C=2)
    a.link(game, 10)
    expected = {"2": 130, "3": 130, "4": 100, "5": 60, "6": 60, "8": 0}
    for name, income in expected.items():
        if name != "2":
            a.phase(game, name)
        assert works.income(game, "MC10") == income, name
        assert works.charter(game, "MC10").markers == {"A": 3, "B": 2, "C": 2}


@pytest.mark.rule("RUHR-9.1.3-b", "RUHR-9.1.3-x1")
def test_inactive_markers_fill_the_staircase() -> None:
    game = small(6, phase="4", A=2, B=2)
    found = takes(game, "4+4")
    assert {"AAB", "ABC", "ACC"} <= found
    assert not {"ABB", "BBC"} & found
    for text, stored, income in (("AAB", {}, 60), ("ABC", {"C": 1}, 60), ("ACC", {"C": 2}, 40)):
        twin = game.copy()
        twin.apply(Develop("ann", "MC6", "4+4", text))
        assert (works.stored(twin, "MC6"), works.income(twin, "MC6")) == (stored, income)
        assert twin.state.cash["MC6"] == 700


# ---------------------------------------------------------------------- links


@pytest.mark.rule("RUHR-9.2-a")
def test_corporations_need_no_link() -> None:
    game = big(phase="4", A=5, B=4, C=3, D=1)
    location(game, "K12").linked = False
    assert works.boxes(game, "RB")["C"] == 3
    game.apply(BuyEngine("ann", "RB", "4+4", BANK, ""))
    assert works.charter(game, "RB").engines == ["W3"]


def kamen(owner: str = "ann", *, floated: bool = True) -> Game:
    """Kamen (D15, no. 17) at the end of KWE's track; no. 17 is owned."""
    game = a.second_stock_round()
    if floated:
        a.floated(game, "KWE", "bo")
    else:
        a.founded(game, "KWE", "bo")
    a.lay(game, "C16", "9", 1)
    a.lay(game, "D15", "884", 1)
    a.mine(game, 17, owner, 30)
    return game


@pytest.mark.rule("RUHR-9.2-b")
def test_a_link_needs_a_station_of_a_floated_railway() -> None:
    game = kamen(floated=False)
    a.operating(game, "MC17", "spend")
    assert a.refused(game, MakeLink("ann", "MC17", "D15")).rule == "RUHR-9.2-b"
    game = kamen()
    game.state.board.tiles.pop("C16")
    game.state.board.supply["9"] += 1
    a.take_offer(game)
    a.operating(game, "MC17", "spend")
    assert a.refused(game, MakeLink("ann", "MC17", "D15")).rule == "RUHR-9.2-b"
    # A station on the hex itself is enough.
    game = a.second_stock_round()
    a.floated(game, "EH", "bo")
    a.mine(game, 2, "ann", 30)
    a.operating(game, "MC2", "spend")
    game.apply(MakeLink("ann", "MC2", "J7"))
    assert works.linked(game, "MC2")


@pytest.mark.rule("RUHR-9.2-c", "RUHR-9.2-h")
def test_a_small_company_builds_its_own_link() -> None:
    game = kamen()
    a.operating(game, "MC17", "spend")
    assert value(game, "D15") == 0
    events = game.apply(MakeLink("ann", "MC17", "D15"))
    paid = [(e.source, e.target, e.amount) for e in events if isinstance(e, ev.Paid) and e.reason == "link"]
    assert paid == [("MC17", BANK, 30)]
    assert value(game, "D15") == 10
    assert works.linked(game, "MC17")
    game = kamen()
    a.cash(game, "MC17", 29)
    a.operating(game, "MC17", "spend")
    assert a.refused(game, MakeLink("ann", "MC17", "D15")).rule == "RUHR-10.3-a"
    a.mine(game, 16, "ann", 500)
    a.operating(game, "MC16", "spend")
    assert a.refused(game, MakeLink("ann", "MC16", "D15")).rule == "RUHR-9.2-c"  # not its own


@pytest.mark.rule("RUHR-9.2-d")
def test_a_corporation_links_a_merged_location() -> None:
    game = kamen()
    a.montan(game, "RB", "ann", 5, 200, A=3, B=1)
    Locations.of(game).locations["D15"].become("merged", "RB")
    del Works.of(game).charters["MC17"]
    works.charter(game, "RB").locations.append("D15")
    a.operating(game, "RB", "spend")
    assert a.offered(game, "make_link") == ["D15"]
    assert a.refused(game, MakeLink("ann", "RB", "K12")).rule == "RUHR-9.2-b"  # its own is never offered
    a.own(game, "RB", "ann", 80)
    game.apply(MakeLink("ann", "RB", "D15"))
    assert (game.state.cash["RB"], value(game, "D15")) == (170, 10)
    assert a.refused(game, Develop("ann", "RB", "2+2", "AB")).rule == "RUHR-7.2-k"


@pytest.mark.rule("RUHR-9.2-g", "RUHR-10.2.2-h")
def test_a_brown_tile_links_for_nothing() -> None:
    game = a.second_stock_round()
    a.phase(game, "5")
    a.floated(game, "EH", "ann")
    a.mine(game, 2, "bo", 0, A=2, B=2, C=1)
    a.operating(game, "EH")
    game.apply(mv.LayTile("ann", "EH", "J7", "EG1", a.offered(game, "lay_tile", hex="J7", tile="EG1")[0]))
    assert not works.linked(game, "MC2")  # a green one does not
    assert game.board.spaces("J7", 0).count("marker") == 0
    a.operating(game, "EH")
    cash = dict(game.state.cash)
    rotation = a.offered(game, "lay_tile", hex="J7", tile="EB1")[0]
    game.apply(mv.LayTile("ann", "EH", "J7", "EB1", rotation))
    assert works.linked(game, "MC2")
    assert works.stored(game, "MC2") == {}
    assert game.state.cash == cash
    assert game.board.spaces("J7", 0).count("marker") == 1


def green(game: Game, at: str, tile: str) -> int:
    fits = game.rules.tiling.fits(at, game.board.cover(at))
    return next(fit.rotation for fit in fits if fit.tile == tile)


@pytest.mark.rule("RUHR-9.2-h")
def test_a_linked_location_adds_10_to_every_route() -> None:
    game = a.second_stock_round()
    a.floated(game, "EH", "ann")
    a.floated(game, "CME", "bo")
    a.trains(game, "EH", "2+2")
    a.lay(game, "K6", "9", 1)  # from Essen's south-west side on
    a.lay(game, "L5", "719", 1)
    before = game.best_routes("EH").value
    a.link(game, 9)
    assert game.best_routes("EH").value == before + 10
    a.link(game, 2)
    assert game.best_routes("EH").value == before + 20


@pytest.mark.rule("RUHR-9.2-k")
def test_only_a_linked_small_company_buys_an_engine() -> None:
    game = small(10, A=2)
    a.floated(game, "CME", "ann")
    a.trains(game, "CME", "2+2")
    assert not {"buy_engine", "buy_train_as_engine"} & a.names(game)
    assert a.refused(game, BuyEngine("ann", "MC10", "2+2", BANK, "")).rule == "RUHR-9.2-k"
    assert a.refused(game, BuyTrainAsEngine("ann", "MC10", "2+2", "CME", "", 50)).rule == "RUHR-9.2-k"
    a.link(game, 10)
    assert {"buy_engine", "buy_train_as_engine"} <= a.names(game)


# ---------------------------------------------------------------------- engines


@pytest.mark.rule("RUHR-9.3-a", "RUHR-9.3-c")
def test_an_engine_with_a_card() -> None:
    game = small(10, 50, linked=True, A=2)
    left = game.state.depot.left["2+2"]
    game.apply(BuyEngine("ann", "MC10", "2+2", BANK, ""))
    assert works.charter(game, "MC10") == Charter({"A": 2}, ["W1"], ["H13"])
    assert Works.of(game).engines["W1"] == 3
    assert game.state.depot.left["2+2"] == left - 1
    assert game.state.depot.gone == ["2+2"]
    game = small(10, 300, linked=True, A=2)
    Works.of(game).engines["W1"] = 0
    assert a.refused(game, BuyEngine("ann", "MC10", "2+2", BANK, "")).rule == "RUHR-9.3-c"
    game.apply(Develop("ann", "MC10", "2+2", "A"))
    game = small(10, 49, linked=True, A=2)
    assert a.refused(game, BuyEngine("ann", "MC10", "2+2", BANK, "")).rule == "RUHR-9.3-a"
    game = small(10, 300, linked=True, A=2)
    a.mine(game, 3, "ann", 300, A=2)
    a.link(game, 3)
    assert a.refused(game, BuyEngine("ann", "MC3", "2+2", BANK, "")).key == "turn.order", "one of ann's other companies"


@pytest.mark.rule("RUHR-9.3-b")
@pytest.mark.parametrize(("treasury", "offered"), [(10, True), (9, False)])
def test_ten_marks_are_enough_for_a_train_as_an_engine(treasury: int, offered: bool) -> None:
    game = small(10, treasury, linked=True, A=2)
    a.floated(game, "CME", "ann", treasury=0)
    a.trains(game, "CME", "2+2")
    assert ("buy_train_as_engine" in a.names(game)) == offered


@pytest.mark.rule("RUHR-9.3-b", "RUHR-8-h")
def test_a_train_as_an_engine_for_10_to_150_percent() -> None:
    game = small(10, 300, linked=True, A=2)
    a.floated(game, "CME", "ann", treasury=0)
    a.trains(game, "CME", "2+2")
    assert a.offered(game, "buy_train_as_engine", source="CME", train="2+2", instead="") == [10, 75, 1]
    for price in (9, 76):
        assert a.refused(game, BuyTrainAsEngine("ann", "MC10", "2+2", "CME", "", price)).rule == "RUHR-9.3-b"
    happened = game.apply(BuyTrainAsEngine("ann", "MC10", "2+2", "CME", "", 75))  # its last train
    assert ev.TrainBought("MC10", "2+2", "CME", 75) in happened
    assert (game.state.cash["CME"], game.company("CME").trains) == (75, [])
    assert works.charter(game, "MC10").engines == ["W1"]
    assert "2+2" in game.state.depot.gone


@pytest.mark.rule("RUHR-9.3-b")
def test_the_railways_director_must_agree() -> None:
    for reply, engines in (("accept", ["W1"]), ("decline", [])):
        game = small(10, 300, linked=True, A=2)
        a.floated(game, "CME", "bo", treasury=0)
        a.trains(game, "CME", "2+2")
        game.apply(BuyTrainAsEngine("ann", "MC10", "2+2", "CME", "", 30))
        assert a.asked(game) == "bo"
        game.apply(mv.Answer("bo", reply))
        assert works.charter(game, "MC10").engines == engines
        assert game.state.cash["CME"] == 30 * len(engines)


@pytest.mark.rule("RUHR-9.3-d", "RUHR-9.3-e")
def test_boxes_for_engines() -> None:
    game = small(10, 300, linked=True, A=2)
    works.charter(game, "MC10").engines.append("W1")
    a.take_offer(game)
    assert works.engine_boxes(game, "MC10") == 1
    assert a.refused(game, BuyEngine("ann", "MC10", "2+2", BANK, "")).rule == "RUHR-9.3-d"
    game = big(phase="4", A=2, B=2)  # two boxes, one location
    works.charter(game, "RB").engines.append("W3")
    a.take_offer(game)
    assert a.refused(game, BuyEngine("ann", "RB", "4+4", BANK, "")).rule == "RUHR-9.3-d"
    works.charter(game, "RB").locations.append("H13")
    Locations.of(game).locations["H13"].become("merged", "RB")
    a.take_offer(game)
    game.apply(BuyEngine("ann", "RB", "4+4", BANK, ""))
    assert works.charter(game, "RB").engines == ["W3", "W3"]
    game = big(phase="4", company="TB", A=2, B=2)  # one box
    works.charter(game, "TB").locations.append("H13")
    assert works.engine_boxes(game, "TB") == 1


@pytest.mark.rule("RUHR-9.3-d", "RUHR-9.3-e")
def test_a_card_that_scraps_the_old_engine_frees_its_box() -> None:
    """TB has one box; the first 6+6 scraps its W1, a 5+5 does not."""
    for card, left, key in (("5+5", {"t5": 3}, "engine.box.instead"), ("6+6", {"t5": 0, "t6": 3}, "")):
        game = big(2000, phase="5", company="TB", A=2, B=2, C=2, D=1, E=1)
        a.cards_left(game, **left)
        works.charter(game, "TB").engines.append("W1")
        Works.of(game).engines["W1"] -= 1
        a.operating(game, "TB", "spend")
        move = BuyEngine("ann", "TB", card, BANK, "")
        if key:
            assert a.refused(game, move).key == key
        else:
            game.apply(move)
            assert works.charter(game, "TB").engines == [works.tables(game).cards[card].engine]


@pytest.mark.rule("RUHR-9.3-f", "RUHR-16-a")
def test_an_engine_is_given_up_but_never_sold() -> None:
    game = small(10, 300, linked=True, A=2)
    works.charter(game, "MC10").engines.append("W1")
    Works.of(game).engines["W1"] -= 1
    a.take_offer(game)
    assert a.refused(game, ScrapEngine("ann", "MC10", "W2")).rule == "RUHR-9.3-f"
    cash = dict(game.state.cash)
    game.apply(ScrapEngine("ann", "MC10", "W1"))
    assert Works.of(game).engines["W1"] == 4
    assert game.state.cash == cash
    assert not [name for name in a.names(game) if "sell" in name]


@pytest.mark.rule("RUHR-10.8.2-d")
def test_a_pool_card_is_an_engine_but_gives_no_markers() -> None:
    game = small(10, 300, linked=True, A=2)
    a.phase(game, "3")
    game.state.depot.left["3+3"] -= 1
    game.state.depot.sold["3+3"] += 1
    game.state.depot.pool.append("3+3")
    a.take_offer(game)
    assert a.refused(game, Develop("ann", "MC10", "3+3", "A")).rule == "RUHR-10.8.2-d"
    assert a.offered(game, "develop") == ["2+2"]
    assert a.offered(game, "buy_engine", source=POOL) == ["3+3"]
    game.apply(BuyEngine("ann", "MC10", "3+3", POOL, ""))
    assert (game.state.cash["MC10"], works.charter(game, "MC10").engines) == (200, ["W2"])
    assert game.state.depot.pool == []
    assert "3+3" in game.state.depot.gone


@pytest.mark.rule("RUHR-11-6-b", "RUHR-11-8-b")
def test_phases_scrap_engines() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann")
    a.link(game, 10)
    for kind in ("W1", "W2", "W3"):
        Works.of(game).engines[kind] -= 1
    works.charter(game, "MC10").engines += ["W1"]
    a.montan(game, "RB", "ann", 5, A=2, B=2)
    works.charter(game, "RB").engines += ["W2"]
    a.montan(game, "SK", "ann", 11, A=2, B=2)
    works.charter(game, "SK").engines += ["W3"]
    a.phase(game, "5")
    assert works.charter(game, "MC10").engines == ["W1"]
    a.phase(game, "6")
    assert works.charter(game, "MC10").engines == []
    assert works.EngineGone("MC10", "W1", "scrapped") in game._events
    assert Works.of(game).engines["W1"] == 0
    assert works.charter(game, "RB").engines == ["W2"]
    a.phase(game, "8")
    assert works.charter(game, "RB").engines == []
    assert works.charter(game, "SK").engines == ["W3"]
    assert Works.of(game).engines == {"W1": 0, "W2": 0, "W3": 3, "W4": 4}


@pytest.mark.rule("RUHR-16-b")
def test_active_companies_are_on_view() -> None:
    game = a.new()
    game.apply(mv.BuyLot("ann", "MC3"))
    states = {at: found.state for at, found in Locations.of(game).locations.items()}
    assert states["M12"] == "active"
    assert game.company("MC3").director == "ann"
    assert shares.held(game, "MC3", "ann") == 100
    assert shares.held(game, "RB", OFFERING) == 100
