"""Colours: how many pitch classes a song has, in its bars and as a whole, and how many of them are chromatic."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from math import log2
from statistics import fmean

from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.key_finding import find_key
from agent.theory.measures import histogram
from agent.theory.sounding import Sounding, kit_tracks, percussive_tracks, pitched
from agent.theory.tonality import STRETCH, scale_classes


def pitch_classes(song: Song, palette: Palette) -> int:
    """How many pitch classes sound, percussion left out."""
    return len({note.pitch % 12 for note in _notes(song, palette)})


def entropy(song: Song, palette: Palette, bars: int) -> float:
    """Mean entropy, in bits, of the pitch classes that begin within so many bars: 0 is one alone, 3.58 all alike."""
    found: dict[int, Counter[int]] = defaultdict(Counter)
    for note in _notes(song, palette):
        found[(song.bar_map.bar_at(note.start) - 1) // bars][note.pitch % 12] += 1
    return fmean(_bits(counts) for counts in found.values()) if found else 0.0


def chromatic(song: Song, palette: Palette, notes: Collection[Sounding] | None = None) -> float:
    """Share of notes (without: of all), 0-1, outside the key that the bars around them are heard in.

    A modulation is not chromatic; minor keys own both sixths and both sevenths.
    """
    everything = pitched(song, kit_tracks(song, palette))
    judged = _notes(song, palette) if notes is None else notes
    stretches: dict[int, list[Sounding]] = defaultdict(list)
    for note in everything:
        stretches[_stretch(song, note)].append(note)
    count = 0
    around: dict[int, frozenset[int]] = {}
    for note in judged:
        number = _stretch(song, note)
        if number not in around:
            near = [one for at in (number - 1, number, number + 1) for one in stretches.get(at, ())]
            around[number] = scale_classes(find_key(histogram(near)).key)
        count += note.pitch % 12 not in around[number]
    return count / len(judged) if judged else 0.0


def _notes(song: Song, palette: Palette) -> Sequence[Sounding]:
    return pitched(song, percussive_tracks(song, palette))


def _stretch(song: Song, note: Sounding) -> int:
    return (song.bar_map.bar_at(note.start) - 1) // STRETCH


def _bits(counts: Counter[int]) -> float:
    whole = sum(counts.values())
    return -sum(count / whole * log2(count / whole) for count in counts.values())
