"""The bot as a discord.py client: what it asks of Discord, how it starts, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

import discord
import yarl
from discord.ext import commands

from bot.settings import Settings

_log = logging.getLogger(__name__)

# The bot has no voice; without this discord.py warns of missing voice libraries at every start.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

COGS = ("bot.cogs.about",)
#: Faults of Discord's side last seconds or hours; the pause between attempts grows to this.
LONGEST_PAUSE_SECONDS = 60.0


def use_endpoints(api_base: str | None, gateway: str | None) -> None:
    """Point discord.py to another Discord. Unset, nothing is touched and the real one is used."""
    if api_base is not None:
        discord.http.Route.BASE = api_base.rstrip("/")
        discord.Asset.BASE = str(yarl.URL(api_base).origin())
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def least_intents() -> discord.Intents:
    """No message content, no member list, no presences: the bot works by commands and buttons."""
    intents = discord.Intents.default()
    intents.message_content = False
    intents.members = False
    intents.presences = False
    return intents


class Kursbuch(commands.Bot):
    """The client. Cogs do the work; this only holds them together."""

    def __init__(self, settings: Settings, **options: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=least_intents(),
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=True),
            **options,
        )
        self.settings = settings

    async def setup_hook(self) -> None:
        """Load the cogs, and register the commands if asked to."""
        for name in COGS:
            await self.load_extension(name)
        if self.settings.sync_commands:
            synced = await self.tree.sync()
            _log.info("registered %d commands", len(synced))

    async def on_ready(self) -> None:
        """Say where we are."""
        _log.info("%s is at %d servers", self.user, len(self.guilds))


async def supervise(settings: Settings, **options: Any) -> None:
    """Run the bot until it is cancelled, starting it anew when it dies of anything but its own fault.

    An exception in discord.py's gateway loop ends a client for good, so a fresh one takes its place.
    A wrong token or a missing intent would fail again and again, and is raised at once.
    """
    use_endpoints(settings.api_base, settings.gateway)
    pause = 0.5
    while True:
        began = time.monotonic()
        client = Kursbuch(settings, **options)
        try:
            async with client:
                await client.start(settings.token)
            return
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired):
            raise
        except Exception:
            # One that had worked for a while gets a quick successor; one that hardly came up is given time.
            lived = time.monotonic() - began
            pause = 1.0 if lived > LONGEST_PAUSE_SECONDS else min(pause * 2, LONGEST_PAUSE_SECONDS)
            _log.exception("the client died; a new one starts in %.0f s", pause)
            await asyncio.sleep(pause)
