"""The mutation run itself: what it changes, and that it tells killed from surviving mutants."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from workshop.mutants import __main__, running
from workshop.mutants.mutations import Mutation, mutated, of_file
from workshop.mutants.swapping import Server

RULES = '''
    """Says how much is allowed."""

    LIMIT = 3


    def allowed(count: int) -> bool:
        """Whether there is room."""
        assert count >= 0
        return count < LIMIT


    def twice(count: int) -> int:
        while count > 100:
            count -= 50
        return count * 2
'''

CHECKS = """
    from small.rules import allowed, twice


    def test_room():
        assert allowed(1)
        assert not allowed(5)


    def test_twice():
        assert twice(2) == 4
        assert twice(120) == 140
"""


@pytest.fixture
def plan(tmp_path: Path) -> running.Plan:
    """A tiny project: its checks do not look at the limit itself."""
    for file, text in (("small/rules.py", RULES), ("checks/test_small.py", CHECKS)):
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).write_text(textwrap.dedent(text), encoding="utf-8")
    return running.Plan(tmp_path, ("small",), ("checks",), tmp_path / "work")


def test_docstrings_assertions_and_annotations_are_left_alone(plan: running.Plan) -> None:
    found = of_file(plan.root, plan.root / "small/rules.py")
    assert [(m.line, m.what) for m in found] == [
        (4, "3 → 4"),
        (10, "return not count < LIMIT"),
        (10, "< → <="),
        (14, "> → >="),
        (14, "100 → 101"),
        (15, "- → +"),
        (15, "removed: count -= 50"),
        (15, "50 → 51"),
        (16, "return count * 2 + 1"),
        (16, "* → //"),
        (16, "2 → 3"),
    ]
    assert found[2].code == "return count < LIMIT"


@pytest.mark.parametrize(
    ("source", "what", "values"),
    [
        ("value = [x for x in range(5) if x < 2 or x > 3]", "or → and", []),
        ("value = 2 in (1, 2)", "in → not in", False),
        ("value = 'a' in ('a', 'b')", "'b' → 'b#'", True),
        ("value = not []", "not x → x", []),
        ("value = {'a': 1}\nvalue['a'] = 2", "removed: value['a'] = 2", {"a": 1}),
        ("value = 1\nif bool(value):\n    value = 5", "if x → if not x", 1),
        ("def f() -> list[int]:\n    return [1]\nvalue = f()", "return []", []),
    ],
)
def test_what_a_mutation_changes(tmp_path: Path, source: str, what: str, values: object) -> None:
    file = tmp_path / "source.py"
    file.write_text(source, encoding="utf-8")
    (mutation,) = [m for m in of_file(tmp_path, file) if m.what == what]
    space: dict[str, object] = {}
    exec(compile(mutated(source, mutation.number), "source.py", "exec"), space)
    assert space["value"] == values


def test_killed_and_surviving_mutants_of_a_tiny_project(plan: running.Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    every = running.mutations(plan, running.Excuses(plan.root / "none.toml"))
    wanted = [m for m in every if m.what in ("3 → 4", "return not count < LIMIT", "< → <=")]
    excused = plan.root / "excused.toml"
    excused.write_text(
        '[[excused]]\nfile = "small/rules.py"\ncode = "LIMIT = 3"\nmutation = "3 → 4"\nreason = "a matter of taste"\n',
        encoding="utf-8",
    )
    excuses = running.Excuses(excused)
    excuses.check(every)
    verdicts = list(running.verdicts(plan, wanted, excuses, 1))
    assert [(v.mutation.what, v.outcome) for v in verdicts] == [
        ("3 → 4", running.EXCUSED),
        ("return not count < LIMIT", running.KILLED),
        ("< → <=", running.SURVIVED),
    ]
    assert verdicts[1].by == "checks/test_small.py::test_room"
    # a line that runs at the import is judged by all tests of its file
    verdict = running.judge(plan, running.notes(plan), wanted[0])
    assert (verdict.outcome, verdict.asked) == (running.SURVIVED, 2)
    # one that never ends is stopped
    monkeypatch.setattr(running, "LEAST", 3.0)
    (endless,) = [m for m in every if m.what == "removed: count -= 50"]
    verdict = running.judge(plan, running.notes(plan), endless)
    assert (verdict.outcome, verdict.by[:14]) == (running.KILLED, "the time limit")
    assert (plan.root / "small/rules.py").read_text(encoding="utf-8") == textwrap.dedent(RULES)


def test_a_fork_sees_killed_what_a_fresh_process_does_and_leaves_the_rest_to_it(
    plan: running.Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "LEAST", 1.0)
    every = running.mutations(plan, running.Excuses(plan.root / "none.toml"))
    noted = running.notes(plan)
    server = Server(plan.root, ["checks/test_small.py"])
    quick = {m.what: running.quickly(server, plan, noted, m) for m in every if not m.what.startswith("removed")}
    server.close()
    assert quick.pop("3 → 4") is None, "it runs at the import"
    assert {what: verdict.by if verdict else "" for what, verdict in quick.items()} == {
        "return not count < LIMIT": "checks/test_small.py::test_room",
        "< → <=": "",
        "> → >=": "",
        "100 → 101": "",
        "- → +": "the time limit of 1 s",
        "50 → 51": "checks/test_small.py::test_twice",
        "return count * 2 + 1": "checks/test_small.py::test_twice",
        "* → //": "checks/test_small.py::test_twice",
        "2 → 3": "checks/test_small.py::test_twice",
    }


def test_an_excuse_for_what_is_gone_is_refused(plan: running.Plan) -> None:
    excused = plan.root / "excused.toml"
    excused.write_text(
        '[[excused]]\nfile = "small/rules.py"\ncode = "LIMIT = 2"\nmutation = "2 → 3"\nreason = "gone"\n',
        encoding="utf-8",
    )
    excuses = running.Excuses(excused)
    with pytest.raises(running.Broken, match="LIMIT = 2"):
        excuses.check(running.mutations(plan, excuses))


def test_tests_that_fail_without_a_mutant_stop_the_run(plan: running.Plan) -> None:
    (plan.root / "checks/test_small.py").write_text("def test_wrong():\n    assert False\n", encoding="utf-8")
    with pytest.raises(running.Broken, match="test_wrong"):
        running.notes(plan)


def test_a_sample_stays_the_same_when_other_code_changes(plan: running.Plan) -> None:
    before = running.mutations(plan, running.Excuses(plan.work / "none"))
    chosen = running.sample(before, 3, seed=1)
    assert len(chosen) == 3
    assert running.sample(before, 3, seed=2) != chosen
    (plan.root / "small/more.py").write_text("FIRST = 1\n", encoding="utf-8")
    rules = plan.root / "small/rules.py"
    rules.write_text(rules.read_text(encoding="utf-8").replace("LIMIT = 3", "\n\nLIMIT = 3"), encoding="utf-8")
    after = running.mutations(plan, running.Excuses(plan.work / "none"))
    assert len(after) == len(before) + 1
    kept = {(mutation.code, mutation.what) for mutation in running.sample(after, 4, seed=1)}
    assert kept >= {(mutation.code, mutation.what) for mutation in chosen}, (
        "a new one may come in, none of these is lost"
    )


def test_the_floor_counts_survivors_and_what_no_test_runs_but_no_excuses() -> None:
    told = {running.KILLED: 6, running.SURVIVED: 1, running.UNTESTED: 1, running.EXCUSED: 20}
    assert running.unnoticed(told) == 0.25
    assert running.unnoticed({running.EXCUSED: 3}) == 0.0


@pytest.mark.parametrize(("most", "code"), [("0.0", 1), ("0.5", 0), ("1.0", 0)])
def test_too_many_survivors_are_a_failure(
    plan: running.Plan, monkeypatch: pytest.MonkeyPatch, most: str, code: int
) -> None:
    def judged(plan: running.Plan, chosen: list[Mutation], *_: object) -> list[running.Verdict]:
        return [running.Verdict(chosen[0], running.KILLED, "a test"), running.Verdict(chosen[1], running.SURVIVED)]

    monkeypatch.setattr(__main__, "ROOT", plan.root)
    monkeypatch.setattr(running, "verdicts", judged)
    assert __main__.main(["small", "--tests", "checks", "--most", most]) == code


def test_every_excuse_fits_the_code_as_it_stands() -> None:
    plan = running.Plan(__main__.ROOT, __main__.PACKAGES, __main__.TESTS, __main__.ROOT / ".mutants")
    excuses = running.Excuses(__main__.ROOT / "workshop/mutants/excused.toml")
    excuses.check(running.mutations(plan, excuses))
