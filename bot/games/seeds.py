"""Seeds: what decides seats and cards. Where something is hidden, nobody chooses or sees one."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import titles

#: Seeds that people can type.
_SHORT = 1_000_000_000
#: So many that nobody finds one by trying which of them fit what lies open; the database holds no more.
_LONG = 1 << 62


def keeps_secrets(title: str, form: str, options: Mapping[str, Any]) -> bool:
    """Whether something is hidden in a game, so that its seed must be too."""
    low, _ = titles.find(title).form(form).players
    return titles.rules(title, low, options, form).secret


def drawn_seed(title: str, form: str, options: Mapping[str, Any]) -> int:
    return secrets.randbelow(_LONG if keeps_secrets(title, form, options) else _SHORT)
