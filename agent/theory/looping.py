"""Looping: what keeps the end of a song from leading into its beginning."""

from __future__ import annotations

from statistics import median

from agent.song.song import Song

_THIN = 0.5
"""Share of a usual bar's attacks below which the last bar has stopped playing."""


def loop_faults(song: Song) -> float:
    """The number of faults, 0 to 2, that are heard when the song repeats: another tempo at the end than at the
    beginning, and a last bar that plays much less than usual, such as a last chord and its tail."""
    if not song.note_count:
        return 0.0
    close = int(song.bar_map.start_of(song.bars + 1))
    starts: list[set[int]] = [set() for _ in range(song.bars)]
    for track, clip in song.clips():
        if track.mute:
            continue
        for note in clip.notes:
            at = clip.start + note.start
            starts[song.bar_map.bar_at(at) - 1].add(at)
    usual = median([len(bar) for bar in starts if bar] or [0])
    thin = len(starts[-1]) < _THIN * usual
    return float(thin + (song.tempo_map.bpm(close - 1) != song.tempos[0].bpm))
