"""18LRA's private no. 6: GKB floats, its train runs its own way, lays a tile more and keeps its income apart."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.events import DirectorChanged
from engine.finance import shares
from engine.finance.depot import counting
from engine.game import Game
from engine.state import BANK, CLOSED, MARKER, POOL
from tests.titles.lra.arrange import (
    RHINE_LINE,
    arrange,
    board,
    build,
    buy_five,
    cash,
    earns,
    floated,
    harbour,
    operating,
    ready,
    refused,
    refused_run,
    rhine_line,
    run,
    station,
    token,
)
from tests.titles.rhl.asking import of_kind, permits, values
from titles.lra.dalheim import CampToken
from titles.lra.gkb import GkbFloated, GkbTrain, GkbTrainGiven
from titles.lra.track import LraTrackStep
from titles.rhineland.assigning import Assign

WEST = "A1:a B2:a C3:a D2 E1:a"


def gkb(*more: str, company: str = "ADR") -> Game:
    """The brown phase; ann's company has the 2+4 train. Kevelaer – Walbeck – Straelen – Venlo and further south."""
    game = board(company, *more, director="ann", phase="4")
    for at, tile, *ways in (
        ("B2", "4", "NW-SE"), ("F2", "4", "NW-SE"), ("G3", "58", "NW-E"), ("G5", "8", "W-NE"), ("F6", "1", "SW-E"),
        ("B4", "L14"),
    ):  # fmt: skip
        build(game, at, tile, *ways)
    arrange.phase(game, "5")
    if game.state.pauses:
        game.apply(Assign("ann", "DEC", company))
        game.apply(Assign("ann", "GKB", company))
    CampToken.of(game).company = ""
    game.company(company).operated = True
    return game


# ---------------------------------------------------------------------- floating


@pytest.mark.rule("LRA-4.1.2-n", "LRA-6.3-b")
def test_with_the_first_5_train_the_station_goes_to_kevelaer() -> None:
    game = board("CCE", phase="4")
    floated(game, "ADR", "ann")
    build(game, "B2", "4", "NW-SE")
    build(game, "B4", "L14")
    token(game, "CCE", "B4", 1)
    ready(game, "CCE", "3")
    assert earns(game, "CCE", ("3", "B4:b A3 A1:a B2:a")) == 20 + 10 + 10  # through, before
    happened = buy_five(game, "CCE")
    assert of_kind(happened, GkbFloated)
    assert game.board.spaces("A1", 0) == [MARKER]
    game.company("CCE").trains.remove("3")
    operating(game, "CCE", "run")
    assert refused_run(game, "CCE", ("5", "B4:b A3 A1:a B2:a")).rule == "RHL-6.1.2-e"
    assert earns(game, "CCE", ("5", "B4:b A3 A1:a")) == 20 + 20  # only to end there


@pytest.mark.rule("LRA-4.1.2-n")
def test_nobody_places_a_station_on_kevelaer() -> None:
    for phase in ("3", "5"):
        game = board("CCE", phase=phase)
        build(game, "B4", "L14")
        token(game, "CCE", "B4", 1)
        operating(game, "CCE", "station")
        assert game.reach("CCE").reaches("A1", 0)
        assert refused(game, station(game, "CCE", "A1")).rule == "RHL-6.2.2-a"


@pytest.mark.rule("LRA-4.1.2-o", "LRA-4.1.2-n")
def test_the_owner_puts_the_train_on_a_charter_before_the_buyer_goes_on() -> None:
    game = board("CCE", phase="4")
    for company in ("ADR", "RhE"):
        floated(game, company, "ann")
    before = shares.certificates(game, "ann")
    buy_five(game, "CCE")
    assert game.state.pauses[0].kind == "dalheim"  # Dalheim first
    game.apply(Assign("ann", "DEC", "ADR"))
    assert (game.state.pauses[0].kind, game.offer().deciders) == ("gkb", ("ann",))
    assert refused(game, Assign("ann", "GKB", "CCE")).rule == "LRA-4.1.2-o"
    happened = game.apply(Assign("ann", "GKB", "RhE"))
    assert of_kind(happened, GkbTrainGiven)[0].company == "RhE"
    assert game.company("RhE").trains == ["2+4"]
    assert game.state.privates["GKB"] == CLOSED
    assert shares.certificates(game, "ann") == before - 3  # DEC, UH and GKB
    assert game.offer().deciders == ("cy",)


@pytest.mark.rule("LRA-4.1.2-o")
def test_the_train_is_neither_sold_nor_discarded_nor_moved() -> None:
    game = gkb("RhE")
    assert game.company("ADR").trains == ["2+4"]
    operating(game, "RhE", "trains")
    assert "ADR" not in values(game, "buy_train")
    assert refused(game, mv.BuyTrain("ann", "RhE", "2+4", "ADR", 1)).rule == "LRA-4.1.2-o"
    assert refused(game, mv.BuyTrain("ann", "RhE", "2+4", BANK, 1)).rule == "LRA-4.1.2-o"
    game.company("ADR").director = "bo"
    operating(game, "ADR", "trains")
    assert game.company("ADR").trains == ["2+4"]  # it goes along with the charter


@pytest.mark.rule("LRA-4.1.2-o")
def test_without_a_company_the_certificate_waits() -> None:
    game = board("CCE", phase="4")
    buy_five(game, "CCE")
    assert GkbTrain.of(game) == GkbTrain("ann", "")
    assert game.state.depot.aside == ["2+4"]
    assert game.state.privates["GKB"] == CLOSED  # it pays nothing
    cash(game, "ann", 500)
    arrange.stock(game, "ann")
    game.apply(mv.Found("ann", "KEG", 70))
    assert game.company("KEG").trains == ["2+4"]


@pytest.mark.rule("LRA-4.1.2-o")
def test_a_certificate_that_waits_brings_its_train_to_a_company_that_its_owner_takes_over() -> None:
    game = board("CCE", phase="4")
    buy_five(game, "CCE")
    floated(game, "RhE", "bo")
    game.company("RhE").certificates[1:] = [POOL, "ann", "ann", "ann", *["RhE"] * 4]
    cash(game, "ann", 500)
    arrange.stock(game, "ann")
    happened = game.apply(mv.BuyShare("ann", "RhE", POOL, 10))
    assert of_kind(happened, DirectorChanged)
    assert game.company("RhE").trains == ["2+4"]
    assert game.state.depot.aside == []


@pytest.mark.rule("LRA-4.1.2-t", "LRA-6.3-b")
def test_it_counts_for_the_limit_and_another_train_is_discarded() -> None:
    game = board("CCE", "ADR", phase="4")
    game.company("ADR").director = "ann"
    arrange.trains(game, "ADR", "3", "4")
    happened = buy_five(game, "CCE")
    assert of_kind(happened, GkbTrainGiven)[0].company == "ADR"
    assert game.state.pauses[0].kind == "discard"
    assert values(game, "discard_train") == ["3", "4"]
    assert refused(game, mv.DiscardTrain("ann", "ADR", "2+4")).rule == "LRA-4.1.2-o"
    game.apply(mv.DiscardTrain("ann", "ADR", "3"))
    assert sorted(game.company("ADR").trains) == ["2+4", "4"]
    assert not game.state.pauses
    operating(game, "ADR", "trains")
    assert len(counting(game, "ADR")) == 2
    assert refused(game, mv.BuyTrain("ann", "ADR", "6", BANK, 600)).rule == "RHL-6.2.6-e"


@pytest.mark.rule("LRA-4.1.2-t", "RHL-6.2.6-f")
@pytest.mark.parametrize(("asked", "par"), [(False, 60), (True, 60), (False, 100), (True, 100)])
def test_the_company_with_the_train_discards_in_its_place_in_the_order(asked: bool, par: int) -> None:
    """Rulings 47 and 79: first the train, then all discard in operating order."""
    game = board("CCE", phase="4")
    floated(game, "ADR", "bo", 80)
    floated(game, "RhE", "ann", par)
    if asked:
        floated(game, "GVE", "ann", 60)
    arrange.trains(game, "ADR", "3", "3", "4")
    arrange.trains(game, "RhE", "3", "4")
    buy_five(game, "CCE")
    if asked:
        game.apply(Assign("ann", "DEC", "RhE"))
        game.apply(Assign("ann", "GKB", "RhE"))
    order = [pause.data["company"] for pause in game.state.pauses]
    assert order == (["ADR", "RhE"] if par == 60 else ["RhE", "ADR"])
    for company in order:
        game.apply(mv.DiscardTrain(game.company(company).director, company, "4"))
    assert not game.state.pauses


@pytest.mark.rule("LRA-4.1.2-t")
def test_a_company_that_is_chosen_later_discards_as_well() -> None:
    game = board("CCE", phase="4")
    for company in ("ADR", "RhE"):
        floated(game, company, "ann")
    arrange.trains(game, "RhE", "3", "4")
    buy_five(game, "CCE")
    game.apply(Assign("ann", "DEC", "ADR"))
    game.apply(Assign("ann", "GKB", "RhE"))
    assert (game.state.pauses[0].kind, game.state.pauses[0].data["company"]) == ("discard", "RhE")
    game.apply(mv.DiscardTrain("ann", "RhE", "3"))
    assert sorted(game.company("RhE").trains) == ["2+4", "4"]


@pytest.mark.rule("LRA-4.1.2-t")
def test_of_two_trains_of_one_type_one_goes_by_itself() -> None:
    game = board("CCE", "ADR", phase="4")
    game.company("ADR").director = "ann"
    game.state.depot.left["4"] = 2
    arrange.trains(game, "ADR", "4", "4")
    buy_five(game, "CCE")
    assert sorted(game.company("ADR").trains) == ["2+4", "4"]
    assert game.state.depot.pool == ["4"]


@pytest.mark.rule("LRA-4.1.2-s")
def test_it_does_not_meet_the_duty_to_own_a_train() -> None:
    game = gkb()
    operating(game, "ADR", "trains")
    assert game.company("ADR").trains == ["2+4"]
    assert refused(game, mv.Pass("ann")).rule == "RHL-6.2.6.1-a"
    arrange.trains(game, "ADR", "5")
    operating(game, "ADR", "trains")
    game.apply(mv.Pass("ann"))


# ---------------------------------------------------------------------- its routes


@pytest.mark.rule("LRA-4.1.2-q")
def test_one_city_and_four_towns_besides_the_station() -> None:
    game = ready(gkb(), "ADR")
    assert earns(game, "ADR", ("2+4", f"{WEST} F2:a G3:a")) == 20 + 10 + 10 + 40 + 10 + 10
    assert refused_run(game, "ADR", ("2+4", f"{WEST} F2:a G3:a G5 F6:a")).rule == "LRA-4.1.2-q"  # five towns
    assert refused_run(game, "ADR", ("2+4", f"B4:b A3 {WEST}")).rule == "LRA-4.1.2-q"  # two cities more
    assert refused_run(game, "ADR", ("2+4", "B2:a C3:a D2 E1:a")).rule == "LRA-4.1.2-q"  # without the station
    assert earns(game, "ADR", ("2+4", "B4:b A3 A1:a B2:a")) == 20 + 20 + 10  # in the middle
    assert earns(game, "ADR", ("2+4", "A1:a B2:a")) == 30  # one further stop is enough


@pytest.mark.rule("LRA-4.1.2-r")
def test_through_a_full_city_only_with_an_own_station() -> None:
    for own in (True, False):
        game = gkb()
        floated(game, "CCE", "cy")
        floated(game, "GVE", "cy")
        token(game, "CCE", "E1")
        token(game, "ADR" if own else "GVE", "E1")
        ready(game, "ADR")
        assert earns(game, "ADR", ("2+4", WEST)) == 80
        if own:
            assert earns(game, "ADR", ("2+4", f"{WEST} F2:a")) == 90
        else:
            assert refused_run(game, "ADR", ("2+4", f"{WEST} F2:a")).rule == "RHL-6.1.2-e"


@pytest.mark.rule("LRA-4.1.2-u")
def test_it_earns_no_bonus() -> None:
    game = gkb("CCE")
    # Over the own harbour with a coalmine: the whole of that does not fit its length, so the rules are asked.
    build(game, "E13", "L29")
    harbour(game, "ADR", "E13")
    CampToken.of(game).company = "ADR"
    operating(game, "ADR", "run")
    rules = game.router("ADR").rules["2+4"]
    plain = game.router("ADR").rules["6"]
    marks = [plain.worth((at, 0), False)[1] for at in ("E13", "B8", "I3", "G15", "A15", "I1")]
    assert plain.bonus(sum(marks), ("A15", 0), ("I1", 0)) > 0
    assert [rules.worth((at, 0), False)[1] for at in ("E13", "B8", "I3", "A15", "I1", "J2")] == [0] * 6
    assert rules.bonus(sum(marks), ("A15", 0), ("I1", 0)) == 0
    assert rules.bonus_parts(sum(marks), ("A15", 0), ("I1", 0)) == []


@pytest.mark.rule("LRA-4.1.2-q")
def test_its_track_is_apart_from_the_other_trains() -> None:
    game = gkb()
    token(game, "ADR", "E1")
    ready(game, "ADR", "5")
    both = (("2+4", WEST), ("5", "E1:a D2 C3:a"))
    assert refused_run(game, "ADR", *both).rule == "RHL-6.2.3-g"


# ---------------------------------------------------------------------- its tile


@pytest.mark.rule("LRA-4.1.2-p")
def test_one_more_tile_where_the_train_gets_to() -> None:
    game = gkb()
    operating(game, "ADR")
    assert permits(game) == {"", "GKB"}
    reached = set(values(game, "lay_tile", private="GKB"))
    assert "C5" in reached  # beyond Geldern, its one city
    assert "G5" in reached  # beyond four towns
    assert "F6" not in reached  # its town would be the fifth
    assert "J4" not in reached  # only ADR's home leads there
    assert "J4" in set(values(game, "lay_tile", private=""))
    game.apply(mv.LayTile("ann", "ADR", "J4", "4", 1))
    assert permits(game) == {"GKB"}
    assert refused(game, mv.LayTile("ann", "ADR", "J6", "58", 4, "GKB")).rule == "RHL-6.2.1-a"
    game.apply(mv.LayTile("ann", "ADR", "C5", "8", 3, "GKB"))
    assert game.state.round.step != "track"  # nothing is left
    # The other order, and not twice.
    game = gkb()
    operating(game, "ADR")
    game.apply(mv.LayTile("ann", "ADR", "C5", "8", 3, "GKB"))
    assert permits(game) == {""}
    assert refused(game, mv.LayTile("ann", "ADR", "F6", "87", 0, "GKB")).rule == "RHL-4.1-d"
    # A company without the train has no such tile.
    game = gkb("RhE")
    operating(game, "RhE")
    assert permits(game) == {""}


@pytest.mark.rule("LRA-4.1.2-p")
def test_the_extra_tile_is_not_in_or_beyond_a_second_city() -> None:
    game = gkb()
    build(game, "C5", "9", "NW-SE")  # Kevelaer – Geldern – Aldekerk – Kempen
    operating(game, "ADR")
    assert "E7" in set(values(game, "lay_tile", private="GKB"))  # up to the side that a first tile joins
    build(game, "E7", "57", "NW-SE")
    operating(game, "ADR")
    # An upgrade counts Kempen, which would be the second city besides its station.
    assert not set(values(game, "lay_tile", private="GKB")) & {"E7", "F8"}
    # A company's own stations are nothing to it: the ordinary tile may go there.
    token(game, "ADR", "E7")
    operating(game, "ADR")
    assert {"E7", "F8"} <= set(values(game, "lay_tile", private=""))
    assert not set(values(game, "lay_tile", private="GKB")) & {"E7", "F8"}


@pytest.mark.rule("LRA-4.1.2-p")
def test_the_extra_tile_pays_for_the_terrain() -> None:
    game = gkb()
    operating(game, "ADR")
    step = game.steps()["track"]
    assert isinstance(step, LraTrackStep)
    permit = next(p for p in step.permits(game, "ADR") if p.private)
    assert not permit.free
    assert permit.needs_route


# ---------------------------------------------------------------------- its income


def earned(*trains: str) -> Game:
    """ADR with the 2+4 train, and perhaps another, before its trains run."""
    game = gkb()
    token(game, "ADR", "E1")
    return ready(game, "ADR", *trains)


@pytest.mark.rule("LRA-4.1.2-v")
def test_its_income_may_be_kept_while_the_rest_is_paid() -> None:
    game = board("BME", director="ann", phase="5")
    rhine_line(game)
    build(game, "B2", "4", "NW-SE")
    ready(game, "BME", "5")
    value = game.prices.value("BME")
    cash(game, "BME", 0)
    game.apply(run(game, "BME", ("5", RHINE_LINE), ("2+4", "A1:a B2:a C3:a D2 E1:a")))
    others, own = 130 + 20, 80
    assert values(game, "dividend") == ["pay", "keep_gkb", "withhold"]
    assert refused(game, mv.Dividend("ann", "BME", "keep_others")).rule == "RHL-6.2.4-b"
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "BME", "keep_gkb"))
    half = others // 2  # 50 % with the director, 50 % on the charter
    assert game.state.cash["BME"] - before["BME"] == own + half
    assert game.state.cash["ann"] - before["ann"] == half
    assert others >= value
    assert game.prices.value("BME") > value  # moved by what was paid


@pytest.mark.rule("LRA-4.1.2-v")
def test_only_this_train_ran() -> None:
    game = earned()
    value = game.prices.value("ADR")
    game.apply(run(game, "ADR", ("2+4", WEST)))
    assert values(game, "dividend") == ["pay", "withhold"]
    game.apply(mv.Dividend("ann", "ADR", "withhold"))
    assert game.prices.value("ADR") < value
