"""Positions kept beside the log, so that a game which is not in memory need not be replayed from its first move.

A snapshot is never believed: it must follow from the same record and the same moves under the same program, and its
position must have the digest that it says. At any doubt the game is replayed.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import titles
from bot.games.replaying import at_seam
from bot.games.seats import in_present_names
from engine import older, renames
from engine.changes import View
from engine.game import Game
from engine.moves import Move
from engine.plain import flattened, maker, restored, shape
from engine.state import State, digest_of, text_of
from storage.records import GameRecord, Kept, Snapshot

_log = logging.getLogger(__name__)

#: The packages whose code and data decide what a game's moves lead to.
_DECIDING = ("engine", "titles")
#: No position is larger than this; a body that would unpack to more is damaged.
LARGEST_BYTES = 4 * 2**20


@cache
def program() -> str:
    """A hash of all that decides what moves lead to: the sources of the rules, their data, and the form of the body."""
    found = hashlib.sha256(f"three lines\n{shape(State)}\n{shape(View)}\n".encode())
    for package in _DECIDING:
        for name, file in sorted(_files(resources.files(package), package)):
            found.update(f"{name}\n".encode())
            found.update(file.read_bytes())
    return found.hexdigest()


def _files(folder: Traversable, name: str) -> list[tuple[str, Traversable]]:
    result: list[tuple[str, Traversable]] = []
    for each in folder.iterdir():
        path = f"{name}/{each.name}"
        if each.is_dir():
            result += _files(each, path)
        elif each.name.endswith((".py", ".toml")):
            result.append((path, each))
    return result


def prepare() -> None:
    """Find out once what every reading needs."""
    program()
    _kinds()
    maker(State)
    maker(View)


def basis(record: GameRecord, length: int, seqs: Sequence[int]) -> str:
    """What a position follows from; entries of a log never change, so their numbers stand for them."""
    facts = [
        program(),
        record.id,
        record.title,
        record.form,
        dict(record.options),
        record.seed,
        [seat.name for seat in record.seats],
        length,
        list(seqs),
    ]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def take(
    record: GameRecord,
    game: Game,
    length: int,
    seqs: Sequence[int],
    seen: Mapping[str, View],
    data: Any = None,
) -> Snapshot:
    """The position of a game, and what each player saw after their last move; `data` are the position's, if known."""
    # A line each, and what may be done next: the position's digest is that of its line, so that neither is made twice.
    position = text_of(game.state.data() if data is None else data)
    flat = flattened(View)
    views = json.dumps({name: flat(view) for name, view in seen.items()}, separators=(",", ":"), ensure_ascii=False)
    offer = json.dumps(offered(game), separators=(",", ":"), ensure_ascii=False)
    body = zlib.compress(f"{position}\n{views}\n{offer}".encode(), 1)
    return Snapshot(length, basis(record, length, seqs), digest_of(position), body)


def fits(kept: Kept) -> bool:
    """Whether a game has a snapshot that this program has taken of it as it stands."""
    snapshot = kept.snapshot
    if snapshot is None or snapshot.length != kept.length or len(kept.moves) != len(kept.seqs):
        return False
    return snapshot.basis == basis(kept.record, kept.length, kept.seqs)


def read(kept: Kept) -> tuple[Game, dict[str, View]] | None:
    """The game that a snapshot was taken of; None if there is none or there is any doubt about it."""
    snapshot, record = kept.snapshot, kept.record
    if snapshot is None or not fits(kept):
        return None
    try:
        state, views = _parts(snapshot)
        seen = {name: restored(View, data) for name, data in json.loads(views).items()}
        names = tuple(seat.name for seat in record.seats)
        form, options = renames.form(record.title, record.form), renames.options(record.title, record.options)
        rules = titles.rules_for(record.title, len(names), options, record.seed, form)
        moves = [logged_move(in_present_names(record, data)) for data in kept.moves]
        game = Game.restore(rules, names, record.seed, moves, state)
        seam = at_seam(kept)
        if seam is not None:
            game.rest_on(seam.number, older.position(rules, names, record.seed, seam.position))
    except Exception as problem:
        _log.warning("the snapshot of game %d is of no use, the game is replayed: %r", record.id, problem)
        return None
    return game, seen


def position_of(snapshot: Snapshot) -> Any:
    """The position of a snapshot as JSON values, whatever program took it; None if it is damaged."""
    try:
        text = _unpacked(snapshot.body).split("\n")[0]
        return json.loads(text) if digest_of(text) == snapshot.digest else None
    except (ValueError, zlib.error):
        return None


def offered(game: Game) -> list[list[Any]]:
    """What may be done next, by kind: who may, for which company and by whose power. People by when they joined."""
    number = {name: place for place, name in enumerate(game.players)}
    choices = game.offer().choices
    return sorted([number.get(each.player, -1), each.name, each.company, each.granted_by] for each in choices)


def offer_of(snapshot: Snapshot) -> Any:
    """What might be done next when a snapshot was taken; None if that was not kept."""
    try:
        _, _, offer = _unpacked(snapshot.body).split("\n")
        return json.loads(offer)
    except (ValueError, zlib.error):
        return None


def position(snapshot: Snapshot) -> State:
    """The position alone, whatever program it was kept by; ValueError or the like if it cannot be read."""
    return _parts(snapshot)[0]


def _parts(snapshot: Snapshot) -> tuple[State, str]:
    text, views, *_ = _unpacked(snapshot.body).split("\n")
    if digest_of(text) != snapshot.digest:
        raise ValueError("the position has another digest")
    return State.from_data(json.loads(text)), views


@cache
def _kinds() -> dict[str, Callable[[Any], Move]]:
    """How each kind of move is made, by its name, those of the titles too."""
    found: dict[str, Callable[[Any], Move]] = {}
    waiting = Move.__subclasses__()
    while waiting:
        kind = waiting.pop()
        found[kind.TYPE] = maker(kind)
        waiting += kind.__subclasses__()
    return found


def logged_move(data: Mapping[str, Any]) -> Move:
    """A move of the log: it was checked when it was made, so that it is only put together here."""
    values = dict(renames.move(data))
    return _kinds()[values.pop("type")](values)


def _unpacked(body: bytes) -> str:
    return zlib.decompressobj().decompress(body, LARGEST_BYTES).decode()
