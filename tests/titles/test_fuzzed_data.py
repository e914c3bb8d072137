"""Spoilt data files: each is refused with one sentence that names file, table and key; nothing wrong loads.

By a fixed seed one for each key and way is chosen; `KURSBUCH_FUZZ=all` tries all, which takes some minutes.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import titles
from engine.definition import Definition
from engine.errors import BadData
from engine.rules import Setup
from tests.titles.mutations import FREE, REPEATED, Mutation, Sheets, mutations
from titles import loading
from titles.bl import tables as bl
from titles.do.board import data as box
from titles.do.board.tables import Tables as BoxTables
from titles.do.brewery import data as hsb_data
from titles.do.brewery.tables import HsbTables
from titles.do.draft2020 import data
from titles.do.expert.tables import ExpTables
from titles.do.intro import tables as efs_tables
from titles.do.intro.tables import EfsTables
from titles.do.railways.tables import TrgTables
from titles.do.two import tables as investor_tables
from titles.lra import tables as lra
from titles.rhineland import short_tables
from titles.rhl import alternative as packages
from titles.rhl import data as editions
from titles.rhl import tables as rhl
from titles.ruhr import tables as ruhr

pytestmark = pytest.mark.slow

FILES = ("game.toml", "map.toml", "tiles.toml")
SENTENCE = re.compile(r"titles/\w+/\w+\.toml(, titles/\w+/\w+\.toml)* \[\[?[\w.+-]+\]?\].*: .+")

REMARKS = {"note", "source"}
#: Keys that a table may do without, or with an empty list.
OPTIONAL = {
    "title": {"pool_limit", "reconstructed", "rulebook", "designer", "publisher", "currency", "year"},
    "hex": {
        "name", "stops", "track", "label", "cost", "icons", "terrain", "impassable", "stubs", "stop_icons", "after",
        "group", "banks", "location_space", "label_from", "category",
    },
    "tile": {
        "stops", "label", "cost", "icons", "category", "becomes", "level", "hexes", "rotations", "special", "ferry",
        "ferry_value",
    },
    "market": {"arrows", "start_stack", "moves", "left", "right", *"pybxudDBg"},
    "corporation": {"special", "special_de"},
    "private": {
        "hexes", "ability", "closes", "power", "on", "since", "colours", "tiles", "free", "alone", "reserves",
        "station", "lays", "trailer", "only_power", "links", "cubes",
        "marker",
    },
    "train": {"reach", "kind", "rusts_on", "available_on", "optional", "runs"},
    "phase": {"lay", "event", "event_de"},
    "industry_bonus": {"not_for"},
    "rheingold": {"closed", "apart"},
    "with_lot": {"hexes", "tiles", "reconstructed"},
    "lime_quarry": {"not_for"},
    "link_company": {"no_ferry"},
    "charter": {"special", "special_de"},
    "vehicles": {"run_twice", "surplus"},
    "target_card": {"not_through", "unbarred", "locations", "one", "other"},
    "destiny_card": {"hexes", "tiles", "least"},
    "stage": {"inactive_on"},
    "engine": {"scrapped_on"},
    "short": {"reconstructed"},
    "markers": {"load_not_for"},
    "efs": {"reconstructed"},
    "trg": {"last_run"},
    "hsb": {"last_run"},
    "beer": {"no_demand"},
    "kim": {"income"},
    "expert": {"wagon_not_on"},
    "change": {"players", "put", "hexes_out", "tiles_out", "companies_out", "homes"},
    "abilities": {"early_train"},
    "equipment": {"arrows", "start", "minors"},
    "brewing": {"opens", "closes", "export_ends"},
    "capex": {"regular", "new", "link", "squares"},
    "minor": {"founds_for"},
    "brewery": {"unit"},
}  # fmt: skip

#: So many are tried in any case.
FEW = 1000

#: Noticed in the table that needs another: a wrong kind of company, a hex with which a form covers the map.
ELSEWHERE = (("game.toml", "corporation", "kind"), (box.OVERLAYS, "hex", "at"))

#: Tables of which any key may be left out.
PARTS = ("stop_icons", "arrows", "start_markers", "boxes", "boxes_with_link", "opens_after", "homes", "not_used")


def rhl_2024(sheets: Sheets) -> Definition:
    return loading.load(sheets, rhl.Tables)


def rhl_earlier(sheets: Sheets) -> Definition:
    return editions.earlier(BASE, sheets)


def lra_2024(sheets: Sheets) -> Definition:
    return loading.load(sheets, lra.Tables)


def rhl_alternative(sheets: Sheets) -> Definition:
    return packages.alternative(BASE, sheets, [lots[1] for lots in packages.LOTS.values()])


def ruhr_21(sheets: Sheets) -> Definition:
    return loading.load(sheets, ruhr.Tables)


def bl_2018(sheets: Sheets) -> Definition:
    return loading.load(sheets, bl.Tables)


def do_form(
    form: str, tables: type[BoxTables], seen: Callable[[Setup, Definition], Definition]
) -> Callable[[Sheets], Definition]:
    """A form of 18DO for every number of its players, as its rules see it."""

    def load(sheets: Sheets) -> Definition:
        overlays = {file: rows for file, rows in sheets.items() if file.endswith(box.OVERLAYS)}
        found = loading.load({file: rows for file, rows in sheets.items() if file not in overlays}, tables)
        low, high = next(kind.players for kind in DO.forms if kind.id == form)
        for players in range(low, high + 1):
            setup = Setup(form, {}, players)
            seen(setup, box.used(setup, found, overlays))
        return found

    return load


def do_draft(sheets: Sheets) -> Definition:
    return data.with_draft(hsb_data.definition(Setup("draft-hsb", {}, 3)), sheets)


def do_investor(sheets: Sheets) -> Definition:
    found = box.definition(Setup("trg2", {}, 2), "trg.toml", TrgTables)
    investor_tables.checked(found, sheets)
    return found


def do_expert(sheets: Sheets) -> Definition:
    shared = loading.sheets(box.PACKAGE, *box.FILES, hsb_data.FILE)
    return loading.load({**shared, **sheets}, ExpTables)


def of_do(own: str) -> Sheets:
    return loading.sheets(box.PACKAGE, *box.FILES, box.OVERLAYS, own)


def rhl_short(sheets: Sheets) -> Definition:
    return short_tables.without_money(BASE, short_tables.read(BASE, sheets))


def lra_short(sheets: Sheets) -> Definition:
    return short_tables.without_money(LRA, short_tables.read(LRA, sheets))


BASE = rhl_2024(loading.sheets("titles.rhl", *editions.FILES))
LRA = lra_2024(loading.sheets("titles.lra", *FILES, "investor.toml"))
DO = titles.find("do")
TITLES: dict[str, tuple[Callable[[Sheets], Definition], Mapping[str, Mapping[str, Any]]]] = {
    "rhl": (rhl_2024, loading.sheets("titles.rhl", *editions.FILES)),
    "rhl earlier": (rhl_earlier, loading.sheets("titles.rhl", "earlier.toml")),
    "lra": (lra_2024, loading.sheets("titles.lra", *FILES, "investor.toml")),
    "rhl alternative": (rhl_alternative, loading.sheets("titles.rhl", "alternative.toml")),
    "bl": (bl_2018, loading.sheets("titles.bl", *FILES)),
    "ruhr": (ruhr_21, loading.sheets("titles.ruhr", *FILES)),
    "rhl short": (rhl_short, loading.sheets("titles.rhl", "short.toml")),
    "lra short": (lra_short, loading.sheets("titles.lra", "short.toml")),
    "do efs": (do_form("efs", EfsTables, lambda setup, found: efs_tables.without_money(found)), of_do("efs.toml")),
    "do trg": (do_form("trg", TrgTables, lambda setup, found: found), of_do("trg.toml")),
    "do hsb": (do_form("hsb", HsbTables, hsb_data.with_breweries), of_do("hsb.toml")),
    "do investor": (do_investor, loading.sheets(box.PACKAGE, investor_tables.FILE)),
    "do expert": (do_expert, loading.sheets(box.PACKAGE, "exp.toml")),
    "do draft": (do_draft, loading.sheets(box.PACKAGE, data.FILE)),
}


def may_load(mutation: Mutation) -> bool:
    """Whether what was done leaves tables that make sense."""
    what, keys = mutation.what, [part for part in mutation.path if isinstance(part, str)]
    free = any(key in FREE for key in keys[:-1])
    if what == "emptied" and keys[-1] == "tokens":
        return True  # there are companies without stations
    if what in ("missing", "emptied"):
        last = isinstance(mutation.path[-1], str)
        part = any(key in PARTS for key in keys[:-1]) or (
            len(keys) == len(mutation.path) == 2
            and mutation.table in ("tile", "tile_counts", "corporation", "power", "loads")
        )
        return free or part or (last and mutation.key in REMARKS | OPTIONAL.get(mutation.table, set()))
    if what in ("misspelt", "unknown"):
        return free or (what == "misspelt" and mutation.table == "tile" and len(keys) == 2)
    if what == "twice":
        return mutation.key in REPEATED and mutation.path != ("market", "rows")
    return what == "empty" and keys == ["market", "rows"]


def judged(load: Callable[[Sheets], Definition], sheets: Sheets, mutation: Mutation) -> str:
    """What is wrong with the answer to a spoilt file, if anything is."""
    try:
        load(mutation.applied(sheets))
    except BadData as error:
        text = str(error)
    except Exception as error:
        return f"{mutation}: {error!r}"
    else:
        return "" if may_load(mutation) else f"{mutation}: it loads"
    where = text.partition(": ")[0]
    if not SENTENCE.fullmatch(text) or len(text) > 400:
        return f"{mutation}: no clear sentence: {text}"
    if may_load(mutation):
        return ""  # another table may need what is no longer there
    if (mutation.file.rpartition("/")[2], mutation.table, mutation.key) in ELSEWHERE:
        return ""
    if mutation.file not in where or f"[{mutation.table}" not in where:
        return f"{mutation}: another file or table is named: {text}"
    if mutation.key not in where:
        return f"{mutation}: another key is named: {text}"
    return ""


def chosen(sheets: Sheets) -> Iterator[Mutation]:
    """All if they are few, else one for each key of each table and one for each way to spoil a file."""
    found = list(mutations(sheets))
    if len(found) < FEW or os.environ.get("KURSBUCH_FUZZ") == "all":
        yield from found
        return
    random.Random(18).shuffle(found)
    by_key = {mutation.kind: mutation for mutation in found}
    by_way = {(mutation.file, mutation.what): mutation for mutation in reversed(found)}
    yield from by_key.values()
    yield from by_way.values()


def test_every_file_of_every_title_is_spoilt() -> None:
    spoilt = {file for _, sheets in TITLES.values() for file in sheets}
    folder = Path(titles.__file__).parent
    assert spoilt == {path.relative_to(folder.parent).as_posix() for path in folder.glob("*/*.toml")}


@pytest.mark.parametrize("title", TITLES)
def test_a_spoilt_file_is_refused_with_file_table_and_key(title: str) -> None:
    load, sheets = TITLES[title]
    faults = [fault for mutation in chosen(sheets) if (fault := judged(load, sheets, mutation))]
    assert faults == []
