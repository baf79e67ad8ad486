"""The sound of one track in the making: chunk by chunk, the ones that are heard next first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import TempoChange
from agent.song.track import Automation, Effect, Track
from app.sound.chunk_store import Levels
from app.sound.dry_cache import DryPart
from app.sound.effects import EffectChain, effect_lanes
from app.sound.fluid import Planar
from app.sound.layers import effects_of
from app.sound.processed import CHUNK, NO_CHUNKS, NO_ENERGIES, Chunk, Chunks, Energies, chunk_of
from app.sound.renderer import Cancelled, PlacedPart, never
from app.sound.rendering_ahead import LookAhead, Seen, glimpse_of
from app.sound.spans import Spans

_WARM_UP = 2  # chunks that a chain hears before the one that is wanted at once


class DrySource(Protocol):
    """Provides the dry sound of parts."""

    def kept(self, levels: Levels) -> Levels:
        """Move the levels of a chunk into the memory, or the temporary file, that all chunks share; returns an equal
        array, to be read only."""

    def known(self, placed: PlacedPart) -> DryPart | None:
        """The sound of a part if it has been rendered, else None."""

    def has(self, placed: PlacedPart) -> bool:
        """Whether a part has been rendered."""

    def rendered(self, placed: PlacedPart, cancelled: Cancelled = never) -> DryPart:
        """The sound of a part, rendered now if need be. Raises `SoundError`, `RenderCancelledError`."""

    def seen(self, glimpse: LookAhead) -> DryPart | None:
        """The sound of a piece of a part, rendered now; None if it was lost. Raises `SoundError`."""


@dataclass(frozen=True)
class WetKey:
    """Everything that shapes the sound of a track before its fader; equal keys have equal sound."""

    parts: tuple[tuple[str, int], ...]
    effects: tuple[Effect, ...]
    lanes: tuple[Automation, ...]
    tempos: tuple[TempoChange, ...]


def key_of(song: Song, track: Track, parts: Sequence[PlacedPart], palette: Palette) -> WetKey:
    """The key of a track's sound. Raises `SoundInputError` for an unknown instrument."""
    effects = tuple(effect for effect in effects_of(track, palette) if effect.enabled)
    owners = {effect.id for effect in effects}
    lanes = tuple(lane for lane in track.automation if lane.target.partition(".")[0] in owners)
    # Lanes lie in ticks: only they still depend on the tempo once the parts are placed.
    return WetKey(tuple((one.key, one.frame) for one in parts), effects, lanes, song.tempos if lanes else ())


@dataclass
class TrackWork:
    """Renders the chunks of a track. One thread works on it; others read `chunks` and their `energies`, which are
    replaced as a whole.

    With effects everything is rendered from the start of the song, because an effect has memory. A chunk that is needed
    earlier is made from a chain that was fed only with the 1.4 s before it, and replaced when the whole is ready; so is
    a chunk of an edited clip that was made from a glimpse of it."""

    key: WetKey
    song: Song
    track: Track
    parts: tuple[PlacedPart, ...]
    palette: Palette
    source: DrySource
    chunks: Chunks = field(default_factory=lambda: NO_CHUNKS)
    energies: Energies = field(default_factory=lambda: NO_ENERGIES)
    done: bool = False
    _ready: set[int] = field(default_factory=set)
    _spans: Spans = field(init=False)
    _head: int = 0
    _next: int = 0
    _run: Iterator[None] | None = None
    _edited: bool = False
    _seen: dict[str, Seen] = field(default_factory=dict)
    _glimpsed: set[int] = field(default_factory=set)
    _there: set[str] = field(default_factory=set)
    _hasty: tuple[EffectChain, int] | None = None

    def __post_init__(self) -> None:
        self._spans = Spans(self.parts, {})

    @property
    def size(self) -> int:
        """Size of its chunks in bytes."""
        return sum(chunk.levels.nbytes for chunk in self.chunks.values())

    @property
    def share(self) -> float:
        """Share of it that is ready, 0-1."""
        count = -(-self._spans.end // CHUNK)
        return 1.0 if self.done or not count else min(1.0, len(self._ready) / count)

    @property
    def end(self) -> int:
        """Frame after which it is silent, as far as is known."""
        last = max((number for number, chunk in self.chunks.items() if chunk.frames), default=None)
        return 0 if last is None else last * CHUNK + self.chunks[last].frames

    def follow(self, old: TrackWork) -> None:
        """Start from the track's sound before an edit: what the edit did not touch stays, the rest until it is
        rendered."""
        self.chunks, self.energies, self._spans = old.chunks, old.energies, Spans(self.parts, old._spans.lengths)
        self._edited = True
        if self.key.effects != old.key.effects or self.key.lanes != old.key.lanes or self.key.tempos != old.key.tempos:
            return
        dirty = self._dirty(old)
        if self.key.effects:
            first = min(dirty, default=0)
            self._ready = {number for number in old._ready if number < first}
        else:
            self._ready = old._ready - old._glimpsed - dirty

    def wants(self, number: int) -> bool:
        """Whether the chunk with this `number`, from 0, is still to be rendered."""
        return not self.done and number not in self._ready and number * CHUNK < self._spans.end

    def bring(self, number: int, cancelled: Cancelled) -> bool:
        """Do one short piece of work for the chunk with this `number`, from 0; True when the chunk is ready. Raises
        `SoundError`. Rendering a whole part may take long: it ends with `RenderCancelledError` when `cancelled()`, and
        leaves everything as it was."""
        start, end = (max(0, number - _WARM_UP) if self.key.effects else number) * CHUNK, (number + 1) * CHUNK
        missing = self._missing(start, end)
        while missing is not None and self._glimpse(missing, start, end + CHUNK):
            missing = self._missing(start, end)
        if missing is not None:
            self._take(self.source.rendered(missing, cancelled), missing)
            return False
        self._put(number, self._plain(number) if not self.key.effects else self._in_haste(number))
        return True

    def lacking(self, start: int, end: int | None) -> Iterator[PlacedPart]:
        """The parts of chunks `start` to before `end` (None: to the last) that were never rendered; none of a track
        that was edited, of which a glimpse may do."""
        last = self._spans.end if end is None else end * CHUNK
        for placed in () if self._edited else self._spans.between(start * CHUNK, last):
            if placed.key in self._spans.lengths or placed.key in self._there:
                continue
            if self.source.has(placed):
                self._there.add(placed.key)
            else:
                yield placed

    def proceed(self, head: int, cancelled: Cancelled) -> bool:
        """Do one short piece of work for the whole track, from chunk `head` on; True when something new can be heard.
        Raises as `bring`."""
        if not self.key.effects:
            count = -(-self._spans.end // CHUNK)
            waiting = self._waiting(head, count)
            if waiting is not None:
                return self.bring(waiting, cancelled)
            if self._glimpsed:
                return self._make_whole(min(self._glimpsed), cancelled)
            self._finish(count)
            return True
        self._seen.clear()
        missing = self._missing(0, self._spans.end)
        if missing is not None:
            self._take(self.source.rendered(missing, cancelled), missing)
            return False
        if self._run is None:
            self._run, self._hasty = self._exact(), None
        try:
            next(self._run)
        except StopIteration:
            self._run = None
        return True

    def _glimpse(self, placed: PlacedPart, start: int, end: int) -> bool:
        """See the piece of an edited part that is heard next; False when it has been seen, or is short."""
        if not self._edited or placed.key in self._seen:
            return False
        glimpse = glimpse_of(placed.part, max(0, start - placed.frame), end - placed.frame)
        sound = None if glimpse is None else self.source.seen(glimpse)
        if glimpse is None or sound is None:
            return False
        self._seen[placed.key] = Seen(glimpse, sound)
        return True

    def _make_whole(self, number: int, cancelled: Cancelled) -> bool:
        """Make a chunk that was glimpsed again, from whole parts."""
        self._seen.clear()
        missing = self._missing(number * CHUNK, (number + 1) * CHUNK)
        if missing is not None:
            self._take(self.source.rendered(missing, cancelled), missing)
            return False
        self._put(number, self._plain(number))
        return True

    def _waiting(self, head: int, count: int) -> int | None:
        """The first chunk from `head` on that is still to be made, else the first of those before it."""
        if head != self._head:
            self._head = self._next = head
        while self._next < count and self._next in self._ready:
            self._next += 1
        if self._next < count:
            return self._next
        return next((number for number in range(min(head, count)) if number not in self._ready), None)

    def _dirty(self, old: TrackWork) -> set[int]:
        """Chunks in which a part of only one of both sounds."""
        here, there = ({(one.key, one.frame): one for one in work.parts} for work in (self, old))
        dirty: set[int] = set()
        for place in here.keys() ^ there.keys():
            first, end = self._spans.of(here.get(place) or there[place])
            dirty.update(range(first // CHUNK, -(-end // CHUNK)))
        return dirty

    def _missing(self, start: int, end: int) -> PlacedPart | None:
        for placed in self._spans.between(start, end):
            if placed.key in self._spans.lengths:
                continue
            seen = self._seen.get(placed.key)
            if seen is not None and placed.frame + seen.glimpse.start <= max(start, placed.frame) and (
                end <= placed.frame + seen.glimpse.end
            ):
                continue
            sound = self.source.known(placed)
            if sound is None:
                return placed
            self._take(sound, placed)
        return None

    def _take(self, sound: DryPart, placed: PlacedPart) -> None:
        self._spans.learn(placed.key, sound.frames)

    def _dry(self, start: int, frames: int) -> Planar:
        sound = np.zeros((2, frames), np.float32)
        for placed in self._spans.between(start, start + frames):
            seen = self._seen.get(placed.key)
            if seen is None or placed.key in self._spans.lengths:
                self.source.rendered(placed).add_piece(sound, placed.frame, start)
            else:
                seen.sound.add_piece(sound, placed.frame + seen.glimpse.origin, start)
                self._glimpsed.add(start // CHUNK)
        return sound

    def _plain(self, number: int) -> Chunk:
        return chunk_of(self._dry(number * CHUNK, CHUNK))

    def _chain(self, start: int) -> EffectChain:
        return EffectChain(
            self.key.effects, self.palette, effect_lanes(self.song, self.track, self.palette), start
        )

    def _in_haste(self, number: int) -> Chunk:
        chain, following = self._hasty or (None, -1)
        if chain is None or following != number:
            first = max(0, number - _WARM_UP)
            chain = self._chain(first * CHUNK)
            for before in range(first, number):
                chain.process(self._dry(before * CHUNK, CHUNK))
        self._hasty = chain, number + 1
        return chunk_of(chain.process(self._dry(number * CHUNK, CHUNK)))

    def _exact(self) -> Iterator[None]:
        """Make all chunks in order, from the start of the song to the end of the last tail."""
        end = self._spans.end
        dry = (self._dry(start, min(CHUNK, end - start)) for start in range(0, end, CHUNK))
        held, number = np.zeros((2, 0), np.float32), 0
        for piece in self._chain(0).stream(dry):
            held = np.concatenate((held, piece), axis=1)
            while held.shape[1] >= CHUNK:
                self._put(number, chunk_of(held[:, :CHUNK]))
                held, number = held[:, CHUNK:], number + 1
            yield
        if held.shape[1]:
            self._put(number, chunk_of(held))
            number += 1
        self._finish(number)

    def _put(self, number: int, chunk: Chunk) -> None:
        if not self._seen:
            self._glimpsed.discard(number)
        self.chunks = {**self.chunks, number: replace(chunk, levels=self.source.kept(chunk.levels))}
        energies = np.zeros(max(len(self.energies), number + 1))
        energies[: len(self.energies)] = self.energies
        energies[number] = chunk.energy
        self.energies = energies
        self._ready.add(number)

    def _finish(self, count: int) -> None:
        self.chunks = {number: chunk for number, chunk in self.chunks.items() if number < count}
        self.energies = self.energies[:count]
        self.done, self._hasty = True, None
