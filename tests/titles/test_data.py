"""A title's data is checked when it is loaded: a fault names file, table and reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.errors import BadData
from titles import loading
from titles.bl import tables as bl
from titles.rhl import data as editions
from titles.rhl import tables as rhl
from titles.ruhr import tables as ruhr

FILES = ("game.toml", "map.toml", "tiles.toml")


def load(change: Callable[[dict[str, Any]], None]) -> str:
    sheets = loading.sheets("titles.rhl", *editions.FILES)
    data = {key: table for sheet in sheets.values() for key, table in sheet.items()}
    change(data)
    for file, sheet in sheets.items():
        sheets[file] = {key: data[key] for key in sheet if key in data}
    with pytest.raises(BadData) as caught:
        loading.load(sheets, rhl.Tables)
    return str(caught.value)


def test_the_data_of_18rhl_is_sound() -> None:
    definition = loading.load(loading.sheets("titles.rhl", *editions.FILES), rhl.Tables)
    assert len(definition.map.hexes) == 89
    assert len(definition.corporations) == 8


def _hex(data: dict[str, Any], at: str) -> dict[str, Any]:
    return next(table for table in data["hex"] if at in table["at"])


GAME, MAP, TILES, CARDS = (f"titles/rhl/{name}" for name in editions.FILES)

FAULTS: list[tuple[Callable[[dict[str, Any]], Any], str, str]] = [
    (lambda d: d.pop("market"), f"{GAME}, {MAP}, {TILES}, {CARDS} [market]", "missing"),
    (lambda d: d["title"].update(layout="round"), f"{GAME} [title].layout", "'flat' or 'pointy' is expected"),
    (lambda d: d["title"]["starting_cash"].pop("4"), f"{GAME} [title].starting_cash.4", "from 3 to 5 players"),
    (lambda d: d["title"].update(players=[5, 3]), f"{GAME} [title].players", "least"),
    (lambda d: _hex(d, "B9").update(color="pink"), f"{MAP} [[hex]] Wesel.color", "'pink'"),
    (lambda d: _hex(d, "B9").update(at=["B10"]), f"{MAP} [[hex]] Wesel.at", "B10 lies between"),
    (lambda d: _hex(d, "B9").update(at=["Z99"]), f"{MAP} [[hex]] Wesel.at", "adjoins no other"),
    (lambda d: _hex(d, "B3").update(at=["nine"]), f"{MAP} [[hex]] nine.at", "no hex coordinate"),
    *(
        (lambda d, at=at: _hex(d, "B3").update(at=[at]), f"{MAP} [[hex]] {at}.at", f"{at!r} is no hex coordinate")
        for at in ("B", "3", "b3", "B0", "B00", "B03", "B100", "B-3", "B٣", "Ä3")
    ),
    (lambda d: _hex(d, "B3").update(at=["Z1"]), f"{MAP} [[hex]] Z1.at", "adjoins no other"),
    (lambda d: _hex(d, "B9").update(stops=["village 10"]), f"{MAP} [[hex]] Wesel.stops", "village 10"),
    (lambda d: _hex(d, "B9").update(stops=["city ten"]), f"{MAP} [[hex]] Wesel.stops", "no number"),
    (lambda d: _hex(d, "B9").update(stops=["city 10"] * 5), f"{MAP} [[hex]] Wesel.stops", "at most 4"),
    (lambda d: _hex(d, "B3").update(track=["N-S"]), f"{MAP} [[hex]] B3.track", "'N'"),
    (lambda d: _hex(d, "B3").update(track=["NE"]), f"{MAP} [[hex]] B3.track", "END-END"),
    (lambda d: _hex(d, "B3").update(track=["NE-NE"]), f"{MAP} [[hex]] B3.track", "itself"),
    (lambda d: _hex(d, "C8").update(stubs=["N"]), f"{MAP} [[hex]] C8.stubs", "'N'"),
    (lambda d: _hex(d, "B9").update(at=["B9", "B9"]), f"{MAP} [[hex]] Wesel.at", "'B9' stands twice"),
    (lambda d: _hex(d, "B9").update(at=["B9", "C8"]), f"{MAP} [[hex]] C8.at", "C8 stands twice"),
    (lambda d: d["tile"]["7"].pop("count"), f"{TILES} [tile.7].count", "is missing"),
    (lambda d: d["tile"]["7"].update(count="many"), f"{TILES} [tile.7].count", "'many'"),
    (lambda d: d["tile"]["7"].update(track=["0-a"]), f"{TILES} [tile.7].track", "'a'"),
    (lambda d: d["tile"]["7"].update(track=[]), f"{TILES} [tile.7].track", "a tile has track"),
    (lambda d: d["tile"]["921"].update(hexes=["Z9"]), f"{TILES} [tile.921].hexes", "'Z9'"),
    (lambda d: d["tile"]["921"].update(ferry=["0-a"]), f"{TILES} [tile.921].ferry", "ferry"),
    (lambda d: d["corporation"][0].update(shares=[20, 10]), f"{GAME} [[corporation]] ADR.shares", "30 per cent"),
    (lambda d: d["corporation"][0].update(home=["Z1:a"]), f"{GAME} [[corporation]] ADR.home", "'Z1'"),
    (lambda d: d["corporation"][1].update(id="ADR"), f"{GAME} [[corporation]] ADR.id", "ADR stands twice"),
    (lambda d: d["train"][0].update(rusts_on="44"), f"{GAME} [[train]] 2.rusts_on", "'44'"),
    (lambda d: d["market"]["rows"][0].append("90x"), f"{GAME} [market].rows", "'90x'"),
    (lambda d: d["phase"][0].pop("tiles"), f"{GAME} [[phase]] 2.tiles", "is missing"),
    (lambda d: d["phase"][1].update(on="2+2"), f"{GAME} [[phase]] 3.on", "'2+2'"),
    (lambda d: d["rheingold"].pop("start"), f"{GAME} [rheingold].start", "is missing"),
    (lambda d: d["rheingold"].update(train=8), f"{GAME} [rheingold].train", "the name of a train is expected, not 8"),
    (lambda d: d["rheingold"].update(train="9"), f"{GAME} [rheingold].train", "there is no train '9'"),
    (lambda d: d["eastern_ruhr"]["value_by_links"].pop(), f"{GAME} [eastern_ruhr].value_by_links", "5 numbers"),
    (lambda d: d["eastern_ruhr"]["links"][0].__setitem__(1, "N"), f"{GAME} [eastern_ruhr].links", "one of"),
    (lambda d: d["order_card"][2].update(coal="B9"), f"{GAME} [[order_card]] no. 3.coal", "no space"),
    (lambda d: d["private"][1]["power"].update(tile="935"), f"{GAME} [[private]] KEO.power.tile", "no such key"),
    (lambda d: d["target_card"][1].update(one=["B5"]), f"{CARDS} [[target_card]] T2.one", "B5 has no stop"),
    (lambda d: d["target_card"][1].pop("other"), f"{CARDS} [[target_card]] T2.other", "a hex is expected"),
    (lambda d: d["target_card"][0].update(goal="luck"), f"{CARDS} [[target_card]] T1.goal", "'luck'"),
    (lambda d: d["target_card"][0].update(id="T2"), f"{CARDS} [target_card].id", "two cards of one name"),
    (lambda d: d["target_card"].pop(0) and d["target_card"].pop(), f"{CARDS} [target_card].id", "at least 7"),
    (lambda d: d["destiny_card"][5].pop("tiles"), f"{CARDS} [[destiny_card]] D6.tiles", "a tile is expected"),
    (lambda d: d["destiny_card"][8]["hexes"].clear(), f"{CARDS} [[destiny_card]] D9.hexes", "at least 2"),
    (lambda d: d["iron_rhine"]["east"].clear(), f"{GAME} [iron_rhine].east", "a hex is expected"),
    (lambda d: d["link_company"].update(par=72), f"{GAME} [link_company].par", "72 is no starting price"),
    (lambda d: d["link_company"].update(link_shares=3), f"{GAME} [link_company].pars", "a starting price is expected"),
    (lambda d: _hex(d, "C8").update(label="Q"), f"{MAP} [[hex]] C8.label", "there is no tile with the label 'Q'"),
]


@pytest.mark.parametrize(("change", "where", "reason"), FAULTS, ids=[f"{where} {why}" for _, where, why in FAULTS])
def test_a_fault_names_file_table_and_key(change: Callable[[dict[str, Any]], Any], where: str, reason: str) -> None:
    message = load(change)
    assert message.startswith(f"{where}: ")
    assert reason in message


RUHR = "titles/ruhr/game.toml"

RUHR_FAULTS: list[tuple[Callable[[dict[str, Any]], Any], str, str]] = [
    (lambda d: d["pars"]["montan_passive"]["grey"].append(80), "[pars].montan_passive.grey", "each once"),
    (lambda d: d["pars"].update(most=101), "[pars].most", "101 is no stock value"),
    (lambda d: d["pars"]["montan_passive"].pop("brown"), "[pars].montan_passive.brown", "starting values are expected"),
    (
        lambda d: d["pars"]["montan_passive"]["grey"].append(1),
        "[pars].montan_passive.grey",
        "stock values are expected",
    ),
    (lambda d: d["links"]["developed_with"].clear(), "[links].developed_with", "a stage is expected"),
    (lambda d: d["mine"][0]["start_markers"].update(A=9), "[[mine]] no. 1.start_markers.A", "there are fewer boxes"),
    (lambda d: d["mine"][0].update(hex="A1"), "[[mine]] no. 1.hex", "'A1'"),
    (lambda d: d["mine"][0].update(company="BME"), "[[mine]] no. 1.company", "BME is no small company"),
    (lambda d: d["aside"].update(start="D5"), "[aside].start", "D5 has no stop"),
    (lambda d: d["aside"].update(pars=[70, 71]), "[aside].pars", "71 is no stock value"),
    (lambda d: d["aside"].update(certificates=99), "[aside].certificates", "has fewer"),
    (lambda d: d["package"]["privates"].pop("4"), "[package].privates.4", "each number of players"),
    (
        lambda d: d["package"]["certificates"].update({"4": 2}),
        "[package].certificates.4",
        "are expected as in privates",
    ),
    (lambda d: d["scenario"][1]["active"].pop(), "[[scenario]] metropolis.active", "of each industry"),
]


@pytest.mark.parametrize(
    ("change", "where", "reason"), RUHR_FAULTS, ids=[f"{where} {why}" for _, where, why in RUHR_FAULTS]
)
def test_a_fault_of_18ruhr_names_file_table_and_key(
    change: Callable[[dict[str, Any]], Any], where: str, reason: str
) -> None:
    sheets = loading.sheets("titles.ruhr", *FILES)
    change(sheets[RUHR])
    with pytest.raises(BadData) as caught:
        loading.load(sheets, ruhr.Tables)
    assert str(caught.value).startswith(f"{RUHR} {where}: ")
    assert reason in str(caught.value)


def test_a_table_that_nobody_reads_is_a_fault() -> None:
    sheets = loading.sheets("titles.rhl", *editions.FILES)
    sheets[GAME]["rheingld"] = sheets[GAME]["rheingold"]
    with pytest.raises(BadData, match=r"^titles/rhl/game.toml \[rheingld\]: there is no such table$"):
        loading.load(sheets, rhl.Tables)


def test_a_table_in_two_files_is_a_fault() -> None:
    sheets = loading.sheets("titles.rhl", *editions.FILES)
    sheets[MAP]["rheingold"] = sheets[GAME]["rheingold"]
    with pytest.raises(BadData, match=r"map.toml \[rheingold\]: this table stands in titles/rhl/game.toml as well"):
        loading.load(sheets, rhl.Tables)


def test_a_fault_of_the_earlier_edition_names_its_own_file() -> None:
    found = loading.load(loading.sheets("titles.rhl", *editions.FILES), rhl.Tables)
    sheets = loading.sheets("titles.rhl", "earlier.toml")
    sheets["titles/rhl/earlier.toml"]["hex"][1]["color"] = "pink"
    with pytest.raises(BadData, match=r"^titles/rhl/earlier.toml \[\[hex\]\] B7.color: .* expected, not 'pink'$"):
        editions.earlier(found, sheets)


def test_a_missing_file_is_a_clear_error() -> None:
    with pytest.raises(BadData, match=r"titles/rhl/nothing\.toml"):
        loading.read("titles.rhl", "nothing.toml")


@pytest.mark.parametrize("title", ["rhl", "bl", "lra", "ruhr"])
def test_every_clause_that_a_refusal_may_cite_is_in_the_ledger(title: str) -> None:
    from titles.ledger import clauses

    cited = loading.read(f"titles.{title}", "game.toml")["clauses"].values()
    assert {clause for clause in cited if clause not in clauses()} == set()


def test_the_data_of_18bl_is_sound_and_says_where_it_is_from() -> None:
    sheets = loading.sheets("titles.bl", *FILES)
    data = {key: table for sheet in sheets.values() for key, table in sheet.items()}
    definition = loading.load(sheets, bl.Tables)
    assert len(definition.map.hexes) == definition.tables.reconstruction.fields.total == 105
    assert sum(spot.buildable for spot in definition.map.hexes.values()) == 97
    assert definition.reconstructed
    entries = [*data["hex"], *data["tile"].values(), *data["private"], *data["corporation"], *data["train"]]
    assert all(entry["source"] for entry in entries)
    assert sum(train.count for train in definition.trains if train.kind == "train") == data["components"]["train_cards"]


def test_a_hex_has_four_stops_at_most_each_with_its_letter() -> None:
    sheets = loading.sheets("titles.rhl", *editions.FILES)
    spot = _hex(sheets[MAP], "C8")
    spot.update(stops=["town 10"] * 4, track=["NE-a", "E-b", "SE-c", "SW-d"], stop_icons={"d": "coal"})
    assert loading.load(sheets, rhl.Tables).map.hexes["C8"].stop_icons == ((3, "coal"),)
    spot["stop_icons"] = {"e": "coal"}
    with pytest.raises(BadData, match=r"C8.stop_icons.e: .*'d'"):
        loading.load(sheets, rhl.Tables)


def test_an_arrow_of_the_market_needs_a_mark_of_the_legend() -> None:
    sheets = loading.sheets("titles.bl", *FILES)
    sheets["titles/bl/game.toml"]["market"]["arrows"]["left"]["z"] = "down"
    with pytest.raises(BadData, match=r"\[market\].arrows.left.z: an arrow's mark"):
        loading.load(sheets, bl.Tables)
