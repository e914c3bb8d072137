"""Whatever a game offers, its cards, menus and forms stay within Discord's limits, and no choice is left out.

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
from bot.card.offering import choice_rows
from bot.card.rules_help import TOPICS, topic_text
from bot.card.turn import Card, turn_card
from bot.cogs.lobby import LONGEST_NAME, free_name, lobby_card
from bot.cogs.look import rules_text, tiles_text, trains_text
from bot.cogs.moves import suggestions, typed
from bot.cogs.undo import request_card
from bot.games.service import Live
from bot.limits import ALT_TEXT, OPTION_TEXT
from bot.panel.modals import NumberForm, RoutesForm, typed_block
from bot.panel.pages import Running, confirm_card, home_card, question_card, rest_card, wrong_card
from bot.panel.turns import routes_note
from bot.picking.bands import MOST, bands
from bot.picking.effects import Effect, passing, same_again, ways
from bot.picking.entries import MOST_BUTTONS, asks_tile, banded, entries, preset, spread
from bot.picking.screen import HEAD, HEIGHT, LOWEST, WIDTH, height
from bot.picking.walk import Walk, walk
from bot.texts import LANGUAGES, speaker
from bot.words.wording import option_text
from engine.game import Game
from engine.house import simulation
from engine.house.players import HOUSES
from engine.offer import Number, Options
from renderers.pages.auction import draw_auction, sale_of
from storage.records import LOBBY, PLAYING, GameRecord, Seat
from table import bodies, components, modals
from table.components import Kind
from table.errors import FormErrors
from table.limits import COMPONENTS
from workshop.evening.guests import stood

SAY = speaker("en")
#: Components of a panel that stay free: what is still to come needs a row of its own.
SPARE = 6
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

    def __init__(self, game: Game, chance: random.Random, branches: int = 3, language: str = "en") -> None:
        self.say = speaker(language)
        self.live = live(game)
        self.chance = chance
        self.branches = branches
        #: How many cards of each kind have been looked at.
        self.cards: dict[str, int] = {}

    def look(self) -> None:
        game = self.live.game
        self._note("turn", turn_card(self.live, self.say, LINES, GALLERY, ping=True, again=True))
        self._different(choice_rows(self.live, self.say), set(range(len(game.offer().choices))))
        for player in game.offer().deciders:
            own = {number for number, choice in enumerate(game.offer().choices) if choice.player == player}
            self._different(choice_rows(self.live, self.say, player), own)
            self._home(player)
        for number in range(len(game.offer().choices)):
            self._step(walk(game, number, ""))
        topics = [topic_text(self.say, game, topic) for topic in TOPICS]
        for text in (tiles_text(self.say, game), trains_text(self.say, game), rules_text(self.say, game), *topics):
            self._note("look", Card(text))
        for count in {1, min(25, len(game.moves)), min(200, len(game.moves))} - {0}:
            self._note("undo", request_card(self.live, self.say, count, LONGEST_USER - 1, 0b11111))

    def _different(self, rows: list[ui.ActionRow[Any]], choices: set[int]) -> None:
        """Every choice has a button, and no two of them look the same."""
        found = [each for each in check(Card("x", rows=rows)) if each["type"] == Kind.BUTTON]
        assert {stood(each["custom_id"].split(":")[3]) for each in found} == choices, "a choice has no button"
        labels = [each["label"] for each in found]
        assert len(set(labels)) == len(labels), f"two buttons look the same: {labels}"

    def _home(self, player: str) -> None:
        """The step itself: every choice is there, as buttons, as a menu or to be opened; with room for more."""
        game = self.live.game
        own = [(number, choice) for number, choice in enumerate(game.offer().choices) if choice.player == player]
        found = spread(self.say, game, player, panel=True)
        running = next((self._running(number) for number, choice in own if choice.name in ("run", "dividend")), None)
        skipped = passing(self.say, game, player) if found.passing is not None else None
        rest = same_again(game, player, lambda: False)
        card = home_card(
            self.live,
            self.say,
            player,
            found,
            GALLERY[:1],
            told="✓ " + "x" * 400,
            running=running,
            passing=skipped,
            rest=rest,
        )
        self._note("home", card)
        everything = check(card)
        assert len(everything) <= COMPONENTS - SPARE, "no room is left for what is still to come"
        ids = [each["custom_id"] for each in everything if "custom_id" in each]
        reached = {stood(each.split(":")[3]) for each in ids if each[0] in "mps"}
        assert reached >= {number for number, _ in own}, "a choice cannot be reached"
        if rest is not None:
            self._note(
                "rest", rest_card(self.live, self.say, rest, rest.effect.lines(self.say), "x" * 100, GALLERY[:1])
            )

    def _running(self, number: int) -> Running:
        game = self.live.game
        choice = game.offer().choices[number]
        if choice.name == "dividend":
            return Running(number, ways(self.say, game, None, choice.player, choice.company))
        domain = choice.ask({})
        assert isinstance(domain, Options)
        move = choice.move({domain.name: domain.options[0].value})
        return Running(
            number, ways(self.say, game, move, choice.player, choice.company), routes_note(game, move, self.say)
        )

    def _note(self, kind: str, card: ui.LayoutView) -> None:
        check(card)
        self.cards[kind] = self.cards.get(kind, 0) + 1

    def _step(self, step: Walk) -> None:
        domain = step.domain
        if domain is None:
            self._confirm(step, None)
        elif isinstance(domain, Options) and domain.open:
            company, number = step.choice.company, step.number
            modals.check(RoutesForm(self.live, number, company, self.say, "x" * 2000).to_dict())
            self._note(
                "routes", wrong_card(self.live, self.say, number, "", "hand", "x" * 300, typed_block("x" * 9000))
            )
        elif isinstance(domain, Number):
            self._number(step, domain)
        elif not preset(self.say, step):
            self._question(step, domain)
        for entry in preset(self.say, step):
            self._confirm(walk(self.live.game, step.number, entry.code), step)

    def _question(self, step: Walk, domain: Options) -> None:
        found = entries(self.say, step)
        shown: set[str] = set()
        for page in range(100):
            for gallery in (GALLERY[:1], []):
                card = question_card(self.live, self.say, step, gallery, page)
                self._note("question", card)
            everything = check(card)
            menus = [each for each in everything if each["type"] == Kind.STRING_SELECT]
            codes = {option["value"] for menu in menus for option in menu["options"]}
            if not menus:
                few = MOST if step.choice.name in ("lay_tile", "place_station") else MOST_BUTTONS
                assert len(found) <= few or asks_tile(step) or banded(step), "a menu would be shorter"
                pressed = [each for each in everything if str(each.get("custom_id")).startswith("m:")]
                codes = {each["custom_id"].split(":")[4] for each in pressed}
            if banded(step):
                assert page > len(banded(step)) or len(codes) <= MOST + 1
                if page == len(banded(step)):
                    shown |= codes
                    break
            elif codes <= shown:
                break
            shown |= codes
        assert shown >= {entry.code for entry in found}, "an entry is on no page"
        assert len({entry.text for entry in found}) == len(found), [entry.text for entry in found]
        texts = {typed(domain, o.value): option_text(self.say, self.live.game, domain.name, o) for o in domain.options}
        for suggestion in suggestions(texts, ""):
            assert 1 <= len(suggestion.name) <= OPTION_TEXT
            assert 1 <= len(str(suggestion.value)) <= OPTION_TEXT
        for entry in self.chance.sample(found, min(self.branches, len(found))):
            self._step(walk(self.live.game, step.number, entry.code))

    def _number(self, step: Walk, domain: Number) -> None:
        modals.check(NumberForm(self.live, step, self.say, "x" * 50).to_dict())
        codes = [entry.code.rpartition("n")[2] for entry in preset(self.say, step)]
        assert all(int(code) in range(domain.low, domain.high + 1, domain.step) for code in codes)
        glue = f"{step.code}." if step.code else ""
        for value in {domain.low, domain.high}:
            self._confirm(walk(self.live.game, step.number, f"{glue}n{value}"), step)

    def _confirm(self, step: Walk, before: Walk | None) -> None:
        effect = Effect.of(self.live.game, [step.move()])
        lines = effect.lines(self.say)
        money = effect.money(self.say, step.choice.company, step.choice.player)
        card = confirm_card(self.live, self.say, step, lines, GALLERY[:1], before=before, money=money, line="x" * 100)
        self._note("confirm", card)
        if effect.after.finished:
            self._note("over", turn_card(live(effect.after), self.say, LINES, GALLERY, ping=True, again=True))


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
    options: dict[str, object] = {}
    if title == "rhl":
        package = "alternative" if seed in (1, 5) else "base"
        options = {"bankruptcy_end": seed % 2 == 0, "optional_2_train": seed % 3 == 0, "package": package}
    game = titles.new_game(title, names, options, seed)
    seen: dict[str, int] = {}
    most = {"deciders": 0, "choices": 0}

    def watch(now: Game) -> None:
        offer = now.offer()
        rare = len(offer.deciders) > 1 or len(offer.choices) > max(most["choices"], 4)
        if now.finished or (chance.random() < 0.05 or rare):
            most["choices"] = max(most["choices"], len(offer.choices))
            # German is longer, and nothing else differs.
            walker = Walker(now, chance, language=LANGUAGES[seed % 2])
            walker.look()
            for kind, count in walker.cards.items():
                seen[kind] = seen.get(kind, 0) + count

    result = simulation.play(game, HOUSES[house](), seed, check=False, watch=watch, most_moves=450)
    assert result.moves >= 300
    assert seen.keys() >= {"turn", "home", "question", "confirm", "undo", "look"}
    assert seen["confirm"] > 50


FORMS = [(box.id, form.id, form.players) for box in titles.known() for form in box.forms]


@pytest.mark.parametrize(("title", "form", "players"), FORMS, ids=lambda each: str(each))
def test_hexes_tiles_and_stations_are_picked_on_one_screen_of_a_phone(
    title: str, form: str, players: tuple[int, int]
) -> None:
    """Whatever is asked about a place is whole on a phone with a map that can be read: no menu, no scrolling."""
    game = titles.new_game(title, ["Annegret", "Bo", "Cyrill", "Dora", "Eberhard", "Flo"][: players[1]], {}, 2, form)
    say, chance, asked, split = speaker("de"), random.Random(2), 0, 0
    while not game.finished and len(game.moves) < 420:
        for player in game.offer().deciders:
            found = spread(say, game, player, panel=True)
            chosen = [found.menu] if found.menu is not None else list(found.shown)
            names = {game.offer().choices[number].name for number in chosen}
            if len(chosen) != 1 or not names <= {"lay_tile", "place_station"} or chance.random() < 0.5:
                continue
            asked += 1
            step = walk(game, chosen[0], "")
            skipped = passing(say, game, player) if found.passing is not None else None
            pages = len(banded(step))
            split += pages > 1
            cards = [home_card(live(game), say, player, found, GALLERY[:1], passing=skipped)]
            cards += [question_card(live(game), say, step, GALLERY[:1], page + 1) for page in range(pages)]
            for card in cards:
                assert not [each for each in check(card) if each["type"] == Kind.STRING_SELECT]
                assert height(card) + LOWEST * WIDTH <= HEIGHT + HEAD, check(card)
        game.apply(HOUSES["greedy"]().choose(game, game.offer().deciders[0], chance))
    assert asked > 5
    # Of the games with breweries not every one has many hexes at a time.
    assert split or title == "do", "the game never has many hexes"


def test_many_hexes_are_split_into_few_regions_with_names() -> None:
    board = titles.new_game("bl", ["Ann", "Bo", "Cy"], {}, 1).definition.map
    hexes = list(board.hexes)
    assert len(bands(board, hexes[:1])) == 1
    for count in (20, 40, len(hexes)):
        some = random.Random(count).sample(hexes, count)
        found = bands(board, some)
        assert sorted(number for band in found for number in band.numbers) == list(range(count))
        assert all(len(band.numbers) <= MOST for band in found)
        assert len({band.name for band in found}) == len(found), "each has a name of its own"


@pytest.mark.parametrize("status", [LOBBY, PLAYING])
def test_lobby_card_fits_with_all_seats_and_options(status: str) -> None:
    title = titles.find("rhl")
    record = replace(
        live(titles.new_game("rhl", [seat.name for seat in seats(5)], {}, 1)).record,
        status=status,
        seats_wanted=8,
        # With the earlier edition there would be fewer.
        options={spec.id: spec.values[-1] for spec in title.form().options if spec.id != "edition"},
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", [f"{title.id}:{form.id}" for title in titles.known() for form in title.forms])
def test_a_package_and_its_buttons_are_hardly_higher_than_a_phones_screen(form: str, language: str) -> None:
    title, found = titles.find_form(form)
    names = ["Ann", "Bo", "Cy", "Dora"][: found.players[0]]
    game = titles.new_game(title.id, names, {}, 3, found.id)
    if sale_of(game) is None:
        pytest.skip("it begins without lots")
    record = replace(live(game).record, title=title.id, seats=tuple(Seat(name, 1) for name in names))
    card = turn_card(replace(live(game), record=record), speaker(language, title.id), (), (), ping=True)
    picture = draw_auction(game, language=language)
    assert height(card) + picture.height * WIDTH / picture.width <= 1.1 * (HEIGHT + HEAD)
