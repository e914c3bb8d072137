"""Routes about the messages of a channel."""

from __future__ import annotations

from itertools import islice
from typing import Any

from table import bodies, composing, errors, limits, wire
from table.clock import iso
from table.errors import ApiError
from table.model import Channel, Message, MessageType
from table.permissions import Permission
from table.rest.frame import Call, Endpoints
from table.schema import Timestamp, Whole
from table.world import Event

router = Endpoints()

#: For how long a repeated nonce gets the first message again instead of a second one.
NONCE_SECONDS = 300.0


def _message(call: Call, channel: Channel) -> Message:
    found = call.world.message(channel.id, call.params["message"])
    # Ephemeral messages are out of reach here even for the bot that sent them.
    if found.reader is not None:
        raise errors.unknown_message()
    return found


@router.on("GET", "/channels/{channel}/messages")
async def get_messages(call: Call) -> Any:
    """A page of history, newest first."""
    channel = call.channel()
    if not call.world.may(call.world.bot_id, channel, Permission.READ_MESSAGE_HISTORY):
        return []
    asked = call.asked(limit=Whole(1, limits.HISTORY_PAGE), around=bodies.ID, after=bodies.ID, before=bodies.ID)
    most = asked.get("limit", 50)
    shown = [each for each in call.world.history(channel.id) if each.reader is None]
    if around := asked.get("around"):
        at = next((i for i, each in enumerate(shown) if int(each.id) >= int(around)), len(shown))
        page = shown[max(0, at - most // 2) : at + most - most // 2]
    elif after := asked.get("after"):
        page = [each for each in shown if int(each.id) > int(after)][:most]
    else:
        before = int(asked.get("before") or 0)
        page = [each for each in shown if not before or int(each.id) < before][-most:]
    return [wire.message(call.world, each) for each in reversed(page)]


@router.on("POST", "/channels/{channel}/messages", rate=limits.RATE_SEND)
async def post_message(call: Call) -> Any:
    """Send a message."""
    channel, world, payload = call.sending_channel(), call.world, call.checked(bodies.MESSAGE)
    if channel.locked and not world.may(world.bot_id, channel, Permission.MANAGE_THREADS):
        raise errors.archived_thread()
    if channel.is_direct:
        other = next(each for each in channel.recipients if each != world.bot_id)
        if not world.users[other].accepts_direct_messages:
            raise errors.closed_door()
    if call.uploads and not world.may(world.bot_id, channel, Permission.ATTACH_FILES):
        raise errors.missing_permissions()
    if payload.get("embeds") and not world.may(world.bot_id, channel, Permission.EMBED_LINKS):
        raise errors.missing_permissions()
    if payload.get("enforce_nonce") and (twin := _twin(call, channel, payload.get("nonce"))):
        return wire.message(world, twin)
    message = composing.compose(world, channel, world.bot_id, payload, call.uploads)
    world.add_message(message)
    return wire.message(world, message)


def _twin(call: Call, channel: Channel, nonce: Any) -> Message | None:
    since = call.world.clock.now() - NONCE_SECONDS
    for each in reversed(call.world.messages.get(channel.id, {}).values()):
        if each.created < since:
            return None
        if nonce is not None and each.nonce == nonce and each.author_id == call.world.bot_id:
            return each
    return None


@router.on("GET", "/channels/{channel}/messages/pins")
async def get_pins(call: Call) -> Any:
    """The pinned messages."""
    channel = call.channel(Permission.READ_MESSAGE_HISTORY)
    asked = call.asked(limit=Whole(1, limits.PINS_PAGE), before=Timestamp())
    pinned = [each for each in call.world.history(channel.id) if each.pinned]
    items = [
        {"pinned_at": iso(each.created), "message": wire.message(call.world, each)}
        for each in islice(reversed(pinned), asked.get("limit", 50))
    ]
    return {"items": items, "has_more": False}


@router.on("PUT", "/channels/{channel}/messages/pins/{message}")
async def put_pin(call: Call) -> Any:
    """Pin a message; a notice in the channel says so."""
    channel, world = call.channel(Permission.PIN_MESSAGES), call.world
    message = _message(call, channel)
    if message.pinned:
        return
    if sum(each.pinned for each in world.history(channel.id)) >= limits.PINS:
        raise ApiError(400, 30003, f"Maximum number of pins reached ({limits.PINS})")
    message.pinned = True
    world.save_message(message)
    world.tell(Event("CHANNEL_PINS_UPDATE", channel))
    reference = {"channel_id": channel.id, "message_id": message.id}
    world.add_message(
        Message(
            world.clock.snowflake(),
            channel.id,
            world.bot_id,
            world.clock.now(),
            type=MessageType.PINNED,
            reference=reference | ({"guild_id": channel.guild_id} if channel.guild_id else {}),
        )
    )


@router.on("DELETE", "/channels/{channel}/messages/pins/{message}")
async def delete_pin(call: Call) -> Any:
    """Unpin a message."""
    channel = call.channel(Permission.PIN_MESSAGES)
    message = _message(call, channel)
    message.pinned = False
    call.world.save_message(message)
    call.world.tell(Event("CHANNEL_PINS_UPDATE", channel))


@router.on("POST", "/channels/{channel}/messages/bulk-delete")
async def post_bulk_delete(call: Call) -> Any:
    """Delete several messages at once."""
    channel = call.channel(Permission.MANAGE_MESSAGES)
    wanted = call.checked(bodies.BULK_DELETE)["messages"]
    kept = call.world.messages.get(channel.id, {})
    for message in [kept[str(each)] for each in wanted if str(each) in kept]:
        call.world.drop_message(message)


@router.on("GET", "/channels/{channel}/messages/{message}")
async def get_message(call: Call) -> Any:
    """One message."""
    return wire.message(call.world, _message(call, call.channel(Permission.READ_MESSAGE_HISTORY)))


@router.on("PATCH", "/channels/{channel}/messages/{message}", rate=limits.RATE_EDIT)
async def patch_message(call: Call) -> Any:
    """Edit a message of the bot's own; an old one only now and then (error 30046)."""
    channel, world = call.channel(), call.world
    message, payload = _message(call, channel), call.checked(bodies.EDIT)
    if message.author_id != world.bot_id:
        raise errors.foreign_message()
    if channel.is_thread and channel.archived:
        raise errors.archived_thread()
    if world.clock.now() - message.created > limits.OLD_MESSAGE_SECONDS:
        wait = call.table.rates.old_edit(channel.id)
        if wait > 0:
            raise ApiError(
                429,
                30046,
                "Maximum number of edits to messages older than 1 hour reached. Try again later",
                extra={"retry_after": round(wait, 3), "global": False},
            )
    composing.revise(world, message, payload, call.uploads)
    world.save_message(message)
    return wire.message(world, message)


@router.on("DELETE", "/channels/{channel}/messages/{message}", rate=limits.RATE_DELETE)
async def delete_message(call: Call) -> Any:
    """Delete a message."""
    channel = call.channel()
    message = _message(call, channel)
    if message.author_id != call.world.bot_id:
        call.channel(Permission.MANAGE_MESSAGES)
    call.world.drop_message(message)
