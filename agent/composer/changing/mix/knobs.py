"""Knobs: what a wish for the mix turns, by how much, and where it stops."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from agent.song.palette import EffectUse
from agent.theory.mixing import REVERBS

Control = Literal["reverb", "echo", "width", "punch", "drive"]


class EffectKnob(Struct, frozen=True):
    """One parameter (`param`) of an effect and how a request turns it: `step` for the usual amount, between `low` and
    `high`.

    `effects` names the effects that count as this one. Turned to `low` or below the effect is removed. A new effect
    starts with `fresh`, before the step is added. With the parameter values `idle` it does nothing; `much` is the
    effect in words, as in "the bass has all the reverb it can take".
    """

    effects: tuple[str, ...]
    param: str
    step: float
    low: float
    high: float
    fresh: EffectUse
    idle: dict[str, float]
    much: str


KNOBS: dict[Control, EffectKnob] = {
    "reverb": EffectKnob(
        REVERBS, "mix", 0.15, 0.03, 0.7, EffectUse("reverb", {"room_size": 0.6, "mix": 0.05}), {"mix": 0.0},
        "reverb",
    ),
    "echo": EffectKnob(
        ("delay",), "mix", 0.14, 0.03, 0.6, EffectUse("delay", {"time": 0.375, "feedback": 0.3, "mix": 0.04}),
        {"mix": 0.0}, "echo",
    ),
    "width": EffectKnob(
        ("chorus",), "mix", 0.2, 0.03, 0.8, EffectUse("chorus", {"rate": 0.6, "depth": 0.2, "mix": 0.1}), {"mix": 0.0},
        "width",
    ),
    "punch": EffectKnob(
        ("compressor",), "ratio", 2.0, 1.1, 10.0,
        EffectUse("compressor", {"threshold": -20.0, "ratio": 2.0, "attack": 20.0, "makeup": 2.0}),
        {"ratio": 1.0, "makeup": 0.0}, "punch",
    ),
    "drive": EffectKnob(
        ("distortion",), "drive", 6.0, 1.0, 36.0, EffectUse("distortion", {"drive": 4.0, "level": -6.0}),
        {"drive": 0.0, "level": 0.0}, "drive",
    ),
}
"""All mix controls that turn a single effect parameter."""
MASTER_SHARE = 0.5
"""The share of a track's step that is applied on the master."""
TONE_STEP, TONE_LIMIT = 4.0, 12.0
"""Decibels of the equaliser's highs per step, and their limit."""
BRIGHT_HZ, CYMBAL_HZ = 5000.0, 8000.0
CUTOFF_STEP, CUTOFF_LOW, CUTOFF_HIGH = 0.6, 400.0, 18_000.0
"""The factor per step for the cutoff of an existing lowpass, and the limits of the cutoff in Hz."""
LEVEL_STEP, LEVEL_LOW, LEVEL_HIGH = 3.0, -48.0, 12.0
"""Decibels per step of a fader, and its limits."""
TARGET_STEP, TARGET_LOW, TARGET_HIGH = 3.0, -24.0, -8.0
"""LUFS per step of the song's loudness target, and its limits."""
PAN_STEP = 0.5
SPREAD_STEP = 0.3
