"""What we stand on: the lock files name everything with its hash, and the wheel works where there is no repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from bot.start import SIBLINGS

ROOT = Path(__file__).parents[2]
LOCKS = sorted((ROOT / "locks").glob("*.txt"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def locked(name: str) -> dict[str, str]:
    """The packages of a lock file with their versions."""
    text = (ROOT / "locks" / f"{name}.txt").read_text("utf-8")
    return dict(re.findall(r"^([\w.-]+)==([^ ]+)", text, re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.stem)
def test_a_lock_names_versions_and_hashes_and_no_place(lock: Path) -> None:
    text = lock.read_text("utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())
    assert len(entries) > 3
    for entry in entries:
        head, *hashes = [line.strip().removesuffix(" \\") for line in entry.splitlines()]
        assert re.match(r"[a-z0-9-]+==[0-9][\w.]*( ; .+)?$", head), head
        assert hashes, f"{head} has no hash"
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes), head
    assert "://" not in text
    assert "index" not in text.replace("indexing", "")


@pytest.mark.parametrize(
    ("lock", "wanted"),
    [
        ("run", PROJECT["project"]["dependencies"]),
        ("dev", [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"]["dev"]]),
        ("build", PROJECT["dependency-groups"]["build"]),
        ("supply", PROJECT["dependency-groups"]["supply"]),
    ],
)
def test_the_locks_fit_what_the_project_asks_for(lock: str, wanted: list[str]) -> None:
    found = locked(lock)
    for text in wanted:
        requirement = Requirement(text)
        version = found.get(requirement.name.lower().replace(".", "-"))
        assert version is not None, f"{text} is not in locks/{lock}.txt: make lock"
        assert requirement.specifier.contains(Version(version)), f"{text}, but {version} is locked: make lock"


def test_what_is_tested_is_what_is_run() -> None:
    tested, run = locked("dev"), locked("run")
    assert {name: tested.get(name) for name in run} == run


def test_a_major_version_that_would_break_us_is_not_taken() -> None:
    for text in PROJECT["project"]["dependencies"]:
        requirement = Requirement(text)
        # Time zones are data; everything else has an interface that changes.
        bounded = any(each.operator == "<" for each in requirement.specifier)
        assert bounded or requirement.name == "tzdata", text


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built with what is installed and nothing fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir"]
    subprocess.run([sys.executable, *command, str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_has_every_file_of_the_packages(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    packages = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    for package in packages:
        for file in (ROOT / package).rglob("*"):
            if file.is_file() and "__pycache__" not in file.parts:
                assert str(file.relative_to(ROOT)) in inside
    assert not any(name.startswith(("tests/", "workshop/")) or name.endswith((".sqlite3", ".env")) for name in inside)


def test_the_wheel_runs_outside_the_repository(wheel: Path, tmp_path: Path) -> None:
    site, work = tmp_path / "site", tmp_path / "work"
    work.mkdir()
    command = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run([sys.executable, *command], check=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DISCORD_", "KURSBUCH_", "PYTHON"))}

    def kursbuch(*arguments: str, code: int = 0) -> str:
        # Before the packages of the machine, among which the repository itself may be.
        done = subprocess.run(
            [sys.executable, str(site / "bin" / "kursbuch"), *arguments],
            cwd=work, env={**kept, "PYTHONPATH": str(site)}, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    where = subprocess.run(
        [sys.executable, "-c", "import bot.start, titles, storage; print(bot.__file__, titles.__file__)"],
        cwd=work, env={**kept, "PYTHONPATH": str(site)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(Path(each).is_relative_to(site) for each in where.stdout.split())
    assert "18Rhl" in kursbuch("titles")
    assert PROJECT["project"]["version"] in kursbuch("--version")
    played = kursbuch("simulate", "--games", "1", "--players", "3", "--save", "saved", "--seed", "4")
    assert "1 games finished" in played
    kursbuch("draw", "saved/rhl-4.json", "map", "-o", "map.png")
    assert (work / "map.png").read_bytes().startswith(b"\x89PNG")
    assert "Set DISCORD_TOKEN" in kursbuch("run", code=2)
    made = "import asyncio; from storage.sqlite import SqliteStore; s = SqliteStore.open('d.sqlite3')\n"
    made += "async def go(): await (await s).close()\nasyncio.run(go())"
    subprocess.run([sys.executable, "-c", made], cwd=work, env={**kept, "PYTHONPATH": str(site)}, check=True)
    assert "sound" in kursbuch("check", "--database", "d.sqlite3")
    assert "copied" in kursbuch("backup", "copy.sqlite3", "--database", "d.sqlite3")


def test_nothing_in_the_wheel_is_a_module_and_a_folder_at_once(wheel: Path) -> None:
    inside = zipfile.ZipFile(wheel).namelist()
    folders = {name.rpartition("/")[0] for name in inside}
    assert [name for name in inside if name.endswith(".py") and name.removesuffix(".py") in folders] == []


def test_the_wheel_is_an_application_that_no_index_takes(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as inside:
        (about,) = (name for name in inside.namelist() if name.endswith(".dist-info/METADATA"))
        assert "Classifier: Private :: Do Not Upload" in inside.read(about).decode("utf-8").splitlines()


@pytest.mark.parametrize("name", SIBLINGS)
def test_a_package_of_another_program_in_front_of_ours_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("raise SystemError('nobody may load this')\n")
    program = "import sys; from bot.start import main; sys.exit(main(['titles']))"
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    (sentence,) = done.stderr.splitlines()
    assert f"the package '{name}' in {tmp_path / name} is not its own" in sentence


def test_every_package_of_the_wheel_is_looked_for() -> None:
    assert {*SIBLINGS, "bot"} == set(PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])
