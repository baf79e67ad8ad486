"""The three drawings: a request, ghosts of a plan, a song that was kept."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.i18n import lazy, tr
from app.ui.kit.context import Kit
from app.ui.kit.icons import paint_icon
from app.ui.kit.painted import dashed_pen, hatch_brush
from app.ui.kit.theme import font
from app.ui.kit.tokens import TRACK_COLORS, Tokens, clip_body, clip_notes, ghost_hatch, ghost_outline, ghost_wash
from app.ui.kit.widgets.badge import paint_badge

HEIGHT = 88
_SIDE = 14.0
_LANE = 22.0
_CLIP = 18.0
_STRIP = 4.0
_RADIUS = 4.0
_SAID = lazy("A slow song for a night train")
_PICKED = (TRACK_COLORS["Violet"], TRACK_COLORS["Mint"], TRACK_COLORS["Sky"])
_CLIPS = ((0, 0.0, 0.49), (0, 0.51, 1.0), (1, 0.0, 1.0), (2, 0.25, 1.0))
_GHOSTS = {1: "2", 2: "3", 3: "4"}

Scene = Literal["ask", "review", "keep"]


class Drawing(QWidget):
    """A small picture of one step, in the colours of the theme."""

    def __init__(self, kit: Kit, scene: Scene) -> None:
        super().__init__()
        self._kit, self._scene = kit, scene
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        """About a third of the page's width."""
        return QSize(216, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint a frame with the scene in it."""
        painter = QPainter(self)
        tokens = self._kit.theme.tokens
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(tokens.line2), 1))
        painter.setBrush(QColor(tokens.canvas))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), _RADIUS, _RADIUS)
        if self._scene == "ask":
            self._ask(painter, tokens)
        else:
            self._clips(painter, tokens, ghosts=self._scene == "review")
        painter.end()

    def _ask(self, painter: QPainter, tokens: Tokens) -> None:
        bubble = QRectF(_SIDE, 16, self.width() - 2 * _SIDE, 26)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.you_soft))
        painter.drawRoundedRect(bubble, _RADIUS, _RADIUS)
        painter.setPen(QColor(tokens.t1))
        painter.setFont(font(11))
        room = bubble.adjusted(10, 0, -6, 0)
        said = painter.fontMetrics().elidedText(tr(_SAID), Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, said)
        paint_icon(painter, QRectF(_SIDE, 53, 14, 14), "baton", QColor(tokens.agent))
        painter.setPen(QPen(QColor(tokens.line3), 2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for y, share in ((56.0, 0.8), (64.0, 0.55)):
            left = _SIDE + 22
            painter.drawLine(QPointF(left, y), QPointF(left + (self.width() - left - _SIDE) * share, y))

    def _clips(self, painter: QPainter, tokens: Tokens, *, ghosts: bool) -> None:
        wide = self.width() - 2 * _SIDE
        for at, (lane, left, right) in enumerate(_CLIPS):
            box = QRectF(round(_SIDE + wide * left) + 0.5, 12.5 + lane * _LANE, round(wide * (right - left)), _CLIP)
            if ghosts and at in _GHOSTS:
                self._ghost(painter, box, _PICKED[lane], tokens, at)
            else:
                _solid(painter, box, _PICKED[lane], tokens, at)
        if not ghosts:
            ring = QRectF(self.width() - _SIDE - 12, HEIGHT - 24, 16, 16)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.canvas))
            painter.drawEllipse(ring)
            paint_icon(painter, ring, "check-circle-fill", QColor(tokens.ok))

    def _ghost(self, painter: QPainter, box: QRectF, color: str, tokens: Tokens, at: int) -> None:
        hatch = hatch_brush(ghost_hatch(color, tokens), ghost_wash(color, tokens), self.devicePixelRatioF())
        painter.setBrushOrigin(box.topLeft())
        painter.setPen(dashed_pen(ghost_outline(color, tokens)))
        painter.setBrush(hatch)
        painter.drawRect(box)
        _notes(painter, box.adjusted(20, 0, 0, 0), ghost_outline(color, tokens), at)
        paint_badge(painter, box.left() + 2, box.center().y(), _GHOSTS[at], self._kit.theme)


def _solid(painter: QPainter, box: QRectF, color: str, tokens: Tokens, at: int) -> None:
    painter.fillRect(box, QColor(clip_body(color, tokens)))
    painter.fillRect(QRectF(box.left(), box.top(), box.width(), _STRIP), QColor(color))
    _notes(painter, box.adjusted(2, _STRIP, 0, 0), clip_notes(color, tokens), at)


def _notes(painter: QPainter, box: QRectF, color: str, kind: int) -> None:
    """A few bars that look like music of one kind: hits, chords or a line."""
    long, step = ((3.0, 9.0), (3.0, 9.0), (20.0, 23.0), (9.0, 15.0))[kind]
    rows = (2, 2, 3, 1)[kind]
    x, at = box.left() + 2, 0
    while x + long < box.right():
        for row in range(rows):
            y = box.top() + 3 + (row * 4 + (at * 3 + row) % 4 if rows > 1 else (at * 5) % 9)
            if y + 2 < box.bottom():
                painter.fillRect(QRectF(x, y, long, 1.5), QColor(color))
        x, at = x + step, at + 1
