"""A game with private breweries, links and export beer: three people play it whole in the panel."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import ClassVar

import pytest

from table.model import Message
from table.people import text_of
from tests.bot.test_whole_game import check_end, kinds
from workshop.evening.guests import Guest, NoPictures, Sitter, evening, play_out

PEOPLE = ("ann", "bo", "cy")
TASTE = (("bid", 1.0), ("turn_brewery", 0.2), ("link_location", 0.8), ("trade_up", 0.5))


class Brewer(Sitter):
    """Links what trains visit and turns the card in time, so that beer is carried."""

    TASTE: ClassVar = (
        *TASTE,
        ("buy_train", 0.9),
        ("sell_own_shares", 0.3),
        *((kind, liking) for kind, liking in Guest.TASTE if kind not in ("bid", "buy_train", "sell_own_shares")),
    )


@pytest.mark.slow
async def test_three_people_play_the_railway_game_of_18do_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    said: list[str] = []

    def watch(card: Message) -> None:
        text = text_of(card)
        assert not re.search(r"\b[A-Z][a-z]{2,}[A-Z]\w*: ", text), f"an event without words: {text}"
        assert "went wrong" not in text
        said.append(text)

    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(5)
        await home.begin(*PEOPLE, title="do:trg", seed=5)
        guests: list[Guest] = [Brewer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance, watch=watch)
        await check_end(home)
        assert await kinds(home) >= {"bid", "found", "buy_share", "link_location", "turn_brewery", "run", "dividend"}
        told = "\n".join(said)
        for sentence in ("bids", "is turned", "beer cube", "makes the link of"):
            assert sentence in told, sentence
