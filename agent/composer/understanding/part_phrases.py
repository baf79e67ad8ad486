"""Part phrases: parts that come in, read with all that their noun phrase says of them as one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import structs
from msgspec.structs import replace

from agent.composer.added_part_words import AddedPartWords
from agent.composer.operation_words import OperationWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.styles import Role
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.items import Item, PlaceRef
from agent.composer.understanding.lexicon import Lexicon, thing_wish
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.ownership import free_words
from agent.composer.understanding.part_phrase import PartPhrase
from agent.composer.understanding.part_traits import PartTraitReader, PhraseState, phrase_at, words_at
from agent.composer.understanding.scopes import bars_of
from agent.composer.understanding.tasks import Bars
from agent.composer.understanding.wishes import Wish

_WRITTEN = OperationWords(operation="write_part", forms=("{part}",))
_ENDS = ("stop", "break", "aside")
_NOTHING = "nothing"
_GENERAL: tuple[Role, ...] = ("bass", "pad")
"""Roles that may name the player of a new part."""


@dataclass
class _Phrase:
    """A phrase that is being read: the part, the items that name it, and where it was complete last."""

    said: PhraseState
    new: bool = False
    wish: Wish | None = None
    named: tuple[int, int] = (0, 0)
    end: int = 0
    value: PartPhrase = field(default_factory=PartPhrase)

    def settle(self) -> None:
        """What is read so far is complete."""
        self.end, self.value = self.said.at, self.said.phrase


class PartPhraseReader:
    """Finds parts to be added together with all that their noun phrase says ("a soft bass line on the root notes from
    bar 5"), in requests about one song."""

    def __init__(self, lexicon: Lexicon, words: AddedPartWords) -> None:
        self._lexicon = lexicon
        self._traits = PartTraitReader(lexicon, words)
        self._joins = frozenset((*lexicon.words.grammar.joins, *lexicon.words.grammar.either))
        self._limiting = frozenset(lexicon.words.grammar.limiting)
        self._light, self._heads = frozenset(lexicon.words.grammar.light), frozenset(lexicon.words.grammar.heads)
        self._sounds, self._families = words.sounds, words.families
        self._narrowing = frozenset(words.narrowing)
        self._openers, self._by = phrase_set(words.openers), phrase_set(words.by)
        self._indefinite, self._definite = phrase_set(words.indefinite), phrase_set(words.definite)

    def read(
        self, items: list[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> tuple[list[Item], dict[int, FormFit[OperationWords]]]:
        """The items and the matched patterns after reading phrases such as "a soft cello from bar 5 on".

        In the items, the place at which such a part comes in reaches to the end of the song. The patterns, by the index
        of the item where they begin, are `finds` with one for each of these phrases.
        """
        made, items = dict(finds), list(items)
        free = free_words([item.text for item in items], self._lexicon)
        at = 0
        while at < len(items):
            begins = at == 0 or self._parts(items[at - 1]) or self._asks(items, at)
            # who takes a line over is no new part
            begins = begins and not (at in made and made[at].payload.operation == _NOTHING)
            read = self._phrase(items, at, free, _named_in(made, at)) if begins and not self._parts(items[at]) else None
            if read is None or read.wish is None or self._explained(items, finds, free, at, read.end):
                at += 1
                continue
            made = {first: found for first, found in made.items() if not at <= first < read.end}
            fillings = (Filling("part", (read.wish,), *read.named), Filling("phrase", read.value, at, read.end))
            made[at] = FormFit(read.end, _WRITTEN, fillings, max(1, read.end - at))
            for place in read.said.entering:
                if place < read.end:
                    items[place] = _onward(items[place])
            for place in read.said.leading:
                if place < read.end:
                    items[place] = self._before(items[place])
            at = read.end
        return items, dict(sorted(made.items()))

    def _parts(self, item: Item) -> bool:
        """Whether an item stands between phrases."""
        return item.kind in ("comma", *_ENDS) or item.text in self._joins

    def _asks(self, items: Sequence[Item], at: int) -> bool:
        """Whether an order begins within a clause: "for the end of the lesson please add a soft flute"."""
        refused = items[at - 1].text in self._limiting
        return items[at].text in self._heads and not refused and bool(phrase_at(items, at, self._openers))

    def _explained(
        self, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]], free: frozenset[int],
        first: int, end: int,
    ) -> bool:
        """Whether one form says all of it already, or a form goes on into it or beyond it."""
        if any(at < first < found.end or (first <= at < end < found.end) for at, found in finds.items()):
            return True
        inside = [(at, found) for at, found in finds.items() if first <= at < end]
        telling = {
            at for at in range(first, end)
            if items[at].kind == "word" and at not in free and items[at].text not in self._light
        }
        return len(inside) == 1 and telling <= set(range(inside[0][0], inside[0][1].end))

    def _phrase(
        self, items: Sequence[Item], start: int, free: frozenset[int], before: tuple[Wish, ...]
    ) -> _Phrase | None:
        read = _Phrase(PhraseState(start, before=before))
        self._open(items, read, free)
        if not self._head(items, read) or not read.new:
            return None
        said = read.said
        while said.at < len(items) and items[said.at].kind not in _ENDS:
            if self._parts(items[said.at]):
                read.settle()
                while said.at < len(items) and self._parts(items[said.at]) and items[said.at].kind not in _ENDS:
                    said.at += 1
                if said.at >= len(items) or items[said.at].kind in _ENDS:
                    break
            if not self._traits.any(items, said, free):
                break
        whole = said.at >= len(items) or items[said.at].kind in _ENDS
        if whole and not self._parts(items[said.at - 1]):
            read.settle()
        limited = not whole and self._limited(items, read.end)
        return read if read.end and read.value.says and not limited else None

    def _limited(self, items: Sequence[Item], at: int) -> bool:
        """Whether what follows a phrase limits it in words that were not understood: ", only in the second verse"."""
        while at < len(items) and (items[at].kind == "comma" or items[at].text in self._joins):
            at += 1
        first = items[at].text.partition(" ")[0] if at < len(items) else ""
        return first in self._narrowing and at < len(items) and items[at].kind == "word"

    def _open(self, items: Sequence[Item], read: _Phrase, free: frozenset[int]) -> None:
        """Pass what asks for the part and the places before it."""
        said = read.said
        while said.at < len(items):
            determined = phrase_at(items, said.at, self._indefinite) or phrase_at(items, said.at, self._definite)
            idle = said.at in free and items[said.at].kind == "word" and items[said.at].text not in self._limiting
            if self._traits.doubled(items, said):
                read.new = True
            elif length := phrase_at(items, said.at, self._openers):
                read.new, said.at = True, said.at + length
            elif items[said.at].kind == "place" or (idle and not determined):
                said.at += 1
            else:
                return

    def _head(self, items: Sequence[Item], read: _Phrase) -> bool:
        """Read determiners, what stands before the instrument, and the instrument."""
        said = read.said
        definite = phrase_at(items, said.at, self._definite)
        indefinite = 0 if definite else phrase_at(items, said.at, self._indefinite)
        said.at += definite or indefinite
        read.new = read.new or bool(indefinite)
        while said.at < len(items) and items[said.at].kind in ("word", "amount"):
            if (found := self._player(items, said.at)) is not None:
                self._named(items, read, said.at, *found)
                return read.wish is not None and not (definite and self._lexicon.has(read.wish))
            if not self._traits.trait(items, said) and not self._traits.colour(items, said):
                break
        led = phrase_at(items, said.at, self._by) if said.phrase.plays else 0
        at = said.at + led
        ahead = PhraseState(at, said.phrase)
        while led and ahead.at < len(items) and self._player(items, ahead.at) is None:
            if not self._traits.trait(items, ahead) and not self._traits.colour(items, ahead):
                break
        player = self._player(items, ahead.at) if led and ahead.at < len(items) else None
        if player is None:
            return False
        said.phrase = ahead.phrase
        self._named(items, read, ahead.at, *player)
        return True

    def _before(self, item: Item) -> Item:
        """The bar before a place to which something leads."""
        ref = item.value
        assert isinstance(ref, PlaceRef)
        bars = bars_of(ref.places[0], self._lexicon.song)
        if bars is None or bars.first < 2:
            return item
        last = bars.first - 1
        return replace(item, value=PlaceRef((Bars(last, last),)))

    def _named(self, items: Sequence[Item], read: _Phrase, at: int, length: int, wish: Wish) -> None:
        own = self._traits.longest(items, at)
        if own is not None and own[0] == length and own[1].plays:
            # a pad is named by what it plays
            self._traits.trait(items, read.said)
        read.wish, read.named, read.said.at = wish, (at, at + length), at + length
        read.new = read.new or not self._lexicon.has(wish)
        read.said.at += self._traits.noun(items, read.said.at)

    def _player(self, items: Sequence[Item], at: int) -> tuple[int, Wish] | None:
        """Length and wish where a player is named at an item, and no longer phrase says what is played."""
        words = words_at(items, at)
        found = self._lexicon.wish_at(words, 0)
        if found is None and len(words) > 1 and words[0] in self._families:
            found = (1, thing_wish(self._lexicon.words.thing(self._families[words[0]])))
        technique = self._lexicon.standing.techniques.longest_at(words, 0)
        plays = technique[1].plays if technique is not None and not technique[1].order else ""
        if technique is not None and plays and (found is None or technique[0] > found[0]):
            named = self._lexicon.wish_at(phrase_tokens(plays), 0)
            found = (technique[0], named[1]) if named is not None else found
        longest = self._traits.longest(items, at)
        if found is None or (longest is not None and longest[0] > found[0]):
            return None
        length, wish = found
        sound = self._sounds.get(" ".join(words_at(items, at)[:length]))
        if sound is not None:
            said = " ".join(words_at(items, at)[:length])
            wish = structs.replace(wish, label=said, instruments=(sound,), whole_role=False)
        named_by = bool(wish.instruments or wish.families or wish.pieces)
        general = wish.whole_role and not wish.pieces and wish.role not in _GENERAL
        return (length, structs.replace(wish, tracks=())) if named_by and not general else None


def _named_in(finds: Mapping[int, FormFit[OperationWords]], at: int) -> tuple[Wish, ...]:
    """The parts that the form before an item is about."""
    parts = next((one for first, found in sorted(finds.items(), reverse=True) if first < at
                  and (one := found.value("part")) is not None), ())
    return tuple(part for part in parts if isinstance(part, Wish)) if isinstance(parts, tuple) else ()


def _onward(item: Item) -> Item:
    """A place at which something comes in, as the stretch from there to the end."""
    ref = item.value
    assert isinstance(ref, PlaceRef)
    return replace(item, value=replace(ref, relation="onward", narrowed=False)) if ref.relation == "in" else item
