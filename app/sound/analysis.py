"""Measures sound: loudness, peaks, spectrum, silence; of a whole rendering also its tracks and clips."""

from __future__ import annotations

import msgspec
import numpy as np
import numpy.typing as npt

from agent.song.ids import ClipId, TrackId
from agent.song.song import Song
from app.sound.fluid import Planar
from app.sound.levels import SILENT
from app.sound.meter import decibels, integrated_loudness, true_peak
from app.sound.part import SAMPLE_RATE
from app.sound.renderer import Frames, Rendering

SILENT_TRACK_DB = -50.0
"""RMS in dBFS below which a track's clips together count as silent."""
QUIET_DB = -60.0
"""Level in dBFS below which a moment counts as silence."""
BANDS = (
    ("sub", 20, 60), ("bass", 60, 250), ("low_mid", 250, 500),
    ("mid", 500, 2000), ("high_mid", 2000, 6000), ("air", 6000, 20_000),
)  # fmt: skip
"""Name, lower and upper edge in Hz of each band of the spectral balance."""

_WINDOW = 4096
_MOMENT = SAMPLE_RATE // 100


class Band(msgspec.Struct, frozen=True):
    """The energy of the frequency band from `low_hz` to `high_hz` relative to all energy, as `share_db` in dB; None for
    silence."""

    name: str
    low_hz: int
    high_hz: int
    share_db: float | None


class SoundReport(msgspec.Struct, frozen=True):
    """Figures of a sound; levels are None for silence.

    `duration` and `longest_silence` in seconds (silence: 10 ms moments below -60 dBFS in a row), `loudness`
    in LUFS, `true_peak` in dBTP, `rms_db` in dBFS, `centroid_hz` the mean frequency weighted by amplitude.
    """

    duration: float
    loudness: float | None
    true_peak: float | None
    rms_db: float | None
    centroid_hz: float | None
    bands: tuple[Band, ...]
    longest_silence: float


class ClipReport(msgspec.Struct, frozen=True):
    """RMS of a clip's region in the mix, in dBFS."""

    clip: ClipId
    rms_db: float | None


class TrackReport(msgspec.Struct, frozen=True):
    """RMS of a track's clips after its fader; `silent` if it has clips and is unmuted but cannot be heard."""

    track: TrackId
    name: str
    rms_db: float | None
    silent: bool
    clips: tuple[ClipReport, ...]


class RenderReport(msgspec.Struct, frozen=True):
    """A measured rendering: the mix, the gain in dB that was applied to it, whether it was `limited`, why a target was
    missed (`remark`, "" if none was), and each track."""

    mix: SoundReport
    gain_db: float
    limited: bool
    remark: str
    tracks: tuple[TrackReport, ...]


def analyse_rendering(song: Song, rendering: Rendering) -> RenderReport:
    """Measure a rendering of `song`."""
    return RenderReport(
        mix=analyse_sound(rendering.mix, loudness=rendering.loudness, peak=rendering.true_peak),
        gain_db=rendering.gain_db,
        limited=rendering.limited,
        remark=rendering.remark,
        tracks=tuple(_track_reports(song, rendering)),
    )


def analyse_sound(sound: Frames, *, loudness: float | None = None, peak: float | None = None) -> SoundReport:
    """Measure (frames, 2) at 48 kHz; `loudness` and `peak` are measured unless they are known already."""
    planar: Planar = sound.T
    magnitudes = _spectrum(planar)
    return SoundReport(
        duration=len(sound) / SAMPLE_RATE,
        loudness=integrated_loudness(planar) if loudness is None else loudness,
        true_peak=true_peak(planar) if peak is None else peak,
        rms_db=_rms_db(planar),
        centroid_hz=_centroid(magnitudes),
        bands=_balance(magnitudes),
        longest_silence=_longest_silence(planar),
    )


def _track_reports(song: Song, rendering: Rendering) -> list[TrackReport]:
    reports = []
    for track in song.tracks:
        level = rendering.levels.get(track.id, SILENT)
        quiet = level.rms_db is None or level.rms_db < SILENT_TRACK_DB
        clips = tuple(ClipReport(clip.id, level.clips.get(clip.id)) for clip in track.clips)
        silent = quiet and bool(track.clips) and not track.mute
        reports.append(TrackReport(track.id, track.name, level.rms_db, silent, clips))
    return reports


def _rms_db(sound: Planar) -> float | None:
    if not sound.size:
        return None
    energy = sum(float(np.dot(row, row)) for row in sound)
    return decibels((energy / sound.size) ** 0.5)


def _spectrum(sound: Planar) -> npt.NDArray[np.float64]:
    """Mean power of each frequency over windows of 4096 frames that do not overlap."""
    mono = sound.mean(axis=0)
    count = max(1, -(-len(mono) // _WINDOW))
    windows = np.pad(mono, (0, count * _WINDOW - len(mono))).reshape(count, _WINDOW)
    shape = np.hanning(_WINDOW).astype(np.float32)
    power = np.zeros(_WINDOW // 2 + 1)
    for start in range(0, count, 512):
        power += (np.abs(np.fft.rfft(windows[start : start + 512] * shape, axis=1)) ** 2).sum(axis=0)
    mean: npt.NDArray[np.float64] = power / count
    return mean


def _frequencies() -> npt.NDArray[np.float64]:
    return np.fft.rfftfreq(_WINDOW, 1 / SAMPLE_RATE).astype(np.float64)


def _centroid(power: npt.NDArray[np.float64]) -> float | None:
    amplitude = np.sqrt(power)
    total = float(amplitude.sum())
    return float((_frequencies() * amplitude).sum() / total) if total > 1e-6 else None


def _balance(power: npt.NDArray[np.float64]) -> tuple[Band, ...]:
    frequencies, total = _frequencies(), float(power.sum())
    bands = []
    for name, low, high in BANDS:
        inside = float(power[(frequencies >= low) & (frequencies < high)].sum())
        share = 10 * float(np.log10(inside / total)) if total > 1e-9 and inside > 0 else None
        bands.append(Band(name, low, high, share))
    return tuple(bands)


def _longest_silence(sound: Planar) -> float:
    count = sound.shape[1] // _MOMENT
    moments = np.abs(sound[:, : count * _MOMENT]).reshape(2, count, _MOMENT).max(axis=(0, 2), initial=0.0)
    loud = np.flatnonzero(moments > 10 ** (QUIET_DB / 20))
    gaps = np.diff(np.concatenate([[-1], loud, [count]])) - 1
    return float(gaps.max()) * _MOMENT / SAMPLE_RATE
