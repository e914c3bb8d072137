"""People who play by what they see: they press the buttons of the cards, choose from menus and fill in forms."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.announce.rate_limit import RateLimit
from bot.card.pictures import Drawn, Pictures
from bot.client import Kursbuch
from bot.games.service import Live
from bot.settings import Settings
from engine.game import Game
from engine.offer import Choice
from storage.records import GameRecord
from table import components
from table.components import Kind
from table.model import JSON, Message
from table.people import Outcome, Person, text_of
from table.server import Table
from workshop.evening.house import connected, point_to, running_table

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
        while self.bot.service.houses.busy or self.bot.announcer.busy():
            await self.bot.service.houses.idle()
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
    """Draws nothing, for tests in which only the moves matter, unless it is told to."""

    drawing = False

    async def draw(self, make: Callable[[], Drawn], *, instead_of: object = None, patience: float = 0) -> Drawn | None:
        if not getattr(self, "drawing", False):
            return None
        return await super().draw(make, instead_of=instead_of, patience=patience)


@asynccontextmanager
async def evening(
    patch: pytest.MonkeyPatch,
    data: Path,
    *,
    table: Table | None = None,
    pictures: Pictures | None = None,
    locale: str = "en-GB",
    **options: Any,
) -> AsyncIterator[Evening]:
    """The bot at a table (a fresh one unless one is given), where all speak one language unless it is left open."""
    async with AsyncExitStack() as stack:
        if table is None:
            table = await stack.enter_async_context(running_table())
            table.rates.enforced = False
        for user in table.world.users.values():
            # Guests know what is to be pressed by its English name.
            user.locale = locale or user.locale
        point_to(patch, table.api_url, table.gateway_url, table.url)
        settings = Settings(table.token, data=data, sync_commands=True)
        bot = Kursbuch(settings, guild_ready_timeout=0.02, **options)
        if pictures is not None:
            bot.pictures = pictures
        if not table.rates.enforced:
            # People here are quicker than any; only what is written matters, not when.
            bot.rate = RateLimit(most=1_000_000)
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


#: What a button does that shows a band of the map, or another page.
PAGE = "page"


@dataclass(frozen=True)
class Press:
    """A button of the offer: its label, the number of the choice it is for, and what it does."""

    label: str
    number: int
    code: str
    verb: str


def stood(choice: str) -> int:
    """Where the choice of an id stood in the offer."""
    return int(choice.partition("~")[0])


def presses(message: Message) -> list[Press]:
    """The buttons that lead to moves."""
    found = []
    for each in components.walk(message.components):
        if each["type"] == Kind.BUTTON and str(each.get("custom_id")).startswith("m:"):
            _, _, _, number, code, verb = each["custom_id"].split(":")
            found.append(Press(each["label"], stood(number), code, verb.partition("~")[0]))
        elif each["type"] == Kind.BUTTON and str(each.get("custom_id")).startswith("p:"):
            _, _, _, number, code, _ = each["custom_id"].split(":")
            found.append(Press(each["label"], stood(number), code, PAGE))
    return found


def made(message: Message) -> bool:
    """Whether a panel tells of a move that was made; of doing without something there may be nothing to tell."""
    return "✓" in text_of(message) or text_of(message).startswith("Done.")


#: What passing is called, step by step.
PASSES = ("Pass", "Skip track", "No station", "No train", "Run nothing")


def pass_of(message: Message) -> str:
    """The label of the button that passes."""
    return next(label for label in buttons(message) if label.startswith(PASSES))


class Guest:
    """Plays by the cards. What to press is decided by a taste for moves that bring a game on."""

    #: Kinds of moves in the order in which a guest likes them, and how often they take them when they can.
    TASTE: ClassVar[tuple[tuple[str, float], ...]] = (
        ("answer", 1.0), ("discard_train", 1.0), ("run", 1.0), ("dividend", 1.0),
        ("lay_tile", 0.85), ("place_station", 0.25), ("buy_train", 0.35), ("sell_own_shares", 1.0),
        ("take_loan", 1.0), ("buy_lot", 0.95), ("bid", 0.15), ("found", 0.4), ("buy_share", 0.95),
    )  # fmt: skip
    #: What they take of what has it, and how often: games end because money flows.
    FAVOURITES = (("Pay out", 1.0), ("Pay ", 1.0), ("bank pool", 0.5))

    def __init__(self, evening: Evening, name: str, chance: random.Random) -> None:
        self.evening = evening
        self.person = evening.person(name)
        self.chance = chance
        self.taps = 0

    def card(self, where: str) -> Message | None:
        """The newest card that asks for a decision of this person."""
        for message in reversed(self.person.messages(where)[-60:]):
            if message.reader is None and "Map" in buttons(message):
                return message if self.person.mention in text_of(message) else None
        return None

    async def game(self, where: str) -> Game:
        return (await self.evening.live(where)).game

    async def turn(self, where: str, wanted: Callable[[Choice[Any]], bool] | None = None) -> None:
        """Make one move from the card: of the wanted kind, or one to their taste."""
        card = self.card(where)
        assert card is not None
        choices = (await self.game(where)).offer().choices
        press = self.choose(self.own(card, choices), choices, wanted)
        await self.follow(await self.click(card, press.label), press.number)

    def own(self, message: Message, choices: Sequence[Choice[Any]]) -> list[Press]:
        """The buttons that are for this person; where several must decide, they carry the name."""
        name = self.person.user.display_name
        found = [press for press in presses(message) if press.verb in ("open", "ok", "run", PAGE)]
        return [press for press in found if choices[press.number].player == name]

    def choose(
        self, found: list[Press], choices: Sequence[Choice[Any]], wanted: Callable[[Choice[Any]], bool] | None = None
    ) -> Press:
        """A button of the wanted kind, or of one that they like."""
        if wanted is not None:
            return self.pick([press for press in found if wanted(choices[press.number])])
        for kind, liking in self.TASTE:
            fitting = [press for press in found if choices[press.number].name == kind]
            if fitting and (self.chance.random() < liking or len(fitting) == len(found)):
                return self.pick(fitting)
        passing = [press for press in found if choices[press.number].name == "pass"]
        return self.pick(passing or found)

    def pick(self, found: list[Press]) -> Press:
        assert found, "there is no such button"
        return found[self._entry([(str(index), press.label) for index, press in enumerate(found)])]

    async def click(self, message: Message, label: str) -> Outcome:
        self.taps += 1
        return await self.person.click(message, label)

    async def press(self, message: Message, label: str) -> Outcome:
        """Press a button of a private panel and wait until the panel has changed."""
        before = message.components
        outcome = await self.click(message, label)
        if outcome.modal is None:
            await self.evening.table.until(lambda: self.person.find(message).components != before)
        return outcome

    async def follow(self, outcome: Outcome, number: int | None = None) -> Message:
        """Answer whatever is asked about a choice until the move is made; gives the panel."""
        before: list[JSON] = []
        for _ in range(12):
            assert not outcome.failed, "the interaction failed"
            if outcome.modal is not None:
                outcome = await self.person.submit(outcome)
                self.taps += 1
            await outcome.settled()
            message = outcome.message
            assert message is not None
            if before:
                await self.evening.table.until(partial(self._has_changed, message, before))
            message = self.person.find(message)
            if made(message):
                return message
            before = message.components
            outcome = await self.step(message, number)
        raise AssertionError("the move does not come to an end")

    async def step(self, message: Message, number: int | None = None) -> Outcome:
        """The next tap in a panel on the way to a move."""
        if "Confirm" in buttons(message):
            return await self.click(message, "Confirm")
        entries = menu(message)
        if entries:
            self.taps += 2
            return await self.person.select(message, entries[self._entry(entries)][0])
        found = [press for press in presses(message) if press.verb in ("open", "ok", "run", "typed")]
        fitting = [press for press in found if press.label != "Back" and number in (None, press.number)]
        # Where a part of the map is to be chosen first, nothing else is there for the choice.
        bands = [press for press in presses(message) if press.verb == PAGE and press.label != "Back"]
        fitting = fitting or [press for press in bands if number in (None, press.number)]
        assert fitting, text_of(message)
        return await self.click(message, self.pick(fitting).label)

    def _has_changed(self, message: Message, before: list[JSON]) -> bool:
        return self.person.find(message).components != before

    def _entry(self, entries: list[tuple[str, str]]) -> int:
        """Which of several texts they take."""
        for favourite, liking in self.FAVOURITES:
            for index, (_, label) in enumerate(entries):
                if favourite in label and self.chance.random() < liking:
                    return index
        return self.chance.randrange(len(entries))


class Sitter(Guest):
    """Plays in the panel alone: of a card only the first button is pressed, and only if no panel is open."""

    panel: Message | None = None

    async def turn(self, where: str, wanted: Callable[[Choice[Any]], bool] | None = None) -> None:
        live = await self.evening.live(where)
        panel = self.panel
        if panel is None or not self._is_of(panel, live.length):
            card = self.card(where)
            assert card is not None
            outcome = await (await self.click(card, presses(card)[0].label)).settled()
            panel = self.panel = outcome.message
            assert panel is not None
            if made(panel):
                return
            while "Back" in buttons(self.person.find(panel)):
                await self.press(self.person.find(panel), "Back")
        found = [*self.own(self.person.find(panel), live.game.offer().choices), *self._menu(panel)]
        press = self.choose(found, live.game.offer().choices, wanted)
        before = self.person.find(panel).components
        if press.verb == "menu":
            outcome = await self.step(self.person.find(panel))
        else:
            outcome = await self.click(panel, press.label)
        if outcome.modal is None:
            await self.evening.table.until(partial(self._has_changed, panel, before))
        await self.follow(outcome, press.number)

    def _is_of(self, panel: Message, length: int) -> bool:
        """Whether a panel is still there and goes on in the present position."""
        if all(each.id != panel.id for each in self.person.messages(panel.channel_id)):
            return False
        ids = [str(each.get("custom_id")) for each in components.walk(self.person.find(panel).components)]
        return any(each.startswith("m:") and each.split(":")[2] == str(length) for each in ids)

    def _menu(self, panel: Message) -> list[Press]:
        ids = [str(each.get("custom_id")) for each in components.walk(self.person.find(panel).components)]
        return [Press("", stood(each.split(":")[3]), "", "menu") for each in ids if each.startswith("s:")]


class Typist(Guest):
    """Plays by slash commands: the card says what kinds of moves there are, autocomplete says the rest."""

    #: Each kind of move: its command and the options that autocomplete fills.
    COMMANDS: ClassVar[dict[str, tuple[str, tuple[str, ...]]]] = {
        "bid": ("bid", ("lot", "price")),
        "buy_lot": ("bid", ("lot",)),
        "found": ("stock found", ("company", "par")),
        "buy_share": ("stock buy", ("company", "source", "percent")),
        "sell_shares": ("stock sell", ("company", "percent")),
        "lay_tile": ("track", ("hex", "tile", "rotation")),
        "place_station": ("station", ("hex", "stop")),
        "run": ("run", ("routes",)),
        "dividend": ("dividend", ("kind",)),
        "buy_train": ("train buy", ("source", "train", "price")),
        "answer": ("answer", ("reply", "price")),
        "discard_train": ("train discard", ("train",)),
        "pass": ("pass", ()),
    }
    #: How often they use the command for any move instead.
    generic = 0.1

    async def turn(self, where: str, wanted: Callable[[Choice[Any]], bool] | None = None) -> None:
        card = self.card(where)
        assert card is not None
        choices = (await self.game(where)).offer().choices
        press = self.choose(self.own(card, choices), choices, wanted)
        choice = choices[press.number]
        command, fields = self.COMMANDS.get(choice.name, ("", ()))
        if not command or (choice.name != "buy_lot" and self.chance.random() < self.generic):
            outcome = await self.type_any(where, choice)
        else:
            given = {"private": choice.granted_by} if choice.granted_by else {}
            alike = [each for each in choices if (each.name, each.player) == (choice.name, choice.player)]
            if command == "train discard" or (len({each.company for each in alike}) > 1 and not choice.granted_by):
                given = {"company": choice.company}
            # A lot that is for sale has a price; one that can be bid on has the least bid.
            unwanted = "from " if choice.name == "buy_lot" else ""
            outcome = await self.type(where, command, fields, unwanted, **given)
        await self.confirm(outcome)

    async def confirm(self, outcome: Outcome) -> None:
        """A command shows what it would do; the panel has the last word."""
        assert not outcome.failed
        await outcome.settled()
        assert outcome.message is not None
        assert not made(outcome.message), "nothing counts before it is confirmed"
        await self.follow(outcome)

    async def type(
        self, where: str, command: str, fields: tuple[str, ...], unwanted: str = "", **given: Any
    ) -> Outcome:
        """Fill in the options of a command from what autocomplete offers; what has no offer is left out."""
        for field in fields:
            offered = await self.person.autocomplete(where, command, field, **given, **{field: ""})
            wanted = [(each["value"], each["name"]) for each in offered if not unwanted or unwanted not in each["name"]]
            if wanted:
                given[field] = wanted[self._entry(wanted)][0]
        return await self.person.slash(where, command, **given)

    async def type_any(self, where: str, choice: Choice[Any]) -> Outcome:
        """Type a move with `/move`, which takes its parameters by their place."""
        kinds = [each["value"] for each in await self.person.autocomplete(where, "move", "move", move="")]
        exact = f"{choice.name} {choice.granted_by or choice.company}"
        value = exact if exact in kinds else choice.name
        assert value in kinds
        return await self.type(where, "move", ("first", "second", "third", "fourth"), move=value)


async def done(person: Person, where: str, command: str, /, **options: Any) -> str:
    """Type a move and confirm it; gives what the panel says then."""
    outcome = await (await person.slash(where, command, **options)).settled()
    assert outcome.message is not None
    return await confirmed(person, outcome.message)


async def confirmed(person: Person, message: Message) -> str:
    """Confirm what a panel shows; gives what it says then."""
    assert "Confirm" in buttons(person.find(message)), text_of(message)
    await person.click(message, "Confirm")
    await person.table.until(lambda: "Confirm" not in buttons(person.find(message)))
    assert made(person.find(message)), text_of(message)
    return text_of(person.find(message))


async def play_out(
    evening: Evening,
    guests: list[Guest],
    where: str,
    chance: random.Random,
    *,
    most: int = 3000,
    watch: Callable[[Message], None] | None = None,
) -> int:
    """Let people play by their cards until the game is over; how many times they moved."""
    moves = 0
    while moves < most:
        await evening.settled()
        card = evening.cards(where)[-1]
        if watch is not None:
            watch(card)
        if "The game is over" in text_of(card):
            return moves
        waiting = [guest for guest in guests if guest.card(where) is not None]
        if not waiting:
            await asyncio.sleep(0.01)
            continue
        await chance.choice(waiting).turn(where)
        moves += 1
    raise AssertionError("the game does not end")
