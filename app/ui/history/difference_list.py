"""The list of what differs: the song and its tracks, each with its changes in words; tracks can be picked from B."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from agent.song.ids import TrackId
from app.i18n import tr
from app.ui.history.difference_marks import draw_mark, mark_tones
from app.ui.history.row_data import ROW_ROLE, Index, paint_ground, paint_ring, row_data
from app.ui.kit.context import Kit
from app.ui.kit.icons import INSTRUMENT_ICONS, SONG_ICON, paint_icon
from app.ui.kit.style import draw_check
from app.ui.kit.theme import font
from app.viewmodels.history.difference import Counts, Kind
from app.viewmodels.history.difference_rows import DifferenceRow

CHECK_WIDTH = 32
_STRIPE = 4
_ICON = 16
_NAME_LEFT = 56
_RIGHT = 10
_HEAD, _LINE, _BOTTOM = 32, 20, 6
_QUIET = 28
_SWATCH = (13, 9)
_VALUE_SHARE = 0.62


class DifferenceDelegate(QStyledItemDelegate):
    """Paints rows of differences; `families` maps an instrument's name to its family, for icons."""

    def __init__(self, kit: Kit, families: dict[str, str], parent: QObject) -> None:
        super().__init__(parent)
        self._kit = kit
        self._families = families

    def sizeHint(  # noqa: N802 - Qt's name
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex  # noqa: ARG002
    ) -> QSize:
        """Height of a row with its lines of changes."""
        row: DifferenceRow | None = index.data(ROW_ROLE)
        if row is None or row.quiet:
            return QSize(0, max(_QUIET, _line_height() + 8))
        lines = len(row.lines)
        return QSize(0, _HEAD + lines * _line_height() + (_BOTTOM if lines else 0))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw one row."""
        row: DifferenceRow | None = index.data(ROW_ROLE)
        if row is None:
            return
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        tokens = self._kit.theme.tokens
        painter.save()
        painter.setClipRect(area)
        paint_ground(painter, area, state, tokens, tokens.canvas, hovers=not row.quiet)
        painter.fillRect(area.left(), area.bottom(), area.width(), 1, QColor(tokens.line))
        if row.quiet:
            self._quiet(painter, area, row)
        else:
            self._head(painter, area, row, index.data(Qt.ItemDataRole.CheckStateRole))
            self._lines(painter, area, row)
        paint_ring(painter, area, state, tokens)
        painter.restore()

    def _quiet(self, painter: QPainter, area: QRect, row: DifferenceRow) -> None:
        tokens = self._kit.theme.tokens
        paint_icon(painter, QRectF(area.left() + 10, area.center().y() - 6, 12, 12), "equals", QColor(tokens.t3))
        painter.setFont(font(12))
        painter.setPen(QColor(tokens.t2))
        words = QRect(area.left() + 32, area.top(), area.width() - 32 - _RIGHT, area.height())
        text = painter.fontMetrics().elidedText(row.title, Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)

    def _head(self, painter: QPainter, area: QRect, row: DifferenceRow, check: object) -> None:
        tokens = self._kit.theme.tokens
        middle = area.top() + _HEAD / 2
        left = area.left() + _NAME_LEFT
        if row.track is not None:
            painter.fillRect(area.left(), area.top(), _STRIPE, area.height() - 1, QColor(row.color))
            box = QRectF(area.left() + 10, middle - 8, 16, 16)
            draw_check(painter, box, Qt.CheckState(check), tokens)
            name = INSTRUMENT_ICONS.get(self._families.get(row.instrument, ""), SONG_ICON)
        else:
            name = "music-notes"
        paint_icon(painter, QRectF(area.left() + 33, middle - _ICON / 2, _ICON, _ICON), name, QColor(tokens.t2))
        right = self._counts(painter, area.right() - _RIGHT, middle, row.counts)
        if row.note:
            painter.setFont(font(11))
            painter.setPen(QColor({"added": tokens.ok, "removed": tokens.bad, "changed": tokens.t3}[row.state]))
            wide = painter.fontMetrics().horizontalAdvance(row.note)
            painter.drawText(QRectF(right - wide - 2, area.top(), wide + 2, _HEAD), Qt.AlignmentFlag.AlignVCenter,
                             row.note)
            right -= wide + 8
        painter.setFont(font(12, 600))
        painter.setPen(QColor(tokens.t1))
        title = " ".join(row.title[:200].split())
        text = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideRight, int(right - left - 4))
        painter.drawText(QRectF(left, area.top(), right - left, _HEAD), Qt.AlignmentFlag.AlignVCenter, text)

    def _counts(self, painter: QPainter, right: float, middle: float, counts: Counts) -> float:
        """The counts with their marks, ending at `right`; returns where they begin."""
        tones = mark_tones(self._kit.theme.tokens, painter.device().devicePixelRatioF())
        shown: tuple[tuple[Kind, int], ...] = (
            ("moved", counts.moved), ("removed", counts.removed), ("added", counts.added)
        )
        painter.setFont(font(11))
        for kind, count in shown:
            if not count:
                continue
            words = f"{count:,}"
            wide = painter.fontMetrics().horizontalAdvance(words)
            painter.setPen(self._kit.theme.color("t2"))
            painter.drawText(QRectF(right - wide, middle - 10, wide + 1, 20), Qt.AlignmentFlag.AlignVCenter, words)
            right -= wide + 4 + _SWATCH[0]
            draw_mark(painter, QRectF(right, middle - _SWATCH[1] / 2, *_SWATCH), kind, tones, "arrow-up")
            right -= 10
        return right

    def _lines(self, painter: QPainter, area: QRect, row: DifferenceRow) -> None:
        tokens = self._kit.theme.tokens
        painter.setFont(font(11))
        metrics = painter.fontMetrics()
        height = _line_height()
        left, right = area.left() + _NAME_LEFT, area.right() - _RIGHT
        for at, line in enumerate(row.lines):
            top = area.top() + _HEAD + at * height - 2
            room = right - left
            value = metrics.elidedText(line.change, Qt.TextElideMode.ElideRight, int(room * _VALUE_SHARE))
            wide = metrics.horizontalAdvance(value)
            painter.setPen(QColor(tokens.t1))
            painter.drawText(QRectF(right - wide, top, wide + 1, height), Qt.AlignmentFlag.AlignVCenter, value)
            painter.setPen(QColor(tokens.t2))
            what = metrics.elidedText(line.what, Qt.TextElideMode.ElideRight, max(20, room - wide - 8))
            painter.drawText(QRectF(left, top, room, height), Qt.AlignmentFlag.AlignVCenter, what)


def _line_height() -> int:
    return max(_LINE, QFontMetrics(font(11)).height() + 4)


class DifferenceModel(QAbstractListModel):
    """Rows of differences; `picked` are the ids of the tracks that are to be taken from B."""

    picks_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[DifferenceRow, ...] = ()
        self.picked: frozenset[TrackId] = frozenset()

    def show_rows(self, rows: tuple[DifferenceRow, ...]) -> None:
        """Show these rows, with no track picked."""
        self.beginResetModel()
        self.rows, self.picked = rows, frozenset()
        self.endResetModel()
        self.picks_changed.emit()

    def pick(self, picked: frozenset[TrackId]) -> None:
        """Set the picked tracks."""
        if picked == self.picked:
            return
        self.picked = picked
        if self.rows:
            self.dataChanged.emit(self.index(0), self.index(len(self.rows) - 1))
        self.picks_changed.emit()

    def pick_all(self) -> None:
        """Pick every track that differs."""
        self.pick(frozenset(row.track for row in self.rows if row.track is not None))

    def toggle(self, index: Index) -> None:
        """Pick the row's track, or unpick it."""
        row = self.row(index)
        if row is not None and row.track is not None:
            self.pick(self.picked ^ {row.track})

    def row(self, index: Index) -> DifferenceRow | None:
        """The row at an index; None for an invalid one."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def index_of(self, track: TrackId | None) -> QModelIndex:
        """The index of a track's row; None is the song's. Invalid if it has none."""
        for at, row in enumerate(self.rows):
            if row.track == track and not row.quiet:
                return self.index(at)
        return QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 - Qt's name and default
        """Number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Title, check state, tooltip, text for screen readers, and the row itself."""
        row = self.row(index)
        if row is None:
            return None
        if role == Qt.ItemDataRole.CheckStateRole and row.track is not None:
            return Qt.CheckState.Checked if row.track in self.picked else Qt.CheckState.Unchecked
        return row_data(row, role, row.tip or "\n".join((row.title, *(line.text for line in row.lines)))[:2000])

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:  # noqa: N802
        """Pick or unpick a track by its check box."""
        row = self.row(index)
        if role != Qt.ItemDataRole.CheckStateRole or row is None or row.track is None:
            return False
        wanted = Qt.CheckState(value) is Qt.CheckState.Checked
        self.pick(self.picked | {row.track} if wanted else self.picked - {row.track})
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Rows of tracks can be checked; the row about what is the same cannot be selected."""
        row = self.row(index)
        if row is None:
            return Qt.ItemFlag.NoItemFlags
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if row.quiet:
            return base
        checkable = Qt.ItemFlag.ItemIsUserCheckable if row.track is not None else Qt.ItemFlag.NoItemFlags
        return base | Qt.ItemFlag.ItemIsSelectable | checkable


class DifferenceList(QListView):
    """The list of differences: selecting a row shows its notes; a click on its box, or X, picks its track."""

    def __init__(self, kit: Kit, families: dict[str, str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = DifferenceModel(self)
        self.setModel(self.rows)
        self.setItemDelegate(DifferenceDelegate(kit, families, self))
        self.setAccessibleName(tr("What differs"))
        self.setProperty("surface", "canvas")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setTabKeyNavigation(False)
        kit.theme.changed.connect(self.viewport().update)

    def event(self, event: QEvent) -> bool:
        """Claim X before the window's shortcuts, for which it is an action of the plan."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_pick(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        """X picks; other letters, digits and Enter are left to the page and the window."""
        if _is_pick(event):
            self.rows.toggle(self.currentIndex())
        elif (event.text() and event.text().isprintable()) or event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """A click on the box toggles the pick without selecting the row."""
        place = event.position().toPoint()
        index = self.indexAt(place)
        if index.isValid() and place.x() - self.visualRect(index).left() < CHECK_WIDTH:
            self.rows.toggle(index)
            return
        super().mousePressEvent(event)


def _is_pick(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_X and event.modifiers() == Qt.KeyboardModifier.NoModifier
