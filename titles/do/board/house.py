"""18DO's greedy house player: what the common one does not know of bid boxes, links, breweries and a company's deal."""

from __future__ import annotations

import random
from collections.abc import Mapping

from engine import moves as mv
from engine.finance.depot import counting, on_sale, price
from engine.game import Game
from engine.house.players import Greedy, fill
from engine.offer import Choice, Options
from titles.do.board.remembered import Bidding

Choices = Mapping[str, Choice[mv.Move]]


class DoGreedy(Greedy):
    """Bids low, links what its trains visit, turns its brewery when beer can be carried, and sells shares in need."""

    def choose(self, game: Game, player: str, chance: random.Random) -> mv.Move:
        choices = {choice.name: choice for choice in reversed(game.offer().of(player))}
        if game.state.pauses:
            known = {"answer", "discard_train"} & choices.keys()
            return super().choose(game, player, chance) if known else self.other(choices, chance)
        step = game.state.round.step
        if "turn_brewery" in choices and step in ("station", "run") and self.ready(game, choices["turn_brewery"]):
            return self.turn(game, choices["turn_brewery"], chance)
        if "link_location" in choices and self.spare(game, choices["link_location"]):
            return self.link(choices["link_location"], chance)
        if step == "early" and "buy_train" in choices:
            return fill(choices["buy_train"], chance)
        if "trade_up" in choices and chance.random() < 0.2:
            return fill(choices["trade_up"], chance)
        if "sell_own_shares" in choices and step == "trains" and self.short(game, game.state.round.actor):
            return fill(choices["sell_own_shares"], chance)
        if game.state.round.kind == "operating":
            own = {"run", "dividend", "lay_tile", "place_station", "buy_train"} & choices.keys()
            if "pass" in choices and not own:
                passing: mv.Move = choices["pass"].move({})
                return passing
            if "place_station" in choices and choices["place_station"].granted_by and "pass" in choices:
                return fill(choices["place_station"], chance)
        return super().choose(game, player, chance)

    def package(self, game: Game, player: str, choices: Choices, chance: random.Random) -> mv.Move:
        """The lowest box of a lot that nobody has, rather than topping others."""
        choice = choices["bid"]
        domain = choice.ask({})
        assert isinstance(domain, Options)
        taken = {lot for lot, _ in Bidding.of(game).bids.values()}
        free = [option for option in domain.options if option.value not in taken] or list(domain.options)
        lot = chance.choice(free if chance.random() < 0.7 else list(domain.options))
        return choice.move({"lot": lot.value, "price": lot.facts["least"]})

    def ready(self, game: Game, choice: Choice[mv.Move]) -> bool:
        """A marker helps as soon as trains carry beer; before that the revenue is worth more."""
        return any(not game.definition.train(train).rusts_on for train in game.company(game.state.round.actor).trains)

    def turn(self, game: Game, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        picked = {"private": choice.granted_by}
        domain = choice.ask(picked)
        if isinstance(domain, Options) and any(option.value == game.state.round.actor for option in domain.options):
            return choice.move({**picked, "company": game.state.round.actor})
        return fill(choice, chance, picked)

    def spare(self, game: Game, choice: Choice[mv.Move]) -> bool:
        """Whether there is money for a link: the railway has a train, or will still be able to buy one."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        cost = min(option.facts["cost"] for option in domain.options)
        next_price = min((price(game, train) for train in on_sale(game)), default=0)
        return bool(counting(game, choice.company)) or game.state.cash[choice.company] - cost >= next_price

    def link(self, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        """A location with the highest value to come, since every route over it earns that."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        best = max(domain.options, key=lambda option: (option.facts["link"], chance.random()))
        return choice.move({"hex": best.value})

    def short(self, game: Game, company: str) -> bool:
        """Whether a railway without a train has too little for the next one."""
        next_price = min((price(game, train) for train in on_sale(game)), default=0)
        return not counting(game, company) and game.state.cash[company] < next_price
