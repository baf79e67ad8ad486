"""Lengths: how many bars a new piece has, and the tempo at which they last as long as was asked."""

from __future__ import annotations

from agent.composer.dice import Dice
from agent.composer.styles import Style
from agent.composer.understanding.intent import Intent
from agent.composer.writing.charted import Charted
from agent.composer.writing.form import MAX_BARS, usual_bars
from agent.composer.writing.looped import is_loop, loop_bars
from agent.message import msg
from agent.plan.errors import PlanError
from agent.song.time import PPQ

_SHORTER, _LONGER = 0.5, 1.5
_FEW = 14
"""Bars below which a length is no longer rounded to whole fours."""
_TINY = 3
"""Bars below which even an odd number is a length."""
_STRETCH, _FREE = 0.15, 1.2
"""By how much a tempo gives way to the length that was asked for, and that of a jingle."""
_BRIEF, _SHORTEST = 45.0, 8
"""Most seconds and fewest bars of a short piece."""
_CUE = 90.0
"""Seconds of a cue or a bed of which no length is said."""
_NEAR = 0.05
"""How far from the asked seconds a piece may last, as a share, to be made of whole phrases."""


def in_time(bpm: float, bars: int | None, bar: int, intent: Intent) -> float:
    """The tempo at which `bars` bars of `bar` ticks last as long as was asked for, if it is near `bpm`; otherwise
    `bpm`. A stated tempo stays."""
    if intent.bpm is not None or intent.seconds is None or not bars or any(stage.bpm for stage in intent.course):
        return bpm
    exact = float(round(bars * bar / PPQ * 60 / intent.seconds))
    stretch = _FREE if bars <= _TINY else _STRETCH
    return exact if abs(exact - bpm) <= stretch * bpm else bpm


def bars_of(
    style: Style, intent: Intent, bpm: float, bar: int, chart: Charted | None, dice: Dice
) -> int | None:
    """The number of bars (of `bar` ticks) of the piece at this tempo, stated or from its `chart`; None if its form
    decides. Raises `PlanError` above `MAX_BARS`."""
    bars = intent.bars
    seconds = _seconds(intent)
    exact = seconds * bpm / 60 * PPQ / bar if seconds is not None else 0.0
    if bars is None and chart is not None and chart.gives_form:
        # the whole chart, as often as comes nearest to the time
        bars = chart.bars * max(1, round((exact or _sized(style, intent) or 0) / chart.bars))
    elif bars is None and exact:
        whole = style.round or 8
        phrases = round(exact / whole) * whole
        near = phrases and abs(phrases - exact) <= _NEAR * exact
        unit = 4 if exact >= _FEW else 2
        unit = style.round if style.round is not None else 1 if exact < _TINY and intent.bpm is not None else unit
        bars = phrases if near else max(unit, round(exact / unit) * unit)
    if bars is not None and bars > MAX_BARS:
        raise too_long(bars)
    if bars is None and is_loop(intent):
        return loop_bars(intent, style, dice)
    sized = _sized(style, intent) if bars is None else bars
    if bars is None and sized is not None and intent.size == "short":
        brief = int(_BRIEF * bpm / 60 * PPQ / bar) // 4 * 4
        sized = max(_SHORTEST, min(sized, brief))
    return sized


def _sized(style: Style, intent: Intent) -> int | None:
    """The bars of a long or a short piece; None where neither was asked for."""
    if intent.size is None:
        return None
    return max(8, round(usual_bars(style) * (_SHORTER if intent.size == "short" else _LONGER) / 8) * 8)


def _seconds(intent: Intent) -> float | None:
    """How long the piece is to last; a cue of which nothing is said as long as cues do."""
    said = intent.asks_length or intent.course or intent.sections or intent.chart
    return _CUE if intent.shape == "cue" and not said else intent.seconds


def too_long(bars: int) -> PlanError:
    """The error for a piece with more bars than the composer writes."""
    return PlanError(
        msg("a piece of {bars:,} bars", bars=bars),
        why=msg("the composer writes at most {max_bars}", max_bars=MAX_BARS), fix=msg("ask for fewer bars"),
    )
