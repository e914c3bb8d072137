"""A saved game as JSON: what it was begun with, and its moves. See docs/formats.md."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import BadGame, BadMove, Refused
from engine.game import Game
from engine.moves import from_json, to_json

FORMAT = "kursbuch-game"
VERSION = 2


@dataclass(frozen=True)
class Saved:
    """The contents of a saved game; its moves are read when they are replayed."""

    title: str
    form: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: int
    moves: tuple[Any, ...]
    #: The digest of the position after each move (`engine.proof`), "" where none is known; () if the file has none.
    proof: tuple[str, ...] = ()


def seed_by(typed: bool) -> str:
    """Who has chosen a seed."""
    return "host" if typed else "chance"


def write(game: Game, *, seed_typed: bool | None = None, proof: Sequence[str] = ()) -> str:
    """The text of a saved game, a line a move; with who chose its seed and the proof of its positions, if known."""
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "title": game.definition.id,
        "form": game.rules.setup.form,
        "players": list(game.players),
        "options": dict(game.rules.setup.options),
        "seed": game.seed,
    }
    if seed_typed is not None:
        head["seed_by"] = seed_by(seed_typed)
    lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}," for key, value in head.items()]
    moves = ",\n".join("    " + json.dumps(to_json(move), ensure_ascii=False) for move in game.moves)
    body = f"[\n{moves}\n  ]" if moves else "[]"
    last = f',\n  "proof": {json.dumps(list(proof))}' if proof else ""
    return "{\n" + "\n".join(lines) + f'\n  "moves": {body}{last}\n}}\n'


def is_ours(text: str) -> bool:
    """Whether a text says of itself that it is a saved game, sound or not."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.get("format") == FORMAT


def read(text: str) -> Saved:
    """A saved game from its text; BadGame says what is wrong with it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadGame(f"this is no saved game: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise BadGame(f"this is no saved game: its format is not {FORMAT!r}")
    if data.get("version") != VERSION or isinstance(data["version"], bool):
        raise BadGame(f"the file is of version {data.get('version')!r:.20}; this program reads version {VERSION}")

    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise BadGame("the saved game is damaged: it has half a character, which no text can have") from None

    def need(key: str, kind: type) -> Any:
        value = data.get(key)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise BadGame(f"the saved game is damaged: {key!r} is missing or malformed")
        return value

    players = need("players", list)
    if not all(isinstance(player, str) and player for player in players):
        raise BadGame("the saved game is damaged: 'players' should be names")
    moves, proof = need("moves", list), data.get("proof", [])
    if not isinstance(proof, list) or len(proof) not in (0, len(moves)) or not all(isinstance(p, str) for p in proof):
        raise BadGame("the saved game is damaged: 'proof' should be a text for each move")
    return Saved(
        title=need("title", str),
        form=need("form", str),
        players=tuple(players),
        options=need("options", dict),
        seed=need("seed", int),
        moves=tuple(moves),
        proof=tuple(proof),
    )


def replay(game: Game, saved: Saved, until: int | None = None) -> Game:
    """Apply the saved moves to a new game."""
    for number, data in enumerate(saved.moves[:until], start=1):
        try:
            game.apply(from_json(data))
        except (Refused, BadMove) as error:
            raise BadGame(f"move {number}", error) from None
    return game
