"""/about says what this is, /help says what to type."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.client import Kursbuch

_ABOUT = {
    "en": (
        "### Kursbuch {version}\n"
        "A bot for playing the Rhine-Ruhr 18xx railway games by message: you see whose turn it is, what "
        "happened, the board and what you may do, and you do it with a few taps.\n"
        "-# It reads no messages. It sees only its own commands and buttons."
    ),
    "de": (
        "### Kursbuch {version}\n"
        "Ein Bot für die 18xx-Eisenbahnspiele von Rhein und Ruhr, gespielt in Nachrichten: Du siehst, wer am "
        "Zug ist, was geschah, den Plan und was du tun darfst, und tust es mit wenigen Fingertipps.\n"
        "-# Er liest keine Nachrichten. Er sieht nur seine eigenen Befehle und Knöpfe."
    ),
}
_HELP = {"en": "### Commands", "de": "### Befehle"}


def language(interaction: discord.Interaction) -> str:
    """German for German clients, else English."""
    return "de" if interaction.locale.value.startswith("de") else "en"


class TextCard(ui.LayoutView):
    """One text in a frame."""

    def __init__(self, text: str) -> None:
        super().__init__(timeout=None)
        self.add_item(ui.Container(ui.TextDisplay(text), accent_colour=discord.Colour(0xF2B035)))


class About(commands.Cog):
    """What this is and how to begin."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    @app_commands.command()
    async def about(self, interaction: discord.Interaction) -> None:
        """Say what Kursbuch is"""
        text = _ABOUT[language(interaction)].format(version=metadata.version("kursbuch"))
        await interaction.response.send_message(view=TextCard(text), ephemeral=True)

    @app_commands.command()
    async def help(self, interaction: discord.Interaction) -> None:
        """List what you can type"""
        lines = [f"- `/{name}`: {text}" for name, text in sorted(_described(self.bot))]
        text = "\n".join((_HELP[language(interaction)], *lines))
        await interaction.response.send_message(view=TextCard(text), ephemeral=True)


def _described(bot: Kursbuch) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for each in bot.tree.walk_commands(type=discord.AppCommandType.chat_input):
        if isinstance(each, app_commands.Command):
            found.append((each.qualified_name, each.description))
    return found


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(About(bot))
