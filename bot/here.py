"""Which game somebody means: that of the channel they write in, or of the threads below it."""

from __future__ import annotations

from typing import Any

import discord

from bot.games.service import GameService, Live, ServiceError
from bot.games.stuck import Stuck
from storage.records import ENDED, FINISHED, LOBBY, PAUSED, PLAYING, GameRecord
from storage.sqlite import SqliteStore


class Here:
    """Finds the game of a place."""

    def __init__(self, service: GameService, store: SqliteStore) -> None:
        self._service = service
        self._store = store

    async def record(self, interaction: discord.Interaction[Any]) -> GameRecord:
        """The game of the channel, or of the channel that a thread belongs to, or the only one in its threads."""
        over: GameRecord | None = None
        for channel in _places(interaction):
            record = await self._store.game_in(channel)
            if record is not None and record.status not in (FINISHED, ENDED):
                return record
            over = over or record
        inside = []
        if interaction.guild_id is not None and over is None:
            games = await self._store.games(guild=interaction.guild_id, statuses=(LOBBY, PLAYING, PAUSED))
            inside = [game for game in games if game.lobby_channel == interaction.channel_id]
        if len(inside) > 1:
            raise ServiceError("refuse.several", channels=" ".join(f"<#{game.channel}>" for game in inside[:30]))
        if over is None and not inside:
            raise ServiceError("refuse.no_game")
        return over or inside[0]

    async def live(self, interaction: discord.Interaction[Any]) -> Live:
        """The game of a place with its position."""
        return await self._service.live((await self.record(interaction)).id)

    async def found(self, interaction: discord.Interaction[Any]) -> Live | Stuck:
        """The game of a place for whoever can do with one that cannot go on."""
        return await self._service.found((await self.record(interaction)).id)

    async def suggested(self, interaction: discord.Interaction[Any]) -> Live | None:
        """The game of the channel if it is being played, and if it is there within a moment."""
        places = _places(interaction)
        for channel in places:
            # While somebody types, one key follows the other: the database is asked for the first only.
            live = self._service.played_in(channel)
            if live is not None:
                return live
        return await self._service.soon(places[0], lambda: self.record(interaction)) if places else None


def _places(interaction: discord.Interaction[Any]) -> list[int]:
    places = [interaction.channel_id, getattr(interaction.channel, "parent_id", None)]
    return [place for place in places if place is not None]
