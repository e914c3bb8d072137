"""What is remembered of the Investor's company."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records import OfGame, record


@record("lra.investor", told="investor")
@dataclass(slots=True)
class Investment(OfGame):
    """His company, the private company that belongs to it, and whether the way to its harbour is built."""

    company: str = ""
    private: str = ""
    joined: bool = False
