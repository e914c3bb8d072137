"""/game: open a lobby, join, start, list."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
from discord import app_commands, ui
from discord.ext import commands

import titles
from bot import answers, places
from bot.announce.naming import lobby_name
from bot.card.game_choice import Wish, about_form, facts_line, form_name, page, weight_text
from bot.card.stuck import reason, stuck_text
from bot.card.turn import Card, turn_text
from bot.games.service import Live, ServiceError, check_known
from bot.games.stuck import Stuck, unknown
from bot.here import Here
from bot.limits import OPTION_TEXT, OPTIONS, cut
from bot.names import plain, shown
from bot.numbers import MOST_HOURS, MOST_REMINDERS, whole
from bot.picking.buttons import LobbyButton, rows_of
from bot.reminders.plan import DEFAULT_HOURS
from bot.services import Services
from bot.texts import Say
from bot.words.briefing import around, next_names
from bot.words.wording import title_name, words
from engine.errors import Refused
from engine.house.levels import LEVELS
from engine.rules import Rules
from engine.state import HOLDERS
from storage.records import ENDED, LOBBY, PAUSED, PLAYING, GameRecord, NewGame, Seat, Waiting

_log = logging.getLogger(__name__)

#: How well the house plays where nobody says anything.
USUAL = "normal"

#: Names in a game are no longer than this, so that they fit on buttons.
LONGEST_NAME = 24


def option_lines(record: GameRecord, say: Say) -> str:
    """The options that differ from their defaults, and the seed with where it comes from."""
    title, own = titles.find(record.title), say.of(record.title)
    lines = [
        say(
            "lobby.option",
            name=own(f"option.{spec.id}"),
            value=words(own, "value", str(record.options[spec.id]).lower()),
        )
        for spec in title.form(record.form).options
        if record.options.get(spec.id, spec.values[0]) != spec.values[0]
    ]
    # A seed would tell what nobody but one player may see.
    if _rules(record).secret:
        lines.append(say("lobby.drawn"))
    elif record.seed_typed:
        lines.append(say("lobby.seed_typed", seed=record.seed))
    elif record.started is not None:
        lines.append(say("lobby.seed", seed=record.seed))
    else:
        lines.append(say("lobby.seed_later"))
    if record.reminder_hours:
        lines.append(say("lobby.deadline", hours="/".join(map(str, record.reminder_hours))))
    return "\n".join(lines)


def lobby_card(record: GameRecord, say: Say) -> Card:
    """Who sits where, and the buttons to join, leave and start."""
    found = unknown(record)
    if found is not None:
        # Nobody can begin it, or join it for nothing.
        return Card(stuck_text(say, Stuck(record, *found)))
    seats = []
    for number in range(record.seats_wanted):
        if number < len(record.seats):
            seat = record.seats[number]
            name = seat_name(say, seat) if seat.house else f"<@{seat.user}>"
            seats.append(say("lobby.seat", number=number + 1, name=name))
        elif number < len(record.seats) + len(record.invited):
            user = record.invited[number - len(record.seats)]
            seats.append(say("lobby.held", number=number + 1, name=f"<@{user}>"))
        else:
            seats.append(say("lobby.free", number=number + 1))
    title = titles.find(record.title)
    form = title.form(record.form)
    text = say(
        "lobby.card",
        title=form_name(say, title, form),
        about=say.of(title.id)(f"what.{form.id}"),
        facts=facts_line(say, form, record.seats_wanted),
        host=f"<@{record.host}>" if record.host else say("lobby.no_host"),
        count=len(record.seats),
        wanted=record.seats_wanted,
        seats="\n".join(seats),
        options=option_lines(record, say),
    )
    if record.status != LOBBY:
        over = say("lobby.closed") if record.status == ENDED else say("lobby.begun", channel=f"<#{record.channel}>")
        return Card(f"{text}\n{over}")
    styles = discord.ButtonStyle
    # What cannot work is not lit; pressed all the same, it says why.
    full = len(record.seats) >= record.seats_wanted
    ready = form.players[0] <= len(record.seats) <= form.players[1] and not record.invited
    join, start = (styles.secondary if full else styles.primary), (styles.success if ready else styles.secondary)
    buttons: list[ui.Item[Any]] = [
        LobbyButton.make(record.id, "join", say("lobby.join"), join),
        LobbyButton.make(record.id, "leave", say("lobby.leave"), styles.secondary),
        LobbyButton.make(record.id, "house", say("lobby.add_house"), styles.secondary),
        LobbyButton.make(record.id, "start", say("lobby.start"), start),
    ]
    level = level_of(record)
    if level:
        label = say("lobby.level", level=say(f"level.{following(level)}"))
        buttons.append(LobbyButton.make(record.id, "level", label, styles.secondary))
    return Card(text, rows=rows_of(buttons))


def seat_name(say: Say, seat: Seat) -> str:
    """A house player with its level; those of older games have none that anybody chose."""
    if seat.house not in LEVELS:
        return say("card.house", name=shown(seat.name))
    return say("card.house_level", name=shown(seat.name), level=say(f"level.{seat.house}"))


def level_of(record: GameRecord) -> str:
    """How well the house plays in a lobby, "" if it has no seat; all its seats play alike."""
    return next((seat.house for seat in record.seats if seat.house), "")


def following(level: str) -> str:
    """The next level; after the hardest comes the easiest."""
    names = list(LEVELS)
    return names[(names.index(level) + 1) % len(names)] if level in names else USUAL


def free_name(record: GameRecord, wanted: str) -> str:
    """A name for a seat that nothing else in the game has; one that shows nothing becomes the seat's number."""
    corporations = _rules(record).definition.corporations
    name = cut(plain(wanted) or f"Player {len(record.seats) + 1}", LONGEST_NAME)
    names = [name for seat in record.seats for name in (seat.name, *seat.former)]
    used = {_folded(each) for each in (*names, *corporations, *HOLDERS)}
    if _folded(name) not in used:
        return name
    numbered = (f"{cut(name, LONGEST_NAME - 3)} {number}" for number in range(2, 99))
    return next(each for each in numbered if _folded(each) not in used)


def house_name(record: GameRecord, say: Say) -> str:
    """A name of its own for a house player: the first that nobody has, if possible with a letter of its own.

    No two at a table look alike then, however little room a picture has for names.
    """
    taken = [name for seat in record.seats for name in (seat.name, *seat.former)]
    names = say("house.names").split()
    free = [name for name in names if free_name(record, name) == name]
    letters = {_folded(name)[:1] for name in taken}
    own = [name for name in free if _folded(name)[:1] not in letters]
    return next(iter([*own, *free]), free_name(record, names[0]))


def _rules(record: GameRecord) -> Rules:
    """The rules of a game, as they are for the fewest players while seats are still free."""
    low, _ = titles.find(record.title).form(record.form).players
    return titles.rules(record.title, max(low, len(record.seats)), record.options, record.form)


def _folded(name: str) -> str:
    """What makes two names the same to the eye: neither case nor the width of letters tells them apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def reminder_hours(text: str) -> tuple[int, ...]:
    """`12 24 48` as hours."""
    hours = [whole(word) for word in text.replace(",", " ").split()]
    found = {hour for hour in hours if hour is not None}
    if None in hours or len(found) > MOST_REMINDERS or not all(1 <= hour <= MOST_HOURS for hour in found):
        raise ServiceError("refuse.bad_reminders", most=MOST_HOURS, count=MOST_REMINDERS)
    return tuple(sorted(found))


class Lobby:
    """What the buttons of a lobby do."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.services = services
        self.client = client

    async def pressed(self, interaction: discord.Interaction[Any], game: int, verb: str) -> None:
        await interaction.response.defer()
        user = interaction.user
        if verb == "start":
            record = (await self.services.games.start(game, user.id)).record
        else:
            say = await self.services.people.say_in(interaction.guild_id or 0)
            record = await self.services.games.change_seats(
                game, lambda old: self._changed(old, verb, user.id, user.display_name, say)
            )
        # Everybody reads this card: it speaks the server's language, not that of whoever pressed a button.
        await answers.show_done(interaction, lobby_card(record, await self.services.people.say_in(record.guild)))

    async def wished(self, interaction: discord.Interaction[Any], name: str, code: str) -> None:
        """A step on the way to a lobby was taken in the private pages."""
        wish = Wish.read(code)
        if name in ("open", "alone") and wish.title and not wish.outdated:
            await self.begin(interaction, wish, alone=name == "alone")
        else:
            await interaction.response.edit_message(
                view=page(await self.services.people.say_to(interaction), name, wish)
            )

    async def begin(self, interaction: discord.Interaction[Any], wish: Wish, *, alone: bool = False) -> None:
        """Open the lobby of a wish, and say where; who plays `alone` sits with the house, and the game begins."""
        title, form = wish.chosen()
        options = wish.options()
        low, high = form.players
        seats = min(max(wish.seats or high, low), high)
        if wish.seed is not None and titles.rules(title.id, seats, options, form.id).secret:
            raise ServiceError("refuse.secret_seed")
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        assert interaction.guild_id is not None
        channel: Any = interaction.channel
        place = wish.where or (await self.services.store.server(interaction.guild_id)).place
        thread = place == "thread" and isinstance(channel, discord.TextChannel)
        await self.check_place(interaction)
        places.check_may_write(interaction, channel)
        if thread:
            places.check_may_write(interaction, channel, new_thread=True)
        wanted = NewGame(
            guild=interaction.guild_id,
            # A thread is made only for a lobby that there may be; until it is there, this number is nobody else's.
            channel=interaction.id if thread else channel.id,
            title=title.id,
            options=options,
            seed=wish.seed,
            host=interaction.user.id,
            seats_wanted=seats,
            reminder_hours=wish.hours,
            form=form.id,
        )
        people = [(interaction.user.id, interaction.user.display_name)]
        record = await self.open(wanted, channel, people, houses=seats - 1 if alone else 0)
        if alone:
            record = (await self.services.games.start(record.id, interaction.user.id)).record
            await self.show_anew(record)
        await answers.show_done(interaction, Card(say("lobby.made", channel=f"<#{record.channel}>")))

    async def check_place(self, interaction: discord.Interaction[Any]) -> None:
        """Whether games are made in this channel."""
        assert interaction.guild_id is not None
        assert interaction.channel_id is not None
        server = await self.services.store.server(interaction.guild_id)
        parent = getattr(interaction.channel, "parent_id", None)
        if server.channels and not {interaction.channel_id, parent} & set(server.channels):
            raise ServiceError("refuse.not_here", channels=" ".join(f"<#{c}>" for c in server.channels))

    async def open(
        self, wanted: NewGame, channel: Any, people: Sequence[tuple[int, str]], *, houses: int = 0
    ) -> GameRecord:
        """A lobby with people in it, its card in a channel, and a thread for the game unless the channel is its own.

        Those for whom seats are held are pinged.
        """
        record = await self.services.games.open_lobby(wanted)
        try:
            for user, name in people:
                join = partial(self._join, user=user, name=name)
                record = await self.services.games.change_seats(record.id, join)
            say = await self.services.people.say_in(record.guild)
            for _ in range(houses):
                record = await self.services.games.change_seats(record.id, lambda old: self._seat_house(old, say))
            users = [discord.Object(user) for user in record.invited]
            allowed = discord.AllowedMentions(everyone=False, roles=False, users=users)
            message = await channel.send(view=lobby_card(record, say), allowed_mentions=allowed)
            if wanted.channel != channel.id:
                name = lobby_name(titles.find(record.title).name, people[0][1])
                thread = await message.create_thread(name=name)
                record = await self.services.store.set_game(record.id, channel=thread.id, lobby_channel=channel.id)
        except Exception:
            # A lobby that nobody can see would keep the channel taken.
            await self.services.store.set_status(record.id, ENDED, at=self.services.games.now())
            raise
        await self.services.store.set_card(record.id, message.id, None, self.services.games.now())
        return record

    async def show_anew(self, record: GameRecord) -> None:
        """A lobby has another host or is closed: its card says so."""
        if record.card_message is None:
            return
        try:
            channel = await places.find(self.client, record.lobby_channel or record.channel)
            if channel is None:
                return
            card = lobby_card(record, await self.services.people.say_in(record.guild))
            await channel.get_partial_message(record.card_message).edit(
                view=card, allowed_mentions=discord.AllowedMentions.none()
            )
        except answers.TROUBLE as problem:
            _log.info("the card of a lobby stays as it was: %s", problem)

    def _join(self, record: GameRecord, user: int, name: str) -> GameRecord:
        if any(seat.user == user and not seat.house for seat in record.seats):
            raise ServiceError("refuse.joined")
        check_known(record)
        record = replace(record, invited=tuple(each for each in record.invited if each != user))
        self._room(record)
        if len(record.seats) + len(record.invited) >= record.seats_wanted:
            raise ServiceError("refuse.held_for", names=", ".join(f"<@{each}>" for each in record.invited))
        return replace(record, seats=(*record.seats, Seat(free_name(record, name), user)))

    def _leave(self, record: GameRecord, user: int) -> GameRecord:
        """Give up a seat, or one that is held."""
        kept = tuple(seat for seat in record.seats if seat.house or seat.user != user)
        if len(kept) == len(record.seats) and user not in record.invited:
            raise ServiceError("refuse.not_joined")
        return replace(record, seats=kept, invited=tuple(each for each in record.invited if each != user))

    def _changed(self, record: GameRecord, verb: str, user: int, name: str, say: Say) -> GameRecord:
        """The seats after somebody has pressed a button."""
        if verb == "join":
            return self._join(record, user, name)
        if verb == "level":
            return self._level(record, user)
        return self._leave(record, user) if verb == "leave" else self._house(record, user, say)

    def _house(self, record: GameRecord, user: int, say: Say) -> GameRecord:
        """A house player; where all other seats are held, in the place of whoever has not answered yet."""
        if user != record.host:
            raise ServiceError("refuse.host_only")
        check_known(record)
        self._room(record)
        return self._seat_house(record, say)

    def _level(self, record: GameRecord, user: int) -> GameRecord:
        """The house plays otherwise: the next level, for all its seats."""
        if user != record.host:
            raise ServiceError("refuse.host_only")
        check_known(record)
        level = following(level_of(record))
        return replace(record, seats=tuple(replace(seat, house=level) if seat.house else seat for seat in record.seats))

    def _seat_house(self, record: GameRecord, say: Say) -> GameRecord:
        seats = (*record.seats, Seat(house_name(record, say), 0, level_of(record) or USUAL))
        return replace(record, seats=seats, invited=record.invited[: record.seats_wanted - len(seats)])

    def _room(self, record: GameRecord) -> None:
        if len(record.seats) >= record.seats_wanted:
            raise ServiceError("refuse.full", count=record.seats_wanted)


@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=False)
class GameCog(commands.GroupCog, name="game", description="Begin and find games"):
    """Begin and find games."""

    def __init__(self, services: Services, here: Here, lobby: Lobby) -> None:
        self.services = services
        self.here = here
        self.lobby = lobby
        super().__init__()

    @app_commands.command()
    @app_commands.describe(
        title="Which game",
        seats="How many players",
        options="Variants of the title, for example optional_2_train=true",
        where="In a thread of its own, or here in this channel",
        reminders="Hours after which reminders go out, for example 12 24 48",
        seed="What decides seats and cards; left out, it is drawn",
    )
    @app_commands.choices(
        where=[
            app_commands.Choice(name="in a thread of its own", value="thread"),
            app_commands.Choice(name="here", value="here"),
        ]
    )
    async def new(
        self,
        interaction: discord.Interaction[Any],
        title: str = "",
        seats: app_commands.Range[int, 1, 8] | None = None,
        options: str = "",
        where: str | None = None,
        reminders: str = "",
        seed: app_commands.Range[int, 0, 999_999_999] | None = None,
    ) -> None:
        """Open a lobby for a game; without a title, choose one in a few taps"""
        if interaction.guild_id is None:
            raise ServiceError("refuse.no_server")
        wish = Wish(seats=seats or 0, where=where or "", hours=reminder_hours(reminders), seed=seed)
        if not title:
            if options:
                raise ServiceError("refuse.options_of_what")
            await interaction.response.defer(ephemeral=True)
            say = await self.services.people.say_to(interaction)
            await self.lobby.check_place(interaction)
            await interaction.edit_original_response(view=page(say, "games", wish))
            return
        found, form = titles.find_form(title, wish.seats)
        chosen = titles.chosen(found, form, _pairs(form, options))
        await self.lobby.begin(interaction, replace(wish, title=found.id, form=form.id).with_options(chosen))

    @new.autocomplete("title")
    async def _titles(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        say = self.services.people.say_now(interaction)
        seats = getattr(interaction.namespace, "seats", None)
        found = []
        for title, form in titles.suggested(seats if isinstance(seats, int) else 0):
            low, high = form.players
            name = say(
                "choose.short",
                name=form_name(say, title, form),
                players=low if low == high else f"{low}–{high}",
                weight=weight_text(say, form),
            )
            if current.lower() in f"{title.id}:{form.id} {name}".lower():
                found.append(app_commands.Choice(name=cut(name, OPTION_TEXT), value=f"{title.id}:{form.id}"))
        return found[:OPTIONS]

    @new.autocomplete("options")
    async def _options(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        chosen = getattr(interaction.namespace, "title", None)
        try:
            title, form = titles.find_form(str(chosen))
        except Refused:
            return []
        done, _, typing = current.rpartition(" ")
        prefix = f"{done} " if done else ""
        result = []
        say = self.services.people.say_now(interaction).of(title.id)
        try:
            before = form.full_options(_pairs(form, done))
        except (Refused, ServiceError):
            before = form.full_options({})
        for spec in form.options:
            for value in spec.values[1:]:
                pair = f"{spec.id}={str(value).lower()}"
                if any(apart.names({**before, spec.id: value}) for apart in form.apart):
                    continue
                if spec.id not in done and typing.lower() in pair:
                    text = cut(f"{prefix}{pair} ({say(f'option.{spec.id}')})", OPTION_TEXT)
                    result.append(app_commands.Choice(name=text, value=prefix + pair))
        return result[:OPTIONS]

    @app_commands.command()
    async def list(self, interaction: discord.Interaction[Any]) -> None:
        """List the games of this server; in a direct message, your own everywhere"""
        if interaction.guild_id is None:
            await self._show_mine(interaction)
            return
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        games = await self.services.store.games(guild=interaction.guild_id, statuses=(LOBBY, PLAYING, PAUSED))
        games = [record for record in games if places.may_see(interaction, record)]
        lines = await self._lines(games, say)
        await interaction.edit_original_response(view=Card("\n".join(lines) or say("lobby.none")))

    @app_commands.command()
    async def mine(self, interaction: discord.Interaction[Any]) -> None:
        """List your own games on all servers, those that wait for you first"""
        await self._show_mine(interaction)

    async def _show_mine(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        user = interaction.user.id
        games = await self.services.store.games(user=user, statuses=(LOBBY, PLAYING, PAUSED))
        waiting = {row.game for row in await self.services.store.waiting(user=user)}
        games.sort(key=lambda record: (record.id not in waiting, record.id))
        lines = await self._lines(games, say)
        await interaction.edit_original_response(view=Card("\n".join(lines) or say("lobby.none_yours")))

    async def _lines(self, games: Sequence[GameRecord], say: Say) -> Sequence[str]:
        """A line for each game, those that have waited longest last; as many as a message holds."""
        now = self.services.games.now()
        waiting: dict[int, list[Waiting]] = {
            record.id: await self.services.store.waiting(game=record.id)
            for record in games[:30]
            if record.status == PLAYING
        }
        users = {seat.user for record in games if record.id in waiting for seat in record.seats if not seat.house}
        people = await self.services.store.people(sorted(users))
        lines = []
        for record in games[:30]:
            line = say(
                "lobby.line",
                title=title_name(record),
                status=say(f"status.{record.status}"),
                channel=f"<#{record.lobby_channel or record.channel}>"
                if record.status == LOBBY
                else f"<#{record.channel}>",
                who=", ".join(shown(seat.name) for seat in record.seats) or "–",
            )
            rows = waiting.get(record.id, []) if record.status == PLAYING else []
            if rows:
                since = discord.utils.format_dt(min(row.since for row in rows), "R")
                line += say("lobby.waits", names=", ".join(shown(row.player) for row in rows), since=since)
                # Who is next is known to the game itself.
                found = await self.services.games.found(record.id)
                if isinstance(found, Live):
                    names = next_names(say, found.game)
                    line += say("lobby.next", names=names) if names else ""
            line += await self._stuck_line(record, say)
            for seat in record.seats if record.id in waiting else ():
                person = people.get(seat.user)
                if person is not None and person.vacation_until is not None and person.vacation_until > now:
                    until = discord.utils.format_dt(person.vacation_until, "d")
                    line += say("lobby.away", name=shown(seat.name), until=until)
            lines.append(line)
        return lines

    async def _stuck_line(self, record: GameRecord, say: Say) -> str:
        """What is the matter with a game that is known not to go on; nothing is loaded for it."""
        found = self.services.games.known_stuck(record)
        return say("stuck.line", reason=reason(say, found)) if found is not None else ""

    @app_commands.command()
    async def info(self, interaction: discord.Interaction[Any]) -> None:
        """Show the game of this channel"""
        if interaction.guild_id is None:
            raise ServiceError("refuse.no_server")
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        record = await self.here.record(interaction)
        lines = []
        live: Live | Stuck | None = None
        if record.status != LOBBY:
            live = await self.services.games.found(record.id)
        stuck = live if isinstance(live, Stuck) else self.services.games.known_stuck(record)
        if stuck is not None:
            cards = await self.services.store.told(record.id)
            lines.append(stuck_text(say, stuck, (), cards))
            lines += [*people_lines(record, say), *self._problems(record, say)]
            await interaction.edit_original_response(view=Card("\n".join(filter(None, lines))))
            return
        if isinstance(live, Live):
            known = await around(self.services.store, record, self.services.games.now())
            lines.append(turn_text(live, say, asker=live.player_of(interaction.user.id), known=known))
        lines += info_lines(record, say, live if isinstance(live, Live) else None)
        lines += self._problems(record, say)
        await interaction.edit_original_response(view=Card("\n".join(filter(None, lines))))

    def _problems(self, record: GameRecord, say: Say) -> Sequence[str]:
        found = self.services.problems.of(record.id)
        return [say(f"trouble.{what}", why=shown(why)) for what, why in found.items() if say.known(f"trouble.{what}")]


def people_lines(record: GameRecord, say: Say) -> Sequence[str]:
    """Who is the host and who plays: known of every game."""
    people = ", ".join(
        say("card.house", name=shown(seat.name)) if seat.house else f"{shown(seat.name)} (<@{seat.user}>)"
        for seat in record.seats
    )
    return (
        say("info.host", host=f"<@{record.host}>" if record.host else say("lobby.no_host")),
        say("info.players", count=len(record.seats), wanted=record.seats_wanted, people=people or "–"),
    )


def info_lines(record: GameRecord, say: Say, live: Live | None) -> list[str]:
    """What was agreed on about a game: title, form, options that are not as usual, host, players, reminders, seed."""
    title = titles.find(record.title)
    form, own = title.form(record.form), say.of(record.title)
    chosen = [
        say(
            "info.option",
            name=own(f"option.{spec.id}"),
            value=words(own, "value", str(record.options.get(spec.id, spec.values[0])).lower()),
        )
        for spec in form.options
        if record.options.get(spec.id, spec.values[0]) != spec.values[0]
    ]
    hours = "/".join(map(str, record.reminder_hours or DEFAULT_HOURS))
    lines = [
        say("info.title", title=title.name, form=own(f"form.{form.id}")),
        *about_form(say, title, form, len(record.seats) if record.started else record.seats_wanted, record.options),
        *people_lines(record, say),
        say("info.options", options="; ".join(chosen)) if chosen else "",
        say("info.reminders", hours=hours),
    ]
    if record.started is not None:
        moves = len(live.game.moves) if live is not None else 0
        lines.append(say("info.started", time=discord.utils.format_dt(record.started, "D"), moves=moves))
    rules = live.game.rules if live is not None else _rules(record)
    # After the end, too, the seed would tell what nobody has seen: cards that were given up.
    if not rules.secret and record.seed_typed:
        lines.append(say("info.seed_typed", seed=record.seed))
    elif not rules.secret:
        lines.append(say("info.seed", seed=record.seed) if record.started is not None else say("info.seed_later"))
    return lines


def _pairs(form: titles.Form, text: str) -> dict[str, Any]:
    """`name=value` words as values of the title's options."""
    result: dict[str, Any] = {}
    for word in text.split():
        name, _, value = word.partition("=")
        spec = next((spec for spec in form.options if spec.id == name), None)
        if spec is None:
            names = ", ".join(spec.id for spec in form.options) or "–"
            raise ServiceError("refuse.no_value", option=cut(word, 60), why="", possible=names)
        matching = [known for known in spec.values if str(known).lower() == value.lower()]
        if not matching:
            known_values = ", ".join(f"{name}={known}".lower() for known in spec.values)
            raise ServiceError("refuse.no_value", option=cut(word, 60), why="", possible=known_values)
        result[name] = matching[0]
    return result


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    bot.lobby = Lobby(bot.services, bot)
    await bot.add_cog(GameCog(bot.services, bot.here, bot.lobby))
