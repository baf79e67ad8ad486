"""Where sound goes: the machine's default device, or a silent one that only keeps time."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, Protocol

import numpy as np

from app.sound.effects import BLOCK
from app.sound.part import SAMPLE_RATE
from app.sound.renderer import Frames

Fill = Callable[[Frames], None]
"""Writes the next frames into an array (frames, 2); never raises."""
Lost = Callable[[str], None]
"""Called once, from any thread, when a device ends by itself, with the reason."""

_LATE = 0.5  # seconds behind which the silent device gives up catching up, as after a suspend


class AudioOutput(Protocol):
    """Takes blocks from a `Fill` in real time from the moment it is made until `close`. `silent`: blocks are discarded,
    for the reason in `note`. `patience` is the time in seconds without a requested block after which the output counts
    as lost, `latency` the seconds from writing a frame until it is audible."""

    name: str
    silent: bool
    note: str
    """Why there is no sound; empty for a real device."""
    patience: float
    """Seconds without a requested block after which the output counts as lost."""
    latency: float
    """Seconds from writing a frame until it is audible."""

    def close(self) -> None:
        """Close the output and join its thread."""


class SilentOutput:
    """Requests blocks in real time and discards them."""

    name = "silent"
    silent = True
    patience = float("inf")
    latency = 0.0

    def __init__(self, fill: Fill, note: str = "") -> None:
        self.note = note
        self._fill = fill
        self._ended = Event()
        self._thread = Thread(target=self._run, name="bandleader-silent-output", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        block = np.zeros((BLOCK, 2), np.float32)
        due = time.monotonic()
        while not self._ended.wait(max(0.0, due - time.monotonic())):
            self._fill(block)
            due = max(due + BLOCK / SAMPLE_RATE, time.monotonic() - _LATE)


class DeviceOutput:
    """The default device through PortAudio.

    The constructor raises `OSError` without PortAudio, and `sounddevice.PortAudioError` or `ValueError`
    without a device that plays stereo at `SAMPLE_RATE`.
    """

    silent = False
    note = ""
    patience = 1.5

    def __init__(self, fill: Fill, lost: Lost) -> None:
        import sounddevice

        self._fill = fill
        self._lost = lost
        self._closing = False
        self.name = str(sounddevice.query_devices(kind="output")["name"])
        self._stream = sounddevice.OutputStream(
            samplerate=SAMPLE_RATE, blocksize=BLOCK, channels=2, dtype="float32",
            callback=self._call, finished_callback=self._finished,
        )  # fmt: skip
        self.latency = float(self._stream.latency)
        self._stream.start()

    def close(self) -> None:
        self._closing = True
        self._stream.close(ignore_errors=True)

    def _call(self, out: Frames, _frames: int, _time: Any, _status: Any) -> None:
        self._fill(out)

    def _finished(self) -> None:
        if not self._closing:
            self._lost(f"{self.name} stopped")


def open_output(fill: Fill, lost: Lost) -> AudioOutput:
    """The default device, or the silent one with the reason in its note."""
    try:
        return DeviceOutput(fill, lost)
    except Exception as error:  # PortAudio may be missing, broken or without a device: play on silently
        return SilentOutput(fill, f"No sound device: playing silently ({_reason(error)})")


def _reason(error: Exception) -> str:
    words = str(error).strip() or type(error).__name__
    return "PortAudio says that there is none" if "device -1" in words else words
