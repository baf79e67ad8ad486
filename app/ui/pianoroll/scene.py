"""What one piano roll shows, what is selected in it, where its keyboard is, and the way to the song; without Qt."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from msgspec.structs import replace

from agent.song.clip import Clip, Note
from agent.song.ids import ClipId, NoteId, TrackId
from agent.song.key import Key
from agent.song.song import Song
from agent.song.time import PPQ, BarMap, Ticks
from agent.theory.pitch import nearest_in_scale
from app.studio.observable import Observable
from app.ui.canvas.time_axis import PitchAxis
from app.ui.pianoroll.measures import LEAD, REACH, ROW_HEIGHT, TAIL
from app.viewmodels.open_project import OpenProject
from app.viewmodels.pianoroll.drums import lanes, plays_kit
from app.viewmodels.pianoroll.grid import GridLine, floored, key_step, lines_between, snapped, step_of
from app.viewmodels.pianoroll.note_edits import NoteEdit
from app.viewmodels.pianoroll.note_selection import NoteIndex
from app.viewmodels.pianoroll.settings import RollSettings
from app.viewmodels.pianoroll.shown import Shown, shown_clip
from app.viewmodels.proposed import ghosts_now
from app.viewmodels.texts.troubles import Place
from app.viewmodels.watched import Watched

Make = Callable[[Clip], NoteEdit]
"""Makes an edit from the clip as it is when the edit's turn comes."""
Start = Callable[[Coroutine[Any, Any, object], Place], object]
"""Runs work on the event loop; errors are reported at the given place."""
_NO_NOTES = NoteIndex(())
_MIDDLE = 60


class RollAxis(PitchAxis):
    """A pitch axis with some pixels before the clip's start and after its end."""

    def x(self, at: float) -> float:
        """Pixel x of a tick."""
        return at / PPQ * self.per_beat + LEAD - self.left

    def at(self, x: float) -> float:
        """Tick at pixel x."""
        return (x + self.left - LEAD) / self.per_beat * PPQ

    @property
    def width(self) -> int:
        """Width in pixels of the clip with the room around it."""
        return super().width + LEAD + TAIL


class RollScene:
    """State of one piano roll; `start` runs work on the event loop. Signals: `changed` when it must be repainted,
    `renewed` when another clip or another state of the clip is shown, `edited` when an edit by keys or a menu is in the
    song (after a drag the result is visible already)."""

    def __init__(self, opened: OpenProject, start: Start) -> None:
        self.opened = opened
        self._start = start
        self.axis = RollAxis(48.0, ROW_HEIGHT)
        self.changed: Observable[None] = Observable()
        self.renewed: Observable[None] = Observable()
        self.edited: Observable[None] = Observable()
        self.settings: Watched[RollSettings] = Watched(RollSettings())
        self.selected: Watched[frozenset[NoteId]] = Watched(frozenset())
        self.focus: NoteId | None = None
        """The note that the keyboard is at."""
        self.cell: tuple[Ticks, int] = (Ticks(0), _MIDDLE)
        """Tick and pitch at which Enter draws, and where step input goes on."""
        self.on_cell = False
        """Whether arrow keys move the keyboard's cell, not the focus between notes."""
        self.clipboard: tuple[Note, ...] = ()
        self.shown: Shown | None = None
        self.kits: frozenset[TrackId] = frozenset()
        """Tracks whose pitches are drums."""
        self.index = _NO_NOTES
        self._turn = asyncio.Lock()
        self._lines: tuple[BarMap, tuple[float, ...], tuple[GridLine, ...]] | None = None

    def repaint(self) -> None:
        """Emit `changed`."""
        self.changed.emit(None)

    # --- what is shown

    def renew(self) -> None:
        """Read again which clip is shown, and its state."""
        opened, before = self.opened, self.shown
        shown = shown_clip(
            opened.workspace.song, ghosts_now(opened), opened.locks.value, opened.studio.palette,
            opened.focus.clip.value, planned=self.settings.value.planned,
        )
        if before is None if shown is None else shown.same(before):
            return
        if shown is not None and (before is None or shown.song is not before.song):
            palette = opened.studio.palette
            self.kits = frozenset(track.id for track in shown.song.tracks if plays_kit(track, palette))
        self.shown = shown
        notes = () if shown is None else shown.clip.notes
        if self.index.notes is not notes:
            self.index = NoteIndex(notes)
        if before is None or shown is None or before.clip.id != shown.clip.id:
            self.selected.set(frozenset())
            self.focus, self.on_cell = None, False
            self.cell = (Ticks(0), _usual_pitch(notes, kit=shown is not None and shown.kit))
        else:
            self.selected.set(self.index.kept(self.selected.value))
            self.focus = self.focus if self.focus in self.index.by_id else None
        self.axis.length = 0 if shown is None else shown.clip.duration
        self.show_rows()
        self.renewed.emit(None)

    def show_rows(self) -> None:
        """Show the rows of a drum grid, or those of all pitches."""
        self.axis.show_lanes(lanes(self.index.pitches, whole=self.settings.value.whole_kit) if self.drums else ())

    @property
    def drums(self) -> bool:
        """Whether notes are shown as hits on named lanes."""
        return self.shown is not None and self.shown.kit and self.settings.value.grid_for_kits

    @property
    def song(self) -> Song:
        """The working song."""
        return self.opened.workspace.song

    @property
    def bars(self) -> BarMap:
        """Bars of the song."""
        return self.song.bar_map

    @property
    def clip(self) -> Clip | None:
        """The clip that is shown; None for none."""
        return None if self.shown is None else self.shown.clip

    @property
    def start(self) -> int:
        """Tick of the song at which the clip begins; 0 without a clip."""
        return 0 if self.clip is None else self.clip.start

    @property
    def editable(self) -> bool:
        """Whether the clip can be edited by hand."""
        return self.shown is not None and self.shown.editable

    @property
    def key(self) -> Key:
        """The scale that is lit and that notes are kept to: the chosen one, else the song's key."""
        return self.settings.value.key or self.song.key

    # --- settings

    def set(self, **fields: object) -> None:
        """Change settings; the names are those of the fields of `RollSettings`."""
        self.settings.set(replace(self.settings.value, **fields))

    # --- places

    @property
    def step(self) -> Ticks:
        """The grid in ticks; 0 while it is off."""
        return step_of(self.settings.value.snap)

    @property
    def key_step(self) -> Ticks:
        """Ticks by which keys move notes and cursor; also the length of a new note."""
        return key_step(self.settings.value.snap)

    def snap(self, at: float, free: bool) -> int:
        """The grid position nearest to a tick of the clip, within the clip; with `free` the nearest tick."""
        clip = self.clip
        if clip is None:
            return 0
        near = snapped(self.bars, clip.start + at, 0 if free else self.step) - clip.start
        return max(0, min(clip.duration, near))

    def floor(self, at: float, free: bool) -> int:
        """The grid position at or before a tick of the clip, within the clip; with `free` the tick itself."""
        clip = self.clip
        if clip is None:
            return 0
        place = floored(self.bars, clip.start + at, 0 if free else self.step) - clip.start
        return max(0, min(clip.duration - 1, place))

    def lines(self, left: float, right: float) -> tuple[GridLine, ...]:
        """Grid lines within the clip, at least those from pixel `left` to `right`; cached for the parts of a frame."""
        clip, bars, per_beat = self.clip, self.bars, self.axis.per_beat
        if clip is None:
            return ()
        first = bars.bar_at(clip.start + max(0, int(self.axis.at(left))))
        last = bars.bar_at(clip.start + max(0, min(clip.duration, int(self.axis.at(right)))))
        key = (first, last, clip.start, clip.end, self.step, per_beat)
        if self._lines is None or self._lines[0] is not bars or self._lines[1] != key:
            start, end = max(clip.start, bars.start_of(first)), min(clip.end, bars.start_of(last + 1))
            self._lines = bars, key, tuple(lines_between(bars, start, end, self.step, per_beat))
        return self._lines[2]

    @property
    def position(self) -> int:
        """The playhead in ticks from the clip's start; outside the clip negative or beyond its length."""
        return self.opened.playback.position() - self.start

    def note_at(self, x: float, y: float) -> Note | None:
        """The topmost note or hit at pixel (x, y) of the notes' area; None for none."""
        axis = self.axis
        if not 0 <= y + axis.top < axis.height:
            return None
        pitch, at = axis.pitch(y), axis.at(x)
        if self.drums:
            return self.index.near(pitch, at, axis.ticks(axis.row_height / 2))
        return self.index.at(pitch, at) or self.index.near(pitch, at, axis.ticks(REACH))

    def pitch(self, pitch: int) -> int:
        """The pitch for a new or moved note: the nearest in the scale if notes are kept to it, else unchanged."""
        if self.settings.value.keep_to_scale and not (self.shown is not None and self.shown.kit):
            return nearest_in_scale(self.key, pitch)
        return pitch

    # --- selection

    def choose(self, note: Note | None, *, extend: bool = False) -> None:
        """Select one note; with `extend` add it to the selection or remove it. None deselects, unless `extend`."""
        if note is None:
            if not extend:
                self.selected.set(frozenset())
            self.focus = None
        else:
            self.focus, self.on_cell = note.id, False
            self.cell = (note.start, note.pitch)
            self.selected.set(self.selected.value ^ {note.id} if extend else frozenset([note.id]))
        self.repaint()

    def move_cell(self, at: int, pitch: int) -> None:
        """Move the keyboard's cell to a tick (limited to the clip) and a pitch."""
        if self.clip is not None:
            self.cell = Ticks(max(0, min(self.clip.duration - 1, at))), pitch
            self.repaint()

    def focused(self) -> Note | None:
        """The note that has the keyboard focus; None for none."""
        return None if self.focus is None else self.index.by_id.get(self.focus)

    # --- the way to the song

    def change(self, make: Make, settled: Callable[[], None] | None = None) -> None:
        """Commit an edit to the song, after those requested before; `settled` is called when it is stored or
        refused."""
        if self.shown is None or not self.editable:
            if settled is not None:
                settled()
            return
        self._start(self._change(self.shown.clip.id, make, settled), "timeline")

    async def _change(self, clip_id: ClipId, make: Make, settled: Callable[[], None] | None) -> None:
        try:
            # Each edit is made from what the one before it left: keys come faster than versions are stored.
            async with self._turn:
                found = next((clip for _, clip in self.song.clips() if clip.id == clip_id), None)
                edit = NoteEdit() if found is None else make(found)
                if edit.edits:
                    await self.opened.edit(edit.edits, edit.label)
                    self._made(clip_id, edit)
                    if settled is None:
                        self.edited.emit(None)
        finally:
            if settled is not None:
                settled()
            self.repaint()

    def _made(self, clip_id: ClipId, edit: NoteEdit) -> None:
        self.renew()
        made = self.index.kept(edit.made)
        if made and self.shown is not None and self.shown.clip.id == clip_id:
            self.selected.set(made)
            self.focus = edit.made[0] if edit.made[0] in made else next(iter(made))

    def audition(self, pitch: int, velocity: int = 0) -> None:
        """Play one note; `velocity` 0 means the one chosen for new notes."""
        if self.shown is not None:
            loud = velocity or self.settings.value.velocity
            self.opened.playback.audition(self.shown.track.id, pitch, loud)


def _usual_pitch(notes: tuple[Note, ...], *, kit: bool) -> int:
    if kit:
        return 36
    pitches = sorted(note.pitch for note in notes)
    return pitches[len(pitches) // 2] if pitches else _MIDDLE
