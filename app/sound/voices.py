"""Sounds that begin and end by themselves, over what the player plays."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from agent.song.ids import TrackId
from app.sound.fluid import Planar
from app.sound.renderer import Frames

MOST = 24
"""Notes that sound at once; beyond it the oldest end."""


@dataclass(eq=False)
class SoundingNote:
    """A note being played: its sound (2, frames), of which `done` frames were written."""

    track: TrackId
    sound: Planar
    done: int = 0


class Voices:
    """The auditioned notes that sound now. `add` may be called by any thread, `write` only by the device."""

    def __init__(self) -> None:
        self._new: deque[SoundingNote] = deque(maxlen=MOST)
        self._sounding: list[SoundingNote] = []

    def add(self, voice: SoundingNote) -> None:
        """Start a note with the next block."""
        self._new.append(voice)

    def write(self, out: Frames, peaks: dict[TrackId, tuple[float, float]]) -> None:
        """Add the next frames of each note to `out` (frames, 2), and raise the peaks of their tracks."""
        while self._new:
            self._sounding.append(self._new.popleft())
        if not self._sounding:
            return
        ending = max(0, len(self._sounding) - MOST)
        for number, voice in enumerate(self._sounding):
            piece = voice.sound[:, voice.done : voice.done + len(out)]
            if number < ending:
                piece = piece * np.linspace(1, 0, piece.shape[1], dtype=np.float32)
            out[: piece.shape[1]] += piece.T
            voice.done += len(out)
            left, right = np.abs(piece).max(axis=1)
            before = peaks.get(voice.track, (0.0, 0.0))
            peaks[voice.track] = max(before[0], float(left)), max(before[1], float(right))
        self._sounding = [voice for voice in self._sounding[ending:] if voice.done < voice.sound.shape[1]]
