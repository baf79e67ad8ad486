"""Lines: what one voice of a song is like, measured on the grid of written rhythm: its hooks, phrases and steps."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import TypeAlias

from msgspec import Struct

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, BarMap
from agent.theory.melody import melody_line, melody_track
from agent.theory.pitch import scale_pitches
from agent.theory.sounding import Sounding, family_tracks, kit_tracks, sounding

GRID = PPQ // 4
"""Ticks of a sixteenth, to which notes are moved before they are compared: hands are never exact."""
REST = PPQ
"""Ticks without a sound after which a phrase has ended; less may be a short note's own."""
_FEW = 3
"""Notes and pitches that two bars need at least to be a hook."""
_BASS_TOP = 55
"""Mean pitch up to which a line without a bass instrument is a bass."""
_STEP = 2
Bar: TypeAlias = tuple[tuple[int, int], ...]
"""Sixteenth and pitch of every note that begins in a bar."""


class Line(Struct, frozen=True):
    """One voice: its notes in order, and its bars by number, those without a note left out. `scale` holds the pitches
    of the song's key, upwards; of a song without a key all of them."""

    notes: tuple[Sounding, ...]
    bars: Mapping[int, Bar]
    map: BarMap
    scale: tuple[int, ...] = tuple(range(128))

    @property
    def notes_a_bar(self) -> float:
        """Notes for each bar in which one begins."""
        return len(self.notes) / max(1, len(self.bars))

    @property
    def different_bars(self) -> float:
        """Share of its bars, 0-1, that are different ones: same places and pitches are the same bar."""
        return len(set(self.bars.values())) / max(1, len(self.bars))

    @property
    def different_figures(self) -> float:
        """The same share where bars are the same that differ in their height only, by steps of the key: a sequence, a
        riff that moves with the chords."""
        return len({self._figure(bar) for bar in self.bars.values()}) / max(1, len(self.bars))

    @property
    def phrases(self) -> tuple[float, ...]:
        """The lengths of its phrases in bars, from the first onset to the last end; a beat of silence ends one."""
        lengths = []
        start = 0
        for at in range(1, len(self.notes) + 1):
            if at == len(self.notes) or self.notes[at].start - self.notes[at - 1].end >= REST:
                first, last = self.notes[start], self.notes[at - 1]
                lengths.append((last.end - first.start) / self.map.meter_at(first.start).bar_length)
                start = at
        return tuple(lengths)

    @property
    def tied(self) -> float:
        """Share of the lines between two of its bars, 0-1, across which a note is held for a sixteenth or more."""
        lines = [self.map.start_of(bar + 1) for bar in self.bars if bar + 1 in self.bars]
        held = {
            line for line in lines for note in self.notes if note.start <= line - GRID and note.end >= line + GRID
        }
        return len(held) / len(lines) if lines else 0.0

    @property
    def repeated(self) -> float:
        """Share of its moves, 0-1, that stay on the pitch."""
        return self._moves(range(1))

    @property
    def steps(self) -> float:
        """Share of its moves, 0-1, that are a semitone or a tone."""
        return self._moves(range(1, _STEP + 1))

    @property
    def hook(self) -> int:
        """How often its most frequent two bars in a row sound, note for note and without overlap; 0 without a hook.

        A hook has three notes on two pitches at least, and not the same bar twice.
        """
        places: dict[tuple[Bar, Bar], list[int]] = defaultdict(list)
        for number, bar in self.bars.items():
            following = self.bars.get(number + 1)
            notes = [*bar, *(following or ())]
            if following and bar != following and len(notes) >= _FEW and len({pitch for _, pitch in notes}) >= 2:
                places[bar, following].append(number)
        counts = [_apart(numbers) for numbers in places.values()]
        return max((count for count in counts if count > 1), default=0)

    def _figure(self, bar: Bar) -> tuple[tuple[int, int, int], ...]:
        """A bar as (sixteenth, steps of the key from its first note, semitones above such a step)."""
        steps = [(at, place := bisect_right(self.scale, pitch), pitch - self.scale[place - 1]) for at, pitch in bar]
        return tuple((at, place - steps[0][1], beside) for at, place, beside in steps)

    def _moves(self, wanted: range) -> float:
        moves = [abs(b.pitch - a.pitch) for a, b in pairwise(self.notes)]
        return fmean(move in wanted for move in moves) if moves else 0.0


def line_of(song: Song, notes: Sequence[Sounding]) -> Line:
    """A voice with its notes on the grid of sixteenths; a note a little before a bar line belongs behind it."""
    bars: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for note in notes:
        number = song.bar_map.bar_at(note.start + GRID // 2)
        step = round((note.start - song.bar_map.start_of(number)) / GRID)
        bars[number].append((step, note.pitch))
    scale = tuple(scale_pitches(song.key, 0, 127)) if song.key is not None else tuple(range(128))
    return Line(tuple(notes), {number: tuple(sorted(bar)) for number, bar in sorted(bars.items())}, song.bar_map, scale)


def tune_of(song: Song, palette: Palette) -> Line | None:
    """The line on top of the track that most likely sings; None where nobody does."""
    singer = melody_track(song, palette)
    return line_of(song, melody_line(song, {singer})) if singer is not None else None


def bass_of(song: Song, palette: Palette) -> Line | None:
    """The lowest line of the bass: of the bass instruments, else of the lowest pitched track if that is low."""
    kits = kit_tracks(song, palette)
    playing = [track.id for track in song.tracks if track.note_count and not track.mute and track.id not in kits]
    basses = [track for track in playing if track in family_tracks(song, palette, "bass")]
    low = min(basses or playing, key=lambda track: _height(song, track), default=None)
    if low is None or (not basses and _height(song, low) > _BASS_TOP):
        return None
    return line_of(song, _lowest(sounding(song, {low})))


def parts_at_once(song: Song) -> float:
    """Mean number of tracks in which a note begins, over the bars in which any does."""
    found: dict[int, set[TrackId]] = defaultdict(set)
    for note in sounding(song):
        found[song.bar_map.bar_at(note.start)].add(note.track)
    return fmean(len(tracks) for tracks in found.values()) if found else 0.0


def _height(song: Song, track: TrackId) -> float:
    return fmean(note.pitch for note in sounding(song, {track}))


def _lowest(notes: Collection[Sounding]) -> tuple[Sounding, ...]:
    """Of the notes that begin together the lowest."""
    line: list[Sounding] = []
    for note in notes:
        if not line or note.start - line[-1].start >= GRID // 2:
            line.append(note)
    return tuple(line)


def _apart(numbers: Sequence[int]) -> int:
    """How many of the bars, in order, lie two bars or more from the one before."""
    count, last = 0, -2
    for number in numbers:
        if number - last >= 2:
            count, last = count + 1, number
    return count
