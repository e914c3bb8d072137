"""Components and preparation (ledger sections 0 to 2)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

import titles
from engine import moves as mv
from engine.errors import Refused
from engine.remembered import SeatCards
from engine.state import BANK, CLOSED, OFFERING, POOL
from tests.titles.ruhr import arrange as a
from titles.ruhr import package, works
from titles.ruhr.locations import value
from titles.ruhr.remembered import Drawn, Locations, RoundCards, Works

SCENARIOS = {
    "hellweg": [1, 3, 5, 6, 7, 9, 10, 15],
    "metropolis": [2, 4, 5, 6, 7, 10, 13, 15],
    "ruhr_valley": [3, 5, 7, 9, 12, 13, 15, 16],
    "emscher_valley": [1, 2, 4, 6, 10, 11, 14, 18],
    "north_and_south": [3, 8, 9, 11, 12, 14, 17, 18],
}


@pytest.mark.rule("RUHR-0-a")
def test_the_supply_of_tiles() -> None:
    counts: Counter[str] = Counter()
    game = a.new()
    for name, left in game.state.board.supply.items():
        counts[game.definition.tiles[name].colour] += left
    assert counts == {"yellow": 96, "green": 62, "brown": 24, "grey": 6}


@pytest.mark.rule("RUHR-0-b")
def test_fifty_cards_and_four_more_by_option() -> None:
    assert sum(a.new().state.depot.left.values()) == 50
    more = a.new(optional_cards=True).state.depot.left
    assert sum(more.values()) == 54
    assert {name: more[name] - left for name, left in a.new().state.depot.left.items() if more[name] > left} == {
        "2+2": 2,
        "3+3": 1,
        "4+4": 1,
    }


@pytest.mark.rule("RUHR-0-c", "RUHR-0-d", "RUHR-0-e", "RUHR-0-f")
def test_markers_engines_and_stations() -> None:
    game = a.new()
    one = {"A": 13, "B": 10, "C": 9, "D": 8, "E": 5, "X": 6}
    assert Works.of(game).supply == {"coal": one, "steel": one}
    assert Works.of(game).engines == {"W1": 4, "W2": 4, "W3": 4, "W4": 4}
    assert works.tables(game).components.connection_markers == 8
    tokens = {name: len(charter.tokens) for name, charter in game.definition.corporations.items() if charter.tokens}
    assert tokens == {"BME": 5, "CME": 5, "DGEE": 2, "KWE": 3, "PWB": 3, "RhE": 5, "EH": 3}
    assert sum(tokens.values()) == 26
    for number in SCENARIOS["hellweg"]:
        a.mine(game, number, "ann")
    a.link(game, *SCENARIOS["hellweg"])
    assert sum(works.linked(game, f"MC{number}") for number in SCENARIOS["hellweg"]) == 8


@pytest.mark.rule("RUHR-0-g", "RUHR-2.2-a", "RUHR-2.2-b")
@pytest.mark.parametrize(("players", "each"), [(3, 650), (4, 530), (5, 410), (6, 360)])
def test_the_money(players: int, each: int) -> None:
    game = a.new(players)
    assert [game.state.cash[player] for player in game.state.seats] == [each] * players
    assert sum(game.state.cash.values()) == 13_000
    # Nothing of it is hidden from anybody.
    assert not game.rules.secret
    assert game.hidden("ann") == {}


@pytest.mark.rule("RUHR-2.2-a")
@pytest.mark.parametrize("players", [2, 7])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(Refused) as refused:
        titles.new_game("ruhr", [f"p{n}" for n in range(players)])
    assert refused.value.rule == "RUHR-2.2-a"


@pytest.mark.rule("RUHR-0-h", "RUHR-1-c", "RUHR-5.1-f", "RUHR-5.1-g", "RUHR-5.5-a")
def test_certificates_and_companies() -> None:
    game = a.new()
    kinds = Counter(charter.kind for charter in game.definition.corporations.values())
    assert kinds == {"railway": 7, "montan": 6, "mine": 18}
    by_kind = {kind: [] for kind in kinds}  # type: ignore[var-annotated]
    for name, charter in game.definition.corporations.items():
        by_kind[charter.kind].append((name, charter.shares, charter.unit))
        assert sum(charter.shares) == 100
    assert all(s == (20, *[10] * 8) and unit == 10 for n, s, unit in by_kind["railway"] if n != "DGEE")
    assert ("DGEE", (20, 20, 20, 10, 10, 10, 10), 10) in by_kind["railway"]
    assert all(s == (20,) * 5 and unit == 20 for _, s, unit in by_kind["montan"])
    assert len(game.definition.privates) == 4
    assert sum(not game.company(f"MC{n}").closed for n in range(1, 19)) == 8


@pytest.mark.rule("RUHR-0-i")
def test_the_other_parts_of_the_box() -> None:
    game = a.new()
    box = works.tables(game).components
    assert (box.montan_round_cards, box.pmc_charters, box.passive_location_markers) == (6, 18, 10)
    assert (box.montan_location_markers, box.stock_markers) == (6, 13)
    assert len(Locations.of(game).locations) == 18
    states = Counter(found.state for found in Locations.of(game).locations.values())
    assert states == {"active": 8, "passive": 10}


@pytest.mark.rule("RUHR-1-b")
def test_montan_companies_lay_no_track_and_run_no_trains() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 300)
    a.operating(game, "MC10", "spend")
    assert not {"lay_tile", "place_station", "run"} & a.names(game)
    assert a.refused(game, mv.LayTile("ann", "MC10", "H11", "9", 0)).rule == "RUHR-7.3-a"
    a.montan(game, "RB", "ann", 5)
    a.operating(game, "RB", "spend")
    assert not {"lay_tile", "place_station", "run", "buy_train"} & a.names(game)
    assert a.refused(game, mv.BuyTrain("ann", "RB", "2+2", BANK, 100)).rule == "RUHR-7.3-a"


@pytest.mark.rule("RUHR-2.1-a", "RUHR-2.1-b")
def test_seats_follow_the_cards_which_are_then_collected() -> None:
    orders = set()
    for seed in range(30):
        game = titles.new_game("ruhr", ["ann", "bo", "cy"], seed=seed)
        drawn = SeatCards.of(game).player_cards
        assert sorted(drawn.values()) == [1, 2, 3]
        assert game.state.seats == sorted(drawn, key=lambda player: drawn[player])
        assert game.state.priority == game.state.seats[0] == a.asked(game)
        assert RoundCards.of(game).cards == []
        orders.add(tuple(game.state.seats))
    assert len(orders) > 3


@pytest.mark.rule("RUHR-2.3-a", "RUHR-2.3-b", "RUHR-2.3-c", "RUHR-2.3-d")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_has_eight_active_companies(scenario: str) -> None:
    game = a.new(4, scenario)
    t = works.tables(game)
    active = [mine for mine in t.mine if not game.company(mine.company).closed]
    assert [mine.number for mine in active] == SCENARIOS[scenario]
    assert Counter(mine.industry for mine in active) == {"coal": 4, "steel": 4}
    passive = [mine for mine in t.mine if Locations.of(game).locations[mine.hex].state == "passive"]
    assert Counter(mine.industry for mine in passive) == {"coal": 5, "steel": 5}
    assert not {mine.company for mine in passive} & Works.of(game).charters.keys()
    assert all(value(game, mine.hex) == 0 for mine in t.mine)


@pytest.mark.rule("RUHR-2.3-e")
def test_a_scenario_is_chosen_or_drawn() -> None:
    drawn = {Drawn.of(titles.new_game("ruhr", ["a", "b", "c"], seed=seed)).scenario for seed in range(60)}
    assert drawn == SCENARIOS.keys()
    chosen = {"scenario": "hellweg"}
    assert {Drawn.of(titles.new_game("ruhr", ["a", "b", "c"], chosen, s)).scenario for s in range(9)} == {"hellweg"}
    with pytest.raises(Refused) as refused:
        titles.new_game("ruhr", ["a", "b", "c"], {"scenario": "essen"})
    assert refused.value.key == "option.value"


@pytest.mark.rule("RUHR-2.3-f")
def test_every_small_company_has_its_place() -> None:
    game = a.new()
    t = works.tables(game)
    places = [(mine.number, mine.industry, mine.hex) for mine in t.mine]
    assert places == [
        (1, "steel", "H5"), (2, "steel", "J7"), (3, "steel", "M12"), (4, "steel", "J13"), (5, "coal", "K12"),
        (6, "steel", "I10"), (7, "coal", "H7"), (8, "steel", "P13"), (9, "steel", "L5"), (10, "coal", "H13"),
        (11, "coal", "G8"), (12, "steel", "M10"), (13, "steel", "J3"), (14, "coal", "C10"), (15, "coal", "L3"),
        (16, "coal", "G16"), (17, "coal", "D15"), (18, "coal", "D3"),
    ]  # fmt: skip
    for mine in t.mine:
        assert game.definition.map.hexes[mine.hex].location_space == (mine.industry,)


@pytest.mark.rule("RUHR-2.4-a", "RUHR-2.4-b", "RUHR-2.4-c", "RUHR-2.4-d")
@pytest.mark.parametrize(
    ("players", "privates", "lots"),
    [
        (3, {"PBME"}, 9),
        (4, {"PBME", "RSF", "SPF", "GPF"}, 12),
        (5, {"PBME", "GPF"}, 10),
        (6, {"PBME", "RSF", "SPF", "GPF"}, 12),
    ],
)
def test_what_the_package_holds(players: int, privates: set[str], lots: int) -> None:
    game = a.new(players)
    found = package.unsold(game)
    assert len(found) == lots
    assert set(found) == privates | {f"MC{number}" for number in SCENARIOS["hellweg"]}
    # With the director's certificate of BME there is one paper more than lots.
    assert works.tables(game).package.certificates[players] == lots + 1
    assert {name for name, owner in game.state.privates.items() if owner != CLOSED} == privates


@pytest.mark.rule("RUHR-2.4-e", "RUHR-2.4-f")
def test_two_columns_by_ascending_price() -> None:
    game = a.new(4)
    # 40 GPF, 50 SPF, 70 RSF, 100 #1, 110 #3, 120 #7 #9, 130 #5, 140 PBME, 150 #10, 160 #6, 170 #15
    assert package.columns(game) == [
        ["GPF", "RSF", "MC3", "MC9", "PBME", "MC6"],
        ["SPF", "MC1", "MC7", "MC5", "MC10", "MC15"],
    ]
    game.apply(mv.BuyLot("ann", "MC3"))
    assert package.columns(game)[0] == ["GPF", "RSF", "MC9", "PBME", "MC6"]
    assert package.columns(game)[1] == ["SPF", "MC1", "MC7", "MC5", "MC10", "MC15"]


@pytest.mark.rule("RUHR-2.4-f")
def test_a_private_company_comes_before_a_small_one_of_its_price() -> None:
    game = a.new(4)
    t = works.tables(game)
    dearer = replace(t, private=tuple(replace(row, price=150) if row.id == "PBME" else row for row in t.private))
    package.lay_out(dearer, game.state, 4, tuple(SCENARIOS["hellweg"]))
    assert package.columns(game) == [
        ["GPF", "RSF", "MC3", "MC9", "PBME", "MC6"],
        ["SPF", "MC1", "MC7", "MC5", "MC10", "MC15"],
    ]


@pytest.mark.rule("RUHR-2.5-a")
def test_the_pool_is_empty_and_directors_come_first() -> None:
    game = a.after_package()
    for company in game.state.companies.values():
        assert POOL not in company.certificates
    assert not game.state.stacks
    assert a.refused(game, mv.BuyShare("ann", "CME", OFFERING, 10)).rule == "RUHR-2.5-a"


@pytest.mark.rule("RUHR-2.5-b")
def test_cards_of_type_2_are_on_sale_and_then_those_of_type_3() -> None:
    game = a.second_stock_round()
    a.floated(game, "CME")
    a.operating(game, "CME", "trains")
    assert a.offered(game, "buy_train", source=BANK) == ["2+2"]
    a.cards_left(game, t3=7, t4=6)
    assert a.offered(game, "buy_train", source=BANK) == ["3+3"]


@pytest.mark.rule("RUHR-2.5-c", "RUHR-5.5-c")
def test_dgee_is_locked_until_kwe_has_operated() -> None:
    game = a.second_stock_round()
    assert "DGEE" not in a.offered(game, "found")
    assert a.refused(game, mv.Found("ann", "DGEE", 70)).rule == "RUHR-5.5-c"
    assert {"CME", "KWE", "PWB", "RhE", "EH"} <= set(a.offered(game, "found"))
    a.floated(game, "KWE", "bo", operated=False)
    assert "DGEE" not in a.offered(game, "found")
    game.company("KWE").operated = True
    a.take_offer(game)
    assert "DGEE" in a.offered(game, "found")


@pytest.mark.rule("RUHR-2.5-d")
def test_treasuries_are_apart() -> None:
    game = a.second_stock_round()
    a.mine(game, 10, "ann", 0)
    a.mine(game, 5, "ann", 500)
    a.floated(game, "CME", "ann")
    a.operating(game, "MC10", "spend")
    assert "develop" not in a.names(game)
    assert a.refused(game, type_develop("MC10")).rule == "RUHR-8-a"


def type_develop(company: str) -> mv.Move:
    from titles.ruhr.spending import Develop

    return Develop("ann", company, "2+2", "A")
