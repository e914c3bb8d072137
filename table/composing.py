"""Makes and edits messages from what the bot or a person sends, or refuses as Discord would."""

from __future__ import annotations

import io
import mimetypes
import re
from dataclasses import dataclass
from typing import Any, Final

from PIL import Image, UnidentifiedImageError

from table import components, errors, limits
from table.errors import FormErrors
from table.model import JSON, SENDABLE_FLAGS, Attachment, Channel, Message, MessageFlag, MessageType
from table.permissions import Permission
from table.wire import MEDIA_KEYS
from table.world import World

_MENTION: Final = re.compile(r"<@(!|&)?(\d{1,20})>")
_EVERYONE: Final = re.compile(r"@(everyone|here)\b")
#: The texts of an embed and its parts that count towards its size.
EMBED_TEXTS: Final = ("title", "description", "text", "name", "value")
_UNSAFE: Final = re.compile(r"[^\w.\-]+")


@dataclass(frozen=True)
class Upload:
    """A file on its way into a message."""

    filename: str
    data: bytes
    content_type: str | None = None
    description: str | None = None


def keep_upload(world: World, upload: Upload, description: str | None = None) -> Attachment:
    """Put an upload into the store."""
    filename = _UNSAFE.sub("_", upload.filename) or "file"
    guessed = mimetypes.guess_type(filename)[0] or "application/octet-stream"
    kept = Attachment(
        world.clock.snowflake(),
        filename,
        len(upload.data),
        upload.content_type or guessed,
        upload.description if description is None else description,
    )
    if kept.content_type == "application/octet-stream":
        kept.content_type = guessed
    if kept.content_type.startswith("image/"):
        try:
            with Image.open(io.BytesIO(upload.data)) as image:
                kept.width, kept.height = image.size
        except (UnidentifiedImageError, OSError):
            pass  # Discord too keeps a broken picture as a plain file
    world.store.put_file(kept.id, upload.data)
    return kept


def compose(
    world: World,
    channel: Channel,
    author_id: str,
    payload: JSON,
    uploads: dict[int, Upload],
    *,
    prefix: tuple[str, ...] = (),
    reader: str | None = None,
    interaction: JSON | None = None,
) -> Message:
    """A new message, checked but not yet posted."""
    form = FormErrors(*prefix)
    flags = int(payload.get("flags") or 0) & SENDABLE_FLAGS & ~MessageFlag.EPHEMERAL
    if reader is not None:
        flags |= MessageFlag.EPHEMERAL
    message = Message(world.clock.snowflake(), channel.id, author_id, world.clock.now(), flags=flags)
    message.reader, message.interaction = reader, interaction
    message.nonce = payload.get("nonce")
    if interaction is not None and interaction["type"] == 2:
        message.type = MessageType.CHAT_INPUT_COMMAND
    if reference := payload.get("message_reference"):
        _refer(world, channel, message, reference, form)
    _fill(world, channel, message, payload, uploads, form)
    ping(world, channel, message)
    return message


def revise(
    world: World, message: Message, payload: JSON, uploads: dict[int, Upload], *, prefix: tuple[str, ...] = ()
) -> None:
    """Change a message; what the payload does not name stays. Nothing changes if anything is refused."""
    form = FormErrors(*prefix)
    draft = Message(**vars(message))
    wanted = int(payload.get("flags") or 0)
    draft.flags |= wanted & MessageFlag.COMPONENTS_V2
    if "flags" in payload:
        draft.flags = draft.flags & ~MessageFlag.SUPPRESS_EMBEDS | wanted & MessageFlag.SUPPRESS_EMBEDS
    channel = world.channels[message.channel_id]
    _fill(world, channel, draft, payload, uploads, form)
    kept = {each.id for each in draft.attachments}
    for gone in [each for each in message.attachments if each.id not in kept]:
        world.store.drop_file(gone.id)
    vars(message).update(vars(draft))
    message.edited = world.clock.now()


def _fill(
    world: World,
    channel: Channel,
    message: Message,
    payload: JSON,
    uploads: dict[int, Upload],
    form: FormErrors,
) -> None:
    if "content" in payload:
        message.content = payload["content"] or ""
    if "embeds" in payload:
        message.embeds = _localised(world, payload["embeds"] or [])
        _check_embeds(message.embeds, form)
    if "components" in payload:
        message.components = _localised(world, payload["components"] or [])
    if payload.get("poll"):
        message.poll = payload["poll"]
        _check_poll(message.poll, form)
    added, described = _sort_attachments(message, payload, uploads, form)
    names = {each.filename for each in message.attachments} | {
        _UNSAFE.sub("_", each.filename) or "file" for each in added.values()
    }
    if "components" in payload or message.is_v2:
        components.Checker(form, names).message(message.components, v2=message.is_v2)
    if message.is_v2:
        for key in ("content", "embeds", "poll"):
            if getattr(message, key):
                form.add(
                    (key,),
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{key}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
    allowed = payload.get("allowed_mentions")
    _check_allowed(allowed, form)
    form.check()
    said = message.content or message.embeds or message.components or message.attachments or message.poll
    if not said and not added:
        raise errors.empty_message()
    components.number(message.components)
    for index, upload in added.items():
        message.attachments = [*message.attachments, keep_upload(world, upload, described.get(index))]
    _mention(world, channel, message, allowed)


def _sort_attachments(
    message: Message, payload: JSON, uploads: dict[int, Upload], form: FormErrors
) -> tuple[dict[int, Upload], dict[int, str | None]]:
    """Drop what an edit does not keep; return what is new, with the descriptions given for it."""
    listed = payload.get("attachments")
    described: dict[int, str | None] = {}
    if listed is not None:
        kept = {str(each["id"]) for each in listed}
        message.attachments = [each for each in message.attachments if each.id in kept]
        described = {int(each["id"]): each.get("description") for each in listed if int(each["id"]) in uploads}
    if len(message.attachments) + len(uploads) > limits.ATTACHMENTS:
        form.add(("attachments",), "BASE_TYPE_MAX_LENGTH", f"Must be {limits.ATTACHMENTS} or fewer in length.")
    if any(len(each.data) > limits.FILE_BYTES for each in uploads.values()):
        raise errors.too_large()
    return uploads, described


def _localised(world: World, tree: Any) -> Any:
    """Turn the table's own addresses into bare paths, so that they hold when it moves to another port."""
    if isinstance(tree, list):
        return [_localised(world, each) for each in tree]
    if not isinstance(tree, dict):
        return tree
    return {
        key: value.removeprefix(world.base_url)
        if key in MEDIA_KEYS and isinstance(value, str) and value.startswith(world.base_url + "/")
        else _localised(world, value)
        for key, value in tree.items()
    }


def _check_embeds(embeds: list[JSON], form: FormErrors) -> None:
    total = 0
    for each in embeds:
        parts = [each, each.get("footer") or {}, each.get("author") or {}, *(each.get("fields") or [])]
        total += sum(len(one.get(key) or "") for one in parts for key in EMBED_TEXTS)
    if total > limits.EMBED_TOTAL:
        form.add(
            ("embeds",),
            "MAX_EMBED_SIZE_EXCEEDED",
            f"Embed size exceeds maximum size of {limits.EMBED_TOTAL}",
        )


def _check_poll(poll: JSON, form: FormErrors) -> None:
    if not poll["question"].get("text"):
        form.add(("poll", "question", "text"), "BASE_TYPE_REQUIRED", "This field is required")
    for index, each in enumerate(poll["answers"]):
        if not each["poll_media"].get("text") and not each["poll_media"].get("emoji"):
            path = ("poll", "answers", index, "poll_media", "text")
            form.add(path, "BASE_TYPE_REQUIRED", "This field is required")


def _check_allowed(allowed: JSON | None, form: FormErrors) -> None:
    for key in ("users", "roles"):
        if allowed and allowed.get(key) and key in (allowed.get("parse") or []):
            form.add(
                ("allowed_mentions",),
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{key}"] and {key}: [ids...] are mutually exclusive.',
            )


def _mention(world: World, channel: Channel, message: Message, allowed: JSON | None) -> None:
    """Work out whom the text mentions, as far as the sender allows it."""
    text = "\n".join((message.content, *components.texts(message.components)))
    guild = world.guilds.get(channel.guild_id or "")
    parse = {"users", "roles", "everyone"} if allowed is None else set(allowed.get("parse") or [])
    extra = allowed or {}
    users: list[str] = []
    roles: list[str] = []
    for sign, found in _MENTION.findall(text):
        if sign == "&":
            role = guild.roles.get(found) if guild else None
            if role is None or not ("roles" in parse or found in map(str, extra.get("roles") or [])):
                continue
            if role.mentionable or world.may(message.author_id, channel, Permission.MENTION_EVERYONE):
                roles.append(found)
        elif found in world.users and ("users" in parse or found in map(str, extra.get("users") or [])):
            users.append(found)
    reference = message.reference
    if reference and message.type == MessageType.REPLY and extra.get("replied_user", allowed is None):
        origin = world.messages.get(reference["channel_id"], {}).get(reference["message_id"])
        users += [origin.author_id] if origin else []
    message.mentions = list(dict.fromkeys(users))
    message.mention_roles = list(dict.fromkeys(roles))
    message.mention_everyone = (
        "everyone" in parse
        and bool(_EVERYONE.search(text))
        and world.may(message.author_id, channel, Permission.MENTION_EVERYONE)
    )


def ping(world: World, channel: Channel, message: Message) -> None:
    """Note whom the message notifies: those it mentions who can see it, and not its author."""
    if not (message.mentions or message.mention_roles or message.mention_everyone):
        message.pinged = []
        return
    audience = [message.reader] if message.reader else world.audience(channel)
    guild = world.guilds.get(channel.guild_id or "")
    roles = set(message.mention_roles)
    message.pinged = [
        each
        for each in audience
        if each != message.author_id
        and (
            message.mention_everyone
            or each in message.mentions
            or (guild is not None and each in guild.members and roles & set(guild.members[each].roles))
        )
    ]


def _refer(world: World, channel: Channel, message: Message, reference: JSON, form: FormErrors) -> None:
    origin = world.messages.get(channel.id, {}).get(str(reference.get("message_id")))
    if origin is None or origin.reader is not None:
        if reference.get("fail_if_not_exists", True):
            form.add(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        return
    message.reference = {"channel_id": channel.id, "message_id": origin.id}
    if channel.guild_id:
        message.reference["guild_id"] = channel.guild_id
    message.type = MessageType.REPLY
