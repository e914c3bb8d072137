"""Structured logs: a JSON object a line, without secrets."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

import discord

#: Discord's word for an interaction that was not answered in time.
UNKNOWN_INTERACTION = 10062
HIDDEN = "[secret]"
#: Tokens of bots and of interactions; neither may ever stand in a log.
_SECRETS = re.compile(
    r"""
      [A-Za-z0-9_-]{23,}\.[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{27,}          # a bot's token has three parts
    | (?<=/)[A-Za-z0-9_-]{60,}                                           # an interaction's, anywhere in an address
    | (?<=/webhooks/)(?P<webhook>\d+/)[^/\s?'"]+                         # and where the address says what it is
    | (?<=/interactions/)(?P<interaction>\d+/)[^/\s?'"]+
    | (?P<field>["']token["']\s*:\s*["'])[^"']+                          # a payload that was printed
    """,
    re.VERBOSE,
)


def _hide(found: re.Match[str]) -> str:
    kept = next(filter(None, found.groups()), "")
    return f"{kept}{HIDDEN}"


def clean(text: str, secrets: tuple[str, ...] = ()) -> str:
    """A text without anything that is or looks like a token."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, HIDDEN)
    return _SECRETS.sub(_hide, text)


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
        if record.stack_info:
            entry["stack"] = clean(record.stack_info, self.secrets)
        return json.dumps(entry, ensure_ascii=False)


class Late(logging.Filter):
    """An answer that came too late is one line: where a traceback leads to is the same each time, and no fault."""

    def filter(self, record: logging.LogRecord) -> bool:
        problem = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        if problem is not None and is_late(problem):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
            record.msg, record.args = "too late for Discord: %s", (record.getMessage(),)
            record.exc_info = record.exc_text = None
        return True


def is_late(problem: BaseException | None) -> bool:
    """Whether Discord waits for an answer no longer, behind whatever it is wrapped in."""
    while problem is not None:
        if isinstance(problem, discord.NotFound) and problem.code == UNKNOWN_INTERACTION:
            return True
        problem = problem.__cause__
    return False


def set_up(level: str, *secrets: str) -> None:
    """Send everything to standard error in this form, warnings of Python too."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(*secrets))
    handler.addFilter(Late())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    logging.captureWarnings(True)
    # Below this, discord.py prints whole payloads: names and words of people, which are no business of a log.
    for chatty in ("discord.gateway", "discord.http", "discord.webhook", "discord.state"):
        logging.getLogger(chatty).setLevel(max(logging.INFO, logging.getLevelName(level)))
    # Its lines at INFO, one for each connection, are worth keeping only when something is looked for.
    logging.getLogger("apscheduler").setLevel("WARNING")
    logging.getLogger("discord.gateway").setLevel("WARNING")
