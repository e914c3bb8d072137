"""What only one player may see: no card, log or seed tells it to the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

import titles
from bot.games.replaying import seen_by_all
from bot.picking.effects import Effect
from bot.texts import speaker
from engine.events import Event
from table.people import text_of
from titles import registry, rhl
from workshop.evening.guests import NoPictures, evening


@dataclass(frozen=True, slots=True)
class CastleKept(Event):
    SECRET: ClassVar[tuple[str, ...]] = ("card",)
    player: str
    card: str


@pytest.fixture
def secretive(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """18Rhl as if its form had something to hide."""
    form = rhl.TITLE.forms[0]
    box = replace(rhl.TITLE, forms=(replace(form, make=lambda setup: replace(form.make(setup), secret=True)),))
    for module in (registry, titles):
        monkeypatch.setattr(module, "known", lambda: (box,))
    registry._rules.cache_clear()
    yield
    registry._rules.cache_clear()


@pytest.mark.usefixtures("secretive")
async def test_a_seed_that_would_give_something_away_is_neither_shown_nor_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        ann = home.person("ann")
        refused = await (await ann.slash("lobby", "game new", title="rhl", where="here", seed=77)).settled()
        assert "its seed is drawn, and nobody is told" in refused.text
        await (await ann.slash("lobby", "game new", title="rhl", where="here", seats=3)).settled()
        card = await ann.sees("Host:", "lobby")
        for name in ("bo", "cy"):
            await home.person(name).click(card, "Join")
        await ann.sees("Seats (3 of 3)", "lobby")
        assert "the seed is drawn and stays secret" in text_of(ann.find(card))
        for begun in (False, True):
            if begun:
                await ann.click(card, "Start")
                await ann.sees("your turn", "lobby")
            info = (await (await ann.slash("lobby", "game info")).settled()).text
            assert "Players (3 of 3)" in info
            assert not begun or str((await home.record()).seed) not in info
            assert "seed" not in info.lower()


def test_what_happens_is_told_without_what_is_hidden() -> None:
    event = CastleKept("Ann", "castle")
    assert [each["card"] for each in seen_by_all([event])] == [""]
    game = titles.new_game("rhl", ["Ann", "Bo", "Cy"], {}, 1)
    for viewer, told in (("Ann", True), ("Bo", False), ("", False)):
        lines = Effect(game, game, (event,), viewer).lines(speaker("en"))
        assert ("castle" in " ".join(lines)) == told, "a preview is for the one who looks at it"
