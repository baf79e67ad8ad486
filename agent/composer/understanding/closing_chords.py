"""Closing chords: what the last chord of a new piece is said to be like: "at the end a nasty loud chord"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.note_words import NoteWords
from agent.composer.understanding.note_rules import FinalTrait
from agent.composer.understanding.phrases import Phrases

_SIGNS = frozenset(",.;:!?()")
_FAR = 5
"""Words of a clause between a chord and what says that it is the last."""


def closing_chord(
    tokens: Sequence[str], phrases: Phrases, words: NoteWords
) -> tuple[tuple[FinalTrait, ...], frozenset[int]]:
    """The traits of the last chord, and the tokens that tell them.

    A chord is the last where its clause says so before it, behind it, or of its sentence that this is the end.
    """
    traits = {name: frozenset(listed) for name, listed in words.chord_traits.items()}
    nouns = frozenset(words.chord_nouns)
    for at, word in enumerate(tokens):
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
        told = {k: name for name, listed in traits.items() for k in range(begin, last) if tokens[k] in listed}
        told = {k: name for k, name in told.items() if k < at or k - at <= _FAR}
        if told:
            end = max(end, *(k + 1 for k in told))
            found: tuple[FinalTrait, ...] = tuple(name for name in FINAL_ORDER if name in told.values())
            return found, frozenset(range(begin, end))
    return (), frozenset()


FINAL_ORDER: tuple[FinalTrait, ...] = ("loud", "soft", "harsh", "wide", "short", "long")
