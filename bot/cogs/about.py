"""/about says what this is, /help says what to type."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.services import Services
from bot.texts import language_of
from bot.translating import named, told


class TextCard(ui.LayoutView):
    """One text in a frame."""

    def __init__(self, text: str) -> None:
        super().__init__(timeout=None)
        self.add_item(ui.Container(ui.TextDisplay(text), accent_colour=discord.Colour(0xF2B035)))


class About(commands.Cog):
    """What this is and how to begin."""

    def __init__(self, services: Services, client: commands.Bot) -> None:
        self.services = services
        self.client = client

    @app_commands.command()
    async def about(self, interaction: discord.Interaction[Any]) -> None:
        """Say what Kursbuch is"""
        text = self.services.people.say_now(interaction)("about.text", version=metadata.version("kursbuch"))
        await interaction.response.send_message(view=TextCard(text), ephemeral=True)

    @app_commands.command()
    async def help(self, interaction: discord.Interaction[Any]) -> None:
        """List what you can type"""
        say = self.services.people.say_now(interaction)
        # Discord shows commands in the language of the client, whatever somebody has chosen for sentences.
        language = language_of(str(interaction.locale))
        lines = [say("about.command", name=name, text=text) for name, text in sorted(described(self.client, language))]
        text = "\n".join((say("about.commands"), *lines))
        await interaction.response.send_message(view=TextCard(text), ephemeral=True)


def described(client: commands.Bot, language: str) -> list[tuple[str, str]]:
    """Every command as a person types it, with what it does."""
    return [
        (" ".join(named(word, language) for word in each.qualified_name.split()), told(each.description, language))
        for each in client.tree.walk_commands(type=discord.AppCommandType.chat_input)
        if isinstance(each, app_commands.Command)
    ]


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(About(bot.services, bot))
