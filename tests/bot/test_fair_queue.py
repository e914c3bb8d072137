"""In a crowd, what is short is answered between the pieces of what is long, and nobody waits for ever."""

from __future__ import annotations

import asyncio

from bot.fair_queue import CARD, PANEL, FairQueue


async def enter(fair_queue: FairQueue, patience: float, name: str, done: list[str]) -> None:
    await fair_queue.enter(patience)
    done.append(name)


async def test_something_short_overtakes_a_row_of_long_ones() -> None:
    fair_queue, done = FairQueue(), list[str]()

    async def short() -> None:
        for _ in range(5):  # as often as a suggestion waits for the net
            await asyncio.sleep(0)
        done.append("short")

    long = [enter(fair_queue, PANEL, "long", done) for _ in range(20)]
    await asyncio.gather(*long, short())
    assert done.count("long") == 20
    assert done.index("short") <= 6


async def test_panels_come_before_cards_that_were_there_first() -> None:
    fair_queue, done = FairQueue(), list[str]()
    cards = [enter(fair_queue, CARD, "card", done) for _ in range(4)]
    panels = [enter(fair_queue, PANEL, "panel", done) for _ in range(4)]
    await asyncio.gather(*cards, *panels)
    # Nobody was there when the first card came.
    assert done == ["card", *4 * ["panel"], *3 * ["card"]]


async def test_a_card_that_has_waited_long_is_not_overtaken_any_more() -> None:
    fair_queue, done = FairQueue(), list[str]()
    clock = asyncio.get_running_loop().time
    end = clock() + 0.1

    async def panels() -> None:
        while clock() < end:
            await enter(fair_queue, PANEL, "panel", done)

    crowd = [asyncio.create_task(panels()) for _ in range(4)]
    await asyncio.sleep(0)
    cards = [enter(fair_queue, patience, f"patient {patience}", done) for patience in (0.02, 60)]
    await asyncio.gather(*crowd, *cards)
    first, last = done.index("patient 0.02"), done.index("patient 60")
    assert "panel" in done[:first], "nobody overtook it"
    assert "panel" in done[first:last], "it was overtaken for ever"
    assert "panel" not in done[last:], "it did not let those with less patience go first"


async def test_whoever_gives_up_leaves_the_others_their_turn() -> None:
    fair_queue, done = FairQueue(), list[str]()
    tasks = [asyncio.create_task(enter(fair_queue, PANEL, str(number), done)) for number in range(4)]
    await asyncio.sleep(0)
    tasks[1].cancel()
    tasks[2].cancel()
    await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
    assert done == ["0", "3"]
    await asyncio.wait_for(enter(fair_queue, PANEL, "later", done), 5)
