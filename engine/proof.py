"""The proof of a game: a digest of the position after each move. By it another program sees that it plays the same.

The digests are those of the log (`engine.position`): by meaning, and with people called by the order in which they
joined, so that they hold for a game of another server too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine import position
from engine.game import Game


def proof(played: Game) -> tuple[str, ...]:
    """The proof of a game, which is played through once more."""
    return tuple(_digests(played))


def first_difference(played: Game, told: Sequence[str]) -> int:
    """The number of the first move after which a position is another than its proof tells; 0 if there is none.

    What is not told, or by a program with another view of positions, says nothing.
    """
    for number, (ours, theirs) in enumerate(zip(_digests(played), told, strict=False), start=1):
        if comparable(theirs) and ours != theirs:
            return number
    return 0


def comparable(told: str) -> bool:
    """Whether a digest is of the view of positions that this program has."""
    return told[:2] == f"{position.VERSION:02x}"


def _digests(played: Game) -> Iterator[str]:
    """From the beginning, or from the position from which the game is replayed: nothing is known of what was before."""
    yield from [""] * played.rests_at
    game = played.rewound(played.rests_at)
    for move in played.moves[played.rests_at :]:
        game.apply(move)
        yield position.digest(game.state.data(), game.players).hex()
