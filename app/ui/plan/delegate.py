"""Painting rows, groups and items of the plan, and telling which part of a cell is under the mouse."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.desktop.plan.row_states import Mark, Standing
from app.desktop.plan.rows import PlanGroup, PlanItem, PlanRow
from app.desktop.texts.figures import clock, lasted
from app.ui.kit.tokens import mix
from app.ui.plan.cell_texts import group_words
from app.ui.plan.columns import Column
from app.ui.plan.drawings import DRAWING_HEIGHT, SIGNS, draw, tool_icon
from app.ui.plan.hit_test import (
    BOX,
    GROUP_BOX_LEFT,
    Part,
    action_areas,
    can_hear,
    editable,
    fix_area,
    items_area,
    part_at,
)
from app.ui.plan.look import Look
from app.ui.plan.model import ROW, PlanModel
from app.words import tr, trn

_BAR = (46, 4)
_HOVER_SHARE = 0.04
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class Brush:
    """Paints in the colours and fonts of a look."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def backed(self, painter: QPainter, area: QRect, base: str, state: QStyle.StateFlag, hovered: bool) -> None:
        """The ground of a cell with its line below."""
        look = self._look
        fill = look.color(base)
        if state & QStyle.StateFlag.State_Selected:
            fill = look.color("you_soft" if state & QStyle.StateFlag.State_Active else "hover")
        elif hovered:
            fill = QColor(mix(look.tokens.t1, fill.name(), _HOVER_SHARE))
        painter.fillRect(area, fill)
        painter.fillRect(QRect(area.x(), area.bottom(), area.width(), 1), look.color("line"))

    def text(
        self, painter: QPainter, area: QRect, text: str, token: str, align: Qt.AlignmentFlag = LEFT, *,
        bold: bool = False, mono: bool = False,
    ) -> int:
        """Words, cut where there is no room; returns their width."""
        painter.setFont(self._look.font(bold=bold, mono=mono))
        painter.setPen(self._look.color(token))
        metrics = painter.fontMetrics()
        elided = metrics.elidedText(text.replace("\n", " "), Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, align, elided)
        return metrics.horizontalAdvance(elided)

    def box(self, painter: QPainter, box: QRect, checked: bool | None) -> None:
        """A check box; None is the third state."""
        look = self._look
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        on = checked is not False
        painter.setPen(QPen(look.color("you_fill" if on else "line3"), 1))
        painter.setBrush(look.color("you_fill" if on else "ctl"))
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1).toRectF().translated(0.5, 0.5), 3, 3)
        painter.setPen(QPen(look.color("on_you"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        x, y = box.x(), box.y()
        if checked is None:
            painter.drawLine(x + 4, y + 7, x + 10, y + 7)
        elif checked:
            painter.drawPolyline([QPointF(x + 3.5, y + 7.5), QPointF(x + 6, y + 10), QPointF(x + 10.5, y + 4.5)])
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def ring(self, painter: QPainter, area: QRect) -> None:
        """The mark of the cell that has the keyboard."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._look.color("you"), 2))
        painter.drawRoundedRect(area.adjusted(1, 1, -2, -2), 4, 4)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def progress(self, painter: QPainter, left: int, area: QRect, share: float) -> bool:
        """A bar that is full at a share of 1, in the middle of an area; False where there is no room for it."""
        bar = QRect(left, area.center().y() - _BAR[1] // 2, *_BAR)
        if bar.right() > area.right():
            return False
        painter.fillRect(bar, self._look.color("hover"))
        bar.setWidth(round(bar.width() * share))
        painter.fillRect(bar, self._look.color("agent"))
        return True


ROW_HEIGHT = 24
STORY_HEIGHT = 78
NOTES_HEIGHT = 132
_PAD = 8
_ICON = 14
_CARET = 12
_TOOL_WIDTH = 124
_SWATCH = 8
_CARET_LEFT = 10
OUTSIDE = "arrow-square-out"
"""The sign of a step that leaves the song."""
_GROUP_NAME_LEFT = 58
_BADGE = 16
_BADGE_PAD = 4
_GROUP_STATE = 208
_SHADED = 0.45
_INDEX = QModelIndex | QPersistentModelIndex


class PlanCells(QStyledItemDelegate):
    """Paints every cell; `fixable` says whether one click mends a row's marks."""

    def __init__(self, look: Look, fixable: Callable[[PlanRow], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._look = look
        self._brush = Brush(look)
        self.narrow = False
        self.noted: frozenset[str] = frozenset()
        """Steps under whose rows their notes are shown."""
        self.run = False
        self.lit: frozenset[str] = frozenset()
        """Steps that are under the pointer, here or on the timeline."""
        self.busy = False
        """Whether a run goes on."""
        self.turn = 0.0
        """0-1 of the ring's turn."""
        self.folded: set[str] = set()
        self.unfolded: frozenset[str] = frozenset()
        """Steps under whose rows their items are shown."""
        self.fixable = fixable

    def sizeHint(self, option: QStyleOptionViewItem, index: _INDEX) -> QSize:  # noqa: N802, ARG002 - Qt's name
        """24 px, for a story 78, for notes 132."""
        if not PlanModel.is_below(index) or index.data(ROW) is not None:
            return QSize(0, ROW_HEIGHT)
        row = index.parent().data(ROW)
        return QSize(0, NOTES_HEIGHT if isinstance(row, PlanRow) and row.id in self.noted else STORY_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _INDEX) -> None:
        """Paint a cell; groups are one cell over the whole width."""
        item = index.data(ROW)
        area = QRect(option.rect)
        state: QStyle.StateFlag = option.state
        painter.save()
        painter.setClipRect(area)
        if isinstance(item, PlanGroup):
            self._group(painter, area, item, state)
        elif isinstance(item, PlanRow):
            self._cell(painter, area, item, Column(index.column()), state)
        elif isinstance(item, PlanItem):
            self._item(painter, area, item, Column(index.column()), state)
        painter.restore()

    def _cell(
        self, painter: QPainter, area: QRect, row: PlanRow, column: Column, state: QStyle.StateFlag
    ) -> None:
        self._brush.backed(painter, area, "canvas", state, row.id in self.lit)
        match column:
            case Column.NUMBER:
                self._number(painter, area, row)
            case Column.CHECK:
                self._check(painter, area, row)
                if state & QStyle.StateFlag.State_HasFocus:
                    self._brush.ring(painter, area)
            case Column.STEP:
                self._step(painter, area, row)
            case Column.PREVIEW:
                self._preview(painter, area, row)
            case Column.TARGET:
                self._target(painter, area, row)
            case Column.SERVICE:
                self._brush.text(painter, area.adjusted(_PAD, 0, 0, 0), row.facts.service, "t2")
            case Column.DEPENDS:
                self._brush.text(painter, area.adjusted(_PAD, 0, 0, 0), row.facts.depends_on, "t2")
            case Column.STATE:
                self._state(painter, area, row)
            case Column.ACTIONS:
                self._actions(painter, area, row)

    def _item(
        self, painter: QPainter, area: QRect, item: PlanItem, column: Column, state: QStyle.StateFlag
    ) -> None:
        """An item stands in from its row; why it went wrong stands behind its name."""
        self._brush.backed(painter, area, "row2", state, False)
        match column:
            case Column.STEP:
                left = area.x() + 2 * _PAD + _ICON
                width = _TOOL_WIDTH // 2 if self.narrow else _TOOL_WIDTH
                number = QRect(left, area.y(), width - _PAD, area.height())
                self._brush.text(painter, number, item.number, "t3", mono=True)
                left += width
                room = QRect(left, area.y(), area.right() - left - _PAD, area.height())
                width = self._brush.text(painter, room, item.words, "t1") + _PAD
                if item.standing.reason and width < room.width():
                    self._brush.text(painter, room.adjusted(width, 0, 0, 0), item.standing.reason, "t3")
            case Column.STATE:
                self._standing(painter, area, item.standing, "t1")
            case Column.ACTIONS if item.standing.mark.bad and not self.busy:
                self._look.paint_icon(painter, _centred(action_areas(area)[1], _ICON), "arrow-clockwise", "t2")

    def _number(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        """The row's number; while it is lit in the badge that its ghosts carry."""
        number = str(row.facts.number)
        if row.id not in self.lit:
            self._brush.text(painter, area.adjusted(0, 0, -_PAD, 0), number, "t3", RIGHT)
            return
        painter.setFont(self._look.font(bold=True))
        width = painter.fontMetrics().horizontalAdvance(number) + 2 * _BADGE_PAD
        badge = QRect(area.right() - width - _PAD + _BADGE_PAD, area.center().y() - _BADGE // 2, width, _BADGE)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._look.color("agent_fill"))
        painter.drawRoundedRect(badge, 3, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        self._brush.text(painter, badge, number, "on_agent", Qt.AlignmentFlag.AlignCenter, bold=True)

    def _check(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        if not self.run:
            self._brush.box(painter, _centred(area, BOX), row.approved)
        elif row.approved:
            self._look.paint_icon(painter, _centred(area, 12), "check", "t3")

    def _step(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        token = "t1" if row.approved else "t3"
        icon = QRect(area.x() + _PAD, area.center().y() - _ICON // 2, _ICON, _ICON)
        self._look.paint_icon(painter, icon, tool_icon(row.facts.step.tool), "agent" if row.approved else "t3")
        left = icon.right() + _PAD
        if not self.narrow:
            room = QRect(left, area.y(), _TOOL_WIDTH - _PAD, area.height())
            self._brush.text(painter, room, row.facts.step.tool, "t3", mono=True)
            left += _TOOL_WIDTH
        right = area.right() - _PAD
        if count := row.item_count:
            self._items(painter, items_area(area), row.id in self.unfolded, count)
            right = items_area(area).left() - _PAD
        if row.facts.outside:
            right -= _ICON
            mark = QRect(right, area.center().y() - _ICON // 2, _ICON, _ICON)
            self._look.paint_icon(painter, mark, OUTSIDE, "warn" if row.approved else "t3")
            right -= _PAD
        self._brush.text(painter, QRect(left, area.y(), right - left, area.height()), row.facts.sentence, token)

    def _items(self, painter: QPainter, area: QRect, unfolded: bool, count: int) -> None:
        mark = QRect(area.x(), area.center().y() - _CARET // 2, _CARET, _CARET)
        self._look.paint_icon(painter, mark, "caret-down" if unfolded else "caret-right", "t2")
        words = trn("{count:,} item", "{count:,} items", count)
        self._brush.text(painter, area.adjusted(_CARET + 4, 0, 0, 0), words, "t2")

    def _preview(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        inner = QRect(area.x() + _PAD, area.center().y() - DRAWING_HEIGHT // 2 + 1, area.width() - 2 * _PAD - 2,
                      DRAWING_HEIGHT)
        if not row.approved:
            painter.setOpacity(_SHADED)
        draw(painter, inner, row.drawing, row.facts.target.color, self._look)

    def _target(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        target = row.facts.target
        mark = QRect(area.x() + _PAD, area.center().y() - _SWATCH // 2, _SWATCH, _SWATCH)
        if target.color:
            painter.fillRect(mark, QColor(target.color))
        elif target.name in (tr("Song"), tr("Master")):
            icon = "music-notes" if target.name == tr("Song") else "faders"
            self._look.paint_icon(painter, _centred(mark, _CARET), icon, "t2")
        left = mark.right() + _PAD
        room = QRect(left, area.y(), area.right() - left - _PAD - (26 if target.new else 0), area.height())
        width = self._brush.text(painter, room, target.name, "t1" if row.approved else "t3")
        if target.new:
            self._brush.text(painter, QRect(left + width + 6, area.y(), 26, area.height()), tr("new"), "agent")

    def _state(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        room = area
        if row.findings and not self.run and self.fixable(row):
            fix = fix_area(area)
            room = area.adjusted(0, 0, fix.left() - area.right() + _PAD - 4, 0)
        self._standing(painter, room, row.standing, "t1" if row.approved else "t3")
        if room is not area:
            painter.fillRect(fix, self._look.color("ctl"))
            painter.setPen(self._look.color("line2"))
            painter.drawRect(fix.adjusted(0, 0, -1, -1))
            self._brush.text(painter, fix, tr("Fix"), "t1", Qt.AlignmentFlag.AlignCenter)

    def _standing(self, painter: QPainter, area: QRect, standing: Standing, tone: str) -> None:
        icon, token = SIGNS[standing.mark]
        mark = QRect(area.x() + _PAD, area.center().y() - _ICON // 2, _ICON, _ICON)
        self._look.paint_icon(painter, mark, icon, token, self.turn)
        left, right = mark.right() + 7, area.right() - _PAD
        bold = standing.mark in (Mark.FAILED, Mark.RUNNING)
        if text := _time_of(standing):
            painter.setFont(self._look.font(bold=True))
            said = painter.fontMetrics().horizontalAdvance(standing.text)
            painter.setFont(self._look.font())
            wanted = painter.fontMetrics().horizontalAdvance(text)
            if standing.ends is not None and left + said + wanted + _PAD > right:
                text, wanted = "", -_PAD
            right -= wanted
            self._brush.text(painter, QRect(right, area.y(), area.right() - right, area.height()), text, "t3")
            right -= _PAD
        words = token if standing.mark in (Mark.RUNNING, Mark.FAILED, Mark.ERROR) else tone
        room = QRect(left, area.y(), max(0, right - left), area.height())
        width = self._brush.text(painter, room, standing.text, words, bold=bold)
        if standing.share is not None:
            self._brush.progress(painter, left + width + _PAD, room.adjusted(0, 0, -_PAD, 0), standing.share)

    def _actions(self, painter: QPainter, area: QRect, row: PlanRow) -> None:
        hear, edit = action_areas(area)
        if can_hear(row):
            self._look.paint_icon(painter, _centred(hear, _ICON), "ear", "t2")
        if not editable(row, run=self.run):
            return
        name, token = ("pencil-simple-fill", "you") if row.edited else ("pencil-simple", "t2")
        self._look.paint_icon(painter, _centred(edit, _ICON), name, token)

    def _group(self, painter: QPainter, area: QRect, group: PlanGroup, state: QStyle.StateFlag) -> None:
        inside = group.name in self.folded and any(row.id in self.lit for row in group.rows)
        self._brush.backed(painter, area, "panel", state, inside)
        middle = area.center().y()
        caret = "caret-right" if group.name in self.folded else "caret-down"
        self._look.paint_icon(painter, QRect(_CARET_LEFT, middle - _CARET // 2, _CARET, _CARET), caret, "t2")
        left = GROUP_BOX_LEFT
        if not self.run:
            self._brush.box(painter, QRect(GROUP_BOX_LEFT, middle - BOX // 2, BOX, BOX), group.approved)
            left = _GROUP_NAME_LEFT
        room = QRect(left, area.y(), area.width() // 2, area.height())
        width = self._brush.text(painter, room, group.name, "t1", bold=True)
        words = group_words(group) if self.run else group.summary
        start = left + width + _PAD
        self._brush.text(painter, QRect(start, area.y(), area.width() // 3, area.height()), words, "t3")
        if self.run and group.mark is not None:
            icon, token = SIGNS[group.mark]
            right = QRect(area.right() - _GROUP_STATE, area.y(), _GROUP_STATE, area.height())
            self._look.paint_icon(painter, QRect(right.x(), middle - _ICON // 2, _ICON, _ICON), icon, token, self.turn)
            self._brush.text(painter, right.adjusted(_ICON + 7, 0, 0, 0), group.summary, "t2")
        if state & QStyle.StateFlag.State_HasFocus and not state & QStyle.StateFlag.State_Selected:
            self._brush.ring(painter, area)

    def part(self, item: PlanRow | PlanGroup | PlanItem, column: Column, area: QRect, x: int, y: int) -> Part:
        """What is under the mouse in a cell."""
        part = part_at(item, column, area, x, y, run=self.run, fixable=self.fixable)
        return "row" if part == "retry" and self.busy else part


def _time_of(standing: Standing) -> str:
    """What a row took, or what it will still take as far as that can be told."""
    if standing.seconds is not None:
        return lasted(standing.seconds)
    left = 0.0 if standing.ends is None else standing.ends - monotonic()
    return f"−{clock(left)}" if left >= 1 else ""


def _centred(area: QRect, size: int) -> QRect:
    return QRect(area.x() + (area.width() - size) // 2, area.y() + (area.height() - size) // 2, size, size)
