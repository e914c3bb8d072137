"""18LRA for two: what the Investor's company does, and who runs it."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.events import Event
from engine.finance import shares
from engine.game import Game
from engine.house.invariants import faults
from engine.offer import Options
from engine.remembered import Earned
from engine.state import BANK, CLOSED
from engine.steps.track import LayTileChoice
from tests.titles.lra.investing import later, new, phase, told
from tests.titles.rhl.arrange import cash, floated, hand, lay, names, operating, refused, station, take_offer, trains
from titles.lra.harbour import PlaceHarbour
from titles.lra.seat import Investment
from titles.lra.way import joined, missing
from titles.rhineland.investor import HeldCard

HARBOURS = {"BME": "B14", "RhE": "H14", "CCE": "E13", "ADR": "E13"}


def at(company: str, step: str = "track", *, colour: str = "", holder: str = "ann") -> Game:
    """The turn of the Investor's company; `holder` has his card."""
    game = later(company, holder=holder)
    if colour:
        phase(game, {"green": "3", "brown": "5"}[colour])
    operating(game, company, step)
    return game


def lays(game: Game, player: str = "ann") -> set[tuple[str, str]]:
    """Hexes and tiles on offer."""
    choice = game.offer().find("lay_tile", player)
    assert isinstance(choice, LayTileChoice)
    return {(at, fit.tile) for at in choice.hexes() for fit in choice.fits(at)}


def lay_first(game: Game, company: str, hex_: str = "") -> tuple[Event, ...]:
    """Lay the first tile that is on offer (on a hex)."""
    choice = next(each for each in game.offer().choices if isinstance(each, LayTileChoice))
    where = hex_ or choice.hexes()[0]
    fit = choice.fits(where)[0]
    return game.apply(mv.LayTile(choice.player, company, where, fit.tile, fit.rotation))


def best_run(game: Game, company: str) -> mv.Run:
    routes = game.best_routes(company).routes
    return mv.Run(game.decider(company), company, tuple(mv.TrainPath(route.train, route.path) for route in routes))


def picks(game: Game, name: str, player: str = "ann") -> list[str]:
    """The first parameter's values of a choice on offer."""
    choice = game.offer().find(name, player)
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    return [option.value for option in domain.options]


def tile(game: Game, company: str, at: str, name: str, rotation: int, player: str = "ann") -> mv.LayTile:
    return mv.LayTile(player, company, at, name, rotation)


def bme_way(game: Game) -> None:
    """The three tiles between Düsseldorf and Ruhrort."""
    lay(game, "G15", "L04")
    lay(game, "E15", "58")
    lay(game, "C15", "L05")
    Investment.of(game).joined = True
    take_offer(game)


# ---------------------------------------------------------------------- the card


@pytest.mark.rule("LRA-9.2.2-a")
def test_the_holder_of_the_card_runs_it_and_hands_it_on_after_its_turn() -> None:
    game = later("BME", holder="ann")
    floated(game, "GVE", "bo", 60, 0)
    deciders = []
    for number in (1, 2, 3):
        operating(game, "BME", number=number, total=3)
        game.settle()
        player = game.offer().deciders[0]
        deciders.append(player)
        assert game.decider("BME") == player
        # It lays its tile; the rest of its turn goes by itself.
        events = lay_first(game, "BME")
        while game.state.round.actor == "BME":
            assert game.offer().deciders == (player,)
            events = game.apply(mv.Pass(player) if "pass" in names(game) else best_run(game, "BME"))
        order = [type(event).__name__ for event in events]
        assert order.index("CardMoved") < order.index("TurnBegan")
        assert HeldCard.of(game).card == game.after(player)
    assert deciders == ["ann", "bo", "ann"]


@pytest.mark.rule("LRA-9.2.2-a")
def test_the_card_stays_where_it_is_between_rounds() -> None:
    game = later("BME", holder="bo")
    game.apply(mv.Pass("ann"))
    game.apply(mv.Pass("bo"))
    if game.state.round.kind == "stock":
        game.apply(mv.Pass("ann"))
    assert game.state.round.kind == "operating"
    assert HeldCard.of(game).card == "bo"
    assert game.offer().deciders == ("bo",)


# ---------------------------------------------------------------------- track


@pytest.mark.rule("LRA-9.2.2-b")
@pytest.mark.parametrize(("company", "count"), [("BME", 3), ("RhE", 3), ("ADR", 7), ("CCE", 6)])
def test_so_many_tiles_are_missing_at_the_start(company: str, count: int) -> None:
    assert missing(new(company), company, HARBOURS[company]) == count


@pytest.mark.rule("LRA-9.2.2-b")
def test_with_the_other_reading_of_the_homes_cce_lacks_four() -> None:
    assert missing(new("CCE", homes="other"), "CCE", "E13") == 4


@pytest.mark.rule("LRA-9.2.2-b")
@pytest.mark.parametrize(("company", "colour"), [("BME", ""), ("RhE", ""), ("ADR", "green"), ("CCE", "green")])
def test_a_tile_of_the_way_is_due_in_every_turn_and_no_other_is_legal(company: str, colour: str) -> None:
    game = at(company, colour=colour)
    goal = HARBOURS[company]
    for left in range(missing(game, company, goal) or 0, 0, -1):
        assert missing(game, company, goal) == left
        assert names(game) == {"lay_tile"}
        assert refused(game, mv.Pass("ann")).rule == "LRA-9.2.2-b"
        lay_first(game, company)
        assert missing(game, company, goal) == left - 1
        assert Investment.of(game).joined == (left == 1)
        operating(game, company)
        HeldCard.of(game).card = "ann"
        game.company(company).operated = True
        take_offer(game)
    assert not faults(game)


@pytest.mark.rule("LRA-9.2.2-b")
def test_a_tile_that_does_not_shorten_the_way_is_refused() -> None:
    game = at("RhE")
    # By this tile Grevenbroich leads to Odenkirchen, not towards Neuss.
    assert refused(game, tile(game, "RhE", "J10", "6", 2)).rule == "LRA-9.2.2-b"
    assert lays(game) == {("J10", "5"), ("J10", "6")}


@pytest.mark.rule("LRA-9.2.2-b")
def test_cce_can_lay_nothing_in_yellow_and_must_from_green_on() -> None:
    game = at("CCE")
    game.settle()
    assert "lay_tile" not in names(game)
    assert game.state.round.step != "track"
    game = at("CCE", colour="green")
    assert refused(game, mv.Pass("ann")).rule == "LRA-9.2.2-b"
    assert {hex_ for hex_, _ in lays(game)} == {"B6"}


@pytest.mark.rule("LRA-9.2.2-b")
def test_a_token_of_a_company_that_has_not_floated_shuts_no_city_on_the_way() -> None:
    game = at("RhE", colour="green")
    lay(game, "J10", "6")
    before = missing(game, "RhE", "H14")
    assert not game.company("GVE").active
    game.board.place_station("GVE", "J10", 0)
    game.state.board.token_version += 1
    assert missing(game, "RhE", "H14") == before


def test_a_city_with_a_station_of_its_own_is_never_shut() -> None:
    game = at("RhE", colour="green")
    lay(game, "J10", "6")
    tiling, cover = game.rules.tiling, game.board.cover("J10")
    free = joined(tiling, "J10", cover, ((0, False),))
    assert joined(tiling, "J10", cover, ((1, True),)) == free
    assert joined(tiling, "J10", cover, ((1, False),)) != free


@pytest.mark.rule("LRA-9.2.2-b")
def test_a_full_city_on_the_way_counts_its_upgrade() -> None:
    game = at("RhE", colour="green")
    lay(game, "J10", "6")
    before = missing(game, "RhE", "H14")
    floated(game, "GVE", "bo", 60, 0)
    station(game, "GVE", "J10")
    assert missing(game, "RhE", "H14") == (before or 0) + 1
    # The upgrade of Grevenbroich is due now.
    assert "J10" in {hex_ for hex_, _ in lays(game)}


@pytest.mark.rule("LRA-9.2.2-b")
def test_whoever_lays_the_last_tile_the_duty_is_over_for_good() -> None:
    game = later("BME")
    lay(game, "G15", "L04")
    lay(game, "C15", "L05")
    floated(game, "ADR", "bo", 60, 500)
    station(game, "ADR", "C15")
    operating(game, "ADR")
    assert not Investment.of(game).joined
    game.apply(tile(game, "ADR", "E15", "58", 0, "bo"))
    assert Investment.of(game).joined
    # Whatever happens later: foreign stations fill Duisburg.
    floated(game, "GVE", "bo", 60, 0)
    station(game, "GVE", "C15")
    assert missing(game, "BME", "B14") != 0
    game.notify(ev.TileLaid("ADR", "E15", "58", 0, "", 0, ""))  # nor does a further tile bring it back
    assert Investment.of(game).joined
    operating(game, "BME")
    assert "pass" in names(game) or game.state.round.step != "track"


@pytest.mark.rule("LRA-9.2.2-b")
def test_the_second_yellow_tile_is_optional_and_bound_in_the_same_way() -> None:
    game = at("RhE")
    game.apply(tile(game, "RhE", "J10", "6", 0))
    assert names(game) == {"lay_tile", "pass"}
    assert {hex_ for hex_, _ in lays(game)} == {"I11"}
    before = missing(game, "RhE", "H14")
    lay_first(game, "RhE", "I11")
    assert missing(game, "RhE", "H14") == (before or 0) - 1
    assert game.state.round.step != "track"


@pytest.mark.rule("LRA-9.2.2-b")
def test_a_private_company_of_the_holder_is_nothing_to_it() -> None:
    game = at("BME", colour="green")
    game.state.privates["RM"] = "ann"
    take_offer(game)
    assert {choice.granted_by for choice in game.offer().choices if choice.name == "lay_tile"} == {""}


@pytest.mark.rule("LRA-9.2.2-c")
def test_after_that_it_only_upgrades_and_need_not() -> None:
    game = at("BME")
    bme_way(game)
    operating(game, "BME")
    # In yellow nothing can be upgraded.
    game.settle()
    assert game.state.round.step != "track"
    phase(game, "3")
    operating(game, "BME")
    assert {hex_ for hex_, _ in lays(game)} == {"B14", "C15", "G15"}
    assert "pass" in names(game)
    game.apply(mv.Pass("ann"))


@pytest.mark.rule("LRA-9.2.2-c")
def test_a_first_tile_is_refused_then_and_an_upgrade_off_its_routes() -> None:
    game = at("BME", colour="green")
    bme_way(game)
    lay(game, "B14", "L44")
    operating(game, "BME")
    # The ferry leads to Homberg, which has no tile.
    assert refused(game, tile(game, "BME", "C13", "L02", 0)).rule == "LRA-9.2.2-c"
    # Dalheim is printed, but no route of its leads there.
    assert refused(game, tile(game, "BME", "I3", "15", 1)).key == "tile.route"
    assert all(game.board.faces[hex_].colour != "plain" for hex_, _ in lays(game))


# ---------------------------------------------------------------------- stations


def harbour_ready(*, colour: str = "green", step: str = "station") -> Game:
    game = at("BME", step, colour=colour)
    bme_way(game)
    lay(game, "B14", "L44")
    operating(game, "BME", step)
    return game


@pytest.mark.rule("LRA-9.2.2-d")
def test_the_harbour_token_is_placed_as_soon_as_possible() -> None:
    game = at("BME", "station", colour="green")
    bme_way(game)
    # Ruhrort is still as printed: ordinary stations or none.
    assert names(game) == {"place_station", "pass"}
    game = harbour_ready()
    assert names(game) == {"place_harbour"}
    assert refused(game, mv.Pass("ann")).rule == "LRA-9.2.2-d"
    assert refused(game, mv.PlaceStation("ann", "BME", "C15", 0)).rule == "LRA-9.2.2-d"
    before = dict(game.state.cash)
    game.apply(PlaceHarbour("ann", "BME", "B14"))
    assert game.board.lies_on("BME", "B14", 0, "harbour")
    assert game.state.cash == before
    HeldCard.of(game).card = "ann"
    operating(game, "BME", "station")
    assert names(game) == {"place_station", "pass"}
    game.apply(mv.Pass("ann"))


@pytest.mark.rule("LRA-9.2.2-d")
def test_before_brown_only_on_its_own_harbour_not_on_one_of_the_holder() -> None:
    game = at("BME", "station", colour="green")
    bme_way(game)
    game.state.privates["NH"] = "ann"
    lay(game, "G15", "L15")
    lay(game, "H14", "L28")
    operating(game, "BME", "station")
    assert game.reach("BME").reaches("H14", 0)
    assert "place_harbour" not in names(game)
    assert refused(game, PlaceHarbour("ann", "BME", "H14")).rule == "LRA-4.1.2-f"


@pytest.mark.rule("LRA-9.2.2-d")
def test_once_its_private_is_closed_another_harbour_if_its_own_is_taken() -> None:
    game = harbour_ready(colour="brown")
    lay(game, "G15", "L15")
    lay(game, "H14", "L28")
    assert game.state.privates["RH"] == CLOSED
    operating(game, "BME", "station")
    assert picks(game, "place_harbour") == ["B14"]
    floated(game, "GVE", "bo", 60, 0)
    game.board.place_station("GVE", "B14", 0, "harbour")
    game.company("GVE").tokens_left.pop()
    take_offer(game)
    assert picks(game, "place_harbour") == ["H14"]
    assert names(game) == {"place_harbour"}


@pytest.mark.rule("LRA-9.2.2-d")
def test_its_last_token_is_kept_for_the_harbour() -> None:
    game = at("BME", "station")
    bme_way(game)
    game.company("BME").tokens_left[:] = [100]
    station_ = game.rules.rounds["operating"].steps["invested"]["station"]  # type: ignore[attr-defined]
    assert station_.places(game, "BME") == []
    take_offer(game)
    assert refused(game, mv.PlaceStation("ann", "BME", "C15", 0)).rule == "LRA-9.2.2-d"


# ---------------------------------------------------------------------- running and paying


def running() -> Game:
    """BME with a 2-train between Düsseldorf, Elberfeld and beyond."""
    game = at("BME", "run")
    bme_way(game)
    trains(game, "BME", "2")
    operating(game, "BME", "run")
    return game


@pytest.mark.rule("LRA-9.2.2-e")
def test_it_runs_for_the_most() -> None:
    game = running()
    best = game.best_routes("BME")
    assert best.value == 70  # Düsseldorf 30, Ratingen 10 on the way, Duisburg 30
    poor = mv.Run("ann", "BME", (mv.TrainPath("2", ("G15:a", "H16:a")),))
    refusal = refused(game, poor)
    assert (refusal.rule, refusal.facts["best"]) == ("LRA-9.2.2-e", 70)
    game.apply(best_run(game, "BME"))
    assert game.company("BME").last_revenue == 70


def gone(game: Game, *names: str, left: int = 0) -> None:
    """New trains of these types are out of the game, but for so many."""
    depot = game.state.depot
    for name in names:
        count = depot.left[name] - left
        depot.left[name] -= count
        depot.sold[name] += count
        depot.gone.extend([name] * count)


def after_run(
    revenue: int, *owned: str, colour: str = "", sold: dict[str, int] | None = None
) -> tuple[Game, dict[str, int], int]:
    """What the end of a turn does after it earned a revenue: the game, what changed in cash, and the price before."""
    game = at("BME", "dividend", colour=colour)
    hand(game, "BME", "ann", 20, source="BME")
    trains(game, "BME", *owned)
    for name, left in (sold or {}).items():
        gone(game, name, left=left)
    operating(game, "BME", "dividend")
    Earned.of(game).revenue = revenue
    take_offer(game)
    before, price = dict(game.state.cash), game.prices.value("BME")
    game.settle()
    changed = {who: game.state.cash[who] - before[who] for who in before if game.state.cash[who] != before[who]}
    return game, changed, price


@pytest.mark.rule("LRA-9.2.2-f")
def test_it_pays_out_with_a_train_that_does_not_last_and_without_any() -> None:
    game, changed, price = after_run(100)
    assert game.company("BME").trains == ["2"]
    assert changed == {"ann": 20, BANK: -20}
    assert game.prices.value("BME") > price
    game, changed, _ = after_run(100, "2", sold={"2": 0})
    assert game.company("BME").trains == ["2", "3"]
    assert changed == {"ann": 20, BANK: -20}
    game, changed, _ = after_run(100, "2", "3")
    assert game.company("BME").trains == ["2", "3"]
    assert changed == {"ann": 20, BANK: -20}


@pytest.mark.rule("LRA-9.2.2-f")
@pytest.mark.parametrize("owned", [(), ("3",)])
def test_with_a_lasting_train_nobody_is_paid_and_the_price_falls(owned: tuple[str, ...]) -> None:
    game, changed, price = after_run(100, *owned, colour="green", sold={"2": 0, "3": 0})
    assert "4" in game.company("BME").trains
    assert changed == {}
    assert game.prices.value("BME") < price


@pytest.mark.rule("LRA-9.2.2-g")
def test_never_a_second_train_of_a_type() -> None:
    game, _, _ = after_run(10, "2")
    assert game.company("BME").trains == ["2"]
    assert game.state.depot.left["2"] == 4


@pytest.mark.rule("LRA-9.2.2-g")
def test_a_train_of_the_next_type_is_free_and_begins_its_phase() -> None:
    game, changed, _ = after_run(10, "2", sold={"2": 0})
    assert game.company("BME").trains == ["2", "3"]
    assert game.phase.colour == "green"
    assert changed == {"ann": 2, BANK: -2}


@pytest.mark.rule("LRA-9.2.2-g")
def test_two_at_most_and_two_in_one_turn_if_the_first_was_the_last_of_its_type() -> None:
    game, _, _ = after_run(10, "2", "3", colour="green", sold={"2": 0, "3": 0})
    assert game.company("BME").trains == ["2", "3"]
    assert game.state.depot.left["4"] == 2, "on sale, and of another type"
    game, _, _ = after_run(10, sold={"2": 1})
    assert game.company("BME").trains == ["2", "3"]


@pytest.mark.rule("LRA-9.2.2-g")
def test_a_6_beside_a_5_that_is_still_on_sale() -> None:
    game, _, _ = after_run(10, "5", colour="brown", sold={"2": 0, "3": 0, "4": 0, "5": 1})
    assert game.company("BME").trains == ["5", "6"]


@pytest.mark.rule("LRA-9.2.2-g")
def test_no_train_of_the_pool() -> None:
    game = at("BME", "trains")
    game.state.depot.left["2"] -= 5
    game.state.depot.sold["2"] += 5
    game.state.depot.gone.extend(["2"] * 4)
    game.state.depot.pool.append("2")
    trains(game, "BME", "3")
    take_offer(game)
    game.settle()
    assert game.company("BME").trains == ["3"]
    assert game.state.depot.pool == ["2"]


@pytest.mark.rule("LRA-9.2.2-g")
def test_it_never_sells_a_train_to_a_player() -> None:
    game = later("BME")
    trains(game, "BME", "2")
    floated(game, "GVE", "ann", 60, 500)
    floated(game, "KEG", "bo", 60, 500)
    trains(game, "KEG", "2")
    operating(game, "GVE", "trains")
    sources = picks(game, "buy_train")
    assert "KEG" in sources
    assert "BME" not in sources
    assert refused(game, mv.BuyTrain("ann", "GVE", "2", "BME", 100)).rule == "LRA-9.2.2-g"


@pytest.mark.rule("LRA-9.2.2-g")
def test_what_its_train_brings_for_others_is_decided_before_its_next_one() -> None:
    # The last 4-train and the first 5-train: GVE must discard in between.
    game = at("BME", "trains", colour="green")
    floated(game, "GVE", "bo", 60, 0)
    trains(game, "GVE", "3", "4", "3")
    gone(game, "2", "3", "4")
    game.state.phase = 2
    operating(game, "BME", "trains")
    game.settle()
    assert game.company("BME").trains == ["5"]
    assert [pause.kind for pause in game.state.pauses] == ["discard"]
    # It also got GKB's train from bo.
    game.apply(mv.DiscardTrain("bo", "GVE", "3"))
    assert game.company("BME").trains == ["5"]
    game.apply(mv.DiscardTrain("bo", "GVE", "3"))
    assert game.company("BME").trains == ["5", "6"]
    assert not faults(game)


@pytest.mark.rule("LRA-9.2.2-d")
def test_its_private_closes_with_the_others() -> None:
    game = later("BME")
    phase(game, "5")
    assert game.state.privates["RH"] == CLOSED
    assert set(game.state.privates.values()) == {CLOSED}


@pytest.mark.rule("LRA-9.2.2-f")
def test_the_events_tell_what_is_lost() -> None:
    game = at("BME", "run", colour="green")
    bme_way(game)
    gone(game, "2", "3")
    trains(game, "BME", "4")
    gone(game, "4")
    cash(game, "ann", 100)
    operating(game, "BME", "run")
    best = game.best_routes("BME")
    events = game.apply(best_run(game, "BME"))
    assert [each["amount"] for each in told(events, "RevenueLost")] == [best.value]
    assert shares.held(game, "BME", "ann") == 0
