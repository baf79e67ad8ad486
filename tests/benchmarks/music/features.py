"""Features of tune, bass, harmony and form by which a classifier tells composers apart: notes on the grid, no more.

Nothing here sees how a hand plays or what plays: no time within a sixteenth, velocity, tempo, instrument or drum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import log2, sqrt
from statistics import fmean, median, pstdev

from msgspec import Struct
from msgspec.structs import replace

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import PPQ, BarMap
from agent.theory.sounding import Sounding, percussive_tracks, pitched
from tests.benchmarks.music.colours import chromatic
from tests.benchmarks.music.lines import GRID, Line, bass_of, line_of, tune_of

BARS = 32
"""Bars of a piece that are looked at, from that on in which its tune begins."""
LEAST = 8
"""Bars that a piece must have behind that."""
_FOURTH, _FIFTH, _OCTAVE = 5, 7, 12
_CONSONANT, _PERFECT = frozenset({3, 4, 8, 9}), frozenset({0, 7})
"""Semitones above the bass, within an octave: thirds and sixths; octaves and fifths."""
Notes = tuple[Sounding, ...]


class Excerpt(Struct, frozen=True):
    """The bars that are looked at, `first` to `last`: bass and all pitched notes on the grid, and the tune if any."""

    tune: Line | None
    bass: Line
    notes: Notes
    first: int
    last: int
    map: BarMap


def excerpt_of(song: Song, palette: Palette, *, sung: bool = True) -> Excerpt | None:
    """The bars from that on in which the tune begins; of an accompaniment, not `sung`, from its first note on.

    None where there is no bass, no tune in another track although it is sung, or less than eight bars.
    """
    tune, bass = tune_of(song, palette) if sung else None, bass_of(song, palette)
    everything = pitched(song, percussive_tracks(song, palette))
    if bass is None or (sung and (tune is None or tune.notes[0].track == bass.notes[0].track)):
        return None
    first = min(tune.bars) if tune is not None else song.bar_map.bar_at(everything[0].start)
    last = min(song.bars, first + BARS - 1)
    start, end = song.bar_map.span(first, last)

    def within(notes: Iterable[Sounding]) -> Notes:
        return tuple(one for one in map(on_grid, notes) if start <= one.start < end)

    low, top = within(bass.notes), within(tune.notes) if tune is not None else ()
    if last - first + 1 < LEAST or not low or (sung and not top):
        return None
    line = line_of(song, top) if sung else None
    return Excerpt(line, line_of(song, low), within(everything), first, last, song.bar_map)


def on_grid(note: Sounding) -> Sounding:
    """The note as it would be written: begun and ended on a sixteenth, at least one long."""
    start = round(note.start / GRID) * GRID
    return replace(note, start=start, end=max(start + GRID, round(note.end / GRID) * GRID))


def features_of(song: Song, palette: Palette, *, sung: bool = True) -> Mapping[str, float] | None:
    """All features by name; None where the song gives no excerpt. The part before the point is the group.

    An accompaniment, not `sung`, has those of bass, harmony and form.
    """
    part = excerpt_of(song, palette, sung=sung)
    if part is None:
        return None
    groups = {
        "bass": {**_line(part.bass, part), "chromatic": chromatic(song, palette, part.bass.notes)},
        "harmony": {**_harmony(part), "chromatic": chromatic(song, palette, part.notes)},
        "form": _form(part),
    }
    if (tune := part.tune) is not None:
        groups["tune"] = {**_line(tune, part), **_tune(tune, part), "chromatic": chromatic(song, palette, tune.notes)}
        groups["two"] = _two_voices(tune, part)
    return {f"{group}.{name}": value for group, found in groups.items() for name, value in found.items()}


def _line(line: Line, part: Excerpt) -> dict[str, float]:
    """What is asked of tune and bass alike."""
    moves = [b.pitch - a.pitch for a, b in pairwise(line.notes)]
    going = [move for move in moves if move]
    pitches = sorted(note.pitch for note in line.notes)
    places = [(note.start - part.map.start_of(part.map.bar_at(note.start))) // GRID for note in line.notes]
    rhythms = [tuple(step for step, _ in bar) for bar in line.bars.values()]
    return {
        "different_bars": line.different_bars, "different_rhythms": len(set(rhythms)) / len(rhythms),
        "notes_a_bar": line.notes_a_bar, "tied": line.tied, "repeated": line.repeated, "steps": line.steps,
        "leaps": _share(abs(move) >= _FOURTH for move in moves), "octaves": _share(abs(m) == _OCTAVE for m in moves),
        "fifths": _share(abs(move) in (_FOURTH, _FIFTH) for move in moves),
        "rising": _share(move > 0 for move in going), "turns": _share(a * b < 0 for a, b in pairwise(going)),
        "range": float(pitches[-1 - len(pitches) // 20] - pitches[len(pitches) // 20]),
        "on_beats": _share(place * GRID % PPQ == 0 for place in places), "sixteenths": _share(p % 2 for p in places),
        "lengths": _bits((note.end - note.start) // GRID for note in line.notes), "intervals": _bits(moves),
    }


def _tune(line: Line, part: Excerpt) -> dict[str, float]:
    """Phrases, rests, leaps that are answered, bars that come back higher or lower."""
    lengths = line.phrases
    moves = [b.pitch - a.pitch for a, b in pairwise(line.notes)]
    answered = [0 < -b * (a // abs(a)) <= _FOURTH - 1 for a, b in pairwise(moves) if abs(a) >= _FOURTH]
    start, end = part.map.span(part.first, part.last)
    sounds = sum(min(b.start, a.end) - a.start for a, b in pairwise(line.notes))
    shapes = [(tuple(s for s, _ in bar), tuple(p - bar[0][1] for _, p in bar)) for bar in line.bars.values()]
    heights = [note.pitch for note in line.notes]
    return {
        "phrase": median(lengths), "phrase_spread": pstdev(lengths), "rests": max(0.0, 1 - sounds / (end - start)),
        "answered": _share(answered), "sequences": 1 - len(set(shapes)) / len(shapes),
        "peak": heights.index(max(heights)) / len(heights),
    }


def _two_voices(tune: Line, part: Excerpt) -> dict[str, float]:
    """Tune above bass where bars begin, and how both go from there to the next."""
    pairs = []
    for bar in range(part.first, part.last + 1):
        start, end = part.map.span(bar, bar)
        high, low = (next((n for n in line.notes if start <= n.start < end), None) for line in (tune, part.bass))
        if high is not None and low is not None:
            pairs.append((high.pitch, low.pitch))
    above = [(high - low) % 12 for high, low in pairs]
    goes = [(d[0] - c[0], d[1] - c[1]) for c, d in pairwise(pairs)]
    return {
        "consonant": _share(one in _CONSONANT for one in above), "perfect": _share(one in _PERFECT for one in above),
        "contrary": _share(a * b < 0 for a, b in goes), "parallel": _share(a == b != 0 for a, b in goes),
        "distance": fmean(high - low for high, low in pairs) if pairs else 0.0,
    }


def _harmony(part: Excerpt) -> dict[str, float]:
    """Pitch classes: how many, how they are spread, how much they change from bar to bar and come back."""
    bars = _by_bar(part)
    counts = [Counter(note.pitch % 12 for note in notes) for notes in bars]
    fours = [sum(counts[at : at + 4], Counter()) for at in range(0, len(counts), 4)]
    sets = [frozenset(count) for count in counts if count]
    beats = _sounding_on_beats(part)
    return {
        "pitch_classes": float(len({note.pitch % 12 for note in part.notes})),
        "h1": fmean(_bits(count.elements()) for count in counts), "h4": fmean(_bits(c.elements()) for c in fours),
        "change": fmean(_distance(a, b) for a, b in pairwise(counts)), "different_sets": len(set(sets)) / len(sets),
        "classes_at_once": fmean(len(classes) for classes in beats) if beats else 0.0,
        "notes_a_bar": len(part.notes) / len(bars),
    }


def _form(part: Excerpt) -> dict[str, float]:
    """Bars of all parts together, of their pitch classes and of the rhythm, that are those so many bars before."""
    bars = _by_bar(part)
    starts = [part.map.start_of(part.first + at) for at in range(len(bars))]
    written = [
        frozenset(((note.start - start) // GRID, note.pitch) for note in notes)
        for notes, start in zip(bars, starts, strict=True)
    ]
    rhythm = [frozenset(step for step, _ in bar) for bar in written]
    classes = [frozenset(pitch % 12 for _, pitch in bar) for bar in written]
    quarter = max(1, len(bars) // 4)
    dense = [len(bar) for bar in written]
    return {
        "different_bars": len(set(written)) / len(written), "different_rhythms": len(set(rhythm)) / len(rhythm),
        **{f"bars_{lag}": _back(written, lag) for lag in (1, 2, 4, 8)},
        **{f"rhythm_{lag}": _back(rhythm, lag) for lag in (1, 2, 4)},
        **{f"classes_{lag}": _back(classes, lag) for lag in (1, 4, 8)},
        "density_spread": pstdev(dense) / max(1.0, fmean(dense)),
        "growth": log2((1 + sum(dense[-quarter:])) / (1 + sum(dense[:quarter]))),
    }


def _by_bar(part: Excerpt) -> list[list[Sounding]]:
    found: dict[int, list[Sounding]] = defaultdict(list)
    for note in part.notes:
        found[part.map.bar_at(note.start)].append(note)
    return [found[bar] for bar in range(part.first, part.last + 1)]


def _sounding_on_beats(part: Excerpt) -> list[set[int]]:
    """The pitch classes that sound on each quarter, those where nothing does left out."""
    found: dict[int, set[int]] = defaultdict(set)
    for note in part.notes:
        for beat in range(-(-note.start // PPQ), -(-note.end // PPQ)):
            found[beat].add(note.pitch % 12)
    return list(found.values())


def _back(bars: Sequence[Hashable], lag: int) -> float:
    return _share(now == then for now, then in zip(bars[lag:], bars, strict=False))


def _share(values: Iterable[object]) -> float:
    each = [bool(value) for value in values]
    return fmean(each) if each else 0.0


def _bits(values: Iterable[Hashable]) -> float:
    counts = Counter(values)
    whole = sum(counts.values())
    return -sum(count / whole * log2(count / whole) for count in counts.values()) if whole else 0.0


def _distance(a: Counter[int], b: Counter[int]) -> float:
    """1 less the cosine between two counts of pitch classes; 0 between two empty ones."""
    sizes = sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
    return 1 - sum(count * b[one] for one, count in a.items()) / sizes if sizes else float(bool(a) != bool(b))
