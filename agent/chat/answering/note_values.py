"""What lengths and intervals are called."""

from __future__ import annotations

from math import log

from agent.song.time import PPQ

_VALUES = {
    4 * PPQ: "whole notes", 3 * PPQ: "dotted half notes", 2 * PPQ: "half notes", PPQ * 3 // 2: "dotted quarter notes",
    PPQ: "quarter notes", PPQ * 3 // 4: "dotted eighths", PPQ * 2 // 3: "quarter-note triplets", PPQ // 2: "eighths",
    PPQ * 3 // 8: "dotted sixteenths", PPQ // 3: "eighth triplets", PPQ // 4: "sixteenths",
    PPQ // 6: "sixteenth triplets", PPQ // 8: "thirty-seconds", PPQ // 16: "sixty-fourths",
}
_INTERVALS = (
    "unison", "minor second", "major second", "minor third", "major third", "fourth", "tritone", "fifth",
    "minor sixth", "major sixth", "minor seventh", "major seventh", "octave", "minor ninth", "major ninth",
    "minor tenth", "major tenth", "eleventh", "augmented eleventh", "twelfth",
)
_OCTAVES = {2: "two octaves", 3: "three octaves", 4: "four octaves", 5: "five octaves"}


def nearest_value(ticks: int) -> int:
    """The length in ticks of the usual note value that is nearest to a length of at least one tick."""
    return min(_VALUES, key=lambda value: abs(log(value / max(ticks, 1))))


def value_name(ticks: int) -> str:
    """The plural name of the note value that is nearest to a length: 240 ticks are sixteenths."""
    return _VALUES[nearest_value(ticks)]


def interval_name(semitones: int) -> str:
    """The name of an interval of 0 or more semitones without an article: 7 is a fifth, 26 two octaves and a major
    second."""
    if semitones < len(_INTERVALS):
        return _INTERVALS[semitones]
    octaves, rest = divmod(semitones, 12)
    said = _OCTAVES.get(octaves, "octave" if octaves == 1 else f"{octaves} octaves")
    return f"{said} and a {_INTERVALS[rest]}" if rest else said


def an_interval(semitones: int) -> str:
    """The name of an interval with its article: "an octave", "a fifth", "two octaves"."""
    name = interval_name(semitones)
    if semitones >= 24:
        return name
    return f"{'an' if name[0] in 'aeou' and not name.startswith('un') else 'a'} {name}"
