"""A form of play that no title has plays to its end without a change in the engine."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.game import Game
from engine.house.players import HOUSES
from engine.house.simulation import play
from engine.offer import Options
from engine.rounds.operating import activate
from engine.state import BANK
from tests.engine.toy import CORPORATION, MINE, RAILWAY, Equip, Mine, new

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("house", sorted(HOUSES))
@pytest.mark.parametrize("seed", range(6))
def test_it_plays_to_its_end(players: int, house: str, seed: int) -> None:
    game = new(players, seed)
    rows: set[tuple[str, int]] = set()

    def watch(game: Game) -> None:
        rows.update((name, c.price[0]) for name, c in game.state.companies.items() if c.price is not None)

    result = play(game, HOUSES[house](), seed, watch=watch)
    assert not result.faults
    assert result.finished == "sets"
    assert rows <= {(RAILWAY, 0), (CORPORATION, 1)}, "a token never leaves the line of its kind"


def passes(game: Game) -> None:
    while game.state.round.kind == "stock":
        choice = game.offer().find("pass")
        assert choice is not None
        game.apply(choice.move({}))


def test_the_holder_of_the_card_decides_and_the_owner_pays_and_earns() -> None:
    game = new()
    owner, holder = game.state.seats
    assert (game.owner(MINE), game.decider(MINE)) == (owner, holder)
    passes(game)
    assert game.offer().deciders == (holder,)
    before: Mapping[str, int] = dict(game.state.cash)
    game.apply(Equip(holder, MINE, "2"))
    assert game.state.cash[owner] == before[owner] - 60, "the owner adds what the treasury lacks"
    assert game.state.cash[holder] == before[holder]
    passes(game)
    assert game.offer().deciders == (holder,)
    choice = game.offer().find("dividend")
    assert choice is not None
    before = dict(game.state.cash)
    game.apply(choice.move({"kind": "half"}))
    assert game.state.cash[owner] == before[owner] + 10
    assert game.state.cash[MINE] == before[MINE] + 10


def test_a_share_of_a_fifth_costs_its_price_and_a_card_taken_for_anything_begins_its_phase() -> None:
    game = new()
    player = game.offer().deciders[0]
    choice = game.offer().find("found", player)
    assert choice is not None
    options = choice.ask({"company": CORPORATION})
    assert isinstance(options, Options)
    assert [(option.value, option.facts["price"]) for option in options.options] == [(50, 50)]
    game.apply(choice.move({"company": CORPORATION, "par": 50}))
    assert game.state.cash[player] == 250
    assert game.company(CORPORATION).price == (1, 2)
    assert game.rules.score(game)[player] == 300
    game.state.depot.left["2"] = 0
    game.state.depot.sold["2"] = 3
    game.state.depot.gone.extend(["2"] * 3)
    passes(game)
    game.apply(Equip(game.decider(MINE), MINE, "3"))
    assert game.phase.name == "3"


def test_an_unused_either_offers_both_and_a_used_one_closes_the_other() -> None:
    game = new()
    player = game.offer().deciders[0]
    railway = game.company(RAILWAY)
    railway.certificates[:5] = [player] * 5
    railway.director, railway.par, railway.floated = player, 40, True
    game.prices.put(RAILWAY, (0, 2))
    activate(game, RAILWAY)
    game.state.cash[BANK] -= 200
    game.state.cash[RAILWAY] += 200
    passes(game)
    Mine.of(game).equipment.append("2")
    game.settle()
    while game.state.round.actor == MINE:
        game.apply(game.offer().choices[-1].move({"kind": "withhold"}))
    names = {choice.name for choice in game.offer().choices}
    assert names == {"lay_tile", "pass"}, "no second city is within reach yet"
    lay = game.offer().find("lay_tile")
    assert lay is not None
    game.apply(lay.move({"hex": "A4", "tile": "9", "rotation": 1}))
    assert game.state.round.step == "trains", "the tile was the one thing to build, and without a train nothing runs"
