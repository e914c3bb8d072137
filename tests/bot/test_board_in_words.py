"""The board in words: everything that is needed to play is told, and a whole game is played by it alone."""

from __future__ import annotations

import random
import re

import pytest

import titles
from bot.cogs.look import words_of
from bot.limits import TEXT_IN_MESSAGE
from bot.picking.entries import Entry, entries
from bot.picking.walk import walk
from bot.texts import LANGUAGES, speaker
from bot.words.board import map_text, market_text, possible, reached, sheet_text
from engine.game import Game
from engine.house.players import TitleGreedy
from engine.offer import Number

PEOPLE = ("Ann", "Bo", "Cy")
FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms if not form.edition_of]


def played(form: str, moves: int) -> Game:
    box, found = titles.find_form(form)
    game, chance = titles.new_game(box.id, PEOPLE[: found.players[1]], {}, 7, found.id), random.Random(7)
    while not game.finished and len(game.moves) < moves:
        game.apply(TitleGreedy().choose(game, game.offer().deciders[0], chance))
    return game


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMS)
def test_every_hex_player_and_company_is_told(form: str, language: str) -> None:
    game, say = played(form, 110), speaker(language)
    text = "\n".join(map_text(say, game))
    told = re.findall(r"^\*\*([A-Z]\d+)", text, re.MULTILINE)
    assert len(told) == len(set(told))
    assert set(possible(game)) <= set(told)
    assert {at for company in game.state.companies for at, _ in game.board.stations_of(company)} <= set(told)
    assert set(game.state.board.tiles) <= set(told)
    for at, (tile, _) in game.state.board.tiles.items():
        line = next(
            line for line in text.splitlines() if line.startswith(f"**{at}") and not line[2 + len(at)].isdigit()
        )
        assert tile in line
    sheet = "\n".join(sheet_text(say, game))
    assert all(name in sheet for name in game.players)
    assert all(code in sheet for code, company in game.state.companies.items() if company.director)
    if game.definition.priced:
        market = "\n".join(market_text(say, game))
        assert all(f"**{code}**" in market for code in game.prices.order())
    for what in ("map", "sheet", *(("market",) if game.definition.priced else ())):
        pages = [words_of(say, game, what, page) for page in range(1, 12)]
        assert max(map(len, pages)) <= TEXT_IN_MESSAGE


def test_reach_follows_the_track() -> None:
    game = played("do:efs", 60)
    company = next(code for code, company in game.state.companies.items() if company.director)
    found = reached(game, [company])
    home = game.board.stations_of(company)[0][0]
    assert found[0] == home
    layout = game.definition.map.layout
    for at in found[1:]:
        beside = {layout.neighbour(at, edge) for edge in range(6)}
        assert beside & set(found[: found.index(at)]), "each is beside one that was told before"


class Reader:
    """Plays by what it reads: hexes from the map in words, everything else from the buttons' words."""

    def __init__(self, language: str) -> None:
        self.say, self.chance = speaker(language), random.Random(3)

    def move(self, game: Game) -> None:
        player = game.offer().deciders[0]
        choices = [n for n, choice in enumerate(game.offer().choices) if choice.player == player]
        moves = [n for n in choices if game.offer().choices[n].name != "pass"]
        number = self.chance.choice(moves if moves and self.chance.random() < 0.85 else choices)
        code = ""
        while not (step := walk(game, number, code)).complete:
            assert not isinstance(step.domain, Number)
            found = entries(self.say, step)
            code = self.pick(game, player, found).code
        game.apply(step.move())

    def pick(self, game: Game, player: str, found: list[Entry]) -> Entry:
        """A pick: of places one that the map in words says is possible."""
        text = "\n".join(map_text(self.say, game, player))
        word = "possible now" if self.say.language == "en" else "jetzt möglich"
        told = [line for line in text.splitlines() if word in line]
        named = [entry for entry in found if any(name in line for line in told for name in entry.text.split(", ")[:1])]
        return self.chance.choice(named or found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_introductory_game_is_played_by_text_alone(language: str) -> None:
    game, reader = titles.new_game("do", PEOPLE, {}, 5, "efs"), Reader(language)
    while not game.finished:
        reader.move(game)
    assert game.standings()[0][2] > 0
    assert {"lay_tile", "take_certificate"} <= {move.TYPE for move in game.moves}
