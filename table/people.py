"""What a person at the table can do. The page and the tests use these same verbs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from table import bodies, commands, components, composing, filling, interactions, limits, modals, permissions
from table.components import SELECTS, Kind
from table.composing import Upload
from table.errors import ApiError, FormErrors, Refused
from table.interactions import AnswerKind, Interaction
from table.model import JSON, Channel, ChannelType, Message, MessageFlag, MessageType, User
from table.permissions import Permission

if TYPE_CHECKING:
    from table.server import Table


@dataclass(frozen=True)
class Outcome:
    """What came of a click, a command or a submission by the time the bot had to answer."""

    table: Table
    interaction: Interaction

    @property
    def failed(self) -> bool:
        """Whether the person sees "This interaction failed"."""
        return self.interaction.answer is None

    @property
    def message(self) -> Message | None:
        """The message that answers, as it is now."""
        made = self.interaction
        return self.table.world.messages.get(made.channel_id, {}).get(made.original_id or "")

    @property
    def modal(self) -> JSON | None:
        """The form that the bot opened."""
        return self.interaction.modal

    @property
    def text(self) -> str:
        """Everything that the answer says."""
        return "" if self.message is None else text_of(self.message)

    async def settled(self) -> Outcome:
        """Wait until "is thinking" has become an answer."""

        def thinking_is_over() -> bool:
            return self.message is not None and not self.message.flags & MessageFlag.LOADING

        if self.interaction.answer is AnswerKind.DEFER:
            await self.table.until(thinking_is_over)
        return self

    def brief(self) -> JSON:
        """The outcome in JSON, for the page."""
        made = self.interaction
        return {
            "interaction": made.id,
            "failed": self.failed,
            "modal": made.modal,
            "choices": made.choices,
            "answer": made.answer,
            "message": made.original_id,
        }


def text_of(message: Message) -> str:
    """All words of a message: content, text displays, embeds, and the labels of its components.

    A space is a space, wherever a line may break.
    """
    found = [message.content, *components.texts(message.components)]
    for embed in message.embeds:
        found += [embed.get("title") or "", embed.get("description") or ""]
        found += [f"{each['name']}\n{each['value']}" for each in embed.get("fields") or []]
    for each in components.walk(message.components):
        found += [each.get("label") or "", each.get("placeholder") or ""]
    return "\n".join(each for each in found if each).replace("\N{NO-BREAK SPACE}", " ")


class Person:
    """Somebody at the table."""

    def __init__(self, table: Table, user: User) -> None:
        self.table = table
        self.user = user

    @property
    def id(self) -> str:
        """The user's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """How a text mentions this person."""
        return f"<@{self.user.id}>"

    # --- looking ------------------------------------------------------------------------------------
    def place(self, where: Channel | str) -> Channel:
        """A channel that this person sees, by record, id or name."""
        world = self.table.world
        wanted = where.id if isinstance(where, Channel) else where.removeprefix("#")
        found = world.channels.get(wanted) or next(
            (each for each in world.channels.values() if each.name == wanted and world.sees(self.id, each)),
            None,
        )
        if found is None or not world.sees(self.id, found):
            raise Refused(f"{self.user.display_name} sees no channel {wanted}.")
        return found

    def messages(self, where: Channel | str) -> list[Message]:
        """What this person reads in a channel, oldest first."""
        channel = self.place(where)
        world = self.table.world
        return [each for each in world.history(channel.id) if world.sees_message(self.id, each)]

    def last(self, where: Channel | str) -> Message:
        """The newest message that this person sees in a channel."""
        return self.messages(where)[-1]

    def find(self, message: Message | str) -> Message:
        """A message that this person sees."""
        world = self.table.world
        wanted = message if isinstance(message, str) else message.id
        for kept in world.messages.values():
            if wanted in kept and world.sees_message(self.id, kept[wanted]):
                return kept[wanted]
        raise Refused(f"{self.user.display_name} sees no such message.")

    async def sees(self, text: str, where: Channel | str, seconds: float = 20.0) -> Message:
        """Wait for a message with `text` in it."""

        def there() -> Message | None:
            return next((each for each in reversed(self.messages(where)) if text in text_of(each)), None)

        try:
            return await self.table.until(there, seconds)
        except TimeoutError:
            seen = [text_of(each) for each in self.messages(where)][-5:]
            raise TimeoutError(f"{self.user.display_name} never saw {text!r}; last seen: {seen}") from None

    def read(self, where: Channel | str) -> None:
        """Read a channel to its end."""
        channel = self.place(where)
        if channel.last_message_id is not None:
            self.table.world.mark_read(self.id, channel, channel.last_message_id)

    # --- writing ------------------------------------------------------------------------------------
    async def say(
        self,
        where: Channel | str,
        text: str = "",
        *,
        files: Iterable[Upload] = (),
        reply_to: str | None = None,
    ) -> Message:
        """Write into a channel."""
        channel, world = self.place(where), self.table.world
        needed = Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES
        if not world.may(self.id, channel, needed):
            raise Refused("You do not have permission to send messages in this channel.")
        if channel.locked:
            raise Refused("This thread is locked.")
        payload: JSON = {"content": text}
        if reply_to is not None:
            payload["message_reference"] = {"message_id": reply_to}
        form = FormErrors()
        bodies.MESSAGE.check(payload, (), form)
        try:
            form.check()
            message = composing.compose(world, channel, self.id, payload, dict(enumerate(files)))
        except ApiError as problem:
            raise Refused(problem.message) from problem
        world.add_message(message)
        return message

    async def open_thread(
        self, where: Channel | str, name: str, *, message: Message | str | None = None, private: bool = False
    ) -> Channel:
        """Open a thread, from a message or by itself."""
        channel, world = self.place(where), self.table.world
        needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
        if channel.type != ChannelType.TEXT or not world.may(self.id, channel, needed):
            raise Refused("You cannot open a thread here.")
        if not 1 <= len(name) <= 100:
            raise Refused("A thread's name has 1 to 100 characters.")
        origin = None if message is None else self.find(message)
        if origin is not None and (origin.reader or origin.thread_id):
            raise Refused("This message cannot start a thread.")
        return start_thread(self.table, channel, name, self.id, origin=origin, private=private)

    def direct(self, other: User | None = None) -> Channel:
        """The direct messages with somebody, the bot unless said otherwise."""
        return self.table.world.open_direct(self.id, other.id if other else self.table.world.bot_id)

    def dismiss(self, message: Message | str) -> None:
        """Put an ephemeral message away."""
        found = self.find(message)
        if found.reader != self.id:
            raise Refused("Only an ephemeral message can be dismissed.")
        self.table.world.drop_message(found)

    def restart_client(self) -> None:
        """Close Discord and open it again: what only this person saw is gone, for it is kept nowhere else."""
        world = self.table.world
        for kept in list(world.messages.values()):
            for message in [each for each in kept.values() if each.reader == self.id]:
                world.drop_message(message)

    def may_delete(self, message: Message) -> bool:
        """Whether this person can delete a message: their own, or any where they manage messages."""
        if message.reader is not None:
            return False
        channel = self.table.world.channels[message.channel_id]
        manages = not channel.is_direct and self.table.world.may(self.id, channel, Permission.MANAGE_MESSAGES)
        return message.author_id == self.id or manages

    def delete(self, message: Message | str) -> None:
        """Delete a message for everybody."""
        found = self.find(message)
        if not self.may_delete(found):
            raise Refused("You cannot delete this message.")
        self.table.world.drop_message(found)

    def make_channel(self, server: str, name: str) -> Channel:
        """Make a text channel in a server."""
        guild = self.table.world.guilds.get(server)
        if guild is None or self.id not in guild.members:
            raise Refused("There is no such server.")
        if not permissions.in_guild(guild, self.id) & Permission.MANAGE_CHANNELS:
            raise Refused("You cannot make channels in this server.")
        if not 1 <= len(name) <= limits.CHANNEL_NAME:
            raise Refused(f"A channel's name has 1 to {limits.CHANNEL_NAME} characters.")
        return self.table.world.add_channel(guild, name.replace(" ", "-").lower())

    def delete_channel(self, where: Channel | str) -> None:
        """Delete a channel or a thread with all that is in it."""
        channel, world = self.place(where), self.table.world
        needed = Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS
        if channel.is_direct or not world.may(self.id, channel, needed):
            raise Refused("You cannot delete this channel.")
        others = [
            each
            for each in world.channels.values()
            if each.guild_id == channel.guild_id and each.type == ChannelType.TEXT and each is not channel
        ]
        if not channel.is_thread and not others:
            raise Refused("This is the only channel: make another one first, so that there is a place to go.")
        world.drop_channel(channel)

    # --- interactions -------------------------------------------------------------------------------
    async def slash(self, where: Channel | str, command: str, /, **options: Any) -> Outcome:
        """Use a slash command: `slash("lobby", "game new", title="18xx")`."""
        channel, world = self.place(where), self.table.world
        found, way = commands.resolve(world, self.user, channel, command)
        data = filling.command_data(world, self.user, channel, found, way, options)
        return await self._done(interactions.Type.COMMAND, channel, data, name=filling.full_name(found, way))

    async def autocomplete(self, where: Channel | str, command: str, focused: str, /, **options: Any) -> list[JSON]:
        """The choices that the bot offers while the option `focused` is being typed."""
        channel, world = self.place(where), self.table.world
        found, way = commands.resolve(world, self.user, channel, command)
        data = filling.command_data(world, self.user, channel, found, way, options, focused=focused)
        outcome = await self._done(interactions.Type.AUTOCOMPLETE, channel, data)
        if outcome.failed:
            raise Refused("Loading options failed.")
        return outcome.interaction.choices

    async def click(self, message: Message | str, which: str) -> Outcome:
        """Press a button, named by its custom_id or its label."""
        found = self.find(message)
        button = _component(found, which, {Kind.BUTTON})
        if not button.get("custom_id"):
            raise Refused("This button is a link.")
        data = {"custom_id": button["custom_id"], "component_type": int(Kind.BUTTON), "id": button["id"]}
        return await self._on_message(found, data)

    async def select(self, message: Message | str, values: Iterable[object] | str, which: str | None = None) -> Outcome:
        """Choose from a menu, named by its custom_id or placeholder, or the only one there is."""
        found = self.find(message)
        menu = _component(found, which, SELECTS)
        given = [values] if isinstance(values, str) else list(values)
        channel = self.table.world.channels[found.channel_id]
        chosen, resolved = filling.picked(self.table.world, self.user, channel, menu, given)
        data = resolved.into(
            {
                "custom_id": menu["custom_id"],
                "component_type": menu["type"],
                "values": chosen,
                "id": menu["id"],
            }
        )
        return await self._on_message(found, data)

    async def submit(self, form: Outcome | str, answers: dict[str, Any] | None = None) -> Outcome:
        """Send a form off; `answers` are by label or custom_id, what is left out keeps its default."""
        opener = self.table.interactions.with_modal(form if isinstance(form, str) else form.interaction.id)
        if opener.user_id != self.id or opener.modal is None:
            raise Refused("This form is somebody else's.")
        world, channel = self.table.world, self.table.world.channels[opener.channel_id]
        filled = modals.fill(opener.modal, answers or {})
        data = filling.submission(world, self.user, channel, opener.modal, filled)
        message = world.messages.get(channel.id, {}).get(opener.message_id or "")
        trigger = self.table.interactions.metadata(opener)
        outcome = await self._done(interactions.Type.MODAL, channel, data, message=message, trigger=trigger)
        if not outcome.failed:
            opener.modal = None  # the form closes; a failed one stays open to be sent again
        return outcome

    async def _on_message(self, message: Message, data: JSON) -> Outcome:
        channel = self.table.world.channels[message.channel_id]
        return await self._done(interactions.Type.COMPONENT, channel, data, message=message)

    async def _done(
        self,
        kind: interactions.Type,
        channel: Channel,
        data: JSON,
        *,
        name: str = "",
        message: Message | None = None,
        trigger: JSON | None = None,
    ) -> Outcome:
        opened = self.table.interactions.open(
            kind, self.user, channel, data, name=name, message=message, trigger=trigger
        )
        await self.table.interactions.first_answer(opened)
        return Outcome(self.table, opened)


def _component(message: Message, which: str | None, kinds: Iterable[int]) -> JSON:
    wanted = set(kinds)
    there = [each for each in components.walk(message.components) if each["type"] in wanted]
    found = [
        each
        for each in there
        if which is None or which in (each.get("custom_id"), each.get("label"), each.get("placeholder"))
    ]
    if not found:
        names = [each.get("label") or each.get("placeholder") or each.get("custom_id") for each in there]
        raise Refused(f"The message has no {which}; it has {names}.")
    if which is None and len(found) > 1:
        raise Refused("The message has several of them; say which.")
    if found[0].get("disabled"):
        raise Refused(f"{which} is disabled.")
    return found[0]


def start_thread(
    table: Table,
    channel: Channel,
    name: str,
    owner_id: str,
    *,
    origin: Message | None = None,
    private: bool = False,
    **fields: Any,
) -> Channel:
    """Make a thread together with the notices that Discord writes about it."""
    world = table.world
    if origin is not None:
        thread = world.add_thread(channel, name, owner_id, thread_id=origin.id, **fields)
        origin.thread_id = thread.id
        origin.flags |= MessageFlag.HAS_THREAD
        world.save_message(origin)
        notice_in, kind, author = thread, MessageType.THREAD_STARTER, origin.author_id
        reference: JSON = {"channel_id": channel.id, "message_id": origin.id, "guild_id": channel.guild_id}
    else:
        thread = world.add_thread(channel, name, owner_id, private=private, **fields)
        if private:
            return thread
        notice_in, kind, author = channel, MessageType.THREAD_CREATED, owner_id
        reference = {"channel_id": thread.id, "guild_id": channel.guild_id}
    notice = Message(
        world.clock.snowflake(),
        notice_in.id,
        author,
        world.clock.now(),
        type=kind,
        reference=reference,
        content="" if origin is not None else name,
        thread_id=None if origin is not None else thread.id,
    )
    world.add_message(notice)
    world.mark_read(owner_id, notice_in, notice.id)
    return thread
