"""What pytest does in a mutation run: note which test runs which line, or put one mutant in place of a module.

It is steered by the environment, because it has to act before the first module of the project is imported.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from types import CodeType, ModuleType

import pytest

from workshop.mutants.mutations import mutated

#: Module and number of the mutant; the file with the tests to run, in order; the file for what is found out.
MUTANT, TESTS, RESULT = "KURSBUCH_MUTANT", "KURSBUCH_MUTANT_TESTS", "KURSBUCH_MUTANT_RESULT"
#: Packages whose lines are noted.
PACKAGES = "KURSBUCH_MUTANT_PACKAGES"


class _Loader(importlib.machinery.SourceFileLoader):
    """Compiles a module with one mutation; no compiled file is read or written."""

    def __init__(self, name: str, path: str, number: int) -> None:
        super().__init__(name, path)
        self.number = number

    def get_code(self, fullname: str) -> CodeType:
        source = self.get_data(self.path).decode("utf-8")
        return compile(mutated(source, self.number), self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None:
            return None
        loader = _Loader(fullname, spec.origin, self.number)
        return importlib.util.spec_from_file_location(
            fullname, spec.origin, loader=loader, submodule_search_locations=spec.submodule_search_locations
        )


class Judge:
    """Runs the chosen tests in the chosen order and tells which one was the first to fail."""

    def __init__(self, tests: list[str], result: Path) -> None:
        self.order = {test: place for place, test in enumerate(tests)}
        self.result = result

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        items[:] = sorted((i for i in items if i.nodeid in self.order), key=lambda i: self.order[i.nodeid])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.result.write_text(report.nodeid, encoding="utf-8")


class Notes:
    """Notes for every test its lines and how long it takes a processor, however busy the machine is."""

    def __init__(self, packages: list[str], result: Path) -> None:
        from coverage import Coverage

        self.result = result
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self.coverage = Coverage(source=packages, data_file=None, config_file=False)
        self.coverage.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.coverage.switch_context(item.nodeid)
        began = time.process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = time.process_time() - began
            self.coverage.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        data = self.coverage.get_data()
        here = Path.cwd()
        lines: dict[str, dict[str, list[str]]] = {}
        for file in sorted(data.measured_files()):
            seen = data.contexts_by_lineno(file)
            lines[Path(file).relative_to(here).as_posix()] = {
                str(line): sorted(test for test in tests if test) for line, tests in seen.items()
            }
        noted = {"seconds": self.seconds, "failed": self.failed, "lines": lines}
        self.result.write_text(json.dumps(noted), encoding="utf-8")


_plugin: Judge | Notes | None = None


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_plugin)


# Both have to be there before a conftest imports the first module of the project.
if MUTANT in os.environ:
    _name, _, _number = os.environ[MUTANT].partition(" ")
    sys.meta_path.insert(0, _Finder(_name, int(_number)))
    _plugin = Judge(Path(os.environ[TESTS]).read_text(encoding="utf-8").splitlines(), Path(os.environ[RESULT]))
elif RESULT in os.environ:
    _plugin = Notes(os.environ[PACKAGES].split(), Path(os.environ[RESULT]))
