"""Runs mutants: collects once which test runs which line, then gives each mutant the tests of its line."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from workshop import ROOT
from workshop.mutants import plugin
from workshop.mutants.mutations import Mutation, of_file
from workshop.mutants.swapping import Server

#: A mutant's tests may take so many seconds and so many times what they took without it.
LEAST, SLOWER = 60.0, 5.0

KILLED, SURVIVED, EXCUSED, UNTESTED = "killed", "survived", "excused", "no test runs it"


@dataclass(frozen=True)
class Plan:
    """What is mutated and by which tests it is judged."""

    root: Path
    packages: tuple[str, ...]
    tests: tuple[str, ...]
    work: Path
    #: So many seconds of tests are run for a mutant, the quickest first.
    budget: float = 60.0


@dataclass
class Notes:
    """Which tests run which line, and how long each takes."""

    seconds: dict[str, float]
    lines: dict[str, dict[str, list[str]]]

    def run(self, mutation: Mutation) -> bool:
        """Whether any test, or the import of the tests, runs the line at all."""
        lines = self.lines.get(mutation.file, {})
        return str(mutation.line) in lines or str(mutation.statement) in lines

    def tests(self, mutation: Mutation, budget: float) -> list[str]:
        """The tests for a mutation: those of its line, of its file, of its folder, the quickest of each first.

        A line may be run once for all tests, at the import or for a table that is kept; hence the others.
        """
        lines = self.lines.get(mutation.file, {})
        of_line = set(lines.get(str(mutation.line)) or lines.get(str(mutation.statement)) or ())
        of_file = self.within(mutation.file)
        result: list[str] = []
        for tests in (of_line, of_file - of_line, set() if of_file else self.within(str(Path(mutation.file).parent))):
            for test in self.by_speed(tests):
                budget -= self.seconds.get(test, 0.0)
                if budget < 0 and result:
                    return result
                result.append(test)
        return result

    def within(self, place: str) -> set[str]:
        """The tests that run any line of a file, or of the files below a folder."""
        files = [lines for file, lines in self.lines.items() if file.startswith(place)]
        return {test for lines in files for tests in lines.values() for test in tests}

    def duration(self, tests: Iterable[str]) -> float:
        return sum(self.seconds.get(test, 0.0) for test in tests)

    def by_speed(self, tests: Iterable[str]) -> list[str]:
        return sorted(tests, key=lambda test: (self.seconds.get(test, 0.0), test))


@dataclass(frozen=True)
class Verdict:
    mutation: Mutation
    outcome: str
    #: The test that killed it, or the reason of the excuse.
    by: str = ""
    #: How many tests were there to kill it.
    asked: int = 0

    def __str__(self) -> str:
        return f"{self.outcome:<16}{self.mutation}" + (f"\n                by {self.by}" if self.by else "")


class Broken(Exception):
    """The run cannot begin: the tests fail without any mutant, or an excuse is stale."""


class Excuses:
    """What `excused.toml` says: files that are left out, and mutants that need no test, each with the reason."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        self.reasons = {(e["file"], e["code"], e["mutation"]): e["reason"] for e in self.data.get("excused", ())}

    def left_out(self, mutation: Mutation) -> bool:
        return any(fnmatch(mutation.file, entry["files"]) for entry in self.data.get("left_out", ()))

    def reason(self, mutation: Mutation) -> str:
        return str(self.reasons.get((mutation.file, mutation.code, mutation.what), ""))

    def check(self, every: list[Mutation]) -> None:
        """Refuse excuses for what is not there any more."""
        known = {(m.file, m.code, m.what) for m in every}
        for file, code, what in self.reasons:
            if (file, code, what) not in known:
                raise Broken(f"{self.file.name}: {file} has no mutation {what!r} of {code!r} any more")


def mutations(plan: Plan, excuses: Excuses) -> list[Mutation]:
    """Every mutation of every file that is not left out, in a fixed order."""
    found = (
        mutation
        for package in plan.packages
        for path in sorted((plan.root / package).rglob("*.py"))
        for mutation in of_file(plan.root, path)
    )
    return [mutation for mutation in found if not excuses.left_out(mutation)]


def sample(every: list[Mutation], count: int, seed: int) -> list[Mutation]:
    """So many of them by a seed, in their order; whatever else is written or deleted, the same are drawn."""
    seen: Counter[tuple[str, str, str]] = Counter()
    lots: list[tuple[bytes, int]] = []
    for number, mutation in enumerate(every):
        name = (mutation.file, mutation.code, mutation.what)
        seen[name] += 1
        lots.append((hashlib.sha256(repr((seed, *name, seen[name])).encode()).digest(), number))
    return [every[number] for number in sorted(number for _, number in sorted(lots)[:count])]


def unnoticed(outcomes: Mapping[str, int]) -> float:
    """The share of mutants that no test notices, of all that are not excused."""
    judged = sum(count for outcome, count in outcomes.items() if outcome != EXCUSED)
    return (outcomes.get(SURVIVED, 0) + outcomes.get(UNTESTED, 0)) / judged if judged else 0.0


# ---------------------------------------------------------------------- pytest


def _pytest(plan: Plan, arguments: list[str], **extra: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "workshop.mutants.plugin", "-p", "no:cacheprovider"]
    path = os.pathsep.join([str(plan.root), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **extra}
    return subprocess.Popen(
        [*command, "-p", "no:xdist", "--tb=line", *arguments],
        cwd=plan.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _state(plan: Plan) -> str:
    """A digest of everything that the notes depend on."""
    digest = hashlib.sha256(" ".join([*plan.packages, *plan.tests]).encode())
    folders = {plan.root / "/".join(test.split("/")[:2]) for test in plan.tests}
    places = [
        path for top in {*folders, *(plan.root / name for name in plan.packages)} for path in [top, *top.rglob("*")]
    ]
    for path in sorted({*places, *(plan.root / "tests").glob("*.py"), *(plan.root / "workshop").rglob("*.py")}):
        if path.suffix in (".py", ".toml", ".json"):
            digest.update(path.relative_to(plan.root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def _kept(plan: Plan) -> dict[str, Any]:
    """The notes that an earlier run left, of whatever state."""
    kept = plan.work / "lines.json"
    data: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    return data


def noted(plan: Plan) -> bool:
    """Whether there are notes of the present state, so that nothing has to be run for them."""
    return _kept(plan).get("state") == _state(plan)


def notes(plan: Plan) -> Notes:
    """Which test runs which line; kept until a source, a table or a test changes."""
    plan.work.mkdir(parents=True, exist_ok=True)
    data, state = _kept(plan), _state(plan)
    if data.get("state") != state:
        print(f"noting which tests run which lines: {' '.join(plan.tests)}", flush=True)
        fresh = plan.work / "fresh.json"
        process = _pytest(
            plan,
            ["-m", "not slow", *plan.tests],
            **{plugin.RESULT: str(fresh), plugin.PACKAGES: " ".join(plan.packages)},
        )
        output, _ = process.communicate()
        if process.returncode not in (0, 1):
            raise Broken(f"the tests could not be run:\n{output[-2000:]}")
        data = {"state": state, **json.loads(fresh.read_text(encoding="utf-8"))}
        fresh.unlink()
        if data["failed"]:
            raise Broken("these tests fail without any mutant:\n" + "\n".join(data["failed"]))
        (plan.work / "lines.json").write_text(json.dumps(data), encoding="utf-8")
    return Notes(data["seconds"], data["lines"])


def judge(plan: Plan, noted: Notes, mutation: Mutation) -> Verdict:
    """Run the tests of a mutation until one fails; if they take far longer than they should, it is noticed too."""
    tests = noted.tests(mutation, plan.budget)
    if not tests or not noted.run(mutation):
        return Verdict(mutation, UNTESTED)
    name = mutation.file.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    with tempfile.TemporaryDirectory() as folder:
        chosen, result = Path(folder) / "tests", Path(folder) / "result"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        files = list(dict.fromkeys(test.split("::")[0] for test in tests))
        process = _pytest(
            plan,
            ["-x", *files],
            **{plugin.MUTANT: f"{name} {mutation.number}", plugin.TESTS: str(chosen), plugin.RESULT: str(result)},
        )
        limit = LEAST + SLOWER * noted.duration(tests)
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return Verdict(mutation, KILLED, f"the time limit of {limit:.0f} s", len(tests))
        if result.exists():
            return Verdict(mutation, KILLED, result.read_text(encoding="utf-8"), len(tests))
    if process.returncode == 0:
        return Verdict(mutation, SURVIVED, "", len(tests))
    last = [line for line in output.splitlines() if line.strip()][-1:]
    return Verdict(mutation, KILLED, f"an error before the first test: {''.join(last)[:120]}", len(tests))


def quickly(server: Server, plan: Plan, noted: Notes, mutation: Mutation) -> Verdict | None:
    """A verdict on a mutant that a fork shows to be killed; None says that `judge` has to look."""
    tests = noted.tests(mutation, plan.budget)
    if not tests or not noted.run(mutation):
        return None
    by = server.killer(mutation, tests, LEAST + SLOWER * noted.duration(tests))
    return Verdict(mutation, KILLED, by, len(tests)) if by else None


def verdicts(plan: Plan, chosen: list[Mutation], excuses: Excuses, jobs: int) -> Iterator[Verdict]:
    """A verdict for each mutation, in order."""
    noted = notes(plan)
    files = sorted({test.split("::")[0] for test in noted.seconds})
    servers = [Server(plan.root, files) for _ in range(jobs)]
    free: SimpleQueue[Server] = SimpleQueue()
    for server in servers:
        free.put(server)

    def one(mutation: Mutation) -> Verdict:
        reason = excuses.reason(mutation)
        if reason:
            return Verdict(mutation, EXCUSED, reason)
        server = free.get()
        try:
            return quickly(server, plan, noted, mutation) or judge(plan, noted, mutation)
        finally:
            free.put(server)

    try:
        with ThreadPoolExecutor(jobs) as pool:
            yield from pool.map(one, chosen)
    finally:
        for server in servers:
            server.close()
