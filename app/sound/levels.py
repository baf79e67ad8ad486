"""Levels of a track and of its clips as they sound in the mix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from agent.song.ids import ClipId
from agent.song.song import Song
from agent.song.track import Track
from app.sound.fluid import Planar
from app.sound.meter import decibels
from app.sound.part import frame_at


@dataclass(frozen=True)
class TrackLevel:
    """RMS in dBFS behind the fader, None for silence: of all the track's clips together, and of each."""

    rms_db: float | None
    clips: Mapping[ClipId, float | None]

    def raised(self, gain_db: float) -> TrackLevel:
        """These levels raised by `gain_db`; None stays None."""
        clips = {clip: _plus(level, gain_db) for clip, level in self.clips.items()}
        return TrackLevel(_plus(self.rms_db, gain_db), clips)


SILENT = TrackLevel(None, {})
"""The level of a muted track, or of one without notes."""


def level_of(song: Song, track: Track, stem: Planar) -> TrackLevel:
    """Measure a stem (2, frames) that begins at the song's start."""
    clips: dict[ClipId, float | None] = {}
    energy, frames = 0.0, 0
    for clip in track.clips:
        start, end = frame_at(song, clip.start), frame_at(song, clip.end)
        here = sum(float(np.dot(row, row)) for row in stem[:, start:end]) / 2
        clips[clip.id] = _rms(here, end - start)
        energy, frames = energy + here, frames + end - start
    return TrackLevel(_rms(energy, frames), clips)


def _rms(energy: float, frames: int) -> float | None:
    return decibels((energy / frames) ** 0.5) if frames else None


def _plus(level: float | None, gain_db: float) -> float | None:
    return None if level is None else level + gain_db
