"""The bot as a discord.py client: what it asks of Discord, how it starts, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import discord
import yarl
from discord import app_commands
from discord.ext import commands

import titles
from bot import errors
from bot.announce.announcer import Announcer
from bot.announce.naming import ThreadNames
from bot.announce.rate_limit import RateLimit
from bot.card.confirming import ASKING
from bot.card.final import EndButton
from bot.card.log import LogButton
from bot.card.pictures import Pictures
from bot.card.rules_help import WhyButton
from bot.card.settling import SETTLING
from bot.fair_queue import FairQueue
from bot.games import snapshots
from bot.games.judging import Judging
from bot.games.lookback import Lookbacks
from bot.games.searching import Searches
from bot.games.service import GameService, utc_now
from bot.here import Here
from bot.panel.panels import Panels
from bot.panel.turns import Turns
from bot.people import People
from bot.picking.buttons import ITEMS, form_given
from bot.problems import Problems
from bot.reminders.clock import ReminderClock
from bot.reminders.delivery import Reminding
from bot.scheduler import Scheduler
from bot.services import Services
from bot.settings import Settings
from bot.translating import Translator
from bot.upkeep import Upkeep, check_backups
from storage.errors import OwnedError, StorageError
from storage.instance_lock import InstanceLock
from storage.sqlite import SqliteStore

if TYPE_CHECKING:
    from bot.cogs.lobby import Lobby
    from bot.cogs.look import Looks
    from bot.cogs.people import Hosting
    from bot.cogs.rematch import Ending
    from bot.cogs.settling import Settling
    from bot.cogs.undo import Undo

_log = logging.getLogger(__name__)

# The bot has no voice; without this discord.py warns of missing voice libraries at every start.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

COGS = ("about", "lobby", "moves", "look", "advice", "undo", "people", "rematch")
#: Faults of Discord's side last seconds or hours; the pause between attempts grows to this.
LONGEST_PAUSE_SECONDS = 60.0
DATABASE = "kursbuch.sqlite3"
#: How long the end waits for whatever Discord has not answered yet, in all, and then for its goodbye.
GRACE_SECONDS = 2.0
GOODBYE_SECONDS = 0.5
#: How discord.py names the tasks in which commands, buttons, menus and forms are answered.
ANSWERS = ("CommandTree-invoker", "discord-ui-")


def use_endpoints(api_base: str | None, gateway: str | None) -> None:
    """Point discord.py to another Discord. Unset, nothing is touched and the real one is used."""
    if api_base is not None:
        discord.http.Route.BASE = api_base.rstrip("/")
        discord.Asset.BASE = str(yarl.URL(api_base).origin())
    if gateway is not None:
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


def least_intents() -> discord.Intents:
    """Servers with their channels and roles, and nothing else: no messages, no members, no presences."""
    return discord.Intents(guilds=True)


class Tree(app_commands.CommandTree["Kursbuch"]):
    """The commands, with one handler for whatever goes wrong in them."""

    async def on_error(self, interaction: discord.Interaction[Kursbuch], error: app_commands.AppCommandError) -> None:
        if interaction.type is discord.InteractionType.autocomplete:
            _log.warning("no suggestions: %s", error)
            return
        await self.client.failed(interaction, error)


class Kursbuch(commands.Bot):
    """The client. Cogs parse and present; the service plays; this only holds them together."""

    lobby: Lobby
    looks: Looks
    hosting: Hosting
    settling: Settling
    undo: Undo
    ending: Ending

    def __init__(self, settings: Settings, **options: Any) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=least_intents(),
            # Nobody is pinged by what stands in a text; whoever is meant is named where the message is sent.
            allowed_mentions=discord.AllowedMentions.none(),
            tree_cls=Tree,
            **options,
        )
        self.settings = settings
        self.scheduler = Scheduler()
        self.problems = Problems()
        self.fair_queue = FairQueue()
        self.pictures = Pictures()
        self.searches = Searches()
        self.lookbacks = Lookbacks()
        self.rate = RateLimit()
        self.began = utc_now()
        self.store: SqliteStore
        self.service: GameService
        self.services: Services
        self.here: Here
        self.names: ThreadNames
        self.announcer: Announcer
        self.panels: Panels
        self.turns: Turns
        self.judging: Judging
        self.upkeep: Upkeep
        self._instance: InstanceLock | None = None
        #: Why the bot cannot go on, if it cannot.
        self.ended_by: OwnedError | None = None
        self._start: asyncio.Task[None] | None = None
        self._leaving: asyncio.Task[None] | None = None
        #: When the end waits for Discord no longer, by the event loop's clock.
        self._patience_ends: float | None = None

    async def login(self, token: str) -> None:
        """Open the database, and only then say to Discord who we are: without the one the other is of no use."""
        check_backups(self.settings.backups, self.settings.data / DATABASE)
        self._instance = await InstanceLock.take(self.settings.data / DATABASE)
        self.store = self._instance.store
        self.upkeep = Upkeep(self._instance, self.settings, self._lost)
        await self.upkeep.start()
        # Now and in a thread, not while the first person waits: it reads the sources of the rules and all titles' data.
        await asyncio.to_thread(_warm)
        _settle()
        await super().login(token)

    async def _lost(self, problem: OwnedError) -> None:
        """Another bot has the database: this one must not answer any more."""
        self.ended_by = problem
        self._patience_ends = 0.0
        self._leave()

    async def furnish(self) -> None:
        """With a database open: make the services, hand them round, and load the cogs with their words."""
        self.service = GameService(self.store, scheduler=self.scheduler, problems=self.problems)
        self.service.houses.thinking.positions = self.settings.house_positions
        self.services = Services(
            games=self.service,
            store=self.store,
            people=People(self.store),
            pictures=self.pictures,
            searches=self.searches,
            problems=self.problems,
            fair_queue=self.fair_queue,
            scheduler=self.scheduler,
        )
        self.here = Here(self.service, self.store)
        self.panels = Panels(self.services)
        self.turns = Turns(self.services, self.panels)
        self.names = ThreadNames(self.services, self, self.began)
        self.announcer = Announcer(self.services, self, self.names, self.rate, self.turns, self.began)
        self.panels.on_lost = self.announcer.anew
        self.reminding = Reminding(self.services, self)
        self.clock = ReminderClock(self.store, self.reminding.send, scheduler=self.scheduler, problems=self.problems)
        self.services.people.changed = self.clock.changed
        self.service.changed = self._changed
        for name in COGS:
            await self.load_extension(f"bot.cogs.{name}")
        await self.tree.set_translator(Translator())

    async def setup_hook(self) -> None:
        """Make old buttons live again, and tell what is still to be told."""
        await self.furnish()
        self.add_dynamic_items(*ITEMS, *ASKING, *SETTLING, LogButton, WhyButton, EndButton)
        if self.settings.sync_commands:
            synced = await self.tree.sync()
            _log.info("registered %d commands", len(synced))
        self.scheduler.start()
        await self.store.end_unseen_lobbies(self.service.now())
        await self.announcer.wake_all()
        self.judging = Judging(self.service)
        await self.judging.start()
        self._start = asyncio.create_task(self._wake_houses(), name="wake the house")

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms are answered by their ids: one that was open over a restart is known to nobody else."""
        if interaction.type is discord.InteractionType.modal_submit:
            await form_given(interaction)

    async def _wake_houses(self) -> None:
        try:
            await self.service.houses.wake_all(frozenset(self.judging.waiting))
        except StorageError as problem:
            _log.warning("house players wait until their games are looked at: %s", problem)

    def _changed(self, game: int) -> None:
        """A game has changed: tell its channel, and look at the reminders again."""
        self.announcer.wake(game)
        self.clock.changed()

    async def on_ready(self) -> None:
        """Say where we are, and begin to remind: before, nothing could be sent."""
        _log.info("%s is at %d servers", self.user, len(self.guilds))
        self.clock.start()

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A permission may be back."""
        self.announcer.wake_held(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may be open again, also one that was archived and is not known any more."""
        self.announcer.wake_held(payload.guild_id)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        """A permission may be back."""
        self.announcer.wake_held(after.guild.id)

    async def finish(self) -> None:
        """Before a stop: let the answers that are being given and the announcements be finished, within limits."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._patience()):
                answers = [task for task in asyncio.all_tasks() if task.get_name().startswith(ANSWERS)]
                await asyncio.gather(*answers, return_exceptions=True)
                if hasattr(self, "announcer"):
                    await self.announcer.idle()

    async def close(self) -> None:
        """Stop telling and drawing, leave Discord, and close the database last; whoever asks waits for all of it."""
        # Whoever gives up waiting leaves the closing to the others.
        await asyncio.shield(self._leave())

    async def __aexit__(self, *problem: object) -> None:
        # discord.py would wait only until it has left Discord itself, and the database be left open.
        await self.close()

    def _leave(self) -> asyncio.Task[None]:
        if self._leaving is None:
            self._leaving = asyncio.create_task(self._close(), name="leave")
        return self._leaving

    def _patience(self) -> float:
        """How long the end still waits for Discord, which may have vanished: all waiting together has one limit."""
        now = asyncio.get_running_loop().time()
        if self._patience_ends is None:
            self._patience_ends = now + GRACE_SECONDS
        return max(self._patience_ends - now, 0.0)

    async def _close(self) -> None:
        try:
            if hasattr(self, "clock"):
                await self.clock.close(self._patience())
            await self.scheduler.close()
            if self._start is not None:
                self._start.cancel()
                await asyncio.gather(self._start, return_exceptions=True)
                await self.judging.close()
                await self.service.close()
            if hasattr(self, "announcer"):
                await self.announcer.close(self._patience())
                await self.names.close()
                await self.panels.close()
            self.pictures.close()
            self.searches.close()
            await self.lookbacks.close()
            # discord.py leaves its last step to readiness behind, which then fails where nobody listens any more.
            ready = self._connection._ready_task
            if ready is not None:
                ready.cancel()
            try:
                await asyncio.wait_for(super().close(), GOODBYE_SECONDS)
            except TimeoutError:
                # It would wait half a minute for an answer to its goodbye.
                await self.http.close()
        finally:
            # Whatever went wrong before: what takes our place needs the database.
            if self._instance is not None:
                await self.upkeep.close()
                await self._instance.close()

    async def failed(self, interaction: discord.Interaction[Any], error: BaseException) -> None:
        """The one handler of errors."""
        await errors.handle(interaction, error, self.services.people.say_now(interaction))


def _warm() -> None:
    """Read what every answer needs."""
    snapshots.prepare()
    for title in titles.known():
        for form in title.forms:
            for players in range(form.players[0], form.players[1] + 1):
                titles.rules(title.id, players, form=form.id)


def _settle() -> None:
    """Let the collector of circles leave alone what stays for good, and look less often at what comes and goes.

    A copy of a position is thousands of objects without a circle; looked at every 700 objects, a crowd of games cost a
    fifth of all the time. What has outlived one look is looked at soon again, and so is everything: it is full of
    cards that were sent and of positions that were only looked at. Looked at after every two million objects, as it
    was, three quarters of them were waste (186,000 of 252,000 after 3,600 moves).

    The second look finds nothing, and that is what it is for: everything is looked at when a quarter as much has
    come as was found to stay, and what is frozen must not count, or hardly anything is ever looked for (66 MiB more
    after 6,000 moves).
    """
    gc.collect()
    gc.freeze()
    gc.collect()
    gc.set_threshold(20_000, 2, 1)


async def supervise(settings: Settings, *, began: Callable[[Kursbuch], None] | None = None, **options: Any) -> None:
    """Run the bot until it is cancelled, starting it anew when it dies of anything but its own fault.

    An exception in discord.py's gateway loop ends a client for good, so a fresh one takes its place.
    A wrong token or a missing intent would fail again and again, and is raised at once.
    """
    use_endpoints(settings.api_base, settings.gateway)
    pause = 0.5
    while True:
        born = time.monotonic()
        client = Kursbuch(settings, **options)
        if began is not None:
            began(client)
        try:
            async with client:
                await client.start(settings.token)
            if client.ended_by is not None:
                raise client.ended_by
            return
        except (discord.LoginFailure, discord.PrivilegedIntentsRequired, StorageError):
            raise
        except Exception:
            # One that had worked for a while gets a quick successor; one that hardly came up is given time.
            lived = time.monotonic() - born
            pause = 1.0 if lived > LONGEST_PAUSE_SECONDS else min(pause * 2, LONGEST_PAUSE_SECONDS)
            _log.exception("the client died; a new one starts in %.0f s", pause)
            await asyncio.sleep(pause)
