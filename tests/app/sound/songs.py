"""Small songs and figures for the tests of the sound room."""

from __future__ import annotations

from typing import Any

import numpy as np

from agent.song.clip import Clip, Note, in_order
from agent.song.ids import ClipId, EffectId, NoteId, TrackId
from agent.song.song import Song
from agent.song.time import Ticks, to_ticks
from agent.song.track import Automation, Effect, Point, Track
from app.sound.renderer import Frames

RATE = 48_000


def notes(*rows: tuple[int, float, float, int]) -> tuple[Note, ...]:
    """(pitch, start, duration in beats, velocity) as notes; at 120 BPM a beat is half a second."""
    made = [
        Note(NoteId(f"n{i}"), pitch, to_ticks(start), to_ticks(length), velocity)
        for i, (pitch, start, length, velocity) in enumerate(rows)
    ]
    return in_order(made)


def clip(*rows: tuple[int, float, float, int], start: float = 0, length: float = 4, name: str = "c1") -> Clip:
    return Clip(ClipId(name), name, to_ticks(start), to_ticks(length), notes(*rows))


def track(instrument: str, *clips: Clip, name: str = "t1", **fields: Any) -> Track:
    return Track(TrackId(name), name, instrument, clips=clips, **fields)


def song(*tracks: Track, **fields: Any) -> Song:
    return Song(tracks=tracks, **fields)


def lane(target: str, *points: tuple[float, float], hold: bool = False) -> Automation:
    made = tuple(Point(to_ticks(at), value) for at, value in points)
    return Automation(target, made, "hold" if hold else "linear")


def effect(name: str, **params: float) -> Effect:
    return Effect(EffectId("e1"), name, tuple(sorted(params.items())))


def ticks(beats: float) -> Ticks:
    return to_ticks(beats)


def rms(sound: Frames, start: float = 0, end: float = 1e9) -> float:
    """dBFS between two seconds; -200 for silence."""
    part = sound[int(start * RATE) : int(min(end * RATE, len(sound)))]
    energy = float(np.mean(part.astype(np.float64) ** 2)) if len(part) else 0.0
    return 10 * float(np.log10(energy)) if energy > 1e-20 else -200.0


def pitch_hz(sound: Frames, start: float, end: float, low: float, high: float) -> float:
    """Strongest frequency between `low` and `high`."""
    part = sound[int(start * RATE) : int(end * RATE)].mean(axis=1)
    size = 1 << 18
    spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part)), size))
    frequencies = np.fft.rfftfreq(size, 1 / RATE)
    spectrum[(frequencies < low) | (frequencies > high)] = 0
    return float(frequencies[int(np.argmax(spectrum))])


def cents(frequency: float, reference: float) -> float:
    return 1200 * float(np.log2(frequency / reference))
