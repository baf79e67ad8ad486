"""Which rows of a run concern what a question names."""

from __future__ import annotations

from agent.chat.answering.wording import places
from agent.chat.context import RowOfRun, RunFacts
from agent.chat.messages import About
from agent.song.ids import TrackId
from agent.song.song import Song

_Placed = tuple[int, int, int, int]


def rows_concerning(run: RunFacts, about: About, song: Song) -> tuple[RowOfRun, ...]:
    """The rows with the named numbers; else those that touch the named parts, and of these where bars or sections are
    named only those of parts whose notes there differ between the song before the run and `song`, or that have a named
    section in their title. All rows where nothing is named."""
    if about.rows:
        return tuple(row for row in run.rows if row.number in about.rows)
    rows = tuple(row for row in run.rows if _of_parts(row, about, run))
    where = places(about, song)
    if not where:
        return rows
    touched = _changed_in(run.before, song, [(first, last) for _, first, last in where])
    names = [song.section(one).name.casefold() for one in about.sections]
    return tuple(
        row for row in rows
        if touched & set(row.tracks) or any(name in row.title.casefold() for name in names)
    )


def tracks_gone(before: Song, about: About) -> set[TrackId]:
    """Tracks that were there before under the names of parts that are not there now."""
    return {
        track.id for track in before.tracks
        if any(word in f"{track.name} {track.instrument}".casefold() for word in about.absent)
    }


def _of_parts(row: RowOfRun, about: About, run: RunFacts) -> bool:
    if about.tracks:
        return any(track in row.tracks for track in about.tracks)
    if about.absent:
        gone = tracks_gone(run.before, about)
        return any(track in row.tracks for track in gone) or any(word in row.title.casefold() for word in about.absent)
    return True


def _changed_in(before: Song, after: Song, where: list[tuple[int, int]]) -> set[TrackId]:
    """The tracks whose notes in some bars of `after` are not those that were there before."""
    spans: list[tuple[int, int]] = [after.bar_map.span(first, last) for first, last in where]
    old, new = _notes(before, spans), _notes(after, spans)
    return {track for track in {*old, *new} if old.get(track) != new.get(track)}


def _notes(song: Song, spans: list[tuple[int, int]]) -> dict[TrackId, set[_Placed]]:
    found: dict[TrackId, set[_Placed]] = {}
    for track, clip in song.clips():
        for note in clip.notes:
            at = clip.start + note.start
            if any(start <= at < end for start, end in spans):
                found.setdefault(track.id, set()).add((at, note.pitch, note.duration, note.velocity))
    return found
