"""Application commands: checks what the bot registers, and finds the ones a person may use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from table import limits
from table.errors import FormErrors, Refused
from table.model import JSON, Channel, Command, User
from table.permissions import Permission
from table.world import Event, World

# Letters of any script, digits, hyphen and underscore; chat commands are in lower case.
_NAME: Final = re.compile(r"^[-_'\w]{1,32}$")
SUB_COMMAND: Final = 1
GROUP: Final = 2
CHAT_INPUT: Final = 1
CONTEXT_GUILD: Final = 0
CONTEXT_BOT_DIRECT: Final = 1


def register(world: World, guild_id: str | None, payload: Any) -> list[Command]:
    """Replace all commands of a scope. A command that keeps its name keeps its id."""
    form = FormErrors()
    if not isinstance(payload, list):
        form.add((), "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
        form.check()
    names: set[tuple[int, str]] = set()
    chat_commands = 0
    for index, each in enumerate(payload):
        _check(each, (index,), form, depth=0)
        key = (each.get("type", CHAT_INPUT), each.get("name"))
        if key in names:
            form.add(
                (index,), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        names.add(key)
        chat_commands += key[0] == CHAT_INPUT
        if sum(map(len, _texts(each))) > limits.COMMAND_TEXT:
            form.add(
                (index,),
                "APPLICATION_COMMAND_TOO_LARGE",
                f"Command exceeds maximum size ({limits.COMMAND_TEXT})",
            )
    if chat_commands > limits.COMMANDS:
        form.add((), "APPLICATION_COMMANDS_MAX", f"Maximum number of commands reached ({limits.COMMANDS})")
    form.check()
    return _replace(world, guild_id, payload)


def _replace(world: World, guild_id: str | None, payload: list[JSON]) -> list[Command]:
    old = {
        (each.data.get("type", CHAT_INPUT), each.data["name"]): each
        for each in world.commands.values()
        if each.guild_id == guild_id
    }
    for each in old.values():
        del world.commands[each.id]
        world.store.drop("command", each.id)
    made = []
    for data in payload:
        before = old.get((data.get("type", CHAT_INPUT), data["name"]))
        key = before.id if before else world.clock.snowflake()
        version = before.version if before and before.data == data else world.clock.snowflake()
        command = Command(key, guild_id, version, data)
        world.commands[key] = command
        world.store.put("command", key, command)
        made.append(command)
    world.tell(Event("COMMANDS_UPDATE", data={"guild_id": guild_id}))
    return made


def _check(each: JSON, path: tuple[str | int, ...], form: FormErrors, depth: int) -> None:
    name = each.get("name")
    chat = depth > 0 or each.get("type", CHAT_INPUT) == CHAT_INPUT
    if form.length((*path, "name"), name, 1, limits.COMMAND_NAME) and chat:
        _check_name((*path, "name"), name, form)
        for locale, local in (each.get("name_localizations") or {}).items():
            if form.length((*path, "name_localizations", locale), local, 1, limits.COMMAND_NAME):
                _check_name((*path, "name_localizations", locale), local, form)
    if chat:
        form.length((*path, "description"), each.get("description"), 1, limits.COMMAND_DESCRIPTION)
        for locale, local in (each.get("description_localizations") or {}).items():
            form.length((*path, "description_localizations", locale), local, 1, limits.COMMAND_DESCRIPTION)
    _check_options(each, path, form, depth)
    choices = each.get("choices")
    if choices:
        form.count((*path, "choices"), choices, 0, limits.COMMAND_CHOICES)
        for index, choice in enumerate(choices):
            form.length((*path, "choices", index, "name"), choice.get("name"), 1, limits.CHOICE_NAME)
        if each.get("autocomplete"):
            form.add(
                (*path, "autocomplete"),
                "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
                "Autocomplete may not be set to true if choices are present",
            )


def _check_name(path: tuple[str | int, ...], name: Any, form: FormErrors) -> None:
    if not _NAME.match(name) or name != name.lower():
        form.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")


def _check_options(each: JSON, path: tuple[str | int, ...], form: FormErrors, depth: int) -> None:
    options = each.get("options") or []
    form.count((*path, "options"), options, 0, limits.COMMAND_OPTIONS)
    seen: set[str] = set()
    optional = False
    kinds = {option.get("type") in (SUB_COMMAND, GROUP) for option in options}
    if len(kinds) > 1:
        form.add(
            (*path, "options"),
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    for index, option in enumerate(options):
        where = (*path, "options", index)
        if not form.choice((*where, "type"), option.get("type"), set(range(1, 12))):
            continue
        nested = (option["type"] == GROUP and depth > 0) or (option["type"] == SUB_COMMAND and depth > 1)
        if nested:
            form.add(
                (*where, "type"),
                "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
                "Sub-command groups may not be nested",
            )
        if option.get("name") in seen:
            form.add(
                (*where, "name"),
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option name already exists",
            )
        seen.add(str(option.get("name")))
        if option.get("required") and optional:
            form.add(
                (*where, "required"),
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional |= not option.get("required", False)
        _check(option, where, form, depth + 1)


def _texts(each: JSON) -> Iterator[str]:
    yield str(each.get("name", ""))
    yield str(each.get("description", ""))
    for choice in each.get("choices") or []:
        yield str(choice.get("name", ""))
        yield str(choice.get("value", ""))
    for option in each.get("options") or []:
        yield from _texts(option)


def local_name(data: JSON, locale: str) -> str:
    """The name of a command, option or choice as somebody of this locale reads it."""
    return str((data.get("name_localizations") or {}).get(locale) or data["name"])


def usable(world: World, user: User, channel: Channel) -> list[Command]:
    """The chat commands that `user` is offered in `channel`; a server's own hides a global namesake."""
    if not world.may(user.id, channel, Permission.USE_APPLICATION_COMMANDS):
        return []
    if channel.guild_id and world.bot_id not in world.guilds[channel.guild_id].members:
        return []
    found: dict[str, Command] = {}
    for each in world.commands.values():
        data = each.data
        if data.get("type", CHAT_INPUT) != CHAT_INPUT or each.guild_id not in (None, channel.guild_id):
            continue
        contexts = data.get("contexts")
        here = CONTEXT_BOT_DIRECT if channel.is_direct else CONTEXT_GUILD
        if contexts is not None and here not in contexts:
            continue
        if contexts is None and channel.is_direct and data.get("dm_permission") is False:
            continue
        needed = data.get("default_member_permissions")
        if needed is not None and not channel.is_direct:
            mine = world.permissions(user.id, channel)
            # "0" means administrators only: nobody else has it by any permission.
            wanted = int(needed) or int(Permission.ADMINISTRATOR)
            if mine & wanted != wanted:
                continue
        if data["name"] not in found or each.guild_id is not None:
            found[data["name"]] = each
    return sorted(found.values(), key=lambda each: str(each.data["name"]))


def resolve(world: World, user: User, channel: Channel, text: str) -> tuple[Command, list[JSON]]:
    """The command that `text` ("game new", in either language) names, and the way down to its leaf."""
    words = text.strip().removeprefix("/").split()
    if not words:
        raise Refused("Which command?")
    candidates = usable(world, user, channel)
    command = next((each for each in candidates if _named(each.data, words[0], user.locale)), None)
    if command is None:
        raise Refused(f"There is no command /{words[0]} here for {user.display_name}.")
    way: list[JSON] = []
    node = command.data
    for word in words[1:]:
        branches = [each for each in node.get("options") or [] if each["type"] in (SUB_COMMAND, GROUP)]
        found = next((each for each in branches if _named(each, word, user.locale)), None)
        if found is None:
            raise Refused(f"/{' '.join(words)}: there is no {word} in it.")
        way.append(found)
        node = found
    if any(each["type"] in (SUB_COMMAND, GROUP) for each in node.get("options") or []):
        raise Refused(f"/{' '.join(words)} needs a sub-command.")
    return command, way


def _named(data: JSON, word: str, locale: str) -> bool:
    return word in (data["name"], local_name(data, locale))
