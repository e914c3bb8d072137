"""Tells channels what happened. Every change leaves a notice in the outbox; here they become turn cards.

A card that is still fresh and belongs to the same people is edited; otherwise a new one is posted, which pings. A
notice that was begun before a crash may have gone out already: its card says that it is made again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

from bot.ceilings import FRESH_SECONDS
from bot.panel import turn_card
from bot.pictures import attach
from bot.service import Live, ServiceError
from bot.telling import event_lines
from bot.texts import Say, language_of, speaker
from engine.game import Game
from renderers.changes import changes
from renderers.picture import Picture
from storage.records import LOBBY, Notice
from storage.store import StorageError

if TYPE_CHECKING:
    from bot.client import Kursbuch

_log = logging.getLogger(__name__)

#: Pauses between attempts to tell a channel something, in seconds; the last one repeats.
PAUSES = (1, 3, 10, 30, 120, 600)
#: What Discord, the net and the system may do to a message on its way.
TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


@dataclass
class Shown:
    """The card that a channel shows: whose turn, its lines, and the positions at its beginning and now."""

    turn: str
    lines: list[str]
    before: Game | None
    shown: Game


class Announcer:
    """Works through the outbox, game by game, each game's notices in order."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._shown: dict[int, Shown] = {}
        self._closing = False

    def wake(self, game: int) -> None:
        """A game has something to tell."""
        if self._closing:
            return
        task = self._tasks.get(game)
        if task is not None and not task.done():
            self._again.add(game)
            return
        self._tasks[game] = asyncio.create_task(self._work(game), name=f"announce {game}")

    async def wake_all(self) -> None:
        """After a start: everything that is still to be told."""
        far = self.bot.service.now() + timedelta(days=36500)
        for game in dict.fromkeys(notice.game for notice in await self.bot.store.pending(now=far)):
            self.wake(game)

    async def close(self) -> None:
        self._closing = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def idle(self) -> None:
        """Wait until nothing is being told."""
        while any(not task.done() for task in self._tasks.values()):
            await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _work(self, game: int) -> None:
        """Tell everything that is pending for a game; wait and try again where Discord fails."""
        attempt = 0
        while not self._closing:
            self._again.discard(game)
            try:
                await self.bot.wait_until_ready()
                told = await self._tell(game)
            except asyncio.CancelledError:
                raise
            except (*TROUBLE, StorageError) as problem:
                pause = PAUSES[min(attempt, len(PAUSES) - 1)]
                attempt += 1
                _log.warning("game %d could not be announced (%s); again in %d s", game, problem, pause)
                await asyncio.sleep(pause)
                continue
            except Exception:
                _log.exception("game %d could not be announced", game)
                return
            attempt = 0
            if not told and game not in self._again:
                return

    async def _tell(self, game: int) -> bool:
        """Make one card of all pending notices; False if there are none."""
        store, now = self.bot.store, self.bot.service.now
        notices = await store.pending(now=now() + timedelta(days=36500), game=game)
        if not notices:
            return False
        record = await store.game(game)
        if record is None or record.status == LOBBY:
            await self._finish(notices)
            return True
        channel = await self.channel(record.channel)
        if channel is None:
            _log.warning("the channel of game %d is gone; its announcements are dropped", game)
            await self._finish(notices)
            return True
        again = any(notice.begun is not None for notice in notices)
        for notice in notices:
            if notice.begun is None:
                await store.begin_notice(notice.id, now())
        try:
            live = await self.bot.service.live(game)
        except ServiceError:
            await self._finish(notices)
            return True
        await self._send(live, channel, notices, again=again)
        await self._finish(notices)
        return True

    async def _finish(self, notices: Sequence[Notice]) -> None:
        for notice in notices:
            await self.bot.store.finish_notice(notice.id, self.bot.service.now())

    async def channel(self, channel: int) -> Any | None:
        """The channel or thread; None if it is gone for good."""
        found = self.bot.get_channel(channel)
        if found is not None:
            return found
        try:
            return await self.bot.fetch_channel(channel)
        except (discord.NotFound, discord.Forbidden):
            return None

    # ------------------------------------------------------------------ the card

    async def _send(self, live: Live, channel: Any, notices: Sequence[Notice], *, again: bool) -> None:
        language = await self._language(live)
        say = speaker(language)
        lines = self._lines(live, notices, say)
        record = live.record
        fresh = await self.bot.store.game(record.id)
        assert fresh is not None
        turn = _turn_key(live)
        kept = self._shown.get(record.id)
        edit = (
            fresh.card_message is not None
            and fresh.card_posted is not None
            and kept is not None
            and kept.turn == turn
            and (self.bot.service.now() - fresh.card_posted).total_seconds() < FRESH_SECONDS
        )
        told = [*(kept.lines if edit and kept is not None else []), *lines]
        before = None if kept is None else kept.before if edit else kept.shown
        pictures = await self._pictures(live, before, language)
        files, gallery = attach(pictures, language)
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=await self._pinged(live))
        if edit:
            card = turn_card(live, say, told, gallery, ping=True, again=again)
            try:
                message = channel.get_partial_message(fresh.card_message)
                await message.edit(view=card, attachments=files, allowed_mentions=allowed)
            except discord.NotFound:
                edit = False
            except discord.HTTPException as problem:
                if problem.code != 30046:  # too many edits of an old message
                    raise
                edit = False
        if not edit:
            files, gallery = attach(pictures, language)
            card = turn_card(live, say, lines, gallery, ping=True, again=again)
            message = await channel.send(view=card, files=files, allowed_mentions=allowed)
            await self.bot.store.set_card(record.id, message.id, live.length, self.bot.service.now())
            told = lines
            await self._direct(live, say)
        self._shown[record.id] = Shown(turn, told, before, live.game)

    async def _language(self, live: Live) -> str:
        server = await self.bot.store.server(live.record.guild)
        return language_of(server.locale or "en")

    def _lines(self, live: Live, notices: Sequence[Notice], say: Say) -> list[str]:
        lines: list[str] = []
        for notice in notices:
            data = notice.data
            if notice.kind == "moved":
                lines += event_lines(say, data["events"])
            elif notice.kind in ("undone", "redone"):
                name = live.player_of(data["user"]) or say("status.playing")
                key = "undo.done" if notice.kind == "undone" else "undo.redone"
                lines.append(say(key, name=name, count=data["count"]))
            else:
                lines.append(say(notice.kind, **data))
        return lines

    async def _pictures(self, live: Live, before: Game | None, language: str) -> list[tuple[str, Picture | None]]:
        """What changed on the map, large enough for a phone, and the market."""
        game = live.game
        series = ("card", live.record.id)
        found = changes(before, game) if before is not None else None
        around = found.hexes if found is not None else ()
        map_ = await self.bot.pictures.map(
            game, language=language, since=before, around=around, instead_of=(*series, "map")
        )
        market = await self.bot.pictures.market(
            game, language=language, since=before, part=True, instead_of=(*series, "market")
        )
        return [("map", map_), ("market", market)]

    async def _pinged(self, live: Live) -> list[discord.Object]:
        """Who is pinged in the channel: those who decide and want it so."""
        result = []
        for name in live.game.offer().deciders:
            seat = live.seat(name)
            if not seat.house and (await self.bot.store.person(seat.user)).ping == "channel":
                result.append(discord.Object(seat.user))
        return result

    async def _direct(self, live: Live, say: Say) -> None:
        """Tell those by direct message who want it so."""
        for name in live.game.offer().deciders:
            seat = live.seat(name)
            if seat.house or (await self.bot.store.person(seat.user)).ping != "direct":
                continue
            try:
                user = self.bot.get_user(seat.user) or await self.bot.fetch_user(seat.user)
                await user.send(
                    say(
                        "remind.one",
                        mention=user.mention,
                        title=live.game.definition.name,
                        channel=f"<#{live.record.channel}>",
                        since=discord.utils.format_dt(self.bot.service.now(), "R"),
                    )
                )
            except TROUBLE as problem:
                _log.info("no direct message to %d: %s", seat.user, problem)


def _turn_key(live: Live) -> str:
    """Whose turn it is: a card is edited as long as this stays the same."""
    game = live.game
    round_ = game.state.round
    if game.finished:
        return "over"
    number = f"{round_.stock_number}.{round_.operating_number}"
    return f"{round_.kind} {number} {round_.actor} {'/'.join(game.offer().deciders)}"
