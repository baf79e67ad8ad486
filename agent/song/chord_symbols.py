"""Chord symbols as musicians write them on lead sheets, read into chords."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.message import msg
from agent.song.chord import Alteration, Chord, Quality
from agent.song.errors import SongError

LONGEST_SYMBOL = 24
"""Characters of a chord symbol at most."""
NO_CHORD = "N.C."
"""What stands where no chord sounds."""

_SIGNS = str.maketrans({"♭": "b", "♯": "#", "△": "Δ", "^": "Δ", "−": "-", "–": "-", "º": "°", "Ø": "ø"})
_ROOT = re.compile(r"([A-H])(##|bb|[#b]?)")
_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11, "H": 11}
_MAJORS = ("major", "Major", "maj", "Maj", "MAJ", "ma", "Ma", "MA", "M")
_MINORS = ("minor", "Minor", "min", "Min", "MIN", "mi", "Mi", "MI", "m", "-")
_TRIADS = {
    "": "plain", "Δ": "maj7", **dict.fromkeys(_MAJORS, "maj"), **dict.fromkeys(_MINORS, "min"),
    **{low + high: "minmaj" for low in _MINORS for high in (*_MAJORS, "Δ")},
    "dim": "dim", "Dim": "dim", "°": "dim", "o": "dim", "ø": "half", "aug": "aug", "Aug": "aug", "+": "aug",
}
_NUMBERS = ("6/9", "6add9", "69", "13", "11", "9", "7", "6", "5", "")
_ENDINGS: dict[str, tuple[str, ...]] = {
    **{f"{word}7": ("maj7",) for word in _MAJORS}, **{f"{word}9": ("maj7", "9") for word in _MAJORS},
    "7M": ("maj7",), "/maj7": ("maj7",), "Δ7": ("maj7",), "Δ": ("maj7",),
    "sus2": ("sus2",), "sus4": ("sus4",), "sus": ("sus4",), "4": ("sus4",), "2": ("9",),
    "add9": ("9",), "add2": ("9",), "add11": ("11",), "add4": ("11",), "add13": ("13",), "add6": ("13",),
    "add#11": ("#11",), "addb9": ("b9",), "addb13": ("b13",), "9": ("9",), "11": ("11",), "13": ("13",),
    "omit3": ("no3",), "omit5": ("no5",), "no3": ("no3",), "no5": ("no5",), "no3rd": ("no3",), "no5th": ("no5",),
    "b5": ("b5",), "#5": ("#5",), "b9": ("b9",), "#9": ("#9",), "#11": ("#11",), "b13": ("b13",), "#4": ("#11",),
    "b6": ("b13",), "-5": ("b5",), "+5": ("#5",), "-9": ("b9",), "+9": ("#9",), "+11": ("#11",), "-13": ("b13",),
    "+": ("#5",), "alt": ("alt", "b9", "#9", "b13", "no5"),
}
_BETWEEN = frozenset("()[], ")
_ORDER: tuple[Alteration, ...] = ("b5", "#5", "b9", "9", "#9", "11", "#11", "b13", "13", "no3", "no5")
_Shape = tuple[Quality, tuple[Alteration, ...]]
_BASES: dict[tuple[str, str], _Shape] = {
    ("plain", ""): ("maj", ()), ("plain", "5"): ("5", ()), ("plain", "6"): ("6", ()), ("plain", "7"): ("7", ()),
    ("plain", "9"): ("9", ()), ("plain", "11"): ("11", ()), ("plain", "13"): ("13", ()), ("plain", "69"): ("6", ("9",)),
    ("maj", ""): ("maj", ()), ("maj", "6"): ("6", ()), ("maj", "7"): ("maj7", ()), ("maj", "9"): ("maj9", ()),
    ("maj", "11"): ("maj9", ("11",)), ("maj", "13"): ("maj9", ("13",)), ("maj", "69"): ("6", ("9",)),
    ("min", ""): ("min", ()), ("min", "6"): ("min6", ()), ("min", "7"): ("min7", ()), ("min", "9"): ("min9", ()),
    ("min", "11"): ("min11", ()), ("min", "13"): ("min9", ("13",)), ("min", "69"): ("min6", ("9",)),
    ("minmaj", ""): ("minmaj7", ()), ("minmaj", "7"): ("minmaj7", ()), ("minmaj", "9"): ("minmaj7", ("9",)),
    ("dim", ""): ("dim", ()), ("dim", "7"): ("dim7", ()), ("dim", "9"): ("dim7", ("9",)),
    ("half", ""): ("m7b5", ()), ("half", "7"): ("m7b5", ()), ("half", "9"): ("m7b5", ("9",)),
    ("half", "11"): ("m7b5", ("11",)),
    ("maj7", ""): ("maj7", ()), ("maj7", "7"): ("maj7", ()), ("maj7", "9"): ("maj9", ()),
    ("aug", ""): ("aug", ()), ("aug", "7"): ("7", ("#5",)), ("aug", "9"): ("9", ("#5",)),
}
_SUSPENDED: dict[tuple[Quality, str], _Shape] = {
    ("maj", "sus2"): ("sus2", ()), ("maj", "sus4"): ("sus4", ()), ("5", "sus4"): ("sus4", ()),
    ("5", "sus2"): ("sus2", ()), ("min", "sus4"): ("sus4", ()), ("min", "sus2"): ("sus2", ()),
    ("7", "sus4"): ("7sus4", ()), ("min7", "sus4"): ("7sus4", ()),
    ("9", "sus4"): ("7sus4", ("9",)), ("11", "sus4"): ("7sus4", ("9",)), ("13", "sus4"): ("7sus4", ("9", "13")),
    ("6", "sus4"): ("6", ("11", "no3")), ("maj7", "sus4"): ("maj7", ("11", "no3")),
    ("maj9", "sus4"): ("maj9", ("11", "no3")),
    ("7", "sus2"): ("9", ("no3",)), ("min7", "sus2"): ("9", ("no3",)), ("maj7", "sus2"): ("maj9", ("no3",)),
}
_PLAINER: dict[tuple[Quality, frozenset[str]], Quality] = {
    ("maj", frozenset({"9"})): "add9", ("min", frozenset({"9"})): "minadd9", ("min7", frozenset({"b5"})): "m7b5",
    ("maj", frozenset({"#5"})): "aug", ("min", frozenset({"b5"})): "dim", ("maj", frozenset({"no3"})): "5",
}
"""Qualities that have a name of their own for what alterations make of another."""


@lru_cache(maxsize=4096)
def chord(symbol: str) -> Chord:
    """The chord of a symbol: C, F#m7, Bbmaj7/D, G7(b9,#11), C6/9, Dm(maj7), A7alt, Esus4; `H` is B natural.

    `SongError` for anything else.
    """
    text = symbol.strip().translate(_SIGNS)
    found = _ROOT.match(text) if len(text) <= LONGEST_SYMBOL else None
    if found is None:
        raise _unreadable(symbol)
    rest, bass = text[found.end():], None
    before, slash, last = rest.rpartition("/")
    lowest = _ROOT.fullmatch(last) if slash else None
    if lowest is not None:
        rest, bass = before, _class(lowest)
    shape = ending(rest)
    if shape is None:
        raise _unreadable(symbol)
    root = _class(found)
    return Chord(root, shape[0], None if bass == root else bass, shape[1])


@lru_cache(maxsize=4096)
def ending(text: str) -> _Shape | None:
    """(quality, alterations) of the part of a symbol after the root: m7b5, maj9, 7(#11), sus4; None if it cannot be
    read."""
    text = text.translate(_SIGNS)
    for triad, number, rest in _beginnings(text):
        words = _endings(rest)
        shape = _shaped(triad, number, words) if words is not None else None
        if shape is not None:
            return shape
    return None


def _beginnings(text: str) -> Iterator[tuple[str, str, str]]:
    """Each way to take a triad and a number from the front of a text, the longest first, with what is left."""
    for word in sorted((one for one in _TRIADS if text.startswith(one)), key=len, reverse=True):
        for number in _NUMBERS:
            if text.startswith(number, len(word)):
                rest = text[len(word) + len(number):]
                yield _TRIADS[word], "69" if number.startswith("6") and number != "6" else number, rest


def _class(found: re.Match[str]) -> int:
    return (_LETTERS[found[1]] + found[2].count("#") - found[2].count("b")) % 12


def _endings(rest: str) -> tuple[str, ...] | None:
    """The alterations of a text one after another, the longest word first; None where it holds anything else."""
    words: list[str] = []
    at = 0
    while at < len(rest):
        found = max((one for one in _ENDINGS if rest.startswith(one, at)), key=len, default=None)
        if found is not None:
            words += _ENDINGS[found]
            at += len(found)
        elif rest[at] in _BETWEEN:
            at += 1
        else:
            return None
    return tuple(words)


def _shaped(triad: str, number: str, words: tuple[str, ...]) -> _Shape | None:
    """The quality of a triad, a number and alterations; None where they make no chord."""
    said = list(words)
    if "maj7" in said and number == "":
        said.remove("maj7")
        said += ["#5"] if triad == "aug" else []
        triad, number = {"min": "minmaj", "plain": "maj", "aug": "maj"}.get(triad, ""), "7"
    if "alt" in said and triad == "plain" and number in ("", "7"):
        said.remove("alt")
        number = "7"
    base = _BASES.get((triad, number))
    if base is None or not {"maj7", "alt"}.isdisjoint(said):
        return None
    return _suspended(base, said)


def _suspended(base: _Shape, said: list[str]) -> _Shape | None:
    """A shape with its suspension taken in, and the alterations in order."""
    quality, added = base
    hung = {word for word in said if word in ("sus2", "sus4")}
    others = {*added, *(word for word in said if word not in hung)}
    if hung:
        taken = _SUSPENDED.get((quality, min(hung))) if len(hung) == 1 else None
        if taken is None:
            return None
        quality, more = taken
        others |= set(more)
    plainer = _PLAINER.get((quality, frozenset(others)))
    return (plainer, ()) if plainer else (quality, tuple(one for one in _ORDER if one in others))


def _unreadable(symbol: str) -> SongError:
    return SongError(
        msg("cannot read the chord {symbol!r}", symbol=symbol[:LONGEST_SYMBOL + 8]),
        fix=msg("write for example C, F#m7, Bbmaj7/D, G7b9, Dsus4, or {none} where no chord sounds", none=NO_CHORD),
    )
