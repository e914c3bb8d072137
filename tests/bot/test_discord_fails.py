"""Discord fails: moves stand, and announcements arrive later, in order."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import random
import re
from pathlib import Path
from typing import Any

import discord
import pytest

from bot import logs
from bot.announce import announcer
from table.errors import Refused
from table.people import text_of
from workshop.evening.guests import Evening, Guest, NoPictures, Typist, done, evening
from workshop.evening.house import eventually
from workshop.evening.making import untold
from workshop.evening.positions import Position, put

START = Position(4, ())


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses between attempts, shortened."""
    monkeypatch.setattr(announcer, "PAUSES", (0.05, 0.1, 0.2))


async def play(home: Evening, moves: int, chance: random.Random) -> None:
    """Some moves, by whoever's turn it is in the game itself: the cards may be late."""
    for _ in range(moves):
        live = await home.live()
        name = live.game.offer().deciders[0].lower()
        person = home.person(name)
        typist = Typist(home, name, chance)
        kinds = await person.autocomplete("lobby", "move", "move", move="")
        kind = chance.choice([each["value"] for each in kinds])
        outcome = await typist.type("lobby", "move", ("first", "second", "third", "fourth"), move=kind)
        await typist.confirm(outcome)


def told(home: Evening) -> list[str]:
    """Every line of the cards, in the order of the channel."""
    return [
        line.removeprefix("- ") for card in home.cards() for line in text_of(card).splitlines() if line.startswith("- ")
    ]


async def check_order(home: Evening, game: int) -> None:
    """Each person's moves are told in the order they were made, and none is missing."""
    log = await home.bot.store.log(game)
    made = [entry.player for entry in log]
    names = "|".join(set(made))
    lines = [found[1] for line in told(home) if (found := re.match(rf"({names}) (?:passes|bids|gets|leaves)", line))]
    seen = iter(lines)
    told_of = [entry.player for entry in log if entry.move["type"] in ("pass", "bid", "buy_lot")]
    assert all(any(player == line for line in seen) for player in told_of), (told_of, lines)


FAULTS = [
    ("429 for one route", lambda faults: faults.rate_limit("POST /channels/.*/messages", times=2, retry_after=0.05)),
    ("429 for everything", lambda faults: faults.rate_limit("/channels/", times=2, retry_after=0.05, everything=True)),
    ("banned for a while", lambda faults: faults.rate_limit("/channels/", times=2, via=False)),
    ("500", lambda faults: faults.fail("/channels/.*/messages", status=500, times=2)),
    ("503", lambda faults: faults.fail("/channels/.*/messages", status=503, times=3)),
    ("reset before", lambda faults: faults.reset("/channels/.*/messages", times=3)),
    ("reset after", lambda faults: faults.reset("/channels/.*/messages", times=2, after=True)),
    ("slow", lambda faults: faults.slow("/channels/.*/messages", seconds=0.5, times=2)),
]


@pytest.mark.parametrize(("name", "order"), FAULTS, ids=[name for name, _ in FAULTS])
async def test_moves_stand_and_are_told_later_in_order(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, order: object
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        fault = order(home.table.faults)  # type: ignore[operator]
        await play(home, 8, random.Random(5))
        assert len(await home.bot.store.log(record.id)) == 8
        await home.settled()
        assert fault.hits > 0
        assert await untold(home.bot.store) == []
        await check_order(home, record.id)
        marked = [card for card in home.cards() if "made again" in text_of(card)]
        if name in ("429 for one route", "429 for everything", "banned for a while", "slow"):
            assert marked == [], "what certainly did not go out is no repetition"
        # The newest card works.
        await Guest(home, (await home.live()).game.offer().deciders[0].lower(), random.Random(1)).turn("lobby")


async def test_a_card_whose_answer_was_lost_is_not_posted_twice(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        cards = len(home.cards())
        home.table.faults.reset("POST /channels/.*/messages", after=True)
        await play(home, 1, random.Random(5))
        await home.settled()
        assert len(home.cards()) == cards + 1


async def test_the_gateway_goes_away_and_comes_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        chance = random.Random(5)
        for trouble in ("drop", "reconnect", "invalidate"):
            gateway = home.table.gateway
            if trouble == "drop":
                gateway.drop()
            elif trouble == "reconnect":
                gateway.ask_to_reconnect()
            else:
                gateway.invalidate(resumable=True)
            await home.table.bot_is_here()
            before = len(await home.bot.store.log(record.id))
            await play(home, 2, chance)
            assert len(await home.bot.store.log(record.id)) == before + 2
        await home.settled()
        await check_order(home, record.id)


async def test_an_answer_that_cannot_be_shown_leaves_the_move_standing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = home.person(START.game().offer().deciders[0].lower())
        panel = await (await person.slash("lobby", "pass")).settled()
        assert panel.message is not None
        home.table.faults.fail("PATCH /webhooks/", status=503)
        outcome = await person.click(panel.message, "Confirm")
        assert not outcome.failed
        await home.told("passes")
        assert len(await home.bot.store.log(record.id)) == 1
        assert not any("nothing was changed" in text_of(m) for m in person.messages("lobby"))


async def test_an_acknowledgement_that_does_not_arrive_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The person sees that the interaction failed, and so it has."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = home.person(START.game().offer().deciders[0].lower())
        home.table.faults.reset("POST /interactions/", times=2)
        outcome = await person.slash("lobby", "pass")
        assert outcome.failed
        assert await home.bot.store.log(record.id) == []
        await done(person, "lobby", "pass")


async def test_an_answer_that_comes_too_late_costs_a_line_of_log(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Under a crowd there are hundreds of them: a command, a button and suggestions, none with a traceback."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logs.JsonFormatter())
    handler.addFilter(logs.Late())
    handler.setLevel(logging.WARNING)
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr(logging.getLogger("discord"), "propagate", True)
    try:
        async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
            await put(home, START)
            name = (await home.live()).game.offer().deciders[0].lower()
            person, card = home.person(name), home.cards()[-1]

            lost = 0
            real = discord.webhook.async_.AsyncWebhookAdapter.create_interaction_response

            def too_late(self: Any, *given: Any, **more: Any) -> Any:
                nonlocal lost
                lost += 1
                home.table.clock.advance(3.1)
                return real(self, *given, **more)

            monkeypatch.setattr(discord.webhook.async_.AsyncWebhookAdapter, "create_interaction_response", too_late)
            with contextlib.suppress(Refused):
                await person.autocomplete("lobby", "move", "move", move="")
            await person.slash("lobby", "turn")
            await person.click(card, "Map")
            await eventually(lambda: stream.getvalue().count("too late") >= 3)
    finally:
        logging.getLogger().removeHandler(handler)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert lost == 3
    assert len(lines) == lost, lines
    assert all("too late" in line["message"] and "traceback" not in line for line in lines)
