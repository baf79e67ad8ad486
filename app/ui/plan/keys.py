"""The keys of the plan's table, turned into wishes; the rest is the window's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.desktop.steps.row_previews import Notes
from app.desktop.table.plan_rows import PlanRow
from app.desktop.table.row_items import PlanItem
from app.ui.plan.columns import Column
from app.ui.plan.model import PlanModel

if TYPE_CHECKING:
    # The table has its own keys.
    from app.ui.plan.view import PlanView

_ENTER = (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIDES = (Qt.Key.Key_Left, Qt.Key.Key_Right)


class PlanKeys:
    """X, F2, Space on ✓, arrows, and undo of decisions while there are any."""

    def __init__(self, view: PlanView, model: PlanModel) -> None:
        self._view = view
        self._model = model

    def taken(self, event: QKeyEvent) -> bool:
        """Whether a key is the table's, also where it is a shortcut of the window."""
        return self._ticks(event) or _moves(event) or self._takes_back(event) is not None

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key says; False where it is Qt's. Keys of the window are left ignored."""
        view, index, key = self._view, self._view.currentIndex(), event.key()
        item = self._model.item(index)
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        taken = self._takes_back(event)
        if taken is not None:
            taken.emit()
        elif _moves(event):
            view.move_row(1 if key == Qt.Key.Key_Down else -1)
        elif self._ticks(event) or (key == Qt.Key.Key_X and event.modifiers() == Qt.KeyboardModifier.NoModifier):
            view.toggle(index)
        elif event.matches(QKeySequence.StandardKey.SelectAll) or (key == Qt.Key.Key_A and control):
            view.decide_all(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        elif isinstance(item, PlanRow | PlanItem) and key in _ENTER:
            self._enter(item, event, control)
        elif isinstance(item, PlanRow) and key in _SIDES:
            self._sideways(item, index, Column.CHECK if key == Qt.Key.Key_Left else Column.STEP)
        elif isinstance(item, PlanItem) and key in _SIDES:
            if key == Qt.Key.Key_Left:
                view.setCurrentIndex(self._model.row_index(item.row.id, Column.STEP))
        elif key == Qt.Key.Key_Space or (event.text().isprintable() and event.text()):
            event.ignore()
        else:
            return False
        return True

    def _enter(self, item: PlanRow | PlanItem, event: QKeyEvent, control: bool) -> None:
        if control:
            event.ignore()
        else:
            self._view.edit_asked.emit(item.id if isinstance(item, PlanRow) else item.row.id)

    def _sideways(self, row: PlanRow, index: QModelIndex, column: Column) -> None:
        """On the sentence Right opens what lies below a row and Left closes it; else they change the cell."""
        view, opens = self._view, column is Column.STEP
        noted, unfolded = row.id in view.cells.noted, row.id in view.cells.unfolded
        on_check = index.column() == Column.CHECK
        if not on_check and self._model.has_items(row.id) and unfolded is not opens:
            view.unfold(row.id, opens)
        elif not on_check and noted is not opens and (noted or isinstance(row.drawing, Notes)):
            view.notes_asked.emit(row.id)
        elif on_check and column is Column.CHECK:
            view.setCurrentIndex(index.parent())
        else:
            view.setCurrentIndex(index.siblingAtColumn(column))

    def _ticks(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return event.key() == Qt.Key.Key_Space and plain and self._view.currentIndex().column() == Column.CHECK

    def _takes_back(self, event: QKeyEvent) -> SignalInstance | None:
        """Undo or redo, where there is a decision to take back or to bring again."""
        match taken_back_by(event, self._view.undoable()):
            case "undo":
                return self._view.undo_asked
            case "redo":
                return self._view.redo_asked
        return None


class UndoOfDecisions(QObject):
    """Undo and redo are those of decisions, while there are any, wherever the keyboard is in the parts it watches."""

    def __init__(
        self, parts: Sequence[QWidget], undoable: Callable[[], tuple[str, str]], undo: Callable[[], None],
        redo: Callable[[], None],
    ) -> None:
        super().__init__(parts[0])
        self._undoable = undoable
        self._acts = {"undo": undo, "redo": redo}
        for part in parts:
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take the keys that nothing within a part wanted for itself."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if event.type() not in kinds or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        wanted = taken_back_by(event, self._undoable())
        if wanted is None:
            return False
        event.accept()
        if event.type() is QEvent.Type.KeyPress:
            self._acts[wanted]()
        return True


def taken_back_by(event: QKeyEvent, undoable: tuple[str, str]) -> Literal["undo", "redo"] | None:
    """What a key does to the decisions that can be taken back and brought again; None for nothing."""
    undo, redo = undoable
    if event.matches(QKeySequence.StandardKey.Undo):
        return "undo" if undo else None
    again = event.matches(QKeySequence.StandardKey.Redo) or (
        event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
    )
    return "redo" if again and redo else None


def _moves(event: QKeyEvent) -> bool:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier and \
        event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)
