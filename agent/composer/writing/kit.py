"""The drum kit: which pitch each drum is."""

from __future__ import annotations

from agent.composer.styles import Drum

PITCHES: dict[Drum, int] = {
    "kick": 36, "rim": 37, "snare": 38, "clap": 39, "hat": 42, "pedal": 44, "open": 46, "ride": 51, "bell": 53,
    "crash": 49, "splash": 55, "tom_low": 45, "tom_mid": 47, "tom_high": 50, "tambourine": 54, "cowbell": 56,
    "shaker": 82, "conga_high": 62, "conga_low": 64, "bongo_high": 60, "bongo_low": 61, "claves": 75,
    "triangle": 81, "cabasa": 69, "surdo_mute": 86, "surdo_open": 87,
}
"""General MIDI drum pitches."""
