"""Share prices in operating rounds: right, up, left, down, and the order in a stack."""

from __future__ import annotations

import pytest

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.state import Cell
from tests.titles.rhl import arrange, trips

TOP_RIGHT: Cell = (0, 16)
BOTTOM_LEFT: Cell = (5, 0)


@pytest.fixture
def game() -> Game:
    """ADR and CME are afloat, RhE too."""
    game = arrange.after_package()
    arrange.floated(game, "ADR", "ann")
    arrange.floated(game, "CME", "bo")
    return game


def dividend(game: Game, cell: Cell, amount: int, kind: str = "pay") -> Cell | None:
    """Where ADR's token stands after it decided about its revenue on a space."""
    game.prices.put("ADR", cell)
    trips.revenue(game, "ADR", amount)
    game.apply(mv.Dividend("ann", "ADR", kind))
    return game.company("ADR").price


@pytest.mark.rule("RHL-6.2.5-a")
@pytest.mark.parametrize("amount", [90, 100, 300])
def test_a_dividend_as_high_as_the_price_moves_one_space_right(game: Game, amount: int) -> None:
    cell = (1, 3)
    assert game.definition.market.rows[1][3] == 90
    assert dividend(game, cell, amount) == (1, 4)
    assert game.prices.value("ADR") == 100


@pytest.mark.rule("RHL-6.2.5-a")
def test_the_whole_dividend_counts_not_that_of_a_share(game: Game) -> None:
    assert dividend(game, (1, 3), 90) == (1, 4), "9 M a share are enough"
    assert dividend(game, (1, 3), 80) == (1, 3)


@pytest.mark.rule("RHL-6.2.5-a")
@pytest.mark.parametrize(("cell", "above"), [((5, 2), (4, 2)), ((3, 6), (2, 6)), ((1, 13), (0, 13))])
def test_at_the_end_of_a_row_the_token_moves_up(game: Game, cell: Cell, above: Cell) -> None:
    assert dividend(game, cell, 400) == above


@pytest.mark.rule("RHL-6.2.5-a")
@pytest.mark.parametrize("cell", [(5, 1), (3, 5), (0, 15)])
def test_the_last_space_of_a_row_is_reached_from_the_one_before(game: Game, cell: Cell) -> None:
    assert dividend(game, cell, 400) == (cell[0], cell[1] + 1)


@pytest.mark.rule("RHL-6.2.5-a")
def test_on_the_last_space_of_the_top_row_the_token_stays(game: Game) -> None:
    assert dividend(game, TOP_RIGHT, 400) == TOP_RIGHT
    assert game.prices.value("ADR") == 350


@pytest.mark.rule("RHL-6.2.5-b")
def test_a_lower_dividend_leaves_the_token_at_the_bottom_of_its_stack(game: Game) -> None:
    game.prices.put("ADR", (1, 3))
    game.prices.put("CME", (1, 3))
    assert game.prices.order()[:2] == ["ADR", "CME"]
    trips.revenue(game, "ADR", 80)
    game.apply(mv.Dividend("ann", "ADR", "pay"))
    assert game.company("ADR").price == (1, 3)
    assert game.prices.order()[:2] == ["CME", "ADR"]


@pytest.mark.rule("RHL-6.2.5-a", "RHL-6.2.5-c")
@pytest.mark.parametrize(("cell", "kind"), [(TOP_RIGHT, "pay"), (BOTTOM_LEFT, "withhold")])
def test_a_token_that_cannot_move_keeps_its_place_in_the_stack(game: Game, cell: Cell, kind: str) -> None:
    """Only a dividend below the price puts a token under the others of its space (RHL-6.2.5-b)."""
    for company in ("CME", "ADR", "RhE"):
        game.prices.put(company, cell)
    trips.revenue(game, "ADR", 400)
    game.apply(mv.Dividend("ann", "ADR", kind))
    assert game.state.stacks[cell] == ["CME", "ADR", "RhE"]
    game.prices.put("RhE", (1, 3))
    trips.revenue(game, "ADR", 40)
    game.apply(mv.Dividend("ann", "ADR", "pay"))
    assert game.state.stacks[cell] == ["CME", "ADR"]


@pytest.mark.rule("RHL-6.2.5-c")
@pytest.mark.parametrize(
    ("cell", "after"),
    [((1, 3), (1, 2)), (TOP_RIGHT, (0, 15)), ((2, 0), (3, 0)), (BOTTOM_LEFT, BOTTOM_LEFT)],
)
def test_withholding_moves_left_or_else_down(game: Game, cell: Cell, after: Cell) -> None:
    assert dividend(game, cell, 400, "withhold") == after


@pytest.mark.rule("RHL-6.2.5-c")
def test_a_company_that_earns_nothing_moves_left(game: Game) -> None:
    game.prices.put("ADR", (1, 3))
    arrange.operating(game, "ADR", "station")
    happened = game.apply(mv.Pass("ann"))
    assert ev.SharePriceMoved("ADR", 90, 80, "no_dividend") in happened
    assert game.company("ADR").price == (1, 2)


@pytest.mark.rule("RHL-6.2.5-d")
@pytest.mark.parametrize(("start", "kind"), [((1, 3), "pay"), ((1, 5), "withhold")])
def test_a_token_arrives_below_those_already_there(game: Game, start: Cell, kind: str) -> None:
    game.prices.put("CME", (1, 4))
    game.prices.put("RhE", (1, 4))
    assert dividend(game, start, 200, kind) == (1, 4)
    assert game.state.stacks[(1, 4)] == ["CME", "RhE", "ADR"]
    assert game.prices.order()[:3] == ["CME", "RhE", "ADR"]


@pytest.mark.rule("RHL-6.2.5-e")
def test_a_founded_company_that_has_not_floated_keeps_its_price(game: Game) -> None:
    arrange.founded(game, "DEE", "bo", 70)
    cell = game.company("DEE").price
    arrange.operating(game, "ADR", "station")
    happened = trips.idle(game, lambda g: g.state.round.kind == "stock")
    moved = {event.company for event in happened if isinstance(event, ev.SharePriceMoved)}
    assert moved == {"ADR", "CME", "RhE"}
    assert game.company("DEE").price == cell
