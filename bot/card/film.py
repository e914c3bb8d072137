"""A game as a film: its turns as scenes, in the words of the log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.card.log import round_codes
from bot.names import unmarked
from bot.texts import Say
from bot.words.wording import event_lines, round_text
from engine.changes import View
from engine.game import Game
from engine.moves import Run
from engine.routes.model import Route
from renderers.pages.film import Scene

#: More scenes than this are no film that people watch to its end, nor one that fits into a message.
MOST_SCENES = 400
#: Events that others tell already, or that are the next turn's.
_UNTOLD = ("Paid", "TurnBegan")


@dataclass
class _Turn:
    """A turn that is being gathered."""

    key: tuple[Any, ...]
    heading: str
    since: View
    prices: dict[str, int]
    lines: list[str] = field(default_factory=list)
    routes: tuple[Route, ...] = ()
    companies: set[str] = field(default_factory=set)


def scenes(played: Game, say: Say, *, company: str = "", round_code: str = "") -> Iterator[Scene]:
    """The turns of a game played through once more, as anybody may see them.

    Of a company only the turns in which it is named; of a round (`SR2`, `OR3.1`) only its own. Turns in which people
    only pass are told with the one that follows. The position of a scene is to be drawn before the next is asked for.
    """
    moves, first = list(played.moves), played.rests_at
    game = played.rewound(first)
    own = say.of(game.definition.id)
    turn: _Turn | None = None
    passed: list[str] = []
    shown = 0
    for move in moves[first:]:
        key = _key(game)
        if turn is None or turn.key != key:
            if turn is not None and _wanted(turn, company, round_code, game):
                shown += 1
                yield Scene(game, turn.heading, turn.lines, turn.since, turn.routes, turn.prices)
                if shown >= MOST_SCENES:
                    return
            turn = _Turn(key, round_text(say, game), View.of(game), _prices(game), passed)
            passed = []
        if isinstance(move, Run):
            turn.routes = game.routes(move.company, move.routes)
        events = [event.seen_by("").data() for event in game.apply(move)]
        told = [event for event in events if event["type"] not in _UNTOLD]
        turn.lines += map(unmarked, event_lines(own, told, game))
        turn.companies |= {str(value) for event in told for value in event.values()} & set(game.state.companies)
        if all(event["type"] == "Passed" for event in told) and _key(game) != key and View.of(game) == turn.since:
            passed, turn = turn.lines, None
    if turn is not None and _wanted(turn, company, round_code, game):
        yield Scene(game, turn.heading, turn.lines, turn.since, turn.routes, turn.prices)


def round_exists(code: str) -> bool:
    """Whether something is the name of a round, in any language: `SR2`, `AR2`, `OR3.1`."""
    return re.fullmatch(r"[A-Za-z]+\d+(\.\d+)?", code) is not None


def _key(game: Game) -> tuple[Any, ...]:
    round_ = game.state.round
    return round_.kind, round_.stock_number, round_.operating_number, round_.actor


def _prices(game: Game) -> dict[str, int]:
    return {name: game.prices.value(name) for name in game.prices.order()} if game.definition.priced else {}


def _wanted(turn: _Turn, company: str, round_code: str, game: Game) -> bool:
    in_round = not round_code or round_code.upper() in round_codes(game, turn.key[:3])
    return in_round and (not company or company in turn.companies)
