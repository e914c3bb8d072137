"""The data sheets of all titles, as far as drawing needs them: layouts, tiles and printed hexes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from engine.board.faces import Tile
from engine.board.hexes import LAYOUTS, Layout
from engine.definition import Hex
from engine.reading import Reader
from engine.rows import HexRow, TileRow

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data"
MISSING = f"the data sheets are not beside the project ({FOLDER.name}/ is absent)"


@dataclass(frozen=True)
class Sheet:
    """One title's components."""

    id: str
    title: str
    layout: Layout
    tiles: Mapping[str, Tile]
    hexes: Mapping[str, Hex]
    companies: tuple[tuple[str, str], ...]
    tables: Mapping[str, Any]


def available() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


@cache
def load(name: str) -> Sheet:
    tables = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    drawn = {
        "hex": [_known(HexRow, table) for table in tables["hex"]],
        "tile": {number: _known(TileRow, table) for number, table in tables["tile"].items()},
    }
    reader = Reader({f"{name}.toml": drawn})
    layout = LAYOUTS[tables["title"]["layout"]]
    hexes = {spot.at: spot for _, row in reader.files.rows(HexRow, "hex") for spot in reader.hexes(row, layout)}
    companies = tuple(
        (table["id"], table.get("color", "grey"))
        for key in ("corporation", "railway", "montan")
        for table in _rows(tables, key)
    )
    return Sheet(name, tables["title"]["name"], layout, reader.tiles(), hexes, companies, tables)


def _known(row: type, table: Mapping[str, Any]) -> dict[str, Any]:
    """What drawing looks at: a sheet may say more about a hex or a tile than the engine reads yet."""
    return {key: value for key, value in table.items() if key in {field.name for field in fields(row)}}


def _rows(tables: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = tables.get(key, [])
    return [row for row in found if isinstance(row, dict) and "id" in row] if isinstance(found, list) else []
