"""Every move as a slash command. What can be typed comes from the offer, with its price; nothing else is known here."""

from __future__ import annotations

from collections import Counter
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.answers import meanwhile
from bot.games.service import Live, ServiceError
from bot.here import Here
from bot.limits import OPTION_TEXT, OPTIONS, cut
from bot.names import shown
from bot.numbers import whole
from bot.panel.modals import steps
from bot.panel.turns import Turns
from bot.picking.walk import NoSuchChoice, Walk, find, match, named, of_kind, tag, typed, walk
from bot.services import Services
from bot.texts import Say
from bot.translating import named as option_name
from bot.words.refusals import tag_reason, value_reason
from bot.words.wording import choice_text, option_text, words
from engine.offer import Choice, Domain, Number, Options

Suggestions = list[app_commands.Choice[str]]

#: Where games are played; groups of commands say so for all of theirs.
SERVERS = app_commands.AppCommandContext(guild=True)
#: So many values that are possible are told in a refusal.
VALUES_TOLD = 12


def possible_values(domain: Domain | None, say: Say) -> str:
    """What may be typed instead, as far as a line has room for it."""
    if isinstance(domain, Number):
        return say("refuse.range", low=domain.low, high=domain.high, step=steps(say, domain))
    values = [typed(domain, option.value) for option in domain.options] if domain is not None else []
    return ", ".join([*values[:VALUES_TOLD], *(["…"] if len(values) > VALUES_TOLD else [])])


def _typed(name: str, value: str) -> str:
    """What somebody typed; a bare number says nothing without what it is for."""
    return f"{name} {value}" if value.isdecimal() else value


class MovesCog(commands.Cog):
    """The moves of a turn."""

    def __init__(self, services: Services, here: Here, turns: Turns) -> None:
        self.services = services
        self.here = here
        self.turns = turns

    # ------------------------------------------------------------------ playing

    async def play(
        self, interaction: discord.Interaction[Any], name: str, tagged: str | None = None, **given: str | None
    ) -> None:
        """Show a move of a kind with typed parameters in the panel, to be confirmed there, or ask for what is missing.

        `tagged` says which of several choices of the kind.
        """
        live, player = await self._live(interaction)
        say = await self.services.people.say_to(interaction)
        words_ = {key: word for key, word in given.items() if word}
        for _, choice in of_kind(live.game, player, name, tagged):
            await self.services.searches.before(choice)
        await self._show(interaction, live, player, name, words_, say, tagged)

    async def _live(self, interaction: discord.Interaction[Any]) -> tuple[Live, str]:
        """The game of the channel and who the person is in it, acknowledged meanwhile."""
        live = await meanwhile(interaction.response.defer(ephemeral=True), self.here.live(interaction))
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        return live, player

    async def _show(
        self,
        interaction: discord.Interaction[Any],
        live: Live,
        player: str,
        name: str,
        given: dict[str, str],
        say: Say,
        tagged: str | None = None,
    ) -> None:
        self.services.games.check_playing(live)
        deciders = live.game.offer().deciders
        if player not in deciders:
            raise ServiceError("refuse.not_your_turn", names=", ".join(map(shown, deciders)))
        routes = given.pop("routes", "")
        runs = of_kind(live.game, player, name) if name == "run" and routes not in ("", "best") else []
        if runs:
            async with self.turns.held(interaction, live.record.id):
                await self.turns.typed(interaction, live, runs[0][0], routes.replace(";", "\n"), say)
            return
        step = self._step(live, player, name, given, say, tagged)
        async with self.turns.held(interaction, live.record.id):
            await self.turns.show(interaction, live, step, say)

    def _step(self, live: Live, player: str, name: str, given: dict[str, str], say: Say, tagged: str | None) -> Walk:
        """The move as far as it was typed; what was typed must be possible."""
        try:
            step, wrong = find(live.game, player, name, given, tagged)
        except NoSuchChoice:
            possible = ", ".join(dict.fromkeys(choice_text(say, choice) for choice in live.game.offer().of(player)))
            option = cut(words(say, "move", name), 60)
            why = tag_reason(say, live.game, name, tagged) if tagged else ""
            why = say("refuse.because", reason=why) if why else ""
            raise ServiceError("refuse.no_move", option=option, why=why, possible=possible) from None
        if wrong in given:
            why, rule = value_reason(say, live.game, step.choice, wrong, given[wrong], step.picked)
            why = say("refuse.because", reason=why) if why else ""
            raise ServiceError(
                "refuse.no_value",
                rule=rule,
                option=_typed(option_name(wrong, say.language), cut(given[wrong], 40)),
                why=f"{why}({rule}) " if rule else why,
                possible=possible_values(step.domain, say) or say("refuse.nothing"),
            )
        return walk(live.game, step.number, step.code)

    # ------------------------------------------------------------------ suggesting

    async def suggest(
        self,
        interaction: discord.Interaction[Any],
        name: str,
        field: str,
        current: str,
        given: dict[str, str],
        tagged: str | None = None,
    ) -> Suggestions:
        """What may be typed for a parameter, given those typed already; answered from memory."""
        live = await self.here.suggested(interaction)
        if live is None:
            return []
        say = self.services.people.say_now(interaction)
        result: dict[str, str] = {}
        for _, choice in of_kind(live.game, live.player_of(interaction.user.id), name, tagged):
            if self.services.searches.needed(choice):
                continue
            domain = self._asked(choice, field, given)
            if domain is not None:
                result |= self._texts(live, domain, current, say)
        return suggestions(result, current)

    async def tags(
        self, interaction: discord.Interaction[Any], name: str, current: str, *, companies: bool = False
    ) -> Suggestions:
        """Which of several choices of a kind there are: privates that grant it, or companies that it is for."""
        live = await self.here.suggested(interaction)
        if live is None:
            return []
        found = {
            tag(choice): tag(choice)
            for choice in live.game.offer().of(live.player_of(interaction.user.id))
            if choice.name == name and tag(choice) and bool(choice.granted_by) != companies
        }
        return suggestions(found, current)

    def _fits(self, choice: Choice[Any], given: dict[str, str]) -> bool:
        """Whether a choice takes the first parameter that was typed."""
        domain = choice.asked({})
        return domain is None or match(domain, given.get(domain.name)) is not None

    def _asked(self, choice: Choice[Any], field: str, given: dict[str, str]) -> Domain | None:
        """The domain of a field, if what was typed leads to it."""
        picked: dict[str, Any] = {}
        while (domain := choice.asked(picked)) is not None and domain.name != field:
            value = match(domain, given.get(domain.name))
            if value is None:
                return None
            picked[domain.name] = value[0]
        return domain

    def _texts(self, live: Live, domain: Domain, current: str, say: Say) -> dict[str, str]:
        """What can be typed for a parameter, and how it reads."""
        if isinstance(domain, Options):
            return {typed(domain, o.value): option_text(say, live.game, domain.name, o) for o in domain.options}
        return {str(number): str(number) for number in _numbers(domain, current)}

    # ------------------------------------------------------------------ commands

    stock = app_commands.Group(name="stock", description="Shares", guild_only=True, allowed_contexts=SERVERS)
    train = app_commands.Group(name="train", description="Trains", guild_only=True, allowed_contexts=SERVERS)

    @stock.command(name="buy")
    @app_commands.describe(company="Which company", source="From where", percent="Which certificate")
    async def stock_buy(
        self, interaction: discord.Interaction[Any], company: str, source: str | None = None, percent: str | None = None
    ) -> None:
        """Buy a certificate"""
        await self.play(interaction, "buy_share", company=company, source=source, percent=percent)

    @stock.command(name="sell")
    @app_commands.describe(company="Which company", percent="How much")
    async def stock_sell(self, interaction: discord.Interaction[Any], company: str, percent: str) -> None:
        """Sell shares into the bank pool"""
        await self.play(interaction, "sell_shares", company=company, percent=percent)

    @stock.command(name="found")
    @app_commands.describe(company="Which company", par="Its starting price")
    async def stock_found(self, interaction: discord.Interaction[Any], company: str, par: str) -> None:
        """Found a company"""
        await self.play(interaction, "found", company=company, par=par)

    @app_commands.command(name="bid")
    @app_commands.guild_only()
    @app_commands.describe(lot="Which lot", price="Your bid; leave it out to buy the lot that is for sale")
    async def bid(self, interaction: discord.Interaction[Any], lot: str, price: str | None = None) -> None:
        """Bid on a lot, or buy the one that is for sale"""
        live, player = await self._live(interaction)
        say = await self.services.people.say_to(interaction)
        given = {"lot": lot} | ({"price": price} if price else {})
        name = "bid"
        if not price and any(self._fits(choice, given) for _, choice in of_kind(live.game, player, "buy_lot")):
            name = "buy_lot"
        await self._show(interaction, live, player, name, given, say)

    @app_commands.command(name="pass")
    @app_commands.guild_only()
    async def pass_(self, interaction: discord.Interaction[Any]) -> None:
        """Pass"""
        await self.play(interaction, "pass")

    @app_commands.command(name="track")
    @app_commands.guild_only()
    @app_commands.describe(
        hex="Where",
        tile="Which tile",
        rotation="Turned clockwise by sixths",
        private="By which private",
        company="For which of your companies",
    )
    async def track(
        self,
        interaction: discord.Interaction[Any],
        hex: str,
        tile: str,
        rotation: str | None = None,
        private: str | None = None,
        company: str | None = None,
    ) -> None:
        """Lay or upgrade a tile"""
        await self.play(interaction, "lay_tile", private or company or None, hex=hex, tile=tile, rotation=rotation)

    @app_commands.command(name="station")
    @app_commands.guild_only()
    @app_commands.describe(
        hex="Where", stop="Which stop, where a hex has several", company="For which of your companies"
    )
    async def station(
        self,
        interaction: discord.Interaction[Any],
        hex: str | None = None,
        stop: str | None = None,
        company: str | None = None,
    ) -> None:
        """Place a station"""
        await self.play(interaction, "place_station", company or None, hex=hex, stop=stop)

    @app_commands.command(name="run")
    @app_commands.guild_only()
    @app_commands.describe(routes="`best`, or by hand: 3: F13:a F11 F9:b; 2: …")
    async def run(self, interaction: discord.Interaction[Any], routes: str = "best") -> None:
        """Run the trains"""
        await self.play(interaction, "run", routes=routes)

    @app_commands.command(name="dividend")
    @app_commands.guild_only()
    @app_commands.describe(kind="What to do with the revenue")
    async def dividend(self, interaction: discord.Interaction[Any], kind: str) -> None:
        """Pay the revenue out or keep it"""
        await self.play(interaction, "dividend", kind=kind)

    @train.command(name="buy")
    @app_commands.describe(source="From whom", train="Which train", price="The price, if it is negotiable")
    async def train_buy(
        self,
        interaction: discord.Interaction[Any],
        source: str | None = None,
        train: str | None = None,
        price: str | None = None,
    ) -> None:
        """Buy a train"""
        await self.play(interaction, "buy_train", source=source, train=train, price=price)

    @train.command(name="discard")
    @app_commands.describe(train="Which train", company="For which of your companies")
    async def train_discard(
        self, interaction: discord.Interaction[Any], train: str, company: str | None = None
    ) -> None:
        """Give up a train beyond the limit"""
        await self.play(interaction, "discard_train", company or None, train=train)

    @app_commands.command(name="answer")
    @app_commands.guild_only()
    @app_commands.describe(reply="Accept, decline or counter", price="The price of a counter-offer")
    async def answer(self, interaction: discord.Interaction[Any], reply: str, price: str | None = None) -> None:
        """Answer somebody's proposal"""
        await self.play(interaction, "answer", reply=reply, price=price)

    @app_commands.command(name="move")
    @app_commands.guild_only()
    @app_commands.describe(
        move="Any kind of move that is possible now",
        first="Its first parameter",
        second="Its second parameter",
        third="Its third parameter",
        fourth="Its fourth parameter",
    )
    async def move(
        self,
        interaction: discord.Interaction[Any],
        move: str,
        first: str | None = None,
        second: str | None = None,
        third: str | None = None,
        fourth: str | None = None,
    ) -> None:
        """Make any move that is possible now"""
        live, player = await self._live(interaction)
        say = await self.services.people.say_to(interaction)
        name, _, tagged = move.partition(" ")
        typed_words = [word for word in (first, second, third, fourth) if word]
        fields: dict[str, str] = {}
        for _, choice in of_kind(live.game, player, name, tagged or None):
            await self.services.searches.before(choice)
            fields = max(fields, named(choice, typed_words)[0], key=len)
        await self._show(interaction, live, player, name, fields, say, tagged or None)

    @move.autocomplete("move")
    async def _kinds(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        live = await self.here.suggested(interaction)
        if live is None:
            return []
        say = self.services.people.say_now(interaction)
        own = live.game.offer().of(live.player_of(interaction.user.id))
        alike = Counter((choice.name, bool(choice.granted_by)) for choice in own)
        found = {}
        for choice in own:
            several = alike[choice.name, bool(choice.granted_by)] > 1
            value = f"{choice.name} {tag(choice)}".strip() if several or choice.granted_by else choice.name
            found[value] = choice_text(say, choice, company=several)
        return suggestions(found, current)

    async def _nth(self, interaction: discord.Interaction[Any], current: str, index: int) -> Suggestions:
        """Suggestions for the n-th parameter of any move."""
        live = await self.here.suggested(interaction)
        name, _, tagged = str(getattr(interaction.namespace, "move", None) or "").partition(" ")
        if live is None or not name:
            return []
        typed_words = [getattr(interaction.namespace, key, None) or "" for key in _PLACES[:index]]
        say = self.services.people.say_now(interaction)
        result: dict[str, str] = {}
        for _, choice in of_kind(live.game, live.player_of(interaction.user.id), name, tagged or None):
            if self.services.searches.needed(choice):
                continue
            fields, _, domain = named(choice, typed_words)
            if domain is not None and len(fields) == index and domain.name not in fields:
                result |= self._texts(live, domain, current, say)
        return suggestions(result, current)

    @move.autocomplete("first")
    async def _first(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        return await self._nth(interaction, current, 0)

    @move.autocomplete("second")
    async def _second(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        return await self._nth(interaction, current, 1)

    @move.autocomplete("third")
    async def _third(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        return await self._nth(interaction, current, 2)

    @move.autocomplete("fourth")
    async def _fourth(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        return await self._nth(interaction, current, 3)


#: Which kind of move the parameters of each command belong to.
_KINDS = {
    "stock_buy": ("buy_share", ("company", "source", "percent")),
    "stock_sell": ("sell_shares", ("company", "percent")),
    "stock_found": ("found", ("company", "par")),
    "bid": ("bid", ("lot", "price")),
    "track": ("lay_tile", ("hex", "tile", "rotation")),
    "station": ("place_station", ("hex", "stop")),
    "run": ("run", ("routes",)),
    "dividend": ("dividend", ("kind",)),
    "train_buy": ("buy_train", ("source", "train", "price")),
    "train_discard": ("discard_train", ("train",)),
    "answer": ("answer", ("reply", "price")),
}


#: Parameters that say which of several choices of a kind is meant.
_TAGS = {"track": ("private", "company"), "station": ("company",), "train_discard": ("company",)}
_PLACES = ("first", "second", "third", "fourth")


def suggestions(found: dict[str, str], current: str) -> Suggestions:
    """Values and their texts that have in them what is being typed; those that begin with it come first."""
    wanted = current.lower()
    fitting = [(value, text) for value, text in found.items() if wanted in f"{value} {text}".lower()]
    fitting.sort(key=lambda pair: not pair[0].lower().startswith(wanted))
    return [app_commands.Choice(name=cut(text, OPTION_TEXT), value=value) for value, text in fitting[:OPTIONS]]


def _numbers(domain: Number, current: str) -> list[int]:
    """A few numbers of a range to start from, and the one that is being typed."""
    numbers = range(domain.low, domain.high + 1, domain.step)
    few = list(numbers[:OPTIONS])
    typed_number = whole(current)
    if typed_number is not None and typed_number in numbers:
        few.append(typed_number)
    return few


def _suggester(command: str, kind: str, field: str, fields: tuple[str, ...]) -> Any:
    async def suggest(interaction: discord.Interaction[Any], current: str) -> Suggestions:
        cog = interaction.client.get_cog("MovesCog")
        assert isinstance(cog, MovesCog)
        given = {key: getattr(interaction.namespace, key, None) for key in fields if key != field}
        typed_so_far = {key: value for key, value in given.items() if value}
        tags = [getattr(interaction.namespace, tag, None) for tag in _TAGS.get(command, ())]
        tagged = next(filter(None, tags), None)
        found = await cog.suggest(interaction, kind, field, current, typed_so_far, tagged)
        if kind == "bid" and field == "lot":
            lots = {choice.value for choice in found}
            more = await cog.suggest(interaction, "buy_lot", field, current, typed_so_far)
            found += [choice for choice in more if choice.value not in lots]
        return found[:OPTIONS]

    return suggest


def _tagger(kind: str, *, companies: bool) -> Any:
    async def suggest(interaction: discord.Interaction[Any], current: str) -> Suggestions:
        cog = interaction.client.get_cog("MovesCog")
        assert isinstance(cog, MovesCog)
        return await cog.tags(interaction, kind, current, companies=companies)

    return suggest


# Every parameter gets its suggestions in the same way, so they are made here, not written out.
for _name, (_kind, _fields) in _KINDS.items():
    for _field in _fields:
        getattr(MovesCog, _name).autocomplete(_field)(_suggester(_name, _kind, _field, _fields))
for _name, _tags in _TAGS.items():
    for _tag in _tags:
        getattr(MovesCog, _name).autocomplete(_tag)(_tagger(_KINDS[_name][0], companies=_tag == "company"))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(MovesCog(bot.services, bot.here, bot.turns))
