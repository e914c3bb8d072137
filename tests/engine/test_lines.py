"""Lines of prices: ends stay, down is left, up is right, and no move ever leads to another row."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine.definition import Market
from engine.finance.market import Prices
from engine.house.invariants import faults
from engine.state import Cell, Company, State
from titles import new_game


def prices(rows: tuple[tuple[int, ...], ...], **cells: Cell) -> Prices:
    """A position that has nothing but prices."""
    state = State.__new__(State)
    state.companies = {name: Company([], []) for name in cells}
    state.stacks = {}
    found = Prices(Market("lines", rows, tuple(("",) * len(row) for row in rows), {}), state)
    for name, cell in cells.items():
        found.put(name, cell)
    return found


ROWS = st.lists(st.lists(st.integers(0, 300), min_size=1, max_size=6).map(tuple), min_size=1, max_size=3).map(tuple)
MOVES = st.lists(st.sampled_from(["left", "right", "up", "down"]), max_size=30)


@given(ROWS, MOVES, st.integers(0, 99))
def test_no_move_changes_the_row_and_ends_stay(rows: tuple[tuple[int, ...], ...], moves: list[str], begin: int) -> None:
    table = prices(rows)
    row = begin % len(rows)
    cell = (row, begin % len(rows[row]))
    for move in moves:
        before, cell = cell, getattr(table, move)(cell)
        step = 1 if move in ("right", "up") else -1
        assert cell[0] == row
        assert cell[1] == min(max(before[1] + step, 0), len(rows[row]) - 1)


def test_the_order_of_some_companies_is_that_of_all_without_the_others() -> None:
    table = prices(((30, 50, 70), (40, 50)), A=(0, 1), B=(1, 1), C=(0, 1), D=(0, 2), E=(1, 0))
    assert table.order() == ["D", "A", "C", "B", "E"]
    assert table.order({"B", "E", "A"}) == ["A", "B", "E"]
    assert table.order(set()) == []


def test_a_price_in_the_row_of_another_kind_of_company_is_a_fault() -> None:
    game = new_game("rhl", ["ann", "bo", "cy"], {}, 1)
    rows = ((50, 60, 70), (50, 60, 70))
    market = Market("lines", rows, ((("",) * 3,) * 2), {}, kinds=("brewery", "railway"))
    game.definition = replace(game.definition, market=market)
    game.prices.market = market
    game.prices.put("CME", (1, 2))
    assert not [fault for fault in faults(game) if "row" in fault]
    game.prices.put("CME", (0, 2))
    assert [fault for fault in faults(game) if "CME" in fault and "row 0" in fault]
    game.prices.put("CME", (1, 3))
    assert [fault for fault in faults(game) if "CME" in fault and "no space" in fault]
