"""Who may do what, what is out of date, what happens twice or at once: refusals are private, nothing is lost."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from bot.games.replaying import replay
from bot.games.service import GameService, ServiceError, Stale
from engine.game import Game
from engine.moves import Pass
from storage.errors import RepeatedError, StaleError
from storage.sqlite import SqliteStore
from table import components
from table.model import Message
from table.people import Outcome, Person, text_of
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, done, evening, pass_of
from workshop.evening.positions import Position, offered, put, search, sources, two_discards

START = Position(4, ())


def public(home: Evening) -> list[str]:
    """Everything that everybody can read in the channel."""
    return [text_of(m) for m in home.person("ann").messages("lobby") if m.reader is None]


async def private(outcome: Outcome, who: Person) -> str:
    """What the answer says, if only this person sees it."""
    assert not outcome.failed
    await outcome.settled()
    assert outcome.message is not None
    assert outcome.message.reader == who.id
    return outcome.text


def passes_twice(game: Game) -> bool:
    """One may pass, and afterwards the same player could pass again."""
    choice = game.offer().find("pass")
    if choice is None or len(game.offer().deciders) > 1:
        return False
    after = game.copy()
    after.apply(Pass(choice.player))
    again = after.offer().find("pass")
    return again is not None and again.player == choice.player and after.offer().deciders == (choice.player,)


async def log_length(home: Evening, game: int) -> int:
    return len(await home.bot.store.log(game))


# ---------------------------------------------------------------------- who


async def test_others_get_a_private_no(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        card = home.cards()[-1]
        decider = START.game().offer().deciders[0].lower()
        other = home.person(next(name for name in ("ann", "bo", "cy") if name != decider))
        dora = home.person("dora")
        before = public(home)
        label = next(each for each in buttons(card) if each not in ("Map", "Market", "Sheet"))
        assert "You are not playing in this game." in await private(await dora.click(card, label), dora)
        assert "You are not playing in this game." in await private(await dora.slash("lobby", "pass"), dora)
        assert "You are not playing in this game." in await private(await dora.slash("lobby", "undo"), dora)
        assert "You are not playing in this game." in await private(await dora.slash("lobby", "redo"), dora)
        assert "This button is not for you." in await private(await other.click(card, label), other)
        assert "It is not your turn" in await private(await other.slash("lobby", "pass"), other)
        assert "Only the host" in await private(await dora.slash("lobby", "host pause"), dora)
        panel = await other.slash("lobby", "turn")
        await private(panel, other)
        assert panel.message is not None
        assert buttons(panel.message) == []
        assert await dora.autocomplete("lobby", "bid", "lot", lot="") == []
        await home.settled()
        assert public(home) == before
        assert await log_length(home, record.id) == 0


async def test_what_is_not_on_offer_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        person = home.person(START.game().offer().deciders[0].lower())
        refusals = [
            (("track",), {"hex": "A1", "tile": "7"}, "is not possible now"),
            (("bid",), {"lot": "nothing", "price": "100"}, "is not possible now"),
            (("bid",), {"lot": "TF", "price": "99999"}, "is not possible now"),
            (("track",), {"hex": "A1", "tile": "7"}, "You may: Buy, Bid, Pass."),
            (("bid",), {"lot": "nothing", "price": "100"}, "There is no lot called nothing. Possible: KEO"),
            (("bid",), {"lot": "PWB", "price": "100"}, "(RHL-5.1.1-a) Possible: KEO"),
            (("bid",), {"lot": "TF", "price": "83"}, "Possible: 85 to"),
            (("bid",), {"lot": "TF", "price": "5"}, "A bid on no. 4 (Train Ferry) is at least 85"),
            (("bid",), {"lot": "TF"}, "bids 85 M on no. 4 (Train Ferry)"),
            (("move",), {"move": "nothing"}, "is not possible now"),
            (("stock buy",), {"company": "RhE"}, "is not possible now"),
            (("map",), {"hex": "Z99"}, "There is no hex `Z99`"),
            (("map",), {"move": 99}, "The game has 0 moves."),
            (("company",), {"name": "XYZ"}, "There is no company"),
            (("undo",), {}, "nothing to take back"),
            (("redo",), {}, "nothing to bring back"),
        ]
        for (command,), options, expected in refusals:
            told = await private(await person.slash("lobby", command, **options), person)
            assert expected in told, f"/{command} {options}: {told}"
        assert await log_length(home, record.id) == 0


async def test_commands_where_no_game_is_say_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        for command in ("pass", "map", "turn", "log", "undo", "host pause", "game info"):
            assert "There is no game in this channel" in await private(await ann.slash("lobby", command), ann)
        await home.lobby("ann", "bo")
        for command in ("pass", "map", "turn", "undo", "host pause"):
            assert "has not begun yet" in await private(await ann.slash("lobby", command), ann)
        assert await ann.autocomplete("lobby", "bid", "lot", lot="") == []


async def test_a_form_is_refused_for_a_number_that_is_not_possible(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        guest = Guest(home, START.game().offer().deciders[0].lower(), random.Random(1))
        panel, form = await open_bid(guest)
        label = next(each["label"] for each in form.modal["components"]) if form.modal else ""
        for wrong in ("12345", "abc", "-5", "61"):
            await guest.person.submit(form, {label: wrong})
            await home.table.until(lambda wrong=wrong: wrong in text_of(guest.person.find(panel)))
            assert "is not possible: a number from" in text_of(guest.person.find(panel))
            # The form comes back with what was typed.
            form = await guest.person.click(guest.person.find(panel), "Correct it")
            assert form.modal is not None
            assert wrong in str(form.modal)
        await guest.person.submit(form, {label: "60"})
        await home.table.until(lambda: "Confirm" in buttons(guest.person.find(panel)))
        assert "bids 60 M" in text_of(guest.person.find(panel))
        assert await log_length(home, record.id) == 0


async def open_bid(guest: Guest) -> tuple[Message, Outcome]:
    """The panel with the price of the first lot, and the form for it."""
    card = guest.card("lobby")
    assert card is not None
    opened = await (await guest.person.click(card, "Bid")).settled()
    assert opened.message is not None
    await guest.press(opened.message, buttons(opened.message)[0])
    form = await guest.person.click(opened.message, "Another number …")
    assert form.modal is not None
    return opened.message, form


# ---------------------------------------------------------------------- out of date


async def test_a_stale_button_explains_and_offers_the_fresh_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        record = await put(home, position)
        guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
        card = home.cards()[-1]
        old = next(each["custom_id"] for each in components.walk(card.components) if each.get("label") == pass_of(card))
        # Another process plays on; this one's memory and the card are behind.
        async with await SqliteStore.open(tmp_path / "kursbuch.sqlite3") as store:
            service = GameService(store)
            await service.play(record.id, int(guest.person.id), Pass(guest.person.user.display_name), interaction=1)
        before = await log_length(home, record.id)
        stale = await guest.person.click(card, old)
        await private(stale, guest.person)
        assert stale.message is not None
        assert "The game has moved on since this panel was made" in stale.text
        assert await log_length(home, record.id) == before
        # The fresh panel is there and works.
        assert stale.message is not None
        await guest.press(stale.message, pass_of(stale.message))
        await home.settled()
        assert await log_length(home, record.id) == before + 1


async def test_old_cards_menus_and_forms_are_stale_after_a_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        decider = START.game().offer().deciders[0]
        guest = Guest(home, decider.lower(), random.Random(1))
        card = home.cards()[-1]

        async def late(*_: object) -> bool:
            return False

        # Somebody may press a button just before the card is closed.
        monkeypatch.setattr(home.bot.announcer, "_close_old", late)
        monkeypatch.setattr(home.bot.turns, "follow", late)
        panel, form = await open_bid(guest)
        await home.bot.service.play(record.id, int(guest.person.id), Pass(decider), interaction=1)
        await home.settled()
        assert await log_length(home, record.id) == 1
        submitted = await guest.person.submit(form)
        await home.table.until(lambda: "moved on" in text_of(guest.person.find(panel)))
        assert not submitted.failed
        told = await private(await guest.person.click(card, buttons(card)[0]), guest.person)
        assert "The game has moved on" in told
        assert "turn now" in told
        other = Guest(home, next(iter((await home.live()).game.offer().deciders)).lower(), random.Random(1))
        told = await private(await other.person.click(card, buttons(card)[0]), other.person)
        assert "The game has moved on" in told
        assert "Buy" in told
        assert await log_length(home, record.id) == 1


# ---------------------------------------------------------------------- twice


async def test_two_quick_clicks_apply_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both are under way before either is saved, and both would be possible one after the other."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        record = await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        card = home.cards()[-1]
        clicks = await asyncio.gather(*(person.click(card, pass_of(card)) for _ in range(4)))
        assert not any(each.failed for each in clicks)
        await home.table.until(lambda: "moved on" in text_of(person.last("lobby")))
        await home.settled()
        assert await log_length(home, record.id) == len(position.moves) + 1
        assert [each for each in clicks if each.message is not None] != []
        private_ = [each for each in person.messages("lobby") if each.reader is not None and buttons(each)]
        assert len(private_) <= 1, "one panel is left of them"


async def test_two_quick_confirmations_apply_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(offered("dividend"))
        record = await put(home, position)
        guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
        card = guest.card("lobby")
        assert card is not None
        await asyncio.gather(*(guest.person.click(card, buttons(card)[0]) for _ in range(3)))
        await home.table.until(lambda: "moved on" in text_of(guest.person.last("lobby")))
        await home.settled()
        assert await log_length(home, record.id) == len(position.moves) + 1


async def test_an_interaction_that_is_delivered_twice_is_carried_out_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        record = await put(home, position)
        person = home.person(position.game().offer().deciders[0].lower())
        dispatch = home.table.interactions._dispatch

        def twice(*arguments: Any, **named: Any) -> Any:
            dispatch(*arguments, **named)
            return dispatch(*arguments, **named)

        monkeypatch.setattr(home.table.interactions, "_dispatch", twice)
        await done(person, "lobby", "pass")
        await home.settled()
        assert await log_length(home, record.id) == len(position.moves) + 1
        made = (await home.bot.store.log(record.id))[-1]
        with pytest.raises(RepeatedError):
            await home.bot.service.play(record.id, int(person.id), Pass(made.player), interaction=made.interaction)
        assert await log_length(home, record.id) == len(position.moves) + 1


# ---------------------------------------------------------------------- at once


async def test_two_directors_wait_for_each_other_to_discard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both press as soon as they are asked; both discards are made, each once and in their order."""
    position = search(two_discards)
    names = [pause.players[0] for pause in position.game().state.pauses]
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        guests = [Guest(home, name.lower(), random.Random(1)) for name in names]

        async def discard(guest: Guest) -> None:
            while discarding():
                card = guest.card("lobby")
                if card is None or not await waits(guest):
                    await asyncio.sleep(0.05)
                    continue
                await guest.turn("lobby")
                await home.settled()

        async def waits(guest: Guest) -> bool:
            rows = await home.bot.store.waiting(game=record.id, user=int(guest.person.id))
            return any(row.player == guest.person.user.display_name for row in rows) and discarding()

        def discarding() -> bool:
            live = home.bot.service.remembered(record.id)
            return live is not None and live.game.offer().find("discard_train") is not None

        await asyncio.gather(*(discard(guest) for guest in guests))
        made = (await home.bot.store.log(record.id))[len(position.moves) :]
        assert [entry.player for entry in made] == names
        assert {entry.move["type"] for entry in made} == {"discard_train"}


async def test_two_services_on_one_database_never_both_append(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes race through a part of a game: every number is given once, and both end in one position."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        record = await put(home, position)
        async with await SqliteStore.open(tmp_path / "kursbuch.sqlite3") as other:
            services = [home.bot.service, GameService(other)]
            lost = [0, 0]

            async def race(number: int) -> None:
                service = services[number]
                for step in range(40):
                    live = await service.live(record.id)
                    choice = live.game.offer().find("pass") or live.game.offer().choices[0]
                    picked: dict[str, Any] = {}
                    while (domain := choice.ask(picked)) is not None:
                        picked[domain.name] = domain.options[0].value if hasattr(domain, "options") else domain.low
                    user = live.seat(choice.player).user
                    try:
                        await service.play(
                            record.id,
                            user,
                            choice.move(picked),
                            interaction=1000 + 100 * number + step,
                            expected=live.length,
                        )
                    except (Stale, StaleError):
                        lost[number] += 1

            await asyncio.gather(race(0), race(1))
            entries = await other.entries(record.id)
            assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
            assert len(entries) - len(position.moves) == 80 - sum(lost)
            assert sum(lost) > 0
            stored = replay(record, [entry.move for entry in entries]).state.digest()
            for service in services:
                live = await service.live(record.id, at_least=len(entries))
                assert live.length == len(entries)
                assert live.game.state.digest() == stored


async def test_undo_of_a_service_that_is_behind_is_refused_and_it_catches_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        position = search(passes_twice)
        record = await put(home, position)
        player = position.game().offer().deciders[0]
        user = int(home.person(player.lower()).id)
        async with await SqliteStore.open(tmp_path / "kursbuch.sqlite3") as other:
            service = GameService(other)
            behind = await service.live(record.id)
            await home.bot.service.play(record.id, user, Pass(player), interaction=5)
            with pytest.raises(StaleError):
                await service.undo(record.id, user, 1, interaction=6, expected=behind.length)
            assert (await service.live(record.id)).length == behind.length + 1


async def test_a_train_is_not_bought_from_somebody_who_has_sold_it_meanwhile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A panel kept open while others play on cannot make a move of the position it was made for."""

    def wanted(game: Game) -> bool:
        choice = game.offer().find("buy_train")
        return choice is not None and any(whose == "other" for _, whose in sources(choice))

    position = search(wanted)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position)
        buyer = home.person(position.game().offer().deciders[0].lower())
        card = home.cards()[-1]
        offer = next(label for label in buttons(card) if "with its director" in label)
        panel = await (await buyer.click(card, offer)).settled()
        assert panel.message is not None

        async def nothing(*_: object) -> None:
            """The tap comes before the panel has followed."""

        monkeypatch.setattr(home.bot.turns, "follow", nothing)
        await home.bot.service.play(record.id, int(buyer.id), Pass(buyer.user.display_name), interaction=1)
        await home.settled()
        before = await log_length(home, record.id)
        await buyer.click(panel.message, "Confirm")
        await home.table.until(lambda: "moved on" in panel.text)
        assert await log_length(home, record.id) == before


async def test_seats_and_starts_race_at_one_lobby(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        card = await home.lobby("ann", seats=3)
        people = [home.person(name) for name in ("bo", "cy", "dora")]
        await asyncio.gather(*(each.click(card, "Join") for each in [*people, people[0]]))
        await home.person("ann").sees("Seats (3 of 3)", "lobby")
        record = await home.record()
        assert len(record.seats) == 3
        assert len({seat.user for seat in record.seats}) == 3
        await asyncio.gather(*(home.person("ann").click(card, "Start") for _ in range(3)))
        await home.person("ann").sees("your turn", "lobby")
        await home.settled()
        assert (await home.record()).status == "playing"
        assert len(home.cards()) == 1
        with pytest.raises(ServiceError, match="not_lobby"):
            await home.bot.service.start(record.id, record.host)
