"""The examples in the engine's documentation run as written."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from types import ModuleType

import pytest

import engine
import titles


def modules(package: ModuleType) -> list[str]:
    return [f"{package.__name__}.{info.name}" for info in pkgutil.iter_modules(package.__path__)]


@pytest.mark.parametrize("name", [*modules(engine), *modules(titles)])
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
