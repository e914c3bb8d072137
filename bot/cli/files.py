"""Reading a saved game that somebody names on the command line."""

from __future__ import annotations

import stat
from pathlib import Path

import titles
from engine import codec
from engine.errors import BadGame
from engine.game import Game

#: No saved game comes near this; a file that never ends does.
LARGEST_BYTES = 16 * 2**20


def load(path: str, until: int | None = None) -> Game:
    """The game in a file; every fault is a BadGame that names the file."""
    text = _text(path)
    try:
        return titles.load_game(text, until)
    except BadGame as error:
        raise BadGame(path, error) from None


def proof(path: str) -> tuple[str, ...]:
    """The proof in a saved game; every fault is a BadGame that names the file."""
    try:
        return codec.read(_text(path)).proof
    except BadGame as error:
        raise BadGame(path, error) from None


def any_game(path: str) -> titles.Foreign:
    """The game in a file of ours or of another program; every fault is a BadGame that names the file."""
    text = _text(path)
    try:
        if codec.is_ours(text):
            game = titles.load_game(text)
            return titles.Foreign(game, dict(enumerate(game.state.seats)))
        return titles.foreign_game(text)
    except BadGame as error:
        raise BadGame(path, error) from None


def _text(path: str) -> str:
    try:
        return _content(path).decode("utf-8")
    except OSError as error:
        raise BadGame(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadGame(f"{path}: this is no saved game: it is not UTF-8 text") from None


def _content(path: str) -> bytes:
    with Path(path).open("rb") as file:
        kind = Path(path).stat().st_mode
        if not stat.S_ISREG(kind) and not stat.S_ISFIFO(kind):
            raise BadGame(f"{path}: this is no file")
        content = file.read(LARGEST_BYTES + 1)
    if len(content) > LARGEST_BYTES:
        raise BadGame(f"{path}: this is no saved game: it has more than {LARGEST_BYTES // 2**20} MiB")
    return content
