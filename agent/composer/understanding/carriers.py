"""Carriers: who has the tune of a new piece, where that is said."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.phrase_sets import phrase_set
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.wishes import Wish


def carriers_in(tokens: Sequence[str], lexicon: Lexicon) -> tuple[tuple[Wish, ...], frozenset[int]]:
    """Who plays the melody according to casefolded tokens, and the indices of the tokens that say so, without the
    names: "the viola carries the tune", "melody in the oboe", "clarinet lead"."""
    words = lexicon.words.carriers
    if words is None:
        return (), frozenset()
    tunes, carries, held = (phrase_set(one) for one in (words.tunes, words.carries, words.held))
    found: list[Wish] = []
    used: set[int] = set()
    for at in range(len(tokens)):
        player = _player(tokens, at, lexicon)
        if player is not None:
            end = at + player[0]
            verb = carries.length(tokens, end)
            tune = tunes.length(tokens, end + verb)
            if tune and (verb or tokens[end] not in lexicon.words.places.articles):
                found.append(player[1])
                used |= set(range(end, end + verb + tune))
            continue
        tune = tunes.length(tokens, at)
        link = held.length(tokens, at + tune) if tune else 0
        first = at + tune + link
        while link and first < len(tokens) and tokens[first] in lexicon.words.places.articles:
            first += 1
        player = _player(tokens, first, lexicon) if link else None
        if player is not None and at not in used:
            found.append(player[1])
            used |= set(range(at, first))
    return tuple(dict.fromkeys(found)), frozenset(used)


def _player(tokens: Sequence[str], at: int, lexicon: Lexicon) -> tuple[int, Wish] | None:
    """An instrument that can have a tune."""
    wish = lexicon.wish_at(tokens, at) if at < len(tokens) else None
    if wish is None or wish[1].whole_role or wish[1].pieces or not wish[1].families:
        return None
    return None if {"drums", "percussion", "fx"} & set(wish[1].families) else wish
