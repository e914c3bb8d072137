"""How fast the table is: commands per second, latency with many people, memory with many messages."""

from __future__ import annotations

import asyncio
import gc
import logging
import resource
import statistics
import time

import pytest

from table.people import Person
from workshop.bench import yardstick
from workshop.evening import echo
from workshop.evening.house import Running, house

CROWDS = (1, 10, 100)
ROUNDS = {1: 300, 10: 60, 100: 10}
MESSAGES = 10_000


def run() -> None:
    """Measure and print."""
    print(f"table (Y = {1000 * yardstick.seconds():.1f} ms)")
    logging.getLogger("discord").setLevel(logging.ERROR)
    asyncio.run(measure())


async def measure() -> None:
    """Run all measurements, each with a real discord.py client over real HTTP and WebSocket."""
    patch = pytest.MonkeyPatch()
    try:
        async with house(patch, echo.build(), rate_limits=False) as home:
            people = crowd(home, max(CROWDS))
            for size in CROWDS:
                await report(people[:size], ROUNDS[size])
        await memory(patch)
    finally:
        patch.undo()


def crowd(home: Running, size: int) -> list[Person]:
    """As many people as needed, all at the same table."""
    world = home.table.world
    guild = next(iter(world.guilds.values()))
    people = []
    for number in range(size):
        user = world.add_user(f"player{number}")
        world.join(guild, user)
        people.append(Person(home.table, user))
    return people


async def report(people: list[Person], rounds: int) -> None:
    """Everybody sends an echo command at once, several times over."""
    await asyncio.gather(*(each.slash("lobby", "echo", text="warm") for each in people))
    times: list[float] = []
    began = time.perf_counter()
    for _ in range(rounds):
        await asyncio.gather(*(timed(each, times) for each in people))
    seconds = time.perf_counter() - began
    cuts = statistics.quantiles(times, n=100, method="inclusive")
    for share in (50, 95, 99):
        note = f"{len(times) / seconds:.0f} commands a second" if share == 50 else ""
        yardstick.row(f"a command, {len(people)} people at once, p{share}", cuts[share - 1], None, note)


async def timed(person: Person, times: list[float]) -> None:
    """One command, from the person's key to the person's eye."""
    began = time.perf_counter()
    outcome = await person.slash("lobby", "echo", text="hello")
    times.append(time.perf_counter() - began)
    assert outcome.text == "hello", "a command failed: the figures would mean nothing"


async def memory(patch: pytest.MonkeyPatch) -> None:
    """What ten thousand messages cost the table's process, its client included."""
    async with house(patch, echo.build(), rate_limits=False) as home:
        gc.collect()
        before = resident()
        for number in range(MESSAGES):
            await home.ann.say("lobby", f"message {number}: the quick brown fox jumps over the lazy dog")
        gc.collect()
        after = resident()
    print(f"  {MESSAGES} messages: {after - before:.0f} MiB more resident ({before:.0f} -> {after:.0f} MiB)")
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  highest resident size of the whole run: {highest:.0f} MiB")


def resident() -> float:
    """The resident size of this process in MiB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


if __name__ == "__main__":
    run()
