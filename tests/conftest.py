"""Checks that every rule a test claims to show is in the ledger."""

from __future__ import annotations

import pytest

from tests.ledger import clauses


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known = clauses()
    for item in items:
        for mark in item.iter_markers("rule"):
            for name in mark.args:
                if name not in known:
                    raise pytest.UsageError(f"{item.nodeid}: no clause {name!r} in docs/ledger")
