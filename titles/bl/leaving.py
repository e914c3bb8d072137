"""18BL: what leaves the game and what becomes of it: private companies, corporations, bankrupt players."""

from __future__ import annotations

from collections.abc import Callable

from engine import events as ev
from engine.finance.closing import close_company, close_private
from engine.finance.depot import counting
from engine.finance.prices import sell
from engine.finance.raising import Shares
from engine.game import Game
from engine.rules import owned_privates
from engine.state import POOL
from engine.steps.trains import TrainStep
from titles.bl.access import AccessTokens, tokens_to_pool
from titles.bl.tables import Access, Tables


def private_closed(t: Tables) -> Callable[[Game, ev.PrivateClosed], None]:
    """What lay on a private company: access tokens go to the pool, a trailer out of the game."""

    def closed(game: Game, event: ev.PrivateClosed) -> None:
        if event.private == t.access.private:
            tokens_to_pool(game)
        trailer = t.powers[event.private].trailer
        if trailer in game.state.depot.aside:
            game.state.depot.aside.remove(trailer)
            game.state.depot.gone.append(trailer)

    return closed


def company_closed(game: Game, event: ev.CompanyClosed) -> None:
    """The private companies of a corporation leave the game with it (BL-7.5-g)."""
    for private, owner in game.state.privates.items():
        if owner == event.company:
            close_private(game, private)


def close_privates(game: Game, event: ev.PhaseChanged) -> None:
    """With the brown phase all private companies close."""
    if event.colour == "brown":
        for private, owner in game.state.privates.items():
            if owner in game.state.cash:
                close_private(game, private)


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


def possessions(table: Access) -> Callable[[Game, str], dict[str, int]]:
    """BL-2.3-g: what lies on a charter: private companies, the access token, and tokens for sale (BL-5.2-4b)."""

    def owned(game: Game, holder: str) -> dict[str, int]:
        tokens = AccessTokens.of(game)
        owner = game.state.privates[table.private]
        for_sale = tokens.pool if holder == POOL else tokens.box if holder == owner else 0
        result = owned_privates(game, holder)
        if holder in tokens.charters:
            result["access_token"] = 1
        if for_sale:
            result["access_token_for_sale"] = for_sale
        return result

    return owned


def faults(t: Tables) -> Callable[[Game], list[str]]:
    """Access tokens are neither made nor lost, and nobody has too many trailers."""

    def found(game: Game) -> list[str]:
        tokens = AccessTokens.of(game)
        count = tokens.private + tokens.box + tokens.pool + len(tokens.charters)
        total = t.access.tokens
        result = [] if count == total else [f"there are {count} access tokens instead of {total}"]
        for name in game.state.companies:
            trailers = len(game.company(name).trains) - len(counting(game, name))
            if trailers > t.vehicles.trailer_limit:
                result.append(f"{name} has {trailers} trailers")
        return result

    return found
