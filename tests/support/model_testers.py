"""A tester beside every model of the window from the moment in which it is made."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from shiboken6 import isValid

import app.ui


def models_of_the_window() -> frozenset[type[QAbstractItemModel]]:
    """Every class of a model that a room of the window defines."""
    for module in pkgutil.walk_packages(app.ui.__path__, "app.ui."):
        importlib.import_module(module.name)
    found: set[type[QAbstractItemModel]] = set()
    left: list[type[QAbstractItemModel]] = [QAbstractItemModel]
    while left:
        for kind in left.pop().__subclasses__():
            left.append(kind)
            if kind.__module__.startswith("app.ui."):
                found.add(kind)
    return frozenset(found)


class Testers:
    """What was made while testers stood beside it; a fault is a warning of Qt, which fails the test."""

    def __init__(self) -> None:
        self.models: list[QAbstractItemModel] = []
        self.rows: dict[type[QAbstractItemModel], int] = {}
        self._testers: list[QAbstractItemModelTester] = []

    def stand_beside(self, model: QAbstractItemModel) -> None:
        """Test a model from now on."""
        kind = QAbstractItemModelTester.FailureReportingMode.Warning
        self._testers.append(QAbstractItemModelTester(model, kind, model))
        self.models.append(model)
        for told in (model.rowsInserted, model.modelReset, model.layoutChanged, model.dataChanged):
            told.connect(lambda *_, one=model: self.count(one))
        self.count(model)

    def count(self, model: QAbstractItemModel) -> None:
        """Keep the most rows that a kind of model has shown; each of them must bear to be read in every role."""
        if not isValid(model):
            return
        rows = model.rowCount(QModelIndex())
        self.rows[type(model)] = max(rows, self.rows.get(type(model), 0))
        # Of a list Qt hides how many columns it has.
        columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
        for row in range(min(rows, 20)):
            for column in range(columns):
                index = model.index(row, column, QModelIndex())
                for role in (*range(15), 0x100, 0x101, 0x102):
                    model.data(index, role)


@contextmanager
def all_tested() -> Iterator[Testers]:
    """Testers beside every model that is made meanwhile."""
    tested = Testers()
    with ExitStack() as ends:
        for kind in models_of_the_window():
            ends.callback(_watch(kind, tested))
        yield tested


def _watch(kind: type[QAbstractItemModel], tested: Testers) -> Callable[[], None]:
    made: Any = kind.__init__

    @wraps(made)
    def watched(self: QAbstractItemModel, *args: Any, **more: Any) -> None:
        made(self, *args, **more)
        if type(self) is kind:
            tested.stand_beside(self)

    kind.__init__ = watched  # type: ignore[assignment, method-assign]
    return lambda: setattr(kind, "__init__", made)
