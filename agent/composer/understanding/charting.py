"""Charting: what a chart in a request says of its piece beside the chords, and where the two do not agree."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import structs

from agent.composer.understanding.asked_chart import AskedChart, ReadChart, unread
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.operations import Add
from agent.composer.understanding.sentences import counted
from agent.composer.understanding.tasks import Operation
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.chord_symbols import chord as named
from agent.song.key import Key
from agent.theory.charts.chart import Chart, ChartError, placed
from agent.theory.charts.notation import nearest
from agent.theory.pitch import in_scale

_COMMON = (4, 4)
_NOT_YET = (
    "cannot write a song that is there over other chords yet",
    "what it states is set by: bandleader chords --set CHART --first BAR",
)
_STRANGE = 0.75
"""Share of tones of a key below which chords are not in it."""


def with_chart(intent: Intent, asked: AskedChart, request: str) -> Intent:
    """The intent of a new piece over a chart: its meter, tempo, key and title where the request says none.

    Where a chord cannot be read it lacks that, and its options are the request with what may have been meant.
    """
    key = Key(intent.tonic, intent.mode or "major") if intent.tonic else None
    try:
        chart = asked.read(key, intent.meter or _COMMON)
    except ChartError as problem:
        mended = _mended(request, problem)
        return structs.replace(intent, lacks="chords", options=(problem.what, problem.fix, *mended))
    remarks = (*unread(chart), *chart.assumed, *_contradictions(intent, chart, asked))
    own = chart.key if intent.tonic is None and chart.key != key else None
    goes = asked.goes_round and intent.bars is None
    chart_bars = ReadChart(len(chart.bars), chart.symbols, remarks)
    return structs.replace(
        intent, chart=asked, charted=chart_bars, meter=chart.meter or intent.meter, bpm=intent.bpm or chart.bpm,
        title=intent.title or chart.title, tonic=own.tonic if own else intent.tonic,
        mode=own.mode if own else intent.mode, lacks="" if intent.lacks == "length" and not goes else intent.lacks,
    )


def without_chord_part(intent: Intent) -> Intent:
    """A change of a song whose request writes down chords: "use these chords: F G" asks for no part that plays some.

    Where it asks for nothing else, that is what it lacks.
    """
    tasks = tuple(task for task in intent.tasks if not _adds_chords(task.operation))
    if tasks or tasks == intent.tasks:
        return structs.replace(intent, tasks=tasks)
    return structs.replace(intent, tasks=(), lacks="chords", options=_NOT_YET)


def _adds_chords(operation: Operation) -> bool:
    wish = operation.wish if isinstance(operation, Add) else None
    return wish is not None and wish.whole_role and wish.role == "chords"


def _contradictions(intent: Intent, chart: Chart, asked: AskedChart) -> Iterator[str]:
    bars = len(chart.bars)
    through = asked.leads and not asked.goes_round and len(intent.sections) < 2
    if intent.bars is not None and through and intent.bars % bars:
        rounds, rest = divmod(intent.bars, bars)
        times = f"{counted(rounds, 'time')} whole and then " if rounds else ""
        yield (
            f"the chart has {counted(bars, 'bar')}, and you asked for {intent.bars}: "
            f"it is played {times}its first {counted(rest, 'bar')}"
        )
    if chart.meter is not None and intent.meter is not None and chart.meter != intent.meter:
        yield "the chart is in {}/{}, you said {}/{}: it is as the chart says".format(*chart.meter, *intent.meter)
    if chart.bpm is not None and intent.bpm is not None and chart.bpm != intent.bpm:
        yield f"the chart says {chart.bpm:g} BPM, you said {intent.bpm:g}: it is {intent.bpm:g}"
    if intent.tonic is None or intent.mode is None:
        return
    key = Key(intent.tonic, intent.mode)
    if chart.key is not None and chart.key != key:
        yield f"the chart says {chart.key}, you said {key}: the key is {key}, the chords are as written"
    elif _inside(placed(chart), key) < _STRANGE:
        yield f"most of the chords are not in {key}: they are as written, and so is the key"


def _inside(chords: tuple[ChordSymbol, ...], key: Key) -> float:
    tones = [tone for one in chords if one.symbol != NO_CHORD for tone in named(one.symbol).pitch_classes]
    return sum(in_scale(key, tone) for tone in tones) / len(tones) if tones else 1.0


def _mended(request: str, problem: ChartError) -> tuple[str, ...]:
    """The request with the chords that may have been meant; empty where none is near."""
    mended = request
    for text in problem.unreadable:
        meant = nearest(text)
        if not meant:
            return ()
        mended = re.sub(rf"(?<![\w#]){re.escape(text)}(?![\w#])", meant, mended)
    return (mended,) if mended != request else ()
