"""Which pieces of a request ask for nothing, so that they are neither carried out nor told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from agent.composer.operation_words import OperationWords
from agent.composer.understanding.asides import Asides
from agent.composer.understanding.items import Item
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.matching import FormFit
from agent.composer.understanding.ownership import free_words
from agent.composer.understanding.pieces import Piece
from agent.composer.understanding.wishes import Wish

_LIMITS = ("keep", "spare")
_ALL = "all_of_it"
"""The group of the language file for the song as a whole."""
_NAMING = ("restyle", "colour", "meter", "section")
"""Operations that a name may be taken for: "our dance break", "the waltz group"."""
_AHEAD = 8
"""Words among which a part is looked for that is named at one of them."""
_NEAR = 3
"""Pieces with words behind a judgement among which an order is looked for that it explains."""


class AsidePieces:
    """Finds the pieces (clause fragments) of a request that ask for nothing. `items` are the request's words and marks,
    `finds` the matched phrase patterns by the item where they begin."""

    def __init__(
        self, asides: Asides, lexicon: Lexicon, items: Sequence[Item], finds: Mapping[int, FormFit[OperationWords]]
    ) -> None:
        self._asides = asides
        self._lexicon = lexicon
        self._items = items
        grammar = lexicon.words.grammar
        self._comparing, self._verbs = grammar.comparatives, frozenset((*grammar.heads, *grammar.light))
        self._finds = finds
        self._all = frozenset(lexicon.words.groups.get(_ALL, ()))
        self._heads = frozenset(grammar.heads)

    def mark(self, pieces: Sequence[Piece]) -> None:
        """Set `aside` on pieces that ask for nothing and remove their places, which would else be given to other
        pieces; words that only say who speaks ("my brother says") are skipped."""
        spoken = [piece for piece in pieces if piece.items and not piece.meanwhile]
        for number, piece in enumerate(spoken):
            words = self._words(piece)
            said = self._asides.said_by(words)
            if said and (piece.operations or len(words) > said):
                taken = frozenset(piece.items[:said])
                piece.loose = [at for at in piece.loose if at not in taken]
                words = words[said:]
            elif self._aside(piece, words) or self._explains(piece, words, spoken[number + 1 : number + 1 + _NEAR]):
                self._set_aside(piece, words)
        for piece in pieces:
            self._without_who_wants(piece)
        for before, piece in pairwise(pieces):
            if not before.aside or before.limits or piece.meanwhile:
                continue
            if piece.joined and self._carries_on(piece):
                self._set_aside(piece, self._words(piece))
            elif piece.sentence == before.sentence and self._describes_on(piece):
                piece.unsure = True
                self._set_aside(piece, self._words(piece))

    def _without_who_wants(self, piece: Piece) -> None:
        """Take from a piece the words and places before a wish for all of it: "our dance break needs this in G"."""
        first = next((at for at in piece.operations if self._wishes_all(at)), -1)
        telling = [at for at in piece.items if at < first]
        before = [at for at in piece.operations if at < first]
        if not telling or any(self._finds[at].payload.operation not in _NAMING for at in before):
            return
        piece.operations = [at for at in piece.operations if at >= first]
        piece.loose = [at for at in piece.loose if at >= first]
        piece.refs = [ref for ref in piece.refs if not any(self._items[at].value is ref for at in telling)]
        piece.opening, piece.subjects = [], []

    def _wishes_all(self, first: int) -> bool:
        """Whether a form begins with a word of wishing and goes on with a word for all of the song."""
        texts = [item.text for item in self._items[first : first + 2]]
        wishes = len(texts) > 1 and self._asides.wishing.at(texts[:1]) == 1 and texts[0] not in self._heads
        return wishes and texts[1] in self._all

    def _set_aside(self, piece: Piece, words: Sequence[str]) -> None:
        spoken_of = () if self._asides.praises(words) else self._named_in(piece)
        piece.about = tuple(wish for wish in spoken_of if self._lexicon.has(wish))
        piece.aside, piece.subjects, piece.spoken_of = True, [], tuple(piece.refs)
        piece.refs, piece.measures, piece.conditions, piece.often = [], [], [], []

    def _named_in(self, piece: Piece) -> tuple[Wish, ...]:
        """The parts that a piece names, whether a form of it took them or not."""
        named: dict[Wish, None] = {}
        end = 0
        for at in sorted(piece.items):
            if at < end or self._items[at].kind != "word":
                continue
            words = [item.text for item in self._items[at : at + _AHEAD]]
            if own := self._asides.own.at(words):
                mine = self._lexicon.wish_at(words, own)
                end = at + own + (mine[0] if mine is not None else 0)
                continue
            found = self._lexicon.wish_at(words, 0)
            if found is not None:
                both = self._lexicon.both_at(found[1], words[found[0] :])
                end, wish = (at + found[0], found[1]) if both is None else (at + found[0] + both[0], both[1])
                named[wish] = None
        return tuple(named)

    def _words(self, piece: Piece) -> list[str]:
        return [word for at in piece.items for word in self._items[at].text.split()]

    def _aside(self, piece: Piece, words: Sequence[str]) -> bool:
        if self._only_says_where(piece) and not self._asides.praises(words):
            return False
        if not piece.operations:
            return self._asides.ask_nothing(words) or self._asides.praises(words)
        payloads = [self._finds[at].payload for at in piece.operations]
        if any(payload.complaint or payload.operation in _LIMITS for payload in payloads):
            return False
        if self._asides.about_somebody(words) or (self._only_moods(piece) and self._asides.points(words)):
            return True
        # how things are is no order, but may be meant as one
        piece.unsure = self._asides.describes(words) or self._asides.judges(words)
        return piece.unsure

    def _only_says_where(self, piece: Piece) -> bool:
        """Whether a piece holds a place and no other telling word: "I mean bars 28 to 53"."""
        free = free_words([self._items[at].text for at in piece.loose], self._lexicon)
        return bool(piece.refs) and not piece.operations and len(free) == len(piece.loose)

    def _explains(self, piece: Piece, words: Sequence[str], following: Sequence[Piece]) -> bool:
        """Whether a part is judged, and an order about it follows: "the bass is muddy, make it softer"."""
        if piece.operations or not self._asides.judges(words):
            return False
        later = next((one for one in following if one.operations), None)
        named = {subject.wish for subject in piece.subjects}
        return later is not None and any(self._is_about(self._finds[at], named) for at in later.operations)

    def _is_about(self, found: FormFit[OperationWords], named: set[Wish]) -> bool:
        parts = found.value("part")
        wishes = {part for part in parts if isinstance(part, Wish)} if isinstance(parts, tuple) else set()
        return not wishes or any(one.role == other.role for one in wishes for other in named)

    def _carries_on(self, piece: Piece) -> bool:
        """Whether a piece behind an aside only goes on with it: "this is lovely and sleepy"."""
        asked = bool(piece.operations) and not self._only_moods(piece)
        return not asked and not self._asides.wishes(self._words(piece))

    def _describes_on(self, piece: Piece) -> bool:
        """Whether a piece behind a break only says how else the music is: "it's lovely but a bit sad", not "sadder"."""
        words = self._words(piece)
        plain = not any(word.endswith(tuple(self._comparing)) for word in words)
        plain = plain and not any(self._items[at].text in self._verbs for at in piece.loose)
        single = bool(piece.operations) and all(self._finds[at].end == at + 1 for at in piece.operations)
        return single and plain and not self._asides.wishes(words)

    def _only_moods(self, piece: Piece) -> bool:
        """Whether a piece only says how something is: no form of it holds more than a mood, a part or less of one."""
        return all(
            self._finds[at].value("mood") is not None and self._finds[at].payload.sign > 0
            and self._finds[at].end == at + 1 for at in piece.operations
        )

