"""What is left over of a request for a new piece: the clauses that its words make, and what nothing was made of."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from agent.composer.understanding.asides import Asides
from agent.composer.understanding.clause import Clause
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.ownership import free_words, reason, stretches

_SIGNS = frozenset(",;.!?")


def said_nothing_of(tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon) -> Iterator[Clause]:
    """The clauses of a request for a new piece, whose tokens `owned` said something: what is left over is told.

    Nothing is left over of a clause that asks for nothing.
    """
    free = free_words(tokens, lexicon)
    words_of = lexicon.words.asides
    idle = frozenset((*lexicon.words.grammar.light, *(words_of.idle if words_of is not None else ())))
    asides = Asides(words_of, lexicon) if words_of is not None else None
    aside = False
    for first, last, joined in _clauses(tokens, lexicon, asides):
        content = [at for at in range(first, last) if at in owned or at not in free]
        words = tokens[first:last]
        met = any(at in owned for at in content)
        left = [tokens[at] for at in content if at not in owned]
        asked = asides is not None and asides.points(words) and not _strange(left, lexicon)
        aside = asides is not None and not asked and (asides.ask_nothing(words) or (aside and joined and not met))
        if not content:
            continue
        if met:
            yield Clause(content[0], content[-1] + 1, "understood")
        if aside:
            continue
        for stretch in stretches([at for at in content if at not in owned], free):
            if all(tokens[at] in idle for at in stretch):
                continue
            yield Clause(stretch[0], stretch[-1] + 1, "told", reason=reason([tokens[at] for at in stretch], lexicon))


def _strange(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether words that only point at something are about no music: all that is known of them names nothing."""
    unknown = any(word not in lexicon.known for word in words)
    return not words or (unknown and not any(word[:1].isdecimal() or lexicon.names_something(word) for word in words))


def _clauses(tokens: Sequence[str], lexicon: Lexicon, asides: Asides | None) -> Iterator[tuple[int, int, bool]]:
    """First and last token (not included) of what stands between signs and joins, and whether a join leads to it."""
    grammar = lexicon.words.grammar
    heads = frozenset(grammar.heads)
    first, joined = 0, False
    for at, word in enumerate((*tokens, ".")):
        if word in _SIGNS or word in grammar.joins:
            yield first, at, joined
            first, joined = at + 1, word in grammar.joins
        elif asides is not None and at > first:
            led = asides.leads(tokens, at)
            if asides.begins(tokens, at) or (led and at + led < len(tokens) and tokens[at + led] in heads):
                yield first, at, joined
                first, joined = at, False
