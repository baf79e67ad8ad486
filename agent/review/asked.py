"""What was asked, held against the song before and after: the binding words of a request."""

from __future__ import annotations

from msgspec import Struct

from agent.plan.plan import Ask
from agent.song.palette import Palette
from agent.song.song import Song
from agent.theory.figures import STATED, figure

_ROUNDING = 1e-9


class AskCheck(Struct, frozen=True):
    """An ask's measured value before and after a change (None if it has no known measure), and whether it was met; an
    ask without a known measure counts as met."""

    before: float | str | None
    after: float | str | None
    met: bool


def held(ask: Ask, before: Song, after: Song, palette: Palette) -> AskCheck:
    """Measures an ask on the song before and after a change; an ask without a known measure counts as met."""
    was = figure(ask.measure, before, before, palette, ask.bars)
    now = was if after is before else figure(ask.measure, before, after, palette, ask.bars, ask.now_bars)
    return AskCheck(was, now, was is None or now is None or _met(ask, was, now))


def met(ask: Ask, before: Song, after: Song, palette: Palette) -> bool:
    """Whether the ask is fulfilled by the change from `before` to `after`; True for an ask without a known measure."""
    return held(ask, before, after, palette).met


def _met(ask: Ask, was: float | str, now: float | str) -> bool:
    if ask.goal == "equals":
        return now == ask.value or (isinstance(now, float) and now == _number(ask.value))
    if ask.goal == "same":
        return was == now
    if isinstance(was, str) or isinstance(now, str):
        return False
    if ask.goal in ("lower", "higher"):
        return now < was if ask.goal == "lower" else now > was
    bound = _number(ask.value)
    target = bound if ask.measure.partition(":")[0] in STATED else bound * was
    return now <= target + _ROUNDING if ask.goal == "at_most" else now >= target - _ROUNDING


def _number(value: float | str | None) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
