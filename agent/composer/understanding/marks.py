"""Marks: how far something goes and under which condition, read before what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.form_index import FormIndex
from agent.composer.operation_words import OperationWords
from agent.composer.same_objects import once_for_same
from agent.composer.understanding.items import If, Item, Measure, Often, Referring, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Matcher
from agent.composer.understanding.slots import SlotReader
from agent.composer.understanding.wishes import Wish
from agent.composer.vocabulary import Vocabulary

_SLIGHT, _STRONG = 0.5, 1.5
_RAREST = 999
"""Bars from one time to the next, at most."""


class MarkReader:
    """Replaces words for conditions ("if there are drums"), amounts ("a bit") and frequency ("every 4 bars") by items
    with a value."""

    def __init__(self, lexicon: Lexicon, slots: SlotReader) -> None:
        words = lexicon.words
        skip = frozenset(words.grammar.skip)
        self._conditions: Matcher[bool] = Matcher(_conditions(words), skip, slots)
        self._amounts: Matcher[float] = Matcher(_amounts(words), frozenset(), slots)
        self._often: Matcher[int] = Matcher(_often(words), frozenset(), slots)

    def conditions(self, items: Sequence[Item]) -> list[Item]:
        """The items with conditions merged into items of their own."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            match = self._conditions.best(items, at) if items[at].kind == "word" else None
            parts = match.value("part") if match is not None else None
            if match is not None:
                about = parts[0] if isinstance(parts, tuple) and isinstance(parts[0], Wish) else Referring()
                found.append(merged(items, at, match.end, "condition", If(about, match.payload)))
                at = match.end
            else:
                found.append(items[at])
                at += 1
        return found

    def often(self, items: Sequence[Item]) -> list[Item]:
        """The items with phrases for how often merged into items of their own."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            match = self._often.best(items, at) if items[at].kind == "word" else None
            if match is None:
                found.append(items[at])
                at += 1
                continue
            said = match.value("number") or match.value("ordinal")
            bars = match.payload or (int(float(str(said))) if said is not None else 1)
            found.append(merged(items, at, match.end, "often", Often(max(1, min(_RAREST, bars)))))
            at = match.end
        return found

    def amounts(self, items: Sequence[Item], operations: Matcher[OperationWords]) -> list[Item]:
        """The items with amounts merged into items of their own, unless an operation explains more words ("half as
        fast")."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            match = self._amounts.best(items, at) if items[at].kind == "word" else None
            other = operations.best(items, at) if match is not None else None
            if match is None or (other is not None and other.end > match.end and other.weight > match.weight):
                found.append(items[at])
                at += 1
                continue
            number = match.value("number")
            share = number / 100 if isinstance(number, float) else 0.0
            measure = Measure(share, exact=True) if isinstance(number, float) else Measure(match.payload)
            found.append(merged(items, at, match.end, "amount", measure))
            at = match.end
        return found


@once_for_same
def _conditions(words: Vocabulary) -> FormIndex[bool]:
    return FormIndex((words.parser.elements(form), one.present) for one in words.conditions for form in one.forms)


@once_for_same
def _amounts(words: Vocabulary) -> FormIndex[float]:
    amounts = words.amounts
    factors = ((_SLIGHT, amounts.slight), (_STRONG, amounts.strong), (0.0, amounts.percent))
    return FormIndex((words.parser.elements(form), factor) for factor, forms in factors for form in forms)


@once_for_same
def _often(words: Vocabulary) -> FormIndex[int]:
    """Forms of how often by the bars that they say, 0 where a number says it."""
    often = words.often
    counts = ((0, often.every), (1, often.each), (2, often.other))
    return FormIndex((words.parser.elements(form), bars) for bars, forms in counts for form in forms)
