"""Referees: each a second, plain reading of a rulebook that follows simulated games and says where it disagrees.

A referee imports nothing of the engine or the titles (`test_referees.py` sees to it). It gets plain data only.
"""

from __future__ import annotations

import importlib
from typing import Any

from workshop.referees.whistle import Appoint

#: Title, or `title:form`, and the module whose `appoint` gives the referee of a game.
REFEREES: dict[str, str] = {
    "bl:base": "workshop.referees.bl",
    "do:draft-exp": "workshop.referees.do.draft_exp",
    "do:draft-hsb": "workshop.referees.do.draft",
    "do:efs": "workshop.referees.do.efs",
    "do:exp": "workshop.referees.do.exp",
    "do:hsb": "workshop.referees.do.hsb",
    "do:hsb2": "workshop.referees.do.hsb2",
    "do:trg": "workshop.referees.do.trg",
    "do:trg2": "workshop.referees.do.trg2",
    "lra:base": "workshop.referees.lra",
    "lra:investor": "workshop.referees.lra.investor",
    "rhl:base": "workshop.referees.rhl",
    "ruhr": "workshop.referees.ruhr",
}

#: Options of which a referee reads one value only.
ONLY: dict[str, dict[str, Any]] = {
    "rhl:base": {"edition": "2024", "target_cards": False, "destiny_cards": False, "package": "base"}
    | {f"no_{number}": "package" for number in range(1, 7)},
}


def appointed(name: str) -> Appoint:
    """How a game of this title or form gets its referee."""
    appoint: Appoint = importlib.import_module(REFEREES[name]).appoint
    return appoint
