"""What playback needs once per application: instruments, sound caches, and a synthesizer of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from agent.song.palette import Palette

if TYPE_CHECKING:
    # numpy is slow to import; the window is shown before anything sounds.
    from app.sound.desk import ProjectPlayer
    from app.sound.sounding import OpenOutput
    from app.sound.workshop import Workshop

Told = Callable[[], None]
Failed = Callable[[Exception], None]


class PlaybackEngine:
    """Makes desks: each plays one project. Close it when the last desk is closed.

    `cache` is the program's cache folder, the same that `SongRenderer` uses, so that what one has rendered
    the other finds. The synthesizer process is not shared: a long export never makes an edit wait. `ahead`
    says whether songs are prepared as soon as they are shown, or only from the first play on.
    """

    def __init__(
        self, cache: Path, palette: Palette, *, ahead: bool = True, open_output: OpenOutput | None = None
    ) -> None:
        self._cache = cache
        self._palette = palette
        self._open_output = open_output
        self._workshop: Workshop | None = None
        self._lock = Lock()
        self.ahead = ahead

    def desk(self, told: Told, failed: Failed) -> ProjectPlayer:
        """A desk; slow at the first time, so call it in a thread.

        `told` and `failed` are called from other threads: when something that the desk shows has changed, and
        with each error.
        """
        from app.sound.desk import ProjectPlayer
        from app.sound.effects import load_effects
        from app.sound.output import open_output
        from app.sound.workshop import Workshop

        # Songs are shown to a desk on the event loop, with their effects.
        load_effects()
        with self._lock:
            if self._workshop is None:
                self._workshop = Workshop(self._cache, self._palette)
        return ProjectPlayer(self._workshop, self._open_output or open_output, told, failed)

    def leave(self) -> None:
        """Prepare nothing any more: the program ends, and only the desks' own ends are waited for."""
        workshop = self._workshop
        if workshop is not None:
            workshop.leave()

    def close(self) -> None:
        """End the synthesizer process."""
        with self._lock:
            workshop, self._workshop = self._workshop, None
        if workshop is not None:
            workshop.close()
