"""Chord slots: the chords of a stage, none longer than a bar, with the tune over each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.notes.substitutes import ChordSlot
from agent.composer.changing.stage import Stage
from agent.composer.tones import Tone
from agent.song.ids import TrackId
from agent.song.song import Song
from agent.theory.sounding import sounding

_PHRASE = 4
"""Bars after which chords repeat."""


def chord_slots(stage: Stage, heard: SongAnalysis, singers: Sequence[TrackId]) -> list[ChordSlot]:
    """The chords heard in the stage's bars, none longer than a bar, each with the melody over it (notes of `singers`).

    Chords of cadences, of locked bars and outside the stage are not `open` to change.
    """
    song = stage.song
    tune = [Tone(n.start, n.pitch, n.end - n.start, n.velocity) for n in sounding(song, singers)]
    closed = stage.sketch.guard.closed
    slots: list[ChordSlot] = []
    for span in heard.chords:
        for start, end in _by_bar(span.start, span.end, song):
            inside = stage.inside(start) and stage.inside(end - 1) and not closed(start)
            if not inside:
                continue
            bar = song.bar_map.bar_at(start)
            whole = (start, end) == tuple(song.bar_map.span(bar, bar))
            halves = whole and song.bar_map.meter_at(start).beats % 2 == 0
            over = tuple(tone for tone in tune if tone.start < end and tone.end > start)
            place = (bar - 1) % _PHRASE * 2 + (start > song.bar_map.start_of(bar))
            slots.append(ChordSlot(start, end, span.chord, over, not _cadence(start, end, stage, heard), halves, place))
    return slots


def _by_bar(start: int, end: int, song: Song) -> list[tuple[int, int]]:
    bars = song.bar_map
    lines = [int(bars.start_of(bar)) for bar in range(bars.bar_at(start) + 1, bars.bar_at(end - 1) + 1)]
    return list(pairwise([start, *lines, end]))


def _cadence(start: int, end: int, stage: Stage, heard: SongAnalysis) -> bool:
    """Whether a chord ends a section or the stage, or leads home there by a fifth; the first tonic stays too."""
    ends = {stop for _, stop in stage.spans} | {int(section.end) for section in stage.song.sections}
    ends.add(heard.chords[-1].end)
    if any(edge - 60 <= end <= edge for edge in ends):
        return True
    here = next(span for span in heard.chords if span.start <= start < span.end)
    after = next((span for span in heard.chords if span.start >= end - 60), None)
    last = max(ends)
    home = after is not None and after.chord.root == heard.key.pitch_class
    dominant = (here.chord.root - heard.key.pitch_class) % 12 == 7
    if after is not None and home and dominant and after.end >= last:
        return True
    return start == heard.chords[0].start
