"""Nobody waits for the threads behind a desk while they clear up."""

from __future__ import annotations

from collections.abc import Collection
from threading import Event
from typing import Any, cast

from agent.song.palette import Palette
from app.sound.playback_state import PlaybackState
from app.sound.preparing import Preparing
from app.sound.render_cache import RenderCache

PATIENCE = 20.0


class SlowToClear:
    """A workshop that has nothing to make, and takes its time to forget."""

    def __init__(self) -> None:
        self.clearing, self.go_on = Event(), Event()
        self.cleared = 0

    def trim(self, used: Collection[Any]) -> None:
        assert not used
        self.cleared += 1
        self.clearing.set()
        assert self.go_on.wait(PATIENCE)


def test_the_transport_is_told_while_what_no_song_shows_is_forgotten(palette: Palette) -> None:
    stage = PlaybackState(palette, lambda: None, lambda _: None)
    render_cache = SlowToClear()
    thread = Preparing(stage, cast("RenderCache", render_cache))
    try:
        assert render_cache.clearing.wait(PATIENCE)
        free = stage.lock.acquire(timeout=PATIENCE)
        if free:
            stage.lock.release()
        assert free
        assert render_cache.cleared == 1
        render_cache.clearing.clear()
        render_cache.go_on.set()
        with stage.lock:
            stage.lock.notify_all()
        while not render_cache.clearing.wait(0.05):
            with stage.lock:
                stage.lock.notify_all()
        assert render_cache.cleared == 2, "it rests between two changes, and clears up after each"
    finally:
        render_cache.go_on.set()
        stage.close()
        thread.join(PATIENCE)
    assert not thread.is_alive()
