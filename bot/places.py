"""Channels and threads: finding them, and who may write there."""

from __future__ import annotations

from typing import Any

import discord

from bot.games.service import ServiceError
from storage.records import GameRecord

#: Discord's word for a channel that does not exist, among the other things that are not found.
UNKNOWN_CHANNEL = 10003
#: Its words for a thread that is closed to us: archived, locked.
CLOSED_THREAD = (50083, 160005)


async def find(client: discord.Client, channel: int) -> Any | None:
    """A channel or thread; None if it is gone for good. discord.Forbidden if it is there and we may not see it."""
    found = client.get_channel(channel)
    if found is not None:
        return found
    try:
        return await client.fetch_channel(channel)
    except discord.NotFound:
        return None


def is_gone(problem: BaseException) -> bool:
    """Whether an error says that a channel was deleted."""
    return isinstance(problem, discord.NotFound) and problem.code == UNKNOWN_CHANNEL


def is_closed(problem: BaseException) -> bool:
    """Whether an error says that a thread is closed, until somebody opens it again."""
    return isinstance(problem, discord.HTTPException) and problem.code in CLOSED_THREAD


def is_refused(problem: BaseException) -> bool:
    """Whether trying again is no use until somebody gives a permission back, or opens a thread."""
    return isinstance(problem, discord.Forbidden) or is_closed(problem)


def may_see(interaction: discord.Interaction[Any], record: GameRecord) -> bool:
    """Whether the asker can see the channel in which a game lives; one that is hidden from them is not told of."""
    if interaction.channel_id in (record.channel, record.lobby_channel):
        return True
    guild, member = interaction.guild, interaction.user
    if guild is None or not isinstance(member, discord.Member):
        return False
    # A thread that rests is not known by itself; it is seen by whoever sees the channel it belongs to.
    places = [guild.get_channel_or_thread(place) for place in (record.channel, record.lobby_channel) if place]
    found = next((place for place in places if place is not None), None)
    return found is not None and found.permissions_for(member).view_channel


def check_may_write(interaction: discord.Interaction[Any], channel: Any, *, new_thread: bool = False) -> None:
    """Refuse to write for somebody who may not write there themselves."""
    member: Any = interaction.user
    if channel.id == interaction.channel_id:
        # Discord says what the person may do where they are.
        allowed = interaction.permissions
    else:
        allowed = channel.permissions_for(member)
    if new_thread:
        needed = ["create_public_threads", "send_messages_in_threads"]
    elif isinstance(channel, discord.Thread):
        needed = ["send_messages_in_threads"]
    else:
        needed = ["send_messages"]
    missing = [name for name in needed if not getattr(allowed, name)]
    if missing:
        raise ServiceError("refuse.your_permission", permissions=permission_names(missing))


def permission_names(names: list[str]) -> str:
    """Permissions as Discord's settings call them."""
    return ", ".join(name.replace("_", " ").title().replace(" In ", " in ") for name in names)
