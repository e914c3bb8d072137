"""A turn card is never higher than a phone's screen, whatever happened before and whatever is on offer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import titles
from bot.announce.announcer import LOW
from bot.card.turn import turn_card
from bot.picking.screen import WHOLE, WIDTH, height
from bot.texts import LANGUAGES, speaker
from engine.game import Game
from engine.house.players import TitleGreedy
from renderers.pages.auction import draw_auction, sale_of
from renderers.pages.market import draw_market
from renderers.pages.own import about_pages, asks_place, draw_pages
from storage.records import Seat
from tests.bot.test_panels_fit import GALLERY, live

FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms]
LINES = [f"**RhE** lays tile 57 on F{number} for 40 M." for number in range(20)]
#: Names of house players and people as they usually are; so many moves are looked at, one of each kind of step.
PEOPLE = ("Buffer", "Katharina", "Signal", "Maximilian", "Tender")
MOVES, APART = 320, 60
#: Heights of texts are reckoned for letters of a wide font: a tenth more than Discord's take.
WIDE = 1.1


def looked_at(form: str) -> Iterator[Game]:
    """Positions of a game: each kind of step, early and late."""
    box, found = titles.find_form(form)
    people = PEOPLE[: min(4, found.players[1])]
    game, chance = titles.new_game(box.id, people, {}, 5, found.id), random.Random(5)
    seen: set[tuple[str, str, int]] = set()
    while not game.finished and len(game.moves) < MOVES:
        round_ = game.state.round
        key = (round_.kind, round_.step, len(game.moves) // APART)
        if key not in seen:
            seen.add(key)
            yield game
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))


def tallness(game: Game, language: str) -> float:
    """How high the large picture of a turn card is for its width; a part of the map is never higher than wide."""
    if sale_of(game) is not None:
        picture = draw_auction(game, language=language)
    elif about_pages(game) and (game.definition.priced or not asks_place(game)):
        picture = draw_pages(game, language=language)
    elif game.state.round.kind == "stock":
        picture = draw_market(game, part=True, language=language)
    else:
        return LOW
    return picture.height / picture.width


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
def test_a_turn_card_is_never_higher_than_a_phones_screen(form: str, language: str) -> None:
    count = 0
    for game in looked_at(form):
        title = form.partition(":")[0]
        sitting = tuple(Seat(name, number + 1) for number, name in enumerate(game.players))
        record = replace(live(game).record, title=title, seats=sitting)
        tall = tallness(game, language)
        say = speaker(language, title)
        card = turn_card(replace(live(game), record=record), say, LINES, GALLERY, ping=True, tall=tall)
        whole = height(card) + tall * WIDTH
        where = (len(game.moves), game.state.round.kind, game.state.round.step, round(tall * WIDTH), height(card))
        assert whole <= WHOLE * WIDE, where
        count += 1
    assert count > 4
