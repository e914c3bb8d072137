"""The process is killed at random moments of a running game, and another takes its place.

What was acknowledged is there, the panels work, and each announcement is made exactly once or says that it is made
again. KURSBUCH_KILLS sets how often it is killed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import sqlite3
import sys
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import titles
from bot.client import DATABASE
from bot.texts import speaker
from bot.words.wording import event_lines
from engine.game import Game
from engine.moves import from_json
from table import components
from table.components import Kind
from table.errors import Refused
from table.model import JSON
from workshop.evening.remote import RemotePerson, RemoteTable

KILLS = int(os.environ.get("KURSBUCH_KILLS", "8"))
PEOPLE = ("ann", "bo", "cy")
LOOKS = ("Map", "Market", "Sheet")
#: Buttons of a panel that lead to no move by themselves.
ASIDE = ("Back", "By hand", "Another number …", "Correct it", "◀", "▶")
EPHEMERAL = 64
SAY = speaker("en")


async def start(*command: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *command, stdout=asyncio.subprocess.PIPE, env={**os.environ, **environment}
    )


async def end(process: asyncio.subprocess.Process, how: signal.Signals) -> None:
    if process.returncode is None:
        process.send_signal(how)
    await asyncio.wait_for(process.wait(), 30)


def labels(message: JSON) -> list[str]:
    return [each["label"] for each in components.walk(message["components"]) if each["type"] == Kind.BUTTON]


def text(message: JSON) -> str:
    return "\n".join(components.texts(message["components"])).replace("\N{NO-BREAK SPACE}", " ")


def is_card(message: JSON) -> bool:
    return not message["flags"] & EPHEMERAL and "Map" in labels(message)


class Books:
    """What the database says, read by somebody else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.game: Game | None = None
        self.replayed = 0

    def ask(self, query: str, *values: Any) -> list[Any]:
        db = sqlite3.connect(self.path)
        try:
            return db.execute(query, values).fetchall()
        finally:
            db.close()

    def interactions(self) -> set[int]:
        return {row[0] for row in self.ask("SELECT interaction FROM log WHERE interaction IS NOT NULL")}

    def pending(self) -> int:
        return int(self.ask("SELECT count(*) FROM notices WHERE done IS NULL")[0][0])

    def length(self) -> int:
        return int(self.ask("SELECT coalesce(max(seq), 0) FROM log")[0][0])

    def position(self) -> Game:
        """The game as the log has it; every entry must follow from those before it."""
        if self.game is None:
            title, options, seed = self.ask("SELECT title, options, seed FROM games")[0]
            names = [row[0] for row in self.ask("SELECT name FROM seats ORDER BY position")]
            self.game = titles.new_game(title, names, json.loads(options), seed)
        for seq, body in self.ask("SELECT seq, body FROM log WHERE seq > ? ORDER BY seq", self.replayed):
            assert seq == self.replayed + 1, "the log has a gap"
            self.game.apply(from_json(json.loads(body)))
            self.replayed = seq
        return self.game

    def expected_lines(self) -> Counter[str]:
        """Every line that was to be told."""
        found: Counter[str] = Counter()
        game = self.position()
        for (data,) in self.ask("SELECT data FROM notices ORDER BY id"):
            for part in json.loads(data)["parts"]:
                found.update(event_lines(SAY.of(game.definition.id), part["events"], game))
        return found


class Players:
    """Three people who play through the table as long as they are let."""

    def __init__(self, table: RemoteTable, chance: random.Random) -> None:
        self.table = table
        self.people: dict[str, RemotePerson] = {name: table.person(name) for name in PEOPLE}
        self.ids: dict[str, str] = {}
        self.chance = chance
        #: The clicks on the way to each move of which somebody was told that it is made: one of them made it.
        self.acknowledged: list[set[int]] = []
        self.clicks = 0
        #: What the panel said when it was last pressed.
        self.before = ""

    async def meet(self) -> None:
        for each in (await self.table.get("people"))["people"]:
            self.ids[each["username"]] = each["id"]

    async def begin(self) -> None:
        ann = self.people["ann"]
        for person in self.people.values():
            # They know what is to be pressed by its English name.
            await person.slash("lobby", "me", language="en")
        await ann.slash("lobby", "game new", title="rhl", where="here", seats=3, seed=4)
        card = await ann.sees("Seats (1", "lobby")
        for number, name in enumerate(PEOPLE[1:], start=2):
            await self.people[name].click(card["id"], "Join")
            await ann.sees(f"Seats ({number}", "lobby")
        await ann.click(card["id"], "Start")
        await ann.sees("your turn", "lobby")

    async def card(self) -> JSON:
        return next(each for each in reversed(await self.people["ann"].messages("lobby")) if is_card(each))

    async def play(self) -> None:
        """Move after move, whoever's turn it is."""
        while True:
            with suppress(Refused, StopIteration):  # an answer was cut off by the kill, or the panel has changed
                await self.move()

    async def move(self) -> None:
        card = await self.card()
        asked = text(card).splitlines()
        name = next((n for n in PEOPLE if any(f"<@{self.ids[n]}>, it is your turn" in line for line in asked)), None)
        choices = [label for label in labels(card) if label not in LOOKS]
        if name is None or not choices:
            await asyncio.sleep(0.02)
            return
        person = self.people[name]
        self.before = ""
        outcome = await person.click(card["id"], self.chance.choice(choices))
        clicks: set[int] = set()
        for _ in range(30):
            self.clicks += 1
            clicks.add(int(outcome["interaction"]))
            if outcome["failed"]:
                return
            if outcome["modal"]:
                outcome = await person.submit(outcome)
                continue
            panel = await self.settled(person, outcome)
            if panel is None:
                return
            if "✓" in text(panel):
                self.acknowledged.append(clicks)
                # The same panel goes on as long as it offers something; sometimes they return to the card.
                clicks = set()
                if self.chance.random() < 0.3:
                    return
            menu = next((e for e in components.walk(panel["components"]) if e["type"] == Kind.STRING_SELECT), None)
            picks = [label for label in labels(panel) if label not in ASIDE and not label.startswith("Undo")]
            self.before = text(panel)
            if "Confirm" in labels(panel):
                outcome = await person.click(panel["id"], "Confirm")
            elif menu is not None:
                outcome = await person.select(panel["id"], self.chance.choice(menu["options"])["value"])
            elif picks:
                outcome = await person.click(panel["id"], self.chance.choice(picks))
            else:
                return

    async def settled(self, person: RemotePerson, outcome: JSON) -> JSON | None:
        """The private answer once it has become one; None if it never does."""
        before = None
        for _ in range(200):
            found = [each for each in await person.messages("lobby") if each["id"] == outcome["message"]]
            now = text(found[0]) if found else ""
            if now and now != self.before:
                if before == now:
                    return found[0]
                before = now
            await asyncio.sleep(0.01)
        return None


async def until(check: Any, what: str, seconds: float = 60.0) -> None:
    try:
        async with asyncio.timeout(seconds):
            while not await check():  # noqa: ASYNC110 (another process)
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise AssertionError(f"it never came to this: {what}") from None


async def test_a_killed_bot_has_lost_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(1865)
    server = await start("table", "--control", "--no-rate-limits")
    assert server.stdout is not None
    bot: asyncio.subprocess.Process | None = None
    try:
        about = json.loads(await asyncio.wait_for(server.stdout.readline(), 60))
        settings = {
            "DISCORD_TOKEN": about["token"],
            "DISCORD_API_BASE": about["api"],
            "DISCORD_GATEWAY": about["gateway"],
            "KURSBUCH_DATA": str(tmp_path),
        }
        books = Books(tmp_path / DATABASE)
        async with RemoteTable(about["url"]) as table:
            players = Players(table, chance)
            await players.meet()
            cards: dict[str, JSON] = {}
            bot = await start("tests.bot.running", **settings, KURSBUCH_SYNC="1")
            await table.bot_is_here(60)
            await players.begin()
            for kill in range(KILLS + 1):
                moves = books.length()

                async def moved(least: int = moves + chance.randrange(1, 5)) -> bool:
                    return books.length() >= least

                playing = asyncio.create_task(players.play())
                await until(moved, f"the game goes on after kill {kill}")
                await asyncio.sleep(chance.random() * 0.4)
                # The last time it is asked to go: then what is under way is finished.
                await end(bot, signal.SIGTERM if kill == KILLS else signal.SIGKILL)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
                check_books(books, players)
                bot = await start("tests.bot.running", **settings)
                await table.bot_is_here(60)
                await until(lambda: told(books), "everything is told")
                await gather(players, cards)
                await check_card(books, players)
            check_told(books, cards)
            status = await table.control("status")
            assert (status["unknown_routes"], status["crashes"]) == ([], [])
            assert books.ask("PRAGMA integrity_check") == [("ok",)]
            print(f"{KILLS} kills, {books.length()} moves, {len(players.acknowledged)} acknowledged, "
                  f"{players.clicks} clicks, {sum('made again' in text(card) for card in cards.values())} of "
                  f"{len(cards)} cards made again")  # fmt: skip
    finally:
        for each in (bot, server):
            if each is not None:
                await end(each, signal.SIGKILL)


async def told(books: Books) -> bool:
    return books.pending() == 0


async def gather(players: Players, cards: dict[str, JSON]) -> None:
    """Keep all cards as they are now."""
    for each in await players.people["ann"].messages("lobby"):
        # Old cards have shrunk to their record, which tells the same.
        if is_card(each) or any(f"-# {sign} " in text(each) for sign in "✓↓✗"):
            cards[each["id"]] = each


def check_books(books: Books, players: Players) -> None:
    """Every acknowledged move is in the log, the log replays, and who is waited for has to decide."""
    kept = books.interactions()
    for clicks in players.acknowledged:
        assert len(clicks & kept) == 1
    game = books.position()
    seats = {row[0]: row[1] for row in books.ask("SELECT name, user FROM seats")}
    waiting = {(user, player) for user, player in books.ask("SELECT user, player FROM waiting")}
    assert waiting == {(seats[name], name) for name in game.offer().deciders}
    reminded = books.ask("SELECT count(*) FROM waiting WHERE steps_sent > 0 OR begun IS NOT NULL")
    assert reminded == [(0,)]


async def check_card(books: Books, players: Players) -> None:
    """The newest card is of the present position."""
    card = await players.card()
    ids = [each["custom_id"] for each in components.walk(card["components"]) if each["type"] == Kind.BUTTON]
    made_for = {int(found[1]) for each in ids if (found := re.match(r"m:\d+:(\d+):", each))}
    assert made_for == {books.length()}
    assert set(components.texts(card["components"])) != set()
    for name in books.position().offer().deciders:
        assert f"<@{players.ids[name.lower()]}>" in text(card)


def check_told(books: Books, cards: dict[str, JSON]) -> None:
    """Nothing was left untold, and what was told twice says that it is made again."""
    once: Counter[str] = Counter()
    everything: Counter[str] = Counter()
    for card in cards.values():
        lines = [line.removeprefix("- ") for line in text(card).splitlines() if line.startswith("- ")]
        everything.update(lines)
        if "made again" not in text(card):
            once.update(lines)
    expected = books.expected_lines()
    assert not expected - everything, f"never told: {expected - everything}"
    assert not once - expected, f"told twice without saying so: {once - expected}"
