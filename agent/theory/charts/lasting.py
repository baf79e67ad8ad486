"""How long the chords of a line without bar lines last, where the line says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from agent.theory.charts.chart import Meter
from agent.theory.charts.counts import Count, count_of

AGAIN = "%"
HOLD = "."
_COUNTS = ("each", "ahead", "lasts", "times")


class Lasting(Struct, frozen=True):
    """The pieces (chords or holds) of each bar of a line; with `beats` each piece is one beat. `fills` is the number of
    bars that the line as a whole is said to have, 0 for none."""

    bars: tuple[tuple[str, ...], ...]
    beats: bool = False
    fills: int = 0


def lasting(cells: Sequence[tuple[str, str]], meter: Meter) -> Lasting | None:
    """The bars of a line whose chords say how long they last: "C7 x4, F7 x2", "Dm7 for 16 bars", "4 bars of G",
    "Am F, two bars each"; None for a line that does not say it."""
    pieces = [(kind, text, count_of(text) if kind in _COUNTS else None) for kind, text in cells if kind != "meter"]
    counts = [one for _, _, one in pieces if one is not None]
    each = next((one for one in counts if one.kind == "each"), None)
    chords = [text for kind, text, _ in pieces if kind == "text"]
    if each is not None:
        return _in_beats(chords, each.number, meter[0]) if each.beats else _in_bars(chords, each.number)
    lengths = [one for one in counts if one.kind != "times"]
    if not lengths and len(counts) < 2:
        return None
    if len(lengths) == 1 and len(chords) > 1 and len(counts) == 1 and lengths[0].kind == "lasts":
        return Lasting(tuple((text,) for text in chords), fills=lengths[0].number)
    return Lasting(tuple((text,) for text in _counted([(text, one) for _, text, one in pieces])))


def _in_bars(chords: Sequence[str], number: int) -> Lasting:
    return Lasting(tuple((text,) for chord in chords for text in (chord, *[AGAIN] * (number - 1))))


def _in_beats(chords: Sequence[str], number: int, beats: int) -> Lasting:
    stream = [text for chord in chords for text in (chord, *[HOLD] * (number - 1))]
    return Lasting(tuple(tuple(stream[at : at + beats]) for at in range(0, len(stream), beats)), beats=True)


def _counted(pieces: Sequence[tuple[str, Count | None]]) -> Iterator[str]:
    """Each chord with the bars that it goes on for."""
    ahead = 1
    begun = False
    for text, count in pieces:
        if count is None:
            yield from (text, *[AGAIN] * (ahead - 1))
            ahead, begun = 1, True
        elif count.kind == "ahead":
            ahead = count.number
        elif begun:
            yield from [AGAIN] * (count.number - 1)
