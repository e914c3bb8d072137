"""Phases: what the first train of each type changes, and when."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.state import BANK, OFFERING, POOL
from tests.titles.rhl import arrange, trips
from tests.titles.rhl.trips import Lay


@pytest.fixture
def game() -> Game:
    """ADR (ann) and CME (bo) are afloat with plenty of money."""
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann", treasury=1500)
    arrange.floated(game, "CME", "bo", treasury=1500)
    trips.locations(game)
    return game


def next_is(game: Game, phase: str, train: str) -> None:
    """The phase is `phase`, all its trains are sold, and ADR may buy the first `train`."""
    arrange.phase(game, phase)
    depot = game.state.depot
    for kind in game.definition.trains:
        if kind.name == train:
            break
        arrange.sell_out(game, kind.name)
    assert depot.sold[train] == 0
    arrange.operating(game, "ADR", "trains")


def take_back(game: Game, company: str, *trains: str) -> None:
    """A company owns trains that were sold before."""
    for train in trains:
        game.state.depot.gone.remove(train)
        game.company(company).trains.append(train)
    arrange.take_offer(game)


def buy(game: Game, train: str) -> tuple[ev.Event, ...]:
    return game.apply(mv.BuyTrain("ann", "ADR", train, BANK, game.definition.train(train).price))


def lays(game: Game, at: str) -> set[str]:
    """The colours of the tiles that ADR may lay on a hex now."""
    if game.offer().find("lay_tile") is None or at not in trips.values(game, "lay_tile"):
        return set()
    return {game.definition.tiles[tile].colour for tile in trips.values(game, "lay_tile", hex=at)}


@pytest.mark.rule("RHL-6.3-a")
def test_the_game_begins_in_yellow(game: Game) -> None:
    assert (game.phase.name, game.phase.colour) == ("2", "yellow")
    trips.aachen_line(game)
    arrange.operating(game, "ADR", "track")
    assert lays(game, "J3") == {"yellow"}
    assert lays(game, "K2") == lays(game, "K4") == set(), "nothing is upgraded"
    refusal = arrange.refused(game, mv.LayTile("ann", "ADR", "K2", "930", 0))
    assert refusal.rule == "RHL-6.2.1.1-a"


@pytest.mark.rule("RHL-6.3-a")
def test_in_yellow_a_company_lays_one_yellow_tile(game: Game) -> None:
    arrange.operating(game, "ADR", "track")
    game.apply(mv.LayTile("ann", "ADR", "K4", "4", 1))
    assert "J3" not in trips.values(game, "lay_tile"), "what is left is the privates'"
    tile = next(fit for fit in game.rules.tiling.fits("J3", None) if fit.exits & 1 << 3)
    second = mv.LayTile("ann", "ADR", "J3", tile.tile, tile.rotation)
    assert arrange.refused(game, second).rule == "RHL-6.2.1-k"


@pytest.mark.rule("RHL-6.3-a")
def test_in_yellow_a_company_may_own_four_trains(game: Game) -> None:
    arrange.trains(game, "ADR", "2", "2", "2")
    arrange.operating(game, "ADR", "trains")
    buy(game, "2")
    assert len(game.company("ADR").trains) == 4


@pytest.mark.rule("RHL-6.3-a")
def test_in_yellow_companies_trade_trains(game: Game) -> None:
    arrange.trains(game, "CME", "2")
    arrange.operating(game, "ADR", "trains")
    assert ("CME", "2") in trips.trains_on_offer(game)


def red_and_grey(game: Game) -> None:
    """Aachen joined to Liège; Köln to Siegerland."""
    trips.lay(game, Lay("K2", "931", 0), Lay("J13", "9", 1), Lay("J11", "8", 5), Lay("I10", "932", 0))


@pytest.mark.rule("RHL-6.3-a", "RHL-6.3-e")
@pytest.mark.parametrize(("phase", "liège", "siegerland"), [("2", 30, 20), ("4", 30, 20), ("5", 60, 40), ("8", 60, 40)])
def test_red_and_grey_fields_are_worth_more_from_brown_on(game: Game, phase: str, liège: int, siegerland: int) -> None:
    red_and_grey(game)
    arrange.phase(game, phase)
    trips.runner(game, "ADR", "2" if phase == "2" else "6")
    train = game.company("ADR").trains[0]
    assert trips.earned(game, "ADR", (train, ("L1:a", "K2:a"))) == liège + 40
    trips.runner(game, "CME", train)
    assert trips.earned(game, "CME", (train, ("I10:a", "J11", "J13", "J15:a"))) == 60 + siegerland


@pytest.mark.rule("RHL-6.3-a")
def test_in_yellow_one_operating_round_follows_a_stock_round(game: Game) -> None:
    arrange.stock(game, "ann")
    happened = trips.idle(game, lambda g: g.state.round.stock_number == 3)
    assert [kind for kind, _ in trips.rounds(happened)] == ["operating", "stock"]


@pytest.mark.rule("RHL-6.3-b")
def test_the_first_2_train_changes_nothing(game: Game) -> None:
    arrange.operating(game, "ADR", "trains")
    before = game.phase
    happened = buy(game, "2")
    assert game.phase == before
    assert not [event for event in happened if isinstance(event, ev.PhaseChanged | ev.TrainsRusted)]


@pytest.mark.rule("RHL-6.3-c")
def test_the_first_3_train_lets_the_next_company_upgrade_in_the_same_round(game: Game) -> None:
    arrange.floated(game, "DEE", "ann", par=60)
    next_is(game, "2", "3")
    happened = buy(game, "3")
    assert ev.PhaseChanged("3", "green") in happened
    assert game.phase.train_limit == 4
    trips.idle(game, lambda g: g.state.round.actor == "DEE" and g.state.round.step == "track")
    assert game.state.round.kind == "operating"
    assert game.state.round.operating_number == 1
    assert lays(game, "F9") == {"green"}
    assert lays(game, "F11") == {"yellow"}
    game.apply(mv.LayTile("ann", "DEE", "F9", "921", 0))
    assert arrange.refused(game, mv.LayTile("ann", "DEE", "F11", "9", 1)).rule == "RHL-6.2.1-k"


@pytest.mark.rule("RHL-6.3-c")
def test_before_the_first_3_train_nothing_is_upgraded(game: Game) -> None:
    arrange.floated(game, "DEE", "ann", par=60)
    arrange.operating(game, "DEE", "track")
    assert lays(game, "F9") == set()
    assert arrange.refused(game, mv.LayTile("ann", "DEE", "F9", "921", 0)).rule == "RHL-6.2.1.1-a"


@pytest.mark.rule("RHL-6.3-d")
def test_the_first_4_train_makes_2_trains_obsolete(game: Game) -> None:
    next_is(game, "3", "4")
    take_back(game, "CME", "2", "2", "3")
    take_back(game, "ADR", "2")
    arrange.operating(game, "ADR", "trains")
    assert game.phase.train_limit == 4
    happened = buy(game, "4")
    assert ev.PhaseChanged("4", "green") in happened
    assert game.company("CME").trains == ["3"]
    assert game.company("ADR").trains == ["4"]
    assert game.phase.train_limit == 3
    again = trips.idle(game, lambda g: g.state.round.kind == "stock")
    assert not [event for event in again if isinstance(event, ev.TrainsRusted)]


@pytest.mark.rule("RHL-6.3-e")
def test_the_first_5_train_begins_brown_and_closes_the_privates(game: Game) -> None:
    next_is(game, "4", "5")
    take_back(game, "CME", "3", "4", "4")
    owners = {name: owner for name, owner in game.state.privates.items() if owner in game.state.seats}
    assert set(owners) == {"PWB", "KEO", "THS", "TF", "NLK"}
    happened = buy(game, "5")
    assert ev.PhaseChanged("5", "brown") in happened
    assert {e.private for e in happened if isinstance(e, ev.PrivateClosed)} == set(owners)
    assert not set(game.state.privates.values()) & set(game.state.seats)
    assert game.phase.train_limit == 2
    assert game.offer().deciders == ("bo",), "CME has one train too many"
    game.apply(mv.DiscardTrain("bo", "CME", "3"))
    assert (BANK, "6") in trips.trains_on_offer(game)


@pytest.mark.rule("RHL-6.3-e")
def test_closed_privates_pay_no_more(game: Game) -> None:
    next_is(game, "4", "5")
    buy(game, "5")
    cash = {player: game.state.cash[player] for player in game.state.seats}
    game.state.round.operating_total = 2
    happened = trips.idle(game, lambda g: g.state.round.operating_number == 2)
    assert not [e for e in happened if isinstance(e, ev.Paid) and e.reason == "private"]
    assert {player: game.state.cash[player] for player in game.state.seats} == cash


@pytest.mark.rule("RHL-6.3-e")
def test_brown_tiles_are_laid_from_the_first_5_train_on(game: Game) -> None:
    trips.lay(game, Lay("K2", "930", 0))
    arrange.phase(game, "4")
    arrange.operating(game, "ADR", "track")
    assert lays(game, "K2") == set()
    assert arrange.refused(game, mv.LayTile("ann", "ADR", "K2", "931", 0)).rule == "RHL-6.2.1.1-a"
    arrange.phase(game, "5")
    arrange.operating(game, "ADR", "track")
    assert lays(game, "K2") == {"brown"}


@pytest.mark.rule("RHL-6.3-e")
@pytest.mark.parametrize(("phase", "treasury", "rest"), [("4", 5 * 80, "DEE"), ("5", 10 * 80, POOL)])
def test_companies_that_float_in_brown_get_all_their_capital(game: Game, phase: str, treasury: int, rest: str) -> None:
    arrange.phase(game, phase)
    arrange.founded(game, "DEE", "ann", par=80)
    arrange.hand(game, "DEE", "ann", 20)
    arrange.stock(game, "ann")
    arrange.cash(game, "ann", 80)
    arrange.take_offer(game)
    game.apply(mv.BuyShare("ann", "DEE", OFFERING, 10))
    assert game.company("DEE").floated
    assert game.state.cash["DEE"] == treasury
    assert shares.held(game, "DEE", rest) == 50


@pytest.mark.rule("RHL-6.3-f")
@pytest.mark.parametrize(("phase", "train", "number", "total"), [("2", "3", 1, 2), ("4", "5", 2, 3), ("4", "5", 1, 3)])
def test_more_operating_rounds_only_after_the_next_stock_round(
    game: Game, phase: str, train: str, number: int, total: int
) -> None:
    next_is(game, phase, train)
    before = 1 if phase == "2" else 2
    arrange.operating(game, "ADR", "trains", number, before)
    buy(game, train)
    rest = trips.idle(game, lambda g: g.state.round.kind == "stock")
    following = [kind for kind, _ in trips.rounds(rest)]
    assert following == ["operating"] * (before - number) + ["stock"]
    after = trips.idle(game, lambda g: g.state.round.stock_number == 3 or g.finished)
    assert [entry for entry in trips.rounds(after) if entry[0] == "operating"] == [
        ("operating", count) for count in range(1, total + 1)
    ]


@pytest.mark.rule("RHL-6.3-g")
def test_the_first_6_train_makes_3_trains_obsolete_and_sells_the_8(game: Game) -> None:
    next_is(game, "5", "6")
    take_back(game, "CME", "3", "4")
    assert (BANK, "8") not in trips.trains_on_offer(game)
    happened = buy(game, "6")
    assert ev.PhaseChanged("6", "brown") in happened
    assert ev.TrainsRusted("3", ("CME",)) in happened
    assert game.company("CME").trains == ["4"]
    assert (BANK, "8") in trips.trains_on_offer(game)
    assert game.phase.train_limit == 2


@pytest.mark.rule("RHL-6.3-h")
def test_the_first_8_train_makes_4_trains_obsolete(game: Game) -> None:
    next_is(game, "6", "8")
    take_back(game, "CME", "4", "5")
    happened = buy(game, "8")
    assert ev.PhaseChanged("8", "grey") in happened
    assert ev.TrainsRusted("4", ("CME",)) in happened
    assert game.company("CME").trains == ["5"]


@pytest.mark.rule("RHL-6.3-h")
def test_grey_tiles_are_laid_from_the_first_8_train_on(game: Game) -> None:
    trips.lay(game, Lay("I10", "928", 0))
    arrange.phase(game, "6")
    arrange.operating(game, "CME", "track")
    assert lays(game, "I10") == set()
    assert arrange.refused(game, mv.LayTile("bo", "CME", "I10", "932", 0)).rule == "RHL-6.2.1.1-a"
    arrange.phase(game, "8")
    arrange.operating(game, "CME", "track")
    assert lays(game, "I10") == {"grey"}
