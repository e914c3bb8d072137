"""How a game goes on whose moves lead elsewhere since an upgrade: what is otherwise, and the three choices of its host.

Each is asked about before it is done. A button knows the log's length and the move that it was made for: if either is
another by now, somebody has chosen, or another program has judged the game, and it is stale.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import discord
from discord import ui

from bot.card.differences import difference_lines
from bot.card.turn import Card
from bot.games.seats import in_present_names
from bot.games.stuck import Stuck
from bot.limits import BUTTON_LABEL, cut
from bot.names import shown
from bot.picking.buttons import _bot, _id, _Kept, rows_of
from bot.texts import Say
from bot.words.wording import move_text, refusal
from storage.records import ENDED, FINISHED

#: Keep the position, go back to before the difference, end with the standing.
KEEP, BACK, END = "keep", "back", "end"


class SettleButton(
    _Kept,
    ui.DynamicItem[ui.Button[Any]],
    template=r"k:(?P<game>\d+):(?P<length>\d+):(?P<move>\d+):(?P<choice>keep|back|end):(?P<verb>ask|do|leave)",
):
    """One of the three choices: `ask` tells what follows from it, `do` is the last word, `leave` puts it away."""

    @classmethod
    def make(cls, stuck: Stuck, choice: str, verb: str, label: str, style: discord.ButtonStyle) -> Self:
        custom_id = _id("k", stuck.record.id, stuck.length, stuck.first, choice, verb)
        return cls(ui.Button(label=cut(label, BUTTON_LABEL), style=style, custom_id=custom_id))

    async def act(self, interaction: discord.Interaction[Any]) -> None:
        found = self.match
        await _bot(interaction).settling.pressed(
            interaction,
            game=int(found["game"]),
            length=int(found["length"]),
            move=int(found["move"]),
            choice=found["choice"],
            verb=found["verb"],
        )


def undecided(stuck: Stuck) -> bool:
    """Whether a choice is waited for."""
    return stuck.verdict is not None and stuck.record.status not in (FINISHED, ENDED)


def choices(stuck: Stuck) -> list[str]:
    """What the host can choose, the best first."""
    if not undecided(stuck) or stuck.verdict is None:
        return []
    return [*([KEEP] if stuck.verdict.keepable else []), *([BACK] if stuck.verdict.backable else []), END]


def what_differs(say: Say, stuck: Stuck) -> list[str]:
    """The first move that is not good, why it is not, and what would be otherwise; nothing that is hidden."""
    verdict, game = stuck.verdict, stuck.good or stuck.last
    if verdict is None or game is None:
        return []
    lines = []
    if 0 < stuck.first <= len(stuck.moves):
        move = in_present_names(stuck.record, stuck.moves[stuck.first - 1])
        try:
            text = move_text(say, game, move)
        except Exception:
            text = ""  # a kind of move that is not known any more
        if text:
            lines.append(say("settle.move", number=stuck.first, player=shown(str(move.get("player", ""))), move=text))
    if stuck.refused is not None:
        lines.append(say("settle.because", reason=refusal(say, stuck.refused)))
    told = difference_lines(say, game, verdict.told)
    if told:
        lines += [say("settle.otherwise"), *(f"- {line}" for line in told)]
    return lines


def whose(say: Say, stuck: Stuck) -> str:
    """Whose moves would fall."""
    found = [say("settle.of", name=shown(name), count=count) for name, count in stuck.falling_of().items()]
    return ", ".join(found) or "–"


def choice_lines(say: Say, stuck: Stuck) -> list[str]:
    """What the choices are, and why one is not among them."""
    possible = choices(stuck)
    if not possible:
        return []
    host = f"<@{stuck.record.host}>" if stuck.record.host else say("lobby.no_host")
    facts = {"count": stuck.falling, "stay": stuck.first - 1, "whose": whose(say, stuck), "moves": stuck.count}
    lines = [say("settle.choose", host=host)]
    for choice in (KEEP, BACK, END):
        key = f"settle.{choice}_line" if choice in possible else f"settle.no_{choice}_line"
        lines.append(say(key, **{name: facts[name] for name in say.asks(key)}))
    return lines


def choice_buttons(say: Say, stuck: Stuck) -> list[ui.Item[Any]]:
    """A button for each; the first is what is done if nothing speaks against it."""
    styles = discord.ButtonStyle
    return [
        SettleButton.make(
            stuck, choice, "ask", say(f"settle.{choice}"), styles.primary if not number else styles.secondary
        )
        for number, choice in enumerate(choices(stuck))
    ]


def ask_card(say: Say, stuck: Stuck, choice: str, standing: str) -> Card:
    """What follows from a choice, and the buttons to confirm it or to leave it."""
    key = f"settle.ask_{choice}" if choice != END or standing else "stuck.ask_end"
    facts = {
        "count": stuck.falling, "first": stuck.first, "stay": stuck.first - 1, "whose": whose(say, stuck),
        "moves": stuck.count, "scores": standing or "–",
    }  # fmt: skip
    text = say(key, **{name: facts[name] for name in say.asks(key)})
    styles = discord.ButtonStyle
    buttons: Sequence[ui.Item[Any]] = [
        SettleButton.make(stuck, choice, "do", say("panel.confirm"), styles.danger),
        SettleButton.make(stuck, choice, "leave", say("panel.cancel"), styles.secondary),
    ]
    return Card(text, rows=rows_of(buttons))


SETTLING = (SettleButton,)
