"""The records of the world in the JSON that Discord sends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from table.clock import iso, moment_of
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
    }


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
        "nsfw": False,
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
        "threads": [
            channel(world, one, viewer) for one in world.threads_of(each.id) if world.sees(viewer, one)
        ],
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
        "summary": "",
        "approximate_guild_count": len(world.guilds),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "integration_types_config": {"0": {}, "1": {}},
    }


def command(each: Command, application_id: str) -> JSON:
    """A registered command."""
    data = {
        "type": 1,
        "default_member_permissions": None,
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
        "dm_permission": True,
        "options": [],
        **each.data,
        "id": each.id,
        "application_id": application_id,
        "version": each.version,
    }
    if each.guild_id is not None:
        data["guild_id"] = each.guild_id
    return data


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
    place = world.channels[each.channel_id]
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
        "mentions": [mention(world, one, place) for one in each.mentions if one in world.users],
        "attachments": [attachment(world, one, each) for one in each.attachments],
        "embeds": placed(each.embeds, world, each),
        "components": placed(each.components, world, each),
        "pinned": each.pinned,
        "type": int(each.type),
        "flags": int(each.flags),
    }
    if place.guild_id is not None:
        data["guild_id"] = place.guild_id
        if place_member := world.guilds[place.guild_id].members.get(each.author_id):
            data["member"] = member(world, place_member, with_user=False)
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


def mention(world: World, user_id: str, place: Channel) -> JSON:
    """A mentioned user, with the place in the server where there is one."""
    data = user(world.users[user_id])
    if place.guild_id and (found := world.guilds[place.guild_id].members.get(user_id)):
        data["member"] = member(world, found, with_user=False)
    return data


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
    for key in ("name", "original_response_message_id", "interacted_message_id"):
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

    return _walk(tree, resolve)


def _walk(node: Any, resolve: Callable[[str], tuple[str, Attachment | None]]) -> Any:
    if isinstance(node, list):
        return [_walk(each, resolve) for each in node]
    if not isinstance(node, dict):
        return node
    result: JSON = {}
    for key, value in node.items():
        if key in MEDIA_KEYS and isinstance(value, str):
            url, found = resolve(value)
            result[key] = url
            if key == "url" and found is not None:
                result |= {"proxy_url": url, "width": found.width, "height": found.height}
                result |= {"content_type": found.content_type, "attachment_id": found.id}
        else:
            result[key] = _walk(value, resolve)
    return result


def for_bot(world: World, each: Message, *, with_content: bool) -> JSON:
    """A message as the gateway shows it to the bot, blank where it lacks the message content intent."""
    data = message(world, each)
    readable = (
        with_content
        or each.author_id == world.bot_id
        or world.bot_id in each.mentions
        or world.channels[each.channel_id].is_direct
    )
    if not readable:
        data |= {"content": "", "embeds": [], "attachments": [], "components": []}
    return data


def interaction_channel(world: World, each: Channel, viewer: str) -> JSON:
    """The channel of an interaction, with what its user may do there."""
    data = channel(world, each, world.bot_id)
    if not each.is_direct:
        data["permissions"] = str(world.permissions(viewer, each))
    return data
