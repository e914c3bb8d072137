"""/undo and /redo: one's own last move at once, more with the others' consent or the word of somebody neutral."""

from __future__ import annotations

from collections import OrderedDict
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot import answers, places
from bot.card.turn import Card
from bot.games.service import Live, ServiceError, Stale
from bot.here import Here
from bot.names import shown
from bot.panel.turns import Turns
from bot.picking.buttons import UndoButton, rows_of
from bot.picking.walk import check
from bot.services import Services
from bot.texts import Say
from bot.words.wording import move_text
from engine.moves import to_json
from storage.errors import StaleError


def concerned(live: Live, count: int, asker: int) -> list[int]:
    """The people whose moves would fall, other than the one who asks."""
    names = {move.player for move in live.game.moves[-count:]}
    return [s.user for s in live.record.seats if s.name in names and not s.house and s.user != asker]


def seats_check(live: Live) -> str:
    """The check of who sits where: a request counts by seats who has agreed."""
    return check(*(seat.user for seat in live.record.seats))


def neutral(interaction: discord.Interaction[Any], live: Live) -> bool:
    """Whether somebody may decide alone: the host or an administrator, as long as they do not play themselves."""
    administers = getattr(getattr(interaction.user, "guild_permissions", None), "manage_guild", False)
    return not live.player_of(interaction.user.id) and (administers or interaction.user.id == live.record.host)


def moves_text(live: Live, say: Say, count: int) -> str:
    """Each move that would fall, and whose it is."""
    moves = live.game.moves[-count:]
    lines = [
        say("undo.line", player=shown(move.player), move=move_text(say, live.game, to_json(move.seen_by(""))))
        for move in moves[-25:]
    ]
    if count > len(lines):
        lines.insert(0, say("undo.more", count=count - len(lines)))
    return "\n".join(lines)


def request_card(live: Live, say: Say, count: int, asker: int, agreed: int) -> Card:
    """The moves that would fall and who is asked; who has agreed is kept in the buttons."""
    needed = concerned(live, count, asker)
    text = say(
        "undo.ask",
        name=f"<@{asker}>",
        moves=moves_text(live, say, count),
        needed=", ".join(f"<@{user}>" for user in needed) or "–",
    )
    have = [f"<@{s.user}>" for number, s in enumerate(live.record.seats) if agreed >> number & 1]
    if have:
        text += "\n" + say("undo.agreed", names=", ".join(have))
    styles = discord.ButtonStyle
    arguments = (live.record.id, live.length, count, asker, agreed, seats_check(live))
    buttons: list[ui.Item[Any]] = [
        UndoButton.make(*arguments, "agree", say("undo.agree"), styles.success),
        UndoButton.make(*arguments, "decline", say("undo.decline"), styles.danger),
    ]
    return Card(text, rows=rows_of(buttons))


#: Whoever has asked for moves to be taken back, and was not granted it, asks again in the same game after this time.
PAUSE = timedelta(minutes=5)
#: Requests that are remembered; the buttons of older ones still know who had agreed.
MOST_REQUESTS = 1000
T = TypeVar("T")
K = TypeVar("K")


def _remember(kept: OrderedDict[K, T], key: K, value: T) -> None:
    kept[key] = value
    while len(kept) > MOST_REQUESTS:
        kept.popitem(last=False)


class Undo:
    """What the buttons of a request do."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.services = services
        self.client = client
        #: By the message that carries a request: who has agreed, and who has declined. A new request begins anew.
        self._agreed: OrderedDict[int, int] = OrderedDict()
        self._declined: OrderedDict[int, str] = OrderedDict()
        #: By game: the message that carries its open request, and the log's length that it belongs to.
        self._open: OrderedDict[int, tuple[int, int]] = OrderedDict()
        #: By game and person: when they asked last.
        self._asked: OrderedDict[tuple[int, int], datetime] = OrderedDict()

    async def ask(self, interaction: discord.Interaction[Any], live: Live, count: int) -> None:
        """Ask those concerned, unless they are being asked already or this person has just asked."""
        game, user = live.record.id, interaction.user.id
        channel = await places.find(self.client, live.record.channel)
        if channel is None:
            raise ServiceError("refuse.no_game")
        places.check_may_write(interaction, channel)
        message, length = self._open.get(game, (0, -1))
        if length == live.length:
            link = f"https://discord.com/channels/{live.record.guild}/{live.record.channel}/{message}"
            raise ServiceError("refuse.undo_open", link=link if message else f"<#{live.record.channel}>")
        again = self._asked.get((game, user), datetime.min.replace(tzinfo=UTC)) + PAUSE
        if again > self.services.games.now():
            raise ServiceError("refuse.undo_soon", time=discord.utils.format_dt(again, "R"))
        # Before it is sent: of forty at once, one is.
        _remember(self._open, game, (0, live.length))
        _remember(self._asked, (game, user), self.services.games.now())
        people = [discord.Object(each) for each in concerned(live, count, user)]
        try:
            sent = await channel.send(
                view=request_card(live, await self.services.people.say_in(live.record.guild), count, user, 0),
                allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=people),
            )
        except BaseException:
            self._open.pop(game, None)
            self._asked.pop((game, user), None)
            raise
        _remember(self._open, game, (sent.id, live.length))

    async def pressed(
        self,
        interaction: discord.Interaction[Any],
        *,
        game: int,
        seq: int,
        count: int,
        asker: int,
        agreed: int,
        seats: str,
        verb: str,
    ) -> None:
        await interaction.response.defer()
        live = await self.services.games.live(game, seq)
        say = await self.services.people.say_in(live.record.guild)
        user = interaction.user.id
        alone = neutral(interaction, live)
        if not live.player_of(user) and not alone:
            raise ServiceError("refuse.not_your_game")
        assert interaction.message is not None
        request = interaction.message.id
        # After a restart the request that somebody answers first is the open one.
        opened, _ = self._open.get(game, (request, seq))
        gone = not live.player_of(asker) and asker != live.record.host
        moved = seq != live.length or seats != seats_check(live)
        if moved or gone or opened not in (0, request):
            await answers.show_done(interaction, Card(say("undo.stale")))
            return
        needed = concerned(live, count, asker)
        if user not in needed and not alone and (user, verb) != (asker, "decline"):
            raise ServiceError("refuse.not_for_you")
        if verb == "decline":
            _remember(self._declined, request, interaction.user.mention)
            self._open.pop(game, None)
        if request in self._declined:
            # Somebody may have agreed in the same moment, on a card that still had its buttons.
            text = say(
                "undo.declined",
                name=self._declined[request],
                asker=f"<@{asker}>",
                moves=moves_text(live, say, count),
            )
            await answers.show_done(interaction, Card(text))
            return
        for number, seat in enumerate(live.record.seats):
            if seat.user == user and not seat.house:
                agreed |= 1 << number
        # Two may agree at once, each on a card that does not know of the other yet.
        agreed |= self._agreed.get(request, 0)
        _remember(self._agreed, request, agreed)
        missing = [
            seat.user
            for number, seat in enumerate(live.record.seats)
            if seat.user in needed and not seat.house and not agreed >> number & 1
        ]
        if missing and not alone:
            await answers.show_done(interaction, request_card(live, say, count, asker, agreed))
            return
        try:
            # Those whose moves fall without their word are told.
            await self.services.games.undo(game, asker, count, interaction=interaction.id, expected=seq, ping=missing)
        except (Stale, StaleError):
            await answers.show_done(interaction, Card(say("undo.stale")))
            return
        self._agreed.pop(request, None)
        self._open.pop(game, None)
        self._asked.pop((game, asker), None)
        await answers.show_done(interaction, Card(say("undo.done", name=f"<@{asker}>", count=count)))


class UndoCog(commands.Cog):
    """Taking back and bringing back."""

    def __init__(self, services: Services, here: Here, asking: Undo, turns: Turns) -> None:
        self.services = services
        self.here = here
        self.asking = asking
        self.turns = turns

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(moves="How many moves; left out, back to your own last one")
    async def undo(
        self, interaction: discord.Interaction[Any], moves: app_commands.Range[int, 1, 200] | None = None
    ) -> None:
        """Take back your last move, or ask the others to take back more"""
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        live = await self.services.games.live((await self.here.record(interaction)).id)
        user = interaction.user.id
        if not live.player_of(user) and not live.neutral(user):
            raise ServiceError("refuse.not_your_game")
        self.services.games.check_undoable(live)
        count, own = self.services.games.own_last_moves(live, user)
        if moves is not None and moves != count:
            count = min(moves, len(live.game.moves))
            own = not concerned(live, count, user)
        if not count:
            raise ServiceError("refuse.nothing_to_undo")
        if own:
            async with self.turns.held(interaction, live.record.id):
                await self.services.games.undo(
                    live.record.id, user, count, interaction=interaction.id, expected=live.length
                )
                told = say("undo.done", name=interaction.user.mention, count=count)
                await self.turns.answer(interaction, live.record.id, say, told)
            return
        await self.asking.ask(interaction, live, count)
        await answers.show_done(interaction, Card(say("undo.asked")))

    @app_commands.command()
    @app_commands.guild_only()
    async def redo(self, interaction: discord.Interaction[Any]) -> None:
        """Bring back what was taken back last"""
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        record = await self.here.record(interaction)
        live = await self.services.games.live(record.id)
        if not live.player_of(interaction.user.id) and interaction.user.id != record.host:
            raise ServiceError("refuse.not_your_game")
        async with self.turns.held(interaction, record.id):
            count = await self.services.games.redo(record.id, interaction.user.id, interaction=interaction.id)
            told = say("undo.redone", name=interaction.user.mention, count=count)
            await self.turns.answer(interaction, record.id, say, told)


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    bot.undo = Undo(bot.services, bot)
    await bot.add_cog(UndoCog(bot.services, bot.here, bot.undo, bot.turns))
