"""How an evening of chaos ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

from workshop.chaos.evening import Evening


async def test_who_is_answered_in_the_moment_of_being_cancelled_ends_all_the_same(tmp_path: Path) -> None:
    evening = Evening(tmp_path, 0)
    overheard = 0

    async def goes_on() -> None:
        nonlocal overheard
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                overheard += 1
                if overheard == 2:
                    raise

    player = evening._keep(goes_on())
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        await evening.close()
    assert (player.cancelled(), overheard) == (True, 2)
