"""How long chords of a line last without bar lines, or with bar lines that stand only between its phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from agent.theory.charts.chart import ChartRemark, Meter
from agent.theory.charts.counts import Count, count_of
from agent.theory.charts.lines import Cells
from agent.theory.charts.strokes import HOLDS

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


_PHRASE = 3
"""Chords between two such bar lines from which on they are a phrase also where no other line is without any."""
L = TypeVar("L")


def as_phrases(lines: Sequence[L]) -> tuple[list[L], list[ChartRemark]]:
    """The lines of a chart without bar lines that only separate phrases, and a remark on each such line.

    Examples: "C G | Am F" beside "Am F C G", whose chords are a bar each, and "F G Am F | C/G G C".
    """
    plain = next((one for one in lines if isinstance(one, Cells) and _is_plain(one)), None)
    read: list[L] = []
    told: list[ChartRemark] = []
    for line in lines:
        if not isinstance(line, Cells) or not _parts_phrases(line, beside=plain is not None):
            read.append(line)
            continue
        read.append(replace(line, cells=tuple(cell for cell in line.cells if cell[0] != "sign")))
        told.append(_remark(line, plain))
    return read, told


def _is_plain(line: Cells) -> bool:
    """Whether a line is chords alone, and more than one."""
    return len(line.cells) > 1 and all(kind == "text" and text not in HOLDS for kind, text in line.cells)


def _parts_phrases(line: Cells, *, beside: bool) -> bool:
    """Whether a line has plain bar lines, none at its edges, and several chords on both sides of each."""
    if any(kind not in ("sign", "text") or text in HOLDS or ":" in text for kind, text in line.cells):
        return False
    runs = [(kind, len(list(run))) for kind, run in groupby(kind for kind, _ in line.cells)]
    inside = len(runs) > 1 and runs[0][0] == runs[-1][0] == "text"
    return inside and all(many >= (2 if beside else _PHRASE) for kind, many in runs if kind == "text")


def _remark(line: Cells, plain: Cells | None) -> ChartRemark:
    where = f"a chord a bar as in {plain.text!r}" if plain is not None else "a chord a bar"
    return ChartRemark(
        line.text, f"the bar line in {line.text!r} is read as the end of a phrase, {where}; "
        f"for bars of several chords write | {line.text.strip()} |"
    )
