"""The common house player that looks ahead: it tries what is on offer and plays out what follows.

Tiles and stations are judged by the routes that they make possible, everything else by play-outs: the same lot for all
candidates, the better half goes on to the next play-out, until the positions of a decision are used up. It reads no
clock: the same position, seed and level give the same move on every machine. It looks ahead in a copy in which what
its player cannot know was drawn anew.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import mean
from typing import Any

from engine import moves as mv
from engine.game import Game
from engine.house import value
from engine.house.candidates import PROPOSALS, proposed, worth_trying
from engine.house.exact import Builder
from engine.house.quick import BUILDING, Steady, play, play_out
from engine.memo import Memo
from engine.offer import Choice, Option, Options
from engine.steps.run import RunChoice
from engine.steps.track import LayTileChoice

#: One luck after the other, the same for all candidates.
LUCKS = (0.5, 0.3, 0.7, 0.1, 0.9, 0.4, 0.6, 0.2, 0.8)
#: A move must be worth so much more than the usual one, in parts of what the player has.
MARGIN = 0.003
#: So many moves of one play-out at most.
LONGEST = 160


@dataclass(frozen=True)
class Level:
    """How much a player looks at: only numbers, no other judgement."""

    #: Positions of one decision: moves made in copies, searches for routes among them.
    positions: int
    #: Candidates that are played out, and lays that are searched.
    width: int
    lays: int
    #: Rounds of a play-out.
    rounds: int
    #: So many play-outs of each candidate before the worse half is left out.
    patience: int = 1
    #: Points by which a move is thought better or worse than it is, by lot.
    noise: float = 0.0


@dataclass
class Thought:
    """A candidate, and what was found out about it."""

    move: mv.Move
    #: What each play-out came to, against the others' average; only play-outs of the same lot compare.
    results: list[float] = field(default_factory=list)
    #: What the player alone has then.
    own: list[float] = field(default_factory=list)
    #: Where the play-outs ended, for those who tell why.
    ends: list[Game] = field(default_factory=list)

    @property
    def worth(self) -> float:
        return mean(self.results) if self.results else float("-inf")


class LookAhead:
    """A house player of a level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self._memo: tuple[object, Memo] | None = None

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        return self.thoughts(game, player)[0].move

    # ------------------------------------------------------------------ thinking

    def thoughts(self, game: Game, player: str, also: mv.Move | None = None) -> list[Thought]:
        """The candidates, the best first; `also` is tried in any case."""
        run = self.run(game, player)
        if run is not None:
            return [Thought(run)]
        luck = random.Random(f"{game.seed} {len(game.moves)} {player}")
        view = self.view(game, player, luck)
        choices = view.offer().of(player)
        only = self.only(choices)
        if only is not None:
            return [Thought(only)]
        built, searched = self.built(view, player, choices)
        others = [choice for choice in choices if choice.name not in BUILDING and choice.name != "pass"]
        if built and not others:
            return built
        candidates = worth_trying(view, player)
        candidates += [thought.move for thought in built[:3] if thought.move not in candidates]
        if also is not None and also not in candidates:
            candidates.insert(1, also)
        return self.search(view, player, candidates, searched, luck)

    def view(self, game: Game, player: str, luck: random.Random) -> Game:
        """The game as its player sees it, with what was searched for other positions."""
        view = game.seen_by(player, luck)
        if self._memo is None or self._memo[0] is not game.rules:
            self._memo = game.rules, Memo()
        view.memo = self._memo[1]
        return view

    def run(self, game: Game, player: str) -> mv.Move | None:
        """The best run, as the rules find it in the game itself, where trains are to run."""
        choice = next((choice for choice in game.offer().of(player) if isinstance(choice, RunChoice)), None)
        if choice is None:
            return None
        domain = choice.ask({})
        assert isinstance(domain, Options)
        return choice.move({domain.name: domain.options[0].value})

    def only(self, choices: tuple[Choice[Any], ...]) -> mv.Move | None:
        """The one move that there is."""
        if len(choices) > 1:
            return None
        choice = next(iter(choices))
        picked: dict[str, Any] = {}
        while (domain := choice.ask(picked)) is not None:
            options: Sequence[Option] = domain.options if isinstance(domain, Options) else ()
            if len(options) != 1:
                return None
            picked[domain.name] = options[0].value
        move: mv.Move = choice.move(picked)
        return move

    def built(self, view: Game, player: str, choices: tuple[Choice[Any], ...]) -> tuple[list[Thought], int]:
        """What may be built, and nothing where that is allowed, by routes; and how many positions that took."""
        lays = [choice for choice in choices if isinstance(choice, LayTileChoice)]
        stations = [choice for choice in choices if choice.name == "place_station"]
        if not lays and not stations:
            return [], 0
        builder = Builder(view, player, self.level.lays)
        found = builder.lays(lays) if lays else []
        for choice in stations:
            found += builder.stations(choice)
        thoughts = [Thought(entry.move, [entry.worth]) for entry in found]
        passing = next((choice for choice in choices if choice.name == "pass"), None)
        if passing is not None:
            thoughts.append(Thought(passing.move({}), [0.0]))
        return sorted(thoughts, key=lambda thought: -thought.worth), builder.count

    def search(
        self, view: Game, player: str, candidates: list[mv.Move], used: int, luck: random.Random
    ) -> list[Thought]:
        """Play candidates out, the better half again and again."""
        begun: list[tuple[float, int, Thought]] = []
        asked = proposed(view, player) >= PROPOSALS
        for number, move in enumerate(candidates):
            twin = view.copy()
            play(twin, move)
            used += 1
            asks = bool(twin.state.pauses) and player not in twin.offer().deciders
            if number and asks and asked:
                continue
            begun.append((-value.judged(twin, player), number, Thought(move)))
        usual = begun[0][2]
        ranked = [thought for _, number, thought in sorted(begun, key=lambda entry: entry[:2]) if number]
        kept = [usual, *ranked[: self.level.width - 1]]
        everyone = list(kept)
        for number, lot in enumerate(LUCKS, start=1):
            if len(kept) == 1 or used >= self.level.positions:
                break
            steady = Steady(lot)
            root = view if lot == LUCKS[0] else view.seen_by(player, luck)
            root.memo = view.memo
            for thought in kept:
                used += self.played(root, player, thought, steady)
            kept.sort(key=lambda thought: -thought.worth)
            if number % self.level.patience:
                continue
            kept = kept[: max(len(kept) // 2, 1)]
            if usual not in kept and len(kept) > 1:
                kept[-1] = usual
        return self.decided(everyone, usual, luck)

    def played(self, root: Game, player: str, thought: Thought, luck: Steady) -> int:
        """One play-out of a candidate; gives how many positions it took."""
        twin = root.copy()
        play(twin, thought.move)
        count = 1 + play_out(twin, luck, self.level.rounds, LONGEST)
        found = value.values(twin)
        others = [worth for other, worth in found.items() if other != player]
        own = found.get(player, 0.0)
        thought.own.append(own)
        thought.results.append(own - (value.RIVALRY * sum(others) / len(others) if others else 0.0))
        thought.ends.append(twin)
        return count

    def decided(self, thoughts: list[Thought], usual: Thought, luck: random.Random) -> list[Thought]:
        """The best first: of those that went as far as any, and clearly better than the usual one."""
        level = self.level

        def felt(thought: Thought) -> float:
            worth = thought.worth + (luck.gauss(0, level.noise) if level.noise else 0.0)
            return worth + (MARGIN * abs(usual.own[0]) if thought is usual and usual.own else 0.0)

        ranks = {id(thought): (len(thought.results), felt(thought)) for thought in thoughts}
        most = max(rank[0] for rank in ranks.values())
        usual_worth = usual.worth
        ordered = sorted(thoughts, key=lambda thought: ranks[id(thought)], reverse=True)
        best = ordered[0]
        if len(usual.results) < most and best.worth < usual_worth:
            return [usual, *(thought for thought in ordered if thought is not usual)]
        return ordered


LEVELS = {
    "normal": Level(positions=450, width=6, lays=10, rounds=3),
    "hard": Level(positions=4_000, width=12, lays=24, rounds=5, patience=2),
}
