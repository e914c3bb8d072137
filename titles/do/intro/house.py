"""A greedy house player for the introductory game: shares that will earn, track and links on the way of its trains."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from engine import moves as mv
from engine.board.board import Board
from engine.board.tiling import Fit
from engine.finance import shares
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from engine.routes.model import RouteSet
from engine.state import OFFERING
from engine.steps.track import LayTileChoice
from titles.do.board.links import LinkChoice
from titles.rhineland.short_moves import next_train

#: It plans for a train of this length, since short ones will be exchanged before the end.
_PLANNED = 5
#: So many lays are looked at closely, those that look best at first sight.
_CLOSELY = 6
#: So many steps a search for a route may take; a good route is found early.
_STEPS = 2_000
#: What a railway is expected to earn at the end for each number on its train, while it has hardly any track.
_A_STOP = 20
#: So much more somebody expects of a railway that they direct, in parts of its income.
_OWN = 0.3
#: So much more income a station must bring than none: there are few of them.
_A_TOKEN = 5
#: What a lay that brings nothing yet is worth by its looks, in Mark for each point of them.
_LOOKS = 2.0
#: This part of what a railway lacks against the best one it expects to have once it is joined to that one's track.
_JOINED = 0.5
#: Who has fewer turns left expects less of what is still to be built.
_TO_BUILD = 6
#: So many turns before the last possible one it begins to exchange its trains.
_EARLY = 1


class EfsGreedy(Greedy):
    """Plays for the dividends of the end: what a railway will earn, times what it holds of it."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        own = game.offer().of(player)
        named = {choice.name: choice for choice in own}
        if "take_certificate" in named:
            return self.take(game, player, named["take_certificate"], chance)
        if "discard_certificate" in named:
            return self.give_up(game, player, named["discard_certificate"])
        if "set_aside" in named:
            return self.set_aside(game, player, named["set_aside"])
        if "replace_train" in named or "swap_trains" in named:
            return self.exchange(game, player, named) or fill(named["pass"], chance)
        best = max(
            (found for choice in own for found in self.judged(game, player, choice, chance)),
            key=lambda found: found[0],
            default=None,
        )
        return best[1] if best is not None and best[0] > 0 else fill(named["pass"], chance)

    # ------------------------------------------------------------------ what railways are worth

    def best(self, game: Game, company: str) -> RouteSet:
        """The best run over the track of now, with a train that the railway may have by the end."""
        reach = max(self.reach(game, company), _PLANNED)
        train = next(train.name for train in game.definition.trains if train.reach >= reach)
        left = iter(range(_STEPS // 128))
        router = game.router(company)
        return router.best((train,), as_many_as_possible=False, enough=lambda: next(left, None) is None)

    def income(self, game: Game, company: str) -> int:
        found: RouteSet = game.kept(("house", company), lambda: self.best(game, company))
        return found.value

    def promise(self, game: Game, player: str, company: str) -> float:
        """What ten per cent of a railway may bring at the end."""
        income = max(self.income(game, company), _A_STOP * _PLANNED)
        to_come = _JOINED * self.lack(game, company) * min(1, self.turns(game) / _TO_BUILD)
        director = game.company(company).director
        return (income + to_come) * (1 + _OWN * (director == player)) / 10

    def goal(self, game: Game) -> str:
        """The railway that would earn most: whoever is joined to its track will earn about as much."""
        found: str = game.kept(
            "house goal", lambda: max(game.state.companies, key=lambda name: self.income(game, name))
        )
        return found

    def lack(self, game: Game, company: str) -> int:
        return self.income(game, self.goal(game)) - self.income(game, company)

    def turns(self, game: Game) -> int:
        """How many turns everybody has after this one: each takes a certificate from the display."""
        left = sum(len(shares.numbers(game, name, OFFERING)) for name in game.state.companies)
        return left // len(game.state.seats)

    # ------------------------------------------------------------------ certificates

    def take(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        def worth(company: str) -> float:
            number = shares.top(game, company, OFFERING)
            assert number is not None
            percent = shares.percent_of(game, company, number)
            mine = shares.held(game, company, player) + percent
            director = game.company(company).director
            leads = director != player and (not director or mine > shares.held(game, company, director))
            return percent / 10 * self.promise(game, player, company) * (1 + _OWN * leads) + chance.random()

        return choice.move({"company": max(_values(choice), key=worth)})

    def give_up(self, game: Game, player: str, choice: Choice[mv.Move]) -> mv.Move:
        """The certificate that promises least."""
        company = min(_values(choice), key=lambda name: self.promise(game, player, name))
        sizes = choice.ask({"company": company})
        assert isinstance(sizes, Options)
        return choice.move({"company": company, "percent": min(option.value for option in sizes.options)})

    def set_aside(self, game: Game, player: str, choice: Choice[mv.Move]) -> mv.Move:
        """What would be worth most to others."""
        return choice.move({"company": max(_values(choice), key=lambda name: self.promise(game, player, name))})

    # ------------------------------------------------------------------ building

    def judged(
        self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random
    ) -> Iterator[tuple[float, mv.Move]]:
        """Moves of a kind, each with what it is worth to the player."""
        if isinstance(choice, LayTileChoice):
            yield from self.lays(game, player, choice, chance)
        elif isinstance(choice, LinkChoice):
            share = shares.held(game, choice.company, player) / 100
            best: RouteSet = game.kept(("house", choice.company), lambda: self.best(game, choice.company))
            passed = {part.what.partition(":")[0] for route in best.routes for part in route.parts}
            for at in _values(choice):
                # Every link stays for good, but one on the best route is sure to pay.
                yield (10 if at in passed else 1) * share + chance.random() / 10, choice.move({"hex": at})
        elif choice.name == "place_station":
            share = shares.held(game, choice.company, player) / 100
            before = self.income(game, choice.company)
            places = _values(choice)
            for at in chance.sample(places, min(len(places), _CLOSELY)):
                gain = self.after(game, choice.company, partial(_station, choice.company, at)) - before
                yield (gain - _A_TOKEN) * share, choice.move({"hex": at, "stop": 0})

    def lays(
        self, game: Game, player: str, choice: LayTileChoice, chance: random.Random
    ) -> Iterator[tuple[float, mv.Move]]:
        """The best-looking lays, judged by what the railway would earn after them."""
        company = choice.company or self.favourite(game, player)
        if not company:
            return
        share = shares.held(game, company, player) / 100
        near = game.reach(company)
        nearer = self.nearer(game, company)
        looks = [
            (self.lay_score(game, company, at, fit) + nearer(at, fit) / _LOOKS + chance.random(), at, fit)
            for at in choice.hexes()
            if at in near.touched or any(at == begin for begin, _ in near.starts)
            for fit in choice.fits(at)
            if near.touches(at, fit.exits)
        ]
        before = self.income(game, company) if looks else 0
        for score, at, fit in sorted(looks, key=lambda look: -look[0])[:_CLOSELY]:
            gain = self.after(game, company, partial(_tile, at, fit)) - before
            move = choice.move({"hex": at, "tile": fit.tile, "rotation": fit.rotation})
            yield (gain + _LOOKS * score) * share, move

    def nearer(self, game: Game, company: str) -> Callable[[str, Fit], float]:
        """What a lay is worth because it leads towards the best railway's track, which a look at one lay cannot see."""
        near, beside = game.reach(company), game.definition.map.neighbours
        lays: Mapping[str, int] = game.kept("house lays", lambda: lays_to(game, self.goal(game)))
        now = min((lays[at] for at in near.touched if at in lays), default=None)
        if now is None:
            return lambda at, fit: 0
        step = _JOINED * self.lack(game, company) / (now + 1)

        def worth(at: str, fit: Fit) -> float:
            new = (edge for edge in range(6) if fit.exits >> edge & 1 and not near.touches(at, 1 << edge))
            then = min((lays.get(beside[at][edge] or "", now + 1) for edge in new), default=now + 1)
            return step if then < now or then == 0 else 0

        return worth

    def favourite(self, game: Game, player: str) -> str:
        """The railway that somebody who directs none holds most of."""
        held = {name: shares.held(game, name, player) for name in game.state.companies}
        best = max(held, key=lambda name: held[name])
        return best if held[best] else ""

    def after(self, game: Game, company: str, change: Callable[[Board], object]) -> int:
        """What a railway would earn over a changed board; nobody's turn goes on, which would cost most of the time."""
        twin = game.copy()
        change(twin.board)
        return self.income(twin, company)

    # ------------------------------------------------------------------ trains

    def exchange(self, game: Game, player: str, named: dict[str, Choice[mv.Move]]) -> mv.Move | None:
        """A new train for an obsolete one where most of the shares are; else the longer train where they are."""
        found: list[tuple[float, mv.Move]] = []
        if "replace_train" in named and not self.waits(game, player):
            choice, new = named["replace_train"], game.definition.train(next_train(game)).reach
            for company in _values(choice):
                gain = new - self.reach(game, company)
                found.append((gain * shares.held(game, company, player), choice.move({"company": company})))
        if "swap_trains" in named:
            choice = named["swap_trains"]
            for one in _values(choice):
                others = choice.ask({"company": one})
                assert isinstance(others, Options)
                for option in others.options:
                    longer = self.reach(game, option.value) - self.reach(game, one)
                    more = self.weight(game, player, one) - self.weight(game, player, option.value)
                    found.append((longer * more / 2, choice.move({"company": one, "other": option.value})))
        best = max(found, key=lambda entry: entry[0], default=None)
        return best[1] if best is not None and best[0] > 0 else None

    def waits(self, game: Game, player: str) -> bool:
        """Whether a longer train may come: only the last run counts, and there is a train for everybody who waits."""
        trains = game.definition.trains
        mine = [company for company in game.state.companies.values() if company.director == player]
        short = sum(bool(game.definition.train(train).rusts_on) for company in mine for train in company.trains)
        return next_train(game) != trains[-1].name and self.turns(game) >= short + _EARLY

    def weight(self, game: Game, player: str, company: str) -> float:
        """How much a longer train would bring: shares, if the railway has a way to go at all."""
        return shares.held(game, company, player) * (self.income(game, company) > 2 * _A_STOP)

    def reach(self, game: Game, company: str) -> int:
        return max((game.definition.train(train).reach for train in game.company(company).trains), default=0)


def lays_to(game: Game, company: str) -> dict[str, int]:
    """How many lays lie between each hex and the track that a railway reaches."""
    board, reach = game.definition.map, game.reach(company)
    found = dict.fromkeys([*reach.touched, *(at for at, _ in reach.stops)], 0)
    queue = deque(found)
    while queue:
        at = queue.popleft()
        spot = board.hexes[at]
        for edge, other in enumerate(board.neighbours[at]):
            open_ = spot.buildable or spot.face.exits >> edge & 1
            if other is not None and other not in found and open_ and board.hexes[other].buildable:
                found[other] = found[at] + 1
                queue.append(other)
    return found


def _tile(at: str, fit: Fit, board: Board) -> None:
    board.lay(at, fit)


def _station(company: str, at: str, board: Board) -> None:
    board.place_station(company, at, 0)


def _values(choice: Choice[Any]) -> list[str]:
    domain = choice.ask({})
    assert isinstance(domain, Options)
    return [option.value for option in domain.options]
