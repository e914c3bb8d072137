"""Whatever a game offers, its cards, menus and forms stay within Discord's ceilings, and no choice is left out.

Positions come from simulated games; the table's own checks, which refuse what Discord would refuse, are the judge.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from discord import ui

import titles
from bot.cards.panel import Card, choice_rows, confirm_card, entries, number_card, question_card, turn_card
from bot.cards.picks import Walk, walk
from bot.cards.rules import TOPICS, topic_text
from bot.cards.turns import NumberForm, RoutesForm, _routes_note
from bot.cards.wording import event_lines, option_text
from bot.ceilings import ALT_TEXT, OPTION_TEXT
from bot.cogs.lobby import LONGEST_NAME, free_name, lobby_card
from bot.cogs.look import rules_text, tiles_text, trains_text
from bot.cogs.moves import suggestions, typed
from bot.cogs.undo import request_card
from bot.games.service import Live
from bot.texts import speaker
from engine.game import Game
from engine.house import simulation
from engine.house.players import HOUSES
from engine.moves import Run
from engine.offer import Number, Options
from storage.records import LOBBY, PLAYING, GameRecord, Seat
from table import bodies, components, modals
from table.components import Kind
from table.errors import FormErrors

SAY = speaker("en")
#: Ids and names as long as they get.
LONGEST_GAME, LONGEST_USER = 9_999_999_999, 18_446_744_073_709_551_615
PICTURES = ("map.png", "market.png")
GALLERY = [discord.MediaGalleryItem(f"attachment://{name}", description="m" * ALT_TEXT) for name in PICTURES]
LINES = [f"something that happened, told at some length, for the {number}th time" for number in range(300)]


def seats(count: int) -> tuple[Seat, ...]:
    return tuple(Seat(f"{number}{'W' * (LONGEST_NAME - 1)}", LONGEST_USER - number) for number in range(count))


def live(game: Game) -> Live:
    record = GameRecord(
        id=LONGEST_GAME,
        guild=LONGEST_USER,
        channel=LONGEST_USER,
        title="rhl",
        title_version=1,
        options={},
        seed=999_999_999,
        host=LONGEST_USER,
        seats_wanted=len(game.players),
        status=PLAYING,
        seats=seats(len(game.players)),
        created=datetime(2026, 1, 1, tzinfo=UTC),
    )
    return Live(record, game, 99_999, tuple(range(len(game.moves))), {})


def check(view: ui.LayoutView) -> list[dict[str, Any]]:
    """The components of a message, if Discord would take them."""
    made: Any = view.to_components()
    form = FormErrors()
    bodies.COMPONENTS.check(made, ("components",), form)
    form.check()
    components.Checker(form, {"map.png", "market.png"}).message(made, v2=True)
    form.check()
    return list(components.walk(made))


class Walker:
    """Goes through a position's choices as a person might, a few branches of each, and looks at every card."""

    def __init__(self, game: Game, chance: random.Random, branches: int = 3) -> None:
        self.live = live(game)
        self.chance = chance
        self.branches = branches
        #: How many cards of each kind have been looked at.
        self.cards: dict[str, int] = {}

    def look(self) -> None:
        game = self.live.game
        self._note("turn", turn_card(self.live, SAY, LINES, GALLERY, ping=True, again=True))
        labels = [b["label"] for b in self._choice_buttons(choice_rows(self.live, SAY))]
        assert len(labels) == len(game.offer().choices), "a choice has no button"
        assert len(set(labels)) == len(labels), f"two buttons look the same: {labels}"
        for player in game.offer().deciders:
            own = self._choice_buttons(choice_rows(self.live, SAY, player))
            assert len({b["label"] for b in own}) == len(game.offer().of(player))
        for number in range(len(game.offer().choices)):
            self._step(walk(game, number, ""))
        topics = [topic_text(SAY, game, topic) for topic in TOPICS]
        for text in (tiles_text(SAY, game), trains_text(SAY, game), rules_text(game), *topics):
            self._note("look", Card(text))
        for count in {1, min(25, len(game.moves)), min(200, len(game.moves))} - {0}:
            self._note("undo", request_card(self.live, SAY, count, LONGEST_USER - 1, 0b11111))

    def _choice_buttons(self, rows: list[ui.ActionRow[Any]]) -> list[dict[str, Any]]:
        return [each for each in check(Card("x", rows=rows)) if each["type"] == Kind.BUTTON]

    def _note(self, kind: str, card: ui.LayoutView) -> None:
        check(card)
        self.cards[kind] = self.cards.get(kind, 0) + 1

    def _step(self, step: Walk) -> None:
        domain = step.domain
        if domain is None:
            self._confirm(step)
        elif isinstance(domain, Number):
            self._number(step, domain)
        elif domain.open:
            modals.check(RoutesForm(None, self.live, step.choice.company, SAY).to_dict())  # type: ignore[arg-type]
            self._note("routes", Card("x"))
            self._step(walk(self.live.game, step.number, ".".join([*step.tokens, "0"])))
        else:
            self._question(step, domain)

    def _question(self, step: Walk, domain: Options) -> None:
        found = entries(self.live, SAY, step)
        shown = 0
        for page in range(100):
            card = question_card(self.live, SAY, step, GALLERY[:1], page)
            self._note("question", card)
            menu = next(each for each in check(card) if each["type"] == Kind.STRING_SELECT)
            if page and menu["options"][0]["value"] == "0":
                break
            shown += len(menu["options"])
            if shown >= len(found):
                break
        assert shown == len(found), "an entry is on no page"
        texts = {typed(o.value): option_text(SAY, self.live.game, domain.name, o) for o in domain.options}
        for suggestion in suggestions(texts, ""):
            assert 1 <= len(suggestion.name) <= OPTION_TEXT
            assert 1 <= len(str(suggestion.value)) <= OPTION_TEXT
        for code, _ in self.chance.sample(found, min(self.branches, len(found))):
            self._step(walk(self.live.game, step.number, code))

    def _number(self, step: Walk, domain: Number) -> None:
        modals.check(NumberForm(None, self.live, step, SAY).to_dict())  # type: ignore[arg-type]
        self._note("number", number_card(self.live, SAY, step))
        for value in {domain.low, domain.high}:
            self._step(walk(self.live.game, step.number, ".".join([*step.tokens, f"n{value}"])))

    def _confirm(self, step: Walk) -> None:
        after = self.live.game.copy()
        move = step.move()
        lines = event_lines(SAY, [event.data() for event in after.apply(move)])[:12]
        note = _routes_note(self.live.game, move, SAY) if isinstance(move, Run) else ""
        self._note("confirm", confirm_card(self.live, SAY, step, lines, GALLERY[:1], note=note, by_hand=bool(note)))
        if after.finished:
            self._note("over", turn_card(live(after), SAY, LINES, GALLERY, ping=True, again=True))


@pytest.mark.parametrize(
    ("title", "house", "players", "seed"),
    [
        ("rhl", "greedy", 3, 1), ("rhl", "greedy", 5, 2), ("rhl", "greedy", 4, 3),
        ("rhl", "random", 3, 4), ("rhl", "random", 5, 5), ("rhl", "random", 4, 6),
        ("bl", "greedy", 6, 7), ("bl", "random", 4, 8), ("bl", "random", 6, 9),
    ],
)  # fmt: skip
def test_every_panel_of_a_simulated_game_fits(title: str, house: str, players: int, seed: int) -> None:
    chance = random.Random(seed)
    names = [seat.name for seat in seats(players)]
    options = {"bankruptcy_end": seed % 2 == 0, "optional_2_train": seed % 3 == 0} if title == "rhl" else {}
    game = titles.new_game(title, names, options, seed)
    seen: dict[str, int] = {}
    most = {"deciders": 0, "choices": 0}

    def watch(now: Game) -> None:
        offer = now.offer()
        rare = len(offer.deciders) > 1 or len(offer.choices) > max(most["choices"], 4)
        if now.finished or (chance.random() < 0.05 or rare):
            most["choices"] = max(most["choices"], len(offer.choices))
            walker = Walker(now, chance)
            walker.look()
            for kind, count in walker.cards.items():
                seen[kind] = seen.get(kind, 0) + count

    result = simulation.play(game, HOUSES[house](), seed, check=False, watch=watch, most_moves=450)
    assert result.moves >= 300
    assert seen.keys() >= {"turn", "question", "confirm", "undo", "look"}
    assert seen["confirm"] > 50


@pytest.mark.parametrize("status", [LOBBY, PLAYING])
def test_lobby_card_fits_with_all_seats_and_options(status: str) -> None:
    title = titles.find("rhl")
    record = replace(
        live(titles.new_game("rhl", [seat.name for seat in seats(5)], {}, 1)).record,
        status=status,
        seats_wanted=8,
        options={spec.id: spec.values[-1] for spec in title.form().options},
        reminder_hours=tuple(range(1, 40)),
    )
    check(lobby_card(record, SAY))


def test_a_name_as_long_as_discord_allows_fits_on_a_button() -> None:
    record = live(titles.new_game("rhl", [seat.name for seat in seats(3)], {}, 1)).record
    name = free_name(record, "ж" * 32)
    assert len(name) <= LONGEST_NAME
    taken = replace(record, seats=(Seat(name, 1),))
    assert free_name(taken, "ж" * 32) != name
    assert len(free_name(taken, "ж" * 32)) <= LONGEST_NAME
