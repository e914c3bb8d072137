"""18BL: what leaves the game and what becomes of it: private companies, corporations, bankrupt players."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from engine import events as ev
from engine.finance.closing import close_company, close_private
from engine.finance.depot import counting
from engine.finance.prices import sell
from engine.finance.raising import Shares
from engine.game import Game
from engine.mechanism import Mechanism
from engine.rounds.turns import Extra
from engine.rules import Listener, Question
from engine.state import State
from engine.steps.trains import TrainStep
from titles.bl.privates import PrivateDeal, PrivatePurchases
from titles.bl.running import trailer_used
from titles.bl.tables import Tables


class Privates(Mechanism):
    """BL-5.2: the private companies: what is asked when one is sold, and when they close."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.PhaseChanged: self.phase_changed, ev.CompanyClosed: self.company_closed}

    def questions(self) -> Mapping[str, Question]:
        return {"private_sale": PrivateDeal(self.t).asked}

    def extras(self, round_: str, kind: str) -> tuple[Extra, ...]:
        return (PrivatePurchases(self.t),) if round_ == "operating" else ()

    def phase_changed(self, game: Game, event: ev.PhaseChanged) -> None:
        """With the brown phase all private companies close."""
        if event.colour == "brown":
            for private, owner in game.state.privates.items():
                if owner in game.state.cash:
                    close_private(game, private)

    def company_closed(self, game: Game, event: ev.CompanyClosed) -> None:
        """BL-7.5-g: the private companies of a corporation leave the game with it."""
        for private, owner in game.state.privates.items():
            if owner == event.company:
                close_private(game, private)


class Trailers(Mechanism):
    """BL-5.2-5d: the trailer on a private company, which closes when the trailer has earned something."""

    def __init__(self, t: Tables) -> None:
        self.t = t

    def lay_out(self, state: State, chance: random.Random) -> None:
        for power in self.t.powers.values():
            if power.trailer:
                state.depot.left[power.trailer] -= 1
                state.depot.sold[power.trailer] += 1
                state.depot.aside.append(power.trailer)

    def on(self) -> Mapping[type[ev.Event], Listener]:
        return {ev.TrainsRun: trailer_used(self.t), ev.PrivateClosed: self.private_closed}

    def private_closed(self, game: Game, event: ev.PrivateClosed) -> None:
        """The trailer that still lies on it is out of the game."""
        trailer = self.t.powers[event.private].trailer
        if trailer in game.state.depot.aside:
            game.state.depot.aside.remove(trailer)
            game.state.depot.gone.append(trailer)

    def faults(self, game: Game) -> list[str]:
        """Nobody has too many."""
        result = []
        for name in game.state.companies:
            trailers = len(game.company(name).trains) - len(counting(game, name))
            if trailers > self.t.vehicles.trailer_limit:
                result.append(f"{name} has {trailers} trailers")
        return result


def bankrupt(trains: TrainStep, certificates: Shares) -> Callable[[Game, str, str], None]:
    """All legal sales are made, then the player leaves with what is left (BL-8.8.5, R25)."""

    def leaves(game: Game, player: str, company: str) -> None:
        most: dict[str, int] = {}
        for name, percent, _ in certificates.saleable(trains.need(game, company, [])):
            most[name] = max(most.get(name, 0), percent)
        for name in [name for name in game.prices.order() if name in most]:
            sell(game, player, name, most[name])
        state = game.state
        if state.priority == player:
            state.priority = game.after(player)
            game.emit(ev.PriorityMoved(state.priority))
        state.seats.remove(player)
        state.retired.append(player)
        game.emit(ev.PlayerRetired(player))
        for name, corporation in state.companies.items():
            if corporation.director == player:
                close_company(game, name, "bankruptcy")
        for private, owner in state.privates.items():
            if owner == player:
                close_private(game, private)
        if len(state.seats) == 1:
            game.finish("bankruptcy")

    return leaves
