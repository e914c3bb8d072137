"""The records of the world in the JSON that Discord sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from table.clock import iso, moment_of
from table.components import SELECTS, Kind
from table.model import (
    JSON,
    Application,
    Attachment,
    Channel,
    Command,
    Guild,
    Member,
    Message,
    Role,
    User,
)
from table.world import World

#: Keys under which a component or an embed points to a picture or a file.
MEDIA_KEYS = frozenset({"url", "icon_url", "proxy_url"})


def user(each: User) -> JSON:
    """A user object."""
    return {
        "id": each.id,
        "username": each.name,
        "discriminator": "0",
        "global_name": each.display_name,
        "avatar": None,
        "bot": each.bot,
        "public_flags": 0,
        "flags": 0,
        "banner": None,
        "accent_color": None,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }


def self_user(each: User) -> JSON:
    """The bot as it sees itself."""
    return user(each) | {"mfa_enabled": True, "locale": "en-US", "verified": True, "email": None}


def member(world: World, each: Member, *, with_user: bool = True) -> JSON:
    """A member object; inside a message or a resolved option it goes without its user."""
    data: JSON = {
        "roles": each.roles,
        "nick": each.nick,
        "avatar": None,
        "joined_at": iso(each.joined),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "banner": None,
        "communication_disabled_until": None,
    }
    if with_user:
        data["user"] = user(world.users[each.user_id])
    return data


def role(each: Role) -> JSON:
    """A role object."""
    return {
        "id": each.id,
        "name": each.name,
        "color": each.colour,
        "hoist": False,
        "position": each.position,
        "colors": {"primary_color": each.colour, "secondary_color": None, "tertiary_color": None},
        "permissions": str(int(each.permissions)),
        "managed": each.managed,
        "mentionable": each.mentionable,
        "flags": 0,
        "icon": None,
        "unicode_emoji": None,
    }


def channel(world: World, each: Channel, viewer: str | None = None) -> JSON:
    """A channel, thread or direct message as `viewer` sees it."""
    data: JSON = {"id": each.id, "type": int(each.type), "last_message_id": each.last_message_id, "flags": 0}
    if each.is_direct:
        data["recipients"] = [user(world.users[one]) for one in each.recipients if one != viewer]
        return data
    data |= {
        "guild_id": each.guild_id,
        "name": each.name,
        "parent_id": each.parent_id,
        "rate_limit_per_user": 0,
    }
    if each.is_thread:
        data |= {
            "owner_id": each.owner_id,
            "message_count": each.message_count,
            "total_message_sent": each.message_count,
            "member_count": len(each.members),
            "thread_metadata": {
                "archived": each.archived,
                "locked": each.locked,
                "invitable": each.invitable,
                "auto_archive_duration": each.auto_archive_minutes,
                "archive_timestamp": iso(each.archive_changed),
                "create_timestamp": iso(moment_of(each.id)),
            },
        }
        if viewer in each.members:
            data["member"] = thread_member(each, str(viewer))
        return data
    return data | {
        "nsfw": False,
        "topic": each.topic,
        "position": each.position,
        "permission_overwrites": [
            {"id": one.id, "type": one.kind, "allow": str(one.allow), "deny": str(one.deny)}
            for one in each.overwrites.values()
        ],
    }


def thread_member(each: Channel, user_id: str) -> JSON:
    """A user's place in a thread."""
    return {
        "id": each.id,
        "user_id": user_id,
        "join_timestamp": iso(each.archive_changed),
        "flags": 0,
    }


def guild(world: World, each: Guild, viewer: str, *, all_members: bool = True) -> JSON:
    """A server in full, as GUILD_CREATE carries it. Without the members intent a bot meets only itself."""
    shown = each.members.values() if all_members else [each.members[viewer]]
    return {
        **guild_brief(each),
        "joined_at": iso(each.members[viewer].joined),
        "large": False,
        "unavailable": False,
        "member_count": len(each.members),
        "members": [member(world, one) for one in shown],
        "channels": [
            channel(world, one)
            for one in world.channels.values()
            if one.guild_id == each.id and not one.is_thread and world.sees(viewer, one)
        ],
        "threads": [channel(world, one, viewer) for one in world.threads_of(each.id) if world.sees(viewer, one)],
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
    }


def guild_brief(each: Guild) -> JSON:
    """A server without its members and channels, as a GET answers it."""
    return {
        "id": each.id,
        "name": each.name,
        "owner_id": each.owner_id,
        "icon": None,
        "splash": None,
        "preferred_locale": each.locale,
        "features": [],
        "roles": [role(one) for one in each.roles.values()],
        "home_header": None,
        "region": "deprecated",
        "widget_enabled": False,
        "widget_channel_id": None,
        "max_presences": None,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "safety_alerts_channel_id": None,
        "nsfw": False,
        "incidents_data": None,
        "emojis": [],
        "stickers": [],
        "afk_channel_id": None,
        "afk_timeout": 300,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "application_id": None,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "description": None,
        "banner": None,
        "discovery_splash": None,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "premium_progress_bar_enabled": False,
        "nsfw_level": 0,
        "max_members": 500_000,
    }


def application(world: World, each: Application) -> JSON:
    """The application object."""
    owner = next((one for one in world.users.values() if not one.bot), world.users[each.id])
    return {
        "id": each.id,
        "name": each.name,
        "icon": None,
        "description": "",
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "team": None,
        "owner": user(owner),
        "bot": user(world.users[each.id]),
        "rpc_origins": [],
        "type": None,
        "flags_new": "0",
        "approximate_guild_count": len(world.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": ["applications.commands", "bot"],
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "integration_types_config": {"0": {}, "1": {}},
    }


def command(each: Command, application_id: str) -> JSON:
    """A registered command. What was sent as null comes back as the default, permissions as a text."""
    given = {key: _solid(value) for key, value in each.data.items() if value is not None}
    contexts, needed = given.get("contexts"), given.get("default_member_permissions")
    data = {
        "type": 1,
        "description": "",
        "name_localizations": None,
        "description_localizations": None,
        "nsfw": False,
        "integration_types": [0, 1],
        "dm_permission": contexts is None or contexts != [0],
        **given,
        "contexts": contexts,
        "default_member_permissions": None if needed is None else str(needed),
        "id": each.id,
        "application_id": application_id,
        "version": each.version,
    }
    if each.guild_id is not None:
        data["guild_id"] = each.guild_id
    return data


def _solid(node: Any) -> Any:
    """A copy without fields that are null."""
    if isinstance(node, list):
        return [_solid(each) for each in node]
    if isinstance(node, dict):
        return {key: _solid(value) for key, value in node.items() if value is not None}
    return node


def attachment_path(each: Attachment, message: Message) -> str:
    """Where the table serves an attachment."""
    folder = "ephemeral-attachments" if message.reader else "attachments"
    return f"/{folder}/{message.channel_id}/{each.id}/{each.filename}"


def attachment(world: World, each: Attachment, message: Message) -> JSON:
    """An attachment object."""
    url = world.base_url + attachment_path(each, message)
    data: JSON = {
        "id": each.id,
        "filename": each.filename,
        "size": each.size,
        "url": url,
        "proxy_url": url,
        "content_type": each.content_type,
        "ephemeral": message.reader is not None,
        "flags": 0,
    }
    if each.description is not None:
        data["description"] = each.description
    if each.width is not None:
        data |= {"width": each.width, "height": each.height}
    return data


def message(world: World, each: Message, *, with_reference: bool = True) -> JSON:
    """A message object; the one that it refers to comes with it, but not what that one refers to in turn."""
    author = world.users[each.author_id]
    data: JSON = {
        "id": each.id,
        "channel_id": each.channel_id,
        "author": user(author),
        "content": each.content,
        "timestamp": iso(each.created),
        "edited_timestamp": None if each.edited is None else iso(each.edited),
        "tts": False,
        "mention_everyone": each.mention_everyone,
        "mention_roles": each.mention_roles,
        "mentions": [user(world.users[one]) for one in each.mentions if one in world.users],
        "attachments": [attachment(world, one, each) for one in each.attachments],
        "embeds": [{"type": "rich", **_solid(one)} for one in placed(each.embeds, world, each)],
        "components": [shown(one, world, each) for one in placed(each.components, world, each)],
        "pinned": each.pinned,
        "type": int(each.type),
        "flags": int(each.flags),
    }
    if each.poll is not None:
        data["poll"] = poll(each)
    if each.nonce is not None:
        data["nonce"] = each.nonce
    if each.interaction is not None:
        data |= {"application_id": world.bot_id, "webhook_id": world.bot_id}
        data |= _interaction_fields(world, each.interaction)
    elif author.bot:
        data["application_id"] = world.bot_id
    if each.reference is not None:
        data["message_reference"] = {"type": 0, **each.reference}
        wanted = each.reference.get("message_id")
        if wanted is not None and with_reference:
            origin = world.messages.get(each.reference["channel_id"], {}).get(wanted)
            data["referenced_message"] = origin and message(world, origin, with_reference=False)
    if each.thread_id in world.channels and each.thread_id is not None:
        data["thread"] = channel(world, world.channels[each.thread_id])
    return data


def poll(each: Message) -> JSON:
    """A poll object; nobody votes at the table."""
    assert each.poll is not None
    data = _solid(each.poll)
    answers = [
        {"answer_id": number, "poll_media": _poll_media(one["poll_media"])}
        for number, one in enumerate(data["answers"], start=1)
    ]
    return {
        "question": _poll_media(data["question"]),
        "answers": answers,
        "expiry": iso(each.created + data.get("duration", 24) * 3600),
        "allow_multiselect": data.get("allow_multiselect", False),
        "layout_type": 1,
        "results": {"answer_counts": [], "is_finalized": False},
    }


def _poll_media(given: JSON) -> JSON:
    data = {key: given[key] for key in ("text", "emoji") if key in given}
    return data | ({"emoji": {"id": None, "name": None, **data["emoji"]}} if "emoji" in data else {})


def _interaction_fields(world: World, meta: JSON) -> JSON:
    person = user(world.users[meta["user_id"]])
    fields: JSON = {"interaction_metadata": interaction_metadata(world, meta)}
    if meta["type"] == 2:
        fields["interaction"] = {"id": meta["id"], "type": 2, "name": meta["name"], "user": person}
    return fields


def interaction_metadata(world: World, meta: JSON) -> JSON:
    """How a message says which interaction it answers."""
    data: JSON = {
        "id": meta["id"],
        "type": meta["type"],
        "user": user(world.users[meta["user_id"]]),
        "authorizing_integration_owners": meta["owners"],
    }
    for key in ("original_response_message_id", "interacted_message_id"):
        if key in meta:
            data[key] = meta[key]
    if "trigger" in meta:
        data["triggering_interaction_metadata"] = interaction_metadata(world, meta["trigger"])
    return data


def placed(tree: Any, world: World, each: Message) -> Any:
    """A copy of embeds or components in which references to attachments have become addresses."""
    by_name = {one.filename: one for one in each.attachments}

    def resolve(url: str) -> tuple[str, Attachment | None]:
        if url.startswith("attachment://"):
            if found := by_name.get(url.removeprefix("attachment://")):
                return world.base_url + attachment_path(found, each), found
        elif url.startswith("/"):
            found = next((one for one in each.attachments if f"/{one.id}/" in url), None)
            return world.base_url + url, found
        return url, None

    return _walk(tree, resolve, components=tree is each.components)


def _walk(node: Any, resolve: Callable[[str], tuple[str, Attachment | None]], *, components: bool) -> Any:
    if isinstance(node, list):
        return [_walk(each, resolve, components=components) for each in node]
    if not isinstance(node, dict):
        return node
    result: JSON = {}
    for key, value in node.items():
        if key in MEDIA_KEYS and isinstance(value, str):
            url, found = resolve(value)
            result[key] = url
            if key == "url" and found is not None:
                result |= {"proxy_url": url, "width": found.width, "height": found.height}
                result["content_type"] = found.content_type
                if components:
                    result["attachment_id"] = found.id
        else:
            result[key] = _walk(value, resolve, components=components)
    return result


#: What Discord fills in where a component was sent without it.
_DEFAULTS: Final[dict[int, JSON]] = {
    **{each: {"min_values": 1, "max_values": 1} for each in SELECTS},
    Kind.CONTAINER: {"accent_color": None, "spoiler": False},
    Kind.SEPARATOR: {"spacing": 1, "divider": True},
    Kind.THUMBNAIL: {"description": None, "spoiler": False},
    Kind.FILE: {"spoiler": False},
}


def shown(given: JSON, world: World, each: Message) -> JSON:
    """A component as Discord sends it back: defaults filled in, media described, what only requests have left out."""
    data = _DEFAULTS.get(given["type"], {}) | {key: value for key, value in given.items() if value is not None}
    data.pop("required", None)
    if "components" in data:
        data["components"] = [shown(one, world, each) for one in data["components"]]
    if "accessory" in data:
        data["accessory"] = shown(data["accessory"], world, each)
    if "media" in data:
        data["media"] = _media(data["media"], data["id"])
    if "items" in data:
        plain: JSON = {"description": None, "spoiler": False}
        data["items"] = [
            plain | _solid(item) | {"media": _media(item["media"], data["id"], place)}
            for place, item in enumerate(data["items"])
        ]
    if "file" in data:
        data["file"] = _media(data["file"], data["id"])
        found = next((one for one in each.attachments if one.id == data["file"].get("attachment_id")), None)
        data |= {"name": found.filename if found else "file", "size": found.size if found else 0}
    for key in ("options", "emoji", "default_values"):
        if key in data:
            data[key] = _solid(data[key])
    return data


def _media(given: JSON, component: int, place: int = 0) -> JSON:
    """A picture or file in a component, with an id of its own."""
    data = {"proxy_url": given["url"], **given}
    return {"id": str(component * 100 + place), **data}


def for_bot(world: World, each: Message, *, with_content: bool) -> JSON:
    """A message as the gateway tells of it: with its server and members, and blank without the content intent."""
    data = message(world, each)
    place = world.channels[each.channel_id]
    readable = with_content or each.author_id == world.bot_id or world.bot_id in each.mentions or place.is_direct
    if not readable:
        data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    if place.guild_id is None:
        return data
    data["guild_id"] = place.guild_id
    members = world.guilds[place.guild_id].members
    if found := members.get(each.author_id):
        data["member"] = member(world, found, with_user=False)
    for mentioned in data["mentions"]:
        if found := members.get(mentioned["id"]):
            mentioned["member"] = member(world, found, with_user=False)
    return data


def interaction_channel(world: World, each: Channel, viewer: str) -> JSON:
    """The channel of an interaction, with what its user may do there."""
    data = channel(world, each, world.bot_id)
    if not each.is_direct:
        data["permissions"] = str(world.permissions(viewer, each))
    return data
