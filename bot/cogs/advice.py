"""What the house would do, and why it did what it did: `/hint` and `/why`, for one's own eyes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import meanwhile
from bot.card.turn import Card
from bot.games.service import Live, NotLoaded, ServiceError
from bot.games.stuck import Stuck
from bot.games.thinking import NoAnswer, question
from bot.here import Here
from bot.services import Services
from bot.texts import Say
from bot.words.wording import move_text
from engine.game import Game
from engine.house import ahead
from engine.house.reasons import Reason
from engine.moves import Move, to_json
from storage.records import PLAYING

#: The level that gives hints.
ADVISER = "normal"


class AdviceCog(commands.Cog):
    """Asking the house."""

    def __init__(self, services: Services, here: Here) -> None:
        self.services = services
        self.here = here

    async def _live(self, interaction: discord.Interaction[Any]) -> Live:
        """The game of the channel, which goes on; acknowledged meanwhile."""
        acknowledging = interaction.response.defer(ephemeral=True, thinking=True)
        live = await meanwhile(acknowledging, self.here.found(interaction))
        if isinstance(live, Stuck):
            raise NotLoaded(live)
        return live

    @app_commands.command()
    @app_commands.guild_only()
    async def hint(self, interaction: discord.Interaction[Any]) -> None:
        """Show what the house would do in your place, and why"""
        live = await self._live(interaction)
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        if live.record.status != PLAYING or player not in live.game.offer().deciders:
            raise ServiceError("refuse.no_hint")
        say = await self.services.people.say_to(interaction)
        found = await self._reasons(live.game, player, ADVISER, player, None)
        lines = reason_lines(say, live.game, found)
        text = say("hint.yours" if len(found) > 1 else "hint.only") + "\n" + "\n".join(lines)
        await interaction.edit_original_response(view=Card(text))

    @app_commands.command()
    @app_commands.guild_only()
    async def why(self, interaction: discord.Interaction[Any]) -> None:
        """Show why a house player made its last move"""
        live = await self._live(interaction)
        say = await self.services.people.say_to(interaction)
        numbers = [n for n, move in enumerate(live.game.moves) if live.seat(move.player).house]
        if not numbers or numbers[-1] < live.game.rests_at:
            raise ServiceError("refuse.no_house_move")
        move = live.game.moves[numbers[-1]]
        level = live.seat(move.player).house
        if level not in ahead.LEVELS:
            raise ServiceError("refuse.rule_of_thumb", name=move.player)
        played = live.game.copy()
        before = await asyncio.to_thread(played.rewound, numbers[-1])
        asker = live.player_of(interaction.user.id)
        hidden = before.rules.secret and asker != move.player
        if hidden and move.SECRET:
            raise ServiceError("refuse.hidden_reason")
        eyes = (asker or next(seat for seat in before.state.seats if seat != move.player)) if hidden else ""
        found = await self._reasons(before, move.player, level, eyes, move)
        made = to_json(move)
        head = say("hint.made", name=move.player, move=move_text(say, before, made))
        lines = reason_lines(say, before, found, made)
        await interaction.edit_original_response(view=Card("\n".join([head, *lines])))

    async def _reasons(self, game: Game, player: str, level: str, eyes: str, made: Move | None) -> Sequence[Reason]:
        """What is thought in the process beside the bot, for the eyes of whoever asks."""
        asked = question(game, player, level, reasons=True, eyes=eyes, made=made)
        try:
            return await self.services.games.houses.thinking.reasons(asked)
        except NoAnswer:
            raise ServiceError("refuse.no_answer") from None


def reason_lines(say: Say, game: Game, found: Sequence[Reason], made: dict[str, Any] | None = None) -> list[str]:
    """A line for each candidate: the move, how much better or worse it is, and by what most of all."""
    lines = []
    for number, each in enumerate(found, start=1):
        move = to_json(each.move)
        text = move_text(say, game, move)
        if len(found) == 1:
            lines.append(say("hint.one", move=text))
            continue
        if not each.better:
            how = say("hint.same")
        else:
            against = "next" if number == 1 else "first"
            key = "better" if each.better > 0 else "worse"
            how = say(f"hint.{key}", amount=abs(each.better), than=say(f"hint.than_{against}"))
        part = say(f"hint.part.{each.part}") if each.part and each.better else ""
        mark = say("hint.this") if move == made else ""
        lines.append(say("hint.line", number=number, move=text, how=how, part=part, mark=mark))
    return lines


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(AdviceCog(bot.services, bot.here))
