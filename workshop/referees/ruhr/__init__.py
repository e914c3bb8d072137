"""A referee of 18Ruhr, written from the rulebook, its ledger and the data sheet: its own model of the whole game."""

from workshop.referees.ruhr.referee import appoint

__all__ = ["appoint"]
