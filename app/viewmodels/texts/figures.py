"""Numbers in the words of the window: minus sign U+2212, thousands with a comma, units behind."""

from __future__ import annotations

from math import floor, isfinite

from app.i18n import tr

MINUS = "−"
CENTRE = 0.005
"""Largest pan (of 1) that still counts as centre."""
_SHORTEST = 0.05


def number(value: float, digits: int = 2) -> str:
    """A number with at most `digits` decimals, without trailing zeros: 112, 84.5, −18."""
    if not isfinite(value):
        return str(value)
    text = f"{value:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return signed("0" if text == "-0" else text)


def signed(text: str) -> str:
    """The text with "-" replaced by the minus sign U+2212."""
    return text.replace("-", MINUS)


def decibels(value: float) -> str:
    """A level in dB with one decimal, without its unit."""
    text = f"{value:.1f}"
    return signed("0.0" if text == "-0.0" else text)


def panned(value: float) -> str:
    """A pan from −1 to 1 in words."""
    if abs(value) < CENTRE:
        return tr("centre")
    share = f"{abs(value):.0%}"
    return tr("{share} left", share=share) if value < 0 else tr("{share} right", share=share)


def counted(count: int, noun: str, plural: str = "") -> str:
    """A count with its English noun: 1 note, 34 notes; `plural` is the noun's plural, by default with "s"."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def ordinal(count: int) -> str:
    """An English ordinal: 1st, 2nd, 3rd, 11th."""
    if count % 100 in (11, 12, 13):
        return f"{count}th"
    return f"{count}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(count % 10, 'th') }"


def bars_text(first: int, last: int) -> str:
    """An inclusive range of bars: bar 9, bars 9–24."""
    return tr("bar {bar}", bar=first) if first >= last else tr("bars {first}–{last}", first=first, last=last)


def lasted(seconds: float) -> str:
    """A duration: < 0.1 s, 0.4 s, 12 s, 2:05."""
    if seconds < _SHORTEST:
        return "< 0.1 s"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    return f"{round(seconds)} s" if seconds < 59.5 else clock(seconds)


def clock(seconds: float) -> str:
    """Seconds as minutes and seconds: 0:21."""
    whole = floor(max(0.0, seconds))
    return f"{whole // 60}:{whole % 60:02d}"
