"""The notes that a row of the plan writes, beside those that it takes the place of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.review.preview import RowPreview
from agent.song.clip import Clip
from agent.song.ids import ClipId
from agent.song.song import Song
from app.words import tr, trn

_FEWEST_PITCHES = 12

Drawn = tuple[int, int, int]
"""Start and length in ticks within the clip, and the pitch."""


class RowNotes(Struct, frozen=True):
    """Notes of one clip: as before, new, and gone. `length` is the longer of both clips, in ticks; `low` and `high` are
    the pitches to show. `clip` is where the new notes lie, or lay."""

    clip: ClipId
    name: str
    length: int
    low: int
    high: int
    kept: tuple[Drawn, ...] = ()
    new: tuple[Drawn, ...] = ()
    gone: tuple[Drawn, ...] = ()

    @property
    def words(self) -> str:
        """ "12 notes: 4 new, 8 as before, 2 gone"."""
        count = len(self.kept) + len(self.new)
        parts = [
            tr("{count} new", count=len(self.new)) if self.new else "",
            tr("{count} as before", count=len(self.kept)) if self.kept else "",
            tr("{count} gone", count=len(self.gone)) if self.gone else "",
        ]
        said = ", ".join(part for part in parts if part)
        return f"{trn('{count} note', '{count} notes', count)}: {said}" if said else tr("No notes")


def row_notes(preview: RowPreview) -> RowNotes | None:
    """The notes of the first clip that a row changes; None for a row that writes into no clip."""
    for clip_id in _clips(preview):
        before, after = _clip(preview.before, clip_id), _clip(preview.after, clip_id)
        if before is not after and (before or after) is not None:
            return _compared(clip_id, before, after)
    return None


def _clips(preview: RowPreview) -> Iterator[ClipId]:
    for edit in preview.edits:
        for name in ("new_clip_id", "clip_id"):
            found = getattr(edit, name, None)
            if isinstance(found, str) and found:
                yield ClipId(found)


def _clip(song: Song, clip_id: ClipId) -> Clip | None:
    return next((clip for _, clip in song.clips() if clip.id == clip_id), None)


def _compared(clip_id: ClipId, before: Clip | None, after: Clip | None) -> RowNotes:
    old, new = _notes(before), _notes(after)
    was, now = set(old), set(new)
    pitches = [pitch for _, _, pitch in (*old, *new)] or [60]
    low, high = min(pitches), max(pitches)
    missing = max(0, _FEWEST_PITCHES - 1 - (high - low))
    shown = after or before
    return RowNotes(
        clip_id, "" if shown is None else shown.name,
        max([clip.duration for clip in (before, after) if clip is not None]), low - missing // 2,
        high + missing - missing // 2, tuple(note for note in new if note in was),
        tuple(note for note in new if note not in was), tuple(note for note in old if note not in now),
    )


def _notes(clip: Clip | None) -> Sequence[Drawn]:
    return () if clip is None else [(note.start, note.duration, note.pitch) for note in clip.notes]
