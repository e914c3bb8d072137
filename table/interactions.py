"""The life of an interaction: opened by a person, answered by the bot in time and only once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Final

from table import bodies, composing, errors, limits, modals, wire
from table.composing import Upload
from table.errors import FormErrors
from table.model import JSON, Channel, Message, MessageFlag, User
from table.schema import Many, Object, OneOf
from table.world import World

#: How long a spent token is remembered, so that its use is told from that of a token never given.
MEMORY_SECONDS: Final = 3600.0


class Type(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class AnswerKind(IntEnum):
    """What the bot says first."""

    MESSAGE = 4
    DEFER = 5
    DEFER_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass
class Interaction:
    """One click, command or submission and what became of it."""

    id: str
    token: str
    type: Type
    user_id: str
    channel_id: str
    created: float
    data: JSON
    name: str = ""
    message_id: str | None = None
    trigger: JSON | None = None
    answer: AnswerKind | None = None
    original_id: str | None = None
    modal: JSON | None = None
    choices: list[JSON] = field(default_factory=list)
    answered: asyncio.Event = field(default_factory=asyncio.Event)


class Interactions:
    """Opens interactions and takes the bot's answers to them."""

    def __init__(self, world: World, dispatch: Callable[[str, JSON, str | None], None]) -> None:
        self._world = world
        self._dispatch = dispatch
        self.first_answer_seconds: float = limits.FIRST_ANSWER_SECONDS
        self._by_token: dict[str, Interaction] = {}
        self._by_id: dict[str, Interaction] = {}

    # --- the person's side --------------------------------------------------------------------------
    def open(
        self,
        kind: Type,
        user: User,
        channel: Channel,
        data: JSON,
        *,
        name: str = "",
        message: Message | None = None,
        trigger: JSON | None = None,
    ) -> Interaction:
        """Send the bot an interaction."""
        self._forget_old()
        made = Interaction(
            self._world.clock.snowflake(),
            secrets.token_urlsafe(48),
            kind,
            user.id,
            channel.id,
            self._world.clock.now(),
            data,
            name,
            message.id if message else None,
            trigger,
        )
        self._by_token[made.token] = self._by_id[made.id] = made
        self._dispatch("INTERACTION_CREATE", self._payload(made, user, channel, message), channel.guild_id)
        return made

    async def first_answer(self, interaction: Interaction) -> bool:
        """Wait until the bot has answered, or has not in time."""
        until = interaction.created + self.first_answer_seconds
        return await self._world.clock.wait(interaction.answered, until)

    @property
    def waiting(self) -> int:
        """How many interactions the bot has not answered, in time or ever."""
        return sum(each.answer is None for each in self._by_id.values())

    def with_modal(self, interaction_id: str) -> Interaction:
        """The interaction that opened a form which is still open."""
        found = self._by_id.get(interaction_id)
        if found is None or found.modal is None:
            raise errors.Refused("This form is no longer open.")
        return found

    def _payload(self, made: Interaction, user: User, channel: Channel, message: Message | None) -> JSON:
        world = self._world
        payload: JSON = {
            "id": made.id,
            "application_id": world.bot_id,
            "type": int(made.type),
            "token": made.token,
            "version": 1,
            "data": made.data,
            "channel_id": channel.id,
            "locale": user.locale,
            "channel": wire.interaction_channel(world, channel, user.id),
            "entitlements": [],
            "app_permissions": str(world.permissions(world.bot_id, channel)),
            "attachment_size_limit": limits.FILE_BYTES,
            **self._place(channel),
        }
        if channel.guild_id is None:
            payload["user"] = wire.user(user)
        else:
            guild = world.guilds[channel.guild_id]
            member = wire.member(world, guild.members[user.id])
            payload["member"] = member | {"permissions": str(world.permissions(user.id, channel))}
            payload["guild_id"] = guild.id
            payload["guild_locale"] = guild.locale
            payload["guild"] = {"id": guild.id, "locale": guild.locale, "features": []}
        if message is not None:
            payload["message"] = wire.message(world, message)
        return payload

    def _place(self, channel: Channel) -> JSON:
        if channel.guild_id is None:
            return {"context": 1, "authorizing_integration_owners": {"0": "0"}}
        return {"context": 0, "authorizing_integration_owners": {"0": channel.guild_id}}

    def metadata(self, made: Interaction) -> JSON:
        """What a message keeps of the interaction that it answers."""
        channel = self._world.channels[made.channel_id]
        meta: JSON = {
            "id": made.id,
            "type": int(made.type),
            "user_id": made.user_id,
            "owners": self._place(channel)["authorizing_integration_owners"],
        }
        if made.type is Type.COMMAND:
            meta["name"] = made.name
        if made.type is Type.COMPONENT:
            meta["interacted_message_id"] = made.message_id
        if made.trigger is not None:
            meta["trigger"] = made.trigger
        return meta

    def _forget_old(self) -> None:
        oldest = self._world.clock.now() - MEMORY_SECONDS
        for each in list(self._by_id.values()):
            if each.created >= oldest:
                break
            del self._by_id[each.id], self._by_token[each.token]

    # --- the bot's side: the first answer -------------------------------------------------------------
    def take_answer(self, interaction_id: str, token: str, payload: Any, uploads: dict[int, Upload]) -> JSON:
        """The bot's first answer; returns the body that Discord sends back."""
        made = self._by_token.get(token)
        if made is None or made.id != interaction_id:
            raise errors.unknown_interaction()
        if made.answer is not None:
            raise errors.already_answered()
        if self._world.clock.now() > made.created + self.first_answer_seconds:
            raise errors.unknown_interaction()
        kind = self._kind_of_answer(made, payload)
        message = self._carry_out(made, kind, payload.get("data"), uploads)
        made.answer = kind
        made.answered.set()
        return self._receipt(made, kind, message)

    def _kind_of_answer(self, made: Interaction, payload: Any) -> AnswerKind:
        if made.type is Type.AUTOCOMPLETE:
            allowed = {AnswerKind.CHOICES}
        else:
            allowed = {AnswerKind.MESSAGE, AnswerKind.DEFER}
            if made.message_id is not None:
                allowed |= {AnswerKind.DEFER_UPDATE, AnswerKind.UPDATE}
            if made.type is not Type.MODAL:
                allowed |= {AnswerKind.MODAL}
        form = FormErrors()
        Object({"type": OneOf(tuple(int(each) for each in allowed))}).check(payload, (), form)
        form.check()
        return AnswerKind(payload["type"])

    def _carry_out(self, made: Interaction, kind: AnswerKind, given: Any, uploads: dict[int, Upload]) -> Message | None:
        world = self._world
        match kind:
            case AnswerKind.CHOICES:
                made.choices = _checked_choices(given, _focused(made.data["options"]))
                return None
            case AnswerKind.MODAL:
                made.modal = modals.check(given)
                return None
        data: JSON = {} if given is None else given
        form = FormErrors("data")
        rule = bodies.ANSWER_MESSAGE if kind in (AnswerKind.MESSAGE, AnswerKind.DEFER) else bodies.ANSWER_UPDATE
        rule.check(data, (), form)
        form.check()
        match kind:
            case AnswerKind.MESSAGE | AnswerKind.DEFER:
                message = self._respond(made, data, uploads, loading=kind is AnswerKind.DEFER)
                made.original_id = message.id
                return message
            case AnswerKind.DEFER_UPDATE | AnswerKind.UPDATE:
                assert made.message_id is not None
                message = world.message(made.channel_id, made.message_id)
                made.original_id = message.id
                if kind is AnswerKind.UPDATE:
                    composing.revise(world, message, data, uploads, prefix=("data",))
                    world.save_message(message)
                return message
        return None

    def _respond(self, made: Interaction, data: JSON, uploads: dict[int, Upload], *, loading: bool) -> Message:
        world = self._world
        channel = world.channel(made.channel_id)
        reader = made.user_id if int(data.get("flags") or 0) & MessageFlag.EPHEMERAL else None
        meta = self.metadata(made)
        if loading:
            message = Message(
                world.clock.snowflake(),
                channel.id,
                world.bot_id,
                world.clock.now(),
                flags=MessageFlag.LOADING | (MessageFlag.EPHEMERAL if reader else 0),
                reader=reader,
                interaction=meta,
                type=20 if made.type is Type.COMMAND else 0,
            )
        else:
            message = composing.compose(
                world, channel, world.bot_id, data, uploads, prefix=("data",), reader=reader, interaction=meta
            )
        world.add_message(message)
        return message

    def _receipt(self, made: Interaction, kind: AnswerKind, message: Message | None) -> JSON:
        about: JSON = {"id": made.id, "type": int(made.type)}
        receipt: JSON = {"interaction": about}
        if message is not None:
            about["response_message_id"] = message.id
            about["response_message_loading"] = bool(message.flags & MessageFlag.LOADING)
            about["response_message_ephemeral"] = message.reader is not None
            if kind in (AnswerKind.MESSAGE, AnswerKind.UPDATE):
                receipt["resource"] = {"type": int(kind), "message": wire.message(self._world, message)}
        return receipt

    # --- the bot's side: afterwards -------------------------------------------------------------------
    def _of_token(self, application_id: str, token: str) -> Interaction:
        made = self._by_token.get(token)
        if made is None or application_id != self._world.bot_id:
            raise errors.unknown_webhook()
        if self._world.clock.now() > made.created + limits.TOKEN_SECONDS:
            raise errors.invalid_token()
        if made.answer is None:
            raise errors.unknown_webhook()
        return made

    def message_of(self, application_id: str, token: str, message_id: str) -> Message:
        """The original answer or a follow-up."""
        made = self._of_token(application_id, token)
        wanted = made.original_id if message_id == "@original" else message_id
        if wanted is None:
            raise errors.unknown_message()
        message = self._world.message(made.channel_id, wanted)
        mine = message.interaction is not None and message.interaction["id"] == made.id
        if not mine and wanted != made.original_id:
            raise errors.unknown_message()
        return message

    def follow_up(self, application_id: str, token: str, payload: JSON, uploads: dict[int, Upload]) -> Message:
        """A further message; the first one after a deferral takes the place of "is thinking"."""
        made = self._of_token(application_id, token)
        world = self._world
        if made.answer in (AnswerKind.CHOICES, AnswerKind.MODAL):
            raise errors.unknown_webhook()
        original = world.messages.get(made.channel_id, {}).get(made.original_id or "")
        if made.answer is AnswerKind.DEFER and original is not None and original.flags & MessageFlag.LOADING:
            self._fill_in(original, payload, uploads)
            composing.ping(world, world.channels[original.channel_id], original)
            world.save_message(original)
            return original
        reader = made.user_id if int(payload.get("flags") or 0) & MessageFlag.EPHEMERAL else None
        message = composing.compose(
            world,
            world.channel(made.channel_id),
            world.bot_id,
            payload,
            uploads,
            reader=reader,
            interaction=self.metadata(made) | {"original_response_message_id": made.original_id},
        )
        world.add_message(message)
        return message

    def edit(
        self, application_id: str, token: str, message_id: str, payload: JSON, uploads: dict[int, Upload]
    ) -> Message:
        """Change the original answer or a follow-up."""
        message = self.message_of(application_id, token, message_id)
        if message.flags & MessageFlag.LOADING:
            self._fill_in(message, payload, uploads)
        else:
            composing.revise(self._world, message, payload, uploads)
        self._world.save_message(message)
        return message

    def _fill_in(self, message: Message, payload: JSON, uploads: dict[int, Upload]) -> None:
        composing.revise(self._world, message, payload, uploads)
        message.flags &= ~MessageFlag.LOADING
        message.edited = None

    def delete(self, application_id: str, token: str, message_id: str) -> None:
        """Take the original answer or a follow-up away."""
        self._world.drop_message(self.message_of(application_id, token, message_id))


def _checked_choices(data: Any, kind: int) -> list[JSON]:
    """The choices of an autocompletion for an option of this kind."""
    form = FormErrors("data")
    rule = Many(bodies.CHOICES[kind], 0, limits.AUTOCOMPLETE_CHOICES, nulls=True)
    Object(optional={"choices": rule}).check(data, (), form)
    form.check()
    return [each for each in data.get("choices") or [] if each is not None]


def _focused(options: list[JSON]) -> int:
    """The type of the option that is being typed."""
    for each in options:
        if each.get("focused"):
            return int(each["type"])
        if found := _focused(each.get("options") or []):
            return found
    return 0
