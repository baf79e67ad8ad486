"""Draws clips: from their pictures where they are small, stroke by stroke where they are long."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from agent.song.clip import Clip
from app.ui.canvas.time_axis import TimeAxis
from app.ui.timeline.fonts import LEFT, Fonts
from app.ui.timeline.marks import LOCK_WIDTH, draw_lock
from app.ui.timeline.measures import CLIP_BOTTOM, CLIP_TOP, NAME_FROM_WIDTH, NAME_INSET, STRIP_FROM_WIDTH, STRIP_HEIGHT
from app.ui.timeline.note_rects import ClipRects
from app.ui.timeline.scene import ClipShape
from app.ui.timeline.tones import Tones, TrackTones

LONGEST_PICTURE = 384
"""Width in pixels of the longest clip that is painted from a cached picture; of longer ones only the visible part is
painted, each time."""
MOST_PICTURE_BYTES = 96 * 1024 * 1024
PATIENCE = 0.001
"""Seconds that one frame may spend on new cached pictures; further ones are made in the next frames."""


class ClipPainter:
    """Paints clips, from cached pictures where possible. Call `begin` for a frame, then `draw` for each lane;
    `unfinished` says that another frame is needed."""

    def __init__(self, notes: ClipRects) -> None:
        self.notes = notes
        self.unfinished = False
        self._until = 0.0
        self._bytes = 0
        self._pictured: list[ClipShape] = []

    def begin(self, patience: float = PATIENCE) -> None:
        """Begin a frame that may spend `patience` seconds on new pictures."""
        self.unfinished = False
        self._until = perf_counter() + patience

    def draw(
        self, painter: QPainter, row: tuple[ClipShape, ...], y: int, axis: TimeAxis, window: QRect, tones: Tones,
        fonts: Fonts,
    ) -> None:
        """Paint the clips of a lane that lie in the rectangle `window`; `y` is the lane's upper edge in pixels."""
        per_beat, left = axis.per_beat, axis.left
        first, last = window.left(), window.right()
        top, height = y + CLIP_TOP, axis.row_height - CLIP_TOP - CLIP_BOTTOM
        look = tones.look
        for shape in row:
            x = round(shape.start * per_beat) - left
            if x > last:
                break
            width = round(shape.end * per_beat) - left - x
            if x + width < first:
                continue
            width = max(width, 2)
            if width > LONGEST_PICTURE:
                self._draw_long(painter, shape, QRect(x, top, width, height), axis, window, tones, fonts)
                continue
            if shape.picture is not None and shape.picture_of == (width, height, look):
                painter.drawPixmap(x, top, shape.picture)
            else:
                self._draw_new(painter, shape, QRect(x, top, width, height), per_beat, tones, fonts)

    def _draw_new(
        self, painter: QPainter, shape: ClipShape, place: QRect, per_beat: float, tones: Tones, fonts: Fonts
    ) -> None:
        """Make a clip's picture, or show the nearest thing to it while there is no time left."""
        if perf_counter() < self._until:
            self._keep(shape, self._picture(shape, place, per_beat, tones, fonts), place, tones)
            assert shape.picture is not None
            painter.drawPixmap(place.topLeft(), shape.picture)
            return
        self.unfinished = True
        if shape.picture is not None and shape.picture_of[2] == tones.look:
            painter.drawPixmap(place, shape.picture)
        else:
            track = tones.of(shape.track.color, shape.muted)
            painter.fillRect(place, track.body)
            painter.fillRect(place.x(), place.y(), place.width(), STRIP_HEIGHT, track.strip)

    def _keep(self, shape: ClipShape, picture: QPixmap, place: QRect, tones: Tones) -> None:
        self._bytes += picture.width() * picture.height() * 4
        if self._bytes > MOST_PICTURE_BYTES:
            for old in self._pictured:
                old.picture = None
            self._pictured.clear()
            self._bytes = 0
        shape.picture = picture
        shape.picture_of = (place.width(), place.height(), tones.look)
        self._pictured.append(shape)

    def _picture(self, shape: ClipShape, place: QRect, per_beat: float, tones: Tones, fonts: Fonts) -> QPixmap:
        ratio = tones.ratio
        picture = QPixmap(round(place.width() * ratio), round(place.height() * ratio))
        picture.setDevicePixelRatio(ratio)
        painter = QPainter(picture)
        inside = QRect(0, 0, place.width(), place.height())
        self._draw_whole(painter, shape, inside, inside, per_beat, tones, fonts)
        painter.end()
        return picture

    def _draw_long(
        self, painter: QPainter, shape: ClipShape, place: QRect, axis: TimeAxis, window: QRect, tones: Tones,
        fonts: Fonts,
    ) -> None:
        self._draw_whole(painter, shape, place, window, axis.per_beat, tones, fonts)

    def _draw_whole(
        self, painter: QPainter, shape: ClipShape, place: QRect, window: QRect, per_beat: float, tones: Tones,
        fonts: Fonts,
    ) -> None:
        track = tones.of(shape.track.color, shape.muted)
        seen = place.intersected(window.adjusted(-2, -place.height(), 2, place.height()))
        painter.fillRect(seen, track.body)
        strip = STRIP_HEIGHT if place.width() >= STRIP_FROM_WIDTH and place.height() > 2 * STRIP_HEIGHT else 0
        if strip:
            painter.fillRect(seen.x(), place.y(), seen.width(), strip, track.strip)
        self.draw_notes(painter, shape.clip, place, strip, window, per_beat, track.notes)
        if strip and place.width() >= NAME_FROM_WIDTH:
            # The name of a clip that begins out of sight is written where it can be read.
            left = max(place.x(), min(0, place.right() - NAME_FROM_WIDTH))
            room = place.right() - left - 2 * NAME_INSET
            if shape.locked:
                draw_lock(painter, place.right() - LOCK_WIDTH - 2, place.y() + 2, track.name)
                room -= LOCK_WIDTH + 2
            draw_name(painter, shape.clip.name, QRect(left + NAME_INSET, place.y(), room, strip), track, fonts)

    def draw_notes(
        self, painter: QPainter, clip: Clip, place: QRect, top: int, window: QRect, per_beat: float, color: QColor
    ) -> None:
        """Paint a clip's notes below `top` (pixels) of its rectangle `place`, as far as `window` shows them; rectangles
        of notes are cached."""
        start = (window.left() - 2 - place.x()) / per_beat
        end = (window.right() + 2 - place.x()) / per_beat
        rects = self.notes.between(clip, place.height() - top, per_beat, start, end)
        if not rects:
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setClipRect(place.intersected(window), Qt.ClipOperation.IntersectClip)
        painter.translate(place.x(), place.y() + top)
        painter.scale(per_beat, 1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawRects(rects)
        painter.restore()


def draw_name(painter: QPainter, name: str, place: QRect, track: TrackTones, fonts: Fonts) -> None:
    """Paint a clip's name as plain text, elided where it does not fit."""
    if place.width() <= 0:
        return
    painter.setFont(fonts.clip)
    painter.setPen(track.name)
    painter.drawText(place, LEFT, fonts.short(fonts.clip, name, place.width()))
