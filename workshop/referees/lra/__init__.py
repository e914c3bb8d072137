"""18LRA-Lower Rhine Area, read a second time: rulebook, ledger and data, nothing of the engine."""

from workshop.referees.lra.referee import appoint

__all__ = ["appoint"]
