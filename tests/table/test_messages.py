"""Messages, threads, direct messages and mentions by a plain discord.py client."""

from __future__ import annotations

import discord
import pytest
from discord import ui

from table.people import text_of
from table.permissions import Permission
from workshop.evening import echo
from workshop.evening.house import Running, eventually


def lobby(home: Running) -> discord.TextChannel:
    found = home.client.get_channel(int(home.ann.place("lobby").id))
    assert isinstance(found, discord.TextChannel)
    return found


def allow(home: Running, permission: Permission) -> None:
    """Somebody gives the bot a permission that its invitation does not ask for."""
    for guild in home.table.world.guilds.values():
        for role in guild.members[home.table.world.bot_id].roles:
            guild.roles[role].permissions |= int(permission)


async def test_send_fetch_edit_delete(home: Running) -> None:
    sent = await lobby(home).send("one")
    assert (await lobby(home).fetch_message(sent.id)).content == "one"
    edited = await sent.edit(content="two")
    assert edited.edited_at is not None
    assert home.ann.last("lobby").content == "two"
    await sent.delete()
    assert home.ann.messages("lobby") == []


async def test_attachments_survive_edits_that_do_not_name_them(home: Running) -> None:
    sent = await lobby(home).send("look", file=echo.picture("one"))
    assert sent.attachments[0].description == "A green board that says one"
    assert (await sent.attachments[0].read()).startswith(b"\x89PNG")
    sent = await sent.edit(content="still there")
    assert [each.filename for each in sent.attachments] == ["one.png"]
    sent = await sent.edit(attachments=[*sent.attachments, echo.picture("two")])
    assert [each.filename for each in sent.attachments] == ["one.png", "two.png"]
    old = sent.attachments[0]
    sent = await sent.edit(attachments=[echo.picture("three")])
    assert [each.filename for each in sent.attachments] == ["three.png"]
    with pytest.raises(discord.NotFound):
        await old.read()


async def test_embed_with_attached_picture(home: Running) -> None:
    embed = discord.Embed(title="A title", description="text").set_image(url="attachment://one.png")
    sent = await lobby(home).send(embed=embed, file=echo.picture("one"))
    assert sent.embeds[0].image.url == sent.attachments[0].url
    assert sent.embeds[0].image.width == 640


async def test_v2_components_come_back_as_they_were_sent(home: Running) -> None:
    view = echo.Card(home.ann.mention)
    files = [echo.picture("board"), echo.picture("market")]
    sent = await lobby(home).send(view=view, files=files)
    fetched = await lobby(home).fetch_message(sent.id)
    container = fetched.components[0]
    assert isinstance(container, discord.components.Container)
    kinds = [each.type for each in container.children]
    assert kinds == [
        discord.ComponentType.text_display,
        discord.ComponentType.section,
        discord.ComponentType.media_gallery,
        discord.ComponentType.separator,
        discord.ComponentType.text_display,
        discord.ComponentType.action_row,
        discord.ComponentType.action_row,
    ]
    gallery = container.children[2]
    assert isinstance(gallery, discord.components.MediaGalleryComponent)
    assert gallery.items[0].media.url == next(a.url for a in fetched.attachments if a.filename == "board.png")
    rebuilt = ui.LayoutView.from_message(fetched)
    await fetched.edit(view=rebuilt)
    assert "attachment://" not in str(home.ann.last("lobby").components)


async def test_file_component_and_spoilers(home: Running) -> None:
    view = ui.LayoutView()
    view.add_item(ui.File("attachment://notes.txt"))
    sent = await lobby(home).send(view=view, file=discord.File(__file__, "notes.txt"))
    component = sent.components[0]
    assert isinstance(component, discord.components.FileComponent)
    assert component.media.url == sent.attachments[0].url


async def test_history_pages_in_both_directions(home: Running) -> None:
    said = [await home.ann.say("lobby", f"{number}") for number in range(130)]
    newest = [each async for each in lobby(home).history(limit=130)]
    assert [each.id for each in newest] == [int(each.id) for each in reversed(said)]
    after = [each async for each in lobby(home).history(limit=5, after=discord.Object(int(said[9].id)))]
    assert [each.id for each in after] == [int(each.id) for each in said[10:15]]
    around = [each async for each in lobby(home).history(limit=3, around=discord.Object(int(said[50].id)))]
    assert int(said[50].id) in [each.id for each in around]


async def test_people_write_without_the_bot_reading(home: Running) -> None:
    heard: list[discord.Message] = []

    @home.client.event
    async def on_message(message: discord.Message) -> None:
        heard.append(message)

    await home.ann.say("lobby", "private thoughts")
    await home.ann.say("lobby", f"<@{home.table.world.bot_id}> hello")
    await eventually(lambda: len(heard) == 2)
    assert [bool(each.content) for each in heard] == [False, True]


async def test_mentions_ping_as_far_as_they_are_allowed(home: Running) -> None:
    home.table.rates.enforced = False
    text = f"{home.ann.mention} {home.bo.mention} @everyone"
    await lobby(home).send(text, allowed_mentions=discord.AllowedMentions(everyone=False, users=True))
    assert set(home.ann.last("lobby").pinged) == {home.ann.id, home.bo.id}
    only = discord.AllowedMentions(everyone=False, users=[discord.Object(int(home.bo.id))])
    await lobby(home).send(text, allowed_mentions=only)
    assert home.ann.last("lobby").pinged == [home.bo.id]
    await lobby(home).send(text, allowed_mentions=discord.AllowedMentions.none())
    assert home.ann.last("lobby").pinged == []
    await lobby(home).send(text)
    assert home.ann.last("lobby").mention_everyone, "a sender who says nothing allows everything"
    guild = next(iter(home.table.world.guilds.values()))
    guild.roles[guild.id].permissions &= ~Permission.MENTION_EVERYONE
    await lobby(home).send(text)
    assert not home.ann.last("lobby").mention_everyone, "the permission is needed too"


async def test_an_edit_pings_nobody(home: Running) -> None:
    sent = await lobby(home).send("quiet")
    home.ann.read("lobby")
    await sent.edit(content=f"{home.ann.mention} now")
    message = home.ann.last("lobby")
    assert message.mentions == [home.ann.id]
    assert message.pinged == []
    assert home.table.world.unread(home.ann.id, home.ann.place("lobby")) == (0, 0)


async def test_unread_counts_messages_and_pings(home: Running) -> None:
    await lobby(home).send("one")
    await lobby(home).send(f"{home.bo.mention} two")
    place = home.bo.place("lobby")
    assert home.table.world.unread(home.bo.id, place) == (2, 1)
    home.bo.read(place)
    assert home.table.world.unread(home.bo.id, place) == (0, 0)


async def test_reply_refers_to_its_message_and_pings_its_author(home: Running) -> None:
    said = await home.ann.say("lobby", "a question")
    question = await lobby(home).fetch_message(int(said.id))
    answer = await question.reply("an answer")
    assert answer.reference is not None
    assert answer.reference.message_id == question.id
    assert home.ann.last("lobby").pinged == [home.ann.id]


async def test_a_reply_to_a_reply_carries_one_message_only(home: Running) -> None:
    first = await home.ann.say("lobby", "one")
    second = await home.bo.say("lobby", "two", reply_to=first.id)
    await home.ann.say("lobby", "three", reply_to=second.id)
    newest = await anext(lobby(home).history(limit=1))
    assert newest.reference is not None
    assert isinstance(newest.reference.resolved, discord.Message)
    assert newest.reference.resolved.id == int(second.id)
    assert newest.reference.resolved.reference is not None
    assert newest.reference.resolved.reference.resolved is None


async def test_enforced_nonce_sends_once(home: Running) -> None:
    first = await lobby(home).send("once", nonce="move-17")
    second = await lobby(home).send("once", nonce="move-17")
    assert first.id == second.id
    assert len(home.ann.messages("lobby")) == 1


async def test_pins(home: Running) -> None:
    sent = await lobby(home).send("important")
    with pytest.raises(discord.Forbidden):
        await sent.pin()
    allow(home, Permission.PIN_MESSAGES)
    await sent.pin()
    assert [each.id async for each in lobby(home).pins()] == [sent.id]
    await sent.unpin()
    assert [each async for each in lobby(home).pins()] == []


async def test_public_thread_from_a_message(home: Running) -> None:
    sent = await lobby(home).send("the game")
    thread = await sent.create_thread(name="Game 1")
    assert thread.id == sent.id
    await thread.send("in here")
    assert home.bo.last("Game 1").content == "in here"
    with pytest.raises(discord.HTTPException) as again:
        await sent.create_thread(name="Game 2")
    assert again.value.code == 160004
    with pytest.raises(discord.Forbidden):
        await thread.edit(archived=True, locked=True)
    allow(home, Permission.MANAGE_THREADS)
    await thread.edit(archived=True, locked=True)
    place = home.table.world.channels[str(thread.id)]
    assert place.archived
    assert place.locked
    await thread.edit(archived=False, locked=False)
    await home.bo.say(thread.name, "back")


async def test_private_thread_is_seen_by_its_members_alone(home: Running) -> None:
    thread = await lobby(home).create_thread(name="secret", type=discord.ChannelType.private_thread)
    await thread.send("hush")
    place = home.table.world.channels[str(thread.id)]
    assert not home.table.world.sees(home.bo.id, place)
    await thread.add_user(discord.Object(int(home.bo.id)))
    assert home.bo.last("secret").content == "hush"
    await thread.remove_user(discord.Object(int(home.bo.id)))
    assert not home.table.world.sees(home.bo.id, place)


async def test_a_persons_thread_reaches_the_bot(home: Running) -> None:
    thread = await home.ann.open_thread("lobby", "Rules")
    found = await eventually(lambda: home.client.get_channel(int(thread.id)))
    assert isinstance(found, discord.Thread)
    await found.join()
    await found.send("joined")
    await home.ann.sees("joined", thread)
    assert [each.id for each in await home.client.guilds[0].active_threads()] == [found.id]
    assert home.client.user is not None
    assert home.client.user.id in {each.id for each in await found.fetch_members()}


async def test_direct_messages_both_ways(home: Running) -> None:
    user = await home.client.fetch_user(int(home.ann.id))
    await user.send("for you", file=echo.picture("direct"))
    direct = home.ann.direct()
    assert home.ann.last(direct).content == "for you"
    assert home.table.world.unread(home.ann.id, direct) == (1, 1)
    outcome = await home.ann.slash(direct, "press")
    assert outcome.message is not None
    await home.ann.click(outcome.message, "Pressed 0")
    assert text_of(outcome.message).startswith("pressed 1")
    with pytest.raises(Exception, match="sees no channel"):
        home.bo.place(direct)


async def test_somebody_who_takes_no_direct_messages(home: Running) -> None:
    home.ann.user.accepts_direct_messages = False
    user = await home.client.fetch_user(int(home.ann.id))
    with pytest.raises(discord.Forbidden) as closed:
        await user.send("hello?")
    assert closed.value.code == 50007


async def test_guild_members_roles_and_channels(home: Running) -> None:
    guild = home.client.guilds[0]
    assert (await guild.fetch_member(int(home.bo.id))).display_name == "Bo"
    with pytest.raises(discord.NotFound) as nobody:
        await guild.fetch_member(1)
    assert nobody.value.code == 10013
    assert (await home.client.fetch_guild(guild.id)).name == "Stellwerk"
    assert [each.name for each in await guild.fetch_channels()] == ["lobby"]
    assert {each.name for each in await guild.fetch_roles()} == {"@everyone", "Bot"}
    with pytest.raises(discord.Forbidden) as forbidden:
        await guild.create_text_channel("mine")
    assert forbidden.value.code == 50013
    grant(home, Permission.MANAGE_CHANNELS | Permission.MANAGE_ROLES)
    made = await guild.create_text_channel("Game Room", topic="here")
    assert home.ann.place("game-room").topic == "here"
    role = await guild.create_role(name="Players")
    member = await guild.fetch_member(int(home.bo.id))
    await member.add_roles(role)
    assert str(role.id) in home.table.world.guilds[str(guild.id)].members[home.bo.id].roles
    await member.remove_roles(role)
    await made.set_permissions(guild.me, view_channel=True, manage_roles=True)
    await made.set_permissions(guild.default_role, view_channel=False)
    with pytest.raises(Exception, match="sees no channel"):
        home.bo.place("game-room")
    await made.set_permissions(guild.default_role, overwrite=None)
    assert home.bo.place("game-room")
    await made.edit(name="other")
    await made.delete()
    with pytest.raises(discord.NotFound) as gone:
        await home.client.fetch_channel(made.id)
    assert gone.value.code == 10003


async def test_bulk_deletion_and_typing(home: Running) -> None:
    grant(home, Permission.MANAGE_MESSAGES)
    said = [await home.ann.say("lobby", str(number)) for number in range(3)]
    await lobby(home).delete_messages([discord.Object(int(each.id)) for each in said])
    assert home.ann.messages("lobby") == []
    async with lobby(home).typing():
        pass
    assert any(each.endswith("/typing") for each in home.table.requests)


async def test_application_and_sharded_gateway_questions(home: Running) -> None:
    assert (await home.client.application_info()).name == "Bot"
    shards, url, limits = await home.client.http.get_bot_gateway()
    assert (shards, limits["max_concurrency"]) == (1, 1)
    assert url == home.table.gateway_url


def grant(home: Running, allowed: int) -> None:
    """Give the bot's role more permissions."""
    guild = next(iter(home.table.world.guilds.values()))
    role = next(each for each in guild.roles.values() if each.managed)
    role.permissions |= allowed
