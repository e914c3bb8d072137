"""Railway lines of 18Rhl that several tests need, and how to get through a turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine import moves as mv
from engine.game import Game
from engine.remembered import Earned
from engine.state import BANK
from tests.titles.rhl import arrange
from tests.titles.rhl.asking import values

#: Aachen – town – Düren: 20, 10 and 20.
AACHEN_LINE = ("K2:a", "K4:a", "K6:a")

#: Eastern Ruhr – Essen – Mülheim – Duisburg – two towns – Roermond – Antwerpen.
IRON_RHINE = ("D15:b", "D13:a", "D11:a", "D9:a", "E8:a", "F7", "F5:a", "G4", "G2:a", "H1:a")

#: Arnhem – Wesel – town – Duisburg – Düsseldorf – town – Köln – town – Frankfurt.
RHEINGOLD = (
    "A6:a",
    "B7",
    "B9:a",
    "C10:a",
    "D9:a",
    "E10",
    "F9:a",
    "G10:a",
    "H11",
    "I10:a",
    "J11",
    "K12:a",
    "L13:a",
)

#: Nijmegen – town – Venlo, and on to Roermond.
VENLO = ("A4:a", "B3", "C4:a", "D3", "E2:a")
BEYOND_VENLO = (*VENLO, "F3", "G4", "G2:a")


@dataclass(frozen=True)
class Lay:
    """A tile on a hex in a rotation."""

    at: str
    tile: str
    rotation: int


def lay(game: Game, *lays: Lay) -> None:
    for item in lays:
        arrange.lay(game, item.at, item.tile, item.rotation)


def aachen_line(game: Game) -> None:
    """Track over K4, so that ADR has a route."""
    lay(game, Lay("K4", "4", 1))


def iron_rhine(game: Game) -> None:
    """Track from one link of the Eastern Ruhr to Antwerpen."""
    lay(
        game,
        Lay("D13", "934", 1),
        Lay("D11", "916", 0),
        Lay("D9", "929", 0),
        Lay("E8", "69", 0),
        Lay("F7", "8", 4),
        Lay("F5", "1", 0),
        Lay("G4", "8", 4),
    )


def rheingold(game: Game, düsseldorf: str = "927") -> None:
    """Track from Arnhem over all three Metropolises to Frankfurt and to Basel."""
    lay(
        game,
        Lay("B9", "6", 2),
        Lay("C10", "1", 2),
        Lay("D9", "929", 0),
        Lay("E10", "8", 3),
        Lay("F9", düsseldorf, 0),
        Lay("G10", "2", 5),
        Lay("H11", "8", 3),
        Lay("I10", "932", 0),
        Lay("J11", "9", 2),
        Lay("K12", "4", 2),
        Lay("J9", "8", 0),
        Lay("K10", "57", 2),
    )


def venlo(game: Game) -> None:
    """Track from Nijmegen to Venlo and on to Roermond."""
    lay(game, Lay("C4", "58", 3), Lay("D3", "9", 0), Lay("F3", "9", 2), Lay("G4", "7", 4))


def locations(game: Game, coal: tuple[str, ...] = (), steel: tuple[str, ...] = ()) -> None:
    """Put the location tokens on these hexes instead of those of the order card."""
    markers = game.state.board.markers
    markers.clear()
    for at in coal:
        markers.setdefault(at, []).append("coal")
    for at in steel:
        markers.setdefault(at, []).append("steel")
    arrange.take_offer(game)


def runner(game: Game, company: str, *trains: str) -> None:
    """It is a company's turn to run these trains."""
    game.company(company).trains.clear()
    arrange.trains(game, company, *trains)
    arrange.operating(game, company, "run")


def run(game: Game, company: str, *routes: tuple[str, tuple[str, ...]]) -> mv.Run:
    """The move that runs trains (by type) along paths."""
    paths = tuple(mv.TrainPath(train, path) for train, path in routes)
    return mv.Run(game.company(company).director, company, paths)


def earned(game: Game, company: str, *routes: tuple[str, tuple[str, ...]]) -> int:
    """What a run brings; the position stays as it was."""
    happened = game.copy().apply(run(game, company, *routes))
    return next(event.revenue for event in happened if isinstance(event, ev.TrainsRun))


def revenue(game: Game, company: str, amount: int) -> None:
    """A company has just earned an amount and decides about it."""
    arrange.operating(game, company, "dividend")
    Earned.of(game).revenue = amount
    arrange.take_offer(game)


def trains_on_offer(game: Game) -> set[tuple[str, str]]:
    """Source and type of each train on offer."""
    if game.offer().find("buy_train") is None:
        return set()
    return {
        (source, train) for source in values(game, "buy_train") for train in values(game, "buy_train", source=source)
    }


def idle(game: Game, until: Callable[[Game], bool]) -> list[ev.Event]:
    """Everybody does as little as possible until something holds; what happened on the way."""
    happened: list[ev.Event] = []
    for _ in range(500):
        if until(game):
            return happened
        offer = game.offer()
        choice = offer.find("pass") or offer.choices[0]
        picked: dict[str, Any] = {}
        while (domain := choice.ask(picked)) is not None:
            options = getattr(domain, "options", None)
            picked[domain.name] = options[-1].value if options is not None else domain.low
        happened += game.apply(choice.move(picked))
    raise AssertionError("it never came to that")


def rounds(happened: list[ev.Event]) -> list[tuple[str, int]]:
    """The rounds that began: their kind and the number of the operating round."""
    return [(event.kind, event.operating_number) for event in happened if isinstance(event, ev.RoundBegan)]


def empty_bank(game: Game, left: int) -> None:
    """The bank has only so much left; the rest lies in RhE's treasury, where it counts for nobody."""
    arrange.give(game, "RhE", game.state.cash[BANK] - left)
