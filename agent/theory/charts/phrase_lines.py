"""Phrase lines: bar lines that stand only between the phrases of a line, each chord of which is a bar."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TypeVar

from msgspec.structs import replace

from agent.theory.charts.chart import ChartRemark
from agent.theory.charts.lines import Cells
from agent.theory.charts.strokes import HOLDS

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
