"""FluidSynth through pyfluidsynth: one loaded bank, and a fresh synthesizer for each part.

A synthesizer that has played before does not repeat its bytes (voices keep filter and envelope state), so
each part gets a new one. All share the loaded bank, which makes a new one cost half a millisecond.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_int, c_uint, c_void_p
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sound.errors import SoundError
from app.sound.part import BEND_RANGE, GRID, SAMPLE_RATE, Kind, Part

Planar = npt.NDArray[np.float32]
"""Sound as (2, frames)."""

GAIN = 1.0
POLYPHONY = 256
_MELODIC, _DRUMS = 0, 9
_LEVELS = range(5)
_RPN = ((101, 0), (100, 0), (6, BEND_RANGE), (38, 0), (101, 127), (100, 127))


def load_library() -> ModuleType:
    """The pyfluidsynth module; `SoundError` says how to install what is missing."""
    try:
        import fluidsynth
    except (ImportError, OSError, AttributeError) as error:
        raise SoundError(
            "FluidSynth cannot be loaded", why=str(error) or type(error).__name__, fix=install_hint()
        ) from error
    module: ModuleType = fluidsynth
    return module


def install_hint() -> str:
    """How to install libfluidsynth on this system."""
    if sys.platform == "darwin":
        return "brew install fluid-synth"
    if sys.platform == "win32":
        return "install FluidSynth from https://www.fluidsynth.org and put its bin folder on PATH"
    return "apt-get install libfluidsynth3 (or your system's package of libfluidsynth)"


def library_version() -> str:
    """Version of the installed libfluidsynth, for example 2.3.1."""
    numbers = (c_int(), c_int(), c_int())
    load_library().fluid_version(*(byref(number) for number in numbers))
    return ".".join(str(number.value) for number in numbers)


class Bank:
    """A SoundFont loaded once in this process; `close` frees it."""

    def __init__(self, path: Path) -> None:
        self._api = load_library()
        self._lib = _Functions(self._api)
        self._settings = self._api.new_fluid_settings()
        self._api.fluid_settings_setnum(self._settings, b"synth.sample-rate", float(SAMPLE_RATE))
        self._api.fluid_settings_setnum(self._settings, b"synth.gain", GAIN)
        self._api.fluid_settings_setint(self._settings, b"synth.reverb.active", 0)
        self._api.fluid_settings_setint(self._settings, b"synth.chorus.active", 0)
        self._api.fluid_settings_setint(self._settings, b"synth.polyphony", POLYPHONY)
        self._owner = self._api.new_fluid_synth(self._settings)
        if self._api.fluid_synth_sfload(self._owner, str(path).encode(), 1) < 0:
            self.close()
            raise SoundError(f"FluidSynth cannot load {path}", fix="choose another SoundFont")
        self._font = self._lib.get_font(self._owner, 0)

    def close(self) -> None:
        """Free synthesizer and bank."""
        self._api.delete_fluid_synth(self._owner)
        self._api.delete_fluid_settings(self._settings)

    @contextmanager
    def player(self, part: Part) -> Iterator[Player]:
        """A synthesizer in its first state, with the part's sound selected."""
        synth = self._api.new_fluid_synth(self._settings)
        self._lib.add_font(synth, self._font)
        try:
            yield Player(self._api, self._lib, synth, part)
        finally:
            # The owner keeps the bank: a deleted synthesizer would free it.
            self._lib.remove_font(synth, self._font)
            self._api.delete_fluid_synth(synth)


class Player:
    """One synthesizer playing one part."""

    def __init__(self, api: ModuleType, lib: _Functions, synth: int, part: Part) -> None:
        self._api, self._lib, self._synth = api, lib, synth
        self._channel = _DRUMS if part.bank == 128 else _MELODIC
        self._api.fluid_synth_system_reset(synth)
        if part.bank not in (0, 128):
            self._api.fluid_synth_bank_select(synth, self._channel, part.bank)
        self._api.fluid_synth_program_change(synth, self._channel, part.program)
        for controller, value in _RPN:
            self._api.fluid_synth_cc(synth, self._channel, controller, value)

    @property
    def voices(self) -> int:
        """Voices that sound now."""
        return int(self._lib.voice_count(self._synth))

    def send(self, kind: int, number: int, value: int) -> None:
        """Play one event of a part."""
        if kind == Kind.NOTE_ON:
            self._api.fluid_synth_noteon(self._synth, self._channel, number, value)
        elif kind == Kind.NOTE_OFF:
            self._api.fluid_synth_noteoff(self._synth, self._channel, number)
        elif kind == Kind.CONTROL:
            self._api.fluid_synth_cc(self._synth, self._channel, number, value)
        else:
            self._api.fluid_synth_pitch_bend(self._synth, self._channel, value)

    def write(self, sound: Planar, start: int, frames: int) -> None:
        """Render `frames`, a multiple of GRID, into `sound` from frame `start`."""
        assert frames % GRID == 0
        assert start + frames <= sound.shape[1]
        assert sound.flags.c_contiguous
        left = sound.ctypes.data
        self._lib.write_float(self._synth, frames, left, start, 1, left + sound.strides[0], start, 1)


class _Functions:
    """Functions of libfluidsynth that pyfluidsynth does not declare."""

    def __init__(self, api: ModuleType) -> None:
        out = (c_void_p, c_int, c_int)
        self.write_float = _declared(api, "fluid_synth_write_float", c_int, c_void_p, c_int, *out, *out)
        self.get_font = _declared(api, "fluid_synth_get_sfont", c_void_p, c_void_p, c_uint)
        self.add_font = _declared(api, "fluid_synth_add_sfont", c_int, c_void_p, c_void_p)
        self.remove_font = _declared(api, "fluid_synth_remove_sfont", c_int, c_void_p, c_void_p)
        self.voice_count = _declared(api, "fluid_synth_get_active_voice_count", c_int, c_void_p)
        silence = _declared(api, "fluid_set_log_function", c_void_p, c_int, c_void_p, c_void_p)
        for level in _LEVELS:
            silence(level, None, None)


def _declared(api: ModuleType, name: str, result: Any, *arguments: Any) -> Any:
    try:
        function = getattr(api._fl, name)
    except AttributeError as error:
        why = f"it lacks {name}"
        raise SoundError("this libfluidsynth is too old", why=why, fix=install_hint()) from error
    function.restype = result
    function.argtypes = list(arguments)
    return function
