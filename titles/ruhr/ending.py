"""How Montan companies end: small ones are transformed or handed over to a corporation, corporations close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import events as ev
from engine.game import Game
from engine.offer import Choice
from engine.state import BANK, REMOVED, Pause
from titles.ruhr import works
from titles.ruhr.cards import note_loss
from titles.ruhr.locations import EMPTY, FOUNDED, PASSIVE, location
from titles.ruhr.remembered import Works
from titles.ruhr.spending import ScrapChoice, ScrapEngine
from titles.ruhr.tables import STAGES


@dataclass(frozen=True, slots=True)
class MineTransformed(ev.Event):
    """A small company belongs to nobody any more."""

    mine: str


def leave(game: Game, mine: str) -> str:
    """A small company's charter leaves the game; gives its owner."""
    company = game.company(mine)
    owner = company.director
    company.director = ""
    company.closed, company.floated = True, False
    company.certificates = [REMOVED]
    return owner


def transform(game: Game, mine: str) -> None:
    """RUHR-12.3-c: an active small company becomes a passive one: its link stays, money and markers go."""
    game.pay(mine, BANK, game.state.cash[mine], "closed", mine)
    works.remove(game, mine)
    for engine in list(works.charter(game, mine).engines):
        works.give_up_engine(game, mine, engine, "transformed")
    del Works.of(game).charters[mine]
    at = works.tables(game).mines[mine].hex
    location(game, at).become(PASSIVE)
    owner = leave(game, mine)
    game.emit(MineTransformed(mine))
    if owner in game.state.seats:
        note_loss(game, owner)


def hand_over(game: Game, mine: str, corporation: str) -> None:
    """All that a small company owns goes to a corporation; markers without a box go back to the supply."""
    game.pay(mine, corporation, game.state.cash[mine], "merger", mine)
    old, new = works.charter(game, mine), works.charter(game, corporation)
    for stage, count in old.markers.items():
        new.markers[stage] = new.markers.get(stage, 0) + count
    new.engines += old.engines
    del Works.of(game).charters[mine]
    boxes = works.tables(game).corporations[corporation].boxes
    for stage in STAGES:
        surplus = new.markers.get(stage, 0) - boxes.get(stage, 0)
        if surplus > 0:
            works.give_back(game, corporation, stage, surplus)
    ask_for_engines(game, corporation)


def ask_for_engines(game: Game, corporation: str) -> None:
    """The director chooses which engines stay, where that makes a difference."""
    engines = works.charter(game, corporation).engines
    decider = game.decider(corporation)
    while len(engines) > works.engine_boxes(game, corporation) and (len(set(engines)) == 1 or not decider):
        works.give_up_engine(game, corporation, engines[0], "surplus")
    if len(engines) > works.engine_boxes(game, corporation):
        game.ask("surplus_engine", [decider], company=corporation)


class SurplusChoice(ScrapChoice):
    """A director gives up an engine for which there is no box."""

    def perform(self, move: ScrapEngine) -> None:
        game = self.game
        works.give_up_engine(game, self.company, move.engine, "surplus")
        if len(works.charter(game, self.company).engines) <= works.engine_boxes(game, self.company):
            game.answered(game.state.pauses[0])


def surplus_asked(game: Game, pause: Pause) -> list[Choice[Any]]:
    return [SurplusChoice(game, player, pause.data["company"]) for player in pause.players]


def closed(game: Game, event: ev.CompanyClosed) -> None:
    """A corporation that closes: its markers and engines leave the game, its place is empty, merged ones stay."""
    name = event.company
    if works.kind(game, name) != works.MONTAN:
        return
    works.remove(game, name)
    for engine in list(works.charter(game, name).engines):
        works.scrap_engine(game, name, engine)
    for at in works.charter(game, name).locations:
        if location(game, at).state == FOUNDED:
            location(game, at).become(EMPTY)
            game.board.remove_stations("marker", at)
        else:
            location(game, at).become(PASSIVE)
    del Works.of(game).charters[name]
