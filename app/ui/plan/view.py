"""The plan's table as a person works it: mouse and keys turned into actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QMenu

from app.ui.plan.columns import PlanColumn
from app.ui.plan.drawings import Look
from app.ui.plan.model import PlanIndex, PlanModel
from app.ui.plan.table_actions import (
    CellSpot,
    FoldGroup,
    GoTo,
    PlanRequest,
    TableAction,
    Unfold,
    clicked,
    double_clicked,
    held,
    key_pressed,
    key_taken,
    move_beside,
    part_at,
    row_entries,
)
from app.ui.plan.tree import PlanTree, rows_of

_LINE = 2
_LEFT, _PAD = 70, 8


class RowDrag:
    """A drag of a row by its number. `obstacle` returns why the row cannot be put at a place: id of the dragged row, id
    of the row beside it, whether below; empty if it can."""

    def __init__(self, look: Look, step: str, at: QPoint, obstacle: Callable[[str, str, bool], str]) -> None:
        self._look = look
        self._step = step
        self._from = at
        self._obstacle = obstacle
        self._begun = False
        self._target: tuple[str, bool] | None = None
        self._refusal = ""

    def move(self, at: QPoint, target: tuple[str, bool] | None) -> bool:
        """Move the drag; `target` is the id of the row under the pointer and whether the pointer is in its lower half,
        None if there is no row. True if the place to drop is another than before."""
        if not self._begun and (at - self._from).manhattanLength() < QApplication.startDragDistance():
            return False
        self._begun = True
        if target is None or target == self._target:
            return False
        self._target = target
        self._refusal = self._obstacle(self._step, *target)
        return True

    @property
    def cursor(self) -> Qt.CursorShape:
        """The pointer's shape, which shows whether the row can be dropped."""
        return Qt.CursorShape.ForbiddenCursor if self._refusal else Qt.CursorShape.ClosedHandCursor

    @property
    def beside(self) -> str:
        """The id of the row beside which the dragged one would be dropped; empty for none."""
        return "" if self._target is None else self._target[0]

    def let_go(self) -> PlanRequest | None:
        """The request to move the row; None if it cannot be dropped there or would not move."""
        if self._target is None or self._target[0] == self._step:
            return None
        return move_beside(self._step, *self._target)

    def paint(self, painter: QPainter, row: QRect, width: int) -> None:
        """Paint a line of `width` pixels at the rectangle `row` where it would be dropped; dashed if it cannot be
        dropped."""
        if self._target is None:
            return
        y = row.bottom() if self._target[1] else row.top() - 1
        color = self._look.color("bad" if self._refusal else "you")
        step = 12 if self._refusal else width
        for left in range(0, width, step):
            painter.fillRect(QRect(left, y - _LINE // 2, step - (4 if self._refusal else 0), _LINE), color)
        if self._refusal:
            self._say(painter, y)

    def _say(self, painter: QPainter, y: int) -> None:
        """Why it cannot stand there, beside the line."""
        painter.setFont(self._look.font())
        width = painter.fontMetrics().horizontalAdvance(self._refusal) + 2 * _PAD
        plate = QRect(_LEFT, y + 3, width, painter.fontMetrics().height() + 4)
        painter.fillRect(plate, self._look.color("bad_soft"))
        painter.setPen(self._look.color("bad"))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, self._refusal)


class PlanTableView(PlanTree):
    """A `PlanTree` with mouse and keys. Every signal carries step ids. `obstacle` returns why a row cannot be put
    beside another (their ids, whether below); empty if it can."""

    asked = Signal(object)
    """Emitted with a `PlanRequest`, which the panel carries out."""
    left = Signal()
    """Emitted by Esc if the focus came from the request that the plan answers."""
    chosen = Signal(str)
    hovered = Signal(frozenset)
    """Emitted with the ids of the rows under the pointer: one row, or all of a group."""

    def __init__(self, model: PlanModel, look: Look, obstacle: Callable[[str, str, bool], str]) -> None:
        super().__init__(model, look)
        self._look = look
        self._drag: RowDrag | None = None
        self._answers = False
        self._obstacle = obstacle

    # --- the keyboard's place

    def choose(self, step: str | None) -> None:
        """Select the row of a step and scroll to it, without emitting signals. None clears a selected row; a selected
        group stays."""
        if step is None:
            if self.step() is not None:
                self.selectionModel().clear()
            return
        index = self._model.row_index(step, PlanColumn.STEP)
        if not index.isValid() or step == self.step():
            return
        self.setExpanded(index.parent(), True)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def take_answer(self) -> None:
        """Take the focus from the request box after a request has led to a plan; Esc returns it as long as the focus
        stays here."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._answers = self.hasFocus()
        self.show_top()

    def forget_request(self) -> None:
        """Let Esc act as in the rest of the window again, as the plan that answered a request is gone."""
        self._answers = False

    def show_top(self) -> None:
        """Scroll to the top, and if the table has the focus make its first row the current one."""
        self.scrollToTop()
        if self.hasFocus() and not self.currentIndex().isValid():
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(self._model.index(0, 0), flag)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        """End the return to the request box by Esc if the person goes to another widget."""
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self._answers = False
        super().focusOutEvent(event)

    # --- actions

    def carry_out(self, action: TableAction | None) -> None:
        """Carry out the action of a key, a click or a menu entry; None does nothing."""
        match action:
            case PlanRequest():
                self.asked.emit(action)
            case None:
                pass
            case Unfold(step, on):
                self.unfold(step, on)
            case FoldGroup(index):
                self.setExpanded(index, not self.isExpanded(index))
            case GoTo(index):
                self.setCurrentIndex(index)
            case _:
                assert_never(action)

    def currentChanged(self, current: PlanIndex, previous: PlanIndex) -> None:  # noqa: N802 - Qt's name
        super().currentChanged(current, previous)
        row = self._model.row_at(current)
        self.chosen.emit("" if row is None else row.id)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Do nothing, as letters are shortcuts of the window here."""

    def event(self, event: QEvent) -> bool:
        """Claim Space on the ✓ cell before the window, where it plays."""
        if event.type() is not QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return super().event(event)
        if key_taken(event, self.currentIndex()) or self._leaves(event):
            event.accept()
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        if self._drag is not None and self._drag.beside:
            with QPainter(self.viewport()) as painter:
                self._drag.paint(painter, self.row_place(self._drag.beside), self.viewport().width())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Esc ends a drag; see `key_pressed` for the rest."""
        if event.key() == Qt.Key.Key_Escape and self._drag is not None:
            self._end_drag()
        elif self._leaves(event):
            self.left.emit()
        else:
            match key_pressed(self._model, event, self.currentIndex()):
                case "window":
                    event.ignore()
                case "qt":
                    super().keyPressEvent(event)
                case action:
                    self.carry_out(action)

    def _leaves(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return event.key() == Qt.Key.Key_Escape and plain and self._answers and self._drag is None

    def _spot(self, at: QPoint) -> CellSpot:
        index = self.indexAt(at)
        item = self._model.item(index) if index.isValid() else None
        if item is None:
            return CellSpot(index, None, "row")
        part = part_at(self._model, item, PlanColumn(index.column()), self.visualRect(index), at.x(), at.y())
        return CellSpot(index, item, part)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at, left = event.position().toPoint(), event.button() is Qt.MouseButton.LeftButton
        spot = self._spot(at)
        action = clicked(self._model, spot) if left else None
        if action is not None:
            if isinstance(action, PlanRequest):
                self.setCurrentIndex(spot.index)
            self.carry_out(action)
            return
        super().mousePressEvent(event)
        step = held(spot) if left and not self._model.table.run else ""
        if step:
            self._drag = RowDrag(self._look, step, at, self._obstacle)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        action = double_clicked(self._spot(event.position().toPoint()))
        if action is not None:
            self.carry_out(action)
        else:
            self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        at = event.position().toPoint()
        if self._drag is not None:
            if self._drag.move(at, self._beside(at)):
                self.setCursor(self._drag.cursor)
                self.viewport().update()
            return
        index = self.indexAt(at)
        row, item = self._model.row_at(index), self._model.item(index)
        self.hovered.emit(frozenset(one.id for one in rows_of(item if row is None else row)))
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        drag = self._drag
        if drag is not None:
            self._end_drag()
            self.carry_out(drag.let_go())
        super().mouseReleaseEvent(event)

    def _end_drag(self) -> None:
        self._drag = None
        self.unsetCursor()
        self.viewport().update()

    def _beside(self, at: QPoint) -> tuple[str, bool] | None:
        """The row at a place, or whose story lies there, and whether the place is in its lower half."""
        row = self._model.row_at(self.indexAt(at))
        return None if row is None else (row.id, at.y() > self.row_place(row.id).center().y())

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self.hovered.emit(frozenset())
        super().leaveEvent(event)

    def light(self, steps: frozenset[str]) -> None:
        """Highlight exactly the rows of these steps."""
        if steps != self._model.lit:
            self._model.lit = steps
            self.viewport().update()

    def row_menu(self) -> QMenu | None:
        """The context menu of the current row and those selected with it; None without a current row."""
        index = self.currentIndex()
        row = self._model.row_at(index)
        if row is None:
            return None
        menu = QMenu(self)
        for entry in row_entries(row, index, tuple(self.steps()), self._model):
            if entry is None:
                menu.addSeparator()
            else:
                menu.addAction(entry[0], partial(self.carry_out, entry[1]))
        return menu

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        menu = self.row_menu()
        if menu is not None:
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(event.globalPos())
