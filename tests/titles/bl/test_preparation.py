"""Components and preparation (ledger sections 1 and 2)."""

from __future__ import annotations

from collections import Counter

import pytest

import titles
from engine import moves as mv
from engine.errors import Refused
from engine.finance import shares
from engine.remembered import SeatCards
from engine.state import BANK, OFFERING
from engine.steps.trains import on_sale
from tests.titles.bl import arrange as a
from titles.bl.access import AccessTokens


@pytest.mark.rule("BL-1-a")
def test_the_supply_of_tiles_by_colour() -> None:
    game = a.new()
    counts: Counter[str] = Counter()
    for tile in game.definition.tiles.values():
        counts[tile.colour] += game.state.board.supply[tile.id]
    assert counts == {"yellow": 58, "green": 48, "brown": 37, "grey": 3, "orange": 1}


@pytest.mark.rule("BL-1-b", "BL-1-c", "BL-1-d", "BL-2.3-f")
def test_vehicle_cards_and_trailers() -> None:
    game = a.new()
    depot = game.state.depot
    trains = {t.name: depot.left[t.name] for t in game.definition.trains}
    assert {name: trains[name] for name in ("2", "3", "4", "5", "6", "3+3")} == {
        "2": 7,
        "3": 4,
        "4": 3,
        "5": 3,
        "6": 2,
        "3+3": 4,
    }
    assert {name: trains[name] for name in ("SB3", "SB4", "SB5", "SB6")} == {"SB3": 3, "SB4": 2, "SB5": 2, "SB6": 2}
    assert depot.left["BW-A"] + depot.aside.count("BW-A") == 3
    assert depot.aside == ["BW-A"]
    assert depot.left["BW-A"] == 2
    assert depot.left["BW-B"] == 4


@pytest.mark.rule("BL-1-e")
def test_each_corporation_has_a_director_certificate_and_eight_others() -> None:
    game = a.new()
    shares_of = [corporation.shares for corporation in game.definition.corporations.values()]
    assert shares_of == [(20, 10, 10, 10, 10, 10, 10, 10, 10)] * 8
    assert sum(len(company.certificates) for company in game.state.companies.values()) == 72


@pytest.mark.rule("BL-1-f", "BL-6.1-e")
def test_homes_and_station_tokens() -> None:
    corporations = a.new().definition.corporations
    hexes = a.new().definition.map.hexes
    assert {name: len(c.tokens) for name, c in corporations.items()} == {
        "BME": 3,
        "CME": 3,
        "DEE": 2,
        "MEG": 3,
        "OV": 3,
        "RhE": 3,
        "RSE": 3,
        "WEG": 2,
    }
    assert sum(len(c.tokens) for c in corporations.values()) == 22
    assert {name: hexes[c.homes[0].at].name for name, c in corporations.items()} == {
        "BME": "Elberfeld / Barmen",
        "CME": "Köln",
        "DEE": "Elberfeld / Barmen",
        "MEG": "Lüdenscheid",
        "OV": "Gummersbach",
        "RhE": "Düsseldorf",
        "RSE": "Köln",
        "WEG": "Hagen",
    }
    assert (corporations["DEE"].homes[0].stop, corporations["BME"].homes[0].stop) == (0, 1)


@pytest.mark.rule("BL-1-g")
@pytest.mark.parametrize("players", range(2, 7))
def test_bank_and_players_have_ten_thousand(players: int) -> None:
    assert sum(a.new(players).state.cash.values()) == 10_000


@pytest.mark.rule("BL-2.1-a")
def test_cards_fix_the_seats_and_the_lowest_begins() -> None:
    orders = set()
    for seed in range(12):
        game = titles.new_game("bl", ["ann", "bo", "cy"], {}, seed)
        cards = SeatCards.of(game).player_cards
        assert len(set(cards.values())) == 3
        assert set(cards.values()) <= set(range(1, 7))
        assert game.state.seats == sorted(cards, key=cards.__getitem__)
        assert game.state.priority == game.state.seats[0] == a.asked(game)
        orders.add(tuple(game.state.seats))
    assert len(orders) > 2


@pytest.mark.rule("BL-2.2-a")
def test_starting_capital_by_number_of_players() -> None:
    for players, amount in ((2, 1000), (3, 700), (4, 525), (5, 425), (6, 370)):
        game = a.new(players)
        assert [game.state.cash[player] for player in game.state.seats] == [amount] * players
    for players in (1, 7):
        with pytest.raises(Refused) as caught:
            titles.new_game("bl", [f"p{n}" for n in range(players)], {}, 1)
        assert caught.value.rule == "BL-2.2-a"


@pytest.mark.rule("BL-2.3-b")
def test_the_fourth_certificate_floats() -> None:
    game = a.second_stock_round()
    a.founded(game, "RhE", "ann")
    a.own(game, "RhE", "ann", 30)
    assert game.company("RhE").certificates[0] == "ann"
    game.apply(mv.BuyShare("ann", "RhE", OFFERING, 10))
    assert not game.company("RhE").floated
    game.apply(mv.BuyShare("bo", "RhE", OFFERING, 10))
    assert game.company("RhE").floated


@pytest.mark.rule("BL-2.3-c", "BL-8.8.2-d")
def test_at_first_only_2_trains_are_available() -> None:
    game = a.after_package()
    a.floated(game, "RhE")
    a.operating(game, "RhE", "trains")
    assert on_sale(game) == ["2"]
    with_bus = game.copy()
    with_bus.company("RhE").trains.append("SB3")  # so that a trailer has something to run behind
    a.take_offer(with_bus)
    for kind, price in (("3", 200), ("SB3", 160), ("BW-A", 60)):
        assert a.refused(with_bus, mv.BuyTrain("ann", "RhE", kind, BANK, price)).rule == "BL-8.8.2-a"
    a.boxes(game, t2=1, t3=4, SB3=3)
    game.apply(mv.BuyTrain("ann", "RhE", "2", BANK, 100))
    assert on_sale(game) == ["3", "SB3"]


@pytest.mark.rule("BL-2.3-d", "BL-8.8.2-f", "BL-9-c")
def test_trailers_become_available_with_the_green_and_the_brown_phase() -> None:
    game = a.after_package()
    a.floated(game, "RhE", treasury=3000)
    depot = game.state.depot
    depot.gone += ["2"] * 7
    depot.left["2"], depot.sold["2"] = 0, 7
    a.operating(game, "RhE", "trains")
    assert on_sale(game) == ["3", "SB3"]
    game.apply(mv.BuyTrain("ann", "RhE", "SB3", BANK, 160))
    assert on_sale(game) == ["3", "SB3", "BW-A"]
    depot.gone += ["3"] * 4 + ["4"] * 3
    depot.left.update({"3": 0, "4": 0})
    depot.sold.update({"3": 4, "4": 3})
    a.take_offer(game)
    assert on_sale(game) == ["5", "SB3", "SB4", "SB5", "BW-A"]
    game.apply(mv.BuyTrain("ann", "RhE", "SB5", BANK, 340))
    assert on_sale(game) == ["5", "SB3", "SB4", "SB5", "BW-B"]


@pytest.mark.rule("BL-2.3-e")
def test_the_access_tokens_start_on_private_4() -> None:
    assert AccessTokens.of(a.new()) == AccessTokens(3, 0, 0, [])


@pytest.mark.rule("BL-2.3-g")
def test_a_treasury_is_kept_apart_from_the_directors_cash() -> None:
    game = a.after_package()
    a.floated(game, "RhE", treasury=500)
    a.operating(game, "RhE", "trains")
    before = game.state.cash["ann"]
    game.apply(mv.BuyTrain("ann", "RhE", "2", BANK, 100))
    assert (game.state.cash["RhE"], game.state.cash["ann"]) == (400, before)
    assert game.company("RhE").trains == ["2"]
    assert shares.held(game, "RhE", "ann") == 50


@pytest.mark.rule("BL-2.3-a", "BL-8.3.1-m")
def test_the_bars_of_vohwinkel_are_impassable_from_either_side() -> None:
    game = a.after_package()
    layout = game.definition.map.layout
    fits = game.rules.tiling.fits
    for at, side in (("G5", "SE"), ("G5", "S"), ("H6", "NW"), ("I5", "N")):
        edge = layout.edge(side)
        assert game.definition.map.neighbours[at][edge] is None
        assert fits(at, None)
        assert not any(fit.exits >> edge & 1 for fit in fits(at, None))
