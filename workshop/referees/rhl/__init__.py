"""18Rhl-Rhineland, read a second time: rulebook, ledger and data, nothing of the engine."""

from workshop.referees.rhl.referee import appoint

__all__ = ["appoint"]
