"""18Ruhr's trains: any train on offer in a forced purchase, with one own certificate, then the director's money."""

from __future__ import annotations

from engine.finance.depot import counting, price
from engine.game import Game
from engine.moves import BuyTrain
from engine.records import Keeps
from engine.remembered import Raised
from engine.state import BANK
from engine.steps.trains import Train, TrainStep
from titles.ruhr import works
from titles.ruhr.remembered import TakenOver


class RuhrTrainStep(TrainStep):
    """A railway without a train chooses freely; a purchase may exceed the limit of the phase that it begins."""

    def keeps(self) -> Keeps:
        return (*super().keeps(), TakenOver)

    def keeps_limit(self, game: Game, company: str, train: str) -> bool:
        """Whoever is below the limit of now may buy; what is too much then goes to the pool."""
        return True

    def forced(self, game: Game, company: str) -> list[Train]:
        """Every train that would end the lack; a bankrupt director's choice stays, whoever follows them."""
        trains = self.remedies(game, company)
        chosen = TakenOver.of(game).chosen
        if chosen:
            return [train for train in trains if list(train) == chosen]
        return [train for train in trains if not self.too_far(game, company, train)]

    def too_far(self, game: Game, company: str, train: Train) -> bool:
        """A director adds nothing for a new train of the last type while there is one of the type before."""
        last = works.tables(game).last
        if train != (BANK, last.card) or not game.state.depot.left[last.before]:
            return False
        return price(game, last.card) > game.state.cash[company]

    def helped(self, game: Game, company: str) -> bool:
        """Whether the director may add money, also for another company's train."""
        return not counting(game, company) and bool(self.remedies(game, company))

    def most_price(self, game: Game, company: str, train: str) -> int:
        """With the director's help no more than the printed price."""
        cash = game.state.cash[company]
        if not self.helped(game, company):
            return cash
        need = self.need(game, company, self.forced(game, company))
        return max(cash, min(price(game, train), self.raising.funds(need)))

    def lowest_price(self, game: Game) -> int:
        """Nothing is raised in vain: the price must need what was raised so far."""
        raised = Raised.of(game)
        if not raised.begun:
            return super().lowest_price(game)
        company = game.state.round.actor
        funds = game.state.cash[company] + game.state.cash[self.raising.payer(game, company)]
        return max(super().lowest_price(game), funds - raised.least + 1)

    def purchases(self, game: Game, company: str) -> list[Train]:
        found = super().purchases(game, company)
        if self.raising.begun(game) and self.forced(game, company) and TakenOver.of(game).chosen is None:
            found += self.trades(game, company)
        return [(s, t) for s, t in found if not self.barred_trade(game, s)]

    def check(self, game: Game, company: str, move: BuyTrain) -> None:
        if self.barred_trade(game, move.source):
            raise game.refuse("forced.choice.company")
        chosen = TakenOver.of(game).chosen
        if chosen and not counting(game, company) and [move.source, move.train] != chosen:
            raise game.refuse("forced.choice.same", train=chosen[1])
        super().check(game, company, move)

    def barred_trade(self, game: Game, source: str) -> bool:
        """Whoever takes over a purchase cannot turn to another company's train."""
        return TakenOver.of(game).chosen is not None and source in game.state.companies
