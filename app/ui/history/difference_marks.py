"""How notes that differ are drawn: added, removed, moved and same, told apart by shape as well as by colour."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

from app.ui.kit.icons import pixmap
from app.ui.kit.painted import dashed_pen, hatch_brush
from app.ui.kit.theme import Theme
from app.ui.kit.tokens import Tokens, mix
from app.viewmodels.history.difference import Kind

_SAME = 0.62
_SIGN = 9
_ROOM_FOR_SIGN = 13
_ARROW = 3.5
_SWATCH = QSize(18, 12)


@dataclass(frozen=True)
class MarkTones:
    """Colours of the four kinds of notes for a theme; `ratio` is the device pixel ratio."""

    same: QColor
    added: QColor
    removed: QColor
    hatch: QColor
    moved: QColor
    way: QColor
    """Colour of the line between the two places of a moved note."""
    on_added: QColor
    on_moved: QColor
    ratio: float

    def of(self, kind: Kind) -> QColor:
        """The colour of a kind, for marks that are too small for its shape."""
        return {"same": self.same, "added": self.added, "removed": self.removed, "moved": self.moved}[kind]


def mark_tones(t: Tokens, ratio: float) -> MarkTones:
    """The colours of the four kinds in a theme; `ratio` is the device pixel ratio."""
    return MarkTones(
        QColor(mix(t.line3, t.canvas, _SAME)), QColor(t.ok), QColor(t.bad), QColor(t.bad_soft), QColor(t.agent_fill),
        QColor(t.agent), QColor(t.canvas), QColor(t.on_agent), ratio,
    )


def draw_mark(painter: QPainter, box: QRectF, kind: Kind, tones: MarkTones, sign: str = "") -> None:
    """Paint one note in the style of its kind; `sign` is the arrow icon of a moved one, left out if there is no
    room."""
    if kind == "removed":
        painter.setBrushOrigin(box.topLeft())
        painter.setBrush(hatch_brush(tones.removed, tones.hatch, tones.ratio))
        painter.setPen(dashed_pen(tones.removed))
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    else:
        painter.fillRect(box, tones.of(kind))
        if kind == "moved" and tones.way != tones.moved:
            # On a light ground brass alone would be too faint.
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(tones.way, 1))
            painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
    if kind == "same" or box.width() < _ROOM_FOR_SIGN or box.height() < _SIGN - 2:
        return
    name = {"added": "plus", "removed": "x", "moved": sign or "arrow-right", "same": ""}[kind]
    ink = tones.on_added if kind == "added" else tones.removed if kind == "removed" else tones.on_moved
    place = QPointF(box.left() + 2, round(box.center().y() - _SIGN / 2))
    if kind == "removed":
        painter.fillRect(QRectF(place.x(), place.y(), _SIGN, _SIGN), tones.hatch)
    # Drawing a letter of the icon font for each note would take longer than all else.
    painter.drawPixmap(place, pixmap(f"{name}-bold", ink, _SIGN, tones.ratio))


def draw_boxes(painter: QPainter, boxes: list[QRectF], kind: Kind, tones: MarkTones) -> None:
    """Paint very many notes of a kind as boxes without signs and outlines; removed ones are hatched."""
    painter.setPen(Qt.PenStyle.NoPen)
    removed = kind == "removed"
    painter.setBrush(hatch_brush(tones.removed, tones.hatch, tones.ratio) if removed else tones.of(kind))
    painter.drawRects(boxes)


def draw_origin(painter: QPainter, box: QRectF, tones: MarkTones, *, inside: bool = False) -> None:
    """Paint where a moved note was; `inside`: the note covers that place now."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(dashed_pen(tones.on_moved if inside else tones.way))
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))


def draw_way(painter: QPainter, before: QRectF, after: QRectF, tones: MarkTones) -> None:
    """Paint a thin arrow from the old place of a note to the new one; nothing if the two touch."""
    x = min(max(after.left() + 18, before.left() + 6), max(before.right(), after.right()) - 2)
    if abs(before.center().y() - after.center().y()) > 1:
        down = after.center().y() > before.center().y()
        line = QLineF(x, before.bottom() if down else before.top(), x, after.top() if down else after.bottom())
        tip, side = line.p2(), -_ARROW if down else _ARROW
        head = [tip, tip + QPointF(-_ARROW, side), tip + QPointF(_ARROW, side)]
    elif not before.intersects(after):
        right = after.left() > before.left()
        y = after.center().y()
        line = QLineF(before.right() if right else before.left(), y, after.left() if right else after.right(), y)
        tip, side = line.p2(), -_ARROW if right else _ARROW
        head = [tip, tip + QPointF(side, -_ARROW), tip + QPointF(side, _ARROW)]
    else:
        return
    painter.setPen(QPen(tones.way, 1))
    painter.drawLine(line)
    painter.setBrush(tones.way)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawPolygon(QPolygonF(head))


def arrow_sign(pitch: int, start: int) -> str:
    """The arrow icon for a note moved by `pitch` semitones and `start` ticks; the pitch decides if both differ."""
    if pitch:
        return "arrow-up" if pitch > 0 else "arrow-down"
    return "arrow-left" if start < 0 else "arrow-right"


def swatch(kind: Kind, theme: Theme, ratio: float) -> QIcon:
    """A small picture of a kind, for the legend; `ratio` is the device pixel ratio."""
    made = QPixmap(_SWATCH * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    box = QRectF(0, 1, _SWATCH.width(), _SWATCH.height() - 2)
    draw_mark(painter, box, kind, mark_tones(theme.tokens, ratio), "arrow-up")
    painter.end()
    return QIcon(made)
