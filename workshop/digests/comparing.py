"""Compares a recorded game with what the code does now, and knows which differences are wanted."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from workshop.digests.recording import BYTES, PARTS, Recording, Seen, course, text
from workshop.digests.view import View

EXPECTED_FILE = Path(__file__).parent / "expected.toml"
HEAD = """\
# Differences from the recorded games that are wanted, because a rule was repaired: the game, the move, and the clause
# with what was wrong. `python -m workshop digests --write --only GAME` records the new course and removes the entry.
"""
EQUAL, DIFFERENT, EXPECTED = "equal", "different", "different as expected"
#: At most so many lines of a difference are told.
TOLD = 25


@dataclass(frozen=True)
class Outcome:
    """How far a game is as it was recorded; `move` is the first that differs, with what is known of it."""

    name: str
    moves: int
    verdict: str = EQUAL
    move: int | None = None
    told: str = ""


def compare(recording: Recording) -> Outcome:
    """Make the recorded moves until something differs."""
    steps = course(recording)
    number = -1
    for seen in steps:
        number = seen.number
        if seen.refusal:
            return _differs(recording, number, [seen.refusal])
        wrong = _wrong(recording.mark(number), seen)
        if wrong:
            return _differs(recording, number, [f"other {', '.join(wrong)}", *_details(recording, seen, wrong, steps)])
    if len(recording.marks) != len(recording.mark(0)) * (number + 1):
        return _differs(recording, number + 1, ["there are fewer moves than were recorded"])
    return Outcome(recording.name, number)


def _wrong(mark: bytes, seen: Seen) -> list[str]:
    now = seen.mark
    places = (slice(index * BYTES, (index + 1) * BYTES) for index in range(len(PARTS)))
    return [part for part, place in zip(PARTS, places, strict=True) if mark[place] != now[place]]


def _differs(recording: Recording, number: int, lines: list[str]) -> Outcome:
    move = text(recording.moves[number - 1]) if 0 < number <= len(recording.moves) else "the beginning or the end"
    head = f"{recording.name}, move {number} of {len(recording.moves)}, {move}: {lines[0]}"
    more = [f"    {line}" for line in lines[1 : TOLD + 1]]
    if len(lines) > TOLD + 1:
        more.append(f"    and {len(lines) - TOLD - 1} more lines")
    return Outcome(recording.name, max(number - 1, 0), DIFFERENT, number, "\n".join([head, *more]))


def _details(recording: Recording, seen: Seen, wrong: Collection[str], steps: Iterable[Seen]) -> list[str]:
    """What can be told: the difference from the next whole position that is kept, and today's events and offer."""
    lines = []
    if "position" in wrong:
        lines += _difference(recording, seen, steps)
    if "events" in wrong:
        lines += ["events now:", *(f"  {text(event)}" for event in seen.events)]
    if "offer" in wrong:
        lines += ["offer now:", *(f"  {text(entry)}" for entry in seen.offer)]
    return lines


def _difference(recording: Recording, seen: Seen, steps: Iterable[Seen]) -> list[str]:
    kept = recording.view_from(seen.number)
    if kept is None:
        return ["position: no whole position is kept; compare --show with that of the recorded commit"]
    number, position = kept
    while seen.number < number:
        later = next(iter(steps), None)
        if later is None or later.refusal:
            why = later.refusal if later else "the game is over"
            return [f"position: the next whole one, after move {number}, is not reached ({why}); use --show"]
        seen = later
    return [f"position after move {number}, recorded and now:", *differences(position, seen.position)]


def differences(before: View, now: View) -> list[str]:
    """Lines for all that differs between two positions."""
    now = json.loads(text(now))
    return [
        f"  {key}: {text(before[key]) if key in before else 'nothing'} -> {text(now[key]) if key in now else 'nothing'}"
        for key in sorted(before.keys() | now.keys())
        if key not in before or key not in now or before[key] != now[key]
    ]


def shown(recording: Recording, number: int) -> list[str]:
    """What is seen after a move, in lines that can be compared with those of another version."""
    for seen in course(recording):
        if seen.refusal:
            return [f"move {seen.number} is {seen.refusal}"]
        if seen.number == number:
            return [
                *(f"{key}: {text(value)}" for key, value in sorted(seen.position.items())),
                *(f"event {index}: {text(event)}" for index, event in enumerate(seen.events)),
                *(f"offer to {player}: {text(choice)}" for player, choices in seen.offer for choice in choices),
            ]
    return [f"the game has {len(recording.moves)} moves"]


# ---------------------------------------------------------------------- wanted differences

#: The move at which a game differs, and why that is right.
Wanted = Mapping[str, tuple[int, str]]


def expected(path: Path = EXPECTED_FILE) -> dict[str, tuple[int, str]]:
    entries = tomllib.loads(path.read_text("utf-8")).get("difference", [])
    return {entry["game"]: (entry["move"], entry["reason"]) for entry in entries}


def judge(outcome: Outcome, wanted: Wanted) -> Outcome:
    """A difference that is wanted is no fault; one that is wanted and does not come is."""
    if outcome.name not in wanted:
        return outcome
    move, reason = wanted[outcome.name]
    if outcome.verdict == EQUAL:
        told = f"{outcome.name}: no difference, though one is expected at move {move} ({reason})"
        return replace(outcome, verdict=DIFFERENT, told=told)
    if outcome.move == move:
        return replace(outcome, verdict=EXPECTED, told=f"{outcome.name}, move {move}: as expected ({reason})")
    return replace(outcome, told=f"{outcome.told}\n    one is expected at move {move} ({reason})")


def expect(outcomes: Iterable[Outcome], reason: str, path: Path = EXPECTED_FILE) -> None:
    """Add differences to those that are wanted."""
    found = {outcome.name: (outcome.move, reason) for outcome in outcomes if outcome.move is not None}
    _write(path, {**expected(path), **found})


def forget_expected(names: Collection[str], path: Path = EXPECTED_FILE) -> None:
    """Take the differences of these games out of those that are wanted."""
    entries = expected(path)
    if entries.keys() & set(names):
        _write(path, {name: entry for name, entry in entries.items() if name not in names})


def _write(path: Path, entries: Mapping[str, tuple[int, str]]) -> None:
    tables = [
        f"\n[[difference]]\ngame = {text(name)}\nmove = {move}\nreason = {text(reason)}\n"
        for name, (move, reason) in sorted(entries.items())
    ]
    path.write_text(HEAD + "".join(tables), "utf-8")
