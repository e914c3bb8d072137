"""A person on the way to a move: open a choice, pick its parameters, look at the effect, confirm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot import answers
from bot.cards.money import left_in_hand
from bot.cards.panel import Card, choice_rows, confirm_card, entries, number_card, question_card
from bot.cards.picks import LostWay, Walk, walk
from bot.cards.pictures import attach
from bot.cards.wording import choice_text, event_lines, vehicle, words
from bot.ceilings import FIELD_LABEL, MODAL_TITLE, cut
from bot.games.service import Live, ServiceError, Stale
from bot.names import shown
from bot.numbers import whole
from bot.texts import Say
from engine.errors import Refused
from engine.events import Event
from engine.game import Game
from engine.moves import Move, Run, TrainPath
from engine.offer import Choice, Number, Options
from engine.steps.track import LayTileChoice
from renderers.kit.changes import View, changes
from renderers.kit.picture import Picture
from storage.records import ENDED, PAUSED
from storage.store import StaleError

if TYPE_CHECKING:
    from bot.client import Kursbuch


class Turns:
    """Answers the buttons and menus of a turn. Knows no rule of any game: it asks the offer."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    # ------------------------------------------------------------------ entry points

    async def pressed(
        self,
        interaction: discord.Interaction[Any],
        *,
        game: int,
        seq: int,
        number: int,
        code: str,
        verb: str,
        page: int = 0,
        entry: int = 0,
    ) -> None:
        """A button or menu was used; `seq` is the position it was made for."""
        say = await self.bot.say_to(interaction)
        if verb == "cancel":
            await interaction.response.edit_message(view=Card(say("panel.cancelled")), attachments=[])
            return
        if self.bot.service.remembered(game) is None:
            # A replay may take longer than Discord waits for a first answer.
            await _acknowledge(interaction)
        live = await self.bot.service.live(game, seq)
        player = self._player(live, interaction)
        try:
            if seq != live.length:
                raise Stale
            choice = self._choice(live, player, number)
            if verb == "hand":
                await interaction.response.send_modal(RoutesForm(self, live, choice.company, say))
                return
            if self.bot.searches.needed(choice):
                # A search may take longer than Discord waits for a first answer.
                await _acknowledge(interaction)
                await self.bot.searches.before(choice)
                if verb == "ok" and not live.game.best_routes(choice.company).proved:
                    # Another search that was cut short may have found other routes than those shown before.
                    verb, code = "open", ""
            step = self._step(live, say, number, code, entry if verb == "pick" else None)
            await self._go(interaction, live, step, say, verb, page)
        except (Stale, StaleError, LostWay):
            await self.stale(interaction, game, say)

    def _choice(self, live: Live, player: str, number: int) -> Choice[Any]:
        """The choice that a button is for."""
        choices = live.game.offer().choices
        if number >= len(choices):
            raise LostWay(f"there is no choice {number}")
        if choices[number].player != player:
            raise ServiceError("refuse.not_for_you")
        return choices[number]

    def _step(self, live: Live, say: Say, number: int, code: str, entry: int | None) -> Walk:
        """Where a button or a menu leads to."""
        step = walk(live.game, number, code)
        if entry is None:
            return step
        found = entries(live, say, step)
        if entry >= len(found):
            raise LostWay
        return walk(live.game, number, found[entry][0])

    async def _go(
        self, interaction: discord.Interaction[Any], live: Live, step: Walk, say: Say, verb: str, page: int
    ) -> None:
        if verb == "ok" or (verb == "open" and step.choice.name == "pass"):
            await self._confirm(interaction, live, step, say)
        elif isinstance(step.domain, Number) and not interaction.response.is_done():
            await interaction.response.send_modal(NumberForm(self, live, step, say))
        else:
            await self._show(interaction, live, step, say, page)

    def _player(self, live: Live, interaction: discord.Interaction[Any]) -> str:
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        return player

    async def stale(self, interaction: discord.Interaction[Any], game: int, say: Say) -> None:
        """What somebody used was made for an earlier position: explain, and offer the fresh panel."""
        live = await self.bot.service.live(game)
        player = live.player_of(interaction.user.id)
        deciders = live.game.offer().deciders
        if live.game.finished or live.record.status == ENDED:
            card = Card(say("refuse.over"))
        elif live.record.status == PAUSED:
            card = Card(say("refuse.paused"))
        elif player in deciders:
            card = Card(say("refuse.stale"), rows=choice_rows(live, say, player))
        else:
            card = Card(say("refuse.stale_not_you", names=", ".join(map(shown, deciders))))
        await _acknowledge(interaction)
        await interaction.edit_original_response(view=card, attachments=[])

    # ------------------------------------------------------------------ asking and showing

    async def _show(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        step: Walk,
        say: Say,
        page: int = 0,
    ) -> None:
        """Ask for the next parameter, or show the effect of the complete move."""
        await _acknowledge(interaction)
        language = await self.bot.language_of(interaction)
        domain = step.domain
        if isinstance(domain, Options) and domain.open:
            step = walk(live.game, step.number, ".".join([*step.tokens, "0"]))
            card, files = await self._effect(live, step, say, language, by_hand=True)
        elif domain is None:
            card, files = await self._effect(live, step, say, language)
        elif isinstance(domain, Number):
            card, files = number_card(live, say, step), []
        else:
            picture = await self._question_picture(live, step, page, language)
            files, gallery = attach([("choices", picture)], language)
            card = question_card(live, say, step, gallery, page)
        await interaction.edit_original_response(view=card, attachments=files)

    async def _question_picture(self, live: Live, step: Walk, page: int, language: str) -> Picture | None:
        """A picture where a place or a tile is asked for."""
        domain = step.domain
        assert isinstance(domain, Options)
        if domain.name == "hex":
            hexes = [option.value for option in domain.options]
            return await self.bot.pictures.map(live.game, language=language, around=hexes, marked=hexes)
        if domain.name in ("tile", "rotation") and isinstance(step.choice, LayTileChoice):
            return await self.bot.pictures.tiles(
                live.game, step.choice, step.picked["hex"], page=page + 1, language=language
            )
        return None

    async def _effect(
        self, live: Live, step: Walk, say: Say, language: str, *, by_hand: bool = False
    ) -> tuple[Card, list[discord.File]]:
        """What the move would do: its events, and the map with it drawn in."""
        move = step.move()
        after = live.game.copy()
        events = after.apply(move)
        lines = event_lines(say, [event.data() for event in events])[:12]
        lines += filter(None, [left_in_hand(say, live.game, after, [move.player, step.choice.company])])
        note = ""
        if isinstance(move, Run):
            note = _routes_note(live.game, move, say)
        picture = await self._effect_picture(live.game, after, move, language)
        files, gallery = attach([("effect", picture)], language)
        return confirm_card(live, say, step, lines, gallery, note=note, by_hand=by_hand), files

    async def _effect_picture(self, before: Game, after: Game, move: Move, language: str) -> Picture | None:
        if isinstance(move, Run):
            router = before.router(move.company)
            routes = [router.trace(path.train, path.path) for path in move.routes]
            around = {word.split(":")[0] for path in move.routes for word in path.path}
            return await self.bot.pictures.map(before, language=language, around=around, routes=routes)
        view = View.of(before)
        found = changes(view, after)
        if found.hexes:
            return await self.bot.pictures.map(after, language=language, since=view, around=found.hexes)
        if found.prices:
            return await self.bot.pictures.market(after, language=language, since=view)
        return None

    # ------------------------------------------------------------------ the last word

    async def _confirm(self, interaction: discord.Interaction[Any], live: Live, step: Walk, say: Say) -> None:
        if not step.complete:
            raise LostWay
        await _acknowledge(interaction)
        await self._play(interaction, live, step.move(), say)

    async def _play(self, interaction: discord.Interaction[Any], live: Live, move: Move, say: Say) -> None:
        events = await self.bot.service.play(
            live.record.id, interaction.user.id, move, interaction=interaction.id, expected=live.length
        )
        await answers.show_done(interaction, done_card(say, events))

    # ------------------------------------------------------------------ forms

    async def number_given(
        self, interaction: discord.Interaction[Any], key: tuple[int, int, int, str], text: str
    ) -> None:
        """A number was typed into the form."""
        game, seq, number, code = key
        say = await self.bot.say_to(interaction)
        live = await self.bot.service.live(game, seq)
        self._player(live, interaction)
        try:
            if seq != live.length:
                raise Stale
            before = walk(live.game, number, code)
            domain = before.domain
            if not isinstance(domain, Number):
                raise LostWay
            value = whole(text)
            if value is None or value not in range(domain.low, domain.high + 1, domain.step):
                raise ServiceError(
                    "panel.number_wrong",
                    value=cut(text.strip(), 20),
                    low=domain.low,
                    high=domain.high,
                    step=steps(say, domain),
                )
            step = walk(live.game, number, ".".join([*before.tokens, f"n{value}"]))
            await self._show(interaction, live, step, say)
        except (Stale, StaleError, LostWay):
            await self.stale(interaction, game, say)

    async def routes_given(
        self, interaction: discord.Interaction[Any], game: int, seq: int, company: str, text: str
    ) -> None:
        """Routes were typed by hand: run them, or say what is wrong with them."""
        say = await self.bot.say_to(interaction)
        live = await self.bot.service.live(game, seq)
        player = self._player(live, interaction)
        try:
            if seq != live.length:
                raise Stale
            move = Run(player, company, parse_routes(text))
            choice = live.game.offer().find(move.TYPE, player)
            if choice is not None and self.bot.searches.needed(choice):
                await _acknowledge(interaction)
                await self.bot.searches.before(choice)
            live.game.check(move)
            await _acknowledge(interaction)
            await self._play(interaction, live, move, say)
        except (Stale, StaleError):
            await self.stale(interaction, game, say)


def done_card(say: Say, events: Sequence[Event]) -> Card:
    """What a move that was made did."""
    lines = event_lines(say, [event.data() for event in events])
    return Card("\n".join([say("panel.done"), *(f"- {line}" for line in lines[:12])]))


def parse_routes(text: str) -> tuple[TrainPath, ...]:
    """Lines like `3: F13:a F11 F9:b`, a train each."""
    routes = []
    for line in text.splitlines():
        if not line.strip():
            continue
        train, colon, path = line.partition(":")
        if not colon or not path.split():
            raise Refused("", f"the line {line.strip()!r:.60} is not a train, a colon and its path")
        routes.append(TrainPath(train.strip(), tuple(path.split())))
    return tuple(routes)


def _routes_note(game: Game, move: Run, say: Say) -> str:
    """Each train's route with its sum."""
    router = game.router(move.company)
    routes = [router.trace(path.train, path.path) for path in move.routes]
    total = game.rules.trains.revenue(routes)
    best = game.best_routes(move.company)
    proof = say("panel.proved") if best.proved else say("panel.not_proved")
    best_total = game.rules.trains.revenue(best.routes)
    lines = [say("panel.best", revenue=total, proof=proof if total == best_total else "")]
    for number, route in enumerate(routes, start=1):
        parts = " + ".join(f"{_place(game, part.what)} {part.amount}" for part in route.parts if part.amount)
        train = vehicle(say, "the", route.train)
        lines.append(say("panel.route", number=number, train=train, parts=parts, value=route.value))
    return "\n".join(lines)


def _place(game: Game, what: str) -> str:
    """The short name of a place on a route, or whatever else brings money."""
    code = what.split(":")[0]
    found = game.definition.map.hexes.get(code)
    return found.name.partition(" (")[0].partition(" / ")[0] if found is not None and found.name else code


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


def steps(say: Say, domain: Number) -> str:
    return say("panel.number_step", step=domain.step) if domain.step > 1 else ""


class NumberForm(ui.Modal):
    """Asks for a number."""

    def __init__(self, turns: Turns, live: Live, step: Walk, say: Say) -> None:
        super().__init__(title=cut(choice_text(say, step.choice), MODAL_TITLE), timeout=900)
        domain = step.domain
        assert isinstance(domain, Number)
        self.turns = turns
        self.key = (live.record.id, live.length, step.number, step.code())
        label = say(
            "panel.number_label",
            field=words(say, "field", domain.name),
            low=domain.low,
            high=domain.high,
            step=steps(say, domain),
        )
        self.number: ui.TextInput[NumberForm] = ui.TextInput(default=str(domain.low), max_length=6)
        self.add_item(ui.Label(text=cut(label, FIELD_LABEL), component=self.number))

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await self.turns.number_given(interaction, self.key, self.number.value)

    async def on_error(self, interaction: discord.Interaction[Any], error: Exception, /) -> None:  # type: ignore[override]
        await self.turns.bot.failed(interaction, error)


class RoutesForm(ui.Modal):
    """Asks for routes by hand, a line a train."""

    def __init__(self, turns: Turns, live: Live, company: str, say: Say) -> None:
        super().__init__(title=cut(say("panel.by_hand_title"), MODAL_TITLE), timeout=900)
        self.turns = turns
        self.key = (live.record.id, live.length, company)
        # A form cannot wait for a search; after a restart it is empty.
        best = live.game.best_routes(company).routes if live.game.runs_known(company) else ()
        lines = "\n".join(f"{route.train}: {' '.join(route.path)}" for route in best)
        self.text: ui.TextInput[RoutesForm] = ui.TextInput(
            style=discord.TextStyle.paragraph, default=lines[:4000], max_length=4000
        )
        label = cut(say("panel.by_hand_label"), FIELD_LABEL)
        self.add_item(ui.Label(text=label, description=say("panel.by_hand_help"), component=self.text))

    async def on_submit(self, interaction: discord.Interaction[Any]) -> None:
        await self.turns.routes_given(interaction, *self.key, self.text.value)

    async def on_error(self, interaction: discord.Interaction[Any], error: Exception, /) -> None:  # type: ignore[override]
        await self.turns.bot.failed(interaction, error)
