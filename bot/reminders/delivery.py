"""Puts a reminder into words and sends it: in the channel or by direct message, one message for all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord

import titles
from bot.reminders.clock import NotSent, Sent
from bot.reminders.plan import Item, Reminder
from bot.texts import Say, speaker

if TYPE_CHECKING:
    from bot.client import Kursbuch


class Reminding:
    """Delivers reminders. There is one live reminder of a person at a time: the old one is deleted."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    async def send(self, reminder: Reminder) -> Sent:
        """Deliver one reminder; raises if Discord fails, so that it comes again."""
        if not self.bot.is_ready():
            raise NotSent("not connected to Discord")
        person = reminder.person
        items = [*reminder.items, *reminder.stalled]
        if not items or (person.ping == "off" and not reminder.stalled):
            return Sent()
        await self._delete_old(reminder.items)
        say = speaker(person.locale or "en")
        text = self.text(say, reminder)
        target = await self._target(reminder)
        if target is None:
            return Sent()
        message = await target.send(
            text,
            nonce=reminder.key,
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(person.user)]),
        )
        return Sent(message.channel.id, message.id)

    def text(self, say: Say, reminder: Reminder) -> str:
        """The words: one game in a sentence, several in a list, and for a host who has let the time pass."""
        mention = f"<@{reminder.person.user}>"
        lines = []
        if len(reminder.items) == 1:
            lines.append(say("remind.one", mention=mention, **_facts(reminder.items[0])))
        elif reminder.items:
            listed = "\n".join(say("remind.line", **_facts(item)) for item in reminder.items[:20])
            lines.append(say("remind.many", mention=mention, count=len(reminder.items), lines=listed))
        lines += [
            say("remind.host", mention=mention, name=item.waiting.player, **_facts(item)) for item in reminder.stalled
        ]
        if reminder.repeated:
            lines.append(say("card.again"))
        return "\n".join(lines)[:2000]

    async def _target(self, reminder: Reminder) -> Any | None:
        """Where it goes: direct messages if wished or if games of several channels wait, else the game's channel."""
        person = reminder.person
        items = [*reminder.items, *reminder.stalled]
        if person.ping != "direct":
            channel = await self.bot.announcer.channel(items[0].game.channel)
            if channel is not None:
                return channel
        try:
            return self.bot.get_user(person.user) or await self.bot.fetch_user(person.user)
        except discord.NotFound:
            return None

    async def _delete_old(self, items: Sequence[Item]) -> None:
        for channel, message in {(i.waiting.message_channel, i.waiting.message) for i in items if i.waiting.message}:
            assert channel is not None
            assert message is not None
            try:
                place: Any = self.bot.get_channel(channel) or await self.bot.fetch_channel(channel)
                await place.get_partial_message(message).delete()
            except (discord.NotFound, discord.Forbidden):
                continue


def _facts(item: Item) -> dict[str, str]:
    return {
        "title": titles.find(item.game.title).name,
        "channel": f"<#{item.game.channel}>",
        "since": discord.utils.format_dt(item.waiting.since, "R"),
    }
