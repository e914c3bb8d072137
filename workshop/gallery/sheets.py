"""Every form of every title as it begins, and all tiles of a title: what there is to draw."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import titles
from engine.board.faces import Tile
from engine.definition import Definition
from engine.game import Game

PEOPLE = ("ann", "bo", "cy", "di", "ed", "fay")


@cache
def begun(title: str, form: str) -> Game:
    """A form's game before its first move, with as few players as it takes. Who draws it must not change it."""
    people = PEOPLE[: titles.find(title).form(form).players[0]]
    return titles.new_game(title, people, {}, 1, form)


@cache
def boards() -> Mapping[str, Game]:
    """One game for each printed board, by title and the first form that has it."""
    found: dict[str, Game] = {}
    seen = []
    for box in titles.known():
        for form in box.forms:
            game = begun(box.id, form.id)
            if game.definition.map.hexes not in seen:
                seen.append(game.definition.map.hexes)
                found[f"{box.id}:{form.id}"] = game
    return found


@cache
def tiles(title: str) -> Mapping[str, Tile]:
    """The tiles of all forms of a title by their numbers; where forms have another tile of a number, the first's."""
    result: dict[str, Tile] = {}
    for definition in definitions(title):
        for number, tile in definition.tiles.items():
            result.setdefault(number, tile)
    return result


def definitions(title: str) -> list[Definition]:
    """What the forms of a title consist of."""
    return [begun(title, form.id).definition for form in titles.find(title).forms]
