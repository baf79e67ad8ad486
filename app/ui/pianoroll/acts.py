"""What keys, menus and buttons let the piano roll do with the notes."""

from __future__ import annotations

from agent.song.clip import Note
from agent.song.time import Ticks
from app.desktop.roll import note_edits
from app.desktop.roll import operations as roll_operations
from app.desktop.roll.grid import step_of, stepped
from app.desktop.roll.note_selection import Way
from app.desktop.roll.step_input import octave_after, pitch_of
from app.ui.kit.canvas.pointing import Spot
from app.ui.pianoroll.stage import Stage
from app.words import tr

_UP: dict[Way, int] = {"up": 1, "down": -1}
_ASIDE: dict[Way, int] = {"right": 1, "left": -1}


class Acts:
    """Each method is one action; none does anything where there is nothing to do."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    # --- selection

    def select_all(self) -> None:
        """Every note of the clip."""
        stage = self._stage
        stage.selected.set(frozenset(note.id for note in stage.index.notes))
        stage.repaint()

    def go(self, way: Way, *, extend: bool = False) -> None:
        """The note beside the focused one; without one, the cell moves by the grid or a row."""
        stage = self._stage
        note = stage.focused()
        if stage.clip is None:
            return
        if note is None and (stage.on_cell or not stage.index.notes):
            self._move_cell(way)
            return
        following = stage.index.nearest(stage.cell[0]) if note is None else stage.index.beside(note, way)
        if following is None:
            if note is not None and way == "right" and not extend:
                self._behind(note)
            return
        kept = stage.selected.value
        stage.choose(following)
        if extend:
            stage.selected.set(kept | {following.id})
        stage.audition(following.pitch, following.velocity)

    def escape(self) -> bool:
        """Step input ends, then the selection; whether there was anything to end."""
        stage = self._stage
        if stage.settings.value.stepping:
            stage.set(stepping=False)
        elif stage.selected.value or stage.focus is not None:
            stage.choose(None)
            stage.on_cell = True
        else:
            return False
        stage.repaint()
        return True

    def enter(self) -> None:
        """Draw at the cell; where a note begins there already, focus it."""
        stage, (at, pitch) = self._stage, self._stage.cell
        if not stage.editable:
            return
        if stage.settings.value.stepping:
            self.put_step(pitch)
            return
        there = stage.index.at(pitch, at)
        if there is not None:
            stage.choose(there)
            return
        velocity, length = stage.settings.value.velocity, stage.key_step
        pitch = stage.pitch(pitch)
        stage.on_cell = False
        stage.audition(pitch, velocity)
        stage.change(lambda clip: note_edits.drawn(clip, pitch, at, length, velocity))

    # --- notes

    def delete(self) -> None:
        """The selected notes; the keyboard stays near."""
        stage, gone = self._stage, self._stage.selected.value
        note = stage.focused()
        if note is not None and note.id in gone:
            stage.cell = (note.start, note.pitch)
        stage.change(lambda clip: note_edits.erased(clip, gone))

    def move(self, way: Way) -> None:
        """The selected notes, by the grid or a semitone; on the drum grid by a lane."""
        stage, ids = self._stage, self._stage.selected.value
        if way in _UP:
            up = _UP[way]
            if stage.drums:
                self._by_lanes(up)
            else:
                self._nudge(0, up)
            return
        note = stage.focused() or next(iter(stage.index.chosen(ids)), None)
        clip = stage.clip
        if note is not None and clip is not None:
            at = clip.start + note.start
            self._nudge(stepped(stage.bars, at, _ASIDE[way], stage.key_step) - at, 0)

    def transpose(self, semitones: int) -> None:
        """Higher or lower; all notes where none is selected."""
        ids = self._stage.selected.value
        self._stage.change(lambda clip: roll_operations.transposed(clip, ids, semitones))

    def copy(self) -> None:
        """Keep the selected notes to paste them."""
        stage = self._stage
        if stage.selected.value:
            stage.clipboard = stage.index.chosen(stage.selected.value)

    def cut(self) -> None:
        """Keep them, and take them out."""
        self.copy()
        self.delete()

    def paste(self) -> None:
        """What was kept, at the playhead; where that is outside the clip, at the cell."""
        stage, clip, notes = self._stage, self._stage.clip, self._stage.clipboard
        if clip is None:
            return
        at = stage.opened.playback.position() - clip.start
        if not 0 <= at < clip.duration:
            at = stage.cell[0]
        stage.change(lambda now: note_edits.pasted(now, notes, at))

    def duplicate(self) -> None:
        """Repeat the selected notes right after themselves."""
        stage, ids, step = self._stage, self._stage.selected.value, self._stage.key_step
        stage.change(lambda clip: note_edits.duplicated(clip, ids, step))

    def quantize(self) -> None:
        """To the grid that was chosen for it."""
        stage, ids, how = self._stage, self._stage.selected.value, self._stage.settings.value
        bars, grid = stage.bars, step_of(how.quantize)
        stage.change(lambda clip: roll_operations.quantized(clip, ids, bars, grid, how.strength))

    def humanize(self, seed: int) -> None:
        """As far as was chosen; the same seed always does the same."""
        ids, how = self._stage.selected.value, self._stage.settings.value
        self._stage.change(lambda clip: roll_operations.humanized(clip, ids, how.timing, how.louder, seed))

    def scale_velocity(self, factor: float) -> None:
        """Louder or softer."""
        ids = self._stage.selected.value
        self._stage.change(lambda clip: roll_operations.velocities_scaled(clip, ids, factor))

    def legato(self) -> None:
        """Each note until the next."""
        ids = self._stage.selected.value
        self._stage.change(lambda clip: roll_operations.legato(clip, ids))

    def bring_into_scale(self) -> None:
        """Notes outside the scale to its nearest pitch."""
        ids, key = self._stage.selected.value, self._stage.key
        self._stage.change(lambda clip: roll_operations.brought_into(clip, ids, key))

    # --- step input

    def put_step(self, pitch: int, *, stay: bool = False) -> None:
        """A note at the step cursor, which goes on unless it is to `stay` for a chord."""
        stage, (at, _), clip = self._stage, self._stage.cell, self._stage.clip
        if clip is None or not stage.editable:
            return
        pitch, length, velocity = stage.pitch(pitch), stage.key_step, stage.settings.value.velocity
        stage.audition(pitch, velocity)
        stage.change(lambda now: note_edits.put(now, [(pitch, at, length, velocity)], tr("Step input")))
        stage.cell = (at if stay else self._after(at), pitch)
        stage.repaint()

    def put_there(self, pitch: int, spot: Spot) -> None:
        """A click in step input: the note comes to the step cursor; with Alt the cursor comes to the click."""
        if spot.copy:
            self._stage.cell = (self._stage.key_place(spot), pitch)
        self.put_step(pitch)

    def letter(self, text: str, *, stay: bool = False) -> bool:
        """A letter of the typing keyboard; whether it meant anything."""
        stage = self._stage
        octave = octave_after(stage.settings.value.octave, text)
        if octave is not None:
            stage.set(octave=octave)
            return True
        pitch = pitch_of(text, stage.settings.value.octave)
        if pitch is not None:
            self.put_step(pitch, stay=stay)
        return pitch is not None

    def rest(self) -> None:
        """The step cursor goes on without a note."""
        stage = self._stage
        stage.cell = (self._after(stage.cell[0]), stage.cell[1])
        stage.repaint()

    def move_step(self, steps: int) -> None:
        """The step cursor elsewhere, by the grid."""
        stage, clip = self._stage, self._stage.clip
        if clip is not None:
            at = stepped(stage.bars, clip.start + stage.cell[0], steps, stage.key_step) - clip.start
            stage.cell = (Ticks(max(0, min(clip.duration - 1, at))), stage.cell[1])
            stage.repaint()

    def step_back(self) -> None:
        """The step cursor goes back, and what begins there goes."""
        stage, clip = self._stage, self._stage.clip
        if clip is None:
            return
        at = max(0, stepped(stage.bars, clip.start + stage.cell[0], -1, stage.key_step) - clip.start)
        stage.cell = (Ticks(at), stage.cell[1])
        stage.change(lambda now: note_edits.erased_at(now, at))
        stage.repaint()

    # --- within

    def _after(self, at: int) -> Ticks:
        stage, clip = self._stage, self._stage.clip
        if clip is None:
            return Ticks(at)
        return Ticks(min(clip.duration - 1, stepped(stage.bars, clip.start + at, 1, stage.key_step) - clip.start))

    def _behind(self, note: Note) -> None:
        """To the cell after the last note."""
        stage, clip = self._stage, self._stage.clip
        if clip is None or note.end >= clip.duration:
            return
        stage.choose(None)
        stage.cell, stage.on_cell = (Ticks(stage.floor(note.end, free=False)), note.pitch), True
        stage.repaint()

    def _move_cell(self, way: Way) -> None:
        stage, clip = self._stage, self._stage.clip
        assert clip is not None
        at, pitch = stage.cell
        if way in _UP:
            row = stage.axis.row(pitch) - _UP[way]
            pitch = stage.axis.pitch_of(row)
        else:
            at = Ticks(stepped(stage.bars, clip.start + at, _ASIDE[way], stage.key_step) - clip.start)
        stage.cell = (Ticks(max(0, min(clip.duration - 1, at))), pitch)
        stage.on_cell = True
        stage.repaint()

    def _nudge(self, by: int, semitones: int) -> None:
        ids = self._stage.selected.value
        self._stage.change(lambda clip: note_edits.moved(clip, ids, by, semitones))

    def _by_lanes(self, up: int) -> None:
        stage, ids, axis = self._stage, self._stage.selected.value, self._stage.axis
        rows = [axis.row(note.pitch) for note in stage.index.chosen(ids)]
        if rows and min(rows) - up >= 0 and max(rows) - up < axis.rows:
            pitches = {row: axis.pitch_of(row - up) for row in rows}
            stage.change(lambda clip: note_edits.repitched(clip, ids, {
                axis.pitch_of(row): pitch for row, pitch in pitches.items()
            }))
