"""Checks that every rule a test claims to show is in the ledger; generated examples are the same in every run."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from titles.ledger import clauses

# A run that fails by chance tells whoever changed something else. New examples are looked for where more of them are
# asked for, with KURSBUCH_EXAMPLES.
settings.register_profile("same", derandomize="KURSBUCH_EXAMPLES" not in os.environ)
settings.load_profile("same")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    known = clauses()
    for item in items:
        for mark in item.iter_markers("rule"):
            for name in mark.args:
                if name not in known:
                    raise pytest.UsageError(f"{item.nodeid}: no clause {name!r} in docs/ledger")
