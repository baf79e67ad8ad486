"""Settings: what a new piece is for or about, found among the words that name nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct, structs

from agent.composer.piece_words import Setting
from agent.composer.understanding.asides import Phrased
from agent.composer.understanding.lexicon import Lexicon

_ENDS = frozenset(",;.!?")
_COLOURS = frozenset({"mood", "tempo"})
"""Senses beside which the same words can be a setting."""


class NamedSettings(Struct, frozen=True):
    """The settings of a new piece (what it is for or like: "wedding") found in a request, in order, and the indices of
    the tokens that name them."""

    found: tuple[Setting, ...] = ()
    tokens: frozenset[int] = frozenset()


def settings_in(tokens: Sequence[str], owned: Collection[int], lexicon: Lexicon) -> NamedSettings:
    """The settings that casefolded tokens name; tokens `owned` by something other than a mood or pace name none.

    A negated one ("no scary bits") counts as read, but is not among those found.
    """
    negating = {*lexicon.words.groups["no"], *lexicon.words.bindings.inverse}
    degrees = {*lexicon.words.grammar.empty, *lexicon.words.tempo.strong, *lexicon.words.tempo.slight}
    found: list[Setting] = []
    taken: set[int] = set()
    at = 0
    reasons = Phrased(lexicon.words.asides.reasons if lexicon.words.asides is not None else ())
    while at < len(tokens):
        if reasons.at(tokens, at):
            # what is the reason of something is not what the piece is about
            at = next((end for end in range(at, len(tokens)) if tokens[end] in _ENDS), len(tokens))
            continue
        match = lexicon.standing.settings.longest_at(tokens, at)
        technique = lexicon.standing.techniques.longest_at(tokens, at)
        if technique is not None and (match is None or technique[0] >= match[0]):
            at += technique[0]
            continue
        if match is None or not _is_free(tokens, at, at + match[0], owned, lexicon):
            at += 1
            continue
        back = 2 if at > 1 and tokens[at - 1] in degrees else 1
        negated = at >= back and tokens[at - back] in negating
        taken.update(range(at - (back if negated else 0), at + match[0]))
        if not negated and match[1] not in found:
            # a direction goes by the name that it was given
            said = " ".join(tokens[at : at + match[0]])
            found.append(structs.replace(match[1], name=said) if match[1].about else match[1])
        at += match[0]
    return NamedSettings(tuple(found), frozenset(taken))


def _is_free(tokens: Sequence[str], start: int, end: int, owned: Collection[int], lexicon: Lexicon) -> bool:
    """Whether a phrase belongs to nothing else, or to a mood or pace that the same words name: "sinister", "largo"."""
    if not any(place in owned for place in range(start, end)):
        return True
    match = lexicon.find(tokens, start)
    return match is not None and match.length == end - start and bool(_COLOURS & match.senses.keys())
