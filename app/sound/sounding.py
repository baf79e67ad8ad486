"""Keeps an output under the player: opens it late, and plays on silently when it fails."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Lock, Thread

from app.sound.output import AudioOutput, Fill, Lost, SilentOutput
from app.sound.player import MixPlayer

OpenOutput = Callable[[Fill, Lost], AudioOutput]

_LOOK_EVERY = 0.5


class LiveOutput:
    """Keeps an audio output for the player: opened late, replaced by a silent one when it fails. `told` is called from
    its thread when the device was lost."""

    def __init__(self, player: MixPlayer, open_output: OpenOutput, told: Callable[[], None]) -> None:
        self._player = player
        self._open = open_output
        self._told = told
        self._output: AudioOutput | None = None
        self._watch: Thread | None = None
        self._stirred = Event()
        self._lost = ""
        self._closed = False
        self._lock = Lock()

    @property
    def device(self) -> tuple[str, bool, str]:
        """(name of the output, whether it is silent, why it is silent); ("", False, "") before it was opened."""
        output = self._output
        return ("", False, "") if output is None else (output.name, output.silent, output.note)

    @property
    def latency(self) -> float:
        """Seconds from writing a frame until it is audible; 0 if not known."""
        output = self._output
        return 0.0 if output is None else output.latency

    def open(self) -> None:
        """Open the output unless it is open; one that was lost is opened again."""
        with self._lock:
            if self._closed or (self._output is not None and not self._lost):
                return
            self._end()
            self._lost = ""
            self._stirred.clear()
            self._output = self._open(self._player.fill, self._lose)
            if not self._output.silent:
                self._watch = Thread(target=self._look, name="bandleader-output", daemon=True)
                self._watch.start()

    def close(self) -> None:
        """Close the output and end the thread."""
        with self._lock:
            self._closed = True
            self._end()

    def _end(self) -> None:
        self._stirred.set()
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.join()
        output, self._output = self._output, None
        if output is not None:
            output.close()

    def _lose(self, why: str) -> None:
        """Called by the device's own thread, which must not close it."""
        self._lost = why
        self._stirred.set()

    def _look(self) -> None:
        output, seen, still = self._output, -1, 0.0
        assert output is not None
        while not self._stirred.wait(_LOOK_EVERY):
            seen, still = self._player.blocks, still + _LOOK_EVERY if self._player.blocks == seen else 0.0
            if still >= output.patience:
                self._lost = "it takes no more sound"
                break
        if not self._lost:
            return
        output.close()
        self._output = SilentOutput(self._player.fill, f"{output.name} was lost: playing silently ({self._lost})")
        self._told()
