"""Revenue: what a run earns with its bonuses, and who gets it."""

from __future__ import annotations

import pytest

import titles
from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.state import BANK, POOL
from tests.titles.rhl import arrange, lines, trips
from tests.titles.rhl.trips import AACHEN_LINE, BEYOND_VENLO, IRON_RHINE, RHEINGOLD, VENLO, Lay
from titles.rhineland.course import LocationCard
from titles.rhl.running import locations_at


@pytest.fixture
def game() -> Game:
    """CME is afloat under ann; no location token lies on the map."""
    game = arrange.after_package()
    arrange.floated(game, "CME", "ann")
    trips.locations(game)
    return game


@pytest.fixture
def iron(game: Game) -> Game:
    """The line of the Iron Rhine in the brown phase, a station of CME in Essen."""
    arrange.phase(game, "5")
    trips.iron_rhine(game)
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "6")
    return game


@pytest.fixture
def gold(game: Game) -> Game:
    """The line of the Rheingold-Express in the grey phase; CME has its home in Köln."""
    arrange.phase(game, "8")
    trips.rheingold(game)
    trips.runner(game, "CME", "8")
    return game


# ---------------------------------------------------------------------- revenue and dividend


@pytest.mark.rule("RHL-6.2.4-a")
def test_revenue_is_the_sum_of_all_routes(iron: Game) -> None:
    trips.runner(iron, "CME", "2", "3")
    to_the_ruhr, to_the_west = ("D15:b", "D13:a"), ("D13:a", "D11:a", "D9:a")
    happened = iron.apply(trips.run(iron, "CME", ("2", to_the_ruhr), ("3", to_the_west)))
    assert ev.TrainsRun("CME", 190, (("2", 60, to_the_ruhr), ("3", 130, to_the_west))) in happened
    assert trips.values(iron, "dividend") == ["pay", "withhold"]
    before = iron.state.cash["CME"]
    iron.apply(mv.Dividend("ann", "CME", "withhold"))
    assert iron.state.cash["CME"] == before + 190


@pytest.mark.rule("RHL-6.2.4-a")
def test_a_route_earns_its_stops_and_its_towns() -> None:
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann")
    trips.aachen_line(game)
    trips.runner(game, "ADR", "2")
    assert trips.earned(game, "ADR", ("2", AACHEN_LINE)) == 20 + 10 + 20
    assert trips.earned(game, "ADR", ("2", AACHEN_LINE[:2])) == 20 + 10


@pytest.mark.rule("RHL-6.2.4-b", "RHL-6.2.4-c")
def test_a_dividend_of_150_by_the_rulebooks_example(game: Game) -> None:
    """40 % director, two others 10 % each, 30 % on the charter, 10 % in the pool."""
    others = ["bo", "cy", POOL, "CME", "CME", "CME"]
    game.company("CME").certificates[:] = ["ann", "ann", "ann", *others]
    trips.revenue(game, "CME", 150)
    before = dict(game.state.cash)
    happened = game.apply(mv.Dividend("ann", "CME", "pay"))
    gained = {who: game.state.cash[who] - before[who] for who in ("ann", "bo", "cy", "CME", BANK)}
    assert gained == {"ann": 60, "bo": 15, "cy": 15, "CME": 45, BANK: -135}
    assert ev.DividendPaid("CME", 150) in happened


@pytest.mark.rule("RHL-6.2.4-b")
def test_withheld_revenue_goes_to_the_treasury_whole(game: Game) -> None:
    trips.revenue(game, "CME", 150)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "CME", "withhold"))
    assert game.state.cash["CME"] == before["CME"] + 150
    assert game.state.cash["ann"] == before["ann"]
    assert game.state.cash[BANK] == before[BANK] - 150


@pytest.mark.rule("RHL-6.2.4-b")
def test_revenue_is_not_split(game: Game) -> None:
    trips.revenue(game, "CME", 150)
    assert arrange.refused(game, mv.Dividend("ann", "CME", "half")).rule == "RHL-6.2.4-b"


# ---------------------------------------------------------------------- the Iron Rhine


@pytest.mark.rule("RHL-6.2.4.1-a")
def test_the_iron_rhine_pays_80_between_the_eastern_ruhr_and_antwerpen(iron: Game) -> None:
    stops = 20 + 40 + 40 + 50 + 10 + 10 + 20  # Ruhr, Essen, Mülheim, Duisburg, two towns, Roermond
    assert trips.earned(iron, "CME", ("6", IRON_RHINE)) == stops + 80
    assert trips.earned(iron, "CME", ("6", IRON_RHINE[:-1])) == stops, "not without Antwerpen"
    assert trips.earned(iron, "CME", ("6", IRON_RHINE[1:])) == stops - 20, "not without the Eastern Ruhr"


@pytest.mark.rule("RHL-6.2.4.1-a")
def test_the_iron_rhine_may_begin_at_the_other_field_of_the_eastern_ruhr(iron: Game) -> None:
    arrange.lay(iron, "D13", "216", 3)
    assert trips.earned(iron, "CME", ("6", ("C14:a", *IRON_RHINE[1:]))) == 30 + 50 + 130 + 80


@pytest.mark.rule("RHL-6.2.4.1-b")
def test_the_iron_rhine_adds_to_the_industry_bonus(iron: Game) -> None:
    plain = trips.earned(iron, "CME", ("6", IRON_RHINE))
    trips.locations(iron, coal=("D11",))  # the steel mill is the one at the link D13-E
    assert trips.earned(iron, "CME", ("6", IRON_RHINE)) == plain + 40
    assert trips.earned(iron, "CME", ("6", IRON_RHINE[:3])) == 20 + 40 + 40 + 40


# ---------------------------------------------------------------------- industry


@pytest.mark.rule("RHL-6.2.4.2-a")
@pytest.mark.parametrize(("phase", "bonus"), [("2", 20), ("4", 20), ("5", 40), ("8", 40)])
def test_coal_and_steel_on_one_route_pay_by_phase(game: Game, phase: str, bonus: int) -> None:
    trips.lay(game, Lay("D13", "216", 1), Lay("D11", "916", 0), Lay("D9", "929", 0))
    arrange.station(game, "CME", "D13")
    arrange.phase(game, phase)
    trips.runner(game, "CME", "4")
    route = ("D13:a", "D11:a", "D9:a")
    trips.locations(game, coal=("D11",), steel=("D9",))
    assert trips.earned(game, "CME", ("4", route)) == 140 + bonus
    trips.locations(game, coal=("D11", "D9"))
    assert trips.earned(game, "CME", ("4", route)) == 140, "coal alone pays nothing"
    trips.locations(game, steel=("D11", "D9"))
    assert trips.earned(game, "CME", ("4", route)) == 140, "steel alone pays nothing"


@pytest.mark.rule("RHL-6.2.4.2-a")
def test_coal_and_steel_on_two_routes_pay_nothing(iron: Game) -> None:
    trips.locations(iron, coal=("D11",))
    trips.runner(iron, "CME", "2", "2")
    apart = (("2", ("D15:b", "D13:a")), ("2", ("D13:a", "D11:a")))
    assert trips.earned(iron, "CME", *apart) == 60 + 80


@pytest.mark.rule("RHL-6.2.4.2-b")
@pytest.mark.parametrize(("phase", "bonus"), [("3", 40), ("6", 80)])
def test_two_coalmines_and_two_steel_mills_pay_twice(game: Game, phase: str, bonus: int) -> None:
    arrange.phase(game, phase)
    trips.iron_rhine(game)
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "4")
    route = IRON_RHINE[:4]
    trips.locations(game)
    plain = trips.earned(game, "CME", ("4", route))
    trips.locations(game, coal=("D11", "D9"))
    assert trips.earned(game, "CME", ("4", route)) == plain + bonus // 2, "two of one, one of the other"
    trips.locations(game, coal=("D11", "D9"), steel=("D13",))
    assert trips.earned(game, "CME", ("4", route)) == plain + bonus


@pytest.mark.rule("RHL-6.2.4.2-b")
def test_three_of_each_pay_no_third_bonus(iron: Game) -> None:
    plain = trips.earned(iron, "CME", ("6", IRON_RHINE))
    trips.locations(iron, coal=("D13", "D11", "D9"), steel=("D11", "D9"))
    assert trips.earned(iron, "CME", ("6", IRON_RHINE)) == plain + 80


@pytest.mark.rule("RHL-6.2.4.2-b")
def test_one_coalmine_visited_in_both_cities_of_its_hex_is_one_coalmine(game: Game) -> None:
    """Eastern Ruhr (steel) – Essen (steel) – Mülheim – town – Oberhausen: one token for both cities."""
    arrange.phase(game, "5")
    trips.lay(game, Lay("D13", "934", 1), Lay("D11", "917", 0), Lay("E12", "2", 3), Lay("E10", "7", 0))
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "6")
    route = ("D15:b", "D13:a", "D11:a", "E12:b", "E10", "D11:b")
    assert trips.earned(game, "CME", ("6", route)) == 20 + 40 + 40 + 10 + 40
    trips.locations(game, coal=("D11",), steel=("D13",))
    assert trips.earned(game, "CME", ("6", route)) == 150 + 40


@pytest.mark.rule("RHL-6.2.4.2-c")
def test_the_order_cards_tokens_are_locations() -> None:
    """Card 4: a coalmine at Duisburg, a steel mill at Essen."""
    game = next(
        game
        for game in (titles.new_game("rhl", arrange.SEATS[:3], {}, seed) for seed in range(200))
        if LocationCard.of(game).location_card == 4
    )
    director = game.state.seats[0]
    arrange.floated(game, "CME", director)
    trips.lay(game, Lay("D13", "216", 1), Lay("D11", "916", 0), Lay("D9", "929", 0))
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "3")
    route = ("D13:a", "D11:a", "D9:a")
    assert trips.earned(game, "CME", ("3", route)) == 140 + 20
    trips.locations(game)
    assert trips.earned(game, "CME", ("3", route)) == 140


@pytest.mark.rule("RHL-6.2.4.2-c")
def test_the_printed_steel_mill_of_siegerland_is_a_location(game: Game) -> None:
    trips.lay(game, Lay("J13", "9", 1))
    trips.lay(game, Lay("J11", "8", 5), Lay("I10", "932", 0))
    trips.runner(game, "CME", "2")
    route = ("I10:a", "J11", "J13", "J15:a")
    assert trips.earned(game, "CME", ("2", route)) == 60 + 20
    trips.locations(game, coal=("I10",))
    assert trips.earned(game, "CME", ("2", route)) == 60 + 20 + 20


@pytest.mark.rule("RHL-6.2.4.2-d")
def test_moers_coalmine_counts_with_the_brown_tile() -> None:
    game = arrange.after_package()
    arrange.floated(game, "MKB", "ann")
    arrange.phase(game, "5")
    trips.lay(game, Lay("E6", "202", 0))
    trips.locations(game, steel=("E6",))
    trips.runner(game, "MKB", "2")
    route = ("D7:a", "E6:a")
    assert arrange.refused(game, trips.run(game, "MKB", ("2", route))).rule == "RHL-6.1.2-d"
    assert not locations_at(game, "D7", 0), "MKB stands there, and has no coalmine yet"
    arrange.lay(game, "D7", "947", 0)
    assert locations_at(game, "D7", 0) == {"coal"}
    assert trips.earned(game, "MKB", ("2", route)) == 30 + 30 + 40
    trips.locations(game)
    assert trips.earned(game, "MKB", ("2", route)) == 30 + 30


# ---------------------------------------------------------------------- the Eastern Ruhr


@pytest.mark.rule("RHL-6.2.4.3-a")
def test_the_eastern_ruhr_rises_by_10_with_each_link(game: Game) -> None:
    arrange.phase(game, "5")
    arrange.lay(game, "D13", "934", 1)
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "2")
    essen = 40
    by_the_east = ("D15:b", "D13:a")
    assert trips.earned(game, "CME", ("2", by_the_east)) == essen + 20
    arrange.lay(game, "C12", "937", 1)
    assert trips.earned(game, "CME", ("2", by_the_east)) == essen + 30
    arrange.lay(game, "E14", "9", 0)
    assert trips.earned(game, "CME", ("2", by_the_east)) == essen + 40
    arrange.lay(game, "D13", "216", 3)
    essen = 50
    assert trips.earned(game, "CME", ("2", by_the_east)) == essen + 50
    assert trips.earned(game, "CME", ("2", ("C14:a", "D13:a"))) == essen + 50, "by another link the same"


@pytest.mark.rule("RHL-6.2.4.3-b")
def test_two_trains_visit_the_eastern_ruhr_by_different_links(game: Game) -> None:
    arrange.lay(game, "D13", "216", 0)
    arrange.station(game, "CME", "D13")
    trips.runner(game, "CME", "2", "2")
    north, east = ("C14:a", "D13:a"), ("D15:b", "D13:a")
    assert trips.earned(game, "CME", ("2", north), ("2", east)) == 2 * (50 + 30)
    assert arrange.refused(game, trips.run(game, "CME", ("2", east), ("2", east))).rule == "RHL-6.2.3-g"


# ---------------------------------------------------------------------- the Rheingold-Express


@pytest.mark.rule("RHL-6.2.4.4-a")
def test_the_rheingold_starts_at_nijmegen_or_arnhem(gold: Game) -> None:
    assert trips.earned(gold, "CME", ("8", RHEINGOLD[:10])) > 0
    assert arrange.refused(gold, trips.run(gold, "CME", ("8", RHEINGOLD[2:]))).rule == "RHL-6.2.4.4-a"
    from_düsseldorf = trips.run(gold, "CME", ("8", RHEINGOLD[6:10]))
    assert arrange.refused(gold, from_düsseldorf).rule == "RHL-6.2.4.4-a"
    trips.venlo(gold)
    arrange.station(gold, "CME", "E2")
    assert trips.earned(gold, "CME", ("8", VENLO)) == 60 + 40, "from Nijmegen"


@pytest.mark.rule("RHL-6.2.4.4-a", "RHL-6.2.4.4-e")
def test_the_rheingold_may_be_told_from_its_other_end(gold: Game) -> None:
    for path in (RHEINGOLD, RHEINGOLD[:10]):
        back = tuple(reversed(path))
        assert trips.earned(gold, "CME", ("8", back)) == trips.earned(gold, "CME", ("8", path))


@pytest.mark.rule("RHL-6.2.4.4-a")
def test_a_rheingold_without_such_a_route_stays_idle(gold: Game) -> None:
    gold.state.board.tiles.pop("B9")
    gold.state.board.stations["B9"] = [[""]]
    arrange.take_offer(gold)
    arrange.operating(gold, "CME", "station")
    before = gold.prices.value("CME")
    gold.apply(mv.Pass("ann"))
    assert gold.state.companies["CME"].last_revenue == 0
    assert gold.prices.value("CME") < before


@pytest.mark.rule("RHL-6.2.4.4-a", "RHL-6.2.3-a")
def test_an_idle_rheingold_does_not_keep_the_other_trains_from_running(gold: Game) -> None:
    gold.state.board.tiles.pop("B9")
    gold.state.board.stations["B9"] = [[""]]
    trips.runner(gold, "CME", "8", "6")
    arrange.operating(gold, "CME", "station")
    gold.apply(mv.Pass("ann"))
    assert arrange.names(gold) == {"run"}
    assert trips.earned(gold, "CME", ("6", ("D9:a", "E10", "F9:a", "G10:a", "H11", "I10:a"))) == 50 + 50 + 10 + 60


@pytest.mark.rule("RHL-6.2.4.4-b")
def test_the_rheingold_may_end_at_venlo_but_not_run_through(gold: Game) -> None:
    trips.venlo(gold)
    arrange.station(gold, "CME", "E2")
    trips.runner(gold, "CME", "8")
    assert trips.earned(gold, "CME", ("8", VENLO)) == 60 + 40
    assert arrange.refused(gold, trips.run(gold, "CME", ("8", BEYOND_VENLO))).rule == "RHL-6.2.4.4-b"
    trips.runner(gold, "CME", "6")
    assert trips.earned(gold, "CME", ("6", BEYOND_VENLO)) == 60 + 10 + 40 + 20, "other trains may"


@pytest.mark.rule("RHL-6.2.4.4-c")
def test_towns_neither_pay_nor_count_nor_end_a_rheingold(gold: Game) -> None:
    to_köln = RHEINGOLD[:10]
    assert trips.earned(gold, "CME", ("8", to_köln)) == 60 + 20 + 50 + 50 + 60
    assert arrange.refused(gold, trips.run(gold, "CME", ("8", RHEINGOLD[:12]))).rule == "RHL-6.2.4.4-c"
    trips.runner(gold, "CME", "6")
    assert trips.earned(gold, "CME", ("6", to_köln)) == 60 + 20 + 10 + 50 + 50 + 10 + 60
    assert trips.earned(gold, "CME", ("6", RHEINGOLD[:12])) == 60 + 20 + 10 + 50 + 50 + 10 + 60 + 10


@pytest.mark.rule("RHL-6.2.4.4-d")
def test_the_rheingold_earns_no_industry_bonus(gold: Game) -> None:
    trips.locations(gold, coal=("D9",), steel=("F9",))
    assert trips.earned(gold, "CME", ("8", RHEINGOLD[:10])) == 240
    trips.runner(gold, "CME", "6")
    assert trips.earned(gold, "CME", ("6", RHEINGOLD[:10])) == 260 + 40, "other trains do"


@pytest.mark.rule("RHL-6.2.4.4-e")
def test_metropolises_count_double_from_the_netherlands_to_the_south(gold: Game) -> None:
    stops = 60 + 20 + 50 + 50 + 60 + 60
    assert trips.earned(gold, "CME", ("8", RHEINGOLD)) == stops + 50 + 50 + 60
    to_basel = (*RHEINGOLD[:10], "J9", "K10:a", "L11:a")
    assert trips.earned(gold, "CME", ("8", to_basel)) == 60 + 20 + 50 + 50 + 60 + 20 + 70 + 160
    assert trips.earned(gold, "CME", ("8", to_basel[:-1])) == 60 + 20 + 50 + 50 + 60 + 20, "not short of it"


@pytest.mark.rule("RHL-6.2.4.4-e")
def test_the_suggested_rheingold_route_counts_the_doubling(gold: Game) -> None:
    choice = gold.offer().find("run")
    assert choice is not None
    domain = choice.ask({})
    assert domain is not None
    assert domain.options[0].facts["revenue"] == 490  # type: ignore[union-attr]


@pytest.mark.rule("RHL-6.2.4.4-e", "RHL-6.2.3.1-c")
def test_over_a_ferry_the_lower_value_is_doubled(game: Game) -> None:
    """Ruling 39: green Düsseldorf is worth 30 over its ferry, doubled 60; along its right bank 40, doubled 80."""
    arrange.phase(game, "8")
    trips.rheingold(game, "921")
    lines.build(game, "G8", "8", "NE-SE")
    lines.build(game, "H9", "4", "NW-SE")
    trips.runner(game, "CME", "8")
    others = 60 + 20 + 60 + 2 * (50 + 60)
    along = (*RHEINGOLD[:6], "F9:b", *RHEINGOLD[7:])
    across = (*RHEINGOLD[:6], "F9:b", "F9:a", "G8", "H9:a", *RHEINGOLD[9:])
    assert trips.earned(game, "CME", ("8", along)) == others + 2 * 40
    assert trips.earned(game, "CME", ("8", across)) == others + 2 * 30
    # with two foreign stations on the right bank the train has to cross, and the suggestion counts the same
    for company in ("DEE", "BME"):
        arrange.floated(game, company, "bo")
    arrange.station(game, "BME", "F9", 1)
    trips.runner(game, "CME", "8")
    assert arrange.refused(game, trips.run(game, "CME", ("8", along))).rule == "RHL-6.2.3.1-d"
    choice = game.offer().find("run")
    assert choice is not None
    to_basel = others - 60 + 20 + 70 + 2 * 30
    assert choice.ask({}).options[0].facts["revenue"] == to_basel  # type: ignore[union-attr]


@pytest.mark.rule("RHL-6.2.4.4-f")
def test_other_trains_get_no_doubling(gold: Game) -> None:
    trips.runner(gold, "CME", "6")
    towns = 3 * 10
    assert trips.earned(gold, "CME", ("6", RHEINGOLD)) == 60 + 20 + 50 + 50 + 60 + 60 + towns
