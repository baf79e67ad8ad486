"""Paints what lies on the ground: other tracks' notes, notes, selection, the keyboard's place and the playhead."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from agent.song.clip import Note
from agent.song.ids import NoteId
from agent.song.time import PPQ
from agent.theory.pitch import pitch_name
from app.ui.kit.canvas.painting import fill_all
from app.ui.kit.painted import dashed_pen
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import diamond, place_of, places_of
from app.ui.pianoroll.ground import paint_ground
from app.ui.pianoroll.hits import Hits
from app.ui.pianoroll.look import LEFT, Look, NoteTones
from app.ui.pianoroll.measures import BANDS, MOST_NAMES, NAME_FROM_ROW, NAME_FROM_WIDTH
from app.ui.pianoroll.note_rects import band_of
from app.ui.pianoroll.stage import Stage

_VEIL = 166
_MOST_EDGED = 3_000
"""More notes than these are drawn without edges."""
_MOST_NAMED = 800
_FEW = 200
"""So many selected notes are framed one by one."""
_MOST_HATCHED = 3_000
_RING_GAP = 2
_SMALL_DASH = [2.4, 1.6]
"""In pen widths: notes are too small for the dashes of clips."""


class NotesPainter:
    """Draws what a window of the notes' area shows."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._hits = Hits()

    def paint(
        self, painter: QPainter, window: QRect, gesture: Gesture | None, look: Look, *, focused: bool
    ) -> None:
        """Everything that lies in the window."""
        stage = self._stage
        paint_ground(painter, stage, window, look)
        shown = stage.shown
        if shown is None:
            return
        axis = stage.axis
        start, end = axis.at(window.left() - axis.row_height), axis.at(window.right() + axis.row_height)
        if stage.settings.value.others and not stage.drums:
            self._others(painter, start, end, look)
        tones = look.notes(shown.track.color)
        if shown.ghost is not None:
            self._proposed(painter, window, start, end, tones, look)
        elif stage.drums:
            self._hits.draw(painter, stage, stage.rects.of(shown.clip.notes).notes_between(start, end), tones, look)
        else:
            notes, chosen = shown.clip.notes, self._many()
            drawn = self._notes(painter, notes, start, end, tones.bands, tones.edge, look, chosen=chosen)
            # Where there are many, none has room for its name.
            if drawn <= _MOST_NAMED:
                self._names(painter, start, end, tones, look)
        if not self._many():
            self._selected(painter, start, end, look)
        if gesture is not None:
            self._lifted(painter, gesture, start, end, look)
            gesture.paint(painter, look)
        self._keyboard(painter, look, focused=focused)
        x = round(axis.x(stage.opened.playback.position() - shown.clip.start))
        if 0 <= x + axis.left <= axis.width(shown.clip.duration):
            painter.fillRect(x, window.top(), 1, window.height(), look.t1)

    def _notes(
        self, painter: QPainter, notes: tuple[Note, ...], start: float, end: float, bands: tuple[QColor, ...],
        edge: QColor | None, look: Look, by: float = 0.0, chosen: frozenset[NoteId] = frozenset(),
    ) -> int:
        """Notes whose clip begins `by` beats after the one that is shown; about how many. Chosen ones are framed."""
        axis = self._stage.axis
        found, frames = self._stage.rects.of(notes).between(start, end, axis, chosen)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.translate(axis.x(by * PPQ), -axis.top)
        painter.scale(axis.per_beat, axis.row_height)
        count = sum(map(len, found))
        pen = QPen(edge, 0) if edge is not None and count <= _MOST_EDGED else QPen(Qt.PenStyle.NoPen)
        painter.setPen(pen)
        for band in range(BANDS):
            if found[band]:
                painter.setBrush(bands[band])
                painter.drawRects(found[band])
        if frames.outer:
            # Filled twice: a pen costs three times as much.
            fill_all(painter, frames.outer, look.t1)
            for band in range(BANDS):
                fill_all(painter, frames.inner[band], bands[band])
        painter.restore()
        return count + len(frames.outer)

    def _others(self, painter: QPainter, start: float, end: float, look: Look) -> None:
        """Notes of other tracks, where they sound in the clip's time."""
        stage, shown = self._stage, self._stage.shown
        assert shown is not None
        beside, own = stage.settings.value.beside, shown.clip.start
        for track in stage.song.tracks:
            if track.id == shown.track.id or (beside is not None and track.id not in beside):
                continue
            if beside is None and track.id in stage.kits:
                continue
            faint = (look.notes(track.color).behind,) * BANDS
            for clip in track.clips:
                by = clip.start - own
                if by < min(end, shown.clip.duration) and by + clip.duration > max(0.0, start):
                    painter.save()
                    painter.setClipRect(self._inside(painter))
                    self._notes(painter, clip.notes, start - by, end - by, faint, None, look, by / PPQ)
                    painter.restore()

    def _inside(self, painter: QPainter) -> QRect:
        axis, clip = self._stage.axis, self._stage.clip
        assert clip is not None
        left, right = round(axis.x(0)), round(axis.x(clip.duration))
        return QRect(left, 0, right - left, painter.viewport().height())

    def _proposed(
        self, painter: QPainter, window: QRect, start: float, end: float, tones: NoteTones, look: Look
    ) -> None:
        """What the plan would leave, hatched, before what is there now."""
        stage, shown = self._stage, self._stage.shown
        assert shown is not None
        assert shown.ghost is not None
        if shown.before is not None:
            by = (shown.before.start - shown.clip.start) / PPQ
            ticks = by * PPQ
            if stage.drums:
                self._hits_before(painter, shown.before.notes, start - ticks, end - ticks, ticks, look)
            else:
                grey = (look.line2,) * BANDS
                self._notes(painter, shown.before.notes, start - ticks, end - ticks, grey, look.line3, look, by)
        removed = shown.ghost.kind == "removed"
        notes = stage.rects.of(shown.clip.notes).notes_between(start, end)
        if len(notes) > _MOST_HATCHED:
            self._notes(painter, shown.clip.notes, start, end, (tones.outline,) * BANDS, None, look)
            return
        painter.setBrush(look.hatched(tones))
        painter.setBrushOrigin(QPointF(-stage.axis.left % 6, -stage.axis.top % 6))
        pen = dashed_pen(look.bad if removed else tones.outline)
        pen.setDashPattern(_SMALL_DASH)
        painter.setPen(pen)
        places = [place_of(stage, note) for note in notes]
        if stage.drums:
            for place in places:
                painter.drawPolygon(diamond(place))
        else:
            painter.drawRects([place.adjusted(0.5, 0.5, -0.5, -0.5) for place in places if place.intersects(window)])
        painter.setBrushOrigin(QPointF(0, 0))

    def _hits_before(
        self, painter: QPainter, notes: tuple[Note, ...], start: float, end: float, by: float, look: Look
    ) -> None:
        """Hits that the plan would change, in grey; `by` ticks later than their own clip says."""
        painter.setPen(QPen(look.line3, 1))
        painter.setBrush(look.line2)
        for note in self._stage.rects.of(notes).notes_between(start, end):
            place = place_of(self._stage, note).translated(by / PPQ * self._stage.axis.per_beat, 0)
            painter.drawPolygon(diamond(place))

    def _names(self, painter: QPainter, start: float, end: float, tones: NoteTones, look: Look) -> None:
        """Names on notes that have room for them."""
        stage = self._stage
        axis, shown = stage.axis, stage.shown
        assert shown is not None
        if axis.row_height < NAME_FROM_ROW:
            return
        least = axis.ticks(NAME_FROM_WIDTH)
        found = [note for note in stage.rects.of(shown.clip.notes).notes_between(start, end) if note.duration >= least]
        if len(found) > MOST_NAMES:
            return
        painter.setFont(look.note_font)
        bottom = painter.viewport().height()
        for note in found:
            y = axis.y(note.pitch)
            if -axis.row_height < y < bottom:
                x = max(axis.x(note.start), 0)
                room = QRectF(x + 4, y, axis.x(note.end) - x - 4, axis.row_height - 1)
                if room.width() >= NAME_FROM_WIDTH - 4:
                    painter.setPen(tones.texts[band_of(note.velocity)])
                    painter.drawText(room, LEFT, pitch_name(note.pitch, stage.key))

    def _many(self) -> frozenset[NoteId]:
        """What is selected, where it is so much that it is drawn together with the other notes."""
        stage, ids = self._stage, self._stage.selected.value
        apart = len(ids) < _FEW or stage.drums or stage.shown is None or stage.shown.ghost is not None
        return frozenset() if apart else ids

    def _selected(self, painter: QPainter, start: float, end: float, look: Look) -> None:
        stage = self._stage
        ids = stage.selected.value
        if not ids or stage.clip is None:
            return
        if len(ids) < _FEW:
            found: Iterable[Note] = stage.index.chosen(ids)
        else:
            found = [note for note in stage.rects.of(stage.clip.notes).notes_between(start, end) if note.id in ids]
        places = places_of(stage, [note for note in found if note.start < end and note.end > start])
        painter.setPen(QPen(look.t1, 2))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if stage.drums:
            for place in places:
                painter.drawPolygon(diamond(place.adjusted(-1, -1, 1, 1)))
        else:
            # Two thin frames: a thick pen costs ten times as much.
            painter.setPen(QPen(look.t1, 1))
            painter.drawRects([place.adjusted(0, 0, -1, -1) for place in places])
            painter.drawRects([place.adjusted(1, 1, -2, -2) for place in places])

    def _lifted(self, painter: QPainter, gesture: Gesture, start: float, end: float, look: Look) -> None:
        """Dim the notes that are dragged away."""
        clip = self._stage.clip
        if not gesture.lifted or clip is None:
            return
        veil = QColor(look.canvas)
        veil.setAlpha(_VEIL)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(veil)
        notes = self._stage.rects.of(clip.notes).notes_between(start, end)
        painter.drawRects(places_of(self._stage, [note for note in notes if note.id in gesture.lifted]))

    def _keyboard(self, painter: QPainter, look: Look, *, focused: bool) -> None:
        """The focused note's ring, or the cell at which Enter draws; step input shows its place at all times."""
        stage, axis = self._stage, self._stage.axis
        note = stage.focused()
        stepping = stage.settings.value.stepping and stage.editable
        if stepping:
            x = round(axis.x(stage.cell[0]))
            painter.fillRect(x - 1, 0, 3, painter.viewport().height(), look.you)
        if not focused:
            return
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if note is not None and not stage.on_cell:
            place = place_of(stage, note)
            painter.setPen(QPen(look.canvas, 1))
            painter.drawRect(place.adjusted(-1, -1, 1, 1))
            painter.setPen(QPen(look.you, 2))
            painter.drawRoundedRect(place.adjusted(-_RING_GAP, -_RING_GAP, _RING_GAP, _RING_GAP), 3, 3)
        elif stage.on_cell or stepping:
            at, pitch = stage.cell
            x, width = round(axis.x(at)), max(4, round(axis.per_beat * stage.key_step / PPQ))
            painter.setPen(QPen(look.you, 2))
            painter.drawRect(x + 1, axis.y(pitch) + 1, width - 2, axis.row_height - 3)
