"""The notation of stops, ferries, links and lines of prices: what it means, and which sentence a fault gives."""

from __future__ import annotations

from typing import Any

import pytest

from engine.board.faces import Stop
from engine.errors import BadData
from engine.reading import Reader
from titles import loading


def reader() -> Reader:
    found = Reader({"made-up": {}})
    found.where = "made-up [tile.1]"
    return found


def tile(**table: Any) -> Any:
    return Reader({"made-up": {"tile": {"1": {"color": "green", "count": 1, **table}}}}).tiles()["1"].face


def market(**table: Any) -> Any:
    return Reader({"made-up": {"market": {"legend": {"p": "par"}, **table}}}).market()


@pytest.mark.parametrize(
    ("text", "stop"),
    [
        ("city 30 x2", Stop("city", (("plain", 30),), 2)),
        ("city 20 x2 harbour", Stop("city", (("plain", 20),), 2, ("", "harbour"))),
        ("city 20 x3 CME B2", Stop("city", (("plain", 20),), 3, ("", "CME", "B2"))),
        ("city 20 xRE x1", Stop("city", (("plain", 20),), 1, ("xRE",))),
        ("city 30 x2 open", Stop("city", (("plain", 30),), 2, (), True)),
        ("offboard yellow:40 brown:60 x1 open", Stop("offboard", (("yellow", 40), ("brown", 60)), 1, (), True)),
    ],
)
def test_words_after_the_income_reserve_spaces_or_open_the_stop(text: str, stop: Stop) -> None:
    assert reader().stop(text) == stop


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("city 20 harbour harbour", "reserves 2 of 1 spaces"),
        ("town 10 CME", "reserves 1 of 0 spaces"),
        ("town 10 open", "a town is always open"),
        ("city harbour 20", "holds something that is no number"),
        ("city 20 pink:30", "'pink' is no phase colour"),
        ("village 20", "is not 'city|town|offboard"),
    ],
)
def test_a_stop_that_makes_no_sense_is_named(text: str, sentence: str) -> None:
    with pytest.raises(BadData, match=r"^made-up \[tile.1\]: stop") as found:
        reader().stop(text)
    assert sentence in str(found.value)


def test_a_space_is_reserved_only_for_what_exists() -> None:
    sheets = loading.sheets("titles.rhl", "game.toml", "map.toml", "tiles.toml")
    title = sheets["titles/rhl/game.toml"]["title"]
    sheets["titles/rhl/tiles.toml"]["tile"]["57"]["stops"] = ["city 20 harbour"]
    with pytest.raises(BadData, match=r"tiles.toml \[tile.57\].stops: .* nor a kind of token 'harbour'"):
        Reader(sheets).definition()
    title["token_kinds"] = ["harbour"]
    assert Reader(sheets).definition().tiles["57"].face.stops[0].reserved == ("harbour",)
    title["token_kinds"] = ["harbour", "CME"]
    with pytest.raises(BadData, match=r"\[title\].token_kinds: 'CME' is a kind of token and a corporation"):
        Reader(sheets).definition()


CITY = {"stops": ["city 40 x2"], "track": ["0-a", "3-a", "1-4"]}
TWO = {"stops": ["city 40", "city 30"], "track": ["0-a", "3-b", "a-b"]}


def test_ferries_to_an_edge_and_inside_a_city_are_read() -> None:
    assert tile(**CITY, ferry=["3-a"], ferry_value=30).ferry == {(3, 6)}
    assert tile(**TWO, ferry=["a-b"], ferry_value=30).ferry == {(6, 7)}


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({**CITY, "ferry": ["2-a"], "ferry_value": 30}, "a ferry that is no track"),
        ({**CITY, "ferry": ["1-4"], "ferry_value": 0}, "a ferry leads to no stop"),
        ({**CITY, "ferry": ["3-a"], "ferry_value": 50}, "ferry_value: 50 is more than the income of the stop"),
        ({**TWO, "ferry": ["a-b"], "ferry_value": 40}, "ferry_value: 40 is more than the income of the stop"),
        ({**TWO, "ferry": ["a-b", "0-a"], "ferry_value": 10}, "the only one of its hex"),
        ({"stops": ["city 40", "town 30"], "track": ["0-a", "a-b"], "ferry": ["a-b"]}, "joins parts of a city"),
        ({"stops": ["town 10"] * 4, "track": ["a-b", "a-c", "a-d", "b-c", "b-d"]}, "at most 4 pieces of track"),
    ],
)
def test_what_the_search_cannot_do_is_refused_when_it_is_read(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadData, match=r"^made-up \[tile.1\]\.\w+: ") as found:
        tile(**table)
    assert sentence in str(found.value)


def test_lines_of_prices_are_read_with_their_kinds() -> None:
    found = market(kind="lines", rows=[["30", "40p"], ["50p", "60", "70"]], kinds=["railway", "brewery"])
    assert (found.row_of("railway"), found.row_of("brewery")) == (0, 1)
    assert market(kind="line", rows=[["30", "40p"]]).kinds == ()
    assert market(kind="none").rows == (), "nothing has a price"


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"kind": "row", "rows": [["30"]]}, "kind: "),
        ({"kind": "none", "rows": [["30"]]}, "no prices are expected"),
        ({"kind": "line"}, "a price in each row is expected"),
        ({"kind": "line", "rows": [["30"], ["40"]]}, "a line has one row, not 2"),
        ({"kind": "lines", "rows": [["30", "", "40"]]}, "neither gaps nor arrows"),
        ({"kind": "line", "rows": [["30p"]], "arrows": {"right": {"p": "up"}}}, "neither gaps nor arrows"),
        ({"kind": "lines", "rows": [["30"], ["40"]], "kinds": ["railway"]}, "a kind of company for each of 2 rows"),
    ],
)
def test_a_line_that_is_none_is_refused(table: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadData, match=r"^made-up \[market\]\.\w+: ") as found:
        market(**table)
    assert sentence in str(found.value)
