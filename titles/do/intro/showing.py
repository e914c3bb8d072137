"""The table of the introductory game: each railway's stack of certificates, and the trains that are left."""

from __future__ import annotations

from engine.finance import shares
from engine.finance.depot import obsolete
from engine.game import Game
from engine.rules import Page
from engine.state import OFFERING, POOL


def pages(game: Game) -> list[Page]:
    return [stacks(game), trains(game)]


def stacks(game: Game) -> Page:
    """Who directs a railway, its train, the top certificate of its stack, what is left in it, what lies in the pool."""
    rows = []
    for name, company in game.state.companies.items():
        left = shares.numbers(game, name, OFFERING)
        top = f"{shares.percent_of(game, name, left[0])} %" if left else "–"
        if left and not left[0]:
            top += " ★"
        train = "–"
        if company.trains:
            train = f"({company.trains[0]})" if obsolete(game, company.trains[0]) else company.trains[0]
        pooled = shares.held(game, name, POOL)
        rows.append((name, company.director or "–", train, top, str(len(left)), f"{pooled} %" if pooled else "–"))
    return Page("stacks", ("company", "director", "train", "top", "left", "pool"), tuple(rows))


def trains(game: Game) -> Page:
    """How many of each train are left."""
    left = game.state.depot.left
    return Page("trains", tuple(left), (tuple(str(left[name]) if left[name] else "–" for name in left),))
