"""Rows: chords one behind another in a line of words, as symbols, roman numerals or numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

from agent.errors import BandleaderError
from agent.song.chord_symbols import chord
from agent.song.key import Key
from agent.theory.charts.counts import COUNTS, PIECE, count_of
from agent.theory.charts.notation import WRITTEN_OUT, is_no_chord, is_sung, nearest, written_out
from agent.theory.chords import roman
from agent.theory.german_names import NAMES, chord_in_english

_WORD = re.compile(rf"(?P<out>{WRITTEN_OUT})|(?i:{COUNTS})|{PIECE}")
_GAP = re.compile(r"[\s,\-–—→>~]*")
_SPLIT = re.compile(r"[-–—→>~]+")
_SYMBOL = re.compile(r"[A-H](?:#|b|♯|♭)?(?:[^\s;|]{0,14})")
_BARE = re.compile(rf"[A-Ha-h](?:#|b|♯|♭)?[2-5]?|{'|'.join(name.capitalize() for name in NAMES)}")
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
_NOTATIONS = ("symbol", "numeral", "number", "small", "sung")
_SYLLABLE = re.compile(r"do|r[eé]|mi|fa|sol|la|si", re.IGNORECASE)
_IN_KEY = re.compile(r"\bin\s+$")
_ENDING = re.compile(r"\b(?:end(?:s|ing)?|finish(?:es|ing)?|clos(?:e|es|ing)|last|final)\b", re.IGNORECASE)
_STOPS = re.compile(r"[,;.]")
_NEAR = 60
"""Characters before a chord in which a word says that the piece ends on it."""
_ALONE = 3
_OPEN, _SHUT = "(\"'“", ".!?:)\"'”"


class ChordRow(Struct, frozen=True):
    """A row of chords at the characters `start` to `end` (not included) of a line; `sure` if they can be nothing but
    chords."""

    start: int
    end: int
    texts: tuple[str, ...]
    sure: bool

    @property
    def few(self) -> int:
        """The number of its chords."""
        return sum(text not in _HOLDS and count_of(text) is None for text in self.texts)

    @property
    def has_lengths(self) -> bool:
        """Whether it says for how many bars a chord lasts ("C for 4 bars")."""
        return any(one is not None and one.kind in ("lasts", "ahead") for one in map(count_of, self.texts))


class _Word(Struct, frozen=True):
    start: int
    end: int
    texts: tuple[str, ...]
    kinds: frozenset[str]
    spoken: bool = False
    """Whether it is a chord in words: C major."""


def is_bare(text: str) -> bool:
    """Whether a chord is a single letter, which may also be a key, a section ("A") or a word."""
    return _BARE.fullmatch(text) is not None


def rows_in(line: str, least: int = 1) -> list[ChordRow]:
    """The rows of at least `least` chords in a line; all chords of a row are in one notation (symbols, numerals, …)."""
    rows: list[ChordRow] = []
    words = [_word(found) for found in _WORD.finditer(line) if _GAP.fullmatch(found[0]) is None]
    at = 0
    while at < len(words):
        end, kinds = _run(words, at, line)
        own = _own(words[at:end], line)
        if own:
            texts = tuple(text for word in own if not _joins(word) for text in word.texts)
            row = ChordRow(own[0].start, own[-1].end, texts, False)
            if row.few >= least:
                sure = not any(word.spoken for word in own) and _sure(row, kinds, line)
                # "two bars each" makes sure that they are chords, and is said of them from anywhere in a sentence
                last = count_of(texts[-1])
                if last is not None and last.kind == "each":
                    own, texts = own[:-1], texts[:-1]
                rows.append(ChordRow(row.start, own[-1].end, texts, sure))
        at = max(end, at + 1)
    return rows


def _own(words: list[_Word], line: str) -> list[_Word]:
    """The words of a row without those that belong to what stands around it: a key before it, a length behind."""
    if len(words) > 1 and _IN_KEY.search(line[: words[0].start]) and "," in line[words[0].end : words[1].start]:
        words = words[1:]
    while words and (last := count_of(words[-1].texts[0])) is not None:
        chords = sum(not _joins(word) and count_of(word.texts[0]) is None for word in words)
        counts = sum(count_of(word.texts[0]) is not None for word in words)
        apart = len(words) > 1 and "," in line[words[-2].end : words[-1].start]
        if last.kind == "ahead" or (last.kind == "lasts" and counts == 1 and (chords > 1 or apart)):
            # "Am F C G for 16 bars": that is how long it goes round
            words = words[:-1]
        else:
            break
    return words


def _word(found: re.Match[str]) -> _Word:
    """A word with the ways in which it is a chord; signs of the sentence around it left out."""
    text = found[0]
    if found.lastgroup == "out":
        return _Word(found.start(), found.end(), (written_out(text),), frozenset({"symbol"}), spoken=True)
    if count_of(text) is not None:
        return _Word(found.start(), found.end(), (text,), frozenset(_NOTATIONS))
    start = found.start() + len(text) - len(text.lstrip(_OPEN))
    bare = text.strip(_OPEN)
    open_ = bare.count("(") > bare.count(")")
    shut = bare if is_no_chord(bare) else bare.rstrip(_SHUT) + (")" if _closes(bare) and not open_ else "")
    kinds = _kinds(shut)
    texts: tuple[str, ...] = (shut,)
    if not kinds and len(pieces := [one for one in _SPLIT.split(shut) if one]) > 1:
        kinds = frozenset(_NOTATIONS).intersection(*map(_kinds, pieces))
        texts = tuple(pieces) if kinds else texts
    return _Word(start, start + len(shut), texts, kinds)


def _closes(text: str) -> bool:
    """Whether the bracket at the end of a word is one of its own: G7(b9)."""
    bare = text.rstrip(".!?:,")
    return bare.endswith(")") and bare.count("(") == bare.count(")") > 0


@lru_cache(maxsize=4_096)
def _kinds(text: str) -> frozenset[str]:
    """The ways in which a word is a chord; a line is looked at in many parts, and most words come again."""
    return frozenset(_ways(text))


def _ways(text: str) -> Iterator[str]:
    if text in _HOLDS or is_no_chord(text):
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
    if is_sung(text) and (text[0].isupper() or _SYLLABLE.fullmatch(text) is None):
        yield "sung"


def _run(words: list[_Word], first: int, line: str) -> tuple[int, frozenset[str]]:
    """The word behind a row that begins with a word, and how its chords are written."""
    kinds = words[first].kinds
    ahead = count_of(words[first].texts[0])
    if ahead is not None and ahead.kind == "ahead" and first + 1 < len(words):
        end, kinds = _run(words, first + 1, line)
        return (end, kinds) if end > first + 1 else (first, frozenset())
    if kinds == frozenset(_NOTATIONS) and _rests(words, first):
        kinds = frozenset({"symbol"})
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


def _rests(words: list[_Word], first: int) -> bool:
    """Whether a word says for how long nobody plays a chord: N.C. 2 bars."""
    length = count_of(words[first + 1].texts[0]) if first + 1 < len(words) else None
    return is_no_chord(words[first].texts[0]) and length is not None and length.kind == "lasts"


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


def _sure(row: ChordRow, kinds: frozenset[str], line: str) -> bool:
    chords = [text for text in row.texts if text not in _HOLDS and count_of(text) is None]
    counts = [str(one.kind) for text in row.texts if (one := count_of(text)) is not None]
    if "symbol" in kinds and chords and _says_how_long(chords, counts) and not _is_last(line, row.start):
        return True
    if len(chords) < _ALONE:
        return False
    if "symbol" in kinds:
        return any(_BARE.fullmatch(text) is None and not is_no_chord(text) for text in chords)
    if "numeral" in kinds:
        return len({text.casefold() for text in chords}) > 1 and any(len(text) > 1 for text in chords)
    if kinds == frozenset({"sung"}):
        return len(set(chords)) >= _ALONE and any(_SYLLABLE.fullmatch(text) is None for text in chords)
    if "small" in kinds and "number" not in kinds:
        # "a b c d" may be notes, parts or answers; with "am" or "g7" among them they are chords
        plain = sum(text not in _WORDS for text in chords)
        return len(chords) >= _SMALL_ALONE and plain >= _ALONE and any(not _BARE.fullmatch(one) for one in chords)
    return "number" in kinds and any(_MARKED.fullmatch(text) for text in chords)


def _is_last(line: str, at: int) -> bool:
    """Whether the clause before a place says that something ends there."""
    return _ENDING.search(_STOPS.split(line[max(0, at - _NEAR) : at])[-1]) is not None


def _says_how_long(chords: Sequence[str], counts: Sequence[str]) -> bool:
    """Whether the lengths of a row make sure that it is chords: "two bars each", "D-7 for 16 bars"."""
    if len(chords) == 1:
        return counts == ["lasts"] and _BARE.fullmatch(chords[0]) is None
    return "each" in counts or sum(kind in ("lasts", "ahead") for kind in counts) > 1


def _reads(text: str) -> bool:
    try:
        chord(chord_in_english(text))
    except BandleaderError:
        return False
    return True


def _reads_numeral(text: str) -> bool:
    try:
        roman(text, Key("C"))
    except BandleaderError:
        return False
    return True
