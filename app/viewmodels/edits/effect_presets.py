"""Settings of effects under a name: those that come with the program, and those that a person keeps."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from agent.theory.rooms import ROOMS
from app.i18n import tr
from app.storage import preferences
from app.storage.errors import Damaged
from app.studio.store import Store
from app.viewmodels.watched import Watched

MOST = 500
"""Number of presets that are stored; beyond it the oldest are deleted."""
MAX_NAME = 60

_KEY = "effects.presets"


class Preset(Struct, frozen=True):
    """Parameter values of an effect under a name; missing ones have their default."""

    effect: str
    name: str
    values: dict[str, float]


def factory_presets() -> tuple[Preset, ...]:
    """The presets that come with the program."""
    return (
        Preset("reverb", tr("Small room"), {"room_size": 0.2, "damping": 0.6, "mix": 0.18}),
        Preset("reverb", tr("Hall"), {"room_size": 0.6, "damping": 0.4, "mix": 0.28}),
        Preset("reverb", tr("Cathedral"), {"room_size": 0.9, "damping": 0.25, "mix": 0.4}),
        Preset("room", tr("Chamber"), dict(ROOMS["chamber"])),
        Preset("room", tr("Concert hall"), dict(ROOMS["hall"])),
        Preset("room", tr("Stone church"), dict(ROOMS["church"])),
        Preset("delay", tr("Slap back"), {"time": 0.11, "feedback": 0.1, "mix": 0.25}),
        Preset("delay", tr("Long echoes"), {"time": 0.6, "feedback": 0.55, "mix": 0.3}),
        Preset("chorus", tr("Gentle width"), {"rate": 0.5, "depth": 0.15, "mix": 0.35}),
        Preset("chorus", tr("Flanger"), {"rate": 0.25, "depth": 0.4, "centre_delay": 2.0, "feedback": 0.7}),
        Preset("phaser", tr("Slow sweep"), {"rate": 0.12, "depth": 0.8, "feedback": 0.4}),
        Preset("compressor", tr("Glue"), {"threshold": -18.0, "ratio": 2.0, "attack": 30.0, "release": 200.0}),
        Preset("compressor", tr("Even vocals"), {"threshold": -24.0, "ratio": 4.0, "attack": 5.0, "makeup": 4.0}),
        Preset("compressor", tr("Punchy drums"), {"threshold": -16.0, "ratio": 5.0, "attack": 20.0, "release": 80.0}),
        Preset("limiter", tr("Ceiling at −1 dB"), {"ceiling": -1.0, "release": 100.0}),
        Preset("eq", tr("Less mud"), {"mid_freq": 320.0, "mid_gain": -4.0, "mid_q": 1.0}),
        Preset("eq", tr("Warmer"), {"low_gain": 3.0, "high_gain": -3.0}),
        Preset("eq", tr("More air"), {"high_freq": 9000.0, "high_gain": 4.0}),
        Preset("highpass", tr("Free the bass"), {"cutoff": 150.0}),
        Preset("lowpass", tr("Behind a door"), {"cutoff": 700.0}),
        Preset("distortion", tr("Warm tape"), {"drive": 6.0, "level": -3.0}),
        Preset("distortion", tr("Fuzz"), {"drive": 36.0, "level": -18.0}),
    )


class PresetBook:
    """The presets that the person has stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._loaded = False
        self.kept: Watched[tuple[Preset, ...]] = Watched(())

    async def load(self) -> None:
        """Read the stored presets, once. Raises `StorageError`; damaged ones count as none after that."""
        if self._loaded:
            return
        try:
            found = await self._store.read(lambda transaction: preferences.read(transaction, _KEY, tuple[Preset, ...]))
        except Damaged:
            self._loaded = True
            raise
        self._loaded = True
        if found is not None:
            self.kept.set(found[-MOST:])

    def of(self, effect: str) -> tuple[Preset, ...]:
        """The stored presets of an effect, by name."""
        return tuple(sorted((one for one in self.kept.value if one.effect == effect), key=lambda one: one.name))

    async def keep(self, preset: Preset) -> None:
        """Store a preset, replacing one of the same name. Raises `StorageError`."""
        await self.load()
        preset = msgspec.structs.replace(preset, name=preset.name.strip()[:MAX_NAME])
        if preset.name:
            others = tuple(one for one in self.kept.value if (one.effect, one.name) != (preset.effect, preset.name))
            await self._put((*others, preset)[-MOST:])

    async def forget(self, preset: Preset) -> None:
        """Delete a preset. Raises `StorageError`."""
        await self.load()
        await self._put(tuple(one for one in self.kept.value if one != preset))

    async def _put(self, presets: tuple[Preset, ...]) -> None:
        text = msgspec.json.encode(presets).decode()
        await self._store.write(lambda transaction: preferences.put(transaction, _KEY, text))
        self.kept.set(presets)
