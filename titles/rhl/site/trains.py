"""The trains of a game with the numbers that 18xx.games gives them: `3-4` is the fifth 3-train."""

from __future__ import annotations

from collections import Counter

from engine.game import Game
from engine.state import BANK, POOL


def kind(train: str) -> str:
    """The kind of a numbered train."""
    return train.rpartition("-")[0]


class NumberedTrains:
    """Who has which train; those that were never sold have no number yet."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}
        self._sold: Counter[str] = Counter()

    def of(self, owner: str, wanted: str) -> list[str]:
        """The trains of a kind that somebody has."""
        return [train for train, has in self.owners.items() if has == owner and kind(train) == wanted]

    def bought(self, company: str, wanted: str, source: str) -> str:
        """A company buys a train of a kind from the bank, the pool or another company."""
        if source == BANK:
            train = f"{wanted}-{self._sold[wanted]}"
            self._sold[wanted] += 1
        else:
            train = self.of(source, wanted)[0]
        self.owners[train] = company
        return train

    def discarded(self, company: str, wanted: str) -> str:
        """A company puts a train into the pool."""
        train = self.of(company, wanted)[-1]
        self.owners[train] = POOL
        return train

    def settle(self, game: Game) -> None:
        """What a company has lost without a word lies in the pool, or is out of the game."""
        for name, company in game.state.companies.items():
            for wanted in {kind(train) for train, owner in self.owners.items() if owner == name}:
                for train in self.of(name, wanted)[company.trains.count(wanted) :]:
                    self.owners[train] = POOL
