"""The tempo in the number display: a value that can be typed over."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.widgets.in_place import EscLine
from app.ui.kit.widgets.number_cell import NumberCell
from app.ui.transport.readings import read_tempo

_FIELD_TOP, _FIELD_HEIGHT, _FIELD_SIDE = 11, 20, 6


class TempoCell(NumberCell):
    """The tempo. A click, Enter or a digit opens a field; Enter commits it, Esc and losing the focus discard it."""

    def __init__(self, kit: Kit, commit: Callable[[float], None]) -> None:
        super().__init__(kit, tr("Tempo, BPM"), "112.00")
        self._commit = commit
        self._refusal = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.field = _TempoLine(self)
        self.field.setAccessibleName(tr("Tempo in BPM"))
        self.field.setMaxLength(12)
        self.field.hide()
        self.field.textChanged.connect(self._typed)
        self.field.returnPressed.connect(self._entered)
        self.field.escaped.connect(self._back)
        self.field.left.connect(self._leave)
        self.allow("")

    def allow(self, reason: str) -> None:
        """Allow editing if `reason` is empty; else the reason is the tooltip."""
        self._refusal = reason
        self.setToolTip(tr("Tempo: {reason}", reason=reason) if reason else tr("Tempo. Click to change it"))
        if reason:
            self._leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Open the field."""
        if event.button() is Qt.MouseButton.LeftButton:
            self.edit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open the field by Enter, F2 or a digit, which becomes its text."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
            self.edit()
        elif event.text().isdigit():
            self.edit()
            self.field.setText(event.text())
        else:
            super().keyPressEvent(event)

    def edit(self) -> None:
        """Open the field with the current value; does nothing while editing is not allowed."""
        if self._refusal:
            return
        self.field.setGeometry(
            _FIELD_SIDE, _FIELD_TOP, max(60, self.width() - 2 * _FIELD_SIDE), _FIELD_HEIGHT
        )
        self.field.setText(self.value)
        self.field.selectAll()
        self.field.show()
        self.field.setFocus()

    def _entered(self) -> None:
        bpm = read_tempo(self.field.text())
        if bpm is None:
            return
        self._back()
        self._commit(bpm)

    def _typed(self, text: str) -> None:
        wrong = read_tempo(text) is None
        if self.field.property("wrong") != wrong:
            self.field.setProperty("wrong", wrong)
            self.field.style().polish(self.field)
        self.field.setToolTip(tr("A tempo is 1 to 999 BPM") if wrong else "")

    def _back(self) -> None:
        self._leave()
        self.setFocus()

    def _leave(self) -> None:
        if self.field.isVisible():
            self.field.hide()


class _TempoLine(EscLine):
    """`left` tells that the keyboard went elsewhere."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """No key goes on to the cell below: Enter would open the line again."""
        super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusOutEvent(event)
        self.left.emit()
