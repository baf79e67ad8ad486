"""A track to be made: its sound, its place in the mix and the passages it plays."""

from __future__ import annotations

from msgspec import Struct

from agent.composer.tones import Tone
from agent.song.palette import EffectUse


class PlannedClip(Struct, frozen=True):
    """A clip to be created, from `start` to `end` in ticks of the song; its tones are in ticks of the song too. `why`
    is the reason shown in the plan's row."""

    name: str
    start: int
    end: int
    tones: tuple[Tone, ...]
    why: str = ""


class PlannedAutomation(Struct, frozen=True):
    """Automation to be created: (tick, value) points of a target, with straight lines between them. `why` is the reason
    shown in the plan's row."""

    target: str
    points: tuple[tuple[int, float], ...]
    why: str = ""


class PlannedTrack(Struct, frozen=True):
    """A track to be created with its clips (`passages`), effects, automation (`lanes`) and mix settings: `volume_db` in
    dB, `pan` from -1 (left) to 1, `color` as hex. `group` is the heading of its rows in the plan, `why` the reason
    shown."""

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
    """The effects with delay times set to the nearest note value at this tempo (eighth, dotted eighth, quarter, …);
    other effects are unchanged."""
    return tuple(_echo_in_time(use, bpm) if use.effect == "delay" and "time" in use.params else use for use in uses)


def _echo_in_time(use: EffectUse, bpm: float) -> EffectUse:
    wanted = use.params["time"]
    options = [beats * 60 / bpm for beats in _BEATS_OF_ECHO if 0.01 <= beats * 60 / bpm <= 2.0]
    time = min(options, key=lambda option: abs(option - wanted)) if options else wanted
    return EffectUse(use.effect, {**use.params, "time": round(time, 4)})
