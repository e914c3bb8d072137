"""The recorded games: which there are, how one is recorded, and the files that keep them."""

from __future__ import annotations

import hashlib
import itertools
import json
import lzma
import math
import random
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workshop import ORACLE
from workshop.digests import view as look
from workshop.digests.view import View
from workshop.oracle.replay import replay

FOLDER = Path(__file__).parent / "recordings"
RECORD = ORACLE / "rhl_game.json"
NAMES = ("ann", "bo", "cy", "di", "ed", "flo")
#: The game of real people: its moves are not ours to keep, so only its digests are.
REAL_GROUP, REAL_TITLE = "real", "rhl"
REAL = f"{REAL_GROUP}/{REAL_TITLE}"
#: What is compared of each move, with so many bytes each. A position that differs stays so: two are enough.
PARTS, BYTES = ("position", "events", "offer"), 2
WIDTH = len(PARTS) * BYTES
#: The scenarios of 18Ruhr.
SCENARIOS = ("hellweg", "metropolis", "ruhr_valley", "emscher_valley", "north_and_south")
#: The whole position is kept after so many moves; after every one in some games.
STRIDE, FULL_EVERY = 100, 10
#: A new game that takes longer than this to play, or to replay, is left for one with another seed (seconds of CPU).
LONGEST = 4.0

#: A whole position as what has changed since the one kept before it: after which move, new values, what is gone.
Kept = tuple[int, View, list[str]]


@dataclass(frozen=True)
class Recording:
    """A game: how it began, its moves in JSON form, and what was seen at the beginning and after each of them."""

    name: str
    title: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    house: str
    stride: int = STRIDE
    moves: tuple[Mapping[str, Any], ...] = ()
    marks: bytes = b""
    views: tuple[Kept, ...] = ()

    @property
    def group(self) -> str:
        return self.name.partition("/")[0]

    def mark(self, number: int) -> bytes:
        return self.marks[number * WIDTH : (number + 1) * WIDTH]

    def view_from(self, number: int) -> tuple[int, View] | None:
        """The first whole position that is kept after this move or a later one."""
        seen: View = {}
        for at, changed, gone in self.views:
            seen = {key: value for key, value in {**seen, **changed}.items() if key not in gone}
            if at >= number:
                return at, seen
        return None


def text(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def mark(position: View, events: object, offer: object) -> bytes:
    """The digests of what is seen after a move, one after the other."""
    parts = (text(part).encode() for part in (position, events, offer))
    return b"".join(hashlib.blake2b(part, digest_size=BYTES).digest() for part in parts)


@dataclass
class Seen:
    """What is seen after a move; `refusal` if it could not be made."""

    number: int
    game: look.Played
    position: View = field(default_factory=dict)
    events: list[list[Any]] = field(default_factory=list)
    offer: list[list[Any]] = field(default_factory=list)
    refusal: str = ""

    @property
    def mark(self) -> bytes:
        return mark(self.position, self.events, self.offer)


def course(recording: Recording) -> Iterator[Seen]:
    """Make the recorded moves and see the beginning, and what is there after each; a refused move is the last."""
    game = look.begin(recording.title, recording.players, recording.options, recording.seed)
    yield Seen(0, game, look.view(game), look.told(look.opening(game)), look.offered(game))
    for number, move in enumerate(recording.moves, start=1):
        events, refusal = look.make(game, move)
        if refusal:
            yield Seen(number, game, refusal=refusal)
            return
        yield Seen(number, game, look.view(game), look.told(events), look.offered(game))


# ---------------------------------------------------------------------- recording


class TooLong(Exception):
    """A game takes longer than a comparison can afford."""


def play_on(recording: Recording, game: look.Played, longest: float) -> Recording:
    """Let the house play from here to the end."""
    began = time.process_time()
    chance = random.Random(f"{recording.name} {len(look.moves(game))}")
    while not look.over(game):
        _, refusal = look.make(game, look.house_move(game, recording.house, chance))
        assert not refusal, refusal
        if time.process_time() - began > longest:
            raise TooLong(recording.name)
    return replace(recording, moves=tuple(look.moves(game)))


def record(recording: Recording, longest: float = math.inf) -> Recording:
    """Make the moves and keep what is seen; the house plays on where a move is refused or there are no more."""
    began = time.process_time()
    marks: list[bytes] = []
    views: list[Kept] = []
    before: View = {}
    for seen in course(recording):
        last = seen.number == len(recording.moves)
        if recording.house and not look.over(seen.game) and (seen.refusal or last):
            return record(play_on(recording, seen.game, longest), longest)
        if seen.refusal:
            break
        marks.append(seen.mark)
        if seen.number % recording.stride == 0 or last or look.over(seen.game):
            views.append(_kept(seen.number, before, seen.position))
            before = seen.position
        if look.over(seen.game):
            break
    if time.process_time() - began > longest:
        raise TooLong(recording.name)
    moves = recording.moves[: len(marks) - 1]
    return replace(recording, moves=moves, marks=b"".join(marks), views=tuple(views))


def _kept(number: int, before: View, now: View) -> Kept:
    changed = {key: value for key, value in now.items() if key not in before or before[key] != value}
    return number, changed, sorted(before.keys() - now.keys())


@dataclass(frozen=True)
class Slot:
    """A place in the plan: the game with the first of its seeds that does not take too long is recorded in it."""

    group: str
    title: str
    options: Mapping[str, Any]
    players: int
    house: str
    number: int
    count: int
    full: bool

    @property
    def start(self) -> str:
        """The names of all games of this kind begin so."""
        chosen = "".join(f"{value if isinstance(value, str) else key}-" for key, value in self.options.items())
        return f"{self.group}/{chosen}{self.players}-{self.house}-"

    def takes(self, recording: Recording) -> bool:
        begins, _, seed = recording.name.rpartition("-")
        return f"{begins}-" == self.start and int(seed) % self.count == self.number

    def fill(self) -> Recording:
        for seed in itertools.count(self.number or self.count, self.count):
            stride = 1 if self.full else STRIDE
            empty = Recording(
                f"{self.start}{seed}", self.title, NAMES[: self.players], self.options, seed, self.house, stride
            )
            try:
                return record(empty, LONGEST)
            except TooLong:
                continue
        raise AssertionError("there is always another seed")


def plan() -> list[Slot]:
    """All titles, all numbers of players, both houses; every option, for 18Rhl every mixture of them, and packages."""
    options: list[Mapping[str, Any]] = [
        {"edition": "earlier"},
        {"optional_2_train": True},
        {"lower_capital": True},
        {"bankruptcy_end": True},
    ]
    mixtures = [
        {key: value for option in some for key, value in option.items()}
        for number in range(2, len(options) + 1)
        for some in itertools.combinations(options, number)
    ]
    # Each value of each number at least once, with all of the others.
    packages: list[Mapping[str, Any]] = [
        {"package": "alternative"},
        {"package": "drawn"},
        {"package": "alternative", "no_1": "PWB", "no_2": "KEO", "no_3": "THS"},
        {"package": "alternative", "no_4": "TF", "no_5": "NLK", "no_6": "RHE-DIR"},
        {"no_1": "ATB", "no_3": "RGC", "no_5": "AMD"},
        {"no_2": "MB", "no_4": "KSW", "no_6": "CME-DIR"},
    ]
    counts: list[tuple[str, str, Mapping[str, Any], range, int, int]] = [
        ("rhl", "rhl", {}, range(3, 6), 10, 6),
        ("earlier", "rhl", options[0], range(3, 6), 8, 5),
        *(("options", "rhl", option, range(3, 6), 4, 3) for option in options[1:]),
        *(("mixtures", "rhl", mixture, range(3, 6), 1, 1) for mixture in mixtures),
        ("bl", "bl", {}, range(2, 7), 12, 8),
        ("lra", "lra", {}, range(3, 5), 4, 3),
        *(("lra_options", "lra", {"scenario": number}, range(3, 4), 1, 1) for number in ("1", "2", "3", "4")),
        *(("investor", "lra:investor", {"scenario": number}, range(2, 3), 1, 1) for number in ("1", "2", "3", "4")),
        ("investor", "lra:investor", {"card_offer": True}, range(2, 3), 2, 2),
        *(("investor", "lra:investor", option, range(2, 3), 1, 1) for option in ({"homes": "other"}, *options[1:])),
        ("lra_short", "lra:short", {"homes": "other"}, range(3, 4), 1, 1),
        *(("lra_options", "lra", option, range(4, 5), 1, 1) for option in ({"homes": "other"}, *options[1:])),
        *(("package", "rhl", package, range(3, 6), 1, 1) for package in packages),
        *(("cards", "rhl", cards, range(3, 6), 1, 1) for cards in ({"target_cards": True}, {"destiny_cards": True})),
        ("cards", "rhl", {"target_cards": True, "destiny_cards": True}, range(4, 5), 1, 1),
        ("rhl_short", "rhl:short", {}, range(3, 6), 2, 1),
        ("lra_short", "lra:short", {}, range(3, 6), 2, 1),
        ("ruhr", "ruhr", {}, range(3, 7), 1, 1),
        *(("ruhr", "ruhr", {"scenario": name}, range(4, 5), 1, 1) for name in SCENARIOS),
        ("ruhr", "ruhr", {"optional_cards": True}, range(5, 6), 1, 1),
        ("do_efs", "do:efs", {}, range(3, 6), 1, 1),
        ("do_trg", "do:trg", {}, range(3, 6), 1, 1),
        *(("do_hsb", "do:hsb", option, range(3, 6), 1, 1) for option in ({}, {"dealt": True})),
        *(("do_exp", "do:exp", option, range(3, 6), 1, 1) for option in ({}, {"dealt": True})),
        ("do_draft", "do:draft-hsb", {}, range(3, 6), 2, 1),
        ("do_draft", "do:draft-hsb", {"dealt": True}, range(4, 5), 1, 1),
        *(("do_two", "do:trg2", option, range(2, 3), 2, 2) for option in ({}, {"card_offer": True})),
        ("do_two_beer", "do:hsb2", {}, range(2, 3), 3, 3),
        ("do_draft_exp", "do:draft-exp", {}, range(3, 6), 1, 1),
        ("do_draft_exp", "do:draft-exp", {"dealt": True}, range(4, 5), 1, 1),
        *(
            (group, form, {"limits": "book"}, range(4, 5), 1, 1)
            for group, form in (("do_hsb", "do:hsb"), ("do_exp", "do:exp"))
        ),
        ("do_two_beer", "do:hsb2", {"limits": "book"}, range(2, 3), 1, 1),
    ]
    slots = [
        Slot(group, title, chosen, players, house, number, count, False)
        for group, title, chosen, all_players, greedy, chance in counts
        for players in all_players
        for house, count in (("greedy", greedy), ("random", chance))
        for number in range(count)
    ]
    return [replace(slot, full=index % FULL_EVERY == 0) for index, slot in enumerate(slots)]


# ---------------------------------------------------------------------- files

#: For each group: games without digests as JSON, compressed; and the digests, which cannot be compressed.
GAMES, MARKS = ".json.xz", ".digests"


def groups() -> list[str]:
    return sorted(path.name.removesuffix(MARKS) for path in FOLDER.glob(f"*{MARKS}"))


def read(group: str) -> list[Recording]:
    """The games of a group; none if the moves of the real game are not there."""
    marks = (FOLDER / f"{group}{MARKS}").read_bytes()
    if group == REAL_GROUP:
        real = real_game()
        return [replace(real, marks=marks)] if real else []
    result = []
    at = 0
    for game in json.loads(lzma.decompress((FOLDER / f"{group}{GAMES}").read_bytes())):
        end = at + (len(game["moves"]) + 1) * WIDTH
        views = tuple((number, changed, gone) for number, changed, gone in game.pop("views"))
        data = {**game, "players": tuple(game["players"]), "moves": tuple(game["moves"]), "views": views}
        result.append(Recording(**data, marks=marks[at:end]))
        at = end
    return result


def write(group: str, recordings: Iterable[Recording]) -> None:
    """Keep the games of a group, in place of those that it had."""
    recordings = sorted(recordings, key=lambda recording: recording.name)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / f"{group}{MARKS}").write_bytes(b"".join(recording.marks for recording in recordings))
    if group != REAL_GROUP:
        data = [{key: value for key, value in vars(one).items() if key != "marks"} for one in recordings]
        packed = lzma.compress(text(data).encode(), preset=9 | lzma.PRESET_EXTREME)
        (FOLDER / f"{group}{GAMES}").write_bytes(packed)


def real_game() -> Recording | None:
    """The game of real people, without digests; None where its record is not beside the project."""
    if not RECORD.exists():
        return None
    game = replay(json.loads(RECORD.read_text("utf-8"))).player.game
    title, players, options, seed = look.origin(game)
    return Recording(REAL, title, players, options, seed, house="", moves=tuple(look.moves(game)))
