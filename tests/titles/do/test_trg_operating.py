"""The Railway Game: operating rounds, dividends and prices, export beer (ledger sections 4.5 to 4.5.6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine import moves as mv
from engine.game import Game
from engine.moves import BuyOwnShare, Run, SellOwnShares, TrainPath
from engine.remembered import Earned
from engine.state import BANK, POOL
from tests.titles.do import railway as r
from titles.do.board.export import CITY
from titles.do.board.links import LinkLocation
from titles.do.railways.private_breweries import SUPPLY, BreweryCards, TurnBrewery


def run(game: Game, company: str, *routes: tuple[str, str], player: str = "ann") -> Run:
    return Run(player, company, tuple(TrainPath(train, tuple(path.split())) for train, path in routes))


def values(game: Game, company: str, routes: Sequence[tuple[str, str]]) -> list[int]:
    return [game.router(company).trace(train, path.split()).value for train, path in routes]


# ---------------------------------------------------------------------- order and steps


@pytest.mark.rule("DO-4.5-a")
def test_the_order_is_that_of_the_prices_at_the_beginning() -> None:
    game = r.later(1, 2, 3, 4)
    places = {"BME": (3, 5), "CME": (4, 6), "RhE": (2, 5), "KWE": (4, 3), "DGEE": (4, 3)}
    for number, (company, (row, column)) in enumerate(places.items()):
        r.floated(game, company, game.state.seats[number % 4], row, column, treasury=100)
    r.founded(game, "DHB", "bo", 1, 6)
    r.own(game, "DHB", "bo", 40)
    r.stock(game, "ann")
    r.end_stock(game)
    order = game.rules.rounds["operating"].order  # type: ignore[attr-defined]
    assert order(game) == ["RhE", "CME", "BME", "KWE", "DGEE"]
    r.cell(game, "KWE", 1, 10)
    assert order(game) == ["RhE", "CME", "BME", "KWE", "DGEE"]


@pytest.mark.rule("DO-4.5-b", "DO-4.5-e", "DO-4.5-c")
def test_the_steps_of_a_turn_come_in_their_order() -> None:
    game = r.started(1, 2, 3)
    r.floated(game, "BME")
    r.floated(game, "CME", "bo")
    r.trains(game, "BME", "2")
    r.operating(game, "BME", "track")
    assert list(game.steps().order) == ["early", "track", "station", "link", "run", "dividend", "trains"]
    rotation = next(
        rotation
        for rotation in r.offered(game, "lay_tile", hex="H9", tile="1904")
        if game.definition.tiles["1904"].faces[rotation].exits >> game.definition.map.layout.edges.index("SE") & 1
    )
    assert r.refused(game, mv.BuyTrain("ann", "BME", "2", BANK, 80)).rule == "DO-4.5-b"
    game.apply(mv.LayTile("ann", "BME", "H9", "1904", rotation))
    assert game.state.round.step == "link"  # no station can be reached
    assert r.refused(game, mv.LayTile("ann", "BME", "H11", "8", 0)).rule == "DO-4.5-b"
    game.apply(LinkLocation("ann", "BME", "H9"))
    assert game.state.round.step == "run"
    assert r.refused(game, LinkLocation("ann", "BME", "H9")).rule == "DO-4.5-b"
    game.apply(run(game, "BME", ("2", "I10:a H9:a")))
    assert Earned.of(game).revenue == 50
    assert r.refused(game, mv.BuyTrain("ann", "BME", "2", BANK, 80)).rule == "DO-4.5-b"
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert game.state.round.step == "trains"
    assert r.asked(game) == "ann"
    r.passing(game, "ann")
    assert game.state.round.actor == "CME"


@pytest.mark.rule("DO-4.5-d")
def test_a_railway_deals_in_one_of_its_certificates_once_a_turn() -> None:
    game = r.started(1, 2, 3)
    r.floated(game, "BME", row=4, column=3, treasury=100)
    r.own(game, "BME", POOL, 20)
    r.operating(game, "BME", "track")
    assert {"sell_own_shares", "buy_own_share"} <= r.names(game)
    bank = game.state.cash[BANK]
    game.apply(SellOwnShares("ann", "BME", 10))
    assert (game.state.cash["BME"], game.state.cash[BANK]) == (160, bank - 60)
    assert r.price(game, "BME") == (55, 4, 2)  # one left
    assert r.held(game, "BME", POOL) == 30
    assert r.refused(game, SellOwnShares("ann", "BME", 10)).rule == "DO-4.5-d"
    assert r.refused(game, BuyOwnShare("ann", "BME", 10)).rule == "DO-4.5-d"
    r.operating(game, "BME", "trains")
    game.apply(BuyOwnShare("ann", "BME", 10))
    assert (game.state.cash["BME"], r.price(game, "BME"), r.held(game, "BME", "BME")) == (105, (55, 4, 2), 30)
    r.cash(game, "BME", 500)
    assert "buy_own_share" not in r.names(game), "one deal a turn"
    assert r.refused(game, BuyOwnShare("ann", "BME", 10)).rule == "DO-4.5-d"
    r.cash(game, "BME", 50)
    r.operating(game, "BME", "track")
    assert r.refused(game, BuyOwnShare("ann", "BME", 10)).rule == "DO-4.5-d"  # too poor


@pytest.mark.rule("DO-4.5-d")
def test_a_deal_keeps_the_limit_of_the_pool_and_the_edge_of_the_table() -> None:
    game = r.started(1, 2, 3)
    r.floated(game, "DHB", row=4, column=3)
    r.own(game, "DHB", "ann", 20)
    r.own(game, "DHB", POOL, 40)
    r.own(game, "DHB", "bo", 20)
    r.operating(game, "DHB", "track")
    assert r.held(game, "DHB", "DHB") == 20
    assert r.refused(game, SellOwnShares("ann", "DHB", 20)).rule == "DO-4.4.5-b"
    r.own(game, "DHB", "bo", 0)
    r.cell(game, "DHB", 5, 1)
    r.operating(game, "DHB", "track")
    game.apply(SellOwnShares("ann", "DHB", 10))
    assert r.price(game, "DHB") == (20, 6, 1)  # at the left edge down


# ---------------------------------------------------------------------- dividends and prices


def earning(revenue: int, row: int = 4, column: int = 3, **holdings: int) -> Game:
    """BME of ann has earned so much; the rest of its shares lies on the charter."""
    game = r.started(1, 2, 3)
    r.floated(game, "BME", row=row, column=column)
    for holder, percent in holdings.items():
        r.own(game, "BME", holder, percent)
    r.trains(game, "BME", "2")
    r.operating(game, "BME", "dividend")
    Earned.of(game).revenue = revenue
    r.take_offer(game)
    return game


@pytest.mark.rule("DO-4.5.6.2-a", "DO-4.5.6.2-b")
def test_everything_is_paid_out_or_kept() -> None:
    game = earning(155)
    assert r.offered(game, "dividend") == ["pay", "withhold"]
    assert r.refused(game, mv.Dividend("ann", "BME", "half")).rule == "DO-4.5.6.2-a"
    assert r.refused(game, mv.Pass("ann")).rule == "DO-4.5.6.2-a"
    game.apply(mv.Dividend("ann", "BME", "withhold"))
    assert game.state.cash["BME"] == 1155
    game = earning(5)
    game.settle()
    assert game.state.cash["BME"] == 1005  # nothing is left to pay out


@pytest.mark.rule("DO-4.5.6.2-c", "DO-4.5.6.2-x", "DO-4.5.6.2-b")
def test_the_example_of_the_dividend() -> None:
    game = earning(155, ann=40, bo=10, cy=10, pool=30)
    before = dict(game.state.cash)
    game.apply(mv.Dividend("ann", "BME", "pay"))
    gained = {who: game.state.cash[who] - before[who] for who in ("ann", "bo", "cy", "BME", BANK)}
    assert gained == {"ann": 60, "bo": 15, "cy": 15, "BME": 20, BANK: -110}


@pytest.mark.rule("DO-4.5.6.2-c")
def test_shares_of_the_railway_earn_for_its_treasury() -> None:
    game = earning(100, ann=50, pool=30)
    bank = game.state.cash[BANK]
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert (game.state.cash["BME"], game.state.cash["ann"], game.state.cash[BANK]) == (1020, 1050, bank - 70)


@pytest.mark.rule("DO-4.5.6.3-a")
@pytest.mark.parametrize(("at", "to"), [((5, 1), (20, 6, 1)), ((6, 1), (20, 6, 1)), ((6, 3), (40, 6, 2))])
def test_without_a_dividend_the_price_falls(at: tuple[int, int], to: tuple[int, int, int]) -> None:
    game = earning(100, *at)
    game.apply(mv.Dividend("ann", "BME", "withhold"))
    assert r.price(game, "BME") == to
    game = earning(0, *at)
    Earned.of(game).revenue = None
    game.settle()
    assert r.price(game, "BME") == to  # who earns nothing pays nothing


@pytest.mark.rule("DO-4.5.6.3-b")
def test_a_small_dividend_puts_the_token_under_the_others() -> None:
    game = earning(60, 5, 6)
    for company in ("CME", "RhE"):
        r.floated(game, company, "bo", 5, 6)
    assert game.prices.order() == ["BME", "CME", "RhE"]
    r.operating(game, "BME", "dividend")
    Earned.of(game).revenue = 60
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert game.prices.order() == ["CME", "RhE", "BME"]
    assert r.price(game, "BME") == (70, 5, 6)


@pytest.mark.rule("DO-4.5.6.3-c", "DO-4.5.6.3-d")
@pytest.mark.parametrize(
    ("at", "revenue", "to"),
    [
        ((4, 3), 60, (65, 4, 4)),
        ((4, 3), 170, (65, 4, 4)),
        ((4, 3), 180, (70, 4, 5)),
        ((4, 4), 65, (65, 4, 4)),  # 60 are paid
        ((5, 6), 70, (75, 4, 6)),
        ((5, 6), 210, (75, 4, 6)),  # at the right end one up, whatever is paid
        ((5, 5), 200, (70, 5, 6)),  # a double step stops at the end
        ((1, 20), 1200, (380, 1, 20)),
    ],
)
def test_dividends_from_the_price_on_raise_it(at: tuple[int, int], revenue: int, to: tuple[int, int, int]) -> None:
    game = earning(revenue, *at)
    game.apply(mv.Dividend("ann", "BME", "pay"))
    assert r.price(game, "BME") == to


# ---------------------------------------------------------------------- income: the printed examples


def example(*stations: str, other: str = "") -> Game:
    """BME with tokens on these hexes; `other` has one of CME too. Every track of the three examples is laid."""
    game = r.started(1, 2, 3)
    r.phase(game, "4")
    r.floated(game, "BME")
    r.floated(game, "CME", "bo")
    for at in stations:
        r.station(game, "BME", at)
    if other:
        r.station(game, "CME", other)
    r.put(game, "E16", "8", "W", "SE")
    r.put(game, "F17", "1904", "NW", "SE")
    r.put(game, "G18", "1904", "NW", "SE")
    r.put(game, "E10", "1904", "E", "W")
    r.put(game, "E8", "9", "E", "W")
    r.put(game, "E6", "1904", "E", "W")
    r.put(game, "E4", "9", "E", "W")
    r.put(game, "E2", "1905", "E", "SW")
    r.put(game, "F11", "8", "NE", "SE")
    r.link(game, "F15", 20)
    return game


def income(game: Game, *routes: tuple[str, str]) -> tuple[list[int], int]:
    """What each route earns, and what the railway has earned when it has run them."""
    r.operating(game, "BME", "run")
    found = values(game, "BME", routes)
    game.apply(run(game, "BME", *routes))
    return found, Earned.of(game).revenue


@pytest.mark.rule("DO-4.5.6.1-x", "DO-4.5.6.1-a", "DO-4.5.6.1-c")
def test_the_first_example_of_income() -> None:
    game = example("E14", "E12", other="E14")
    r.trains(game, "BME", "3", "3", "3")
    r.link(game, "F17", 25)
    r.link(game, "G18", 20)
    r.link(game, "E6", 10)
    routes = ("3", "F15:a E14:a E12:a"), ("3", "E14:a E16 F17:a G18:a"), ("3", "E6:a E8 E10:a E12:a")
    assert income(game, *routes) == ([150, 105, 100], 355)


@pytest.mark.rule("DO-4.5.6.1-y", "DO-4.5.6.1-a")
def test_the_second_example_of_income() -> None:
    game = example("E14", "E12", other="E14")
    r.trains(game, "BME", "3", "3")
    r.link(game, "E10", 20)
    routes = ("3", "F15:a E14:a E12:a"), ("3", "E10:a E12:a F11 G12:a")
    assert income(game, *routes) == ([150, 120], 270)


@pytest.mark.rule("DO-4.5.6.1-z", "DO-4.5.6.1-c")
def test_the_third_example_of_income() -> None:
    game = example("E12", other="E14")
    r.trains(game, "BME", "3", "4")
    for at, value in (("E10", 10), ("E6", 10), ("E2", 20)):
        r.link(game, at, value)
    routes = ("3", "F15:a E14:a E12:a"), ("4", "E12:a E10:a E8 E6:a E4 E2:a")
    assert income(game, *routes) == ([130, 140], 270)


def building(company: str, phase: str) -> Game:
    """The track step of a railway of ann's."""
    game = r.started(1, 2, 3, 4)
    r.phase(game, phase)
    r.floated(game, company)
    r.operating(game, company, "track")
    return game


@pytest.mark.rule("DO-4.5.2-a")
@pytest.mark.parametrize(
    ("company", "phase", "at", "tile", "key"),
    [
        ("BME", "2", "H9", "8", "tile.code"),  # a mine takes tiles with the pick
        ("BME", "2", "H11", "1905", "tile.code"),  # which go nowhere else
        ("BME", "3", "H7", "1930", "tile.code"),  # nor do green ones with it
        ("DHB", "3", "C8", "1936", "tile.code"),  # the harbour has its own tiles
        ("DHB", "3", "D9", "1906", "tile.code"),
        ("DHB", "3", "D9", "1937", "tile.code"),  # a steel mill's border
    ],
)
def test_what_lies_where_as_in_the_introductory_game(company: str, phase: str, at: str, tile: str, key: str) -> None:
    game = building(company, phase)
    r.link(game, "D9")
    if at == "H7":
        r.put(game, "H9", "1905", "SE", "W")
        r.put(game, "H7", "9", "E", "W")
        r.link(game, "H7")
    for rotation in range(6):
        refusal = r.refused(game, mv.LayTile("ann", company, at, tile, rotation))
        assert (refusal.key, refusal.rule) == (key, "DO-4.5.2-a")


@pytest.mark.rule("DO-4.5.2-a")
def test_links_track_and_supply_as_in_the_introductory_game() -> None:
    game = building("DHB", "3")
    rotation = game.rules.tiling.fits("D9", None)[0].rotation
    mill = mv.LayTile("ann", "DHB", "D9", "1936", rotation)
    assert (r.refused(game, mill).key, r.refused(game, mill).rule) == ("tile.link.steel", "DO-4.5.2-a")
    r.put(game, "D11", "9", "W", "E")
    for turned in range(6):
        refusal = r.refused(game, mv.LayTile("ann", "DHB", "D11", "16", turned))
        assert (refusal.key, refusal.rule) == ("tile.kept", "DO-4.5.2-a")
    r.link(game, "D9")
    game.apply(mill)
    assert game.board.cover("D9") == ("1936", rotation)
    game = building("BME", "3")
    r.put(game, "H9", "1904", "SE", "NW")
    fits = game.rules.tiling.fits("H9", game.board.cover("H9"))
    mine = mv.LayTile("ann", "BME", "H9", "1930", next(fit.rotation for fit in fits if fit.tile == "1930"))
    assert (r.refused(game, mine).key, r.refused(game, mine).rule) == ("tile.link", "DO-4.5.2-a")
    r.link(game, "H9")
    game.state.board.supply["1930"] = 0
    r.take_offer(game)
    assert (r.refused(game, mine).key, r.refused(game, mine).rule) == ("tile.supply", "DO-4.5.2-a")
    game.state.board.supply["1930"] = 1
    r.take_offer(game)
    game.apply(mine)
    assert game.state.board.supply["1904"] == game.definition.tiles["1904"].count, "what was replaced is there again"


@pytest.mark.rule("DO-4.5.5-d", "DO-4.5.5-a")
def test_a_director_may_run_for_less_but_every_train_must_run() -> None:
    game = example("E14", "E12", other="E14")
    r.trains(game, "BME", "3", "3")
    r.operating(game, "BME", "run")
    best = game.best_routes("BME")
    assert best.proved
    short = ("3", "E12:a E10:a"), ("3", "F15:a E14:a")
    assert sum(values(game, "BME", short)) < best.value
    assert r.refused(game, run(game, "BME", short[0])).rule == "DO-4.5.5-a"
    assert r.refused(game, Run("ann", "BME", ())).rule == "DO-4.5.5-a"
    assert r.refused(game, mv.Pass("ann")).rule == "DO-4.5.5-a"
    game.apply(run(game, "BME", *short))
    assert game.company("BME").last_revenue == sum(values(game, "BME", short))


# ---------------------------------------------------------------------- export beer

TO_I20 = "E12:a F13 G14 G16 G18:a H19:a I20:a"
TO_H1 = "E12:a E10:a E8 E6:a F5 G4 H3:a H1:a"
TO_I10 = "E12:a F11 G10 H11 I10:a"


def exporting(*cards: int, trains: tuple[str, ...] = ("5",), cubes: int = 5, company: str = "BME") -> Game:
    """A railway of ann with a token in Dortmund City, from which track leads to I10, to H1 and to I20."""
    game = r.started(*(cards or (1, 2, 3, 4)))
    r.phase(game, "6")
    r.floated(game, company)
    r.station(game, company, "E12")
    r.trains(game, company, *trains)
    r.cubes(game, "ann", cubes)
    for at, tile, sides in (
        ("F13", "9", ("NW", "SE")),
        ("G14", "8", ("NW", "E")),
        ("G16", "9", ("W", "E")),
        ("G18", "1905", ("W", "SE")),
        ("E10", "1904", ("E", "W")),
        ("E8", "9", ("E", "W")),
        ("E6", "1905", ("E", "SW")),
        ("F5", "9", ("NE", "SW")),
        ("G4", "9", ("NE", "SW")),
        ("F11", "9", ("NE", "SW")),
        ("G10", "8", ("NE", "SE")),
        ("H11", "8", ("NW", "SW")),
    ):
        r.put(game, at, tile, *sides)
    r.operating(game, company, "run")
    return game


def beer(game: Game, company: str, vehicle: str, path: str) -> int:
    """What a route earns by the cubes on it."""
    train = vehicle.partition("+")[0]
    one, other = values(game, company, [(vehicle, path), (train, path)])
    return one - other


@pytest.mark.rule("DO-4.5.5.1-x", "DO-4.5.6.1-e", "DO-4.5.5.1-e")
def test_the_example_of_export_beer() -> None:
    game = exporting(1, 2, 3, 4, trains=("5", "8"))
    game.state.privates["P4"], game.state.privates["P1"] = "ann", "di"
    BreweryCards.of(game).turned = ["P4"]
    BreweryCards.of(game).cubes.update({"P1": 0, "P4": 5})
    r.marker(game, 4, "BME")
    r.operating(game, "BME", "run")
    routes = ("5+1", TO_I20), ("8+2", TO_H1)
    assert [beer(game, "BME", *route) for route in routes] == [50, 110]
    plain = sum(values(game, "BME", (("5", TO_I20), ("8", TO_H1))))
    game.apply(run(game, "BME", *routes))
    assert Earned.of(game).revenue == plain + 160
    assert (BreweryCards.of(game).cubes["P4"], BreweryCards.of(game).cubes[SUPPLY]) == (2, 35)


@pytest.mark.rule("DO-4.5.5.1-a", "DO-4.5.5.1-e")
@pytest.mark.parametrize(("train", "most"), [("4", 0), ("5", 1), ("6", 2), ("8", 3)])
def test_what_a_train_carries(train: str, most: int) -> None:
    game = exporting(trains=(train,))
    for cubes in range(1, 5):
        move = run(game, "BME", (f"{train}+{cubes}" if cubes else train, TO_I10))
        if cubes <= most:
            assert game.check(move)
        elif cubes > most:
            assert r.refused(game, move).rule == "DO-4.5.5.1-a"
    game.apply(run(game, "BME", (f"{train}+1" if most else train, TO_I10)))
    assert BreweryCards.of(game).cubes["P1"] == (4 if most else 5)  # fewer than fit is allowed


@pytest.mark.rule("DO-4.5.5.1-a", "DO-4.3.1.2-b")
def test_no_more_cubes_than_there_are() -> None:
    game = exporting(trains=("8",), cubes=2)
    assert r.refused(game, run(game, "BME", ("8+3", TO_I10))).rule == "DO-4.5.5.1-a"
    assert [route.train for route in game.best_routes("BME").routes] == ["8+2"]
    game.apply(run(game, "BME", ("8+2", TO_I10)))
    assert (BreweryCards.of(game).cubes["P1"], BreweryCards.of(game).cubes[SUPPLY]) == (0, 37)


@pytest.mark.rule("DO-4.5.5.1-b", "DO-4.3.1.1-a")
@pytest.mark.parametrize(("train", "most"), [("2", 0), ("3", 1), ("4", 1), ("5", 2), ("8", 4)])
def test_the_fifth_marker_lets_one_train_carry_more(train: str, most: int) -> None:
    game = exporting(1, 2, 3, 5, trains=(train,))
    r.marker(game, 5, "BME")
    r.operating(game, "BME", "run")
    path = "E12:a E10:a" if train == "2" else TO_I10
    assert r.refused(game, run(game, "BME", (f"{train}+{most + 1}", path))).key in ("run.trains", "unknown.train")
    if most:
        game.apply(run(game, "BME", (f"{train}+{most}", path)))
        assert BreweryCards.of(game).cubes["P1"] == 5 - most
    assert BreweryCards.of(game).markers["P5"] == "BME"  # it stays


@pytest.mark.rule("DO-4.5.5.1-b")
def test_only_one_train_carries_more_with_the_fifth_marker() -> None:
    game = exporting(1, 2, 3, 5, trains=("5", "5"))
    r.marker(game, 5, "BME")
    r.operating(game, "BME", "run")
    assert r.refused(game, run(game, "BME", ("5+2", TO_I10), ("5+2", TO_I20))).rule == "DO-4.5.5.1-a"
    game.apply(run(game, "BME", ("5+2", TO_I10), ("5+1", TO_I20)))
    assert BreweryCards.of(game).cubes["P1"] == 2


@pytest.mark.rule("DO-4.5.5.1-c", "DO-2.7-a")
def test_cubes_are_the_directors() -> None:
    game = exporting(trains=("8",), cubes=0)
    r.own(game, "BME", "bo", 40)
    r.cubes(game, "bo", 5)
    r.operating(game, "BME", "run")
    assert r.refused(game, run(game, "BME", ("8+1", TO_I10))).rule == "DO-4.5.5.1-a"
    game.company("BME").director = "bo"
    r.operating(game, "BME", "run")
    game.apply(run(game, "BME", ("8+3", TO_I10), player="bo"))
    assert BreweryCards.of(game).cubes["P2"] == 2


@pytest.mark.rule("DO-4.5.5.1-d")
def test_beer_goes_through_the_city_to_a_red_field() -> None:
    game = exporting()
    assert beer(game, "BME", "5+1", TO_I10) == 50
    without = "G18:a H19:a I20:a"
    r.station(game, "BME", "H19")
    r.operating(game, "BME", "run")
    assert beer(game, "BME", "5+1", without) == 0
    assert beer(game, "BME", "5+1", "E12:a E10:a") == 0
    game.apply(run(game, "BME", ("5+1", without)))
    assert BreweryCards.of(game).cubes["P1"] == 5  # what cannot be brought stays


@pytest.mark.rule("DO-4.5.5.1-d")
def test_the_grey_border_field_takes_no_beer() -> None:
    assert "A18" not in r.started(1, 2, 3).definition.tables.export.bonus
    game = exporting()
    assert set(game.definition.tables.export.bonus) == {
        at for at, spot in game.definition.map.hexes.items() if spot.face.colour == "red"
    }


@pytest.mark.rule("DO-4.3.2.1-c")
@pytest.mark.parametrize(("company", "pierced"), [("HHW", True), ("BME", False)])
def test_one_railway_runs_through_full_steel_mills(company: str, pierced: bool) -> None:
    game = r.started(1, 2, 3, 4)
    r.floated(game, company)
    r.floated(game, "CME", "bo")
    r.station(game, "CME", "D9")
    r.trains(game, company, "4")
    assert game.router(company).rules["4"].through(("D9", 0)) == pierced


@pytest.mark.rule("DO-4.3.2.1-c")
def test_one_railway_carries_no_beer() -> None:
    game = exporting(company="HHW", trains=("8",))
    assert game.rules.trains.fleets(game, "HHW") == [("8",)]
    assert r.refused(game, run(game, "HHW", ("8+1", TO_I20))).rule == "DO-4.5.5.1-a"


@pytest.mark.rule("DO-4.5.6.1-d")
def test_of_two_red_fields_the_one_that_pays_more_whichever_way_a_route_is_entered() -> None:
    game = exporting(trains=("8",))
    there = "H1:a H3:a G4 F5 E6:a E8 E10:a " + TO_I20
    back = " ".join(reversed(there.split()))
    assert [beer(game, "BME", "8+2", way) for way in (there, back)] == [100, 100], "I20 would pay 80"
    best = game.best_routes("BME")
    assert (best.routes[0].train, best.routes[0].path[-1]) == ("8+3", "H1:a")


@pytest.mark.rule("DO-4.5.6.1-e")
def test_the_fourth_marker_pays_for_each_transport() -> None:
    game = exporting(trains=("5", "8"))
    r.marker(game, 4, "BME")
    r.operating(game, "BME", "run")
    assert beer(game, "BME", "8+2", TO_H1) == 110
    assert beer(game, "BME", "5+1", TO_I20) == 50
    assert beer(game, "BME", "8", TO_H1) == 0
    best = game.best_routes("BME")
    assert {route.train for route in best.routes} == {"5+1", "8+3"}


@pytest.mark.rule("DO-4.5.6.1-d", "DO-4.5.6.1-e")
@pytest.mark.parametrize(("one", "other", "due"), [("H1", "I20", 110), ("I20", "H1", 110), ("I20", "D9", 90)])
def test_the_search_reckons_with_what_is_paid(one: str, other: str, due: int) -> None:
    game = exporting(trains=("5", "8"))
    r.marker(game, 4, "BME")
    vehicle = next(vehicle for vehicle in game.rules.vehicles if vehicle.name == "8+2")
    train = game.rules.trains.rules(game, "BME", vehicle, game.phase.colour)
    assert train.bonus(CITY, (one, 0), (other, 0)) == due, "one field, and ten Mark once"
    assert train.bonus(0, (one, 0), (other, 0)) == 0


@pytest.mark.rule("DO-4.5.6.1-a")
def test_beer_is_a_part_of_the_income() -> None:
    game = exporting(trains=("5", "6"), cubes=1)
    r.operating(game, "BME", "run")
    routes = ("5+1", TO_I20), ("6", TO_I10)
    plain = sum(values(game, "BME", (("5", TO_I20), ("6", TO_I10))))
    game.apply(run(game, "BME", *routes))
    assert Earned.of(game).revenue == plain + 40


@pytest.mark.rule("DO-4.3.1.2-b", "DO-2.7-a")
def test_a_card_turned_before_the_run_gives_its_cubes() -> None:
    game = exporting(trains=("5",))
    BreweryCards.of(game).turned.clear()
    r.operating(game, "BME", "run")
    assert r.refused(game, run(game, "BME", ("5+1", TO_I10))).rule == "DO-4.5.5.1-a"
    game.apply(TurnBrewery("ann", "P1"))
    game.apply(run(game, "BME", ("5+1", TO_I10)))
    assert BreweryCards.of(game).cubes["P1"] == 4
