"""What the box holds and which tile replaces which (ledger: components, tiles)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.board.faces import CITY
from engine.board.hexes import parse
from engine.definition import Definition
from engine.errors import BadData
from engine.finance.depot import on_sale, take
from engine.game import Game
from engine.moves import LayTile
from engine.rules import Setup
from tests.titles.do import arrange as a
from titles import loading
from titles.do.board import data
from titles.do.intro.tables import EfsTables

PRINTED = data.printed("efs.toml", EfsTables)
T: EfsTables = PRINTED.tables

GREY = ("E12", "C6", "F7", "E14", "A18", "G20", "I14")
RED = ("A2", "B1", "H1", "I2", "I10", "C20", "I20", "F1", "A10", "B21", "E20")


def used(form: str, players: int) -> Definition:
    return data.definition(Setup(form, {}, players), "efs.toml", EfsTables)


@pytest.mark.rule("DO-0-a")
def test_railways_certificates_and_trains_of_the_box() -> None:
    assert len(PRINTED.corporations) == 7
    assert sum(len(railway.shares) for railway in PRINTED.corporations.values()) == 60
    assert [train.count for train in PRINTED.trains] == [7, 5, 3, 2, 3, 6]
    assert T.components.train_cards == sum(train.count for train in PRINTED.trains) == 26
    # Whoever mends one number of the sheet must mend the other.
    sheets = loading.sheets(data.PACKAGE, *data.FILES, "efs.toml")
    sheets["titles/do/game.toml"]["train"][0]["count"] = 8
    with pytest.raises(BadData, match=r"\[components\].train_cards: there are 27"):
        loading.load(sheets, EfsTables)


@pytest.mark.rule("DO-0-b")
def test_the_tiles_sum_to_the_totals_of_the_box() -> None:
    counts: Counter[str] = Counter()
    for tile in PRINTED.tiles.values():
        special = any(stop.kind == CITY for stop in tile.face.stops)
        counts["special" if special else tile.colour] += tile.count
    assert counts == {"yellow": 42, "green": 34, "brown": 18, "grey": 5, "special": 17}


@pytest.mark.rule("DO-2.1.1-a")
@pytest.mark.parametrize("at", GREY + RED)
def test_no_tile_on_grey_hexes_and_red_fields(at: str) -> None:
    game = a.ground("8", "BME")
    assert a.fits(game, at) == set()
    for tile in ("9", "1904", "19", "1957"):
        assert a.refused(game, LayTile("ann", "BME", at, tile, 0)).rule == "DO-2.1.1-a"


@pytest.mark.rule("DO-2.1.1-b")
def test_the_signs_of_the_map() -> None:
    signs = Counter(sign for spot in PRINTED.map.hexes.values() for sign in spot.icons)
    assert signs == {"coal": 19, "steel": 5, "harbour": 1, "brewery": 1}
    assert len(T.locations.coal) == 19
    assert set(T.locations.steel) == {"C14", "D9", "F15", "G12", "H19"}
    assert T.city.hex == "E12"
    assert set(T.yards.hexes) == {"C6", "F7", "E14"}
    assert all(PRINTED.map.hexes[at].face.colour == "grey" for at in (*T.yards.hexes, T.city.hex))
    assert PRINTED.map.hexes["C8"].icons == ("harbour",)
    assert len(PRINTED.map.hexes) == 77
    assert sum(spot.buildable for spot in PRINTED.map.hexes.values()) == 59


@pytest.mark.rule("DO-2.4.3-a")
def test_ten_shares_in_certificates_of_one_two_or_three() -> None:
    for railway in PRINTED.corporations.values():
        assert sum(railway.shares) == 100
        assert set(railway.shares) <= {10, 20, 30}
        assert railway.shares[0] in (20, 30), "the director's certificate lies on top"
    directors = {name: railway.shares[0] for name, railway in PRINTED.corporations.items()}
    assert [name for name, percent in directors.items() if percent == 30] == ["DGEE"], "one is enough of an advantage"
    assert PRINTED.corporations["DHB"].shares[:2] == PRINTED.corporations["HHW"].shares[:2] == (20, 20)


@pytest.mark.rule("DO-3.2.2-k")
def test_the_homes() -> None:
    homes = {name: [home.at for home in railway.homes] for name, railway in PRINTED.corporations.items()}
    assert homes == {
        "BME": ["I10"], "CME": ["A2", "B1"], "RhE": ["H1", "I2"], "KWE": ["C20"], "DGEE": ["A18"], "DHB": ["C8"],
        "HHW": ["H19"],
    }  # fmt: skip
    colours = {name: PRINTED.map.hexes[at[0]].face.colour for name, at in homes.items()}
    assert {name for name, colour in colours.items() if colour == "red"} == {"BME", "CME", "RhE", "KWE"}
    assert (colours["DGEE"], colours["DHB"]) == ("grey", "yellow")


@pytest.mark.rule("DO-4.3.2-b")
def test_tokens_of_each_railway_with_its_home() -> None:
    game = a.ground()
    left = {name: len(company.tokens_left) for name, company in game.state.companies.items()}
    assert left == {"BME": 5, "CME": 5, "RhE": 5, "KWE": 3, "DGEE": 2, "DHB": 2, "HHW": 2}
    assert game.company("BME").tokens_left == game.company("CME").tokens_left == [60, 80, 100, 100, 100]


@pytest.mark.rule("DO-4.5.7.1-b")
def test_the_8_train_waits_for_the_second_6_train() -> None:
    game = a.ground("6")
    game.state.depot.left["5"] = 0
    for type_ in ("2", "3", "4"):
        game.state.depot.left[type_] = 0
    assert on_sale(game) == ["6"]
    take(game, "6")
    assert on_sale(game) == ["6", "8"]


# ---------------------------------------------------------------------- tiles


def counts(colour: str, *, special: bool) -> dict[str, int]:
    found = (tile for tile in PRINTED.tiles.values() if tile.colour == colour)
    return {tile.id: tile.count for tile in found if special == any(stop.kind == CITY for stop in tile.face.stops)}


@pytest.mark.rule("DO-T-a")
def test_yellow_tiles() -> None:
    assert counts("yellow", special=False) == {"7": 6, "8": 9, "9": 9, "1903": 4, "1904": 7, "1905": 7}


@pytest.mark.rule("DO-T-b")
def test_green_plain_and_coal_tiles() -> None:
    found = counts("green", special=False)
    twice = dict.fromkeys(("16", "18", "19", "20", "23", "24", "25", "26", "27"), 2)
    once = dict.fromkeys(("28", "29", "30", "31"), 1)
    assert found == {**twice, **once, **dict.fromkeys(("1930", "1931", "1939"), 4)}


@pytest.mark.rule("DO-T-c")
def test_green_tiles_of_harbour_and_steel_mills() -> None:
    assert counts("green", special=True) == {
        "1906": 1, "1936": 2, "1937": 1, "1938": 1, "1943": 1, "1944": 1, "1945": 1,
    }  # fmt: skip


@pytest.mark.rule("DO-T-d")
def test_brown_tiles() -> None:
    once = dict.fromkeys(("39", "40", "43", "44", "45", "46", "47", "70"), 1)
    assert counts("brown", special=False) == {**once, "41": 2, "42": 2, "1901": 6}
    assert counts("brown", special=True) == {"1900": 1, "1941": 1, "1952": 2, "1953": 1, "1956": 1}


@pytest.mark.rule("DO-T-e")
def test_grey_tiles_and_overlays() -> None:
    assert counts("grey", special=False) == {"1902": 5}
    assert counts("grey", special=True) == {"1907": 1, "1954": 1, "1957": 1}
    assert {row["at"][0] for row in loading.read(data.PACKAGE, "overlays.toml")["hex"]} == {"E12", "H19", "A20"}


@pytest.mark.rule("DO-T-f")
def test_first_tiles_of_plain_and_coal_hexes() -> None:
    game = a.ground()
    plain = [spot.at for spot in game.definition.map.hexes.values() if spot.face.colour == "plain" and not spot.icons]
    assert len(plain) == 34
    for at in plain:
        assert a.fits(game, at) <= {"7", "8", "9"}
    assert a.fits(game, "C2") == {"7", "8", "9"}
    assert a.fits(game, "B5") == {"1903", "1904", "1905"}


@pytest.mark.rule("DO-T-g")
@pytest.mark.parametrize(("at", "tile", "sides"), [("C16", "1904", ("E", "W")), ("C16", "1903", ("E", "SE"))])
def test_coal_mines_grow_in_three_steps(at: str, tile: str, sides: tuple[str, ...]) -> None:
    game = a.ground("8")
    a.put(game, at, tile, *sides)
    assert a.fits(game, at) == {"1930", "1931", "1939"}
    green = next(fit for fit in game.rules.tiling.fits(at, game.board.cover(at)) if fit.tile == "1930")
    game.board.lay(at, green)
    assert a.fits(game, at) == {"1901"}
    brown = next(fit for fit in game.rules.tiling.fits(at, game.board.cover(at)))
    game.board.lay(at, brown)
    assert a.fits(game, at) == {"1902"}


@pytest.mark.rule("DO-T-g")
@pytest.mark.parametrize("at", ["H3", "H15"])
def test_printed_coal_mines_grow_like_tiles(at: str) -> None:
    game = a.ground()
    assert a.fits(game, at) <= {"1930", "1931", "1939"}
    assert a.fits(game, at)


STEEL = {
    "C14": ("1937", "1956", "1957"),
    "D9": ("1936", "1952", "1954"),
    "F15": ("1936", "1952", "1954"),
    "G12": ("1936", "1952", "1954"),
}


@pytest.mark.rule("DO-T-h")
@pytest.mark.parametrize("at", STEEL)
def test_steel_mills_grow_in_their_own_colour(at: str) -> None:
    game = a.ground("8")
    for tile in STEEL[at]:
        assert a.fits(game, at) == {tile}
        game.board.lay(at, game.rules.tiling.fits(at, game.board.cover(at))[0])
    assert a.fits(game, at) == set()


@pytest.mark.rule("DO-T-h")
def test_two_orange_steel_mills_can_be_green_at_once() -> None:
    game = a.ground("3", "DHB")
    for at in ("F15", "G12"):
        game.board.lay(at, game.rules.tiling.fits(at, None)[0])
    a.link(game, "D9")
    rotation = game.rules.tiling.fits("D9", None)[0].rotation
    refusal = a.refused(game, LayTile("ann", "DHB", "D9", "1936", rotation))
    assert (refusal.key, refusal.rule) == ("tile.supply", "DO-3.2.2.1-k")


def grown(game: Game, at: str) -> list[set[str]]:
    """What fits on a hex, step by step, the first that fits being laid each time."""
    result = []
    while found := game.rules.tiling.fits(at, game.board.cover(at)):
        result.append({fit.tile for fit in found})
        game.board.lay(at, found[-1])
    return result


@pytest.mark.rule("DO-T-i")
def test_the_pink_steel_mill_grows_as_the_form_says() -> None:
    assert grown(a.ground("8", form="trg"), "H19") == [{"1938"}, {"1941"}]
    assert grown(a.ground("8", form="efs"), "H19") == [{"1938"}, {"1941"}]
    assert grown(a.ground("8", form="hsb", players=3), "H19") == [{"1943", "1944", "1945"}, {"1953"}]
    assert grown(a.ground("8", form="hsb", players=5), "H19") == [{"1943", "1944"}, {"1953"}]


@pytest.mark.rule("DO-T-j")
def test_the_harbour_grows_without_a_link() -> None:
    assert grown(a.ground("8"), "C8") == [{"1906"}, {"1900"}, {"1907"}]
    game = a.ground("3", "DHB")
    rotation = a.offered(game, "lay_tile", hex="C8", tile="1906")[0]
    game.apply(LayTile("ann", "DHB", "C8", "1906", rotation))
    a.operating(game, "DHB")
    fit = game.rules.tiling.fits("C8", game.board.cover("C8"))[0]
    refusal = a.refused(game, LayTile("ann", "DHB", "C8", "1900", fit.rotation))
    assert (refusal.key, refusal.rule) == ("tile.phase", "DO-3.2.2.1-c")
    a.phase(game, "5")
    a.operating(game, "DHB")
    assert "1900" in a.offered(game, "lay_tile", hex="C8")


@pytest.mark.rule("DO-T-k")
@pytest.mark.parametrize("form", ["trg", "hsb"])
@pytest.mark.parametrize("at", ["C6", "F7", "E14", "E12"])
def test_yards_and_city_are_never_upgraded(form: str, at: str) -> None:
    assert a.fits(a.ground("8", form=form), at) == set()


PLAIN = {
    "7": "18 26 27 28 29 30 31", "8": "16 19 23 24 25 28 29 30 31", "9": "18 19 20 23 24 26 27",
    "16": "43 70", "18": "43", "19": "45 46", "20": "44 47", "23": "41 43 45 47", "24": "42 43 46 47",
    "25": "40 45 46", "26": "42 44 45", "27": "41 44 46", "28": "39 43 46 70", "29": "39 43 45 70", "30": "42 70",
    "31": "41 70",
}  # fmt: skip


@pytest.mark.rule("DO-T-l")
@pytest.mark.parametrize("tile", PLAIN)
def test_what_replaces_a_plain_tile(tile: str) -> None:
    game = a.ground("8")
    found: set[str] = set()
    for rotation in range(6):  # E4 is far from every border
        found |= {fit.tile for fit in game.rules.tiling.fits("E4", (tile, rotation))}
    assert found == set(PLAIN[tile].split())


@pytest.mark.rule("DO-T-m")
@pytest.mark.parametrize("tile", ["39", "40", "41", "42", "43", "44", "45", "46", "47", "70"])
def test_nothing_replaces_a_brown_plain_tile(tile: str) -> None:
    game = a.ground("8")
    assert all(game.rules.tiling.fits("E4", (tile, rotation)) == () for rotation in range(6))


@pytest.mark.rule("DO-4.1-b")
def test_tiles_of_the_beer_game_are_not_used_without_it() -> None:
    assert used("trg", 3).tiles.keys() == used("efs", 5).tiles.keys() == PRINTED.tiles.keys() - {
        "1943", "1944", "1945", "1953",
    }  # fmt: skip
    assert used("hsb", 4).tiles.keys() == PRINTED.tiles.keys() - {"1938", "1941"}


# ---------------------------------------------------------------------- maps of the forms


@pytest.mark.rule("DO-8.1-a", "DO-8.3.1-a")
@pytest.mark.parametrize("form", ["trg2", "hsb2"])
def test_the_board_for_two_has_no_south_east(form: str) -> None:
    found = used(form, 2)
    assert PRINTED.map.hexes.keys() - found.map.hexes.keys() == {"G20", "H17", "H19", "I20"}
    assert "HHW" not in found.corporations
    assert not {tile.id for tile in found.tiles.values() if "SP" in tile.face.labels}
    game = a.ground("8", form=form, players=2)
    assert all(not fit.exits & 1 << 2 for fit in game.rules.tiling.fits("G18", None)), "SE of G18 is the rim now"


@pytest.mark.rule("DO-5.1.1-a")
def test_the_overlays_of_the_beer_game() -> None:
    for players in (3, 4, 5):
        found = used("hsb", players)
        assert found.map.hexes["E12"].face.stops[0].slots == 0
        assert found.map.hexes["E12"].face.stops[0].value("yellow") == 70
        assert ("HHW" in found.corporations) == (players == 5)
        mill = found.map.hexes["H19"].face
        assert mill.stops[0].slots == (2 if players == 5 else 1)
        assert [end for piece in mill.track for end in piece if end < 6] == ([5, 2] if players == 5 else [5])
    # Without HHW both places of its tiles are for anybody.
    assert set(used("hsb", 3).tiles["1953"].face.stops[0].reserved) == {""}
    assert used("hsb", 5).tiles["1953"].face.stops[0].reserved == ("", "HHW")


def test_the_homes_of_the_draft() -> None:
    found = used("draft-hsb", 4)
    assert [home.at for home in found.corporations["KWE"].homes] == ["E20"]
    assert [home.at for home in found.corporations["DGEE"].homes] == ["A20"]
    assert "A18" not in found.map.hexes
    assert found.map.hexes["A20"].face.colour == "red"
    assert found.corporations["KWE"].tokens == PRINTED.corporations["KWE"].tokens


def test_places_that_a_map_of_the_town_has_beside_each_other_lie_so_on_the_board() -> None:
    at = {spot.name: at for at, spot in PRINTED.map.hexes.items()}
    west, east = parse(at["Wambel"]), parse(at["Brackel"])
    assert west[1] < east[1], "Wambel lies between Körne and Brackel"
    north, south = parse(at["Berghofen"]), parse(at["Berghofer Mark"])
    assert north[0] < south[0], "Berghofer Mark lies south of Berghofen"
