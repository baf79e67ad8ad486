"""Clock times as places: "at 0:20" or "until 1:05" is the bar that sounds then, by the tempo map of the song."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import seconds_at

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
