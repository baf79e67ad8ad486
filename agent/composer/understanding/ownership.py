"""Ownership: each word of a request belongs to what was understood, or is told; nothing is done on a noun alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import structs

from agent.composer.operation_words import OperationWords
from agent.composer.part_words import PartWords
from agent.composer.phrase_sets import phrase_set
from agent.composer.same_objects import once_for_same
from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.governing import Governing
from agent.composer.understanding.items import Item, PlaceRef, RemainingParts
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import Filling, FormFit
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.playing import played_at
from agent.composer.vocabulary import Grammar

CANNOT = "I cannot do that yet"
REASON = "that says why, and asks for nothing"
DESCRIBED = "that says how it is, and not what shall be done"
TWO = "that can be read in two ways"
_TAKING = ("remove", "solo")
_LENGTHS = ("resize", "resize_by")
_PARTS = ("part", "played", "refused")
_OF_PARTS = ("mix", "colour", "reshape", "articulate")
"""Operations that are done to the parts that they name, or else to all."""


class Ownership:
    """Checks for every word of a request that it belongs to something understood; otherwise it is reported. `items` are
    its words and marks, `finds` the matched patterns by the item where they begin.

    `doubtful` are the items of clauses that can be read in two ways.
    """

    def __init__(
        self, lexicon: Lexicon, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]],
        doubtful: frozenset[int] = frozenset(),
    ) -> None:
        grammar = lexicon.words.grammar
        self._lexicon = lexicon
        self._items = items
        self._finds = finds
        self._doubtful = doubtful
        self._free = free_words([item.text for item in items], lexicon)
        self._light = frozenset(grammar.light)
        self._heads = frozenset(grammar.heads)
        self._limiting = frozenset(grammar.limiting)
        self._beats = frozenset(lexicon.words.places.beat)
        self._pointing = frozenset(lexicon.words.places.pointing)
        self._completing = frozenset(grammar.completing)
        self._owned = {at for first, found in finds.items() for at in range(first, found.end)}
        self._passing = _around_parts(lexicon.words.parts) if lexicon.words.parts is not None else frozenset[str]()
        self._there, self._returning = frozenset(grammar.there), frozenset(grammar.returning)
        self._governing = Governing(lexicon, items, finds, self._says_more)
        self._joining = frozenset({*grammar.skip, *grammar.joins, *grammar.either, *grammar.referring})

    @property
    def light(self) -> frozenset[int]:
        """Indices of the items without a meaning of their own."""
        light = (at for at, item in enumerate(self._items) if item.text in self._light)
        return frozenset((*(at for at in self._free if at not in self._owned), *light))

    def doubt(self, pieces: Sequence[Piece]) -> None:
        """Set `doubt` on the pieces whose operations must not be carried out.

        Their verb, noun or limit is unknown; or they give a reason; or they share the verb of a piece that is not
        carried out; or the time at which they apply is unknown.
        """
        for piece in pieces:
            if piece.operations:
                aside = DESCRIBED if piece.unsure else REASON
                piece.doubt = aside if piece.aside else self._doubt(piece) or self._two_readings(piece)
                others = (one for one in pieces if one is not piece and one.sentence == piece.sentence)
                if self._governing.only_says(piece) and not any(one.operations for one in others):
                    piece.doubt = DESCRIBED
        self._carry_places(pieces)
        self._doubt_where(pieces)
        self._doubt_limited(pieces)
        self._doubt_there(pieces)
        for before, piece in pairwise(pieces):
            if piece.joined and piece.operations and not piece.doubt and self._begins_with_part(piece):
                piece.doubt = self._undone(before)
            if piece.operations and not piece.doubt and self._goes_on(before, piece):
                piece.doubt = self._undone(before)
            same = before.sentence == piece.sentence
            if same and piece.operations and not piece.doubt and self._governing.only_describes(piece):
                piece.doubt = self._undone(before)
            if piece.meanwhile and not piece.operations and before.operations and not before.doubt:
                before.doubt = self._undone(piece)

    def _points(self, at: int) -> bool:
        """Whether a word points at a place: "bar", or "beat" before a number."""
        numbered = at + 1 < len(self._items) and self._text(at + 1).isdecimal()
        return self._text(at) in self._pointing or (numbered and self._text(at) in self._beats)

    def _carry_places(self, pieces: Sequence[Piece]) -> None:
        """Let what takes parts away do so where its sentence was before, of which nothing was made: "the bridge must be
        emptier, without the violins" leaves them elsewhere."""
        there: list[PlaceRef] = []
        for before, piece in pairwise(pieces):
            undone = before.doubt or not before.operations
            said = before.spoken_of if before.aside else before.refs
            there = [*said] or there if undone and before.sentence == piece.sentence else []
            if any(self._finds[at].payload.operation in _TAKING for at in piece.operations) and not piece.refs:
                piece.refs = there

    def _doubt_where(self, pieces: Sequence[Piece]) -> None:
        """Doubt what has no place of its own beside words that begin as a place does and name none that is known."""
        for at, piece in enumerate(pieces):
            head = next((one for one in piece.items if not self._is_free(one)), -1)
            if piece.operations or piece.refs or piece.aside or head not in piece.loose:
                continue
            if self._text(head) not in self._pointing:
                continue
            reason = f"I do not see where {quoted([self._text(head)])} is"
            before = [other for other in pieces[:at] if other.sentence == piece.sentence and other.operations][-1:]
            after = [other for other in pieces[at + 1 :] if other.sentence == piece.sentence and other.operations]
            for other in before if before else after:
                if not other.refs and not other.doubt:
                    other.doubt = reason

    def _doubt_limited(self, pieces: Sequence[Piece]) -> None:
        """Doubt what words behind it limit to parts that its form does not know of: "swing, only on the hats"."""
        for at, piece in enumerate(pieces):
            limit = self._governing.narrows(piece)
            before = [one for one in pieces[:at] if one.sentence == piece.sentence and one.operations][-1:]
            for other in before if limit else ():
                other.doubt = other.doubt or self._reason(limit)

    def _doubt_there(self, pieces: Sequence[Piece]) -> None:
        """Doubt what is to be taken out "there" where the place may have been said in words that were not understood:
        "have the vibes zorp in the second 16, the guitar can drop out there"."""
        told = False
        for piece in pieces:
            taking = any(self._finds[at].payload.operation in _TAKING for at in piece.operations)
            if told and taking and piece.there and not (piece.refs or piece.own_place or piece.doubt):
                word = next(self._text(at) for at in piece.items if self._text(at) in self._there)
                piece.doubt = f"I do not see where {quoted([word])} is"
            told = told or bool(piece.doubt) or bool(not piece.operations and self._undone(piece))

    def _two_readings(self, piece: Piece) -> str:
        """Why a piece is not carried out that asks for two different lengths of the same thing."""
        lengths = [self._finds[at] for at in piece.operations if self._finds[at].payload.operation in _LENGTHS]
        return TWO if len(lengths) > 1 else ""

    def _goes_on(self, before: Piece, piece: Piece) -> bool:
        """Whether it names no part and may be about the one of which the piece before it says something else."""
        finds = [self._finds[at] for at in piece.operations]
        able = all(one.payload.operation in _OF_PARTS and one.value("part") is None for one in finds)
        named = (before.subjects and not before.operations) or (before.doubt and self._begins_with_part(before))
        return able and bool(named) and not piece.subjects and before.sentence == piece.sentence

    def _begins_with_part(self, piece: Piece) -> bool:
        first = next((at for at in piece.items if not self._is_free(at)), piece.operations[0])
        return self._lexicon.wish_at([item.text for item in self._items[first : first + 5]], 0) is not None

    def _undone(self, piece: Piece) -> str:
        """Why nothing is made of a piece that says what is to be done or when, empty where something is."""
        if piece.operations or piece.limits or piece.aside:
            return piece.doubt
        strange = [at for at in piece.loose if not self._is_free(at) and self._text(at) not in self._light]
        strange = [at for at in strange if self._lexicon.wish_at([self._text(at)], 0) is None]
        return self._reason(strange) if strange else ""

    def _doubt(self, piece: Piece) -> str:
        strange = [at for at in piece.loose if not self._is_free(at)]
        limiting = next((self._text(at) for at in strange if self._text(at) in self._limiting), "")
        if limiting:
            return f"I do not see what {quoted([limiting])} means there"
        where = next((self._text(at) for at in strange if self._points(at)), "")
        if where:
            return f"I do not see where {quoted([where])} is"
        led = next((at - 1 for at in piece.operations if at - 1 in strange and self._takes_out_after(at)), None)
        if led is not None:
            # "thin them out" is no "them out"
            return self._reason([led])
        taken = self._finds[piece.operations[0]].payload.operation == "remove"
        back = next((at - 1 for at in piece.operations if at - 1 in strange and self._returns_to(at)), None)
        if back is not None:
            # "straight back to the bossa" restyles nothing
            return self._reason([back])
        ends = map(self._end, piece.operations)
        other = next((end for end in ends if end in strange and self._is_other(end, graded=not taken)), None)
        if other is not None:
            return self._reason([other])
        if completing := next(filter(None, (self._completion(self._end(at), strange) for at in piece.operations)), ()):
            return self._reason(completing)
        alone = any(self._finds[at].payload.operation == "solo" for at in piece.operations)
        if alone and (left := [at for at in strange if self._text(at) not in self._light]):
            # what silences all the others must be understood to the last word
            return self._reason(left)
        return self._strange_head(piece, strange) or self._fragment(piece)

    def _returns_to(self, at: int) -> bool:
        """Whether a form names a style to which a word before it returns."""
        return self._finds[at].payload.operation == "restyle" and self._text(at - 1) in self._returning

    def _takes_out_after(self, at: int) -> bool:
        """Whether a form that begins with its part takes it out, so that a verb before it would say otherwise."""
        found = self._finds[at]
        first = next((one.first for one in found.fillings if one.slot == "part"), -1)
        return found.payload.operation == "remove" and first == at

    def _fragment(self, piece: Piece) -> str:
        """Why a piece is not carried out of which only a fragment was read."""
        noun = self._governing.noun(piece) or self._governing.object(piece)
        if noun and all(self._text(at) in self._lexicon.known for at in noun):
            return f"I cannot make or change {quoted([' '.join(map(self._text, noun))])} alone yet"
        outweighed = noun or self._governing.complement(piece) or self._governing.outweighed(piece)
        return self._reason(outweighed) if outweighed else ""

    def _says_more(self, at: int) -> bool:
        return not self._is_free(at) and self._text(at) not in self._light and not self._repeats(at)

    def _strange_head(self, piece: Piece, strange: Sequence[int]) -> str:
        first = piece.operations[0]
        head = next((at for at in piece.items if not self._is_free(at)), first)
        if head not in strange or head > first or self._lexicon.names_something(self._text(head)):
            return ""
        led = self._text(first) in self._heads or any(self._text(at) in self._light for at in range(head + 1, first))
        return "" if led or self._text(head) in self._light or self._text(head).endswith("ly") else self._reason([head])

    def _completion(self, end: int, strange: Sequence[int]) -> tuple[int, ...]:
        """The strange word behind "of" or "to" that says what is really asked for: "add a bar of stick clicks"."""
        if end >= len(self._items) or self._text(end) not in self._completing:
            return ()
        ahead = next((at for at in range(end + 1, len(self._items)) if not self._is_free(at)), -1)
        return (ahead,) if ahead in strange else ()

    def _end(self, first: int) -> int:
        return self._finds[first].end

    def _is_other(self, end: int, *, graded: bool) -> bool:
        """Whether a word behind a part makes it another thing, as "a drum fill" is no drum; "a drum beat" is one.

        A mood makes it none where it may say how: "swing the hats harder".
        """
        if graded and self._lexicon.sense([self._text(end)], 0, "mood") is not None:
            return False
        part, word = (self._lexicon.wish_at([self._text(at)], 0) for at in (end - 1, end))
        return part is not None and (word is None or word[1].role != part[1].role)

    def clauses(self, pieces: Sequence[Piece]) -> Iterator[ReadClause]:
        """The outcome of each piece, and of the words in it that were not understood, in order."""
        done = any(piece.operations and not piece.doubt for piece in pieces)
        for number, piece in enumerate(pieces):
            content = [at for at in piece.items if not self._is_free(at)]
            if not content or (piece.aside and not piece.unsure and (done or not piece.operations)):
                continue
            first, last = self._items[content[0]].first, self._items[content[-1]].last
            if piece.doubt:
                yield ReadClause(first, last, "told", reason=piece.doubt)
                continue
            if piece.operations or piece.limits:
                yield ReadClause(first, last, "limit" if piece.limits else "understood", number)
                told = [at for at in piece.loose if not self._is_free(at) and self._text(at) not in self._light]
                told = [at for at in told if not (self._repeats(at) or self._governing.stands_for_song(at))]
                told = sorted([*told, *self._passed(piece)])
                apart = stretches(told, self._free - self._owned)
                for stretch in [told] if len(apart) > 1 else apart:
                    whole = self._items[stretch[0]].first, self._items[stretch[-1]].last
                    yield ReadClause(*whole, "told", reason=self._reason(stretch))
            elif piece.refs or piece.measures or piece.conditions or self._left(piece):
                yield ReadClause(first, last, "told", reason=self._reason([at for at in content if at in piece.loose]))

    def _left(self, piece: Piece) -> bool:
        """Whether words of a piece are left that say more than that something is to be done."""
        return any(not self._is_free(at) and self._text(at) not in self._light for at in piece.loose)

    def _repeats(self, at: int) -> bool:
        """Whether a word only says once more what part the form before it ended with: "drum beat"."""
        words = [self._text(at - 1), self._text(at)] if at - 1 in self._owned else []
        return bool(words) and all(self._lexicon.wish_at([word], 0) is not None for word in words)

    def _passed(self, piece: Piece) -> Iterator[int]:
        """Words that a part's slot was read past: "a screaming guitar" is a guitar."""
        for first in piece.operations:
            for filling in self._finds[first].fillings:
                if filling.slot in _PARTS:
                    yield from self._unread(filling)

    def _unread(self, filling: Filling) -> Iterator[int]:
        at = filling.first
        if isinstance(filling.value, tuple) and any(isinstance(part, RemainingParts) for part in filling.value):
            return
        while at < filling.last:
            words = [item.text for item in self._items[at : filling.last]]
            named = played_at(words, 0, self._lexicon) or self._lexicon.wish_at(words, 0)
            known = self._items[at].kind != "word" or self._text(at) in self._joining or filling.slot == "by"
            known = known or self._text(at) in self._passing
            if named is None and not known:
                yield at
            at += named[0] if named is not None else 1

    def _reason(self, told: Sequence[int]) -> str:
        if self._doubtful.intersection(told):
            return TWO
        return reason([self._text(at) for at in told], self._lexicon)

    def _text(self, at: int) -> str:
        return self._items[at].text

    def _is_free(self, at: int) -> bool:
        return at in self._free and at not in self._owned


def joined(clauses: Iterable[ReadClause]) -> Iterator[ReadClause]:
    """The clauses, with adjacent unfulfilled ones of the same reason merged."""
    waiting: ReadClause | None = None
    for one in clauses:
        beside = waiting is not None and waiting.outcome == one.outcome == "told" and one.first <= waiting.last + 1
        if waiting is not None and beside and waiting.reason == one.reason != CANNOT:
            waiting = structs.replace(waiting, last=one.last)
            continue
        if waiting is not None:
            yield waiting
        waiting = one
    if waiting is not None:
        yield waiting


def stretches(told: Sequence[int], free: Collection[int]) -> list[list[int]]:
    """The word indices `told`, grouped into runs of neighbours; words of `free` in between do not interrupt a run."""
    found: list[list[int]] = []
    for at in told:
        if found and all(other in free for other in range(found[-1][-1] + 1, at)):
            found[-1].append(at)
        else:
            found.append([at])
    return found


def reason(words: Sequence[str], lexicon: Lexicon) -> str:
    """Why these words are reported: nobody knows them, or nothing can be done with them yet."""
    genre = next((found for at in range(len(words)) if (found := lexicon.sense(words, at, "genre")) is not None), None)
    if genre is not None:
        near = [lexicon.styles.style(name).label for name in lexicon.words.genre(genre[1]).near]
        return f"I cannot write {genre[1]} yet; near to it: {', '.join(near)}"
    named = (lexicon.standing.techniques.longest_at(words, at) for at in range(len(words)))
    technique = next((one[1] for one in named if one is not None), None)
    if technique is not None:
        known = f"I know {technique.name} ({technique.means})"
        return f"{known}: say {quoted([technique.order])}" if technique.order else f"{known}, but nothing here plays it"
    unknown = [word for word in words if word.isalpha() and word not in lexicon.known]
    return f"I do not know {quoted(unknown[:3])}" if unknown else CANNOT


@once_for_same
def _around_parts(parts: PartWords) -> frozenset[str]:
    """The words that stand around a part and say nothing but which one it is."""
    groups = (parts.leading, parts.trailing, parts.relative, parts.playing, parts.qualities, *parts.attributes.values())
    return frozenset(token for phrases in groups for phrase in phrases for token in phrase_tokens(phrase))


def free_words(tokens: Sequence[str], lexicon: Lexicon) -> frozenset[int]:
    """Indices of the words that carry no meaning of their own."""
    return _free(tokens, lexicon.words.grammar, _idle(lexicon))


def _idle(lexicon: Lexicon) -> Sequence[str]:
    return lexicon.words.asides.phrases if lexicon.words.asides is not None else ()


def _free(texts: Sequence[str], grammar: Grammar, idle: Sequence[str] = ()) -> frozenset[int]:
    """The numbers of the words that carry no meaning of their own; `idle` phrases ask for nothing either."""
    free = said_at(texts, (*grammar.skip, *grammar.empty, *grammar.joins, *idle))
    return frozenset({*free, *(at for at, text in enumerate(texts) if not any(map(str.isalnum, text)))})


def said_at(texts: Sequence[str], phrases: tuple[str, ...]) -> frozenset[int]:
    """Indices of the words of `texts` that are part of one of the phrases."""
    known = phrase_set(phrases)
    return frozenset(
        at + more for at, text in enumerate(texts) if known.begins(text) for more in range(known.length(texts, at))
    )


def quoted(words: Sequence[str]) -> str:
    """The words in quotation marks, separated by commas, each once."""
    return ", ".join(
        f"\N{LEFT DOUBLE QUOTATION MARK}{word}\N{RIGHT DOUBLE QUOTATION MARK}" for word in dict.fromkeys(words)
    )
