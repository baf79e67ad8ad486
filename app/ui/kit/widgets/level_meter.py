"""A painted level meter: bars that fall slowly, a mark at the peak, a cap when it clipped."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.ui.kit.context import Kit
from app.ui.kit.theme import Theme, font

FLOOR_DB: Final = -60.0
SCALE_MARKS: Final = (-48, -24, -12, -6, 0)
WARM_DB: Final = -12.0
HOT_DB: Final = -3.0
FALL_DB_PER_S: Final = 20.0
HOLD_S: Final = 1.5
FRAME_MS: Final = 33
_SILENT: Final = FLOOR_DB
_CAP = 3
_SCALE_HEIGHT = 12
_SCALE_PIXELS = 10
_WIDTH, _BAR = 160, 8
_CURVE = 2.0


@dataclass(frozen=True)
class MeterReading:
    """What one bar of a meter shows: level and peak in dBFS; the peak mark stays until `held_until` (seconds of
    `time.monotonic`)."""

    level: float = _SILENT
    peak: float = _SILENT
    held_until: float = 0.0
    clipped: bool = False

    def after(self, db: float, passed: float, now: float) -> MeterReading:
        """The reading `passed` seconds later for a new level in dBFS: it rises at once and falls 20 dB/s; `now` is
        monotonic time in seconds."""
        db = max(db, _SILENT) if db == db else _SILENT
        level = max(db, self.level - FALL_DB_PER_S * passed, _SILENT)
        clipped = self.clipped or db > 0
        if db >= self.peak and db > _SILENT:
            return MeterReading(level, db, now + HOLD_S, clipped)
        peak = self.peak if now < self.held_until else max(level, self.peak - FALL_DB_PER_S * passed)
        return MeterReading(level, peak, self.held_until, clipped)

    @property
    def at_rest(self) -> bool:
        """Whether the bar and its peak mark are at the floor."""
        return self.level <= _SILENT and self.peak <= _SILENT


def share(db: float) -> float:
    """Position of a level in dBFS along the meter, 0 to 1; the loud end has more room."""
    return float(min(max(1 - db / FLOOR_DB, 0.0), 1.0) ** _CURVE)


class LevelMeter(QWidget):
    """A meter with bars from left to right, or `upright`; `show_levels` takes one level in dBFS per bar. `scale`: with
    a scale beside it."""

    def __init__(
        self, kit: Kit, name: str, parent: QWidget | None = None, *, bars: int = 2, upright: bool = False,
        scale: bool = False,
    ) -> None:
        super().__init__(parent)
        self._theme: Theme = kit.theme
        self._upright = upright
        self._scale = scale and not upright
        self._readings = [MeterReading()] * bars
        self._wanted = [_SILENT] * bars
        self._last = monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self._step)
        self.setAccessibleName(name)
        self.setToolTip(tr("{meter}. Click to clear the clipping mark", meter=name))
        kit.theme.changed.connect(self.update)

    @property
    def readings(self) -> tuple[MeterReading, ...]:
        """The current reading of each bar."""
        return tuple(self._readings)

    def show_levels(self, levels: tuple[float, ...]) -> None:
        """Show these levels in dBFS, one per bar; without further calls the bars fall by themselves."""
        self._wanted = [max(old, new) for old, new in zip(self._wanted, levels, strict=True)]
        if not self._timer.isActive() and any(level > _SILENT for level in self._wanted):
            self._last = monotonic()
            self._timer.start()

    def clear(self) -> None:
        """Reset to silence, without clipping indicator."""
        self._timer.stop()
        self._readings = [MeterReading()] * len(self._readings)
        self._describe()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        thick = len(self._readings) * (_BAR + 1)
        long = QSize(_WIDTH, thick + (_SCALE_HEIGHT if self._scale else 0))
        return long.transposed() if self._upright else long

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802, ARG002
        self._readings = [replace(one, clipped=False) for one in self._readings]
        self._describe()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802, ARG002
        painter = QPainter(self)
        if self._upright:
            painter.translate(0, self.height())
            painter.rotate(-90)
        long, thick = (self.height(), self.width()) if self._upright else (self.width(), self._thick())
        bar = (thick - len(self._readings) + 1) / len(self._readings)
        for index, reading in enumerate(self._readings):
            self._paint_bar(painter, reading, QRectF(0, round(index * (bar + 1)), long, max(1, int(bar))))
        if self._scale:
            self._paint_scale(painter)
        painter.end()

    def _thick(self) -> int:
        return self.height() - (_SCALE_HEIGHT if self._scale else 0)

    def _paint_bar(self, painter: QPainter, reading: MeterReading, box: QRectF) -> None:
        theme = self._theme
        painter.fillRect(box, theme.color("ctl"))
        room = box.width() - _CAP - 1
        low = 0.0
        for token, top in (("meter", WARM_DB), ("agent_fill", HOT_DB), ("bad", 0.0)):
            high = share(min(reading.level, top))
            if high > low:
                left, right = round(room * low), round(room * high)
                painter.fillRect(QRectF(box.x() + left, box.y(), right - left, box.height()), theme.color(token))
            low = max(low, share(top))
        if reading.peak > _SILENT:
            at = min(round(room * share(reading.peak)), round(room) - 1)
            painter.fillRect(QRectF(box.x() + at, box.y(), 1, box.height()), theme.color("t1"))
        if reading.clipped:
            painter.fillRect(QRectF(box.right() - _CAP, box.y(), _CAP, box.height()), theme.color("bad"))

    def _paint_scale(self, painter: QPainter) -> None:
        room = self.width() - _CAP - 1
        painter.setPen(self._theme.color("t3"))
        painter.setFont(font(_SCALE_PIXELS))
        last = self.width() + 1.0
        for mark in reversed(SCALE_MARKS):
            text = str(abs(mark))
            width = painter.fontMetrics().horizontalAdvance(text) + 2
            left = min(max(room * share(mark) - width / 2, 0), self.width() - width)
            if left + width <= last:
                box = QRectF(left, self._thick(), width, _SCALE_HEIGHT)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
                last = left

    def _step(self) -> None:
        now = monotonic()
        passed, self._last = now - self._last, now
        self._readings = [
            one.after(db, passed, now) for one, db in zip(self._readings, self._wanted, strict=True)
        ]
        self._wanted = [_SILENT] * len(self._wanted)
        if all(one.at_rest for one in self._readings):
            self._timer.stop()
            self._describe()
        self.update()

    def _describe(self) -> None:
        clipped = any(one.clipped for one in self._readings)
        self.setAccessibleDescription(tr("Clipped") if clipped else tr("At rest"))
