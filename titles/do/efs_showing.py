"""The table of the introductory game: each railway's stack of certificates, and the trains that are left."""

from __future__ import annotations

from engine.finance import shares
from engine.finance.depot import obsolete
from engine.game import Game
from engine.rules import Page
from engine.state import OFFERING, POOL
from titles.rhineland.short_moves import next_train


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
    """How many of each train are left, which comes next, and what makes it obsolete."""
    following = next_train(game)
    rows = []
    for train in game.definition.trains:
        name = train.name + (" ←" if train.name == following else "")
        rusts = train.rusts_on[0] if train.rusts_on else "–"
        rows.append((name, str(game.state.depot.left[train.name]), rusts))
    return Page("trains", ("train", "left", "obsolete"), tuple(rows))
