"""Known tunes: music that exists, of which a new piece can be no version."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.lexicon import Lexicon

_NEAR = 4


def known_tunes_in(tokens: Sequence[str], lexicon: Lexicon) -> list[range]:
    """Ranges of tokens that name existing melodies, articles included; titles that the piece should only resemble do
    not count."""
    words = lexicon.words.tunes
    if words is None:
        return []
    names = phrase_set(words.names)
    found: list[range] = []
    at = 0
    while at < len(tokens):
        length = names.length(tokens, at)
        if length and not any(word in words.likened for word in tokens[max(0, at - _NEAR) : at]):
            found.append(range(at, at + length))
        at += max(1, length)
    return found
