"""Answers to interactions that hold whatever Discord does: what was done is done, and only the words may be lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

import aiohttp
import discord
from discord import ui

from bot.card.turn import Card

_log = logging.getLogger(__name__)
T = TypeVar("T")

#: What Discord, the net and the system may do to a message on its way.
TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


async def meanwhile(acknowledging: Coroutine[Any, Any, object], work: Coroutine[Any, Any, T]) -> T:
    """Look for what an answer needs while Discord is told that one will come: that goes out first, and has arrived when
    this ends, whether or not the work has failed."""
    telling = asyncio.create_task(acknowledging)
    try:
        await asyncio.sleep(0)
        return await work
    finally:
        work.close()
        await telling


async def tell(interaction: discord.Interaction[Any], text: str, rows: Sequence[ui.ActionRow[Any]] = ()) -> None:
    """Answer privately, whether or not the interaction has been answered before."""
    card = Card(text, rows=rows)
    try:
        if interaction.response.is_done():
            await interaction.followup.send(view=card, ephemeral=True)
        else:
            await interaction.response.send_message(view=card, ephemeral=True)
    except (*TROUBLE, discord.InteractionResponded, RuntimeError) as problem:  # RuntimeError: we are leaving
        _log.warning("an answer could not be given: %r", problem)


async def show_done(
    interaction: discord.Interaction[Any], card: Card, files: Sequence[discord.File] = ()
) -> int | None:
    """Show what has been done; gives the message. If Discord fails it is done all the same, and the channel's card will
    tell."""
    try:
        message = await interaction.edit_original_response(
            view=card, attachments=list(files), allowed_mentions=discord.AllowedMentions.none()
        )
        return message.id
    except (*TROUBLE, RuntimeError) as problem:  # RuntimeError: we are leaving
        _log.warning("interaction %d: what was done could not be shown: %r", interaction.id, problem)
        return None
