"""A table with people who play on whatever happens, a bot in a process of its own, and somebody who keeps count."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import sqlite3
import sys
import time
from collections import Counter, deque
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from bot.client import DATABASE
from storage import upkeep
from table.errors import Refused
from table.gateway import Session
from table.model import JSON, Channel, Message
from table.people import Outcome, Person, text_of
from table.seed import Guest, furnish
from table.server import Table
from table.world import Event
from workshop.chaos import faults
from workshop.chaos.books import AGAIN, Books, Figures, Told
from workshop.chaos.running import CLOCK, DISK
from workshop.evening.guests import buttons, made, menu, presses

PLAYERS = ("ann", "bo", "cy")
#: People of games in which nobody moves: they are the ones who are reminded.
SLEEPERS = (("dora", "emil", "fay"), ("gus", "hedi", "ivo"))
REMINDER_HOURS = (1, 3, 6, 12, 24, 48)
GAMES = 4
#: A bot that is still on its way by then, on a machine with much else to do, does not come.
START_SECONDS = 180.0
#: What people do not wait longer for.
PATIENCE = 8.0
#: The end: everything must be told by then.
LAST_SECONDS = 120.0
MISHAPS = (Refused, TimeoutError, StopIteration, KeyError, IndexError, AssertionError)


class Evening:
    """One run."""

    #: What the bot is started with besides.
    settings: ClassVar[Mapping[str, str]] = {}

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.figures = Figures()
        self.table = Table(rate_limits=False)
        self.books = Books(folder / DATABASE)
        self.bot: asyncio.subprocess.Process | None = None
        self.said: deque[str] = deque(maxlen=300)
        self.doubling = False
        #: The latest that the bot's clock has ever been set to, in seconds from the true time.
        self.latest = 0.0
        self.channels: list[str] = []
        self.sleeping: list[Channel] = []
        self.acknowledged: set[int] = set()
        self._reminders: list[Message] = []
        #: The cards of each channel, by message.
        self._told: dict[str, dict[str, Told]] = {}
        self._recorded: dict[int, set[int]] = {}
        self._leaving = False
        self._tasks: set[asyncio.Task[Any]] = set()

    # ------------------------------------------------------------------ the bot

    async def start(self) -> asyncio.subprocess.Process:
        settings = {
            "DISCORD_TOKEN": self.table.token,
            "DISCORD_API_BASE": self.table.api_url,
            "DISCORD_GATEWAY": self.table.gateway_url,
            "KURSBUCH_DATA": str(self.folder),
            "KURSBUCH_SYNC": "1",
            "CHAOS": str(self.folder),
            **self.settings,
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "workshop.chaos.running", env={**os.environ, **settings}, limit=2**22,
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        self._keep(self._listen(process))
        return process

    async def begin(self) -> None:
        """Start the bot as a service manager does: if it cannot start now, again and again."""
        self._leaving = True
        for _ in range(40):
            self.bot = process = await self.start()
            arrives = asyncio.ensure_future(self.table.bot_is_here(START_SECONDS))
            leaves = asyncio.ensure_future(process.wait())
            await asyncio.wait({arrives, leaves}, return_when=asyncio.FIRST_COMPLETED)
            if arrives.done() and arrives.exception() is None:
                leaves.cancel()
                self._leaving = False
                return
            arrives.cancel()
            if process.returncode is None:
                process.kill()
            await leaves
            await asyncio.sleep(1)
        raise AssertionError("the bot cannot be started any more:\n" + "\n".join(self.said))

    async def end(self, how: signal.Signals) -> None:
        assert self.bot is not None
        self._leaving = True
        self.signal(how)
        # Thirty seconds in which we are awake ourselves: a machine that stands still holds both of us up.
        for _ in range(300):
            if self.bot.returncode is not None:
                return
            await asyncio.sleep(0.1)
        self.figures.bots_dead += 1
        self.bot.kill()
        await self.bot.wait()

    def signal(self, which: signal.Signals) -> None:
        if self.bot is not None and self.bot.returncode is None:
            self.bot.send_signal(which)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.said.append(line.decode(errors="replace").rstrip()[:500])

    async def _watch(self) -> None:
        """Keep an eye on the bot and on its books."""
        while True:
            await asyncio.sleep(0.5)
            with contextlib.suppress(sqlite3.Error):
                await asyncio.to_thread(self._look)
            if not self._leaving and self.bot is not None and self.bot.returncode is not None:
                self.figures.bots_dead += 1
                print("  the bot ended by itself:", *list(self.said)[-5:], sep="\n    ")
                await self.begin()

    def _look(self) -> None:
        self.books.look()
        for game, last in self.books.ask("SELECT game, last_sent FROM waiting WHERE last_sent IS NOT NULL"):
            self._recorded.setdefault(game, set()).add(last)

    # ------------------------------------------------------------------ the table

    async def open(self) -> None:
        """Lay the table, start the bot, and begin the games; all is well so far."""
        world = self.table.world
        names = (*PLAYERS, *(name for some in SLEEPERS for name in some))
        furnish(world, people=[Guest(name.capitalize(), "en-GB", "UTC", 0) for name in names])
        guild = next(iter(world.guilds.values()))
        self.channels = [world.add_channel(guild, f"game-{number}").id for number in range(GAMES)]
        self.sleeping = [world.add_channel(guild, f"sleep-{number}") for number in range(len(SLEEPERS))]
        world.listen(self._hear)
        await self.table.start()
        real, evening = Session.dispatch, self

        def dispatch(session: Session, name: str, data: Any) -> None:
            real(session, name, data)
            if evening.doubling and name not in ("READY", "RESUMED"):
                real(session, name, data)

        Session.dispatch = dispatch  # type: ignore[method-assign, assignment]
        for file in (CLOCK, DISK):
            (self.folder / file).write_text("0", "utf-8")
        await self.begin()
        while not world.commands:  # noqa: ASYNC110 (another process registers them)
            await asyncio.sleep(0.05)
        for channel, people in zip(self.sleeping, SLEEPERS, strict=True):
            hours = " ".join(map(str, REMINDER_HOURS))
            await self._seat(channel.id, people, reminders=hours)
        for channel_id in self.channels:
            await self._begin_game(channel_id)

    def _hear(self, event: Event) -> None:
        message = event.message
        if message is None or message.author_id != self.table.world.bot_id or message.reader is not None:
            return
        if event.name == "MESSAGE_CREATE" and "waiting for you" in message.content:
            self._reminders.append(message)
        cards = self._told.setdefault(message.channel_id, {})
        if message.id in cards or "Map" in buttons(message):
            cards.setdefault(message.id, Told()).hear(text_of(message))

    async def _begin_game(self, where: str) -> None:
        """Begin a game that is played."""
        await self._seat(where, PLAYERS)

    async def _seat(self, where: str, people: tuple[str, ...], **options: Any) -> None:
        """Begin a game in a channel."""
        host, *others = [self.table.person(name) for name in people]
        opened = await host.slash(where, "game new", title="rhl", where="here", seats=len(people), **options)
        await asyncio.wait_for(opened.settled(), PATIENCE)
        card = await host.sees("Seats (1", where, PATIENCE)
        for number, other in enumerate(others, start=2):
            await other.click(card, "Join")
            await other.sees(f"Seats ({number}", where, PATIENCE)
        await host.click(card, "Start")
        await host.sees("your turn", where, PATIENCE)

    # ------------------------------------------------------------------ playing

    async def _play(self, where: str, number: int) -> None:
        chance = random.Random(f"{self.chance.random()} {number}")
        people = [self.table.person(name) for name in PLAYERS]
        while True:
            await asyncio.sleep(0.05 + chance.random() / 2)
            chance.shuffle(people)
            with contextlib.suppress(*MISHAPS):
                if not await self._move(where, people, chance) and await self._is_over(where):
                    await self._begin_game(where)

    async def _is_over(self, where: str) -> bool:
        found = await asyncio.to_thread(
            self.books.ask, "SELECT 1 FROM games WHERE channel = ? AND status IN ('lobby', 'playing')", int(where)
        )
        return not found

    async def _move(self, where: str, people: list[Person], chance: random.Random) -> bool:
        for person in people:
            kinds = await person.autocomplete(where, "move", "move", move="")
            if kinds:
                given: dict[str, Any] = {"move": chance.choice(kinds)["value"]}
                break
        else:
            return False
        for name in ("first", "second", "third", "fourth"):
            offered = await person.autocomplete(where, "move", name, **given, **{name: ""})
            if not offered:
                break
            given[name] = chance.choice(offered)["value"]
        self.figures.tried += 1
        try:
            await self._follow(person, await person.slash(where, "move", **given), chance)
        except TimeoutError:
            self.figures.unanswered += 1
        return True

    async def _follow(self, person: Person, outcome: Outcome, chance: random.Random) -> None:
        """Answer whatever the panel asks until it says that the move is made: by the last thing that was pressed."""
        before: list[JSON] = []
        for _ in range(12):
            if outcome.failed:
                self.figures.unanswered += 1
                return
            await asyncio.wait_for(outcome.settled(), PATIENCE)
            assert outcome.message is not None
            panel = await self._changed(person, outcome.message, before)
            if made(panel):
                self.acknowledged.add(int(outcome.interaction.id))
                self.figures.acknowledged += 1
                return
            before = panel.components
            if "Confirm" in buttons(panel):
                outcome = await person.click(panel, "Confirm")
            elif menu(panel):
                outcome = await person.select(panel, chance.choice(menu(panel))[0])
            else:
                outcome = await person.click(panel, chance.choice(presses(panel)).label)

    async def _changed(self, person: Person, panel: Message, before: list[JSON]) -> Message:
        async with asyncio.timeout(PATIENCE):
            while person.find(panel).components == before:  # noqa: ASYNC110 (another process changes it)
                await asyncio.sleep(0.02)
        return person.find(panel)

    # ------------------------------------------------------------------ chaos

    async def shake(self, seconds: float) -> None:
        """Play, while one thing after the other goes wrong, sometimes two at once."""
        for number, where in enumerate(self.channels):
            self._keep(self._play(where, number))
        watching = self._keep(self._watch())
        end = time.monotonic() + seconds
        kinds: list[str] = []
        while time.monotonic() < end:
            if watching.done():
                watching.result()
            if len(kinds) < 2:
                # Every kind comes before any comes again.
                kinds += self.chance.sample(sorted(faults.ALL), len(faults.ALL))
            now = [kinds.pop(0) for _ in range(1 if self.chance.random() < 0.7 else 2)]
            self.figures.faults.update(now)
            print(f"  {datetime.now(UTC):%H:%M:%S} {' and '.join(now)}", flush=True)
            async with contextlib.AsyncExitStack() as stack:
                for kind in now:
                    await stack.enter_async_context(faults.ALL[kind](self))
                await asyncio.sleep(1 + 7 * self.chance.random())
            await asyncio.sleep(4 * self.chance.random())

    def _keep(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    # ------------------------------------------------------------------ the end

    async def _stop_all(self) -> None:
        """Cancel everything again and again: who is answered in the moment of being cancelled goes on (Python 3.11)."""
        while self._tasks:
            tasks = tuple(self._tasks)
            for task in tasks:
                task.cancel()
            done, _ = await asyncio.wait(tasks, timeout=1)
            for task in done:
                if not task.cancelled():
                    task.exception()  # it went wrong, which is of no interest any more

    async def count(self) -> Figures:
        """Let everything come to rest, and compare what was said with what was done."""
        await self._stop_all()
        self.table.faults.clear()
        await self.end(signal.SIGTERM)
        # As after any restart, what is due or was not told comes now.
        await self.begin()
        figures, books = self.figures, self.books
        end = time.monotonic() + LAST_SECONDS
        while time.monotonic() < end and (books.pending() or books.reminders_under_way() or self._missing()):
            await asyncio.sleep(0.5)
            self._look()
        await asyncio.sleep(2)
        self._look()
        await self.end(signal.SIGTERM)
        figures.announcements_stuck = books.pending()
        figures.reminders_missing = self._missing()
        self._count_moves()
        self._count_cards()
        self._count_reminders()
        copy = self.folder / "copy.sqlite3"
        upkeep.backup_file(books.path, copy)
        with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as db:
            figures.faults_of_the_file = len(upkeep.check(db))
        figures.table_troubles = len(self.table.unknown_routes) + len(self.table.crashes)
        return figures

    async def close(self) -> None:
        await self._stop_all()
        if self.bot is not None and self.bot.returncode is None:
            self.bot.kill()
            await self.bot.wait()
        await self.table.stop()

    def _count_moves(self) -> None:
        figures, books = self.figures, self.books
        rows = books.ask("SELECT interaction, game, at FROM log WHERE kind = 'move'")
        figures.logged = len(rows)
        figures.moves_lost = len(self.acknowledged - {interaction for interaction, _, _ in rows})
        # One press may make several moves (trains run, and are paid out), but all in the same moment.
        # House players move without one.
        moments = Counter(interaction for interaction, _, _ in set(rows) if interaction is not None)
        figures.moves_doubled = sum(count - 1 for count in moments.values())
        for game in books.games():
            try:
                deciders = books.replayed(game).offer().deciders
            except Exception as problem:
                print(f"  game {game} does not replay: {problem!r}")
                figures.games_broken += 1
                continue
            waiting = {row[0] for row in books.ask("SELECT player FROM waiting WHERE game = ?", game)}
            figures.games_broken += waiting != set(deciders)

    def _count_cards(self) -> None:
        figures = self.figures
        places = {*self.channels, *(channel.id for channel in self.sleeping)}
        for place in places:
            games = [game for game, channel in self.books.games().items() if str(channel) == place]
            cards = self._told.get(place, {}).values()
            everything = sum((card.lines for card in cards), Counter[str]())
            once = sum((card.lines for card in cards if not card.again), Counter[str]())
            expected: Counter[str] = Counter()
            for game in games:
                expected += self.books.expected(game)
            again = sum(card.again for card in cards)
            left_out = sum(card.left_out for card in cards)
            figures.cards += len(cards)
            figures.cards_again += again
            figures.lines_left_out += left_out
            missing, doubled = expected - everything, once - expected
            # Of what a card leaves out it says how many lines they are; what is told again makes up for them.
            untold = missing.total() - left_out
            untold = max(0, untold) if again else abs(untold)
            figures.announcements_missing += untold
            figures.announcements_doubled += doubled.total()
            for what, lines in (("never told", missing), ("told twice without saying so", doubled)):
                if lines and (untold or lines is doubled):
                    print(f"  {what}: {sum(lines.values())} lines, such as {next(iter(lines))!r:.100}")
                    for number, card in self._told.get(place, {}).items():
                        if lines is doubled and card.lines & lines:
                            print(f"    {number} {card}")

    def _count_reminders(self) -> None:
        figures = self.figures
        games = {str(channel): game for game, channel in self.books.games().items()}
        for channel in self.sleeping:
            game = games[channel.id]
            people = [user for (user,) in self.books.ask("SELECT user FROM waiting WHERE game = ?", game)]
            # In the channel, or to themselves while we may not write there.
            sent = [m for m in self._reminders if any(f"<@{user}>" in m.content for user in people)]
            again = [m for m in sent if AGAIN in text_of(m)]
            recorded = len(self._recorded.get(game, ()))
            figures.reminders += recorded
            figures.reminders_again += len(again)
            figures.reminders_doubled += max(0, len(sent) - len(again) - recorded)
            # Recorded as sent, but nobody saw it.
            figures.reminders_missing += max(0, recorded - len(sent))

    def _missing(self) -> int:
        """Reminders whose time has come, by the latest that the bot's clock has ever been, and which were not sent."""
        result = 0
        steps = self.books.steps()
        for game, since in self.books.ask("SELECT game, min(since) FROM waiting GROUP BY game"):
            if str(self.books.games()[game]) not in {channel.id for channel in self.sleeping}:
                continue
            passed = (time.time() + self._shift() - since / 1_000_000) / 3600
            due = sum(hours <= passed for hours in REMINDER_HOURS)
            result += due > steps.get(game, 0)
        return result

    def _shift(self) -> float:
        return float((self.folder / CLOCK).read_text("utf-8"))
