"""Messages and channels are deleted by people, as on Discord, and the bot hears of it."""

from __future__ import annotations

import pytest

from table.errors import Refused
from table.permissions import Permission
from tests.table.conftest import Api
from workshop.evening.house import Running, eventually


async def test_everybody_deletes_their_own_and_the_owner_deletes_any(home: Running) -> None:
    ann, bo = home.ann, home.bo
    mine, card = await bo.say("lobby", "mine"), (await bo.slash("lobby", "card")).message
    assert card is not None
    with pytest.raises(Refused, match="cannot delete"):
        bo.delete(card)
    bo.delete(mine)
    ann.delete(card)
    assert [each.id for each in ann.messages("lobby") if each.id in (mine.id, card.id)] == []


async def test_the_manage_messages_permission_is_enough(home: Running) -> None:
    world = home.table.world
    guild = next(iter(world.guilds.values()))
    role = world.add_role(guild, "helpers", int(Permission.MANAGE_MESSAGES))
    theirs = await home.ann.say("lobby", "theirs")
    world.set_roles(guild, guild.members[home.bo.id], [role.id])
    home.bo.delete(theirs)
    assert theirs not in home.ann.messages("lobby")


async def test_in_direct_messages_only_ones_own(home: Running) -> None:
    channel = home.ann.direct()
    world = home.table.world
    mine = await home.ann.say(channel, "mine")
    bot = next(each for each in world.users.values() if each.bot)
    theirs = await home.ann.say(channel, "theirs")
    theirs.author_id = bot.id
    home.ann.delete(mine)
    with pytest.raises(Refused, match="cannot delete"):
        home.ann.delete(theirs)


async def test_an_ephemeral_message_is_dismissed_not_deleted(home: Running) -> None:
    outcome = await home.ann.slash("lobby", "whisper", text="psst")
    assert outcome.message is not None
    assert not home.ann.may_delete(outcome.message)


async def test_a_deleted_channel_is_gone_for_the_bot_too(home: Running) -> None:
    ann, table = home.ann, home.table
    server = next(iter(table.world.guilds))
    made = ann.make_channel(server, "Second Room")
    assert made.name == "second-room"
    await eventually(lambda: home.client.get_channel(int(made.id)))
    thread = await ann.open_thread(made, "thread")
    ann.delete_channel(made)
    assert not {made.id, thread.id} & set(table.world.channels)
    await eventually(lambda: home.client.get_channel(int(made.id)) is None)


async def test_not_everybody_makes_and_deletes_channels(home: Running) -> None:
    server = next(iter(home.table.world.guilds))
    with pytest.raises(Refused, match="cannot make channels"):
        home.bo.make_channel(server, "mine")
    with pytest.raises(Refused, match="cannot delete"):
        home.bo.delete_channel("lobby")
    with pytest.raises(Refused, match="cannot delete"):
        home.ann.delete_channel(home.ann.direct())
    with pytest.raises(Refused, match="the only channel"):
        home.ann.delete_channel("lobby")


async def test_a_name_of_emoji_alone(api: Api) -> None:
    async with api.session.post(f"{api.table.url}/table/people", json={"name": "🚂👩‍🚀"}) as answer:
        made = await answer.json()
    assert (made["global_name"], made["username"]) == ("🚂👩‍🚀", f"guest{len(api.table.world.users) - 1}")
    async with api.session.post(f"{api.table.url}/table/people", json={"name": "\u200b \u200b"}) as answer:
        assert answer.status == 400
