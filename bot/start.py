"""The way into the program: what a signal means is settled before anything else is loaded.

Loading takes a second. The first process of a container is told of a signal only if it has said what it means to it,
so without this a stop in that second would be ignored until the container is killed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

#: The commands that serve until they are asked to stop; the others are stopped by a signal as any program is.
SERVING = ("run", "table")
#: The packages that were installed together with this one; their names are plain, so another program may have the same.
SIBLINGS = ("catalogue", "engine", "renderers", "storage", "table", "titles")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; a serving command that is asked to stop while it is being loaded ends with 0."""
    given = list(sys.argv[1:] if argv is None else argv)
    if given[:1] and given[0] in SERVING:
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, _leave)
    stranger = foreign()
    if stranger:
        print(
            f"Kursbuch does not start: the package {stranger} is not its own; "
            "install it into an environment of its own (docs/hosting.md).",
            file=sys.stderr,
        )
        return 1
    from bot.cli import main as command_line

    return command_line(given)


def foreign() -> str:
    """The first sibling that is not the one beside this package, with where it lies instead; nothing is loaded."""
    home = Path(__file__).resolve().parents[1]
    for name in SIBLINGS:
        found = find_spec(name)
        if found is None or not found.origin:
            return f"{name!r} (it is not there)"
        if Path(found.origin).resolve().parents[1] != home:
            return f"{name!r} in {Path(found.origin).parent}"
    return ""


def _leave(number: int, frame: FrameType | None) -> None:
    # At once, not by an exception: that could come up in the middle of any module. Nothing is open yet.
    os._exit(0)
