"""Whether the lowest note of a guitar or a bass lies below its standard tuning, and which tuning reaches it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from agent.chat.answering.wording import counted
from agent.song.palette import Family, Palette
from agent.song.track import Track
from agent.theory.pitch import pitch_name


class _Fretted(Struct, frozen=True):
    """An instrument with frets, its usual number of strings and its open low string, and those of its larger form."""

    family: Family
    strings: str
    low: int
    larger: str
    larger_low: int


_GUITAR = _Fretted("guitar", "six strings", 40, "seven-string guitar", 35)
_BASS = _Fretted("bass", "four strings", 28, "five-string bass", 23)
_LOWER = {
    1: "tuned down a semitone, to E♭", 2: "in drop D", 3: "in drop D♭, drop D a semitone lower", 4: "in drop C",
    5: "in drop B",
}
"""By semitones below the open E the usual tuning that reaches a note."""


def tunings_for(lowest: Mapping[Track, int], palette: Palette) -> str:
    """Sentences that say in which tuning the lowest pitches of the guitars and basses among the tracks can be played;
    "" without such an instrument."""
    families = {one.name: one.family for one in palette.instruments}
    said = []
    for fretted in (_GUITAR, _BASS):
        tracks = [track for track in lowest if families.get(track.instrument) == fretted.family]
        if tracks:
            deepest = min(tracks, key=lambda track: lowest[track])
            said.append(_said(deepest.name if len(tracks) == 1 else f"{deepest.name}, the lowest of them,",
                              lowest[deepest], fretted))
    return " ".join(said)


def _said(name: str, lowest: int, fretted: _Fretted) -> str:
    low, under = pitch_name(fretted.low), fretted.low - lowest
    if under <= 0:
        return f"{name} needs no other tuning: {fretted.strings} in standard tuning go down to {low}."
    out = f"{name} goes {counted(under, 'semitone')} below {low}, the open low string of a {fretted.family}"
    if under not in _LOWER:
        return f"{out}, and below the open {pitch_name(fretted.larger_low)} of a {fretted.larger} too."
    return f"{out} in standard tuning: {fretted.strings} reach it {_LOWER[under]}, or a {fretted.larger} as it is."
