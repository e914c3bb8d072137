"""Settings of the bot, read once from the environment and from a `.env` file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from engine.errors import KursbuchError

#: No file of settings is larger; a device that never ends is.
LARGEST_FILE = 100_000
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_YES, _NO = ("1", "true", "yes", "on"), ("", "0", "false", "no", "off")


class SettingsError(KursbuchError):
    """A setting is missing or makes no sense; the text says which and what to do."""


@dataclass(frozen=True)
class Settings:
    """How the bot is to run. `api_base` and `gateway` are unset for the real Discord."""

    token: str
    api_base: str | None = None
    gateway: str | None = None
    data: Path = Path("data")
    sync_commands: bool = False
    #: Where containers ask whether the bot is well; nothing listens if the port is unset.
    health_port: int | None = None
    health_host: str = "127.0.0.1"
    log_level: str = "INFO"
    #: Where the bot keeps backups that it makes by itself, how many, and how often; none if it is unset.
    backups: Path | None = None
    backups_kept: int = 7
    backup_hours: int = 24
    #: The most positions that a house player looks at for one decision; 0 for as many as its level has.
    house_positions: int = 0

    def __repr__(self) -> str:
        """Without the token: settings may be printed."""
        return f"Settings(data={self.data}, sync_commands={self.sync_commands}, log_level={self.log_level})"

    def with_sync(self) -> Settings:
        """These settings, registering the commands at the start."""
        return replace(self, sync_commands=True)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings. What the environment sets goes before what the file sets."""
        given = dict(os.environ if environment is None else environment)
        named = given.get("KURSBUCH_ENV", "").strip()
        found = read_env_file(Path(named or ".env"))
        if named and not Path(named).is_file():
            raise SettingsError(f"KURSBUCH_ENV names the file {named}, which is not there.")
        found |= {name: value.strip() for name, value in given.items() if value.strip()}
        api_base, gateway = found.get("DISCORD_API_BASE"), found.get("DISCORD_GATEWAY")
        if (not api_base) != (not gateway):
            raise SettingsError("Set DISCORD_API_BASE and DISCORD_GATEWAY both, or neither for the real Discord.")
        return cls(
            token=_token(found.get("DISCORD_TOKEN", "")),
            api_base=_address("DISCORD_API_BASE", api_base, ("http://", "https://")),
            gateway=_address("DISCORD_GATEWAY", gateway, ("ws://", "wss://")),
            data=Path(found.get("KURSBUCH_DATA") or "data"),
            sync_commands=_flag("KURSBUCH_SYNC", found.get("KURSBUCH_SYNC", "")),
            health_port=_port("KURSBUCH_HEALTH_PORT", found.get("KURSBUCH_HEALTH_PORT", "")),
            health_host=found.get("KURSBUCH_HEALTH_HOST") or "127.0.0.1",
            log_level=_level("KURSBUCH_LOG_LEVEL", found.get("KURSBUCH_LOG_LEVEL") or "INFO"),
            backups=Path(found["KURSBUCH_BACKUPS"]) if found.get("KURSBUCH_BACKUPS") else None,
            backups_kept=_number("KURSBUCH_BACKUPS_KEPT", found.get("KURSBUCH_BACKUPS_KEPT", ""), 7, 1000),
            backup_hours=_number("KURSBUCH_BACKUP_HOURS", found.get("KURSBUCH_BACKUP_HOURS", ""), 24, 24 * 31),
            house_positions=_number(
                "KURSBUCH_HOUSE_POSITIONS", found.get("KURSBUCH_HOUSE_POSITIONS", ""), 0, 1_000_000
            ),
        )


def _token(text: str) -> str:
    if not text:
        raise SettingsError("Set DISCORD_TOKEN to the bot's token, in the environment or in a file .env.")
    # What is not a token must not be shown either: it may be one with something pasted to it.
    if not text.isascii() or not text.isprintable() or " " in text:
        raise SettingsError("DISCORD_TOKEN is a token alone: no spaces, no line breaks, no word Bot before it.")
    return text


def _address(name: str, text: str | None, schemes: tuple[str, ...]) -> str | None:
    if not text:
        return None
    if not text.startswith(schemes):
        raise SettingsError(f"{name} begins with {' or '.join(schemes)}, not {text[:20]!r}.")
    try:
        parts = urlsplit(text)
        good = bool(parts.hostname) and parts.port != 0 and text.isascii() and text.isprintable() and " " not in text
    except ValueError:
        good = False
    if not good:
        raise SettingsError(f"{name} is an address with a host, such as {schemes[0]}127.0.0.1:8018, not {text[:20]!r}.")
    return text


def _flag(name: str, text: str) -> bool:
    if text.lower() not in _YES + _NO:
        raise SettingsError(f"{name} is yes or no, not {text[:20]!r}.")
    return text.lower() in _YES


def _port(name: str, text: str) -> int | None:
    if not text:
        return None
    return _number(name, text, 0, 65535, what="a port number")


def _number(name: str, text: str, default: int, most: int, what: str = "a number") -> int:
    if not text:
        return default
    # By its length first: Python refuses to read a number of thousands of digits.
    if len(text) > 9 or not text.isascii() or not text.isdecimal() or not 0 < int(text) <= most:
        raise SettingsError(f"{name} is {what} from 1 to {most}, not {text[:20]!r}.")
    return int(text)


def _level(name: str, text: str) -> str:
    if text.upper() not in LEVELS:
        raise SettingsError(f"{name} is {', '.join(LEVELS[:-1])} or {LEVELS[-1]}, not {text[:20]!r}.")
    return text.upper()


def readable_by_others(environment: Mapping[str, str] | None = None) -> Path | None:
    """The file of settings, if others than its owner can read it."""
    given = os.environ if environment is None else environment
    path = Path(given.get("KURSBUCH_ENV", "").strip() or ".env")
    try:
        mode = path.stat().st_mode
    except OSError:
        return None
    return path if os.name == "posix" and path.is_file() and mode & 0o077 else None


def read_env_file(path: Path) -> dict[str, str]:
    """NAME=VALUE lines of a file, if it is there; comments and quotes as people write them."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        text = content.decode("utf-8-sig")
    except (FileNotFoundError, IsADirectoryError):
        return {}
    except OSError as problem:
        raise SettingsError(f"The settings in {path} cannot be read: {problem.strerror}.") from None
    except UnicodeDecodeError:
        raise SettingsError(f"The settings in {path} cannot be read: the file is not UTF-8 text.") from None
    if len(content) > LARGEST_FILE:
        raise SettingsError(f"The settings in {path} cannot be read: the file has more than {LARGEST_FILE} bytes.")
    result = {}
    for line in text.splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name.strip() and not name.startswith("#"):
            result[name.strip()] = _value(value.strip())
    return result


def _value(text: str) -> str:
    """A value without the quotes around it, or without the comment behind it."""
    quote = text[:1]
    if quote in ("'", '"') and quote in text[1:]:
        return text[1 : text.index(quote, 1)]
    return text.partition(" #")[0].strip()
