"""Looking things up, for one's own eyes: map, market, sheet, charters, tiles, trains, log, turn, rules."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.cards.facts import around
from bot.cards.panel import Card, choice_rows, turn_text
from bot.cards.pictures import attach
from bot.cards.wording import move_text
from bot.ceilings import OPTION_TEXT, OPTIONS, TEXT_IN_MESSAGE, cut
from bot.client import Kursbuch
from bot.games.service import Live, ServiceError, replay
from bot.names import shown
from bot.texts import Say
from engine.finance.depot import on_sale
from engine.game import Game
from engine.moves import to_json
from renderers.kit.picture import Picture
from storage.records import PLAYING


class Looks:
    """Shows pictures and pages; used by commands and by the buttons of a card."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    async def show(self, interaction: discord.Interaction[Any], game: int, what: str) -> None:
        """A button of a card."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await self.picture(interaction, await self.bot.service.live(game), what)

    async def picture(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        what: str,
        *,
        around: tuple[str, ...] = (),
        move: int | None = None,
        company: str = "",
    ) -> None:
        """Show a picture; the interaction has been acknowledged."""
        say = await self.bot.say_to(interaction)
        language = await self.bot.language_of(interaction)
        game = live.game if move is None else await self._earlier(live, move)
        pictures = self.bot.pictures
        drawn: Picture | None
        if what == "map":
            drawn = await pictures.map(game, language=language, around=around)
        elif what == "market":
            drawn = await pictures.market(game, language=language)
        elif what == "charter":
            drawn = await pictures.charter(game, company, language=language)
        else:
            drawn = await pictures.sheet(game, language=language)
        files, gallery = attach([(what, drawn)], language)
        title = say("look.title", what=say(f"look.{what}"), move=len(game.moves))
        text = title if gallery else f"{title}\n{say('card.no_picture')}"
        await interaction.edit_original_response(view=Card(text, gallery), attachments=files)

    async def _earlier(self, live: Live, move: int) -> Game:
        if not 0 <= move <= len(live.game.moves):
            raise ServiceError("refuse.bad_move_number", count=len(live.game.moves))
        return await asyncio.to_thread(replay, live.record, [to_json(m) for m in live.game.moves[:move]])


def tiles_text(game: Game) -> str:
    """Tiles that are left, by colour."""
    lines = []
    tiles = game.definition.tiles
    for colour in dict.fromkeys(tile.colour for tile in tiles.values()):
        left = [
            f"{tile.id}×{game.state.board.supply[tile.id]}"
            for tile in tiles.values()
            if tile.colour == colour and game.state.board.supply[tile.id]
        ]
        lines.append(f"**{colour}**: {' '.join(left) or '–'}")
    return "\n".join(lines)


def trains_text(game: Game) -> str:
    """Trains: on sale, left, in the pool, and what each makes obsolete."""
    lines = []
    sale = on_sale(game)
    depot = game.state.depot
    for train in game.definition.trains:
        rusts = [t.name for t in game.definition.trains if train.name in t.rusts_on]
        lines.append(
            f"{'▶ ' if train.name in sale else ''}**{train.name}** {train.price} M · "
            f"{depot.left[train.name]}/{train.count}" + (f" · ✕ {', '.join(rusts)}" if rusts else "")
        )
    if depot.pool:
        lines.append(f"pool: {', '.join(depot.pool)}")
    return "\n".join(lines)


def rules_text(game: Game) -> str:
    """The title's companies, privates, phases and what is reconstructed."""
    definition = game.definition
    lines = [f"### {definition.name}"]
    for private in sorted(definition.privates.values(), key=lambda p: p.number):
        lines.append(f"**{private.number}. {private.name}** ({private.price} M, +{private.revenue}): {private.ability}")
    for corporation in definition.corporations.values():
        if corporation.special:
            lines.append(f"**{corporation.id}** {corporation.special['en']}")
    if definition.reconstructed:
        lines.append("-# reconstructed: " + "; ".join(definition.reconstructed))
    return cut("\n".join(lines), TEXT_IN_MESSAGE)


def log_text(live: Live, say: Say, count: int) -> str:
    """The last moves."""
    moves = list(enumerate(live.game.moves, start=1))[-count:]
    lines = [f"`{number}` {shown(move.player)}: {move_text(say, live.game, to_json(move))}" for number, move in moves]
    text = "\n".join(lines) or "–"
    while len(text) > TEXT_IN_MESSAGE - 100:
        text = text.partition("\n")[2]
    return text


class LookCog(commands.Cog):
    """Looking things up."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    async def _live(self, interaction: discord.Interaction[Any]) -> Live:
        """The game of the channel, acknowledged first: it may have to be replayed."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        return await self.bot.service.live((await self.bot.game_here(interaction)).id)

    @app_commands.command(name="map")
    @app_commands.guild_only()
    @app_commands.describe(hex="Zoom to a hex", move="The map after an earlier move")
    async def map_(
        self,
        interaction: discord.Interaction[Any],
        hex: str | None = None,
        move: app_commands.Range[int, 0, 100_000] | None = None,
    ) -> None:
        """Show the map"""
        live = await self._live(interaction)
        around = (hex.upper(),) if hex and hex.upper() in live.game.definition.map.hexes else ()
        if hex and not around:
            raise ServiceError("refuse.no_hex", option=cut(hex, 20))
        await self.bot.looks.picture(interaction, live, "map", around=around, move=move)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(move="The market after an earlier move")
    async def market(
        self, interaction: discord.Interaction[Any], move: app_commands.Range[int, 0, 100_000] | None = None
    ) -> None:
        """Show the share prices"""
        await self.bot.looks.picture(interaction, await self._live(interaction), "market", move=move)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(move="The sheet after an earlier move")
    async def sheet(
        self, interaction: discord.Interaction[Any], move: app_commands.Range[int, 0, 100_000] | None = None
    ) -> None:
        """Show all players and companies on one page"""
        await self.bot.looks.picture(interaction, await self._live(interaction), "sheet", move=move)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(name="The company's code")
    async def company(self, interaction: discord.Interaction[Any], name: str) -> None:
        """Show a company's charter"""
        live = await self._live(interaction)
        found = next((code for code in live.game.state.companies if code.lower() == name.lower()), None)
        if found is None:
            known = ", ".join(live.game.state.companies)
            raise ServiceError("refuse.no_company", name=cut(name, 20), possible=known)
        await self.bot.looks.picture(interaction, live, "charter", company=found)

    @company.autocomplete("name")
    async def _names(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        live = await self.bot.game_for_autocomplete(interaction)
        if live is None:
            return []
        return [
            app_commands.Choice(name=cut(f"{c.id} {c.name}", OPTION_TEXT), value=c.id)
            for c in live.game.definition.corporations.values()
            if current.lower() in f"{c.id} {c.name}".lower()
        ][:OPTIONS]

    async def _page(self, interaction: discord.Interaction[Any], text: str) -> None:
        await interaction.edit_original_response(view=Card(text))

    @app_commands.command()
    @app_commands.guild_only()
    async def tiles(self, interaction: discord.Interaction[Any]) -> None:
        """Show the tiles that are left"""
        await self._page(interaction, tiles_text((await self._live(interaction)).game))

    @app_commands.command()
    @app_commands.guild_only()
    async def trains(self, interaction: discord.Interaction[Any]) -> None:
        """Show the trains and what each brings"""
        await self._page(interaction, trains_text((await self._live(interaction)).game))

    @app_commands.command()
    @app_commands.guild_only()
    async def rules(self, interaction: discord.Interaction[Any]) -> None:
        """Show this title's rules in short"""
        await self._page(interaction, rules_text((await self._live(interaction)).game))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(moves="How many moves to show")
    async def log(self, interaction: discord.Interaction[Any], moves: app_commands.Range[int, 1, 100] = 20) -> None:
        """Show the last moves"""
        say = await self.bot.say_to(interaction)
        await self._page(interaction, log_text(await self._live(interaction), say, moves))

    @app_commands.command()
    @app_commands.guild_only()
    async def turn(self, interaction: discord.Interaction[Any]) -> None:
        """Show whose turn it is, and your panel if it is yours"""
        say = await self.bot.say_to(interaction)
        live = await self._live(interaction)
        player = live.player_of(interaction.user.id)
        rows = choice_rows(live, say, player) if player in live.game.offer().deciders else []
        if live.record.status != PLAYING:
            rows = []
        known = await around(self.bot.store, live.record, self.bot.service.now())
        text = turn_text(live, say, asker=player, known=known)
        await interaction.edit_original_response(view=Card(text, rows=rows))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    bot.looks = Looks(bot)
    await bot.add_cog(LookCog(bot))
