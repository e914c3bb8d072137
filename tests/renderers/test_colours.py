"""Company colours can be told apart with every common kind of colour vision, and never stand alone."""

from __future__ import annotations

from itertools import combinations

import pytest
from PIL import ImageChops

import titles
from renderers import DARK, LIGHT
from renderers.hexes.paths import STYLES
from renderers.kit.livery import PALETTE, Livery, assign, liveries
from renderers.kit.theme import ink_on, lightness
from renderers.kit.tokens import token
from tests.renderers import sheets
from tests.renderers.vision import KINDS, apart

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


@pytest.mark.parametrize("title", [title.id for title in titles.known()])
def test_the_companies_of_a_title_can_be_told_apart(title: str) -> None:
    definition = titles.rules(title, titles.find(title).form().players[0]).definition
    found = liveries(definition)
    # A company of one owner is known by its number: it has no station on the map.
    with_shares = [code for code in found if len(definition.corporations[code].shares) > 1]
    for one, other in combinations(with_shares, 2):
        assert not same_look(found[one], found[other]), f"{one} and {other}"


@pytest.mark.skipif(not sheets.available(), reason=sheets.MISSING)
@pytest.mark.parametrize("name", sheets.available() or ["none"])
def test_the_companies_of_every_data_sheet_can_be_told_apart(name: str) -> None:
    found = assign(sheets.load(name).companies)
    assert set(found) == {code for code, _ in sheets.load(name).companies}
    for one, other in combinations(found, 2):
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
