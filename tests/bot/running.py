"""The bot in a process of its own, as `kursbuch run` starts it, without the waits that only the real Discord needs."""

from __future__ import annotations

import asyncio
import logging

from bot.announce.rate_limit import RateLimit
from bot.card.pictures import Pictures
from bot.cli.run import serve
from bot.settings import Settings
from workshop.evening.guests import NoPictures


def at_once(self: RateLimit, game: int) -> float:
    """The table that it is at has no limits."""
    return 0.0


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    # Pictures are drawn elsewhere; here it is the moments between saving and telling that matter.
    Pictures.draw = NoPictures.draw  # type: ignore[method-assign]
    RateLimit.wait = at_once  # type: ignore[method-assign]
    asyncio.run(serve(Settings.from_environment(), guild_ready_timeout=0.02))
