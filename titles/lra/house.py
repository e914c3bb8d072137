"""18LRA's greedy house player: what the common one does not know of harbours, tokens and GKB's tile."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from engine.steps.track import LayTileChoice


class LraGreedy(Greedy):
    """Likes harbours, gives tokens to the company that earns most, builds with private companies."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        if "assign_to" in choices:
            return self.assign(game, choices["assign_to"])
        if "place_harbour" in choices:
            move = self.place_harbour(game, choices["place_harbour"], chance)
            if move is not None:
                return move
        return super().choose(game, player, chance)

    def assign(self, game: Game, choice: Choice[mv.Move]) -> mv.Move:
        """To the company that has earned most, and has room for a train."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        companies = [option.value for option in domain.options]
        return choice.move({"company": max(companies, key=lambda name: game.company(name).last_revenue or 0)})

    def place_harbour(self, game: Game, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        """The cheapest harbour, if a train can still be paid."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        option = min(domain.options, key=lambda option: option.facts["cost"])
        reserve = 0 if game.company(choice.company).trains else min((price(game, t) for t in on_sale(game)), default=0)
        if game.state.cash[choice.company] - option.facts["cost"] < reserve or chance.random() < 0.2:
            return None
        return choice.move({"hex": option.value})

    def lay_tile(self, game: Game, player: str, choice: LayTileChoice, chance: random.Random) -> mv.Move | None:
        special = [c for c in game.offer().of(player) if c.name == "lay_tile" and c.granted_by]
        if special and special[0] is not choice and chance.random() < 0.4:
            return fill(special[0], chance)
        return super().lay_tile(game, player, choice, chance)
