"""From a clause to the code that carries it."""

from __future__ import annotations

import random
from pathlib import Path

from titles.ledger import clauses
from workshop import where
from workshop.marks import marked_tests
from workshop.mutants.running import Notes

CODE = '''\
"""Rules of a small title."""


class Track:
    def lay(self) -> None:
        """BL-1.1-a: a tile is laid."""
        raise refuse("track.taken")

    def turn(self) -> None:
        # BL-1.1-ab is another clause, and so is BL-1.1-a.2
        return None
'''
DATA = '[title]\nid = "tiny"\n\n[clauses]\n"track.taken" = "BL-1.1-b"\n\n[other]\nname = "BL-1.1-a"\n'


def tree(root: Path) -> Path:
    (root / "engine").mkdir()
    (root / "titles" / "tiny").mkdir(parents=True)
    (root / "engine" / "track.py").write_text(CODE, "utf-8")
    (root / "titles" / "tiny" / "game.toml").write_text(DATA, "utf-8")
    return root


def test_a_clause_is_found_where_it_is_named_and_nowhere_else(tmp_path: Path) -> None:
    found = where.carriers("BL-1.1-a", tree(tmp_path))
    assert [str(place) for place in found.named] == [
        "engine/track.py:6  Track.lay",
        "titles/tiny/game.toml:8",
    ]
    assert not found.refusing


def test_a_clause_that_only_a_refusal_cites_leads_to_the_line_that_refuses(tmp_path: Path) -> None:
    found = where.carriers("BL-1.1-b", tree(tmp_path))
    assert not found.named
    assert {key: [str(place) for place in places] for key, places in found.refusing.items()} == {
        "track.taken": ["engine/track.py:7  Track.lay"]
    }
    assert not where.carriers("BL-1.1-c", tmp_path)


def test_lines_that_only_the_tests_of_a_clause_run_are_told_by_function(tmp_path: Path) -> None:
    tree(tmp_path)
    noted = Notes({}, {"engine/track.py": {"5": ["a", "b"], "6": ["a"], "7": ["a"], "11": ["b"]}})
    assert where.alone(noted, ["a"], tmp_path) == ["engine/track.py:6-7  Track.lay"]
    shared = Notes({}, {"engine/track.py": {"5": ["a", "b"], "7": ["a", "b"], "11": ["a", "b", "c"]}})
    assert where.alone(shared, ["a"], tmp_path) == [
        "engine/track.py  Track.lay (beside 1 other tests)",
        "engine/track.py  Track.turn (beside 2 other tests)",
    ]


def test_ten_clauses_of_the_ledger_lead_to_code_or_to_a_test() -> None:
    """Whatever names a clause is in the tree; where nothing does, tests that are marked with it say what to look at."""
    marked = marked_tests("tests/engine", "tests/titles")
    assert marked is not None
    for clause in random.Random(2027).sample(sorted(clauses()), 10):
        found = where.carriers(clause)
        assert found or marked.get(clause), clause
        assert all((where.ROOT / place.file).is_file() for place in found.named)


def test_the_duty_to_own_a_train_leads_to_the_step_that_refuses() -> None:
    places = where.carriers("BL-8.8.3-a").refusing["train.duty"]
    assert any(place.inside.startswith("TrainStep.") for place in places)
