"""Moves out of choices: every parameter at random, or those that the bank sells."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from engine import moves as mv
from engine.definition import TrainType
from engine.game import Game
from engine.offer import Choice, Number, Options
from engine.state import BANK, POOL


def fill(choice: Choice[mv.Move], chance: random.Random, picked: Mapping[str, Any] | None = None) -> mv.Move:
    """Pick every parameter that is still open at random."""
    values = dict(picked or {})
    while (domain := choice.ask(values)) is not None:
        if isinstance(domain, Number):
            # Mostly near the low end: people seldom bid all they have.
            spread = (domain.high - domain.low) // domain.step
            values[domain.name] = domain.low + domain.step * int(spread * chance.random() ** 3)
        else:
            values[domain.name] = chance.choice(domain.options).value
    move: mv.Move = choice.move(values)
    return move


def bank_offers(game: Game, choice: Choice[mv.Move]) -> Iterator[tuple[TrainType, mv.Move]]:
    """The trains that the bank and its pool sell, each with the purchase."""
    sources = choice.ask({})
    assert isinstance(sources, Options)
    for source in sources.options:
        if source.value not in (BANK, POOL):
            continue
        trains = choice.ask({"source": source.value})
        assert isinstance(trains, Options)
        for train in trains.options:
            picked = {"source": source.value, "train": train.value, "price": train.facts["price"]}
            yield game.definition.train(train.value), choice.move(picked)
