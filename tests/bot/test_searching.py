"""Best routes in the bot: searched off the event loop, once for a position, and marked when they are not proved."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import titles
from bot.cli import main
from bot.games.searching import Searches, search_all, time_limit
from engine import codec
from engine.game import Game
from engine.house.players import Greedy
from engine.routes import search as routes
from engine.routes.best import Router
from engine.steps.run import BestRunChoice
from table.people import Outcome
from workshop.evening.guests import Evening, Guest, NoPictures, buttons, evening
from workshop.evening.positions import PEOPLE, Position, put, search


def hard_run(game: Game) -> bool:
    """Whether a run is on offer whose search asks for the time at least once."""
    choice = game.offer().find("run")
    return choice is not None and game.state.phase > 1 and game.best_routes(choice.company).nodes > 600


@pytest.fixture(scope="module")
def position() -> Position:
    return search(hard_run)


def test_a_search_without_a_limit_ends_all_the_same_and_says_that_it_is_not_proved(
    position: Position, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """House players, simulations and the command line never wait for ever, and all find the same on any machine."""
    game = position.game()
    file = tmp_path / "game.json"
    file.write_text(codec.write(game), "utf-8")
    choice = game.offer().find("run")
    assert choice is not None
    whole = game.best_routes(choice.company)
    assert whole.proved
    assert main(["routes", str(file), choice.company]) == 0
    assert "proved best" in capsys.readouterr().out
    monkeypatch.setattr(routes, "MOST_STEPS", 0)
    found = [position.game().best_routes(choice.company) for _ in range(2)]
    assert not found[0].proved
    assert found[0].nodes < whole.nodes
    assert found[0].routes == found[1].routes
    assert main(["routes", str(file), choice.company]) == 0
    assert "not proved" in capsys.readouterr().out
    fresh = position.game()
    fresh.apply(Greedy().choose(fresh, choice.player, random.Random(1)))
    assert len(fresh.moves) == len(game.moves) + 1, "what is not proved can be run"


class Hold:
    """A limit that stops a search in its worker until it is let go, and then says that it was enough."""

    def __init__(self) -> None:
        self.reached, self.let_go = threading.Event(), threading.Event()
        self.thread = ""

    def __call__(self) -> Callable[[], bool]:
        return self.enough

    def enough(self) -> bool:
        self.thread = threading.current_thread().name
        self.reached.set()
        assert self.let_go.wait(60)
        return True


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the threads in which best routes were searched."""
    threads: list[str] = []
    original = Router.best_of

    def noted(self: Router, *arguments: object, **named: object) -> object:
        threads.append(threading.current_thread().name)
        return original(self, *arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(Router, "best_of", noted)
    return threads


async def pressed_run(home: Evening, position: Position) -> tuple[Guest, Outcome]:
    await put(home, position)
    guest = Guest(home, position.game().offer().deciders[0].lower(), random.Random(1))
    card = guest.card("lobby")
    assert card is not None
    return guest, await guest.person.click(card, "Run trains")


async def test_the_bot_answers_others_while_a_search_goes_on_and_then_shows_that_nothing_is_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, position: Position
) -> None:
    hold = Hold()
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        home.bot.searches.limit = hold
        try:
            guest, effect = await pressed_run(home, position)
            assert await asyncio.to_thread(hold.reached.wait, 60)
            assert hold.thread.startswith("routes")
            bystander = next(name for name in PEOPLE if name != guest.person.user.name)
            other = await (await home.person(bystander).slash("lobby", "sheet")).settled()
            assert other.message is not None
            assert not hold.let_go.is_set(), "somebody else was answered while the search went on"
            assert "Best routes" not in effect.text
        finally:
            hold.let_go.set()
        shown = await effect.settled()
        await home.table.until(lambda: "Best routes" in shown.text)
        assert "not proved" in shown.text


async def test_a_search_that_is_finished_in_time_is_marked_as_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, position: Position, searched: list[str]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        searched.clear()
        guest, effect = await pressed_run(home, position)
        shown = await effect.settled()
        assert "(proved)" in shown.text
        assert shown.message is not None
        done = await guest.press(shown.message, buttons(shown.message)[0])
        assert "✓" in (await done.settled()).text
        assert len(searched) == 1, "opening, showing and confirming need one search"
        assert searched[0].startswith("routes")


async def test_a_confirmation_is_asked_for_again_if_the_routes_had_to_be_searched_anew_and_are_not_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, position: Position
) -> None:
    """The bot has forgotten the search (a restart) and might find other routes than those that were shown."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        guest, effect = await pressed_run(home, position)
        shown = await effect.settled()
        assert shown.message is not None
        record = await home.record()
        home.bot.service.forget(record.id)
        home.bot.searches.limit = lambda: lambda: True
        again = await guest.press(shown.message, buttons(shown.message)[0])
        assert "not proved" in again.text
        assert len(await home.bot.store.log(record.id)) == len(position.moves)
        assert again.message is not None
        assert "✓" in (await guest.press(again.message, buttons(again.message)[0])).text


async def test_two_who_ask_at_once_wait_for_one_search(position: Position, searched: list[str]) -> None:
    game = position.game()
    choice = game.offer().find("run")
    assert choice is not None
    searched.clear()
    searches = Searches()
    assert searches.needed(choice)
    await asyncio.gather(searches.before(choice), searches.before(choice))
    assert not searches.needed(choice)
    await searches.before(choice)
    assert len(searched) == 1
    assert game.best_routes(choice.company).proved
    searches.close()


async def test_a_position_that_has_changed_meanwhile_learns_nothing(position: Position) -> None:
    game = position.game()
    choice = game.offer().find("run")
    assert choice is not None
    searches = Searches()
    waiting = asyncio.ensure_future(searches.before(choice))
    await asyncio.sleep(0)
    game.company(choice.company).trains.append("2")
    await waiting
    assert searches.needed(choice)
    searches.close()


async def test_a_suggestion_while_typing_never_waits_for_a_search(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, position: Position, searched: list[str]
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        await put(home, position)
        live = await home.live()
        choice = live.game.offer().find("run")
        assert choice is not None
        searched.clear()
        assert home.bot.searches.needed(choice)
        person = home.person(choice.player.lower())
        await person.autocomplete("lobby", "move", "first", move="run", first="")
        await person.autocomplete("lobby", "run", "routes", routes="")
        assert searched == []
        assert home.bot.searches.needed(choice)
        assert "(proved)" in (await (await person.slash("lobby", "move", move="run")).settled()).text
        assert [name[:6] for name in searched] == ["routes"]


def test_the_house_has_the_same_limit(monkeypatch: pytest.MonkeyPatch, position: Position) -> None:
    monkeypatch.setattr("bot.games.searching.SEARCH_SECONDS", 0.0)
    assert time_limit()()
    game = position.game()
    search_all(game)
    choice = game.offer().find("run")
    assert choice is not None
    assert not game.advice(choice.company).proved
    assert game.best_routes(choice.company).proved, "a rule asks a search of its own"


async def test_where_a_rule_judges_the_run_no_time_cuts_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "STEPS_BETWEEN", 1)
    game = titles.new_game("lra", ["ann", "bo"], {}, 3, "investor")
    chance = random.Random(3)
    while not isinstance(choice := game.offer().choices[0], BestRunChoice):
        game.apply(Greedy().choose(game, game.offer().deciders[0], chance))
    expected = game.copy().best_routes(choice.company)
    assert not game.copy().advice(choice.company, lambda: True).proved
    game.advice(choice.company, lambda: True)
    searches = Searches(lambda: lambda: True)
    assert searches.needed(choice), "advice is not what the rule will ask for"
    await searches.before(choice)
    assert not searches.needed(choice)
    monkeypatch.setattr(Router, "best_of", lambda *_, **__: pytest.fail("the event loop waits for a search"))
    assert game.best_routes(choice.company) == expected
    game.apply(Greedy().choose(game, choice.player, chance))
    searches.close()
