"""One pytest that has collected all tests, and forks for every mutant: the quick way to see most of them killed.

In the fork the functions of a module get the mutant's code. What runs at the import cannot be changed so, and some of
what was made before the fork stays as it was: only a failing test is a verdict, all else is asked in a fresh process.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from workshop import ROOT
from workshop.mutants.mutations import Mutation, mutated

#: The number of the socket over which jobs come, in the environment of the pytest that forks.
JOBS = "KURSBUCH_MUTANT_JOBS"

#: On a busy machine a fork may take so many times its limit.
PATIENCE = 20


class Unchanged(Exception):
    """The mutation is not in the code of functions."""


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for item in code.co_consts:
        if isinstance(item, CodeType):
            yield from _codes(item)


def _key(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _own(code: CodeType) -> tuple[object, ...]:
    """What a code does by itself, without the functions inside it."""
    values = tuple(repr(item) for item in code.co_consts if not isinstance(item, CodeType))
    return code.co_code, values, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def changed(path: Path, number: int) -> dict[tuple[str, int], CodeType]:
    """The new code of the functions in which a mutation is, by name and first line; Unchanged if it is elsewhere."""
    source = path.read_text(encoding="utf-8")
    before = list(_codes(compile(source, path, "exec")))
    after = list(_codes(compile(mutated(source, number), path, "exec")))
    if [_key(code) for code in before] != [_key(code) for code in after]:
        raise Unchanged(f"{path}: functions are gone")
    places = [place for place, code in enumerate(after) if _own(before[place]) != _own(code)]
    if not places or any(not after[place].co_flags & CO_OPTIMIZED for place in places):
        raise Unchanged(f"{path}: what runs at the import")
    inside = tuple(after[place].co_qualname for place in places)
    result: dict[tuple[str, int], CodeType] = {}
    for place, code in enumerate(after):
        if place in places or any(name.startswith(f"{code.co_qualname}.<locals>.") for name in inside):
            if _key(code) in result:
                raise Unchanged(f"{path}: two functions on one line")
            result[_key(code)] = code
    return result


def swap(root: Path, mutation_file: str, number: int) -> None:
    """Give the functions of a loaded module the code of a mutant."""
    path = root / mutation_file
    codes = changed(path, number)
    found = False
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(path):
            code = codes.get(_key(thing.__code__))
            if code is not None:
                try:
                    thing.__code__ = code
                except ValueError as error:  # it closes over other names
                    raise Unchanged(str(error)) from None
                found = True
    if not found:
        raise Unchanged(f"{path}: no such function is loaded")


def forget() -> None:
    """Empty all caches: tables that are read once for all tests are read again."""
    for thing in gc.get_objects():
        if isinstance(thing, functools._lru_cache_wrapper):
            thing.cache_clear()


class Forks:
    """The plugin: instead of running the collected tests, it waits for jobs and forks for each."""

    def __init__(self, number: int) -> None:
        self.socket = socket.socket(fileno=number)
        self.failed = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        stream = self.socket.makefile("rw", encoding="utf-8")
        for line in stream:
            job = json.loads(line)
            read, write = os.pipe()
            pid = os.fork()
            if not pid:
                os.close(read)
                resource.setrlimit(resource.RLIMIT_CPU, (int(job["limit"]) + 1, int(job["limit"]) + 1))
                os.write(write, self.killer(job, items).encode())
                os._exit(0)
            os.close(write)
            print(self.answer(pid, read, job["limit"]), file=stream, flush=True)
        return True

    def killer(self, job: dict[str, Any], items: dict[str, pytest.Item]) -> str:
        """In the fork: the first test that fails with the mutant, "" if none does."""
        try:
            swap(Path.cwd(), job["file"], job["number"])
        except Unchanged:
            return ""
        tests = [items[test] for test in job["tests"] if test in items]
        if not self.first_failed(tests):
            forget()
            self.first_failed(tests)
        return self.failed

    def first_failed(self, tests: list[pytest.Item]) -> str:
        """Run tests until one fails."""
        for item, following in zip(tests, [*tests[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                break
        return self.failed

    def answer(self, pid: int, read: int, limit: float) -> str:
        """What a fork found out, as one line; it has so many seconds of a processor, and some more to wait."""
        end = time.monotonic() + PATIENCE * limit
        while not (ended := os.waitpid(pid, os.WNOHANG))[0]:
            if time.monotonic() > end:
                os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        with os.fdopen(read, encoding="utf-8") as stream:
            return f"the time limit of {limit:.0f} s" if os.WIFSIGNALED(ended[1]) else stream.read()


class Server:
    """The other end: hands mutants to a pytest that forks."""

    def __init__(self, root: Path, files: list[str]) -> None:
        mine, its = socket.socketpair()
        path = os.pathsep.join([str(root), str(ROOT)])
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-s",
            "-p",
            "workshop.mutants.swapping",
            "-p",
            "no:cacheprovider",
        ]
        self.process = subprocess.Popen(
            [*command, "-p", "no:cacheprovider", "-p", "no:xdist", "--tb=no", *files],
            cwd=root,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", JOBS: str(its.fileno())},
            pass_fds=(its.fileno(),),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        its.close()
        self.socket = mine
        self.stream = mine.makefile("rw", encoding="utf-8")

    def killer(self, mutation: Mutation, tests: list[str], limit: float) -> str:
        """What killed a mutant: a test, or the time limit; "" if nothing did in this way."""
        job = {"file": mutation.file, "number": mutation.number, "tests": tests, "limit": limit}
        print(json.dumps(job), file=self.stream, flush=True)
        return self.stream.readline().strip()

    def close(self) -> None:
        self.stream.close()
        self.socket.close()
        self.process.wait()


def pytest_configure(config: pytest.Config) -> None:
    if JOBS in os.environ:
        config.pluginmanager.register(Forks(int(os.environ[JOBS])))
