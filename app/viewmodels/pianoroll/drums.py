"""Lanes of the drum grid: the pieces of a kit by their pitches, as General MIDI numbers them."""

from __future__ import annotations

from collections.abc import Collection

from agent.song.palette import Instrument, Palette
from agent.song.track import Track
from app.i18n import tr

USUAL = (36, 37, 38, 39, 42, 44, 46, 41, 45, 48, 49, 51)
"""Pitches of drums that always have a lane."""
FIRST, LAST = 27, 87
"""Lowest and highest pitch at which kits have drums."""


def piece_name(pitch: int) -> str:
    """The name of a drum by its pitch; "Drum" and the number if kits have none there."""
    return _names().get(pitch) or tr("Drum {pitch}", pitch=pitch)


def lanes(pitches: Collection[int], *, whole: bool) -> tuple[int, ...]:
    """Pitches with a lane, from the highest down: usual and used ones, or with `whole` all of a kit."""
    known = set(range(FIRST, LAST + 1)) if whole else set(USUAL)
    return tuple(sorted(known | set(pitches), reverse=True))


def plays_kit(track: Track, palette: Palette) -> bool:
    """Whether each pitch of a track is another drum."""
    found = _instrument(track, palette)
    return found is not None and (found.is_kit or found.family == "drums")


def _instrument(track: Track, palette: Palette) -> Instrument | None:
    return next((one for one in palette.instruments if one.name == track.instrument), None)


def _names() -> dict[int, str]:
    return {
        27: tr("High Q"), 28: tr("Slap"), 29: tr("Scratch push"), 30: tr("Scratch pull"), 31: tr("Sticks"),
        32: tr("Square click"), 33: tr("Metronome click"), 34: tr("Metronome bell"), 35: tr("Kick 2"),
        36: tr("Kick"), 37: tr("Side stick"), 38: tr("Snare"), 39: tr("Clap"), 40: tr("Snare 2"),
        41: tr("Floor tom 2"), 42: tr("Closed hi-hat"), 43: tr("Floor tom"), 44: tr("Pedal hi-hat"),
        45: tr("Low tom"), 46: tr("Open hi-hat"), 47: tr("Mid tom 2"), 48: tr("Mid tom"), 49: tr("Crash"),
        50: tr("High tom"), 51: tr("Ride"), 52: tr("China"), 53: tr("Ride bell"), 54: tr("Tambourine"),
        55: tr("Splash"), 56: tr("Cowbell"), 57: tr("Crash 2"), 58: tr("Vibraslap"), 59: tr("Ride 2"),
        60: tr("High bongo"), 61: tr("Low bongo"), 62: tr("Muted conga"), 63: tr("Open conga"),
        64: tr("Low conga"), 65: tr("High timbale"), 66: tr("Low timbale"), 67: tr("High agogo"),
        68: tr("Low agogo"), 69: tr("Cabasa"), 70: tr("Maracas"), 71: tr("Short whistle"),
        72: tr("Long whistle"), 73: tr("Short guiro"), 74: tr("Long guiro"), 75: tr("Claves"),
        76: tr("High wood block"), 77: tr("Low wood block"), 78: tr("Muted cuica"), 79: tr("Open cuica"),
        80: tr("Muted triangle"), 81: tr("Open triangle"), 82: tr("Shaker"), 83: tr("Sleigh bells"),
        84: tr("Bell tree"), 85: tr("Castanets"), 86: tr("Muted surdo"), 87: tr("Open surdo"),
    }
