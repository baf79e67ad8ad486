"""The strokes of a kit, rounded where they peak far above what is heard of them.

Else such a stroke is what the limiter works for: it turns the whole song down for a fifth of a second.
"""

from __future__ import annotations

import numpy as np

from app.sound.fluid import Planar

KICK, SNARE = 36, 38
HARD = 100
"""Velocity of the hit that others are measured against."""

_BEGINS_DB = -10.0
_MOST_DB = -4.0


def rounded(sound: Planar, hard: float) -> Planar:
    """The sound of drum hits with its peaks compressed towards 4 dB below `hard`, the peak of a hit of velocity `HARD`,
    beginning 10 dB below it.

    Softer samples are unchanged bit for bit. A hard hit loses 4 dB of its peak, one of velocity 70 less than 1 dB."""
    begin, most = hard * 10 ** (_BEGINS_DB / 20), hard * 10 ** (_MOST_DB / 20)
    size = np.abs(sound)
    over = size > begin
    if not over.any():
        return sound
    bent: Planar = sound.copy()
    bent[over] = np.sign(sound[over]) * (begin + (most - begin) * np.tanh((size[over] - begin) / (most - begin)))
    return bent
