"""`kursbuch backup`: a consistent copy of the database, also while the bot is running."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from bot.cli import database
from storage import upkeep


def add_parser(subparsers: Any) -> None:
    parser = subparsers.add_parser("backup", help="copy the database, also while the bot is running")
    parser.add_argument("file", type=Path, metavar="FILE", help="where the copy goes; an older copy is replaced")
    database.add_options(parser)
    parser.set_defaults(func=run)


def run(arguments: argparse.Namespace) -> int:
    upkeep.backup_file(database.chosen(arguments), arguments.file)
    print(f"the database is copied to {arguments.file} ({arguments.file.stat().st_size / 1e6:.1f} MB)")
    return 0
