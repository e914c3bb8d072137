"""What 18Ruhr remembers of a turn."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records import OfTurn, record


@record("ruhr.taken_over")
@dataclass(slots=True)
class TakenOver(OfTurn):
    """What has to be bought by whoever goes on with a purchase after a bankruptcy: where it comes from, and what."""

    chosen: list[str] | None = None


@record("ruhr.founded")
@dataclass(slots=True)
class Founded(OfTurn):
    """The corporation that was founded in this turn."""

    founded: str = ""


@record("ruhr.linked")
@dataclass(slots=True)
class Linked(OfTurn):
    """Whether a railway has made its link."""

    link: bool = False


@record("ruhr.spent")
@dataclass(slots=True)
class Spent(OfTurn):
    """Whether the turn's expenditure was made."""

    spent: bool = False
