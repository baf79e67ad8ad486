"""Single notes that sound by themselves, beside what is played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from app.sound.effects import EffectChain, effect_lanes
from app.sound.fader import Fader
from app.sound.fluid import Planar
from app.sound.layers import effects_of
from app.sound.part import GRID, SAMPLE_RATE, EventKind
from app.sound.playback_state import PlaybackState
from app.sound.render_cache import RenderCache
from app.sound.voices import SoundingNote

RING = 1.6
"""Seconds that a note may ring on after its end."""

_FADE = SAMPLE_RATE // 5
_LONGEST = 8.0


@dataclass(frozen=True)
class AuditionNote:
    """A note to be played: pitch and velocity (0-127), and how long it is held in seconds."""

    pitch: int
    velocity: int
    seconds: float


class Auditions:
    """Plays single notes, whether playback runs or not."""

    def __init__(self, stage: PlaybackState, render_cache: RenderCache) -> None:
        self._stage = stage
        self._render_cache = render_cache

    def strike(self, name: TrackId, strike: AuditionNote) -> None:
        """Play a note of a track with the next block: with instrument, effects and fader as at the playhead.

        It does not wait for what is being rendered; mute and solo are ignored. A track that neither song has is silent,
        as are pitches and velocities out of range. Errors are reported by the stage."""
        if not 0 <= strike.pitch <= 127 or not 1 <= strike.velocity <= 127:
            return
        try:
            found = self._found(name)
            if found is None:
                return
            sound = _struck(self._render_cache, *found, strike, self._stage.player.heard)
        except Exception as error:
            with self._stage.lock:
                self._stage.fail(error)
            return
        deck = self._stage.player.wanted.deck
        sound *= Fader.of(*found).gains(self._stage.player.heard, 1)[:, :1]
        sound *= np.float32(1) if deck is None else deck.level.gain
        self._stage.player.voices.add(SoundingNote(name, sound))

    def _found(self, name: TrackId) -> tuple[Song, Track] | None:
        """The track in the song that is heard, else in the other."""
        with self._stage.lock:
            songs = [side.song for side in self._stage.order if side.song is not None]
        return next(((song, track) for song in songs for track in song.tracks if track.id == name), None)


def _struck(render_cache: RenderCache, song: Song, track: Track, strike: AuditionNote, frame: int) -> Planar:
    held = max(1, round(min(strike.seconds, _LONGEST) * SAMPLE_RATE / GRID))
    part = render_cache.renderer.struck(song, track, (
        (0, EventKind.NOTE_ON, strike.pitch, strike.velocity), (held, EventKind.NOTE_OFF, strike.pitch, 0),
    ))  # fmt: skip
    steps = held + round(RING * SAMPLE_RATE / GRID)
    frames = steps * GRID
    dry = render_cache.renderer.at_once(part, steps)
    sound = np.zeros((2, frames), np.float32)
    if dry is not None:
        dry.add_piece(sound, 0, 0)
    lanes = effect_lanes(song, track, render_cache.palette)
    sound = EffectChain(effects_of(track, render_cache.palette), render_cache.palette, lanes, frame).process(sound)
    sound[:, -_FADE:] *= np.linspace(1, 0, _FADE, dtype=np.float32)
    return sound
