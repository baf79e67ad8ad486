"""Governing: whether a form is only a fragment of what its clause says, so that it must not be carried out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.numbers import number_at
from agent.composer.understanding.pieces import Piece

_OF_PARTS = ("part", "played", "refused", "by", "aspect", "section", "place", "kit")
"""Slots that name what an operation is done to."""
_STATED = ("bpm", "tempo", "key", "steps", "time")
"""Slots whose value says all that is asked."""
_NOTHING = "nothing"
_REACH = 5
"""Words between an article and its noun."""
_WEIGHTY = 2
_OF_MANNER = "ly"
_DOING = "ing"
"""How a word ends that says what something does."""


class Governing:
    """Checks whether the words around a matched pattern change its meaning, so that it must not be carried out.

    Methods get a piece (clause fragment) and return the indices of the items that say so, empty for none. `strange`
    tells whether an item has a meaning that was not understood.
    """

    def __init__(
        self, lexicon: Lexicon, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]],
        strange: Callable[[int], bool],
    ) -> None:
        grammar = lexicon.words.grammar
        self._lexicon = lexicon
        self._items = items
        self._finds = finds
        self._strange = strange
        self._skip = frozenset((*grammar.skip, *grammar.joins, *grammar.empty, *grammar.light, *grammar.limiting))
        self._determiners = frozenset(grammar.determiners)
        self._nouns = frozenset(grammar.nouns)
        self._whole = frozenset((*grammar.whole, *lexicon.words.goals.works))
        self._adding = frozenset(grammar.adding)
        self._heads = frozenset(grammar.heads)
        self._joining = frozenset(grammar.completing) & frozenset(grammar.skip)
        asides = lexicon.words.asides
        self._being = frozenset(asides.be if asides is not None else ())
        self._adverbs = frozenset(grammar.adverbs)
        self._only = frozenset(lexicon.words.places.only)

    def noun(self, piece: Piece) -> tuple[int, ...]:
        """Indices of the unknown noun that an operation of the piece only describes, empty for none: of "attack" in "a
        slow attack", where "slow" was taken for the tempo of the song."""
        return next(filter(None, (self._described(at, piece) for at in piece.operations)), ())

    def object(self, piece: Piece) -> tuple[int, ...]:
        """Indices of the unknown noun that an order without a part is about, empty for none: "velocities" in "vary the
        velocities", of which only the verb was matched."""
        for first in piece.operations:
            end = self._finds[first].end
            named = any(self._finds[first].value(slot) is not None for slot in (*_OF_PARTS, *_STATED))
            behind = next((at for at in range(end, len(self._items)) if not self._leads_noun(at)), -1)
            if not named and self._is_order(first) and behind > end and self._is_object(behind, piece):
                return (behind,)
            judges = self._is_quality(first) and end not in self._finds
            if judges and self._is_object(first - 1, piece) and self._leads_noun(first - 2):
                return (first - 1,)
        return ()

    def only_says(self, piece: Piece) -> bool:
        """Whether a piece (clause fragment) only says what a part is like, which asks for nothing: "this bass is
        heavy!"."""
        first = piece.operations[0]
        found = self._finds[first]
        part = next((one for one in found.fillings if one.slot == "part"), None)
        mood = next((one for one in found.fillings if one.slot == "mood"), None)
        if found.payload.operation != "colour" or part is None or mood is None or part.last >= mood.first:
            return False
        ordered = any(self._items[at].text in self._heads for at in piece.items)
        said = {self._items[at].text for at in range(part.last, mood.first)}
        return not ordered and bool(said & self._being) and said <= self._being

    def stands_for_song(self, at: int) -> bool:
        """Whether the word at item `at`, before a quality, only means the song as a whole: "vibe" in "make the vibe
        darker"."""
        return self._items[at].text in self._whole and at + 1 in self._finds and self._is_quality(at + 1)

    def _is_order(self, first: int) -> bool:
        return any(self._items[at].text in self._heads for at in range(first, self._finds[first].end))

    def _leads_noun(self, at: int) -> bool:
        return at >= 0 and self._items[at].text in self._determiners

    def _is_object(self, at: int, piece: Piece) -> bool:
        if at not in piece.loose or self._items[at].kind != "word":
            return False
        said = self._items[at].text
        adverb = said in self._adverbs or said.endswith(_OF_MANNER)
        named = said.isalpha() and number_at([said], 0, self._lexicon) is None
        return named and self._of_noun(at) and said not in self._whole and not adverb

    def outweighed(self, piece: Piece) -> tuple[int, ...]:
        """Indices of the unknown words of a piece if they outweigh what was understood, otherwise empty; verbs and a
        named part weigh extra."""
        named = {at for one in piece.subjects for at in range(one.first, one.last)}
        strange = [at for at in piece.loose if at not in named and self._strange(at)]
        read = [at for at in self._read(piece) if self._items[at].text not in self._skip]
        verbs = any(self._items[at].text in self._heads for at in self._read(piece))
        # an order that names its part stands firmer, unless that part is new
        firm = any(
            self._finds[at].value("part") is not None and self._finds[at].payload.operation != "add"
            for at in piece.operations
        )
        last = piece.operations[-1]
        if last - 1 in strange and self._items[last - 1].text.endswith(_DOING) and self._is_quality(last):
            # "with the leslie turning slow" asks for no slower song
            return tuple(strange)
        outweighed = len(strange) >= _WEIGHTY and len(strange) >= len(read) + 2 * verbs + firm
        return tuple(strange) if outweighed else ()

    def complement(self, piece: Piece) -> tuple[int, ...]:
        """Indices of the words of another pattern that say what a piece's operation refers to ("swing of samba"); empty
        for none."""
        for first in piece.operations:
            end = self._finds[first].end
            other = self._finds.get(end + 1)
            if other is not None and self._items[end].text in self._joining and self._is_quality(first):
                return tuple(range(end + 1, other.end))
        return ()

    def narrows(self, piece: Piece) -> tuple[int, ...]:
        """Indices of the unread words of a piece that limits the order before it to parts ("only on the hats"); empty
        for none."""
        head = next((at for at in piece.items if self._items[at].text in self._only), None)
        limited = not piece.operations and head is not None and head == piece.items[0] and bool(piece.subjects)
        return tuple(piece.loose) if limited else ()

    def only_describes(self, piece: Piece) -> bool:
        """Whether a piece (clause fragment) after a comma is only an adjective: ", warm"."""
        first = piece.operations[0]
        alone = all(
            first <= at < self._finds[first].end for at in piece.items
            if self._items[at].kind == "word" and self._strange(at)
        )
        alone = alone and not any(self._items[at].text in self._heads for at in piece.items)
        # a tempo in numbers and a key are orders by themselves
        alone = alone and not any(self._finds[first].value(slot) is not None for slot in _STATED)
        return piece.leads and alone and len(piece.operations) == 1 and self._is_quality(first)

    def _read(self, piece: Piece) -> list[int]:
        return [at for first in piece.operations for at in range(first, self._finds[first].end)]

    def _described(self, first: int, piece: Piece) -> tuple[int, ...]:
        found = self._finds[first]
        if not self._is_quality(first):
            return ()
        end = found.end
        while end in self._finds and self._is_quality(end) and self._finds[end].payload.operation != _NOTHING:
            end = self._finds[end].end
        noun = self._noun_at(end, piece)
        determined = found.payload.operation == "meter" or self._determined(first, piece)
        # "fast attack" says how the attack is, and not the song
        begins = first == next((at for at in piece.items if self._items[at].kind == "word"), -1)
        plain = begins and found.end == first + 1 and self._is_object(found.end, piece)
        return noun if noun and (determined or plain) else ()

    def _is_quality(self, first: int) -> bool:
        """Whether a form is a quality alone: it names nothing that it is done to."""
        found = self._finds[first]
        named = any(found.value(slot) is not None for slot in _OF_PARTS)
        return not named and all(self._items[at].kind == "word" for at in range(first, found.end))

    def _noun_at(self, at: int, piece: Piece) -> tuple[int, ...]:
        """The unread words from an item on, up to where something else begins; none where they are the whole song."""
        plain = at in self._finds and self._finds[at].payload.operation == _NOTHING
        if at < len(self._items) and (plain or self._items[at].kind == "place") and self._begins_as_noun(at):
            return (at,)
        end = at
        while end < len(self._items) and end in piece.loose and self._of_noun(end):
            end += 1
        return tuple(range(at, end)) if not any(self._items[k].text in self._whole for k in range(at, end)) else ()

    def _begins_as_noun(self, at: int) -> bool:
        """Whether a place is only a noun with what follows: "the 3/4 part a little slower" names no part A."""
        return self._items[at].text.partition(" ")[0] in self._nouns

    def _of_noun(self, at: int) -> bool:
        return self._items[at].text in self._nouns or (self._strange(at) and self._items[at].text not in self._skip)

    def _determined(self, first: int, piece: Piece) -> bool:
        """Whether an article stands before a form, over other qualities; or a verb of adding anywhere before it."""
        if self._items[first].text in self._determiners:
            return True
        for at in range(first - 1, max(-1, first - 1 - _REACH), -1):
            if self._items[at].kind not in ("word", "amount") or at not in piece.items:
                break
            if self._items[at].text in self._determiners:
                return True
            if self._items[at].kind == "word" and at not in piece.loose and not self._quality_over(at):
                break
        return any(at < first and self._items[at].text in self._adding for at in piece.loose)

    def _quality_over(self, at: int) -> bool:
        return any(first <= at < self._finds[first].end and self._is_quality(first) for first in self._finds)
