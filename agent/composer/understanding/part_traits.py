"""Part traits: what single words of a part phrase say, such as how loud the part is or on which beats it strikes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from msgspec import structs

from agent.composer.added_part_words import AddedPartWords, Material, PartTrait
from agent.composer.phrase_sets import PhraseSet, phrase_set
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.items import Item, Measure, PlaceRef
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import number_at, steps_at, tonic_at
from agent.composer.understanding.part_phrase import PartPhrase
from agent.composer.understanding.wishes import Wish
from agent.song.key import Key

_LONGEST = 8
_MOST_BEATS = 16
_MARKS = ("place", "amount", "often")
_MOST = 2
_RANKS: tuple[str, ...] = get_args(Material)
_RANKED = ("drone", "roots", "arpeggio", "pulse")
"""What a part can play one as well as the other: what is said last holds."""


@dataclass
class PhraseState:
    """What was read of a part phrase so far, up to the item `at`.

    `entering` and `leading` are items with places from which the part plays on, or to which it leads; `before` are
    parts named before it; `factor` is how strong the next trait is.
    """

    at: int
    phrase: PartPhrase = field(default_factory=PartPhrase)
    factor: int = 1
    entering: tuple[int, ...] = ()
    leading: tuple[int, ...] = ()
    before: tuple[Wish, ...] = ()


class PartTraitReader:
    """Reads the traits of a part phrase ("a soft, low cello on the roots") one by one. Each method that gets the state
    `said` returns whether it read anything, and then moves `PhraseState.at` behind that."""

    def __init__(self, lexicon: Lexicon, words: AddedPartWords) -> None:
        self._lexicon = lexicon
        self._joins = frozenset((*lexicon.words.grammar.joins, *lexicon.words.grammar.either, "+", "/"))
        self._limiting = frozenset(lexicon.words.grammar.limiting)
        self._definite = phrase_set(words.definite)
        self._passing = phrase_set((*words.passing, *words.colours))
        self._colours = phrase_set(words.colours)
        self._strongly, self._slightly = phrase_set(words.strongly), phrase_set(words.slightly)
        self._by = phrase_set(words.by)
        self._referring = frozenset(lexicon.words.grammar.referring)
        self._entering, self._on, self._nouns = map(phrase_set, (words.entering, words.on, words.nouns))
        self._beside: tuple[tuple[str, PhraseSet], ...] = (
            ("of", phrase_set(words.doubling)), ("above", phrase_set(words.above)), ("below", phrase_set(words.below)),
            ("", phrase_set(words.against)), ("softer", phrase_set(words.softer)),
        )
        self._traits = _traits(words)

    def any(self, items: Sequence[Item], said: PhraseState, free: frozenset[int]) -> bool:
        """Read anything that can stand after the instrument into `said`; False if there is nothing. `free` are the
        items without a meaning of their own."""
        item = items[said.at]
        if item.kind in _MARKS:
            said.factor = 2 if isinstance(item.value, Measure) and item.value.factor > 1 else 1
            if isinstance(item.value, PlaceRef) and said.phrase.plays == "roll":
                said.leading = (*said.leading, said.at)
            said.at += 1
            return True
        return item.kind == "word" and (
            self._entrance(items, said) or self._other_part(items, said) or self._numbered(items, said)
            or self.trait(items, said) or self._value(items, said) or self._passed(items, said, free)
        )

    def trait(self, items: Sequence[Item], said: PhraseState) -> bool:
        """Read a trait, with an intensifier before it ("very soft"), into `said`; False if there is none."""
        at, factor = said.at, said.factor
        if length := phrase_at(items, at, self._strongly):
            at, factor = at + length, _MOST
        elif length := phrase_at(items, at, self._slightly):
            at += length
        found = self.longest(items, at)
        if found is None:
            at, factor = said.at, said.factor
            found = self.longest(items, at)
        if found is not None and found[1].plays == "lead" and at and phrase_at(items, at - 1, self._definite):
            # "the tune" is one that is there
            return False
        grid = self._lexicon.sense(words_at(items, at), 0, "grid") if at < len(items) else None
        if found is None or (grid is not None and grid[0] > found[0]):
            return False
        said.phrase, said.at, said.factor = _with(said.phrase, found[1], factor), at + found[0], 1
        return True

    def doubled(self, items: Sequence[Item], said: PhraseState) -> bool:
        """Read what is to be doubled, before the player who does it ("double the bass with a tuba"), into `said`; False
        if there is nothing."""
        length = phrase_at(items, said.at, self._beside[0][1])
        own = self._own(items, said.at + length, said.before) if length else None
        by = phrase_at(items, own[0], self._by) if own is not None else 0
        if own is None or not by:
            return False
        said.phrase, said.at = structs.replace(said.phrase, plays="double", of=own[1]), own[0] + by
        return True

    def colour(self, items: Sequence[Item], said: PhraseState) -> bool:
        """Skip a word before the instrument that only describes its sound ("fat"), or intensifies the next word; False
        if there is none."""
        length = phrase_at(items, said.at, self._colours) or phrase_at(items, said.at, self._strongly)
        length = length or phrase_at(items, said.at, self._slightly) or int(items[said.at].kind == "amount")
        said.at += length
        return bool(length)

    def noun(self, items: Sequence[Item], at: int) -> int:
        """The number of items after an instrument that only repeat that it is a part ("line"); 0 for none."""
        return 0 if self.longest(items, at) is not None else phrase_at(items, at, self._nouns)

    def longest(self, items: Sequence[Item], at: int) -> tuple[int, PartTrait] | None:
        """Length and trait of the longest phrase at an item; None for none."""
        words = tuple(words_at(items, at))
        lengths = range(len(words), 0, -1)
        return next(((n, self._traits[words[:n]]) for n in lengths if words[:n] in self._traits), None)

    def _entrance(self, items: Sequence[Item], said: PhraseState) -> bool:
        length = phrase_at(items, said.at, self._entering)
        ahead = PhraseState(said.at + length, said.phrase, said.factor)
        while length and ahead.at < len(items) and items[ahead.at].kind == "word":
            if not self.trait(items, ahead) and not self.colour(items, ahead):
                break
        place = items[ahead.at] if length and ahead.at < len(items) else None
        if place is None or not isinstance(place.value, PlaceRef):
            return False
        said.phrase, said.entering, said.at = ahead.phrase, (*said.entering, ahead.at), ahead.at + 1
        return True

    def _other_part(self, items: Sequence[Item], said: PhraseState) -> bool:
        """Another part of the song, which it doubles or beside which it lies: "an octave below the voice"."""
        steps = steps_at(words_at(items, said.at), 0, self._lexicon)
        begins = said.at + (steps[0] if steps is not None else 0)
        for kind, phrases in self._beside:
            length = phrase_at(items, begins, phrases)
            found = self._own(items, begins + length, said.before) if length else None
            if found is None or (kind not in ("above", "below") and steps is not None):
                continue
            if not kind and said.phrase.plays == "double":
                continue
            if steps is not None:
                apart = int(steps[1]) * (1 if kind == "above" else -1)
                said.phrase = structs.replace(said.phrase, plays="double", of=found[1], semitones=apart)
            elif kind == "of":
                said.phrase = structs.replace(said.phrase, plays="double", of=found[1])
            elif kind == "above":
                said.phrase = structs.replace(said.phrase, above=found[1])
            elif kind == "softer":
                said.phrase = structs.replace(said.phrase, loud=min(said.phrase.loud, -1))
            elif kind == "below":
                said.phrase = structs.replace(said.phrase, below=found[1])
            said.at = found[0]
            return True
        return False

    def _own(self, items: Sequence[Item], at: int, before: tuple[Wish, ...]) -> tuple[int, Wish] | None:
        """End and wish of a part that the song has; what points back is the one that was named."""
        if at < len(items) and items[at].text in self._referring and before and self._lexicon.has(before[-1]):
            return at + 1, before[-1]
        at += phrase_at(items, at, self._definite)
        found = self._lexicon.wish_at(words_at(items, at), 0) if at < len(items) else None
        trait = self.longest(items, at)
        if found is None or not self._lexicon.has(found[1]) or (trait is not None and trait[1].plays == "chords"):
            return None
        end, wish = at + found[0], found[1]
        both = self._lexicon.both_at(wish, words_at(items, end)) if end < len(items) else None
        end, wish = (end + both[0], both[1]) if both is not None else (end, wish)
        return end + phrase_at(items, end, self._nouns), wish

    def _numbered(self, items: Sequence[Item], said: PhraseState) -> bool:
        """Beats by their numbers, "on 2 and 4", or the note of a drone: "on D"."""
        length = phrase_at(items, said.at, self._on)
        at, beats = said.at + length, list[int]()
        while length and at < len(items):
            number = number_at(words_at(items, at), 0, self._lexicon)
            if number is None or number[1] != int(number[1]) or not 1 <= number[1] <= _MOST_BEATS:
                break
            beats.append(int(number[1]))
            said.at = at = at + number[0]
            while at < len(items) and (items[at].kind == "comma" or items[at].text in self._joins):
                at += 1
        tonic = tonic_at(words_at(items, at), 0) if length and not beats else None
        if tonic is not None and said.phrase.plays == "drone":
            said.phrase, said.at = structs.replace(said.phrase, key=Key(tonic[1])), at + tonic[0]
            return True
        if beats:
            said.phrase = structs.replace(said.phrase, beats=tuple(sorted({*said.phrase.beats, *beats})), strokes="")
        return bool(beats)

    def _value(self, items: Sequence[Item], said: PhraseState) -> bool:
        """A note value or a dynamic mark."""
        words = words_at(items, said.at)
        grid, mark = self._lexicon.sense(words, 0, "grid"), self._lexicon.standing.dynamics.longest_at(words, 0)
        if grid is not None:
            said.phrase, said.at = structs.replace(said.phrase, step=float(grid[1])), said.at + grid[0]
        elif mark is not None:
            said.phrase, said.at = structs.replace(said.phrase, velocity=mark[1]), said.at + mark[0]
        return grid is not None or mark is not None

    def _passed(self, items: Sequence[Item], said: PhraseState, free: frozenset[int]) -> bool:
        """Words that say nothing of their own between traits."""
        length = max(phrase_at(items, said.at, phrases) for phrases in (self._passing, self._strongly, self._slightly))
        if not length and (said.at not in free or items[said.at].text in self._limiting):
            return False
        said.at += length or 1
        return True


@once_for_same
def _traits(words: AddedPartWords) -> Mapping[tuple[str, ...], PartTrait]:
    """What each phrase says of a part; of equals the one written first counts."""
    return {phrase_tokens(phrase): trait for trait in reversed(words.traits) for phrase in trait.words}


def words_at(items: Sequence[Item], at: int) -> list[str]:
    """The words from an item on, up to the first item that is no word."""
    found: list[str] = []
    for item in items[at : at + _LONGEST]:
        if item.kind != "word":
            break
        found.append(item.text)
    return found


def phrase_at(items: Sequence[Item], at: int, phrases: PhraseSet) -> int:
    """The number of items of the longest phrase that begins at an item; 0 for none."""
    begun = at < len(items) and phrases.begins(items[at].text)
    return phrases.length(words_at(items, at)) if begun else 0


def _with(phrase: PartPhrase, trait: PartTrait, factor: int) -> PartPhrase:
    """A phrase with one more trait; what another part plays stays what it plays."""
    return structs.replace(
        phrase, plays=_stronger(phrase.plays, trait.plays),
        strokes=trait.strokes or phrase.strokes, step=trait.step or phrase.step,
        held=phrase.held if trait.held is None else trait.held, loud=_stepped(phrase.loud, trait.loud * factor),
        pan=phrase.pan if trait.pan is None else trait.pan,
        register=_stepped(phrase.register, trait.register * factor), leads=phrase.leads or trait.leads,
    )


def _stronger(was: Material, now: Material) -> Material:
    """Of two things that a part plays the one that says more, as broken chords do beside chords."""
    if was in _RANKED and now in _RANKED:
        return now
    return max(was, now, key=_RANKS.index)


def _stepped(was: int, by: int) -> int:
    return max(-_MOST, min(_MOST, by if abs(by) > abs(was) else was))
