"""The world at the table: who and what there is, who sees what, and the news of every change."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from table import errors, permissions
from table.clock import Clock
from table.model import (
    JSON,
    Application,
    Channel,
    ChannelType,
    Command,
    Guild,
    Member,
    Message,
    Overwrite,
    Role,
    User,
)
from table.permissions import Permission
from table.store import Store


@dataclass(frozen=True)
class Event:
    """Something that changed. Whoever listens builds the form that its own reader may see."""

    name: str
    channel: Channel | None = None
    message: Message | None = None
    data: JSON = field(default_factory=dict)


class World:
    """The state of everything. All changes go through its methods, which save and then tell."""

    def __init__(self, store: Store, clock: Clock, bot_name: str = "Bot") -> None:
        self.store = store
        self.clock = clock
        #: Where the table answers, for the addresses of attachments; known once it listens.
        self.base_url = ""
        self.users: dict[str, User] = {}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.messages: dict[str, dict[str, Message]] = {}
        self.commands: dict[str, Command] = {}
        self.reads: dict[tuple[str, str], str] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self.application = self._load(bot_name)

    # --- memory -----------------------------------------------------------------------------------
    def _load(self, bot_name: str) -> Application:
        self.users = {key: User.from_doc(doc) for key, doc in self.store.all("user")}
        self.guilds = {key: Guild.from_doc(doc) for key, doc in self.store.all("guild")}
        self.channels = {key: Channel.from_doc(doc) for key, doc in self.store.all("channel")}
        self.commands = {key: Command(**doc) for key, doc in self.store.all("command")}
        self.reads = {(key.split(":")[0], key.split(":")[1]): doc for key, doc in self.store.all("read")}
        loaded = [Message.from_doc(doc) for _, doc in self.store.all("message")]
        for message in sorted(loaded, key=lambda each: int(each.id)):
            self.messages.setdefault(message.channel_id, {})[message.id] = message
        for key in (*self.users, *self.guilds, *self.channels, *self.commands, *(m.id for m in loaded)):
            self.clock.seen(key)
        for _, doc in self.store.all("application"):
            return Application(**doc)
        return self._make_application(bot_name)

    def _make_application(self, name: str) -> Application:
        made = Application(id=self.clock.snowflake(), name=name, token=secrets.token_urlsafe(24))
        self.store.put("application", made.id, made)
        self.users[made.id] = User(made.id, made.name.lower(), made.name, bot=True, colour=0xF2B035)
        self.store.put("user", made.id, self.users[made.id])
        return made

    def save_application(self) -> None:
        """Write the application's settings."""
        self.store.put("application", self.application.id, self.application)

    # --- news -------------------------------------------------------------------------------------
    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Hear of every change; returns how to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def tell(self, event: Event) -> None:
        """Pass news on to everybody who listens."""
        for listener in tuple(self._listeners):
            listener(event)

    # --- finding ----------------------------------------------------------------------------------
    @property
    def bot_id(self) -> str:
        """The bot's user id, which is the application's id too."""
        return self.application.id

    def channel(self, channel_id: str) -> Channel:
        """The channel, or Discord's refusal."""
        if found := self.channels.get(channel_id):
            return found
        raise errors.unknown_channel()

    def guild(self, guild_id: str) -> Guild:
        """The server, or Discord's refusal."""
        if found := self.guilds.get(guild_id):
            return found
        raise errors.unknown_guild()

    def user(self, user_id: str) -> User:
        """The user, or Discord's refusal."""
        if found := self.users.get(user_id):
            return found
        raise errors.unknown_user()

    def message(self, channel_id: str, message_id: str) -> Message:
        """The message, or Discord's refusal."""
        if found := self.messages.get(channel_id, {}).get(message_id):
            return found
        raise errors.unknown_message()

    def history(self, channel_id: str) -> Iterable[Message]:
        """All messages of a channel, oldest first."""
        return self.messages.get(channel_id, {}).values()

    def threads_of(self, guild_id: str) -> list[Channel]:
        """The threads of a server that are not archived."""
        return [
            each
            for each in self.channels.values()
            if each.guild_id == guild_id and each.is_thread and not each.archived
        ]

    # --- seeing -----------------------------------------------------------------------------------
    def permissions(self, user_id: str, channel: Channel) -> int:
        """What `user_id` may do in `channel`."""
        if channel.is_direct:
            return permissions.DIRECT if user_id in channel.recipients else 0
        assert channel.guild_id is not None
        guild = self.guilds[channel.guild_id]
        place = self.channels[channel.parent_id] if channel.is_thread and channel.parent_id else channel
        allowed = permissions.in_channel(guild, place, user_id)
        if channel.type == ChannelType.PRIVATE_THREAD and user_id not in channel.members:
            return allowed if allowed & Permission.MANAGE_THREADS else 0
        return allowed

    def may(self, user_id: str, channel: Channel, wanted: int) -> bool:
        """Whether `user_id` has all of the wanted permissions in `channel`."""
        return self.permissions(user_id, channel) & wanted == wanted

    def sees(self, user_id: str, channel: Channel) -> bool:
        """Whether `user_id` sees `channel` at all."""
        return self.may(user_id, channel, Permission.VIEW_CHANNEL)

    def sees_message(self, user_id: str, message: Message) -> bool:
        """Whether `user_id` sees `message`: an ephemeral one only as its reader."""
        if message.reader is not None:
            return message.reader == user_id
        return self.sees(user_id, self.channels[message.channel_id])

    def audience(self, channel: Channel) -> list[str]:
        """Everybody who sees the channel."""
        if channel.is_direct:
            return list(channel.recipients)
        assert channel.guild_id is not None
        return [each for each in self.guilds[channel.guild_id].members if self.sees(each, channel)]

    # --- people and servers -----------------------------------------------------------------------
    def add_user(self, name: str, display_name: str | None = None, **fields: Any) -> User:
        """Make a user; names are unique, as on Discord."""
        if any(each.name == name for each in self.users.values()):
            raise errors.Refused(f"There is already somebody called {name}.")
        user = User(self.clock.snowflake(), name, display_name or name, **fields)
        self.users[user.id] = user
        self.save_user(user)
        return user

    def save_user(self, user: User) -> None:
        """Write a changed user and tell."""
        self.store.put("user", user.id, user)
        self.tell(Event("USER_UPDATE", data={"user_id": user.id}))

    def add_guild(self, name: str, owner: User, locale: str = "en-GB") -> Guild:
        """Make a server with its @everyone role and its owner in it."""
        guild = Guild(self.clock.snowflake(), name, owner.id, locale)
        guild.roles[guild.id] = Role(guild.id, "@everyone", int(permissions.EVERYONE))
        self.guilds[guild.id] = guild
        self.join(guild, owner)
        return guild

    def join(self, guild: Guild, user: User, roles: Iterable[str] = ()) -> Member:
        """Let a user into a server. The bot comes with a role of its own, as an invited one does."""
        member = Member(user.id, self.clock.now(), list(roles))
        guild.members[user.id] = member
        if user.id == self.bot_id:
            role = self.add_role(guild, user.display_name, int(permissions.BOT), managed=True)
            member.roles.append(role.id)
        self.save_guild(guild)
        name = "GUILD_CREATE" if user.id == self.bot_id else "GUILD_MEMBER_ADD"
        self.tell(Event(name, data={"guild_id": guild.id, "user_id": user.id}))
        return member

    def leave(self, guild: Guild, user_id: str) -> None:
        """Take a user out of a server."""
        guild.members.pop(user_id)
        self.save_guild(guild)
        name = "GUILD_DELETE" if user_id == self.bot_id else "GUILD_MEMBER_REMOVE"
        self.tell(Event(name, data={"guild_id": guild.id, "user_id": user_id}))

    def add_role(self, guild: Guild, name: str, allowed: int, **fields: Any) -> Role:
        """Make a role."""
        role = Role(self.clock.snowflake(), name, allowed, position=len(guild.roles), **fields)
        guild.roles[role.id] = role
        self.save_guild(guild)
        self.tell(Event("GUILD_ROLE_CREATE", data={"guild_id": guild.id, "role_id": role.id}))
        return role

    def set_roles(self, guild: Guild, member: Member, roles: list[str]) -> None:
        """Give a member exactly these roles."""
        member.roles = roles
        self.save_guild(guild)
        self.tell(Event("GUILD_MEMBER_UPDATE", data={"guild_id": guild.id, "user_id": member.user_id}))

    def save_guild(self, guild: Guild) -> None:
        """Write a server with its roles and members."""
        self.store.put("guild", guild.id, guild)

    # --- channels ---------------------------------------------------------------------------------
    def add_channel(
        self,
        guild: Guild,
        name: str,
        *,
        kind: int = ChannelType.TEXT,
        overwrites: Iterable[Overwrite] = (),
        **fields: Any,
    ) -> Channel:
        """Make a channel in a server."""
        position = sum(each.guild_id == guild.id and not each.is_thread for each in self.channels.values())
        channel = Channel(
            self.clock.snowflake(),
            kind,
            name,
            guild.id,
            position=position,
            overwrites={each.id: each for each in overwrites},
            **fields,
        )
        self._keep_channel(channel, "CHANNEL_CREATE")
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner_id: str,
        *,
        private: bool = False,
        thread_id: str | None = None,
        **fields: Any,
    ) -> Channel:
        """Make a thread; one that starts from a message has the message's id."""
        thread = Channel(
            thread_id or self.clock.snowflake(),
            ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD,
            name,
            parent.guild_id,
            parent.id,
            owner_id=owner_id,
            members=[owner_id],
            archive_changed=self.clock.now(),
            **fields,
        )
        self._keep_channel(thread, "THREAD_CREATE")
        return thread

    def open_direct(self, one: str, other: str) -> Channel:
        """The direct messages between two users, made when first wanted."""
        for channel in self.channels.values():
            if channel.is_direct and set(channel.recipients) == {one, other}:
                return channel
        channel = Channel(self.clock.snowflake(), ChannelType.DIRECT, recipients=[one, other])
        self._keep_channel(channel, "CHANNEL_CREATE")
        return channel

    def _keep_channel(self, channel: Channel, news: str) -> None:
        self.channels[channel.id] = channel
        self.store.put("channel", channel.id, channel)
        self.tell(Event(news, channel))

    def save_channel(self, channel: Channel, *, tell: bool = True) -> None:
        """Write a changed channel and tell."""
        self.store.put("channel", channel.id, channel)
        if tell:
            self.tell(Event("THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel))

    def join_thread(self, thread: Channel, user_id: str) -> None:
        """Let a user into a thread."""
        if user_id not in thread.members:
            thread.members.append(user_id)
            self.save_channel(thread, tell=False)
            self.tell(Event("THREAD_MEMBERS_UPDATE", thread, data={"added": [user_id], "removed": []}))

    def leave_thread(self, thread: Channel, user_id: str) -> None:
        """Take a user out of a thread."""
        if user_id in thread.members:
            thread.members.remove(user_id)
            self.save_channel(thread, tell=False)
            self.tell(Event("THREAD_MEMBERS_UPDATE", thread, data={"added": [], "removed": [user_id]}))

    def drop_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages."""
        for thread in [each for each in self.channels.values() if each.is_thread]:
            if thread.parent_id == channel.id:
                self.drop_channel(thread)
        for message in self.messages.pop(channel.id, {}).values():
            self._forget(message)
        del self.channels[channel.id]
        self.store.drop("channel", channel.id)
        self.tell(Event("THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel))

    # --- messages ---------------------------------------------------------------------------------
    def add_message(self, message: Message) -> None:
        """Post a message."""
        channel = self.channels[message.channel_id]
        self.messages.setdefault(channel.id, {})[message.id] = message
        self.store.put("message", message.id, message)
        if message.reader is None:
            self._stir_thread(channel, message)
            channel.last_message_id = message.id
            channel.message_count += 1
            self.save_channel(channel, tell=False)
            self.mark_read(message.author_id, channel, message.id)
        self.tell(Event("MESSAGE_CREATE", channel, message))

    def _stir_thread(self, channel: Channel, message: Message) -> None:
        """A message opens a sleeping thread again, and whoever writes or is mentioned there joins it."""
        if not channel.is_thread:
            return
        for each in (message.author_id, *message.mentions):
            self.join_thread(channel, each)
        if channel.archived:
            channel.archived, channel.archive_changed = False, self.clock.now()
            self.save_channel(channel)

    def save_message(self, message: Message) -> None:
        """Write a changed message and tell."""
        self.store.put("message", message.id, message)
        self.tell(Event("MESSAGE_UPDATE", self.channels[message.channel_id], message))

    def drop_message(self, message: Message) -> None:
        """Delete a message."""
        del self.messages[message.channel_id][message.id]
        self._forget(message)
        self.tell(Event("MESSAGE_DELETE", self.channels[message.channel_id], message))

    def _forget(self, message: Message) -> None:
        self.store.drop("message", message.id)
        for attachment in message.attachments:
            self.store.drop_file(attachment.id)

    def mark_read(self, user_id: str, channel: Channel, message_id: str) -> None:
        """Note how far a user has read."""
        if int(message_id) > int(self.reads.get((user_id, channel.id), "0")):
            self.reads[user_id, channel.id] = message_id
            self.store.put("read", f"{user_id}:{channel.id}", message_id)

    def unread(self, user_id: str, channel: Channel) -> tuple[int, int]:
        """How many messages `user_id` has not read in `channel`, and how many of them ping."""
        last = int(self.reads.get((user_id, channel.id), "0"))
        count = pings = 0
        for message in reversed(self.messages.get(channel.id, {}).values()):
            if int(message.id) <= last:
                break
            if message.author_id == user_id or message.reader is not None:
                continue
            count += 1
            pings += user_id in message.pinged or channel.is_direct
        return count, pings
