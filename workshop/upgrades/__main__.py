"""Makes a database with an earlier state of the program, or tells what today's makes of the one that is kept."""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from importlib import metadata
from pathlib import Path

import titles
from workshop import ROOT
from workshop.upgrades import __doc__ as manual
from workshop.upgrades import guard
from workshop.upgrades.reading import FIXTURE, found

HERE = Path(__file__).parent


def make(commits: int, target: Path, games: list[str], seconds: float) -> int:
    """Let the program of so many commits ago write a database."""
    commit = _git("rev-parse", "--short", f"HEAD~{commits}")
    with tempfile.TemporaryDirectory(prefix="kursbuch-then-") as folder:
        tree, path = Path(folder) / "tree", Path(folder) / "then.sqlite3"
        _git("worktree", "add", "--detach", "--quiet", str(tree), commit)
        try:
            script = Path(folder) / "then.py"
            shutil.copy(HERE / "then.py", script)
            subprocess.run(
                [sys.executable, str(script), str(path), str(seconds), *games],
                cwd=tree,
                env={**os.environ, "PYTHONPATH": str(tree)},
                check=True,
            )
        finally:
            _git("worktree", "remove", "--force", str(tree))
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("VACUUM")
        target.write_bytes(gzip.compress(path.read_bytes(), 9, mtime=0))
    print(f"{target.name}: {target.stat().st_size // 1024} kB, written by {commit}")
    return 0


def wanted(moves: int) -> list[str]:
    """A game of every form, and more of those with the most rules of their own."""
    return [
        f"{title.id}:{form.id}:{form.players[0]}:{seed}:{moves}"
        for title in titles.known()
        for form in title.forms
        for seed in ((1, 2, 3) if len(title.forms) > 3 else (1, 2))
    ]


def one_of_each(moves: int) -> list[str]:
    """A running game of every form with the fewest and with the most players."""
    return [
        f"{title.id}:{form.id}:{players}:{seed}:{moves}"
        for title in titles.known()
        for form in title.forms
        for seed, players in enumerate(dict.fromkeys(form.players), start=5)
    ]


def _git(*words: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def tell() -> int:
    """The verdicts as a table, and 1 if a game has silently become another."""
    silent = 0
    for each in found(FIXTURE):
        kept, verdict = each.kept, each.verdict
        silent += each.silent
        print(
            f"{kept.record.id:>3} {kept.record.title}:{kept.record.form:<10} {len(kept.moves):>4} moves  "
            f"{verdict.kind:<10} {verdict.why[:60]:<60} {'SILENT' if each.silent else ''}".rstrip()
        )
    print(f"{silent} silent games")
    return 1 if silent else 0


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m workshop upgrades", description=manual, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=["make", "tell", "release", "guard"], default="tell")
    parser.add_argument("--commits", type=int, default=100, help="so many commits ago")
    parser.add_argument("--moves", type=int, default=220, help="in each game, at most")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each game, at most")
    parser.add_argument("--to", type=Path, default=FIXTURE)
    parser.add_argument("--because", default="", help="of guard: name all that differs, with the clause and why")
    given = parser.parse_args(argv)
    match given.what:
        case "make":
            return make(given.commits, given.to, wanted(given.moves), given.seconds)
        case "release":
            guard.RELEASED.mkdir(exist_ok=True)
            target = guard.RELEASED / f"{metadata.version('kursbuch')}.sqlite3.gz"
            return make(0, target, one_of_each(given.moves), given.seconds)
        case "guard":
            return watch(given.because)
        case _:
            return tell()


def watch(because: str) -> int:
    """Tell, or name, what a release's games are not any more."""
    if because:
        print(f"{guard.name(because)} changes are named in {guard.CHANGES.name}")
        return 0
    lines = guard.all_unlike()
    print("\n".join(lines or ["every running game of every release goes on as it stood"]))
    return 1 if lines else 0
