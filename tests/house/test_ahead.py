"""The player that looks ahead: the same game everywhere, nothing that it cannot know, nothing without end."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import titles
from engine.game import Game
from engine.house.ahead import LEVELS, Level, LookAhead
from engine.house.candidates import PROPOSALS, proposed
from engine.house.levels import house
from engine.house.players import TitleGreedy
from engine.moves import Answer, BuyTrain, Pass, to_json
from titles.rhl.destiny import DestinyHand

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
FORMS = [(title.id, form.id, form.players[0]) for title in titles.known() for form in title.forms]
#: As little as makes a decision.
SMALL = Level(positions=60, width=3, lays=3, rounds=2)

PROGRAM = """
import sys, json, random, titles
from engine.house.ahead import LookAhead, Level
from engine.house.players import TitleGreedy
from engine.moves import to_json
game = titles.new_game(sys.argv[1], ("ann", "bo", "cy"), {}, 11, sys.argv[2])
minds = {"ann": LookAhead(Level(60, 3, 3, 2)), "bo": TitleGreedy(), "cy": TitleGreedy()}
chance = random.Random(3)
while not game.finished and len(game.moves) < 150:
    player = game.offer().deciders[0]
    game.apply(minds[player].choose(game, player, chance))
print(json.dumps([to_json(move) for move in game.moves]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(("title", "form"), [("rhl", "base"), ("do", "trg")])
def test_the_same_game_in_two_processes_with_different_hashes(title: str, form: str) -> None:
    found = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, title, form],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "77")
    ]
    assert found[0] == found[1]
    assert len(found[0]) > 1000


def asked(game: Game, player: str, level: Level = SMALL) -> object:
    return to_json(LookAhead(level).choose(game, player, random.Random(1)))


def hand(game: Game, player: str) -> list[str]:
    return DestinyHand.of(game, player).destiny


def with_destiny(seed: int) -> Game:
    return titles.new_game("rhl", NAMES[:4], {"destiny_cards": True}, seed)


@pytest.mark.slow
def test_what_others_hide_changes_no_decision() -> None:
    game = with_destiny(4)
    mind, chance, compared = TitleGreedy(), random.Random(2), 0
    while len(game.moves) < 220:
        player = game.offer().deciders[0]
        if len(game.moves) % 7 == 0:
            other = game.copy()
            hands = [seat for seat in game.state.seats if seat != player]
            swapped = [other.state.secrets[seat] for seat in [*hands[1:], hands[0]]]
            for seat, hand in zip(hands, swapped, strict=True):
                other.state.secrets[seat] = hand
            assert other.state.secrets != game.state.secrets
            assert asked(other, player) == asked(game, player), f"after move {len(game.moves)}"
            compared += 1
        game.apply(mind.choose(game, player, chance))
    assert compared > 20


def test_a_view_has_the_players_own_cards_and_other_hands() -> None:
    game = with_destiny(4)
    me, *others = game.state.seats
    seen = [game.seen_by(me, random.Random(number)) for number in range(6)]
    assert all(view.state.secrets[me] == game.state.secrets[me] for view in seen)
    hands = {str([hand(view, seat) for seat in others]) for view in seen}
    assert len(hands) == 6, "each view has hands of its own"
    for view in seen:
        assert not view.rules.faults(view), "no card is there twice"
        assert not set(hand(view, me)) & {card for seat in others for card in hand(view, seat)}


def test_what_somebody_gave_up_themselves_is_in_nobodys_hand() -> None:
    game = with_destiny(4)
    mind, chance = TitleGreedy(), random.Random(2)
    while not any(move.TYPE == "discard_destiny" for move in game.moves):
        player = game.offer().deciders[0]
        game.apply(mind.choose(game, player, chance))
    gone = game.moves[-1]
    card = getattr(gone, "card")  # noqa: B009
    for number in range(40):
        view = game.seen_by(gone.player, random.Random(number))
        assert all(card not in hand(view, seat) for seat in view.state.seats)
    other = next(seat for seat in game.state.seats if seat != gone.player)
    views = [game.seen_by(other, random.Random(number)) for number in range(40)]
    assert any(card in hand(view, seat) for view in views for seat in view.state.seats), "others cannot know"
    assert all(getattr(view.moves[-1], "card") == "" for view in views)  # noqa: B009


@pytest.mark.slow
@pytest.mark.parametrize(("title", "form", "players"), FORMS)
def test_it_finds_a_move_in_every_form_and_changes_nothing(title: str, form: str, players: int) -> None:
    game = titles.new_game(title, NAMES[:players], {}, 8, form)
    mind, greedy, chance = LookAhead(SMALL), TitleGreedy(), random.Random(8)
    while not game.finished and len(game.moves) < 500:
        player = game.offer().deciders[0]
        if len(game.moves) % 9 == 0:
            before = game.state.digest()
            move = mind.choose(game, player, chance)
            assert game.state.digest() == before
            game.apply(move)
        else:
            game.apply(greedy.choose(game, player, chance))


def test_proposals_of_a_turn_are_counted() -> None:
    game = titles.new_game("rhl", NAMES[:3], {}, 1)
    offer, no = BuyTrain("ann", "BME", "2", "CME", 50), Answer("bo", "decline")
    game.moves = [Pass("cy"), offer, no]
    assert proposed(game, "ann") == 1
    game.moves += [offer, no]
    assert proposed(game, "ann") == 2 == PROPOSALS
    game.moves += [Pass("ann")]
    assert proposed(game, "ann") == 2, "it is still the same turn"
    game.moves += [Pass("cy")]
    assert proposed(game, "ann") == 0
    assert proposed(game, "bo") == 0


def test_the_levels_are_numbers_only() -> None:
    assert {type(house(name)) for name in LEVELS} == {LookAhead}
    assert LEVELS["hard"].positions > LEVELS["normal"].positions
