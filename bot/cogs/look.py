"""Looking things up, for one's own eyes: map, market, sheet, charters, tiles, trains, log, turn, rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import meanwhile
from bot.card.log import Entry, history, log_card, pages, round_codes
from bot.card.pictures import attach
from bot.card.rules_help import clause_text, topic_text
from bot.card.stuck import last_lines, remark, stuck_card
from bot.card.turn import HAND, Card, turn_text
from bot.games.lookback import Lookbacks
from bot.games.service import Live, NotLoaded, ServiceError, shown_of
from bot.games.stuck import Stuck
from bot.here import Here
from bot.limits import OPTION_TEXT, OPTIONS, TEXT_IN_MESSAGE, cut
from bot.panel.turns import Turns
from bot.services import Services
from bot.texts import Say
from bot.words.board import map_text, market_text, paged, sheet_text
from bot.words.briefing import around
from bot.words.decks import hand_text
from bot.words.projection import Projection
from bot.words.wording import listed, reconstructed, value_text, vehicle
from engine.finance.depot import on_sale, price
from engine.game import Game
from renderers.kit.picture import Picture
from storage.records import PLAYING
from titles import ledger


class Looks:
    """Shows pictures and pages; used by commands and by the buttons of a card."""

    def __init__(self, services: Services, lookbacks: Lookbacks) -> None:
        self.services = services
        self.lookbacks = lookbacks

    async def show(self, interaction: discord.Interaction[Any], game: int, what: str) -> None:
        """A button of a card."""
        live = await meanwhile(
            interaction.response.defer(ephemeral=True, thinking=True), self.services.games.found(game)
        )
        if what == HAND:
            await self.hand(interaction, live)
        else:
            await self.picture(interaction, live, what)

    async def hand(self, interaction: discord.Interaction[Any], live: Live | Stuck) -> None:
        """What only whoever asks may see; the interaction has been acknowledged, privately."""
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        game = shown_of(live)
        if game.rules.secret and not game.finished and not live.shows_hand(player):
            raise ServiceError("refuse.hand_later")
        text = hand_text(await self.services.people.say_to(interaction), game, player)
        if not text:
            raise ServiceError("refuse.no_hand")
        await interaction.edit_original_response(view=Card(text))

    async def picture(
        self,
        interaction: discord.Interaction[Any],
        live: Live | Stuck,
        what: str,
        *,
        around: tuple[str, ...] = (),
        move: int | None = None,
        company: str = "",
        words: int | None = None,
    ) -> None:
        """Show a picture, or a page of the same in words; the interaction has been acknowledged."""
        say = await self.services.people.say_to(interaction)
        language = await self.services.people.language_of(interaction)
        game = shown_of(live) if move is None else await self._earlier(live, move, interaction.user.id)
        if words is not None:
            player = live.player_of(interaction.user.id)
            text = words_of(say, game, what, words, player, next(iter(around), ""))
            await interaction.edit_original_response(view=Card(text))
            return
        pictures = self.services.pictures
        drawn: Sequence[Picture | None]
        if what == "map":
            drawn = [await pictures.map(game, language=language, around=around)]
        elif what == "market":
            drawn = [await pictures.market(game, language=language)]
        elif what == "charter":
            drawn = [await pictures.charter(game, company, language=language)]
        else:
            drawn = await pictures.sheet(game, language=language)
        files, gallery = attach(
            [(f"{what}-{number}" if number else what, one) for number, one in enumerate(drawn)], language
        )
        title = say("look.title", what=say(f"look.{what}"), move=len(game.moves))
        text = title if gallery else f"{title}\n{say('card.no_picture')}"
        if what == "sheet" and not game.finished:
            now = game.copy()
            found = await pictures.draw(lambda: Projection.of(now))
            text = "\n".join([text, *(found.lines(say.of(game.definition.id), game) if found is not None else [])])
        if isinstance(live, Stuck):
            text += "\n" + remark(say, live)
        await interaction.edit_original_response(view=Card(text, gallery), attachments=files)

    async def log(
        self, interaction: discord.Interaction[Any], live: Live | Stuck, page: int, company: str, round_: str
    ) -> None:
        """Show a page of the log; the interaction has been acknowledged."""
        say = await self.services.people.say_to(interaction)
        if isinstance(live, Stuck) and live.good is None:
            # What cannot be played through is told as its channel was.
            told = last_lines(await self.services.store.told(live.record.id))
            if not told:
                raise NotLoaded(live)
            await interaction.edit_original_response(view=Card(f"{told}\n{remark(say, live)}"))
            return
        game = _through(live)
        entries = await self._history(live, interaction.user.id)
        own = say.of(live.record.title)
        kept = [
            entry
            for entry in entries
            if (not company or company in entry.companies) and (not round_ or round_ in round_codes(game, entry.round))
        ]
        texts = await asyncio.to_thread(pages, kept, own, game)
        if isinstance(live, Stuck):
            texts[-1] = f"{texts[-1]}\n{remark(say, live)}"
        card = log_card(say, live.record.id, texts, page, company, round_)
        await interaction.edit_original_response(view=card)

    async def _history(self, live: Live | Stuck, person: int) -> list[Entry]:
        """A game played through once more, for whoever turns pages."""
        played = _through(live).copy()
        key = ("history", _names(live), live.record.id, live.length)
        return await self.lookbacks.find(person, key, lambda: history(played))

    async def _earlier(self, live: Live | Stuck, move: int, person: int) -> Game:
        """The position after a move."""
        made = _through(live).moves
        if not 0 <= move <= len(made):
            raise ServiceError("refuse.bad_move_number", count=len(made))
        played = _through(live).copy()
        if move < played.rests_at:
            raise ServiceError("refuse.before_seam_look", first=played.rests_at)
        key = ("position", _names(live), live.record.id, played.rests_at, tuple(made[:move]))
        return await self.lookbacks.find(person, key, lambda: played.rewound(move))


def words_of(say: Say, game: Game, what: str, page: int, player: str = "", around: str = "") -> str:
    """A page of the map, the market or the sheet in words."""
    lines = {
        "map": lambda: map_text(say, game, player, around),
        "market": lambda: market_text(say, game),
        "sheet": lambda: sheet_text(say, game),
    }[what]()
    pages = paged(lines)
    page = min(page, len(pages))
    title = say("look.title", what=say(f"look.{what}"), move=len(game.moves))
    key = "board.page" if page < len(pages) else "board.last"
    foot = [say(key, page=page, pages=len(pages), next=page + 1)] if len(pages) > 1 else []
    return "\n".join([title, pages[page - 1], *foot])


def _names(live: Live | Stuck) -> tuple[str, ...]:
    """Who sits at a game: with others it is a game of other names."""
    return tuple(seat.name for seat in live.record.seats)


def _through(found: Live | Stuck) -> Game:
    """A game as far as it can be played through."""
    if isinstance(found, Live):
        return found.game
    if found.good is None:
        raise NotLoaded(found)
    return found.good


def tiles_text(say: Say, game: Game) -> str:
    """Which tiles may be laid now; how many there are of each is on the pictures."""
    colours = listed(say, [say(f"tile_colours.{shade}") for shade in game.phase.tiles])
    return say("tiles.head", phase=game.phase.name, colours=colours)


def trains_text(say: Say, game: Game) -> str:
    """Trains: price, how many are left, whether they are on sale, and what the first of each makes obsolete."""
    sale = on_sale(game)
    depot = game.state.depot
    lines = [say("trains.head", phase=game.phase.name, limit=game.phase.train_limit)]
    free = "" if game.definition.priced else "_free"
    for train in game.definition.trains:
        rusts = [vehicle(say, "all", t.name) for t in game.definition.trains if train.name in t.rusts_on]
        line = say(
            ("trains.on_sale" if train.name in sale else "trains.line") + free,
            train=vehicle(say, "all", train.name),
            price=price(game, train.name),
            left=depot.left[train.name],
            count=train.count,
        )
        lines.append(line + (say("trains.rusts", trains=", ".join(rusts)) if rusts else ""))
    if depot.pool:
        lines.append(say("trains.pool", trains=", ".join(vehicle(say, "the", train) for train in depot.pool)))
    owners = [
        say("trains.owner", company=code, trains=", ".join(company.trains))
        for code, company in game.state.companies.items()
        if company.trains
    ]
    if owners:
        lines.append(say("trains.owned", list="; ".join(owners)))
    return cut("\n".join(lines), TEXT_IN_MESSAGE)


def company_of(game: Game, name: str) -> str:
    """A company by its code as somebody typed it."""
    found = next((code for code in game.state.companies if code.lower() == name.strip().lower()), None)
    if found is None:
        raise ServiceError("refuse.no_company", name=cut(name, 20), possible=", ".join(game.state.companies))
    return found


def rules_text(say: Say, game: Game) -> str:
    """What a form is like, the title's private companies, what is special, and what is reconstructed."""
    definition = game.definition
    own_words = definition.words[say.language]
    lines = [say("rules.head", title=definition.name, topic=say("rules.topic_overview"))]
    about = f"about.{game.rules.setup.form}"
    if about in own_words:
        lines.append(own_words[about])
    for private in sorted(definition.privates.values(), key=lambda p: p.number):
        facts = {"price": private.price, "revenue": private.revenue, "power": own_words[f"power.{private.id}"]}
        lines.append(say("rules.private", name=value_text(say, game, "private", private.id), **facts))
    for corporation in definition.corporations.values():
        if corporation.special:
            text = corporation.special.get(say.language) or corporation.special["en"]
            lines.append(say("rules.special", company=corporation.id, text=text))
    if definition.reconstructed:
        lines.append(say("info.reconstructed", what=reconstructed(say, definition.id, definition.reconstructed)))
    return cut("\n".join(lines), TEXT_IN_MESSAGE)


class LookCog(commands.Cog):
    """Looking things up."""

    def __init__(self, services: Services, here: Here, looks: Looks, turns: Turns) -> None:
        self.services = services
        self.here = here
        self.looks = looks
        self.turns = turns

    async def _live(self, interaction: discord.Interaction[Any]) -> Live | Stuck:
        """The game of the channel, acknowledged meanwhile: it may have to be replayed."""
        acknowledging = interaction.response.defer(ephemeral=True, thinking=True)
        return await meanwhile(acknowledging, self.here.found(interaction))

    @app_commands.command(name="map")
    @app_commands.guild_only()
    @app_commands.describe(
        hex="Zoom to a hex",
        move="The map after an earlier move",
        words="In words instead of a picture: which page, 1 for the first",
    )
    async def map_(
        self,
        interaction: discord.Interaction[Any],
        hex: str | None = None,
        move: app_commands.Range[int, 0, 100_000] | None = None,
        words: app_commands.Range[int, 1, 100] | None = None,
    ) -> None:
        """Show the map"""
        live = await self._live(interaction)
        around = (hex.upper(),) if hex and hex.upper() in shown_of(live).definition.map.hexes else ()
        if hex and not around:
            raise ServiceError("refuse.no_hex", option=cut(hex, 20))
        await self.looks.picture(interaction, live, "map", around=around, move=move, words=words)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(
        move="The market after an earlier move", words="In words instead of a picture: which page, 1 for the first"
    )
    async def market(
        self,
        interaction: discord.Interaction[Any],
        move: app_commands.Range[int, 0, 100_000] | None = None,
        words: app_commands.Range[int, 1, 100] | None = None,
    ) -> None:
        """Show the share prices"""
        live = await self._live(interaction)
        if not shown_of(live).definition.priced:
            raise ServiceError("refuse.no_market")
        await self.looks.picture(interaction, live, "market", move=move, words=words)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(
        move="The sheet after an earlier move", words="In words instead of a picture: which page, 1 for the first"
    )
    async def sheet(
        self,
        interaction: discord.Interaction[Any],
        move: app_commands.Range[int, 0, 100_000] | None = None,
        words: app_commands.Range[int, 1, 100] | None = None,
    ) -> None:
        """Show all players and companies on one page"""
        await self.looks.picture(interaction, await self._live(interaction), "sheet", move=move, words=words)

    @app_commands.command()
    @app_commands.guild_only()
    async def cards(self, interaction: discord.Interaction[Any]) -> None:
        """Show your hidden cards, to you alone"""
        await self.looks.hand(interaction, await self._live(interaction))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(name="The company's code")
    async def company(self, interaction: discord.Interaction[Any], name: str) -> None:
        """Show a company's charter"""
        live = await self._live(interaction)
        await self.looks.picture(interaction, live, "charter", company=company_of(shown_of(live), name))

    @company.autocomplete("name")
    async def _names(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        return await self._companies(interaction, current)

    async def _companies(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        live = await self.here.suggested(interaction)
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
        game = shown_of(await self._live(interaction))
        say = await self.services.people.say_to(interaction)
        drawn = await self.services.pictures.supply(game, language=say.language)
        files, gallery = attach([(f"tiles-{number}", one) for number, one in enumerate(drawn)], say.language)
        text = tiles_text(say, game) + ("" if gallery else f"\n{say('card.no_picture')}")
        await interaction.edit_original_response(view=Card(text, gallery), attachments=files)

    @app_commands.command()
    @app_commands.guild_only()
    async def trains(self, interaction: discord.Interaction[Any]) -> None:
        """Show the trains and what each brings"""
        live = await self._live(interaction)
        await self._page(interaction, trains_text(await self.services.people.say_to(interaction), shown_of(live)))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(topic="What about", clause="A clause of the rules, like RHL-6.1.2-d")
    @app_commands.choices(
        topic=[
            app_commands.Choice(name="turn order", value="order"),
            app_commands.Choice(name="certificate limit", value="limit"),
            app_commands.Choice(name="share prices", value="prices"),
            app_commands.Choice(name="trains", value="trains"),
            app_commands.Choice(name="forced purchases", value="forced"),
            app_commands.Choice(name="end of the game", value="end"),
            app_commands.Choice(name="open and hidden cards", value="cards"),
        ]
    )
    async def rules(
        self, interaction: discord.Interaction[Any], topic: str | None = None, clause: str | None = None
    ) -> None:
        """Show the rules in short, by topic, with the numbers of this game"""
        say = await self.services.people.say_to(interaction)
        if clause is not None:
            await interaction.response.defer(ephemeral=True, thinking=True)
            found = ledger.find(clause, say.language)
            if found is None:
                raise ServiceError("refuse.no_clause", clause=cut(clause, 30))
            await self._page(interaction, clause_text(say, found))
            return
        game = shown_of(await self._live(interaction))
        await self._page(interaction, rules_text(say, game) if topic is None else topic_text(say, game, topic))

    @rules.autocomplete("clause")
    async def _clauses(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        wanted = current.strip().lower()
        book = ledger.clauses(self.services.people.say_now(interaction).language)
        found = [each for each in book.values() if wanted in f"{each.id} {each.text}".lower()]
        found.sort(key=lambda each: not each.id.lower().startswith(wanted))
        return [
            app_commands.Choice(name=cut(f"{each.id} {each.text}", OPTION_TEXT), value=each.id)
            for each in found[:OPTIONS]
        ]

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(
        company="Only what is about this company", round="Only this round, like SR2 or OR2.1", page="1 is the newest"
    )
    async def log(
        self,
        interaction: discord.Interaction[Any],
        company: str | None = None,
        round: str | None = None,
        page: app_commands.Range[int, 1, 1000] = 1,
    ) -> None:
        """Show what has happened, in pages"""
        live = await self._live(interaction)
        found = ""
        if company is not None:
            found = company_of(shown_of(live), company)
        await self.looks.log(interaction, live, page, found, (round or "").upper().replace(" ", "")[:12])

    @log.autocomplete("company")
    async def _log_companies(
        self, interaction: discord.Interaction[Any], current: str
    ) -> list[app_commands.Choice[str]]:
        return await self._companies(interaction, current)

    @app_commands.command()
    @app_commands.guild_only()
    async def turn(self, interaction: discord.Interaction[Any]) -> None:
        """Show whose turn it is, and your panel if it is yours"""
        live = await self._live(interaction)
        say = await self.services.people.say_to(interaction)
        if isinstance(live, Stuck):
            cards = await self.services.store.told(live.record.id)
            await interaction.edit_original_response(view=stuck_card(say, live, (), cards))
            return
        player = live.player_of(interaction.user.id)
        if player in live.game.offer().deciders and live.record.status == PLAYING:
            async with self.turns.held(interaction, live.record.id):
                await self.turns.home(interaction, live, player, say)
            return
        known = await around(self.services.store, live.record, self.services.games.now())
        await interaction.edit_original_response(view=Card(turn_text(live, say, asker=player, known=known)))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    bot.looks = Looks(bot.services, bot.lookbacks)
    await bot.add_cog(LookCog(bot.services, bot.here, bot.looks, bot.turns))
