"""A key as a musician reads it."""

from __future__ import annotations

from agent.song.key import Key, Mode
from app.i18n import tr


def key_in_words(key: Key) -> str:
    """Tonic with musical signs, and the mode: "B♭ major"."""
    tonic = key.tonic.replace("b", "♭").replace("#", "♯")
    return tr("{tonic} {mode}", tonic=tonic, mode=_mode(key.mode))


def _mode(mode: Mode) -> str:
    words = {
        "major": tr("major"), "minor": tr("minor"), "dorian": tr("dorian"), "phrygian": tr("phrygian"),
        "lydian": tr("lydian"), "mixolydian": tr("mixolydian"), "locrian": tr("locrian"),
        "harmonic_minor": tr("harmonic minor"), "melodic_minor": tr("melodic minor"),
    }
    return words[mode]
