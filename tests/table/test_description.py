"""The table against Discord's own description of its API."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot import limits as bot_limits
from renderers.kit.picture import ALT_LIMIT
from table import interactions, limits
from table.gateway import Intent
from table.model import Message
from table.permissions import Permission
from tests.table import samples
from tests.table.conftest import Api
from tests.table.description import Description, required
from tests.table.violations import Breaker
from tests.table.witness import Witness

JSON = dict[str, Any]
JSON_TYPE = {"Content-Type": "application/json"}


@dataclass
class Target:
    """A route with a right body for it."""

    name: str
    method: str
    path: Callable[[], str]
    schema: JSON
    body: Any


class Targets:
    """Every route that takes a body."""

    def __init__(self, api: Api, description: Description) -> None:
        self.api = api
        self.description = description
        self.world = api.table.world
        self.guild = next(iter(self.world.guilds.values()))
        self.ann = self.world.users[self.guild.owner_id]
        mine = self.guild.roles[self.guild.members[self.world.bot_id].roles[0]]
        mine.permissions |= Permission.ADMINISTRATOR
        self.role = self.world.add_role(self.guild, "players", 0)
        self.where = (self.ann.id, self.role.id, api.lobby.id)
        self.thread = self.world.add_thread(api.lobby, "thread", self.world.bot_id)
        api.table.interactions.first_answer_seconds = 3600.0

    def schema(self, name: str) -> JSON:
        return {"$ref": f"#/components/schemas/{name}"}

    def message(self, author: str | None = None) -> Message:
        bot, now = self.world.bot_id, self.world.clock.now()
        made = Message(self.world.clock.snowflake(), self.api.lobby.id, author or bot, now, content="here")
        self.world.add_message(made)
        return made

    def interaction(
        self, kind: interactions.Type, typed: int = 3, *, answered: bool = False
    ) -> interactions.Interaction:
        data = {"options": [{"name": "what", "type": typed, "value": "", "focused": True}]}
        message = self.message() if kind is interactions.Type.COMPONENT else None
        made = self.api.table.interactions.open(kind, self.ann, self.api.lobby, data, name="game", message=message)
        if answered:
            made.answer, made.original_id = interactions.AnswerKind.MESSAGE, self.message().id
        return made

    def callback(self, kind: interactions.Type, typed: int = 3) -> Callable[[], str]:
        """An interaction that waits for its answer: the same one until it has got one."""
        waiting: list[interactions.Interaction] = []

        def path() -> str:
            if not waiting or waiting[-1].answer is not None:
                waiting.append(self.interaction(kind, typed))
            return f"/interactions/{waiting[-1].id}/{waiting[-1].token}/callback"

        return path

    def fresh(self, form: str) -> Callable[[], str]:
        """A path with a message that is still as it was."""
        return lambda: form.format(self.message().id)

    def all(self) -> list[Target]:
        lobby, world = self.api.lobby.id, self.world
        text: JSON = {
            "content": "Words",
            "embeds": [samples.embed()],
            "allowed_mentions": samples.mentions(self.ann.id, self.role.id),
            "components": [samples.buttons(), {"type": 1, "components": [samples.selects(*self.where)[0]]}],
            "flags": 0,
            "attachments": [],
        }
        new = text | {"nonce": "1", "enforce_nonce": False, "tts": False, "sticker_ids": []}
        reply = {"message_id": self.message().id, "channel_id": lobby, "guild_id": self.guild.id, "type": 0}
        new |= {"message_reference": reply | {"fail_if_not_exists": False}}
        v2: JSON = {"flags": 1 << 15, "components": samples.layout(*self.where)}
        polled: JSON = {"poll": samples.poll()}
        v2_edit = v2 | {"content": None, "embeds": None}
        found = [
            *self.both("POST", lambda: f"/channels/{lobby}/messages", "MessageCreateRequest", new, v2, polled),
        ]
        edit = self.fresh(f"/channels/{lobby}/messages/{{}}")
        found += self.both("PATCH", edit, "MessageEditRequestPartial", text, v2_edit)
        answered = self.interaction(interactions.Type.COMMAND, answered=True)
        hook = f"/webhooks/{world.bot_id}/{answered.token}"
        found += self.both("POST", lambda: hook, "IncomingWebhookRequestPartial", text | {"tts": False}, v2, polled)

        def edited() -> str:
            answered.original_id = self.message().id
            return f"{hook}/messages/{answered.original_id}"

        found += self.both("PATCH", edited, "IncomingWebhookUpdateRequestPartial", text, v2_edit)
        found += self.answers(text, v2, polled)
        found += self.commands()
        found += self.places()
        return found

    def both(self, method: str, path: Callable[[], str], schema: str, *bodies: Any) -> list[Target]:
        return [Target(f"{schema} {n}", method, path, self.schema(schema), each) for n, each in enumerate(bodies)]

    def answers(self, text: JSON, v2: JSON, polled: JSON) -> list[Target]:
        command, component = (self.callback(each) for each in (interactions.Type.COMMAND, interactions.Type.COMPONENT))
        say, change = "CreateMessageInteractionCallbackRequest", "UpdateMessageInteractionCallbackRequest"
        found = [
            *self.both("POST", command, say, *({"type": 4, "data": each} for each in (text, v2, polled))),
            *self.both("POST", command, say, {"type": 5, "data": {"flags": 64}}),
            *self.both("POST", component, change, {"type": 7, "data": text}),
            *self.both("POST", component, change, {"type": 7, "data": v2 | {"content": None}}),
            *self.both("POST", component, change, {"type": 6}),
        ]
        for kind, typed, value in (("Integer", 4, 1), ("Number", 10, 1.5), ("String", 3, "1")):
            data = f"InteractionApplicationCommandAutocompleteCallback{kind}Data"
            schema = {
                "type": "object",
                "required": ["type", "data"],
                "properties": {"type": {"type": "integer", "enum": [8]}, "data": self.schema(data)},
            }
            path = self.callback(interactions.Type.AUTOCOMPLETE, typed)
            body = {"type": 8, "data": {"choices": [samples.choice(value)]}}
            found.append(Target(f"autocompletion {kind}", "POST", path, schema, body))
        modals = [{"type": 9, "data": each} for each in samples.modal(*self.where)]
        return [*found, *self.both("POST", command, "ModalInteractionCallbackRequest", *modals)]

    def commands(self) -> list[Target]:
        base = f"/applications/{self.world.bot_id}"
        found = []
        for path in (f"{base}/commands", f"{base}/guilds/{self.guild.id}/commands"):
            operation = self.description.operation("PUT", path)
            assert operation is not None
            assert operation.request is not None
            found.append(Target(f"PUT {path}", "PUT", lambda p=path: p, operation.request, samples.commands()))
        one = samples.command("single", samples.options())
        return [*found, *self.both("POST", lambda: f"{base}/commands", "ApplicationCommandCreateRequest", one)]

    def places(self) -> list[Target]:
        lobby, guild = self.api.lobby.id, self.guild.id
        thread: JSON = {"name": "thread", "auto_archive_duration": 60, "rate_limit_per_user": 0}
        free: JSON = thread | {"type": 11, "invitable": True}
        overwrite: JSON = {"id": self.role.id, "type": 0, "allow": 0, "deny": 0}
        channel: JSON = {
            "type": 0,
            "name": "channel",
            "position": 1,
            "topic": "What it is for",
            "nsfw": False,
            "rate_limit_per_user": 0,
            "parent_id": None,
            "permission_overwrites": [overwrite],
            "default_auto_archive_duration": 60,
            "default_thread_rate_limit_per_user": 0,
        }
        role: JSON = {"name": "role", "permissions": 0, "color": 1, "hoist": False, "mentionable": True}
        role |= {"icon": None, "unicode_emoji": None}
        gone = [self.message().id for _ in range(2)]
        found = [
            *self.both("POST", lambda: f"/channels/{lobby}/threads", "CreateTextThreadWithoutMessageRequest", free),
            *self.both(
                "POST",
                self.fresh(f"/channels/{lobby}/messages/{{}}/threads"),
                "CreateTextThreadWithMessageRequest",
                thread,
            ),
            *self.both(
                "PATCH",
                lambda: f"/channels/{self.thread.id}",
                "UpdateThreadRequestPartial",
                thread | {"archived": False, "locked": False, "invitable": True, "flags": 0},
            ),
            *self.both("PATCH", lambda: f"/channels/{lobby}", "UpdateGuildChannelRequestPartial", channel),
            *self.both("POST", lambda: f"/guilds/{guild}/channels", "CreateGuildChannelRequest", channel),
            *self.both("POST", lambda: f"/guilds/{guild}/roles", "CreateRoleRequest", role),
        ]
        direct = {"recipient_id": self.ann.id}
        found += self.both("POST", lambda: "/users/@me/channels", "CreatePrivateChannelRequest", direct)
        for method, path, body in (
            ("PUT", f"/channels/{lobby}/permissions/{self.role.id}", {"type": 0, "allow": 0, "deny": 0}),
            ("POST", f"/channels/{lobby}/messages/bulk-delete", {"messages": gone}),
        ):
            operation = self.description.operation(method, path)
            assert operation is not None
            assert operation.request is not None
            found.append(Target(operation.path, method, lambda p=path: p, operation.request, body))
        return found


async def test_every_right_body_is_taken(api: Api) -> None:
    targets = Targets(api, required())
    for each in targets.all():
        assert targets.description.problems(each.schema, each.body) == [], each.name
        status, answer = await api.call(each.method, each.path(), each.body)
        assert status < 300, (each.name, answer)


#: Wrong bodies that the table takes or refuses in another way than Discord. This list may only shrink.
KNOWN_GAPS: frozenset[str] = frozenset()


async def test_wrong_bodies_are_refused_as_discord_refuses_them(api: Api) -> None:
    targets = Targets(api, required())
    breaker = Breaker(targets.description)
    tried, gaps = 0, set()
    for each in targets.all():
        for wrong in breaker.violations(each.schema, each.body):
            status, answer = await api.call(each.method, each.path(), data=json.dumps(wrong.body), headers=JSON_TYPE)
            tried += 1
            if (status, answer and answer.get("code")) != (400, 50035):
                gaps.add(f"{each.name} {wrong}: {status}")
    assert tried > 4000
    assert gaps == KNOWN_GAPS


async def test_wrong_queries_are_refused(api: Api) -> None:
    targets = Targets(api, required())
    api.table.world.application.privileged_intents = int(Intent.GUILD_MEMBERS)
    lobby, guild = f"/channels/{api.lobby.id}", f"/guilds/{targets.guild.id}"
    tried = 0
    for path in (f"{lobby}/messages", f"{lobby}/messages/pins", f"{lobby}/threads/archived/public", f"{guild}/members"):
        operation = targets.description.operation("GET", path)
        assert operation is not None
        for each in operation.spec["parameters"]:
            schema = targets.description.resolved(each["schema"])
            edges = [schema[key] + step for key, step in (("minimum", -1), ("maximum", 1)) if key in schema]
            for value in (*edges, "many", "²", "9" * 5000):
                status, answer = await api.call("GET", f"{path}?{each['name']}={value}")
                assert (status, answer["code"]) == (400, 50035), (path, each["name"], value)
                tried += 1
    assert tried > 30


async def test_every_answer_is_as_discord_describes_it(api: Api, discord_agrees: Witness | None) -> None:
    """Each route once, with something to tell; the witness judges."""
    targets = Targets(api, required())
    world, lobby, guild = api.table.world, f"/channels/{api.lobby.id}", f"/guilds/{targets.guild.id}"
    world.application.privileged_intents = int(Intent.GUILD_MEMBERS)
    for each in targets.all():
        await api.call(each.method, each.path() + "?with_response=true", each.body)
    kept = targets.message()
    kept.pinned, kept.mentions = True, [targets.ann.id]
    threads = [each.id for each in world.channels.values() if each.is_thread]
    commands = f"/applications/{world.bot_id}/commands"
    some_command = next(each.id for each in world.commands.values() if each.guild_id is None)
    for path in (
        *("/users/@me", f"/users/{targets.ann.id}", "/applications/@me", "/oauth2/applications/@me", "/gateway"),
        *("/gateway/bot", commands, f"{commands}/{some_command}", f"/applications/{world.bot_id}{guild}/commands"),
        *(lobby, f"{lobby}/messages?limit=100", f"{lobby}/messages/pins", f"{lobby}/messages/{kept.id}"),
        *(f"{lobby}/threads/archived/public", f"/channels/{threads[0]}", f"/channels/{threads[0]}/thread-members"),
        *(guild, f"{guild}/channels", f"{guild}/threads/active", f"{guild}/members?limit=9", f"{guild}/roles"),
        f"{guild}/members/{targets.ann.id}",
    ):
        status, answer = await api.call("GET", path)
        assert status == 200, (path, answer)
    for path in (f"/channels/{threads[0]}", f"/channels/{threads[-1]}"):
        assert (await api.call("DELETE", path))[0] == 200
    for method, path in (
        ("PUT", f"{lobby}/messages/pins/{targets.message().id}"),
        ("DELETE", f"{lobby}/messages/pins/{kept.id}"),
        ("DELETE", f"{lobby}/messages/{kept.id}"),
        ("POST", f"{lobby}/typing"),
        ("PUT", f"{guild}/members/{targets.ann.id}/roles/{targets.role.id}"),
        ("DELETE", f"{guild}/members/{targets.ann.id}/roles/{targets.role.id}"),
        ("DELETE", f"{lobby}/permissions/{targets.role.id}"),
        ("DELETE", f"{commands}/{some_command}"),
    ):
        assert (await api.call(method, path))[0] == 204, path
    assert discord_agrees is not None
    assert discord_agrees.judged > 50


#: Each of our numbers, and where the description has it: a schema, a field of it, and a keyword.
NUMBERS: dict[str, tuple[str, str, str]] = {
    "AUTOCOMPLETE_CHOICES": ("InteractionApplicationCommandAutocompleteCallbackStringData", "choices", "maxItems"),
    "CHOICE_NAME": ("ApplicationCommandOptionStringChoice", "name", "maxLength"),
    "OPTION_VALUE": ("ApplicationCommandStringOption", "max_length", "maximum"),
    "CONTENT": ("IncomingWebhookRequestPartial", "content", "maxLength"),
    "EMBEDS": ("MessageCreateRequest", "embeds", "maxItems"),
    "EMBED_TITLE": ("RichEmbed", "title", "maxLength"),
    "EMBED_DESCRIPTION": ("RichEmbed", "description", "maxLength"),
    "EMBED_FIELDS": ("RichEmbed", "fields", "maxItems"),
    "EMBED_FIELD_NAME": ("RichEmbedField", "name", "maxLength"),
    "EMBED_FIELD_VALUE": ("RichEmbedField", "value", "maxLength"),
    "EMBED_FOOTER": ("RichEmbedFooter", "text", "maxLength"),
    "EMBED_AUTHOR": ("RichEmbedAuthor", "name", "maxLength"),
    "COLOUR": ("RichEmbed", "color", "maximum"),
    "URL": ("RichEmbed", "url", "maxLength"),
    "MEDIA_PLACEHOLDER": ("RichEmbedImage", "placeholder", "maxLength"),
    "ATTACHMENTS": ("MessageCreateRequest", "attachments", "maxItems"),
    "ATTACHMENT_DESCRIPTION": ("MessageAttachmentRequest", "description", "maxLength"),
    "FILENAME": ("MessageAttachmentRequest", "filename", "maxLength"),
    "WAVEFORM": ("MessageAttachmentRequest", "waveform", "maxLength"),
    "ALLOWED_MENTIONS": ("MessageAllowedMentionsRequest", "users", "maxItems"),
    "STICKERS": ("MessageCreateRequest", "sticker_ids", "maxItems"),
    "POLL_ANSWERS": ("PollCreateRequest", "answers", "maxItems"),
    "POLL_HOURS": ("PollCreateRequest", "duration", "maximum"),
    "POLL_TEXT": ("PollMedia", "text", "maxLength"),
    "THEME_COLOURS": ("CustomClientThemeShareRequest", "colors", "maxItems"),
    "WEBHOOK_NAME": ("IncomingWebhookRequestPartial", "username", "maxLength"),
    "COMPONENTS": ("MessageCreateRequest", "components", "maxItems"),
    "V2_TEXT": ("TextDisplayComponentForMessageRequest", "content", "maxLength"),
    "ROW_BUTTONS": ("ActionRowComponentForMessageRequest", "components", "maxItems"),
    "SECTION_TEXTS": ("SectionComponentForMessageRequest", "components", "maxItems"),
    "GALLERY_ITEMS": ("MediaGalleryComponentForMessageRequest", "items", "maxItems"),
    "MEDIA_DESCRIPTION": ("MediaGalleryItemRequest", "description", "maxLength"),
    "CUSTOM_ID": ("ButtonComponentForMessageRequest", "custom_id", "maxLength"),
    "BUTTON_LABEL": ("ButtonComponentForMessageRequest", "label", "maxLength"),
    "BUTTON_URL": ("ButtonComponentForMessageRequest", "url", "maxLength"),
    "EMOJI_NAME": ("ComponentEmojiForRequest", "name", "maxLength"),
    "SELECT_OPTIONS": ("StringSelectComponentForMessageRequest", "options", "maxItems"),
    "SELECT_PLACEHOLDER": ("StringSelectComponentForMessageRequest", "placeholder", "maxLength"),
    "OPTION_TEXT": ("StringSelectOptionForRequest", "label", "maxLength"),
    "MODAL_TITLE": ("ModalInteractionCallbackRequestData", "title", "maxLength"),
    "MODAL_LABEL": ("LabelComponentForModalRequest", "label", "maxLength"),
    "MODAL_LABEL_DESCRIPTION": ("LabelComponentForModalRequest", "description", "maxLength"),
    "TEXT_INPUT": ("TextInputComponentForModalRequest", "value", "maxLength"),
    "TEXT_INPUT_PLACEHOLDER": ("TextInputComponentForModalRequest", "placeholder", "maxLength"),
    "GROUP_OPTIONS": ("RadioGroupComponentForModalRequest", "options", "maxItems"),
    "RADIO_OPTIONS_MINIMUM": ("RadioGroupComponentForModalRequest", "options", "minItems"),
    "UPLOAD_FILES": ("FileUploadComponentForModalRequest", "max_values", "maximum"),
    "COMMAND_OPTIONS": ("ApplicationCommandCreateRequest", "options", "maxItems"),
    "COMMAND_NAME": ("ApplicationCommandCreateRequest", "name", "maxLength"),
    "COMMAND_DESCRIPTION": ("ApplicationCommandStringOption", "description", "maxLength"),
    "COMMAND_CHOICES": ("ApplicationCommandStringOption", "choices", "maxItems"),
    "PERMISSIONS": ("ApplicationCommandCreateRequest", "default_member_permissions", "maximum"),
    "CHANNEL_NAME": ("CreateGuildChannelRequest", "name", "maxLength"),
    "SLOW_MODE": ("CreateTextThreadWithMessageRequest", "rate_limit_per_user", "maximum"),
    "OVERWRITES": ("CreateGuildChannelRequest", "permission_overwrites", "maxItems"),
    "FORUM_TAGS": ("CreateGuildChannelRequest", "available_tags", "maxItems"),
    "APPLIED_TAGS": ("UpdateThreadRequestPartial", "applied_tags", "maxItems"),
    "ROLE_NAME": ("CreateRoleRequest", "name", "maxLength"),
}
#: The bot's own names for the same numbers.
BOT_NUMBERS = {
    "TEXT_IN_MESSAGE": "V2_TEXT",
    "OPTIONS": "SELECT_OPTIONS",
    "BUTTONS_IN_ROW": "ROW_BUTTONS",
    "BUTTON_LABEL": "BUTTON_LABEL",
    "OPTION_TEXT": "OPTION_TEXT",
    "PLACEHOLDER": "SELECT_PLACEHOLDER",
    "CUSTOM_ID": "CUSTOM_ID",
    "MODAL_TITLE": "MODAL_TITLE",
    "FIELD_LABEL": "MODAL_LABEL",
    "ALT_TEXT": "MEDIA_DESCRIPTION",
    "THREAD_NAME": "CHANNEL_NAME",
}
#: What Discord says elsewhere, or what is no ceiling of a body: rates, times, totals, sizes.
ELSEWHERE = {
    *("FIRST_ANSWER_SECONDS", "TOKEN_SECONDS", "CHOICE_VALUE", "EMBED_TOTAL", "FILE_BYTES", "REQUEST_BYTES", "PINS"),
    *("LEGACY_ROWS", "MODAL_ITEMS", "COMMANDS", "COMMAND_TEXT", "GUILD_CHANNELS", "GUILD_ROLES", "ACTIVE_THREADS"),
    *("TOPIC", "INVALID_REQUESTS", "OLD_MESSAGE_SECONDS", "HEARTBEAT_SECONDS", "GATEWAY_COMMANDS", "RESUME_BUFFER"),
    *("RESUME_SECONDS", "FRESH_SECONDS", "RENAME_COUNT", "RENAME_SECONDS", "EDITS", "EDITS_SECONDS"),
}


def test_our_ceilings_are_those_of_the_description() -> None:
    known = required()
    for name, (schema, field, keyword) in NUMBERS.items():
        assert getattr(limits, name) == known.schemas[schema]["properties"][field][keyword], name
    nonces = known.schemas["MessageCreateRequest"]["properties"]["nonce"]["oneOf"]
    assert next(each["maxLength"] for each in nonces if "maxLength" in each) == limits.NONCE
    routes = {
        "ALL_COMMANDS": ("PUT", "/applications/1/commands"),
        "BULK_DELETE": ("POST", "/channels/1/messages/bulk-delete"),
    }
    for name, (method, path) in routes.items():
        operation = known.operation(method, path)
        assert operation is not None
        assert operation.request is not None
        listed = operation.request.get("properties", {}).get("messages", operation.request)
        assert getattr(limits, name) == listed["maxItems"], name
    pages = {"HISTORY_PAGE": "/channels/1/messages", "MEMBERS_PAGE": "/guilds/1/members"}
    for name, path in (pages | {"PINS_PAGE": "/channels/1/messages/pins"}).items():
        operation = known.operation("GET", path)
        assert operation is not None
        [limit] = [each for each in operation.spec["parameters"] if each["name"] == "limit"]
        assert getattr(limits, name) == limit["schema"]["maximum"], name
    compared = {*NUMBERS, *routes, *pages, "NONCE", "PINS_PAGE"}
    names = {each for each in vars(limits) if each.isupper() and not each.startswith("RATE_")}
    assert names - ELSEWHERE == compared, "a new ceiling is compared, or said to be from elsewhere"


def test_the_bots_ceilings_are_the_tables() -> None:
    for name, ours in BOT_NUMBERS.items():
        assert getattr(bot_limits, name) == getattr(limits, ours), name
    assert {each for each in vars(bot_limits) if each.isupper()} - ELSEWHERE == set(BOT_NUMBERS)
    assert ALT_LIMIT == limits.MEDIA_DESCRIPTION
