"""The host's choice after an upgrade that leads a game's moves elsewhere: asked about, then carried out."""

from __future__ import annotations

from typing import Any

import discord

from bot import answers
from bot.card.settling import BACK, KEEP, ask_card, choices
from bot.card.stuck import scores, stuck_card
from bot.card.turn import Card
from bot.games.service import Live, ServiceError, Stale
from bot.games.stuck import Stuck
from bot.services import Services
from bot.texts import Say
from storage.errors import StaleError


def administers(interaction: discord.Interaction[Any]) -> bool:
    """Whether somebody decides on this server what hosts decide; among direct messages nobody does."""
    return bool(getattr(getattr(interaction.user, "guild_permissions", None), "manage_guild", False))


class Settling:
    """What the buttons of the three choices do."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def panel(self, interaction: discord.Interaction[Any], game: int) -> None:
        """The choices and what they are about, for whoever asks; the interaction has been acknowledged."""
        say = await self.services.people.say_to(interaction)
        found = await self.services.games.found(game)
        if isinstance(found, Live):
            raise ServiceError("settle.nothing")
        await answers.show_done(interaction, stuck_card(say, found, (), await self.services.store.told(game)))

    async def pressed(
        self, interaction: discord.Interaction[Any], *, game: int, length: int, move: int, choice: str, verb: str
    ) -> None:
        """Tell what follows from a choice, or carry it out."""
        if verb == "ask":
            await interaction.response.defer(ephemeral=True, thinking=True)
        else:
            await interaction.response.defer()
        say = await self.services.people.say_to(interaction)
        if verb == "leave":
            await answers.show_done(interaction, Card(say("panel.cancelled")))
            return
        record = await self.services.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        force = administers(interaction) and interaction.guild_id == record.guild
        if interaction.user.id != record.host and not force:
            raise ServiceError("refuse.host_only")
        # The verdict is that of the program that runs now.
        found = await self.services.games.found(game)
        if isinstance(found, Live) or choice not in choices(found) or (found.length, found.first) != (length, move):
            await self._settled(interaction, say)
            return
        if verb == "ask":
            await answers.show_done(interaction, ask_card(say, found, choice, scores(found)))
            return
        try:
            text = await self._do(found, choice, interaction.user.id, force=force, say=say)
        except (Stale, StaleError):
            await self._settled(interaction, say)
            return
        await answers.show_done(interaction, Card(text))

    async def _settled(self, interaction: discord.Interaction[Any], say: Say) -> None:
        """Somebody else was quicker, or another program has found otherwise."""
        await answers.show_done(interaction, Card(say("settle.stale")))

    async def _do(self, stuck: Stuck, choice: str, user: int, *, force: bool, say: Say) -> str:
        service, game, length = self.services.games, stuck.record.id, stuck.length
        if choice == KEEP:
            await service.keep_position(game, user, expected=length, force=force)
            return say("settle.done_keep")
        if choice == BACK:
            return say("settle.done_back", count=await service.go_back(game, user, expected=length, force=force))
        await service.end_unsettled(game, user, expected=length, force=force)
        return say("host.now_ended")
