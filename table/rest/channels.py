"""Routes about channels and threads."""

from __future__ import annotations

from typing import Any

from table import errors, limits, wire
from table.errors import ApiError, FormErrors
from table.model import Channel, ChannelType, Overwrite
from table.people import start_thread
from table.permissions import Permission
from table.rest.frame import Call, Router
from table.world import Event

router = Router()


@router.on("GET", "/channels/{channel}")
async def get_channel(call: Call) -> Any:
    """A channel."""
    return wire.channel(call.world, call.channel(), call.world.bot_id)


@router.on("PATCH", "/channels/{channel}")
async def patch_channel(call: Call) -> Any:
    """Rename, move, archive or lock."""
    channel, payload, world = call.channel(), call.payload(), call.world
    _check_right_to_change(call, channel)
    form = FormErrors()
    if "name" in payload:
        form.length(("name",), payload["name"], 1, limits.CHANNEL_NAME)
    if "auto_archive_duration" in payload:
        form.choice(("auto_archive_duration",), payload["auto_archive_duration"], {60, 1440, 4320, 10080})
    form.length(("topic",), payload.get("topic"), 0, limits.TOPIC)
    form.check()
    channel.name = payload.get("name", channel.name)
    if channel.is_thread:
        if payload.get("archived", channel.archived) != channel.archived:
            channel.archive_changed = world.clock.now()
        channel.archived = payload.get("archived", channel.archived)
        channel.locked = payload.get("locked", channel.locked)
        channel.invitable = payload.get("invitable", channel.invitable)
        channel.auto_archive_minutes = payload.get("auto_archive_duration", channel.auto_archive_minutes)
    else:
        channel.topic = payload.get("topic", channel.topic)
        channel.position = payload.get("position") or channel.position
        channel.parent_id = payload.get("parent_id", channel.parent_id)
    world.save_channel(channel)
    return wire.channel(world, channel, world.bot_id)


def _check_right_to_change(call: Call, channel: Channel) -> None:
    if channel.is_direct:
        raise ApiError(403, 50024, "Cannot execute action on this channel type")
    if not channel.is_thread:
        call.channel(Permission.MANAGE_CHANNELS)
        return
    # Whoever opened a thread may rename and archive it; locking is for those who manage threads.
    own = channel.owner_id == call.world.bot_id and not channel.locked
    if not own or "locked" in call.payload():
        call.channel(Permission.MANAGE_THREADS)


@router.on("DELETE", "/channels/{channel}")
async def delete_channel(call: Call) -> Any:
    """Delete a channel or a thread."""
    channel = call.channel()
    call.channel(Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS)
    gone = wire.channel(call.world, channel, call.world.bot_id)
    call.world.drop_channel(channel)
    return gone


@router.on("PUT", "/channels/{channel}/permissions/{target}")
async def put_overwrite(call: Call) -> Any:
    """Give or take permissions in a channel."""
    channel, payload = call.channel(Permission.MANAGE_ROLES), call.payload()
    channel.overwrites[call.params["target"]] = Overwrite(
        call.params["target"],
        int(payload["type"]),
        int(payload.get("allow") or 0),
        int(payload.get("deny") or 0),
    )
    call.world.save_channel(channel)


@router.on("DELETE", "/channels/{channel}/permissions/{target}")
async def delete_overwrite(call: Call) -> Any:
    """Take an overwrite back."""
    channel = call.channel(Permission.MANAGE_ROLES)
    channel.overwrites.pop(call.params["target"], None)
    call.world.save_channel(channel)


@router.on("POST", "/channels/{channel}/typing")
async def post_typing(call: Call) -> Any:
    """Show that the bot is typing."""
    channel = call.sending_channel()
    call.world.tell(Event("TYPING_START", channel, data={"user_id": call.world.bot_id}))


# --- threads ----------------------------------------------------------------------------------------
def _thread_fields(call: Call) -> tuple[str, int]:
    payload, form = call.payload(), FormErrors()
    form.length(("name",), payload.get("name"), 1, limits.CHANNEL_NAME)
    minutes = payload.get("auto_archive_duration") or 1440
    form.choice(("auto_archive_duration",), minutes, {60, 1440, 4320, 10080})
    form.check()
    return payload["name"], minutes


def _room_for_thread(call: Call, channel: Channel) -> None:
    if channel.type != ChannelType.TEXT or channel.guild_id is None:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    if len(call.world.threads_of(channel.guild_id)) >= limits.ACTIVE_THREADS:
        raise ApiError(400, 160006, "Maximum number of active threads reached")


@router.on("POST", "/channels/{channel}/threads", rate=limits.RATE_THREAD)
async def post_thread(call: Call) -> Any:
    """Open a thread that hangs on no message; private unless its type says otherwise."""
    private = call.payload().get("type", ChannelType.PRIVATE_THREAD) == ChannelType.PRIVATE_THREAD
    needed = Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS
    channel = call.channel(needed)
    _room_for_thread(call, channel)
    name, minutes = _thread_fields(call)
    thread = start_thread(
        call.table,
        channel,
        name,
        call.world.bot_id,
        private=private,
        auto_archive_minutes=minutes,
        invitable=bool(call.payload().get("invitable", True)),
    )
    return wire.channel(call.world, thread, call.world.bot_id)


@router.on("POST", "/channels/{channel}/messages/{message}/threads", rate=limits.RATE_THREAD)
async def post_message_thread(call: Call) -> Any:
    """Open a thread from a message."""
    channel = call.channel(Permission.CREATE_PUBLIC_THREADS)
    _room_for_thread(call, channel)
    origin = call.world.message(channel.id, call.params["message"])
    if origin.reader is not None:
        raise errors.unknown_message()
    if origin.thread_id is not None:
        raise errors.thread_exists()
    name, minutes = _thread_fields(call)
    thread = start_thread(
        call.table, channel, name, call.world.bot_id, origin=origin, auto_archive_minutes=minutes
    )
    return wire.channel(call.world, thread, call.world.bot_id)


@router.on("GET", "/channels/{channel}/threads/archived/public")
async def get_archived_threads(call: Call) -> Any:
    """Public threads that sleep."""
    channel, world = call.channel(Permission.READ_MESSAGE_HISTORY), call.world
    found = [
        each
        for each in world.channels.values()
        if each.parent_id == channel.id and each.archived and each.type == ChannelType.PUBLIC_THREAD
    ]
    threads = [wire.channel(world, each, world.bot_id) for each in found]
    return {"threads": threads, "members": [], "has_more": False}


def _thread(call: Call) -> Channel:
    thread = call.channel()
    if not thread.is_thread:
        raise ApiError(400, 50024, "Cannot execute action on this channel type")
    return thread


@router.on("GET", "/channels/{channel}/thread-members")
async def get_thread_members(call: Call) -> Any:
    """Who is in a thread."""
    thread = _thread(call)
    return [wire.thread_member(thread, each) for each in thread.members]


@router.on("PUT", "/channels/{channel}/thread-members/{user}")
async def put_thread_member(call: Call) -> Any:
    """Let somebody into a thread, or join it."""
    thread, world = _thread(call), call.world
    user_id = world.bot_id if call.params["user"] == "@me" else world.user(call.params["user"]).id
    assert thread.guild_id is not None
    if user_id not in world.guilds[thread.guild_id].members:
        raise errors.unknown_member()
    if thread.archived:
        raise errors.archived_thread()
    world.join_thread(thread, user_id)


@router.on("DELETE", "/channels/{channel}/thread-members/{user}")
async def delete_thread_member(call: Call) -> Any:
    """Take somebody out of a thread, or leave it."""
    thread, world = _thread(call), call.world
    if call.params["user"] == "@me":
        world.leave_thread(thread, world.bot_id)
        return
    if thread.owner_id != world.bot_id:
        call.channel(Permission.MANAGE_THREADS)
    world.leave_thread(thread, call.params["user"])
