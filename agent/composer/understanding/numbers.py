"""Numbers, lengths and intervals as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.composer.understanding.lexicon import Lexicon

_MOST = 1_000_000.0


@dataclass(frozen=True)
class Decibels:
    """A level; `signed` where plus or minus was written."""

    value: float
    signed: bool


def number_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """How many words a number spans, and its value."""
    if not 0 <= at < len(words):
        return None
    if words[at][:1].isdecimal():
        return 1, min(_MOST, float(words[at].replace(",", ".")[:12]))
    found = lexicon.sense(words, at, "number")
    return (found[0], float(found[1])) if found is not None else None


def unit_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, str] | None:
    """How many words a unit of length, tempo or level spans, and which it is."""
    return lexicon.sense(words, at, "unit") if at < len(words) else None


def counted(words: Sequence[str], at: int, lexicon: Lexicon, units: tuple[str, ...]) -> tuple[int, float, str] | None:
    """A number with one of the units: where it ends, the number, the unit."""
    number = number_at(words, at, lexicon)
    if number is None:
        return None
    unit = unit_at(words, at + number[0], lexicon)
    if unit is None or unit[1] not in units:
        return None
    return at + number[0] + unit[0], number[1], unit[1]


def seconds_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """A duration such as `2:30` or `one and a half minutes`: where it ends, and its seconds."""
    if at + 2 < len(words) and words[at + 1] == ":" and words[at].isdecimal() and words[at + 2].isdecimal():
        return at + 3, float(words[at][:6]) * 60 + float(words[at + 2][:6])
    found = counted(words, at, lexicon, ("minutes", "seconds"))
    if found is None:
        return None
    end, number, unit = found
    return end, number * (60 if unit == "minutes" else 1)


def steps_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, int] | None:
    """An interval: where it ends, and its semitones; a number alone counts semitones."""
    interval = lexicon.sense(words, at, "interval")
    if interval is not None:
        return at + interval[0], int(interval[1])
    number = number_at(words, at, lexicon)
    if number is None or number[1] != int(number[1]):
        return None
    end = at + number[0]
    step = lexicon.sense(words, end, "step") if end < len(words) else None
    if step is None and (words[end : end + 1] == ["%"] or unit_at(words, end, lexicon) is not None):
        return None
    semitones = int(number[1]) * (int(step[1]) if step is not None else 1)
    return (end + (step[0] if step is not None else 0), semitones) if 1 <= semitones <= 36 else None


def decibels_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, Decibels] | None:
    """A level in decibels: where it ends, and the level."""
    sign = words[at] if words[at] in ("-", "+") else ""
    found = counted(words, at + len(sign), lexicon, ("decibels",))
    if found is None:
        return None
    return found[0], Decibels(min(60.0, found[1]) * (-1 if sign == "-" else 1), bool(sign))
