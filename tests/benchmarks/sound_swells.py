"""Whether held sounds swell, in what is played (CC 11) and in what is heard, and whether hard strokes are brighter."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Automation, Track
from app.sound.fluid import Bank, Planar
from app.sound.part import GRID, SAMPLE_RATE, EventKind, SampledKit, SynthPart
from app.sound.renderer import Renderer, never
from app.sound.sampled_kits import SampledKits
from app.sound.synthesis import synthesise
from tests.benchmarks.playing_figures import rows_of, sounds_on
from tests.benchmarks.playing_figures import swells as leans
from tests.benchmarks.sound_figures import centroid

LEAST_BRIGHTER = 0.10
SOFT, HARD = 40, 120

_WINDOW = SAMPLE_RATE // 4
_QUIET_DB = -40.0
_PIECES = {"kick": 36, "snare": 38, "hat": 42}


class Swell(Struct, frozen=True):
    """How far the level of a track moves by expression: the controller's span (0-127), and dB as it is heard."""

    track: str
    family: str
    span: float
    heard_db: float


def swells(renderer: Renderer, song: Song, palette: Palette) -> list[Swell]:
    """Every track whose player can lean into its notes, and holds or binds them."""
    found = []
    for track in song.tracks:
        instrument = palette.instrument(track.instrument)
        if leans(instrument) and not track.mute and sounds_on(rows_of(track)):
            span, heard = _span(track), 0.0
            if span:
                heard = _moved_db(_level(renderer, song, track), _level(renderer, song, _flat(track)))
            found.append(Swell(track.name, instrument.family, span, heard))
    return found


def brighter(kit: Instrument, bank: Bank) -> dict[str, float]:
    """By drum how much higher the mean frequency of a hard stroke is than that of a soft one, as a share."""
    samples = SampledKits().of(kit)
    found = {}
    for name, key in _PIECES.items():
        soft, hard = (centroid(_stroke(bank, kit, samples, key, velocity)) for velocity in (SOFT, HARD))
        found[name] = hard / soft - 1
    return found


def _stroke(bank: Bank, kit: Instrument, samples: SampledKit | None, key: int, velocity: int) -> Planar:
    length = SAMPLE_RATE // GRID // 2
    events = ((0, EventKind.NOTE_ON, key, velocity), (length, EventKind.NOTE_OFF, key, 0))
    part = SynthPart(kit.bank, kit.program, events, samples, dark=kit.dark)
    return synthesise(bank, part, length, never)


def _span(track: Track) -> float:
    values = [point.value for lane in _expression(track) for point in lane.points]
    return max(values) - min(values) if values else 0.0


def _expression(track: Track) -> Iterable[Automation]:
    return (lane for lane in track.automation if lane.target == "expression")


def _flat(track: Track) -> Track:
    return replace(track, automation=tuple(lane for lane in track.automation if lane.target != "expression"))


def _level(renderer: Renderer, song: Song, track: Track) -> npt.NDArray[np.float64]:
    """The level of a track without effects in dB, quarter of a second by quarter of a second."""
    alone = replace(song, tracks=(replace(track, effects=(), automation=_dry_lanes(track)),))
    sound = renderer.mix_down(alone).mix
    count = sound.shape[1] // _WINDOW
    power = (sound[:, : count * _WINDOW].astype(np.float64) ** 2).mean(axis=0).reshape(count, _WINDOW).mean(axis=1)
    level: npt.NDArray[np.float64] = 10 * np.log10(power + 1e-12)
    return level


def _dry_lanes(track: Track) -> tuple[Automation, ...]:
    return tuple(lane for lane in track.automation if "." not in lane.target)


def _moved_db(played: npt.NDArray[np.float64], flat: npt.NDArray[np.float64]) -> float:
    count = min(len(played), len(flat))
    played, flat = played[:count], flat[:count]
    sounding = flat > flat.max(initial=-120.0) + _QUIET_DB
    moved = (played - flat)[sounding]
    return float(np.percentile(moved, 95) - np.percentile(moved, 5)) if len(moved) else 0.0
