"""Written chords: where a request writes chords down, so that a form can hold them in a slot."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from agent.composer.tokens import Token, phrase_tokens
from agent.composer.understanding.asked_chart import AskedChart
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import counted
from agent.song.key import TONICS
from agent.theory.charts.passages import passages
from agent.theory.charts.rows import rows_in

CHORDS = frozenset({"chords", "chord", "symbol", "progression", "each"})
"""The slots that `WrittenChords` reads: any chords, a single one, one that is more than a letter, several, and the
number of bars per chord."""
_BARE = re.compile(r"[A-H][#b♯♭]?[2-5]?")
"""A letter, and a pitch with its octave."""
_LONGEST = 16
"""Bars that a chord lasts at most."""


class _Stretch(Struct, frozen=True):
    """Chords that end before the token `last`; `spoken` ones are named in words, as "D minor seventh"."""

    last: int
    chart: AskedChart
    few: int
    spoken: bool = False

    @property
    def single(self) -> bool:
        return self.few == 1 and self.chart.goes_round


class WrittenChords:
    """The chords written down in a request about an existing song ("use these chords: F G"), by the token where they
    begin."""

    def __init__(self, text: str, tokens: Sequence[Token], lexicon: Lexicon) -> None:
        """`tokens` are those of the text."""
        self._lexicon = lexicon
        self._found: dict[int, _Stretch] = {}
        if not lexicon.song.note_count:
            return
        words = [token.text for token in tokens]
        each = next((found[1] for at in range(len(words)) if (found := self._bars_each(words[at : at + 6]))), 1)
        for one in passages(text, self._is_section):
            own = [at for at, token in enumerate(tokens) if token.start < one.end and token.end > one.start]
            if own and (one.few > 1 or one.form or _is_chord(one.text)):
                self._found[own[0]] = _Stretch(own[-1] + 1, AskedChart(one.text, not one.form, one.form, each), one.few)
        for at in range(len(words)):
            spoken = _spoken(words, at, lexicon)
            if spoken is not None and self._found.get(at, spoken).few == 1:
                self._found[at] = spoken

    def at(self, name: str, items: Sequence[Item], at: int) -> tuple[int, object] | None:
        """(end, value) of the slot `name` at an item, or after a colon there: its chart, or for `each` the number of
        bars per chord. None for none."""
        if name == "each":
            each = self._bars_each([item.text for item in items[at : at + 6]]) if self._found else None
            return (at + each[0], each[1]) if each is not None else None
        first = at + (items[at].text == ":" and at + 1 < len(items))
        found = self._found.get(items[first].first)
        if found is None or not _is_meant(name, found):
            return None
        end = first
        while end < len(items) and items[end].first < found.last:
            end += 1
        if items[end - 1].last > found.last or (found.single and not found.spoken and self._names_key(items, end)):
            return None
        return end, found.chart

    def _bars_each(self, words: Sequence[str]) -> tuple[int, int] | None:
        """How many of the words say how many bars each chord lasts, and how many that are."""
        bars = counted(words, 0, self._lexicon, ("bars",))
        harmony = self._lexicon.words.harmony
        if bars is None or harmony is None or not 1 <= bars[1] <= _LONGEST:
            return None
        behind = (phrase_tokens(phrase) for phrase in harmony.each)
        length = max((len(one) for one in behind if tuple(words[bars[0] : bars[0] + len(one)]) == one), default=0)
        return (bars[0] + length, int(bars[1])) if length else None

    def _names_key(self, items: Sequence[Item], end: int) -> bool:
        """Whether a letter is the tonic of a key, as its mode stands behind it."""
        words = [item.text for item in items[end : end + 2] if item.kind == "word"]
        return bool(words) and self._lexicon.sense(words, 0, "mode") is not None

    def _is_section(self, name: str) -> bool:
        words = name.split()
        found = self._lexicon.sense(words, 0, "section")
        return found is not None and found[0] == len(words)


def _is_meant(name: str, found: _Stretch) -> bool:
    if name == "chord":
        return found.single
    if name == "symbol":
        return found.single and _BARE.fullmatch(found.chart.text) is None
    # "to D minor" alone may be a key
    return not found.spoken and not (name == "progression" and found.single)


def _is_chord(text: str) -> bool:
    """Whether a text may be a chord at all: a single small letter, a number and a meter are words of the sentence."""
    return not (text.replace("/", "").isdecimal() or (text.islower() and len(text) < 2)) and bool(rows_in(text, 1))


def _spoken(words: Sequence[str], at: int, lexicon: Lexicon) -> _Stretch | None:
    """A chord in words: a letter, maybe sharp or flat, and what stands behind it."""
    harmony = lexicon.words.harmony
    letter = words[at]
    if harmony is None or letter[:1] not in "ABCDEFG" or len(letter) > 2:
        return None
    end, tonic = at + 1, letter
    if len(letter) == 1 and end < len(words) and words[end].casefold() in (*harmony.sharp, *harmony.flat):
        tonic, end = letter + ("#" if words[end].casefold() in harmony.sharp else "b"), end + 1
    behind = [word.casefold() for word in words[end : end + 4]]
    found = [(len(row), suffix) for said, suffix in harmony.spoken.items()
             if (row := phrase_tokens(said)) == tuple(behind[: len(row)])]
    if tonic not in TONICS or not found:
        return None
    length, suffix = max(found)
    return _Stretch(end + length, AskedChart(f"{tonic}{suffix}", True, False), 1, spoken=True)
