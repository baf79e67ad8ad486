"""What playback needs once per application: instruments, sound caches, and a synthesizer of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from agent.song.palette import Palette

if TYPE_CHECKING:
    # numpy is slow to import; the window is shown before anything sounds.
    from app.sound.project_player import ProjectPlayer
    from app.sound.render_cache import RenderCache
    from app.sound.sounding import OpenOutput

Told = Callable[[], None]
Failed = Callable[[Exception], None]


class PlaybackEngine:
    """Makes players, one for each project; close it after the last player. `cache` is the program's cache folder,
    shared with `SongRenderer`, so that each finds what the other has rendered.

    The synthesizer process is not shared: a long export never delays an edit. `ahead`: songs are prepared as soon as
    they are shown, not only from the first play on."""

    def __init__(
        self, cache: Path, palette: Palette, *, ahead: bool = True, open_output: OpenOutput | None = None
    ) -> None:
        self._cache = cache
        self._palette = palette
        self._open_output = open_output
        self._render_cache: RenderCache | None = None
        self._lock = Lock()
        self.ahead = ahead

    def player(self, told: Told, failed: Failed) -> ProjectPlayer:
        """A player for one project; slow the first time, so call it in a thread. `told` is called from other threads
        when its status has changed, `failed` with each error."""
        from app.sound.effects import load_effects
        from app.sound.output import open_output
        from app.sound.project_player import ProjectPlayer
        from app.sound.render_cache import RenderCache

        # Songs are shown to a player on the event loop, with their effects.
        load_effects()
        with self._lock:
            if self._render_cache is None:
                self._render_cache = RenderCache(self._cache, self._palette)
        return ProjectPlayer(self._render_cache, self._open_output or open_output, told, failed)

    def leave(self) -> None:
        """Stop preparing sound, as the program ends."""
        render_cache = self._render_cache
        if render_cache is not None:
            render_cache.leave()

    def close(self) -> None:
        """End the synthesizer process; to be called after the last player was closed."""
        with self._lock:
            render_cache, self._render_cache = self._render_cache, None
        if render_cache is not None:
            render_cache.close()
