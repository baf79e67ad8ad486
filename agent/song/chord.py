"""Chords as values: a root, a quality and alterations, as a lead sheet writes them."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta, Struct

Quality = Literal[
    "maj", "min", "dim", "aug", "5", "sus2", "sus4", "6", "min6", "7", "maj7", "min7", "minmaj7", "m7b5",
    "dim7", "7sus4", "add9", "minadd9", "9", "maj9", "min9", "11", "min11", "13",
]
Alteration = Literal["b5", "#5", "b9", "9", "#9", "11", "#11", "b13", "13", "no3", "no5"]
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
_ADDED: dict[Alteration, int] = {
    "b5": 6, "#5": 8, "b9": 13, "9": 14, "#9": 15, "11": 17, "#11": 18, "b13": 20, "13": 21,
}
_REPLACED: dict[Alteration, tuple[int, ...]] = {
    "b5": (7,), "#5": (7,), "b9": (14,), "#9": (14,), "#11": (17,), "b13": (21,), "no3": (3, 4), "no5": (7,),
}
"""What an alteration takes away; an added tone stands in its place."""
_SYMBOLS: dict[Quality, str] = {
    "maj": "", "min": "m", "min6": "m6", "min7": "m7", "minmaj7": "mMaj7", "minadd9": "madd9", "min9": "m9",
    "min11": "m11", "add9": "add9",
}
_TOGETHER: dict[tuple[Quality, tuple[Alteration, ...]], str] = {
    ("6", ("9",)): "6/9", ("min6", ("9",)): "m6/9", ("maj9", ("13",)): "maj13", ("min9", ("13",)): "m13",
    ("7sus4", ("9",)): "9sus4", ("7sus4", ("9", "13")): "13sus4", ("7", ("b9", "#9", "b13", "no5")): "7alt",
}


class Chord(Struct, frozen=True, forbid_unknown_fields=True):
    """A root (0-11, C is 0) with a quality; `altered` are tones added or changed, in the order of `Alteration`, each
    once. `bass` is the lowest pitch class, None if it is the root."""

    root: PitchClass
    quality: Quality = "maj"
    bass: PitchClass | None = None
    altered: tuple[Alteration, ...] = ()

    @property
    def intervals(self) -> tuple[int, ...]:
        """Semitones above the root, ascending, ninths and higher beyond the octave."""
        shape = _INTERVALS[self.quality]
        if not self.altered:
            return shape
        gone = {step for one in self.altered for step in _REPLACED.get(one, ())}
        added = {_ADDED[one] for one in self.altered if one in _ADDED}
        return tuple(sorted({step for step in shape if step not in gone} | added))

    @property
    def pitch_classes(self) -> tuple[int, ...]:
        """Its tones as 0-11, root first."""
        return _classes(self)

    @property
    def lowest(self) -> int:
        """Pitch class that the bass plays."""
        return self.root if self.bass is None else self.bass

    @property
    def suffix(self) -> str:
        """The part of the symbol after the root: m7, 7(b9), 6/9."""
        together = _TOGETHER.get((self.quality, self.altered))
        if together is not None:
            return together
        behind = f"({','.join(self.altered)})" if self.altered else ""
        return f"{_SYMBOLS.get(self.quality, self.quality)}{behind}"

    def transposed(self, semitones: int) -> Chord:
        """The chord moved up by `semitones` (down if negative), its bass moved with it."""
        bass = None if self.bass is None else (self.bass + semitones) % 12
        return Chord((self.root + semitones) % 12, self.quality, bass, self.altered)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and number % 12 in _classes(self)


@lru_cache(maxsize=1024)
def _classes(chord: Chord) -> tuple[int, ...]:
    # asked for each note of a piece and every pitch that it might have
    return tuple(dict.fromkeys((chord.root + step) % 12 for step in chord.intervals))


def quality_intervals(quality: Quality) -> tuple[int, ...]:
    """Semitones of a quality above the root, ascending."""
    return _INTERVALS[quality]
