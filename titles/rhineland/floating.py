"""How a company floats: when players hold enough of it, for what was paid; from the brown phase on for everything."""

from __future__ import annotations

from engine import events as ev
from engine.finance import shares
from engine.finance.prices import rise
from engine.game import Game
from engine.rounds.operating import activate
from engine.state import BANK, OFFERING, POOL

#: In these phases a new company gets everything at once, and unsold certificates go to the pool.
LATE = ("brown", "grey")


class AtShare:
    """A company floats as soon as players hold the share on its charter; its home opens and its price rises."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source == company else BANK

    def sold(self, game: Game, company: str) -> None:
        due = game.definition.corporations[company].float_percent
        if not game.company(company).floated and shares.player_share(game, company) >= due:
            late = game.phase.colour in LATE
            capital = shares.worth(game, company, 100 if late else shares.player_share(game, company))
            game.pay(BANK, company, capital, "float", company)
            self.float(game, company, capital)

    def float(self, game: Game, name: str, capital: int) -> None:
        """Certificates, stations and price of a company that has got its capital."""
        late = game.phase.colour in LATE
        for number in shares.numbers(game, name, OFFERING):
            shares.move(game, name, number, POOL if late else name)
        game.company(name).floated = True
        event = ev.CompanyFloated(name, capital)
        game.record(event)
        self.opens(game, name)
        game.notify(event)
        if not late:
            self.rises(game, name)

    def opens(self, game: Game, name: str) -> None:
        """The home stations are turned over."""
        activate(game, name)

    def rises(self, game: Game, name: str) -> None:
        """The price of a new company rises."""
        rise(game, name, "float")

    def round_over(self, game: Game) -> None:
        """Nothing is left for the end of a stock round."""
