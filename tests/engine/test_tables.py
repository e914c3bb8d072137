"""Plain tables become dataclasses: every kind of field, and the sentence for what does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest

from engine.errors import BadData
from engine.tables import BLANK, REPEATED, Files, HexName, Span, read

NAMES = {"hex": {"A1", "B2"}}


@dataclass(frozen=True)
class Inner:
    """A table in a table."""

    price: Annotated[int, Span(1, 9)]


@dataclass(frozen=True)
class Sample:
    """A field of every kind."""

    name: str
    hexes: tuple[HexName, ...] = ()
    pair: tuple[HexName, Literal["E", "W"]] | None = None
    by_number: Mapping[int, Inner] = field(default_factory=dict)
    one_or_more: str | tuple[str, ...] = ()
    free: bool = False
    numbers: frozenset[int] = frozenset()
    cells: tuple[Annotated[str, BLANK, REPEATED], ...] = ()
    prices: tuple[int, ...] = ()


def test_every_kind_of_field_is_read() -> None:
    data = {
        "name": "x", "hexes": ["A1", "B2"], "pair": ["A1", "W"], "by_number": {"3": {"price": 5, "source": "page 1"}},
        "one_or_more": "y", "free": True, "numbers": [1, 2], "cells": ["", ""], "prices": [4, 4], "note": "why",
    }  # fmt: skip
    assert read(Sample, data, "f [t]", NAMES) == Sample(
        "x", ("A1", "B2"), ("A1", "W"), {3: Inner(5)}, "y", True, frozenset({1, 2}), ("", ""), (4, 4)
    )
    assert read(Sample, {"name": "x", "one_or_more": ["y", "z"]}, "f [t]").one_or_more == ("y", "z")


FAULTS: list[tuple[Any, str]] = [
    (8, "f [t]: a table is expected, not 8"),
    ({}, "f [t].name: is missing; a text is expected"),
    ({"name": 8}, "f [t].name: a text is expected, not 8"),
    ({"name": ""}, "f [t].name: a text is expected, not an empty text"),
    ({"name": "x", "nmae": "y"}, "f [t].nmae: there is no such key here, only name, hexes, pair, "),
    ({"name": "x", "note": 1}, "f [t].note: a text is expected, not 1"),
    ({"name": "x", "hexes": "A1"}, "f [t].hexes: a list is expected, not 'A1'"),
    ({"name": "x", "hexes": ["A1", "C3"]}, "f [t].hexes: there is no hex 'C3'"),
    ({"name": "x", "hexes": ["A1", "A1"]}, "f [t].hexes: 'A1' stands twice"),
    ({"name": "x", "pair": ["A1"]}, "f [t].pair: a list of 2 is expected, not ['A1']"),
    ({"name": "x", "pair": ["A1", "N"]}, "f [t].pair: 'E' or 'W' is expected, not 'N'"),
    ({"name": "x", "pair": 1}, "f [t].pair: a list of 2 is expected, not 1"),
    (
        {"name": "x", "by_number": {"three": {"price": 5}}},
        "f [t].by_number.three: a number from 0 to 99999 is ",
    ),
    ({"name": "x", "by_number": {"03": {"price": 5}}}, "f [t].by_number.03: a number from 0 to 99999 is expected"),
    ({"name": "x", "by_number": {"3": {"price": 10}}}, "f [t].by_number.3.price: a number from 1 to 9 is expected"),
    ({"name": "x", "by_number": {"3": {"price": True}}}, "f [t].by_number.3.price: a number from 1 to 9 is expected"),
    ({"name": "x", "one_or_more": 1}, "f [t].one_or_more: a text or a list is expected, not 1"),
    ({"name": "x", "free": 1}, "f [t].free: true or false is expected, not 1"),
    ({"name": "x", "numbers": [1, 1]}, "f [t].numbers: 1 stands twice"),
    ({"name": "x", "prices": [-1]}, "f [t].prices: a number from 0 to 99999 is expected, not -1"),
    ({"name": "x", "prices": [1.5]}, "f [t].prices: a number from 0 to 99999 is expected, not 1.5"),
    ({"name": "x", "hexes": {"A1": 1}}, "f [t].hexes: a list is expected, not a table"),
    ({"name": ["long"] * 40}, "f [t].name: a text is expected, not ['long', 'long', 'long',"),
]


@pytest.mark.parametrize(("data", "sentence"), FAULTS, ids=[sentence for _, sentence in FAULTS])
def test_what_does_not_fit_is_said_in_a_sentence(data: Any, sentence: str) -> None:
    with pytest.raises(BadData) as caught:
        read(Sample, data, "f [t]", NAMES)
    assert str(caught.value).startswith(sentence)
    assert len(str(caught.value)) < 140


@dataclass(frozen=True)
class Own:
    """A title's own tables."""

    one: Inner
    many: tuple[Sample, ...]


def test_a_fault_names_the_file_in_which_its_table_stands() -> None:
    good = {"a.toml": {"one": {"price": 3}}, "b.toml": {"many": [{"name": "x"}, {"name": "y"}]}}
    assert Files(good).all(Own, NAMES) == Own(Inner(3), (Sample("x"), Sample("y")))
    for files, sentence in (
        ({**good, "a.toml": {"one": {"price": 0}}}, "a.toml [one].price: a number from 1 to 9 is expected, not 0"),
        ({**good, "b.toml": {"many": [{"name": "x", "free": 1}]}}, "b.toml [[many]] x.free: true or false is expected"),
        ({**good, "b.toml": {"many": [{"free": True}]}}, "b.toml [[many]] no. 1.name: is missing; a text is expected"),
        ({**good, "b.toml": {"many": {}}}, "b.toml [many]: a list of tables is expected, not an empty table"),
        ({**good, "b.toml": {}}, "a.toml, b.toml [many]: is missing; a list of tables is expected"),
    ):
        with pytest.raises(BadData) as caught:
            Files(files).all(Own, NAMES)
        assert str(caught.value).startswith(sentence)
