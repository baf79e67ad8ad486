"""Rendered songs: one renderer, started when it is first needed, off the event loop, one song at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from agent.song.palette import Palette
from agent.song.song import Song
from app.sound.errors import SoundError
from app.sound.soundfont import find_soundfont
from app.sound.sources import bank_remark, lacks_of, terms_of

if TYPE_CHECKING:
    # numpy is slow to import, and most commands make no sound.
    from app.sound.renderer import Renderer, Rendering

Progress = Callable[[float, str], None]


class SongRenderer:
    """Renders songs in a thread and caches the last rendering for analysis and export."""

    def __init__(self, cache: Path, palette: Palette) -> None:
        self._cache = cache
        self._palette = palette
        self._renderer: Renderer | None = None
        self._turn = asyncio.Lock()
        self._expected: asyncio.Task[None] | None = None
        self._last: tuple[Song, bool, Rendering] | None = None

    def expect(self) -> None:
        """Start the worker processes in the background for a song that comes soon; returns at once. What prevents it is
        told by `render`."""
        if self._expected is None and self._renderer is None:
            self._expected = asyncio.create_task(self._warmed())

    async def _warmed(self) -> None:
        async with self._turn:
            with suppress(SoundError, OSError):
                await asyncio.to_thread(lambda: self._ready().warm())

    async def render(
        self,
        song: Song,
        *,
        stems: bool = False,
        progress: Progress | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Rendering:
        """Render the song; `stems` keeps each track too. `progress` (a share from 0 to 1 and what is being done) is
        called on the event loop; the render ends soon after `cancelled` returns True. Raises `SoundError`."""
        loop = asyncio.get_running_loop()

        def report(share: float, what: str) -> None:
            if progress is not None:
                loop.call_soon_threadsafe(progress, share, what)

        async with self._turn:
            if self._last is not None:
                known, with_stems, rendering = self._last
                if known == song and (with_stems or not stems):
                    return rendering
            rendering = await asyncio.to_thread(self._render, song, stems, report, cancelled)
            self._last = (song, stems, rendering)
            return rendering

    def _render(
        self, song: Song, stems: bool, report: Progress, cancelled: Callable[[], bool] | None
    ) -> Rendering:
        return self._ready().render(song, progress=report, cancelled=cancelled, stems=stems)

    def _ready(self) -> Renderer:
        from app.sound.renderer import Renderer

        if self._renderer is None:
            self._renderer = Renderer(self._cache, find_soundfont(), self._palette)
        return self._renderer

    @cached_property
    def bank_remark(self) -> str:
        """What is missing if only the bundled bank is installed, in words; else empty. Reads the disk once."""
        return bank_remark()

    def lacks_of(self, song: Song) -> tuple[str, ...]:
        """Sentences about sounds of a song that are replaced by others because something is not installed."""
        return lacks_of(song, self._palette)

    def terms_of(self, song: Song) -> tuple[str, ...]:
        """What the licences of a song's samples require of whoever publishes it, a sentence each."""
        return terms_of(song, self._palette)

    def leave(self) -> None:
        """Start no more renders, as the program ends; a render under way ends with `RenderCancelledError`."""
        if self._renderer is not None:
            self._renderer.leave()

    async def close(self) -> None:
        """End the worker processes."""
        if self._expected is not None:
            await self._expected
        renderer, self._renderer = self._renderer, None
        if renderer is not None:
            await asyncio.to_thread(renderer.close)
