"""Tempo figures: how people write a number of beats in a minute, exact, nearly, or between two."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from msgspec import Struct

from agent.composer.piece_words import FigureWords
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import is_figure, unit_at

_LEAST, _MOST = 30.0, 300.0
_DOT = 1.5
_RANGE = "–"
_GROUPS = frozenset({2, 3, 4, 5})


class TempoFigure(Struct, frozen=True):
    """A tempo in quarter notes per minute, from `length` tokens; a range if `high` differs from `low`."""

    length: int
    low: float
    high: float


def tempo_at(tokens: Sequence[str], at: int, lexicon: Lexicon) -> TempoFigure | None:
    """The tempo that casefolded tokens at index `at` state in another way than as a number and BPM; None for none."""
    if lexicon.words.figures is None or not _may_begin(tokens, at, lexicon.words.figures):
        return None
    reader = _Reader(tokens, lexicon)
    return reader.note_value(at) or reader.per_value(at) or reader.between(at) or reader.nearly(at)


def stated_tempo_at(tokens: Sequence[str], at: int, lexicon: Lexicon) -> TempoFigure | None:
    """Like `tempo_at`, but for a single tempo, not a range: "126ish", "crotchet = 72", "60 to the quarter"."""
    if lexicon.words.figures is None or not _may_begin(tokens, at, lexicon.words.figures):
        return None
    reader = _Reader(tokens, lexicon)
    return reader.note_value(at) or reader.per_value(at) or reader.nearly(at)


def grouping_at(tokens: Sequence[str], at: int, beats: int, lexicon: Lexicon) -> tuple[int, tuple[int, ...]]:
    """The number of tokens that group the beats of a bar (2+2+3 for 7/8), and the groups; (0, ()) for none."""
    found: list[int] = []
    leading = _Reader(tokens, lexicon).grouped(at) if lexicon.words.figures is not None else 0
    end = at + leading
    while end < len(tokens) and (tokens[end] == _RANGE or (tokens[end].isdecimal() and int(tokens[end]) in _GROUPS)):
        if tokens[end] != _RANGE:
            found.append(int(tokens[end]))
        end += 1
        if sum(found) >= beats:
            break
    return (end - at, tuple(found)) if len(found) > 1 and sum(found) == beats else (0, ())


def _may_begin(tokens: Sequence[str], at: int, words: FigureWords) -> bool:
    """Whether a token is a figure or a word with which a tempo begins: most are neither."""
    return 0 <= at < len(tokens) and (tokens[at] in _beginning(words) or is_figure(tokens[at]))


@once_for_same
def _beginning(words: FigureWords) -> frozenset[str]:
    """The words with which a tempo may begin."""
    rows = map(phrase_tokens, (*words.dotted, *words.between, *words.about))
    return frozenset((*(value.split()[0] for value in words.values), *(row[0] for row in rows if row)))


class _Reader:
    """Looks at the tokens around a place."""

    def __init__(self, tokens: Sequence[str], lexicon: Lexicon) -> None:
        assert lexicon.words.figures is not None
        self._tokens = tokens
        self._lexicon = lexicon
        self._words = lexicon.words.figures

    @cached_property
    def _following(self) -> frozenset[str]:
        """Words that may stand behind a tempo that is only nearly told."""
        words = self._lexicon.words
        joining = (*words.grammar.joins, *words.bindings.add, *words.grammar.breaks, *words.lengths.hedging)
        return frozenset((*joining, "in", "but"))

    def note_value(self, at: int) -> TempoFigure | None:
        """`crotchet = 92`, `dotted quarter note = 50`, `q=84`, `quaver at 320`."""
        value = self._value(at)
        if value is None:
            return None
        behind = at + value[0]
        while step := self._phrase(behind, self._words.equals) or self._phrase(behind, self._words.about):
            behind += step
        number = self._number(behind)
        if number is None or self._unit(behind + 1)[1] not in ("", "bpm"):
            return None
        quarters = number * value[1]
        behind += 1 + self._phrase(behind + 1, self._words.ish)
        return self._figure(at, behind, quarters, quarters)

    def per_value(self, at: int) -> TempoFigure | None:
        """`60 to the quarter`, `72 crotchets a minute`."""
        number = self._number(at)
        per = self._phrase(at + 1, self._words.per) if number is not None else 0
        value = self._value(at + 1 + per) if number is not None else None
        if number is None or value is None:
            return None
        end = at + 1 + per + value[0]
        minute = self._phrase(end, self._words.minute)
        if not (per or minute):
            return None
        return self._figure(at, end + minute, number * value[1], number * value[1])

    def _value(self, at: int) -> tuple[int, float] | None:
        """How many tokens a note value spans, maybe dotted, and its quarter notes."""
        dot = self._phrase(at, self._words.dotted)
        for length in (2, 1):
            number = self._words.values.get(" ".join(self._tokens[at + dot : at + dot + length]))
            if number is not None:
                return dot + length, number * (_DOT if dot else 1.0)
        return None

    def grouped(self, at: int) -> int:
        """Tokens that lead to the groups of a bar."""
        return self._phrase(at, self._words.grouped)

    def between(self, at: int) -> TempoFigure | None:
        """`between 90 and 100`, `90-100 bpm`, `80 to 90 bpm`."""
        begun = self._phrase(at, self._words.between) or self._phrase(at, self._words.about)
        begun += self._phrase(at + begun, self._words.between) if begun else 0
        low = self._number(at + begun)
        link = at + begun + 1
        dash = self._tokens[link : link + 1] == [_RANGE]
        step = 1 if dash else self._phrase(link, self._words.to)
        high = self._number(link + step) if step else None
        if low is None or high is None or not _LEAST <= low < high <= _MOST:
            return None
        end = link + step + 1
        length, unit = self._unit(end)
        if unit == "bpm":
            end += length
        elif unit or not begun or not self._closes(end):
            return None
        return self._figure(at, end, low, high)

    def nearly(self, at: int) -> TempoFigure | None:
        """`around 142`, `ca. 138`, `110ish`."""
        about = self._phrase(at, self._words.about)
        first = at + about
        while about and first < len(self._tokens) and self._tokens[first] == ".":
            first += 1
        number = self._number(first)
        if number is None or not _LEAST * 1.3 <= number <= _MOST:
            return None
        end = first + 1
        ish = self._phrase(end, self._words.ish)
        length, unit = self._unit(end + ish)
        if unit == "bpm":
            end += ish + length
        elif unit or not (ish or (about and self._closes(end))):
            return None
        else:
            end += ish
        return self._figure(at, end, number, number) if about or ish else None

    def _figure(self, at: int, end: int, low: float, high: float) -> TempoFigure | None:
        return TempoFigure(end - at, low, high) if 20 <= low <= high <= 999 else None

    def _number(self, at: int) -> float | None:
        if not 0 <= at < len(self._tokens) or not is_figure(self._tokens[at]):
            return None
        return float(self._tokens[at].replace(",", ".")[:12])

    def _unit(self, at: int) -> tuple[int, str]:
        return unit_at(self._tokens, at, self._lexicon) or (0, "")

    def _closes(self, at: int) -> bool:
        return at >= len(self._tokens) or not self._tokens[at].isalnum() or self._tokens[at] in self._following

    def _phrase(self, at: int, phrases: Sequence[str]) -> int:
        """Tokens of the longest of some phrases that stands at a place; 0 where none does."""
        if not 0 <= at < len(self._tokens):
            return 0
        found = _by_first(tuple(phrases)).get(self._tokens[at], ())
        return max((len(one) for one in found if tuple(self._tokens[at : at + len(one)]) == one), default=0)


@lru_cache(maxsize=64)
def _by_first(phrases: tuple[str, ...]) -> dict[str, list[tuple[str, ...]]]:
    """The tokens of phrases by their first one: most words of a request begin none."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for tokens in filter(None, map(phrase_tokens, phrases)):
        found.setdefault(tokens[0], []).append(tokens)
    return found
