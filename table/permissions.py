"""Permission bits, and what a user may do in a channel."""

from __future__ import annotations

from enum import IntFlag
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from table.model import Channel, Guild


class Permission(IntFlag):
    """The bits that the table looks at; other bits are carried along unread."""

    ADMINISTRATOR = 1 << 3
    MANAGE_CHANNELS = 1 << 4
    MANAGE_GUILD = 1 << 5
    ADD_REACTIONS = 1 << 6
    VIEW_CHANNEL = 1 << 10
    SEND_MESSAGES = 1 << 11
    MANAGE_MESSAGES = 1 << 13
    EMBED_LINKS = 1 << 14
    ATTACH_FILES = 1 << 15
    READ_MESSAGE_HISTORY = 1 << 16
    MENTION_EVERYONE = 1 << 17
    USE_EXTERNAL_EMOJIS = 1 << 18
    CHANGE_NICKNAME = 1 << 26
    MANAGE_ROLES = 1 << 28
    USE_APPLICATION_COMMANDS = 1 << 31
    MANAGE_THREADS = 1 << 34
    CREATE_PUBLIC_THREADS = 1 << 35
    CREATE_PRIVATE_THREADS = 1 << 36
    SEND_MESSAGES_IN_THREADS = 1 << 38
    PIN_MESSAGES = 1 << 51


ALL = (1 << 53) - 1

#: What Discord gives @everyone in a new server, as far as text goes.
EVERYONE = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.ADD_REACTIONS
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.MENTION_EVERYONE
    | Permission.USE_EXTERNAL_EMOJIS
    | Permission.CHANGE_NICKNAME
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.CREATE_PRIVATE_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

#: What the invitation of the bot asks for (docs/hosting.md), and nothing else.
BOT = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.CREATE_PUBLIC_THREADS
    | Permission.SEND_MESSAGES_IN_THREADS
)

#: Both sides of a direct message may do this there.
DIRECT = (
    Permission.VIEW_CHANNEL
    | Permission.SEND_MESSAGES
    | Permission.EMBED_LINKS
    | Permission.ATTACH_FILES
    | Permission.READ_MESSAGE_HISTORY
    | Permission.USE_APPLICATION_COMMANDS
    | Permission.PIN_MESSAGES
)


def in_guild(guild: Guild, user_id: str) -> int:
    """What `user_id` may do in the server as a whole; 0 for a stranger."""
    member = guild.members.get(user_id)
    if member is None:
        return 0
    if guild.owner_id == user_id:
        return ALL
    allowed = guild.roles[guild.id].permissions
    for role_id in member.roles:
        if role_id in guild.roles:
            allowed |= guild.roles[role_id].permissions
    return ALL if allowed & Permission.ADMINISTRATOR else allowed


def in_channel(guild: Guild, channel: Channel, user_id: str) -> int:
    """What `user_id` may do in `channel` (for a thread: its parent) after the overwrites."""
    allowed = in_guild(guild, user_id)
    member = guild.members.get(user_id)
    if member is None or allowed == ALL:
        return allowed
    if everyone := channel.overwrites.get(guild.id):
        allowed = allowed & ~everyone.deny | everyone.allow
    roles = [channel.overwrites[each] for each in member.roles if each in channel.overwrites]
    for overwrite in roles:
        allowed &= ~overwrite.deny
    for overwrite in roles:
        allowed |= overwrite.allow
    if own := channel.overwrites.get(user_id):
        allowed = allowed & ~own.deny | own.allow
    # Without the view of a channel every other permission in it is void.
    return allowed if allowed & Permission.VIEW_CHANNEL else 0
