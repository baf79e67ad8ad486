"""Strokes: the beats of a bar written out one by one, and bars that are written with more or fewer than they have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agent.theory.charts.chart import ChartRemark, Meter

HOLDS = frozenset({"/", ".", "_"})
"""What holds the chord before it for one more beat."""
_LINES = 3
_A_LINE = 4
"""Chords between strokes from which these part lines and not bars."""


def as_beats(meter: Meter, texts: Sequence[str], number: int) -> tuple[Sequence[str], ChartRemark | None]:
    """The pieces of a bar (chords and strokes "/") without strokes beyond its last beat, and a remark if the bar does
    not add up, otherwise None. `number` is the bar's number for the remark.

    Strokes are beats, or equal parts of them; without strokes the chords just share the bar.
    """
    beats, unit = meter
    held = [text for text in texts if text in HOLDS]
    if not held and len(texts) > beats:
        return texts, ChartRemark(
            " ".join(texts), f"bar {number} of the chart has {len(texts)} chords in {beats}/{unit}: they share the bar"
        )
    if not held or len(texts) % beats == 0 or beats % len(texts) == 0:
        return texts, None
    more = len(texts) > beats and all(text in HOLDS for text in texts[beats:])
    done = f"it is {beats} beats long" if more or len(held) == len(texts) - 1 else "its chords share the bar"
    reason = f"bar {number} of the chart is written with {len(texts)} beats, {beats}/{unit} has {beats}: {done}"
    return texts[:beats] if more else texts, ChartRemark(" ".join(texts), reason)


def as_bars(texts: Sequence[str]) -> list[list[str]] | None:
    """The chords between single strokes as a list of bars; None if the strokes are beats.

    "Fm9 / Bb13 / Ebmaj7" are three bars, "D D G D / A A D D" are two lines with a bar a chord; in "C / / / G / Am /"
    the strokes are beats.
    """
    strokes = [at for at, text in enumerate(texts) if text == "/"]
    if not strokes or any(text in HOLDS and text != "/" for text in texts):
        return None
    ends = (-1, *strokes, len(texts))
    groups = [list(texts[first + 1 : last]) for first, last in pairwise(ends)]
    longest = max(map(len, groups))
    if not all(groups) or (len(groups) < _LINES and longest < _A_LINE):
        return None
    return groups if longest < _A_LINE else [[text] for group in groups for text in group]
