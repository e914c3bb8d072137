"""Tiles and stations by what the routes then earn: with the trains of now, and with those that will come.

Play-outs cannot see what a tile is worth, since it is less than their noise; a search for the best routes can.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import counting, on_sale, price
from engine.game import Game
from engine.house.players import COMMON, Greedy
from engine.house.quick import play
from engine.house.tidy import every
from engine.offer import Choice
from engine.steps.track import LayTileChoice

#: What counts how much: what the next run brings more, what later ones bring, and what greedy sees in new track.
NOW, LATER, SHAPE = 1.0, 0.8, 0.5
#: A station must bring its price in so many runs.
RUNS = 4.0
#: So many steps of a search each lay may take on average.
STEPS = 2_500
#: Money of a company counts so much against income of one run.
MONEY = 0.1


@dataclass(frozen=True, slots=True)
class Built:
    """A lay or a station, and what it is worth in income of one run."""

    worth: float
    move: mv.Move


class Builder:
    """Judges what a player may build in one position; `width` is how many lays are searched."""

    def __init__(self, game: Game, player: str, width: int) -> None:
        self.game = game
        self.player = player
        self.width = width
        self.count = 0
        self.steps = 0
        self._left = 0
        self._after: dict[mv.Move, Game] = {}
        self._before: dict[str, tuple[int, int]] = {}
        judge = game.rules.house.get("greedy")
        self.greedy: Greedy = judge if isinstance(judge, Greedy) else COMMON

    def earns(self, game: Game, company: str) -> tuple[int, int]:
        """What a company's best runs bring, with the trains that it has and with those to come."""
        revenue = game.rules.trains.revenue
        self.count += 1
        best = game.best_routes(company)
        now = revenue(best.routes)
        self.steps += best.nodes
        own = game.state.companies[company].trains
        coming = to_come(self.game, company)
        if coming == own:
            return now, now
        self.count += 1
        game.state.companies[company].trains = coming
        best = game.best_routes(company)
        then = revenue(best.routes)
        self.steps += best.nodes
        game.state.companies[company].trains = own
        return now, then

    def before(self, company: str) -> tuple[int, int]:
        if company not in self._before:
            self._before[company] = self.earns(self.game.copy(), company)
        return self._before[company]

    def lays(self, choices: list[LayTileChoice]) -> list[Built]:
        """The best lays, judged by routes, the best first."""
        found: list[tuple[float, Choice[Any], mv.Move]] = []
        for choice in choices:
            part = self.part(choice.company)
            for at in choice.hexes():
                cost = choice.step.cost(self.game, choice.permit, at)
                for fit in choice.fits(at):
                    shape = self.greedy.lay_score(self.game, choice.company, at, fit) * part
                    picked = {"hex": at, "tile": fit.tile, "rotation": fit.rotation}
                    found.append((shape - cost * MONEY / 2, choice, choice.move(picked)))
        found.sort(key=lambda entry: -entry[0])
        at_once = [
            (SHAPE * shape + self.gain_now(choice, move), choice, move) for shape, choice, move in self.spread(found)
        ]
        at_once.sort(key=lambda entry: -entry[0])
        built = [Built(worth + self.gain_later(choice, move), move) for worth, choice, move in at_once[: self.width]]
        return sorted(built, key=lambda entry: -entry.worth)

    def spread(self, found: list[tuple[float, Choice[Any], mv.Move]]) -> Iterator[tuple[float, Choice[Any], mv.Move]]:
        """The most promising lays, of one hex only some, until too many steps were searched."""
        taken: dict[str, int] = {}
        count = 0
        for entry in found:
            at = getattr(entry[2], "hex", "")
            if (
                taken.get(at, 0) < max(self.width // 2, 3)
                and count < 3 * self.width
                and self.steps < STEPS * self.width
            ):
                taken[at] = taken.get(at, 0) + 1
                count += 1
                yield entry

    def stations(self, choice: Choice[Any]) -> list[Built]:
        """The places for a station, the best first; what they cost is counted."""
        cash = self.game.state.cash.get(choice.company, 0)
        built = []
        for move in every(choice, self.width):
            gain = self.gain(choice, move, RUNS)
            built.append(Built(gain - (cash - self._left) / 2, move))
        return sorted(built, key=lambda entry: -entry.worth)

    def gain_now(self, choice: Choice[Any], move: mv.Move) -> float:
        """How much more the next run brings after a lay."""
        company = choice.company
        twin = self.after(move)
        best = twin.best_routes(company)
        self.count += 1
        self.steps += best.nodes
        now = self.game.rules.trains.revenue(best.routes)
        return NOW * (now - self.before(company)[0]) * self.part(company)

    def gain_later(self, choice: Choice[Any], move: mv.Move) -> float:
        """How much more later runs bring after a lay."""
        company = choice.company
        before, after = self.before(company), self.earns(self.after(move), company)
        return LATER * (after[1] - before[1]) * self.part(company)

    def after(self, move: mv.Move) -> Game:
        """The game after a move, made once for each."""
        if move not in self._after:
            twin = self.game.copy()
            play(twin, move)
            self._after[move] = twin
        return self._after[move]

    def gain(self, choice: Choice[Any], move: mv.Move, runs: float = 1.0) -> float:
        """How much more the company earns after a move."""
        company = choice.company
        twin = self.game.copy()
        play(twin, move)
        self._left = twin.state.cash.get(company, 0)
        before, after = self.before(company), self.earns(twin, company)
        return runs * (NOW * (after[0] - before[0]) + LATER * (after[1] - before[1])) * self.part(company)

    def part(self, company: str) -> float:
        """How much of a company's income is the player's: all that counts where they act for several."""
        if not self.game.state.round.actor or self.game.state.round.actor == company:
            return 1.0
        return 0.2 + shares.held(self.game, company, self.player) / 100


def to_come(game: Game, company: str) -> list[str]:
    """The trains that a company will have when it has bought what it can: those that last, and the next on sale."""
    own = list(game.company(company).trains)
    new = on_sale(game)
    if not new:
        return own
    lasting = [name for name in own if not game.definition.train(name).rusts_on]
    room = max(game.phase.train_limit - len(counting(game, company)), 0)
    money = game.state.cash[company] + 2 * (game.company(company).last_revenue or 0)
    coming = max(new, key=lambda name: (price(game, name) <= max(money, price(game, new[0])), price(game, name)))
    if not own:
        return [coming] * min(2, max(game.phase.train_limit, 1))
    return [*own, coming] if room else [*lasting, coming]
