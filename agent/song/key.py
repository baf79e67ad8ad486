"""The key of a song: a tonic and a mode, as a musician writes them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Mode = Literal[
    "major", "minor", "dorian", "phrygian", "lydian", "mixolydian", "locrian",
    "harmonic_minor", "melodic_minor",
]

TONICS = ("C", "C#", "Db", "D", "D#", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "A#", "Bb", "B")
Tonic = Annotated[str, Meta(pattern=r"^[A-G][#b]?$")]

_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_CLASSES = {
    letter + sign: (step + moved) % 12
    for letter, step in _LETTERS.items() for sign, moved in (("", 0), ("#", 1), ("b", -1))
}


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """Tonic as a note name (C, F#, Bb) and mode."""

    tonic: Tonic
    mode: Mode = "major"

    @property
    def pitch_class(self) -> int:
        """Tonic as 0-11, where C is 0."""
        return _CLASSES[self.tonic]

    def __str__(self) -> str:
        return f"{self.tonic} {self.mode.replace('_', ' ')}"
