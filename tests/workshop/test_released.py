"""Running games of every release go on as they stood, or the change is named with its clause and its verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import titles
from bot.games.verdicts import DIFFERS, EQUAL, NEW_RULES, REFUSED
from engine.errors import Refused
from engine.game import Game
from engine.moves import Move
from tests.bot.test_docs import ROOT
from workshop.upgrades import guard
from workshop.upgrades.guard import Change
from workshop.upgrades.reading import Found, found, games

pytestmark = pytest.mark.slow

FIRST = guard.releases()[0]


@pytest.fixture(scope="module")
def judged() -> list[Found]:
    return list(found(FIRST))


def test_every_running_game_of_every_release_is_as_it_was_or_as_it_is_named() -> None:
    assert guard.all_unlike() == []


def test_every_change_is_named_with_a_clause_that_there_is() -> None:
    ledger = "".join(path.read_text("utf-8") for path in (ROOT / "docs" / "ledger").glob("*.md"))
    for change in guard.named().values():
        assert f"| {change.clause} |" in ledger, change
        assert change.because.partition(": ")[2], change


def test_a_release_has_running_games_of_every_form_with_all_that_is_kept_of_them() -> None:
    kept = games(FIRST)
    forms = {f"{title.id}:{form.id}" for title in titles.known() for form in title.forms}
    assert {f"{each.record.title}:{each.record.form}" for each in kept} == forms
    for each in kept:
        assert len(each.moves) >= 40
        assert all(each.digests)
        assert each.begun is not None
        assert each.begun.tables


def broken_rule(patch: pytest.MonkeyPatch, at: int, kind: str) -> None:
    """A program in which somebody has a mark more after so many moves, or may not make that move."""
    real = Game.apply

    def apply(game: Game, move: Move) -> Any:
        if kind == REFUSED and len(game.moves) == at - 1:
            raise Refused("RHL-5-a", "over")
        told = real(game, move)
        if kind == DIFFERS and len(game.moves) == at:
            game.state.cash["bank"] -= 1
            game.state.cash[game.state.seats[0]] += 1
        return told

    patch.setattr(Game, "apply", apply)


@pytest.mark.parametrize("kind", [DIFFERS, REFUSED])
def test_a_change_that_leads_games_elsewhere_fails_until_it_is_named_as_it_is(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    broken_rule(monkeypatch, 20, kind)
    release = guard.release_of(FIRST)
    some = [each for each, _ in zip(found(FIRST), range(3), strict=False)]
    lines = guard.unlike(release, some, {})
    assert len(lines) == 3
    assert all(f"is {kind} at move 20" in line and "no change is named" in line for line in lines)
    changes = {
        (release, each.kept.record.id): Change(release, each.kept.record.id, kind, 20, "RHL-5-a: read wrongly")
        for each in some
    }
    assert guard.unlike(release, some, changes) == []
    other = REFUSED if kind == DIFFERS else DIFFERS
    for wrong in ({"verdict": other}, {"move": 21}, {"verdict": EQUAL, "move": 0}):
        changed = {key: replace(change, **wrong) for key, change in changes.items()}
        assert len(guard.unlike(release, some, changed)) == 3


def test_a_change_that_is_named_and_does_not_happen_is_a_fault(judged: list[Found]) -> None:
    release = guard.release_of(FIRST)
    sound = next(each for each in judged if each.verdict.kind == EQUAL)
    number = sound.kept.record.id
    changes = {(release, number): Change(release, number, DIFFERS, 7, "RHL-5-a: nothing of that kind")}
    assert len(guard.unlike(release, [sound], changes)) == 1
    # What goes on in another position is a fault whatever is named.
    silent = replace(sound, same=False)
    assert "nobody is told" in guard.unlike(release, [silent], {})[0]
    quiet = replace(sound, verdict=replace(sound.verdict, kind=NEW_RULES))
    assert len(guard.unlike(release, [quiet], {})) == 1
