"""What the table's world is made of: plain records, ids as the strings that travel on the wire."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum, IntFlag
from typing import Any, Self

from table.locales import nearest

JSON = dict[str, Any]


class ChannelType(IntEnum):
    """The kinds of channel that the table has."""

    TEXT = 0
    DIRECT = 1
    CATEGORY = 4
    PUBLIC_THREAD = 11
    PRIVATE_THREAD = 12


class MessageType(IntEnum):
    """The kinds of message that the table makes."""

    DEFAULT = 0
    PINNED = 6
    THREAD_CREATED = 18
    REPLY = 19
    CHAT_INPUT_COMMAND = 20
    THREAD_STARTER = 21


class MessageFlag(IntFlag):
    """Message flags that change what the table does."""

    SUPPRESS_EMBEDS = 1 << 2
    HAS_THREAD = 1 << 5
    EPHEMERAL = 1 << 6
    LOADING = 1 << 7
    SUPPRESS_NOTIFICATIONS = 1 << 12
    COMPONENTS_V2 = 1 << 15


#: The flags that a bot may set itself when it sends.
SENDABLE_FLAGS = (
    MessageFlag.SUPPRESS_EMBEDS | MessageFlag.EPHEMERAL | MessageFlag.SUPPRESS_NOTIFICATIONS | MessageFlag.COMPONENTS_V2
)


@dataclass
class User:
    """A person or the bot."""

    id: str
    name: str
    display_name: str
    bot: bool = False
    locale: str = "en-GB"
    zone: str = "UTC"
    colour: int = 0x5865F2
    accepts_direct_messages: bool = True

    @classmethod
    def from_doc(cls, doc: JSON) -> Self:
        """Rebuild from the stored form; who sat down with a browser's own language gets Discord's."""
        return cls(**doc | {"locale": nearest(doc["locale"])})


@dataclass
class Role:
    """A role of a server; the one with the server's own id is @everyone."""

    id: str
    name: str
    permissions: int = 0
    position: int = 0
    colour: int = 0
    mentionable: bool = False
    managed: bool = False


@dataclass
class Overwrite:
    """What a channel gives to or takes from a role (kind 0) or a member (kind 1)."""

    id: str
    kind: int
    allow: int = 0
    deny: int = 0


@dataclass
class Member:
    """A user's place in a server."""

    user_id: str
    joined: float
    roles: list[str] = field(default_factory=list)
    nick: str | None = None


@dataclass
class Guild:
    """A server."""

    id: str
    name: str
    owner_id: str
    locale: str = "en-GB"
    roles: dict[str, Role] = field(default_factory=dict)
    members: dict[str, Member] = field(default_factory=dict)

    @classmethod
    def from_doc(cls, doc: JSON) -> Self:
        """Rebuild from the stored form."""
        guild = cls(**doc)
        guild.roles = {key: Role(**value) for key, value in doc["roles"].items()}
        guild.members = {key: Member(**value) for key, value in doc["members"].items()}
        return guild


@dataclass
class Channel:
    """A text channel, a category, a thread or a direct message."""

    id: str
    type: int
    name: str = ""
    guild_id: str | None = None
    parent_id: str | None = None
    topic: str | None = None
    position: int = 0
    overwrites: dict[str, Overwrite] = field(default_factory=dict)
    recipients: list[str] = field(default_factory=list)
    last_message_id: str | None = None
    # threads
    owner_id: str | None = None
    members: list[str] = field(default_factory=list)
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    archive_changed: float = 0.0
    auto_archive_minutes: int = 1440
    message_count: int = 0

    @property
    def is_thread(self) -> bool:
        """Whether this hangs below another channel's messages."""
        return self.type in (ChannelType.PUBLIC_THREAD, ChannelType.PRIVATE_THREAD)

    @property
    def is_direct(self) -> bool:
        """Whether this is a direct message."""
        return self.type == ChannelType.DIRECT

    @classmethod
    def from_doc(cls, doc: JSON) -> Self:
        """Rebuild from the stored form."""
        channel = cls(**doc)
        channel.overwrites = {key: Overwrite(**value) for key, value in doc["overwrites"].items()}
        return channel


@dataclass
class Attachment:
    """A file beside a message; its bytes are in the store under its id."""

    id: str
    filename: str
    size: int
    content_type: str
    description: str | None = None
    width: int | None = None
    height: int | None = None


@dataclass
class Message:
    """One message. `reader` is set for an ephemeral one: nobody else ever sees it."""

    id: str
    channel_id: str
    author_id: str
    created: float
    content: str = ""
    type: int = MessageType.DEFAULT
    flags: int = 0
    edited: float | None = None
    attachments: list[Attachment] = field(default_factory=list)
    embeds: list[JSON] = field(default_factory=list)
    components: list[JSON] = field(default_factory=list)
    mentions: list[str] = field(default_factory=list)
    mention_roles: list[str] = field(default_factory=list)
    mention_everyone: bool = False
    # Whom it notified when it was sent. An edit notifies nobody, whatever it mentions.
    pinged: list[str] = field(default_factory=list)
    pinned: bool = False
    reader: str | None = None
    # The interaction that this answers: its id, type, name, user_id and so on.
    interaction: JSON | None = None
    reference: JSON | None = None
    thread_id: str | None = None
    nonce: str | int | None = None
    poll: JSON | None = None

    @classmethod
    def from_doc(cls, doc: JSON) -> Self:
        """Rebuild from the stored form."""
        message = cls(**doc)
        message.attachments = [Attachment(**each) for each in doc["attachments"]]
        return message

    @property
    def is_v2(self) -> bool:
        """Whether the message is made of V2 components alone."""
        return bool(self.flags & MessageFlag.COMPONENTS_V2)


@dataclass
class Command:
    """A registered application command; `guild_id` is None for a global one."""

    id: str
    guild_id: str | None
    version: str
    data: JSON


@dataclass
class Application:
    """The one application at the table, which is also its bot user."""

    id: str
    name: str
    token: str
    # Privileged intents that are switched on in the developer portal, as gateway bits.
    privileged_intents: int = 0
