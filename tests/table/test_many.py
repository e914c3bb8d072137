"""Many at once: fifty fresh tables, two hundred people, ten thousand messages."""

from __future__ import annotations

import asyncio

import pytest

from table.people import Person
from workshop.evening import echo
from workshop.evening.house import house


@pytest.mark.parametrize("number", range(50))
async def test_fresh_server_and_fresh_client(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    async with house(monkeypatch, echo.build()) as home:
        assert (await home.ann.slash("lobby", "echo", text=f"hello {number}")).text == f"hello {number}"


async def test_two_hundred_people_click_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(monkeypatch, echo.build()) as home:
        # What is shown is that nobody is forgotten or mixed up; a loaded machine may need longer than 3 s.
        home.table.interactions.first_answer_seconds = 60
        world = home.table.world
        guild = next(iter(world.guilds.values()))
        people = []
        for number in range(200):
            user = world.add_user(f"player{number}")
            world.join(guild, user)
            people.append(Person(home.table, user))
        card = (await home.ann.slash("lobby", "card")).message
        assert card is not None
        outcomes = await asyncio.gather(*(each.click(card, "Sell") for each in people))
        for person, outcome in zip(people, outcomes, strict=True):
            assert outcome.message is not None
            assert outcome.message.reader == person.id
        echoes = await asyncio.gather(*(each.slash("lobby", "echo", text=each.id) for each in people))
        assert [each.text for each in echoes] == [each.id for each in people]
