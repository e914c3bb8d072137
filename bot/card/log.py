"""The log in words: every move that stands with what happened by it, by round and company, in pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import ui

from bot.card.turn import Card
from bot.limits import TEXT_IN_MESSAGE, cut
from bot.names import shown
from bot.picking.buttons import _bot, _id, _Kept, rows_of
from bot.texts import Say
from bot.words.wording import event_lines, move_text, round_text
from engine.game import Game
from engine.moves import Move, to_json
from renderers.kit.words import LANGUAGES, Words

#: Characters of a page, with room for its head and the frame.
_ROOM = TEXT_IN_MESSAGE - 300


#: In place of a round: before the position was kept in spite of an upgrade.
BEFORE = ("", 0, 0)


@dataclass(frozen=True)
class Entry:
    """A move: its number, who made it, in which round, which companies it is about, and what happened."""

    number: int
    move: Move
    round: tuple[str, int, int]
    companies: frozenset[str]
    events: tuple[dict[str, Any], ...]

    def line(self, say: Say, game: Game) -> str:
        told = event_lines(say.of(game.definition.id), self.events, game)
        bare = move_text(say, game, to_json(self.move.seen_by("")))
        text = " ".join(told) if told else f"{shown(self.move.player)}: {bare}"
        return f"`{self.number}` {text}"


def history(played: Game) -> list[Entry]:
    """The game played through once more, as anybody may see it.

    What stands before a position that was kept in spite of an upgrade leads elsewhere now: of that the moves are told.
    """
    moves, first = list(played.moves), played.rests_at
    game = played.rewound(first)
    early = [Entry(number, move, BEFORE, _companies(game, move), ()) for number, move in enumerate(moves[:first], 1)]
    found = []
    for number, move in enumerate(moves[first:], start=first + 1):
        where = (game.state.round.kind, game.state.round.stock_number, game.state.round.operating_number)
        events = tuple(event.seen_by("").data() for event in game.apply(move))
        # Payments are told by other events, and the turn that begins is the next move's.
        told = [event for event in events if event["type"] not in ("Paid", "TurnBegan")]
        names = {str(value) for event in told for value in event.values()}
        found.append(Entry(number, move, where, frozenset(names & set(game.state.companies)), events))
    return [*early, *found]


def _companies(game: Game, move: Move) -> frozenset[str]:
    return frozenset({str(value) for value in to_json(move).values()} & set(game.state.companies))


def round_codes(game: Game, where: tuple[str, int, int]) -> set[str]:
    """A round as people type it, in capitals: `SR2`, in German `AR2`."""
    if where == BEFORE:
        return set()
    codes = {Words(language).round_short(game.definition, *where) for language in LANGUAGES}
    return {code.upper().replace(" ", "") for code in codes}


def pages(entries: Sequence[Entry], say: Say, game: Game) -> list[str]:
    """Lines in pages, oldest first; the rounds are headings."""
    result: list[str] = []
    page = ""
    last: tuple[str, int, int] | None = None
    for entry in entries:
        head = ""
        if entry.round != last:
            head = f"**{round_name(say, game, entry.round)}**\n"
        line = cut(entry.line(say, game), 900) + "\n"
        if len(page) + len(head) + len(line) > _ROOM:
            result.append(page)
            page, head = "", head or f"**{round_name(say, game, entry.round)}**\n"
        page += head + line
        last = entry.round
    return [*result, page] if page or not result else result


def round_name(say: Say, game: Game, where: tuple[str, int, int]) -> str:
    """The name of a round that may be over."""
    if where == BEFORE:
        return say("log.before")
    twin = game.copy()
    twin.state.round.kind, twin.state.round.stock_number, twin.state.round.operating_number = where
    return round_text(say, twin)


class LogButton(
    _Kept,
    ui.DynamicItem[ui.Button[Any]],
    template=r"o:(?P<game>\d+):(?P<page>\d+):(?P<company>[^:]*):(?P<round>[^:]*)",
):
    """Another page of the log."""

    @classmethod
    def make(cls, game: int, page: int, company: str, round_: str, label: str) -> Self:
        return cls(ui.Button(label=label, custom_id=_id("o", game, page, company, round_)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        found = self.match
        await interaction.response.defer()
        live = await _bot(interaction).services.games.found(int(found["game"]))
        await _bot(interaction).looks.log(interaction, live, int(found["page"]), found["company"], found["round"])


def log_card(say: Say, live_game: int, texts: Sequence[str], page: int, company: str, round_: str) -> Card:
    """One page with the buttons to the others; page 1 has the newest moves."""
    count = len(texts)
    page = min(max(page, 1), count)
    text = texts[count - page].strip() or say("log.nothing")
    buttons: list[ui.Item[Any]] = []
    if count > 1:
        text += "\n" + say("log.page", page=page, pages=count)
        older, newer = min(page + 1, count), max(page - 1, 1)
        if older != page:
            buttons.append(LogButton.make(live_game, older, company, round_, say("log.older")))
        if newer != page:
            buttons.append(LogButton.make(live_game, newer, company, round_, say("log.newer")))
    return Card(text, rows=rows_of(buttons))
