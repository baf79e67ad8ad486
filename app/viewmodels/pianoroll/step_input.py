"""Step input: which note a letter of the typing keyboard plays."""

from __future__ import annotations

_LETTERS = "AWSEDFTGYHUJKOLP"
LOWEST, HIGHEST = 0, 9
"""Lowest and highest octave that can be chosen."""
REST = "R"


def pitch_of(letter: str, octave: int) -> int | None:
    """The pitch of a letter in an octave: the row from A on are the white keys from C, the row above the black ones (A
    is C, W is C sharp, S is D); None for another letter."""
    at = _LETTERS.find(letter.upper()) if len(letter) == 1 else -1
    pitch = (octave + 1) * 12 + at
    return pitch if at >= 0 and 0 <= pitch <= 127 else None


def octave_after(octave: int, letter: str) -> int | None:
    """The octave after Z (down) or X (up), clamped; None for other letters."""
    by = {"Z": -1, "X": 1}.get(letter.upper())
    return None if by is None else max(LOWEST, min(HIGHEST, octave + by))
