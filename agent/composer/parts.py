"""A track to be made: its sound, its place in the mix and the passages it plays."""

from __future__ import annotations

from dataclasses import dataclass

from agent.composer.tones import Tone
from agent.song.palette import EffectUse


@dataclass(frozen=True)
class PlannedClip:
    """A clip to be made, from `start` to `end` in ticks of the song."""

    name: str
    start: int
    end: int
    tones: tuple[Tone, ...]
    why: str = ""


@dataclass(frozen=True)
class PlannedAutomation:
    """Automation to be made: values of a target at ticks of the song, with straight lines between them."""

    target: str
    points: tuple[tuple[int, float], ...]
    why: str = ""


@dataclass(frozen=True)
class PlannedTrack:
    """A track to be made, with all its mix settings at once."""

    name: str
    instrument: str
    volume_db: float
    pan: float
    color: str
    passages: tuple[PlannedClip, ...]
    effects: tuple[EffectUse, ...]
    group: str
    why: str
    lanes: tuple[PlannedAutomation, ...] = ()


_BEATS_OF_ECHO = (0.5, 0.75, 1.0, 1.5, 2.0)


def in_time(uses: tuple[EffectUse, ...], bpm: float) -> tuple[EffectUse, ...]:
    """Effects whose echoes fall on the beat: a delay takes the nearest eighth, dotted eighth, quarter, ..."""
    return tuple(_echo_in_time(use, bpm) if use.effect == "delay" and "time" in use.params else use for use in uses)


def _echo_in_time(use: EffectUse, bpm: float) -> EffectUse:
    wanted = use.params["time"]
    options = [beats * 60 / bpm for beats in _BEATS_OF_ECHO if 0.01 <= beats * 60 / bpm <= 2.0]
    time = min(options, key=lambda option: abs(option - wanted)) if options else wanted
    return EffectUse(use.effect, {**use.params, "time": round(time, 4)})
