"""Rate limits, server errors, lost connections and slow answers, and what discord.py makes of them."""

from __future__ import annotations

import aiohttp
import discord
import pytest

from workshop.evening.house import Running, eventually


def lobby(home: Running) -> discord.TextChannel:
    found = home.client.get_channel(int(home.ann.place("lobby").id))
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.mark.parametrize("everything", [False, True])
async def test_429_with_via_is_retried(home: Running, everything: bool) -> None:
    fault = home.table.faults.rate_limit("POST .*/messages", times=2, retry_after=0.02, everything=everything)
    await lobby(home).send("through")
    assert fault.hits == 2
    assert home.ann.last("lobby").content == "through"


async def test_429_without_via_is_raised(home: Running) -> None:
    home.table.faults.rate_limit("POST .*/messages", via=False)
    with pytest.raises(discord.HTTPException) as banned:
        await lobby(home).send("never")
    assert banned.value.status == 429


async def test_429_on_an_answer_is_retried(home: Running) -> None:
    fault = home.table.faults.rate_limit("POST /interactions/", retry_after=0.02)
    assert (await home.ann.slash("lobby", "echo", text="late but there")).text == "late but there"
    assert fault.hits == 1


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_server_errors_are_retried(home: Running, status: int) -> None:
    fault = home.table.faults.fail("POST .*/messages", status=status)
    await lobby(home).send("at last")
    assert fault.hits == 1
    assert home.ann.last("lobby").content == "at last"


async def test_503_is_raised(home: Running) -> None:
    home.table.faults.fail("POST .*/messages", status=503)
    with pytest.raises(discord.DiscordServerError):
        await lobby(home).send("never")


async def test_reset_before_the_work_leaves_nothing(home: Running) -> None:
    home.table.faults.reset("POST .*/messages")
    with pytest.raises((aiohttp.ClientError, OSError)):
        await lobby(home).send("lost")
    assert home.ann.messages("lobby") == []


async def test_reset_after_the_work_leaves_the_message(home: Running) -> None:
    home.table.faults.reset("POST .*/messages", after=True)
    with pytest.raises((aiohttp.ClientError, OSError)):
        await lobby(home).send("arrived", nonce="n1")
    assert home.ann.last("lobby").content == "arrived"
    again = await lobby(home).send("arrived", nonce="n1")
    assert str(again.id) == home.ann.last("lobby").id
    assert len(home.ann.messages("lobby")) == 1


async def test_slow_answer_of_the_api_does_not_lose_the_interaction(home: Running) -> None:
    fault = home.table.faults.slow("POST /interactions/", seconds=0.1)
    assert (await home.ann.slash("lobby", "echo", text="slow")).text == "slow"
    assert fault.hits == 1


async def test_faults_can_be_called_off(home: Running) -> None:
    home.table.faults.fail("POST", times=100)
    home.table.faults.clear()
    await lobby(home).send("fine")


async def test_requests_are_noted(home: Running) -> None:
    await lobby(home).send("x")
    assert home.table.requests[-1] == f"POST /channels/{lobby(home).id}/messages"
    await eventually(lambda: home.table.gateway.connected)
