"""Money in sentences: what private companies pay, who gets a dividend, and what a move leaves in whose hand."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.names import called
from bot.texts import Say

Event = Mapping[str, Any]
_REVENUE, _DIVIDEND = "private", "dividend"


def _is(event: Event, reason: str, about: str = "") -> bool:
    return event["type"] == "Paid" and event["reason"] == reason and about in ("", event["about"])


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
    who = ", ".join(say("event.got", name=called(say, name), amount=amount) for name, amount in totals.items())
    return say("event.privates_pay", who=who)


def dividend(say: Say, events: Sequence[Event], index: int) -> str:
    """A dividend with what each of those gets who hold shares."""
    event = events[index]
    who = dividend_shares(say, events, index)
    company = event["company"]
    kept = sum(each["amount"] for each in events if each["type"] == "RevenueKept" and each["company"] == company)
    if kept:
        told = say("event.split", company=company, amount=event["amount"], kept=kept)
    else:
        told = say("event.DividendPaid", company=company, amount=event["amount"])
    return say("event.paid_out", told=told.removesuffix("."), who=who) if who else told


def dividend_shares(say: Say, events: Sequence[Event], index: int) -> str:
    """Who gets how much of a dividend."""
    event = events[index]
    paid = itertools.takewhile(lambda other: _is(other, _DIVIDEND, event["company"]), reversed(events[:index]))
    totals = _totals(reversed(list(paid)))
    names = {name: say("event.treasury") if name == event["company"] else called(say, name) for name in totals}
    return ", ".join(say("event.gets", name=names[name], amount=amount) for name, amount in totals.items())
