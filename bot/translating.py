"""Commands, options and choices in the languages of Discord's clients.

Their English is in the program, where discord.py wants it; the German stands beside the cogs, by the English.
"""

from __future__ import annotations

from discord import Locale, app_commands
from discord.app_commands import TranslationContextLocation as Where

import catalogue
from catalogue import language_of

_NAMES = (Where.command_name, Where.group_name, Where.parameter_name)


def named(name: str, language: str) -> str:
    """A command's or an option's name in a language."""
    return name if language == "en" else catalogue.read("bot.cogs", language).get(f"name.{name}", name)


def told(text: str, language: str) -> str:
    """A description or a choice in a language."""
    return text if language == "en" else catalogue.read("bot.cogs", language).get(f"text.{text}", text)


class Translator(app_commands.Translator):
    """Gives Discord the German of all commands; it asks for every locale that it knows."""

    async def translate(
        self, string: app_commands.locale_str, locale: Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        language = language_of(locale.value)
        if language == "en":
            return None
        known = catalogue.read("bot.cogs", language)
        return known.get(f"{'name' if context.location in _NAMES else 'text'}.{string.message}")
