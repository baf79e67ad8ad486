"""A chart that was read: its bars one after another, as they are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from agent.errors import BandleaderError
from agent.fixes import Fix
from agent.message import Text
from agent.song.chart import ChordSymbol
from agent.song.key import Key
from agent.song.time import PPQ, Ticks

MOST_BARS = 2_000
"""Bars of a chart, repeats counted as often as they are played."""
LONGEST_TEXT = 100_000
"""Characters of a chart."""
Meter = tuple[int, int]
"""Beats of a bar, and the note value of one: 6, 8."""


class ChartError(BandleaderError):
    """A chart that cannot be read; `what` and `why` name the chords and their bars. `meanings` are the possible
    readings: each maps chords as they are written to the symbols that they would be read as."""

    def __init__(
        self, what: Text, *, why: Text = "", fix: Fix | Text | None = None,
        meanings: Sequence[Mapping[str, str]] = (),
    ) -> None:
        super().__init__(what, why=why, fix=fix)
        self.meanings = tuple(meanings)


class BarChord(Struct, frozen=True):
    """A chord of a bar, and the tick of the bar at which it begins."""

    symbol: str
    start: Ticks


class ChartBar(Struct, frozen=True):
    """A bar with its meter, (beats, unit), and its chords in order; in a bar without chords the chord before it
    continues."""

    meter: Meter
    chords: tuple[BarChord, ...]

    @property
    def length(self) -> int:
        """Ticks of the bar."""
        return self.meter[0] * PPQ * 4 // self.meter[1]


class ChartSection(Struct, frozen=True):
    """A named section of a chart: its first bar, counted from 1, and its number of bars."""

    name: str
    first: int
    bars: int


class ChartRemark(Struct, frozen=True):
    """Something that a person should know about a chart: the words of the chart that it is about (`text`, "" for the
    whole chart), and the remark itself (`reason`)."""

    text: str
    reason: str


class Chart(Struct, frozen=True):
    """What a chart says. `key`, `meter` (of its first bar), `bpm` and `title` are None or empty if it does not say
    them.

    `assumed` are sentences about what was taken for granted; `unread` are lines without chords, such as lyrics.
    `doubts` are remarks about bars that do not add up and how they were read. `repeated`: the chart says how often
    something is played.
    """

    bars: tuple[ChartBar, ...]
    sections: tuple[ChartSection, ...] = ()
    key: Key | None = None
    bpm: float | None = None
    title: str = ""
    assumed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    meter: Meter | None = None
    doubts: tuple[ChartRemark, ...] = ()
    repeated: bool = False

    @property
    def symbols(self) -> tuple[str, ...]:
        """The symbols of all chords in order, with repetitions."""
        return tuple(one.symbol for bar in self.bars for one in bar.chords)


def bar_starts(meter: Meter, pieces: int) -> list[Ticks]:
    """The ticks within a bar at which its `pieces` (chords or holds) begin: on beats, the earlier pieces longer;
    equally spaced if there are more pieces than beats."""
    beats, unit = meter
    length = beats * PPQ * 4 // unit
    if pieces > beats:
        return [Ticks(length * at // pieces) for at in range(pieces)]
    each, rest = divmod(beats, pieces)
    sizes = [each + (at < rest) for at in range(pieces)]
    return [Ticks(sum(sizes[:at]) * length // beats) for at in range(pieces)]


def placed(chart: Chart, start: int = 0) -> tuple[ChordSymbol, ...]:
    """The chords in the time of a song whose bars from the tick `start` on have the chart's meters.

    Each lasts until the next begins, the last one to the end of the chart.
    """
    at, begun = start, list[tuple[int, str]]()
    for bar in chart.bars:
        begun += [(at + one.start, one.symbol) for one in bar.chords]
        at += bar.length
    ends = [*(later for later, _ in begun[1:]), at]
    return tuple(
        ChordSymbol(Ticks(begin), Ticks(end - begin), symbol)
        for (begin, symbol), end in zip(begun, ends, strict=True) if end > begin
    )


def meter_changes(chart: Chart) -> tuple[tuple[int, Meter], ...]:
    """(bar, meter) for each bar, counted from 1, at which a new meter begins; the first bar is always included."""
    changes = [(1, chart.bars[0].meter)] if chart.bars else []
    for number, (before, after) in enumerate(pairwise(chart.bars), 2):
        changes += [(number, after.meter)] if before.meter != after.meter else []
    return tuple(changes)
