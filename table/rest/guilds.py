"""Routes about servers, their members and roles, and about users."""

from __future__ import annotations

from typing import Any

from table import bodies, errors, limits, permissions, wire
from table.errors import ApiError, FormErrors
from table.model import ChannelType, Guild, Member
from table.permissions import Permission
from table.rest.channels import category, overwrites
from table.rest.frame import Call, Endpoints
from table.schema import OneOf, Whole

router = Endpoints()


def _guild(call: Call, needed: int = 0) -> Guild:
    guild = call.world.guild(call.params["guild"])
    if call.world.bot_id not in guild.members:
        raise errors.missing_access()
    if permissions.in_guild(guild, call.world.bot_id) & needed != needed:
        raise errors.missing_permissions()
    return guild


def _member(call: Call, guild: Guild) -> Member:
    call.world.user(call.params["user"])
    found = guild.members.get(call.params["user"])
    if found is None:
        raise errors.unknown_member()
    return found


@router.on("GET", "/users/{user}")
async def get_user(call: Call) -> Any:
    """A user."""
    return wire.user(call.world.user(call.params["user"]))


@router.on("POST", "/users/@me/channels")
async def post_direct(call: Call) -> Any:
    """Open direct messages with a user."""
    other = call.world.user(str(call.checked(bodies.DIRECT)["recipient_id"]))
    if other.bot:
        raise errors.closed_door()
    channel = call.world.open_direct(call.world.bot_id, other.id)
    return wire.channel(call.world, channel, call.world.bot_id)


@router.on("GET", "/guilds/{guild}")
async def get_guild(call: Call) -> Any:
    """A server."""
    guild = _guild(call)
    count = len(guild.members)
    return wire.guild_brief(guild) | {"approximate_member_count": count, "approximate_presence_count": count}


@router.on("GET", "/guilds/{guild}/channels")
async def get_channels(call: Call) -> Any:
    """The channels of a server, threads excepted."""
    guild, world = _guild(call), call.world
    mine = [each for each in world.channels.values() if each.guild_id == guild.id and not each.is_thread]
    return [wire.channel(world, each) for each in mine]


@router.on("POST", "/guilds/{guild}/channels")
async def post_channel(call: Call) -> Any:
    """Make a channel."""
    guild, world = _guild(call, Permission.MANAGE_CHANNELS), call.world
    payload, form = call.checked(bodies.CHANNEL), FormErrors()
    kind = payload.get("type") or ChannelType.TEXT
    OneOf((ChannelType.TEXT, ChannelType.CATEGORY)).check(kind, ("type",), form)
    form.check()
    if sum(each.guild_id == guild.id and not each.is_thread for each in world.channels.values()) >= (
        limits.GUILD_CHANNELS
    ):
        raise ApiError(400, 30013, f"Maximum number of server channels reached ({limits.GUILD_CHANNELS})")
    channel = world.add_channel(
        guild,
        payload["name"].replace(" ", "-").lower() if kind == ChannelType.TEXT else payload["name"],
        kind=kind,
        topic=payload.get("topic"),
        parent_id=category(call, guild.id, payload.get("parent_id")),
        overwrites=overwrites(payload),
    )
    call.status = 201
    return wire.channel(world, channel)


@router.on("GET", "/guilds/{guild}/threads/active")
async def get_active_threads(call: Call) -> Any:
    """The threads of a server that are not archived."""
    guild, world = _guild(call), call.world
    found = [each for each in world.threads_of(guild.id) if world.sees(world.bot_id, each)]
    mine = [wire.thread_member(each, world.bot_id) for each in found if world.bot_id in each.members]
    threads = [wire.channel(world, each, world.bot_id) for each in found]
    return {"threads": threads, "members": mine, "has_more": False}


@router.on("GET", "/guilds/{guild}/members/{user}")
async def get_member(call: Call) -> Any:
    """A member."""
    return wire.member(call.world, _member(call, _guild(call)))


@router.on("GET", "/guilds/{guild}/members")
async def get_members(call: Call) -> Any:
    """All members; needs the members intent in the developer portal, as on Discord."""
    if not call.world.application.privileged_intents & 1 << 1:
        raise errors.missing_access()
    asked = call.asked(after=Whole(0), limit=Whole(1, limits.MEMBERS_PAGE))
    after, most = asked.get("after", 0), asked.get("limit", 1)
    members = sorted(_guild(call).members.values(), key=lambda each: int(each.user_id))
    return [wire.member(call.world, each) for each in members if int(each.user_id) > after][:most]


@router.on("GET", "/guilds/{guild}/roles")
async def get_roles(call: Call) -> Any:
    """The roles of a server."""
    return [wire.role(each) for each in _guild(call).roles.values()]


@router.on("POST", "/guilds/{guild}/roles")
async def post_role(call: Call) -> Any:
    """Make a role."""
    guild, payload = _guild(call, Permission.MANAGE_ROLES), call.checked(bodies.ROLE)
    if len(guild.roles) >= limits.GUILD_ROLES:
        raise ApiError(400, 30005, f"Maximum number of server roles reached ({limits.GUILD_ROLES})")
    role = call.world.add_role(
        guild,
        payload.get("name") or "new role",
        int(payload.get("permissions") or 0),
        colour=payload.get("color") or 0,
        mentionable=bool(payload.get("mentionable")),
    )
    return wire.role(role)


@router.on("PUT", "/guilds/{guild}/members/{user}/roles/{role}")
async def put_member_role(call: Call) -> Any:
    """Give a member a role."""
    guild = _guild(call, Permission.MANAGE_ROLES)
    member, role = _member(call, guild), call.params["role"]
    if role not in guild.roles:
        raise errors.unknown_role()
    call.world.set_roles(guild, member, list(dict.fromkeys((*member.roles, role))))


@router.on("DELETE", "/guilds/{guild}/members/{user}/roles/{role}")
async def delete_member_role(call: Call) -> Any:
    """Take a role from a member."""
    guild = _guild(call, Permission.MANAGE_ROLES)
    member = _member(call, guild)
    call.world.set_roles(guild, member, [each for each in member.roles if each != call.params["role"]])
