"""Plays running games with whatever program is found first, and keeps them: run in a checkout of an earlier state.

It uses nothing but what that state had: `python then.py DATABASE SECONDS TITLE:FORM:PLAYERS:SEED:MOVES …`.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from dataclasses import replace
from typing import Any

import titles
from bot.games.service import GameService
from engine.house.players import HOUSES
from storage.records import NewGame, Seat
from storage.sqlite import SqliteStore

NAMES = ("ann", "bo", "cy", "di", "ed", "flo")


async def play(store: SqliteStore, service: GameService, wanted: str, seconds: float, channel: int) -> None:
    title, form, players, seed, moves = wanted.split(":")
    box = titles.find(title)
    users = {name: 11 + number for number, name in enumerate(NAMES[: int(players)])}
    # Titles had versions once.
    more: dict[str, Any] = {"title_version": box.version} if hasattr(box, "version") else {}
    new = NewGame(
        guild=1,
        channel=channel,
        title=title,
        options=box.form(form).full_options({}),
        seed=int(seed),
        host=11,
        seats_wanted=int(players),
        form=form,
        **more,
    )
    record = await store.open_lobby(new, service.now())
    await store.set_seats(record.id, [Seat(name, user) for name, user in users.items()])
    await service.start(record.id, 11)
    house, chance, end = HOUSES["greedy"](), random.Random(int(seed)), time.monotonic() + seconds
    for _ in range(int(moves)):
        live = await service.live(record.id)
        if live.game.finished or time.monotonic() > end:
            break
        player = chance.choice(live.game.offer().deciders)
        move = house.choose(live.game.copy(), player, chance)
        twin = live.game.copy()
        twin.apply(move)
        if twin.finished:
            # It would run no more.
            break
        await service.play(record.id, users[player], move, interaction=None, expected=live.length)
    live = await service.live(record.id)
    print(f"{wanted}: {live.length} moves", flush=True)


async def main(path: str, seconds: float, wanted: list[str]) -> None:
    async with await SqliteStore.open(path) as store:
        # A person may host more games at once here than anywhere.
        most = replace(await store.quotas(1), games_of_person=10**6, games_of_server=10**6, lobbies_a_day=10**6)
        await store.set_quotas(replace(most, lobbies_of_person=10**6, lobbies_of_server=10**6))
        service = GameService(store)
        for channel, each in enumerate(wanted, start=1):
            try:
                await play(store, service, each, seconds, channel)
            except Exception as problem:
                print(f"{each}: {problem!r}", flush=True)
        await service.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
