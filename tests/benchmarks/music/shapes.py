"""What became of the shape of a song: bars that came, chords that changed, parts that another one plays."""

from __future__ import annotations

from collections.abc import Sequence

from agent.song.palette import Family
from agent.song.song import Song
from agent.theory.harmony import bar_chords
from agent.theory.sounding import family_tracks, kit_tracks, sounding
from tests.benchmarks.music import checks as c
from tests.benchmarks.music.excerpts import Span, excerpt, strokes
from tests.benchmarks.music.result import Result, track_called, unless


def grown(result: Result, asked: c.Grows) -> str:
    """Why the new bars are not where and as they were asked for; empty when they are."""
    before, after = result.before.bars, result.after.bars
    more = after - before
    if more <= 0 or (asked.bars is not None and more != asked.bars):
        return f"{before} bars became {after}"
    first = asked.at or before + 1
    old = [span for span in ((1, first - 1), (first, before)) if span[0] <= span[1]]
    moved_on = [span for span in ((1, first - 1), (first + more, after)) if span[0] <= span[1]]
    count = excerpt(result.after, ((first, first + more - 1),)).note_count
    if not count:
        return "the new bars are empty"
    if asked.thin and count / more >= result.before.note_count / before:
        return f"{count / more:.0f} notes a bar in the new bars, {result.before.note_count / before:.0f} in the song"
    was, now = onsets(result.before, old), onsets(result.after, moved_on)
    kept = len(was & now) / max(1, len(was))
    # a fill or a pickup may lead over, an ending may be taken back: the rest stays
    return unless(kept >= 0.9, f"only {kept:.0%} of the other bars' notes stay")


def doubled(result: Result, name: str) -> str:
    """Why no new track plays along with one; empty when one does."""
    old = {track.id for track in result.before.tracks}
    wanted = {(note.start, note.pitch % 12) for note in sounding(result.before, {track_called(result.before, name)})}
    best = 0.0
    for track in result.after.tracks:
        if track.id not in old:
            there = {(note.start, note.pitch % 12) for note in sounding(result.after, {track.id})}
            best = max(best, len(wanted & there) / max(1, len(wanted)))
    return unless(best >= 0.9, f"a new track plays {best:.0%} of {name}")



def played_by(result: Result, name: str, family: Family) -> str:
    """Why a family does not play what a track played; empty when it does."""
    wanted = {(note.start, note.pitch % 12) for note in sounding(result.before, {track_called(result.before, name)})}
    tracks = family_tracks(result.after, result.palette, family)
    there = {(note.start, note.pitch % 12) for note in sounding(result.after, tracks)}
    share = len(wanted & there) / max(1, len(wanted))
    return unless(share >= 0.9, f"{family} plays {share:.0%} of what {name} played")


def chords_changed(result: Result, within: Sequence[Span]) -> float:
    """Share of the bars whose chord is another."""
    songs = [excerpt(song, within) if within else song for song in (result.before, result.after)]
    was, now = (bar_chords(song, kit_tracks(song, result.palette)) for song in songs)
    pairs = list(zip(was, now, strict=False))
    return sum(a != b for a, b in pairs) / max(1, len(pairs))


def onsets(song: Song, within: Sequence[Span]) -> set[tuple[str, int, int]]:
    """Track, start and pitch of every note in these bars."""
    return {(key, start, pitch) for key, notes in strokes(song, within).items() for start, pitch, _, _ in notes}
