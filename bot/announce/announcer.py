"""Tells channels what happened. Every change leaves a notice in the outbox; here they become turn cards.

A card that is still fresh and belongs to the same people is edited; otherwise a new one is posted, which pings. A
notice that was begun before a crash may have gone out already: its card says that it is made again. What a channel
refuses is held: kept, tried again slowly, and told to the host.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import discord

from bot import places
from bot.announce.pace import Pace
from bot.answers import TROUBLE
from bot.cards.panel import turn_card
from bot.cards.pictures import attach
from bot.cards.wording import event_lines, title_name
from bot.ceilings import FRESH_SECONDS
from bot.games.service import MOST_LIVE_GAMES, Live, ServiceError
from bot.names import shown
from bot.texts import Say, language_of, speaker
from renderers.kit.changes import View, changes
from renderers.kit.picture import Picture
from storage.records import LOBBY, Notice
from storage.store import StorageError

if TYPE_CHECKING:
    from bot.client import Kursbuch

_log = logging.getLogger(__name__)

#: Pauses between attempts to tell a channel something, in seconds; the last one repeats.
PAUSES: tuple[float, ...] = (1, 3, 10, 30, 120, 600)
#: The same where trying again soon is no use: somebody has to give a permission back, or to mend the program.
HELD_PAUSES: tuple[float, ...] = (60, 600, 3600)
#: How long the end waits for what is being sent.
GRACE_SECONDS = 5.0


@dataclass
class Shown:
    """The card that a channel shows: whose turn, its lines, and what it shows."""

    turn: str
    lines: list[str]
    #: What those who decide had seen after their last move; what the card before showed; what this one shows.
    seen: View | None
    before: View | None
    shown: View
    #: Whether it says that it is made again; it goes on saying so.
    again: bool


class Announcer:
    """Works through the outbox, game by game, each game's notices in order."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot
        self._tasks: dict[int, asyncio.Task[None]] = {}
        #: Rung when a game has something to tell while its task is at work or waits to try again.
        self._bells: dict[int, asyncio.Event] = {}
        #: Games that wait for somebody to mend something, and their servers.
        self._held: dict[int, int] = {}
        self._shown: OrderedDict[int, Shown] = OrderedDict()
        self._closing = False
        self.pace = Pace()
        #: Rung when a channel that has been written into too often can be again.
        self._rests: dict[int, asyncio.Event] = {}

    def wake(self, game: int) -> None:
        """A game has something to tell."""
        if self._closing:
            return
        self._bells.setdefault(game, asyncio.Event()).set()
        task = self._tasks.get(game)
        # A task that is done has not heard the bell, even if nobody has taken note of its end yet.
        if task is None or task.done():
            self._tasks[game] = task = asyncio.create_task(self._work(game), name=f"announce {game}")
            task.add_done_callback(lambda done: self._forget(game, done))

    def _forget(self, game: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game) is task:
            del self._tasks[game]

    async def wake_all(self) -> None:
        """After a start: everything that is still to be told."""
        held = await self.bot.store.held()
        for each in held:
            self._held[each.game] = each.guild
            self.bot.troubles.note("announcements", each.game, each.why)
        # Those that are held are looked at even if nothing is left to tell: then they are held no longer.
        for game in dict.fromkeys([*await self.bot.store.games_to_tell(), *(each.game for each in held)]):
            self.wake(game)

    def wake_held(self, guild: int) -> None:
        """Something has changed on a server: perhaps a channel lets us write again."""
        for game in [game for game, where in self._held.items() if where == guild]:
            self.wake(game)

    async def close(self) -> None:
        """Let what is being sent go out, but not for long; what is cut off comes again after the next start, marked."""
        self._closing = True
        for bell in [*self._bells.values(), *self._rests.values()]:
            bell.set()
        tasks = list(self._tasks.values())
        if tasks and self.bot.is_ready():
            await asyncio.wait(tasks, timeout=GRACE_SECONDS)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def busy(self) -> list[asyncio.Task[None]]:
        """The work that will come to an end by itself."""
        return [task for game, task in self._tasks.items() if game not in self._held]

    async def idle(self) -> None:
        """Wait until nothing is being told, save what is held."""
        while tasks := self.busy():
            await asyncio.wait(tasks, timeout=0.05)

    async def _work(self, game: int) -> None:
        """Tell everything that is pending for a game; wait and try again where Discord fails."""
        attempt = 0
        bell = self._bells[game]
        while bell.is_set() and not self._closing:
            bell.clear()
            try:
                await self.bot.wait_until_ready()
                while not self._closing:
                    if wait := self.pace.wait(game):
                        await self._rest(game, timedelta(seconds=wait))
                    if not await self._tell(game):
                        break
                    self.pace.count(game)
                    attempt = 0
                await self._release(game)
                continue
            except discord.Forbidden as problem:
                await self._hold(game, problem)
                pauses = HELD_PAUSES
            except (*TROUBLE, StorageError) as problem:
                _log.warning("game %d could not be announced, attempt %d: %r", game, attempt + 1, problem)
                pauses = PAUSES
            except Exception as problem:
                self.bot.troubles.note("announcements", game, problem)
                self._held.setdefault(game, 0)
                pauses = HELD_PAUSES
            pause = timedelta(seconds=pauses[min(attempt, len(pauses) - 1)])
            attempt += 1
            # A new move is a reason to try at once: somebody may have mended what was wrong.
            self.bot.timetable.after(f"announce {game}", pause, bell.set)
            await bell.wait()
            self.bot.timetable.cancel(f"announce {game}")

    async def _rest(self, game: int, wait: timedelta) -> None:
        """Let a channel rest; what happens meanwhile is told with the rest."""
        rested = self._rests.setdefault(game, asyncio.Event())
        self.bot.timetable.after(f"rest {game}", wait, rested.set)
        await rested.wait()
        self._rests.pop(game, None)

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
        channel = await places.find(self.bot, record.channel)
        if channel is None:
            await self._drop(notices)
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
        try:
            await self._send(live, channel, notices, again=again)
        except discord.HTTPException as problem:
            if places.is_gone(problem):
                await self._drop(notices)
                return True
            if problem.status < 500:
                # Refused: what was begun just now has certainly not gone out, and is no repetition when it does. What
                # was begun before may have arrived then.
                for notice in notices:
                    if notice.begun is None:
                        await store.delay_notice(notice.id, now(), unsent=True)
            raise
        await self._finish(notices)
        return True

    async def _finish(self, notices: Sequence[Notice]) -> None:
        for notice in notices:
            await self.bot.store.finish_notice(notice.id, self.bot.service.now())

    async def _drop(self, notices: Sequence[Notice]) -> None:
        _log.warning("the channel of game %d is gone; its announcements are dropped", notices[0].game)
        await self._finish(notices)

    # ------------------------------------------------------------------ channels that refuse

    async def _hold(self, game: int, problem: discord.Forbidden) -> None:
        """A channel refuses what is to be told: remember it, and tell the host once."""
        self.bot.troubles.note("announcements", game, problem.text or str(problem))
        self._held.setdefault(game, 0)
        store, now = self.bot.store, self.bot.service.now
        try:
            held = await store.hold(game, problem.text or str(problem), now())
            self._held[game] = held.guild
            if held.host_told is None:
                await self._tell_host(game, held.why)
                await store.host_was_told(game, now())
        except (*TROUBLE, StorageError) as failure:
            _log.warning("the host of game %d could not be told: %r", game, failure)

    async def _tell_host(self, game: int, why: str) -> None:
        """Write to the host; those who take no direct messages find it in `/game info`."""
        record = await self.bot.store.game(game)
        assert record is not None
        say = speaker((await self.bot.store.person(record.host)).locale or "en")
        text = say("held.host", title=title_name(record), channel=f"<#{record.channel}>", why=shown(why))
        try:
            user = self.bot.get_user(record.host) or await self.bot.fetch_user(record.host)
            await user.send(text)
        except (discord.Forbidden, discord.NotFound) as problem:
            _log.info("no direct message to %d: %s", record.host, problem)

    async def _release(self, game: int) -> None:
        """Everything of a game has been told."""
        if game in self._held:
            await self.bot.store.release(game)
            del self._held[game]
            self.bot.troubles.clear("announcements", game)

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
        if edit and kept is not None:
            seen, before = kept.seen, kept.before
        else:
            seen, before = last_seen(live), kept.shown if kept is not None else None
        # After an undo a card may have shown more than there is now.
        if seen is not None and seen.moves > len(live.game.moves):
            seen = last_seen(live)
        if before is not None and before.moves > len(live.game.moves):
            before = None
        pictures = await self._pictures(live, seen, before, language)
        files, gallery = attach(pictures, language)
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=await self._pinged(live))
        if edit:
            # An edit is no repetition, however often it is tried: it is the same message.
            marked = kept is not None and kept.again
            card = turn_card(live, say, told, gallery, ping=True, again=marked)
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
            # The same card sent again because its answer was lost is dropped by Discord if it did arrive.
            nonce = f"{record.id}-{notices[0].id}-{notices[-1].id}"[:25]
            message = await channel.send(view=card, files=files, allowed_mentions=allowed, nonce=nonce)
            await self.bot.store.set_card(record.id, message.id, live.length, self.bot.service.now())
            told, marked = lines, again
            await self._direct(live, say)
        self._shown[record.id] = Shown(turn, told, seen, before, View.of(live.game), marked)
        self._shown.move_to_end(record.id)
        while len(self._shown) > MOST_LIVE_GAMES:
            self._shown.popitem(last=False)

    async def _language(self, live: Live) -> str:
        server = await self.bot.store.server(live.record.guild)
        return language_of(server.locale or "en")

    def _lines(self, live: Live, notices: Sequence[Notice], say: Say) -> list[str]:
        lines: list[str] = []
        for notice in notices:
            try:
                lines += self._notice_lines(live, notice, say)
            except Exception as problem:
                # One that cannot be put into words must not keep the others back.
                self.bot.troubles.note("announcements", notice.game, problem)
        return lines

    def _notice_lines(self, live: Live, notice: Notice, say: Say) -> list[str]:
        data = notice.data
        if notice.kind == "moved":
            return event_lines(say.of(live.record.title), data["events"])
        if notice.kind in ("undone", "redone"):
            player = live.player_of(data["user"])
            name = shown(player) if player else f"<@{data['user']}>"
            return [say("undo.done" if notice.kind == "undone" else "undo.redone", name=name, count=data["count"])]
        return [say(notice.kind, **data)]

    async def _pictures(
        self, live: Live, seen: View | None, before: View | None, language: str
    ) -> list[tuple[str, Picture | None]]:
        """The map where it has changed, large enough for a phone, and the market; what is new to people is marked.

        Shown is where it has changed since the card before, or else where something is new; new is what those who
        decide did not see after their last move.
        """
        game = live.game
        series = ("card", live.record.id)
        marked = seen or before
        around = next(filter(None, (changes(view, game).hexes for view in (before, seen) if view is not None)), ())
        map_ = await self.bot.pictures.map(
            game, language=language, since=marked, around=around, instead_of=(*series, "map")
        )
        market = await self.bot.pictures.market(
            game, language=language, since=marked, part=True, instead_of=(*series, "market")
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
                        "remind.now",
                        mention=user.mention,
                        title=live.game.definition.name,
                        channel=f"<#{live.record.channel}>",
                    )
                )
            except TROUBLE as problem:
                _log.info("no direct message to %d: %s", seat.user, problem)


def last_seen(live: Live) -> View | None:
    """What those who decide saw after their last move: of several, what the first of them saw."""
    views = [live.seen[name] for name in live.game.offer().deciders if name in live.seen]
    return min(views, key=lambda view: view.moves, default=None)


def _turn_key(live: Live) -> str:
    """Whose turn it is: a card is edited as long as this stays the same."""
    game = live.game
    round_ = game.state.round
    if game.finished:
        return "over"
    number = f"{round_.stock_number}.{round_.operating_number}"
    return f"{round_.kind} {number} {round_.actor} {'/'.join(game.offer().deciders)}"
