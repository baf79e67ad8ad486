"""Remarks on a chart: what of it is done otherwise than its request or the chart itself says, and where that stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.composer.understanding.asked_chart import AskedChart, unread
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.section_kinds import is_called
from agent.composer.understanding.sentences import counted
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.chord_symbols import chord as named
from agent.song.key import Key
from agent.theory.charts.chart import Chart, ChartRemark, placed
from agent.theory.pitch import in_scale

_STRANGE = 0.75
"""Share of tones of a key below which chords are not in it."""
_JUMP = re.compile(
    r"\bD\.\s?[SC]\.?(?:\s+al\s+(?:coda|fine))?|\bD[SC]\s+al\s+(?:coda|fine)|\bdal segno(?:\s+al\s+(?:coda|fine))?"
    r"|\bda capo(?:\s+al\s+(?:coda|fine))?", re.IGNORECASE,
)
_LONGEST = 60
"""Characters of a chart that are shown where a remark is about all of it."""


def remarks_on(intent: Intent, chart: Chart, asked: AskedChart, request: str) -> tuple[ChartRemark, ...]:
    """What the answer should say of how the request and its chart (`asked`, parsed as `chart`) were read:
    contradictions, doubtful chords, lines without chords."""
    whole = (*unread(chart), *chart.assumed, *_contradictions(intent, chart, asked))
    said = (*chart.doubts, *(ChartRemark("", reason) for reason in whole), *_bare(intent, chart), *_jumps(request))
    return tuple(dict.fromkeys(said))


def told_at(
    request: str, asked: AskedChart, remarks: Sequence[ChartRemark], clauses: Sequence[ReadClause]
) -> tuple[ReadClause, ...]:
    """The request's clauses with the remarks inserted, each where its words stand, otherwise at the chart."""
    made = [_clause(request, asked, one, clauses) for one in remarks]
    return tuple(sorted((*clauses, *made), key=lambda one: (one.first, one.start)))


def _clause(request: str, asked: AskedChart, remark: ChartRemark, clauses: Sequence[ReadClause]) -> ReadClause:
    first = next((line for line in asked.text.splitlines() if line.strip() and line.strip() in request), "").strip()
    start, end = _place(request, remark.text) or _place(request, first[:_LONGEST]) or (0, min(len(request), _LONGEST))
    around = next((one for one in clauses if one.start <= start < one.end), None)
    last = around or next((one for one in clauses if one.start >= start), None)
    at = last.first if last is not None else max((one.last for one in clauses), default=0)
    return ReadClause(at, at, "told", reason=remark.reason, text=request[start:end], start=start, end=end)


def _place(request: str, text: str) -> tuple[int, int] | None:
    """Where words stand in a request, whatever the spaces between them."""
    words = text.split()
    found = re.search(r"(?<!\S)" + r"\s+".join(map(re.escape, words)), request) if words else None
    return found.span() if found is not None else None


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
    if intent.bars is None and through and (intent.seconds or intent.size):
        long = counted(bars, "bar")
        yield f"the chart has {long}: it is played as often as comes nearest to the length you asked for"
    if chart.meter is not None and intent.meter is not None and chart.meter != intent.meter:
        yield "the chart is in {}/{}, you said {}/{}: it is as the chart says".format(*chart.meter, *intent.meter)
    for one in intent.metered if chart.meter is not None else ():
        yield f"the chart says its meters, you said {one.told}: it is as the chart says"
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


def _bare(intent: Intent, chart: Chart) -> Iterator[ChartRemark]:
    """The sections that are asked for and have no chords of their own in a chart that gives them by section."""
    if len(intent.sections) < 2 or not chart.sections:
        return
    for name in dict.fromkeys(one.name for one in intent.sections):
        if not any(is_called(name, one.name) for one in chart.sections):
            yield ChartRemark(name, f"the chart gives no chords for the {name}: it is over chords of the style")


def _jumps(request: str) -> Iterator[ChartRemark]:
    for found in _JUMP.finditer(request):
        yield ChartRemark(
            found[0], f"I do not jump back at {found[0]!r} yet: the chart is played once as it is written"
        )
