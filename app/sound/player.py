"""The player: a playhead that moves over decks and writes what is heard, block by block."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import log10

import numpy as np

from agent.song.ids import TrackId
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.deck import Deck, Mixer
from app.sound.effects import BLOCK
from app.sound.fluid import Planar
from app.sound.part import SAMPLE_RATE, frame_at
from app.sound.renderer import Frames
from app.sound.voices import Voices

FADE = 384
"""Frames (8 ms) of the crossfade at play, stop, seek, loop ends, edits, and changes of side or faders."""
SAFE = 0.98
"""Sample peak above which a block is turned down; a mastered mix stays below it."""

_RELEASE = 0.9  # how much of a reduction is left one block later
_RAMP = ((np.arange(FADE) + 1) / FADE).astype(np.float32)


@dataclass(frozen=True)
class PlayerTarget:
    """What the player shall do: play a `deck` or be silent, in a `loop` from its first tick to before its second.
    `jump` counts the seeks, so that a new one is noticed; `frame` is where the last one went."""

    deck: Deck | None = None
    playing: bool = False
    jump: int = 0
    frame: int = 0
    loop: tuple[Ticks, Ticks] | None = None


@dataclass(frozen=True)
class Peaks:
    """Left and right peak of the last block (factors, not dB): of the mix, and of each track in it."""

    both: tuple[float, float] = (0.0, 0.0)
    tracks: Mapping[TrackId, tuple[float, float]] = field(default_factory=dict)


class MixPlayer:
    """Plays decks. `fill` is called by the sound device, everything else by one thread at a time; `ended` is called
    when playback ends.

    `want` replaces the target as a whole, and the next block follows it: no lock is shared with the device. `fill`
    never raises; an exception in it is stored in `fault` and ends the playback."""

    def __init__(self, ended: Callable[[], None]) -> None:
        self.wanted = PlayerTarget()
        self.peaks = Peaks()
        self.frame = 0
        """The next frame to be written."""
        self.blocks = 0
        """Blocks written so far."""
        self.fault: Exception | None = None
        self.voices = Voices()
        """Single notes that sound over it, also while it does not play."""
        self._ended = ended
        self._run = 0  # frames written without a jump
        self._over = -1
        self._jump = 0
        self._deck: Deck | None = None
        self._old: tuple[Deck | None, int] | None = None
        self._faded = 0
        self._mixer = Mixer()
        self._new_mix = np.zeros((2, BLOCK), np.float32)
        self._old_mix = np.zeros((2, BLOCK), np.float32)
        self._turned = 1.0

    @property
    def playing(self) -> bool:
        """Whether it plays, or will from the next block on."""
        wanted = self.wanted
        return wanted.playing and self._over != wanted.jump

    @property
    def heard(self) -> int:
        """The frame at the playhead; after a seek its target."""
        wanted = self.wanted
        return self.frame if wanted.jump == self._jump else wanted.frame

    def sounding(self, late: int) -> int:
        """The frame that is audible if output is heard `late` frames after it was written.

        After a seek, or where a loop begins again, it waits at that frame."""
        return self.heard if self.wanted.jump != self._jump else self.frame - min(late, self._run)

    def want(self, wanted: PlayerTarget) -> None:
        """Follow this target from the next block on."""
        self.wanted = wanted

    def jump(self, frame: int, playing: bool) -> None:
        """Seek to a frame of the song, and play on from there if `playing`, else stop."""
        wanted = self.wanted
        if playing:
            self.fault = None
        self.wanted = replace(wanted, playing=playing, jump=wanted.jump + 1, frame=frame)

    def fill(self, out: Frames) -> None:
        """Write the next frames into an array (frames, 2)."""
        try:
            for start in range(0, len(out), BLOCK):
                self._block(out[start : start + BLOCK])
        except Exception as fault:
            # A device's thread has no one to raise to.
            out.fill(0)
            self.fault, self._over, self._deck, self._old = fault, self.wanted.jump, None, None
            self._ended()
        self.blocks += 1

    def _block(self, out: Frames) -> None:
        tracks: dict[TrackId, tuple[float, float]] = {}
        done = 0
        while done < len(out):
            self._follow()
            frames = min(len(out) - done, self._until())
            out[done : done + frames] = self._segment(frames, tracks).T
            done += frames
            self._advance(frames)
        self.voices.write(out, tracks)
        self._limit(out)
        left, right = (max(float(row.max()), -float(row.min())) for row in out.T)
        self.peaks = Peaks((left, right), tracks)

    def _follow(self) -> None:
        """Take up what is wanted; what sounded until now fades out."""
        wanted = self.wanted
        deck = wanted.deck if self.playing else None
        frame = self.frame
        if wanted.jump != self._jump:
            frame, self._run = wanted.frame, 0
        elif deck is not None and self._deck is not None:
            frame = moved(frame, self._deck.song, deck.song)
        if deck is not self._deck or wanted.jump != self._jump:
            self._pass_from(self._deck, self.frame)
        self._deck, self._jump, self.frame = deck, wanted.jump, frame

    def _pass_from(self, deck: Deck | None, frame: int) -> None:
        self._old, self._faded = (deck, frame), 0

    def _loop(self) -> tuple[int, int] | None:
        loop, deck = self.wanted.loop, self._deck
        if loop is None or deck is None:
            return None
        start, end = (frame_at(deck.song, tick) for tick in loop)
        return (start, end) if self.frame < end and end - start > FADE else None

    def _until(self) -> int:
        """Frames that can be written before the playhead must jump, or stop."""
        if self._deck is None:
            return BLOCK
        loop = self._loop()
        return max(1, (self._deck.end if loop is None else loop[1]) - self.frame)

    def _advance(self, frames: int) -> None:
        if self._deck is None:
            return
        loop = self._loop()
        self.frame += frames
        self._run += frames
        if loop is not None:
            if self.frame >= loop[1]:
                self._pass_from(self._deck, self.frame)
                self.frame, self._run = loop[0], 0
        elif self.frame >= self._deck.end:
            self._over = self.wanted.jump
            self._ended()

    def _segment(self, frames: int, tracks: dict[TrackId, tuple[float, float]]) -> Planar:
        """The next frames behind master and level, crossfaded with what sounded before."""
        deck, sound = self._deck, self._new_mix[:, :frames]
        self._mix(deck, self.frame, sound, tracks)
        if self._old is None:
            return _leveled(deck, self.frame, sound)
        old, at = self._old
        fading = min(frames, FADE - self._faded)
        ramp = _RAMP[self._faded : self._faded + fading]
        before = self._old_mix[:, :fading]
        self._mix(old, at + self._faded, before, None)
        if old is not None and deck is not None and old.master is deck.master:
            # One chain cannot hear two sounds: they are joined before it.
            sound[:, :fading] = before + (sound[:, :fading] - before) * ramp
            sound = deck.master.process(sound)
            levels = np.broadcast_to(deck.level.factors(self.frame, frames), (frames,)).copy()
            levels[:fading] *= ramp
            levels[:fading] += old.level.factors(at + self._faded, fading) * (1 - ramp)
            sound = sound * levels
        else:
            sound = _leveled(deck, self.frame, sound)
            before = _leveled(old, at + self._faded, before)
            sound[:, :fading] = before + (sound[:, :fading] - before) * ramp
        self._faded += fading
        if self._faded >= FADE:
            self._old = None
        return sound

    def _mix(
        self, deck: Deck | None, frame: int, sound: Planar, tracks: dict[TrackId, tuple[float, float]] | None
    ) -> None:
        if deck is None:
            sound.fill(0)
            return
        self._mixer.mix(deck, frame, sound, tracks)
        if tracks is not None:
            gain = float(deck.level.gain)
            for track, (left, right) in tracks.items():
                tracks[track] = left * gain, right * gain

    def _limit(self, out: Frames) -> None:
        """Turn a block down that would clip: between a fader's move and the next whole rendering."""
        peak = max(float(out.max()), -float(out.min()))
        back = 1 - (1 - self._turned) * _RELEASE if self._turned < 0.999 else 1.0
        turned = min(back, SAFE / peak) if peak > SAFE else back
        if turned < 1.0 or self._turned < 1.0:
            out *= np.linspace(min(self._turned, SAFE / max(peak, SAFE)), turned, len(out), dtype=np.float32)[:, None]
        self._turned = turned


def moved(frame: int, old: Song, new: Song) -> int:
    """The frame at which another version of a song is at the same tick."""
    if old.tempos == new.tempos:
        return frame
    return frame_at(new, old.tempo_map.ticks(frame / SAMPLE_RATE))


def dbfs(peak: float) -> float:
    """A peak in dBFS, -inf for silence."""
    return 20 * log10(peak) if peak > 1e-6 else float("-inf")


def _leveled(deck: Deck | None, frame: int, sound: Planar) -> Planar:
    if deck is None:
        return sound
    leveled: Planar = deck.master.process(sound) * deck.level.factors(frame, sound.shape[1])
    return leveled
