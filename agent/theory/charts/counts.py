"""Counts: what a chart says of how often something is played and how long its chords last."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

_WORDS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "twelve": 12,
    "sixteen": 16, "twice": 2, "thrice": 3,
}
_NUMBER = rf"[0-9]{{1,2}}|{'|'.join(word for word in _WORDS if word not in ('a', 'twice', 'thrice'))}"
_BARS = r"(?:bars?|measures?)"
_APART = r"[ \t]{1,4}"
TIMES = (
    r"\(?[x×][ \t]?[0-9]{1,2}\)?(?=[\s,;:|)]|$)|(?<![\w#])\(?[0-9]{1,2}[x×]\)?(?=[\s,;:|)]|$)"
    rf"|\(?(?:\brepeat(?:ed|s)?{_APART})?(?<![\w#])(?:{_NUMBER}){_APART}times\b\)?"
    rf"|\(?(?:\b(?:repeat(?:ed)?|play(?:ed)?){_APART})?\b(?:twice|thrice)\b\)?|\(repeat\)"
)
"""Pattern of how often: x3, (x 3), 3x, twice, 3 times, (repeat 3 times)."""
_EACH = (
    rf"\(?(?<![\w#])(?:{_NUMBER}|a){_APART}(?:bars?|measures?|beats?){_APART}(?:each|per chord|apiece|a chord)\b\)?"
)
_AHEAD = rf"(?<![\w#])(?:{_NUMBER}){_APART}{_BARS}{_APART}(?:of|on)\b"
_LENGTH = rf"(?<![\w#])(?:(?:1|one){_APART}(?:bar|measure)|(?:{_NUMBER}){_APART}(?:bars|measures))\b"
_LASTS = rf"\(?(?:\bfor{_APART})?{_LENGTH}\)?"
COUNTS = f"(?P<each>{_EACH})|(?P<ahead>{_AHEAD})|(?P<lasts>{_LASTS})|(?P<times>{TIMES})"
"""Pattern of all of them, with a group a kind; only whole words are counts."""
PIECE = r"(?:(?<=[^\s,;|(])\([^()\s|]{1,16}\)|[^\s,;|])+"
"""Pattern of a piece between spaces, commas and bar lines; commas within its brackets are its own: G7(b9,#5)."""
_COUNT = re.compile(COUNTS, re.IGNORECASE)
_FIGURE = re.compile(rf"[0-9]{{1,2}}|\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
_METER = re.compile(r"\(?[0-9]{1,2}/(?:1|2|4|8|16)\)?")
_INTERVALS = {
    "semitone": 1, "half step": 1, "half tone": 1, "half-step": 1, "tone": 2, "whole step": 2, "whole tone": 2,
    "whole-step": 2, "step": 2, "minor third": 3, "major third": 4, "fourth": 5, "fifth": 7,
}
_FAR = rf"{'|'.join(sorted(_INTERVALS, key=len, reverse=True))}|[0-9]{{1,2}}[ \t](?:semitones?|half[ \t]steps?)"
_LIFT = rf"\(?(?:key change )?(?P<way>up|down|raised|transposed up|lifted) (?:by )?(?:a |one )?(?P<far>{_FAR})\)?"
_BEHIND = re.compile(
    rf"\s*(?:(?P<times>{TIMES})|(?P<bars>\(?{_LENGTH}\)?)|(?P<meter>{_METER.pattern})|(?P<lift>{_LIFT}))\s*$",
    re.IGNORECASE,
)
Kind = Literal["each", "ahead", "lasts", "times"]


class Count(Struct, frozen=True):
    """A count written in a chart: `times` "x3" (how often), `lasts` "for 4 bars" (after its chord), `ahead` "4 bars of"
    (before its chord), `each` "two bars each" (for every chord). `beats`: it counts beats, not bars or times."""

    kind: Kind
    number: int
    beats: bool = False
    """Whether it counts beats, else bars or times."""


class ParsedHeading(Struct, frozen=True):
    """A heading taken apart: its name, how often it is played, its number of bars (0 if not said), its meter ("" if not
    said), and by how many semitones it is transposed."""

    name: str
    times: int = 1
    bars: int = 0
    meter: str = ""
    lift: int = 0


def count_of(text: str) -> Count | None:
    """The count that a text is ("x3", "for 4 bars"); None for any other text."""
    found = _COUNT.fullmatch(text.strip())
    if found is None or found.lastgroup is None:
        return None
    return Count(found.lastgroup, _figure(found[0]), "beat" in found[0].casefold())  # type: ignore[arg-type]


def times_of(text: str) -> int:
    """The number of times that a text says: 3 for "x3", "(x 3)" or "3x", 2 for "twice"; 1 for any other text."""
    found = count_of(text)
    return max(1, found.number) if found is not None and found.kind == "times" else 1


def named(text: str) -> ParsedHeading:
    """The parts of a heading such as "Chorus x2", "Verse (8 bars)", "Bridge (3/4)"; the name is never empty."""
    made = ParsedHeading(text.strip())
    while (found := _BEHIND.search(made.name)) is not None and found.start() > 0:
        name = made.name[: found.start()].rstrip(" ,;-:")
        if not name:
            break
        made = ParsedHeading(
            name, _figure(found["times"]) if found["times"] else made.times,
            _figure(found["bars"]) if found["bars"] else made.bars, found["meter"] or made.meter,
            _semitones(found["way"], found["far"]) if found["lift"] else made.lift,
        )
    return made


def _semitones(way: str, far: str) -> int:
    """How far "up a tone" or "down 3 semitones" goes."""
    number = _FIGURE.match(far)
    steps = int(number[0]) if number is not None else _INTERVALS[" ".join(far.casefold().split())]
    return -steps if way.casefold() == "down" else steps


def _figure(text: str) -> int:
    """The number of a count; "(repeat)" is twice."""
    found = _FIGURE.search(text)
    if found is None:
        return 2
    return int(found[0]) if found[0].isdigit() else _WORDS[found[0].casefold()]
