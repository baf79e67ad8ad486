"""Numbers, lengths and intervals as people write them."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from msgspec import Struct

from agent.composer.understanding.lexicon import Lexicon
from agent.song.key import TONICS, Tonic
from agent.theory.pitch import pitch, pitch_class

_VAGUE = 3.0
"""What "a few" decibels are: the usual step of a fader."""
_MOST = 1_000_000.0
_SIGNS = {"sharp": "#", "flat": "b"}
_FIGURE = re.compile(r"\d{1,12}(?:[.,]\d{1,12})?")


class Decibels(Struct, frozen=True):
    """A level in dB; `signed` if a plus or minus was written, so that it is a change."""

    value: float
    signed: bool


def is_figure(word: str) -> bool:
    """Whether a word is a number in digits; "80s" is not."""
    return _FIGURE.match(word) is not None and not word[-1].isalpha()


def number_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """The number of words of a number at index `at`, and its value; None for none."""
    if not 0 <= at < len(words):
        return None
    if is_figure(words[at]):
        number = min(_MOST, float(words[at].replace(",", ".")[:12]))
        joined = words[at + 1 : at + 2] and words[at + 1] in lexicon.words.grammar.joins
        half = lexicon.sense(words, at + 2, "number") if joined and at + 2 < len(words) else None
        # "2 and a half"
        return (2 + half[0], number + 0.5) if half is not None and float(half[1]) == 0.5 else (1, number)
    found = lexicon.sense(words, at, "number")
    return (found[0], float(found[1])) if found is not None else None


def pitch_at(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """The number of words of a pitch at index `at`, and its MIDI number (C4 and middle C are 60); None for none."""
    ahead = list(words[at : at + 3])
    if ahead[:2] == ["middle", "c"]:
        return 2, 60
    if len(ahead) > 2 and ahead[1] in _SIGNS:
        ahead = [ahead[0] + _SIGNS[ahead[1]], ahead[2]]
    named = re.fullmatch(r"([a-g])([#♯b♭]?)", ahead[0]) if len(ahead) > 1 else None
    if named is None or not re.fullmatch(r"[0-8]", ahead[1]):
        return None
    sign = {"#": "#", "♯": "#", "b": "b", "♭": "b"}.get(named[2], "")
    return (3 if words[at + 1] in _SIGNS else 2), pitch(f"{named[1].upper()}{sign}{ahead[1]}")


class Lifted(Struct, frozen=True):
    """A note (`pitch_class`) without an octave that is called a low or a `high` one ("low E"); the part decides which
    octave is meant."""

    pitch_class: int
    high: bool


def lifted_at(words: Sequence[str], at: int, low: Collection[str], high: Collection[str]) -> tuple[int, Lifted] | None:
    """The number of words of a low or high note without an octave, and the note ("low E", "high b flat"); None for
    none."""
    if at >= len(words) or words[at] not in (*low, *high):
        return None
    tonic = tonic_at(words, at + 1)
    return None if tonic is None else (1 + tonic[0], Lifted(pitch_class(tonic[1]), words[at] in high))


def tonic_at(words: Sequence[str], at: int) -> tuple[int, Tonic] | None:
    """The number of words of a note name without an octave, and the note ("d", "b flat", "f#"); None for none."""
    named = re.fullmatch(r"([a-g])([#♯b♭]?)", words[at]) if at < len(words) else None
    if named is None:
        return None
    sign = {"#": "#", "♯": "#", "b": "b", "♭": "b"}.get(named[2], "")
    follows = not sign and at + 1 < len(words) and words[at + 1] in _SIGNS
    name = named[1].upper() + (_SIGNS[words[at + 1]] if follows else sign)
    tonic = next((one for one in TONICS if one == name), None)
    return (2 if follows else 1, tonic) if tonic is not None else None


def unit_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, str] | None:
    """The number of words of a unit of length, tempo or level at index `at`, and the unit's name ("bars", "seconds",
    "bpm", …); None for none."""
    return lexicon.sense(words, at, "unit") if at < len(words) else None


def counted(words: Sequence[str], at: int, lexicon: Lexicon, units: tuple[str, ...]) -> tuple[int, float, str] | None:
    """A number followed by one of the units: (end, number, unit); None for none."""
    number = number_at(words, at, lexicon)
    if number is None:
        return None
    behind = at + number[0]
    unit = unit_at(words, behind, lexicon)
    if unit is None and words[behind : behind + 1] and words[behind] in lexicon.words.lengths.between:
        behind += 1
        unit = unit_at(words, behind, lexicon)
    if unit is None or unit[1] not in units:
        return None
    return behind + unit[0], number[1], unit[1]


def seconds_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """A duration such as `2:30`, `a minute and a half` or `2 minutes 30 seconds`: (end, seconds); None for none."""
    clock = at + 2 < len(words) and words[at + 1] == ":" and words[at].isdecimal() and words[at + 2].isdecimal()
    unit = unit_at(words, at + 3, lexicon) if clock else None
    if clock and len(words[at]) <= 2 and (unit is None or unit[1] not in ("bars", "bpm")):
        # of "at 174: 16 bars" no time is told
        end = at + 3 + (unit[0] if unit is not None and unit[1] == "minutes" else 0)
        return end, float(words[at][:6]) * 60 + float(words[at + 2][:6])
    found = counted(words, at, lexicon, ("minutes", "seconds")) or _lone_unit(words, at, lexicon)
    if found is None:
        return None
    end, number, name = found
    if name == "seconds":
        return end, number
    further = end + (end < len(words) and words[end] in lexicon.words.grammar.joins)
    rest = counted(words, further, lexicon, ("seconds",))
    if rest is not None:
        return rest[0], number * 60 + rest[1]
    part = number_at(words, further, lexicon) if further > end else None
    if part is not None and part[1] < 1:
        # "a minute and a half"
        return further + part[0], (number + part[1]) * 60
    bare = words[end : end + 1]
    if bare and bare[0].isdecimal() and len(bare[0]) == 2 and int(bare[0]) < 60 and _is_alone(words, end + 1, lexicon):
        # "1 min 30"
        return end + 1, number * 60 + int(bare[0])
    return end, number * 60


def _is_alone(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether no unit and no second number stand at a place."""
    following = words[at] if at < len(words) else ""
    return unit_at(words, at, lexicon) is None and following not in ("/", "%", "–")


def _lone_unit(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float, str] | None:
    """`a minute`, and `minute` before "and a half"."""
    if not 0 <= at < len(words):
        return None
    article = int(words[at] in lexicon.words.grammar.afresh)
    unit = unit_at(words, at + article, lexicon)
    if unit is None or unit[1] != "minutes":
        return None
    end = at + article + unit[0]
    more = end < len(words) and words[end] in lexicon.words.grammar.joins and number_at(words, end + 1, lexicon)
    return (end, 1.0, unit[1]) if article or (more and more[1] < 1) else None


_NOTE_VALUES = (["th"], ["ths"], ["nd"], ["nds"])
"""What makes a number a value of notes, as tokens: "16ths", "32nds"."""


def steps_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, int] | None:
    """An interval, or a number of semitones: (end, semitones); None for none."""
    interval = lexicon.sense(words, at, "interval")
    if interval is not None:
        return at + interval[0], int(interval[1])
    number = number_at(words, at, lexicon)
    if number is None or number[1] != int(number[1]):
        return None
    repeated = lexicon.sense(words, at, "repeats")
    if repeated is not None and repeated[0] > number[0]:
        return None
    end = at + number[0]
    step = lexicon.sense(words, end, "step") if end < len(words) else None
    measured = words[end : end + 1] == ["%"] or unit_at(words, end, lexicon) is not None
    if step is None and (measured or words[end : end + 1] in _NOTE_VALUES):
        return None
    semitones = int(number[1]) * (int(step[1]) if step is not None else 1)
    return (end + (step[0] if step is not None else 0), semitones) if 1 <= semitones <= 36 else None


def hertz_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, float] | None:
    """The number of words of a frequency ("300 Hz", "5k"), and its Hz; None for none."""
    units = lexicon.words.lengths.hertz
    joined = re.fullmatch(r"(\d{1,6}(?:[.,]\d{1,3})?)([a-z]{1,9})", words[at])
    if joined is not None and joined[2] in units:
        return 1, float(joined[1].replace(",", ".")) * units[joined[2]]
    number = number_at(words, at, lexicon)
    unit = units.get(words[at + number[0]], 0.0) if number is not None and at + number[0] < len(words) else 0.0
    return (number[0] + 1, number[1] * unit) if number is not None and unit else None


def decibels_at(words: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, Decibels] | None:
    """A level in decibels: (end, level); None for none."""
    lengths = lexicon.words.lengths
    if words[at] in lengths.vague and (unit := unit_at(words, at + 1, lexicon)) is not None and unit[1] == "decibels":
        return at + 1 + unit[0], Decibels(_VAGUE, False)
    sign = words[at] if words[at] in ("-", "+") else ""
    found = counted(words, at + len(sign), lexicon, ("decibels",))
    if found is None:
        return None
    return found[0], Decibels(min(60.0, found[1]) * (-1 if sign == "-" else 1), bool(sign))
