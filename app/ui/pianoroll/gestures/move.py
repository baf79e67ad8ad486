"""Moving notes in time and pitch, or copying them."""

from __future__ import annotations

from msgspec.structs import replace
from PySide6.QtGui import QPainter

from agent.song.clip import Clip, Note
from agent.song.ids import NoteId
from agent.song.time import Ticks
from app.desktop.roll.note_edits import NOTHING, Extent, NoteEdit, chosen, placed
from app.desktop.roll.roll_words import here_in_words, pitch_in_words
from app.desktop.texts.places import beat_in_words
from app.ui.kit.canvas.pointing import DRAG_FROM, Spot
from app.ui.pianoroll.gestures.gesture import Gesture
from app.ui.pianoroll.gestures.places import paint_outlines, paint_words, place_of, seen
from app.ui.pianoroll.look import Look
from app.ui.pianoroll.stage import Stage


class MoveNotes(Gesture):
    """Drags the selection by one of its notes; Alt copies, Ctrl ignores the grid. Where notes are kept to a scale
    their pitches go to the nearest of it."""

    def __init__(self, stage: Stage, grabbed: Note, spot: Spot) -> None:
        self._stage = stage
        self._grabbed = grabbed
        self._from = spot
        # The clip's own place, so that scrolling does not move the notes along.
        self._at, self._row = stage.axis.at(spot.x), stage.axis.row(stage.axis.pitch(spot.y))
        self._ids: frozenset[NoteId] = stage.selected.value
        notes = stage.index.chosen(self._ids)
        self._extent = Extent.of(notes)
        rows = [stage.axis.row(note.pitch) for note in notes] if stage.drums else [0]
        self._rows = min(rows), max(rows)
        self._by, self._up, self._copy, self._begun = 0, 0, False, False
        self._heard = grabbed.pitch

    def move(self, spot: Spot) -> None:
        """Find the nearest place that the grid and the clip allow."""
        stage, clip = self._stage, self._stage.clip
        self._begun = self._begun or abs(spot.x - self._from.x) + abs(spot.y - self._from.y) >= DRAG_FROM
        if not self._begun or clip is None:
            return
        axis, start = stage.axis, self._grabbed.start
        wanted = start + axis.at(spot.x) - self._at
        rows = self._row - axis.row(axis.pitch(spot.y))
        aside = abs(wanted - start) >= axis.ticks(DRAG_FROM)
        by = stage.snap(wanted, spot.free) - start if aside else 0
        self._by, up = self._extent.reach(clip, by, rows)
        self._up = max(self._rows[1] + 1 - axis.rows, min(self._rows[0], rows)) if stage.drums else up
        self._copy = spot.copy
        self.lifted = frozenset() if spot.copy else self._ids
        here = self._placed(self._grabbed)
        if here.pitch != self._heard:
            self._heard = here.pitch
            stage.audition(here.pitch, here.velocity)
        name = pitch_in_words(here.pitch, stage.key, kit=stage.drums)
        self.words = here_in_words(name, beat_in_words(stage.bars, clip.start + here.start))
        stage.repaint()

    def release(self, spot: Spot) -> None:
        """Move the notes there."""
        self.move(spot)
        self._stage.change(self._edit, self._settled)

    def paint(self, painter: QPainter, look: Look) -> None:
        """Their outlines at the new place."""
        if not self._begun:
            return
        stage = self._stage
        notes = seen(stage, self._ids, painter, self._by)
        paint_outlines(painter, stage, [self._placed(note) for note in notes], look)
        place = place_of(stage, self._placed(self._grabbed))
        paint_words(painter, self.words, place.left(), place.top(), look)

    def _edit(self, clip: Clip) -> NoteEdit:
        if not self._begun or (self._by == 0 and self._up == 0):
            return NOTHING
        places = [self._placed(note) for note in chosen(clip, self._ids)]
        return placed(clip, [note for note in places if note.start >= 0 and note.end <= clip.duration], copy=self._copy)

    def _placed(self, note: Note) -> Note:
        stage, axis = self._stage, self._stage.axis
        pitch = note.pitch
        if self._up:
            pitch = axis.pitch_of(axis.row(pitch) - self._up) if stage.drums else stage.pitch(pitch + self._up)
        return replace(note, start=Ticks(note.start + self._by), pitch=pitch)

    def _settled(self) -> None:
        self._begun = False
        self.lifted = frozenset()
