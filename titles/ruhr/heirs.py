"""Companies that nobody directs: who takes them over."""

from __future__ import annotations

from engine import events as ev
from engine.finance import shares
from engine.game import Game
from engine.state import POOL


def entitled(game: Game, name: str, seats: list[str]) -> str:
    """Who takes over a company, if they hold enough: most shares, then the next seat."""
    return max(seats, key=lambda player: shares.held(game, name, player))


def new_director(game: Game, name: str, seats: list[str]) -> None:
    """The director's certificate in the pool goes to whoever is entitled, for ordinary ones of as many shares."""
    new = entitled(game, name, [player for player in seats if player in game.state.seats])
    found = list(shares.swaps(game, name, new).values())
    if not found:
        return
    for number in found[0]:
        shares.move(game, name, number, POOL)
    shares.move(game, name, 0, new)
    game.company(name).director = new
    game.emit(ev.DirectorChanged(name, "", new))


def take_over(game: Game, company: str, player: str) -> None:
    """A company that nobody directs gets a director as soon as somebody holds enough of it, floated or not."""
    state = game.company(company)
    if state.price is not None and not state.director:
        new_director(game, company, game.from_seat(player))
