"""What keys, menus and buttons let the piano roll do with the notes."""

from __future__ import annotations

from collections.abc import Callable

from agent.song.clip import Clip, Note
from agent.song.ids import NoteId
from app.i18n import tr
from app.ui.pianoroll.scene import RollScene
from app.viewmodels.pianoroll import note_edits
from app.viewmodels.pianoroll import operations as roll_operations
from app.viewmodels.pianoroll.grid import step_of, stepped
from app.viewmodels.pianoroll.note_edits import NoteEdit
from app.viewmodels.pianoroll.note_selection import Way
from app.viewmodels.pianoroll.step_input import octave_after, pitch_of

_UP: dict[Way, int] = {"up": 1, "down": -1}
_ASIDE: dict[Way, int] = {"right": 1, "left": -1}


class RollActions:
    """Each method is one action; one without anything to act on does nothing."""

    def __init__(self, scene: RollScene) -> None:
        self._scene = scene

    # --- selection

    def select_all(self) -> None:
        """Select every note of the clip."""
        self._scene.selected.set(frozenset(note.id for note in self._scene.index.notes))

    def go(self, way: Way, *, extend: bool = False) -> None:
        """Focus the next note in this direction (`extend`: add it to the selection); without a focused note move the
        keyboard's cell by a grid step or a row."""
        scene = self._scene
        note = scene.focused()
        if scene.clip is None:
            return
        if note is None and (scene.on_cell or not scene.index.notes):
            self._move_cell(way)
            return
        following = scene.index.nearest(scene.cell[0]) if note is None else scene.index.beside(note, way)
        if following is None:
            if note is not None and way == "right" and not extend:
                self._behind(note)
            return
        kept = scene.selected.value
        scene.choose(following)
        if extend:
            scene.selected.set(kept | {following.id})
        scene.audition(following.pitch, following.velocity)

    def escape(self) -> None:
        """End step input; outside step input deselect."""
        scene = self._scene
        if scene.settings.value.stepping:
            scene.set(stepping=False)
        elif scene.selected.value or scene.focus is not None:
            scene.on_cell = True
            scene.choose(None)

    def enter(self) -> None:
        """Add a note at the keyboard's cell; if a note begins there already, focus it."""
        scene, (at, pitch) = self._scene, self._scene.cell
        if not scene.editable:
            return
        if scene.settings.value.stepping:
            self.put_step(pitch)
            return
        there = scene.index.at(pitch, at)
        if there is not None:
            scene.choose(there)
            return
        velocity, length = scene.settings.value.velocity, scene.key_step
        pitch = scene.pitch(pitch)
        scene.on_cell = False
        scene.audition(pitch, velocity)
        scene.change(lambda clip: note_edits.drawn(clip, pitch, at, length, velocity))

    # --- notes

    def delete(self) -> None:
        """Delete the selected notes; the keyboard's cell stays where the focused one was."""
        scene = self._scene
        note = scene.focused()
        if note is not None and note.id in scene.selected.value:
            scene.cell = (note.start, note.pitch)
        self._change(note_edits.erased)

    def move(self, way: Way) -> None:
        """Move the selected notes by a grid step or a semitone; on the drum grid up and down move by a lane."""
        scene = self._scene
        if way in _UP:
            if scene.drums:
                self._by_lanes(_UP[way])
            else:
                self._change(lambda clip, ids: note_edits.moved(clip, ids, 0, _UP[way]))
            return
        note = scene.focused() or next(iter(scene.index.chosen(scene.selected.value)), None)
        if note is not None:
            by = self._stepped(note.start, _ASIDE[way]) - note.start
            self._change(lambda clip, ids: note_edits.moved(clip, ids, by, 0))

    def transpose(self, semitones: int) -> None:
        """Transpose the selected notes, or all of the clip without a selection, by semitones."""
        self._change(lambda clip, ids: roll_operations.transposed(clip, ids, semitones))

    def copy(self) -> None:
        """Copy the selected notes to the piano roll's clipboard."""
        scene = self._scene
        if scene.selected.value:
            scene.clipboard = scene.index.chosen(scene.selected.value)

    def cut(self) -> None:
        """Copy the selected notes to the clipboard and delete them."""
        self.copy()
        self.delete()

    def paste(self) -> None:
        """Insert the clipboard's notes at the playhead, or at the keyboard's cell if the playhead is outside the
        clip."""
        scene, clip, notes = self._scene, self._scene.clip, self._scene.clipboard
        if clip is not None:
            at = scene.position if 0 <= scene.position < clip.duration else scene.cell[0]
            scene.change(lambda now: note_edits.pasted(now, notes, at))

    def duplicate(self) -> None:
        """Add copies of the selected notes right after them."""
        step = self._scene.key_step
        self._change(lambda clip, ids: note_edits.duplicated(clip, ids, step))

    def quantize(self) -> None:
        """Quantize the selected notes, or all, with the chosen grid and strength."""
        how, bars = self._scene.settings.value, self._scene.bars
        grid = step_of(how.quantize)
        self._change(lambda clip, ids: roll_operations.quantized(clip, ids, bars, grid, how.strength))

    def humanize(self, seed: int) -> None:
        """Shift times and velocities of the selected notes, or of all, randomly within the chosen limits; the same seed
        gives the same result."""
        how = self._scene.settings.value
        self._change(lambda clip, ids: roll_operations.humanized(clip, ids, how.timing, how.louder, seed))

    def scale_velocity(self, factor: float) -> None:
        """Multiply the velocities of the selected notes, or of all, by a factor."""
        self._change(lambda clip, ids: roll_operations.velocities_scaled(clip, ids, factor))

    def legato(self) -> None:
        """Extend each of the selected notes, or of all, to the start of the next."""
        self._change(roll_operations.legato)

    def bring_into_scale(self) -> None:
        """Move notes outside the scale to its nearest pitch."""
        key = self._scene.key
        self._change(lambda clip, ids: roll_operations.brought_into(clip, ids, key))

    # --- step input

    def put_step(self, pitch: int, *, stay: bool = False) -> None:
        """Step input: add a note at the step cursor, which then moves on unless `stay` (for a chord)."""
        scene, at = self._scene, self._scene.cell[0]
        if not scene.editable:
            return
        pitch, length, velocity = scene.pitch(pitch), scene.key_step, scene.settings.value.velocity
        scene.audition(pitch, velocity)
        scene.change(lambda now: note_edits.put(now, [(pitch, at, length, velocity)], tr("Step input")))
        scene.move_cell(at if stay else self._stepped(at, 1), pitch)

    def letter(self, text: str, *, stay: bool = False) -> None:
        """Step input by a letter of the typing keyboard: it adds a note (`stay` as for `put_step`) or changes the
        octave."""
        scene = self._scene
        octave = octave_after(scene.settings.value.octave, text)
        pitch = pitch_of(text, scene.settings.value.octave)
        if octave is not None:
            scene.set(octave=octave)
        elif pitch is not None:
            self.put_step(pitch, stay=stay)

    def rest(self) -> None:
        """Move the step cursor on without a note."""
        self.move_step(1)

    def move_step(self, steps: int) -> None:
        """Move the step cursor by so many grid steps; negative is back."""
        at, pitch = self._scene.cell
        self._scene.move_cell(self._stepped(at, steps), pitch)

    def step_back(self) -> None:
        """Move the step cursor back one step and delete the notes that begin there."""
        self.move_step(-1)
        at = self._scene.cell[0]
        self._scene.change(lambda now: note_edits.erased_at(now, at))

    # --- within

    def _change(self, make: Callable[[Clip, frozenset[NoteId]], NoteEdit]) -> None:
        """An edit of the notes that are selected now."""
        ids = self._scene.selected.value
        self._scene.change(lambda clip: make(clip, ids))

    def _stepped(self, at: int, steps: int) -> int:
        """A tick of the clip, so many steps of the grid away."""
        scene = self._scene
        return stepped(scene.bars, scene.start + at, steps, scene.key_step) - scene.start

    def _behind(self, note: Note) -> None:
        """To the cell after the last note."""
        scene, clip = self._scene, self._scene.clip
        if clip is not None and note.end < clip.duration:
            scene.on_cell = True
            scene.choose(None)
            scene.move_cell(scene.floor(note.end, free=False), note.pitch)

    def _move_cell(self, way: Way) -> None:
        scene, axis, (at, pitch) = self._scene, self._scene.axis, self._scene.cell
        scene.on_cell = True
        if way in _UP:
            scene.move_cell(at, axis.pitch_of(axis.row(pitch) - _UP[way]))
        else:
            scene.move_cell(self._stepped(at, _ASIDE[way]), pitch)

    def _by_lanes(self, up: int) -> None:
        axis = self._scene.axis
        rows = {axis.row(note.pitch) for note in self._scene.index.chosen(self._scene.selected.value)}
        if rows and min(rows) - up >= 0 and max(rows) - up < axis.rows:
            pitches = {axis.pitch_of(row): axis.pitch_of(row - up) for row in rows}
            self._change(lambda clip, ids: note_edits.repitched(clip, ids, pitches))
