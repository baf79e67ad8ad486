"""Chords in a key: roman numerals, the chords of its degrees, and how they are spelled."""

from __future__ import annotations

import re
from typing import Literal, get_args

from agent.message import msg
from agent.song.chord import Alteration, Chord, Quality, quality_intervals
from agent.song.chord_symbols import ending
from agent.song.key import Key
from agent.theory.errors import TheoryError
from agent.theory.pitch import class_name, intervals, tone_name, usual_tonic

_OF_MINOR_NUMERAL: dict[Quality, Quality] = {
    "maj": "min", "6": "min6", "7": "min7", "maj7": "minmaj7", "add9": "minadd9", "9": "min9", "11": "min11",
}
_SIXTH = 9
_MAJOR = (0, 2, 4, 5, 7, 9, 11)
_DEGREES = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}
_NUMERAL = re.compile(r"([b#]?)(VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)([^/]*)(?:/(.+))?")


def chord_symbol(chord: Chord, key: Key | None = None) -> str:
    """The chord's symbol as on a lead sheet: F#m7, C/E. The root is spelled in `key` (None: with sharps), a bass that
    is a chord tone as the third, fifth or seventh of that root."""
    root = class_name(chord.root, key)
    if chord.bass in (None, chord.root):
        return f"{root}{chord.suffix}"
    above = (chord.lowest - chord.root) % 12
    own = chord.lowest in chord.pitch_classes and not (chord.quality == "dim7" and above == _SIXTH)
    bass = tone_name(root, above) if own else ""
    return f"{root}{chord.suffix}/{bass or class_name(chord.lowest, key)}"


def roman(text: str, key: Key) -> Chord:
    """The chord of a roman numeral: I, ii7, V7sus4, bVII, IVmaj7, vii°, I/3 (third in the bass), V7/vi.

    Upper case is major, lower case minor, as written. A plain numeral is the mode's own degree; `b` counts
    from the major scale of the tonic (bVII is always a whole tone below it), `#` from the mode's degree.
    `TheoryError` for anything else.
    """
    found = _NUMERAL.fullmatch(text.strip())
    if found is None:
        raise _unreadable("numeral", text, "write for example I, vi, bVII, ii7, IVmaj7, V/V or I/3")
    accidental, numeral, suffix, slash = found.groups()
    home = key
    if slash and _NUMERAL.fullmatch(slash):
        target = roman(slash, key)
        mode: Literal["major", "minor"] = "minor" if target.intervals[1] == 3 else "major"
        home, slash = Key(usual_tonic(target.root, mode), mode), None
    quality, altered = _shape(suffix, text)
    if numeral.islower():
        quality = _OF_MINOR_NUMERAL.get(quality, quality)
    index = _DEGREES[numeral.upper()] - 1
    step = _MAJOR[index] - 1 if accidental == "b" else intervals(home.mode)[index] + (accidental == "#")
    root = (home.pitch_class + step) % 12
    return Chord(root, quality, _tone_in_bass(slash, root, quality, text) if slash else None, altered)


def progression(text: str, key: Key) -> tuple[Chord, ...]:
    """Chords of numerals separated by spaces, commas, bars or dashes between spaces: `i bVI | bIII bVII`."""
    words = [word for word in re.split(r"[\s,|]+", text) if word not in ("", "-", "–")]
    return tuple(roman(word, key) for word in words)


def diatonic(key: Key, degree: int, tones: Literal[3, 4] = 3) -> Chord:
    """The triad (or seventh chord) on a degree (1 = tonic) made of the key's own notes."""
    steps = intervals(key.mode)
    index = (degree - 1) % 7
    stacked = [steps[(index + 2 * i) % 7] + 12 * ((index + 2 * i) // 7) - steps[index] for i in range(tones)]
    root = (key.pitch_class + steps[index]) % 12
    for quality in get_args(Quality):
        if list(quality_intervals(quality)) == stacked:
            return Chord(root, quality)
    # augmented and minor-major sevenths of the minor modes: their triad says enough
    return diatonic(key, degree, 3)


def _shape(suffix: str, text: str) -> tuple[Quality, tuple[Alteration, ...]]:
    found = ending(suffix.strip())
    if found is None:
        raise _unreadable("chord ending", text, "known endings are for example 7, maj7, m7b5, sus4, add9, 7b9")
    return found


def _tone_in_bass(slash: str, root: int, quality: Quality, text: str) -> int:
    shape = quality_intervals(quality)
    tones = {"3": 1, "5": 2, "7": 3}
    if slash not in tones or tones[slash] >= len(shape):
        raise _unreadable("bass", text, "after the slash write 3, 5 or 7 for a chord tone, or a numeral")
    return (root + shape[tones[slash]]) % 12


def _unreadable(kind: str, text: str, fix: str) -> TheoryError:
    return TheoryError(msg("cannot read the {kind} in {text!r}", kind=kind, text=text), fix=fix)
