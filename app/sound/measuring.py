"""The level of a whole song as the export will have it: gain, limiter, loudness, end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agent.message import msg
from agent.song.palette import Palette
from app.sound.deck import Channel, Deck, Level, Mixer
from app.sound.errors import SoundError
from app.sound.limiter import master
from app.sound.master_chain import MasterChain
from app.sound.part import LONGEST_SECONDS, SAMPLE_RATE, frame_at
from app.sound.processed import CHUNK
from app.sound.renderer import ended


@dataclass(frozen=True, eq=False)
class Measured:
    """What mastering would make of a deck: its gain or limiter, `loudness` in LUFS (None for silence), and its `end` in
    frames."""

    level: Level
    loudness: float | None
    end: int


def measured(deck: Deck, palette: Palette, check: Callable[[], None]) -> Measured:
    """Mix a deck whose tracks are all ready, as the export does, and bring it to its target.

    Takes seconds and about a gigabyte for ten minutes of music, so it runs in a thread of its own; `check`
    is called now and then and may end it by raising. Raises `SoundError` for a song that is too long.
    """
    mixer, song = Mixer(CHUNK), deck.song
    frames = max(frame_at(song, song.end), tracks_end(deck.channels))
    if frames > LONGEST_SECONDS * SAMPLE_RATE:
        raise SoundError(
            msg("the song is too long to measure how loud it is"),
            why=msg(
                "it lasts {frames:,} minutes, and {longest_seconds} are measured",
                frames=frames // (60 * SAMPLE_RATE), longest_seconds=LONGEST_SECONDS // 60,
            ),
            fix=msg("listen to it as it is, or make it shorter"),
        )
    mix = np.zeros((2, frames), np.float32)
    for start in range(0, frames, CHUNK):
        check()
        mixer.mix(deck, start, mix[:, start : start + CHUNK], None)
    mix = ended(song, MasterChain(song.master_effects, palette).process_whole(mix, check))
    result = master(mix, song.loudness_target, check)
    level = Level(np.float32(10 ** (result.gain_db / 20)), result.levels)
    return Measured(level, result.loudness, mix.shape[1])


def tracks_end(channels: tuple[Channel, ...]) -> int:
    """The frame after which no unmuted channel sounds; 0 if none does."""
    end = 0
    for channel in channels:
        last = max(channel.chunks, default=None)
        if last is not None and not channel.muted:
            end = max(end, last * CHUNK + channel.chunks[last].frames)
    return end
