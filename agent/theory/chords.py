"""Chords: qualities, roman numerals, chord symbols and names."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.song.key import Key
from agent.theory.errors import TheoryError
from agent.theory.pitch import class_name, intervals, pitch_class, usual_tonic

Quality = Literal[
    "maj", "min", "dim", "aug", "5", "sus2", "sus4", "6", "min6", "7", "maj7", "min7", "minmaj7", "m7b5",
    "dim7", "7sus4", "add9", "minadd9", "9", "maj9", "min9", "11", "min11", "13",
]
PitchClass = Annotated[int, Meta(ge=0, le=11)]

_INTERVALS: dict[Quality, tuple[int, ...]] = {
    "maj": (0, 4, 7), "min": (0, 3, 7), "dim": (0, 3, 6), "aug": (0, 4, 8), "5": (0, 7),
    "sus2": (0, 2, 7), "sus4": (0, 5, 7), "6": (0, 4, 7, 9), "min6": (0, 3, 7, 9),
    "7": (0, 4, 7, 10), "maj7": (0, 4, 7, 11), "min7": (0, 3, 7, 10), "minmaj7": (0, 3, 7, 11),
    "m7b5": (0, 3, 6, 10), "dim7": (0, 3, 6, 9), "7sus4": (0, 5, 7, 10),
    "add9": (0, 4, 7, 14), "minadd9": (0, 3, 7, 14),
    "9": (0, 4, 7, 10, 14), "maj9": (0, 4, 7, 11, 14), "min9": (0, 3, 7, 10, 14),
    "11": (0, 7, 10, 14, 17), "min11": (0, 3, 7, 10, 17), "13": (0, 4, 10, 14, 21),
}
_SYMBOLS: dict[Quality, str] = {
    "maj": "", "min": "m", "dim": "dim", "aug": "aug", "min6": "m6", "min7": "m7", "minmaj7": "mMaj7",
    "m7b5": "m7b5", "dim7": "dim7", "minadd9": "madd9", "min9": "m9", "min11": "m11",
}
_SUFFIXES: dict[str, Quality] = {
    "": "maj", "maj": "maj", "M": "maj", "m": "min", "min": "min", "-": "min",
    "°": "dim", "o": "dim", "dim": "dim", "+": "aug", "aug": "aug", "5": "5",
    "sus2": "sus2", "sus4": "sus4", "sus": "sus4", "6": "6", "m6": "min6", "min6": "min6",
    "7": "7", "maj7": "maj7", "M7": "maj7", "Δ": "maj7", "Δ7": "maj7", "m7": "min7", "min7": "min7",
    "-7": "min7", "mMaj7": "minmaj7", "mM7": "minmaj7", "minmaj7": "minmaj7", "mmaj7": "minmaj7",
    "m7b5": "m7b5", "ø": "m7b5", "ø7": "m7b5", "°7": "dim7", "o7": "dim7", "dim7": "dim7",
    "7sus4": "7sus4", "7sus": "7sus4", "add9": "add9", "madd9": "minadd9", "minadd9": "minadd9",
    "9": "9", "maj9": "maj9", "M9": "maj9", "m9": "min9", "min9": "min9",
    "11": "11", "m11": "min11", "min11": "min11", "13": "13",
}
_OF_MINOR_NUMERAL: dict[Quality, Quality] = {
    "maj": "min", "6": "min6", "7": "min7", "maj7": "minmaj7", "add9": "minadd9", "9": "min9", "11": "min11",
}
_MAJOR = (0, 2, 4, 5, 7, 9, 11)
_DEGREES = {"I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7}
_NUMERAL = re.compile(r"([b#]?)(VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)([^/]*)(?:/(.+))?")
_SYMBOL = re.compile(r"([A-G][#b]?)([^/]*)(?:/([A-G][#b]?))?")


class Chord(Struct, frozen=True, forbid_unknown_fields=True):
    """A root (0-11) with a quality; `bass` is the lowest pitch class where it is not the root."""

    root: PitchClass
    quality: Quality = "maj"
    bass: PitchClass | None = None

    @property
    def intervals(self) -> tuple[int, ...]:
        """Semitones above the root, ninths and higher beyond the octave."""
        return _INTERVALS[self.quality]

    @property
    def pitch_classes(self) -> tuple[int, ...]:
        """Its tones as 0-11, root first."""
        return tuple((self.root + step) % 12 for step in self.intervals)

    @property
    def lowest(self) -> int:
        """Pitch class that the bass plays."""
        return self.root if self.bass is None else self.bass

    def symbol(self, key: Key | None = None) -> str:
        """As on a lead sheet: F#m7, C/E; spelled in `key`."""
        suffix = _SYMBOLS.get(self.quality, self.quality)
        slash = "" if self.bass in (None, self.root) else f"/{class_name(self.lowest, key)}"
        return f"{class_name(self.root, key)}{suffix}{slash}"

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number % 12 in self.pitch_classes


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
    quality = _quality(suffix, text)
    if numeral.islower():
        quality = _OF_MINOR_NUMERAL.get(quality, quality)
    index = _DEGREES[numeral.upper()] - 1
    step = _MAJOR[index] - 1 if accidental == "b" else intervals(home.mode)[index] + (accidental == "#")
    root = (home.pitch_class + step) % 12
    return Chord(root, quality, _tone_in_bass(slash, root, quality, text) if slash else None)


def progression(text: str, key: Key) -> tuple[Chord, ...]:
    """Chords of numerals separated by spaces, commas, bars or dashes between spaces: `i bVI | bIII bVII`."""
    words = [word for word in re.split(r"[\s,|]+", text) if word not in ("", "-", "–")]
    return tuple(roman(word, key) for word in words)


def chord(symbol: str) -> Chord:
    """The chord of a lead-sheet symbol: C, F#m7, Bbmaj7/D. `TheoryError` for anything else."""
    found = _SYMBOL.fullmatch(symbol.strip())
    if found is None:
        raise _unreadable("chord", symbol, "write for example C, F#m7, Bbmaj7/D")
    bass = pitch_class(found[3]) if found[3] else None
    return Chord(pitch_class(found[1]), _quality(found[2], symbol), bass)


def diatonic(key: Key, degree: int, tones: Literal[3, 4] = 3) -> Chord:
    """The triad (or seventh chord) on a degree (1 = tonic) made of the key's own notes."""
    steps = intervals(key.mode)
    index = (degree - 1) % 7
    stacked = [steps[(index + 2 * i) % 7] + 12 * ((index + 2 * i) // 7) - steps[index] for i in range(tones)]
    root = (key.pitch_class + steps[index]) % 12
    for quality, shape in _INTERVALS.items():
        if list(shape) == stacked:
            return Chord(root, quality)
    # augmented and minor-major sevenths of the minor modes: their triad says enough
    return diatonic(key, degree, 3)


def _quality(suffix: str, text: str) -> Quality:
    bare = suffix.strip().strip("()")
    if bare not in _SUFFIXES:
        known = ", ".join(word for word in _SUFFIXES if word)
        raise _unreadable("chord ending", text, f"known endings: {known}")
    return _SUFFIXES[bare]


def _tone_in_bass(slash: str, root: int, quality: Quality, text: str) -> int:
    shape = _INTERVALS[quality]
    tones = {"3": 1, "5": 2, "7": 3}
    if slash not in tones or tones[slash] >= len(shape):
        raise _unreadable("bass", text, "after the slash write 3, 5 or 7 for a chord tone, or a numeral")
    return (root + shape[tones[slash]]) % 12


def _unreadable(kind: str, text: str, fix: str) -> TheoryError:
    return TheoryError(f"cannot read the {kind} in {text!r}", fix=fix)
