"""Tables: a text that does not fit is broken rather than made too small to be read."""

from __future__ import annotations

from renderers.kit.fonts import wrapped
from renderers.kit.tables import Column, Table

SIZE = 25


def test_a_long_text_takes_two_lines_and_its_row_is_higher() -> None:
    columns = [Column("Company"), Column("Markers")]
    table = Table(columns, [["SK", "(5A 4B) 3C 3D 2E"], ["TB", "(5A)"]], 240, SIZE)
    lines, size = table.broken(0, 1)
    assert " ".join(lines) == "(5A 4B) 3C 3D 2E"
    assert len(lines) == 2
    assert size >= 0.8 * SIZE
    assert table.heights[0] > table.heights[1] == table.line
    assert table.height > sum(table.heights)


def test_a_hard_space_is_not_broken() -> None:
    assert all("2\u00a0A" in line for line in wrapped("begins 2\u00a0A", 60, SIZE)[-1:])
