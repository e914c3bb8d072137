"""Names of places lie neither on track nor on stations: in thousands of random positions, in every form."""

from __future__ import annotations

import math
import random

import pytest

import titles
from engine.house.players import HOUSES
from renderers import LIGHT
from renderers.hexes.field import Box
from renderers.hexes.geometry import Point, frame
from renderers.hexes.hex import NameRoom, name_room
from renderers.hexes.looks import Looks

#: A position is looked at after so many moves.
EVERY = 5
#: Half the width of a stroke of track, less a hair: letters may stand close to it.
STROKE = 0.0525 - 0.015
HAIR = 0.02
FORMS = [f"{title.id}:{form.id}" for title in titles.known() for form in title.forms]


def distance(box: Box, point: Point) -> float:
    """How far a point is from a box; 0 within."""
    left, top, right, bottom = box
    return math.hypot(max(left - point[0], 0, point[0] - right), max(top - point[1], 0, point[1] - bottom))


def covered(room: NameRoom) -> str:
    """What a name lies on."""
    if any(distance(room.box, point) < radius - HAIR for point, radius in room.circles):
        return "a station"
    if any(distance(room.box, point) < STROKE for line in room.rails for point in line):
        return "track"
    return ""


@pytest.mark.parametrize("form", FORMS)
def test_no_name_lies_on_track_or_a_station(form: str) -> None:
    positions, looked, found = 0, set(), []
    title, _, name = form.partition(":")
    most = min(4, titles.find(title).form(name).players[1])
    for seed in range(4):
        options = {"package": "alternative"} if form == "rhl:base" and seed > 1 else {}
        game = titles.new_game(title, ["Ann", "Bo", "Cy", "Dora"][:most], options, seed, name)
        chance = random.Random(seed)
        house = HOUSES["greedy" if seed % 2 else "random"]()
        size = frame(game.definition.map.layout.name == "pointy", 36)
        while not game.finished and len(game.moves) < 500:
            game.apply(house.choose(game, chance.choice(game.offer().deciders), chance))
            if len(game.moves) % EVERY:
                continue
            positions += 1
            looks = Looks(game, coordinates=True)
            for at in game.definition.map.hexes:
                look = looks.look(at)
                if not look.name or look in looked:
                    continue
                looked.add(look)
                room = name_room(look, size, LIGHT)
                assert room is not None
                if what := covered(room):
                    found.append(f"{at} {look.name} with tile {look.number}: {what}")
    assert positions > 120
    assert len(looked) > 100
    assert not found, found


def test_a_name_on_track_or_a_station_is_noticed() -> None:
    box = (-0.3, -0.1, 0.3, 0.1)
    assert covered(NameRoom(box, (((0.0, -0.5), (0.0, 0.0)),), ())) == "track"
    assert covered(NameRoom(box, (), (((0.0, 0.3), 0.25),))) == "a station"
    assert covered(NameRoom(box, (((0.0, -0.5), (0.0, -0.2)),), (((0.0, 0.4), 0.25),))) == ""
