"""Pitches spelled as tones of a chord: the minor ninth of C is a D flat, its raised one a D sharp."""

from __future__ import annotations

from agent.song.chord import Chord

_LETTERS = "CDEFGAB"
_NATURAL = (0, 2, 4, 5, 7, 9, 11)
_ROOTS = ("C", "D-", "D", "E-", "E", "F", "F#", "G", "A-", "A", "B-", "B")
_STEPS = (0, 1, 1, 2, 2, 3, 4, 4, 5, 5, 6, 6)
"""The letter of a tone above that of the root, by semitones."""


def spelled(pitch: int, chord: Chord) -> str:
    """The name of a MIDI pitch as music21 writes it (C4 is 60, flats are `-`), as a tone of the chord."""
    steps = (pitch - chord.root) % 12
    letter = (_LETTERS.index(_ROOTS[chord.root][0]) + _letters_above(steps, chord)) % 7
    sign = (pitch - _NATURAL[letter] + 6) % 12 - 6
    return f"{_LETTERS[letter]}{'#' * sign}{'-' * -sign}{(pitch - sign) // 12 - 1}"


def written_out(chord: Chord) -> list[str]:
    """All tones of a chord above its root, spelled."""
    return [spelled(48 + chord.root + step, chord) for step in chord.intervals]


def _letters_above(steps: int, chord: Chord) -> int:
    tones = {step % 12 for step in chord.intervals}
    if steps == 3 and 4 in tones:
        return 1
    if steps == 8 and 7 not in tones:
        return 4
    if steps == 6 and 7 in tones:
        return 3
    return 6 if steps == 9 and chord.quality == "dim7" else _STEPS[steps]
