"""A game that cannot go on, in words: what is the matter, what was last seen of it, and what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot.card.final import EndButton
from bot.card.settling import choice_buttons, choice_lines, undecided, what_differs
from bot.card.turn import Card
from bot.games.stuck import DIFFERS, MOVE, Stuck
from bot.names import shown
from bot.picking.buttons import LookButton, rows_of
from bot.texts import Say
from bot.words.wording import title_name
from storage.records import ENDED, FINISHED

#: The key of a card that tells of a game that cannot go on.
STUCK = "stuck"

#: Lines of the last card that are shown where no position can be.
_LINES = 12


def reason(say: Say, stuck: Stuck) -> str:
    """What is the matter, in a sentence."""
    facts, why = dict(stuck.facts), stuck.why
    if why == DIFFERS and stuck.first:
        why = "differs_at"
    if facts.get("player"):
        facts["player"] = shown(facts["player"])
    if stuck.why == MOVE:
        facts["rule"] = f" ({facts['rule']})" if facts["rule"] else ""
    elif "title" in facts:
        facts["title"] = shown(str(facts["title"]))
    return say(f"stuck.{why}", **facts)


def remark(say: Say, stuck: Stuck) -> str:
    """A small line under what is looked at: how far it is true."""
    key = "stuck.as_seen" if stuck.last is not None else "stuck.as_good"
    number = len(stuck.shown.moves) if stuck.shown is not None else 0
    return say(key, reason=reason(say, stuck), number=number, count=stuck.count)


def scores(stuck: Stuck) -> str:
    """The standing of the position that can be shown; nothing if there is none."""
    game = stuck.shown
    if game is None:
        return ""
    found = sorted(game.rules.score(game).items(), key=lambda item: -item[1])
    return ", ".join(f"{shown(name)} {score} M" for name, score in found)


def stuck_text(say: Say, stuck: Stuck, lines: Sequence[str] = (), cards: Sequence[Any] = ()) -> str:
    """All that can be said of it. `lines` are news; `cards` are the last cards of its channel."""
    over = stuck.record.status in (FINISHED, ENDED)
    parts = [head(say, stuck), *(f"- {line}" for line in lines), reason(say, stuck), *what_differs(say, stuck)]
    standing = scores(stuck)
    if standing:
        parts.append(say("stuck.standing", number=len(stuck.shown.moves) if stuck.shown else 0, scores=standing))
    elif told := last_lines(cards):
        parts.append(say("stuck.last_card", lines=told))
    if stuck.shown is None and undecided(stuck):
        parts.append(say("stuck.no_export", number=stuck.record.id))
    if not over:
        parts += [*choice_lines(say, stuck), say("stuck.what_now" if undecided(stuck) else "stuck.lobby_now")]
    return "\n".join(parts)


def head(say: Say, stuck: Stuck) -> str:
    """What it is, and how it stands."""
    record = stuck.record
    return say("stuck.head", title=shown(title_name(record)), status=say(f"status.{record.status}"))


def refused(say: Say, stuck: Stuck) -> str:
    """The answer to whoever wants what only a game that goes on can give: what is the matter, and who acts."""
    if not undecided(stuck):
        return reason(say, stuck)
    host = f"<@{stuck.record.host}>" if stuck.record.host else say("lobby.no_host")
    return f"{reason(say, stuck)} {say('stuck.waits', host=host)}"


def last_lines(cards: Sequence[Any]) -> str:
    """What the last card told, as it stood in the channel."""
    for card in reversed(cards):
        if isinstance(card, dict) and card.get("turn") != STUCK and isinstance(card.get("lines"), list):
            texts = [str(each[1]) for each in card["lines"] if isinstance(each, list) and len(each) >= 2]
            first = str(card.get("head", ""))
            return "\n".join([*([first] if first else []), *(f"- {text}" for text in texts[-_LINES:])])
    return ""


def stuck_card(say: Say, stuck: Stuck, lines: Sequence[str] = (), cards: Sequence[Any] = ()) -> Card:
    """A game that cannot go on, with buttons for what can be looked at and taken home."""
    number = stuck.record.id
    buttons: list[ui.Item[Any]] = []
    if stuck.shown is not None:
        buttons += [LookButton.make(number, what, say(f"look.{what}")) for what in ("map", "sheet")]
    if not stuck.hidden:
        buttons.append(EndButton.make(number, "export", say("end.export")))
    rows = [*rows_of(choice_buttons(say, stuck)), *rows_of(buttons)]
    return Card(stuck_text(say, stuck, lines, cards), rows=rows)


def ask_end(say: Say, stuck: Stuck) -> str:
    """What follows from ending it."""
    game = stuck.shown
    if game is None:
        return f"{reason(say, stuck)}\n{say('stuck.ask_end')}"
    return f"{reason(say, stuck)}\n{say('host.ask_end', moves=len(game.moves), scores=scores(stuck))}"
