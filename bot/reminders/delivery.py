"""Puts a reminder into words and sends it: in the channel or by direct message, one message for all games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord

from bot import places
from bot.names import shown
from bot.reminders.clock import NotSent, Sent
from bot.reminders.plan import Item, Reminder
from bot.services import Services
from bot.texts import Say, speaker
from bot.words.wording import title_name


class Reminding:
    """Delivers reminders. There is one live reminder of a person at a time: the old one is deleted."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.services = services
        self.client = client

    async def send(self, reminder: Reminder) -> Sent:
        """Deliver one reminder; raises if Discord fails, so that it comes again."""
        if not self.client.is_ready():
            raise NotSent("not connected to Discord")
        person = reminder.person
        items = [*reminder.items, *reminder.stalled]
        if not items or (person.ping == "off" and not reminder.stalled):
            return Sent()
        await self._delete_old(reminder.items)
        say = speaker(person.locale or "en")
        text = self.text(say, reminder)
        refused: discord.HTTPException | None = None
        for find in self._ways(reminder):
            try:
                target = await find()
                if target is None:
                    continue
                message = await target.send(
                    text,
                    nonce=reminder.key,
                    allowed_mentions=discord.AllowedMentions(
                        everyone=False, roles=False, users=[discord.Object(person.user)]
                    ),
                )
                return Sent(message.channel.id, message.id)
            except discord.NotFound:
                continue
            except discord.HTTPException as problem:
                if not places.is_refused(problem):
                    raise
                refused = problem
        if refused is not None:
            raise NotSent(str(refused))
        return Sent()

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
            say("remind.host", mention=mention, name=shown(item.waiting.player), **_facts(item))
            for item in reminder.stalled
        ]
        if reminder.repeated:
            lines.append(say("card.again"))
        return "\n".join(lines)[:2000]

    def _ways(self, reminder: Reminder) -> list[Callable[[], Awaitable[Any | None]]]:
        """Where it can go, the best first: the game's channel, or a direct message for those who want it so."""
        channel = [*reminder.items, *reminder.stalled][0].game.channel
        user = reminder.person.user

        async def there() -> Any | None:
            return await places.find(self.client, channel)

        async def directly() -> Any | None:
            return self.client.get_user(user) or await self.client.fetch_user(user)

        return [directly, there] if reminder.person.ping == "direct" else [there, directly]

    async def _delete_old(self, items: Sequence[Item]) -> None:
        for channel, message in {(i.waiting.message_channel, i.waiting.message) for i in items if i.waiting.message}:
            assert channel is not None
            assert message is not None
            try:
                place: Any = self.client.get_channel(channel) or await self.client.fetch_channel(channel)
                await place.get_partial_message(message).delete()
            except discord.HTTPException as problem:
                if not (isinstance(problem, discord.NotFound) or places.is_refused(problem)):
                    raise


def _facts(item: Item) -> dict[str, str]:
    return {
        "title": title_name(item.game),
        "channel": f"<#{item.game.channel}>",
        "since": discord.utils.format_dt(item.waiting.since, "R"),
    }
