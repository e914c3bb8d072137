"""Commands in German: every name and description, within what Discord allows, and as the sentences name them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from discord import app_commands

import catalogue
from bot.client import Kursbuch
from bot.cogs.about import help_text, typed
from bot.picking.screen import WHOLE, text_height
from bot.settings import Settings
from bot.texts import speaker
from catalogue import LANGUAGES
from storage.sqlite import SqliteStore

#: What Discord says of names: letters and digits of any script, - and _, and small where there are small ones.
NAME = re.compile(r"[-_'\w]{1,32}")
#: Options that a command is given whose name is not in the catalogues; none.
JSON = dict[str, Any]


@pytest.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Kursbuch]:
    bot = Kursbuch(Settings("t"))
    async with await SqliteStore.open(tmp_path / "kursbuch.sqlite3") as bot.store:
        await bot.furnish()
        yield bot


async def sent(bot: Kursbuch) -> list[JSON]:
    """The commands as Discord gets them."""
    translator = bot.tree.translator
    assert translator is not None
    return [await each.get_translated_payload(bot.tree, translator) for each in bot.tree.get_commands()]


def parts(command: JSON, path: str = "") -> Iterator[tuple[str, JSON]]:
    here = f"{path} {command['name']}".strip()
    yield here, command
    for each in command.get("options", ()):
        yield from parts(each, here)


async def test_every_command_and_option_has_a_german_name_and_description(bot: Kursbuch) -> None:
    for command in await sent(bot):
        for path, part in parts(command):
            name = part["name_localizations"].get("de", "")
            text = part["description_localizations"].get("de", "")
            assert NAME.fullmatch(name), path
            assert name == name.lower(), path
            assert 1 <= len(text) <= 100, path
            assert part["description"] != "…", f"{path} says nothing in English"
            for choice in part.get("choices", ()):
                assert 1 <= len(choice["name_localizations"]["de"]) <= 100, path


async def test_no_two_neighbours_share_a_german_name(bot: Kursbuch) -> None:
    commands = await sent(bot)
    groups = [commands, *(part["options"] for each in commands for _, part in parts(each) if part.get("options"))]
    for group in groups:
        names = [part["name_localizations"]["de"] for part in group]
        assert len(set(names)) == len(names), names


async def test_nothing_is_translated_that_is_no_longer_said(bot: Kursbuch) -> None:
    said = set()
    for command in await sent(bot):
        for _, part in parts(command):
            said |= {f"name.{part['name']}", f"text.{part['description']}"}
            said |= {f"text.{choice['name']}" for choice in part.get("choices", ())}
    assert catalogue.read("bot.cogs", "de").keys() == said


@pytest.mark.parametrize("language", LANGUAGES)
async def test_sentences_name_commands_as_they_are_typed_in_their_language(bot: Kursbuch, language: str) -> None:
    known = set(re.findall(r"`/([^`]+)`", help_text(speaker(language), bot, language)))
    named = {found for text in catalogue.read("bot", language).values() for found in re.findall(r"`/([^`{]+)`", text)}
    assert named
    assert named <= known, named - known


async def test_help_is_german_for_german_clients(bot: Kursbuch) -> None:
    text = help_text(speaker("de"), bot, "de")
    assert "`/spiel neu` eröffnet einen Tisch" in text
    assert text.index("Ich bin am Zug") < text.index("Ich leite ein Spiel")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_help_has_every_command_once_and_fits_on_a_phone(bot: Kursbuch, language: str) -> None:
    text = help_text(speaker(language), bot, language)
    told = re.findall(r"`/([^`]+)`", text)
    commands = [each for each in bot.tree.walk_commands() if isinstance(each, app_commands.Command)]
    assert sorted(told) == sorted(typed(each.qualified_name, language).strip("`/") for each in commands)
    assert text_height(text) <= WHOLE
