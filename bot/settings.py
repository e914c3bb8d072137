"""Settings of the bot, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path


class SettingsError(Exception):
    """A setting is missing or makes no sense; the text says which and what to do."""


@dataclass(frozen=True)
class Settings:
    """How the bot is to run. `api_base` and `gateway` are unset for the real Discord."""

    token: str
    api_base: str | None = None
    gateway: str | None = None
    data: Path = Path("data")
    sync_commands: bool = False
    #: Where containers ask whether the bot is well; nothing listens if it is unset.
    health_port: int | None = None
    log_level: str = "INFO"

    def with_sync(self) -> Settings:
        """The same, registering the commands at the start."""
        return replace(self, sync_commands=True)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings; a missing token is told in a sentence, not in a traceback."""
        environment = {**read_env_file(Path(environment.get("KURSBUCH_ENV") or ".env")), **environment}
        token = environment.get("DISCORD_TOKEN", "").strip()
        if not token:
            raise SettingsError("Set DISCORD_TOKEN to the bot's token (see the Discord developer portal).")
        api_base = environment.get("DISCORD_API_BASE") or None
        gateway = environment.get("DISCORD_GATEWAY") or None
        if (api_base is None) != (gateway is None):
            raise SettingsError(
                "Set DISCORD_API_BASE and DISCORD_GATEWAY both, or neither for the real Discord."
            )
        return cls(
            token=token,
            api_base=api_base,
            gateway=gateway,
            data=Path(environment.get("KURSBUCH_DATA") or "data"),
            sync_commands=environment.get("KURSBUCH_SYNC", "").lower() in ("1", "true", "yes"),
            health_port=_port(environment.get("KURSBUCH_HEALTH_PORT", "")),
            log_level=_level(environment.get("KURSBUCH_LOG_LEVEL", "") or "INFO"),
        )


def _port(text: str) -> int | None:
    if not text:
        return None
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise SettingsError(f"KURSBUCH_HEALTH_PORT is a port number, not {text!r:.20}.")
    return int(text)


def _level(text: str) -> str:
    if text.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise SettingsError(f"KURSBUCH_LOG_LEVEL is DEBUG, INFO, WARNING or ERROR, not {text!r:.20}.")
    return text.upper()


def read_env_file(path: Path) -> dict[str, str]:
    """NAME=VALUE lines of a file, if it is there; comments and quotes as people write them."""
    if not path.is_file():
        return {}
    result = {}
    for line in path.read_text("utf-8").splitlines():
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name.strip() and not name.startswith("#"):
            result[name.strip()] = value.strip().strip("'\"")
    return result
