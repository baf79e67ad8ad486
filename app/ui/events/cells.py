"""Painting an event: its number, time, kind with a sign, the step as a badge, and its words."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.i18n import tr
from app.ui.events.model import LINE, EventColumn
from app.ui.kit.icons import pixmap
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


def sign_of(line: EventLine) -> tuple[str, str]:
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
                name, token = sign_of(line)
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
