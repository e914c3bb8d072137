"""What the page shows a person: the state of the table, messages, commands and news."""

from __future__ import annotations

import io
import mimetypes
import re
import unicodedata
import zoneinfo
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from PIL import Image, ImageDraw

from table import commands as application_commands
from table import permissions, wire
from table.commands import GROUP, SUB_COMMAND, local_name
from table.errors import Refused
from table.locales import nearest
from table.model import JSON, Channel, Guild, Message, User
from table.people import Person
from table.permissions import Permission
from table.world import Event, World

if TYPE_CHECKING:
    from table.server import Table

_COLOURS: Final = (0x5865F2, 0x3BA55C, 0xEB459E, 0xFAA61A, 0x00A8FC, 0xED4245, 0x9B59B6, 0x11806A)
#: How many different pictures there are for people without one.
AVATARS: Final = len(_COLOURS)
_NAME: Final = re.compile(r"[a-z0-9_.]{2,32}")


def content_type(filename: str) -> str:
    """The type of a file by its name."""
    return mimetypes.guess_type(filename)[0] or "application/octet-stream"


@lru_cache
def avatar(number: int) -> bytes:
    """A plain picture for who has none."""
    image = Image.new("RGB", (64, 64), f"#{_COLOURS[number % len(_COLOURS)]:06x}")
    draw = ImageDraw.Draw(image)
    draw.ellipse((22, 12, 42, 32), fill="white")
    draw.ellipse((12, 38, 52, 82), fill="white")
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def user(each: User) -> JSON:
    """A user with what the page needs to draw one."""
    return wire.user(each) | {"colour": f"#{each.colour:06x}", "locale": each.locale, "zone": each.zone}


def people(table: Table) -> JSON:
    """Everybody who can be sat down as."""
    world = table.world
    return {
        "people": [user(each) for each in world.users.values() if not each.bot],
        "name": table_name(world),
    }


def table_name(world: World) -> str:
    """The name of the first server."""
    return next((each.name for each in world.guilds.values()), world.application.name)


def state(person: Person) -> JSON:
    """Everything but the messages, as this person sees it."""
    table, world, me = person.table, person.table.world, person.id
    seen = [each for each in world.channels.values() if world.sees(me, each)]
    unread = {each.id: world.unread(me, each) for each in seen}
    return {
        "me": user(person.user),
        "bot": user(world.users[world.bot_id]),
        "connected": table.gateway.connected,
        "users": [user(each) for each in world.users.values()],
        "servers": [_server(world, each, me) for each in world.guilds.values() if me in each.members],
        "directs": [_channel(world, each, me) for each in seen if each.is_direct],
        "unread": {key: value for key, value in unread.items() if value[0]},
        "pings": pings(world),
    }


def pings(world: World) -> JSON:
    """How many unread messages wait for each person, so that a shared screen shows whose turn it is."""
    waiting: JSON = {}
    for each in world.users.values():
        seen = [one for one in world.channels.values() if not each.bot and world.sees(each.id, one)]
        waiting[each.id] = sum(world.unread(each.id, one)[1] for one in seen)
    return {key: value for key, value in waiting.items() if value}


def _server(world: World, guild: Guild, me: str) -> JSON:
    mine = [each for each in world.channels.values() if each.guild_id == guild.id and world.sees(me, each)]
    return {
        "id": guild.id,
        "name": guild.name,
        "owner": guild.owner_id,
        "can_make_channels": bool(permissions.in_guild(guild, me) & Permission.MANAGE_CHANNELS),
        "roles": [wire.role(each) for each in guild.roles.values()],
        "members": [{"id": each.user_id, "nick": each.nick, "roles": each.roles} for each in guild.members.values()],
        "channels": [_channel(world, each, me) for each in mine],
    }


def _channel(world: World, each: Channel, me: str) -> JSON:
    data = wire.channel(world, each, me)
    send = Permission.SEND_MESSAGES_IN_THREADS if each.is_thread else Permission.SEND_MESSAGES
    data["can_send"] = world.may(me, each, send) and not each.locked
    data["can_thread"] = (
        not each.is_thread and not each.is_direct and world.may(me, each, Permission.CREATE_PUBLIC_THREADS)
    )
    data["joined"] = me in each.members
    manage = Permission.MANAGE_THREADS if each.is_thread else Permission.MANAGE_CHANNELS
    data["can_delete"] = not each.is_direct and world.may(me, each, manage)
    return data


def message(person: Person, each: Message) -> JSON:
    """A message as this person sees it."""
    data = wire.message(person.table.world, each)
    data["pinged"] = person.id in each.pinged
    data["pinged_users"] = each.pinged
    data["can_delete"] = person.may_delete(each)
    return data


def messages(person: Person, channel: Channel, *, before: int | None, most: int) -> JSON:
    """A page of history, oldest first."""
    shown = person.messages(channel)
    if before is not None:
        shown = [each for each in shown if int(each.id) < before]
    page = shown[-most:] if most > 0 else []
    last_read = person.table.world.reads.get((person.id, channel.id))
    return {
        "messages": [message(person, each) for each in page],
        "more": len(shown) > len(page),
        "last_read": last_read,
    }


def commands(person: Person, channel: Channel) -> list[JSON]:
    """The commands that this person can use here, each leaf of a group by itself, in their language."""
    world, locale = person.table.world, person.user.locale
    found: list[JSON] = []
    for each in application_commands.usable(world, person.user, channel):
        _leaves(each.data, [], locale, found)
    return found


def _leaves(data: JSON, above: list[JSON], locale: str, found: list[JSON]) -> None:
    way = [*above, data]
    options = data.get("options") or []
    branches = [each for each in options if each["type"] in (SUB_COMMAND, GROUP)]
    for each in branches:
        _leaves(each, way, locale, found)
    if not branches:
        found.append(
            {
                "command": " ".join(each["name"] for each in way),
                "name": " ".join(local_name(each, locale) for each in way),
                "description": _local(data, "description", locale),
                "options": [_option(each, locale) for each in options],
            }
        )


def _option(data: JSON, locale: str) -> JSON:
    shown = {
        "name": data["name"],
        "label": local_name(data, locale),
        "type": data["type"],
        "description": _local(data, "description", locale),
        "required": bool(data.get("required")),
        "autocomplete": bool(data.get("autocomplete")),
        "choices": [{"name": local_name(each, locale), "value": each["value"]} for each in data.get("choices") or []],
    }
    for key in ("min_value", "max_value", "min_length", "max_length", "channel_types"):
        if data.get(key) is not None:
            shown[key] = data[key]
    return shown


def _local(data: JSON, key: str, locale: str) -> str:
    return str((data.get(f"{key}_localizations") or {}).get(locale) or data.get(key) or "")


def news(person: Person, event: Event) -> JSON | None:
    """What this person hears of an event; None if it is not for them."""
    world = person.table.world
    channel = event.channel
    if event.message is not None:
        if event.message.reader not in (None, person.id):
            return None
        if channel is None or not world.sees(person.id, channel):
            return None
        if event.name == "MESSAGE_DELETE":
            return {"t": event.name, "d": {"id": event.message.id, "channel_id": channel.id}}
        return {"t": event.name, "d": message(person, event.message)}
    if event.name == "TYPING_START" and channel is not None:
        seen = world.sees(person.id, channel)
        return {"t": event.name, "d": {"channel_id": channel.id, **event.data}} if seen else None
    if event.name == "PRESENCE_UPDATE":
        return {"t": event.name, "d": event.data}
    if event.name == "COMMANDS_UPDATE":
        return {"t": event.name, "d": {}}
    # Servers, channels and people change seldom: the page reads its state anew.
    return {"t": "STATE", "d": {}}


def sit_down(table: Table, body: JSON) -> Any:
    """Somebody new joins the table and all its servers."""
    shown = str(body.get("name") or "").strip()
    name = re.sub(r"[^a-z0-9_.]", "", shown.lower().replace(" ", "_"))
    world = table.world
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in shown) or len(shown) > 32:
        raise Refused("A name has 1 to 32 characters, and something to see.")
    if not _NAME.fullmatch(name):  # Discord too knows everybody by plain letters, whatever they are called
        name = f"guest{len(world.users)}"
    made = world.add_user(
        name,
        shown,
        locale=nearest(str(body.get("locale") or "")),
        zone=_zone(body.get("zone")),
        colour=_COLOURS[len(world.users) % len(_COLOURS)],
    )
    for guild in world.guilds.values():
        world.join(guild, made)
    return user(made)


def change_profile(person: Person, body: JSON) -> None:
    """Change language or time zone."""
    person.user.locale = nearest(str(body.get("locale") or person.user.locale))
    if body.get("zone"):
        person.user.zone = _zone(body["zone"])
    person.table.world.save_user(person.user)


def _zone(name: object) -> str:
    wanted = str(name or "UTC")
    if wanted not in zoneinfo.available_timezones():
        raise Refused(f"There is no time zone {wanted}.")
    return wanted
