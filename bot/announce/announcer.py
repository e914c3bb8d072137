"""Tells channels what happened. Every change leaves a notice in the outbox; here they become turn cards.

A card that is still fresh and belongs to the same people is edited; otherwise a new one is posted, which pings, and
the old one shrinks to its record. Nothing is posted while the house is at work: its turns are over before anybody has
read of them. A notice that was begun before a crash may have gone out already: its card says that it is made again.
What a channel refuses is held: kept, tried again slowly, and told to the host.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

import discord

from bot import places
from bot.announce import records
from bot.announce.naming import ThreadNames
from bot.announce.rate_limit import RateLimit
from bot.announce.records import MOST_KEPT, Line, Told
from bot.answers import TROUBLE
from bot.card.differences import changed_tables
from bot.card.pictures import PANEL_PATIENCE_SECONDS, PATIENCE_SECONDS, attach
from bot.card.stuck import STUCK, head, reason, stuck_card
from bot.card.turn import Card, name_of, turn_card
from bot.fair_queue import CARD
from bot.games.parts import OVER, keys_now, owners, parts_of
from bot.games.service import MOST_LIVE_GAMES, Live, ServiceError
from bot.games.stuck import Stuck
from bot.games.verdicts import UNPROVED
from bot.limits import FRESH_SECONDS
from bot.names import shown
from bot.panel.turns import Turns
from bot.services import Services
from bot.texts import Say, language_of, speaker
from bot.words.briefing import around_now
from bot.words.projection import Projection
from bot.words.wording import numbered_lines, round_text, title_name
from engine.changes import View, changes
from engine.game import Game
from renderers.kit.picture import Picture
from renderers.pages.auction import sale_of
from renderers.pages.crop import shows
from renderers.pages.own import about_pages, asks_place
from storage.errors import StorageError
from storage.records import ENDED, FINISHED, LOBBY, PLAYING, Notice, ToTell

_log = logging.getLogger(__name__)

#: Pauses between attempts to tell a channel something, in seconds; the last one repeats.
PAUSES: tuple[float, ...] = (1, 3, 10, 30, 120, 600)
#: The same where trying again soon is no use: somebody has to give a permission back, or to mend the program.
HELD_PAUSES: tuple[float, ...] = (60, 600, 3600)
#: How high the map of a turn card may be for its width: the question and its buttons fit below on a phone's screen.
LOW = 0.7
#: Discord's word for too many edits of old messages.
TOO_MANY_EDITS = 30046


@dataclass
class Shown:
    """The cards that a channel shows, the newest last, and what is seen on that one."""

    cards: list[Told]
    #: What those who decide had seen after their last move; what the card before showed; what this one shows.
    seen: View | None
    before: View | None
    shown: View | None


class Announcer:
    """Works through the outbox, game by game, each game's notices in order."""

    def __init__(
        self,
        services: Services,
        client: discord.Client,
        names: ThreadNames,
        rate: RateLimit,
        turns: Turns,
        began: datetime,
    ) -> None:
        self.services = services
        self.client = client
        self.names = names
        self.turns = turns
        #: When the client began: what people see below an older card is not known.
        self.began = began
        #: Games whose card is to be posted once more, as it stands.
        self._anew: set[int] = set()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        #: Rung when a game has something to tell while its task is at work or waits to try again.
        self._bells: dict[int, asyncio.Event] = {}
        #: Games that wait for somebody to mend something, and their servers.
        self._held: dict[int, int] = {}
        self._shown: OrderedDict[int, Shown] = OrderedDict()
        self._closing = False
        self.rate = rate
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

    def anew(self, game: int) -> None:
        """Somebody sees something below the card that is wrong by now and cannot be changed: the card goes below it."""
        self._anew.add(game)
        self.wake(game)

    def _forget(self, game: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game) is task:
            del self._tasks[game]

    async def wake_all(self) -> None:
        """After a start: everything that is still to be told."""
        held = await self.services.store.held()
        for each in held:
            self._held[each.game] = each.guild
            self.services.problems.note("announcements", each.game, each.why)
        # Those that are held are looked at even if nothing is left to tell: then they are held no longer.
        for game in dict.fromkeys([*await self.services.store.games_to_tell(), *(each.game for each in held)]):
            self.wake(game)

    def wake_held(self, guild: int) -> None:
        """Something has changed on a server: perhaps a channel lets us write again."""
        for game in [game for game, where in self._held.items() if where == guild]:
            self.wake(game)

    async def close(self, grace: float) -> None:
        """Let what is being sent go out, but not for long; what is cut off comes again after the next start, marked."""
        self._closing = True
        for bell in [*self._bells.values(), *self._rests.values()]:
            bell.set()
        tasks = list(self._tasks.values())
        if tasks and self.client.is_ready():
            await asyncio.wait(tasks, timeout=grace)
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
                await self.client.wait_until_ready()
                while not self._closing:
                    if wait := self.rate.wait(game):
                        await self._rest(game, timedelta(seconds=wait))
                    if not await self._tell(game):
                        break
                    self.rate.count(game)
                    attempt = 0
                await self._release(game)
                continue
            except (*TROUBLE, StorageError) as problem:
                if isinstance(problem, discord.HTTPException) and places.is_refused(problem):
                    await self._hold(game, problem)
                    pauses = HELD_PAUSES
                else:
                    _log.warning("game %d could not be announced, attempt %d: %r", game, attempt + 1, problem)
                    pauses = PAUSES
            except Exception as problem:
                self.services.problems.note("announcements", game, problem)
                self._held.setdefault(game, 0)
                pauses = HELD_PAUSES
            pause = timedelta(seconds=pauses[min(attempt, len(pauses) - 1)])
            attempt += 1
            # A new move is a reason to try at once: somebody may have mended what was wrong.
            self.services.scheduler.after(f"announce {game}", pause, bell.set)
            await bell.wait()
            self.services.scheduler.cancel(f"announce {game}")

    async def _rest(self, game: int, wait: timedelta) -> None:
        """Let a channel rest; what happens meanwhile is told with the rest."""
        rested = self._rests.setdefault(game, asyncio.Event())
        self.services.scheduler.after(f"rest {game}", wait, rested.set)
        await rested.wait()
        self._rests.pop(game, None)

    async def _tell(self, game: int) -> bool:
        """Make one card of all pending notices; False if there are none."""
        store, now = self.services.store, self.services.games.now
        anew = game in self._anew
        found = await store.to_tell(game, always=anew)
        if found is None:
            return False
        record, notices = found.record, found.notices
        if record.status == LOBBY or (not notices and record.status != PLAYING):
            self._anew.discard(game)
            await self._finish(notices)
            return bool(notices)
        channel = await places.find(self.client, record.channel)
        if channel is None:
            await self._drop(notices)
            return True
        try:
            live = await self.services.games.found(game, notices[-1].seq if notices else 0)
        except ServiceError:
            await self._finish(notices)
            return True
        if isinstance(live, Live):
            if self.services.games.houses.at_work(live):
                # It moves at once, and whatever it does wakes us.
                return False
            if notices and live.length > notices[-1].seq:
                # Something has happened since the outbox was read: head and lines are to agree.
                found = await store.to_tell(game, always=anew)
                if found is None:
                    return False
            # What has happened since the position was looked at is told with the next one.
            notices = [notice for notice in found.notices if notice.seq <= live.length]
        for notice in notices:
            if notice.begun is None:
                await store.begin_notice(notice.id, now())
        try:
            self._anew.discard(game)
            if isinstance(live, Stuck) and not notices:
                return False
            if isinstance(live, Stuck):
                await self._send_stuck(live, channel, notices, found)
            else:
                await self._send(live, channel, notices, found, anew=anew)
        except discord.HTTPException as problem:
            if places.is_gone(problem):
                await self._drop(notices)
                return True
            if problem.status < 500:
                # Refused: what was begun just now has certainly not gone out, and is no repetition when it does. What
                # was begun before may have arrived then.
                for notice in notices:
                    if notice.begun is None:
                        await store.unsend_notice(notice.id)
            raise
        await self._finish(notices)
        return True

    async def _finish(self, notices: Sequence[Notice]) -> None:
        for notice in notices:
            await self.services.store.finish_notice(notice.id, self.services.games.now())

    async def _drop(self, notices: Sequence[Notice]) -> None:
        _log.warning("the channel of game %d is gone; its announcements are dropped", notices[0].game)
        await self._finish(notices)

    # ------------------------------------------------------------------ a game that cannot go on

    async def _send_stuck(self, stuck: Stuck, channel: Any, notices: Sequence[Notice], found: ToTell) -> None:
        """What is the matter and what was decided, in words alone: on one card, until it is another matter."""
        record, store = stuck.record, self.services.store
        say = speaker(language_of(found.server.locale or "en"))
        shown = self._shown.pop(record.id, None) or Shown(records.read(found.cards), None, None, None)
        newest = max((each.newest for each in shown.cards), default=0)
        news = [notice for notice in notices if notice.id > newest]
        cards = shown.cards
        if news:
            cards = await self._show_stuck(stuck, channel, news, cards, found, say)
            self.names.stopped(channel, stuck, say)
        await store.set_told(record.id, [each.data() for each in cards])
        if cards and cards[-1].message != record.card_message:
            await store.set_card(record.id, cards[-1].message, cards[-1].base, self.services.games.now())
        if await self._close_old(Shown(cards, None, None, None), channel, say, stuck.record.id):
            await store.set_told(record.id, [each.data() for each in cards])

    async def _show_stuck(
        self, stuck: Stuck, channel: Any, news: Sequence[Notice], cards: list[Told], found: ToTell, say: Say
    ) -> list[Told]:
        """Edit the card that tells of it, or post one; the cards that the channel has then."""
        record = stuck.record
        lines = [Line(each.seq, text) for each in news for text in self._stuck_lines(stuck, each, say)]
        turn = OVER if record.status in (FINISHED, ENDED) else STUCK
        last = cards[-1] if cards else None
        asks = turn == STUCK and any(each.kind in ("settled.paused", "host.handed") for each in news)
        pinged = {user for each in news for user in each.data.get("ping", ()) if user}
        if asks and record.host:
            pinged.add(record.host)
        if last is not None and (last.turn, last.state) == (turn, records.OPEN) and not (asks or pinged):
            told = replace(last, lines=[*last.lines, *lines], newest=news[-1].id)
            card = stuck_card(say, stuck, told.texts(), found.cards)
            try:
                await channel.get_partial_message(told.message).edit(view=card)
                return [*cards[:-1], told]
            except discord.NotFound:
                pass
            except discord.HTTPException as problem:
                if problem.code != TOO_MANY_EDITS:
                    raise
        again = any(each.begun is not None for each in news)
        texts = [*([say("card.again")] if again else []), *(line.text for line in lines)]
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(user) for user in pinged])
        nonce = f"{record.id}-{news[0].id}-{news[-1].id}"[:25]
        view = stuck_card(say, stuck, texts, found.cards)
        message = await channel.send(view=view, allowed_mentions=allowed, nonce=nonce)
        kept = [old for old in cards if old.message != message.id]
        for old in kept:
            old.close(turn)
        first = f"{head(say, stuck)}\n{reason(say, stuck)}"
        told = Told(message.id, stuck.length, turn, first, "", lines, again=again, newest=news[-1].id)
        if turn == STUCK and pinged & {record.host}:
            told.direct = await self._direct_host(stuck)
        return [*kept, told][-MOST_KEPT:]

    def _stuck_lines(self, stuck: Stuck, notice: Notice, say: Say) -> list[str]:
        """News of it; what its rules would be needed for is left out, and that it is paused the card says itself."""
        if notice.kind in ("moved", "undone", "redone", "settled.paused", "settled.new_rules"):
            return []
        return self._plain_lines(stuck, notice, say)

    def _plain_lines(self, found: Live | Stuck, notice: Notice, say: Say) -> list[str]:
        """A notice that has a sentence of its own name; who did it goes by their name at the table."""
        facts = {key: value for key, value in notice.data.items() if key not in ("ping", "seqs", "parts")}
        if "user" in facts:
            user = facts.pop("user")
            player = found.player_of(user)
            facts["name"] = shown(player) if player else f"<@{user}>"
        return [say(notice.kind, **facts)]

    async def _direct_host(self, stuck: Stuck) -> list[int]:
        """Write to the host, with the same choices; those who take no direct messages are pinged in the channel."""
        record = stuck.record
        try:
            say = speaker((await self.services.store.person(record.host)).locale or "en")
            told = say("stuck.host", title=shown(title_name(record)), channel=f"<#{record.channel}>")
            user = self.client.get_user(record.host) or await self.client.fetch_user(record.host)
            message = await user.send(view=stuck_card(say, stuck, [told], ()))
            return [record.host, message.channel.id, message.id]
        except (*TROUBLE, StorageError) as problem:
            _log.info("no direct message to %d: %s", record.host, problem)
            return []

    async def _close_direct(self, old: Told, game: int) -> None:
        """What was asked in a direct message has been decided: its buttons go. It is no matter if they cannot."""
        user, place, message = old.direct
        old.direct = []
        try:
            say = speaker((await self.services.store.person(user)).locale or "en")
            record = await self.services.store.game(game)
            title = shown(title_name(record)) if record is not None else "–"
            where = f"<#{record.channel}>" if record is not None else "–"
            channel = self.client.get_partial_messageable(place)
            text = say("stuck.host_done", title=title, channel=where)
            await channel.get_partial_message(message).edit(view=Card(text))
        except (*TROUBLE, StorageError) as problem:
            _log.info("the direct message %d keeps its buttons: %r", message, problem)

    # ------------------------------------------------------------------ channels that refuse

    async def _hold(self, game: int, problem: discord.HTTPException) -> None:
        """A channel refuses what is to be told: remember it, and tell the host once."""
        self.services.problems.note("announcements", game, problem.text or str(problem))
        self._held.setdefault(game, 0)
        store, now = self.services.store, self.services.games.now
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
        record = await self.services.store.game(game)
        assert record is not None
        say = speaker((await self.services.store.person(record.host)).locale or "en")
        text = say("held.host", title=title_name(record), channel=f"<#{record.channel}>", why=shown(why))
        try:
            user = self.client.get_user(record.host) or await self.client.fetch_user(record.host)
            await user.send(text)
        except (discord.Forbidden, discord.NotFound) as problem:
            _log.info("no direct message to %d: %s", record.host, problem)

    async def _release(self, game: int) -> None:
        """Everything of a game has been told."""
        if game in self._held:
            await self.services.store.release(game)
            del self._held[game]
            self.services.problems.clear("announcements", game)

    # ------------------------------------------------------------------ the card

    async def _send(self, live: Live, channel: Any, notices: Sequence[Notice], found: ToTell, *, anew: bool) -> None:
        """Tell what is new on a card, put down what the channel shows now, and let old cards shrink."""
        record, store = live.record, self.services.store
        say = speaker(language_of(found.server.locale or "en"))
        kept = self._shown.get(record.id)
        shown = kept or Shown(records.read(found.cards), None, None, None)
        for notice in notices:
            for each in shown.cards:
                each.take_back(notice.data.get("seqs", ()))
        # What comes again because the database failed after it was told is not told again.
        newest = max((each.newest for each in shown.cards), default=0)
        news = [notice for notice in notices if notice.id > newest]
        if news or (anew and shown.cards):
            shown = await self._show(live, channel, news, shown, found, say, known=kept is not None, anew=anew)
            self._shown[record.id] = shown
            self._shown.move_to_end(record.id)
            while len(self._shown) > MOST_LIVE_GAMES:
                self._shown.popitem(last=False)
        self.names.moved(channel, live, say)
        # What is to be closed is put down before it is: if this fails or we die, the next card sees to it.
        await store.set_told(record.id, [each.data() for each in shown.cards])
        card = shown.cards[-1]
        if card.message != found.record.card_message:
            await store.set_card(record.id, card.message, card.base, self.services.games.now())
        if await self._close_old(shown, channel, say, record.id):
            await store.set_told(record.id, [each.data() for each in shown.cards])
        # The card is right: now what people see in private.
        await self.turns.follow(record.id, record.channel, card.message)

    async def _show(
        self,
        live: Live,
        channel: Any,
        news: Sequence[Notice],
        shown: Shown,
        found: ToTell,
        say: Say,
        *,
        known: bool,
        anew: bool,
    ) -> Shown:
        """Edit the newest card or post another; what the channel shows then. `known`: all its cards are known."""
        record, language = found.record, say.language
        await self.services.fair_queue.enter(CARD)
        items = self._lines(live, news, say)
        again = any(notice.begun is not None for notice in news)
        turn, question = keys_now(live.record, live.game)
        users = [live.seat(name).user for name in live.game.offer().deciders if not live.seat(name).house]
        last = shown.cards[-1] if shown.cards else None
        newest = news[-1].id if news else (last.newest if last is not None else 0)
        pinged = {user for notice in news for user in notice.data.get("ping", ())}
        edit = (
            record.card_posted is not None
            and last is not None
            and (last.message, last.question, last.state) == (record.card_message, question, records.OPEN)
            # An edit pings nobody, and moves nothing to the bottom.
            and not pinged
            and not anew
            and not self.turns.panels.hide_card(record.id, last.message, users)
            and record.card_posted >= self.began
            # What was begun before a crash may stand on this card already, or on one that we do not know of.
            and (known or not again)
            and (self.services.games.now() - record.card_posted).total_seconds() < FRESH_SECONDS
        )
        if edit:
            seen, before = shown.seen, shown.before
        else:
            seen, before = last_seen(live), shown.shown
        # After an undo a card may have shown more than there is now.
        if seen is not None and seen.moves > len(live.game.moves):
            seen = last_seen(live)
        if before is not None and before.moves > len(live.game.moves):
            before = None
        pictures = await self._pictures(live, seen, before, language)
        files, gallery = attach(pictures, language)
        standing = await self._standing(live, say)
        tall = next((picture.height / picture.width for _, picture in pictures if picture is not None), 0.0)
        allowed = discord.AllowedMentions(everyone=False, roles=False, users=await self._pinged(live, pinged))
        rest = await self.turns.rest_text(live, say)
        about = around_now(found.waiting, found.people, self.services.games.now())
        await self.services.fair_queue.enter(CARD)
        view = View.of(live.game)
        if edit and last is not None:
            # An edit is no repetition, however often it is tried: it is the same message.
            lines = [line for _, line in items]
            told = replace(last, lines=[*last.lines, *lines], shown=True, newest=newest)
            card = turn_card(
                live,
                say,
                told.texts(),
                gallery,
                ping=True,
                again=told.again,
                known=about,
                earlier=told.earlier(),
                rest=rest,
                tall=tall,
                standing=standing,
            )
            try:
                await channel.get_partial_message(told.message).edit(
                    view=card, attachments=files, allowed_mentions=allowed
                )
                return Shown([*shown.cards[:-1], told], seen, before, view)
            except discord.NotFound:
                pass
            except discord.HTTPException as problem:
                if problem.code != TOO_MANY_EDITS:
                    raise
            files, gallery = attach(pictures, language)
        before_it, own = split(items, question)
        closing = last is not None and last.state == records.OPEN and last.turn not in (OVER, STUCK)
        if not closing:
            # No record is open that could take what happened before.
            before_it, own = [], [line for _, line in items]
        head = say("card.closed_head", title=live.game.definition.name, round=round_text(say, live.game))
        who = ", ".join(name_of(live, say, name) for name in live.game.offer().deciders)
        told = Told(0, live.length, turn, head, who, own, again=again, newest=newest)
        told.question, told.news, told.aside = question, before_it, asks_aside(live.game)
        card = turn_card(
            live,
            say,
            told.texts(),
            gallery,
            ping=True,
            again=again,
            known=about,
            earlier=told.earlier(),
            rest=rest,
            tall=tall,
            standing=standing,
        )
        # The same card sent again because its answer was lost is dropped by Discord if it did arrive.
        nonce = f"{live.record.id}-{news[0].id if news else f'a{live.length}'}-{newest}"[:25]
        message = await channel.send(view=card, files=files, allowed_mentions=allowed, nonce=nonce)
        told.message = message.id
        # One that did arrive before is the same message, and not an old one.
        cards = [old for old in shown.cards if old.message != message.id]
        if closing and last is not None:
            last.lines += before_it
        for old in cards:
            old.close(turn)
        cards.append(told)
        self.turns.panels.posted(record.id)
        await self._direct(live, say)
        return Shown(cards[-MOST_KEPT:], seen, before, view)

    async def _close_old(self, shown: Shown, channel: Any, say: Say, game: int) -> bool:
        """Let cards whose turn has passed on, or was taken back, shrink to their record; whether any did.

        One edit each, whatever their age. Where Discord has had enough of edits it is left for the next time.
        """
        some = False
        for old in shown.cards[:-1]:
            if old.shown:
                continue
            if old.direct:
                await self._close_direct(old, game)
            try:
                await channel.get_partial_message(old.message).edit(
                    view=old.card(say), attachments=[], allowed_mentions=discord.AllowedMentions.none()
                )
            except TROUBLE as problem:
                if isinstance(problem, discord.NotFound | discord.Forbidden) and not places.is_closed(problem):
                    old.shown = some = True
                    continue  # it is gone, or not to be had: no reason to try again
                _log.info("the old card %d stays open for now: %r", old.message, problem)
                return some
            old.shown = some = True
        return some

    def _lines(self, live: Live, notices: Sequence[Notice], say: Say) -> list[tuple[str | None, Line]]:
        """What is to be told, each line with the question at which it happened; what is no move has none."""
        lines: list[tuple[str | None, Line]] = []
        for notice in notices:
            try:
                lines += [(None, Line(notice.seq, text)) for text in self._notice_lines(live, notice, say)]
                own = say.of(live.record.title)
                for part in parts_of(live.record, notice.seq, notice.kind, notice.data):
                    whose = owners(part)
                    lines += [
                        (part.question, Line(part.seq, text, *whose[index]))
                        for index, text in numbered_lines(own, part.events, live.game)
                    ]
            except Exception as problem:
                # One that cannot be put into words must not keep the others back.
                self.services.problems.note("announcements", notice.game, problem)
        return lines

    def _notice_lines(self, live: Live, notice: Notice, say: Say) -> list[str]:
        data = notice.data
        if notice.kind == "moved":
            return []
        if notice.kind in ("undone", "redone"):
            player = live.player_of(data["user"])
            name = shown(player) if player else f"<@{data['user']}>"
            lines = [say("undo.done" if notice.kind == "undone" else "undo.redone", name=name, count=data["count"])]
            if data.get("ping"):
                lines.append(say("undo.fallen", names=", ".join(f"<@{user}>" for user in data["ping"])))
            return lines
        if notice.kind == "settled.paused":
            return []  # it goes on already
        if notice.kind == "settled.new_rules":
            return new_rules_lines(say.of(live.record.title), data["tables"])
        return self._plain_lines(live, notice, say)

    async def _standing(self, live: Live, say: Say) -> str:
        """Where trains earn only at the end: what everybody would have if it were now."""
        game = live.game
        if game.definition.priced or game.finished or keys_now(live.record, live.game)[0] == OVER:
            return ""
        now = game.copy()
        found = await self.services.pictures.draw(lambda: Projection.of(now), patience=PANEL_PATIENCE_SECONDS)
        return found.standing(say.of(game.definition.id), game) if found is not None and found.earned else ""

    async def _pictures(
        self, live: Live, seen: View | None, before: View | None, language: str
    ) -> list[tuple[str, Picture | None]]:
        """What the round is about first, and another small beside it: lots, the market, or the map.

        What is new to people is marked: what those who decide did not see after their last move. Of the map is shown
        where it has changed since the card before, or else where something is new.
        """
        game = live.game
        series = ("card", live.record.id)
        if keys_now(live.record, live.game)[0] == OVER:
            final = await self.services.pictures.final(game.copy(), language=language)
            ended = game.copy()
            routes = await self.services.pictures.draw(lambda: Projection.of(ended).routes) or {}
            ran = [route for each in routes.values() for route in each]
            map_ = await self.services.pictures.map(game, language=language, routes=ran)
            return [("final", final), ("map", map_)]
        lots = None
        if sale_of(game) is not None:
            lots = await self.services.pictures.auction(game, language=language, instead_of=(*series, "auction"))
        marked = seen or before
        around = next(filter(None, (changes(view, game).hexes for view in (before, seen) if view is not None)), ())
        map_ = await self._map(live, marked, sorted(around) or stations_of_actor(game), language)
        if not game.definition.priced and (asks_place(game) or not about_pages(game)):
            return [("map", map_)]
        if about_pages(game):
            pages = await self.services.pictures.pages(game, language=language, instead_of=(*series, "pages"))
            return [("pages", pages), ("map", map_)]
        market = await self.services.pictures.market(
            game, language=language, since=marked, part=True, instead_of=(*series, "market")
        )
        pictures = [("map", map_), ("market", market)]
        if game.state.round.kind == "stock":
            pictures.reverse()
        return [("auction", lots), ("map", map_)] if lots is not None else pictures

    async def _map(self, live: Live, since: View | None, around: Sequence[str], language: str) -> Picture | None:
        """A part of the map that can be read; of places far apart the last; the whole if no part is meant."""
        series = ("card", live.record.id, "map")
        if not around:
            return await self.services.pictures.map(live.game, language=language, since=since, instead_of=series)
        part = around if shows(live.game, around) else around[-1:]
        return await self.services.pictures.crop(
            live.game,
            part,
            language=language,
            since=since,
            tallest=LOW,
            instead_of=series,
            patience=PATIENCE_SECONDS,
        )

    async def _pinged(self, live: Live, more: Collection[int]) -> list[discord.Object]:
        """Who is pinged in the channel: those who decide and want it so, and others who are meant; nobody twice."""
        result = list(map(discord.Object, more))
        over = keys_now(live.record, live.game)[0] == OVER
        names = [seat.name for seat in live.record.seats] if over else live.game.offer().deciders
        for name in names:
            seat = live.seat(name)
            if (
                not seat.house
                and seat.user not in more
                and (await self.services.people.person(seat.user)).ping == "channel"
            ):
                result.append(discord.Object(seat.user))
        return result

    async def _direct(self, live: Live, say: Say) -> None:
        """Tell those by direct message who want it so."""
        for name in live.game.offer().deciders:
            seat = live.seat(name)
            try:
                if seat.house or (await self.services.people.person(seat.user)).ping != "direct":
                    continue
                user = self.client.get_user(seat.user) or await self.client.fetch_user(seat.user)
                await user.send(
                    say(
                        "remind.now",
                        mention=user.mention,
                        title=live.game.definition.name,
                        channel=f"<#{live.record.channel}>",
                    )
                )
            except (*TROUBLE, StorageError) as problem:
                _log.info("no direct message to %d: %s", seat.user, problem)


def new_rules_lines(say: Say, tables: Sequence[str] | str) -> list[str]:
    """What is otherwise from now on in a game that goes on as it stands."""
    names = tables.split(", ") if isinstance(tables, str) else list(tables)
    if names == [UNPROVED]:
        return [say("settled.unproved")]
    return [say("settled.new_rules", tables=changed_tables(say, names))]


def stations_of_actor(game: Game) -> list[str]:
    """The hexes of the stations of a company whose turn it is: where it will build."""
    actor = game.state.round.actor
    if actor not in game.state.companies:
        return []
    placed = [at for at, _ in game.board.stations_of(actor)]
    return placed or [home.at for home in game.definition.corporations[actor].homes]


def last_seen(live: Live) -> View | None:
    """What those who decide saw after their last move: of several, what the first of them saw."""
    views = [live.seen[name] for name in live.game.offer().deciders if name in live.seen]
    return min(views, key=lambda view: view.moves, default=None)


def split(items: Sequence[tuple[str | None, Line]], question: str) -> tuple[list[Line], list[Line]]:
    """What happened before the present question was asked, and what belongs to it already."""
    start = len(items)
    while start and items[start - 1][0] in (None, question):
        start -= 1
    return [line for _, line in items[:start]], [line for _, line in items[start:]]


def asks_aside(game: Game) -> bool:
    """Whether somebody else is asked than whose turn it is."""
    actor = game.state.round.actor
    return bool(actor) and not game.finished and game.decider(actor) not in game.offer().deciders
