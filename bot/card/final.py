"""The final card: who has won, everybody's place, and what can be done with a game that is over."""

from __future__ import annotations

from typing import Any, Self

import discord
from discord import ui

from bot.games.service import Live
from bot.names import shown
from bot.picking.buttons import _bot, _id, _Kept
from bot.texts import Say
from bot.words.decks import end_cards
from renderers.pages.final import standings


class EndButton(_Kept, ui.DynamicItem[ui.Button[Any]], template=r"e:(?P<game>\d+):(?P<verb>rematch|export)"):
    """What can be done with a game that is over."""

    @classmethod
    def make(cls, game: int, verb: str, label: str) -> Self:
        style = discord.ButtonStyle.success if verb == "rematch" else discord.ButtonStyle.secondary
        return cls(ui.Button(label=label, style=style, custom_id=_id("e", game, verb)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        await _bot(interaction).ending.pressed(interaction, int(self.match["game"]), self.match["verb"])


def end_row(live: Live, say: Say) -> ui.ActionRow[Any]:
    """The buttons of a final card; a game in which something stays hidden for ever is not handed out."""
    row: ui.ActionRow[Any] = ui.ActionRow(EndButton.make(live.record.id, "rematch", say("end.rematch")))
    if not live.game.rules.secret:
        row.add_item(EndButton.make(live.record.id, "export", say("end.export")))
    return row


def end_lines(live: Live, say: Say) -> list[str]:
    """Who has won, everybody's place, how long it took, and thanks to all."""
    game, record = live.game, live.record
    places = standings(game)
    winners = [shown(name) for place, name, _ in places if place == 1]
    best = places[0][2]
    lines = []
    if game.finished:
        key = "end.winner" if len(winners) == 1 else "end.winners"
        lines.append(say(key, names=", ".join(winners), score=best))
    lines += [say("card.score", place=place, name=shown(name), score=score) for place, name, score in places]
    lines += end_cards(say, game)
    if record.started is not None and record.ended is not None:
        days = max((record.ended - record.started).days, 0)
        round_ = game.state.round
        key = "end.length" if game.definition.priced else "end.length_free"
        lasted = say("end.days", days=days) if days else ""
        lines.append(say(key, moves=len(game.moves), rounds=round_.stock_number, days=lasted))
    people = [f"<@{seat.user}>" for seat in record.seats if not seat.house]
    if people:
        lines.append(say("end.thanks", people=" ".join(people)))
    return lines
