"""Which private panel each person has open in each game: at most one, and none that Discord would not let us change.

What is private can be edited for a quarter of an hour after the last tap, never again afterwards, and never after a
restart. So a panel goes before that, and the card in the channel is the bottom of the thread once more. Tokens are in
memory alone: whoever has one can write as the bot into a channel.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import discord
from discord import ui

from bot.answers import TROUBLE
from bot.card.turn import Card
from bot.games.service import Live
from bot.picking.buttons import TakeBackButton
from bot.services import Services

_log = logging.getLogger(__name__)

#: How long a panel stays after the last tap: a minute less than its token.
LIFE = timedelta(minutes=14)
#: What a panel asks for: nothing, no more than whether to take back, or a decision.
NOTHING, TAKE_BACK, DECISION = "", "take back", "decision"

Version = tuple[object, ...]


def version(live: Live) -> Version:
    """What a panel depends on: a pause, an end and a seat that changed hands make the log no longer."""
    return (live.length, live.record.status, live.record.seats)


def asks(card: Card) -> str:
    """What a card asks for, by its buttons."""
    items = [item for row in card.walk_children() if isinstance(row, ui.ActionRow) for item in row.children]
    if not items:
        return NOTHING
    return TAKE_BACK if all(isinstance(item, TakeBackButton) for item in items) else DECISION


@dataclass(frozen=True)
class Panel:
    """A private message and the way to it: the token's webhook, not the whole interaction that it came with."""

    game: int
    user: int
    channel: int
    message: int
    webhook: discord.Webhook
    expires: datetime
    version: Version
    #: The log's length up to which it tells what happened.
    told: int
    asks: str
    language: str

    def above(self, channel: int, card: int) -> bool:
        """Whether a card of its channel stands below it: ids are in the order of time."""
        return self.channel == channel and self.message < card


class Panels:
    """Remembers the panels, shows another state of theirs, and takes them away."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._open: dict[tuple[int, int], Panel] = {}
        self._locks: weakref.WeakValueDictionary[tuple[int, int], asyncio.Lock] = weakref.WeakValueDictionary()
        #: Panels that are seen and cannot be changed any more: what they say may be wrong by now.
        self._lost: dict[tuple[int, int], int] = {}
        #: Called when a panel is found to be lost: the card is to be the bottom again.
        self.on_lost: Callable[[int], None] = lambda game: None
        self._tasks: set[asyncio.Task[None]] = set()

    def lock(self, game: int, user: int) -> asyncio.Lock:
        """Held while the panel of somebody is changed: a tap and what follows from others' moves never meet."""
        return self._locks.setdefault((game, user), asyncio.Lock())

    def of(self, game: int) -> list[Panel]:
        return [panel for (number, _), panel in list(self._open.items()) if number == game]

    def get(self, game: int, user: int) -> Panel | None:
        return self._open.get((game, user))

    def hide_card(self, game: int, card: int, users: Sequence[int]) -> bool:
        """Whether somebody sees a panel below a card which cannot be put right."""
        return any(self._lost.get((game, user), 0) > card for user in users)

    def posted(self, game: int) -> None:
        """A new card is the bottom: whatever stands above it is no matter."""
        for key in [key for key in self._lost if key[0] == game]:
            del self._lost[key]

    async def shown(
        self, interaction: discord.Interaction[Any], message: int, live: Live, card: Card, language: str
    ) -> None:
        """Somebody sees a panel from now on; the one before it goes."""
        key = (live.record.id, interaction.user.id)
        old = self._open.get(key)
        now = self.services.games.now()
        self._open[key] = Panel(
            *key,
            interaction.channel_id or 0,
            message,
            interaction.followup,
            now + LIFE,
            version(live),
            live.length,
            asks(card),
            language,
        )
        self._lost.pop(key, None)
        self.services.scheduler.after(self._name(key), LIFE, lambda: self._begin(self.rest(*key)))
        if old is not None and old.message != message:
            await self._delete(old)

    async def rest(self, game: int, user: int) -> None:
        """Its time is up: it goes while it still can."""
        async with self.lock(game, user):
            panel = self._open.get((game, user))
            if panel is not None and panel.expires <= self.services.games.now() + timedelta(seconds=1):
                await self.drop(panel)

    def keep(self, panel: Panel, live: Live, **more: Any) -> None:
        """It is right for this version of the game as well."""
        self._open[panel.game, panel.user] = replace(panel, version=version(live), **more)

    async def edit(self, panel: Panel, live: Live, card: Card, files: Sequence[discord.File] = ()) -> None:
        """Show something else in it, without a tap: its token goes on running out."""
        try:
            await panel.webhook.edit_message(
                panel.message,
                view=card,
                attachments=list(files),
                allowed_mentions=discord.AllowedMentions.none(),
            )
        except (*TROUBLE, RuntimeError) as problem:  # RuntimeError: we are leaving
            self._gone(panel, problem)
        else:
            self.keep(panel, live, told=live.length, asks=asks(card))

    async def drop(self, panel: Panel) -> None:
        """Take it away."""
        self._open.pop((panel.game, panel.user), None)
        self.services.scheduler.cancel(self._name((panel.game, panel.user)))
        await self._delete(panel)

    async def _delete(self, panel: Panel) -> None:
        if panel.expires + timedelta(seconds=30) < self.services.games.now():
            return  # its token is spent, and whoever tries all the same is counted
        for last in (False, True):
            try:
                await panel.webhook.delete_message(panel.message)
                return
            except (*TROUBLE, RuntimeError) as problem:  # RuntimeError: we are leaving
                known = isinstance(problem, discord.HTTPException) and problem.status in (401, 403, 404)
                if known or last:
                    self._gone(panel, problem)
                    return

    def _gone(self, panel: Panel, problem: BaseException) -> None:
        """It cannot be reached: dismissed, which is no lie, or there and out of reach."""
        key = (panel.game, panel.user)
        if self._open.get(key) is panel:
            del self._open[key]
            self.services.scheduler.cancel(self._name(key))
        if isinstance(problem, discord.NotFound):
            return
        _log.info("the panel %d of game %d cannot be changed any more: %r", panel.message, panel.game, problem)
        self._lost[key] = panel.message
        self.on_lost(panel.game)

    def _begin(self, work: Any) -> None:
        task = asyncio.create_task(work, name="a panel goes")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _name(self, key: tuple[int, int]) -> str:
        return f"panel {key[0]} {key[1]}"

    async def close(self) -> None:
        """Stop; after the next start no panel is known, and the next card is a new one."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
