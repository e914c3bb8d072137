"""The option that names the database, for the commands that need one."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from bot.settings import read_env_file
from storage.errors import StorageError

NAME = "kursbuch.sqlite3"


def add_options(parser: argparse.ArgumentParser) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--data", type=Path, metavar="DIR", help=f"the bot's data directory, which holds {NAME}")
    where.add_argument(
        "--database", type=Path, metavar="FILE", help=f"the database itself (default: {NAME} in KURSBUCH_DATA or data)"
    )


def chosen(arguments: argparse.Namespace) -> Path:
    """The database that was named; it has to be there."""
    # The same default as that of the running bot, without asking for its token.
    environment = {**read_env_file(Path(os.environ.get("KURSBUCH_ENV") or ".env")), **os.environ}
    path: Path = arguments.database or (arguments.data or Path(environment.get("KURSBUCH_DATA") or "data")) / NAME
    if not path.is_file():
        raise StorageError(f"there is no database {path}")
    return path
