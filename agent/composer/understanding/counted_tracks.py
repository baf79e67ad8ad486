"""Counted tracks: how many tracks a new piece may have at most: "max 4 tracks", "no more than five parts"."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.numbers import number_at

_MOST = 32
_LONGEST = 4


def most_tracks(tokens: Sequence[str], lexicon: Lexicon) -> tuple[int, frozenset[int]]:
    """The maximum number of tracks that casefolded tokens allow (0: not said), and the indices of the tokens that say
    so."""
    words = lexicon.words.figures
    if words is None or lexicon.song.note_count:
        return 0, frozenset()
    for at in range(len(tokens)):
        number = number_at(tokens, at, lexicon)
        end = at + number[0] if number is not None else at
        if number is None or end >= len(tokens) or tokens[end] not in words.tracks or number[1] != int(number[1]):
            continue
        limits = frozenset(phrase_tokens(phrase) for phrase in (*words.at_most, *words.no_more))
        lengths = range(_LONGEST, 0, -1)
        before = next((n for n in lengths if at >= n and tuple(tokens[at - n : at]) in limits), 0)
        behind = next((n for n in lengths if tuple(tokens[end + 1 : end + 1 + n]) in limits), 0)
        if (before or behind) and 1 <= number[1] <= _MOST:
            return int(number[1]), frozenset(range(at - before, end + 1 + behind))
    return 0, frozenset()
