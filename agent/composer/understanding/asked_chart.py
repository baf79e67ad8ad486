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
    """A chord chart in a request, as text for `read_chart`, and how it is used.

    A plain row of chords `goes_round`: it is repeated in every section and sets no length. A chart that `leads` also
    gives the sections; otherwise it is played in the sections that it names, and others use chords of the style. `each`
    is the number of bars for each bar of a row. `in_minor` is the text to use in a minor key, "" for the same.
    """

    text: str
    goes_round: bool = False
    leads: bool = True
    each: Annotated[int, Meta(ge=1, le=16)] = 1
    in_minor: str = ""

    def read(self, key: Key | None, meter: Meter) -> Chart:
        """The parsed chart: roman numerals in `key`, in `meter` unless the chart states one. Raises `ChartError`."""
        minor = key is not None and key.mode == "minor"
        chart = read_chart(self.in_minor if self.in_minor and minor else self.text, key, meter)
        if self.each == 1 or not self.goes_round:
            return chart
        bars = (one for bar in chart.bars for one in (bar, *(ChartBar(bar.meter, ()) for _ in range(self.each - 1))))
        return structs.replace(chart, bars=tuple(bars))


class ReadChart(Struct, frozen=True):
    """A summary of a parsed chart: its number of `bars` and its chord symbols.

    `remarks` say what is done differently from the request or the chart.
    """

    bars: Annotated[int, Meta(ge=1)]
    symbols: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def told_chart(asked: AskedChart, read: ReadChart) -> tuple[str, ...]:
    """The chart in short sentences for the answer."""
    chords = in_brief(read.symbols, 12)
    around = "over and over" if asked.goes_round else counted(read.bars, "bar")
    return (f"the chords {chords}, {around}", *read.remarks)


def unread(chart: Chart) -> tuple[str, ...]:
    """A sentence about the chart's lines that hold no chords; empty if there are none."""
    if not chart.unread:
        return ()
    lines = ", ".join(repr(line[:40]) for line in chart.unread[:_TOLD])
    more = f" and {len(chart.unread) - _TOLD} more" if len(chart.unread) > _TOLD else ""
    return (f"no chords are in {lines}{more}",)
