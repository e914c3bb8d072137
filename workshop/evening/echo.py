"""A small bot that uses all of discord.py that a game needs; it belongs to no game."""

from __future__ import annotations

import asyncio
import io
import os
import re
from typing import Any, Literal, Self

import discord
import yarl
from discord import app_commands, ui
from PIL import Image, ImageDraw

from workshop.evening.house import QuickClient

TOWNS = [f"Town {number}" for number in range(60)]


def picture(text: str, size: tuple[int, int] = (640, 360), colour: str = "#2f6f4f") -> discord.File:
    """A PNG with a word on it."""
    image = Image.new("RGB", size, colour)
    draw = ImageDraw.Draw(image)
    for x in range(0, size[0], 40):
        draw.line((x, 0, x, size[1]), fill="#ffffff30")
    draw.text((20, 20), text, fill="white", font_size=32)
    out = io.BytesIO()
    image.save(out, "PNG")
    out.seek(0)
    return discord.File(out, f"{text}.png", description=f"A green board that says {text}")


class Press(ui.DynamicItem[ui.Button[Any]], template=r"press:(?P<count>\d+)"):
    """A button that counts; it works after a restart because its number is in its id."""

    def __init__(self, count: int) -> None:
        super().__init__(ui.Button(label=f"Pressed {count}", custom_id=f"press:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction, item: ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        return cls(int(match["count"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(Press(self.count + 1))
        await interaction.response.edit_message(content=f"pressed {self.count + 1}", view=view)


class Pick(ui.View):
    """One menu of each kind."""

    @ui.select(
        placeholder="A colour",
        custom_id="colour",
        min_values=1,
        max_values=2,
        options=[
            discord.SelectOption(label="Red", value="red", description="like a signal", emoji="🔴"),
            discord.SelectOption(label="Green", value="green", emoji="🟢"),
            discord.SelectOption(label="Blue", value="blue", emoji="🔵"),
        ],
    )
    async def colour(self, interaction: discord.Interaction, menu: ui.Select[Any]) -> None:
        await interaction.response.send_message(f"you picked {', '.join(menu.values)}")

    @ui.select(cls=ui.UserSelect, placeholder="A person", custom_id="person")
    async def person(self, interaction: discord.Interaction, menu: ui.UserSelect[Any]) -> None:
        await interaction.response.send_message(f"you picked {menu.values[0].display_name}")

    @ui.select(cls=ui.RoleSelect, placeholder="A role", custom_id="role")
    async def role(self, interaction: discord.Interaction, menu: ui.RoleSelect[Any]) -> None:
        await interaction.response.send_message(f"you picked {menu.values[0].name}")

    @ui.select(cls=ui.ChannelSelect, placeholder="A channel", custom_id="place")
    async def place(self, interaction: discord.Interaction, menu: ui.ChannelSelect[Any]) -> None:
        await interaction.response.send_message(f"you picked {menu.values[0].name}")

    @ui.select(cls=ui.MentionableSelect, placeholder="Anybody", custom_id="anybody")
    async def anybody(self, interaction: discord.Interaction, menu: ui.MentionableSelect[Any]) -> None:
        await interaction.response.send_message(f"you picked {menu.values[0]}")


class Bid(ui.Modal, title="Your bid"):
    """A form with every kind of field."""

    amount: ui.Label[Any] = ui.Label(
        text="Amount", description="At least 50", component=ui.TextInput(placeholder="50", max_length=5)
    )
    company: ui.Label[Any] = ui.Label(
        text="Company",
        component=ui.Select(
            options=[
                discord.SelectOption(label="Rhenish", value="RhE"),
                discord.SelectOption(label="Cologne", value="CME"),
            ]
        ),
    )
    how: ui.Label[Any] = ui.Label(
        text="How",
        component=ui.RadioGroup(
            options=[
                discord.RadioGroupOption(label="At once", value="now"),
                discord.RadioGroupOption(label="When it is my turn", value="later", default=True),
            ]
        ),
    )
    also: ui.Label[Any] = ui.Label(
        text="Also",
        component=ui.CheckboxGroup(
            required=False,
            options=[
                discord.CheckboxGroupOption(label="Tell everybody", value="tell"),
                discord.CheckboxGroupOption(label="Remind me", value="remind"),
            ],
        ),
    )
    sure: ui.Label[Any] = ui.Label(text="I am sure", component=ui.Checkbox())

    async def on_submit(self, interaction: discord.Interaction) -> None:
        fields: list[Any] = [each.component for each in (self.amount, self.company, self.how, self.also, self.sure)]
        amount, company, how, also, sure = fields
        parts = [amount.value, company.values[0], how.value, "+".join(also.values) or "none", sure.value]
        await interaction.response.send_message("bid " + " ".join(str(each) for each in parts))


class Note(ui.Modal, title="A note"):
    """A form of the older kind."""

    text: ui.TextInput[Any] = ui.TextInput(label="Text", style=discord.TextStyle.paragraph, required=True)

    async def on_submit(self, interaction: discord.Interaction) -> None:
        if interaction.message is not None:
            await interaction.response.edit_message(content=f"note: {self.text.value}")
        else:
            await interaction.response.send_message(f"note: {self.text.value}", ephemeral=True)


class Card(ui.LayoutView):
    """A turn card: text, picture, section, separator, file, buttons and a menu in one message."""

    def __init__(self, mention: str, round_number: int = 1) -> None:
        super().__init__(timeout=None)
        thumb: ui.Thumbnail[Any] = ui.Thumbnail("attachment://market.png", description="The market")
        press: ui.Button[Any] = ui.Button(label="Next", custom_id="next", style=discord.ButtonStyle.success)
        press.callback = self.forward  # type: ignore[method-assign]
        note: ui.Button[Any] = ui.Button(label="Note…", custom_id="note")
        note.callback = self.write_note  # type: ignore[method-assign]
        leave: ui.Button[Any] = ui.Button(label="Sell", custom_id="sell", style=discord.ButtonStyle.danger)
        leave.callback = self.whisper  # type: ignore[method-assign]
        off: ui.Button[Any] = ui.Button(label="Run trains", custom_id="run", disabled=True)
        link: ui.Button[Any] = ui.Button(label="Rules", url="https://example.org/rules")
        menu: ui.Select[Any] = ui.Select(
            placeholder="Buy a share…",
            custom_id="buy",
            options=[
                discord.SelectOption(label="RhE 10 %", value="RhE", description="80 M, bank pool"),
                discord.SelectOption(label="CME 10 %", value="CME", description="75 M, initial offering"),
            ],
        )
        menu.callback = self.buy  # type: ignore[method-assign]
        self.menu = menu
        self.round_number = round_number
        self.add_item(
            ui.Container(
                ui.TextDisplay(f"### Stock round {round_number}\n{mention}, it is your turn."),
                ui.Section("**RhE** is worth 80.", "-# It rose last round.", accessory=thumb),
                ui.MediaGallery(discord.MediaGalleryItem("attachment://board.png", description="The board")),
                ui.Separator(spacing=discord.SeparatorSpacing.large),
                ui.TextDisplay("- sold **2** × CME\n- passed twice"),
                ui.ActionRow(menu),
                ui.ActionRow(press, note, leave, off, link),
                accent_colour=discord.Colour.gold(),
            )
        )

    async def forward(self, interaction: discord.Interaction) -> None:
        view = Card(interaction.user.mention, self.round_number + 1)
        await interaction.response.edit_message(view=view)

    async def write_note(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Note())

    async def whisper(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message("It is not your turn.", ephemeral=True)

    async def buy(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"bought {self.menu.values[0]}", ephemeral=True)


def build(**options: Any) -> QuickClient:
    """The bot, not yet started."""
    client = QuickClient(**options)
    tree = client.tree

    @client.event
    async def setup_hook() -> None:
        client.add_dynamic_items(Press)

    @tree.command(description="Says it back")
    @app_commands.describe(text="What to say")
    async def echo(interaction: discord.Interaction, text: str) -> None:
        await interaction.response.send_message(text)

    @tree.command(description="Says it to you alone")
    async def whisper(interaction: discord.Interaction, text: str) -> None:
        await interaction.response.send_message(f"psst: {text}", ephemeral=True)

    @tree.command(description="Thinks first")
    async def slow(interaction: discord.Interaction, private: bool = False) -> None:
        await interaction.response.defer(ephemeral=private, thinking=True)
        await asyncio.sleep(0.02)
        await interaction.followup.send("thought", file=picture("thought"))
        await interaction.followup.send("and more", ephemeral=private)

    @tree.command(description="Never answers")
    async def silent(interaction: discord.Interaction) -> None:
        await asyncio.sleep(0)

    @tree.command(description="Goes to a town")
    @app_commands.describe(town="Which town", when="How soon", seats="How many", price="How much")
    async def travel(
        interaction: discord.Interaction,
        town: str,
        when: Literal["now", "later"] = "now",
        seats: app_commands.Range[int, 1, 4] = 1,
        price: float = 0.5,
        first_class: bool = False,
    ) -> None:
        answer = f"{seats} to {town} {when} for {price} {'first' if first_class else 'second'} class"
        await interaction.response.send_message(answer)

    @travel.autocomplete("town")
    async def towns(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        found = [each for each in TOWNS if current.lower() in each.lower()]
        return [app_commands.Choice(name=f"{each} (station)", value=each) for each in found[:25]]

    @tree.command(description="Looks somebody up")
    async def who(
        interaction: discord.Interaction,
        member: discord.Member,
        channel: discord.TextChannel | None = None,
        role: discord.Role | None = None,
        file: discord.Attachment | None = None,
    ) -> None:
        parts = [member.display_name, channel.name if channel else "-", role.name if role else "-"]
        if file is not None:
            parts.append(f"{file.filename} {len(await file.read())}")
        await interaction.response.send_message(" ".join(parts))

    @tree.command(description="A button that counts")
    async def press(interaction: discord.Interaction) -> None:
        view = ui.View(timeout=None)
        view.add_item(Press(0))
        await interaction.response.send_message("press me", view=view)

    @tree.command(description="Menus of every kind")
    async def pick(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("pick", view=Pick())

    @tree.command(description="Opens a form")
    async def bid(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Bid())

    @tree.command(description="Opens an older form")
    async def note(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Note())

    @tree.command(description="A whole turn card")
    async def card(interaction: discord.Interaction) -> None:
        files = [picture("board", (1000, 700)), picture("market", (200, 200), "#5f3f2f")]
        await interaction.response.send_message(view=Card(interaction.user.mention), files=files)

    @tree.command(description="A card with a tall picture")
    async def tall(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(
            view=Card(interaction.user.mention),
            files=[picture("board", (700, 1000)), picture("market", (200, 200), "#5f3f2f")],
        )

    @tree.command(description="A picture")
    async def show(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("look", file=picture("map"))

    group = app_commands.Group(name="game", description="Games")
    inner = app_commands.Group(name="seat", description="Seats", parent=group)

    @group.command(name="new", description="Starts one")
    async def game_new(interaction: discord.Interaction, title: str) -> None:
        await interaction.response.send_message(f"new game of {title}")

    @inner.command(name="take", description="Sits down")
    async def seat_take(interaction: discord.Interaction, number: int) -> None:
        await interaction.response.send_message(f"seat {number}")

    tree.add_command(group)
    return client


async def serve() -> None:
    """Run the bot by itself against the table that the environment names, until it is killed."""
    discord.http.Route.BASE = os.environ["DISCORD_API_BASE"]
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])
    client = build()

    @client.event
    async def on_ready() -> None:
        await client.tree.sync()
        place = client.guilds[0].text_channels[0]
        before = [each async for each in place.history() if each.content.startswith("ready")]
        await place.send("ready again" if before else "ready")

    await client.start(os.environ["DISCORD_TOKEN"])


if __name__ == "__main__":
    asyncio.run(serve())
