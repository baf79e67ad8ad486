"""Parting: where a clause, a reason or a purpose begins in a request."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.understanding.asides import Asides
from agent.composer.understanding.items import Item, merged
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Matcher

PARTED = ("comma", "stop", "break", "aside")
"""Kinds of items that end a clause."""
_LONGEST = 3
"""Words of the longest phrase that parts."""
_LIGHT = 2
"""Words without weight between "so" and the verb of an order: "so just get rid of that"."""
_FORM_BEFORE = 6
"""Words before a purpose among which a form may begin that goes on into it."""


class Parting:
    """Finds where clauses begin in a request ("louder | and make the bass softer"). `operations` finds the patterns
    within which none begins."""

    def __init__(self, lexicon: Lexicon, asides: Asides | None, operations: Matcher[OperationWords]) -> None:
        grammar = lexicon.words.grammar
        self._asides = asides
        self._operations = operations
        self._breaks = phrase_set(grammar.breaks)
        self._reasons, self._purposes = phrase_set(grammar.reasons), phrase_set(grammar.purposes)
        self._causes = phrase_set(grammar.causes)
        self._alike, self._being = frozenset(grammar.alike), frozenset(grammar.being)
        self._verbs = frozenset(grammar.heads) - frozenset(grammar.empty)
        self._heads, self._free = frozenset(grammar.heads), frozenset(grammar.empty)
        self._skip, self._light = frozenset(grammar.skip), frozenset(grammar.light)

    def read(self, items: Sequence[Item]) -> list[Item]:
        """The items, with words that begin a clause, reason or purpose merged into items of their own kind."""
        found: list[Item] = []
        at = 0
        while at < len(items):
            aside = begun(items, at, self._reasons) or self._purpose(items, at) or self._because(items, at)
            length = aside or self._broken(items, at) or self._led(items, at)
            if length:
                found.append(merged(items, at, at + length, "aside" if aside else "break", None))
            else:
                if self._runs_on(items, at):
                    found.append(Item("break", "", items[at].first, items[at].first))
                found.append(items[at])
            at += length or 1
        return found

    def _broken(self, items: Sequence[Item], at: int) -> int:
        """How many items end a clause as a full stop does: not the "but" of "take everything out but the strings"."""
        length = begun(items, at, self._breaks)
        return length if length and not self._spanned(items, at) else 0

    def _led(self, items: Sequence[Item], at: int) -> int:
        """How many items lead from what was said to an order: the "so" of "we are late so make it shorter"."""
        if self._asides is None or items[at].kind != "word":
            return 0
        length = self._asides.leading.at([item.text for item in items[at : at + 3]], 0)
        verb = at + length
        while length and verb < min(len(items), at + length + _LIGHT) and items[verb].text in self._skip:
            verb += 1
        heads = length and verb < len(items) and items[verb].text in self._heads
        return length if heads and not self._spanned(items, at) else 0

    def _runs_on(self, items: Sequence[Item], at: int) -> bool:
        """Whether a clause begins without a sign: "make the drums louder they're too quiet"."""
        if self._asides is None or not at or items[at].kind != "word" or items[at - 1].kind in PARTED:
            return False
        words = [item.text for item in items[at - 1 : at + _FORM_BEFORE]]
        begins = self._asides.begins(words, 1) or self._judged(items, at, self._asides)
        return begins and not self._spanned(items, at)

    def _judged(self, items: Sequence[Item], at: int, asides: Asides) -> bool:
        """Whether the verb of an order stands behind a judgement: "the bells are so annoying delete them"."""
        if items[at].text not in self._verbs:
            return False
        first = next((one + 1 for one in range(at - 1, -1, -1) if items[one].kind in PARTED), 0)
        return asides.judges([item.text for item in items[first:at]])

    def _spanned(self, items: Sequence[Item], at: int) -> bool:
        """Whether a form goes on over an item."""
        before = [one for one in range(max(0, at - _FORM_BEFORE), at) if items[one].kind == "word"]
        found = (self._operations.best(items, one) for one in before)
        return any(form is not None and form.end > at and not form.payload.weak for form in found)

    def _purpose(self, items: Sequence[Item], at: int) -> int:
        """How many items begin a purpose: not those of a form, as in "make it easy so I can play it"."""
        length = begun(items, at, self._purposes)
        before = [one for one in range(max(0, at - _FORM_BEFORE), at) if items[one].kind == "word"]
        said = any(items[one].text not in self._skip and items[one].text not in self._light for one in before)
        if not length or not said:
            return 0
        ordered = self._orders(items, at + length) or self._wished(items, at + length)
        return 0 if ordered or self._spanned(items, at) else length

    def _because(self, items: Sequence[Item], at: int) -> int:
        """How many items begin a reason behind what is asked, with words that may also say how: "as they get bored"."""
        length = begun(items, at, self._causes)
        before = items[at - 1].text if at else ""
        behind = items[at + length].text if at + length < len(items) else ""
        alike = before in self._alike or behind in self._being
        return 0 if not length or not before or alike or self._spanned(items, at) else 1

    def _wished(self, items: Sequence[Item], at: int) -> bool:
        """Whether a wish begins at an item: "so I want the piano replaced"."""
        words = [item.text for item in items[at : at + _FORM_BEFORE]]
        return self._asides is not None and self._asides.wishing.at(words) > 0

    def _orders(self, items: Sequence[Item], at: int) -> bool:
        """Whether a form begins with the verb at an item: "so you replace the piano by an organ"."""
        word = items[at] if at < len(items) and items[at].kind == "word" else None
        verb = word is not None and word.text in self._heads and word.text not in self._free
        return verb and self._operations.worded(items, at) is not None


def begun(items: Sequence[Item], at: int, phrases: PhraseSet) -> int:
    """The number of items of the longest phrase that begins at an item; 0 for none."""
    if items[at].kind != "word" or not phrases.begins(items[at].text):
        return 0
    return phrases.length([item.text for item in items[at : at + _LONGEST]])
