"""Every move as a slash command. What can be typed comes from the offer, with its price; nothing else is known here."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.ceilings import OPTION_TEXT, OPTIONS, cut
from bot.client import Kursbuch
from bot.panel import Card
from bot.service import Live, ServiceError
from bot.telling import choice_text, event_lines, option_text, words
from bot.texts import Say
from bot.turns import parse_routes
from bot.walk import LostWay, find
from engine.moves import Move, Run, TrainPath
from engine.offer import Choice, Number, Options

Suggestions = list[app_commands.Choice[str]]


def typed(value: Any) -> str:
    """How an option's value is typed."""
    if isinstance(value, tuple) and value and isinstance(value[0], TrainPath):
        return "best"
    return str(value)


class MovesCog(commands.Cog):
    """The moves of a turn."""

    def __init__(self, bot: Kursbuch) -> None:
        self.bot = bot

    # ------------------------------------------------------------------ playing

    async def play(self, interaction: discord.Interaction[Any], name: str, **given: str | None) -> None:
        """Make a move of a kind with typed parameters."""
        bot = self.bot
        say = await bot.say_to(interaction)
        record = await bot.game_here(interaction)
        await interaction.response.defer(ephemeral=True)
        live = await bot.service.live(record.id)
        player = live.player_of(interaction.user.id)
        if not player:
            raise ServiceError("refuse.not_your_game")
        move = self._move(live, player, name, {key: word for key, word in given.items() if word}, say)
        events = await bot.service.play(
            record.id, interaction.user.id, move, interaction=interaction.id, expected=live.length
        )
        lines = event_lines(say, [event.data() for event in events])
        await interaction.edit_original_response(
            view=Card("\n".join([say("panel.done"), *(f"- {line}" for line in lines[:15])]))
        )

    def _move(self, live: Live, player: str, name: str, given: dict[str, str], say: Say) -> Move:
        deciders = live.game.offer().deciders
        if player not in deciders:
            raise ServiceError("refuse.not_your_turn", names=", ".join(deciders))
        routes = given.get("routes", "")
        if name == "run" and routes not in ("", "best"):
            choice = live.game.offer().find("run", player)
            if choice is not None:
                return Run(player, choice.company, parse_routes(routes.replace(";", "\n")))
        if name == "run":
            given = {}
        try:
            step, wrong = find(live.game, player, name, given)
        except LostWay:
            raise ServiceError("refuse.no_option", option=words(say, "move", name)) from None
        if wrong:
            value = given.get(wrong)
            raise ServiceError("refuse.no_option", option=f"{wrong} {value}" if value else f"{wrong} …")
        return step.move()

    # ------------------------------------------------------------------ suggesting

    async def suggest(
        self, interaction: discord.Interaction[Any], name: str, field: str, current: str, given: dict[str, str]
    ) -> Suggestions:
        """What may be typed for a parameter, given those typed already; answered from memory."""
        live = await self.bot.game_for_autocomplete(interaction)
        if live is None:
            return []
        player = live.player_of(interaction.user.id)
        say = self.bot.say_now(interaction)
        result: dict[str, str] = {}
        for choice in live.game.offer().choices:
            if choice.player == player and choice.name == name:
                for value, text in self._values(live, choice, field, given, say):
                    if current.lower() in f"{value} {text}".lower():
                        result.setdefault(value, text)
        return [app_commands.Choice(name=cut(t, OPTION_TEXT), value=v) for v, t in list(result.items())[:OPTIONS]]

    def _values(
        self, live: Live, choice: Choice[Any], field: str, given: dict[str, str], say: Say
    ) -> list[tuple[str, str]]:
        picked: dict[str, Any] = {}
        while (domain := choice.ask(picked)) is not None:
            if domain.name == field:
                if isinstance(domain, Options):
                    return [(typed(o.value), option_text(say, live.game, field, o)) for o in domain.options]
                return [(str(number), str(number)) for number in _numbers(domain)]
            if isinstance(domain, Number):
                word = given.get(domain.name, "")
                if not word.isdecimal():
                    return []
                picked[domain.name] = int(word)
                continue
            match = [o.value for o in domain.options if typed(o.value).lower() == given.get(domain.name, "").lower()]
            if not match and len(domain.options) == 1:
                match = [domain.options[0].value]
            if not match:
                return []
            picked[domain.name] = match[0]
        return []

    # ------------------------------------------------------------------ commands

    stock = app_commands.Group(name="stock", description="Shares", guild_only=True)
    train = app_commands.Group(name="train", description="Trains", guild_only=True)

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
        if price is None:
            await self.play(interaction, "buy_lot", lot=lot)
        else:
            await self.play(interaction, "bid", lot=lot, price=price)

    @app_commands.command(name="pass")
    @app_commands.guild_only()
    async def pass_(self, interaction: discord.Interaction[Any]) -> None:
        """Pass"""
        await self.play(interaction, "pass")

    @app_commands.command(name="track")
    @app_commands.guild_only()
    @app_commands.describe(
        hex="Where", tile="Which tile", rotation="Turned clockwise by sixths", private="By which private"
    )
    async def track(
        self,
        interaction: discord.Interaction[Any],
        hex: str,
        tile: str,
        rotation: str | None = None,
        private: str | None = None,
    ) -> None:
        """Lay or upgrade a tile"""
        await self.play(interaction, "lay_tile", hex=hex, tile=tile, rotation=rotation, private=private)

    @app_commands.command(name="station")
    @app_commands.guild_only()
    @app_commands.describe(hex="Where", stop="Which stop, where a hex has several")
    async def station(
        self, interaction: discord.Interaction[Any], hex: str | None = None, stop: str | None = None
    ) -> None:
        """Place a station"""
        await self.play(interaction, "place_station", hex=hex, stop=stop)

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
    @app_commands.describe(train="Which train")
    async def train_discard(self, interaction: discord.Interaction[Any], train: str) -> None:
        """Give up a train beyond the limit"""
        await self.play(interaction, "discard_train", train=train)

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
        live = await self.bot.service.live((await self.bot.game_here(interaction)).id)
        fields = self._fields(live, live.player_of(interaction.user.id), move, [first, second, third, fourth])
        await self.play(interaction, move, **fields)

    def _fields(self, live: Live, player: str, name: str, typed_words: list[str | None]) -> dict[str, str | None]:
        """Names for parameters given by their place: those that leave a choice, in the order they are asked."""
        for choice in live.game.offer().choices:
            if choice.player != player or choice.name != name:
                continue
            picked: dict[str, Any] = {}
            fields: dict[str, str | None] = {}
            rest = [word for word in typed_words if word]
            while (domain := choice.ask(picked)) is not None:
                if isinstance(domain, Options) and len(domain.options) == 1:
                    picked[domain.name] = domain.options[0].value
                    continue
                if not rest:
                    break
                word = rest.pop(0)
                fields[domain.name] = word
                if isinstance(domain, Number):
                    if not word.isdecimal():
                        break
                    picked[domain.name] = int(word)
                    continue
                match = [o.value for o in domain.options if typed(o.value).lower() == word.lower()]
                if not match:
                    break
                picked[domain.name] = match[0]
            return fields
        return {}

    @move.autocomplete("move")
    async def _kinds(self, interaction: discord.Interaction[Any], current: str) -> Suggestions:
        live = await self.bot.game_for_autocomplete(interaction)
        if live is None:
            return []
        say = self.bot.say_now(interaction)
        found = {c.name: choice_text(say, c) for c in live.game.offer().of(live.player_of(interaction.user.id))}
        return [
            app_commands.Choice(name=cut(text, OPTION_TEXT), value=name)
            for name, text in found.items()
            if current.lower() in f"{name} {text}".lower()
        ][:OPTIONS]

    async def _nth(self, interaction: discord.Interaction[Any], current: str, index: int) -> Suggestions:
        """Suggestions for the n-th parameter of any move."""
        live = await self.bot.game_for_autocomplete(interaction)
        name = getattr(interaction.namespace, "move", "")
        if live is None or not name:
            return []
        player = live.player_of(interaction.user.id)
        words_ = [getattr(interaction.namespace, key, None) for key in ("first", "second", "third", "fourth")][:index]
        fields = self._fields(live, player, name, words_)
        given = {key: word for key, word in fields.items() if word}
        say = self.bot.say_now(interaction)
        result: dict[str, str] = {}
        for choice in live.game.offer().of(player):
            if choice.name != name:
                continue
            picked: dict[str, Any] = {}
            while (domain := choice.ask(picked)) is not None:
                if isinstance(domain, Options) and len(domain.options) == 1:
                    picked[domain.name] = domain.options[0].value
                elif domain.name in given and isinstance(domain, Options):
                    match = [o.value for o in domain.options if typed(o.value).lower() == given[domain.name].lower()]
                    if not match:
                        break
                    picked[domain.name] = match[0]
                elif domain.name in given:
                    picked[domain.name] = int(given[domain.name])
                else:
                    for value, text in self._values(live, choice, domain.name, given, say):
                        result.setdefault(value, text)
                    break
        return [
            app_commands.Choice(name=cut(text, OPTION_TEXT), value=value)
            for value, text in result.items()
            if current.lower() in f"{value} {text}".lower()
        ][:OPTIONS]

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


def _numbers(domain: Number) -> list[int]:
    """A few numbers of a range to start from."""
    return list(range(domain.low, domain.high + 1, domain.step))[:OPTIONS]


def _suggester(kind: str, field: str, fields: tuple[str, ...]) -> Any:
    async def suggest(interaction: discord.Interaction[Any], current: str) -> Suggestions:
        cog = interaction.client.get_cog("MovesCog")
        assert isinstance(cog, MovesCog)
        given = {key: getattr(interaction.namespace, key, None) for key in fields if key != field}
        typed_so_far = {key: value for key, value in given.items() if value}
        found = await cog.suggest(interaction, kind, field, current, typed_so_far)
        if kind == "bid" and field == "lot":
            found += await cog.suggest(interaction, "buy_lot", field, current, typed_so_far)
        return found[:OPTIONS]

    return suggest


# Every parameter gets its suggestions in the same way, so they are made here, not written out.
for _name, (_kind, _fields) in _KINDS.items():
    for _field in _fields:
        getattr(MovesCog, _name).autocomplete(_field)(_suggester(_kind, _field, _fields))


async def setup(bot: Any) -> None:
    """Called by discord.py when the cog is loaded."""
    await bot.add_cog(MovesCog(bot))
