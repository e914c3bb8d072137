"""A game that cannot be loaded, beside a sound one: every command and every button, in it and around it."""

from __future__ import annotations

import asyncio
import json
import logging
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

from bot import health
from bot.cli import main
from bot.client import DATABASE
from bot.games import snapshots
from bot.games.stuck import DIFFERS, LOG, MOVE, OPTIONS, TITLE, Stuck
from engine import position
from engine.house.players import Greedy
from storage.records import ENDED, LOBBY, PAUSED, PLAYING, GameRecord
from table import components
from table import errors as table_errors
from table.components import Kind
from table.model import Message
from table.people import Outcome, text_of
from tests.bot.test_threads import begun
from workshop.evening.guests import Evening, NoPictures, evening
from workshop.evening.positions import PEOPLE, Position, offered, put, search

#: What leaves a game behind that the program cannot load: a title that is gone, another version of it, options that
#: it does not have or that are no JSON, an entry of the log that is cut off, a move of an unknown kind, and one that
#: is against the rules.
BROKEN = {
    "title": (TITLE, "UPDATE games SET title = 'lost' WHERE id = ?1"),
    "options": (OPTIONS, """UPDATE games SET options = '{"moon": true}' WHERE id = ?1"""),
    "no options": (OPTIONS, "UPDATE games SET options = '{cut' WHERE id = ?1"),
    "log": (LOG, "UPDATE log SET body = substr(body, 1, 9) WHERE game = ?1 AND seq = 5"),
    "kind": (MOVE, """UPDATE log SET body = '{"type":"fly","player":"Ann"}' WHERE game = ?1 AND seq = 5"""),
    "refused": (MOVE, """UPDATE log SET body = (SELECT body FROM log WHERE game = ?1 AND seq = 1)
                          WHERE game = ?1 AND seq = 5"""),
    "differs": (DIFFERS, f"""UPDATE log SET digest = X'{position.VERSION:02x}00000000000000'
                              WHERE game = ?1 AND seq = 5"""),
}  # fmt: skip
#: What is given for the options that a command asks for; one with another option has to be added here.
GIVEN: dict[str, Any] = {
    "company": "RhE", "percent": "10", "par": "100", "lot": "1", "hex": "E10", "tile": "8", "kind": "withhold",
    "train": "2", "reply": "accept", "move": "pass", "hours": 1, "days": 0, "name": "RhE", "where": "here",
    "language": "en", "player": "Bo",
}  # fmt: skip
#: These end what the others need, and come last.
LAST = ("host end",)


def commands_of(home: Evening) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every command that there is, with what it asks for."""
    for command in home.bot.tree.walk_commands():
        if isinstance(command, app_commands.Command) and command.qualified_name not in LAST:
            given = {each.name: GIVEN.get(each.name) for each in command.parameters if each.required}
            if "to" in given:
                given["to"] = home.person("ann").id
            missing = [name for name, value in given.items() if value is None]
            assert not missing, f"/{command.qualified_name} asks for {missing}: add them to GIVEN"
            yield command.qualified_name, given


async def answer(outcome: Outcome) -> str:
    """What a person is told; they are always told something, and never that nobody knows what is wrong."""
    assert not outcome.failed
    await outcome.settled()
    return outcome.text


async def middle(home: Evening, where: str) -> GameRecord:
    """A game after some moves, played by the bot itself so that its position is kept."""
    position = search(offered("buy_share"))
    record = await put(home, Position(position.seed, position.moves[:8]), where)
    live = await home.bot.service.live(record.id)
    decider = live.game.offer().deciders[0]
    move = Greedy().choose(live.game.copy(), decider, random.Random(1))
    await home.bot.service.play(record.id, live.seat(decider).user, move, interaction=None)
    await home.settled()
    return await home.record(where)


async def damage(home: Evening, game: int, change: str) -> None:
    """Change the database, and let the program know as little of the game as after a start."""

    def work(db: sqlite3.Connection) -> None:
        # The database itself lets nobody change its log; what damages one does not ask.
        for (name,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(change, (game,))
        db.execute("PRAGMA ignore_check_constraints = OFF")

    await home.bot.store._write(work)
    if "UPDATE log" in change:
        # Another program has kept it; otherwise the position would simply be read.
        await home.bot.store._write(
            lambda db: db.execute("UPDATE snapshots SET basis = 'other' WHERE game = ?", (game,)).close()
        )
    home.bot.service.forget(game)


async def bodies(home: Evening, game: int) -> list[Any]:
    """The log as it stands in the database."""
    query = "SELECT seq, kind, body FROM log WHERE game = ? ORDER BY seq"
    return await home.bot.store._read(lambda db: db.execute(query, (game,)).fetchall())


async def panels(home: Evening) -> None:
    """What people may have open when a game stops: a turn's panel, a request, questions to the host, pages."""
    ann = home.person("ann")
    for name in PEOPLE:
        await (await home.person(name).slash("lobby", "turn")).settled()
    await (await ann.slash("lobby", "undo", moves=6)).settled()
    await (await ann.slash("lobby", "host end")).settled()
    await (await ann.slash("lobby", "host replace", player="Bo")).settled()
    await (await ann.slash("lobby", "host hand", to=home.person("cy").id)).settled()
    await (await ann.slash("lobby", "host settle")).settled()
    await home.settled()


async def press_all(home: Evening, game: int, card: Message) -> None:
    """Press whatever anybody can press there, save what ends the game; everybody is answered in words."""
    kinds: set[str] = set()
    for name in PEOPLE:
        person = home.person(name)
        shown = [
            (message, str(each["custom_id"]))
            for message in person.messages("lobby")
            for each in components.walk(message.components)
            if each["type"] == Kind.BUTTON and each.get("custom_id") and not each.get("disabled")
        ]
        for message, button in shown:
            if re.match(r"h:\d+:end:|h:\d+:accept:|k:.*:do$|g:", button):
                continue
            try:
                outcome = await person.click(message, button)
            except table_errors.Refused:
                continue  # an answer has taken its place
            told = await answer(outcome)
            kinds.add(button[0])
            assert "reference" not in told, (button, told)
    await home.settled()
    # Looks, moves of panels that were open, requests, questions to hosts, the choices.
    assert {"m", "h", "u", "k"} <= kinds, kinds


@pytest.mark.slow
@pytest.mark.parametrize("what", BROKEN)
async def test_every_command_and_button_in_and_around_a_game_that_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture, what: str
) -> None:
    why, change = BROKEN[what]
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, store, service = home.person("ann"), home.bot.store, home.bot.service
        bad, sound = await middle(home, "lobby"), await middle(home, "other")
        card = home.cards("lobby")[-1]
        await panels(home)
        await damage(home, bad.id, change)
        log, kept = await bodies(home, bad.id), await store.kept(sound.id)
        with caplog.at_level(logging.ERROR):
            # The list of the server has both, whoever asks, and says what is the matter once it is known.
            found = await service.found(bad.id)
            assert isinstance(found, Stuck)
            assert found.why == why
            for name in ("game list", "game mine"):
                told = await answer(await ann.slash("other", name))
                assert "cannot go on" in told
                assert f"<#{sound.channel}>" in told
                assert f"<#{bad.channel}>" in told
            await home.settled()
            assert (await home.record("lobby")).status == PAUSED
            assert "cannot go on" in text_of(ann.last("lobby"))
            for place in ("lobby", "other"):
                for name, given in list(commands_of(home)):
                    told = await answer(await ann.slash(place, name, **given))
                    assert told, (place, name)
                    assert "reference" not in told, (place, name, told)
                    await home.settled()
                    if place == "other" and name not in ("game list", "game mine"):
                        assert "cannot go on" not in told, name
            # Every button there: of cards, panels, requests and questions from before, and of what tells it.
            await press_all(home, bad.id, card)
            assert await bodies(home, bad.id) == log
            assert (await store.kept(sound.id)).moves == kept.moves  # type: ignore[union-attr]
            # It is ended, and its channel is free.
            asked = await (await ann.slash("lobby", "host end")).settled()
            assert asked.message is not None
            await answer(await ann.click(asked.message, "Confirm"))
            await ann.sees("The game is ended", "lobby")
            await home.settled()
            assert (await home.record("lobby")).status == ENDED
            assert await bodies(home, bad.id) == log
            told = await answer(await ann.slash("lobby", "game new", title="rhl", where="here"))
            assert "<#" in told, told
            assert (await home.record("lobby")).status == LOBBY
        assert "unexpected" not in caplog.text
        assert (await home.record("other")).status == PLAYING


async def test_a_game_that_cannot_be_loaded_is_shown_as_it_was_last_seen_and_looked_at_up_to_its_last_good_move(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        bad = await middle(home, "lobby")
        before = (await home.live()).game.state.digest()
        await damage(home, bad.id, BROKEN["refused"][1])
        found = await home.bot.service.found(bad.id)
        assert isinstance(found, Stuck)
        assert found.last is not None
        assert found.last.state.digest() == before
        assert found.good is not None
        assert len(found.good.moves) == 4
        told = await answer(await ann.slash("lobby", "map"))
        assert "As it was last seen, after move 7 of 7" in told
        assert "move 5 of 7" in told
        assert "after move 4" in (await answer(await ann.slash("lobby", "map", move=4))).lower()
        assert "4" in await answer(await ann.slash("lobby", "map", move=5))
        assert "`4`" in await answer(await ann.slash("lobby", "log"))
        assert "`5`" not in await answer(await ann.slash("lobby", "log"))


async def test_the_host_is_told_once_and_a_stranger_can_decide_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        bad = await middle(home, "lobby")
        await damage(home, bad.id, BROKEN["title"][1])
        for _ in range(3):
            await answer(await bo.slash("lobby", "turn"))
            await home.settled()
        direct = [text_of(each) for each in ann.messages(ann.direct())]
        assert sum("of which you are the host, is paused" in text for text in direct) == 1
        public = [text_of(each) for each in ann.messages("lobby") if each.reader is None]
        assert sum("cannot go on" in text for text in public) == 1
        assert "Only the host" in await answer(await bo.slash("lobby", "host end"))
        told = await answer(await ann.slash("lobby", "host resume"))
        assert "does not know the title" in told
        assert "until" in told
        assert "/host settle" in told
        assert (await home.record()).status == PAUSED
        # Handed over, and the new host decides.
        await answer(await ann.slash("lobby", "host hand", to=bo.id))
        card = await bo.sees("to be the host", "lobby")
        await bo.click(card, "Accept")
        await home.table.until(lambda: "is the host of this game now" in text_of(ann.find(card)))
        assert "End the game now" in await answer(await bo.slash("lobby", "host end"))


async def test_a_game_that_cannot_be_loaded_is_taken_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        bad = await middle(home, "lobby")
        await damage(home, bad.id, BROKEN["refused"][1])
        await answer(await ann.slash("lobby", "turn"))
        await home.settled()
        problems: Any = (await health.state(home.bot))["troubles"]
        assert (bad.id, "loading") in [(each["game"], each["what"]) for each in problems]
        found = await home.bot.service.found(bad.id)
        assert isinstance(found, Stuck)
        saved = json.loads(found.saved())
        assert (saved["title"], len(saved["moves"])) == ("rhl", 7)
        outcome = await ann.click(ann.last("lobby"), "Export")
        assert not outcome.failed


async def test_a_lobby_of_an_unknown_title_can_be_closed_and_not_begun(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann, bo = home.person("ann"), home.person("bo")
        card = await home.lobby("ann", "bo", "cy", title="rhl", seats=3)
        record = await home.record()
        await damage(home, record.id, BROKEN["title"][1])
        await ann.click(card, "Start")
        await ann.sees("does not know the title", "lobby")
        assert (await home.record()).status == LOBBY
        assert "does not know the title" in await answer(await bo.slash("lobby", "game list"))
        assert "does not know the title" in await answer(await bo.slash("lobby", "game info"))
        asked = await (await ann.slash("lobby", "host end")).settled()
        assert asked.message is not None
        await answer(await ann.click(asked.message, "Confirm"))
        await ann.sees("The lobby is closed", "lobby")
        assert (await home.record()).status == ENDED


async def test_a_game_goes_on_when_a_program_knows_it_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        bad = await middle(home, "lobby")
        before = (await home.live()).game.state.digest()
        await damage(home, bad.id, BROKEN["title"][1])
        await answer(await ann.slash("lobby", "turn"))
        await home.settled()
        card = ann.last("lobby")
        assert "End with the standing" in [b.get("label") for b in components.walk(card.components)]
        monkeypatch.setattr(snapshots, "program", lambda: "one that knows it")
        await damage(home, bad.id, "UPDATE games SET title = 'rhl' WHERE id = ?1")
        await answer(await ann.slash("lobby", "turn"))
        await ann.sees("it goes on", "lobby")
        await home.settled()
        assert (await home.record()).status == PLAYING
        assert (await home.live()).game.state.digest() == before


@pytest.mark.parametrize("what", BROKEN)
async def test_whoever_runs_the_bot_has_the_file_of_every_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        bad = await middle(home, "lobby")
        await damage(home, bad.id, BROKEN[what][1])
    database = str(tmp_path / DATABASE)
    out = tmp_path / "game.json"
    code = await asyncio.to_thread(main, ["export", str(bad.id), "--database", database, "--out", str(out)])
    said = capsys.readouterr()
    written = json.loads(out.read_text("utf-8"))
    assert (code, len(written["moves"])) == ((1, 4) if what == "log" else (0, 7)), said
    assert ("cannot be read" in said.err) == (what == "log")
    assert written["seed"] == bad.seed
    assert await asyncio.to_thread(main, ["export", "99", "--database", database]) == 1
    assert "there is no game 99" in capsys.readouterr().err


async def test_a_thread_is_named_after_what_is_the_matter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        _, thread, record = await begun(home)
        await damage(home, record.id, BROKEN["title"][1])
        # Two names in ten minutes: the lobby's and the first turn's have been given.
        home.bot.names._renamed.clear()
        await answer(await ann.slash(thread, "turn"))
        await home.settled()
        await home.table.until(lambda: thread.name == "lost · waits for its host")
