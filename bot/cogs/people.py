"""/me and /vacation: what people set for themselves. /host and /server: what hosts and administrators decide."""

from __future__ import annotations

import dataclasses
import re
import zoneinfo
from datetime import timedelta
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot import answers, places
from bot.card.confirming import asking_card, handing_card
from bot.card.stuck import ask_end
from bot.card.turn import Card
from bot.cogs.lobby import USUAL, Lobby, free_name, house_name
from bot.cogs.settling import Settling, administers
from bot.games.allowance import Allowance
from bot.games.seeds import keeps_secrets
from bot.games.service import ServiceError
from bot.games.stuck import Stuck
from bot.here import Here
from bot.limits import OPTIONS, cut
from bot.names import plain, shown
from bot.panel.turns import Turns
from bot.reminders.plan import local_zone
from bot.services import Services
from bot.texts import Say, speaker
from bot.zones import suggested
from storage.records import ENDED, FINISHED, LOBBY, PAUSED, PLAYING, GameRecord, NewNotice, Person, Seat

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch"}
#: Within an hour one person asks so often whether somebody wants to be host, and all on a server together.
HANDS_AN_HOUR, HANDS_ON_SERVER = 10, 50


#: Two hours with a dash of any kind between them; reminders know whole hours only.
_HOURS = re.compile(r"(\d{1,2})(?:[:.]00)?(?:-|–|—|to|bis)(\d{1,2})(?:[:.]00)?", re.ASCII)


def quiet_hours(text: str) -> tuple[int, int] | None:
    """`22-7`, `22:00 - 07:00` or `22 – 7` as whole hours; None for none.

    >>> quiet_hours("22:00-07:00"), quiet_hours(" 22 – 7 "), quiet_hours("off")
    ((22, 7), (22, 7), None)
    """
    if text.strip().lower() in ("", "off", "none", "aus", "keine", "-"):
        return None
    found = _HOURS.fullmatch("".join(text.split()))
    if found is None:
        raise ServiceError("refuse.bad_hours")
    first, last = int(found[1]), int(found[2])
    if max(first, last) > 24 or first % 24 == last % 24:
        raise ServiceError("refuse.bad_hours")
    return first % 24, last % 24


class PeopleCog(commands.Cog):
    """What everybody sets for themselves."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def shown(self, person: Person, say: Say) -> str:
        now = self.services.games.now().astimezone(local_zone(person.zone))
        quiet = say("me.no_quiet")
        if person.quiet_from is not None and person.quiet_to is not None:
            quiet = f"{person.quiet_from}–{person.quiet_to}"
        vacation = say("me.no_vacation")
        if person.vacation_until is not None and person.vacation_until > self.services.games.now():
            vacation = say("me.vacation_until", time=discord.utils.format_dt(person.vacation_until, "D"))
        return say(
            "me.shown",
            locale=person.locale or say("me.own_locale"),
            zone=person.zone,
            time=f"{now:%H:%M}",
            quiet=quiet,
            ping=person.ping,
            vacation=vacation,
        )

    @app_commands.command()
    @app_commands.describe(
        language="The language I speak to you",
        zone="Your time zone, for example Europe/Berlin",
        quiet="Hours without reminders, for example 22-7; off for none",
        ping="How you are told that it is your turn",
    )
    @app_commands.choices(
        language=[app_commands.Choice(name="English", value="en"), app_commands.Choice(name="Deutsch", value="de")],
        ping=[
            app_commands.Choice(name="in the channel", value="channel"),
            app_commands.Choice(name="by direct message", value="direct"),
            app_commands.Choice(name="not at all", value="off"),
        ],
    )
    async def me(
        self,
        interaction: discord.Interaction[Any],
        language: str | None = None,
        zone: str | None = None,
        quiet: str | None = None,
        ping: str | None = None,
    ) -> None:
        """Show or change your settings"""
        await interaction.response.defer(ephemeral=True)
        store = self.services.store
        person = await store.person(interaction.user.id)
        if language is not None:
            person = dataclasses.replace(person, locale=language)
        if zone is not None:
            if zone not in zoneinfo.available_timezones():
                raise ServiceError("refuse.bad_zone", zone=cut(zone, 40))
            person = dataclasses.replace(person, zone=zone)
        if quiet is not None:
            hours = quiet_hours(quiet)
            person = dataclasses.replace(
                person, quiet_from=hours[0] if hours else None, quiet_to=hours[1] if hours else None
            )
        if ping is not None:
            person = dataclasses.replace(person, ping=ping)
        changed = any(value is not None for value in (language, zone, quiet, ping))
        if changed:
            await self.services.people.set_person(person)
        say = speaker(person.locale or str(interaction.locale))
        text = self.shown(person, say)
        await interaction.edit_original_response(view=Card(say("me.saved", settings=text) if changed else text))

    @me.autocomplete("zone")
    async def _zones(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        person = await self.services.people.person(interaction.user.id)
        found = suggested(current, str(interaction.locale) if not person.locale else person.locale)
        return [app_commands.Choice(name=zone, value=zone) for zone in found[:OPTIONS]]

    @app_commands.command()
    @app_commands.describe(days="For how many days you get no reminders; 0 ends it")
    async def vacation(self, interaction: discord.Interaction[Any], days: app_commands.Range[int, 0, 365]) -> None:
        """Get no reminders for a while"""
        await interaction.response.defer(ephemeral=True)
        say = await self.services.people.say_to(interaction)
        person = await self.services.store.person(interaction.user.id)
        until = self.services.games.now() + timedelta(
            days=days
        )  # 0 days: it ends now, and what it covered stays covered
        person = dataclasses.replace(person, vacation_until=until)
        await self.services.people.set_person(person)
        await interaction.edit_original_response(view=Card(say("me.saved", settings=self.shown(person, say))))


class Hosting:
    """Grave decisions of a host: what follows from them is told first, then they are carried out."""

    def __init__(self, services: Services, client: discord.Client, lobby: Lobby) -> None:
        self.services = services
        self.client = client
        self.lobby = lobby
        self.allowance = Allowance(lambda: self.services.games.now())

    async def check(self, interaction: discord.Interaction[Any], record: GameRecord) -> None:
        """Only the host and administrators, and only while the game is not over."""
        if interaction.user.id != record.host and not administers(interaction):
            raise ServiceError("refuse.host_only")
        if record.status in (FINISHED, ENDED):
            raise ServiceError("refuse.over")

    async def pressed(self, interaction: discord.Interaction[Any], game: int, verb: str, what: str) -> None:
        """The last word."""
        await interaction.response.defer()
        if verb in ("accept", "decline"):
            await self._handed(interaction, game, verb, what)
            return
        say = await self.services.people.say_to(interaction)
        if verb == "cancel":
            await answers.show_done(interaction, Card(say("panel.cancelled")))
            return
        record = await self.services.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        await self.check(interaction, record)
        if verb == "end":
            text = await self._end(record, say)
        else:
            text = await self._replace(record, what, say)
        await answers.show_done(interaction, Card(text))

    async def _handed(self, interaction: discord.Interaction[Any], game: int, verb: str, what: str) -> None:
        """Whoever is to be the host says whether they want to. Everybody reads the card and what becomes of it."""
        record = await self.services.store.game(game)
        if record is None:
            raise ServiceError("refuse.no_game")
        old, new = (int(part) for part in what.split("."))
        user = interaction.user.id
        if user != new and (verb == "accept" or user != record.host):
            raise ServiceError("refuse.not_for_you")
        say = await self.services.people.say_in(record.guild)
        if verb == "decline":
            await answers.show_done(interaction, Card(say("host.hand_declined", name=f"<@{user}>")))
            return
        if record.status in (FINISHED, ENDED):
            raise ServiceError("refuse.over")
        if record.host != old:
            await answers.show_done(interaction, Card(say("host.hand_stale")))
            return
        notice = NewNotice("host.handed", {"old": f"<@{old}>" if old else "–", "new": f"<@{new}>"})
        record = await self.services.games.set_host(game, new, notice)
        await answers.show_done(interaction, Card(say("host.handed", **notice.data)))
        if record.status == LOBBY:
            await self.lobby.show_anew(record)

    async def _end(self, record: GameRecord, say: Say) -> str:
        lobby = record.status == LOBBY
        record = await self.services.games.set_status(record.id, ENDED, NewNotice("host.ended"))
        if lobby:
            await self.lobby.show_anew(record)
        return say("host.now_closed" if lobby else "host.now_ended")

    async def _replace(self, record: GameRecord, what: str, say: Say) -> str:
        number, before, after = (int(part) for part in what.split("."))
        if record.status == LOBBY:
            raise ServiceError("refuse.not_playing")
        if number >= len(record.seats) or record.seats[number].user != before:
            raise ServiceError("refuse.stale")
        old = record.seats[number]
        await self.services.games.live(record.id)
        check_free(record, after, old)
        rest = replaced(record, old)
        house = house_name(rest, await self.services.people.say_in(record.guild))
        name = free_name(rest, await self._name(record, after)) if after else house
        seat = Seat(name, after) if after else Seat(name, 0, USUAL)
        new = f"<@{after}>" if after else shown(name)
        notice = NewNotice("host.replaced", {"old": shown(old.name), "new": new, "ping": [after] if after else []})
        await self.services.games.replace(record.id, old.name, seat, notice)
        return say("host.now_replaced", old=shown(old.name), new=new)

    async def _name(self, record: GameRecord, user: int) -> str:
        """What somebody is called on the server, or else everywhere."""
        guild = self.client.get_guild(record.guild)
        try:
            if guild is not None:
                return plain((await guild.fetch_member(user)).display_name)
        except discord.NotFound:
            pass
        return plain((await self.client.fetch_user(user)).display_name)


def replaced(record: GameRecord, old: Seat) -> GameRecord:
    """The game without somebody's seat, whose present and former names are free for whoever sits there next."""
    return dataclasses.replace(record, seats=tuple(seat for seat in record.seats if seat is not old))


def check_free(record: GameRecord, user: int, old: Seat) -> None:
    """Refuse a person who has a seat; where cards are hidden, also one who has held another than this."""
    if user and any(seat.user == user and not seat.house for seat in record.seats):
        raise ServiceError("refuse.has_seat", name=f"<@{user}>")
    before = any(user in seat.former_users for seat in record.seats if seat is not old)
    if user and before and keeps_secrets(record.title, record.form, record.options):
        raise ServiceError("refuse.held_another", name=f"<@{user}>")


@app_commands.guild_only()
class HostCog(commands.GroupCog, name="host", description="What the host of a game decides"):
    """What the host of a game decides."""

    def __init__(
        self,
        services: Services,
        client: discord.Client,
        here: Here,
        hosting: Hosting,
        settling: Settling,
        turns: Turns,
    ) -> None:
        self.services = services
        self.client = client
        self.here = here
        self.hosting = hosting
        self.settling = settling
        self.turns = turns
        super().__init__()

    async def _hosted(self, interaction: discord.Interaction[Any]) -> GameRecord:
        """The game of the channel, for its host or an administrator; acknowledged first."""
        await interaction.response.defer(ephemeral=True)
        record = await self.here.record(interaction)
        await self.hosting.check(interaction, record)
        return record

    async def _playing(self, interaction: discord.Interaction[Any]) -> GameRecord:
        record = await self._hosted(interaction)
        if record.status == LOBBY:
            raise ServiceError("refuse.not_playing")
        return record

    async def _now(self, interaction: discord.Interaction[Any], key: str, **values: Any) -> None:
        """Say what is true now."""
        say = await self.services.people.say_to(interaction)
        await answers.show_done(interaction, Card(say(key, **values)))

    async def _awaited(self, record: GameRecord) -> str:
        live = await self.services.games.live(record.id)
        return ", ".join(shown(name) for name in live.game.offer().deciders)

    @app_commands.command()
    @app_commands.guild_only()
    async def pause(self, interaction: discord.Interaction[Any]) -> None:
        """Pause the game"""
        record = await self._playing(interaction)
        if record.status != PAUSED:
            record = await self.services.games.set_status(record.id, PAUSED, NewNotice("host.paused"))
        since = discord.utils.format_dt(record.paused or self.services.games.now(), "R")
        await self._now(interaction, "host.now_paused", since=since)

    @app_commands.command()
    @app_commands.guild_only()
    async def resume(self, interaction: discord.Interaction[Any]) -> None:
        """Resume the game"""
        record = await self._playing(interaction)
        # Refused if it cannot go on.
        await self.services.games.live(record.id)
        if record.status == PAUSED:
            await self.services.games.set_status(record.id, PLAYING, NewNotice("host.resumed"))
        say = await self.services.people.say_to(interaction)
        told = say("host.now_resumed", names=await self._awaited(record))
        async with self.turns.held(interaction, record.id):
            await self.turns.answer(interaction, record.id, say, told)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(hours="How many more hours")
    async def extend(self, interaction: discord.Interaction[Any], hours: app_commands.Range[int, 1, 720]) -> None:
        """Grant more time for this turn"""
        record = await self._playing(interaction)
        await self.services.games.extend(record.id, hours, NewNotice("host.extended", {"hours": hours}))
        record = await self.here.record(interaction)
        names = await self._awaited(record)
        await self._now(interaction, "host.now_extended", names=names, hours=record.extension_hours)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(to="Who is to be the host")
    async def hand(self, interaction: discord.Interaction[Any], to: discord.User) -> None:
        """Ask somebody else to be the host"""
        record = await self._hosted(interaction)
        if to.bot:
            raise ServiceError("refuse.has_seat", name=shown(to.display_name))
        if to.id == record.host:
            raise ServiceError("refuse.is_host", name=to.mention)
        channel = await places.find(
            self.client, record.lobby_channel or record.channel if record.status == LOBBY else record.channel
        )
        if channel is None:
            raise ServiceError("refuse.no_game")
        places.check_may_write(interaction, channel)
        self.hosting.allowance.take(
            "hands", record.guild, interaction.user.id, of_person=HANDS_AN_HOUR, of_server=HANDS_ON_SERVER
        )
        say = await self.services.people.say_in(record.guild)
        text = say("host.ask_hand", old=interaction.user.mention, new=to.mention)
        await channel.send(
            view=handing_card(say, record.id, text, record.host, to.id),
            allowed_mentions=discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(to.id)]),
        )
        await self._now(interaction, "host.now_asked", name=to.mention)

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.describe(player="Whose seat", by="The person who takes it; left out, the house does")
    async def replace(self, interaction: discord.Interaction[Any], player: str, by: discord.User | None = None) -> None:
        """Give somebody's seat to another person or to the house"""
        record = await self._playing(interaction)
        await self.services.games.live(record.id)
        old = next((seat for seat in record.seats if seat.name.lower() == player.lower()), None)
        if old is None:
            names = ", ".join(shown(seat.name) for seat in record.seats)
            raise ServiceError("refuse.no_value", option=cut(player, 30), why="", possible=names)
        if by is not None and by.bot:
            raise ServiceError("refuse.has_seat", name=shown(by.display_name))
        check_free(record, by.id if by is not None else 0, old)
        say = await self.services.people.say_to(interaction)
        house = house_name(replaced(record, old), await self.services.people.say_in(record.guild))
        new = by.mention if by is not None else say("card.house", name=house)
        text = say("host.ask_replace", old=shown(old.name), new=new)
        what = f"{record.seats.index(old)}.{old.user}.{by.id if by is not None else 0}"
        await answers.show_done(interaction, asking_card(say, record.id, "replace", text, what))

    @replace.autocomplete("player")
    async def _players(self, interaction: discord.Interaction[Any], current: str) -> list[app_commands.Choice[str]]:
        live = await self.here.suggested(interaction)
        names = [seat.name for seat in live.record.seats] if live is not None else []
        return [app_commands.Choice(name=n, value=n) for n in names if current.lower() in n.lower()][:OPTIONS]

    @app_commands.command()
    @app_commands.guild_only()
    async def settle(self, interaction: discord.Interaction[Any]) -> None:
        """Choose how a game goes on that an upgrade has stopped"""
        record = await self._playing(interaction)
        await self.settling.panel(interaction, record.id)

    @app_commands.command()
    @app_commands.guild_only()
    async def end(self, interaction: discord.Interaction[Any]) -> None:
        """End the game before its time"""
        record = await self._hosted(interaction)
        say = await self.services.people.say_to(interaction)
        if record.status == LOBBY:
            text = say("host.ask_close", count=len(record.seats))
        else:
            live = await self.services.games.found(record.id)
            if isinstance(live, Stuck):
                text = ask_end(say, live)
                await answers.show_done(interaction, asking_card(say, record.id, "end", text))
                return
            scores = sorted(live.game.rules.score(live.game).items(), key=lambda item: -item[1])
            listed = ", ".join(f"{shown(name)} {score} M" for name, score in scores)
            text = say("host.ask_end", moves=len(live.game.moves), scores=listed)
        await answers.show_done(interaction, asking_card(say, record.id, "end", text))


@app_commands.guild_only()
class ServerCog(commands.GroupCog, name="server", description="What administrators decide"):
    """What the administrators of a server decide."""

    def __init__(self, services: Services) -> None:
        self.services = services
        super().__init__()

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(channel="Games may be made here; name none to allow all channels again")
    async def channel(self, interaction: discord.Interaction[Any], channel: discord.TextChannel | None = None) -> None:
        """Say in which channels games may be made"""
        await interaction.response.defer(ephemeral=True)
        assert interaction.guild_id is not None
        server = await self.services.store.server(interaction.guild_id)
        channels = (*(c for c in server.channels if channel and c != channel.id), channel.id) if channel else ()
        await self.services.store.set_server(dataclasses.replace(server, channels=channels))
        say = await self.services.people.say_to(interaction)
        text = say("server.channels", channels=" ".join(f"<#{c}>" for c in channels))
        await interaction.edit_original_response(view=Card(text if channels else say("server.everywhere")))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(where="Where a new game lives unless its host says otherwise")
    @app_commands.choices(
        where=[
            app_commands.Choice(name="in a thread of its own", value="thread"),
            app_commands.Choice(name="in the channel itself", value="here"),
        ]
    )
    async def place(self, interaction: discord.Interaction[Any], where: str) -> None:
        """Say where new games live"""
        await interaction.response.defer(ephemeral=True)
        assert interaction.guild_id is not None
        server = await self.services.store.server(interaction.guild_id)
        await self.services.store.set_server(dataclasses.replace(server, place=where))
        say = await self.services.people.say_to(interaction)
        await interaction.edit_original_response(view=Card(say(f"server.place_{where}")))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(language="The language of the cards")
    @app_commands.choices(
        language=[app_commands.Choice(name="English", value="en"), app_commands.Choice(name="Deutsch", value="de")]
    )
    async def language(self, interaction: discord.Interaction[Any], language: str) -> None:
        """Choose the language of the cards on this server"""
        await interaction.response.defer(ephemeral=True)
        assert interaction.guild_id is not None
        server = await self.services.store.server(interaction.guild_id)
        await self.services.store.set_server(dataclasses.replace(server, locale=language))
        say = await self.services.people.say_to(interaction)
        await interaction.edit_original_response(view=Card(say("server.language", language=LANGUAGE_NAMES[language])))

    @app_commands.command()
    @app_commands.guild_only()
    @app_commands.checks.has_permissions(manage_guild=True)
    @app_commands.describe(what="Which limit to change; left out, all are shown", most="The new number")
    @app_commands.choices(
        what=[
            app_commands.Choice(name="open lobbies of one person", value="lobbies_of_person"),
            app_commands.Choice(name="lobbies that one person opens within a day", value="lobbies_a_day"),
            app_commands.Choice(name="running games whose lobby one person opened", value="games_of_person"),
            app_commands.Choice(name="open lobbies on this server", value="lobbies_of_server"),
            app_commands.Choice(name="running games on this server", value="games_of_server"),
            app_commands.Choice(name="exports that one person gets within an hour", value="exports_of_person"),
            app_commands.Choice(name="exports on this server within an hour", value="exports_of_server"),
        ]
    )
    async def limits(
        self,
        interaction: discord.Interaction[Any],
        what: str | None = None,
        most: app_commands.Range[int, 0, 1000] | None = None,
    ) -> None:
        """Show or change how many lobbies, games and exports there may be"""
        await interaction.response.defer(ephemeral=True)
        assert interaction.guild_id is not None
        say = await self.services.people.say_to(interaction)
        quotas = await self.services.store.quotas(interaction.guild_id)
        if (what is None) != (most is None):
            raise ServiceError("refuse.limit_incomplete")
        if what is not None and most is not None:
            quotas = dataclasses.replace(quotas, **{what: most})
            await self.services.store.set_quotas(quotas)
        await interaction.edit_original_response(view=Card(say("quota.shown", **dataclasses.asdict(quotas))))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cogs are loaded."""
    await bot.add_cog(PeopleCog(bot.services))
    bot.hosting = Hosting(bot.services, bot, bot.lobby)
    bot.settling = Settling(bot.services)
    await bot.add_cog(HostCog(bot.services, bot, bot.here, bot.hosting, bot.settling, bot.turns))
    await bot.add_cog(ServerCog(bot.services))
