"""The chronicle of a game: worth at every round, dividends of every company."""

from __future__ import annotations

import titles
from engine import events as ev
from renderers import Chronicle
from renderers.pages.finances import worth_lines
from workshop.gallery import games


def test_a_chronicle_kept_move_by_move_is_the_one_of_the_replayed_game() -> None:
    whole = games.at(120)
    game = titles.new_game("rhl", games.PLAYERS, {}, games.SEED)
    course = Chronicle(tuple(game.state.seats))
    course.note(game, game.opening)
    paid = 0
    for move in whole.moves:
        events = game.apply(move)
        course.note(game, events)
        paid += sum(event.amount for event in events if isinstance(event, ev.DividendPaid))
    assert course == Chronicle.of(whole)
    assert sum(sum(amounts) for amounts in course.dividends.values()) == paid > 0


def test_each_line_ends_with_what_the_player_is_worth_now() -> None:
    game = games.at(120)
    lines = worth_lines(game, Chronicle.of(game))
    assert {player: values[-1] for player, values in lines.items()} == game.rules.score(game)
    assert len({len(values) for values in lines.values()}) == 1
