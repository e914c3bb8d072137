"""The command `kursbuch`: one module for each subcommand."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
from collections.abc import Sequence
from importlib import metadata
from typing import TextIO

from bot.cli import (
    backup,
    check,
    draw,
    export,
    import_,
    new_title,
    play,
    replay,
    routes,
    run,
    simulate,
    table,
    titles,
)
from bot.cli.text import told
from bot.names import safe
from engine.errors import KursbuchError
from storage.errors import StorageError

COMMANDS = [table, run, play, titles, replay, routes, draw, simulate, backup, check, export, import_, new_title]


class Terminal(io.TextIOBase):
    """Passes on what is printed, without what would steer the terminal: names come from files and from Discord."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(safe(text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; what a person did wrong is one sentence and a non-zero exit."""
    parser = argparse.ArgumentParser(prog="kursbuch", description="18xx games of the Rhine-Ruhr family by message.")
    parser.add_argument("--version", action="version", version=f"kursbuch {metadata.version('kursbuch')}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subparsers)
    given = parser.parse_args(argv)
    with (
        contextlib.redirect_stdout(Terminal(sys.stdout)),
        contextlib.redirect_stderr(Terminal(sys.stderr)),
    ):
        return _carried_out(given)


def _carried_out(given: argparse.Namespace) -> int:
    try:
        return int(given.func(given) or 0)
    except (KursbuchError, StorageError) as error:
        print(f"kursbuch: {told(error)}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except OSError as error:
        # A file that somebody named: a folder in its place, a missing permission, a full disk.
        where = f"{error.filename}: " if error.filename else ""
        print(f"kursbuch: {where}{error.strerror or error}", file=sys.stderr)
        return 1
