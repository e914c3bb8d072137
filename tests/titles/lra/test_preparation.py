"""18LRA before the first move: components, scenarios, money, blank tokens."""

from __future__ import annotations

import pytest

import titles
from engine.errors import Refused
from engine.finance import shares
from engine.state import ASIDE, BANK, BLANK, OFFERING, POOL
from tests.titles.lra.arrange import (
    RHINE_LINE,
    after_package,
    arrange,
    board,
    build,
    cash,
    earns,
    new,
    operating,
    places,
    ready,
    refused,
    rhine_line,
    station,
    token,
)
from titles.lra.dalheim import PLANNED, CampToken
from titles.lra.data import DRAWN
from titles.rhineland.course import LocationCard, OrderCards
from titles.rhineland.link import LinkMoney

SCENARIOS = {
    "1": {"RhE", "ADR", "CCE", "GVE", "CME", "KEG"},
    "2": {"BME", "ADR", "CCE", "GVE", "MKB", "KEG"},
    "3": {"BME", "ADR", "RhE", "CCE", "MKB", "CME"},
    "4": {"BME", "ADR", "RhE", "GVE", "MKB", "KEG"},
}
COVERED = {
    "1": {("G15", 0), ("C11", 0)},
    "2": {("K11", 0), ("K15", 0)},
    "3": {("G7", 0), ("F10", 0)},
    "4": {("A5", 0), ("K15", 0)},
}


@pytest.mark.rule("LRA-1.2-a")
def test_the_base_game_is_for_three_and_four() -> None:
    assert [len(new(players).state.seats) for players in (3, 4)] == [3, 4]
    for players in (1, 2, 5):
        with pytest.raises(Refused) as found:
            titles.new_game("lra", arrange.SEATS[:players], {}, 1)
        assert found.value.rule == "LRA-1.2-a"


@pytest.mark.rule("LRA-2.6-a")
def test_every_company_but_one_has_a_harbour_token_as_its_last() -> None:
    game = new()
    table = game.definition.tables.harbour
    found = {
        name: (len(corporation.tokens) - (name in table.reduced), int(name in table.reduced))
        for name, corporation in game.definition.corporations.items()
    }
    assert found == {
        "ADR": (3, 1), "BME": (3, 1), "CCE": (2, 1), "CME": (3, 1), "GVE": (3, 0), "KEG": (2, 1), "MKB": (2, 1),
        "RhE": (3, 1),
    }  # fmt: skip
    assert game.company("ADR").tokens_left == [60, 80, 100]
    assert game.company("KEG").tokens_left == [60, 80]
    assert game.company("GVE").tokens_left == [60, 80]


@pytest.mark.rule("LRA-3.1-a")
def test_keg_is_used_and_dee_is_not() -> None:
    assert set(new().state.companies) == {"ADR", "BME", "CCE", "CME", "GVE", "KEG", "MKB", "RhE"}


@pytest.mark.rule("LRA-3.3-a")
def test_dalheim_is_under_construction() -> None:
    game = board("BME", director="ann", phase="3")
    assert not CampToken.of(game).owner
    assert game.state.board.markers["I3"] == [PLANNED]
    rhine_line(game)  # as if it had always been there
    ready(game, "BME", "5")
    assert earns(game, "BME", ("5", RHINE_LINE)) == 30 + 30 + 30 + 30 + 10


@pytest.mark.rule("LRA-3.3-b", "LRA-4.1.2-k")
def test_a_certificate_of_adr_waits_for_the_buyer_of_no_5() -> None:
    game = new()
    assert game.company("ADR").certificates[1] == ASIDE
    assert shares.held(game, "ADR", OFFERING) == 90
    assert sorted(shares.percent_of(game, "ADR", n) for n in shares.numbers(game, "ADR", OFFERING)) == [10] * 7 + [20]
    game = after_package(buyers={"RM": "cy"})
    assert shares.held(game, "ADR", "cy") == 10
    assert game.company("ADR").certificates[1] == "cy"


@pytest.mark.rule("LRA-3.3-c")
def test_no_location_is_drawn() -> None:
    games = [titles.new_game("lra", ["ann", "bo", "cy"], {"scenario": "1"}, seed) for seed in range(20)]
    for game in games:
        assert LocationCard.seen(game) is None
        assert not {"coal", "steel"} & {sign for signs in game.state.board.markers.values() for sign in signs}
    cards = OrderCards.of(games[0]).order_cards
    assert len(set(cards.values())) == 3
    assert games[0].state.seats == sorted(cards, key=lambda player: cards[player])


@pytest.mark.rule("LRA-3.3-d")
@pytest.mark.parametrize("number", SCENARIOS)
def test_with_three_players_six_companies_are_used(number: str) -> None:
    game = new(3, scenario=number)
    assert set(game.state.companies) == SCENARIOS[number]
    assert set(game.definition.corporations) == SCENARIOS[number]
    assert game.rules.setup.options["scenario"] == number


@pytest.mark.rule("LRA-3.3-d")
def test_a_scenario_can_be_drawn_and_four_players_have_none() -> None:
    found = {
        titles.new_game("lra", ["ann", "bo", "cy"], {}, seed).rules.setup.options["scenario"] for seed in range(40)
    }
    assert found == set(SCENARIOS)
    again = [titles.new_game("lra", ["ann", "bo", "cy"], {}, 7).rules.setup.options["scenario"] for _ in range(2)]
    assert again[0] == again[1]
    game = new(4, scenario="2")
    assert len(game.state.companies) == 8
    assert game.rules.setup.options["scenario"] == DRAWN
    assert not [
        token for stops in game.state.board.stations.values() for spaces in stops for token in spaces if token == BLANK
    ]


@pytest.mark.rule("LRA-3.3-e")
@pytest.mark.parametrize("number", COVERED)
def test_blank_tokens_cover_the_homes_that_are_not_used(number: str) -> None:
    game = new(3, scenario=number)
    covered = {
        (at, stop)
        for at, stops in game.state.board.stations.items()
        for stop, spaces in enumerate(stops)
        if BLANK in spaces
    }
    assert covered == COVERED[number]


@pytest.mark.rule("LRA-3.3-e")
def test_a_blank_token_keeps_its_space_and_stops_nobody() -> None:
    game = board("RhE", "CME", players=3, phase="5", scenario="1")
    for at, tile, *ways in (("G15", "L04"), ("E15", "58", "NE-SE"), ("C15", "L05")):
        build(game, at, tile, *ways)
    token(game, "CME", "C15")
    operating(game, "CME", "station")
    assert not {at for at, _ in places(game)} & {"G15"}
    assert refused(game, station(game, "CME", "G15")).rule == "RHL-6.2.2-a"
    build(game, "G15", "L15")
    operating(game, "CME", "station")
    assert ("G15", 0) in places(game)  # the second space of the green tile
    token(game, "RhE", "G15")  # now it is full, but for the blank token
    game.state.depot.left["4"] = 1
    ready(game, "CME", "4")
    assert earns(game, "CME", ("4", "C15:a D16 E15:a F16 G15:a H16:a")) == 30 + 10 + 40 + 40


@pytest.mark.rule("LRA-3.3-e")
def test_a_covered_red_field_is_open_to_all() -> None:
    game = board("BME", players=3, scenario="2")
    build(game, "J14", "9", "NW-SE")
    build(game, "I13", "58", "NE-SE")
    token(game, "BME", "H14")
    ready(game, "BME", "2")
    assert earns(game, "BME", ("2", "H14:a I13:a J14 K15:a")) == 20 + 10 + 30


@pytest.mark.rule("LRA-3.3-f", "LRA-3.3-g")
@pytest.mark.parametrize(("players", "bank", "each"), [(3, 4200, 600), (4, 6200, 450)])
def test_money_by_number_of_players(players: int, bank: int, each: int) -> None:
    game = new(players)
    assert game.state.cash[BANK] == bank
    assert {game.state.cash[player] for player in game.state.seats} == {each}


@pytest.mark.rule("LRA-3.3-h")
def test_no_company_starts_founded() -> None:
    for players in (3, 4):
        game = new(players)
        assert len(game.rules.rounds["package"].lots(game)) == 6  # type: ignore[attr-defined]
        for company in game.state.companies.values():
            assert (company.director, company.price, company.floated) == ("", None, False)
            assert POOL not in company.certificates
        assert game.state.cash.get(ASIDE, 0) == 0
        assert LinkMoney.seen(game) is None


@pytest.mark.rule("LRA-5.2.2-a")
@pytest.mark.parametrize(("players", "limit"), [(3, 14), (4, 15)])
def test_certificate_limit(players: int, limit: int) -> None:
    game = board("RhE", players=players, director="bo", **({"scenario": "1"} if players == 3 else {}))
    for company in ("CCE", "CME", "GVE"):
        arrange.floated(game, company, "bo")
    owned = shares.certificates(game, "cy")
    spare = [(name, n) for name in ("CCE", "CME", "RhE", "GVE") for n in shares.numbers(game, name, name)]
    for name, number in spare[: limit - owned]:
        game.state.companies[name].certificates[number] = "cy"
    assert shares.certificates(game, "cy") == limit
    left = next(name for name, _ in spare[limit - owned :])
    cash(game, "cy", 500)
    arrange.stock(game, "cy")
    move = arrange.mv.BuyShare("cy", left, left, 10)
    assert refused(game, move).rule == "LRA-5.2.2-a"
    name, number = spare[0]
    game.state.companies[name].certificates[number] = name
    arrange.stock(game, "cy")
    game.apply(move)


@pytest.mark.rule("LRA-6.2.6-a")
def test_trains_and_their_prices() -> None:
    found = {train.name: (train.count, train.price) for train in new().definition.trains}
    assert found == {"2": (5, 100), "3": (4, 200), "4": (2, 300), "5": (2, 500), "6": (10, 600), "2+4": (1, 0)}
    game = board("ADR")
    game.state.depot.left["2"] = 0
    operating(game, "ADR", "trains")
    assert refused(game, arrange.mv.BuyTrain("cy", "ADR", "2", BANK, 100)).rule == "RHL-6.2.6-b"
    game = board("ADR", phase="5")
    operating(game, "ADR", "trains")
    assert game.state.depot.left["5"] == 1
    game.apply(arrange.mv.BuyTrain("cy", "ADR", "6", BANK, 600))  # on sale with a 5-train left


@pytest.mark.rule("LRA-8-a")
def test_options() -> None:
    form = titles.find("lra").form("base")
    assert {option.id for option in form.options} == {
        "scenario", "homes", "optional_2_train", "lower_capital", "bankruptcy_end",
    }  # fmt: skip
    assert new(4, optional_2_train=True).state.depot.left["2"] == 6
    assert new(4).state.depot.left["2"] == 5
    assert {new(4, lower_capital=True).state.cash[player] for player in arrange.SEATS[:4]} == {375}
    assert {new(3, lower_capital=True).state.cash[player] for player in arrange.SEATS[:3]} == {500}
    for ends in (False, True):
        game = board("ADR", treasury=0, phase="5", bankruptcy_end=ends)
        arrange.hand(game, "ADR", "cy", 50, "ADR")
        for player in game.state.seats:
            cash(game, player, 0)
        operating(game, "ADR", "trains")
        assert ("take_loan" in arrange.names(game)) is not ends


@pytest.mark.rule("LRA-4.2.3-a")
def test_the_likely_misprint_of_the_homes_is_an_option() -> None:
    homes = {False: ("A5", "K15"), True: ("K15", "A5")}
    for other, (cce, cme) in homes.items():
        game = new(4, **({"homes": "other"} if other else {}))
        assert game.board.spaces(cce, 0) == ["CCE"]
        assert game.board.spaces(cme, 0) == ["CME"]
    game = new(3, homes="other", scenario="4")
    assert game.board.spaces("A5", 0) == game.board.spaces("K15", 0) == [BLANK]
