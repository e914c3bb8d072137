"""An answer's work goes on while Discord is told that an answer will come."""

from __future__ import annotations

import asyncio

import pytest

from bot.answers import meanwhile


async def test_the_work_begins_before_discord_has_answered_but_after_it_was_asked() -> None:
    order: list[str] = []
    done = asyncio.Event()

    async def tell() -> None:
        order.append("asked")
        await done.wait()
        order.append("acknowledged")

    async def work() -> int:
        order.append("work")
        await asyncio.sleep(0)
        done.set()
        return 18

    async with asyncio.timeout(5):
        assert await meanwhile(tell(), work()) == 18
    assert order == ["asked", "work", "acknowledged"]


async def test_work_that_fails_fails_after_the_acknowledgement() -> None:
    """What went wrong is told as a second answer, so the first must have arrived."""
    told: list[str] = []

    async def tell() -> None:
        await asyncio.sleep(0.01)
        told.append("acknowledged")

    async def work() -> None:
        raise KeyError("no game")

    with pytest.raises(KeyError):
        await meanwhile(tell(), work())
    assert told == ["acknowledged"]


async def test_an_acknowledgement_that_fails_is_an_error() -> None:
    async def tell() -> None:
        raise ConnectionError

    async def work() -> int:
        await asyncio.sleep(0.01)
        return 18

    with pytest.raises(ConnectionError):
        await meanwhile(tell(), work())
