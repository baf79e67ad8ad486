"""Part slots: the parts, and lists of them, that stand in a form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast

from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.understanding.items import Item, Referring, RemainingParts, determines
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.wishes import Wish

Part = Wish | Referring | RemainingParts
_ADJECTIVES = 3
_LIST = 12
_LONGEST = 5
"""Words of the longest phrase around a part."""


class Opens(Protocol):
    """Tells whether a pattern that begins with a part goes on after it."""

    def __call__(self, items: Sequence[Item], at: int) -> bool:
        """Whether one begins at the item."""


class PartSlots:
    """Reads parts, and lists of them, from the words of one request. `fixed` are words of patterns, which are never
    adjectives of a part."""

    def __init__(self, lexicon: Lexicon, fixed: frozenset[str]) -> None:
        self._lexicon = lexicon
        self._fixed = fixed
        grammar = lexicon.words.grammar
        self._skip = frozenset(grammar.skip)
        self._told = fixed.union(grammar.skip, grammar.light, grammar.empty, grammar.joins, grammar.there)
        self._joins = frozenset((*grammar.joins, *grammar.either))
        self._either, self._afresh = frozenset(grammar.either), frozenset(grammar.afresh)
        self._own_articles = frozenset(lexicon.words.places.articles) - self._afresh
        self._referring = frozenset(grammar.referring)
        goals = lexicon.words.goals
        works = (*goals.works, *goals.existing)
        self._of_works = tuple(f"of {article}{work}" for work in works for article in ("", "the "))
        self._plural, self._rest = frozenset(grammar.plural), phrase_set(grammar.rest)
        parts = lexicon.words.parts
        self._all_but = phrase_set(parts.all_but if parts is not None else ())
        self._leading = phrase_set(parts.leading if parts is not None else ())
        self._relative = phrase_set(parts.relative if parts is not None else ())
        self._playing = frozenset(parts.playing if parts is not None else ())
        self._trailing = phrase_set(parts.trailing if parts is not None else ())
        self._qualities = frozenset(parts.qualities if parts is not None else ())
        attributes = parts.attributes.values() if parts is not None else ()
        self._attributes = frozenset(word for words in attributes for word in words)
        self._new = frozenset((*grammar.determiners, *grammar.adding)) - self._own_articles
        self.opens: Opens = lambda _items, _at: False

    def several(
        self, items: Sequence[Item], at: int, *, opening: bool, refused: bool = False, opens: Opens | None = None
    ) -> tuple[int, tuple[Part, ...]] | None:
        """(end, parts) of a list that begins at an item; None for none.

        With `opening` no adjectives may stand before the parts; with `refused` a comma ends the list unless "or"
        follows; the list ends where `opens` finds that a pattern begins.
        """
        if length := _phrase(items, at, self._all_but):
            spared = self.several(items, at + length, opening=False, refused=refused, opens=opens)
            plain = spared is not None and not any(isinstance(part, RemainingParts) for part in spared[1])
            if not spared or not plain:
                return None
            return spared[0], (RemainingParts(cast("tuple[Wish | Referring, ...]", spared[1])),)
        rest = _phrase(items, at, self._rest)
        if rest and self._of_song(items, at + rest):
            return None
        if rest:
            said = (number_at([one.text], 0, self._lexicon) for one in items[at : at + rest])
            return at + rest, (RemainingParts(count=next((int(one[1]) for one in said if one is not None), 0)),)
        first = self.one(items, at, adjectives=not opening)
        if first is None:
            pointing = self._plural if opening else self._referring
            pointed = items[at].text in pointing and not determines(items, at, self._own_articles, self._told)
            return (at + 1, (Referring(),)) if pointed else None
        end, parts = first[0], [cast("Part", first[1])]
        while len(parts) < _LIST and (next_at := self._carried_on(items, end, refused=refused)) is not None:
            if opens is not None and opens(items, next_at):
                break
            more = self.one(items, next_at, adjectives=not opening)
            if more is None:
                break
            end = more[0]
            parts.append(more[1])
        return end, tuple(dict.fromkeys(parts))

    def _of_song(self, items: Sequence[Item], at: int) -> bool:
        """Whether a rest is one of the song, and so no parts but bars: "the rest of the song"."""
        text = " ".join(item.text for item in items[at : at + 4])
        return text.startswith(self._of_works)

    def behind_moods(self, items: Sequence[Item], at: int) -> int:
        """The index after at most two words that only say how a part should sound ("a warm pad")."""
        ahead = at
        while ahead < at + _ADJECTIVES and self._lexicon.wish_at(words_from(items, ahead), 0) is None:
            mood = self._lexicon.sense(words_from(items, ahead), 0, "mood")
            if mood is None:
                break
            ahead += mood[0]
        return ahead if ahead < len(items) else at

    def led(self, items: Sequence[Item], at: int) -> int:
        """The number of items that only lead to a part ("something like a"); 0 for none."""
        return _phrase(items, at, self._leading)

    def is_new(self, part: Part) -> bool:
        """Whether the part is a player that the song lacks."""
        return isinstance(part, Wish) and not part.whole_role and not self._lexicon.has_already(part)

    def own(self, items: Sequence[Item], at: int) -> tuple[int, tuple[Part, ...]] | None:
        """(end, parts) of parts that the song has and no indefinite article makes new ("the melody", not "a melody");
        None for none."""
        before = items[at - 1].text if at else ""
        if before in self._afresh or items[at].text in self._afresh:
            return None
        found = self.several(items, at, opening=True, refused=False, opens=self._new_at)
        if found is None or not all(not isinstance(part, Wish) or self._lexicon.has(part) for part in found[1]):
            return None
        return found

    def _new_at(self, items: Sequence[Item], at: int) -> bool:
        """Whether a list goes on with a part that the song lacks."""
        more = self.one(items, at, adjectives=False)
        return more is not None and not self._lexicon.has(more[1])

    def _carried_on(self, items: Sequence[Item], end: int, *, refused: bool) -> int | None:
        """Where a list goes on after a part, when it does."""
        at, parted, joined = end, False, False
        while at < len(items) and (items[at].kind == "comma" or items[at].text in self._joins):
            parted = parted or items[at].kind == "comma"
            joined = joined or items[at].kind != "comma"
            at += 1
        if at == end or at - end > 2:
            return None
        if refused and parted and not any(item.text in self._either for item in items[end : end + 7]):
            return None
        if refused and at < len(items) and items[at].text in self._afresh:
            return None
        while at < len(items) and items[at].kind == "word" and items[at].text in self._skip:
            at += 1
        return at if at < len(items) and items[at].kind == "word" else None

    def one(self, items: Sequence[Item], at: int, *, adjectives: bool) -> tuple[int, Wish] | None:
        """(end, part) of a single part at an item, with `adjectives` also after some; None for none."""
        lead = _phrase(items, at, self._leading)
        if lead and at + lead < len(items) and (led := self.one(items, at + lead, adjectives=False)) is not None:
            return led
        if _phrase(items, at, self._relative):
            return self.played(items, at)
        described = adjectives and at > 0 and items[at - 1].text in self._new
        for skipped in range(_ADJECTIVES + 1 if adjectives else 1):
            if at + skipped >= len(items) or items[at + skipped].kind != "word":
                return None
            words = words_from(items, at + skipped)
            found = self._lexicon.wish_at(words, 0)
            style = self._lexicon.sense(words, 0, "style")
            if found is not None and not (style is not None and style[0] > found[0]):
                end, wish = at + skipped + found[0], found[1]
                if described and self._described(items, at, at + skipped) and self._says_else(items, at, skipped, wish):
                    return None
                if at and items[at - 1].text in self._own_articles and end < len(items):
                    both = self._lexicon.both_at(wish, words_from(items, end))
                    end, wish = (end + both[0], both[1]) if both is not None else (end, wish)
                return end + _phrase(items, end, self._trailing), wish
            if style is not None and any(one.text in self._new for one in items[max(0, at - 1) : at + skipped]):
                return None
            if adjectives and (words[0] in self._qualities or (described and words[0] in self._attributes)):
                continue
            if words[0] in self._fixed or words[0] in self._joins or words[0][:1].isdecimal():
                return None
        return None

    def played(self, items: Sequence[Item], at: int) -> tuple[int, Wish] | None:
        """(end, part) of a phrase for what a part plays ("what the tenor sang"); None for none."""
        relative = _phrase(items, at, self._relative)
        said = self.one(items, at + relative, adjectives=False) if relative and at + relative < len(items) else None
        whole = said is not None and said[0] < len(items) and items[said[0]].text in self._playing
        return (said[0] + 1, said[1]) if said is not None and whole else None

    def _says_else(self, items: Sequence[Item], at: int, skipped: int, wish: Wish) -> bool:
        """Whether words before a part say no attribute of it: it is there already, or they are a mood alone."""
        mood = skipped == 1 and self._lexicon.sense([items[at].text], 0, "mood") is not None
        return mood or self._lexicon.has(wish)

    def _described(self, items: Sequence[Item], first: int, last: int) -> bool:
        """Whether words say how a new part plays."""
        return any(items[at].text in self._attributes for at in range(first, last))


def words_from(items: Sequence[Item], at: int) -> list[str]:
    """The words from an item on, up to the first item that is no word, at most eight."""
    found: list[str] = []
    for item in items[at : at + 8]:
        if item.kind != "word":
            break
        found.append(item.text)
    return found


def _phrase(items: Sequence[Item], at: int, phrases: PhraseSet) -> int:
    """How many items the longest of the phrases takes that stands at an item."""
    begun = at < len(items) and phrases.begins(items[at].text)
    return phrases.length([item.text for item in items[at : at + _LONGEST]]) if begun else 0
