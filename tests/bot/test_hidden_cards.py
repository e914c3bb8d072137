"""Hidden cards stay hidden: what other people and onlookers receive in a whole game names none of them."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import titles
from catalogue import LANGUAGES
from engine.game import Game
from engine.house.players import Greedy
from engine.moves import to_json
from renderers import Picture, draw_charter, draw_map, draw_market, draw_sheet
from renderers.pages.sheet import draw_sheets
from storage.records import NewNotice
from table import components
from table.model import Message
from table.people import Outcome, Person, text_of
from table.world import Event
from titles.rhl.destiny import DestinyEnd
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, evening, play_out, presses
from workshop.evening.positions import Position, put, search

PEOPLE = ("ann", "bo", "cy")
ONLOOKER = "dora"
HIDDEN = {"destiny_cards": True, "target_cards": True}


def marks(card: str) -> list[str]:
    """What would give a card away: name and effect in both languages; its number, where no hex is called the same."""
    found = []
    for language in LANGUAGES:
        texts = titles.texts("rhl", language)
        found += [texts[f"deck.{card}"], texts[f"aim.{card}"]]
    return [*found, *([f'"{card}"', f"{card} "] if int(card[1:]) % 2 == 0 else [])]


@dataclass
class Ears:
    """Everything that anybody receives, as it was when they received it: whose it is ("" for all), and its text."""

    home: Evening
    heard: list[tuple[str, str]] = field(default_factory=list)
    #: How much of it came before the game was over.
    before_end: int = 0

    def hear(self, event: Event) -> None:
        if not any(live.game.finished for live in self.home.bot.service._live.values()):
            self.before_end = len(self.heard) + 1
        if event.message is not None:
            message = event.message
            self.heard.append((message.reader or "", json.dumps(dataclasses.asdict(message), ensure_ascii=False)))
        else:
            self.heard.append(("", json.dumps([event.name, event.data], default=str, ensure_ascii=False)))

    def tell(self, person: Person, what: object) -> None:
        """Something that is no message: what autocomplete offers, a form."""
        self.heard.append((person.id, json.dumps(what, default=str, ensure_ascii=False)))

    def of(self, person: str) -> Iterator[str]:
        """What somebody receives."""
        return (text for reader, text in self.heard if reader in ("", person))


def leaks(home: Evening, ears: Ears, hands: Mapping[str, list[str]], people: tuple[str, ...]) -> list[str]:
    """Cards of others that somebody could read of."""
    found = []
    for name in people:
        received = "\n".join(ears.of(home.person(name).id))
        for owner, cards in hands.items():
            if owner != name.capitalize():
                signs = [(card, mark) for card in cards for mark in marks(card)]
                found += [f"{name}: {card} of {owner} ({mark})" for card, mark in signs if mark in received]
    return found


async def said(outcome: Outcome) -> str:
    await outcome.settled()
    return outcome.text


async def press_old(home: Evening, name: str, card: Message, label: str, button: str) -> str:
    """Press a button as cards of a version before have it: it stands in the place of another."""
    old = next(each for each in components.walk(card.components) if each.get("label") == label)
    old["custom_id"] = button
    return await said(await home.person(name).click(card, button))


async def ask_everything(home: Evening, ears: Ears, name: str) -> None:
    """All that somebody can look up, type and press about a game."""
    person = home.person(name)
    for command, options in (
        ("sheet", {}), ("map", {}), ("market", {}), ("log", {}), ("log", {"page": 2}), ("turn", {}), ("trains", {}),
        ("tiles", {}), ("game info", {}), ("game list", {}), ("rules", {}), ("rules", {"topic": "cards"}),
        ("rules", {"topic": "end"}), ("rules", {"clause": "RHL-8.4.2-a"}), ("company", {"name": "RhE"}), ("cards", {}),
        ("move", {"move": "discard_destiny"}), ("move", {"move": "discard_destiny", "first": "D2"}),
        ("sheet", {"move": 12}), ("map", {"move": 12}), ("map", {"hex": "E10"}), ("market", {"move": 12}),
        ("log", {"company": "RhE"}), ("log", {"round": "SR1"}), ("log", {"page": 3}), ("game mine", {}), ("redo", {}),
        ("pass", {}), ("run", {}), ("about", {}), ("help", {}),
    ):  # fmt: skip
        await said(await person.slash("lobby", command, **options))
    for kind in ("discard_destiny", "take_target", "pass", ""):
        ears.tell(person, await person.autocomplete("lobby", "move", "move", move=kind))
        ears.tell(person, await person.autocomplete("lobby", "move", "first", move=kind, first="D"))
    ears.tell(person, await person.autocomplete("lobby", "company", "name", name=""))
    ears.tell(person, await person.autocomplete("lobby", "rules", "clause", clause="8.4"))


@pytest.mark.slow
async def test_a_whole_game_gives_no_hidden_card_away(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pictures = NoPictures()
    async with evening(monkeypatch, tmp_path, pictures=pictures) as home:
        ears = Ears(home)
        home.table.world.listen(ears.hear)
        chance = random.Random(7)
        await home.begin(*PEOPLE, options="lower_capital=true destiny_cards=true target_cards=true")
        guests = [Guest(home, name, chance) for name in PEOPLE]
        game = (await home.live()).game
        hands = {player: list(game.hidden(player)["destiny"]) for player in game.state.seats}

        async def to(kind: str) -> None:
            for _ in range(400):
                await home.settled()
                if (await home.live()).game.state.round.kind == kind:
                    return
                waiting = [guest for guest in guests if guest.card("lobby") is not None]
                await chance.choice(waiting).turn("lobby")
            raise AssertionError(f"there was no {kind}")

        await to("destiny")
        # Somebody presses a button that is meant for another, and asks for all there is.
        card = home.cards()[-1]
        other = next(press for press in presses(card) if press.label.startswith("Ann"))
        await said(await home.person("bo").click(card, other.label))
        pictures.drawing = True
        for name in (*PEOPLE, ONLOOKER):
            await ask_everything(home, ears, name)
        pictures.drawing = False
        assert leaks(home, ears, hands, (*PEOPLE, ONLOOKER)) == []

        await to("operating")
        # A request to take the discards back names every move that would fall.
        await said(await home.person("bo").slash("lobby", "undo", moves=6))
        assert any("Give up a destiny card" in text for text in ears.of("nobody"))
        kept = {player: list((await home.live()).game.hidden(player)["destiny"]) for player in hands}
        assert all(len(cards) == 1 for cards in kept.values())
        record = await home.record()
        live = await home.live()
        await home.bot.service.undo(record.id, record.host, 2, interaction=None, expected=live.length)
        await home.settled()
        # Whose moves they are does not matter here: they are brought back by a host who does not play.
        onlooker, handed = int(home.person(ONLOOKER).id), NewNotice("host.handed", {"old": "–", "new": "–"})
        await home.bot.service.set_host(record.id, onlooker, handed)
        await home.bot.service.redo(record.id, onlooker, interaction=None)
        await home.bot.service.set_host(record.id, record.host, handed)
        await home.settled()
        pictures.drawing = True
        for name in (*PEOPLE, ONLOOKER):
            await ask_everything(home, ears, name)
        pictures.drawing = False
        assert leaks(home, ears, hands, (*PEOPLE, ONLOOKER)) == []
        assert not any(str(record.seed) in text for _, text in ears.heard), "the seed is never shown"

        moves = await play_out(home, guests, "lobby", chance)
        assert moves > 100
        final = home.cards()[-1]
        before = Ears(home, ears.heard[: ears.before_end])
        assert len(ears.heard) > ears.before_end > len(ears.heard) - 60
        assert leaks(home, before, hands, (*PEOPLE, ONLOOKER)) == [], "not a moment before the end"
        await check_end(home, final.id, hands, kept)
        given_up = {player: [card for card in hands[player] if card not in kept[player]] for player in hands}
        for name in (*PEOPLE, ONLOOKER):
            await ask_everything(home, ears, name)
        assert leaks(home, ears, given_up, (*PEOPLE, ONLOOKER)) == [], "what was given up is never shown"
        assert not any(str(record.seed) in text for _, text in ears.heard), "nor the seed, which tells it"
        assert "Rematch" in buttons(final)
        assert "Export" not in buttons(final)
        assert "given up unseen" in await press_old(home, "bo", final, "Rematch", f"e:{record.id}:export")
        files = [file.filename for message in home.person("bo").messages("lobby") for file in message.attachments]
        assert not [name for name in files if name.endswith(".json")]


async def check_end(home: Evening, card: str, hands: Mapping[str, list[str]], kept: Mapping[str, list[str]]) -> None:
    """The final card tells each card with what it paid; nobody takes the end back."""
    live = await home.live()
    text = text_of(home.person("ann").find(card))
    for player, [name] in kept.items():
        amount = (DestinyEnd.of(live.game).destiny or {})[player][1]
        title = titles.texts("rhl", "en")[f"deck.{name}"]
        assert f"{player}: {name} {title}, {f'{amount} M' if amount else 'nothing'}" in text
    told = dict(re.findall(r"^\d+\. (\w+): \*\*(-?\d+) M\*\*$", text, re.MULTILINE))
    assert {name: int(score) for name, score in told.items()} == live.game.rules.score(live.game)
    record = await home.record()
    host = next(name for name in PEOPLE if int(home.person(name).id) == record.host)
    assert "hidden cards have been shown" in await said(await home.person(host).slash("lobby", "undo", moves=1))


@pytest.mark.parametrize("kind", ["destiny", "operating"])
def test_no_picture_shows_a_hidden_card(kind: str) -> None:
    """With other hands every picture is the same, to the last dot."""
    position = search(lambda game: game.state.round.kind == kind, **HIDDEN)
    game, other = position.game(), position.game()
    hands = [other.state.secrets[player] for player in other.state.seats]
    for player, hand in zip(other.state.seats, [*hands[1:], hands[0]], strict=True):
        other.state.secrets[player] = hand
    assert game.state != other.state

    def drawn(game: Game, language: str) -> list[Picture]:
        return [
            draw_map(game, language=language),
            draw_market(game, language=language),
            draw_sheet(game, language=language),
            *draw_sheets(game, language=language),
            draw_charter(game, "RhE", language=language),
        ]

    for language in LANGUAGES:
        assert drawn(game, language) == drawn(other, language)


async def test_everybody_sees_their_own_cards_and_nobody_elses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    position = search(lambda game: game.state.round.kind == "destiny", **HIDDEN)
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, position)
        game = position.game()
        texts = titles.texts("rhl", "en")
        for name in PEOPLE:
            own = game.hidden(name.capitalize())["destiny"]
            outcome = await home.person(name).slash("lobby", "cards")
            text = await said(outcome)
            assert outcome.message is not None
            assert outcome.message.reader == home.person(name).id
            for card in own:
                title, aim, worth = texts[f"deck.{card}"], texts[f"aim.{card}"], game.rules.cards[card]
                assert f"**{card} {title}** ({worth} M): {aim}" in text
            assert text.count(" M): ") == 2
        assert "You are not playing" in await said(await home.person(ONLOOKER).slash("lobby", "cards"))
        # The same by the button under the card, and by the one in the panel.
        card = home.cards()[-1]
        assert "My cards" in buttons(card)
        shown = await said(await home.person("bo").click(card, "My cards"))
        assert texts[f"deck.{game.hidden('Bo')['destiny'][0]}"] in shown
        panel = (await (await home.person("cy").slash("lobby", "turn")).settled()).message
        assert panel is not None
        shown = text_of(panel)
        assert all(texts[f"aim.{each}"] in shown for each in game.hidden("Cy")["destiny"])
        assert "My cards" in buttons(panel)
        assert texts[f"deck.{game.hidden('Cy')['destiny'][1]}"] in await said(
            await home.person("cy").click(panel, "My cards")
        )


async def test_in_an_open_game_nobody_has_a_hand(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await home.begin(*PEOPLE, seed=4)
        assert "You have no hidden cards" in await said(await home.person("ann").slash("lobby", "cards"))
        assert "My cards" not in buttons(home.cards()[-1])


def last_decision() -> Position:
    """A game in which one more decision of somebody ends it."""
    for seed in range(1, 9):
        chance = random.Random(seed)
        game = titles.new_game("rhl", [name.capitalize() for name in PEOPLE], HIDDEN, seed)
        while not game.finished:
            game.apply(Greedy().choose(game, chance.choice(game.offer().deciders), chance))
        if to_json(game.moves[-1])["type"] in ("pass", "dividend", "buy_train"):
            return Position(seed, tuple(game.moves[:-1]), HIDDEN)
    raise AssertionError("no game ends like that")


async def test_looking_ahead_to_the_end_shows_no_card(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Every preview of what would end the game says so, and tells neither cards nor what they bring."""
    position = last_decision()
    game = position.game()
    hands = {player: list(game.hidden(player)["destiny"]) for player in game.state.seats}
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ears = Ears(home)
        home.table.world.listen(ears.hear)
        await put(home, position)
        (decider,) = game.offer().deciders
        person = home.person(decider.lower())
        panel = (await (await person.slash("lobby", "turn")).settled()).message
        assert panel is not None
        for label in buttons(panel):
            if label.startswith("Skip to"):
                await said(await person.click(panel, label))
        assert leaks(home, ears, hands, (*PEOPLE, ONLOOKER)) == []
        effects = [text for text in ears.of(person.id) if "The game ends with this." in text]
        assert effects, "it is said that the game ends"


async def test_the_seed_of_a_game_with_hidden_cards_is_neither_shown_nor_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        told = await said(
            await ann.slash("lobby", "game new", title="rhl", where="here", seed=7, options="destiny_cards=true")
        )
        assert "seed is drawn" in told
        assert await home.bot.store.games() == []
        card = await home.lobby("ann", "bo", "cy", options="destiny_cards=true")
        info = await said(await ann.slash("lobby", "game info"))
        await ann.click(card, "Start")
        await home.table.until(lambda: "The game has begun" in text_of(ann.find(card)))
        record = await home.record()
        assert record.seed > 1_000_000_000
        info += await said(await ann.slash("lobby", "game info"))
        for text in (info, *(text_of(message) for message in ann.messages("lobby"))):
            assert str(record.seed) not in text
            assert not re.search(r"(?i)seed \d", text)


async def test_what_does_not_go_together_is_not_offered_and_refused_in_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")

        async def offered(typed: str) -> set[str]:
            found = await ann.autocomplete("lobby", "game new", "options", title="rhl", options=typed)
            return {each["value"].rpartition(" ")[2] for each in found}

        assert {"edition=earlier", "target_cards=true", "destiny_cards=true"} <= await offered("")
        earlier = await offered("edition=earlier ")
        assert "lower_capital=true" in earlier
        assert not {"target_cards=true", "destiny_cards=true"} & earlier
        assert "edition=earlier" not in await offered("destiny_cards=true ")
        options: dict[str, Any] = {"title": "rhl", "where": "here", "options": "edition=earlier target_cards=true"}
        told = await said(await ann.slash("lobby", "game new", **options))
        assert "The earlier edition has no target cards." in told
        assert "edition=earlier and target_cards=true do not go together" in told.replace("\\", "")
        assert await home.bot.store.games() == []
