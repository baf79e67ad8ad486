"""How pitches are spelled on a staff in a key: letter, accidental, and where the accidental is written."""

from __future__ import annotations

from msgspec import Struct

from agent.song.key import Key, Mode

_LETTERS = "FCGDAEB"
"""In fifths; each sharp is seven further, each flat seven back."""
_NATURAL = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_BEHIND: dict[Mode, int] = {
    "major": 0, "minor": 3, "dorian": 2, "phrygian": 4, "lydian": -1, "mixolydian": 1, "locrian": 5,
    "harmonic_minor": 3, "melodic_minor": 3,
}
_MOST = 7


class Spelled(Struct, frozen=True):
    """A pitch on the staff: the letter, its octave and its alteration in semitones (1 for ♯, -1 for ♭)."""

    letter: str
    octave: int
    altered: int


def signature(key: Key) -> int:
    """Sharps of a key's signature, or flats below zero; at most seven."""
    fifths = _LETTERS.index(key.tonic[0]) - 1 + 7 * (key.tonic.count("#") - key.tonic[1:].count("b"))
    fifths -= _BEHIND[key.mode]
    return fifths - 12 if fifths > _MOST else fifths + 12 if fifths < -_MOST else fifths


def in_signature(letter: str, fifths: int) -> int:
    """The semitones by which a key signature alters a letter; `fifths` is its number of sharps, or of flats below
    zero."""
    place = _LETTERS.index(letter)
    return int(place < fifths) - int(_MOST - 1 - place < -fifths)


def spelled(pitch: int, key: Key) -> Spelled:
    """A MIDI pitch as the key writes it: its own notes, the leading note of minor raised, else the nearer sign."""
    fifths = signature(key)
    low = fifths - (3 if _BEHIND[key.mode] >= 3 else 4)
    index = next(at for at in range(low, low + 12) if (7 * at) % 12 == pitch % 12)
    altered, place = divmod(index + 1, 7)
    letter = _LETTERS[place]
    return Spelled(letter, (pitch - altered - _NATURAL[letter]) // 12 - 1, altered)
