"""What the short game uses of the box, and how its rounds follow each other."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

import titles
from engine import events as ev
from engine.errors import BadData, Refused
from engine.finance import shares
from engine.game import Game
from engine.house.players import HOUSES
from engine.house.simulation import play
from engine.state import BANK, OFFERING, REMOVED
from tests.titles.rhl import trips
from tests.titles.short import arrange
from tests.titles.short.arrange import SEATS, new
from titles import loading
from titles.rhineland.course import LocationCard, OrderCards
from titles.rhineland.short_tables import read

REDUCED = {3: ["MKB"], 4: ["MKB", "GVE"], 5: ["MKB", "GVE", "CCE", "DEE", "ADR"]}


@pytest.mark.rule("RHL-10.1-a")
@pytest.mark.parametrize(("players", "count"), [(3, 69), (4, 68), (5, 65)])
def test_one_certificate_of_10_percent_of_some_companies_is_not_used(players: int, count: int) -> None:
    game = new(players)
    on_display = {code: shares.held(game, code, OFFERING) for code in game.state.companies}
    assert on_display == {code: 90 if code in REDUCED[players] else 100 for code in on_display}
    assert sum(company.certificates.count(OFFERING) for company in game.state.companies.values()) == count
    for code in REDUCED[players]:
        number = game.company(code).certificates.index(REMOVED)
        assert shares.percent_of(game, code, number) == 10


@pytest.mark.rule("RHL-10.1-b", "RHL-10.3-a")
@pytest.mark.parametrize(
    ("players", "after"),
    [(3, [3, 6, 9, 12, 15, 18, 21, 23]), (4, [2, 4, 6, 8, 10, 12, 14, 16, 17]), (5, [2, 4, 6, 8, 10, 12, 13])],
)
def test_player_rounds_and_train_rounds_follow_each_other(players: int, after: list[int]) -> None:
    game = titles.new_game("rhl", SEATS[:players], {}, 7, "short")
    begun = [event for event in game.opening if isinstance(event, ev.RoundBegan)]
    first: list[str] = [game.offer().deciders[0]]
    turns: Counter[str] = Counter()
    mind = HOUSES["random"]()
    chance = random.Random(7)
    while not game.finished:
        move = mind.choose(game, game.offer().deciders[0], chance)
        turns[move.player] += move.TYPE == "take_certificate"
        events = [event for event in game.apply(move) if isinstance(event, ev.RoundBegan)]
        begun += events
        if events and events[-1].kind == "player":
            first.append(game.offer().deciders[0])
    rounds = [event.stock_number for event in begun if event.kind == "player"]
    assert rounds == list(range(1, after[-1] + 1))
    assert [event.stock_number for event in begun if event.kind == "train"] == after
    assert [event.operating_number for event in begun if event.kind == "train"] == list(range(1, len(after) + 1))
    kinds = [event.kind for event in begun]
    assert ("train", "train") not in pairwise(kinds)
    assert set(first) == {game.state.seats[0]}, "the starting player begins every player round"
    assert turns == dict.fromkeys(SEATS[:players], after[-1])


@pytest.mark.rule("RHL-10.1-b")
@pytest.mark.parametrize("players", [2, 6])
def test_it_is_for_three_to_five(players: int) -> None:
    with pytest.raises(Refused) as caught:
        titles.new_game("rhl", ["a", "b", "c", "d", "e", "f"][:players], {}, 1, "short")
    assert caught.value.rule == "RHL-10.1-b"


@pytest.mark.rule("RHL-10.1-c")
def test_fifteen_trains_are_given_out_in_their_order() -> None:
    game = new()
    assert game.state.depot.left == {
        "2": 4, "3": 3, "4": 2, "5": 1, "6": 1, "8": 4,
    }  # fmt: skip
    for company in ("ADR", "BME", "CCE", "CME", "DEE", "GVE", "MKB", "RhE"):
        arrange.turn(game, "ann", "take")
        arrange.take(game, company)
    given = [game.company(code).trains for code in game.state.companies]
    assert given == [["2"], ["2"], ["2"], ["2"], ["3"], ["3"], ["3"], ["4"]]


@pytest.mark.rule("RHL-10.1-d")
def test_there_are_no_private_companies_and_no_prices() -> None:
    game = new()
    assert (game.state.privates, game.definition.privates) == ({}, {})
    assert "935" not in game.definition.tiles
    assert "935" not in game.state.board.supply
    arrange.turn(game, "ann", "take")
    arrange.take(game, "BME")
    assert (game.company("BME").price, game.state.stacks) == (None, {})
    # E14, which a private company blocks in the full game, is open to everybody.
    assert "E14" in {at for choice in game.offer().choices if choice.name == "lay_tile" for at in choice.hexes()}  # type: ignore[attr-defined]


@pytest.mark.rule("RHL-10.2-a")
def test_nobody_has_money_and_homes_lie_on_the_map_without_blocking() -> None:
    game = titles.new_game("rhl", SEATS[:3], {}, 5, "short")
    assert set(game.state.cash.values()) == {0}
    for code, corporation in game.definition.corporations.items():
        placed = [(home.at, home.stop) for home in corporation.homes]
        for at, stop in placed:
            assert code in game.state.board.stations[at][stop]
        assert not game.company(code).active
    assert [home.at for home in game.definition.corporations["CCE"].homes] == ["I10", "E6"]
    assert sorted(kind for kinds in game.state.board.markers.values() for kind in kinds) == ["coal", "steel"]


@pytest.mark.rule("RHL-10.2-a")
def test_seats_go_by_order_cards_and_the_lowest_begins() -> None:
    for seed in range(200):
        game = titles.new_game("rhl", SEATS[:3], {}, seed, "short")
        deal = OrderCards.of(game).order_cards
        if deal == {"ann": 7, "bo": 2, "cy": 5}:
            assert game.state.seats == ["bo", "cy", "ann"]
            break
        assert game.state.seats == sorted(SEATS[:3], key=deal.__getitem__)
    card = next(c for c in game.definition.tables.order_card if c.number == LocationCard.of(game).location_card)
    assert game.state.board.markers == ({card.coal: ["coal", "steel"]} if card.coal == card.steel else {
        card.coal: ["coal"], card.steel: ["steel"],
    })  # fmt: skip


@pytest.mark.rule("RHL-10.2-a", "RHL-10.3.1.1-c")
def test_a_home_blocks_from_the_directors_certificate_on() -> None:
    """Ruling 70: both homes of CCE become active with its director's certificate."""
    game = new()
    arrange.lay(game, "E6", "57", arrange.turns(game, "57", "W-E")[0])
    assert game.board.open_for("ADR", "E6", 0)
    arrange.turn(game, "ann", "take")
    arrange.take(game, "CCE")
    assert not game.board.open_for("ADR", "E6", 0)
    assert game.board.open_for("CCE", "E6", 0)
    assert sorted(at for at, _ in game.board.stations_of("CCE")) == ["E6", "I10"]


@pytest.mark.rule("RHL-10.4-a", "RHL-10.3.2-a")
def test_after_the_last_certificate_the_trains_run_once_more_and_only_money_counts() -> None:
    game = new()
    arrange.directed(game, "MKB", "bo", 80)
    arrange.directed(game, "ADR", "cy", 100)
    for company in game.state.companies:
        for number in shares.numbers(game, company, OFFERING):
            if company != "MKB":
                game.company(company).certificates[number] = "pool"
    trips.aachen_line(game)
    arrange.turn(game, "cy", "take", number=23)
    arrange.take(game, "MKB")
    assert not game.finished
    assert game.state.round.step == "action", "the turn is finished first"
    game.apply(game.offer().find("pass").move({}))  # type: ignore[union-attr]
    assert (game.state.round.kind, game.state.round.actor) == ("train", "ADR")
    run = game.offer().find("run")
    assert run is not None
    before = dict(game.state.cash)
    events = game.apply(run.move({"routes": run.ask({}).options[0].value}))  # type: ignore[union-attr]
    assert game.state.cash["cy"] == before["cy"] + 50
    assert game.state.finished == "certificates"
    assert game.rules.score(game) == {"ann": 0, "bo": 0, "cy": 50}, "bo's shares are worth nothing"
    assert ev.GameEnded("certificates", (("cy", 50), ("ann", 0), ("bo", 0))) in events


@pytest.mark.rule("RHL-10.4-a")
def test_the_bank_cannot_break() -> None:
    """Ruling 70."""
    game = new()
    arrange.directed(game, "ADR", "ann", 100)
    game.state.cash.update({BANK: -50_000, "bo": 50_000})
    trips.aachen_line(game)
    arrange.running(game, "ADR")
    run = game.offer().find("run")
    assert run is not None
    events = game.apply(run.move({"routes": run.ask({}).options[0].value}))  # type: ignore[union-attr]
    assert not any(isinstance(event, ev.BankBroke) for event in events)
    assert game.state.bank_broken == ""


def faulty(**changes: object) -> None:
    """Read 18Rhl's table with some of its values changed."""
    sheets = loading.sheets("titles.rhl", "short.toml")
    table = next(iter(sheets.values()))
    table["short"] |= changes
    read(titles.rules("rhl", 3).definition, sheets)


def test_a_fault_in_the_table_is_named() -> None:
    faulty()
    for changes, sentence in (
        ({"between": {"3": 3}}, "a value for each number of players is expected"),
        ({"trains": {"2": 4}}, "trains.3: is missing"),
        ({"event": {"2": "nothing"}}, "event.3: is missing"),
        ({"player_rounds": {"3": 22, "4": 17, "5": 13}}, "player_rounds.3: a certificate for each turn is expected"),
        ({"removed": {"3": ["XYZ"], "4": [], "5": []}}, "XYZ"),
    ):
        with pytest.raises(BadData, match=sentence):
            faulty(**changes)


@pytest.mark.parametrize(("title", "own"), [("rhl", "fifth_certificate"), ("lra", "short_limit")])
def test_what_is_reconstructed_is_said_without_what_is_not_used(title: str, own: str) -> None:
    short = titles.rules(title, 3, form="short").definition.reconstructed
    full = titles.rules(title, 3).definition.reconstructed
    (added,) = set(short) - set(full)
    assert added.startswith(own)
    assert not any("market" in what for what in short)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("seed", [1, 2])
def test_it_plays_to_its_end(players: int, house: str, seed: int) -> None:
    game: Game = titles.new_game("rhl", SEATS[:players], {}, seed, "short")
    result = play(game, HOUSES[house](), seed)
    assert not result.faults
    assert result.finished == "certificates"
    assert result.scores == {player: game.state.cash[player] for player in game.state.seats}
