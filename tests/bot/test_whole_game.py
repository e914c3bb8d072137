"""A whole game of 18Rhl from its lobby to the final scoring, by people who know only what they see."""

from __future__ import annotations

import random
import re
from pathlib import Path

import discord
import pytest

from bot.games.replaying import replay
from table.model import Message
from table.people import text_of
from workshop.evening.guests import Evening, Guest, NoPictures, Sitter, Typist, evening, play_out
from workshop.evening.making import standing_moves, untold

PEOPLE = ("ann", "bo", "cy")


KINDS = {"buy_lot", "found", "buy_share", "lay_tile", "run", "dividend", "buy_train", "pass"}


async def kinds(home: Evening) -> set[str]:
    """The kinds of moves that were made."""
    return {str(move.move["type"]) for move in await home.bot.store.log((await home.record()).id)}


async def check_end(home: Evening) -> None:
    """The card tells the engine's scores, and the database replays to the position in memory."""
    asked_for = {session.intents for session in home.table.gateway.sessions.values()}
    assert asked_for == {discord.Intents(guilds=True).value}, "the whole game was played with the least"
    live = await home.live()
    record = await home.record()
    assert record.status == "finished"
    told = dict(re.findall(r"^\d+\. (\w+): \*\*(-?\d+) M\*\*$", text_of(home.cards()[-1]), re.MULTILINE))
    assert {name: int(score) for name, score in told.items()} == live.game.rules.score(live.game)
    moves = await standing_moves(home.bot.store, record.id)
    assert replay(record, [move.move for move in moves]).state.digest() == live.game.state.digest()
    assert await home.bot.store.waiting() == []
    assert await untold(home.bot.store) == []


async def test_three_people_play_a_whole_game_by_buttons_and_menus(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pictures: set[str] = set()

    def has_pictures(card: Message) -> None:
        names = [attachment.filename for attachment in card.attachments]
        assert "map.png" in names, text_of(card)
        assert len(set(names) & {"auction.png", "market.png", "final.png"}) == 1, text_of(card)
        pictures.update(attachment.id for attachment in card.attachments)

    async with evening(monkeypatch, tmp_path) as home:
        chance = random.Random(4)
        await home.begin(*PEOPLE, seed=4, options="lower_capital=true")
        guests = [Guest(home, name, chance) for name in PEOPLE]
        moves = await play_out(home, guests, "lobby", chance, watch=has_pictures)
        await check_end(home)
        # Every card has its pictures, and each of them is there; moves in quick succession may share a card.
        assert len(pictures) > 1.5 * moves
        for picture in sorted(pictures)[-2:]:
            assert (home.table.store.file(picture) or b"").startswith(b"\x89PNG")
        assert await kinds(home) >= KINDS


async def test_three_people_play_a_whole_game_by_slash_commands(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(4)
        await home.begin(*PEOPLE, seed=4, options="lower_capital=true")
        guests: list[Guest] = [Typist(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        assert await kinds(home) >= KINDS


async def test_three_people_play_a_whole_game_of_18bl_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of the cards they press nothing but the first button, which opens the panel."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(2)
        await home.begin(*PEOPLE, title="bl", seed=2)
        guests: list[Guest] = [Sitter(home, name, chance) for name in PEOPLE]
        moves = await play_out(home, guests, "lobby", chance)
        await check_end(home)
        assert await kinds(home) >= KINDS
        # The panels stay: there are far fewer of them than there were moves.
        panels = [m for name in PEOPLE for m in home.person(name).messages("lobby") if m.reader is not None]
        assert len(panels) < moves
        assert not any("went wrong" in text_of(panel) for panel in panels)


class Miner(Sitter):
    """Likes what mines do, so that cards are used up and the game ends."""

    TASTE = (
        ("develop", 0.9), ("found_montan", 1.0), ("merge_mine", 0.8), ("make_link", 0.4), ("buy_engine", 0.5),
        *((kind, 0.9 if kind == "buy_train" else liking) for kind, liking in Sitter.TASTE),
    )  # fmt: skip


async def test_four_people_play_a_whole_game_of_18ruhr_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Railways and mines: every kind of turn has its buttons in the panel."""
    people = ("ann", "bo", "cy", "dora")
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(3)
        await home.begin(*people, title="ruhr", seed=3)
        guests: list[Guest] = [Miner(home, name, chance) for name in people]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        assert await kinds(home) >= {*KINDS, "develop", "found_montan", "merge_mine", "make_link"}


class Brewer(Sitter):
    """Likes what breweries do, now for the most, now cube by cube."""

    TASTE = (
        ("surplus_equipment", 1.0), ("order_place", 1.0), ("load_export", 0.9), ("deliver_beer", 0.1),
        ("deliver_best", 1.0), ("buy_equipment", 0.8), ("trade_in", 0.3), ("link_location", 0.4), ("bid", 1.0),
        *((kind, 0.1 if kind == "sell_own_shares" else liking) for kind, liking in Sitter.TASTE if kind != "bid"),
    )  # fmt: skip


class Expert(Brewer):
    """Likes markers as well."""

    TASTE = (
        ("return_marker", 1.0), ("special_event", 1.0), ("rest_equipment", 0.2), ("use_event", 0.9),
        ("take_event", 0.9), ("move_wagon", 0.4), ("buy_marker", 0.5), *Brewer.TASTE,
    )  # fmt: skip


async def test_three_people_play_a_whole_expert_game_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Small investments, wagons, special events: everything has its buttons in the panel."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(6)
        await home.begin(*PEOPLE, title="do:exp", seed=6)
        guests: list[Guest] = [Expert(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        wanted = {"bid", "deliver_best", "buy_equipment", "link_location", "buy_marker", "take_event", "use_event"}
        assert await kinds(home) >= KINDS - {"buy_lot"} | wanted


async def test_three_people_play_a_whole_game_with_breweries_in_the_panel(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Bids for breweries, railways, deliveries, equipment: every kind of turn has its buttons in the panel."""
    async with evening(monkeypatch, tmp_path, pictures=NoPictures()) as home:
        chance = random.Random(6)
        await home.begin(*PEOPLE, title="do:hsb", seed=6)
        guests: list[Guest] = [Brewer(home, name, chance) for name in PEOPLE]
        await play_out(home, guests, "lobby", chance)
        await check_end(home)
        wanted = {"bid", "deliver_best", "deliver_beer", "buy_equipment", "trade_in", "link_location"}
        assert await kinds(home) >= KINDS - {"buy_lot"} | wanted
