"""libfluidsynth as pyfluidsynth finds it: loaded in silence, with the functions that it does not declare."""

from __future__ import annotations

import sys
from ctypes import byref, c_double, c_float, c_int, c_uint, c_void_p
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

from agent.message import msg
from app.sound.errors import SoundError

_LEVELS = range(5)
_VELOCITY, _SOFT_MOST, _CUTOFF, _OVERWRITE = 2, 5, 8, 0
"""Of a modulator: its source, the curve (1 for velocity 0, then falling as a logarithm does; banks use straight ones,
which would take its place), its generator, and that it takes the place of an equal one."""


def load_library() -> ModuleType:
    """The pyfluidsynth module; `SoundError` says how to install what is missing."""
    try:
        return sys.modules.get("fluidsynth") or _imported()
    except (ImportError, OSError, AttributeError) as error:
        raise SoundError(
            msg("FluidSynth cannot be loaded"), why=str(error) or type(error).__name__, fix=install_hint()
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
    """How to install libfluidsynth on this system, as a command or sentence."""
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


class Functions:
    """Functions of libfluidsynth that pyfluidsynth does not declare."""

    def __init__(self, api: ModuleType) -> None:
        out = (c_void_p, c_int, c_int)
        self.write_float = _declared(api, "fluid_synth_write_float", c_int, c_void_p, c_int, *out, *out)
        self.get_font = _declared(api, "fluid_synth_get_sfont", c_void_p, c_void_p, c_uint)
        self.font_id = _declared(api, "fluid_sfont_get_id", c_int, c_void_p)
        self.add_font = _declared(api, "fluid_synth_add_sfont", c_int, c_void_p, c_void_p)
        self.remove_font = _declared(api, "fluid_synth_remove_sfont", c_int, c_void_p, c_void_p)
        self.voice_count = _declared(api, "fluid_synth_get_active_voice_count", c_int, c_void_p)
        self.unset_program = _declared(api, "fluid_synth_unset_program", c_int, c_void_p, c_int)
        self.set_generator = _declared(api, "fluid_synth_set_gen", c_int, c_void_p, c_int, c_int, c_float)
        self.set_channel_type = _declared(api, "fluid_synth_set_channel_type", c_int, c_void_p, c_int, c_int)
        self.preset_of = _declared(api, "fluid_synth_get_channel_preset", c_void_p, c_void_p, c_int)
        self.preset_bank = _declared(api, "fluid_preset_get_banknum", c_int, c_void_p)
        self.preset_program = _declared(api, "fluid_preset_get_num", c_int, c_void_p)
        self.pin_preset = _pinning(api)
        self._new_modulator = _declared(api, "new_fluid_mod", c_void_p)
        self._free_modulator = _declared(api, "delete_fluid_mod", None, c_void_p)
        self._set_source = _declared(api, "fluid_mod_set_source1", None, c_void_p, c_int, c_int)
        self._set_second = _declared(api, "fluid_mod_set_source2", None, c_void_p, c_int, c_int)
        self._set_dest = _declared(api, "fluid_mod_set_dest", None, c_void_p, c_int)
        self._set_amount = _declared(api, "fluid_mod_set_amount", None, c_void_p, c_double)
        self._add_modulator = _declared(api, "fluid_synth_add_default_mod", c_int, c_void_p, c_void_p, c_int)
        silence = _declared(api, "fluid_set_log_function", c_void_p, c_int, c_void_p, c_void_p)
        for level in _LEVELS:
            silence(level, None, None)

    def dull_softly(self, synth: int, cents: float) -> None:
        """Lower the filter of each note by `cents` at velocity 0, by a fifth of it at 40, by none at 127."""
        modulator = self._new_modulator()
        self._set_source(modulator, _VELOCITY, _SOFT_MOST)
        self._set_second(modulator, 0, 0)
        self._set_dest(modulator, _CUTOFF)
        self._set_amount(modulator, -cents)
        self._add_modulator(synth, modulator, _OVERWRITE)
        self._free_modulator(modulator)


def _pinning(api: ModuleType) -> Any:
    """`fluid_synth_pin_preset`, which keeps the samples of an instrument loaded; None before FluidSynth 2.2."""
    if not hasattr(api._fl, "fluid_synth_pin_preset"):
        return None
    return _declared(api, "fluid_synth_pin_preset", c_int, c_void_p, c_int, c_int, c_int)


def _declared(api: ModuleType, name: str, result: Any, *arguments: Any) -> Any:
    try:
        function = getattr(api._fl, name)
    except AttributeError as error:
        why = msg("it lacks {name}", name=name)
        raise SoundError(msg("this libfluidsynth is too old"), why=why, fix=install_hint()) from error
    function.restype = result
    function.argtypes = list(arguments)
    return function
