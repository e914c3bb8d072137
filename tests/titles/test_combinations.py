"""Every choice of options that a form knows can be begun and played; what does not go together is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations, islice
from typing import Any

import pytest

import titles
from engine.errors import Refused
from engine.house.invariants import faults
from engine.house.players import HOUSES
from engine.house.simulation import play
from workshop.soak import NAMES, different, mixed_jobs

#: Enough to come through most of the first round, in which what an option changes at the beginning shows.
MOVES = 15
#: So many games of a form are played to their end.
SAMPLE = 8

FORMS = [(box, form) for box in titles.known() for form in box.forms]
EVERY_FORM = pytest.mark.parametrize(("box", "form"), FORMS, ids=[f"{box.id}-{form.id}" for box, form in FORMS])


def counts(form: titles.Form) -> list[int]:
    return list(range(form.players[0], form.players[1] + 1))


def in_turn(box: titles.Title, form: titles.Form, games: int) -> Iterator[tuple[int, str, int, dict[str, Any]]]:
    """Players, house, seed and options of so many of the form's different games, as the soak mixes them."""
    for _, players, house, seed, options, _ in mixed_jobs(box.id, form, {}, games, 0, (sorted(HOUSES), counts(form))):
        yield players, house, seed, options


@EVERY_FORM
def test_every_game_begins_for_every_number_of_players(box: titles.Title, form: titles.Form) -> None:
    for players in counts(form):
        for number, options in enumerate(form.games(players)):
            game = titles.new_game(box.id, NAMES[:players], options, number, form.id)
            assert game.offer().deciders, (options, players)
            assert faults(game) == [], (options, players)


@pytest.mark.slow
@EVERY_FORM
def test_every_game_goes_on(box: titles.Title, form: titles.Form) -> None:
    known = len(different(form, {}, counts(form)))
    for players, house, seed, options in in_turn(box, form, known):
        game = titles.new_game(box.id, NAMES[:players], options, seed, form.id)
        result = play(game, HOUSES[house](), seed, most_moves=MOVES)
        assert result.faults in ([], [f"not finished after {MOVES} moves"]), (options, players, house, seed)


@pytest.mark.slow
@EVERY_FORM
def test_some_of_the_games_are_sound_to_their_end(box: titles.Title, form: titles.Form) -> None:
    """Such as have two values together that were not met before; `python -m workshop soak --mixed` plays all."""
    met: set[Any] = set()
    sample = []
    for chosen in in_turn(box, form, len(different(form, {}, counts(form)))):
        pairs = set(combinations(sorted(chosen[3].items()), 2))
        if not pairs <= met or not sample:
            sample.append(chosen)
            met |= pairs
    for players, house, seed, options in sample[:SAMPLE]:
        game = titles.new_game(box.id, NAMES[:players], options, seed, form.id)
        result = play(game, HOUSES[house](), seed)
        assert (result.faults, bool(result.finished)) == ([], True), (options, players, house, seed)


@EVERY_FORM
def test_every_choice_of_options_is_one_of_the_games(box: titles.Title, form: titles.Form) -> None:
    """What others say as well, and what is left to the lot, is the same game as one that is named."""
    chance = random.Random(18)
    for number in range(40):
        options = {spec.id: chance.choice(spec.values) for spec in form.options}
        if any(apart.names(options) for apart in form.apart):
            continue
        players = chance.choice(counts(form))
        rules = titles.rules_for(box.id, players, options, number, form.id)
        plain = [spec.id for spec in form.options if len(spec.kinds(players)) == len(spec.values)]
        alike = [
            game
            for game in form.games(players)
            if all(game[name] == options[name] for name in plain)
            and titles.rules(box.id, players, game, form.id).definition == rules.definition
        ]
        assert len(alike) == 1, (options, players)


@pytest.mark.parametrize(
    ("title", "form", "players", "count"),
    [
        # Six lots, and five variants; by the earlier edition three variants and its own lots.
        ("rhl", "base", 3, 2**6 * 2**5 + 2**3),
        # Four scenarios, homes, three variants; with four all companies play.
        ("lra", "base", 3, 4 * 2 * 2**3),
        ("lra", "base", 4, 2 * 2**3),
        ("lra", "investor", 2, 4 * 2 * 2 * 2**3),
        ("lra", "short", 5, 2),
        ("rhl", "short", 3, 1),
    ],
)
def test_how_many_different_games_a_form_has(title: str, form: str, players: int, count: int) -> None:
    games = [tuple(game.items()) for game in titles.find(title).form(form).games(players)]
    assert len(games) == len(set(games)) == count


def test_mixed_games_come_round_with_every_number_of_players_and_every_house() -> None:
    form = titles.find("rhl").form("base")
    fixed: dict[str, Any] = {"edition": "2024", "target_cards": True, "destiny_cards": True, "lower_capital": False}
    fixed |= {f"no_{number}": "package" for number in range(1, 7)}
    known = different(form, fixed, [3, 4, 5])
    assert len(known) == 2**2
    seats = (["greedy", "random"], [3, 4, 5])
    jobs = mixed_jobs("rhl", form, fixed, len(known), 0, seats)
    assert len({tuple(job[4].items()) for job in jobs}) == len(known)
    jobs = mixed_jobs("rhl", form, fixed, 6 * len(known), 0, seats)
    assert len({(job[1], job[2], *job[4].items()) for job in jobs}) == 6 * len(known)


@EVERY_FORM
def test_what_does_not_go_together_is_refused_and_all_else_is_known(box: titles.Title, form: titles.Form) -> None:
    known = [tuple(sorted(options.items())) for options in islice(form.combinations(), 5000)]
    assert len(set(known)) == len(known) > 0
    for apart in form.apart:
        together: dict[str, Any] = dict(apart.values)
        with pytest.raises(Refused) as caught:
            titles.rules(box.id, form.players[0], together, form.id)
        assert caught.value.key == ("option.apart.why" if apart.why else "option.apart")
        assert caught.value.title == box.id
        # Each of them alone is no harm.
        for option, value in together.items():
            titles.rules(box.id, form.players[0], {option: value}, form.id)
        for options in known:
            assert not set(together.items()) <= set(options)
