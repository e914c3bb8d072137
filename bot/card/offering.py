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


#: Kinds of moves whose button says all that follows: it counts at once, on a card as in a panel, and can be undone.
AT_ONCE = ("answer", "dividend", "pass")


def verb_of(live: Live, number: int, *, complete: bool) -> str:
    """What a button does that stands for a choice: counts at once, or shows first what would follow."""
    return "ok" if complete and live.game.offer().choices[number].name in AT_ONCE else "open"


def choice_rows(
    live: Live, say: Say, player: str = "", *, again: str = "", few: bool = False
) -> list[ui.ActionRow[Any]]:
    """Buttons for what is on offer (to a player), and for the rest of a turn with nothing new, if it is called so.

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
            buttons.append(pass_button(live, found.passing, passing(say, live.game, decider), prefix=prefix))
    if again and len(buttons) < MOST_ON_CARD:
        buttons.append(MoveButton.make(live, None, "", "again", again, _STYLES.secondary))
    return rows_of(buttons[:MOST_ON_CARD])


def _one_of_a_kind(live: Live, say: Say, picks: Sequence[Entry]) -> list[Entry]:
    """Where so much is possible that passing had no room any more, a button for each kind; the panel has them all."""
    choices = live.game.offer().choices
    first = {choices[entry.number].name: entry for entry in reversed(picks)}
    return [replace(entry, text=choice_text(say, choices[entry.number])) for entry in reversed(first.values())]


def entry_buttons(live: Live, entries: Sequence[Entry], *, prefix: str = "") -> list[ui.Item[Any]]:
    """A button for each, on a card and in a panel."""
    return [
        PageButton.make(live, entry.number, entry.code, entry.page, prefix + entry.text, _STYLES.primary)
        if entry.page
        else MoveButton.make(
            live,
            entry.number,
            entry.code,
            verb_of(live, entry.number, complete=entry.complete),
            prefix + entry.text,
            _STYLES.primary,
        )
        for entry in entries
    ]


def pass_button(live: Live, number: int, found: Passing, *, prefix: str = "") -> ui.Item[Any]:
    """Passing under its name, with whether it ends the turn."""
    verb = verb_of(live, number, complete=True)
    return MoveButton.make(live, number, "", verb, prefix + found.label, _STYLES.secondary)
