"""Bar numbers as musicians write them ("bb. 17-24", "(1-12)"), and clock times as places ("at 0:20"), as bars."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import seconds_at, unit_at

_DIGITS = 2
_CLOCK = 3
"""Items of a time as a clock shows it: minutes, colon, seconds."""


class ClockTimes:
    """Replaces times in a request about one song ("at 0:20") by the bars that begin nearest to them."""

    def __init__(self, lexicon: Lexicon) -> None:
        words = lexicon.words.places
        self._lexicon = lexicon
        self._bar, self._at = words.bar[0], words.since[0]
        self._bars, self._opening = words.bar[1], frozenset(words.opening)
        leads = (*words.before, *words.after, *words.since, *words.till, *words.between)
        self._leads = phrase_set(tuple(phrase for phrase in leads if phrase not in words.untimed))
        self._after = frozenset(phrase_tokens(phrase) for phrase in words.after)
        self._rough = frozenset((*lexicon.words.lengths.rough, *words.exactly))
        self._through = frozenset((*words.through, *lexicon.words.grammar.joins))
        self._marks = [phrase_tokens(phrase) for phrase in words.time_marks]

    def read(self, items: Sequence[Item]) -> list[Item]:
        """The items with a bar number in place of every time that follows a word of place."""
        found: list[Item] = []
        at, begun = 0, 0.0
        while at < len(items):
            if (opening := self._first(items, at)) is not None:
                end, bars = opening
                found += [items[at], *bars]
                at = end
                continue
            lead = self._lead(items, at)
            start = at + lead if lead else at + (begun > 0 and items[at].text in self._through)
            time = self._time(items, start, bare=self._texts(items, at, lead) in self._after) if start > at else None
            marked = self._time(items, at, bare=False) if time is None and self._marked(items, at) else None
            time = marked or time
            if time is None or not (lead or marked or time[2] > begun):
                # "from 2:10 to 1:30" is a length
                found.append(items[at])
                begun = 0.0
                at += 1
                continue
            said, end, seconds = time
            first = items[at if marked else start].first
            found += [Item("word", self._at, first, first)] if marked else items[at:start]
            found.append(Item("word", self._bar, first, items[said].first))
            # what ends at a time ends with the bar before it
            bar = max(1, self._bar_of(seconds) - (not lead and not marked))
            found.append(Item("word", str(bar), items[said].first, items[end - 1].last))
            at, begun = end, seconds
        return found

    def _first(self, items: Sequence[Item], at: int) -> tuple[int, list[Item]] | None:
        """Where a length ends with which the song begins, and it as whole bars: "the first 30 seconds"."""
        if items[at].text not in self._opening:
            return None
        read = seconds_at(self._texts(items, at + 1, 6), 0, self._lexicon)
        if read is None:
            return None
        end, first, last = at + 1 + read[0], items[at + 1].first, items[at + read[0]].last
        count = max(1, self._bar_of(read[1]) - 1)
        return end, [Item("word", str(count), first, last), Item("word", self._bars, last, last)]

    def _marked(self, items: Sequence[Item], at: int) -> bool:
        """Whether a time begins at an item that says itself that it is a point: "30 seconds in"."""
        read = seconds_at(self._texts(items, at, 6), 0, self._lexicon) if items[at].text.isdecimal() else None
        return read is not None and self._mark(items, at + read[0]) > 0

    def _texts(self, items: Sequence[Item], at: int, count: int) -> tuple[str, ...]:
        return tuple(item.text for item in items[at : at + count])

    def _lead(self, items: Sequence[Item], at: int) -> int:
        return self._leads.length(self._texts(items, at, 5)) if self._leads.begins(items[at].text) else 0

    def _time(self, items: Sequence[Item], at: int, *, bare: bool) -> tuple[int, int, float] | None:
        """Where the figures of a time begin and its words end, and its seconds.

        Without a colon only what is `bare`, or a mark behind it, makes it a point: "20 seconds in".
        """
        first = at
        while first < len(items) and items[first].text in (*self._rough, *self._lexicon.words.places.articles):
            first += 1
        words = [item.text for item in items[first : first + 8]]
        read = seconds_at(words, 0, self._lexicon) if words else None
        if read is None:
            return None
        end = first + read[0]
        marked = self._mark(items, end)
        clock = len(words) >= _CLOCK and words[1] == ":" and len(words[2]) == _DIGITS
        if not (clock or marked or bare):
            return None
        return first, end + marked, read[1]

    def _mark(self, items: Sequence[Item], at: int) -> int:
        """How many words make a time a point in the song: "20 seconds in", "the 0:20 mark"."""
        texts = self._texts(items, at, 4)
        return next((len(phrase) for phrase in self._marks if texts[: len(phrase)] == phrase), 0)

    def _bar_of(self, seconds: float) -> int:
        song = self._lexicon.song
        at = song.tempo_map.ticks(seconds)
        bar = song.bar_map.bar_at(at)
        start, end = song.bar_map.start_of(bar), song.bar_map.start_of(bar + 1)
        return bar + (at - start > end - at)


_RANGE = "–"
_MOST_DIGITS = 4
_CHORDAL = 13
"""The highest number that stands behind a letter in the name of a chord: B13 is one, M25 is none."""

_LOWEST_TEMPO = 40
"""A number from here on may be one of a tempo: "slow it down from 120"."""


class BarNumbers:
    """Recognises bar numbers in a request about one song. `bracketed` are the tokens right after an opening bracket."""

    def __init__(self, lexicon: Lexicon, spoken: Sequence[str], bracketed: Collection[int] = ()) -> None:
        words = lexicon.words.places
        self._lexicon = lexicon
        self._spoken = spoken
        self._bracketed = bracketed
        self._bar = words.bar[0]
        self._bars = frozenset(words.bar)
        self._short = frozenset(words.short)
        self._numbered = frozenset(words.numbered)
        self._joins = frozenset((*lexicon.words.grammar.joins, *words.through))
        self._onward = _longest_first(words.onward)
        self._since = _longest_first(words.since)
        self._from = _longest_first(words.from_number)
        self._spots = _longest_first(words.at_number)
        around = (words.within, words.since, words.before, words.after, words.only, words.without)
        self._around = frozenset(phrase for phrases in around for phrase in phrases)

    def read(self, items: Sequence[Item]) -> list[Item]:
        """The items with the word "bar" inserted before every number that is that of a bar: "from 5 to 9"."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            short = self._abbreviated(items, at)
            if short:
                last = items[at + short - 1].last
                found.append(Item("word", self._bar, items[at].first, last))
                at += short
                continue
            said = self._is_bar(items, at) or (any(one.text in self._bars for one in found) and self._ends(items, at))
            if said and not (found and found[-1].text in self._bars):
                found.append(Item("word", self._bar, items[at].first, items[at].first))
            found.append(items[at])
            at += 1
        return found

    def _abbreviated(self, items: Sequence[Item], at: int) -> int:
        """How many items before a number stand for the word bar: "bb.", "m", "bar no.", "bar number"."""
        text = items[at].text
        end = at + 1
        if text in self._bars:
            if end < len(items) and items[end].text in self._numbered:
                end += 1
            end += end - at > 1 and _dot(items, end)
            return end - at if end - at > 1 and _figure(items, end) else 0
        if text not in self._short or (at and items[at - 1].text == "." and at > 1 and items[at - 2].text == text):
            return 0
        dotted = _dot(items, end)
        end += dotted
        if not _figure(items, end):
            return 0
        sure = dotted or len(text) > 1 or int(items[end].text) > _CHORDAL or _ranged(items, end)
        placed = at > 0 and items[at - 1].text in self._around and self._spoken[items[at].first].islower()
        return end - at if sure or placed else 0

    def _is_bar(self, items: Sequence[Item], at: int) -> bool:
        """Whether a number alone is one of a bar, by what stands around it."""
        if not _figure(items, at):
            return False
        whole = self._lexicon.song.bars
        number, ranged = int(items[at].text), _ranged(items, at)
        end = at + (3 if ranged else 1)
        if not 0 < number <= whole or self._measured(items, end) or (at and items[at - 1].text in (_RANGE, "/")):
            return False
        before = [item.text for item in items[max(0, at - 6) : at]]
        if ranged:
            last = int(items[at + 2].text)
            near = at + 3 >= len(items) or items[at + 3].kind != "word" or items[at].first in self._bracketed
            near = near or items[at + 3].text in self._around or items[at + 3].text in self._joins
            near = near or (at > 0 and items[at - 1].text in self._around)
            return number < last <= whole and near and (at + 3 >= len(items) or items[at + 3].text != _RANGE)
        if _ends(before, self._spots):
            return True
        closes = end >= len(items) or items[end].kind != "word"
        alone = number < _LOWEST_TEMPO and closes and _ends(before, self._from)
        return alone or (_ends(before, self._since) and _begins(items, end, self._onward))

    def _ends(self, items: Sequence[Item], at: int) -> bool:
        """Whether numbers are those of bars because bars were named before: "in bars 34-50, and in 66 to 82"."""
        led = at > 0 and items[at - 1].text in self._around and _figure(items, at)
        to = led and at + 2 < len(items) and items[at + 1].text in self._joins and _figure(items, at + 2)
        if not to or self._measured(items, at + 3):
            return False
        return 0 < int(items[at].text) < int(items[at + 2].text) <= self._lexicon.song.bars

    def _measured(self, items: Sequence[Item], at: int) -> bool:
        words = [item.text for item in items[at : at + 3]]
        if not words:
            return False
        counts = {*self._lexicon.words.grammar.again, *self._lexicon.words.units, "%", "/", ":"}
        colon = words[0] == ":" and not _figure(items, at + 1)
        return (words[0] in counts and not colon) or unit_at(words, 0, self._lexicon) is not None


def _figure(items: Sequence[Item], at: int) -> bool:
    return at < len(items) and items[at].text.isdecimal() and len(items[at].text) <= _MOST_DIGITS


def _dot(items: Sequence[Item], at: int) -> bool:
    return at < len(items) and items[at].text == "."


def _ranged(items: Sequence[Item], at: int) -> bool:
    return at + 1 < len(items) and items[at + 1].text == _RANGE and _figure(items, at + 2)


def _longest_first(phrases: Sequence[str]) -> list[tuple[str, ...]]:
    return sorted((phrase_tokens(phrase) for phrase in phrases), key=len, reverse=True)


def _ends(texts: Sequence[str], phrases: Sequence[tuple[str, ...]]) -> bool:
    return any(tuple(texts[len(texts) - len(phrase) :]) == phrase for phrase in phrases)


def _begins(items: Sequence[Item], at: int, phrases: Sequence[tuple[str, ...]]) -> bool:
    texts = tuple(item.text for item in items[at : at + 4])
    return any(texts[: len(phrase)] == phrase for phrase in phrases)
