"""Moving notes in time and pitch, copying them, and moving their edges."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QPainter

from agent.song.clip import Clip, Note
from agent.song.time import Ticks
from app.ui.canvas.tool import DRAG_FROM, PointerSpot
from app.ui.pianoroll.look import RollLook
from app.ui.pianoroll.note_shapes import paint_outlines, paint_words, place_of, seen
from app.ui.pianoroll.scene import RollScene
from app.ui.pianoroll.tools.drag import NoteDrag
from app.viewmodels.pianoroll.note_edits import NOTHING, Extent, NoteEdit, Side, chosen, placed, resized, resized_note
from app.viewmodels.pianoroll.roll_words import here_in_words, length_in_words, pitch_in_words
from app.viewmodels.texts.places import beat_in_words


class _DragSelection(NoteDrag):
    """The selection, taken by one of its notes."""

    def __init__(self, scene: RollScene, grabbed: Note, spot: PointerSpot) -> None:
        super().__init__(scene)
        self._grabbed = grabbed
        self._from = spot
        # The clip's own place, so that scrolling does not move the notes along.
        self._at = scene.axis.at(spot.x)
        self._ids = scene.selected.value
        self._by = 0
        self._begun = False

    def paint(self, painter: QPainter, look: RollLook) -> None:
        """Outlines at the new places."""
        if self._begun:
            scene = self._scene
            found = [self._placed(note) for note in seen(scene, self._ids, painter, self._reach())]
            paint_outlines(painter, scene, found, look.t1)
            place = place_of(scene, self._placed(self._grabbed))
            paint_words(painter, self.words, place.left(), place.top(), look)

    def _placed(self, note: Note) -> Note:
        """A note as it would be."""
        return note

    def _reach(self) -> int:
        """Ticks by which whole notes are moved."""
        return 0


class MoveNotes(_DragSelection):
    """Moves the selected notes in time and pitch; Alt copies, Ctrl ignores the grid. If notes are kept to a scale their
    pitches snap to it."""

    def __init__(self, scene: RollScene, grabbed: Note, spot: PointerSpot) -> None:
        super().__init__(scene, grabbed, spot)
        self._row = scene.axis.row(scene.axis.pitch(spot.y))
        notes = scene.index.chosen(self._ids)
        self._extent = Extent.of(notes)
        rows = [scene.axis.row(note.pitch) for note in notes] if scene.drums else [0]
        self._rows = min(rows), max(rows)
        self._up, self._copy = 0, False
        self._heard = grabbed.pitch

    def move(self, spot: PointerSpot) -> None:
        """Find the nearest position that the grid and the clip allow."""
        scene, clip = self._scene, self._scene.clip
        self._begun = self._begun or abs(spot.x - self._from.x) + abs(spot.y - self._from.y) >= DRAG_FROM
        if not self._begun or clip is None:
            return
        axis, start = scene.axis, self._grabbed.start
        wanted = start + axis.at(spot.x) - self._at
        rows = self._row - axis.row(axis.pitch(spot.y))
        aside = abs(wanted - start) >= axis.ticks(DRAG_FROM)
        by = scene.snap(wanted, spot.free) - start if aside else 0
        self._by, up = self._extent.reach(clip, by, rows)
        self._up = max(self._rows[1] + 1 - axis.rows, min(self._rows[0], rows)) if scene.drums else up
        self._copy = spot.copy
        self.lifted = frozenset() if spot.copy else self._ids
        here = self._placed(self._grabbed)
        if here.pitch != self._heard:
            self._heard = here.pitch
            scene.audition(here.pitch, here.velocity)
        name = pitch_in_words(here.pitch, scene.key, kit=scene.drums)
        self.words = here_in_words(name, beat_in_words(scene.bars, clip.start + here.start))
        scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Move the notes there."""
        self.move(spot)
        self.commit(self._edit)

    def _reach(self) -> int:
        return self._by

    def _edit(self, clip: Clip) -> NoteEdit:
        if not self._begun or (self._by == 0 and self._up == 0):
            return NOTHING
        places = [self._placed(note) for note in chosen(clip, self._ids)]
        return placed(clip, [note for note in places if note.start >= 0 and note.end <= clip.duration], copy=self._copy)

    def _placed(self, note: Note) -> Note:
        scene, axis = self._scene, self._scene.axis
        pitch = note.pitch
        if self._up:
            pitch = axis.pitch_of(axis.row(pitch) - self._up) if scene.drums else scene.pitch(pitch + self._up)
        return replace(note, start=Ticks(note.start + self._by), pitch=pitch)


class ResizeNotes(_DragSelection):
    """Drags an edge of a note; the other selected notes change by the same length. Ctrl ignores the grid."""

    def __init__(self, scene: RollScene, grabbed: Note, side: Side, spot: PointerSpot) -> None:
        super().__init__(scene, grabbed, spot)
        self._side: Side = side

    def move(self, spot: PointerSpot) -> None:
        """Find the nearest position that the grid allows."""
        scene, note = self._scene, self._grabbed
        self._begun = self._begun or abs(spot.x - self._from.x) >= DRAG_FROM
        if not self._begun:
            return
        edge = note.end if self._side == "right" else note.start
        wanted = scene.snap(edge + scene.axis.at(spot.x) - self._at, spot.free)
        least = 1 if spot.free else min(note.duration, scene.step or 1)
        if self._side == "right":
            self._by = max(note.start + least, wanted) - edge
        else:
            self._by = min(note.end - least, wanted) - edge
        self.lifted = self._ids
        self.words = length_in_words(self._placed(note).duration)
        scene.repaint()

    def release(self, spot: PointerSpot) -> None:
        """Give the notes their new length."""
        self.move(spot)
        ids, by, side = self._ids, self._by, self._side
        self.commit(lambda clip: resized(clip, ids, by, side))

    def _placed(self, note: Note) -> Note:
        clip = self._scene.clip
        return note if clip is None else resized_note(clip, note, self._by, self._side)
