"""The workshop's one entry: it lists every program with what it is for, and runs them; old commands go on working."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workshop import ROOT
from workshop.__main__ import listed, main, programs, purpose

#: How these were called before there was a workshop; people and papers still call them so.
FORWARDING = (
    ["-m", "tests.chaos", "--help"],
    ["-m", "tests.arena", "--help"],
    ["-m", "tests.bot.taps", "--help"],
    ["tests/oracle/replay.py"],
    ["tests/oracle/routes.py"],
)


def test_every_program_is_listed_with_a_sentence() -> None:
    text = listed()
    for name, path in programs().items():
        assert f"  {name} " in text
        assert 30 < len(purpose(path)) < 160, name
        assert purpose(path).endswith("."), name


@pytest.mark.parametrize("name", sorted(programs()))
def test_every_program_is_there_to_be_run(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        sys.exit(main([name, "--help"]))
    assert left.value.code == 0
    assert f"python -m workshop {name}" in capsys.readouterr().out


def test_an_unknown_program_is_answered_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soap"]) == 2
    assert "There is no program 'soap' in the workshop; there is arena, " in capsys.readouterr().err


@pytest.mark.parametrize("command", FORWARDING, ids=" ".join)
def test_old_commands_go_on_working(command: list[str]) -> None:
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert "sage: python -m workshop " in done.stdout, done.stderr
