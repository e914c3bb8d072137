"""18Rhl's data with its options applied, and the rules of the edition that was chosen."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from engine.definition import Definition
from titles import loading
from titles.rhl.earlier import Earlier
from titles.rhl.rules import Rhl

PACKAGE = "titles.rhl"


def definition(options: Mapping[str, Any]) -> Definition:
    """The title's data with the options applied."""
    data = copy.deepcopy(loading.tables(PACKAGE, "game.toml", "map.toml", "tiles.toml"))
    if options["optional_2_train"]:
        for train in data["train"]:
            train["count"] += train.get("optional", 0)
    if options["lower_capital"]:
        data["title"]["starting_cash"] = data["lower_capital"]["starting_cash"]
    if options["edition"] == "earlier":
        _apply_earlier(data, loading.read(PACKAGE, "earlier.toml"))
    return loading.definition(PACKAGE, data)


def _apply_earlier(data: dict[str, Any], change: Mapping[str, Any]) -> None:
    replaced = {at for table in change["hex"] for at in table["at"]}
    for table in data["hex"]:
        table["at"] = [at for at in table["at"] if at not in replaced]
    data["hex"] = [table for table in data["hex"] if table["at"]] + change["hex"]
    for tile, count in change["tile_counts"].items():
        data["tile"][tile]["count"] = count
    for corporation in data["corporation"]:
        corporation.update(change["corporation"].get(corporation["id"], {}))
    for name in ("rhe", "iron_rhine", "rheingold"):
        data[name] = {**data[name], **change[name]}


def make_rules(options: Mapping[str, Any]) -> Rhl:
    return (Earlier if options["edition"] == "earlier" else Rhl)(definition(options), options)
