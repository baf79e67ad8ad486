"""A clip as a synthesizer plays it: MIDI events on the engine's time grid, with a content hash."""

from __future__ import annotations

import hashlib
from enum import IntEnum
from itertools import pairwise
from math import floor

import msgspec
import numpy as np
import numpy.typing as npt

from agent.song.clip import Clip
from agent.song.palette import Instrument
from agent.song.song import Song
from agent.song.track import Track
from app.sound.curves import AutomationCurve, curve_for

SAMPLE_RATE = 48_000
"""Frames per second of all sound inside the program."""
GRID = 64
"""Frames between two times at which the synthesizer takes events (1.3 ms)."""
LONGEST_TAIL = 10.0
"""Most seconds that a release or an effect may ring on after the last note."""
LONGEST_SECONDS = 30 * 60
"""Longest song that is rendered as a whole, and longest clip, in seconds: ten minutes take about a gigabyte."""
OFFSET_HZ = 12.0
"""Frequency of a high-pass filter of 6 dB an octave, as samples and effects may have a DC offset."""
KITS = 128
"""The bank of General MIDI whose presets are drum kits."""
BEND_RANGE = 12
"""Semitones of a full pitch bend."""

_LANE_STEP = 4  # grid steps between two values of a moving lane: 5 ms


class EventKind(IntEnum):
    """Kinds of events; of several at one time the lower kind comes first."""

    NOTE_OFF = 0
    BEND = 1
    CONTROL = 2
    NOTE_ON = 3


Event = tuple[int, int, int, int]
"""(grid step from the clip's start, kind, key or controller, velocity or value); a bend is 0-16383."""

Steps = npt.NDArray[np.int64]

_CONTROLLERS = (("modulation", 1, 0), ("expression", 11, 127), ("pedal", 64, 0))


class SampledKit(msgspec.Struct, frozen=True, array_like=True):
    """A sampled kit: its SoundFont with the hash of its content, and what plays there as each drum.

    `keys` are (drum, key of the kit, semitones by which it is tuned); `trim_db`, 0 or less, lowers it.
    """

    path: str
    digest: str
    keys: tuple[tuple[int, int, int], ...]
    trim_db: float


class PartLayer(msgspec.Struct, frozen=True, array_like=True):
    """One of the sounds that play a part together: bank and program of the synthesizer, `transpose` in semitones,
    `cents`, the delay `late` in grid steps, `gain_db` and `pan` (-1 to 1)."""

    bank: int
    program: int
    transpose: int
    cents: float
    late: int
    gain_db: float
    pan: float


class PartFont(msgspec.Struct, frozen=True, array_like=True):
    """A SoundFont that a part plays from instead of the bank, with the hash of its content, and the bank and program of
    the sound in it."""

    path: str
    digest: str
    bank: int
    program: int


class SynthPart(msgspec.Struct, frozen=True, array_like=True):
    """The notes and performance automation of one clip, relative to its start: everything that shapes its dry sound.

    With a `kit`, bank and program only play the drums that it lacks; with a `font`, the keys that it lacks. With
    `layers`, these play instead of them. `dark` are drums of the bank, each with the cents by which its filter is
    lowered."""

    bank: int
    program: int
    events: tuple[Event, ...]
    kit: SampledKit | None = None
    layers: tuple[PartLayer, ...] = ()
    font: PartFont | None = None
    dark: tuple[tuple[int, int], ...] = ()

    def key(self, engine: str) -> str:
        """Content hash; `engine` names synthesizer, version and SoundFont."""
        digest = hashlib.blake2b(digest_size=20)
        digest.update(engine.encode())
        digest.update(msgspec.msgpack.encode(self))
        return digest.hexdigest()


def frame_at(song: Song, tick: int) -> int:
    """The frame of the song at a tick."""
    return floor(song.tempo_map.seconds(tick) * SAMPLE_RATE + 0.5)


def part_of(
    song: Song, track: Track, clip: Clip, instrument: Instrument, kit: SampledKit | None = None,
    layers: tuple[PartLayer, ...] = (), font: PartFont | None = None,
) -> SynthPart | None:
    """The part of a clip, or None when it has no notes."""
    if not clip.notes:
        return None
    events = _note_events(song, clip)
    last = max(step for step, *_ in events)
    events += _lane_events(song, track, clip, last)
    return SynthPart(instrument.bank, instrument.program, tuple(sorted(events)), kit, layers, font, instrument.dark)


def _note_events(song: Song, clip: Clip) -> list[Event]:
    origin = song.tempo_map.seconds(clip.start)
    spans: dict[int, list[tuple[int, int, int]]] = {}
    for note in clip.notes:
        start = _step(song.tempo_map.seconds(clip.start + note.start) - origin)
        end = max(start + 1, _step(song.tempo_map.seconds(clip.start + note.end) - origin))
        spans.setdefault(note.pitch, []).append((start, end, note.velocity))
    events: list[Event] = []
    for pitch, notes in spans.items():
        notes.sort()
        # A key struck again while it sounds is one key: the earlier note ends where the later begins.
        ends = [min(now[1], following[0]) for now, following in pairwise(notes)] + [notes[-1][1]]
        for (start, _, velocity), end in zip(notes, ends, strict=True):
            if end > start:
                events.append((start, EventKind.NOTE_ON, pitch, velocity))
                events.append((end, EventKind.NOTE_OFF, pitch, 0))
    return events


def _step(seconds: float) -> int:
    # Rounding first keeps a clip's events equal wherever in the song it stands.
    return floor(round(seconds * SAMPLE_RATE / GRID, 4) + 0.5)


def _lane_events(song: Song, track: Track, clip: Clip, last: int) -> list[Event]:
    steps = np.arange(0, last + int(LONGEST_TAIL * SAMPLE_RATE / GRID), _LANE_STEP)
    events: list[Event] = []
    for target, controller, resting in _CONTROLLERS:
        curve = curve_for(song, track, target, resting)
        if curve is not None:
            values = _values(song, clip, curve, steps, 127)
            events += _changes(steps, values, EventKind.CONTROL, controller, resting)
    bend = curve_for(song, track, "bend", 0)
    if bend is not None:
        centred = AutomationCurve(bend.times, bend.values * 8192 / BEND_RANGE + 8192, bend.hold, 8192)
        events += _changes(steps, _values(song, clip, centred, steps, 16383), EventKind.BEND, 0, 8192)
    return events


def _values(song: Song, clip: Clip, curve: AutomationCurve, steps: Steps, high: int) -> list[int]:
    seconds = steps.astype(np.float64) * (GRID / SAMPLE_RATE) + song.tempo_map.seconds(clip.start)
    # A tenth of a sample later, so that a point on a step counts on that step.
    return [int(v) for v in np.clip(np.rint(curve.at(seconds + 2e-6)), 0, high)]


def _changes(
    steps: Steps, values: list[int], kind: EventKind, number: int, resting: int
) -> list[Event]:
    before = [resting, *values]
    return [
        (int(step), kind, number, value)
        for step, value, old in zip(steps, values, before, strict=False)
        if value != old
    ]
