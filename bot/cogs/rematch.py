"""After the end: the same people once more, and the game to take home."""

from __future__ import annotations

import io
from typing import Any

import discord

from bot import places
from bot.card.turn import Card
from bot.cogs.lobby import Lobby
from bot.games.allowance import Allowance
from bot.games.service import Live, ServiceError, check_known
from bot.games.stuck import Stuck
from bot.services import Services
from bot.texts import Say
from engine import codec
from storage.records import ENDED, FINISHED, NewGame


class Ending:
    """Answers the buttons of a final card."""

    def __init__(self, services: Services, client: discord.Client, lobby: Lobby) -> None:
        self.services = services
        self.client = client
        self.lobby = lobby
        self._allowance = Allowance(lambda: self.services.games.now())

    async def pressed(self, interaction: discord.Interaction[Any], game: int, verb: str) -> None:
        await interaction.response.defer(ephemeral=True, thinking=True)
        live = await self.services.games.found(game)
        say = await self.services.people.say_to(interaction)
        if isinstance(live, Stuck) and verb == "export":
            await self._export(interaction, live, say)
            return
        if live.record.status not in (FINISHED, ENDED):
            # It was taken up again by an undo.
            raise ServiceError("refuse.not_over")
        if verb == "export":
            await self._export(interaction, live, say)
        else:
            await self._rematch(interaction, live, say)

    async def _export(self, interaction: discord.Interaction[Any], live: Live | Stuck, say: Say) -> None:
        if live.hidden if isinstance(live, Stuck) else live.game.rules.secret:
            # Its seed and its moves tell what was given up unseen.
            if isinstance(live, Stuck) and live.shown is None:
                raise ServiceError("stuck.no_export", number=live.record.id)
            raise ServiceError("refuse.export_hidden")
        quotas = await self.services.store.quotas(live.record.guild)
        self._allowance.take(
            "exports",
            live.record.guild,
            interaction.user.id,
            of_person=quotas.exports_of_person,
            of_server=quotas.exports_of_server,
        )
        record = live.record
        if isinstance(live, Stuck):
            text = live.saved()
        else:
            kept = await self.services.store.kept(record.id)
            known = kept.digests if kept is not None and len(kept.moves) == len(live.game.moves) else ()
            proof = ["" if each is None else each.hex() for each in known]
            text = codec.write(live.game, seed_typed=record.seed_typed, proof=proof)
        file = discord.File(io.BytesIO(text.encode()), f"{record.title}-{record.id}.json")
        await interaction.followup.send(say("end.exported"), file=file, ephemeral=True)

    async def _rematch(self, interaction: discord.Interaction[Any], live: Live | Stuck, say: Say) -> None:
        """The options of this game in a new lobby, seats drawn anew. Whoever asks has a seat; others' are held."""
        record = live.record
        name = live.player_of(interaction.user.id)
        if not name:
            raise ServiceError("refuse.not_your_game")
        check_known(record)
        await self.lobby.check_place(interaction)
        channel = await places.find(self.client, record.lobby_channel or record.channel)
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
            options=record.options,
            seed=None,
            host=interaction.user.id,
            seats_wanted=len(record.seats),
            reminder_hours=record.reminder_hours,
            form=record.form,
            invited=tuple(seat.user for seat in record.seats if not seat.house and seat.user != interaction.user.id),
        )
        houses = sum(bool(seat.house) for seat in record.seats)
        opened = await self.lobby.open(wanted, channel, [(interaction.user.id, name)], houses=houses)
        await interaction.edit_original_response(view=Card(say("lobby.made", channel=f"<#{opened.channel}>")))


async def setup(bot: Any) -> None:
    """Called by discord.py when the buttons of final cards are to be answered."""
    bot.ending = Ending(bot.services, bot, bot.lobby)
