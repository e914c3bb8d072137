"""Titles with companies of their own kinds: their buttons, facts and duties speak of what these companies have."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import titles
from bot.picking.entries import entries, spread
from bot.picking.walk import walk
from bot.texts import Say, speaker
from bot.words.briefing import compulsory, decider_facts
from bot.words.wording import event_lines, refusal
from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Bid
from engine.offer import Options
from renderers.kit.tables import Stack, Table
from renderers.kit.theme import LIGHT
from renderers.kit.words import Words
from renderers.pages import own
from renderers.pages.own import draw_pages
from renderers.pages.supply import draw_supply
from workshop.evening.positions import offered, search

FORMS = [f"{box.id}:{form.id}" for box in titles.known() for form in box.forms]
GAMES = (("greedy", 3),)


@cache
def positions(name: str) -> list[Game]:
    """Every eighth position of a simulated game."""
    title, _, form = name.partition(":")
    low, high = titles.find(title).form(form).players
    names = ["Ann", "Bo", "Cy", "Dora"][: max(low, min(4, high))]
    game, chance = titles.new_game(title, names, {}, 5, form), random.Random(5)
    found = []
    while not game.finished and len(game.moves) < 400:
        game.apply(HOUSES["greedy"]().choose(game, chance.choice(game.offer().deciders), chance))
        if len(game.moves) % 8 == 0:
            found.append(game.copy())
    return found


def labels(say: Say, game: Game) -> Iterator[str]:
    """What stands on the buttons and in the menus of a position, two taps deep."""
    for player in game.offer().deciders:
        found = spread(say, game, player, panel=True)
        yield from (entry.text for entry in (*found.entries, *found.kinds))
    for number, choice in enumerate(game.offer().choices):
        first = walk(game, number, "")
        if choice.name == "run" or not isinstance(first.domain, Options) or first.domain.open:
            continue
        for entry in entries(say, first)[:2]:
            yield entry.text
            second = walk(game, number, entry.code)
            if isinstance(second.domain, Options) and not second.domain.open:
                yield from (each.text for each in entries(say, second))


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("form", FORMS)
def test_no_button_is_empty_or_breaks_off(form: str, language: str) -> None:
    say = speaker(language, form.partition(":")[0])
    for game in positions(form):
        for text in labels(say, game):
            assert text.strip(" ,:"), game.offer()
            assert text == text.strip(" ,"), text
            assert not re.search(r", ,|\(\)|(costs|kostet) 0 M", text), text


def test_a_lot_has_the_same_number_and_name_on_its_button_and_on_the_board() -> None:
    for title, form, kind in (("ruhr", "", "buy_lot"), ("do", "hsb", "bid"), ("do", "trg", "bid")):
        game = search(offered(kind), title=title, form=form, games=GAMES).game()
        sale = game.rules.rounds[game.state.round.kind].sale(game)
        assert sale is not None
        number = next(n for n, choice in enumerate(game.offer().choices) if choice.name == kind)
        texts = [entry.text for entry in entries(speaker("en", title), walk(game, number, ""))]
        own = titles.texts(title, "en")
        for lot in sale.lots:
            called = f"{lot.number}. {own.get(f'name.{lot.id}', lot.name)} "
            assert any(text.startswith(called) for text in texts), (called, texts)


@pytest.mark.parametrize(
    ("title", "form"), [("rhl", ""), ("lra", ""), ("bl", ""), ("ruhr", ""), ("do", "trg"), ("do", "hsb")]
)
def test_what_happens_to_a_lot_is_told_with_its_number_and_name_on_the_board(title: str, form: str) -> None:
    game = titles.new_game(title, ["Ann", "Bo", "Cy"], {}, 1, form)
    chance, told = random.Random(1), 0
    say = speaker("de", title)
    called: dict[str, str] = {}
    while len(game.moves) < 60:
        sale = game.rules.rounds[game.state.round.kind].sale(game)
        for lot in sale.lots if sale is not None else ():
            called[lot.id] = f"Nr. {lot.number} ({titles.texts(title, 'de').get(f'name.{lot.id}', lot.name)})"
        for event in game.apply(HOUSES["random"]().choose(game, game.offer().deciders[0], chance)):
            data = event.data()
            if data["type"] in ("BidMade", "LotSold", "LotReduced", "AuctionOpened", "AuctionLeft"):
                assert called[data["lot"]] in event_lines(say, [data], game)[0]
                told += 1
    assert told > 5


def test_a_refusal_speaks_of_lots_as_the_board_does() -> None:
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 1)
    with pytest.raises(Refused) as refused:
        game.check(Bid(game.offer().deciders[0], "TF", 5))
    assert refusal(speaker("de"), refused.value) == "Auf Nr. 4 (Trajekt) werden mindestens 85 M geboten."


def test_a_small_brewery_has_its_printed_number() -> None:
    game = search(offered("bid"), title="do", form="hsb", games=GAMES).game()
    sale = game.rules.rounds["package"].sale(game)
    assert sale is not None
    assert all(lot.id == f"B{lot.number}" for lot in sale.lots)


def test_the_board_tells_what_a_small_brewery_costs_besides_the_bid() -> None:
    definition = titles.rules("do", 3, {}, "hsb").definition
    for row in definition.tables.minor:
        for language in ("en", "de"):
            assert titles.texts("do", language)[f"brief.{row.company}"].startswith(f"{row.price} M ")


def delivering() -> Game:
    def wanted(game: Game) -> bool:
        return all(map(game.offer().find, ("deliver_best", "sell_own_shares")))

    return search(wanted, title="do", form="hsb", games=GAMES).game()


def test_a_brewery_must_deliver_and_nothing_is_said_of_trains() -> None:
    """Its own shares are on offer too, but nobody forces it to raise money."""
    game = delivering()
    say = speaker("en", "do")
    assert compulsory(say, game).startswith(f"-# ⚠ {game.state.round.actor} must deliver")
    facts = decider_facts(say, game)[0]
    assert "treasury" in facts
    assert "owns" in facts
    assert "trains" not in facts
    assert "stations" not in facts
    railway = search(offered("lay_tile"), title="do", form="hsb", games=GAMES).game()
    facts = decider_facts(say, railway)[0]
    assert "trains" in facts
    assert "stations" in facts


def test_a_brewerys_card_says_what_it_can_deliver_and_for_how_much() -> None:
    game = delivering()
    company = game.state.round.actor
    [line] = [line for line in decider_facts(speaker("en", "do"), game) if "can now deliver" in line]
    found = re.search(rf"{company} can now deliver (\d+) cubes? for (\d+) M", line)
    assert found is not None, line
    after = game.copy()
    best = after.offer().find("deliver_best")
    assert best is not None
    [event] = [event for event in after.apply(best.move({})) if type(event).__name__ == "BeerDelivered"]
    assert (len(event.data()["cubes"]), event.data()["amount"]) == tuple(map(int, found.groups()))
    [row] = [row for page in game.rules.pages(game) for row in page.rows if page.name == "breweries" and company in row]
    assert row[-1] == f"{found[1]} → {found[2]}"


def test_deliveries_and_export_are_told_in_words() -> None:
    say = speaker("de", "do")
    game = delivering()
    number = next(n for n, choice in enumerate(game.offer().choices) if choice.name == "deliver_beer")
    first = entries(say, walk(game, number, ""))[0].text
    assert re.fullmatch(r"Segment \d, (Stammkunden|Neukunden): \d+ M \(BAK \d\)|BAK \d, noch \d+ zu liefern", first)


def test_a_small_brewery_is_not_taken_for_a_marker_of_the_railway_game() -> None:
    def wanted(game: Game) -> bool:
        return game.state.round.kind == "stock" and bool(game.company("B2").director)

    game = search(wanted, title="do", form="hsb", games=tuple(("greedy", seed) for seed in range(1, 9))).game()
    game.state.round.actor = game.company("B2").director
    for language in ("en", "de"):
        facts = decider_facts(speaker(language, "do"), game)[0]
        assert "No. 2" not in facts
        assert "Nr. 2" not in facts


def test_a_montan_round_says_who_may_found_and_merge_what() -> None:
    say = speaker("en", "ruhr")
    game = search(offered("found_montan"), title="ruhr", games=GAMES).game()
    choice = game.offer().find("found_montan")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    told = "\n".join(decider_facts(say, game))
    for option in domain.options:
        assert game.definition.map.hexes[option.value].name in told
    merging = offered("merge_mine")
    game = search(lambda game: game.state.round.kind == "merging" and merging(game), title="ruhr", games=GAMES).game()
    choice = game.offer().find("merge_mine")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    told = "\n".join(decider_facts(say, game))
    assert all(f"{option.value} → " in told for option in domain.options), told


def test_nobody_has_a_small_company_twice_on_a_card() -> None:
    def wanted(game: Game) -> bool:
        return game.state.round.kind == "stock" and game.state.round.stock_number == 3

    game = search(wanted, title="ruhr", games=GAMES).game()
    facts = decider_facts(speaker("en", "ruhr"), game)[0]
    names = re.findall(r"MC\d+", facts)
    assert names
    assert len(names) == len(set(names)), facts


def test_free_stations_are_counted() -> None:
    game = search(offered("link_location"), title="do", form="efs", games=GAMES).game()
    facts = "\n".join(decider_facts(speaker("en", "do"), game))
    assert re.search(r"\d stations? left", facts), facts


@pytest.mark.parametrize("form", [form for form in FORMS if form.partition(":")[0] in ("ruhr", "do")])
def test_the_fields_of_a_titles_tables_fit_their_columns(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[Table] = []
    ends: list[tuple[int, int]] = []
    draw, fill = Table.draw, own._filled

    def filled(groups: Any, room: int) -> Any:
        lines = fill(groups, room)
        ends.extend((x + own._wide(word), room) for line in lines for x, word in line)
        return lines

    monkeypatch.setattr(Table, "draw", lambda self, *args: (tables.append(self), draw(self, *args))[1])
    monkeypatch.setattr(own, "_filled", filled)
    for game in positions(form)[::6]:
        for language in ("en", "de"):
            draw_pages(game, language=language)
    assert tables or ends
    assert all(end <= room for end, room in ends), "a word of a card runs over its edge"
    for table in tables:
        for row in table.rows:
            for cell, wide in zip(row, table.widths, strict=True):
                assert not hasattr(cell, "width") or cell.width <= wide, (table.columns, table.widths)


def test_a_card_shows_only_the_tables_that_a_turn_is_about() -> None:
    game = next(game for game in positions("do:exp") if game.state.round.step == "deliver")
    pages = {page.name: page for page in game.rules.pages(game)}
    assert pages["specials"].aside
    alt = draw_pages(game).alt["en"]
    heading = titles.texts("do", "en")["page.specials"]
    assert heading not in alt
    assert titles.texts("do", "en")["page.beer"] in alt


def test_a_marker_is_not_drawn_as_the_brewery_of_the_same_code() -> None:
    game = positions("do:exp")[-1]
    [page] = [page for page in game.rules.pages(game) if page.name == "investments"]
    stack = Stack(LIGHT, 750, 25)
    own.add_page(stack, game, page, Words("en"), LIGHT, 750)
    [investments] = [part for _, part in stack.parts if isinstance(part, Table)]
    codes = [row[0] for row in investments.rows]
    assert all(isinstance(code, str) for code in codes), "a token would be a picture"
    assert any(str(code).strip() == "B2" for code in codes)


@pytest.mark.parametrize(("options", "there"), [({}, True), ({"no_2": "MB"}, False)])
def test_a_tile_that_nobody_can_lay_in_this_game_is_not_listed(options: dict[str, str], there: bool) -> None:
    game = titles.new_game("rhl", ("ann", "bo", "cy"), options, 7)
    assert any(" 935" in picture.alt["en"] for picture in draw_supply(game)) == there
