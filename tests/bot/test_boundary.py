"""Nobody outside `titles/` knows a word of a title: held by imports and string constants, in every room."""

from __future__ import annotations

import pytest

from tests.bot.boundary import Words, in_file, in_page, in_python, in_toml, of_titles
from tests.bot.sources import ROOT

ROOMS = ("bot", "renderers", "table", "catalogue", "storage", "engine")
TINY = Words(frozenset({"RhE", "AccessBought", "rhl"}), frozenset({"18Rhl", "Tiny"}))


@pytest.mark.parametrize("room", ROOMS)
def test_nothing_but_titles_knows_a_word_of_a_title(room: str) -> None:
    words = of_titles()
    assert {"AccessBought", "PlayersHelped", "RhE", "KEO", "access_token", "rheingold", "DAB"} <= words.constants
    assert {"ruhr", "trg", "rhl"} <= words.constants
    assert {"18Rhl", "18LRA", "18BL", "18Ruhr", "18DO"} <= words.names
    hits = [
        f"{path.relative_to(ROOT)}:{line}: {word!r} belongs to a title, or to COMMON in tests/bot/boundary.py"
        for path in sorted((ROOT / room).rglob("*"))
        if path.suffix in (".py", ".toml", ".html", ".js", ".css")
        for line, word in in_file(path, words)
    ]
    assert hits == []


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import titles.rhl", "titles.rhl"),
        ("from titles.rhl.main import base", "titles.rhl.main.base"),
        ("from titles import rhineland", "titles.rhineland"),
        ("import_module('titles.bl.main')", "titles.bl.main"),
        ("if company == 'RhE': pass", "RhE"),
        ("kind = {'AccessBought': 1}", "AccessBought"),
        ("say(f'{name} plays 18Rhl')", "18Rhl"),
        ('def pay():\n    """As 18Rhl pays."""', "18Rhl"),
    ],
)
def test_an_import_and_a_constant_of_a_title_are_found(program: str, said: str) -> None:
    assert [word for _, word in in_python(program, TINY)] == [said]


@pytest.mark.parametrize(
    "program",
    [
        "import titles",
        "from titles import known, registry",
        "from titles.registry import Form",
        "edge = 'NE'",
        "# RhE pays as 18Rhl does",
        "RhE = 1",
        "sign = 'a RhE b'",
        "note = 'NE of 118Rhl'",
    ],
)
def test_what_only_looks_like_a_word_of_a_title_is_not(program: str) -> None:
    assert list(in_python(program, TINY)) == []


def test_catalogues_and_pages_are_read_as_what_they_are() -> None:
    assert list(in_toml({"event": {"AccessBought": "bought"}, "direction": {"NE": "RhE"}}, TINY)) == [
        "AccessBought",
        "RhE",
    ]
    assert list(in_toml({"help": {"what": "Play Tiny!", "how": "a tiny RhEin"}}, TINY)) == ["Tiny"]
    assert list(in_page("ask('do', \"rhl\")\n// rhl\nsay(`RhE`)", TINY)) == [(1, "rhl"), (3, "RhE")]


def test_a_company_may_be_called_like_a_direction() -> None:
    assert not {"NE", "US"} & of_titles().constants
