"""Reading a saved game that somebody names on the command line."""

from __future__ import annotations

from pathlib import Path

import titles
from engine.errors import BadGame
from engine.game import Game


def load(path: str, until: int | None = None) -> Game:
    """The game in a file; every fault is a BadGame that names the file."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise BadGame(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise BadGame(f"{path}: this is no saved game: it is not UTF-8 text") from None
    try:
        return titles.load_game(text, until)
    except BadGame as error:
        raise BadGame(path, error) from None
