"""The option that names the database, for the commands that need one."""

from __future__ import annotations

import argparse
from pathlib import Path

from storage.store import StorageError

NAME = "kursbuch.sqlite3"
DEFAULT = Path("data") / NAME


def add_options(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="DIR", help=f"the bot's data directory, which holds {NAME}")
    where.add_argument("--database", type=Path, metavar="FILE", help=f"the database itself (default {DEFAULT})")


def chosen(arguments: argparse.Namespace) -> Path:
    """The database that was named; it has to be there."""
    path: Path = arguments.database or (arguments.data / NAME if arguments.data else DEFAULT)
    if not path.is_file():
        raise StorageError(f"there is no database {path}")
    return path
