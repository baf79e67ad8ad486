"""On chords: a part's own music, laid over other bars of the song so that it fits the chords there."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.changing.hearing.listening import SongAnalysis
from agent.composer.changing.stage import Span
from agent.composer.changing.time.material import revoiced, taken
from agent.composer.styles import RHYTHMIC, Role
from agent.composer.tones import Tone
from agent.song.chord import Chord
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.song.track import Track

_STRUCK: tuple[Role, ...] = ("chords", "pad", "arp")
_TOGETHER = 60
"""Ticks within which chords begin together."""


def bars_of(song: Song, start: int, end: int) -> list[Span]:
    """(start, end) ticks of the whole bars that a stretch touches."""
    bars = song.bar_map
    spans = (bars.span(bar, bar) for bar in range(bars.bar_at(start), bars.bar_at(end - 1) + 1))
    return [(int(low), int(high)) for low, high in spans]


def own_music(track: Track, target: Span, heard: SongAnalysis, instrument: Instrument | None) -> list[Tone]:
    """Notes for the bars of `target`, copied from other bars of the same track of the same length; empty if it has
    none.

    The run of bars whose chords agree most is taken; where chords differ, bass roots, chords and melody notes are moved
    to the chord heard there.
    """
    song = heard.song
    goal = bars_of(song, *target)
    playing = [bar for bar in bars_of(song, 0, int(song.bar_map.start_of(song.bars + 1))) if taken(track, *bar)]
    playing = [bar for bar in playing if bar[1] <= target[0] or bar[0] >= target[1]]
    playing = [bar for bar in playing if bar[1] - bar[0] == goal[0][1] - goal[0][0]]
    if not playing:
        return []
    source = _nearest(playing, goal, heard)
    role, low, high = heard.roles[track.id], *_compass(instrument)
    tones: list[Tone] = []
    for was, now in zip(source, goal, strict=True):
        moved = [Tone(t.start - was[0] + now[0], t.pitch, t.length, t.velocity) for t in taken(track, *was)]
        moved = [tone for tone in moved if tone.start < now[1]]
        tones += _fitting(moved, role, was, now, heard, (low, high))
    return sorted(tone for tone in tones if target[0] <= tone.start < target[1])


def _compass(instrument: Instrument | None) -> tuple[int, int]:
    return (instrument.low, instrument.high) if instrument is not None else (0, 127)


def _nearest(playing: Sequence[Span], goal: Sequence[Span], heard: SongAnalysis) -> list[Span]:
    """A bar of the part's for each bar of the goal, in their order, over and over where they are too few."""
    def laid(first: int) -> list[Span]:
        run = playing[first:] or playing
        return [run[number % len(run)] for number in range(len(goal))]

    def agreeing(source: Sequence[Span]) -> int:
        return sum(_chord(heard, was[0]) == _chord(heard, now[0]) for was, now in zip(source, goal, strict=True))

    behind = next((number for number, bar in enumerate(playing) if bar[0] >= goal[-1][1]), 0)
    firsts = [*range(behind, len(playing)), *range(behind)]
    return max((laid(first) for first in firsts), key=agreeing)


def _chord(heard: SongAnalysis, at: int) -> Chord | None:
    return next((span.chord for span in heard.chords if span.start <= at < span.end), None)


def _fitting(
    tones: list[Tone], role: Role, was: Span, now: Span, heard: SongAnalysis, compass: tuple[int, int]
) -> list[Tone]:
    if role in RHYTHMIC or not tones:
        return tones
    if role in _STRUCK:
        return _on_each(tones, was, now, heard)
    found = []
    for tone in tones:
        before, chord = _chord(heard, tone.start - now[0] + was[0]), _chord(heard, tone.start)
        pitch = tone.pitch
        if before is not None and chord is not None and before != chord:
            by = (chord.root - before.root + 6) % 12 - 6 if role == "bass" else 0
            pitch = _inside(pitch + by, compass)
            pitch = pitch if role == "bass" else _chordal(pitch, chord)
        found.append(Tone(tone.start, pitch, tone.length, tone.velocity))
    return found


def _on_each(tones: Sequence[Tone], was: Span, now: Span, heard: SongAnalysis) -> list[Tone]:
    """Struck or broken chords, voiced anew where another chord is heard."""
    found: list[Tone] = []
    groups: dict[Chord | None, list[Tone]] = {}
    for tone in tones:
        chord = _chord(heard, tone.start + _TOGETHER)
        same = chord is None or chord == _chord(heard, tone.start + _TOGETHER - now[0] + was[0])
        groups.setdefault(None if same else chord, []).append(tone)
    for chord, group in groups.items():
        found += group if chord is None else revoiced(group, chord, None)
    return sorted(found)


def _chordal(pitch: int, chord: Chord) -> int:
    """The nearest pitch of the chord."""
    return next((pitch + by for by in (0, -1, 1, -2, 2, -3, 3) if pitch + by in chord), pitch)


def _inside(pitch: int, compass: tuple[int, int]) -> int:
    low, high = compass
    while pitch > high and pitch - 12 >= low:
        pitch -= 12
    while pitch < low and pitch + 12 <= high:
        pitch += 12
    return max(0, min(127, pitch))
