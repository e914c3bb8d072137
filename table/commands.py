"""Application commands: checks what the bot registers, and finds the ones a person may use."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from table import bodies, limits
from table.errors import FormErrors, Refused
from table.model import JSON, Channel, Command, User
from table.permissions import Permission
from table.world import Event, World

Path = tuple[str | int, ...]
SUB_COMMAND: Final = 1
GROUP: Final = 2
CHAT_INPUT: Final = 1
CONTEXT_GUILD: Final = 0
CONTEXT_BOT_DIRECT: Final = 1


def register(world: World, guild_id: str | None, payload: Any) -> list[Command]:
    """Replace all commands of a scope. A command that keeps its name keeps its id."""
    form = FormErrors()
    given = [] if payload is None else payload
    bodies.COMMANDS.check(given, (), form)
    form.check()
    names: set[tuple[int, str]] = set()
    chat_commands = 0
    for index, each in enumerate(given):
        _check(each, (index,), form, depth=0)
        key = (each.get("type") or CHAT_INPUT, each["name"])
        if key in names:
            form.add((index,), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
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
    return _replace(world, guild_id, given)


def _replace(world: World, guild_id: str | None, payload: list[JSON]) -> list[Command]:
    old = {
        (each.data.get("type") or CHAT_INPUT, each.data["name"]): each
        for each in world.commands.values()
        if each.guild_id == guild_id
    }
    for each in old.values():
        del world.commands[each.id]
        world.store.drop("command", each.id)
    made = []
    for data in payload:
        before = old.get((data.get("type") or CHAT_INPUT, data["name"]))
        key = before.id if before else world.clock.snowflake()
        version = before.version if before and before.data == data else world.clock.snowflake()
        command = Command(key, guild_id, version, data)
        world.commands[key] = command
        world.store.put("command", key, command)
        made.append(command)
    world.tell(Event("COMMANDS_UPDATE", data={"guild_id": guild_id}))
    return made


def _check(each: JSON, path: Path, form: FormErrors, depth: int) -> None:
    """Complain about what is wrong although every field by itself is right."""
    if depth > 0 or (each.get("type") or CHAT_INPUT) == CHAT_INPUT:
        for way, name in _names(each):
            if not all(_in_name(sign) for sign in name) or name != name.lower():
                form.add((*path, *way), "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid")
        if not each.get("description"):
            form.add((*path, "description"), "BASE_TYPE_REQUIRED", "This field is required")
    if each.get("choices") and each.get("autocomplete"):
        form.add(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_WITH_CHOICES",
            "Autocomplete may not be set to true if choices are present",
        )
    for low, high in (("min_length", "max_length"), ("min_value", "max_value")):
        if each.get(low) is not None and each.get(high) is not None and each[low] > each[high]:
            form.add((*path, low), "NUMBER_TYPE_MAX", f"{low} must not exceed {high}.")
    _check_options(each.get("options") or [], (*path, "options"), form, depth)


def _names(each: JSON) -> Iterator[tuple[Path, str]]:
    yield ("name",), each["name"]
    for locale, name in (each.get("name_localizations") or {}).items():
        yield ("name_localizations", locale), name


def _in_name(sign: str) -> bool:
    """Letters and digits of any script, and all signs of two that write vowels as marks."""
    if sign in "-_'" or unicodedata.category(sign)[0] in "LN":
        return True
    return "\u0900" <= sign <= "\u097f" or "\u0e01" <= sign <= "\u0e5b"


def _check_options(options: list[JSON], path: Path, form: FormErrors, depth: int) -> None:
    seen: set[str] = set()
    optional = False
    if len({option["type"] in (SUB_COMMAND, GROUP) for option in options}) > 1:
        form.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    for index, option in enumerate(options):
        where = (*path, index)
        if option["name"] in seen:
            form.add(
                (*where, "name"),
                "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS",
                "Option name already exists",
            )
        seen.add(option["name"])
        if option.get("required") and optional:
            form.add(
                (*where, "required"),
                "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                "Required options must be placed before non-required options",
            )
        optional |= not option.get("required", False)
        _check(option, where, form, depth + 1)


def _texts(each: JSON) -> Iterator[str]:
    yield each["name"]
    yield each.get("description") or ""
    for choice in each.get("choices") or []:
        yield choice["name"]
        yield str(choice["value"])
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
        if (data.get("type") or CHAT_INPUT) != CHAT_INPUT or each.guild_id not in (None, channel.guild_id):
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
