"""The Railway Game for two: preparation, starting round, cards and the end (ledger sections 8.1, 8.3, 8.5)."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.errors import Refused
from engine.game import Game
from engine.house.invariants import faults
from engine.remembered import Acted
from engine.state import BANK, OFFERING
from tests.titles.do import investing as i
from tests.titles.do import railway as r
from tests.titles.do.arrange import fits
from titles.do.board.remembered import Bidding
from titles.do.railways.private_breweries import SUPPLY, BreweryCards
from titles.do.two.investor import Investment
from titles.rhineland.investor import CARD, INVESTOR, PRIORITY, AnswerCard, ChooseCard, HeldCard, OfferForCard

# ---------------------------------------------------------------------- preparation


@pytest.mark.rule("DO-8-a")
def test_limits_and_capital_are_those_of_three() -> None:
    game = i.first()
    fresh = i.new()
    assert fresh.state.cash == {**fresh.state.cash, "ann": 375, "bo": 375, INVESTOR: 375, BANK: 9000 - 3 * 375}
    assert game.rules.limits.certificates(game, "ann") == 17
    r.floated(game, "BME", "ann")
    r.own(game, "BME", "ann", 60)
    r.stock(game, "ann")
    game.apply(mv.BuyShare("ann", "BME", "BME", 10))
    r.stock(game, "ann")
    assert r.refused(game, mv.BuyShare("ann", "BME", "BME", 10)).rule == "DO-4.4.4-b"


@pytest.mark.rule("DO-8.1-a")
def test_the_smaller_map_ends_at_g18() -> None:
    game = i.new()
    hexes = game.definition.map.hexes
    assert not {"H19", "H17", "G20", "I20"} & hexes.keys()
    assert (len(hexes), sum(spot.buildable for spot in hexes.values())) == (73, 57)
    layout = game.definition.map.layout
    out = 1 << layout.edges.index("SE")
    for fit in game.rules.tiling.fits("G18", None):
        assert not game.definition.tiles[fit.tile].faces[fit.rotation].exits & out
    assert fits(game, "G18"), "there is a tile for it"
    trio = r.new(1, 2, 3)
    assert any(
        trio.definition.tiles[fit.tile].faces[fit.rotation].exits & out for fit in trio.rules.tiling.fits("G18", None)
    )


@pytest.mark.rule("DO-8.1-a", "DO-8.2-a")
def test_his_money_and_certificates_are_his_own() -> None:
    game = i.later()
    assert INVESTOR in game.state.seatless
    assert (game.state.cash[INVESTOR], i.his(game, "CME")) == (1000, 50)
    with pytest.raises(Refused, match=r"names\.taken"):
        Game(i.rules(), ("ann", INVESTOR), 1)


@pytest.mark.rule("DO-8.3.1-a")
def test_what_the_box_leaves_out_for_two() -> None:
    game = i.new()
    assert "HHW" not in game.definition.corporations
    assert not {"1938", "1941", "1943", "1944", "1945", "1953"} & game.definition.tiles.keys()
    assert {"1906", "1936", "1937", "1900", "1952", "1956"} <= game.definition.tiles.keys()


@pytest.mark.rule("DO-8.3.1-b", "DO-8.2-a")
def test_his_railway_is_one_of_four_and_stands_at_fifty() -> None:
    drawn = {Investment.of(Game(i.rules(), i.SEATS, seed)).company for seed in range(60)}
    assert drawn == {"BME", "CME", "KWE", "RhE"}
    game = i.new("KWE")
    assert r.price(game, "KWE") == (50, 6, 3)
    assert game.company("KWE").certificates == [OFFERING] * 9


@pytest.mark.rule("DO-8.3.1-b")
def test_his_token_lies_above_those_that_come_later() -> None:
    game = i.first("CME")
    game.apply(mv.Found("ann", "BME", 50))
    assert game.company("CME").floated, "he has bought after her"
    assert game.prices.order()[:2] == ["CME", "BME"]


@pytest.mark.rule("DO-8.3.1-c")
def test_three_private_breweries_are_drawn() -> None:
    packages = {tuple(r.offered(Game(i.rules(), i.SEATS, seed), "bid")) for seed in range(80)}
    assert len(packages) == 10
    assert all(len(set(package)) == 3 for package in packages)
    game = i.new(cards=(1, 3, 4))
    assert set(BreweryCards.of(game).cubes) == {"P1", "P3", "P4", SUPPLY}
    assert {Game(i.rules(), i.SEATS, seed).state.seats[0] for seed in range(20)} == {"ann", "bo"}, "R-91"


# ---------------------------------------------------------------------- the starting round


@pytest.mark.rule("DO-8.3.2-a")
def test_he_buys_what_is_left_at_its_lowest_box() -> None:
    game = i.new()
    game.apply(mv.Bid("ann", "P1", 35))
    assert r.asked(game) == "bo"
    game.apply(mv.Bid("bo", "P4", 80))
    assert game.state.privates == {**game.state.privates, "P1": "ann", "P3": INVESTOR, "P4": "bo"}
    assert [game.state.cash[who] for who in ("ann", "bo", INVESTOR)] == [340, 295, 315]
    game.apply(ChooseCard("ann", PRIORITY))
    rules = game.rules.rounds["operating"]
    rules.begin(game, 1, 1)  # type: ignore[attr-defined]
    assert game.state.cash[INVESTOR] == 315 + 15


@pytest.mark.rule("DO-8.3.2-b")
@pytest.mark.parametrize(
    ("bids", "chooser"),
    [((("P1", 35), ("P4", 80)), "ann"), ((("P4", 85), ("P3", 75)), "bo"), ((("P3", 60), ("P1", 35)), "bo")],
)
def test_the_cheaper_purchase_chooses_a_card(bids: tuple[tuple[str, int], ...], chooser: str) -> None:
    for card in (PRIORITY, CARD):
        game = i.new()
        for player, (lot, price) in zip(i.SEATS, bids, strict=True):
            game.apply(mv.Bid(player, lot, price))
        assert r.asked(game) == chooser
        assert r.names(game) == {"choose_card"}
        assert r.refused(game, ChooseCard(chooser, "both")).rule == "DO-8.3.2-b"
        game.apply(ChooseCard(chooser, card))
        holder = chooser if card == CARD else game.after(chooser)
        assert HeldCard.of(game).card == holder
        assert r.asked(game) == game.after(holder), "the other has the start card and begins"
        assert game.state.round.kind == "stock"


@pytest.mark.rule("DO-8.3.2-b")
@pytest.mark.parametrize("lots", [("P1", "P2"), ("P2", "P1")])
def test_of_equal_prices_the_lower_number_chooses(lots: tuple[str, str]) -> None:
    game = i.new(cards=(1, 2, 3))
    Bidding.of(game).bids = {"ann": (lots[0], 55), "bo": (lots[1], 55)}  # no boxes are equal as printed
    rules = game.rules.rounds["package"]
    rules.end(game)  # type: ignore[attr-defined]
    r.take_offer(game)
    assert r.asked(game) == ("ann" if lots[0] == "P1" else "bo")


# ---------------------------------------------------------------------- the card


@pytest.mark.rule("DO-8.3.5-a")
def test_the_card_changes_hands_after_every_operating_round() -> None:
    game = i.later(holder="bo")
    for number, holder in ((1, "ann"), (2, "bo")):
        r.operating(game, "KWE", "trains", number, 2)
        r.trains(game, "KWE", "2") if number == 1 else None
        Acted.of(game).acted = ["BME", "CME"]
        r.take_offer(game)
        game.apply(mv.Pass("bo"))
        assert HeldCard.of(game).card == holder
    assert game.state.round.kind == "stock"


def at_offer(ann: int = 100, bo: int = 100, number: int = 1) -> Game:
    """The end of an operating round; Investor's Railway is bo's."""
    game = i.later(holder="bo", card_offer=True)
    r.trains(game, "KWE", "2")
    r.operating(game, "KWE", "trains", number, 2)
    Acted.of(game).acted = ["BME", "CME"]
    r.cash(game, "ann", ann)
    r.cash(game, "bo", bo)
    r.take_offer(game)
    game.apply(mv.Pass("bo"))
    r.cash(game, "ann", ann) if game.state.pauses else None
    r.take_offer(game)
    return game


@pytest.mark.rule("DO-8.3.5-b")
def test_who_accepts_gets_the_money_and_the_card_stays() -> None:
    game = at_offer()
    bank = game.state.cash[BANK]
    assert (r.asked(game), r.names(game)) == ("bo", {"offer_for_card", "pass"})
    assert r.refused(game, OfferForCard("bo", 101)).rule == "DO-8.3.5-b"
    assert r.refused(game, OfferForCard("bo", 0)).rule == "DO-8.3.5-b"
    game.apply(OfferForCard("bo", 20))
    assert (r.asked(game), r.names(game)) == ("ann", {"answer_card"})
    assert r.refused(game, AnswerCard("ann", "less")).rule == "DO-8.3.5-b"
    game.apply(AnswerCard("ann", "accept_money"))
    assert HeldCard.of(game).card == "bo"
    paid = 5 + 20 + 15  # the private breweries of the next operating round
    assert (game.state.round.operating_number, game.state.cash[BANK]) == (2, bank - paid)
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (120 + 5, 80 + 20)
    assert not faults(game)


@pytest.mark.rule("DO-8.3.5-b")
def test_who_declines_pays_the_same_and_takes_the_card() -> None:
    game = at_offer()
    game.apply(OfferForCard("bo", 20))
    game.apply(AnswerCard("ann", "pay_for_card"))
    assert HeldCard.of(game).card == "ann"
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (80 + 5, 120 + 20)


@pytest.mark.rule("DO-8.3.5-b")
def test_without_an_offer_it_goes_over_for_nothing_and_who_cannot_pay_cannot_take_it() -> None:
    game = at_offer(number=2)
    game.apply(mv.Pass("bo"))
    assert HeldCard.of(game).card == "ann"
    assert (game.state.round.kind, game.state.cash["ann"]) == ("stock", 100)
    game = at_offer(ann=10, number=2)
    game.apply(OfferForCard("bo", 20))
    assert (HeldCard.of(game).card, game.state.cash["ann"]) == ("bo", 30)
    assert game.state.round.kind == "stock"
    game = at_offer(bo=0, number=2)
    assert (HeldCard.of(game).card, game.state.pauses) == ("ann", []), "without money there is no offer"
    game = i.later(card_offer=False)
    r.trains(game, "KWE", "2")
    r.operating(game, "KWE", "trains", 1, 1)
    Acted.of(game).acted = ["BME", "CME"]
    r.take_offer(game)
    game.apply(mv.Pass("bo"))
    assert not game.state.pauses, "it is an option"


# ---------------------------------------------------------------------- the end


@pytest.mark.rule("DO-8.5-b")
def test_only_the_players_are_compared_and_the_bank_ends_the_game() -> None:
    game = i.later(card_offer=True)
    r.cash(game, INVESTOR, 5000)
    r.trains(game, "KWE", "2")
    r.operating(game, "KWE", "trains", 2, 2)
    Acted.of(game).acted = ["BME", "CME"]
    game.state.bank_broken = "operating"
    r.take_offer(game)
    game.apply(mv.Pass("bo"))
    assert game.state.finished == "bank", "nobody is asked for a card that is of no use any more"
    ann, bo = 1000 + 5 * 65, 1000 + 5 * game.prices.value("KWE")
    assert game.standings() == [(1, "ann", ann), (2, "bo", bo)]
