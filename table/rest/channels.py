"""Routes about channels and threads."""

from __future__ import annotations

from typing import Any

from table import bodies, errors, limits, wire
from table.errors import ApiError, FormErrors
from table.model import JSON, Channel, ChannelType, Overwrite
from table.people import start_thread
from table.permissions import Permission
from table.rest.frame import Call, Endpoints
from table.schema import Timestamp, Whole
from table.world import Event

router = Endpoints()


@router.on("GET", "/channels/{channel}")
async def get_channel(call: Call) -> Any:
    """A channel."""
    return wire.channel(call.world, call.channel(), call.world.bot_id)


@router.on("PATCH", "/channels/{channel}")
async def patch_channel(call: Call) -> Any:
    """Rename, move, archive or lock."""
    channel, world = call.channel(), call.world
    _check_right_to_change(call, channel)
    payload = call.checked(bodies.THREAD_EDIT if channel.is_thread else bodies.CHANNEL_EDIT)
    given = {key: value for key, value in payload.items() if value is not None}
    channel.name = given.get("name", channel.name)
    if channel.is_thread:
        if given.get("archived", channel.archived) != channel.archived:
            channel.archive_changed = world.clock.now()
        channel.archived = given.get("archived", channel.archived)
        channel.locked = given.get("locked", channel.locked)
        channel.invitable = given.get("invitable", channel.invitable)
        channel.auto_archive_minutes = given.get("auto_archive_duration", channel.auto_archive_minutes)
    else:
        channel.topic = payload.get("topic", channel.topic)
        channel.position = given.get("position", channel.position)
        if "parent_id" in payload:
            channel.parent_id = category(call, channel.guild_id, payload["parent_id"])
        if "permission_overwrites" in given:
            channel.overwrites = {each.id: each for each in overwrites(given)}
    world.save_channel(channel)
    return wire.channel(world, channel, world.bot_id)


def category(call: Call, guild_id: str | None, given: Any) -> str | None:
    """The id of the category that a channel is to be in."""
    if given is None:
        return None
    found = call.world.channels.get(str(given))
    if found is None or found.guild_id != guild_id or found.type != ChannelType.CATEGORY:
        form = FormErrors()
        form.add(("parent_id",), "CHANNEL_PARENT_INVALID", "Category does not exist")
        form.check()
    return str(given)


def overwrites(payload: JSON) -> list[Overwrite]:
    """What a body says about permissions in a channel."""
    return [overwrite(str(each["id"]), each) for each in payload.get("permission_overwrites") or []]


def overwrite(target: str, given: JSON) -> Overwrite:
    """What a body says about somebody's permissions; it is about a role unless it says otherwise."""
    return Overwrite(target, given.get("type") or 0, int(given.get("allow") or 0), int(given.get("deny") or 0))


def _check_right_to_change(call: Call, channel: Channel) -> None:
    if channel.is_direct:
        raise errors.wrong_kind_of_channel()
    if not channel.is_thread:
        call.channel(Permission.MANAGE_CHANNELS)
        return
    # Whoever opened a thread may rename and archive it; locking is for those who manage threads.
    own = channel.owner_id == call.world.bot_id and not channel.locked
    if not own or (isinstance(call.body, dict) and "locked" in call.body):
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
    channel, target = call.channel(Permission.MANAGE_ROLES), call.params["target"]
    channel.overwrites[target] = overwrite(target, call.checked(bodies.OVERWRITE))
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
def _room_for_thread(call: Call, channel: Channel) -> None:
    if channel.type != ChannelType.TEXT or channel.guild_id is None:
        raise errors.wrong_kind_of_channel()
    if len(call.world.threads_of(channel.guild_id)) >= limits.ACTIVE_THREADS:
        raise ApiError(400, 160006, "Maximum number of active threads reached")


@router.on("POST", "/channels/{channel}/threads", rate=limits.RATE_THREAD)
async def post_thread(call: Call) -> Any:
    """Open a thread that hangs on no message; private unless its type says otherwise."""
    payload = call.checked(bodies.THREAD)
    kind = payload.get("type") or ChannelType.PRIVATE_THREAD
    private = kind == ChannelType.PRIVATE_THREAD
    channel = call.channel(Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS)
    _room_for_thread(call, channel)
    if kind not in (ChannelType.PRIVATE_THREAD, ChannelType.PUBLIC_THREAD):
        raise errors.wrong_kind_of_channel()
    thread = start_thread(
        call.table,
        channel,
        payload["name"],
        call.world.bot_id,
        private=private,
        auto_archive_minutes=payload.get("auto_archive_duration") or 1440,
        invitable=payload.get("invitable") is not False,
    )
    call.status = 201
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
    payload = call.checked(bodies.MESSAGE_THREAD)
    minutes = payload.get("auto_archive_duration") or 1440
    thread = start_thread(
        call.table, channel, payload["name"], call.world.bot_id, origin=origin, auto_archive_minutes=minutes
    )
    call.status = 201
    return wire.channel(call.world, thread, call.world.bot_id)


@router.on("GET", "/channels/{channel}/threads/archived/public")
async def get_archived_threads(call: Call) -> Any:
    """Public threads that sleep."""
    channel, world = call.channel(Permission.READ_MESSAGE_HISTORY), call.world
    asked = call.asked(limit=Whole(2, limits.HISTORY_PAGE), before=Timestamp())
    found = [
        each
        for each in world.channels.values()
        if each.parent_id == channel.id and each.archived and each.type == ChannelType.PUBLIC_THREAD
    ]
    page = found[: asked.get("limit", 50)]
    threads = [wire.channel(world, each, world.bot_id) for each in page]
    return {"threads": threads, "members": [], "has_more": len(page) < len(found)}


def _thread(call: Call) -> Channel:
    thread = call.channel()
    if not thread.is_thread:
        raise errors.wrong_kind_of_channel()
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
