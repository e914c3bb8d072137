"""The button for the best deliveries says what they bring before anything counts."""

from __future__ import annotations

import pytest

from bot.picking.entries import spread
from bot.texts import speaker
from engine.remembered import Earned
from tests.titles.do.hsb_arrange import after_package, brewing_turn, demand, equip, phase
from titles.do.brewery.brewing import DeliverBest


@pytest.mark.parametrize("panel", [True, False])
@pytest.mark.parametrize(
    ("language", "equipment", "wanted", "text"),
    [
        ("en", ("3", "2"), {"r3": 2, "n3": 2, "r1": 1}, "Deliver for the most: 2×30 + 20 + 15 = 95 M"),
        ("de", ("3", "2"), {"r3": 2, "n3": 2, "r1": 1}, "Bestmöglich liefern: 2×30 + 20 + 15 = 95 M"),
        ("en", ("2",), {"r2": 1, "n3": 4}, "Deliver for the most: 20 M"),
        ("en", ("2",), {"r2": 3}, "Deliver for the most: 40 M"),
    ],
)
@pytest.mark.parametrize("form", ["hsb", "draft-hsb"])
def test_the_button_tells_what_the_deliveries_bring(
    form: str, language: str, equipment: tuple[str, ...], wanted: dict[str, int], text: str, panel: bool
) -> None:
    game = after_package(form=form)
    phase(game, "3")
    equip(game, "B4", *equipment)
    demand(game, closed=(), **wanted)
    brewing_turn(game, "B4")
    found = spread(speaker(language), game, "ann", panel=panel)
    assert text in [entry.text for entry in found.entries]
    game.apply(DeliverBest("ann", "B4"))
    assert str(Earned.of(game).revenue) == text.split()[-2]
