"""Fonts: every sign that is written has a glyph, and a missing file is a clear error."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from PIL import ImageFont

import catalogue
import titles
from catalogue import LANGUAGES
from renderers import FontMissing
from renderers.kit import fonts

SOURCES = sorted(Path(fonts.__file__).parents[1].rglob("*.py"))


def written() -> str:
    """Every character that can come onto a picture from our own texts and from the titles' data."""
    texts = ["abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 äöüÄÖÜßéèç"]
    texts += [text for language in LANGUAGES for text in catalogue.read("renderers", language).values()]
    for source in SOURCES:
        texts += re.findall(r'"([^"\n]*)"', source.read_text("utf-8"))
    for title in titles.known():
        definition = titles.rules(title.id, title.form().players[0]).definition
        texts += [definition.name, *(spot.name for spot in definition.map.hexes.values())]
        texts += [text for c in definition.corporations.values() for text in (c.id, c.name, *c.special.values())]
        texts += [text for phase in definition.phases for text in phase.event.values()]
    return "".join(sorted(set("".join(texts))))


@pytest.mark.parametrize("bold", [False, True])
def test_every_sign_has_a_glyph(bold: bool) -> None:
    font = fonts.font(24, bold)
    nothing = bytes(font.getmask("\uffff"))
    missing = [sign for sign in written() if not sign.isspace() and bytes(font.getmask(sign)) == nothing]
    assert missing == []


def test_the_check_of_glyphs_notices_a_sign_that_the_font_lacks() -> None:
    font = fonts.font(24)
    assert bytes(font.getmask("\U00012000")) == bytes(font.getmask("\uffff"))


def test_a_missing_font_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(FontMissing, match=r"DejaVuSans-Bold\.ttf is missing"):
        fonts.load(tmp_path, True, 20)


def test_a_damaged_font_file_is_a_clear_error(tmp_path: Path) -> None:
    shutil.copy(__file__, tmp_path / "DejaVuSans.ttf")
    with pytest.raises(FontMissing, match=r"DejaVuSans\.ttf .* cannot be read"):
        fonts.load(tmp_path, False, 20)


def test_text_is_laid_out_the_same_on_every_machine() -> None:
    assert fonts.font(20).layout_engine == ImageFont.Layout.BASIC


def test_the_licence_of_the_fonts_is_shipped_with_them() -> None:
    text = (fonts.FOLDER / "LICENSE.txt").read_text("utf-8")
    assert "Bitstream Vera" in text
    assert "Permission is hereby granted" in text


def test_a_text_that_is_too_long_is_shortened_to_its_room() -> None:
    text, size = fonts.fitted("Gladbach-Venloer Eisenbahn", 120, 20, 14)
    assert text.endswith("…")
    assert fonts.width(text, size) <= 120
