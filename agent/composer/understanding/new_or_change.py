"""Whether the words of a request, its main clause before all, ask for a new piece or change the song that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.senses import Sense

_ENDS = frozenset(".;!?")
_PARTS: tuple[Sense, ...] = ("thing", "instrument", "section", "track")
_FAR = 7
"""Tokens between "a" and the piece that it stands before: "a slow and rather sad little waltz"."""
_EARLY = 6
"""Tokens of a sentence among which its verb stands, or the piece that it is without any article."""


def speaks_of_a_song(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether casefolded tokens clearly want something of the lexicon's song rather than a new piece; False if they do
    not tell.

    The first sentence that tells decides, by what comes first in it: "the drums are too loud in a song like this" does,
    "a song with the drums up front" does not.
    """
    for number, sentence in enumerate(_sentences(tokens)):
        pointed = _pointed(sentence, lexicon)
        described = _described(sentence, lexicon, len(sentence) if pointed is None else pointed, opens=number == 0)
        if described is not None and (pointed is None or described < pointed):
            return False
        if pointed is not None:
            return True
    return False


def _sentences(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    first = 0
    for at, token in enumerate((*tokens, ".")):
        if token in _ENDS:
            if at > first:
                yield tokens[first:at]
            first = at + 1


def _pointed(sentence: Sequence[str], lexicon: Lexicon) -> int | None:
    """Where a sentence first points at what exists: a part or bars of it, the whole, or a change of it."""
    return next((at for at in range(len(sentence)) if _points(sentence, at, lexicon)), None)


def _points(sentence: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    word, behind = sentence[at], sentence[at + 1 :]
    pointing = lexicon.words.pointing
    if word in pointing.definite and any(_names_part(sentence, at + n, lexicon) for n in (1, 2)):
        return True
    if word in (*lexicon.words.lengths.bars, "mm", "m") and behind and behind[0][:1].isdigit():
        return True
    if word in pointing.comparing or lexicon.sense(sentence, at, "track") is not None:
        return True
    goal = lexicon.sense(sentence, at, "goal")
    if goal is not None and (goal[1] == "replace" or (goal[1] == "existing" and word not in pointing.pronouns)):
        return True
    if goal is not None and ((goal[1] == "change" and at < _EARLY) or (goal[1] == "relative" and at < 2)):
        return True
    follows = at > 0 and sentence[at - 1] not in pointing.apart
    return word in pointing.pronouns and follows and at < _EARLY


def _described(sentence: Sequence[str], lexicon: Lexicon, end: int, *, opens: bool) -> int | None:
    """Where before a token a sentence first describes a piece: one with "a" before it, or one that it begins with; the
    sentence that `opens` a request also by a figure: "24 bars, D minor"."""
    pointing = lexicon.words.pointing
    for at, word in enumerate(sentence):
        if word in pointing.anything or (word in pointing.indefinite and _stands_before_piece(sentence, at, lexicon)):
            return at
    for at, word in enumerate(sentence[: min(end, _EARLY)]):
        if word in pointing.definite:
            return None
        if _is_piece(sentence, at, lexicon) and not (at and sentence[at - 1] in pointing.within):
            return at
        unit = lexicon.sense(sentence, at + 1, "unit") if word[:1].isdigit() and at + 1 < len(sentence) else None
        if opens and unit is not None:
            return at
    return None


def _stands_before_piece(sentence: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    pointing = lexicon.words.pointing
    for later in range(at + 1, min(at + 1 + _FAR, len(sentence))):
        word = sentence[later]
        if word in pointing.definite or (word in pointing.within and later > at + 1):
            return False
        if _is_piece(sentence, later, lexicon):
            return True
    return False


def _is_piece(sentence: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Whether a kind of music, a purpose of it or a word for a piece stands there."""
    words = lexicon.words
    if sentence[at] in words.goals.works or sentence[at] in words.pointing.pieces:
        return True
    kinds: tuple[Sense, ...] = ("style", "genre")
    said = any(lexicon.sense(sentence, at, kind) for kind in kinds)
    return said or lexicon.standing.settings.longest_at(sentence, at) is not None


def _names_part(sentence: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    return at < len(sentence) and any(lexicon.sense(sentence, at, kind) is not None for kind in _PARTS)


_SIGNS = frozenset(",;.!?:")
_KINDS: tuple[Sense, ...] = ("style", "genre", "mood")
_SPEAK_OF_ONE = frozenset({"change", "existing", "relative"})


def begins_new(tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Whether casefolded tokens describe a piece before they mention a change: "dark techno at 130, don't make the bass
    too busy" does, "make it darker, like techno" does not."""
    for clause in _clauses(tokens):
        goals = {found[1] for at in range(len(clause)) if (found := lexicon.sense(clause, at, "goal")) is not None}
        if goals & _SPEAK_OF_ONE:
            return False
        if any(_describes(clause, at, lexicon) for at in range(len(clause))):
            return True
    return False


def _describes(clause: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    named = any(lexicon.sense(clause, at, kind) is not None for kind in _KINDS)
    return named or lexicon.standing.settings.longest_at(clause, at) is not None


def _clauses(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    first = 0
    for at, token in enumerate((*tokens, ".")):
        if token in _SIGNS:
            yield tokens[first:at]
            first = at + 1
