"""docs/adding-a-title.md can be followed literally: a copy of the repository does what it says, and is whole again."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.new_title import files

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding-a-title.md").read_text("utf-8")
BLOCK = re.compile(r"^```\w+ (file|change)=(\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMANDS = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
#: What is no part of the project though it lies in its folder.
NOT_COPIED = shutil.ignore_patterns(
    ".venv*", ".git", "__pycache__", ".pytest_cache", ".ruff_cache", ".import_linter_cache", ".mutants", "data", "*.png"
)


class Copy:
    """A copy of the repository in which the page is followed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(ROOT, root, ignore=NOT_COPIED)

    def run(self, *command: str) -> str:
        """What a command of the page says; it must succeed."""
        program, *arguments = command
        if program == ".venv/bin/kursbuch":
            arguments = ["-c", "import sys; from bot.start import main; sys.exit(main())", *arguments]
        elif program != ".venv/bin/python":
            arguments = ["-m", program.rpartition("/")[2], *arguments]
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.root,
            env={
                **os.environ,
                "PYTHONPATH": str(self.root),
                "PYTEST_XDIST_WORKER": "",
                "PYTEST_ADDOPTS": "-p no:xdist",
            },
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def apply(self, kind: str, path: str, text: str) -> None:
        """A block of the page: a whole file, or a change of one."""
        place = self.root / path
        if kind == "file":
            place.parent.mkdir(exist_ok=True)
            place.write_text(text, "utf-8")
            return
        lines = text.splitlines()
        before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
        after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
        present = place.read_text("utf-8")
        assert present.count(before) == 1, f"{path} does not have exactly once:\n{before}"
        place.write_text(present.replace(before, after), "utf-8")


def chapter(number: int) -> str:
    """The text of a chapter of the page."""
    return PAGE.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


def commands(number: int) -> list[list[str]]:
    """The commands of a chapter, word by word."""
    return [shlex.split(line) for block in COMMANDS.findall(chapter(number)) for line in block.splitlines()]


@pytest.mark.slow
def test_the_page_can_be_followed_literally(tmp_path: Path) -> None:
    copy = Copy(tmp_path / "kursbuch")
    begin, listed, simulated, _play = commands(1)
    copy.run(*begin)
    written = {path: text for _, path, text in BLOCK.findall(PAGE.partition("\n## 6. ")[0])}
    assert {path: (copy.root / path).read_text("utf-8") for path in written} == written
    assert "tiny  Tiny: Three railways" in copy.run(*listed)
    assert "5 games finished" in copy.run(*simulated)
    copy.run(".venv/bin/pytest", "-q", "tests/titles/tiny")
    for kind, path, text in BLOCK.findall(chapter(6)):
        copy.apply(kind, path, text)

    quick, soak, tests, *_others = commands(7)
    assert quick == ["make", "quick"]
    # What `make quick` does, but for the tests of other titles.
    copy.run("ruff", "format", "--check", ".")
    copy.run("ruff", "check", ".")
    copy.run("mypy", "titles/tiny", "--cache-dir", ".mypy_cache")
    copy.run("importlinter.cli", "lint")
    copy.run(".venv/bin/pytest", "-q", "-m", "not slow", "tests/titles/tiny", "tests/titles/test_registry.py")
    copy.run(*soak[:-1], "5")
    copy.run(*tests, "-q", "-m", "not slow", "-k", "not wheel")


def test_another_title_has_its_own_names_everywhere() -> None:
    made = files(PAGE, "wup", "Wupper")
    assert "titles/wup/main.py" in made
    assert "tests/titles/wup/test_wup.py" in made
    assert not re.search(r"tiny", "".join([*made, *made.values()]), re.IGNORECASE)
    assert 'name = "Wupper"' in made["titles/wup/game.toml"]
    assert "| WUP-4-a |" in made["docs/ledger/de/wup.md"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["rhl"], "rhl is taken"),
        (["registry"], "registry is taken"),
        (["Rhl"], "two to twelve small letters"),
        (["t18"], "two to twelve small letters"),
        (["wup", "--name", 'W"'], "no name"),
    ],
)
def test_what_is_no_new_title_is_said_and_nothing_is_written(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from bot.cli import main

    before = sorted((ROOT / "titles").iterdir())
    assert main(["new-title", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert sorted((ROOT / "titles").iterdir()) == before
