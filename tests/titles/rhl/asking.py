"""Asks a game what it offers and plays it on, for tests that look at it from outside."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine import moves as mv
from engine.finance import shares
from engine.game import Game
from engine.offer import Number, Options
from engine.state import POOL
from tests.titles.arranging import asked


def domain(game: Game, name: str, player: str = "", private: str | None = None, **picked: Any) -> Any:
    """The domain of the next parameter of a choice (of a private company's permit, if one is named)."""
    for choice in game.offer().choices:
        if choice.name != name or player not in ("", choice.player):
            continue
        if private is None or private == choice.granted_by:
            return choice.ask(picked)
    return None


def values(game: Game, name: str, player: str = "", private: str | None = None, **picked: Any) -> list[Any]:
    """The values on offer for the next parameter of a choice; empty if there is no such choice."""
    found = domain(game, name, player, private, **picked)
    if isinstance(found, Number):
        return list(range(found.low, found.high + 1, found.step))
    return [option.value for option in found.options] if isinstance(found, Options) else []


def facts(game: Game, name: str, value: Any, **picked: Any) -> dict[str, Any]:
    """What the offer tells about one value of the next parameter."""
    found = domain(game, name, **picked)
    assert isinstance(found, Options)
    return dict(next(option.facts for option in found.options if option.value == value))


def permits(game: Game) -> set[str]:
    """The private companies whose lays are on offer; "" is the normal lay."""
    return {choice.permit.private for choice in game.offer().choices if choice.name == "lay_tile"}


def pass_until(game: Game, kind: str) -> list[ev.Event]:
    """Everybody passes until a round of this kind has begun (a new one, if one is under way)."""
    happened: list[ev.Event] = []
    for _ in range(60):
        happened += game.apply(mv.Pass(asked(game)))
        if any(isinstance(event, ev.RoundBegan) and event.kind == kind for event in happened):
            return happened
    raise AssertionError(f"no round of the kind {kind} began")


def paid(happened: list[ev.Event] | tuple[ev.Event, ...], source: str, target: str) -> int:
    """What somebody paid to somebody in these events."""
    payments = [event for event in happened if isinstance(event, ev.Paid)]
    return sum(event.amount for event in payments if (event.source, event.target) == (source, target))


def of_kind(happened: list[ev.Event] | tuple[ev.Event, ...], kind: type[ev.Event]) -> list[Any]:
    """The events of one kind."""
    return [event for event in happened if isinstance(event, kind)]


def holding(game: Game, company: str, *holders: str) -> list[int]:
    """The shares of a company that these hold."""
    return [shares.held(game, company, holder) for holder in holders]


def pool(game: Game, company: str) -> int:
    return shares.held(game, company, POOL)


def price(game: Game, company: str, cell: tuple[int, int]) -> None:
    """Put a company's token on a space of the market (row and column from the top left, counted from 0)."""
    game.prices.put(company, cell)
