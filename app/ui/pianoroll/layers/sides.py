"""What lies beside the notes: keys or names of pieces, the ruler above, and the lane of velocities below."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from agent.song.ids import NoteId
from agent.theory.pitch import in_scale, pitch_name
from app.ui.canvas.layer import Layer, fill_all
from app.ui.canvas.look import LEFT
from app.ui.canvas.note_layer import BAR_WIDTH, NoteRects
from app.ui.canvas.pitch_rows import BLACK, paint_key, paint_key_name
from app.ui.canvas.playhead import draw_playhead
from app.ui.canvas.ruler import LABEL_ROOM, paint_bars, paint_lines
from app.ui.canvas.tool import Pointer
from app.ui.pianoroll.layers.clip_layer import ClipLayer, DrawnNotes
from app.ui.pianoroll.layers.grid import paint_outside
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.measures import CHORD_HEIGHT, NAME_FROM_ROW, RULER_HEIGHT, TOP_HEIGHT
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.hear import HearPitches
from app.ui.pianoroll.tools.velocity import VelocityDrag, y_of
from app.viewmodels.pianoroll.chords import ChordName
from app.viewmodels.pianoroll.drums import piece_name
from app.viewmodels.pianoroll.shown import Shown

_NAME_INSET = 6


class PianoKeys(Layer[RollLook]):
    """Paints one piano key, or the name of a drum, for each row; the pressed one is lit."""

    def __init__(self, scene: RollScene, pointer: Pointer[HearPitches]) -> None:
        self._scene = scene
        self._pointer = pointer

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        axis, width = self._scene.axis, painter.viewport().width()
        down = None if self._pointer.drag is None else self._pointer.drag.pitch
        draw = self._piece if axis.lanes else self._key
        painter.fillRect(window, look.panel)
        for row in axis.rows_between(window.top(), window.bottom()):
            pitch = axis.pitch_of(row)
            draw(painter, pitch, QRect(0, axis.row_top(row), width - 1, axis.row_height), look, held=pitch == down)
        painter.fillRect(width - 1, window.top(), 1, window.height(), look.line2)

    def _key(self, painter: QPainter, pitch: int, place: QRect, look: RollLook, *, held: bool) -> None:
        """C always has its name; others where there is room, those of a lit scale stronger."""
        scene, octave = self._scene, pitch % 12 == 0
        paint_key(painter, pitch, place, look, held=held)
        if octave or (place.height() >= NAME_FROM_ROW and pitch % 12 not in BLACK):
            lit = scene.settings.value.light_scale and in_scale(scene.key, pitch)
            paint_key_name(painter, pitch_name(pitch, scene.key), place, look, strong=lit or octave)

    def _piece(self, painter: QPainter, pitch: int, place: QRect, look: RollLook, *, held: bool) -> None:
        painter.fillRect(place, look.you_soft if held else look.panel)
        painter.fillRect(place.left(), place.bottom(), place.width(), 1, look.line)
        painter.setFont(look.label_font)
        painter.setPen(look.t1 if pitch in self._scene.index.pitches else look.t3)
        room = place.adjusted(_NAME_INSET + 2, 0, -4, 0)
        painter.drawText(room, LEFT, look.short(look.label_font, piece_name(pitch), room.width()))


class Velocities(DrawnNotes):
    """Paints a velocity bar for each note, and over them those being dragged."""

    def __init__(self, scene: RollScene, rects: NoteRects, pointer: Pointer[VelocityDrag]) -> None:
        super().__init__(scene, rects)
        self._pointer = pointer

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        painter.fillRect(window, look.canvas)
        super().paint(painter, window, look)
        painter.fillRect(window.left(), 0, window.width(), 1, look.line2)

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint grid, bars, dragged bars and the ground outside the clip."""
        drag = self._pointer.drag
        wanted = {} if drag is None else drag.velocities
        lines = self.scene.lines(window.left(), window.right())
        paint_lines(painter, self.scene.axis, lines, shown.clip.start, window, {"beat": look.grid, "bar": look.grid3})
        if len(wanted) < len(shown.clip.notes):
            self._bars(painter, window, shown, look)
        if wanted:
            self._over(painter, window, wanted, look)
        paint_outside(painter, self.scene, window, look)
        if drag is not None:
            drag.paint(painter, look)

    def _bars(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        axis, height, tones = self.scene.axis, painter.viewport().height(), look.notes(shown.track.color)
        chunks = self.rects.of(shown.clip.notes)
        bars, chosen = chunks.bars_between(*self._span(window), axis.per_beat, self.scene.selected.value)
        self._unfinished = chunks.bars_unfinished
        painter.save()
        painter.translate(axis.x(0), y_of(127, height))
        painter.scale(axis.per_beat, (y_of(1, height) - y_of(127, height)) / 126)
        # Height tells how loud; the softer fills would hardly be seen on a light ground.
        fill_all(painter, bars, tones.outline if shown.ghost is not None else tones.edge)
        fill_all(painter, chosen, look.t1)
        painter.restore()

    def _over(self, painter: QPainter, window: QRect, wanted: Mapping[NoteId, float], look: RollLook) -> None:
        axis, height = self.scene.axis, painter.viewport().height()
        gone: list[QRect] = []
        bars: list[QRect] = []
        for note in self.scene.index.starting(*self._span(window)):
            if note.id in wanted:
                x, y = round(axis.x(note.start)), round(y_of(wanted[note.id], height))
                gone.append(QRect(x - 1, 1, BAR_WIDTH + 2, height))
                bars += [QRect(x, y, 2, height - y), QRect(x, y, BAR_WIDTH, 3)]
        fill_all(painter, gone, look.canvas)
        fill_all(painter, bars, look.t1)

    def _span(self, window: QRect) -> tuple[float, float]:
        """Ticks of the notes whose bars may touch the window."""
        axis = self.scene.axis
        return axis.at(window.left() - BAR_WIDTH), axis.at(window.right() + BAR_WIDTH)


_LEAST_CHORD = 14
_INSET = 4


class RulerGround(Layer[RollLook]):
    """Paints the ruler's background and its lower edge."""

    def paint(self, painter: QPainter, window: QRect, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        painter.fillRect(window, look.panel)
        painter.fillRect(window.left(), TOP_HEIGHT - 1, window.width(), 1, look.line2)


class BarRulerLayer(ClipLayer):
    """Paints ticks of the grid, and numbers of bars where there is room."""

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        scene, place = self.scene, QRect(0, CHORD_HEIGHT, painter.viewport().width(), RULER_HEIGHT)
        lines = scene.lines(window.left() - LABEL_ROOM, window.right())
        paint_bars(painter, scene.axis, lines, shown.clip.start, scene.bars, place, look)


class ChordNames(ClipLayer):
    """Paints the chord names `found` above the bars."""

    def __init__(self, scene: RollScene, found: Callable[[], tuple[ChordName, ...]]) -> None:
        super().__init__(scene)
        self._found = found

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint what overlaps the rectangle `window`."""
        axis, clip = self.scene.axis, shown.clip
        if not self.scene.settings.value.chords:
            return
        painter.setFont(look.strong_font)
        painter.setPen(look.t2)
        for chord in self._found():
            left = round(axis.x(max(clip.start, chord.start) - clip.start))
            right = round(axis.x(min(clip.end, chord.end) - clip.start))
            if right < window.left() or left > window.right() or right - left < _LEAST_CHORD:
                continue
            painter.fillRect(left, 2, 1, CHORD_HEIGHT - 4, look.line3)
            # The name of a chord that begins out of sight is written where it can be read.
            at = max(left, 0) + _INSET
            room = right - at - 2
            text = look.short(look.strong_font, chord.name, room) if room > 8 else ""
            if text != "…":
                painter.drawText(QRect(at, 0, room, CHORD_HEIGHT), LEFT, text)


class PlayheadHead(ClipLayer):
    """Paints the head of the playhead."""

    def paint_clip(self, painter: QPainter, _window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint it while the playhead is within the clip."""
        if 0 <= self.scene.position <= shown.clip.duration:
            draw_playhead(painter, round(self.scene.axis.x(self.scene.position)), TOP_HEIGHT, look.t1)
