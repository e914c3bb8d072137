"""What 18Ruhr shows of a position, and that its own components are counted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import moves as mv
from engine.game import Game
from engine.house.invariants import faults
from engine.rounds.sale import BUY, SOLD, WAIT
from tests.titles.ruhr import arrange as a
from titles import texts
from titles.ruhr import package, works
from titles.ruhr.founding import Merge
from titles.ruhr.remembered import Works


def page(game: Game, name: str) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """A page of the title's own: the names of its columns, and its rows by these names."""
    found = next(page for page in game.rules.pages(game) if page.name == name)
    return found.columns, [dict(zip(found.columns, row, strict=True)) for row in found.rows]


def test_every_page_and_every_column_has_a_heading_in_both_languages() -> None:
    for found in (pages := a.new().rules.pages(a.new())):
        for language in ("en", "de"):
            words = texts("ruhr", language)
            assert {f"page.{found.name}", *(f"column.{column}" for column in found.columns)} <= words.keys()
    assert len(pages) == 2


def test_the_montan_sheet_tells_who_has_what_and_where() -> None:
    game = a.after_package()
    a.mine(game, 3, "ann", 40, A=2, B=1)
    a.link(game, 3)
    works.charter(game, "MC3").engines.append("W1")
    _, rows = page(game, "montan")
    assert [row for row in rows if row["company"] == "MC3"] == [
        {
            "company": "MC3",
            "owner": "ann",
            "income": str(works.income(game, "MC3")),
            "treasury": "40",
            "markers": "2A 1B",
            "engines": "W1",
            "places": "M12∎",
        }
    ]


def test_the_montan_sheet_tells_which_markers_earn_and_which_are_stored() -> None:
    game = a.second_stock_round()
    a.mine(game, 11, "ann", A=4, B=3, C=2)
    assert page(game, "montan")[1][0]["markers"] == "3A 2B +ABCC"
    a.phase(game, "5")
    assert page(game, "montan")[1][0]["markers"] == "(3A 2B) +ABCC"
    a.link(game, 11)
    assert page(game, "montan")[1][0]["markers"] == "(4A 3B) 2C"


@pytest.mark.rule("RUHR-12.1.1-e", "RUHR-12.2-h")
def test_the_montan_sheet_shows_the_free_circles_of_a_corporation() -> None:
    game = a.second_stock_round()
    a.phase(game, "4")
    assert a.montan(game, "RB", "ann", 5) == "K12"
    a.mine(game, 7, "ann", A=1)
    a.montan_round(game, merging=True)
    assert page(game, "montan")[1][-1]["places"] == "K12∎ ○ ○"
    game.apply(Merge("ann", "MC7", "RB"))
    assert page(game, "montan")[1][-1]["places"] == "K12∎ H7 ○"


def test_the_display_tells_what_a_card_costs_and_which_is_on_sale() -> None:
    game = a.after_package()
    _, rows = page(game, "capex")
    left, card = game.state.depot.left["2+2"], works.tables(game).cards["2+2"]
    assert rows[0] == {
        "card": "2+2 ←",
        "left": str(left),
        "train": str(game.definition.train("2+2").price),
        "markers": "2 × A–B",
        "development": str(card.development_price),
        "engine": card.engine,
        "price": str(card.engine_price),
    }
    assert [row["card"].endswith("←") for row in rows] == [True] + [False] * (len(rows) - 1)


# ---------------------------------------------------------------------- the sale


def test_the_sale_shows_the_lots_of_the_scenario_and_who_can_pay_them() -> None:
    game = a.new()
    sale = game.rules.rounds["package"].sale(game)
    assert sale is not None
    active = {name for name in works.tables(game).mines if not game.company(name).closed}
    assert len(active) < len(works.tables(game).mines)
    assert {lot.id for lot in sale.lots if lot.id.startswith("MC")} == active, "passive companies are no lots"
    assert [lot.id for lot in sale.lots] == package.unsold(game)
    assert {lot.state for lot in sale.lots} == {BUY}
    a.cash(game, "ann", package.price(game, "MC3"))
    game.apply(mv.BuyLot("ann", "MC3"))
    sale = game.rules.rounds["package"].sale(game)
    assert sale is not None
    (bought,) = [lot for lot in sale.lots if lot.id == "MC3"]
    assert (bought.state, bought.owner, sale.lots[-1].id) == (SOLD, "ann", "MC3")
    cheap = package.price(game, package.unsold(game)[0])
    a.cash(game, "bo", cheap)
    sale = game.rules.rounds["package"].sale(game)
    assert sale is not None
    for lot in sale.lots[:-1]:
        assert lot.state == (BUY if package.price(game, lot.id) <= cheap else WAIT)
        assert lot.price == package.price(game, lot.id)


# ---------------------------------------------------------------------- counting

LOST: list[tuple[Callable[[Game], object], str]] = [
    (lambda game: Works.of(game).supply["coal"].update(A=0), "markers A of coal instead of"),
    (lambda game: Works.of(game).engines.update(W1=99), "engines W1 instead of"),
]


@pytest.mark.parametrize(("lose", "said"), LOST, ids=[said for _, said in LOST])
def test_markers_and_engines_are_counted(lose: Callable[[Game], object], said: str) -> None:
    game = a.new()
    assert faults(game) == []
    lose(game)
    assert [said in fault for fault in faults(game)] == [True]
