"""Inflecting: the words that say in one what a cue says in two, as "darker" and "darken" for "more dark"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.composer.operation_words import Inflection
from agent.composer.phrasing import Element, Maybe, Word


def inflected(cue: Sequence[Element], inflection: Inflection) -> list[tuple[Element, ...]]:
    """Further forms of a cue that begins with a word of comparing ("more dark"): its comparatives and verbs ("darker",
    "darken"), as `inflection` says how they are formed. Empty for another cue.

    A verb needs an ending ("soften") or a particle after it ("dry it out").
    """
    if len(cue) < 2 or not isinstance(cue[0], Word) or not isinstance(cue[1], Word):
        return []
    if not all(len(phrase) == 1 and phrase[0] in inflection.comparing for phrase in cue[0].phrases):
        return []
    bases = [phrase[0] for phrase in cue[1].phrases if len(phrase) == 1 and phrase[0] in inflection.adjectives]
    if not bases:
        return []
    ended = tuple((word,) for base in bases for word in _ended(base, inflection))
    particles = Word(tuple((particle,) for particle in inflection.particles))
    plain = Word(tuple((base,) for base in bases))
    return [(Word(ended), Maybe((particles,)), *cue[2:]), (plain, particles, *cue[2:])]


def _ended(base: str, inflection: Inflection) -> Iterator[str]:
    """A word with each ending: as it is, with its last letter doubled, without one that is silent, or changed."""
    changed = {base, base + base[-1], *(base.removesuffix(mute) for mute in inflection.silent)}
    changed.update(base.removesuffix(old) + new for old, new in inflection.changes.items() if base.endswith(old))
    for stem in sorted(changed):
        for ending in inflection.endings:
            yield stem + ending
