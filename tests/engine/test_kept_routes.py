"""Best routes are searched once for a position, also in a copy of it, and never outlive a change."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

import pytest

from engine.errors import Refused
from engine.game import Game
from engine.house.players import HOUSES
from engine.moves import Dividend, TrainPath
from engine.offer import Options
from engine.records import put
from engine.remembered import SeatCards
from engine.routes import search
from engine.routes.best import Router
from engine.routes.model import Route
from engine.steps.run import RunChoice
from titles import new_game


def to_be_run(game: Game) -> bool:
    """Whether a company with several trains is to run them."""
    choice = game.offer().find("run")
    return choice is not None and len(game.company(choice.company).trains) > 1 and game.state.phase > 1


@pytest.fixture
def game() -> Game:
    found = new_game("rhl", ["ann", "bo", "cy"], {}, 5)
    house, chance = HOUSES["greedy"](), Random(5)
    while not to_be_run(found):
        found.apply(house.choose(found, found.offer().deciders[0], chance))
    found._searched.clear()
    return found


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each search for the best routes."""
    made: list[int] = []
    original = Router.best_of

    def counted(self: Router, *arguments: object, **named: object) -> object:
        made.append(1)
        return original(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Router, "best_of", counted)
    return made


def company_of(game: Game) -> str:
    choice = game.offer().find("run")
    assert isinstance(choice, RunChoice)
    return choice.company


def test_whoever_asks_again_in_a_position_gets_the_same_answer_without_a_search(
    game: Game, searches: list[int]
) -> None:
    company = company_of(game)
    choice = game.offer().find("run")
    assert choice is not None
    best = game.best_routes(company)
    assert not game.runs_known(company)
    assert game.most_trains(company) == len(best.routes)
    assert game.runs_known(company)
    move = choice.move({"routes": choice.ask({}).options[0].value})  # type: ignore[union-attr]
    game.check(move)
    assert game.best_routes(company) is best
    assert len(searches) == 1


CHANGES: dict[str, Callable[[Game, str], object]] = {
    "a train": lambda game, company: game.company(company).trains.pop(),
    "the phase": lambda game, company: setattr(game.state, "phase", game.state.phase - 1),
    "what a title remembers": lambda game, company: put(game.state, SeatCards({"made up": 1})),
    "a marker": lambda game, company: game.state.board.markers.update(Z9=["coal"]),
    "a token put by hand": lambda game, company: game.state.board.beside.update(F9=[company]),
    "a private company": lambda game, company: game.state.privates.update(PWB="bo"),
}


@pytest.mark.parametrize("change", list(CHANGES))
def test_any_change_of_the_position_makes_it_search_again(game: Game, searches: list[int], change: str) -> None:
    company = company_of(game)
    game.best_routes(company)
    game.most_trains(company)
    CHANGES[change](game, company)
    assert not game.runs_known(company)
    game.best_routes(company)
    assert len(searches) == 2


def test_every_move_drops_what_was_kept(game: Game, searches: list[int]) -> None:
    company = company_of(game)
    choice = game.offer().find("run")
    assert choice is not None
    game.apply(choice.move({"routes": choice.ask({}).options[0].value}))  # type: ignore[union-attr]
    game.apply(Dividend(game.company(company).director, company, "withhold"))
    game.best_routes(company)
    assert len(searches) == 2


def test_what_a_copy_has_searched_is_taken_over(game: Game, searches: list[int]) -> None:
    company = company_of(game)
    twin = game.copy()
    found = twin.best_routes(company)
    game.learn(twin)
    assert game.best_routes(company) is found
    assert game.copy().best_routes(company) is found
    assert len(searches) == 1


def test_nothing_is_taken_over_from_another_position(game: Game, searches: list[int]) -> None:
    company = company_of(game)
    twin = game.copy()
    twin.best_routes(company)
    game.company(company).trains.pop()
    game.learn(twin)
    assert len(game.best_routes(company).routes) <= len(game.company(company).trains)
    assert len(searches) == 2


def test_routes_are_traced_once_for_a_position(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    company = company_of(game)
    paths = tuple(TrainPath(route.train, route.path) for route in game.best_routes(company).routes)
    traced: list[str] = []
    real = Router.trace

    def counted(self: Router, train: str, path: Sequence[str]) -> Route:
        traced.append(train)
        return real(self, train, path)

    monkeypatch.setattr(Router, "trace", counted)
    found = game.routes(company, paths)
    assert game.copy().routes(company, paths) == found
    assert len(traced) == len(paths) > 1
    assert len(game.routes(company, paths[:1])) == 1, "other paths are other routes"
    at = paths[0].path[0].split(":")[0]
    spaces = game.state.board.stations[at]
    spaces[:] = [["" for _ in each] for each in spaces]
    traced.clear()
    with suppress(Refused):
        game.routes(company, paths)
    assert traced, "what was traced has outlived a change"


def test_how_many_trains_run_is_the_same_whether_or_not_the_best_routes_are_known(game: Game) -> None:
    company = company_of(game)
    for trains in (["2"], ["2", "2"], ["2", "2", "2", "2", "2", "2"], ["3", "2"], []):
        game.company(company).trains[:] = trains
        unknown = game.copy()
        best = len(game.best_routes(company).routes)
        assert game.most_trains(company) == unknown.most_trains(company) >= best


def test_advice_that_was_cut_short_stands_until_the_next_move_and_can_be_run(game: Game, searches: list[int]) -> None:
    company = company_of(game)
    game.company(company).trains[:] = ["6", "6", "5"]
    cut = game.advice(company, enough=lambda: True)
    assert not cut.proved
    assert game.advice(company) is game.advice(company, enough=lambda: False) is cut, "nobody waits twice"
    assert len(searches) == 1
    choice = game.offer().find("run")
    assert choice is not None
    domain = choice.ask({})
    assert isinstance(domain, Options)
    assert domain.options[0].facts["proved"] is False
    game.check(choice.move({"routes": domain.options[0].value}))
    assert len(searches) == 1
    game.most_trains(company)
    assert game.runs_advised(company)
    assert not game.runs_known(company)


def test_no_rule_knows_advice_that_was_cut_short(game: Game, searches: list[int]) -> None:
    company = company_of(game)
    game.company(company).trains[:] = ["6", "6", "5"]
    untold = game.copy()
    cut = game.advice(company, enough=lambda: True)
    twin = untold.copy()
    twin.learn(game)
    assert twin.advice(company) is cut
    best = untold.best_routes(company)
    assert best.proved
    assert best.value > cut.value
    assert game.best_routes(company) == twin.best_routes(company) == twin.copy().best_routes(company) == best
    assert game.most_trains(company) == untold.most_trains(company) == len(best.routes) == len(cut.routes)
    assert game.advice(company) == best, "people are told the best that is known"


def test_advice_that_was_not_cut_is_what_rules_know(
    game: Game, searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    company = company_of(game)
    game.company(company).trains[:] = ["6", "6", "5"]
    rule = game.copy().best_routes(company)
    assert game.advice(company, enough=lambda: False) == rule
    assert game.best_routes(company) == rule
    assert len(searches) == 2
    monkeypatch.setattr(search, "MOST_STEPS", rule.nodes // 2)
    game.company(company).trains[:] = ["6", "5", "6"]
    bounded = game.copy().best_routes(company)
    assert not bounded.proved
    assert game.advice(company, enough=lambda: False) == bounded, "a longer search would know more than the rules"
    assert game.best_routes(company) == bounded
