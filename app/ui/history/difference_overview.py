"""The whole of both versions in two narrow pictures, and between them where notes differ."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from agent.song.song import Song
from app.i18n import tr
from app.ui.history.difference_marks import mark_tones
from app.ui.history.difference_scene import KEYS
from app.ui.kit.context import Kit
from app.ui.kit.theme import font
from app.viewmodels.history.comparing import Comparison

HEIGHT = 108
_SECTIONS = 16
_LANES = 32
_CHANGES = 22
_GAP = 3
_LETTER = 18
Bins = tuple[tuple[int, int, int], ...]


class DifferenceOverview(QWidget):
    """Both songs in small, A above and B below, and between them where notes differ; a click or drag moves the visible
    range."""

    wanted = Signal(int)
    """Emitted with a tick that is to be in the middle of the view."""

    def __init__(self, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._comparison: Comparison | None = None
        self._bins: Bins = ()
        self._span = (0, 1)
        self._drawn: QPixmap | None = None
        self.setFixedHeight(HEIGHT)
        self.setAccessibleName(tr("Both versions as a whole"))
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        kit.theme.changed.connect(self._renew)

    def show_comparison(self, comparison: Comparison, bins: Bins) -> None:
        """Show two songs; `bins` count the differences in equal ranges of time."""
        self._comparison, self._bins = comparison, bins
        self._renew()

    def show_span(self, first: int, last: int) -> None:
        """Mark the visible range, in ticks."""
        self._span = first, last
        self.update()

    @property
    def end(self) -> int:
        """The tick at the right edge."""
        return 1 if self._comparison is None else max(self._comparison.a.end, self._comparison.b.end, 1)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002 - Qt's name
        """Paint the cached picture, and a frame around the visible range."""
        ratio = self.devicePixelRatioF()
        if self._drawn is None or self._drawn.devicePixelRatioF() != ratio:
            self._drawn = self._draw(ratio)
        painter = QPainter(self)
        painter.drawPixmap(0, 0, self._drawn)
        left, right = (KEYS + self._width * min(tick, self.end) / self.end for tick in self._span)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._kit.theme.color("you"), 1.5))
        painter.drawRect(QRectF(left + 1, _SECTIONS + 1, max(6.0, right - left - 2), HEIGHT - _SECTIONS - 3))
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Move the visible range to the pointer."""
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Move the visible range along with a drag."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """Redraw the picture."""
        super().resizeEvent(event)
        self._renew()

    @property
    def _width(self) -> int:
        return max(1, self.width() - KEYS)

    def _go(self, event: QMouseEvent) -> None:
        share = (event.position().x() - KEYS) / self._width
        self.wanted.emit(round(min(1.0, max(0.0, share)) * self.end))

    def _renew(self) -> None:
        self._drawn = None
        self.update()

    def _draw(self, ratio: float) -> QPixmap:
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(self._kit.theme.color("canvas"))
        painter = QPainter(made)
        if self._comparison is not None:
            self._sections(painter, self._comparison.b)
            lanes = ((self._comparison.a, _SECTIONS + _GAP, "A"),
                     (self._comparison.b, _SECTIONS + 2 * _GAP + _LANES + _CHANGES, "B"))
            for song, top, letter in lanes:
                self._lanes(painter, song, top)
                self._letter(painter, top, letter)
            self._changes(painter, _SECTIONS + 2 * _GAP + _LANES)
        painter.end()
        return made

    def _sections(self, painter: QPainter, song: Song) -> None:
        theme = self._kit.theme
        painter.fillRect(0, 0, self.width(), _SECTIONS, theme.color("bar"))
        painter.setFont(font(10, 600))
        for one in song.sections:
            left, right = (KEYS + self._width * tick / self.end for tick in (one.start, one.end))
            painter.fillRect(QRectF(left, 0, right - left - 1, _SECTIONS - 1), theme.color("ctl"))
            painter.fillRect(QRectF(left, 0, 3, _SECTIONS - 1), theme.color("t3"))
            painter.setPen(theme.color("t1"))
            name = painter.fontMetrics().elidedText(one.name, Qt.TextElideMode.ElideRight, int(right - left) - 10)
            painter.drawText(QRectF(left + 7, 0, right - left - 8, _SECTIONS), Qt.AlignmentFlag.AlignVCenter, name)

    def _lanes(self, painter: QPainter, song: Song, top: float) -> None:
        painter.fillRect(QRectF(KEYS, top, self._width, _LANES), self._kit.theme.color("panel"))
        height = _LANES / max(1, len(song.tracks))
        for at, track in enumerate(song.tracks):
            y = top + at * height
            for clip in track.clips:
                left, right = (KEYS + self._width * tick / self.end for tick in (clip.start, clip.end))
                painter.fillRect(QRectF(left, y, max(1.0, right - left - 1), max(1.0, height - 1)),
                                 QColor(track.color))

    def _changes(self, painter: QPainter, top: float) -> None:
        tones = mark_tones(self._kit.theme.tokens, 1.0)
        painter.setFont(font(10))
        painter.setPen(self._kit.theme.color("t3"))
        painter.drawText(QRectF(0, top, KEYS - 6, _CHANGES), Qt.AlignmentFlag.AlignCenter, tr("changes"))
        most = max((sum(counts) for counts in self._bins), default=0)
        wide = self._width / max(1, len(self._bins))
        for at, counts in enumerate(self._bins):
            floor = top + _CHANGES - 1.0
            for count, color in zip(counts, (tones.added, tones.removed, tones.moved), strict=True):
                if count:
                    tall = max(1.5, (_CHANGES - 3) * count / most)
                    painter.fillRect(QRectF(KEYS + at * wide, floor - tall, max(1.0, wide - 1), tall), color)
                    floor -= tall

    def _letter(self, painter: QPainter, top: float, letter: str) -> None:
        theme, first = self._kit.theme, letter == "A"
        box = QRectF((KEYS - _LETTER) / 2, top + (_LANES - _LETTER) / 2, _LETTER, _LETTER)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("you_fill" if first else "agent_fill"))
        painter.drawRoundedRect(box, 3, 3)
        painter.setPen(theme.color("on_you" if first else "on_agent"))
        painter.setFont(font(11, 600))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)
        painter.restore()
