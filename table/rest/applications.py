"""Routes about the bot itself: who it is, where the gateway is, its commands."""

from __future__ import annotations

from typing import Any

from table import bodies, commands, errors, wire
from table.rest.frame import Call, Endpoints

router = Endpoints()


@router.on("GET", "/users/@me")
async def get_me(call: Call) -> Any:
    """The bot's own user."""
    return wire.self_user(call.world.users[call.world.bot_id])


@router.on("GET", "/oauth2/applications/@me")
async def get_application(call: Call) -> Any:
    """The application, as discord.py asks at login."""
    return wire.application(call.world, call.world.application)


@router.on("GET", "/applications/@me")
async def get_own_application(call: Call) -> Any:
    """The application, under its newer address."""
    return wire.application(call.world, call.world.application)


@router.on("GET", "/gateway")
async def get_gateway(call: Call) -> Any:
    """Where the gateway is."""
    return {"url": call.table.gateway_url}


@router.on("GET", "/gateway/bot")
async def get_gateway_bot(call: Call) -> Any:
    """Where the gateway is and how many sessions may be started; asked by sharded clients only."""
    start = {"total": 1000, "remaining": 999, "reset_after": 86_400_000, "max_concurrency": 1}
    return {"url": call.table.gateway_url, "shards": 1, "session_start_limit": start}


def _scope(call: Call) -> str | None:
    if call.params["application"] != call.world.bot_id:
        raise errors.missing_access()
    guild_id = call.params.get("guild")
    if guild_id is not None and call.world.bot_id not in call.world.guild(guild_id).members:
        raise errors.missing_access()
    return guild_id


async def get_commands(call: Call) -> Any:
    """All commands of a scope."""
    scope = _scope(call)
    mine = [each for each in call.world.commands.values() if each.guild_id == scope]
    return [wire.command(each, call.world.bot_id) for each in mine]


async def put_commands(call: Call) -> Any:
    """Replace all commands of a scope."""
    made = commands.register(call.world, _scope(call), call.body)
    return [wire.command(each, call.world.bot_id) for each in made]


async def post_command(call: Call) -> Any:
    """Add or replace one command."""
    scope, payload = _scope(call), call.checked(bodies.COMMAND)
    others = [
        each.data
        for each in call.world.commands.values()
        if each.guild_id == scope and each.data["name"] != payload["name"]
    ]
    known = {each.id for each in call.world.commands.values()}
    made = commands.register(call.world, scope, [*others, payload])
    call.status = 200 if made[-1].id in known else 201
    return wire.command(made[-1], call.world.bot_id)


async def get_command(call: Call) -> Any:
    """One command."""
    found = call.world.commands.get(call.params["command"])
    if found is None or found.guild_id != _scope(call):
        raise errors.unknown_command()
    return wire.command(found, call.world.bot_id)


async def delete_command(call: Call) -> Any:
    """Withdraw one command."""
    scope, gone = _scope(call), call.params["command"]
    if gone not in call.world.commands or call.world.commands[gone].guild_id != scope:
        raise errors.unknown_command()
    rest = [each.data for each in call.world.commands.values() if each.guild_id == scope and each.id != gone]
    commands.register(call.world, scope, rest)


for _base in ("/applications/{application}/commands", "/applications/{application}/guilds/{guild}/commands"):
    router.on("GET", _base)(get_commands)
    router.on("PUT", _base)(put_commands)
    router.on("POST", _base)(post_command)
    router.on("GET", _base + "/{command}")(get_command)
    router.on("DELETE", _base + "/{command}")(delete_command)
