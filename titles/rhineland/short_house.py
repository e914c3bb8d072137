"""A greedy house player for the short game: shares that earn, track for its own companies, better trains."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.finance import shares
from engine.finance.depot import on_sale
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from engine.state import OFFERING
from engine.steps.track import LayTileChoice

#: What a train is expected to earn for each number on it, before it has run.
_A_STOP = 20
#: So much more somebody expects of a company that they direct, in parts of its revenue.
_OWN = 0.3
#: At most so much is a station worth beside a lay.
_STATION = 5
#: A lay that scores less than this is not worth the turn's only action.
_TOO_LITTLE = 0.5


class ShortGreedy(Greedy):
    """Takes what promises most, and uses its action for whichever company gains most by it."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        own = game.offer().of(player)
        named = {choice.name: choice for choice in own}
        if "take_certificate" in named:
            return self.take(game, player, named["take_certificate"], chance)
        if "discard_certificate" in named:
            return self.give_up(game, player, named["discard_certificate"])
        if "run" in named or "hand_over" in named:
            return fill(own[0], chance)
        return self.act(game, player, own, chance)

    # ------------------------------------------------------------------ certificates

    def take(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)

        def promise(company: str) -> float:
            number = company_top(game, company)
            percent = shares.percent_of(game, company, number)
            mine = shares.held(game, company, player) + percent
            director = game.company(company).director
            leads = not director or director == player or mine > shares.held(game, company, director)
            return percent * self.promise(game, company) * (1 + _OWN * leads) + chance.random()

        return choice.move({"company": max((option.value for option in domain.options), key=promise)})

    def promise(self, game: Game, company: str) -> float:
        """What a company may earn in a run: what it earned last, or what its train could reach."""
        state = game.company(company)
        trains = state.trains or ([] if state.floated else on_sale(game)[:1])
        reach = max((game.definition.train(train).reach for train in trains), default=0)
        return max(state.last_revenue or 0, _A_STOP * reach / 2)

    def give_up(self, game: Game, player: str, choice: Choice[mv.Move]) -> mv.Move:
        """The certificate that earns least."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        company = min((option.value for option in domain.options), key=lambda name: self.promise(game, name))
        sizes = choice.ask({"company": company})
        assert isinstance(sizes, Options)
        return choice.move({"company": company, "percent": min(option.value for option in sizes.options)})

    # ------------------------------------------------------------------ the action

    def act(self, game: Game, player: str, own: tuple[Choice[mv.Move], ...], chance: random.Random) -> mv.Move:
        """The best of what can be done: a new train, better trains where the shares are, track, a station."""
        best: tuple[float, mv.Move] | None = None
        for choice in own:
            found = self.judged(game, player, choice, chance)
            if found is not None and (best is None or found[0] > best[0]):
                best = found
        if best is not None and best[0] > _TOO_LITTLE:
            return best[1]
        passing = next((choice for choice in own if choice.name == "pass"), own[0])
        return fill(passing, chance)

    def judged(
        self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random
    ) -> tuple[float, mv.Move] | None:
        """A move of a kind with what it is worth."""
        match choice.name:
            case "replace_train":
                return self.replaced(game, player, choice)
            case "swap_trains":
                return self.swapped(game, player, choice)
            case "lay_tile":
                return self.best_lay(game, player, choice, chance)  # type: ignore[arg-type]
            case "place_station":
                return chance.random() * _STATION, fill(choice, chance)
            case _ if choice.name != "pass":
                # What a title has besides, and what stays: worth more than most tiles.
                return chance.random() * 2 * _STATION, fill(choice, chance)
        return None

    def best_lay(
        self, game: Game, player: str, choice: LayTileChoice, chance: random.Random
    ) -> tuple[float, mv.Move] | None:
        best: tuple[float, mv.Move] | None = None
        share = shares.held(game, choice.company, player) / 100
        for at in choice.hexes():
            for fit in choice.fits(at):
                score = (self.lay_score(game, choice.company, at, fit) + chance.random()) * (0.5 + share)
                if best is None or score > best[0]:
                    best = score, choice.move({"hex": at, "tile": fit.tile, "rotation": fit.rotation})
        return best

    def reach(self, game: Game, company: str) -> int:
        return max((game.definition.train(train).reach for train in game.company(company).trains), default=0)

    def replaced(self, game: Game, player: str, choice: Choice[mv.Move]) -> tuple[float, mv.Move]:
        """A longer train where more of the shares are, if it has a route there."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        new = game.definition.train(on_sale(game)[0])
        gains = {
            option.value: (new.reach - self.reach(game, option.value)) * shares.held(game, option.value, player) / 10
            if game.router(option.value).any_route(new.name)
            else 0.0
            for option in domain.options
        }
        company = max(gains, key=lambda name: gains[name])
        return gains[company], choice.move({"company": company})

    def swapped(self, game: Game, player: str, choice: Choice[mv.Move]) -> tuple[float, mv.Move]:
        """The longer train belongs where more of the shares are, if the company has earned with its own."""
        found: list[tuple[float, mv.Move]] = []
        domain = choice.ask({})
        assert isinstance(domain, Options)
        for one in domain.options:
            others = choice.ask({"company": one.value})
            assert isinstance(others, Options)
            for other in others.options:
                ahead = self.reach(game, other.value) - self.reach(game, one.value)
                more = shares.held(game, one.value, player) - shares.held(game, other.value, player)
                earned = min(game.company(name).last_revenue or 0 for name in (one.value, other.value))
                gain = ahead * more / 20 if earned else 0.0
                found.append((gain, choice.move({"company": one.value, "other": other.value})))
        return max(found, key=lambda entry: entry[0])


def company_top(game: Game, company: str) -> int:
    """The number of a company's top certificate on display."""
    number = shares.top(game, company, OFFERING)
    assert number is not None
    return number
