"""A chart that says that it is to sound in another key than it is written in."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import structs

from agent.song.chord_symbols import NO_CHORD, chord
from agent.song.key import Key
from agent.theory.charts.chart import BarChord, Chart, ChartBar, ChartRemark
from agent.theory.chords import chord_symbol
from agent.theory.pitch import usual_tonic

_STEPS = re.compile(r"[+-]?[0-9]{1,2}")
_MOST = 24


def as_said(chart: Chart, facts: Mapping[str, str]) -> Chart:
    """The chart transposed by the semitones in `facts["transpose"]`. A capo is not applied, only mentioned in a remark,
    as are transpositions that cannot be read."""
    steps = _number(facts.get("transpose", ""))
    capo = _number(facts.get("capo", ""))
    if steps and abs(steps) <= _MOST:
        chart = _moved(chart, steps)
        where = f"{'up' if steps > 0 else 'down'} by {abs(steps)} semitones"
        chart = _with(
            chart, ChartRemark(facts["transpose"], f"the chart says to transpose: its chords are moved {where}")
        )
    elif "transpose" in facts and steps is None:
        said = facts["transpose"]
        chart = _with(chart, ChartRemark(said, f"cannot transpose by {said[:24]!r}: write 2 or -3"))
    if capo:
        reason = f"capo {capo}: the chords sound as they are written, not {capo} semitones higher; for that write"
        chart = _with(chart, ChartRemark("capo", f"{reason} 'transpose: {capo}' in the chart"))
    return chart


def _with(chart: Chart, remark: ChartRemark) -> Chart:
    return structs.replace(chart, doubts=(*chart.doubts, remark))


def _number(text: str) -> int | None:
    found = _STEPS.match(text.strip())
    return int(found[0]) if found is not None else None


def _moved(chart: Chart, steps: int) -> Chart:
    key = chart.key
    if key is not None:
        key = Key(usual_tonic((key.pitch_class + steps) % 12, key.mode), key.mode)
    bars = tuple(ChartBar(bar.meter, tuple(moved(one, steps, key) for one in bar.chords)) for bar in chart.bars)
    return structs.replace(chart, bars=bars, key=key)


def moved(one: BarChord, steps: int, key: Key | None = None) -> BarChord:
    """The chord of a bar transposed by `steps` semitones, spelled in `key`; `N.C.` stays."""
    if one.symbol == NO_CHORD:
        return one
    return BarChord(chord_symbol(chord(one.symbol).transposed(steps), key), one.start)
