"""Runs a table by itself, for tests that start and stop the bot around it."""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
from contextlib import suppress
from pathlib import Path

from table.seed import furnish
from table.server import Table


async def serve(data: Path | None, port: int, *, control: bool, rate_limits: bool) -> None:
    """Serve until told to stop; the first line printed says where and with which token."""
    table = Table(data or ":memory:", port=port, control=control, rate_limits=rate_limits)
    if not table.world.guilds:
        furnish(table.world)
    await table.start()
    done = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # Windows has no signal handlers on the loop
            loop.add_signal_handler(each, done.set)
    about = {"url": table.url, "api": table.api_url, "gateway": table.gateway_url, "token": table.token}
    print(json.dumps(about), flush=True)
    await done.wait()
    await table.stop()


def main() -> None:
    """Read the arguments and serve."""
    parser = argparse.ArgumentParser(prog="python -m table", description=__doc__)
    parser.add_argument("--data", type=Path, help="the SQLite file; in memory if left out")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--control", action="store_true", help="allow orders (faults, time) over HTTP")
    parser.add_argument("--no-rate-limits", action="store_true")
    given = parser.parse_args()
    if not 0 <= given.port <= 65535:
        parser.exit(2, f"{given.port} is no port: choose one from 0 to 65535 with --port.\n")
    try:
        asyncio.run(serve(given.data, given.port, control=given.control, rate_limits=not given.no_rate_limits))
    except OSError as problem:
        parser.exit(1, f"The table cannot be laid: {problem}.\n")


if __name__ == "__main__":
    main()
