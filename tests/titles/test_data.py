"""A title's data is checked when it is loaded: a fault names file, table and reason."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadData
from titles import loading

FILES = ("game.toml", "map.toml", "tiles.toml")


def tables() -> dict[str, Any]:
    return copy.deepcopy(loading.tables("titles.rhl", *FILES))


def load(change: Callable[[dict[str, Any]], None]) -> str:
    data = tables()
    change(data)
    with pytest.raises(BadData) as caught:
        loading.definition("titles.rhl", data)
    return str(caught.value)


def test_the_data_of_18rhl_is_sound() -> None:
    definition = loading.definition("titles.rhl", tables())
    assert len(definition.map.hexes) == 89
    assert len(definition.corporations) == 8


def _hex(data: dict[str, Any], at: str) -> dict[str, Any]:
    return next(table for table in data["hex"] if at in table["at"])


FAULTS: list[tuple[Callable[[dict[str, Any]], Any], tuple[str, ...]]] = [
    (lambda d: d.pop("market"), ("[market]", "missing")),
    (lambda d: d["title"].update(layout="round"), ("[title]", "neither flat nor pointy")),
    (lambda d: _hex(d, "B9").update(color="pink"), ("[[hex]] B9", "'pink'")),
    (lambda d: _hex(d, "B9").update(at=["B10"]), ("parities",)),
    (lambda d: _hex(d, "B9").update(at=["nine"]), ("[[hex]] nine", "no hex coordinate")),
    (lambda d: _hex(d, "B9").update(stops=["village 10"]), ("[[hex]] B9", "village 10")),
    (lambda d: _hex(d, "B9").update(stops=["city ten"]), ("[[hex]] B9", "no number")),
    (lambda d: _hex(d, "B3").update(track=["N-S"]), ("[[hex]] B3", "'N'")),
    (lambda d: _hex(d, "B3").update(track=["NE"]), ("[[hex]] B3", "END-END")),
    (lambda d: _hex(d, "C8").update(stubs=["UP"]), ("[[hex]] C8", "'stubs'")),
    (lambda d: _hex(d, "B9").update(at=["B9", "B9"]), ("B9 stands twice",)),
    (lambda d: d["tile"]["7"].pop("count"), ("[tile.7]", "'count' is missing")),
    (lambda d: d["tile"]["7"].update(count="many"), ("[tile.7]", "'many'")),
    (lambda d: d["tile"]["7"].update(track=["0-a"]), ("[tile.7]", "'a'")),
    (lambda d: d["tile"]["921"].update(hexes=["Z9"]), ("[tile.921]", "Z9")),
    (lambda d: d["tile"]["921"].update(ferry=["0-a"]), ("[tile.921]", "ferry")),
    (lambda d: d["corporation"][0].update(shares=[20, 10]), ("[[corporation]] ADR", "30 per cent")),
    (lambda d: d["corporation"][0].update(home=["Z1:a"]), ("[[corporation]] ADR", "Z1")),
    (lambda d: d["train"][0].update(rusts_on="44"), ("[[train]] 2", "'44'")),
    (lambda d: d["market"]["rows"][0].append("90x"), ("[market]", "'90x'")),
    (lambda d: d["phase"][0].pop("tiles"), ("[[phase]] 2", "'tiles' is missing")),
]


@pytest.mark.parametrize(("change", "words"), FAULTS, ids=[" ".join(words) for _, words in FAULTS])
def test_a_fault_names_file_table_and_reason(change: Callable[[dict[str, Any]], Any], words: tuple[str, ...]) -> None:
    message = load(change)
    assert message.startswith("titles/rhl: ")
    for word in words:
        assert word in message


def test_a_missing_file_is_a_clear_error() -> None:
    with pytest.raises(BadData, match=r"titles.rhl/nothing\.toml"):
        loading.read("titles.rhl", "nothing.toml")


@pytest.mark.parametrize("title", ["rhl", "bl"])
def test_every_clause_that_a_refusal_may_cite_is_in_the_ledger(title: str) -> None:
    from tests.ledger import clauses

    cited = loading.tables(f"titles.{title}", *FILES)["clauses"].values()
    assert {clause for clause in cited if clause not in clauses()} == set()


def test_the_data_of_18bl_is_sound_and_says_where_it_is_from() -> None:
    data = loading.tables("titles.bl", *FILES)
    definition = loading.definition("titles.bl", data)
    assert len(definition.map.hexes) == data["reconstruction"]["fields"]["total"] == 105
    assert sum(spot.buildable for spot in definition.map.hexes.values()) == 97
    assert definition.reconstructed
    entries = [*data["hex"], *data["tile"].values(), *data["private"], *data["corporation"], *data["train"]]
    assert all(entry["source"] for entry in entries)
    assert sum(train.count for train in definition.trains if train.kind == "train") == data["components"]["train_cards"]


def test_an_arrow_of_the_market_needs_a_mark_of_the_legend() -> None:
    data = copy.deepcopy(loading.tables("titles.bl", *FILES))
    data["market"]["arrows"]["left"]["z"] = "down"
    with pytest.raises(BadData, match="arrow"):
        loading.definition("titles.bl", data)
