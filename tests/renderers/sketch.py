"""The board of any data sheet as a game in which nothing can be done: enough to draw its map."""

from __future__ import annotations

from typing import Any

from engine.board.hexes import parse
from engine.definition import Corporation, Definition, Map, Market, Phase, TrainType
from engine.game import Game
from engine.offer import Choice
from engine.rounds.turns import RoundRules
from engine.routes.model import TrainRules
from engine.rules import Rules, Setup, Trains
from workshop.gallery.sheets import Sheet

VALUES = (30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80, 90, 100, 110, 120, 135, 150, 165, 180, 200, 220, 240, 265)


class _Nothing(RoundRules):
    def choices(self, game: Game) -> list[Choice[Any]]:
        return []

    def settle(self, game: Game) -> bool:
        return True


def _begin(game: Game) -> None:
    game.state.round.kind = "stock"


def _never(game: Game) -> None:
    raise AssertionError("nothing ever ends here")


def _train(game: Game, company: str, train: TrainType, colour: str) -> TrainRules:
    return TrainRules(game.board, company, train.name, train.reach, colour)


def sketch(sheet: Sheet) -> Game:
    """A position of a title that need not be playable yet, with a line of share prices."""
    hexes = dict(sorted(sheet.hexes.items(), key=lambda item: parse(item[0])))
    corporations = {
        code: Corporation(
            code, f"Company {code}", (20, 10, 10, 10, 10, 10, 10, 10, 10), (0, 60), (), colour, 50, "railway", 10
        )
        for code, colour in sheet.companies
    }
    definition = Definition(
        id=sheet.id, name=sheet.title, players=(2, 6), bank=9000, starting_cash={3: 600}, cert_limit={3: 20},
        pool_limit=50, map=Map.of(sheet.layout, hexes), tiles=sheet.tiles,
        market=Market("line", (VALUES,), (tuple("p" if 50 <= v <= 100 else "" for v in VALUES),), {"p": "pink: par"}),
        corporations=corporations, privates={}, trains=(TrainType("2", 6, 100, 2),),
        phases=(Phase("2", "yellow", ("start",), ("yellow",), 4, 1),), reconstructed=(),
    )  # fmt: skip
    rules = Rules(
        setup=Setup("base", {}, 3), definition=definition, rounds={"stock": _Nothing()}, first=_begin, then=_never,
        prices={}, floating={}, trains=Trains(rules=_train),
    )  # fmt: skip
    return Game(rules, ("ann", "bo", "cy"), 1)
