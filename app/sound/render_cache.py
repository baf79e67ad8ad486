"""What all songs that are made ready to be heard share: renderer, dry parts in memory, finished tracks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Sequence
from pathlib import Path
from threading import Lock

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.track import Track
from app.sound.chunk_store import ChunkStore, Levels
from app.sound.dry_cache import DryPart
from app.sound.renderer import Cancelled, PlacedPart, Renderer, never
from app.sound.rendering_ahead import LookAhead
from app.sound.soundfont import find_soundfont
from app.sound.track_work import TrackWork, WetKey, key_of
from app.sound.worker import default_workers

DRY_BYTES = 48 * 1024**2
"""Bytes of dry parts kept in memory: those of the clips being edited."""
SPARE_BYTES = 192 * 1024**2
"""Bytes of the sound of tracks that no song shows now, kept so that undo and a plan shown again are heard at once."""


PROCESSES = 2
"""Most processes that play parts at the same time: each keeps the samples of what it has played, up to 200 MB."""


class RenderCache:
    """What the preparation of all songs shares: renderer, dry parts in memory, rendered tracks. One per application,
    with at most `PROCESSES` synthesizer processes; thread-safe."""

    def __init__(self, cache: Path, palette: Palette) -> None:
        self.palette = palette
        self.together = min(PROCESSES, default_workers())
        """Parts that can be rendered at the same time."""
        self._cache = cache
        self._renderer: Renderer | None = None
        self._lock = Lock()
        self._rendering = Lock()
        self._store = ChunkStore()
        self._dry: OrderedDict[str, DryPart] = OrderedDict()
        self._tracks: OrderedDict[WetKey, TrackWork] = OrderedDict()

    def work(self, song: Song, track: Track, before: TrackWork | None) -> TrackWork:
        """The work on a track's sound; the same object for equal sound. `before` is the work used until now. Raises
        `SoundError`: no SoundFont, no FluidSynth, an unknown instrument."""
        parts = tuple(self.renderer.place_track(song, track))
        key = key_of(song, track, parts, self.palette)
        with self._lock:
            known = self._tracks.get(key)
            if known is not None:
                self._tracks.move_to_end(key)
                return known
            work = TrackWork(key, song, track, parts, self.palette, self)
            if before is not None:
                work.follow(before)
            self._tracks[key] = work
        return work

    def trim(self, used: Collection[WetKey]) -> None:
        """Drop the sound of tracks that are not among the keys `used`, beyond `SPARE_BYTES`, the longest unused
        first."""
        # A long track takes a tenth of a second to go; nobody shall wait for the lock meanwhile.
        gone: list[TrackWork] = []
        with self._lock:
            spare = [(key, work.size) for key, work in self._tracks.items() if key not in used]
            total = sum(size for _, size in spare)
            for key, size in spare:
                if total <= SPARE_BYTES:
                    break
                gone.append(self._tracks.pop(key))
                total -= size

    def kept(self, levels: Levels) -> Levels:
        """Move the levels of a chunk into the memory, or the temporary file, that all chunks share; returns an equal
        array, to be read only."""
        return self._store.kept(levels)

    def known(self, placed: PlacedPart) -> DryPart | None:
        """The dry sound of a part if it was ever rendered, else None."""
        with self._lock:
            sound = self._dry.get(placed.key)
            if sound is not None:
                self._dry.move_to_end(placed.key)
                return sound
        sound = self.renderer.known(placed)
        return None if sound is None else self._keep(placed.key, sound)

    def has(self, placed: PlacedPart) -> bool:
        """Whether a part was ever rendered."""
        return self.renderer.has(placed)

    def rendered(self, placed: PlacedPart, cancelled: Cancelled = never) -> DryPart:
        """The dry sound of a part, rendered now if need be. Raises `SoundError`, `RenderCancelledError`."""
        sound = self.known(placed)
        if sound is None:
            with self._rendering:
                # It may have been rendered meanwhile.
                sound = self.known(placed) or self._keep(placed.key, self.renderer.dry(placed, cancelled))
        return sound

    def render_together(
        self, parts: Sequence[PlacedPart], cancelled: Cancelled, overtaken: Cancelled = never
    ) -> None:
        """Render several parts at the same time; `overtaken` ends it once the first of them is there. Raises as
        `rendered`."""
        done: set[str] = set()
        with self._rendering:
            missing = [placed for placed in parts if not self.has(placed)]
            self.renderer.render_parts(
                missing, done.add, lambda: cancelled() or (missing[0].key in done and overtaken())
            )

    def seen(self, glimpse: LookAhead) -> DryPart | None:
        """The dry sound of a piece of a part; None if it was lost. Raises `SoundError`."""
        return self.renderer.glimpse(glimpse)

    @property
    def renderer(self) -> Renderer:
        """The renderer, made on first use; its processes start to load the SoundFont. Raises `SoundError`."""
        with self._lock:
            if self._renderer is None:
                self._renderer = Renderer(self._cache, find_soundfont(), self.palette, workers=self.together)
                self._renderer.warm()
            return self._renderer

    def leave(self) -> None:
        """Render nothing any more; renders under way end with `RenderCancelledError`. `close` must follow."""
        renderer = self._renderer
        if renderer is not None:
            renderer.leave()

    def close(self) -> None:
        """End the synthesizer processes."""
        with self._lock:
            renderer, self._renderer = self._renderer, None
            self._dry.clear()
            self._tracks.clear()
        if renderer is not None:
            renderer.close()

    def _keep(self, key: str, sound: DryPart) -> DryPart:
        with self._lock:
            self._dry[key] = sound
            total = sum(part.levels.nbytes for part in self._dry.values())
            while total > DRY_BYTES and len(self._dry) > 1:
                total -= self._dry.popitem(last=False)[1].levels.nbytes
        return sound
