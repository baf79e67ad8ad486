"""A list of names with a box each, of which any number can be ticked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy

from agent.plan.plan import Json
from app.desktop.steps.field_choices import Choice

_ROWS = 5
_VALUE = Qt.ItemDataRole.UserRole


class Picks(QListWidget):
    """Space ticks the current name; `chosen` is told of all that are ticked, in the order of the list."""

    def __init__(self, choices: Sequence[Choice], value: Json, chosen: Callable[[list[Json]], None]) -> None:
        super().__init__()
        held = value if isinstance(value, list) else []
        for one in choices:
            item = QListWidgetItem(one.label)
            item.setData(_VALUE, one.value)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Checked if one.value in held else Qt.CheckState.Unchecked)
            self.addItem(item)
        self.setCurrentRow(0)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        rows = min(_ROWS, max(1, len(choices)))
        self.setFixedHeight(rows * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth() + 2)
        self.itemChanged.connect(lambda _: chosen(self.values()))

    def values(self) -> list[Json]:
        """What is ticked."""
        items = [self.item(row) for row in range(self.count())]
        return [item.data(_VALUE) for item in items if item.checkState() is Qt.CheckState.Checked]

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Enter belongs to the form."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)
