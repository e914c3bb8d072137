"""18BL's greedy house player: what the common one does not know of privates, trailers and rail buses."""

from __future__ import annotations

import random
from collections.abc import Mapping

from engine import moves as mv
from engine.finance.depot import counting, on_sale
from engine.game import Game
from engine.house.players import Greedy, bank_offers, fill
from engine.offer import Choice, Options
from engine.steps.track import LayTileChoice


class BlGreedy(Greedy):
    """Sells privates dearly, builds with them, buys rail buses where they pay."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        if "buy_access" in choices and chance.random() < 0.3:
            return fill(choices["buy_access"], chance)
        if "buy_private" in choices and chance.random() < 0.3:
            move = self.buy_private(game, choices["buy_private"], chance)
            if move is not None:
                return move
        if "exchange_private" in choices and chance.random() < 0.5:
            return fill(choices["exchange_private"], chance)
        return super().choose(game, player, chance)

    def buy_private(self, game: Game, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        """A director sells their own private dearly to their corporation; others are offered the printed price."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        option = chance.choice(domain.options)
        printed = game.definition.privates[option.value].price
        own = option.facts["owner"] == choice.player
        wanted = printed * 3 // 2 if own else printed
        cash = game.state.cash[choice.company]
        if game.company(choice.company).trains and option.facts["least"] <= wanted <= cash:
            return choice.move({"private": option.value, "price": wanted})
        return None

    def lay_tile(self, game: Game, player: str, choice: LayTileChoice, chance: random.Random) -> mv.Move | None:
        special = [c for c in game.offer().of(player) if c.name == "lay_tile" and c is not choice]
        if special and chance.random() < 0.7:
            return fill(special[0], chance)
        return super().lay_tile(game, player, choice, chance)

    def answer(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)
        facts = domain.options[0].facts
        if "train" in facts:
            return super().answer(game, player, choice, chance)
        good = chance.random() < 0.5
        if "private" in facts and facts["seller"] == player:
            good = facts["price"] >= game.definition.privates[facts["private"]].price
        return choice.move({"reply": "accept" if good else "decline"})

    def dividend(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        domain = choice.ask({})
        assert isinstance(domain, Options)
        kinds = [option.value for option in domain.options]
        saving = {train for train in on_sale(game) if train in game.definition.tables.vehicles.run_twice}
        if saving and len(counting(game, choice.company)) < game.phase.train_limit and chance.random() < 0.7:
            return choice.move({"kind": "withhold"})
        if "pay_75" in kinds and chance.random() < 0.3:
            return choice.move({"kind": "pay_75"})
        return super().dividend(game, player, choice, chance)

    def trains(self, game: Game, player: str, choices: Mapping[str, Choice[mv.Move]], chance: random.Random) -> mv.Move:
        if "buy_train" in choices:
            move = self._bargain(game, choices["buy_train"], chance, must="pass" not in choices)
            if move is not None:
                return move
        rest = {name: choice for name, choice in choices.items() if name != "buy_train" or len(choices) == 1}
        return super().trains(game, player, rest, chance)

    def _bargain(self, game: Game, choice: Choice[mv.Move], chance: random.Random, *, must: bool) -> mv.Move | None:
        """A trailer for a rail bus, else the strongest vehicle or, as often, the one that is most for its price."""
        thrifty = chance.random() < 0.5
        twice = game.definition.tables.vehicles.run_twice
        offers: list[tuple[float, mv.Move]] = []
        for kind, move in bank_offers(game, choice):
            if kind.kind == "trailer":
                return move
            power = kind.reach * (2 if kind.name in twice else 1)
            worth = power / kind.price * 100 if thrifty else power
            offers.append((worth + chance.random(), move))
        owned = len(counting(game, choice.company))
        if not offers or not (must or owned < 2 or chance.random() < 0.5):
            return None
        return max(offers, key=lambda offer: offer[0])[1]
