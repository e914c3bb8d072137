"""The games: each title's data and the rules that are its own, found by name."""

from titles.registry import (
    HARDEST,
    Form,
    OptionSpec,
    Title,
    chosen,
    find,
    find_form,
    known,
    load_game,
    new_game,
    rules,
    rules_for,
    suggested,
    texts,
)

__all__ = [
    "HARDEST",
    "Form",
    "OptionSpec",
    "Title",
    "chosen",
    "find",
    "find_form",
    "known",
    "load_game",
    "new_game",
    "rules",
    "rules_for",
    "suggested",
    "texts",
]
