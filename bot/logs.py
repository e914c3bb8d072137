"""Structured logs: a JSON object a line, without secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

#: Tokens of bots and of interactions; neither may ever stand in a log.
_SECRETS = re.compile(r"[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}|(?<=/)[A-Za-z0-9_-]{60,}")


def clean(text: str, secrets: tuple[str, ...] = ()) -> str:
    """A text without anything that looks like a token."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, "[secret]")
    return _SECRETS.sub("[secret]", text)


class JsonFormatter(logging.Formatter):
    """Time, level, where from, and what; a traceback as text."""

    def __init__(self, *secrets: str) -> None:
        super().__init__()
        self.secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": clean(record.getMessage(), self.secrets),
        }
        if record.exc_info:
            entry["traceback"] = clean(self.formatException(record.exc_info), self.secrets)
        return json.dumps(entry, ensure_ascii=False)


def set_up(level: str, *secrets: str) -> None:
    """Send everything to standard error in this form."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(*secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.getLogger("discord.gateway").setLevel("WARNING")
