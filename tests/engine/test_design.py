"""What docs/design/engine.md says of the engine is there, and no module and no field of the rules is missing in it."""

from __future__ import annotations

import importlib
import re
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from engine.rules import Rules

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "design" / "engine.md").read_text("utf-8")
ROOMS = re.findall(r"^\| `(engine/\w*/?)` \| (.*) \|$", PAGE, re.M)


def test_every_name_in_the_page_is_a_name_in_the_program() -> None:
    sources = [path for folder in ("engine", "titles", "workshop", "tests") for path in (ROOT / folder).rglob("*.py")]
    sources += [ROOT / "pyproject.toml", ROOT / "Makefile"]
    known = set(re.findall(r"\w+", " ".join(path.read_text("utf-8") for path in sources if path != Path(__file__))))
    known |= {part for path in sources for part in path.with_suffix("").parts}
    named = {word for code in re.findall(r"`([^`\n]+)`", PAGE) for word in re.findall(r"[A-Za-z_]\w+", code)}
    assert len(named) > 100
    assert sorted(named - known - {"md", "toml", "id", "docs"}) == []


PLACES = sorted(
    {
        place
        for code in re.findall(r"`([^`\n]+)`", PAGE)
        for place in re.findall(r"(?:engine|titles|renderers|tests|docs)/[\w/*.-]*\w", code)
    }
)


@pytest.mark.parametrize("place", PLACES)
def test_every_place_that_the_page_names_is_there(place: str) -> None:
    """A file or a folder, or something in a module: `engine/rounds/package.Auction`."""
    if list(ROOT.glob(place)) or list(ROOT.glob(f"{place}.py")):
        return
    module, _, name = place.rpartition(".")
    assert (ROOT / f"{module}.py").is_file()
    assert hasattr(importlib.import_module(module.replace("/", ".")), name)


@pytest.mark.parametrize(("room", "holds"), ROOMS, ids=[room for room, _ in ROOMS])
def test_every_module_of_a_room_stands_in_the_table_of_rooms(room: str, holds: str) -> None:
    modules = {path.stem for path in (ROOT / room).glob("*.py")} - {"__init__"}
    assert set(re.findall(r"`(\w+)`", holds)) == modules


def test_every_room_stands_in_the_table() -> None:
    rooms = {f"engine/{path.parent.name}/" for path in (ROOT / "engine").glob("*/__init__.py")}
    assert {room for room, _ in ROOMS} == {"engine/", *rooms}


def test_every_field_of_the_rules_stands_in_the_page_with_those_that_a_title_must_give_first() -> None:
    found = re.search(r"^`Rules` .*?must give: (.*?)\. All others .*?: (.*?)\.$", PAGE, re.M | re.S)
    assert found is not None
    given, others = (set(re.findall(r"`(\w+)`", words)) for words in found.groups())
    plain = {part.name for part in fields(Rules) if (part.default, part.default_factory) != (MISSING, MISSING)}
    assert others == plain
    assert given == {part.name for part in fields(Rules)} - plain
