"""The guard of running games: what a release has written goes on as it stands, or the change is named with its clause.

`released/` has a database for each release, with a running game of every form, written by the program of that release.
Every game in them gets today's verdict. One that is not simply equal must stand in `changes.toml`, with the clause
that was read wrongly before, and then the verdict and the move are exactly those that are named there: its people are
asked, never led elsewhere in silence. A name for what does not happen is a fault too.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from bot.games.verdicts import EQUAL
from workshop.upgrades.reading import Found, found

HERE = Path(__file__).parent
RELEASED = HERE / "released"
CHANGES = HERE / "changes.toml"
HEAD = """\
# Running games of a release that a later program leads elsewhere, because a rule was mended: which game, what its
# people are told (the verdict) and from which move on, and the clause with what was wrong.
# `python -m workshop upgrades guard --because "CLAUSE: why"` writes those that it finds.
"""


@dataclass(frozen=True)
class Change:
    """A game of a release that is not as it was, on purpose."""

    release: str
    game: int
    verdict: str
    move: int
    because: str

    @property
    def clause(self) -> str:
        return self.because.partition(":")[0]


def releases() -> list[Path]:
    return sorted(RELEASED.glob("*.sqlite3.gz"))


def release_of(path: Path) -> str:
    return path.name.removesuffix(".sqlite3.gz")


def named(path: Path = CHANGES) -> dict[tuple[str, int], Change]:
    entries = tomllib.loads(path.read_text("utf-8")).get("change", [])
    changes = [Change(**entry) for entry in entries]
    return {(change.release, change.game): change for change in changes}


def unlike(release: str, games: Iterable[Found], changes: Mapping[tuple[str, int], Change]) -> list[str]:
    """A line for every game of a release that is neither as it was nor as it is named."""
    lines = []
    for each in games:
        record, verdict = each.kept.record, each.verdict
        change = changes.get((release, record.id))
        what = f"game {record.id} of {release} ({record.title}:{record.form}, {len(each.kept.moves)} moves)"
        is_now = f"{verdict.kind} at move {verdict.move} ({verdict.why})"
        if each.silent:
            lines.append(f"{what} goes on in another position, and nobody is told")
        elif change is None:
            if verdict.kind != EQUAL:
                lines.append(f"{what} is {is_now}, and no change is named")
        elif (verdict.kind, verdict.move) != (change.verdict, change.move):
            lines.append(f"{what} is {is_now}; named is {change.verdict} at move {change.move}: {change.because}")
    return lines


def all_unlike() -> list[str]:
    changes = named()
    lines = [line for path in releases() for line in unlike(release_of(path), found(path), changes)]
    known = {release_of(path) for path in releases()}
    return lines + [
        f"there is no release {change.release}" for change in changes.values() if change.release not in known
    ]


def name(because: str) -> int:
    """Write down all that is not as it was."""
    changes = named()
    for path in releases():
        for each in found(path):
            verdict, game = each.verdict, each.kept.record.id
            if verdict.kind != EQUAL:
                changes[release_of(path), game] = Change(release_of(path), game, verdict.kind, verdict.move, because)
    tables = [
        "\n[[change]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in asdict(change).items())
        for _, change in sorted(changes.items())
    ]
    CHANGES.write_text(HEAD + "".join(tables), "utf-8")
    return len(changes)
