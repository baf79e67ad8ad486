"""Tempo ramps: a tempo that goes steadily from one figure to another over a new piece."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, unit_at

_LEAST, _MOST = 30.0, 300.0
_BETWEEN = 10
"""Most words between the two tempi."""


class Ramp(Struct, frozen=True):
    """The tempi in BPM at the beginning (`low`) and the end (`high`) of the piece, and the tokens that say so."""

    low: float
    high: float
    tokens: frozenset[int]


def ramp_in(tokens: Sequence[str], lexicon: Lexicon) -> Ramp | None:
    """The tempo change that casefolded tokens describe ("starts at 60 and accelerates steadily to 140"); None for
    none."""
    words = lexicon.words.ramps
    if words is None:
        return None
    starts, moves, reaches = (phrase_set(one) for one in (words.starts, words.moves, words.reaches))
    for at in range(len(tokens)):
        led = starts.length(tokens, at)
        first = _tempo(tokens, at + led, lexicon) if led else None
        if first is None:
            continue
        last = min(first[0] + _BETWEEN, len(tokens))
        moved = next((k for k in range(first[0], last) if moves.length(tokens, k)), None)
        if moved is None:
            continue
        for to in range(moved, last):
            length = reaches.length(tokens, to)
            second = _tempo(tokens, to + length, lexicon) if length else None
            if second is not None and second[1] != first[1]:
                return Ramp(first[1], second[1], frozenset(range(at, second[0])))
    return None


def _tempo(tokens: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """Where a tempo ends, and its beats in a minute."""
    if at >= len(tokens) or not is_figure(tokens[at]):
        return None
    bpm = float(tokens[at].replace(",", ".")[:8])
    unit = unit_at(tokens, at + 1, lexicon)
    if not _LEAST <= bpm <= _MOST or (unit is not None and unit[1] != "bpm"):
        return None
    return at + 1 + (unit[0] if unit is not None else 0), bpm
