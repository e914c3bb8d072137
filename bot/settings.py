"""Settings of the bot, read once from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
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

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Read the settings; a missing token is told in a sentence, not in a traceback."""
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
        )
