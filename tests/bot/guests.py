"""People who play by what they see: they press the buttons of the cards, choose from menus and fill in forms."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.client import Kursbuch
from bot.settings import Settings
from storage.records import GameRecord
from table import components
from table.components import Kind
from table.model import Message
from table.people import Outcome, Person, text_of
from table.server import Table
from tests.table.house import connected, point_to, running_table

NAMES = ("ann", "bo", "cy", "dora")


@dataclass
class Evening:
    """A table with the bot at it."""

    table: Table
    bot: Kursbuch

    def person(self, name: str) -> Person:
        return self.table.person(name)

    async def lobby(self, *people: str, where: str = "lobby", **options: Any) -> Message:
        """A lobby that people have joined, the first being its host."""
        host, *others = people
        options.setdefault("title", "rhl")
        options.setdefault("seats", len(people))
        opened = await self.person(host).slash(where, "game new", **options)
        await opened.settled()
        card = await self.person(host).sees("Seats (", where)
        for name in others:
            await self.person(name).click(card, "Join")
        return card

    async def begin(self, *people: str, where: str = "lobby", **options: Any) -> GameRecord:
        """A game that has begun."""
        card = await self.lobby(*people, where=where, **options)
        await self.person(people[0]).click(card, "Start")
        await self.table.until(lambda: self._record(where) is not None)
        await self.person(people[0]).sees("your turn", where)
        return await self.record(where)

    def _record(self, where: str) -> Any:
        return next(iter(self.bot.service._live.values()), None)

    async def record(self, where: str = "lobby") -> GameRecord:
        channel = int(self.person("ann").place(where).id)
        found = await self.bot.store.game_in(channel)
        assert found is not None
        return found

    async def settled(self) -> None:
        """Wait until everything has been told."""
        await self.bot.announcer.idle()


@asynccontextmanager
async def evening(
    patch: pytest.MonkeyPatch, data: Path, *, table: Table | None = None, **options: Any
) -> AsyncIterator[Evening]:
    """The bot at a table (a fresh one unless one is given)."""
    if table is not None:
        async with _bot_at(table, patch, data, options) as made:
            yield made
        return
    async with running_table() as fresh:
        fresh.rates.enforced = False
        async with _bot_at(fresh, patch, data, options) as made:
            yield made


@asynccontextmanager
async def _bot_at(
    table: Table, patch: pytest.MonkeyPatch, data: Path, options: dict[str, Any]
) -> AsyncIterator[Evening]:
    point_to(patch, table.api_url, table.gateway_url, table.url)
    bot = Kursbuch(Settings(table.token, data=data, sync_commands=True), guild_ready_timeout=0.02, **options)
    async with connected(bot, table):
        yield Evening(table, bot)


def buttons(message: Message) -> list[str]:
    """The labels of the buttons that can be pressed."""
    return [
        str(each.get("label"))
        for each in components.walk(message.components)
        if each["type"] == Kind.BUTTON and not each.get("disabled")
    ]


def menu(message: Message) -> list[tuple[str, str]]:
    """Value and label of each entry of the message's menu."""
    for each in components.walk(message.components):
        if each["type"] == Kind.STRING_SELECT:
            return [(entry["value"], entry["label"]) for entry in each["options"]]
    return []


class Guest:
    """Plays by the cards. What to press is decided by a taste for moves that bring a game on."""

    #: Kinds of moves in the order in which a guest likes them, and how often he takes them when he can.
    TASTE = (
        ("Answer", 1.0), ("Discard a train", 1.0), ("Run trains", 1.0), ("Use the revenue", 1.0),
        ("Lay track", 0.85), ("Place a station", 0.4), ("Buy a train", 0.8), ("Sell own shares", 1.0),
        ("Take a credit", 1.0), ("Buy", 0.9), ("Bid", 0.3), ("Found a company", 0.5), ("Buy a share", 0.85),
    )  # fmt: skip

    def __init__(self, evening: Evening, name: str, chance: random.Random) -> None:
        self.evening = evening
        self.person = evening.person(name)
        self.chance = chance
        self.pressed: set[str] = set()

    def card(self, where: str) -> Message | None:
        """The newest card that asks for a decision of this person."""
        for message in reversed(self.person.messages(where)[-60:]):
            if message.reader is None and "Map" in buttons(message):
                return message if self.person.mention in text_of(message) else None
        return None

    async def turn(self, where: str) -> str:
        """Make one move from the card; gives the label of the choice taken."""
        card = self.card(where)
        assert card is not None
        label = self.choose([label for label in buttons(card) if label not in ("Map", "Market", "Sheet")])
        self.pressed.add(label)
        outcome = await self.person.click(card, label)
        await self.follow(outcome)
        return label

    def choose(self, labels: list[str]) -> str:
        for kind, liking in self.TASTE:
            for label in labels:
                if label.split(" (")[0] == kind and (self.chance.random() < liking or len(labels) == 1):
                    return label
        return "Pass" if "Pass" in labels else self.chance.choice(labels)

    async def follow(self, outcome: Outcome) -> None:
        """Answer whatever is asked until the move is made."""
        for _ in range(12):
            assert not outcome.failed, "the interaction failed"
            if outcome.modal is not None:
                outcome = await self.person.submit(outcome)
                continue
            await outcome.settled()
            message = outcome.message
            assert message is not None
            if "Confirm" in buttons(message):
                outcome = await self.person.click(message, "Confirm")
                await outcome.settled()
                await self._until_done(message)
                return
            entries = menu(message)
            if not entries:
                return
            outcome = await self.person.select(message, self._entry(entries))
            if outcome.modal is None:
                await self._until_changed(message, entries)

    def _entry(self, entries: list[tuple[str, str]]) -> str:
        return self.chance.choice(entries)[0]

    async def _until_done(self, message: Message) -> None:
        await self.evening.table.until(lambda: "Confirm" not in buttons(self.person.find(message)))

    async def _until_changed(self, message: Message, entries: list[tuple[str, str]]) -> None:
        def changed() -> bool:
            now = self.person.find(message)
            return menu(now) != entries or "Confirm" in buttons(now)

        await self.evening.table.until(changed)


async def play_out(
    evening: Evening, people: list[str], where: str, chance: random.Random, most: int = 5000
) -> tuple[int, set[str]]:
    """Let people play by their cards until the game is over; how many moves, and which buttons were used."""
    guests = {name: Guest(evening, name, chance) for name in people}
    for number in range(most):
        await evening.settled()
        last = text_of(evening.person(people[0]).last(where)) if evening.person(people[0]).messages(where) else ""
        if "The game is over" in last:
            return number, set().union(*(guest.pressed for guest in guests.values()))
        waiting = [guest for guest in guests.values() if guest.card(where) is not None]
        if not waiting:
            await asyncio.sleep(0.01)
            continue
        await chance.choice(waiting).turn(where)
    raise AssertionError("the game does not end")
