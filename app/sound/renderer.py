"""Renders a song offline: dry parts by worker processes, effects, faders, master chain, loudness."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt

from agent.message import msg
from agent.song.ids import TrackId
from agent.song.palette import Instrument, Palette
from agent.song.song import Song
from agent.song.track import Track
from app.sound.dry_cache import DEFAULT_BUDGET, DryCache, DryPart
from app.sound.effects import EffectChain, effect_lanes
from app.sound.errors import RenderCancelledError, SoundError, SoundInputError
from app.sound.fader import Fader
from app.sound.fluid import GAIN, Planar
from app.sound.fluid_library import library_version
from app.sound.layers import effects_of, instrument_of, layers_of
from app.sound.levels import SILENT, TrackLevel, level_of
from app.sound.limiter import master
from app.sound.master_chain import LowEnd, MasterChain
from app.sound.own_fonts import OwnFonts
from app.sound.part import (
    GRID,
    LONGEST_SECONDS,
    LONGEST_TAIL,
    SAMPLE_RATE,
    Event,
    PartFont,
    PartLayer,
    SampledKit,
    SynthPart,
    frame_at,
    part_of,
)
from app.sound.rendering_ahead import LookAhead
from app.sound.sampled_kits import SampledKits
from app.sound.soundfont import SoundFont
from app.sound.worker import SynthWorkers, default_workers

ENGINE = f"fluidsynth 3 gain {GAIN} rate {SAMPLE_RATE}"
"""To be changed whenever the same part would sound different; it belongs to every cache key."""

Progress = Callable[[float, str], None]
Cancelled = Callable[[], bool]
Frames = npt.NDArray[np.float32]
"""Sound as (frames, 2)."""

_DRY_SHARE, _MIX_SHARE = 0.6, 0.25
_FADE = SAMPLE_RATE // 100
_TRIES = 3


@dataclass(frozen=True)
class Rendering:
    """A song as sound, at its final level.

    `mix` and `stems` are float32 (frames, 2) of equal length that begin at the song's start. A stem is the
    track with its effects, volume, pan, its low end in the middle and the master gain, but without master effects
    and limiter: without those the stems add up to the mix. `loudness` (LUFS) and `true_peak` (dBTP) are measured on
    `mix`, None for silence. `gain_db` is the make-up gain. `remark` says why a target was missed; empty when all are
    met.
    """

    mix: Frames
    stems: Mapping[TrackId, Frames]
    levels: Mapping[TrackId, TrackLevel]
    loudness: float | None
    true_peak: float | None
    gain_db: float
    limited: bool
    remark: str
    sample_rate: int = SAMPLE_RATE

    @property
    def duration(self) -> float:
        """Length in seconds, with the tail."""
        return len(self.mix) / self.sample_rate


@dataclass(frozen=True)
class MixDown:
    """The mix of all tracks before the master, as (2, frames), and the stems if they were asked for."""

    mix: Planar
    stems: Mapping[TrackId, Planar]
    levels: Mapping[TrackId, TrackLevel]


@dataclass(frozen=True)
class PlacedPart:
    """A part with its cache key, and the frame of the song at which it begins."""

    key: str
    part: SynthPart
    frame: int


class Renderer:
    """Renders songs; it owns worker processes, so close it or use it in a `with`. `cache` is the program's cache
    folder; dry parts are in its subfolder `dry`. One render at a time."""

    def __init__(
        self,
        cache: Path,
        soundfont: SoundFont,
        palette: Palette,
        *,
        workers: int | None = None,
        cache_budget: int = DEFAULT_BUDGET,
    ) -> None:
        folder = cache / "dry"
        self._soundfont = soundfont
        self._palette = palette
        self._kits = SampledKits()
        self._fonts = OwnFonts()
        self._threads = workers or default_workers()
        self._cache = DryCache(folder, cache_budget)
        self._left = False
        self._workers = SynthWorkers(soundfont.path, folder, self._threads)

    def __enter__(self) -> Renderer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def leave(self) -> None:
        """Render nothing any more; may be called from any thread. Renders end with `RenderCancelledError`; `close` must
        follow."""
        self._left = True
        self._workers.leave()

    def close(self) -> None:
        """End the worker processes and trim the cache to its budget."""
        self._workers.close()
        self._cache.trim()

    def render(
        self,
        song: Song,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
        stems: bool = False,
    ) -> Rendering:
        """The whole song with its tail; `stems` keeps each track too (0.4 MB a second and track).

        `progress` gets a share from 0 to 1 and what is being done. Raises `SoundError`, or
        `RenderCancelledError` soon after `cancelled` says so.
        """
        tracks = self.mix_down(song, progress=progress, cancelled=cancelled, stems=stems)
        report, stop = progress or _ignore, self._or_left(cancelled or never)
        report(_DRY_SHARE + _MIX_SHARE, "master")
        check = partial(_raise_if, stop)
        mix = MasterChain(song.master_effects, self._palette).process_whole(tracks.mix, check)
        mastered = master(ended(song, mix), song.loudness_target, check)
        gain, frames = np.float32(10 ** (mastered.gain_db / 20)), mastered.sound.shape[1]
        report(1.0, "done")
        return Rendering(
            mix=mastered.sound.T,
            stems={track: (_fitted(LowEnd().process(stem), frames) * gain).T for track, stem in tracks.stems.items()},
            levels={track: level.raised(mastered.gain_db) for track, level in tracks.levels.items()},
            loudness=mastered.loudness,
            true_peak=mastered.true_peak,
            gain_db=mastered.gain_db,
            limited=mastered.limited,
            remark=mastered.remark,
        )

    def mix_down(
        self,
        song: Song,
        *,
        progress: Progress | None = None,
        cancelled: Cancelled | None = None,
        stems: bool = False,
    ) -> MixDown:
        """The mix of all tracks with effects and faders, without master effects and master gain; `stems` keeps each
        track too. Raises `SoundInputError` for a song that is too long; otherwise as `render`."""
        _refuse_longer("the song", frame_at(song, song.end))
        report, stop = progress or _ignore, self._or_left(cancelled or never)
        placed = self.place(song)
        self.prepare([part for parts in placed.values() for part in parts], report, stop)
        mix = np.zeros((2, frame_at(song, song.end)), np.float32)
        kept = {track.id: np.zeros((2, 0), np.float32) for track in song.tracks if stems}
        levels = {track.id: SILENT for track in song.tracks}
        sounding = [track for track in song.tracks if placed.get(track.id)]
        for count, (track, stem) in enumerate(self._stems(song, sounding, placed, stop)):
            levels[track.id] = level_of(song, track, stem)
            mix = _added(mix, stem)
            if stems:
                kept[track.id] = stem
            report(_DRY_SHARE + _MIX_SHARE * count / len(sounding), track.name)
        return MixDown(mix, kept, levels)

    def _or_left(self, cancelled: Cancelled) -> Cancelled:
        return lambda: self._left or cancelled()

    @cached_property
    def engine(self) -> str:
        """Engine, synthesizer version and SoundFont as text: part of every cache key."""
        return f"{ENGINE} {library_version()} {self._soundfont.digest}"

    def warm(self) -> None:
        """Start the worker processes before there is work for them, and read the bank's digest while they start. Raises
        `SoundError`."""
        self._workers.warm()
        _ = self.engine

    def place(self, song: Song) -> dict[TrackId, list[PlacedPart]]:
        """The parts of every unmuted track, in the order of its clips."""
        placed: dict[TrackId, list[PlacedPart]] = {}
        for track in song.tracks:
            if track.mute:
                continue
            placed[track.id] = self.place_track(song, track)
        return placed

    def place_track(self, song: Song, track: Track) -> list[PlacedPart]:
        """The parts of one track in the order of its clips. Raises `SoundInputError` for an unknown instrument or a
        clip that is too long."""
        instrument = instrument_of(track, self._palette)
        sound = self._played(song, track, instrument)
        parts = [(clip, part_of(song, track, clip, instrument, *sound)) for clip in track.clips]
        for clip, part in parts:
            if part is not None and part.events:
                _refuse_longer(f"clip {clip.name!r} on {track.name!r}", part.events[-1][0] * GRID)
        return [PlacedPart(part.key(self.engine), part, frame_at(song, clip.start)) for clip, part in parts if part]

    def prepare(self, parts: list[PlacedPart], progress: Progress, cancelled: Cancelled) -> None:
        """Render every part that the cache does not have."""
        missing = {placed.key: placed.part for placed in parts if not self._cache.has(placed.key)}
        if not missing:
            return
        progress(0.0, "instruments")
        finished = 0

        def done(_: str) -> None:
            nonlocal finished
            finished += 1
            progress(_DRY_SHARE * finished / len(missing), "instruments")

        self._workers.run(missing, done, cancelled)

    def render_parts(self, parts: Sequence[PlacedPart], done: Callable[[str], None], cancelled: Cancelled) -> None:
        """Render parts that the cache does not have, calling `done` with the key of each. Raises `SoundError`,
        `RenderCancelledError`."""
        self._workers.run({placed.key: placed.part for placed in parts}, done, cancelled)

    def has(self, placed: PlacedPart) -> bool:
        """Whether the cache has the dry sound of a part; it may still turn out to be damaged."""
        return self._cache.has(placed.key)

    def known(self, placed: PlacedPart) -> DryPart | None:
        """The dry sound of a part if the cache has it, else None."""
        return self._cache.read(placed.key)

    def dry(self, placed: PlacedPart, cancelled: Cancelled) -> DryPart:
        """The dry sound of a part; one that is missing or damaged is rendered again."""
        for _ in range(_TRIES):
            sound = self._cache.read(placed.key)
            if sound is not None:
                return sound
            self._workers.run({placed.key: placed.part}, lambda _: None, cancelled)
        raise SoundError(msg("the sound cache loses what is written to it"), fix=msg("check the disk of the cache"))

    def glimpse(self, glimpse: LookAhead) -> DryPart | None:
        """The sound of a piece of a part, rendered now if the cache does not have it; None if it was lost. Raises
        `SoundError`."""
        key = glimpse.part.key(f"{self.engine} {glimpse.steps} steps")
        if not self._cache.has(key):
            self._workers.run({key: glimpse.part}, lambda _: None, never, glimpse.steps)
        return self._cache.read(key)

    def struck(self, song: Song, track: Track, events: tuple[Event, ...]) -> SynthPart:
        """A part with a track's instrument and these events, which belong to no clip. Raises `SoundError` for a kit
        that cannot be used."""
        instrument = instrument_of(track, self._palette)
        return SynthPart(instrument.bank, instrument.program, events, *self._played(song, track, instrument))

    def _played(
        self, song: Song, track: Track, instrument: Instrument
    ) -> tuple[SampledKit | None, tuple[PartLayer, ...], PartFont | None]:
        """What plays an instrument besides the bank; a SoundFont of its own plays all of a track."""
        font = self._fonts.of(song, track, instrument)
        if font is not None:
            return None, (), font
        return self._kits.of(instrument), layers_of(instrument, self._palette), None

    def at_once(self, part: SynthPart, steps: int) -> DryPart | None:
        """The sound of the first `steps` grid steps of a short part, rendered ahead of other work; None if it was lost.
        Raises `SoundError`."""
        key = part.key(f"{self.engine} {steps} steps")
        if not self._cache.has(key):
            self._workers.run_aside(key, part, steps)
        return self._cache.read(key)

    def _stems(
        self, song: Song, tracks: list[Track], placed: Mapping[TrackId, list[PlacedPart]], cancelled: Cancelled
    ) -> Iterator[tuple[Track, Planar]]:
        """Each track's stem in order; the following tracks are computed meanwhile."""
        running: deque[tuple[Track, Future[Planar]]] = deque()
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                for track in tracks:
                    _raise_if(cancelled)
                    work = pool.submit(self._stem, song, track, placed[track.id], cancelled)
                    running.append((track, work))
                    if len(running) > self._threads:
                        ready, stem = running.popleft()
                        yield ready, stem.result()
                while running:
                    ready, stem = running.popleft()
                    yield ready, stem.result()
            finally:
                pool.shutdown(cancel_futures=True)

    def _stem(self, song: Song, track: Track, parts: list[PlacedPart], cancelled: Cancelled) -> Planar:
        sounds = [(placed.frame, self.dry(placed, cancelled)) for placed in parts]
        dry = np.zeros((2, max(frame + sound.frames for frame, sound in sounds)), np.float32)
        for frame, sound in sounds:
            sound.add_to(dry, frame)
        chain = EffectChain(effects_of(track, self._palette), self._palette, effect_lanes(song, track, self._palette))
        stem = chain.process_whole(dry, partial(_raise_if, cancelled))
        stem *= Fader.of(song, track).gains(0, stem.shape[1])
        return stem


def _added(mix: Planar, stem: Planar) -> Planar:
    """`mix` with `stem` added; longer when that is needed."""
    if stem.shape[1] > mix.shape[1]:
        mix = np.pad(mix, ((0, 0), (0, stem.shape[1] - mix.shape[1])))
    mix[:, : stem.shape[1]] += stem
    return mix


def ended(song: Song, mix: Planar) -> Planar:
    """The mix cut after its last bar and its tail, which ends at -60 dB of the peak or after `LONGEST_TAIL` seconds."""
    least = frame_at(song, song.end)
    if not mix.size:
        return mix
    floor = float(np.max(np.abs(mix))) / 1000
    tail = mix[:, least : least + int(LONGEST_TAIL * SAMPLE_RATE)]
    loud = np.flatnonzero(np.max(np.abs(tail), axis=0) > floor)
    return _fitted(mix, least + (int(loud[-1]) + 1 if len(loud) else 0))


def _fitted(sound: Planar, frames: int) -> Planar:
    """`sound` with exactly `frames` frames; what is cut off is faded out before."""
    if sound.shape[1] <= frames:
        return np.pad(sound, ((0, 0), (0, frames - sound.shape[1])))
    fitted = sound[:, :frames].copy()
    fade = min(_FADE, frames)
    fitted[:, frames - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
    return fitted


def _refuse_longer(what: str, frames: int) -> None:
    if frames > LONGEST_SECONDS * SAMPLE_RATE:
        raise SoundInputError(
            msg("{what} is too long to be made into sound", what=what),
            why=msg(
                "it lasts {frames:,} minutes; at most {longest_seconds} are made",
                frames=frames // (60 * SAMPLE_RATE), longest_seconds=LONGEST_SECONDS // 60,
            ),
            fix=msg("move what lies far behind, or make it shorter"),
        )


def _ignore(_share: float, _what: str) -> None:
    """No one listens to the progress."""


def _raise_if(cancelled: Cancelled) -> None:
    if cancelled():
        raise RenderCancelledError(msg("the render was cancelled"))


def never() -> bool:
    """False: for work that cannot be cancelled."""
    return False
