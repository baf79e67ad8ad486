"""Given chords: the chord symbols that a request names as those of its piece."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import counted
from agent.composer.understanding.phrases import Phrases
from agent.errors import BandleaderError
from agent.song.chord_symbols import chord

_SYMBOL = re.compile(r"[A-G](?:#|b)?(?:[a-zA-Z0-9#()+°ø]{0,8})")
_BARE = re.compile(r"[A-G](?:#|b)?")
_SIGNS = frozenset(",.;!?:()")
_BETWEEN = frozenset({",", "-", "–", "—", "|", "/"})
_ENDS = frozenset(".;!?")
_FEW, _ALONE = 2, 3
"""Fewest symbols behind a word for chords, and by themselves."""
_MOST = 32
_ROOTS = frozenset("ABCDEFG")


@dataclass(frozen=True)
class GivenChords:
    """Symbols in order, the bars that each lasts, and the numbers of the tokens that say so."""

    symbols: tuple[str, ...] = ()
    bars: int = 1
    tokens: frozenset[int] = frozenset()


def given_chords(
    spoken: Sequence[str], tokens: Sequence[str], joined: Collection[int], phrases: Phrases, lexicon: Lexicon
) -> GivenChords:
    """The chords of the piece; none where several rows of symbols are named, or one for a section alone.

    Tokens `joined` follow the one before them without a space. A lone letter is a chord only in a row that a word for
    chords leads to or that holds other symbols.
    """
    rows = [row for row in _rows(spoken, joined, lexicon) if _is_meant(row, tokens, phrases)]
    if len(rows) != 1 or _of_section(rows[0][0].start, tokens, lexicon):
        return GivenChords()
    row = rows[0]
    symbols = tuple(one.text for one in row)
    first, last = row[0].start, row[-1].end
    while first and (length := _led(first, tokens, phrases)):
        first -= length
    last += phrases.length("called", last)
    last += phrases.length("around", last)
    each, said = _each(tokens, phrases, lexicon)
    return GivenChords(symbols[:_MOST], each, frozenset((*range(first, last), *said)))


@dataclass(frozen=True)
class _Symbol:
    text: str
    start: int
    end: int


def _rows(spoken: Sequence[str], joined: Collection[int], lexicon: Lexicon) -> list[list[_Symbol]]:
    """Runs of symbols with only signs and joins between them."""
    joins = lexicon.words.grammar.joins
    rows: list[list[_Symbol]] = []
    open_, at = False, 0
    while at < len(spoken):
        end = at + 1
        while end < len(spoken) and end in joined and spoken[end] not in _BETWEEN and spoken[end] not in _SIGNS:
            end += 1
        text = "".join(spoken[at:end])
        if _readable(text):
            rows = rows if open_ else [*rows, []]
            rows[-1].append(_Symbol(text, at, end))
            open_ = True
        elif text not in _BETWEEN and text.casefold() not in joins:
            open_ = False
        at = end
    return rows


def _readable(word: str) -> bool:
    if word[:1] not in _ROOTS:
        return False
    if _SYMBOL.fullmatch(word) is None:
        return False
    try:
        chord(word)
    except BandleaderError:
        return False
    return True


def _is_meant(row: Sequence[_Symbol], tokens: Sequence[str], phrases: Phrases) -> bool:
    coloured = sum(_BARE.fullmatch(one.text) is None for one in row)
    announced = _led(row[0].start, tokens, phrases) > 0 or phrases.length("called", row[-1].end) > 0
    return len(row) >= (_FEW if announced else _ALONE) and bool(announced or coloured)


def _led(at: int, tokens: Sequence[str], phrases: Phrases) -> int:
    """Tokens of what leads to chords right before a token: "only with the chords", "the progression:"."""
    longest = min(6, at)
    sign = 1 if at and tokens[at - 1] == ":" else 0
    found = [n for n in range(longest - sign, 0, -1) if phrases.length("chords", at - sign - n) == n]
    return found[0] + sign if found else 0


def _each(tokens: Sequence[str], phrases: Phrases, lexicon: Lexicon) -> tuple[int, range]:
    """Bars of each chord, with the tokens that say so: "two bars each"; one where nothing does."""
    for at in range(len(tokens)):
        length = counted(tokens, at, lexicon, ("bars",))
        each = phrases.length("each", length[0]) if length is not None else 0
        if length is not None and each and length[1] >= 1:
            return int(length[1]), range(at, length[0] + each)
    return 1, range(0)


def _of_section(at: int, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether a section is named in the clause before the chords, which then are its own."""
    while at and tokens[at - 1] not in _ENDS and tokens[at - 1] != ",":
        at -= 1
        sense = lexicon.sense(tokens, at, "section")
        if sense is not None:
            return True
    return False
