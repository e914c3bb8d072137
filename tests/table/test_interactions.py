"""Commands, buttons, menus and forms, by a plain discord.py client and people's verbs."""

from __future__ import annotations

import asyncio

import discord
import pytest
from discord import app_commands

from table.composing import Upload
from table.errors import Refused
from table.model import MessageFlag
from table.people import text_of
from workshop.evening import echo
from workshop.evening.house import QuickClient, Running, connected, eventually, house, point_to, running_table


async def test_slash_command_is_answered_in_the_channel(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "echo", text="hello")
    assert outcome.message is not None
    assert outcome.message.content == "hello"
    assert outcome.message.interaction is not None
    assert outcome.message.interaction["name"] == "echo"
    assert home.bo.last("lobby") is outcome.message


async def test_nested_groups_reach_their_command(home: Running) -> None:
    assert (await home.ann.slash("lobby", "game new", title="RhE")).text == "new game of RhE"
    assert (await home.ann.slash("lobby", "game seat take", number=3)).text == "seat 3"


async def test_options_of_every_simple_type_arrive_typed(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "travel", town="Essen", when="later", seats=3, price=2.5, first_class=True)
    assert outcome.text == "3 to Essen later for 2.5 first class"


async def test_users_channels_roles_and_files_are_resolved(home: Running) -> None:
    upload = Upload("plan.txt", b"twelve bytes")
    outcome = await home.ann.slash("lobby", "who", member="bo", channel="lobby", role="Bot", file=upload)
    assert outcome.text == "Bo lobby Bot plan.txt 12"


@pytest.mark.parametrize(
    ("command", "options", "reason"),
    [
        ("travel", {}, "town is required"),
        ("travel", {"town": "x", "seats": 9}, "out of range"),
        ("travel", {"town": "x", "seats": "two"}, "not a number"),
        ("travel", {"town": "x", "when": "never"}, "not one of the choices"),
        ("travel", {"town": "x", "speed": 1}, "no option speed"),
        ("nothing", {}, "no command"),
        ("game", {}, "needs a sub-command"),
    ],
)
async def test_bad_options_never_reach_the_bot(
    home: Running, command: str, options: dict[str, object], reason: str
) -> None:
    with pytest.raises(Refused, match=reason):
        await home.ann.slash("lobby", command, **options)


async def test_autocomplete_gives_the_bots_choices_for_what_is_typed(home: Running) -> None:
    choices = await home.ann.autocomplete("lobby", "travel", "town", town="town 5")
    assert [each["value"] for each in choices[:2]] == ["Town 5", "Town 50"]
    assert len(await home.ann.autocomplete("lobby", "travel", "town")) == 25


async def test_more_than_25_autocomplete_choices_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QuickClient()
    caught: list[discord.HTTPException] = []

    @client.tree.command(description="d")
    async def many(interaction: discord.Interaction, word: str) -> None: ...

    @many.autocomplete("word")
    async def words(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        try:
            await interaction.response.autocomplete(
                [app_commands.Choice(name=str(each), value=str(each)) for each in range(26)]
            )
        except discord.HTTPException as problem:
            caught.append(problem)
            await interaction.response.autocomplete([])
        return []

    async with house(monkeypatch, client) as home:
        assert await home.ann.autocomplete("lobby", "many", "word") == []
    assert caught[0].code == 50035


async def test_button_edits_its_message(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "press")
    assert outcome.message is not None
    again = await home.bo.click(outcome.message, "Pressed 0")
    assert again.message is outcome.message
    assert outcome.text.startswith("pressed 1")
    await home.bo.click(outcome.message, "press:1")
    assert outcome.text.startswith("pressed 2")


async def test_dynamic_item_works_after_the_bot_restarts(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        ann = table.person("ann")
        first = echo.build()
        async with connected(first, table):
            await first.tree.sync()
            message = (await ann.slash("lobby", "press")).message
            assert message is not None
        async with connected(echo.build(), table):
            assert not (await ann.click(message, "Pressed 0")).failed
            assert text_of(message).startswith("pressed 1")


async def test_a_view_without_persistence_fails_after_the_bot_restarts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with running_table() as table:
        point_to(monkeypatch, table.api_url, table.gateway_url, table.url)
        ann = table.person("ann")
        first = echo.build()
        async with connected(first, table):
            await first.tree.sync()
            message = (await ann.slash("lobby", "pick")).message
            assert message is not None
        async with connected(echo.build(), table):
            choosing = asyncio.create_task(ann.select(message, "red", "A colour"))
            await eventually(lambda: table.interactions.waiting)
            table.clock.advance(3.1)
            assert (await choosing).failed


@pytest.mark.parametrize(
    ("menu", "values", "answer"),
    [
        ("A colour", ["Red", "blue"], "red, blue"),
        ("A person", ["Dora"], "Dora"),
        ("A role", ["Bot"], "Bot"),
        ("A channel", ["lobby"], "lobby"),
        ("Anybody", ["cy"], "Cy"),
    ],
)
async def test_menus_of_every_kind(home: Running, menu: str, values: list[str], answer: str) -> None:
    card = (await home.ann.slash("lobby", "pick")).message
    assert card is not None
    outcome = await home.ann.select(card, values, menu)
    assert answer.lower() in outcome.text.lower()


async def test_a_menu_refuses_what_it_does_not_offer(home: Running) -> None:
    card = (await home.ann.slash("lobby", "pick")).message
    assert card is not None
    with pytest.raises(Refused, match="not among the options"):
        await home.ann.select(card, "violet", "A colour")
    with pytest.raises(Refused, match="Choose 1 to 2"):
        await home.ann.select(card, ["red", "green", "blue"], "A colour")


async def test_form_with_every_kind_of_field(home: Running) -> None:
    opened = await home.ann.slash("lobby", "bid")
    assert opened.modal is not None
    assert opened.modal["title"] == "Your bid"
    answers = {"Amount": "75", "Company": "CME", "How": "now", "Also": ["tell", "remind"], "I am sure": True}
    sent = await home.ann.submit(opened, answers)
    assert sent.text == "bid 75 CME now tell+remind True"
    with pytest.raises(Refused, match="no longer open"):
        await home.ann.submit(opened, answers)


async def test_form_keeps_its_defaults_and_refuses_what_is_missing(home: Running) -> None:
    opened = await home.ann.slash("lobby", "bid")
    with pytest.raises(Refused, match="Amount: this field is required"):
        await home.ann.submit(opened, {"Company": "RhE"})
    with pytest.raises(Refused, match="not offered"):
        await home.ann.submit(opened, {"Amount": "1", "Company": "BME"})
    with pytest.raises(Refused, match="somebody else's"):
        await home.bo.submit(opened, {"Amount": "1", "Company": "RhE"})
    sent = await home.ann.submit(opened, {"Amount": "50", "Company": "RhE"})
    assert sent.text == "bid 50 RhE later none False"


async def test_form_from_a_button_edits_the_cards_message(home: Running) -> None:
    view = discord.ui.View(timeout=None)
    button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label="Note", custom_id="note")

    async def open_note(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(echo.Note())

    button.callback = open_note  # type: ignore[method-assign]
    view.add_item(button)
    channel = home.client.get_channel(int(home.ann.place("lobby").id))
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send("a card", view=view)
    opened = await home.ann.click(str(message.id), "Note")
    await home.ann.submit(opened, {"Text": "remember"})
    assert home.ann.find(str(message.id)).content == "note: remember"


async def test_deferred_answer_is_filled_by_the_first_follow_up(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "slow")
    assert outcome.message is not None
    first = outcome.message
    assert first.flags & MessageFlag.LOADING or first.content
    await outcome.settled()
    assert first.content == "thought"
    assert first.attachments[0].width == 640
    await home.ann.sees("and more", "lobby")


async def test_deferred_ephemeral_answer_stays_with_its_reader(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "slow", private=True)
    await home.ann.sees("and more", "lobby")
    assert outcome.text == "thought"
    assert home.bo.messages("lobby") == []


async def test_ephemeral_message_is_seen_and_dismissed_by_its_reader_alone(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "whisper", text="secret")
    assert outcome.message is not None
    assert home.ann.last("lobby") is outcome.message
    assert home.bo.messages("lobby") == []
    channel = home.client.get_channel(int(outcome.message.channel_id))
    assert isinstance(channel, discord.TextChannel)
    assert [each async for each in channel.history()] == []
    with pytest.raises(discord.NotFound) as unknown:
        await channel.fetch_message(int(outcome.message.id))
    assert unknown.value.code == 10008
    with pytest.raises(Refused):
        home.bo.dismiss(outcome.message)
    home.ann.dismiss(outcome.message)
    assert home.ann.messages("lobby") == []


async def test_no_answer_within_three_seconds_fails(home: Running) -> None:
    waiting = asyncio.create_task(home.ann.slash("lobby", "silent"))
    await eventually(lambda: home.table.interactions.waiting)
    assert not waiting.done()
    home.table.clock.advance(3.1)
    assert (await waiting).failed


async def test_answers_that_discord_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QuickClient()
    codes: dict[str, int] = {}
    gate = asyncio.Event()

    @client.tree.command(description="d")
    async def twice(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("once")
        interaction.response._response_type = None  # what discord.py itself would stop
        try:
            await interaction.response.send_message("again")
        except discord.HTTPException as problem:
            codes["twice"] = problem.code

    @client.tree.command(description="d")
    async def late(interaction: discord.Interaction) -> None:
        await gate.wait()
        try:
            await interaction.response.send_message("too late")
        except discord.HTTPException as problem:
            codes["late"] = problem.code

    @client.tree.command(description="d")
    async def old(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("first")
        await gate.wait()
        try:
            await interaction.followup.send("after a quarter of an hour")
        except discord.HTTPException as problem:
            codes["old"] = problem.code

    async with house(monkeypatch, client) as home:
        await home.ann.slash("lobby", "twice")
        await eventually(lambda: "twice" in codes)
        await home.ann.slash("lobby", "old")
        waiting = asyncio.create_task(home.ann.slash("lobby", "late"))
        await eventually(lambda: home.table.interactions.waiting)
        home.table.clock.advance(15 * 60 + 1)
        assert (await waiting).failed
        gate.set()
        await eventually(lambda: len(codes) == 3)
    assert codes == {"twice": 40060, "late": 10062, "old": 50027}


async def test_original_answer_is_read_edited_and_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QuickClient()
    read: list[str] = []

    @client.tree.command(description="d")
    async def work(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("one", file=echo.picture("one"))
        read.append((await interaction.original_response()).content)
        edited = await interaction.edit_original_response(content="two")
        assert len(edited.attachments) == 1
        edited = await interaction.edit_original_response(attachments=[])
        assert edited.attachments == []
        more = await interaction.followup.send("three", wait=True)
        await more.edit(content="four")
        await interaction.delete_original_response()

    async with house(monkeypatch, client) as home:
        await home.ann.slash("lobby", "work")
        await home.ann.sees("four", "lobby")
        await eventually(lambda: len(home.ann.messages("lobby")) == 1)
    assert read == ["one"]


async def test_layout_card_lives_through_its_buttons(home: Running) -> None:
    card = (await home.ann.slash("lobby", "card")).message
    assert card is not None
    assert card.is_v2
    assert home.ann.id in card.mentions
    assert [each.filename for each in card.attachments] == ["board.png", "market.png"]
    await home.ann.click(card, "Next")
    assert "Stock round 2" in text_of(card)
    assert len(card.attachments) == 2, "an edit without attachments keeps the pictures"
    private = await home.bo.click(card, "Sell")
    assert private.message is not None
    assert private.message.reader == home.bo.id
    bought = await home.bo.select(card, "CME")
    assert bought.text == "bought CME"
    with pytest.raises(Refused, match="disabled"):
        await home.ann.click(card, "Run trains")
    with pytest.raises(Refused, match="link"):
        await home.ann.click(card, "Rules")


async def test_locale_permissions_and_place_reach_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QuickClient()
    seen: list[discord.Interaction] = []

    @client.tree.command(description="d")
    async def look(interaction: discord.Interaction) -> None:
        seen.append(interaction)
        await interaction.response.send_message("seen")

    async with house(monkeypatch, client) as home:
        await home.bo.slash("lobby", "look")
        await home.ann.slash("lobby", "look")
        thread = await home.bo.open_thread("lobby", "side")
        await home.bo.slash(thread, "look")
        await home.bo.slash(home.bo.direct(), "look")
    guest, owner, in_thread, direct = seen
    assert guest.locale is discord.Locale.german
    assert guest.permissions.send_messages
    assert not guest.permissions.manage_guild
    assert owner.permissions.administrator
    assert guest.app_permissions.attach_files
    assert isinstance(in_thread.channel, discord.Thread)
    assert in_thread.channel.parent_id == guest.channel_id
    assert isinstance(direct.channel, discord.DMChannel)
    assert direct.guild is None
    assert direct.context.dm_channel


async def test_commands_follow_contexts_permissions_and_language(monkeypatch: pytest.MonkeyPatch) -> None:
    client = QuickClient()
    tree = client.tree

    @tree.command(description="d", name="server")
    @app_commands.guild_only()
    async def server(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("server")

    @tree.command(description="d", name="host")
    @app_commands.default_permissions(manage_guild=True)
    async def host(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("host")

    class German(app_commands.Translator):
        async def translate(
            self, string: app_commands.locale_str, locale: discord.Locale, context: object
        ) -> str | None:
            return {"map": "karte"}.get(string.message) if locale is discord.Locale.german else None

    @tree.command(name=app_commands.locale_str("map"), description="d")
    async def board(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("map")

    async with house(monkeypatch, client, sync=False) as home:
        await tree.set_translator(German())
        await tree.sync()
        assert (await home.bo.slash("lobby", "karte")).text == "map"
        with pytest.raises(Refused, match="no command /karte"):
            await home.ann.slash("lobby", "karte")
        assert (await home.ann.slash("lobby", "host")).text == "host"
        with pytest.raises(Refused, match="no command /host"):
            await home.bo.slash("lobby", "host")
        with pytest.raises(Refused, match="no command /server"):
            await home.ann.slash(home.ann.direct(), "server")


async def test_guild_commands_are_synced_beside_global_ones(home: Running) -> None:
    tree = home.client.tree  # type: ignore[attr-defined]
    guild = home.client.guilds[0]
    tree.copy_global_to(guild=guild)
    await tree.sync(guild=guild)
    assert {each.name for each in await tree.fetch_commands(guild=guild)} >= {"echo", "card"}
    assert {each.name for each in await tree.fetch_commands()} >= {"echo", "card"}
    assert (await home.ann.slash("lobby", "echo", text="local")).text == "local"
    before = {each.name: each.id for each in await tree.fetch_commands()}
    await tree.sync()
    assert {each.name: each.id for each in await tree.fetch_commands()} == before, "an id outlives a sync"


async def test_a_cards_pictures_are_replaced_by_its_button_and_by_an_edit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = QuickClient()

    class Board(discord.ui.LayoutView):
        def __init__(self, number: int) -> None:
            super().__init__(timeout=None)
            button: discord.ui.Button[Board] = discord.ui.Button(label="Lay", custom_id="lay")
            button.callback = self.lay  # type: ignore[method-assign]
            item = discord.MediaGalleryItem(f"attachment://board{number}.png", description=f"Board {number}")
            self.number = number
            self.add_item(discord.ui.MediaGallery(item))
            self.add_item(discord.ui.ActionRow(button))

        async def lay(self, interaction: discord.Interaction) -> None:
            number = self.number + 1
            await interaction.response.edit_message(view=Board(number), attachments=[echo.picture(f"board{number}")])

    async with house(monkeypatch, client) as home:
        user = await client.fetch_user(int(home.ann.id))
        sent = await user.send(view=Board(1), file=echo.picture("board1"))
        await home.ann.click(str(sent.id), "Lay")
        card = home.ann.find(str(sent.id))
        assert [each.filename for each in card.attachments] == ["board2.png"]
        edited = await sent.edit(view=Board(3), attachments=[echo.picture("board3")])
        assert [each.filename for each in edited.attachments] == ["board3.png"]
        gallery = edited.components[0]
        assert isinstance(gallery, discord.components.MediaGalleryComponent)
        assert gallery.items[0].media.url == edited.attachments[0].url
        assert (gallery.items[0].media.width, gallery.items[0].description) == (640, "Board 3")
