"""What is left over of a request for a new piece: the clauses that its words make, and what nothing was made of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from agent.composer.understanding.asides import Asides, Phrased
from agent.composer.understanding.clause import ReadClause
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.ownership import free_words, reason, stretches

_SIGNS = frozenset(",;.!?")


class _Stretch(Struct, frozen=True):
    """A clause from its first token to its last (not included), and whether a join leads to it."""

    first: int
    last: int
    joined: bool


def said_nothing_of(tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon) -> Iterator[ReadClause]:
    """The clauses of a request for a new piece; the tokens `owned` were understood, all others are reported as not
    understood.

    A clause of which nothing was understood is reported as a whole, otherwise only its remaining words. Clauses that
    ask for nothing, and the purpose and circumstances of what was understood, are not reported.
    """
    asides = Asides(lexicon.words.asides, lexicon) if lexicon.words.asides is not None else None
    yield from _LeftOver(tokens, owned, lexicon, asides).clauses()


class _LeftOver:
    """Reads the clauses of one request in their order."""

    def __init__(
        self, tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon, asides: Asides | None
    ) -> None:
        self._tokens = tokens
        self._owned = owned
        self._lexicon = lexicon
        self._asides = asides
        denying = frozenset(lexicon.words.grammar.denying)
        self._free = frozenset(at for at in free_words(tokens, lexicon) if tokens[at] not in denying)
        words = lexicon.words.asides
        self._idle = frozenset((*lexicon.words.grammar.light, *(words.idle if words is not None else ())))
        self._pieces = frozenset(words.pieces if words is not None else ())
        self._purposes = Phrased(words.purposes if words is not None else ())
        self._reasons = Phrased(words.reasons if words is not None else ())
        self._around = Phrased(words.circumstances if words is not None else ())

    def clauses(self) -> Iterator[ReadClause]:
        """What became of each clause, and at its place what is left over of it."""
        aside = False
        for one in self._joined_up():
            words = self._tokens[one.first : one.last]
            content = [at for at in range(one.first, one.last) if at in self._owned or at not in self._free]
            met = any(at in self._owned and not self._only_binds(at) for at in content)
            left = [at for at in content if at not in self._owned]
            asides = self._asides
            asked = asides is not None and asides.points(words) and not self._strange(left)
            aside = asides is not None and not asked and (
                asides.ask_nothing(words) or (aside and one.joined and not met)
            )
            if not content:
                continue
            if met:
                yield ReadClause(content[0], content[-1] + 1, "understood")
            missed = [] if aside else self._missed(one, left) if met else self._unmet(one, left)
            if missed and met:
                for stretch in stretches(missed, self._free):
                    yield ReadClause(stretch[0], stretch[-1] + 1, "told", reason=self._reason(stretch))
            elif missed:
                first = next((at for at in content if self._tokens[at] not in self._idle), content[0])
                yield ReadClause(first, content[-1] + 1, "told", reason=self._reason(missed))

    def _reason(self, missed: Sequence[int]) -> str:
        return reason([self._tokens[at] for at in missed], self._lexicon)

    def _unmet(self, one: _Stretch, left: Sequence[int]) -> list[int]:
        """What is left of a clause of which nothing was made: all of it, unless it only says why or carries on."""
        idle = all(self._tokens[at] in self._idle for at in left)
        return [] if idle or (self._tail(one) == one.first and not any(map(self._is_music, left))) else list(left)

    def _missed(self, one: _Stretch, left: Sequence[int]) -> list[int]:
        """What matters of the words that are left of a clause of which something was made."""
        tail, why = self._tail(one), self._why(one)
        weighty = [at for at in left if self._tokens[at] not in self._idle and self._tokens[at] not in self._pieces]
        return [at for at in weighty if at < tail or (at < why and self._is_music(at))]

    def _why(self, one: _Stretch) -> int:
        """Where a clause begins to say why: what it counts from there on is nothing of the music."""
        return next((at for at in range(one.first, one.last) if self._reasons.at(self._tokens, at)), one.last)

    def _tail(self, one: _Stretch) -> int:
        """Where the purpose or the circumstances of a clause begin: "for a dentist", "on a wireless"."""
        for at in range(one.first, one.last):
            why = self._purposes.at(self._tokens, at)
            if why and not self._scores(at + why):
                return at
            around = self._around.at(self._tokens, at)
            ahead = next((on for on in range(at + around, one.last) if on not in self._free), one.last)
            if around and ahead < one.last and ahead not in self._owned and self._is_unknown(ahead):
                return at
        return one.last

    def _scores(self, at: int) -> bool:
        """Whether what stands behind "for" may be a player that nobody knows: "for zither", not "for my bakery"."""
        if at >= len(self._tokens):
            return False
        strange = at not in self._free and at not in self._owned and not self._acts(at)
        return strange or self._lexicon.wish_at(self._tokens, at) is not None

    def _acts(self, at: int) -> bool:
        return self._tokens[at].endswith("ing")

    def _only_binds(self, at: int) -> bool:
        """Whether a word only binds what follows: of "with zither" nothing is done."""
        match = self._lexicon.find(self._tokens, at)
        return match is not None and match.senses.keys() <= {"binding", "join", "filler", "inverse"}

    def _is_unknown(self, at: int) -> bool:
        return self._tokens[at].isalpha() and self._tokens[at] not in self._lexicon.known

    def _is_music(self, at: int) -> bool:
        """Whether a word names music wherever it stands: a player, a way of playing, a kind of music."""
        tokens, lexicon = self._tokens, self._lexicon
        return (
            lexicon.wish_at(tokens, at) is not None
            or lexicon.standing.techniques.longest_at(tokens, at) is not None
            or lexicon.sense(tokens, at, "genre") is not None
            or lexicon.sense(tokens, at, "style") is not None
        )

    def _strange(self, left: Sequence[int]) -> bool:
        """Whether words that only point at something are about no music: all that is known of them names nothing."""
        words = [self._tokens[at] for at in left]
        unknown = any(word not in self._lexicon.known for word in words)
        named = any(word[:1].isdecimal() or self._lexicon.names_something(word) for word in words)
        return not words or (unknown and not named)

    def _joined_up(self) -> Iterator[_Stretch]:
        """The clauses; one word that is known and means nothing alone goes with what it is joined to: "up and down"."""
        before: _Stretch | None = None
        for one in self._parted():
            content = [at for at in range(one.first, one.last) if at in self._owned or at not in self._free]
            lone = one.joined and len(content) == 1 and content[0] not in self._owned
            if before is not None and lone and self._tokens[content[0]] in self._lexicon.known:
                before = _Stretch(before.first, one.last, before.joined)
                continue
            if before is not None:
                yield before
            before = one
        if before is not None:
            yield before

    def _parted(self) -> Iterator[_Stretch]:
        """What stands between signs and joins."""
        grammar = self._lexicon.words.grammar
        heads = frozenset(grammar.heads)
        first, joined = 0, False
        for at, word in enumerate((*self._tokens, ".")):
            if word in _SIGNS or word in grammar.joins:
                yield _Stretch(first, at, joined)
                first, joined = at + 1, word in grammar.joins
            elif self._asides is not None and at > first:
                led = self._asides.leading.at(self._tokens, at)
                leads = led and at + led < len(self._tokens) and self._tokens[at + led] in heads
                if self._asides.begins(self._tokens, at) or leads:
                    yield _Stretch(first, at, joined)
                    first, joined = at, False

