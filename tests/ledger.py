"""The ledger of rulebook clauses for tests: the same that players read."""

from __future__ import annotations

from titles.ledger import Clause, clauses

__all__ = ["Clause", "clauses"]
