"""The Railway Game's greedy house player: founds what it can float, and keeps the trains moving."""

from __future__ import annotations

import random

from engine import moves as mv
from engine.board.faces import COLOURS
from engine.finance import shares
from engine.finance.depot import counting, on_sale, price
from engine.game import Game
from engine.house.players import bank_offers
from engine.offer import Choice, Options
from engine.remembered import Earned
from engine.state import BANK
from titles.do.board.house import DoGreedy

#: So often a longer train is bought that takes the last place and will be scrapped.
_LONGER = 0.9
#: So often money is kept back for a train that will be scrapped.
_SAVES = 0.5
#: The bank must have so many times the price of a train for it to be worth saving for.
_TIME = 1


class TrgGreedy(DoGreedy):
    """Capital goes straight into the treasury, and half of the shares float a railway: one alone can pay for that."""

    def _found(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        """The highest price at which the own money floats the railway, so that it runs from the next round on."""
        if any(c.director == player and not c.floated for c in game.state.companies.values()):
            return None
        companies = choice.ask({})
        assert isinstance(companies, Options)
        company = chance.choice(companies.options).value
        due = game.definition.corporations[company].float_percent // shares.unit(game, company)
        pars = choice.ask({"company": company})
        assert isinstance(pars, Options)
        payable = [option.value for option in pars.options if option.value * due <= game.state.cash[player]]
        return choice.move({"company": company, "par": max(payable)}) if payable else None

    # ------------------------------------------------------------------ trains

    def room(self, game: Game, company: str) -> int:
        """How many trains more a railway may have, by the limit of the next phase: whoever begins it must keep that."""
        phases = game.definition.phases
        following = phases[min(game.state.phase + 1, len(phases) - 1)]
        return following.train_limit - len(counting(game, company))

    def lasting(self, game: Game, company: str) -> int:
        return sum(not game.definition.train(train).rusts_on for train in game.company(company).trains)

    def next_price(self, game: Game) -> int:
        return min((price(game, train) for train in on_sale(game)), default=0)

    def saving(self, game: Game, company: str) -> bool:
        """Whether a railway puts its money by for its first train that lasts."""
        return not self.lasting(game, company) and self.worth_it(game, company)

    def worth_it(self, game: Game, company: str) -> bool:
        """Whether there is a train that lasts, a place for it, and time to use it."""
        lasts = any(not game.definition.train(train).rusts_on for train in on_sale(game))
        time = game.state.cash[BANK] > _TIME * self.next_price(game)
        return lasts and time and self.room(game, company) > 0

    def dividend(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move:
        """Kept where it buys a lasting train at once or is put by for the first; before that now and then."""
        domain = choice.ask({})
        assert isinstance(domain, Options)
        kinds = [option.value for option in domain.options]
        company = choice.company
        missing = self.next_price(game) - game.state.cash[company]
        late = COLOURS.index(game.phase.colour) >= COLOURS.index("green")
        wants = late and not self.lasting(game, company) and self.room(game, company) > 0
        once = 0 < missing <= 2 * (Earned.of(game).revenue or 0) and self.worth_it(game, company)
        keep = once or (missing > 0 and (self.saving(game, company) or (wants and chance.random() < _SAVES)))
        return choice.move({"kind": kinds[-1] if keep else kinds[0]})

    def place_station(self, game: Game, player: str, choice: Choice[mv.Move], chance: random.Random) -> mv.Move | None:
        return None if self.saving(game, choice.company) else super().place_station(game, player, choice, chance)

    def spare(self, game: Game, choice: Choice[mv.Move]) -> bool:
        return not self.saving(game, choice.company) and super().spare(game, choice)

    def _buy_train(self, game: Game, choice: Choice[mv.Move], chance: random.Random, *, must: bool) -> mv.Move | None:
        """Trains that last always, since nobody counts a treasury; others if a place is left for what comes after."""
        offers = list(bank_offers(game, choice))
        if not offers:
            return None
        train, move = max(offers, key=lambda offer: offer[0].reach)
        owned = [game.definition.train(name).reach for name in counting(game, choice.company)]
        if must or not owned or not train.rusts_on or self.room(game, choice.company) > 1:
            return move
        return move if train.reach > max(owned) and chance.random() < _LONGER else None

    def short(self, game: Game, company: str) -> bool:
        """Whether one of its own shares buys a railway without a lasting train the next one."""
        missing = self.next_price(game) - game.state.cash[company]
        wants = not counting(game, company) or (not self.lasting(game, company) and self.room(game, company) > 0)
        return super().short(game, company) or (wants and 0 < missing <= game.prices.value(company))
