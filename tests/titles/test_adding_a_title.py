"""The title of docs/adding-a-title.md is built from that page and plays to its end."""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.game import Game
from engine.house.players import HOUSES
from engine.house.simulation import play
from engine.rules import Setup
from titles.registry import Title

PAGE = Path(__file__).resolve().parents[2] / "docs" / "adding-a-title.md"
FILE = re.compile(r"^```\w+ file=(\S+)\n(.*?)^```$", re.S | re.M)


@pytest.fixture
def title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Title]:
    found = FILE.findall(PAGE.read_text("utf-8"))
    assert [name for name, _ in found] == ["tiny/game.toml", "tiny/tables.py", "tiny/main.py", "tiny/__init__.py"]
    for name, text in found:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    package = importlib.import_module("tiny")
    yield package.TITLE
    for name in [name for name in sys.modules if name.partition(".")[0] == "tiny"]:
        del sys.modules[name]


@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_title_of_the_page_plays_to_its_end(title: Title, house: str, players: int) -> None:
    rules = title.form().make(Setup("base", {}, players))
    for seed in range(3):
        game = Game(rules, ("ann", "bo", "cy", "di")[:players], seed)
        result = play(game, HOUSES[house](), seed)
        assert not result.faults
        assert result.finished == "sets"
        assert game.state.round.stock_number == 5
