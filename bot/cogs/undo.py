"""/undo and /redo: one's own last move at once, more with the others' consent or the host's word."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, TypeVar

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot import answers, places
from bot.cards.buttons import UndoButton, rows_of
from bot.cards.panel import Card
from bot.cards.wording import move_text
from bot.client import Kursbuch
from bot.games.service import Live, ServiceError, Stale
from bot.names import shown
from bot.texts import Say
from engine.moves import to_json
from storage.errors import StaleError


def concerned(live: Live, count: int, asker: int) -> list[int]:
    """The people whose moves would fall, other than the one who asks."""
    names = {move.player for move in live.game.moves[-count:]}
    return [s.user for s in live.record.seats if s.name in names and not s.house and s.user != asker]


def request_card(live: Live, say: Say, count: int, asker: int, agreed: int) -> Card:
    """Names each move that would fall and whose it is; who has agreed is kept in the buttons."""
    moves = live.game.moves[-count:]
    lines = [
        say("undo.line", player=shown(move.player), move=move_text(say, live.game, to_json(move.seen_by(""))))
        for move in moves[-25:]
    ]
    if count > len(lines):
        lines.insert(0, say("undo.more", count=count - len(lines)))
    needed = concerned(live, count, asker)
    text = say(
        "undo.ask",
        name=f"<@{asker}>",
        moves="\n".join(lines),
        needed=", ".join(f"<@{user}>" for user in needed) or "–",
    )
    have = [f"<@{s.user}>" for number, s in enumerate(live.record.seats) if agreed >> number & 1]
    if have:
        text += "\n" + say("undo.agreed", names=", ".join(have))
    styles = discord.ButtonStyle
    arguments = (live.record.id, live.length, count, asker, agreed)
    buttons: list[ui.Item[Any]] = [
        UndoButton.make(*arguments, "agree", say("undo.agree"), styles.success),
        UndoButton.make(*arguments, "decline", say("undo.decline"), styles.danger),
    ]
    return Card(text, rows=rows_of(buttons))


#: Requests that are remembered; the buttons of older ones still know who had agreed.
MOST_REQUESTS = 1000
T = TypeVar("T")


def _remember(kept: OrderedDict[int, T], request: int, value: T) -> None:
    kept[request] = value
    while len(kept) > MOST_REQUESTS:
        kept.popitem(last=False)


class Undo:
    """What the buttons of a request do."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot
        #: By the message that carries a request: who has agreed, and who has declined. A new request begins anew.
        self._agreed: OrderedDict[int, int] = OrderedDict()
        self._declined: OrderedDict[int, str] = OrderedDict()

    async def pressed(
        self,
        interaction: discord.Interaction[Any],
        *,
        game: int,
        seq: int,
        count: int,
        asker: int,
        agreed: int,
        verb: str,
    ) -> None:
        await interaction.response.defer()
        live = await self.bot.service.live(game, seq)
        say = await self.bot.say_in(live.record.guild)
        user = interaction.user.id
        host = user == live.record.host
        if not live.player_of(user) and not host:
            raise ServiceError("refuse.not_your_game")
        if seq != live.length:
            await answers.show_done(interaction, Card(say("undo.stale")))
            return
        needed = concerned(live, count, asker)
        if user not in needed and not host and (user, verb) != (asker, "decline"):
            raise ServiceError("refuse.not_for_you")
        assert interaction.message is not None
        request = interaction.message.id
        if verb == "decline":
            _remember(self._declined, request, interaction.user.mention)
        if request in self._declined:
            # Somebody may have agreed in the same moment, on a card that still had its buttons.
            await answers.show_done(interaction, Card(say("undo.declined", name=self._declined[request])))
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
        if missing and not host:
            await answers.show_done(interaction, request_card(live, say, count, asker, agreed))
            return
        try:
            await self.bot.service.undo(game, asker, count, interaction=interaction.id, expected=seq)
        except (Stale, StaleError):
            await answers.show_done(interaction, Card(say("undo.stale")))
            return
        self._agreed.pop(request, None)
        await answers.show_done(interaction, Card(say("undo.done", name=f"<@{asker}>", count=count)))


class UndoCog(commands.Cog):
    """Taking back and bringing back."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(moves="How many moves; left out, back to your own last one")
    async def undo(
        self, interaction: discord.Interaction[Any], moves: app_commands.Range[int, 1, 200] | None = None
    ) -> None:
        """Take back your last move, or ask the others to take back more"""
        bot = self.bot
        await interaction.response.defer(ephemeral=True)
        say = await bot.say_to(interaction)
        live = await bot.service.live((await bot.game_here(interaction)).id)
        user = interaction.user.id
        if not live.player_of(user) and user != live.record.host:
            raise ServiceError("refuse.not_your_game")
        bot.service.check_undoable(live)
        count, own = bot.service.own_last_moves(live, user)
        if moves is not None and moves != count:
            count = min(moves, len(live.game.moves))
            own = not concerned(live, count, user)
        if not count:
            raise ServiceError("refuse.nothing_to_undo")
        if own:
            await bot.service.undo(live.record.id, user, count, interaction=interaction.id, expected=live.length)
            await answers.show_done(interaction, Card(say("undo.done", name=interaction.user.mention, count=count)))
            return
        channel = await places.find(bot, live.record.channel)
        if channel is None:
            raise ServiceError("refuse.no_game")
        places.check_may_write(interaction, channel)
        await channel.send(
            view=request_card(live, await bot.say_in(live.record.guild), count, user, 0),
            allowed_mentions=discord.AllowedMentions(
                everyone=False, roles=False, users=[discord.Object(each) for each in concerned(live, count, user)]
            ),
        )
        await answers.show_done(interaction, Card(say("undo.asked")))

    @app_commands.command()
    @app_commands.guild_only()
    async def redo(self, interaction: discord.Interaction[Any]) -> None:
        """Bring back what was taken back last"""
        bot = self.bot
        await interaction.response.defer(ephemeral=True)
        say = await bot.say_to(interaction)
        record = await bot.game_here(interaction)
        live = await bot.service.live(record.id)
        if not live.player_of(interaction.user.id) and interaction.user.id != record.host:
            raise ServiceError("refuse.not_your_game")
        count = await bot.service.redo(record.id, interaction.user.id, interaction=interaction.id)
        await answers.show_done(interaction, Card(say("undo.redone", name=interaction.user.mention, count=count)))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    bot.undo = Undo(bot)
    await bot.add_cog(UndoCog(bot))
