"""What a place says while it has nothing to show."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.kit.shortcuts import keyed_tip
from app.ui.kit.widgets.buttons import PlainButton
from app.ui.kit.widgets.labels import PlainLabel

_GAP = 6
_MARGIN = 16
_WIDEST = 360


class EmptyState(QWidget):
    """Shown in place of an empty view: a title, one sentence, and a button for `action` if there is one."""

    def __init__(self, title: str, sentence: str, action: QAction | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{title} {sentence}")
        column = QVBoxLayout(self)
        column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
        column.setSpacing(_GAP)
        column.addStretch()
        self.title = PlainLabel(title, self, size="card")
        self.sentence = PlainLabel(sentence, self, tone="t2")
        for label in (self.title, self.sentence):
            label.setWordWrap(True)
            label.setMaximumWidth(_WIDEST)
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            # Its size of text comes from the style sheet.
            label.ensurePolished()
            label.setFixedWidth(min(_WIDEST, max(label.fontMetrics().horizontalAdvance(label.text()) + _GAP, 1)))
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        self.button: PlainButton | None = None
        if action is not None:
            self.button = PlainButton(action.text(), self)
            keyed_tip(self.button, action.objectName(), action.text().replace("&&", "&").removesuffix("…"))
            self.button.clicked.connect(action.trigger)
            column.addSpacing(_GAP)
            column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch()
