"""The auction board tells what the offer says: what can be bought, what can be bid, and who has how much."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import titles
from engine.game import Game
from engine.house.players import fill
from engine.moves import Bid, BuyLot, Pass
from engine.offer import Options
from engine.rounds.sale import AUCTION, BID, BUY, SOLD, Lot
from renderers.kit.words import LANGUAGES, Words
from renderers.pages.auction import draw_auction, power, sale_of
from renderers.pages.sheet import draw_sheet
from titles.do.board.bidding import BiddingRound, leaders


def new(name: str, seed: int) -> Game:
    """A game of a form, for as many as it takes up to four."""
    title, _, form = name.partition(":")
    most = min(4, titles.find(title).form(form).players[1])
    return titles.new_game(title, ["Ann", "Bo", "Cy", "Dora"][:most], {}, seed, form)


#: Every form of every title that begins with lots.
FORMS = [
    name
    for title in titles.known()
    for form in title.forms
    if sale_of(new(name := f"{title.id}:{form.id}", 1)) is not None
]


def positions(form: str, seed: int) -> Iterator[Game]:
    """A starting package with many bids, position by position."""
    chance = random.Random(seed)
    game = new(form, seed)
    while not game.finished and sale_of(game) is not None and len(game.moves) < 200:
        yield game
        player = game.offer().deciders[0]
        bid, buy = game.offer().find("bid", player), game.offer().find("buy_lot", player)
        luck = chance.random()
        if bid is not None and luck < 0.6:
            lots = bid.ask({})
            assert isinstance(lots, Options)
            lot = chance.choice(lots.options)
            game.apply(Bid(player, lot.value, lot.facts["least"]))
        elif buy is not None and luck < 0.9:
            game.apply(BuyLot(player, _first(buy)))
        elif game.offer().find("pass", player) is not None:
            game.apply(Pass(player))
        else:  # a lot that asks its buyer something
            game.apply(fill(game.offer().choices[0], chance))


def _first(choice: object) -> str:
    domain = choice.ask({})  # type: ignore[attr-defined]
    value: str = domain.options[0].value
    return value


def options(game: Game, name: str, fact: str) -> dict[str, int]:
    """What can be picked in a kind of move, with its number."""
    choice = game.offer().find(name)
    domain = choice.ask({}) if choice is not None else None
    return {option.value: option.facts[fact] for option in domain.options} if isinstance(domain, Options) else {}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(6))
def test_the_board_agrees_with_the_offer(form: str, seed: int) -> None:
    seen, bids, buys = set(), False, False
    for game in positions(form, seed):
        sale = sale_of(game)
        assert sale is not None
        lots: dict[str, Lot] = {lot.id: lot for lot in sale.lots}
        seen |= {lot.state for lot in sale.lots}
        for lot, price in options(game, "buy_lot", "price").items():
            assert (lots[lot].state, lots[lot].price) == (BUY, price)
        for lot, least in options(game, "bid", "least").items():
            assert lots[lot].state in (BID, AUCTION)
            assert lots[lot].price == least
        owners = {lot: game.state.privates[lot] if lot in game.state.privates else game.owner(lot) for lot in lots}
        assert {lot.id for lot in sale.lots if lot.state == SOLD} == {lot for lot, owner in owners.items() if owner}
        bids |= bool(options(game, "bid", "least"))
        buys |= bool(options(game, "buy_lot", "price"))
        round_ = game.rules.rounds[game.state.round.kind]
        for player, free in sale.free.items():
            bound = sum(price for lot in sale.lots for who, price in lot.bids if who == player)
            if isinstance(round_, BiddingRound):
                leads = [(lot, bid) for lot, (who, bid) in leaders(game).items() if who == player]
                bound = sum(round_.cost(game, lot, bid) for lot, bid in leads if not owners[lot])
            assert free + bound == game.state.cash[player]
    assert (BUY in seen) is buys
    assert SOLD in seen or not buys
    assert (BID in seen) is bids
    assert bids or buys


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lot_has_its_power_in_a_few_words(form: str, language: str) -> None:
    game = new(form, 1)
    sale = sale_of(game)
    assert sale is not None
    texts = [power(game, lot, Words(language)) for lot in sale.lots]
    assert all(0 < len(text) <= 66 for text in texts), texts
    assert texts != [power(game, lot, Words("de" if language == "en" else "en")) for lot in sale.lots]


def test_bids_bidders_and_free_cash_are_in_the_words_of_the_picture() -> None:
    every = ((game, sale_of(game)) for seed in range(6) for game in positions("rhl:base", seed))
    game, sale = next((game, sale) for game, sale in every if sale and sum(len(lot.bids) for lot in sale.lots) > 2)
    alt = draw_auction(game).alt["en"]
    for lot in sale.lots:
        assert all(f"{player} {price}" in alt for player, price in lot.bids)
    assert all(f"{player} {cash}" in alt for player, cash in sale.free.items())


def test_the_sheet_has_the_lots_while_they_are_sold() -> None:
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 1)
    with_lots = draw_sheet(game).height
    game.state.round.kind = "stock"
    assert with_lots > draw_sheet(game).height + 300


def test_a_round_that_sells_nothing_has_no_board() -> None:
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 1)
    game.state.round.kind = "stock"
    with pytest.raises(ValueError, match="sells no lots"):
        draw_auction(game)
