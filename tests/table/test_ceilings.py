"""What Discord refuses, with its codes: bodies, components, forms, commands, uploads, permissions, rates."""

from __future__ import annotations

import json
from typing import Any

import aiohttp
import pytest

from table import limits
from table.errors import ApiError
from table.modals import check as check_modal
from table.permissions import Permission
from table.server import Table
from tests.table.conftest import Api

V2 = 1 << 15


def text(content: str = "x") -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(number: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "go", "custom_id": f"go{number}"} | more


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def select(count: int = 1, **more: Any) -> dict[str, Any]:
    options = [{"label": f"o{each}", "value": f"v{each}"} for each in range(count)]
    return {"type": 3, "custom_id": "menu", "options": options} | more


def section(*texts: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 9, "components": list(texts), "accessory": button()} | more


def gallery(count: int, **more: Any) -> dict[str, Any]:
    items = [{"media": {"url": "https://example.org/a.png"}} | more for _ in range(count)]
    return {"type": 12, "items": items}


def container(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 17, "components": list(children)}


GOOD_LAYOUTS = {
    "forty components": [container(*(text() for _ in range(39)))],
    "4000 characters": [text("a" * 2000), text("b" * 2000)],
    "five buttons": [row(*(button(each) for each in range(5)))],
    "25 options": [row(select(25))],
    "three texts": [section(text(), text(), text())],
    "ten pictures": [gallery(10)],
    "longest alt text": [gallery(1, description="a" * 1024)],
    "longest custom_id and label": [row(button(custom_id="c" * 100, label="l" * 80))],
}
BAD_LAYOUTS = {
    "41 components": ([container(*(text() for _ in range(40)))], "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"),
    "4001 characters": (
        [text("a" * 2000), text("b" * 2001)],
        "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
    ),
    "six buttons": ([row(*(button(each) for each in range(6)))], "BASE_TYPE_BAD_LENGTH"),
    "a select beside a button": ([row(select(), button())], "COMPONENT_LAYOUT_WIDTH_EXCEEDED"),
    "26 options": ([row(select(26))], "BASE_TYPE_BAD_LENGTH"),
    "no options": ([row(select(0))], "BASE_TYPE_BAD_LENGTH"),
    "twice the same option": (
        [row(select() | {"options": [{"label": "a", "value": "a"}] * 2})],
        "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
    ),
    "option text too long": (
        [row(select() | {"options": [{"label": "a" * 101, "value": "a"}]})],
        "BASE_TYPE_BAD_LENGTH",
    ),
    "placeholder too long": ([row(select(placeholder="p" * 151))], "BASE_TYPE_MAX_LENGTH"),
    "more to choose than there is": ([row(select(2, max_values=3))], "NUMBER_TYPE_MAX"),
    "four texts": ([section(text(), text(), text(), text())], "BASE_TYPE_BAD_LENGTH"),
    "section without accessory": ([section(text(), accessory=None)], "BASE_TYPE_REQUIRED"),
    "eleven pictures": ([gallery(11)], "BASE_TYPE_BAD_LENGTH"),
    "alt text too long": ([gallery(1, description="a" * 1025)], "BASE_TYPE_BAD_LENGTH"),
    "empty alt text": ([gallery(1, description="")], "BASE_TYPE_BAD_LENGTH"),
    "unknown attachment": (
        [gallery(1, media={"url": "attachment://gone.png"})],
        "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
    ),
    "strange scheme": ([gallery(1, media={"url": "ftp://example.org/a"})], "URL_TYPE_INVALID_SCHEME"),
    "custom_id too long": ([row(button(custom_id="c" * 101))], "BASE_TYPE_BAD_LENGTH"),
    "custom_id twice": ([row(button(1), button(1))], "COMPONENT_CUSTOM_ID_DUPLICATED"),
    "label too long": ([row(button(label="l" * 81))], "BASE_TYPE_MAX_LENGTH"),
    "neither label nor emoji": ([row(button(label=None))], "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"),
    "link with custom_id": (
        [row(button(style=5, url="https://example.org"))],
        "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
    ),
    "container in a container": ([container(container(text()))], "BASE_TYPE_CHOICES"),
    "empty text": ([text("")], "BASE_TYPE_BAD_LENGTH"),
    "unknown type": ([{"type": 99}], "BASE_TYPE_CHOICES"),
    "nothing": ([], "BASE_TYPE_REQUIRED"),
}


@pytest.mark.parametrize("name", GOOD_LAYOUTS)
async def test_layout_at_the_ceiling_is_taken(api: Api, name: str) -> None:
    status, body = await api.send_components(GOOD_LAYOUTS[name])
    assert status == 200, body


@pytest.mark.parametrize("name", BAD_LAYOUTS)
async def test_layout_over_the_ceiling_is_refused(api: Api, name: str) -> None:
    components, code = BAD_LAYOUTS[name]
    status, body = await api.send_components(components)
    assert (status, body["code"]) == (400, 50035)
    assert "components" in body["errors"]
    assert f'"{code}"' in json.dumps(body["errors"])
    assert api.table.world.messages.get(api.lobby.id, {}) == {}


async def test_the_error_tree_leads_to_the_field(api: Api) -> None:
    _, body = await api.send_components([container(row(button(label="l" * 81)))])
    field = body["errors"]["components"]["0"]["components"]["0"]["components"]["0"]["label"]
    assert field["_errors"] == [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 80 or fewer in length."}]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"content": "c" * 2000}, 200, None),
        ({"content": "c" * 2001}, 400, 50035),
        ({"content": ""}, 400, 50006),
        ({}, 400, 50006),
        ({"content": "x", "components": [text()], "flags": V2}, 400, 50035),
        ({"embeds": [{"title": "t"}], "components": [text()], "flags": V2}, 400, 50035),
        ({"content": "x", "components": [text()]}, 400, 50035),
        ({"content": "x", "components": [row(button(each)) for each in range(6)]}, 400, 50035),
        ({"embeds": [{"description": "d" * 4096}]}, 200, None),
        ({"embeds": [{"description": "d" * 4097}]}, 400, 50035),
        ({"embeds": [{"description": "d" * 3001}] * 2}, 400, 50035),
        ({"embeds": [{"title": "t"}] * 11}, 400, 50035),
        ({"content": "x", "allowed_mentions": {"parse": ["users"], "users": ["1"]}}, 400, 50035),
        ({"content": "x", "message_reference": {"message_id": "1"}}, 400, 50035),
    ],
)
async def test_message_bodies(api: Api, body: dict[str, Any], status: int, code: int | None) -> None:
    answered, told = await api.send(**body)
    assert answered == status, told
    assert code is None or told["code"] == code


async def test_v2_message_stays_v2(api: Api) -> None:
    _, sent = await api.send_components([text("card")])
    path = f"/channels/{api.lobby.id}/messages/{sent['id']}"
    status, body = await api.call("PATCH", path, {"content": "plain"})
    assert (status, body["code"]) == (400, 50035)
    _, plain = await api.send(content="plain")
    path = f"/channels/{api.lobby.id}/messages/{plain['id']}"
    status, _ = await api.call("PATCH", path, {"components": [text("card")], "flags": V2})
    assert status == 400, "the old content must be taken away with the same edit"
    status, body = await api.call("PATCH", path, {"content": None, "components": [text("card")], "flags": V2})
    assert status == 200
    assert body["flags"] & V2


async def test_a_refused_edit_changes_nothing(api: Api) -> None:
    _, sent = await api.send(content="as it was")
    path = f"/channels/{api.lobby.id}/messages/{sent['id']}"
    status, _ = await api.call("PATCH", path, {"content": "new", "components": [row()]})
    assert status == 400
    _, kept = await api.call("GET", path)
    assert (kept["content"], kept["edited_timestamp"]) == ("as it was", None)


async def test_ten_mebibytes_a_file_and_twenty_five_a_request(api: Api) -> None:
    most = limits.FILE_BYTES
    for sizes, wanted in (((most,), 200), ((most + 1,), 413), ((most, most), 200), ((most, most, most), 413)):
        form = aiohttp.FormData(quote_fields=False)
        form.add_field("payload_json", "{}", content_type="application/json")
        for index, size in enumerate(sizes):
            form.add_field(f"files[{index}]", b"x" * size, filename="big.bin", content_type="application/octet-stream")
        headers = {"Authorization": f"Bot {api.table.token}"}
        url = f"{api.table.api_url}/channels/{api.lobby.id}/messages"
        async with api.session.post(url, data=form, headers=headers) as answer:
            assert answer.status == wanted
            if wanted == 413:
                assert (await answer.json())["code"] == 40005


def label(component: dict[str, Any], name: str = "A field") -> dict[str, Any]:
    return {"type": 18, "label": name, "component": component}


def line(number: int = 0, **more: Any) -> dict[str, Any]:
    return {"type": 4, "custom_id": f"text{number}", "style": 1} | more


def radio(count: int) -> dict[str, Any]:
    options = [{"label": str(each), "value": str(each)} for each in range(count)]
    return {"type": 21, "custom_id": "radio", "options": options}


def modal(*components: dict[str, Any], title: str = "A form") -> dict[str, Any]:
    return {"title": title, "custom_id": "form", "components": list(components)}


@pytest.mark.parametrize(
    "form",
    [
        modal(*(label(line(each)) for each in range(5))),
        modal(label(line()), title="t" * 45),
        modal(label(radio(10)), label(select(25)), text("read me")),
        modal(row(line(label="older kind"))),
    ],
)
def test_forms_that_discord_opens(form: dict[str, Any]) -> None:
    checked = check_modal(form)
    assert all(each["id"] for each in checked["components"])


@pytest.mark.parametrize(
    "form",
    [
        modal(*(label(line(each)) for each in range(6))),
        modal(),
        modal(label(line()), title="t" * 46),
        modal(label(line()), title=""),
        modal(label(line(), name="n" * 46)),
        modal(label(line(max_length=4001))),
        modal(label(line(placeholder="p" * 101))),
        modal(label(radio(1))),
        modal(label(radio(11))),
        modal(label(select(26))),
        modal(label(line(1)), label(line(1))),
        modal(row(line(1), line(2))),
        modal(row(button())),
        modal(label(button())),
    ],
)
def test_forms_that_discord_refuses(form: dict[str, Any]) -> None:
    with pytest.raises(ApiError) as refused:
        check_modal(form)
    assert refused.value.code == 50035
    assert refused.value.errors is not None
    assert set(refused.value.errors) == {"data"}


def command(name: str = "c", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "d"} | more


def option(name: str = "o", kind: int = 3, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": "d", "type": kind} | more


@pytest.mark.parametrize(
    ("commands", "status"),
    [
        ([command(f"c{each}") for each in range(100)], 200),
        ([command(f"c{each}") for each in range(101)], 400),
        ([command(options=[option(f"o{each}") for each in range(25)])], 200),
        ([command(options=[option(f"o{each}") for each in range(26)])], 400),
        ([command(options=[option("a"), option("b", required=True)])], 400),
        ([command(options=[option("a"), option("a")])], 400),
        ([command("Upper")], 400),
        ([command("with space")], 400),
        ([command("n" * 33)], 400),
        ([command(description="d" * 101)], 400),
        ([command(), command()], 400),
        ([command(options=[option("g", 2, options=[option("s", 1)])])], 200),
        ([command(options=[option("g", 2, options=[option("h", 2)])])], 400),
        ([command(options=[option("s", 1), option("o")])], 400),
        ([command(options=[option(choices=[{"name": str(n), "value": str(n)} for n in range(26)])])], 400),
        ([command(options=[option(autocomplete=True, choices=[{"name": "n", "value": "v"}])])], 400),
        ([command("straße", name_localizations={"de": "straße"})], 200),
        ([command(name_localizations={"de": "Groß"})], 400),
        (
            [
                command(
                    options=[
                        option(f"o{n}", choices=[{"name": f"{m}" * 90, "value": f"{m}" * 90} for m in range(9)])
                        for n in range(8)
                    ]
                )
            ],
            400,
        ),
    ],
)
async def test_commands(api: Api, commands: list[Any], status: int) -> None:
    answered, told = await api.call("PUT", f"/applications/{api.table.world.bot_id}/commands", commands)
    assert answered == status, told
    if status == 400:
        assert told["code"] == 50035
        assert api.table.world.commands == {}


async def test_single_commands_are_added_read_and_withdrawn(api: Api) -> None:
    base = f"/applications/{api.table.world.bot_id}/commands"
    _, made = await api.call("POST", base, command("one"))
    await api.call("POST", base, command("two"))
    assert (await api.call("GET", f"{base}/{made['id']}"))[1]["name"] == "one"
    assert (await api.call("DELETE", f"{base}/{made['id']}"))[0] == 204
    assert [each["name"] for each in (await api.call("GET", base))[1]] == ["two"]
    status, body = await api.call("GET", f"{base}/{made['id']}")
    assert (status, body["code"]) == (404, 10063)


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/channels/1", 404, 10003),
        ("GET", "/guilds/1", 404, 10004),
        ("GET", "/users/1", 404, 10013),
        ("GET", "/channels/{lobby}/messages/1", 404, 10008),
        ("PATCH", "/channels/{lobby}/messages/1", 404, 10008),
        ("POST", "/interactions/1/nothing/callback", 404, 10062),
        ("POST", "/webhooks/{bot}/nothing", 404, 10015),
        ("GET", "/channels/{lobby}/messages?limit=101", 400, 50035),
        ("POST", "/channels/{lobby}/threads", 400, 50035),
        ("PATCH", "/channels/{lobby}", 403, 50013),
        ("DELETE", "/channels/{lobby}", 403, 50013),
        ("GET", "/guilds/{guild}/members", 403, 50001),
    ],
)
async def test_error_codes(api: Api, method: str, path: str, status: int, code: int) -> None:
    world = api.table.world
    place = path.format(lobby=api.lobby.id, bot=world.bot_id, guild=api.lobby.guild_id)
    answered, told = await api.call(method, place, {} if method != "GET" else None)
    assert (answered, told["code"]) == (status, code)


async def test_wrong_token(api: Api) -> None:
    assert (await api.call("GET", "/users/@me", headers={"Authorization": "Bot wrong"}))[0] == 401


async def test_unknown_route_is_refused_and_noted(api: Api) -> None:
    assert (await api.call("GET", "/voice/regions"))[0] == 404
    assert (await api.call("PUT", "/users/@me"))[0] == 404
    assert api.table.unknown_routes == ["GET /voice/regions", "PUT /users/@me"]
    api.table.unknown_routes.clear()


async def test_broken_json(api: Api) -> None:
    url = f"{api.table.api_url}/channels/{api.lobby.id}/messages"
    headers = {"Authorization": f"Bot {api.table.token}", "Content-Type": "application/json"}
    async with api.session.post(url, data=b"{", headers=headers) as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, 50109)


@pytest.mark.parametrize(
    ("taken", "method", "path", "body", "code"),
    [
        (Permission.VIEW_CHANNEL, "POST", "/messages", {"content": "x"}, 50001),
        (Permission.SEND_MESSAGES, "POST", "/messages", {"content": "x"}, 50013),
        (Permission.EMBED_LINKS, "POST", "/messages", {"embeds": [{"title": "t"}]}, 50013),
        (Permission.CREATE_PUBLIC_THREADS, "POST", "/threads", {"name": "t", "type": 11}, 50013),
        (Permission.CREATE_PRIVATE_THREADS, "POST", "/threads", {"name": "t", "type": 12}, 50013),
        (Permission.READ_MESSAGE_HISTORY, "GET", "/messages/pins", None, 50013),
    ],
)
async def test_missing_permissions(api: Api, taken: Permission, method: str, path: str, body: Any, code: int) -> None:
    guild = api.table.world.guilds[str(api.lobby.guild_id)]
    for each in guild.roles.values():
        each.permissions &= ~taken
    status, told = await api.call(method, f"/channels/{api.lobby.id}{path}", body)
    assert (status, told["code"]) == (403, code)


async def test_another_authors_message_is_not_edited(api: Api) -> None:
    said = await api.table.person("ann").say("lobby", "mine")
    status, told = await api.call("PATCH", f"/channels/{api.lobby.id}/messages/{said.id}", {"content": "no"})
    assert (status, told["code"]) == (403, 50005)
    status, told = await api.call("DELETE", f"/channels/{api.lobby.id}/messages/{said.id}")
    assert (status, told["code"]) == (403, 50013)


async def test_a_server_is_full_at_some_point(api: Api) -> None:
    world = api.table.world
    guild = world.guilds[str(api.lobby.guild_id)]
    for role in guild.roles.values():
        role.permissions |= Permission.MANAGE_CHANNELS | Permission.MANAGE_ROLES
    for number in range(limits.GUILD_CHANNELS - 1):
        world.add_channel(guild, f"c{number}")
    for number in range(limits.GUILD_ROLES - len(guild.roles)):
        world.add_role(guild, f"r{number}", 0)
    for number in range(limits.ACTIVE_THREADS):
        world.add_thread(api.lobby, f"t{number}", world.bot_id)
    status, told = await api.call("POST", f"/guilds/{guild.id}/channels", {"name": "more"})
    assert (status, told["code"]) == (400, 30013)
    status, told = await api.call("POST", f"/guilds/{guild.id}/roles", {"name": "more"})
    assert (status, told["code"]) == (400, 30005)
    status, told = await api.call("POST", f"/channels/{api.lobby.id}/threads", {"name": "more", "type": 11})
    assert (status, told["code"]) == (400, 160006)


# --- rates ------------------------------------------------------------------------------------------
async def test_sixth_message_in_five_seconds_is_held_up(api: Api) -> None:
    api.table.rates.enforced = True
    for number in range(5):
        assert (await api.send(content=str(number)))[0] == 200
    headers = {"Authorization": f"Bot {api.table.token}"}
    url = f"{api.table.api_url}/channels/{api.lobby.id}/messages"
    async with api.session.post(url, json={"content": "6"}, headers=headers) as answer:
        body = await answer.json()
        assert answer.status == 429
        assert answer.headers["Via"]
        assert answer.headers["X-RateLimit-Remaining"] == "0"
        assert 0 < body["retry_after"] <= 5
        assert body["global"] is False
    api.table.clock.advance(5.1)
    assert (await api.send(content="6"))[0] == 200


async def test_fifty_requests_a_second_in_all(api: Api) -> None:
    api.table.rates.enforced = True
    answers = []
    for number in range(51):
        answers.append(await api.call("GET", f"/users/{api.table.world.bot_id if number % 2 else '@me'}"))
    statuses = [status for status, _ in answers]
    # A slow machine may need more than a second for fifty; then a new window has begun.
    if 429 in statuses:
        assert statuses.index(429) == 50
        assert answers[50][1]["global"] is True


async def test_old_messages_are_edited_only_now_and_then(api: Api) -> None:
    api.table.rates.enforced = True
    _, sent = await api.send(content="old")
    path = f"/channels/{api.lobby.id}/messages/{sent['id']}"
    api.table.age(sent["id"], 3601)
    for number in range(limits.RATE_OLD_EDIT[0]):
        assert (await api.call("PATCH", path, {"content": str(number)}))[0] == 200
    status, body = await api.call("PATCH", path, {"content": "one too many"})
    assert (status, body["code"]) == (429, 30046)
    _, fresh = await api.send(content="fresh")
    assert (await api.call("PATCH", f"/channels/{api.lobby.id}/messages/{fresh['id']}", {"content": "x"}))[0] == 200


async def test_ten_thousand_invalid_requests_are_a_ban(table: Table) -> None:
    for _ in range(limits.INVALID_REQUESTS[0]):
        table.rates.invalid()
    async with aiohttp.ClientSession() as session:
        api = Api(table, session)
        status, body = await api.call("GET", "/users/@me")
        assert (status, type(body)) == (429, str)
        table.clock.advance(601)
        assert (await api.call("GET", "/users/@me"))[0] == 200
