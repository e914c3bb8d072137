"""Turns what a person types or picks into the data of an interaction."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from table import limits, wire
from table.commands import GROUP, SUB_COMMAND, local_name
from table.components import SELECTS, Kind
from table.composing import Upload, keep_upload
from table.errors import Refused
from table.model import JSON, Attachment, Channel, Command, Message, Role, User
from table.world import World


class OptionType(IntEnum):
    """Types of command options that carry a value."""

    STRING = 3
    INTEGER = 4
    BOOLEAN = 5
    USER = 6
    CHANNEL = 7
    ROLE = 8
    MENTIONABLE = 9
    NUMBER = 10
    ATTACHMENT = 11


class Resolved:
    """Collects the full records behind the ids in an interaction."""

    def __init__(self, world: World, channel: Channel, viewer: User) -> None:
        self._world = world
        self._place = channel
        self._viewer = viewer
        self._data: JSON = {}

    def _put(self, kind: str, key: str, value: JSON) -> str:
        self._data.setdefault(kind, {})[key] = value
        return key

    def user(self, given: object) -> str:
        """A user, by record, id or name."""
        world = self._world
        wanted = given.id if isinstance(given, User) else str(given).removeprefix("@")
        found = world.users.get(wanted) or next(
            (each for each in world.users.values() if wanted in (each.name, each.display_name)), None
        )
        guild = world.guilds.get(self._place.guild_id or "")
        if found is None or (guild is not None and found.id not in guild.members):
            raise Refused(f"Nobody here is called {wanted}.")
        self._put("users", found.id, wire.user(found))
        if guild is not None:
            member = wire.member(world, guild.members[found.id], with_user=False)
            allowed = str(world.permissions(found.id, self._place))
            self._put("members", found.id, member | {"permissions": allowed})
        return found.id

    def role(self, given: object) -> str:
        """A role, by record, id or name."""
        guild = self._world.guilds.get(self._place.guild_id or "")
        wanted = given.id if isinstance(given, Role) else str(given).removeprefix("@")
        roles = guild.roles.values() if guild else ()
        found = next((each for each in roles if wanted in (each.id, each.name)), None)
        if found is None:
            raise Refused(f"There is no role {wanted} here.")
        return self._put("roles", found.id, wire.role(found))

    def mentionable(self, given: object) -> str:
        """A user or a role."""
        try:
            return self.user(given)
        except Refused:
            return self.role(given)

    def channel(self, given: object, kinds: Iterable[int] = ()) -> str:
        """A channel of this server that the person sees, by record, id or name."""
        world = self._world
        wanted = given.id if isinstance(given, Channel) else str(given).removeprefix("#")
        allowed = set(kinds)
        for each in world.channels.values():
            if wanted not in (each.id, each.name) or each.guild_id != self._place.guild_id:
                continue
            if world.sees(self._viewer.id, each) and (not allowed or each.type in allowed):
                return self._put("channels", each.id, wire.interaction_channel(world, each, self._viewer.id))
        raise Refused(f"There is no such channel as {wanted} to choose.")

    def attachment(self, given: object) -> str:
        """A file that the person uploads with the interaction."""
        if not isinstance(given, Upload):
            raise Refused("A file is needed here.")
        if len(given.data) > limits.FILE_BYTES:
            raise Refused("Your files are too powerful: 10 MiB is the most.")
        kept: Attachment = keep_upload(self._world, given)
        # It belongs to no message, so it is addressed by a message that only its sender ever had.
        holder = Message(kept.id, self._place.id, self._viewer.id, self._world.clock.now(), reader=self._viewer.id)
        return self._put("attachments", kept.id, wire.attachment(self._world, kept, holder))

    def into(self, data: JSON) -> JSON:
        """The interaction's data with what was resolved."""
        return data | {"resolved": self._data} if self._data else data


def leaf(command: Command, way: list[JSON]) -> JSON:
    """The part of a command that takes the options."""
    return way[-1] if way else command.data


def command_data(
    world: World,
    user: User,
    channel: Channel,
    command: Command,
    way: list[JSON],
    given: dict[str, Any],
    *,
    focused: str | None = None,
) -> JSON:
    """The data of a slash command, or of its autocompletion when an option is `focused`."""
    resolved = Resolved(world, channel, user)
    spec = leaf(command, way).get("options") or []
    known = {name: each for each in spec for name in (each["name"], local_name(each, user.locale))}
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise Refused(f"The command has no option {name}.")
        values[known[name]["name"]] = value
    filled: list[JSON] = []
    for each in spec:
        name = each["name"]
        entry: JSON = {"name": name, "type": each["type"]}
        if focused is not None and known.get(focused) is each:
            # What is being typed goes to the bot as it is, however unfinished.
            filled.append(entry | {"value": str(values.get(name, "")), "focused": True})
        elif name in values:
            filled.append(entry | {"value": _value(each, values[name], resolved, strict=focused is None)})
        elif each.get("required") and focused is None:
            raise Refused(f"/{command.data['name']}: the option {local_name(each, user.locale)} is required.")
    for step in reversed(way):
        filled = [{"name": step["name"], "type": step["type"], "options": filled}]
    data: JSON = {"id": command.id, "name": command.data["name"], "type": 1, "options": filled}
    if command.guild_id is not None:
        data["guild_id"] = command.guild_id
    return resolved.into(data)


def full_name(command: Command, way: list[JSON]) -> str:
    """The name with its sub-commands, as a message's header shows it."""
    assert all(each["type"] in (SUB_COMMAND, GROUP) for each in way)
    return " ".join((command.data["name"], *(each["name"] for each in way)))


def _value(spec: JSON, given: Any, resolved: Resolved, *, strict: bool) -> Any:
    name = spec["name"]
    if spec.get("choices"):
        for choice in spec["choices"]:
            labels = (choice["name"], *(choice.get("name_localizations") or {}).values())
            if given == choice["value"] or str(given) == str(choice["value"]) or given in labels:
                return choice["value"]
        raise Refused(f"{name}: {given} is not one of the choices.")
    match spec["type"]:
        case OptionType.STRING:
            text = str(given)
            least, most = spec.get("min_length", 0), spec.get("max_length", 6000)
            if strict and not least <= len(text) <= most:
                raise Refused(f"{name}: between {least} and {most} characters, please.")
            return text
        case OptionType.INTEGER | OptionType.NUMBER:
            return _number(spec, given, strict=strict)
        case OptionType.BOOLEAN:
            if isinstance(given, str):
                return given.lower() in ("true", "yes", "ja", "1")
            return bool(given)
        case OptionType.USER:
            return resolved.user(given)
        case OptionType.CHANNEL:
            return resolved.channel(given, spec.get("channel_types") or ())
        case OptionType.ROLE:
            return resolved.role(given)
        case OptionType.MENTIONABLE:
            return resolved.mentionable(given)
    return resolved.attachment(given)


def _number(spec: JSON, given: Any, *, strict: bool) -> int | float | str:
    try:
        number = int(str(given)) if spec["type"] == OptionType.INTEGER else float(str(given))
    except ValueError:
        if not strict:
            return str(given)
        raise Refused(f"{spec['name']}: {given} is not a number.") from None
    least, most = spec.get("min_value"), spec.get("max_value")
    if strict and ((least is not None and number < least) or (most is not None and number > most)):
        raise Refused(f"{spec['name']}: {number} is out of range.")
    return number


def picked(
    world: World, user: User, channel: Channel, component: JSON, given: Iterable[object]
) -> tuple[list[str], Resolved]:
    """The values of a select menu, checked against what it offers."""
    resolved = Resolved(world, channel, user)
    values = [_pick(component, each, resolved) for each in given]
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    if not least <= len(values) <= most:
        raise Refused(f"Choose {least}." if least == most else f"Choose {least} to {most}.")
    return values, resolved


def _pick(component: JSON, given: object, resolved: Resolved) -> str:
    match component["type"]:
        case Kind.STRING_SELECT:
            for option in component["options"]:
                if given in (option["value"], option["label"]):
                    return str(option["value"])
            raise Refused(f"{given} is not among the options.")
        case Kind.USER_SELECT:
            return resolved.user(given)
        case Kind.ROLE_SELECT:
            return resolved.role(given)
        case Kind.CHANNEL_SELECT:
            return resolved.channel(given, component.get("channel_types") or ())
    return resolved.mentionable(given)


def submission(world: World, user: User, channel: Channel, modal: JSON, filled: list[JSON]) -> JSON:
    """The data of a submitted modal."""
    resolved = Resolved(world, channel, user)
    for each in filled:
        for field in (each.get("component"), *each.get("components", ())):
            if field is None or "values" not in field:
                continue
            if field["type"] == Kind.FILE_UPLOAD:
                field["values"] = [resolved.attachment(one) for one in field["values"]]
            elif field["type"] in SELECTS and field["type"] != Kind.STRING_SELECT:
                field["values"] = [_pick({"type": field["type"]}, one, resolved) for one in field["values"]]
    return resolved.into({"custom_id": modal["custom_id"], "components": filled})
