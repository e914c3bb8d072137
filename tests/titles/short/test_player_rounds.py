"""A turn in a player round: a certificate, the certificate limit, one action as a director."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.offer import Options
from engine.state import OFFERING, POOL
from tests.titles.rhl import lines, trips
from tests.titles.rhl.asking import values
from tests.titles.short import arrange
from tests.titles.short.arrange import directed, names, new, refused, turn
from titles.rhineland.short_moves import (
    CertificateDiscarded,
    CertificateTaken,
    CompanyTaken,
    DiscardCertificate,
    ReplaceTrain,
    SwapTrains,
    TakeCertificate,
    TrainReplaced,
    TrainsSwapped,
    TrainTaken,
)


@pytest.fixture
def game() -> Game:
    """Three players; ann directs ADR and BME, bo directs DEE."""
    game = new()
    directed(game, "ADR", "ann")
    directed(game, "BME", "ann")
    directed(game, "DEE", "bo")
    return game


# ---------------------------------------------------------------------- everything is free


@pytest.mark.rule("RHL-10.3.1-a")
def test_a_turn_is_one_certificate_and_then_one_action(game: Game) -> None:
    turn(game, "ann", "take")
    assert names(game) == {"take_certificate"}
    assert refused(game, lines.lay(game, "ADR", "K4", "4", "W-E")).rule == "RHL-10.3.1-a"
    arrange.take(game, "CME")
    assert "take_certificate" not in names(game)
    assert refused(game, TakeCertificate("ann", "CCE")).rule == "RHL-10.3.1-a"
    game.apply(lines.lay(game, "ADR", "K4", "4", "W-E"))
    assert game.state.round.actor == "bo"


@pytest.mark.rule("RHL-10.3.1-a")
def test_terrain_metropolis_and_station_cost_nothing(game: Game) -> None:
    """F11 costs 60 M in the full game, the upgrade of Düsseldorf 30 M and DEE's second station 60 M."""
    arrange.phase(game, "3")
    before = dict(game.state.cash)
    turn(game, "bo")
    assert "F11" in values(game, "lay_tile")
    offered = game.offer().find("lay_tile")
    assert offered is not None
    assert {option.facts["cost"] for option in offered.ask({}).options} == {0}  # type: ignore[union-attr]
    happened = list(game.apply(lines.lay(game, "DEE", "F11", "9", "W-E")))
    turn(game, "bo")
    happened += game.apply(lines.lay(game, "DEE", "F9", "921"))
    turn(game, "bo")
    happened += game.apply(lines.station(game, "DEE", "F13"))
    assert not any(isinstance(event, ev.Paid) for event in happened)
    assert game.state.cash == before
    assert set(before.values()) == {0}


@pytest.mark.rule("RHL-10.3.1-a")
def test_certificates_are_never_sold(game: Game) -> None:
    for step in ("take", "action"):
        turn(game, "ann", step)
        assert not names(game) & {"sell_shares", "buy_share", "found", "buy_train"}
        move = mv.SellShares("ann", "ADR", 20)
        assert refused(game, move).rule == "RHL-10.3-a"


# ---------------------------------------------------------------------- the stock action


@pytest.mark.rule("RHL-10.3.1.1-a")
def test_a_certificate_must_be_taken_from_the_display_and_only_the_top_one(game: Game) -> None:
    turn(game, "ann", "take")
    assert refused(game, mv.Pass("ann")).rule == "RHL-10.3.1.1-a"
    happened = game.apply(TakeCertificate("ann", "MKB"))
    assert CompanyTaken("ann", "MKB") in happened, "the director's certificate is on top"
    for player, percent in (("bo", 20), ("cy", 20), ("bo", 10)):
        turn(game, player, "take")
        assert CertificateTaken(player, "MKB", percent) in game.apply(TakeCertificate(player, "MKB"))
        game.state.pauses.clear()


@pytest.mark.rule("RHL-10.3.1.1-a")
def test_nothing_comes_from_the_pool(game: Game) -> None:
    for number in shares.numbers(game, "DEE", OFFERING):
        game.company("DEE").certificates[number] = POOL
    turn(game, "ann", "take")
    assert "DEE" not in values(game, "take_certificate")
    assert refused(game, TakeCertificate("ann", "DEE")).rule == "RHL-10.3.1.1-a"


@pytest.mark.rule("RHL-10.3.1.1-b")
def test_at_the_limit_one_more_is_taken_and_then_one_discarded_before_acting(game: Game) -> None:
    arrange.certificates(game, "ann", 20, but=("CME", "DEE", "BME", "RhE"))
    turn(game, "ann", "take")
    arrange.take(game, "RhE")
    assert shares.certificates(game, "ann") == 21
    assert (names(game), game.offer().deciders) == ({"discard_certificate"}, ("ann",))
    assert refused(game, lines.lay(game, "ADR", "K4", "4", "W-E")).rule == "RHL-10.3.1.1-b"
    assert refused(game, mv.Pass("ann")).rule == "RHL-10.3.1.1-b"
    # a director's certificate stays: of BME and RhE she has no other
    assert not {"BME", "RhE"} & set(values(game, "discard_certificate"))
    assert refused(game, DiscardCertificate("ann", "RhE", 20)).rule == "RHL-10.3.1.1-b"
    assert CertificateDiscarded("ann", "ADR", 10) in game.apply(DiscardCertificate("ann", "ADR", 10))
    assert arrange.pooled(game, "ADR") == 10
    assert (shares.certificates(game, "ann"), game.state.round.step) == (20, "action")


@pytest.mark.rule("RHL-10.3.1.1-b")
@pytest.mark.parametrize(("players", "limit"), [(3, 20), (4, 15), (5, 12)])
def test_the_limits_are_those_of_the_full_game(players: int, limit: int) -> None:
    game = new(players)
    arrange.certificates(game, "ann", limit - 1, but=("RhE",))
    turn(game, "ann", "take")
    arrange.take(game, "RhE")
    assert game.state.round.actor != "ann" or game.state.round.step == "action"
    game = new(players)
    arrange.certificates(game, "ann", limit, but=("RhE",))
    turn(game, "ann", "take")
    arrange.take(game, "RhE")
    assert game.state.round.step == "limit"


@pytest.mark.rule("RHL-10.3.1.1-c")
def test_charter_stations_and_the_next_train_come_with_the_directors_certificate() -> None:
    """The fifth company gets the first 3-train, and green tiles are legal in this very turn."""
    game = new()
    for company in ("ADR", "BME", "CCE", "CME"):
        turn(game, "bo", "take")
        arrange.take(game, company)
    assert game.phase.colour == "yellow"
    turn(game, "ann", "take")
    happened = game.apply(TakeCertificate("ann", "DEE"))
    assert [event for event in happened if isinstance(event, TrainTaken)] == [TrainTaken("DEE", "3")]
    dee = game.company("DEE")
    assert (dee.director, dee.floated, dee.trains, dee.tokens_left) == ("ann", True, ["3"], [0])
    assert game.phase.colour == "green"
    game.apply(lines.lay(game, "DEE", "F9", "921"))
    assert game.state.board.tiles["F9"][0] == "921"


@pytest.mark.rule("RHL-10.3.1.1-c")
def test_whoever_takes_a_certificate_is_told_what_comes_with_it() -> None:
    game = new()
    turn(game, "bo", "take")
    arrange.take(game, "ADR")
    arrange.hand(game, "ADR", "ann", 10)
    turn(game, "ann", "take")
    choice = game.offer().find("take_certificate")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    facts = {option.value: dict(option.facts) for option in domain.options}
    assert facts["ADR"] == {"percent": 10, "holding": 10}
    assert facts["BME"] == {"director_percent": 20, "gets_train": "2"}


@pytest.mark.rule("RHL-10.3.1.1-c")
def test_a_company_for_which_no_train_is_left_gets_none() -> None:
    """Ruling 61: it may take one later instead of a replacement, if there is any."""
    game = new()
    left = dict(game.state.depot.left)
    for name, count in left.items():
        game.state.depot.left[name], game.state.depot.sold[name] = 0, count
    turn(game, "ann", "take")
    arrange.take(game, "ADR")
    assert game.company("ADR").trains == []
    assert not arrange.asked(game, "replace_train")
    game.state.depot.left["8"], game.state.depot.sold["8"] = 1, 3
    turn(game, "ann")
    assert TrainTaken("ADR", "8") in game.apply(ReplaceTrain("ann", "ADR"))


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_whoever_holds_more_becomes_director_and_equal_shares_go_back(game: Game) -> None:
    """A has 20 %, B takes a third certificate of 10 %."""
    arrange.hand(game, "ADR", "cy", 20)
    assert game.company("ADR").director == "ann", "equal shares change nothing"
    turn(game, "cy", "take")
    happened = game.apply(TakeCertificate("cy", "ADR"))
    assert ev.DirectorChanged("ADR", "ann", "cy") in happened
    adr = game.company("ADR")
    assert (adr.director, adr.certificates[0], adr.trains) == ("cy", "cy", ["2"])
    percents = [shares.percent_of(game, "ADR", n) for n in shares.numbers(game, "ADR", "ann")]
    assert percents == [10, 10]
    assert shares.held(game, "ADR", "cy") == 30
    # the company that was taken over may act in this turn
    assert arrange.asked(game, "lay_tile", "ADR")


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_a_taking_that_makes_shares_equal_changes_nothing(game: Game) -> None:
    arrange.hand(game, "ADR", "cy", 10)
    turn(game, "cy", "take")
    game.apply(TakeCertificate("cy", "ADR"))
    assert game.company("ADR").director == "ann"


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_a_former_director_over_the_limit_discards_before_the_others_turn_goes_on(game: Game) -> None:
    arrange.hand(game, "ADR", "cy", 20)
    directed(game, "RhE", "cy")
    arrange.certificates(game, "ann", 20, but=("ADR", "RhE", "DEE"))
    turn(game, "cy", "take")
    arrange.take(game, "ADR")
    assert shares.certificates(game, "ann") == 21, "two certificates for one"
    assert (game.offer().deciders, names(game)) == (("ann",), {"discard_certificate"})
    assert refused(game, mv.Pass("cy")).key == "turn.player"
    game.apply(DiscardCertificate("ann", "ADR", 10))
    assert game.offer().deciders == ("cy",)
    assert game.state.round.step == "action"


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_others_discard_before_the_player_whose_turn_it_is(game: Game) -> None:
    """Ruling 109."""
    arrange.certificates(game, "ann", 21)
    arrange.certificates(game, "cy", 21)
    turn(game, "cy", "limit")
    assert game.offer().deciders == ("ann",)
    game.apply(game.offer().choices[0].move({"company": "ADR", "percent": 10}))
    assert game.offer().deciders == ("cy",)


@pytest.mark.rule("RHL-10.3.1.1-d", "RHL-10.3.1.1-b")
def test_a_swap_may_bring_the_acting_player_back_to_the_limit(game: Game) -> None:
    """Ruling 109: the change of director comes before the limit is looked at."""
    arrange.hand(game, "ADR", "cy", 20)
    directed(game, "RhE", "cy")
    arrange.certificates(game, "cy", 20, but=("ADR", "BME", "DEE"))
    turn(game, "cy", "take")
    arrange.take(game, "ADR")
    assert shares.certificates(game, "cy") == 20
    assert game.state.round.step == "action"


@pytest.mark.rule("RHL-10.3.1.1-b", "RHL-10.3.1.1-d")
def test_a_discard_can_make_somebody_else_director() -> None:
    """Rulings 70 and 109: whoever then holds more takes over, with its swap, and the limit is looked at again."""
    game = new()
    directed(game, "ADR", "ann", 30)
    arrange.hand(game, "ADR", "bo", 30)
    arrange.certificates(game, "ann", 20, but=("ADR", "RhE"))
    turn(game, "ann", "take")
    arrange.take(game, "RhE")
    happened = game.apply(DiscardCertificate("ann", "ADR", 10))
    assert ev.DirectorChanged("ADR", "ann", "bo") in happened
    assert shares.certificates(game, "ann") == 21, "two of 10 % for the director's certificate"
    assert (game.offer().deciders, names(game)) == (("ann",), {"discard_certificate"})
    game.apply(DiscardCertificate("ann", "ADR", 10))
    assert game.state.round.step == "action"
    assert not arrange.asked(game, "lay_tile", "ADR")


@pytest.mark.rule("RHL-10.3.1.1-d")
def test_a_new_director_of_mkb_chooses_what_to_hand_over() -> None:
    game = new()
    directed(game, "MKB", "ann")
    arrange.hand(game, "MKB", "bo", 40)
    game.company("MKB").certificates[2:5] = [POOL, "bo", "bo"]
    turn(game, "bo", "take")
    arrange.take(game, "MKB")
    assert values(game, "hand_over", "bo") == ["10+10", "20"]
    assert refused(game, mv.HandOver("bo", "MKB", "10")).rule == "RHL-10.3.1.1-d"
    game.apply(mv.HandOver("bo", "MKB", "20"))
    assert game.company("MKB").director == "bo"
    assert [shares.percent_of(game, "MKB", n) for n in shares.numbers(game, "MKB", "ann")] == [20]


@pytest.mark.rule("RHL-10.3.1.1-b")
def test_the_pool_has_no_limit_and_counts_for_nobody() -> None:
    """Ruling 110."""
    game = new()
    directed(game, "ADR", "bo")
    game.company("ADR").certificates[1:7] = [POOL] * 6
    arrange.certificates(game, "ann", 20, but=("RhE",))
    turn(game, "ann", "take")
    arrange.take(game, "RhE")
    game.apply(DiscardCertificate("ann", "ADR", 10))
    assert arrange.pooled(game, "ADR") == 70
    assert game.company("ADR").director == "bo"


# ---------------------------------------------------------------------- the director's action


@pytest.mark.rule("RHL-10.3.1.2-a")
def test_one_action_for_one_own_company_or_none(game: Game) -> None:
    turn(game, "ann")
    move = mv.LayTile("ann", "DEE", "F11", "9", 1)
    assert refused(game, move).rule == "RHL-10.3.1.2-a"
    assert refused(game, mv.PlaceStation("ann", "DEE", "F11", 0)).rule == "RHL-10.3.1.2-a"
    assert {choice.company for choice in game.offer().choices if choice.name == "lay_tile"} == {"ADR", "BME"}
    twin = game.copy()
    twin.apply(mv.Pass("ann"))
    assert twin.state.round.actor == "bo", "nothing need be done"
    game.apply(lines.lay(game, "ADR", "K4", "4", "W-E"))
    assert game.state.round.actor == "bo", "and there is no second action"


@pytest.mark.rule("RHL-10.3.1.2-a")
def test_who_directs_nothing_only_takes_a_certificate(game: Game) -> None:
    turn(game, "cy", "take", number=2)
    arrange.take(game, "ADR")
    assert game.state.round.stock_number == 3
    assert game.state.round.actor == "ann"


@pytest.mark.rule("RHL-10.3.1.2-b")
def test_before_brown_one_yellow_tile_or_one_upgrade() -> None:
    for phase in ("2", "3"):
        game = new()
        directed(game, "ADR", "ann")
        if phase != "2":
            arrange.phase(game, phase)
        turn(game, "ann")
        game.apply(lines.lay(game, "ADR", "K4", "4", "W-E"))
        assert game.state.round.actor == "bo"


@pytest.fixture
def brown() -> Game:
    """ann directs ADR and DEE in the brown phase, and it is her action."""
    game = new()
    directed(game, "ADR", "ann")
    directed(game, "DEE", "ann")
    arrange.phase(game, "5")
    return turn(game, "ann")


@pytest.mark.rule("RHL-10.3.1.2-b")
def test_from_brown_on_two_yellow_tiles_of_one_company(brown: Game) -> None:
    assert "K8" not in lines.hexes(brown)
    brown.apply(lines.lay(brown, "ADR", "K4", "4", "W-E"))
    assert brown.state.round.actor == "ann"
    assert {choice.company for choice in brown.offer().choices if choice.name == "lay_tile"} == {"ADR"}
    assert "pass" in names(brown), "the second is optional"
    # yellow tiles of two companies
    assert refused(brown, lines.lay(brown, "DEE", "F11", "9", "W-E")).rule == "RHL-10.3.1.2-a"
    assert refused(brown, lines.station(brown, "ADR", "K6")).rule == "RHL-10.3.1.2-a"
    brown.apply(mv.LayTile("ann", "ADR", "K8", "8", 2))  # it builds on the first
    assert brown.state.round.actor == "bo", "and no third"


@pytest.mark.rule("RHL-10.3.1.2-b")
def test_after_a_yellow_tile_no_upgrade_follows(brown: Game) -> None:
    tile, rotation = min(lines.lays(brown, "K2"))
    upgrade = mv.LayTile("ann", "ADR", "K2", tile, rotation)
    brown.copy().apply(upgrade)  # as the first it is possible
    brown.apply(lines.lay(brown, "ADR", "K4", "4", "W-E"))
    colours = {brown.definition.tiles[tile].colour for at in lines.hexes(brown) for tile, _ in lines.lays(brown, at)}
    assert colours == {"yellow"}
    assert refused(brown, upgrade).rule == "RHL-10.3.1.2-b"


@pytest.mark.rule("RHL-10.3.1.2-b")
def test_after_an_upgrade_nothing_follows(brown: Game) -> None:
    brown.apply(lines.lay(brown, "DEE", "F9", "921"))
    assert brown.state.board.tiles["F9"][0] == "921"
    assert brown.state.round.actor == "bo"


@pytest.mark.rule("RHL-10.3.1.2-c")
def test_a_station_needs_a_route_a_space_and_a_hex_without_one(game: Game) -> None:
    turn(game, "ann")
    assert refused(game, lines.station(game, "ADR", "K6")).rule == "RHL-10.3.1.2-c", "no route"
    trips.aachen_line(game)
    turn(game, "ann")
    assert refused(game, lines.station(game, "ADR", "K2")).rule == "RHL-10.3.1.2-c", "the second on its hex"
    twin = game.copy()
    while (stop := next((n for n, s in enumerate(twin.state.board.stations["K6"]) if "" in s), None)) is not None:
        company = next(c for c in ("DEE", "GVE", "RhE", "CME") if not twin.board.has_station(c, "K6"))
        twin.board.place_station(company, "K6", stop)
    turn(twin, "ann")
    assert refused(twin, lines.station(twin, "ADR", "K6")).rule == "RHL-10.3.1.2-c", "full"
    assert game.state.cash["ADR"] == 0
    happened = game.apply(lines.station(game, "ADR", "K6"))
    assert ev.StationPlaced("ADR", "K6", 0, 0, "") in happened
    assert game.state.round.actor == "bo", "the station was the whole action"


@pytest.mark.rule("RHL-10.3.1.2-c")
def test_all_tokens_of_a_charter_may_be_built(game: Game) -> None:
    """Ruling 70: ADR has two besides its home, in the full game for 60 and 80 M."""
    trips.aachen_line(game)
    turn(game, "ann")
    assert game.company("ADR").tokens_left == [0, 0]
    game.apply(lines.station(game, "ADR", "K6"))
    assert game.company("ADR").tokens_left == [0]


@pytest.mark.rule("RHL-10.3.1.2-d")
def test_an_obsolete_train_is_replaced_by_the_next_on_display(game: Game) -> None:
    """A 2-train not before the first 4-train was taken."""
    depot = game.state.depot
    for name, count in (("2", depot.left["2"]), ("3", depot.left["3"])):
        depot.left[name] -= count
        depot.sold[name] += count
        depot.gone.extend([name] * count)
    turn(game, "ann")
    assert not arrange.asked(game, "replace_train")
    assert refused(game, ReplaceTrain("ann", "ADR")).rule == "RHL-10.3.1.2-d"
    directed(game, "GVE", "cy", trains="4")
    turn(game, "ann")
    assert values(game, "replace_train") == ["ADR", "BME"]
    happened = game.apply(ReplaceTrain("ann", "ADR"))
    assert TrainReplaced("ADR", "2", "4") in happened
    assert game.company("ADR").trains == ["4"], "never more than one"
    assert depot.gone.count("2") == 2, "the old one is out of the game"
    assert game.state.round.actor == "bo"


@pytest.mark.rule("RHL-10.3.1.2-d")
@pytest.mark.parametrize(("old", "first"), [("2", "4"), ("3", "6"), ("4", "8")])
def test_each_train_is_obsolete_from_its_own_successor_on(game: Game, old: str, first: str) -> None:
    """Ruling 61."""
    order = list(game.state.depot.left)
    before = order[order.index(first) - 1]
    arrange.train(game, "ADR", old)
    for taken, expected in ((before, False), (first, True)):
        if game.state.depot.left[taken]:
            arrange.train(game, "DEE", taken)
        turn(game, "ann")
        assert ("ADR" in values(game, "replace_train")) is expected, taken


@pytest.mark.rule("RHL-10.3.1.2-d")
@pytest.mark.parametrize("name", ["5", "6", "8"])
def test_a_permanent_train_is_never_replaced(game: Game, name: str) -> None:
    arrange.train(game, "ADR", name)
    if name != "8":
        arrange.train(game, "DEE", "8")
    turn(game, "ann")
    assert "ADR" not in values(game, "replace_train")
    refusal = refused(game, ReplaceTrain("ann", "ADR"))
    assert (refusal.rule, refusal.key) == ("RHL-10.3.1.2-d", "train.replace.permanent")


@pytest.mark.rule("RHL-10.3.1.2-d", "RHL-10.3.1.2-a")
def test_nobody_replaces_or_swaps_for_another_director(game: Game) -> None:
    arrange.train(game, "DEE", "4")
    turn(game, "ann")
    assert refused(game, ReplaceTrain("ann", "DEE")).rule == "RHL-10.3.1.2-a"
    assert refused(game, SwapTrains("ann", "ADR", "DEE")).rule == "RHL-10.3.1.2-a"


@pytest.mark.rule("RHL-10.3.1.2-d")
def test_without_a_train_on_display_nothing_is_replaced(game: Game) -> None:
    for name, count in game.state.depot.left.items():
        game.state.depot.left[name] -= count
        game.state.depot.sold[name] += count
    turn(game, "ann")
    assert not arrange.asked(game, "replace_train")
    assert refused(game, ReplaceTrain("ann", "ADR")).key == "train.replace.none"


@pytest.mark.rule("RHL-10.3.1.2-e", "RHL-10.3-b")
def test_obsolete_trains_stay(game: Game) -> None:
    for company, name in (("GVE", "4"), ("CME", "6"), ("RhE", "8")):
        arrange.train(game, "DEE", name)
        turn(game, "cy", "take")
        arrange.take(game, company)
    assert game.company("ADR").trains == ["2"]
    assert game.company("BME").trains == ["2"]


@pytest.mark.rule("RHL-10.3.1.2-e")
def test_a_2_train_runs_in_the_last_round(game: Game) -> None:
    trips.aachen_line(game)
    arrange.phase(game, "8")
    arrange.turn(game, "cy", number=23)
    game.settle()
    assert (game.state.round.kind, game.state.round.actor) == ("train", "ADR")
    happened = game.apply(trips.run(game, "ADR", ("2", trips.AACHEN_LINE)))
    assert any(isinstance(event, ev.TrainsRun) and event.revenue > 0 for event in happened)


@pytest.mark.rule("RHL-10.3.1.2-f")
def test_two_companies_of_one_director_swap_trains(game: Game) -> None:
    arrange.train(game, "ADR", "6")
    turn(game, "ann")
    happened = game.apply(SwapTrains("ann", "ADR", "BME"))
    assert TrainsSwapped("ADR", "2", "BME", "6") in happened
    assert (game.company("ADR").trains, game.company("BME").trains) == (["2"], ["6"])
    assert game.state.round.actor == "bo", "the swap was the whole action"
    arrange.train(game, "DEE", "4")
    turn(game, "ann")
    assert values(game, "replace_train") == ["ADR"], "ADR may replace the 2-train later"


@pytest.mark.rule("RHL-10.3.1.2-f")
def test_a_swap_needs_two_different_trains(game: Game) -> None:
    turn(game, "ann")
    assert not arrange.asked(game, "swap_trains")
    assert refused(game, SwapTrains("ann", "ADR", "BME")).rule == "RHL-10.3.1.2-f"
    game.company("ADR").trains.clear()
    turn(game, "ann")
    assert refused(game, SwapTrains("ann", "ADR", "BME")).rule == "RHL-10.3.1.2-f"
