"""Pictures of a game in which breweries act beside railways: prices, charters, trains with beer, the beer market."""

from __future__ import annotations

import pytest

from engine.game import Game
from engine.remembered import Acted
from engine.rules import Page
from renderers import draw_charter, draw_market, draw_sheet
from renderers.kit.theme import LIGHT
from renderers.kit.words import Words
from renderers.pages import legend
from renderers.pages.own import draw_pages
from tests.titles.do import hsb_arrange as h
from titles.do.brewery.breweries import OrderTokens, beer
from titles.do.brewery.loading import Loads


def position() -> Game:
    """RIT is ann's at 80 and about to deliver, KWE bo's at 75 with a loaded train; three cards of type 5 are left."""
    game = h.after_package()
    h.phase(game, "5")
    h.on_card(game, "5", 4)
    h.corporation(game, "RIT", "ann", price=80)
    h.railway(game, "KWE", "bo", price=75)
    h.trains(game, "KWE", "5", "6")
    h.loaded(game, "KWE", ("6", 2))
    h.equip(game, "RIT", "4", "4")
    h.equip(game, "B8", "4")
    h.demand(game, stock=3, closed=(1, 2, 6), r4=2, n4=1, r5=1)
    beer(game).delivered["new"][4] = 1
    OrderTokens.of(game).order.sort(key=lambda name: name != "RIT")
    h.brewing_turn(game, "RIT")
    return game


def page(game: Game, name: str) -> Page:
    return next(found for found in game.rules.pages(game) if found.name == name)


def rows(game: Game, name: str) -> list[list[str]]:
    return [[str(cell) for cell in row] for row in page(game, name).rows]


# ---------------------------------------------------------------------- prices, charters, trains


@pytest.mark.parametrize(
    ("language", "line"),
    [("en", "Railways: KWE 75 (bo); Breweries: RIT 80 (ann)"), ("de", "Bahnen: KWE 75 (bo); Brauereien: RIT 80 (ann)")],
)
def test_each_line_of_prices_says_whose_it_is(language: str, line: str) -> None:
    assert line in draw_market(position()).alt[language]


def test_a_place_where_nothing_lies_has_no_column() -> None:
    game = position()
    companies = game.prices.order()
    assert all(holder != "offering" for code in companies for holder in game.company(code).certificates)
    wide = draw_market(game, part=True)
    game.company("RIT").certificates[-1] = "offering"
    assert draw_market(game, part=True).png != wide.png


def test_a_brewery_works_and_a_railway_runs() -> None:
    game = position()
    for company in ("RIT", "KWE"):
        game.company(company).last_revenue = 120
    brewery, railway = draw_charter(game, "RIT").alt["de"], draw_charter(game, "KWE").alt["de"]
    assert "Einnahmen 120, arbeitet" in brewery
    assert "Letzte Fahrt 120, fährt" in railway


def test_beer_lies_on_the_trains() -> None:
    game = position()
    assert game.rules.trains.labels(game, "KWE") == ["6+2", "5"]
    assert game.rules.possessions(game, "KWE") == {"cubes": 2}
    assert "6+2 5" in draw_charter(game, "KWE").alt["en"]
    loaded = draw_sheet(game).png
    Loads.of(game).trains = {}
    assert game.rules.trains.labels(game, "KWE") == ["5", "6"]
    assert draw_sheet(game).png != loaded


def test_a_route_is_told_to_its_end() -> None:
    game = position()
    h.railway(game, "BME", "ann")
    h.trains(game, "BME", "6")
    h.export_line(game)
    h.loaded(game, "BME", ("6", 2))
    h.operating(game, "BME", "run")
    routes = game.best_routes("BME").routes
    (item,) = legend.of_routes(game, routes, LIGHT, Words("de"), 24)
    assert item.text.startswith("6+2: ")
    assert item.text.endswith(f"Exportbier {routes[0].parts[-1].amount} = {routes[0].value}")


# ---------------------------------------------------------------------- the beer market


def test_the_beer_market_shows_prices_demand_and_deliveries() -> None:
    game = position()
    assert page(game, "beer").columns == (
        "segment", "pays", "regular", "delivered", "pays_new", "new", "delivered_new",
    )  # fmt: skip
    assert rows(game, "beer") == [
        ["6", "80", "×", "", "60", "×", ""],
        ["5", "60", "1", "0", "45", "0", "1"],
        ["4", "45", "2", "0", "30", "1", "0"],
        ["3", "30", "0", "0", "20", "0", "0"],
        ["2", "20", "×", "", "15", "×", ""],
        ["1", "15", "×", "", "10", "×", ""],
    ]
    assert rows(game, "stores") == [["100", "3", str(beer(game).export), "2"]]


def test_breweries_show_what_they_can_deliver_and_for_how_much() -> None:
    game = position()
    listed = {row[1]: row for row in rows(game, "breweries")}
    # Six units of type 4, for two regular customers and a new one; the other two segments are out of its reach.
    assert listed["RIT"][2:] == ["ann", "4 4", "2", "500", "–", "3 → 120"]
    assert listed["B8"][-1] == "3 → 120"
    (remark,) = [remark for remark in game.rules.remarks(game) if remark.key == "could_deliver"]
    assert remark.facts == {"company": "RIT", "cubes": 3, "amount": 120}
    h.brewing_turn(game, "B4")
    assert rows(game, "breweries")[0][1] == "RIT"
    Acted.of(game).acted = ["RIT", "B8"]
    assert {row[1]: row for row in rows(game, "breweries")}["B8"][-1] == "–", "it has acted"
    h.operating(game, "KWE", "run")
    assert "possible" not in page(game, "breweries").columns
    assert not [remark for remark in game.rules.remarks(game) if remark.key == "could_deliver"]


def test_the_cards_show_what_is_to_be_had_and_what_a_link_brings() -> None:
    game = position()
    listed = {row[0].split()[0]: row for row in rows(game, "capex")}
    assert list(listed) == ["5", "6", "8"]
    assert listed["5"] == ["5 ←", "3", "450", "3", "1", "1", "+1★ +1"]
    assert listed["8"][0] == "8", "not yet"
    assert listed["8"][-1] == "–", "no link removes it"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_of_a_brewery_round_is_made_for_a_phone(language: str) -> None:
    picture = draw_pages(position(), language=language)
    assert picture.width == 780
    assert "3 → 120" in picture.alt[language]
