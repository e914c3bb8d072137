"""A person on the way through their turn, in one private panel: pick, look at the effect, confirm, and so on."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import discord

from bot import answers
from bot.card.pictures import PANEL_PATIENCE_SECONDS as _PATIENCE
from bot.card.pictures import attach
from bot.card.turn import Card
from bot.errors import sentence
from bot.fair_queue import PANEL
from bot.games.service import Live, ServiceError, Stale
from bot.limits import cut
from bot.names import shown
from bot.numbers import whole
from bot.panel.modals import NumberForm, RoutesForm, steps, typed_block, typed_in
from bot.panel.pages import (
    Gallery,
    Running,
    at_home,
    confirm_card,
    home_card,
    question_card,
    rest_card,
    text_of,
    wrong_card,
)
from bot.panel.panels import DECISION, Panel, Panels, version
from bot.picking.buttons import TakeBackButton, rows_of
from bot.picking.effects import Effect, Rest, Unsearched, may_repeat, passing, same_again, ways
from bot.picking.entries import PLACES, asked_stops, band_check, banded, numbers_of, preset, spread
from bot.picking.screen import room
from bot.picking.walk import NoSuchChoice, Walk, moves_check, number_of, walk
from bot.services import Services
from bot.texts import Say, speaker
from bot.words.wording import event_lines, move_text, vehicle, words
from engine.changes import View, changes
from engine.errors import Refused
from engine.events import Event
from engine.game import Game
from engine.moves import Move, Run, TrainPath, from_json, to_json
from engine.offer import Choice, Number, Options
from engine.steps.run import RunChoice
from renderers.kit.picture import Picture
from renderers.pages.own import about_pages
from storage.errors import StaleError
from storage.records import ENDED, FINISHED, PAUSED, PLAYING

_log = logging.getLogger(__name__)

K = TypeVar("K")
V = TypeVar("V")

#: What is told of a move in the panel: the channel's card has all of it.
_TOLD = 400
#: Moves that happened while a panel was open, told in it.
_SINCE = 5
#: An answer waits so long for the house's moves, so that it can tell of them.
HOUSE_SECONDS = 1.5
#: Characters of a move on the button that takes it back.
_LABEL_MOVE = 45
#: Looking ahead to the end of a turn may take so long; else the button for it is missing.
_AHEAD_SECONDS = 0.7
#: Turns looked ahead that are kept, and runs that were shown; each holds a position or two.
_MOST_AHEAD = 20


class Turns:
    """Answers the buttons and menus of a turn. Knows no rule of any game: it asks the offer."""

    def __init__(self, services: Services, panels: Panels) -> None:
        self.services = services
        self.panels = panels
        #: The rest of turns by game and move number, as it was found last.
        self._rests: OrderedDict[tuple[int, int], Rest | None] = OrderedDict()
        #: Runs as they were shown, so that confirming one needs no second look.
        self._runs: OrderedDict[tuple[object, ...], Running] = OrderedDict()

    # ------------------------------------------------------------------ entry points

    async def pressed(
        self,
        interaction: discord.Interaction[Any],
        *,
        game: int,
        seq: int,
        number: int,
        key: str,
        code: str,
        verb: str,
        page: int = 0,
        band: str = "",
        whole: str = "",
    ) -> None:
        """A button or menu was used; `seq` is the position it was made for, `key` the check of the choice it is for.

        `whole` is the check of the move that it makes, `band` that of the part of the map it shows.
        """
        if verb in ("hand", "form"):
            # A form must be the first answer: it changes no panel, and waits for none.
            await self._pressed(interaction, game, seq, number, key, code, verb, page, band, whole)
            return
        async with self.held(interaction, game):
            await self._pressed(interaction, game, seq, number, key, code, verb, page, band, whole)

    @asynccontextmanager
    async def held(self, interaction: discord.Interaction[Any], game: int) -> AsyncIterator[None]:
        """While somebody's panel is changed nobody else changes it; whoever has to wait is acknowledged before."""
        lock = self.panels.lock(game, interaction.user.id)
        if lock.locked():
            await _acknowledge(interaction)
        async with lock:
            yield

    async def _pressed(
        self,
        interaction: discord.Interaction[Any],
        game: int,
        seq: int,
        number: int,
        key: str,
        code: str,
        verb: str,
        page: int,
        band: str,
        whole: str,
    ) -> None:
        live = await self._live(interaction, game, seq)
        say = await self.services.people.say_to(interaction)
        player = self._player(live, interaction)
        try:
            if seq != live.length:
                raise Stale
            if key:
                number = number_of(live.game, number, key)
            if band and band != band_check(walk(live.game, number, code), page):
                raise NoSuchChoice("the map is divided otherwise")
            await self._act(interaction, live, player, say, number, code, verb, page, whole)
        except (Stale, StaleError, NoSuchChoice):
            await self.stale(interaction, game, say, seq)

    async def _act(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        player: str,
        say: Say,
        number: int,
        code: str,
        verb: str,
        page: int,
        whole: str,
    ) -> None:
        if verb in ("home", "again", "rest"):
            if player not in live.game.offer().deciders:
                raise ServiceError("refuse.not_for_you")
            await _acknowledge(interaction)
            if verb == "home":
                await self.home(interaction, live, player, say)
            else:
                await self._rest(interaction, live, player, say, code if verb == "rest" else None)
            return
        choice = self._choice(live, player, number)
        if verb in ("hand", "form") and not interaction.response.is_done():
            await self._form(interaction, live, choice, say, number, code, verb)
            return
        if self.services.searches.needed(choice):
            # A search may take longer than Discord waits for a first answer.
            await _acknowledge(interaction)
            await self._search(live, choice)
        if verb in ("run", "typed"):
            await self._run(interaction, live, player, say, number, code, typed=verb == "typed")
        elif verb == "ok":
            step = walk(live.game, number, code)
            if not step.complete or moves_check([step.move()]) != whole:
                raise NoSuchChoice("another move was shown")
            await self._play(interaction, live, [step.move()], say)
        else:
            await self.show(interaction, live, walk(live.game, number, "" if verb == "hand" else code), say, page)

    async def _edit(
        self, interaction: discord.Interaction[Any], live: Live, card: Card, files: Sequence[discord.File] = ()
    ) -> None:
        """Show a card as somebody's panel; a new one if theirs has gone meanwhile."""
        try:
            message = (await interaction.edit_original_response(view=card, attachments=list(files))).id
        except discord.NotFound:
            if not _is_private(interaction):
                raise
            for file in files:
                file.reset()
            sent = await interaction.followup.send(view=card, files=list(files), ephemeral=True, wait=True)
            message = sent.id
        if live.player_of(interaction.user.id):
            language = await self.services.people.language_of(interaction)
            await self.panels.shown(interaction, message, live, card, language)

    async def _enter(self) -> None:
        """Before every piece of computing: others want to be answered as well."""
        await self.services.fair_queue.enter(PANEL)

    def _choice(self, live: Live, player: str, number: int) -> Choice[Any]:
        """The choice that a button is for."""
        choices = live.game.offer().choices
        if number >= len(choices):
            raise NoSuchChoice(f"there is no choice {number}")
        if choices[number].player != player:
            raise ServiceError("refuse.not_for_you")
        return choices[number]

    async def _live(self, interaction: discord.Interaction[Any], game: int, seq: int) -> Live:
        """The game of a panel that was made for `seq`."""
        found = self.services.games.remembered(game, seq)
        if found is not None:
            return found
        # A replay may take longer than Discord waits for a first answer.
        return await answers.meanwhile(_acknowledge(interaction), self.services.games.live(game, seq))

    def _player(self, live: Live, interaction: discord.Interaction[Any]) -> str:
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        return player

    async def _search(self, live: Live, choice: Choice[Any]) -> None:
        """Best routes, unless a look ahead has found them for this very position."""
        for (game, _), rest in reversed(self._rests.items()):
            if game != live.record.id or rest is None or rest.searched is None:
                continue
            if rest.searched.moves == live.game.moves:
                live.game.learn(rest.searched)
        await self.services.searches.before(choice)

    async def outdated(self, interaction: discord.Interaction[Any], game: int, seq: int) -> None:
        """Something from before an upgrade was used, which does not say what it means: nothing is done by it."""
        live = await self._live(interaction, game, seq)
        self._player(live, interaction)
        async with self.held(interaction, game):
            await self.stale(interaction, game, await self.services.people.say_to(interaction), seq)

    async def stale(self, interaction: discord.Interaction[Any], game: int, say: Say, seq: int | None = None) -> None:
        """What somebody used was made for an earlier position: say what is different, and go on from there."""
        await _acknowledge(interaction)
        live = await self.services.games.live(game)
        player = live.player_of(interaction.user.id)
        deciders = live.game.offer().deciders
        since = await self._since(live, seq, say) if seq is not None else ""
        if live.game.finished or live.record.status == ENDED:
            card = Card(say("refuse.over"))
        elif live.record.status == PAUSED:
            card = Card(say("refuse.paused"))
        elif player in deciders:
            # The position may be the same, and what was on the button no longer on offer, or not as it was shown.
            why = say("refuse.stale" if seq != live.length else "refuse.other")
            await self.home(interaction, live, player, say, told=text_of(why, since))
            return
        else:
            card = Card(text_of(say("refuse.stale_not_you", names=", ".join(map(shown, deciders))), since))
        await self._edit(interaction, live, card)

    def _lately(self, live: Live, seq: int, say: Say) -> str | None:
        """What has happened since an entry of the log, in the words of the channel's card; None if it is not known."""
        parts = self.services.games.recent.since(live.record.id, seq, live.length)
        if parts is None:
            return None
        own = say.of(live.record.title)
        lines = [line for part in parts for line in event_lines(own, part.events, live.game)]
        kept = [*(["…"] if len(lines) > _SINCE else []), *lines[-_SINCE:]]
        return "\n".join(f"– {line}" for line in kept)

    async def _since(self, live: Live, seq: int, say: Say) -> str:
        """What was played and taken back since a position."""
        found = self._lately(live, seq, say)
        if found is not None:
            return found
        entries = [entry for entry in await self.services.store.entries(live.record.id) if entry.seq > seq]
        lines = [
            say("panel.since_undone", count=len(entry.undoes))
            if entry.undoes
            else say(
                "panel.since_move",
                player=shown(str(entry.move["player"])),
                move=move_text(say, live.game, to_json(from_json(entry.move).seen_by(""))),
            )
            for entry in entries[-_SINCE:]
        ]
        return say("panel.since", lines="; ".join([*(["…"] if len(entries) > _SINCE else []), *lines])) if lines else ""

    # ------------------------------------------------------------------ the step

    async def home(
        self, interaction: discord.Interaction[Any], live: Live, player: str, say: Say, *, told: str = ""
    ) -> None:
        """Show the step that somebody is at, with all they may do, under what was done last."""
        await _acknowledge(interaction)
        language = await self.services.people.language_of(interaction)
        card, files = await self._home(live, player, say, language, told)
        await self._edit(interaction, live, card, files)

    async def _home(
        self, live: Live, player: str, say: Say, language: str, told: str = ""
    ) -> tuple[Card, list[discord.File]]:
        game = live.game
        running = None
        for number, choice in enumerate(game.offer().choices):
            if choice.player == player and choice.name in ("run", "dividend"):
                running = await self._running(live, say, number)
        await self._enter()
        found = spread(say, game, player, panel=True)
        rest = await self.ahead(live, player)
        await self._enter()
        make = partial(
            home_card,
            live,
            say,
            player,
            found,
            told=told,
            running=running,
            passing=passing(say, game, player) if found.passing is not None else None,
            rest=rest,
            take_back=self.take_back_button(live, player, say),
        )

        async def draw(tallest: float) -> Picture | None:
            if running is not None and running.note:
                move = running.ways[0].moves[0]
                return await self._effect_picture(game, game, [move], language, tallest)
            places = [number for number in found.shown if game.offer().choices[number].name in PLACES]
            if found.menu is not None or len(found.shown) == 1 or places:
                step = walk(game, found.menu if found.menu is not None else (places or found.shown)[0], "")
                return await self._question_picture(live, step, 0, language, tallest)
            return None

        return await self._with_picture(make, draw, language)

    async def _with_picture(
        self,
        make: Callable[[Gallery], Card],
        draw: Callable[[float], Awaitable[Picture | None]],
        language: str,
        file: str = "choices",
    ) -> tuple[Card, list[discord.File]]:
        """A card with a picture as high as a phone's screen has room for beside the card's words and buttons.

        It is made once: the place of the picture is in it before there is one.
        """
        place = discord.MediaGalleryItem(f"attachment://{file}.png")
        card = make([place])
        picture = await draw(room(card))
        if picture is None:
            return make(()) if card.explained else card.without_pictures(), []
        files, gallery = attach([(file, picture)], language)
        place.description = gallery[0].description
        return card, files

    async def _running(self, live: Live, say: Say, number: int, typed: str = "") -> Running:
        """The run that is to be decided, with the best routes or those that were typed; or only its revenue."""
        game = live.game
        choice = game.offer().choices[number]
        if choice.name == "dividend":
            await self._enter()
            return Running(number, ways(say, game, None, choice.player, choice.company))
        await self._search(live, choice)
        await self._enter()
        move = Run(choice.player, choice.company, parse_routes(typed)) if typed else self._best(choice)
        # What the best routes are said to be may be another after a search that was cut short.
        best = game.advice(choice.company)
        key = (
            live.record.id,
            live.length,
            say,
            number,
            move,
            typed,
            best.proved,
            game.rules.trains.revenue(best.routes),
        )
        if key not in self._runs:
            game.check(move)
            note = text_of(routes_note(game, move, say, typed=bool(typed)), typed_block(typed) if typed else "")
            found = ways(say, game, move, choice.player, choice.company)
            _keep(self._runs, key, Running(number, found, note, typed))
        return self._runs[key]

    def _best(self, choice: Choice[Any]) -> Run:
        domain = choice.asked({})
        assert isinstance(domain, Options)
        move: Run = choice.move({domain.name: domain.options[0].value})
        return move

    # ------------------------------------------------------------------ asking and showing

    async def show(
        self, interaction: discord.Interaction[Any], live: Live, step: Walk, say: Say, page: int = 0, note: str = ""
    ) -> None:
        """Ask for the next parameter, or show the effect of the complete move."""
        await _acknowledge(interaction)
        language = await self.services.people.language_of(interaction)
        runs = step.choice.name == "run" or (step.choice.name == "dividend" and not step.complete)
        if runs or (not step.code and not page and step.domain is not None and at_home(live, say, step)):
            await self.home(interaction, live, step.choice.player, say, told=note)
            return
        first = preset(say, step)
        if first:
            card, files = await self._effect(live, walk(live.game, step.number, first[0].code), say, language, step)
        elif step.domain is None:
            card, files = await self._effect(live, step, say, language, _before(live.game, step))
        else:
            card, files = await self._with_picture(
                lambda gallery: question_card(live, say, step, gallery, page),
                lambda tallest: self._question_picture(live, step, page, language, tallest),
                language,
            )
        await self._edit(interaction, live, card, files)

    async def _question_picture(
        self, live: Live, step: Walk, page: int, language: str, tallest: float
    ) -> Picture | None:
        """A picture where a place or a tile is asked for."""
        domain = step.domain
        if not isinstance(domain, Options):
            return None
        if domain.name == "hex":
            hexes = [option.value for option in domain.options]
            found, numbers = banded(step), numbers_of(step)
            if found and not page:
                spots = [(band.name, [hexes[number] for number in band.numbers]) for band in found]
                parts = [(name if len(at) > 1 else f"{numbers[at[0]]} {name}", at) for name, at in spots]
                return await self.services.pictures.overview(live.game, parts, language=language)
            if found:
                hexes = [hexes[number] for number in found[min(page, len(found)) - 1].numbers]
            return await self.services.pictures.crop(
                live.game,
                hexes,
                language=language,
                numbers={at: numbers[at] for at in hexes if at in numbers},
                stops=asked_stops(step),
                tallest=tallest,
            )
        if domain.name == "stop":
            # A station that a private company grants has its hex already.
            at = str(step.picked.get("hex") or domain.options[0].facts.get("hex", ""))
            stops = [(at, option.value) for option in domain.options]
            return await self.services.pictures.crop(live.game, [at], language=language, stops=stops) if at else None
        if domain.name in ("tile", "rotation") and step.choice.name == "lay_tile":
            choice: Any = step.choice
            return await self.services.pictures.tiles(
                live.game, choice, step.picked["hex"], page=page + 1, language=language
            )
        return None

    async def _effect(
        self, live: Live, step: Walk, say: Say, language: str, before: Walk | None
    ) -> tuple[Card, list[discord.File]]:
        """What the move would do: its events, what it costs, and the map with it drawn in."""
        game, choice = live.game, step.choice
        await self._enter()
        effect = Effect.of(game, [step.move()])
        make = partial(
            confirm_card,
            live,
            say,
            step,
            effect.lines(say),
            before=before,
            money=effect.money(say, choice.company, choice.player),
            line=passing(say, game, choice.player).line if choice.name == "pass" else "",
        )
        return await self._with_picture(
            make,
            lambda tallest: self._effect_picture(game, effect.after, [step.move()], language, tallest),
            language,
            "effect",
        )

    async def _effect_picture(
        self, before: Game, after: Game, moves: Sequence[Move], language: str, tallest: float
    ) -> Picture | None:
        run = next((move for move in moves if isinstance(move, Run)), None)
        if run is not None:
            routes = before.routes(run.company, run.routes)
            around = {word.split(":")[0] for path in run.routes for word in path.path}
            return await self.services.pictures.crop(
                before, sorted(around), language=language, routes=routes, tallest=tallest
            )
        view = View.of(before)
        found = changes(view, after)
        if found.hexes:
            return await self.services.pictures.crop(
                after, sorted(found.hexes), language=language, since=view, tallest=tallest
            )
        if not found.prices and about_pages(before):
            return await self.services.pictures.pages(after, language=language)
        if found.prices:
            return await self.services.pictures.market(after, language=language, since=view, patience=_PATIENCE)
        return None

    # ------------------------------------------------------------------ the last word

    async def _play(self, interaction: discord.Interaction[Any], live: Live, moves: Sequence[Move], say: Say) -> None:
        """Make moves, and go on in the same panel."""
        await _acknowledge(interaction)
        player = moves[0].player
        company = next((choice.company for choice in live.game.offer().of(player)), "")
        events = await self.services.games.play(
            live.record.id, interaction.user.id, *moves, interaction=interaction.id, expected=live.length
        )
        await self._go_on(interaction, live, player, company, events, len(moves), say)

    async def _go_on(
        self,
        interaction: discord.Interaction[Any],
        before: Live,
        player: str,
        company: str,
        events: Sequence[Event],
        moves: int,
        say: Say,
    ) -> None:
        """What was done, what it cost, and what comes next. Whatever fails now, the moves are made."""
        own = before.length + moves
        game = before.record.id
        told = _told(say.of(before.record.title), before.game, [event.seen_by(player) for event in events])
        files: list[discord.File] = []
        live = before
        try:
            # One answer tells of the house's moves as well, where it is quick.
            await self.services.games.houses.settled(game, HOUSE_SECONDS)
            live = await self.services.games.live(game)
            told = text_of(told, Effect(before.game, live.game, ()).money(say, company, player))
            told = text_of(told, self._lately(live, own, say) or "")
            if player in live.game.offer().deciders and live.record.status == PLAYING and not live.game.finished:
                language = await self.services.people.language_of(interaction)
                card, files = await self._home(live, player, say, language, told)
            else:
                card = self._resting(live, player, say, told)
        except Exception:
            _log.exception("game %d: the next step could not be shown", game)
            card = Card(told)
        message = await answers.show_done(interaction, card, files)
        if message is not None:
            language = await self.services.people.language_of(interaction)
            await self.panels.shown(interaction, message, live, card, language)

    def _resting(self, live: Live, player: str, say: Say, told: str) -> Card:
        """What stays when somebody has nothing to decide: in the past tense, for it may not be changed any more."""
        if live.record.status in (FINISHED, ENDED):
            link = f"https://discord.com/channels/{live.record.guild}/{live.record.channel}"
            return Card(text_of(told, say("panel.game_over"), link))
        if live.record.status == PAUSED:
            return Card(text_of(told, say("panel.paused")))
        button = self.take_back_button(live, player, say)
        return Card(text_of(told, say("panel.over")), rows=rows_of([button] if button is not None else []))

    def take_back_button(self, live: Live, player: str, say: Say) -> TakeBackButton | None:
        """A button to take back somebody's last move, while nobody but the house has moved since."""
        games, seat = self.services.games, live.seat(player)
        if seat.house or live.record.status != PLAYING:
            return None
        count, own = games.own_last_moves(live, seat.user)
        if not count or not own:
            return None
        try:
            games.check_undoable(live)
        except ServiceError:
            return None
        move = move_text(say, live.game, to_json(live.game.moves[-count].seen_by(player)))
        label = say("panel.take_back", move=move)
        house = sum(live.seat(each.player).house != "" for each in live.game.moves[-count:])
        if house:
            label = say("panel.take_back_house", move=cut(move, _LABEL_MOVE), count=house)
        return TakeBackButton.make(live, count, label)

    async def take_back(self, interaction: discord.Interaction[Any], game: int, seq: int, count: int) -> None:
        """The button was pressed: what was done last is taken back, and the panel is at the step before it again."""
        async with self.held(interaction, game):
            await _acknowledge(interaction)
            say = await self.services.people.say_to(interaction)
            live = await self.services.games.live(game, seq)
            self._player(live, interaction)
            user = interaction.user.id
            if seq != live.length or self.services.games.own_last_moves(live, user) != (count, True):
                await self.stale(interaction, game, say, seq)
                return
            try:
                await self.services.games.undo(game, user, count, interaction=interaction.id, expected=seq)
            except (Stale, StaleError):
                await self.stale(interaction, game, say, seq)
                return
            await self.answer(interaction, game, say, say("undo.done", name=interaction.user.mention, count=count))

    async def answer(self, interaction: discord.Interaction[Any], game: int, say: Say, told: str) -> None:
        """Say what was done to a game, with the next step for whoever has to decide; the lock is held."""
        await self.services.games.houses.settled(game, HOUSE_SECONDS)
        live = await self.services.games.live(game)
        player = live.player_of(interaction.user.id)
        if player and player in live.game.offer().deciders and live.record.status == PLAYING:
            await self.home(interaction, live, player, say, told=told)
        else:
            await self._edit(interaction, live, Card(told))

    # ------------------------------------------------------------------ when others have moved

    async def follow(self, game: int, channel: int, card: int) -> None:
        """A game was told: every panel of it says what is true now, or goes."""
        for panel in self.panels.of(game):
            async with self.panels.lock(game, panel.user):
                now = self.panels.get(game, panel.user)
                if now is None or now.expires <= self.services.games.now():
                    continue
                try:
                    await self._follow(now, await self.services.games.live(game), channel, card)
                except ServiceError:
                    await self.panels.drop(now)
                except Exception:
                    _log.exception("the panel of %d in game %d could not be brought up to date", now.user, game)
                    await self.panels.drop(now)

    async def _follow(self, panel: Panel, live: Live, channel: int, card: int) -> None:
        player, known = live.player_of(panel.user), panel.version == version(live)
        decides = bool(player) and live.record.status == PLAYING and player in live.game.offer().deciders
        say = speaker(panel.language)
        if not player:
            await self.panels.drop(panel)
        elif panel.above(channel, card):
            # The card below is what holds now.
            back = not decides and not live.game.finished and self.take_back_button(live, player, say) is not None
            if panel.asks == DECISION or (panel.asks and not back):
                await self.panels.drop(panel)
            elif panel.asks and not known:
                await self.panels.edit(
                    panel, live, self._resting(live, player, say, self._lately(live, panel.told, say) or "")
                )
            else:
                self.panels.keep(panel, live)
        elif known:
            return
        elif decides:
            told = await self._since(live, panel.told, say)
            shown, files = await self._home(live, player, say, panel.language, told)
            await self.panels.edit(panel, live, shown, files)
        elif panel.asks:
            told = await self._since(live, panel.told, say)
            await self.panels.edit(panel, live, self._resting(live, player, say, told))
        else:
            self.panels.keep(panel, live)

    async def _run(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        player: str,
        say: Say,
        number: int,
        code: str,
        *,
        typed: bool,
    ) -> None:
        """A run is confirmed, with a way of using its revenue."""
        await _acknowledge(interaction)
        routes = typed_in(interaction.message) if typed else ""
        running = await self._running(live, say, number, routes)
        # Another search that was cut short may have found other routes than those shown before: these are not meant.
        meant = next((way.moves for way in running.ways if moves_check(way.moves) == code), None)
        if (typed and not routes) or meant is None:
            raise NoSuchChoice("other routes were shown")
        await self._play(interaction, live, meant, say)

    # ------------------------------------------------------------------ the rest of a turn

    async def ahead(self, live: Live, player: str) -> Rest | None:
        """The rest of the turn without anything new, if that is possible and soon found."""
        key = (live.record.id, live.length)
        if live.record.status != PLAYING or not may_repeat(live.game, player):
            return None
        if key not in self._rests:
            try:
                # Where the run itself is shown, its routes are known and what follows has been previewed.
                runs = any(isinstance(choice, RunChoice) for choice in live.game.offer().choices)
                found = same_again(live.game, player, None) if runs else await self._found_ahead(live, player)
            except Unsearched:
                found = await self._found_ahead(live, player)
            _keep(self._rests, key, found)
        return self._rests[key]

    async def rest_text(self, live: Live, say: Say) -> str:
        """What the rest of the present turn is called on a card, if it can be done at once; soon found, or left out."""
        deciders = live.game.offer().deciders
        if len(deciders) != 1 or live.seat(deciders[0]).house or live.record.status != PLAYING or live.game.finished:
            return ""
        if any(isinstance(choice, RunChoice) for choice in live.game.offer().choices):
            # Whoever opens the run has it searched, and all else is done already.
            return ""
        rest = await self.ahead(live, deciders[0])
        return rest.text(say) if rest is not None else ""

    async def _found_ahead(self, live: Live, player: str) -> Rest | None:
        return await self.services.searches.rest(live.game, partial(_same_again, player), _AHEAD_SECONDS)

    async def _rest(
        self, interaction: discord.Interaction[Any], live: Live, player: str, say: Say, confirmed: str | None
    ) -> None:
        """Show the rest of the turn, or play what was `confirmed`: the check of all its moves."""
        rest = await self.ahead(live, player)
        if rest is not None and confirmed == moves_check(rest.moves):
            await self._play(interaction, live, rest.moves, say)
            return
        if confirmed is not None:
            raise NoSuchChoice("another rest of the turn was shown")
        if rest is None:
            await self.home(interaction, live, player, say)
            return
        language = await self.services.people.language_of(interaction)
        money = rest.effect.money(say, live.game.state.round.actor, player)
        card, files = await self._with_picture(
            partial(rest_card, live, say, rest, rest.effect.lines(say), money),
            lambda tallest: self._effect_picture(live.game, rest.effect.after, rest.moves, language, tallest),
            language,
            "effect",
        )
        await self._edit(interaction, live, card, files)

    # ------------------------------------------------------------------ forms

    async def _form(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        choice: Choice[Any],
        say: Say,
        number: int,
        code: str,
        verb: str,
    ) -> None:
        """Open a form, with what was typed into it before."""
        typed = typed_in(interaction.message)
        if verb == "hand":
            await interaction.response.send_modal(RoutesForm(live, number, choice.company, say, typed))
            return
        step = walk(live.game, number, code)
        if not isinstance(step.domain, Number):
            raise NoSuchChoice
        await interaction.response.send_modal(NumberForm(live, step, say, typed))

    async def form_given(
        self,
        interaction: discord.Interaction[Any],
        *,
        game: int,
        seq: int,
        number: int,
        key: str,
        code: str,
        text: str,
    ) -> None:
        """Something was typed into a form: a number, or routes by hand. Show what follows, or what is wrong with it."""
        async with self.held(interaction, game):
            await self._form_given(interaction, game, seq, number, key, code, text)

    async def _form_given(
        self, interaction: discord.Interaction[Any], game: int, seq: int, number: int, key: str, code: str, text: str
    ) -> None:
        live = await self._live(interaction, game, seq)
        say = await self.services.people.say_to(interaction)
        player = self._player(live, interaction)
        try:
            if seq != live.length:
                raise Stale
            number = number_of(live.game, number, key)
            if isinstance(self._choice(live, player, number), RunChoice):
                await self.typed(interaction, live, number, text, say)
            else:
                await self._number_given(interaction, live, walk(live.game, number, code), text, say)
        except (Stale, StaleError, NoSuchChoice):
            await self.stale(interaction, game, say, seq)

    async def _number_given(
        self, interaction: discord.Interaction[Any], live: Live, step: Walk, text: str, say: Say
    ) -> None:
        """A number was typed into the form."""
        domain, number, code = step.domain, step.number, step.code
        if not isinstance(domain, Number):
            raise NoSuchChoice
        value = whole(text)
        if value is not None and value in range(domain.low, domain.high + 1, domain.step):
            given = f"{code}.n{value}" if code else f"n{value}"
            await self.show(interaction, live, walk(live.game, number, given), say)
            return
        wrong = cut(text.strip(), 20)
        span = {"low": domain.low, "high": domain.high, "step": steps(say, domain)}
        why = say("panel.number_wrong", value=shown(wrong), **span)
        await _acknowledge(interaction)
        await self._edit(interaction, live, wrong_card(live, say, number, code, "form", why, typed_block(wrong)))

    async def typed(self, interaction: discord.Interaction[Any], live: Live, number: int, text: str, say: Say) -> None:
        """Show a run along routes that were typed."""
        await _acknowledge(interaction)
        choice = live.game.offer().choices[number]
        try:
            running = await self._running(live, say, number, text)
        except Refused as refusal:
            card = wrong_card(live, say, number, "", "hand", sentence(say, refusal), typed_block(text))
            await self._edit(interaction, live, card)
            return
        language = await self.services.people.language_of(interaction)
        found = replace(spread(say, live.game, choice.player, panel=True), passing=None)
        card, files = await self._with_picture(
            partial(home_card, live, say, choice.player, found, running=running),
            lambda tallest: self._effect_picture(live.game, live.game, [running.ways[0].moves[0]], language, tallest),
            language,
            "effect",
        )
        await self._edit(interaction, live, card, files)


def _keep(kept: OrderedDict[K, V], key: K, value: V) -> None:
    """Keep one more, and the oldest no longer."""
    kept[key] = value
    while len(kept) > _MOST_AHEAD:
        kept.popitem(last=False)


def _same_again(player: str, game: Game, enough: Any) -> Rest | None:
    return same_again(game, player, enough)


def _before(game: Game, step: Walk) -> Walk | None:
    """Where the last number of a move was asked for, so that another can be taken instead."""
    head, dot, last = step.code.rpartition(".")
    if not last.startswith("n") and not dot:
        return None
    if "-" in last:
        return None
    before = walk(game, step.number, head)
    return before if before.domain is not None else None


def _told(say: Say, game: Game, events: Sequence[Event]) -> str:
    """What was done, in one line."""
    lines = event_lines(say, [event.data() for event in events], game)
    return say("panel.made", lines=cut(" ".join(lines), _TOLD)) if lines else say("panel.done")


def parse_routes(text: str) -> tuple[TrainPath, ...]:
    """Lines like `3: F13:a F11 F9:b`, a train each."""
    routes = []
    for line in text.splitlines():
        if not line.strip():
            continue
        train, colon, path = line.partition(":")
        if not colon or not path.split():
            raise Refused("", "route.line", line=line.strip())
        routes.append(TrainPath(train.strip(), tuple(path.split())))
    return tuple(routes)


def routes_note(game: Game, move: Run, say: Say, *, typed: bool = False) -> str:
    """Each train's route with its sum."""
    router = game.router(move.company)
    routes = [router.trace(path.train, path.path) for path in move.routes]
    total = game.rules.trains.revenue(routes)
    best = game.advice(move.company)
    if typed:
        lines = [say("panel.by_hand_sum", revenue=total, best=game.rules.trains.revenue(best.routes))]
    else:
        proof = say("panel.proved") if best.proved else say("panel.not_proved")
        lines = [say("panel.best", revenue=total, proof=proof)]
    for number, route in enumerate(routes, start=1):
        parts = " + ".join(f"{_place(say, game, part.what)} {part.amount}" for part in route.parts if part.amount)
        train = vehicle(say, "the", route.train)
        lines.append(say("panel.route", number=number, train=train, parts=parts, value=route.value))
    return "\n".join(lines)


def _place(say: Say, game: Game, what: str) -> str:
    """The short name of a place on a route, or whatever else brings money."""
    code = what.split(":")[0]
    found = game.definition.map.hexes.get(code)
    if found is None:
        return words(say.of(game.definition.id), "thing", what)
    return found.name.partition(" (")[0].partition(" / ")[0] or code


def _is_private(interaction: discord.Interaction[Any]) -> bool:
    """Whether the message that was used is one that only this person sees."""
    return interaction.message is not None and interaction.message.flags.ephemeral


async def _acknowledge(interaction: discord.Interaction[Any]) -> None:
    """Answer at once: a private panel will be edited, from anywhere else a private answer will come."""
    if interaction.response.is_done():
        return
    if _is_private(interaction):
        await interaction.response.defer()
    else:
        await interaction.response.defer(ephemeral=True, thinking=True)
