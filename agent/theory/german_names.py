"""German names of notes, chords and keys: H, Es, Fis; As-Dur, h-Moll; in English: B, Eb, F#; A flat major, B minor."""

from __future__ import annotations

import re

from agent.song.key import TONICS, Key, Mode
from agent.theory.pitch import pitch_class, usual_tonic

NAMES = {
    "cis": "C#", "dis": "D#", "eis": "E#", "fis": "F#", "gis": "G#", "ais": "A#", "his": "B#",
    "ces": "Cb", "des": "Db", "es": "Eb", "fes": "Fb", "ges": "Gb", "as": "Ab",
}
"""Notes whose names are German and nothing else, with their English ones."""
_MODES: dict[str, Mode] = {"dur": "major", "moll": "minor"}
_KEY = re.compile(rf"({'|'.join(NAMES)}|[a-h])[\s-]*({'|'.join(_MODES)})", re.IGNORECASE)
_NOTE = rf"(?:{'|'.join(name.capitalize() for name in NAMES)})(?!us)"
"""A name as chords begin with it; Asus4 and Esus4 are over A and E."""
_ROOT = rf"{_NOTE}|[A-H](?:b|#|♭|♯)?"
_CHORD = re.compile(rf"(?P<root>{_ROOT})(?P<rest>[^/]*(?:/9)?)(?:/(?P<bass>{_ROOT}))?")


def german_key(text: str) -> Key | None:
    """The key of a German name such as "As-Dur" or "h moll", where B is B flat; None for any other text."""
    found = _KEY.fullmatch(text.strip())
    if found is None:
        return None
    letter = found[1].casefold()
    tonic = NAMES.get(letter) or {"h": "B", "b": "Bb"}.get(letter) or letter.upper()
    mode = _MODES[found[2].casefold()]
    return Key(tonic if tonic in TONICS else usual_tonic(pitch_class(tonic), mode), mode)


def chord_in_english(symbol: str) -> str:
    """A chord symbol with its German root and bass as English ones: Es7/As is Eb7/Ab; H and B stay as they are."""
    found = _CHORD.fullmatch(symbol)
    if found is None:
        return symbol
    bass = f"/{_note(found['bass'])}" if found["bass"] else ""
    return f"{_note(found['root'])}{found['rest']}{bass}"


def _note(name: str) -> str:
    return NAMES.get(name.casefold(), name)
