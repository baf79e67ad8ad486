"""Charting: what a chart in a request says of its piece beside the chords, and where the two do not agree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import prod

from msgspec import structs

from agent.composer.understanding.asked_chart import AskedChart, ReadChart, unread
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.intent import Intent
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.open_lengths import with_length
from agent.composer.understanding.operations import Add, Repeat
from agent.composer.understanding.phrases import Phrases
from agent.composer.understanding.plain_words import plain
from agent.composer.understanding.section_kinds import is_called
from agent.composer.understanding.sentences import counted
from agent.composer.understanding.tasks import Named, Operation
from agent.song.chart import ChordSymbol
from agent.song.chord_symbols import NO_CHORD
from agent.song.chord_symbols import chord as named
from agent.song.key import Key
from agent.theory.charts.chart import Chart, ChartError, ChartRemark, placed
from agent.theory.pitch import in_scale

_COMMON = (4, 4)
_LAST = -1
"""The number of the last section of a name."""
_FEW = 8
"""Most bars of a chart that a song repeats from beginning to end."""
_NO_PLACE = (
    "do not see what is to become of the chords that you wrote",
    "say for example: use Am F C G in the chorus, or: change the chord in bar 12 to Dm7",
)


def with_chart(intent: Intent, asked: AskedChart, request: str, lexicon: Lexicon) -> Intent:
    """The intent of a new piece over a chart, with the chart's meter, tempo, key and title where the request states
    none.

    Where a chord cannot be read, `lacks` is "chords" and the options are the request with each chord that may have been
    meant; where a round of chords does not fit the bars asked for, the request with bars for all of them.
    """
    key = Key(intent.tonic, intent.mode or "major") if intent.tonic else None
    try:
        chart = asked.read(key, intent.meter or _COMMON)
    except ChartError as problem:
        mended = _mended(request, problem)
        return structs.replace(intent, lacks="chords", options=(problem.what, problem.advice, *mended))
    intent = _played_again(intent, asked, chart)
    asked = _in_rounds(asked, chart, intent, request, lexicon)
    if asked.goes_round and intent.bars is not None and intent.bars < len(chart.bars):
        return structs.replace(intent, lacks="chords", options=_too_few(intent.bars, chart, request, lexicon))
    if len(intent.sections) == len(chart.sections) and all(
        is_called(one.name, own.name) for one, own in zip(intent.sections, chart.sections, strict=True)
    ):
        # the chart writes out every one of the sections that are named: each has its own chords
        intent = structs.replace(intent, sections=())
    if asked.leads and chart.sections and len(intent.sections) == 1 and not intent.sections[0].bars:
        # one that is named says where something is, not what the whole chart is
        intent = structs.replace(intent, sections=())
    twice = _comes_again(intent, chart)
    if twice:
        intent = structs.replace(intent, bars=2 * len(chart.bars))
    remarks = (*_remarks_on(intent, chart, asked, request), *twice)
    if chart.meter is not None:
        intent = structs.replace(intent, metered=())
    own = chart.key if intent.tonic is None and chart.key != key else None
    goes = asked.goes_round and intent.bars is None
    chart_bars = ReadChart(len(chart.bars), chart.symbols, tuple(one.reason for one in remarks))
    return structs.replace(
        intent, chart=asked, charted=chart_bars, meter=chart.meter or intent.meter, bpm=intent.bpm or chart.bpm,
        title=intent.title or chart.title, tonic=own.tonic if own else intent.tonic,
        mode=own.mode if own else intent.mode, lacks="" if intent.lacks == "length" and not goes else intent.lacks,
        clauses=told_at(request, asked, remarks, intent.clauses),
    )


def _played_again(intent: Intent, asked: AskedChart, chart: Chart) -> Intent:
    """An intent whose whole chart is to be played several times: that is its length, and nothing is done afterwards."""
    again = [task for task in intent.tasks if isinstance(task.operation, Repeat) and task.scope.whole]
    if not again or asked.goes_round or not asked.leads or intent.asks_length:
        return intent
    times = prod(task.operation.times for task in again if isinstance(task.operation, Repeat))
    rest = tuple(task for task in intent.tasks if task not in again)
    return structs.replace(intent, bars=times * len(chart.bars), tasks=rest)


def _comes_again(intent: Intent, chart: Chart) -> tuple[ChartRemark, ...]:
    """What is told where something is asked of the last of several sections of which the chart writes one: that there
    are two, the whole chart is played twice."""
    if intent.asks_length or intent.sections or intent.course:
        return ()
    last = {place.name for task in intent.tasks for place in task.scope.places if isinstance(place, Named)
            and place.number == _LAST}
    for name in sorted(last):
        if [is_called(name, one.name) for one in chart.sections].count(True) == 1:
            return (ChartRemark("", f"the chart writes one {name}: it is played twice, so that there is a last one"),)
    return ()


def _in_rounds(asked: AskedChart, chart: Chart, intent: Intent, request: str, lexicon: Lexicon) -> AskedChart:
    """The chart, one of few bars without sections as a loop that the form of the piece repeats; as it is written where
    a length, sections or words say so."""
    words = lexicon.words.notes
    long = len(chart.bars) > _FEW or chart.repeated or bool(chart.sections)
    if words is None or long or not asked.leads or intent.bars is not None or intent.sections or intent.course:
        return asked
    tokens = [token.text.casefold() for token in plain(request, lexicon)]
    once = Phrases({"once": words.once}, tokens).spans("once")
    return asked if once else structs.replace(asked, goes_round=True)


def _too_few(bars: int, chart: Chart, request: str, lexicon: Lexicon) -> tuple[str, ...]:
    made = len(chart.bars)
    what = f"cannot fit your {len(chart.symbols)} chords, which make {made} bars, into {bars} bars"
    longer = with_length(request, plain(request, lexicon), frozenset(), lexicon, bars, made)
    return (what, f"shall the piece have {made} bars, or which of the chords shall go?", *longer)


def without_chord_part(intent: Intent) -> Intent:
    """The intent of a change that writes down chords, without tasks that would add a chord part: "use these chords: F
    G" asks for no new part.

    If no other task is left, `lacks` is "chords".
    """
    tasks = tuple(task for task in intent.tasks if not _adds_chords(task.operation))
    if tasks or tasks == intent.tasks:
        return structs.replace(intent, tasks=tasks)
    return structs.replace(intent, tasks=(), lacks="chords", options=_NO_PLACE)


def _adds_chords(operation: Operation) -> bool:
    wish = operation.wish if isinstance(operation, Add) else None
    return wish is not None and wish.whole_role and wish.role == "chords"


def _mended(request: str, problem: ChartError) -> tuple[str, ...]:
    """The request with the chords that may have been meant, once for each meaning; empty where none is near."""
    made = (_written(request, meaning) for meaning in problem.meanings)
    return tuple(dict.fromkeys(one for one in made if one != request))


def _written(request: str, meaning: Mapping[str, str]) -> str:
    """The request with chords written otherwise, all of them at once."""
    longest = sorted(meaning, key=len, reverse=True)
    pattern = rf"(?<![\w#])(?:{'|'.join(map(re.escape, longest))})(?![\w#])"
    return re.sub(pattern, lambda found: meaning[found[0]], request)


_STRANGE = 0.75
"""Share of tones of a key below which chords are not in it."""
_JUMP = re.compile(
    r"\bD\.\s?[SC]\.?(?:\s+al\s+(?:coda|fine))?|\bD[SC]\s+al\s+(?:coda|fine)|\bdal segno(?:\s+al\s+(?:coda|fine))?"
    r"|\bda capo(?:\s+al\s+(?:coda|fine))?", re.IGNORECASE,
)
_LONGEST = 60
"""Characters of a chart that are shown where a remark is about all of it."""


def _remarks_on(intent: Intent, chart: Chart, asked: AskedChart, request: str) -> tuple[ChartRemark, ...]:
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
