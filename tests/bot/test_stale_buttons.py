"""Buttons, menus and forms that were made by one program and are used in another: none does another thing than it says.

People play into positions of every form; what every button leads to is noted. Then the bot is started anew, its engine
lists choices and values in another order (or leaves some of them out), and the same buttons are used once more.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import titles
from bot.card.game_choice import Wish, page
from bot.games.service import Live
from bot.picking.entries import banded
from bot.picking.walk import Walk, meaning, value_token, walk
from bot.texts import speaker
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move
from engine.offer import Choice, Offer, Options
from table import components
from table.components import Kind
from table.model import JSON, Message
from table.people import Person, text_of
from table.server import Table
from workshop.evening.guests import Evening, NoPictures, buttons, evening
from workshop.evening.house import running_table
from workshop.evening.positions import Position, put
from workshop.taps import FORMS, first_positions

#: Buttons and entries of menus that are used again after the restart.
MOST = 500
#: Positions of a form that are played into, and taps in each.
POSITIONS, TAPS = 4, 14
STALE = ("is not what is on offer now", "has moved on since")


# ---------------------------------------------------------------------- another program


def shuffled(patch: pytest.MonkeyPatch, drop: float = 0.0) -> None:
    """From now on the engine lists everything in another order, and leaves some values out."""
    offer, asked = Game.offer, Choice.asked
    chance = random.Random(23)

    def other_offer(self: Game) -> Offer:
        fresh = self._offer is None
        found = offer(self)
        if fresh:
            choices = list(found.choices)
            chance.shuffle(choices)
            self._offer = found = Offer(tuple(choices))
        return found

    def other_asked(self: Choice[Any], picked: Any) -> Any:
        known = tuple(picked.items()) in self._asked
        domain = asked(self, picked)
        if known or not isinstance(domain, Options) or domain.open or len(domain.options) < 2:
            return domain
        kept = [option for option in domain.options if chance.random() >= drop] or list(domain.options[:1])
        chance.shuffle(kept)
        self._asked[tuple(picked.items())] = found = replace(domain, options=tuple(kept))
        return found

    patch.setattr(Game, "offer", other_offer)
    patch.setattr(Choice, "asked", other_asked)


# ---------------------------------------------------------------------- what a tap does


@dataclass
class Watch:
    """Notes what the bot does with a tap. Moves are checked and told, but not kept: every button stays current."""

    home: Evening
    patch: pytest.MonkeyPatch
    keeps: bool = False
    done: list[tuple[Any, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        turns, service = self.home.bot.turns, self.home.bot.service
        show, home, form, stale, rest, append = (
            turns.show, turns.home, turns._form, turns.stale, turns._rest, service._append,
        )  # fmt: skip

        async def showing(interaction: Any, live: Live, step: Walk, say: Any, page: int = 0, note: str = "") -> None:
            self.done.append(("asks", *_meant(step.choice, step.picked), *_part(step, page)))
            await show(interaction, live, step, say, page, note)

        async def at_home(interaction: Any, live: Live, player: str, say: Any, *, told: str = "") -> None:
            self.done.append(("home", player))
            await home(interaction, live, player, say, told=told)

        async def filling(
            interaction: Any, live: Live, choice: Choice[Any], say: Any, number: int, code: str, verb: str
        ) -> None:
            self.done.append(("form", verb, *_meant(choice, walk(live.game, number, code).picked)))
            await form(interaction, live, choice, say, number, code, verb)

        async def is_stale(interaction: Any, game: int, say: Any, seq: int | None = None) -> None:
            self.done.append(("stale",))
            await stale(interaction, game, say, seq)

        async def the_rest(interaction: Any, live: Live, player: str, say: Any, confirmed: str | None) -> None:
            if confirmed is None:
                self.done.append(("rest", player))
            await rest(interaction, live, player, say, confirmed)

        async def appending(live: Live, moves: Sequence[Move], *others: Any, **more: Any) -> Any:
            self.done.append(("plays", *moves))
            if self.keeps:
                return await append(live, moves, *others, **more)
            twin, events = live.game.copy(), list[Any]()
            for move in moves:
                events += twin.apply(move)
            return tuple(events)

        for owner, name, watched in (
            (turns, "show", showing), (turns, "home", at_home), (turns, "_form", filling), (turns, "stale", is_stale),
            (turns, "_rest", the_rest), (service, "_append", appending),
        ):  # fmt: skip
            self.patch.setattr(owner, name, watched)


def _meant(choice: Choice[Any], picked: Any) -> tuple[Any, ...]:
    return choice.name, choice.player, choice.company, choice.granted_by, tuple(sorted(picked.items(), key=repr))


def _part(step: Walk, page: int) -> tuple[Any, ...]:
    """The part of the map that is shown; other pages of a menu are no matter of meaning."""
    found = banded(step)
    if not 0 < page <= len(found) or not isinstance(step.domain, Options):
        return ()
    return tuple(sorted(step.domain.options[number].value for number in found[page - 1].numbers))


@dataclass(frozen=True)
class Tap:
    """A button, or an entry of a menu, on a message as it was; and what it did when it was new."""

    person: Person
    game: int
    message: Message
    components: list[JSON]
    custom_id: str
    label: str
    value: str
    did: tuple[Any, ...]
    said: str

    @property
    def kind(self) -> str:
        page = self.custom_id.startswith("p:")
        return "menu" if self.value else "page" if page else self.custom_id.rpartition(":")[2].partition("~")[0]


def tappable(message: Message) -> list[tuple[str, str, str]]:
    """Id, label and value of everything in a message that leads to a move."""
    found = []
    for each in components.walk(message.components):
        made = str(each.get("custom_id"))
        if each["type"] == Kind.BUTTON and made[:2] in ("m:", "p:"):
            found.append((made, str(each["label"]), ""))
        elif each["type"] == Kind.STRING_SELECT and made.startswith("s:"):
            found += [(made, str(entry["label"]), str(entry["value"])) for entry in each["options"]]
    return found


async def use(watch: Watch, person: Person, message: Message, custom_id: str, value: str) -> tuple[Message | None, str]:
    """Use it; gives the panel and its words."""
    watch.done.clear()
    before = message.components
    outcome = await (person.select(message, value, custom_id) if value else person.click(message, custom_id))
    assert not outcome.failed, custom_id
    if outcome.modal is not None:
        assert outcome.modal["custom_id"].startswith("f:")
        outcome = await person.submit(outcome)
        assert not outcome.failed, custom_id
    await outcome.settled()
    panel = outcome.message
    assert panel is not None
    if panel.id == message.id:
        await watch.home.table.until(lambda: person.find(message).components is not before)
    return panel, text_of(panel)


async def play_into(watch: Watch, position: Position, where: str, chance: random.Random) -> list[Tap]:
    """Every kind of tap in a position, from the card and in the panels that follow; nothing is kept."""
    record = await put(watch.home, position, where)
    game = position.game()
    card = watch.home.cards(where)[-1]
    taps: list[Tap] = []
    used: set[tuple[str, str]] = set()
    panel: Message | None = None
    for _ in range(TAPS):
        fresh: list[tuple[Message, tuple[str, str, str]]] = []
        for message in filter(None, (panel, card)):
            found = [each for each in tappable(message) if (each[0], each[2]) not in used]
            fresh = [(message, each) for each in found]
            if fresh:
                break
        if not fresh:
            break
        # What asks for the last word, and forms, come first: there are fewer of these.
        last = [each for each in fresh if re.search(r":(ok~\w+|run|rest|form|again)$", each[1][0])]
        message, (custom_id, label, value) = chance.choice(last or fresh)
        used.add((custom_id, value))
        number = int(custom_id.split(":")[3].partition("~")[0])
        person = watch.home.person(game.offer().choices[number].player.lower())
        if message.reader is not None and message.reader != person.id:
            continue
        kept = copy.deepcopy(message.components)
        panel, said = await use(watch, person, message, custom_id, value)
        taps.append(Tap(person, record.id, message, kept, custom_id, label, value, tuple(watch.done), said))
    return taps


def whole_taps(taps: Sequence[Tap], chance: random.Random) -> list[Tap]:
    """As many of each kind as there are, in turns, up to the most."""
    kinds: dict[tuple[str, str], list[Tap]] = {}
    for tap in taps:
        kinds.setdefault((tap.kind, tap.did[0][1] if tap.did[0][0] == "asks" else ""), []).append(tap)
    for each in kinds.values():
        chance.shuffle(each)
    result: list[Tap] = []
    while len(result) < MOST and any(kinds.values()):
        result += [each.pop() for each in kinds.values() if each]
    return result[:MOST]


def promised(tap: Tap) -> list[str]:
    """What a panel says that its *Confirm* will do, line by line."""
    lines = "\n".join(components.texts(tap.components)).replace("\N{NO-BREAK SPACE}", " ").splitlines()
    return [line.removeprefix("- ") for line in lines if line.startswith("- ")]


async def test_no_button_does_another_thing_than_it_says_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(500)
    async with running_table() as table:
        table.rates.enforced = False
        async with evening(monkeypatch, tmp_path, table=table, pictures=NoPictures()) as home:
            taps = await _collected(Watch(home, monkeypatch), chance)
        taps = whole_taps(taps, chance)
        assert len(taps) == MOST
        # A menu is what is left where there are too many picks for buttons; these positions have none, or some.
        needed = {"open", "ok", "home", "run", "form", "hand", "again", "rest", "page"}
        assert {tap.kind for tap in taps} >= needed

        with monkeypatch.context() as patch:
            shuffled(patch)
            stale = await _used_again(table, patch, tmp_path, taps)
        # Whatever is still on offer goes on: only what is searched anew within a time may be another.
        assert [(tap.custom_id, tap.label) for tap in stale if tap.kind not in ("run", "rest", "again")] == []
        assert len(stale) <= MOST // 50

        with monkeypatch.context() as patch:
            shuffled(patch, drop=0.3)
            stale = await _used_again(table, patch, tmp_path, taps)
        assert len(stale) >= MOST // 50, "nothing was left out of the offer"


async def _collected(watch: Watch, chance: random.Random) -> list[Tap]:
    taps: list[Tap] = []
    for name in FORMS:
        found = first_positions(name)
        for kind in chance.sample(sorted(found), min(POSITIONS, len(found))):
            where = f"{name}-{kind}".replace(":", "-").replace("_", "-")
            taps += await play_into(watch, found[kind], where, chance)
    return taps


def _same(before: tuple[Any, ...], after: tuple[Any, ...]) -> bool:
    """Whether two taps did the same; a question may have been answered meanwhile by the only value that is left."""
    if before[0] in ("asks", "form"):
        place = 5 if before[0] == "asks" else 6
        if set(before[place]) < set(after[place]):
            return before[:place] == after[:place]
    return before == after


def _put_back(table: Table, tap: Tap) -> None:
    """What was tapped is seen as it was. Of a person's panels in a game one is left; here each may be that one."""
    tap.message.components = copy.deepcopy(tap.components)
    table.world.messages[tap.message.channel_id][tap.message.id] = tap.message


async def _used_again(table: Table, patch: pytest.MonkeyPatch, data: Path, taps: Sequence[Tap]) -> list[Tap]:
    """Use everything in a bot that was just started; gives what was stale. None does another thing."""
    stale = []
    async with evening(patch, data, table=table, pictures=NoPictures()) as home:
        watch = Watch(home, patch)
        for tap in taps:
            lengths = (await home.bot.service.live(tap.game)).length
            _put_back(table, tap)
            _, said = await use(watch, tap.person, tap.message, tap.custom_id, tap.value)
            async with home.bot.panels.lock(tap.game, int(tap.person.id)):
                pass  # the panel that was open before has gone
            if watch.done[0] == ("stale",):
                assert any(each in said for each in STALE), said
                assert ("home", watch.done[-1][1]) == watch.done[-1], "the panel shows what is on offer now"
                assert not any(each[0] == "plays" for each in watch.done)
                stale.append(tap)
                continue
            assert _same(tap.did[0], watch.done[0]), f"{tap.label} ({tap.custom_id}): {watch.done[0]}"
            played = [each for each in watch.done if each[0] == "plays"]
            assert played == [each for each in tap.did if each[0] == "plays"], tap.label
            if played and tap.label == "Confirm":
                assert all(line[:60] in said for line in promised(tap)[:2]), (promised(tap), said)
            assert (await home.bot.service.live(tap.game)).length == lengths
    return stale


# ---------------------------------------------------------------------- what checks are made of


@pytest.mark.parametrize("name", FORMS)
def test_checks_are_the_same_in_every_process_and_tell_everything_apart(name: str) -> None:
    for position in first_positions(name).values():
        choices = position.game().offer().choices
        assert len({meaning(choice) for choice in choices}) == len(choices), "two choices look the same"
        for choice in choices:
            _ordered((choice.name, choice.player, choice.company, choice.granted_by, dict(choice.tells)))
            domain = None if choice.name == "run" else choice.ask({})
            if isinstance(domain, Options):
                values = [option.value for option in domain.options]
                _ordered(values)
                assert len({value_token(domain, value) for value in values}) == len(set(map(repr, values)))


def _ordered(value: Any) -> None:
    """A check is made of what a value looks like: that must not depend on the process, as the order of a set does."""
    if is_dataclass(value):
        for each in fields(value):
            _ordered(getattr(value, each.name))
    elif isinstance(value, dict):
        _ordered(list(value.items()))
    elif isinstance(value, list | tuple):
        for part in value:
            _ordered(part)
    else:
        assert value is None or isinstance(value, str | int | float), f"{value!r} may look different elsewhere"


# ---------------------------------------------------------------------- buttons of earlier programs, and of the lobby


async def test_buttons_that_do_not_say_what_they_mean_do_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until version 0.2 an id had numbers in the offer only."""
    position = first_positions("rhl:base")["buy_share"]
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        record = await put(home, position, "lobby")
        decider = home.person(position.game().offer().deciders[0].lower())
        panel = (await (await decider.slash("lobby", "turn")).settled()).message
        assert panel is not None
        length = (await home.bot.service.live(record.id)).length
        now = copy.deepcopy(panel.components)
        for former in ("m:{}:{}:0:0.1:ok", "m:{}:{}:1::open", "m:{}:{}:0:n45-2:run", "p:{}:{}:0::1"):
            old = copy.deepcopy(now)
            button = next(each for each in components.walk(old) if str(each.get("custom_id")).startswith("m:"))
            button["custom_id"] = former.format(record.id, length)
            panel.components = old
            await decider.click(panel, button["custom_id"])
            await home.table.until(lambda: any(each in text_of(decider.find(panel)) for each in STALE))
            assert "Confirm" not in buttons(decider.find(panel))
        assert (await home.bot.service.live(record.id)).length == length


def _options(chance: random.Random, form: titles.Form, seats: int) -> dict[str, Any]:
    """Some options that go together."""
    while True:
        found = {spec.id: chance.choice(spec.kinds(seats)) for spec in form.options}
        try:
            return form.full_options(found)
        except Refused:
            continue


@contextmanager
def _turned(box: titles.Title, form: titles.Form) -> Iterator[None]:
    """Options in another order, and their values too; the usual ones stay, since they go together."""
    options = tuple(replace(spec, values=(spec.values[0], *spec.values[:0:-1])) for spec in form.options[::-1])
    forms = box.forms
    object.__setattr__(box, "forms", tuple(replace(f, options=options) if f is form else f for f in forms))
    try:
        yield
    finally:
        object.__setattr__(box, "forms", forms)


@pytest.mark.parametrize("name", FORMS)
def test_a_page_of_the_way_to_a_lobby_never_means_other_options(name: str) -> None:
    chance, say = random.Random(name), speaker("en")
    title, _, form = name.partition(":")
    box = titles.find(title)
    seats = box.form(form).players[0]
    said = []
    for _ in range(10):
        wish = Wish(seats, title, form).with_options(_options(chance, box.form(form), seats))
        said.append((wish.code, wish.options()))
        assert Wish.read(wish.code) == wish
        assert not Wish.read(wish.code).outdated
    with _turned(box, box.form(form)):
        for code, options in said:
            read = Wish.read(code)
            if read.outdated:
                shown: Any = page(say, "form", read).to_components()
                assert "Something has changed" in "\n".join(components.texts(shown))
            else:
                assert read.options() == options
