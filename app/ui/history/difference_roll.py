"""The piano roll of a comparison: notes of A and B in one picture, with their velocities below."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QToolTip, QWidget

from app.desktop.versions.comparing import Comparison
from app.desktop.versions.difference import KINDS, Kind, Mark, Placed
from app.desktop.versions.difference_scene import Scene, mark_in_words
from app.ui.history.difference_ground import KEYS, RULER, VELOCITY, paint_ground
from app.ui.history.difference_marks import arrow_sign, draw_boxes, draw_mark, draw_origin, draw_way, mark_tones
from app.ui.history.difference_velocities import paint_velocities
from app.ui.kit.context import Kit
from app.ui.kit.widgets.labels import plain_tip
from app.ui.kit.widgets.scrolling import name_scroll_bars
from app.words import tr

_LOWEST, _HIGHEST = 9.0, 16.0
_LEAST_WIDTH = 3.0
_DENSE = 600
"""Marks in sight from which on they are plain boxes."""
_MOST = 5_000
_CLOSEST = 0.25
"""Pixels of a tick at the nearest zoom."""
_FIRST_BARS = 8
_STEP = 1.25
_SLACK = 3.0


class DifferenceRoll(QAbstractScrollArea):
    """Shows one track. `kinds` are shown; `current` is the mark that the person is at."""

    chosen = Signal(int)
    """A mark was clicked."""
    sought = Signal(int)
    """A tick was clicked in the ruler."""
    moved = Signal()
    """Another stretch is in sight."""

    def __init__(self, kit: Kit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._comparison: Comparison | None = None
        self.scene = Scene(None, 1)
        self.kinds: frozenset[Kind] = frozenset(KINDS)
        self.current: int | None = None
        self.scale = 0.02
        self._playhead = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMinimumSize(260, RULER + VELOCITY + 60)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Notes that differ"))
        name_scroll_bars(self)
        self.viewport().setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self._scrolled)
        kit.theme.changed.connect(self.viewport().update)

    # --- what is shown

    def show_scene(self, comparison: Comparison, scene: Scene) -> None:
        """Show another track, from its first difference on."""
        first = self._comparison is None
        self._comparison, self.scene, self.current = comparison, scene, None
        if first:
            bar = comparison.b.bar_map.start_of(2) - comparison.b.bar_map.start_of(1)
            self.scale = max(1, self.viewport().width() - KEYS) / (bar * _FIRST_BARS)
        self._fit()
        place = next((mark for mark in scene.marks if mark.kind != "same"), None)
        if place is not None:
            self._bring(place)
        elif scene.marks:
            self._bring(scene.marks[0])
        self.viewport().update()
        self.moved.emit()

    def show_kinds(self, kinds: Collection[Kind]) -> None:
        """Show only these."""
        self.kinds = frozenset(kinds)
        self.viewport().update()

    def show_current(self, at: int | None) -> None:
        """The mark that the person is at, brought into sight."""
        self.current = at
        if at is not None and at < len(self.scene.marks):
            mark = self.scene.marks[at]
            if not self._in_sight(mark):
                self._bring(mark)
            if self._comparison is not None:
                self.setAccessibleDescription(", ".join(mark_in_words(self._comparison, mark)))
        self.viewport().update()

    def show_playhead(self, at: int) -> None:
        """Where it plays; only two strips are painted."""
        old, self._playhead = self.x_of(self._playhead), at
        for x in (old, self.x_of(at)):
            self.viewport().update(QRect(int(x) - 6, 0, 13, self.viewport().height()))

    @property
    def span(self) -> tuple[int, int]:
        """The first and last tick in sight."""
        first = self.horizontalScrollBar().value() / self.scale
        return int(first), int(first + (self.viewport().width() - KEYS) / self.scale)

    def show_from(self, tick: int) -> None:
        """Bring a tick to the left edge."""
        self.horizontalScrollBar().setValue(round(tick * self.scale))

    def zoom(self, factor: float, at: float | None = None) -> None:
        """Nearer or further, with the place under `at` (x) staying where it is."""
        x = KEYS + (self.viewport().width() - KEYS) / 2 if at is None else at
        tick = self.tick_of(x)
        self.scale = min(_CLOSEST, max(self._furthest(), self.scale * factor))
        self._fit()
        self.horizontalScrollBar().setValue(round(tick * self.scale - (x - KEYS)))
        self.viewport().update()
        self.moved.emit()

    # --- geometry

    @property
    def row(self) -> float:
        """Height of a pitch, in pixels."""
        room = self.viewport().height() - RULER - VELOCITY
        return float(min(_HIGHEST, max(_LOWEST, room // max(1, self.scene.rows))))

    def x_of(self, tick: float) -> float:
        """Where a tick stands."""
        return KEYS + tick * self.scale - self.horizontalScrollBar().value()

    def tick_of(self, x: float) -> float:
        """The tick at a place."""
        return (x - KEYS + self.horizontalScrollBar().value()) / self.scale

    def y_of(self, pitch: int) -> float:
        """The upper edge of a pitch."""
        return RULER + (self.scene.high - pitch) * self.row - self.verticalScrollBar().value()

    def box_of(self, one: Placed) -> QRectF:
        """The note's rectangle."""
        width = max(_LEAST_WIDTH, (one.end - one.start) * self.scale - 1)
        return QRectF(round(self.x_of(one.start)), self.y_of(one.pitch) + 1, round(width), self.row - 2)

    def _boxes(self, notes: list[Placed]) -> list[QRectF]:
        """The same for very many notes."""
        left, scale, row = self.x_of(0), self.scale, self.row
        top, height, least = self.y_of(0) + 1, self.row - 2, _LEAST_WIDTH
        return [
            QRectF(left + one.start * scale, top - one.pitch * row, max(least, (one.end - one.start) * scale), height)
            for one in notes
        ]

    def mark_at(self, place: QPointF) -> int | None:
        """The mark at a point of the viewport."""
        if place.x() < KEYS or not RULER <= place.y() < self.viewport().height() - VELOCITY:
            return None
        pitch = self.scene.high - int((place.y() - RULER + self.verticalScrollBar().value()) // self.row)
        return self.scene.at(self.tick_of(place.x()), pitch, self.kinds, _SLACK / self.scale)

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        """Ground, notes, velocities, playhead; only what lies in the rectangle."""
        if self._comparison is None:
            return
        painter = QPainter(self.viewport())
        area = event.rect()
        first, last = int(self.tick_of(max(KEYS, area.left()) - 1)), int(self.tick_of(area.right() + 1)) + 1
        song = self._comparison.b if self._comparison.b.end >= self._comparison.a.end else self._comparison.a
        paint_ground(painter, self, song, first, last, self._kit.theme)
        self._notes(painter, first, last)
        paint_velocities(painter, self, first, last, mark_tones(self._kit.theme, self.devicePixelRatioF()),
                         self._kit.theme)
        x = self.x_of(self._playhead)
        if x >= KEYS:
            painter.fillRect(QRectF(round(x), RULER - 6, 1, self.viewport().height() - RULER + 6),
                             self._kit.theme.color("t1"))
        painter.end()

    def _notes(self, painter: QPainter, first: int, last: int) -> None:
        clip = QRectF(KEYS, RULER, self.viewport().width() - KEYS, self.viewport().height() - RULER - VELOCITY)
        painter.save()
        painter.setClipRect(clip, Qt.ClipOperation.IntersectClip)
        found = list(self.scene.within(first, last, self.kinds))
        tones = mark_tones(self._kit.theme, self.devicePixelRatioF())
        if len(found) > _DENSE:
            for kind in KINDS:
                draw_boxes(painter, self._boxes([mark.shown for _, mark in found if mark.kind == kind]), kind, tones)
        else:
            self._shapes(painter, found, first, last)
        if self.current is not None and self.current < len(self.scene.marks):
            self._ring(painter, self.box_of(self.scene.marks[self.current].shown))
        painter.restore()

    def _shapes(self, painter: QPainter, found: list[tuple[int, Mark]], first: int, last: int) -> None:
        tones = mark_tones(self._kit.theme, self.devicePixelRatioF())
        for kind in ("same", "removed"):
            for _, mark in found:
                if mark.kind == kind:
                    draw_mark(painter, self.box_of(mark.shown), mark.kind, tones)
        moved = list(self.scene.moved_within(first, last)) if "moved" in self.kinds else []
        boxes = [(mark, self.box_of(mark.before), self.box_of(mark.after)) for _, mark in moved
                 if mark.before is not None and mark.after is not None]
        for mark, before, _ in boxes:
            if not _alike(mark):
                draw_origin(painter, before, tones)
        for mark, _, after in boxes:
            if mark.before is not None and mark.after is not None:
                pitch, start = mark.after.pitch - mark.before.pitch, mark.after.start - mark.before.start
                draw_mark(painter, after, "moved", tones, arrow_sign(pitch, start))
        for mark, before, after in boxes:
            if before.intersects(after) and not _alike(mark):
                # What the note covers of its own place can be seen on it.
                draw_origin(painter, before.intersected(after), tones, inside=True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for _, before, after in boxes:
            draw_way(painter, before, after, tones)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        for _, mark in found:
            if mark.kind == "added":
                draw_mark(painter, self.box_of(mark.shown), "added", tones)

    def _ring(self, painter: QPainter, box: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self._kit.theme.color("canvas"), 1))
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        painter.setPen(QPen(self._kit.theme.color("you"), 2))
        painter.drawRect(box.adjusted(-2, -2, 2, 2))

    # --- mouse and wheel

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        """Choose a mark; go to a place by the ruler."""
        place = event.position()
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        if place.y() < RULER and place.x() >= KEYS:
            self.sought.emit(max(0, int(self.tick_of(place.x()))))
            return
        at = self.mark_at(place)
        if at is not None and self.scene.marks[at].kind != "same":
            self.chosen.emit(at)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        """Ctrl zooms at the pointer, Shift scrolls along."""
        held = event.modifiers()
        if held & Qt.KeyboardModifier.ControlModifier:
            self.zoom(_STEP if event.angleDelta().y() > 0 else 1 / _STEP, event.position().x())
        elif held & Qt.KeyboardModifier.ShiftModifier:
            bar = self.horizontalScrollBar()
            bar.setValue(bar.value() - (event.angleDelta().y() or event.angleDelta().x()))
        else:
            super().wheelEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        """The tooltip of a note."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._tip(event.pos(), event.globalPos())
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        """More or less is in sight."""
        super().resizeEvent(event)
        self._fit()
        self.moved.emit()

    def _tip(self, place: QPoint, screen: QPoint) -> None:
        at = self.mark_at(QPointF(place))
        if at is None or self._comparison is None:
            QToolTip.hideText()
            return
        QToolTip.showText(screen, plain_tip("\n".join(mark_in_words(self._comparison, self.scene.marks[at]))),
                          self.viewport())

    def _scrolled(self) -> None:
        self.viewport().update()
        self.moved.emit()

    def _fit(self) -> None:
        self.scale = min(_CLOSEST, max(self._furthest(), self.scale))
        width, height = self.viewport().width() - KEYS, self.viewport().height() - RULER - VELOCITY
        across, down = self.horizontalScrollBar(), self.verticalScrollBar()
        across.setRange(0, max(0, round(self.scene.end * self.scale) - width))
        across.setPageStep(max(1, width))
        across.setSingleStep(40)
        down.setRange(0, max(0, round(self.scene.rows * self.row) - height))
        down.setPageStep(max(1, height))
        down.setSingleStep(int(self.row) * 2)

    def _furthest(self) -> float:
        """The whole song, or less where so many notes at once would be slow to paint."""
        width = max(1, self.viewport().width() - KEYS)
        share = min(1.0, _MOST / max(1, len(self.scene.marks)))
        return width / (self.scene.end * share)

    def _in_sight(self, mark: Mark) -> bool:
        box = self.box_of(mark.shown)
        return box.left() >= KEYS and box.left() < self.viewport().width() - 20 and box.top() >= RULER \
            and box.bottom() <= self.viewport().height() - VELOCITY

    def _bring(self, mark: Mark) -> None:
        one = mark.shown
        width, height = self.viewport().width() - KEYS, self.viewport().height() - RULER - VELOCITY
        self.horizontalScrollBar().setValue(round(one.start * self.scale - width * 0.15))
        pitches = [place.pitch for place in (mark.before, mark.after) if place is not None]
        middle = self.scene.high - sum(pitches) / len(pitches)
        self.verticalScrollBar().setValue(round(middle * self.row - height / 2))


def _alike(mark: Mark) -> bool:
    """Whether a moved note differs only in velocity, so that it stands where it was."""
    before, after = mark.before, mark.after
    return before is not None and after is not None and before.sound[:3] == after.sound[:3]

