"""A player who has left the game is still on the sheet with what counts for the score."""

from __future__ import annotations

import pytest

from renderers.kit.theme import LIGHT
from renderers.kit.words import Words
from renderers.pages.sheet import draw_sheet, players_table, shares_table
from tests.titles.bl import arrange as a


@pytest.mark.rule("BL-8.8.5-d")
def test_who_has_left_the_game_is_still_on_the_sheet() -> None:
    game = a.after_package()
    a.floated(game, "RhE", "bo")
    a.own(game, "RhE", "ann", 20)
    game.state.seats.remove("ann")
    game.state.retired.append("ann")
    a.begin_stock(game, "bo")
    words = Words("en")
    assert len(players_table(game, words, LIGHT, 900).rows) == 3
    assert len(shares_table(game, words, LIGHT, 900).columns) == 1 + 3 + 3
    assert f"ann {game.state.cash['ann']} ({game.rules.score(game)['ann']})" in draw_sheet(game).alt["en"]
