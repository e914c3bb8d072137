"""The command `kursbuch`: one module for each subcommand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from bot.cli import backup, check, draw, play, replay, routes, run, simulate, table, titles
from engine.errors import KursbuchError
from storage.store import StorageError

COMMANDS = [table, run, play, titles, replay, routes, draw, simulate, backup, check]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; what a person did wrong is one sentence and a non-zero exit."""
    parser = argparse.ArgumentParser(prog="kursbuch", description="18xx games of the Rhine-Ruhr family by message.")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subparsers)
    given = parser.parse_args(argv)
    try:
        return int(given.func(given) or 0)
    except (KursbuchError, StorageError) as error:
        print(f"kursbuch: {error}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except OSError as error:
        # A file that somebody named: a folder in its place, a missing permission, a full disk.
        where = f"{error.filename}: " if error.filename else ""
        print(f"kursbuch: {where}{error.strerror or error}", file=sys.stderr)
        return 1
