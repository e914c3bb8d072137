"""Money in sentences: what private companies pay, who gets a dividend, and what a move leaves in whose hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.names import shown
from bot.texts import Say
from engine.game import Game

Event = Mapping[str, Any]
_REVENUE, _DIVIDEND = "revenue of ", "dividend of "


def _is(event: Event, reason: str) -> bool:
    return event["type"] == "Paid" and str(event["reason"]).startswith(reason)


def _totals(paid: Iterable[Event]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for event in paid:
        totals[event["target"]] = totals.get(event["target"], 0) + event["amount"]
    return totals


def private_revenue(say: Say, events: Sequence[Event], index: int) -> str:
    """What private companies pay one after the other, in one line at the first of them; else nothing."""
    if not _is(events[index], _REVENUE) or (index and _is(events[index - 1], _REVENUE)):
        return ""
    totals = _totals(itertools.takewhile(lambda event: _is(event, _REVENUE), events[index:]))
    who = ", ".join(say("event.got", name=shown(name), amount=amount) for name, amount in totals.items())
    return say("event.privates_pay", who=who)


def dividend(say: Say, events: Sequence[Event], index: int) -> str:
    """A dividend with what each of those gets who hold shares."""
    event = events[index]
    reason = f"{_DIVIDEND}{event['company']}"
    paid = itertools.takewhile(lambda other: _is(other, reason), reversed(events[:index]))
    totals = _totals(reversed(list(paid)))
    names = {name: say("event.treasury") if name == event["company"] else shown(name) for name in totals}
    who = ", ".join(say("event.gets", name=names[name], amount=amount) for name, amount in totals.items())
    told = say("event.DividendPaid", company=event["company"], amount=event["amount"])
    return f"{told.removesuffix('.')}: {who}." if who else told


def left_in_hand(say: Say, before: Game, after: Game, names: Iterable[str]) -> str:
    """What a move takes from or brings to somebody's cash, and what is left; empty if nothing."""
    parts = []
    for name in dict.fromkeys(filter(None, names)):
        old, new = before.state.cash.get(name, 0), after.state.cash.get(name, 0)
        if old != new:
            parts.append(say("panel.cash", name=shown(name), change=f"{new - old:+d}".replace("-", "−"), left=new))
    return " · ".join(parts)
