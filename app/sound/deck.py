"""A song as it can be heard at one moment: its tracks' sound, faders, master effects and final level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log10

import numpy as np

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.track import Track
from app.sound.effects import BLOCK, EffectChain
from app.sound.fader import Fader
from app.sound.fluid import Planar
from app.sound.limiter import envelope
from app.sound.meter import Peaks
from app.sound.processed import CHUNK, Chunks, Energies, write_chunks

_MOST_ESTIMATED_DB = 30.0
_ABSOLUTE_GATE = 10 ** ((-70 + 0.691) / 10)


@dataclass(frozen=True, eq=False)
class Channel:
    """One track at the mixer; `muted` is also True for a track that others' solo silences."""

    track: TrackId
    chunks: Chunks
    energies: Energies
    fader: Fader
    muted: bool


@dataclass(frozen=True, eq=False)
class Level:
    """The factor of a mix: a gain, or gain and limiter of its last whole rendering."""

    gain: np.float32
    limiter: Peaks | None = None

    def factors(self, start: int, frames: int) -> Peaks | np.float32:
        """The factor of each frame from `start`, or one for all."""
        return self.gain if self.limiter is None else envelope(self.limiter, start, frames)


@dataclass(frozen=True, eq=False)
class Deck:
    """What the player plays; immutable, an edit makes another deck.

    Decks of one side with equal master effects share `master`, whose state goes on from deck to deck. `end` is the
    frame at which playback ends: after it both sides are silent."""

    song: Song
    channels: tuple[Channel, ...]
    master: EffectChain
    level: Level
    end: int


class Mixer:
    """Adds channels up in buffers of its own; one per thread."""

    def __init__(self, most: int = BLOCK) -> None:
        self._piece = np.zeros((2, most), np.float32)

    def mix(self, deck: Deck, start: int, sound: Planar, peaks: dict[TrackId, tuple[float, float]] | None) -> None:
        """Overwrite `sound` (2, frames) with the channels behind their faders, from frame `start` of the song, before
        the master. `peaks`, if given, gets the peak of each channel that is heard."""
        sound.fill(0)
        frames = sound.shape[1]
        piece = self._piece[:, :frames]
        for channel in deck.channels:
            if channel.muted or not write_chunks(channel.chunks, start, piece):
                continue
            piece *= channel.fader.gains(start, frames)
            sound += piece
            if peaks is not None:
                left, right = np.abs(piece, out=piece).max(axis=1)
                peaks[channel.track] = float(left), float(right)


def estimated_gain(deck: Deck) -> float:
    """The gain (a factor) that would bring a deck to its loudness target, estimated from the energy of the chunks that
    are ready. Gated as in ITU-R BS.1770-4, without its filter: some dB off, and equally so for two versions of a song.
    1 while nothing is audible."""
    heard = [channel for channel in deck.channels if not channel.muted]
    powers = np.zeros(max((len(channel.energies) for channel in heard), default=0))
    for channel in heard:
        powers[: len(channel.energies)] += channel.energies * _powers(channel.fader, len(channel.energies))
    loud = powers[powers > _ABSOLUTE_GATE]
    if not len(loud):
        return 1.0
    kept = loud[loud > loud.mean() / 10]
    loudness = 10 * log10(float(kept.mean())) - 0.691
    gain_db = max(-_MOST_ESTIMATED_DB, min(_MOST_ESTIMATED_DB, deck.song.loudness_target - loudness))
    return float(10 ** (gain_db / 20))


def _powers(fader: Fader, count: int) -> float | Energies:
    """By how much a fader raises the energy at the beginning of each chunk, or one factor for all."""
    if not fader.moves:
        return float(np.mean(fader.gains(0, 1) ** 2))
    return np.array([float(np.mean(fader.gains(number * CHUNK, 1) ** 2)) for number in range(count)])


def silenced(solo: frozenset[TrackId], track: Track) -> bool:
    """Whether a track is silent: muted, or not soloed while others are."""
    return track.mute or bool(solo and track.id not in solo)


Faders = Mapping[TrackId, tuple[float | None, float | None]]
"""Volume (dB) and pan of faders being dragged, by track; None stands for the song's own value."""
