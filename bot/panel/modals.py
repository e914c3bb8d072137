"""Forms for what cannot be picked, and what was typed into them, which stands in the panel itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord
from discord import ui

from bot.games.service import Live
from bot.limits import FIELD_LABEL, MODAL_TITLE, cut
from bot.picking.buttons import place_id
from bot.picking.walk import Walk
from bot.texts import Say
from bot.words.wording import choice_text, words
from engine.offer import Number

#: So much may be typed: with it a panel still has room for what it says about it.
MOST_TYPED = 1500
_FENCE = "```"


def typed_block(text: str) -> str:
    """What somebody typed, as a panel shows it."""
    return f"{_FENCE}\n{cut(text.strip().replace('`', chr(39)), MOST_TYPED)}\n{_FENCE}"


def typed_in(message: discord.Message | None) -> str:
    """What somebody typed before, read from their panel: so it is there after a restart too."""
    for text in _texts(message.components if message is not None else ()):
        _, fence, rest = text.partition(f"{_FENCE}\n")
        if fence:
            return rest.partition(f"\n{_FENCE}")[0]
    return ""


def _texts(components: Iterable[Any]) -> Iterable[str]:
    for each in components:
        if isinstance(each, discord.components.TextDisplay):
            yield each.content
        yield from _texts(getattr(each, "children", ()))


def steps(say: Say, domain: Number) -> str:
    return say("panel.number_step", step=domain.step) if domain.step > 1 else ""


class NumberForm(ui.Modal):
    """Asks for a number; `form_given` reads what comes back, also after a restart."""

    def __init__(self, live: Live, step: Walk, say: Say, typed: str = "") -> None:
        super().__init__(
            title=cut(choice_text(say, step.choice), MODAL_TITLE),
            timeout=900,
            custom_id=place_id("f", live, step.number, step.code),
        )
        domain = step.domain
        assert isinstance(domain, Number)
        label = say(
            "panel.number_label",
            field=words(say, "field", domain.name),
            low=domain.low,
            high=domain.high,
            step=steps(say, domain),
        )
        self.number: ui.TextInput[NumberForm] = ui.TextInput(default=typed[:6] or str(domain.low), max_length=6)
        self.add_item(ui.Label(text=cut(label, FIELD_LABEL), component=self.number))


class RoutesForm(ui.Modal):
    """Asks for routes by hand, a line a train."""

    def __init__(self, live: Live, number: int, company: str, say: Say, typed: str = "") -> None:
        super().__init__(
            title=cut(say("panel.by_hand_title"), MODAL_TITLE),
            timeout=900,
            custom_id=place_id("f", live, number, ""),
        )
        # A form cannot wait for a search; after a restart it is empty.
        best = live.game.advice(company).routes if live.game.runs_advised(company) else ()
        lines = typed or "\n".join(f"{route.train}: {' '.join(route.path)}" for route in best)
        self.text: ui.TextInput[RoutesForm] = ui.TextInput(
            style=discord.TextStyle.paragraph, default=lines[:MOST_TYPED], max_length=MOST_TYPED
        )
        label = cut(say("panel.by_hand_label"), FIELD_LABEL)
        self.add_item(ui.Label(text=label, description=say("panel.by_hand_help"), component=self.text))
