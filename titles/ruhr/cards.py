"""Montan Round Cards: in which order players found and merge, and who owns which small companies."""

from __future__ import annotations

from dataclasses import dataclass

from engine import events as ev
from engine.game import Game
from titles.ruhr import works
from titles.ruhr.remembered import RoundCards


@dataclass(frozen=True, slots=True)
class CardsDealt(ev.Event):
    """The order of the next Montan round."""

    players: tuple[str, ...]


def owned(game: Game, player: str) -> list[str]:
    """The small companies of a player, the lowest number first."""
    return [name for name in works.tables(game).mines if game.company(name).director == player]


def card_order(game: Game) -> list[str]:
    return [player for player in RoundCards.of(game).cards if player in game.state.seats]


def deal(game: Game, first: bool = False) -> None:
    """Cards by the lowest small company; who has none follows in the order in which they lost the last.

    Whoever never had one comes before them: by seats from the priority deal on at the first deal, and so ever after.
    """
    mines = list(works.tables(game).mines)
    seats = game.from_seat(game.state.priority)
    with_mine = sorted(
        (player for player in seats if owned(game, player)), key=lambda player: mines.index(owned(game, player)[0])
    )
    without = [player for player in seats if player not in with_mine]
    if not first:
        lost = RoundCards.of(game).lost
        before = [*RoundCards.of(game).cards, *seats]
        without.sort(key=lambda player: (player in lost, (lost if player in lost else before).index(player)))
    RoundCards.of(game).cards = [*with_mine, *without]
    game.emit(CardsDealt(tuple(RoundCards.of(game).cards)))


def note_loss(game: Game, player: str) -> None:
    """Remember who has just lost their last small company."""
    lost = RoundCards.of(game).lost
    if not owned(game, player) and player not in lost:
        lost.append(player)
