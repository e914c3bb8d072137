"""The bot with many games: cold start, time to the first answer and to the picture, memory.

The bot runs in a process of its own, as in production; the table and the people are here. A person waits for the
bot's first answer, and the channel for the card with its pictures.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import resource
import signal
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import titles
from bot.client import DATABASE
from bot.games import snapshots
from bot.games.replaying import replay_seen, waiting_users
from bot.games.service import MOST_LIVE_GAMES
from engine import position
from engine.changes import View
from engine.game import Game
from engine.house.players import Greedy
from engine.moves import to_json
from storage.records import FINISHED, PLAYING, Seat
from storage.sqlite import SqliteStore
from table.errors import Refused
from table.model import Channel
from table.people import text_of
from table.seed import PEOPLE as SEATED
from table.seed import furnish
from table.server import Table
from workshop.bench import yardstick
from workshop.bench.engine import percentile
from workshop.evening.guests import Typist, buttons
from workshop.evening.making import create

FINISHED_GAMES, PLAYED_GAMES = 800, 300
PEOPLE = ("ann", "bo", "cy")
#: Games at once, for how long they are played, and how long people think between two moves of a game.
CROWDS = ((1, 10.0, 0.2), (20, 20.0, 6.0), (200, 35.0, 60.0))


@dataclass
class Seated:
    """A game in its channel, and who has to decide."""

    channel: Channel
    decider: str


@dataclass
class Measured:
    """What people met with: times in seconds, and how often something did not come in time."""

    answers: list[float] = field(default_factory=list)
    #: The first ones of each move: for a cold game, those that find it cold.
    suggestions: list[float] = field(default_factory=list)
    pictures: list[float] = field(default_factory=list)
    failed: int = 0
    empty: int = 0
    undrawn: int = 0


def run() -> None:
    """Measure and print."""
    print(f"bot (Y = {1000 * yardstick.seconds():.1f} ms)")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


async def measure(folder: Path) -> None:
    table = Table(rate_limits=False)
    furnish(table.world, people=[seat._replace(locale="en-GB") for seat in SEATED])
    await table.start()
    try:
        seats = await write_games(table, folder)
        began = time.perf_counter()
        bot = await start(table, folder)
        try:
            await table.bot_is_here(120)
            await until_answered(table)
            yardstick.row(f"cold start with {FINISHED_GAMES + PLAYED_GAMES} games", time.perf_counter() - began)
            before = resident(bot.pid)
            for games, seconds, thinking in CROWDS:
                await crowd(table, seats[:games], seconds, thinking, bot.pid)
            grown = resident(bot.pid) - before
            print(f"  the bot's resident size with {MOST_LIVE_GAMES} games in memory: {resident(bot.pid):.0f} MiB "
                  f"({1024 * grown / MOST_LIVE_GAMES:.0f} KiB a game, its pictures included)")  # fmt: skip
        finally:
            await end(bot)
    finally:
        await table.stop()


async def end(bot: asyncio.subprocess.Process) -> None:
    bot.send_signal(signal.SIGTERM)
    await asyncio.wait_for(bot.wait(), 60)


async def start(table: Table, folder: Path, first: str = "") -> asyncio.subprocess.Process:
    settings = {
        "DISCORD_TOKEN": table.token,
        "DISCORD_API_BASE": table.api_url,
        "DISCORD_GATEWAY": table.gateway_url,
        "KURSBUCH_DATA": str(folder),
        "KURSBUCH_SYNC": "1",
        "KURSBUCH_LOG_LEVEL": "ERROR",
    }
    code = f"{first}\nimport sys; from bot.cli import main; sys.exit(main(['run']))"
    return await asyncio.create_subprocess_exec(sys.executable, "-c", code, env={**os.environ, **settings})


async def until_answered(table: Table) -> None:
    """The first command that is answered ends the cold start."""
    ann = table.person("ann")
    while not table.world.commands:  # noqa: ASYNC110 (another process registers them)
        await asyncio.sleep(0.01)
    outcome = await ann.slash("lobby", "game list")
    await outcome.settled()
    assert "18Rhl" in outcome.text


# ---------------------------------------------------------------------- games to begin from


async def write_games(
    table: Table, folder: Path, finished: int = FINISHED_GAMES, played: int = PLAYED_GAMES, without: int = 0
) -> list[Seated]:
    """Finished games, and games in play, each in a thread of its own, the last ones `without` snapshots."""
    world = table.world
    guild = next(iter(world.guilds.values()))
    lobby = table.person("ann").place("lobby")
    users = {name.capitalize(): int(table.person(name).id) for name in PEOPLE}
    whole = [simulated(seed, 10_000) for seed in (1, 2)]
    begun = [simulated(seed, 60 + 20 * seed) for seed in range(3, 11)]
    seen: dict[int, dict[str, View]] = {}
    digests = {game.seed: _digests(game) for game in (*whole, *begun)}
    title = titles.find("rhl")
    result = []
    now = datetime.now(UTC)
    async with await SqliteStore.open(folder / DATABASE) as store:
        for number in range(finished + played):
            over = number < finished
            game = (whole if over else begun)[number % (len(whole) if over else len(begun))]
            channel = lobby if over else world.add_thread(lobby, f"game {number}", table.person("ann").id)
            record = await create(
                store,
                now,
                guild=int(guild.id),
                channel=int(channel.id),
                title="rhl",
                options=title.form().full_options({}),
                seed=game.seed,
                host=users["Ann"],
                seats_wanted=3,
                reminder_hours=(),
            )
            await store.set_seats(record.id, [Seat(name, user) for name, user in users.items()])
            record = await store.set_status(record.id, PLAYING, at=now)
            await store.append(
                record.id,
                0,
                [to_json(move) for move in game.moves],
                user=0,
                players=[move.player for move in game.moves],
                interaction=None,
                at=now,
                waiting=waiting_users(record, game),
                status=FINISHED if over else None,
                digests=digests[game.seed],
            )
            if number == finished - 1:
                size = (folder / DATABASE).stat().st_size + (folder / f"{DATABASE}-wal").stat().st_size
                moves = sum(len(game.moves) for game in whole) // len(whole)
                print(f"  database of {finished} finished games of {moves} moves: {size / 2**20:.0f} MiB "
                      f"({1000 / finished * size / 2**20:.0f} MiB for 1,000)")  # fmt: skip
            if not over:
                # As if every move had been made through the bot; but for some, as after an upgrade.
                if game.seed not in seen:
                    seen[game.seed] = replay_seen(record, [to_json(move) for move in game.moves])[1]
                if number < finished + played - without:
                    seqs = range(1, len(game.moves) + 1)
                    taken = snapshots.take(record, game, len(game.moves), seqs, seen[game.seed])
                    await store.keep_snapshot(record.id, taken)
                result.append(Seated(channel, game.offer().deciders[0].lower()))
    return result


def _digests(game: Game) -> list[bytes | None]:
    """The digests after each move, as the bot keeps them."""
    again = Game(game.rules, game.players, game.seed)
    found: list[bytes | None] = []
    for move in game.moves:
        again.apply(move)
        found.append(position.digest(again.state.data(), again.players))
    return found


def simulated(seed: int, moves: int) -> Game:
    game = titles.new_game("rhl", [name.capitalize() for name in PEOPLE], {}, seed)
    chance = random.Random(seed)
    while not game.finished and len(game.moves) < moves:
        game.apply(Greedy().choose(game, chance.choice(game.offer().deciders), chance))
    return game


# ---------------------------------------------------------------------- measurements

#: A picture that is not there by then does not come: the bot itself gives up after less.
PICTURE_SECONDS = 15.0
#: Nobody waits longer for suggestions to appear.
EMPTY_SECONDS = 10.0
#: Seconds that hardly anybody should wait longer for, on a quiet machine.
TARGETS = {"first answer": 0.5, "suggestions": 0.3}


async def crowd(
    table: Table, seats: list[Seated], seconds: float, thinking: float, pid: int, how: str = "at once"
) -> None:
    """Games played at once; people think for a while before each move. `pid` is the bot's process."""
    loop, whole = busy(pid)
    met = Measured()
    end = time.monotonic() + seconds
    await asyncio.gather(*(player(table, seated, number, end, thinking, met) for number, seated in enumerate(seats)))
    answers = met.answers
    print(f"  {len(seats)} games {how}, a move every {thinking:g} s in each: "
          f"{len(answers)} moves, {len(answers) / seconds:.1f} a second, "
          f"{met.empty} of {len(met.suggestions)} first suggestions empty, {met.undrawn} cards late")  # fmt: skip
    print(f"    {'commands, presses or suggestions without an answer in time':<60} {met.failed:>5}  "
          f"<= 0  {'ok' if not met.failed else 'missed'}")  # fmt: skip
    for name, values in (("first answer", answers), ("suggestions", met.suggestions), ("pictures", met.pictures)):
        if values:
            figures = "  ".join(
                f"p{share}: {yardstick.beside(percentile(values, share / 100))}" for share in (50, 95, 99)
            )
            print(f"    {name:<14} {figures}  {judged(percentile(values, 0.99), TARGETS.get(name))}")
    if answers:
        loop, whole = ((after - before) / len(answers) for after, before in zip(busy(pid), (loop, whole), strict=True))
        print(f"    a move costs the event loop {yardstick.beside(loop)}, the whole bot {yardstick.beside(whole)}")


def judged(value: float, most: float | None) -> str:
    """Whether a time is within its target, if it has one."""
    if most is None:
        return ""
    return f"<= {1000 * most:g} ms  {'ok' if value <= most else f'missed by {value / most:.1f}x'}"


def busy(pid: int) -> tuple[float, float]:
    """The seconds that a process has computed: in its first thread, which has the event loop, and in all of them."""
    times = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # a thread may have ended meanwhile
            times[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1e9
    return times[str(pid)], sum(times.values())


async def player(
    table: Table,
    seated: Seated,
    number: int,
    end: float,
    thinking: float,
    met: Measured,
) -> None:
    """Plays one game for all three people, move after move."""
    chance = random.Random(number)
    where = seated.channel.id
    home: Any = SimpleNamespace(table=table, person=table.person)
    await asyncio.sleep(chance.random() * thinking)
    idle = time.monotonic()
    while time.monotonic() < end:
        typist = Typist(home, seated.decider, chance)
        began = time.perf_counter()
        try:
            kinds = await typist.person.autocomplete(where, "move", "move", move="")
        except Refused:
            met.failed += 1
            continue
        met.suggestions.append(time.perf_counter() - began)
        if not kinds:
            # A game that was not there in time; it is when the next key is pressed.
            met.empty += 1
            if time.monotonic() - idle > EMPTY_SECONDS:
                return
            await asyncio.sleep(0.1)
            continue
        idle = time.monotonic()
        shown = shown_in(table, where)
        outcome = await timed(typist, where, chance.choice(kinds)["value"], met)
        if outcome.failed:
            met.failed += 1
            continue
        began = time.perf_counter()
        await outcome.settled()
        try:
            if not await confirm(typist, outcome):
                continue
        except (AssertionError, TimeoutError, Refused):
            # A press that was not answered in time.
            met.failed += 1
            continue
        try:
            await table.until(lambda shown=shown: shown_in(table, where) != shown, PICTURE_SECONDS)  # type: ignore[misc]
            met.pictures.append(time.perf_counter() - began)
        except TimeoutError:
            # More is asked for than can be drawn: the card is still to come.
            met.undrawn += 1
        cards = [m for m in table.world.history(where) if m.reader is None and "Map" in buttons(m)]
        if not cards:
            continue
        card = cards[-1]
        if "The game is over" in text_of(card):
            return
        asked = text_of(card)
        seated.decider = next((n for n in PEOPLE if table.person(n).mention in asked), seated.decider)
        await asyncio.sleep(min(chance.expovariate(1 / thinking), max(0.0, end - time.monotonic())))


async def timed(typist: Typist, where: str, move: str, met: Measured) -> Any:
    """Fill in the move as autocomplete says, then time the command itself."""
    given: dict[str, Any] = {"move": move}
    for name in ("first", "second", "third", "fourth"):
        try:
            offered = await typist.person.autocomplete(where, "move", name, **given, **{name: ""})
        except Refused:
            met.failed += 1
            break
        if not offered:
            break
        given[name] = typist.chance.choice(offered)["value"]
    began = time.perf_counter()
    outcome = await typist.person.slash(where, "move", **given)
    met.answers.append(time.perf_counter() - began)
    return outcome


async def confirm(typist: Typist, outcome: Any) -> bool:
    """Confirm what a command shows in the panel; whether it was something that could be confirmed."""
    if not set(buttons(outcome.message)) - {"Back"} or "✓" in outcome.text:
        return False
    await typist.follow(outcome)
    return True


def shown_in(table: Table, where: str) -> object:
    """The pictures of the newest card, or its words where none are drawn."""
    cards = [m for m in table.world.history(where) if m.reader is None and m.components]
    return cards and ([a.id for a in cards[-1].attachments] or text_of(cards[-1]))


def resident(pid: int) -> float:
    """The resident size of a process in MiB."""
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


if __name__ == "__main__":
    run()
