"""Nobody gets more than their share or decides alone in their own cause: limits, hosts, undo, rematch, seeds, seats."""

from __future__ import annotations

import asyncio
import logging
import random
from datetime import timedelta
from pathlib import Path

import pytest

from bot import health
from bot.games.lookback import Lookbacks
from engine.house.players import HOUSES
from engine.moves import to_json
from storage.records import ENDED, LOBBY, GameRecord, Quotas
from table.model import Overwrite
from table.people import Outcome, Person, text_of
from table.permissions import Permission
from workshop.evening.guests import Evening, NoPictures, buttons, done, evening
from workshop.evening.positions import Position, put, search

START = Position(4, ())


async def said(outcome: Outcome) -> str:
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


async def told(person: Person, text: str) -> None:
    assert (await person.sees(text, "lobby")).reader == person.id


async def passes(home: Evening, count: int) -> list[Person]:
    made = []
    for _ in range(count):
        person = home.person((await home.live()).game.offer().deciders[0].lower())
        await done(person, "lobby", "pass")
        made.append(person)
    await home.settled()
    return made


async def confirmed(home: Evening, asked: Outcome) -> None:
    """Ann, who administers the server, means it; wait until it is done."""
    ann, message = home.person("ann"), asked.message
    assert message is not None
    await ann.click(message, "Confirm")
    await home.table.until(lambda: "Confirm" not in buttons(ann.find(message)))
    await home.settled()


def public(home: Evening, text: str) -> list[str]:
    messages = home.person("ann").messages("lobby")
    return [each.id for each in messages if each.reader is None and text in text_of(each)]


# ---------------------------------------------------------------------- limits


async def test_who_opens_lobbies_and_leaves_them_is_counted_and_they_close(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bo = home.person("bo")
        guild = int(next(iter(home.table.world.guilds)))
        await home.bot.store.set_quotas(Quotas(guild, lobbies_a_day=5))
        for _ in range(5):
            card = await home.lobby("bo", seats=3)
            await bo.click(card, "Leave")
            await home.table.until(lambda card=card: "This lobby is closed." in text_of(bo.find(card)))
            assert buttons(bo.find(card)) == []
        assert await home.bot.store.games(statuses=[LOBBY]) == []
        refused = await bo.slash("lobby", "game new", title="rhl", where="here")
        assert "5" in await said(refused)
        assert len(await home.bot.store.games()) == 5


async def test_a_lobby_whose_opener_left_still_counts_for_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bo, cy = home.person("bo"), home.person("cy")
        guild = int(next(iter(home.table.world.guilds)))
        await home.bot.store.set_quotas(Quotas(guild, lobbies_of_person=1))
        card = await home.lobby("bo", "cy", seats=3)
        await bo.click(card, "Leave")
        await home.table.until(lambda: f"Host: {cy.mention}" in text_of(bo.find(card)))
        home.table.world.add_channel(next(iter(home.table.world.guilds.values())), "more")
        assert "that is the most" in await said(await bo.slash("more", "game new", title="rhl", where="here"))
        assert "The lobby is open" in await said(await cy.slash("more", "game new", title="rhl", where="here"))


async def test_a_new_host_is_asked_and_everybody_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo, cy = (home.person(name) for name in ("ann", "bo", "cy"))
        record = await put(home, START)
        assert "is asked in the channel" in await said(await ann.slash("lobby", "host hand", to=bo.id))
        assert (await home.record()).host == int(ann.id)
        card = await bo.sees("to be the host", "lobby")
        assert card.reader is None
        assert card.mentions == [bo.id]
        await cy.click(card, "Accept")
        await told(cy, "This button is not for you.")
        assert (await home.record()).host == int(ann.id)
        await bo.click(card, "Accept")
        await home.table.until(lambda: "is the host of this game now" in text_of(ann.find(card)))
        await home.settled()
        after = await home.record()
        assert after.host == int(bo.id)
        assert after.opener == record.opener == int(ann.id), "limits go on counting for whoever opened it"
        assert public(home, "is the host of this game now")
        # The old host can no longer hand it on, and a second card of theirs is worth nothing.
        assert "Only the host" in await said(await cy.slash("lobby", "host hand", to=cy.id))


async def test_who_is_asked_to_be_host_can_decline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        await home.lobby("ann", "bo", seats=3)
        await said(await ann.slash("lobby", "host hand", to=bo.id))
        card = await bo.sees("to be the host", "lobby")
        await bo.click(card, "Decline")
        await home.table.until(lambda: "has declined; the host stays the same" in text_of(ann.find(card)))
        assert (await home.record()).host == int(ann.id)


# ---------------------------------------------------------------------- undo


async def test_a_host_who_plays_does_not_decide_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, START)
        made = await passes(home, 3)
        ann = home.person("ann")
        assert record.host == int(ann.id)
        assert "The others are asked" in await said(await ann.slash("lobby", "undo", moves=3))
        card = await ann.sees("asks to take back", "lobby")
        await ann.click(card, "Agree")
        await told(ann, "This button is not for you.")
        assert len((await home.live()).game.moves) == 3
        other = next(person for person in made if person.id != ann.id)
        await other.click(card, "Decline")
        await home.table.until(lambda: "has declined; the moves stand" in text_of(ann.find(card)))
        for person in made:
            assert f"- {person.user.display_name}: Pass" in text_of(ann.find(card)), "what was asked stays readable"


async def test_a_neutral_administrator_decides_and_those_concerned_are_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        # Ann administers the server and does not play here.
        await put(home, START, people=("bo", "cy", "dora"))
        made = await passes(home, 3)
        asker = made[0]
        await said(await asker.slash("lobby", "undo", moves=3))
        card = await asker.sees("asks to take back", "lobby")
        await home.person("ann").click(card, "Agree")
        await home.table.until(lambda: "has taken back 3 move" in text_of(asker.find(card)))
        await home.settled()
        assert set(home.cards()[-1].mentions) >= {person.id for person in made[1:]}, "their moves fell: they are told"


async def test_one_open_request_a_game_and_a_pause_before_the_next(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        made = await passes(home, 3)
        asker, other = made[0], made[1]
        outcomes = await asyncio.gather(*(asker.slash("lobby", "undo", moves=3) for _ in range(40)))
        texts = [await said(outcome) for outcome in outcomes]
        assert sum("The others are asked" in text for text in texts) == 1
        [card] = public(home, "asks to take back")
        assert "are being asked already" in await said(await other.slash("lobby", "undo", moves=3))
        await other.click(card, "Decline")
        await home.table.until(lambda: "has declined" in text_of(asker.find(card)))
        assert "you can ask again" in await said(await asker.slash("lobby", "undo", moves=3))
        now = home.bot.service.now
        monkeypatch.setattr(home.bot.service, "now", lambda: now() + timedelta(minutes=6))
        assert "The others are asked" in await said(await asker.slash("lobby", "undo", moves=3))


async def test_a_request_dies_with_its_askers_seat(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, START)
        made = await passes(home, 3)
        asker = next(person for person in made if person.user.name != "ann")
        others = [person for person in made if person is not asker]
        await said(await asker.slash("lobby", "undo", moves=3))
        card = await asker.sees("asks to take back", "lobby")
        ann, dora = home.person("ann"), home.person("dora")
        asked = await ann.slash("lobby", "host replace", player=asker.user.display_name, by=dora.id)
        await asked.settled()
        await confirmed(home, asked)
        for person in others:
            await person.click(card, "Agree")
        await home.table.until(lambda: "ask again if it is still needed" in text_of(ann.find(card)))
        assert len((await home.live()).game.moves) == 3


# ---------------------------------------------------------------------- rematch


async def finished(home: Evening) -> GameRecord:
    whole = search(lambda game: game.finished)
    record = await put(home, Position(whole.seed, whole.moves[:-1], whole.options))
    live = await home.live()
    move = whole.moves[-1]
    await home.bot.service.play(record.id, live.seat(move.player).user, move, interaction=None)
    await home.settled()
    return record


async def test_a_rematch_holds_seats_until_each_has_joined(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await finished(home)
        ann, bo, cy, dora = (home.person(name) for name in ("ann", "bo", "cy", "dora"))
        assert "The lobby is open" in await said(await bo.click(home.cards()[-1], "Rematch"))
        card = await bo.sees("Seats (1 of 3)", "lobby")
        assert [seat.user for seat in (await home.record()).seats] == [int(bo.id)]
        assert set(card.mentions) == {ann.id, cy.id}
        await bo.click(card, "Start")
        await told(bo, "there are 1")
        await dora.click(card, "Join")
        await told(dora, "The free seats are held for")
        await ann.click(card, "Join")
        await home.table.until(lambda: "Seats (2 of 3)" in text_of(bo.find(card)))
        assert (await home.record()).invited == (int(cy.id),)
        # The seat of one who does not want goes to whoever does.
        await cy.click(card, "Leave")
        await home.table.until(lambda: "3. *free*" in text_of(bo.find(card)))
        await dora.click(card, "Join")
        await home.table.until(lambda: "Seats (3 of 3)" in text_of(bo.find(card)))
        await bo.click(card, "Start")
        await home.table.until(lambda: "The game has begun" in text_of(bo.find(card)))


async def test_a_rematch_is_made_only_where_games_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await finished(home)
        games = home.table.world.add_channel(next(iter(home.table.world.guilds.values())), "games")
        await said(await home.person("ann").slash("lobby", "server channel", channel=games.id))
        refused = await said(await home.person("bo").click(home.cards()[-1], "Rematch"))
        assert "Games are not made in this channel" in refused


# ---------------------------------------------------------------------- chance


async def test_a_seed_is_drawn_at_the_start_or_said_to_be_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        card = await home.lobby("ann", "bo", "cy", seats=3)
        assert "the seed is drawn at the start" in text_of(ann.find(card))
        assert (await home.record()).seed == 0
        assert "drawn at the start" in await said(await ann.slash("lobby", "game info"))
        await ann.click(card, "Start")
        await home.table.until(lambda: "The game has begun" in text_of(ann.find(card)))
        record = await home.record()
        assert record.seed != 0
        assert not record.seed_typed
        assert f"Seed {record.seed}" in await said(await ann.slash("lobby", "game info"))
        assert "chosen by" not in await said(await ann.slash("lobby", "game info"))
        home.table.world.add_channel(next(iter(home.table.world.guilds.values())), "more")
        card = await home.lobby("ann", where="more", seats=3, seed=2)
        assert "seed 2, chosen by the host" in text_of(ann.find(card))
        assert "Seed 2, chosen by the host" in await said(await ann.slash("more", "game info"))


async def test_an_undo_throws_no_dice_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same move again, and the house answers the same; in another game with the same seed it need not."""
    thrown: list[float] = []
    choose = HOUSES["greedy"].choose

    def watched(self: object, game: object, player: str, chance: random.Random) -> object:
        state = chance.getstate()
        thrown.append(chance.random())
        chance.setstate(state)
        return choose(self, game, player, chance)  # type: ignore[arg-type]

    monkeypatch.setattr(HOUSES["greedy"], "choose", watched)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        for where in ("lobby", "more"):
            if where == "more":
                home.table.world.add_channel(next(iter(home.table.world.guilds.values())), "more")
            card = await home.lobby("ann", where=where, seats=3, seed=2)
            for number in (2, 3):
                await ann.click(card, "Add a house player")
                await ann.sees(f"Seats ({number} of 3)", where)
            for level in ("hard", "easy"):
                await ann.click(card, f"House plays: {level}")
                await ann.sees(f"(house, {level})", where)
            await ann.click(card, "Start")
            await home.table.until(lambda card=card: "The game has begun" in text_of(ann.find(card)))
            await home.settled()
            rounds = []
            for _ in range(4):
                thrown.clear()
                await done(ann, where, "pass")
                await home.settled()
                log = [to_json(move) for move in (await home.live(where)).game.moves]
                rounds.append((list(thrown), log))
                assert "has taken back" in await said(await ann.slash(where, "undo"))
                await home.settled()
            assert rounds[0][0], "the house has moved"
            assert all(each == rounds[0] for each in rounds)
            if where == "lobby":
                first = rounds[0][0]
            else:
                assert rounds[0][0] != first, "a public seed does not tell what the house will do"


# ---------------------------------------------------------------------- what is hidden


async def test_who_takes_one_seat_after_the_other_sees_no_hidden_cards(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        await home.begin("bo", "cy", "dora", options="destiny_cards=true")
        await home.settled()
        decider = (await home.live()).game.offer().deciders[0]
        resting = [name for name in ("Bo", "Cy", "Dora") if name != decider]

        async def give(player: str, to: Person) -> str:
            asked = await ann.slash("lobby", "host replace", player=player, by=to.id)
            text = await said(asked)
            if asked.message is not None and "Confirm" in buttons(asked.message):
                await confirmed(home, asked)
            return text

        first, second = resting
        await give(first, ann)
        assert (await home.live()).player_of(int(ann.id))
        assert "when it next has something to decide" in await said(await ann.slash("lobby", "cards"))
        await give("Ann", home.person(first.lower()))
        assert "has held another seat" in await give(second, ann)
        assert not (await home.live()).player_of(int(ann.id))
        # At the next decision the new owner knows what they hold.
        owner = home.person(first.lower())
        while (await home.live()).game.offer().deciders[0] != (await home.live()).player_of(int(owner.id)):
            name = (await home.live()).game.offer().deciders[0]
            await done(home.person(name.lower().split()[0]), "lobby", "pass")
        assert "when it next" not in await said(await owner.slash("lobby", "cards"))


async def test_a_list_tells_nothing_of_games_in_channels_that_the_asker_cannot_see(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        cy, dora = home.person("cy"), home.person("dora")
        hidden, open_one = await put(home, START), await put(home, START, "other")
        channel = cy.place("lobby")
        told = await said(await dora.slash("other", "game list"))
        assert f"<#{hidden.channel}>" in told
        channel.overwrites[dora.id] = Overwrite(dora.id, 1, 0, int(Permission.VIEW_CHANNEL))
        home.table.world.save_channel(channel)
        told = await said(await dora.slash("other", "game list"))
        assert f"<#{open_one.channel}>" in told
        assert f"<#{hidden.channel}>" not in told
        assert f"<#{hidden.channel}>" in await said(await cy.slash("other", "game list"))


# ---------------------------------------------------------------------- health and work


async def test_a_healthy_bot_has_no_troubles(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Lobbies are closed, games paused, resumed, ended and seats given to others: nothing of it is a trouble."""
    caplog.set_level(logging.WARNING)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo, dora = home.person("ann"), home.person("bo"), home.person("dora")

        async def sure(command: str, **options: str) -> None:
            asked = await ann.slash("lobby", command, **options)
            await asked.settled()
            await confirmed(home, asked)

        await home.lobby("ann", "bo", seats=3)
        await sure("host end")
        card = await home.lobby("bo", seats=3)
        await bo.click(card, "Leave")
        await home.table.until(lambda: "This lobby is closed." in text_of(bo.find(card)))
        record = await put(home, START)
        await said(await ann.slash("lobby", "host pause"))
        await said(await ann.slash("lobby", "host resume"))
        await sure("host replace", player="Bo", by=dora.id)
        await sure("host replace", player="Cy")
        await sure("host end")
        home.bot.service.forget(record.id)
        home.bot.service.houses.wake(record.id)
        await home.settled()
        assert [each.status for each in await home.bot.store.games()] == [ENDED] * 3
        assert (await health.state(home.bot))["troubles"] == []
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []


async def test_replays_are_made_in_turn_between_people_and_once() -> None:
    """Whoever asks for forty things at once keeps nobody waiting for more than one of them."""
    lookbacks = Lookbacks()
    order: list[str] = []

    def work(name: str) -> str:
        order.append(name)
        return name

    flood = [
        asyncio.create_task(lookbacks.find(1, number, lambda n=number: work(f"flood {n}"))) for number in range(40)
    ]
    await asyncio.sleep(0)
    other = asyncio.create_task(lookbacks.find(2, "other", lambda: work("other")))
    same = asyncio.create_task(lookbacks.find(3, 39, lambda: work("twice")))
    await asyncio.gather(*flood, other, same)
    assert order.index("other") <= 2
    assert len(order) == 41
    assert await lookbacks.find(2, 39, lambda: work("again")) == "flood 39"
    with pytest.raises(ZeroDivisionError):
        await lookbacks.find(1, "bad", lambda: 1 // 0)
    assert await lookbacks.find(1, "good", lambda: work("good")) == "good"
    await lookbacks.close()
