"""An output that takes blocks when a test says so, and desks that play on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from patience import PATIENCE

from agent.song.palette import Palette
from agent.song.song import Song
from agent.song.time import Ticks
from app.sound.output import Fill, Lost
from app.sound.project_player import ProjectPlayer
from app.sound.render_cache import RenderCache
from app.sound.renderer import Frames

BLOCK = 1024


class PulledOutput:
    """Takes no sound by itself."""

    name = "test output"
    silent = False
    note = ""
    patience = float("inf")
    latency = 0.0

    def __init__(self) -> None:
        self.fill: Fill = lambda _: None
        self.lose: Lost = lambda _: None
        self.closed = 0

    def open(self, fill: Fill, lost: Lost) -> PulledOutput:
        """As `open_output`."""
        self.fill, self.lose = fill, lost
        return self

    def close(self) -> None:
        self.closed += 1

    def pull(self, frames: int, block: int = BLOCK) -> Frames:
        """The next frames, taken in blocks."""
        out = np.zeros((frames, 2), np.float32)
        for start in range(0, frames, block):
            self.fill(out[start : start + block])
        return out


class PulledDesk:
    """A desk on a pulled output, and what it told."""

    def __init__(self, render_cache: RenderCache) -> None:
        self.output = PulledOutput()
        self.errors: list[Exception] = []
        self.desk = ProjectPlayer(render_cache, self.output.open, lambda: None, self.errors.append)

    def ready(self, song: Song, side: str = "song") -> None:
        """Show a song and wait until all of it was made and measured."""
        self.desk.show(side, song)  # type: ignore[arg-type]
        self.settle()

    def settle(self) -> None:
        """Wait until everything is ready and measured."""
        stage = self.desk._stage
        eventually(lambda: all(
            side.song is None or (side.ready and side.measured_key == side.key) for side in stage.order
        ))

    def heard(self, at: float = 0, seconds: float = 1, block: int = BLOCK) -> Frames:
        """What is played from a beat at 120 BPM, from the first frame on."""
        self.desk.play(Ticks(int(at * 960)))
        sound = self.output.pull(round(seconds * 48_000), block)
        self.desk.stop()
        self.output.pull(BLOCK)
        return sound


@contextmanager
def pulled(cache: Path, palette: Palette) -> Iterator[PulledDesk]:
    """A desk with a workshop of its own; afterwards no thread of both is left."""
    others = own_threads()
    render_cache = RenderCache(cache, palette)
    desk = PulledDesk(render_cache)
    try:
        yield desk
    finally:
        desk.desk.close()
        render_cache.close()
    assert desk.desk.player.fault is None
    assert own_threads() <= others


def own_threads() -> set[threading.Thread]:
    """The threads that playback has running."""
    ours = (
        "bandleader-prepare", "bandleader-ahead", "bandleader-measure", "bandleader-output", "bandleader-silent-output"
    )
    return {thread for thread in threading.enumerate() if thread.name.startswith(ours)}


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Wait for another thread."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.005)
