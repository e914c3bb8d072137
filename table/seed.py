"""The first start: a server, a channel, the bot and some people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from table.model import Channel, Message
from table.world import World


class Guest(NamedTuple):
    """Somebody who is there from the beginning."""

    name: str
    locale: str
    zone: str
    colour: int


PEOPLE = (
    Guest("Ann", "en-GB", "Europe/London", 0x3BA55C),
    Guest("Bo", "de", "Europe/Berlin", 0x5865F2),
    Guest("Cy", "en-US", "America/New_York", 0xEB459E),
    Guest("Dora", "de", "Europe/Vienna", 0x9B59B6),
)


def furnish(
    world: World,
    *,
    server: str = "Stellwerk",
    channel: str = "lobby",
    people: Sequence[Guest] = PEOPLE,
    topic: str | None = None,
    welcome: str | None = None,
) -> Channel:
    """Furnish an empty world; the first of the people owns the server."""
    seated = [
        world.add_user(seat.name.lower(), seat.name, locale=seat.locale, zone=seat.zone, colour=seat.colour)
        for seat in people
    ]
    guild = world.add_guild(server, seated[0], seated[0].locale)
    for user in seated[1:]:
        world.join(guild, user)
    made = world.add_channel(guild, channel, topic=topic)
    world.join(guild, world.users[world.bot_id])
    if welcome is not None:
        world.add_message(Message(world.clock.snowflake(), made.id, world.bot_id, world.clock.now(), content=welcome))
    return made
