"""FluidSynth through pyfluidsynth: banks loaded once, and a fresh synthesizer for each part.

A synthesizer that has played before does not repeat its bytes (voices keep filter and envelope state), so
each part gets a new one. All share the loaded banks, which makes a new one cost half a millisecond.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import numpy as np
import numpy.typing as npt

from agent.message import msg
from app.sound.errors import SoundError
from app.sound.fluid_library import Functions, load_library
from app.sound.part import BEND_RANGE, GRID, KITS, SAMPLE_RATE, EventKind, PartFont, SampledKit, SynthPart

Planar = npt.NDArray[np.float32]
"""Sound as (2, frames)."""

GAIN = 1.0
POLYPHONY = 256
SOFT_CENTS = 4500.0
"""Cents by which the low-pass filter of a drum kit closes for the softest note: banks have few velocity layers, and
soft drums sound dull in reality."""

_DRUMS = 9
_CHANNELS = range(16)
_SHIFTS = (0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5)
_BEND_RPN = ((101, 0), (100, 0), (6, BEND_RANGE), (38, 0))
_NO_RPN = ((101, 127), (100, 127))
_ATTENUATION, _CUTOFF = 48, 8
"""SoundFont generators of a voice: its attenuation in centibels, and its filter's cutoff in cents."""
_KIT_CHANNEL = 1
_BANK, _KIT, _OWN = range(3)
"""What a channel plays from: the general bank, a sampled kit, or the user's SoundFont."""


class Bank:
    """The general SoundFont, and the kits' own as they are needed, loaded once in this process; `close` frees them.

    Samples are loaded with the first part that plays an instrument and then stay: a compressed bank would
    take seconds to unpack as a whole (measured in docs/sound.md).
    """

    def __init__(self, path: Path) -> None:
        self._api = load_library()
        self._lib = Functions(self._api)
        self._settings = self._api.new_fluid_settings()
        self._api.fluid_settings_setnum(self._settings, b"synth.sample-rate", float(SAMPLE_RATE))
        self._api.fluid_settings_setnum(self._settings, b"synth.gain", GAIN)
        self._api.fluid_settings_setint(self._settings, b"synth.reverb.active", 0)
        self._api.fluid_settings_setint(self._settings, b"synth.chorus.active", 0)
        self._api.fluid_settings_setint(self._settings, b"synth.polyphony", POLYPHONY)
        # Without pins each part would load its samples again.
        dynamic = int(self._lib.pin_preset is not None)
        self._api.fluid_settings_setint(self._settings, b"synth.dynamic-sample-loading", dynamic)
        self._fonts: dict[str, _Font] = {}
        self.strokes: dict[tuple[int, int, SampledKit | None, PartFont | None], float] = {}
        """The peak of a hard stroke of each kit that has played."""
        try:
            self._general = self._font(str(path))
        except SoundError:
            self.close()
            raise

    def close(self) -> None:
        """Free synthesizers and banks."""
        for font in self._fonts.values():
            self._api.delete_fluid_synth(font.owner)
        self._api.delete_fluid_settings(self._settings)

    @contextmanager
    def player(self, part: SynthPart, cents: float = 0.0) -> Iterator[SynthPlayer]:
        """A synthesizer in its first state, with the part's sound selected, tuned by up to 100 cents.

        Raises `SoundError` for a broken kit or SoundFont.
        """
        fonts = {_BANK: self._general}
        for source, of in ((_KIT, part.kit), (_OWN, part.font)):
            if of is not None:
                fonts[source] = self._font(of.path)
        synth = self._api.new_fluid_synth(self._settings)
        # What is selected is loaded: a new synthesizer would want the piano on every channel.
        _unset(self._lib, synth)
        for font in fonts.values():
            self._lib.add_font(synth, font.pointer)
        if part.bank == KITS:
            self._lib.dull_softly(synth, SOFT_CENTS)
        try:
            yield SynthPlayer(self._api, self._lib, synth, part, fonts, cents)
        finally:
            # The owner keeps the bank: a deleted synthesizer would free it.
            for font in fonts.values():
                self._lib.remove_font(synth, font.pointer)
            self._api.delete_fluid_synth(synth)

    def _font(self, path: str) -> _Font:
        font = self._fonts.get(path)
        if font is None:
            font = self._fonts[path] = _Font(self._api, self._lib, self._settings, path)
        return font


class _Font:
    """A SoundFont, kept by a synthesizer that never plays."""

    def __init__(self, api: ModuleType, lib: Functions, settings: int, path: str) -> None:
        self._lib = lib
        self.owner = api.new_fluid_synth(settings)
        _unset(lib, self.owner)
        if api.fluid_synth_sfload(self.owner, path.encode(), 0) < 0:
            api.delete_fluid_synth(self.owner)
            raise SoundError(msg("FluidSynth cannot load {path}", path=path), fix=msg("choose another SoundFont"))
        self.pointer = lib.get_font(self.owner, 0)
        self._pinned: set[tuple[int, int]] = set()

    @property
    def number(self) -> int:
        """Its id in the synthesizer that it was added to last."""
        return int(self._lib.font_id(self.pointer))

    def keep(self, preset: int | None) -> None:
        """Let the samples of a preset stay loaded."""
        if preset is None or self._lib.pin_preset is None:
            return
        found = int(self._lib.preset_bank(preset)), int(self._lib.preset_program(preset))
        if found not in self._pinned:
            self._pinned.add(found)
            self._lib.pin_preset(self.owner, self.number, *found)


class SynthPlayer:
    """One synthesizer playing one part.

    If a bank has no sample for a key of an instrument, the nearest key that has one is played, retuned, on a channel of
    its own; so are the drums of a sampled kit. What a sampled kit or the user's SoundFont lacks, the general bank
    plays. Darkened drums of the general bank have channels with a lower filter."""

    def __init__(
        self, api: ModuleType, lib: Functions, synth: int, part: SynthPart, fonts: dict[int, _Font], cents: float = 0.0
    ) -> None:
        self._api, self._lib, self._synth, self._part, self._fonts = api, lib, synth, part, fonts
        self._home = _DRUMS if part.bank == KITS else 0
        self._cents = cents
        self._free = [channel for channel in range(15, 0, -1) if channel != _DRUMS]
        self._channels: dict[tuple[int, int, int], int] = {}
        self._main = _BANK if part.font is None else _OWN
        self._playing: dict[int, tuple[int, int]] = {}
        self._state: dict[tuple[int, int], int] = {}
        self._keys = {} if part.kit is None else {key: (to, shift) for key, to, shift in part.kit.keys}
        self._dark = dict(part.dark)
        self._open((self._main, 0, 0), self._home)

    @property
    def voices(self) -> int:
        """Voices that sound now."""
        return int(self._lib.voice_count(self._synth))

    def send(self, kind: int, number: int, value: int) -> None:
        """Play one event of a part: its kind as `EventKind`, the number of a key or controller, and its value."""
        if kind == EventKind.NOTE_ON:
            self._strike(number, value)
        elif kind == EventKind.NOTE_OFF:
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
        if key in self._keys:
            to, shift = self._keys[key]
            channel = self._channel((_KIT, shift, 0))
            if channel is not None and self._sounds(key, channel, to, velocity):
                return
        shifts = (0,) if self._home == _DRUMS or self.voices > POLYPHONY // 2 else _SHIFTS
        for source in (_OWN, _BANK) if self._main == _OWN else (_BANK,):
            dark = self._dark.get(key, 0) if source == _BANK else 0
            for shift in shifts:
                if not 0 <= key + shift <= 127:
                    continue
                channel = self._channel((source, shift, dark))
                if channel is not None and self._sounds(key, channel, key + shift, velocity):
                    return

    def _sounds(self, key: int, channel: int, played: int, velocity: int) -> bool:
        """Strike `played` in the place of `key`; whether a voice answers."""
        before = self.voices
        self._api.fluid_synth_noteon(self._synth, channel, played, velocity)
        if self.voices <= before:
            return False
        self._playing[key] = channel, played
        return True

    def _channel(self, tuned: tuple[int, int, int]) -> int | None:
        """The channel of a source at so many semitones, so many cents darker; None when all are taken."""
        channel = self._channels.get(tuned)
        return self._open(tuned, self._free.pop()) if channel is None and self._free else channel

    def _open(self, tuned: tuple[int, int, int], channel: int) -> int:
        """Bring a channel into the part's present state, with the sounds of its bank at its tuning."""
        source, shift, dark = tuned
        self._channels[tuned] = channel
        if dark:
            self._lib.set_channel_type(self._synth, channel, _KIT_CHANNEL)
            self._lib.set_generator(self._synth, channel, _CUTOFF, -dark)
        self._select(source, channel)
        tuning = _tuning_rpn(shift if source == _KIT else -shift) if shift else ()
        tuning += _cents_rpn(self._cents) if self._cents else ()
        for controller, value in (*_BEND_RPN, *tuning, *_NO_RPN):
            self._api.fluid_synth_cc(self._synth, channel, controller, value)
        for (kind, number), value in self._state.items():
            self._control(channel, kind, number, value)
        return channel

    def _select(self, source: int, channel: int) -> None:
        font = self._fonts[source]
        kit, own = self._part.kit, self._part.font
        if source == _OWN and own is not None:
            self._api.fluid_synth_program_select(self._synth, channel, font.number, own.bank, own.program)
        elif source == _KIT and kit is not None:
            # A kit's own bank holds it as its first instrument, which a drum channel does not find.
            self._api.fluid_synth_program_select(self._synth, channel, font.number, 0, 0)
            self._lib.set_generator(self._synth, channel, _ATTENUATION, -10 * kit.trim_db)
        elif self._main == _OWN:
            # Neither the file of one's own, which lies on top, nor a channel of melodies would be looked in for it.
            self._api.fluid_synth_program_select(self._synth, channel, font.number, self._part.bank, self._part.program)
        else:
            if self._part.bank not in (0, KITS):
                self._api.fluid_synth_bank_select(self._synth, channel, self._part.bank)
            self._api.fluid_synth_program_change(self._synth, channel, self._part.program)
        font.keep(self._lib.preset_of(self._synth, channel))

    def _control(self, channel: int, kind: int, number: int, value: int) -> None:
        if kind == EventKind.CONTROL:
            self._api.fluid_synth_cc(self._synth, channel, number, value)
        else:
            self._api.fluid_synth_pitch_bend(self._synth, channel, value)


def _unset(lib: Functions, synth: int) -> None:
    for channel in _CHANNELS:
        lib.unset_program(synth, channel)


def _tuning_rpn(semitones: int) -> tuple[tuple[int, int], ...]:
    return ((101, 0), (100, 2), (6, 64 + semitones), (38, 0))


def _cents_rpn(cents: float) -> tuple[tuple[int, int], ...]:
    value = min(16383, max(0, round(8192 + cents / 100 * 8192)))
    return ((101, 0), (100, 1), (6, value >> 7), (38, value & 127))
