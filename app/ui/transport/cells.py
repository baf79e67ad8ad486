"""Cells of the transport bar: A / B, which of two songs is heard, and the tempo, which can be typed over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.shortcuts import follow_keys, tip_with
from app.ui.kit.widgets.buttons import ToggleButton
from app.ui.kit.widgets.in_place import EscLine
from app.ui.kit.widgets.labels import PlainLabel
from app.ui.kit.widgets.number_cell import NumberCell
from app.ui.transport.readings import read_tempo
from app.viewmodels.transport.focus import Side
from app.viewmodels.watched import Watched

_GAP = 6
Kind = Literal["plan", "before"]


class ListenTo(QWidget):
    """Two buttons for which of two songs is heard: A the earlier, B the later. B needs the preview of a plan, or a
    run."""

    def __init__(self, side: Watched[Side], action: QAction) -> None:
        super().__init__()
        self._side = side
        self._action = action.objectName()
        self._kind: Kind | None = None
        self._sides: tuple[Side, Side] = ("song", "plan")
        self.setAccessibleName(tr("Listen to"))
        self.first, self.second = ToggleButton("A"), ToggleButton("B")
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self.words = PlainLabel(tr("Listen to"), tone="t3")
        row.addWidget(self.words)
        row.addSpacing(_GAP)
        for place, button in enumerate((self.first, self.second)):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, place=place: self._side.set(self._sides[place]))
            group.addButton(button)
            row.addWidget(button)
        self._silence = side.watch(self._show)
        follow_keys(self, lambda: self.offer(self._kind))

    def offer(self, kind: Kind | None) -> None:
        """Name the two songs by the kind of the other one; None: there is only the song."""
        self._kind = kind
        now = "song", tr("Now"), tr("Hear the song as it is")
        plan = "plan", tr("With plan"), tr("Hear the song as the plan would make it")
        before = "plan", tr("Before"), tr("Hear the song as it was before this run")
        pair = (before, now) if kind == "before" else (now, plan)
        for letter, button, (side, words, tip) in zip("AB", (self.first, self.second), pair, strict=True):
            button.setText(f"{letter}  {words}")
            button.setAccessibleName(tr("Listen to {letter}, {words}", letter=letter, words=words))
            button.setEnabled(kind is not None or side == "song")
            button.setToolTip(tip_with(self._action, tip))
        if kind is None:
            self.second.setToolTip(tr("There is no plan to hear yet"))
        self._sides = ("plan", "song") if kind == "before" else ("song", "plan")
        self._show(self._side.value)

    def close_view(self) -> None:
        """End the subscription."""
        self._silence()

    def _show(self, side: Side) -> None:
        (self.first, self.second)[self._sides.index(side)].setChecked(True)


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
