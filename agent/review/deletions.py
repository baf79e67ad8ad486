"""Deletions: rows after which a part that sounded in a bar sounds no longer there, or has fewer notes there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import UNSET, Struct

from agent.plan.document import Plan
from agent.plan.plan import StepId
from agent.review.preview import Preview, RowPreview
from agent.review.rule import Rule
from agent.song import edits as e
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.sounding import Sounding, percussive_tracks, sounding

Cell = tuple[TrackId, int]
"""A track in a bar, counted from 1."""
_ENOUGH = 0.5
"""So large a share of what was played there is a replacement; less is a loss."""
_BASS = 52
"""Parts that lie below this MIDI pitch on average carry the bass."""
_NEAR = 12
"""Semitones between two parts that can do the same work, whichever side of `_BASS` they lie on."""


class Playing(Struct, frozen=True):
    """What a track does in one bar: `strokes` at different times, ticks in which it `sounds`, and its `pitches`;
    `percussive` for drums."""

    percussive: bool
    strokes: int
    sounds: int
    pitches: tuple[int, ...]

    def replaces(self, other: Playing) -> bool:
        """Whether a listener would hear this in the place of `other`; both are percussive, or neither is.

        Drums are replaced by at least half as many strokes on half as many drums; what has pitches by something in its
        register that is struck half as often or sounds half as long.
        """
        busy = self.strokes >= _ENOUGH * other.strokes
        if self.percussive:
            return busy and len(set(self.pitches)) >= _ENOUGH * len(set(other.pitches))
        return (busy or self.sounds >= _ENOUGH * other.sounds) and _same_register(self.pitches, other.pitches)


def playing(song: Song, cells: Collection[Cell], palette: Palette) -> Mapping[Cell, Playing]:
    """What is played in each of `cells` (track and bar); silent cells are left out."""
    wanted, percussive = frozenset(cells), percussive_tracks(song, palette)
    bars, notes = song.bar_map, defaultdict[Cell, list[Sounding]](list)
    for note in sounding(song, {track for track, _ in wanted}):
        for bar in range(bars.bar_at(note.start), bars.bar_at(max(note.start, note.end - 1)) + 1):
            if (note.track, bar) in wanted:
                notes[note.track, bar].append(note)
    return {cell: _playing(inside, percussive=cell[0] in percussive) for cell, inside in notes.items()}


def _unreplaced(lost: Mapping[Cell, Playing], new: Mapping[Cell, Playing]) -> frozenset[Cell]:
    """The cells of `lost` for which nothing in `new` is left in their bar; each new cell replaces only one."""
    free: dict[tuple[int, bool], list[Playing]] = defaultdict(list)
    for (_, bar), one in new.items():
        free[bar, one.percussive].append(one)
    return frozenset(cell for cell, gone in lost.items() if not _take(gone, free[cell[1], gone.percussive]))


def _take(gone: Playing, free: list[Playing]) -> bool:
    """Use up the fewest of the parts that replace one together; none where all of them do not."""
    free.sort(key=lambda one: -one.strokes)
    for count in range(1, len(free) + 1):
        if _together(free[:count]).replaces(gone):
            del free[:count]
            return True
    return False


def _together(parts: Sequence[Playing]) -> Playing:
    if len(parts) == 1:
        return parts[0]
    return Playing(
        parts[0].percussive, sum(one.strokes for one in parts), max(one.sounds for one in parts),
        tuple(pitch for one in parts for pitch in one.pitches),
    )


def _playing(notes: Sequence[Sounding], *, percussive: bool) -> Playing:
    sounds = reach = 0
    for note in notes:
        sounds += max(0, note.end - max(reach, note.start))
        reach = max(reach, note.end)
    return Playing(percussive, len({note.start for note in notes}), sounds, tuple(note.pitch for note in notes))


def _same_register(some: Sequence[int], others: Sequence[int]) -> bool:
    one, other = (sum(pitches) / len(pitches) for pitches in (some, others))
    return (one < _BASS) == (other < _BASS) or abs(one - other) <= _NEAR


_FEW, _SHARE = 2, 0.02
"""So many notes, and such a share of them, may go without being told."""
_REWRITTEN = 0.5
"""The share that may go where the words ask for another style, in which other notes are played."""


class Thinning(Struct, frozen=True):
    """A row that removes notes from a track that still plays in those bars: `lost` of the `before` notes that it had
    there."""

    step: StepId
    track: TrackId
    lost: int
    before: int


def deletions(
    preview: Preview, song: Song, palette: Palette
) -> Iterator[tuple[StepId, TrackId, tuple[int, ...]]]:
    """(row, track, bars): each deleting row, with a track that it silences and the ascending bars, from 1, in which
    nothing similar takes its place.

    If the plan moves clips or changes the meter, the bars are empty: a track counts that plays in fewer of them than
    before.
    """
    lost = _moved_losses(song, preview.song) if _moves(preview) else _losses(song, preview.song, palette)
    if not lost:
        return
    for row in preview.rows:
        for track, clip in _touched(row):
            bars = lost.get(track, ())
            inside = tuple(bar for bar in bars if clip is None or bar in _bars_of(row.before, clip))
            if track in lost and (inside or not bars):
                yield row.step, track, inside


def thinnings(
    preview: Preview, song: Song, deleted: Iterable[tuple[StepId, TrackId, tuple[int, ...]]]
) -> Iterator[Thinning]:
    """The rows that take notes from a track in bars in which it still plays, where no other row makes up for them.

    If the plan moves clips or changes the meter, all bars of the track count. Rows in `deleted`, the result of
    `deletions`, are left out.
    """
    silenced = {(step, track) for step, track, _ in deleted}
    fewer = _fewer(song, preview.song)
    still = None if not fewer or _moves(preview) else _sounding(preview.song, fewer)
    for row in preview.rows if fewer else ():
        for track in dict.fromkeys(track for track, _ in _touched(row, notes_only=True) if track in fewer):
            if (row.step, track) in silenced:
                continue
            had, has = (_begun_there(one, track, still) for one in (row.before, row.after))
            lost = min(had - has, _begun_there(song, track, still) - _begun_there(preview.song, track, still))
            if lost > _FEW and lost > _SHARE * had:
                yield Thinning(row.step, track, lost, had)


def surprising(plan: Plan, thinning: Thinning) -> bool:
    """Whether the person did not ask for so many notes to go: no clause that the row serves asks for fewer notes, nor
    for a removal or another style by which at most half of the notes go."""
    serving = [clause for clause in plan.clauses if thinning.step in clause.steps]
    if any(clause.thins for clause in serving):
        return False
    return not any(clause.removes for clause in serving) or thinning.lost > _REWRITTEN * thinning.before


def unasked(plan: Plan) -> tuple[StepId, ...]:
    """Ids of the deleting rows that no clause asks for, in plan order.

    If a part of the request was not done, these are all deleting rows, and those rows that take notes without a clause
    that asks for a removal.
    """
    deleting = _marked(plan, Rule.REMOVES)
    asked = {step for clause in plan.clauses if clause.removes for step in clause.steps}
    if any(clause.outcome != "done" for clause in plan.clauses):
        taking = {*deleting, *(step for step in _marked(plan, Rule.THINS) if step not in asked)}
        return tuple(step.id for step in plan.steps if step.id in taking)
    return tuple(step for step in deleting if step not in asked)


def _marked(plan: Plan, rule: Rule) -> tuple[StepId, ...]:
    return tuple(dict.fromkeys(mark.step for mark in plan.lint if mark.rule == rule))


def _fewer(before: Song, after: Song) -> frozenset[TrackId]:
    """The tracks that are still there and have fewer notes than before."""
    counts = {track.id: track.note_count for track in after.tracks}
    return frozenset(track.id for track in before.tracks if counts.get(track.id, track.note_count) < track.note_count)


def _begun_there(song: Song, track: TrackId, still: Collection[Cell] | None) -> int:
    """How many notes of a track begin in bars in which it sounds in the end."""
    bars = song.bar_map
    starts = (clip.start + note.start for clip in song.track(track).clips for note in clip.notes)
    return sum(still is None or (track, bars.bar_at(start)) in still for start in starts)


def bar_words(bars: Sequence[int]) -> str:
    """Rising numbers of bars as a person writes them: "bar 3", "bars 3–5 and 9"."""
    runs: list[list[int]] = []
    for bar in bars:
        if runs and bar == runs[-1][-1] + 1:
            runs[-1].append(bar)
        else:
            runs.append([bar])
    said = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    listed = " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)
    return f"{'bar' if len(bars) == 1 else 'bars'} {listed}"


def _begun(song: Song, tracks: Collection[TrackId]) -> set[Cell]:
    """Where notes of tracks begin."""
    bars = song.bar_map
    return {(note.track, bars.bar_at(note.start)) for note in sounding(song, tracks)}


def _sounding(song: Song, tracks: Collection[TrackId]) -> set[Cell]:
    """Where notes of tracks sound, also those that began in an earlier bar."""
    bars = song.bar_map
    return {
        (note.track, bar)
        for note in sounding(song, tracks)
        for bar in range(bars.bar_at(note.start), bars.bar_at(max(note.start, note.end - 1)) + 1)
    }


def _losses(before: Song, after: Song, palette: Palette) -> Mapping[TrackId, tuple[int, ...]]:
    changed = _changed(before, after)
    begun = _begun(before, changed)
    if not begun:
        return {}
    now = _sounding(after, changed)
    silent = begun - now
    if not silent:
        return {}
    gone = playing(before, sorted(silent, key=lambda cell: (cell[1], cell[0])), palette)
    bars: dict[TrackId, list[int]] = defaultdict(list)
    for track, bar in _unreplaced(gone, playing(after, now - _sounding(before, changed), palette)):
        bars[track].append(bar)
    return {track: tuple(sorted(found)) for track, found in bars.items()}


def _changed(before: Song, after: Song) -> frozenset[TrackId]:
    """The tracks of either song that are not the same in both, which others cannot lose notes; all where bars moved."""
    still = before.meters == after.meters
    kept = {id(track) for track in before.tracks} & {id(track) for track in after.tracks} if still else set()
    return frozenset(track.id for song in (before, after) for track in song.tracks if id(track) not in kept)


def _moved_losses(before: Song, after: Song) -> Mapping[TrackId, tuple[int, ...]]:
    every = frozenset(track.id for song in (before, after) for track in song.tracks)
    old, new = (Counter(track for track, _ in _sounding(song, every)) for song in (before, after))
    return {track: () for track, count in old.items() if new[track] < count}


def _moves(preview: Preview) -> bool:
    """Whether something of the song before lies elsewhere in time afterwards, or in other bars."""
    for row in preview.rows:
        for edit in row.edits:
            if isinstance(edit, e.SetTimeSignature):
                return True
            if isinstance(edit, e.ModifyClip) and edit.start_time is not UNSET:
                return True
    return False


def _touched(row: RowPreview, *, notes_only: bool = False) -> Iterator[tuple[TrackId, ClipId | None]]:
    for edit in row.edits:
        match edit:
            case e.DeleteTrack() if not notes_only:
                yield edit.track_id, None
            case e.UpdateTrack() if edit.mute is True and not notes_only:
                yield edit.track_id, None
            case e.DeleteClip() | e.ModifyClip():
                try:
                    yield row.before.clip(edit.clip_id)[0].id, edit.clip_id
                except SongError:
                    continue


def _bars_of(song: Song, clip_id: ClipId) -> range:
    clip = song.clip(clip_id)[1]
    return range(song.bar_map.bar_at(clip.start), song.bar_map.bar_at(max(clip.start, clip.end - 1)) + 1)
