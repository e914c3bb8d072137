"""18BL-Bergisches Land, read a second time: rulebook, ledger and data, nothing of the engine."""

from workshop.referees.bl.referee import appoint

__all__ = ["appoint"]
