"""Exchanges: chords from outside the key that players of a style put in place of others in a round of chords."""

from __future__ import annotations

import re

from agent.composer.dice import Dice
from agent.composer.styles import Exchanges, exchange
from agent.song.key import Key

_PLAIN = re.compile(r"([b#]?(?:VII|VI|IV|V|III|II|I|vii|vi|iv|v|iii|ii|i))[^/]*(/[b#]?[VIvi]+)?")
"""A numeral, its ending, and the numeral that it belongs to."""


def exchanged(text: str, key: Key, known: Exchanges, dice: Dice) -> str:
    """The progression `text` (roman numerals), sometimes with one of its chords substituted in a way that the style
    knows (`known`); the first chord stays.

    A substitution applies where its numerals follow each other, whatever their endings; the last chord is followed by
    the first. Only major and minor have substitutions.
    """
    ways = {"major": known.major, "minor": known.minor}.get(key.mode, ())
    words = text.split()
    plain = [_plain(word) for word in words]
    found = [places for way in ways for places in _fitting(*exchange(way), plain)]
    if not found or not dice.chance(known.share):
        return text
    changed = dice.pick(found)
    played = [changed.get(at, word) for at, word in enumerate(words)]
    # more than one chord from outside is a cadence, which a round has the second time
    return " ".join([*words, *played] if len(changed) > 1 else played)


def _fitting(there: tuple[str, ...], played: tuple[str, ...], plain: list[str]) -> list[dict[int, str]]:
    """What a way puts where, for each place of a round where it fits; chords that it names again stay as they are."""
    count = len(plain)
    result = []
    for start in range(1, count):
        places = [(start + at) % count for at in range(len(there))]
        fits = len(there) < count and all(plain[at] == one for at, one in zip(places, there, strict=True))
        changed = {at: new for at, new, old in zip(places, played, there, strict=True) if new != old}
        if fits and 0 not in changed:
            result.append(changed)
    return result


def _plain(word: str) -> str:
    """The numeral without its ending; one with a tone in its bass is part of a bass line and stays whole."""
    found = _PLAIN.fullmatch(word)
    return found[1] + (found[2] or "") if found else word
