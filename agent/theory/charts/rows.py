"""Rows: chords one behind another in a line of words, as symbols, roman numerals or numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.errors import BandleaderError
from agent.song.chord_symbols import chord
from agent.song.key import Key
from agent.theory.charts.lines import times_of
from agent.theory.charts.notation import is_no_chord, nearest
from agent.theory.chords import roman

_WORD = re.compile(r"[^\s,;|]+")
_GAP = re.compile(r"[\s,\-–—→>~]*")
_SPLIT = re.compile(r"[-–—→>~]+")
_SYMBOL = re.compile(r"[A-H](?:#|b|♯|♭)?(?:[^\s,;|]{0,14})")
_BARE = re.compile(r"[A-Ha-h](?:#|b|♯|♭)?[2-5]?")
"""A letter that may be none, and a pitch with its octave."""
_NUMERAL = re.compile(r"[b#]?(?:VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i)(?![A-Za-z]*[e-z]{3})[^\s,;|]{0,8}")
_NUMBER = re.compile(r"[b#]?[1-7](?:-|m|-7|m7|maj7|7|dim|°|sus4?)?(?:/[1-7])?")
_SMALL = re.compile(
    r"[a-h](?:#|b)?(?:maj7|maj9|maj|m7b5|m7|m9|m6|m|7sus4|7b9|7|dim7|dim|sus[24]|add9|6|9|11|13)?(?:/[a-h][#b]?)?"
)
_WORDS = frozenset({"a", "am"})
"""Small chords that are words too."""
_SMALL_ALONE = 4
_MARKED = re.compile(r"[b#]?[1-7](?:-|m)[^\s]*")
_HOLDS = frozenset({"/", ".", "%"})
_JOINS = frozenset({"and", "then", "to", "&", "und"})
_NOTATIONS = ("symbol", "numeral", "number", "small")
_ALONE = 3
_OPEN, _SHUT = "(\"'“", ".!?:)\"'”"


@dataclass(frozen=True)
class Row:
    """Chords at the characters `start` to `end` (not included) of a line; `sure` where they can be nothing else."""

    start: int
    end: int
    texts: tuple[str, ...]
    sure: bool

    @property
    def few(self) -> int:
        """How many chords it has."""
        return sum(text not in _HOLDS and times_of(text) == 1 for text in self.texts)


@dataclass(frozen=True)
class _Word:
    start: int
    end: int
    texts: tuple[str, ...]
    kinds: frozenset[str]


def rows_in(line: str, least: int = 1) -> list[Row]:
    """The rows of a line with at least so many chords; all the chords of one are written in one way."""
    rows: list[Row] = []
    words = [_word(found) for found in _WORD.finditer(line) if _GAP.fullmatch(found[0]) is None]
    at = 0
    while at < len(words):
        end, kinds = _run(words, at, line)
        texts = tuple(text for word in words[at:end] if not _joins(word) for text in word.texts)
        row = Row(words[at].start, words[end - 1].end, texts, False) if end > at else None
        if row is not None and row.few >= least:
            rows.append(Row(row.start, row.end, texts, _sure(row, kinds)))
        at = max(end, at + 1)
    return rows


def _word(found: re.Match[str]) -> _Word:
    """A word with the ways in which it is a chord; signs of the sentence around it left out."""
    text = found[0]
    start = found.start() + len(text) - len(text.lstrip(_OPEN))
    bare = text.strip(_OPEN)
    open_ = bare.count("(") > bare.count(")")
    shut = bare if is_no_chord(bare) else bare.rstrip(_SHUT) + (")" if _closes(bare) and not open_ else "")
    kinds = frozenset(_kinds(shut))
    texts: tuple[str, ...] = (shut,)
    if not kinds and len(pieces := [one for one in _SPLIT.split(shut) if one]) > 1:
        kinds = frozenset(_NOTATIONS).intersection(*(frozenset(_kinds(one)) for one in pieces))
        texts = tuple(pieces) if kinds else texts
    return _Word(start, start + len(shut), texts, kinds)


def _closes(text: str) -> bool:
    """Whether the bracket at the end of a word is one of its own: G7(b9)."""
    bare = text.rstrip(".!?:,")
    return bare.endswith(")") and bare.count("(") == bare.count(")") > 0


def _kinds(text: str) -> Iterator[str]:
    if text in _HOLDS or is_no_chord(text) or times_of(text) > 1:
        yield from _NOTATIONS
        return
    if _SYMBOL.fullmatch(text) and _reads(text):
        yield "symbol"
    if _NUMERAL.fullmatch(text) and _reads_numeral(text):
        yield "numeral"
    if _NUMBER.fullmatch(text):
        yield "number"
    if _SMALL.fullmatch(text):
        yield "small"


def _run(words: list[_Word], first: int, line: str) -> tuple[int, frozenset[str]]:
    """The word behind a row that begins with a word, and how its chords are written."""
    kinds = words[first].kinds
    if not kinds or kinds == frozenset(_NOTATIONS):
        return first, frozenset()
    at = first + 1
    while at < len(words):
        joined = _joins(words[at]) and at + 1 < len(words)
        following = at + joined
        gap = line[words[at - 1].end : words[at].start]
        if _GAP.fullmatch(gap) is None or ("," in gap and kinds == frozenset({"number"})):
            # "1 5 6- 4, 4 bars": what stands behind a comma counts something else
            break
        shared = kinds & words[following].kinds
        if not shared and not joined and _misspelled(words, at, kinds):
            at += 1
            continue
        if not shared or (joined and kinds == frozenset({"number"})):
            break
        kinds, at = shared, following + 1
    return at, kinds


def _joins(word: _Word) -> bool:
    return word.texts[0].casefold() in _JOINS


def _misspelled(words: list[_Word], at: int, kinds: frozenset[str]) -> bool:
    """Whether a word among chords looks like one that cannot be read: it is told, and none is left out silently."""
    text = words[at].texts[0]
    if "symbol" not in kinds or _SYMBOL.fullmatch(text) is None or len(text) > 10:
        return False
    signed = any(sign.isdigit() or sign in "#°ø+Δ" for sign in text[1:])
    between = at + 1 < len(words) and "symbol" in words[at + 1].kinds
    return bool(nearest(text)) and (signed or (between and len(text) < 6))


def _sure(row: Row, kinds: frozenset[str]) -> bool:
    chords = [text for text in row.texts if text not in _HOLDS and times_of(text) == 1]
    if len(chords) < _ALONE:
        return False
    if "symbol" in kinds:
        return any(_BARE.fullmatch(text) is None and not is_no_chord(text) for text in chords)
    if "numeral" in kinds:
        return len({text.casefold() for text in chords}) > 1 and any(len(text) > 1 for text in chords)
    if "small" in kinds and "number" not in kinds:
        # "a b c d" may be notes, parts or answers; with "am" or "g7" among them they are chords
        plain = sum(text not in _WORDS for text in chords)
        return len(chords) >= _SMALL_ALONE and plain >= _ALONE and any(not _BARE.fullmatch(one) for one in chords)
    return "number" in kinds and any(_MARKED.fullmatch(text) for text in chords)


def _reads(text: str) -> bool:
    try:
        chord(text)
    except BandleaderError:
        return False
    return True


def _reads_numeral(text: str) -> bool:
    try:
        roman(text, Key("C"))
    except BandleaderError:
        return False
    return True
