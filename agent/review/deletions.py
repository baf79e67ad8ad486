"""Deletions: rows after which a part that sounded in a bar sounds no longer there, and nothing takes its place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from agent.plan.document import Plan
from agent.plan.plan import StepId
from agent.review.preview import Preview, RowPreview
from agent.review.rule import Rule
from agent.song import edits as e
from agent.song.errors import SongError
from agent.song.ids import ClipId, TrackId
from agent.song.song import Song
from agent.theory.sounding import sounding

Cell = tuple[TrackId, int]
"""A track in a bar, counted from 1."""


def deletions(preview: Preview, song: Song) -> Iterator[tuple[StepId, TrackId, tuple[int, ...]]]:
    """Each deleting row, with a track that it silences and the bars in which nothing takes its place.

    Where bars lie elsewhere afterwards the bars are not named: a track counts that sounds in fewer of them than before.
    """
    lost = _moved_losses(song, preview.song) if _moves(preview) else _losses(song, preview.song)
    if not lost:
        return
    for row in preview.rows:
        for track, clip in _touched(row):
            bars = lost.get(track, ())
            inside = tuple(bar for bar in bars if clip is None or bar in _bars_of(row.before, clip))
            if track in lost and (inside or not bars):
                yield row.step, track, inside


def unasked(plan: Plan) -> tuple[StepId, ...]:
    """The deleting rows that no clause asks for, and all of them where something of the request was not understood."""
    deleting = tuple(dict.fromkeys(mark.step for mark in plan.lint if mark.rule == Rule.REMOVES))
    if any(clause.outcome != "done" for clause in plan.clauses):
        return deleting
    asked = {step for clause in plan.clauses if clause.removes for step in clause.steps}
    return tuple(step for step in deleting if step not in asked)


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


def _begun(song: Song) -> set[Cell]:
    """Where notes begin."""
    bars = song.bar_map
    return {(note.track, bars.bar_at(note.start)) for note in sounding(song)}


def _sounding(song: Song) -> set[Cell]:
    """Where notes sound, also those that began in an earlier bar."""
    bars = song.bar_map
    return {
        (note.track, bar)
        for note in sounding(song)
        for bar in range(bars.bar_at(note.start), bars.bar_at(max(note.start, note.end - 1)) + 1)
    }


def _losses(before: Song, after: Song) -> Mapping[TrackId, tuple[int, ...]]:
    new = _sounding(after)
    replaced = Counter(bar for _, bar in new - _sounding(before))
    lost: dict[TrackId, list[int]] = defaultdict(list)
    for track, bar in sorted(_begun(before) - new, key=lambda cell: (cell[1], cell[0])):
        if replaced[bar]:
            replaced[bar] -= 1
        else:
            lost[track].append(bar)
    return {track: tuple(bars) for track, bars in lost.items()}


def _moved_losses(before: Song, after: Song) -> Mapping[TrackId, tuple[int, ...]]:
    old, new = (Counter(track for track, _ in _sounding(song)) for song in (before, after))
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


def _touched(row: RowPreview) -> Iterator[tuple[TrackId, ClipId | None]]:
    for edit in row.edits:
        match edit:
            case e.DeleteTrack():
                yield edit.track_id, None
            case e.UpdateTrack() if edit.mute is True:
                yield edit.track_id, None
            case e.DeleteClip() | e.ModifyClip():
                try:
                    yield row.before.clip(edit.clip_id)[0].id, edit.clip_id
                except SongError:
                    continue


def _bars_of(song: Song, clip_id: ClipId) -> range:
    clip = song.clip(clip_id)[1]
    return range(song.bar_map.bar_at(clip.start), song.bar_map.bar_at(max(clip.start, clip.end - 1)) + 1)
