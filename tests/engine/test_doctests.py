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
    return [info.name for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")]


@pytest.mark.parametrize("name", [*modules(engine), *modules(titles)])
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
