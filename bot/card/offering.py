"""The offer as rows of buttons, on a card and in a panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import discord
from discord import ui

from bot.games.service import Live
from bot.names import plain
from bot.picking.buttons import MoveButton, PageButton, rows_of
from bot.picking.effects import Passing, passing
from bot.picking.entries import MOST_BUTTONS, Entry, spread
from bot.texts import Say
from bot.words.wording import choice_text

#: With the rows around them and what else is on a card, these are as many as Discord takes.
MOST_ON_CARD = 20

_STYLES = discord.ButtonStyle


def choice_rows(live: Live, say: Say, player: str = "", *, few: bool = False) -> list[ui.ActionRow[Any]]:
    """Buttons for what is on offer (to a player), each of which opens the panel; answers are given at once.

    A `few`: one for each kind, where there is no room for more.
    """
    deciders = live.game.offer().deciders
    # Several people share the card's buttons; each has one for passing besides.
    most = MOST_BUTTONS if player or len(deciders) < 2 else MOST_ON_CARD // len(deciders) - 1
    buttons: list[ui.Item[Any]] = []
    for decider in [player] if player else deciders:
        found = spread(say, live.game, decider, most=most)
        prefix = f"{plain(decider)}: " if len(deciders) > 1 and not player else ""
        picks = [*found.entries, *found.kinds]
        if few or len(picks) >= MOST_ON_CARD:
            picks = _one_of_a_kind(live, say, picks)
        buttons += entry_buttons(live, picks, prefix=prefix)
        if found.passing is not None:
            label = prefix + passing(say, live.game, decider).label
            buttons.append(MoveButton.make(live, found.passing, "", "open", label, _STYLES.secondary))
    return rows_of(buttons[:MOST_ON_CARD])


def _one_of_a_kind(live: Live, say: Say, picks: Sequence[Entry]) -> list[Entry]:
    """Where so much is possible that passing had no room any more, a button for each kind; the panel has them all."""
    choices = live.game.offer().choices
    first = {choices[entry.number].name: entry for entry in reversed(picks)}
    return [replace(entry, text=choice_text(say, choices[entry.number])) for entry in reversed(first.values())]


def entry_buttons(live: Live, entries: Sequence[Entry], *, prefix: str = "") -> list[ui.Item[Any]]:
    """A button for each; a whole answer to a proposal needs no other word."""
    return [
        PageButton.make(live, entry.number, entry.code, entry.page, prefix + entry.text, _STYLES.primary)
        if entry.page
        else MoveButton.make(
            live,
            entry.number,
            entry.code,
            "ok" if entry.complete and live.game.offer().choices[entry.number].name == "answer" else "open",
            prefix + entry.text,
            _STYLES.primary,
        )
        for entry in entries
    ]


def pass_button(live: Live, number: int, found: Passing) -> ui.Item[Any]:
    """In a panel, where its consequence stands beside it, passing needs no other word."""
    return MoveButton.make(live, number, "", "ok", found.label, _STYLES.secondary)
