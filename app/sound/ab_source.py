"""One of the songs that can be heard: its version now, the sound of its tracks, and the deck of both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from agent.song.ids import TrackId
from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.sound.deck import Channel, Deck, Faders, Level, Mixer, estimated_gain, silenced
from app.sound.fader import Fader
from app.sound.master_chain import MasterChain
from app.sound.measuring import Measured, tracks_end
from app.sound.part import frame_at
from app.sound.processed import CHUNK, NO_CHUNKS, NO_ENERGIES, Chunks, Energies
from app.sound.track_work import TrackWork, WetKey

MixKey = tuple[object, ...]
"""Everything that the level of a whole song depends on; equal keys have equal levels."""


class ABSource:
    """One of the two songs that can be heard, guarded by the stage's lock; only `TrackWork`s are worked on without
    it."""

    def __init__(self, palette: Palette) -> None:
        self.song: Song | None = None
        self.failed: set[TrackId] = set()
        self.measured: Measured | None = None
        self.measured_key: MixKey | None = None
        self._palette = palette
        self._works: dict[TrackId, TrackWork] = {}
        self._sources: dict[TrackId, MixKey] = {}
        self._master = MasterChain((), palette)
        self.fresh_master = False
        """Whether the master effects are others than before and have heard nothing yet."""

    def show(self, song: Song | None) -> None:
        """Set another version of the song; None: no song. Raises `SoundInputError` if its master effects cannot be
        played; they are left out then."""
        before, self.song, self.failed = self.song, song, set()
        if song is None:
            self._works, self._sources, self.measured, self.measured_key = {}, {}, None, None
            return
        tracks = {track.id for track in song.tracks}
        self._works = {track: work for track, work in self._works.items() if track in tracks}
        self._sources = {track: source for track, source in self._sources.items() if track in tracks}
        if before is not None and (
            before.master_effects == song.master_effects or self._master.turn_to(song.master_effects)
        ):
            return
        self.fresh_master = True
        self._master = MasterChain((), self._palette)
        self._master = MasterChain(song.master_effects, self._palette)

    def stale(self) -> Track | None:
        """The next track without a `TrackWork` for this version of the song; None if there is none."""
        for track in self.song.tracks if self.song is not None else ():
            if track.id not in self.failed and self._sources.get(track.id) != self._source(track):
                return track
        return None

    def before(self, track: Track) -> TrackWork | None:
        """The work on a track's sound that is used until it is made anew; None if there is none, or if the tempo map
        has changed."""
        source = self._sources.get(track.id)
        return self._works.get(track.id) if source is not None and source[0] == self._source(track)[0] else None

    def adopt(self, track: Track, work: TrackWork) -> None:
        """Use this work as the track's sound from now on."""
        self._works[track.id] = work
        self._sources[track.id] = self._source(track)

    def works(self) -> Iterator[tuple[TrackId, TrackWork]]:
        """The work of each track that can be rendered, unmuted tracks first."""
        for mute in (False, True):
            for track in self.song.tracks if self.song is not None else ():
                work = self._works.get(track.id)
                if track.mute == mute and work is not None and track.id not in self.failed:
                    yield track.id, work

    def uses(self, work: TrackWork) -> bool:
        """Whether one of its tracks uses this work."""
        return any(one is work for one in self._works.values())

    def wet_keys(self) -> set[WetKey]:
        """Keys of the tracks' sounds that it uses."""
        return {work.key for work in self._works.values()}

    @property
    def ready(self) -> bool:
        """Whether everything that can be rendered is."""
        return self.stale() is None and all(work.done for _, work in self.works())

    @property
    def share(self) -> float | None:
        """Share (0-1) of the sound that is ready; None when all is."""
        if self.song is None or self.ready:
            return None
        shares = [
            1.0 if track.id in self.failed
            else 0.0 if self._sources.get(track.id) != self._source(track)
            else self._works[track.id].share
            for track in self.song.tracks
        ]  # fmt: skip
        return sum(shares) / len(shares)

    @property
    def key(self) -> MixKey:
        """The key of the whole song's level; fails without a song."""
        song = self.song
        assert song is not None
        tracks = tuple(
            (self._works[track.id].key, track.volume_db, track.pan, _mix_lanes(track))
            for track in song.tracks
            if not track.mute and track.id in self._works and track.id not in self.failed
        )
        return tracks, song.master_effects, song.loudness_target, song.tempos, song.end

    def deck(self, solo: frozenset[TrackId], faders: Faders, other: ABSource | None) -> Deck | None:
        """A deck of what can be heard now, with the soloed tracks and the dragged faders; None without a song. While
        this side was never measured, its level is estimated with the help of `other`."""
        song = self.song
        if song is None:
            return None
        channels = self._channels(song, solo, faders)
        end = self._end(song, self._channels(song, frozenset(), {}) if solo else channels)
        if self.measured is not None:
            return Deck(song, channels, self._master, self.measured.level, end)
        deck = Deck(song, channels, self._master, Level(np.float32(1)), end)
        gain = self._estimate(deck) * (1.0 if other is None else other.correction)
        return replace(deck, level=Level(np.float32(gain)))

    @property
    def end(self) -> int:
        """The frame after which it is silent, as far as is known; 0 without a song."""
        song = self.song
        return 0 if song is None else self._end(song, self._channels(song, frozenset(), {}))

    def _end(self, song: Song, channels: tuple[Channel, ...]) -> int:
        if self.measured is not None and self.measured_key == self.key:
            return self.measured.end
        return max(frame_at(song, song.end), tracks_end(channels))

    @property
    def correction(self) -> float:
        """Measured gain divided by the estimated one; 1 before the first measurement."""
        if self.measured is None:
            return 1.0
        deck = self.deck(frozenset(), {}, None)
        return 1.0 if deck is None else float(self.measured.level.gain) / self._estimate(deck)

    def warm_master(self, mixer: Mixer, deck: Deck, frame: int) -> Deck:
        """The deck with a new master chain that was fed with the sound before `frame`."""
        self.fresh_master = False
        self._master = MasterChain(deck.song.master_effects, self._palette)
        if frame > 0:
            start = max(0, frame - CHUNK)
            sound = np.zeros((2, frame - start), np.float32)
            mixer.mix(deck, start, sound, None)
            self._master.process(sound)
        return replace(deck, master=self._master)

    def _channels(self, song: Song, solo: frozenset[TrackId], faders: Faders) -> tuple[Channel, ...]:
        return tuple(
            Channel(track.id, *self._sound_of(track), _fader(song, track, faders), silenced(solo, track))
            for track in song.tracks
        )

    def _estimate(self, deck: Deck) -> float:
        everyone = tuple(replace(channel, muted=track.mute) for channel, track in zip(
            deck.channels, deck.song.tracks, strict=True
        ))
        return estimated_gain(replace(deck, channels=everyone))

    def _sound_of(self, track: Track) -> tuple[Chunks, Energies]:
        work = self._works.get(track.id)
        if work is None or track.id in self.failed:
            return NO_CHUNKS, NO_ENERGIES
        return work.chunks, work.energies

    def _source(self, track: Track) -> MixKey:
        assert self.song is not None
        return (
            self.song.tempos, track.clips, track.instrument, track.effects, track.automation, track.soundfont,
            self.song.soundfont,
        )


def _mix_lanes(track: Track) -> MixKey:
    return tuple(lane for lane in track.automation if lane.target in ("volume_db", "pan"))


def _fader(song: Song, track: Track, dragged: Faders) -> Fader:
    fader = Fader.of(song, track)
    volume, pan = dragged.get(track.id, (None, None))
    if volume is not None:
        fader = replace(fader, volume_db=volume, volume_curve=None)
    return fader if pan is None else replace(fader, pan=pan, pan_curve=None)
