"""Company colours can be told apart with every common kind of colour vision, and never stand alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from PIL import ImageChops

import titles
from engine.board.faces import Face
from engine.changes import View
from renderers import DARK, LIGHT
from renderers.hexes.geometry import Frame
from renderers.hexes.marks import outline
from renderers.hexes.paths import STYLES
from renderers.hexes.shapes import CUES, shape
from renderers.kit.livery import PALETTE, Livery, liveries
from renderers.kit.tables import Text
from renderers.kit.theme import Colour, Theme, ink_on, lightness
from renderers.kit.tokens import token
from renderers.kit.words import Words
from renderers.kit.zones import sign, zone
from renderers.pages.market import _MarketPicture
from tests.renderers.vision import KINDS, apart, contrast
from workshop.gallery import games, sheets

#: Differences that are plain at a glance for areas the size of a token; just noticeable is about 2.
PLAIN = 18.0


@pytest.mark.parametrize("kind", KINDS)
def test_any_two_token_colours_differ_plainly(kind: str) -> None:
    for one, other in combinations(PALETTE, 2):
        assert apart(one, other, kind) > PLAIN, f"{one} and {other}"


def test_the_check_would_notice_colours_that_look_alike() -> None:
    red, green = (200, 60, 40), (110, 105, 30)
    assert apart(red, green, "normal") > PLAIN
    assert apart(red, green, "deuteranopia") < PLAIN


def same_look(one: Livery, other: Livery) -> bool:
    return one.band == other.band and any(apart(one.fill, other.fill, kind) < PLAIN for kind in KINDS)


@pytest.mark.parametrize(("title", "form"), [(title.id, form.id) for title in titles.known() for form in title.forms])
def test_the_companies_of_a_form_can_be_told_apart(title: str, form: str) -> None:
    definition = sheets.begun(title, form).definition
    found = liveries(definition)
    # A company of one owner is known by its number: it has no station on the map.
    with_shares = [code for code in found if len(definition.corporations[code].shares) > 1]
    for one, other in combinations(with_shares, 2):
        assert not same_look(found[one], found[other]), f"{one} and {other}"


def test_a_company_keeps_the_colour_its_title_names() -> None:
    found = liveries(titles.rules("rhl", 3).definition)
    red, green, blue = found["CME"].fill
    assert red > 2 * green
    assert red > 2 * blue
    assert max(found["MKB"].fill) < 40


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_two_companies_of_one_colour_still_have_different_tokens(theme: object) -> None:
    assert theme in (LIGHT, DARK)
    livery = Livery(PALETTE[0], ink_on(PALETTE[0]))
    for reserved in (False, True):
        one = token("RhE", livery, 20, LIGHT, reserved=reserved)
        other = token("ADR", livery, 20, LIGHT, reserved=reserved)
        assert ImageChops.difference(one.convert("RGB"), other.convert("RGB")).getbbox() is not None


def test_the_code_on_a_token_stands_out_from_its_colour() -> None:
    for colour in PALETTE:
        light, dark = sorted((lightness(colour), lightness(ink_on(colour))))[::-1]
        assert (light + 0.05) / (dark + 0.05) > 4, colour


def test_routes_differ_in_colour_and_in_dash() -> None:
    assert len({style.dash for style in STYLES}) == len(STYLES)
    for kind in KINDS:
        for one, other in combinations(STYLES[:4], 2):
            assert apart(one.colour, other.colour, kind) > 10, f"{kind}: {one} and {other}"


# ---------------------------------------------------------------------- more than colour

#: Colours that differ so much in lightness need nothing else.
ENOUGH = 1.6
GREY = (150, 150, 150)


def needs_a_cue(one: Colour, other: Colour) -> bool:
    return any(contrast(one, other, kind) < ENOUGH for kind in KINDS)


def without_colour(theme: Theme) -> Theme:
    """A look with every hex in one grey."""
    return replace(theme, name=f"{theme.name} grey", hexes=dict.fromkeys(theme.hexes, GREY), new=GREY, pick=GREY)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("half", [10, 14, 24, 60], ids="half{}".format)
def test_hexes_of_two_colours_differ_by_more_than_colour(theme: Theme, half: int) -> None:
    """Grey on grey the two are still two pictures, as small as on a whole map and as large as in a part of it."""
    grey, frame = without_colour(theme), Frame(True, half)
    for one, other in combinations(theme.hexes, 2):
        if not needs_a_cue(theme.hexes[one], theme.hexes[other]):
            continue
        assert CUES[one] != CUES[other], f"{one} and {other}"
        first, second = (shape(Face(colour=colour), 0, frame, grey) for colour in (one, other))
        found = ImageChops.difference(first.convert("L"), second.convert("L"))
        assert max(found.getdata()) > 24, f"{one} and {other} look alike without colour"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_is_new_and_what_can_be_picked_have_different_frames(theme: Theme) -> None:
    assert needs_a_cue(theme.new, theme.pick)
    frame = Frame(True, 48)
    new, pick = outline(frame, GREY, theme, dots=True), outline(frame, GREY, theme)
    assert ImageChops.difference(new.getchannel("A"), pick.getchannel("A")).getbbox() is not None


@pytest.mark.parametrize("form", [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms])
def test_coloured_spaces_of_a_market_have_signs_of_their_own(form: str) -> None:
    box, found = titles.find_form(form)
    market = titles.rules(box.id, found.players[0], {}, found.id).definition.market
    marks = [mark for mark in market.legend if zone(market, mark, LIGHT) is not None]
    for one, other in combinations(marks, 2):
        colours = [colour for mark in (one, other) if (colour := zone(market, mark, LIGHT)) is not None]
        assert not needs_a_cue(colours[0], colours[1]) or sign(market, one) != sign(market, other)


def test_prices_that_rise_and_fall_have_signs() -> None:
    """Green and red of the table of prices are not told apart by everybody: each has its arrow."""
    assert needs_a_cue(LIGHT.good, LIGHT.bad)
    game, before = games.late(), View.of(games.at(games.MID))
    table = _MarketPicture(game, before, True, LIGHT, Words("en"))._certificates(750, 24)
    prices = [cell for row in table.rows for cell in row if isinstance(cell, Text) and cell.colour is not None]
    assert prices
    for cell in prices:
        assert cell.text.endswith("▲" if cell.colour == LIGHT.good else "▼")
