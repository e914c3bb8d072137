"""18LRA's greedy house player: what the common one does not know of harbours, tokens and GKB's tile."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.board.tiling import Fit
from engine.finance.depot import on_sale, price
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from engine.steps.track import LayTileChoice
from titles.lra.harbour import has_harbour_token, kept_for, reserved_by
from titles.lra.tables import HARBOUR

#: What a harbour that others may not use is worth to the house, beside what `lay_score` counts.
OWN_HARBOUR = 8


class LraGreedy(Greedy):
    """Likes harbours, its own above all, gives tokens to the company that earns most, builds with private companies."""

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

    def lay_score(self, game: Game, company: str, at: str, fit: Fit) -> float:
        """The track to a private company's harbour, and the tile that opens it, before others may use it."""
        score = super().lay_score(game, company, at, fit)
        table = game.definition.tables.harbour
        private = reserved_by(game, at, table)
        if not private or not kept_for(game, company, private) or not has_harbour_token(game, company, table):
            return score
        opens = any(HARBOUR in stop.reserved for stop in fit.face.stops)
        closed = not any(HARBOUR in stop.reserved for stop in game.board.faces[at].stops)
        return score + OWN_HARBOUR if opens and closed else score
