"""The chart of a new piece as its request gives it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, structs

from agent.composer.understanding.sentences import counted
from agent.song.chart import in_brief
from agent.song.key import Key
from agent.theory.charts.chart import Chart, ChartBar, Meter
from agent.theory.charts.reading import read_chart

_TOLD = 3
"""Lines of a chart without chords that are told."""


class AskedChart(Struct, frozen=True):
    """Chords as a chart that `read_chart` reads.

    A mere row of them `goes_round` in every section and has no length of its own. One that `leads` says which sections
    there are; else those that it names are over it and the others over chords of the style. `each` are the bars that a
    bar of a row lasts. `in_minor` is the text in a minor key, where that is another.
    """

    text: str
    goes_round: bool = False
    leads: bool = True
    each: Annotated[int, Meta(ge=1, le=16)] = 1
    in_minor: str = ""

    def read(self, key: Key | None, meter: Meter) -> Chart:
        """The chart in a key, of which numerals are, and in a meter where it states none. Raises `ChartError`."""
        minor = key is not None and key.mode == "minor"
        chart = read_chart(self.in_minor if self.in_minor and minor else self.text, key, meter)
        if self.each == 1 or not self.goes_round:
            return chart
        bars = (one for bar in chart.bars for one in (bar, *(ChartBar(bar.meter, ()) for _ in range(self.each - 1))))
        return structs.replace(chart, bars=tuple(bars))


class ReadChart(Struct, frozen=True):
    """What a chart says, for a person and for the frame of a piece: how many `bars` and which chords it has.

    `remarks` are what of it is done otherwise than the request or the chart says.
    """

    bars: Annotated[int, Meta(ge=1)]
    symbols: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def told_chart(asked: AskedChart, read: ReadChart) -> tuple[str, ...]:
    """The chart in short sentences."""
    chords = in_brief(read.symbols, 12)
    around = "over and over" if asked.goes_round else counted(read.bars, "bar")
    return (f"the chords {chords}, {around}", *read.remarks)


def unread(chart: Chart) -> tuple[str, ...]:
    """What is told of the lines of a chart that hold no chords."""
    if not chart.unread:
        return ()
    lines = ", ".join(repr(line[:40]) for line in chart.unread[:_TOLD])
    more = f" and {len(chart.unread) - _TOLD} more" if len(chart.unread) > _TOLD else ""
    return (f"no chords are in {lines}{more}",)
