"""The catalogue: every kind of operation that a module of this room declares in `KINDS`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from agent.composer.changing import operations
from agent.composer.changing.operations.kind import OperationKind
from agent.composer.understanding.slot_filling import GRAMMAR, SlotReading
from agent.composer.understanding.tasks import Operation


class Catalogue(Struct, frozen=True):
    """All kinds of operations: by class, and the readings of phrases by their name in the language file."""

    kinds: Mapping[type[Operation], OperationKind[Any]]
    readings: Mapping[str, SlotReading]

    def of(self, operation: Operation) -> OperationKind[Any]:
        """The kind of an operation's class. Raises `KeyError` for one that no module declares."""
        return self.kinds[type(operation)]


@cache
def catalogue() -> Catalogue:
    """The catalogue, collected once from the `KINDS` of all modules of this package."""
    kinds: list[OperationKind[Any]] = []
    for module in sorted(found.name for found in iter_modules(operations.__path__)):
        loaded = import_module(f"{operations.__name__}.{module}")
        kinds += getattr(loaded, "KINDS", ())
    readings = {name: reading for kind in kinds for name, reading in kind.readings.items()}
    return Catalogue(
        MappingProxyType({kind.operation: kind for kind in kinds}), MappingProxyType({**GRAMMAR, **readings})
    )
