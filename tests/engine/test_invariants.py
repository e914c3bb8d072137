"""The invariants notice every way in which something can be made, lost or laid where it does not belong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.game import Game
from engine.house.invariants import faults
from engine.offer import Offer
from engine.state import BANK, OFFERING, POOL, REMOVED, Pause
from tests.titles.rhl import arrange


@pytest.fixture
def game() -> Game:
    """ann directs ADR, whose home is E8; its token for 40 and the others are on the charter."""
    found = arrange.after_package()
    arrange.floated(found, "ADR", "ann")
    assert faults(found) == []
    return found


def hand(game: Game, company: str, number: int, holder: str) -> None:
    game.company(company).certificates[number] = holder


def stack(game: Game) -> list[str]:
    """The tokens on the first space."""
    return game.state.stacks.setdefault((0, 0), [])


def pooled(game: Game, count: int) -> None:
    """So many certificates of 10 % of BME lie in the pool."""
    certificates = game.company("BME").certificates
    certificates[-count:] = [POOL] * count


def move_token(game: Game) -> None:
    old = game.company("ADR").price
    assert old is not None
    game.state.stacks[old].remove("ADR")
    stack(game).append("ADR")


def trains(game: Game, count: int) -> None:
    """ADR owns so many 2-trains of the bank."""
    game.company("ADR").trains[:] = ["2"] * count
    game.state.depot.left["2"] -= count
    game.state.depot.sold["2"] += count


#: Somebody is asked for a train that is too many.
DISCARD = Pause("discard", ["ann"], {"company": "ADR"})


def close(game: Game, holder: str) -> None:
    company = game.company("GVE")
    company.closed = True
    company.certificates[:] = [holder] * len(company.certificates)
    company.tokens_left.clear()
    home = game.definition.corporations["GVE"].homes[0]
    game.board.remove_stations("GVE", home.at)


#: What is done to a sound position, and the sentences that this gives.
FAULTS: list[tuple[Callable[[Game], object], list[str]]] = [
    (lambda g: g.state.cash.update({BANK: g.state.cash[BANK] - 1}), ["the money sums to {less} instead of {bank}"]),
    (lambda g: arrange.cash(g, "ann", -1), ["ann has -1"]),
    (lambda g: arrange.cash(g, "ann", 0), []),
    (lambda g: arrange.cash(g, BANK, -5), []),
    (lambda g: hand(g, "BME", 3, "eve"), ["'eve' holds a certificate of BME"]),
    (lambda g: hand(g, "BME", 3, "BME"), []),
    (lambda g: hand(g, "BME", 3, "ADR"), ["'ADR' holds a certificate of BME"]),
    (lambda g: hand(g, "BME", 3, REMOVED), []),
    (lambda g: pooled(g, 5), []),
    (lambda g: pooled(g, 6), ["60 % of BME lie in the pool"]),
    (lambda g: hand(g, "ADR", 0, "bo"), ["ann directs ADR without its director's certificate"]),
    (lambda g: stack(g).append("ADR"), ["the price token of ADR stands on {both}, not on {cell}"]),
    (lambda g: move_token(g), ["the price token of ADR stands on [(0, 0)], not on {cell}"]),
    (lambda g: close(g, REMOVED), []),
    (lambda g: close(g, OFFERING), ["'offering' holds a certificate of GVE"] * 9),
    (lambda g: g.state.board.supply.update({"7": 1}), ["tile 7: 0 on the map and 1 left of 4"]),
    (lambda g: g.state.board.supply.update({"7": -1}), ["tile 7: 0 on the map and -1 left of 4"]),
    (lambda g: g.state.board.stations["E8"][0].append(""), ["the station spaces of E8 do not fit its tile"]),
    (lambda g: g.company("ADR").tokens_left.pop(), ["ADR has {tokens} stations instead of {all}"]),
    (lambda g: g.state.depot.pool.append("2"), ["{trains} 2-trains instead of {cards}"]),
    (lambda g: g.state.depot.sold.update({"2": 1}), ["{cards} 2-trains instead of {cards}"]),
    (lambda g: trains(g, g.phase.train_limit), []),
    (lambda g: trains(g, g.phase.train_limit + 1), ["ADR has {over} trains"]),
    (lambda g: (trains(g, g.phase.train_limit + 1), g.state.pauses.append(DISCARD)), []),
    (lambda g: g.state.retired.append("ann"), ["ann directs ADR after leaving the game"]),
    (lambda g: setattr(g, "_offer", Offer(())), ["nobody has anything to decide"]),
    (lambda g: setattr(g.state, "finished", "bank"), ["the game is over but makes an offer"]),
    (lambda g: (setattr(g.state, "finished", "bank"), setattr(g, "_offer", None)), []),
    (lambda g: g.state.board.beside.update({"A0": ["ADR"]}), ["ADR beside the spaces of A0"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "sentences"), FAULTS, ids=[f"{n} {s[:1]}" for n, (_, s) in enumerate(FAULTS)])
def test_each_fault_gives_its_sentence_and_no_other(
    game: Game, change: Callable[[Game], object], sentences: list[str]
) -> None:
    cell = game.company("ADR").price
    charter = game.definition.corporations["ADR"]
    cards = game.definition.train("2").count
    change(game)
    values = {
        "bank": game.definition.bank, "less": game.definition.bank - 1, "cell": cell, "both": [cell, (0, 0)],
        "tokens": len(charter.tokens) - 1, "all": len(charter.tokens), "cards": cards, "trains": cards + 1,
        "over": game.phase.train_limit + 1,
    }  # fmt: skip
    found = faults(game)
    assert sorted(found) == sorted(sentence.format_map(values) for sentence in sentences)


def test_nobody_pays_less_than_nothing_or_more_than_they_have(game: Game) -> None:
    arrange.cash(game, "ann", 50)
    before = dict(game.state.cash)
    with pytest.raises(ValueError, match="share: ann has 50 and should pay 51"):
        game.pay("ann", "bo", 51, "share")
    with pytest.raises(ValueError, match="share: a payment of -1"):
        game.pay("ann", "bo", -1, "share")
    assert game.state.cash == before
    game.pay("ann", "bo", 50, "share")
    assert (game.state.cash["ann"], game.state.cash["bo"]) == (0, before["bo"] + 50)
