"""Plurals: more than one of an instrument, where that means nothing else: "two harpsichords"."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from agent.composer.tokens import phrase_tokens
from agent.composer.vocabulary import Thing

_PLURAL = "s"


def plurals(things: Sequence[Thing], known: Container[tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The name of each single instrument with those of its plurals that are not `known` as phrases."""
    for thing in things:
        if not (thing.whole_role or thing.whole_family or thing.pieces):
            several = (f"{word}{_PLURAL}" for word in thing.words if word[-1].isalpha() and word[-1] != _PLURAL)
            yield thing.name, tuple(one for one in several if phrase_tokens(one) not in known)
