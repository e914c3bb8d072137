"""Forty positions with a known right answer: *normal* finds most of them, and more than *easy* does."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from engine.house.exact import Builder
from engine.house.levels import house
from engine.house.tidy import every
from engine.steps.track import LayTileChoice
from tests.house.positions import Position, positions

#: So many of forty at least.
LEAST = 32


@pytest.fixture(scope="module")
def all_positions() -> Sequence[Position]:
    return positions()


def wrong(level: str, found: Sequence[Position]) -> list[str]:
    """The positions in which a level does something else."""
    mind = house(level)
    return [each.name for each in found if not each.right(mind.choose(each.game, each.player, random.Random(1)))]


@pytest.mark.slow
def test_normal_knows_what_is_right(all_positions: Sequence[Position], capsys: pytest.CaptureFixture[str]) -> None:
    assert len(all_positions) >= 40
    missed, easy = wrong("normal", all_positions), wrong("easy", all_positions)
    count = len(all_positions)
    with capsys.disabled():
        print(f"\nright answers of {count}: normal {count - len(missed)}, easy {count - len(easy)}")
    assert count - len(missed) >= LEAST * count / 40, missed
    assert len(missed) < len(easy), "looking ahead is worth it"


@pytest.mark.slow
def test_a_right_answer_is_on_offer_and_a_wrong_one_too(all_positions: Sequence[Position]) -> None:
    """Where every answer is right, or none can be, nothing would be tested."""
    for each in all_positions:
        offer = each.game.offer().of(each.player)
        lays = [choice for choice in offer if isinstance(choice, LayTileChoice)]
        tried = [built.move for built in Builder(each.game.copy(), each.player, 40).lays(lays)] if lays else []
        tried += [move for choice in offer for move in every(choice, 60)]
        answers = {each.right(move) for move in tried}
        assert True in answers, each.name
        assert False in answers or "runs" in each.name, each.name
