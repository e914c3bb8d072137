"""What the bottom of a thread says is true: whoever has to decide is asked there, and nobody else is."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

import titles
from bot.texts import speaker
from bot.words.wording import event_lines
from storage.records import PLAYING, NewNotice, Seat
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


async def faults(home: Evening, where: str, most: int = 4) -> list[str]:
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
        if sum(map(is_private, messages)) > most:
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


async def by_itself(home: Evening, where: str) -> str:
    """Whose last move it was, as a name to write to."""
    live = await home.live(where)
    return live.game.moves[-1].player.lower()


async def said(home: Evening, name: str, where: str, command: str, **options: object) -> None:
    outcome = await (await home.person(name).slash(where, command, **options)).settled()
    assert not outcome.failed
    await home.settled()


async def test_the_bottom_is_true_among_people_with_undo_and_redo(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, "bl:base", people=2)
        told: list[str] = []

        async def undo(number: int) -> None:
            if number % 5 == 2:
                name = await by_itself(home, where)
                await said(home, name, where, "undo")
                told.append(text_of(home.person(name).last(where)))
                assert await faults(home, where) == []
                if number % 10 == 7:
                    await said(home, name, where, "redo")

        assert await play(home, where, 24, 2, undo) == 24
        assert len(told) == 5


@pytest.mark.slow
@pytest.mark.parametrize(("form", "people"), [("rhl:base", 1), ("do:efs", 1), ("bl:base", 2)])
async def test_the_bottom_is_true_in_whole_games(
    form: str, people: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, form, people=people)
        before = len(home.table.requests)
        made = await play(home, where, 90, 4)
        assert made > 30 or (await home.live(where)).game.finished
        cost = costs(home, before, made)
        print(form, made, cost)
        assert cost["posts"] <= 0.6
        assert cost["edits"] <= 1.3
        assert cost["private"] <= 2.6 * 2
        assert cost["deletes"] <= 0.6
        assert home.table.answered[401] == 0


def costs(home: Evening, before: int, made: int) -> dict[str, float]:
    """Requests of the bot for one move: public posts and edits, private answers with their edits, deletes."""
    found = list(home.table.requests)[before:]
    kinds = {
        "posts": ("POST /channels/",),
        "edits": ("PATCH /channels/",),
        "private": ("POST /interactions/", "PATCH /webhooks/"),
        "deletes": ("DELETE /webhooks/",),
    }
    return {kind: round(sum(each.startswith(starts) for each in found) / made, 2) for kind, starts in kinds.items()}


async def test_a_pause_an_end_and_a_replaced_seat_are_seen_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, "rhl:base")
        ann = home.person("ann")
        await play(home, where, 3, 1)
        await said(home, "ann", where, "turn")
        panel = ann.last(where)
        assert asks(panel)
        service, record = home.bot.service, await home.record(where)
        await said(home, "ann", where, "host pause")
        assert not asks(ann.find(panel)), "nobody can move in a game that rests"
        assert await faults(home, where) == []
        await said(home, "ann", where, "host resume")
        assert await faults(home, where) == []
        await play(home, where, 2, 1)
        house = next(seat for seat in record.seats if seat.house)
        bo = home.person("bo")
        taken = Seat("Bo", int(bo.id))
        await service.replace(
            record.id, house.name, taken, NewNotice("host.replaced", {"old": house.name, "new": "Bo"})
        )
        await home.settled()
        assert await faults(home, where) == []


async def test_after_a_restart_the_card_is_the_bottom(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        table = home.table
        where = await begun(home, "rhl:base")
        ann = home.person("ann")
        await play(home, where, 3, 1)
        await said(home, "ann", where, "turn")
        panel = ann.last(where)
        await home.bot.close()
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as anew:
            # A move from before the restart's panel; nobody can change that one any more.
            reader = Reader(anew, "ann", random.Random(1))
            await reader.move(where)
            bottom = next(m for m in reversed(ann.messages(where)) if not is_private(m))
            live = await anew.live(where)
            if "Ann" in live.game.offer().deciders:
                assert ann.mention in text_of(bottom)
            assert bottom.id > panel.id, "the first card after a restart is a new one"


async def test_a_dismissed_panel_and_a_client_that_was_restarted_leave_the_card(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, "rhl:base")
        ann = home.person("ann")

        async def away(number: int) -> None:
            if number % 2:
                ann.restart_client()
            elif is_private(ann.last(where)):
                ann.dismiss(ann.last(where))

        assert await play(home, where, 10, 5, away) == 10


async def test_a_slow_house_is_followed_by_the_panel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        monkeypatch.setattr("bot.panel.turns.HOUSE_SECONDS", 0.0)
        where = await begun(home, "rhl:base")
        assert await play(home, where, 10, 6) == 10
        assert "Since then" not in text_of(home.person("ann").last(where))


async def test_a_panel_out_of_reach_moves_the_card_below_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Discord says that a token is no longer good: the card that stands above it is posted once more."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, "rhl:base")
        ann = home.person("ann")
        await said(home, "ann", where, "turn")
        panel, card = ann.last(where), home.cards(where)[-1]
        record = await home.record(where)
        home.table.faults.fail("(PATCH|DELETE) /webhooks/.*/messages", status=401, times=2)
        player = (await home.live(where)).game.offer().deciders[0]
        live = await home.live(where)
        choice = live.game.offer().find("pass") or live.game.offer().find("buy_lot")
        assert choice is not None
        picked = {} if choice.name == "pass" else {"lot": choice.ask({}).options[0].value}  # type: ignore[union-attr]
        user = live.seat(player).user
        await home.bot.service.play(record.id, user, choice.move(picked), interaction=None, expected=live.length)
        await home.settled()
        bottom = ann.last(where)
        assert bottom.id not in (panel.id, card.id)
        assert not is_private(bottom)


async def test_a_record_holds_exactly_the_moves_of_its_turn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        where = await begun(home, "bl:base", people=2)
        record = await home.record(where)
        looked: set[int] = set()

        async def look(number: int) -> None:
            told = await home.bot.store.told(record.id)
            for card, after in pairwise(told):
                if card["message"] in looked or card["state"] not in ("done", "on") or card["taken"]:
                    continue
                looked.add(card["message"])
                seqs = {line[0] for line in card["lines"]} - {0}
                assert seqs <= set(range(card["base"] + 1, after["base"] + 1)), "no move of another card"
                parts = home.bot.service.recent.since(record.id, card["base"], after["base"])
                assert parts is not None
                say = speaker("en").of("bl")
                assert seqs == {part.seq for part in parts if event_lines(say, part.events)}, "all of them"
                shown = text_of(home.person("ann").find(str(card["message"])))
                assert all(line[1] in shown for line in card["lines"])
                later = text_of(home.person("ann").find(str(after["message"])))
                assert not [line for line in card["lines"] if line[0] and f"- {line[1]}" in later.splitlines()]

        assert await play(home, where, 30, 3, look) == 30
        assert len(looked) > 8
