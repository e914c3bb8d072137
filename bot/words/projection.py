"""If trains ran now: what each railway would earn with its best routes, and what everybody would receive of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.names import called
from bot.texts import Say
from engine.finance import shares
from engine.game import Game
from engine.routes.model import Route

#: All companies together are searched no longer than this; what is not found by then is not told.
SECONDS = 2.0


@dataclass(frozen=True)
class Projection:
    """The best routes of every company that could run, what they bring, and what each player would get."""

    routes: dict[str, tuple[Route, ...]]
    earned: dict[str, int]
    received: dict[str, int]

    @classmethod
    def of(cls, game: Game, enough: Callable[[], bool] | None = None) -> Projection:
        """Searched in a copy: nothing is moved, and the game's own searches stay what they are."""
        until = time.monotonic() + SECONDS
        stop = enough or (lambda: time.monotonic() > until)
        copy, routes, earned = game.copy(), {}, {}
        for code, company in game.state.companies.items():
            if company.trains and company.director and not company.closed:
                found = copy.advice(code, stop)
                routes[code] = tuple(found.routes)
                earned[code] = copy.rules.trains.revenue(found.routes)
        received = {
            player: sum(shares.held(game, code, player) * amount // 100 for code, amount in earned.items())
            for player in game.players
        }
        return cls(routes, earned, received)

    def lines(self, say: Say, game: Game) -> list[str]:
        """What every railway would earn, and everybody receive; in games that pay once, with what they have by then."""
        if not self.earned:
            return []
        runs = ", ".join(say("now.run", company=code, amount=amount) for code, amount in self.earned.items())
        return [say("now.runs", list=runs), self.standing(say, game)]

    def standing(self, say: Say, game: Game) -> str:
        """What everybody would receive, who would get most first."""
        ends = not game.definition.priced
        had = game.state.cash if ends else dict.fromkeys(game.players, 0)
        sums = {player: had[player] + amount for player, amount in self.received.items()}
        ranked = sorted(sums, key=lambda player: -sums[player])
        told = ", ".join(say("event.gets", name=called(say, player), amount=sums[player]) for player in ranked)
        return say("now.ended" if ends else "now.paid", list=told)
