"""Notes as bare strokes in time, free of overlaps of the same pitch."""

from __future__ import annotations

from collections.abc import Iterable

RawNote = tuple[int, int, int, int]
"""Start, pitch, end, velocity."""


def without_overlaps(strokes: Iterable[RawNote]) -> list[RawNote]:
    """The strokes sorted, each ended where the next of its pitch begins, as a synthesizer plays them.

    Of strokes with the same start and pitch the longest stays.
    """
    clear: list[RawNote] = []
    begins: dict[int, int] = {}
    for start, pitch, end, velocity in sorted(strokes, reverse=True):
        following = begins.get(pitch)
        if following != start:
            clear.append((start, pitch, end if following is None else min(end, following), velocity))
        begins[pitch] = start
    return clear[::-1]
