"""The list of events: each painted, followed while it grows, copied by selection, left by a double click or Enter."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from app.i18n import tr
from app.ui.events.filtering import as_json, as_text
from app.ui.events.model import LINE, EventColumn, EventModel
from app.ui.kit.icons import icon, pixmap
from app.ui.kit.theme import Theme, font
from app.ui.kit.widgets.badge import paint_badge
from app.viewmodels.events.event_lines import EventGroup, EventLine

ROW_HEIGHT = 24
_PAD = 8
_ICON = 14
_TEXT = 12
_LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
_INDEX = QModelIndex | QPersistentModelIndex
_GROUPS = {
    EventGroup.RUN: ("list-checks", "t2"), EventGroup.ROWS: ("list-bullets", "t3"),
    EventGroup.TROUBLE: ("warning-fill", "warn"), EventGroup.MODEL: ("chat-text", "agent"),
}
_KINDS = {
    "STEP_DONE": ("check-circle-fill", "ok"), "STEP_STARTED": ("play", "t2"), "STEP_FAILED": ("x-circle-fill", "bad"),
    "STEP_SKIPPED": ("skip-forward", "t3"), "STEP_NOT_RUN": ("minus-circle", "t3"),
    "RETRYING": ("arrow-clockwise", "warn"), "RUN_FAILED": ("x-circle-fill", "bad"),
    "RUN_COMPLETED": ("check-circle-fill", "ok"), "RUN_PAUSED": ("pause", "agent"), "RUN_STARTED": ("play", "agent"),
    "RUN_CREATED": ("chat-text", "you"), "PLAN_APPROVED": ("check", "you"), "ROW_APPROVED": ("check", "you"),
    "EDITS_APPROVED": ("check", "you"), "ITERATION_SAVED": ("clock-counter-clockwise", "t2"),
    "RUN_ROLLED_BACK": ("arrow-counter-clockwise", "t2"), "CANCEL_REQUESTED": ("stop", "you"),
    "PAUSE_REQUESTED": ("pause", "you"), "RUN_CANCELLED": ("stop", "t2"), "RUN_PROPOSED": ("hourglass", "agent"),
}  # fmt: skip


def _sign_of(line: EventLine) -> tuple[str, str]:
    """The icon of an event and its colour token."""
    if line.what == tr("Needs you"):
        return "warning-fill", "warn"
    return _KINDS.get(line.kind, _GROUPS[line.group])


class EventCells(QStyledItemDelegate):
    """Paints cells of events in the current theme."""

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = theme
        self._font = font(_TEXT)

    def sizeHint(self, option: QStyleOptionViewItem, index: _INDEX) -> QSize:  # noqa: N802, ARG002 - Qt's name
        """The fixed row height."""
        return QSize(0, ROW_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        """Paint one cell."""
        line = index.data(LINE)
        area, state = QRect(option.rect), option.state
        painter.save()
        painter.setClipRect(area)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        fill = ("you_soft" if state & QStyle.StateFlag.State_Active else "hover") if chosen else "canvas"
        painter.fillRect(area, self._theme.color(fill))
        painter.fillRect(QRect(area.x(), area.bottom(), area.width(), 1), self._theme.color("line"))
        if isinstance(line, EventLine):
            self._cell(
                painter, area.adjusted(_PAD, 0, -_PAD, 0), line, EventColumn(index.column()), str(index.data() or "")
            )
        painter.restore()

    def _cell(self, painter: QPainter, area: QRect, line: EventLine, column: EventColumn, words: str) -> None:
        match column:
            case EventColumn.NUMBER:
                self._text(painter, area, words, "t3", _RIGHT)
            case EventColumn.TIME:
                self._text(painter, area, words, "t3")
            case EventColumn.WHAT:
                name, token = _sign_of(line)
                ratio = painter.device().devicePixelRatioF()
                top = area.center().y() - _ICON // 2
                painter.drawPixmap(area.x(), top, pixmap(name, self._theme.color(token), _ICON, ratio))
                bad = line.group is EventGroup.TROUBLE and token in ("bad", "warn")
                self._text(painter, area.adjusted(_ICON + 7, 0, 0, 0), words, token if bad else "t1")
            case EventColumn.ROW if words:
                paint_badge(painter, area.x(), area.center().y() + 0.5, words, self._theme)
            case EventColumn.ITEM:
                self._text(painter, area, words, "t2", _RIGHT)
            case EventColumn.TEXT:
                self._text(painter, area, words, "t1" if line.group is EventGroup.TROUBLE else "t2")

    def _text(
        self, painter: QPainter, area: QRect, text: str, token: str, align: Qt.AlignmentFlag = _LEFT
    ) -> None:
        painter.setFont(self._font)
        painter.setPen(self._theme.color(token))
        elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, align | Qt.TextFlag.TextSingleLine, elided)


HEADER_HEIGHT = 22
_WIDTHS = {
    EventColumn.NUMBER: 56, EventColumn.TIME: 76, EventColumn.WHAT: 156, EventColumn.ROW: 52, EventColumn.ITEM: 52
}
_NO_TIME = 560


class EventTable(QTableView):
    """The list of events. Signal `row_wanted` carries the id of the step that an event is about."""

    row_wanted = Signal(str)
    only_row = Signal(str)
    """Emitted with the id of a step whose events alone are to be shown."""

    def __init__(self, model: EventModel, theme: Theme) -> None:
        super().__init__()
        self._model = model
        self._stuck = True
        self.setModel(model)
        self.setItemDelegate(EventCells(theme, self))
        self._set_up()
        theme.changed.connect(self.viewport().update)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        model.modelReset.connect(self.to_end)

    def _set_up(self) -> None:
        self.setObjectName("event-table")
        self.setAccessibleName(tr("Events"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, columns = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(ROW_HEIGHT)
        rows.setDefaultSectionSize(ROW_HEIGHT)
        columns.setFixedHeight(HEADER_HEIGHT)
        columns.setHighlightSections(False)
        columns.setSectionsClickable(False)
        columns.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        columns.setMinimumSectionSize(20)
        for column, width in _WIDTHS.items():
            columns.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            self.setColumnWidth(column, width)
        columns.setSectionResizeMode(EventColumn.TEXT, QHeaderView.ResizeMode.Stretch)

    # --- where it is

    def follow(self) -> None:
        """Scroll to the newest event, unless the person has scrolled away or selected one."""
        if self._stuck:
            self.to_end()

    def to_end(self) -> None:
        """Scroll to the newest event and follow new ones."""
        self._stuck = True
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _scrolled(self, value: int) -> None:
        self._stuck = value >= self.verticalScrollBar().maximum() - ROW_HEIGHT

    def updateGeometries(self) -> None:  # noqa: N802 - Qt's name
        """Stay at the end when new rows are laid out."""
        stuck = self._stuck
        super().updateGeometries()
        if stuck:
            self.to_end()

    def fit(self, width: int) -> None:
        """Hide the column of times if `width` (pixels) is small."""
        self.setColumnHidden(EventColumn.TIME, width < _NO_TIME)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """The height of a few rows."""
        return QSize(0, HEADER_HEIGHT + 2 * ROW_HEIGHT)

    # --- what is done with events

    def chosen(self) -> list[EventLine]:
        """The selected events, in their order."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [line for line in map(self._model.line, rows) if line is not None]

    def copy_text(self) -> None:
        """The selected events as text on the clipboard."""
        if lines := self.chosen():
            QGuiApplication.clipboard().setText(as_text(lines, self._model.numbers))

    def copy_json(self) -> None:
        """The selected events as JSON on the clipboard."""
        if lines := self.chosen():
            QGuiApplication.clipboard().setText(as_json(lines))

    def current(self) -> EventLine | None:
        """The current event; None for none."""
        return self._model.line(self.currentIndex().row())

    def leave(self) -> None:
        """Emit `row_wanted` with the step of the current event, if it has one."""
        line = self.current()
        if line is not None and line.step:
            self.row_wanted.emit(line.step)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """Ctrl+C copies, Enter goes to the step, Ctrl+A selects all; single letters are left to the window."""
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_text()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.leave()
        elif plain and (event.key() == Qt.Key.Key_Space or (event.text().isprintable() and event.text())):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:  # noqa: N802 - Qt's name
        """Does nothing: letters are shortcuts of the window."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Go to the step of the event."""
        if event.button() is Qt.MouseButton.LeftButton and self.indexAt(event.position().toPoint()).isValid():
            self.leave()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        """Open the context menu."""
        menu = self.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def menu(self) -> QMenu:
        """The context menu of the selected events and the current one."""
        menu, line, some = QMenu(self), self.current(), bool(self.selectionModel().selectedRows())
        for words, act, key in (
            (tr("Copy as text"), self.copy_text, QKeySequence.StandardKey.Copy),
            (tr("Copy as JSON"), self.copy_json, None),
        ):
            made = menu.addAction(icon("copy"), words, act)
            made.setEnabled(some)
            if key is not None:
                made.setShortcut(key)
        if line is not None and line.step:
            step = line.step
            number = self._model.numbers.get(step, "?")
            menu.addSeparator()
            menu.addAction(tr("Show step {number} in the plan", number=number), lambda: self.row_wanted.emit(step))
            menu.addAction(tr("Only events of step {number}", number=number), lambda: self.only_row.emit(step))
        return menu
