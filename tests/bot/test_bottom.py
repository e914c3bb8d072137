"""What the bottom of a thread says is true: whoever has to decide is asked there, and nobody else is."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import titles
from storage.records import PLAYING
from table import components
from table.model import Message
from table.people import text_of
from workshop.evening.guests import PAGE, Evening, Guest, NoPictures, Press, buttons, evening, menu, presses

FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms]
#: Longer than Discord lets a private message be changed.
BREAK = timedelta(minutes=20)


def asks(message: Message) -> bool:
    """Whether a message has buttons or a menu for a move."""
    ids = [str(each.get("custom_id", "")) for each in components.walk(message.components)]
    return any(each.startswith(("m:", "p:", "s:")) for each in ids)


def is_private(message: Message) -> bool:
    return message.reader is not None


async def faults(home: Evening, where: str) -> list[str]:
    """What is not true of what people see last in a channel."""
    live = await home.live(where)
    deciders = live.game.offer().deciders if live.record.status == PLAYING and not live.game.finished else ()
    found = []
    for seat in live.record.seats:
        if seat.house:
            continue
        person = home.person(next(n for n in ("ann", "bo", "cy", "dora") if int(home.person(n).id) == seat.user))
        messages = [each for each in person.messages(where) if each.author_id == home.table.world.bot_id]
        bottom, mention = messages[-1], person.mention
        asked = asks(bottom) and (is_private(bottom) or mention in text_of(bottom))
        if seat.name in deciders and not asked:
            found.append(f"{seat.name} is not asked: {text_of(bottom)[:200]!r}")
        if seat.name not in deciders and asked:
            found.append(f"{seat.name} is asked in vain: {text_of(bottom)[:200]!r}")
        if "must decide now" in text_of(bottom):
            found.append(f"{seat.name} is told to wait: {text_of(bottom)[:200]!r}")
        old = [each for each in messages[:-1] if is_private(each) and asks(each)]
        found += [f"{seat.name} has an old panel: {text_of(each)[:120]!r}" for each in old]
        if sum(map(is_private, messages)) > 3:
            found.append(f"{seat.name} has {sum(map(is_private, messages))} private messages")
    return found


class Reader(Guest):
    """Plays by the bottom of the thread, and by the card above it where the bottom asks nothing."""

    async def message(self, where: str) -> Message:
        bottom = next(
            m for m in reversed(self.person.messages(where)) if m.author_id == self.evening.table.world.bot_id
        )
        if is_private(bottom) and asks(bottom):
            return bottom
        card = self.card(where)
        assert card is not None, text_of(bottom)
        return card

    async def move(self, where: str) -> None:
        """One move, however many taps it takes."""
        length = (await self.evening.live(where)).length
        for _ in range(16):
            await self.tap(where, length)
            if (await self.evening.live(where)).length != length:
                await self.evening.settled()
                return
        raise AssertionError("the move does not come to an end")

    async def tap(self, where: str, length: int) -> None:
        message = await self.message(where)
        before = (message.id, message.components, len(self.person.messages(where)))
        found = presses(message)
        choices = (await self.evening.live(where)).game.offer().choices
        if "Confirm" in buttons(message):
            outcome = await self.click(message, "Confirm")
        elif menu(message):
            outcome = await self.person.select(message, self.chance.choice(menu(message))[0])
        else:
            outcome = await self.click(message, self.taken(found, choices).label)
        if outcome.modal is not None:
            outcome = await self.person.submit(outcome)
        await outcome.settled()

        def shown() -> bool:
            now = next((m for m in self.person.messages(where) if m.id == before[0]), None)
            return now is None or (now.components, len(self.person.messages(where))) != before[1:]

        await self.evening.table.until(shown)
        await self.evening.settled()

    def taken(self, found: list[Press], choices: object) -> Press:
        own = [each for each in found if each.verb in ("open", "ok", "run", "typed", PAGE) and each.label != "Back"]
        mine = [each for each in own if choices[each.number].player == self.person.user.display_name]  # type: ignore[index]
        return self.choose(mine, choices)  # type: ignore[arg-type]


async def begun(home: Evening, form: str, people: int = 1, seed: int = 3) -> str:
    """A game of a form with some people, the house in the other seats."""
    title, _, name = form.partition(":")
    seats = max(titles.find(title).form(name).players[0], people)
    ann = home.person("ann")
    card = await home.lobby(*("ann", "bo", "cy", "dora")[:people], title=form, seats=seats, seed=seed)
    for number in range(people + 1, seats + 1):
        await ann.click(card, "Add a house player")
        await ann.sees(f"Seats ({number} of {seats})", "lobby")
    await ann.click(card, "Start")
    await home.table.until(lambda: "Map" in buttons(ann.last("lobby")) or not buttons(card))
    await home.settled()
    return "lobby"


class Time:
    """The clock of the bot and of its Discord, which goes on at once where a test says so."""

    def __init__(self, home: Evening, patch: pytest.MonkeyPatch) -> None:
        self.home, self.offset = home, timedelta()
        real: Callable[[], datetime] = home.bot.service.now
        patch.setattr(home.bot.service, "now", lambda: real() + self.offset)

    async def passes(self, wait: timedelta) -> None:
        """As long as this nobody does anything."""
        for part in (timedelta(minutes=14), wait - timedelta(minutes=14)):
            self.offset += part
            self.home.table.world.clock.advance(part.total_seconds())
            for game, user in list(self.home.bot.panels._open):
                await self.home.bot.panels.rest(game, user)


async def play(home: Evening, where: str, moves: int, seed: int, between: Callable[[int], object] | None = None) -> int:
    """Moves of whoever is asked; after each what they see last is looked at."""
    readers = {name.capitalize(): Reader(home, name, random.Random(seed)) for name in ("ann", "bo", "cy", "dora")}
    made = 0
    for number in range(moves):
        live = await home.live(where)
        deciders = [name for name in live.game.offer().deciders if not live.seat(name).house]
        if live.game.finished or not deciders:
            break
        await readers[deciders[0]].move(where)
        made += 1
        assert await faults(home, where) == [], f"after move {number}"
        if between is not None:
            await between(number)  # type: ignore[misc]
            assert await faults(home, where) == [], f"after what came after move {number}"
    return made


@pytest.mark.parametrize("form", FORMS)
async def test_the_bottom_is_true_after_every_move_with_the_house(
    form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, form)
        time = Time(home, monkeypatch)

        async def break_(number: int) -> None:
            if number % 4 == 3:
                await time.passes(BREAK)

        assert await play(home, where, 12, 1, break_) >= 5
        assert home.table.answered[401] == 0, "no token is used that is spent"
