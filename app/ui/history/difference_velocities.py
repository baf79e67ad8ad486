"""Velocities under the comparison's piano roll: one stem for each note, as it is drawn above."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.desktop.versions.difference import Kind
from app.ui.history.difference_ground import KEYS, VELOCITY
from app.ui.history.difference_marks import MarkTones
from app.ui.kit.painted import dashed_pen
from app.ui.kit.theme import Theme, font

if TYPE_CHECKING:
    from app.ui.history.difference_roll import DifferenceRoll

_HEAD = 3.0
_TOP = 20
_MOST = 600
"""Stems in sight from which on they have no heads."""
_LINE = 64


def paint_velocities(
    painter: QPainter, roll: DifferenceRoll, first: int, last: int, tones: MarkTones, theme: Theme
) -> None:
    """The stems between two ticks."""
    height = roll.viewport().height()
    floor, room = height - 4.0, VELOCITY - _TOP - 4.0
    middle = floor - room * _LINE / 127
    painter.fillRect(QRectF(KEYS, round(middle), roll.viewport().width() - KEYS, 1), theme.color("grid2"))
    painter.setFont(font(10))
    painter.setPen(theme.color("t3"))
    painter.drawText(QRectF(4, middle - 7, KEYS - 10, 14), Qt.AlignmentFlag.AlignRight, str(_LINE))
    painter.save()
    painter.setClipRect(QRectF(KEYS, height - VELOCITY, roll.viewport().width() - KEYS, VELOCITY),
                        Qt.ClipOperation.IntersectClip)
    found = list(roll.scene.within(first, last, roll.kinds))
    stems: dict[Kind, list[QLineF]] = {"same": [], "removed": [], "moved": [], "added": []}
    for _, mark in found:
        x = round(roll.x_of(mark.shown.start)) + 0.5
        stems[mark.kind].append(QLineF(x, floor, x, floor - room * mark.shown.velocity / 127))
    for kind, lines in stems.items():
        color = tones.way if kind == "moved" else tones.of(kind)
        painter.setPen(dashed_pen(tones.removed, 1) if kind == "removed" else QPen(color, 2))
        painter.drawLines(lines)
    if len(found) <= _MOST:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for kind, lines in stems.items():
            _heads(painter, kind, lines, tones)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(tones.way, 1.2))
        for _, mark in found:
            if mark.kind == "moved" and mark.before is not None and mark.before.velocity != mark.shown.velocity:
                x = round(roll.x_of(mark.shown.start)) + 0.5
                painter.drawEllipse(QPointF(x, floor - room * mark.before.velocity / 127), _HEAD, _HEAD)
    painter.restore()


def _heads(painter: QPainter, kind: Kind, lines: list[QLineF], tones: MarkTones) -> None:
    painter.setPen(QPen(tones.removed, 1.2) if kind == "removed" else Qt.PenStyle.NoPen)
    painter.setBrush(
        Qt.BrushStyle.NoBrush if kind == "removed" else tones.way if kind == "moved" else tones.of(kind)
    )
    for line in lines:
        if kind == "removed":
            painter.drawRect(QRectF(line.p2().x() - _HEAD, line.p2().y() - _HEAD, 2 * _HEAD, 2 * _HEAD))
        else:
            painter.drawEllipse(line.p2(), _HEAD, _HEAD)
