"""Painting rows, groups and items of the plan."""

from __future__ import annotations

from time import monotonic

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.i18n import tr, trn
from app.ui.plan.columns import TOOL_WIDTH, PlanColumn
from app.ui.plan.drawings import (
    CENTRE,
    DRAWING_HEIGHT,
    ICON,
    PAD,
    RIGHT,
    SIGNS,
    Brush,
    Look,
    centred,
    draw,
    square,
    tool_icon,
)
from app.ui.plan.model import ROW, PlanModel
from app.ui.plan.table_actions import BOX, GROUP_BOX_LEFT, action_areas, can_hear, editable, fix_area, items_area
from app.viewmodels.plan.row_states import RowMark, Standing
from app.viewmodels.plan.rows import PlanGroup, PlanItem, PlanRow
from app.viewmodels.texts.figures import clock, lasted

ROW_HEIGHT = 24
STORY_HEIGHT = 78
NOTES_HEIGHT = 132
_CARET = 12
_SWATCH = 8
_CARET_LEFT = 10
_OUTSIDE = "arrow-square-out"
"""The sign of a step that leaves the song."""
_GROUP_NAME_LEFT = 58
_BADGE = 16
_BADGE_PAD = 4
_GROUP_STATE = 208
_NEW_WIDTH = 26
_SHADED = 0.45
_INDEX = QModelIndex | QPersistentModelIndex


class PlanCells(QStyledItemDelegate):
    """Paints every cell of the plan table."""

    def __init__(self, look: Look, model: PlanModel, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look
        self._model = model
        self.narrow = False
        """Whether there is no room for the names of tools."""
        self.turn = 0.0
        """Rotation of the rings of running rows, 0 to 1 of a full turn."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _INDEX) -> QSize:  # noqa: N802, ARG002 - Qt's name
        if not PlanModel.is_below(index) or index.data(ROW) is not None:
            return QSize(0, ROW_HEIGHT)
        row = index.parent().data(ROW)
        return QSize(0, NOTES_HEIGHT if isinstance(row, PlanRow) and row.id in self._model.noted else STORY_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        item, area, brush = index.data(ROW), QRect(option.rect), Brush(painter, self._look)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setClipRect(area)
        if isinstance(item, PlanGroup):
            self._group(brush, area, item, state)
        elif isinstance(item, PlanRow):
            brush.ground(area, "canvas", state, hovered=item.id in self._model.lit)
            self._cell(brush, area, item, PlanColumn(index.column()))
            if index.column() == PlanColumn.CHECK and state & QStyle.StateFlag.State_HasFocus:
                brush.ring(area)
        elif isinstance(item, PlanItem):
            brush.ground(area, "row2", state)
            self._item(brush, area, item, PlanColumn(index.column()))
        painter.restore()

    def _cell(self, brush: Brush, area: QRect, row: PlanRow, column: PlanColumn) -> None:
        match column:
            case PlanColumn.NUMBER:
                self._number(brush, area, row)
            case PlanColumn.CHECK if not self._model.run:
                brush.box(centred(area, BOX), row.approved)
            case PlanColumn.CHECK if row.approved:
                brush.icon(centred(area, _CARET), "check", "t3")
            case PlanColumn.STEP:
                self._step(brush, area, row)
            case PlanColumn.PREVIEW:
                top = area.center().y() - DRAWING_HEIGHT // 2 + 1
                brush.painter.setOpacity(1.0 if row.approved else _SHADED)
                room = QRect(area.x() + PAD, top, area.width() - 2 * PAD - 2, DRAWING_HEIGHT)
                draw(brush, room, row.drawing, row.facts.target.color)
            case PlanColumn.TARGET:
                self._target(brush, area, row)
            case PlanColumn.SERVICE | PlanColumn.DEPENDS:
                said = row.facts.service if column is PlanColumn.SERVICE else row.facts.depends_on
                brush.text(area.adjusted(PAD, 0, 0, 0), said, "t2")
            case PlanColumn.STATE:
                self._state(brush, area, row)
            case PlanColumn.ACTIONS:
                self._actions(brush, area, row)

    def _item(self, brush: Brush, area: QRect, item: PlanItem, column: PlanColumn) -> None:
        """An item stands in from its row; why it went wrong stands behind its name."""
        match column:
            case PlanColumn.STEP:
                left = area.x() + 2 * PAD + ICON
                width = TOOL_WIDTH // 2 if self.narrow else TOOL_WIDTH
                brush.text(QRect(left, area.y(), width - PAD, area.height()), item.number, "t3", mono=True)
                left += width
                room = QRect(left, area.y(), area.right() - left - PAD, area.height())
                width = brush.text(room, item.words, "t1") + PAD
                if item.standing.reason and width < room.width():
                    brush.text(room.adjusted(width, 0, 0, 0), item.standing.reason, "t3")
            case PlanColumn.STATE:
                self._standing(brush, area, item.standing, "t1")
            case PlanColumn.ACTIONS if item.standing.mark.bad and not self._model.busy:
                brush.icon(centred(action_areas(area)[1], ICON), "arrow-clockwise", "t2")

    def _number(self, brush: Brush, area: QRect, row: PlanRow) -> None:
        """The row's number; while it is lit in the badge that its ghosts carry."""
        number = str(row.facts.number)
        if row.id not in self._model.lit:
            brush.text(area.adjusted(0, 0, -PAD, 0), number, "t3", RIGHT)
            return
        width = brush.width(number, bold=True) + 2 * _BADGE_PAD
        badge = QRect(area.right() - width - PAD + _BADGE_PAD, area.center().y() - _BADGE // 2, width, _BADGE)
        brush.rounded(badge, 3, Qt.PenStyle.NoPen, self._look.color("agent_fill"))
        brush.text(badge, number, "on_agent", CENTRE, bold=True)

    def _step(self, brush: Brush, area: QRect, row: PlanRow) -> None:
        on = row.approved
        left = brush.sign(area, tool_icon(row.facts.step.tool), "agent" if on else "t3")
        if not self.narrow:
            room = QRect(left, area.y(), TOOL_WIDTH - PAD, area.height())
            brush.text(room, row.facts.step.tool, "t3", mono=True)
            left += TOOL_WIDTH
        right = area.right() - PAD
        if row.item_count:
            items = items_area(area)
            caret = "caret-down" if row.id in self._model.unfolded else "caret-right"
            brush.icon(square(items, items.x(), _CARET), caret, "t2")
            words = trn("{count:,} item", "{count:,} items", row.item_count)
            brush.text(items.adjusted(_CARET + 4, 0, 0, 0), words, "t2")
            right = items.left() - PAD
        if row.facts.outside:
            right -= ICON
            brush.icon(square(area, right), _OUTSIDE, "warn" if on else "t3")
            right -= PAD
        brush.text(QRect(left, area.y(), right - left, area.height()), row.facts.sentence, "t1" if on else "t3")

    def _target(self, brush: Brush, area: QRect, row: PlanRow) -> None:
        target = row.facts.target
        mark = square(area, area.x() + PAD, _SWATCH)
        if target.color:
            brush.painter.fillRect(mark, QColor(target.color))
        elif target.name in (tr("Song"), tr("Master")):
            brush.icon(centred(mark, _CARET), "music-notes" if target.name == tr("Song") else "faders", "t2")
        left = mark.right() + PAD
        room = QRect(left, area.y(), area.right() - left - PAD - (_NEW_WIDTH if target.new else 0), area.height())
        width = brush.text(room, target.name, "t1" if row.approved else "t3")
        if target.new:
            brush.text(QRect(left + width + 6, area.y(), _NEW_WIDTH, area.height()), tr("new"), "agent")

    def _state(self, brush: Brush, area: QRect, row: PlanRow) -> None:
        room, fix = area, None
        if row.findings and not self._model.run and self._model.fixable(row):
            fix = fix_area(area)
            room = area.adjusted(0, 0, fix.left() - area.right() + PAD - 4, 0)
        self._standing(brush, room, row.standing, "t1" if row.approved else "t3")
        if fix is not None:
            brush.fill(fix, "ctl")
            brush.painter.setPen(self._look.color("line2"))
            brush.painter.drawRect(fix.adjusted(0, 0, -1, -1))
            brush.text(fix, tr("Fix"), "t1", CENTRE)

    def _standing(self, brush: Brush, area: QRect, standing: Standing, tone: str) -> None:
        icon, token = SIGNS[standing.mark]
        left, right = brush.sign(area, icon, token, self.turn) - 1, area.right() - PAD
        if text := _time_of(standing):
            said, wanted = brush.width(standing.text, bold=True), brush.width(text)
            if standing.ends is not None and left + said + wanted + PAD > right:
                text, wanted = "", -PAD
            right -= wanted
            brush.text(QRect(right, area.y(), area.right() - right, area.height()), text, "t3")
            right -= PAD
        words = token if standing.mark in (RowMark.RUNNING, RowMark.FAILED, RowMark.ERROR) else tone
        room = QRect(left, area.y(), max(0, right - left), area.height())
        width = brush.text(room, standing.text, words, bold=standing.mark in (RowMark.FAILED, RowMark.RUNNING))
        if standing.share is not None:
            brush.progress(left + width + PAD, room.adjusted(0, 0, -PAD, 0), standing.share)

    def _actions(self, brush: Brush, area: QRect, row: PlanRow) -> None:
        hear, edit = action_areas(area)
        if can_hear(row):
            brush.icon(centred(hear, ICON), "ear", "t2")
        if editable(row, run=self._model.run):
            name, token = ("pencil-simple-fill", "you") if row.edited else ("pencil-simple", "t2")
            brush.icon(centred(edit, ICON), name, token)

    def _group(self, brush: Brush, area: QRect, group: PlanGroup, state: QStyle.StateFlag) -> None:
        """One cell over the whole width."""
        folded = group.name in self._model.folded
        lit = folded and any(row.id in self._model.lit for row in group.rows)
        brush.ground(area, "panel", state, hovered=lit)
        brush.icon(square(area, _CARET_LEFT, _CARET), "caret-right" if folded else "caret-down", "t2")
        left = GROUP_BOX_LEFT
        if not self._model.run:
            brush.box(square(area, GROUP_BOX_LEFT, BOX), group.approved)
            left = _GROUP_NAME_LEFT
        room = QRect(left, area.y(), area.width() // 2, area.height())
        start = left + brush.text(room, group.name, "t1", bold=True) + PAD
        count = trn("{count} step", "{count} steps", len(group.rows))
        words = count if self._model.run else group.summary
        brush.text(QRect(start, area.y(), area.width() // 3, area.height()), words, "t3")
        if self._model.run and group.mark is not None:
            right = QRect(area.right() - _GROUP_STATE, area.y(), _GROUP_STATE, area.height())
            brush.icon(square(right, right.x()), *SIGNS[group.mark], self.turn)
            brush.text(right.adjusted(ICON + 7, 0, 0, 0), group.summary, "t2")
        if state & QStyle.StateFlag.State_HasFocus and not state & QStyle.StateFlag.State_Selected:
            brush.ring(area)


def _time_of(standing: Standing) -> str:
    """What a row took, or what it will still take as far as that can be told."""
    if standing.seconds is not None:
        return lasted(standing.seconds)
    left = 0.0 if standing.ends is None else standing.ends - monotonic()
    return f"−{clock(left)}" if left >= 1 else ""
