"""The `kursbuch` command. Each subcommand is a module here with `add_parser(subparsers)`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bot.cli import table

COMMANDS = [table]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; its exit status is ours."""
    parser = argparse.ArgumentParser(prog="kursbuch", description="18xx railway games on Discord.")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add_parser(subparsers)
    given = parser.parse_args(argv)
    return int(given.func(given) or 0)
