"""The table of effects: from an effect's name to processors of pedalboard and the knobs of its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.sound.part import OFFSET_HZ
from app.sound.reverb_rooms import Room


@dataclass(frozen=True)
class Knob:
    """An attribute of a processor (by its index in the recipe) that a parameter sets, with the conversion of units."""

    processor: int
    attribute: str
    convert: Callable[[float], float] = float


@dataclass(frozen=True)
class Recipe:
    """How an effect is made: its processors (those of pedalboard by class name), the `fixed` settings (processor,
    attribute, value), and the knobs of each parameter. Parameters in `leaps` click at every change, so that they are
    changed at once instead of gliding."""

    processors: tuple[str | type[Room], ...]
    knobs: Mapping[str, tuple[Knob, ...]]
    fixed: tuple[tuple[int, str, float], ...] = ()
    leaps: frozenset[str] = frozenset()


def _reverb_dry(mix: float) -> float:
    return (1 - mix) / 2  # the reverb of JUCE doubles its dry level


def _reverb_wet(mix: float) -> float:
    return 0.7 * mix  # brings a hall in at about the level of the dry sound


RECIPES: Mapping[str, Recipe] = MappingProxyType({
    "reverb": Recipe(("Reverb",), {
        "room_size": (Knob(0, "room_size"),),
        "damping": (Knob(0, "damping"),),
        "width": (Knob(0, "width"),),
        "mix": (Knob(0, "dry_level", _reverb_dry), Knob(0, "wet_level", _reverb_wet)),
    }),
    "room": Recipe((Room,), {
        "seconds": (Knob(0, "seconds"),),
        "damping": (Knob(0, "damping"),),
        "mix": (Knob(0, "mix"),),
    }, leaps=frozenset({"seconds", "damping"})),
    "delay": Recipe(("Delay",), {
        "time": (Knob(0, "delay_seconds"),),
        "feedback": (Knob(0, "feedback"),),
        "mix": (Knob(0, "mix"),),
    }, leaps=frozenset({"time"})),
    "chorus": Recipe(("Chorus",), {
        "rate": (Knob(0, "rate_hz"),),
        "depth": (Knob(0, "depth"),),
        "centre_delay": (Knob(0, "centre_delay_ms"),),
        "feedback": (Knob(0, "feedback"),),
        "mix": (Knob(0, "mix"),),
    }, leaps=frozenset({"centre_delay"})),
    "phaser": Recipe(("Phaser",), {
        "rate": (Knob(0, "rate_hz"),),
        "depth": (Knob(0, "depth"),),
        "centre": (Knob(0, "centre_frequency_hz"),),
        "feedback": (Knob(0, "feedback"),),
        "mix": (Knob(0, "mix"),),
    }),
    # What is bent more to one side than to the other swings round another level than zero afterwards.
    "compressor": Recipe(("Compressor", "Gain", "HighpassFilter"), {
        "threshold": (Knob(0, "threshold_db"),),
        "ratio": (Knob(0, "ratio"),),
        "attack": (Knob(0, "attack_ms"),),
        "release": (Knob(0, "release_ms"),),
        "makeup": (Knob(1, "gain_db"),),
    }, fixed=((2, "cutoff_frequency_hz", OFFSET_HZ),)),
    # pedalboard's own Limiter adds gain and clips at 0 dB whatever its threshold is.
    "limiter": Recipe(("Compressor", "Clipping"), {
        "ceiling": (Knob(0, "threshold_db"), Knob(1, "threshold_db")),
        "release": (Knob(0, "release_ms"),),
    }, fixed=((0, "ratio", 100.0), (0, "attack_ms", 0.1))),
    "gain": Recipe(("Gain",), {"gain": (Knob(0, "gain_db"),)}),
    "eq": Recipe(("LowShelfFilter", "PeakFilter", "HighShelfFilter"), {
        "low_freq": (Knob(0, "cutoff_frequency_hz"),),
        "low_gain": (Knob(0, "gain_db"),),
        "mid_freq": (Knob(1, "cutoff_frequency_hz"),),
        "mid_gain": (Knob(1, "gain_db"),),
        "mid_q": (Knob(1, "q"),),
        "high_freq": (Knob(2, "cutoff_frequency_hz"),),
        "high_gain": (Knob(2, "gain_db"),),
    }),
    "highpass": Recipe(("HighpassFilter", "HighpassFilter"), {
        "cutoff": (Knob(0, "cutoff_frequency_hz"), Knob(1, "cutoff_frequency_hz")),
    }),
    "lowpass": Recipe(("LowpassFilter", "LowpassFilter"), {
        "cutoff": (Knob(0, "cutoff_frequency_hz"), Knob(1, "cutoff_frequency_hz")),
    }),
    "distortion": Recipe(("Distortion", "HighpassFilter", "Gain"), {
        "drive": (Knob(0, "drive_db"),),
        "level": (Knob(2, "gain_db"),),
    }, fixed=((1, "cutoff_frequency_hz", OFFSET_HZ),)),
})
