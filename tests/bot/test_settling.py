"""The host's choice after an upgrade, at the table: an older rule is broken in the test while the game is played."""

from __future__ import annotations

import asyncio
import os
import random
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.card.differences import changed_tables, difference_lines
from bot.games import snapshots
from bot.games.service import GameService, Unsettled
from bot.texts import speaker
from engine import definition, position
from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES, Greedy
from engine.moves import Move, to_json
from storage import changes
from storage.records import ENDED, PAUSED, PLAYING
from storage.sqlite import SqliteStore
from table import components
from table.components import Kind
from table.model import Message
from table.people import text_of
from tests.bot.test_cold import begin, play_on
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, evening
from workshop.evening.house import running_table
from workshop.evening.positions import Position, put

#: So many moves are made under the old rule; the first that it decides is this one.
MOVES, FIRST = 9, 6
CHOICES = ["Keep the position", "Back to before the difference", "End with the standing"]
REAL = Game.apply


def old_rule(patch: pytest.MonkeyPatch) -> None:
    """The rule as it was: whoever sits first gets a mark of the bank after a certain move."""
    patch.setattr(snapshots, "program", lambda: "the program before")

    def apply(game: Game, move: Move) -> Any:
        told = REAL(game, move)
        if len(game.moves) == FIRST:
            game.state.cash["bank"] -= 1
            game.state.cash[game.state.seats[0]] += 1
        return told

    patch.setattr(Game, "apply", apply)


def new_rule(patch: pytest.MonkeyPatch, kind: str, forbidden: Any = None) -> None:
    """The rule as it is now: nothing of the kind, or else that very move is not allowed any more."""
    patch.setattr(snapshots, "program", lambda: f"the program now: {kind}")

    def apply(game: Game, move: Move) -> Any:
        if kind == "refused" and len(game.moves) == FIRST - 1 and to_json(move) == forbidden:
            raise Refused("RHL-1", "over")
        return REAL(game, move)

    patch.setattr(Game, "apply", apply)


async def play(home: Evening, count: int) -> None:
    record = await home.record()
    chance = random.Random(5)
    for _ in range(count):
        live = await home.bot.service.live(record.id)
        player = live.game.offer().deciders[0]
        move = Greedy().choose(live.game.copy(), player, chance)
        await home.bot.service.play(record.id, live.seat(player).user, move, interaction=None, expected=live.length)
    await home.settled()


@asynccontextmanager
async def upgraded(patch: pytest.MonkeyPatch, data: Path, kind: str = "differs") -> AsyncIterator[Evening]:
    """A game of the program before, with the program of now at the same table."""
    async with running_table() as table:
        table.rates.enforced = False
        # The host is no administrator, and another player is.
        next(iter(table.world.guilds.values())).owner_id = table.person("cy").id
        old_rule(patch)
        async with evening(patch, data, table=table, pictures=NoPictures()) as home:
            await put(home, Position(1, ()))
            await play(home, MOVES)
            moves = (await home.live()).game.moves
            forbidden = to_json(moves[FIRST - 1])
        new_rule(patch, kind, forbidden)
        async with evening(patch, data, table=table, pictures=NoPictures()) as home:
            yield home


def ids(message: Message) -> list[str]:
    return [str(e.get("custom_id")) for e in components.walk(message.components) if e["type"] == Kind.BUTTON]


async def said(outcome: Any) -> str:
    assert not outcome.failed
    await outcome.settled()
    return str(outcome.text)


async def card_of(home: Evening) -> Message:
    """The card that tells everybody what is the matter; somebody has asked for the game."""
    await said(await home.person("bo").slash("lobby", "turn"))
    await home.settled()
    public = [each for each in home.person("ann").messages("lobby") if each.reader is None]
    return next(each for each in reversed(public) if "chooses how it goes on" in text_of(each))


@pytest.mark.parametrize("kind", ["differs", "refused"])
@pytest.mark.parametrize("choice", CHOICES)
async def test_each_choice_is_carried_through_by_buttons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, choice: str, kind: str
) -> None:
    async with upgraded(monkeypatch, tmp_path, kind) as home:
        ann, bo = home.person("ann"), home.person("bo")
        card = await card_of(home)
        told = text_of(card)
        assert f"move {FIRST} of {MOVES}" in told
        assert f"Move {FIRST}, by " in told
        assert f"<@{ann.id}>" in told
        if kind == "differs":
            lines = told.splitlines()
            assert (
                sum(re.fullmatch(r"- [\w ]+ would have \d+ M instead of \d+ M\.", line) is not None for line in lines)
                == 2
            )
        assert [each for each in buttons(card) if each in CHOICES] == CHOICES
        assert (await home.record()).status == PAUSED
        # Whoever is not the host chooses nothing, and nobody can move: both are told so in words.
        assert "Only the host" in await said(await bo.click(card, choice))
        for command in ("undo", "redo", "pass", "host resume"):
            answer = await said(await ann.slash("lobby", command))
            assert f"move {FIRST} of {MOVES}" in answer, (command, answer)
            assert "/host settle" in answer, (command, answer)
        # The same panel by command and as a direct message.
        assert CHOICES[0] in await said(await ann.slash("lobby", "host settle"))
        direct = ann.last(ann.direct())
        assert [each for each in buttons(direct) if each in CHOICES] == CHOICES
        # It asks first, and can be left.
        asked = await (await ann.click(direct, choice)).settled()
        assert asked.message is not None
        await said(await ann.click(asked.message, "Cancel"))
        assert (await home.record()).status == PAUSED
        asked = await (await ann.click(card, choice)).settled()
        assert asked.message is not None
        fallen = MOVES - FIRST + 1
        if choice == CHOICES[1]:
            assert f"{fallen} moves are taken back" in asked.text
        old = (await home.bot.service.found((await home.record()).id)).shown  # type: ignore[union-attr]
        assert old is not None
        before = old.state.data()
        await said(await ann.click(asked.message, "Confirm"))
        await ann.sees("Ann has chosen after the upgrade", "lobby")
        await home.settled()
        assert not set(CHOICES) & set(buttons(ann.find(card))), "the old card keeps its buttons"
        assert not buttons(ann.find(direct)), "the direct message keeps its buttons"
        # A second time nothing is done.
        record, live = await home.record(), await home.live()
        if choice == CHOICES[2]:
            assert record.status == ENDED
            assert live.game.state.data() == before
            return
        assert record.status == PLAYING
        assert "nothing to choose" in await said(await ann.slash("lobby", "host settle"))
        assert len(live.game.moves) == (MOVES if choice == CHOICES[0] else MOVES - fallen)
        # What was taken back stays in the log and can be brought back.
        assert len(await home.bot.service.redoable(record.id)) == (0 if choice == CHOICES[0] else fallen)
        if choice == CHOICES[0]:
            assert live.game.state.data() == before
            answer = await said(await ann.slash("lobby", "undo", moves=1))
            assert "cannot be taken back" in answer or "asked" in answer.lower(), answer
        length = live.length
        guest = next(g for g in (Guest(home, n, random.Random(2)) for n in ("ann", "bo", "cy")) if g.card("lobby"))
        await guest.turn("lobby")
        await home.settled()
        assert (await home.live()).length > length
        log = await said(await ann.slash("lobby", "log"))
        assert f"`{(len((await home.live()).game.moves))}`" in log
        if choice == CHOICES[0]:
            assert "Before the upgrade" in log
            assert "cannot be shown" in await said(await ann.slash("lobby", "map", move=2))
            assert "after move" in (await said(await ann.slash("lobby", "map", move=MOVES))).lower()


async def test_of_two_who_choose_at_once_the_second_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with upgraded(monkeypatch, tmp_path) as home:
        ann, cy = home.person("ann"), home.person("cy")
        card = await card_of(home)
        first = await (await ann.click(card, CHOICES[0])).settled()
        second = await (await cy.click(card, CHOICES[1])).settled()
        assert first.message is not None
        assert second.message is not None
        done = await asyncio.gather(ann.click(first.message, "Confirm"), cy.click(second.message, "Confirm"))
        await home.table.until(
            lambda: all("Confirm" not in buttons(p.find(m)) for p, m in ((ann, first.message), (cy, second.message)))
        )
        told = [text_of(ann.find(first.message)), text_of(cy.find(second.message))]
        assert not any(each.failed for each in done)
        assert sum("settled meanwhile" in text for text in told) == 1, told
        await home.settled()
        kept = await home.bot.store.kept((await home.record()).id)
        assert kept is not None
        assert kept.length == MOVES + 1


async def test_an_administrator_ends_it_and_a_later_program_lets_it_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with upgraded(monkeypatch, tmp_path) as home:
        ann, cy = home.person("ann"), home.person("cy")
        card = await card_of(home)
        # A program that leads the moves where they led: the game goes on, and its card asks nothing any more.
        old_rule(monkeypatch)
        game = (await home.record()).id
        home.bot.service.forget(game)
        await said(await ann.click(card, CHOICES[1]))
        assert "settled meanwhile" in text_of(ann.last("lobby"))
        await home.settled()
        assert (await home.record()).status == PLAYING
        await ann.sees("it goes on", "lobby")
        assert not set(CHOICES) & set(buttons(ann.find(card)))
        # And back again, this time ended by the administrator.
        new_rule(monkeypatch, "refused once more")
        home.bot.service.forget(game)
        card = await card_of(home)
        asked = await (await cy.click(card, CHOICES[2])).settled()
        assert asked.message is not None
        await said(await cy.click(asked.message, "Confirm"))
        await cy.sees("Cy has chosen", "lobby")
        await home.settled()
        assert (await home.record()).status == ENDED


async def test_one_card_tells_of_it_however_often_somebody_asks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with upgraded(monkeypatch, tmp_path) as home:
        ann = home.person("ann")
        await card_of(home)
        game = (await home.record()).id
        await said(await ann.slash("lobby", "host pause"))
        for _ in range(2):
            home.bot.service.forget(game)
            await card_of(home)
        public = [each for each in ann.messages("lobby") if each.reader is None]
        assert sum(bool(set(CHOICES) & set(buttons(each))) for each in public) == 1
        assert sum(each.startswith("m:") for message in public for each in ids(message)) == 0, "an old card can move"


# ---------------------------------------------------------------------- killed while it is carried out

STEPS = ("add_seam", "add_undo", "add_notices", "change_waiting", "change_status", "keep_snapshot", "keep_verdict")


def killed(path: str, game: str, choice: str, step: str) -> None:
    """In a process of its own: carry out a choice and be killed at a step of it; `after` is after all of them."""

    async def work() -> None:
        with pytest.MonkeyPatch.context() as patch:
            new_rule(patch, "differs")
            async with await SqliteStore.open(path) as store:
                service = GameService(store)
                with pytest.raises(Unsettled) as unsettled:
                    await service.live(int(game))
                if step != "after":
                    patch.setattr(changes, step, lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL))
                await getattr(service, choice)(int(game), 11, expected=unsettled.value.verdict.length)
                os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(work())


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["keep_position", "go_back", "end_unsettled"])
async def test_killed_at_any_step_a_choice_is_made_or_not_made(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, choice: str
) -> None:
    path = tmp_path / "games.sqlite3"
    old_rule(monkeypatch)
    async with await SqliteStore.open(path) as store:
        service = GameService(store)
        record = await begin(store)
        await play_on(service, record.id, MOVES, random.Random(3))
        await service.close()
        old = (await service.live(record.id)).game.state.data()
    steps = {
        "keep_position": (
            "add_seam",
            "add_notices",
            "change_waiting",
            "change_status",
            "keep_snapshot",
            "keep_verdict",
        ),
        "go_back": ("add_undo", "add_notices", "change_waiting", "change_status", "keep_snapshot", "keep_verdict"),
        "end_unsettled": ("change_status", "add_notices"),
    }[choice]
    new_rule(monkeypatch, "differs")
    for step in (*steps, "after"):
        code = f"from tests.bot.test_settling import killed; killed({str(path)!r}, '{record.id}', {choice!r}, {step!r})"
        ended = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", code], capture_output=True, check=False)
        assert ended.returncode == -signal.SIGKILL, ended.stderr.decode()
        async with await SqliteStore.open(path) as store:
            service = GameService(store)
            kept = await store.kept(record.id)
            assert kept is not None
            if step != "after":
                assert (kept.length, kept.seam, kept.record.status) == (MOVES, None, PAUSED)
                with pytest.raises(Unsettled):
                    await service.live(record.id)
            else:
                live = await service.live(record.id)
                assert kept.length == MOVES + (choice != "end_unsettled")
                assert live.record.status == (ENDED if choice == "end_unsettled" else PLAYING)
                assert len(live.game.moves) == (FIRST - 1 if choice == "go_back" else MOVES)
                assert (live.game.state.data() == old) == (choice != "go_back")
            await service.close()


# ---------------------------------------------------------------------- words


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("title", [box.id for box in titles.known()])
def test_every_difference_is_told_in_words(title: str, language: str) -> None:
    """Between the beginning and later positions hardly anything stays as it was."""
    say = speaker(language, title)
    for form in titles.find(title).forms:
        names = [f"P{number}" for number in range(form.players[0])]
        game = titles.new_game(title, names, {}, 3, form.id)
        before, chance = position.view(game.state.data(), names), random.Random(1)
        for fact in (name.removeprefix("fact.") for name in before if name.startswith("fact.")):
            assert say.known(f"matter.{fact}"), (form.id, fact)
        while not game.finished and len(game.moves) < 60:
            game.apply(HOUSES["random"]().choose(game, chance.choice(game.offer().deciders), chance))
        told = position.differences(before, position.view(game.state.data(), names), names)
        lines = difference_lines(say, game, told, most=1000)
        assert len(lines) > 5
        for line in lines:
            assert line[-1] in ".…"
            assert not re.search(r"[{}\[\]#]|None|True|False", line), line
        assert len(difference_lines(say, game, told, most=5)) == 5


def test_a_difference_tells_nothing_hidden() -> None:
    box = titles.find("rhl")
    form = next(form for form in box.forms if any(spec.id for spec in form.options))
    for spec in form.options:
        for value in spec.values[1:]:
            rules = titles.rules("rhl", 3, {spec.id: value}, form.id)
            if not rules.secret:
                continue
            names = ["Ann", "Bo", "Cy"]
            games = [titles.new_game("rhl", names, {spec.id: value}, seed, form.id) for seed in (3, 4)]
            views = [position.view(game.state.data(), names) for game in games]
            told = position.differences(*views, names)
            hidden = [each for each in told if each.what in ("hidden", "fact")]
            assert any(each.what == "hidden" for each in hidden)
            assert all(each.before is None and each.now is None for each in hidden if each.what == "hidden")
            lines = difference_lines(speaker("en", "rhl"), games[0], hidden)
            assert lines == ["Something that not everybody may see would be otherwise."]
            return
    raise AssertionError("no option has hidden cards")


def test_every_table_has_a_name_in_both_languages() -> None:
    fields = set(definition.Definition.__dataclass_fields__) - {"name", "words", "clauses", "reconstructed"}
    for language in ("en", "de"):
        say = speaker(language)
        for name in fields | {"offer"}:
            assert say.known(f"table.{name}"), name
        assert "_" not in changed_tables(say, sorted(fields))
