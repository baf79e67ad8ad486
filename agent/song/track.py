"""Tracks, their mix settings, effects and automation."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from agent.song.clip import Clip
from agent.song.ids import EffectId, TrackId
from agent.song.time import Position, Ticks

Decibels = Annotated[float, Meta(ge=-96, le=24)]
Pan = Annotated[float, Meta(ge=-1, le=1)]
Color = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}$")]
TrackType = Literal["midi"]
SoundFontFile = Annotated[
    str, Meta(max_length=120, pattern=r"^([^/\\:\x00-\x1f]+\.[sS][fF][23])?$", description="no folder; empty for none")
]
"""The name of a SoundFont file, never a path: where files lie differs, and a song of a stranger must name no place."""


class Effect(Struct, frozen=True, forbid_unknown_fields=True):
    """One processor in a chain; `params` are (name, value) sorted by name, units as in the effect table."""

    id: EffectId
    name: str
    params: tuple[tuple[str, float], ...] = ()
    enabled: bool = True


class Point(Struct, frozen=True, forbid_unknown_fields=True):
    """A value at a time (ticks from the song's start)."""

    at: Position
    value: float


class Automation(Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter over time; one lane per target.

    `target`: `volume_db`, `pan`, `pedal` (0-127, 64 and more is down), `bend` (semitones, ±12),
    `expression` and `modulation` (0-127), or `EFFECT_ID.PARAM`. `curve` says what happens between points.
    """

    target: str
    points: tuple[Point, ...]
    curve: Literal["linear", "hold"] = "linear"


class Track(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An instrument with clips sorted by (start, id), a mix position and an effect chain in order. With a `soundfont`
    it plays from that file, if the file is there; its instrument then only chooses the sound in the file."""

    id: TrackId
    name: str
    instrument: str
    type: TrackType = "midi"
    volume_db: Decibels = 0.0
    pan: Pan = 0.0
    mute: bool = False
    color: Color = "#7CCDEB"
    clips: tuple[Clip, ...] = ()
    effects: tuple[Effect, ...] = ()
    automation: tuple[Automation, ...] = ()
    soundfont: SoundFontFile = ""

    @property
    def end(self) -> Ticks:
        """First tick after the last clip."""
        return Ticks(max((clip.end for clip in self.clips), default=0))

    @property
    def note_count(self) -> int:
        """Notes in all clips."""
        return sum([len(clip.notes) for clip in self.clips])
