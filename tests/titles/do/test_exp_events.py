"""The Expert game's special events: taking and using them, each by its clause."""

from __future__ import annotations

import pytest

from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.house.invariants import faults
from engine.moves import Answer, Dividend, Pass, SellOwnShares
from engine.remembered import Acted, Earned
from engine.state import POOL
from tests.titles.do.exp_arrange import after_package, display, exporting, give_markers, income
from tests.titles.do.hsb_arrange import (
    brewing,
    brewing_turn,
    cash,
    corporation,
    demand,
    equip,
    fields,
    names,
    new,
    offered,
    on_card,
    own,
    phase,
    railway,
    refused,
    seen,
    take_offer,
    trains,
)
from titles.do.board.remembered import ExpertTurn, Reserved
from titles.do.brewery import breweries, failing
from titles.do.brewery.breweries import GiveUpEquipment, OrderTokens
from titles.do.brewery.brewing import BuyEquipment, DeliverBeer, DeliverBest, EquipmentBought
from titles.do.brewery.loading import LoadExport, Loads
from titles.do.expert import bonuses, markers
from titles.do.expert.brewing import MarkerPaid, RestEquipment
from titles.do.expert.investing import BuyMarker
from titles.do.expert.special import EventUsed, TakeEvent, UseEvent
from titles.do.expert.tables import expert


def turn(
    *equipment: str, sem: str, name: str = "3", company: str = "DUB", step: str = "deliver", **wanted: int
) -> Game:
    """A brewery with equipment and a special event is to act; the market wants these cubes."""
    game = after_package()
    if name != "2":
        phase(game, name)
    if company == "DUB":
        corporation(game, "DUB", equipment=equipment, price=70)
    else:
        equip(game, company, *equipment)
    if name != "2":
        on_card(game, name, 1)
    if sem:
        give_markers(game, company, sem)
    demand(game, stock=wanted.pop("stock", 3), closed=tuple(wanted.pop("closed", (6,))), **wanted)  # type: ignore[arg-type]
    brewing_turn(game, company, step)
    return game


# ---------------------------------------------------------------------- taking


@pytest.mark.rule("DO-7.2-c")
def test_the_ten_events_and_their_phases() -> None:
    rows = {row.code: row.phase for row in expert(new(form="exp")).sem}
    assert rows == {
        **dict.fromkeys("GHIJK", "yellow"),
        **dict.fromkeys("LMNO", "green"),
        "P": "brown",
    }


@pytest.mark.rule("DO-7.6-a")
@pytest.mark.rule("DO-7.2-a")
def test_an_event_is_taken_for_nothing_as_the_last_action() -> None:
    game = turn("3", sem="", company="B4", r3=3)
    assert refused(game, TakeEvent("ann", "B4", "G")).rule == "DO-7.6-a"
    game.apply(DeliverBest("ann", "B4"))
    game.apply(Dividend("ann", "B4", "withhold"))
    cash(game, "B4", 500)
    brewing_turn(game, "B4", "equipment")
    assert refused(game, TakeEvent("ann", "B4", "G")).rule == "DO-7.6-a", "before the purchase"
    game.apply(Pass("ann"))
    assert game.state.round.step == "event"
    assert refused(game, BuyEquipment("ann", "B4", "3")).rule == "DO-6.5.2.1-a"
    cash_before = game.state.cash["B4"]
    game.apply(TakeEvent("ann", "B4", "G"))
    assert markers.special(game, "B4") == "G"
    assert display(game, "G") == 0
    assert game.state.cash["B4"] == cash_before
    assert game.state.round.actor != "B4", "one a round, and it is not used in the same turn"


@pytest.mark.rule("DO-7.2-a")
def test_a_brewery_has_one_event_at_most() -> None:
    game = turn("3", sem="L", company="B4", step="event")
    game.apply(TakeEvent("ann", "B4", "G"))
    assert markers.specials(game, "B4") == ["G"]
    assert display(game, "L") == 1, "the old one goes back first"


@pytest.mark.rule("DO-7.2-a")
def test_nobody_has_to_take_or_use_an_event() -> None:
    game = turn("3", sem="G", company="B4", step="event")
    game.apply(Pass("ann"))
    assert markers.special(game, "B4") == "G"


@pytest.mark.rule("DO-7.2-a")
def test_railways_take_no_events() -> None:
    game = after_package()
    railway(game, "BME")
    trains(game, "BME", "2")
    game.rules.rounds["operating"].begin(game)  # type: ignore[attr-defined]
    game.settle()
    assert refused(game, TakeEvent("ann", "BME", "G")).key == "turn.move"


@pytest.mark.rule("DO-7.2-b")
def test_an_event_is_used_once_and_not_taken_again_by_its_user_in_the_round() -> None:
    game = turn("3", sem="G", company="B4", step="event")
    game.apply(UseEvent("ann", "B4", "G"))
    assert markers.special(game, "B4") == ""
    assert display(game, "G") == 1
    assert refused(game, UseEvent("ann", "B4", "G")).rule == "DO-7.2-b"
    assert "G" not in offered(game, "take_event")
    assert refused(game, TakeEvent("ann", "B4", "G")).rule == "DO-7.2-b"
    game.apply(Pass("ann"))
    assert game.state.round.actor == "B2"
    while game.state.round.step != "event":
        game.apply(Pass("cy"))
    game.apply(TakeEvent("cy", "B2", "G"))
    assert markers.special(game, "B2") == "G", "another brewery may"


@pytest.mark.rule("DO-7.2-b")
def test_in_the_next_round_it_may_be_taken_again() -> None:
    game = turn("3", sem="G", company="B4", step="event")
    game.apply(UseEvent("ann", "B4", "G"))
    brewing_turn(game, "B4", "event")
    game.apply(TakeEvent("ann", "B4", "G"))


@pytest.mark.rule("DO-7.2-c")
def test_there_is_one_of_each_and_nobody_sells_it() -> None:
    game = turn("3", sem="", company="B4", step="event")
    give_markers(game, "B8", "P")
    assert refused(game, TakeEvent("ann", "B4", "P")).rule == "DO-7.2-c"
    assert refused(game, TakeEvent("ann", "B4", "A1")).key == "unknown.event"
    brewing_turn(game, "B4", "equipment")
    cash(game, "B4", 500)
    assert refused(game, BuyMarker("ann", "B4", "P", "B8", 50)).key in ("unknown.marker", "turn.move")


@pytest.mark.rule("DO-7.2-c")
@pytest.mark.parametrize(("sem", "name"), [("P", "4"), ("M", "2"), ("N", "2"), ("O", "2")])
def test_an_event_may_be_taken_before_it_can_be_used(sem: str, name: str) -> None:
    game = turn("2", sem="", company="B4", name=name, step="event")
    game.apply(TakeEvent("ann", "B4", sem))
    demand(game, r2=3)
    brewing_turn(game, "B4")
    assert refused(game, UseEvent("ann", "B4", sem)).rule == "DO-7.2-c"


# ---------------------------------------------------------------------- G, H


@pytest.mark.rule("DO-7.2-G")
def test_a_fair_brings_10_into_the_treasury() -> None:
    game = turn("3", sem="G", r3=3)
    before = game.state.cash["DUB"]
    assert seen(game, UseEvent("ann", "DUB", "G"), EventUsed) == [EventUsed("DUB", "G")]
    assert game.state.cash["DUB"] == before + 10
    assert game.prices.value("DUB") == 70
    assert income(game) == 90, "it is no income of the turn"


@pytest.mark.rule("DO-7.2-H")
def test_advertising_keeps_a_cube_for_a_brewery_that_acts_later() -> None:
    game = after_package()
    phase(game, "3")
    equip(game, "B8", "3", "2")
    equip(game, "B4", "3")
    equip(game, "B2", "3")
    give_markers(game, "B4", "H")
    demand(game, r3=1, n2=1, stock=3)
    brewing(game)
    assert game.offer().deciders == ("ann",), "before the first brewery acts"
    assert game.state.round.actor == ""
    assert refused(game, UseEvent("ann", "B4", "H", "3", segment=4, customers="regular")).rule == "DO-7.2-H"
    game.apply(UseEvent("ann", "B4", "H", "3", segment=3, customers="regular"))
    assert fields(game) == {"n2": 1}
    assert faults(game) == []
    assert refused(game, DeliverBeer("bo", "B8", "3", 3, "regular")).rule == "DO-6.5.2.3-a"
    game.apply(DeliverBest("bo", "B8"))
    while game.state.round.actor != "B4":
        game.apply(Dividend("bo", "B8", "withhold") if game.state.round.step == "dividend" else Pass("bo"))
    demand_left = breweries.beer(game)
    demand_left.demand["new"][0] = 5
    demand_left.export -= 5
    brewing_turn_units = offered(game, "deliver_beer")
    assert brewing_turn_units == ["3"]
    game.apply(DeliverBest("ann", "B4"))
    assert Earned.of(game).revenue == 30 + 2 * 10, "one of the three units is used"
    assert breweries.beer(game).delivered["regular"][2] == 1
    assert Reserved.of(game).cubes == {}
    assert display(game, "H") == 1


@pytest.mark.rule("DO-7.2-H")
def test_advertising_may_be_kept() -> None:
    game = after_package()
    equip(game, "B4", "2")
    give_markers(game, "B4", "H")
    brewing(game)
    game.apply(Pass("ann"))
    assert markers.special(game, "B4") == "H"
    assert game.state.round.actor == "B8"


@pytest.mark.rule("DO-7.2-H")
def test_a_kept_cube_is_delivered_also_when_nothing_else_is() -> None:
    game = after_package()
    phase(game, "3")
    equip(game, "B8", "3")
    give_markers(game, "B8", "H")
    demand(game, r3=1, stock=3)
    brewing(game)
    game.apply(UseEvent("bo", "B8", "H", "3", segment=3, customers="regular"))
    game.apply(Pass("bo"))
    assert Earned.of(game).revenue == 30


@pytest.mark.rule("DO-7.2-H")
def test_the_cube_goes_back_when_its_equipment_leaves() -> None:
    game = after_package()
    phase(game, "3")
    equip(game, "B8", "3")
    give_markers(game, "B8", "H")
    demand(game, r3=1, stock=3)
    brewing(game)
    game.apply(UseEvent("bo", "B8", "H", "3", segment=3, customers="regular"))
    game.apply(GiveUpEquipment("bo", "B8", "3"))
    assert fields(game) == {"r3": 1}
    assert Reserved.of(game).cubes == {}
    assert faults(game) == []


@pytest.mark.rule("DO-7.2-H")
def test_the_cube_of_a_closed_segment_goes_to_the_stock_and_is_paid() -> None:
    """R-141."""
    game = after_package()
    phase(game, "3")
    on_card(game, "4", 1)
    equip(game, "B8", "3")
    equip(game, "B4", "2")
    give_markers(game, "B4", "H")
    demand(game, r1=1, r3=1, stock=3)
    cash(game, "B8", 400)
    brewing(game)
    game.apply(UseEvent("ann", "B4", "H", "2", segment=1, customers="regular"))
    game.apply(DeliverBest("bo", "B8"))
    game.apply(Dividend("bo", "B8", "withhold"))
    game.apply(BuyEquipment("bo", "B8", "4"))
    assert game.phase.name == "4"
    assert breweries.beer(game).stock == 4
    assert faults(game) == []
    game.apply(Pass("bo"))
    assert game.state.round.actor == "B4"
    game.apply(Pass("ann"))
    assert Earned.of(game).revenue == 15
    assert breweries.beer(game).delivered["regular"][0] == 0


@pytest.mark.rule("DO-7.2-H")
def test_the_cube_of_a_closed_segment_is_not_paid_when_its_equipment_leaves() -> None:
    """R-141, R-124: it lies in the stock and does not come back to a segment with a marker."""
    game = after_package()
    phase(game, "3")
    on_card(game, "4", 1)
    equip(game, "B8", "3")
    equip(game, "B4", "3", "2", "1")
    give_markers(game, "B4", "H")
    demand(game, r1=1, r3=1, stock=3)
    cash(game, "B8", 400)
    brewing(game)
    game.apply(UseEvent("ann", "B4", "H", "2", segment=1, customers="regular"))
    game.apply(DeliverBest("bo", "B8"))
    game.apply(Dividend("bo", "B8", "withhold"))
    game.apply(BuyEquipment("bo", "B8", "4"))
    assert breweries.beer(game).stock == 4
    game.apply(GiveUpEquipment("ann", "B4", "2"))
    assert Reserved.of(game).cubes == {}
    assert (breweries.beer(game).stock, fields(game)) == (4, {})
    assert faults(game) == []


@pytest.mark.rule("DO-7.1.1-a")
def test_pubs_pay_before_customers_are_won_in_advance() -> None:
    """R-124."""
    game = after_package()
    equip(game, "B4", "2")
    give_markers(game, "B4", "H", "A1")
    before = game.state.cash["B4"]
    brewing(game)
    assert game.offer().deciders == ("ann",)
    assert game.state.round.actor == ""
    assert game.state.cash["B4"] == before + 5


@pytest.mark.rule("DO-7.2-c", "DO-7.2-L")
@pytest.mark.parametrize(("name", "asked"), [("2", False), ("3", True)])
def test_marketing_is_asked_for_from_green_on(name: str, asked: bool) -> None:
    game = after_package()
    if name != "2":
        phase(game, name)
    equip(game, "B8", "2")
    equip(game, "B4", "2")
    give_markers(game, "B4", "L")
    brewing(game)
    Acted.of(game).acted = breweries.acting(game)
    game.state.round.actor = ""
    take_offer(game)
    game.settle()
    assert bool(game.state.pauses) is asked


@pytest.mark.rule("DO-7.2-H")
def test_the_cube_of_a_bankrupt_brewery_goes_back() -> None:
    game = after_package()
    phase(game, "3")
    corporation(game, "DUB", equipment=("3",))
    give_markers(game, "DUB", "H")
    demand(game, r3=1, stock=3)
    brewing(game)
    game.apply(UseEvent("ann", "DUB", "H", "3", segment=3, customers="regular"))
    failing.fail(game, "DUB")
    assert fields(game) == {"r3": 1}
    assert faults(game) == []


# ---------------------------------------------------------------------- I, J


@pytest.mark.rule("DO-7.2-I")
def test_idle_equipment_is_given_in_for_new() -> None:
    game = turn("3", sem="I", name="4", step="equipment")
    before = game.state.cash["DUB"]
    assert offered(game, "use_event", marker="I") == ["4"]
    events = game.apply(UseEvent("ann", "DUB", "I", "4", "3"))
    assert EquipmentBought("DUB", "4", 240) in events
    assert game.state.cash["DUB"] == before - 240
    assert breweries.equipment(game, "DUB") == ["4"]
    assert display(game, "I") == 1
    assert markers.ExpertMarkers(expert(game), len(game.players)).faults(game) == []


@pytest.mark.rule("DO-7.2-I")
def test_equipment_that_has_delivered_is_not_given_in() -> None:
    game = turn("3", sem="I", name="4", r3=1)
    assert income(game) == 30
    game.apply(Dividend("ann", "DUB", "withhold"))
    assert "use_event" not in names(game)
    assert refused(game, UseEvent("ann", "DUB", "I", "4", "3")).rule == "DO-7.2-I"
    assert markers.special(game, "DUB") == "I"


@pytest.mark.rule("DO-7.2-I")
def test_a_piece_may_rest_to_be_given_in() -> None:
    game = turn("3", "3", sem="I", name="4", r3=5)
    assert refused(game, RestEquipment("ann", "DUB", "2")).rule == "DO-6.5.2.2-a"
    game.apply(RestEquipment("ann", "DUB", "3"))
    assert refused(game, RestEquipment("ann", "DUB", "3")).rule == "DO-7.2-I", "one piece"
    assert income(game) == 90
    assert fields(game) == {"r3": 2}
    game.apply(Dividend("ann", "DUB", "withhold"))
    game.apply(UseEvent("ann", "DUB", "I", "4", "3"))
    assert breweries.equipment(game, "DUB") == ["4", "3"]


@pytest.mark.rule("DO-7.2-I")
def test_nothing_rests_without_the_event_or_after_a_delivery() -> None:
    game = turn("3", sem="G", name="4", r3=5)
    assert refused(game, RestEquipment("ann", "DUB", "3")).rule == "DO-7.2-I"
    game = turn("3", sem="I", name="4", r3=5)
    game.apply(DeliverBeer("ann", "DUB", "3", 3, "regular"))
    assert refused(game, RestEquipment("ann", "DUB", "3")).rule == "DO-7.2-I"


@pytest.mark.rule("DO-7.2-I")
@pytest.mark.parametrize(("pieces", "idle"), [(1, []), (2, ["5"])])
def test_a_wagon_that_is_put_back_has_done_its_work(pieces: int, idle: list[str]) -> None:
    """With it one piece has exported two cubes; without it two pieces would have been needed."""
    game = exporting(*["5"] * pieces, kim=("C", "I"), name="6")
    cash(game, "DUB", 2000)
    demand(game, stock=4)
    brewing_turn(game, "DUB")
    for train in ("8", "8+1"):
        game.apply(LoadExport("ann", "DUB", "5", "BME", train))
    if game.state.round.step == "deliver":
        game.apply(Pass("ann"))
    game.apply(Dividend("ann", "DUB", "withhold"))
    assert bonuses.idle(game, "DUB") == idle
    markers.put_back(game, "DUB", "C")
    assert bonuses.idle(game, "DUB") == idle


@pytest.mark.rule("DO-7.2-I")
def test_giving_in_keeps_the_limit_and_pays_what_is_left() -> None:
    game = turn("2", "2", sem="I", name="4", company="B4", step="equipment")
    cash(game, "B4", 130)
    cash(game, "ann", 1000)
    brewing_turn(game, "B4", "equipment")
    assert breweries.limit(game, "B4") == 2
    assert refused(game, BuyEquipment("ann", "B4", "4")).rule == "DO-6.5.2.6-a"
    game.apply(UseEvent("ann", "B4", "I", "4", "2"))
    assert breweries.equipment(game, "B4") == ["4", "2"]
    assert game.state.cash["B4"] == 0
    assert game.state.cash["ann"] == 1000 - (300 - 40 - 130), "half of the price at most"


@pytest.mark.rule("DO-7.2-I")
def test_a_small_brewery_gives_nothing_in_for_what_it_may_not_buy() -> None:
    game = turn("5", sem="I", name="6", company="B4", step="equipment")
    cash(game, "B4", 900)
    brewing_turn(game, "B4", "equipment")
    assert "use_event" not in names(game)
    assert refused(game, UseEvent("ann", "B4", "I", "6", "5")).rule == "DO-6.5.2.6-e"


@pytest.mark.rule("DO-7.2-I")
@pytest.mark.parametrize(("exported", "idle"), [(1, True), (2, False)])
def test_equipment_that_has_exported_is_not_idle(exported: int, idle: bool) -> None:
    """A 5 has one arrow: two cubes are exported by two pieces, although one could brew them both."""
    game = exporting("5", "5", kim=("I",), name="6")
    cash(game, "DUB", 2000)
    card = on_sale(game)[0]
    demand(game, stock=4)
    brewing_turn(game, "DUB")
    for train in ("8", "8+1")[:exported]:
        game.apply(LoadExport("ann", "DUB", "5", "BME", train))
    if game.state.round.step == "deliver":
        game.apply(Pass("ann"))
    game.apply(Dividend("ann", "DUB", "withhold"))
    if idle:
        game.apply(UseEvent("ann", "DUB", "I", card, "5"))
        assert sorted(breweries.equipment(game, "DUB")) == sorted([card, "5"])
    else:
        assert refused(game, UseEvent("ann", "DUB", "I", card, "5")).key == "special.given"


@pytest.mark.rule("DO-7.2-I")
def test_delivered_at_once_the_highest_equipment_works_first() -> None:
    """R-142: so a low piece is idle and can be given in, and none of those that worked."""
    game = turn("2", "1", "1", sem="I", name="3", company="B4", r2=1, r1=3)
    cash(game, "B4", 300)
    brewing_turn(game, "B4")
    assert income(game) == 20 + 3 * 15
    game.apply(Dividend("ann", "B4", "withhold"))
    assert refused(game, UseEvent("ann", "B4", "I", "3", "2")).rule == "DO-7.2-I"
    game.apply(UseEvent("ann", "B4", "I", "3", "1"))
    assert breweries.equipment(game, "B4") == ["3", "2", "1"]


@pytest.mark.rule("DO-7.2-J")
def test_upgrading_buys_beyond_the_limit_and_then_drops_one() -> None:
    """R-144: the purchase spends it, and any piece may be dropped, the new one too."""
    game = turn("3", "2", sem="", name="4", company="B4", step="equipment")
    cash(game, "B4", 500)
    brewing_turn(game, "B4", "equipment")
    assert refused(game, BuyEquipment("ann", "B4", "4")).rule == "DO-6.5.2.6-a"
    give_markers(game, "B4", "J")
    brewing_turn(game, "B4", "equipment")
    assert EventUsed("B4", "J") in game.apply(BuyEquipment("ann", "B4", "4"))
    assert offered(game, "give_up_equipment") == ["4", "3", "2"]
    game.apply(GiveUpEquipment("ann", "B4", "3"))
    assert breweries.equipment(game, "B4") == ["4", "2"]
    assert display(game, "J") == 1


@pytest.mark.rule("DO-7.2-J")
def test_upgrading_is_not_spent_below_the_limit() -> None:
    game = turn("3", sem="J", name="4", company="B4", step="equipment")
    cash(game, "B4", 500)
    brewing_turn(game, "B4", "equipment")
    game.apply(BuyEquipment("ann", "B4", "4"))
    assert markers.special(game, "B4") == "J"
    assert not game.state.pauses


# ---------------------------------------------------------------------- K, L, M


@pytest.mark.rule("DO-7.2-K")
@pytest.mark.parametrize(("field", "brings"), [("r3", 45), ("n3", 30), ("r1", 20)])
def test_premium_beer_brings_the_price_of_the_next_segment(field: str, brings: int) -> None:
    game = turn("3", sem="K", closed=(4, 5, 6), **{field: 1})  # type: ignore[arg-type]
    game.apply(UseEvent("ann", "DUB", "K"))
    assert income(game) == brings
    customers, number = ("regular" if field[0] == "r" else "new"), int(field[1])
    assert breweries.beer(game).delivered[customers][number - 1] == 1, "it moves in its own segment"


@pytest.mark.rule("DO-7.2-K")
def test_premium_beer_is_one_cube_and_the_best_one() -> None:
    game = turn("3", "3", sem="K", r3=2, n3=2, r1=2)
    game.apply(DeliverBest("ann", "DUB"))
    assert game.state.round.step == "deliver", "it can still be used"
    game.apply(UseEvent("ann", "DUB", "K"))
    assert Earned.of(game).revenue == 60 + 40 + 30 + 15


@pytest.mark.rule("DO-7.2-K")
def test_premium_beer_has_no_effect_in_the_highest_segment() -> None:
    game = turn("6", sem="K", name="6", r6=2, closed=(1, 2))  # type: ignore[arg-type]
    assert refused(game, UseEvent("ann", "DUB", "K")).rule == "DO-7.2-K"
    demand(game, r6=2, r5=1)
    brewing_turn(game, "DUB")
    game.apply(UseEvent("ann", "DUB", "K"))
    assert income(game) == 160 + 80


@pytest.mark.rule("DO-7.2-K")
def test_the_best_deliveries_know_premium_beer() -> None:
    """Three of segment 3 and a new one of 5: with two units of reach 3 that changes nothing; a 5 takes the dearer."""
    game = turn("5", sem="K", name="5", r6=0, n5=1, r4=3, closed=(1, 2, 3, 6))  # type: ignore[arg-type]
    game.apply(UseEvent("ann", "DUB", "K"))
    assert income(game) == 3 * 45 + 15


def order_after(sem: str, *, use: bool = True, holder: str = "B2") -> list[str]:
    """The order of breweries after a round in which a brewery had an event."""
    game = after_package()
    phase(game, "3")
    for name in ("B8", "B4", "B2"):
        equip(game, name, "3")
        cash(game, name, 0)
    for name in ("ann", "bo", "cy"):
        cash(game, name, 0)
    give_markers(game, holder, sem)
    demand(game, stock=3)
    brewing(game)
    while (game.state.round.kind, game.state.round.operating_number) == ("brewing", 1):
        player = game.offer().deciders[0]
        if game.state.pauses:
            assert game.state.round.actor == "", "after all turns"
            game.apply(UseEvent(player, holder, sem) if use else Pass(player))
        else:
            game.apply(Pass(player))
    return list(OrderTokens.of(game).order)


@pytest.mark.rule("DO-7.2-L")
def test_marketing_moves_the_order_token_one_place_to_the_left() -> None:
    assert order_after("L", use=False) == ["B8", "B4", "B2"]
    assert order_after("L") == ["B8", "B2", "B4"]
    assert order_after("L", holder="B8") == ["B8", "B4", "B2"], "there is nothing to ask"


@pytest.mark.rule("DO-7.2-L")
def test_marketing_may_be_used_in_the_round_in_which_it_was_taken() -> None:
    game = after_package()
    phase(game, "3")
    for name in ("B8", "B4", "B2"):
        equip(game, name, "3")
    cash(game, "cy", 0)
    cash(game, "B2", 0)
    demand(game, stock=3)
    brewing_turn(game, "B2", "event")
    game.apply(TakeEvent("cy", "B2", "L"))
    game.apply(UseEvent("cy", "B2", "L"))
    assert OrderTokens.of(game).order == ["B8", "B2", "B4"]
    assert game.state.round.operating_number == 2


@pytest.mark.rule("DO-7.2-M")
def test_an_investor_takes_one_or_two_shares_and_the_price_stays() -> None:
    game = turn("3", sem="M")
    before = game.state.cash["DUB"]
    assert offered(game, "use_event", marker="M") == [10, 20]
    game.apply(UseEvent("ann", "DUB", "M", percent=20))
    assert game.state.cash["DUB"] == before + 140
    assert game.prices.value("DUB") == 70
    assert shares.held(game, "DUB", POOL) == 20
    game.apply(SellOwnShares("ann", "DUB", 10))
    assert game.prices.value("DUB") == 65, "the deal of the turn is still open"


@pytest.mark.rule("DO-7.2-M")
def test_an_investor_is_for_corporations_and_keeps_the_pool_limit() -> None:
    game = turn("3", sem="M", company="B4", r3=1)
    assert refused(game, UseEvent("ann", "B4", "M", percent=10)).rule == "DO-7.2-M"
    game = turn("3", sem="M", r3=1)
    own(game, "DUB", POOL, 40)
    brewing_turn(game, "DUB")
    assert offered(game, "use_event", marker="M") == [10]
    assert refused(game, UseEvent("ann", "DUB", "M", percent=20)).rule == "DO-7.2-M"


# ---------------------------------------------------------------------- N, O, P


@pytest.mark.rule("DO-7.2-N")
@pytest.mark.parametrize(("wanted", "brings"), [({"r3": 2}, 60 + 15), ({"r3": 1}, 30 + 30), ({}, 30)])
def test_contract_brewing_pays_half_for_one_or_two_idle_units(wanted: dict[str, int], brings: int) -> None:
    game = turn("3", sem="N", **wanted)
    before = sum(breweries.beer(game).demand["new"]), breweries.beer(game).stock
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == brings
    assert (sum(breweries.beer(game).demand["new"]), breweries.beer(game).stock) == before, "no cube moves"


@pytest.mark.rule("DO-7.2-N")
def test_contract_brewing_needs_idle_units_and_an_open_segment() -> None:
    game = turn("3", sem="N", r3=3)
    assert refused(game, UseEvent("ann", "DUB", "N")).rule == "DO-7.2-N"
    game = turn("3", sem="N", closed=(1, 3, 6), stock=2)  # type: ignore[arg-type]
    assert breweries.equipment(game, "DUB") == [], "nobody can serve segment 3 any more"
    game = turn("4", sem="N", name="5", closed=(1, 2, 4), r3=1)  # type: ignore[arg-type]
    breweries.beer(game).closed = [1, 2, 4]
    equip(game, "DUB", "4")
    game.state.round.turn = {key: type(kept)() for key, kept in game.state.round.turn.items()}
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == 30 + 30, "half the price of segment 3, since 4 has no demand"


@pytest.mark.rule("DO-7.2-N")
def test_the_best_deliveries_leave_the_best_units_idle_for_contract_brewing() -> None:
    game = turn("3", "2", sem="N", r1=3)
    game.apply(UseEvent("ann", "DUB", "N"))
    assert income(game) == 3 * 15 + 2 * 15, "two 2s and a 3 deliver, two units of the 3 are paid"


@pytest.mark.rule("DO-7.2-O")
def test_a_second_shift_delivers_a_cube_from_the_stock_at_half_the_price() -> None:
    game = turn("3", sem="O", r3=3)
    assert offered(game, "use_event", marker="O", equipment="3") == [3, 2, 1]
    game.apply(UseEvent("ann", "DUB", "O", "3", segment=3))
    assert breweries.beer(game).stock == 2
    assert breweries.beer(game).delivered["regular"][2] == 1
    assert income(game) == 90 + 15
    assert breweries.beer(game).delivered["regular"][2] == 4, "four regular customers in the next round"
    assert faults(game) == []


@pytest.mark.rule("DO-7.2-O")
def test_a_second_shift_serves_open_segments_in_reach_only() -> None:
    game = turn("4", sem="O", name="4", r4=1, closed=(1, 3, 6))  # type: ignore[arg-type]
    assert offered(game, "use_event", marker="O", equipment="4") == [4, 2]
    for segment in (5, 3):
        assert refused(game, UseEvent("ann", "DUB", "O", "4", segment=segment)).rule == "DO-7.2-O"


@pytest.mark.rule("DO-7.2-O")
def test_a_second_shift_without_stock_takes_the_cheapest_demand() -> None:
    game = turn("3", sem="O", r3=3, n2=1, stock=0)
    game.apply(UseEvent("ann", "DUB", "O", "3", segment=3))
    assert fields(game) == {"r3": 3}
    game = turn("3", sem="O", stock=0)
    assert refused(game, UseEvent("ann", "DUB", "O", "3", segment=3)).rule == "DO-7.2-O"


@pytest.mark.rule("DO-7.2-O")
def test_a_second_shift_leaves_the_cubes_that_are_promised_to_trains() -> None:
    game = exporting("8", kim=("O",))
    demand(game, stock=2)
    brewing_turn(game, "DUB")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert "use_event" in names(game)
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8+1"))
    assert markers.special(game, "DUB") == "O"
    assert breweries.beer(game).stock == 0, "both cubes are on the train, and the step is over"
    assert Loads.of(game).trains == {"BME": [("8", 2)]}


@pytest.mark.rule("DO-7.2-O")
def test_the_additional_cube_is_bottled_too() -> None:
    game = turn("3", sem="O", name="5", r3=3, closed=(1, 2, 6))  # type: ignore[arg-type]
    give_markers(game, "DUB", "B3")
    game.apply(UseEvent("ann", "DUB", "O", "3", segment=3))
    events = game.apply(DeliverBest("ann", "DUB"))
    paid = [(event.marker, event.amount) for event in events if isinstance(event, MarkerPaid)]
    assert paid == [("B3", 40), ("O", 15)]
    assert Earned.of(game).revenue == 90 + 40 + 15


@pytest.mark.rule("DO-7.2-P")
def test_a_transport_contract_needs_no_consent_for_one_railway() -> None:
    game = exporting("8", director="bo", kim=("P",))
    railway(game, "CME", "cy")
    trains(game, "CME", "8")
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    game.apply(Answer("bo", "decline"))
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "8")).rule == "DO-6.5.2.4-d"
    assert offered(game, "use_event", marker="P") == ["BME"], "no other could carry beer"
    assert refused(game, UseEvent("ann", "DUB", "P", railway="CME")).rule == "DO-7.2-P"
    game.apply(UseEvent("ann", "DUB", "P", railway="BME"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8+1"))
    assert not game.state.pauses
    assert refused(game, LoadExport("ann", "DUB", "8", "CME", "8")).rule == "DO-6.5.2.4-d"
    game.apply(DeliverBest("ann", "DUB"))
    assert Loads.of(game).trains == {"BME": [("8", 2)]}


@pytest.mark.rule("DO-7.2-P")
def test_nobody_needs_a_contract_for_their_own_railway() -> None:
    game = exporting("8", director="ann", kim=("P",))
    assert "load_export" in names(game)
    assert "use_event" not in names(game)
    assert refused(game, UseEvent("ann", "DUB", "P", railway="BME")).rule == "DO-7.2-P"


@pytest.mark.rule("DO-7.2-P")
def test_a_transport_contract_makes_no_squares() -> None:
    game = exporting("8", director="bo", train="5", kim=("P",))
    game.apply(UseEvent("ann", "DUB", "P", railway="BME"))
    game.apply(LoadExport("ann", "DUB", "8", "BME", "5"))
    assert refused(game, LoadExport("ann", "DUB", "8", "BME", "5+1")).rule == "DO-6.5.2.4-b"


@pytest.mark.rule("DO-7.2-P")
def test_another_railway_is_asked_all_the_same() -> None:
    game = exporting("8", director="bo", kim=("P",))
    ExpertTurn.of(game).contract = "CME"
    game.apply(LoadExport("ann", "DUB", "8", "BME", "8"))
    assert game.offer().deciders == ("bo",)


@pytest.mark.rule("DO-7.1.2-a")
def test_a_player_sees_what_a_brewery_could_deliver_with_its_markers() -> None:
    game = turn("3", sem="K", name="5", r3=2, closed=(1, 2, 6))  # type: ignore[arg-type]
    give_markers(game, "DUB", "B3")
    game.apply(UseEvent("ann", "DUB", "K"))
    (remark,) = game.rules.remarks(game)
    assert (remark.facts["cubes"], remark.facts["amount"]) == (2, 60 + 20 + 15)
    sheet = next(page for page in game.rules.pages(game) if page.name == "breweries")
    assert next(row for row in sheet.rows if row[1] == "DUB")[sheet.columns.index("possible")] == "2 → 95"
    assert income(game) == 95


@pytest.mark.rule("DO-7.2-H")
def test_a_kept_cube_is_among_what_a_brewery_could_deliver() -> None:
    game = after_package()
    phase(game, "5")
    equip(game, "B8", "5")
    equip(game, "B4", "3")
    give_markers(game, "B4", "H")
    demand(game, r3=2, stock=3)
    brewing(game)
    game.apply(UseEvent("ann", "B4", "H", "3", segment=3, customers="regular"))
    give_markers(game, "B4", "B3")
    sheet = next(page for page in game.rules.pages(game) if page.name == "breweries")
    column = sheet.columns.index("possible")
    assert [row[column] for row in sheet.rows if row[1] in ("B8", "B4")] == ["1 → 30", "2 → 80"]


# ---------------------------------------------------------------------- nobody takes a marker


@pytest.mark.rule("DO-7-a")
def test_without_markers_it_is_the_game_without_them() -> None:
    """The same turn of a brewery in both forms: the same deliveries, income and market."""
    seen = []
    for form in ("hsb", "exp"):
        game = after_package(form=form)
        equip(game, "B8", "2", "2")
        cash(game, "B8", 500)
        brewing_turn(game, "B8")
        game.apply(DeliverBest("bo", "B8"))
        game.apply(Dividend("bo", "B8", "half"))
        game.apply(BuyEquipment("bo", "B8", "2"))
        seen.append((breweries.beer(game), dict(game.state.cash), breweries.equipment(game, "B8")))
    assert seen[0] == seen[1]
