"""One place that turns what went wrong into a private, friendly answer.

Order of precedence: what the rules refuse, what the service refuses, a stale panel, the database, Discord's own
refusals and problems, and last the unexpected, which is logged with a reference that the person is given.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

import aiohttp
import discord
from discord import app_commands

from bot.answers import tell
from bot.card import stuck as stuck_words
from bot.card.rules_help import why_rows
from bot.games.service import NotLoaded, ServiceError, Stale, Unsettled
from bot.games.stuck import Stuck
from bot.logs import is_late
from bot.picking.walk import NoSuchChoice
from bot.places import permission_names
from bot.texts import Say
from bot.words.wording import refusal
from engine.errors import KursbuchError, Refused
from storage.errors import RepeatedError, StaleError, StorageError

_log = logging.getLogger(__name__)


def root(error: BaseException) -> BaseException:
    """What is behind discord.py's wrappers."""
    while isinstance(error, app_commands.CommandInvokeError | app_commands.TransformerError) and error.__cause__:
        error = error.__cause__
    return error


def sentence(say: Say, error: BaseException, context: str = "") -> str:
    """What a person is told."""
    match error:
        case Refused(rule=rule):
            reason = refusal(say, error)
            return say("refuse.clause", reason=reason, rule=rule) if rule else say("refuse.rule", reason=reason)
        case NotLoaded(stuck=stuck):
            return stuck_words.refused(say, stuck)
        case ServiceError(key=key, values=values):
            return say(key, **values)
        case NoSuchChoice() | StaleError():
            return say("refuse.stale")
        case RepeatedError():
            return say("panel.done")
        case StorageError():
            _log.error("the database refused: %s (%s)", error, context)
            return say("refuse.storage", reason=str(error))
        case KursbuchError():
            return say("refuse.rule", reason=str(error))
        case app_commands.BotMissingPermissions(missing_permissions=missing):
            return say("refuse.missing_permission", permissions=permission_names(missing))
        case app_commands.MissingPermissions():
            return say("refuse.admin_only")
        case discord.Forbidden():
            return say("refuse.missing_permission", permissions=str(error.text))
        case discord.HTTPException() | aiohttp.ClientError() | TimeoutError():
            _log.warning("Discord failed: %r in %s", error, context, exc_info=error)
            return say("refuse.discord")
    reference = secrets.token_hex(4)
    _log.error("unexpected error %s in %s", reference, context, exc_info=error)
    return say("refuse.unexpected", reference=reference)


async def _in_words(interaction: discord.Interaction[Any], error: BaseException) -> BaseException:
    """Of a game whose host has yet to choose how it goes on: what is the matter with it, in place of that alone."""
    if isinstance(error, Unsettled):
        try:
            stuck = await interaction.client.service.found(error.record.id)
        except Exception as problem:
            _log.info("what is the matter with game %d could not be told: %r", error.record.id, problem)
        else:
            return NotLoaded(stuck) if isinstance(stuck, Stuck) else Stale()
    return error


async def handle(interaction: discord.Interaction[Any], error: BaseException, say: Say) -> None:
    """Tell the person, privately."""
    data: Any = interaction.data or {}
    context = f"interaction {interaction.id} in {interaction.channel_id} by {interaction.user.id}: {data!r:.300}"
    if is_late(error):
        # Nobody hears what else could be said.
        _log.warning("too late for Discord: %s", context)
        return
    found = await _in_words(interaction, root(error))
    rows = why_rows(say, found.rule) if isinstance(found, Refused | ServiceError) else []
    await tell(interaction, sentence(say, found, context), rows)
