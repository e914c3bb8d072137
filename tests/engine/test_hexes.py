"""The hexes around a hex, in both layouts."""

from __future__ import annotations

import pytest

from engine.board.hexes import FLAT, OPPOSITE, POINTY, Layout


@pytest.mark.parametrize(
    ("layout", "around"),
    [
        (POINTY, {"NE": "H11", "E": "I12", "SE": "J11", "SW": "J9", "W": "I8", "NW": "H9"}),
        (FLAT, {"N": "G10", "NE": "H11", "SE": "J11", "S": "K10", "SW": "J9", "NW": "H9"}),
    ],
    ids=["pointy", "flat"],
)
def test_every_edge_leads_to_its_neighbour_and_back(layout: Layout, around: dict[str, str]) -> None:
    assert {layout.edges[edge]: layout.neighbour("I10", edge) for edge in range(6)} == around
    for edge in range(6):
        other = layout.neighbour("I10", edge)
        assert other is not None
        assert layout.neighbour(other, OPPOSITE[edge]) == "I10"
