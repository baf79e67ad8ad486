"""Refused moods: what is left of one, and where it only says how a part is not to be."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from agent.composer.understanding.lexicon import Lexicon
from agent.composer.vocabulary import Mood

_LEFT = 0.4
"""How much of the opposite a refused mood means."""


def mild(mood: Mood) -> Mood:
    """The weaker mood that the negation of the opposite mood leaves: "not tragic" is a little happier, but no party."""
    return structs.replace(
        mood, name=f"a little {mood.name}", brightness=mood.brightness * _LEFT, energy=mood.energy * _LEFT,
        tempo=mood.tempo**_LEFT, groove=mood.groove * _LEFT, styles=(),
    )


def limits(mood: str, tokens: Sequence[str], end: int, lexicon: Lexicon) -> bool:
    """Whether a negated mood with an opposite stands before a part, which is wanted all the same: "no sad chords"."""
    return bool(lexicon.words.mood(mood).opposite) and lexicon.wish_at(tokens, end) is not None
