"""/about says what this is, /help says what to type."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.services import Services
from bot.texts import Say, language_of
from bot.translating import named


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
        await interaction.response.send_message(view=TextCard(help_text(say, self.client, language)), ephemeral=True)


#: When somebody wants which commands: by their first word, in the order in which they are told. What is in none of
#: these is about a turn.
SITUATIONS = {
    "begin": ("game",),
    "turn": (),
    "look": ("map", "market", "sheet", "company", "tiles", "trains", "log", "cards", "rules"),
    "host": ("host",),
    "me": ("me", "vacation", "about", "help"),
    "server": ("server",),
}
#: Commands that the sentence of a situation tells by name.
_NAMED = {"begin": "game new", "turn": "turn"}


def situation(command: str) -> str:
    """When somebody wants a command."""
    first = command.split()[0]
    return next((key for key, firsts in SITUATIONS.items() if first in firsts), "turn")


def help_text(say: Say, client: commands.Bot, language: str) -> str:
    """Every command, by the situation in which somebody wants it, as a client of the language calls it."""
    known = [
        each.qualified_name
        for each in client.tree.walk_commands(type=discord.AppCommandType.chat_input)
        if isinstance(each, app_commands.Command)
    ]
    lines = []
    for key in SITUATIONS:
        names = [name for name in known if situation(name) == key]
        own = _NAMED.get(key, "")
        rest = " ".join(typed(name, language) for name in sorted(names) if name != own)
        lines.append(say(f"help.{key}", rest=rest, **({own.split()[-1]: typed(own, language)} if own else {})))
    return "\n".join(lines)


def typed(command: str, language: str) -> str:
    """A command as a person types it."""
    return f"`/{' '.join(named(word, language) for word in command.split())}`"


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(About(bot.services, bot))
