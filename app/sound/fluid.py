"""FluidSynth through pyfluidsynth: one loaded bank, and a fresh synthesizer for each part.

A synthesizer that has played before does not repeat its bytes (voices keep filter and envelope state), so
each part gets a new one. All share the loaded bank, which makes a new one cost half a millisecond.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_int, c_uint, c_void_p
from importlib.util import find_spec, module_from_spec
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

_DRUMS = 9
_LEVELS = range(5)
_SHIFTS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
_BEND_RPN = ((101, 0), (100, 0), (6, BEND_RANGE), (38, 0))
_NO_RPN = ((101, 127), (100, 127))


def load_library() -> ModuleType:
    """The pyfluidsynth module; `SoundError` says how to install what is missing."""
    try:
        return sys.modules.get("fluidsynth") or _imported()
    except (ImportError, OSError, AttributeError) as error:
        raise SoundError(
            "FluidSynth cannot be loaded", why=str(error) or type(error).__name__, fix=install_hint()
        ) from error


def _imported() -> ModuleType:
    """The module, read without what it prints where CI is in the environment: where it found the library.

    Only its own `print` is taken from it. Another thread may be writing an answer to stdout.
    """
    found = find_spec("fluidsynth")
    if found is None or found.loader is None:
        raise ModuleNotFoundError("there is no module named 'fluidsynth'")
    module = module_from_spec(found)
    vars(module)["print"] = lambda *_: None
    found.loader.exec_module(module)
    return sys.modules.setdefault("fluidsynth", module)


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
    """One synthesizer playing one part.

    A bank may leave a key of an instrument without a sample. The nearest key that has one then plays, tuned
    back, on a channel of its own.
    """

    def __init__(self, api: ModuleType, lib: _Functions, synth: int, part: Part) -> None:
        self._api, self._lib, self._synth, self._part = api, lib, synth, part
        self._api.fluid_synth_system_reset(synth)
        self._home = _DRUMS if part.bank == 128 else 0
        self._free = [channel for channel in range(15, 0, -1) if channel != _DRUMS]
        self._channels: dict[int, int] = {}
        self._playing: dict[int, tuple[int, int]] = {}
        self._state: dict[tuple[int, int], int] = {}
        self._open(0, self._home)

    @property
    def voices(self) -> int:
        """Voices that sound now."""
        return int(self._lib.voice_count(self._synth))

    def send(self, kind: int, number: int, value: int) -> None:
        """Play one event of a part."""
        if kind == Kind.NOTE_ON:
            self._strike(number, value)
        elif kind == Kind.NOTE_OFF:
            channel, key = self._playing.pop(number, (self._home, number))
            self._api.fluid_synth_noteoff(self._synth, channel, key)
        else:
            self._state[kind, number] = value
            for channel in self._channels.values():
                self._control(channel, kind, number, value)

    def write(self, sound: Planar, start: int, frames: int) -> None:
        """Render `frames`, a multiple of GRID, into `sound` from frame `start`."""
        assert frames % GRID == 0
        assert start + frames <= sound.shape[1]
        assert sound.flags.c_contiguous
        left = sound.ctypes.data
        self._lib.write_float(self._synth, frames, left, start, 1, left + sound.strides[0], start, 1)

    def _strike(self, key: int, velocity: int) -> None:
        shifts = (0,) if self._home == _DRUMS or self.voices > POLYPHONY // 2 else _SHIFTS
        for shift in shifts:
            if not 0 <= key + shift <= 127 or (shift not in self._channels and not self._free):
                continue
            channel = self._channels.get(shift)
            if channel is None:
                channel = self._open(shift, self._free.pop())
            before = self.voices
            self._api.fluid_synth_noteon(self._synth, channel, key + shift, velocity)
            if self.voices > before:
                self._playing[key] = channel, key + shift
                return

    def _open(self, shift: int, channel: int) -> int:
        """Bring a channel into the part's present state, `shift` semitones below its keys."""
        self._channels[shift] = channel
        if self._part.bank not in (0, 128):
            self._api.fluid_synth_bank_select(self._synth, channel, self._part.bank)
        self._api.fluid_synth_program_change(self._synth, channel, self._part.program)
        for controller, value in (*_BEND_RPN, *(_tuning_rpn(-shift) if shift else ()), *_NO_RPN):
            self._api.fluid_synth_cc(self._synth, channel, controller, value)
        for (kind, number), value in self._state.items():
            self._control(channel, kind, number, value)
        return channel

    def _control(self, channel: int, kind: int, number: int, value: int) -> None:
        if kind == Kind.CONTROL:
            self._api.fluid_synth_cc(self._synth, channel, number, value)
        else:
            self._api.fluid_synth_pitch_bend(self._synth, channel, value)


def _tuning_rpn(semitones: int) -> tuple[tuple[int, int], ...]:
    return ((101, 0), (100, 2), (6, 64 + semitones), (38, 0))


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
