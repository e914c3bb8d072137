"""18LRA for two: the choice of cards after the first stock round, and offers to keep the Investor's card."""

from __future__ import annotations

import pytest

from engine import moves as mv
from engine.game import Game
from engine.house.invariants import faults
from engine.state import BANK
from tests.titles.lra.investing import after_package, later, told
from tests.titles.rhl.arrange import cash, floated, founded, names, operating, refused, stock, take_offer
from titles.rhineland.investor import CARD, PRIORITY, AnswerCard, ChooseCard, HeldCard, OfferForCard


def first_round_over(ann: int, bo: int, *, priority: str = "ann") -> Game:
    """Both have founded and pass with so much cash left; nobody can found again."""
    game = after_package()
    for company, player in (("GVE", "ann"), ("KEG", "bo")):
        founded(game, company, player, 60)
    cash(game, "ann", ann)
    cash(game, "bo", bo)
    stock(game, priority, 1)
    game.apply(mv.Pass(priority))
    game.apply(mv.Pass(game.after(priority)))
    return game


@pytest.mark.rule("LRA-9.3-b")
@pytest.mark.parametrize(("money", "asked"), [((310, 250), "ann"), ((250, 310), "bo")])
def test_the_richer_player_chooses_a_card(money: tuple[int, int], asked: str) -> None:
    for card in (PRIORITY, CARD):
        game = first_round_over(*money)
        other = game.after(asked)
        assert game.offer().deciders == (asked,)
        assert names(game) == {"choose_card"}
        assert game.state.round.kind == "stock"
        assert refused(game, ChooseCard(asked, "both")).rule == "LRA-9.3-b"
        game.apply(ChooseCard(asked, card))
        holder = asked if card == CARD else other
        assert HeldCard.of(game).card == holder
        assert game.state.priority == game.after(holder)
        assert game.state.round.kind == "operating"
        assert game.offer().deciders == (holder,)


@pytest.mark.rule("LRA-9.3-b")
@pytest.mark.parametrize("holder", ["ann", "bo"])
def test_on_a_tie_the_one_next_after_the_priority_deal_chooses(holder: str) -> None:
    game = first_round_over(300, 300, priority=holder)
    assert game.offer().deciders == (game.after(holder),)


@pytest.mark.rule("LRA-9.3-b")
def test_it_is_asked_only_once() -> None:
    game = first_round_over(310, 250)
    prices = {name: company.price for name, company in game.state.companies.items()}
    game.apply(ChooseCard("ann", PRIORITY))
    assert {name: company.price for name, company in game.state.companies.items()} == prices
    stock(game, "ann", 2)
    for player in ("ann", "bo", "ann"):
        if game.state.round.kind == "stock":
            game.apply(mv.Pass(player))
    assert game.state.round.kind == "operating"


# ---------------------------------------------------------------------- offers


def at_offer(ann: int = 100, bo: int = 100, **options: bool) -> Game:
    """The end of a turn of the Investor's company, run by ann; GVE acts next."""
    game = later("BME", holder="ann", **(options or {"card_offer": True}))
    floated(game, "GVE", "bo", 60, 0)
    cash(game, "ann", ann)
    cash(game, "bo", bo)
    operating(game, "BME", "card")
    cash(game, "ann", ann)
    cash(game, "bo", bo)
    take_offer(game)
    return game


@pytest.mark.rule("LRA-9.4-a")
def test_who_accepts_gets_the_money_and_the_card_stays() -> None:
    game = at_offer()
    bank = game.state.cash[BANK]
    game.apply(OfferForCard("ann", 40))
    assert game.offer().deciders == ("bo",)
    assert names(game) == {"answer_card"}
    assert refused(game, AnswerCard("bo", "counter")).rule == "LRA-9.4-a"
    assert refused(game, mv.Pass("bo")).key == "turn.move"
    game.apply(AnswerCard("bo", "accept_money"))
    assert (game.state.cash["ann"], game.state.cash["bo"], game.state.cash[BANK]) == (60, 140, bank)
    assert HeldCard.of(game).card == "ann"
    assert game.state.round.actor != "BME"


@pytest.mark.rule("LRA-9.4-a")
def test_who_refuses_pays_the_same_and_takes_the_card() -> None:
    game = at_offer()
    game.apply(OfferForCard("ann", 40))
    game.apply(AnswerCard("bo", "pay_for_card"))
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (140, 60)
    assert HeldCard.of(game).card == "bo"
    assert game.state.round.actor != "BME"
    assert not faults(game)


@pytest.mark.rule("LRA-9.4-b")
def test_without_an_offer_the_card_goes_over_for_nothing() -> None:
    game = at_offer()
    events = game.apply(mv.Pass("ann"))
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (100, 100)
    assert HeldCard.of(game).card == "bo"
    assert len(told(events, "CardMoved")) == 1


@pytest.mark.rule("LRA-9.4-b")
@pytest.mark.parametrize("price", [0, 101, -5])
def test_an_offer_is_from_1_to_ones_own_cash(price: int) -> None:
    assert refused(at_offer(), OfferForCard("ann", price)).rule == "LRA-9.4-b"
    assert names(at_offer(ann=1)) == {"offer_for_card", "pass"}


@pytest.mark.rule("LRA-9.4-b")
def test_who_cannot_pay_the_sum_can_only_accept() -> None:
    game = at_offer(bo=39)
    game.apply(OfferForCard("ann", 40))
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (60, 79)
    assert HeldCard.of(game).card == "ann"
    assert not game.state.pauses
    game = at_offer(bo=40)
    game.apply(OfferForCard("ann", 40))
    assert names(game) == {"answer_card"}


@pytest.mark.rule("LRA-9.4-a")
def test_only_with_the_option() -> None:
    game = at_offer(card_offer=False)
    game.settle()
    assert HeldCard.of(game).card == "bo"
    assert "offer_for_card" not in names(game)


@pytest.mark.rule("LRA-9.4-b")
def test_who_has_no_money_hands_the_card_on() -> None:
    game = at_offer(ann=0)
    game.settle()
    assert HeldCard.of(game).card == "bo"
