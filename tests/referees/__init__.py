"""Referees: each a second, plain reading of a rulebook that follows simulated games and says where it disagrees.

A referee imports nothing of the engine or the titles (`test_referees.py` sees to it). It gets plain data only.
"""

from __future__ import annotations

import importlib
from typing import Any

from tests.referees.whistle import Appoint

#: Title, or `title:form`, and the module whose `appoint` gives the referee of a game.
REFEREES: dict[str, str] = {
    "bl:base": "tests.referees.bl",
    "do:draft-exp": "tests.referees.do_draft_exp",
    "do:draft-hsb": "tests.referees.do_draft",
    "do:efs": "tests.referees.do_efs",
    "do:exp": "tests.referees.do_exp",
    "do:hsb": "tests.referees.do_hsb",
    "do:hsb2": "tests.referees.do_hsb2",
    "do:trg": "tests.referees.do_trg",
    "do:trg2": "tests.referees.do_trg2",
    "lra:base": "tests.referees.lra",
    "lra:investor": "tests.referees.lra.investor",
    "rhl:base": "tests.referees.rhl",
    "ruhr": "tests.referees.ruhr",
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
