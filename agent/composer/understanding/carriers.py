"""Carriers: who has the tune of a new piece, where that is said."""

from __future__ import annotations

from collections.abc import Sequence

from agent.composer.tokens import phrase_tokens
from agent.composer.understanding.lexicon import Lexicon
from agent.composer.understanding.wishes import Wish

_LONGEST = 4


def carriers_in(tokens: Sequence[str], lexicon: Lexicon) -> tuple[tuple[Wish, ...], frozenset[int]]:
    """Who has the tune by casefolded tokens, and the tokens that say so without those that name who.

    "The viola carries the tune", "melody in the oboe", "clarinet lead".
    """
    words = lexicon.words.carriers
    if words is None:
        return (), frozenset()
    tunes, carries, held = (_rows(one) for one in (words.tunes, words.carries, words.held))
    found: list[Wish] = []
    used: set[int] = set()
    for at in range(len(tokens)):
        player = _player(tokens, at, lexicon)
        if player is not None:
            end = at + player[0]
            verb = _length(carries, tokens, end)
            tune = _length(tunes, tokens, end + verb)
            if tune and (verb or tokens[end] not in lexicon.words.places.articles):
                found.append(player[1])
                used |= set(range(end, end + verb + tune))
            continue
        tune = _length(tunes, tokens, at)
        link = _length(held, tokens, at + tune) if tune else 0
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


def _length(rows: frozenset[tuple[str, ...]], tokens: Sequence[str], at: int) -> int:
    longest = min(_LONGEST, len(tokens) - at)
    return next((n for n in range(longest, 0, -1) if tuple(tokens[at : at + n]) in rows), 0)


def _rows(phrases: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(token.casefold() for token in phrase_tokens(phrase)) for phrase in phrases)
