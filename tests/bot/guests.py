"""People who play by what they see: they press the buttons of the cards, choose from menus and fill in forms."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.cards.pictures import Pictures
from bot.client import Kursbuch
from bot.games.service import Live
from bot.settings import Settings
from renderers.kit.picture import Picture
from storage.records import GameRecord
from table import components
from table.components import Kind
from table.model import JSON, Message
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
        opened = await self.person(host).slash(where, "game new", **{"where": "here", **options})
        await opened.settled()
        card = await self.person(host).sees("Seats (", where)
        for number, name in enumerate(others, start=2):
            await self.person(name).click(card, "Join")
            await self.person(name).sees(f"Seats ({number} of", where)
        return card

    async def begin(self, *people: str, where: str = "lobby", **options: Any) -> GameRecord:
        """A game that has begun."""
        card = await self.lobby(*people, where=where, **options)
        await self.person(people[0]).click(card, "Start")
        await self.person(people[0]).sees("your turn", where)
        return await self.record(where)

    async def record(self, where: str = "lobby") -> GameRecord:
        channel = int(self.person("ann").place(where).id)
        found = await self.bot.store.game_in(channel)
        assert found is not None
        return found

    async def settled(self) -> None:
        """Wait until the house has moved and everything has been told."""
        while self.bot.service._houses or self.bot.announcer.busy():
            await self.bot.service.idle()
            await self.bot.announcer.idle()

    async def live(self, where: str = "lobby") -> Live:
        """The game of a channel as the bot has it."""
        return await self.bot.service.live((await self.record(where)).id)

    def cards(self, where: str = "lobby") -> list[Message]:
        """The turn cards in a channel, oldest first."""
        public = [m for m in self.person("ann").messages(where) if m.reader is None]
        return [m for m in public if "Map" in buttons(m) or is_closed(m)]

    async def told(self, text: str, where: str = "lobby") -> Message:
        """Wait for a card that says something."""
        return await self.table.until(
            lambda: next((card for card in reversed(self.cards(where)) if text in text_of(card)), None)
        )


def is_closed(message: Message) -> bool:
    """Whether a message is a card that has shrunk to its record."""
    return not buttons(message) and any(f"-# {sign} " in text_of(message) for sign in "✓↓✗")


class NoPictures(Pictures):
    """Draws nothing, for tests in which only the moves matter."""

    async def draw(self, make: Callable[[], Picture], *, instead_of: object = None) -> Picture | None:
        return None


@asynccontextmanager
async def evening(
    patch: pytest.MonkeyPatch,
    data: Path,
    *,
    table: Table | None = None,
    pictures: Pictures | None = None,
    **options: Any,
) -> AsyncIterator[Evening]:
    """The bot at a table (a fresh one unless one is given)."""
    async with AsyncExitStack() as stack:
        if table is None:
            table = await stack.enter_async_context(running_table())
            table.rates.enforced = False
        point_to(patch, table.api_url, table.gateway_url, table.url)
        settings = Settings(table.token, data=data, sync_commands=True)
        bot = Kursbuch(settings, guild_ready_timeout=0.02, **options)
        if pictures is not None:
            bot.pictures = pictures
        await stack.enter_async_context(connected(bot, table))
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

    #: Kinds of moves in the order in which a guest likes them, and how often they take them when they can.
    TASTE = (
        ("Answer", 1.0), ("Discard a train", 1.0), ("Run trains", 1.0), ("Use the revenue", 1.0),
        ("Lay track", 0.85), ("Place a station", 0.25), ("Buy a train", 0.35), ("Sell own shares", 1.0),
        ("Take a loan", 1.0), ("Buy", 0.95), ("Bid", 0.15), ("Found a company", 0.4), ("Buy a share", 0.95),
    )  # fmt: skip
    #: What they take from a menu that has it, and how often: games end because money flows.
    FAVOURITES = (("Pay dividends", 1.0), ("bank", 0.95), ("bank pool", 0.5))

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
        label = self.choose(self.choices(card))
        self.pressed.add(label)
        outcome = await self.person.click(card, self.button(card, label))
        await self.follow(outcome)
        return label

    def choices(self, card: Message) -> list[str]:
        """The kinds of moves that a card offers to this person."""
        labels = [label for label in buttons(card) if label not in ("Map", "Market", "Sheet")]
        prefix = f"{self.person.user.display_name}: "
        if any(label.startswith(prefix) for label in labels):
            return [label.removeprefix(prefix) for label in labels if label.startswith(prefix)]
        return labels

    def button(self, card: Message, label: str) -> str:
        """The button for a kind of move; where several must decide it carries the name."""
        named = f"{self.person.user.display_name}: {label}"
        return named if named in buttons(card) else label

    def choose(self, labels: list[str]) -> str:
        for kind, liking in self.TASTE:
            for label in labels:
                if label.split(" (")[0] == kind and (self.chance.random() < liking or len(labels) == 1):
                    return label
        return "Pass" if "Pass" in labels else self.chance.choice(labels)

    async def press(self, message: Message, label: str) -> Outcome:
        """Press a button of a private panel and wait until the panel has changed."""
        before = message.components
        outcome = await self.person.click(message, label)
        if outcome.modal is None:
            await self.evening.table.until(lambda: self.person.find(message).components != before)
        return outcome

    async def follow(self, outcome: Outcome) -> None:
        """Answer whatever is asked until the move is made."""
        message: Message | None = None
        for _ in range(12):
            assert not outcome.failed, "the interaction failed"
            if outcome.modal is not None:
                before = message.components if message is not None else None
                outcome = await self.person.submit(outcome)
                panel = outcome.message
                if panel is not None and before is not None:
                    await self.evening.table.until(partial(self._has_changed, panel, before))
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

    def _has_changed(self, message: Message, before: list[JSON]) -> bool:
        return self.person.find(message).components != before

    def _entry(self, entries: list[tuple[str, str]]) -> str:
        for favourite, liking in self.FAVOURITES:
            for value, label in entries:
                if label.split(" (")[0] == favourite and self.chance.random() < liking:
                    return value
        return self.chance.choice(entries)[0]

    async def _until_done(self, message: Message) -> None:
        await self.evening.table.until(lambda: "Confirm" not in buttons(self.person.find(message)))

    async def _until_changed(self, message: Message, entries: list[tuple[str, str]]) -> None:
        def changed() -> bool:
            now = self.person.find(message)
            return menu(now) != entries or "Confirm" in buttons(now)

        await self.evening.table.until(changed)


class Typist(Guest):
    """Plays by slash commands alone: the card says what kinds of moves there are, autocomplete says the rest."""

    #: Each kind of move as it stands on the card: its command and the options that autocomplete fills.
    COMMANDS: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {
        "Bid": ("bid", ("lot", "price")),
        "Buy": ("bid", ("lot",)),
        "Found a company": ("stock found", ("company", "par")),
        "Buy a share": ("stock buy", ("company", "source", "percent")),
        "Sell shares": ("stock sell", ("company", "percent")),
        "Lay track": ("track", ("hex", "tile", "rotation")),
        "Place a station": ("station", ("hex", "stop")),
        "Run trains": ("run", ("routes",)),
        "Use the revenue": ("dividend", ("kind",)),
        "Buy a train": ("train buy", ("source", "train", "price")),
        "Answer": ("answer", ("reply", "price")),
        "Discard a train": ("train discard", ("train",)),
        "Pass": ("pass", ()),
    }
    #: How often they use the command for any move instead.
    generic = 0.1

    async def turn(self, where: str) -> str:
        card = self.card(where)
        assert card is not None
        label = self.choose(self.choices(card))
        self.pressed.add(label)
        kind, _, tag = label.removesuffix(")").partition(" (")
        command, fields = self.COMMANDS.get(kind, ("", ()))
        if not command or (kind != "Buy" and self.chance.random() < self.generic):
            outcome = await self.type_any(where, label)
        else:
            given = {"private": tag} if tag and command == "track" else {"company": tag} if tag else {}
            # A lot that is for sale has a price; one that can be bid on has the least bid.
            unwanted = "from " if kind == "Buy" else ""
            outcome = await self.type(where, command, fields, unwanted, **given)
        assert not outcome.failed
        await outcome.settled()
        assert "Done." in outcome.text, f"{label}: {outcome.text}"
        return label

    async def type(
        self, where: str, command: str, fields: tuple[str, ...], unwanted: str = "", **given: Any
    ) -> Outcome:
        """Fill in the options of a command from what autocomplete offers; what has no offer is left out."""
        for field in fields:
            offered = await self.person.autocomplete(where, command, field, **given, **{field: ""})
            wanted = [(each["value"], each["name"]) for each in offered if not unwanted or unwanted not in each["name"]]
            if wanted:
                given[field] = self._entry(wanted)
        return await self.person.slash(where, command, **given)

    async def type_any(self, where: str, label: str) -> Outcome:
        """The same with `/move`, which takes its parameters by their place."""
        kinds = await self.person.autocomplete(where, "move", "move", move="")
        value = next(each["value"] for each in kinds if each["name"] == label)
        return await self.type(where, "move", ("first", "second", "third", "fourth"), move=value)


async def play_out(
    evening: Evening,
    guests: list[Guest],
    where: str,
    chance: random.Random,
    *,
    most: int = 3000,
    watch: Callable[[Message], None] | None = None,
) -> tuple[int, set[str]]:
    """Let people play by their cards until the game is over; how many moves, and which kinds were made."""
    moves = 0
    while moves < most:
        await evening.settled()
        card = evening.cards(where)[-1]
        if watch is not None:
            watch(card)
        if "The game is over" in text_of(card):
            return moves, set().union(*(guest.pressed for guest in guests))
        waiting = [guest for guest in guests if guest.card(where) is not None]
        if not waiting:
            await asyncio.sleep(0.01)
            continue
        await chance.choice(waiting).turn(where)
        moves += 1
    raise AssertionError("the game does not end")
