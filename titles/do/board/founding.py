"""How companies of 18DO come to life: what is paid goes straight to the treasury, and half of the shares float them."""

from __future__ import annotations

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.rounds.operating import activate
from engine.state import BANK, OFFERING


class StraightToTreasury:
    """DO-4.4.1-c: the other certificates lie on the charter from the founding on; the company floats once players
    hold enough."""

    def payee(self, game: Game, company: str, source: str) -> str:
        return company if source in (OFFERING, company) else BANK

    def sold(self, game: Game, company: str) -> None:
        for number in shares.numbers(game, company, OFFERING):
            shares.move(game, company, number, company)
        due = game.definition.corporations[company].float_percent
        if not game.company(company).floated and shares.player_share(game, company) >= due:
            self.float(game, company)

    def float(self, game: Game, name: str) -> None:
        """DO-4.1-a: the company acts from now on; a home station is turned over."""
        game.company(name).floated = True
        event = ev.CompanyFloated(name, game.state.cash[name])
        game.record(event)
        activate(game, name)
        game.notify(event)

    def founded_for(self, game: Game, company: str) -> None:
        """Nothing but buyers float a company."""

    def round_over(self, game: Game) -> None:
        """Nothing is left for the end of a stock round."""
