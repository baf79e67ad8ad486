"""The notes or hits of the clip, those of other tracks behind them, and what a plan would leave."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from agent.song.clip import Note
from agent.song.time import PPQ
from agent.theory.pitch import pitch_name
from app.ui.canvas.look import LEFT
from app.ui.canvas.note_chunk import BANDS, band_of
from app.ui.canvas.note_layer import NoteRects, Shades
from app.ui.kit.painted import dashed_pen
from app.ui.pianoroll.layers.clip_layer import DrawnNotes, chosen_together, one_colour
from app.ui.pianoroll.look import NoteTones, RollLook
from app.ui.pianoroll.measures import NAME_FROM_ROW, NAME_FROM_WIDTH
from app.ui.pianoroll.note_shapes import diamond, place_of
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll.shown import Shown

_MOST_LOOKED_AT = 800
_MOST_NAMED = 400
"""Numbers of visible notes, and of notes with room for a name, above which none is labelled."""
_MOST_HATCHED = 3_000
_SMALL_DASH = [2.4, 1.6]
"""Dash pattern in pen widths: notes are too small for the dashes of clips."""


class OtherTracks(DrawnNotes):
    """Paints notes of other tracks that sound during the clip."""

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint those of the chosen tracks, or of all but drums, faintly in the tracks' colours."""
        scene, axis = self.scene, self.scene.axis
        if not scene.settings.value.others or scene.drums:
            return
        beside, own = scene.settings.value.beside, shown.clip.start
        ticks = start, end = self.ticks(window)
        left, right = round(axis.x(0)), round(axis.x(shown.clip.duration))
        painter.save()
        painter.setClipRect(QRect(left, 0, right - left, painter.viewport().height()))
        for track in scene.song.tracks:
            if track.id == shown.track.id or (track.id in scene.kits if beside is None else track.id not in beside):
                continue
            faint = one_colour(look.notes(track.color).behind)
            for clip in track.clips:
                by = clip.start - own
                if by < min(end, shown.clip.duration) and by + clip.duration > max(0.0, start):
                    self.draw(painter, clip.notes, ticks, faint, by)
        painter.restore()


class ClipNotesLayer(DrawnNotes):
    """Paints the clip's notes as they are in the song, with their names, or as drum hits."""

    def __init__(self, scene: RollScene, rects: NoteRects) -> None:
        super().__init__(scene, rects)
        self._hits = Hits()

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint notes coloured by velocity; nothing while the proposed state of the clip is shown."""
        if shown.ghost is not None:
            return
        ticks, tones, notes = self.ticks(window), look.notes(shown.track.color), shown.clip.notes
        if self.scene.drums:
            self._hits.draw(painter, self.scene, self.rects.of(notes).notes_between(*ticks), tones, look)
            return
        shades = Shades(tones.bands, tones.edge, look.t1)
        if self.draw(painter, notes, ticks, shades, chosen=chosen_together(self.scene)) <= _MOST_LOOKED_AT:
            self._names(painter, ticks, shown, look)

    def _names(self, painter: QPainter, ticks: tuple[float, float], shown: Shown, look: RollLook) -> None:
        """Names on notes that have room for them."""
        axis, tones = self.scene.axis, look.notes(shown.track.color)
        if axis.row_height < NAME_FROM_ROW:
            return
        least = axis.ticks(NAME_FROM_WIDTH)
        found = [note for note in self.rects.of(shown.clip.notes).notes_between(*ticks) if note.duration >= least]
        if len(found) > _MOST_NAMED:
            return
        painter.setFont(look.note_font)
        bottom = painter.viewport().height()
        for note in found:
            y, x = axis.y(note.pitch), max(axis.x(note.start), 0)
            room = QRectF(x + 4, y, axis.x(note.end) - x - 4, axis.row_height - 1)
            if -axis.row_height < y < bottom and room.width() >= NAME_FROM_WIDTH - 4:
                painter.setPen(tones.texts[band_of(note.velocity)])
                painter.drawText(room, LEFT, pitch_name(note.pitch, self.scene.key))


class ProposedNotes(DrawnNotes):
    """Paints the proposed state of the clip, hatched, over its current notes."""

    def paint_clip(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """Paint nothing while the clip is shown as it is in the song."""
        if shown.ghost is None:
            return
        self._before(painter, window, shown, look)
        tones, ticks, scene = look.notes(shown.track.color), self.ticks(window), self.scene
        notes = self.rects.of(shown.clip.notes).notes_between(*ticks)
        if len(notes) > _MOST_HATCHED:
            self.draw(painter, shown.clip.notes, ticks, one_colour(tones.outline))
            return
        painter.setBrush(look.hatched(tones))
        painter.setBrushOrigin(QPointF(-scene.axis.left % 6, -scene.axis.top % 6))
        pen = dashed_pen(look.bad if shown.ghost.kind == "removed" else tones.outline)
        pen.setDashPattern(_SMALL_DASH)
        painter.setPen(pen)
        places = [place_of(scene, note) for note in notes]
        if scene.drums:
            for place in places:
                painter.drawPolygon(diamond(place))
        else:
            painter.drawRects([place.adjusted(0.5, 0.5, -0.5, -0.5) for place in places if place.intersects(window)])
        painter.setBrushOrigin(QPointF(0, 0))

    def _before(self, painter: QPainter, window: QRect, shown: Shown, look: RollLook) -> None:
        """What the plan would change, in grey."""
        if shown.before is None:
            return
        by, (start, end) = shown.before.start - shown.clip.start, self.ticks(window)
        if not self.scene.drums:
            self.draw(painter, shown.before.notes, (start, end), one_colour(look.line2, look.line3), by)
            return
        painter.setPen(QPen(look.line3, 1))
        painter.setBrush(look.line2)
        for note in self.rects.of(shown.before.notes).notes_between(start - by, end - by):
            place = place_of(self.scene, note).translated(by / PPQ * self.scene.axis.per_beat, 0)
            painter.drawPolygon(diamond(place))


class Hits:
    """Paints drum hits, with pictures cached for one size, colour and screen."""

    def __init__(self) -> None:
        self._key: tuple[int, int, float, bool] = (0, 0, 0.0, False)
        self._pictures: list[QPixmap] = []

    def draw(
        self, painter: QPainter, scene: RollScene, notes: Iterable[Note], tones: NoteTones, look: RollLook
    ) -> None:
        """Paint a diamond at the start of each note."""
        axis = scene.axis
        side = axis.row_height - 4
        pictures = self._made(side, tones, look)
        half, bottom = (side + 2) / 2, painter.viewport().height()
        for note in notes:
            y = axis.y(note.pitch) + 1
            if -axis.row_height < y < bottom:
                painter.drawPixmap(round(axis.x(note.start) - half), y, pictures[band_of(note.velocity)])

    def _made(self, side: int, tones: NoteTones, look: RollLook) -> list[QPixmap]:
        key = (side, tones.edge.rgba(), look.ratio, look.tokens.dark)
        if key != self._key:
            self._key = key
            self._pictures = [_picture(side, band, tones.bands[band], tones.edge, look.ratio) for band in range(BANDS)]
        return self._pictures


def _picture(side: int, band: int, fill: QColor, edge: QColor, ratio: float) -> QPixmap:
    """Louder hits are larger, so that loudness is not told by colour alone."""
    whole = side + 2
    made = QPixmap(round(whole * ratio), round(whole * ratio))
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = 1 + (BANDS - 1 - band) * side * 0.09
    painter.setPen(QPen(edge, 1))
    painter.setBrush(fill)
    painter.drawPolygon(diamond(QRectF(0, 0, whole, whole).adjusted(inset, inset, -inset, -inset)))
    painter.end()
    return made
