"""The key that chords are in, where nobody says it."""

from __future__ import annotations

from collections.abc import Sequence

from agent.song.chart import ChordSymbol
from agent.song.chord import Chord
from agent.song.key import Key, Mode
from agent.theory.pitch import intervals, usual_tonic

_HOME, _EDGE, _LED = 0.35, 0.2, 0.3
"""What it counts that a chord is the tonic, that it begins or ends, and that its dominant leads to it."""
_MINOR: tuple[str, ...] = ("min", "min6", "min7", "min9", "min11", "minadd9", "minmaj7", "dim", "m7b5", "dim7")
_DOMINANT: tuple[str, ...] = ("7", "9", "13", "7sus4")


def key_of_chords(stated: Sequence[ChordSymbol], mode: Mode | None = None) -> Key:
    """The major or minor key of a chord progression, judged by the chords' tones, the first and last chord, and the
    cadences; C major without chords. `mode` restricts the result to one mode."""
    chords = [(chord, one.duration) for one in stated if (chord := one.chord) is not None]
    modes: tuple[Mode, ...] = ("major", "minor") if mode not in ("major", "minor") else (mode,)
    keys = [(tonic, one) for one in modes for tonic in range(12)]
    best = max(keys, key=lambda key: _fit(chords, *key)) if chords else (0, modes[0])
    return Key(usual_tonic(best[0], best[1]), best[1])


def _fit(chords: Sequence[tuple[Chord, int]], tonic: int, mode: Mode) -> float:
    scale = {(tonic + step) % 12 for step in intervals(mode)}
    whole = sum(length for _, length in chords)
    fit = 0.0
    for at, (chord, length) in enumerate(chords):
        dominant = mode == "minor" and chord.root == (tonic + 7) % 12
        own = scale | {(tonic + 11) % 12} if dominant else scale
        fit += length / whole * sum(tone in own for tone in chord.pitch_classes) / len(chord.pitch_classes)
        if _is_tonic(chord, tonic, mode) and not _leads_on(chord, chords[(at + 1) % len(chords)][0]):
            edge = (at == 0) + (at == len(chords) - 1)
            before = chords[at - 1][0]
            led = before.root == (tonic + 7) % 12 and before.quality in _DOMINANT
            fit += _HOME * length / whole + _EDGE * edge + _LED * led / len(chords)
    return fit


def _leads_on(chord: Chord, following: Chord) -> bool:
    """Whether a chord is a dominant that is resolved: F7 before Bb6 is no home, F7 before Bb7 may be a blues."""
    down = following.root == (chord.root + 5) % 12
    return down and chord.quality in _DOMINANT and following.quality not in _DOMINANT


def _is_tonic(chord: Chord, tonic: int, mode: Mode) -> bool:
    return chord.root == tonic and (chord.quality in _MINOR) == (mode == "minor")
