"""What the keys of the plan's table mean, and the entries of a row's menu; the rest is the window's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from app.i18n import tr, trn
from app.ui.plan.columns import PlanColumn
from app.ui.plan.hit_test import can_hear
from app.ui.plan.model import PlanModel
from app.ui.plan.table_actions import GoTo, PlanRequest, TableAction, Unfold, all_decided, moved, toggled
from app.viewmodels.plan.row_previews import Notes
from app.viewmodels.plan.rows import PlanItem, PlanRow

MenuEntry: TypeAlias = tuple[str, TableAction | None] | None
"""Text of a menu entry and the function that it calls; None is a separator."""


def row_entries(row: PlanRow, index: QModelIndex, selected: tuple[str, ...], model: PlanModel) -> list[MenuEntry]:
    """The context menu entries of the row at an index; those for several rows act on all `selected` step ids if the row
    is among them."""
    one, many = (row.id,), selected if row.id in selected else (row.id,)
    found: list[MenuEntry] = [] if model.run else _review(row, index, many, model)
    if can_hear(row):
        found.append((tr("Hear from here"), PlanRequest("hear row", one)))
    if isinstance(row.drawing, Notes) and row.drawing.notes:
        words = tr("Hide its notes") if row.id in model.noted else tr("Show its notes")
        found.append((words, PlanRequest("notes", one)))
        if row.approved:
            found.append((tr("Open in the piano roll"), PlanRequest("roll", one)))
    if row.item_count:
        shown = row.id in model.unfolded
        found.append((tr("Fold its items") if shown else tr("Show its items"), Unfold(row.id, not shown)))
    if not model.run:
        return [*found, *_again(many)]
    if row.standing.mark.bad:
        found += [(tr("Retry failed steps"), PlanRequest("retry")), (tr("Edit step…"), PlanRequest("edit", one))]
    return [*found, (tr("Show its events"), PlanRequest("events", one))]


def _review(row: PlanRow, index: QModelIndex, many: tuple[str, ...], model: PlanModel) -> list[MenuEntry]:
    found: list[MenuEntry] = [
        (tr("Reject step") if row.approved else tr("Approve step"), toggled(model, index)),
        (tr("Reject {steps} with a reason…", steps=_steps(many)), PlanRequest("reason", many)),
        (tr("Edit step…"), PlanRequest("edit", (row.id,))),
    ]
    if row.edited:
        found.append((tr("Back to proposal"), PlanRequest("back", (row.id,))))
    if row.findings and model.fixable(row):
        words = tr("Fix: {what}", what=row.findings[0].message).replace("&", "&&")
        found.append((words, PlanRequest("fix", (row.id,))))
    return found


def _again(many: tuple[str, ...]) -> list[MenuEntry]:
    words = tr("Ask again for {steps}…", steps=_steps(many, tr("this step")))
    return [None, (words, PlanRequest("again", many)), (tr("Ask again for the whole plan"), PlanRequest("afresh"))]


def _steps(steps: tuple[str, ...], one: str = "") -> str:
    return one if one and len(steps) == 1 else trn("step", "{count} steps", len(steps))


_ENTER = (Qt.Key.Key_F2, Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SIDES = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_PLAIN = Qt.KeyboardModifier.NoModifier


def key_taken(event: QKeyEvent, index: QModelIndex) -> bool:
    """Whether the table handles a key on a cell even if it is also a shortcut of the window."""
    return _ticks(event, index) or _moves(event)


def key_pressed(
    model: PlanModel, event: QKeyEvent, index: QModelIndex
) -> TableAction | Literal["window", "qt"] | None:
    """The action of a key on a cell (X, F2, Space on ✓, arrows). "window" and "qt" leave it to the window or to Qt;
    None does nothing."""
    key, control = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if _moves(event):
        return moved(model, index, 1 if key == Qt.Key.Key_Down else -1)
    if _ticks(event, index) or (key == Qt.Key.Key_X and event.modifiers() == _PLAIN):
        return toggled(model, index)
    if event.matches(QKeySequence.StandardKey.SelectAll) or (key == Qt.Key.Key_A and control):
        return all_decided(model, approved=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    item = model.item(index)
    if isinstance(item, PlanRow | PlanItem) and key in _ENTER:
        row = item if isinstance(item, PlanRow) else item.row
        return "window" if control else PlanRequest("edit", (row.id,))
    if isinstance(item, PlanRow) and key in _SIDES:
        return _sideways(model, item, index, PlanColumn.CHECK if key == Qt.Key.Key_Left else PlanColumn.STEP)
    if isinstance(item, PlanItem) and key in _SIDES:
        return GoTo(model.row_index(item.row.id, PlanColumn.STEP)) if key == Qt.Key.Key_Left else None
    letter = key == Qt.Key.Key_Space or (event.text().isprintable() and event.text())
    return "window" if letter else "qt"


def _sideways(model: PlanModel, row: PlanRow, index: QModelIndex, column: PlanColumn) -> TableAction:
    """On the sentence Right opens what lies below a row and Left closes it; else they change the cell."""
    opens = column is PlanColumn.STEP
    noted, unfolded = row.id in model.noted, row.id in model.unfolded
    on_check = index.column() == PlanColumn.CHECK
    if not on_check and model.has_items(row.id) and unfolded is not opens:
        return Unfold(row.id, opens)
    if not on_check and noted is not opens and (noted or isinstance(row.drawing, Notes)):
        return PlanRequest("notes", (row.id,))
    return GoTo(index.parent() if on_check and not opens else index.siblingAtColumn(column))


class UndoOfDecisions(QObject):
    """While there are decisions to undo or redo, makes the keys for undo and redo act on them in all `parts`.
    `undoable` returns the labels of the decisions to undo and to redo, each empty for none."""

    def __init__(
        self, parts: Sequence[QWidget], undoable: Callable[[], tuple[str, str]], undo: Callable[[], None],
        redo: Callable[[], None],
    ) -> None:
        super().__init__(parts[0])
        self._undoable = undoable
        self._ways = (undo, redo)
        for part in parts:
            part.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Take the undo and redo keys that no widget inside a part has handled."""
        kinds = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
        if event.type() not in kinds or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        redo = event.matches(QKeySequence.StandardKey.Redo) or (
            event.key() == Qt.Key.Key_Y and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        )
        if not (redo or event.matches(QKeySequence.StandardKey.Undo)) or not self._undoable()[redo]:
            return False
        event.accept()
        if event.type() is QEvent.Type.KeyPress:
            self._ways[redo]()
        return True


def _moves(event: QKeyEvent) -> bool:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.AltModifier and \
        event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down)


def _ticks(event: QKeyEvent, index: QModelIndex) -> bool:
    return event.key() == Qt.Key.Key_Space and event.modifiers() == _PLAIN and index.column() == PlanColumn.CHECK
