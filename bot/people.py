"""People's settings as they are remembered, and the language in which each of them is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import discord

from bot.texts import Say, language_of, speaker
from storage.records import Person
from storage.sqlite import SqliteStore


class People:
    """Whoever has asked for something; their settings are read from the database once."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._known: dict[int, Person] = {}
        #: Called when somebody has set something: what they are reminded of may be due at another time.
        self.changed: Callable[[], None] = lambda: None

    async def person(self, user: int) -> Person:
        found = self._known.get(user)
        if found is None:
            found = self._known[user] = await self._store.person(user)
        return found

    async def set_person(self, person: Person) -> None:
        await self._store.set_person(person)
        self._known[person.user] = person
        self.changed()

    async def language_of(self, interaction: discord.Interaction[Any]) -> str:
        """What somebody has chosen, else what their Discord says."""
        person = await self.person(interaction.user.id)
        return language_of(person.locale or str(interaction.locale))

    async def say_to(self, interaction: discord.Interaction[Any]) -> Say:
        return speaker(await self.language_of(interaction))

    async def say_in(self, guild: int) -> Say:
        """For cards that everybody on a server reads."""
        return speaker((await self._store.server(guild)).locale or "en")

    def say_now(self, interaction: discord.Interaction[Any]) -> Say:
        """In the language of whoever asks, from memory alone."""
        person = self._known.get(interaction.user.id)
        return speaker((person.locale if person else "") or str(interaction.locale))
