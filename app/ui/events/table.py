"""The list itself: followed while it grows, copied by selection, and left by a double click or Enter."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QMenu, QTableView

from app.i18n import tr
from app.ui.events.cells import ROW_HEIGHT, EventCells
from app.ui.events.filtering import as_json, as_text
from app.ui.events.model import EventColumn, EventModel
from app.ui.kit.icons import icon
from app.ui.kit.theme import Theme
from app.viewmodels.events.event_lines import EventLine

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
