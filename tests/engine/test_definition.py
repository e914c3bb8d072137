"""What a definition derives from what is printed: who adjoins whom, and a bit for every piece of track."""

from __future__ import annotations

import itertools

import pytest

import titles
from engine.board.faces import MOST_LINKS, Face
from engine.board.hexes import FLAT, OPPOSITE, POINTY, Layout
from engine.definition import Hex, Map

MAPS = [titles.rules(title.id, title.form().players[0]).definition.map for title in titles.known()]
MAPS += [Map.of(layout, {at: Hex(at, Face("plain")) for at in ("A2", "A4", "B3")}) for layout in (POINTY, FLAT)]


@pytest.mark.parametrize("map_", MAPS, ids=lambda map_: f"{len(map_.hexes)} hexes")
def test_no_two_borders_or_links_share_a_bit(map_: Map) -> None:
    borders = {
        (min(at, other), max(at, other)): map_.sides[at][edge]
        for at in map_.hexes
        for edge in range(6)
        if (other := map_.layout.neighbour(at, edge)) in map_.hexes and other is not None
    }
    links = [map_.link_bit(at, link) for at in map_.hexes for link in range(MOST_LINKS)]
    bits = [*borders.values(), *links]
    assert all(bit > 0 and not bit & bit - 1 for bit in bits), "each is one bit"
    assert len(set(bits)) == len(bits)


@pytest.mark.parametrize("map_", MAPS, ids=lambda map_: f"{len(map_.hexes)} hexes")
def test_a_border_has_the_same_bit_from_both_sides_and_the_edge_of_the_map_has_none(map_: Map) -> None:
    for at, edge in itertools.product(map_.hexes, range(6)):
        other = map_.layout.neighbour(at, edge)
        if other in map_.hexes and other is not None:
            assert map_.sides[at][edge] == map_.sides[other][OPPOSITE[edge]]
        else:
            assert map_.sides[at][edge] == 0


@pytest.mark.parametrize("layout", [POINTY, FLAT])
@pytest.mark.parametrize("from_there", [False, True])
def test_a_border_that_is_impassable_from_one_side_parts_both(layout: Layout, from_there: bool) -> None:
    edge = 1
    other = layout.neighbour("F10", edge)
    third = layout.neighbour("F10", 2)
    assert other is not None
    assert third is not None
    walls = {other: frozenset({OPPOSITE[edge]})} if from_there else {"F10": frozenset({edge})}
    hexes = {at: Hex(at, Face("plain"), impassable=walls.get(at, frozenset())) for at in ("F10", other, third)}
    found = Map.of(layout, hexes)
    assert found.neighbours["F10"][edge] is None
    assert found.neighbours[other][OPPOSITE[edge]] is None
    assert found.neighbours["F10"][2] == third
    assert found.neighbours[third][OPPOSITE[2]] == "F10"
    assert found.neighbours["F10"][0] is None, "there is no hex"
