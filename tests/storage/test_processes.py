"""Several processes on one database, and processes that are killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

#: More kills for a longer run: KURSBUCH_KILLS=1000 pytest tests/storage/test_processes.py
KILLS = int(os.environ.get("KURSBUCH_KILLS", "20"))


def run(*arguments: object) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.storage.processes", *map(str, arguments)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_of_processes_that_race_exactly_one_gets_each_entry(path: Path) -> None:
    result = run("race", path, 3, 25)
    assert result["codes"] == [0, 0, 0]
    won = sorted(seq for said in result["said"] for seq in said if seq > 0)
    assert won == result["seqs"] == list(range(1, len(won) + 1)), "nothing is applied twice or lost"
    assert len(set(result["interactions"])) == len(won)
    repeated = [-seq for said in result["said"] for seq in said if seq < 0]
    assert len(repeated) == 2 * 25, "of each shared click one process wins, the others hear where it was carried out"
    assert {result["interactions"][seq - 1] for seq in repeated} == set(range(25))
    assert result["faults"] == []


def test_after_every_kill_everything_that_was_acknowledged_is_there_and_whole(path: Path) -> None:
    result = run("kill", path, KILLS)
    seqs = result["seqs"]
    assert len(result["acknowledged"]) >= KILLS // 2
    assert set(result["acknowledged"]) <= set(seqs)
    assert seqs == list(range(1, len(seqs) + 1))
    assert len(seqs) % 2 == 0, "never one of two moves that belong together"
    assert result["notices"] == seqs[1::2], "with each change its announcement"
    assert result["waiting"] == [["bo"], ["ann"]][(len(seqs) - 2) % 4 // 2]
    assert result["faults"] == []
