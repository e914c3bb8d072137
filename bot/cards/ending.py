"""After the end: the same people once more, and the game to take home."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import discord

import titles
from bot import places
from bot.cards.panel import Card
from bot.games.allowance import Allowance
from bot.games.seeds import drawn_seed
from bot.games.service import Live, ServiceError
from bot.texts import Say
from engine import codec
from storage.records import ENDED, FINISHED, NewGame

if TYPE_CHECKING:
    from bot.client import Kursbuch


class Ending:
    """Answers the buttons of a final card."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot
        self._allowance = Allowance(lambda: bot.service.now())

    async def pressed(self, interaction: discord.Interaction[Any], game: int, verb: str) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        live = await self.bot.service.live(game)
        say = await self.bot.say_to(interaction)
        if live.record.status not in (FINISHED, ENDED):
            # It was taken up again by an undo.
            raise ServiceError("refuse.not_over")
        if verb == "export":
            await self._export(interaction, live, say)
        else:
            await self._rematch(interaction, live, say)

    async def _export(self, interaction: discord.Interaction[Any], live: Live, say: Say) -> None:
        if live.game.rules.secret:
            # Its seed and its moves tell what was given up unseen.
            raise ServiceError("refuse.export_hidden")
        quotas = await self.bot.store.quotas(live.record.guild)
        self._allowance.take(
            "exports",
            live.record.guild,
            interaction.user.id,
            of_person=quotas.exports_of_person,
            of_server=quotas.exports_of_server,
        )
        text = codec.write(live.game, live.record.title_version)
        file = discord.File(io.BytesIO(text.encode()), f"{live.record.title}-{live.record.id}.json")
        await interaction.followup.send(say("end.exported"), file=file, ephemeral=True)

    async def _rematch(self, interaction: discord.Interaction[Any], live: Live, say: Say) -> None:
        """The same people and options once more, seats drawn anew."""
        record = live.record
        if not live.player_of(interaction.user.id):
            raise ServiceError("refuse.not_your_game")
        channel = await places.find(self.bot, record.lobby_channel or record.channel)
        if channel is None:
            raise ServiceError("refuse.no_game")
        places.check_may_write(interaction, channel)
        thread = record.lobby_channel is not None
        if thread:
            places.check_may_write(interaction, channel, new_thread=True)
        wanted = NewGame(
            guild=record.guild,
            channel=interaction.id if thread else channel.id,
            title=record.title,
            title_version=titles.find(record.title).version,
            options=record.options,
            seed=drawn_seed(record.title, record.form, record.options),
            host=interaction.user.id,
            seats_wanted=len(record.seats),
            reminder_hours=record.reminder_hours,
            form=record.form,
        )
        # Whoever asks for it is the host and comes first.
        first = sorted(record.seats, key=lambda seat: (seat.house != "", seat.user != interaction.user.id))
        people = [(seat.user, seat.name) for seat in first if not seat.house]
        houses = sum(bool(seat.house) for seat in record.seats)
        opened = await self.bot.lobby.open(wanted, channel, people, houses=houses, ping=True)
        await interaction.edit_original_response(view=Card(say("lobby.made", channel=f"<#{opened.channel}>")))
