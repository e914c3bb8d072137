"""The course of a game: what each player was worth at the start of every round, all dividends, and who got them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine import events as ev
from engine.game import Game


@dataclass(frozen=True)
class Moment:
    """The worth of all players when a round began, after so many moves."""

    kind: str
    stock_number: int
    operating_number: int
    moves: int
    worth: tuple[int, ...]

    @property
    def where(self) -> tuple[str, int, int]:
        return self.kind, self.stock_number, self.operating_number


@dataclass
class Chronicle:
    """Grows with the game: `note` after every move, or `of` for a game that has been played."""

    players: tuple[str, ...]
    moments: list[Moment] = field(default_factory=list)
    #: For each company the dividends of each operating round in which it paid one.
    dividends: dict[str, list[int]] = field(default_factory=dict)
    #: What each player has received of each company's dividends.
    received: dict[str, Counter[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game) -> Chronicle:
        """Play the game through once more and keep its course."""
        replay = Game(game.rules, game.players, game.seed)
        result = cls(tuple(replay.state.seats))
        result.note(replay, replay.opening)
        for move in game.moves:
            result.note(replay, replay.apply(move))
        return result

    def note(self, game: Game, events: Iterable[ev.Event]) -> None:
        """Keep what a move has brought."""
        for event in events:
            match event:
                case ev.RoundBegan(kind, stock, operating):
                    self.moments.append(self._moment(game, kind, stock, operating))
                case ev.DividendPaid(company, amount):
                    self.dividends.setdefault(company, []).append(amount)
                case ev.Paid(_, player, amount, "dividend", company) if player in self.players:
                    self.received.setdefault(player, Counter())[company] += amount

    def _moment(self, game: Game, kind: str, stock: int, operating: int) -> Moment:
        scores = game.rules.score(game)
        return Moment(kind, stock, operating, len(game.moves), tuple(scores[player] for player in self.players))
