"""Are you sure? Grave things are done only when somebody has read what follows from them and confirmed."""

from __future__ import annotations

from typing import Any, Self

import discord
from discord import ui

from bot.card.turn import Card
from bot.picking.buttons import _bot, _id, _Kept, rows_of
from bot.texts import Say


class HostButton(
    _Kept,
    ui.DynamicItem[ui.Button[Any]],
    template=r"h:(?P<game>\d+):(?P<verb>end|replace|cancel|accept|decline):(?P<what>[\d.]*)",
):
    """The last word of a host; what it is about is in the id."""

    @classmethod
    def make(cls, game: int, verb: str, what: str, label: str, style: discord.ButtonStyle) -> Self:
        return cls(ui.Button(label=label, style=style, custom_id=_id("h", game, verb, what)))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        found = self.match
        await _bot(interaction).hosting.pressed(interaction, int(found["game"]), found["verb"], found["what"])


def asking_card(say: Say, game: int, verb: str, text: str, what: str = "") -> Card:
    """What follows, and the buttons to confirm it or to leave it."""
    styles = discord.ButtonStyle
    buttons: list[ui.Item[Any]] = [
        HostButton.make(game, verb, what, say("panel.confirm"), styles.danger),
        HostButton.make(game, "cancel", "", say("panel.cancel"), styles.secondary),
    ]
    return Card(text, rows=rows_of(buttons))


def handing_card(say: Say, game: int, text: str, old: int, new: int) -> Card:
    """A game is offered to another host, who accepts it or declines."""
    styles = discord.ButtonStyle
    buttons: list[ui.Item[Any]] = [
        HostButton.make(game, "accept", f"{old}.{new}", say("host.accept"), styles.success),
        HostButton.make(game, "decline", f"{old}.{new}", say("host.decline"), styles.secondary),
    ]
    return Card(text, rows=rows_of(buttons))


ASKING = (HostButton,)
