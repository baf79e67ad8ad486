"""Closing chords: what the last chord of a new piece is said to be like: "at the end a nasty loud chord"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from agent.composer.note_words import NoteWords
from agent.composer.understanding.note_rules import FinalTrait
from agent.composer.understanding.phrases import Phrases

_SIGNS = frozenset(",.;:!?()")
_FAR = 5
"""Words of a clause between a chord and what says that it is the last."""


def closing_chord(
    tokens: Sequence[str], phrases: Phrases, words: NoteWords
) -> tuple[tuple[FinalTrait, ...], frozenset[int]]:
    """The traits that are asked of the last chord ("at the end a nasty loud chord"), and the indices of the tokens that
    say so. `tokens` are casefolded, `phrases` looks them up.

    A chord is the last one if its clause says so before or after it, or its sentence is about the end.
    """
    traits = {name: frozenset(listed) for name, listed in words.chord_traits.items()}
    listed_traits = frozenset(word for listed in traits.values() for word in listed)
    nouns, plain = frozenset(words.chord_nouns), frozenset((*words.chord_plain, "a", "an", "the", "one"))
    for at, word in enumerate(tokens):
        told = _ends_so(tokens, at, traits) if word in words.ending_so else None
        if told is not None:
            return told
        if word not in nouns:
            continue
        first = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k] in _SIGNS), 0)
        last = next((k for k in range(at, len(tokens)) if tokens[k] in _SIGNS), len(tokens))
        first, last = max(first, at - 2 * _FAR), min(last, at + 2 * _FAR)
        final = [*phrases.spans("final_chord", first, at + 1), *phrases.spans("final_chord", at, last)]
        near = [span for span in final if span[0] - at <= _FAR and at - span[-1] <= _FAR]
        if not near:
            continue
        begin = min(at, *(span[0] for span in near))
        end = max(at + 1, *(span[-1] + 1 for span in near))
        while begin > first and tokens[begin - 1] in plain | listed_traits:
            # "a clear button at the end"
            begin -= 1
        marked = {(k, name) for name, listed in traits.items() for k in range(begin, last) if tokens[k] in listed}
        marked = {(k, name) for k, name in marked if k < at or k - at <= _FAR}
        if marked:
            end = max(end, *(k + 1 for k, _ in marked))
            named = {name for _, name in marked}
            found: tuple[FinalTrait, ...] = tuple(name for name in FINAL_ORDER if name in named)
            return found, frozenset(range(begin, end))
    return (), frozenset()


def _ends_so(
    tokens: Sequence[str], at: int, traits: Mapping[str, frozenset[str]]
) -> tuple[tuple[FinalTrait, ...], frozenset[int]] | None:
    """How a piece ends where only traits follow, one of them short: "ends short and loud"."""
    end = at + 1
    while end < len(tokens) and (tokens[end] in ("and", "&") or any(tokens[end] in one for one in traits.values())):
        end += 1
    said = {name for name, listed in traits.items() for word in tokens[at + 1 : end] if word in listed}
    stops = end >= len(tokens) or tokens[end] in _SIGNS
    found: tuple[FinalTrait, ...] = tuple(name for name in FINAL_ORDER if name in said)
    return (found, frozenset(range(at, end))) if stops and "short" in said else None


FINAL_ORDER: tuple[FinalTrait, ...] = ("loud", "soft", "harsh", "wide", "short", "long")
