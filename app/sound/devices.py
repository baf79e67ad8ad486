"""What this machine can play sound on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OutputDevice:
    """The default output, or why there is none; without one Bandleader plays silently."""

    name: str
    usable: bool
    why: str = ""


def default_output() -> OutputDevice:
    """The device that `sounddevice` would play on."""
    try:
        import sounddevice
    except OSError as error:
        return OutputDevice("none", usable=False, why=str(error))
    try:
        device = sounddevice.query_devices(kind="output")
    except (sounddevice.PortAudioError, ValueError) as error:
        return OutputDevice("none", usable=False, why=str(error))
    return OutputDevice(str(device["name"]), usable=True)
