"""The old and the new value of each input that differs, one above the other."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QGridLayout, QWidget

from app.desktop.steps.input_changes import InputChange
from app.ui.kit.widgets.labels import ElidedLabel
from app.ui.plan.look import Look
from app.ui.plan.widgets import Words
from app.words import tr

MOST = 6
_GAP = 8


class InputsDiff(QWidget):
    """Shows at most `MOST` differences; the form below shows all."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._shown: tuple[InputChange, ...] | None = None
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(_GAP)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(3, 1)

    def show_changes(self, changes: Sequence[InputChange]) -> None:
        """Show these."""
        if tuple(changes) == self._shown:
            return
        self._shown = tuple(changes)
        while (item := self._grid.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        for row, one in enumerate(changes[:MOST]):
            self._row(row, one)
        more = len(changes) - MOST
        if not changes:
            self._grid.addWidget(Words(self._look, tr("As it was"), "t3"), 0, 0, 1, 4)
        elif more > 0:
            self._grid.addWidget(Words(self._look, tr("and {count} more below", count=more), "t3"), MOST, 0, 1, 4)
        said = "; ".join(f"{one.label}: {one.was} to {one.now}" for one in changes)
        self.setAccessibleName(tr("Changed: {what}", what=said) if said else tr("Nothing is changed"))

    def _row(self, row: int, one: InputChange) -> None:
        self._grid.addWidget(Words(self._look, one.label, "t2"), row, 0)
        self._grid.addWidget(ElidedLabel(one.was, tone="t3"), row, 1)
        self._grid.addWidget(Words(self._look, "→", "t3"), row, 2)
        self._grid.addWidget(ElidedLabel(one.now, tone="agent"), row, 3)
