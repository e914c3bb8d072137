"""The frame tells what a referee sees otherwise; a referee knows nothing of the engine; a few games are followed."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

import titles
from workshop import ROOT
from workshop.referees import REFEREES, appointed
from workshop.referees.following import Played, follow
from workshop.referees.whistle import Plain, Position

HERE = ROOT / "workshop" / "referees"
#: What plays the games; all else in this folder belongs to referees.
FRAME = {"__main__.py", "following.py"}
OURS = {"engine", "titles", "bot", "renderers", "storage", "table", "catalogue", "tests"}


class Sleeper:
    """Knows the beginning of a game and does not notice anything afterwards."""

    def __init__(self, beginning: Plain) -> None:
        self._position: Position = dict(beginning["position"])

    @property
    def leaves(self) -> Mapping[str, str]:
        return {"offered": "it looks at nothing but the table"}

    def position(self) -> Position:
        return self._position

    def deciders(self) -> Collection[str]:
        return [str(self._position["seats"][0])]

    def verdict(self, move: Plain) -> str:
        return ""

    def follow(self, move: Plain, events: Sequence[Plain]) -> None:
        pass

    def clause(self, name: str) -> str:
        return f"clause of {name}"


GAME = Played("rhl", "base", 3, "random", 1, {})


def test_a_referee_that_sleeps_disagrees_after_the_first_move() -> None:
    report = follow(GAME, Sleeper, misses=False)
    assert report.positions == 1
    assert {line.move for line in report.disagreements} == {1}
    assert "deciders" in {line.about for line in report.disagreements}
    line = str(report.disagreements[0])
    assert "rhl:base 3 players random seed 1" in line
    assert "expected, the engine has" in line
    assert "[clause of " in line


def test_a_referee_that_allows_everything_is_told_what_the_engine_refuses() -> None:
    report = follow(GAME, Sleeper)
    wrong = [line for line in report.disagreements if line.about.startswith("{")]
    assert wrong
    assert all(line.expected == "allowed" and line.has.startswith("refused") for line in wrong)
    assert report.refused


def _imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_a_referee_knows_nothing_of_engine_and_titles() -> None:
    for path in HERE.rglob("*.py"):
        if path.relative_to(HERE).as_posix() in FRAME:
            continue
        for name in _imports(path):
            head, _, rest = name.partition(".")
            assert head not in OURS, f"{path.name} imports {name}"
            assert head != "workshop" or rest.startswith("referees"), f"{path.name} imports {name}"
            assert name != "workshop.referees.following", f"{path.name} imports {name}"


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(REFEREES))
@pytest.mark.parametrize(("house", "most"), [("random", False), ("greedy", True)])
def test_a_referee_agrees_with_a_few_games(name: str, house: str, most: bool) -> None:
    title, form = titles.find_form(name)
    players = form.players[most]
    report = follow(Played(title.id, form.id, players, house, players, {}), appointed(name))
    assert not report.disagreements, "\n".join(map(str, report.disagreements))
    assert report.end
